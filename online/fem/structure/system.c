/* The equations of the free unknowns. The pattern is that of elements and springs through the constraints' rows; a row's
 * columns ascend, and so do an element's, so that its matrix is added by going along both. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/parallel.h"
#include "common/system/threads.h"

enum { COLUMN_NS = 20, FEW = 128 }; /* numbers that are sorted one by one */
enum { ROWS = 16 };                 /* beside each other that one thread adds to */

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void sort(int64_t n, int64_t *list)
{
    if (n > FEW) {
        qsort(list, (size_t)n, sizeof *list, compare);
        return;
    }
    for (int64_t i = 1; i < n; i++) {
        const int64_t value = list[i];
        int64_t at = i;
        for (; at > 0 && list[at - 1] > value; at--)
            list[at] = list[at - 1];
        list[at] = value;
    }
}

static int64_t sort_unique(int64_t n, int64_t *list)
{
    int64_t kept = 0;
    sort(n, list);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || list[i] != list[kept - 1])
            list[kept++] = list[i];
    return kept;
}

/* ---- Columns of elements ---- */

/* Free unknowns that an unknown is made of: their number, and into list where not NULL. */
static int64_t made_of(const sw_structure_ties *ties, int64_t unknown, int64_t *list)
{
    int64_t n = 0;
    if (unknown < 0)
        return 0;
    if (ties->number[unknown] >= 0) {
        if (list != NULL)
            list[0] = ties->number[unknown];
        return 1;
    }
    if (ties->row_of[unknown] < 0)
        return 0;
    const sw_structure_row *row = &ties->row[ties->row_of[unknown]];
    for (int i = 0; i < row->n; i++)
        if (row->unknown[i] < ties->n_unknowns && ties->number[row->unknown[i]] >= 0) {
            if (list != NULL)
                list[n] = ties->number[row->unknown[i]];
            n++;
        }
    return n;
}

/* Of an item: how many at most, or the list. */
static int64_t columns_of_item(const sw_structure *s, int64_t e, int64_t *list)
{
    int64_t unknown[SW_STRUCTURE_UNKNOWNS], here = 0;
    const int n = sw_structure_item_unknowns(s, e, unknown);
    for (int i = 0; i < n; i++)
        here += made_of(&s->ties, unknown[i], list != NULL ? list + here : NULL);
    return list != NULL ? sort_unique(here, list) : here;
}

static sw_status list_columns(const sw_structure *s, sw_structure_system *system)
{
    const int64_t all = sw_structure_items(s);
    const int threads = sw_threads_for(24 * all, COLUMN_NS);
    int64_t *n, at = 0;
    SW_TRY(SW_ALLOCATE(system->first, all + 1, "columns of elements"));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t e = 0; e < all; e++)
        system->first[e + 1] = columns_of_item(s, e, NULL);
    for (int64_t e = 0; e < all; e++)
        system->first[e + 1] += system->first[e];
    SW_TRY(SW_ALLOCATE(system->column_of, system->first[all], "columns of elements"));
    SW_TRY(SW_ALLOCATE(n, all, "columns of elements"));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t e = 0; e < all; e++)
        n[e] = columns_of_item(s, e, system->column_of + system->first[e]);
    for (int64_t e = 0; e < all; e++) {
        if (at != system->first[e])
            memmove(system->column_of + at, system->column_of + system->first[e],
                    (size_t)n[e] * sizeof *system->column_of);
        system->first[e] = at;
        system->most = n[e] > system->most ? n[e] : system->most;
        at += n[e];
    }
    system->first[all] = at;
    free(n);
    return SW_OK;
}

/* ---- Pattern ---- */

