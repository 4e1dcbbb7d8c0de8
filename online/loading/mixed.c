#include "mixed.h"

#include <math.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/crystal/material.h"
#include "common/math/six.h"
#include "common/math/strain_rate.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/step/solver.h"
#include "online/response/trial.h"
#include "search.h"

/* ||D|| dt of a trial, at most: beyond it crystals do not stand the stresses that are asked of them. */
static const double LARGEST_STRAIN = SW_STEP_STRAIN_MOST;

/* A step, and what came of its last trial. */
typedef struct {
    const sw_loading *loading;
    int dependent; /* the component that tr D = 0 gives; -1: none */
    sw_condition condition;
    sw_elastic_volume volume;
    sw_mixed_trial *trial;
    void *context;
    double l[3][3];
    sw_response_average average;
} step;

sw_elastic_volume sw_elastic_volume_of(const sw_response *response)
{
    const int coupled = sw_response_takes_volume(response);
    const double bulk = sw_response_bulk_modulus(response);
    const sw_stiffness stiffness = sw_material_stiffness(response->material);
    return (sw_elastic_volume){bulk, coupled,
                               response->solver->traits.has_holds ? 1 / stiffness.reuss - 1 / (3 * bulk) : 0};
}

/* sigma = S + e S + S e - tr(e) S to first order in the elastic strain e, of which S = S' + p and e = S'/2G + p/3K leave
 * 2 p e' - tr(e) S'/3 beside what has no p. */
void sw_elastic_volume_stretch(const sw_elastic_volume *volume, double p, double stress[3][3])
{
    const double mean = sw_trace((const double(*)[3])stress) / 3;
    for (int k = 0; k < 9; k++) {
        const double isotropic = k % 4 == 0 ? mean : 0;
        stress[k / 3][k % 3] += volume->by_mean_stress * p * (stress[k / 3][k % 3] - isotropic);
    }
}

void sw_mixed_begin(const sw_loading *loading, sw_mixed_state *state)
{
    double l[3][3];
    sw_loading_estimate(loading, l);
    memset(state->jacobian, 0, sizeof state->jacobian);
    for (int k = 0; k < 6; k++)
        state->rate[k] = sw_loading_component((const double(*)[3])l, k);
}

/* Whether x has the rate of component k. */
static int is_varied(const step *p, int k) { return k != p->dependent && sw_loading_is_free(p->loading, k); }

/* Pa: what the response has of mean stress that counts. */
static double own_mean_stress(const step *p)
{
    return p->volume.coupled ? sw_trace((const double(*)[3])p->average.cauchy_stress) / 3 : 0;
}

static sw_status evaluate(step *p, const sw_search *s)
{
    double deviatoric[3][3];
    sw_search_gradient(s, p->l);
    memcpy(deviatoric, p->l, sizeof deviatoric);
    for (int i = 0; i < 2; i++)
        deviatoric[i][i] -= sw_trace((const double(*)[3])p->l) / 3;
    /* not by its own difference: beside a volume that changes alone, rounding would leave a trace and no more */
    deviatoric[2][2] = -(deviatoric[0][0] + deviatoric[1][1]);
    const double strain = sw_strain_rate_of((const double(*)[3])deviatoric).rate * s->dt;
    if (!(strain <= LARGEST_STRAIN))
        return sw_error(
            SW_ERR_CONVERGENCE,
            "the free components of the velocity gradient go to a strain of %.3g in a step of %.3g s: "
            "the given stresses are more than the crystals stand, or the step is too long",
            strain, s->dt);
    SW_TRY(p->trial(p->context, (const double(*)[3])(p->volume.coupled ? p->l : deviatoric), &p->average));
    if (p->volume.by_mean_stress > 0)
        sw_elastic_volume_stretch(&p->volume,
                                  sw_condition_mean_stress(&p->condition, (const double(*)[3])p->l, s->dt) +
                                      own_mean_stress(p),
                                  p->average.cauchy_stress);
    for (int k = 0; k < 9; k++)
        if (!isfinite(p->average.cauchy_stress[k / 3][k % 3]))
            return sw_error(SW_ERR_CONVERGENCE, "the mean stress is not a number");
    return SW_OK;
}

static void take(const step *p, sw_search *s)
{
    const double(*stress)[3] = (const double(*)[3])p->average.cauchy_stress;
    const double mean = sw_trace(stress) / 3 - own_mean_stress(p);
    double deviator[6];
    for (int k = 0; k < 6; k++)
        deviator[k] = stress[sw_six_row(k)][sw_six_column(k)] - (k < 3 ? mean : 0);
    sw_search_take(s, deviator, p->average.slip_resistance, NULL, NULL);
}

