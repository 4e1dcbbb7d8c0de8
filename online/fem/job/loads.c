/* How a job's body is held and loaded: steps, boundary, loads and tools -> increments, entries and load cases.
 *
 * Entries that have the same factors at the end of every step share a case. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "online/fem/mesh/mesh.h"
#include "parts.h"

/* ---- Keys ---- */

#define FACTORS(S)                                                                                   \
    {                                                                                                \
        SW_REALS("factors", S, factors, -1e9, 1e9), .shortest = 1, .otherwise = "the steps' factor", \
                                                    .help = "one number a step"                      \
    }
#define VALUE(name, number, text, line)                                                    \
    {                                                                                      \
        SW_REAL(name, sw_fem_job_boundary, value[number], -1e9, 1e9),                      \
            .unit = (text), .standard = NAN, .otherwise = "not prescribed", .help = (line) \
    }

const sw_key sw_fem_boundary_keys[] = {
    {SW_TEXT("nodes", sw_fem_job_boundary, nodes), .bound = "a node set", .help = "or `surface`"},
    {SW_TEXT("surface", sw_fem_job_boundary, surface), .bound = "a surface", .help = "its nodes"},
    VALUE("x", 0, "m", "prescribed displacement at factor 1; 0: held"),
    VALUE("y", 1, "m", "likewise"),
    VALUE("z", 2, "m", "likewise"),
    VALUE("temperature", 3, "K", "with heat"),
    FACTORS(sw_fem_job_boundary),
    SW_KEYS_END};

#define VECTOR(name, text, line)                                                                            \
    {                                                                                                       \
        SW_REALS(name, sw_fem_job_load, vector, -1e18, 1e18),                                               \
            .unit = (text), .shortest = 2, .longest = 3, .help = "at factor 1, a number a dimension, " line \
    }
#define NUMBER(name, text, line)                                                            \
    {                                                                                       \
        SW_REAL(name, sw_fem_job_load, number, -1e18, 1e18), .unit = (text), .help = (line) \
    }

const sw_key sw_fem_load_keys[] = {
    {SW_TEXT("nodes", sw_fem_job_load, nodes), .bound = "a node set"},
    {SW_TEXT("surface", sw_fem_job_load, surface), .bound = "a surface"},
    {SW_TEXT("elements", sw_fem_job_load, elements), .bound = "an element set"},
    VECTOR("traction", "Pa", "on a surface"),
    NUMBER("pressure", "Pa",
           "at factor 1, into the body, on a surface; with strain finite on the deformed one"),
    VECTOR("body_force", "N/m3", "on elements"),
    VECTOR("force", "N",
           "in all: over a surface evenly by area; over nodes by their share of the outer surface that they "
           "span, or equally"),
    NUMBER("flux", "W/m2", "with heat: into the body, on a surface"),
    NUMBER("source", "W/m3", "with heat: on elements"),
    NUMBER("flow", "W", "with heat: in all, as `force`"),
    FACTORS(sw_fem_job_load),
    SW_KEYS_END};

static int unknowns_of(const sw_fem_job *job) { return sw_fem_unknowns(job->problem.kinematics); }
static int dimension_of(const sw_fem_job *job) { return sw_fem_shapes[job->mesh->shape].dimension; }
/* Those of the tools, too. */
static int64_t all_unknowns(const sw_fem_job *job)
{
    return (job->mesh->n_nodes + job->tools_count) * unknowns_of(job);
}
static int is_heat(const sw_fem_job *job) { return job->problem.kinematics == SW_FEM_HEAT; }

/* "nodes or surface" of keys between blanks. */
static const char *spell_keys(const char *keys, char text[64])
{
    size_t length = 0;
    for (const char *at = keys; *at != '\0' && length < 60; at++)
        length += (size_t)snprintf(text + length, 64 - length, *at == ' ' ? " or " : "%c", *at);
    return text;
}

/* The set of an entry: the one that is given of those in `on`, which `what` goes with. name: of nodes,
 * surface, elements. */
