/* The step of an elastic-plastic crystal: what has to balance, checked in double precision; what is known in
 * closed form; loads that change. In lanes here, one crystal at a time in test_elastoplastic_scalar.c. */
#ifndef SW_COMMON_MATH_LANES_H
#include "common/math/lanes_floats.h"
#endif

#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "online/response/elastoplastic/elastoplastic.h"

enum { SCALAR = SW_LANES == 1, BUNDLES = SCALAR ? 640 : 40 };

static sw_elastoplastic_model model;
static sw_material material;

static void prepare(int structure, double m)
{
    material = copper();
    material.crystal_structure = structure;
    material.slip.rate_sensitivity = m;
    CHECK_OK(sw_elastoplastic_prepare(&material, &model));
}

/* Under a velocity gradient, 1/s, for dt, s; good until the next. */
static sw_slip_step step_under(const double l[3][3], double dt)
{
    static sw_slip_loading loading;
    double square = 0;
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    for (int k = 0; k < 6; k++) {
        const double d = 0.5 * (l[row[k]][column[k]] + l[column[k]][row[k]]);
        loading.strain_rate[k] = sw_broadcast(d);
        square += (k < 3 ? 1 : 2) * d * d;
    }
    const double w[3] = {0.5 * (l[0][1] - l[1][0]), 0.5 * (l[0][2] - l[2][0]), 0.5 * (l[1][2] - l[2][1])};
    const double axial[3] = {-w[2], w[1], -w[0]};
    for (int i = 0; i < 3; i++)
        loading.turn[i] = sw_broadcast(axial[i] * dt);
    const sw_slip_rates rates = sw_elastoplastic_rates(&model, (float)dt);
    return sw_slip_step_of(&rates, loading.strain_rate, loading.turn, sw_broadcast(sqrt(square)), (float)dt,
                           &material.hardening);
}

static const double rate = 1e-3;
static const double compression[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}},
                    back[3][3] = {{-1e-3, 0, 0}, {0, 0, 0}, {0, 0, 1e-3}},
                    shear[3][3] = {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}},
                    tension[3][3] = {{-5e-4, 0, 0}, {0, -5e-4, 0}, {0, 0, 1e-3}}, rest[3][3] = {{0}},
                    spin_alone[3][3] = {{0, 1e-3, 0}, {-1e-3, 0, 0}, {0, 0, 0}};

static sw_elastoplastic_crystal crystals_at(double orientation[SW_LANES][3][3])
{
    sw_elastoplastic_crystal c;
    for (int i = 0; i < 5; i++)
        c.stress[i] = sw_broadcast(0.0);
    c.slip_resistance = sw_broadcast(16e6);
    for (int lane = 0; lane < SW_LANES; lane++) {
        double q[4];
        sw_quaternion_from_rotation(orientation[lane], q);
        for (int i = 0; i < 4; i++)
            sw_set_lane(&c.orientation[i], lane, q[i]);
    }
    return c;
}

static sw_elastoplastic_crystal random_crystals(uint64_t seed, uint64_t n)
{
    double g[SW_LANES][3][3];
    for (int lane = 0; lane < SW_LANES; lane++) {
        double euler[3];
        sw_random_orientation(seed, n * SW_LANES + (uint64_t)lane, euler);
        sw_rotation_from_euler(euler, g[lane]);
    }
    return crystals_at(g);
}

/* How many lanes made the step. */
static int advance(const sw_slip_step *step, sw_elastoplastic_crystal *c, sw_real *slip_rate,
                   sw_real *iterations)
{
    const sw_mask mask =
        sw_elastoplastic(&model, model.slip.systems, step, c, NULL, slip_rate, iterations, NULL);
    int good = 0;
    for (int lane = 0; lane < SW_LANES; lane++)
        good += sw_mask_lane(mask, lane);
    return good;
}

