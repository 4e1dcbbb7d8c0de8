/* What tests of job files of `slipwave fem` share: jobs, and how they are read. */
#ifndef SW_TESTS_ONLINE_FEM_JOB_TEXTS_H
#define SW_TESTS_ONLINE_FEM_JOB_TEXTS_H

#include "tests/job_files.h"

#include "online/fem/job/job.h"
#include "online/fem/law/hardening.h"
#include "online/fem/mesh/mesh.h"

#ifdef SW_HAVE_PAPERS /* the others of these are theirs */
#define OPERATOR "ebe"
#define STORAGE "single"
enum { OPERATOR_NUMBER = SW_FEM_EBE, STORAGE_NUMBER = SW_FEM_SINGLE };
#else
#define OPERATOR "points"
#define STORAGE "own"
enum { OPERATOR_NUMBER = SW_FEM_POINTS, STORAGE_NUMBER = SW_FEM_OWN };
#endif

static const char full[] = "mesh:\n"                                                               /* 1 */
                           "  body: l_bracket\n"                                                   /* 2 */
                           "  cells: [4, 4, 2]\n"                                                  /* 3 */
                           "  size: [4.0, 4.0, 1.0]\n"                                             /* 4 */
                           "  origin: [1.0, 0, -1.0]\n"                                            /* 5 */
                           "  arm: 0.5\n"                                                          /* 6 */
                           "  sets:\n"                                                             /* 7 */
                           "    - {name: tip, kind: nodes, from: [5, 0, -1], to: [5, 2, 0]}\n"     /* 8 */
                           "    - {name: top, kind: surface, from: [1, 4, -1], to: [3, 4, 0]}\n"   /* 9 */
                           "    - {name: low, kind: elements, from: [1, 0, -1], to: [5, 1, 0]}\n"  /* 10 */
                           "    - {name: high, kind: elements, from: [1, 1, -1], to: [5, 4, 0]}\n" /* 11 */
                           "kinematics: solid\n"                                                   /* 12 */
                           "b_bar: true\n"                                                         /* 13 */
                           "materials:\n"                                                          /* 14 */
                           "  - {name: steel, young: 200.0e9, poisson: 0.3, elements: low,\n"      /* 15 */
                           "     yield_stress: 450.0e6,\n"                                         /* 16 */
                           "     hardening: {law: voce, modulus: 1.0e8,\n"                         /* 17 */
                           "                 saturation: 600.0e6, rate: 20}}\n"                    /* 18 */
                           "  - {young: 70.0e9, poisson: 0.33, elements: high,\n"                  /* 19 */
                           "     hardening: {law: table,\n"                                        /* 20 */
                           "                 table: [[0, 1.0e8], [0.01, 1.5e8]]}}\n"               /* 21 */
                           "boundary:\n"                                                           /* 22 */
                           "  - {nodes: x_min, x: 0, y: 0, z: 0}\n"                                /* 23 */
                           "  - {nodes: tip, y: -0.01, factors: [1, 1]}\n"                         /* 24 */
                           "loads:\n"                                                              /* 25 */
                           "  - {surface: top, traction: [0, 3.0, 0]}\n"                           /* 26 */
                           "  - {surface: y_max, pressure: 2.0, factors: [0, 1]}\n"                /* 27 */
                           "  - {elements: all, body_force: [0, 0, -10.0]}\n"                      /* 28 */
                           "  - {nodes: z_max, force: [5.0, 0, 0]}\n"                              /* 29 */
                           "steps:\n"                                                              /* 30 */
                           "  - {factor: 2.0, increments: 4}\n"                                    /* 31 */
                           "  - {factor: 0}\n"                                                     /* 32 */
                           "device: cpu\n"                                                         /* 33 */
                           "solver: {operator: " OPERATOR ", storage: own, scatter: atomics,\n"    /* 34 */
                           "         preconditioner: jacobi,\n"                                    /* 35 */
                           "         tolerance: 1.0e-7, linear_tolerance: 1.0e-8,\n"               /* 36 */
                           "         least_increment: 0.01,\n"                                     /* 37 */
                           "         newton: 10, cg: 500, line_search: 0, forcing: fixed}\n"       /* 38 */
                           "output: {file: out.h5, fields: [2, last],\n"                           /* 39 */
                           "         restart: [all]}\n";                                           /* 40 */

static const char least[] = "mesh: {body: box, cells: [2, 1, 1]}\n"              /* 1 */
                            "materials: [{young: 1.0e9, poisson: 0.25}]\n"       /* 2 */
                            "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}]\n"     /* 3 */
                            "loads: [{surface: x_max, traction: [1.0, 0, 0]}]\n" /* 4 */
                            "output: {file: out.h5}\n";                          /* 5 */

static const char plane[] = "mesh: {body: box, cells: [3, 2], size: [3.0, 2.0]}\n"     /* 1 */
                            "kinematics: plane_stress\n"                               /* 2 */
                            "thickness: 0.5\n"                                         /* 3 */
                            "materials: [{young: 1.0e9, poisson: 0.25}]\n"             /* 4 */
                            "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n" /* 5 */
                            "loads: [{surface: x_max, traction: [4.0, 0]}]\n"          /* 6 */
                            "output: {file: out.h5}\n";                                /* 7 */

