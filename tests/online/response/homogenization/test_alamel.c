/* Pairs of crystals by `alamel`, with what they have to be: in balance across their boundary, together at the polycrystal's strain rate,
 * at the least work, Taylor's where both are alike. */
#include "tests/online/response/homogenization/polycrystals.h"

#include "common/math/random.h"
#include "online/response/homogenization/alamel_pair.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"

/* Copper of this rate sensitivity on another lattice. */
static sw_material alike(int lattice, double m)
{
    sw_material material = copper_of(m);
    material.crystal_structure = lattice;
    return material;
}

/* ---- One pair ---- */

/* Of a response of its own, which stays open; i: which random crystals, and boundary. */
typedef struct {
    sw_response *response;
    sw_crystal crystal[2];
    sw_alamel_pair pair;
    sw_coupled_step step;
} couple;

static void set_crystal(const couple *c, int k, sw_coupled *of)
{
    const double euler[3] = {c->crystal[k].euler[0], c->crystal[k].euler[1], c->crystal[k].euler[2]};
    memset(of, 0, sizeof *of);
    sw_quaternion_from_euler(euler, of->q);
    of->s = c->crystal[k].slip_resistance;
    of->share = 0.5;
}

static void make_couple(const sw_material *m, const double l[3][3], int i, couple *c)
{
    double d[3][3], u[4];
    c->response = open_under(m, "alamel");
    const sw_rigid_plastic_model *model = sw_rigid_plastic_model_of(c->response);
    CHECK_OK(sw_crystals_randomise(SW_CPU, 2, c->crystal, 7, 2 * i, 16e6F));
    c->crystal[1].slip_resistance = 20e6F;
    c->step = (sw_coupled_step){
        .model = model, .hardening = &m->hardening, .rate = sw_strain_rate_deviator(l, d), .duration = 0};
    c->step.unit = pow(c->step.rate / model->reference_rate, model->rate_sensitivity);
    for (int k = 0; k < 6; k++)
        c->step.d[k] = d[sw_six_row(k)][sw_six_column(k)];
    sw_random_uniform4(3, (uint64_t)i, 0, u);
    const double z = 2 * u[0] - 1, rho = sqrt(1 - z * z);
    const double n[3] = {rho * cos(6.28 * u[1]), rho * sin(6.28 * u[1]), z};
    memcpy(c->pair.normal, n, sizeof n);
    for (int k = 0; k < 2; k++)
        set_crystal(c, k, &c->pair.of[k]);
}

static int solve(couple *c)
{
    const double *q[2] = {c->pair.of[0].q, c->pair.of[1].q};
    return sw_alamel_solve(&c->step, q, c->pair.normal, &c->pair);
}

static void full(const double five[5], double t[3][3])
{
    const double six[6] = {five[0], five[1], -five[0] - five[1], five[4], five[3], five[2]};
    for (int k = 0; k < 9; k++)
        t[k / 3][k % 3] = six[sw_six_of(k / 3, k % 3)];
}

/* The shear stress on the boundary, Pa: t n less what is along n. */
static void traction_of(const couple *c, const double stress[5], double shear[3])
{
    const double *n = c->pair.normal;
    double t[3][3], along = 0;
    full(stress, t);
    for (int i = 0; i < 3; i++) {
        shear[i] = t[i][0] * n[0] + t[i][1] * n[1] + t[i][2] * n[2];
        along += shear[i] * n[i];
    }
    for (int i = 0; i < 3; i++)
        shear[i] -= along * n[i];
}

/* D less what a crystal does: over r, in the frame of the boundary. 5e-6: Schmid factors are in single precision, 6e-8, and n is 83. */
static void check_strains(const sw_material *m, couple *c, const sw_alamel_answer *answer)
{
    double aside[2][3][3];
    for (int k = 0; k < 2; k++) {
        double t[3][3], d[3][3];
        full(answer->stress[k], t);
        slip_law(m, &c->crystal[k], (const double(*)[3])t, d);
        for (int i = 0; i < 9; i++) {
            aside[k][i / 3][i % 3] = 0;
            for (int j = 0; j < 9; j++)
                aside[k][i / 3][i % 3] += c->pair.frame[j / 3][i / 3] *
                                          (d[j / 3][j % 3] - c->step.d[sw_six_of(j / 3, j % 3)]) /
                                          c->step.rate * c->pair.frame[j % 3][i % 3];
        }
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(aside[k][i][i], 0, 5e-6);
        CHECK_CLOSE(aside[k][0][1], 0, 5e-6);
    }
    for (int i = 0; i < 2; i++)
        CHECK_CLOSE(aside[0][i][2] + aside[1][i][2], 0, 5e-6);
}

