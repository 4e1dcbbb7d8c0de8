/* Crystals whose families have their own resistances: a GPU against the CPU, steps of all and points with a loading each. Skipped,
 * saying so, where there is no GPU. */
#include "tests/families.h"
#include "tests/gpu/gpu.h"

#include "common/crystal/material_file.h"
#include "online/response/step/crystals.h"
#include "online/response/step/twins.h"
#include "online/response/trial.h"
#include "slipwave/response.h"

enum { N = 3001, STEPS = 12, P = 7, EACH = 50 };

static const double turning[3][3] = {{1e-3, 4e-4, 0}, {0, 1e-4, -3e-4}, {2e-4, 0, -1.1e-3}};

static sw_response *open_solver(sw_device device, const char *solver, const sw_material *m)
{
    return open_on(device, (sw_response_options){.solver = solver, .material = m});
}

static sw_crystals made(const sw_response *r, const sw_material *m, int64_t n)
{
    return make_random_crystals(r, n, 5, m->slip.initial_slip_resistance);
}

/* Means of each step and what crystals end with; numbers: values of their states. */
typedef struct {
    sw_response_average average[STEPS];
    sw_crystal crystal[N];
    double *value;
    int64_t values, back; /* where back-stresses begin among them, the last */
} run;

static void take(sw_device device, const char *solver, const sw_material *m, run *out)
{
    sw_response *r = open_solver(device, solver, m);
    sw_crystals c = made(r, m, N);
    const sw_state_layout *layout = sw_response_layout(r);
    const sw_state_field *back = sw_state_field_find(layout, "back_stresses");
    out->values = sw_state_values(layout);
    out->back = back != NULL ? out->values - back->values : out->values;
    out->value = calloc((size_t)(N * out->values), sizeof *out->value);
    for (int k = 0; k < STEPS; k++) {
        if (m->thermal_expansion_count > 0)
            CHECK_OK(sw_crystals_heat(r, k < 6 ? -30 : 10, &c));
        CHECK_OK(sw_response_step(r, turning, 3, &c, &c, &out->average[k]));
    }
    CHECK_OK(sw_crystals_copy(device, N, out->crystal, c.crystal));
    CHECK_OK(sw_crystals_save(&c, out->value));
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* Stress to 1e-4 of it; resistances and slips likewise, but of crystals that took another corner: 1 in 300. */
static void steps_agree(const char *solver, const char *text)
{
    static run on[2];
    const sw_material m = material_of(text);
    int off = 0;
    for (int d = 0; d < 2; d++)
        take(d ? SW_CUDA : SW_CPU, solver, &m, &on[d]);
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(on[1].average[k].cauchy_stress[i / 3][i % 3],
                        on[0].average[k].cauchy_stress[i / 3][i % 3],
                        2e-4 * fabs(on[0].average[k].cauchy_stress[0][0]));
    for (int n = 0; n < N; n++) {
        int same = fabsf(on[1].crystal[n].slip_resistance / on[0].crystal[n].slip_resistance - 1) < 1e-3F;
        for (int64_t k = 0; k < on[0].values; k++) {
            const double a = on[0].value[n * on[0].values + k], b = on[1].value[n * on[0].values + k];
            const double least = k >= on[0].back ? 1e6 : 0.3; /* Pa of back-stresses, which pass through 0 */
            same &= fabs(a - b) <= 2e-3 * fmax(fabs(a), least);
        }
        off += !same;
    }
    print_message("%s, %s: %d of %d crystals apart\n", solver, m.name, off, N);
    assert_true(off * 300 <= N * 1);
    free(on[0].value);
    free(on[1].value);
}

static void steps_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    static const char *const text[] = {hexagonal_12,      hexagonal_18,  hexagonal_24,
                                       hexagonal_turning, copper_latent, copper_scaled};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        steps_agree("elastoplastic", text[k]);
        steps_agree("rigid_plastic", text[k]);
    }
}

/* Copper with back-stresses and a rate of the family's own; laws with a structure, of data/materials. */
static const char copper_back[] = "name: back\n" COPPER "  families:\n" FAMILY(
    "\"111\"", "16.0e6", "180.0e6", "148.0e6",
    ", back_stress_modulus: 1.0e9, back_stress_decay: 80, rate_sensitivity: 0.03") "hardening: {law: "
                                                                                   "phenopowerlaw}\n";

static const char *text_of(const char *name)
{
    static char text[SW_MATERIAL_TEXT];
    sw_material m;
    CHECK_OK(sw_material_read(data_path("materials/%s", name), &m));
    CHECK_OK(sw_material_write_text(&m, sizeof text, text));
    return text;
}

