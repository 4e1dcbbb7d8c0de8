/* Fields of an analysis' present state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/threads.h"
#include "online/fem/contact/contact.h"
#include "online/fem/crystal/crystals.h"
#include "online/fem/element/measure.h"
#include "online/fem/periodic/periodic.h"

/* What the results of an element are made from. */
static sw_fem_view view_of(const sw_fem_problem *p)
{
    return (sw_fem_view){.kinematics = p->kinematics,
                         .measure = sw_fem_measure_of(p),
                         .b_bar = sw_fem_has_b_bar(p),
                         .thickness = p->thickness,
                         .n_nodes = p->mesh->n_nodes,
                         .n_elements = p->mesh->n_elements,
                         .position = p->mesh->position,
                         .node = p->mesh->node};
}

/* Mean over the points of their values [Q][6]. */
static void mean_of(int Q, const double *volume, const double (*value)[6], double mean[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        mean[i] = 0;
    for (int q = 0; q < Q; q++) {
        for (int i = 0; i < 6; i++)
            mean[i] += volume[q] * value[q][i];
        sum += volume[q];
    }
    for (int i = 0; i < 6; i++)
        mean[i] /= sum;
}

/* An entry's share of the fields. */
static void add_entry(const sw_fem_contact_view *view, int64_t i, const double *u,
                      const sw_fem_contact_point *state, const sw_fem_fields *out)
{
    const sw_fem_tool *tool = &view->tool[view->tool_of[i]];
    const int d = sw_fem_dimension(view->kinematics);
    const int64_t node = view->node[i];
    double x[3] = {0};
    sw_fem_tool_place at;
    for (int j = 0; j < d; j++)
        x[j] = view->position[node * d + j] + u[node * d + j] - tool->point[j] -
               u[(view->n_nodes + view->tool_of[i]) * d + j];
    sw_fem_tool_find(tool, x, &at);
    const double area = state->touches > 0 ? sw_fem_contact_area(view, i, u, at.normal) : 0;
    const double over = area > 0 ? 1 / area : 0;
    if (out->contact_pressure)
        out->contact_pressure[node] += state->normal * over;
    for (int j = 0; j < 3 && out->contact_friction; j++)
        out->contact_friction[node][j] += state->friction[j] * over;
    if (out->slip)
        out->slip[node] += state->slip;
    if (!out->contact)
        return;
    sw_fem_contact_sums *sums = &out->contact[view->tool_of[i]];
    sums->touching += state->touches;
    sums->area += area;
    sums->pressure = fmax(sums->pressure, state->normal * over);
    sums->held += state->held;
    sums->gap = fmin(sums->gap, at.gap);
    if (view->slack[i] > 0)
        sums->sunk = fmax(sums->sunk, -at.gap * SW_FEM_SLACK / view->slack[i]);
}

void sw_fem_read_contact(const sw_fem_contact_view *view, const double *u, const sw_fem_contact_point *state,
                         const sw_fem_fields *out)
{
    const size_t N = (size_t)view->n_nodes;
    if (out->contact_pressure)
        memset(out->contact_pressure, 0, N * sizeof *out->contact_pressure);
    if (out->contact_friction)
        memset(out->contact_friction, 0, N * sizeof *out->contact_friction);
    if (out->slip)
        memset(out->slip, 0, N * sizeof *out->slip);
    if (out->contact)
        memset(out->contact, 0, (size_t)view->n_tools * sizeof *out->contact);
    for (int t = 0; out->contact && t < view->n_tools; t++)
        out->contact[t].gap = INFINITY;
    for (int64_t i = 0; i < view->n; i++)
        add_entry(view, i, u, &state[i], out);
}

static sw_status read_contact(sw_fem *fem, const double *u, const sw_fem_fields *out)
{
    const sw_fem_contact_view none = {.n_nodes = fem->n_nodes};
    if (fem->contact && !fem->parts)
        SW_TRY(fem->backend->save(fem, NULL, NULL, fem->contact->state));
    if (!fem->parts) /* of parts rank 0 has all of it (whole.c) */
        sw_fem_read_contact(fem->contact ? &fem->contact->view : &none, u,
                            fem->contact ? fem->contact->state : NULL, out);
    return SW_OK;
}

static sw_status read_crystals(const sw_fem *fem, sw_fem_crystal_point *of)
{
    const sw_fem_crystals *c = fem->crystals;
    const int Q = fem->corners, numbers = (int)(sizeof *of / sizeof(double));
    sw_fem_crystal_point *points;
    memset(of, 0, (size_t)fem->n_elements * sizeof *of);
    if (!c)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(points, c->n_points, "points of crystals"));
    const sw_status status = sw_fem_crystals_save(c, points, NULL, NULL);
    for (int64_t e = 0; e < fem->n_elements && status == SW_OK; e++)
        for (int i = 0; i < Q * numbers && c->place[e] >= 0; i++)
            ((double *)&of[e])[i % numbers] += ((double *)&points[(int64_t)c->place[e] * Q])[i] / Q;
    free(points);
    return status;
}

