#include "sweep_job.h"

#include "common/crystal/limits.h"
#include "online/response/solvers.h"

const char *const sw_sweep_kind_name[] = {[SW_VARY_TERMS] = "terms",
                                          [SW_VARY_REFINEMENT] = "refinement",
                                          [SW_VARY_GRID] = "grid",
                                          [SW_VARY_COST] = "cost"};

/* ---- Keys ---- */

static const sw_key grid_keys[] = {{SW_WHOLE("terms", sw_sweep_job, vary.grid.terms, 1, INT64_MAX),
                                    .needed = 1, .help = "of each database: their grids vary"},
                                   SW_KEYS_END};
static const sw_key cost_keys[] = {{SW_WHOLES("terms", sw_sweep_job, vary.cost.terms, 1, INT64_MAX),
                                    .shortest = 1, .needed = 1,
                                    .help = "these, and every other solver with the settings that `slipwave "
                                            "certify` measures, from each database: error "
                                            "against time"},
                                   SW_KEYS_END};
static const sw_key vary_keys[] = {
    {SW_WHOLES("terms", sw_sweep_job, vary.terms, 1, INT64_MAX), .shortest = 1,
     .help = "of the series; with one database; and the other solvers, if the reference is not a series"},
    {SW_WHOLES("refinement", sw_sweep_job, vary.refinement, 1, SW_REFINEMENT_MOST), .shortest = 1,
     .help = "of the series; with one database"},
    {SW_SECTION("grid", grid_keys)},
    {SW_SECTION("cost", cost_keys)},
    SW_KEYS_END};
static const sw_key reference_keys[] = {
    {SW_WORD_OF("solver", sw_sweep_job, reference.solver, sw_solver_names, SW_SOLVERS), .needed = 1,
     .former = sw_solver_former_names, .help = "whose errors count as none"},
    {SW_PATH("database", sw_sweep_job, reference.database), .otherwise = "the last of databases"},
    {SW_WHOLE("terms", sw_sweep_job, reference.terms, 1, INT64_MAX), .otherwise = "all",
     .help = "of the solver terms"},
    {SW_WHOLE("refinement", sw_sweep_job, reference.refinement, 1, SW_REFINEMENT_MOST), .otherwise = "128",
     .help = "of the solver terms; others take their own"},
    {SW_WHOLE("substeps", sw_sweep_job, reference.substeps, 1, 10000), .standard = 1,
     .help = "of the reference to a strain increment"},
    SW_KEYS_END};
static const sw_key crystals_keys[] = {{SW_WHOLE("count", sw_sweep_job, crystals.count, 1, 1099511627776.),
                                        .needed = 1, .option = "count", .help = "random crystals"},
                                       {SW_WHOLE("seed", sw_sweep_job, crystals.seed, 0, INT64_MAX),
                                        .standard = 1, .help = "random seed of the crystals"},
                                       SW_KEYS_END};
static const sw_key output_keys[] = {{SW_OUTPUT("file", sw_sweep_job, output.file), .needed = 1,
                                      .bound = "a file for the results", .option = "output", .letter = 'o',
                                      .help = "results file"},
                                     SW_KEYS_END};

const sw_key sw_sweep_keys[] = {
    {SW_PATHS("databases", sw_sweep_job, databases), .shortest = 1, .longest = SW_SWEEP_DATABASES,
     .needed = 1, .option = "database",
     .help = "spectral databases, the finest last; repeated, the option replaces the file's list"},
    {SW_SECTION("vary", vary_keys)},
    {SW_WHOLE("terms", sw_sweep_job, terms, 1, INT64_MAX), .otherwise = "all",
     .help = "while the refinement varies"},
    {SW_WHOLE("refinement", sw_sweep_job, refinement, 1, SW_REFINEMENT_MOST), .standard = 128,
     .help = "while something else varies"},
    {SW_SECTION("reference", reference_keys), .needed = 1},
    {SW_SECTION("crystals", crystals_keys), .needed = 1},
    {SW_REAL("strain_increment", sw_sweep_job, strain_increment, 0, SW_STEP_STRAIN_ASKED),
     .open = SW_OPEN_BELOW, .standard = 0.02, .help = "||D|| dt of a step"},
    SW_LOADING_KEY(sw_sweep_job, loading),
    {SW_SECTION("output", output_keys), .needed = 1},
    SW_DEVICE_KEY(sw_sweep_job, run),
    SW_THREADS_KEY(sw_sweep_job, run),
    SW_QUIET_KEY(sw_sweep_job, run),
    SW_KEYS_END};

