/* How the interpolated answers of `grid` change with the strain rate, and that they do so smoothly: points with a loading each. */
#include "tests/copper_database.h"
#include "tests/crystals.h"

#include "common/math/strain_rate.h"
#include "online/response/step/crystals.h"

enum { ALL = 900 };

static int set_up(void **state)
{
    (void)state;
    return make_copper_database(16, 12);
}

static sw_response *open_grid(void)
{
    const sw_response_options options = {.solver = "grid", .database = &database};
    return opened(&options);
}

typedef struct {
    double stress[6], by_strain_rate[6][6];
} answer;

/* A try of a step of one point. */
static void step_each(sw_response *response, const sw_crystals *all, const double l[3][3], int tangent,
                      answer *to)
{
    const sw_points points = {.points = 1,
                              .each = all->n,
                              .velocity_gradient = (const double(*)[3][3])l,
                              .dt = 10,
                              .from = all,
                              .stress = &to->stress,
                              .by_strain_rate = tangent ? &to->by_strain_rate : NULL};
    CHECK_OK(sw_response_step_each(response, &points));
}

/* A component of the vector of five of D, in the sample frame. */
static const double basis[5][3][3] = {{{1, 0, 0}, {0, -1, 0}, {0, 0, 0}},
                                      {{-1, 0, 0}, {0, -1, 0}, {0, 0, 2}},
                                      {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                      {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}},
                                      {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}};

/* The stress with D aside by h along basis c. */
static void stress_aside(sw_response *response, const sw_crystals *all, const double l[3][3], int c, double h,
                         double stress[6])
{
    double beside[3][3];
    static answer r;
    for (int k = 0; k < 9; k++)
        beside[k / 3][k % 3] = l[k / 3][k % 3] + h * basis[c][k / 3][k % 3];
    step_each(response, all, (const double(*)[3])beside, 0, &r);
    memcpy(stress, r.stress, sizeof r.stress);
}

/* Of the table: its answers are smooth but at the walls of its cells, and within them slopes are those of differences, hardening and
 * all. Strain rates between layers of theta (12 a turn, every 30 degrees), the third near tension, where a shear of the sides turns
 * the principal frame ten times as fast, and is given a tenth. By 1e-4 of ||D|| a crystal's axes turn by as much, of cells of 22 degrees:
 * of the crystals 3e-4 times the eight walls meet one and change their slope, some times that of the mean. Rounding of stresses, 1e-7 over
 * the root of 900, leaves 3e-4 in a tenth. */
static void grid_tangents_are_differences(void **state)
{
    (void)state;
    enum { FEWER = 800 }; /* of more one has its direction at an axis (table_turn.h), which tears it */
    static sw_crystal crystal[FEWER];
    static answer r;
    static const double l[][3][3] = {{{1e-3, 2e-4, 1e-4}, {0, -2e-4, 3e-4}, {0, 0, -8e-4}},
                                     {{1e-4, 1e-3, -3e-4}, {0, 2e-4, 1e-4}, {0, 0, -3e-4}},
                                     {{1e-3, 0, 0}, {0, -4.6e-4, 0}, {0, 0, -5.4e-4}}};
    sw_response *response = open_grid();
    CHECK_OK(sw_crystals_randomise(SW_CPU, FEWER, crystal, 5, 0, 16e6F));
    const sw_crystals all = sw_crystals_alone(response, FEWER, crystal);
    for (int k = 0; k < 3; k++) {
        const double rate = sw_strain_rate_of(l[k]).rate, h = (k == 2 ? 1e-5 : 1e-4) * rate;
        step_each(response, &all, l[k], 1, &r);
        for (int c = 0; c < 5; c++) {
            const double(*b)[3] = basis[c];
            const double along[6] = {b[0][0], b[1][1], b[2][2], 2 * b[1][2], 2 * b[0][2], 2 * b[0][1]};
            double plus[6], minus[6];
            stress_aside(response, &all, l[k], c, h, plus);
            stress_aside(response, &all, l[k], c, -h, minus);
            for (int i = 0; i < 6; i++) {
                double slope = 0;
                for (int j = 0; j < 6; j++)
                    slope += r.by_strain_rate[i][j] * along[j];
                CHECK_CLOSE((plus[i] - minus[i]) / (2 * h), slope, 0.04 * 50e6 / rate);
            }
        }
    }
    sw_response_close(response);
}

/* Where two principal rates are equal the frame turns with nothing, and the stress does not: all ways round the axis of tension or
 * compression, along each axis of the sample, it is the same but for what slopes make of 1e-5 of ||D||, some few times that of the
 * stress. Slopes are numbers there, of the size of others. */
static void grid_is_smooth_about_an_axis(void **state)
{
    (void)state;
    static sw_crystal crystal[ALL];
    static answer r;
    sw_response *response = open_grid();
    CHECK_OK(sw_crystals_randomise(SW_CPU, ALL, crystal, 5, 0, 16e6F));
    const sw_crystals all = sw_crystals_alone(response, ALL, crystal);
    for (int k = 0; k < 6; k++) {
        const double size = k < 3 ? 1e-3 : -1e-3;
        double l[3][3] = {{-size / 2, 0, 0}, {0, -size / 2, 0}, {0, 0, -size / 2}};
        l[k % 3][k % 3] = size;
        step_each(response, &all, (const double(*)[3])l, 1, &r);
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        for (int way = 0; way < 8; way++) {
            const double h = 1e-5 * sqrt(1.5) * 1e-3, turn = 2 * SW_PI * way / 8;
            double beside[3][3];
            static answer other;
            memcpy(beside, l, sizeof l);
            beside[p][p] += h * cos(turn);
            beside[q][q] -= h * cos(turn);
            beside[p][q] += h * sin(turn);
            beside[q][p] += h * sin(turn);
            step_each(response, &all, (const double(*)[3])beside, 0, &other);
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(other.stress[i], r.stress[i], 5e-5 * 50e6);
        }
        for (int i = 0; i < 36; i++)
            assert_true(fabs(r.by_strain_rate[i / 6][i % 6]) < 10 * 50e6 / 1e-3);
    }
    sw_response_close(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_tangents_are_differences),
        cmocka_unit_test(grid_is_smooth_about_an_axis),
    };
    return cmocka_run_group_tests(tests, set_up, free_copper_database);
}
