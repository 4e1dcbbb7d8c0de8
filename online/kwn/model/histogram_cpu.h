/* One implicit step of one histogram on the CPU. */
#ifndef SW_ONLINE_KWN_MODEL_HISTOGRAM_CPU_H
#define SW_ONLINE_KWN_MODEL_HISTOGRAM_CPU_H

#include "model.h"

/* Scratch of one thread, for P padded classes. */
typedef struct sw_kwn_workspace sw_kwn_workspace;
sw_status sw_kwn_workspace_make(int64_t n_padded, sw_kwn_workspace **workspace);
void sw_kwn_workspace_free(sw_kwn_workspace *workspace);

enum { SW_KWN_CPU_PAD = 8 }; /* doubles of a vector */

/* Histogram after a step: old [P] -> new [P] (another array), and its sums. */
void sw_kwn_histogram_step(const sw_kwn_axis *axis, const sw_kwn_growth *growth, sw_kwn_flux_order flux,
                           const double *old, double *new_number, sw_kwn_workspace *workspace,
                           sw_kwn_sums *sums);

#endif
