/* Solver `iterative`: the elasto-viscoplastic model itself, with every crystal's elastic state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/crystal_integrator.h"
#include "common/system/threads.h"
#include "half_turn.h"
#include "online/response/step/solver.h"
#include "online/response/step/step.h"
#include "online/response/step/twins.h"

/* Of a crystal: its state, and the strain path that all share; doubles. After them, of materials with slip.families, what
 * resists its systems. */
typedef struct {
    sw_crystal_state state;
    double gradient[3][3]; /* of the last step */
    double strain_on_path; /* since the gradient's direction last changed */
} remembered;

enum { PATH = 10, DOUBLES = sizeof(remembered) / sizeof(double), NUMBERS = 2 * DOUBLES };
static const sw_state_field fields[] = {{"elasto_viscoplastic_state", "", DOUBLES - PATH, 1},
                                        {"strain_path", "", PATH, 1}};

static float *place(const sw_crystals *c, int64_t i) { return c->state + i * c->layout->numbers; }

static void load(const sw_crystals *c, int64_t i, remembered *one) { memcpy(one, place(c, i), sizeof *one); }

static void store(const sw_crystals *c, int64_t i, const remembered *one)
{
    memcpy(place(c, i), one, sizeof *one);
}

static void close_iterative(sw_response *response) { (void)response; }

static sw_status open_iterative(sw_response *response)
{
    sw_slip_law law;
    SW_TRY(sw_slip_law_prepare(response->material, &law));
    return sw_slip_law_check_plain("solver = iterative", &law);
}

static void begin(sw_crystals *c)
{
    memset(c->state, 0, (size_t)(c->n * c->layout->numbers) * sizeof *c->state);
    for (int64_t i = 0; i < c->n; i++) {
        const sw_crystal *crystal = &c->crystal[i];
        const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
        remembered one = {.strain_on_path = 0};
        double g[3][3];
        sw_rotation_from_euler(euler, g);
        one.state = sw_crystal_state_initial(g, crystal->slip_resistance);
        store(c, i, &one);
    }
}

static void turn(const sw_response *response, sw_crystals *c, int64_t i, const float n[3])
{
    const sw_stiffness stiffness = sw_material_stiffness(response->material);
    const double size = sqrt(n[0] * (double)n[0] + n[1] * (double)n[1] + n[2] * (double)n[2]);
    const double normal[3] = {n[0] / size, n[1] / size, n[2] / size};
    remembered one;
    load(
        c, i,
        &one); /* the next step has its stress from F*, and begins at 0: turned systems may bear a stress that is
                         several times what resists them, rates of 1e17 1/s, from where Newton's method finds nothing */
    sw_crystal_half_turn(&stiffness, normal, &one.state);
    memset(one.state.stress, 0, sizeof one.state.stress);
    store(c, i, &one);
}

static int same_path(const double a[3][3], const double b[3][3])
{
    int same = 1;
    for (int k = 0; k < 9; k++)
        same &= a[k / 3][k % 3] == b[k / 3][k % 3];
    return same;
}

/* total += weight * part */
static void add_average(sw_response_average *total, const sw_response_average *part, double weight)
{
    for (int k = 0; k < 9; k++)
        total->cauchy_stress[k / 3][k % 3] += weight * part->cauchy_stress[k / 3][k % 3];
    total->slip_resistance += weight * part->slip_resistance;
    total->slip_rate += weight * part->slip_rate;
}

/* Of a block of crystals. */
typedef struct {
    sw_response_average average; /* times the weights */
    double weight;
} block_sums;

/* Orientation and resistance of a block of crystals, and its sums. */
static void collect_block(int64_t n, const sw_crystal_state *state, sw_crystal *crystal, const float *weight,
                          block_sums *sum)
{
    memset(sum, 0, sizeof *sum);
    for (int64_t i = 0; i < n; i++) {
        sw_crystal_output output = sw_crystal_state_output(&state[i]);
        sw_response_average one = {.slip_resistance = state[i].slip_resistance,
                                   .slip_rate = state[i].slip_rate};
        double euler[3];
        sw_euler_from_rotation(output.rotation, euler);
        for (int k = 0; k < 3; k++)
            crystal[i].euler[k] = (float)euler[k];
        crystal[i].slip_resistance = (float)state[i].slip_resistance;
        memcpy(one.cauchy_stress, output.cauchy_stress, sizeof one.cauchy_stress);
        const double w = sw_weight_of(weight, i);
        add_average(&sum->average, &one, w);
        sum->weight += w;
    }
}

/* crystal: where orientation and resistance go. */
static sw_status collect(int64_t n, const sw_crystal_state *state, sw_crystal *crystal, const float *weight,
                         sw_response_average *average)
{
    const int64_t n_blocks = (n + SW_STEP_BLOCK - 1) / SW_STEP_BLOCK;
    const double nanoseconds = SW_STEP_BLOCK * 500.0; /* of a block: mostly the crystals' polar rotations */
    double total = 0;
    block_sums *sum;
    SW_TRY(SW_ALLOCATE(sum, n_blocks, "block averages"));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n_blocks, nanoseconds))
    for (int64_t i = 0; i < n_blocks; i++) {
        const int64_t first = i * SW_STEP_BLOCK, left = n - first;
        collect_block(left < SW_STEP_BLOCK ? left : SW_STEP_BLOCK, state + first, crystal + first,
                      weight != NULL ? weight + first : NULL, &sum[i]);
    }
    for (int64_t i = 0; i < n_blocks; i++)
        total += sum[i].weight;
    for (int64_t i = 0; i < n_blocks; i++)
        add_average(average, &sum[i].average, 1.0 / total);
    free(sum);
    return sw_check_weights(total);
}