static void advance_all(const double l[3][3], double dt, sw_elastoplastic_crystal *c)
{
    sw_real slip_rate, iterations;
    const sw_slip_step step = step_under(l, dt);
    assert_int_equal(advance(&step, c, &slip_rate, &iterations), SW_LANES);
}

/* ---- The step, in double ---- */

typedef struct {
    double q[4], s, stress[5];
} plain;

static plain plain_of(const sw_elastoplastic_crystal *c, int lane)
{
    plain p = {.s = sw_lane(c->slip_resistance, lane)};
    for (int i = 0; i < 4; i++)
        p.q[i] = sw_lane(c->orientation[i], lane);
    for (int i = 0; i < 5; i++)
        p.stress[i] = sw_lane(c->stress[i], lane);
    return p;
}

/* dt sum |gamma_a|, and dt times the flow and the spin, of stress over s. */
static double slips_of(const plain *p, double dt, double flow[5], double spin[3])
{
    double schmid[SW_SLIP_SYSTEMS_MAX][5], skew[SW_SLIP_SYSTEMS_MAX][3], total = 0;
    const sw_slip_systems *systems = systems_of(material.crystal_structure);
    sw_schmid_vectors(systems, schmid, skew);
    memset(flow, 0, 5 * sizeof *flow);
    memset(spin, 0, 3 * sizeof *spin);
    for (int a = 0; a < systems->count; a++) {
        double tau = 0;
        for (int i = 0; i < 5; i++)
            tau += schmid[a][i] * p->stress[i];
        const double slip = copysign(
            dt * material.slip.reference_slip_rate * pow(fabs(tau), 1 / material.slip.rate_sensitivity), tau);
        total += fabs(slip);
        for (int i = 0; i < 5; i++)
            flow[i] += slip * schmid[a][i];
        for (int i = 0; i < 3; i++)
            spin[i] += slip * skew[a][i];
    }
    return total;
}

static void multiply(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i + 1] = p[0] * q[i + 1] + p[i + 1] * q[0] + p[j + 1] * q[k + 1] - p[k + 1] * q[j + 1];
    }
}

static void turn_of(const double axial[3], double part, double q[4])
{
    const double angle = part * sqrt(axial[0] * axial[0] + axial[1] * axial[1] + axial[2] * axial[2]);
    q[0] = cos(angle / 2);
    for (int i = 0; i < 3; i++)
        q[i + 1] = angle > 0 ? sin(angle / 2) / angle * part * axial[i] : 0;
}

/* exp(part W dt) q exp(-part Wp dt) */
static void turned(const double l[3][3], double dt, const double spin[3], double part, const double q[4],
                   double out[4])
{
    const double w[3] = {-0.5 * dt * (l[1][2] - l[2][1]), 0.5 * dt * (l[0][2] - l[2][0]),
                         -0.5 * dt * (l[0][1] - l[1][0])};
    const double wp[3] = {spin[2], -spin[1], spin[0]};
    double left[4], right[4], between[4];
    turn_of(w, part, left);
    turn_of(wp, part, right);
    multiply(left, q, between);
    multiply(between, right, out);
}

static void rotation_of(const double q[4], double r[3][3])
{
    const double *v = q + 1, w = q[0];
    const double s = 2 / (w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i][i] = 1 - s * (v[j] * v[j] + v[k] * v[k]);
        r[i][j] = s * (v[i] * v[j] - w * v[k]);
        r[j][i] = s * (v[i] * v[j] + w * v[k]);
    }
}

/* R^T D R dt, seen from the middle of the step that spins so. */
static void strain_of(const double l[3][3], double dt, const double spin[3], const double q[4], double v[5])
{
    double middle[4], r[3][3], d[3][3] = {{0}};
    turned(l, dt, spin, 0.5, q, middle);
    rotation_of(middle, r);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++)
            d[i / 3][i % 3] += dt * r[k / 3][i / 3] * l[k / 3][k % 3] * r[k % 3][i % 3];
    for (int a = 0; a < 5; a++) {
        v[a] = 0;
        for (int i = 0; i < 9; i++)
            v[a] += d[i / 3][i % 3] * sw_deviator_basis(a, sw_six_of(i / 3, i % 3));
    }
}

