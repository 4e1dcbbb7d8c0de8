/* Particles made of crystals: keys, the response, and each element's crystals. */
#include <math.h>
#include <stdlib.h>

#include "input.h"
#include "online/dem/contact/contact.h"
#include "online/dem/crystals/crystals.h"

static const sw_key ageing_keys[] = {SW_KWN_STATE_KEYS(sw_dem_job, crystals.ageing), SW_KEYS_END};
SW_HOMOGENIZATION_KEYS(homogenization_keys, sw_dem_job, crystals.homogenization);

const sw_key sw_dem_crystals_keys[] = {
    SW_POLYCRYSTAL_KEYS(sw_dem_job, crystals, rigid_plastic, homogenization_keys, ageing_keys),
    {SW_REAL("refresh", sw_dem_job, refresh, 1e-4, SW_DEM_MOST_REFRESH), .standard = 0.005,
     .help = "strain of the element after which its crystals are asked again"},
    {SW_YES("mean_strain_only", sw_dem_job, mean_strain_only),
     .help = "crystals see their particle's mean deformation, not the local flow at contacts too"},
    SW_KEYS_END};

static sw_status check_law(const sw_dem_job *job)
{
    static const char why[] = ": has no place beside crystals";
    if (job->material.law != SW_DEM_METAL)
        return sw_job_error(job->source, "crystals", ": need the law metal");
    return sw_dem_refuse_keys(job->source, "material.", "strength rate_sensitivity", why);
}

/* Contacts harden late: pressures of 300 copper particles at a relative density of 0.8 come out 2.8, 6.8 and 15.5 % too
 * low at 0.005, 0.01 and 0.02, evenly compressed. */
static void warn_of_refresh(const sw_dem_job *job)
{
    if (job->refresh > 0.005)
        sw_warn("%s: crystals.refresh = %g: stresses of a powder come out some %.2g %% too low: need at most "
                "0.005 for 3 "
                "%%, 0.0025 for 1 %%",
                sw_job_path(job->source), job->refresh, 750 * job->refresh);
}

/* Until crystals are asked: Taylor's factor of random ones; and their own rate sensitivity. */
static void set_flow(const sw_material *m, double value[SW_DEM_PARAMETERS])
{
    const double factor = 3.06, n = m->slip.rate_sensitivity; /* Taylor 1938 */
    value[SW_DEM_RATE_SENSITIVITY] = n;
    value[SW_DEM_STRENGTH] =
        factor * m->slip.initial_slip_resistance * pow(factor / m->slip.reference_slip_rate, n);
}

sw_status sw_dem_read_crystals(sw_dem_job *job)
{
    const sw_polycrystal_draw *draw = &job->polycrystal.draw;
    if (!sw_job_given(job->source, "crystals"))
        return SW_OK;
    SW_TRY(check_law(job));
    SW_TRY(sw_polycrystal_read(job->source, "crystals.", NULL, SW_SOLVER_POINTS | SW_SOLVER_FORGETS,
                               &job->crystals, job->run.quiet, &job->polycrystal));
    if (sw_dem_check_crystals_material(&job->polycrystal.material) != SW_OK)
        return sw_job_blame(job->source, "crystals.material");
    if (sw_polycrystal_is_weighted(draw))
        return sw_job_error(job->source, "crystals.file",
                            ": has weights: need another count than its %lld, so that particles draw by them",
                            (long long)draw->n_texture);
    job->has_crystals = 1;
    warn_of_refresh(job);
    set_flow(&job->polycrystal.material, job->parameter);
    return SW_OK;
}

sw_status sw_dem_open_response(sw_dem_job *job)
{
    if (!job->has_crystals)
        return SW_OK;
    if (job->options.team == SW_DEM_LAUNCHES)
        return sw_job_error(job->source, "execution.team", " = launches: not with crystals");
    job->polycrystal.response.device = job->options.cuda ? SW_CUDA : SW_CPU;
    const sw_status status = sw_response_open(&job->polycrystal.response, &job->response);
    return status == SW_ERR_RANGE || status == SW_ERR_UNAVAILABLE ? sw_job_blame(job->source, "crystals")
                                                                  : status;
}

sw_status sw_dem_make_crystals(const sw_dem_job *job, const sw_dem_element *e, sw_dem_sample *sample)
{
    const int64_t n = sample->packing.n_particles;
    sw_polycrystal_draw draw = job->polycrystal.draw;
    sw_dem_crystals *made;
    sw_crystal *crystal;
    if (!job->has_crystals)
        return SW_OK;
    draw.seed +=
        (int64_t)(e->value[SW_DEM_SEED] - job->parameter[SW_DEM_SEED]); /* elements of a variant differ */
    SW_TRY(SW_ALLOCATE(made, 1, "crystals"));
    sample->crystals = made;
    SW_TRY(SW_ALLOCATE(crystal, n * draw.each, "crystals of particles"));
    for (int64_t i = 0; i < n; i++)
        sw_polycrystal_draw_crystals(&draw, i, 1, crystal + i * draw.each);
    *made = (sw_dem_crystals){.response = job->response,
                              .each = draw.each,
                              .crystal = crystal,
                              .refresh = job->refresh,
                              .mean_strain_only = job->mean_strain_only};
    return SW_OK;
}

void sw_dem_free_crystals(sw_dem_sample *sample)
{
    if (sample->crystals != NULL)
        free((sw_crystal *)sample->crystals->crystal);
    free((sw_dem_crystals *)sample->crystals);
    sample->crystals = NULL;
}