static const char heat[] = "mesh: {body: box, cells: [3, 2], size: [3.0, 2.0]}\n"                 /* 1 */
                           "kinematics: heat\n"                                                   /* 2 */
                           "materials: [{conductivity: 2.0}]\n"                                   /* 3 */
                           "boundary: [{nodes: x_min, temperature: 300}]\n"                       /* 4 */
                           "loads: [{surface: x_max, flux: 7.0}, {elements: all, source: 1.0},\n" /* 5 */
                           "        {nodes: y_max, flow: 3.0}]\n"                                 /* 6 */
                           "output: {file: out.h5}\n";                                            /* 7 */

static const char tools[] = "mesh: {body: box, cells: [4, 6], size: [0.010, 0.015]}\n"     /* 1 */
                            "kinematics: axisymmetric\n"                                   /* 2 */
                            "strain: finite\n"                                             /* 3 */
                            "b_bar: true\n"                                                /* 4 */
                            "materials: [{young: 200.0e9, poisson: 0.3}]\n"                /* 5 */
                            "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"     /* 6 */
                            "tools:\n"                                                     /* 7 */
                            "  - {name: plate, shape: plane, surfaces: [y_max, x_max],\n"  /* 8 */
                            "     point: [0, 0.015], normal: [0, -2.0],\n"                 /* 9 */
                            "     move: [0, -0.0075],\n"                                   /* 10 */
                            "     friction: 0.1, shear_limit: 4.0e8, factors: [0.5, 1]}\n" /* 11 */
                            "  - {name: roll, shape: cylinder, surfaces: [x_max],\n"       /* 12 */
                            "     point: [0.02, 0.005], radius: 0.01,\n"                   /* 13 */
                            "     force: [0, -100.0]}\n"                                   /* 14 */
                            "steps: [{factor: 1}, {factor: 2, increments: 3}]\n"           /* 15 */
                            "output: {file: out.h5}\n";                                    /* 16 */

static const char pressed[] = "mesh: {body: box, cells: [2, 2, 2]}\n"                              /* 1 */
                              "strain: finite\n"                                                   /* 2 */
                              "materials: [{young: 1.0e9, poisson: 0.25}]\n"                       /* 3 */
                              "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}]\n"                     /* 4 */
                              "tools: [{name: roll, shape: cylinder, surfaces: [z_max],\n"         /* 5 */
                              "         point: [0.5, 0.5, 1.5], axis: [0, 3.0, 0], radius: 0.5,\n" /* 6 */
                              "         move: [0, 0, -0.1]}]\n"                                    /* 7 */
                              "output: {file: out.h5}\n";                                          /* 8 */

static const char upset[] = "upsetting:\n"                                  /* 1 */
                            "  radius: 0.01\n"                              /* 2 */
                            "  height: 0.03\n"                              /* 3 */
                            "  reduction: 0.5\n"                            /* 4 */
                            "  cells: [4, 6]\n"                             /* 5 */
                            "  friction: 0.1\n"                             /* 6 */
                            "  shear_limit: 4.0e8\n"                        /* 7 */
                            "  increments: 4\n"                             /* 8 */
                            "materials: [{young: 200.0e9, poisson: 0.3}]\n" /* 9 */
                            "output: {file: out.h5}\n";                     /* 10 */

static const char crystals[] =
    "mesh: {body: box, cells: [2, 1, 1]}\n"                                   /* 1 */
    "strain: finite\n"                                                        /* 2 */
    "materials:\n"                                                            /* 3 */
    "  - crystals: {material: material.yaml, file: grains.ori, count: 5,\n"   /* 4 */
    "               seed: 7, rotated: yes, initial_slip_resistance: 5.0e7,\n" /* 5 */
    "               solver: rigid_plastic}\n"                                 /* 6 */
    "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}, {nodes: x_max, x: 1}]\n"    /* 7 */
    "steps: [{factor: 1, increments: 4, time: 20}]\n"                         /* 8 */
    "output: {file: out.h5, textures: [all], components: yes}\n";             /* 9 */

/* ---- The folder ---- */

typedef const char *const option[2]; /* name, value */
#define NO_OPTIONS 0, NULL

static inline sw_status read_job(const char *text, const char *old, const char *new, int n_options,
                                 const option *given, sw_fem_job **job)
{
    write_job(text, old, new);
    return sw_fem_job_read(&(sw_arguments){job_path, n_options, given}, job);
}

/* ---- Files beside a job ---- */

/* What a job of crystals names, beside it. */
static inline void write_beside(const char *name, const char *text)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (text != NULL)
        write_text(path, text);
    else
        assert_int_equal(unlink(path), 0);
}

static inline void write_crystals(void)
{
    write_beside("material.yaml", "name: metal\ncrystal_structure: fcc\n"
                                  "elasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
                                  "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.012,\n"
                                  "       initial_slip_resistance: 16.0e6}\n"
                                  "hardening: {law: voce, initial_hardening_rate: 180.0e6,\n"
                                  "            saturation_resistance: 148.0e6, exponent: 2.25}\n");
    write_beside("grains.ori", "10 20 30\n40 50 60\n70 80 90\n");
}

static inline void remove_crystals(void)
{
    write_beside("material.yaml", NULL);
    write_beside("grains.ori", NULL);
}

#endif
