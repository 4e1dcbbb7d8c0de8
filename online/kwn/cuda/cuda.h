/* Private: what the strategies of a GPU share: the backend but for its step. */
#ifndef SW_ONLINE_KWN_CUDA_CUDA_H
#define SW_ONLINE_KWN_CUDA_CUDA_H

#include "online/kwn/backend/strategies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its histograms: [N][M][P] in class order or [M][P][N] in point order, of sw_kwn_element bytes a number. */
typedef struct {
    int point_order;
    sw_status (*open)(sw_kwn *kwn);
    void (*close)(sw_kwn *kwn);
    /* Launch, on the stream, what takes all points to the end of a schedule in device memory. */
    sw_status (*run)(sw_kwn *kwn, const sw_kwn_schedule *schedule);
    /* Before the host reads or writes histograms: all of them to sw_kwn_cuda_work.number. */
    sw_status (*settle)(sw_kwn *kwn);
} sw_kwn_cuda_strategy;

/* All pointers to device memory. */
typedef struct {
    sw_kwn_alloy *alloy;
    sw_kwn_axis axis;    /* with tables on the device, in double */
    sw_kwn_point *point; /* [N] */
    void *number;        /* histograms, in the strategy's layout and precision */
    double *time;        /* [knots] */
    float *temperature;  /* [knots][N or 1] */
    int64_t *next;       /* [2] the strategy's counter; the first point that failed, N when none */
    void *host;          /* the strategy's own, in host memory */
    void *stream;        /* cudaStream_t */
    int64_t knots_room, temperature_room; /* elements that time and temperature hold */
    int device, multiprocessors;
    const sw_kwn_cuda_strategy *strategy;
    int resident;           /* `fused`: which of its two ways */
    double *kernel_seconds; /* NULL, or where Jensen's strategies add up what their kernels take: jensen.h */
} sw_kwn_cuda_work;

/* Functions of a backend whose strategy is this one. */
sw_status sw_kwn_cuda_open(sw_kwn *kwn, const sw_kwn_point *point, const sw_kwn_cuda_strategy *strategy);
void sw_kwn_cuda_close(sw_kwn *kwn);
sw_status sw_kwn_cuda_run(sw_kwn *kwn);
sw_status sw_kwn_cuda_read_points(sw_kwn *kwn, int64_t first, int64_t count, sw_kwn_point *point);
sw_status sw_kwn_cuda_write_point(sw_kwn *kwn, int64_t index, const sw_kwn_point *point);
sw_status sw_kwn_cuda_read_classes(sw_kwn *kwn, int64_t first, int64_t count, int phase, double *number);
sw_status sw_kwn_cuda_read_areas(sw_kwn *kwn, int64_t first, int64_t count, double *area);
sw_status sw_kwn_cuda_write_classes(sw_kwn *kwn, int64_t index, int phase, const double *number);

/* `fused`, a file for each precision, and one for phases that grow by several solutes, in double. */
extern const sw_kwn_cuda_strategy sw_kwn_fused_double, sw_kwn_fused_mixed, sw_kwn_fused_single,
    sw_kwn_fused_several;

/* Bytes of a number in a histogram: 8 in double precision, else 4. */
static inline size_t sw_kwn_element(const sw_kwn *kwn)
{
    return kwn->options.precision == SW_KWN_DOUBLE ? 8 : 4;
}

#ifdef __cplusplus
}
#endif

#endif
