/* Speed of the discrete element method, as CSV for slipwave-plot bench-dem:
 * table,team,detection,images,elements,particles,steps,seconds,particle_steps_per_second,bytes_per_element
 *
 *     build/bench/bench_dem [--cpu] [--small] [TABLE...] > bench-dem.csv
 *     tables: teams batch elements particles skin shares cpu section11
 *
 * A dense packing of 2,000 quartz spheres (Lubbe et al. 2022, Table 2) at 200 kPa is made first; larger ones
 * are tiles of it. What is timed is drained triaxial compression at an inertia number of 1e-3 with servo,
 * records and Verlet lists, after as many steps to warm up: the whole call, copies to and from the GPU too.
 *
 * teams: 100 elements of 2,000 by every team, detection and kind of images. batch: 100 elements in batches of
 * 1 to 100 (section 11.1; a batch of one is timed once and counts 100 times). particles: one element of 2,000
 * to 1,024,000 (11.2). elements: 1 to 1,000 (11.3). shares: what the stages of `launches` take (Figs. 13,
 * 15). cpu: one thread.
 *
 * section11: that section's benchmark, by its algorithm: equal spheres of 0.15 mm with the parameters of its Table 1,
 * in isotropic compression at a given rate, `launches` with boundary particles. section11_batches: 100 elements of
 * 2,000 in batches (Fig. 11). section11_particles: one element (Fig. 12), section11_elements: many of 2,000 (Fig.
 * 14), by grid (hash) and by hierarchy (bvh), bytes_per_element with what detection needs. ..._stages: the same with
 * the stages timed (Figs. 13, 15), rows ..._stages/STAGE their seconds, and ..._stages/lists, under `steps`, how many
 * lists were made. The paper gives the time step (1.51e-8 s) and a rate that is read as a strain of 2.86e-7 a step;
 * it gives neither the packing it began with nor how many steps were made. Here it is one at rest at 100 kPa.
 *
 * --small: 500 particles, a twentieth of the steps and few elements (as on the CPU), to see that the program works. On the CPU
 * (--cpu) teams are threads, and neighbours are found by the element's own grid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "online/dem/backend/names.h"
#include "online/dem/backend/teams.h"
#if defined SW_HAVE_CUDA && defined SW_HAVE_PAPERS
#include "online/dem/launches/launches.h"
#define WITH_LAUNCHES
#endif
#include "online/gpu/gpu.h"

static const double pressure = 200e3, inertia_number = 1e-3;
static int on_cpu; /* device of all tables */
static int small;

/* What is timed: a packing, what it is made of, and how it is loaded for so many steps. */
typedef struct {
    sw_dem_packing base;
    sw_dem_material material;
    sw_dem_numerics numerics;
    sw_dem_stage (*load)(double mean_radius, int64_t steps);
} subject;
static subject sheared, compressed;

static void check(sw_status status, const char *what)
{
    if (status != SW_OK) {
        fprintf(stderr, "bench_dem: %s: %s\n", what, sw_error_message());
        exit(1);
    }
}

/* A dense packing of n particles by the ordinary way, at rest at a pressure. */
static void make_base(subject *of, int64_t n, const sw_dem_sizes *sizes, double at_pressure, double friction)
{
    sw_dem_packing_target target = sw_dem_packing_target_defaults();
    sw_dem_stage stage[SW_DEM_PACKING_STAGES];
    sw_dem_options options = sw_dem_defaults();
    int n_stages;
    sw_dem_packing loose;
    sw_dem *dem;
    check(sw_dem_pack_loose(n, sizes, 1, 0.3, &loose), "loose packing");
    target.pressure = at_pressure;
    target.packing_friction = friction;
    check(sw_dem_packing_stages(&target, of->material.density, sw_dem_packing_mean_radius(&loose), stage,
                                &n_stages),
          "stages");
    const sw_dem_sample sample = {.packing = loose,
                                  .material = of->material,
                                  .numerics = sw_dem_numerics_defaults(),
                                  .n_stages = n_stages,
                                  .stage = stage};
    options.cuda = !on_cpu;
    const double start = sw_seconds();
    check(sw_dem_open(&options, 1, &sample, &dem), "open");
    check(sw_dem_run(dem, NULL, NULL), "run");
    check(sw_dem_failure(dem, 0), "packing");
    check(sw_dem_get_packing(dem, 0, &of->base), "packing");
    const int64_t steps = sw_dem_get(dem, 0)->state->step;
    fprintf(stderr, "packing of %lld: void ratio %.4f, %lld steps, %.1f s; %s\n", (long long)n,
            sw_dem_packing_void_ratio(&of->base), (long long)steps, sw_seconds() - start,
            sw_dem_describe(dem));
    sw_dem_close(dem);
    sw_dem_packing_free(&loose);
}

