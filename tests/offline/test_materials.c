/* The material files under data/materials: they read, and every symmetric point of a grid converges. */
#include "tests/test.h"

#include "common/crystal/crystal_integrator.h"
#include "common/math/rotation.h"
#include "common/crystal/material_file.h"
#include "offline/response_grid.h"

static const struct {
    const char *file;
    const sw_lattice *lattice;
} materials[] = {
    {"copper-ofhc", &sw_lattice_fcc}, {"copper-ofhc-isotropic", &sw_lattice_fcc},
    {"aluminium", &sw_lattice_fcc},   {"iron", &sw_lattice_bcc24},
    {"tantalum", &sw_lattice_bcc48},
};

/* Points where systems tie: angles in sixteenths of a turn, theta in twelfths, on them and a hair beside.
 * Nothing may need a shorter step, let alone fail. (Over all points of a 64 x 64 x 64 x 48 grid no step of
 * any of these materials takes more than 20 of the 100 iterations it may.) */
static void symmetric_points_converge(void **state)
{
    enum { ANGLES = 4, THETAS = 12, SIDES = 3, POINTS = ANGLES * ANGLES * ANGLES * THETAS * SIDES };
    static double x[POINTS][4], y[POINTS][SW_OUTPUTS_MOST];
    const int k = (int)(intptr_t)*state;
    sw_material material;
    sw_integration_statistics statistics = {0};
    CHECK_OK(sw_material_read(data_path("materials/%s.yaml", materials[k].file), &material));
    assert_ptr_equal(sw_material_lattice(&material), materials[k].lattice);
    const sw_increment increment = sw_increment_default(&material);
    for (int i = 0; i < POINTS; i++) {
        int rest = i;
        for (int d = 0; d < 3; d++, rest /= ANGLES)
            x[i][d] = SW_PI / 8 * (rest % ANGLES);
        x[i][3] = SW_PI / 6 * (rest % THETAS) + 1e-6 * (rest / THETAS - 1);
    }
    CHECK_OK(sw_integrate_points(&material, &increment, POINTS, (const double(*)[4])x, y, &statistics));
    assert_int_equal(statistics.halvings, 0);
}

int main(void)
{
    struct CMUnitTest tests[sizeof materials / sizeof *materials];
    for (size_t k = 0; k < sizeof materials / sizeof *materials; k++)
        tests[k] = (struct CMUnitTest){materials[k].file, symmetric_points_converge, NULL, NULL, (void *)k};
    return cmocka_run_group_tests_name("materials", tests, NULL, NULL);
}
