/* Thermal histories: temperature against time, linear between knots, a jump where two times are equal.
 *
 * Either one for all points, of segments or of a table, or one a point from an HDF5 file:
 *
 *     /time         [n]          s, from 0, not descending
 *     /temperature  [points][n]  K
 *     /composition  [points][S]  optional, in the unit of the alloy file, solutes in its order
 */
#ifndef SW_ONLINE_KWN_JOB_THERMAL_HISTORY_H
#define SW_ONLINE_KWN_JOB_THERMAL_HISTORY_H

#include <stdint.h>

#include "online/kwn/model/alloy.h"
#include "online/kwn/model/mobility.h"
#include "common/system/status.h"

/* What holds for every temperature (K) and the end of a history (s). */
#define SW_KWN_COLDEST 1.0
#define SW_KWN_HOTTEST 5000.0
#define SW_KWN_LONGEST 1e12

/* A segment as users write it; what is absent is 0. One of: hold; ramp_to with rate or duration; quench_to.
 */
typedef struct {
    double hold;      /* s */
    double ramp_to;   /* K */
    double rate;      /* K/s, > 0; whether it heats or cools follows from the temperatures */
    double duration;  /* s */
    double quench_to; /* K, at once */
} sw_kwn_segment;

typedef struct {
    int64_t n_knots;
    double *time;                /* [n_knots] s */
    float *temperature;          /* [n_knots] K; NULL: one a point, in the file */
    char *path;                  /* of the file */
    int64_t n_points, n_solutes; /* of the file; n_solutes 0: it has no compositions */
    int noted_cold;              /* a temperature of the file was warned of */
    int noted_weights;           /* a composition of it, likewise */
    sw_kwn_span span;            /* of the file's temperatures */
} sw_kwn_history;

/* Segments [n] from a temperature at time 0; they have been checked. SW_ERR_MEMORY. Each of the three is
 * released with sw_kwn_history_free, which is harmless on a zeroed struct. */
sw_status sw_kwn_history_of_segments(double temperature, unsigned n, const sw_kwn_segment *segment,
                                     sw_kwn_history *history);
/* Rows (time, temperature), checked. */
sw_status sw_kwn_history_of_table(unsigned n, const double (*row)[2], sw_kwn_history *history);
/* Checks the whole file. SW_ERR_FORMAT names file, dataset, point, index, value and bound; SW_ERR_IO. */
sw_status sw_kwn_history_open(const char *path, const sw_kwn_alloy *alloy, sw_kwn_history *history);
void sw_kwn_history_free(sw_kwn_history *history);

double sw_kwn_history_end(const sw_kwn_history *history); /* s */

/* Points first .. first + count - 1 of a file: temperature [n_knots][count], and where the file has
 * compositions composition [count][n_solutes] in atoms per matrix atomic volume. */
sw_status sw_kwn_history_read(const sw_kwn_history *history, const sw_kwn_alloy *alloy, int64_t first,
                              int64_t count, float *temperature, double *composition);

/* The part from one time to a later one, for sw_kwn_advance: temperature [n_knots][width] -> time [k] and
 * part [k][width], with room for k = n_knots + 1; a jump at `from` has happened, one at `to` has not. Returns
 * k, at least 2. */
int64_t sw_kwn_history_part(const sw_kwn_history *history, int64_t width, const float *temperature,
                            double from, double to, double *time, float *part);

#endif
