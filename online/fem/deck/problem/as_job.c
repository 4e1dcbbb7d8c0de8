/* A deck as a job of ours: NAME.yaml and its mesh, NAME.mesh.inp. What a job cannot say is refused with its line. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"
#include "common/math/vector.h"
#include "online/fem/deck/model.h"
#include "online/fem/deck/problem/as_job.h"
#include "online/fem/deck/problem/steps.h"

typedef struct {
    const sw_deck *deck;
    const sw_structure_problem *problem;
    FILE *mesh, *job;
    int dimension, n_groups;
    const char *type; /* of all elements */
} writer;

__attribute__((format(printf, 4, 5))) static sw_status refuse(const writer *w, const char *path, int64_t line,
                                                              const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": a job cannot say %s", path != NULL ? path : w->deck->path,
                    line, text);
}

/* ---- What a job can say ---- */

static const struct {
    const char *name, *kinematics;
    int dimension;
} types[] = {{"C3D8", "solid", 3},
             {"CPS4", "plane_stress", 2},
             {"CPE4", "plane_strain", 2},
             {"CAX4", "axisymmetric", 2}};

static const char *kinematics_of(const char *type, int *dimension)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].name) == 0) {
            *dimension = types[i].dimension;
            return types[i].kinematics;
        }
    return NULL;
}

static sw_status check_contacts(const writer *w)
{
    if (w->deck->n_contacts == 0)
        return SW_OK;
    const sw_deck_card *card = w->deck->contact[0].card;
    return refuse(w, card->path, card->line, "surfaces that touch");
}

static sw_status check_elements(writer *w)
{
    for (int64_t i = 0; i < w->deck->n_elements; i++) {
        const sw_deck_element *e = &w->deck->element[i];
        if (e->type->kind == SW_DECK_SURFACE_ELEMENT)
            continue;
        if (kinematics_of(e->type->name, &w->dimension) == NULL)
            return refuse(w, e->path, e->line, "elements of type %s", e->type->name);
        if (w->type != NULL && w->type != e->type->name)
            return refuse(w, e->path, e->line, "elements of types %s and %s together", w->type,
                          e->type->name);
        w->type = e->type->name;
        const sw_deck_section *section = &w->deck->section[e->section];
        if (section->thickness != w->deck->section[0].thickness || (section->by_nodes && w->dimension == 2))
            return refuse(w, e->path, e->line, "bodies of different thickness");
    }
    return w->problem->n_constraints > 0
               ? refuse(w, NULL, w->problem->constraint[0].line, "equations, ties and local axes")
               : SW_OK;
}

static sw_status check_matters(const writer *w)
{
    for (int i = 0; i < w->problem->n_matters; i++) {
        const sw_matter *m = &w->problem->matter[i];
        if (m->law != NULL && m->law != &sw_matter_elastic && m->law != &sw_matter_hencky &&
            m->law != &sw_matter_plastic)
            return refuse(w, NULL, m->line, "material %s", m->name);
        if (m->law != NULL && (m->elasticity != SW_MATTER_ISOTROPIC || m->elastic.n_rows > 1))
            return refuse(w, NULL, m->line, "the elasticity of material %s: need one E and nu", m->name);
        if (m->law != NULL && (m->cook.n_rows > 0 || m->rate_law != SW_MATTER_NO_RATE || m->n_curves > 1 ||
                               (m->n_curves > 0 && m->hardening != SW_MATTER_HARDENS_ISOTROPIC)))
            return refuse(w, NULL, m->line,
                          "the hardening of material %s: need isotropic hardening at one temperature",
                          m->name);
    }
    return SW_OK;
}

