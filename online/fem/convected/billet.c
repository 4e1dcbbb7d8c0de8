/* The mesh of a billet, its memory, and its systems of equations. */
#include "billet.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"

/* ns of one core: an element's matrix (bench_convected). */
static const double element_ns = 1400;

/* ---- Opening ---- */

static sw_status check_problem(const sw_fem_convected *p)
{
    const sw_fem_material *m = &p->material;
    if (p->kinematics != SW_FEM_AXISYMMETRIC && p->kinematics != SW_FEM_PLANE_STRAIN)
        return sw_error(SW_ERR_RANGE, "convected: kinematics %d: need axisymmetric or plane_strain",
                        (int)p->kinematics);
    if (!(p->radius > 0 && p->height > 0 && isfinite(p->radius) && isfinite(p->height)))
        return sw_error(SW_ERR_RANGE, "convected: radius %g, height %g: need more than 0", p->radius,
                        p->height);
    for (int i = 0; i < 2; i++)
        if (!(p->cells[i] >= 1 && p->cells[i] <= 10000))
            return sw_error(SW_ERR_RANGE, "convected: cells %lld: need 1 to 10000", (long long)p->cells[i]);
    if (!(p->friction >= 0))
        return sw_error(SW_ERR_RANGE, "convected: friction %g: need at least 0", p->friction);
    if (!(p->reduction > 0 && p->reduction < 1))
        return sw_error(SW_ERR_RANGE, "convected: reduction %g: need 0 < reduction < 1", p->reduction);
    if (!(m->young > 0 && m->poisson > -1 && m->poisson < 0.5 && m->yield_stress > 0))
        return sw_error(SW_ERR_RANGE,
                        "convected: young %g, poisson %g, yield_stress %g: need > 0, -1 .. 0.5, > 0",
                        m->young, m->poisson, m->yield_stress);
    return SW_OK;
}

static sw_status check_options(const sw_fem_convected_options *o)
{
    if (!(o->steps >= 1 && o->iterations >= 1 && o->most_linear >= 1))
        return sw_error(SW_ERR_RANGE,
                        "convected: steps %lld, iterations %lld, most_linear %lld: need at least 1",
                        (long long)o->steps, (long long)o->iterations, (long long)o->most_linear);
    if (!(o->tolerance > 0 && o->linear_tolerance > 0))
        return sw_error(SW_ERR_RANGE, "convected: tolerance %g, linear_tolerance %g: need more than 0",
                        o->tolerance, o->linear_tolerance);
    if (o->bytes < 0)
        return sw_error(SW_ERR_RANGE, "convected: bytes %lld: need at least 0", (long long)o->bytes);
    if (o->device == SW_FEM_DEVICE_CUDA && o->method == SW_FEM_DIRECT)
        return sw_error(SW_ERR_RANGE, "convected: direct is a method of the CPU");
    return SW_OK;
}

/* Nodes along the side with fewer of them follow each other: half the band is then what two rows of them differ. */
static void make_mesh(sw_fem_billet *b)
{
    const int64_t *cells = b->problem.cells, across = cells[0] + 1, up = cells[1] + 1;
    const int64_t step[2] = {across <= up ? 1 : up, across <= up ? across : 1};
    for (int64_t j = 0; j < up; j++)
        for (int64_t i = 0; i < across; i++) {
            double *x = b->position + 2 * (i * step[0] + j * step[1]);
            x[0] = b->problem.radius * ((double)i / (double)cells[0]);
            x[1] = 0.5 * b->problem.height * ((double)j / (double)cells[1]);
        }
    for (int64_t j = 0; j < cells[1]; j++)
        for (int64_t i = 0; i < cells[0]; i++) {
            int32_t *node = b->node + 4 * (i + cells[0] * j);
            const int64_t first = i * step[0] + j * step[1];
            node[0] = (int32_t)first;
            node[1] = (int32_t)(first + step[0]);
            node[2] = (int32_t)(first + step[0] + step[1]);
            node[3] = (int32_t)(first + step[1]);
        }
    for (int64_t n = 0; n < b->n_nodes; n++)
        b->touch[n] = b->position[2 * n + 1] < b->plate ? SW_FEM_FREE : SW_FEM_STICKS;
}

