/* What elements, loads and springs do to the unknowns. Elements are asked in blocks, in parallel; what they answer is added
 * in their order, so that sums do not depend on threads. Of several processes each asks its own, and what they come to is added. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/system/threads.h"

enum { ELEMENT_NS = 20000 };

typedef struct {
    int n;
    int64_t unknown[SW_FORMULATION_UNKNOWNS];
    double internal[SW_FORMULATION_UNKNOWNS], external[SW_FORMULATION_UNKNOWNS];
    double stiffness[SW_FORMULATION_UNKNOWNS * SW_FORMULATION_UNKNOWNS];
    double energy[SW_STRUCTURE_SPRINGS];
    double tangent[SW_FORMULATION_POINTS][6][6]; /* instead, where products are by points */
    sw_status status;
    char why[400];
} answer;

/* ---- Elements ---- */

/* Where the thickness is that of nodes. */
static void thicken(const sw_structure_problem *p, const sw_structure_element *of, sw_element *element)
{
    const int n = of->formulation->topology->n_nodes;
    element->thickness = 0;
    for (int a = 0; a < n; a++) {
        element->thickness_of[a] = p->thickness[p->node[of->first + a]];
        element->thickness += element->thickness_of[a] / n;
    }
}

void sw_structure_element_at(const sw_structure *s, int64_t e, sw_element *element)
{
    const sw_structure_problem *p = s->problem;
    const sw_structure_element *of = &p->element[e];
    const sw_structure_section *section = &p->section[s->section[e]];
    element->formulation = of->formulation;
    element->matter = &p->matter[section->matter];
    for (int a = 0; a < of->formulation->topology->n_nodes; a++) {
        const int64_t n = p->node[of->first + a];
        for (int i = 0; i < 3; i++) {
            element->x[a][i] = p->position[n][i];
            element->u[a][i] = s->trial[3 * n + i];
            element->u_before[a][i] = s->u[3 * n + i];
        }
        element->temperature[a] = s->moment.temperature[n];
        element->temperature_before[a] = s->temperature[n];
        element->temperature_initial[a] = p->temperature[n];
    }
    element->thickness = section->thickness;
    element->by_nodes = section->by_nodes;
    if (section->by_nodes)
        thicken(p, of, element);
    element->axes = section->turned ? section->axes : NULL;
    element->finite = s->step->finite;
    element->time = s->moment.total_time;
    element->dt =
        s->step->visco || element->matter->umat != NULL ? s->moment.dt : 0; /* which do as they like */
    element->step_time = s->moment.time;
    element->step = (int)(s->step - p->step) + 1;
    element->increment = (int)s->increment;
    element->keeps_springs = s->keeps_springs;
    element->label = of->label;
    element->free_strain =
        s->free_strain != NULL ? (const double(*)[6])(s->free_strain + s->point_at[e]) : NULL;
    element->state = s->state + s->state_at[e];
}

/* Loads of the step on the element: forces, and their derivative taken from the stiffness. */
static sw_status load_element(const sw_structure *s, int64_t e, const sw_element *element, double *force,
                              double *stiffness)
{
    for (int64_t i = s->load_first[e]; i < s->load_first[e + 1]; i++) {
        const sw_structure_load *load = &s->step->load[s->load_of[i]];
        const double value = s->moment.magnitude[s->load_of[i]], density = element->matter->density;
        double vector[3];
        for (int k = 0; k < 3; k++)
            vector[k] = value * load->direction[k];
        switch (load->kind) {
        case SW_STRUCTURE_PRESSURE:
            sw_element_press(element, load->face, value, element->finite, force, stiffness);
            break;
        case SW_STRUCTURE_TRACTION:
            sw_element_pull(element, load->face, vector, force);
            break;
        case SW_STRUCTURE_GRAVITY:
            for (int k = 0; k < 3; k++)
                vector[k] *= density;
            SW_TRY(sw_element_weigh(element, vector, force));
            break;
        case SW_STRUCTURE_BODY_FORCE:
            SW_TRY(sw_element_weigh(element, vector, force));
            break;
        case SW_STRUCTURE_SPIN:
            SW_TRY(sw_element_spin(element, value * density, load->point, load->direction, element->finite,
                                   force, stiffness));
            break;
        }
    }
    return SW_OK;
}

void sw_structure_sum_energies(int n, const double *volume, const double (*work)[SW_WORKS],
                               double energy[SW_STRUCTURE_SPRINGS])
{
    for (int q = 0; q < n; q++) {
        const double *w = work[q];
        const double parts = w[SW_WORK_HEAT] + w[SW_WORK_PLASTIC] + w[SW_WORK_CREEP];
        energy[SW_STRUCTURE_ELASTIC] += volume[q] * (w[SW_WORK_ALL] - parts);
        energy[SW_STRUCTURE_PLASTIC] += volume[q] * w[SW_WORK_PLASTIC];
        energy[SW_STRUCTURE_CREEP] += volume[q] * w[SW_WORK_CREEP];
        energy[SW_STRUCTURE_HEAT] += volume[q] * w[SW_WORK_HEAT];
    }
}

