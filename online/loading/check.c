/* What a loading has to be. */
#include <math.h>
#include <stdio.h>

#include "loading.h"

#include "common/crystal/limits.h"
#include "common/math/six.h"

/* 1/s. Slip rates are in single precision, which ends at 3e38. */
static const double MOST_RATE = 1e20;

/* Pa, of stresses other than 0: one that is meant in MPa is smaller. */
static const double LEAST_STRESS = 1e4, MOST_STRESS = 1e11;
static const char stress_bound[] = "0, or 1e4 to 1e11 Pa in size";

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
    if (!(largest <= MOST_RATE))
        return sw_job_error(job, key, " has a component of %g: need at most %g 1/s", largest, MOST_RATE);
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

static int is_stress(double stress)
{
    return stress == 0 || (fabs(stress) >= LEAST_STRESS && fabs(stress) <= MOST_STRESS);
}

/* A component has a velocity gradient or, on one side at least, a stress. */
static sw_status check_component(const sw_job *job, const char *list, unsigned entry, const sw_loading *g,
                                 int component)
{
    char key[SW_KEY_SIZE];
    const int i = sw_six_row(component), j = sw_six_column(component);
    const int is_free = sw_loading_is_free(g, component);
    const double a = g->stress[i][j], b = g->stress[j][i];
    if (is_free && isnan(a) && isnan(b))
        return sw_job_error(job, sw_key_path(key, "%s[%u].velocity_gradient", list, entry),
                            "[%d][%d] is free: need stress[%d][%d]", i, j, i, j);
    sw_key_path(key, "%s[%u].stress", list, entry);
    for (int side = 0; side < 2; side++) {
        const int row = side == 0 ? i : j, column = side == 0 ? j : i;
        const double stress = side == 0 ? a : b;
        if (!is_free && !isnan(stress))
            return sw_job_error(job, key,
                                "[%d][%d] = %g: the velocity gradient is given there: need x in one of them",
                                row, column, stress);
        if (!isnan(stress) && !is_stress(stress))
            return sw_job_error(job, key, "[%d][%d] = %g: need %s", row, column, stress, stress_bound);
    }
    if (!isnan(a) && !isnan(b) && a != b)
        return sw_job_error(job, key, "[%d][%d] = %g: need [%d][%d] = %g, or x in one of them", i, j, a, j, i,
                            b);
    return SW_OK;
}

/* A given component's strain grows at its rate from 0 on. */
static sw_status check_strain_goal(const sw_job *job, const char *list, unsigned entry, const sw_loading *g)
{
    char key[SW_KEY_SIZE], bound[80];
    const char *name = sw_loading_component_names[g->component];
    const double rate = sw_loading_component(g->velocity_gradient, g->component), most = 100;
    sw_key_path(key, "%s[%u].goal", list, entry);
    if (g->goal == 0 || fabs(g->goal) > most)
        return sw_job_error(job, key, " = %g: need a strain other than 0, at most %g", g->goal, most);
    if (sw_loading_seeks(g))
        return SW_OK;
    if (rate == 0)
        return sw_job_error(job, sw_key_path(key, "%s[%u].component", list, entry),
                            " = %s: does not strain in this entry: need one that does", name);
    if (!(g->goal / rate > 0))
        return sw_job_error(job, key, " = %g: strain %s goes the other way, by %g 1/s", g->goal, name, rate);
    snprintf(bound, sizeof bound, "at least %.9g s, what the strain takes to its goal", g->goal / rate);
    return sw_job_need(job, sw_key_path(key, "%s[%u].duration", list, entry), g->duration,
                       g->goal / rate <= g->duration * (1 + 1e-9), bound);
}

