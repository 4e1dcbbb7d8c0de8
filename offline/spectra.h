/* Half spectra of the outputs, on CPU or GPU: all of them together or, where memory is short, some at a time; how large
 * wavevectors are, and which are the largest. Malahe 2018, section 2.3. */
#ifndef SW_OFFLINE_SPECTRA_H
#define SW_OFFLINE_SPECTRA_H

#include <math.h>

#include "common/database/database.h"
#include "response_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Places of a half spectrum over the grid, phi2 reduced to its period; the other half is conjugate ---- */

typedef struct {
    int64_t n[4]; /* of the reduced field */
    int64_t half; /* n3/2 + 1 */
    int64_t size; /* complex values: n0 n1 n2 half */
    int fold;     /* periods of phi2 in a turn */
} sw_half_spectrum;

static inline sw_half_spectrum sw_half_spectrum_of(const int64_t shape[4], int fold)
{
    const int64_t half = shape[3] / 2 + 1;
    return (sw_half_spectrum){{shape[0], shape[1], shape[2] / fold, shape[3]},
                              half,
                              shape[0] * shape[1] * (shape[2] / fold) * half,
                              fold};
}

/* Signed wavevector of a place; k2 counts in the full grid's units. */
SW_HD static inline void sw_half_spectrum_wavevector(const sw_half_spectrum *s, int64_t index, int64_t k[4])
{
    const int64_t extent[4] = {s->n[0], s->n[1], s->n[2], s->half};
    for (int d = 3; d >= 0; d--) {
        const int64_t j = index % extent[d];
        index /= extent[d];
        k[d] = 2 * j > s->n[d] ? j - s->n[d] : j;
        if (d == 2)
            k[d] *= s->fold;
    }
}

/* 2: one of a pair and kept; 1: its own conjugate; 0: the other one of a pair is kept. */
SW_HD static inline int sw_half_spectrum_weight(const sw_half_spectrum *s, int64_t index)
{
    const int64_t k3 = index % s->half;
    if (k3 != 0 && 2 * k3 != s->n[3])
        return 2; /* its conjugate is in the half that is not stored */
    int64_t rest = index / s->half, mirror = k3, stride = s->half;
    for (int d = 2; d >= 0; d--) {
        const int64_t n = s->n[d], j = rest % n;
        mirror += (j > 0 ? n - j : 0) * stride;
        stride *= n;
        rest /= n;
    }
    return mirror == index ? 1 : mirror > index ? 2 : 0;
}

/* ---- Spectra ---- */

typedef struct {
    float magnitude;
    uint32_t index; /* in a half spectrum */
} sw_ranked;

typedef struct sw_spectra sw_spectra;

/* A device's. Every status of its memory. */
typedef struct {
    /* Room for `together` outputs; none is there yet. close follows, failed or not. */
    sw_status (*open)(sw_spectra *s);
    /* Transform outputs first .. first + count - 1, count <= together, in place of those that are there. The same bits for any
     * number of threads, and whatever is transformed together. */
    sw_status (*transform)(sw_spectra *s, int first, int count);
    /* Of the outputs that are there: variances, and what they add to the energy of each wavevector, |coefficient|^2 / variance. */
    sw_status (*add_energies)(sw_spectra *s);
    /* The mean, and behind it the pairs - 1 largest wavevectors (pairs = 0: all) that are not negligible, largest first and equal
     * ones by place: kept [n], released with free(). One of each pair of conjugates. Energies are used up. */
    sw_status (*rank)(sw_spectra *s, int64_t pairs, sw_ranked **kept, int64_t *n);
    /* Coefficients of n pairs, of an output that is there, into the database's. */
    sw_status (*gather)(const sw_spectra *s, int output, int64_t n, const sw_ranked *kept,
                        const sw_database *database);
    void (*close)(sw_spectra *s);
    /* Bytes that all of this takes of the device, the grid's responses with it, and how many are free, 0: not known. */
    double (*memory)(const sw_response_grid *grid, int64_t pairs, int together);
    double (*available)(void);
} sw_spectra_functions;

extern const sw_spectra_functions sw_spectra_cpu, sw_spectra_cuda;

struct sw_spectra {
    const sw_response_grid *grid; /* borrowed */
    const sw_spectra_functions *functions;
    sw_half_spectrum half;
    int together;                     /* outputs that there is room for, 1 to C */
    int first, count;                 /* outputs that are there: first .. first + count - 1 */
    double variance[SW_OUTPUTS_MOST]; /* of the whole field */
    void *data;                       /* the device's */
};

/* Of variance 1. Wavevectors that symmetry forbids come out of the single precision transform below this; the
 * smallest allowed ones of a 128^3 x 96 grid are a hundred times larger. */
#define SW_NEGLIGIBLE 1e-9F

SW_HD static inline float sw_magnitude_of(double energy) { return (float)sqrt(energy); }
SW_HD static inline double sw_squared(const float a[2]) { return (double)a[0] * a[0] + (double)a[1] * a[1]; }

/* Zero what is far below round-off: symmetry's zeros come out of the transform as subnormal numbers, each of
 * which costs an evaluation a hundred times an ordinary multiplication. */
SW_HD static inline float sw_flushed(float x) { return fabsf(x) < 1e-20F ? 0 : x; }

/* SW_ERR_RANGE for a spectrum of 2^32 wavevectors or more. Release with sw_spectra_destroy, failed or not. */
sw_status sw_spectra_create(const sw_response_grid *grid, int gpu, int together, sw_spectra *s);
void sw_spectra_destroy(sw_spectra *s);

static inline const sw_spectra_functions *sw_spectra_on(int gpu)
{
    return gpu ? &sw_spectra_cuda : &sw_spectra_cpu;
}

#ifdef __cplusplus
}
#endif

#endif
