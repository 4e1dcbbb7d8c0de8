/* Levels of the present tangent on the CPU; present.h. */
#ifndef SW_ONLINE_FEM_PRECONDITION_PRESENT_CPU_H
#define SW_ONLINE_FEM_PRECONDITION_PRESENT_CPU_H

#include "present.h"

/* What each level has beside its map. */
typedef struct {
    sw_fem_cell_matrix *matrix; /* [C] */
    double (*inverse)[9];       /* [N] of the nodes' blocks, by the largest eigenvalue */
} sw_fem_present_level;

typedef struct {
    sw_fem_hierarchy *hierarchy; /* its owner's */
    sw_fem_present_level level[SW_FEM_MOST_LEVELS];
} sw_fem_present;

sw_status sw_fem_present_open_cpu(sw_fem_hierarchy *hierarchy, sw_fem_present *present);
void sw_fem_present_close_cpu(sw_fem_present *present);
/* Functions of sw_fem_present_make for it. */
sw_fem_present_functions sw_fem_present_cpu(sw_fem_present *present);

/* r -= K d of one cell. */
void sw_fem_present_reduce_cpu(const sw_fem_present *present, int level, int64_t own, const double *d,
                               double *r);
/* d = a d + b D^-1 r, x += d at nodes first .. last - 1. */
void sw_fem_present_smooth_cpu(const sw_fem_present *present, int level, int64_t first, int64_t last,
                               double a, double b, const double *r, double *d, double *x);

#endif
