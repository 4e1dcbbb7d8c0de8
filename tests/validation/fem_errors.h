/* What comparisons of finite elements with exact solutions share: rings, and errors over a body. */
#ifndef SW_TESTS_VALIDATION_FEM_ERRORS_H
#define SW_TESTS_VALIDATION_FEM_ERRORS_H

#include "tests/online/fem/meshes.h"

#include <omp.h>

/* ---- Pieces of meshes ---- */

/* Between radii a and b, from angle 0 to `angle` (rad); the third direction straight, `tall` m. */
typedef struct {
    double a, b, angle, tall;
} ring;

static inline void ring_at(const void *context, const double at[3], double position[3])
{
    const ring *w = context;
    const double r = w->a + (w->b - w->a) * at[0], t = w->angle * at[1];
    position[0] = r * cos(t);
    position[1] = r * sin(t);
    position[2] = w->tall * at[2];
}

/* ---- Errors over a body ---- */

/* Exact displacement [3] and stress [6] at a point; either may be NULL. */
typedef void exact_field(const void *context, const double x[3], double u[3], double stress[6]);

/* Root mean squares over the volume, relative to the exact field's. */
static inline void errors(const fem_body *b, const fem_run *r, exact_field *exact, const void *context,
                          double *off_u, double *off_stress)
{
    double u2 = 0, du2 = 0, s2 = 0, ds2 = 0;
    for (int64_t e = 0; e < b->E; e++)
        for (int q = 0; q < b->V; q++) {
            double x[3], u[3] = {0}, v[3] = {0}, stress[6] = {0};
            const double volume = fem_at_point(b, e, q, r->u, b->c, x, u), *s = r->point_stress[e * b->V + q];
            exact(context, x, v, stress);
            for (int i = 0; i < b->c; i++) {
                u2 += volume * v[i] * v[i];
                du2 += volume * (u[i] - v[i]) * (u[i] - v[i]);
            }
            for (int i = 0; i < 6; i++) {
                s2 += volume * stress[i] * stress[i];
                ds2 += volume * (s[i] - stress[i]) * (s[i] - stress[i]);
            }
        }
    *off_u = sqrt(du2 / u2);
    *off_stress = sqrt(ds2 / s2);
}

enum { MESHES = 3 };

/* Order between the two finest of meshes that are twice as fine each. */
static inline double order(const double off[MESHES]) { return log2(off[MESHES - 2] / off[MESHES - 1]); }

static inline void say(const char *what, const double u[MESHES], const double s[MESHES])
{
    print_message("%-40s displacement %.2e %.2e %.2e order %.2f; stress %.2e %.2e %.2e order %.2f\n", what,
                  u[0], u[1], u[2], order(u), s[0], s[1], s[2], order(s));
}

/* de Souza Neto, Peric and Owen 2008, 7.5.1 and 7.5.2: E 210 GPa, nu 0.3, yield 240 MPa, radii 100 and 200
 * mm. */
static const sw_fem_material steel = {.young = 210e9, .poisson = 0.3, .yield_stress = 240e6};
static const double A = 0.1, B = 0.2;

#endif
