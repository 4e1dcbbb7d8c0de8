/* The state of crystals, as data: orientation and slip resistance, which all have, and beside them what their solver
 * and their hardening law remember, numbers that a layout names. Who steps, copies or keeps crystals needs no more.
 * Dimensions: N crystals, K numbers of each beside its sw_crystal. */
#ifndef SLIPWAVE_CRYSTALS_H
#define SLIPWAVE_CRYSTALS_H

#include <stdint.h>

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { SW_CPU, SW_CUDA } sw_device;

/* 16 bytes a crystal. */
typedef struct {
    float euler[3];        /* Bunge angles, crystal -> sample, rad */
    float slip_resistance; /* s, Pa */
} sw_crystal;

/* ---- State ---- */

/* Some of the numbers that are remembered of a crystal. */
typedef struct {
    const char *name, *unit; /* "elastic_stress", "Pa" */
    int values;              /* how many */
    int is_double;           /* each takes the place of two floats; else of one */
} sw_state_field;

/* All of them, one field after the other. */
typedef struct {
    int numbers; /* K: floats of a crystal */
    int n_fields;
    const sw_state_field *field; /* [n_fields] */
} sw_state_layout;

/* Crystals of 8 bytes, in place of their sw_crystal: orientations to 4e-5 rad, slip resistances to 1e-4, both rounded up or down by
 * chance, which hangs on nothing but the crystal's number and the step's. An orientation is an equivalent of what it was. */
typedef struct {
    uint64_t *word;        /* [N], where crystals are; NULL: they are not packed */
    float middle, quantum; /* of log2(s / Pa): in the middle of its 2^16 levels, and from one to the next */
    int64_t first;         /* the number of the first crystal among all of its polycrystal's */
    int64_t step;          /* the number of the next step; who steps counts */
} sw_packed;

/* N crystals where their response computes: memory of the host or, for a GPU, its own, or the host's from where steps
 * stream them. Plain memory of the caller will do: what is made by sw_crystals_make is only that. */
typedef struct {
    sw_device device; /* the response's */
    int64_t n;
    const sw_state_layout *layout; /* borrowed: sw_response_layout */
    sw_crystal *crystal;           /* [N] */
    float *state;                  /* [N][K]; NULL where K is 0 */
    /* [N] for how much each counts in means: >= 0, not all 0; relative, best of the order of 1, as products with a weight
     * are in single precision; NULL: all alike */
    const float *weight;
    int borrowed;     /* crystal is the caller's: sw_crystals_release leaves it */
    sw_packed packed; /* what there is in place of `crystal`, which then is NULL */
} sw_crystals;

typedef struct sw_response sw_response;

/* Room for n crystals of a response, states 0, without weights: host memory for a CPU; for a GPU its own memory while
 * they fit, else page-locked host memory. SW_ERR_MEMORY. Release with sw_crystals_release, which takes a zeroed one too. */
SW_API sw_status sw_crystals_make(const sw_response *response, int64_t n, sw_crystals *crystals);
/* The same about crystals [n] and weights (NULL: all alike) that the caller has and keeps, begun as below. */
SW_API sw_status sw_crystals_of(const sw_response *response, int64_t n, sw_crystal *crystal,
                                const float *weight, sw_crystals *crystals);
/* Room for as many as others, packed where these are. */
SW_API sw_status sw_crystals_make_like(const sw_response *response, const sw_crystals *like,
                                       sw_crystals *crystals);
/* And of a solver that remembers nothing, a view of them: nothing is made. */
SW_API sw_crystals sw_crystals_alone(const sw_response *response, int64_t n, sw_crystal *crystal);
SW_API void sw_crystals_release(sw_crystals *crystals);

/* States of crystals without stress, for orientations and slip resistances as they are: 0, but of `iterative`. Crystals
 * that are filled after sw_crystals_make need it before their first step with that. */
SW_API sw_status sw_crystals_begin(const sw_response *response, sw_crystals *crystals);

/* Crystals into 8 bytes each, instead of 16, `first` the number of the first one; what they were in goes, unless it is the caller's, who
 * then need not keep it. For steps and means (not points) by Taylor's hypothesis of a solver with a table, `grid` or `tabulated`.
 * SW_ERR_UNAVAILABLE, by name, of any other; SW_ERR_RANGE for a slip resistance that is less than a 16th of the material's initial one, or
 * more than its limit, or, without a limit, 1,024 times that; SW_ERR_MEMORY. */
