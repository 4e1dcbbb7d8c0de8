#include "common/math/lanes_doubles.h"

#include "crystal_integrator.h"

#include <math.h>
#include <stdlib.h>

#include "common/math/strain_rate.h"
#include "common/system/threads.h"
#include "crystal_model.h"

sw_integration_control sw_integration_history(void)
{
    return (sw_integration_control){
        .strain_step = 1e-3,
        .rotation_step = 0.005,
        .first_strain_step = 1e-4,
        .growth = 0.5,
        .shrink = 1,
        .last_strain_step = 1e-3,
        .slip_increment_limit = 1e-2,
        .stress_tolerance = 1e-6,
        .iterations_max = 100,
        .halvings_max = 12,
    };
}

sw_integration_control sw_integration_endpoint(void)
{
    sw_integration_control control = sw_integration_history();
    control.strain_step = 5e-4;
    control.shrink = 0.1;
    control.last_strain_step = 2.5e-5;
    return control;
}

sw_crystal_state sw_crystal_state_initial(double g[3][3], double slip_resistance)
{
    sw_crystal_state state = {.slip_resistance = slip_resistance};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            state.elastic_deformation[i][j] = g[i][j];
    return state;
}

/* The members of sw_crystal_state and of sw_crystal_bundle, in the same order, as plain numbers. */
enum { STATE_NUMBERS = sizeof(sw_crystal_state) / sizeof(double) };
_Static_assert(sizeof(sw_crystal_bundle) == STATE_NUMBERS * sizeof(sw_real), "one lane is one crystal state");

static void load_lane(sw_crystal_bundle *bundle, int lane, const sw_crystal_state *state)
{
    double *to = (double *)bundle;
    const double *from = (const double *)state;
    for (int k = 0; k < STATE_NUMBERS; k++)
        to[k * SW_LANES + lane] = from[k];
}

static void store_lane(const sw_crystal_bundle *bundle, int lane, sw_crystal_state *state)
{
    const double *from = (const double *)bundle;
    double *to = (double *)state;
    for (int k = 0; k < STATE_NUMBERS; k++)
        to[k] = from[k * SW_LANES + lane];
}

/* Numbers of a crystal's slip state (sw_slip_law_numbers): G resistances or structures, unless one scales them all, F slips and, where twins
 * turn crystals, V fractions and F times, and what structures share; there are no back-stresses. */
static int resistances_of(const sw_slip_law *law) { return law->scales ? 0 : law->groups; }
static int slip_numbers(const sw_slip_law *law)
{
    const sw_slip_law_start start = sw_slip_law_start_of(law);
    return sw_slip_law_numbers(&start) - start.transfers; /* a weight is nobody's here */
}

int sw_integration_slip(const sw_material *material)
{
    sw_slip_law law;
    return sw_slip_law_prepare(material, &law) == SW_OK ? slip_numbers(&law) : 0;
}

static sw_real *slip_number(const sw_slip_law *law, sw_slip_state *slip, int k)
{
    const int slips = resistances_of(law), variants = slips + law->families,
              turned = variants + law->variants, shared = slip_numbers(law) - law->shared;
    return k < slips      ? (law->structured ? &slip->structure[k] : &slip->g[k])
           : k < variants ? &slip->slipped[k - slips]
           : k < turned   ? &slip->variant[k - variants]
           : k < shared   ? &slip->turned[k - turned]
                          : &slip->shared;
}

/* from [K]; NULL: of a crystal that has not slipped. */
static void load_slip(const sw_slip_law *law, double s, const double *from, int lane, sw_slip_state *slip)
{
    for (int k = 0; k < slip_numbers(law); k++)
        sw_set_lane(slip_number(law, slip, k), lane,
                    from != NULL                          ? from[k]
                    : k < resistances_of(law)             ? law->ratio[k] * (law->structured ? 1 : s)
                    : k < slip_numbers(law) - law->shared ? 0
                                                          : law->begin_shared);
}

static void store_slip(const sw_slip_law *law, sw_slip_state *slip, int lane, double *to)
{
    for (int k = 0; k < slip_numbers(law) && to != NULL; k++)
        to[k] = sw_lane(*slip_number(law, slip, k), lane);
}

