/* What tests of job files of `slipwave dem` share: a folder with jobs, a table of samples and a path. */
#ifndef SW_TESTS_ONLINE_DEM_JOB_TEXTS_H
#define SW_TESTS_ONLINE_DEM_JOB_TEXTS_H

#include "tests/job_files.h"

#include <dirent.h>

#include "common/files/text.h"
#include "common/math/rotation.h"
#include "online/dem/job/job.h"
#include "online/dem/job/quantities.h"
#include "online/dem/output/sample_files.h"

static char table_path[PATH_MAX + 32], path_path[PATH_MAX + 32], packing_path[PATH_MAX + 32];

static const char full[] =
    "material:\n"                                                                          /* 1 */
    "  law: hertz_mindlin\n"                                                               /* 2 */
    "  moment_radius: product\n"                                                           /* 3 */
    "  young: 7.0e10\n"                                                                    /* 4 */
    "  poisson: 0.2\n"                                                                     /* 5 */
    "  friction_angle: 30\n"                                                               /* 6 */
    "  roll_stiffness: 1.5\n"                                                              /* 7 */
    "  twist_stiffness: 1.25\n"                                                            /* 8 */
    "  roll_strength: 0.5\n"                                                               /* 9 */
    "  twist_strength: 0.25\n"                                                             /* 10 */
    "  density: 2500\n"                                                                    /* 11 */
    "packing:\n"                                                                           /* 12 */
    "  particles: 64\n"                                                                    /* 13 */
    "  radii: {distribution: uniform, least: 1.0e-4, largest: 2.0e-4}\n"                   /* 14 */
    "  seed: 7\n"                                                                          /* 15 */
    "  void_ratio: 0.7\n"                                                                  /* 16 */
    "  pressure: 100.0e3\n"                                                                /* 17 */
    "  friction: 0.3\n"                                                                    /* 18 */
    "  inertia_number: 5.0e-3\n"                                                           /* 19 */
    "  friction_decay: 0.1\n"                                                              /* 20 */
    "  stress_tolerance: 0.02\n"                                                           /* 21 */
    "  unbalanced_force: 0.03\n"                                                           /* 22 */
    "  most_steps: 1000000\n"                                                              /* 23 */
    "  record: yes\n"                                                                      /* 24 */
    "rves: {count: 2}\n"                                                                   /* 25 */
    "numerics:\n"                                                                          /* 26 */
    "  damping_form: cundall\n"                                                            /* 27 */
    "  damping: 0.3\n"                                                                     /* 28 */
    "  step_rule: wave\n"                                                                  /* 29 */
    "  step: 0.4\n"                                                                        /* 30 */
    "  skin: 0.2\n"                                                                        /* 31 */
    "  control_interval: 10\n"                                                             /* 32 */
    "  record_interval: 50\n"                                                              /* 33 */
    "  servo_gain: 0.1\n"                                                                  /* 34 */
    "  inertia_number: 2.0e-3\n"                                                           /* 35 */
    "loading:\n"                                                                           /* 36 */
    "  - {test: isotropic, pressure: 2.0e5, ramp: 1.0e-4, unbalanced_force: 0.05}\n"       /* 37 */
    "  - {test: drained_triaxial, axis: 1, strain: -0.1, strain_rate: 5, servo_rate: 9,\n" /* 38 */
    "     friction: 0.4, most_steps: 12345, record: no, wait_for_rest: yes}\n"             /* 39 */
    "device: cpu\n"                                                                        /* 40 */
    "execution:\n"                                                                         /* 41 */
    "  team: thread\n"                                                                     /* 42 */
    "  detection: grid\n"                                                                  /* 43 */
    "  images: boundary_particles\n"                                                       /* 44 */
    "  memory: 1.0e9\n"                                                                    /* 45 */
    "  checkpoint: 7\n"                                                                    /* 46 */
    "output:\n"                                                                            /* 47 */
    "  file: out.h5\n"                                                                     /* 48 */
    "  packings: [txt, vtkhdf]\n"                                                          /* 49 */
    "  contacts: yes\n"                                                                    /* 50 */
    "samples: {control: strain_11, values: [0, -0.01, -0.05],\n"                           /* 51 */
    "          columns: [stress_ratio, void_ratio], on_failure: zeros, folder: .}\n";      /* 52 */

