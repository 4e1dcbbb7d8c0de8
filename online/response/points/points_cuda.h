/* What a launch over the crystals of points takes; solver.h. Callable from C. */
#ifndef SW_ONLINE_RESPONSE_POINTS_POINTS_CUDA_H
#define SW_ONLINE_RESPONSE_POINTS_POINTS_CUDA_H

#include "points.h"

/* All pointers: device. Parts are runs of a point's crystals, all but the last of `part`. */
typedef struct sw_points_launch {
    int64_t points, each, part, parts; /* of each point */
    int together;                      /* points whose only parts a warp takes one after the other */
    int tangent;
    sw_point_axis axis; /* of its crystals */
    sw_hardening hardening;
    const struct sw_step *step; /* [points] */
    const sw_crystal *crystal;  /* [points n] */
    const float *state;         /* [points n][K], or NULL */
    const float *weight;        /* [points n], or NULL */
    sw_crystal *next_crystal;   /* where the end goes, or NULL */
    float *next_state;
    double (*sum)[SW_POINT_SUMS];            /* [points][parts] out */
    unsigned long long *failed;              /* added to */
    void *stream;                            /* cudaStream_t */
    int hardening_each;                      /* points have their steps' hardening, not this one */
    const double (*velocity_gradient)[3][3]; /* [points], what the steps are made of, with */
    double dt;                               /* this or */
    const double *dt_each;                   /* [points] these, s; NULL: dt */
    const sw_point_condition *condition;     /* [points], or NULL */
    double (*found)[SW_FREE_DIRECTIONS];     /* [points] out, or NULL */
} sw_points_launch;

#endif
