#include "export.h"

#include "common/files/output_file.h"
#include "online/texture/population.h"

typedef struct {
    const char *output, *name;
    sw_crystals_source crystals;
    sw_run_options run;
} job;

static const sw_key keys[] = {{SW_OUTPUT(NULL, job, output), .needed = 1, .option = "output", .letter = 'o',
                               .help = "the file to write, .ori .tex .txt .ang .ctf, or .yaml for DAMASK"},
                              {SW_TEXT(NULL, job, name), .option = "name", .bound = "letters and digits",
                               .otherwise = "the file's material or phase",
                               .help = "of the phase, where the format has one"},
                              SW_CRYSTAL_FILTER_KEYS(job, crystals.filter, SW_NONE, SW_GIVEN),
                              SW_RESAMPLE_KEYS(job, crystals, SW_NONE),
                              {SW_WHOLE(NULL, job, crystals.seed, 0, INT64_MAX), .standard = 1,
                               .option = "seed", .help = "random seed of what is drawn"},
                              SW_QUIET_KEY(job, run),
                              SW_KEYS_END};

static sw_status check(const sw_job *source, const job *j)
{
    if (sw_same_file(j->output, j->crystals.file))
        return sw_error(SW_ERR_INPUT, "--output = %.200s: is the file to be read", j->output);
    if (j->crystals.halfwidth > 0 && j->crystals.resample == 0)
        return sw_error(SW_ERR_INPUT, "--halfwidth = %g: need --resample beside it", j->crystals.halfwidth);
    if (sw_job_option_of(source, "seed") != NULL && j->crystals.resample == 0)
        return sw_error(SW_ERR_INPUT, "--seed: need --resample beside it");
    return SW_OK;
}

static sw_status export(const job *j)
{
    sw_crystal_list list;
    SW_TRY(sw_crystals_of_file(&j->crystals, j->run.quiet, &list, NULL));
    const sw_crystal_content content = {.count = list.count,
                                        .euler = (const double(*)[3])list.euler,
                                        .weight = list.weight,
                                        .material = j->name != NULL ? j->name : list.material,
                                        .is_bcc = list.is_bcc};
    const sw_status status = sw_crystal_file_write_content(j->output, &content);
    if (status == SW_OK)
        printf("%s: %lld crystals%s of %s\n", j->output, (long long)list.count,
               list.weight != NULL ? " with weights" : "", j->crystals.file);
    sw_crystal_list_free(&list);
    return status;
}

static sw_status run_command(const sw_arguments *arguments)
{
    sw_job *source;
    void *values;
    SW_TRY(sw_job_read(keys, sizeof(job), arguments, 0, &source, &values));
    job *j = values;
    j->crystals.file = arguments->file;
    sw_status status = check(source, j);
    if (status == SW_OK)
        status = export(j);
    sw_job_close(source);
    return status;
}

const sw_command sw_export_command = {
    .name = "export",
    .summary = "write crystals for other programs",
    .about =
        "Write the crystals of results of taylor, or of any file of orientations, into a file of another "
        "program; of a scan some points, or grains; or so many crystals drawn from them.",
    .argument = "RUN.h5",
    .kind = "results or crystal file",
    .keys = keys,
    .alone = 1,
    .run = run_command};