static sw_status allocate(sw_fem_billet *b)
{
    SW_TRY(SW_ALLOCATE(b->node, 4 * b->n_elements, "elements"));
    SW_TRY(SW_ALLOCATE(b->position, b->n_unknowns, "nodes"));
    SW_TRY(SW_ALLOCATE(b->start, 4 * b->n_elements, "points"));
    SW_TRY(SW_ALLOCATE(b->increment, b->n_unknowns, "increments"));
    SW_TRY(SW_ALLOCATE(b->change, 4 * b->n_elements, "points"));
    SW_TRY(SW_ALLOCATE(b->flows, 4 * b->n_elements, "points"));
    SW_TRY(SW_ALLOCATE(b->touch, b->n_nodes, "nodes"));
    SW_TRY(SW_ALLOCATE(b->direction, b->n_nodes, "nodes"));
    SW_TRY(SW_ALLOCATE(b->fixed, b->n_unknowns, "unknowns"));
    SW_TRY(SW_ALLOCATE(b->value, b->n_unknowns, "unknowns"));
    SW_TRY(SW_ALLOCATE(b->external, b->n_unknowns, "forces"));
    SW_TRY(SW_ALLOCATE(b->force, b->n_unknowns, "forces"));
    SW_TRY(SW_ALLOCATE(b->input, b->n_elements * SW_FEM_CONVECTED_INPUT, "element records"));
    SW_TRY(SW_ALLOCATE(b->output, b->n_elements * SW_FEM_CONVECTED_OUTPUT, "element matrices"));
    return sw_fem_band_open_cpu(b->n_unknowns, b->half, &b->system);
}

static int64_t pass_of(const sw_fem_billet *b)
{
    const int64_t each = (SW_FEM_CONVECTED_INPUT + SW_FEM_CONVECTED_OUTPUT) * (int64_t)sizeof(double);
    const int64_t fit = b->options.bytes > 0 ? b->options.bytes / each : b->n_elements;
    return fit < b->n_elements ? fit : b->n_elements;
}

sw_status sw_fem_billet_open(const sw_fem_convected *problem, const sw_fem_convected_options *options,
                             sw_fem_billet *b)
{
    *b = (sw_fem_billet){
        .problem = *problem, .options = *options, .plate = 0.5 * problem->height, .n_pass = 1};
    SW_TRY(check_problem(problem));
    SW_TRY(check_options(options));
    const int64_t *cells = problem->cells, least = cells[0] < cells[1] ? cells[0] : cells[1];
    b->model = (sw_fem_convected_model){.material = problem->material,
                                        .axisymmetric = problem->kinematics == SW_FEM_AXISYMMETRIC,
                                        .nominal = options->power == SW_FEM_NOMINAL};
    b->n_nodes = (cells[0] + 1) * (cells[1] + 1);
    b->n_elements = cells[0] * cells[1];
    b->n_unknowns = 2 * b->n_nodes;
    b->half = 2 * (least + 2) + 1;
    SW_TRY(allocate(b));
    make_mesh(b);
    if (options->device != SW_FEM_DEVICE_CUDA)
        return SW_OK;
    b->n_pass = pass_of(b);
    if (b->n_pass < 1)
        return sw_error(SW_ERR_RANGE, "convected: bytes %lld: need what one element takes",
                        (long long)options->bytes);
    return sw_fem_convected_cuda_open(&b->model, cells, b->node, b->n_unknowns, b->half, b->n_pass, &b->cuda);
}

void sw_fem_billet_close(sw_fem_billet *b)
{
    void *const owned[] = {b->node,  b->position,  b->start, b->increment, b->change,   b->flows, b->touch,
                           b->input, b->direction, b->fixed, b->value,     b->external, b->force, b->output};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    sw_fem_band_close_cpu(&b->system);
    sw_fem_convected_cuda_close(b->cuda);
    memset(b, 0, sizeof *b);
}

/* ---- Systems ---- */

sw_fem_band_space *sw_fem_billet_system(sw_fem_billet *b)
{
    return b->cuda ? sw_fem_convected_cuda_space(b->cuda) : &b->system;
}

/* Numbers in front of an element's record or result of `size`, and how far apart its numbers are. */
static int64_t place_of(const sw_fem_billet *b, int64_t element, int size, int64_t *stride)
{
    const int64_t first = element / b->n_pass * b->n_pass, left = b->n_elements - first;
    *stride = left < b->n_pass ? left : b->n_pass;
    return first * size + element - first;
}

static void pack_point(const sw_fem_convected_point *start, const sw_fem_convected_point *change, int flows,
                       double *at, int64_t stride)
{
    for (int i = 0; i < SW_FEM_CONVECTED_STRESSES; i++) {
        at[i * stride] = start->stress[i];
        at[(5 + i) * stride] = start->stress[i] + 0.5 * change->stress[i];
    }
    at[4 * stride] = start->plastic;
    at[9 * stride] = start->plastic + 0.5 * change->plastic;
    at[10 * stride] = flows;
}

