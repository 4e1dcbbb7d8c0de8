/* Sachs' hypothesis, of a slip law that depends on the rate: all crystals of a polycrystal have its deviatoric stress, and its strain
 * rate is their mean. The least upper bound is Taylor's; this is the greatest lower one of what makes no difference between
 * neighbours. Crystals turn by the spin of the polycrystal less that of their own slips. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "coupled_points.h"

enum { BLOCK = 256 }; /* crystals whose sums are added together; blocks one by one */

static const double sample[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int places[5] = {0, 1, 2, 3, 4};

/* A polycrystal. */
typedef struct {
    const sw_coupled_step *step;
    int64_t n, blocks;
    int of_all;    /* processes have crystals of it each */
    double stress; /* S, Pa */
    sw_coupled *of;
    sw_coupled_systems *systems; /* NULL: all of a crystal's have s */
    double *weight;
    struct block {
        sw_coupled_sums sums;
        sw_coupled_growth growth;
        double start[5], resistance, safe, slip;
    } * block;
    sw_coupled_search search;
    sw_coupled_parts parts;
    double begun[SW_MEANS]; /* what is answered (step.h) */
    int knows;              /* where the search begins: */
    double known[5];        /* y S */
} polycrystal;

/* ---- All crystals, in blocks ---- */

typedef void block_work(polycrystal *p, int64_t first, int64_t end, struct block *block, double dt);

static void in_blocks(polycrystal *p, double nanoseconds, block_work *work, double dt)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(p->blocks, nanoseconds *BLOCK))
    for (int64_t k = 0; k < p->blocks; k++) {
        const int64_t first = k * BLOCK, end = first + BLOCK < p->n ? first + BLOCK : p->n;
        work(p, first, end, &p->block[k], dt);
    }
}

static double cost(const polycrystal *p) { return 60.0 * p->step->model->slip.systems; }

static void start_block(polycrystal *p, int64_t first, int64_t end, struct block *block, double of_begin)
{
    memset(block->start, 0, sizeof block->start);
    for (int64_t i = first; i < end; i++) {
        sw_coupled *c = &p->of[i];
        sw_coupled_face(p->step, sample, of_begin > 0 ? c->begun : c->q, p->stress, c);
        sw_coupled_start(p->step, c);
        sw_coupled_add_start(c, p->stress, places, block->start);
    }
}

static void see_block(polycrystal *p, int64_t first, int64_t end, struct block *block, double dt)
{
    (void)dt;
    block->sums.largest = 0;
    for (int64_t i = first; i < end; i++) {
        sw_coupled_see(p->step, places, p->search.y, &p->of[i]);
        block->sums.largest = fmax(block->sums.largest, p->of[i].largest);
    }
}

static void sum_block(polycrystal *p, int64_t first, int64_t end, struct block *block, double dt)
{
    (void)dt;
    memset(&block->sums, 0, sizeof block->sums);
    for (int64_t i = first; i < end; i++)
        sw_coupled_add(p->step, p->stress, places, p->search.y, &p->of[i], &block->sums);
}

static void safe_block(polycrystal *p, int64_t first, int64_t end, struct block *block, double largest)
{
    block->safe = 1;
    for (int64_t i = first; i < end; i++)
        block->safe = fmin(block->safe, sw_coupled_safe(p->step, places, &p->search, largest, &p->of[i]));
}

static void flow_block(polycrystal *p, int64_t first, int64_t end, struct block *block, double dt)
{
    (void)dt;
    block->slip = 0;
    for (int64_t i = first; i < end; i++) {
        sw_coupled_flow(p->step, &p->of[i]);
        block->slip = fmax(block->slip, p->of[i].slip_rate);
    }
}

static void harden_block(polycrystal *p, int64_t first, int64_t end, struct block *block, double dt)
{
    block->growth = (sw_coupled_growth){1e30, -1e30};
    for (int64_t i = first; i < end; i++)
        sw_coupled_harden(p->step, dt, &p->of[i], &block->growth);
}

