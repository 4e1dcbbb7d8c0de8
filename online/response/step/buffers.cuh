/* What crystals_cuda.cu and steps_cuda.cu share: buffers through which arrays of the host pass. */
#ifndef SW_ONLINE_RESPONSE_STEP_BUFFERS_CUH
#define SW_ONLINE_RESPONSE_STEP_BUFFERS_CUH

#include "step_kernel.cuh"

/* Arrays of the host pass through in chunks of at most this many crystals, one on its way in, one being
 * computed, one on its way out. */
static const int64_t SW_STEP_CHUNK = 1 << 23;

typedef struct {
    cudaStream_t stream;
    int64_t room;        /* crystals */
    sw_crystal *crystal; /* [room] */
    float *answer;       /* [room][16]: ten answers and a strain rate; NULL before an evaluation */
    float *weight;       /* [room]; NULL before a step with weights */
    float *kept;         /* [room][K] of a solver that remembers; NULL before a step of one */
} sw_chunk_buffer;

struct sw_crystals_buffers {
    sw_chunk_buffer chunk[SW_STEP_STREAMS];
    int64_t sums_room;
    double *sums; /* [sums_room][SW_SUMS], device: of each chunk */
};

#endif