/* Elements of each free unknown: by [first[q] ... first[q + 1]). */
static sw_status turn_around(const sw_structure_system *system, int64_t all, int64_t n, int64_t **first,
                             int64_t **by)
{
    SW_TRY(SW_ALLOCATE(*first, n + 2, "elements of unknowns"));
    SW_TRY(SW_ALLOCATE(*by, system->first[all], "elements of unknowns"));
    for (int64_t i = 0; i < system->first[all]; i++)
        (*first)[system->column_of[i] + 2]++;
    for (int64_t q = 0; q < n; q++)
        (*first)[q + 2] += (*first)[q + 1];
    for (int64_t e = 0; e < all; e++)
        for (int64_t i = system->first[e]; i < system->first[e + 1]; i++)
            (*by)[(*first)[system->column_of[i] + 1]++] = e;
    return SW_OK;
}

/* Columns of row q, ascending, into list when not NULL; mark [n] holds `stamp` where one is already there. */
static int64_t columns_of(const sw_structure_system *system, const int64_t *first, const int64_t *by,
                          int64_t q, int64_t stamp, int64_t *mark, int64_t *list)
{
    int64_t n = 1;
    mark[q] = stamp;
    if (list != NULL)
        list[0] = q; /* an unknown that nothing resists has its diagonal alone */
    for (int64_t j = first[q]; j < first[q + 1]; j++)
        for (int64_t i = system->first[by[j]]; i < system->first[by[j] + 1]; i++)
            if (mark[system->column_of[i]] != stamp) {
                mark[system->column_of[i]] = stamp;
                if (list != NULL)
                    list[n] = system->column_of[i];
                n++;
            }
    if (list != NULL)
        sort(n, list);
    return n;
}

/* Row q is of the elements that the one before is of, and so has the same columns. */
static int is_alike(const int64_t *first, const int64_t *by, int64_t q)
{
    const int64_t n = first[q + 1] - first[q];
    return n > 0 && n == first[q] - first[q - 1] &&
           memcmp(by + first[q], by + first[q - 1], (size_t)n * sizeof *by) == 0;
}

/* Numbers of columns, and, where they are known and summed up, the columns. */
static void make_rows(const sw_structure_system *system, const int64_t *first, const int64_t *by,
                      int64_t *marks, int64_t *column)
{
    const sw_fem_sparse *m = &system->matrix;
    uint8_t *const alike_before = system->alike;
#pragma omp parallel num_threads(sw_threads_for(m->n, 100 * COLUMN_NS))
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        const int64_t low = m->n * thread / threads, high = m->n * (thread + 1) / threads;
        int64_t *mark = marks + thread * m->n;
        for (int64_t q = low; q < high; q++) {
            const int alike = alike_before[q] = q > low && is_alike(first, by, q);
            int64_t *to = column != NULL ? column + m->row[q] : NULL;
            if (column == NULL)
                m->row[q + 1] = alike ? m->row[q] : columns_of(system, first, by, q, q + 1, mark, NULL);
            else if (alike)
                memcpy(to, column + m->row[q - 1], (size_t)(m->row[q + 1] - m->row[q]) * sizeof *to);
            else
                columns_of(system, first, by, q, -q - 1, mark, to);
        }
    }
}

