/* Self-consistent polycrystals: each crystal is an ellipsoid in the medium that all of them are. Stress and strain rate differ
 * from crystal to crystal, and only their means are the polycrystal's. For the slip law of `rigid_plastic`; self_consistent/. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/deviator.h"
#include "common/system/memory.h"
#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "homogenization.h"
#include "online/response/step/step.h"
#include "self_consistent/self_consistent.h"

static const sw_state_field kept[] = {{SW_SC_STRESS, "Pa", 5, 0}, {SW_SC_SHAPE, "", 9, 0}};

/* A response's own. */
typedef struct {
    sw_sc_slip *slip;
    sw_sc_rules rules;
    sw_sc_work *work; /* for crystals of `room`; NULL: none yet */
    int64_t room;
    int stress_at, law_at;
} scheme;

static sw_status check(const sw_solver *solver, sw_device device)
{
    if (strcmp(solver->traits.name, "rigid_plastic") != 0)
        return sw_error(SW_ERR_UNAVAILABLE, "homogenization = self_consistent: solver = %s: need rigid_plastic",
                        solver->traits.name);
    if (device == SW_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE, "homogenization = self_consistent: runs on the CPU only");
    return SW_OK;
}

static int place_of(const sw_state_layout *layout, const char *name)
{
    const sw_state_field *field = sw_state_field_find(layout, name);
    return field != NULL ? sw_state_field_place(layout, field) : -1;
}

/* Number of a name in a list; NULL: the standard's. SW_ERR_RANGE. */
static sw_status number_of(const char *key, const char *name, int n, const char *const *names, int standard,
                           int *number)
{
    for (int i = 0; i < n; i++)
        if (name == NULL ? i == standard : strcmp(name, names[i]) == 0) {
            *number = i;
            return SW_OK;
        }
    return sw_error(SW_ERR_RANGE, "self_consistent.%s = %s: there is none such", key, name);
}

static sw_status check_number(const char *key, double value, double least, double most)
{
    return value >= least && value <= most
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "self_consistent.%s = %g: need %g to %g", key, value, least, most);
}

static void close_scheme(sw_response *response)
{
    scheme *s = response->homogenized;
    if (s == NULL)
        return;
    sw_sc_work_free(s->work);
    free(s->slip);
    free(s);
    response->homogenized = NULL;
}

static sw_status open_scheme(sw_response *response, const sw_response_options *options)
{
    const sw_self_consistent *o = &options->self_consistent;
    const double exponent = 1 / response->material->slip.rate_sensitivity,
                 neff = o->neff != 0 ? o->neff : 10, tolerance = o->tolerance != 0 ? o->tolerance : 1e-4;
    int linearization = 0, ellipsoids = 0;
    scheme *s;
    SW_TRY(number_of("linearization", o->linearization, 4, sw_linearization_names, SW_SC_AFFINE, &linearization));
    SW_TRY(number_of("ellipsoids", o->ellipsoids, 3, sw_ellipsoid_names, 0, &ellipsoids));
    SW_TRY(check_number("neff", neff, 1e-6, 1e6));
    SW_TRY(check_number("tolerance", tolerance, 1e-12, 0.1));
    if (sw_parallel_size() > 1)
        return sw_error(SW_ERR_UNAVAILABLE, "homogenization = self_consistent: runs on one rank, not on %d",
                        sw_parallel_size());
    SW_TRY(SW_ALLOCATE(s, 1, "self-consistent scheme"));
    response->homogenized = s;
    SW_TRY(sw_sc_slip_of(response->material, &s->slip));
    s->rules = sw_sc_standard_rules((sw_sc_linearization)linearization, neff, exponent);
    s->rules.stress_tolerance = s->rules.rate_tolerance = s->rules.moduli_tolerance = tolerance;
    s->rules.own_shapes = ellipsoids == 1;
    s->rules.keep_shape = ellipsoids == 2;
    s->stress_at = place_of(response->layout, SW_SC_STRESS);
    s->law_at = place_of(response->layout, "slip_resistances");
    if (s->law_at < 0)
        s->law_at = place_of(response->layout, "family_slip");
    return SW_OK;
}

/* ---- One polycrystal ---- */

static sw_sc_phase phase_of(const scheme *s, const sw_crystals *crystals)
{
    return (sw_sc_phase){
        .slip = s->slip, .grains = *crystals, .stress_at = s->stress_at, .law_at = s->law_at};
}

static sw_status make_room(scheme *s, const sw_sc_phase *phase)
{
    if (s->work != NULL && s->room == phase->grains.n)
        return SW_OK;
    sw_sc_work_free(s->work);
    s->work = NULL;
    s->room = phase->grains.n;
    return sw_sc_work_make(1, phase, &s->rules, &s->work);
}

