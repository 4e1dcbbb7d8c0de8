/* `slipwave taylor` on several MPI ranks with homogenizations whose crystals share what is sought: as on one. */
#include "ranks.h"

enum { CRYSTALS_MOST = 240, ROWS_MOST = 3000 };

typedef struct {
    int64_t rows;
    double stress[ROWS_MOST][9], gradient[ROWS_MOST][9], resistance[ROWS_MOST], rate[ROWS_MOST];
    float euler[CRYSTALS_MOST][3];
} outcome;

static const char one_material[] = "material: material.yaml\n";
static const char two_materials[] =
    "phases:\n"
    "  - {name: a, fraction: 0.4, material: material.yaml, crystals: {count: 7}}\n"
    "  - {name: b, fraction: 0.6, material: ferrite.yaml, crystals: {count: 2, seed: 4}}\n";
static const char sheared[] =
    "  - {velocity_gradient: [[1.0e-3, 0.5e-3, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 60}\n";
/* Long enough to be stopped on the way. */
static const char back[] =
    "  - {velocity_gradient: [[-1.0e-3, -0.5e-3, 0], [0, 0, 0], [0, 0, 1.0e-3]], duration: 120}\n";
static const char pulled[] = "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]],\n"
                             "     stress: [[x, x, x], [x, 0, x], [x, x, 0]], duration: 40}\n";

static void write_job(const char *made_of, const char *crystals, const char *homogenization,
                      const char *loading, double step, const char *more)
{
    char text[2000];
    snprintf(text, sizeof text,
             "%s%s\nsolver: rigid_plastic\nhomogenization: %s\nstrain_increment: %g\nloading:\n%s%s"
             "output: {file: out.h5, orientations: [last], textures: []%s}\n",
             made_of, crystals, homogenization, step, sheared, loading, more);
    write_text("scheme.yaml", text);
}

static void read_numbers(hid_t file, const char *name, int rank, int64_t rows, double *to)
{
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, rank, (int64_t[]){rows, 3, 3}, to));
}

/* What out.h5 has; part: "" or "phases/a/". */
static void read_part(const char *part, outcome *o)
{
    char name[100];
    int64_t shape[3];
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
    o->rows = shape[0];
    assert_in_range(o->rows, 2, ROWS_MOST);
    static const char *const names[] = {"cauchy_stress", "velocity_gradient", "slip_resistance", "slip_rate"};
    double *const to[] = {o->stress[0], o->gradient[0], o->resistance, o->rate};
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "%shistory/%s", part, names[k]);
        read_numbers(file, name, k < 2 ? 3 : 1, o->rows, to[k]);
    }
    snprintf(name, sizeof name, "%sorientations/%lld/euler", part, (long long)o->rows - 1);
    memset(o->euler, 0, sizeof o->euler);
    if (sw_h5_exists(file, name)) { /* else phases have them */
        CHECK_OK(sw_h5_shape(file, name, 2, shape));
        assert_in_range(shape[0], 1, CRYSTALS_MOST);
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, shape, o->euler));
    }
    H5Fclose(file);
}

/* Sums are added in another order, which is 1e-15 of them, and seen as 1e-12 of stresses at most. Where a number of a crystal's state, a
 * float, were rounded to the other side, 6e-8 of it. */
static void assert_same(const outcome *a, const outcome *b)
{
    double size = 0, fastest = 0;
    assert_int_equal(a->rows, b->rows);
    for (int64_t n = 0; n < a->rows; n++)
        for (int k = 0; k < 9; k++) {
            size = fmax(size, fabs(a->stress[n][k]));
            fastest = fmax(fastest, fabs(a->gradient[n][k]));
        }
    assert_true(size > 1e6 && fastest > 1e-4);
    for (int64_t n = 0; n < a->rows; n++) {
        for (int k = 0; k < 9; k++) {
            CHECK_CLOSE(a->stress[n][k], b->stress[n][k], 1e-7 * size);
            CHECK_CLOSE(a->gradient[n][k], b->gradient[n][k], 1e-7 * fastest);
        }
        CHECK_CLOSE(a->resistance[n], b->resistance[n], 1e-7 * a->resistance[n]);
        CHECK_CLOSE(a->rate[n], b->rate[n], 1e-7 * fmax(a->rate[n], 1e-3));
    }
    for (int n = 0; n < CRYSTALS_MOST; n++)
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(a->euler[n][k], b->euler[n][k], 2e-6); /* 4 floats of 2 pi */
}

