/* Clumps of one shape in place of the spheres of a packing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/random.h"
#include "input.h"

static double reach_of(const sw_dem_job *job)
{
    double reach = 0;
    for (int e = 0; e < job->packing.clump_count; e++) {
        const double *s = job->packing.clump[e];
        reach = fmax(reach, sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + s[3]);
    }
    return reach;
}

sw_status sw_dem_check_clump(const sw_dem_job *job)
{
    char key[SW_KEY_SIZE];
    for (int e = 0; e < job->packing.clump_count; e++)
        if (!(job->packing.clump[e][3] > 0 && reach_of(job) <= 1e3))
            return sw_job_error(
                job->source, sw_key_path(key, "packing.clump[%d]", e),
                ": radius %.15g: need x y z radius, over the size that radii give: a radius above 0, all at "
                "most 1000",
                job->packing.clump[e][3]);
    return SW_OK;
}

/* Rotation by a unit quaternion that is uniform over all: Shoemake 1992. */
static void random_rotation(uint64_t seed, int64_t i, double r[3][3])
{
    const double two_pi = 6.28318530717958647693;
    double u[4];
    sw_random_uniform4(seed + (UINT64_C(1) << 62), (uint64_t)i, 0, u);
    const double a = sqrt(1 - u[0]), b = sqrt(u[0]), w = b * cos(two_pi * u[2]), x = a * sin(two_pi * u[1]),
                 y = a * cos(two_pi * u[1]), z = b * sin(two_pi * u[2]);
    const double own[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                              {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                              {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, own, sizeof own);
}

static sw_status allocate(const sw_dem_packing *of, int64_t n, sw_dem_packing *clumps)
{
    *clumps = (sw_dem_packing){.n_particles = n};
    SW_TRY(SW_ALLOCATE(clumps->position, n, "clumps"));
    SW_TRY(SW_ALLOCATE(clumps->radius, n, "clumps"));
    SW_TRY(SW_ALLOCATE(clumps->clump, n, "clumps"));
    if (of->material != NULL)
        SW_TRY(SW_ALLOCATE(clumps->material, n, "clumps"));
    return SW_OK;
}

sw_status sw_dem_make_clump_packing(const sw_dem_job *job, uint64_t seed, sw_dem_packing *packing)
{
    const int each = job->packing.clump_count;
    const double reach =
        reach_of(job); /* spheres around clumps do not touch when all lengths but theirs grow by it */
    sw_dem_packing clumps;
    if (each == 0)
        return SW_OK;
    const sw_status status = allocate(packing, packing->n_particles * each, &clumps);
    if (status != SW_OK) {
        sw_dem_packing_free(&clumps);
        return status;
    }
    for (int k = 0; k < 9; k++)
        clumps.cell[k / 3][k % 3] = reach * packing->cell[k / 3][k % 3];
    for (int64_t c = 0; c < packing->n_particles; c++) {
        double r[3][3];
        random_rotation(seed, c, r);
        for (int e = 0; e < each; e++) {
            const int64_t i = c * each + e;
            const double *s = job->packing.clump[e], size = packing->radius[c];
            for (int k = 0; k < 3; k++)
                clumps.position[i][k] = reach * packing->position[c][k] +
                                        size * (r[k][0] * s[0] + r[k][1] * s[1] + r[k][2] * s[2]);
            clumps.radius[i] = size * s[3];
            clumps.clump[i] = (int32_t)c;
            if (packing->material != NULL)
                clumps.material[i] = packing->material[c];
        }
    }
    sw_dem_packing_free(packing);
    *packing = clumps;
    return SW_OK;
}