SW_API sw_status sw_crystals_pack(const sw_response *response, int64_t first, sw_crystals *crystals);
/* Packed crystals -> crystal [n], on the host or where they are, each in an equivalent orientation; and back, to the same bits. The latter:
 * SW_ERR_RANGE as above. */
SW_API sw_status sw_crystals_unpack(const sw_crystals *crystals, sw_crystal *crystal);
SW_API sw_status sw_crystals_repack(sw_crystals *crystals, const sw_crystal *crystal);

/* Those from number `first` on, n of them: a view, of which nothing is copied, nor to be released. */
SW_API sw_crystals sw_crystals_part(const sw_crystals *crystals, int64_t first, int64_t n);

/* Orientations, slip resistances and states of `from` into `to`, also from a GPU to the host. SW_ERR_RANGE for another
 * number or layout. */
SW_API sw_status sw_crystals_assign(sw_crystals *to, const sw_crystals *from);
/* Two change what they hold, without a copy; weights stay. The caller's array of sw_crystals_of is then held by the other
 * one, too: who swaps once swaps back, or says so to whoever owns the array. */
SW_API void sw_crystals_swap(sw_crystals *a, sw_crystals *b);

/* The temperature changes by so much, K, before a step: crystals expand as their material says, and their elastic strains are what
 * the shape that they have leaves of it. Pressure is who steps': 3 K times the mean expansion less (slipwave/response.h).
 * SW_ERR_UNAVAILABLE of a solver without elastic strains and a material without `thermal_expansion`. */
SW_API sw_status sw_crystals_heat(const sw_response *response, double change, sw_crystals *crystals);

/* States out and in as values [N][sw_state_values] on the host: to be kept, and to go on from elsewhere to the same
 * bits. SW_ERR_FORMAT for values that are not finite in single precision. */
SW_API int64_t sw_state_values(const sw_state_layout *layout);
SW_API sw_status sw_crystals_save(const sw_crystals *crystals, double *value);
SW_API sw_status sw_crystals_restore(sw_crystals *crystals, const double *value);

/* What a layout has under this name; NULL: nothing. */
SW_API const sw_state_field *sw_state_field_find(const sw_state_layout *layout, const char *name);
/* Means by weight of the numbers [values] of such a field, over at least one crystal; the same bits for any number
 * of threads. SW_ERR_RANGE where there is none; SW_ERR_MEMORY, of a GPU's. */
SW_API sw_status sw_crystals_mean(const sw_crystals *crystals, const char *field, double *mean);

/* ---- Crystals alone ---- */

/* Whether crystals that come from elsewhere can be: SW_ERR_RANGE for angles that are not finite and slip resistances that
 * are not above 0, or above 1e11 Pa; a warning (sw_listen) of an angle beyond two turns, which may be in degrees, or of a
 * slip resistance below 1e4 Pa, which may be in MPa. On the host. Runs (slipwave/taylor.h) ask it of theirs; a response
 * refuses and warns likewise, the latter once, among the first 1024 of a call, whose slip resistances may have grown up to
 * the material's saturation; numbers that are none have no answer there. */
SW_API sw_status sw_crystals_verify(int64_t n, const sw_crystal *crystal);

/* Room for n crystals: host memory for a CPU; for a GPU its own memory while they fit, else page-locked host
 * memory, from which steps stream them. SW_ERR_MEMORY. Release with sw_crystals_free. */
SW_API sw_status sw_crystals_allocate(sw_device device, int64_t n, sw_crystal **crystal);
SW_API void sw_crystals_free(sw_device device, sw_crystal *crystal);

/* "host", "GPU" or "host, streamed": where they are, for people. */
SW_API const char *sw_crystals_place(sw_device device, const sw_crystal *crystal);

/* Orientations number first .. first + n - 1 of a random texture: the same on every device, to the rounding
 * of single precision. slip_resistance: Pa. */
SW_API sw_status sw_crystals_randomise(sw_device device, int64_t n, sw_crystal *crystal, int64_t seed,
                                       int64_t first, float slip_resistance);

/* Copy n crystals between host memory and wherever others are. */
SW_API sw_status sw_crystals_copy(sw_device device, int64_t n, sw_crystal *to, const sw_crystal *from);

#ifdef __cplusplus
}
#endif

#endif
