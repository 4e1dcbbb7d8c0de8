/* Elements on the CPU: a thread an element, to its end; elements in turn. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "batch.h"
#include "common/system/progress.h"
#include "online/dem/step/control.h"

enum { PARTICLE_STEPS = 1000000 }; /* or one interval: between looks at records, watch and interrupts */

/* Some intervals of one element, and room for what it needs. A function of its own: hot. */
static sw_status advance(sw_dem *dem, int64_t r)
{
    static const sw_team team = {.kind = SW_TEAM_THREAD, .rank = 0, .size = 1, .flows = 1};
    sw_dem_rve *rve = &dem->rve[r];
    sw_dem_state *state = rve->state;
    if (sw_dem_needs_host(state->status)) {
        SW_TRY(sw_dem_help(dem, r));
        state = rve->state;
    }
    sw_dem_advance(&team, rve, 1 + PARTICLE_STEPS / (rve->n_particles * rve->numerics.control_interval));
    const int64_t n = state->n_rows;
    state->n_rows = 0;
    return sw_dem_drain_rows(dem, r, n, rve->row);
}

sw_status sw_dem_run_cpu(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    const double before = dem->particle_steps;
    _Atomic int64_t next = 0, finished = dem->finished, steps = 0, working = 0;
    _Atomic int stop = 0;
    sw_status status = SW_OK; /* of the first thread that failed */
    char message[1024];
#pragma omp parallel
    {
        int64_t r;
        const int first_thread = omp_get_thread_num() == 0;
        double watched = sw_seconds();
        sw_status own = SW_OK;
        atomic_fetch_add(&working, 1);
        while (!atomic_load(&stop) && (r = atomic_fetch_add(&next, 1)) < dem->n) {
            const sw_dem_rve *rve = &dem->rve[r];
            if (!sw_dem_unfinished(rve))
                continue;
            while (own == SW_OK && !atomic_load(&stop) && sw_dem_unfinished(rve)) {
                const int64_t begun = rve->state->step;
                own = advance(dem, r);
                atomic_fetch_add(&steps, (rve->state->step - begun) * rve->n_particles);
                if (own == SW_OK)
                    own = sw_interrupt_check();
                if (first_thread && own == SW_OK && watch != NULL && sw_seconds() - watched > 0.2) {
                    own = watch(context, dem, before + (double)atomic_load(&steps), atomic_load(&finished));
                    watched = sw_seconds();
                }
            }
            if (!sw_dem_unfinished(rve))
                atomic_fetch_add(&finished, 1);
            if (own != SW_OK)
                break;
        }
        atomic_fetch_sub(&working, 1);
        /* the thread that may speak stays until the others are done */
        while (first_thread && own == SW_OK && watch != NULL && atomic_load(&working) > 0) {
            usleep(20000);
            if (sw_seconds() - watched > 0.2) {
                own = watch(context, dem, before + (double)atomic_load(&steps), atomic_load(&finished));
                watched = sw_seconds();
            }
        }
        if (own != SW_OK) {
            atomic_store(&stop, 1);
#pragma omp critical(sw_dem_failure)
            if (status == SW_OK) {
                status = own;
                snprintf(message, sizeof message, "%s", sw_error_message());
            }
        }
    }
    dem->particle_steps = before + (double)steps;
    dem->finished = finished;
    return status == SW_OK ? SW_OK : sw_error(status, "%s", message);
}
