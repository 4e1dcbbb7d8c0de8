/* What tests of `slipwave dem` share: jobs, their folder, and histories. */
#ifndef SW_TESTS_PROGRAMS_DEM_RUNS_H
#define SW_TESTS_PROGRAMS_DEM_RUNS_H

#include "programs.h"

#include "slipwave/dem.h"
#include "online/dem/element/rve.h"
#include "online/gpu/gpu.h"

#define DEM "slipwave dem -q "

/* A packing of 100 grains, and a short test of it. */
static const char packing_text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, roll_stiffness: 1.0, roll_strength: 0.2,\n"
    "           density: 2600}\n"
    "packing: {particles: 100, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},\n"
    "          pressure: 200.0e3, friction: 0.1, inertia_number: 3.0e-2}\n"
    "device: cpu\n"
    "output: {file: sand.h5, packings: [txt, vtkhdf]}\n";

static const char dem_text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, roll_stiffness: 1.0, roll_strength: 0.2,\n"
    "           density: 2600}\n"
    "packing: {file: sand-0000.txt, pressure: 200.0e3}\n"
    "rves: {variations: [{friction: 0.5}, {friction: 0.2}]}\n"
    "numerics: {control_interval: 10, servo_gain: 1.0}\n"
    "loading:\n"
    "  - {test: drained_triaxial, axis: 3, strain: 0.02, inertia_number: 2.0e-3}\n"
    "device: cpu\n"
    "output: {file: out.h5, contacts: yes}\n";

/* Two packings of its own, long enough to be stopped. */
static const char long_text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, roll_stiffness: 1.0, roll_strength: 0.2,\n"
    "           density: 2600}\n"
    "packing: {particles: 100, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},\n"
    "          pressure: 200.0e3, friction: 0.1, inertia_number: 3.0e-2, seed: 4}\n"
    "rves: {count: 2}\n"
    "numerics: {control_interval: 10, servo_gain: 1.0}\n"
    "loading:\n"
    "  - {test: drained_triaxial, strain: 0.04, inertia_number: 3.0e-3}\n"
    "  - {test: simple_shear, strain: 0.02, normal_stress: 200.0e3, inertia_number: 3.0e-3}\n"
    "device: cpu\n"
    "execution: {checkpoint: 0.1}\n"
    "output: {file: out.h5}\n";

static const char samples_text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, roll_stiffness: 1.0, roll_strength: 0.2,\n"
    "           density: 2600}\n"
    "packing: {particles: 100, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},\n"
    "          pressure: 200.0e3, friction: 0.3, inertia_number: 3.0e-2, most_steps: 60000}\n"
    "numerics: {control_interval: 10, servo_gain: 1.0}\n"
    "loading:\n"
    "  - {test: drained_triaxial, strain: 0.01, inertia_number: 1.0e-2}\n"
    "device: cpu\n"
    "output: {file: out.h5}\n"
    "samples: {control: strain_33, count: 6, last: 0.01, columns: [stress_ratio, volume_strain],\n"
    "          folder: results, on_failure: omit}\n";

/* The last one cannot be: so dense a packing of spheres does not exist. */
static const char table_text[] =
    "!OMP_NUM_THREADS description key mu e \n"
    " 8 sand_Iter0_Sample0         0     5.0000000000e-01     6.8000000000e-01 \n"
    " 8 sand_Iter0_Sample1         1     1.0000000000e-01     6.8000000000e-01 \n"
    " 8 sand_Iter0_Sample2         2     5.0000000000e-01     2.0000000000e-01 \n";

/* ---- Reading results ---- */

enum { QUANTITIES = (int)(sizeof(sw_dem_row) / sizeof(double)) };

static const struct {
    const char *name, *unit;
} quantities[] = {
#define QUANTITY(name, unit, meaning) {#name, unit},
    SW_DEM_ROW_LIST(QUANTITY)
#undef QUANTITY
};

/* A quantity of all elements: [*n_elements][*n], released with free(). */
static inline double *read_quantity(hid_t file, const char *name, int64_t *n_elements, int64_t *n)
{
    char path[96];
    int64_t shape[2];
    snprintf(path, sizeof path, "history/%s", name);
    CHECK_OK(sw_h5_shape(file, path, 2, shape));
    *n_elements = shape[0];
    *n = shape[1];
    return read_set(file, path, 2, shape);
}

/* ---- The folder ---- */

static inline int make_dem_folder(void **state)
{
    (void)state;
    result r;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    if (enter_folder() != 0)
        return 1;
    write_text("packing.yaml", packing_text);
    write_text("dem.yaml", dem_text);
    write_text("long.yaml", long_text);
    write_text("samples.yaml", samples_text);
    write_text("table.txt", table_text);
    run(DEM "packing.yaml", &r);
    if (r.status != 0)
        fprintf(stderr, "%s", r.err);
    return r.status;
}

#endif
