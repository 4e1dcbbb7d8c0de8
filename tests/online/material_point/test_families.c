/* Material points of crystals whose families of slip systems have resistances of their own, and user subroutines' of them. */
#include "tests/online/material_point/points.h"

#include "tests/hexagonal.h"
#include "tests/structured.h"

#include <limits.h>

#include "online/response/step/solver.h"
#include "slipwave/material_point.h"
#include "slipwave/umat.h"

enum { N = 12, STEPS = 9, ROOM = 4096 };

static char folder[PATH_MAX];

static const char *in_folder(const char *name)
{
    static char path_of[PATH_MAX + 64];
    snprintf(path_of, sizeof path_of, "%s/%s", folder, name);
    return path_of;
}

static int set_up(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/slipwave-point-families-XXXXXX", base == NULL ? "/tmp" : base);
    if (mkdtemp(folder) == NULL || setenv("SLIPWAVE_MATERIALS", folder, 1) != 0)
        return -1;
    write_text(in_folder("twinning.yaml"), twinning_text);
    write_text(in_folder("ratios.yaml"), ratios_text);
    write_text(in_folder("turning.yaml"), turning_text);
    write_text(in_folder("structured.yaml"), structured_text);
    write_text(in_folder("structure.yaml"), "material: structured.yaml\ncrystals: {count: 12, seed: 4}\n");
    write_text(in_folder("turns.yaml"), "material: turning.yaml\ncrystals: {count: 12, seed: 4}\n");
    write_text(in_folder("twins.yaml"), "material: twinning.yaml\ncrystals: {count: 12, seed: 4}\n");
    write_text(in_folder("rigid.yaml"),
               "material: twinning.yaml\nsolver: rigid_plastic\ncrystals: {count: 12, seed: 4}\n");
    write_text(in_folder("ratio.yaml"), "material: ratios.yaml\ncrystals: {count: 12, seed: 4}\n");
    return 0;
}

static const struct {
    const char *point, *material, *solver;
} cases[] = {{"twins.yaml", "twinning.yaml", "elastoplastic"},
             {"rigid.yaml", "twinning.yaml", "rigid_plastic"},
             {"ratio.yaml", "ratios.yaml", "elastoplastic"},
             {"turns.yaml", "turning.yaml", "elastoplastic"},
             {"structure.yaml", "structured.yaml", "elastoplastic"}};
enum { CASES = 5, TURNING = 3 };

/* The same crystals by sw_response_step: stresses at the steps' ends but of rigid_plastic, whose points have those of the
 * orientations at the beginning; resistances and what is remembered, by the numbers that the response has. */
