/* The algorithmic tangent of elastic-plastic crystals against differences of their stress, in double precision: the
 * same source, with Newton's method content with much less. */
#include "common/math/lanes.h"

#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "online/response/elastoplastic/elastoplastic.h"

enum { CRYSTALS = 200, COLUMNS = SW_TANGENT_COLUMNS };

static sw_elastoplastic_model model;
static sw_material material;

static void prepare(int structure, double m)
{
    material = copper();
    material.crystal_structure = structure;
    material.slip.rate_sensitivity = m;
    CHECK_OK(sw_elastoplastic_prepare(&material, &model));
    model.slip.decrement = 1e-22F;
}

/* D as a vector of five and the axial vector of W, 1/s. */
typedef struct {
    double number[COLUMNS];
} loading;

/* Good until the next. */
static sw_slip_step step_under(const loading *l, double dt)
{
    static double d[6], turn[3];
    double square = 0;
    sw_deviator_tensor(l->number, d);
    for (int i = 0; i < 5; i++)
        square += l->number[i] * l->number[i];
    for (int i = 0; i < 3; i++)
        turn[i] = l->number[5 + i] * dt;
    const sw_slip_rates rates = sw_elastoplastic_rates(&model, (float)dt);
    return sw_slip_step_of(&rates, d, turn, sqrt(square), (float)dt, &material.hardening);
}

/* Steps of the crystals; the mean stress in the sample frame as a vector of five, Pa, and its tangent. */
static void advance(const loading *l, double dt, sw_elastoplastic_crystal crystal[CRYSTALS], double stress[5],
                    double tangent[COLUMNS][5])
{
    const sw_slip_step step = step_under(l, dt);
    memset(stress, 0, 5 * sizeof *stress);
    memset(tangent, 0, COLUMNS * sizeof *tangent);
    for (int n = 0; n < CRYSTALS; n++) {
        double slip_rate, iterations, r[3][3], size[5], turned[5], own[COLUMNS][5], e[6], t[6];
        assert_true(sw_elastoplastic(&model, model.slip.systems, &step, &crystal[n], NULL, &slip_rate,
                                     &iterations, own));
        sw_rotation_from_quaternion(crystal[n].orientation, r);
        for (int i = 0; i < 5; i++)
            size[i] = crystal[n].stress[i];
        sw_elastoplastic_strain(&model, crystal[n].stress, crystal[n].slip_resistance, e);
        sw_deviator_tensor(crystal[n].stress, t);
        sw_elastoplastic_push(e, t, size);
        for (int i = 0; i < 5; i++)
            size[i] *= crystal[n].slip_resistance;
        sw_deviator_from_frame((const double(*)[3])r, size, turned);
        for (int i = 0; i < 5; i++)
            stress[i] += turned[i] / CRYSTALS;
        for (int k = 0; k < 5 * COLUMNS; k++)
            tangent[k / 5][k % 5] += own[k / 5][k % 5] / CRYSTALS;
    }
}

static void begin(sw_elastoplastic_crystal crystal[CRYSTALS])
{
    for (int n = 0; n < CRYSTALS; n++) {
        double euler[3], g[3][3];
        sw_random_orientation(3, (uint64_t)n, euler);
        sw_rotation_from_euler(euler, g);
        sw_quaternion_from_rotation(g, crystal[n].orientation);
        crystal[n].slip_resistance = 16e6;
        memset(crystal[n].stress, 0, sizeof crystal[n].stress);
    }
}

/* The largest column error over the tangent's largest column. */
static double error_of(const loading *l, double dt, const sw_elastoplastic_crystal start[CRYSTALS])
{
    static sw_elastoplastic_crystal crystal[CRYSTALS];
    double stress[5], tangent[COLUMNS][5], unused[COLUMNS][5], worst = 0, largest = 0;
    memcpy(crystal, start, sizeof crystal);
    advance(l, dt, crystal, stress, tangent);
    for (int c = 0; c < COLUMNS; c++) {
        const double h = 2e-7 / dt * 0.02;
        double difference = 0, size = 0, side[2][5];
        for (int s = 0; s < 2; s++) {
            loading beside = *l;
            beside.number[c] += s ? h : -h;
            memcpy(crystal, start, sizeof crystal);
            advance(&beside, dt, crystal, side[s], unused);
        }
        for (int i = 0; i < 5; i++) {
            const double slope = (side[1][i] - side[0][i]) / (2 * h);
            difference += (slope - tangent[c][i]) * (slope - tangent[c][i]);
            size += slope * slope;
        }
        worst = greatest(worst, sqrt(difference));
        largest = greatest(largest, sqrt(size));
    }
    return worst / largest;
}

static const loading compression = {{7e-4, -1e-3, 1e-4, 0, 2e-4, 3e-4, -2e-4, 5e-4}},
                     shear = {{0, 1e-4, 0, 3e-4, 7e-4, 0, 1e-4, -7e-4}},
                     back = {{-7e-4, 1e-3, 0, 0, 0, 0, 0, 0}},
                     spun = {{7e-4, -1e-3, 1e-4, 0, 2e-4, 0.05, -0.03, 0.06}}; /* by 1.2 rad in 15 s */

/* Crystals in the middle of plastic flow. */
static void flow(sw_elastoplastic_crystal crystal[CRYSTALS])
{
    double stress[5], tangent[COLUMNS][5];
    begin(crystal);
    for (int k = 0; k < 4; k++)
        advance(&compression, 15, crystal, stress, tangent);
}

static void tangents_are_the_derivative(int structure, double m)
{
    static sw_elastoplastic_crystal crystal[CRYSTALS];
    prepare(structure, m);
    begin(crystal);
    const double first = error_of(&compression, 15, crystal);
    flow(crystal);
    const double on = error_of(&compression, 15, crystal), corner = error_of(&back, 1.5, crystal),
                 changed = error_of(&shear, 15, crystal), short_one = error_of(&compression, 0.5, crystal);
    const double turned = error_of(&spun, 15, crystal);
    print_message("%d systems, m %g: first %.1e on %.1e corner %.1e changed %.1e short %.1e spun %.1e\n",
                  model.slip.systems, m, first, on, corner, changed, short_one, turned);
    assert_true(first < 2e-8 && on < 2e-8 && corner < 2e-8 && changed < 2e-8 && short_one < 2e-8 &&
                turned < 5e-8);
}

static void of_all_systems(void **state)
{
    (void)state;
    tangents_are_the_derivative(SW_LATTICE_fcc, 0.012);
    tangents_are_the_derivative(SW_LATTICE_fcc, 0.2);
    tangents_are_the_derivative(SW_LATTICE_bcc24, 0.05);
    tangents_are_the_derivative(SW_LATTICE_bcc48, 0.012);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_all_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
