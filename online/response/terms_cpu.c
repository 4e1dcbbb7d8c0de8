/* Solver `terms`: the ranked series summed at the nearest point of the refined grid (Malahe 2018, Eq. 33), in
 * all four dimensions: theta is rounded too. theta is the same for all crystals of a step, so it is folded
 * into the coefficients first, and the sum runs over the distinct wavevectors of the Euler angles: the same
 * answer from fewer terms. A bundle of crystals in SIMD lanes, their sums in registers. */
#define SW_SINGLE
#define SW_LANES 16
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/fold.h"
#include "solver.h"
#include "terms_list.h"

typedef struct {
    sw_fold fold;
    int32_t points[4]; /* of the refined grid */
    sw_terms_lists lists;
    double theta; /* of the folded coefficients; NaN at first */
} terms_data;

static void close_terms(sw_response *response)
{
    terms_data *data = response->data;
    if (data == NULL)
        return;
    sw_fold_destroy(&data->fold);
    sw_terms_lists_destroy(&data->lists);
    free(data);
}

static sw_status open_terms(sw_response *response)
{
    terms_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "terms solver"));
    response->data = data;
    data->theta = NAN;
    SW_TRY(sw_refined_points(response->database, response->refinement, data->points));
    SW_TRY(sw_fold_create(response->database, response->terms, &data->fold));
    return sw_terms_lists_folded(&data->fold, &data->lists);
}

static sw_status prepare_terms(sw_response *response, double theta)
{
    terms_data *data = response->data;
    if (data->theta == theta)
        return SW_OK;
    const double spacing = 2 * SW_PI / (double)data->points[3];
    sw_fold_at(&data->fold, spacing * nearbyint(theta / spacing));
    sw_terms_lists_fill(&data->lists, &data->fold);
    data->theta = theta;
    return SW_OK;
}

/* A function for each kind of list, so that the sums stay in registers. */
#define SUM(name, kind)                                                                     \
    static void name(const sw_terms_list *list, const sw_int j[3], sw_real sum[SW_OUTPUTS]) \
    {                                                                                       \
        sw_real part[SW_OUTPUTS];                                                           \
        memset(part, 0, sizeof part);                                                       \
        for (int64_t t = 0; t < list->n_terms; t++)                                         \
            sw_add_term(kind, part, list->coefficient + t * sw_series_coefficients(kind),   \
                        sw_phase(3, j, list->wavenumber[t]));                               \
        for (int c = 0; c < SW_OUTPUTS; c++)                                                \
            sum[c] += part[c];                                                              \
    }
SUM(add_general, SW_SERIES_GENERAL)
SUM(add_even, SW_SERIES_EVEN_FOLDED)
SUM(add_odd, SW_SERIES_ODD_FOLDED)
#undef SUM

static int evaluate_terms(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                          const float angle[3][SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    typedef void add(const sw_terms_list *list, const sw_int j[3], sw_real sum[SW_OUTPUTS]);
    static add *const adds[SW_SERIES_KINDS] = {[SW_SERIES_GENERAL] = add_general,
                                               [SW_SERIES_EVEN_FOLDED] = add_even,
                                               [SW_SERIES_ODD_FOLDED] = add_odd};
    const terms_data *data = response->data;
    (void)n, (void)orientation;
    sw_real x[3], sum[SW_OUTPUTS];
    sw_int j[3];
    memcpy(x, angle, sizeof x);
    memset(sum, 0, sizeof sum);
    for (int d = 0; d < 3; d++)
        j[d] = sw_nearest_point(x[d], data->points[d]);
    for (int i = 0; i < data->lists.count; i++)
        adds[data->lists.list[i].kind](&data->lists.list[i], j, sum);
    memcpy(output, sum, sizeof sum);
    return 0;
}

const sw_response_solver sw_terms_cpu = {.name = "terms",
                                         .device = SW_CPU,
                                         .needs_database = 1,
                                         .standard_refinement = 128,
                                         .open = open_terms,
                                         .close = close_terms,
                                         .prepare = prepare_terms,
                                         .evaluate = evaluate_terms};
