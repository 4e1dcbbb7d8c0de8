/* How a job's body is held and loaded: steps, boundary and loads -> increments, entries and load cases.
 *
 * Entries that have the same factors at the end of every step share a case. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

static int unknowns_of(const sw_fem_job *job) { return sw_fem_unknowns(job->problem.kinematics); }
static int dimension_of(const sw_fem_job *job) { return sw_fem_shapes[job->mesh->shape].dimension; }
static int is_heat(const sw_fem_job *job) { return job->problem.kinematics == SW_FEM_HEAT; }

/* ---- Steps ---- */

enum { MOST_INCREMENTS = 1000000 };

/* One step to factor 1 when there are none. */
static int64_t step_count(const sw_fem_job *job) { return job->steps_count > 0 ? job->steps_count : 1; }
static int64_t increments_of(const sw_fem_job *job, int64_t step)
{
    return job->steps_count > 0 ? job->steps[step].increments : 1;
}

static sw_status check_steps(sw_fem_job *job)
{
    static const sw_fem_number rules[] = {
        {"factor", offsetof(sw_fem_job_step, factor), 0, -1e9, 1e9, 0, "-1e9 <= factor <= 1e9"},
        {"increments", offsetof(sw_fem_job_step, increments), 1, 1, MOST_INCREMENTS, 1,
         "1 <= increments <= 1e6"},
    };
    char key[SW_FEM_KEY];
    for (unsigned s = 0; s < job->steps_count; s++) {
        snprintf(key, sizeof key, "steps[%u].", s);
        SW_TRY(sw_fem_check_numbers(job, key, &job->steps[s], 2, rules));
    }
    if (job->steps_count == 0 && sw_fem_given(job, "steps[0].factor")) /* --factor */
        return sw_fem_job_error(job, "steps[0].factor", ": the job has no steps");
    for (int64_t s = 0; s < step_count(job); s++)
        job->n_increments += increments_of(job, s);
    if (job->n_increments > MOST_INCREMENTS)
        return sw_fem_job_error(job, "steps", ": %lld increments in all: need at most 1e6",
                                (long long)job->n_increments);
    SW_TRY(SW_ALLOCATE(job->step_of, job->n_increments, "increments"));
    for (int64_t s = 0, i = 0; s < step_count(job); s++)
        for (int64_t k = 0; k < increments_of(job, s); k++)
            job->step_of[i++] = (int32_t)(s + 1);
    return SW_OK;
}

/* Factors at the ends of steps, [count] or the steps' own -> those at the ends of increments. */
static sw_status follow_steps(const sw_fem_job *job, const char *prefix, const double *factors,
                              unsigned count, sw_fem_entry *entry)
{
    const int64_t n = step_count(job);
    char key[SW_FEM_KEY];
    snprintf(key, sizeof key, "%sfactors", prefix);
    if (count > 0 && count != n)
        return sw_fem_job_error(job, key, " has %u numbers: need %lld, one a step", count, (long long)n);
    SW_TRY(SW_ALLOCATE(entry->of_step, n, "factors"));
    SW_TRY(SW_ALLOCATE(entry->factor, job->n_increments, "factors"));
    double from = 0;
    for (int64_t s = 0, i = 0; s < n; s++) {
        const double to = count > 0 ? factors[s] : job->steps_count > 0 ? job->steps[s].factor : 1;
        const int64_t parts = increments_of(job, s);
        if (!(fabs(to) <= 1e9)) {
            snprintf(key, sizeof key, "%sfactors[%lld]", prefix, (long long)s);
            return sw_fem_job_error(job, key, " = %.15g: need -1e9 to 1e9", to);
        }
        for (int64_t k = 1; k <= parts; k++)
            entry->factor[i++] = k == parts ? to : from + (to - from) * (double)k / (double)parts;
        entry->of_step[s] = from = to;
    }
    return SW_OK;
}

