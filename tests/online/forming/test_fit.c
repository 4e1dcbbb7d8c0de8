/* The task `fit`: it finds what curves were computed with, says how well, and complains of what cannot be. */
#include "tests/job_files.h"

#include "common/crystal/material_file.h"
#include "common/files/text.h"
#include "common/math/random.h"
#include "online/forming/tasks.h"
#include "slipwave/taylor.h"

enum { PARAMETERS = 4 };

static const char material_text[] =
    "name: copper\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.012, initial_slip_resistance: %g}\n"
    "hardening: {law: voce, initial_hardening_rate: %g, saturation_resistance: %g, exponent: %g}\n";
static const double truth[PARAMETERS] = {180e6, 148e6, 2.25, 16e6},
                    start[PARAMETERS] = {300e6, 110e6, 1.5, 20e6};

static const char sought[] = "    - {key: hardening.initial_hardening_rate}\n"
                             "    - {key: hardening.saturation_resistance}\n"
                             "    - {key: hardening.exponent}\n"
                             "    - {key: slip.initial_slip_resistance}\n";
static const char compression[] =
    "{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 800}",
                  tension[] =
                      "{velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, "
                      "0, x], [x, x, 0]], duration: 300}";

/* A job with these curves; the rest as here. */
static const char frame[] = "material: start.yaml\ncrystals: {count: 60, texture: random, seed: 1}\n"
                            "strain_increment: %g\ndevice: cpu\nthreads: 1\n"
                            "fit:\n  parameters:\n%s  curves:\n%s%soutput: {file: %s/out.h5}\n";

static const char *in_folder(const char *name)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_material(const char *name, const double p[PARAMETERS])
{
    char text[1024];
    snprintf(text, sizeof text, material_text, p[3], p[0], p[1], p[2]);
    write_text(in_folder(name), text);
}

/* ---- Curves as `slipwave taylor` has them ---- */

enum { ROWS = 200 };
typedef struct {
    int n;
    double strain[ROWS], stress[ROWS]; /* Pa */
} curve;

/* With the crystals of the jobs, sigma11 - sigma33 over strain 11 at the end of each step. */
static curve curve_of(const double parameters[PARAMETERS], const char *loading, double strain_increment)
{
    char text[2048];
    sw_taylor *run;
    sw_taylor_rows rows;
    int64_t taken;
    curve c = {.n = 0};
    write_material("truth.yaml", parameters);
    snprintf(text, sizeof text,
             "material: truth.yaml\nsolver: elastoplastic\ncrystals: {count: 60, texture: random, seed: 1}\n"
             "strain_increment: %g\nthreads: 1\nloading:\n  - %s\n",
             strain_increment, loading);
    CHECK_OK(sw_taylor_begin(in_folder("taylor.yaml"), text, 0, NULL, NULL, &run));
    CHECK_OK(sw_taylor_advance(run, ROWS, &taken));
    sw_taylor_history(run, &rows);
    for (int64_t k = 1; k < rows.rows; k++, c.n++) {
        c.strain[c.n] = 1e-3 * rows.time[k];
        c.stress[c.n] = rows.cauchy_stress[k][0][0] - rows.cauchy_stress[k][2][2];
    }
    sw_taylor_end(run);
    assert_true(c.n >= 15);
    return c;
}

static curve taylor_curve(const char *loading) { return curve_of(truth, loading, 0.02); }

static double normal(uint64_t draw, int i)
{
    double u[4];
    sw_random_uniform4(23, draw, (uint64_t)i, u);
    return sqrt(-2 * log(u[0])) * cos(2 * SW_PI * u[1]);
}

/* In MPa, with this noise (Pa), of this draw. */
static void write_curve(const char *name, const curve *c, double noise, uint64_t draw)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fprintf(file, "# made by a test\nstrain, stress\n");
    for (int i = 0; i < c->n; i++)
        fprintf(file, "%.9g, %.9g\n", c->strain[i], (c->stress[i] + noise * normal(draw, i)) / 1e6);
    fclose(file);
}

/* ---- Jobs ---- */

static const char *curve_text(char *text, const char *file, const char *stress, const char *loading,
                              const char *more)
{
    sprintf(text, "    - {file: %s, stress_unit: MPa, strain: \"11\", stress: \"%s\", %s loading: [%s]}\n",
            file, stress, more, loading);
    return text;
}

