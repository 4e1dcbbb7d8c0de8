/* Mixed conditions: of some components the velocity gradient is given, of the others the Cauchy stress. A step
 * finds the strain rate whose mean stress meets them, by the search for it (search.h) without tangents: by secants of
 * the mean response itself, so that it serves every solver whose stress is continuous in the strain rate.
 *
 * The mean response is deviatoric. Where crystals are elastic the pressure follows from the volume, p' = K tr D
 * (the bulk modulus of cubic crystals is the same in all orientations; where they are not cubic, the response has the
 * volume as well, and its mean stress comes to p); where they are rigid, tr D = 0 and one given normal stress says the
 * pressure. A shear component whose both sides are free has no spin. */
#ifndef SW_ONLINE_LOADING_MIXED_H
#define SW_ONLINE_LOADING_MIXED_H

#include "condition.h"
#include "online/response/homogenization/parts.h"

/* What a step begins with and leaves to the next; plain numbers, to be kept with a run. */
typedef struct {
    double mean_stress;    /* p, Pa: a third of the trace, but for the response's own */
    double rate[6];        /* 1/s: the last step's free components of D */
    double error;          /* of the last step: the largest miss over the largest deviatoric stress */
    double jacobian[6][6]; /* as the search left it (search.h); all 0: not known */
} sw_mixed_state;
enum { SW_MIXED_NUMBERS = sizeof(sw_mixed_state) / sizeof(double) };

/* Try a step from its beginning: deviatoric mean stress and the rest under velocity gradient l (trace-free; of volume that is
 * coupled all of it, and the stress with the mean stress that deviators make). */
typedef sw_status sw_mixed_trial(void *context, const double l[3][3], sw_response_average *average);

/* What the mean stress of its crystals is made of. */
sw_elastic_volume sw_elastic_volume_of(const sw_response *response);

/* Cauchy's deviator under a mean stress p (Pa): a stress whose deviator the response has without. Its trace stays. */
void sw_elastic_volume_stretch(const sw_elastic_volume *volume, double p, double stress[3][3]);

/* What an entry begins with: the rates as they are estimated, no jacobian; the mean stress stays. */
void sw_mixed_begin(const sw_loading *loading, sw_mixed_state *state);

/* One step of dt (s): the velocity gradient l that meets the conditions, and what it ends with, the stress in full.
 * The last trial is the one of l. Stresses are met to 2e-5 of the largest deviatoric one,
 * or to 5e-3 where the solver's own tolerance lets no more be found: state->error.
 * SW_ERR_CONVERGENCE names the component that is furthest from its stress; what a trial answers. */
sw_status sw_mixed_step(const sw_loading *loading, sw_elastic_volume volume, double dt, sw_mixed_trial *trial,
                        void *context, sw_mixed_state *state, double l[3][3], sw_response_average *average);

/* The same of crystals as they are, of n materials, by homogenizations that find such a strain rate themselves: whether this response's
 * does, and the velocity gradient, parts' averages, of deviators, and the mean stress (in the state). */
int sw_mixed_is_met_within(const sw_response *response);
sw_status sw_mixed_meet(const sw_loading *loading, int n, sw_response_part *part, sw_mixed_state *state,
                        double l[3][3]);

#endif