static void tractions_agree_and_strains_are_relaxed_along_the_boundary_only(void **state)
{
    (void)state;
    static const double sensitivity[] = {0.012, 0.05, 0.3};
    for (int i = 0; i < 90; i++) {
        const sw_material m = alike(i % 2 == 0 ? SW_LATTICE_fcc : SW_LATTICE_bcc24, sensitivity[i % 3]);
        double shear[2][3], size = 0, relaxed = 0;
        sw_alamel_answer answer;
        couple c;
        make_couple(&m, i % 4 < 2 ? plane_strain : mixed, i, &c);
        assert_true(solve(&c));
        sw_alamel_answer_of(&c.step, &c.pair, 1, &answer);
        for (int k = 0; k < 2; k++)
            traction_of(&c, answer.stress[k], shear[k]);
        for (int j = 0; j < 5; j++)
            size = greatest(size, fabs(answer.stress[0][j]));
        for (int j = 0; j < 3; j++)
            CHECK_CLOSE(shear[0][j], shear[1][j], 1e-12 * size); /* one unknown for both */
        check_strains(&m, &c, &answer);
        for (int j = 0; j < 2; j++)
            relaxed = greatest(relaxed, fabs(c.pair.relaxed[0][j]));
        assert_true(relaxed > 1e-3); /* else it would be Taylor's */
        sw_response_close(c.response);
    }
}

/* Of both crystals, each strained by D and its relaxed shears and these more, by solver `rigid_plastic` itself; W/m^3. */
static double work_of(sw_response *taylor, const couple *c, double more_23, double more_13)
{
    float d[2][6], stress[2][6], spin[2][3], slip[2];
    double work = 0;
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 6; j++) {
            const int row = sw_six_row(j), column = sw_six_column(j);
            const double sign = k == 0 ? 1 : -1;
            double own = c->step.d[j];
            for (int i = 0; i < 2; i++) {
                const double shear =
                    (c->pair.relaxed[k][i] + sign * (i == 0 ? more_23 : more_13)) * c->step.rate;
                own += shear * (c->pair.frame[row][1 - i] * c->pair.normal[column] +
                                c->pair.frame[column][1 - i] * c->pair.normal[row]);
            }
            d[k][j] = (float)own;
        }
    CHECK_OK(sw_response_evaluate_each(taylor, 2, (const float(*)[6])d, c->crystal, stress, spin, slip));
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 6; j++)
            work += (j < 3 ? 1 : 2) * (double)stress[k][j] * d[k][j];
    return work;
}

/* A hundredth more of a shear costs work, either way and in both crystals' sense: 1e-5 is what single precision tells. */
static void the_work_is_least(void **state)
{
    (void)state;
    const sw_material m = alike(SW_LATTICE_fcc, 0.05);
    sw_response *taylor = open_under(&m, "taylor");
    for (int i = 0; i < 30; i++) {
        couple c;
        make_couple(&m, mixed, i, &c);
        assert_true(solve(&c));
        const double least = work_of(taylor, &c, 0, 0);
        for (int k = 0; k < 8; k++)
            assert_true(work_of(taylor, &c, 0.05 * cos(k * 0.7854), 0.05 * sin(k * 0.7854)) >
                        least * (1 - 1e-5));
        assert_true(work_of(taylor, &c, 0.3, 0) > least * 1.001 ||
                    work_of(taylor, &c, -0.3, 0) > least * 1.001);
        sw_response_close(c.response);
    }
    sw_response_close(taylor);
}

/* ---- Polycrystals ---- */

enum { STEPS = 6 };