/* ---- Elements ---- */

static int wants_elements(const sw_fem_fields *out)
{
    return out->stress || out->strain || out->von_mises || out->plastic_strain || out->plastic ||
           out->point_stress || out->point_strain || out->point_plastic_strain;
}

static double von_mises(const double s[6])
{
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* Those of element e, from the states [Q] of its points. */
static void fill_element(const sw_fem *fem, const sw_fem_view *view, int64_t e, const double *u,
                         const sw_fem_point *points, const uint8_t *yielded, const sw_fem_fields *out)
{
    const int Q = fem->corners;
    const sw_fem_problem *p = fem->problem;
    sw_fem_results_function *const results = sw_fem_measures[view->measure]->results[p->kinematics];
    double stress[8][6], whole[8][6], volume[8], mean[6], plastic_strain = 0, sum = 0;
    int count = 0;
    results(view, &p->material[p->material_of ? p->material_of[e] : 0], points, e, u, stress, whole, volume);
    mean_of(Q, volume, (const double(*)[6])stress, mean);
    for (int q = 0; q < Q; q++) {
        plastic_strain += volume[q] * points[q].equivalent;
        sum += volume[q];
        count += yielded[q];
        if (out->point_stress)
            memcpy(out->point_stress[e * Q + q], stress[q], sizeof stress[q]);
        if (out->point_strain)
            memcpy(out->point_strain[e * Q + q], whole[q], sizeof whole[q]);
        if (out->point_plastic_strain)
            out->point_plastic_strain[e * Q + q] = points[q].equivalent;
    }
    if (out->stress)
        memcpy(out->stress[e], mean, sizeof mean);
    if (out->strain)
        mean_of(Q, volume, (const double(*)[6])whole, out->strain[e]);
    if (out->von_mises)
        out->von_mises[e] = von_mises(mean);
    if (out->plastic_strain)
        out->plastic_strain[e] = plastic_strain / sum;
    if (out->plastic)
        out->plastic[e] = (uint8_t)count;
}

/* Whether the states of all points are those that they began with, zeros, which need not be brought from the device. */
static int is_at_rest(const sw_fem *fem, const sw_fem_view *view)
{
    return view->measure == SW_FEM_MEASURE_SMALL && !fem->flowed;
}

static sw_status read_elements(sw_fem *fem, const double *u, const sw_fem_fields *out)
{
    const int64_t E = fem->n_elements, Q = fem->corners;
    sw_fem_view view = view_of(fem->problem);
    sw_fem_point *points = NULL;
    uint8_t *yielded = NULL;
    sw_status status;
    if (!wants_elements(out))
        return SW_OK;
    if (view.measure == SW_FEM_MEASURE_MATTER)
        view.matter = fem->backend->view(fem)->matter;
    const int64_t each = is_at_rest(fem, &view) ? 0 : Q; /* of one for all elements, or of each */
    SW_TRY_GOTO(status, SW_ALLOCATE(points, each > 0 ? E * Q : Q, "states of points"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(yielded, each > 0 ? E * Q : Q, "states of points"), done);
    if (each > 0)
        SW_TRY_GOTO(status, fem->backend->save(fem, points, yielded, NULL), done);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(E, SW_FEM_STATE_NS))
    for (int64_t e = 0; e < E; e++)
        fill_element(fem, &view, e, u, points + e * each, yielded + e * each, out);
done:
    free(points);
    free(yielded);
    return status;
}

/* What is asked for and no more: of large bodies on the GPU the elements' take as long as an increment. */
sw_status sw_fem_read_part(sw_fem *fem, const sw_fem_fields *out)
{
    double *u, *own = NULL;
    sw_status status;
    if (out->factor)
        memcpy(out->factor, fem->factor, (size_t)fem->problem->n_cases * sizeof *out->factor);
    if (out->force)
        SW_TRY(fem->backend->download(fem, fem->internal, out->force));
    if (out->external) {
        SW_TRY(sw_fem_load_body(fem, fem->factor, fem->u));
        SW_TRY(fem->backend->download(fem, fem->external, out->external));
    }
    if (!out->displacement || (fem->parts && fem->periodic))
        SW_TRY(SW_ALLOCATE(own, fem->n_unknowns, "displacements"));
    u = own ? own : out->displacement;
    SW_TRY_GOTO(status, fem->backend->download(fem, fem->u, u), done);
    if (own && out->displacement) /* parts give what the solver has */
        memcpy(out->displacement, u, (size_t)fem->n_unknowns * sizeof *u);
    if (fem->periodic)
        sw_fem_periodic_displace(fem->periodic, u);
    if (fem->periodic && out->mean)
        SW_TRY_GOTO(status, sw_fem_periodic_mean(fem, out->mean), done);
    SW_TRY_GOTO(status, read_contact(fem, u, out), done);
    if (out->crystal)
        SW_TRY_GOTO(status, read_crystals(fem, out->crystal), done);
    status = read_elements(fem, u, out);
done:
    free(own);
    return status;
}
