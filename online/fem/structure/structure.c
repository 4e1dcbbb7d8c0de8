#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/math/vector.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/files/text.h"
#include "common/job/command.h"

/* ---- Problems ---- */

static void free_step(sw_structure_step *step)
{
    for (int64_t i = 0; step->print != NULL && i < step->n_prints; i++) {
        free(step->print[i].set);
        free(step->print[i].member);
        free(step->print[i].face);
    }
    free(step->fixed);
    free(step->force);
    free(step->load);
    free(step->temperature);
    free(step->change);
    free(step->strain);
    free(step->contact_change);
    free(step->print);
}

void sw_structure_problem_free(sw_structure_problem *p)
{
    for (int i = 0; p->matter != NULL && i < p->n_matters; i++)
        sw_matter_free(&p->matter[i]);
    for (int i = 0; p->amplitude != NULL && i < p->n_amplitudes; i++)
        free(p->amplitude[i].row);
    for (int64_t i = 0; p->constraint != NULL && i < p->n_constraints; i++) {
        free(p->constraint[i].unknown);
        free(p->constraint[i].coefficient);
        free(p->constraint[i].data);
    }
    for (int i = 0; p->contact != NULL && i < p->n_contacts; i++)
        for (int side = 0; side < 2; side++) {
            free(p->contact[i].element[side]);
            free(p->contact[i].face[side]);
            free(p->contact[i].name[side]);
        }
    for (int i = 0; p->step != NULL && i < p->n_steps; i++)
        free_step(&p->step[i]);
    free(p->position);
    free(p->node_label);
    free(p->made_of);
    free(p->temperature);
    free(p->thickness);
    free(p->element);
    free(p->node);
    free(p->section);
    free(p->matter);
    free(p->amplitude);
    free(p->spring);
    free(p->constraint);
    free(p->contact);
    free(p->step);
    *p = (sw_structure_problem){0};
}

/* ---- Open ---- */

/* Stresses across a plane vanish by the strain across alone where the material's axes are in it and across it. */
static int is_in_plane(const sw_structure_section *section)
{
    int across = !section->turned;
    for (int k = 0; k < 3; k++)
        across |= fabs(section->axes[k][2]) >= 1 - 1e-9;
    return across;
}

static sw_status check(const sw_structure_problem *p)
{
    for (int64_t e = 0; e < p->n_elements; e++) {
        const sw_structure_element *element = &p->element[e];
        if (element->section < 0 || p->section[element->section].matter < 0)
            return sw_error(SW_ERR_INPUT, "%s: element %lld (%s) has no section, and so no material", p->path,
                            (long long)element->label, element->formulation->name);
        if (element->formulation->kinematics == SW_FEM_PLANE_STRESS &&
            !is_in_plane(&p->section[element->section]))
            return sw_error(
                SW_ERR_INPUT,
                "%s: element %lld (%s) has a material whose axes leave the plane: need one of them across it",
                p->path, (long long)element->label, element->formulation->name);
    }
    return SW_OK;
}

/* Surfaces that touch are in the matrix. */
static sw_status check_contact(const sw_structure_problem *p, const sw_structure_options *options)
{
    if (p->n_contacts == 0 || options->preconditioner != SW_STRUCTURE_BLOCK_JACOBI)
        return SW_OK;
    return sw_error(SW_ERR_INPUT,
                    "%s:%lld: contact is computed by sparse factors or with algebraic multigrid: need "
                    "preconditioner amg",
                    p->path, (long long)p->contact[0].line);
}

/* size: room for an element's numbers when it has a section. */
static void make_room(sw_structure *s, int64_t e, int32_t section, int64_t *size)
{
    const sw_structure_problem *p = s->problem;
    const sw_matter *matter = &p->matter[p->section[section].matter];
    const int64_t wanted = sw_formulation_state_size(p->element[e].formulation, matter);
    *size = wanted > *size ? wanted : *size;
    s->symmetric &= sw_matter_symmetric(matter);
}

