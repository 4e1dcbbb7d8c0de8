/* The mean stress of elastic-plastic crystals after a step and its tangent, in double precision: the same source, with Newton's method
 * content with much less. Before any other header, common/math/lanes.h. */
#ifndef SW_TESTS_ONLINE_RESPONSE_ELASTOPLASTIC_MEAN_STRESS_H
#define SW_TESTS_ONLINE_RESPONSE_ELASTOPLASTIC_MEAN_STRESS_H

#include "common/math/lanes.h"

#include "tests/crystals.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "online/response/elastoplastic/elastoplastic.h"

enum { COLUMNS = SW_TANGENT_COLUMNS };

static sw_material material;
static sw_elastoplastic_model model; /* its */

static inline void prepare_model(sw_material of)
{
    material = of;
    CHECK_OK(sw_elastoplastic_prepare(&material, &model));
    model.slip.decrement = 1e-22F;
}

/* n random ones without stress, of the material's resistance. */
static inline void begin_crystals(int n, sw_elastoplastic_crystal *crystal)
{
    memset(crystal, 0, (size_t)n * sizeof *crystal);
    for (int i = 0; i < n; i++) {
        double euler[3];
        sw_random_orientation(3, (uint64_t)i, euler);
        sw_quaternion_from_euler(euler, crystal[i].orientation);
        crystal[i].slip_resistance = (float)material.slip.initial_slip_resistance;
    }
}

/* D as a vector of five and the axial vector of W, 1/s; good until the next. */
static inline sw_slip_step step_under(const double loading[COLUMNS], double dt)
{
    static double d[6], turn[3];
    double square = 0;
    sw_deviator_tensor(loading, d);
    for (int i = 0; i < 5; i++)
        square += loading[i] * loading[i];
    for (int i = 0; i < 3; i++)
        turn[i] = loading[5 + i] * dt;
    const sw_slip_rates rates = sw_elastoplastic_rates(&model, (float)dt);
    return sw_slip_step_of(&rates, d, turn, sqrt(square), (float)dt, &material.hardening);
}

/* A step of n crystals, with resistances of their own in slip [n] or NULL; the mean stress in the sample frame as a vector of five, Pa, and
 * its tangent. */
static inline void advance(const double loading[COLUMNS], double dt, int n, sw_elastoplastic_crystal *crystal,
                           sw_slip_state *slip, double stress[5], double tangent[COLUMNS][5])
{
    const sw_slip_step step = step_under(loading, dt);
    memset(stress, 0, 5 * sizeof *stress);
    memset(tangent, 0, COLUMNS * sizeof *tangent);
    for (int c = 0; c < n; c++) {
        double slip_rate, iterations, r[3][3], size[5], turned[5], own[COLUMNS][5], e[6], t[6];
        assert_true(sw_elastoplastic(&model, model.slip.systems, &step, &crystal[c],
                                     slip != NULL ? &slip[c] : NULL, &slip_rate, &iterations, own));
        sw_rotation_from_quaternion(crystal[c].orientation, r);
        for (int i = 0; i < 5; i++)
            size[i] = crystal[c].stress[i];
        sw_elastoplastic_strain(&model, crystal[c].stress, crystal[c].slip_resistance, e);
        sw_deviator_tensor(crystal[c].stress, t);
        sw_elastoplastic_push(e, t, size);
        for (int i = 0; i < 5; i++)
            size[i] *= crystal[c].slip_resistance;
        sw_deviator_from_frame((const double(*)[3])r, size, turned);
        for (int i = 0; i < 5; i++)
            stress[i] += turned[i] / n;
        for (int k = 0; k < 5 * COLUMNS; k++)
            tangent[k / 5][k % 5] += own[k / 5][k % 5] / n;
    }
}

/* Stress by each number of the loading, [COLUMNS][5], by central differences of h; the crystals stay as they are. */
static inline void differences(const double loading[COLUMNS], double dt, double h, int n,
                               const sw_elastoplastic_crystal *crystal, const sw_slip_state *slip,
                               double slope[COLUMNS][5])
{
    const size_t bytes = (size_t)n * sizeof *crystal,
                 slip_bytes = slip != NULL ? (size_t)n * sizeof *slip : 0;
    sw_elastoplastic_crystal *moved = malloc(bytes);
    sw_slip_state *own = slip != NULL ? malloc(slip_bytes) : NULL;
    for (int c = 0; c < COLUMNS; c++) {
        double side[2][5], unused[COLUMNS][5];
        for (int s = 0; s < 2; s++) {
            double beside[COLUMNS];
            memcpy(beside, loading, sizeof beside);
            beside[c] += s ? h : -h;
            memcpy(moved, crystal, bytes);
            if (slip != NULL)
                memcpy(own, slip, slip_bytes);
            advance(beside, dt, n, moved, own, side[s], unused);
        }
        for (int i = 0; i < 5; i++)
            slope[c][i] = (side[1][i] - side[0][i]) / (2 * h);
    }
    free(moved);
    free(own);
}

#endif
