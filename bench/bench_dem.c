/* Speed of the discrete element method, as CSV for scripts/plot_dem_bench.py:
 * table,team,detection,images,elements,particles,steps,seconds,particle_steps_per_second,bytes_per_element
 *
 *     build/bench/bench_dem [--cpu] [TABLE...] > bench-dem.csv
 *     tables: teams batch elements particles skin shares cpu
 *
 * A dense packing of 2,000 quartz spheres (Lubbe et al. 2022, Table 2) at 200 kPa is made first; larger ones
 * are tiles of it. What is timed is drained triaxial compression at an inertia number of 1e-3 with servo,
 * records and Verlet lists, after as many steps to warm up: the whole call, copies to and from the GPU too.
 *
 * teams: 100 elements of 2,000 by every team, detection and kind of images. batch: 100 elements in batches of
 * 1 to 100 (section 11.1; a batch of one is timed once and counts 100 times). particles: one element of 2,000
 * to 1,024,000 (11.2). elements: 1 to 1,000 (11.3). shares: what the stages of `launches` take (Figs. 13,
 * 15). cpu: one thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "online/dem/backend/names.h"
#include "online/dem/launches/launches.h"
#include "online/gpu/gpu.h"

static const double pressure = 200e3, inertia_number = 1e-3;
static int on_cpu; /* device of all tables */
static sw_dem_packing base;

static void check(sw_status status, const char *what)
{
    if (status != SW_OK) {
        fprintf(stderr, "bench_dem: %s: %s\n", what, sw_error_message());
        exit(1);
    }
}

/* A dense packing of n particles by the ordinary way. */
static void make_base(int64_t n)
{
    const sw_dem_sizes sizes = {.kind = SW_DEM_UNIFORM, .least = 5e-5, .largest = 1.25e-4};
    sw_dem_packing_target target = sw_dem_packing_target_defaults();
    sw_dem_stage stage[SW_DEM_PACKING_STAGES];
    sw_dem_options options = sw_dem_defaults();
    int n_stages;
    sw_dem_packing loose;
    sw_dem *dem;
    check(sw_dem_pack_loose(n, &sizes, 1, 0.3, &loose), "loose packing");
    target.packing_friction = 0.1;
    check(sw_dem_packing_stages(&target, sw_dem_quartz().density, sw_dem_packing_mean_radius(&loose), stage,
                                &n_stages),
          "stages");
    const sw_dem_sample sample = {.packing = loose,
                                  .material = sw_dem_quartz(),
                                  .numerics = sw_dem_numerics_defaults(),
                                  .n_stages = n_stages,
                                  .stage = stage};
    options.cuda = !on_cpu;
    const double start = sw_seconds();
    check(sw_dem_open(&options, 1, &sample, &dem), "open");
    check(sw_dem_run(dem, NULL, NULL), "run");
    check(sw_dem_failure(dem, 0), "packing");
    check(sw_dem_get_packing(dem, 0, &base), "packing");
    const int64_t steps = sw_dem_get(dem, 0)->state->step;
    fprintf(stderr, "packing of %lld: void ratio %.4f, %lld steps, %.1f s; %s\n", (long long)n,
            sw_dem_packing_void_ratio(&base), (long long)steps, sw_seconds() - start, sw_dem_describe(dem));
    sw_dem_close(dem);
    sw_dem_packing_free(&loose);
}

/* m^3 of the base beside each other. */
static sw_dem_packing tiled(int m)
{
    const int64_t n = base.n_particles, all = n * m * m * m;
    sw_dem_packing p = {.n_particles = all,
                        .position = malloc((size_t)all * sizeof *p.position),
                        .radius = malloc((size_t)all * sizeof *p.radius),
                        .velocity = malloc((size_t)all * sizeof *p.velocity),
                        .spin = malloc((size_t)all * sizeof *p.spin)};
    for (int i = 0; i < 9; i++)
        p.cell[i / 3][i % 3] = m * base.cell[i / 3][i % 3];
    for (int64_t i = 0; i < all; i++) {
        const int64_t tile = i / n, own = i % n, at[3] = {tile % m, tile / m % m, tile / m / m};
        p.radius[i] = base.radius[own];
        memcpy(p.velocity[i], base.velocity[own], sizeof p.velocity[i]);
        memcpy(p.spin[i], base.spin[own], sizeof p.spin[i]);
        for (int k = 0; k < 3; k++) {
            p.position[i][k] = base.position[own][k];
            for (int j = 0; j < 3; j++)
                p.position[i][k] += (double)at[j] * base.cell[k][j];
        }
    }
    return p;
}