static void a_point_is_a_taylor_polycrystal(void **state)
{
    (void)state;
    for (int s = 0; s < CASES; s++) {
        sw_point_model *model;
        sw_material *material;
        sw_response *response;
        sw_crystal crystal[N];
        sw_crystals c;
        double own[ROOM], f0[1][3][3], f1[1][3][3], stress[1][6];
        CHECK_OK(sw_point_model_read(in_folder(cases[s].point), &model));
        CHECK_OK(sw_material_open(in_folder(cases[s].material), &material));
        CHECK_OK(sw_response_open(&(sw_response_options){.solver = cases[s].solver, .material = material},
                                  &response));
        CHECK_OK(
            sw_crystals_randomise(SW_CPU, N, crystal, 4, 0, (float)sw_material_slip_resistance(material)));
        CHECK_OK(sw_crystals_of(response, N, crystal, NULL, &c));
        const int64_t kept = sw_response_layout(response)->numbers,
                      stride = sw_point_model_crystal_numbers(model);
        assert_true(kept > 5);
        assert_int_equal(stride, 4 + kept);
        assert_in_range(sw_point_model_state_numbers(model), SW_POINT_CRYSTALS + N * stride, ROOM);
        CHECK_OK(sw_point_begin(model, 0, own));
        for (int k = 0; k < N * kept; k++)
            CHECK_CLOSE(own[SW_POINT_CRYSTALS + k / kept * stride + 4 + k % kept], c.state[k], 0);
        memcpy(f0[0], unit, sizeof unit);
        for (int k = 0; k < STEPS; k++) {
            double l[3][3];
            sw_response_average average;
            path(k, l);
            follow((const double(*)[3])l, 10, (const double(*)[3])f0[0], f1[0]);
            CHECK_OK(sw_point_advance(model, &(sw_point_update){.points = 1,
                                                                .dt = 10,
                                                                .old_gradient = (const double(*)[3][3])f0,
                                                                .new_gradient = (const double(*)[3][3])f1,
                                                                .old_state = own,
                                                                .new_state = own,
                                                                .stress = stress}));
            CHECK_OK(sw_response_step(response, (const double(*)[3])l, 10, &c, &c, &average));
            memcpy(f0, f1, sizeof f0);
            const double(*t)[3] = (const double(*)[3])average.cauchy_stress;
            const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
            for (int i = 0; i < 6 && s != 1;
                 i++) /* the volume's pressure is of rounding, deviators' is in both */
                CHECK_CLOSE(stress[0][i], t[row[i]][column[i]], 100e6 * 1e-7); /* floats */
            CHECK_CLOSE(own[SW_POINT_SLIP_RESISTANCE], average.slip_resistance, 50e6 * 1e-7);
        }
        const sw_state_field *turns = sw_state_field_find(c.layout, "twins_turned");
        int turned = 0;
        for (int k = 0; k < N && turns != NULL; k++)
            turned += c.state[(k + 1) * kept - 1] > 0; /* of the last family, the last number */
        assert_true(s == TURNING ? turned > 1 && turned < N : turned == 0);
        for (int k = 0; k < N; k++) {
            const double *one = own + SW_POINT_CRYSTALS + k * stride;
            CHECK_CLOSE(one[3], crystal[k].slip_resistance, 50e6 * 2e-7);
            for (int64_t i = 5; i < kept; i++)
                CHECK_CLOSE(one[4 + i], c.state[k * kept + i], 1e-6 * (1e-3 + fabs(c.state[k * kept + i])));
        }
        sw_crystals_release(&c);
        sw_response_close(response);
        sw_material_close(material);
        sw_point_model_close(model);
    }
}

/* By differences of whole steps; resistances of systems are followed but for how they change with the step, which the
 * tangent leaves out: some per cent of hardening's part, itself some per cent. */
static void tangents_are_those_of_the_step(void **state)
{
    (void)state;
    sw_point_model *model;
    double own[ROOM], f0[1][3][3], f1[1][3][3], stress[2][6], by[1][6][3][3], l[3][3];
    CHECK_OK(sw_point_model_read(in_folder("twins.yaml"), &model));
    CHECK_OK(sw_point_begin(model, 0, own));
    memcpy(f0[0], unit, sizeof unit);
    path(0, l);
    for (int k = 0; k < 3; k++) {
        const double *const from = own;
        sw_point_update u = {.points = 1,
                             .dt = 10,
                             .old_gradient = (const double(*)[3][3])f0,
                             .new_gradient = (const double(*)[3][3])f1,
                             .old_state = from};
        follow((const double(*)[3])l, 10, (const double(*)[3])f0[0], f1[0]);
        if (k == 2) {
            double largest = 0;
            u.by_gradient = by;
            CHECK_OK(sw_point_advance(model, &u));
            for (int i = 0; i < 54; i++)
                largest = greatest(largest, fabs(by[0][i / 9][i / 3 % 3][i % 3]));
            u.by_gradient = NULL;
            for (int j = 0; j < 9; j++) {
                const double kept = f1[0][j / 3][j % 3], h = 2e-5;
                for (int side = 0; side < 2; side++) {
                    f1[0][j / 3][j % 3] = kept + (side ? h : -h);
                    u.stress = &stress[side];
                    CHECK_OK(sw_point_advance(model, &u));
                }
                f1[0][j / 3][j % 3] = kept;
                for (int i = 0; i < 6; i++)
                    CHECK_CLOSE(by[0][i][j / 3][j % 3], (stress[1][i] - stress[0][i]) / (2 * h),
                                0.03 * largest);
            }
        }
        u.stress = NULL;
        u.new_state = own;
        CHECK_OK(sw_point_advance(model, &u));
        memcpy(f0, f1, sizeof f0);
    }
    sw_point_model_close(model);
}