static sw_status check_steps(const writer *w)
{
    const sw_deck_steps *steps = w->deck->steps;
    const sw_deck_step *first = &steps->step[0];
    for (int k = 0; k < steps->n_steps; k++) {
        const sw_deck_step *step = &steps->step[k];
        if (step->is.finite != first->is.finite || step->is.visco)
            return refuse(w, NULL, step->is.line, "steps with and without NLGEOM, or *VISCO");
        if (step->is.at_once)
            return refuse(w, NULL, step->is.line, "AMPLITUDE=STEP");
        if (step->n[SW_DECK_TEMPERATURE] > 0)
            return refuse(w, NULL, step->is.line, "temperatures");
        if (w->problem->step[k].n_changes > 0 || w->problem->step[k].n_strains > 0)
            return refuse(w, NULL, step->is.line, "elements that change or have strains to begin with");
        for (int64_t i = 0; i < step->n[SW_DECK_FIXED]; i++) {
            const sw_deck_condition *c = &step->condition[SW_DECK_FIXED][i];
            const sw_deck_condition *then = &first->condition[SW_DECK_FIXED][i];
            if (i >= first->n[SW_DECK_FIXED] || c->of != then->of || c->part != then->part || isnan(c->to))
                return refuse(w, c->line->path, c->line->line, "supports that begin in a later step");
        }
        if (step->n[SW_DECK_FIXED] != first->n[SW_DECK_FIXED])
            return refuse(w, NULL, step->is.line, "supports that end before the last step");
        for (int kind = 0; kind < SW_DECK_CONDITIONS; kind++)
            for (int64_t i = 0; i < step->n[kind]; i++) {
                const sw_deck_condition *c = &step->condition[kind][i];
                if (c->amplitude >= 0)
                    return refuse(w, c->line->path, c->line->line, "amplitudes");
                if (kind == SW_DECK_LOAD && c->pull != SW_PULL_DEAD && step->is.finite)
                    return refuse(w, c->line->path, c->line->line, "tractions that follow their surface");
                if (kind == SW_DECK_LOAD && c->load == SW_STRUCTURE_SPIN)
                    return refuse(w, c->line->path, c->line->line, "centrifugal loads");
                if (kind == SW_DECK_FORCE && strcmp(w->type, "CAX4") == 0)
                    return refuse(w, c->line->path, c->line->line, "forces on rings");
            }
    }
    return SW_OK;
}

/* What a job computes otherwise than the deck. */
static void warn_of_others(const writer *w)
{
    const sw_deck *deck = w->deck;
    if (deck->dialect == SW_DECK_ABAQUS && deck->steps->step[0].is.finite && strcmp(w->type, "C3D8") == 0)
        sw_warn(
            "%s: the job's mean dilatation at finite strain is not the deck's: displacements of C3D8 with "
            "NLGEOM have differed by up to 3.5 %%",
            deck->path);
    if (deck->dialect == SW_DECK_ABAQUS && strcmp(w->type, "CPE4") == 0)
        sw_warn("%s: the job's mean dilatation is over three directions, the deck's of CPE4 over the two of "
                "the plane: "
                "displacements have differed by up to 2 %%",
                deck->path);
    for (int i = 0; i < w->problem->n_matters; i++)
        if (deck->steps->step[0].is.finite && w->problem->matter[i].law == &sw_matter_elastic) {
            sw_warn("%s:%" PRId64 ": the job's elasticity is of logarithmic strain, the deck's of Green's: "
                    "displacements of small "
                    "strains have differed by up to 0.2 %%, others differ more",
                    deck->path, w->problem->matter[i].line);
            break;
        }
}

/* ---- Histories ---- */

/* The value of condition i at the end of step k; conditions keep their places. */
static double value_at(const writer *w, int kind, int64_t i, int k)
{
    const sw_deck_step *step = &w->deck->steps->step[k];
    return i < step->n[kind] ? step->condition[kind][i].to : 0;
}

static int same_history(const writer *w, int kind, int64_t a, int64_t b)
{
    for (int k = 0; k < w->deck->steps->n_steps; k++)
        if (value_at(w, kind, a, k) != value_at(w, kind, b, k))
            return 0;
    return 1;
}

/* The largest of a history, of which factors are the shares: loads may be up to 1e18, factors to 1e9. 1 where all are 0. */
static double size_of(const writer *w, int kind, int64_t i)
{
    double most = 0;
    for (int k = 0; k < w->deck->steps->n_steps; k++)
        most = fmax(most, fabs(value_at(w, kind, i, k)));
    return most > 0 ? most : 1;
}

