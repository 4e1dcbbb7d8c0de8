/* Steps of a billet, and their computational iterations. */
#include <math.h>
#include <string.h>

#include "billet.h"
#include "common/system/progress.h"

sw_fem_convected_options sw_fem_default_convected_options(void)
{
    return (sw_fem_convected_options){.device = SW_FEM_DEVICE_CPU,
                                      .method = SW_FEM_MINIMAL_RESIDUAL,
                                      .power = SW_FEM_NOMINAL,
                                      .steps = 1000,
                                      .iterations = 10,
                                      .tolerance = 1e-6,
                                      .linear_tolerance = 1e-8,
                                      .most_linear = 200000};
}

/* ---- One iteration ---- */

/* Builds and solves the system; seconds into the row. */
static sw_status solve(sw_fem_billet *b, sw_fem_convected_row *row)
{
    const sw_fem_convected_options *o = &b->options;
    const int whole = b->cuda && o->assembly == SW_FEM_ASSEMBLED_ON_DEVICE;
    const double start = sw_seconds();
    int64_t iterations;
    sw_fem_billet_pack(b);
    if (whole)
        SW_TRY(sw_fem_convected_cuda_assemble(b->cuda, b->input, b->external, b->fixed, b->value));
    else
        SW_TRY(sw_fem_billet_elements(b));
    const double built = sw_seconds();
    if (!whole)
        sw_fem_billet_assemble(b);
    const double assembled = sw_seconds();
    if (b->cuda && !whole)
        SW_TRY(sw_fem_convected_cuda_load(b->cuda, b->system.band.value, b->system.right));
    SW_TRY(sw_fem_band_solve(sw_fem_billet_system(b), o->method, o->linear_tolerance, o->most_linear,
                             &iterations));
    if (b->cuda)
        SW_TRY(sw_fem_convected_cuda_read(b->cuda, b->system.solution));
    row->linear += iterations;
    row->seconds_elements += built - start;
    row->seconds_assembly += assembled - built;
    row->seconds_linear += sw_seconds() - assembled;
    return SW_OK;
}

/* Largest change of an increment over the largest increment. */
static double take_increment(sw_fem_billet *b)
{
    double change = 0, most = 0;
    for (int64_t i = 0; i < b->n_unknowns; i++) {
        change = fmax(change, fabs(b->system.solution[i] - b->increment[i]));
        most = fmax(most, fabs(b->system.solution[i]));
        b->increment[i] = b->system.solution[i];
    }
    return change / most;
}

/* Changes of the points, by the law as it was solved; how many change between flow and none. */
static int64_t take_rates(sw_fem_billet *b)
{
    int64_t turned = 0;
    for (int64_t e = 0; e < b->n_elements; e++) {
        const int32_t *node = b->node + 4 * e;
        double x[8], u[8], l[SW_FEM_CONVECTED_GRADIENTS];
        for (int i = 0; i < 8; i++) {
            x[i] = b->position[2 * node[i / 2] + i % 2];
            u[i] = b->increment[2 * node[i / 2] + i % 2];
        }
        for (int64_t at = 4 * e; at < 4 * e + 4; at++) {
            sw_fem_convected_place place;
            sw_fem_convected_point middle = b->start[at];
            for (int i = 0; i < SW_FEM_CONVECTED_STRESSES; i++)
                middle.stress[i] += 0.5 * b->change[at].stress[i];
            middle.plastic += 0.5 * b->change[at].plastic;
            sw_fem_convected_locate(b->model.axisymmetric, (int)(at - 4 * e), x, &place);
            sw_fem_convected_gradient(&place, u, l);
            const int flows = sw_fem_convected_rate(&b->model.material, &b->start[at], &middle, b->flows[at],
                                                    l, &b->change[at]);
            turned += flows != b->flows[at];
            b->flows[at] = (uint8_t)flows;
        }
    }
    return turned;
}

/* A node that sticks slips when the plate asks more of it than friction gives, along the way that it is pushed; one
 * that would slip back sticks; one that would pass the plate touches it. How many change. */
static int64_t take_contact(sw_fem_billet *b)
{
    const double friction = b->problem.friction, level = 1e-12 * b->problem.height;
    int64_t turned = 0;
    for (int64_t n = 0; n < b->n_nodes; n++) {
        const sw_fem_touch before = (sw_fem_touch)b->touch[n];
        const double along = b->force[2 * n], pressing = -b->force[2 * n + 1];
        if (before == SW_FEM_FREE && b->position[2 * n + 1] + b->increment[2 * n + 1] > b->plate + level)
            b->touch[n] = SW_FEM_STICKS;
        if (friction > 0 && isfinite(friction) && before == SW_FEM_STICKS && b->position[2 * n] > 0 &&
            fabs(along) > friction * pressing) {
            b->touch[n] = SW_FEM_SLIPS;
            b->direction[n] = along > 0 ? -1 : 1;
        }
        if (before == SW_FEM_SLIPS && b->increment[2 * n] * b->direction[n] < 0)
            b->touch[n] = SW_FEM_STICKS;
        turned += b->touch[n] != before;
    }
    return turned;
}

