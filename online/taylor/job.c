#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/files/text.h"
#include "online/response/certificate/certificate.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"

/* ---- Keys ---- */

static const char *const interpolation_names[] = {"linear", "nearest"};
const char *const sw_taylor_storage_names[2] = {"full", "compact"};
static const char *const iteration_names[] = {"law", "one"};

SW_HOMOGENIZATION_KEYS(homogenization_keys, sw_taylor_job, homogenization);

static const sw_key crystals_keys[] = {SW_CRYSTALS_KEYS(sw_taylor_job, crystals), SW_KEYS_END};

static const sw_key ageing_keys[] = {SW_KWN_STATE_KEYS(sw_taylor_job, ageing), SW_KEYS_END};

/* As crystals, without options. */
static const sw_key phase_crystals_keys[] = {
    {SW_WHOLE("count", sw_taylor_phase_asked, crystals.count, 1, 1099511627776.),
     .help = "number of random crystals; none beside a file"},
    {SW_WHOLE("seed", sw_taylor_phase_asked, crystals.seed, 0, INT64_MAX), .standard = 1,
     .help = "random seed of the crystals, and of what is drawn from a file"},
    {SW_ENTRIES("components", sw_taylor_phase_asked, crystals.components, sw_ideal_keys), .longest = 100,
     .help = "ideal orientations and fibres that some of the crystals scatter about"},
    {SW_PATH("file", sw_taylor_phase_asked, crystals.file),
     .help = "file of orientations, or results, .h5, instead of count, components"},
    SW_CRYSTAL_FILTER_KEYS(sw_taylor_phase_asked, crystals.filter, SW_GIVEN, SW_NONE),
    {SW_WHOLE("resample", sw_taylor_phase_asked, crystals.resample, 1, 1e8),
     .otherwise = "the file's crystals themselves",
     .help = "so many crystals of equal weight, drawn from the file's by their weights"},
    {SW_REAL("halfwidth", sw_taylor_phase_asked, crystals.halfwidth, 0.1, 45), .unit = "degrees",
     .otherwise = "none", .help = "of a kernel about each of the file's crystals, with resample"},
    SW_KEYS_END};

static const sw_key phase_keys[] = {
    {SW_NAME("name", sw_taylor_phase_asked, name), .needed = 1,
     .help = "of its group in results: letters, digits, _ and -"},
    {SW_PATH("material", sw_taylor_phase_asked, material), .needed = 1, .help = "material file"},
    {SW_REAL("fraction", sw_taylor_phase_asked, fraction, 0, 1), .open = SW_OPEN_BELOW, .needed = 1,
     .help = "of the volume; all together make 1"},
    {SW_SECTION("crystals", phase_crystals_keys), .needed = 1},
    {SW_REAL("initial_slip_resistance", sw_taylor_phase_asked, initial_slip_resistance,
             SW_SLIP_RESISTANCE_LEAST, SW_SLIP_RESISTANCE_MOST),
     .unit = "Pa", .otherwise = "the material's", .help = "s of each of its crystals"},
    SW_KEYS_END};

#define STEPS "numbers from 0 on, `last`, `every N` or `all`"
static const sw_key output_keys[] = {
    {SW_OUTPUT("file", sw_taylor_job, output.file), .needed = 1, .bound = "a file for the results",
     .option = "output", .letter = 'o', .help = "results file"},
    {SW_TEXTS("orientations", sw_taylor_job, output.orientations), .bound = STEPS, .otherwise = "none",
     .help = "steps whose orientations are written"},
    {SW_TEXTS("textures", sw_taylor_job, output.textures), .bound = STEPS,
     .otherwise = "those of orientations", .help = "steps whose textures are written"},
    {SW_ENTRIES("lattice_strains", sw_taylor_job, output.lattice_strains, sw_reflection_keys),
     .longest = SW_REFLECTIONS_MOST,
     .help = "elastic strains of families of planes, as diffraction sees them; elastoplastic, iterative"},
    {SW_REAL("checkpoint", sw_taylor_job, output.checkpoint, 0.1, 1e9), .unit = "s", .standard = 60,
     .option = "checkpoint",
     .help = "time between states kept in FILE.partial, at least 20 times what writing one takes"},
    SW_KEYS_END};