static sw_status find_target(const sw_fem_job *job, const char *prefix, const char *const name[3],
                             const char *on, const char *what, sw_fem_entry *entry, const sw_fem_set **set)
{
    static const sw_fem_set_kind kinds[3] = {SW_FEM_NODES, SW_FEM_SURFACE, SW_FEM_ELEMENTS};
    static const char *const keys[3] = {"nodes", "surface", "elements"};
    char key[SW_KEY_SIZE], list[64];
    int chosen = 2, ignored;
    if ((name[0] != NULL) + (name[1] != NULL) + (name[2] != NULL) != 1)
        return sw_job_one_of(job->source, prefix, on, 1, &ignored);
    while (name[chosen] == NULL)
        chosen--;
    sw_key_path(key, "%s%s", prefix, keys[chosen]);
    if (!sw_key_listed(on, keys[chosen]))
        return sw_job_error(job->source, key, ": %s goes with %s", what, spell_keys(on, list));
    SW_TRY(sw_fem_find_set(job, key, kinds[chosen], name[chosen], set));
    snprintf(entry->label, sizeof entry->label, "%s %.60s", keys[chosen], name[chosen]);
    return sw_fem_set_nodes(job, *set, &entry->n_nodes, &entry->node);
}

static sw_status not_with_kinematics(const sw_fem_job *job, const char *key)
{
    return sw_job_error(job->source, key, ": not with kinematics: %s",
                        sw_fem_kinematics_names[job->problem.kinematics]);
}

/* ---- Boundary ---- */

static const char *const values[SW_FEM_VALUES] = {"x", "y", "z", "temperature"};

static sw_status read_boundary(sw_fem_job *job, int index)
{
    const sw_fem_job_boundary *from = &job->boundary[index];
    sw_fem_entry *entry = &job->fixed[index];
    const sw_fem_set *set = NULL;
    char prefix[SW_KEY_SIZE], key[SW_KEY_SIZE];
    int any = 0;
    sw_key_path(prefix, "boundary[%d].", index);
    SW_TRY(find_target(job, prefix, (const char *[]){from->nodes, from->surface, NULL}, "nodes surface",
                       "a boundary", entry, &set));
    for (int i = 0; i < SW_FEM_VALUES; i++) {
        const int component = i < 3 ? i : 0;
        if (isnan(from->value[i]))
            continue;
        sw_key_path(key, "%s%s", prefix, values[i]);
        if (is_heat(job) != (i == 3) || component >= dimension_of(job))
            return not_with_kinematics(job, key);
        entry->fixes[component] = 1;
        entry->at[component] = from->value[i];
        any = 1;
    }
    if (!any)
        return sw_job_error(job->source, sw_key_path(key, "boundary[%d]", index), ": need %s",
                            is_heat(job) ? "temperature" : "x, y or z: m");
    return sw_fem_follow_steps(job, prefix, from->factors, from->factors_count, entry);
}

static int moves(const sw_fem_entry *entry)
{
    return entry->at[0] != 0 || entry->at[1] != 0 || entry->at[2] != 0;
}

/* ---- Loads ---- */

typedef sw_status load_adder(const sw_fem_problem *problem, const sw_fem_set *set, const double *value,
                             double *force);

static sw_status add_pressure(const sw_fem_problem *problem, const sw_fem_set *set, const double *value,
                              double *force)
{
    return sw_fem_add_pressure(problem, set, value[0], force);
}

static sw_status add_total(const sw_fem_problem *problem, const sw_fem_set *set, const double *value,
                           double *force)
{
    return (set->kind == SW_FEM_SURFACE ? sw_fem_add_surface_force : sw_fem_add_total_force)(problem, set,
                                                                                             value, force);
}

/* Kinds of loads: key, keys of sets that it goes with. By kinematics: all, heat. */
typedef struct {
    const char *key, *on;
    load_adder *add;
} load_kind;
static const load_kind kinds_of_stress[] = {{"traction", "surface", sw_fem_add_traction},
                                            {"pressure", "surface", add_pressure},
                                            {"body_force", "elements", sw_fem_add_body_force},
                                            {"force", "nodes surface", add_total}},
                       kinds_of_heat[] = {{"flux", "surface", sw_fem_add_traction},
                                          {"source", "elements", sw_fem_add_body_force},
                                          {"flow", "nodes surface", add_total}};

