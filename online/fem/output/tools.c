/* What tools did otherwise than a job means them to. */
#include <math.h>

#include "rows.h"

#define MOST_SUNK 0.02      /* of the largest displacement, and of an element's depth */
#define ROUND_OFF_DEEP 1e-6 /* of an element's depth: as deep as tools may be at the beginning */

static double largest_displacement(const sw_fem_results *r, int64_t row)
{
    const double *least = sw_fem_row_value(r, row, LEAST), *most = sw_fem_row_value(r, row, MOST);
    double largest = 0;
    for (int i = 0; i < r->c; i++)
        largest = fmax(largest, fmax(fabs(least[i]), fabs(most[i])));
    return largest;
}

/* A contact's spring and the body behind it share what the tool moves: where the spring takes a part s / (1 + s) of it, an
 * elastic body resists by so much less. */
void sw_fem_warn_of_sunk_tools(sw_fem_results *r)
{
    const double moved = largest_displacement(r, r->done);
    for (int t = 0; t < r->job->tools_count && !r->warned_of_tools; t++) {
        const sw_fem_contact_sums *sums = &r->field.contact[t];
        const double deep = -sums->gap, sunk = deep / moved;
        if (!(sums->sunk > ROUND_OFF_DEEP) || (sunk <= MOST_SUNK && sums->sunk <= MOST_SUNK))
            continue;
        r->warned_of_tools = 1;
        sw_warn(
            "increment %lld: the body is %.3g m deep in tool %.60s, %.3g %% of its largest displacement and "
            "%.3g %% of "
            "an element's depth: forces may be %.3g %% too small: a larger tools[%d].penalty lets in less",
            (long long)r->done + 1, deep, r->job->tools[t].name, 100 * sunk, 100 * sums->sunk,
            100 * fmin(1, fmax(sunk / (1 + sunk), sums->sunk)), t);
    }
}

void sw_fem_warn_of_idle_tools(const sw_fem_results *r)
{
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
