/* `rigid_plastic` against VPSC8's full constraints by laws with a structure, at temperatures and rates: data/reference/vpsc-structure.csv
 * says how they were made. */
#include "reference_crystals.h"

enum { STEPS = 30 };

static const char steel[] =
    "name: steel\ncrystal_structure: fcc\nelasticity: {C11: 204.6e9, C12: 137.7e9, C44: 126.2e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  rate_of_step: yes\n  families:\n"
    "    - {family: \"111\", self: 1, coplanar: 0, latent: [0], athermal_resistance: 87e6, shear_modulus: "
    "64.366667e9,\n"
    "       burgers_vector: 2.546e-10, initial_dislocation_density: 5e9, dislocation_strengthening: 0.35,\n"
    "       dislocation_storage: 2.75e8, recovery_energy: 3.8e-3, recovery_drag: 300e6, recovery_rate: 1e7,\n"
    "       debris_strengthening: 0.086, initial_debris_density: 1e11, debris_share: 280}\n"
    "hardening: {law: kocks_mecking}\n";

static void read_rows(const char *name, double temperature, double rate, double von_mises[STEPS + 1])
{
    char line[400];
    int found = 0;
    FILE *const file = fopen(data_path("reference/vpsc-structure.csv"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(name);
        double t, r, value;
        int step;
        if (strncmp(line, name, length) != 0 ||
            sscanf(line + length, ",%lf,%lf,%d,%lf", &t, &r, &step, &value) != 4 || t != temperature ||
            r != rate)
            continue;
        assert_int_equal(step, found);
        assert_true(found <= STEPS);
        von_mises[found++] = value;
    }
    fclose(file);
    assert_int_equal(found, STEPS + 1);
}

/* Steps of 0.01 in so many parts: slip is by what resists at their ends, constant in each; every row. */
static void compare(const char *name, const char *material, double temperature, double rate, int parts,
                    double bound)
{
    polycrystal p;
    double von_mises[STEPS + 1], deviator[6], worst = 0;
    const double gradient[3][3] = {{-rate, 0, 0}, {0, rate / 2, 0}, {0, 0, rate / 2}};
    read_rows(name, temperature, rate, von_mises);
    if (material == NULL)
        CHECK_OK(sw_material_parse("steel.yaml", steel, &p.material));
    else
        CHECK_OK(sw_material_read(data_path("materials/%s", material), &p.material));
    CHECK_OK(sw_material_set_temperature(&p.material, temperature));
    open_polycrystal("rigid_plastic", "vpsc-zirconium-plate.tex", &p);
    for (int k = 1; k <= STEPS; k++) {
        double size = 0;
        for (int part = 0; part < parts; part++)
            size = step_polycrystal(&p, gradient, 0.01 / parts / rate, deviator) / von_mises[k];
        worst = greatest(worst, fabs(size - 1));
        CHECK_CLOSE(size, 1, bound);
    }
    print_message("%s, %g K, %g 1/s: von Mises within %.3f %%\n", name, temperature, rate, 100 * worst);
    close_polycrystal(&p);
}

static void aluminium_by_the_mechanical_threshold(void **state)
{
    (void)state;
    compare("aluminium", "aluminium-5182.yaml", 298, 1e-3, 1, 2e-4);
    compare("aluminium", "aluminium-5182.yaml", 500, 1e-3, 1, 2e-4);
    compare("aluminium", "aluminium-5182.yaml", 298, 100, 1, 2e-4);
}

static void steel_by_dislocation_densities(void **state)
{
    (void)state;
    compare("steel", NULL, 298, 1e-3, 4, 1e-3);
    compare("steel", NULL, 600, 1e-2, 4, 1e-3);
}

static void zirconium_by_dislocation_densities(void **state)
{
    (void)state;
    compare("zirconium", "zirconium-dislocations.yaml", 300, 1e-3, 4, 1e-3);
    compare("zirconium", "zirconium-dislocations.yaml", 76, 1e-3, 4, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aluminium_by_the_mechanical_threshold),
        cmocka_unit_test(steel_by_dislocation_densities),
        cmocka_unit_test(zirconium_by_dislocation_densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
