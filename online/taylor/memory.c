/* A run in memory of slipwave/taylor.h: the steps are step.c's, when the caller wants them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "step.h"

static sw_status begin(sw_taylor *r, const char *path, const char *text, int n_options,
                       const char *const (*option)[2])
{
    SW_TRY(sw_taylor_job_open_in_memory(path, text, n_options, option, &r->given_inputs, &r->own_job));
    r->job = r->own_job;
    sw_use_threads(&r->job->run);
    SW_TRY(sw_taylor_read_inputs(r));
    return sw_taylor_steps_open(r);
}

sw_status sw_taylor_begin(const char *path, const char *text, int n_options, const char *const (*option)[2],
                          const sw_taylor_inputs *inputs, sw_taylor **run)
{
    sw_taylor *r;
    *run = NULL;
    SW_TRY(SW_ALLOCATE(r, 1, "a run"));
    if (inputs != NULL)
        r->given_inputs = *inputs;
    const sw_status status = begin(r, path, text, n_options, option);
    r->given_inputs.crystal = NULL; /* which were copied */
    r->given_inputs.weight = NULL;
    if (status == SW_OK)
        *run = r;
    else
        sw_taylor_end(r);
    return status;
}

void sw_taylor_end(sw_taylor *run)
{
    if (run == NULL)
        return;
    sw_taylor_release(run);
    sw_taylor_job_close(run->own_job);
    free(run);
}

/* After a step that failed: its message, and the last row's stress if crystals are as that row has them. */
static sw_status leave(sw_taylor *run, sw_status status)
{
    char message[1000];
    snprintf(message, sizeof message, "%s", sw_error_message());
    (void)sw_taylor_settle(run);
    return sw_error(status, "%s", message);
}

sw_status sw_taylor_advance(sw_taylor *run, int64_t steps, int64_t *taken)
{
    sw_status status = SW_OK;
    for (*taken = 0; *taken < steps && status == SW_OK && sw_loading_at(&run->walk) != NULL;
         *taken += status == SW_OK)
        status = sw_taylor_step(run);
    if (status != SW_OK)
        return leave(run, status);
    return *taken > 0 ? sw_taylor_settle(run) : SW_OK;
}

void sw_taylor_history(const sw_taylor *run, sw_taylor_rows *rows)
{
    const sw_history *h = &run->history;
    *rows = (sw_taylor_rows){.rows = h->n,
                             .time = h->time,
                             .strain = h->strain,
                             .slip_resistance = h->slip_resistance,
                             .slip_rate = h->slip_rate,
                             .deformation_gradient = (const double(*)[3][3])h->deformation_gradient,
                             .velocity_gradient = (const double(*)[3][3])h->velocity_gradient,
                             .cauchy_stress = (const double(*)[3][3])h->cauchy_stress,
                             .families = h->families,
                             .twins = h->twins,
                             .family = h->families > 0 ? h->family : NULL,
                             .family_slip = h->family_slip,
                             .twin_fraction = h->twin_fraction,
                             .turned_fraction = h->turned_fraction,
                             .temperature = h->temperature};
}

int64_t sw_taylor_crystals(const sw_taylor *run) { return run->population.count; }

static sw_status copy_part(const sw_population *p, sw_crystal *crystal, float *weight)
{
    SW_TRY(sw_population_copy(p, 0, p->count, crystal));
    if (weight != NULL && p->weight != NULL)
        return sw_numbers_copy(p->device, p->count, weight, p->weight);
    for (int64_t n = 0; weight != NULL && n < p->count; n++)
        weight[n] = 1;
    return SW_OK;
}

/* Of phases weights make their fractions, 1 on average over all. */
sw_status sw_taylor_copy_crystals(const sw_taylor *run, sw_crystal *crystal, float *weight)
{
    int64_t first = 0;
    for (int k = 0; k < sw_taylor_parts(run); k++) {
        const sw_taylor *part = sw_taylor_part(run, k);
        const sw_population *p = &part->population;
        SW_TRY(copy_part(p, crystal + first, weight != NULL ? weight + first : NULL));
        for (int64_t n = first; n < first + p->count && weight != NULL && run->phases > 0; n++)
            weight[n] *= (float)(part->fraction * (double)run->population.total / p->weight_in_all);
        first += p->count;
    }
    return SW_OK;
}

sw_status sw_taylor_lattice_strain(const sw_taylor *run, int indices, const double *plane,
                                   const double along[3], double within, double *strain, double *share)
{
    sw_reflection reflection;
    double sum[1][2];
    if (run->phases > 0)
        return sw_error(SW_ERR_UNAVAILABLE, "lattice strains: need one material, not phases");
    SW_TRY(sw_reflection_of(run->response, indices, plane, along, within, &reflection));
    SW_TRY(sw_taylor_sum_strains(run, 1, &reflection, sum));
    *strain = sum[0][1] > 0 ? sum[0][0] / sum[0][1] : 0;
    *share = sum[0][1] / run->population.weight_in_all;
    return SW_OK;
}