/* Abaqus' subroutine: a STATEV that is zero begins by itself, and the number that it needs is the library's. */
static void the_user_subroutine_keeps_all(void **state)
{
    (void)state;
    static double statev[ROOM], own[ROOM], ddsdde[36], spare[64], strain[6], stress[6];
    sw_point_model *model;
    double f0[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, f1[9], to[1][3][3], expected[1][6], tangent[1][6][6], dt = 10,
           pnewdt = 1, l[3][3];
    char name[80];
    const int three = 3, six = 6, one = 1;
    CHECK_OK(sw_point_model_read(in_folder("twins.yaml"), &model));
    const int64_t numbers = sw_point_model_state_numbers(model);
    const int nstatv = (int)numbers;
    memset(name, ' ', sizeof name);
    memcpy(name, "TWINS", 5);
    path(0, l);
    follow((const double(*)[3])l, dt, unit, to[0]);
    for (int k = 0; k < 9; k++)
        f1[k] = to[0][k % 3][k / 3];
    umat_(stress, statev, ddsdde, spare, spare, spare, spare, spare, spare, spare, strain, strain, spare, &dt,
          spare, spare, spare, spare, name, &three, &three, &six, &nstatv, spare, &one, spare, spare, &pnewdt,
          spare, f0, f1, &one, &one, &one, &one, &one, &one, 80);
    CHECK_OK(sw_point_begin(model, 1, own));
    CHECK_OK(sw_point_advance(model, &(sw_point_update){.points = 1,
                                                        .dt = dt,
                                                        .old_gradient = (const double(*)[3][3]) & unit,
                                                        .new_gradient = (const double(*)[3][3])to,
                                                        .old_state = own,
                                                        .new_state = own,

                                                        .stress = expected,
                                                        .by_strain = tangent}));
    CHECK_CLOSE(pnewdt, 1, 0);
    assert_memory_equal(statev, own, (size_t)numbers * sizeof *own);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(stress[i], expected[0][i], 1e-9 * 100e6);
    sw_point_model_close(model);
}

/* A host program asks for a step as often as it likes, from the same state into another, and keeps the last: stress and tangent are
 * of crystals as they were, and those of a step that is kept have turned once. */
static void tries_turn_nothing_twice(void **state)
{
    (void)state;
    sw_point_model *model;
    static double own[ROOM], next[3][ROOM];
    double f0[1][3][3], f1[1][3][3], stress[3][1][6], l[3][3];
    int changes = 0;
    CHECK_OK(sw_point_model_read(in_folder("turns.yaml"), &model));
    CHECK_OK(sw_point_begin(model, 0, own));
    memcpy(f0[0], unit, sizeof unit);
    for (int k = 0; k < STEPS; k++) {
        path(k, l);
        follow((const double(*)[3])l, 10, (const double(*)[3])f0[0], f1[0]);
        for (int t = 0; t < 3; t++) /* the last in place, as user subroutines have it */
            CHECK_OK(sw_point_advance(model, &(sw_point_update){.points = 1,
                                                                .dt = 10,
                                                                .old_gradient = (const double(*)[3][3])f0,
                                                                .new_gradient = (const double(*)[3][3])f1,
                                                                .old_state = own,
                                                                .new_state = t < 2 ? next[t] : own,
                                                                .stress = stress[t]}));
        memcpy(next[2], own, sizeof own);
        for (int t = 0; t < 2; t++) {
            assert_memory_equal(next[t], next[2], sizeof own);
            assert_memory_equal(stress[t], stress[2], sizeof stress[2]);
        }
        for (int i = 0; i < N; i++)
            changes += own[SW_POINT_CRYSTALS + (i + 1) * sw_point_model_crystal_numbers(model) - 1] > 0;
        memcpy(f0, f1, sizeof f0);
    }
    assert_true(changes > 0);
    sw_point_model_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_a_taylor_polycrystal),
        cmocka_unit_test(tangents_are_those_of_the_step),
        cmocka_unit_test(the_user_subroutine_keeps_all),
        cmocka_unit_test(tries_turn_nothing_twice),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
