#include "job.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/strain_rate.h"
#include "online/response/solvers.h"

/* ---- What a job file may hold ---- */

#define TEXT(key, member)                                                                           \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, sw_taylor_job, member, 1, \
                           CYAML_UNLIMITED)
#define WHOLE(key, member) CYAML_FIELD_INT(key, CYAML_FLAG_OPTIONAL, sw_taylor_job, member)
#define REAL(key, member) CYAML_FIELD_FLOAT(key, CYAML_FLAG_OPTIONAL, sw_taylor_job, member)
#define STEPS(key, member)                                                                                   \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, sw_taylor_job, member, &step_schema, \
                         0, CYAML_UNLIMITED)

static const cyaml_schema_value_t step_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED),
};
static const cyaml_schema_value_t component_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t row_schema = {
    CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &component_schema, 3),
};

static const cyaml_schema_field_t loading_fields[] = {
    CYAML_FIELD_SEQUENCE_FIXED("velocity_gradient", CYAML_FLAG_DEFAULT, sw_taylor_loading, velocity_gradient,
                               &row_schema, 3),
    CYAML_FIELD_FLOAT("duration", CYAML_FLAG_DEFAULT, sw_taylor_loading, duration),
    CYAML_FIELD_END,
};
const cyaml_schema_value_t sw_taylor_loading_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_taylor_loading, loading_fields),
};

