/* Contacts that pull (adhesive_laws.h) against closed forms: forces, what they store, what a bond's breaking takes of
 * an impact, and energy in packings. */
#include "online/dem/step/step.h"
#include "tests/online/dem/packs.h"

static const double radii[2] = {1e-3, 0.6e-3};
static const double reduced = 1e-3 * 0.6e-3 / 1.6e-3; /* R */

/* Of some 100 kPa on a grain: strong enough that pulls are seen beside stiffnesses of 1 GPa. */
static sw_dem_material sticky(sw_dem_law law)
{
    return (sw_dem_material){.law = law,
                             .young = 1e8,
                             .poisson = 0.3,
                             .friction = 0.5,
                             .density = 2500,
                             .adhesion = 5,
                             .bond_strength = 2e5,
                             .liquid_volume = 2e-12,
                             .liquid_tension = 0.0728,
                             .wetting_angle = 0.3};
}

static const sw_dem_law sticks[] = {SW_DEM_DMT, SW_DEM_JKR, SW_DEM_COHESIVE, SW_DEM_CAPILLARY};
enum { STICKS = 4 };

/* A pair that is bound, at an overlap. */
static sw_dem_stiffness at(const sw_dem_material *m, double overlap)
{
    const sw_dem_pair_material pair = sw_dem_pair_of(m, m, 1, 1);
    const sw_dem_kinematics k = {.normal = {1, 0, 0},
                                 .distance = radii[0] + radii[1] - overlap,
                                 .overlap = overlap,
                                 .radius_a = radii[0],
                                 .radius_b = radii[1]};
    double law[SW_DEM_LAW_NUMBERS] = {1};
    sw_dem_stiffness s;
    sw_dem_stiffnesses(1, &pair, &k, 0, law, &s);
    return s;
}

static double modulus(const sw_dem_material *m) { return m->young / (2 * (1 - m->poisson * m->poisson)); }

static void dmt_is_hertz_and_a_pull(void **state)
{
    (void)state;
    const sw_dem_material m = sticky(SW_DEM_DMT);
    sw_dem_material hertz = m;
    hertz.law = SW_DEM_HERTZ_MINDLIN;
    const double pull = 2 * SW_PI * m.adhesion * reduced;
    for (int i = 1; i <= 5; i++) {
        const double overlap = 2e-6 * i;
        CHECK_CLOSE(at(&m, overlap).normal_force, at(&hertz, overlap).normal_force - pull, 1e-14 * pull);
        CHECK_CLOSE(at(&m, overlap).pressed, at(&hertz, overlap).normal_force, 0);
        CHECK_CLOSE(at(&m, overlap).kt, at(&hertz, overlap).kt, 0);
    }
    /* Without load: Hertz' force is the pull, a^3 = 3 R (2 pi w R) / (4 E*) */
    const double a = cbrt(0.75 * reduced * pull / modulus(&m));
    CHECK_CLOSE(at(&m, a * a / reduced).normal_force, 0, 1e-13 * pull);
}

/* Johnson, Kendall and Roberts 1971, by the contact radius; and the points that their paper gives: without load
 * a^3 = 9 pi w R^2 / (2 E*), the largest pull 3/2 pi w R, at a held distance the last one 5/6 pi w R. */
