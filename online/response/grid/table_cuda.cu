#include "common/math/lanes_float.h"

#include "table_cuda.h"

#include <cufft.h>

#include <cmath>
#include <cstdlib>

#include "online/gpu/launch.cuh"
#include "common/database/response_table.h"
#include "common/math/rotation.h"
#include "table_view.cuh"

/* Dimensions: T terms, M their images (fold.h), K distinct wavevectors, 9 outputs, or 13. */
struct sw_table_cuda {
    sw_fold fold; /* which terms share a wavevector; its coefficients are not used */
    double theta; /* of the table; NaN at first */
    sw_table_shape shape;
    int32_t n[3];       /* of the transform: of phi2 its period */
    int half;           /* largest wavenumber of theta */
    float stress_scale; /* of stresses of `each`: what they are stored over, so that they are of order 1 */
    double (*factor)[2];
    cufftHandle plan;
    int has_plan;
    /* on the device */
    float (*coefficient)[SW_OUTPUTS][2];         /* [T][9][2], weights included */
    float (*planes)[SW_PLANE_OUTPUTS][2];        /* [T][4][2] likewise; NULL: the database has none */
    int16_t *wavenumber4;                        /* [T] of theta */
    sw_fold_image *image;                        /* [M] */
    int64_t *first;                              /* [K + 1] */
    int16_t (*wavevector)[3];                    /* [K] */
    double (*device_factor)[2];                  /* [2 half + 1] */
    float (*folded)[SW_OUTPUTS][2];              /* [K][9][2] */
    float (*folded_planes)[SW_PLANE_OUTPUTS][2]; /* [K][4][2] */
    float2 *spectrum;                            /* [n0][n1][n2/2 + 1] of one output */
    float *field;                                /* [n0][n1][n2] */
    sw_table_store store;                        /* of theta; entries [turn0/4 + 1][turn1/4 + 1][period] */
    sw_table_half_entry *each; /* [points of theta][as those]; NULL before it is asked for */
};

enum { THREADS = 256 };

sw_table_view sw_table_view_cuda(const sw_table_cuda *t)
{
    sw_table_view view = sw_table_view_of(t->shape, &t->store);
    view.each = t->each;
    view.stress_scale = t->stress_scale;
    view.layers = (int)t->fold.database->shape[3];
    return view;
}

/* The series' fourth dimension summed at one theta: a thread each for wavevector and output. */
template <int OUTPUTS>
__global__ static void fold_terms(int64_t wavevectors, const int64_t *first, const sw_fold_image *image,
                                  const int16_t *wavenumber4, const float (*coefficient)[OUTPUTS][2],
                                  int half, const double (*factor)[2], float (*folded)[OUTPUTS][2])
{
    SW_GRID_STRIDE (i, wavevectors * OUTPUTS) {
        const int64_t k = i / OUTPUTS;
        const int c = (int)(i % OUTPUTS);
        double re = 0, im = 0;
        for (int64_t m = first[k]; m < first[k + 1]; m++) {
            const int32_t t = image[m].term;
            const double *e = factor[wavenumber4[t] + half], flip = image[m].share, weight = fabs(flip);
            const double a = coefficient[t][c][0], b = coefficient[t][c][1];
            re += weight * (a * e[0] - b * e[1]);
            im += flip * (a * e[1] + b * e[0]);
        }
        folded[k][c][0] = (float)re;
        folded[k][c][1] = (float)im;
    }
}

/* Half of c exp(i k.x) at k and its conjugate at -k, in the half spectrum. Images of one term may meet at
 * half a grid length: their parts are the same number, so that the order of the additions does not show. */
template <int OUTPUTS>
__global__ static void scatter(int64_t wavevectors, const int16_t (*wavevector)[3],
                               const float (*folded)[OUTPUTS][2], int output, int fold, int n0, int n1,
                               int n2, float2 *spectrum)
{
    SW_GRID_STRIDE (i, 2 * wavevectors) {
        const int64_t k = i / 2;
        const int sign = i % 2 ? -1 : 1;
        const int j0 = ((sign * wavevector[k][0]) % n0 + n0) % n0,
                  j1 = ((sign * wavevector[k][1]) % n1 + n1) % n1;
        const int j2 = ((sign * (wavevector[k][2] / fold)) % n2 + n2) % n2;
        if (j2 > n2 / 2)
            continue; /* the other half is implied */
        float2 *at = &spectrum[((int64_t)j0 * n1 + j1) * (n2 / 2 + 1) + j2];
        atomicAdd(&at->x, 0.5F * folded[k][output][0]);
        atomicAdd(&at->y, 0.5F * (float)sign * folded[k][output][1]);
    }
}

/* One output of every entry: the zone's part of a transform. */
__global__ static void take_zone(const float *field, int n0, int n1, int n2, float *answer)
{
    const int rows = n0 / 4 + 1, columns = n1 / 4 + 1;
    SW_GRID_STRIDE (i, (int64_t)rows * columns * n2) {
        const int64_t k = i % n2, j = i / n2 % columns, row = i / n2 / columns;
        answer[i] = field[(row * n1 + j) * n2 + k];
    }
}

