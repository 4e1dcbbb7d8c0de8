/* Private: what a KWN model holds, and what a backend does for it. */
#ifndef SW_ONLINE_KWN_BACKEND_BACKEND_H
#define SW_ONLINE_KWN_BACKEND_BACKEND_H

#include <pthread.h>
#include <sys/types.h>

#include "online/kwn/model/mobility.h"
#include "online/kwn/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every function but close may fail; points and histograms are [N] and [N][M][P] of the backend's own. */
typedef struct {
    sw_status (*open)(sw_kwn *kwn, const sw_kwn_point *point); /* all histograms empty */
    void (*close)(sw_kwn *kwn);                                /* after open, failed or not */
    sw_status (*run)(sw_kwn *kwn); /* all points through kwn->schedule; in a thread of its own */
    sw_status (*read_points)(sw_kwn *kwn, int64_t first, int64_t count, sw_kwn_point *point);
    sw_status (*write_point)(sw_kwn *kwn, int64_t index, const sw_kwn_point *point);
    sw_status (*read_classes)(sw_kwn *kwn, int64_t first, int64_t count, int phase,
                              double *number);                                        /* [count][B] */
    sw_status (*read_areas)(sw_kwn *kwn, int64_t first, int64_t count, double *area); /* [count][M] m^2/m^3 */
    sw_status (*write_classes)(sw_kwn *kwn, int64_t index, int phase, const double *number); /* [B] */
} sw_kwn_backend;

/* When a point was strongest: of the steps that it took, the one at whose end its yield stress was largest and those beside it; time[0] is
 * time[1] where that is the first, time[2] infinite where it is the last. */
typedef struct {
    double time[3], stress[3]; /* s, Pa */
} sw_kwn_top;

typedef struct {
    int seen;
    sw_kwn_top top;
    double time, stress; /* of the last step */
} sw_kwn_track;

struct sw_kwn {
    sw_kwn_alloy alloy;
    sw_kwn_options options;
    sw_kwn_axis axis;
    int64_t n_points;
    const sw_kwn_backend *backend;
    void *work; /* the backend's */
    /* The history in progress, owned. */
    double *time;
    float *temperature;
    sw_kwn_schedule schedule;
    double now;          /* s: last knot of the last advance */
    sw_kwn_track *track; /* [n_points] or NULL */
    /* What sw_kwn_advance warns of once. */
    double most_moved; /* m^2, in all histories so far: mobility.h */
    int noted_cold, noted_frozen;
    sw_kwn_span span;
    /* Who follows it: a thread of the model's own, which OpenMP's threads stay with from call to call. */
    pid_t process; /* whose thread it is: one that is forked off has none */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { SW_KWN_NO_THREAD, SW_KWN_IDLE, SW_KWN_RUNNING, SW_KWN_LEAVING } doing;
    int n_threads;
    sw_status status; /* of the last run, with its message */
    char message[512];
};

const sw_kwn_axis *sw_kwn_axis_of(const sw_kwn *kwn);

/* sw_kwn_advance without its warnings, for jobs, which have their own. */
sw_status sw_kwn_follow(sw_kwn *kwn, int64_t n_knots, const double *time, const float *temperature,
                        int per_point);

/* From now on the strongest of each point's steps is kept: of points on the CPU, of an alloy with strengths; else nothing. */
sw_status sw_kwn_follow_peaks(sw_kwn *kwn);
/* Whether it was, into *top. */
int sw_kwn_read_top(sw_kwn *kwn, int64_t point, sw_kwn_top *top);

/* Interface area of particles of a phase, m^2/m^3, from sum N rho^2 in units of its scale. */
SW_HD static inline double sw_kwn_area_of(const sw_kwn_population *phase, double squares)
{
    return 4 * 3.14159265358979323846 * phase->scale * phase->scale * squares;
}

/* Sums of a histogram number [B]; obstacle: scale / r_c. */
void sw_kwn_sum(const sw_kwn_axis *axis, const double *number, double obstacle, sw_kwn_sums *sums);

/* The message of a point that failed. */
sw_status sw_kwn_failure(int64_t index, const sw_kwn_point *point);

#ifdef __cplusplus
}
#endif

#endif
