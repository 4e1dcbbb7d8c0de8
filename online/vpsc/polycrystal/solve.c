/* The scheme's engine (online/response/homogenization/self_consistent/) with a polycrystal's grains. */
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/deviator.h"
#include "common/math/rotation.h"
#include "online/response/homogenization/self_consistent/self_consistent.h"

struct sw_vpsc_solver {
    int compatible, threads, began, recovers;
    int n_phases;
    sw_sc_rules rules;
    sw_sc_phase phase[SW_VPSC_PHASES];
    sw_sc_slip *slip[SW_VPSC_PHASES];
    sw_state_layout layout[SW_VPSC_PHASES];
    int order
        [SW_VPSC_PHASES]
        [SW_VPSC_SYSTEMS]; /* system of the engine -> of the file: those that slip both ways come first */
    double *resistance[SW_VPSC_PHASES]; /* [N][S], in the engine's order */
    sw_sc_shape *shape[SW_VPSC_PHASES]; /* [N], of grains with shapes of their own */
    double rate;                        /* reference rate that slips were made with */
    sw_sc_work *work;
    sw_sc_medium medium;
    double least, most; /* relative directional compliances of grains in the first step */
};

/* ---- Made ---- */

static void order_systems(const sw_vpsc_crystal *crystal, int *order, sw_slip_systems *systems)
{
    int n = 0;
    memset(systems, 0, sizeof *systems);
    for (int one_way = 0; one_way < 2; one_way++) {
        for (int a = 0; a < crystal->n_systems; a++)
            if (crystal->mode[crystal->mode_of[a]].one_way == one_way)
                order[n++] = a;
        if (!one_way)
            systems->two_way = n;
    }
    systems->count = n;
    for (int a = 0; a < n; a++) {
        memcpy(systems->direction[a], crystal->direction[order[a]], sizeof systems->direction[a]);
        memcpy(systems->normal[a], crystal->normal[order[a]], sizeof systems->normal[a]);
    }
}

/* Every system a group of its own; hardening is ours. */
static sw_slip_law make_law(const sw_slip_systems *systems)
{
    sw_slip_law law;
    memset(&law, 0, sizeof law);
    law.law = SW_LAW_extended_voce;
    law.systems = law.groups = systems->count;
    law.two_way = systems->two_way;
    law.families = 1;
    for (int a = 0; a < systems->count; a++)
        law.group[a] = a;
    return law;
}

static sw_status make_slip(sw_vpsc_solver *s, const sw_vpsc_grains_of *p)
{
    sw_slip_systems systems;
    order_systems(&p->input->crystal, s->order[p->number], &systems);
    const sw_slip_law law = make_law(&systems);
    free(s->slip[p->number]);
    s->slip[p->number] = NULL;
    SW_TRY(sw_sc_slip_make(&systems, &law, NULL, p->input->crystal.mode[0].exponent, s->rate,
                           &s->slip[p->number]));
    s->phase[p->number].slip = s->slip[p->number];
    return SW_OK;
}

static sw_status make_grains(sw_vpsc_solver *s, const sw_vpsc_grains_of *p)
{
    sw_crystals *grains = &s->phase[p->number].grains;
    s->layout[p->number].numbers = SW_SC_KEPT + p->systems + 1;
    grains->device = SW_CPU;
    grains->n = p->n;
    grains->layout = &s->layout[p->number];
    SW_TRY(SW_ALLOCATE(grains->crystal, p->n, "crystals"));
    SW_TRY(SW_ALLOCATE(grains->state, p->n * grains->layout->numbers, "crystals"));
    SW_TRY(SW_ALLOCATE(s->resistance[p->number], p->n * p->systems, "slip resistances"));
    if (s->rules.own_shapes)
        SW_TRY(SW_ALLOCATE(s->shape[p->number], p->n, "ellipsoids"));
    return SW_OK;
}