/* m^3 of a packing beside each other. */
static sw_dem_packing tiled(const sw_dem_packing *base, int m)
{
    const int64_t n = base->n_particles, all = n * m * m * m;
    sw_dem_packing p = {.n_particles = all,
                        .position = malloc((size_t)all * sizeof *p.position),
                        .radius = malloc((size_t)all * sizeof *p.radius),
                        .velocity = malloc((size_t)all * sizeof *p.velocity),
                        .spin = malloc((size_t)all * sizeof *p.spin)};
    for (int i = 0; i < 9; i++)
        p.cell[i / 3][i % 3] = m * base->cell[i / 3][i % 3];
    for (int64_t i = 0; i < all; i++) {
        const int64_t tile = i / n, own = i % n, at[3] = {tile % m, tile / m % m, tile / m / m};
        p.radius[i] = base->radius[own];
        memcpy(p.velocity[i], base->velocity[own], sizeof p.velocity[i]);
        memcpy(p.spin[i], base->spin[own], sizeof p.spin[i]);
        for (int k = 0; k < 3; k++) {
            p.position[i][k] = base->position[own][k];
            for (int j = 0; j < 3; j++)
                p.position[i][k] += (double)at[j] * base->cell[k][j];
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

/* Section 11: the same strain along three axes in each step. */
static const double section11_step = 1.51e-8, section11_strain = 2.86e-7;

static sw_dem_stage isotropic(double mean_radius, int64_t steps)
{
    sw_dem_stage stage = sw_dem_stage_defaults();
    (void)mean_radius;
    for (int k = 0; k < 3; k++)
        stage.velocity_gradient[k][k] = -section11_strain / section11_step;
    stage.until = SW_DEM_UNTIL_STEPS;
    stage.goal = (double)steps;
    return stage;
}

/* Dense quartz of Table 2, as make_base packs it. */
static void make_sheared(void)
{
    const sw_dem_sizes sizes = {.kind = SW_DEM_UNIFORM, .least = 5e-5, .largest = 1.25e-4};
    sheared =
        (subject){.material = sw_dem_quartz(), .numerics = sw_dem_numerics_defaults(), .load = triaxial};
    make_base(&sheared, small ? 500 : 2000, &sizes, pressure, 0.1);
}

/* Equal spheres of Table 1. */
static void make_compressed(void)
{
    const sw_dem_sizes sizes = {.kind = SW_DEM_MONODISPERSE, .radius = 7.5e-5};
    compressed =
        (subject){.material = sw_dem_quartz(), .numerics = sw_dem_numerics_defaults(), .load = isotropic};
    sw_dem_material *m = &compressed.material;
    m->young = 8e9;
    m->poisson = 0.5;
    m->friction = tan(25 * 3.14159265358979323846 / 180);
    m->roll_stiffness = m->twist_stiffness = 2;
    m->roll_strength = m->twist_strength = 0.2;
    make_base(&compressed, small ? 500 : 2000, &sizes, 100e3, 0.1);
    compressed.numerics.step_rule = SW_DEM_STEP_FIXED;
    compressed.numerics.step = section11_step;
}

typedef struct {
    const char *table;
    sw_dem_options options;
    int64_t elements;
    int tiles;
    double skin;
    int64_t steps;  /* timed */
    int64_t counts; /* elements that it stands for */
    const subject *of;
} timing;

/* One line; particle-steps/s. seconds_of_stages: of `launches`, or NULL; timing them slows the run down. lists: made
 * by the first element in the time; may be NULL. */
static double time_one(const timing *t, double *seconds_of_stages, int64_t *lists)
{
    sw_dem_row before, after;
    const subject *of = t->of;
    const int64_t steps = small ? t->steps / 20 : t->steps;
    sw_dem_packing packing = tiled(&of->base, t->tiles);
    sw_dem_stage stage = of->load(sw_dem_packing_mean_radius(&packing), steps);
    sw_dem_sample *sample = malloc((size_t)t->elements * sizeof *sample);
    sw_dem *dem;
    if (t->options.team == SW_DEM_LAUNCHES && !SW_HAS_PAPERS)
        return 0;
    for (int64_t r = 0; r < t->elements; r++) {
        sample[r] = (sw_dem_sample){.packing = packing,
                                    .material = of->material,
                                    .numerics = of->numerics,
                                    .n_stages = 1,
                                    .stage = &stage};
        sample[r].numerics.record_interval = 1000;
        if (t->skin > 0)
            sample[r].numerics.skin = t->skin;
    }
    check(sw_dem_open(&t->options, t->elements, sample, &dem), "open");
    check(sw_dem_run(dem, NULL, NULL), "warm up");
    sw_dem_last_row(dem, 0, &before);
    for (int64_t r = 0; r < t->elements; r++)
        check(sw_dem_add_stage(dem, r, &stage), "stage");
    int64_t bytes = sw_dem_get(dem, 0)->bytes;
    const double start = sw_seconds();
#ifdef WITH_LAUNCHES
    if (seconds_of_stages != NULL)
        check(sw_dem_launches_profile(dem, seconds_of_stages), "profile");
    if (of == &compressed && t->options.cuda && t->options.team == SW_DEM_LAUNCHES)
        bytes = (int64_t)(sw_dem_launches_bytes(dem) / (double)t->elements);
#endif
    if (seconds_of_stages == NULL)
        check(sw_dem_run(dem, NULL, NULL), "run");
    const double seconds = (sw_seconds() - start) * (double)t->counts / (double)t->elements;
    for (int64_t r = 0; r < t->elements; r++)
        check(sw_dem_failure(dem, r), "element");
    sw_dem_last_row(dem, 0, &after);
    if (lists != NULL)
        *lists = (int64_t)(after.rebuilds - before.rebuilds);
    const double rate = (double)t->counts * (double)packing.n_particles * (double)steps / seconds;
    printf("%s,%s,%s,%s,%lld,%lld,%lld,%.6g,%.6g,%lld\n", t->table,
           t->options.cuda ? sw_dem_teams[t->options.team] : "thread",
           sw_dem_detections[t->options.detection], sw_dem_image_names[t->options.images],
           (long long)t->elements, (long long)packing.n_particles, (long long)steps, seconds, rate,
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
                           all[k].steps, 100, &sheared},
                 NULL, NULL);
}

static void batch(void)
{
    static const int64_t sizes[] = {1, 2, 5, 10, 20, 50, 100};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        time_one(&(timing){"batch", with(SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST), sizes[k], 1, 0, 5000,
                           100, &sheared},
                 NULL, NULL);
}

static void elements(void)
{
    static const int64_t counts[] = {1, 25, 50, 100, 132, 200, 264, 300, 400, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        time_one(&(timing){"elements", with(SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST), counts[k], 1, 0, 5000,
                           counts[k], &sheared},
                 NULL, NULL);
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
                          1, tiles, 0, 1000, 1, &sheared},
                NULL, NULL);
        }
    }
}

