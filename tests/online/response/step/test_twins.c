/* A crystal of magnesium that turns into its twin: {10-12} lies 43.15 degrees from the basal plane, so that c turns by 86.3. */
#include "tests/families.h"

#include "common/math/rotation.h"
#include "common/math/tensor.h"
#include "online/response/iterative/half_turn.h"
#include "online/response/step/solver.h"

static const double along_c[3][3] = {{-0.5e-3, 0, 0}, {0, -0.5e-3, 0}, {0, 0, 1e-3}},
                    other_way[3][3] = {{0.5e-3, 0, 0}, {0, 0.5e-3, 0}, {0, 0, -1e-3}};

static void c_axis(const sw_crystal *crystal, double c[3])
{
    const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        c[i] = g[i][2];
}

/* The angle between c before and after the step that turns it, degrees; 0: none did. sigma_33 - sigma_11 before it and in the next
 * step, Pa. */
static double turn_of(const char *solver, const double l[3][3], double stress[2])
{
    const sw_material m = material_of(hexagonal_turning);
    sw_crystal crystal = {{0.3F, 0.1F, 0.2F}, (float)m.slip.initial_slip_resistance};
    sw_response *r;
    sw_crystals c;
    sw_response_average average;
    double angle = 0;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver, .material = &m}, &r));
    CHECK_OK(sw_crystals_of(r, 1, &crystal, NULL, &c));
    for (int k = 0; k < 120 && angle < 20; k++) {
        double before[3], after[3], cosine = 0;
        c_axis(&crystal, before);
        CHECK_OK(sw_response_step(r, l, 1, &c, &c, &average));
        stress[0] = average.cauchy_stress[2][2] - average.cauchy_stress[0][0];
        c_axis(&crystal, after);
        for (int i = 0; i < 3; i++)
            cosine += before[i] * after[i];
        angle = acos(fmin(fabs(cosine), 1)) * 180 / SW_PI;
    }
    CHECK_OK(sw_response_step(r, l, 1e-3, &c, &c, &average));
    stress[1] = average.cauchy_stress[2][2] - average.cauchy_stress[0][0];
    sw_crystals_release(&c);
    sw_response_close(r);
    return angle;
}

/* To the lattice's turn in one step of 1e-3 besides. With elastic strains the stress goes on as it was. */
static void pulled_along_c_it_turns(void **state)
{
    (void)state;
    double stress[2];
    CHECK_CLOSE(turn_of("rigid_plastic", along_c, stress), 86.3, 0.3);
    CHECK_CLOSE(turn_of("elastoplastic", along_c, stress), 86.3, 0.3);
    assert_true(stress[0] > 50e6);
    CHECK_CLOSE(stress[1] / stress[0], 1, 0.02);
    CHECK_CLOSE(turn_of("iterative", along_c, stress), 86.3, 0.3);
    assert_true(stress[0] > 50e6);
    CHECK_CLOSE(stress[1] / stress[0], 1, 0.02);
}

static void pressed_it_does_not(void **state)
{
    (void)state;
    double stress[2];
    assert_true(turn_of("rigid_plastic", other_way, stress) < 1);
    assert_true(turn_of("elastoplastic", other_way, stress) < 1);
    assert_true(turn_of("iterative", other_way, stress) < 1);
}

/* ---- Points ---- */

enum { P = 3, N = 300, STEPS = 60 }; /* crystals of three rows of turns, the last one not full */

static float weight[P * N];

/* Weights of 0.5 to 1.5, so that fractions are by them. */
static sw_crystals some(const sw_response *r, const sw_material *m, int64_t n)
{
    sw_crystals c;
    CHECK_OK(sw_crystals_make(r, n, &c));
    CHECK_OK(sw_crystals_randomise(SW_CPU, n, c.crystal, 7, 0, (float)m->slip.initial_slip_resistance));
    CHECK_OK(sw_crystals_begin(r, &c));
    for (int64_t i = 0; i < P * N; i++)
        weight[i] = 0.5F + (float)(i * 37 % 101) / 100;
    c.weight = weight;
    return c;
}

static void gradient_of(int p, double l[3][3])
{
    const double twist = 2e-4 * p;
    const double own[3][3] = {{0.5e-3, twist, 0}, {0, 0.5e-3, 0}, {0, 0, -1e-3}};
    memcpy(l, own, sizeof own);
}

