/* z = M^-1 r. */
#ifndef SW_ONLINE_FEM_PRECONDITION_PRECONDITIONERS_H
#define SW_ONLINE_FEM_PRECONDITION_PRECONDITIONERS_H

#include "common/math/elimination.h"
#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const sw_fem_preconditioner_functions sw_fem_unpreconditioned; /* on both devices */
/* Of jacobi for both, as options.preconditioner says. */
extern const sw_fem_preconditioner_functions sw_fem_jacobi_cpu, sw_fem_jacobi_cuda;
extern const sw_fem_preconditioner_functions sw_fem_multigrid_cpu, sw_fem_multigrid_cuda;
extern const sw_fem_preconditioner_functions sw_fem_amg_cpu;

/* The inverse of a node's diagonal block of K [c][c] in place, c at most 3; rows and columns of prescribed unknowns are
 * dropped: zero in the inverse. diagonal: of the diagonal alone. */
SW_HD static inline void sw_fem_invert_block(int c, const uint8_t *fixed, int diagonal, double *block)
{
    const double none[3] = {0};
    double pivot[3];
    for (int i = 0; i < c; i++)
        for (int j = 0; j < c; j++)
            if (fixed[i] || fixed[j] || (diagonal && i != j))
                block[i * c + j] = 0;
    sw_invert_symmetric(c, none, block, pivot);
}

#ifdef __cplusplus
}
#endif

#endif
