/* Forming limits by Marciniak and Kuczynski, of crystals in sheet and band: the strains of a sheet at which a band in it
 * strains so much faster that it is a neck, least over the band's angle.
 *
 * A sheet is a run (online/forming/runs/runs.h) for each ratio of strain rates; each angle of each of them is one more.
 * All advance in steps together. As soon as the first band of a path is a neck, the path's others are left: their limits
 * are larger. Then the neighbourhood of that angle is searched once more.
 *
 * Dimensions: P paths, one a ratio. */
#ifndef SW_ONLINE_FORMING_LIMIT_LIMITS_H
#define SW_ONLINE_FORMING_LIMIT_LIMITS_H

#include "online/forming/runs/runs.h"
#include "settings.h"

/* What sheet and band are made of, both from the same crystals. */
typedef struct {
    void *context;
    sw_status (*begin)(void *context, int64_t runs, sw_runs **made); /* of a response that has a tangent */
    void (*show)(void *context, int64_t evaluations);                /* so far; NULL: nobody looks */
} sw_limit_crystals;

/* How a path ended: a band strained `necking` times as fast as the sheet; a band found no equilibrium any more, which is a
 * neck, too; neither up to the strain limit. */
typedef enum { SW_LIMIT_NECK, SW_LIMIT_NO_EQUILIBRIUM, SW_LIMIT_NONE, SW_LIMIT_ENDS } sw_limit_end;
extern const char *const sw_limit_end_names[SW_LIMIT_ENDS];
#define SW_LIMIT_END_TEXT "0 neck, 1 no equilibrium, 2 strain limit"

/* Of the sheet at that time. */
typedef struct {
    double ratio;     /* D22 / D11 */
    double strain[2]; /* major axis and across it */
    double stress[6]; /* plane stress, Pa */
    double angle; /* rad, of the band's normal from the major axis, at the beginning; NaN: no band necked */
    double final_angle; /* rad, likewise at the end */
    sw_limit_end end;
} sw_limit_path;

typedef struct {
    int paths;
    sw_limit_path *path; /* [P] in the order of the ratios */
    int64_t bands;       /* runs of bands */
    int64_t evaluations; /* of crystals, those of trials too */
} sw_limit_diagram;

/* SW_ERR_CONVERGENCE when a sheet has no answer, named by its ratio and strain;
 * SW_ERR_MEMORY, SW_ERR_INTERRUPTED, what runs answer. Release with sw_limit_diagram_free, which takes a zeroed
 * one too. */
sw_status sw_limit_diagram_find(const sw_limit_settings *settings, const sw_limit_crystals *crystals,
                                sw_limit_diagram *diagram);
void sw_limit_diagram_free(sw_limit_diagram *diagram);

#endif