/* The last trial is of the x that the search ends with. */
static sw_status search(step *p, sw_search *s)
{
    while (s->end == SW_SEARCH_ON) {
        SW_TRY(evaluate(p, s));
        take(p, s);
    }
    return s->earlier ? evaluate(p, s) : SW_OK;
}

/* The stress in full. */
static void add_pressure(step *p, double dt)
{
    double(*s)[3] = p->average.cauchy_stress;
    const double deviation = sw_trace((const double(*)[3])s) / 3 - own_mean_stress(p);
    const int d = p->dependent;
    const double mean = d >= 0 ? sw_condition_given_stress(p->loading, d) - (s[d][d] - deviation)
                               : sw_condition_mean_stress(&p->condition, (const double(*)[3])p->l, dt);
    for (int i = 0; i < 3; i++)
        s[i][i] += mean - deviation;
}

static double miss_of(const step *p, int k)
{
    return p->average.cauchy_stress[sw_six_row(k)][sw_six_column(k)] -
           sw_condition_given_stress(p->loading, k);
}

static sw_status refuse(const step *p, const sw_search *s)
{
    int worst = 0;
    for (int k = 0; k < 6; k++)
        if (is_varied(p, k) && !(is_varied(p, worst) && fabs(miss_of(p, k)) <= fabs(miss_of(p, worst))))
            worst = k;
    const double given = sw_condition_given_stress(p->loading, worst);
    return sw_error(
        SW_ERR_CONVERGENCE,
        "stress[%d][%d] = %.6g Pa is not met: %.6g Pa after %d trials of the free velocity gradients: "
        "crystals too few for a balance, or between two answers",
        sw_six_row(worst), sw_six_column(worst), given, given + miss_of(p, worst), s->trials);
}

sw_status sw_mixed_step(const sw_loading *loading, sw_elastic_volume volume, double dt, sw_mixed_trial *trial,
                        void *context, sw_mixed_state *state, double l[3][3], sw_response_average *average)
{
    double guess[SW_FREE_MAX] = {0};
    sw_search s;
    step p = {.loading = loading,
              .dependent = sw_condition_dependent(loading, volume.bulk_modulus),
              .condition = sw_condition_of_loading(loading, volume.bulk_modulus, state->mean_stress),
              .volume = volume,
              .trial = trial,
              .context = context};
    for (int k = 0, n = 0; k < 6; k++)
        if (is_varied(&p, k))
            guess[n++] = (k < 3 ? 1 : 2) * state->rate[k];
    sw_search_begin(&s, &p.condition, dt, guess, (const double(*)[SW_FREE_MAX])state->jacobian);
    SW_TRY(search(&p, &s));
    const double own = own_mean_stress(&p);
    add_pressure(&p, dt);
    if (s.end != SW_SEARCH_FOUND)
        return refuse(&p, &s);
    for (int k = 0; k < 6; k++)
        state->rate[k] = sw_loading_component((const double(*)[3])p.l, k);
    memcpy(state->jacobian, s.jacobian, sizeof state->jacobian);
    state->mean_stress = sw_trace((const double(*)[3])p.average.cauchy_stress) / 3 - own;
    state->error = s.miss;
    memcpy(l, p.l, sizeof p.l);
    *average = p.average;
    return SW_OK;
}

int sw_mixed_is_met_within(const sw_response *response) { return response->homogenization->meet != NULL; }

sw_status sw_mixed_meet(const sw_loading *loading, int n, sw_response_part *part, sw_mixed_state *state,
                        double l[3][3])
{
    double estimate[3][3], rate[6], stress[6], found[6];
    int given[6];
    sw_loading_estimate(loading, estimate);
    for (int k = 0; k < 6; k++) {
        given[k] = sw_loading_is_free(loading, k);
        rate[k] = sw_loading_component((const double(*)[3])estimate, k);
        stress[k] = given[k] ? sw_condition_given_stress(loading, k) : 0;
    }
    SW_TRY(part[0].response->homogenization->meet(n, part, given, rate, stress, found, &state->mean_stress));
    sw_loading_fill(loading, found, l);
    for (int k = 0; k < 6; k++)
        state->rate[k] = found[k];
    state->error = 0;
    return SW_OK;
}
