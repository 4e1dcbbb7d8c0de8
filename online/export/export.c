#include "export.h"

#include <math.h>
#include <string.h>

#include "online/texture/population.h"

typedef struct {
    const char *output, *name, *structure;
    double c_over_a; /* 0: as the file says it */
    sw_crystals_source crystals;
    sw_run_options run;
} job;

enum { NONE = -1 }; /* for a seed */

static const sw_key keys[] = {
    {SW_OUTPUT(NULL, job, output), .needed = 1, .option = "output", .letter = 'o',
     .help = "the file to write, .ori .tex .txt .ang .ctf, or .yaml for DAMASK"},
    {SW_TEXT(NULL, job, name), .option = "name", .bound = "letters and digits",
     .otherwise = "the file's material or phase", .help = "of the phase, where the format has one"},
    {SW_TEXT(NULL, job, structure), .option = "crystal-structure",
     .bound = "one of material files, as hexagonal", .otherwise = "as the file says it, or cubic",
     .help = "of the crystals, where the file does not say it"},
    {SW_REAL(NULL, job, c_over_a, 0.1, 10), .option = "c-over-a", .otherwise = "as the file says it",
     .help = "of hexagonal and tetragonal crystals, which .ang, .ctf and .yaml want"},
    {SW_WHOLE(NULL, job, crystals.seed, 0, INT64_MAX), .standard = NONE, .otherwise = "1", .option = "seed",
     .help = "random seed of what is drawn"},
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

/* NULL: as the file says it. */
static sw_status find_lattice(const job *j, const sw_lattice **lattice)
{
    char known[200] = "";
    *lattice = j->structure != NULL ? sw_lattice_find(j->structure) : NULL;
    if (j->structure == NULL || *lattice != NULL)
        return SW_OK;
    for (int i = 0; i < SW_LATTICES; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i > 0 ? ", " : "",
                 sw_lattice_names[i]);
    return sw_error(SW_ERR_INPUT, "--crystal-structure = %.80s: need one of %s", j->structure, known);
}

/* Crystals of a lattice that the file may not contradict, or of what it says. */
static sw_status read_crystals(const job *j, const sw_lattice *lattice, sw_crystal_list *list)
{
    sw_crystals_source source = j->crystals;
    source.filter.group = lattice != NULL ? lattice->group : NULL;
    SW_TRY(sw_crystals_of_file(&source, list, NULL));
    const sw_status status = lattice != NULL ? sw_crystals_suit(source.file, list, lattice, NAN) : SW_OK;
    if (status != SW_OK)
        sw_crystal_list_free(list);
    return status;
}

/* c/a that is given, by the bounds of material files; lattice NULL: not known, which counts as cubic. */
static sw_status check_axes(double c_over_a, const sw_lattice *lattice)
{
    if (c_over_a == 0)
        return SW_OK;
    if (lattice == NULL || lattice->vectors == NULL)
        return sw_error(SW_ERR_INPUT, "--c-over-a = %g: has no place beside cubic crystals%s", c_over_a,
                        lattice == NULL ? ": need --crystal-structure, as hexagonal" : "");
    if (!(c_over_a >= lattice->least_c_over_a && c_over_a <= lattice->most_c_over_a))
        return sw_error(SW_ERR_INPUT, "--c-over-a = %g: need %g to %g: %s", c_over_a, lattice->least_c_over_a,
                        lattice->most_c_over_a, lattice->why_c_over_a);
    return SW_OK;
}

static sw_status export(const job *j)
{
    const sw_lattice *lattice;
    sw_crystal_list list;
    SW_TRY(find_lattice(j, &lattice));
    SW_TRY(read_crystals(j, lattice, &list));
    const sw_crystal_content content = {.count = list.count,
                                        .euler = (const double(*)[3])list.euler,
                                        .weight = list.weight,
                                        .material = j->name != NULL ? j->name : list.material,
                                        .bravais = lattice != NULL ? lattice->bravais : list.bravais,
                                        .c_over_a = j->c_over_a > 0 ? j->c_over_a : list.c_over_a};
    char to[SW_LINE], from[SW_LINE];
    sw_status status = check_axes(j->c_over_a, sw_lattice_of_bravais(content.bravais));
    if (status == SW_OK)
        status = sw_crystal_file_write_content(j->output, &content);
    if (status == SW_OK)
        fprintf(sw_said(), "%s: %lld crystals%s of %s\n", sw_plain(j->output, to), (long long)list.count,
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