static sw_status place_states(sw_structure *s)
{
    const sw_structure_problem *p = s->problem;
    SW_TRY(SW_ALLOCATE(s->state_at, p->n_elements + 1, "places of states"));
    SW_TRY(SW_ALLOCATE(s->section, p->n_elements + 1, "sections of elements"));
    SW_TRY(SW_ALLOCATE(s->removed, p->n_elements + 1, "elements"));
    SW_TRY(SW_ALLOCATE(s->point_at, p->n_elements + 1, "places of points"));
    for (int64_t e = 0; e < p->n_elements; e++) {
        s->section[e] = p->element[e].section;
        make_room(s, e, s->section[e], &s->state_at[e + 1]);
        s->point_at[e + 1] = s->point_at[e] + p->element[e].formulation->rule->n;
    }
    for (int k = 0; k < p->n_steps; k++)
        for (int64_t i = 0; i < p->step[k].n_changes; i++) {
            const sw_structure_change *change = &p->step[k].change[i];
            if (change->kind == SW_STRUCTURE_SECTION)
                make_room(s, change->element, change->section, &s->state_at[change->element + 1]);
        }
    for (int64_t e = 0; e < p->n_elements; e++)
        s->state_at[e + 1] += s->state_at[e];
    SW_TRY(SW_ALLOCATE(s->state, s->state_at[p->n_elements], "states of points"));
    return SW_ALLOCATE(s->trial_state, s->state_at[p->n_elements], "states of points");
}

static sw_status mark_nodes(sw_structure *s)
{
    const sw_structure_problem *p = s->problem;
    int64_t unknown[SW_FORMULATION_UNKNOWNS];
    SW_TRY(SW_ALLOCATE(s->of_elements, p->n_nodes, "nodes"));
    for (int64_t e = 0; e < p->n_elements + p->n_springs; e++) {
        const int n = sw_structure_unknowns_of(p, e, unknown);
        for (int i = 0; i < n; i++)
            if (unknown[i] >= 0)
                s->of_elements[unknown[i] / 3] = 1;
    }
    return SW_OK;
}

static sw_status make_vectors(sw_structure *s)
{
    const sw_structure_problem *p = s->problem;
    const int64_t n = 3 * p->n_nodes;
    double **const vector[] = {&s->begin,        &s->u,        &s->trial, &s->du,  &s->internal,
                               &s->external,     &s->residual, &s->known, &s->dq,  &s->moment.goal,
                               &s->moment.force, &s->outside,  &s->way,   &s->last};
    int64_t loads = 0;
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        SW_TRY(SW_ALLOCATE(*vector[i], n, "unknowns"));
    SW_TRY(SW_ALLOCATE(s->temperature, p->n_nodes, "temperatures"));
    SW_TRY(SW_ALLOCATE(s->moment.temperature, p->n_nodes, "temperatures"));
    if (p->n_nodes > 0)
        memcpy(s->temperature, p->temperature, (size_t)p->n_nodes * sizeof(double));
    for (int k = 0; k < p->n_steps; k++)
        loads = p->step[k].n_loads > loads ? p->step[k].n_loads : loads;
    SW_TRY(SW_ALLOCATE(s->moment.magnitude, loads, "loads"));
    SW_TRY(SW_ALLOCATE(s->load_of, loads, "loads"));
    return SW_ALLOCATE(s->load_first, p->n_elements + 2, "loads");
}

/* ---- Surfaces that touch ---- */

/* Pressure over a displacement of a whole face along its normal, all other nodes being held. */
static sw_status stiffness_below(sw_structure *s, int64_t e, int face, double *stiffness)
{
    static const sw_structure_step at_rest = {.line = 0};
    const sw_structure_element *of = &s->problem->element[e];
    const sw_topology *topology = of->formulation->topology, *t = topology->face_topology[face];
    const int c = sw_formulation_components(of->formulation), n = c * topology->n_nodes;
    double force[SW_FORMULATION_UNKNOWNS], push[SW_FORMULATION_UNKNOWNS] = {0}, *k, area = 0, sum = 0;
    sw_element element;
    const sw_structure_step *step = s->step;
    *stiffness = 0;
    SW_TRY(SW_ALLOCATE(k, SW_FORMULATION_UNKNOWNS * SW_FORMULATION_UNKNOWNS, "stiffness of an element"));
    s->step = &at_rest;
    sw_structure_element_at(s, e, &element);
    element.step = 0;
    s->step = step;
    sw_element_answer answer = {.state = s->trial_state + s->state_at[e], .force = force, .stiffness = k};
    memset(force, 0, sizeof force);
    sw_status status = of->formulation->evaluate(&element, &answer);
    memset(force, 0, sizeof force);
    sw_element_press(&element, face, 1, 0, force, NULL); /* area vectors of nodes, inwards */
    double total[3] = {0};
    for (int i = 0; i < n; i++)
        total[i % c] -= force[i];
    for (int i = 0; i < c; i++)
        area += total[i] * total[i];
    area = sqrt(area);
    for (int a = 0; a < t->n_nodes; a++)
        for (int i = 0; i < c; i++)
            push[c * topology->face[face][a] + i] = total[i] / area;
    for (int i = 0; i < n && status == SW_OK; i++)
        for (int j = 0; j < n; j++)
            sum += push[i] * k[i * n + j] * push[j];
    *stiffness = sum > 0 && area > 0 ? sum / area : 0;
    free(k);
    return status;
}

