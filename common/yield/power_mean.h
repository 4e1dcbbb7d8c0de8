/* Power means, which non-quadratic yield functions are. */
#ifndef SW_COMMON_YIELD_POWER_MEAN_H
#define SW_COMMON_YIELD_POWER_MEAN_H

#include <math.h>
#include <stddef.h>

enum { SW_POWER_MEAN_MOST = 9 };

/* (sum_i |x_i|^a / k)^(1/a) of x [n], n <= SW_POWER_MEAN_MOST, a > 1; by_x [n]: its derivatives, or NULL. No power
 * overflows, since all are of x over the largest |x|. 0, with derivatives 0, of x = 0. */
static inline double sw_power_mean(int n, const double *x, double a, double k, double *by_x)
{
    double largest = 0, sum = 0, power[SW_POWER_MEAN_MOST];
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    for (int i = 0; i < n; i++) {
        power[i] = largest > 0 ? pow(fabs(x[i]) / largest, a) : 0;
        sum += power[i];
    }
    const double mean = largest * pow(sum / k, 1 / a);
    for (int i = 0; by_x != NULL && i < n; i++)
        by_x[i] = x[i] != 0 ? power[i] / sum * (mean / x[i]) : 0;
    return mean;
}

#endif
