/* Forming limits by Marciniak and Kuczynski: plane strain against the integral of a curve, what must hold of any sheet,
 * and how paths end. */
#include "tests/test.h"

#include "online/forming/limit/limits.h"

enum { N = 64 };
static const double RATE = 1e-3;
static sw_material material;
static sw_response *response;
static sw_crystal crystal[N];

static int set_up(void **unused)
{
    (void)unused;
    material = copper();
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = &material},
                              &response));
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 5, 0, 16e6F));
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    sw_response_close(response);
    return 0;
}

static sw_status begin(void *context, int64_t runs, sw_runs **made)
{
    return sw_runs_create(response, runs, N, context, NULL, NULL, made);
}

/* One ratio, bands at 0, without refinement. */
static sw_limit_settings settings_of(double *ratio)
{
    return (sw_limit_settings){.imperfection = 0.99,
                               .necking = 10,
                               .ratios = ratio,
                               .ratios_count = 1,
                               .angles = {0, 45, 1},
                               .strain_increment = 0.01,
                               .strain_rate = RATE,
                               .strain_limit = 1};
}

static sw_limit_path limit_of(const sw_limit_settings *settings, sw_crystal *of)
{
    sw_limit_diagram d;
    CHECK_OK(sw_limit_diagram_find(settings, &(sw_limit_crystals){of, begin, NULL}, &d));
    assert_int_equal(d.paths, 1);
    assert_true(d.evaluations > 0);
    const sw_limit_path path = d.path[0];
    sw_limit_diagram_free(&d);
    return path;
}

/* ---- Plane strain ---- */

enum { CURVE = 400, PARTS = 100 };
static const double CURVE_STEP = 0.005;

/* log(stress exp(-strain)) of plane strain, the force of a sheet, after each step. */
static void force_curve(double log_force[CURVE + 1])
{
    const sw_condition condition = sw_condition_stretch(RATE, 0);
    sw_runs *runs;
    CHECK_OK(begin(crystal, 1, &runs));
    log_force[0] = -INFINITY;
    for (int i = 1; i <= CURVE; i++) {
        double stress[6];
        CHECK_OK(sw_runs_step(runs, CURVE_STEP / RATE, &condition));
        sw_plane_stress_of(sw_runs_state(runs, 0)->stress, stress);
        log_force[i] = log(stress[0]) - i * CURVE_STEP;
    }
    sw_runs_free(runs);
}

/* (force of 1)^(1/m), over its largest. */
static double weight_at(const double log_force[CURVE + 1], double strain, double largest)
{
    const int i = (int)fmin(strain / CURVE_STEP, CURVE - 1);
    const double part = strain / CURVE_STEP - i;
    if (i == 0)
        return 0; /* where a force is so small its power is none */
    return exp((log_force[i] + part * (log_force[i + 1] - log_force[i]) - largest) /
               material.slip.rate_sensitivity);
}

/* A slip law of one exponent m has stresses as rate^m, so that equal forces are
 *
 *     force(e_sheet) = f force(e_band) (de_band / de_sheet)^m:
 *
 * de_band / de_sheet = w(e_sheet) / (f^(1/m) w(e_band)), w = force^(1/m) (Hutchinson & Neale 1977). Midpoint rule in the
 * sheet's strain, whose steps are shortened as the band's are. */
static double integrated(double f, double necking)
{
    static double log_force[CURVE + 1];
    double largest = -INFINITY, sheet = 2 * CURVE_STEP, band = sheet, rate = 1;
    force_curve(log_force);
    for (int i = 1; i <= CURVE; i++)
        largest = greatest(largest, log_force[i]);
    const double factor = pow(f, 1 / material.slip.rate_sensitivity);
    while (rate < necking && sheet < 1.5) {
        const double h = CURVE_STEP / PARTS / (rate * rate);
        const double middle = band + 0.5 * h * rate;
        band += h * weight_at(log_force, sheet + 0.5 * h, largest) /
                (factor * weight_at(log_force, middle, largest));
        sheet += h;
        rate = weight_at(log_force, sheet, largest) / (factor * weight_at(log_force, band, largest));
    }
    return sheet;
}

/* Of the first order in the increment: two of them leave an error of the second. That, what elastic strains change, and
 * the curve's straight pieces are some 1e-3. */
static void plane_strain_as_integrated(void **unused)
{
    (void)unused;
    double ratio = 0;
    sw_limit_settings s = settings_of(&ratio);
    for (int k = 0; k < 2; k++) {
        s.imperfection = k == 0 ? 0.99 : 0.97;
        s.strain_increment = 0.01;
        const double coarse = limit_of(&s, crystal).strain[0];
        s.strain_increment = 0.005;
        const double fine = limit_of(&s, crystal).strain[0], exact = integrated(s.imperfection, s.necking);
        CHECK_CLOSE(2 * fine - coarse, exact, 3e-3 * exact);
        assert_true(fabs(fine - exact) < fabs(coarse - exact));
    }
}

/* ---- Any sheet ---- */

