/* The table of solver `tabulated`, on the host. */
#include "common/math/lanes_floats.h"

#include "tabulated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/database/table_lookup.h"
#include "common/math/rotation.h"
#include "common/math/six.h"
#include "common/system/threads.h"
#include "online/response/step/solver.h"

sw_status sw_tabulated_open(const sw_material *material, int64_t refinement, sw_tabulated **opened)
{
    const int fold = sw_material_lattice(material)->group->fold;
    const int64_t points = SW_TABULATED_POINTS * refinement,
                  turn[3] = {points, points, (points + fold - 1) / fold * fold};
    sw_tabulated *t;
    *opened = NULL;
    SW_TRY(SW_ALLOCATE(t, 1, "tabulated solver"));
    t->theta = NAN;
    sw_material equal = *material; /* of four coplanar resistances with one */
    if (sw_plane_law_of(material, NULL))
        sw_slip_planes_of(material, &t->planes);
    sw_material_equal_planes(&equal);
    sw_status status = sw_slip_prepare("tabulated", &equal, &t->model.slip); /* whose bounds it names */
    if (status == SW_OK)
        status = sw_rigid_plastic_prepare(&equal, &t->model);
    if (status == SW_OK)
        status = sw_response_table_make(turn, fold, refinement, &t->table);
    if (status != SW_OK) {
        sw_tabulated_close(t);
        return status;
    }
    *opened = t;
    return SW_OK;
}

void sw_tabulated_close(sw_tabulated *tabulated)
{
    if (tabulated != NULL)
        sw_response_table_destroy(&tabulated->table);
    free(tabulated);
}

/* How planes share slip in an entry whose nine outputs are known: by the slip law, from its stress along the crystal's axes. */
static void share_slip(const sw_slip_planes *planes, const double euler[3], float *entry)
{
    const double s[6] = {entry[0], entry[1], -(double)entry[0] - (double)entry[1],
                         entry[4], entry[3], entry[2]};
    double g[3][3], own[6] = {0}, shared[SW_PLANE_OUTPUTS];
    sw_rotation_from_euler(euler, g);
    for (int k = 0; k < 6; k++) {
        const int a = sw_six_row(k), b = sw_six_column(k);
        for (int i = 0; i < 9; i++)
            own[k] += g[i / 3][a] * s[sw_six_of(i / 3, i % 3)] * g[i % 3][b];
    }
    sw_plane_outputs(planes, own, entry[SW_OUTPUTS - 1], euler[2], shared);
    for (int c = 0; c < SW_PLANE_OUTPUTS; c++)
        entry[SW_OUTPUTS + c] = (float)shared[c];
}

/* Entries `first` to first + n. Returns how many have no answer. */
static __attribute__((noinline)) int fill_bundle(sw_tabulated *t, const sw_real lambda[3], int64_t first,
                                                 int n)
{
    const sw_table_shape shape = sw_table_shape_of(t->table.turn, t->table.fold);
    const int64_t rows = shape.turn[1] / 4 + 1, columns = shape.period;
    sw_real euler[3], q[4], output[SW_OUTPUTS];
    for (int lane = 0; lane < SW_LANES; lane++) {
        const int64_t entry = first + (lane < n ? lane : n - 1),
                      at[3] = {entry / columns / rows, entry / columns % rows, entry % columns};
        for (int i = 0; i < 3; i++)
            euler[i][lane] = (float)(2 * SW_PI * (double)at[i] / shape.turn[i]);
    }
    sw_quaternion_from_euler(euler, q);
    const sw_mask good = sw_rigid_plastic(&t->model, t->model.slip.systems, lambda, q, output);
    for (int lane = 0; lane < n; lane++) {
        const double at[3] = {euler[0][lane], euler[1][lane], euler[2][lane]};
        for (int c = 0; c < SW_OUTPUTS; c++)
            t->table.value[first + lane][c] = output[c][lane];
        if (t->planes.systems > 0)
            share_slip(&t->planes, at, t->table.value[first + lane]);
    }
    return __builtin_popcount(sw_lanes_outside(good, n));
}

sw_status sw_tabulated_fill(sw_tabulated *t, double theta)
{
    const int64_t entries = sw_table_entries(sw_table_shape_of(t->table.turn, t->table.fold));
    sw_real lambda[3];
    int64_t failed = 0;
    if (t->theta == theta)
        return SW_OK;
    t->theta = NAN;
    sw_rigid_plastic_principal_values(sw_broadcast(theta / (2 * SW_PI)), lambda);
#pragma omp parallel for schedule(static) reduction(+ : failed) num_threads(sw_threads_for(entries, 100))
    for (int64_t first = 0; first < entries; first += SW_LANES)
        failed +=
            fill_bundle(t, lambda, first, entries - first < SW_LANES ? (int)(entries - first) : SW_LANES);
    if (failed > 0)
        return sw_error(SW_ERR_CONVERGENCE,
                        "solver = tabulated: the slip law has no answer at %lld of %lld orientations",
                        (long long)failed, (long long)entries);
    t->theta = theta;
    return SW_OK;
}

sw_status sw_tabulated_refuse_each(sw_response *response)
{
    return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: takes one strain rate for all crystals",
                    response->solver->traits.name);
}