static void write_fit_by(double strain_increment, const char *parameters, const char *curves,
                         const char *more)
{
    char text[16384];
    snprintf(text, sizeof text, frame, strain_increment, parameters, curves, more, folder);
    write_job(text, NULL, NULL);
}

static void write_fit(const char *parameters, const char *curves, const char *more)
{
    write_fit_by(0.02, parameters, curves, more);
}

static sw_status run_fit(FILE *out)
{
    sw_forming_job *job;
    static const char *const quiet[][2] = {{"quiet", ""}};
    const sw_status status = sw_forming_job_open(&(sw_arguments){job_path, 1, quiet}, &job);
    if (status != SW_OK)
        return status;
    const sw_status ran = sw_forming_run(job, out);
    sw_forming_job_close(job);
    return ran;
}

/* value and uncertainty [n] of a job that is well. */
static void fit(int n, double *value, double *uncertainty)
{
    const int64_t shape[1] = {n};
    hid_t file;
    FILE *out = fopen("/dev/null", "w");
    CHECK_OK(run_fit(out));
    fclose(out);
    CHECK_OK(sw_h5_open(in_folder("out.h5"), 0, &file));
    CHECK_OK(sw_h5_read(file, "fit/value", H5T_NATIVE_DOUBLE, 1, shape, value));
    CHECK_OK(sw_h5_read(file, "fit/uncertainty", H5T_NATIVE_DOUBLE, 1, shape, uncertainty));
    H5Fclose(file);
}

/* ---- Tests ---- */

/* Curves of slipwave taylor, whose steps and crystals are the fit's. Stresses of free sides are met to 1e-3 of the stress
 * by taylor (its bound) and to 2e-5 here: some 0.1 MPa of 200, of which curves of 0.3 and 0.8 leave less than 2 % of any
 * parameter. The material file holds what the results say. */
static void parameters_are_found(void **state)
{
    (void)state;
    char a[1024], b[1024], both[2048];
    double value[PARAMETERS], uncertainty[PARAMETERS];
    const curve c = taylor_curve(compression), t = taylor_curve(tension);
    sw_material fitted;
    write_material("start.yaml", start);
    write_curve("c.csv", &c, 0, 0);
    write_curve("t.csv", &t, 0, 0);
    snprintf(both, sizeof both, "%s%s", curve_text(a, "c.csv", "11-33", compression, ""),
             curve_text(b, "t.csv", "11", tension, ""));
    char more[PATH_MAX + 64];
    snprintf(more, sizeof more, "  material: %s/fitted.yaml\n", folder);
    write_fit(sought, both, more);
    fit(PARAMETERS, value, uncertainty);
    for (int j = 0; j < PARAMETERS; j++) {
        print_message("%g: %g +- %g\n", truth[j], value[j], uncertainty[j]);
        CHECK_CLOSE(value[j] / truth[j], 1, 0.02);
        assert_true(uncertainty[j] > 0 && uncertainty[j] < 0.02 * value[j]);
    }
    CHECK_OK(sw_material_read(in_folder("fitted.yaml"), &fitted));
    CHECK_CLOSE(fitted.hardening.voce.initial_hardening_rate, value[0], 0);
    CHECK_CLOSE(fitted.hardening.voce.saturation_resistance, value[1], 0);
    CHECK_CLOSE(fitted.hardening.voce.exponent, value[2], 0);
    CHECK_CLOSE(fitted.slip.initial_slip_resistance, value[3], 0);
    CHECK_CLOSE(fitted.elasticity.c44, 75.0e9, 0);
}

/* A curve that is elastic for its most part: E, with the change of volume, is in the model, or the resistance would come out 0.8 % off.
 * Taylor's stresses have the elastic strains to first order, 0.1 % of G, which fits leave out. */
static void elastic_beginnings_are_met(void **state)
{
    (void)state;
    static const char pull[] =
        "{velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, "
        "0, x], [x, x, 0]], duration: 6}";
    static const double hard[PARAMETERS] = {180e6, 300e6, 2.25, 100e6},
                        near[PARAMETERS] = {180e6, 300e6, 2.25, 80e6};
    char text[1024];
    double value, uncertainty;
    const curve c = curve_of(hard, pull, 4e-4);
    write_material("start.yaml", near);
    write_curve("c.csv", &c, 0, 0);
    write_fit_by(4e-4, "    - {key: slip.initial_slip_resistance}\n",
                 curve_text(text, "c.csv", "11", pull, ""), "");
    fit(1, &value, &uncertainty);
    CHECK_CLOSE(value / 100e6, 1, 0.005);
}

