/* Crystals drawn from others and about ideal orientations: how many of each, how far they scatter, and where. */
#include "tests/test.h"

#include "common/math/quaternion.h"
#include "common/math/random.h"
#include "online/texture/crystal_draw.h"
#include "online/texture/texture.h"

#define DEGREE (SW_PI / 180)

static int same(const double a[3], const double b[3]) { return memcmp(a, b, 3 * sizeof *a) == 0; }

/* ---- Resampling ---- */

enum { FEW = 5 };
static double few[FEW][3] = {
    {0.1, 0.2, 0.3}, {1.1, 0.2, 0.3}, {2.1, 0.2, 0.3}, {3.1, 0.2, 0.3}, {4.1, 0.2, 0.3}};
static float few_weights[FEW] = {0.5F, 0.001F, 1.249F, 2.25F, 1.0F};

/* Each is drawn N w / sum w times, rounded up or down, for any number and seed. */
static void crystals_are_drawn_by_weight(void **state)
{
    (void)state;
    const sw_crystal_list list = {.count = FEW, .euler = few, .weight = few_weights};
    for (int64_t n = 1; n < 3000; n += n < 20 ? 1 : 977)
        for (int64_t seed = 0; seed < 5; seed++) {
            sw_crystal_list drawn;
            CHECK_OK(sw_crystals_resample(&list, n, 0, seed, &drawn));
            assert_int_equal(drawn.count, n);
            assert_null(drawn.weight);
            for (int m = 0; m < FEW; m++) {
                int count = 0;
                for (int64_t k = 0; k < n; k++)
                    count += same(drawn.euler[k], few[m]);
                assert_true(fabs(count - (double)n * few_weights[m] / 5) < 1);
            }
            sw_crystal_list_free(&drawn);
        }
}

static void equal_crystals_are_drawn_once(void **state)
{
    (void)state;
    const sw_crystal_list list = {.count = FEW, .euler = few};
    sw_crystal_list drawn;
    sw_representation error;
    CHECK_OK(sw_crystals_resample(&list, FEW, 0, 7, &drawn));
    for (int m = 0; m < FEW; m++)
        assert_true(same(drawn.euler[m], few[m]));
    CHECK_OK(sw_crystals_compare(&sw_point_group_432, &list, 0, &drawn, &error));
    assert_true(error.difference <= 1e-12); /* the same sums in the same order */
    assert_true(error.texture > 1);
    CHECK_CLOSE(error.index[0], error.index[1], 1e-9);
    sw_crystal_list_free(&drawn);
}

/* Of crystals left out, the comparison is the difference of two ODFs: of one and of two orientations far apart, f and
 * (f + g) / 2, it is |f - g| / 2 = |f| / sqrt 2, as g is as sharp as f and they do not meet. The 2048 points see each
 * kernel of 1/1,500 of all orientations by a point or two, cubic equivalents included by 1.4: to its scatter, a half. */
static void what_is_missing_is_a_difference(void **state)
{
    (void)state;
    sw_crystal_list two = {.count = 2, .euler = few}, one = {.count = 1, .euler = few};
    sw_representation error;
    CHECK_OK(sw_crystals_compare(&sw_point_group_432, &two, 0, &one, &error));
    CHECK_CLOSE(error.difference, sqrt(error.index[1] / 2), 0.5 * error.difference);
    assert_true(error.difference > 0.3 * sqrt(error.index[1]));
}

/* Scatter follows the kernel: of 20,000, the part within an angle is that of an integral taken here another way
 * (Simpson, over 1 - cos). The sequence leaves errors of some ln N / N; sqrt(1/(4 N)) = 0.0035 would be random ones'. */
static void scatter_follows_the_kernel(void **state)
{
    (void)state;
    enum { N = 20000, STEPS = 20000 };
    double one[1][3] = {{1, 2, 3}}, q[4], axis_sum[3] = {0};
    const sw_crystal_list list = {.count = 1, .euler = one};
    sw_crystal_list drawn;
    CHECK_OK(sw_crystals_resample(&list, N, 6 * DEGREE, 11, &drawn));
    sw_quaternion_from_euler(one[0], q);
    const int kappa = sw_texture_kappa(6 * DEGREE);
    for (int degrees = 2; degrees <= 20; degrees += 3) {
        double within = 0, whole = 0;
        for (int i = 0; i < STEPS; i++) {
            const double w = SW_PI * (i + 0.5) / STEPS;
            const double part = pow(0.5 + 0.5 * cos(w), kappa) * (1 - cos(w));
            whole += part;
            within += w <= degrees * DEGREE ? part : 0;
        }
        int count = 0;
        for (int k = 0; k < N; k++) {
            double p[4], cosine = 0;
            sw_quaternion_from_euler(drawn.euler[k], p);
            for (int i = 0; i < 4; i++)
                cosine += p[i] * q[i];
            count += 2 * acos(fmin(1, fabs(cosine))) <= degrees * DEGREE;
        }
        CHECK_CLOSE((double)count / N, within / whole, 0.001);
    }
    for (int k = 0; k < N; k++) {
        double p[4], turn[4];
        const double back[4] = {q[0], -q[1], -q[2], -q[3]};
        sw_quaternion_from_euler(drawn.euler[k], p);
        sw_quaternion_product(p, back, turn);
        for (int i = 0; i < 3; i++)
            axis_sum[i] += (turn[0] < 0 ? -1 : 1) * turn[1 + i] / N;
    }
    /* half the angle is 0.05 on average; even directions cancel to a hundredth */
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(axis_sum[i], 0, 5e-4);
    sw_crystal_list_free(&drawn);
}