static void write_factors(const writer *w, int kind, int64_t i)
{
    const double size = size_of(w, kind, i);
    fprintf(w->job, ", factors: [");
    for (int k = 0; k < w->deck->steps->n_steps; k++)
        fprintf(w->job, "%s%.15g", k > 0 ? ", " : "", value_at(w, kind, i, k) / size);
    fprintf(w->job, "]}\n");
}

static void write_vector(const writer *w, const char *key, const double v[3], double times)
{
    fprintf(w->job, ", %s: [", key);
    for (int i = 0; i < 3 && i < w->dimension; i++)
        fprintf(w->job, "%s%.15g", i > 0 ? ", " : "", times * v[i]);
    fprintf(w->job, "]");
}

/* Which may be one entry, where their histories are the same. */
typedef int alike_test(const writer *w, const sw_deck_condition *a, const sw_deck_condition *b);

static int same_component(const writer *w, const sw_deck_condition *a, const sw_deck_condition *b)
{
    (void)w;
    return a->part == b->part;
}

static int matter_of(const writer *w, const sw_deck_condition *c)
{
    return w->deck->section[w->deck->element[c->of].section].material;
}

static int same_load(const writer *w, const sw_deck_condition *a, const sw_deck_condition *b)
{
    return a->load == b->load && sw_is_same(a->direction, b->direction) &&
           (a->load != SW_STRUCTURE_GRAVITY || matter_of(w, a) == matter_of(w, b));
}

/* A line of the mesh. */
static void write_member(const writer *w, int kind, const sw_deck_condition *c)
{
    if (kind == SW_DECK_FIXED)
        fprintf(w->mesh, "%" PRId64 "\n", w->deck->node[c->of].label);
    else if (c->load == SW_STRUCTURE_PRESSURE || c->load == SW_STRUCTURE_TRACTION)
        fprintf(w->mesh, "%" PRId64 ", S%d\n", w->deck->element[c->of].label, c->part + 1);
    else
        fprintf(w->mesh, "%" PRId64 "\n", w->deck->element[c->of].label);
}

/* Those that go with i, the first of them, into the mesh, and marked. */
static void write_group(const writer *w, int kind, int64_t n, const sw_deck_condition *c, int64_t i,
                        alike_test *alike, unsigned char *done)
{
    const int faces =
        kind == SW_DECK_LOAD && (c[i].load == SW_STRUCTURE_PRESSURE || c[i].load == SW_STRUCTURE_TRACTION);
    fprintf(w->mesh,
            kind == SW_DECK_FIXED ? "*NSET, NSET=HELD_%d\n"
            : faces               ? "*SURFACE, NAME=FACES_%d\n"
                                  : "*ELSET, ELSET=LOADED_%d\n",
            w->n_groups);
    for (int64_t j = i; j < n; j++)
        if (!done[j] && alike(w, &c[i], &c[j]) && same_history(w, kind, i, j)) {
            done[j] = 1;
            write_member(w, kind, &c[j]);
        }
}

static void write_held(const writer *w, int64_t i, const sw_deck_condition *c)
{
    int zero = 1;
    for (int k = 0; k < w->deck->steps->n_steps; k++)
        zero &= value_at(w, SW_DECK_FIXED, i, k) == 0;
    fprintf(w->job, "  - {nodes: HELD_%d, %c: %.15g", w->n_groups, "xyz"[c->part],
            zero ? 0 : size_of(w, SW_DECK_FIXED, i));
    if (zero)
        fprintf(w->job, "}\n");
    else
        write_factors(w, SW_DECK_FIXED, i);
}

static void write_load(const writer *w, int64_t i, const sw_deck_condition *c)
{
    const int faces = c->load == SW_STRUCTURE_PRESSURE || c->load == SW_STRUCTURE_TRACTION;
    fprintf(w->job, "  - {%s_%d", faces ? "surface: FACES" : "elements: LOADED", w->n_groups);
    if (c->load == SW_STRUCTURE_PRESSURE)
        fprintf(w->job, ", pressure: %.15g", size_of(w, SW_DECK_LOAD, i));
    else
        write_vector(w, c->load == SW_STRUCTURE_TRACTION ? "traction" : "body_force", c->direction,
                     size_of(w, SW_DECK_LOAD, i) *
                         (c->load == SW_STRUCTURE_GRAVITY ? w->problem->matter[matter_of(w, c)].density : 1));
    write_factors(w, SW_DECK_LOAD, i);
}

