/* The cheapest solver that is good enough. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "certificate.h"
#include "online/response/solvers.h"

/* points: of the database's grid, a turn. */
static double gpu_seconds(const sw_solver *solver, const sw_certified *row, int64_t points)
{
    for (int i = 0; i < solver->gpu_costs.count; i++) {
        const sw_solver_cost *cost = &solver->gpu_costs.row[i];
        if (cost->nearest == row->nearest && row->refinement * points <= cost->points)
            return cost->seconds + cost->per_term * (double)row->terms;
    }
    return INFINITY;
}

typedef struct {
    const sw_certified *row;
    int on_gpu, last; /* last: taken only when nothing else will do */
    double seconds;   /* a crystal-step; NaN: cannot run */
} candidate;

static candidate weigh(const sw_certificate *certificate, int64_t row_number, int gpu, int cpu)
{
    const sw_certified *row = &certificate->row[row_number];
    const sw_solver *solver = sw_solver_named(row->solver);
    candidate c = {.row = row, .on_gpu = gpu && solver->traits.on_gpu, .seconds = NAN};
    c.last = solver->traits.is_reference;
    if (c.on_gpu)
        c.seconds = gpu_seconds(solver, row, certificate->points);
    else if (cpu)
        c.seconds = row->seconds_per_crystal_step;
    return c;
}

static int cheaper(const candidate *a, const candidate *b)
{
    if (a->last != b->last)
        return b->last;
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds;
    return sw_certified_error(a->row) < sw_certified_error(b->row);
}

/* text += formatted, as far as it fits. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    const size_t length = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

enum { LISTED = 3 };

/* The cheaper ones that will not do, the most accurate first. */
static void list_cheaper(const sw_certificate *certificate, int gpu, int cpu, const candidate *best,
                         char *why, size_t size)
{
    const sw_certified *cheap[SW_CERTIFY_ROWS];
    int n = 0;
    for (int64_t i = 0; i < certificate->n_rows; i++) {
        const candidate c = weigh(certificate, i, gpu, cpu);
        if (c.row == best->row || !isfinite(c.seconds) || !cheaper(&c, best))
            continue;
        int at = n++;
        for (; at > 0 && sw_certified_error(cheap[at - 1]) > sw_certified_error(c.row); at--)
            cheap[at] = cheap[at - 1];
        cheap[at] = c.row;
    }
    for (int i = 0; i < n && i < LISTED; i++) {
        char name[64];
        sw_certified_describe(cheap[i], name, sizeof name);
        append(why, size, "%s %s (%.3g %%)", i ? ";" : "; too far off:", name,
               100 * sw_certified_error(cheap[i]));
    }
    if (n > LISTED)
        append(why, size, "; and %d more", n - LISTED);
}

static void explain(const sw_certificate *certificate, double error, int gpu, int cpu, const candidate *best,
                    sw_certified_choice *choice)
{
    char name[64];
    char *why = choice->why;
    const size_t size = sizeof choice->why;
    sw_certified_describe(best->row, name, sizeof name);
    snprintf(why, size, "%s: certified error %.3g %% <= %.3g %%, about %.2g s a crystal-step", name,
             100 * sw_certified_error(best->row), 100 * error, best->seconds);
    double tensor = 0;
    for (int l = 0; l < SW_CERTIFY_LOADINGS; l++)
        tensor = fmax(tensor, best->row->tensor_error[l]);
    append(why, size, "; of the whole stress tensor up to %.3g %%", 100 * tensor);
    list_cheaper(certificate, gpu, cpu, best, why, size);
}

sw_status sw_certificate_choose(const sw_certificate *certificate, double error, int gpu, int cpu,
                                sw_certified_choice *choice)
{
    candidate best = {0};
    const sw_certified *closest = NULL;
    char name[64] = "none";
    memset(choice, 0, sizeof *choice);
    for (int64_t i = 0; i < certificate->n_rows; i++) {
        const candidate c = weigh(certificate, i, gpu, cpu);
        if (!isfinite(c.seconds))
            continue;
        if (closest == NULL || sw_certified_error(c.row) < sw_certified_error(closest))
            closest = c.row;
        if (sw_certified_error(c.row) <= error && (best.row == NULL || cheaper(&c, &best)))
            best = c;
    }
    if (best.row != NULL) {
        choice->row = best.row;
        choice->on_gpu = best.on_gpu;
        explain(certificate, error, gpu, cpu, &best, choice);
        return SW_OK;
    }
    if (closest == NULL)
        return sw_error(SW_ERR_RANGE, "none of the certified solvers runs on this device");
    sw_certified_describe(closest, name, sizeof name);
    return sw_error(SW_ERR_RANGE, "no certified solver meets %.3g %%: the best, %s, has %.3g %%", 100 * error,
                    name, 100 * sw_certified_error(closest));
}