static void jkr_is_its_closed_form(void **state)
{
    (void)state;
    const sw_dem_material m = sticky(SW_DEM_JKR);
    const double e = modulus(&m), w = m.adhesion, unit = SW_PI * w * reduced;
    const double tear = cbrt(SW_PI * w * reduced * reduced / (8 * e)),
                 zero = cbrt(4.5 * SW_PI * w * reduced * reduced / e);
    double least = 0;
    for (int i = 0; i <= 400; i++) {
        const double a = tear * (1.001 + 0.01 * i);
        const double overlap = a * a / reduced - sqrt(2 * SW_PI * w * a / e);
        const double force = 4 * e * a * a * a / (3 * reduced) - sqrt(8 * SW_PI * w * e * a * a * a);
        const sw_dem_stiffness s = at(&m, overlap);
        /* beside the tear the root's digits are half of those of the overlap */
        CHECK_CLOSE(s.normal_force, force, 1e-8 * unit);
        CHECK_CLOSE(s.area, SW_PI * a * a, 1e-7 * SW_PI * a * a);
        CHECK_CLOSE(s.pressed, force + 3 * unit, 1e-8 * unit);
        least = fmin(least, force);
    }
    CHECK_CLOSE(least, -1.5 * unit, 1e-4 * unit);
    CHECK_CLOSE(at(&m, zero * zero / reduced - sqrt(2 * SW_PI * w * zero / e)).normal_force, 0, 1e-10 * unit);
    const sw_dem_pair_material pair = sw_dem_pair_of(&m, &m, 1, 1);
    const double neck = sw_dem_law_gap(&pair, radii[0], radii[1]);
    CHECK_CLOSE(neck, 0.75 * cbrt(SW_PI * SW_PI * w * w * reduced / (e * e)), 1e-14 * neck);
    /* there its slope is infinite: 1e-12 of the neck is 1e-6 of the force */
    CHECK_CLOSE(at(&m, -neck * (1 - 1e-12)).normal_force, -5.0 / 6 * unit, 1e-5 * unit);
    assert_true(at(&m, -neck * (1 + 1e-9)).apart);
    /* without adhesion Hertz */
    sw_dem_material dry = m, hertz = m;
    dry.adhesion = 0;
    hertz.law = SW_DEM_HERTZ_MINDLIN;
    CHECK_CLOSE(at(&dry, 1e-5).normal_force, at(&hertz, 1e-5).normal_force, 1e-13);
    CHECK_CLOSE(at(&dry, 1e-5).normal_energy, at(&hertz, 1e-5).normal_energy, 1e-18);
}

/* Willett et al. 2000, Eq. for equal spheres with half of the separation, here with their numbers 2.1 and 10, at the
 * Derjaguin radius; the rupture of Lian et al. 1993. */
static void bridges_are_their_closed_form(void **state)
{
    (void)state;
    const sw_dem_material m = sticky(SW_DEM_CAPILLARY);
    const double radius = 2 * reduced, rupture = (1 + 0.5 * m.wetting_angle) * cbrt(m.liquid_volume);
    const double touch = 2 * SW_PI * radius * m.liquid_tension * cos(m.wetting_angle);
    for (int i = 0; i < 10; i++) {
        const double separation = rupture * i / 10, half = 0.5 * separation / radius;
        const double root = half / sqrt(m.liquid_volume / pow(radius, 3));
        const sw_dem_stiffness s = at(&m, -separation);
        CHECK_CLOSE(s.normal_force, -touch / (1 + 2.1 * root + 10 * root * root), 1e-14 * touch);
        assert_true(s.pressed == 0 && s.kt == 0 && !s.apart);
    }
    assert_true(at(&m, -1.0001 * rupture).apart);
    sw_dem_material dry = m;
    dry.law = SW_DEM_LINEAR;
    CHECK_CLOSE(at(&m, 1e-6).normal_force, at(&dry, 1e-6).normal_force - touch, 1e-14 * touch);
    CHECK_CLOSE(at(&m, 1e-6).pressed, at(&dry, 1e-6).normal_force, 0);
}

static void bonds_bear_their_tension(void **state)
{
    (void)state;
    const sw_dem_material m = sticky(SW_DEM_COHESIVE);
    const double bond = SW_PI * radii[1] * radii[1] * m.bond_strength, k = m.young * 2 * reduced;
    for (int i = -9; i <= 9; i++) {
        const sw_dem_stiffness s = at(&m, 0.1 * i * bond / k);
        CHECK_CLOSE(s.normal_force, 0.1 * i * bond, 1e-13 * bond);
        CHECK_CLOSE(s.pressed, (1 + 0.1 * i) * bond, 1e-13 * bond);
    }
    assert_true(at(&m, -1.0001 * bond / k).apart);
}

/* Forces are the slopes of what is stored: central differences, whose error is h^2 / 6 of a third derivative; over
 * 1e-3 of lengths that forces change over, 1e-6 of them. */
