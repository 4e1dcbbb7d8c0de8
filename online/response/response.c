/* What is the same for every solver and device: checks, the strain rate, means. */
#include "slipwave/response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/database/database.h"
#include "common/system/parallel.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/step/check.h"
#include "online/response/step/crystals_cuda.h"
#include "online/response/step/solver.h"
#include "online/response/step/step.h"
#include "online/response/step/twins.h"
#include "solvers.h"
#include "trial.h"

static const sw_solver_functions *functions_on(const sw_solver *solver, sw_device device)
{
    return device == SW_CUDA ? solver->cuda : &solver->cpu;
}

static sw_status find_solver(const char *name, sw_device device, const sw_solver **solver)
{
    char names[128] = "";
    size_t length = 0;
    *solver = sw_solver_named(name);
    if (*solver != NULL && functions_on(*solver, device) != NULL)
        return SW_OK;
    for (int i = 0; i < SW_SOLVERS; i++)
        if (functions_on(sw_solvers[i], device) != NULL && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                                       sw_solver_names[i]);
    if (*solver != NULL)
        return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: runs on the CPU only; a GPU has %s", name,
                        length ? names : "none: this build has no GPU code");
    return sw_error(SW_ERR_RANGE, "solver = %s: need one of %s", name, names);
}

/* Families with resistances of their own are for those that solve the slip law; a database takes fixed ratios of them. */
static sw_status check_families(const sw_solver *solver, const sw_database *database,
                                const sw_material *material)
{
    char what[64];
    sw_plane_law planes;
    if (!sw_material_has_families(material) || solver->with_families.field != NULL)
        return SW_OK;
    snprintf(what, sizeof what, "solver = %s", solver->traits.name);
    if (!solver->traits.needs_database && solver->has_planes && sw_plane_law_of(material, &planes))
        return sw_plane_law_check(what, &planes);
    return solver->traits.needs_database
               ? sw_database_check_material(what, database != NULL && database->planes != NULL, material)
               : sw_error(SW_ERR_UNAVAILABLE, "%s: takes no slip.families, of which %s has %d", what,
                          material->name, material->slip.family_count);
}

/* The hardening law may be another than the database's; what shaped its responses may not. */
static sw_status check_made_for(const sw_solver_traits *traits, const sw_response_options *o)
{
    sw_key_difference d;
    if (!traits->needs_database || o->material == NULL || sw_database_suits(o->database, o->material, &d))
        return SW_OK;
    return sw_error(SW_ERR_RANGE, "material %s: its %s = %s: need %s, for which the database was made",
                    o->material->name, d.key, d.a, d.b);
}

/* Crystals that cannot follow every strain are for those that do not make them. */
static sw_status check_surface(const sw_homogenization *homogenization, const sw_material *material)
{
    char what[64];
    snprintf(what, sizeof what, "homogenization = %s", homogenization->name);
    return homogenization->takes_open ? SW_OK : sw_material_check_closed(what, material);
}

static void warn_of_surface(const sw_response *r)
{
    if (r->homogenization->takes_open && sw_material_is_open(r->material))
        sw_warn("homogenization = %s: slip.families of %s reach no five independent strains: the yield "
                "surface is open",
                r->homogenization->name, r->material->name);
}