const sw_key sw_taylor_keys[] = {
    {SW_PATH("database", sw_taylor_job, database), .option = "database", .displaces = "material",
     .help = "spectral database; as an option it stands for the file's material, too"},
    {SW_PATH("material", sw_taylor_job, material), .option = "material", .otherwise = "the database's",
     .help = "material file: the hardening for terms and grid, everything for the other solvers"},
    {SW_WORD("solver", sw_taylor_job, solver, sw_solver_names), .needed = 1, .former = sw_solver_former_names,
     .option = "solver", .letter = 's', .help = "how crystals respond"},
    {SW_REAL("error", sw_taylor_job, error, 1e-4, 0.5), .standard = 0.01, .option = "error",
     .help = "certified error that the solver auto allows"},
    {SW_WORD("error_of", sw_taylor_job, error_of, sw_certified_measure_names), .option = "error-of",
     .help = "of the curve of random textures, or of the whole stress tensor, of sharp textures and after a "
             "change of path, too"},
    {SW_WHOLE("terms", sw_taylor_job, terms, 1, INT64_MAX), .otherwise = "all", .option = "terms",
     .help = "Fourier coefficients that the solver terms uses, a conjugate pair is two"},
    {SW_WHOLE("refinement", sw_taylor_job, refinement, 1, SW_REFINEMENT_MOST),
     .otherwise = "terms: 128, grid: 1, tabulated: 4", .option = "refinement",
     .help = "times the points of the database's grid, for terms and grid, or 64 points a turn, for "
             "tabulated, whose table "
             "holds 2^23 entries"},
    {SW_WORD("interpolation", sw_taylor_job, nearest, interpolation_names), .option = "interpolation",
     .help = "how grid reads its table"},
    {SW_WORD("iterations", sw_taylor_job, one_iteration, iteration_names), .option = "iterations",
     .help = "of rigid_plastic: until the slip law holds, or one from the fitted start, of cubic crystals "
             "with 12 systems and one resistance"},
    SW_HOMOGENIZATION_KEY(sw_taylor_job, homogenization, homogenization_keys),
    {SW_WORD("storage", sw_taylor_job, packed, sw_taylor_storage_names), .option = "storage",
     .help = "of crystals: 16 bytes each or, of grid and tabulated, 8, where orientations are rounded to "
             "4e-5 rad "
             "and slip resistances to 1e-4, up or down by chance"},
    SW_DEVICE_KEY(sw_taylor_job, run),
    SW_THREADS_KEY(sw_taylor_job, run),
    {SW_SECTION("crystals", crystals_keys)},
    {SW_REAL("initial_slip_resistance", sw_taylor_job, initial_slip_resistance, SW_SLIP_RESISTANCE_LEAST,
             SW_SLIP_RESISTANCE_MOST),
     .unit = "Pa", .otherwise = "the material's", .keys = ageing_keys,
     .help = "s of every crystal; a mapping takes it from precipitates, and shifts the hardening with it"},
    {SW_REAL("temperature", sw_taylor_job, temperature, SW_TEMPERATURE_LEAST, SW_TEMPERATURE_MOST),
     .unit = "K", .option = "temperature", .standard = NAN, .otherwise = "the material's",
     .help =
         "of all crystals, for hardening laws that need it, and where a loading with temperatures begins"},
    {SW_ENTRIES("phases", sw_taylor_job, phases, phase_keys), .shortest = 2, .longest = SW_TAYLOR_PHASES,
     .help = "several materials with crystals of their own in one polycrystal, instead of material and "
             "crystals"},
    {SW_REAL("strain_increment", sw_taylor_job, strain_increment, 0, SW_STEP_STRAIN_ASKED),
     .open = SW_OPEN_BELOW, .standard = 0.02, .help = "||D|| dt of a step; at least 1e-4 but for iterative"},
    SW_LOADING_KEY(sw_taylor_job, loading),
    {SW_WHOLE("cycles", sw_taylor_job, cycles, 1, 1e6), .standard = 1,
     .help = "times that the whole loading is gone through"},
    {SW_SECTION("output", output_keys), .needed = 1},
    SW_RESUME_KEY(sw_taylor_job, run),
    SW_QUIET_KEY(sw_taylor_job, run),
    SW_KEYS_END};

/* ---- Checks ---- */