/* A given stress stays what it is; the first entry begins without any. */
static sw_status check_stress_goal(const sw_job *job, const char *list, unsigned entry, const sw_loading *g)
{
    char key[SW_KEY_SIZE];
    if (sw_loading_is_free(g, g->component))
        return sw_job_error(job, sw_key_path(key, "%s[%u].component", list, entry),
                            " = %s: its stress is given in this entry: need one whose is not",
                            sw_loading_component_names[g->component]);
    sw_key_path(key, "%s[%u].goal", list, entry);
    if (entry == 0 && g->goal == 0)
        return sw_job_error(job, key, " = 0: there is no stress at the beginning: need another");
    if (!is_stress(g->goal))
        return sw_job_error(job, key, " = %g: need %s", g->goal, stress_bound);
    return SW_OK;
}

static sw_status check_goal(const sw_job *job, const char *list, unsigned entry, const sw_loading *g)
{
    static sw_status (*const check[])(const sw_job *, const char *, unsigned, const sw_loading *) = {
        [SW_UNTIL_STRESS] = check_stress_goal, [SW_UNTIL_STRAIN] = check_strain_goal};
    return check[g->until] != NULL ? check[g->until](job, list, entry, g) : SW_OK;
}

/* As many as there may be, and none of its own number that is longer than strain_increment could make it. */
static sw_status check_steps(const sw_job *job, const char *list, unsigned entry, const sw_loading *loading,
                             double strain_increment)
{
    char key[SW_KEY_SIZE];
    const sw_loading *g = &loading[entry];
    const int by_goal = g->until == SW_UNTIL_STRAIN && !sw_loading_seeks(g);
    const double strain = sw_loading_step_strain(g, strain_increment);
    SW_TRY(sw_job_need(job, sw_key_path(key, by_goal ? "%s[%u].goal" : "%s[%u].duration", list, entry),
                       by_goal ? g->goal : g->duration,
                       sw_loading_total_steps(entry + 1, loading, strain_increment) <= 1e9,
                       "at most 1e9 steps in a job"));
    if (g->steps > 0 && !(strain <= SW_STEP_STRAIN_ASKED * (1 + 1e-9)))
        return sw_job_error(job, sw_key_path(key, "%s[%u].steps", list, entry),
                            " = %lld: a step is a strain of %.3g: need at most %g", (long long)g->steps,
                            strain, SW_STEP_STRAIN_ASKED);
    return SW_OK;
}

sw_status sw_loading_check_is_cold(const sw_job *job, const char *list, unsigned count,
                                   const sw_loading *loading)
{
    char key[SW_KEY_SIZE];
    for (unsigned i = 0; i < count; i++)
        if (loading[i].temperature > 0)
            return sw_job_error(job, sw_key_path(key, "%s[%u].temperature", list, i),
                                " = %g: has no place here: crystals keep their temperature, but in slipwave "
                                "taylor",
                                loading[i].temperature);
    return SW_OK;
}

/* Where it is going at a time has to be known. */
static sw_status check_temperature(const sw_job *job, const char *list, unsigned entry, const sw_loading *g)
{
    char key[SW_KEY_SIZE];
    return g->temperature == 0 || !sw_loading_seeks(g)
               ? SW_OK
               : sw_job_error(job, sw_key_path(key, "%s[%u].temperature", list, entry),
                              " = %g: when this entry ends is found on the way: need until: duration",
                              g->temperature);
}

sw_status sw_loading_check(const sw_job *job, const char *list, unsigned count, const sw_loading *loading,
                           double strain_increment)
{
    char key[SW_KEY_SIZE];
    for (unsigned i = 0; i < count; i++) {
        double l[3][3];
        for (int component = 0; component < 6; component++)
            SW_TRY(check_component(job, list, i, &loading[i], component));
        sw_loading_estimate(&loading[i], l);
        SW_TRY(check_velocity_gradient(job, sw_key_path(key, "%s[%u].velocity_gradient", list, i),
                                       (const double(*)[3])l));
        SW_TRY(check_goal(job, list, i, &loading[i]));
        SW_TRY(check_temperature(job, list, i, &loading[i]));
        SW_TRY(check_steps(job, list, i, loading, strain_increment));
    }
    return SW_OK;
}
