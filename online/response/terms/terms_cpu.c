/* Solver `terms`: the ranked series summed at the nearest point of the refined grid (Malahe 2018, Eq. 33), in
 * all four dimensions: theta is rounded too. theta is the same for all crystals of a step, so it is folded
 * into the coefficients first, and the sum runs over the distinct wavevectors of the Euler angles: the same
 * answer from fewer terms. A bundle of crystals in SIMD lanes, their sums in registers. */
#include "common/math/lanes_floats.h"

#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/database/fold.h"
#include "common/math/quaternion.h"
#include "online/response/step/solver.h"
#include "terms_list.h"

typedef struct {
    sw_fold fold;
    int32_t points[4]; /* of the refined grid */
    sw_terms_lists lists;
    sw_terms_lists unfolded; /* for crystals with a theta each; empty before */
    double theta;            /* of the folded coefficients; NaN at first */
} terms_data;

static void close_terms(sw_response *response)
{
    terms_data *data = response->data;
    if (data == NULL)
        return;
    sw_fold_destroy(&data->fold);
    sw_terms_lists_destroy(&data->lists);
    sw_terms_lists_destroy(&data->unfolded);
    free(data);
}

static sw_status open_terms(sw_response *response)
{
    terms_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "terms solver"));
    response->data = data;
    data->theta = NAN;
    SW_TRY(sw_refined_points(response->database, response->refinement, data->points));
    SW_TRY(sw_fold_create(response->database, response->pairs, &data->fold));
    return sw_terms_lists_folded(&data->fold, response->planes, &data->lists);
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
#define SUM(name, kind, dimensions)                                                         \
    static void name(const sw_terms_list *list, const sw_int *j, sw_real *sum)              \
    {                                                                                       \
        enum { OUTPUTS = kind >= SW_SERIES_GENERAL_PLANES ? SW_OUTPUTS_MOST : SW_OUTPUTS }; \
        sw_real part[OUTPUTS];                                                              \
        memset(part, 0, sizeof part);                                                       \
        for (int64_t t = 0; t < list->n_terms; t++)                                         \
            sw_add_term(kind, part, list->coefficient + t * sw_series_coefficients(kind),   \
                        sw_phase(dimensions, j, list->wavenumber[t]));                      \
        for (int c = 0; c < OUTPUTS; c++)                                                   \
            sum[c] += part[c];                                                              \
    }
SUM(add_general, SW_SERIES_GENERAL, 3)
SUM(add_even, SW_SERIES_EVEN_FOLDED, 3)
SUM(add_odd, SW_SERIES_ODD_FOLDED, 3)
SUM(add_general_planes, SW_SERIES_GENERAL_PLANES, 3)
SUM(add_even_planes, SW_SERIES_EVEN_FOLDED_PLANES, 3)
SUM(add_general_unfolded, SW_SERIES_GENERAL, 4)
SUM(add_even_unfolded, SW_SERIES_EVEN, 4)
SUM(add_odd_unfolded, SW_SERIES_ODD, 4)
#undef SUM

/* output [outputs][B] */
static void sum_lists(const sw_terms_lists *lists, int folded, int outputs, const sw_int *j,
                      float (*output)[SW_BUNDLE])
{
    typedef void add(const sw_terms_list *list, const sw_int *j, sw_real *sum);
    static add *const adds[2][SW_SERIES_KINDS] = {{[SW_SERIES_GENERAL] = add_general_unfolded,
                                                   [SW_SERIES_EVEN] = add_even_unfolded,
                                                   [SW_SERIES_ODD] = add_odd_unfolded},
                                                  {[SW_SERIES_GENERAL] = add_general,
                                                   [SW_SERIES_EVEN_FOLDED] = add_even,
                                                   [SW_SERIES_ODD_FOLDED] = add_odd,
                                                   [SW_SERIES_GENERAL_PLANES] = add_general_planes,
                                                   [SW_SERIES_EVEN_FOLDED_PLANES] = add_even_planes}};
    sw_real sum[SW_OUTPUTS_MOST];
    memset(sum, 0, sizeof sum);
    for (int i = 0; i < lists->count; i++)
        adds[folded][lists->list[i].kind](&lists->list[i], j, sum);
    memcpy(output, sum, (size_t)outputs * sizeof *sum);
}

static void nearest_point(const terms_data *data, const float orientation[4][SW_BUNDLE], sw_int j[3])
{
    sw_real q[4], x[3];
    memcpy(q, orientation, sizeof q);
    sw_quaternion_angles(q, x);
    for (int d = 0; d < 3; d++)
        j[d] = sw_nearest_point(x[d], data->points[d]);
}

static unsigned evaluate_terms(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                               float (*output)[SW_BUNDLE])
{
    const terms_data *data = response->data;
    sw_int j[4] = {0};
    (void)n;
    nearest_point(data, orientation, j);
    sum_lists(&data->lists, 1, response->planes ? SW_OUTPUTS_MOST : SW_OUTPUTS, j, output);
    return 0;
}

static double nanoseconds(const sw_response *response, int each)
{
    const terms_data *data = response->data;
    const sw_terms_lists *lists = each ? &data->unfolded : &data->lists;
    double sum = 0;
    for (int i = 0; i < lists->count; i++)
        sum += (each ? 1.5 : 0.5) * (double)lists->list[i].n_terms;
    return sum;
}

static sw_status ready_each(sw_response *response)
{
    terms_data *data = response->data;
    if (data->unfolded.count > 0)
        return SW_OK;
    data->theta = NAN; /* the test of symmetry folds */
    return sw_terms_lists_unfolded(response->database, response->pairs,
                                   sw_fold_symmetry(&data->fold) & SW_FOLD_SPLIT, 0, &data->unfolded);
}

static unsigned evaluate_each(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                              const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    const terms_data *data = response->data;
    sw_int j[4];
    sw_real turns;
    (void)n;
    memcpy(&turns, theta, sizeof turns);
    nearest_point(data, orientation, j);
    j[3] = sw_nearest_point(turns, data->points[3]);
    sum_lists(&data->unfolded, 0, SW_OUTPUTS, j, output);
    return 0;
}

static const sw_solver_settings certified[] = {{.terms = 512, .refinement = 128},
                                               {.terms = 2048, .refinement = 128},
                                               {.terms = 8192, .refinement = 128},
                                               {.terms = 32768, .refinement = 128},
                                               {.terms = 131072, .refinement = 128}};

/* A series takes 1.0e-11 s and 5.7e-13 s for each wavevector after folding (fold.h), of which there is about
 * one to six stored pairs in the copper database of 64 x 64 x 64 x 48 points. */
static const sw_solver_cost gpu_costs[] = {{.points = INT64_MAX, .seconds = 5.0e-11, .per_pair = 9.2e-14}};

extern const sw_solver_functions sw_terms_cuda;

const sw_solver sw_solver_terms = {
    .traits = {.name = "terms", .needs_database = 1, .has_terms = 1, .standard_refinement = 128, .on_gpu = 1},
    .has_planes = 1,
    .certified = SW_SOLVER_TABLE(certified),
    .gpu_costs = SW_SOLVER_TABLE(gpu_costs),
    .cpu = {.open = open_terms,
            .close = close_terms,
            .prepare = prepare_terms,
            .ready_each = ready_each,
            .nanoseconds = nanoseconds,
            .evaluate = evaluate_terms,
            .evaluate_each = evaluate_each},
    .cuda = SW_SOLVER_ON_GPU(sw_terms_cuda)};