static sw_sc_rules make_rules(const sw_vpsc_polycrystal *polycrystal, int compatible)
{
    static const sw_sc_linearization linearization[SW_VPSC_INTERACTIONS] = {[SW_VPSC_AFFINE] = SW_SC_AFFINE,
                                                                            [SW_VPSC_SECANT] = SW_SC_SECANT,
                                                                            [SW_VPSC_NEFF] = SW_SC_NEFF,
                                                                            [SW_VPSC_TANGENT] = SW_SC_TANGENT,
                                                                            [SW_VPSC_SECOND_ORDER] =
                                                                                SW_SC_SECOND_ORDER};
    const sw_vpsc_input *input = polycrystal->input;
    const double exponent = input->phase[0].crystal.mode[0].exponent;
    const double neff = input->neff > 0 ? input->neff : exponent / 2; /* of compliances: VPSC8's first step */
    sw_sc_rules rules = sw_sc_standard_rules(linearization[input->interaction], neff, exponent);
    rules.compatible = compatible;
    if (compatible) {
        rules.stress_tolerance = input->stress_tolerance;
        rules.rate_tolerance = input->rate_tolerance;
        rules.moduli_tolerance = input->moduli_tolerance;
        rules.outer = input->outer;
        rules.inner = rules.inner_first = input->inner;
    }
    for (int p = 0; p < polycrystal->n_phases; p++)
        rules.own_shapes = rules.own_shapes || input->phase[p].shape >= SW_VPSC_GRAIN_SHAPE;
    return rules;
}

sw_status sw_vpsc_solver_check(const sw_vpsc_input *input, int compatible)
{
    const int second_order = input->interaction == SW_VPSC_SECOND_ORDER;
    if (input->fluctuations)
        return sw_error(SW_ERR_UNAVAILABLE, "%s: iflu = 1, fluctuations, are not taken", input->path);
    if (second_order && (compatible || input->n_phases > 1))
        return sw_error(SW_ERR_UNAVAILABLE,
                        "%s: interaction 5, second order: need one phase, and --compatible=no", input->path);
    for (int p = 0; p < input->n_phases; p++) {
        if (second_order && input->phase[p].shape >= SW_VPSC_GRAIN_SHAPE)
            return sw_error(SW_ERR_UNAVAILABLE,
                            "%s: interaction 5, second order: phase %d: need one ellipsoid of all grains",
                            input->path, p + 1);
        const sw_vpsc_crystal *crystal = &input->phase[p].crystal;
        if (crystal->law >= SW_VPSC_DENSITY && input->n_phases > 1)
            return sw_error(SW_ERR_UNAVAILABLE, "%s: ihardlaw = %d, dislocation densities: need one phase",
                            crystal->path, crystal->law);
        for (int m = 1; m < crystal->n_modes; m++)
            if (crystal->mode[m].exponent != input->phase[0].crystal.mode[0].exponent)
                return sw_error(SW_ERR_UNAVAILABLE, "%s: modes have exponents %d and %d: need one for all",
                                crystal->path, input->phase[0].crystal.mode[0].exponent,
                                crystal->mode[m].exponent);
    }
    return SW_OK;
}

static sw_status make(const sw_vpsc_polycrystal *polycrystal, sw_vpsc_solver *s)
{
    s->n_phases = polycrystal->n_phases;
    s->rate = 1;
    SW_TRY(sw_vpsc_solver_check(polycrystal->input, s->compatible));
    s->rules = make_rules(polycrystal, s->compatible);
    for (int p = 0; p < s->n_phases; p++) {
        SW_TRY(make_slip(s, &polycrystal->phase[p]));
        SW_TRY(make_grains(s, &polycrystal->phase[p]));
    }
    return sw_sc_work_make(s->n_phases, s->phase, &s->rules, &s->work);
}

sw_status sw_vpsc_solver_make(const sw_vpsc_polycrystal *polycrystal, int compatible, int threads,
                              sw_vpsc_solver **solver)
{
    SW_TRY(SW_ALLOCATE(*solver, 1, "solver"));
    (*solver)->compatible = compatible;
    (*solver)->threads = threads;
    const sw_status status = make(polycrystal, *solver);
    if (status != SW_OK) {
        sw_vpsc_solver_free(*solver);
        *solver = NULL;
    }
    return status;
}