static void make_symmetric(int n, double *k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            k[i * n + j] = k[j * n + i] = 0.5 * (k[i * n + j] + k[j * n + i]);
}

static void ask_element(sw_structure *s, int64_t e, int assemble, answer *a)
{
    sw_element element;
    const int by_points = assemble && s->products != NULL && sw_structure_by_points(s, e);
    double *const stiffness = assemble && !by_points ? a->stiffness : NULL;
    double volume[SW_FORMULATION_POINTS], work[SW_FORMULATION_POINTS][SW_WORKS];
    sw_structure_element_at(s, e, &element);
    sw_element_answer wanted = {.state = s->trial_state + s->state_at[e],
                                .force = a->internal,
                                .stiffness = stiffness,
                                .volume = volume,
                                .work = work,
                                .artificial = &a->energy[SW_STRUCTURE_ARTIFICIAL],
                                .tangent = by_points ? a->tangent : NULL};
    a->status = element.formulation->evaluate(&element, &wanted);
    if (a->status == SW_OK)
        sw_structure_sum_energies(element.formulation->rule->n, volume, (const double(*)[SW_WORKS])work,
                                  a->energy);
    if (a->status == SW_OK)
        a->status = load_element(s, e, &element, a->external, stiffness);
    if (a->status != SW_OK) {
        snprintf(a->why, sizeof a->why, "%s", sw_error_message());
        return;
    }
    if (stiffness != NULL && s->symmetric && !s->skew) /* pressures that follow are not */
        make_symmetric(a->n, a->stiffness);
}

static void ask(sw_structure *s, int64_t e, int assemble, answer *a)
{
    const int64_t n_elements = s->problem->n_elements;
    a->n = sw_structure_unknowns_of(s->problem, e, a->unknown);
    a->status = SW_OK;
    memset(a->internal, 0, sizeof a->internal);
    memset(a->external, 0, sizeof a->external);
    memset(a->energy, 0, sizeof a->energy);
    if (e < n_elements) {
        if (assemble)
            memset(a->stiffness, 0, (size_t)(a->n * a->n) * sizeof *a->stiffness);
        if (!s->removed[e])
            ask_element(s, e, assemble, a);
    } else {
        sw_structure_spring_at(s, e - n_elements, a->internal, a->stiffness);
    }
}

/* For products. */
static void keep_tangent(sw_structure *s, int64_t e, answer *a)
{
    if (e < s->problem->n_elements && s->removed[e])
        sw_products_set_nothing(s->products, e);
    else if (sw_structure_by_points(s, e))
        a->status = sw_products_set_points(s->products, e, (const double(*)[6][6])a->tangent);
    else
        sw_products_set_matrix(s->products, e, a->stiffness);
    if (a->status != SW_OK)
        snprintf(a->why, sizeof a->why, "%s", sw_error_message());
}

static sw_status refuse(const sw_structure *s, int64_t e, const answer *a)
{
    const sw_structure_element *element = &s->problem->element[e];
    const sw_structure_problem *p = s->problem;
    return sw_error(a->status, "%s: element %lld (%s): %s", p->path, (long long)element->label,
                    element->formulation->name, a->why);
}

static void add_forces(sw_structure *s, const answer *a, double *square)
{
    for (int k = 0; k < SW_STRUCTURE_SPRINGS; k++)
        s->trial_energy[k] += a->energy[k];
    for (int i = 0; i < a->n; i++) {
        const int64_t at = a->unknown[i];
        if (at < 0)
            continue;
        s->internal[at] += a->internal[i];
        s->external[at] += a->external[i];
        *square += a->internal[i] * a->internal[i];
    }
}

/* K g, where there is any g. */
static void add_known(sw_structure *s, const answer *a)
{
    double g[SW_FORMULATION_UNKNOWNS];
    int any = 0;
    for (int i = 0; i < a->n; i++) {
        g[i] = a->unknown[i] >= 0 ? s->ties.g[a->unknown[i]] : 0;
        any |= g[i] != 0;
    }
    for (int i = 0; i < a->n && any; i++)
        for (int j = 0; j < a->n && a->unknown[i] >= 0; j++)
            s->known[a->unknown[i]] += a->stiffness[i * a->n + j] * g[j];
}

static void add_rows(sw_structure *s, int64_t first, int n, const answer *a, sw_structure_team team)
{
    for (int i = 0; i < n; i++)
        if (a[i].n > 0)
            sw_structure_system_add(&s->ties, &s->system, first + i, a[i].n, a[i].unknown, a[i].stiffness,
                                    team);
}

/* ---- Of several processes ---- */

enum { TOGETHER = 32 }; /* items that one process asks, beside each other */

