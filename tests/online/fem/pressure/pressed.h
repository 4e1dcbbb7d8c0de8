/* What tests of pressures that follow the surface share: bodies under pressures. */
#ifndef SW_TESTS_ONLINE_FEM_PRESSURE_PRESSED_H
#define SW_TESTS_ONLINE_FEM_PRESSURE_PRESSED_H

#include "tests/online/fem/meshes.h"

#include <omp.h>

#include "online/fem/linear/linear.h"
#include "online/fem/pressure/pressure.h"

static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};
enum { KINDS = 3, MOST_PRESSURES = 6 };

/* ---- Bodies ---- */

typedef struct {
    fem_body b;
    sw_fem_pressure pressure[MOST_PRESSURES];
} pressed;

static inline void make(pressed *m, sw_fem_mesh *mesh, sw_fem_kinematics k, int b_bar)
{
    fem_make(&m->b, mesh, k, b_bar, elastic);
    m->b.problem.strain = SW_FEM_FINITE;
    m->b.load[0].pressure = m->pressure;
    m->b.options = sw_fem_default_options(&m->b.problem, SW_FEM_DEVICE_CPU);
    m->b.options.tolerance = 1e-10;
    m->b.options.linear_tolerance = 1e-11;
}

/* In case 0. */
static inline void press(pressed *m, const char *surface, double pressure)
{
    m->pressure[m->b.load[0].n_pressures++] = (sw_fem_pressure){fem_surface(&m->b, surface), pressure};
}

/* A section from radius 1 to 2, 0.2 high. */
static inline void straight(const void *context, const double at[3], double position[3])
{
    (void)context;
    position[0] = 1 + at[0];
    position[1] = 0.2 * at[1];
    position[2] = 0;
}

#endif
