/* `rigid_plastic` against VPSC8's full constraints (lanl/VPSC_code 99ad39b8, gfortran 12.2): another program's Taylor
 * model with the same slip law, rows of the same states. Eight crystals, 1/m = 20, tau = 1 + 0.1 Gamma. */
#include "tests/test.h"

#include "slipwave/taylor.h"

enum { N = 8, STEPS = 10, KEPT = 3 };
static const int kept[KEPT] = {1, 5, 10}; /* steps */

/* Bunge angles, degrees. */
static const double angles[N][3] = {{12.5, 34.0, 56.25},  {101.5, 80.0, 3.75}, {250.0, 45.5, 20.0},
                                    {305.25, 60.0, 77.5}, {45.0, 15.0, 70.0},  {170.0, 110.0, 35.5},
                                    {222.0, 130.5, 10.0}, {330.0, 95.0, 48.0}};

/* STR_STR.OUT of steps of 0.02 of the component that is largest, of shear gamma: deviator 11 22 33 23 13 12, over the
 * first tau. */
static const struct {
    const char *name, *gradient;
    double stress[KEPT][6];
} cases[] = {
    {"plane strain",
     "[[1.0, 0, 0], [0, 0, 0], [0, 0, -1.0]]",
     {{1.8023, -0.0084397, -1.7938, -0.035919, 0.24194, -0.16205},
      {1.8424, -0.0023751, -1.8400, -0.042081, 0.26949, -0.17818},
      {1.9097, -0.044515, -1.8652, -0.20397, 0.31519, -0.36114}}},
    {"tension",
     "[[1.0, 0, 0], [0, -0.5, 0], [0, 0, -0.5]]",
     {{2.0545, -0.84674, -1.2077, -0.18666, 0.17420, -0.28283},
      {2.1231, -0.90652, -1.2166, -0.19297, 0.23468, -0.30922},
      {2.2046, -0.93155, -1.2731, -0.19374, 0.23371, -0.30860}}},
    {"shear",
     "[[0, 1.0, 0], [0, 0, 0], [0, 0, 0]]",
     {{-0.30336, -0.030673, 0.33403, 0.0028341, 0.052743, 1.5734},
      {-0.41896, 0.10173, 0.31723, -0.060458, 0.066877, 1.6020},
      {-0.49892, 0.038900, 0.46002, 0.034998, 0.042865, 1.6493}}},
};

static void make_crystals(sw_crystal crystal[N])
{
    for (int n = 0; n < N; n++) {
        for (int i = 0; i < 3; i++)
            crystal[n].euler[i] = (float)(angles[n][i] * M_PI / 180);
        crystal[n].slip_resistance = 1e6F;
    }
}

/* VPSC8 ends its iterations at a relative change of 5e-4, whose square is left, and prints five digits; our crystals are
 * in single precision. 2e-4 of the stress is three times what was found; the row before differs by 1e-2. */
static void rows_are_those_of_the_same_states(void **state)
{
    (void)state;
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    const sw_material material = {.name = "1 + 0.1 Gamma",
                                  .crystal_structure = SW_LATTICE_fcc,
                                  .elasticity = {205e9, 138e9, 126e9},
                                  .slip = {1, 0.05, 1e6},
                                  .hardening = {SW_LAW_voce, {0.1e6, 1e11, 1}}};
    sw_crystal crystal[N];
    double worst = 0;
    make_crystals(crystal);
    const sw_taylor_inputs inputs = {.material = &material, .crystals = N, .crystal = crystal};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[400];
        sw_taylor *run;
        sw_taylor_rows rows;
        int64_t taken;
        snprintf(text, sizeof text,
                 "solver: rigid_plastic\nloading:\n  - {velocity_gradient: %s, duration: 0.2, steps: %d}\n",
                 cases[c].gradient, STEPS);
        CHECK_OK(sw_taylor_begin("a job", text, 0, NULL, &inputs, &run));
        CHECK_OK(sw_taylor_advance(run, STEPS, &taken));
        sw_taylor_history(run, &rows);
        for (int k = 0; k < KEPT; k++)
            for (int i = 0; i < 6; i++) {
                const double found = 1e-6 * rows.cauchy_stress[kept[k]][row[i]][column[i]];
                CHECK_CLOSE(found, cases[c].stress[k][i], 2e-4 * 2.5);
                worst = greatest(worst, fabs(found - cases[c].stress[k][i]) / 2.5);
            }
        sw_taylor_end(run);
    }
    print_message("largest difference: %.1e of the stress\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_the_same_states)};
    return cmocka_run_group_tests_name("Taylor's model against VPSC8", tests, NULL, NULL);
}