static sw_status make_pattern(const sw_structure *s, sw_structure_system *system)
{
    const int64_t n = s->ties.n_free, all = sw_structure_items(s);
    sw_fem_sparse *matrix = &system->matrix;
    int64_t *first = NULL, *by = NULL, *marks = NULL;
    sw_status status;
    matrix->n = n;
    SW_TRY_GOTO(status, SW_ALLOCATE(matrix->row, n + 1, "rows of the matrix"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(system->alike, n, "rows of the matrix"), end);
    SW_TRY_GOTO(status, turn_around(system, all, n, &first, &by), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(marks, omp_get_max_threads() * n, "columns of the matrix"), end);
    make_rows(system, first, by, marks, NULL);
    for (int64_t q = 0; q < n; q++)
        matrix->row[q + 1] += matrix->row[q];
    SW_TRY_GOTO(status, SW_ALLOCATE(matrix->column, matrix->row[n], "columns of the matrix"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(matrix->value, matrix->row[n], "values of the matrix"), end);
    make_rows(system, first, by, marks, matrix->column);
end:
    free(first);
    free(by);
    free(marks);
    return status;
}

/* Of an element with m free unknowns: T by its rows (places and coefficients), k T, a row. */
static int64_t scratch_size(int64_t m) { return m * (3 * SW_STRUCTURE_UNKNOWNS + 1); }

int sw_structure_dimension(const sw_structure *s)
{
    for (int64_t e = 0; e < s->problem->n_elements; e++)
        if (s->problem->element[e].formulation->topology->dimension == 3)
            return 3;
    return 2;
}

sw_status sw_structure_system_open(sw_structure *s)
{
    sw_structure_system *system = &s->system;
    sw_structure_system_close(system);
    system->dimension = sw_structure_dimension(s);
    SW_TRY(list_columns(s, system));
    SW_TRY(SW_ALLOCATE(system->scratch, omp_get_max_threads() * scratch_size(system->most),
                       "matrices of tied elements"));
    return make_pattern(s, system);
}

void sw_structure_system_close(sw_structure_system *system)
{
    if (system->factors != NULL)
        system->by->close(system->factors);
    free(system->matrix.row);
    free(system->matrix.column);
    free(system->matrix.value);
    free(system->first);
    free(system->column_of);
    free(system->alike);
    free(system->scratch);
    *system = (sw_structure_system){0};
}

/* ---- Values ---- */

void sw_structure_system_clear(sw_structure_system *system)
{
    const sw_fem_sparse *m = &system->matrix;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(m->row[m->n], 1))
    for (int64_t q = 0; q < m->n; q++)
        memset(m->value + m->row[q], 0, (size_t)(m->row[q + 1] - m->row[q]) * sizeof(double));
}

/* Rows are one thread's, a few beside each other, so that elements beside each other are added by all. */
static int is_mine(sw_structure_team team, int64_t q)
{
    return (uint32_t)q / ROWS % (uint32_t)team.threads == (uint32_t)team.thread;
}

static int any_mine(sw_structure_team team, int m, const int64_t *list)
{
    int any = team.threads == 1 && m > 0;
    for (int i = 0; i < m && !any; i++)
        any = is_mine(team, list[i]);
    return any;
}

/* Row q of the matrix gets values at the columns list [m], ascending. */
static void add_row(sw_fem_sparse *matrix, int64_t q, int64_t m, const int64_t *list, const double *value)
{
    const int64_t *column = matrix->column + matrix->row[q];
    double *to = matrix->value + matrix->row[q];
    for (int64_t j = 0; j < m; j++) {
        while (*column != list[j]) {
            column++;
            to++;
        }
        *to += value[j];
    }
}

static int place_of(int m, const int64_t *list, int64_t q)
{
    int low = 0, high = m - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list[middle] < q)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where every unknown is a free one, once, or none: no sums. Elements that are collapsed have a node twice. */
static int is_plain(const sw_structure_ties *ties, int m, int n, const int64_t *unknown)
{
    int free_ones = 0;
    for (int i = 0; i < n; i++) {
        if (unknown[i] >= 0 && ties->row_of[unknown[i]] >= 0)
            return 0;
        free_ones += unknown[i] >= 0 && ties->number[unknown[i]] >= 0;
    }
    return free_ones == m;
}

/* Where row q has the columns list [m], ascending. */
static void find(const sw_fem_sparse *matrix, int64_t q, int m, const int64_t *list, int32_t *at)
{
    const int64_t *column = matrix->column + matrix->row[q];
    for (int32_t j = 0, k = 0; j < m; j++) {
        while (column[k] != list[j])
            k++;
        at[j] = k;
    }
}

static void add_plain(const sw_structure_ties *ties, sw_structure_system *system, int m, const int64_t *list,
                      int n, const int64_t *unknown, const double *k, sw_structure_team team)
{
    sw_fem_sparse *const matrix = &system->matrix;
    int from[SW_STRUCTURE_UNKNOWNS];
    int32_t at[SW_STRUCTURE_UNKNOWNS];
    int64_t found =
        -1; /* the row that has its columns at these places; those alike that follow have them there, too */
    for (int i = 0; i < n; i++)
        if (unknown[i] >= 0 && ties->number[unknown[i]] >= 0)
            from[place_of(m, list, ties->number[unknown[i]])] = i;
    for (int r = 0; r < m; r++) {
        if (!is_mine(team, list[r]))
            continue;
        if (found < 0 || list[r] != found + 1 || !system->alike[list[r]])
            find(matrix, list[r], m, list, at);
        found = list[r];
        const double *row = k + from[r] * n;
        double *to = matrix->value + matrix->row[list[r]];
        for (int j = 0; j < m; j++)
            to[at[j]] += row[from[j]];
    }
}

/* An unknown by the element's free ones: *n of them at place, times coefficient. One that is prescribed: none. */
static void resolve(const sw_structure_ties *ties, int64_t unknown, int m, const int64_t *list, int *n,
                    double *place, double *coefficient)
{
    *n = 0;
    if (unknown < 0)
        return;
    if (ties->number[unknown] >= 0) {
        place[0] = place_of(m, list, ties->number[unknown]);
        coefficient[0] = 1;
        *n = 1;
        return;
    }
    if (ties->row_of[unknown] < 0)
        return;
    const sw_structure_row *row = &ties->row[ties->row_of[unknown]];
    for (int i = 0; i < row->n; i++)
        if (row->unknown[i] < ties->n_unknowns && ties->number[row->unknown[i]] >= 0) {
            place[*n] = place_of(m, list, ties->number[row->unknown[i]]);
            coefficient[(*n)++] = row->coefficient[i];
        }
}

/* T' k T by way of k T. */
static void add_tied(const sw_structure_ties *ties, sw_fem_sparse *matrix, int m, const int64_t *list, int n,
                     const int64_t *unknown, const double *k, sw_structure_team team, double *scratch)
{
    double *place = scratch, *coefficient = place + m * n, *kt = coefficient + m * n, *row = kt + m * n;
    int size[SW_STRUCTURE_UNKNOWNS];
    memset(kt, 0, (size_t)(m * n) * sizeof *kt);
    for (int i = 0; i < n; i++) {
        resolve(ties, unknown[i], m, list, &size[i], place + m * i, coefficient + m * i);
        for (int t = 0; t < size[i]; t++)
            for (int r = 0; r < n; r++)
                kt[r * m + (int)place[m * i + t]] += k[r * n + i] * coefficient[m * i + t];
    }
    for (int q = 0; q < m; q++) {
        if (!is_mine(team, list[q]))
            continue;
        memset(row, 0, (size_t)m * sizeof *row);
        for (int i = 0; i < n; i++)
            for (int t = 0; t < size[i]; t++)
                for (int j = 0; j < m && (int)place[m * i + t] == q; j++)
                    row[j] += coefficient[m * i + t] * kt[i * m + j];
        add_row(matrix, list[q], m, list, row);
    }
}

void sw_structure_system_add(const sw_structure_ties *ties, sw_structure_system *system, int64_t of, int n,
                             const int64_t *unknown, const double *k, sw_structure_team team)
{
    const int64_t *list = system->column_of + system->first[of];
    const int m = (int)(system->first[of + 1] - system->first[of]);
    if (!any_mine(team, m, list))
        return;
    if (is_plain(ties, m, n, unknown))
        add_plain(ties, system, m, list, n, unknown, k, team);
    else
        add_tied(ties, &system->matrix, m, list, n, unknown, k, team,
                 system->scratch + team.thread * scratch_size(system->most));
}

void sw_structure_system_add_dyad(const sw_structure_ties *ties, sw_structure_system *system, int64_t of,
                                  int n, const int64_t *unknown, const double *left, const double *right,
                                  sw_structure_team team)
{
    const int64_t *list = system->column_of + system->first[of];
    const int m = (int)(system->first[of + 1] - system->first[of]);
    if (!any_mine(team, m, list))
        return;
    double *const l = system->scratch + team.thread * scratch_size(system->most), *const r = l + m,
                  *const row = r + m, *const place = row + m, *const coefficient = place + m;
    memset(l, 0, 2 * (size_t)m * sizeof *l);
    for (int i = 0; i < n; i++) {
        int size;
        resolve(ties, unknown[i], m, list, &size, place, coefficient);
        for (int t = 0; t < size; t++) {
            l[(int)place[t]] += coefficient[t] * left[i];
            r[(int)place[t]] += coefficient[t] * right[i];
        }
    }
    for (int q = 0; q < m; q++) {
        if (!is_mine(team, list[q]) || l[q] == 0)
            continue;
        for (int j = 0; j < m; j++)
            row[j] = l[q] * r[j];
        add_row(&system->matrix, list[q], m, list, row);
    }
}

/* ---- Solution ---- */

double *sw_structure_diagonal(sw_fem_sparse *matrix, int64_t q)
{
    int64_t i = matrix->row[q];
    while (matrix->column[i] != q)
        i++;
    return &matrix->value[i];
}

/* What nothing resists stays where it is, also what only elements have that are not there at present; a loaded unknown by
 * itself moves until a spring's table does resist. */
sw_status sw_structure_hold_idle(sw_fem_sparse *matrix, const double *right)
{
    for (int64_t q = 0; q < matrix->n; q++) {
        int64_t diagonal = -1;
        int idle = 1;
        for (int64_t i = matrix->row[q]; i < matrix->row[q + 1] && idle; i++) {
            idle = matrix->value[i] == 0;
            diagonal = matrix->column[i] == q ? i : diagonal;
        }
        if (idle && right[q] != 0 && matrix->row[q + 1] - matrix->row[q] > 1)
            return sw_error(SW_ERR_CONVERGENCE, "the tangent is singular: nothing resists what is loaded");
        if (idle)
            matrix->value[diagonal] = 1;
    }
    return SW_OK;
}

/* ---- What elements feel of a motion ---- */

enum { FEEL_NS = 3000 };
#define UNSTRAINED 1e-20 /* mean square of strains, beside that of the motion over the body's size */

typedef struct {
    double volume, points, corners; /* squares of strains times the volume */
} strains;

/* None, of one that is turned inside out near a corner. */
static void strain(const sw_structure *s, int64_t e, const double *motion, strains *sums)
{
    const sw_structure_problem *p = s->problem;
    const sw_formulation *f = p->element[e].formulation;
    sw_element element = {.formulation = f, .thickness = p->section[s->section[e]].thickness};
    double u[SW_FORMULATION_NODES][3];
    for (int a = 0; a < f->topology->n_nodes; a++) {
        const int64_t n = p->node[p->element[e].first + a];
        memcpy(element.x[a], p->position[n], sizeof element.x[a]);
        memcpy(u[a], motion + 3 * n, sizeof u[a]);
    }
    if (sw_element_strains(&element, (const double(*)[3])u, &sums->volume, &sums->points, &sums->corners) !=
        SW_OK)
        *sums = (strains){0};
}

static double size_of(const sw_structure *s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t n = 0; n < s->problem->n_nodes; n++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], s->problem->position[n][i]);
            high[i] = fmax(high[i], s->problem->position[n][i]);
        }
    return hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