/* Two crystals alike, by STEPS of `strain`, with what solver `rigid_plastic` says of them; stresses of the beginning of the last one. */
static void step_two(const sw_material *m, const char *homogenization, const double l[3][3], double strain,
                     sw_crystal crystal[2], sw_response_average *average)
{
    sw_response *response = open_under(m, homogenization);
    sw_crystals c;
    CHECK_OK(sw_crystals_randomise(SW_CPU, 1, crystal, 11, 3, (float)m->slip.initial_slip_resistance));
    crystal[1] = crystal[0];
    CHECK_OK(sw_crystals_of(response, 2, crystal, NULL, &c));
    for (int k = 0; k < STEPS; k++)
        CHECK_OK(sw_response_advance(response, l, strain / sqrt(sw_symmetric_square(l)), &c, &c, average));
    sw_crystals_release(&c);
    sw_response_close(response);
}

static void check_two(const sw_material *m, const double l[3][3], double strain, double of_stress,
                      double of_rate, double of_turn)
{
    sw_crystal crystal[2][2];
    sw_response_average average[2];
    double size = 0;
    step_two(m, "taylor", l, strain, crystal[0], &average[0]);
    step_two(m, "alamel", l, strain, crystal[1], &average[1]);
    for (int k = 0; k < 9; k++)
        size = greatest(size, fabs(average[0].cauchy_stress[k / 3][k % 3]));
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(average[1].cauchy_stress[k / 3][k % 3], average[0].cauchy_stress[k / 3][k % 3],
                    of_stress * size);
    CHECK_CLOSE(average[1].slip_resistance, average[0].slip_resistance,
                of_stress * average[0].slip_resistance);
    CHECK_CLOSE(average[1].slip_rate, average[0].slip_rate, of_rate * average[0].slip_rate);
    for (int k = 0; k < 2; k++)
        assert_true(angle_between(&crystal[0][0], &crystal[1][k]) < of_turn);
}

/* Where all systems have one resistance both step alike: what is left is single precision. Where each has its own, Taylor's crystals
 * slip by the resistances of a step's end, pairs by those of its beginning: small steps. Two to three times what was seen. */
static void two_alike_are_taylors(void **state)
{
    (void)state;
    const sw_material fcc = alike(SW_LATTICE_fcc, 0.012), bcc = alike(SW_LATTICE_bcc24, 0.05),
                      basal = material_of(hexagonal_12), twins = material_of(hexagonal_24),
                      latent = material_of(copper_latent);
    check_two(&fcc, plane_strain, 0.01, 1.2e-5, 1e-5, 6e-6);
    check_two(&bcc, mixed, 0.01, 1.2e-5, 1e-5, 6e-6);
    check_two(&basal, mixed, 1e-3, 4e-4, 4e-3, 1.5e-4);
    check_two(&twins, plane_strain, 1e-3, 8e-5, 9e-4, 1.5e-5);
    check_two(&latent, plane_strain, 1e-3, 8e-5, 3e-5, 8e-5);
}

/* Mean work of N crystals, W/m^3. */
static double power_of(const sw_material *m, const char *homogenization, const double l[3][3])
{
    enum { N = 200 };
    sw_response *response = open_under(m, homogenization);
    sw_crystal crystal[N];
    sw_response_average average;
    sw_crystals c;
    double power = 0;
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 2, 0, (float)m->slip.initial_slip_resistance));
    CHECK_OK(sw_crystals_of(response, N, crystal, NULL, &c));
    CHECK_OK(sw_response_evaluate_mean(response, l, &c, &average));
    for (int k = 0; k < 9; k++)
        power += average.cauchy_stress[k / 3][k % 3] * l[k / 3][k % 3];
    sw_crystals_release(&c);
    sw_response_close(response);
    return power;
}

/* What is free to choose strains, of fewer or of more of them, does with less work. */
static void sachs_alamel_and_taylor_are_in_order(void **state)
{
    (void)state;
    const sw_material of[] = {alike(SW_LATTICE_fcc, 0.012), alike(SW_LATTICE_bcc48, 0.1),
                              material_of(hexagonal_18), material_of(copper_scaled)};
    for (int i = 0; i < 8; i++) {
        const sw_material *m = &of[i % 4];
        const double(*l)[3] = i < 4 ? plane_strain : mixed;
        const double sachs = power_of(m, "sachs", l), alamel = power_of(m, "alamel", l),
                     taylor = power_of(m, "taylor", l);
        assert_true(sachs > 0 && sachs < 0.99 * alamel && alamel < 0.999 * taylor);
    }
}

