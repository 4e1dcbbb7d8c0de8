#include "loading.h"

#include <math.h>
#include <string.h>

#include "common/math/strain_rate.h"

const sw_key sw_loading_keys[] = {
    {SW_TENSOR("velocity_gradient", sw_loading, velocity_gradient), .blank = 1, .unit = "1/s", .needed = 1,
     .help = "L, sample frame: L_ij = dv_i/dx_j; trace 0; x: free"},
    {SW_TENSOR("stress", sw_loading, stress), .blank = 1, .unit = "Pa", .otherwise = "x everywhere",
     .help = "Cauchy stress of free components, x of the others"},
    {SW_REAL("duration", sw_loading, duration, 0, INFINITY), .open = SW_OPEN_BELOW, .unit = "s", .needed = 1,
     .help = "the last step is shortened to end with it"},
    SW_KEYS_END};

const int sw_loading_row[6] = {0, 1, 2, 1, 0, 0}, sw_loading_column[6] = {0, 1, 2, 2, 2, 1};

int sw_loading_is_free(const sw_loading *g, int i, int j)
{
    return isnan(g->velocity_gradient[i][j]) || isnan(g->velocity_gradient[j][i]);
}

void sw_loading_fill(const sw_loading *g, const double rate[6], double l[3][3])
{
    memcpy(l, g->velocity_gradient, sizeof g->velocity_gradient);
    for (int k = 0; k < 6; k++) {
        const int i = sw_loading_row[k], j = sw_loading_column[k];
        if (!sw_loading_is_free(g, i, j))
            continue;
        if (isnan(l[i][j]) && isnan(l[j][i]))
            l[i][j] = l[j][i] = rate[k];
        else if (isnan(l[i][j]))
            l[i][j] = 2 * rate[k] - l[j][i];
        else
            l[j][i] = 2 * rate[k] - l[i][j];
    }
}

void sw_loading_estimate(const sw_loading *g, double l[3][3])
{
    double rate[6] = {0}, trace = 0;
    int n = 0;
    for (int i = 0; i < 3; i++) {
        n += sw_loading_is_free(g, i, i);
        trace += sw_loading_is_free(g, i, i) ? 0 : g->velocity_gradient[i][i];
    }
    for (int k = 0; k < 6; k++) {
        const double a = g->velocity_gradient[sw_loading_row[k]][sw_loading_column[k]];
        const double b = g->velocity_gradient[sw_loading_column[k]][sw_loading_row[k]];
        rate[k] = k < 3 ? (n > 0 ? -trace / n : 0) : ((isnan(a) ? 0 : a) + (isnan(b) ? 0 : b)) / 2;
    }
    sw_loading_fill(g, rate, l);
}

int sw_loading_is_mixed(const sw_loading *loading)
{
    for (int k = 0; k < 9; k++)
        if (isnan(loading->velocity_gradient[k / 3][k % 3]))
            return 1;
    return 0;
}

/* Both measures are relative, and taken of L / max|L_ij| so that no square over- or underflows.
 * 1e-9 lies far above the round-off of a trace (3 x 1e-16) and of decimals written with ten digits
 * or more, and far below the elastic volume changes that the rigid-plastic model leaves out. */
static sw_status check_velocity_gradient(const sw_job *job, const char *key, const double gradient[3][3])
{
    const double tolerance = 1e-9;
    double largest = 0, squares = 0, symmetric_squares = 0, trace = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(gradient[i / 3][i % 3]));
    if (largest == 0)
        return sw_job_error(job, key, " = 0: need a symmetric part that is not zero, without what is free");
    for (int i = 0; i < 3; i++) {
        trace += gradient[i][i] / largest;
        for (int j = 0; j < 3; j++) {
            const double entry = gradient[i][j] / largest;
            const double symmetric = 0.5 * (entry + gradient[j][i] / largest);
            squares += entry * entry;
            symmetric_squares += symmetric * symmetric;
        }
    }
    const double norm = sqrt(squares), rate = sqrt(symmetric_squares);
    if (!(largest >= 1e-50 && rate > 1e-6 * norm))
        return sw_job_error(job, key,
                            " has a symmetric part |D| = %.3g: need more than 1e-6 |L| (= %.3g), and 1e-50",
                            rate * largest, 1e-6 * norm * largest);
    if (!(fabs(trace) <= tolerance * rate))
        return sw_job_error(job, key, " has trace = %g: need |trace| <= %g |D| (= %.3g)", trace * largest,
                            tolerance, tolerance * rate * largest);
    return SW_OK;
}