static sw_status check_solver(const sw_taylor_job *job)
{
    const int automatic = job->solver == SW_SOLVERS;
    const int runs_on_material = !automatic && !sw_solver_at(job->solver)->needs_database;
    const int has_database = job->database != NULL || job->given->database != NULL;
    const int has_material = job->material != NULL || job->given->material != NULL || job->phases_count > 0;
    if (job->phases_count > 0 && !runs_on_material)
        return sw_job_error(job->source, "solver", " = %s: phases need one without a database",
                            automatic ? "auto" : sw_solver_names[job->solver]);
    if (automatic && job->given->database != NULL)
        return sw_job_error(job->source, "solver",
                            " = auto: reads certified errors from the database's file: need "
                            "`database` in the job instead of one that is open");
    if (has_database || (runs_on_material && has_material))
        return SW_OK;
    return sw_job_error(job->source, "database", " is missing: the solver '%s' needs a database%s",
                        sw_solver_names[job->solver], runs_on_material ? " or a material" : "");
}

/* Nobody who asks for an error may get another solver's. That of the file goes when --solver does. */
static sw_status check_error_has_effect(const sw_taylor_job *job)
{
    static const char *const keys[] = {"error", "error_of"};
    const sw_job *source = job->source;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && job->solver < SW_SOLVERS; i++) {
        char value[32];
        if (!sw_job_given(source, keys[i]) ||
            (sw_job_option_of(source, "solver") != NULL && sw_job_option_of(source, keys[i]) == NULL))
            continue;
        snprintf(value, sizeof value, "%g", job->error);
        return sw_job_error(source, keys[i], " = %s: has no effect on the solver '%s', only on 'auto'",
                            i == 0 ? value : sw_certified_measure_names[job->error_of],
                            sw_solver_names[job->solver]);
    }
    return SW_OK;
}

static int takes_terms(const sw_solver_traits *solver) { return solver->has_terms; }
static int takes_refinement(const sw_solver_traits *solver) { return solver->standard_refinement > 0; }
static int takes_interpolation(const sw_solver_traits *solver) { return solver->has_interpolation; }
static int takes_iterations(const sw_solver_traits *solver) { return solver->has_iterations; }

/* An option without effect. Keys of the file may be for another solver. */
static sw_status check_options_have_effect(const sw_taylor_job *job)
{
    static const struct {
        const char *key;
        int (*takes)(const sw_solver_traits *solver);
    } settings[] = {{"terms", takes_terms},
                    {"refinement", takes_refinement},
                    {"interpolation", takes_interpolation},
                    {"iterations", takes_iterations}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *takers[SW_SOLVERS] = {NULL};
        char list[128];
        if (sw_job_option_of(job->source, settings[i].key) == NULL ||
            (job->solver < SW_SOLVERS && settings[i].takes(sw_solver_at(job->solver))))
            continue;
        for (int k = 0; k < SW_SOLVERS; k++)
            takers[k] = settings[i].takes(sw_solver_at(k)) ? sw_solver_at(k)->name : NULL;
        sw_list_words(SW_SOLVERS, takers, list, sizeof list);
        return sw_job_error(job->source, settings[i].key, ": has no effect on the solver '%s', only on %s",
                            sw_solver_names[job->solver], list);
    }
    return SW_OK;
}

/* Crystals are kept in single precision, but for `iterative`: a shorter step would turn them by a few of
 * their last digits, and what is lost adds up. */
static sw_status check_increment(const sw_taylor_job *job)
{
    const int in_double = job->solver < SW_SOLVERS && sw_solver_at(job->solver)->is_reference;
    return job->strain_increment >= 1e-4 || in_double
               ? SW_OK
               : sw_job_error(job->source, "strain_increment",
                              " = %g: need at least 1e-4 for the solver '%s'", job->strain_increment,
                              sw_solver_names[job->solver]);
}

/* The same where an entry says its number of steps. A few that are short, as of unloading, lose nothing. */
static sw_status check_own_steps(const sw_taylor_job *job, unsigned entry)
{
    const sw_loading *g = &job->loading[entry];
    const int in_double = job->solver < SW_SOLVERS && sw_solver_at(job->solver)->is_reference;
    char key[SW_KEY_SIZE];
    const double strain = sw_loading_step_strain(g, job->strain_increment);
    if (g->steps <= 100 || in_double || sw_loading_is_hold(g) || strain >= 1e-5)
        return SW_OK;
    return sw_job_error(job->source, sw_key_path(key, "loading[%u].steps", entry),
                        " = %lld: a step is a strain of %.3g: need at least 1e-5 for the solver '%s'",
                        (long long)g->steps, strain, sw_solver_names[job->solver]);
}

