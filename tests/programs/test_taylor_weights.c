/* `slipwave taylor` of crystals with weights. */
#include "programs.h"

enum { ODF = 19 * 19 * 37, WEIGHTED = 1000, MOST = 5 };

/* 1,000 crystals of weights 1 .. 5 as VPSC texture, with the weight in the fourth and in the fifth column of .ori,
 * each so often, and each once. */
static void write_lists(void)
{
    static const char *const name[] = {"weighted.tex", "four.ori", "five.ori", "repeated.ori", "once.ori"};
    enum { TEX, FOUR, FIVE, REPEATED, ONCE, FILES };
    FILE *file[FILES];
    for (int k = 0; k < FILES; k++) {
        file[k] = fopen(name[k], "w");
        assert_non_null(file[k]);
    }
    fprintf(file[TEX], "crystals\nof unequal\nweights\nB %d\n", WEIGHTED);
    for (int i = 0; i < WEIGHTED; i++) {
        char angles[64];
        const int weight = 1 + i * 7 % MOST; /* light crystals are turned otherwise than heavy ones */
        snprintf(angles, sizeof angles, "%d.5 %d.25 %d", i * 37 % 360, i * 11 % 90, weight * 15 + i % 3);
        fprintf(file[TEX], "%s %d\n", angles, weight);
        fprintf(file[FOUR], "%s %g\n", angles, 0.25 * weight);
        fprintf(file[FIVE], "%s %d %de3\n", angles, i % 2, weight);
        fprintf(file[ONCE], "%s\n", angles);
        for (int k = 0; k < weight; k++)
            fprintf(file[REPEATED], "%s\n", angles);
    }
    for (int k = 0; k < FILES; k++)
        assert_int_equal(fclose(file[k]), 0);
}

typedef struct {
    double stress[STEPS + 1][3][3], resistance[STEPS + 1], rate[STEPS + 1], fraction[13];
    float odf[ODF], weight[WEIGHTED];
    int has_weights;
} outcome;

static void run_list(const char *solver, const char *list, outcome *o)
{
    char command[256];
    const int64_t rows[3] = {STEPS + 1, 3, 3}, components = 13, crystals = WEIGHTED;
    result r;
    snprintf(command, sizeof command, TAYLOR "job.yaml --device cpu --solver %s --crystals-file %s", solver,
             list);
    run_well(command, &r);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, rows, o->stress));
    CHECK_OK(sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, rows, o->resistance));
    CHECK_OK(sw_h5_read(file, "history/slip_rate", H5T_NATIVE_DOUBLE, 1, rows, o->rate));
    CHECK_OK(sw_h5_read(file, "texture/4/odf", H5T_NATIVE_FLOAT, 3, (int64_t[]){19, 19, 37}, o->odf));
    CHECK_OK(
        sw_h5_read(file, "texture/4/component_fraction", H5T_NATIVE_DOUBLE, 1, &components, o->fraction));
    o->has_weights = sw_h5_exists(file, "orientations/weight");
    if (o->has_weights)
        CHECK_OK(sw_h5_read(file, "orientations/weight", H5T_NATIVE_FLOAT, 1, &crystals, o->weight));
    H5Fclose(file);
    unlink("out.h5");
}

/* The largest difference of the curve, over its largest stress. */
static double curve_difference(const outcome *a, const outcome *b)
{
    double difference = 0, largest = 0;
    for (int n = 0; n <= STEPS; n++)
        for (int k = 0; k < 9; k++) {
            largest = greatest(largest, fabs(b->stress[n][k / 3][k % 3]));
            difference = greatest(difference, fabs(a->stress[n][k / 3][k % 3] - b->stress[n][k / 3][k % 3]));
        }
    assert_true(largest > 10e6);
    return difference / largest;
}

/* Curve and texture to the round-off of sums in single precision, whatever the file's form and the weights' unit;
 * those of the crystals without their weights are others. */
static void weights_are_numbers_of_crystals(void **state)
{
    (void)state;
    static const char *const solvers[] = {"terms", "grid", "rigid_plastic", "elastoplastic", "iterative"};
    static const char *const lists[] = {"weighted.tex", "four.ori", "five.ori"};
    static outcome repeated, weighted, once;
    write_lists();
    for (int s = 0; s < 5; s++) {
        run_list(solvers[s], "repeated.ori", &repeated);
        assert_int_equal(repeated.has_weights, 0);
        for (int k = 0; k < (s == 1 ? 3 : 1); k++) {
            run_list(solvers[s], lists[k], &weighted);
            CHECK_CLOSE(curve_difference(&weighted, &repeated), 0, 1e-6);
            for (int n = 0; n <= STEPS; n++) {
                CHECK_CLOSE(weighted.resistance[n], repeated.resistance[n], 1e-6 * repeated.resistance[n]);
                CHECK_CLOSE(weighted.rate[n], repeated.rate[n], 1e-6 * repeated.rate[n]);
            }
            double largest = 0;
            for (int i = 0; i < ODF; i++)
                largest = greatest(largest, repeated.odf[i]);
            for (int i = 0; i < ODF; i++)
                CHECK_CLOSE(weighted.odf[i], repeated.odf[i], 1e-6 * largest);
            for (int i = 0; i < 13; i++)
                CHECK_CLOSE(weighted.fraction[i], repeated.fraction[i], 1e-6);
            assert_int_equal(weighted.has_weights, 1);
            for (int i = 0; i < WEIGHTED; i++) /* 1 on average: 3 is */
                CHECK_CLOSE(weighted.weight[i], (1 + i * 7 % MOST) / 3.0, 1e-7 * weighted.weight[i]);
        }
        run_list(solvers[s], "once.ori", &once);
        assert_true(curve_difference(&once, &repeated) > 1e-3);
    }
}

/* Crystals of equal weights give the bits of crystals without. */
static void equal_weights_are_none(void **state)
{
    (void)state;
    static outcome with, without;
    write_text("equal.ori", "35 45 0 2.5\n59 37 63 2.5\n");
    run_list("grid", "equal.ori", &with);
    run_list("grid", "good.ori", &without);
    assert_int_equal(with.has_weights, 0);
    assert_memory_equal(with.stress, without.stress, sizeof with.stress);
    assert_memory_equal(with.odf, without.odf, sizeof with.odf);
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *part[2];
    } cases[] = {
        {"zero.tex", "a\nb\nc\nB 2\n10 2 3 0\n4 5 6 0\n", {"zero.tex: no crystal in it", "2 of weight 0"}},
        {"less.ori", "10 2 3 1\n4 5 6 -2\n", {"less.ori:2: need a weight >= 0", "4 5 6 -2"}},
        {"most.ori", "10 2 3 1\n4 5 6 1e31\n", {"most.ori:2: need a weight >= 0, and at most 1e30", "1e31"}},
        {"half.ori", "10 2 3 1\n4 5 6\n", {"half.ori:2: need as many numbers as in the first row", "4 5 6"}},
        {"word.tex", "a\nb\nc\nB 1\n10 2 3 inf\n", {"word.tex:5: need four numbers", "inf"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[128];
        write_text(cases[i].name, cases[i].text);
        snprintf(command, sizeof command, TAYLOR "job.yaml --crystals-file %s", cases[i].name);
        assert_refused_twice(command, 2, cases[i].part);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_numbers_of_crystals),
        cmocka_unit_test(equal_weights_are_none),
        cmocka_unit_test(bad_weights_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
