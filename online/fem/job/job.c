#include "job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/job/old_yaml.h"
#include "input.h"
#include "common/job/old_yaml.h"

#undef sw_fem_job_error /* it is defined here */

/* ---- What a job file may hold ---- */

#define TEXT(key, structure, member)                                                            \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, 1, \
                           CYAML_UNLIMITED)
#define NEEDED_TEXT(key, structure, member) \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER, structure, member, 1, CYAML_UNLIMITED)
#define REAL(key, structure, member) CYAML_FIELD_FLOAT(key, CYAML_FLAG_OPTIONAL, structure, member)
#define WHOLE(key, structure, member) CYAML_FIELD_INT(key, CYAML_FLAG_OPTIONAL, structure, member)
#define LIST(key, structure, member, entry, least, most) \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, entry, least, most)

static const cyaml_schema_value_t number_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t whole_schema = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int64_t)};
static const cyaml_schema_value_t word_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED),
};
static const cyaml_schema_value_t row_schema = {
    CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &number_schema, 2),
};

static const cyaml_schema_field_t set_fields[] = {
    NEEDED_TEXT("name", sw_fem_job_set, name),
    NEEDED_TEXT("kind", sw_fem_job_set, kind),
    CYAML_FIELD_SEQUENCE("from", CYAML_FLAG_POINTER, sw_fem_job_set, from, &number_schema, 2, 3),
    CYAML_FIELD_SEQUENCE("to", CYAML_FLAG_POINTER, sw_fem_job_set, to, &number_schema, 2, 3),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t set_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_fem_job_set, set_fields),
};

static const cyaml_schema_field_t hardening_fields[] = {
    NEEDED_TEXT("law", sw_fem_job_material, hardening.law),
    REAL("modulus", sw_fem_job_material, hardening.modulus),
    REAL("saturation", sw_fem_job_material, hardening.saturation),
    REAL("rate", sw_fem_job_material, hardening.rate),
    LIST("table", sw_fem_job_material, hardening.table, &row_schema, 1, SW_FEM_MOST_ROWS),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t material_fields[] = {
    TEXT("name", sw_fem_job_material, name),
    TEXT("elements", sw_fem_job_material, elements),
    REAL("young", sw_fem_job_material, young),
    REAL("poisson", sw_fem_job_material, poisson),
    REAL("yield_stress", sw_fem_job_material, yield_stress),
    REAL("conductivity", sw_fem_job_material, conductivity),
    SW_YAML_SECTION("hardening", CYAML_FLAG_OPTIONAL, sw_fem_job_material, hardening_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t material_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_fem_job_material, material_fields),
};

static const cyaml_schema_field_t boundary_fields[] = {
    TEXT("nodes", sw_fem_job_boundary, nodes),
    TEXT("surface", sw_fem_job_boundary, surface),
    REAL("x", sw_fem_job_boundary, value[0]),
    REAL("y", sw_fem_job_boundary, value[1]),
    REAL("z", sw_fem_job_boundary, value[2]),
    REAL("temperature", sw_fem_job_boundary, value[3]),
    LIST("factors", sw_fem_job_boundary, factors, &number_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t boundary_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_fem_job_boundary, boundary_fields),
};

static const cyaml_schema_field_t load_fields[] = {
    TEXT("nodes", sw_fem_job_load, nodes),
    TEXT("surface", sw_fem_job_load, surface),
    TEXT("elements", sw_fem_job_load, elements),
    LIST("traction", sw_fem_job_load, traction, &number_schema, 2, 3),
    REAL("pressure", sw_fem_job_load, pressure),
    LIST("body_force", sw_fem_job_load, body_force, &number_schema, 2, 3),
    LIST("force", sw_fem_job_load, force, &number_schema, 2, 3),
    REAL("flux", sw_fem_job_load, flux),
    REAL("source", sw_fem_job_load, source),
    REAL("flow", sw_fem_job_load, flow),
    LIST("factors", sw_fem_job_load, factors, &number_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t load_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_fem_job_load, load_fields),
};

static const cyaml_schema_field_t step_fields[] = {
    CYAML_FIELD_FLOAT("factor", CYAML_FLAG_DEFAULT, sw_fem_job_step, factor),
    WHOLE("increments", sw_fem_job_step, increments),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t step_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_fem_job_step, step_fields),
};