/* Ranks without a crystal, with crystals of different numbers and of hardly any weight; more bundles than one; conditions on stresses. */
static void ranks_share_what_is_sought(void **state)
{
    (void)state;
    static const struct {
        const char *made_of, *crystals, *homogenization, *loading, *part;
        int ranks;
    } cases[] = {
        {one_material, "crystals: {count: 10}", "self_consistent", pulled, "", 2},
        {one_material, "crystals: {count: 10}", "self_consistent", pulled, "", 3},
        {one_material, "crystals: {count: 2}", "{self_consistent: {linearization: secant}}", pulled, "", 3},
        {one_material, "crystals: {file: heavy.ori}", "{self_consistent: {linearization: neff}}", "", "", 2},
        /* whose grains settle in as many steps as one of their bundle takes, and ranks have others: within the tolerance */
        {one_material, "crystals: {count: 10}",
         "{self_consistent: {linearization: second_order, tolerance: 1.0e-6}}", pulled, "", 3},
        {one_material, "crystals: {count: 11}",
         "{self_consistent: {linearization: secant, ellipsoids: grain}}", pulled, "", 2},
        {two_materials, "", "{self_consistent: {linearization: neff}}", pulled, "", 2},
        {two_materials, "", "{self_consistent: {linearization: neff}}", pulled, "phases/b/", 3},
        {one_material, "crystals: {count: 10}", "sachs", pulled, "", 3},
        {one_material, "crystals: {count: 2}", "sachs", "", "", 3},
        {one_material, "crystals: {file: heavy.ori}", "sachs", "", "", 2},
        {one_material, "crystals: {count: 10}", "alamel", "", "", 2},
        {one_material, "crystals: {count: 10}", "alamel", "", "", 3},
        {one_material, "crystals: {count: 2}", "alamel", "", "", 3},
    };
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static outcome one, many;
        result r;
        write_job(cases[i].made_of, cases[i].crystals, cases[i].homogenization, cases[i].loading, 0.02, "");
        run_well("slipwave taylor -q -j 1 scheme.yaml", &r);
        read_part(cases[i].part, &one);
        unlink("out.h5");
        run_on_ranks(cases[i].ranks, "taylor -q -j 1 scheme.yaml", &r);
        if (r.status != 0)
            fail_msg("%s, %s, %d ranks: '%s'", cases[i].homogenization, cases[i].crystals, cases[i].ranks,
                     r.err);
        read_part(cases[i].part, &many);
        assert_same(&one, &many);
        unlink("out.h5");
    }
}

/* Two ranks are asked to stop; another number of them goes on, and ends as a run that was not stopped. */
static void other_ranks_resume(void **state)
{
    (void)state;
    static const struct {
        const char *homogenization;
        int ranks;
        double step;
    } cases[] = {
        {"{self_consistent: {ellipsoids: grain}}", 3, 4e-3}, {"sachs", 1, 1e-4}, {"alamel", 3, 1e-4}};
    static outcome whole, resumed;
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        result r;
        write_job(one_material, "crystals: {count: 238}", cases[i].homogenization, back, cases[i].step,
                  ", checkpoint: 0.1");
        run_well("slipwave taylor -q -j 1 scheme.yaml", &r);
        read_part("", &whole);
        unlink("out.h5");
        stop_on_ranks(2, "taylor -q -j 1 scheme.yaml", "out.h5");
        run_on_ranks(cases[i].ranks, "taylor -q -j 1 scheme.yaml --resume", &r);
        if (r.status != 0)
            fail_msg("%s: '%s'", cases[i].homogenization, r.err);
        read_part("", &resumed);
        assert_same(&whole, &resumed);
        assert_int_equal(access("out.h5.partial", F_OK), -1);
        unlink("out.h5");
    }
}

/* What is wrong on one rank, where the crystal without a neighbour is, ends all. */
static void ranks_fail_together(void **state)
{
    (void)state;
    result r;
    if (without_mpi())
        skip();
    write_job(one_material, "crystals: {count: 3}", "alamel", "", 0.02, "");
    for (int ranks = 2; ranks <= 5; ranks++) { /* from 3 on some have no crystal */
        run_on_ranks(ranks, "taylor -q -j 1 scheme.yaml", &r);
        assert_int_equal(r.status, 1);
        if (strstr(r.err, "need an even number, of pairs") == NULL)
            fail_msg("%d ranks: '%s'", ranks, r.err);
        assert_int_equal(access("out.h5", F_OK), -1);
    }
}

static int make_inputs(void **state)
{
    if (make_folder(state) != 0)
        return 1;
    char *ferrite = read_data("materials/ferrite.yaml");
    write_text("ferrite.yaml", ferrite);
    free(ferrite);
    write_text("heavy.ori", "35 45 0 1e-20\n59 37 63 1e-20\n10 20 30 3\n40 50 60 1\n70 80 20 7\n");
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_share_what_is_sought),
        cmocka_unit_test(other_ranks_resume),
        cmocka_unit_test(ranks_fail_together),
    };
    return cmocka_run_group_tests(tests, make_inputs, remove_folder);
}