static const cyaml_schema_field_t crystals_fields[] = {
    WHOLE("count", crystals.count),
    TEXT("texture", crystals.texture),
    WHOLE("seed", crystals.seed),
    TEXT("file", crystals.file),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t output_fields[] = {
    TEXT("file", output.file),
    STEPS("orientations", output.orientations),
    STEPS("textures", output.textures),
    CYAML_FIELD_END,
};

/* What the command line may give instead is optional here, and asked for once both are known. */
static const cyaml_schema_field_t job_fields[] = {
    TEXT("database", database),
    TEXT("material", material),
    TEXT("solver", solver),
    REAL("error", error),
    WHOLE("terms", terms),
    WHOLE("refinement", refinement),
    TEXT("interpolation", interpolation),
    TEXT("device", device),
    SW_YAML_SECTION("crystals", CYAML_FLAG_OPTIONAL, sw_taylor_job, crystals_fields),
    REAL("initial_slip_resistance", initial_slip_resistance),
    REAL("strain_increment", strain_increment),
    CYAML_FIELD_SEQUENCE("loading", CYAML_FLAG_POINTER, sw_taylor_job, loading, &sw_taylor_loading_schema, 1,
                         CYAML_UNLIMITED),
    SW_YAML_SECTION("output", CYAML_FLAG_OPTIONAL, sw_taylor_job, output_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t job_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sw_taylor_job, job_fields),
};

/* ---- Where a value comes from: the file, or an option of the command line ---- */

static const struct option {
    const char *key, *name;
    size_t from, to; /* offsets in sw_taylor_overrides (a pointer) and sw_taylor_job */
    enum { IS_TEXT, IS_PATH, IS_WHOLE, IS_REAL } type; /* a path in the file is relative to its folder */
} options[] = {
#define OPTION(key, name, from, to, type)                                                 \
    {                                                                                     \
        key, name, offsetof(sw_taylor_overrides, from), offsetof(sw_taylor_job, to), type \
    }
    OPTION("solver", "--solver", solver, solver, IS_TEXT),
    OPTION("database", "--database", database, database, IS_PATH),
    OPTION("material", "--material", material, material, IS_PATH),
    OPTION("crystals.file", "--crystals-file", crystals_file, crystals.file, IS_PATH),
    OPTION("output.file", "--output", output, output.file, IS_TEXT), /* relative to the working folder */
    OPTION("interpolation", "--interpolation", interpolation, interpolation, IS_TEXT),
    OPTION("device", "--device", device, device, IS_TEXT),
    OPTION("error", "--error", error, error, IS_REAL),
    OPTION("terms", "--terms", terms, terms, IS_WHOLE),
    OPTION("refinement", "--refinement", refinement, refinement, IS_WHOLE),
    OPTION("crystals.count", "--count", count, crystals.count, IS_WHOLE),
    OPTION("crystals.seed", "--seed", seed, crystals.seed, IS_WHOLE),
#undef OPTION
};

typedef struct sw_taylor_job_source {
    const char *path; /* borrowed, while the job is read */
    sw_yaml *yaml;
    sw_taylor_overrides overrides; /* what they point to: likewise */
} job_source;

/* An option's value; NULL when it was not used. */
static const void *option_value(const job_source *source, const struct option *option)
{
    const void *value;
    memcpy(&value, (const char *)&source->overrides + option->from, sizeof value);
    return value;
}

/* The name of the option that gave a key its value; NULL when none did. */
static const char *option_of(const job_source *source, const char *key)
{
    for (size_t i = 0; i < CYAML_ARRAY_LEN(options); i++)
        if (strcmp(options[i].key, key) == 0 && option_value(source, &options[i]) != NULL)
            return options[i].name;
    return NULL;
}

/* Whether a key of the file gives way to an option of another name. */
static int displaced(const job_source *source, const char *key)
{
    if (strcmp(key, "crystals.file") == 0)
        return source->overrides.count != NULL;
    return source->overrides.crystals_file != NULL && strncmp(key, "crystals.", strlen("crystals.")) == 0;
}

static int given(const job_source *source, const char *key)
{
    return option_of(source, key) != NULL || (sw_yaml_has(source->yaml, key) && !displaced(source, key));
}

/* "FILE:LINE: KEY" or "--option", then the formatted rest. */
static sw_status complain_list(const job_source *source, const char *key, const char *format,
                               va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    const char *option = option_of(source, key);
    return option == NULL ? sw_yaml_error(source->yaml, key, "%s", text)
                          : sw_error(SW_ERR_INPUT, "%s%s", option, text);
}

__attribute__((format(printf, 3, 4))) static sw_status complain(const job_source *source, const char *key,
                                                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const sw_status status = complain_list(source, key, format, arguments);
    va_end(arguments);
    return status;
}

sw_status sw_taylor_job_error(const sw_taylor_job *job, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const sw_status status = complain_list(job->source, key, format, arguments);
    va_end(arguments);
    return status;
}

/* ---- Merging ---- */

sw_status sw_job_replace_text(const char **text, const char *folder, size_t folder_length, const char *value)
{
    char *joined = NULL;
    if (value != NULL) {
        size_t length = strlen(value) + 1;
        joined = cyaml_mem(NULL, NULL, folder_length + length);
        if (joined == NULL)
            return sw_error(SW_ERR_MEMORY, "not enough memory for '%.80s'", value);
        memcpy(joined, folder, folder_length);
        memcpy(joined + folder_length, value, length);
    }
    cyaml_mem(NULL, (void *)*text, 0); /* releases it */
    *text = joined;
    return SW_OK;
}

sw_status sw_job_resolve_path(const char *job_path, const char **path)
{
    if (*path == NULL || **path == '/')
        return SW_OK;
    const char *slash = strrchr(job_path, '/');
    return sw_job_replace_text(path, job_path, slash == NULL ? 0 : (size_t)(slash - job_path) + 1, *path);
}

static sw_status merge_option(const job_source *source, const struct option *option, sw_taylor_job *job)
{
    void *member = (char *)job + option->to;
    const void *value = option_value(source, option);
    if (option->type == IS_WHOLE || option->type == IS_REAL) {
        if (value != NULL)
            memcpy(member, value, option->type == IS_WHOLE ? sizeof(int64_t) : sizeof(double));
        return SW_OK;
    }
    const char **text = member;
    if (value != NULL && *(const char *)value == '\0')
        return complain(source, option->key, " = '': need a text");
    if (value != NULL || displaced(source, option->key))
        return sw_job_replace_text(text, "", 0, value);
    return option->type == IS_PATH ? sw_job_resolve_path(source->path, text) : SW_OK;
}

static sw_status merge(const job_source *source, sw_taylor_job *job)
{
    for (size_t i = 0; i < CYAML_ARRAY_LEN(options); i++)
        SW_TRY(merge_option(source, &options[i], job));
    return SW_OK;
}

/* ---- Checks, in the order of the keys ---- */

static sw_status choose(const job_source *source, const char *key, const char *value, int count,
                        const char *const *names, int *index)
{
    char bound[256];
    *index = sw_yaml_choose(value == NULL ? "" : value, count, names, bound, sizeof bound);
    if (*index >= 0)
        return SW_OK;
    return value == NULL ? complain(source, key, " is missing: need %s", bound)
                         : complain(source, key, " = %.80s: need %s", value, bound);
}

static sw_status check_solver(const job_source *source, const sw_taylor_job *job)
{
    const char *names[SW_SOLVERS + 1] = {[SW_SOLVERS] = "auto"};
    int solver;
    for (int i = 0; i < SW_SOLVERS; i++)
        names[i] = sw_solvers[i].name;
    SW_TRY(choose(source, "solver", job->solver, SW_SOLVERS + 1, names, &solver));
    const int runs_on_material = solver < SW_SOLVERS && !sw_solvers[solver].needs_database;
    if (job->database != NULL || (runs_on_material && job->material != NULL))
        return SW_OK;
    return complain(source, "database", " is missing: the solver '%s' needs a database%s", names[solver],
                    runs_on_material ? " or a material" : "");
}

/* Nobody who asks for an error may get another solver's. That of the file goes when --solver does. */
static sw_status check_error_has_effect(const job_source *source, const sw_taylor_job *job)
{
    if (strcmp(job->solver, "auto") == 0 || !given(source, "error") ||
        (option_of(source, "solver") != NULL && option_of(source, "error") == NULL))
        return SW_OK;
    return complain(source, "error", " = %g: has no effect on the solver '%s', only on 'auto'", job->error,
                    job->solver);
}

static sw_status check_words(const job_source *source, const sw_taylor_job *job)
{
    static const char *const interpolations[] = {"linear", "nearest"}, *const devices[] = {"auto", "cpu",
                                                                                           "cuda"};
    int index;
    if (job->interpolation != NULL)
        SW_TRY(choose(source, "interpolation", job->interpolation, (int)CYAML_ARRAY_LEN(interpolations),
                      interpolations, &index));
    if (job->device != NULL)
        SW_TRY(choose(source, "device", job->device, (int)CYAML_ARRAY_LEN(devices), devices, &index));
    return SW_OK;
}

static sw_status check_whole_numbers(const job_source *source, sw_taylor_job *job)
{
    static const struct {
        const char *key;
        size_t member;
        int64_t least, most, standard;
        const char *bound;
    } rules[] = {
        {"terms", offsetof(sw_taylor_job, terms), 1, INT64_MAX, 0, "terms >= 1"},
        {"refinement", offsetof(sw_taylor_job, refinement), 1, 4096, 0, "1 <= refinement <= 4096"},
        {"crystals.count", offsetof(sw_taylor_job, crystals.count), 1, INT64_C(1) << 40, 0,
         "1 <= count <= 2^40"},
        {"crystals.seed", offsetof(sw_taylor_job, crystals.seed), 0, INT64_MAX, 1, "0 <= seed < 2^63"},
    };
    for (size_t i = 0; i < CYAML_ARRAY_LEN(rules); i++) {
        int64_t *value = (int64_t *)(void *)((char *)job + rules[i].member);
        if (!given(source, rules[i].key))
            *value = rules[i].standard;
        else if (*value < rules[i].least || *value > rules[i].most)
            return complain(source, rules[i].key, " = %" PRId64 ": need %s", *value, rules[i].bound);
    }
    return SW_OK;
}

static sw_status check_real_numbers(const job_source *source, sw_taylor_job *job)
{
    static const struct {
        const char *key;
        size_t member;
        double least, most, standard;
        const char *bound;
    } rules[] = {
        {"initial_slip_resistance", offsetof(sw_taylor_job, initial_slip_resistance), 1e4, 1e11, 0,
         "Pa, from 1e4 to 1e11"},
        {"error", offsetof(sw_taylor_job, error), 1e-4, 0.5, 0.01, "1e-4 <= error <= 0.5"},
        {"strain_increment", offsetof(sw_taylor_job, strain_increment), DBL_MIN, 0.1, 0.02,
         "0 < strain_increment <= 0.1"},
    };
    for (size_t i = 0; i < CYAML_ARRAY_LEN(rules); i++) {
        double *value = (double *)(void *)((char *)job + rules[i].member);
        if (!given(source, rules[i].key))
            *value = rules[i].standard;
        else if (!(*value >= rules[i].least && *value <= rules[i].most))
            return option_of(source, rules[i].key) != NULL
                       ? complain(source, rules[i].key, " = %.10g: need %s", *value, rules[i].bound)
                       : sw_yaml_need(source->yaml, rules[i].key, *value, 0, rules[i].bound);
    }
    return SW_OK;
}

/* Exactly one of count and file; what goes with count goes with it alone. */
static sw_status check_crystals(const job_source *source, sw_taylor_job *job)
{
    static const char *const textures[] = {"random"};
    static const char *const with_count[] = {"crystals.count", "crystals.texture", "crystals.seed"};
    if (given(source, "crystals.file")) {
        for (size_t i = 0; i < CYAML_ARRAY_LEN(with_count); i++)
            if (given(source, with_count[i]))
                return complain(source, with_count[i], " beside crystals.file = %.80s: need only one of them",
                                job->crystals.file);
        return sw_job_replace_text(&job->crystals.texture, "", 0, NULL); /* the file's, when displaced */
    }
    if (!given(source, "crystals.count"))
        return complain(source, "crystals.count", " is missing: need crystals.count or crystals.file");
    if (job->crystals.texture == NULL)
        SW_TRY(sw_job_replace_text(&job->crystals.texture, "", 0, textures[0]));
    int texture;
    return choose(source, "crystals.texture", job->crystals.texture, (int)CYAML_ARRAY_LEN(textures), textures,
                  &texture);
}

/* Both measures are relative, and taken of L / max|L_ij| so that no square over- or underflows.
 * 1e-9 lies far above the round-off of a trace (3 x 1e-16) and of decimals written with ten digits
 * or more, and far below the elastic volume changes that the rigid-plastic model leaves out. */
static sw_status check_velocity_gradient(const sw_yaml *yaml, const char *key, const double gradient[3][3])
{
    const double tolerance = 1e-9;
    double largest = 0, squares = 0, symmetric_squares = 0, trace = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(gradient[i / 3][i % 3]));
    if (largest == 0)
        return sw_yaml_error(yaml, key, " = 0: need a symmetric part that is not zero");
    for (int i = 0; i < 3; i++) {
        trace += gradient[i][i] / largest;
        for (int j = 0; j < 3; j++) {
            double entry = gradient[i][j] / largest;
            double symmetric = 0.5 * (entry + gradient[j][i] / largest);
            squares += entry * entry;
            symmetric_squares += symmetric * symmetric;
        }
    }
    const double norm = sqrt(squares), rate = sqrt(symmetric_squares);
    if (!(largest >= 1e-50 && rate > 1e-6 * norm))
        return sw_yaml_error(yaml, key,
                             " has a symmetric part |D| = %.3g: need more than 1e-6 |L| (= %.3g), and 1e-50",
                             rate * largest, 1e-6 * norm * largest);
    if (!(fabs(trace) <= tolerance * rate))
        return sw_yaml_error(yaml, key, " has trace = %g: need |trace| <= %g |D| (= %.3g)", trace * largest,
                             tolerance, tolerance * rate * largest);
    return SW_OK;
}

