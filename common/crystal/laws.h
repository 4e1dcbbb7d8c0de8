/* Hardening laws: how the slip resistance s grows with slip. A law is a header in laws/, included here, and a line of the
 * list. It has, for X(name),
 *
 *     sw_NAME                its constants, doubles
 *     SW_LAW_KEYS_NAME(KEY)  their keys in material files, with names of its own: KEY(NAME, member, least, most, the rest of an
 *                            sw_key)
 *     SW_LAW_HELP_NAME       its formula
 *     SW_LAW_LIMIT_NAME      the key of what s stays below, which is above s0; NULL: there is no limit
 *     sw_NAME_harden         s after the accumulated slip grows by `slip` >= 0: the law integrated exactly
 *     sw_NAME_rate           ds/dGamma at s, Pa
 *     sw_NAME_most           that limit, Pa; INFINITY
 *     sw_NAME_shift          the law whose curve begins at s0 + shift and is the same else; 0: it has no such numbers */
#ifndef SW_COMMON_CRYSTAL_LAWS_H
#define SW_COMMON_CRYSTAL_LAWS_H

#include "laws/voce.h"

/* Laws that a build adds: -DSW_LAW_EXTRA_FILE='"FILE"' -D'SW_LAW_EXTRA(X)=X(name)'. */
#ifdef SW_LAW_EXTRA_FILE
#include SW_LAW_EXTRA_FILE
#else
#define SW_LAW_EXTRA(X)
#endif

#define SW_LAW_LIST(X) \
    X(voce)            \
    SW_LAW_EXTRA(X)

#define SW_LAW_NUMBER(name) SW_LAW_##name,
typedef enum { SW_LAW_LIST(SW_LAW_NUMBER) SW_LAWS } sw_hardening_law;
#undef SW_LAW_NUMBER

#define SW_LAW_MEMBER(name) sw_##name name;
typedef struct {
    sw_hardening_law law;
    SW_LAW_LIST(SW_LAW_MEMBER) /* only that of `law` counts */
} sw_hardening;
#undef SW_LAW_MEMBER

#define SW_LAW_CASE(name)                \
    if (hardening->law == SW_LAW_##name) \
        return SW_LAW_CALL(name);

SW_HD static inline sw_real sw_harden(const sw_hardening *hardening, sw_real s, sw_real slip)
{
#define SW_LAW_CALL(name) sw_##name##_harden(&hardening->name, s, slip)
    SW_LAW_LIST(SW_LAW_CASE)
#undef SW_LAW_CALL
    return s;
}

SW_HD static inline sw_real sw_hardening_rate(const sw_hardening *hardening, sw_real s)
{
#define SW_LAW_CALL(name) sw_##name##_rate(&hardening->name, s)
    SW_LAW_LIST(SW_LAW_CASE)
#undef SW_LAW_CALL
    return sw_broadcast(0.0);
}

static inline double sw_hardening_most(const sw_hardening *hardening)
{
#define SW_LAW_CALL(name) sw_##name##_most(&hardening->name)
    SW_LAW_LIST(SW_LAW_CASE)
#undef SW_LAW_CALL
    return INFINITY;
}

static inline int sw_hardening_shift(sw_hardening *hardening, double shift)
{
#define SW_LAW_CALL(name) sw_##name##_shift(&hardening->name, shift)
    SW_LAW_LIST(SW_LAW_CASE)
#undef SW_LAW_CALL
    return 0;
}
#undef SW_LAW_CASE

#endif