/* ||D||, as estimated. */
static double rate_of(const sw_loading *loading)
{
    double l[3][3];
    sw_loading_estimate(loading, l);
    return sw_strain_rate_of((const double(*)[3])l).rate;
}

double sw_loading_steps(const sw_loading *loading, double strain_increment)
{
    const double rate = rate_of(loading);
    return fmax(1, ceil(rate * loading->duration / strain_increment - 1e-9));
}

double sw_loading_total_steps(unsigned count, const sw_loading *loading, double strain_increment)
{
    double steps = 0;
    for (unsigned i = 0; i < count; i++)
        steps += sw_loading_steps(&loading[i], strain_increment);
    return steps;
}

/* A component has a velocity gradient or, on one side at least, a stress. */
static sw_status check_component(const sw_job *job, unsigned entry, const sw_loading *g, int i, int j)
{
    char key[SW_KEY_SIZE];
    const int is_free = sw_loading_is_free(g, i, j);
    const double a = g->stress[i][j], b = g->stress[j][i], most = 1e11;
    if (is_free && isnan(a) && isnan(b))
        return sw_job_error(job, sw_key_path(key, "loading[%u].velocity_gradient", entry),
                            "[%d][%d] is free: need stress[%d][%d]", i, j, i, j);
    sw_key_path(key, "loading[%u].stress", entry);
    if (fabs(a) > most || fabs(b) > most)
        return sw_job_error(job, key, "[%d][%d] = %g: need at most %g Pa", i, j, fabs(a) > most ? a : b,
                            most);
    if (!is_free && !(isnan(a) && isnan(b)))
        return sw_job_error(job, key,
                            "[%d][%d] = %g: the velocity gradient is given there: need x in one of them", i,
                            j, isnan(a) ? b : a);
    if (!isnan(a) && !isnan(b) && a != b)
        return sw_job_error(job, key, "[%d][%d] = %g: need [%d][%d] = %g, or x in one of them", i, j, a, j, i,
                            b);
    return SW_OK;
}

static sw_status check_stresses(const sw_job *job, unsigned entry, const sw_loading *g)
{
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            SW_TRY(check_component(job, entry, g, i, j));
    return SW_OK;
}

sw_status sw_loading_check(const sw_job *job, unsigned count, const sw_loading *loading,
                           double strain_increment)
{
    char key[SW_KEY_SIZE];
    for (unsigned i = 0; i < count; i++) {
        double l[3][3];
        SW_TRY(check_stresses(job, i, &loading[i]));
        sw_loading_estimate(&loading[i], l);
        SW_TRY(check_velocity_gradient(job, sw_key_path(key, "loading[%u].velocity_gradient", i),
                                       (const double(*)[3])l));
        const double steps = sw_loading_total_steps(i + 1, loading, strain_increment);
        SW_TRY(sw_job_need(job, sw_key_path(key, "loading[%u].duration", i), loading[i].duration,
                           steps <= 1e9, "at most 1e9 strain increments in a job"));
    }
    return SW_OK;
}

sw_loading_walk sw_loading_begin(unsigned count, const sw_loading *loading, double strain_increment)
{
    return (sw_loading_walk){.count = count, .loading = loading, .strain_increment = strain_increment};
}

int sw_loading_next(sw_loading_walk *w, unsigned *segment, double *dt, double *strain)
{
    if (w->steps > 0 && w->step == w->steps) {
        w->segment++;
        w->steps = 0;
    }
    if (w->segment == w->count)
        return 0;
    const sw_loading *loading = &w->loading[w->segment];
    if (w->steps == 0) {
        w->step = 0;
        w->steps = (int64_t)sw_loading_steps(loading, w->strain_increment);
        w->rate = rate_of(loading);
    }
    const double full = w->strain_increment / w->rate;
    *dt = w->step + 1 < w->steps ? full : loading->duration - full * (double)w->step;
    *strain = w->rate * *dt;
    *segment = w->segment;
    w->step++;
    return 1;
}