static void a_thinner_band_necks_earlier(void **unused)
{
    (void)unused;
    double ratio = -0.3, before = 0;
    sw_limit_settings s = settings_of(&ratio);
    for (int k = 0; k < 3; k++) {
        s.imperfection = (double[]){0.97, 0.99, 0.998}[k];
        const sw_limit_path path = limit_of(&s, crystal);
        assert_int_equal(path.end, SW_LIMIT_NECK);
        assert_true(path.strain[0] > before);
        CHECK_CLOSE(path.strain[1], ratio * path.strain[0], 1e-15);
        before = path.strain[0];
    }
}

/* The least of all angles, to the bit: a run does not depend on its neighbours. */
static void the_first_of_all_angles(void **unused)
{
    (void)unused;
    double ratio = -0.4, least = HUGE_VAL, angle = NAN;
    sw_limit_settings s = settings_of(&ratio);
    for (int k = 0; k < 4; k++) {
        s.angles.first = s.angles.last = 10.0 * k;
        const sw_limit_path path = limit_of(&s, crystal);
        if (path.strain[0] < least) {
            least = path.strain[0];
            angle = path.angle;
        }
    }
    s.angles.first = 0;
    s.angles.last = 30;
    s.angles.count = 4;
    const sw_limit_path path = limit_of(&s, crystal);
    assert_true(angle > 0); /* it is an inclined one where the sheet narrows */
    assert_true(path.strain[0] == least);
    CHECK_CLOSE(path.angle, angle, 1e-15);
    CHECK_CLOSE(path.final_angle, atan(tan(angle) * exp((1 - ratio) * least)), 1e-14);
    s.refinement = 2;
    assert_true(limit_of(&s, crystal).strain[0] <= least);
}

/* Sheet and major axis turned together are the same sheet. Euler angles are single, turned by a rounding of 1e-7, which
 * grows in the band as its strain rate does: 1e-4 at most. */
static void a_turned_sheet(void **unused)
{
    (void)unused;
    static sw_crystal turned[N];
    double ratio = -0.2;
    sw_limit_settings s = settings_of(&ratio);
    s.angles.first = 10;
    const sw_limit_path as_it_is = limit_of(&s, crystal);
    memcpy(turned, crystal, sizeof turned);
    for (int i = 0; i < N; i++)
        turned[i].euler[0] += (float)(30 * acos(-1) / 180);
    s.major_axis = 30;
    const sw_limit_path path = limit_of(&s, turned);
    CHECK_CLOSE(path.strain[0], as_it_is.strain[0], 1e-4);
    CHECK_CLOSE(path.stress[0] + path.stress[1], as_it_is.stress[0] + as_it_is.stress[1],
                1e-3 * as_it_is.stress[0]);
    s.major_axis = 0;
    assert_true(fabs(limit_of(&s, turned).strain[0] - as_it_is.strain[0]) > 1e-3); /* not any sheet */
}

/* ---- Ends ---- */

static void a_path_without_a_neck(void **unused)
{
    (void)unused;
    double ratio = 0.5;
    sw_limit_settings s = settings_of(&ratio);
    s.strain_limit = 0.055; /* not a whole number of steps: the last of them is taken */
    const sw_limit_path path = limit_of(&s, crystal);
    assert_int_equal(path.end, SW_LIMIT_NONE);
    assert_true(isnan(path.angle) && isnan(path.final_angle));
    CHECK_CLOSE(path.strain[0], 0.06, 1e-15);
    CHECK_CLOSE(path.strain[1], 0.03, 1e-15);
    assert_true(path.stress[0] > path.stress[1] && path.stress[1] > 0);
}

/* A neck of any rate is soon after one of ten times: the band takes all that is left. */
static void what_is_a_neck_matters_little(void **unused)
{
    (void)unused;
    double ratio = 0;
    sw_limit_settings s = settings_of(&ratio);
    const double at_ten = limit_of(&s, crystal).strain[0];
    s.necking = 1e4;
    const sw_limit_path path = limit_of(&s, crystal);
    assert_true(path.end != SW_LIMIT_NONE);
    assert_true(path.strain[0] > at_ten);
    CHECK_CLOSE(path.strain[0], at_ten, 0.03 * at_ten);
}

/* A band that is much thinner flows while the sheet is elastic, a hundred times as fast. In short steps that is seen, and
 * is no neck: the limit is that of long ones, to the error of these. */
static void no_neck_while_the_sheet_begins_to_flow(void **unused)
{
    (void)unused;
    double ratio = 0;
    sw_limit_settings s = settings_of(&ratio);
    s.imperfection = 0.8;
    s.strain_increment = 0.005;
    const double in_long = limit_of(&s, crystal).strain[0];
    s.strain_increment = 2e-4;
    assert_true(in_long > 0.05);
    CHECK_CLOSE(limit_of(&s, crystal).strain[0], in_long, 0.01 * in_long);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plane_strain_as_integrated),
                                       cmocka_unit_test(a_thinner_band_necks_earlier),
                                       cmocka_unit_test(the_first_of_all_angles),
                                       cmocka_unit_test(a_turned_sheet),
                                       cmocka_unit_test(a_path_without_a_neck),
                                       cmocka_unit_test(no_neck_while_the_sheet_begins_to_flow),
                                       cmocka_unit_test(what_is_a_neck_matters_little)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