sw_status sw_response_open(const sw_response_options *options, sw_response **response)
{
    const sw_solver *solver;
    const sw_homogenization *homogenization;
    *response = NULL;
    SW_TRY(find_solver(options->solver, options->device, &solver));
    SW_TRY(sw_homogenization_find(options->homogenization, &homogenization));
    if (homogenization->check != NULL)
        SW_TRY(homogenization->check(solver, options->device));
    const sw_solver_traits *traits = &solver->traits;
    if (traits->needs_database && options->database == NULL)
        return sw_error(SW_ERR_RANGE, "solver = %s: need a database", traits->name);
    if (options->database == NULL && options->material == NULL)
        return sw_error(SW_ERR_RANGE, "solver = %s: need a material", traits->name);
    const int64_t stored = options->database ? sw_database_terms(options->database) : 0;
    if (traits->needs_database && options->terms > stored)
        return sw_error(SW_ERR_RANGE, "terms = %lld: the database stores %lld", (long long)options->terms,
                        (long long)stored);
    if (traits->standard_refinement > 0 && options->refinement > SW_REFINEMENT_MOST)
        return sw_error(SW_ERR_RANGE, "refinement = %lld: need at most %d", (long long)options->refinement,
                        SW_REFINEMENT_MOST);
    if (traits->has_iterations && options->one_iteration && strcmp(homogenization->name, "taylor") != 0)
        return sw_error(SW_ERR_RANGE,
                        "iterations = one: homogenization = %s has iterations of its own: need taylor",
                        homogenization->name);
    const sw_material *material = options->material ? options->material : &options->database->material;
    SW_TRY(check_families(solver, options->database, material));
    SW_TRY(check_made_for(traits, options));
    SW_TRY(check_surface(homogenization, material));
    sw_response *r;
    SW_TRY(SW_ALLOCATE(r, 1, "response"));
    r->solver = solver;
    r->layout = sw_homogenization_layout(homogenization, solver, material);
    r->homogenization = homogenization;
    r->device = options->device;
    r->functions = functions_on(solver, options->device);
    r->launch_points =
        homogenization->launch_points != NULL ? homogenization->launch_points : r->functions->launch_points;
    r->database = options->database;
    r->material = material;
    r->pairs = sw_pairs_of_terms(options->terms > 0 ? options->terms : stored);
    r->refinement = options->refinement > 0 ? options->refinement : traits->standard_refinement;
    r->linear = !options->nearest;
    r->one_iteration = traits->has_iterations && options->one_iteration;
    r->planes = solver->has_planes && sw_plane_law_of(material, &r->plane_law);
    r->packs = traits->has_interpolation && homogenization == &sw_homogenization_taylor && !r->planes;
    sw_status status =
        r->layout != NULL ? SW_OK : sw_error(SW_ERR_MEMORY, "no memory for a layout of states");
    if (status == SW_OK && r->device == SW_CUDA)
        status = sw_crystals_open_cuda(&r->gpu);
    if (status == SW_OK)
        status = r->functions->open(r);
    if (status == SW_OK && homogenization->open != NULL)
        status = homogenization->open(r, options);
    if (status != SW_OK) {
        sw_response_close(r);
        return status;
    }
    warn_of_surface(r);
    *response = r;
    return SW_OK;
}

void sw_response_close(sw_response *response)
{
    if (response == NULL)
        return;
    if (response->homogenization->close != NULL)
        response->homogenization->close(response);
    response->functions->close(response);
    if (response->device == SW_CUDA)
        sw_crystals_close_cuda(response->gpu);
    free(response);
}

double sw_response_bulk_modulus(const sw_response *response)
{
    return response->solver->traits.has_history ? sw_solver_bulk_modulus(response->solver, response->material)
                                                : 0;
}

double sw_response_point_bulk_modulus(const sw_response *response)
{
    return sw_solver_bulk_modulus(response->solver, response->material);
}

/* A velocity gradient that a plastically incompressible crystal can follow; with elastic strains it may rest
 * as well. */
static sw_status check_gradient(const sw_response *r, const double l[3][3], int takes_volume,
                                sw_strain_rate *d)
{
    const double trace = l[0][0] + l[1][1] + l[2][2];
    double sum = 0;
    for (int k = 0; k < 9; k++)
        sum += l[k / 3][k % 3];
    *d = sw_strain_rate_of(l);
    if (!isfinite(d->rate) || !isfinite(sum))
        return sw_error(SW_ERR_RANGE, "velocity gradient: need finite numbers");
    if (!(d->rate > 0) && (!sw_remembers(r) || r->planes))
        return sw_error(SW_ERR_RANGE, "velocity gradient: ||D|| = %g: need a strain rate > 0", d->rate);
    if (!(fabs(trace) <= 1e-9 * d->rate) && !takes_volume)
        return sw_error(SW_ERR_RANGE, "velocity gradient: trace = %g 1/s: need 0, plastic flow keeps volume",
                        trace);
    return SW_OK;
}