static double norm(const double *v, int n)
{
    double square = 0;
    for (int i = 0; i < n; i++)
        square += v[i] * v[i];
    return sqrt(square);
}

/* How far a step in one part is from Euler's equation, as a strain: with the middle that the stored stress
 * predicts, or, less what it may be off, with that of the answer. */
static double imbalance(const double l[3][3], double dt, const plain *a, const plain *b)
{
    const double stiffness[2] = {material.elasticity.c11 - material.elasticity.c12,
                                 2 * material.elasticity.c44};
    double flow[5], spin[2][3], strain[5], size[2], moved = 0;
    slips_of(a, dt, flow, spin[0]);
    slips_of(b, dt, flow, spin[1]);
    for (int guess = 0; guess < 2; guess++) {
        double left[5];
        strain_of(l, dt, spin[guess], a->q, strain);
        for (int i = 0; i < 5; i++)
            left[i] = strain[i] - flow[i] - (b->s * b->stress[i] - a->s * a->stress[i]) / stiffness[i > 1];
        size[guess] = norm(left, 5);
    }
    for (int i = 0; i < 3; i++)
        moved += (spin[1][i] - spin[0][i]) * (spin[1][i] - spin[0][i]) / 4;
    /* a tensor that is turned by an angle changes by at most twice that part of it; one correction leaves 2e-3 rad */
    const double corrected = size[1] - 2 * 2e-3 * norm(strain, 5);
    return sqrt(moved) > 0.5 * SW_MIDDLE_TURN ? fmin(size[0], fmax(corrected, 0)) : size[0];
}

static void set_worst(double *worst, double value)
{
    if (!(value <= *worst))
        *worst = value;
}

/* Along a path with an elastic beginning, flow, a change, and unloading: the elastic strain balances to the
 * solver's tolerance, 1e-4 of the strain, and to rounding: of slips, n 6e-8 of tau's sum of five products on a
 * flow of 2.5; of elastic strains of up to s |x| / C = 8e-3 at 3e-7; where the middle was corrected, the
 * answer's spin is the one that it was corrected with but for the last step, which slips of 1e-2 of a step of
 * 0.04 turn by 4e-4 / 2. s is the law's, and the lattice turns by both spins. */
