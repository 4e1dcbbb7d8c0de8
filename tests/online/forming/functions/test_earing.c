/* Ears of cups: closed forms, symmetry, a flange followed element by element, and a sheet whose cups are published. */
#include "tests/test.h"

#include "aa2090.h"
#include "online/forming/functions/earing.h"

enum { ANGLES = 360 };

static const double degree = 3.14159265358979323846 / 180;
static const sw_cup cup = {.blank_radius = 0.079, .cup_radius = 0.0475}; /* drawing ratio 1.66 */

/* A sheet of r-values [n] at equal steps from 0 to 90 degrees. */
static sw_sheet sheet_of(int n, const double *r, sw_sheet_tension *tension)
{
    for (int i = 0; i < n; i++)
        tension[i] = (sw_sheet_tension){90 * degree * i / (n - 1), NAN, r[i]};
    return (sw_sheet){.n_tensions = n, .tension = tension};
}

static void rim_of(int n, const double *r, double *height)
{
    sw_sheet_tension tension[16];
    sw_width_strain width;
    const sw_sheet sheet = sheet_of(n, r, tension);
    CHECK_OK(sw_width_strain_of(&sheet, &width));
    for (int i = 0; i < ANGLES; i++)
        height[i] = sw_cup_wall(&cup, sw_width_strain_at(&width, (i + 90) * degree));
    sw_width_strain_free(&width);
}

static int is_ear(const double *height, int i)
{
    return height[i] > height[(i + ANGLES - 1) % ANGLES] && height[i] > height[(i + 1) % ANGLES];
}

/* The area that is drawn in is the wall's where the sheet does not get thicker (r infinite), and less where it does. */
static void walls_have_their_closed_forms(void **state)
{
    (void)state;
    const double b = cup.blank_radius, c = cup.cup_radius;
    CHECK_CLOSE(sw_cup_wall(&cup, 1), (b * b - c * c) / (2 * c), 1e-15);
    CHECK_CLOSE(sw_cup_wall(&cup, 0), b - c, 1e-15);
    CHECK_CLOSE(sw_cup_wall(&cup, 0.5), c * (pow(b / c, 1.5) - 1) / 1.5, 1e-15);
    /* Bottom, quarter of a circle and wall are as long as the sheet was. */
    const sw_cup rounded = {.blank_radius = b, .cup_radius = c, .corner_radius = 0.01};
    const double h = sw_cup_height(&rounded, 0.03);
    CHECK_CLOSE((c - 0.01) + 0.01 * acos(-1) / 2 + (h - 0.01), c + 0.03, 1e-15);
}

static void an_isotropic_sheet_has_no_ears(void **state)
{
    (void)state;
    const double r[3] = {1, 1, 1};
    double height[ANGLES], wall;
    rim_of(3, r, height);
    const sw_ears ears = sw_ears_of(ANGLES, height, 1e-4);
    assert_true(ears.ears == 0 && ears.percent == 0);
    const sw_yield mises = sw_yield_isotropic(SW_YIELD_YLD2000_2D, 2, 1);
    for (int i = 0; i < ANGLES; i += 7) {
        CHECK_CLOSE(height[i], sw_cup_wall(&cup, 0.5), 1e-16);
        CHECK_OK(sw_cup_wall_of_surface(&cup, &mises, i * degree, &wall));
        if (i == 0)
            height[0] = wall;
        CHECK_CLOSE(wall, height[0], 1e-15);
    }
}

/* r of an ideal cube texture: 1, 0, 1 at 0, 45 and 90 degrees (r_45 = 0: no width strain). Its ears are at 0 and 90. */
static void a_cube_texture_has_four_ears_at_0_and_90(void **state)
{
    (void)state;
    const double r[3] = {1, 0, 1};
    double height[ANGLES];
    rim_of(3, r, height);
    const sw_ears ears = sw_ears_of(ANGLES, height, 1e-4);
    assert_int_equal(ears.ears, 4);
    for (int i = 0; i < ANGLES; i++)
        assert_int_equal(is_ear(height, i), i % 90 == 0);
    CHECK_CLOSE(ears.peak, sw_cup_wall(&cup, 0.5), 1e-15);
    CHECK_CLOSE(ears.trough, sw_cup_wall(&cup, 0), 1e-15);
    CHECK_CLOSE(ears.percent, 100 * (ears.peak / ears.trough - 1), 1e-12);
}

/* And one of rolled copper, r_45 > r_0, r_90, has them between. */
static void high_r_at_45_degrees_has_ears_there(void **state)
{
    (void)state;
    const double r[3] = {0.5, 1.5, 0.5};
    double height[ANGLES];
    rim_of(3, r, height);
    assert_int_equal(sw_ears_of(ANGLES, height, 1e-4).ears, 4);
    for (int i = 0; i < ANGLES; i++)
        assert_int_equal(is_ear(height, i), i % 90 == 45);
}