static void go_on_block(polycrystal *p, int64_t first, int64_t end, struct block *block, double dt)
{
    static const double none[3] = {0};
    (void)block;
    for (int64_t i = first; i < end; i++)
        sw_coupled_go_on(p->step, dt, none, &p->of[i]);
}

/* ---- All processes ---- */

static void sum_over_all(const polycrystal *p, double *value, int64_t n)
{
    if (p->of_all)
        sw_parallel_sums_in_order(value, n);
}

static double most_of_all(const polycrystal *p, double value)
{
    return p->of_all ? sw_parallel_most(value) : value;
}

static double largest_of(const polycrystal *p)
{
    double largest = 0;
    for (int64_t k = 0; k < p->blocks; k++)
        largest = fmax(largest, p->block[k].sums.largest);
    return most_of_all(p, largest);
}

/* ---- The stress ---- */

static void begin_search(polycrystal *p, int of_begin)
{
    sw_coupled_search *s = &p->search;
    double d[5], work = 0;
    sw_coupled_search_begin(s, 5);
    sw_deviator_vector_of(p->step->d, d);
    in_blocks(p, 100, start_block, of_begin);
    for (int64_t k = 0; k < p->blocks; k++)
        for (int i = 0; i < 5; i++)
            s->y[i] += p->block[k].start[i];
    sum_over_all(p, s->y, 5);
    for (int i = 0; i < 5; i++) {
        s->d[i] = d[i] / p->step->rate;
        s->y[i] = p->knows ? p->known[i] / p->stress : s->y[i];
        work += s->d[i] * s->y[i];
    }
    p->knows = 0;
    in_blocks(p, 10, see_block, 0);
    if (!(work > 0.1 * largest_of(p) && work < 1e30)) {
        memcpy(s->y, s->d, sizeof s->y);
        in_blocks(p, 10, see_block, 0);
    }
    const double largest = largest_of(p);
    for (int i = 0; i < 5; i++)
        s->y[i] /= largest;
}

static void sum_all(polycrystal *p, sw_coupled_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    in_blocks(p, cost(p), sum_block, 0);
    for (int64_t b = 0; b < p->blocks; b++) {
        const sw_coupled_sums *own = &p->block[b].sums;
        sums->largest = fmax(sums->largest, own->largest);
        for (int i = 0; i < 5; i++) {
            sums->rate[i] += own->rate[i];
            for (int j = 0; j <= i; j++)
                sums->jacobian[i][j] += own->jacobian[i][j];
        }
    }
    sums->largest = most_of_all(p, sums->largest);
    sum_over_all(p, sums->rate, 5);
    sum_over_all(p, sums->jacobian[0], (int64_t)5 * SW_SHARED_MAX);
}

/* S is the mean resistance. */
static int solve(polycrystal *p, int of_begin)
{
    int met = 0;
    p->stress = 0;
    for (int64_t i = 0; i < p->n; i++)
        p->stress += p->of[i].share * p->of[i].s;
    sum_over_all(p, &p->stress, 1);
    begin_search(p, of_begin);
    for (int iteration = 0; iteration < SW_COUPLED_ITERATIONS && !met; iteration++) {
        sw_coupled_sums sums;
        double safe = 1;
        sum_all(p, &sums);
        met = sw_coupled_search_take(&p->search, p->step->model->slip.exponent, &sums);
        if (met)
            break;
        in_blocks(p, 10.0 * p->step->model->slip.systems, safe_block, sums.largest);
        for (int64_t k = 0; k < p->blocks; k++)
            safe = fmin(safe, p->block[k].safe);
        sw_coupled_search_move(&p->search, -most_of_all(p, -safe));
    }
    in_blocks(p, 10, see_block, 0);
    in_blocks(p, cost(p), flow_block, 0);
    return met && p->search.error <= SW_COUPLED_TOLERANCE;
}

