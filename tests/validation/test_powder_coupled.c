/* Coupled contacts of metal against finite elements: a ball between rigid planes, as in a simple cubic, a body-centred and a
 * face-centred cubic packing under even compaction, and in a simple cubic one in a die. Stresses over the flow stress by
 * relative density, of scripts/dev/powder_octant.py: data/reference/powder-octant.csv. */
#include "online/dem/step/control.h"
#include "tests/online/dem/packs.h"

static const double radius = 50e-6, strength = 100e6;

static sw_dem_material metal(int coupled)
{
    return (sw_dem_material){.law = SW_DEM_METAL,
                             .young = 120e9,
                             .poisson = 0.34,
                             .density = 8900,
                             .strength = strength,
                             .rate_sensitivity = 1e-4, /* as good as none: 0.3 % of the stress */
                             .coupled = coupled};
}

/* Balls on a lattice that only touch; cells [3]: of the lattice, along each axis. */
static sw_dem_packing lattice(int n, const double base[][3], double edge, const int cells[3])
{
    const double a = edge * (1 + 1e-9);
    sw_dem_packing pack = dem_pack((int64_t)n * cells[0] * cells[1] * cells[2], a * cells[0], a * cells[1],
                                   a * cells[2]);
    int64_t p = 0;
    for (int i = 0; i < cells[0]; i++)
        for (int j = 0; j < cells[1]; j++)
            for (int k = 0; k < cells[2]; k++)
                for (int b = 0; b < n; b++, p++) {
                    pack.radius[p] = radius;
                    pack.position[p][0] = a * (i + base[b][0] + 0.01);
                    pack.position[p][1] = a * (j + base[b][1] + 0.01);
                    pack.position[p][2] = a * (k + base[b][2] + 0.01);
                }
    return pack;
}

static const double at[1][3] = {{0}}, body[2][3] = {{0}, {0.5, 0.5, 0.5}},
                    face[4][3] = {{0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};

static void debug(void **state)
{
    (void)state;
    sw_dem_packing pack = lattice(1, at, 2 * radius, (const int[]){4, 4, 4});
    const sw_dem_material m = metal(1);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    numerics.affine = 1;
    numerics.time_scale = 1e6;
    for (int k = 0; k < 5; k++) {
        sw_dem_stage stage = sw_dem_stage_defaults();
        const double density = (const double[]){.7, .8, .85, .9, .94}[k];
        for (int i = 0; i < 3; i++)
            stage.velocity_gradient[i][i] = -1000;
        stage.until = SW_DEM_UNTIL_VOID_RATIO;
        stage.goal = 1 / density - 1;
        stage.max_steps = 10000000;
        sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 1, &stage);
        const sw_dem_rve *rve = dem_finish(dem);
        sw_dem_row row;
        sw_dem_last_row(dem, 0, &row);
        print_message("%.4f p %.4f R' %.4f f %.4f dt %g interval %d step %g pairs %ld contacts %g area %g plastic %g boundary %g\n", row.relative_density, row.pressure / strength,
                      rve->crowd[5].radius / radius, rve->crowd[5].covered, rve->state->time_step, rve->state->interval, rve->state->time_step*1000, (long)rve->state->n_pairs, row.contacts, row.contact_area, row.plastic_work, row.boundary_work);
        sw_dem_close(dem);
    }
    (void)body; (void)face;
    sw_dem_packing_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(debug)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