#define FLAT \
    2 /* edges of a face over the way into the element below; shells and membranes have become solids */

static int is_flat(const sw_structure_problem *p, const sw_structure_element *element,
                   const sw_surface_face *face)
{
    const int n = face->topology->n_corners;
    double length = 0, depth = INFINITY;
    for (int a = 0; a < n; a++)
        length += sw_distance(p->position[face->node[a]], p->position[face->node[(a + 1) % n]]) / n;
    for (int b = 0; b < element->formulation->topology->n_corners; b++)
        for (int a = 0; a < n; a++) {
            const double far =
                sw_distance(p->position[face->node[a]], p->position[p->node[element->first + b]]);
            int is_own = 0;
            for (int c = 0; c < n; c++)
                is_own |= face->node[c] == p->node[element->first + b];
            depth = is_own ? depth : fmin(depth, far);
        }
    return length > FLAT * depth;
}

static sw_status place_face(sw_structure *s, const sw_structure_contact *of, int side, int64_t f,
                            sw_surface_face *to)
{
    const sw_structure_problem *p = s->problem;
    const sw_structure_element *element = &p->element[of->element[side][f]];
    const sw_topology *topology = element->formulation->topology;
    const int face = of->face[side][f];
    to->topology = topology->face_topology[face];
    to->thickness = p->section[element->section].thickness;
    for (int a = 0; a < to->topology->n_nodes; a++)
        to->node[a] = p->node[element->first + topology->face[face][a]];
    if (p->section[element->section].by_nodes) {
        to->thickness = 0;
        for (int a = 0; a < to->topology->n_nodes; a++)
            to->thickness += p->thickness[to->node[a]] / to->topology->n_nodes;
    }
    to->flat = is_flat(p, element, to);
    return stiffness_below(s, of->element[side][f], face, &to->stiffness);
}

static sw_status place_pair(sw_structure *s, int k)
{
    const sw_structure_contact *of = &s->problem->contact[k];
    sw_surface_pair *pair = &s->contacts->pair[k];
    *pair = (sw_surface_pair){.law = of->law, .small = of->small, .clearance = of->clearance};
    for (int side = 0; side < 2; side++) {
        SW_TRY(SW_ALLOCATE(pair->face[side], of->n_faces[side], "faces of surfaces"));
        pair->n_faces[side] = of->n_faces[side];
        for (int64_t f = 0; f < of->n_faces[side]; f++)
            SW_TRY(place_face(s, of, side, f, &pair->face[side][f]));
    }
    return SW_OK;
}

static int is_axisymmetric(const sw_structure *s)
{
    for (int64_t e = 0; e < s->problem->n_elements; e++)
        if (s->problem->element[e].formulation->kinematics == SW_FEM_AXISYMMETRIC)
            return 1;
    return 0;
}

static sw_status open_contacts(sw_structure *s)
{
    const sw_structure_problem *p = s->problem;
    struct sw_structure_contacts *c;
    if (p->n_contacts == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(c, 1, "contacts"));
    s->contacts = c;
    SW_TRY(SW_ALLOCATE(c->pair, p->n_contacts, "contacts"));
    SW_TRY(SW_ALLOCATE(c->touched, p->n_contacts, "contacts"));
    SW_TRY(SW_ALLOCATE(c->told, p->n_contacts, "contacts"));
    SW_TRY(SW_ALLOCATE(c->force, s->ties.n_unknowns, "unknowns"));
    SW_TRY(SW_ALLOCATE(c->before, s->ties.n_unknowns, "unknowns"));
    if (s->moment.temperature != NULL && s->temperature != NULL)
        memcpy(s->moment.temperature, s->temperature, (size_t)p->n_nodes * sizeof(double));
    for (c->n = 0; c->n < p->n_contacts; c->n++)
        SW_TRY(place_pair(s, c->n));
    return sw_surfaces_open(c->n, c->pair, p->n_nodes, (const double(*)[3])p->position,
                            sw_structure_dimension(s), is_axisymmetric(s), &c->surfaces);
}

