#include "half_turn.h"

#include <string.h>

#include "common/math/deviator.h"
#include "common/math/elimination.h"
#include "common/math/tensor.h"

/* The strain whose stress has this deviator and that has this trace, [3][3], and that stress [6]. */
static void strain_of(const sw_stiffness *c, const double deviator[5], double trace, double strain[3][3],
                      double stress[6])
{
    double a[5][5], e[5], six[6], mean = c->bulk * trace;
    memcpy(a, c->c5, sizeof a);
    for (int i = 0; i < 5; i++)
        e[i] = deviator[i] - trace * c->to_pressure[i];
    sw_solve_by_elimination(5, 5, a[0], e, e);
    sw_deviator_tensor(e, six);
    sw_tensor_of_six(six, strain);
    sw_deviator_tensor(deviator, stress);
    for (int i = 0; i < 5; i++)
        mean += c->to_pressure[i] * e[i];
    for (int i = 0; i < 3; i++) {
        strain[i][i] += trace / 3;
        stress[i] += mean;
    }
}

/* The stretch U of U U = 1 + 2 E, by its series: E is 1e-2 at most, and what is left out E^4. */
static void stretch_of(double e[3][3], double u[3][3])
{
    double squared[3][3], cubed[3][3];
    sw_multiply(e, e, squared);
    sw_multiply(squared, e, cubed);
    for (int k = 0; k < 9; k++)
        u[k / 3][k % 3] =
            (k % 4 == 0) + e[k / 3][k % 3] - squared[k / 3][k % 3] / 2 + cubed[k / 3][k % 3] / 2;
}

void sw_crystal_half_turn(const sw_stiffness *stiffness, const double n[3], sw_crystal_state *state)
{
    double(*const f)[3] = state->elastic_deformation;
    double half[3][3], a[3][3], rotation[3][3], turned[3][3], strain[3][3], stretch[3][3], plastic[3][3];
    double deviator[5];
    for (int k = 0; k < 9; k++)
        half[k / 3][k % 3] = 2 * n[k / 3] * n[k % 3] - (k % 4 == 0); /* its own inverse */
    sw_deviator_in_frame((const double(*)[3])half, state->stress, deviator);
    sw_multiply_transposed(f, f, a);
    strain_of(stiffness, deviator, (a[0][0] + a[1][1] + a[2][2] - 3) / 2, strain, state->stress);
    stretch_of(strain, stretch);
    const double volume = sw_determinant(f);
    sw_polar_rotation(f, rotation);
    sw_multiply(rotation, half, turned);
    sw_multiply(turned, stretch, f);
    const double scale = cbrt(volume / sw_determinant(f));
    for (int k = 0; k < 9; k++)
        f[k / 3][k % 3] *= scale;
    sw_rotate_tensor(half, state->plastic_velocity, plastic);
    memcpy(state->plastic_velocity, plastic, sizeof plastic);
}
