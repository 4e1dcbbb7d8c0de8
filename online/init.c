/* `slipwave init`: a job to begin with, and what it reads. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/crystal/material_file.h"
#include "common/files/output_file.h"
#include "common/files/text.h"
#include "common/job/help.h"
#include "online/kwn/job/alloy_file.h"
#include "shipped.h"

typedef struct {
    const char *output;
    int short_;
} options;

static const sw_key keys[] = {
    {SW_OUTPUT(NULL, options, output), .option = "output", .letter = 'o', .otherwise = "KIND.yaml",
     .help = "the file to write; what it reads is written beside it"},
    {SW_YES(NULL, options, short_), .option = "short", .help = "without the keys that it does not need"},
    SW_KEYS_END};

/* A kind, the file that comes with the program, and its table, or the command whose table it is. */
typedef struct {
    const char *name, *file;
    const sw_key *keys;
} kind;

static const kind kinds[] = {{"taylor", "jobs/plane-strain-compression.yaml", NULL},
                             {"forming", "jobs/forming-sheet.yaml", NULL},
                             {"fem", "jobs/fem-cube.yaml", NULL},
                             {"dem", "jobs/dem-small.yaml", NULL},
                             {"kwn", "jobs/kwn-ageing-6082.yaml", NULL},
                             {"kwn-map", "jobs/kwn-map-ageing.yaml", NULL},
                             {"point", "points/copper.yaml", NULL},
                             {"material", "materials/copper-ofhc.yaml", sw_material_keys},
                             {"alloy", "alloys/al-mg-si-6082.yaml", sw_kwn_alloy_keys}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const sw_key *keys_of(const kind *k)
{
    for (const sw_command *const *c = sw_commands; k->keys == NULL && *c != NULL; c++) {
        char name[64];
        snprintf(name, sizeof name, "%.60s", (*c)->name);
        for (char *blank = name; (blank = strchr(blank, ' ')) != NULL;)
            *blank = '-';
        if (strcmp(name, k->name) == 0)
            return (*c)->keys;
    }
    return k->keys;
}

static sw_status find_kind(const char *name, const kind **found)
{
    const char *names[KINDS], *nearest;
    char list[256];
    for (int i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    const int index = sw_find_word(name, KINDS, names);
    *found = index >= 0 ? &kinds[index] : NULL;
    if (index >= 0)
        return SW_OK;
    nearest = sw_nearest_word(name, KINDS, names);
    sw_list_words(KINDS, names, list, sizeof list);
    return nearest != NULL ? sw_error(SW_ERR_INPUT, "kind = %.60s: did you mean '%s'?", name, nearest)
                           : sw_error(SW_ERR_INPUT, "kind = %.60s: need one of %s", name, list);
}

/* ---- What a job reads: "../materials/copper.yaml" in its text ---- */

/* A name in the text: where it begins, "../", and its bytes; 0: no more. */
static size_t next_reference(const char *text, const char **begin)
{
    *begin = strstr(text, "../");
    return *begin != NULL ? strcspn(*begin, " ,}]#\n") : 0;
}

static sw_status refuse_existing(const char *path)
{
    return sw_file_is_there(path)
               ? sw_error(SW_ERR_INPUT, "%s: is there: need a name that is free, or --output", path)
               : SW_OK;
}

static sw_status write_text(const char *path, const char *text)
{
    sw_output_file output = {0};
    FILE *file = NULL;
    SW_TRY(sw_text_file_begin(path, &output, &file));
    fputs(text, file);
    return sw_text_file_end(&output, file, SW_OK);
}

/* The file beside the job; what is there already is left, and used. */
static sw_status bring(const char *name, const char *job)
{
    const char *slash = strrchr(job, '/'), *base = strrchr(name, '/') + 1;
    char *from = NULL, *text = NULL;
    char *to = sw_file_name("%.*s%s", slash != NULL ? (int)(slash - job) + 1 : 0, job, base);
    if (to == NULL)
        return SW_ERR_MEMORY;
    sw_status status = SW_OK;
    if (!sw_file_is_there(to)) {
        status = sw_shipped_file(name, &from);
        if (status == SW_OK)
            status = sw_read_text(from, &text);
        if (status == SW_OK)
            status = write_text(to, text);
        if (status == SW_OK)
            fprintf(sw_said(), "%s\n", to);
    }
    free(to);
    free(from);
    free(text);
    return status;
}

static sw_status bring_all(const char *text, const char *job)
{
    const char *begin;
    for (size_t length; (length = next_reference(text, &begin)) > 0; text = begin + length) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)length - 3, begin + 3);
        SW_TRY(bring(name, job));
    }
    return SW_OK;
}

/* The text with the files beside it. */
static void print_job(FILE *out, const char *text)
{
    const char *begin;
    for (size_t length; (length = next_reference(text, &begin)) > 0; text = begin + length) {
        const char *base = begin;
        for (const char *c = begin; c < begin + length; c++)
            base = *c == '/' ? c + 1 : base;
        fprintf(out, "%.*s%.*s", (int)(begin - text), text, (int)(begin + length - base), base);
    }
    fputs(text, out);
}

/* ---- The job ---- */

static sw_status write_job(const kind *k, const char *text, const options *o)
{
    sw_output_file output = {0};
    FILE *file = NULL;
    sw_yaml *yaml;
    SW_TRY(sw_yaml_open(k->file, text, &yaml));
    sw_status status = sw_text_file_begin(o->output, &output, &file);
    if (status == SW_OK) {
        print_job(file, text);
        if (!o->short_) {
            fputs("\n# What else there is. \"...\" stands for a value; \"needed\" is so where the rest of "
                  "its mapping is used.\n#\n",
                  file);
            sw_print_template(file, keys_of(k), yaml);
        }
        status = sw_text_file_end(&output, file, status);
    }
    sw_yaml_close(yaml);
    return status;
}

static sw_status init(const kind *k, const options *o)
{
    char *path = NULL, *text = NULL;
    SW_TRY(refuse_existing(o->output));
    SW_TRY(sw_shipped_file(k->file, &path));
    sw_status status = sw_read_text(path, &text);
    free(path);
    if (status == SW_OK)
        status = write_job(k, text, o);
    if (status == SW_OK)
        fprintf(sw_said(), "%s\n", o->output);
    if (status == SW_OK)
        status = bring_all(text, o->output);
    free(text);
    return status;
}

static sw_status run_command(const sw_arguments *arguments)
{
    const kind *k;
    sw_job *source;
    void *values;
    char standard[64];
    SW_TRY(find_kind(arguments->file, &k));
    SW_TRY(sw_job_read(keys, sizeof(options), arguments, 0, &source, &values));
    options o = *(options *)values;
    snprintf(standard, sizeof standard, "%s.yaml", k->name);
    if (o.output == NULL)
        o.output = standard;
    const sw_status status = init(k, &o);
    sw_job_close(source);
    return status;
}

const sw_command sw_init_command = {.name = "init",
                                    .summary = "write a job to begin with",
                                    .about =
                                        "Write a job that runs, of a KIND: taylor, forming, fem, dem, kwn, "
                                        "kwn-map, point; or a material or alloy file. It ends "
                                        "with what else there is as comments. What it reads, such as a "
                                        "material, is written beside it unless a file of that name is "
                                        "there.",
                                    .argument = "KIND",
                                    .kind = "kind of job (taylor, forming, fem, dem, kwn, kwn-map, point, "
                                            "material, alloy)",
                                    .keys = keys,
                                    .alone = 1,
                                    .run = run_command};
