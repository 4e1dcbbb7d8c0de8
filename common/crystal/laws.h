/* Hardening laws: how slip resistances grow with slip. A law is a header in laws/, included here, and a line of one of two
 * lists.
 *
 * With one resistance s for all systems, or for all in fixed ratios (SW_LAW_LIST), X(name) has
 *
 *     sw_NAME                its constants, doubles
 *     SW_LAW_KEYS_NAME(KEY)  their keys in material files, with names of its own: KEY(NAME, member, least, most, the rest of an
 *                            sw_key)
 *     SW_LAW_HELP_NAME       its formula
 *     SW_LAW_LIMIT_NAME      the key of what s stays below, which is above s0; NULL: there is no limit
 *     sw_NAME_harden         s after the accumulated slip grows by `slip` >= 0: the law integrated exactly
 *     sw_NAME_rate           ds/dGamma at s, Pa
 *     sw_NAME_most           that limit, Pa; INFINITY
 *     sw_NAME_shift          the law whose curve begins at s0 + shift and is the same else; 0: it has no such numbers
 *
 * With a resistance of every system (SW_LAW_SYSTEMS_LIST) its constants are numbers of families, of SW_LAW_NUMBERS, and it has
 *
 *     SW_LAW_HELP_NAME       its formula
 *     SW_LAW_SLIP_NAME       numbers that families of slip need, between blanks ...
 *     SW_LAW_TWIN_NAME       ... and those of twins
 *     SW_LAW_FILL_NAME       whether twins slip in what they leave of the crystal, 1 - f
 *     SW_LAW_MAY_NAME        numbers of families of slip that may be absent, and then are 0 ...
 *     SW_LAW_TWIN_MAY_NAME   ... and of those of twins
 *     sw_NAME_harden(law, k, g, step)   resistance of group k at the end of a step that g begins, Pa (slip_law.h)
 *
 * With a structure of every group (SW_LAW_STRUCTURE_LIST), of which resistances are made at a temperature and a rate, it has these
 * macros as well, no sw_NAME_harden, and
 *
 *     SW_LAW_STATE_NAME         its name and unit in states of crystals
 *     SW_LAW_SHARED_NAME        those of a number that a crystal has beside, or NULL, NULL
 *     SW_LAW_BEGIN_NAME         the place of the family's number that the structure begins with ...
 *     SW_LAW_SHARED_BEGIN_NAME  ... and of that of the first family for what is shared, or -1
 *     sw_NAME_at(T, number)     a family's numbers as they are at a temperature, K
 *     sw_NAME_resist(law, state)               resistances of a state, at its rate
 *     sw_NAME_grow(law, k, old, slip, next)    next's structure of group k after so much slip that hardens it; what is shared grows
 *                                              from group to group */
#ifndef SW_COMMON_CRYSTAL_LAWS_H
#define SW_COMMON_CRYSTAL_LAWS_H

#include "laws/slip_law.h"

#include "laws/extended_voce.h"
#include "laws/kocks_mecking.h"
#include "laws/mts.h"
#include "laws/phenopowerlaw.h"
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

#ifndef SW_LAW_SYSTEMS_EXTRA
#define SW_LAW_SYSTEMS_EXTRA(X)
#endif

#define SW_LAW_SYSTEMS_LIST(X) \
    X(phenopowerlaw)           \
    X(extended_voce)           \
    SW_LAW_SYSTEMS_EXTRA(X)

#ifndef SW_LAW_STRUCTURE_EXTRA
#define SW_LAW_STRUCTURE_EXTRA(X)
#endif

#define SW_LAW_STRUCTURE_LIST(X) \
    X(kocks_mecking)             \
    X(mts)                       \
    SW_LAW_STRUCTURE_EXTRA(X)

/* All whose constants are families'. */
#define SW_LAW_FAMILIES_LIST(X) SW_LAW_SYSTEMS_LIST(X) SW_LAW_STRUCTURE_LIST(X)