/* All conditions of a kind, those alike as one entry; of forces a node each. */
static sw_status write_conditions(writer *w, int kind, alike_test *alike,
                                  void (*write)(const writer *, int64_t, const sw_deck_condition *))
{
    const sw_deck_step *last = &w->deck->steps->step[w->deck->steps->n_steps - 1];
    const int64_t n = last->n[kind];
    const sw_deck_condition *c = last->condition[kind];
    unsigned char *done;
    SW_TRY(SW_ALLOCATE(done, n + 1, "conditions of a job"));
    for (int64_t i = 0; i < n; i++)
        if (!done[i] && (kind != SW_DECK_FIXED || c[i].part < w->dimension)) {
            w->n_groups++;
            write_group(w, kind, n, c, i, alike, done);
            write(w, i, &c[i]);
        }
    free(done);
    return SW_OK;
}

static void write_forces(writer *w)
{
    const sw_deck_step *last = &w->deck->steps->step[w->deck->steps->n_steps - 1];
    for (int64_t i = 0; i < last->n[SW_DECK_FORCE]; i++) {
        const sw_deck_condition *c = &last->condition[SW_DECK_FORCE][i];
        const double axis[3] = {c->part == 0, c->part == 1, c->part == 2};
        w->n_groups++;
        fprintf(w->mesh, "*NSET, NSET=PULLED_%d\n%" PRId64 "\n", w->n_groups, w->deck->node[c->of].label);
        fprintf(w->job, "  - {nodes: PULLED_%d", w->n_groups);
        write_vector(w, "force", axis, size_of(w, SW_DECK_FORCE, i));
        write_factors(w, SW_DECK_FORCE, i);
    }
}

/* ---- The files ---- */

static sw_status write_mesh(const writer *w)
{
    unsigned char *used;
    SW_TRY(SW_ALLOCATE(used, w->deck->n_nodes + 1, "nodes of a job"));
    for (int64_t i = 0; i < w->problem->n_members; i++)
        used[w->problem->node[i]] = 1;
    fprintf(w->mesh, "*NODE\n");
    for (int64_t i = 0; i < w->deck->n_nodes; i++)
        if (used[i]) {
            const double *at = w->deck->node[i].at;
            fprintf(w->mesh, "%" PRId64 ", %.15g, %.15g, %.15g\n", w->deck->node[i].label, at[0], at[1],
                    at[2]);
        }
    free(used);
    for (int m = 0; m < w->problem->n_matters; m++) {
        int begun = 0;
        for (int64_t i = 0; i < w->deck->n_elements; i++) {
            const sw_deck_element *e = &w->deck->element[i];
            if (e->section < 0 || w->deck->section[e->section].material != m)
                continue;
            if (!begun++)
                fprintf(w->mesh, "*ELEMENT, TYPE=%s, ELSET=MATERIAL_%d\n", w->type, m + 1);
            fprintf(w->mesh, "%" PRId64, e->label);
            for (int k = 0; k < e->n_nodes; k++)
                fprintf(w->mesh, ", %" PRId64, w->deck->node[w->deck->member[e->first + k]].label);
            fprintf(w->mesh, "\n");
        }
    }
    return SW_OK;
}

