/* Whether crystals and arrays that a program gives can be meant: what cannot is refused, what is unlikely warned of. The
 * bounds: common/crystal/limits.h. */
#ifndef SW_ONLINE_RESPONSE_STEP_CHECK_H
#define SW_ONLINE_RESPONSE_STEP_CHECK_H

#include <stddef.h>

#include "slipwave/response.h"

/* Of the first crystals that are on the host: SW_ERR_RANGE for angles and slip resistances beyond what any can be; a
 * warning, once where *told is 0, of angles beyond two turns, slip resistances far below what metals have, or above those
 * that the material saturates at. What is no number has no answer. material: NULL: not known. */
sw_status sw_doubt_crystals(int64_t n, const sw_crystal *crystal, const sw_material *material, int *told);

/* Warn of angles [n][3] beyond two turns (rad), once. what: what they are of, for people. */
void sw_doubt_angles(const char *what, int64_t n, const double (*euler)[3]);

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

/* States of crystals for a step: of the response's layout and device, as many; `to` (or NULL) is `from` or shares nothing
 * with it, nor with the n other arrays. SW_ERR_RANGE. */
sw_status sw_check_states(const sw_response *response, const sw_crystals *from, const sw_crystals *to, int n,
                          const sw_extent *other);

#endif