/* Those with one resistance come first, those with a structure last. */
#define SW_LAW_NUMBER(name) SW_LAW_##name,
typedef enum {
    SW_LAW_LIST(SW_LAW_NUMBER) SW_LAWS_OF_ONE,
    SW_LAW_BEFORE_SYSTEMS = SW_LAWS_OF_ONE - 1,
    SW_LAW_SYSTEMS_LIST(SW_LAW_NUMBER) SW_LAWS_WITHOUT_STRUCTURE,
    SW_LAW_BEFORE_STRUCTURE = SW_LAWS_WITHOUT_STRUCTURE - 1,
    SW_LAW_STRUCTURE_LIST(SW_LAW_NUMBER) SW_LAWS
} sw_hardening_law;
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

/* ---- A resistance of every system ---- */

SW_HD static inline void sw_load_floats(const float *from, sw_real *to)
{
#ifdef SW_SINGLE
    memcpy(to, from, sizeof *to);
#else
    for (int lane = 0; lane < SW_LANES; lane++)
        sw_set_lane(to, lane, from[lane]);
#endif
}

SW_HD static inline void sw_store_floats(sw_real from, float *to)
{
#ifdef SW_SINGLE
    memcpy(to, &from, sizeof from);
#else
    for (int lane = 0; lane < SW_LANES; lane++)
        to[lane] = (float)sw_lane(from, lane);
#endif
}

