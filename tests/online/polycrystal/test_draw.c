/* The crystals that points begin with: how often which, the same for the same seed, turned together. */
#include "tests/test.h"

#include "common/math/rotation.h"
#include "online/polycrystal/draw.h"
#include "online/response/step/crystals.h"

enum { N = 5, EACH = 3, POINTS = 8 };

/* Each is known by its slip resistance. */
static sw_crystal texture[N];

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        texture[i] =
            (sw_crystal){{0.3F + 1.1F * (float)i, 0.2F + 0.5F * (float)i, 6 - 1.2F * (float)i}, (float)i};
    return 0;
}

static sw_polycrystal_draw draw_of(int64_t n_texture, const float *weight)
{
    return (sw_polycrystal_draw){.each = EACH,
                                 .seed = 3,
                                 .slip_resistance = 16e6F,
                                 .n_texture = n_texture,
                                 .texture = texture,
                                 .weight = weight,
                                 .heaviest = sw_polycrystal_heaviest(n_texture, weight)};
}

/* A crystal of share p comes p M times of M, with a variance of p (1 - p) M: five standard deviations are allowed. */
static void check_shares(const float *weight, const double share[N])
{
    enum { BODIES = 2500 };
    const double m = (double)BODIES * POINTS * EACH;
    const sw_polycrystal_draw from = draw_of(N, weight);
    double count[N] = {0};
    for (int64_t b = 0; b < BODIES; b++) {
        sw_crystal crystal[POINTS * EACH];
        sw_polycrystal_draw_crystals(&from, b, POINTS, crystal);
        for (int i = 0; i < POINTS * EACH; i++)
            count[(int)crystal[i].slip_resistance]++;
    }
    for (int i = 0; i < N; i++)
        CHECK_CLOSE(count[i] / m, share[i], 5 * sqrt(share[i] * (1 - share[i]) / m));
}

static void test_weights_are_met(void **state)
{
    (void)state;
    static const float weight[N] = {0.5F, 0, 2.5F, 1, 1};
    assert_true(sw_polycrystal_heaviest(N, weight) == 2.5F);
    assert_true(sw_polycrystal_heaviest(N, NULL) == 0);
    check_shares(weight, (const double[N]){0.1, 0, 0.5, 0.2, 0.2});
    check_shares(NULL, (const double[N]){0.2, 0.2, 0.2, 0.2, 0.2});
}

/* As many as a point has: no draw, but their weights. */
static void test_a_texture_of_n_is_at_every_point(void **state)
{
    (void)state;
    static const float weight[EACH] = {0.5F, 1, 1.5F};
    const sw_polycrystal_draw from = draw_of(EACH, weight), equal = draw_of(EACH, NULL),
                              drawn = draw_of(N, (const float[N]){1, 1, 1, 1, 2});
    sw_crystal crystal[POINTS * EACH];
    float of_each[POINTS * EACH];
    sw_polycrystal_draw_crystals(&from, 11, POINTS, crystal);
    assert_true(sw_polycrystal_is_weighted(&from));
    assert_false(sw_polycrystal_is_weighted(&equal));
    assert_false(sw_polycrystal_is_weighted(&drawn));
    sw_polycrystal_draw_weights(&from, POINTS, of_each);
    for (int i = 0; i < POINTS * EACH; i++) {
        assert_memory_equal(&crystal[i], &texture[i % EACH], sizeof *crystal);
        assert_true(of_each[i] == weight[i % EACH]);
    }
}

static int same(const sw_polycrystal_draw *a, const sw_polycrystal_draw *b, int64_t body_a, int64_t body_b)
{
    sw_crystal crystal[2][POINTS * EACH];
    sw_polycrystal_draw_crystals(a, body_a, POINTS, crystal[0]);
    sw_polycrystal_draw_crystals(b, body_b, POINTS, crystal[1]);
    return memcmp(crystal[0], crystal[1], sizeof crystal[0]) == 0;
}

