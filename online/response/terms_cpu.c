/* Solver `terms`: the ranked series summed at the nearest point of the refined grid (Malahe 2018, Eq. 33), in
 * all four dimensions: theta is rounded too. theta is the same for all crystals of a step, so it is folded
 * into the coefficients first, and the sum runs over the distinct wavevectors of the Euler angles: the same
 * answer from fewer terms. Sixteen crystals in SIMD lanes, their nine sums in registers. */
#define SW_SERIES_LANES 16
#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "common/fold.h"
#include "solver.h"

typedef struct {
    sw_fold fold;
    int32_t length;     /* L: least common multiple of the refined lengths of the three angles */
    int power_of_two;   /* whether L is */
    int32_t points[3];  /* refined lengths L_d */
    int32_t (*step)[3]; /* [K] k_d L / L_d modulo L, in [-L/2, L/2): phase = j . step / L turns */
    double theta;       /* of the folded coefficients; NaN at first */
} terms_data;

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;
    while (y != 0) {
        const int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x > 0 ? a / x * b : 0;
}

static void close_terms(sw_response *response)
{
    terms_data *data = response->data;
    if (data == NULL)
        return;
    sw_fold_destroy(&data->fold);
    free(data->step);
    free(data);
}

static sw_status open_terms(sw_response *response)
{
    terms_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "terms solver"));
    response->data = data;
    data->theta = NAN;
    int64_t length = 1;
    for (int d = 0; d < 3; d++) {
        const int64_t points = response->database->shape[d] * response->refinement;
        length = common_multiple(length, points);
        if (length > 1 << 22)
            return sw_error(
                SW_ERR_RANGE,
                "refinement = %lld: the refined grid's lengths have the common multiple %lld: need at most "
                "%d",
                (long long)response->refinement, (long long)length, 1 << 22);
        data->points[d] = (int32_t)points;
    }
    data->length = (int32_t)length;
    data->power_of_two = (length & (length - 1)) == 0;
    SW_TRY(sw_fold_create(response->database, response->terms, &data->fold));
    SW_TRY(SW_ALLOCATE(data->step, data->fold.n_wavevectors, "wavevector steps"));
    for (int64_t g = 0; g < data->fold.n_wavevectors; g++)
        for (int d = 0; d < 3; d++) {
            const int64_t step = data->fold.wavevector[g][d] * (length / data->points[d]) % length;
            data->step[g][d] = (int32_t)(2 * step >= length   ? step - length
                                         : 2 * step < -length ? step + length
                                                              : step);
        }
    return SW_OK;
}

static sw_status prepare_terms(sw_response *response, double theta)
{
    terms_data *data = response->data;
    if (data->theta == theta)
        return SW_OK;
    const double spacing = 2 * SW_PI / (double)(response->database->shape[3] * response->refinement);
    sw_fold_at(&data->fold, spacing * nearbyint(theta / spacing));
    data->theta = theta;
    return SW_OK;
}

/* The sums of 16 crystals at refined grid points j. Functions of their own, so that the sums stay in
 * registers. */
static void sum_power_of_two(const terms_data *data, const sw_int j[3], sw_float sum[SW_OUTPUTS])
{
    sw_float part[SW_OUTPUTS] = {{0}};
    for (int64_t g = 0; g < data->fold.n_wavevectors; g++)
        sw_add_term(part, (const float(*)[2])data->fold.coefficient[g],
                    sw_phase_power_of_two(j, data->step[g], data->length));
    for (int c = 0; c < SW_OUTPUTS; c++)
        sum[c] = part[c];
}

static void sum_any(const terms_data *data, const sw_int j[3], sw_float sum[SW_OUTPUTS])
{
    sw_float part[SW_OUTPUTS] = {{0}};
    for (int64_t g = 0; g < data->fold.n_wavevectors; g++)
        sw_add_term(part, (const float(*)[2])data->fold.coefficient[g],
                    sw_phase_any(j, data->step[g], data->length));
    for (int c = 0; c < SW_OUTPUTS; c++)
        sum[c] = part[c];
}

static void evaluate_terms(const sw_response *response, int64_t n, const double (*angles)[3],
                           float (*output)[SW_OUTPUTS])
{
    const terms_data *data = response->data;
    for (int64_t first = 0; first < n; first += SW_SERIES_LANES) {
        const int lanes = (int)(n - first < SW_SERIES_LANES ? n - first : SW_SERIES_LANES);
        sw_int j[3] = {{0}};
        sw_float sum[SW_OUTPUTS];
        for (int lane = 0; lane < lanes; lane++)
            for (int d = 0; d < 3; d++) {
                const int64_t nearest =
                    (int64_t)nearbyint(angles[first + lane][d] * ((double)data->points[d] / (2 * SW_PI)));
                j[d][lane] = (int32_t)((nearest % data->points[d] + data->points[d]) % data->points[d]);
            }
        if (data->power_of_two)
            sum_power_of_two(data, j, sum);
        else
            sum_any(data, j, sum);
        for (int lane = 0; lane < lanes; lane++)
            for (int c = 0; c < SW_OUTPUTS; c++)
                output[first + lane][c] = sum[c][lane];
    }
}

const sw_response_solver sw_solver_terms = {.name = "terms",
                                            .needs_database = 1,
                                            .open = open_terms,
                                            .close = close_terms,
                                            .prepare = prepare_terms,
                                            .evaluate = evaluate_terms};