static void the_step_balances(void **state)
{
    (void)state;
    const double m[] = {0.012, 0.05, 0.3, 0.005, 1};
    const int structures[] = {SW_LATTICE_fcc, SW_LATTICE_bcc24, SW_LATTICE_bcc48};
    static const struct {
        const double (*l)[3];
        double strain;
        int steps;
    } legs[] = {{compression, 1e-4, 3}, {compression, 0.02, 6}, {shear, 0.005, 6},
                {tension, 0.04, 3},     {back, 2e-4, 3},        {back, 0.02, 2}};
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 5; i++) {
            double worst = 0, worst_s = 0, worst_turn = 0;
            int divided = 0; /* steps that take more than a part */
            prepare(structures[c], m[i]);
            for (uint64_t n = 0; n < BUNDLES; n++) {
                sw_elastoplastic_crystal one = random_crystals(7, n);
                for (size_t leg = 0; leg < sizeof legs / sizeof *legs; leg++)
                    for (int k = 0; k < legs[leg].steps; k++) {
                        const double dt = legs[leg].strain / rate;
                        const sw_elastoplastic_crystal before = one;
                        const sw_slip_step step = step_under(legs[leg].l, dt);
                        sw_real slip_rate = sw_broadcast(0.0), iterations = sw_broadcast(0.0);
                        sw_mask good = sw_elastoplastic_advance(&model, model.slip.systems, &step, sw_if(1),
                                                                sw_broadcast(1.0), &one, NULL, &slip_rate,
                                                                &iterations, NULL);
                        for (int lane = 0; lane < SW_LANES; lane++) {
                            const plain a = plain_of(&before, lane), b = plain_of(&one, lane);
                            double flow[5], spin[3], end[4], off = 0;
                            if (!sw_mask_lane(good, lane)) {
                                divided++;
                                continue;
                            }
                            const double slip = slips_of(&b, dt, flow, spin);
                            const double hardened = sw_lane(
                                sw_harden(&material.hardening, sw_broadcast(a.s), sw_broadcast(slip)), 0);
                            set_worst(&worst, imbalance(legs[leg].l, dt, &a, &b) / (legs[leg].strain + 3e-3));
                            set_worst(&worst_s, fabs(b.s - hardened) / a.s);
                            turned(legs[leg].l, dt, spin, 1, a.q, end);
                            for (int k2 = 0; k2 < 4; k2++)
                                off += pow(end[k2] / norm(end, 4) - b.q[k2] / norm(b.q, 4), 2);
                            set_worst(&worst_turn, 2 * sqrt(off));
                        }
                    }
            }
            /* over strain + 3e-3: elastic strains of 8e-3 round to 2.4e-9, a small part of 3e-7 */
            print_message("structure %d, m = %g: %.2e, s %.2e, turn %.2e, %d divided\n", structures[c], m[i],
                          worst, worst_s, worst_turn, divided);
            CHECK_CLOSE(worst, 0, model.tolerance + 2.5 * 6e-7 / m[i] + 1e-4);
            CHECK_CLOSE(worst_s, 0, 2e-6 + 0.1 * 6e-7 / m[i]);
            CHECK_CLOSE(worst_turn, 0, 2e-6 + 0.1 * 6e-7 / m[i]);
            assert_true(divided <= 23 * BUNDLES * SW_LANES / 100);
        }
}

/* ---- Known answers ---- */

/* A cube crystal pulled along [001] without hardening: eight systems slip alike, and at steady state
 * s33 - s11 = sqrt 6 s (sqrt 6 D33 / 8 v0)^m, exactly, as in test_rigid_plastic.c; a strain rate wrong by 1e-4 of
 * sqrt(3/2) D33 moves it by a relative 4e-4 m. Before, the first step of 1e-4 is elastic: (C11 - C12) 3/2
 * times the axial strain, less the slips of 1e-8 and less. */
static void cube_in_tension_is_known(void **state)
{
    (void)state;
    const double m[] = {0.005, 0.012, 0.05};
    for (int i = 0; i < 3; i++) {
        double g[SW_LANES][3][3] = {{{0}}}, lateral;
        prepare(SW_LATTICE_fcc, m[i]);
        material.hardening.voce.initial_hardening_rate = 0;
        for (int lane = 0; lane < SW_LANES; lane++)
            for (int k = 0; k < 3; k++)
                g[lane][k][k] = 1;
        sw_elastoplastic_crystal c = crystals_at(g);
        advance_all(tension, 0.02, &c); /* a strain of 2e-5 */
        const double elastic = 1.5 * (material.elasticity.c11 - material.elasticity.c12) * 2e-5;
        CHECK_CLOSE(16e6 * sqrt(1.5) * sw_lane(c.stress[1], 0) / elastic, 1, 1e-4);
        for (int k = 0; k < 30; k++)
            advance_all(tension, 20, &c);
        lateral = sw_lane(c.stress[0], 0);
        CHECK_CLOSE(sqrt(1.5) * sw_lane(c.stress[1], 0) / (sqrt(6) * pow(sqrt(6) / 8, m[i])), 1,
                    4e-4 * m[i] + 1e-6);
        CHECK_CLOSE(lateral, 0, 1e-4);
        CHECK_CLOSE(sw_lane(c.orientation[0], 0), 1, 1e-6);
    }
}

/* Pure spin turns lattice and stress together: nothing else changes but by relaxation, at a stress of half the
 * yield stress not at all. */