/* The comparison knows how much scatter was asked for: 50,000 drawn ones differ by less than random ones, which would by
 * sqrt(1500 / 50000) = 0.17; were the scatter not allowed for, by as much as it takes from the texture. */
static void comparison_allows_for_scatter(void **state)
{
    (void)state;
    enum { M = 200 };
    double euler[M][3];
    float weight[M];
    for (int m = 0; m < M; m++) {
        sw_random_orientation(3, (uint64_t)m, euler[m]);
        euler[m][1] *= 0.5;
        weight[m] = (float)(1 + m % 7);
    }
    const sw_crystal_list list = {.count = M, .euler = euler, .weight = weight};
    for (int halfwidth = 0; halfwidth <= 12; halfwidth += 4) {
        sw_crystal_list drawn;
        sw_representation error;
        CHECK_OK(sw_crystals_resample(&list, 50000, halfwidth * DEGREE, 1, &drawn));
        CHECK_OK(sw_crystals_compare(&sw_point_group_432, &list, halfwidth * DEGREE, &drawn, &error));
        const double right = error.difference;
        CHECK_OK(sw_crystals_compare(&sw_point_group_432, &list, 0, &drawn, &error));
        assert_true(right <= 0.03);
        assert_true(halfwidth == 0 || error.difference >= 3 * right);
        sw_crystal_list_free(&drawn);
    }
}

/* ---- Ideal orientations ---- */

static void draw(sw_ideal ideal, int64_t n, double (*euler)[3])
{
    CHECK_OK(sw_crystals_about_ideals(&sw_lattice_fcc, NAN, NAN, 1, &ideal, n, 2, euler));
}

enum { SOME = 4000 };
static double drawn[SOME][3];

/* The names of texture.h are its components: all crystals within 0.01 degrees of it, by its family's symmetry. */
static void names_are_those_components(void **state)
{
    (void)state;
    const sw_texture_component *component = sw_lattice_fcc.ideal;
    const int count = sw_lattice_fcc.n_ideals;
    double *fraction = calloc((size_t)count, sizeof *fraction);
    assert_non_null(fraction);
    for (int i = 0; i < count; i++) {
        draw((sw_ideal){.name = component[i].name, .fraction = 1}, 40, drawn);
        CHECK_OK(sw_component_fractions(&sw_lattice_fcc, 40, (const double(*)[3])drawn, NULL, 0.01 * DEGREE,
                                        fraction));
        CHECK_CLOSE(fraction[i], 1, 1e-12);
    }
    free(fraction);
}

/* Smallest angle between a direction of the family <uvw> and a sample axis, degrees. */
static double off(const double euler[3], const double uvw[3], int axis)
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const double length = sqrt(uvw[0] * uvw[0] + uvw[1] * uvw[1] + uvw[2] * uvw[2]);
    double g[3][3], most = 0;
    sw_rotation_from_euler(euler, g);
    for (int k = 0; k < 24; k++) {
        double cosine = 0;
        for (int i = 0; i < 3; i++)
            cosine += g[axis][i] * uvw[order[k / 4][i]] * ((k & (i == 0 ? 1 : 2)) && i < 2 ? -1 : 1);
        most = greatest(most, fabs(cosine) / length);
    }
    return acos(fmin(1, most)) / DEGREE;
}

/* What fibres keep: a crystal direction along a sample axis. */
static void fibres_keep_their_direction(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double uvw[3];
        int axis;
    } fibre[] = {{"gamma", {1, 1, 1}, 2}, {"alpha", {1, 1, 0}, 0},    {"theta", {1, 0, 0}, 2},
                 {"zeta", {1, 1, 0}, 2},  {"eta", {1, 0, 0}, 0},      {"epsilon", {1, 1, 0}, 1},
                 {"tau", {1, 1, 0}, 1},   {"fcc_alpha", {1, 1, 0}, 2}};
    for (size_t i = 0; i < sizeof fibre / sizeof *fibre; i++) {
        draw((sw_ideal){.name = fibre[i].name, .fraction = 1}, 200, drawn);
        for (int k = 0; k < 200; k++)
            CHECK_CLOSE(off(drawn[k], fibre[i].uvw, fibre[i].axis), 0, 1e-4);
    }
    draw((sw_ideal){.fibre = (double[]){1, 1, 0},
                    .fibre_count = 3,
                    .along = (double[]){0, 1, 0},
                    .along_count = 3,
                    .fraction = 1},
         200, drawn);
    for (int k = 0; k < 200; k++)
        CHECK_CLOSE(off(drawn[k], (const double[]){1, 1, 0}, 1), 0, 1e-4);
}