/* Vector of five of the deviator of l's symmetric part. */
static void rate_of(const double l[3][3], double rate[6], double d[5])
{
    for (int k = 0; k < 6; k++)
        rate[k] = 0.5 * (l[sw_six_row(k)][sw_six_column(k)] + l[sw_six_column(k)][sw_six_row(k)]);
    for (int a = 0; a < 5; a++) {
        d[a] = 0;
        for (int k = 0; k < 6; k++)
            d[a] += sw_deviator_basis(a, k) * rate[k] * (k < 3 ? 1 : 2);
    }
}

/* The ellipsoid of a phase, which all of its crystals remember. */
static sw_sc_directions shape_of(const scheme *s, const sw_crystals *crystals, sw_sc_shape *shape)
{
    const float *f = crystals->state + s->stress_at + 5;
    double map[3][3], most = 1;
    for (int k = 0; k < 9; k++)
        map[k / 3][k % 3] = (double)f[k] + (k % 4 == 0);
    if (!s->rules.own_shapes)
        return sw_sc_directions_for(sw_sc_shape_of((const double(*)[3])map, shape));
    for (int64_t n = 0; n < crystals->n; n++, f += crystals->layout->numbers) {
        sw_sc_shape own;
        for (int k = 0; k < 9; k++)
            map[k / 3][k % 3] = (double)f[k] + (k % 4 == 0);
        most = fmax(most, sw_sc_shape_of((const double(*)[3])map, &own));
    }
    return sw_sc_directions_for(most);
}

static sw_status check_converged(const sw_sc_medium *m)
{
    if (m->converged)
        return SW_OK;
    return sw_error(SW_ERR_CONVERGENCE,
                    "the self-consistent scheme misses its tolerance after %d iterations: stresses by %.2g, "
                    "their mean by %.2g, strain rates by %.2g%s",
                    m->outer, m->error[0], m->error[1], m->error[2],
                    m->failed > 0 ? ", and crystals have no answer" : "");
}

static void stress_of(const sw_sc_medium *m, double stress[3][3])
{
    double t[6] = {0};
    for (int a = 0; a < 5; a++)
        for (int k = 0; k < 6; k++)
            t[k] += m->s[a] * sw_deviator_basis(a, k);
    for (int k = 0; k < 9; k++)
        stress[k / 3][k % 3] = t[sw_six_of(k / 3, k % 3)] + (k % 4 == 0 ? m->pressure : 0);
}

static void spin_of(const double l[3][3], double spin[3])
{
    spin[0] = 0.5 * (l[0][1] - l[1][0]);
    spin[1] = 0.5 * (l[0][2] - l[2][0]);
    spin[2] = 0.5 * (l[1][2] - l[2][1]);
}

static sw_status advance(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                         double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average)
{
    scheme *s = response->homogenized;
    const sw_sc_phase phase = phase_of(s, from);
    const int threads = sw_threads_for(from->n, 100); /* of the quickest pass */
    sw_sc_medium m = {.phases = 1};
    sw_sc_average sums = {0};
    double spin[3];
    if (!(d->rate > 0))
        return sw_error(SW_ERR_RANGE, "velocity gradient: ||D|| = %g: need a strain rate > 0", d->rate);
    SW_TRY(make_room(s, &phase));
    rate_of(velocity_gradient, m.conditions.rate, m.d);
    spin_of(velocity_gradient, spin);
    const sw_sc_directions directions = shape_of(s, from, &m.of[0].shape);
    sw_sc_solve(s->work, &phase, &s->rules, &directions, &m, threads);
    SW_TRY(check_converged(&m));
    sw_sc_advance(s->work, &phase, &s->rules, &m, to != NULL ? dt : 0, spin, to, &sums, threads);
    SW_TRY(sw_check_weights(sums.weight));
    stress_of(&m, average->cauchy_stress);
    average->slip_resistance = sums.slip_resistance / sums.weight;
    average->slip_rate = sums.slip_rate / sums.weight;
    return SW_OK;
}

static sw_status points(sw_response *response, const sw_points *of, int64_t *failed)
{
    (void)of;
    (void)failed;
    return sw_error(SW_ERR_UNAVAILABLE, "homogenization = self_consistent: solver = %s: has no points yet",
                    response->solver->traits.name);
}

const sw_homogenization sw_homogenization_self_consistent = {.name = "self_consistent",
                                                             .check = check,
                                                             .open = open_scheme,
                                                             .close = close_scheme,
                                                             .n_fields = 2,
                                                             .field = kept,
                                                             .advance = advance,
                                                             .points = points};
