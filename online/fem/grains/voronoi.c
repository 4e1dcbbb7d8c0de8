#include <math.h>

#include "common/math/random.h"
#include "common/system/threads.h"
#include "grains.h"
#include "online/fem/mesh/mesh.h"

enum { DISTANCE_NS = 1 };

void sw_fem_grain_seeds(const sw_fem_mesh *mesh, uint64_t seed, int64_t n_grains, double (*place)[3])
{
    const sw_fem_lattice *l = mesh->lattice;
    for (int64_t g = 0; g < n_grains; g++) {
        double u[4];
        sw_random_uniform4(seed, (uint64_t)g, 0, u);
        for (int j = 0; j < 3; j++)
            place[g][j] = l->n[j] > 0 ? l->origin[j] + u[j] * l->size[j] * l->n[j] : 0;
    }
}

/* Of the seed nearest to `at`; size: of the body where it is periodic, else infinite. */
static __attribute__((noinline)) int32_t nearest(const double at[3], const double size[3], int64_t n_grains,
                                                 const double (*place)[3])
{
    double least = INFINITY;
    int32_t best = 0;
    for (int64_t g = 0; g < n_grains; g++) {
        double square = 0;
        for (int j = 0; j < 3; j++) {
            const double away = fabs(at[j] - place[g][j]), around = fabs(size[j] - away);
            square += away < around ? away * away : around * around;
        }
        if (square < least) {
            least = square;
            best = (int32_t)g;
        }
    }
    return best;
}

static void centre_of(const sw_fem_mesh *mesh, int64_t e, double at[3])
{
    const int d = sw_fem_shapes[mesh->shape].dimension, V = sw_fem_shapes[mesh->shape].n_nodes;
    for (int j = 0; j < 3; j++) {
        at[j] = 0;
        for (int a = 0; a < V && j < d; a++)
            at[j] += mesh->position[(int64_t)mesh->node[e * V + a] * d + j] / V;
    }
}

void sw_fem_grain_voronoi(const sw_fem_mesh *mesh, int periodic, int64_t n_grains, const double (*place)[3],
                          int32_t *grain)
{
    const sw_fem_lattice *l = mesh->lattice;
    double size[3];
    for (int j = 0; j < 3; j++)
        size[j] = periodic && l->n[j] > 0 ? l->size[j] * l->n[j] : INFINITY;
#pragma omp parallel for schedule(static) \
    num_threads(sw_threads_for(mesh->n_elements, (double)(DISTANCE_NS * n_grains)))
    for (int64_t e = 0; e < mesh->n_elements; e++) {
        double at[3];
        centre_of(mesh, e, at);
        grain[e] = nearest(at, size, n_grains, place);
    }
}
