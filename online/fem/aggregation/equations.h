/* Equations of a matrix of blocks as linear solvers (online/fem/linear/) take them: vectors [n b], products, cycles of the
 * hierarchy, on either device. The matrix and the hierarchy are made on the CPU and copied when they are new. */
#ifndef SW_ONLINE_FEM_AGGREGATION_EQUATIONS_H
#define SW_ONLINE_FEM_AGGREGATION_EQUATIONS_H

#include "aggregation.h"
#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_block_equations sw_block_equations;

typedef struct {
    sw_fem_backend vectors;
    sw_status (*open)(sw_block_equations *e);
    void (*close)(sw_block_equations *e);
    sw_status (*take_matrix)(sw_block_equations *e); /* its values are new */
    sw_status (*take_levels)(sw_block_equations *e); /* they are new */
} sw_block_device;
extern const sw_block_device sw_blocks_cpu,
    sw_blocks_cuda; /* cuda: square blocks of 3, in a build with CUDA */

struct sw_block_equations {
    const sw_blocks *matrix; /* of the host, borrowed */
    sw_aggregation *levels;  /* likewise */
    const sw_block_device *on;
    double scale; /* of right sides: cycles of a GPU are in single precision */
    sw_fem fem;   /* what linear solvers look at: p, g, z, krylov */
    sw_fem_problem problem;
    double *x, *r; /* of the device */
    void *work;    /* the device's */
};

/* matrix has its pattern, e is zeroed. Closed made or half made. SW_ERR_MEMORY, SW_ERR_UNAVAILABLE. */
sw_status sw_block_equations_open(const sw_blocks *matrix, const sw_block_device *on, sw_block_equations *e);
void sw_block_equations_close(sw_block_equations *e);

#ifdef __cplusplus
}
#endif

#endif