static sw_status choose_kind(const sw_fem_job *job, const char *prefix, const load_kind **kind)
{
    static const char *const keys[2] = {"traction pressure body_force force", "flux source flow"};
    char key[SW_KEY_SIZE];
    int other, chosen;
    *kind = NULL;
    SW_TRY(sw_job_one_of(job->source, prefix, keys[!is_heat(job)], 0, &other));
    if (other >= 0)
        return not_with_kinematics(
            job,
            sw_key_path(key, "%s%s", prefix, (is_heat(job) ? kinds_of_stress : kinds_of_heat)[other].key));
    SW_TRY(sw_job_one_of(job->source, prefix, keys[is_heat(job)], 1, &chosen));
    *kind = &(is_heat(job) ? kinds_of_heat : kinds_of_stress)[chosen];
    return SW_OK;
}

static sw_status read_value(const sw_fem_job *job, const char *key, const sw_fem_job_load *from,
                            double value[3])
{
    value[0] = from->number;
    if (from->vector == NULL)
        return SW_OK;
    if (from->vector_count != dimension_of(job))
        return sw_job_error(job->source, key, " has %d numbers: need %d", from->vector_count,
                            dimension_of(job));
    memcpy(value, from->vector, (size_t)from->vector_count * sizeof *value);
    return SW_OK;
}

/* Reads an entry; its force at factor 1 into force [N c], which comes zeroed. */
static sw_status read_load(sw_fem_job *job, int index, double *force)
{
    const sw_fem_job_load *from = &job->loads[index];
    sw_fem_entry *entry = &job->loaded[index];
    const load_kind *kind;
    const sw_fem_set *set = NULL;
    char prefix[SW_KEY_SIZE], key[SW_KEY_SIZE];
    const int c = unknowns_of(job);
    double value[3] = {0};
    sw_key_path(prefix, "loads[%d].", index);
    SW_TRY(choose_kind(job, prefix, &kind));
    sw_key_path(key, "%s%s", prefix, kind->key);
    SW_TRY(find_target(job, prefix, (const char *[]){from->nodes, from->surface, from->elements}, kind->on,
                       kind->key, entry, &set));
    snprintf(entry->label + strlen(entry->label), sizeof entry->label - strlen(entry->label), " %s",
             kind->key);
    SW_TRY(read_value(job, key, from, value));
    SW_TRY(sw_fem_follow_steps(job, prefix, from->factors, from->factors_count, entry));
    const sw_status status = kind->add(&job->problem, set, value, force);
    if (status == SW_ERR_RANGE)
        return sw_job_blame(job->source, key);
    SW_TRY(status);
    for (int64_t k = 0; k < entry->n_nodes; k++)
        for (int j = 0; j < c; j++) {
            const double value = force[(int64_t)entry->node[k] * c + j];
            if (!isfinite(value))
                return sw_job_error(job->source, key, ": makes a force that is not finite");
            entry->total[j] += value;
        }
    if (kind->add == add_pressure && job->problem.strain == SW_FEM_FINITE)
        entry->follows = (sw_fem_pressure){set, value[0]};
    return SW_OK;
}

/* ---- Cases ---- */

/* The first entry of a case. */
typedef struct {
    const sw_fem_entry *entry;
} representative;

/* The case with an entry's factors; a new one when there is none yet. Room is there. */
static int case_of(sw_fem_job *job, const sw_fem_entry *entry, representative *first)
{
    const size_t size = (size_t)job->steps_count * sizeof *entry->of_step;
    int i = 0;
    while (i < job->problem.n_cases && memcmp(first[i].entry->of_step, entry->of_step, size) != 0)
        i++;
    if (i == job->problem.n_cases) {
        first[i].entry = entry;
        job->problem.n_cases++;
    }
    return i;
}

static sw_status make_room(const sw_fem_job *job, sw_fem_case *to)
{
    return to->force != NULL ? SW_OK : SW_FEM_TAKE(job, to->force, all_unknowns(job), "loads");
}

static sw_status add_pressure_of(const sw_fem_job *job, sw_fem_case *to, const sw_fem_pressure *pressure)
{
    if (to->pressure == NULL)
        SW_TRY(SW_FEM_TAKE(job, to->pressure, job->loads_count, "loads"));
    to->pressure[to->n_pressures++] = *pressure;
    return SW_OK;
}

/* An entry's force, which is at its nodes alone, and zeroed thereafter. */
static sw_status add_force(const sw_fem_job *job, sw_fem_case *to, const sw_fem_entry *entry, double *force)
{
    const int c = unknowns_of(job);
    if (!entry->follows.surface)
        SW_TRY(make_room(job, to));
    for (int64_t k = 0; k < entry->n_nodes; k++)
        for (int64_t i = (int64_t)entry->node[k] * c; i < ((int64_t)entry->node[k] + 1) * c; i++) {
            if (!entry->follows.surface)
                to->force[i] += force[i];
            force[i] = 0;
        }
    return SW_OK;
}