static sw_status check_crystals(sw_response *response, int64_t n, const sw_crystal *crystal)
{
    if (n < 0)
        return sw_error(SW_ERR_RANGE, "%lld crystals: need 0 or more", (long long)n);
    return sw_check_called(n, crystal, sw_hardening_most(&response->material->hardening), response->material,
                           &response->doubted);
}

static sw_status check_states(sw_response *response, const sw_crystals *from, const sw_crystals *to)
{
    const sw_extent weights = {"weights", from->weight, (size_t)from->n * sizeof *from->weight};
    if (from->packed.word == NULL) /* which were looked at when they were */
        SW_TRY(check_crystals(response, from->n, from->crystal));
    return sw_check_states(response, from, to, 1, &weights);
}

/* strain_rate: of each crystal; NULL: the step's. */
static sw_status evaluate(sw_response *response, const sw_step *step, const float (*strain_rate)[6],
                          int64_t n, const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                          float *slip_rate)
{
    int64_t failed = 0;
    const size_t count = (size_t)n;
    const sw_extent array[] = {{"stress", stress, count * sizeof *stress},
                               {"plastic_spin", plastic_spin, count * sizeof *plastic_spin},
                               {"slip_rate", slip_rate, count * sizeof *slip_rate},
                               {"crystals", crystal, count * sizeof *crystal},
                               {"strain_rate", strain_rate, count * sizeof *strain_rate}};
    SW_TRY(check_crystals(response, n, crystal));
    SW_TRY(sw_check_apart(3, 5, array));
    if (n == 0)
        return SW_OK;
    SW_TRY((response->device == SW_CUDA ? sw_crystals_evaluate_cuda : sw_crystals_evaluate_cpu)(
        response, step, strain_rate, n, crystal, stress, plastic_spin, slip_rate, &failed));
    return sw_check_failures(failed);
}

/* of_means: of crystals with their states. */
static sw_status check_has_no_history(const sw_response *response, int of_means)
{
    return !response->solver->traits.has_history && (of_means || !sw_remembers(response))
               ? SW_OK
               : sw_error(SW_ERR_UNAVAILABLE,
                          "solver = %s: its response depends on the history: use a step, or try one with "
                          "sw_response_step_each",
                          response->solver->traits.name);
}

/* Crystals that each go through a strain rate that is given: what they make of each other has no say. */
static sw_status check_alone(const sw_response *response)
{
    SW_TRY(check_has_no_history(response, 0));
    return response->homogenization == &sw_homogenization_taylor
               ? SW_OK
               : sw_error(
                     SW_ERR_UNAVAILABLE,
                     "homogenization = %s: has no answers of crystals by themselves: need taylor, or a step",
                     response->homogenization->name);
}

sw_status sw_response_evaluate(sw_response *response, const double strain_rate[3][3], int64_t n_crystals,
                               const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                               float *slip_rate)
{
    sw_strain_rate d;
    SW_TRY(check_alone(response));
    SW_TRY(check_gradient(response, strain_rate, 0, &d));
    for (int i = 0; i < 3; i++)
        if (!(fabs(strain_rate[i][(i + 1) % 3] - strain_rate[(i + 1) % 3][i]) <= 1e-9 * d.rate))
            return sw_error(SW_ERR_RANGE, "strain rate: D%d%d and D%d%d differ: need a symmetric tensor",
                            i + 1, (i + 1) % 3 + 1, (i + 1) % 3 + 1, i + 1);
    SW_TRY(response->functions->prepare(response, d.theta));
    sw_step step = sw_step_of(strain_rate, 0, &response->material->hardening);
    sw_step_set_strain_rate(&step, &d, response->material->slip.rate_sensitivity);
    return evaluate(response, &step, NULL, n_crystals, crystal, stress, plastic_spin, slip_rate);
}

sw_status sw_response_evaluate_each(sw_response *response, int64_t n_crystals, const float (*strain_rate)[6],
                                    const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                                    float *slip_rate)
{
    SW_TRY(check_alone(response));
    SW_TRY(response->functions->ready_each(response));
    return evaluate(response, &(sw_step){.rate = 0}, strain_rate, n_crystals, crystal, stress, plastic_spin,
                    slip_rate);
}

