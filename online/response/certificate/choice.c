#include "choice.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/system/parallel.h"
#include "certificate.h"
#include "online/gpu/gpu.h"

/* Whether every rank has a GPU that it may use; its name, or why there is none. */
static int find_gpu(const sw_solver_request *request, char *name, size_t size)
{
    snprintf(name, size, "none");
    return sw_gpu_everywhere(request->device != SW_DEVICE_CPU, name, size);
}

/* Hardening may be another than the certificate's: all solvers share it, and what they differ in does not
 * depend on it. Elasticity only those with a history have. */
static sw_status check_certified_material(const sw_solver_request *request, int *same_hardening)
{
    const sw_material *material = request->material, *certified = &request->database->material;
    sw_key_difference d;
    *same_hardening = !sw_keys_differ(sw_material_keys, "hardening", material, certified, &d);
    if (!sw_keys_differ(sw_material_keys, "elasticity", material, certified, &d))
        return SW_OK;
    return sw_job_error(request->job, "material",
                        " = %s: its elasticity differs from that of %s, whose certified errors 'auto' "
                        "would choose by: need the same, or a solver by name",
                        request->material_path, request->database_path);
}

static void warn_of_absent_loadings(const sw_solver_request *request, const sw_certificate *certificate)
{
    if (request->error_of == SW_CERTIFIED_TENSOR && !sw_certificate_is_complete(certificate))
        sw_warn("%s: certified without a sharp texture and a change of path, where errors of the tensor are "
                "larger: run `slipwave certify %s` again",
                request->database_path, request->database_path);
}

static sw_status choose_automatically(const sw_solver_request *request, int gpu, sw_solver_choice *choice)
{
    sw_certificate certificate;
    sw_certified_choice chosen;
    const sw_homogenization *homogenization = NULL;
    int same_hardening;
    if (request->homogenization != NULL)
        SW_TRY(sw_homogenization_find(sw_homogenization_names[request->homogenization->number],
                                      &homogenization));
    SW_TRY(check_certified_material(request, &same_hardening));
    SW_TRY(sw_certificate_read(request->database_path, &certificate));
    warn_of_absent_loadings(request, &certificate);
    const sw_certified_wish wish = {.measure = request->error_of,
                                    .error = request->error,
                                    .gpu = gpu,
                                    .cpu = request->device != SW_DEVICE_CUDA,
                                    .work = request->work,
                                    .homogenization = homogenization,
                                    .packed = request->packed};
    const sw_status status = sw_certificate_choose(&certificate, &wish, &chosen);
    if (status == SW_ERR_RANGE)
        return sw_job_error(request->job, "error", " = %g: %.399s", request->error, sw_error_message());
    SW_TRY(status);
    choice->solver = sw_solver_find(chosen.row->solver);
    choice->certified_error = sw_certified_error(&certificate, chosen.row, request->error_of);
    choice->options.terms = chosen.row->terms;
    choice->options.refinement = chosen.row->refinement;
    choice->options.nearest = chosen.row->nearest;
    choice->options.device = chosen.on_gpu ? SW_CUDA : SW_CPU;
    snprintf(choice->why, sizeof choice->why, "%s%s", chosen.why,
             same_hardening ? "" : "; certified with the database's hardening");
    return SW_OK;
}

static void choose_by_name(const sw_solver_request *request, int gpu, sw_solver_choice *choice)
{
    choice->solver = sw_solver_find(sw_solver_names[request->solver]);
    choice->certified_error = NAN;
    choice->options.terms = request->terms;
    choice->options.refinement = request->refinement;
    choice->options.nearest = request->nearest;
    choice->options.one_iteration = request->one_iteration;
    choice->options.device = gpu && choice->solver->on_gpu ? SW_CUDA : SW_CPU;
}

/* named: NULL for auto. gpu_name: or why there is none. */
static sw_status check_device(const sw_solver_request *request, const sw_solver_traits *named, int gpu,
                              const char *gpu_name)
{
    static const char none[] = "none: ";
    if (request->device != SW_DEVICE_CUDA)
        return SW_OK;
    if (named != NULL && !named->on_gpu)
        return sw_job_error(request->job, "device", " = cuda: the solver '%s' runs on the CPU only",
                            named->name);
    if (!gpu)
        return sw_job_error(request->job, "device", " = cuda: no GPU%s: %s",
                            sw_parallel_size() > 1 ? " for every process" : "",
                            gpu_name + (strncmp(gpu_name, none, strlen(none)) == 0 ? strlen(none) : 0));
    return SW_OK;
}

static void describe_device(const char *gpu_name, sw_solver_choice *choice)
{
    const int ranks = sw_parallel_size();
    int length;
    if (choice->options.device == SW_CUDA)
        length = snprintf(choice->device, sizeof choice->device, "cuda, %s", gpu_name);
    else
        length = snprintf(choice->device, sizeof choice->device, "cpu, %d threads", omp_get_max_threads());
    if (ranks > 1 || choice->options.device == SW_CUDA)
        snprintf(choice->device + length, sizeof choice->device - (size_t)length, ", %d ranks", ranks);
}

sw_status sw_solver_choose(const sw_solver_request *request, sw_solver_choice *choice)
{
    char gpu_name[100];
    const int gpu = find_gpu(request, gpu_name, sizeof gpu_name);
    const sw_solver_traits *named = sw_solver_find(sw_solver_names[request->solver]);
    memset(choice, 0, sizeof *choice);
    SW_TRY(check_device(request, named, gpu, gpu_name));
    if (named == NULL)
        SW_TRY(choose_automatically(request, gpu, choice));
    else
        choose_by_name(request, gpu, choice);
    choice->options.solver = choice->solver->name;
    choice->options.database = request->database;
    choice->options.material = request->material;
    if (request->homogenization != NULL)
        sw_homogenization_set(request->homogenization, &choice->options);
    describe_device(gpu_name, choice);
    return SW_OK;
}