/* The set of an entry: the one that is given of nodes, surface and elements. allowed: bits of kinds. */
static sw_status find_target(const sw_fem_job *job, const char *prefix, const char *const name[3],
                             unsigned allowed, const char *what, sw_fem_entry *entry, const sw_fem_set **set)
{
    static const sw_fem_set_kind kinds[3] = {SW_FEM_NODES, SW_FEM_SURFACE, SW_FEM_ELEMENTS};
    static const char *const keys[3] = {"nodes", "surface", "elements"};
    char key[SW_FEM_KEY], list[64] = "";
    int chosen = -1;
    for (int i = 0; i < 3; i++)
        if (allowed >> i & 1)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] ? " or " : "", keys[i]);
    for (int i = 0; i < 3; i++) {
        snprintf(key, sizeof key, "%s%s", prefix, keys[i]);
        if (name[i] == NULL)
            continue;
        if (chosen >= 0)
            return sw_fem_job_error(job, key, " beside %s: need only one of them", keys[chosen]);
        if (!(allowed >> i & 1))
            return sw_fem_job_error(job, key, ": %s goes with %s", what, list);
        chosen = i;
    }
    if (chosen < 0) {
        snprintf(key, sizeof key, "%.*s", (int)strlen(prefix) - 1, prefix);
        return sw_fem_job_error(job, key, ": need %s", list);
    }
    snprintf(key, sizeof key, "%s%s", prefix, keys[chosen]);
    SW_TRY(sw_fem_find_set(job, key, kinds[chosen], name[chosen], set));
    snprintf(entry->label, sizeof entry->label, "%s %.60s", keys[chosen], name[chosen]);
    return sw_fem_set_nodes(job->mesh, *set, &entry->n_nodes, &entry->node);
}

/* ---- Boundary ---- */

static const char *const values[SW_FEM_VALUES] = {"x", "y", "z", "temperature"};

static sw_status read_boundary(sw_fem_job *job, unsigned index)
{
    const sw_fem_job_boundary *from = &job->boundary[index];
    sw_fem_entry *entry = &job->fixed[index];
    const sw_fem_set *set;
    char prefix[SW_FEM_KEY], key[SW_FEM_KEY + 16];
    int given = 0;
    snprintf(prefix, sizeof prefix, "boundary[%u].", index);
    SW_TRY(find_target(job, prefix, (const char *[]){from->nodes, from->surface, NULL}, 3, "a boundary",
                       entry, &set));
    for (int i = 0; i < SW_FEM_VALUES; i++) {
        snprintf(key, sizeof key, "%s%s", prefix, values[i]);
        const int component = i < 3 ? i : 0;
        if (!sw_fem_given(job, key))
            continue;
        if (is_heat(job) != (i == 3) || component >= dimension_of(job))
            return sw_fem_job_error(job, key, ": not with kinematics: %s",
                                    sw_fem_kinematics_names[job->problem.kinematics]);
        if (!(fabs(from->value[i]) <= 1e9))
            return sw_fem_job_error(job, key, " = %.15g: need %s, -1e9 to 1e9", from->value[i],
                                    i == 3 ? "K" : "m");
        entry->fixes[component] = 1;
        entry->at[component] = from->value[i];
        given = 1;
    }
    snprintf(key, sizeof key, "boundary[%u]", index);
    if (!given)
        return sw_fem_job_error(job, key, ": need %s", is_heat(job) ? "temperature" : "x, y or z: m");
    return follow_steps(job, prefix, from->factors, from->factors_count, entry);
}

static int moves(const sw_fem_entry *entry)
{
    return entry->at[0] != 0 || entry->at[1] != 0 || entry->at[2] != 0;
}

/* ---- Loads ---- */

typedef enum { PRESSURE, TRACTION, BODY_FORCE, TOTAL_FORCE } load_kind;
enum { ON_NODES = 1, ON_SURFACE = 2, ON_ELEMENTS = 4 };