/* Where processes have the crystals of one polycrystal, which share what is sought, what is wrong with those of one is wrong with all. */
static sw_status agree(const sw_response *response, sw_status status)
{
    return response->homogenization->shares ? sw_parallel_agree(status) : status;
}

static int has_none(const sw_response *response, const sw_crystals *crystals)
{
    return crystals->n == 0 && !(response->homogenization->shares && sw_parallel_size() > 1);
}

/* Nothing that is not a number goes on. */
static sw_status check_average(const sw_response_average *average)
{
    double sum = average->slip_resistance + average->slip_rate;
    for (int k = 0; k < 9; k++)
        sum += average->cauchy_stress[k / 3][k % 3];
    return isfinite(sum) ? SW_OK : sw_error(SW_ERR_RANGE, "the average stress or slip rate is not finite");
}

sw_status sw_response_prepare(sw_response *response, const double velocity_gradient[3][3])
{
    sw_strain_rate d;
    SW_TRY(check_gradient(response, velocity_gradient, 0, &d));
    return response->functions->prepare != NULL ? response->functions->prepare(response, d.theta) : SW_OK;
}

static sw_status check_step(sw_response *response, double most, const double l[3][3], double dt,
                            const sw_crystals *from, const sw_crystals *to, sw_strain_rate *d)
{
    SW_TRY(check_gradient(response, l, sw_response_takes_volume(response), d));
    SW_TRY(check_states(response, from, to));
    if (!(dt > 0) || !isfinite(dt))
        return sw_error(SW_ERR_RANGE, "dt = %g s: need > 0", dt);
    if (!(d->rate * dt <= most * (1 + 1e-6)))
        return sw_error(SW_ERR_RANGE, "dt = %g s: a strain ||D|| dt of %.4g in a step: need at most %g", dt,
                        d->rate * dt, most);
    const double turn =
        sqrt(pow(l[0][1] - l[1][0], 2) + pow(l[0][2] - l[2][0], 2) + pow(l[1][2] - l[2][1], 2)) / 2;
    if (response->functions->step == NULL && !(turn * dt <= SW_TURN_MAX))
        return sw_error(SW_ERR_RANGE,
                        "velocity gradient: its spin turns %g rad in dt = %g s: need at most %g", turn * dt,
                        dt, SW_TURN_MAX);
    return SW_OK;
}

sw_status sw_response_advance_within(sw_response *response, double most, const double velocity_gradient[3][3],
                                     double dt, const sw_crystals *from, const sw_crystals *to,
                                     sw_response_average *average)
{
    sw_strain_rate d;
    SW_TRY(agree(response, check_step(response, most, velocity_gradient, dt, from, to, &d)));
    memset(average, 0, sizeof *average);
    if (has_none(response, from))
        return SW_OK;
    SW_TRY(response->homogenization->advance(response, velocity_gradient, &d, dt, from, to, average));
    return check_average(average);
}

sw_status sw_response_advance(sw_response *response, const double velocity_gradient[3][3], double dt,
                              const sw_crystals *from, const sw_crystals *to, sw_response_average *average)
{
    SW_TRY(sw_twins_check_no_children("a response's steps have", response->material));
    SW_TRY(
        sw_response_advance_within(response, SW_STEP_STRAIN_ASKED, velocity_gradient, dt, from, to, average));
    if (to == NULL || to->n == 0)
        return SW_OK;
    sw_crystals end = *to;
    end.weight = from->weight;
    return sw_crystals_turn_twins(response, 0, &end, NULL);
}

/* ---- Means without a step ---- */

sw_status sw_response_evaluate_mean(sw_response *response, const double velocity_gradient[3][3],
                                    const sw_crystals *crystals, sw_response_average *average)
{
    sw_strain_rate d;
    SW_TRY(check_has_no_history(response, 1));
    SW_TRY(check_gradient(response, velocity_gradient, 0, &d));
    SW_TRY(agree(response, check_states(response, crystals, NULL)));
    memset(average, 0, sizeof *average);
    if (has_none(response, crystals))
        return SW_OK;
    SW_TRY(response->homogenization->advance(response, velocity_gradient, &d, 0, crystals, NULL, average));
    return check_average(average);
}

