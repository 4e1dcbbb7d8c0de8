/* Load paths (control.h): the servo, what ends stages, and what is refused or fails, with its message. */
#include "online/dem/step.h"
#include "tests/online/dem_packs.h"

static const double mean_radius = 8.75e-5, pressure = 1e5;

static sw_dem_material soft(void)
{
    sw_dem_material m = sw_dem_quartz();
    m.young = 4.3e8;
    m.roll_strength = 0.2;
    m.twist_strength = 0.1;
    return m;
}

/* A dense packing at the pressure, made once. */
static sw_dem_packing dense;

static int make_dense(void **state)
{
    (void)state;
    const sw_dem_material m = soft();
    dense = dem_pack_dense(200, &m, pressure, 0.05, 11);
    return 0;
}

static int free_dense(void **state)
{
    (void)state;
    sw_dem_packing_free(&dense);
    return 0;
}

static sw_dem *open_dense(int64_t record_interval, int64_t n_stages, const sw_dem_stage *stage)
{
    const sw_dem_material m = soft();
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    numerics.record_interval = record_interval;
    return dem_open(NULL, &dense, &m, &numerics, n_stages, stage);
}

static double rate_of(double inertia)
{
    const sw_dem_material m = soft();
    return dem_rate(&m, mean_radius, pressure, inertia);
}

/* Stress component c of six of a record. */
static double stress_of(const sw_dem_row *row, int c) { return (&row->stress_11)[c]; }
static double strain_of(const sw_dem_row *row, int c) { return (&row->strain_11)[c]; }

/* Records of a stage, [*n]. */
static const sw_dem_row *rows_of(sw_dem *dem, int stage, int64_t *n)
{
    int64_t all;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &all), *end = row + all;
    while (row < end && row->stage < stage)
        row++;
    for (*n = 0; row + *n < end && row[*n].stage == stage;)
        ++*n;
    assert_true(*n > 0);
    return row;
}

/* ---- The servo ---- */

/* To twice the pressure, to rest, and held there. */
static void test_isotropic(void **state)
{
    (void)state;
    sw_dem_stage stage[2] = {dem_isotropic(2 * pressure, rate_of(0.01), -1), dem_isotropic(2 * pressure, rate_of(0.01), -1)};
    stage[1].until = SW_DEM_UNTIL_STEPS;
    stage[1].goal = 3000;
    sw_dem *dem = open_dense(20, 2, stage);
    dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 0, &n);
    assert_true(row[n - 1].unbalanced_force <= 0.01);
    row = rows_of(dem, 1, &n);
    double worst = 0;
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs(stress_of(&row[i], c) / (2 * pressure) - 1));
    print_message("held to %g, unbalanced %g\n", worst, row[n - 1].unbalanced_force);
    CHECK_CLOSE(worst, 0, 0.01);
    CHECK_CLOSE(row[n - 1].unbalanced_force, 0, 0.01);
    sw_dem_close(dem);
}

/* Lateral stresses held to 1 %; then dq / dp = 3. */
static void test_drained(void **state)
{
    (void)state;
    const double rate = rate_of(2e-3);
    const sw_dem_stage stage[2] = {dem_isotropic(pressure, rate, -1), dem_drained(pressure, rate, 0.04)};
    sw_dem *dem = open_dense(20, 2, stage);
    dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 1, &n);
    double worst = 0, square = 0, pp = 0, pq = 0, p = 0, q = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int c = 0; c < 2; c++) {
            const double off = stress_of(&row[i], c) / pressure - 1;
            worst = fmax(worst, fabs(off));
            square += off * off / (2 * (double)n);
        }
        p += row[i].pressure / (double)n;
        q += row[i].deviator / (double)n;
    }
    for (int64_t i = 0; i < n; i++) {
        pp += (row[i].pressure - p) * (row[i].pressure - p);
        pq += (row[i].pressure - p) * (row[i].deviator - q);
        CHECK_CLOSE(row[i].pressure, (row[i].stress_11 + row[i].stress_22 + row[i].stress_33) / 3, 1e-9 * p);
        /* with shear stresses, which nothing holds, q is a little more than the difference */
        assert_true(row[i].deviator >= fabs(row[i].stress_33 - 0.5 * (row[i].stress_11 + row[i].stress_22)) * (1 - 1e-12));
    }
    print_message("%d records of %d steps, lateral stress off by %g, %g rms; dq/dp %g; q %g to %g, e_v %g\n", (int)n, (int)row[n-1].step, worst,
                  sqrt(square), pq / pp, row[0].deviator, row[n-1].deviator, row[n-1].volume_strain);
    CHECK_CLOSE(sqrt(square), 0, 0.01);
    CHECK_CLOSE(pq / pp, 3, 0.03);
    CHECK_CLOSE(row[n - 1].strain_33, 0.04, 1e-12 + rate * row[n - 1].time_step);
    CHECK_CLOSE(row[n - 1].volume_strain, row[n - 1].strain_11 + row[n - 1].strain_22 + row[n - 1].strain_33, 1e-4);
    sw_dem_close(dem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isotropic),
        cmocka_unit_test(test_drained),
    };
    return cmocka_run_group_tests_name("load paths of the DEM", tests, make_dense, free_dense);
}
