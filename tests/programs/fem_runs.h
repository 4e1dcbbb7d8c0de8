/* What tests of `slipwave fem` share: jobs of a cube and a beam, and their folder. */
#ifndef SW_TESTS_PROGRAMS_FEM_RUNS_H
#define SW_TESTS_PROGRAMS_FEM_RUNS_H

#include "programs.h"

#include "common/system/memory.h"
#include "online/gpu/gpu.h"

#define FEM "slipwave fem -q "

/* Uniaxial tension, beyond the yield stress in the last third: Kiran 2023, section 3.2.1.1. */
static const char cube_text[] =
    "mesh: {body: box, cells: [2, 2, 2]}\n"
    "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 450.0e6, hardening: {law: linear, modulus: "
    "66.0e9}}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}]\n"
    "loads: [{surface: z_max, traction: [0, 0, 600.0e6]}]\n"
    "steps: [{factor: 1.0, increments: 3}]\n"
    "device: cpu\n"
    "solver: {preconditioner: block_jacobi}\n"
    "output: {file: out.h5, fields: [all]}\n";
enum { INCREMENTS = 3, ITERATIONS = 64 };

/* A bar that bends, in so many increments that there is time to stop it. */
static const char beam_text[] =
    "mesh: {body: cantilever, cells: [24, 4, 4], size: [0.3, 0.04, 0.04]}\n"
    "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 250.0e6, hardening: {law: linear, modulus: "
    "20.0e9}}]\n"
    "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}]\n"
    "loads: [{surface: x_max, force: [0, -17000.0, 0]}]\n"
    "steps: [{factor: 1.0, increments: 5}, {factor: 0, increments: 3}]\n"
    "device: cpu\n"
    "solver: {preconditioner: block_jacobi}\n"
    "output: {file: out.h5, fields: [none], restart: [5]}\n";
enum { BEAM_INCREMENTS = 8 };

/* ---- Reading results ---- */

static inline void unlink_results(void)
{
    static const char *const ends[] = {"vtkhdf", "restart.h5"};
    char name[64];
    for (int i = 1; i <= BEAM_INCREMENTS; i++)
        for (int k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "out-%04d.%s", i, ends[k]);
            unlink(name);
        }
    unlink("out.h5");
    unlink("out.h5.partial");
}

/* ---- The folder ---- */

static inline int make_fem_folder(void **state)
{
    (void)state;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* partial files are looked at while they are replaced */
    if (enter_folder() != 0)
        return 1;
    write_text("cube.yaml", cube_text);
    write_text("beam.yaml", beam_text);
    return 0;
}

#endif
