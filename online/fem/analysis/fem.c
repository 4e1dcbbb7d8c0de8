#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/system/progress.h"
#include "defaults.h"
#include "online/fem/contact/contact.h"
#include "online/fem/crystal/crystals.h"
#include "online/fem/element/element.h"
#include "online/fem/parts/parts.h"
#include "online/fem/periodic/periodic.h"
#include "online/fem/pressure/pressure.h"
#include "online/gpu/gpu.h"

/* Whether tangents may be without symmetry, for which algebraic multigrid is not. */
static int may_lose_symmetry(const sw_fem_problem *p)
{
    int64_t causes = 0;
    for (int l = 0; l < p->n_cases && p->strain == SW_FEM_FINITE; l++)
        causes += p->load[l].n_pressures; /* which follow the surface */
    for (int t = 0; t < p->n_tools; t++)
        causes += p->tool[t].friction > 0;
    for (int m = 0; m < p->n_materials; m++)
        causes += p->material[m].crystals != NULL;
    return causes > 0;
}

static int takes_gpu(sw_fem_device device)
{
    const int everywhere = sw_gpu_everywhere(device == SW_FEM_DEVICE_AUTO, NULL, 0);
    return device == SW_FEM_DEVICE_CUDA || everywhere;
}

sw_fem_options sw_fem_default_options(const sw_fem_problem *problem, sw_fem_device device)
{
    const int several = sw_parallel_size() > 1,
              gpus = several && takes_gpu(device); /* whatever each has read */
    sw_fem_options o = {.device = device,
                        .operator_ = SW_FEM_POINTS,
                        .storage = sw_fem_has_boxes(problem->mesh) ? SW_FEM_IMPROVED : SW_FEM_OWN,
                        .scatter = SW_FEM_COLOURS,
                        .preconditioner = SW_FEM_BLOCK_JACOBI,
                        .tolerance = SW_FEM_TOLERANCE,
                        .linear_tolerance = SW_FEM_LINEAR_TOLERANCE,
                        .least_increment = SW_FEM_LEAST_INCREMENT,
                        .most_newton = SW_FEM_NEWTON,
                        .most_cg = SW_FEM_CG,
                        .line_search = SW_FEM_LINE_SEARCH};
    if (problem->mesh->lattice && problem->mesh->shape == SW_HEX8 &&
        !(problem->periodic && !sw_fem_periodic_halves(problem->mesh, SW_FEM_COARSEST_PERIODIC)))
        o.preconditioner = SW_FEM_MULTIGRID;
    else if (!problem->periodic && !may_lose_symmetry(problem) && !(several ? gpus : takes_gpu(device)))
        o.preconditioner = SW_FEM_AMG;
    return o;
}

/* ---- Open and close ---- */

static sw_status mark_fixed(sw_fem *fem)
{
    for (int l = 0; l < fem->problem->n_cases; l++) {
        const sw_fem_case *load = &fem->problem->load[l];
        for (int64_t i = 0; i < load->n_fixed; i++) {
            if (load->dof[i] < 0 || load->dof[i] >= fem->n_unknowns ||
                (i > 0 && load->dof[i] <= load->dof[i - 1]))
                return sw_error(SW_ERR_RANGE, "prescribed unknown %lld: need ascending ones below %lld",
                                (long long)load->dof[i], (long long)fem->n_unknowns);
            if (!isfinite(load->value[i]))
                return sw_error(SW_ERR_RANGE, "prescribed value %g: need a finite one", load->value[i]);
            fem->fixed[load->dof[i]] = 1;
        }
    }
    return SW_OK;
}

/* The vectors of the cases on the device. */
static sw_status upload_cases(sw_fem *fem)
{
    const sw_fem_backend *on = fem->backend;
    const sw_fem_problem *p = fem->problem;
    double *value = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->force, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->prescribed, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->factor, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->start, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->goal, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->delta, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->last_delta, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(value, fem->n_unknowns, "prescribed displacements"), done);
    for (int l = 0; l < p->n_cases; l++) {
        const sw_fem_case *load = &p->load[l];
        int any = 0;
        memset(value, 0, (size_t)fem->n_unknowns * sizeof *value);
        for (int64_t i = 0; i < load->n_fixed; i++) {
            value[load->dof[i]] = load->value[i];
            any |= load->value[i] != 0;
        }
        if (any) {
            SW_TRY_GOTO(status, on->allocate(fem, &fem->prescribed[l]), done);
            SW_TRY_GOTO(status, on->upload(fem, value, fem->prescribed[l]), done);
        }
        if (load->force) {
            SW_TRY_GOTO(status, on->allocate(fem, &fem->force[l]), done);
            SW_TRY_GOTO(status, on->upload(fem, load->force, fem->force[l]), done);
        }
    }