/* The stress of all, Pa, and slip rates as they are. */
static void answer(polycrystal *p, int with_slip)
{
    double stress[5];
    for (int i = 0; i < 5; i++)
        stress[i] = p->search.y[i] * p->stress * p->step->unit;
    sw_rigid_plastic_stress(sample, stress, p->begun);
    p->begun[SW_SUM_SLIP_RATE] = with_slip ? 0 : p->begun[SW_SUM_SLIP_RATE];
    for (int64_t i = 0; i < p->n && with_slip; i++)
        p->begun[SW_SUM_SLIP_RATE] += p->weight[i] * p->of[i].slip_rate * p->step->rate;
}

/* ---- A step ---- */

static double next_part(polycrystal *p, double left)
{
    const double least = 1.0 / SW_COUPLED_PARTS;
    double part = p->parts.given ? p->parts.part[p->parts.n] : left;
    for (int again = 0; again < 30; again++) {
        sw_coupled_growth growth = {1e30, -1e30};
        double slip = 0;
        in_blocks(p, 200, harden_block, part * p->step->duration);
        for (int64_t k = 0; k < p->blocks; k++) {
            growth.least = fmin(growth.least, p->block[k].growth.least);
            growth.most = fmax(growth.most, p->block[k].growth.most);
            slip = fmax(slip, p->block[k].slip);
        }
        growth.least = -most_of_all(p, -growth.least);
        growth.most = most_of_all(p, growth.most);
        slip = most_of_all(p, slip);
        const double shorter = sw_coupled_shorten(p->step, part * p->step->duration, slip, &growth);
        if (p->parts.given || shorter >= 1 || part <= least)
            break;
        part = fmax(part * shorter, least);
    }
    return part;
}

static int step_polycrystal(polycrystal *p, int of_begin)
{
    double left = 1;
    int good = solve(p, 0);
    for (int i = 0; i < 5; i++)
        p->known[i] = p->search.y[i] * p->stress;
    answer(p, 1);
    for (p->parts.n = 0; p->step->duration > 0 && left > 1e-9 && good && p->parts.n < SW_COUPLED_PARTS;
         p->parts.n++) {
        good = p->parts.n == 0 || solve(p, 0);
        const double part = next_part(p, left);
        in_blocks(p, 100, go_on_block, part * p->step->duration);
        p->parts.part[p->parts.n] = part;
        left -= part;
    }
    if (of_begin || !good || !(p->step->duration > 0))
        return good;
    good = solve(p, 1);
    answer(p, 0);
    return good;
}

/* ---- In and out ---- */

static void load(const sw_coupled_work *w, int64_t first, polycrystal *p)
{
    double sum[2] = {0, (double)p->n}, all = 0;
    for (int64_t i = 0; i < p->n; i++) {
        p->weight[i] = sw_weight_of(w->points->from->weight, first + i);
        sw_coupled_load(w->response, w->points->from, first + i, p->systems != NULL ? &p->systems[i] : NULL,
                        &p->of[i]);
        sum[0] += p->weight[i];
    }
    sum_over_all(p, sum, 2);
    for (int64_t i = 0; i < p->n; i++)
        all += p->of[i].share = fmax(p->weight[i] / sum[0], 1e-6 / sum[1]);
    sum_over_all(p, &all, 1);
    for (int64_t i = 0; i < p->n; i++)
        p->of[i].share /= all;
}

static void release(polycrystal *p)
{
    free(p->of);
    free(p->systems);
    free(p->weight);
    free(p->block);
    free(p);
}

static polycrystal *make(const sw_coupled_work *w, int64_t n)
{
    const int families = sw_coupled_has_systems(w->response);
    const size_t many = (size_t)(n > 0 ? n : 1), blocks = (many + BLOCK - 1) / BLOCK;
    polycrystal *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (polycrystal){.n = n,
                       .blocks = n > 0 ? (int64_t)blocks : 0,
                       .of_all = w->of_all,
                       .of = calloc(many, sizeof *p->of),
                       .systems = families ? calloc(many, sizeof *p->systems) : NULL,
                       .weight = calloc(many, sizeof *p->weight),
                       .block = calloc(blocks, sizeof *p->block)};
    if (p->of != NULL && (p->systems != NULL || !families) && p->weight != NULL && p->block != NULL)
        return p;
    release(p);
    return NULL;
}