static int turned_of(const sw_crystals *c, int64_t first)
{
    const sw_state_field *f = sw_state_field_find(c->layout, "twins_turned");
    const int place = sw_state_field_place(c->layout, f);
    int turned = 0;
    for (int64_t i = first; i < first + N; i++)
        turned += c->state[i * c->layout->numbers + place + f->values - 1] > 0;
    return turned;
}

/* Each as if it were alone: the same crystals turn in the same steps, and states are the same bits. */
static void points_are_polycrystals_of_their_own(void **state)
{
    (void)state;
    const sw_material m = material_of(hexagonal_turning);
    static const char *const solver[] = {"elastoplastic", "rigid_plastic"};
    for (int k = 0; k < 2; k++) {
        sw_response *r;
        double l[P][3][3], stress[P][6];
        int turned = 0;
        CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver[k], .material = &m}, &r));
        sw_crystals all = some(r, &m, P * N), alone = some(r, &m, P * N);
        for (int p = 0; p < P; p++)
            gradient_of(p, l[p]);
        for (int n = 0; n < STEPS; n++) {
            CHECK_OK(sw_response_step_each(r, &(sw_points){.points = P,
                                                           .each = N,
                                                           .velocity_gradient = (const double(*)[3][3])l,
                                                           .dt = 2,
                                                           .from = &all,
                                                           .to = &all,
                                                           .stress = stress}));
            for (int p = 0; p < P; p++) {
                sw_crystals own = sw_crystals_part(&alone, p * N, N);
                sw_response_average average;
                CHECK_OK(sw_response_prepare(r, (const double(*)[3])l[p]));
                CHECK_OK(sw_response_step(r, (const double(*)[3])l[p], 2, &own, &own, &average));
                assert_int_equal(turned_of(&all, p * N), turned_of(&alone, p * N));
            }
        }
        for (int p = 0; p < P; p++) {
            turned = turned_of(&all, p * N);
            print_message("%s, point %d: %d of %d turned\n", solver[k], p, turned, N);
            assert_in_range(turned, N / 20, N * 9 / 10);
        }
        /* rigid_plastic's point is of crystals as the step begins with them, all its numbers by another path */
        if (k == 0)
            assert_memory_equal(all.crystal, alone.crystal, P * N * sizeof *all.crystal);
        sw_crystals_release(&all);
        sw_crystals_release(&alone);
        sw_response_close(r);
    }
}

/* What a step begins with stays, whether or not its end is kept: tried ten times, it comes to the same. */
static void a_try_turns_nothing(void **state)
{
    (void)state;
    const sw_material m = material_of(hexagonal_turning);
    sw_response *r;
    double l[3][3], stress[1][6], first[1][6];
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = &m}, &r));
    sw_crystals now = some(r, &m, N), next = some(r, &m, N), kept = some(r, &m, N);
    gradient_of(0, l);
    for (int n = 0; n < STEPS; n++) {
        sw_points points = {.points = 1,
                            .each = N,
                            .velocity_gradient = (const double(*)[3][3])l,
                            .dt = 2,
                            .from = &now,
                            .to = &next,
                            .stress = first};
        CHECK_OK(sw_crystals_assign(&kept, &now));
        CHECK_OK(sw_response_step_each(r, &points));
        points.stress = stress;
        points.to = n % 2 ? NULL : &next;
        CHECK_OK(sw_response_step_each(r, &points));
        assert_memory_equal(stress, first, sizeof first);
        assert_memory_equal(now.crystal, kept.crystal, N * sizeof *now.crystal);
        assert_memory_equal(now.state, kept.state, N * sizeof *now.state * now.layout->numbers);
        sw_crystals_swap(&now, &next);
    }
    assert_true(turned_of(&now, 0) > N / 20);
    sw_crystals_release(&now);
    sw_crystals_release(&next);
    sw_crystals_release(&kept);
    sw_response_close(r);
}

/* ---- Half a turn of the model's own state ---- */

