/* Volume: the mean stress that it makes where stresses are given, and temperatures that the loading changes, by which crystals expand. */
#include "run.h"

#include <math.h>
#include <string.h>

#include "common/math/tensor.h"
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

void sw_taylor_press_phase(const sw_taylor *r, sw_taylor *phase, const double whole[3][3],
                           const double l[3][3], double dt)
{
    const sw_history *h = &r->history;
    const sw_elastic_volume own = sw_elastic_volume_of(phase->response);
    double f[3][3], expansion[3] = {0}, change = 0;
    if (!r->given.has_pressure || own.bulk_modulus == 0)
        return;
    memcpy(f, h->deformation_gradient[h->n - 1], sizeof f);
    if (h->temperature != NULL && sw_material_expansion(&phase->material, expansion) == SW_OK)
        change = sw_taylor_temperature_next(r) - r->heat.begin;
    const double volume = log(sw_determinant(f)) + sw_trace(l) * dt,
                 pressure =
                     own.bulk_modulus * (volume - (expansion[0] + expansion[1] + expansion[2]) * change);
    sw_elastic_volume_stretch(&r->given.volume, sw_trace(whole) / 3, phase->mean.cauchy_stress);
    for (int i = 0; i < 3; i++)
        phase->mean.cauchy_stress[i][i] += pressure;
}

/* ---- Before the first ---- */

void sw_taylor_find_volume(sw_taylor *r)
{
    sw_elastic_volume all = {.bulk_modulus = 0};
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        const sw_taylor *part = sw_taylor_part(r, k);
        const sw_elastic_volume own = sw_elastic_volume_of(part->response);
        const double fraction = r->phases > 0 ? part->fraction : 1;
        all.coupled |= own.coupled;
        all.bulk_modulus += fraction * own.bulk_modulus;
        all.by_mean_stress += fraction * own.by_mean_stress;
    }
    r->given.volume = all;
}

int sw_taylor_is_heated(const sw_taylor_job *job)
{
    int heated = 0;
    for (unsigned i = 0; i < job->loading_count; i++)
        heated |= job->loading[i].temperature > 0;
    return heated;
}

static sw_status check_part_expands(const sw_taylor *r, const char *key, sw_taylor *part)
{
    if (sw_material_has_structure(&part->material))
        return sw_job_error(r->job->source, key,
                            ": the hardening.law of %.63s has the numbers of one temperature: need another",
                            part->material.name);
    return sw_crystals_heat(part->response, 0, &part->crystals) == SW_OK ? SW_OK
                                                                         : sw_job_blame(r->job->source, key);
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
        for (int k = 0; k < sw_taylor_parts(r); k++) {
            sw_taylor *part = sw_taylor_part(r, k);
            if (isnan(r->heat.begin) ||
                (isnan(job->temperature) && part->material.temperature != r->heat.begin))
                return sw_job_error(job->source, key, " = %g: need temperature, from which it goes there%s",
                                    job->loading[i].temperature,
                                    isnan(r->heat.begin) ? "" : ": materials have several");
            SW_TRY(check_part_expands(r, key, part));
        }
        return sw_history_follow_temperature(&r->history, r->heat.begin);
    }
    return SW_OK;
}