void sw_vpsc_solver_free(sw_vpsc_solver *s)
{
    if (s == NULL)
        return;
    sw_sc_work_free(s->work);
    for (int p = 0; p < s->n_phases; p++) {
        free(s->slip[p]);
        free(s->phase[p].grains.crystal);
        free(s->phase[p].grains.state);
        free(s->resistance[p]);
        free(s->shape[p]);
    }
    free(s);
}

/* ---- To the engine ---- */

static void set_shape(const sw_vpsc_ellipsoid *e, sw_sc_shape *shape)
{
    memcpy(shape->map, e->along, sizeof e->along);
    memcpy(shape->axes, e->axes, sizeof e->axes);
}

/* All in double precision; the crystals beside it are only there to be as many. */
static void fill_grains(sw_vpsc_solver *s, const sw_vpsc_grains_of *p)
{
    const int own = p->of_grain != NULL && p->input->shape >= SW_VPSC_GRAIN_SHAPE;
    for (int64_t g = 0; g < p->n; g++) {
        for (int a = 0; a < p->systems; a++)
            s->resistance[p->number][g * p->systems + a] = p->crss[g * p->systems + s->order[p->number][a]];
        if (s->shape[p->number] != NULL)
            set_shape(own ? &p->of_grain[g] : &p->ellipsoid, &s->shape[p->number][g]);
    }
    s->phase[p->number].turn = (const double(*)[3][3])p->turn;
    s->phase[p->number].resistance = s->resistance[p->number];
    s->phase[p->number].weight = p->weight;
    s->phase[p->number].shape = s->shape[p->number];
}

static void to_five(const double t[6], double v[5])
{
    for (int a = 0; a < 5; a++) {
        v[a] = 0;
        for (int k = 0; k < 6; k++)
            v[a] += (k < 3 ? 1 : 2) * t[k] * sw_deviator_basis(a, k);
    }
}

static void to_six(const double v[5], double mean, double t[6])
{
    for (int k = 0; k < 6; k++) {
        t[k] = k < 3 ? mean : 0;
        for (int a = 0; a < 5; a++)
            t[k] += v[a] * sw_deviator_basis(a, k);
    }
}

static void fill_stresses(sw_vpsc_solver *s, const sw_vpsc_grains_of *p)
{
    const sw_crystals *grains = &s->phase[p->number].grains;
    for (int64_t g = 0; g < p->n; g++) {
        double five[5];
        to_five(p->stress[g], five);
        for (int k = 0; k < 5; k++)
            grains->state[g * grains->layout->numbers + k] = (float)five[k];
    }
}

static void set_conditions(sw_vpsc_solver *s, const sw_vpsc_polycrystal *polycrystal,
                           sw_sc_directions *directions)
{
    sw_sc_medium *medium = &s->medium;
    for (int k = 0; k < 6; k++) {
        medium->conditions.stress_given[k] = !sw_vpsc_d_given(polycrystal->rate_given, k);
        medium->conditions.rate[k] = polycrystal->d[k];
        medium->conditions.stress[k] = polycrystal->stress[k];
    }
    to_five(polycrystal->d, medium->d);
    to_five(polycrystal->stress, medium->s);
    medium->phases = s->n_phases;
    for (int p = 0; p < s->n_phases; p++) {
        const sw_vpsc_ellipsoid *e = &polycrystal->phase[p].ellipsoid;
        set_shape(e, &medium->of[p].shape);
        directions[p] = sw_sc_directions_of_vpsc(e->axes);
    }
}

/* Where rates say nothing of the level of stress, slip's reference rate is the rate's size. */
static sw_status set_rate(sw_vpsc_solver *s, const sw_vpsc_polycrystal *polycrystal)
{
    const double rate =
        polycrystal->input->phase[0].crystal.rate_sensitive ? 1 : sw_vpsc_deviator_size(polycrystal->d);
    if (rate == s->rate)
        return SW_OK;
    s->rate = rate;
    for (int p = 0; p < s->n_phases; p++)
        SW_TRY(make_slip(s, &polycrystal->phase[p]));
    return SW_OK;
}

