#include "solver_choice.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/system/parallel.h"
#include "online/response/certificate/certificate.h"
#include "online/gpu/gpu.h"

/* Whether every rank has a GPU that the job lets it use; its name, or why there is none. */
static int find_gpu(const sw_taylor_job *job, char *name, size_t size)
{
    int64_t without = 1;
    snprintf(name, size, "none");
    if (job->run.device != SW_DEVICE_CPU)
        without = sw_gpu_describe(name, size) > 0 ? 0 : 1;
    sw_parallel_sum_counts(&without, 1);
    return without == 0;
}

/* Hardening may be another than the certificate's: all solvers share it, and what they differ in does not
 * depend on it. Elasticity only the reference has. */
static sw_status check_certified_material(const sw_taylor_job *job, const sw_database *database,
                                          const sw_material *material, int *same_hardening)
{
    sw_key_difference d;
    *same_hardening = !sw_keys_differ(sw_material_keys, "hardening", material, &database->material, &d);
    if (!sw_keys_differ(sw_material_keys, "elasticity", material, &database->material, &d))
        return SW_OK;
    return sw_job_error(job->source, "material",
                        " = %s: its elasticity differs from that of %s, whose certified errors 'auto' "
                        "would choose by: need the same, or a solver by name",
                        job->material, job->database);
}

static sw_status choose_automatically(const sw_taylor_job *job, const sw_database *database,
                                      const sw_material *material, int gpu, sw_solver_choice *choice)
{
    sw_certificate certificate;
    sw_certified_choice chosen;
    int same_hardening;
    SW_TRY(check_certified_material(job, database, material, &same_hardening));
    SW_TRY(sw_certificate_read(job->database, &certificate));
    const sw_status status =
        sw_certificate_choose(&certificate, job->error, gpu, job->run.device != SW_DEVICE_CUDA, &chosen);
    if (status == SW_ERR_RANGE) {
        char message[400];
        snprintf(message, sizeof message, "%s", sw_error_message());
        return sw_job_error(job->source, "error", " = %g: %s", job->error, message);
    }
    SW_TRY(status);
    choice->solver = sw_solver_find(chosen.row->solver);
    choice->certified_error = sw_certified_error(chosen.row);
    choice->options.terms = chosen.row->terms;
    choice->options.refinement = chosen.row->refinement;
    choice->options.nearest = chosen.row->nearest;
    choice->options.device = chosen.on_gpu ? SW_CUDA : SW_CPU;
    snprintf(choice->why, sizeof choice->why, "%s%s", chosen.why,
             same_hardening ? "" : "; certified with the database's hardening");
    return SW_OK;
}

static sw_status choose_by_name(const sw_taylor_job *job, int gpu, sw_solver_choice *choice)
{
    choice->solver = sw_solver_at(job->solver);
    choice->certified_error = NAN;
    choice->options.terms = job->terms;
    choice->options.refinement = job->refinement;
    choice->options.nearest = job->nearest;
    choice->options.device = gpu && choice->solver->on_gpu ? SW_CUDA : SW_CPU;
    return SW_OK;
}

sw_status sw_solver_choose(const sw_taylor_job *job, const sw_database *database, const sw_material *material,
                           sw_solver_choice *choice)
{
    char gpu_name[100];
    const int gpu = find_gpu(job, gpu_name, sizeof gpu_name), ranks = sw_parallel_size();
    const sw_solver_traits *named = sw_solver_at(job->solver); /* NULL: auto */
    memset(choice, 0, sizeof *choice);
    if (job->run.device == SW_DEVICE_CUDA && named != NULL && !named->on_gpu)
        return sw_job_error(job->source, "device", " = cuda: the solver '%s' runs on the CPU only",
                            named->name);
    if (job->run.device == SW_DEVICE_CUDA && !gpu)
        return sw_job_error(job->source, "device", " = cuda: no GPU%s: %s",
                            ranks > 1 ? " for every process" : "",
                            strncmp(gpu_name, "none: ", 6) == 0 ? gpu_name + 6 : gpu_name);
    if (named == NULL)
        SW_TRY(choose_automatically(job, database, material, gpu, choice));
    else
        SW_TRY(choose_by_name(job, gpu, choice));
    choice->options.solver = choice->solver->name;
    choice->options.database = database;
    choice->options.material = material;
    if (choice->options.device == SW_CUDA)
        snprintf(choice->device, sizeof choice->device, "cuda, %s, %d ranks", gpu_name, ranks);
    else if (ranks > 1)
        snprintf(choice->device, sizeof choice->device, "cpu, %d threads, %d ranks", omp_get_max_threads(),
                 ranks);
    else
        snprintf(choice->device, sizeof choice->device, "cpu, %d threads", omp_get_max_threads());
    return SW_OK;
}
