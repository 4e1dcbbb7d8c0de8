/* Half spectra on a GPU, by cuFFT: spectra.h says what. */
#include "spectra.h"

#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cufft.h>

#include "online/gpu/sums.cuh"
#include "response_point.h"

/* Copied at a time. */
enum { CHUNK = 1 << 20 };

/* The grid's responses, and where they go. */
typedef struct {
    int64_t shape[4], row;             /* numbers of a padded row of theta */
    int64_t *point;                    /* [P] */
    double (*output)[SW_OUTPUTS_MOST]; /* [P][13] */
    sw_symmetries *symmetries;
    double *field[SW_OUTPUTS_MOST]; /* NULL: not that one */
} expansion;

/* Memory of the device but for the chunk. */
typedef struct {
    expansion grid;
    cufftHandle rest, first; /* transforms over the last three dimensions, and over the first */
    int planned;             /* how many of them there are */
    cufftDoubleComplex *room[SW_OUTPUTS_MOST]; /* [together], each [n0][n1][n2][half] */
    double *energy;                            /* [size], as on the CPU */
    double *partial;                           /* of sums */
    float (*coefficient)[2];                   /* [CHUNK] */
    sw_ranked *ranked;                         /* [CHUNK] */
    float (*chunk)[2];                         /* [CHUNK] the host's */
} spectra;

/* ---- Plans ---- */

static sw_status cufft_status(cufftResult result, const char *what)
{
    return result == CUFFT_SUCCESS
               ? SW_OK
               : sw_error(result == CUFFT_ALLOC_FAILED ? SW_ERR_MEMORY : SW_ERR_UNAVAILABLE,
                          "GPU: cuFFT: error %d (%s)", (int)result, what);
}
#define CUFFT_TRY(call) SW_TRY(cufft_status((call), #call))

/* Four dimensions, of which cuFFT takes three at a time. In place: rows of real numbers are padded. bytes: of work. */
static sw_status plan(const sw_half_spectrum *half, spectra *own, size_t bytes[2])
{
    long long n[4], real[3] = {half->n[1], half->n[2], 2 * half->half},
                    complex[3] = {half->n[1], half->n[2], half->half};
    const long long block = half->n[1] * half->n[2] * half->half;
    for (int d = 0; d < 4; d++)
        n[d] = half->n[d];
    CUFFT_TRY(cufftCreate(&own->rest));
    own->planned = 1;
    CUFFT_TRY(cufftCreate(&own->first));
    own->planned = 2;
    CUFFT_TRY(cufftMakePlanMany64(own->rest, 3, n + 1, real, 1, 2 * block, complex, 1, block, CUFFT_D2Z, n[0],
                                  &bytes[0]));
    CUFFT_TRY(cufftMakePlanMany64(own->first, 1, n, n, block, 1, n, block, 1, CUFFT_Z2Z, block, &bytes[1]));
    return SW_OK;
}

/* ---- Opening ---- */

