/* Latent hardening where the path changes: copper of Kalidindi, Bronkhorst and Anand, by `elastoplastic` and `iterative`, against the limit of
 * DAMASK's scheme (data/reference/damask-path.csv says how). */
#include "reference_crystals.h"

enum { CRYSTALS = 64, ROWS = 20 };

static const char copper_text[] =
    "name: A\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.02\n  families:\n"
    "    - {family: \"111\", initial_slip_resistance: 16e6, initial_hardening_rate: 180e6,\n"
    "       saturation_resistance: 148e6, exponent: 2.25, latent: [%s], self: 1, coplanar: 1}\n"
    "hardening: {law: phenopowerlaw}\n";

static void read_rows(double row[ROWS][6])
{
    char line[400];
    int found = 0;
    FILE *const file = fopen(data_path("reference/damask-path.csv"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        double *const r = row[found < ROWS ? found : 0];
        found += sscanf(line, "%*d,%lf,%lf,%lf,%lf,%lf,%lf", &r[0], &r[1], &r[2], &r[3], &r[4], &r[5]) == 6;
    }
    fclose(file);
    assert_int_equal(found, ROWS);
}

/* The largest part of the deviator that a row is off, of the rows before and after the change; parts: steps of a row. */
static void follow(const char *solver, const char *latent, int parts, double worst[2])
{
    static const double none[6] = {0};
    double rows[ROWS][6], deviator[6];
    char text[1000];
    polycrystal p;
    read_rows(rows);
    snprintf(text, sizeof text, copper_text, latent);
    CHECK_OK(sw_material_parse("copper.yaml", text, &p.material));
    open_polycrystal(solver, "damask-cubic.ori", &p);
    p.crystals.n = CRYSTALS;
    worst[0] = worst[1] = 0;
    for (int k = 0; k < ROWS; k++) {
        const int second = k >= ROWS / 2;
        const double a = 1e-3, gradient[2][3][3] = {{{a, 0, 0}, {0, 0, 0}, {0, 0, -a}},
                                                    {{-a, 0, 0}, {0, a, 0}, {0, 0, 0}}};
        for (int part = 0; part < parts; part++)
            step_polycrystal(&p, gradient[second], 10.0 / parts, deviator);
        worst[second] =
            greatest(worst[second], von_mises_between(deviator, rows[k]) / von_mises_between(none, rows[k]));
    }
    print_message("%s, latent %s: deviator within %.3f %%, after the change %.3f %%\n", solver, latent,
                  100 * worst[0], 100 * worst[1]);
    close_polycrystal(&p);
}

/* Steps of 1e-4: what is left in the row after the change, 0.15 %, falls with them. */
static void copper_changes_its_path(void **state)
{
    (void)state;
    double worst[2];
    follow("elastoplastic", "1.4", 100, worst);
    CHECK_CLOSE(worst[0], 0, 0.001);
    CHECK_CLOSE(worst[1], 0, 0.002);
    follow("iterative", "1.4", 50, worst);
    CHECK_CLOSE(worst[0], 0, 0.001);
    CHECK_CLOSE(worst[1], 0, 0.005);
}

/* The change tells what latent hardening is. */
static void without_latent_hardening_it_is_missed(void **state)
{
    (void)state;
    double worst[2];
    follow("elastoplastic", "1", 100, worst);
    assert_true(worst[1] > 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copper_changes_its_path),
        cmocka_unit_test(without_latent_hardening_it_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
