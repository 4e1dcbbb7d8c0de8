/* Polycrystals: made and released; small parts of tensors. */
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "common/math/six.h"
#include "random.h"

/* ---- Tensors ---- */

double sw_vpsc_deviator_size(const double a[6])
{
    const double mean = (a[0] + a[1] + a[2]) / 3,
                 d[6] = {a[0] - mean, a[1] - mean, a[2] - mean, a[3], a[4], a[5]};
    return sqrt(sw_vpsc_contract(d, d));
}

void sw_vpsc_to_basis(const double t[6], double b[6])
{
    b[0] = (t[1] - t[0]) / sqrt(2);
    b[1] = (2 * t[2] - t[0] - t[1]) / sqrt(6);
    for (int k = 2; k < 5; k++)
        b[k] = sqrt(2) * t[k + 1];
    b[5] = (t[0] + t[1] + t[2]) / sqrt(3);
}

void sw_vpsc_from_basis(const double b[6], double t[6])
{
    t[0] = -b[0] / sqrt(2) - b[1] / sqrt(6) + b[5] / sqrt(3);
    t[1] = b[0] / sqrt(2) - b[1] / sqrt(6) + b[5] / sqrt(3);
    t[2] = 2 * b[1] / sqrt(6) + b[5] / sqrt(3);
    for (int k = 2; k < 5; k++)
        t[k + 1] = b[k] / sqrt(2);
}

void sw_vpsc_angles(const double r[3][3], double degrees[3])
{
    if (fabs(r[2][2]) >= 0.9999) {
        degrees[0] = atan2(r[1][0], r[0][0]);
        degrees[1] = r[2][2] > 0 ? 0 : SW_PI;
        degrees[2] = 0;
    } else {
        degrees[0] = atan2(r[0][2], -r[1][2]);
        degrees[1] = acos(r[2][2]);
        degrees[2] = atan2(r[2][0], r[2][1]);
    }
    for (int i = 0; i < 3; i++)
        degrees[i] *= 180 / SW_PI;
}

void sw_vpsc_schmid(const sw_vpsc_grains_of *p, int64_t g, int system, double m[6])
{
    const double(*r)[3] = (const double(*)[3])p->turn[g];
    double b[3] = {0}, n[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            b[i] += r[i][j] * p->input->crystal.direction[system][j];
            n[i] += r[i][j] * p->input->crystal.normal[system][j];
        }
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        m[k] = 0.5 * (b[i] * n[j] + b[j] * n[i]);
    }
}

/* ---- Make and free ---- */

static int follows_grains(const sw_vpsc_phase *phase) { return phase->shape != SW_VPSC_PHASE_SHAPE; }

static sw_status allocate(const sw_vpsc_input *input, sw_vpsc_grains_of *p)
{
    const int64_t n = p->n, twins = p->input->crystal.n_systems - p->input->crystal.n_slip;
    SW_TRY(SW_ALLOCATE(p->turn, n, "orientations"));
    SW_TRY(SW_ALLOCATE(p->weight, n, "weights"));
    SW_TRY(SW_ALLOCATE(p->stress, n, "stresses"));
    SW_TRY(SW_ALLOCATE(p->rate, n, "strain rates"));
    SW_TRY(SW_ALLOCATE(p->pressure, n, "pressures"));
    SW_TRY(SW_ALLOCATE(p->work, n, "work"));
    if (follows_grains(p->input)) {
        SW_TRY(SW_ALLOCATE(p->of_grain, n, "ellipsoids"));
        SW_TRY(SW_ALLOCATE(p->l, n, "velocity gradients"));
    }
    if (p->input->shape >= SW_VPSC_GRAIN_SHAPE)
        SW_TRY(SW_ALLOCATE(p->spin, n, "spins"));
    if (input->elastic)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(p->crss, n * p->systems, "slip resistances"));
    SW_TRY(SW_ALLOCATE(p->slipped, n, "slips"));
    if (p->input->crystal.law == SW_VPSC_MTS)
        SW_TRY(SW_ALLOCATE(p->threshold, n * p->systems, "threshold stresses"));
    if (p->input->crystal.law == SW_VPSC_DENSITY) {
        SW_TRY(SW_ALLOCATE(p->density, n * p->systems, "dislocation densities"));
        SW_TRY(SW_ALLOCATE(p->debris, n, "dislocation densities"));
    }
    SW_TRY(SW_ALLOCATE(p->slip_rate, n * p->systems, "slip rates"));
    SW_TRY(SW_ALLOCATE(p->variant, n * (twins + 1), "fractions of twins"));
    SW_TRY(SW_ALLOCATE(p->tagged, n, "grains that turned"));
    return SW_ALLOCATE(p->turned, n, "grains that turned");
}

/* An ellipsoid of these axes along those of angles (Bunge, rad). */
static void make_ellipsoid(const double euler[3], const double axes[3], sw_vpsc_ellipsoid *e)
{
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            e->f[i][j] = 0;
            for (int k = 0; k < 3; k++)
                e->f[i][j] += g[i][k] * axes[k] * g[j][k];
        }
    sw_vpsc_ellipsoid_of(e, 0);
}