/* ---- Several materials ---- */

static int is_by_itself(int n, const sw_response_part *part)
{
    return n == 1 || part[0].response->homogenization->together == NULL;
}

sw_status sw_response_check_parts(int n, const sw_response_part *part)
{
    return is_by_itself(n, part) ? SW_OK : part[0].response->homogenization->check_together(n, part);
}

static sw_status go_together(int n, sw_response_part *part, const double l[3][3], double dt)
{
    SW_TRY(part[0].response->homogenization->together(n, part, l, dt));
    for (int k = 0; k < n; k++)
        SW_TRY(check_average(&part[k].average));
    return SW_OK;
}

/* Of L what a part takes, where one of them takes volume: of the others the trace is the caller's pressure alone. */
static void take_gradient(int n, const sw_response_part *part, const sw_response *response,
                          const double l[3][3], double own[3][3])
{
    int any = 0;
    memcpy(own, l, 9 * sizeof(double));
    for (int k = 0; k < n; k++)
        any |= sw_response_takes_volume(part[k].response);
    if (!any || sw_response_takes_volume(response))
        return;
    const double mean = (l[0][0] + l[1][1] + l[2][2]) / 3;
    for (int i = 0; i < 2; i++)
        own[i][i] -= mean;
    own[2][2] = -(own[0][0] + own[1][1]); /* not by its own difference: nothing is left of the trace */
}

sw_status sw_response_advance_parts(int n, sw_response_part *part, double most,
                                    const double velocity_gradient[3][3], double dt)
{
    const int alone = is_by_itself(n, part);
    for (int k = 0; k < n; k++) {
        sw_response_part *p = &part[k];
        sw_strain_rate d;
        double own[3][3];
        memcpy(p->velocity_gradient, velocity_gradient, sizeof p->velocity_gradient);
        take_gradient(n, part, p->response, velocity_gradient, own);
        SW_TRY(alone ? sw_response_advance_within(p->response, most, (const double(*)[3])own, dt, p->from,
                                                  p->to, &p->average)
                     : agree(p->response,
                             check_step(p->response, most, velocity_gradient, dt, p->from, p->to, &d)));
    }
    return alone ? SW_OK : go_together(n, part, velocity_gradient, dt);
}

sw_status sw_response_evaluate_parts(int n, sw_response_part *part, const double velocity_gradient[3][3])
{
    if (!is_by_itself(n, part))
        return go_together(n, part, velocity_gradient, 0);
    for (int k = 0; k < n; k++)
        SW_TRY(
            sw_response_evaluate_mean(part[k].response, velocity_gradient, part[k].from, &part[k].average));
    return SW_OK;
}

static sw_status step_and_evaluate(sw_response *response, const double velocity_gradient[3][3], double dt,
                                   const sw_crystals *from, const sw_crystals *to,
                                   sw_response_average *average)
{
    sw_crystals end = *to;
    end.weight = from->weight;
    SW_TRY(sw_response_advance(response, velocity_gradient, dt, from, to, average));
    return sw_response_evaluate_mean(response, velocity_gradient, &end, average);
}

sw_status sw_response_step(sw_response *response, const double velocity_gradient[3][3], double dt,
                           const sw_crystals *from, const sw_crystals *to, sw_response_average *average)
{
    sw_crystals tried;
    if (response->solver->traits.has_history)
        return sw_response_advance(response, velocity_gradient, dt, from, to, average);
    if (to != NULL)
        return step_and_evaluate(response, velocity_gradient, dt, from, to, average);
    SW_TRY(check_states(response, from, NULL));
    SW_TRY(sw_crystals_make_like(response, from, &tried));
    const sw_status status = step_and_evaluate(response, velocity_gradient, dt, from, &tried, average);
    sw_crystals_release(&tried);
    return status;
}