/* ---- Steps ---- */

static sw_status iterate(sw_fem_billet *b, sw_fem_convected_row *row)
{
    for (row->iterations = 1;; row->iterations++) {
        SW_TRY(sw_interrupt_check());
        sw_fem_billet_prescribe(b);
        SW_TRY(solve(b, row));
        row->change = take_increment(b);
        if (!isfinite(row->change))
            return sw_error(SW_ERR_CONVERGENCE, "an increment is not finite");
        int64_t turned = take_rates(b);
        sw_fem_billet_forces(b, 1);
        turned += take_contact(b);
        if (row->iterations == b->options.iterations || (row->change <= b->options.tolerance && turned == 0))
            return SW_OK;
    }
}

/* SW_ERR_CONVERGENCE when an element would have a point of no volume. */
static sw_status check_shapes(const sw_fem_billet *b)
{
    for (int64_t e = 0; e < b->n_elements; e++) {
        double x[8];
        for (int i = 0; i < 8; i++) {
            const int64_t at = 2 * b->node[4 * e + i / 2] + i % 2;
            x[i] = b->position[at] + b->increment[at];
        }
        for (int q = 0; q < SW_FEM_CONVECTED_POINTS; q++) {
            sw_fem_convected_place place;
            sw_fem_convected_locate(b->model.axisymmetric, q, x, &place);
            if (!(place.volume > 0))
                return sw_error(SW_ERR_CONVERGENCE, "element %lld is turned inside out", (long long)e + 1);
        }
    }
    return SW_OK;
}

/* The step's end becomes the next one's start; its increments and changes, the next one's first guess. */
static void accept(sw_fem_billet *b, sw_fem_convected_row *row)
{
    for (int64_t i = 0; i < b->n_unknowns; i++)
        b->position[i] += b->increment[i];
    for (int64_t n = 0; n < b->n_nodes; n++)
        if (b->touch[n] != SW_FEM_FREE)
            b->position[2 * n + 1] = b->plate;
    for (int64_t i = 0; i < 4 * b->n_elements; i++) {
        for (int k = 0; k < SW_FEM_CONVECTED_STRESSES; k++)
            b->start[i].stress[k] += b->change[i].stress[k];
        b->start[i].plastic += b->change[i].plastic;
        row->flowing += b->flows[i];
    }
    for (int64_t n = 0; n < b->n_nodes; n++) {
        row->touching += b->touch[n] != SW_FEM_FREE;
        row->slipping += b->touch[n] == SW_FEM_SLIPS;
    }
}

static double plate_force(sw_fem_billet *b)
{
    double sum = 0;
    sw_fem_billet_forces(b, 0);
    for (int64_t n = 0; n < b->n_nodes; n++)
        if (b->touch[n] != SW_FEM_FREE)
            sum -= b->force[2 * n + 1];
    return b->model.axisymmetric ? sum : 2 * sum;
}

sw_status sw_fem_billet_step(sw_fem_billet *b, sw_fem_convected_row *row)
{
    const double height = b->problem.height, done = (double)(b->n_steps + 1) / (double)b->options.steps;
    *row = (sw_fem_convected_row){.step = b->n_steps + 1, .stroke = done * b->problem.reduction * height};
    b->plate = 0.5 * (height - row->stroke);
    SW_TRY(iterate(b, row));
    SW_TRY(check_shapes(b));
    accept(b, row);
    row->force = plate_force(b);
    b->n_steps++;
    return SW_OK;
}

sw_status sw_fem_convected_run(const sw_fem_convected *problem, const sw_fem_convected_options *options,
                               sw_fem_convected_hook *hook, void *context)
{
    sw_fem_billet b;
    sw_fem_convected_row row;
    sw_status status = sw_fem_billet_open(problem, options, &b);
    const sw_fem_convected_state state = {.n_nodes = b.n_nodes,
                                          .n_elements = b.n_elements,
                                          .position = b.position,
                                          .node = b.node,
                                          .point = b.start};
    for (int64_t i = 0; status == SW_OK && i < options->steps; i++) {
        status = sw_fem_billet_step(&b, &row);
        if (status == SW_ERR_CONVERGENCE)
            status = sw_error(status, "step %lld of %lld: %s", (long long)i + 1, (long long)options->steps,
                              sw_error_message());
        else if (status == SW_OK && hook)
            status = hook(context, &row, &state);
    }
    sw_fem_billet_close(&b);
    return status;
}
