#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "parts.h"

enum { CHUNK = 1 << 26 }; /* bytes on their way at a time */

typedef struct {
    int64_t n_all, bytes;
    const int64_t *first; /* [P + 1] */
    const int32_t *of;    /* [n_all] by part */
    const int64_t *place; /* as sw_fem_gather_elements */
} rows;

/* Where the rows of a part go: to [n]. */
static int64_t find_places(const rows *r, int part, int64_t *to)
{
    int64_t n = 0;
    for (int64_t i = r->first[part]; i < r->first[part + 1]; i++) {
        const int64_t place = r->place ? r->place[r->of[i]] : r->of[i];
        if (place >= 0)
            to[n++] = place;
    }
    return n;
}

/* Rows of part `owner` to rank 0, through room [CHUNK or a row]. */
static void move_rows(const rows *r, int owner, int64_t n, const int64_t *to, const char *part, char *whole,
                      char *room)
{
    const int rank = sw_parallel_rank();
    const int64_t chunk = r->bytes < CHUNK ? CHUNK / r->bytes : 1;
    for (int64_t first = 0; first < n; first += chunk) {
        const int64_t here = n - first < chunk ? n - first : chunk;
        if (rank == owner)
            memcpy(room, part + first * r->bytes, (size_t)(here * r->bytes));
        sw_parallel_move(room, here * r->bytes, owner, 0);
        for (int64_t i = 0; i < here && rank == 0; i++)
            memcpy(whole + to[first + i] * r->bytes, room + i * r->bytes, (size_t)r->bytes);
    }
}

static sw_status gather(const sw_fem_division *d, const rows *r, const void *part, void *whole)
{
    const int64_t all = r->n_all * r->bytes;
    const int64_t least = all < CHUNK ? all : CHUNK;
    int64_t *to = NULL;
    char *room = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(to, r->n_all, "rows on their way"), agree);
    status = SW_ALLOCATE(room, least > r->bytes ? least : r->bytes, "rows on their way");
agree:
    status = sw_parallel_agree(status);
    for (int owner = 0; owner < d->n_parts && status == SW_OK; owner++) {
        const int64_t n = find_places(r, owner, to);
        move_rows(r, owner, n, to, part, whole, room);
    }
    free(to);
    free(room);
    return status;
}

sw_status sw_fem_gather_elements(const sw_fem_division *d, const int64_t *place, int64_t bytes,
                                 const void *part, void *whole)
{
    const rows r = {d->mesh->n_elements, bytes, d->first_element, d->element, place};
    return gather(d, &r, part, whole);
}

sw_status sw_fem_gather_rows(const sw_fem_division *d, int64_t n, const int64_t *first, const int32_t *of,
                             int64_t bytes, const void *part, void *whole)
{
    const rows r = {n, bytes, first, of, NULL};
    return gather(d, &r, part, whole);
}

/* Of those that it owns, which are a part's first. */
sw_status sw_fem_gather_nodes(const sw_fem_division *d, int64_t bytes, const void *part, void *whole)
{
    return sw_fem_gather_rows(d, d->mesh->n_nodes, d->first_node, d->owned, bytes, part, whole);
}

/* ---- To all ---- */

static sw_status collect(const int64_t *first, const int32_t *of, int n_parts, int64_t bytes,
                         const void *part, void *whole)
{
    char *all;
    SW_TRY(SW_ALLOCATE(all, first[n_parts] * bytes, "rows of all parts"));
    sw_parallel_collect(first, bytes, part, all);
    for (int64_t i = 0; i < first[n_parts]; i++)
        memcpy((char *)whole + of[i] * bytes, all + i * bytes, (size_t)bytes);
    free(all);
    return SW_OK;
}

sw_status sw_fem_collect_nodes(const sw_fem_division *d, int64_t bytes, const void *part, void *whole)
{
    return collect(d->first_node, d->owned, d->n_parts, bytes, part, whole);
}

sw_status sw_fem_collect_elements(const sw_fem_division *d, int64_t bytes, const void *part, void *whole)
{
    return collect(d->first_element, d->element, d->n_parts, bytes, part, whole);
}