static void begin_grains(const sw_vpsc_input *input, sw_vpsc_grains_of *p)
{
    const sw_vpsc_grains *grains = &p->input->grains;
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    double total = 0;
    for (int64_t g = 0; g < p->n; g++)
        total += grains->weight[g];
    for (int64_t g = 0; g < p->n; g++) {
        sw_rotation_from_euler(grains->euler[g], p->turn[g]);
        p->weight[g] = grains->weight[g] / total * p->fraction;
        for (int a = 0; a < p->systems && !input->elastic; a++) {
            const sw_vpsc_mode *mode = &crystal->mode[crystal->mode_of[a]];
            p->crss[g * p->systems + a] = mode->tau0;
            if (mode->hall_petch != 0)
                p->crss[g * p->systems + a] += mode->hall_petch / sqrt(crystal->grain_size);
        }
        if (grains->axes != NULL)
            make_ellipsoid(grains->axes_euler[g], grains->axes[g], &p->of_grain[g]);
        else if (p->of_grain != NULL)
            p->of_grain[g] = p->ellipsoid;
    }
}

static sw_status make_phase(const sw_vpsc_input *input, int number, int64_t first, sw_vpsc_grains_of *p)
{
    p->input = &input->phase[number];
    p->number = number;
    p->fraction = p->input->fraction;
    p->first = first;
    p->n = p->input->grains.count;
    p->systems = p->input->crystal.n_systems;
    SW_TRY(allocate(input, p));
    make_ellipsoid(p->input->axes_euler, p->input->axes, &p->ellipsoid);
    begin_grains(input, p);
    return p->input->crystal.law == SW_VPSC_REVERSAL && !input->elastic ? sw_vpsc_reversal_make(p) : SW_OK;
}

static double weight_of(const sw_vpsc_polycrystal *polycrystal, int64_t grain)
{
    int p = 0;
    while (p + 1 < polycrystal->n_phases && grain >= polycrystal->phase[p + 1].first)
        p++;
    return polycrystal->phase[p].weight[grain - polycrystal->phase[p].first];
}

/* Below it a grain with its neighbours has, as VPSC8 has it, no weight. */
#define WEIGHT_LEAST 1e-10

/* Whether grains begin without weight, be it their phase's or their own, and, as VPSC8 has it, never turn. */
static int has_still_grains(const sw_vpsc_polycrystal *polycrystal)
{
    int found = 0;
    for (int64_t g = 0; g < polycrystal->n && polycrystal->compatible; g++)
        found |= weight_of(polycrystal, g) < WEIGHT_LEAST;
    return found;
}

/* Grains that turn together, by VPSC8's constant numbers. What has no weight to begin with has no part in it. */
static sw_status make_neighbours(sw_vpsc_polycrystal *polycrystal)
{
    const int k = polycrystal->input->neighbours;
    if (k == 0 && !has_still_grains(polycrystal))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(polycrystal->neighbour, polycrystal->n * (k + 1), "neighbours"));
    SW_TRY(SW_ALLOCATE(polycrystal->neighbour_weight, polycrystal->n * (k + 1), "neighbours"));
    for (int64_t g = 0; g < polycrystal->n; g++) {
        int64_t *of = polycrystal->neighbour + g * (k + 1);
        double *weight = polycrystal->neighbour_weight + g * (k + 1), total = 0;
        for (int i = 0; i <= k; i++) {
            of[i] = i == 0 ? g
                           : (int64_t)(sw_vpsc_draw(polycrystal->compatible, &polycrystal->drawn) *
                                       (double)polycrystal->n);
            weight[i] = weight_of(polycrystal, of[i]);
            total += weight[i];
        }
        for (int i = 0; i <= k; i++)
            weight[i] = total / (k + 1) < WEIGHT_LEAST ? 0 : weight[i] / total;
    }
    return SW_OK;
}

static sw_status make(const sw_vpsc_input *input, sw_vpsc_polycrystal *polycrystal)
{
    const double equal[3] = {1, 1, 1}, none[3] = {0, 0, 0};
    polycrystal->input = input;
    make_ellipsoid(none, equal, &polycrystal->ellipsoid);
    for (int p = 0; p < input->n_phases; p++) {
        sw_vpsc_grains_of *phase = &polycrystal->phase[p];
        polycrystal->n_phases++;
        SW_TRY(make_phase(input, p, polycrystal->n, phase));
        polycrystal->n += phase->n;
        for (int m = 0; m < phase->input->crystal.n_modes; m++)
            if (phase->input->crystal.mode[m].twin_type > 0)
                polycrystal->twin_law = phase->input->crystal.mode[m].twin_law;
    }
    return make_neighbours(polycrystal);
}

sw_status sw_vpsc_polycrystal_make(const sw_vpsc_input *input, int compatible,
                                   sw_vpsc_polycrystal *polycrystal)
{
    memset(polycrystal, 0, sizeof *polycrystal);
    polycrystal->compatible = compatible;
    const sw_status status = make(input, polycrystal);
    if (status != SW_OK)
        sw_vpsc_polycrystal_free(polycrystal);
    return status;
}

void sw_vpsc_polycrystal_free(sw_vpsc_polycrystal *polycrystal)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        void *const owned[] = {p->turn,     p->weight,    p->crss, p->slipped,   p->stress,  p->rate,
                               p->pressure, p->slip_rate, p->l,    p->of_grain,  p->work,    p->variant,
                               p->tagged,   p->turned,    p->spin, p->threshold, p->density, p->debris};
        for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
            free(owned[k]);
        sw_vpsc_reversal_free(p->reversal);
    }
    free(polycrystal->neighbour);
    free(polycrystal->neighbour_weight);
    memset(polycrystal, 0, sizeof *polycrystal);
}