/* ---- From the engine ---- */

static void take_grains(const sw_vpsc_solver *s, sw_vpsc_grains_of *p)
{
    for (int64_t g = 0; g < p->n; g++) {
        double stress[5], rate[5], slip_rate[SW_VPSC_SYSTEMS];
        sw_sc_grain_of(s->work, s->phase, p->number, g, stress, rate, slip_rate);
        to_six(stress, 0, p->stress[g]);
        to_six(rate, 0, p->rate[g]);
        for (int a = 0; a < p->systems; a++)
            p->slip_rate[g * p->systems + s->order[p->number][a]] = slip_rate[a];
        if (p->spin != NULL)
            sw_sc_grain_spin(s->work, p->number, g, p->spin[g]);
    }
    if (s->rules.own_shapes) /* the phase's is each grain's where it is not its own */
        sw_sc_grain_spin(s->work, p->number, 0, p->phase_spin);
    else
        memcpy(p->phase_spin, s->medium.of[p->number].spin, sizeof p->phase_spin);
}

static void take_means(sw_vpsc_polycrystal *polycrystal)
{
    memset(polycrystal->mean_d, 0, sizeof polycrystal->mean_d);
    memset(polycrystal->mean_stress, 0, sizeof polycrystal->mean_stress);
    for (int i = 0; i < polycrystal->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++)
            for (int k = 0; k < 6; k++) {
                polycrystal->mean_d[k] += p->weight[g] * p->rate[g][k];
                polycrystal->mean_stress[k] += p->weight[g] * p->stress[g][k];
            }
    }
}

/* A component of less than a millionth of all is none. */
static void round_off(double t[6])
{
    const double least = 1e-6 * sqrt(sw_vpsc_contract(t, t));
    for (int k = 0; k < 6; k++)
        if (fabs(t[k]) < least)
            t[k] = 0;
}

/* Relative directional compliances of grains give M~ a factor for the step to come: by VPSC8's order of things that of a phase's
 * first grain, from 1 of the most compliant one to n of the least. */
static void set_factor(sw_vpsc_solver *s, const sw_vpsc_polycrystal *polycrystal, int fresh)
{
    const double exponent = polycrystal->input->phase[0].crystal.mode[0].exponent;
    double d[5], md[5], first = 0;
    to_five(polycrystal->mean_d, d);
    sw_sc_apply((const double(*)[5])s->medium.m, d, md);
    const double whole = sw_sc_size(md);
    for (int i = 0; i < polycrystal->n_phases; i++)
        for (int64_t g = 0; g < polycrystal->phase[i].n && (fresh || (i == 0 && g == 0)); g++) {
            const double relative =
                sw_vpsc_compliance_along(&polycrystal->phase[i], g, polycrystal->mean_d) / whole;
            if (i == 0 && g == 0) {
                first = relative;
                if (fresh)
                    s->least = s->most = relative;
            }
            s->least = fresh ? fmin(s->least, relative) : s->least;
            s->most = fresh ? fmax(s->most, relative) : s->most;
        }
    s->rules.neff = 1 + (exponent - 1) * fmax(0, fmin(1, (s->most - first) / (s->most - s->least)));
}

static sw_status solve_scheme(sw_vpsc_solver *s, sw_vpsc_polycrystal *polycrystal, int fresh,
                              int stress_control, sw_vpsc_convergence *convergence)
{
    sw_sc_directions directions[SW_VPSC_PHASES];
    for (int p = 0; p < s->n_phases; p++)
        fill_grains(s, &polycrystal->phase[p]);
    set_conditions(s, polycrystal, directions);
    s->medium.warm = s->began && !fresh && (polycrystal->compatible || !polycrystal->twinned);
    polycrystal->twinned = 0;
    s->medium.stress_control = stress_control;
    s->medium.recovered = fresh && s->recovers && !stress_control;
    for (int p = 0; p < s->n_phases && s->medium.recovered; p++)
        fill_stresses(s, &polycrystal->phase[p]);
    sw_sc_solve(s->work, s->phase, &s->rules, directions, &s->medium, s->threads);
    s->began = 1;
    convergence->iterations = s->medium.outer;
    convergence->converged = s->medium.converged;
    memcpy(convergence->error, s->medium.error, sizeof convergence->error);
    for (int p = 0; p < s->n_phases; p++)
        take_grains(s, &polycrystal->phase[p]);
    to_six(s->medium.d, 0, polycrystal->d);
    to_six(s->medium.s, s->medium.pressure, polycrystal->stress);
    return SW_OK;
}

