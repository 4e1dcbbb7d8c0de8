/* The cheapest solver that is good enough. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "certificate.h"
#include "online/response/solvers.h"

/* Instructions of one thread for a crystal-step on a GPU: rough estimates that only have to put solvers in
 * order, no measurements. 400 for what every solver does (crystal_update.h: angles to quaternion, turn,
 * hardening, back). A doubling of the refinement makes the table 8 times as large, so more of it misses the
 * caches. */
static const struct {
    const char *solver;
    int nearest;
    double fixed, per_doubling, per_term;
} gpu_costs[] = {
    {"grid", 1, 400 + 60, 150, 0},          /* one entry of 64 bytes */
    {"grid", 0, 400 + 60 + 8 * 40, 300, 0}, /* eight entries */
    {"terms", 0, 400 + 100, 0, 16}, /* phase, sine, cosine, nine outputs less those that symmetry forbids */
    {"polish", 0, 4800, 0, 0},      /* six times the linear grid, as on a CPU with AVX-512 */
};

static double gpu_cost(const sw_certified *row)
{
    for (size_t i = 0; i < sizeof gpu_costs / sizeof *gpu_costs; i++)
        if (strcmp(gpu_costs[i].solver, row->solver) == 0 && gpu_costs[i].nearest == row->nearest)
            return gpu_costs[i].fixed + gpu_costs[i].per_term * (double)row->terms +
                   gpu_costs[i].per_doubling * (row->refinement > 1 ? log2((double)row->refinement) : 0);
    return INFINITY;
}

typedef struct {
    const sw_certified *row;
    int on_gpu, last; /* last: taken only when nothing else will do */
    double cost;      /* instructions or seconds; NaN: cannot run */
} candidate;

static candidate weigh(const sw_certified *row, int gpu, int cpu)
{
    const sw_solver_traits *traits = sw_solver_find(row->solver);
    candidate c = {.row = row, .on_gpu = gpu && traits->on_gpu, .cost = NAN};
    c.last = strcmp(row->solver, "iterative") == 0;
    if (c.on_gpu)
        c.cost = gpu_cost(row);
    else if (cpu)
        c.cost = row->seconds_per_crystal_step;
    return c;
}

static int cheaper(const candidate *a, const candidate *b)
{
    if (a->last != b->last)
        return b->last;
    return a->cost < b->cost;
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
        const candidate c = weigh(&certificate->row[i], gpu, cpu);
        if (c.row == best->row || !isfinite(c.cost) || !cheaper(&c, best))
            continue;
        int at = n++;
        for (; at > 0 && sw_certified_error(cheap[at - 1]) > sw_certified_error(c.row); at--)
            cheap[at] = cheap[at - 1];
        cheap[at] = c.row;
    }
    for (int i = 0; i < n && i < LISTED; i++) {
        char name[64];
        sw_certified_describe(cheap[i], name, sizeof name);
        append(why, size, "%s %s: %.2g %%", i ? ";" : "; cheaper ones:", name,
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
    snprintf(why, size, "%s: certified error %.2g %% <= %.3g %%, ", name, 100 * sw_certified_error(best->row),
             100 * error);
    if (best->on_gpu)
        append(why, size, "about %.2g instructions a crystal-step", best->cost);
    else
        append(why, size, "%.2g s a crystal-step", best->cost);
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
        const candidate c = weigh(&certificate->row[i], gpu, cpu);
        if (!isfinite(c.cost))
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
    return sw_error(SW_ERR_RANGE, "no certified solver meets %.3g %%: the best, %s, has %.2g %%", 100 * error,
                    name, 100 * sw_certified_error(closest));
}
