/* The contact of metal particles (metal_law.h) against closed forms: constant approach, its limits N -> 0 and N = 1,
 * two materials, unloading, relaxation, the balance of energy; by itself and between two particles of an element. */
#include "online/dem/contact/contact.h"
#include "online/dem/step/step.h"
#include "tests/online/dem/packs.h"

static const double radii[2] = {60e-6, 40e-6};
#define REDUCED (radii[0] * radii[1] / (radii[0] + radii[1]))

/* rigid: so stiff that all of the motion is flow. */
static sw_dem_material metal(double strength, double n, int rigid)
{
    return (sw_dem_material){.law = SW_DEM_METAL,
                             .young = rigid ? 1e22 : 120e9,
                             .poisson = 0.34,
                             .density = 8900,
                             .strength = strength,
                             .rate_sensitivity = n};
}

/* ---- A pair that is moved ---- */

typedef struct {
    sw_dem_pair_material material;
    double law[SW_DEM_LAW_NUMBERS], strength[2];
    double overlap, work, plastic; /* m, J, J */
    sw_dem_stiffness s;
} pair;

static pair begin_pair(const sw_dem_material *a, const sw_dem_material *b)
{
    return (pair){.material = sw_dem_pair_of(a, b, a == b, 1), .strength = {a->strength, b->strength}};
}

/* steps of dt at a constant velocity, m/s */
static void move(pair *p, double closing, double dt, int steps)
{
    for (int i = 0; i < steps; i++) {
        const double before = p->s.normal_force;
        p->overlap += closing * dt;
        const sw_dem_kinematics k = {.overlap = p->overlap,
                                     .closing = closing,
                                     .radius_a = radii[0],
                                     .radius_b = radii[1],
                                     .strength_a = p->strength[0],
                                     .strength_b = p->strength[1]};
        sw_dem_stiffnesses(1, &p->material, &k, dt, p->law, &p->s);
        p->work += 0.5 * (before + p->s.normal_force) * closing * dt;
        p->plastic += p->s.plastic_work;
    }
}

/* ---- Constant approach ---- */

/* Storakers et al.'s hardness, L / (pi a^2) = 3 (1 + 2N) sigma1 (da/dt / (3 D))^N with D = 2 R0: another way to
 * write the law than the code's. */
static double hardness_times_area(double strength, double n, double overlap, double closing)
{
    const double square = 2 * 1.43 * exp(-0.97 * n) * REDUCED * overlap, radius = sqrt(square);
    const double growth = radius * closing / (2 * overlap);
    return 3 * (1 + 2 * n) * strength * pow(growth / (6 * REDUCED), n) * SW_PI * square;
}

static void constant_approach_is_the_closed_form(void **state)
{
    (void)state;
    static const double exponents[] = {0.012, 0.1, 0.5, 1};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++) {
            const double n = exponents[i], strength = 120e6, closing = 1e-8 * pow(10, k);
            const sw_dem_material m = metal(strength, n, 1);
            pair p = begin_pair(&m, &m);
            move(&p, closing, 1e-9 / closing, 3000);            /* 3 micrometres */
            const double pair_strength = strength * pow(2, -n); /* each side takes half of the approach */
            const double force = hardness_times_area(pair_strength, n, p.overlap, closing);
            CHECK_CLOSE(p.s.normal_force, force, 1e-6 * force);
            CHECK_CLOSE(p.s.area, 2 * SW_PI * 1.43 * exp(-0.97 * n) * REDUCED * p.overlap, 1e-12 * p.s.area);
        }
}

static void ten_times_the_rate_is_ten_to_the_n(void **state)
{
    (void)state;
    for (int k = 0; k < 7; k++) {
        const double n = 0.01 * pow(2, k);
        const sw_dem_material m = metal(120e6, n, 1);
        pair slow = begin_pair(&m, &m), fast = slow;
        move(&slow, 1e-6, 1e-4, 1000);
        move(&fast, 1e-5, 1e-5, 1000);
        CHECK_CLOSE(fast.s.normal_force / slow.s.normal_force, pow(10, n), 1e-6 * pow(10, n));
    }
}