static void steps_by_other_laws_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    static const char *const name[] = {"aluminium-5182.yaml", "zirconium-dislocations.yaml"};
    steps_agree("elastoplastic", copper_back);
    for (int k = 0; k < 4; k++)
        steps_agree(k % 2 ? "elastoplastic" : "rigid_plastic", text_of(name[k / 2]));
}

static void crystals_that_expand_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    static char text[SW_MATERIAL_TEXT];
    snprintf(text, sizeof text, "thermal_expansion: [5.7e-6, 11.4e-6]\n%s", hexagonal_18);
    steps_agree("elastoplastic", text);
}

static void points_on(sw_device device, const char *solver, const sw_material *m, double stress[P][6],
                      double tangent[P][6][6])
{
    double l[P][3][3];
    sw_response *r = open_solver(device, solver, m);
    sw_crystals c = made(r, m, P * EACH);
    for (int p = 0; p < P; p++) {
        memcpy(l[p], turning, sizeof l[p]);
        l[p][0][1] += 1e-4 * p;
        l[p][2][2] += 2e-5; /* volume, which crystals that are not cubic take up */
    }
    for (int k = 0; k < 6; k++)
        CHECK_OK(sw_response_step_each(r, &(sw_points){.points = P,
                                                       .each = EACH,
                                                       .velocity_gradient = (const double(*)[3][3])l,
                                                       .dt = 2,
                                                       .from = &c,
                                                       .to = &c,
                                                       .stress = stress,
                                                       .by_strain_rate = tangent}));
    sw_crystals_release(&c);
    sw_response_close(r);
}

static void points_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    static const char *const text[] = {hexagonal_12, ZINC("20.0e6"), hexagonal_24, copper_latent,
                                       copper_back};
    static const char *const solver[] = {"elastoplastic", "rigid_plastic"};
    for (int i = 0; i < 9; i++) { /* back-stresses by the first alone */
        double stress[2][P][6], tangent[2][P][6][6], largest = 0;
        const sw_material m = material_of(text[i / 2]);
        for (int d = 0; d < 2; d++)
            points_on(d ? SW_CUDA : SW_CPU, solver[i % 2], &m, stress[d], tangent[d]);
        for (int k = 0; k < P * 36; k++)
            largest = greatest(largest, fabs(tangent[0][k / 36][k / 6 % 6][k % 6]));
        for (int k = 0; k < P * 6; k++)
            CHECK_CLOSE(stress[1][k / 6][k % 6], stress[0][k / 6][k % 6], 5e-4 * fabs(stress[0][0][0]));
        for (int k = 0; k < P * 36; k++)
            CHECK_CLOSE(tangent[1][k / 36][k / 6 % 6][k % 6], tangent[0][k / 36][k / 6 % 6][k % 6],
                        0.02 * largest);
    }
}

/* Crystals of points that twins turn, by a warp a point and by one thread: the same but for those near a threshold, 1 in 50. */
static void points_turn_as_on_the_cpu(void **state)
{
    NEED_GPU();
    enum { OF_POINT = 300, PRESSES = 40, CRYSTALS = P * OF_POINT };
    static const char *const solver[] = {"elastoplastic", "rigid_plastic"};
    static sw_crystal end[2][CRYSTALS], begun[CRYSTALS];
    for (int i = 0; i < 2; i++) {
        const sw_material m = material_of(hexagonal_turning);
        double l[P][3][3], stress[2][P][6];
        int turned = 0, off = 0;
        for (int d = 0; d < 2; d++) {
            sw_response *r = open_solver(d ? SW_CUDA : SW_CPU, solver[i], &m);
            sw_crystals c = made(r, &m, CRYSTALS);
            CHECK_OK(sw_crystals_copy(c.device, CRYSTALS, begun, c.crystal));
            for (int p = 0; p < P; p++)
                memcpy(l[p], (double[3][3]){{5e-4, 1e-4 * p, 0}, {0, 5e-4, 0}, {0, 0, -1e-3}}, sizeof l[p]);
            for (int k = 0; k < PRESSES; k++)
                CHECK_OK(sw_response_step_each(r, &(sw_points){.points = P,
                                                               .each = OF_POINT,
                                                               .velocity_gradient = (const double(*)[3][3])l,
                                                               .dt = 3,
                                                               .from = &c,
                                                               .to = &c,
                                                               .stress = stress[d]}));
            CHECK_OK(sw_crystals_copy(c.device, CRYSTALS, end[d], c.crystal));
            sw_crystals_release(&c);
            sw_response_close(r);
        }
        for (int n = 0; n < CRYSTALS; n++) {
            turned += fabsf(end[0][n].euler[1] - begun[n].euler[1]) > 0.3F;
            off += !(fabsf(end[0][n].euler[1] - end[1][n].euler[1]) <= 0.05F);
        }
        print_message("%s: %d of %d turned, %d apart\n", solver[i], turned, CRYSTALS, off);
        assert_true(turned > CRYSTALS / 20);
        assert_true(off * 50 <= CRYSTALS);
        for (int k = 0; k < P; k++)
            CHECK_CLOSE(stress[1][k][2], stress[0][k][2], 0.01 * fabs(stress[0][k][2]));
    }
}