static void test_a_seed_says_it_all(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* random ones, drawn ones, turned ones */
        sw_polycrystal_draw from = draw_of(kind == 0 ? 0 : kind == 1 ? N : EACH, NULL);
        from.rotated = kind == 2;
        sw_polycrystal_draw other = from;
        assert_true(same(&from, &other, 7, 7));
        assert_false(same(&from, &other, 7, 8));
        other.seed++;
        assert_false(same(&from, &other, 7, 7));
    }
}

/* Those that sw_crystals_randomise numbers, point by point. */
static void test_random_crystals_are_those_of_their_numbers(void **state)
{
    (void)state;
    const sw_polycrystal_draw from = draw_of(0, NULL);
    for (int64_t body = 0; body < 50; body++) {
        sw_crystal crystal[POINTS * EACH];
        sw_polycrystal_draw_crystals(&from, body, POINTS, crystal);
        for (int i = 0; i < POINTS * EACH; i++) {
            const sw_crystal one = sw_random_crystal(3, body * POINTS * EACH + i, 16e6F);
            assert_memory_equal(&crystal[i], &one, sizeof one);
        }
    }
}

static void rotation_of(const sw_crystal *crystal, double g[3][3])
{
    const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
    sw_rotation_from_euler(euler, g);
}

/* a^T b, from the frame of b to that of a: the disorientation. */
static void between(const sw_crystal *a, const sw_crystal *b, double d[3][3])
{
    double ga[3][3], gb[3][3];
    rotation_of(a, ga);
    rotation_of(b, gb);
    for (int i = 0; i < 9; i++)
        d[i / 3][i % 3] =
            ga[0][i / 3] * gb[0][i % 3] + ga[1][i / 3] * gb[1][i % 3] + ga[2][i / 3] * gb[2][i % 3];
}

/* Turned angles up to 2 pi are rounded to floats, by 2^-22 at most, three of each of two crystals: 1.5e-6. */
static void test_turned_ones_keep_their_disorientations(void **state)
{
    (void)state;
    sw_polycrystal_draw from = draw_of(EACH, NULL);
    from.rotated = 1;
    for (int64_t body = 0; body < 100; body++) {
        sw_crystal crystal[POINTS * EACH];
        sw_polycrystal_draw_crystals(&from, body, POINTS, crystal);
        for (int i = 1; i < POINTS * EACH; i++) {
            double before[3][3], after[3][3];
            between(&texture[0], &texture[i % EACH], before);
            between(&crystal[0], &crystal[i], after);
            for (int k = 0; k < 9; k++)
                CHECK_CLOSE(after[k / 3][k % 3], before[k / 3][k % 3], 1.5e-6);
            assert_true(crystal[i].slip_resistance == texture[i % EACH].slip_resistance);
        }
    }
}

/* Components of a random rotation have a mean of 0 and a variance of 1/3: five standard deviations of the mean. */
static void test_turns_are_random(void **state)
{
    (void)state;
    enum { BODIES = 10000 };
    sw_polycrystal_draw from = draw_of(EACH, NULL);
    double mean[9] = {0};
    from.rotated = 1;
    for (int64_t body = 0; body < BODIES; body++) {
        sw_crystal crystal[EACH];
        double g[3][3];
        sw_polycrystal_draw_crystals(&from, body, 1, crystal);
        rotation_of(&crystal[0], g);
        for (int k = 0; k < 9; k++)
            mean[k] += g[k / 3][k % 3] / BODIES;
    }
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(mean[k], 0, 5 * sqrt(1.0 / 3 / BODIES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights_are_met),
        cmocka_unit_test(test_a_texture_of_n_is_at_every_point),
        cmocka_unit_test(test_a_seed_says_it_all),
        cmocka_unit_test(test_random_crystals_are_those_of_their_numbers),
        cmocka_unit_test(test_turned_ones_keep_their_disorientations),
        cmocka_unit_test(test_turns_are_random),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