/* N -> 0: a mean pressure of three flow stresses, on an area that is 1.43 times that of the overlap's cap. N = 1:
 * spheres of viscosity sigma1 / 3 approach as elastic ones of 1/2 (Lee and Radok 1960): F = 2 E* a dh/dt with E*
 * -> 4 sigma1 / 3 for one that flows, half of it for two, and a^2 = R0 h. c^2 is fitted: 0.25 % there. */
static void limits_are_plastic_and_viscous(void **state)
{
    (void)state;
    const double strength = 120e6;
    sw_dem_material m = metal(strength, 1e-6, 1);
    pair p = begin_pair(&m, &m);
    move(&p, 1e-6, 1e-3, 1000);
    CHECK_CLOSE(p.s.normal_force / p.s.area, 3 * strength, 1e-4 * 3 * strength);
    CHECK_CLOSE(p.s.area, 1.43 * 2 * SW_PI * REDUCED * p.overlap, 1e-5 * p.s.area);
    m = metal(strength, 1, 1);
    p = begin_pair(&m, &m);
    move(&p, 1e-6, 1e-3, 1000);
    const double exact = 4.0 / 3 * strength * sqrt(REDUCED * p.overlap) * 1e-6;
    print_message("N = 1: %.5f of the exact force\n", p.s.normal_force / exact);
    CHECK_CLOSE(p.s.normal_force, exact, 0.003 * exact);
}

/* ---- Two materials ---- */

/* Both sides carry the same force when the approach is divided as part_a says, the stronger taking less; a
 * particle that is much stronger leaves the other's own law against a rigid one. */
static void two_materials_share_the_approach(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            const double n = 0.005 * pow(3, i), ratio = pow(7, k), a = 50e6, b = ratio * a,
                         part = sw_dem_softer_part(a, b, n);
            const double both = sw_dem_pair_strength(a, b, n);
            CHECK_CLOSE(both, sw_dem_pair_strength(b, a, n), 1e-15 * both);
            CHECK_CLOSE(part + sw_dem_softer_part(b, a, n), 1, 1e-15);
            CHECK_CLOSE(a * pow(part, n), both, 1e-12 * both); /* sigma_a (dh_a)^N = sigma dh^N */
            if (part < 1 - 1e-9)
                CHECK_CLOSE(b * pow(1 - part, n), both, 1e-6 * both);
        }
    CHECK_CLOSE(sw_dem_pair_strength(50e6, 50e10, 0.3), 50e6, 1e-9 * 50e6);
    CHECK_CLOSE(sw_dem_pair_strength(3, 6, 1), 2, 1e-14);
}

/* ---- Unloading ---- */

static void unloading_is_elastic(void **state)
{
    (void)state;
    const sw_dem_material m = metal(120e6, 0.012, 0);
    const double modulus = 120e9 / (2 * (1 - 0.34 * 0.34));
    pair p = begin_pair(&m, &m);
    move(&p, 1e-5, 1e-6, 20000); /* 0.2 micrometres */
    const double force = p.s.normal_force, radius = sqrt(p.s.area / SW_PI), top = p.overlap;
    const double recovery = 2 * force / (SW_PI * radius * modulus);
    const pair loaded = p;
    const double fast = -0.1; /* m/s: too fast for flow */
    move(&p, fast, -1e-3 * recovery / fast, 1);
    CHECK_CLOSE((force - p.s.normal_force) / (1e-3 * recovery), 2 * modulus * radius,
                1e-3 * 2 * modulus * radius);
    /* halfway: x = sqrt(1 - 1/4), F / F0 = (2 / pi) (asin x - x / 2) = 0.3910 */
    p = loaded;
    move(&p, fast, -0.01 * recovery / fast, 50);
    CHECK_CLOSE(p.s.normal_force / force, 0.391002, 1e-4);
    move(&p, fast, -0.01 * recovery / fast, 51);
    assert_true(p.s.normal_force == 0);
    /* and back, to the force that it left, then on as if nothing had been */
    move(&p, -fast, (top - p.overlap) / -fast / 100, 100);
    CHECK_CLOSE(p.s.normal_force, force, 1e-3 * force);
    pair straight = loaded;
    move(&p, 1e-5, 1e-6, 20000);
    move(&straight, 1e-5, 1e-6, 20000);
    CHECK_CLOSE(p.s.normal_force, straight.s.normal_force, 1e-4 * force);
}

