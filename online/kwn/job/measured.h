/* Size distributions that are given by numbers: a text of radii and numbers, or classes of an earlier run. Between their edges particles
 * lie evenly over the radius. */
#ifndef SW_ONLINE_KWN_JOB_MEASURED_H
#define SW_ONLINE_KWN_JOB_MEASURED_H

#include <stdint.h>

#include "common/system/status.h"
#include "online/kwn/model/alloy.h"

/* What a point of a run was at a time; of files that do not have it 0 and NULL. */
typedef struct {
    char *solutes, *phases;                                 /* names, separated by commas */
    double matrix[SW_KWN_SOLUTES], fraction[SW_KWN_PHASES]; /* [S], [M] */
    double vacancies;
} sw_kwn_end;

typedef struct {
    int64_t bins;
    double *edge;                  /* [bins + 1] m, ascending */
    double *number;                /* [bins] 1/m^3, or parts of a number that is given elsewhere; >= 0 */
    double *below;                 /* [bins + 1] sums of the numbers before an edge */
    double incubation;             /* theta at that time, of a run; else 0 */
    char *alloy_name, *alloy_text; /* of a run: name, and its file as read; else NULL */
    sw_kwn_end end;                /* of a run */
} sw_kwn_bins;

/* A text of two columns under the names radius and number: m, or radius_nm: nm; 1/m^3 or any other measure. Radii ascend, from
 * 1e-10 m, at least two; an edge is half way between two of them. Lines of # are remarks. SW_ERR_INPUT names file, line, value and bound;
 * SW_ERR_IO; SW_ERR_MEMORY. Release with sw_kwn_bins_free, which is harmless on a zeroed struct. */
sw_status sw_kwn_bins_of_text(const char *path, sw_kwn_bins *bins);

/* Of a phase of a point in results of `slipwave kwn`, at a time (s) of which they have size distributions; < 0: the last. SW_ERR_FORMAT names
 * what the file does not have. */
sw_status sw_kwn_bins_of_run(const char *path, const char *phase, int64_t point, double time,
                             sw_kwn_bins *bins);
void sw_kwn_bins_free(sw_kwn_bins *bins);

/* Place of a name in a list of names separated by commas; -1: none. */
int sw_kwn_place_in(const char *names, const char *name);

/* Share of particles smaller than a radius, where there are any. */
double sw_kwn_bins_below(const sw_kwn_bins *bins, double radius);
double sw_kwn_bins_number(const sw_kwn_bins *bins); /* of all */

#endif
