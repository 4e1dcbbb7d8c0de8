/* Fields of an analysis' present state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/threads.h"
#include "online/fem/element/gather.h"
#include "online/fem/law/point.h"

/* Strain, then stress from the accepted state, at the points of element e: stress [Q][6], volumes [Q]. */
static void element_stress(const sw_fem *fem, int64_t e, const double *u, const sw_fem_point *points,
                           double (*stress)[6], double *volume)
{
    const sw_fem_problem *p = fem->problem;
    const sw_fem_kinematics k = p->kinematics;
    const int d = fem->dimension, V = fem->corners;
    const sw_fem_material *material = &p->material[p->material_of ? p->material_of[e] : 0];
    const int32_t *node = p->mesh->node + e * V;
    double x[3][8] = {{0}}, h[3][8] = {{0}}, dilatation, total, mean = 0;
    sw_fem_gather(d, node, p->mesh->position, d, x);
    sw_fem_gather(d, node, u, fem->components, h);
    if (p->b_bar) {
        sw_fem_dilatation(k, (const double(*)[8])x, (const double(*)[8])h, p->thickness, &dilatation, &total);
        mean = dilatation / total;
    }
    for (int q = 0; q < V; q++) {
        sw_fem_place place = {.volume = 0};
        double strain[6] = {0};
        sw_fem_locate(k, q, (const double(*)[8])x, p->thickness, &place);
        volume[q] = place.volume;
        sw_fem_strain(k, q, &place, (const double(*)[8])h, strain);
        if (p->b_bar)
            sw_fem_dilate(mean, strain);
        const sw_fem_point point = points[e * V + q];
        sw_fem_stress_at(k, material, strain, &point, stress[q], NULL, NULL);
    }
}

sw_status sw_fem_read(sw_fem *fem, const sw_fem_fields *out)
{
    const int Q = fem->corners;
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
        double stress[8][6], volume[8], mean[6] = {0}, strain = 0, sum = 0;
        int count = 0;
        element_stress(fem, e, u, points, stress, volume);
        for (int q = 0; q < Q; q++) {
            const double equivalent = points[e * Q + q].equivalent;
            for (int i = 0; i < 6; i++)
                mean[i] += volume[q] * stress[q][i];
            strain += volume[q] * equivalent;
            sum += volume[q];
            count += yielded[e * Q + q];
            if (out->point_stress)
                memcpy(out->point_stress[e * Q + q], stress[q], sizeof stress[q]);
            if (out->point_plastic_strain)
                out->point_plastic_strain[e * Q + q] = equivalent;
        }
        for (int i = 0; i < 6; i++)
            mean[i] /= sum;
        if (out->stress)
            memcpy(out->stress[e], mean, sizeof mean);
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
