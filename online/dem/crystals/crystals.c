/* Crystals of particles: as they begin. */
#include "crystals.h"

#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "online/gpu/gpu.h"
#include "online/response/step/check.h"
#include "online/response/step/solver.h"

enum { MOST = 1 << 18 }; /* of a particle */

double sw_dem_mean_resistance(const sw_dem_polycrystals *poly, int64_t i)
{
    double sum = 0;
    for (int64_t k = 0; k < poly->each; k++)
        sum += (double)poly->crystal[i * poly->each + k].slip_resistance;
    return sum / (double)poly->each;
}

static int64_t numbers_of(const sw_dem_polycrystals *poly)
{
    return sw_response_layout(poly->response)->numbers;
}

sw_crystals sw_dem_crystals_of(const sw_dem_polycrystals *poly, int64_t particles)
{
    sw_crystals c = sw_crystals_alone(poly->response, particles * poly->each, poly->crystal);
    c.state = poly->state;
    return c;
}

sw_status sw_dem_check_crystals_material(const sw_material *material)
{
    return !sw_material_has_structure(material) && !material->slip.rate_of_step
               ? SW_OK
               : sw_error(SW_ERR_UNAVAILABLE,
                          "material %s: of stresses at other rates contacts know the power law of slip "
                          "alone: need no "
                          "slip.rate_of_step, and no hardening.law that depends on the rate",
                          material->name);
}

static sw_status check(int64_t r, const sw_dem_crystals *c, const sw_dem_rve *rve)
{
    if (rve->material[0].law != SW_DEM_METAL)
        return sw_error(SW_ERR_RANGE, "element %lld: crystals: need the law metal", (long long)r);
    if (c->each < 1 || c->each > MOST)
        return sw_error(SW_ERR_RANGE, "element %lld: crystals of a particle = %lld: need 1 to %d",
                        (long long)r, (long long)c->each, MOST);
    const int64_t numbers = sw_response_layout(c->response)->numbers;
    if (c->response->solver->traits.has_history || (numbers > 0 && c->response->device == SW_CUDA))
        return sw_error(SW_ERR_UNAVAILABLE,
                        "element %lld: crystals: solver = %s%s remembers %lld numbers of each, which "
                        "particles do not keep",
                        (long long)r, c->response->solver->traits.name, numbers > 0 ? " on a GPU" : "",
                        (long long)numbers);
    SW_TRY(sw_dem_check_crystals_material(c->response->material));
    if (!(c->refresh > 0 && c->refresh <= SW_DEM_MOST_REFRESH))
        return sw_error(SW_ERR_RANGE, "element %lld: refresh = %g: need more than 0, at most %g",
                        (long long)r, c->refresh, SW_DEM_MOST_REFRESH);
    return SW_OK;
}

static sw_status begin_states(sw_dem_polycrystals *poly, int64_t n)
{
    if (numbers_of(poly) == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(poly->state, n * numbers_of(poly), "states of crystals"));
    sw_crystals all = sw_dem_crystals_of(poly, n / poly->each);
    return sw_crystals_begin(poly->response, &all);
}

static sw_status allocate_crystals(sw_dem_polycrystals *poly, int64_t n)
{
    poly->on_gpu = poly->response->device == SW_CUDA;
    if (!poly->on_gpu)
        return SW_ALLOCATE(poly->crystal, n, "crystals of particles");
    return sw_gpu_allocate_host((size_t)n * sizeof *poly->crystal, (void **)&poly->crystal);
}

sw_status sw_dem_polycrystals_begin(int64_t r, const sw_dem_crystals *c, const sw_dem_rve *rve,
                                    sw_dem_polycrystals *poly)
{
    const int64_t n = rve->n_particles * c->each;
    SW_TRY(check(r, c, rve));
    SW_TRY(sw_check_crystals(n, c->crystal, &c->response->doubted));
    *poly = (sw_dem_polycrystals){
        .response = c->response, .each = c->each, .mean_strain_only = c->mean_strain_only};
    SW_TRY(allocate_crystals(poly, n));
    SW_TRY(SW_ALLOCATE(poly->strain, rve->n_particles, "particles"));
    SW_TRY(SW_ALLOCATE(poly->work, rve->n_particles, "particles"));
    SW_TRY(SW_ALLOCATE(poly->left, rve->n_particles, "particles"));
    SW_TRY(SW_ALLOCATE(poly->resistance, rve->n_particles, "particles"));
    memcpy(poly->crystal, c->crystal, (size_t)n * sizeof *c->crystal);
    for (int64_t i = 0; i < rve->n_particles; i++)
        poly->resistance[i] = sw_dem_mean_resistance(poly, i);
    SW_TRY(begin_states(poly, n));
    return sw_response_prepare_each(c->response);
}

void sw_dem_polycrystals_free(sw_dem_polycrystals *poly)
{
    if (poly->on_gpu)
        sw_gpu_free_host(poly->crystal);
    else
        free(poly->crystal);
    free(poly->state);
    free(poly->strain);
    free(poly->work);
    free(poly->left);
    free(poly->resistance);
    *poly = (sw_dem_polycrystals){0};
}