/* A weld unloads along the tangent, past nothing, down to the part of its force that it bears, and breaks there;
 * then it has to be pressed again by as much as it would have sprung back. Nothing is lost of what was put in. */
static void welds_bear_tension(void **state)
{
    (void)state;
    sw_dem_material m = metal(120e6, 0.012, 0);
    const double modulus = 120e9 / (2 * (1 - 0.34 * 0.34)), fast = -0.1;
    m.cohesion = 0.4;
    pair p = begin_pair(&m, &m);
    move(&p, 1e-5, 1e-6, 20000);
    const double force = p.s.normal_force, slope = 2 * modulus * sqrt(p.s.area / SW_PI), top = p.overlap;
    CHECK_CLOSE(p.s.pressed, 1.4 * force, 1e-9 * force);
    move(&p, fast, -1.3 * force / slope / fast / 100, 100);
    CHECK_CLOSE(p.s.normal_force, -0.3 * force, 1e-6 * force);
    CHECK_CLOSE(p.s.pressed, 0.1 * force, 1e-6 * force);
    move(&p, fast, -0.099 * force / slope / fast, 1);
    CHECK_CLOSE(p.s.normal_force, -0.399 * force, 1e-6 * force);
    move(&p, fast, -0.002 * force / slope / fast, 1);
    assert_true(p.s.normal_force == 0 && p.s.pressed == 0);
    CHECK_CLOSE(p.work, p.plastic, 2e-3 * p.work); /* the step that broke it counts its middle force */
    move(&p, -fast, 0.5 * (top - p.overlap) / -fast, 1);
    assert_true(p.s.normal_force > 0 &&
                p.s.normal_force < 0.5 * force); /* as a contact that was never welded */
}

/* A weld that is shaken about where it flowed last, ever further in: each way across is accounted for. */
static void shaken_welds_lose_nothing(void **state)
{
    (void)state;
    sw_dem_material m = metal(120e6, 0.012, 0);
    m.cohesion = 0.5;
    pair p = begin_pair(&m, &m);
    move(&p, 1e-5, 1e-7, 100000);
    for (int i = 0; i < 20000; i++) {
        move(&p, 1e-5, 1e-7, 3);
        move(&p, -1e-5, 1e-7, 2);
    }
    CHECK_CLOSE(p.work, p.s.normal_energy + p.plastic, 1e-3 * p.work);
}

/* What was put in is stored or dissipated: at the loaded end, and after it has unloaded all of it is plastic. */
static void work_is_stored_or_dissipated(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double n = 0.012 * pow(5, k);
        const sw_dem_material m = metal(120e6, n, 0);
        pair p = begin_pair(&m, &m);
        for (int cycle = 0; cycle < 3; cycle++) {
            move(&p, 1e-5, 1e-7, 200000);
            CHECK_CLOSE(p.work, p.s.normal_energy + p.plastic, 2e-4 * p.work);
            while (p.s.normal_force > 0)
                move(&p, -1e-5, 1e-7, 1);
            assert_true(p.s.normal_energy == 0);
            CHECK_CLOSE(p.work, p.plastic, 2e-4 * p.work);
        }
    }
}

