/* What crystals_cuda.cu, steps_cuda.cu and ../points/points_cuda.cu share: memory that a response keeps from one call to
 * the next. */
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

/* Memory that grows with what is asked of it. */
typedef struct {
    void *memory;
    size_t bytes;
} sw_room;

static inline sw_status sw_room_reserve(sw_room *room, size_t bytes, const char *what)
{
    if (bytes <= room->bytes)
        return SW_OK;
    cudaFree(room->memory);
    *room = sw_room{};
    SW_TRY(sw_cuda_allocate(&room->memory, bytes, what));
    room->bytes = bytes;
    return SW_OK;
}

enum {
    SW_POINT_ROOMS = 18
}; /* what steps of points need: fifteen arrays on their way through and three of their own */

struct sw_crystals_buffers {
    sw_chunk_buffer chunk[SW_STEP_STREAMS];
    sw_room points[SW_POINT_ROOMS];
    int64_t sums_room;
    double *sums; /* [sums_room][SW_SUMS], device: of each chunk */
};

#endif
