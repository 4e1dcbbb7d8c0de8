/* Fields of an analysis' present state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/threads.h"
#include "online/fem/element/measure.h"

/* What the results of an element are made from. */
static sw_fem_view view_of(const sw_fem_problem *p)
{
    return (sw_fem_view){.kinematics = p->kinematics,
                         .strain = p->strain,
                         .b_bar = p->b_bar,
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

sw_status sw_fem_read(sw_fem *fem, const sw_fem_fields *out)
{
    const int Q = fem->corners;
    const sw_fem_problem *p = fem->problem;
    const sw_fem_view view = view_of(p);
    sw_fem_results_function *const results = sw_fem_measures[p->strain]->results[p->kinematics];
    double *u = NULL;
    sw_fem_point *points = NULL;
    uint8_t *yielded = NULL;
    sw_status status = SW_OK;
    if (out->factor)
        memcpy(out->factor, fem->factor, (size_t)fem->problem->n_cases * sizeof *out->factor);
    if (out->force)
        SW_TRY(fem->backend->download(fem, fem->internal, out->force));
    SW_TRY_GOTO(status, SW_ALLOCATE(u, fem->n_unknowns, "displacements"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(points, fem->n_elements * Q, "states of points"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(yielded, fem->n_elements * Q, "states of points"), done);
    SW_TRY_GOTO(status, fem->backend->download(fem, fem->u, u), done);
    SW_TRY_GOTO(status, fem->backend->save(fem, points, yielded), done);
    if (out->displacement)
        memcpy(out->displacement, u, (size_t)fem->n_unknowns * sizeof *u);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(fem->n_elements, SW_FEM_STATE_NS))
    for (int64_t e = 0; e < fem->n_elements; e++) {
        double stress[8][6], whole[8][6], volume[8], mean[6] = {0}, strain = 0, sum = 0;
        int count = 0;
        results(&view, &p->material[p->material_of ? p->material_of[e] : 0], points + e * Q, e, u, stress,
                whole, volume);
        for (int q = 0; q < Q; q++) {
            const double equivalent = points[e * Q + q].equivalent;
            for (int i = 0; i < 6; i++)
                mean[i] += volume[q] * stress[q][i];
            strain += volume[q] * equivalent;
            sum += volume[q];
            count += yielded[e * Q + q];
            if (out->point_stress)
                memcpy(out->point_stress[e * Q + q], stress[q], sizeof stress[q]);
            if (out->point_strain)
                memcpy(out->point_strain[e * Q + q], whole[q], sizeof whole[q]);
            if (out->point_plastic_strain)
                out->point_plastic_strain[e * Q + q] = equivalent;
        }
        for (int i = 0; i < 6; i++)
            mean[i] /= sum;
        if (out->stress)
            memcpy(out->stress[e], mean, sizeof mean);
        if (out->strain)
            mean_of(Q, volume, (const double(*)[6])whole, out->strain[e]);
        if (out->von_mises) {
            const double a = mean[0] - mean[1], b = mean[1] - mean[2], c = mean[2] - mean[0];
            out->von_mises[e] = sqrt(0.5 * (a * a + b * b + c * c) +
                                     3 * (mean[3] * mean[3] + mean[4] * mean[4] + mean[5] * mean[5]));
        }
        if (out->plastic_strain)
            out->plastic_strain[e] = strain / sum;
        if (out->plastic)
            out->plastic[e] = (uint8_t)count;
    }
done:
    free(u);
    free(points);
    free(yielded);
    return status;
}
