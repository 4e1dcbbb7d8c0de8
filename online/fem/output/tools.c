/* What tools did otherwise than a job means them to. */
#include <math.h>
#include <stdio.h>

#include "rows.h"

#define MOST_SUNK 0.02      /* of the largest displacement, and of an element's depth */
#define ROUND_OFF_DEEP 1e-6 /* of an element's depth: as deep as tools may be at the beginning */
#define TOLD_AGAIN 2        /* times as deep as when it was told last */

static double largest_displacement(const sw_fem_results *r, int64_t row)
{
    const double *least = sw_fem_row_value(r, row, LEAST), *most = sw_fem_row_value(r, row, MOST);
    double largest = 0;
    for (int i = 0; i < r->c; i++)
        largest = fmax(largest, fmax(fabs(least[i]), fabs(most[i])));
    return largest;
}

/* Whether anything moves as prescribed: else all is by loads, and forces are theirs. */
static int anything_is_moved(const sw_fem_job *job, int64_t row)
{
    int moved = 0;
    for (int k = 0; k < job->boundary_count + job->tools_count; k++) {
        const sw_fem_entry *entry =
            k < job->boundary_count ? &job->fixed[k] : &job->tooled[k - job->boundary_count];
        for (int i = 0; i < 3; i++)
            moved |= entry->fixes[i] && entry->at[i] * entry->factor[row] != 0;
    }
    return moved;
}

/* A contact's spring and the body behind it share what the tool moves: where the spring takes a part s / (1 + s) of it, an
 * elastic body resists by so much less. A tool that a force presses has that force, and goes too far instead. */
static void tell_of(const sw_fem_results *r, int64_t row, int t)
{
    const sw_fem_contact_sums *sums = &r->field.contact[t];
    const double deep = -sums->gap, sunk = deep / largest_displacement(r, row);
    char wrong[100];
    if (r->job->tools[t].force_count > 0 || !anything_is_moved(r->job, row))
        snprintf(wrong, sizeof wrong, "displacements may be %.3g m too large", deep);
    else
        snprintf(wrong, sizeof wrong, "forces may be %.3g %% too small",
                 100 * fmin(1, fmax(sunk / (1 + sunk), sums->sunk)));
    sw_warn("increment %lld: the body is %.3g m deep in tool %.60s, %.3g %% of its largest displacement and "
            "%.3g %% of an element's depth: %s: a larger tools[%d].penalty lets in less",
            (long long)row + 1, deep, r->job->tools[t].name, 100 * sunk, 100 * sums->sunk, wrong, t);
}

void sw_fem_warn_of_sunk_tools(sw_fem_results *r)
{
    int64_t row = r->done;
    while (row < r->job->n_increments && !anything_is_moved(r->job, row))
        row++;
    /* loads before the first motion, as of a holder, press by little: of no displacement that a job is about */
    const int waits = row > r->done && row < r->job->n_increments;
    const double moved = waits ? INFINITY : largest_displacement(r, r->done);
    for (int t = 0; t < r->job->tools_count; t++) {
        const sw_fem_contact_sums *sums = &r->field.contact[t];
        if (sums->sunk > r->deepest) {
            r->deepest = sums->sunk;
            r->deepest_at = r->done;
            r->deepest_tool = t;
        }
        if (!(sums->sunk > ROUND_OFF_DEEP) || (-sums->gap <= MOST_SUNK * moved && sums->sunk <= MOST_SUNK) ||
            (r->told_of > 0 && sums->sunk <= fmax(MOST_SUNK, TOLD_AGAIN * r->told_of)))
            continue;
        r->told_of = sums->sunk;
        tell_of(r, r->done, t);
    }
}

sw_status sw_fem_check_tools(const sw_fem_results *r)
{
    const sw_fem_job *job = r->job;
    for (int t = 0; t < job->tools_count; t++) {
        const sw_fem_contact_sums *sums = &r->field.contact[t];
        if (sums->sunk > 1)
            return sw_error(SW_ERR_CONVERGENCE,
                            "%s: increment %lld of %lld (step %d): tool %.60s goes through the body: it is "
                            "%.3g m deep in it, %.3g times the depth of the element behind: see "
                            "tools[%d].move, point and edge, smaller increments, or a larger penalty",
                            sw_job_path(job->source), (long long)r->done + 1, (long long)job->n_increments,
                            job->step_of[r->done], job->tools[t].name, -sums->gap, sums->sunk, t);
    }
    return SW_OK;
}

/* Once more at the end, unless that has been told. */
static void tell_of_deepest(const sw_fem_results *r)
{
    if (r->told_of > 0 && r->deepest > MOST_SUNK && r->deepest > r->told_of)
        sw_warn("tool %.60s was deepest in the body in increment %lld: by %.3g %% of an element's depth",
                r->job->tools[r->deepest_tool].name, (long long)r->deepest_at + 1, 100 * r->deepest);
}

void sw_fem_warn_of_tools(const sw_fem_results *r)
{
    tell_of_deepest(r);
    for (int t = 0; t < r->job->tools_count; t++) {
        double touching = 0;
        for (int64_t row = 0; row < r->done; row++)
            touching += sw_fem_row_value(r, row, TOOL_TOUCHING)[t];
        if (touching == 0)
            sw_warn("tool %.60s touches nothing at the end of any increment; after the last it is %.3g m "
                    "from the body",
                    r->job->tools[t].name, sw_fem_row_value(r, r->done - 1, TOOL_GAP)[t]);
    }
}
