/* Elasticity at the point with answers of a power law, whose solution is one equation. */
#include "tests/test.h"

#include "online/fem/crystal/elastic.h"

enum { STEPS = 6 };
#define STRENGTH 100e6
#define RATE 1e-3

/* Answers of a power law with weights of its own along the five axes, and their derivative. */
static void law(double m, const double given[3][3], const double weight[5], double stress[6], double by[6][6])
{
    double rate[6], v[5], t[6], w[5], size;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rate[i] = given[i][i];
        rate[3 + i] = 0.5 * (given[j][k] + given[k][j]);
    }
    sw_deviator_vector_of(rate, v);
    for (int i = 0; i < 5; i++)
        w[i] = weight[i] * v[i];
    size = sqrt(sw_fem_dot5(v, w));
    const double scale = size > 0 ? STRENGTH * pow(size / RATE, m) / size : 0;
    for (int i = 0; i < 5; i++)
        v[i] = scale * w[i];
    sw_deviator_tensor(v, stress);
    for (int b = 0; b < 6; b++) { /* by D11 .. 2 D12 */
        double one[6] = {0}, d[5], row[5];
        one[b] = b < 3 ? 1 : 0.5;
        sw_deviator_vector_of(one, d);
        for (int a = 0; a < 5; a++)
            row[a] = scale * (weight[a] * d[a] - (1 - m) * w[a] * sw_fem_dot5(w, d) / (size * size));
        sw_deviator_tensor(row, t);
        for (int a = 0; a < 6; a++)
            by[a][b] = t[a];
    }
}

/* A step; its number of answers. by_strain_rate and by_spin: the derivatives, NULL: not wanted. */
static int advance_with(const sw_fem_elastic_step *step, const double l[3][3], const double weight[5],
                        double accepted[6], double by_strain_rate[6][6], double by_spin[6][3])
{
    double search[1][11], stress[1][6], by[1][6][6], spin[1][6][3], plastic[1][5], given[1][3][3],
        gradient[1][3][3], old[1][6];
    const sw_fem_elastic_group g = {.step = *step,
                                    .of = {old, plastic, search, given, NULL},
                                    .gradient = (const double(*)[3][3])gradient,
                                    .stress = stress,
                                    .by_strain_rate = by,
                                    .by_spin = spin};
    int n = 0;
    memcpy(gradient, l, sizeof gradient);
    memcpy(old, accepted, sizeof old);
    sw_fem_elastic_point(SW_FEM_ELASTIC_BEGIN, &g, 0);
    do {
        law(step->rate_sensitivity, (const double(*)[3])given[0], weight, stress[0], by[0]);
        n++;
    } while (sw_fem_elastic_point(SW_FEM_ELASTIC_ITERATE, &g, 0) && n < SW_FEM_ELASTIC_MOST);
    sw_fem_elastic_point(SW_FEM_ELASTIC_FINISH, &g, 0);
    memcpy(accepted, stress[0], sizeof stress[0]);
    if (by_strain_rate != NULL) {
        memcpy(by_strain_rate, by[0], sizeof by[0]);
        memcpy(by_spin, spin[0], sizeof spin[0]);
    }
    return n;
}

static int advance(const sw_fem_elastic_step *step, const double l[3][3], const double weight[5],
                   double accepted[6])
{
    return advance_with(step, l, weight, accepted, NULL, NULL);
}

/* Against differences of the whole step, after a first one along another path. */
static void test_derivatives(void **state)
{
    (void)state;
    const double weight[5] = {1, 0.5, 2, 3, 0.7};
    const double first[3][3] = {{RATE, 0, 0}, {0, -0.5 * RATE, 0}, {0, 0, -0.5 * RATE}};
    const double l[3][3] = {{0.5 * RATE, 1.5 * RATE, 0}, {0.2 * RATE, 0, 0.3 * RATE}, {0, 0, -0.5 * RATE}};
    const double strains[] = {1e-4, 1e-3, 2e-2};
    for (int k = 0; k < 3; k++) {
        const sw_fem_elastic_step begin = {45e9, 5e-3 / RATE, 0.05, 1, 1e-12},
                                  step = {45e9, strains[k] / RATE, 0.05, 1, 1e-12};
        double old[6] = {0}, end[6], by[6][6], spin[6][3], worst = 0, largest = 0;
        advance(&begin, first, weight, old);
        memcpy(end, old, sizeof end);
        advance_with(&step, l, weight, end, by, spin);
        for (int c = 0; c < 9; c++) { /* 11 22 33 2x23 2x13 2x12, W12 W13 W23 */
            static const int at[9][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2},
                                         {0, 1}, {0, 1}, {0, 2}, {1, 2}};
            double side[2][6];
            for (int s = 0; s < 2; s++) {
                const double change = (s ? 1 : -1) * 1e-5 * RATE;
                double moved[3][3];
                memcpy(moved, l, sizeof moved);
                moved[at[c][0]][at[c][1]] += c < 3 ? change : c < 6 ? 0.5 * change : change;
                if (c >= 3)
                    moved[at[c][1]][at[c][0]] += c < 6 ? 0.5 * change : -change;
                memcpy(side[s], old, sizeof old);
                advance(&step, (const double(*)[3])moved, weight, side[s]);
            }
            for (int i = 0; i < 6; i++) {
                const double given = c < 6 ? by[i][c] : spin[i][c - 6];
                const double found = (side[1][i] - side[0][i]) / (2e-5 * RATE);
                worst = greatest(worst, fabs(given - found));
                largest = greatest(largest, fabs(found));
            }
        }
        print_message("step of %g: derivatives off by %.1e of %.1e\n", strains[k], worst, largest);
        CHECK_CLOSE(worst, 0, 2e-3 * largest);
    }
}

