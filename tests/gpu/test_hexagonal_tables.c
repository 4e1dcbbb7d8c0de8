/* `grid` and `terms` of hexagonal crystals, whose tables hold a sector of 60 degrees: a GPU against the CPU. Skipped, saying so, where
 * there is no GPU. */
#include "tests/gpu/gpu.h"

#include "common/crystal/material_file.h"
#include "offline/integrate.h"
#include "offline/spectrum.h"
#include "online/response/step/crystals.h"
#include "slipwave/response.h"

enum { N = 3001, STEPS = 10 };

static const char titanium[] =
    "name: titanium\ncrystal_structure: hexagonal\nc_over_a: 1.587\n"
    "elasticity: {C11: 162.4e9, C33: 180.7e9, C44: 46.7e9, C12: 92.0e9, C13: 69.0e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
    "    - {family: basal, initial_slip_resistance: 150.0e6}\n"
    "    - {family: prismatic, initial_slip_resistance: 100.0e6}\n"
    "    - {family: pyramidal_ca, initial_slip_resistance: 300.0e6}\n"
    "hardening: {law: voce, initial_hardening_rate: 0.4e9, saturation_resistance: 420.0e6, exponent: 2}\n";

static void make(sw_database *d)
{
    const int64_t shape[4] = {16, 16, 18, 12};
    sw_response_grid grid;
    memset(d, 0, sizeof *d);
    CHECK_OK(sw_material_parse("test", titanium, &d->material));
    const sw_increment increment = sw_increment_default(&d->material);
    CHECK_OK(sw_response_grid_create(&sw_point_group_622, shape, &grid));
    CHECK_OK(sw_integrate_grid(&grid, &d->material, &increment, &(sw_integrate_options){.quiet = 1}));
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, d));
    sw_response_grid_destroy(&grid);
}

static void release(sw_database *d)
{
    free(d->wavevector);
    free(d->coefficient);
    free(d->weight);
    free(d->magnitude);
}

/* Stresses after each step, MPa. */
static void take(sw_device device, sw_response_options options, double stress[STEPS][3][3])
{
    const double l[3][3] = {{1e-3, 4e-4, 0}, {0, 1e-4, -3e-4}, {2e-4, 0, -1.1e-3}};
    sw_response *r;
    sw_crystals c;
    options.device = device;
    CHECK_OK(sw_response_open(&options, &r));
    CHECK_OK(sw_crystals_make(r, N, &c));
    CHECK_OK(sw_crystals_randomise(device, N, c.crystal, 5, 0, 150e6F));
    CHECK_OK(sw_crystals_begin(r, &c));
    for (int k = 0; k < STEPS; k++) {
        sw_response_average a;
        CHECK_OK(sw_response_step(r, l, 10, &c, &c, &a));
        for (int i = 0; i < 9; i++)
            stress[k][i / 3][i % 3] = 1e-6 * a.cauchy_stress[i / 3][i % 3];
    }
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* Entries of half precision, 2^-11 of stresses of 500 MPa, are rounded each for itself: of the mean of 3001 crystals 0.01 MPa is left;
 * where the nearest is taken angles that differ by 1e-6 lead a few crystals, 8 of N by up to 500 MPa, to the next. */
static void tables_are_the_cpus(void **state)
{
    NEED_GPU();
    static sw_database d;
    make(&d);
    const struct {
        sw_response_options options;
        double bound;
    } settings[] = {{{.solver = "grid", .database = &d}, 0.1},
                    {{.solver = "grid", .database = &d, .refinement = 2, .nearest = 1}, 1.5},
                    {{.solver = "terms", .database = &d, .terms = 600, .refinement = 16}, 1.5}};
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        double cpu[STEPS][3][3], gpu[STEPS][3][3];
        take(SW_CPU, settings[s].options, cpu);
        take(SW_CUDA, settings[s].options, gpu);
        assert_true(fabs(cpu[0][0][0]) > 100);
        for (int k = 0; k < 9 * STEPS; k++)
            CHECK_CLOSE(gpu[k / 9][k / 3 % 3][k % 3], cpu[k / 9][k / 3 % 3][k % 3], settings[s].bound);
    }
    release(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_the_cpus),
    };
    return cmocka_run_group_tests_name("tables of hexagonal crystals on a GPU", tests, set_up, NULL);
}
