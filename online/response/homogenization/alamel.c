/* ALAMEL (Van Houtte, Li, Seefeldt & Delannay, Int. J. Plast. 21 (2005) 589): crystals 0 and 1, 2 and 3, ... of a polycrystal are
 * neighbours, with a boundary between them whose normal is drawn, and goes with the polycrystal's deformation. alamel_pair.h. */
#include "alamel_pair.h"

#include <stdlib.h>
#include <string.h>

#include "common/math/random.h"
#include "common/system/parallel.h"
#include "coupled_points.h"

enum { TOGETHER = 512 };    /* crystals whose pairs a thread takes */
enum { SEED = 0x616c616d }; /* of boundaries */

/* What a crystal keeps: n, of unit length, all 0 until its first step draws it; and where its stress was, for the next search. */
enum { NORMAL, STRESS, FIELDS };
static const sw_state_field fields[FIELDS] = {
    [NORMAL] = {"boundary_normal", "", 3, 0}, [STRESS] = {"pair_stress", "s (r/v0)^m", 5, 0}};

/* Where they are among the numbers of crystal i. */
static float *numbers_of(const sw_crystals *c, int64_t i, int field)
{
    const int place = sw_state_field_place(c->layout, sw_state_field_find(c->layout, fields[field].name));
    return c->state + i * c->layout->numbers + place;
}

/* Of pair k of a polycrystal, isotropic. */
static void draw(int64_t k, double normal[3])
{
    double u[4];
    sw_random_uniform4(SEED, (uint64_t)k, 0, u);
    const double z = 2 * u[0] - 1, angle = 2 * SW_PI * u[1], rho = sqrt(fmax(0, 1 - z * z));
    normal[0] = rho * cos(angle);
    normal[1] = rho * sin(angle);
    normal[2] = z;
}

/* A pair, its room and what it is of. */
typedef struct {
    sw_alamel_pair pair;
    sw_coupled_systems systems[2];
    sw_alamel_answer answer;
    double weight[2];
} room;

/* i: its first crystal, k: its number in the polycrystal. */
static void load(const sw_coupled_work *w, int64_t i, int64_t k, room *r)
{
    const sw_crystals *from = w->points->from;
    const float *normal = numbers_of(from, i, NORMAL);
    double size = 0;
    for (int j = 0; j < 3; j++) {
        r->pair.normal[j] = normal[j];
        size += (double)normal[j] * normal[j];
    }
    if (!(size > 0))
        draw(k, r->pair.normal);
    else
        for (int j = 0; j < 3; j++)
            r->pair.normal[j] /= sqrt(size);
    for (int c = 0; c < 2; c++) {
        r->weight[c] = sw_weight_of(from->weight, i + c);
        sw_coupled_load(w->response, from, i + c, sw_coupled_has_systems(w->response) ? &r->systems[c] : NULL,
                        &r->pair.of[c]);
        for (int j = 0; j < 5; j++)
            r->pair.of[c].x[j] = numbers_of(from, i + c, STRESS)[j];
    }
    /* who counts for nothing follows who does */
    const double sum = r->weight[0] + r->weight[1], share = sum > 0 ? r->weight[0] / sum : 0.5;
    r->pair.of[0].share = fmin(fmax(share, 1e-6), 1 - 1e-6);
    r->pair.of[1].share = 1 - r->pair.of[0].share;
}

static void store(const sw_coupled_work *w, const room *r, int64_t i)
{
    const sw_crystals *to = w->points->to;
    for (int c = 0; c < 2; c++) {
        sw_coupled_store(w->response, &r->pair.of[c], to, i + c);
        for (int j = 0; j < 3; j++)
            numbers_of(to, i + c, NORMAL)[j] = (float)r->pair.normal[j];
        for (int j = 0; j < 5; j++)
            numbers_of(to, i + c, STRESS)[j] = (float)r->pair.of[c].x[j];
    }
}