SW_HD static inline sw_real sw_slip_law_grow(const sw_slip_law *law, int k, sw_real g,
                                             const sw_law_step *step)
{
#define SW_LAW_SYSTEMS_CASE(name)  \
    if (law->law == SW_LAW_##name) \
        return sw_##name##_harden(law, k, g, step);
    SW_LAW_SYSTEMS_LIST(SW_LAW_SYSTEMS_CASE)
#undef SW_LAW_SYSTEMS_CASE
    return g;
}

/* Resistances of a state with a structure, at its rate. */
SW_HD static inline void sw_slip_law_resist(const sw_slip_law *law, sw_slip_state *state)
{
#define SW_LAW_STRUCTURE_CASE(name) \
    if (law->law == SW_LAW_##name)  \
        sw_##name##_resist(law, state);
    SW_LAW_STRUCTURE_LIST(SW_LAW_STRUCTURE_CASE)
#undef SW_LAW_STRUCTURE_CASE
}

/* A state as a step begins, of a rate ||D|| (1/s): to be done before its resistances are looked at. */
SW_HD static inline void sw_slip_state_at(const sw_slip_law *law, sw_real rate, sw_slip_state *state)
{
    state->rate = sw_broadcast(0.81649658092772603) * rate; /* von Mises' */
    if (sw_slip_law_is_structured(law))
        sw_slip_law_resist(law, state);
}

SW_HD static inline void sw_slip_law_grow_structure(const sw_slip_law *law, int k, const sw_slip_state *old,
                                                    sw_real slip, sw_slip_state *next)
{
#define SW_LAW_STRUCTURE_CASE(name) \
    if (law->law == SW_LAW_##name)  \
        sw_##name##_grow(law, k, old, slip, next);
    SW_LAW_STRUCTURE_LIST(SW_LAW_STRUCTURE_CASE)
#undef SW_LAW_STRUCTURE_CASE
}

/* What a crystal of mean resistance s begins with: number [G + F]. */
SW_HD static inline void sw_slip_law_begin(const sw_slip_law_start *start, float s, float *number)
{
    for (int k = 0; k < start->groups; k++)
        number[k] = start->structured ? start->ratio[k] : start->ratio[k] * s;
    const int all = sw_slip_law_numbers(start);
    for (int k = start->groups; k < all; k++)
        number[k] = 0;
    if (start->shared)
        number[all - start->transfers - start->backs - 1] = start->begin_shared;
}

/* Where back-stresses begin among a crystal's numbers. */
SW_HD static inline int sw_slip_law_at_back(const sw_slip_law *law)
{
    return (law->scales ? 0 : law->groups) + law->families +
           (law->variants > 0 ? law->variants + law->families : 0) + law->shared;
}

/* A crystal's, or a bundle's, from its numbers [G + F], or [F] where one resistance scales them, and back; s: the mean. With a
 * structure its resistances are those of sw_slip_state_at. */
SW_HD static inline void sw_slip_state_load(const sw_slip_law *law, sw_real s,
                                            const float (*number)[SW_LANES], sw_slip_state *state)
{
    const int own = law->scales ? 0 : law->groups;
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        if (law->scales)
            state->g[k] = law->ratio[k] * s;
        else
            sw_load_floats(number[k], sw_slip_law_is_structured(law) ? &state->structure[k] : &state->g[k]);
    SW_ROLLED
    for (int f = 0; f < law->families; f++)
        sw_load_floats(number[own + f], &state->slipped[f]);
    SW_ROLLED
    for (int v = 0; v < law->variants; v++)
        sw_load_floats(number[own + law->families + v], &state->variant[v]);
    SW_ROLLED
    for (int f = 0; f < law->families && law->variants > 0; f++)
        sw_load_floats(number[own + law->families + law->variants + f], &state->turned[f]);
    if (SW_LAW_ALL && law->shared)
        sw_load_floats(number[sw_slip_law_at_back(law) - 1], &state->shared);
    SW_ROLLED
    for (int b = 0; SW_LAW_ALL && b < law->backs; b++)
        sw_load_floats(number[sw_slip_law_at_back(law) + b], &state->back[b]);
}

SW_HD static inline void sw_slip_state_store(const sw_slip_law *law, const sw_slip_state *state,
                                             float (*number)[SW_LANES])
{
    const int own = law->scales ? 0 : law->groups;
    SW_ROLLED
    for (int k = 0; k < own; k++)
        sw_store_floats(sw_slip_law_is_structured(law) ? state->structure[k] : state->g[k], number[k]);
    SW_ROLLED
    for (int f = 0; f < law->families; f++)
        sw_store_floats(state->slipped[f], number[own + f]);
    SW_ROLLED
    for (int v = 0; v < law->variants; v++)
        sw_store_floats(state->variant[v], number[own + law->families + v]);
    SW_ROLLED
    for (int f = 0; f < law->families && law->variants > 0; f++)
        sw_store_floats(state->turned[f], number[own + law->families + law->variants + f]);
    if (SW_LAW_ALL && law->shared)
        sw_store_floats(state->shared, number[sw_slip_law_at_back(law) - 1]);
    SW_ROLLED
    for (int b = 0; SW_LAW_ALL && b < law->backs; b++)
        sw_store_floats(state->back[b], number[sw_slip_law_at_back(law) + b]);
}

/* Of resistances g [G], Pa. */
SW_HD static inline sw_real sw_slip_law_mean(const sw_slip_law *law, const sw_real *g)
{
    sw_real mean = sw_broadcast(0.0);
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        mean += law->share[k] * g[k];
    return mean;
}

SW_HD static inline sw_real sw_slip_state_mean(const sw_slip_law *law, const sw_slip_state *state)
{
    return sw_slip_law_mean(law, state->g);
}

/* Of twins. */
SW_HD static inline sw_real sw_slip_state_fraction(const sw_slip_law *law, const sw_slip_state *state)
{
    sw_real fraction = sw_broadcast(0.0);
    SW_ROLLED
    for (int f = 0; f < law->families; f++)
        fraction += law->over_shear[f] * state->slipped[f];
    return fraction;
}

/* Slips of groups from those of the S systems, >= 0. */
SW_HD static inline void sw_law_slips_of(const sw_slip_law *law, const sw_real *slip, sw_law_slips *slips)
{
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        slips->group[k] = sw_broadcast(0.0);
    SW_ROLLED
    for (int a = 0; a < law->systems; a++)
        slips->group[law->group[a]] += slip[a];
    SW_ROLLED
    for (int v = 0; v < law->variants; v++)
        slips->variant[v] = slip[law->two_way + v];
}

/* Slips so far with those of a step. */
SW_HD static inline void sw_slip_state_slip(const sw_slip_law *law, const sw_slip_state *old,
                                            const sw_law_slips *slips, sw_slip_state *next)
{
    SW_ROLLED
    for (int f = 0; f < law->families; f++)
        next->slipped[f] = old->slipped[f];
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        next->slipped[law->kin[k]] += slips->group[k];
    SW_ROLLED
    for (int v = 0; v < law->variants; v++)
        next->variant[v] =
            old->variant[v] + slips->variant[v] * law->over_shear[law->family[law->two_way + v]];
    SW_ROLLED
    for (int f = 0; f < law->families && law->variants > 0; f++)
        next->turned[f] = old->turned[f];
}

/* What slips so far come to, and what those of a step add. */
SW_HD static inline void sw_law_step_begin(const sw_slip_law *law, const sw_slip_state *old,
                                           const sw_slip_state *next, sw_law_step *step)
{
    step->slipped = step->slipping = step->all = step->growing = step->fraction = sw_broadcast(0.0);
    SW_ROLLED
    for (int f = 0; f < law->families; f++) {
        sw_real grows = next->slipped[f] - old->slipped[f];
        step->all += old->slipped[f];
        step->growing += grows;
        if (law->over_shear[f] > 0)
            step->fraction += law->over_shear[f] * (old->slipped[f] + 0.5F * grows);
        else {
            step->slipped += old->slipped[f];
            step->slipping += grows;
        }
    }
}

/* A state after these slip increments. next: not old. */
SW_HD static inline void sw_slip_law_harden(const sw_slip_law *law, const sw_slip_state *old,
                                            const sw_law_slips *slips, sw_slip_state *next)
{
    sw_law_step step;
    sw_slip_state_slip(law, old, slips, next);
    sw_law_step_begin(law, old, next, &step);
    next->shared = old->shared;
    next->rate = old->rate;
    SW_ROLLED
    for (int k = 0; k < law->groups; k++) {
        const float *row = law->interaction[k];
        step.slip = step.twin = sw_broadcast(0.0);
        SW_ROLLED
        for (int j = 0; j < law->groups; j++) {
            sw_real all = row[j] * slips->group[j];
            if (law->twins[j])
                step.twin += all;
            else
                step.slip += all;
        }
        if (sw_slip_law_is_structured(law))
            sw_slip_law_grow_structure(law, k, old, step.slip + step.twin, next);
        else
            next->g[k] = sw_slip_law_grow(law, k, old->g[k], &step);
    }
    if (sw_slip_law_is_structured(law))
        sw_slip_law_resist(law, next);
}

/* In the chosen lanes the state becomes `next`. */
SW_HD static inline void sw_slip_state_choose(const sw_slip_law *law, sw_mask lanes,
                                              const sw_slip_state *next, sw_slip_state *state)
{
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        state->g[k] = sw_choose(lanes, next->g[k], state->g[k]);
    SW_ROLLED
    for (int f = 0; f < law->families; f++)
        state->slipped[f] = sw_choose(lanes, next->slipped[f], state->slipped[f]);
    SW_ROLLED
    for (int v = 0; v < law->variants; v++)
        state->variant[v] = sw_choose(lanes, next->variant[v], state->variant[v]);
    SW_ROLLED
    for (int k = 0; k < law->groups && sw_slip_law_is_structured(law); k++)
        state->structure[k] = sw_choose(lanes, next->structure[k], state->structure[k]);
    if (SW_LAW_ALL && law->shared)
        state->shared = sw_choose(lanes, next->shared, state->shared);
    SW_ROLLED
    for (int b = 0; SW_LAW_ALL && b < law->backs; b++)
        state->back[b] = sw_choose(lanes, next->back[b], state->back[b]);
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
