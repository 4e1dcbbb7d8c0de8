/* The vertices that are the best of some folded strain rate (slip_fold.h): of each vertex the strain rates that are its own are sums of
 * the strain rates of its systems, and some of them are folded. */
#include "common/math/random.h"
#include "rigid_plastic.h"
#include "slip_fold.h"

#include <math.h>
#include <string.h>

enum { TRIES = 64 };

/* A strain rate of which v is the best, with some systems much more active than others. */
static void own_strain_rate(const sw_slip_model *model, const double v[5], uint64_t at, double d[5])
{
    double u[4];
    memset(d, 0, 5 * sizeof *d);
    for (int a = 0; a < model->systems; a++) {
        double tau = 0;
        for (int i = 0; i < 5; i++)
            tau += (double)model->schmid[a][i] * v[i];
        if (a % 4 == 0)
            sw_random_uniform4(2, at, (uint64_t)(a / 4), u);
        for (int i = 0; i < 5 && fabs(tau) > 1 - 1e-5; i++)
            d[i] += copysign(pow(u[a % 4], 6), tau) * (double)model->schmid[a][i];
    }
}

/* v or -v. */
static int has(int count, float (*found)[5], const double v[5])
{
    for (int k = 0; k < count; k++) {
        double off = 0, opposite = 0;
        for (int i = 0; i < 5; i++) {
            off = fmax(off, fabs((double)found[k][i] - v[i]));
            opposite = fmax(opposite, fabs((double)found[k][i] + v[i]));
        }
        if (fmin(off, opposite) < 1e-4)
            return 1;
    }
    return 0;
}

void sw_slip_zone_find(sw_slip_model *model)
{
    int count = 0;
    for (int n = 0; n < model->vertices * TRIES; n++) {
        double v[5], d[5], t[6], turned[6], folded[5];
        for (int i = 0; i < 5; i++)
            v[i] = (double)model->vertex[n / TRIES][i];
        own_strain_rate(model, v, (uint64_t)n, d);
        const sw_slip_fold f = sw_slip_fold_of(d, t);
        sw_deviator_tensor(v, turned);
        sw_slip_fold_too(&f, turned);
        sw_deviator_vector_of(turned, folded);
        if (has(count, model->folded, folded))
            continue;
        if (count == SW_FOLDED_VERTICES_MAX)
            return; /* too many to gain by */
        for (int i = 0; i < 5; i++)
            model->folded[count][i] = (float)folded[i];
        count++;
    }
    model->n_folded = count;
}
