/* Densities and angles of crystals of every point group, against sums over all of their rotations, one by one. */
#include "test_texture.h"

#include "common/math/quaternion.h"

static const sw_point_group *const groups[] = {&sw_point_group_432, &sw_point_group_422, &sw_point_group_622,
                                               &sw_point_group_222};
enum { GROUPS = sizeof groups / sizeof *groups, N = 7, P = 5 };

static double kernel(int kappa, double cosine) { return peak(kappa) * pow(cosine * cosine, kappa); }

/* |cos| of half the angle from a point to crystal n after rotation i of the group. */
static double cosine_of(const sw_point_group *group, int i, const double euler[3], const double point[3])
{
    double q[4], p[4], turned[4], cosine = 0;
    sw_quaternion_from_euler(euler, q);
    sw_quaternion_from_euler(point, p);
    sw_quaternion_product(q, group->q[i], turned);
    for (int c = 0; c < 4; c++)
        cosine += turned[c] * p[c];
    return fabs(cosine);
}

/* Wide kernels are summed over all equivalents, narrow ones over the nearest: to 1e-6. */
static void odfs_are_sums_over_the_group(void **state)
{
    (void)state;
    static const int kappas[] = {5, 60, 2000};
    srand48(70);
    vector *euler = vectors_of(N, random_orientation), *point = vectors_of(P, random_orientation);
    for (int c = 0; c < 3; c++) /* narrow kernels want a point near a crystal */
        point[0][c] = euler[0][c] + 0.01;
    for (int k = 0; k < GROUPS; k++)
        for (int m = 0; m < 3; m++) {
            double found[P];
            ok(sw_odf(groups[k], N, (vectors)euler, NULL, SW_SAMPLE_TRICLINIC, kappas[m], P, (vectors)point,
                      found));
            for (int p = 0; p < P; p++) {
                double expected = 0;
                for (int n = 0; n < N; n++)
                    for (int i = 0; i < groups[k]->order; i++)
                        expected += kernel(kappas[m], cosine_of(groups[k], i, euler[n], point[p])) /
                                    groups[k]->order / N;
                near(found[p], expected, 1e-6 + 1e-10 * expected);
            }
        }
    free(euler);
    free(point);
}

static void angles_are_those_of_the_nearest(void **state)
{
    (void)state;
    srand48(71);
    vector *euler = vectors_of(N, random_orientation);
    for (int k = 0; k < GROUPS; k++) {
        double angle[N];
        ok(sw_disorientation(groups[k], N, (vectors)euler, SW_SAMPLE_TRICLINIC, euler[0], angle));
        for (int n = 0; n < N; n++) {
            double most = 0;
            for (int i = 0; i < groups[k]->order; i++)
                most = greatest(most, cosine_of(groups[k], i, euler[n], euler[0]));
            near(angle[n], 2 * acos(fmin(most, 1)), 1e-7);
        }
    }
    free(euler);
}

/* Of a pole all equivalents, and both ends, at sample directions; the same number is the density of the sample's direction
 * at the pole where crystals are few: mean over the same sums. */
static void figures_are_sums_over_the_group(void **state)
{
    (void)state;
    static const double pole[][3] = {{0, 0, 1}, {1, 0, 0}, {2, 1, 0}, {1, 2, 3}};
    const int kappa = 40;
    srand48(72);
    vector *euler = vectors_of(N, random_orientation), *at = vectors_of(1, random_direction);
    for (int k = 0; k < GROUPS; k++)
        for (int h = 0; h < 4; h++) {
            const double length =
                sqrt(pole[h][0] * pole[h][0] + pole[h][1] * pole[h][1] + pole[h][2] * pole[h][2]);
            vector along = {pole[h][0] / length, pole[h][1] / length, pole[h][2] / length};
            double found, inverse, expected = 0;
            for (int n = 0; n < N; n++)
                for (int i = 0; i < groups[k]->order; i++) {
                    double g[3][3], turned[3], cosine = 0;
                    sw_point_group_turn(groups[k], i, along, turned);
                    sw_rotation_from_euler(euler[n], g);
                    for (int c = 0; c < 9; c++)
                        cosine += at[0][c / 3] * g[c / 3][c % 3] * turned[c % 3];
                    expected += two_ends(cosine, kappa) / groups[k]->order / N;
                }
            ok(sw_pole_figure(groups[k], N, (vectors)euler, NULL, pole[h], kappa, 1, (vectors)at, &found));
            ok(sw_inverse_pole_figure(groups[k], N, (vectors)euler, NULL, at[0], kappa, 1, (vectors)&along,
                                      &inverse));
            near(found, expected, power_tolerance(kappa));
            near(inverse, expected, power_tolerance(kappa));
        }
    free(euler);
    free(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odfs_are_sums_over_the_group),
        cmocka_unit_test(angles_are_those_of_the_nearest),
        cmocka_unit_test(figures_are_sums_over_the_group),
    };
    return cmocka_run_group_tests_name("textures by point group", tests, NULL, NULL);
}