done:
    free(value);
    return status;
}

#ifdef SW_HAVE_CUDA
static const sw_fem_backend *const on_cuda = &sw_fem_cuda;
static const sw_fem_exchange *const between_gpus = &sw_fem_exchange_cuda;
#else
static const sw_fem_backend *const on_cuda = NULL;
static const sw_fem_exchange *const between_gpus = NULL;
#endif

static int wants_gpu(const sw_fem_problem *p, const sw_fem_options *o)
{
    if (on_cuda == NULL || o->device == SW_FEM_DEVICE_CPU || o->linear == SW_FEM_SOLVE_DIRECT ||
        o->linear == SW_FEM_SOLVE_MIXED || sw_fem_needs_cpu(p))
        return 0;
    if (o->device == SW_FEM_DEVICE_CUDA)
        return 1;
    const int factors = o->linear == SW_FEM_SOLVE_AUTO && !o->iterative && sw_fem_direct_beats_gpu(p);
    return o->preconditioner != SW_FEM_AMG && !factors && sw_gpu_everywhere(1, NULL, 0);
}

/* A GPU, if it was asked for. */
static sw_status find_device(sw_fem_device device)
{
    const sw_status status = device == SW_FEM_DEVICE_CUDA ? sw_gpu_use(NULL) : SW_OK;
    return status == SW_OK ? SW_OK : sw_error(status, "device cuda: %s", sw_error_message());
}

static void take_sizes(sw_fem *fem)
{
    fem->n_nodes = fem->problem->mesh->n_nodes;
    fem->n_elements = fem->problem->mesh->n_elements;
    fem->n_unknowns = sw_fem_count_unknowns(fem->problem);
}

/* What holds and loads the body. */
static sw_status open_supports(sw_fem *fem)
{
    take_sizes(fem);
    SW_TRY(SW_ALLOCATE(fem->fixed, fem->n_unknowns, "prescribed unknowns"));
    SW_TRY(mark_fixed(fem));
    SW_TRY(fem->parts ? sw_fem_contact_take(fem) : sw_fem_contact_open(fem));
    SW_TRY(sw_fem_pressure_open(fem));
    fem->presses |= fem->pressures != NULL;
    return SW_OK;
}

/* Of several processes, each from here on has a part of the body. */
static sw_status take_part(sw_fem *fem)
{
    SW_TRY(sw_fem_parts_open(fem));
    if (!fem->parts)
        return SW_OK;
    free(fem->fixed);
    fem->fixed = NULL;
    sw_fem_pressure_close(fem);
    SW_TRY(open_supports(fem));
    return sw_fem_periodic_take(fem);
}

sw_status sw_fem_open(const sw_fem_problem *problem, const sw_fem_options *options, sw_fem **result)
{
    sw_fem *fem;
    *result = NULL;
    sw_phase("checks");
    SW_TRY(sw_fem_check_problem(problem));
    SW_TRY(sw_fem_check_options(problem, options));
    SW_TRY(sw_fem_periodic_check(problem, options));
    sw_phase("device");
    SW_TRY(find_device(options->device));
    sw_phase("checks");
    SW_TRY(SW_ALLOCATE(fem, 1, "analysis"));
    const double start = sw_seconds();
    fem->problem = problem;
    fem->options = *options;
    fem->symmetric = 1;
    fem->duration = fem->dt = fem->part = 1;
    fem->dimension = sw_fem_dimension(problem->kinematics);
    fem->components = sw_fem_components(problem->kinematics);
    fem->corners = sw_fem_corners(problem->kinematics);
    sw_status status;
    SW_TRY_GOTO(status, open_supports(fem), failed);
    SW_TRY_GOTO(status, sw_fem_periodic_open(fem), failed);
    if (!fem->periodic)
        SW_TRY_GOTO(status, sw_fem_check_rigid(fem), failed);
    SW_TRY_GOTO(status, take_part(fem), failed);
    const int gpu = wants_gpu(problem, options);
    if (!gpu)
        sw_fem_linear_choose(problem, &fem->options);
    sw_phase("analysis");
    fem->backend = sw_fem_periodic_wrap(fem, gpu ? on_cuda : &sw_fem_cpu);
    SW_TRY_GOTO(status, fem->backend->open(fem), failed);
    SW_TRY_GOTO(status, sw_fem_parts_join(fem, gpu ? between_gpus : &sw_fem_exchange_cpu), failed);
    SW_TRY_GOTO(status, sw_fem_linear_open(fem), failed);
    SW_TRY_GOTO(status, upload_cases(fem), failed);
    double **const vectors[] = {&fem->u,    &fem->trial,     &fem->external, &fem->internal, &fem->residual,
                                &fem->held, &fem->increment, &fem->p,        &fem->g,        &fem->z};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        SW_TRY_GOTO(status, fem->backend->allocate(fem, vectors[i]), failed);
    fem->rest = fem->periodic ? fem->periodic->rest : fem->u;
    if (problem->strain == SW_FEM_FINITE)
        SW_TRY_GOTO(status, fem->backend->allocate(fem, &fem->last), failed);
    fem->timing.setup = sw_seconds() - start;
    sw_phase(NULL);
    *result = fem;
    return SW_OK;
failed:
    sw_fem_close(fem);
    return status;
}