sw_status sw_taylor_check_holds(const sw_taylor_job *job, const sw_solver_traits *solver)
{
    for (unsigned i = 0; i < job->loading_count && !solver->has_holds; i++) {
        char key[SW_KEY_SIZE];
        if (sw_loading_is_hold(&job->loading[i]))
            return sw_job_error(
                job->source, sw_key_path(key, "loading[%u].velocity_gradient", i),
                ": is given no rate: a hold, which the solver '%s' does not have: need elastoplastic",
                solver->name);
    }
    return SW_OK;
}

static sw_status check_loading(sw_taylor_job *job)
{
    SW_TRY(sw_loading_check(job->source, "loading", job->loading_count, job->loading, job->strain_increment));
    for (unsigned i = 0; i < job->loading_count; i++)
        SW_TRY(check_own_steps(job, i));
    if (job->solver < SW_SOLVERS)
        SW_TRY(sw_taylor_check_holds(job, sw_solver_at(job->solver)));
    const double steps =
        (double)job->cycles * sw_loading_total_steps(job->loading_count, job->loading, job->strain_increment);
    SW_TRY(
        sw_job_need(job->source, "cycles", (double)job->cycles, steps <= 1e9, "at most 1e9 steps in a job"));
    job->total_steps = (int64_t)steps;
    return SW_OK;
}

/* ---- Steps that are named ---- */

static const char every[] = "every ";

/* A number of at least `least` and nothing after it; -1: none. */
static int64_t number_of(const char *text, int64_t least)
{
    int64_t number;
    return sw_parse_whole(text, &number) == NULL && number >= least ? number : -1;
}

static sw_status check_steps(const sw_taylor_job *job, const char *list_key, unsigned count,
                             const char *const *list)
{
    for (unsigned i = 0; i < count; i++) {
        char key[SW_KEY_SIZE];
        sw_key_path(key, "%s[%u]", list_key, i);
        if (strcmp(list[i], "last") == 0 || strcmp(list[i], "all") == 0 ||
            (strncmp(list[i], every, strlen(every)) == 0 && number_of(list[i] + strlen(every), 1) > 0))
            continue;
        const int64_t step = number_of(list[i], 0);
        if (step < 0)
            return sw_job_error(job->source, key, " = %.80s: need a step >= 0, last, every N or all",
                                list[i]);
        if (step > job->total_steps)
            return sw_job_error(job->source, key,
                                " = %.80s: the loading has %lld steps: need one of them or last", list[i],
                                (long long)job->total_steps);
    }
    return SW_OK;
}

int sw_taylor_names_step(unsigned count, const char *const *list, int64_t step, int is_last)
{
    for (unsigned i = 0; i < count; i++) {
        const int64_t stride =
            strncmp(list[i], every, strlen(every)) == 0 ? number_of(list[i] + strlen(every), 1) : 0;
        if (strcmp(list[i], "all") == 0 || (stride > 0 && step % stride == 0) ||
            step == number_of(list[i], 0) || (strcmp(list[i], "last") == 0 && is_last))
            return 1;
    }
    return 0;
}

void sw_taylor_warn_of_absent_steps(const char *key, unsigned count, const char *const *list, int64_t last)
{
    for (unsigned i = 0; i < count; i++)
        if (number_of(list[i], 0) > last)
            sw_warn("%s: step %s did not come: the last one is %lld", key, list[i], (long long)last);
}

/* ---- Reading ---- */

static sw_status check_phase(const sw_taylor_job *job, int k)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const sw_taylor_phase_asked *phase = &job->phases[k];
    char key[SW_KEY_SIZE];
    sw_key_path(key, "phases[%d].name", k);
    if (phase->name[0] == '\0' || phase->name[strspn(phase->name, letters)] != '\0')
        return sw_job_error(job->source, key, " = %s: need letters, digits, _ and -", phase->name);
    for (int i = 0; i < k; i++)
        if (strcmp(job->phases[i].name, phase->name) == 0)
            return sw_job_error(job->source, key, " = %s stands twice", phase->name);
    return sw_crystals_check(job->source, sw_key_path(key, "phases[%d].crystals.", k), &phase->crystals);
}

