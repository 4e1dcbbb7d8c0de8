/* The coarse level's matrix by two sparse products, a row at a time: a p, then p' (a p). */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "level.h"

/* ---- A row of a product of sparse matrices: which columns, and where ---- */

typedef struct {
    int64_t *mark; /* [columns] row << 24 | place */
    int64_t row, n;
} row_places;

static int64_t place_in(row_places *places, int32_t column, int32_t *list)
{
    const int64_t mark = places->mark[column];
    if (mark >= 0 && mark >> 24 == places->row)
        return mark & 0xffffff;
    places->mark[column] = places->row << 24 | places->n;
    if (list)
        list[places->n] = column;
    return places->n++;
}

/* The transpose's pattern: rows of p that have coarse node g, and the place of that block. */
typedef struct {
    int64_t *first, *at; /* [n_columns + 2], [entries] */
    int32_t *row;        /* [entries] */
} users;

static sw_status list_users(int64_t n_rows, int64_t n_columns, const int64_t *row, const int32_t *column,
                            users *u)
{
    const int64_t entries = row[n_rows];
    *u = (users){0};
    SW_TRY(SW_ALLOCATE(u->first, n_columns + 2, "interpolation"));
    SW_TRY(SW_ALLOCATE(u->at, entries, "interpolation"));
    SW_TRY(SW_ALLOCATE(u->row, entries, "interpolation"));
    for (int64_t k = 0; k < entries; k++)
        u->first[column[k] + 2]++;
    for (int64_t g = 0; g < n_columns; g++)
        u->first[g + 2] += u->first[g + 1];
    for (int64_t i = 0; i < n_rows; i++)
        for (int64_t k = row[i]; k < row[i + 1]; k++) {
            const int64_t to = u->first[column[k] + 1]++;
            u->row[to] = (int32_t)i;
            u->at[to] = k;
        }
    return SW_OK;
}

static void free_users(users *u)
{
    free(u->first);
    free(u->at);
    free(u->row);
}

/* ---- Small dense products, added: c [h][w] += a [h][k] b [k][w], or a' of a [k][h]. A row of sums at a time, which stays in
 * registers: 0.11 s for 0.28 of 36^3 nodes ---- */

static inline __attribute__((always_inline)) void add_product(int h, int k, int w, const double *restrict a,
                                                              const double *restrict b, double *restrict c)
{
    for (int i = 0; i < h; i++) {
        double sum[SW_MOST_MOTIONS];
        for (int j = 0; j < w; j++)
            sum[j] = c[i * w + j];
        for (int l = 0; l < k; l++)
            for (int j = 0; j < w; j++)
                sum[j] += a[i * k + l] * b[l * w + j];
        for (int j = 0; j < w; j++)
            c[i * w + j] = sum[j];
    }
}

static inline __attribute__((always_inline)) void
add_transposed(int h, int k, int w, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < h; i++) {
        double sum[SW_MOST_MOTIONS];
        for (int j = 0; j < w; j++)
            sum[j] = c[i * w + j];
        for (int l = 0; l < k; l++)
            for (int j = 0; j < w; j++)
                sum[j] += a[l * h + i] * b[l * w + j];
        for (int j = 0; j < w; j++)
            c[i * w + j] = sum[j];
    }
}

static inline __attribute__((always_inline)) void
fill_ap(int b, int m, const sw_blocks *a, const sw_blocks *p, int64_t i, row_places *places, sw_blocks *ap)
{
    for (int64_t k = a->row[i]; k < a->row[i + 1]; k++) {
        const int64_t j = a->column[k];
        for (int64_t l = p->row[j]; l < p->row[j + 1]; l++) {
            const int64_t to = ap->row[i] + place_in(places, p->column[l], ap->column + ap->row[i]);
            add_product(b, b, m, a->value + k * b * b, p->value + l * b * m, ap->value + to * b * m);
        }
    }
}

