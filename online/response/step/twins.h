/* Twins that turn crystals: Tome, Lebensohn and Kocks' predominant twin reorientation (Acta Metall. Mater. 39 (1991) 2667, as VPSC
 * has it). A crystal whose fraction of a family's twins is above
 *
 *     twin_threshold + twin_threshold_rise (turned / twinned)
 *
 * turns as a whole into its largest variant, while less of the polycrystal has turned than has twinned. They are asked one
 * after the other, in an order that has nothing to do with what they are: by a number between 0 and 127 that a crystal's place in
 * the polycrystal gives it. What a number's crystals turn is counted, by steps of 1/256 of their fraction: so it does not matter
 * who has how many of them. Between steps: a step that is tried leaves them as they were, and no step's answer is of crystals that
 * it turned. A point with a loading of its own is a polycrystal of its own.
 *
 * Or volume goes from a crystal to a twin in it, volume fraction transfer as VPSC has it, where `twin_transfer` says so. Crystals
 * then stand in groups: a parent, and for each such family a child, which weighs nothing until one of its variants has more of the
 * parent than twin_threshold. It is born as the parent is, turned by that variant, with as much weight as the family's twins have
 * made of the parent, and half the resistance to that variant, by which it may go back. From then on what twins of the family make of the parent in a step, all variants of them, goes to the child,
 * and what they make of the child goes back. Nothing of it depends on other groups. The weights are in the states, and sw_crystals_weigh says them. */
#ifndef SW_ONLINE_RESPONSE_STEP_TWINS_H
#define SW_ONLINE_RESPONSE_STEP_TWINS_H

#include "common/crystal/laws/slip_law.h"
#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_TWIN_TURNS = 128, SW_TWIN_BINS = 512, SW_TWIN_BINS_OF_1 = 256, SW_TWIN_WEIGHT = 65536 };

/* For a polycrystal, at one instant. */
typedef struct sw_twin_rule {
    int families, variants;
    int numbers, at_slip, at_variant, at_turned; /* of a crystal's state: K, and where it has what */
    int at_back, backs;                          /* and its B back-stresses */
    int is_double;                               /* it is of doubles, and the solver turns its own */
    int family[SW_TWINS_MAX];                    /* [V] */
    float normal[SW_TWINS_MAX][3];               /* [V] of its plane */
    int secondary[SW_FAMILIES_MAX];              /* [F] */
    double threshold[SW_FAMILIES_MAX], rise[SW_FAMILIES_MAX],
        shear[SW_FAMILIES_MAX];                /* [F]; NaN: turns none */
    int first[SW_FAMILIES_MAX][SW_TWIN_TURNS]; /* [F][turn] bin from which on crystals turn */
    /* Where volume goes to children: */
    int children, child_family[SW_FAMILIES_MAX]; /* of a parent */
    int at_weight, at_resistance;                /* of a crystal's state; the latter -1: one scales all */
    int group[SW_TWINS_MAX];                     /* [V] of resistances */
    float share[SW_TWINS_MAX];                   /* [V] of the group in all systems */
} sw_twin_rule;

/* Whether twins of a material turn crystals. */
int sw_twins_turn(const sw_material *material);

/* How many children a crystal has room for beside it, whose volume goes to twins; 0. */
int sw_twin_children(const sw_material *material);
/* SW_ERR_UNAVAILABLE where a crystal has any: `what` keeps none. */
sw_status sw_twins_check_no_children(const char *what, const sw_material *material);

/* Of a material that they turn. SW_ERR_RANGE where crystals have no such numbers. */
sw_status sw_twin_rule_of(const sw_response *response, sw_twin_rule *rule);

/* Weights of crystals that may turn, in 1/65536, by family, turn and fraction of twins: added to count [F]. first: place of the
 * first one in the polycrystal. */
typedef int64_t sw_twin_count[SW_TWIN_TURNS][SW_TWIN_BINS];

/* How numbers become those of all ranks, and a status that of all. */
typedef struct {
    sw_status (*agree)(sw_status status);
    void (*sum)(double *value, int64_t n);
    void (*sum_counts)(int64_t *count, int64_t n);
} sw_twin_ranks;

/* All of it, after a step of one polycrystal, of whose crystals number `first` and on are here; nothing where twins of the
 * response's material turn none. Of one whose volume goes to children these are whole groups. ranks: NULL: all crystals are. SW_ERR_UNAVAILABLE of a solver that keeps no variants. */
sw_status sw_crystals_turn_twins(const sw_response *response, int64_t first, sw_crystals *crystals,
                                 const sw_twin_ranks *ranks);

/* Weights that states have, where they have, become those of an array [n] on the crystals' device; and back. */
sw_status sw_crystals_weigh(const sw_crystals *crystals, float *weight);
sw_status sw_crystals_keep_weights(sw_crystals *crystals, const float *weight);

/* After a step of points of n crystals each, of each point by what its own crystals are. Any thread. */
sw_status sw_points_turn_twins(const sw_response *response, int64_t points, int64_t n, sw_crystals *crystals);

#ifdef __cplusplus
}
#endif

#endif