static const struct kind {
    const char *key, *unit;
    load_kind kind;
    int heat;
    unsigned on;
    size_t member; /* a double, or */
    size_t list;   /* a list, and its count; 0: none */
    size_t count;
} kinds[] = {
#define AT(member) offsetof(sw_fem_job_load, member)
    {"traction", "Pa", TRACTION, 0, ON_SURFACE, 0, AT(traction), AT(traction_count)},
    {"pressure", "Pa", PRESSURE, 0, ON_SURFACE, AT(pressure), 0, 0},
    {"body_force", "N/m3", BODY_FORCE, 0, ON_ELEMENTS, 0, AT(body_force), AT(body_force_count)},
    {"force", "N", TOTAL_FORCE, 0, ON_NODES | ON_SURFACE, 0, AT(force), AT(force_count)},
    {"flux", "W/m2", TRACTION, 1, ON_SURFACE, AT(flux), 0, 0},
    {"source", "W/m3", BODY_FORCE, 1, ON_ELEMENTS, AT(source), 0, 0},
    {"flow", "W", TOTAL_FORCE, 1, ON_NODES | ON_SURFACE, AT(flow), 0, 0},
#undef AT
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static sw_status choose_kind(const sw_fem_job *job, unsigned index, const struct kind **chosen)
{
    char key[SW_FEM_KEY];
    *chosen = NULL;
    for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
        snprintf(key, sizeof key, "loads[%u].%s", index, k->key);
        if (!sw_fem_given(job, key))
            continue;
        if (*chosen != NULL)
            return sw_fem_job_error(job, key, " beside %s: need only one of them", (*chosen)->key);
        if (k->heat != is_heat(job))
            return sw_fem_job_error(job, key, ": not with kinematics: %s",
                                    sw_fem_kinematics_names[job->problem.kinematics]);
        *chosen = k;
    }
    snprintf(key, sizeof key, "loads[%u]", index);
    return *chosen != NULL ? SW_OK
                           : sw_fem_job_error(job, key, ": need %s",
                                              is_heat(job) ? "flux, source or flow"
                                                           : "traction, pressure, body_force or force");
}

static sw_status read_value(const sw_fem_job *job, const char *prefix, const struct kind *kind,
                            const sw_fem_job_load *from, double value[3])
{
    const double *list = (const double *)(const void *)((const char *)from + kind->member);
    unsigned count = 1;
    char key[SW_FEM_KEY + 16];
    snprintf(key, sizeof key, "%s%s", prefix, kind->key);
    if (kind->list > 0) {
        memcpy(&list, (const char *)from + kind->list, sizeof list);
        memcpy(&count, (const char *)from + kind->count, sizeof count);
        if (count != (unsigned)dimension_of(job))
            return sw_fem_job_error(job, key, " has %u numbers: need %d", count, dimension_of(job));
    }
    for (unsigned i = 0; i < count; i++) {
        value[i] = list[i];
        if (!(fabs(value[i]) <= 1e18))
            return sw_fem_job_error(job, key, " = %.15g: need %s, -1e18 to 1e18", value[i], kind->unit);
    }
    return SW_OK;
}

static sw_status add_load(const sw_fem_problem *problem, load_kind kind, const sw_fem_set *set,
                          const double value[3], double *force)
{
    switch (kind) {
    case PRESSURE:
        return sw_fem_add_pressure(problem, set, value[0], force);
    case TRACTION:
        return sw_fem_add_traction(problem, set, value, force);
    case BODY_FORCE:
        return sw_fem_add_body_force(problem, set, value, force);
    default:
        return set->kind == SW_FEM_SURFACE ? sw_fem_add_surface_force(problem, set, value, force)
                                           : sw_fem_add_total_force(problem, set, value, force);
    }
}

/* Reads an entry; its force at factor 1 into force [N c], which comes zeroed. */
static sw_status read_load(sw_fem_job *job, unsigned index, double *force)
{
    const sw_fem_job_load *from = &job->loads[index];
    sw_fem_entry *entry = &job->loaded[index];
    const struct kind *kind;
    const sw_fem_set *set;
    char prefix[SW_FEM_KEY];
    const int c = unknowns_of(job);
    double value[3] = {0};
    snprintf(prefix, sizeof prefix, "loads[%u].", index);
    SW_TRY(choose_kind(job, index, &kind));
    SW_TRY(find_target(job, prefix, (const char *[]){from->nodes, from->surface, from->elements}, kind->on,
                       kind->key, entry, &set));
    snprintf(entry->label + strlen(entry->label), sizeof entry->label - strlen(entry->label), " %s",
             kind->key);
    SW_TRY(read_value(job, prefix, kind, from, value));
    SW_TRY(follow_steps(job, prefix, from->factors, from->factors_count, entry));
    const sw_status status = add_load(&job->problem, kind->kind, set, value, force);
    if (status == SW_ERR_RANGE) {
        snprintf(prefix, sizeof prefix, "loads[%u].%s", index, kind->key);
        return sw_fem_job_error(job, prefix, ": %s", sw_error_message());
    }
    SW_TRY(status);
    for (int64_t i = 0; i < job->mesh->n_nodes * c; i++) {
        if (!isfinite(force[i])) {
            snprintf(prefix, sizeof prefix, "loads[%u].%s", index, kind->key);
            return sw_fem_job_error(job, prefix, ": makes a force that is not finite");
        }
        entry->total[i % c] += force[i];
    }
    return SW_OK;
}