static void spin_alone_turns(void **state)
{
    (void)state;
    prepare(SW_LATTICE_fcc, 0.012);
    sw_elastoplastic_crystal c = random_crystals(3, 0);
    advance_all(compression, 0.1, &c);
    const sw_elastoplastic_crystal before = c;
    for (int k = 0; k < 10; k++)
        advance_all(spin_alone, 30, &c);
    for (int lane = 0; lane < SW_LANES; lane++) {
        const plain a = plain_of(&before, lane), b = plain_of(&c, lane);
        const double none[3] = {0};
        double end[4], off = 0;
        for (int i = 0; i < 5; i++)
            CHECK_CLOSE(b.stress[i], a.stress[i], 1e-5 * norm(a.stress, 5));
        turned(spin_alone, 300, none, 1, a.q, end);
        for (int i = 0; i < 4; i++)
            off += end[i] * b.q[i];
        CHECK_CLOSE(fabs(off) / norm(b.q, 4), 1, 2e-6);
    }
}

/* Held at rest a stress relaxes: it falls, ever slower, and by no more than slips of m times the elastic
 * strain a decade allow. */
static void a_held_stress_relaxes(void **state)
{
    (void)state;
    prepare(SW_LATTICE_fcc, 0.012);
    sw_elastoplastic_crystal c = random_crystals(4, 0);
    for (int k = 0; k < 5; k++)
        advance_all(compression, 20, &c);
    double last[SW_LANES];
    for (int lane = 0; lane < SW_LANES; lane++)
        last[lane] = norm(plain_of(&c, lane).stress, 5);
    for (double dt = 0.01; dt < 2e6; dt *= 10) {
        advance_all(rest, dt, &c);
        for (int lane = 0; lane < SW_LANES; lane++) {
            const double now = norm(plain_of(&c, lane).stress, 5);
            assert_true(now <= last[lane] * (1 + 1e-6) && now >= last[lane] * (1 - 5 * 0.012 * log(10)));
            last[lane] = now;
        }
    }
}

/* ---- Robustness ---- */

/* Any change of load, any size of step, all at once: every crystal finds its answer, with the same few
 * iterations as ever where nothing changes. */
static void changes_of_load_are_survived(void **state)
{
    (void)state;
    const double(*const loads[])[3] = {compression, back, shear, tension, rest, spin_alone};
    const double m[] = {0.012, 0.05, 1, 0.004};
    const int structures[] = {SW_LATTICE_fcc, SW_LATTICE_bcc24, SW_LATTICE_bcc48};
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 4; i++) {
            double most = 0;
            prepare(structures[c], m[i]);
            for (uint64_t n = 0; n < BUNDLES / 4; n++) {
                sw_elastoplastic_crystal one = random_crystals(11, n);
                for (uint64_t k = 0; k < 40; k++) {
                    double u[4];
                    sw_real slip_rate, iterations;
                    sw_random_uniform4(13, n * 40 + k, 0, u);
                    const double fast = pow(10, 6 * (u[1] - 0.5)), strain = pow(10, -5 + 4 * u[2]);
                    double l[3][3];
                    for (int e = 0; e < 9; e++)
                        l[e / 3][e % 3] = fast * loads[(int)(5.999 * u[0])][e / 3][e % 3];
                    const sw_slip_step step = step_under((const double(*)[3])l, strain / (rate * fast));
                    assert_int_equal(advance(&step, &one, &slip_rate, &iterations), SW_LANES);
                    for (int lane = 0; lane < SW_LANES; lane++)
                        most = greatest(most, sw_lane(iterations, lane));
                }
            }
            print_message("structure %d, m = %g: at most %g iterations\n", structures[c], m[i], most);
        }
}

/* The means that the method was chosen for: 2.1 iterations a crystal in compression and 2.7 in shear, 2 %
 * steps from no stress to strain 1. */