/* Elements with springs against hourglass modes resist what their points do not feel. */
sw_structure_feeling sw_structure_feel(const sw_structure *s, const double *motion, double unfelt)
{
    const sw_structure_problem *p = s->problem;
    const int64_t E = p->n_elements;
    double points = 0, corners = 0, all = 0, volume = 0, far = 0;
    for (int64_t u = 0; u < s->ties.n_unknowns; u++)
        far = fmax(far, fabs(motion[u]));
#pragma omp parallel for schedule(static) reduction(+ : points, corners, all, volume) num_threads(sw_threads_for(E, FEEL_NS))
    for (int64_t e = 0; e < E; e++) {
        strains of = {0};
        if (s->removed[e])
            continue;
        strain(s, e, motion, &of);
        all += of.corners;
        volume += of.volume;
        points += p->element[e].formulation->n_own == 0 ? of.points : 0;
        corners += p->element[e].formulation->n_own == 0 ? of.corners : 0;
    }
    const double nothing = UNSTRAINED * far * far * volume / (size_of(s) * size_of(s));
    return !(all > nothing)                                    ? SW_STRUCTURE_UNSTRAINED
           : corners > 1e-3 * all && points < unfelt * corners ? SW_STRUCTURE_UNFELT
                                                               : SW_STRUCTURE_FELT;
}

