#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- /run ---- */

static const char *place_of_crystals(const sw_population *p)
{
    return sw_crystals_place(p->device,
                             p->packed.word != NULL ? (const sw_crystal *)p->packed.word : p->crystal);
}

static sw_status write_texts(const sw_taylor *r, hid_t group)
{
    const sw_taylor_job *job = r->job;
    const sw_solver_traits *solver = r->choice.solver;
    const sw_population *p = &r->population;
    const struct {
        const char *name, *text;
    } texts[] = {
        {"job", sw_job_text(job->source)},
        {"program", "slipwave " SW_VERSION},
        {"solver", solver->name},
        {"interpolation", !solver->has_interpolation  ? ""
                          : r->choice.options.nearest ? "nearest"
                                                      : "linear"},
        {"auto", r->choice.why},
        {"device", r->choice.device},
        {"crystals_place", place_of_crystals(p)},
        {"storage", sw_taylor_storage_names[job->packed]},
        {"material", r->material.name},
        {"crystal_structure",
         r->phases > 0 ? "" : sw_material_lattice(&r->material)->name}, /* each its own */
        {"material_file", job->material ? job->material : ""},
        {"database", r->database ? job->database : ""},
        {"crystal_file", job->crystals.file ? job->crystals.file : ""},
        {"crystal_phase", p->phase},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        SW_TRY(sw_h5_write_text(group, texts[i].name, texts[i].text));
    return SW_OK;
}

/* Asked for: 0 where the solver takes none. */
static double terms_of(const sw_taylor *r)
{
    const int64_t asked = r->choice.options.terms;
    return !r->choice.solver->has_terms ? 0 : (double)(asked > 0 ? asked : sw_database_terms(r->database));
}

static double refinement_of(const sw_taylor *r)
{
    const int64_t asked = r->choice.options.refinement, standard = r->choice.solver->standard_refinement;
    return standard == 0 ? 0 : (double)(asked > 0 ? asked : standard);
}

static sw_status write_numbers(const sw_taylor *r, hid_t group)
{
    const sw_taylor_job *job = r->job;
    const sw_population *p = &r->population;
    const double crystals = (double)p->total, steps = (double)r->place.step;
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"crystals", crystals},
        {"crystals_skipped", (double)p->skipped},
        {"crystals_of_other_phases", (double)p->others},
        {"steps", steps},
        {"b_over_a", r->phases > 0 ? NAN : r->material.b_over_a},
        {"c_over_a", r->phases > 0 ? NAN : r->material.c_over_a},
        {"terms", terms_of(r)},
        {"refinement", refinement_of(r)},
        {"error", r->choice.why[0] ? job->error : NAN},
        {"certified_error", r->choice.certified_error},
        {"initial_slip_resistance", r->history.slip_resistance[0]},
        {"saturation_resistance", r->phases > 0 ? NAN : sw_hardening_most(&r->material.hardening)},
        {"seed", job->crystals.file == NULL || job->crystals.resample > 0 ? (double)job->crystals.seed : NAN},
        {"crystals_resampled", (double)job->crystals.resample},
        {"resampling_error", job->crystals.resample > 0 ? p->representation.difference : NAN},
        {"setup_time", r->seconds.setup},
        {"wall_time", r->seconds.steps},
        {"output_time", r->seconds.output},
        {"crystal_steps_per_second", crystals * steps / r->seconds.steps},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        SW_TRY(sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value));
    return SW_OK;
}

/* Of each column of lattice strains. */
static sw_status name_reflections(const sw_taylor *r)
{
    static const char *const sets[] = {"history/lattice_strain", "history/lattice_share"};
    char names[SW_REFLECTIONS_MOST * (sizeof r->reflection[0].name + 2)] = "";
    for (int k = 0; k < r->history.reflections; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k > 0 ? "; " : "",
                 r->reflection[k].name);
    for (int i = 0; i < 2 && r->history.reflections > 0; i++)
        SW_TRY(sw_h5_describe(r->output.file, sets[i], "reflections", names));
    return SW_OK;
}

/* ---- Phases ---- */

sw_status sw_taylor_group(hid_t file, const char *name, hid_t *group)
{
    if (!sw_h5_exists(file, name))
        return sw_h5_group(file, name, group);
    *group = H5Gopen2(file, name, H5P_DEFAULT);
    return *group >= 0 ? SW_OK : sw_h5_cannot_write(file, name);
}

/* What is a phase's own; its history has the stress that its crystals answer with. */
static sw_status write_phase(const sw_taylor *r, const sw_taylor *phase)
{
    char name[64];
    hid_t group;
    const double crystals = (double)phase->population.total;
    snprintf(name, sizeof name, "phases/%s", phase->name);
    SW_TRY(sw_taylor_group(r->output.file, name, &group));
    sw_status status = sw_history_write(group, &phase->history);
    const struct {
        const char *name, *text;
    } texts[] = {{"material", phase->material.name},
                 {"crystal_structure", sw_material_lattice(&phase->material)->name},
                 {"material_file", phase->job->material},
                 {"crystal_file", phase->job->crystals.file ? phase->job->crystals.file : ""},
                 {"crystal_phase", phase->population.phase}};
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"fraction", phase->fraction},
                   {"crystals", crystals},
                   {"b_over_a", phase->material.b_over_a},
                   {"c_over_a", phase->material.c_over_a},
                   {"initial_slip_resistance", phase->history.slip_resistance[0]}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == SW_OK; i++)
        status = sw_h5_write_text(group, texts[i].name, texts[i].text);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == SW_OK; i++)
        status = sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value);
    H5Gclose(group);
    return status;
}

/* ---- The file ---- */

sw_status sw_taylor_results_write(sw_taylor *r)
{
    const double version = 1;
    hid_t group;
    SW_TRY(sw_h5_write_text(r->output.file, "format", "slipwave-taylor"));
    SW_TRY(sw_h5_write_numbers(r->output.file, "version", 1, &version));
    SW_TRY(sw_history_write(r->output.file, &r->history));
    SW_TRY(name_reflections(r));
    for (int k = 0; k < r->phases; k++)
        SW_TRY(write_phase(r, r->phase[k]));
    SW_TRY(sw_h5_group(r->output.file, "run", &group));
    sw_status status = write_texts(r, group);
    if (status == SW_OK)
        status = write_numbers(r, group);
    if (status == SW_OK && r->job->ageing.file != NULL)
        status = sw_kwn_write_ageing(group, &r->job->ageing, &r->ageing, &r->material);
    H5Gclose(group);
    SW_TRY(status);
    return sw_h5_commit(&r->output);
}
