#include "certify.h"

#include "common/files/output_file.h"

typedef struct {
    sw_run_options run;
    int64_t crystals;
} options;

static const sw_key keys[] = {{SW_WHOLE(NULL, options, crystals, 1, 1000000), .standard = 512,
                               .option = "crystals", .help = "crystals of each loading"},
                              SW_THREADS_KEY(options, run),
                              SW_QUIET_KEY(options, run),
                              SW_KEYS_END};

static sw_status run_command(const sw_arguments *arguments)
{
    sw_certificate certificate;
    sw_job *source;
    void *values;
    SW_TRY(sw_job_read(keys, sizeof(options), arguments, 0, &source, &values));
    const options o = *(const options *)values;
    sw_job_close(source);
    sw_use_threads(&o.run);
    sw_file_version version;
    SW_TRY(sw_file_version_of(arguments->file, &version));
    SW_TRY(sw_certify(arguments->file, o.crystals, o.run.quiet, &certificate));
    SW_TRY(sw_file_check_version(arguments->file, &version));
    SW_TRY(sw_certificate_store(arguments->file, &certificate));
    sw_certificate_print(&certificate, sw_said());
    return SW_OK;
}

const sw_command sw_certify_command = {.name = "certify",
                                       .summary = "measure the errors of a database's solvers",
                                       .about = "Measure every solver of a database against the model itself "
                                                "in several loadings, of random and of sharp "
                                                "textures and through a change of path, and store the errors "
                                                "in it: `solver: auto` of a job chooses by "
                                                "them.",
                                       .argument = "DB.h5",
                                       .kind = "database",
                                       .keys = keys,
                                       .alone = 1,
                                       .run = run_command};