/* A turn without strain asks nothing of the crystals, and turns the stress with it. */
static void test_turns(void **state)
{
    (void)state;
    const double weight[5] = {1, 0.5, 2, 3, 0.7}, angle = 0.5;
    const double tension[3][3] = {{RATE, 0, 0}, {0, -0.5 * RATE, 0}, {0, 0, -0.5 * RATE}};
    const sw_fem_elastic_step pull = {45e9, 5e-3 / RATE, 0.02, 1, 1e-12}, turn = {45e9, 1, 0.02, 1, 1e-12};
    const double spin[3][3] = {{1e-16, -angle, 0}, {angle, 0, 0}, {0, 0, 0}};
    double s[6], old[6], c = cos(angle), n = sin(angle);
    memset(s, 0, sizeof s);
    advance(&pull, tension, weight, s);
    memcpy(old, s, sizeof s);
    assert_int_equal(advance(&turn, spin, weight, s), 1);
    CHECK_CLOSE(s[0], c * c * old[0] - 2 * c * n * old[5] + n * n * old[1], 50);
    CHECK_CLOSE(s[1], n * n * old[0] + 2 * c * n * old[5] + c * c * old[1], 50);
    CHECK_CLOSE(s[2], old[2], 50);
    CHECK_CLOSE(s[5], c * n * (old[0] - old[1]) + (c * c - n * n) * old[5], 50);
    assert_true(fabs(s[5]) > 1e7);
}

/* Loading in small and large steps, a change of path, unloading, a hold: answers a step. */
static void test_counts_of_answers(void **state)
{
    (void)state;
    const double weights[2][5] = {{1, 1, 1, 1, 1}, {1, 0.5, 2, 3, 0.7}};
    const double tension[3][3] = {{RATE, 0, 0}, {0, -0.5 * RATE, 0}, {0, 0, -0.5 * RATE}},
                 shear[3][3] = {{0, RATE, 0}, {0, 0, 0}, {0, 0, 0}},
                 back[3][3] = {{-RATE, 0, 0}, {0, 0.5 * RATE, 0}, {0, 0, 0.5 * RATE}}, none[3][3] = {{0}};
    const struct {
        const char *name;
        const double (*l)[3];
        double strain;
    } path[] = {{"elastic", tension, 1e-4}, {"yielding", tension, 2e-3},   {"flowing", tension, 2e-2},
                {"shear", shear, 2e-3},     {"shear on", shear, 2e-2},     {"back a little", back, 2e-4},
                {"back", back, 2e-2},       {"back in steps", back, 1e-3}, {"hold", none, 1e-3},
                {"on", tension, 1e-3}};
    for (int has_tangent = 0; has_tangent < 2; has_tangent++)
        for (int k = 0; k < 2; k++)
            for (int sharp = 0; sharp < 2; sharp++) {
                double stress[6] = {0};
                print_message("%s%s, m %g:", has_tangent ? "own tangent" : "power law's",
                              k ? ", anisotropic" : "", sharp ? 0.02 : 0.1);
                for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
                    const sw_fem_elastic_step step = {45e9, path[i].strain / RATE, sharp ? 0.02 : 0.1,
                                                      has_tangent, 1e-9};
                    const int n = advance(&step, path[i].l, weights[k], stress);
                    print_message(" %s %d,", path[i].name, n);
                }
                print_message("\n");
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives), cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_counts_of_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