/* How near a fibre's crystals come to an ideal orientation of two directions, degrees. */
static double nearest_to(const double nd[3], const double rd[3], int n)
{
    double least = 90;
    for (int k = 0; k < n; k++)
        least = fmin(least, fmax(off(drawn[k], nd, 2), off(drawn[k], rd, 0)));
    return least;
}

/* Fibres go through the orientations that the field names on them: of 1000 one comes within its share of the way. */
static void fibres_pass_their_orientations(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double nd[3], rd[3];
    } on[] = {{"alpha", {0, 0, 1}, {1, 1, 0}},     {"alpha", {1, 1, 2}, {1, 1, 0}},
              {"alpha", {1, 1, 1}, {1, 1, 0}},     {"gamma", {1, 1, 1}, {1, 1, 0}},
              {"gamma", {1, 1, 1}, {1, 1, 2}},     {"beta", {1, 1, 2}, {1, 1, 1}},
              {"beta", {1, 2, 3}, {6, 3, 4}},      {"beta", {0, 1, 1}, {2, 1, 1}},
              {"fcc_alpha", {0, 1, 1}, {1, 0, 0}}, {"fcc_alpha", {0, 1, 1}, {2, 1, 1}},
              {"tau", {1, 1, 2}, {1, 1, 1}},       {"tau", {0, 1, 1}, {1, 0, 0}}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        draw((sw_ideal){.name = on[i].name, .fraction = 1}, 1000, drawn);
        assert_true(nearest_to(on[i].nd, on[i].rd, 1000) < 1.5); /* 360 degrees over 250 */
    }
    draw((sw_ideal){.name = "alpha", .fraction = 1}, 1000, drawn); /* and end where they end */
    assert_true(nearest_to((const double[]){1, 1, 0}, (const double[]){1, 1, 0}, 1000) > 30);
    static const struct {
        const char *name;
        double nd[3], rd[3];
    } at[] = {{"rotated_cube", {0, 0, 1}, {1, 1, 0}},
              {"rotated_goss", {0, 1, 1}, {0, 1, 1}},
              {"I", {1, 1, 2}, {1, 1, 0}},
              {"E", {1, 1, 1}, {1, 1, 0}},
              {"F", {1, 1, 1}, {1, 1, 2}}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        draw((sw_ideal){.name = at[i].name, .fraction = 1}, 8, drawn);
        for (int k = 0; k < 8; k++) {
            CHECK_CLOSE(off(drawn[k], at[i].nd, 2), 0, 1e-4);
            CHECK_CLOSE(off(drawn[k], at[i].rd, 0), 0, 1e-4);
        }
    }
}

/* A user's own: by plane and direction, by angles; equivalents of the sample in turn. */
static void own_orientations_and_symmetries(void **state)
{
    (void)state;
    double angle[8];
    sw_ideal s = {.plane = (double[]){1, 2, 3},
                  .plane_count = 3,
                  .direction = (double[]){6, 3, -4},
                  .direction_count = 3,
                  .fraction = 1};
    draw(s, 8, drawn);
    const double first[3] = {drawn[0][0], drawn[0][1], drawn[0][2]};
    CHECK_OK(sw_disorientation(&sw_point_group_432, 8, (const double(*)[3])drawn, SW_SAMPLE_ORTHORHOMBIC,
                               first, angle));
    for (int k = 0; k < 8; k++)
        CHECK_CLOSE(angle[k], 0, 1e-7);
    CHECK_OK(sw_disorientation(&sw_point_group_432, 8, (const double(*)[3])drawn, SW_SAMPLE_TRICLINIC, first,
                               angle));
    for (int k = 1; k < 4; k++)
        assert_true(angle[k] > 0.1); /* S has four */
    s.symmetry = 3;                  /* none */
    draw(s, 4, drawn);
    for (int k = 0; k < 4; k++)
        assert_true(same(drawn[k], drawn[0]));
    draw((sw_ideal){.angles = (double[]){10, 20, 30}, .angles_count = 3, .fraction = 1}, 1, drawn);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(drawn[0][i], (10 + 10 * i) * DEGREE, 1e-12);
}

