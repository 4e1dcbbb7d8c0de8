/* Places that are near one: in a row along an axis, only those of a stretch of it are looked at. */
#include "shared.h"

#include <math.h>
#include <stdlib.h>

static int by_place(const void *left, const void *right)
{
    const struct sw_deck_post *a = left, *b = right;
    return a->at != b->at ? (a->at < b->at ? -1 : 1) : (a->index > b->index) - (a->index < b->index);
}

sw_status sw_deck_line_up(int64_t n, const double (*at)[3], sw_deck_row *row)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *row = (sw_deck_row){.n = n};
    SW_TRY(SW_ALLOCATE(row->post, n, "places of a surface"));
    for (int64_t k = 0; k < 3 * n; k++) {
        low[k % 3] = fmin(low[k % 3], at[k / 3][k % 3]);
        high[k % 3] = fmax(high[k % 3], at[k / 3][k % 3]);
    }
    for (int i = 1; i < 3; i++)
        row->axis = high[i] - low[i] > high[row->axis] - low[row->axis] ? i : row->axis;
    for (int64_t k = 0; k < n; k++)
        row->post[k] = (struct sw_deck_post){at[k][row->axis], k};
    if (n > 0)
        qsort(row->post, (size_t)n, sizeof *row->post, by_place);
    return SW_OK;
}

int64_t sw_deck_post_from(const sw_deck_row *row, double at)
{
    int64_t low = 0, high = row->n;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (row->post[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
