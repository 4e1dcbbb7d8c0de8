/* What a loading has to be. */
#include <math.h>

#include "loading.h"

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
        return SW_OK; /* a hold */
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

/* A component has a velocity gradient or, on one side at least, a stress. */
static sw_status check_component(const sw_job *job, unsigned entry, const sw_loading *g, int component)
{
    char key[SW_KEY_SIZE];
    const int i = sw_loading_row[component], j = sw_loading_column[component];
    const int is_free = sw_loading_is_free(g, component);
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

/* A given component's strain grows at its rate from 0 on. */
static sw_status check_strain_goal(const sw_job *job, unsigned entry, const sw_loading *g)
{
    char key[SW_KEY_SIZE];
    const char *name = sw_loading_component_names[g->component];
    const double rate = sw_loading_component(g->velocity_gradient, g->component), most = 100;
    sw_key_path(key, "loading[%u].goal", entry);
    if (g->goal == 0 || fabs(g->goal) > most)
        return sw_job_error(job, key, " = %g: need a strain other than 0, at most %g", g->goal, most);
    if (sw_loading_seeks(g))
        return SW_OK;
    if (rate == 0)
        return sw_job_error(job, sw_key_path(key, "loading[%u].component", entry),
                            " = %s: does not strain in this entry", name);
    if (!(g->goal / rate > 0))
        return sw_job_error(job, key, " = %g: strain %s goes the other way, by %g 1/s", g->goal, name, rate);
    return sw_job_need(job, sw_key_path(key, "loading[%u].duration", entry), g->duration,
                       g->goal / rate <= g->duration * (1 + 1e-9), "what the strain takes to its goal");
}

/* A given stress stays what it is; the first entry begins without any. */
static sw_status check_stress_goal(const sw_job *job, unsigned entry, const sw_loading *g)
{
    char key[SW_KEY_SIZE];
    if (sw_loading_is_free(g, g->component))
        return sw_job_error(job, sw_key_path(key, "loading[%u].component", entry),
                            " = %s: its stress is given in this entry",
                            sw_loading_component_names[g->component]);
    if (entry == 0 && g->goal == 0)
        return sw_job_error(job, sw_key_path(key, "loading[%u].goal", entry),
                            " = 0: there is no stress at the beginning: need another");
    return SW_OK;
}

static sw_status check_goal(const sw_job *job, unsigned entry, const sw_loading *g)
{
    static sw_status (*const check[])(const sw_job *, unsigned, const sw_loading *) = {
        [SW_UNTIL_STRESS] = check_stress_goal, [SW_UNTIL_STRAIN] = check_strain_goal};
    return check[g->until] != NULL ? check[g->until](job, entry, g) : SW_OK;
}

sw_status sw_loading_check(const sw_job *job, unsigned count, const sw_loading *loading,
                           double strain_increment)
{
    char key[SW_KEY_SIZE];
    for (unsigned i = 0; i < count; i++) {
        double l[3][3];
        for (int component = 0; component < 6; component++)
            SW_TRY(check_component(job, i, &loading[i], component));
        sw_loading_estimate(&loading[i], l);
        SW_TRY(check_velocity_gradient(job, sw_key_path(key, "loading[%u].velocity_gradient", i),
                                       (const double(*)[3])l));
        SW_TRY(check_goal(job, i, &loading[i]));
        const double steps = sw_loading_total_steps(i + 1, loading, strain_increment);
        SW_TRY(sw_job_need(job, sw_key_path(key, "loading[%u].duration", i), loading[i].duration,
                           steps <= 1e9, "at most 1e9 steps in a job"));
    }
    return SW_OK;
}