/* Least number of n that comes with a probability above 1e-4 where each is within with probability p. */
static int least_count(int n, double p)
{
    int k = -1;
    for (double sum = 0; sum < 1e-4;) {
        k++;
        sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p));
    }
    return k;
}

/* Errors of 20 noisy curves over the uncertainties that are said: as many within one and two of them as chance has there
 * (binomial, 1e-4 to either side), and mean squares of chi-square's size: cubic roots of chi-square over n are normal
 * about 1 - 2/9n with variance 2/9n (Wilson and Hilferty), within four standard deviations. */
static void uncertainties_are_those_of_chance(void **state)
{
    (void)state;
    enum { DRAWS = 20 };
    const double noise = 0.5e6, w = 2.0 / (9 * DRAWS);
    const curve c = taylor_curve(compression);
    double squares[PARAMETERS] = {0};
    int within[2][PARAMETERS] = {{0}};
    char text[1024];
    write_material("start.yaml", start);
    write_fit(sought, curve_text(text, "noisy.csv", "11-33", compression, "deviation: 0.5e6,"), "");
    for (int draw = 0; draw < DRAWS; draw++) {
        double value[PARAMETERS], uncertainty[PARAMETERS];
        write_curve("noisy.csv", &c, noise, (uint64_t)draw + 1);
        fit(PARAMETERS, value, uncertainty);
        for (int j = 0; j < PARAMETERS; j++) {
            const double off = fabs(value[j] - truth[j]) / uncertainty[j];
            squares[j] += off * off / DRAWS;
            within[0][j] += off <= 1;
            within[1][j] += off <= 2;
        }
    }
    for (int j = 0; j < PARAMETERS; j++) {
        print_message("%g: mean square %.2f, %d and %d of %d within one and two\n", truth[j], squares[j],
                      within[0][j], within[1][j], DRAWS);
        CHECK_CLOSE(cbrt(squares[j]), 1 - w, 4 * sqrt(w));
        assert_in_range(within[0][j], least_count(DRAWS, 0.6827), DRAWS - least_count(DRAWS, 1 - 0.6827));
        assert_in_range(within[1][j], least_count(DRAWS, 0.9545), DRAWS);
    }
}

/* Where deviations are not given the misfit says them: to 1/sqrt(2 (n - P)) of itself, within four of which. */
static void the_misfit_stands_for_deviations(void **state)
{
    (void)state;
    const double noise = 0.5e6;
    const curve c = taylor_curve(compression);
    double value[2][PARAMETERS], uncertainty[2][PARAMETERS];
    char text[1024];
    write_material("start.yaml", start);
    write_curve("noisy.csv", &c, noise, 1);
    for (int k = 0; k < 2; k++) {
        write_fit(sought, curve_text(text, "noisy.csv", "11-33", compression, k ? "deviation: 0.5e6," : ""),
                  "");
        fit(PARAMETERS, value[k], uncertainty[k]);
    }
    for (int j = 0; j < PARAMETERS; j++) {
        CHECK_CLOSE(value[0][j] / value[1][j], 1,
                    0.3 * uncertainty[1][j] / value[1][j]); /* ENOUGH_OF_SUM of 56 */
        CHECK_CLOSE(uncertainty[0][j] / uncertainty[1][j], 1, 4 / sqrt(2.0 * (c.n - PARAMETERS)));
    }
}

/* ---- Notices and complaints ---- */

static char heard[4096];
static void hear(void *context, sw_notice notice, const char *text)
{
    (void)context;
    if (notice == SW_WARNING || strstr(text, "left out") != NULL)
        snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%s\n", text);
}