/* Which entry prescribes unknown `dof`, from 1; 0: none. What another one has to say of it must be the same. */
static sw_status claim(const sw_fem_job *job, int64_t dof, int index, int32_t *owner)
{
    const int c = unknowns_of(job), component = (int)(dof % c), d = dimension_of(job);
    const sw_fem_entry *entry = &job->fixed[index];
    char key[SW_KEY_SIZE], place[SW_FEM_PLACE_TEXT];
    if (owner[dof] == 0) {
        owner[dof] = index + 1;
        return SW_OK;
    }
    const sw_fem_entry *other = &job->fixed[owner[dof] - 1];
    if (entry->at[component] == other->at[component] &&
        (entry->at[component] == 0 || entry->load_case == other->load_case))
        return SW_OK;
    sw_key_path(key, "boundary[%d].%s", index, is_heat(job) ? "temperature" : values[component]);
    return sw_job_error(job->source, key, " = %.15g: node %lld at %s has %.15g from boundary[%d]: need one",
                        entry->at[component], sw_fem_node_label(job->mesh, dof / c),
                        sw_fem_place_text(d, job->mesh->position + dof / c * d, place), other->at[component],
                        owner[dof] - 1);
}

/* The case a prescribed value belongs to: of zeros, any. */
static int case_of_value(const sw_fem_entry *entry, int component)
{
    return entry->at[component] == 0 ? 0 : entry->load_case;
}

/* The entry that prescribes an unknown, by its owner: those of tools count on from those of the boundary. */
static const sw_fem_entry *entry_of(const sw_fem_job *job, int32_t owner)
{
    return owner <= job->boundary_count ? &job->fixed[owner - 1]
                                        : &job->tooled[owner - job->boundary_count - 1];
}

/* Those that have an owner, ascending: *list [*count], to be freed. */
static sw_status list_owned(int64_t n, const int32_t *owner, int64_t *count, int64_t **list)
{
    enum { PIECES = 256, LOOK_NS = 1 };
    int64_t first[PIECES + 1] = {0};
    const int64_t size = n / PIECES + 1;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, LOOK_NS))
    for (int64_t piece = 0; piece < PIECES; piece++) {
        int64_t many = 0;
        for (int64_t i = piece * size; i < (piece + 1) * size && i < n; i++)
            many += owner[i] > 0;
        first[piece + 1] = many;
    }
    for (int piece = 0; piece < PIECES; piece++)
        first[piece + 1] += first[piece];
    *count = first[PIECES];
    SW_TRY(SW_ALLOCATE(*list, *count, "boundary"));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, LOOK_NS))
    for (int64_t piece = 0; piece < PIECES; piece++) {
        int64_t next = first[piece];
        for (int64_t i = piece * size; i < (piece + 1) * size && i < n && next < first[piece + 1]; i++)
            if (owner[i] > 0)
                (*list)[next++] = i;
    }
    return SW_OK;
}

/* *owned is to be freed. */
static sw_status make_fixed(sw_fem_job *job, int32_t *owner, int64_t **owned)
{
    const int c = unknowns_of(job);
    const int64_t n = all_unknowns(job);
    int64_t n_owned;
    for (int b = 0; b < job->boundary_count; b++)
        for (int64_t k = 0; k < job->fixed[b].n_nodes; k++)
            for (int i = 0; i < c; i++)
                if (job->fixed[b].fixes[i])
                    SW_TRY(claim(job, (int64_t)job->fixed[b].node[k] * c + i, b, owner));
    for (int t = 0; t < job->tools_count; t++)
        for (int i = 0; i < c; i++)
            if (job->tooled[t].fixes[i])
                owner[(job->mesh->n_nodes + t) * c + i] = job->boundary_count + t + 1;
    SW_TRY(list_owned(n, owner, &n_owned, owned));
    for (int64_t i = 0; i < n_owned; i++) {
        const int64_t dof = (*owned)[i];
        job->load_case[case_of_value(entry_of(job, owner[dof]), (int)(dof % c))].n_fixed++;
    }
    for (int l = 0; l < job->problem.n_cases; l++) {
        sw_fem_case *to = &job->load_case[l];
        SW_TRY(SW_FEM_TAKE(job, to->dof, to->n_fixed, "boundary"));
        SW_TRY(SW_FEM_TAKE(job, to->value, to->n_fixed, "boundary"));
        to->n_fixed = 0;
    }
    for (int64_t i = 0; i < n_owned; i++) {
        const int64_t dof = (*owned)[i];
        const sw_fem_entry *entry = entry_of(job, owner[dof]);
        sw_fem_case *to = &job->load_case[case_of_value(entry, (int)(dof % c))];
        to->dof[to->n_fixed] = dof;
        to->value[to->n_fixed++] = entry->at[dof % c];
    }
    return SW_OK;
}