/* Its deviator in the sample to the square of its strains (some 3e-3), its volume, and a stress that is its strain's. */
static void half_a_turn_keeps_what_is_borne(void **state)
{
    (void)state;
    const sw_material m = material_of(hexagonal_turning);
    const sw_stiffness c = sw_material_stiffness(&m);
    const double n[3] = {0.36, 0.48, 0.8};
    double f[3][3] = {{1.002, 0.001, 0}, {-0.002, 1.001, 0.003}, {0.001, 0, 0.999}};
    sw_crystal_state s = {.slip_resistance = 1};
    memcpy(s.elastic_deformation, f, sizeof f);
    for (int turn = 0; turn < 2; turn++) { /* the second, of one that is consistent */
        double e[6], a[3][3];
        const sw_crystal_output before = sw_crystal_state_output(&s);
        const double volume = sw_determinant(s.elastic_deformation);
        double mean[2] = {0};
        if (turn > 0)
            sw_crystal_half_turn(&c, n, &s);
        sw_multiply_transposed(s.elastic_deformation, s.elastic_deformation, a);
        for (int k = 0; k < 6; k++)
            e[k] = k < 3 ? (a[k][k] - 1) / 2 : a[sw_six_row(k)][sw_six_column(k)];
        for (int i = 0; i < 6; i++) {
            double stress = 0;
            for (int k = 0; k < 6; k++)
                stress += c.c6[i][k] * e[k];
            if (turn > 0)
                CHECK_CLOSE(s.stress[i], stress,
                            2e6); /* C times the cube of strains, and their square in the volume */
            s.stress[i] = turn > 0 ? s.stress[i] : stress;
        }
        if (turn == 0)
            continue;
        const sw_crystal_output after = sw_crystal_state_output(&s);
        CHECK_CLOSE(sw_determinant(s.elastic_deformation) / volume, 1, 1e-12);
        for (int i = 0; i < 3; i++) {
            mean[0] += before.cauchy_stress[i][i] / 3;
            mean[1] += after.cauchy_stress[i][i] / 3;
        }
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(after.cauchy_stress[k / 3][k % 3] - (k % 4 == 0) * mean[1],
                        before.cauchy_stress[k / 3][k % 3] - (k % 4 == 0) * mean[0], 2e6);
        for (int i = 0; i < 3; i++) { /* R' = R H, and H n = n */
            double was = 0, is = 0;
            for (int j = 0; j < 3; j++) {
                was += before.rotation[i][j] * n[j];
                is += after.rotation[i][j] * n[j];
            }
            CHECK_CLOSE(is, was, 1e-12);
        }
        CHECK_CLOSE(before.rotation[0][0] * after.rotation[0][0] +
                        before.rotation[1][0] * after.rotation[1][0] +
                        before.rotation[2][0] * after.rotation[2][0],
                    2 * n[0] * n[0] - 1, 1e-12);
    }
}

/* ---- Volume ---- */

/* Runs of `slipwave taylor` have room for children; a response's own steps and points say that they have none. */
static void transfer_needs_room(void **state)
{
    (void)state;
    const sw_material m = material_of(hexagonal_transferring);
    sw_material other;
    sw_response *r;
    sw_response_average average;
    double l[1][3][3], stress[1][6];
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = &m}, &r));
    sw_crystals c = some(r, &m, 2);
    gradient_of(0, l[0]);
    assert_int_equal(sw_response_step(r, (const double(*)[3])l[0], 1, &c, &c, &average), SW_ERR_UNAVAILABLE);
    assert_message_has("a response's steps have no room for the children");
    assert_int_equal(sw_response_step_each(r, &(sw_points){.points = 1,
                                                           .each = 2,
                                                           .velocity_gradient = (const double(*)[3][3])l,
                                                           .dt = 1,
                                                           .from = &c,
                                                           .to = &c,
                                                           .stress = stress}),
                     SW_ERR_UNAVAILABLE);
    assert_message_has("points with a loading each have no room for the children");
    sw_crystals_release(&c);
    sw_response_close(r);
    assert_int_equal(
        sw_material_parse("filled.yaml",
                          "name: filled\n" HEXAGONAL
                          "    - {family: tension_twin, initial_slip_resistance: 40.0e6, "
                          "initial_hardening_rate: 50.0e6, hardening_by_slip: 0, twin_threshold: 0.3, "
                          "twin_transfer: yes}\nhardening: {law: phenopowerlaw}\n",
                          &other),
        SW_ERR_INPUT);
    assert_message_has(
        "slip.families[2].twin_transfer: by law = phenopowerlaw twins slip in what they leave");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pulled_along_c_it_turns),
                                       cmocka_unit_test(pressed_it_does_not),
                                       cmocka_unit_test(points_are_polycrystals_of_their_own),
                                       cmocka_unit_test(a_try_turns_nothing),
                                       cmocka_unit_test(half_a_turn_keeps_what_is_borne),
                                       cmocka_unit_test(transfer_needs_room)};
    return cmocka_run_group_tests_name("twins turn crystals", tests, NULL, NULL);
}