/* A short curve says little of saturation; a bound that keeps the truth out is met. */
static void warnings(void **state)
{
    (void)state;
    const curve c = taylor_curve(compression);
    curve beginning = c;
    double value[PARAMETERS], uncertainty[PARAMETERS];
    char text[1024];
    beginning.n = 8;
    write_material("start.yaml", start);
    write_curve("short.csv", &beginning, 0.2e6, 1);
    write_curve("c.csv", &c, 0, 1);
    heard[0] = '\0';
    sw_listen(hear, NULL);
    write_fit(sought, curve_text(text, "short.csv", "11-33", compression, ""), "");
    fit(PARAMETERS, value, uncertainty);
    if (strstr(heard, "correlated") == NULL)
        fail_msg("no warning of a correlation: '%s'", heard);
    heard[0] = '\0';
    write_fit("    - {key: hardening.initial_hardening_rate, least: 200.0e6}\n",
              curve_text(text, "c.csv", "11-33", compression, ""), "");
    fit(1, value, uncertainty);
    sw_listen(NULL, NULL);
    if (strstr(heard, "at its bound 2e+08") == NULL)
        fail_msg("no warning of a bound: '%s'", heard);
    CHECK_CLOSE(value[0] / 200e6, 1, 0.1);
}

static void fit_and_hear(int n, double *value, double *uncertainty)
{
    heard[0] = '\0';
    sw_listen(hear, NULL);
    fit(n, value, uncertainty);
    sw_listen(NULL, NULL);
}

static void assert_heard(const char *what)
{
    if (strstr(heard, what) == NULL)
        fail_msg("no '%s' in '%s'", what, heard);
}

static const char h0_sought[] = "    - {key: hardening.initial_hardening_rate}\n";

/* Rows before any strain leave what is found, and how well, to the bit; they are counted aloud. */
static void a_beginning_says_nothing(void **state)
{
    (void)state;
    char text[1024];
    double value[2], uncertainty[2];
    write_material("start.yaml", truth);
    write_fit(h0_sought, curve_text(text, "begun.csv", "11-33", compression, ""), "");
    for (int k = 0; k < 2; k++) {
        write_text(in_folder("begun.csv"),
                   k ? "0,0\n0,0\n0,0\n0,0\n0.1,150\n0.2,215\n0.4,290\n" : "0.1,150\n0.2,215\n0.4,290\n");
        fit_and_hear(1, &value[k], &uncertainty[k]);
    }
    assert_heard("begun.csv: 4 of 7 points are left out");
    assert_true(uncertainty[0] > 0);
    CHECK_CLOSE(value[1], value[0], 0);
    CHECK_CLOSE(uncertainty[1], uncertainty[0], 0);
}

/* A curve without any hardening: how fast it would saturate nobody knows, and it is said by how much. */
static void a_flat_curve_determines_no_hardening(void **state)
{
    (void)state;
    static const char all[] = "    - {key: hardening.initial_hardening_rate}\n"
                              "    - {key: hardening.saturation_resistance}\n";
    char text[1024];
    double value[2], uncertainty[2];
    write_material("start.yaml", truth);
    write_text(in_folder("flat.csv"), "0.05,120\n0.1,120.4\n0.15,119.7\n0.2,120.2\n0.25,119.8\n0.3,120\n");
    write_fit(all, curve_text(text, "flat.csv", "11-33", compression, ""), "");
    fit_and_hear(2, value, uncertainty);
    assert_true(uncertainty[0] > value[0] && uncertainty[1] < value[1]);
    assert_heard("fit: hardening.initial_hardening_rate = ");
    assert_heard("does not determine it: the uncertainty is ");
    assert_null(strstr(heard, "hardening.saturation_resistance = "));
}

/* As many numbers as parameters: met, and uncertain as their deviations say, or nobody. */
static void without_freedom_the_misfit_says_nothing(void **state)
{
    (void)state;
    char text[1024];
    double value, uncertainty[2];
    char more[PATH_MAX + 64], *written;
    snprintf(more, sizeof more, "  material: %s/one.yaml\n", folder);
    write_material("start.yaml", truth);
    write_text(in_folder("one.csv"), "0,0\n0.3,260\n");
    for (int k = 0; k < 2; k++) {
        write_fit(h0_sought, curve_text(text, "one.csv", "11-33", compression, k ? "deviation: 2.0e6," : ""),
                  more);
        fit_and_hear(1, &value, &uncertainty[k]);
        CHECK_OK(sw_read_text(in_folder("one.yaml"), &written));
        assert_int_equal(strstr(written, "standard uncertainty unknown Pa") != NULL, k == 0);
        free(written);
        if (k == 0)
            assert_heard("1 numbers for 1 parameters: uncertainties are not known");
    }
    assert_true(isnan(uncertainty[0]));
    assert_true(uncertainty[1] > 0.005 * value && uncertainty[1] < 0.2 * value);
}

