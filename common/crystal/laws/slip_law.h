/* What resists each slip system, ready for use: resistances that grow system by system, or all in fixed ratios. Whatever the
 * law, a crystal's state then is a resistance of each of G groups of systems and the slip that each of F families has made,
 * G + F numbers; where one resistance scales them all, only the latter. On sw_real (lanes.h). docs/theory.md. */
#ifndef SW_COMMON_CRYSTAL_LAWS_SLIP_LAW_H
#define SW_COMMON_CRYSTAL_LAWS_SLIP_LAW_H

#include "common/math/lanes.h"

/* At most. */
enum { SW_SLIP_SYSTEMS_MAX = 48, SW_FAMILIES_MAX = 9, SW_TWINS_MAX = 24 };

/* Numbers of a family that laws ask for, by the names of their keys: X(key, least, most, unit, help). */
#define SW_LAW_NUMBERS(X)                                                                \
    X(initial_hardening_rate, 0, 1e13, "Pa", "h0, theta0; of a twin: by twins")          \
    X(saturation_resistance, 1e4, 1e12, "Pa", "more than initial_slip_resistance")       \
    X(exponent, 1, 100, "", "a")                                                         \
    X(saturation_increase, 0, 1e12, "Pa", "tau1")                                        \
    X(final_hardening_rate, 0, 1e13, "Pa", "theta1")                                     \
    X(hardening_by_slip, 0, 1e13, "Pa", "of a twin, times the slip that there has been") \
    X(saturation_by_twins, 0, 1e12, "Pa", "of slip, times the root of the twins' fraction; 0 when absent")

#define SW_LAW_PLACE(key, ...) SW_OF_##key,
enum { SW_LAW_NUMBERS(SW_LAW_PLACE) SW_LAW_NUMBER_COUNT };
#undef SW_LAW_PLACE

/* Of a law: on the host made by sw_slip_law_prepare; on a GPU in constant memory. Systems that begin alike and are hardened alike
 * by all others, as those of a family whose latent hardening is one, or the coplanar ones of four {111}, have one resistance: they
 * are a group; but twins that take volume from crystals each have their own (twins.h). Dimension: G groups. */
typedef struct {
    int law; /* sw_hardening_law */
    int systems, two_way, families, groups;
    int variants;                      /* V systems of twins, where twins turn crystals; else 0 */
    int transfers;                     /* volume goes from them to others instead */
    int fill;                          /* twins slip in what they leave, 1 - f, as the law has it */
    int scales;                        /* one resistance for all, times `ratio` */
    int family[SW_SLIP_SYSTEMS_MAX];   /* [S] */
    int group[SW_SLIP_SYSTEMS_MAX];    /* [S]; in the order of systems, those of twins last */
    int twins[SW_SLIP_SYSTEMS_MAX];    /* [G] whether they are */
    float ratio[SW_SLIP_SYSTEMS_MAX];  /* [G] of the resistance to the systems' mean, at the start */
    float share[SW_SLIP_SYSTEMS_MAX];  /* [G] of its systems in all */
    float over_shear[SW_FAMILIES_MAX]; /* [F] of twins 1 over their shear; else 0 */
    float of[SW_LAW_NUMBER_COUNT][SW_SLIP_SYSTEMS_MAX]; /* [number][G] */
    float interaction[SW_SLIP_SYSTEMS_MAX]
                     [SW_SLIP_SYSTEMS_MAX]; /* [G][S] how much slip of each system hardens it */
} sw_slip_law;

/* What of it crystals begin with. */
typedef struct sw_slip_law_start {
    int groups, families; /* 0 groups where one resistance scales them all */
    int variants;         /* of twins that turn crystals */
    int transfers;        /* ... or take volume from them */
    float ratio[SW_SLIP_SYSTEMS_MAX];
} sw_slip_law_start;

/* Numbers of a crystal's state, in their order: G resistances (0 where one scales them all), F slips and, where twins turn
 * crystals, V fractions of variants and F times that each family has; where volume goes from one to another, its weight. */
SW_HD static inline int sw_slip_law_numbers(const sw_slip_law_start *start)
{
    return start->groups + start->families + (start->variants > 0 ? start->variants + start->families : 0) +
           start->transfers;
}

/* A crystal's. */
typedef struct {
    sw_real g[SW_SLIP_SYSTEMS_MAX];   /* [G] Pa */
    sw_real slipped[SW_FAMILIES_MAX]; /* [F] the sizes of slips, summed */
    /* Where twins turn crystals: [V] slips of each variant over its shear since the crystal last turned, and [F] how often
     * a family has turned it. */
    sw_real variant[SW_TWINS_MAX], turned[SW_FAMILIES_MAX];
} sw_slip_state;

/* What a step brings to one group. */
typedef struct {
    sw_real slip;              /* sum of interaction times slip increments, of systems of slip */
    sw_real twin;              /* likewise of twins */
    sw_real slipped, slipping; /* the sum of slip so far, and its increment */
    sw_real all, growing;      /* likewise with twins */
    sw_real fraction;          /* of twins, in the middle of the step */
} sw_law_step;

#endif