static void skin(void)
{
    static const double skins[] = {0.02, 0.05, 0.1, 0.2, 0.4};
    for (size_t k = 0; k < sizeof skins / sizeof skins[0]; k++) {
        fprintf(stderr, "skin %g\n", skins[k]);
        time_one(&(timing){"skin", with(on_cpu ? SW_DEM_AUTO : SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST),
                           on_cpu ? 1 : 100, 1, skins[k], 5000, on_cpu ? 1 : 100, &sheared},
                 NULL, NULL);
    }
}

#ifdef WITH_LAUNCHES
/* What the stages of `launches` take, and how many lists were made: rows TABLE/STAGE after the run's own. */
static void time_stages(const timing *t)
{
    static const char *const names[SW_DEM_LAUNCH_STAGES] = {
        [SW_DEM_LAUNCH_SERVO] = "servo",         [SW_DEM_LAUNCH_BOUNDARY] = "boundary_particles",
        [SW_DEM_LAUNCH_DETECTION] = "detection", [SW_DEM_LAUNCH_FORCES] = "forces",
        [SW_DEM_LAUNCH_AVERAGING] = "averaging", [SW_DEM_LAUNCH_MOTION] = "motion",
        [SW_DEM_LAUNCH_COPIES] = "copies",
    };
    const subject *of = t->of;
    const int64_t particles = of->base.n_particles * t->tiles * t->tiles * t->tiles;
    const int64_t steps = small ? t->steps / 20 : t->steps;
    double seconds[SW_DEM_LAUNCH_STAGES] = {0};
    int64_t lists;
    time_one(t, seconds, &lists);
    for (int s = 0; s < SW_DEM_LAUNCH_STAGES; s++)
        printf("%s/%s,launches,%s,boundary_particles,%lld,%lld,%lld,%.6g,,\n", t->table, names[s],
               sw_dem_detections[t->options.detection], (long long)t->elements, (long long)particles,
               (long long)steps, seconds[s]);
    printf("%s/lists,launches,%s,boundary_particles,%lld,%lld,%lld,,,\n", t->table,
           sw_dem_detections[t->options.detection], (long long)t->elements, (long long)particles,
           (long long)lists);
}