static void forces_are_slopes_of_what_is_stored(void **state)
{
    (void)state;
    for (int l = 0; l < STICKS; l++) {
        const sw_dem_material m = sticky(sticks[l]);
        const sw_dem_pair_material pair = sw_dem_pair_of(&m, &m, 1, 1);
        const double gap = sw_dem_law_gap(&pair, radii[0], radii[1]), scale = fabs(at(&m, 1e-9).normal_force);
        for (int i = 0; i < 9; i++) {
            const double overlap = i < 4 && gap > 0 ? -gap * (0.15 + 0.2 * i) : 1e-6 * (1 + i),
                         h = 1e-3 * fabs(overlap);
            const double slope =
                (at(&m, overlap + h).normal_energy - at(&m, overlap - h).normal_energy) / (2 * h);
            CHECK_CLOSE(slope, at(&m, overlap).normal_force, 2e-5 * (scale + fabs(slope)));
        }
    }
}

/* ---- Impacts ---- */

/* What a bond takes of an impact, J. */
static double loss(const sw_dem_material *m)
{
    const sw_dem_pair_material pair = sw_dem_pair_of(m, m, 1, 1);
    const double gap = sw_dem_law_gap(&pair, radii[0], radii[1]);
    return gap > 0 ? at(m, -gap * (1 - 1e-12)).normal_energy : 0;
}

/* Two spheres meet at `speed`; 0 where they are still bound after the time, else the speed at which they part. The
 * balance of energy into `lack`, over what they had. */
static double rebound(const sw_dem_material *m, double speed, double steps_a_contact, double *lack)
{
    static const double cell[3][3] = {{2e-2, 0, 0}, {0, 2e-2, 0}, {0, 0, 2e-2}}, from[3] = {7e-3, 9e-3, 8e-3};
    const double n[3] = {0.6, 0.64, 0.48};
    const double mass_a = dem_mass(m, radii[0]), mass_b = dem_mass(m, radii[1]);
    const double both = mass_a * mass_b / (mass_a + mass_b);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    numerics.damping = 0;
    numerics.step_rule = SW_DEM_STEP_FIXED;
    numerics.step = sqrt(both / (m->young * 2 * reduced)) / steps_a_contact;
    numerics.control_interval = 1;
    numerics.record_interval = 1;
    numerics.skin = 1;
    sw_dem_packing pack = dem_pack_pair(cell, from, radii, n, 5 * speed * numerics.step);
    for (int k = 0; k < 3; k++)
        pack.velocity[1][k] = -speed * n[k];
    const sw_dem_pair_material pair = sw_dem_pair_of(m, m, 1, 1);
    const double way = 6 * sw_dem_law_gap(&pair, radii[0], radii[1]); /* even where the bond slows them */
    const sw_dem_stage stage = dem_steps(ceil(60 * steps_a_contact + way / (speed * numerics.step)));
    sw_dem *dem = dem_open(NULL, &pack, m, &numerics, 1, &stage);
    const sw_dem_rve *rve = dem_finish(dem);
    double relative[3], branch[3], parting = 0;
    int touches = 0;
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        touches |= rve->touching[p];
    for (int k = 0; k < 3; k++) {
        branch[k] = rve->position[1][k] - rve->position[0][k];
        relative[k] = rve->velocity[1][k] - rve->velocity[0][k];
    }
    if (!touches)
        parting = sw_dem_dot(relative, branch) / sqrt(sw_dem_dot(branch, branch));
    int64_t rows;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &rows), *last = &row[rows - 1];
    const double had = row[0].kinetic_energy;
    /* of what flies free again; bound spheres swing, whose velocities are half a step behind */
    *lack = (had - last->kinetic_energy - last->elastic_energy - last->plastic_work) / had;
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
    return parting;
}

/* v'^2 = v^2 - 2 W / m*, W what the bond takes; below, they stay together. Where a force begins or ends within a step
 * it acts for a part of the step more or less: errors go with the step. */
