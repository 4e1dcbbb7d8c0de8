/* z = M^-1 r: a table of preconditioners for each device. */
#ifndef SW_ONLINE_FEM_PRECONDITION_PRECONDITIONERS_H
#define SW_ONLINE_FEM_PRECONDITION_PRECONDITIONERS_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    sw_status (*open)(sw_fem *fem, const sw_fem_view *view, void **work);
    void (*close)(void *work);                                 /* NULL is fine */
    sw_status (*prepare)(void *work, const sw_fem_view *view); /* before each solve; NULL: nothing to do */
    sw_status (*apply)(void *work, const sw_fem_view *view, const double *r,
                       double *z); /* 0 where prescribed */
} sw_fem_preconditioner_functions;

/* By sw_fem_preconditioner; NULL where this build or device has none. */
extern const sw_fem_preconditioner_functions *const sw_fem_preconditioners_cpu[SW_FEM_N_PRECONDITIONERS];
extern const sw_fem_preconditioner_functions *const sw_fem_preconditioners_gpu[SW_FEM_N_PRECONDITIONERS];

/* The inverse of a node's diagonal block of K [c][c] in place; rows and columns of prescribed unknowns are
 * dropped: zero in the inverse. diagonal: of the diagonal alone. */
SW_HD static inline void sw_fem_invert_block(int c, const uint8_t *fixed, int diagonal, double *block)
{
    for (int i = 0; i < c; i++)
        for (int j = 0; j < c; j++)
            if (fixed[i] || fixed[j] || (diagonal && i != j))
                block[i * c + j] = i == j ? 1 : 0;
    /* Gauss-Jordan: the blocks are symmetric and positive. */
    for (int p = 0; p < c; p++) {
        const double over = block[p * c + p] > 0 ? 1 / block[p * c + p] : 0;
        for (int i = 0; i < c; i++)
            if (i != p) {
                const double factor = block[i * c + p] * over;
                for (int j = 0; j < c; j++)
                    if (j != p)
                        block[i * c + j] -= factor * block[p * c + j];
                block[i * c + p] = -factor;
            }
        for (int j = 0; j < c; j++)
            if (j != p)
                block[p * c + j] *= over;
        block[p * c + p] = over;
    }
    for (int i = 0; i < c; i++)
        if (fixed[i])
            block[i * c + i] = 0;
}

#ifdef __cplusplus
}
#endif

#endif
