/* The algorithmic tangent of elastic-plastic crystals against differences of their stress, in double precision: the
 * same source, with Newton's method content with much less. */
#include "tests/online/response/elastoplastic/mean_stress.h"

enum { CRYSTALS = 200 };

/* The largest column error over the tangent's largest column. */
static double error_of(const double loading[COLUMNS], double dt,
                       const sw_elastoplastic_crystal start[CRYSTALS])
{
    static sw_elastoplastic_crystal crystal[CRYSTALS];
    double stress[5], tangent[COLUMNS][5], slope[COLUMNS][5], worst = 0, largest = 0;
    memcpy(crystal, start, sizeof crystal);
    advance(loading, dt, CRYSTALS, crystal, NULL, stress, tangent);
    differences(loading, dt, 2e-7 / dt * 0.02, CRYSTALS, start, NULL, slope);
    for (int c = 0; c < COLUMNS; c++) {
        double difference = 0, size = 0;
        for (int i = 0; i < 5; i++) {
            difference += pow(slope[c][i] - tangent[c][i], 2);
            size += pow(slope[c][i], 2);
        }
        worst = greatest(worst, sqrt(difference));
        largest = greatest(largest, sqrt(size));
    }
    return worst / largest;
}

static const double compression[COLUMNS] = {7e-4, -1e-3, 1e-4, 0, 2e-4, 3e-4, -2e-4, 5e-4},
                    shear[COLUMNS] = {0, 1e-4, 0, 3e-4, 7e-4, 0, 1e-4, -7e-4},
                    back[COLUMNS] = {-7e-4, 1e-3, 0, 0, 0, 0, 0, 0},
                    spun[COLUMNS] = {7e-4, -1e-3, 1e-4, 0, 2e-4, 0.05, -0.03, 0.06}; /* by 1.2 rad in 15 s */

/* Crystals in the middle of plastic flow. */
static void flow(sw_elastoplastic_crystal crystal[CRYSTALS])
{
    double stress[5], tangent[COLUMNS][5];
    begin_crystals(CRYSTALS, crystal);
    for (int k = 0; k < 4; k++)
        advance(compression, 15, CRYSTALS, crystal, NULL, stress, tangent);
}

static void tangents_are_the_derivative(int structure, double m)
{
    static sw_elastoplastic_crystal crystal[CRYSTALS];
    sw_material of = copper();
    of.crystal_structure = structure;
    of.slip.rate_sensitivity = m;
    prepare_model(of);
    begin_crystals(CRYSTALS, crystal);
    const double first = error_of(compression, 15, crystal);
    flow(crystal);
    const double on = error_of(compression, 15, crystal), corner = error_of(back, 1.5, crystal),
                 changed = error_of(shear, 15, crystal), short_one = error_of(compression, 0.5, crystal);
    const double turned = error_of(spun, 15, crystal);
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