static sw_dem_stage triaxial(double mean_radius, int64_t steps)
{
    sw_dem_stage stage = sw_dem_stage_defaults();
    const double rate = inertia_number * sqrt(pressure / sw_dem_quartz().density) / (2 * mean_radius);
    for (int k = 0; k < 2; k++) {
        stage.stress_driven[k] = 1;
        stage.stress[k] = pressure;
    }
    stage.max_rate = 10 * rate;
    stage.velocity_gradient[2][2] = -rate;
    stage.until = SW_DEM_UNTIL_STEPS;
    stage.goal = (double)steps;
    return stage;
}

typedef struct {
    const char *table;
    sw_dem_options options;
    int64_t elements;
    int tiles;
    double skin;
    int64_t steps;  /* timed */
    int64_t counts; /* elements that it stands for */
} timing;

/* One line; particle-steps/s. seconds_of_stages: of `launches`, or NULL; timing them slows the run down. */
static double time_one(const timing *t, double seconds_of_stages[SW_DEM_LAUNCH_STAGES])
{
    sw_dem_packing packing = tiled(t->tiles);
    sw_dem_stage stage = triaxial(sw_dem_packing_mean_radius(&packing), t->steps);
    sw_dem_sample *sample = malloc((size_t)t->elements * sizeof *sample);
    sw_dem *dem;
    for (int64_t r = 0; r < t->elements; r++) {
        sample[r] = (sw_dem_sample){.packing = packing,
                                    .material = sw_dem_quartz(),
                                    .numerics = sw_dem_numerics_defaults(),
                                    .n_stages = 1,
                                    .stage = &stage};
        sample[r].numerics.record_interval = 1000;
        if (t->skin > 0)
            sample[r].numerics.skin = t->skin;
    }
    check(sw_dem_open(&t->options, t->elements, sample, &dem), "open");
    const int64_t bytes = sw_dem_get(dem, 0)->bytes;
    check(sw_dem_run(dem, NULL, NULL), "warm up");
    for (int64_t r = 0; r < t->elements; r++)
        check(sw_dem_add_stage(dem, r, &stage), "stage");
    const double start = sw_seconds();
    if (seconds_of_stages != NULL)
        check(sw_dem_launches_profile(dem, seconds_of_stages), "profile");
    else
        check(sw_dem_run(dem, NULL, NULL), "run");
    const double seconds = (sw_seconds() - start) * (double)t->counts / (double)t->elements;
    for (int64_t r = 0; r < t->elements; r++)
        check(sw_dem_failure(dem, r), "element");
    const double rate = (double)t->counts * (double)packing.n_particles * (double)t->steps / seconds;
    printf("%s,%s,%s,%s,%lld,%lld,%lld,%.6g,%.6g,%lld\n", t->table,
           t->options.cuda ? sw_dem_teams[t->options.team] : "thread",
           sw_dem_detections[t->options.detection], sw_dem_image_names[t->options.images],
           (long long)t->elements, (long long)packing.n_particles, (long long)t->steps, seconds, rate,
           (long long)bytes);
    fflush(stdout);
    sw_dem_close(dem);
    sw_dem_packing_free(&packing);
    free(sample);
    return rate;
}

static sw_dem_options with(sw_dem_team team, sw_dem_detection detection, sw_dem_images images)
{
    return (sw_dem_options){.cuda = !on_cpu, .team = team, .detection = detection, .images = images};
}