/* Curve and r-value that the law cannot have. Its own curve before them: no warning. */
static void data_far_off_are_named(void **state)
{
    (void)state;
    curve c = taylor_curve(compression);
    char text[1024];
    double value, uncertainty;
    write_material("start.yaml", truth);
    write_curve("c.csv", &c, 0, 1);
    c.stress[10] *= 1.2;
    write_curve("off.csv", &c, 0, 1);
    write_fit(h0_sought, curve_text(text, "c.csv", "11-33", compression, "deviation: 1.0e6,"), "");
    fit_and_hear(1, &value, &uncertainty);
    assert_string_equal(heard, "");
    write_fit(h0_sought, text, "  r_values: [{angle: 0, r: 50, strain: 0.1, deviation: 0.05}]\n");
    fit_and_hear(1, &value, &uncertainty);
    assert_heard("r at 0 degrees is measured as 50 and fitted as");
    assert_heard("misfit over degrees of freedom is");
    write_fit(h0_sought, curve_text(text, "off.csv", "11-33", compression, "deviation: 2.0e6, weight: 0.25,"),
              "");
    fit_and_hear(1, &value, &uncertainty);
    char at[64];
    snprintf(at, sizeof at, "off.csv: the stress at true strain %g is measured", c.strain[10]);
    assert_heard(at);
}

/* The model's line begins where its specimen does. */
static void a_line_begins_at_the_beginning(void **state)
{
    (void)state;
    char text[1024];
    double value, uncertainty, first[2];
    const curve c = taylor_curve(compression);
    write_material("start.yaml", truth);
    write_curve("c.csv", &c, 0, 1);
    write_fit(h0_sought, curve_text(text, "c.csv", "11-33", compression, ""), "");
    fit(1, &value, &uncertainty);
    hid_t file;
    CHECK_OK(sw_h5_open(in_folder("out.h5"), 0, &file));
    for (int k = 0; k < 2; k++) {
        double line[ROWS];
        hid_t data =
            H5Dopen2(file, k ? "fit/curves/0/model_stress" : "fit/curves/0/model_strain", H5P_DEFAULT);
        hid_t space = H5Dget_space(data);
        assert_in_range(H5Sget_simple_extent_npoints(space), c.n + 1, ROWS);
        assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, line) >= 0);
        H5Sclose(space);
        H5Dclose(data);
        first[k] = line[0];
    }
    H5Fclose(file);
    assert_true(first[0] == 0 && first[1] == 0);
}

/* Searches from several beginnings: the same best answer, and the same for the same seed. */
static void starts(void **state)
{
    (void)state;
    const curve c = taylor_curve(compression);
    double one[2], several[2], uncertainty[2];
    char text[1024];
    static const char two[] = "    - {key: hardening.initial_hardening_rate, least: 5.0e7, most: 2.0e9}\n"
                              "    - {key: slip.initial_slip_resistance, least: 5.0e6, most: 5.0e7}\n";
    write_material("start.yaml", (const double[]){300e6, 148e6, 2.25, 20e6});
    write_curve("c.csv", &c, 0, 1);
    curve_text(text, "c.csv", "11-33", compression, "");
    write_fit(two, text, "");
    fit(2, one, uncertainty);
    write_fit(two, text, "  starts: 4\n  seed: 3\n");
    fit(2, several, uncertainty);
    CHECK_CLOSE(several[0] / one[0], 1, 1e-3);
    CHECK_CLOSE(several[1] / one[1], 1, 1e-3);
}

/* A sheet of one component has r-values far from 1, and the fit's are its runs': the r-value that a fit without one
 * computes is met by another fit, to no misfit. */
