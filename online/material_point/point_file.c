#include "point_file.h"

#include "common/crystal/limits.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"

static const char *const own_names[] = {"alike", "own"};

static const sw_key crystals_keys[] = {SW_CRYSTALS_KEYS(sw_point_file, crystals), SW_KEYS_END};

SW_HOMOGENIZATION_KEYS(homogenization_keys, sw_point_file, homogenization);

const sw_key sw_point_keys[] = {
    {SW_PATH("database", sw_point_file, database), .option = "database",
     .help = "spectral database, which the solver grid needs"},
    {SW_PATH("material", sw_point_file, material), .option = "material", .otherwise = "the database's",
     .help = "material file"},
    {SW_WORD_OF("solver", sw_point_file, solver, sw_solver_names, SW_SOLVERS),
     .standard = SW_SOLVER_elastoplastic, .otherwise = "elastoplastic", .option = "solver", .letter = 's',
     .help = "how crystals respond; all but elastoplastic have no elastic shear"},
    SW_HOMOGENIZATION_KEY(sw_point_file, homogenization, homogenization_keys),
    {SW_SECTION("crystals", crystals_keys), .needed = 1},
    {SW_WORD("points", sw_point_file, own, own_names),
     .help = "whether all points have the same crystals, or each random ones of its own"},
    {SW_REAL("initial_slip_resistance", sw_point_file, initial_slip_resistance, SW_SLIP_RESISTANCE_LEAST,
             SW_SLIP_RESISTANCE_MOST),
     .unit = "Pa", .otherwise = "the material's", .help = "s of every crystal"},
    {SW_REAL("largest_strain_increment", sw_point_file, largest_strain_increment, 0, SW_STEP_STRAIN_MOST),
     .open = SW_OPEN_BELOW, .standard = SW_POINT_STRAIN_STANDARD,
     .help = "||D|| dt of a step above which a smaller one is asked for"},
    SW_KEYS_END};

static sw_status check(const sw_job *job, const sw_point_file *file)
{
    const char *solver = sw_solver_names[file->solver];
    const int needs_database = sw_solver_find(solver)->needs_database;
    char list[160];
    sw_solvers_that_have(SW_SOLVER_TANGENT, list, sizeof list);
    const char *lacks = sw_solver_lacks(sw_solvers[file->solver], SW_SOLVER_TANGENT);
    if (lacks != NULL)
        return sw_job_error(job, "solver", " = %s: %s: need one of %s", solver, lacks, list);
    if (file->database == NULL && (needs_database || file->material == NULL))
        return sw_job_error(job, "database", " is missing: the solver '%s' needs a database%s", solver,
                            needs_database ? "" : " or a material");
    SW_TRY(sw_crystals_check(job, "crystals.", &file->crystals));
    SW_TRY(sw_job_need(job, "crystals.count", (double)file->crystals.count,
                       file->crystals.count <= SW_POINT_CRYSTALS_MOST, "at most 1e5 crystals at a point"));
    if (file->own && file->crystals.file != NULL)
        return sw_job_error(job, "points", " = own: need random crystals, not those of crystals.file");
    if (file->own && file->crystals.components_count > 0)
        return sw_job_error(job, "points", " = own: need random crystals, without crystals.components");
    return SW_OK;
}

static sw_status open_model(const sw_point_file *file, sw_point_model **model)
{
    sw_response_options of = {.solver = sw_solver_names[file->solver]};
    sw_homogenization_set(&file->homogenization, &of);
    const sw_point_options options = {.solver = of.solver,
                                      .homogenization = of.homogenization,
                                      .self_consistent = &of.self_consistent,
                                      .material = file->material,
                                      .database = file->database,
                                      .crystals_file = file->crystals.file,
                                      .phase = file->crystals.filter.phase,
                                      .crystals = file->crystals.count,
                                      .seed = file->crystals.seed,
                                      .own = file->own,
                                      .initial_slip_resistance = file->initial_slip_resistance,
                                      .largest_strain_increment = file->largest_strain_increment};
    return sw_point_model_open_with(&options, &file->crystals, model);
}

sw_status sw_point_file_open(const sw_arguments *arguments, sw_point_model **model)
{
    sw_job *job;
    void *values;
    *model = NULL;
    SW_TRY(sw_job_read(sw_point_keys, sizeof(sw_point_file), arguments, 1, &job, &values));
    sw_status status = check(job, values);
    if (status == SW_OK)
        status = sw_job_locate(job, open_model(values, model));
    sw_job_close(job);
    return status;
}

sw_status sw_point_model_read(const char *path, sw_point_model **model)
{
    const sw_arguments arguments = {.file = path};
    return sw_point_file_open(&arguments, model);
}