static void close_contacts(sw_structure *s)
{
    struct sw_structure_contacts *c = s->contacts;
    if (c == NULL)
        return;
    sw_surfaces_close(c->surfaces);
    for (int k = 0; c->pair != NULL && k < s->problem->n_contacts; k++)
        for (int side = 0; side < 2; side++)
            free(c->pair[k].face[side]);
    free(c->pair);
    free(c->touched);
    free(c->told);
    free(c->force);
    free(c->before);
    free(c->answers);
    free(c->kept);
    free(c);
    s->contacts = NULL;
}

/* ---- An analysis ---- */

sw_status sw_structure_open(const sw_structure_problem *problem, const sw_structure_options *options,
                            sw_structure **structure)
{
    sw_structure *s;
    sw_status status;
    *structure = NULL;
    SW_TRY(check(problem));
    SW_TRY(sw_structure_check_linear(options));
    SW_TRY(check_contact(problem, options));
    SW_TRY(SW_ALLOCATE(s, 1, "analysis"));
    s->problem = problem;
    s->options = *options;
    s->symmetric = 1;
    SW_TRY_GOTO(status, sw_structure_ties_open(problem, &s->ties), end);
    SW_TRY_GOTO(status, place_states(s), end);
    SW_TRY_GOTO(status, mark_nodes(s), end);
    SW_TRY_GOTO(status, make_vectors(s), end);
    status = open_contacts(s);
end:
    if (status != SW_OK)
        sw_structure_close(s);
    else
        *structure = s;
    return status;
}

void sw_structure_close(sw_structure *s)
{
    if (s == NULL)
        return;
    double *const vector[] = {s->begin,        s->u,        s->trial, s->du,  s->internal,
                              s->external,     s->residual, s->known, s->dq,  s->moment.goal,
                              s->moment.force, s->outside,  s->way,   s->last};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        free(vector[i]);
    sw_structure_results_close(s);
    close_contacts(s);
    sw_structure_ties_close(&s->ties);
    sw_structure_system_close(&s->system);
    free(s->answers);
    free(s->resumed);
    free(s->keeper.path);
    sw_products_close(s->products);
    sw_structure_multigrid_close(s->multigrid);
    free(s->section);
    free(s->removed);
    free(s->point_at);
    sw_structure_loose_free(&s->loose);
    free(s->free_strain);
    free(s->state_at);
    free(s->state);
    free(s->trial_state);
    free(s->temperature);
    free(s->moment.temperature);
    free(s->moment.magnitude);
    free(s->of_elements);
    free(s->load_first);
    free(s->load_of);
    free(s);
}

void sw_structure_read(const sw_structure *s, double (*displacement)[3], double (*force)[3])
{
    const size_t size = (size_t)s->ties.n_unknowns * sizeof(double);
    if (displacement != NULL)
        memcpy(displacement, s->u, size);
    if (force != NULL)
        memcpy(force, s->internal, size);
}

/* ---- A whole run ---- */

static sw_status run_all(sw_structure *s)
{
    char name[SW_LINE];
    if (s->options.output != NULL) {
        SW_TRY(sw_parallel_agree(sw_parallel_rank() == 0 ? sw_structure_results_open(s) : SW_OK));
        SW_TRY(sw_parallel_agree(sw_structure_keeper_open(s)));
    }
    for (int k = s->place.step; k < s->problem->n_steps; k++)
        SW_TRY(sw_structure_advance(s, k));
    sw_structure_contacts_end(s);
    sw_phase("results");
    if (s->results == NULL)
        return SW_OK;
    SW_TRY(sw_structure_results_write(s));
    fprintf(sw_said(), "%s: %d step%s, %lld increments, %lld iterations\n", sw_plain(s->options.output, name),
            s->problem->n_steps, s->problem->n_steps == 1 ? "" : "s", (long long)s->increments,
            (long long)s->iterations);
    return SW_OK;
}

sw_status sw_structure_run(const sw_structure_problem *problem, const sw_structure_options *options)
{
    sw_structure *s;
    sw_phase("opening");
    SW_TRY(sw_structure_open(problem, options, &s));
    sw_status status = sw_structure_keeper_end(s, sw_parallel_agree(run_all(s)));
    status = sw_parallel_agree(status); /* nobody ends, and all with him, while the first still writes */
    sw_structure_close(s);
    return status;
}
