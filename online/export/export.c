#include "export.h"

#include "online/texture/population.h"

typedef struct {
    const char *output, *name;
    sw_crystals_source crystals;
    sw_run_options run;
} job;

enum { NONE = -1 }; /* for a seed */

static const sw_key keys[] = {{SW_OUTPUT(NULL, job, output), .needed = 1, .option = "output", .letter = 'o',
                               .help = "the file to write, .ori .tex .txt .ang .ctf, or .yaml for DAMASK"},
                              {SW_TEXT(NULL, job, name), .option = "name", .bound = "letters and digits",
                               .otherwise = "the file's material or phase",
                               .help = "of the phase, where the format has one"},
                              {SW_WHOLE(NULL, job, crystals.seed, 0, INT64_MAX), .standard = NONE,
                               .otherwise = "1", .option = "seed", .help = "random seed of what is drawn"},
                              SW_QUIET_KEY(job, run),
                              SW_CRYSTAL_FILTER_KEYS(job, crystals.filter, SW_NONE, SW_GIVEN),
                              SW_RESAMPLE_KEYS(job, crystals, SW_NONE),
                              SW_KEYS_END};

static sw_status check(const job *j)
{
    const sw_crystals_source *c = &j->crystals;
    if (c->halfwidth > 0 && c->resample == 0)
        return sw_error(SW_ERR_INPUT, "--halfwidth = %g: need --resample beside it", c->halfwidth);
    if (c->seed != NONE && c->resample == 0)
        return sw_error(SW_ERR_INPUT, "--seed = %lld: need --resample beside it", (long long)c->seed);
    return SW_OK;
}

static sw_status export(const job *j)
{
    sw_crystal_list list;
    SW_TRY(sw_crystals_of_file(&j->crystals, &list, NULL));
    const sw_crystal_content content = {.count = list.count,
                                        .euler = (const double(*)[3])list.euler,
                                        .weight = list.weight,
                                        .material = j->name != NULL ? j->name : list.material,
                                        .bravais = list.bravais};
    char to[SW_LINE], from[SW_LINE];
    const sw_status status = sw_crystal_file_write_content(j->output, &content);
    if (status == SW_OK)
        printf("%s: %lld crystals%s of %s\n", sw_plain(j->output, to), (long long)list.count,
               list.weight != NULL ? " with weights" : "", sw_plain(j->crystals.file, from));
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
    sw_status status = check(j);
    if (j->crystals.seed == NONE)
        j->crystals.seed = 1;
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
