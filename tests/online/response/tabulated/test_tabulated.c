/* Solver `tabulated` beside the slip law that its table is made of. */
#include "tests/test.h"

#include "common/math/random.h"
#include "slipwave/response.h"

enum { N = 4000 };

static sw_material material;

typedef struct {
    float stress[N][6], spin[N][3], slip_rate[N];
} answers;

static sw_response *open_solver(const char *solver, int64_t refinement, int nearest)
{
    sw_response *response;
    const sw_response_options options = {
        .solver = solver, .material = &material, .refinement = refinement, .nearest = nearest};
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

static void evaluate(sw_response *response, const double d[3][3], const sw_crystal *crystal, answers *a)
{
    CHECK_OK(sw_response_evaluate(response, d, N, crystal, a->stress, a->spin, a->slip_rate));
}

static void random_crystals(sw_crystal crystal[N])
{
    for (int n = 0; n < N; n++) {
        double euler[3];
        sw_random_orientation(7, (uint64_t)n, euler);
        crystal[n] = (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, 1};
    }
}

/* RMS of what differs over that of the stress; and of the mean stress tensor. */
static void differences(const answers *a, const answers *b, double *each, double *mean)
{
    double sum[2][6] = {{0}}, square = 0, all = 0, off = 0, size = 0;
    for (int n = 0; n < N; n++)
        for (int k = 0; k < 6; k++) {
            square += (k < 3 ? 1 : 2) * pow(a->stress[n][k] - b->stress[n][k], 2);
            all += (k < 3 ? 1 : 2) * pow(b->stress[n][k], 2);
            sum[0][k] += a->stress[n][k];
            sum[1][k] += b->stress[n][k];
        }
    for (int k = 0; k < 6; k++) {
        off += (k < 3 ? 1 : 2) * pow(sum[0][k] - sum[1][k], 2);
        size += (k < 3 ? 1 : 2) * pow(sum[1][k], 2);
    }
    *each = sqrt(square / all);
    *mean = sqrt(off / size);
}

/* Under D in any frame, by lattices of 12 and 24 systems. The stress of a crystal jumps across ridges of the strain rates, so that
 * its RMS error goes as the square root of the spacing. Of 64, 128 and 256 points at most 0.214, 0.148 and 0.106 are seen; of the mean
 * of these crystals 0.005, 0.003 and 0.002. */
static void it_tends_to_the_slip_law(void **state)
{
    (void)state;
    static const double loads[3][3][3] = {{{1, 0, 0}, {0, 0, 0}, {0, 0, -1}},
                                          {{0, 0.5, 0}, {0.5, 0, 0}, {0, 0, 0}},
                                          {{0.3, 0.2, -0.1}, {0.2, -0.5, 0.4}, {-0.1, 0.4, 0.2}}};
    static const double of_each[3] = {0.25, 0.17, 0.12}, of_mean[3] = {0.01, 0.006, 0.004};
    static sw_crystal crystal[N];
    static answers exact, table;
    random_crystals(crystal);
    const int structures[] = {SW_LATTICE_fcc, SW_LATTICE_bcc24};
    for (int lattice = 0; lattice < 2; lattice++)
        for (int load = 0; load < 3; load++) {
            double before = 1;
            material = copper();
            material.crystal_structure = structures[lattice];
            sw_response *law = open_solver("rigid_plastic", 0, 0);
            evaluate(law, loads[load], crystal, &exact);
            sw_response_close(law);
            for (int r = 0; r < 3; r++) {
                double each, mean;
                sw_response *response = open_solver("tabulated", 1 << r, 0);
                evaluate(response, loads[load], crystal, &table);
                sw_response_close(response);
                differences(&table, &exact, &each, &mean);
                CHECK_CLOSE(each, 0, of_each[r]);
                CHECK_CLOSE(mean, 0, of_mean[r]);
                assert_true(each < before);
                before = each;
            }
        }
}

/* A crystal on a point of the table has the slip law's answer, by either interpolation, to rounding of weights. */
static void points_have_the_slip_laws_answer(void **state)
{
    (void)state;
    static const double d[3][3] = {{0.8, 0, 0}, {0, -0.1, 0}, {0, 0, -0.7}};
    static sw_crystal crystal[N];
    static answers exact, table;
    material = copper();
    for (int n = 0; n < N; n++) { /* not at 0, 1/8 or 1/4 of a turn */
        const int at[3] = {1 + n % 7, 1 + n / 7 % 7, 1 + n / 49 % 7};
        crystal[n] = (sw_crystal){.slip_resistance = 1};
        for (int i = 0; i < 3; i++)
            crystal[n].euler[i] = (float)(2 * SW_PI * at[i] / 64);
    }
    sw_response *law = open_solver("rigid_plastic", 0, 0);
    evaluate(law, d, crystal, &exact);
    sw_response_close(law);
    for (int nearest = 0; nearest < 2; nearest++) {
        double each, mean;
        sw_response *response = open_solver("tabulated", 1, nearest);
        evaluate(response, d, crystal, &table);
        sw_response_close(response);
        differences(&table, &exact, &each, &mean);
        CHECK_CLOSE(each, 0, 2e-6);
    }
}

static void what_it_cannot_do_is_refused(void **state)
{
    (void)state;
    const sw_crystal crystal = {{0.1F, 0.2F, 0.3F}, 1};
    const float d[1][6] = {{1, 0, -1, 0, 0, 0}};
    float stress[1][6], spin[1][3], slip_rate[1];
    sw_response *response, *other;
    material = copper();
    response = open_solver("tabulated", 0, 0);
    assert_int_equal(sw_response_evaluate_each(response, 1, d, &crystal, stress, spin, slip_rate),
                     SW_ERR_UNAVAILABLE);
    assert_non_null(strstr(sw_error_message(), "tabulated"));
    assert_int_equal(sw_response_prepare_each(response), SW_ERR_UNAVAILABLE);
    sw_response_close(response);
    const sw_response_options large = {.solver = "tabulated", .material = &material, .refinement = 16};
    assert_int_equal(sw_response_open(&large, &other), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "refinement = 16"));
    const sw_response_options huge = {
        .solver = "tabulated", .material = &material, .refinement = INT64_C(1) << 62};
    assert_int_equal(sw_response_open(&huge, &other), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "need at most 4096"));
    material.slip.rate_sensitivity = 1e-3;
    const sw_response_options steep = {.solver = "tabulated", .material = &material};
    assert_int_equal(sw_response_open(&steep, &other), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "solver = tabulated: rate_sensitivity"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_tends_to_the_slip_law),
        cmocka_unit_test(points_have_the_slip_laws_answer),
        cmocka_unit_test(what_it_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