static void impacts_lose_what_bonds_take(void **state)
{
    (void)state;
    for (int l = 0; l < STICKS; l++) {
        const sw_dem_material m = sticky(sticks[l]);
        const double mass_a = dem_mass(&m, radii[0]), mass_b = dem_mass(&m, radii[1]);
        const double both = mass_a * mass_b / (mass_a + mass_b), w = loss(&m);
        const double bound = w > 0 ? sqrt(2 * w / both) : 0, speed = w > 0 ? 1.5 * bound : 0.05;
        double error[2], lack[2];
        for (int fine = 0; fine < 2; fine++) {
            const double found = rebound(&m, speed, fine ? 400 : 100, &lack[fine]);
            error[fine] = found * found / (speed * speed) - (1 - bound * bound / (speed * speed));
        }
        print_message("law %d: %g m/s bound; v'^2 off by %.1e, %.1e, energy by %.1e, %.1e\n", sticks[l],
                      bound, error[0], error[1], lack[0], lack[1]);
        CHECK_CLOSE(error[1], 0, 0.02);
        CHECK_CLOSE(lack[1], 0, 0.02);
        assert_true(fabs(error[1]) < 0.6 * fabs(error[0]) + 1e-4); /* a quarter, but for where in a step */
        if (w > 0)
            assert_true(rebound(&m, 0.8 * bound, 100, &lack[0]) == 0);
    }
}

/* ---- Packings ---- */

/* A wet, a glued or a sticky packing is sheared and pulled apart: what was done on it is kinetic, stored, or in one of
 * the dissipations, to the order of the step; and it bears tension, which grains without do not. */
static void packings_bear_tension_and_keep_their_energy(void **state)
{
    (void)state;
    for (int l = 0; l < STICKS; l++) {
        const double pressure = 2e5;
        sw_dem_material m = sticky(sticks[l]), dry = m;
        m.young = dry.young = 1e9;
        m.adhesion = 30; /* pulls of some 5 to 10 mN, as the pressure presses */
        m.bond_strength = 1e6;
        m.liquid_volume = 2e-15;
        m.liquid_tension = 20;
        dry.law = m.law == SW_DEM_DMT || m.law == SW_DEM_JKR ? SW_DEM_HERTZ_MINDLIN : SW_DEM_LINEAR;
        sw_dem_packing pack = dem_pack_dense(100, &dry, pressure, 0.1, 5);
        sw_dem_numerics numerics = sw_dem_numerics_defaults();
        numerics.record_interval = 20;
        numerics.step = 0.1;
        const double rate = dem_rate(&m, 8.75e-5, pressure, 2e-2);
        double least[2];
        for (int wet = 0; wet < 2; wet++) {
            sw_dem_stage stage[2] = {dem_isotropic(0.2 * pressure, rate, -1), dem_steps(1)};
            stage[1].until = SW_DEM_UNTIL_STRAIN;
            stage[1].component = 2;
            stage[1].goal = 0.02;
            stage[1].velocity_gradient[2][2] = rate;
            sw_dem *dem = dem_open(NULL, &pack, wet ? &m : &dry, &numerics, 2, stage);
            dem_finish(dem);
            int64_t n;
            const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
            least[wet] = INFINITY;
            double size = 0; /* of what went to and fro: elastic energies, and what was dissipated */
            for (int64_t i = 1; i < n; i++) {
                least[wet] = fmin(least[wet], row[i].stress_33);
                size = fmax(size, fabs(row[i].elastic_energy) + row[i].friction_work + row[i].plastic_work +
                                      row[i].damping_work);
            }
            const double lack = dem_imbalance(&row[n - 1]) - dem_imbalance(&row[0]);
            print_message("law %d, wet %d: least stress %g Pa, energy off by %.1e\n", sticks[l], wet,
                          least[wet], lack / size);
            CHECK_CLOSE(lack, 0, 0.05 * size);
            sw_dem_close(dem);
        }
        assert_true(least[0] > -0.01 * pressure && least[1] < -0.05 * pressure);
        sw_dem_packing_free(&pack);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dmt_is_hertz_and_a_pull),
        cmocka_unit_test(jkr_is_its_closed_form),
        cmocka_unit_test(bridges_are_their_closed_form),
        cmocka_unit_test(bonds_bear_their_tension),
        cmocka_unit_test(forces_are_slopes_of_what_is_stored),
        cmocka_unit_test(impacts_lose_what_bonds_take),
        cmocka_unit_test(packings_bear_tension_and_keep_their_energy),
    };
    return cmocka_run_group_tests_name("contacts that pull", tests, NULL, NULL);
}