/* Volume of 400 parents that goes to their children, and what they end with. */
enum { PARENTS = 400 };
static void transfer_on(sw_device device, const char *solver, const sw_material *m, float weight[2 * PARENTS],
                        sw_crystal crystal[2 * PARENTS])
{
    const double l[3][3] = {{5e-4, 0, 0}, {0, 5e-4, 0}, {0, 0, -1e-3}};
    static sw_crystal begun[2 * PARENTS];
    sw_response *r = open_solver(device, solver, m);
    sw_crystals random = made(r, m, PARENTS);
    sw_crystal *own;
    float *moving;
    sw_crystals c;
    CHECK_OK(sw_crystals_copy(device, PARENTS, crystal, random.crystal));
    for (int i = 0; i < 2 * PARENTS; i++) {
        begun[i] = crystal[i / 2];
        weight[i] = i % 2 == 0;
    }
    CHECK_OK(sw_crystals_allocate_weighted(device, 2 * PARENTS, &own, &moving));
    CHECK_OK(sw_crystals_copy(device, 2 * PARENTS, own, begun));
    CHECK_OK(sw_numbers_copy(device, 2 * PARENTS, moving, weight));
    CHECK_OK(sw_crystals_of(r, 2 * PARENTS, own, moving, &c));
    CHECK_OK(sw_crystals_keep_weights(&c, moving));
    for (int k = 0; k < 40; k++) {
        sw_response_average average;
        CHECK_OK(sw_response_advance_within(r, 0.1, l, 2, &c, &c, &average));
        CHECK_OK(sw_crystals_turn_twins(r, 0, &c, NULL));
        CHECK_OK(sw_crystals_weigh(&c, moving));
    }
    CHECK_OK(sw_numbers_copy(device, 2 * PARENTS, weight, moving));
    CHECK_OK(sw_crystals_copy(device, 2 * PARENTS, crystal, own));
    sw_crystals_release(&c);
    sw_crystals_release(&random);
    sw_crystals_free(device, own);
    sw_response_close(r);
}

/* To 1e-3 of a parent's weight, but for those born a step apart: 1 in 50. */
static void volume_goes_as_on_the_cpu(void **state)
{
    NEED_GPU();
    static float weight[2][2 * PARENTS];
    static sw_crystal crystal[2][2 * PARENTS];
    static const char *const solver[] = {"elastoplastic", "rigid_plastic"};
    const sw_material m = material_of(hexagonal_transferring);
    for (int i = 0; i < 2; i++) {
        int off = 0, born = 0;
        for (int d = 0; d < 2; d++)
            transfer_on(d ? SW_CUDA : SW_CPU, solver[i], &m, weight[d], crystal[d]);
        for (int k = 0; k < 2 * PARENTS; k++) {
            born += k % 2 && weight[0][k] > 0;
            off += !(fabsf(weight[0][k] - weight[1][k]) < 1e-3F);
        }
        print_message("%s: %d of %d born, %d weights apart\n", solver[i], born, PARENTS, off);
        assert_in_range(born, PARENTS / 10, PARENTS - 1);
        assert_true(off * 50 <= 2 * PARENTS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_agree_with_the_cpu),
                                       cmocka_unit_test(points_agree_with_the_cpu),
                                       cmocka_unit_test(steps_by_other_laws_agree_with_the_cpu),
                                       cmocka_unit_test(crystals_that_expand_agree_with_the_cpu),
                                       cmocka_unit_test(points_turn_as_on_the_cpu),
                                       cmocka_unit_test(volume_goes_as_on_the_cpu)};
    return cmocka_run_group_tests_name("families on a GPU", tests, set_up, NULL);
}