static sw_status solve_taylor(sw_vpsc_solver *s, sw_vpsc_polycrystal *polycrystal,
                              sw_vpsc_convergence *convergence)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        int64_t failed = 0;
#pragma omp parallel for num_threads(s->threads) reduction(+ : failed) if (s->threads > 1)
        for (int64_t g = 0; g < p->n; g++)
            failed += !sw_vpsc_solve_taylor(p, g, polycrystal->d, s->rate);
        if (failed > 0)
            sw_warn("%lld grains of phase %d have no stress at the strain rate: they keep the one before",
                    (long long)failed, i + 1);
    }
    memset(convergence, 0, sizeof *convergence);
    convergence->converged = 1;
    take_means(polycrystal);
    memcpy(polycrystal->stress, polycrystal->mean_stress, sizeof polycrystal->stress);
    return SW_OK;
}

sw_status sw_vpsc_solve(sw_vpsc_solver *s, sw_vpsc_polycrystal *polycrystal, int fresh, int stress_control,
                        sw_vpsc_convergence *convergence)
{
    SW_TRY(set_rate(s, polycrystal));
    if (polycrystal->input->interaction == SW_VPSC_FULL_CONSTRAINTS)
        return solve_taylor(s, polycrystal, convergence);
    SW_TRY(solve_scheme(s, polycrystal, fresh, stress_control, convergence));
    take_means(polycrystal);
    if (polycrystal->input->interaction == SW_VPSC_NEFF && polycrystal->input->neff == 0)
        set_factor(s, polycrystal, fresh);
    round_off(polycrystal->d);
    round_off(polycrystal->stress);
    return SW_OK;
}

/* ---- From run to run ---- */

/* VPSC8's basis has the opposite of the first tensor. */
static double turned(int i, double value) { return i == 0 ? -value : value; }

void sw_vpsc_medium_of(const sw_vpsc_solver *s, const sw_vpsc_polycrystal *polycrystal,
                       sw_vpsc_medium *medium)
{
    double d[6], stress[6];
    sw_vpsc_to_basis(polycrystal->mean_d, d);
    sw_vpsc_to_basis(polycrystal->mean_stress, stress);
    for (int i = 0; i < 5; i++) {
        medium->mean_d[i] = d[i];
        medium->mean_stress[i] = stress[i];
        medium->d0[i] = turned(i, s->medium.d0[i]);
        for (int j = 0; j < 5; j++) {
            medium->m[i][j] = turned(i, turned(j, s->medium.m[i][j]));
            medium->l[i][j] = turned(i, turned(j, s->medium.l[i][j]));
        }
    }
}

void sw_vpsc_recover(sw_vpsc_solver *s, sw_vpsc_polycrystal *polycrystal, const sw_vpsc_medium *medium)
{
    double d[6] = {0}, stress[6] = {0};
    s->recovers = 1;
    for (int i = 0; i < 5; i++) {
        d[i] = medium->mean_d[i];
        stress[i] = medium->mean_stress[i];
        s->medium.d0[i] = turned(i, medium->d0[i]);
        s->medium.mean_d[i] = turned(i, medium->mean_d[i]);
        s->medium.mean_s[i] = turned(i, medium->mean_stress[i]);
        for (int j = 0; j < 5; j++) {
            s->medium.m[i][j] = turned(i, turned(j, medium->m[i][j]));
            s->medium.l[i][j] = turned(i, turned(j, medium->l[i][j]));
        }
    }
    sw_vpsc_from_basis(d, polycrystal->mean_d);
    sw_vpsc_from_basis(stress, polycrystal->mean_stress);
}
