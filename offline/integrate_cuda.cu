/* Grid points on a GPU: integrate_cuda.h says what. */
#define SW_LAW_ALL 0  /* of materials with one resistance */
#define SW_FLOWS_ANEW /* of 48 systems they are 2 kB a crystal */
#include "integrate_cuda.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "common/crystal/crystal_model.h"
#include "common/database/slip_planes.h"
#include "online/gpu/launch.cuh"
#include "response_point.h"

/* Four blocks a multiprocessor, of 128 registers a thread: 4 to 6 % quicker than two of 255, for what then is in memory. */
enum { THREADS = 128, BLOCKS = 4 };

/* What crystals are taken through; step [steps]: s. */
typedef struct {
    double strain_rate, slip_resistance;
    sw_step_control control;
    int64_t steps;
    const double *step;
} path;

/* Points x [n][4] -> output [n][13]; failed [n]: 1 where a step did not succeed, or a number came of it that is none. */
typedef struct {
    int64_t n;
    const double (*x)[4];
    double (*output)[SW_OUTPUTS_MOST];
    unsigned char *failed;
    unsigned long long *iterations; /* summed */
} points;

struct sw_point_integrator {
    const sw_material *material;
    const sw_increment *increment;
    path way;
    points all; /* n: at most */
    double *step, (*x)[4];
    unsigned char *failed; /* [most] the host's */
};

/* One material at a time. */
static __constant__ sw_crystal_model point_model;
static __constant__ sw_slip_planes point_planes;

static __global__ void __launch_bounds__(THREADS, BLOCKS) integrate_kernel(path way, points p)
{
    unsigned long long iterations = 0;
    __builtin_assume(point_model.law.scales != 0); /* as `prepare` saw */
    SW_GRID_STRIDE (i, p.n) {
        sw_crystal_bundle crystal = {};
        sw_slip_state slip = {};
        sw_real l[3][3], cauchy[3][3], plastic[3][3];
        int64_t tried = 0;
        sw_point_begin(p.x[i], way.strain_rate, crystal.elastic_deformation, l);
        crystal.slip_resistance = way.slip_resistance;
        sw_mask good = sw_if(1);
        for (int64_t k = 0; k < way.steps && good; k++)
            good = sw_crystal_step(&point_model, &way.control, good, l, way.step[k], &crystal, &slip, &tried);
        sw_crystal_response(&crystal, cauchy, plastic);
        sw_point_outputs(p.x[i], way.strain_rate, point_model.rate_sensitivity, cauchy, plastic,
                         crystal.slip_resistance, crystal.slip_rate, p.output[i]);
        if (point_planes.systems > 0)
            sw_plane_outputs(&point_planes, crystal.stress, p.output[i][8], p.x[i][2],
                             p.output[i] + SW_OUTPUTS);
        for (int c = 0; c < SW_OUTPUTS_MOST; c++)
            good = good & sw_if(isfinite(p.output[i][c]));
        p.failed[i] = !good;
        iterations += (unsigned long long)tried;
    }
    atomicAdd(p.iterations, iterations);
}

/* ||D|| dt of the steps -> s of them, on the device. */
static sw_status copy_steps(sw_point_integrator *own, double *increments, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        increments[k] /= own->increment->strain_rate;
    own->way.steps = count;
    SW_TRY(SW_CUDA_ALLOCATE(own->step, count, "steps"));
    own->way.step = own->step;
    SW_CUDA_TRY(
        cudaMemcpy(own->step, increments, (size_t)count * sizeof *increments, cudaMemcpyHostToDevice));
    return SW_OK;
}

static sw_status plan(sw_point_integrator *own)
{
    const sw_integration_control control = sw_integration_endpoint();
    double *increments = NULL;
    int64_t count;
    own->way.strain_rate = own->increment->strain_rate;
    own->way.slip_resistance = own->increment->slip_resistance;
    own->way.control = {control.stress_tolerance, control.slip_increment_limit, control.iterations_max};
    sw_status status =
        sw_integration_plan(&control, 0, 0, own->increment->strain_increment, &increments, &count);
    if (status == SW_OK)
        status = copy_steps(own, increments, count);
    free(increments);
    return status;
}

