#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/files/text.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "online/fem/deck/deck.h"
#include "online/gpu/gpu.h"

static sw_fem_way *const ways[SW_FEM_WAYS] = {
#define WAY(name, run) run,
    SW_FEM_WAY_LIST(WAY)
#undef WAY
};

static sw_status run_job(const sw_arguments *arguments)
{
    static const char *const of_decks[] = {"dialect", "as-job", "umat"};
    sw_fem_job *job;
    for (int i = 0; i < arguments->n_options; i++)
        if (sw_find_word(arguments->option[i][0], 3, of_decks) >= 0)
            return sw_error(SW_ERR_INPUT, "--%s is an option of decks: %s does not end in .inp",
                            arguments->option[i][0], arguments->file);
    char text[1024];
    int told = 0;
    sw_phases_clear();
    sw_phase("job");
    sw_status status = sw_parallel_agree(sw_fem_job_read(arguments, &job));
    if (status == SW_OK) {
        told = job->timings && sw_parallel_rank() == 0;
        status = ways[job->upsetting.rate_law](job);
    }
    sw_fem_job_free(job);
    sw_gpu_awake();
    sw_phase(NULL);
    if (told)
        fprintf(sw_said(), "timings: %s\n", sw_phases_text(text, sizeof text));
    return status;
}

static sw_status run_command(const sw_arguments *arguments)
{
    const size_t n = strlen(arguments->file);
    const int is_deck = n > 4 && strcasecmp(arguments->file + n - 4, ".inp") == 0;
    return is_deck ? sw_fem_run_deck(arguments) : run_job(arguments);
}

const sw_command sw_fem_command = {
    .name = "fem",
    .summary = "elastoplastic finite elements",
    .about =
        "Elastoplasticity by finite elements, at small and finite strains: von Mises' yield criterion with "
        "isotropic hardening, in three dimensions, plane or axisymmetric; contact with rigid tools, "
        "upsetting; "
        "also steady heat conduction in the plane. "
        "Options override keys of the job file. A file that ends in .inp is a deck of Abaqus or CalculiX, "
        "which "
        "takes --dialect, --as-job, --umat, --output, --resume, --threads, --device, --linear, "
        "--preconditioner (block_jacobi or amg), --timings and --quiet.",
    .argument = "JOB.yaml",
    .kind = "job file",
    .keys = sw_fem_keys,
    .with_file = 1,
    .run = run_command};