#else
static void time_stages(const timing *t) { (void)t; }
#endif

static void shares(void)
{
    static const int64_t counts[] = {1, 100, 400};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        time_stages(&(timing){"shares", with(SW_DEM_LAUNCHES, SW_DEM_HASH, SW_DEM_BOUNDARY_PARTICLES),
                              counts[k], 1, 0, 2000, counts[k], &sheared});
}

/* ---- Section 11 ---- */

/* The paper's algorithm; on the CPU threads, which find neighbours by the element's own grid. */
static sw_dem_options section11_with(sw_dem_detection detection)
{
    return with(on_cpu ? SW_DEM_AUTO : SW_DEM_LAUNCHES, on_cpu ? SW_DEM_GRID : detection,
                SW_DEM_BOUNDARY_PARTICLES);
}

/* By grid and by hierarchy, and by either again with the stages timed. */
static void by_both(const char *table, const char *stages, int64_t elements, int tiles)
{
    const sw_dem_detection detections[] = {SW_DEM_HASH, SW_DEM_BVH};
    for (int k = 0; k < (on_cpu ? 1 : 2); k++) {
        timing t = {table, section11_with(detections[k]), elements, tiles, 0, 1000, elements, &compressed};
        time_one(&t, NULL, NULL);
        t.table = stages;
        if (!on_cpu)
            time_stages(&t);
    }
}

static void section11(void)
{
    static const int64_t batches[] = {1, 10, 20, 50, 100}, counts[] = {1, 100, 200, 300, 400};
    const int few = small || on_cpu;
    for (int k = 0; k < (few ? 2 : 5); k++)
        time_one(&(timing){"section11_batches", section11_with(SW_DEM_HASH), batches[k], 1, 0, 2000, 100,
                           &compressed},
                 NULL, NULL);
    for (int tiles = 1; tiles <= (few ? 2 : 4); tiles++)
        by_both("section11_particles", "section11_particles_stages", 1, tiles);
    for (int k = 0; k < (few ? 1 : 5); k++)
        by_both("section11_elements", "section11_elements_stages", counts[k], 1);
}

static void cpu(void)
{
    const int before = on_cpu;
    on_cpu = 1;
    time_one(&(timing){"cpu", with(SW_DEM_AUTO, SW_DEM_GRID, SW_DEM_NEAREST), 1, 1, 0, 2000, 1, &sheared},
             NULL, NULL);
    time_one(&(timing){"cpu", with(SW_DEM_AUTO, SW_DEM_GRID, SW_DEM_BOUNDARY_PARTICLES), 1, 1, 0, 2000, 1,
                       &sheared},
             NULL, NULL);
    on_cpu = before;
}

static const struct {
    const char *name;
    void (*run)(void);
    int needs_gpu;
    subject *of;
} tables[] = {{"teams", teams, 1, &sheared},       {"batch", batch, 1, &sheared},
              {"elements", elements, 1, &sheared}, {"particles", particles, 1, &sheared},
              {"skin", skin, 0, &sheared},         {"shares", shares, 1, &sheared},
              {"cpu", cpu, 0, &sheared},           {"section11", section11, 0, &compressed}};

/* The packing of a table, the first time that it is wanted. */
static void prepare(const subject *of)
{
    if (of->base.n_particles > 0)
        return;
    if (of == &sheared)
        make_sheared();
    else
        make_compressed();
}

int main(int argc, char **argv)
{
    int asked = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--cpu") == 0)
            on_cpu = 1;
        else if (strcmp(argv[i], "--small") == 0)
            small = 1;
        else
            asked = 1;
    if (!on_cpu && sw_gpu_use(NULL) != SW_OK) {
        fprintf(stderr, "bench_dem: %s; CPU tables only\n", sw_error_message());
        on_cpu = 1;
    }
    printf("table,team,detection,images,elements,particles,steps,seconds,particle_steps_per_second,"
           "bytes_per_element\n");
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        int wanted = !asked;
        for (int i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], tables[t].name) == 0;
        if (!wanted || (on_cpu && tables[t].needs_gpu))
            continue;
        prepare(tables[t].of);
        tables[t].run();
    }
    sw_dem_packing_free(&sheared.base);
    sw_dem_packing_free(&compressed.base);
    return 0;
}