void sw_fem_close(sw_fem *fem)
{
    if (!fem)
        return;
    sw_fem_linear_close(fem);
    if (fem->backend)
        fem->backend->close(fem);
    sw_fem_contact_free(fem->contact);
    sw_fem_contact_free(fem->parts ? fem->parts->contact : NULL);
    sw_fem_pressure_close(fem);
    sw_fem_periodic_free(fem->periodic);
    sw_fem_periodic_free(fem->parts ? fem->parts->periodic : NULL);
    sw_fem_parts_close(fem);
    free(fem->fixed);
    free(fem->factor);
    free(fem->start);
    free(fem->goal);
    free(fem->delta);
    free(fem->last_delta);
    free(fem->force);
    free(fem->prescribed);
    free(fem);
}

sw_status sw_fem_set_duration(sw_fem *fem, double seconds)
{
    if (!(seconds > 0) || !isfinite(seconds))
        return sw_error(SW_ERR_RANGE, "duration = %g s: need more than 0", seconds);
    fem->duration = seconds;
    return SW_OK;
}

sw_fem_timing sw_fem_timings(const sw_fem *fem) { return fem->timing; }
const char *sw_fem_device_name(const sw_fem *fem) { return fem->device_name; }

/* ---- Saving ---- */

sw_status sw_fem_save_part(sw_fem *fem, sw_fem_state *state)
{
    SW_TRY(fem->backend->download(fem, fem->u, state->displacement));
    memcpy(state->factor, fem->factor, (size_t)fem->problem->n_cases * sizeof *state->factor);
    if (fem->last) {
        SW_TRY(fem->backend->download(fem, fem->last, state->last));
        memcpy(state->last_factor, fem->last_delta,
               (size_t)fem->problem->n_cases * sizeof *state->last_factor);
    }
    state->work = fem->work_done;
    state->largest = fem->largest;
    memcpy(state->rates, fem->rates, sizeof state->rates);
    if (fem->crystals)
        SW_TRY(sw_fem_crystals_save(fem->crystals, state->crystal_points, state->crystal, state->kept));
    return fem->backend->save(fem, state->points, state->yielded, state->contact);
}

sw_status sw_fem_restore_part(sw_fem *fem, const sw_fem_state *state)
{
    int64_t points, elements;
    SW_TRY(fem->backend->upload(fem, state->displacement, fem->u));
    memcpy(fem->factor, state->factor, (size_t)fem->problem->n_cases * sizeof *state->factor);
    if (fem->last) {
        SW_TRY(fem->backend->upload(fem, state->last, fem->last));
        memcpy(fem->last_delta, state->last_factor,
               (size_t)fem->problem->n_cases * sizeof *state->last_factor);
    }
    fem->work_done = state->work;
    fem->flowed = 1;
    fem->largest = state->largest;
    memcpy(fem->rates, state->rates, sizeof state->rates);
    if (fem->crystals)
        SW_TRY(sw_fem_crystals_restore(fem->crystals, state, fem->n_elements));
    SW_TRY(fem->backend->restore(fem, state->points, state->yielded, state->contact));
    return fem->backend->internal(fem, fem->u, fem->internal, &points, &elements);
}