/* Cups of AA2090-T3 have six ears (Chung, Kim and Park 2011, Eur. J. Mech. A 30, 275): by r-values two at the rolling
 * direction, four near 45 degrees, and the lowest place is the transverse direction. */
static void aa2090_has_six_ears(void **state)
{
    (void)state;
    double height[ANGLES];
    rim_of(AA2090_ANGLES, aa2090_r, height);
    assert_int_equal(sw_ears_of(ANGLES, height, 1e-4).ears, 6);
    assert_true(is_ear(height, 0) && is_ear(height, 180) && is_ear(height, 45) && is_ear(height, 135));
    for (int i = 0; i < ANGLES; i++)
        assert_true(height[90] <= height[i]);
}

/* Monotonic between data, and through them: no ear comes in between. */
static void width_strains_stay_between_their_data(void **state)
{
    (void)state;
    sw_sheet_tension tension[16];
    sw_width_strain width;
    const sw_sheet sheet = sheet_of(AA2090_ANGLES, aa2090_r, tension);
    CHECK_OK(sw_width_strain_of(&sheet, &width));
    for (int i = 0; i < 900; i++) {
        const double angle = i * 0.1 * degree, q = sw_width_strain_at(&width, angle);
        const int k = (int)(i / 150);
        const double a = sw_q_of_r(aa2090_r[k]), b = sw_q_of_r(aa2090_r[k + 1]);
        assert_true(q >= fmin(a, b) - 1e-15 && q <= fmax(a, b) + 1e-15);
        if (i % 150 == 0)
            CHECK_CLOSE(q, a, 1e-14);
        CHECK_CLOSE(sw_width_strain_at(&width, -angle), q, 1e-14);
        CHECK_CLOSE(sw_width_strain_at(&width, acos(-1) - angle), q, 1e-14);
        CHECK_CLOSE(sw_width_strain_at(&width, acos(-1) + angle), q, 1e-14);
    }
    sw_width_strain_free(&width);
}

/* ---- A flange, element by element ---- */

/* Hoop stress that goes with a radial one, below zero, on the surface: by halving. */
static double hoop_of(const sw_yield *y, double angle, double radial, double *rho)
{
    double r[6], h[6], s[6], d[6], low = -4, high = 0;
    sw_uniaxial_stress(angle, r);
    sw_uniaxial_stress(angle + 90 * degree, h);
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        for (int k = 0; k < 6; k++)
            s[k] = radial * r[k] + middle * h[k];
        *(sw_yield_value(y, s, d) > 1 ? &low : &high) = middle;
    }
    double along = 0, around = 0;
    for (int k = 0; k < 6; k++) {
        along += (k < 3 ? 1 : 2) * d[k] * r[k];
        around += (k < 3 ? 1 : 2) * d[k] * h[k];
    }
    *rho = -along / around;
    return low;
}

enum { ELEMENTS = 150, MOVES = 300 };

/* The rim moves in by a step, and all elements with it, from it on: what comes past the cup's radius is wall, and stretches
 * no more. Returns by how much. */
static double move_in(const sw_yield *y, double angle, double rim, double step, double length[ELEMENTS])
{
    double outer = rim, velocity = step, radial = 0;
    for (int e = 0; e < ELEMENTS && outer > 1; e++) {
        double rho;
        const double middle = outer - length[e] / 2, hoop = hoop_of(y, angle, radial, &rho);
        const double grown = rho * velocity / middle * length[e];
        radial += (radial - hoop) * length[e] / middle; /* d sigma_r / d ln R = sigma_h - sigma_r */
        outer -= length[e];
        velocity += grown;
        length[e] += outer > 1 ? grown : 0;
    }
    return velocity;
}

/* The wall's height over R_c. */
static double wall_element_by_element(const sw_yield *y, double angle, double ratio)
{
    double length[ELEMENTS], wall = 0;
    for (int e = 0; e < ELEMENTS; e++)
        length[e] = (ratio - 1) / ELEMENTS;
    for (int move = 0; move < MOVES; move++) {
        const double step = (ratio - 1) / MOVES;
        wall += move_in(y, angle, ratio - move * step, step, length);
    }
    return wall;
}

/* Of first order in elements and steps: each is off by half of one, of 150 and 300, of the wall's growth beyond the
 * flange's width, which is below 0.7 of it. */
static void a_flange_is_what_its_elements_say(void **state)
{
    (void)state;
    const sw_yield surfaces[2] = {sw_yield_isotropic(SW_YIELD_HILL48, 2, 1), aa2090_yld2000()};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i <= 90; i += 45) {
            const double ratio = cup.blank_radius / cup.cup_radius;
            double wall, q;
            CHECK_OK(sw_cup_wall_of_surface(&cup, &surfaces[k], i * degree, &wall));
            wall /= cup.cup_radius;
            CHECK_CLOSE(wall_element_by_element(&surfaces[k], i * degree, ratio), wall,
                        0.7 * wall * (0.5 / 150 + 0.5 / 300));
            /* and not what hoop compression alone gives */
            sw_yield_uniaxial(&surfaces[k], (i + 90) * degree, NULL, &q);
            assert_true(fabs(sw_cup_wall(&cup, q) / cup.cup_radius - wall) > 0.02 * wall);
        }
}