void sw_structure_tell_unresisted(sw_structure *s, sw_structure_feeling feeling)
{
    const int by_factors = s->products == NULL && !s->by_multigrid;
    char loose[SW_STRUCTURE_LOOSE_TEXT];
    if (s->said_loose)
        return;
    s->said_loose = 1;
    sw_structure_tell_loose(s, loose);
    if (feeling == SW_STRUCTURE_UNFELT)
        sw_warn(
            "%s:%lld: elements can move as none of their points feels and nothing resists, as C3D20R and S8R "
            "where they are one wide; %s; need two side by side, or C3D20, S8",
            s->problem->path, (long long)s->step->line,
            by_factors ? "that stays where nothing drives it" : "displacements are wrong by that");
    else
        sw_warn(
            "%s:%lld: the body can move freely, in part or as a whole%s: it stays where nothing drives it",
            s->problem->path, (long long)s->step->line, loose);
}

/* ---- Factors ---- */

#ifdef SW_HAVE_UMFPACK
#define SINGULAR 1e-15    /* reciprocal condition: a pivot is round-off */
#define HOLD 1e-9         /* of the diagonal */
#define HOLD_UNFELT 1e-12 /* what bends may be softer than 1e-9 of it: a strip of t = L/100 */
#define ROUND_OFF 1e-15   /* of the tangent's resistance */
#define UNFELT 1e-6       /* squares of strains at points over those near corners: bodies have 0.1 and more */

