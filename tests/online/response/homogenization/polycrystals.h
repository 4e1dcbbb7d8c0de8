/* What tests of homogenizations by solver rigid_plastic share: the slip law by its letter, points of random crystals with a loading each,
 * their tangents against differences, how crystals lie. */
#ifndef SW_TESTS_ONLINE_RESPONSE_HOMOGENIZATION_POLYCRYSTALS_H
#define SW_TESTS_ONLINE_RESPONSE_HOMOGENIZATION_POLYCRYSTALS_H

#include "tests/crystals.h"
#include "tests/families.h"

#include "common/math/rotation.h"
#include "common/math/six.h"

static const double plane_strain[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}},
                    mixed[3][3] = {{3e-4, 9e-4, 0}, {-2e-4, 2e-4, 4e-4}, {0, 1e-4, -5e-4}};

/* Scheme: of self_consistent, 0 else. */
static inline sw_response *open_scheme(const sw_material *m, const char *homogenization,
                                       sw_self_consistent scheme)
{
    return opened(&(sw_response_options){.solver = "rigid_plastic",
                                         .material = m,
                                         .homogenization = homogenization,
                                         .self_consistent = scheme});
}

static inline sw_response *open_under(const sw_material *m, const char *homogenization)
{
    return open_scheme(m, homogenization, (sw_self_consistent){0});
}

/* Copper of another rate sensitivity. */
static inline sw_material copper_of(double sensitivity)
{
    sw_material m = copper();
    m.slip.rate_sensitivity = sensitivity;
    return m;
}

/* ---- Crystals ---- */

static inline void rotation_to_sample(const sw_crystal *crystal, double g[3][3])
{
    const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
    sw_rotation_from_euler(euler, g);
}

/* Between how two that are near lie, rad. */
static inline double angle_between(const sw_crystal *a, const sw_crystal *b)
{
    double g[2][3][3], square = 0;
    rotation_to_sample(a, g[0]);
    rotation_to_sample(b, g[1]);
    for (int k = 0; k < 9; k++)
        square += pow(g[0][k / 3][k % 3] - g[1][k / 3][k % 3], 2);
    return sqrt(square / 2);
}

/* What resists system a of a crystal that has not slipped, Pa. */
static inline double resistance_of(const sw_material *m, const sw_crystal *crystal,
                                   const sw_slip_systems *systems, int a)
{
    return sw_material_has_families(m) ? m->slip.family[systems->family[a]].initial_slip_resistance *
                                             crystal->slip_resistance / m->slip.initial_slip_resistance
                                       : crystal->slip_resistance;
}

/* sum_a v0 |tau/s|^n sign(tau) sym(b n), which a stress makes in a crystal: 1/s, sample frame; twins go one way. */
static inline void slip_law(const sw_material *m, const sw_crystal *crystal, const double t[3][3],
                            double d[3][3])
{
    sw_slip_systems systems;
    double g[3][3];
    CHECK_OK(sw_material_systems(m, &systems));
    rotation_to_sample(crystal, g);
    memset(d, 0, 9 * sizeof d[0][0]);
    for (int a = 0; a < systems.count; a++) {
        double b[3] = {0}, n[3] = {0}, tau = 0;
        for (int k = 0; k < 9; k++) {
            b[k / 3] += g[k / 3][k % 3] * systems.direction[a][k % 3];
            n[k / 3] += g[k / 3][k % 3] * systems.normal[a][k % 3];
        }
        for (int k = 0; k < 9; k++)
            tau += t[k / 3][k % 3] * b[k / 3] * n[k % 3];
        const double sense = tau > 0 ? 1 : a < systems.two_way ? -1 : 0;
        const double rate =
            sense * m->slip.reference_slip_rate *
            pow(fabs(tau) / resistance_of(m, crystal, &systems, a), 1 / m->slip.rate_sensitivity);
        for (int k = 0; k < 9; k++)
            d[k / 3][k % 3] += 0.5 * rate * (b[k / 3] * n[k % 3] + b[k % 3] * n[k / 3]);
    }
}

/* ---- Points ---- */

enum { P = 5, N = 40, ALL = P * N };

typedef struct {
    double stress[P][6], slip_resistance[P], slip_rate[P], by_strain_rate[P][6][6], by_spin[P][6][3];
} results;

static inline void loadings(double l[P][3][3])
{
    for (int p = 0; p < P; p++)
        for (int k = 0; k < 9; k++)
            l[p][k / 3][k % 3] = plane_strain[k / 3][k % 3] + 0.3 * p * mixed[k / 3][k % 3];
}

/* Of so many points that share the crystals. */
static inline sw_status step_points(sw_response *response, int64_t points, const double (*l)[3][3],
                                    const sw_crystals *from, const sw_crystals *to, int tangent, results *r)
{
    return sw_response_step_each(response, &(sw_points){.points = points,
                                                        .each = from->n / points,
                                                        .velocity_gradient = l,
                                                        .dt = 8,
                                                        .from = from,
                                                        .to = to,
                                                        .stress = r->stress,
                                                        .slip_resistance = r->slip_resistance,
                                                        .slip_rate = r->slip_rate,
                                                        .by_strain_rate = tangent ? r->by_strain_rate : NULL,
                                                        .by_spin = tangent ? r->by_spin : NULL});
}

/* The tangent of one point, in r, against central differences of 1e-6 1/s; bound: of its largest number. */
static inline void check_tangent(sw_response *response, const double l[3][3], const sw_crystals *from,
                                 double bound, results *r)
{
    static results side[2];
    double largest = 0, own[1][3][3];
    memcpy(own, l, sizeof own);
    CHECK_OK(step_points(response, 1, (const double(*)[3][3])own, from, NULL, 1, r));
    for (int k = 0; k < 36; k++)
        largest = greatest(largest, fabs(r->by_strain_rate[0][k / 6][k % 6]));
    for (int j = 0; j < 6; j++) {
        const int row = sw_six_row(j), column = sw_six_column(j);
        for (int s = 0; s < 2; s++) {
            const double by = s == 0 ? -0.5e-6 : 0.5e-6;
            memcpy(own, l, sizeof own);
            own[0][row][column] += by;
            own[0][column][row] += by;
            CHECK_OK(step_points(response, 1, (const double(*)[3][3])own, from, NULL, 0, &side[s]));
        }
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(r->by_strain_rate[0][i][j], (side[1].stress[0][i] - side[0].stress[0][i]) / 2e-6,
                        bound * largest);
    }
}

#endif