static const cyaml_schema_field_t solver_fields[] = {
    TEXT("operator", sw_fem_job, solver.operator_),
    TEXT("storage", sw_fem_job, solver.storage),
    TEXT("scatter", sw_fem_job, solver.scatter),
    TEXT("preconditioner", sw_fem_job, solver.preconditioner),
    REAL("tolerance", sw_fem_job, solver.tolerance),
    REAL("linear_tolerance", sw_fem_job, solver.linear_tolerance),
    REAL("least_increment", sw_fem_job, solver.least_increment),
    WHOLE("newton", sw_fem_job, solver.newton),
    WHOLE("cg", sw_fem_job, solver.cg),
    WHOLE("line_search", sw_fem_job, solver.line_search),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t output_fields[] = {
    TEXT("file", sw_fem_job, output.file),
    LIST("fields", sw_fem_job, output.fields, &word_schema, 0, CYAML_UNLIMITED),
    LIST("restart", sw_fem_job, output.restart, &word_schema, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

enum { MESH_KEYS = 6 };
static cyaml_schema_field_t mesh_fields[MESH_KEYS + SW_FEM_PARAMETERS + 1]; /* sw_fem_mesh_keys fills it */

static const cyaml_schema_field_t job_fields[] = {
    SW_YAML_SECTION("mesh", CYAML_FLAG_DEFAULT, sw_fem_job, mesh_fields),
    TEXT("kinematics", sw_fem_job, kinematics),
    TEXT("b_bar", sw_fem_job, b_bar),
    REAL("thickness", sw_fem_job, thickness),
    CYAML_FIELD_SEQUENCE("materials", CYAML_FLAG_POINTER, sw_fem_job, materials, &material_schema, 1, 255),
    CYAML_FIELD_SEQUENCE("boundary", CYAML_FLAG_POINTER, sw_fem_job, boundary, &boundary_schema, 1,
                         CYAML_UNLIMITED),
    LIST("loads", sw_fem_job, loads, &load_schema, 0, CYAML_UNLIMITED),
    LIST("steps", sw_fem_job, steps, &step_schema, 1, CYAML_UNLIMITED),
    TEXT("device", sw_fem_job, device),
    SW_YAML_SECTION("solver", CYAML_FLAG_OPTIONAL, sw_fem_job, solver_fields),
    SW_YAML_SECTION("output", CYAML_FLAG_OPTIONAL, sw_fem_job, output_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t job_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sw_fem_job, job_fields),
};

int sw_fem_parameters(const char *name[SW_FEM_PARAMETERS])
{
    int n = 0;
    for (const sw_fem_body *body = sw_fem_bodies; body->name != NULL; body++)
        for (int i = 0; i < body->n_parameters; i++) {
            int k = 0;
            while (k < n && strcmp(name[k], body->parameter[i].name) != 0)
                k++;
            if (k == n && n < SW_FEM_PARAMETERS)
                name[n++] = body->parameter[i].name;
        }
    return n;
}

/* Keys of the mesh: parameters of the bodies are among them. */
static void fill_mesh_fields(void)
{
    const cyaml_schema_field_t keys[MESH_KEYS] = {
        TEXT("body", sw_fem_job, geometry.body),
        TEXT("file", sw_fem_job, geometry.file),
        LIST("cells", sw_fem_job, geometry.cells, &whole_schema, 2, 3),
        LIST("size", sw_fem_job, geometry.size, &number_schema, 2, 3),
        LIST("origin", sw_fem_job, geometry.origin, &number_schema, 2, 3),
        LIST("sets", sw_fem_job, geometry.sets, &set_schema, 0, CYAML_UNLIMITED),
    };
    const char *name[SW_FEM_PARAMETERS];
    const int n = sw_fem_parameters(name);
    memcpy(mesh_fields, keys, sizeof keys);
    for (int i = 0; i < n; i++) {
        const cyaml_schema_field_t field = REAL(name[i], sw_fem_job, geometry.parameter[0]);
        mesh_fields[MESH_KEYS + i] = field;
        mesh_fields[MESH_KEYS + i].data_offset += (uint32_t)((size_t)i * sizeof(double));
    }
    mesh_fields[MESH_KEYS + n] = (cyaml_schema_field_t)CYAML_FIELD_END;
}

/* ---- Where a value comes from: the file, or an option of the command line ---- */

typedef struct sw_fem_source {
    sw_oldyaml *yaml;
    sw_fem_overrides overrides; /* borrowed, while the file is read */
    char last_factor[SW_FEM_KEY];
} sw_fem_source;

static const struct option {
    const char *key, *name;
    size_t from, to; /* offsets in sw_fem_overrides (a pointer) and sw_fem_job */
    int number;      /* a double, else a text */
} options[] = {
#define OPTION(key, name, from, to, number)                                           \
    {                                                                                 \
        key, name, offsetof(sw_fem_overrides, from), offsetof(sw_fem_job, to), number \
    }
    OPTION("output.file", "--output", output, output.file, 0),
    OPTION("device", "--device", device, device, 0),
    OPTION("solver.operator", "--operator", operator_, solver.operator_, 0),
    OPTION("solver.storage", "--storage", storage, solver.storage, 0),
    OPTION("solver.scatter", "--scatter", scatter, solver.scatter, 0),
    OPTION("solver.preconditioner", "--preconditioner", preconditioner, solver.preconditioner, 0),
    OPTION("solver.tolerance", "--tolerance", tolerance, solver.tolerance, 1),
#undef OPTION
};

/* An option's value; NULL when it was not used. */
static const void *option_value(const sw_fem_source *source, const struct option *option)
{
    const void *value;
    memcpy(&value, (const char *)&source->overrides + option->from, sizeof value);
    return value;
}

/* The name of the option that gave a key its value; NULL when none did. */
static const char *option_of(const sw_fem_source *source, const char *key)
{
    if (source->overrides.n_cells > 0 && strncmp(key, "mesh.cells", 10) == 0)
        return "--cells";
    if (source->overrides.factor != NULL && strcmp(key, source->last_factor) == 0)
        return "--factor";
    for (size_t i = 0; i < CYAML_ARRAY_LEN(options); i++)
        if (strcmp(options[i].key, key) == 0 && option_value(source, &options[i]) != NULL)
            return options[i].name;
    return NULL;
}

int sw_fem_given(const sw_fem_job *job, const char *key)
{
    return option_of(job->source, key) != NULL || sw_oldyaml_has(job->source->yaml, key);
}

sw_status sw_fem_job_error(const sw_fem_job *job, const char *key, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *option = option_of(job->source, key);
    return option == NULL ? sw_oldyaml_error(job->source->yaml, key, "%s", text)
                          : sw_error(SW_ERR_INPUT, "%s%s", option, text);
}

static sw_status merge_lists(sw_fem_job *job)
{
    sw_fem_source *source = job->source;
    const sw_fem_overrides *o = &source->overrides;
    snprintf(source->last_factor, sizeof source->last_factor, "steps[%u].factor",
             job->steps_count > 0 ? job->steps_count - 1 : 0);
    if (o->factor != NULL && job->steps_count > 0)
        job->steps[job->steps_count - 1].factor = *o->factor;
    if (o->n_cells == 0)
        return SW_OK;
    int64_t *cells = cyaml_mem(NULL, job->geometry.cells, o->n_cells * sizeof *cells);
    if (cells == NULL)
        return sw_error(SW_ERR_MEMORY, "--cells: not enough memory");
    memcpy(cells, o->cells, o->n_cells * sizeof *cells);
    job->geometry.cells = cells;
    job->geometry.cells_count = o->n_cells;
    return SW_OK;
}

/* Options in place of keys. */
static sw_status merge(sw_fem_job *job)
{
    const sw_fem_source *source = job->source;
    for (const struct option *o = options; o < options + CYAML_ARRAY_LEN(options); o++) {
        const void *value = option_value(source, o);
        char *member = (char *)job + o->to;
        if (value != NULL && o->number)
            memcpy(member, value, sizeof(double));
        else if (value != NULL && *(const char *)value == '\0')
            return sw_fem_job_error(job, o->key, " = '': need a text");
        else if (value != NULL)
            SW_TRY(sw_job_replace_text((const char **)(void *)member, "", 0, value));
    }
    SW_TRY(merge_lists(job));
    return sw_job_resolve_path(job->path, &job->geometry.file);
}

/* ---- Checks ---- */

sw_status sw_fem_check_numbers(const sw_fem_job *job, const char *prefix, void *structure, int count,
                               const sw_fem_number *number)
{
    for (const sw_fem_number *n = number; n < number + count; n++) {
        char key[SW_FEM_KEY + 64];
        void *member = (char *)structure + n->member;
        snprintf(key, sizeof key, "%s%s", prefix, n->key);
        const double value = n->whole ? (double)*(const int64_t *)member : *(const double *)member;
        if (sw_fem_given(job, key)) {
            if (!(value >= n->least && value <= n->most))
                return sw_fem_job_error(job, key, " = %.15g: need %s", value, n->bound);
        } else if (n->whole)
            *(int64_t *)member = (int64_t)n->standard;
        else
            *(double *)member = n->standard;
    }
    return SW_OK;
}

sw_status sw_fem_choose(const sw_fem_job *job, const char *key, const char *word, int count,
                        const char *const *names, int standard, int *index)
{
    char bound[256];
    *index = word == NULL ? standard : sw_oldyaml_choose(word, count, names, bound, sizeof bound);
    return *index >= 0 || word == NULL ? SW_OK : sw_fem_job_error(job, key, " = %.80s: need %s", word, bound);
}

static sw_status check_solver(sw_fem_job *job)
{
    static const char *const devices[] = {"auto", "cpu", "cuda"};
    int device, word;
    SW_TRY(sw_fem_choose(job, "device", job->device, 3, devices, SW_FEM_DEVICE_AUTO, &device));
    const sw_fem_options d = sw_fem_default_options(&job->problem, (sw_fem_device)device);
    sw_fem_options *o = &job->options;
    *o = d;
#define AT(member) offsetof(sw_fem_job, solver.member)
    const sw_fem_number rules[] = {
        {"tolerance", AT(tolerance), 0, 1e-12, 0.1, d.tolerance, "1e-12 <= tolerance <= 0.1"},
        {"linear_tolerance", AT(linear_tolerance), 0, 1e-14, 0.1, d.linear_tolerance,
         "1e-14 <= linear_tolerance <= 0.1"},
        {"least_increment", AT(least_increment), 0, 1e-9, 1, d.least_increment,
         "1e-9 <= least_increment <= 1"},
        {"newton", AT(newton), 1, 1, SW_FEM_MOST_RECORDED, d.most_newton, "1 <= newton <= 64"},
        {"cg", AT(cg), 1, 1, 1e9, d.most_cg, "1 <= cg <= 1e9"},
        {"line_search", AT(line_search), 1, 0, 100, d.line_search, "0 (none) <= line_search <= 100"},
    };
#undef AT
    SW_TRY(sw_fem_check_numbers(job, "solver.", job, (int)CYAML_ARRAY_LEN(rules), rules));
    o->tolerance = job->solver.tolerance;
    o->linear_tolerance = job->solver.linear_tolerance;
    o->least_increment = job->solver.least_increment;
    o->most_newton = (int)job->solver.newton;
    o->most_cg = (int)job->solver.cg;
    o->line_search = (int)job->solver.line_search;
    SW_TRY(sw_fem_choose(job, "solver.operator", job->solver.operator_, SW_FEM_N_OPERATORS,
                         sw_fem_operator_names, d.operator_, &word));
    o->operator_ = (sw_fem_operator)word;
    SW_TRY(sw_fem_choose(job, "solver.storage", job->solver.storage, SW_FEM_N_STORAGES, sw_fem_storage_names,
                         d.storage, &word));
    o->storage = (sw_fem_storage)word;
    SW_TRY(
        sw_fem_choose(job, "solver.scatter", job->solver.scatter, 2, sw_fem_scatter_names, d.scatter, &word));
    o->scatter = (sw_fem_scatter)word;
    SW_TRY(sw_fem_choose(job, "solver.preconditioner", job->solver.preconditioner, SW_FEM_N_PRECONDITIONERS,
                         sw_fem_preconditioner_names, d.preconditioner, &word));
    o->preconditioner = (sw_fem_preconditioner)word;
    return SW_OK;
}

/* A list of increments, "all" or "last" -> flags [n]; *flag is allocated here. */
static sw_status check_increments(const sw_fem_job *job, const char *list, unsigned count,
                                  const char *const *word, const char *standard, unsigned char **flag)
{
    const int64_t n = job->n_increments;
    const char *const *words = sw_fem_given(job, list) ? word : &standard;
    SW_TRY(SW_ALLOCATE(*flag, n, "increments"));
    for (unsigned i = 0; i < (words == word ? count : 1); i++) {
        char key[SW_FEM_KEY], *end;
        snprintf(key, sizeof key, "%s[%u]", list, i);
        const long long number = strtoll(words[i], &end, 10);
        if (strcmp(words[i], "all") == 0)
            memset(*flag, 1, (size_t)n);
        else if (strcmp(words[i], "last") == 0)
            (*flag)[n - 1] = 1;
        else if (*end == '\0' && number >= 1 && number <= n)
            (*flag)[number - 1] = 1;
        else if (strcmp(words[i], "none") != 0)
            return sw_fem_job_error(job, key,
                                    " = %.80s: need all, last, none, or an increment from 1 to %lld",
                                    words[i], (long long)n);
    }
    return SW_OK;
}

static sw_status check_output(sw_fem_job *job)
{
    /* HDF5 has room for 64 KB in an attribute, its name and type included. */
    enum { MOST = 65000 };
    if (strlen(job->text) > MOST)
        return sw_error(SW_ERR_INPUT, "%s: has %zu bytes: need at most %d, which results files have room for",
                        job->path, strlen(job->text), MOST);
    SW_TRY(check_increments(job, "output.fields", job->output.fields_count, job->output.fields, "last",
                            &job->with_fields));
    SW_TRY(check_increments(job, "output.restart", job->output.restart_count, job->output.restart, "none",
                            &job->with_restart));
    if (job->output.file == NULL)
        return sw_fem_job_error(job, "output.file", " is missing: need a file for the results");
    return SW_OK;
}

/* ---- Reading ---- */

static sw_status complete(sw_fem_job *job)
{
    SW_TRY(merge(job));
    SW_TRY(sw_fem_make_body(job));
    SW_TRY(sw_fem_make_loads(job));
    SW_TRY(check_solver(job));
    return check_output(job);
}

/* Takes the yaml over. */
static sw_status load(const char *path, const sw_fem_overrides *overrides, sw_oldyaml *yaml, sw_fem_job *job)
{
    sw_status status = SW_ALLOCATE(job->source, 1, "job");
    if (status != SW_OK) {
        sw_oldyaml_close(yaml);
        return status;
    }
    *job->source = (sw_fem_source){.yaml = yaml};
    job->path = strdup(path);
    if (job->path == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    if (overrides != NULL)
        job->source->overrides = *overrides;
    return complete(job);
}

sw_status sw_fem_job_read(const char *path, const sw_fem_overrides *overrides, sw_fem_job **job)
{
    char *text;
    void *data = NULL;
    sw_oldyaml *yaml;
    *job = NULL;
    fill_mesh_fields();
    SW_TRY(sw_read_text(path, &text));
    sw_status status = sw_oldyaml_load(path, text, &job_schema, &yaml, &data);
    if (status != SW_OK) {
        free(text);
        return status;
    }
    ((sw_fem_job *)data)->text = text;
    status = load(path, overrides, yaml, data);
    if (status == SW_OK)
        *job = data;
    else
        sw_fem_job_free(data);
    return status;
}

static void free_entries(sw_fem_entry *entry, unsigned count)
{
    for (unsigned i = 0; i < count && entry != NULL; i++) {
        free(entry[i].node);
        free(entry[i].of_step);
        free(entry[i].factor);
    }
    free(entry);
}

void sw_fem_job_free(sw_fem_job *job)
{
    if (job == NULL)
        return;
    for (int i = 0; i < job->problem.n_cases && job->load_case != NULL; i++) {
        free(job->load_case[i].dof);
        free(job->load_case[i].value);
        free(job->load_case[i].force);
    }
    free(job->load_case);
    free_entries(job->fixed, job->boundary_count);
    free_entries(job->loaded, job->loads_count);
    free(job->step_of);
    free(job->factor);
    free(job->with_fields);
    free(job->with_restart);
    free(job->material);
    free(job->material_of);
    sw_fem_mesh_free(job->mesh);
    if (job->source != NULL)
        sw_oldyaml_close(job->source->yaml);
    free(job->source);
    free(job->path);
    free(job->text);
    sw_oldyaml_free_data(&job_schema, job);
}