static const char least[] = "material: {young: 1.0e9, poisson: 0.5, friction: 0.5, density: 2600}\n"  /* 1 */
                            "packing: {particles: 100, radii: {distribution: monodisperse,\n"         /* 2 */
                            "                                  radius: 1.0e-4}, pressure: 260.0e3}\n" /* 3 */
                            "loading:\n"                                                              /* 4 */
                            "  - {test: drained_triaxial, strain: 0.1}\n"                             /* 5 */
                            "device: cpu\n"                                                           /* 6 */
                            "output: {file: out.h5}\n";                                               /* 7 */

static const char sampled[] =
    "material: {young: 1.0e9, poisson: 0.5, friction: 0.5, density: 2600, roll_stiffness: 1}\n" /* 1 */
    "packing: {particles: 100, radii: {distribution: monodisperse,\n"                           /* 2 */
    "                                  radius: 1.0e-4}, pressure: 260.0e3}\n"                   /* 3 */
    "loading: [{test: drained_triaxial, strain: 0.1}]\n"                                        /* 4 */
    "device: cpu\n"                                                                             /* 5 */
    "output: {file: out.h5}\n"                                                                  /* 6 */
    "samples:\n"                                                                                /* 7 */
    "  table: samples.txt\n"                                                                    /* 8 */
    "  control: strain_33\n"                                                                    /* 9 */
    "  count: 5\n"                                                                              /* 10 */
    "  last: 0.08\n"                                                                            /* 11 */
    "  columns: [stress_ratio, volume_strain]\n"                                                /* 12 */
    "rves: {count: 2}\n";                                                                       /* 13 */

static const char samples[] = "!OMP_NUM_THREADS description key E phi alpha_roll seed \n"
                              " 8 sand_Iter0_Sample0         0     2.0000000000e+09     3.0000000000e+01     "
                              "1.5000000000e-01     3.0000000000e+00 \n"
                              " 8 sand_Iter0_Sample1         1     3.0000000000e+09     2.0000000000e+01     "
                              "0.0000000000e+00     1.1000000000e+01 \n";

static const char path_text[] = "# time stress_11, stress_22\tstrain_rate_33\n"
                                "\n"
                                "0      2.0e5      1.0e5      0\n"
                                "# a comment\n"
                                "1.0e-3 3.0e5      1.0e5      -5\n"
                                "3.0e-3 3.0e5      2.0e5      10\n";

/* ---- The folder ---- */

static inline int make_dem_folder(void **state)
{
    if (make_job_folder(state))
        return 1;
    snprintf(table_path, sizeof table_path, "%s/samples.txt", folder);
    snprintf(path_path, sizeof path_path, "%s/path.txt", folder);
    snprintf(packing_path, sizeof packing_path, "%s/packing.txt", folder);
    write_text(table_path, samples);
    write_text(path_path, path_text);
    double position[2][3] = {{1e-4, 1e-4, 1e-4}, {4e-4, 4e-4, 4e-4}}, radius[2] = {1e-4, 2e-4};
    const sw_dem_packing packing = {.n_particles = 2,
                                    .cell = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}},
                                    .position = position,
                                    .radius = radius};
    return sw_dem_packing_write(packing_path, &packing, 0, NULL) != SW_OK;
}

static inline int remove_dem_folder(void **state)
{
    return unlink(table_path) | unlink(path_path) | unlink(packing_path) | remove_job_folder(state);
}

#define NO_OPTIONS 0, NULL

static const char *const a_test = "{test: drained_triaxial, strain: 0.1}";

#endif