/* ---- Cases ---- */

/* The first entry of a case. */
typedef struct {
    const sw_fem_entry *entry;
} representative;

/* The case with an entry's factors; a new one when there is none yet. Room is there. */
static int case_of(sw_fem_job *job, const sw_fem_entry *entry, representative *first)
{
    const size_t size = (size_t)step_count(job) * sizeof *entry->of_step;
    int i = 0;
    while (i < job->problem.n_cases && memcmp(first[i].entry->of_step, entry->of_step, size) != 0)
        i++;
    if (i == job->problem.n_cases) {
        first[i].entry = entry;
        job->problem.n_cases++;
    }
    return i;
}

static sw_status add_force(sw_fem_job *job, sw_fem_case *to, const double *force)
{
    const int64_t n = job->mesh->n_nodes * unknowns_of(job);
    if (to->force == NULL)
        SW_TRY(SW_ALLOCATE(to->force, n, "loads"));
    for (int64_t i = 0; i < n; i++)
        to->force[i] += force[i];
    return SW_OK;
}

/* Which entry prescribes unknown `dof`, from 1; 0: none. What another one has to say of it must be the same.
 */
static sw_status claim(const sw_fem_job *job, int64_t dof, unsigned index, int32_t *owner)
{
    const int c = unknowns_of(job), component = (int)(dof % c);
    const sw_fem_entry *entry = &job->fixed[index];
    if (owner[dof] == 0) {
        owner[dof] = (int32_t)index + 1;
        return SW_OK;
    }
    const sw_fem_entry *other = &job->fixed[owner[dof] - 1];
    if (entry->at[component] == other->at[component] &&
        (entry->at[component] == 0 || entry->load_case == other->load_case))
        return SW_OK;
    char key[SW_FEM_KEY];
    const int64_t node = dof / c;
    const double *at = job->mesh->position + node * dimension_of(job);
    snprintf(key, sizeof key, "boundary[%u].%s", index, is_heat(job) ? "temperature" : values[component]);
    const int64_t *label = job->mesh->node_label;
    char place[64];
    snprintf(place, sizeof place, dimension_of(job) == 3 ? "(%g, %g, %g)" : "(%g, %g)", at[0], at[1],
             dimension_of(job) == 3 ? at[2] : 0);
    return sw_fem_job_error(job, key, " = %.15g: node %lld at %s has %.15g from boundary[%d]: need one",
                            entry->at[component], (long long)(label != NULL ? label[node] : node + 1), place,
                            other->at[component], owner[dof] - 1);
}

/* The case a prescribed value belongs to: of zeros, any. */
static int case_of_value(const sw_fem_entry *entry, int component)
{
    return entry->at[component] == 0 ? 0 : entry->load_case;
}

static sw_status make_fixed(sw_fem_job *job, int32_t *owner)
{
    const int c = unknowns_of(job);
    const int64_t n = job->mesh->n_nodes * c;
    for (unsigned b = 0; b < job->boundary_count; b++)
        for (int64_t k = 0; k < job->fixed[b].n_nodes; k++)
            for (int i = 0; i < c; i++)
                if (job->fixed[b].fixes[i])
                    SW_TRY(claim(job, (int64_t)job->fixed[b].node[k] * c + i, b, owner));
    for (int64_t dof = 0; dof < n; dof++)
        if (owner[dof] > 0)
            job->load_case[case_of_value(&job->fixed[owner[dof] - 1], (int)(dof % c))].n_fixed++;
    for (int l = 0; l < job->problem.n_cases; l++) {
        sw_fem_case *to = &job->load_case[l];
        SW_TRY(SW_ALLOCATE(to->dof, to->n_fixed, "boundary"));
        SW_TRY(SW_ALLOCATE(to->value, to->n_fixed, "boundary"));
        to->n_fixed = 0;
    }
    for (int64_t dof = 0; dof < n; dof++)
        if (owner[dof] > 0) {
            const sw_fem_entry *entry = &job->fixed[owner[dof] - 1];
            sw_fem_case *to = &job->load_case[case_of_value(entry, (int)(dof % c))];
            to->dof[to->n_fixed] = dof;
            to->value[to->n_fixed++] = entry->at[dof % c];
        }
    return SW_OK;
}