static sw_status prepare(sw_point_integrator *own)
{
    points *all = &own->all;
    sw_crystal_model model;
    sw_slip_planes planes;
    sw_crystal_model_prepare(own->material, &model);
    sw_slip_planes_of(own->material, &planes);
    if (!model.law.scales || sw_slip_law_wants_all(&model.law))
        return sw_error(SW_ERR_UNAVAILABLE, "material %s: its slip systems have resistances of their own",
                        own->material->name);
    SW_CUDA_TRY(cudaMemcpyToSymbol(point_model, &model, sizeof model));
    SW_CUDA_TRY(cudaMemcpyToSymbol(point_planes, &planes, sizeof planes));
    SW_TRY(plan(own));
    SW_TRY(SW_ALLOCATE(own->failed, all->n, "flags of failed crystals"));
    SW_TRY(SW_CUDA_ALLOCATE(own->x, all->n, "angles"));
    all->x = own->x;
    SW_TRY(SW_CUDA_ALLOCATE(all->output, all->n, "responses"));
    SW_TRY(SW_CUDA_ALLOCATE(all->failed, all->n, "flags of failed crystals"));
    return SW_CUDA_ALLOCATE(all->iterations, 1, "count of iterations");
}

sw_status sw_point_integrator_open(const sw_material *material, const sw_increment *increment, int64_t most,
                                   sw_point_integrator **integrator)
{
    SW_TRY(SW_ALLOCATE(*integrator, 1, "integrator"));
    **integrator = {.material = material, .increment = increment, .all = {.n = most}};
    const sw_status status = prepare(*integrator);
    if (status != SW_OK) {
        sw_point_integrator_close(*integrator);
        *integrator = NULL;
    }
    return status;
}

void sw_point_integrator_close(sw_point_integrator *own)
{
    if (own == NULL)
        return;
    cudaFree(own->step);
    cudaFree(own->x);
    cudaFree(own->all.output);
    cudaFree(own->all.failed);
    cudaFree(own->all.iterations);
    free(own->failed);
    free(own);
}

/* What the GPU left, `count` crystals. */
static sw_status mend(const sw_point_integrator *own, int64_t n, int64_t count, const double (*x)[4],
                      double (*output)[SW_OUTPUTS_MOST], sw_integration_statistics *statistics)
{
    double(*left)[4] = NULL, (*mended)[SW_OUTPUTS_MOST] = NULL;
    sw_status status = SW_ALLOCATE(left, count, "angles of crystals that are left");
    if (status == SW_OK)
        status = SW_ALLOCATE(mended, count, "responses of crystals that are left");
    for (int64_t i = 0, k = 0; i < n && status == SW_OK; i++)
        if (own->failed[i])
            memcpy(left[k++], x[i], sizeof *left);
    if (status == SW_OK)
        status = sw_integrate_points(own->material, own->increment, count, left, mended, statistics);
    for (int64_t i = 0, k = 0; i < n && status == SW_OK; i++)
        if (own->failed[i])
            memcpy(output[i], mended[k++], sizeof *mended);
    free(left);
    free(mended);
    return status;
}

sw_status sw_point_integrator_begin(sw_point_integrator *own, int64_t n, const double (*x)[4])
{
    points p = own->all;
    p.n = n;
    SW_CUDA_TRY(cudaMemcpy(own->x, x, (size_t)n * sizeof *x, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemset(p.iterations, 0, sizeof *p.iterations));
    integrate_kernel<<<sw_blocks_for(n, THREADS), THREADS>>>(own->way, p);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status sw_point_integrator_end(sw_point_integrator *own, int64_t n, const double (*x)[4],
                                  double (*output)[SW_OUTPUTS_MOST], sw_integration_statistics *statistics)
{
    const points *p = &own->all;
    unsigned long long iterations;
    int64_t left = 0;
    SW_CUDA_TRY(cudaMemcpy(output, p->output, (size_t)n * sizeof *output, cudaMemcpyDeviceToHost));
    SW_CUDA_TRY(cudaMemcpy(own->failed, p->failed, (size_t)n, cudaMemcpyDeviceToHost));
    SW_CUDA_TRY(cudaMemcpy(&iterations, p->iterations, sizeof iterations, cudaMemcpyDeviceToHost));
    statistics->iterations += (int64_t)iterations;
    statistics->steps += n * own->way.steps;
    for (int64_t i = 0; i < n; i++)
        left += own->failed[i];
    return left > 0 ? mend(own, n, left, x, output, statistics) : SW_OK;
}
