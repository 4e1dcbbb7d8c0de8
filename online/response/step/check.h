/* Whether crystals and arrays that a program gives can be meant: what cannot is refused, what is unlikely warned of. The
 * bounds: common/crystal/limits.h. */
#ifndef SW_ONLINE_RESPONSE_STEP_CHECK_H
#define SW_ONLINE_RESPONSE_STEP_CHECK_H

#include <stddef.h>

#include "slipwave/response.h"

/* sw_crystals_verify, with its warning where *told is 0, which is 1 after it: a crystal alone is told of. */
sw_status sw_check_crystals(int64_t n, const sw_crystal *crystal, int *told);

/* The same of the first crystals of a call, where they are on the host, between its steps: slip resistances may have grown
 * up to `most` (Pa) where that is more, and one above those that the material saturates at is warned of; what is no number
 * goes on, and has no answer. material: NULL: not known. */
sw_status sw_check_called(int64_t n, const sw_crystal *crystal, double most, const sw_material *material,
                          int *told);

/* Of angles [n][3] (rad): SW_ERR_RANGE beyond the largest, a warning, once, beyond two turns; what is no number is another's
 * to refuse. what: what they are of, for people. */
sw_status sw_check_angles(const char *what, int64_t n, const double (*euler)[3]);

/* SW_ERR_RANGE for a slip resistance (Pa) that is none. */
sw_status sw_check_resistance(const char *what, double slip_resistance);

/* SW_ERR_CONVERGENCE where crystals have failed. */
sw_status sw_check_failures(int64_t failed);

/* An array of a call: from where, and how much. */
typedef struct {
    const char *name;
    const void *at; /* NULL: none */
    size_t bytes;
} sw_extent;

/* Of n arrays the first `outputs` are written: SW_ERR_RANGE where one of these shares memory with any other. */
sw_status sw_check_apart(int outputs, int n, const sw_extent *array);

/* SW_ERR_UNAVAILABLE for a response whose crystals may not be packed. */
sw_status sw_check_packs(const sw_response *response);

/* States of crystals for a step: of the response's layout and device, as many; `to` (or NULL) is `from` or shares nothing
 * with it, nor with the n other arrays. SW_ERR_RANGE. */
sw_status sw_check_states(const sw_response *response, const sw_crystals *from, const sw_crystals *to, int n,
                          const sw_extent *other);

#endif
