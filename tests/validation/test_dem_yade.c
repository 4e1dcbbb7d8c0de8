/* Drained triaxial compression against another code: Yade, on the same packings with the same laws,
 * parameters and time step.
 *
 * Grains rearrange chaotically: runs of one code that differ in round-off alone part company within two or
 * three per cent of strain, and then agree in their mean only. Hence three packings, of Yade four runs each,
 * and the curves' beginnings; scripts/dev/compare_dem_yade.py runs and draws them whole. */
#include "common/math/rotation.h"
#include "online/dem/packing/packing.h"
#include "slipwave/dem.h"
#include "tests/test.h"

enum { PACKINGS = 3, CASES = 3, MOST_ROWS = 64 };

static const double pressure = 200e3, inertia_number = 2e-3; /* as the references' headers say */
static const double row_width = 2e-3;                        /* of axial strain */

/* A reference, and how far its curve is followed. Bounds are of sqrt(sum (a - b)^2 / sum b^2) over rows, a
 * and b means over packings. Runs of Yade that differ in round-off do so, that far, by 0.2 % of q/p and 0.6 %
 * of volume strain with moments; by 1 and 3 % without, where nothing holds back grains that roll. */
typedef struct {
    const char *name;
    double young, angle, roll_stiffness, twist_stiffness, roll_strength, twist_strength;
    int rows;
    double ratio_bound, volume_bound;
} test_case;

static const test_case cases[CASES] = {
    {"friction", 4.3e9, 33.4, 0, 0, 0, 0, 10, 0.03, 0.06},
    /* Lubbe et al. 2022, Table 2: moments that grains hardly ever overcome */
    {"rolling", 4.3e9, 33.4, 1.8, 1.7, 1.9, 1.3, 10, 0.01, 0.02},
    /* Table 1: moments at their limits */
    {"moments", 8e9, 25, 2, 2, 0.2, 0.2, 15, 0.01, 0.02},
};

/* Means over packings, row by row. */
typedef struct {
    double stress_ratio[MOST_ROWS], volume_strain[MOST_ROWS];
    int count[MOST_ROWS];
} curve;

static double stress_ratio(double side_1, double side_2, double end)
{
    return 3 * (end - 0.5 * (side_1 + side_2)) / (side_1 + side_2 + end);
}

/* A row of a packing, added to the mean of all. */
static void add(curve *mean, int row, double ratio, double volume_strain)
{
    mean->stress_ratio[row] += ratio / PACKINGS;
    mean->volume_strain[row] += volume_strain / PACKINGS;
    mean->count[row]++;
}

static curve read_reference(const test_case *c)
{
    char line[512];
    double packing, strain, volume_strain, void_ratio, s[3];
    curve mean = {0};
    FILE *file = fopen(data_path("reference/dem-yade-%s.csv", c->name), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &packing, &strain, &volume_strain, &void_ratio, &s[0],
                   &s[1], &s[2]) == 7 &&
            strain < c->rows * row_width)
            add(&mean, (int)(strain / row_width), stress_ratio(s[0], s[1], s[2]), volume_strain);
    fclose(file);
    for (int i = 0; i < c->rows; i++)
        assert_int_equal(mean.count[i], PACKINGS);
    return mean;
}

/* Means of `samples` values of a row, as Yade takes them: at the ends of equal parts, between records. */
static void add_records(curve *mean, int rows, int64_t n, const sw_dem_row *record)
{
    const int samples = 20;
    int64_t after = 1;
    assert_true(n >= 2 && record[n - 1].strain_33 >= rows * row_width * (1 - 1e-12));
    for (int i = 0; i < rows; i++) {
        double s[3] = {0, 0, 0}, volume_strain = 0;
        for (int j = 1; j <= samples; j++) {
            const double strain = row_width * (i + (double)j / samples);
            while (after < n - 1 && record[after].strain_33 < strain)
                after++;
            const sw_dem_row *a = &record[after - 1], *b = &record[after];
            const double part = fmax(0, (strain - a->strain_33) / (b->strain_33 - a->strain_33));
            s[0] += (1 - part) * a->stress_11 + part * b->stress_11;
            s[1] += (1 - part) * a->stress_22 + part * b->stress_22;
            s[2] += (1 - part) * a->stress_33 + part * b->stress_33;
            volume_strain += (1 - part) * a->volume_strain + part * b->volume_strain;
        }
        add(mean, i, stress_ratio(s[0], s[1], s[2]), volume_strain / samples);
    }
}