sw_crystal_output sw_crystal_state_output(const sw_crystal_state *state)
{
    sw_crystal_bundle bundle;
    sw_real cauchy[3][3], plastic[3][3], rotation[3][3];
    for (int lane = 0; lane < SW_LANES; lane++)
        load_lane(&bundle, lane, state);
    sw_crystal_response(&bundle, cauchy, plastic);
    sw_polar_rotation(bundle.elastic_deformation, rotation);
    sw_crystal_output output;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            output.cauchy_stress[i][j] = sw_lane(cauchy[i][j], 0);
            output.plastic_gradient[i][j] = sw_lane(plastic[i][j], 0);
            output.rotation[i][j] = sw_lane(rotation[i][j], 0);
        }
    return output;
}

/* ||W||_F */
static double spin_of(const double l[3][3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += 0.25 * (l[i][j] - l[j][i]) * (l[i][j] - l[j][i]);
    return sqrt(sum);
}

sw_status sw_integration_plan(const sw_integration_control *control, double spin_ratio, double strain_on_path,
                              double strain, double **increments, int64_t *count)
{
    enum { MOST = 1 << 24 };
    const double steady = fmin(control->strain_step, control->rotation_step / spin_ratio);
    int64_t capacity = 0;
    double done = 0;
    *count = 0;
    *increments = NULL;
    if (!(strain <= MOST * steady))
        return sw_error(SW_ERR_RANGE, "strain = %g: need at most %d steps of %g", strain, MOST, steady);
    /* the slack keeps a sliver that round-off left from becoming a step */
    while (strain - done > 1e-9 * strain) {
        const double behind = strain_on_path + done, ahead = strain - done;
        double step = fmin(steady, fmax(control->first_strain_step, control->growth * behind));
        step = fmin(step, fmax(control->last_strain_step, control->shrink * ahead));
        /* cut what is left into equal parts */
        step = fmin(step, ahead / fmax(ceil(ahead / step - 1e-6), 1));
        if (*count == capacity) {
            capacity = 2 * capacity + 64;
            double *grown = realloc(*increments, (size_t)capacity * sizeof *grown);
            if (grown == NULL)
                return sw_error(SW_ERR_MEMORY, "no memory for %lld time steps", (long long)capacity);
            *increments = grown;
        }
        (*increments)[(*count)++] = step;
        done += step;
    }
    return SW_OK;
}

typedef struct {
    const sw_crystal_model *model;
    sw_step_control control;
    int halvings_max;
    int64_t iterations, steps, halvings;
} worker;

/* One planned step of the lanes in `active`, halved where it fails. Returns the lanes that made it. */
static sw_mask advance(worker *w, sw_mask active, sw_real l[3][3], sw_real dt, sw_crystal_bundle *bundle,
                       sw_slip_state *slip, int depth)
{
    w->steps++;
    sw_mask good = sw_crystal_step(w->model, &w->control, active, l, dt, bundle, slip, &w->iterations);
    sw_mask bad = active & ~good;
    if (!sw_any(bad) || depth == w->halvings_max)
        return good;
    w->halvings++;
    sw_mask first = advance(w, bad, l, 0.5 * dt, bundle, slip, depth + 1);
    return good | (sw_any(first) ? advance(w, first, l, 0.5 * dt, bundle, slip, depth + 1) : first);
}

/* All planned steps of crystals first .. first + SW_LANES - 1 (fewer at the end: the last is
 * repeated in the spare lanes). */
static void integrate_bundle(worker *w, int64_t n_crystals, int64_t first,
                             const double (*velocity_gradient)[3][3], int shared_gradient,
                             const double *increments, int64_t n_increments, sw_crystal_state *state,
                             double *slip, unsigned char *failed)
{
    const sw_slip_law *law = &w->model->law;
    const int numbers = slip_numbers(law);
    sw_crystal_bundle bundle;
    sw_slip_state own;
    sw_real l[3][3], inverse_rate;
    for (int lane = 0; lane < SW_LANES; lane++) {
        int64_t n = first + lane < n_crystals ? first + lane : n_crystals - 1;
        const double(*gradient)[3] = velocity_gradient[shared_gradient ? 0 : n];
        load_lane(&bundle, lane, &state[n]);
        load_slip(law, state[n].slip_resistance, slip != NULL ? slip + n * numbers : NULL, lane, &own);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sw_set_lane(&l[i][j], lane, gradient[i][j]);
        sw_set_lane(&inverse_rate, lane, 1 / sqrt(sw_symmetric_square(gradient)));
    }
    sw_mask going = sw_if(1);
    for (int64_t k = 0; k < n_increments && sw_any(going); k++)
        going = advance(w, going, l, increments[k] * inverse_rate, &bundle, &own, 0);
    for (int lane = 0; lane < SW_LANES && first + lane < n_crystals; lane++) {
        store_lane(&bundle, lane, &state[first + lane]);
        store_slip(law, &own, lane, slip != NULL ? slip + (first + lane) * numbers : NULL);
        failed[first + lane] = !sw_mask_lane(going, lane);
    }
}

/* For bundles of crystals: a step of one takes 4.5 iterations, 400 ns a crystal. */
static int threads_for(int64_t n_crystals, int64_t n_increments)
{
    return sw_threads_for((n_crystals + SW_LANES - 1) / SW_LANES, 400.0 * SW_LANES * (double)n_increments);
}

sw_status sw_integrate(const sw_material *material, const sw_integration_control *control, int64_t n_crystals,
                       const double (*velocity_gradient)[3][3], int shared_gradient, double strain_on_path,
                       double strain, sw_crystal_state *state, double *slip, unsigned char *failed,
                       sw_integration_statistics *statistics)
{
    if (!(strain >= 0) || !(strain_on_path >= 0) || !isfinite(strain))
        return sw_error(SW_ERR_RANGE, "strain = %g after %g: need finite values >= 0", strain,
                        strain_on_path);
    double spin_ratio = 0;
    for (int64_t n = 0; n < (shared_gradient ? 1 : n_crystals); n++) {
        double rate = sqrt(sw_symmetric_square(velocity_gradient[n]));
        spin_ratio = fmax(spin_ratio, spin_of(velocity_gradient[n]) / rate);
        if (!(rate > 0) || !isfinite(rate))
            return sw_error(SW_ERR_RANGE, "crystal %lld: ||D|| = %g: need a finite value > 0", (long long)n,
                            rate);
    }
    if (strain == 0 || n_crystals == 0)
        return SW_OK;

    sw_status status;
    double *increments = NULL;
    int64_t n_increments;
    unsigned char *failures = failed;
    sw_crystal_model model;
    sw_crystal_model_prepare(material, &model);
    SW_TRY_GOTO(status,
                sw_integration_plan(control, spin_ratio, strain_on_path, strain, &increments, &n_increments),
                done);
    if (failures == NULL)
        SW_TRY_GOTO(status, SW_ALLOCATE(failures, n_crystals, "flags of failed crystals"), done);

    int64_t iterations = 0, steps = 0, halvings = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : iterations, steps, halvings)                     \
    num_threads(threads_for(n_crystals, n_increments))
    for (int64_t first = 0; first < n_crystals; first += SW_LANES) {
        worker w = {
            .model = &model,
            .control = {control->stress_tolerance, control->slip_increment_limit, control->iterations_max},
            .halvings_max = control->halvings_max};
        integrate_bundle(&w, n_crystals, first, velocity_gradient, shared_gradient, increments, n_increments,
                         state, slip, failures);
        iterations += w.iterations;
        steps += w.steps;
        halvings += w.halvings;
    }
    if (statistics != NULL) {
        statistics->iterations += iterations * SW_LANES;
        statistics->steps += steps * SW_LANES;
        statistics->halvings += halvings;
    }
    for (int64_t n = 0; n < n_crystals && failed == NULL; n++)
        if (failures[n]) {
            status =
                sw_error(SW_ERR_CONVERGENCE, "crystal %lld did not converge, with its step halved %d times",
                         (long long)n, control->halvings_max);
            break;
        }
done:
    free(increments);
    if (failed == NULL)
        free(failures);
    return status;
}