static void teams(void)
{
    static const struct {
        sw_dem_team team;
        sw_dem_detection detection;
        sw_dem_images images;
        int64_t steps;
    } all[] = {{SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST, 10000},
               {SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_BOUNDARY_PARTICLES, 5000},
               {SW_DEM_CLUSTER, SW_DEM_GRID, SW_DEM_NEAREST, 5000},
               {SW_DEM_LAUNCHES, SW_DEM_GRID, SW_DEM_NEAREST, 5000},
               {SW_DEM_LAUNCHES, SW_DEM_HASH, SW_DEM_NEAREST, 5000},
               {SW_DEM_LAUNCHES, SW_DEM_BVH, SW_DEM_NEAREST, 5000},
               {SW_DEM_LAUNCHES, SW_DEM_HASH, SW_DEM_BOUNDARY_PARTICLES, 5000}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        time_one(&(timing){"teams", with(all[k].team, all[k].detection, all[k].images), 100, 1, 0,
                           all[k].steps, 100},
                 NULL);
}

static void batch(void)
{
    static const int64_t sizes[] = {1, 2, 5, 10, 20, 50, 100};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        time_one(
            &(timing){"batch", with(SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST), sizes[k], 1, 0, 5000, 100},
            NULL);
}

static void elements(void)
{
    static const int64_t counts[] = {1, 25, 50, 100, 132, 200, 264, 300, 400, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        time_one(&(timing){"elements", with(SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST), counts[k], 1, 0, 5000,
                           counts[k]},
                 NULL);
}

static void particles(void)
{
    for (int tiles = 1; tiles <= 8; tiles++) {
        const sw_dem_team all[] = {SW_DEM_BLOCK, SW_DEM_CLUSTER, SW_DEM_DEVICE, SW_DEM_LAUNCHES};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            if ((all[k] == SW_DEM_BLOCK && tiles > 2) || (all[k] == SW_DEM_CLUSTER && tiles > 4))
                continue;
            time_one(
                &(timing){"particles",
                          with(all[k], all[k] == SW_DEM_LAUNCHES ? SW_DEM_HASH : SW_DEM_GRID, SW_DEM_NEAREST),
                          1, tiles, 0, 1000, 1},
                NULL);
        }
    }
}

static void skin(void)
{
    static const double skins[] = {0.02, 0.05, 0.1, 0.2, 0.4};
    for (size_t k = 0; k < sizeof skins / sizeof skins[0]; k++) {
        fprintf(stderr, "skin %g\n", skins[k]);
        time_one(&(timing){"skin", with(on_cpu ? SW_DEM_AUTO : SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST),
                           on_cpu ? 1 : 100, 1, skins[k], 5000, on_cpu ? 1 : 100},
                 NULL);
    }
}

static void shares(void)
{
    static const char *const names[SW_DEM_LAUNCH_STAGES] = {
        [SW_DEM_LAUNCH_SERVO] = "servo",         [SW_DEM_LAUNCH_BOUNDARY] = "boundary_particles",
        [SW_DEM_LAUNCH_DETECTION] = "detection", [SW_DEM_LAUNCH_FORCES] = "forces",
        [SW_DEM_LAUNCH_AVERAGING] = "averaging", [SW_DEM_LAUNCH_MOTION] = "motion",
        [SW_DEM_LAUNCH_COPIES] = "copies",
    };
    static const int64_t counts[] = {1, 100, 400};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        double seconds[SW_DEM_LAUNCH_STAGES] = {0};
        time_one(&(timing){"shares", with(SW_DEM_LAUNCHES, SW_DEM_HASH, SW_DEM_BOUNDARY_PARTICLES), counts[k],
                           1, 0, 2000, counts[k]},
                 seconds);
        for (int s = 0; s < SW_DEM_LAUNCH_STAGES; s++)
            printf("shares/%s,launches,hash,boundary_particles,%lld,%lld,2000,%.6g,,\n", names[s],
                   (long long)counts[k], (long long)base.n_particles, seconds[s]);
    }
}

static void cpu(void)
{
    const int before = on_cpu;
    on_cpu = 1;
    time_one(&(timing){"cpu", with(SW_DEM_AUTO, SW_DEM_GRID, SW_DEM_NEAREST), 1, 1, 0, 2000, 1}, NULL);
    time_one(&(timing){"cpu", with(SW_DEM_AUTO, SW_DEM_GRID, SW_DEM_BOUNDARY_PARTICLES), 1, 1, 0, 2000, 1},
             NULL);
    on_cpu = before;
}

static const struct {
    const char *name;
    void (*run)(void);
    int needs_gpu;
} tables[] = {{"teams", teams, 1},
              {"batch", batch, 1},
              {"elements", elements, 1},
              {"particles", particles, 1},
              {"skin", skin, 0},
              {"shares", shares, 1},
              {"cpu", cpu, 0}};

int main(int argc, char **argv)
{
    int asked = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--cpu") == 0)
            on_cpu = 1;
        else
            asked = 1;
    if (!on_cpu && sw_gpu_use(NULL) != SW_OK) {
        fprintf(stderr, "bench_dem: %s; CPU tables only\n", sw_error_message());
        on_cpu = 1;
    }
    make_base(2000);
    printf("table,team,detection,images,elements,particles,steps,seconds,particle_steps_per_second,"
           "bytes_per_element\n");
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        int wanted = !asked;
        for (int i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], tables[t].name) == 0;
        if (wanted && !(on_cpu && tables[t].needs_gpu))
            tables[t].run();
    }
    sw_dem_packing_free(&base);
    return 0;
}