/* N = 1: a contact that is held relaxes as a spring and a dashpot in series, exp(-K t / B); each implicit step is
 * 1 / (1 + K dt / B). */
static void held_contacts_relax(void **state)
{
    (void)state;
    const double strength = 1e6;
    const sw_dem_material m = metal(strength, 1, 0);
    double error[3];
    for (int i = 0; i < 3; i++) {
        pair p = begin_pair(&m, &m);
        move(&p, 1e-2, 1e-8, 2000);
        const double force = p.s.normal_force;
        const double b = p.material.force_factor * 0.5 * strength * sqrt(REDUCED * p.overlap),
                     time = b / p.s.kn;
        move(&p, 0, time / (100 << i), 100 << i);
        error[i] = p.s.normal_force / force * exp(1) - 1;
    }
    print_message("relaxation %g %g %g\n", error[0], error[1], error[2]);
    CHECK_CLOSE(error[0], 0, 0.51e-2); /* (1 + 1/n)^-n e - 1 = 1 / 2n */
    CHECK_CLOSE(log2(error[0] / error[2]) / 2, 1, 0.02);
}

/* ---- Between particles of an element ---- */

/* Two particles of a cell that shrinks evenly approach at their distance times its rate. */
static void meet_in_a_cell(int rigid)
{
    static const double cell[3][3] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}, at[3] = {5e-4, 5e-4, 5e-4},
                        along[3] = {0.6, 0.64, 0.48};
    const double n = 0.02, strength = 120e6, rate = 1e-2, scale = 1e-3; /* slip is a thousand times slower */
    sw_dem_material m = metal(strength, n, rigid);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_packing pack = dem_pack_pair(cell, at, radii, along, 0);
    sw_dem_stage stage = dem_steps(4000);
    sw_dem_row row;
    for (int i = 0; i < 3; i++)
        stage.velocity_gradient[i][i] = -rate;
    numerics.affine = 1;
    numerics.time_scale = 1 / scale;
    numerics.step_rule = SW_DEM_STEP_FIXED;
    numerics.step = 1e-3;
    sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 1, &stage);
    dem_finish(dem);
    sw_dem_last_row(dem, 0, &row);
    /* measured before the last step moves them */
    const double distance = (radii[0] + radii[1]) * pow(1 - rate * 1e-3, 3999);
    const double overlap = radii[0] + radii[1] - distance, volume = 1e-9 * pow(1 - rate * 1e-3, 3 * 3999);
    const double force = hardness_times_area(strength * pow(2, -n), n, overlap, rate * scale * distance);
    if (rigid)
        CHECK_CLOSE(row.pressure, force * distance / (3 * volume), 1e-6 * row.pressure);
    else /* the last of the motion's rate goes into springs: its part dF/dh / K to the power N */
        CHECK_CLOSE(row.pressure, force * distance / (3 * volume), 1e-3 * row.pressure);
    assert_true(row.plastic_work > 0);
    if (!rigid) /* one-sided sums of 4000 steps */
        CHECK_CLOSE(row.plastic_work + row.elastic_energy, row.boundary_work, 1e-3 * row.boundary_work);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

static void particles_of_a_cell_meet_by_the_law(void **state)
{
    (void)state;
    meet_in_a_cell(1);
    meet_in_a_cell(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_approach_is_the_closed_form),
        cmocka_unit_test(ten_times_the_rate_is_ten_to_the_n),
        cmocka_unit_test(limits_are_plastic_and_viscous),
        cmocka_unit_test(two_materials_share_the_approach),
        cmocka_unit_test(unloading_is_elastic),
        cmocka_unit_test(welds_bear_tension),
        cmocka_unit_test(shaken_welds_lose_nothing),
        cmocka_unit_test(work_is_stored_or_dissipated),
        cmocka_unit_test(held_contacts_relax),
        cmocka_unit_test(particles_of_a_cell_meet_by_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