static void r_values_join(void **state)
{
    (void)state;
    const curve c = taylor_curve(compression);
    double value[1], uncertainty[1], r, misfit;
    const int64_t shape[1] = {1};
    hid_t file;
    char text[1024], more[256];
    static const char h0[] = "    - {key: hardening.initial_hardening_rate}\n";
    write_material("start.yaml", (const double[]){300e6, 148e6, 2.25, 16e6});
    write_curve("c.csv", &c, 0, 1);
    curve_text(text, "c.csv", "11-33", compression, "deviation: 1.0e6,");
    write_fit(h0, text, "  r_values: [{angle: 45, r: 1, strain: 0.1, deviation: 10}]\n");
    fit(1, value, uncertainty);
    CHECK_CLOSE(value[0] / truth[0], 1, 0.01);
    CHECK_OK(sw_h5_open(in_folder("out.h5"), 0, &file));
    CHECK_OK(sw_h5_read(file, "fit/r_values/fitted", H5T_NATIVE_DOUBLE, 1, shape, &r));
    H5Fclose(file);
    assert_true(r > 0.5 && r < 2); /* of random crystals */
    snprintf(more, sizeof more, "  r_values: [{angle: 45, r: %.9g, strain: 0.1, deviation: 1.0e-3}]\n", r);
    write_fit(h0, text, more);
    fit(1, value, uncertainty);
    CHECK_OK(sw_h5_open(in_folder("out.h5"), 0, &file));
    hid_t group = H5Gopen2(file, "fit", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_numbers(group, "misfit", 1, &misfit));
    H5Gclose(group);
    H5Fclose(file);
    CHECK_CLOSE(value[0] / truth[0], 1, 0.01);
    assert_true(misfit < 0.1);
}

static void bad_jobs_are_refused(void **state)
{
    (void)state;
    const curve c = taylor_curve(compression);
    static const struct {
        const char *old, *new, *message;
    } bad[] = {
        {"hardening.exponent", "hardening.exponents",
         "job.yaml:10: fit.parameters[2].key = hardening.exponents: need one of"},
        {"hardening.exponent", "slip.rate_sensitivity", "need one of slip.initial_slip_resistance"},
        {"hardening.exponent", "hardening.law", "need one of"},
        {"hardening.exponent", "slip.initial_slip_resistance", "there already"},
        {"hardening.exponent}", "hardening.exponent, least: 0.5}", "least = 0.5: need from 1 to 100"},
        {"hardening.exponent}", "hardening.exponent, least: 2}", "the material has 1.5: need more than 2"},
        {"c.csv", "none.csv", "none.csv"},
        {"c.csv", "bad.csv", "bad.csv:3: column 2 = 'x': need a number, of stress"},
        {"c.csv", "start.yaml", "start.yaml"},
        {"\"11-33\"", "\"11\"", "the pressure is not known"},
        {"\"11\",", "\"22\",", "fit.curves[0].strain = 22: need a component that strains"},
        {"800}", "700}", "the loading does not come there"},
        {"[0, 0, -1.0e-3]", "[0, 0, -2.0e-3]", "fit.curves[0].loading[0].velocity_gradient has trace"},
        {"loading:", "measure: engineering, loading:", "same normal component"},
        {"loading:", "most_strain: 0.03, loading:", "need as many as the 4 parameters, or more"},
        {"\"11\", stress: \"11-33\"", "\"33\", stress: \"11-33\"", "fit.curves[0].stress: "},
        {"\"11-33\"", "\"33-11\"", "MPa in the model: need the model's sign"},
        {"loading:", "columns: [strain, force], loading:", "c.csv:2: no column 'force'"},
        {"fit:",
         "prestrain: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 10}]\nfit:",
         "prestrain: fit begins with crystals as they are given"},
    };
    char text[1024], job[8192];
    write_material("start.yaml", start);
    write_curve("c.csv", &c, 0, 1);
    write_text(in_folder("bad.csv"), "strain;stress\n0.1;100\n0.2;x\n");
    write_fit(sought, curve_text(text, "c.csv", "11-33", compression, ""), "");
    memcpy(job, job_text, sizeof job);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_job(job, bad[k].old, bad[k].new);
        remove(in_folder("out.h5"));
        assert_int_not_equal(run_fit(stdout), SW_OK);
        assert_message_has(bad[k].message);
        assert_int_not_equal(access(in_folder("out.h5"), F_OK), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_found),
        cmocka_unit_test(elastic_beginnings_are_met),
        cmocka_unit_test(uncertainties_are_those_of_chance),
        cmocka_unit_test(the_misfit_stands_for_deviations),
        cmocka_unit_test(warnings),
        cmocka_unit_test(a_flat_curve_determines_no_hardening),
        cmocka_unit_test(a_beginning_says_nothing),
        cmocka_unit_test(without_freedom_the_misfit_says_nothing),
        cmocka_unit_test(data_far_off_are_named),
        cmocka_unit_test(a_line_begins_at_the_beginning),
        cmocka_unit_test(starts),
        cmocka_unit_test(r_values_join),
        cmocka_unit_test(bad_jobs_are_refused),
    };
    return cmocka_run_group_tests(tests, make_job_folder, NULL);
}
