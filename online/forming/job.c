#include "job.h"

#include "tasks.h"
#include "common/crystal/limits.h"
#include "online/response/solvers.h"

/* ---- Keys ---- */

static const sw_key crystals_keys[] = {SW_CRYSTALS_KEYS(sw_forming_job, crystals), SW_KEYS_END};
static const sw_key ageing_keys[] = {SW_KWN_STATE_KEYS(sw_forming_job, made_of.ageing), SW_KEYS_END};
static const sw_key r_values_keys[] = {SW_R_VALUES_KEYS(sw_forming_job, r_values), SW_KEYS_END};
static const sw_key yield_surface_keys[] = {SW_YIELD_SURFACE_KEYS(sw_forming_job, yield_surface),
                                            SW_KEYS_END};
static const sw_key weights_keys[] = {SW_CALIBRATION_WEIGHTS_KEYS(sw_forming_job, functions.weights),
                                      SW_KEYS_END};
static const sw_key functions_keys[] = {SW_FUNCTIONS_KEYS(sw_forming_job, functions, weights_keys),
                                        SW_KEYS_END};
static const sw_key earing_keys[] = {SW_EARING_KEYS(sw_forming_job, earing), SW_KEYS_END};
static const sw_key fit_keys[] = {SW_FIT_KEYS(sw_forming_job, fit), SW_KEYS_END};
static const sw_key limit_angle_keys[] = {SW_LIMIT_ANGLE_KEYS(sw_forming_job, forming_limit), SW_KEYS_END};
static const sw_key forming_limit_keys[] = {SW_LIMIT_KEYS(sw_forming_job, forming_limit, limit_angle_keys),
                                            SW_KEYS_END};
static const sw_key output_keys[] = {{SW_OUTPUT("file", sw_forming_job, output.file), .needed = 1,
                                      .bound = "a file for the results", .option = "output", .letter = 'o',
                                      .help = "results file"},
                                     SW_KEYS_END};

SW_HOMOGENIZATION_KEYS(homogenization_keys, sw_forming_job, made_of.homogenization);

const sw_key sw_forming_keys[] = {
    {SW_PATH("material", sw_forming_job, made_of.material), .option = "material",
     .otherwise = "the database's", .help = "material file"},
    {SW_PATH("database", sw_forming_job, made_of.database), .option = "database",
     .otherwise = "none: a material", .help = "spectral database, for grid"},
    {SW_WORD_OF("solver", sw_forming_job, made_of.solver, sw_solver_names, SW_SOLVERS),
     .standard = SW_SOLVER_elastoplastic, .otherwise = "elastoplastic", .option = "solver", .letter = 's',
     .help = "how crystals respond: elastoplastic, rigid_plastic or grid"},
    {SW_WHOLE("refinement", sw_forming_job, made_of.refinement, 1, SW_REFINEMENT_MOST), .otherwise = "1",
     .option = "refinement", .help = "multiplier of the grid's points, for the solver grid"},
    SW_HOMOGENIZATION_KEY(sw_forming_job, made_of.homogenization, homogenization_keys),
    SW_DEVICE_KEY(sw_forming_job, run),
    SW_THREADS_KEY(sw_forming_job, run),
    {SW_SECTION("crystals", crystals_keys), .needed = 1},
    {SW_REAL("initial_slip_resistance", sw_forming_job, made_of.initial_slip_resistance,
             SW_SLIP_RESISTANCE_LEAST, SW_SLIP_RESISTANCE_MOST),
     .unit = "Pa", .otherwise = "the material's", .keys = ageing_keys,
     .help = "s of every crystal; a mapping takes it from precipitates, and shifts the hardening with it"},
    {SW_REAL("strain_rate", sw_forming_job, strain_rate, 1e-10, 1e6), .unit = "1/s", .standard = 1e-3,
     .help = "of all tasks but fit, along the first axis of what they load"},
    {SW_REAL("strain_increment", sw_forming_job, strain_increment, 1e-4, SW_STEP_STRAIN_ASKED),
     .standard = 0.005, .help = "||D|| dt of a step, at most"},
    {SW_ENTRIES("prestrain", sw_forming_job, prestrain, sw_loading_keys), .otherwise = "none",
     .help = "a loading that comes first, as of taylor; the sheet is unloaded after it"},
    {SW_SECTION("r_values", r_values_keys)},
    {SW_SECTION("yield_surface", yield_surface_keys)},
    {SW_SECTION("functions", functions_keys)},
    {SW_SECTION("earing", earing_keys)},
    {SW_SECTION("fit", fit_keys)},
    {SW_SECTION("forming_limit", forming_limit_keys)},
    {SW_SECTION("output", output_keys), .needed = 1},
    SW_RESUME_KEY(sw_forming_job, run),
    SW_QUIET_KEY(sw_forming_job, run),
    SW_KEYS_END};

/* ---- Checks ---- */

static sw_status check_prestrain(const sw_forming_job *job)
{
    if (job->prestrain_count == 0)
        return SW_OK;
    SW_TRY(sw_loading_check(job->source, "prestrain", job->prestrain_count, job->prestrain,
                            job->strain_increment));
    SW_TRY(sw_loading_check_is_cold(job->source, "prestrain", job->prestrain_count, job->prestrain));
    for (unsigned i = 0; i < job->prestrain_count; i++) {
        char key[SW_KEY_SIZE];
        if (sw_loading_seeks(&job->prestrain[i]) || sw_loading_is_hold(&job->prestrain[i]))
            return sw_job_error(
                job->source, sw_key_path(key, "prestrain[%u]", i),
                ": a hold, or a goal that is not of a given component: need a velocity gradient and a "
                "duration, or a strain of a component that is given");
    }
    return SW_OK;
}

/* Yield functions want all their data at one plastic work. */
static void set_surface_strain(sw_forming_job *job)
{
    const int tensions = sw_job_given(job->source, "r_values");
    if (job->yield_surface.strain == 0)
        job->yield_surface.strain = tensions ? job->r_values.strain : 0.002;
}

static sw_status check(void *values)
{
    sw_forming_job *job = values;
    set_surface_strain(job);
    SW_TRY(sw_crystals_check(job->source, "crystals.", &job->crystals));
    SW_TRY(check_prestrain(job));
    return sw_forming_check_tasks(job);
}

/* ---- Reading ---- */

sw_status sw_forming_job_open(const sw_arguments *arguments, sw_forming_job **job)
{
    static const sw_job_kind kind = {sw_forming_keys, sizeof **job, offsetof(sw_forming_job, source), check,
                                     NULL};
    sw_status status;
    *job = sw_job_open(&kind, arguments, &status);
    return status;
}

void sw_forming_job_close(sw_forming_job *job)
{
    if (job != NULL)
        sw_job_close(job->source);
}
