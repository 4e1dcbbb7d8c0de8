/* One elastic-plastic polycrystal of n random crystals, whose free components of the loading secants find: what runs are compared with. */
#ifndef SW_TESTS_ONLINE_FORMING_RUNS_ONE_RUN_H
#define SW_TESTS_ONLINE_FORMING_RUNS_ONE_RUN_H

#include "tests/crystals.h"

#include "online/loading/mixed.h"

typedef struct {
    sw_response *response;
    const sw_loading *loading;
    sw_mixed_state state;
    sw_crystals begun, ended; /* of a step, however often it is tried */
    double dt;
    int takes_volume; /* as crystals do in any case that are coupled to it */
} one_run;

static inline sw_response *open_elastoplastic(const sw_material *m)
{
    return opened(&(sw_response_options){.solver = "elastoplastic", .material = m});
}

static inline void begin_one(const sw_material *m, int64_t n, const sw_loading *loading, double dt,
                             one_run *run)
{
    *run = (one_run){.response = open_elastoplastic(m), .loading = loading, .dt = dt};
    run->ended = make_random_crystals(run->response, n, 3, m->slip.initial_slip_resistance);
    CHECK_OK(sw_crystals_make(run->response, n, &run->begun));
    sw_mixed_begin(loading, &run->state);
}

static inline sw_status try_one(void *context, const double l[3][3], sw_response_average *average)
{
    one_run *run = context;
    return sw_response_step(run->response, l, run->dt, &run->begun, &run->ended, average);
}

static inline void step_one(one_run *run, double l[3][3], sw_response_average *average)
{
    sw_elastic_volume volume = sw_elastic_volume_of(run->response);
    if (!volume.coupled && !run->takes_volume)
        volume = (sw_elastic_volume){.bulk_modulus = 0};
    CHECK_OK(sw_crystals_assign(&run->begun, &run->ended));
    CHECK_OK(sw_mixed_step(run->loading, volume, run->dt, try_one, run, &run->state, l, average));
}

static inline void end_one(one_run *run)
{
    sw_crystals_release(&run->begun);
    sw_crystals_release(&run->ended);
    sw_response_close(run->response);
}

#endif