static sw_status make_cases(sw_fem_job *job, representative *first, double *force, int32_t *owner)
{
    const int64_t n = job->mesh->n_nodes * unknowns_of(job);
    for (unsigned b = 0; b < job->boundary_count; b++) {
        SW_TRY(read_boundary(job, b));
        if (moves(&job->fixed[b]))
            job->fixed[b].load_case = case_of(job, &job->fixed[b], first);
    }
    for (unsigned m = 0; m < job->loads_count; m++) {
        memset(force, 0, (size_t)n * sizeof *force);
        SW_TRY(read_load(job, m, force));
        job->loaded[m].load_case = case_of(job, &job->loaded[m], first);
        SW_TRY(add_force(job, &job->load_case[job->loaded[m].load_case], force));
    }
    if (job->problem.n_cases == 0)
        return sw_fem_job_error(job, "loads",
                                ": nothing is loaded: need loads, or a boundary value that is not 0");
    SW_TRY(make_fixed(job, owner));
    SW_TRY(SW_ALLOCATE(job->factor, job->n_increments * job->problem.n_cases, "factors"));
    for (int64_t i = 0; i < job->n_increments; i++)
        for (int l = 0; l < job->problem.n_cases; l++)
            job->factor[i * job->problem.n_cases + l] = first[l].entry->factor[i];
    job->problem.load = job->load_case;
    return SW_OK;
}

/* ---- Identity ---- */

/* Fowler, Noll and Vo's FNV-1a, by words of 8 bytes. */
static uint64_t hash(uint64_t h, const void *data, size_t size)
{
    const char *bytes = data;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        h = (h ^ word) * UINT64_C(1099511628211);
        h ^= h >> 29; /* high bits reach low ones, too */
    }
    return h;
}

static uint64_t hash_entries(uint64_t h, const sw_fem_entry *entry, unsigned count)
{
    h = hash(h, &count, sizeof count);
    for (const sw_fem_entry *e = entry; e < entry + count; e++) {
        h = hash(h, e->label, strlen(e->label));
        h = hash(h, e->node, (size_t)e->n_nodes * sizeof *e->node);
        h = hash(h, e->fixes, sizeof e->fixes);
        h = hash(h, e->at, sizeof e->at);
        h = hash(h, e->total, sizeof e->total);
    }
    return h;
}

/* Of all that a state depends on but the steps, so that a run can go on with other ones. */
static void identify(sw_fem_job *job)
{
    const sw_fem_mesh *mesh = job->mesh;
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    const double kind[3] = {(double)job->problem.kinematics, job->problem.b_bar, job->problem.thickness};
    uint64_t h = hash(UINT64_C(14695981039346656037), kind, sizeof kind);
    h = hash(h, mesh->position, (size_t)(mesh->n_nodes * shape->dimension) * sizeof *mesh->position);
    h = hash(h, mesh->node, (size_t)(mesh->n_elements * shape->n_nodes) * sizeof *mesh->node);
    h = hash(h, job->material_of, (size_t)mesh->n_elements);
    for (unsigned i = 0; i < job->materials_count; i++) {
        const sw_fem_material *m = &job->material[i];
        const double number[] = {m->young,   m->poisson,    m->yield_stress, (double)m->hardening,
                                 m->modulus, m->saturation, m->rate,         m->n_rows};
        h = hash(h, number, sizeof number);
        h = hash(h, m->row, (size_t)m->n_rows * sizeof *m->row);
    }
    h = hash_entries(h, job->fixed, job->boundary_count);
    h = hash_entries(h, job->loaded, job->loads_count);
    snprintf(job->identity, sizeof job->identity, "%016llx", (unsigned long long)h);
}

sw_status sw_fem_make_loads(sw_fem_job *job)
{
    const int64_t n = job->mesh->n_nodes * unknowns_of(job), entries = job->boundary_count + job->loads_count;
    representative *first = NULL;
    double *force = NULL;
    int32_t *owner = NULL;
    sw_status status;
    SW_TRY(check_steps(job));
    SW_TRY(SW_ALLOCATE(job->fixed, job->boundary_count, "boundary"));
    SW_TRY(SW_ALLOCATE(job->loaded, job->loads_count, "loads"));
    SW_TRY(SW_ALLOCATE(job->load_case, entries, "load cases"));
    SW_TRY_GOTO(status, SW_ALLOCATE(first, entries, "load cases"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(force, n, "loads"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(owner, n, "boundary"), end);
    SW_TRY_GOTO(status, make_cases(job, first, force, owner), end);
    identify(job);
end:
    free(first);
    free(force);
    free(owner);
    return status;
}
