/* sw_response_step_each: what is the same for every solver and device. */
#include <math.h>

#include "online/response/homogenization/homogenization.h"
#include "online/response/step/check.h"
#include "online/response/step/solver.h"
#include "online/response/step/twins.h"

static sw_status check_solver(const sw_response *r)
{
    const sw_solver_functions *f = r->functions;
    const char *name = r->solver->traits.name;
    if (r->planes)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "solver = %s: follows four coplanar resistances, of %s, under one velocity gradient "
                        "for all crystals only: points with a loading each need elastoplastic",
                        name, r->material->name);
    if (r->device == SW_CUDA ? f->launch_points != NULL : f->advance != NULL || f->evaluate_each != NULL)
        return SW_OK;
    return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: has no points with a loading each%s", name,
                    r->device == SW_CUDA ? " on a GPU" : "");
}

static sw_status check_tangent(const sw_response *r, const sw_points *p)
{
    const int jumps = r->functions->tangent == SW_TANGENT_OF_TABLE && !r->linear;
    if ((p->by_strain_rate == NULL && p->by_spin == NULL) ||
        (r->functions->tangent != SW_TANGENT_NONE && !jumps))
        return SW_OK;
    return sw_error(SW_ERR_RANGE, "solver = %s%s: its stress jumps with the strain rate, and has no tangent",
                    r->solver->traits.name, jumps ? ", nearest" : "");
}

static sw_status check_time(double dt)
{
    return dt > 0 && isfinite(dt) ? SW_OK : sw_error(SW_ERR_RANGE, "dt = %g s: need > 0", dt);
}

/* Laws of families are prepared with their response, of which there is one material. */
static sw_status check_materials(const sw_response *r, const sw_points *p)
{
    for (int64_t k = 0; k < p->points && p->material != NULL; k++)
        if (p->material[k] != r->material &&
            (sw_material_has_families(r->material) || sw_material_has_families(p->material[k])))
            return sw_error(
                SW_ERR_RANGE,
                "material of point %lld = %s: has slip.families, or the response's %s has: need the "
                "response's",
                (long long)k, p->material[k]->name, r->material->name);
    return SW_OK;
}

static sw_status check_points(const sw_homogenization *homogenization, const sw_points *p)
{
    if (p->from == NULL)
        return sw_error(SW_ERR_RANGE, "points without crystals: from is NULL");
    if (p->condition != NULL && homogenization->meet == NULL)
        return sw_error(SW_ERR_UNAVAILABLE, "homogenization = %s: finds no free velocity gradients itself",
                        homogenization->name);
    if (p->dt_each == NULL)
        SW_TRY(check_time(p->dt));
    for (int64_t k = 0; k < p->points && p->dt_each != NULL; k++)
        SW_TRY(check_time(p->dt_each[k]));
    if (p->points < 0 || p->each < 1 || (p->points > 0 && p->each > (INT64_C(1) << 44) / p->points))
        return sw_error(SW_ERR_RANGE, "%lld points of %lld crystals: need 1 or more each, and at most 2^44",
                        (long long)p->points, (long long)p->each);
    return SW_OK;
}

/* Pa: that hardening ends at. */
static double largest_resistance(const sw_response *r, const sw_points *p)
{
    double most = sw_hardening_most(&r->material->hardening);
    for (int64_t k = 0; k < p->points && p->material != NULL; k++)
        most = fmax(most, sw_hardening_most(&p->material[k]->hardening));
    return most;
}

/* What is written first. */
static sw_status check_arrays(sw_response *r, const sw_points *p)
{
    const size_t points = (size_t)p->points, all = points * (size_t)p->each;
    const size_t numbers = (size_t)r->layout->numbers;
    enum { RESULTS = 5, ALL = 10 };
    const sw_extent array[ALL] = {
        {"stress", p->stress, points * sizeof *p->stress},
        {"slip_resistance", p->slip_resistance, points * sizeof *p->slip_resistance},
        {"slip_rate", p->slip_rate, points * sizeof *p->slip_rate},
        {"by_strain_rate", p->by_strain_rate, points * sizeof *p->by_strain_rate},
        {"by_spin", p->by_spin, points * sizeof *p->by_spin},
        {"crystals", p->from->crystal, all * sizeof *p->from->crystal},
        {"states of crystals", p->from->state, all * sizeof *p->from->state * numbers},
        {"weight", p->from->weight, all * sizeof *p->from->weight},
        {"velocity_gradient", p->velocity_gradient, points * sizeof *p->velocity_gradient},
        {"dt_each", p->dt_each, points * sizeof *p->dt_each}};
    if (p->from->n != (int64_t)all)
        return sw_error(SW_ERR_RANGE, "%lld points of %lld crystals: there are %lld", (long long)p->points,
                        (long long)p->each, (long long)p->from->n);
    SW_TRY(sw_check_called((int64_t)all, p->from->crystal, largest_resistance(r, p),
                           p->material == NULL ? r->material : NULL, &r->doubted));
    SW_TRY(sw_check_apart(RESULTS, ALL, array));
    SW_TRY(sw_check_states(r, p->from, p->to, 3, &array[RESULTS + 2]));
    return sw_check_states(r, p->from, p->to, RESULTS, array);
}

sw_status sw_response_prepare_each(sw_response *response)
{
    const sw_solver_functions *f = response->functions;
    SW_TRY(check_solver(response));
    return f->ready_each != NULL ? f->ready_each(response) : SW_OK;
}

/* In what a step leaves: one that is tried leaves nothing. */
static sw_status turn_twins(const sw_response *r, const sw_points *p)
{
    if (p->to == NULL)
        return SW_OK;
    sw_crystals end = *p->to;
    end.weight = p->from->weight;
    return sw_points_turn_twins(r, p->points, p->each, &end);
}

sw_status sw_response_step_each(sw_response *response, const sw_points *points)
{
    int64_t failed = 0;
    SW_TRY(check_solver(response));
    SW_TRY(sw_twins_check_no_children("points with a loading each have", response->material));
    SW_TRY(check_tangent(response, points));
    SW_TRY(check_points(response->homogenization, points));
    SW_TRY(check_materials(response, points));
    SW_TRY(check_arrays(response, points));
    if (points->points == 0)
        return SW_OK;
    SW_TRY(sw_response_prepare_each(response));
    SW_TRY(response->homogenization->points(response, points, &failed));
    SW_TRY(turn_twins(response, points));
    if (failed == 0)
        return SW_OK;
    return sw_error(
        SW_ERR_CONVERGENCE,
        "%lld crystals have no answer: loadings, states or weights that are not numbers, turns of more "
        "than 10 rad, strains of more than 0.5, or no stress that satisfies the slip law",
        (long long)failed);
}