/* A narrow flange is all rim. */
static void a_narrow_flange_is_in_hoop_compression(void **state)
{
    (void)state;
    const sw_yield y = aa2090_yld2004();
    const sw_cup narrow = {.blank_radius = 0.0401, .cup_radius = 0.04};
    for (int i = 0; i < 90; i += 15) {
        double wall, q;
        CHECK_OK(sw_cup_wall_of_surface(&narrow, &y, i * degree, &wall));
        sw_yield_uniaxial(&y, (i + 90) * degree, NULL, &q);
        /* wall / R_c = x + (rho / 2) x^2, of x = ratio - 1, and rho changes by order x: the third order */
        CHECK_CLOSE(wall, sw_cup_wall(&narrow, q), 0.04 * 5 * pow(0.0025, 3));
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const sw_yield mises = sw_yield_isotropic(SW_YIELD_HILL48, 2, 1);
    double wall;
    assert_int_equal(
        sw_cup_wall_of_surface(&(sw_cup){.blank_radius = 1, .cup_radius = 0.1}, &mises, 0, &wall),
        SW_ERR_RANGE);
    assert_message_has("drawing ratio 10");

    sw_sheet_tension tension[3] = {{0, NAN, 1}, {45 * degree, NAN, 1}, {80 * degree, NAN, 1}};
    const sw_sheet sheet = {.n_tensions = 3, .tension = tension};
    sw_width_strain width;
    assert_int_equal(sw_width_strain_of(&sheet, &width), SW_ERR_RANGE);
    assert_message_has("from 0 to 80 degrees");
    tension[2].angle = 180 * degree;
    assert_int_equal(sw_width_strain_of(&sheet, &width), SW_ERR_RANGE);
    assert_int_equal(sw_width_strain_of(&(sw_sheet){0}, &width), SW_ERR_RANGE);
}

/* 135 degrees is 45 on an orthotropic sheet, and 0 may be there twice: q is their mean. */
static void angles_that_are_the_same_share_their_mean(void **state)
{
    (void)state;
    sw_sheet_tension tension[6] = {{0, NAN, 1},
                                   {45 * degree, NAN, 3},
                                   {90 * degree, NAN, 1},
                                   {135 * degree, NAN, 0},
                                   {180 * degree, NAN, 3},
                                   {0, NAN, INFINITY}};
    const sw_sheet sheet = {.n_tensions = 6, .tension = tension};
    sw_width_strain width;
    CHECK_OK(sw_width_strain_of(&sheet, &width));
    assert_int_equal(width.n, 3);
    CHECK_CLOSE(sw_width_strain_at(&width, 0), (0.5 + 0.75 + 1) / 3, 1e-12);
    CHECK_CLOSE(sw_width_strain_at(&width, 45 * degree), 0.375, 1e-12);
    CHECK_CLOSE(sw_width_strain_at(&width, 90 * degree), 0.5, 1e-12);
    sw_width_strain_free(&width);
}

/* Counted from any place on; what is lower than asked for is none. */
static void ears_are_counted(void **state)
{
    (void)state;
    double height[ANGLES];
    for (int lobes = 1; lobes <= 8; lobes++)
        for (int shift = 0; shift < ANGLES; shift += 37) {
            for (int i = 0; i < ANGLES; i++)
                height[i] = 1 + 0.05 * cos(lobes * (i + shift) * degree) + 1e-6 * (i % 2);
            const sw_ears ears = sw_ears_of(ANGLES, height, 1e-4);
            assert_int_equal(ears.ears, lobes);
            CHECK_CLOSE(ears.peak, 1.05, 2e-4); /* half a degree beside it: 0.05 (4 degrees)^2 / 2 */
            CHECK_CLOSE(ears.trough, 0.95, 2e-4);
            assert_int_equal(sw_ears_of(ANGLES, height, 0.2).ears, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_have_their_closed_forms),
        cmocka_unit_test(an_isotropic_sheet_has_no_ears),
        cmocka_unit_test(a_cube_texture_has_four_ears_at_0_and_90),
        cmocka_unit_test(high_r_at_45_degrees_has_ears_there),
        cmocka_unit_test(aa2090_has_six_ears),
        cmocka_unit_test(width_strains_stay_between_their_data),
        cmocka_unit_test(a_flange_is_what_its_elements_say),
        cmocka_unit_test(a_narrow_flange_is_in_hoop_compression),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(angles_that_are_the_same_share_their_mean),
        cmocka_unit_test(ears_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