/* By differences: what it answers to D a little aside. */
static int add_tangent(const sw_coupled_work *w, const sw_coupled_step *step, int64_t i, int64_t k,
                       const room *own, double *sum)
{
    room beside = *own;
    for (int column = 0; column < 5; column++) {
        const sw_coupled_step aside = sw_coupled_step_aside(step, column);
        load(w, i, k, &beside);
        for (int c = 0; c < 2; c++)
            memcpy(beside.pair.of[c].x, own->answer.begun[c], sizeof own->answer.begun[c]);
        if (!sw_alamel_try(&aside, w->of_begin, &beside.pair, &beside.answer))
            return 0;
        for (int c = 0; c < 2; c++) {
            double change[5], vector[5];
            for (int j = 0; j < 5; j++)
                change[j] = beside.answer.stress[c][j] - own->answer.stress[c][j];
            sw_coupled_stress_vector(change, vector);
            for (int j = 0; j < 5; j++)
                sum[SW_MEANS + 5 * column + j] +=
                    own->weight[c] * vector[j] / (SW_COUPLED_ASIDE * step->rate);
        }
    }
    return 1;
}

static int add_pair(const sw_coupled_work *w, const sw_coupled_step *step, int64_t i, int64_t k, room *r,
                    double *sum)
{
    load(w, i, k, r);
    if (!sw_alamel_try(step, w->of_begin, &r->pair, &r->answer) ||
        (step->duration > 0 && !sw_alamel_step(step, &r->pair)))
        return 0;
    for (int c = 0; c < 2; c++) {
        for (int j = 0; j < 5; j++)
            sum[j] += r->weight[c] * r->answer.stress[c][j];
        sum[SW_SUM_RESISTANCE] += r->weight[c] * r->pair.of[c].s;
        sum[SW_SUM_SLIP_RATE] += r->weight[c] * r->answer.slip_rate[c];
        sum[SW_POINT_WEIGHT] += r->weight[c];
    }
    if (w->tangent && !add_tangent(w, step, i, k, r, sum))
        return 0;
    if (w->points->to != NULL)
        store(w, r, i);
    return isfinite(sum[0]) && isfinite(sum[SW_POINT_WEIGHT]);
}

/* Pairs that only turn, their boundaries with them. */
static int64_t rest(const sw_coupled_work *w, const sw_coupled_step *step, int64_t first, int64_t n,
                    double sum[SW_POINT_SUMS])
{
    const sw_crystals *to = w->points->to;
    (void)sw_coupled_rest(w, step, first, n, sum);
    for (int64_t i = first; i < first + n && to != NULL; i++) {
        float *kept = numbers_of(to, i, NORMAL);
        double normal[3] = {kept[0], kept[1], kept[2]};
        if (!(normal[0] != 0 || normal[1] != 0 || normal[2] != 0))
            continue;
        sw_alamel_carry(step->l, step->duration, normal);
        for (int k = 0; k < 3; k++)
            kept[k] = (float)normal[k];
    }
    return 0;
}

static int64_t step_pairs(const sw_coupled_work *w, int64_t point, const sw_coupled_step *step, int64_t first,
                          int64_t n, double sum[SW_POINT_SUMS])
{
    int64_t failed = 0;
    if (!(step->rate > 0))
        return rest(w, step, point * w->points->each + first, n, sum);
    room *r = calloc(1, sizeof *r);
    if (r == NULL)
        return -1;
    for (int64_t i = first; i < first + n; i += 2)
        failed += add_pair(w, step, point * w->points->each + i, (w->before + i) / 2, r, sum) ? 0 : 2;
    free(r);
    return failed;
}

static sw_status check_even(int64_t n)
{
    return n % 2 == 0 ? SW_OK
                      : sw_error(SW_ERR_RANGE,
                                 "homogenization = alamel: %lld crystals: need an even number, of pairs",
                                 (long long)n);
}

static sw_status advance(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                         double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average)
{
    (void)d;
    SW_TRY(sw_parallel_agree(check_even(from->n)));
    return sw_coupled_advance(response, velocity_gradient, dt, from, to, step_pairs, TOGETHER, average);
}

static sw_status points(sw_response *response, const sw_points *of, int64_t *failed)
{
    SW_TRY(check_even(of->each));
    return sw_coupled_points(response, of, step_pairs, TOGETHER, failed);
}

static sw_status check(const sw_solver *solver, sw_device device)
{
    return sw_coupled_check("alamel", solver, device);
}

const sw_homogenization sw_homogenization_alamel = {.name = "alamel",
                                                    .check = check,
                                                    .pairs = 1,
                                                    .shares = 1,
                                                    .n_fields = FIELDS,
                                                    .field = fields,
                                                    .advance = advance,
                                                    .points = points};
