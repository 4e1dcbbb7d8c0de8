/* Solver `terms` on a GPU: terms_cpu.c says what it is. */
#include "terms_kernel.cuh"

#include <cmath>
#include <cstdlib>
#include <cstring>

typedef struct terms_data {
    sw_terms_form form;
    struct terms_data *each; /* the four-dimensional form, for crystals with a theta each; NULL before */
    sw_fold fold;
    int32_t points[4]; /* of the refined grid */
    sw_terms_lists lists;
    double theta;                    /* of the folded coefficients; NaN at first */
    int *packed;                     /* host: the lists as the kernel takes them */
    int4 *term;                      /* the same on the device */
    int64_t first[SW_LISTS_MAX + 1]; /* where each list begins, in int4 */
} terms_data;

static int dimensions_of(const terms_data *data) { return data->form.folded ? 3 : 4; }

static void pack_lists(terms_data *data)
{
    const int dimensions = dimensions_of(data);
    for (int i = 0; i < data->lists.count; i++) {
        const sw_terms_list *list = &data->lists.list[i];
        const sw_series_kind kind = (sw_series_kind)list->kind;
        const int words = words_of(kind, dimensions), coefficients = sw_series_coefficients(kind);
        int *to = data->packed + 4 * data->first[i];
        for (int64_t t = 0; t < list->n_terms; t++, to += words) {
            for (int d = 0; d < dimensions; d++) {
                const int32_t k = list->wavenumber[t][d];
                to[d] = data->form.reduction == SW_REDUCE_NONE && k < 0 ? k + data->points[0] : k;
            }
            memcpy(to + dimensions, list->coefficient + t * coefficients, (size_t)coefficients * sizeof *to);
        }
    }
}

static sw_status upload(terms_data *data)
{
    pack_lists(data);
    return sw_cuda_status(cudaMemcpy(data->term, data->packed, (size_t)data->first[data->lists.count] * 16,
                                     cudaMemcpyHostToDevice),
                          "terms");
}

static sw_status make_lists(sw_response *response, terms_data *data)
{
    const int dimensions = dimensions_of(data);
    int symmetric = 0;
    SW_TRY(sw_refined_points(response->database, response->refinement, data->points));
    for (int d = 1; d < 4 && data->form.reduction != SW_REDUCE_AND; d++)
        if (data->points[d] != data->points[0] || data->points[0] > 1 << 14)
            return sw_error(SW_ERR_RANGE,
                            "terms: this form needs a refined grid of at most %d points, as many in "
                            "all dimensions",
                            1 << 14);
    SW_TRY(sw_fold_create(response->database, response->pairs, &data->fold));
    if (data->form.folded) {
        SW_TRY(sw_terms_lists_folded(&data->fold, response->planes, &data->lists));
    } else {
        symmetric = data->form.symmetric && (sw_fold_symmetry(&data->fold) & SW_FOLD_SPLIT);
        SW_TRY(sw_terms_lists_unfolded(response->database, response->pairs, symmetric, response->planes,
                                       &data->lists));
    }
    for (int i = 0; i < data->lists.count; i++)
        data->first[i + 1] =
            data->first[i] + data->lists.list[i].n_terms *
                                 (words_of((sw_series_kind)data->lists.list[i].kind, dimensions) / 4);
    SW_TRY(SW_ALLOCATE(data->packed, 4 * data->first[data->lists.count], "terms for the GPU"));
    SW_TRY(SW_CUDA_ALLOCATE(data->term, data->first[data->lists.count], "terms"));
    return data->form.folded ? SW_OK : upload(data);
}

static void close_form(terms_data *data)
{
    if (data == NULL)
        return;
    close_form(data->each);
    sw_fold_destroy(&data->fold);
    sw_terms_lists_destroy(&data->lists);
    free(data->packed);
    cudaFree(data->term);
    free(data);
}

static sw_status open_form(sw_response *response, sw_terms_form form, terms_data **opened)
{
    terms_data *data;
    *opened = NULL;
    SW_TRY(SW_ALLOCATE(data, 1, "terms solver"));
    data->form = form;
    data->theta = NAN;
    const sw_status status = make_lists(response, data);
    if (status == SW_OK)
        *opened = data;
    else
        close_form(data);
    return status;
}

static sw_status open_data(sw_response *response, sw_terms_form form)
{
    terms_data *data;
    const sw_status status = open_form(response, form, &data);
    response->data = data;
    return status;
}

static sw_status open_terms(sw_response *response)
{
    const sw_terms_form form = {1, 1, SW_REDUCE_AND};
    return open_data(response, form);
}

static void close_terms(sw_response *response) { close_form((terms_data *)response->data); }