static inline __attribute__((always_inline)) void fill_pap(int b, int m, const users *u, const sw_blocks *p,
                                                           const sw_blocks *ap, int64_t g, row_places *places,
                                                           sw_blocks *coarse)
{
    for (int64_t k = u->first[g]; k < u->first[g + 1]; k++) {
        const int64_t i = u->row[k];
        for (int64_t l = ap->row[i]; l < ap->row[i + 1]; l++) {
            const int64_t to =
                coarse->row[g] + place_in(places, ap->column[l], coarse->column + coarse->row[g]);
            add_transposed(m, b, m, p->value + u->at[k] * b * m, ap->value + l * b * m,
                           coarse->value + to * m * m);
        }
    }
}

/* ---- Both products: columns counted, then filled ---- */

typedef struct {
    const sw_blocks *a, *p, *ap;
    const users *u;
    const uint8_t *needed; /* rows of a p; NULL: all */
    sw_share here;         /* rows of p' (a p) */
} factors;

static int is_made(const factors *f, int64_t i)
{
    return f->ap ? i >= f->here.first && i < f->here.end : f->needed == NULL || f->needed[i];
}

/* Row i of a p, or of p' (a p) where that is there: columns alone, or all. */
static void make_row(const factors *f, int64_t i, row_places *places, sw_blocks *product, int fills)
{
    const int b = f->p->height, m = f->p->width;
    places->row = i;
    places->n = 0;
    if (f->ap) {
        if (fills)
            place_in(places, (int32_t)i, product->column + product->row[i]); /* the diagonal is first */
        else
            place_in(places, (int32_t)i, NULL);
    }
    if (!fills) {
        const int64_t *first = f->ap ? f->u->first : f->a->row;
        const int32_t *of = f->ap ? f->u->row : f->a->column;
        const sw_blocks *inner = f->ap ? f->ap : f->p;
        for (int64_t k = first[i]; k < first[i + 1]; k++)
            for (int64_t l = inner->row[of[k]]; l < inner->row[of[k] + 1]; l++)
                place_in(places, inner->column[l], NULL);
        return;
    }
    if (f->ap && b == 3 && m == 6)
        fill_pap(3, 6, f->u, f->p, f->ap, i, places, product);
    else if (f->ap && b == 6)
        fill_pap(6, 6, f->u, f->p, f->ap, i, places, product);
    else if (f->ap)
        fill_pap(b, m, f->u, f->p, f->ap, i, places, product);
    else if (b == 3 && m == 6)
        fill_ap(3, 6, f->a, f->p, i, places, product);
    else if (b == 6)
        fill_ap(6, 6, f->a, f->p, i, places, product);
    else
        fill_ap(b, m, f->a, f->p, i, places, product);
}

static void make_rows(const factors *f, int64_t *mark, sw_blocks *product, int fills)
{
    for (int64_t i = 0; i < omp_get_max_threads() * product->n_columns; i++)
        mark[i] = -1;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < product->n_rows; i++) {
        row_places places = {.mark = mark + omp_get_thread_num() * product->n_columns};
        if (!is_made(f, i))
            continue;
        make_row(f, i, &places, product, fills);
        if (!fills)
            product->row[i + 1] = places.n;
    }
}

/* Of several processes each makes some rows of p' (a p), and has the others from them. */
enum { SIZE = 64 }; /* numbers that come of an entry of p, in some rows of a p */

static void collect(const factors *f, const int64_t *first, int64_t bytes, void *all)
{
    if (f->ap)
        sw_collect_entries(f->p->together, f->p->n_columns, f->u->first, SIZE, first, bytes, all);
}