static sw_status factorise(sw_structure_system *system, const sw_fem_factors *by)
{
    if (system->factors != NULL && system->by != by) {
        system->by->close(system->factors);
        system->factors = NULL;
    }
    system->by = by;
    if (system->factors == NULL)
        SW_TRY(by->open(&system->matrix, system->dimension, &system->factors));
    SW_TRY(by->factorise(system->factors, &system->matrix));
    return by->condition(system->factors) >= SINGULAR
               ? SW_OK
               : sw_error(SW_ERR_CONVERGENCE, "the tangent is singular: something can move freely");
}

/* A symmetric matrix that is not positive is that of a body beyond a maximum of its load: it still has a solution. */
static sw_status factorise_any(sw_structure *s)
{
    const sw_status status =
        s->symmetric && !s->skew ? factorise(&s->system, &sw_fem_cholmod) : SW_ERR_CONVERGENCE;
    return status == SW_ERR_CONVERGENCE ? factorise(&s->system, &sw_fem_umfpack) : status;
}

/* dq: the motion that the factors resist least beside each unknown's own stiffness, from any by inverse iteration; *resisted: work of
 * the tangent on it over that of the own stiffness. */
enum { INVERSIONS = 2 };
static sw_status find_softest(sw_structure_system *system, double *dq, double *resisted)
{
    sw_fem_sparse *matrix = &system->matrix;
    double *right, work = 0, own = 0;
    SW_TRY(SW_ALLOCATE(right, matrix->n, "a motion"));
    sw_status status = SW_OK;
    for (int64_t q = 0; q < matrix->n; q++)
        dq[q] = fmod(0.6180339887498949 * (double)(q + 1), 1) - 0.5;
    for (int k = 0; k < INVERSIONS && status == SW_OK; k++) {
        double most = 0;
        for (int64_t q = 0; q < matrix->n; q++)
            right[q] = fabs(*sw_structure_diagonal(matrix, q)) * dq[q];
        status = system->by->solve(system->factors, matrix, right, dq);
        for (int64_t q = 0; q < matrix->n; q++)
            most = fmax(most, fabs(dq[q]));
        for (int64_t q = 0; q < matrix->n && most > 0; q++)
            dq[q] /= most;
    }
    free(right);
    for (int64_t q = 0; q < matrix->n; q++) {
        double force = 0;
        for (int64_t i = matrix->row[q]; i < matrix->row[q + 1]; i++)
            force += matrix->value[i] * dq[matrix->column[i]];
        work += force * dq[q];
        own += fabs(*sw_structure_diagonal(matrix, q)) * dq[q] * dq[q];
    }
    *resisted = own > 0 ? fabs(work) / own : 1;
    return status;
}

