#include "sweep_job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/job/yaml.h"
#include "online/response/solvers.h"

/* ---- What a sweep file may hold ---- */

#define TEXT(key, member)                                                                          \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, sw_sweep_job, member, 1, \
                           CYAML_UNLIMITED)
#define WHOLE(key, member) CYAML_FIELD_INT(key, CYAML_FLAG_OPTIONAL, sw_sweep_job, member)
#define REAL(key, member) CYAML_FIELD_FLOAT(key, CYAML_FLAG_OPTIONAL, sw_sweep_job, member)
#define LIST(key, flags, member, entry) \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | (flags), sw_sweep_job, member, entry, 1, CYAML_UNLIMITED)

static const cyaml_schema_value_t path_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED),
};
static const cyaml_schema_value_t number_schema = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int64_t)};

static const cyaml_schema_field_t grid_fields[] = {
    CYAML_FIELD_INT("terms", CYAML_FLAG_DEFAULT, sw_sweep_job, vary.grid.terms),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t cost_fields[] = {
    LIST("terms", CYAML_FLAG_DEFAULT, vary.cost.terms, &number_schema),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t vary_fields[] = {
    LIST("terms", CYAML_FLAG_OPTIONAL, vary.terms, &number_schema),
    LIST("refinement", CYAML_FLAG_OPTIONAL, vary.refinement, &number_schema),
    SW_YAML_SECTION("grid", CYAML_FLAG_OPTIONAL, sw_sweep_job, grid_fields),
    SW_YAML_SECTION("cost", CYAML_FLAG_OPTIONAL, sw_sweep_job, cost_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t reference_fields[] = {
    TEXT("solver", reference.solver),      TEXT("database", reference.database),
    WHOLE("terms", reference.terms),       WHOLE("refinement", reference.refinement),
    WHOLE("substeps", reference.substeps), CYAML_FIELD_END,
};
static const cyaml_schema_field_t crystals_fields[] = {
    CYAML_FIELD_INT("count", CYAML_FLAG_DEFAULT, sw_sweep_job, crystals.count),
    WHOLE("seed", crystals.seed),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t output_fields[] = {
    TEXT("file", output.file),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t sweep_fields[] = {
    CYAML_FIELD_SEQUENCE("databases", CYAML_FLAG_POINTER, sw_sweep_job, databases, &path_schema, 1,
                         SW_SWEEP_DATABASES),
    SW_YAML_SECTION("vary", CYAML_FLAG_DEFAULT, sw_sweep_job, vary_fields),
    WHOLE("terms", terms),
    WHOLE("refinement", refinement),
    SW_YAML_SECTION("reference", CYAML_FLAG_DEFAULT, sw_sweep_job, reference_fields),
    SW_YAML_SECTION("crystals", CYAML_FLAG_DEFAULT, sw_sweep_job, crystals_fields),
    REAL("strain_increment", strain_increment),
    LIST("loading", CYAML_FLAG_DEFAULT, loading, &sw_taylor_loading_schema),
    SW_YAML_SECTION("output", CYAML_FLAG_OPTIONAL, sw_sweep_job, output_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t sweep_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sw_sweep_job, sweep_fields),
};

const char *const sw_sweep_kind_name[] = {[SW_VARY_TERMS] = "terms",
                                          [SW_VARY_REFINEMENT] = "refinement",
                                          [SW_VARY_GRID] = "grid",
                                          [SW_VARY_COST] = "cost"};
enum { KINDS = sizeof sw_sweep_kind_name / sizeof *sw_sweep_kind_name };

typedef struct sw_sweep_job_source {
    const char *path; /* borrowed, while the file is read */
    sw_yaml *yaml;
    int databases_replaced; /* by options of the command line */
} job_source;

sw_status sw_sweep_job_error(const sw_sweep_job *job, const char *key, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (job->source->databases_replaced && strncmp(key, "databases", strlen("databases")) == 0)
        return sw_error(SW_ERR_INPUT, "--database%s", text);
    return sw_yaml_error(job->source->yaml, key, "%s", text);
}

/* ---- Merging ---- */

static sw_status replace_databases(sw_sweep_job *job, const sw_sweep_overrides *overrides)
{
    for (unsigned i = 0; i < job->databases_count; i++)
        SW_TRY(sw_job_replace_text(&job->databases[i], "", 0, NULL));
    const size_t size = overrides->databases_count * sizeof *job->databases;
    const char **list = cyaml_mem(NULL, job->databases, size);
    if (list == NULL)
        return sw_error(SW_ERR_MEMORY, "not enough memory for %u databases", overrides->databases_count);
    memset(list, 0, size);
    job->databases = list;
    job->databases_count = overrides->databases_count;
    job->source->databases_replaced = 1;
    for (unsigned i = 0; i < job->databases_count; i++) {
        if (*overrides->databases[i] == '\0')
            return sw_error(SW_ERR_INPUT, "--database = '': need a text");
        SW_TRY(sw_job_replace_text(&list[i], "", 0, overrides->databases[i]));
    }
    return SW_OK;
}

static sw_status merge(sw_sweep_job *job, const sw_sweep_overrides *overrides)
{
    SW_TRY(sw_job_resolve_path(job->source->path, &job->reference.database));
    for (unsigned i = 0; i < job->databases_count; i++)
        SW_TRY(sw_job_resolve_path(job->source->path, &job->databases[i]));
    if (overrides == NULL)
        return SW_OK;
    if (overrides->databases_count > 0)
        SW_TRY(replace_databases(job, overrides));
    if (overrides->output != NULL)
        SW_TRY(sw_job_replace_text(&job->output.file, "", 0, overrides->output));
    if (overrides->count > 0)
        job->crystals.count = overrides->count;
    return SW_OK;
}

/* ---- Checks ---- */

static sw_status check_vary(sw_sweep_job *job)
{
    const sw_yaml *yaml = job->source->yaml;
    char key[64];
    int given = 0;
    for (int k = 0; k < KINDS; k++) {
        snprintf(key, sizeof key, "vary.%s", sw_sweep_kind_name[k]);
        if (!sw_yaml_has(yaml, key))
            continue;
        if (given++ > 0)
            return sw_yaml_error(yaml, key, " beside vary.%s: need only one of them",
                                 sw_sweep_kind_name[job->kind]);
        job->kind = (sw_sweep_kind)k;
    }
    if (given == 0)
        return sw_yaml_error(yaml, "vary", " is empty: need one of terms, refinement, grid, cost");
    if (job->databases_count != 1 && (job->kind == SW_VARY_TERMS || job->kind == SW_VARY_REFINEMENT))
        return sw_sweep_job_error(job, "databases", " has %u entries: need 1 for vary.%s",
                                  job->databases_count, sw_sweep_kind_name[job->kind]);
    if (job->kind != SW_VARY_REFINEMENT && sw_yaml_has(yaml, "terms"))
        return sw_yaml_error(yaml, "terms", " beside vary.%s: need it under vary",
                             sw_sweep_kind_name[job->kind]);
    if (job->kind == SW_VARY_REFINEMENT && sw_yaml_has(yaml, "refinement"))
        return sw_yaml_error(yaml, "refinement", " beside vary.refinement: need only one of them");
    return SW_OK;
}

static sw_status check_lists(const sw_sweep_job *job)
{
    const struct {
        const char *key;
        const int64_t *value;
        unsigned count;
        int64_t most;
        const char *bound;
    } lists[] = {
        {"vary.terms", job->vary.terms, job->vary.terms_count, INT64_MAX, "terms >= 1"},
        {"vary.refinement", job->vary.refinement, job->vary.refinement_count, 4096,
         "1 <= refinement <= 4096"},
        {"vary.cost.terms", job->vary.cost.terms, job->vary.cost.terms_count, INT64_MAX, "terms >= 1"}};
    for (size_t i = 0; i < CYAML_ARRAY_LEN(lists); i++)
        for (unsigned k = 0; k < lists[i].count; k++)
            if (lists[i].value[k] < 1 || lists[i].value[k] > lists[i].most) {
                char key[64];
                snprintf(key, sizeof key, "%s[%u]", lists[i].key, k);
                return sw_yaml_error(job->source->yaml, key, " = %" PRId64 ": need %s", lists[i].value[k],
                                     lists[i].bound);
            }
    return SW_OK;
}

static sw_status check_numbers(sw_sweep_job *job)
{
    static const struct {
        const char *key;
        size_t member;
        int64_t least, most, standard;
        const char *bound;
    } rules[] = {
        {"vary.grid.terms", offsetof(sw_sweep_job, vary.grid.terms), 1, INT64_MAX, 0, "terms >= 1"},
        {"terms", offsetof(sw_sweep_job, terms), 1, INT64_MAX, 0, "terms >= 1"},
        {"refinement", offsetof(sw_sweep_job, refinement), 1, 4096, 128, "1 <= refinement <= 4096"},
        {"reference.terms", offsetof(sw_sweep_job, reference.terms), 1, INT64_MAX, 0, "terms >= 1"},
        {"reference.refinement", offsetof(sw_sweep_job, reference.refinement), 1, 4096, 0,
         "1 <= refinement <= 4096"},
        {"reference.substeps", offsetof(sw_sweep_job, reference.substeps), 1, 10000, 1,
         "1 <= substeps <= 10000"},
        {"crystals.count", offsetof(sw_sweep_job, crystals.count), 1, INT64_C(1) << 40, 0,
         "1 <= count <= 2^40"},
        {"crystals.seed", offsetof(sw_sweep_job, crystals.seed), 0, INT64_MAX, 1, "0 <= seed < 2^63"},
    };
    const sw_yaml *yaml = job->source->yaml;
    for (size_t i = 0; i < CYAML_ARRAY_LEN(rules); i++) {
        int64_t *value = (int64_t *)(void *)((char *)job + rules[i].member);
        if (!sw_yaml_has(yaml, rules[i].key))
            *value = rules[i].standard;
        else if (*value < rules[i].least || *value > rules[i].most)
            return sw_yaml_error(yaml, rules[i].key, " = %" PRId64 ": need %s", *value, rules[i].bound);
    }
    if (!sw_yaml_has(yaml, "strain_increment"))
        job->strain_increment = 0.02;
    return sw_yaml_need(yaml, "strain_increment", job->strain_increment,
                        job->strain_increment > 0 && job->strain_increment <= 0.1,
                        "0 < strain_increment <= 0.1");
}

/* The refinement too is for terms alone; other solvers take their own (0). */
static sw_status check_reference(sw_sweep_job *job)
{
    static const char *const with_terms[] = {"reference.terms", "reference.refinement"};
    const sw_yaml *yaml = job->source->yaml;
    const char *solver = job->reference.solver, *names[SW_SOLVERS];
    char bound[256];
    for (int i = 0; i < SW_SOLVERS; i++)
        names[i] = sw_solvers[i].name;
    const int index = sw_yaml_choose(solver ? solver : "", SW_SOLVERS, names, bound, sizeof bound);
    if (index < 0)
        return solver ? sw_yaml_error(yaml, "reference.solver", " = %.80s: need %s", solver, bound)
                      : sw_yaml_error(yaml, "reference.solver", " is missing: need %s", bound);
    const sw_solver_traits *traits = &sw_solvers[index];
    for (size_t i = 0; i < CYAML_ARRAY_LEN(with_terms); i++)
        if (!traits->has_terms && sw_yaml_has(yaml, with_terms[i]))
            return sw_yaml_error(yaml, with_terms[i], " beside reference.solver = %s: it is for terms",
                                 solver);
    if (traits->has_terms && !sw_yaml_has(yaml, "reference.refinement"))
        job->reference.refinement = traits->standard_refinement;
    return SW_OK;
}

static sw_status check_output(const sw_sweep_job *job)
{
    const char *file = job->output.file;
    if (file == NULL)
        return sw_yaml_error(job->source->yaml, "output.file", " is missing: need a file for the results");
    int is_input = sw_same_file(file, job->source->path) || sw_same_file(file, job->reference.database);
    for (unsigned i = 0; i < job->databases_count; i++)
        is_input |= sw_same_file(file, job->databases[i]);
    if (is_input)
        return sw_yaml_error(job->source->yaml, "output.file", " = %.200s: is an input of this sweep", file);
    return SW_OK;
}

static sw_status check(sw_sweep_job *job)
{
    SW_TRY(check_vary(job));
    SW_TRY(check_lists(job));
    SW_TRY(check_numbers(job));
    SW_TRY(check_reference(job));
    SW_TRY(
        sw_taylor_loading_check(job->source->yaml, job->loading_count, job->loading, job->strain_increment));
    return check_output(job);
}

/* ---- Reading ---- */

static sw_status merge_and_check(sw_yaml *yaml, const char *path, const sw_sweep_overrides *overrides,
                                 sw_sweep_job *job)
{
    const sw_status status = SW_ALLOCATE(job->source, 1, "sweep");
    if (status != SW_OK) {
        sw_yaml_close(yaml);
        return status;
    }
    *job->source = (job_source){.path = path, .yaml = yaml};
    SW_TRY(merge(job, overrides));
    return check(job);
}

sw_status sw_sweep_job_read(const char *path, const sw_sweep_overrides *overrides, sw_sweep_job **job)
{
    char *text;
    void *data = NULL;
    sw_yaml *yaml;
    *job = NULL;
    SW_TRY(sw_read_text(path, &text));
    sw_status status = sw_yaml_load(path, text, &sweep_schema, &yaml, &data);
    if (status != SW_OK) {
        free(text);
        return status;
    }
    sw_sweep_job *read = data;
    read->text = text;
    status = merge_and_check(yaml, path, overrides, read);
    if (status == SW_OK)
        *job = read;
    else
        sw_sweep_job_free(read);
    return status;
}

void sw_sweep_job_free(sw_sweep_job *job)
{
    if (job == NULL)
        return;
    if (job->source != NULL)
        sw_yaml_close(job->source->yaml);
    free(job->source);
    free(job->text);
    sw_yaml_free_data(&sweep_schema, job);
}