/* Consolidation at the pressure, then compression along 3 beyond `strain`. */
static void make_stages(double mean_radius, double density, double strain, sw_dem_stage stage[2])
{
    const double rate = sw_dem_rate(inertia_number, pressure, density, mean_radius);
    for (int i = 0; i < 2; i++) {
        stage[i] = sw_dem_stage_defaults();
        for (int c = 0; c < 3 - i; c++) {
            stage[i].stress_driven[c] = 1;
            stage[i].stress[c] = pressure;
        }
    }
    stage[0].max_rate = rate;
    stage[0].until = SW_DEM_UNTIL_EQUILIBRIUM;
    stage[0].goal = stage[0].stress_tolerance = 1e-3;
    stage[0].unrecorded = 1;
    stage[1].max_rate = 5 * rate;
    stage[1].velocity_gradient[2][2] = -rate;
    stage[1].until = SW_DEM_UNTIL_STRAIN;
    stage[1].component = 2;
    stage[1].goal = strain;
    stage[1].zero_strain = 1;
}

static void differ(const char *name, const char *what, int rows, const double *ours, const double *reference,
                   double bound)
{
    double difference = 0, square = 0;
    for (int i = 0; i < rows; i++) {
        difference += (ours[i] - reference[i]) * (ours[i] - reference[i]);
        square += reference[i] * reference[i];
    }
    difference = sqrt(difference / square);
    print_message("%s: %s differs by %.2f %% to a strain of %g\n", name, what, 100 * difference,
                  rows * row_width);
    if (!(difference <= bound))
        fail_msg("%s: %s differs from Yade's by %.3g: need %g at most", name, what, difference, bound);
}

static void curves_are_those_of_yade(void **state)
{
    (void)state;
    sw_dem_packing packing[PACKINGS];
    sw_dem_stage stage[CASES][PACKINGS][2];
    sw_dem_sample sample[CASES * PACKINGS];
    const sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    for (int k = 0; k < PACKINGS; k++) {
        double mean_radius = 0;
        CHECK_OK(sw_dem_packing_read(data_path("reference/dem-yade-packing-%d.txt", k + 1), &packing[k]));
        for (int64_t i = 0; i < packing[k].n_particles; i++)
            mean_radius += packing[k].radius[i] / (double)packing[k].n_particles;
        for (int j = 0; j < CASES; j++) {
            sw_dem_sample *s = &sample[j * PACKINGS + k];
            *s = (sw_dem_sample){.packing = packing[k],
                                 .material = sw_dem_quartz(),
                                 .numerics = sw_dem_numerics_defaults(),
                                 .n_stages = 2,
                                 .stage = stage[j][k]};
            s->material.moment_radius = SW_DEM_MOMENT_PRODUCT;
            s->material.young = cases[j].young;
            s->material.friction = tan(cases[j].angle * SW_PI / 180);
            s->material.roll_stiffness = cases[j].roll_stiffness;
            s->material.twist_stiffness = cases[j].twist_stiffness;
            s->material.roll_strength = cases[j].roll_strength;
            s->material.twist_strength = cases[j].twist_strength;
            s->numerics.record_interval = 40; /* some 25 in a row */
            make_stages(mean_radius, s->material.density, cases[j].rows * row_width, stage[j][k]);
        }
    }
    CHECK_OK(sw_dem_open(&options, CASES * PACKINGS, sample, &dem));
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    for (int j = 0; j < CASES; j++) {
        curve mean = {0};
        for (int k = 0; k < PACKINGS; k++) {
            int64_t n;
            CHECK_OK(sw_dem_failure(dem, j * PACKINGS + k));
            const sw_dem_row *record = sw_dem_rows(dem, j * PACKINGS + k, &n);
            add_records(&mean, cases[j].rows, n, record);
        }
        const curve reference = read_reference(&cases[j]);
        differ(cases[j].name, "q/p", cases[j].rows, mean.stress_ratio, reference.stress_ratio,
               cases[j].ratio_bound);
        differ(cases[j].name, "volume strain", cases[j].rows, mean.volume_strain, reference.volume_strain,
               cases[j].volume_bound);
    }
    sw_dem_close(dem);
    for (int k = 0; k < PACKINGS; k++)
        sw_dem_packing_free(&packing[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curves_are_those_of_yade)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