static int is_asked_here(int64_t item) { return item / TOGETHER % sw_parallel_size() == sw_parallel_rank(); }

static void pass(answer *a)
{
    a->n = 0;
    a->status = SW_OK;
    memset(a->energy, 0, sizeof a->energy);
}

/* What all have asked. */
static void add_answers(sw_structure *s, int assemble, double *square)
{
    double number[SW_STRUCTURE_SPRINGS + 1], any = 0;
    if (sw_parallel_size() == 1)
        return;
    memcpy(number, s->trial_energy, sizeof s->trial_energy);
    number[SW_STRUCTURE_SPRINGS] = *square;
    sw_parallel_sum_alike(number, SW_STRUCTURE_SPRINGS + 1);
    memcpy(s->trial_energy, number, sizeof s->trial_energy);
    *square = number[SW_STRUCTURE_SPRINGS];
    sw_parallel_sum_alike(s->internal, s->ties.n_unknowns);
    sw_parallel_sum_alike(s->external, s->ties.n_unknowns);
    if (!assemble)
        return;
    sw_phase("processes");
    for (int64_t i = 0; i < s->ties.n_unknowns; i++)
        any = fmax(any, fabs(s->ties.g[i]));
    if (any > 0)
        sw_parallel_sum_alike(s->known, s->ties.n_unknowns);
    sw_parallel_sum_alike(s->system.matrix.value, s->system.matrix.row[s->system.matrix.n]);
}

void sw_structure_share_states(sw_structure *s)
{
    if (sw_parallel_size() == 1)
        return;
    sw_phase("processes");
    for (int64_t e = 0; e < s->problem->n_elements; e++)
        if (!is_asked_here(e))
            memset(s->trial_state + s->state_at[e], 0,
                   (size_t)(s->state_at[e + 1] - s->state_at[e]) * sizeof(double));
    sw_parallel_sum_alike(s->trial_state, s->state_at[s->problem->n_elements]);
    sw_phase("Newton");
}

/* ---- All of them ---- */

static void ask_block(sw_structure *s, int64_t first, int n, int assemble, answer *a)
{
#pragma omp parallel num_threads(sw_threads_for(n, ELEMENT_NS))
    {
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < n; i++) {
            if (is_asked_here(first + i))
                ask(s, first + i, assemble, &a[i]);
            else
                pass(&a[i]);
            if (assemble && s->products != NULL && a[i].status == SW_OK)
                keep_tangent(s, first + i, &a[i]);
        }
        if (assemble && s->products == NULL)
            add_rows(s, first, n, a, (sw_structure_team){omp_get_thread_num(), omp_get_num_threads()});
    }
}

/* Megabytes, kept from one evaluation to the next. */
static sw_status room_for_answers(sw_structure *s)
{
    answer *all = s->answers;
    if (all == NULL)
        SW_TRY(SW_ALLOCATE(all, SW_STRUCTURE_BLOCK, "answers of elements"));
    s->answers = all;
    return SW_OK;
}

sw_status sw_structure_evaluate(sw_structure *s, int assemble, double *scale)
{
    const sw_structure_problem *p = s->problem;
    const int64_t all = p->n_elements + p->n_springs;
    double square = 0;
    sw_status status = SW_OK;
    sw_phase("contact");
    SW_TRY(sw_structure_contacts_find(s));
    sw_phase("elements");
    SW_TRY(room_for_answers(s));
    answer *const a = s->answers;
    memset(s->trial_energy, 0, sizeof s->trial_energy);
    memset(s->internal, 0, (size_t)s->ties.n_unknowns * sizeof(double));
    memset(s->known, 0, (size_t)s->ties.n_unknowns * sizeof(double));
    memset(s->external, 0, (size_t)s->ties.n_unknowns * sizeof(double));
    if (sw_parallel_rank() == 0)
        memcpy(s->external, s->moment.force, (size_t)s->ties.n_unknowns * sizeof(double));
    if (assemble && s->products == NULL)
        sw_structure_system_clear(&s->system);
    for (int64_t first = 0; first < all && status == SW_OK; first += SW_STRUCTURE_BLOCK) {
        const int n = (int)(all - first < SW_STRUCTURE_BLOCK ? all - first : SW_STRUCTURE_BLOCK);
        ask_block(s, first, n, assemble, a);
        for (int i = 0; i < n && status == SW_OK; i++) {
            status = a[i].status != SW_OK ? refuse(s, first + i, &a[i]) : SW_OK;
            add_forces(s, &a[i], &square);
            if (assemble && s->products == NULL)
                add_known(s, &a[i]);
        }
    }
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        add_answers(s, assemble, &square);
    sw_phase("contact");
    if (status == SW_OK)
        status = sw_structure_contacts_add(s, assemble, &square);
    sw_phase("Newton");
    *scale = sqrt(square);
    return status == SW_OK && assemble && s->products != NULL ? sw_structure_know_products(s) : status;
}
