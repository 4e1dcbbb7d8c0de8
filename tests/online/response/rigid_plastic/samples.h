/* Crystals under strain rates, for tests of the slip law's solver: on sw_real, which the file that includes this has chosen. */
#ifndef SW_TESTS_ONLINE_RESPONSE_RIGID_PLASTIC_SAMPLES_H
#define SW_TESTS_ONLINE_RESPONSE_RIGID_PLASTIC_SAMPLES_H

#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "online/response/step/crystal_update.h"
#include "online/response/rigid_plastic/rigid_plastic.h"
#include "slipwave/response.h"

enum { SCALAR = SW_LANES == 1 };

static sw_rigid_plastic_model model;
static sw_material material;

static void prepare(int structure, double m)
{
    material = copper();
    material.crystal_structure = structure;
    material.slip.rate_sensitivity = m;
    CHECK_OK(sw_rigid_plastic_prepare(&material, &model));
}

/* Crystals of a bundle: what sw_rigid_plastic takes, in numbers. */
typedef struct {
    float lambda[3], quaternion[SW_LANES][4];
} sample;

static void set_orientation(double g[3][3], float quaternion[4])
{
    double q[4];
    sw_quaternion_from_rotation(g, q);
    for (int i = 0; i < 4; i++)
        quaternion[i] = (float)q[i];
}

static void set_theta(double theta, sample *s)
{
    double lambda[3];
    sw_principal_values(theta, lambda);
    for (int i = 0; i < 3; i++)
        s->lambda[i] = (float)lambda[i];
}

static sample random_sample(uint64_t seed, uint64_t n)
{
    sample s;
    double u[4];
    sw_random_uniform4(seed, n, 1, u);
    set_theta(2 * SW_PI * u[0], &s);
    for (int lane = 0; lane < SW_LANES; lane++) {
        double euler[3], g[3][3];
        sw_random_orientation(seed, n * SW_LANES + (uint64_t)lane, euler);
        sw_rotation_from_euler(euler, g);
        set_orientation(g, s.quaternion[lane]);
    }
    return s;
}

typedef sample sampler(uint64_t seed, uint64_t n);

static void load_orientations(const sample *s, sw_real q[4])
{
    for (int i = 0; i < 4; i++) {
        sw_real all = sw_broadcast(s->quaternion[0][i]);
        for (int lane = 1; lane < SW_LANES; lane++)
            sw_set_lane(&all, lane, s->quaternion[lane][i]);
        q[i] = all;
    }
}

static const sw_real *lanes_of(const float lambda[3], sw_real lanes[3])
{
    for (int i = 0; i < 3; i++)
        lanes[i] = sw_broadcast(lambda[i]);
    return lanes;
}

/* Newton's part alone, with the iterations of each lane: in the crystal frame, before anything is turned
 * back. */
static void solve(const sample *s, sw_real d[5], sw_real x[5], sw_real *iterations)
{
    sw_real q[4], r[3][3], lambda[3];
    load_orientations(s, q);
    sw_rotation_from_quaternion(q, r);
    sw_rigid_plastic_strain_rate(r, lanes_of(s->lambda, lambda), d);
    sw_slip_start(&model.slip, model.slip.systems, NULL, d, x);
    sw_slip_newton(&model.slip, model.slip.systems, NULL, sw_if(1), d, x, iterations);
}

#endif
