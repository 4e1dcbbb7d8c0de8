#include "spectra.h"

#include <stdlib.h>
#include <string.h>

#include "common/math/transform.h"

int64_t sw_spectra_size(const sw_response_grid *grid)
{
    const int64_t *shape = grid->shape;
    return shape[0] * shape[1] * (shape[2] / grid->symmetries.fold) * (shape[3] / 2 + 1);
}

static sw_status make_room(sw_spectra *s)
{
    for (int c = 0; c < s->together; c++) {
        s->room[c] = fftwf_alloc_complex((size_t)s->size);
        if (s->room[c] == NULL)
            return sw_error(SW_ERR_MEMORY, "spectra: %.3g GB of memory refused",
                            s->together * 8e-9 * (double)s->size);
    }
    int n[4];
    for (int d = 0; d < 4; d++)
        n[d] = (int)s->n[d];
    return sw_transform_plan(4, n, 1, (float *)s->room[0], s->room[0], &s->plan);
}

sw_status sw_spectra_create(const sw_response_grid *grid, int together, sw_spectra *s)
{
    *s = (sw_spectra){.grid = grid, .together = together};
    memcpy(s->n, grid->shape, sizeof s->n);
    s->n[2] /= grid->symmetries.fold;
    s->half = s->n[3] / 2 + 1;
    s->size = sw_spectra_size(grid);
    if (s->size > UINT32_MAX)
        return sw_error(SW_ERR_RANGE, "grid: its half spectrum has %.3g wavevectors: need fewer than 2^32",
                        (double)s->size);
    return make_room(s);
}

void sw_spectra_destroy(sw_spectra *s)
{
    for (int c = 0; c < s->together; c++)
        fftwf_free(s->room[c]);
    sw_transform_destroy(s->plan);
    *s = (sw_spectra){0};
}

/* A transform a thread, each of one output: FFTW's own threads would make the bits depend on their
 * number. In place: rows are padded in the last dimension. */
static void transform(const sw_spectra *s, fftwf_complex *value)
{
    const int64_t rows = s->n[0] * s->n[1] * s->n[2], points = rows * s->n[3];
    float *field = (float *)value;
    for (int64_t r = rows - 1; r > 0; r--)
        memmove(field + r * 2 * s->half, field + r * s->n[3], (size_t)s->n[3] * sizeof *field);
    fftwf_execute_dft_r2c(s->plan, field, value);
    const float scale = (float)(1.0 / (double)points);
    for (int64_t i = 0; i < s->size; i++) {
        value[i][0] *= scale;
        value[i][1] *= scale;
    }
}

void sw_spectra_transform(sw_spectra *s, int first, int count)
{
    float *field[SW_OUTPUTS] = {NULL};
    s->first = first;
    s->count = count;
    for (int c = 0; c < count; c++)
        field[first + c] = (float *)s->room[c];
    sw_response_grid_expand(s->grid, field);
#pragma omp parallel for schedule(dynamic, 1)
    for (int c = 0; c < count; c++)
        transform(s, s->room[c]);
}

void sw_spectra_wavevector(const sw_spectra *s, int64_t index, int64_t k[4])
{
    const int64_t extent[4] = {s->n[0], s->n[1], s->n[2], s->half};
    for (int d = 3; d >= 0; d--) {
        const int64_t j = index % extent[d];
        index /= extent[d];
        k[d] = 2 * j > s->n[d] ? j - s->n[d] : j;
        if (d == 2)
            k[d] *= s->grid->symmetries.fold;
    }
}

int sw_spectra_weight(const sw_spectra *s, int64_t index)
{
    int64_t k[4], mirror = 0;
    sw_spectra_wavevector(s, index, k);
    if (k[3] != 0 && 2 * k[3] != s->n[3])
        return 2; /* its conjugate is in the half that is not stored */
    const int64_t extent[4] = {s->n[0], s->n[1], s->n[2], s->half};
    for (int d = 0; d < 4; d++) {
        const int64_t j =
            d == 3 ? k[3]
                   : ((d == 2 ? -k[2] / s->grid->symmetries.fold : -k[d]) % s->n[d] + s->n[d]) % s->n[d];
        mirror = mirror * extent[d] + j;
    }
    return mirror == index ? 1 : mirror > index ? 2 : 0;
}