/* What can move freely is held by a little of each unknown's own stiffness, or of the mean, in the matrix, not in the forces: where nothing
 * drives it it stays, and iterations go on to the balance all the same. */
static sw_status hold_loose(sw_structure *s, double part)
{
    sw_fem_sparse *matrix = &s->system.matrix;
    double mean = 0;
    for (int64_t q = 0; q < matrix->n; q++)
        mean += fabs(*sw_structure_diagonal(matrix, q)) / (double)matrix->n;
    for (int64_t q = 0; q < matrix->n; q++) {
        double *own = sw_structure_diagonal(matrix, q);
        *own += part * fmax(fabs(*own), mean);
    }
    return factorise_any(s);
}

/* Pivots tell by chance alone what nothing resists: round-off resists a little. Until the step's tangent has resisted everything. dq:
 * scratch. */
static sw_status resist(sw_structure *s, double *dq)
{
    const int step = (int)(s->step - s->problem->step) + 1;
    double resisted;
    sw_status status = factorise_any(s);
    const int singular = status == SW_ERR_CONVERGENCE;
    if (singular)
        status = hold_loose(s, HOLD);
    if (status != SW_OK || (!singular && s->felt == step))
        return status;
    SW_TRY(find_softest(&s->system, dq, &resisted));
    sw_structure_ties_spread(&s->ties, dq, 0, s->du);
    const sw_structure_feeling feeling = sw_structure_feel(s, s->du, UNFELT);
    const int loose = feeling == SW_STRUCTURE_UNFELT ||
                      (feeling == SW_STRUCTURE_UNSTRAINED && resisted < ROUND_OFF && s->contacts == NULL);
    if (singular || loose)
        sw_structure_tell_unresisted(s, feeling);
    else
        s->felt = step;
    if (feeling == SW_STRUCTURE_UNFELT)
        return hold_loose(s, singular ? HOLD_UNFELT - HOLD : HOLD_UNFELT);
    return loose && !singular ? hold_loose(s, HOLD) : SW_OK;
}

int sw_structure_has_factors(void) { return 1; }

/* Of several processes the first one has them. */
sw_status sw_structure_system_solve(sw_structure *s, const double *right, double *dq)
{
    if (sw_parallel_rank() != 0)
        return SW_OK;
    SW_TRY(sw_structure_hold_idle(&s->system.matrix, right));
    SW_TRY(resist(s, dq));
    return s->system.by->solve(s->system.factors, &s->system.matrix, right, dq);
}
#else
int sw_structure_has_factors(void) { return 0; }

sw_status sw_structure_system_solve(sw_structure *s, const double *right, double *dq)
{
    (void)s, (void)right, (void)dq;
    return sw_error(SW_ERR_UNAVAILABLE, "linear direct: this build has no SuiteSparse (libsuitesparse-dev)");
}
#endif
