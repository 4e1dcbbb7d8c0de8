/* How far the classes and steps of a run are off, by two coarser ones: half and a quarter of the classes, steps two and four times as
 * long. */
#ifndef SW_ONLINE_KWN_OUTPUT_RESOLUTION_H
#define SW_ONLINE_KWN_OUTPUT_RESOLUTION_H

#include "online/kwn/job/setup.h"

enum { SW_KWN_COARSER = 2 };                    /* runs */
enum { SW_KWN_FEWEST_JUDGED = 32 };             /* classes: a quarter of fewer is none that a run may have */
#define SW_KWN_LARGEST_JUDGED_TOLERANCE 6.25e-3 /* 16 times that, likewise */

int sw_kwn_can_be_judged(const sw_kwn_options *options);

/* Options of the run `level`, 1 or 2, times as coarse. Steps are of second order: their tolerance goes as their square. */
void sw_kwn_coarsen(int level, sw_kwn_options *options);

/* Error of a run, from what the first coarser one changes of it, and what the second changes of that. */
double sw_kwn_estimate(double first, double second);

/* Of a point, from its records [n][C] at the level and at the two coarser ones. */
sw_kwn_resolution sw_kwn_judge_point(const sw_kwn_alloy *alloy, int64_t n, const double *record,
                                     const double *const coarser[SW_KWN_COARSER]);

void sw_kwn_resolution_merge(const sw_kwn_resolution *from, sw_kwn_resolution *to);

/* The largest of the three. */
double sw_kwn_resolution_error(const sw_kwn_resolution *of);

/* "need at least size_axis: classes: 896 and tolerance: 0.00025", for errors that are larger than asked for, or that no such options are enough. */
void sw_kwn_resolution_remedy(const sw_kwn_options *now, double error, double accuracy, char *text,
                              size_t size);

/* A note, or a warning where it is not within the accuracy asked for. */
void sw_kwn_resolution_tell(const sw_kwn_setup *setup, double accuracy);

#endif