/* A tool's case, and its force. */
static sw_status load_tool(sw_fem_job *job, int index, representative *first)
{
    sw_fem_entry *entry = &job->tooled[index];
    const int c = unknowns_of(job);
    int pushed = 0;
    for (int i = 0; i < c; i++)
        pushed |= entry->total[i] != 0;
    if (!pushed && !moves(entry))
        return SW_OK;
    entry->load_case = case_of(job, entry, first);
    sw_fem_case *to = &job->load_case[entry->load_case];
    if (pushed)
        SW_TRY(make_room(job, to));
    for (int i = 0; i < c && pushed; i++)
        to->force[(job->mesh->n_nodes + index) * c + i] = entry->total[i];
    return SW_OK;
}

static sw_status make_cases(sw_fem_job *job, representative *first, double *force, int32_t *owner,
                            int64_t **owned)
{
    for (int b = 0; b < job->boundary_count; b++) {
        SW_TRY(read_boundary(job, b));
        if (moves(&job->fixed[b]))
            job->fixed[b].load_case = case_of(job, &job->fixed[b], first);
    }
    for (int m = 0; m < job->loads_count; m++) {
        SW_TRY(read_load(job, m, force));
        const int load_case = job->loaded[m].load_case = case_of(job, &job->loaded[m], first);
        if (job->loaded[m].follows.surface)
            SW_TRY(add_pressure_of(job, &job->load_case[load_case], &job->loaded[m].follows));
        SW_TRY(add_force(job, &job->load_case[load_case], &job->loaded[m], force));
    }
    for (int t = 0; t < job->tools_count; t++)
        SW_TRY(load_tool(job, t, first));
    if (job->problem.n_cases == 0)
        return sw_job_error(
            job->source, "loads",
            ": nothing is loaded: need loads, tools that move, or a boundary value that is not 0");
    SW_TRY(make_fixed(job, owner, owned));
    SW_TRY(SW_FEM_TAKE(job, job->factor, job->n_increments * job->problem.n_cases, "factors"));
    for (int64_t i = 0; i < job->n_increments; i++)
        for (int l = 0; l < job->problem.n_cases; l++)
            job->factor[i * job->problem.n_cases + l] = first[l].entry->factor[i];
    job->problem.load = job->load_case;
    return SW_OK;
}

/* ---- All ---- */

sw_status sw_fem_make_loads(sw_fem_job *job)
{
    const int64_t entries = job->boundary_count + job->loads_count + job->tools_count;
    representative *first = NULL;
    double *force = NULL;
    int32_t *owner = NULL;
    int64_t *owned = NULL;
    sw_status status;
    SW_TRY(sw_fem_make_steps(job));
    if (sw_fem_is_periodic(job)) {
        SW_TRY(sw_fem_make_periodic(job));
        return sw_fem_identify(job);
    }
    SW_TRY(sw_fem_make_tools(job));
    SW_TRY(SW_FEM_TAKE(job, job->fixed, job->boundary_count, "boundary"));
    SW_TRY(SW_FEM_TAKE(job, job->loaded, job->loads_count, "loads"));
    SW_TRY(SW_FEM_TAKE(job, job->load_case, entries, "load cases"));
    SW_TRY_GOTO(status, SW_ALLOCATE(first, entries, "load cases"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(force, all_unknowns(job), "loads"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(owner, all_unknowns(job), "boundary"), end);
    SW_TRY_GOTO(status, make_cases(job, first, force, owner, &owned), end);
    status = sw_fem_identify(job);
end:
    free(first);
    free(force);
    free(owner);
    free(owned);
    return status;
}