static void few_iterations_are_enough(void **state)
{
    (void)state;
    const double(*const loads[2])[3] = {compression, shear};
    const double dt[2] = {0.02 / sqrt(2) / rate, 0.02 * sqrt(2) / rate}, mean[2] = {2.1, 2.75};
    enum { STEPS = 50 };
    prepare(SW_LATTICE_fcc, 0.012);
    for (int load = 0; load < 2; load++) {
        double total = 0;
        for (uint64_t n = 0; n < BUNDLES; n++) {
            sw_elastoplastic_crystal c = random_crystals(31, n);
            for (int k = 0; k < STEPS; k++) {
                sw_real slip_rate, iterations;
                const sw_slip_step step = step_under(loads[load], dt[load]);
                assert_int_equal(advance(&step, &c, &slip_rate, &iterations), SW_LANES);
                for (int lane = 0; lane < SW_LANES; lane++)
                    total += sw_lane(iterations, lane) / (STEPS * (double)SW_LANES * BUNDLES);
            }
        }
        CHECK_CLOSE(total, mean[load], 0.2);
    }
}

/* NaN in one lane fails there, and nowhere else. */
static void a_bad_lane_is_alone(void **state)
{
    (void)state;
    prepare(SW_LATTICE_fcc, 0.012);
    sw_elastoplastic_crystal a = random_crystals(29, 0);
    advance_all(compression, 10, &a);
    sw_elastoplastic_crystal b = a;
    sw_real slip_rate, iterations;
    const sw_slip_step step = step_under(shear, 20);
    sw_set_lane(&b.stress[2], SW_LANES - 1, NAN);
    assert_int_equal(advance(&step, &a, &slip_rate, &iterations), SW_LANES);
    assert_int_equal(advance(&step, &b, &slip_rate, &iterations), SW_LANES - 1);
    for (int lane = 0; lane < SW_LANES - 1; lane++)
        for (int i = 0; i < 5; i++)
            assert_true(sw_lane(a.stress[i], lane) == sw_lane(b.stress[i], lane));
}

/* The same bits in any company: lanes in reverse order, along a path with changes. */
static void no_crystal_minds_its_neighbours(void **state)
{
    (void)state;
    const double(*const loads[])[3] = {compression, compression, shear, back, back, tension, shear};
    prepare(SW_LATTICE_fcc, 0.012);
    for (uint64_t n = 0; n < BUNDLES; n++) {
        sw_elastoplastic_crystal a = random_crystals(37, n), b = a;
        for (int lane = 0; lane < SW_LANES; lane++)
            for (int i = 0; i < 4; i++)
                sw_set_lane(&b.orientation[i], lane, sw_lane(a.orientation[i], SW_LANES - 1 - lane));
        for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
            advance_all(loads[k], k == 3 ? 0.2 : 20, &a);
            advance_all(loads[k], k == 3 ? 0.2 : 20, &b);
        }
        for (int lane = 0; lane < SW_LANES; lane++)
            for (int i = 0; i < 5; i++)
                assert_true(sw_lane(a.stress[i], lane) == sw_lane(b.stress[i], SW_LANES - 1 - lane));
    }
}

static void bad_materials_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -0.1, 1e-3, 1.1, NAN};
    for (int i = 0; i < 5; i++) {
        sw_material wrong = copper();
        wrong.slip.rate_sensitivity = bad[i];
        assert_int_equal(sw_elastoplastic_prepare(&wrong, &model), SW_ERR_RANGE);
        assert_message_has("solver = elastoplastic: rate_sensitivity");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_balances),
        cmocka_unit_test(cube_in_tension_is_known),
        cmocka_unit_test(spin_alone_turns),
        cmocka_unit_test(a_held_stress_relaxes),
        cmocka_unit_test(changes_of_load_are_survived),
        cmocka_unit_test(few_iterations_are_enough),
        cmocka_unit_test(a_bad_lane_is_alone),
        cmocka_unit_test(no_crystal_minds_its_neighbours),
        cmocka_unit_test(bad_materials_are_refused),
    };
    return cmocka_run_group_tests_name(SCALAR ? "elastoplastic, one crystal" : "elastoplastic", tests, NULL,
                                       NULL);
}
