/* What a solver takes before its first step, timed. */
#ifndef SW_ONLINE_RESPONSE_CERTIFICATE_SET_UP_H
#define SW_ONLINE_RESPONSE_CERTIFICATE_SET_UP_H

#include "slipwave/response.h"

/* Seconds of wall clock: once a run; and for each strain rate of another theta. */
typedef struct {
    double open, rate;
} sw_set_up;

/* sw_response_open, prepared for a velocity gradient and timed. */
sw_status sw_response_open_timed(const sw_response_options *options, const double velocity_gradient[3][3],
                                 sw_response **response, sw_set_up *seconds);

#endif
