#include "vpsc.h"

#include <omp.h>

#include "polycrystal/solve.h"
#include "run.h"
#include "to_job.h"

typedef struct {
    const char *output, *to_job;
    int check, compatible;
    sw_run_options run;
} options;

static const char *const no_yes[] = {"no", "yes"};

static const sw_key keys[] = {
    {SW_OUTPUT(NULL, options, output), .option = "output", .letter = 'o', .argument = "FOLDER",
     .otherwise = "the working folder", .help = "where STR_STR.OUT, TEX_PH1.OUT, ... and vpsc.h5 go"},
    {SW_YES(NULL, options, check), .option = "check", .help = "read all files, print what they say, and end"},
    {SW_TEXT(NULL, options, to_job), .option = "to-job", .argument = "FOLDER",
     .help = "write the job of slipwave taylor that does the same into a folder that is there, and end"},
    {SW_WORD(NULL, options, compatible, no_yes), .option = "compatible", .standard = 1,
     .help = "yes: VPSC8's order of updates, tolerances and constants"},
    SW_THREADS_KEY(options, run),
    SW_QUIET_KEY(options, run),
    SW_KEYS_END};

static sw_status run(const options *o, const sw_vpsc_input *input)
{
    if (o->check) {
        sw_vpsc_describe(input, sw_said());
        return input->elastic ? SW_OK : sw_vpsc_solver_check(input, o->compatible);
    }
    if (o->to_job != NULL)
        return sw_vpsc_to_job(input, o->to_job);
    return sw_vpsc_run_all(input, o->output == NULL ? "" : o->output, o->compatible, omp_get_max_threads(),
                           o->run.quiet);
}

static sw_status run_command(const sw_arguments *arguments)
{
    sw_job *source;
    void *values;
    sw_vpsc_input input;
    SW_TRY(sw_job_read(keys, sizeof(options), arguments, 0, &source, &values));
    const options *o = values;
    sw_use_threads(&o->run);
    sw_status status = o->check && o->to_job != NULL
                           ? sw_error(SW_ERR_INPUT, "--check and --to-job: need one of them")
                           : SW_OK;
    if (status == SW_OK)
        status = sw_vpsc_read_input(arguments->file, &input);
    if (status == SW_OK) {
        status = run(o, &input);
        sw_vpsc_input_free(&input);
    }
    sw_job_close(source);
    return status;
}

const sw_command sw_vpsc_command = {.name = "vpsc",
                                    .summary = "run VPSC8's input files",
                                    .about =
                                        "Run what an input file of VPSC8 says, VPSC8.in, with the crystal, "
                                        "texture and process files that it names, by the "
                                        "self-consistent scheme, and write the outputs that VPSC8 writes.",
                                    .argument = "VPSC8.in",
                                    .kind = "input file of VPSC8",
                                    .keys = keys,
                                    .alone = 1,
                                    .run = run_command};
