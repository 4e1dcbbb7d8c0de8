#include "stress_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/tensor.h"
#include "online/response/step/solver.h"

sw_power_law sw_fit_power_law(int64_t n, const double *x, const double *y)
{
    double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
    for (int64_t i = 0; i < n; i++) {
        x_mean += log(x[i]) / (double)n;
        y_mean += log(y[i]) / (double)n;
    }
    for (int64_t i = 0; i < n; i++) {
        xx += (log(x[i]) - x_mean) * (log(x[i]) - x_mean);
        xy += (log(x[i]) - x_mean) * (log(y[i]) - y_mean);
    }
    if (!(n >= 2 && xx > 0))
        return (sw_power_law){NAN, NAN};
    return (sw_power_law){xy / xx, exp(y_mean - xy / xx * x_mean)};
}

static double curve_shear(const double s[3][3]) { return s[0][1]; }

static double curve_plane_strain(const double s[3][3]) { return s[0][0] - s[2][2]; }

static double curve_von_mises(const double s[3][3])
{
    double sum = 0;
    for (int k = 0; k < 9; k++)
        sum += s[k / 3][k % 3] * s[k / 3][k % 3];
    return sqrt(1.5 * sum);
}

/* By the first velocity gradient, up to a factor; as in slipwave-compare. */
static const sw_stress_curve curves[] = {
    {"sigma12", {{0, 1, 0}}, curve_shear},
    {"sigma11 - sigma33", {{1, 0, 0}, {0}, {0, 0, -1}}, curve_plane_strain},
    {"von Mises", {{0}}, curve_von_mises}, /* all others */
};

const sw_stress_curve *sw_stress_curve_of(const double l[3][3])
{
    enum { LAST = sizeof curves / sizeof *curves - 1 };
    double largest = 0;
    for (int k = 0; k < 9; k++)
        largest = fmax(largest, fabs(l[k / 3][k % 3]));
    for (int i = 0; i < LAST; i++) {
        double distance = 0;
        for (int k = 0; k < 9; k++)
            distance = fmax(distance, fabs(l[k / 3][k % 3] / largest - curves[i].gradient[k / 3][k % 3]));
        if (distance <= 1e-6)
            return &curves[i];
    }
    return &curves[LAST];
}

static void set_row(const sw_response_average *average, double row[3][3])
{
    double stress[3][3];
    memcpy(stress, average->cauchy_stress, sizeof stress);
    sw_deviator(stress, row);
}

sw_status sw_stress_row(sw_response *response, const double l[3][3], const sw_crystals *crystals,
                        const sw_response_average *step, int is_first, int is_last, double (*row)[3][3])
{
    sw_response_average end = *step;
    const int is_of_end = response->solver->traits.has_history;
    if (!is_of_end && !is_first)
        set_row(step, row[-1]);
    if (!is_of_end && !is_last)
        return SW_OK;
    if (!is_of_end)
        SW_TRY(sw_response_evaluate_mean(response, l, crystals, &end));
    set_row(&end, row[0]);
    return SW_OK;
}

/* Squared L2 norm in time by trapezoids of a square that is 0 at first. */
static double integral(const double *dt, int64_t n, const double *square)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += 0.5 * dt[k] * ((k > 0 ? square[k - 1] : 0) + square[k]);
    return sum;
}

sw_status sw_stress_error(int64_t n_steps, const double *dt, const double (*stress)[3][3],
                          const double (*reference)[3][3], const sw_stress_curve *curve, double *error,
                          double *curve_error)
{
    enum { TENSOR, CURVE, TENSOR_SIZE, CURVE_SIZE, SQUARES };
    double *square[SQUARES];
    SW_TRY(SW_ALLOCATE(square[0], SQUARES * n_steps, "errors"));
    for (int i = 1; i < SQUARES; i++)
        square[i] = square[0] + i * n_steps;
    for (int64_t n = 0; n < n_steps; n++) {
        const double(*a)[3] = stress[n], (*b)[3] = reference[n];
        for (int k = 0; k < 9; k++) {
            square[TENSOR][n] += pow(a[k / 3][k % 3] - b[k / 3][k % 3], 2);
            square[TENSOR_SIZE][n] += pow(b[k / 3][k % 3], 2);
        }
        square[CURVE][n] = pow(curve->of(a) - curve->of(b), 2);
        square[CURVE_SIZE][n] = pow(curve->of(b), 2);
    }
    *error = sqrt(integral(dt, n_steps, square[TENSOR]) / integral(dt, n_steps, square[TENSOR_SIZE]));
    *curve_error = sqrt(integral(dt, n_steps, square[CURVE]) / integral(dt, n_steps, square[CURVE_SIZE]));
    free(square[0]);
    return SW_OK;
}