void sw_fem_billet_pack(const sw_fem_billet *b)
{
    for (int64_t e = 0; e < b->n_elements; e++) {
        int64_t stride;
        double *record = b->input + place_of(b, e, SW_FEM_CONVECTED_INPUT, &stride);
        for (int i = 0; i < 8; i++)
            record[i * stride] = b->position[2 * b->node[4 * e + i / 2] + i % 2];
        for (int q = 0; q < SW_FEM_CONVECTED_POINTS; q++)
            pack_point(&b->start[4 * e + q], &b->change[4 * e + q], b->flows[4 * e + q],
                       record + (8 + q * SW_FEM_CONVECTED_POINT_INPUT) * stride, stride);
    }
}

__attribute__((noinline)) static void one_element(const sw_fem_billet *b, int64_t e)
{
    int64_t stride;
    const double *record = b->input + place_of(b, e, SW_FEM_CONVECTED_INPUT, &stride);
    sw_fem_convected_element(&b->model, record, stride,
                             b->output + place_of(b, e, SW_FEM_CONVECTED_OUTPUT, &stride));
}

sw_status sw_fem_billet_elements(sw_fem_billet *b)
{
    if (b->cuda)
        return sw_fem_convected_cuda_elements(b->cuda, b->input, b->output);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(b->n_elements, element_ns))
    for (int64_t e = 0; e < b->n_elements; e++)
        one_element(b, e);
    return SW_OK;
}

void sw_fem_billet_assemble(sw_fem_billet *b)
{
    const sw_fem_band *band = &b->system.band;
    memset(band->value, 0, (size_t)(band->n * (2 * band->half + 1)) * sizeof *band->value);
    memcpy(b->system.right, b->external, (size_t)band->n * sizeof *b->external);
    for (int64_t e = 0; e < b->n_elements; e++) {
        int64_t stride;
        const double *result = b->output + place_of(b, e, SW_FEM_CONVECTED_OUTPUT, &stride);
        for (int i = 0; i < 8; i++) {
            const int64_t row = 2 * b->node[4 * e + i / 2] + i % 2;
            b->system.right[row] += result[(64 + i) * stride];
            for (int j = 0; j < 8; j++)
                *sw_fem_band_at(band, row, 2 * b->node[4 * e + j / 2] + j % 2) +=
                    result[(8 * i + j) * stride];
        }
    }
    for (int64_t row = 0; row < band->n; row++)
        sw_fem_band_constrain(band, b->fixed, b->value, row, b->system.right);
}

/* Friction acts against the slip, with the pressure of the iteration before. */
void sw_fem_billet_prescribe(sw_fem_billet *b)
{
    memset(b->fixed, 0, (size_t)b->n_unknowns);
    memset(b->value, 0, (size_t)b->n_unknowns * sizeof *b->value);
    memset(b->external, 0, (size_t)b->n_unknowns * sizeof *b->external);
    for (int64_t n = 0; n < b->n_nodes; n++) {
        const double *x = b->position + 2 * n;
        b->fixed[2 * n] = x[0] == 0 || (b->touch[n] == SW_FEM_STICKS && b->problem.friction > 0);
        b->fixed[2 * n + 1] = x[1] == 0 || b->touch[n] != SW_FEM_FREE;
        if (b->touch[n] == SW_FEM_FREE)
            continue;
        b->value[2 * n + 1] = b->plate - x[1];
        if (b->touch[n] == SW_FEM_SLIPS)
            b->external[2 * n] = b->problem.friction * fmin(b->force[2 * n + 1], 0) * b->direction[n];
    }
}

void sw_fem_billet_forces(sw_fem_billet *b, int with_step)
{
    static const sw_fem_convected_point none;
    memset(b->force, 0, (size_t)b->n_unknowns * sizeof *b->force);
    for (int64_t e = 0; e < b->n_elements; e++) {
        const int32_t *node = b->node + 4 * e;
        double x[8], u[8], f[8] = {0};
        for (int i = 0; i < 8; i++) {
            x[i] = b->position[2 * node[i / 2] + i % 2];
            u[i] = with_step ? b->increment[2 * node[i / 2] + i % 2] : 0;
        }
        for (int q = 0; q < SW_FEM_CONVECTED_POINTS; q++) {
            const sw_fem_convected_point *change = with_step ? &b->change[4 * e + q] : &none;
            sw_fem_convected_place place;
            double l[SW_FEM_CONVECTED_GRADIENTS], P[SW_FEM_CONVECTED_GRADIENTS];
            sw_fem_convected_locate(b->model.axisymmetric, q, x, &place);
            sw_fem_convected_gradient(&place, u, l);
            sw_fem_convected_tensor(&b->model, &b->start[4 * e + q], change, l, P);
            sw_fem_convected_spread(&place, P, f);
        }
        for (int i = 0; i < 8; i++)
            b->force[2 * node[i / 2] + i % 2] += f[i];
    }
}