/* Of 4000, 1200 Brass and 800 Cube of 5 degrees, the rest random: within 15 degrees of Brass are its own, and of the
 * other ones its part of a random texture, and what Cube, 45 degrees away, has there: nothing. */
static void fractions_are_of_all_crystals(void **state)
{
    (void)state;
    const sw_ideal ideal[] = {{.name = "Brass", .fraction = 0.3, .halfwidth = 5},
                              {.name = "cube", .fraction = 0.2, .halfwidth = 5}};
    double fraction[16], random[16];
    CHECK_OK(sw_crystals_about_ideals(&sw_lattice_fcc, NAN, NAN, 2, ideal, SOME, 5, drawn));
    CHECK_OK(sw_component_fractions(&sw_lattice_fcc, SOME, (const double(*)[3])drawn, NULL, 15 * DEGREE,
                                    fraction));
    CHECK_OK(sw_component_fractions_random(&sw_lattice_fcc, 15 * DEGREE, random));
    /* 2,000 random ones: a part p of them to sqrt(p / 2000), three times */
    CHECK_CLOSE(fraction[2], 0.3 + 0.5 * random[2], 0.5 * 3 * sqrt(random[2] / 2000) + 0.002);
    CHECK_CLOSE(fraction[0], 0.2 + 0.5 * random[0], 0.5 * 3 * sqrt(random[0] / 2000) + 0.002);
}

static void bad_ideals_are_refused(void **state)
{
    (void)state;
    double v[3] = {1, 1, 2}, w[3] = {1, 1, 0}, zero[3] = {0};
    const struct {
        sw_ideal ideal;
        const char *message;
    } bad[] = {{{.fraction = 1}, "need one of name"},
               {{.name = "Bras"}, "name = Bras: need one of Cube, Goss"},
               {{.name = "S", .angles = v, .angles_count = 3}, "need one of name"},
               {{.plane = v, .plane_count = 3}, "both plane and direction"},
               {{.fibre = v, .fibre_count = 3}, "both fibre and along"},
               {{.fibre = v, .fibre_count = 3, .along = zero, .along_count = 3}, "along = [0, 0, 0]"},
               {{.plane = v, .plane_count = 3, .direction = w, .direction_count = 3}, "their product is 2"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(sw_ideal_check(NULL, &bad[i].ideal), SW_ERR_INPUT);
        assert_message_has(bad[i].message);
    }
}

/* How far a crystal's vector is along a sample axis, of either sense: 1 all along. */
static double along_axis(const double euler[3], const double v[3], int axis)
{
    double g[3][3], part = 0, square = 0;
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++) {
        part += g[axis][i] * v[i];
        square += v[i] * v[i];
    }
    return fabs(part) / sqrt(square);
}

/* Of uranium's axes: a plane's normal is along the reciprocal vector. */
static void indices_of_three_axes(void **state)
{
    (void)state;
    const double b = 2.056, c = 1.737, normal[3] = {0, 2 / b, 1 / c}, edge[3] = {1, -b, 2 * c},
                 fibre[3] = {1, 2 * b, 3 * c};
    double plane[3] = {0, 2, 1}, direction[3] = {1, -1, 2}, uvw[3] = {1, 2, 3}, third[3] = {0, 0, 1},
           euler[8][3];
    const sw_ideal own = {.plane = plane,
                          .plane_count = 3,
                          .direction = direction,
                          .direction_count = 3,
                          .fraction = 1},
                   round = {.fibre = uvw, .fibre_count = 3, .along = third, .along_count = 3, .fraction = 1};
    CHECK_OK(sw_crystals_about_ideals(&sw_lattice_orthorhombic, b, c, 1, &own, 8, 2, euler));
    for (int k = 0; k < 8; k++) {
        CHECK_CLOSE(along_axis(euler[k], normal, 2), 1, 1e-12);
        CHECK_CLOSE(along_axis(euler[k], edge, 0), 1, 1e-12);
    }
    CHECK_OK(sw_crystals_about_ideals(&sw_lattice_orthorhombic, b, c, 1, &round, 8, 2, euler));
    for (int k = 0; k < 8; k++)
        CHECK_CLOSE(along_axis(euler[k], fibre, 2), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crystals_are_drawn_by_weight),    cmocka_unit_test(equal_crystals_are_drawn_once),
        cmocka_unit_test(what_is_missing_is_a_difference), cmocka_unit_test(scatter_follows_the_kernel),
        cmocka_unit_test(comparison_allows_for_scatter),   cmocka_unit_test(names_are_those_components),
        cmocka_unit_test(fibres_keep_their_direction),     cmocka_unit_test(fibres_pass_their_orientations),
        cmocka_unit_test(own_orientations_and_symmetries), cmocka_unit_test(fractions_are_of_all_crystals),
        cmocka_unit_test(bad_ideals_are_refused),          cmocka_unit_test(indices_of_three_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
