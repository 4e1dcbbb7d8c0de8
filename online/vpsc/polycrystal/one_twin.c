/* A twin of a grain: how its lattice lies, and how it counts in statistics. */
#include <math.h>
#include <string.h>

#include "twins.h"

static double shear_on(const sw_vpsc_grains_of *p, int64_t g, int a, const double stress[6])
{
    double m[6];
    sw_vpsc_schmid(p, g, a, m);
    return sw_vpsc_contract(m, stress);
}

int sw_vpsc_count_twin(const sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p, int64_t g, int t, int a)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    const sw_vpsc_mode *mode = &crystal->mode[crystal->n_modes - crystal->n_twin_modes + t];
    const double size = sqrt(sw_vpsc_contract(polycrystal->stress, polycrystal->stress));
    const double shear = shear_on(p, g, a, polycrystal->stress);
    const double slot = shear / size / 0.05; /* from -6 to 14 */
    p->twins.schmid[t][!(slot > -6) ? 0 : slot > 14 ? 20 : (int)slot + 6] += 1;
    int rank = 0;
    for (int k = 0; k < mode->count && k < 6; k++)
        rank += shear < shear_on(p, g, mode->first + k, polycrystal->stress);
    rank = rank < 6 ? rank : 5;
    p->twins.rank[t][rank] += 1;
    return rank;
}

void sw_vpsc_twinned(const sw_vpsc_crystal *crystal, int a, const double from[3][3], double to[3][3])
{
    const double *n = crystal->normal[a], *b = crystal->direction[a];
    const double across[3] = {b[1] * n[2] - b[2] * n[1], b[2] * n[0] - b[0] * n[2],
                              b[0] * n[1] - b[1] * n[0]};
    const int type = crystal->mode[crystal->mode_of[a]].twin_type;
    const double *axis = type == 1 ? n : type == 2 ? b : across;
    double old[3][3];
    memcpy(old, from, sizeof old);
    for (int i = 0; i < 3; i++) {
        const double along = old[i][0] * axis[0] + old[i][1] * axis[1] + old[i][2] * axis[2];
        for (int j = 0; j < 3; j++)
            to[i][j] = 2 * along * axis[j] - old[i][j];
    }
}