/* ---- Checks ---- */

static sw_status check_vary(sw_sweep_job *job)
{
    const sw_job *source = job->source;
    int kind;
    SW_TRY(sw_job_one_of(source, "vary.", "terms refinement grid cost", 1, &kind));
    const char *name = sw_sweep_kind_name[job->kind = (sw_sweep_kind)kind];
    if (job->databases_count != 1 && (job->kind == SW_VARY_TERMS || job->kind == SW_VARY_REFINEMENT))
        return sw_job_error(source, "databases", " has %u entries: need 1 for vary.%s", job->databases_count,
                            name);
    if (job->kind != SW_VARY_REFINEMENT && sw_job_given(source, "terms"))
        return sw_job_error(source, "terms", " beside vary.%s: need it under vary", name);
    if (job->kind == SW_VARY_REFINEMENT && sw_job_given(source, "refinement"))
        return sw_job_error(source, "refinement", " beside vary.refinement: need only one of them");
    return SW_OK;
}

/* Terms and refinement are for `terms` alone; other solvers take their own (0). */
static sw_status check_reference(sw_sweep_job *job)
{
    static const char *const with_terms[] = {"reference.terms", "reference.refinement"};
    const sw_solver_traits *solver = sw_solver_at(job->reference.solver);
    for (int i = 0; i < 2; i++)
        if (!solver->has_terms && sw_job_given(job->source, with_terms[i]))
            return sw_job_error(job->source, with_terms[i], " beside reference.solver = %s: it is for terms",
                                solver->name);
    if (solver->has_terms && !sw_job_given(job->source, "reference.refinement"))
        job->reference.refinement = solver->standard_refinement;
    return SW_OK;
}

/* All variants of a sweep take the same steps, and not all of them hold or take stresses. */
static sw_status check_entry(const sw_sweep_job *job, unsigned entry)
{
    const sw_loading *loading = &job->loading[entry];
    char key[SW_KEY_SIZE];
    sw_key_path(key, "loading[%u].velocity_gradient", entry);
    if (sw_loading_is_mixed(loading))
        return sw_job_error(job->source, key,
                            " has free components: `slipwave taylor` takes them, sweeps do not");
    if (sw_loading_is_hold(loading))
        return sw_job_error(job->source, key, " = 0: `slipwave taylor` takes holds, sweeps do not");
    if (loading->until == SW_UNTIL_STRESS)
        return sw_job_error(job->source, sw_key_path(key, "loading[%u].until", entry),
                            " = stress: `slipwave taylor` takes it, sweeps do not");
    return SW_OK;
}

static sw_status check(void *values)
{
    sw_sweep_job *job = values;
    SW_TRY(check_vary(job));
    SW_TRY(check_reference(job));
    for (unsigned i = 0; i < job->loading_count; i++)
        SW_TRY(check_entry(job, i));
    SW_TRY(sw_loading_check(job->source, "loading", job->loading_count, job->loading, job->strain_increment));
    return sw_loading_check_is_cold(job->source, "loading", job->loading_count, job->loading);
}

sw_status sw_sweep_job_read(const sw_arguments *arguments, sw_sweep_job **job)
{
    static const sw_job_kind kind = {sw_sweep_keys, sizeof **job, offsetof(sw_sweep_job, source), check,
                                     NULL};
    sw_status status;
    *job = sw_job_open(&kind, arguments, &status);
    return status;
}

void sw_sweep_job_free(sw_sweep_job *job)
{
    if (job != NULL)
        sw_job_close(job->source);
}
