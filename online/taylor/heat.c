/* Temperatures that the loading changes: crystals expand. */
#include "run.h"

#include <math.h>

#include "common/system/parallel.h"
#include "online/response/step/solver.h"
#include "online/response/trial.h"

double sw_taylor_temperature_next(const sw_taylor *r)
{
    sw_loading_walk next = r->walk;
    sw_loading_pass(&next);
    return sw_loading_temperature(&next, r->heat.begin);
}

/* ---- In a step ---- */

sw_status sw_taylor_heat_crystals(sw_taylor *r)
{
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        sw_taylor *part = sw_taylor_part(r, k);
        sw_status status = r->tries ? sw_crystals_assign(&part->crystals, &part->begun) : SW_OK;
        if (status == SW_OK)
            status = sw_crystals_heat(part->response, r->heat.change, &part->crystals);
        SW_TRY(sw_parallel_agree(status));
    }
    return SW_OK;
}

double sw_taylor_heat_pressure(const sw_taylor *r)
{
    double pressure = 0;
    for (int k = 0; k < sw_taylor_parts(r) && r->heat.change != 0; k++) {
        const sw_taylor *part = sw_taylor_part(r, k);
        double strain[3] = {0};
        (void)sw_material_expansion(&part->material, strain); /* which the first step asked for */
        pressure -= (r->phases > 0 ? part->fraction : 1) * sw_response_bulk_modulus(part->response) *
                    (strain[0] + strain[1] + strain[2]) * r->heat.change;
    }
    return pressure;
}

/* ---- Before the first ---- */

int sw_taylor_is_heated(const sw_taylor_job *job)
{
    int heated = 0;
    for (unsigned i = 0; i < job->loading_count; i++)
        heated |= job->loading[i].temperature > 0;
    return heated;
}

static sw_status check_part_expands(const sw_taylor *r, const char *key, const sw_taylor *part)
{
    const char *const name = r->phases > 0 ? part->name : part->material.name;
    double expansion[3];
    if (!part->response->solver->traits.has_history)
        return sw_job_error(r->job->source, key,
                            ": crystals of solver = %s have no elastic strains, which expansion makes: need "
                            "elastoplastic or iterative",
                            part->response->solver->traits.name);
    if (sw_material_has_structure(&part->material))
        return sw_job_error(r->job->source, key,
                            ": the hardening.law of %.63s has the numbers of one temperature: need another",
                            name);
    return sw_material_expansion(&part->material, expansion) == SW_OK
               ? SW_OK
               : sw_job_error(r->job->source, key, ": thermal_expansion of %.63s is missing", name);
}

sw_status sw_taylor_heat_open(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    r->heat = (sw_taylor_heat){.begin = NAN};
    for (unsigned i = 0; i < job->loading_count; i++) {
        char key[SW_KEY_SIZE];
        if (job->loading[i].temperature == 0)
            continue;
        sw_key_path(key, "loading[%u].temperature", i);
        r->heat.begin =
            isnan(job->temperature) ? sw_taylor_part(r, 0)->material.temperature : job->temperature;
        if (isnan(r->heat.begin))
            return sw_job_error(job->source, key, " = %g: need temperature, from which it goes there",
                                job->loading[i].temperature);
        for (int k = 0; k < sw_taylor_parts(r); k++)
            SW_TRY(check_part_expands(r, key, sw_taylor_part(r, k)));
        return sw_history_follow_temperature(&r->history, r->heat.begin);
    }
    return SW_OK;
}