static void write_matters(const writer *w)
{
    fprintf(w->job, "materials:\n");
    for (int i = 0; i < w->problem->n_matters; i++) {
        const sw_matter *m = &w->problem->matter[i];
        if (m->law == NULL) /* no element has it */
            continue;
        fprintf(w->job, "  - {name: \"%s\", elements: MATERIAL_%d, young: %.15g, poisson: %.15g", m->name,
                i + 1, m->elastic.value[0], m->elastic.value[1]);
        const sw_matter_curve *curve = m->curve;
        if (m->n_curves > 0 && curve->n_rows == 1)
            fprintf(w->job, ", yield_stress: %.15g, hardening: {law: none}", curve->row[0][1]);
        else if (m->n_curves > 0) {
            fprintf(w->job, ", hardening: {law: table, table: [");
            for (int r = 0; r < curve->n_rows; r++)
                fprintf(w->job, "%s[%.15g, %.15g]", r > 0 ? ", " : "", curve->row[r][0], curve->row[r][1]);
            fprintf(w->job, "]}");
        }
        fprintf(w->job, "}\n");
    }
}

static void write_steps(const writer *w)
{
    int linear = !w->deck->steps->step[0].is.finite;
    for (int i = 0; i < w->problem->n_matters; i++)
        linear &= w->problem->matter[i].n_curves == 0;
    fprintf(w->job, "steps:\n");
    for (int k = 0; k < w->deck->steps->n_steps; k++) {
        const sw_structure_step *step = &w->deck->steps->step[k].is;
        const double n = step->first > 0 && !linear ? ceil(step->duration / step->first - 1e-9) : 1;
        fprintf(w->job, "  - {factor: 1, increments: %.0f, time: %.15g}\n", fmin(n, 1e6), step->duration);
    }
}

static sw_status write_all(writer *w, const char *mesh, const char *stem)
{
    int dimension;
    const char *slash = strrchr(mesh, '/'), *name = slash != NULL ? slash + 1 : mesh;
    const sw_deck_step *last = &w->deck->steps->step[w->deck->steps->n_steps - 1];
    SW_TRY(write_mesh(w));
    fprintf(w->job, "# %s. Its units are taken as they are: metres, newtons and pascals are said here.\n",
            w->deck->path);
    fprintf(w->job, "mesh: {file: \"%s\"}\nkinematics: %s\nstrain: %s\n", name,
            kinematics_of(w->type, &dimension), w->deck->steps->step[0].is.finite ? "finite" : "small");
    if (strcmp(w->type, "CPS4") != 0)
        fprintf(w->job, "b_bar: %s\n", w->deck->dialect == SW_DECK_ABAQUS ? "yes" : "no");
    if (w->dimension == 2 && strcmp(w->type, "CAX4") != 0)
        fprintf(w->job, "thickness: %.15g\n", w->deck->section[0].thickness);
    write_matters(w);
    fprintf(w->job, "boundary:\n");
    SW_TRY(write_conditions(w, SW_DECK_FIXED, same_component, write_held));
    if (last->n[SW_DECK_LOAD] + last->n[SW_DECK_FORCE] > 0)
        fprintf(w->job, "loads:\n");
    SW_TRY(write_conditions(w, SW_DECK_LOAD, same_load, write_load));
    write_forces(w);
    write_steps(w);
    fprintf(w->job, "output: {file: \"%s.h5\"}\n", stem);
    return SW_OK;
}

sw_status sw_deck_write_job(sw_deck *deck, const char *stem)
{
    writer w = {.deck = deck};
    sw_output_file mesh = {0}, job = {0};
    char *mesh_path = NULL, *job_path = NULL;
    SW_TRY(sw_deck_make_problem(deck, &w.problem));
    SW_TRY(check_contacts(&w));
    SW_TRY(check_elements(&w));
    SW_TRY(check_matters(&w));
    SW_TRY(check_steps(&w));
    warn_of_others(&w);
    sw_status status = SW_ERR_MEMORY;
    mesh_path = sw_file_name("%s.mesh.inp", stem);
    job_path = sw_file_name("%s.yaml", stem);
    if (mesh_path == NULL || job_path == NULL)
        goto end;
    SW_TRY_GOTO(status, sw_text_file_begin(mesh_path, &mesh, &w.mesh), end);
    status = sw_text_file_begin(job_path, &job, &w.job);
    if (status == SW_OK) {
        status = write_all(&w, mesh_path, stem);
        status = sw_text_file_end(&job, w.job, status);
    }
    status = sw_text_file_end(&mesh, w.mesh, status);
end:
    free(mesh_path);
    free(job_path);
    return status;
}
