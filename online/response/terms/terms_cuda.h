/* The forms of the GPU's `terms`, for benchmarks and tests: the solver itself takes the first. */
#ifndef SW_ONLINE_RESPONSE_TERMS_TERMS_CUDA_H
#define SW_ONLINE_RESPONSE_TERMS_TERMS_CUDA_H

#include "slipwave/response.h"
#include "terms_list.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How j . k / L is brought within a turn. */
typedef enum {
    SW_REDUCE_AND,    /* Eq. 39, on phases of 2^23 to a turn */
    SW_REDUCE_MODULO, /* the integer operator %, on points of a refined grid, as many in all dimensions */
    SW_REDUCE_NONE,   /* likewise, left to the sine of CUDA's library, with wavenumbers in 0 .. L-1 */
} sw_range_reduction;

typedef struct {
    int folded;    /* theta summed into the coefficients: three dimensions */
    int symmetric; /* unfolded only (a folded one always does): leave out the outputs that symmetry forbids,
                      where the database has it */
    sw_range_reduction reduction;
} sw_terms_form;

/* Turn a response of `terms` on a GPU to another form; {0, 0, .} is the paper's. SW_ERR_UNAVAILABLE at the
 * next step for a form without a kernel. */
struct sw_response;
sw_status sw_terms_reform_cuda(struct sw_response *response, sw_terms_form form);

/* Pairs of terms, or wavevectors after folding, that its kernel adds for each crystal. */
int64_t sw_terms_count_cuda(const struct sw_response *response);

#ifdef __cplusplus
}
#endif

#endif
