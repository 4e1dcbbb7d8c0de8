#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
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
    for (int i = 0; p->step != NULL && i < p->n_steps; i++)
        free_step(&p->step[i]);
    free(p->position);
    free(p->node_label);
    free(p->temperature);
    free(p->thickness);
    free(p->element);
    free(p->node);
    free(p->section);
    free(p->matter);
    free(p->amplitude);
    free(p->spring);
    free(p->constraint);
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
    double **const vector[] = {&s->begin,    &s->u,           &s->trial,        &s->du,
                               &s->internal, &s->external,    &s->residual,     &s->known,
                               &s->dq,       &s->moment.goal, &s->moment.force, &s->outside};
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

sw_status sw_structure_open(const sw_structure_problem *problem, const sw_structure_options *options,
                            sw_structure **structure)
{
    sw_structure *s;
    sw_status status;
    *structure = NULL;
    SW_TRY(check(problem));
    SW_TRY(sw_structure_check_linear(options));
    SW_TRY(SW_ALLOCATE(s, 1, "analysis"));
    s->problem = problem;
    s->options = *options;
    s->symmetric = 1;
    SW_TRY_GOTO(status, sw_structure_ties_open(problem, &s->ties), end);
    SW_TRY_GOTO(status, place_states(s), end);
    SW_TRY_GOTO(status, mark_nodes(s), end);
    status = make_vectors(s);
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
    double *const vector[] = {s->begin,    s->u,     s->trial, s->du,          s->internal,     s->external,
                              s->residual, s->known, s->dq,    s->moment.goal, s->moment.force, s->outside};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        free(vector[i]);
    sw_structure_results_close(s);
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
        SW_TRY(sw_structure_results_open(s));
        SW_TRY(sw_structure_keeper_open(s));
    }
    for (int k = s->place.step; k < s->problem->n_steps; k++)
        SW_TRY(sw_structure_advance(s, k));
    if (s->options.output == NULL)
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
    SW_TRY(sw_structure_open(problem, options, &s));
    const sw_status status = sw_structure_keeper_end(s, run_all(s));
    sw_structure_close(s);
    return status;
}