/* None where a process has no room for its part. */
static polycrystal *make_by_all(const sw_coupled_work *w, int64_t n)
{
    polycrystal *p = make(w, n);
    if (!(w->of_all && sw_parallel_most(p == NULL) > 0) || p == NULL)
        return p;
    release(p);
    return NULL;
}

/* By differences: the whole step with D a little aside, in the same parts. */
static int add_tangent(const sw_coupled_work *w, const sw_coupled_step *step, int64_t first,
                       const polycrystal *as, polycrystal *p, double *sum)
{
    const double weight = sum[SW_POINT_WEIGHT];
    p->parts = as->parts;
    p->parts.given = 1;
    for (int column = 0; column < 5; column++) {
        const sw_coupled_step aside = sw_coupled_step_aside(step, column);
        double change[5], vector[5];
        p->step = &aside;
        load(w, first, p);
        memcpy(p->known, as->known, sizeof p->known);
        p->knows = 1;
        if (!step_polycrystal(p, w->of_begin))
            return 0;
        for (int j = 0; j < 5; j++)
            change[j] = p->begun[j] - as->begun[j];
        sw_coupled_stress_vector(change, vector);
        for (int j = 0; j < 5; j++)
            sum[SW_MEANS + 5 * column + j] += weight * vector[j] / (SW_COUPLED_ASIDE * step->rate);
    }
    return 1;
}

static int add_polycrystal(const sw_coupled_work *w, const sw_coupled_step *step, int64_t first,
                           polycrystal *p, double *sum)
{
    double weight = 0;
    load(w, first, p);
    p->step = step;
    const int good = step_polycrystal(p, w->of_begin);
    for (int64_t i = 0; i < p->n; i++) {
        weight += p->weight[i];
        sum[SW_SUM_RESISTANCE] += p->weight[i] * p->of[i].s;
    }
    for (int j = 0; j < 5; j++)
        sum[j] += weight * p->begun[j];
    sum[SW_SUM_SLIP_RATE] += p->begun[SW_SUM_SLIP_RATE];
    sum[SW_POINT_WEIGHT] += weight;
    return good && isfinite(sum[0]) && isfinite(weight);
}

static int64_t step_all(const sw_coupled_work *w, int64_t point, const sw_coupled_step *step, int64_t first,
                        int64_t n, double sum[SW_POINT_SUMS])
{
    const int64_t begin = point * w->points->each + first;
    if (!(step->rate > 0))
        return sw_coupled_rest(w, step, begin, n, sum);
    polycrystal *p = make_by_all(w, n);
    if (p == NULL)
        return -1;
    int good = add_polycrystal(w, step, begin, p, sum);
    if (good && w->tangent) {
        polycrystal *beside = make(w, n);
        if (beside == NULL) {
            release(p);
            return -1;
        }
        good = add_tangent(w, step, begin, p, beside, sum);
        release(beside);
    }
    for (int64_t i = 0; i < n && good && w->points->to != NULL; i++)
        sw_coupled_store(w->response, &p->of[i], w->points->to, begin + i);
    release(p);
    return good ? 0 : n;
}

static sw_status advance(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                         double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average)
{
    (void)d;
    return sw_coupled_advance(response, velocity_gradient, dt, from, to, step_all, 0, average);
}

static sw_status points(sw_response *response, const sw_points *of, int64_t *failed)
{
    return sw_coupled_points(response, of, step_all, 0, failed);
}

static sw_status check(const sw_solver *solver, sw_device device)
{
    return sw_coupled_check("sachs", solver, device);
}

const sw_homogenization sw_homogenization_sachs = {
    .name = "sachs", .check = check, .takes_open = 1, .shares = 1, .advance = advance, .points = points};
