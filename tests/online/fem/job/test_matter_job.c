/* Laws of decks in jobs: one element against closed forms, r-values of results of `slipwave forming`, von Mises by both
 * ways, what is refused. */
#include "texts.h"

#include <math.h>

#include "common/files/hdf5_io.h"
#include "tests/online/forming/functions/aa2090.h"

static const double degree = 3.14159265358979323846 / 180;

/* An element of 1 m that is drawn along x; what is across it is free. Steps take `time` s. */
static const char element[] =
    "mesh:\n  body: box\n  cells: [1, 1, 1]\n  size: [1, 1, 1]\n  sets:\n"
    "    - {name: post, kind: nodes, from: [0, 0, 0], to: [0, 0, 1]}\nstrain: %s\nmaterials:\n  - "
    "%s\nboundary:\n"
    "  - {nodes: x_min, x: 0}\n  - {nodes: post, y: 0}\n  - {nodes: z_min, z: 0}\n  - {nodes: x_max, x: "
    "%.17g}\n%s"
    "steps: [{factor: 1, increments: %d, time: %.17g}]\nsolver: {tolerance: 1e-11}\n"
    "output: {file: out.h5, fields: [none]}\n";
static const char held[] = "  - {nodes: y_min, y: 0}\n  - {nodes: y_max, y: 0}\n  - {nodes: z_max, z: 0}\n";

typedef struct {
    double stress[6], strain[6], plastic; /* at the end */
    double last;                          /* plastic strain of the last increment */
    int newton;                           /* iterations of it */
    double pull; /* N, on the first element's face that is drawn, where there is one element */
} outcome;

/* The first element of a job at its end. */
static outcome run_job(const char *text)
{
    sw_fem_job *job;
    sw_fem *fem;
    sw_fem_report report = {0};
    double force[300], increment = 1, stress[64][6], strain[64][6], plastic[64];
    outcome end = {.plastic = 0};
    CHECK_OK(read_job(text, NULL, NULL, NO_OPTIONS, &job));
    CHECK_OK(sw_fem_open(&job->problem, &job->options, &fem));
    for (int64_t i = 0; i < job->n_increments; i++) {
        CHECK_OK(sw_fem_set_duration(fem, job->duration[i]));
        CHECK_OK(sw_fem_advance(fem, job->factor + i * job->problem.n_cases, &increment, &report));
        CHECK_OK(sw_fem_read(
            fem, &(sw_fem_fields){.stress = stress, .strain = strain, .plastic_strain = plastic}));
        end.last = plastic[0] - end.plastic;
        end.plastic = plastic[0];
    }
    CHECK_OK(sw_fem_read(fem, &(sw_fem_fields){.force = force}));
    for (int n = 1; n < 8; n += 2)
        end.pull += force[3 * n];
    memcpy(end.stress, stress[0], sizeof end.stress);
    memcpy(end.strain, strain[0], sizeof end.strain);
    end.newton = report.newton;
    sw_fem_close(fem);
    sw_fem_job_free(job);
    return end;
}

static outcome draw(const char *measure, const char *material, double by, const char *more, int increments,
                    double time)
{
    char text[2 * PATH_MAX];
    snprintf(text, sizeof text, element, measure, material, by, more, increments, time);
    return run_job(text);
}

/* ---- Sheets ---- */