/* Whether it is strained with its volume, which makes deviators: sw_response_takes_volume. */
static int takes_volume(const sw_response *response)
{
    return sw_material_lattice(response->material)->vectors != NULL;
}

/* Who gives a volume has its pressure already, K ln J, and asks for the mean stress beside it: sw_elastic_volume. J is all crystals',
 * whose slips keep volume. */
static void take_out_pressure(const sw_material *material, const sw_crystal_state *state,
                              sw_response_average *average)
{
    const sw_stiffness stiffness = sw_material_stiffness(material);
    const double(*f)[3] = state->elastic_deformation;
    double by_stress[5];
    const double volume = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
                          f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
                          f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
    for (int i = 0; i < 3; i++)
        average->cauchy_stress[i][i] -= sw_stiffness_relaxed_bulk(&stiffness, by_stress) * log(volume);
}

/* Room for a step that may be no more than tried: what it makes of the crystals. */
typedef struct {
    sw_crystal_state *state; /* [N] */
    sw_crystal *crystal;     /* [N] */
    double *slip;            /* [N][K] of families; else NULL */
} work;

/* A crystal that has turned lets its stress go at once, by slips that no smaller step makes less: the elastic strain, some 1e-2, over
 * Schmid's factor. */
static sw_integration_control control_of(const sw_material *material)
{
    sw_integration_control control = sw_integration_history();
    if (sw_twins_turn(material))
        control.slip_increment_limit = 0.1;
    return control;
}

static sw_status step_in(work *w, sw_response *response, const double velocity_gradient[3][3],
                         const sw_strain_rate *d, double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average)
{
    const sw_integration_control control = control_of(response->material);
    const int64_t k = sw_integration_slip(response->material);
    const size_t bytes = (size_t)k * sizeof *w->slip;
    remembered one;
    SW_TRY(SW_ALLOCATE(w->state, from->n, "crystal states"));
    SW_TRY(SW_ALLOCATE(w->crystal, from->n, "crystals"));
    if (k > 0)
        SW_TRY(SW_ALLOCATE(w->slip, from->n * k, "resistances of systems"));
    for (int64_t i = from->n - 1; i >= 0; i--) { /* the first last, whose path is all crystals' */
        load(from, i, &one);
        w->state[i] = one.state;
        if (k > 0)
            memcpy(w->slip + i * k, place(from, i) + NUMBERS, bytes);
    }
    const double rate = takes_volume(response) ? sqrt(sw_symmetric_square(velocity_gradient)) : d->rate;
    if (!same_path(velocity_gradient, (const double(*)[3])one.gradient))
        one.strain_on_path = 0;
    memcpy(one.gradient, velocity_gradient, sizeof one.gradient);
    SW_TRY(sw_integrate(response->material, &control, from->n, (const double(*)[3][3])one.gradient, 1,
                        one.strain_on_path, rate * dt, w->state, w->slip, NULL, NULL));
    one.strain_on_path += rate * dt;
    SW_TRY(collect(from->n, w->state, w->crystal, from->weight, average));
    if (takes_volume(response))
        take_out_pressure(response->material, &w->state[0], average);
    for (int64_t i = 0; i < from->n && to != NULL; i++) {
        one.state = w->state[i];
        memmove(place(to, i), place(from, i), (size_t)from->layout->numbers * sizeof *from->state);
        store(to, i, &one);
        if (k > 0)
            memcpy(place(to, i) + NUMBERS, w->slip + i * k, bytes);
        to->crystal[i] = w->crystal[i];
    }
    return SW_OK;
}

static sw_status step_iterative(sw_response *response, const double velocity_gradient[3][3],
                                const sw_strain_rate *d, double dt, const sw_crystals *from,
                                const sw_crystals *to, sw_response_average *average)
{
    work w = {NULL, NULL, NULL};
    const sw_status status = step_in(&w, response, velocity_gradient, d, dt, from, to, average);
    free(w.state);
    free(w.crystal);
    free(w.slip);
    return status;
}

/* F* <- F* (1 - strain); crystals without a volume of their own are cubic, and change it alone. */
static sw_status heat(const sw_response *response, const double strain[3], sw_crystals *c)
{
    remembered one;
    for (int64_t n = 0; n < c->n && takes_volume(response); n++) {
        load(c, n, &one);
        for (int k = 0; k < 9; k++)
            one.state.elastic_deformation[k / 3][k % 3] *= 1 - strain[k % 3];
        store(c, n, &one);
    }
    return SW_OK;
}

static const sw_solver_settings certified[] = {{0}};

const sw_solver sw_solver_iterative = {
    .traits = {.name = "iterative", .has_history = 1, .kept = NUMBERS, .is_reference = 1},
    .state = {NUMBERS, 2, fields},
    .with_families = {NUMBERS, 2, fields},
    .certified = SW_SOLVER_TABLE(certified),
    .heat = heat,
    .cpu = {.open = open_iterative,
            .close = close_iterative,
            .step = step_iterative,
            .begin = begin,
            .turn = turn}};