template <class T> static sw_status upload(T **device, const T *host, int64_t n, const char *what)
{
    SW_TRY(SW_CUDA_ALLOCATE(*device, n, what));
    SW_CUDA_TRY(cudaMemcpy(*device, host, (size_t)n * sizeof(T), cudaMemcpyHostToDevice));
    return SW_OK;
}

static sw_status upload_terms(sw_table_cuda *t)
{
    typedef float nine[SW_OUTPUTS][2];
    typedef float four[SW_PLANE_OUTPUTS][2];
    const sw_database *database = t->fold.database;
    const int64_t terms = t->fold.n_pairs, wavevectors = t->fold.n_wavevectors,
                  images = t->fold.first[wavevectors];
    nine *weighted = NULL;
    four *planes = NULL;
    int16_t *fourth = NULL;
    sw_status status = SW_ALLOCATE(weighted, terms, "terms for the GPU");
    if (status == SW_OK)
        status = SW_ALLOCATE(fourth, terms, "terms for the GPU");
    if (status == SW_OK && database->planes != NULL)
        status = SW_ALLOCATE(planes, terms, "terms for the GPU");
    for (int64_t i = 0; i < terms && status == SW_OK; i++) {
        fourth[i] = database->wavevector[i][3];
        for (int k = 0; k < 2 * SW_PLANE_OUTPUTS && planes != NULL; k++)
            planes[i][k / 2][k % 2] = database->weight[i] * database->planes[i][k / 2][k % 2];
        for (int c = 0; c < SW_OUTPUTS; c++)
            for (int part = 0; part < 2; part++)
                weighted[i][c][part] = database->weight[i] * database->coefficient[i][c][part];
    }
    status = status ? status : upload(&t->coefficient, weighted, terms, "coefficients");
    status = status ? status : upload(&t->wavenumber4, fourth, terms, "wavenumbers");
    status = status ? status : upload(&t->image, t->fold.image, images, "folded terms");
    status = status ? status : upload(&t->first, t->fold.first, wavevectors + 1, "folded terms");
    status = status ? status : upload(&t->wavevector, t->fold.wavevector, wavevectors, "folded wavevectors");
    status = status ? status : SW_CUDA_ALLOCATE(t->folded, wavevectors, "folded coefficients");
    if (planes != NULL) {
        status = status ? status : upload(&t->planes, planes, terms, "coefficients");
        status = status ? status : SW_CUDA_ALLOCATE(t->folded_planes, wavevectors, "folded coefficients");
    }
    free(weighted);
    free(planes);
    free(fourth);
    return status;
}

static int64_t spectrum_size(const sw_table_cuda *t)
{
    return (int64_t)t->n[0] * t->n[1] * (t->n[2] / 2 + 1);
}

static sw_status make_room(sw_table_cuda *t, int linear)
{
    const int64_t points = (int64_t)t->n[0] * t->n[1] * t->n[2];
    const sw_table_shape shape = t->shape;
    t->half = (int)(t->fold.database->shape[3] / 2);
    SW_TRY(SW_ALLOCATE(t->factor, 2 * t->half + 1, "factors of theta"));
    SW_TRY(SW_CUDA_ALLOCATE(t->device_factor, 2 * t->half + 1, "factors of theta"));
    SW_TRY(SW_CUDA_ALLOCATE(t->spectrum, spectrum_size(t), "spectrum of a response table"));
    SW_TRY(SW_CUDA_ALLOCATE(t->field, points, "transform of a response table"));
    SW_TRY(sw_table_store_open(sw_table_entries(shape), t->planes ? SW_OUTPUTS_MOST : SW_OUTPUTS, linear,
                               &t->store));
    if (cufftPlan3d(&t->plan, t->n[0], t->n[1], t->n[2], CUFFT_C2R) != CUFFT_SUCCESS)
        return sw_error(SW_ERR_MEMORY, "GPU: cuFFT cannot plan a transform of %d x %d x %d", t->n[0], t->n[1],
                        t->n[2]);
    t->has_plan = 1;
    return SW_OK;
}

sw_status sw_table_open_cuda(const sw_database *database, int64_t refinement, int linear,
                             sw_table_cuda **opened)
{
    sw_table_cuda *t;
    int64_t turn[3];
    const int fold = sw_material_lattice(&database->material)->group->fold;
    sw_response_table_lengths(database, refinement, turn);
    *opened = NULL;
    if ((double)turn[0] * (double)turn[1] * (double)turn[2] / fold > 1 << 30)
        return sw_error(
            SW_ERR_RANGE,
            "refinement = %lld: a table of %lld x %lld x %lld points a turn: need at most 2^30 of "
            "phi2's period",
            (long long)refinement, (long long)turn[0], (long long)turn[1], (long long)turn[2]);
    SW_TRY(SW_ALLOCATE(t, 1, "response table"));
    *opened = t;
    t->theta = NAN;
    t->stress_scale =
        (float)pow(database->material.slip.reference_slip_rate, -database->material.slip.rate_sensitivity);
    t->shape = sw_table_shape_of(turn, fold);
    t->n[0] = t->shape.turn[0];
    t->n[1] = t->shape.turn[1];
    t->n[2] = t->shape.period;
    SW_TRY(sw_fold_create(database, database->n_pairs, &t->fold));
    SW_TRY(upload_terms(t));
    return make_room(t, linear);
}