double sw_taylor_loading_steps(const sw_taylor_loading *loading, double strain_increment)
{
    const double rate = sw_strain_rate_of((const double(*)[3])loading->velocity_gradient).rate;
    return fmax(1, ceil(rate * loading->duration / strain_increment - 1e-9));
}

sw_status sw_taylor_loading_check(const sw_yaml *yaml, unsigned count, const sw_taylor_loading *loading,
                                  double strain_increment)
{
    double steps = 0;
    char key[64];
    for (unsigned i = 0; i < count; i++) {
        snprintf(key, sizeof key, "loading[%u].velocity_gradient", i);
        SW_TRY(check_velocity_gradient(yaml, key, loading[i].velocity_gradient));
        snprintf(key, sizeof key, "loading[%u].duration", i);
        SW_TRY(sw_yaml_need(yaml, key, loading[i].duration, loading[i].duration > 0, "duration > 0"));
        steps += sw_taylor_loading_steps(&loading[i], strain_increment);
        SW_TRY(sw_yaml_need(yaml, key, loading[i].duration, steps <= 1e9,
                            "at most 1e9 strain increments in a job"));
    }
    return SW_OK;
}

static int is_step(const char *text)
{
    if (strcmp(text, "last") == 0)
        return 1;
    errno = 0;
    strtoll(text, NULL, 10);
    return errno == 0 && text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* steps: of the loading. */
static sw_status check_steps(const job_source *source, const char *list_key, unsigned count,
                             const char *const *list, double steps)
{
    char key[64];
    for (unsigned i = 0; i < count; i++) {
        snprintf(key, sizeof key, "%s[%u]", list_key, i);
        if (!is_step(list[i]))
            return complain(source, key, " = %.80s: need a step >= 0 or last", list[i]);
        if (strcmp(list[i], "last") != 0 && !((double)strtoll(list[i], NULL, 10) <= steps))
            return complain(source, key, " = %.80s: the loading has %.0f steps: need one of them or last",
                            list[i], steps);
    }
    return SW_OK;
}

static sw_status check_output(const job_source *source, sw_taylor_job *job)
{
    double steps = 0;
    if (job->output.file == NULL)
        return complain(source, "output.file", " is missing: need a file for the results");
    for (unsigned i = 0; i < job->loading_count; i++)
        steps += sw_taylor_loading_steps(&job->loading[i], job->strain_increment);
    SW_TRY(check_steps(source, "output.orientations", job->output.orientations_count,
                       job->output.orientations, steps));
    job->output.textures_given = given(source, "output.textures");
    return check_steps(source, "output.textures", job->output.textures_count, job->output.textures, steps);
}

/* Crystals are kept in single precision, but for `iterative`: a shorter step would turn them by a few of
 * their last digits, and what is lost adds up. */
static sw_status check_increment(const job_source *source, const sw_taylor_job *job)
{
    const sw_solver_traits *solver = sw_solver_find(job->solver); /* NULL: auto */
    if (job->strain_increment >= 1e-4 || (solver != NULL && solver->has_history))
        return SW_OK;
    return complain(source, "strain_increment", " = %g: need at least 1e-4 for the solver '%s'",
                    job->strain_increment, job->solver);
}

static sw_status check(const job_source *source, sw_taylor_job *job)
{
    SW_TRY(check_solver(source, job));
    SW_TRY(check_crystals(source, job));
    SW_TRY(check_whole_numbers(source, job));
    SW_TRY(check_real_numbers(source, job));
    SW_TRY(check_increment(source, job));
    SW_TRY(check_error_has_effect(source, job));
    SW_TRY(check_words(source, job));
    SW_TRY(sw_taylor_loading_check(source->yaml, job->loading_count, job->loading, job->strain_increment));
    return check_output(source, job);
}

/* ---- Reading ---- */

sw_status sw_taylor_job_read(const char *path, const sw_taylor_overrides *overrides, sw_taylor_job **job)
{
    char *text;
    void *data = NULL;
    sw_yaml *yaml;
    *job = NULL;
    SW_TRY(sw_read_text(path, &text));
    sw_status status = sw_yaml_load(path, text, &job_schema, &yaml, &data);
    if (status != SW_OK) {
        free(text);
        return status;
    }
    sw_taylor_job *read = data;
    read->text = text;
    status = SW_ALLOCATE(read->source, 1, "job");
    if (status != SW_OK)
        sw_yaml_close(yaml);
    else {
        *read->source = (job_source){.path = path, .yaml = yaml};
        if (overrides != NULL)
            read->source->overrides = *overrides;
        status = merge(read->source, read);
    }
    if (status == SW_OK)
        status = check(read->source, read);
    if (status == SW_OK)
        *job = read;
    else
        sw_taylor_job_free(read);
    return status;
}

void sw_taylor_job_free(sw_taylor_job *job)
{
    if (job == NULL)
        return;
    if (job->source != NULL)
        sw_yaml_close(job->source->yaml);
    free(job->source);
    free(job->text);
    sw_yaml_free_data(&job_schema, job);
}