/* ---- Boundaries ---- */

static const float *normal_of(const sw_crystals *c, int64_t i)
{
    const sw_state_field *field = sw_state_field_find(c->layout, "boundary_normal");
    assert_non_null(field);
    return c->state + i * c->layout->numbers + sw_state_field_place(c->layout, field);
}

/* Drawn isotropic: the mean of n n is 1/3 of unity, to four times 0.3/sqrt(N/2) of its standard deviations; both of a pair have one. */
static void boundaries_are_drawn_and_go_with_the_polycrystal(void **state)
{
    (void)state;
    enum { N = 4000 };
    const sw_material m = alike(SW_LATTICE_fcc, 0.2);
    sw_response *response = open_under(&m, "alamel");
    static sw_crystal crystal[N];
    static double begun[N][3];
    sw_response_average average;
    sw_crystals c;
    double mean[3][3] = {{0}};
    const double shear[3][3] = {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}};
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 2, 0, 16e6F));
    CHECK_OK(sw_crystals_of(response, N, crystal, NULL, &c));
    CHECK_OK(sw_response_step(response, shear, 1e-3, &c, &c, &average));
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            begun[i][k] = normal_of(&c, i)[k];
        for (int k = 0; k < 9; k++)
            mean[k / 3][k % 3] += begun[i][k / 3] * begun[i][k % 3] / N;
        for (int k = 0; k < 3 && i % 2 == 1; k++)
            assert_true(begun[i][k] == begun[i - 1][k]);
    }
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(mean[k / 3][k % 3], k % 4 == 0 ? 1.0 / 3 : 0, 4 * 0.3 / sqrt(N / 2));
    for (int k = 0; k < 10; k++)
        CHECK_OK(sw_response_step(response, shear, 50, &c, &c, &average));
    for (int i = 0; i < N; i++) { /* F = 1 + 0.5 e1 e2: n F^-1 */
        const double n[3] = {begun[i][0], begun[i][1] - 0.5 * begun[i][0], begun[i][2]},
                     size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(normal_of(&c, i)[k], n[k] / size, 5e-7); /* floats, in ten steps */
    }
    sw_crystals_release(&c);
    sw_response_close(response);
}

/* ---- What is refused ---- */

static void what_it_does_not_go_with_is_named(void **state)
{
    (void)state;
    const sw_material m = copper();
    sw_crystal crystal[3];
    sw_response_average average;
    sw_response *response;
    sw_crystals c;
    static const char *const names[] = {"alamel", "sachs"};
    for (int i = 0; i < 2; i++) {
        const sw_response_options elastic = {
            .solver = "elastoplastic", .material = &m, .homogenization = names[i]};
        const sw_homogenization *found;
        assert_int_equal(sw_response_open(&elastic, &response), SW_ERR_UNAVAILABLE);
        assert_message_has(names[i]);
        assert_message_has("goes with solver rigid_plastic, not with elastoplastic");
        CHECK_OK(sw_homogenization_find(names[i], &found));
        assert_int_equal(found->check(sw_solver_named("rigid_plastic"), SW_CUDA), SW_ERR_UNAVAILABLE);
        assert_message_has("runs on the CPU only");
    }
    CHECK_OK(sw_crystals_randomise(SW_CPU, 3, crystal, 2, 0, 16e6F));
    response = open_under(&m, "alamel");
    CHECK_OK(sw_crystals_of(response, 3, crystal, NULL, &c));
    assert_int_equal(sw_response_step(response, plane_strain, 1, &c, &c, &average), SW_ERR_RANGE);
    assert_string_equal(sw_error_message(),
                        "homogenization = alamel: 3 crystals: need an even number, of pairs");
    sw_crystals_release(&c);
    sw_response_close(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tractions_agree_and_strains_are_relaxed_along_the_boundary_only),
        cmocka_unit_test(the_work_is_least),
        cmocka_unit_test(two_alike_are_taylors),
        cmocka_unit_test(sachs_alamel_and_taylor_are_in_order),
        cmocka_unit_test(boundaries_are_drawn_and_go_with_the_polycrystal),
        cmocka_unit_test(what_it_does_not_go_with_is_named)};
    return cmocka_run_group_tests_name("pairs of crystals", tests, NULL, NULL);
}