void sw_table_close_cuda(sw_table_cuda *t)
{
    if (t == NULL)
        return;
    sw_fold_destroy(&t->fold);
    free(t->factor);
    if (t->has_plan)
        cufftDestroy(t->plan);
    cudaFree(t->coefficient);
    cudaFree(t->wavenumber4);
    cudaFree(t->image);
    cudaFree(t->first);
    cudaFree(t->wavevector);
    cudaFree(t->device_factor);
    cudaFree(t->folded);
    cudaFree(t->planes);
    cudaFree(t->folded_planes);
    cudaFree(t->spectrum);
    cudaFree(t->field);
    sw_table_store_close(&t->store);
    cudaFree(t->each);
    free(t);
}

/* At the factors that are on the device: outputs of coefficient [T][OUTPUTS][2], from number `first` on of the entries. */
template <int OUTPUTS>
static sw_status prepare_outputs(sw_table_cuda *t, int first, const float (*coefficient)[OUTPUTS][2],
                                 float (*folded)[OUTPUTS][2])
{
    const int64_t wavevectors = t->fold.n_wavevectors;
    const sw_table_shape shape = t->shape;
    fold_terms<OUTPUTS><<<sw_blocks_for(wavevectors * OUTPUTS, THREADS), THREADS>>>(
        wavevectors, t->first, t->image, t->wavenumber4, coefficient, t->half, t->device_factor, folded);
    SW_CUDA_TRY_LAUNCH();
    for (int c = 0; c < OUTPUTS; c++) {
        SW_CUDA_TRY(cudaMemsetAsync(t->spectrum, 0, (size_t)spectrum_size(t) * sizeof *t->spectrum));
        scatter<OUTPUTS><<<sw_blocks_for(2 * wavevectors, THREADS), THREADS>>>(
            wavevectors, t->wavevector, folded, c, shape.fold, t->n[0], t->n[1], t->n[2], t->spectrum);
        SW_CUDA_TRY_LAUNCH();
        if (cufftExecC2R(t->plan, (cufftComplex *)t->spectrum, t->field) != CUFFT_SUCCESS)
            return sw_error(SW_ERR_UNAVAILABLE, "GPU: cuFFT failed on a transform of %d x %d x %d", t->n[0],
                            t->n[1], t->n[2]);
        take_zone<<<sw_blocks_for(t->store.entries, THREADS), THREADS>>>(
            t->field, t->n[0], t->n[1], t->n[2], t->store.answer + (first + c) * t->store.entries);
        SW_CUDA_TRY_LAUNCH();
    }
    return SW_OK;
}

/* The answers of theta, as they are. */
static sw_status find_answers(sw_table_cuda *t, double theta)
{
    t->theta = NAN;
    sw_fold_factors(&t->fold, theta, t->factor);
    SW_CUDA_TRY(cudaMemcpy(t->device_factor, t->factor, (size_t)(2 * t->half + 1) * sizeof *t->factor,
                           cudaMemcpyHostToDevice));
    SW_TRY(prepare_outputs<SW_OUTPUTS>(t, 0, t->coefficient, t->folded));
    if (t->planes != NULL)
        SW_TRY(prepare_outputs<SW_PLANE_OUTPUTS>(t, SW_OUTPUTS, t->planes, t->folded_planes));
    return SW_OK;
}

sw_status sw_table_prepare_cuda(sw_table_cuda *t, double theta)
{
    if (t->theta == theta)
        return SW_OK;
    SW_TRY(find_answers(t, theta));
    SW_TRY(sw_table_store_pack(&t->store));
    t->theta = theta;
    return SW_OK;
}

sw_status sw_table_each_cuda(sw_table_cuda *t)
{
    const int64_t layers = t->fold.database->shape[3], entries = t->store.entries;
    if (t->each != NULL)
        return SW_OK;
    SW_TRY(SW_CUDA_ALLOCATE(t->each, layers * entries, "response table of four dimensions"));
    sw_status status = SW_OK;
    for (int64_t i = 0; i < layers && status == SW_OK; i++) {
        status = find_answers(t, 2 * SW_PI * (double)i / (double)layers);
        if (status == SW_OK)
            status = sw_table_store_halves(&t->store, SW_OUTPUTS, t->stress_scale, t->each + i * entries);
    }
    if (status == SW_OK)
        status = sw_cuda_status(cudaDeviceSynchronize(), "response table of four dimensions");
    if (status != SW_OK) {
        cudaFree(t->each);
        t->each = NULL;
    }
    return status;
}