static sw_status multiply(const factors *f, sw_blocks *product)
{
    const int64_t size = product->height * product->width;
    int64_t *mark;
    SW_TRY(SW_ALLOCATE(mark, omp_get_max_threads() * product->n_columns, "coarse level"));
    sw_status status = SW_ALLOCATE(product->row, product->n_rows + 1, "coarse level");
    if (status == SW_OK) {
        make_rows(f, mark, product, 0);
        collect(f, NULL, sizeof *product->row, product->row + 1);
        for (int64_t i = 0; i < product->n_rows; i++)
            product->row[i + 1] += product->row[i];
        status = SW_ALLOCATE(product->column, product->row[product->n_rows], "coarse level");
    }
    if (status == SW_OK)
        status = SW_ALLOCATE(product->value, product->row[product->n_rows] * size, "coarse level");
    if (status == SW_OK) {
        make_rows(f, mark, product, 1);
        collect(f, product->row, sizeof *product->column, product->column);
        collect(f, product->row, size * (int64_t)sizeof *product->value, product->value);
    }
    free(mark);
    return status;
}

/* Motions that an aggregate has not: 1 times the mean diagonal. */
static void hold_idle(sw_blocks *coarse)
{
    const int m = coarse->width;
    double mean = 0;
    for (int64_t i = 0; i < coarse->n_rows; i++)
        for (int j = 0; j < m; j++)
            mean += coarse->value[coarse->row[i] * m * m + j * (m + 1)] / (double)(coarse->n_rows * m);
    for (int64_t i = 0; i < coarse->n_rows; i++)
        for (int j = 0; j < m; j++) {
            double *diagonal = &coarse->value[coarse->row[i] * m * m + j * (m + 1)];
            *diagonal = *diagonal == 0 ? mean : *diagonal;
        }
}

/* Rows of a p that this process's rows of p' (a p) are made of. */
static sw_status list_needed(const users *u, sw_share here, int64_t n_rows, uint8_t **needed)
{
    SW_TRY(SW_ALLOCATE(*needed, n_rows, "coarse level"));
    for (int64_t k = u->first[here.first]; k < u->first[here.end]; k++)
        (*needed)[u->row[k]] = 1;
    return SW_OK;
}

sw_status sw_galerkin(const sw_blocks *a, const sw_blocks *p, sw_blocks *coarse)
{
    const int64_t n = p->n_columns;
    sw_blocks ap = {.height = p->height, .width = p->width, .n_rows = a->n_rows, .n_columns = n};
    users u = {0};
    *coarse = (sw_blocks){
        .height = p->width, .width = p->width, .together = a->together, .n_rows = n, .n_columns = n};
    uint8_t *needed = NULL;
    sw_share here = {0};
    sw_status status = list_users(p->n_rows, n, p->row, p->column, &u);
    if (status == SW_OK) {
        here = sw_share_of(p->together, n, u.first, SIZE);
        if (here.end - here.first < n)
            status = list_needed(&u, here, a->n_rows, &needed);
    }
    if (status == SW_OK)
        status = multiply(&(factors){.a = a, .p = p, .needed = needed}, &ap);
    if (status == SW_OK)
        status = multiply(&(factors){.p = p, .ap = &ap, .u = &u, .here = here}, coarse);
    if (status == SW_OK)
        hold_idle(coarse);
    free(needed);
    sw_blocks_free(&ap);
    free_users(&u);
    return status;
}

sw_status sw_transpose_cycle(const sw_cycle_blocks *p, sw_cycle_blocks *t)
{
    const int b = p->height, m = p->width;
    const int64_t entries = p->row[p->n_rows];
    users u;
    sw_status status = list_users(p->n_rows, p->n_columns, p->row, p->column, &u);
    *t = (sw_cycle_blocks){
        .height = m, .width = b, .together = p->together, .n_rows = p->n_columns, .n_columns = p->n_rows};
    if (status == SW_OK)
        status = SW_ALLOCATE(t->value, entries * b * m + SW_CYCLE_WIDTH, "interpolation");
    if (status == SW_OK) {
        for (int64_t k = 0; k < entries; k++)
            for (int i = 0; i < b; i++)
                for (int j = 0; j < m; j++)
                    t->value[(k * b + i) * m + j] = p->value[(u.at[k] * m + j) * b + i];
        t->row = u.first; /* shifted: first [g] is where g begins */
        t->column = u.row;
        u.first = NULL;
        u.row = NULL;
    }
    free_users(&u);
    return status;
}