static sw_status ready_each(sw_response *response)
{
    const sw_terms_form form = {0, 1, SW_REDUCE_AND};
    terms_data *data = (terms_data *)response->data;
    return data->each != NULL ? SW_OK : open_form(response, form, &data->each);
}

static sw_status prepare_terms(sw_response *response, double theta)
{
    terms_data *data = (terms_data *)response->data;
    const int64_t points = data->points[3];
    const double spacing = 2 * SW_PI / (double)points;
    if (data->theta == theta)
        return SW_OK;
    const double nearest = nearbyint(theta / spacing);
    data->theta = NAN; /* until all of it is there */
    if (data->form.folded) {
        sw_fold_at(&data->fold, spacing * nearest);
        sw_terms_lists_fill(&data->lists, &data->fold);
        SW_TRY(upload(data));
    }
    data->theta = theta;
    return SW_OK;
}

static grid_view view_of(const terms_data *data)
{
    grid_view view = {{0}, SW_TURN - 1};
    for (int d = 0; d < 4; d++)
        view.points[d] = data->points[d];
    return view;
}

template <bool SYMMETRIC, bool FOLDED, sw_range_reduction REDUCTION, class Frame, class Finish>
static sw_status launch_form(const sw_response *response, const terms_data *data,
                             const sw_step_launch *launch, const sw_step *step, const Frame &frame,
                             const Finish &finish, int64_t n, const sw_crystal *crystal)
{
    const device_list even = {data->lists.list[0].n_terms, data->term};
    const device_list odd = {data->lists.list[1].n_terms, data->term + data->first[1]};
    const auto kernel = terms_kernel<SYMMETRIC, FOLDED, REDUCTION, Frame, Finish>;
    const int blocks = sw_step_blocks((const sw_crystals_cuda *)response->gpu, kernel, n, EACH);
    kernel<<<blocks, SW_STEP_THREADS, 0, launch->stream>>>(*step, frame, even, odd, view_of(data), finish, n,
                                                           crystal, launch->weight, launch->partial);
    SW_CUDA_TRY_LAUNCH();
    return sw_step_launch_sums(launch, blocks);
}

/* The forms that exist. */
#define FORM(SYMMETRIC, FOLDED, REDUCTION)                                                               \
    if ((data->lists.count == 2) == SYMMETRIC && (data->form.folded != 0) == FOLDED &&                   \
        data->form.reduction == REDUCTION)                                                               \
        return launch_form<SYMMETRIC, FOLDED, REDUCTION>(response, data, launch, step, frame, finish, n, \
                                                         crystal);

template <class Finish>
static sw_status launch_terms(sw_response *response, const sw_step_launch *launch, const sw_step *step,
                              const sw_shared_frame &frame, const Finish &finish, int64_t n,
                              const sw_crystal *crystal)
{
    const terms_data *data = (const terms_data *)response->data;
    FORM(true, true, SW_REDUCE_AND)
    FORM(false, true, SW_REDUCE_AND)
    FORM(true, false, SW_REDUCE_AND)
    FORM(false, false, SW_REDUCE_AND)
    if constexpr (Finish::OUTPUTS == SW_OUTPUTS) {
        FORM(false, false, SW_REDUCE_MODULO)
        FORM(false, false, SW_REDUCE_NONE)
    }
    return sw_error(SW_ERR_UNAVAILABLE, "terms: this form has no kernel");
}

template <class Finish>
static sw_status launch_terms(sw_response *response, const sw_step_launch *launch, const sw_step *step,
                              const sw_own_frame &frame, const Finish &finish, int64_t n,
                              const sw_crystal *crystal)
{
    const terms_data *data = ((const terms_data *)response->data)->each;
    FORM(true, false, SW_REDUCE_AND)
    FORM(false, false, SW_REDUCE_AND)
    return sw_error(SW_ERR_UNAVAILABLE, "terms: this form has no kernel");
}
#undef FORM

SW_STEP_LAUNCHES_OF_DATABASE(launch_terms)

extern "C" const sw_solver_functions sw_terms_cuda = {.open = open_terms,
                                                      .close = close_terms,
                                                      .prepare = prepare_terms,
                                                      .ready_each = ready_each,
                                                      .launch_step = launch_step,
                                                      .launch_evaluate = launch_evaluate};

sw_status sw_terms_reform_cuda(sw_response *response, sw_terms_form form)
{
    terms_data *data;
    SW_TRY(open_form(response, form, &data));
    close_terms(response);
    response->data = data;
    return SW_OK;
}

int64_t sw_terms_count_cuda(const sw_response *response)
{
    const terms_data *data = (const terms_data *)response->data;
    return data->lists.list[0].n_terms + data->lists.list[1].n_terms;
}
