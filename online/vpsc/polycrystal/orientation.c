/* Lattices turn with the whole, with their ellipsoids in it, and against what slip turns. */
#include <stdlib.h>
#include <string.h>

#include "common/math/deviator.h"
#include "common/math/rotation.h"
#include "state.h"

/* W and D of slip, sum of b n gamma, sample frame. */
static void slip_gradient(const sw_vpsc_grains_of *p, int64_t g, double l[3][3])
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    double inside[3][3] = {{0}};
    for (int a = 0; a < p->systems; a++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                inside[i][j] +=
                    crystal->direction[a][i] * crystal->normal[a][j] * p->slip_rate[g * p->systems + a];
    sw_rotate_tensor(p->turn[g], inside, l);
}

/* What an ellipsoid turns by, 12 13 23: by d - D, in the basis of five of deviator.h. */
static void local_spin(const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_grains_of *p, int64_t g,
                       double w[3])
{
    double off[6], v[5];
    const double(*spin)[5] = (const double(*)[5])(p->spin != NULL ? p->spin[g] : p->phase_spin);
    for (int k = 0; k < 6; k++)
        off[k] = p->rate[g][k] - polycrystal->mean_d[k];
    sw_deviator_vector_of(off, v);
    for (int k = 0; k < 3; k++) {
        w[k] = 0;
        for (int j = 0; j < 5; j++)
            w[k] += spin[k][j] * v[j];
    }
}

/* The spin of a grain's lattice, 12 13 23, and the velocity gradient of its ellipsoid. */
static void find_spin(const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_grains_of *p, int64_t g,
                      double spin[3], double l[3][3])
{
    double slip[3][3], local[3];
    slip_gradient(p, g, slip);
    local_spin(polycrystal, p, g, local);
    for (int k = 0; k < 3; k++) {
        const int i = k == 2, j = k == 0 ? 1 : 2;
        const double whole = polycrystal->w[i][j] + local[k];
        spin[k] = whole - 0.5 * (slip[i][j] - slip[j][i]);
        l[i][j] = whole + 0.5 * (slip[i][j] + slip[j][i]);
        l[j][i] = -whole + 0.5 * (slip[i][j] + slip[j][i]);
    }
    for (int i = 0; i < 3; i++)
        l[i][i] = slip[i][i];
}

static void find_phase(const sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p, double (*spin)[3])
{
    memset(p->mean_l, 0, sizeof p->mean_l);
    memset(spin + p->first, 0, (size_t)p->n * sizeof *spin);
    if (p->fraction < 1e-6)
        return;
    for (int64_t g = 0; g < p->n; g++) {
        double l[3][3];
        find_spin(polycrystal, p, g, spin[p->first + g], l);
        for (int k = 0; k < 9; k++)
            p->mean_l[k / 3][k % 3] += l[k / 3][k % 3] * p->weight[g] / p->fraction;
        if (p->l != NULL)
            memcpy(p->l[g], l, sizeof l);
    }
}

static void turn_grain(const sw_vpsc_polycrystal *polycrystal, const double (*spin)[3], int64_t number,
                       double r[3][3])
{
    const int k = polycrystal->input->neighbours + 1;
    double by[3], turn[3][3];
    memcpy(by, spin[number], sizeof by);
    if (polycrystal->neighbour != NULL) {
        memset(by, 0, sizeof by);
        for (int i = 0; i < k; i++)
            for (int j = 0; j < 3; j++)
                by[j] += spin[polycrystal->neighbour[number * k + i]][j] *
                         polycrystal->neighbour_weight[number * k + i];
    }
    for (int j = 0; j < 3; j++)
        by[j] *= polycrystal->time_step;
    sw_rotation_from_spin(by, turn);
    sw_vpsc_turn(turn, r);
}

sw_status sw_vpsc_turn_grains(sw_vpsc_polycrystal *polycrystal)
{
    double(*spin)[3];
    SW_TRY(SW_ALLOCATE(spin, polycrystal->n, "spins"));
    for (int i = 0; i < polycrystal->n_phases; i++)
        find_phase(polycrystal, &polycrystal->phase[i], spin);
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++)
            turn_grain(polycrystal, (const double(*)[3])spin, p->first + g, p->turn[g]);
    }
    free(spin);
    return SW_OK;
}
