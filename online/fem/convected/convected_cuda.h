/* The paper's two kernels on a GPU. Dimensions: E elements, n unknowns. */
#ifndef SW_ONLINE_FEM_CONVECTED_CONVECTED_CUDA_H
#define SW_ONLINE_FEM_CONVECTED_CONVECTED_CUDA_H

#include "band.h"
#include "element.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_fem_convected_cuda sw_fem_convected_cuda;

/* Elements e = i + cells[0] j; node [E][4] is copied. A pass takes n_pass elements. SW_ERR_UNAVAILABLE, SW_ERR_MEMORY.
 * Close with sw_fem_convected_cuda_close. */
sw_status sw_fem_convected_cuda_open(const sw_fem_convected_model *model, const int64_t cells[2],
                                     const int32_t *node, int64_t n_unknowns, int64_t half, int64_t n_pass,
                                     sw_fem_convected_cuda **cuda);
void sw_fem_convected_cuda_close(sw_fem_convected_cuda *cuda); /* NULL is fine */

/* Where the methods work: matrix, right side and solution are the GPU's. */
sw_fem_band_space *sw_fem_convected_cuda_space(sw_fem_convected_cuda *cuda);

/* Kernel 1: one upload a pass of its records, one download of results. Pass p of n_p elements has its records from
 * number p n_pass SW_FEM_CONVECTED_INPUT on, number i of its element e at [i n_p + e]; results likewise. */
sw_status sw_fem_convected_cuda_elements(sw_fem_convected_cuda *cuda, const double *input, double *output);

/* Kernel 1, then the sum of its results on the GPU, by the four colours of a grid's elements: no two of a colour share
 * a node, and a node's sum has one order. right [n]: external forces; fixed, value [n]. */
sw_status sw_fem_convected_cuda_assemble(sw_fem_convected_cuda *cuda, const double *input,
                                         const double *external, const uint8_t *fixed, const double *value);

/* A system that the CPU assembled. */
sw_status sw_fem_convected_cuda_load(sw_fem_convected_cuda *cuda, const double *matrix, const double *right);
sw_status sw_fem_convected_cuda_read(sw_fem_convected_cuda *cuda, double *solution);

#ifdef __cplusplus
}
#endif

#endif