/* Phases instead of all that one has. */
static sw_status check_phases(const sw_taylor_job *job)
{
    static const char *const keys[] = {
        "material", "database", "crystals", "initial_slip_resistance", "terms", "output.lattice_strains"};
    const sw_homogenization *homogenization;
    double sum = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sw_job_given(job->source, keys[i]))
            return sw_job_error(job->source, keys[i], " beside phases: need only one of them");
    if (job->given->material != NULL || job->given->database != NULL || job->given->crystal != NULL)
        return sw_job_error(job->source, "phases", " beside what the caller gives: need only one of them");
    SW_TRY(sw_homogenization_find(sw_homogenization_names[job->homogenization.number], &homogenization));
    if (job->homogenization.number > 0 && homogenization->together == NULL)
        return sw_job_error(job->source, "homogenization",
                            " = %s beside phases: need taylor or self_consistent", homogenization->name);
    for (int k = 0; k < job->phases_count; k++) {
        SW_TRY(check_phase(job, k));
        sum += job->phases[k].fraction;
    }
    return fabs(sum - 1) <= 1e-6
               ? SW_OK
               : sw_job_error(job->source, "phases", " have fractions of %.9g together: need 1", sum);
}

static sw_status check_crystals(const sw_taylor_job *job)
{
    if (job->phases_count > 0)
        return check_phases(job);
    static const char *const keys[] = {"crystals", "initial_slip_resistance"};
    if (job->given->crystal == NULL)
        return sw_crystals_check(job->source, "crystals.", &job->crystals);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sw_job_given(job->source, keys[i]))
            return sw_job_error(job->source, keys[i],
                                " beside crystals that the caller gives: need only one");
    return SW_OK;
}

static sw_status check(sw_taylor_job *job)
{
    SW_TRY(check_solver(job));
    SW_TRY(check_crystals(job));
    SW_TRY(check_increment(job));
    SW_TRY(check_error_has_effect(job));
    SW_TRY(check_options_have_effect(job));
    SW_TRY(check_loading(job));
    SW_TRY(check_steps(job, "output.orientations", job->output.orientations_count, job->output.orientations));
    return check_steps(job, "output.textures", job->output.textures_count, job->output.textures);
}

/* Of the arguments' file, or of a text that stands for it. */
static sw_status open_job(const sw_arguments *arguments, const char *text, const sw_taylor_inputs *given,
                          sw_taylor_job **job)
{
    sw_job *source;
    void *values;
    *job = NULL;
    SW_TRY(text != NULL ? sw_job_parse_with(sw_taylor_keys, sizeof **job, arguments, text, &source, &values)
                        : sw_job_read(sw_taylor_keys, sizeof **job, arguments, 1, &source, &values));
    sw_taylor_job *read = values;
    read->source = source;
    read->given = given;
    const sw_status status = check(read);
    if (status == SW_OK)
        *job = read;
    else
        sw_taylor_job_close(read);
    return status;
}

sw_status sw_taylor_job_open(const char *path, int n_options, const char *const (*option)[2],
                             sw_taylor_job **job)
{
    static const sw_taylor_inputs nothing;
    return open_job(&(sw_arguments){path, n_options, option}, NULL, &nothing, job);
}

sw_status sw_taylor_job_open_in_memory(const char *path, const char *text, int n_options,
                                       const char *const (*option)[2], const sw_taylor_inputs *given,
                                       sw_taylor_job **job)
{
    enum { MOST = 128 };
    const char *all[MOST + 1][2] = {
        {"output", "in memory"}}; /* which a job must name; nothing is written there */
    if (n_options > MOST)
        return sw_error(SW_ERR_RANGE, "%d options: need at most %d", n_options, MOST);
    for (int i = 0; i < n_options; i++)
        memcpy(all[i + 1], option[i], sizeof all[i + 1]);
    return open_job(&(sw_arguments){path, n_options + 1, (const char *const(*)[2])all}, text, given, job);
}

void sw_taylor_job_close(sw_taylor_job *job)
{
    if (job != NULL)
        sw_job_close(job->source);
}