static sw_status upload(const sw_response_grid *grid, const sw_half_spectrum *half, expansion *e)
{
    const size_t n = (size_t)grid->n_points;
    for (int d = 0; d < 4; d++)
        e->shape[d] = grid->shape[d];
    e->row = 2 * half->half;
    SW_TRY(SW_CUDA_ALLOCATE(e->point, n, "grid points"));
    SW_TRY(SW_CUDA_ALLOCATE(e->output, n, "responses"));
    SW_TRY(SW_CUDA_ALLOCATE(e->symmetries, 1, "symmetries"));
    SW_CUDA_TRY(cudaMemcpy(e->point, grid->point, n * sizeof *e->point, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(e->output, grid->output, n * sizeof *e->output, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(
        cudaMemcpy(e->symmetries, &grid->symmetries, sizeof grid->symmetries, cudaMemcpyHostToDevice));
    return SW_OK;
}

static sw_status open_cuda(sw_spectra *s)
{
    spectra *own;
    size_t bytes[2];
    SW_TRY(SW_ALLOCATE(own, 1, "spectra"));
    s->data = own;
    SW_TRY(SW_ALLOCATE(own->chunk, CHUNK, "coefficients"));
    SW_TRY(upload(s->grid, &s->half, &own->grid));
    for (int c = 0; c < s->together; c++)
        SW_TRY(SW_CUDA_ALLOCATE(own->room[c], s->half.size, "spectra"));
    SW_TRY(SW_CUDA_ALLOCATE(own->energy, s->half.size, "magnitudes"));
    SW_TRY(SW_CUDA_ALLOCATE(own->partial, SW_SUM_BLOCKS + 1, "sums"));
    SW_TRY(SW_CUDA_ALLOCATE(own->coefficient, CHUNK, "coefficients"));
    SW_TRY(SW_CUDA_ALLOCATE(own->ranked, CHUNK, "places of coefficients"));
    return plan(&s->half, own, bytes);
}

static void close_cuda(sw_spectra *s)
{
    spectra *own = (spectra *)s->data;
    if (own == NULL)
        return;
    if (own->planned > 0)
        cufftDestroy(own->rest);
    if (own->planned > 1)
        cufftDestroy(own->first);
    for (int c = 0; c < s->together; c++)
        cudaFree(own->room[c]);
    cudaFree(own->grid.point);
    cudaFree(own->grid.output);
    cudaFree(own->grid.symmetries);
    cudaFree(own->energy);
    cudaFree(own->partial);
    cudaFree(own->coefficient);
    cudaFree(own->ranked);
    free(own->chunk);
    free(own);
}

/* ---- Transforming ---- */

static sw_status transform_cuda(sw_spectra *s, int first, int count)
{
    spectra *own = (spectra *)s->data;
    expansion e = own->grid;
    s->first = first;
    s->count = count;
    for (int c = 0; c < count; c++)
        e.field[first + c] = (double *)own->room[c];
    SW_TRY(sw_each(s->grid->n_points, [=] __device__(int64_t p) {
        sw_point_expand(e.symmetries, e.shape, e.row, e.point[p], e.output[p], e.field);
    }));
    const double scale = 1.0 / ((double)s->half.n[0] * s->half.n[1] * s->half.n[2] * s->half.n[3]);
    for (int c = 0; c < count; c++) {
        cufftDoubleComplex *value = own->room[c];
        CUFFT_TRY(cufftExecD2Z(own->rest, (cufftDoubleReal *)value, value));
        CUFFT_TRY(cufftExecZ2Z(own->first, value, value, CUFFT_FORWARD));
        SW_TRY(sw_each(s->half.size, [=] __device__(int64_t i) {
            value[i] = make_double2(value[i].x * scale, value[i].y * scale);
        }));
    }
    return sw_cuda_status(cudaDeviceSynchronize(), "transform");
}

/* ---- How large wavevectors are ---- */

static __device__ double squared(cufftDoubleComplex a) { return a.x * a.x + a.y * a.y; }

static sw_status add_energies_cuda(sw_spectra *s)
{
    const spectra *own = (const spectra *)s->data;
    const sw_half_spectrum half = s->half;
    double *energy = own->energy;
    for (int c = 0; c < s->count; c++) {
        const cufftDoubleComplex *value = own->room[c];
        double variance;
        SW_TRY(sw_sum_over(
            half.size,
            [=] __device__(int64_t i) {
                return i > 0 ? sw_half_spectrum_weight(&half, i) * squared(value[i]) : 0.0;
            },
            own->partial, &variance));
        s->variance[s->first + c] = variance;
        if (variance > 0)
            SW_TRY(sw_each(half.size, [=] __device__(int64_t i) {
                if (sw_half_spectrum_weight(&half, i) != 0)
                    energy[i] += squared(value[i]) / variance;
            }));
    }
    return SW_OK;
}

/* ---- Ranking ---- */

/* Magnitudes and places, before and after, and what sorting takes. */
typedef struct {
    int64_t n;
    float *magnitude[2];
    uint32_t *place[2];
    void *work;
    size_t bytes;
} sorting;

static cudaError_t sort_with(sorting *w, void *work)
{
    return cub::DeviceRadixSort::SortPairsDescending(work, w->bytes, w->magnitude[0], w->magnitude[1],
                                                     w->place[0], w->place[1], w->n);
}

/* All wavevectors behind the mean, largest first; sorting by digits keeps the order of equal ones. */
static sw_status sort(sorting *w, const double *energy)
{
    for (int k = 0; k < 2; k++) {
        SW_TRY(SW_CUDA_ALLOCATE(w->magnitude[k], w->n, "magnitudes to sort"));
        SW_TRY(SW_CUDA_ALLOCATE(w->place[k], w->n, "places to sort"));
    }
    SW_TRY(sw_cuda_status(sort_with(w, NULL), "sorting"));
    SW_TRY(sw_cuda_allocate(&w->work, w->bytes, "work of sorting"));
    float *magnitude = w->magnitude[0];
    uint32_t *place = w->place[0];
    SW_TRY(sw_each(w->n, [=] __device__(int64_t i) {
        magnitude[i] = sw_magnitude_of(energy[i + 1]);
        place[i] = (uint32_t)(i + 1);
    }));
    return sw_cuda_status(sort_with(w, w->work), "sorting");
}

/* The first n of what was sorted, behind the mean: kept [1 + n]. */
static sw_status bring(const sorting *w, const double *energy, int64_t n, sw_ranked *kept)
{
    double mean;
    float *magnitude = NULL;
    uint32_t *place = NULL;
    sw_status status = SW_ALLOCATE(magnitude, n, "magnitudes");
    if (status == SW_OK)
        status = SW_ALLOCATE(place, n, "places");
    if (status == SW_OK)
        status = sw_cuda_status(cudaMemcpy(&mean, energy, sizeof mean, cudaMemcpyDeviceToHost), "mean");
    if (status == SW_OK)
        status = sw_cuda_status(
            cudaMemcpy(magnitude, w->magnitude[1], (size_t)n * sizeof *magnitude, cudaMemcpyDeviceToHost),
            "magnitudes");
    if (status == SW_OK)
        status = sw_cuda_status(
            cudaMemcpy(place, w->place[1], (size_t)n * sizeof *place, cudaMemcpyDeviceToHost), "places");
    if (status == SW_OK)
        kept[0] = {sw_magnitude_of(mean), 0};
    for (int64_t t = 0; t < n && status == SW_OK; t++)
        kept[1 + t] = {magnitude[t], place[t]};
    free(magnitude);
    free(place);
    return status;
}

static sw_status sort_and_bring(const spectra *own, sorting *w, int64_t pairs, sw_ranked **kept, int64_t *n)
{
    double count;
    SW_TRY(sort(w, own->energy));
    const float *magnitude = w->magnitude[1];
    SW_TRY(sw_sum_over(
        w->n, [=] __device__(int64_t i) { return magnitude[i] >= SW_NEGLIGIBLE ? 1.0 : 0.0; }, own->partial,
        &count));
    *n = 1 + (int64_t)count;
    if (pairs > 0 && pairs < *n)
        *n = pairs;
    SW_TRY(SW_ALLOCATE(*kept, *n, "ranking"));
    return bring(w, own->energy, *n - 1, *kept);
}

static sw_status rank_cuda(sw_spectra *s, int64_t pairs, sw_ranked **kept, int64_t *n)
{
    spectra *own = (spectra *)s->data;
    sorting w = {.n = s->half.size - 1};
    const sw_status status = sort_and_bring(own, &w, pairs, kept, n);
    for (int k = 0; k < 2; k++) {
        cudaFree(w.magnitude[k]);
        cudaFree(w.place[k]);
    }
    cudaFree(w.work);
    cudaFree(own->energy);
    own->energy = NULL;
    return status;
}

/* ---- Coefficients ---- */

static sw_status gather_cuda(const sw_spectra *s, int output, int64_t n, const sw_ranked *kept,
                             const sw_database *database)
{
    const spectra *own = (const spectra *)s->data;
    const cufftDoubleComplex *value = own->room[output - s->first];
    const sw_ranked *ranked = own->ranked;
    float(*of)[2] = own->coefficient;
    for (int64_t from = 0; from < n; from += CHUNK) {
        const int64_t left = n - from, count = left < (int64_t)CHUNK ? left : (int64_t)CHUNK;
        SW_CUDA_TRY(
            cudaMemcpy(own->ranked, kept + from, (size_t)count * sizeof *kept, cudaMemcpyHostToDevice));
        SW_TRY(sw_each(count, [=] __device__(int64_t t) {
            const cufftDoubleComplex a = value[ranked[t].index];
            of[t][0] = sw_flushed((float)a.x);
            of[t][1] = sw_flushed((float)a.y);
        }));
        SW_CUDA_TRY(cudaMemcpy(own->chunk, of, (size_t)count * sizeof *of, cudaMemcpyDeviceToHost));
        for (int64_t t = 0; t < count; t++)
            for (int part = 0; part < 2; part++)
                sw_database_coefficient(database, from + t, output)[part] = own->chunk[t][part];
    }
    return SW_OK;
}

/* ---- Memory ---- */

/* Of cuFFT's work as much as of two spectra; energies, and four numbers of sorting. */
static double memory_cuda(const sw_response_grid *grid, int64_t, int together)
{
    const double size = (double)sw_half_spectrum_of(grid->shape, grid->symmetries.fold).size;
    return (double)grid->n_points * (double)(sizeof *grid->output + sizeof *grid->point) +
           size * ((together + 2) * sizeof(cufftDoubleComplex) + sizeof(double) + 4 * sizeof(float)) +
           (double)CHUNK * (sizeof(sw_ranked) + 2 * sizeof(float));
}

static double available_cuda(void)
{
    size_t available = 0, total = 0;
    return cudaMemGetInfo(&available, &total) == cudaSuccess ? (double)available : 0;
}

const sw_spectra_functions sw_spectra_cuda = {
    .open = open_cuda,
    .transform = transform_cuda,
    .add_energies = add_energies_cuda,
    .rank = rank_cuda,
    .gather = gather_cuda,
    .close = close_cuda,
    .memory = memory_cuda,
    .available = available_cuda,
};