/* As `slipwave forming` has it. */
static void write_fit(const char *path, const sw_yield *y)
{
    const int64_t n = y->function->coefficients;
    char name[64];
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t functions = H5Gcreate2(file, "functions", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    snprintf(name, sizeof name, "%s", y->function->name);
    hid_t group = H5Gcreate2(functions, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK_OK(sw_h5_write(group, "coefficient", H5T_NATIVE_DOUBLE, 1, &n, y->coefficient));
    CHECK_OK(sw_h5_write_numbers(group, "exponent", 1, &y->exponent));
    CHECK_OK(sw_h5_write_numbers(group, "reference_stress", 1, &y->reference));
    H5Gclose(group);
    H5Gclose(functions);
    H5Fclose(file);
}

/* Elastic strains are s / E along and -0.3 s / E across. */
static double r_of(const outcome *o)
{
    const double elastic = o->stress[0] / 200e9;
    return (o->strain[1] + 0.3 * elastic) / (o->strain[2] + 0.3 * elastic);
}

static void sheets_have_the_r_values_of_their_fits(void **state)
{
    (void)state;
    const sw_yield hill = {.function = &sw_yield_functions[SW_YIELD_HILL48],
                           .coefficient = {0.28, 0.65, 0.35, 1.5, 1.4, 1.9},
                           .reference = 1,
                           .exponent = 2};
    const sw_yield all[] = {hill, aa2090_yld2000(), aa2090_yld2004()};
    for (int kind = 0; kind < 3; kind++)
        for (int angle = 0; angle <= 90; angle += 45)
            for (int finite = 0; finite < 2; finite++) {
                const sw_yield *y = &all[kind];
                char path[PATH_MAX + 32], material[PATH_MAX + 256];
                double stress, q;
                snprintf(path, sizeof path, "%s/sheet.h5", folder);
                write_fit(path, y);
                snprintf(material, sizeof material,
                         "{young: 200e9, poisson: 0.3, yield_stress: 100e6, yield: {function: %s, file: %s, "
                         "rolling: [%.17g, %.17g, 0], transverse: [%.17g, %.17g, 0]}}",
                         y->function->name, path, 2 * cos(angle * degree), -2 * sin(angle * degree),
                         sin(angle * degree), cos(angle * degree));
                const outcome o = draw(finite ? "finite" : "small", material, 0.02, "", 4, 1);
                sw_yield_uniaxial(y, angle * degree, &stress, &q);
                /* finite: at 45 degrees the axes turn by the shear of an element whose ends stay straight */
                CHECK_CLOSE(r_of(&o) / sw_r_of_q(q), 1, finite && angle == 45 ? 1e-3 : 2e-5);
                CHECK_CLOSE(o.stress[0] / (100e6 * stress), 1, finite && angle == 45 ? 1e-3 : 2e-5);
                assert_true(o.newton <= 8);
                assert_int_equal(remove(path), 0);
            }
}

/* ---- Rates and hardening ---- */

#define STEEL "{young: 200e9, poisson: 0.3, yield_stress: 100e6, "

static void rates_harden(void **state)
{
    (void)state;
    for (int finite = 0; finite < 2; finite++) {
        const char *measure = finite ? "finite" : "small";
        /* drawn by 0.02 in 10 s, at the end without hardening: nothing but plastic strain comes */
        const outcome power =
            draw(measure, STEEL "rate: {law: cowper_symonds, rate: 40, exponent: 5}}", 0.02, "", 20, 10);
        const double rate = (finite ? log(1.02 / 1.019) / 0.5 : 0.002) / 40;
        CHECK_CLOSE(power.stress[0] / (100e6 * (1 + pow(rate, 0.2))), 1, 2e-6);
        const outcome cook = draw(measure,
                                  STEEL "power: {modulus: 300e6, exponent: 0.4}, "
                                        "rate: {law: johnson_cook, rate: 1e-4, factor: 0.02}}",
                                  0.05, "", 20, 2);
        CHECK_CLOSE(cook.stress[0] /
                        ((100e6 + 300e6 * pow(cook.plastic, 0.4)) * (1 + 0.02 * log(cook.last / 0.1 / 1e-4))),
                    1, 1e-9);
        assert_true(power.newton <= 6 && cook.newton <= 6);
        if (!finite) /* what is read afterwards has not rested since */
            CHECK_CLOSE(power.pull / power.stress[0], 1, 1e-9);
    }
}

/* By C = 2 GPa, gamma = 20 and a size that grows by 50 MPa: increments of 5e-5 are off by gamma / 2 of that, 5e-4 of a
 * backstress that is a fifth of the stress. */
static void backstresses_move_the_surface(void **state)
{
    (void)state;
    const outcome o = draw("small",
                           STEEL "hardening: {law: voce, saturation: 150e6, rate: 30}, "
                                 "backstresses: [[2e9, 20], [1e9, 0]]}",
                           0.02, "", 400, 1);
    const double p = o.plastic;
    CHECK_CLOSE(o.stress[0] / (150e6 - 50e6 * exp(-30 * p) + 100e6 * (1 - exp(-20 * p)) + 1e9 * p), 1, 1e-4);
    CHECK_CLOSE(p + o.stress[0] / 200e9, 0.02, 1e-12);
    /* a size that takes more than a strain of 1000 to grow: 50 MPa x 0.01 x p, 10 kPa, hardly */
    const outcome slow = draw("small",
                              STEEL "hardening: {law: voce, saturation: 150e6, rate: 0.01}, "
                                    "backstresses: [[2e9, 20]]}",
                              0.02, "", 400, 1);
    CHECK_CLOSE(slow.stress[0] /
                    (100e6 + 50e6 * (1 - exp(-0.01 * slow.plastic)) + 100e6 * (1 - exp(-20 * slow.plastic))),
                1, 3e-4);
    /* and by rate; increments of 1e-3 are off by gamma / 2 of that, 1 % of what is a fifth */
    const outcome fast = draw("small",
                              STEEL "rate: {law: cowper_symonds, rate: 40, exponent: 5}, "
                                    "backstresses: [[2e9, 20]]}",
                              0.02, "", 20, 10);
    CHECK_CLOSE(fast.stress[0] /
                    (100e6 * (1 + pow(fast.last / 0.5 / 40, 0.2)) + 100e6 * (1 - exp(-20 * fast.plastic))),
                1, 3e-3);
}

/* Cauchy's stress of what is held across and stretched by J. */
static void rubber_follows_its_energy(void **state)
{
    (void)state;
    const double J = 1.3, c10 = 0.5e6, c01 = 0.2e6, d = 1e-7, bulk = 2 * (J - 1) / d;
    const outcome neo =
        draw("finite", "{rubber: {energy: neo_hooke, constants: [0.5e6, 1e-7]}}", J - 1, held, 2, 1);
    const double i1 = pow(J, -2. / 3) * (J * J + 2), from1 = 2 * c10 / J * (pow(J, 4. / 3) - i1 / 3);
    CHECK_CLOSE(neo.stress[0] / (from1 + bulk), 1, 1e-9);
    CHECK_CLOSE(neo.stress[1] / (2 * c10 / J * (pow(J, -2. / 3) - i1 / 3) + bulk), 1, 1e-9);
    const outcome mooney = draw(
        "finite", "{rubber: {energy: mooney_rivlin, constants: [0.5e6, 0.2e6, 1e-7]}}", J - 1, held, 2, 1);
    /* dI2/dlambda lambda of I2 = J^(-4/3) (1 + 2 J^2), at constant J: 2 (I1 b - b^2) less 2/3 of that trace */
    const double b = pow(J, 4. / 3), other = pow(J, -2. / 3), i2 = other * other + 2 * b * other;
    const double from2 = 2 * c01 / J * (i1 * b - b * b - 2 * i2 / 3);
    CHECK_CLOSE(mooney.stress[0] / (from1 + from2 + bulk), 1, 1e-9);
    assert_true(neo.newton <= 6 && mooney.newton <= 6);
}

/* Drawn to twice its length with free sides: what stays of Newton's residuals where stresses are as large as moduli. K is
 * 2000 G: by the closed form of no change of volume, 2 C10 (l^2 - 1 / l), off by some s / 3 K. */
static void rubber_converges(void **state)
{
    (void)state;
    const outcome o = draw("finite", "{rubber: {energy: neo_hooke, constants: [0.5e6, 1e-9]}}", 1, "", 4, 1);
    CHECK_CLOSE(o.stress[0] / (1e6 * (4 - 0.5)), 1, 2e-3);
    CHECK_CLOSE(o.stress[1] / 1e6, 0, 1e-9);
    /* and bent, where shears turn: quadratically, from 1e-2 to 1e-10 in four steps or so */
    const outcome bent = run_job(
        "mesh: {body: box, cells: [4, 1, 1], size: [4, 1, 1]}\nstrain: finite\nmaterials:\n"
        "  - {rubber: {energy: neo_hooke, constants: [0.5e6, 1e-7]}}\nboundary:\n"
        "  - {nodes: x_min, x: 0, y: 0, z: 0}\n  - {nodes: x_max, y: 2, x: 1}\n"
        "steps: [{factor: 1, increments: 4}]\nsolver: {tolerance: 1e-10, line_search: 0, linear: direct}\n"
        "output: {file: out.h5, fields: [none]}\n");
    if (o.newton > 6 || bent.newton > 6)
        fail_msg("%d and %d iterations", o.newton, bent.newton);
}

/* ---- Bodies ---- */

/* Bent beyond yield, one half of another material: von Mises as before, and by a function that is it. */
static outcome bend(const char *measure, const char *extra, const char *hardening)
{
    char text[4096];
    snprintf(text, sizeof text,
             "mesh:\n  body: box\n  cells: [6, 2, 1]\n  size: [6, 1, 1]\n  sets:\n"
             "    - {name: low, kind: elements, from: [0, 0, 0], to: [3, 1, 1]}\n"
             "    - {name: high, kind: elements, from: [3, 0, 0], to: [6, 1, 1]}\nstrain: %s\nmaterials:\n"
             "  - " STEEL "elements: low, %s%s}\n  - " STEEL "elements: high, %s}\nboundary:\n"
             "  - {nodes: x_min, x: 0, y: 0, z: 0}\n  - {nodes: x_max, y: 0.3}\n"
             "steps: [{factor: 1, increments: 3}]\nsolver: {tolerance: 1e-10}\n"
             "output: {file: out.h5, fields: [none]}\n",
             measure, hardening, extra, hardening);
    return run_job(text);
}

static void von_mises_is_the_same_by_both_ways(void **state)
{
    (void)state;
    static const char *const hardening[] = {
        "hardening: {law: linear, modulus: 2e9}",
        "hardening: {law: voce, saturation: 300e6, rate: 20, modulus: 1e8}", "hardening: {law: none}"};
    for (int finite = 0; finite < 2; finite++)
        for (int h = 0; h < 3; h++) {
            const char *measure = finite ? "finite" : "small";
            const outcome one = bend(measure, "", hardening[h]),
                          two = bend(
                              measure,
                              ", yield: {function: hill48, coefficients: [0.5, 0.5, 0.5, 1.5, 1.5, 1.5]}",
                              hardening[h]);
            /* finite: Cauchy's stress yields instead of Kirchhoff's, some tr(s) / 3 K of them apart; small: a curve in stretches */
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(two.stress[i] / 100e6, one.stress[i] / 100e6, finite ? 3e-3 : 1e-5);
            CHECK_CLOSE(two.plastic / one.plastic, 1, finite ? 3e-3 : 1e-5);
            if (!(one.plastic > 0.005 && two.newton <= one.newton + 4))
                fail_msg("plastic strain %g, iterations %d and %d", one.plastic, one.newton, two.newton);
        }
}

/* ---- What is refused ---- */

static void refuse(const char *measure, const char *material, const char *key, const char *why)
{
    char text[4096];
    sw_fem_job *job;
    snprintf(text, sizeof text, element, measure, material, 0.02, "", 1, 1.0);
    if (read_job(text, NULL, NULL, NO_OPTIONS, &job) != SW_ERR_INPUT)
        fail_msg("'%s' was taken, or refused otherwise: %s", material, sw_error_message());
    assert_message_has("job.yaml:9: ");
    assert_message_has(key);
    assert_message_has(why);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    refuse("small", "{young: 1, poisson: 0, yield: {function: hill48, coefficients: [1, 1, 1, 3, 3, 3]}}",
           "materials[0].yield_stress", "is missing");
    refuse("small", STEEL "yield: {function: hill48, coefficients: [1, 1, 1]}}",
           "materials[0].yield.coefficients has 3 numbers", "need 6 of hill48");
    refuse("small", STEEL "yield: {function: hill48, exponent: 8, coefficients: [1, 1, 1, 3, 3, 3]}}",
           "materials[0].yield.exponent", "has none");
    refuse("small", STEEL "yield: {function: hill48, coefficients: [-5, 1, 1, 3, 3, 3]}}",
           "materials[0].yield", "not convex");
    refuse("small", STEEL "yield: {function: hill48, file: /nowhere.h5}}", "materials[0].yield.file",
           "/nowhere.h5");
    refuse("small", STEEL "yield: {function: hill48, coefficients: [1, 1, 1, 3, 3, 3], rolling: [0, 1, 0]}}",
           "materials[0].yield.transverse", "other than the rolling one");
    refuse("small", STEEL "yield: {function: hill48, coefficients: [1, 1, 1, 3, 3, 3], rolling: [0, 0, 0]}}",
           "materials[0].yield.rolling", "not 0");
    refuse("small",
           STEEL "yield: {function: yld2000_2d, exponent: 8, coefficients: [0, 0, 0, 0, 0, 0, 0, 0]}}",
           "materials[0].yield", "yld2000_2d is 0 under a stress of 1 along 11");
    refuse("small", STEEL "yield: {function: hill48, coefficients: [0.5, 0.5, 0.5, 1.5, 1.5, 0]}}",
           "materials[0].yield", "hill48 is 0 under a stress of 1 along 12");
    refuse("small", STEEL "hardening: {law: none}, power: {modulus: 1, exponent: 1}}", "materials[0].power",
           "beside hardening");
    /* which would be dropped without a word: 160 MPa for 190 */
    refuse("finite", STEEL "power: {modulus: 300e6, exponent: 0.4}, backstresses: [[2e9, 20]]}",
           "materials[0].power", "beside backstresses");
    refuse("small",
           STEEL "power: {modulus: 300e6, exponent: 0.4}, backstresses: [[2e9, 20]], "
                 "rate: {law: cowper_symonds, rate: 40, exponent: 5}}",
           "materials[0].power", "beside backstresses");
    refuse("small", STEEL "hardening: {law: linear, modulus: 1}, backstresses: [[1, 1]]}",
           "materials[0].hardening.law", "voce without a modulus");
    refuse("small",
           STEEL "backstresses: [[1, 1]], yield: {function: hill48, coefficients: [1, 1, 1, 3, 3, 3]}}",
           "materials[0].yield", "isotropic hardening alone");
    refuse("finite", "{young: 1, rubber: {energy: neo_hooke, constants: [1, 1]}}", "materials[0].young",
           "beside rubber");
    refuse("finite", "{rubber: {energy: yeoh, constants: [1, 1]}}", "materials[0].rubber.constants has 2",
           "need 6");
    refuse("finite", "{rubber: {energy: neo_hooke, constants: [-1, 1]}}", "materials[0].rubber", "not stiff");
    refuse("finite", "{rubber: {energy: arruda_boyce, constants: [1e6, 0, 1e-8]}}", "materials[0].rubber",
           "lambda_m 0: need > 0");
    refuse("finite", "{rubber: {energy: ogden, constants: [1e6, 2, 1e6, 0, 1e-8, 0]}}", "materials[0].rubber",
           "alpha2 is 0");
}

static char said[512];
static void note(void *context, sw_notice notice, const char *text)
{
    (void)context;
    (void)notice;
    snprintf(said, sizeof said, "%s", text);
}

/* G + H of Hill's, 1.8 for 1: the root of it. */
static void other_scales_are_said(void **state)
{
    (void)state;
    char text[4096];
    for (int off = 0; off < 2; off++) {
        sw_fem_job *job;
        snprintf(text, sizeof text, element, "small",
                 off ? STEEL "yield: {function: hill48, coefficients: [1, 0.9, 0.9, 3, 3, 3]}}"
                     : STEEL "yield: {function: hill48, coefficients: [1, 0.5, 0.5, 3, 3, 3]}}",
                 0.02, "", 1, 1.0);
        said[0] = '\0';
        sw_listen(note, NULL);
        CHECK_OK(read_job(text, NULL, NULL, NO_OPTIONS, &job));
        sw_listen(NULL, NULL);
        sw_fem_job_free(job);
        if (off ? strstr(said,
                         "materials[0].yield: uniaxial stress of 1 along rolling has a function of 1.342: it "
                         "yields at 7.454e+07 Pa") == NULL
                : said[0] != '\0')
            fail_msg("said: '%s'", said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sheets_have_the_r_values_of_their_fits),
                                       cmocka_unit_test(rates_harden),
                                       cmocka_unit_test(backstresses_move_the_surface),
                                       cmocka_unit_test(rubber_follows_its_energy),
                                       cmocka_unit_test(rubber_converges),
                                       cmocka_unit_test(von_mises_is_the_same_by_both_ways),
                                       cmocka_unit_test(what_cannot_be_is_refused),
                                       cmocka_unit_test(other_scales_are_said)};
    return cmocka_run_group_tests(tests, make_job_folder, remove_job_folder);
}
