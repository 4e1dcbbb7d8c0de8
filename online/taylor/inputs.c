#include "inputs.h"

#include <math.h>
#include <stdlib.h>

#include "common/crystal/material_file.h"
#include "common/system/memory.h"
#include "common/system/parallel.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/step/check.h"
#include "online/response/step/crystals.h"
#include "online/response/step/solver.h"
#include "online/response/step/twins.h"

/* ---- Database and material ---- */

/* In complaints: paths, or what stands for them. */
static const char *database_name(const sw_taylor *r)
{
    return r->job->given->database != NULL ? "the given database" : r->job->database;
}

static const char *material_name(const sw_taylor *r)
{
    return r->job->given->material != NULL ? r->material.name : r->job->material;
}

/* The hardening law may be another than the database's; what shaped its responses may not. */
static sw_status check_material(const sw_taylor *r)
{
    sw_key_difference d;
    if (sw_database_suits(r->database, &r->material, &d))
        return SW_OK;
    return sw_job_error(r->job->source, "material", " = %s: its %s = %s: need %s, for which %s was made",
                        material_name(r), d.key, d.a, d.b, database_name(r));
}

static sw_status age_material(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    char text[400];
    if (job->ageing.file == NULL)
        return SW_OK;
    SW_TRY(
        sw_kwn_age_material(job->source, "initial_slip_resistance", &job->ageing, &r->material, &r->ageing));
    sw_kwn_describe_ageing(&job->ageing, &r->ageing, &r->material, text, sizeof text);
    if (sw_parallel_rank() == 0)
        sw_note("aged: %s", text);
    return SW_OK;
}

static sw_status read_database(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const int needs_database = job->solver == SW_SOLVERS || sw_solver_at(job->solver)->needs_database;
    const int has_material = job->material != NULL || job->given->material != NULL;
    r->database = job->given->database;
    /* a solver without a database, given a material, wants none even if the job names one */
    if (r->database == NULL && job->database != NULL && (!has_material || needs_database)) {
        SW_TRY(sw_database_read(job->database, 0, &r->own_database));
        r->database = r->own_database;
    }
    if (r->database != NULL && job->terms > sw_database_terms(r->database))
        return sw_job_error(job->source, "terms", " = %lld: need at most the %lld that %s stores",
                            (long long)job->terms, (long long)sw_database_terms(r->database),
                            database_name(r));
    return SW_OK;
}

/* Who says a temperature means it to count. */
static sw_status set_temperature(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    if (isnan(job->temperature) || (!sw_material_has_structure(&r->material) && sw_taylor_is_heated(job)))
        return SW_OK;
    if (!sw_material_has_structure(&r->material) && r->name != NULL)
        return SW_OK; /* a phase among others */
    if (!sw_material_has_structure(&r->material))
        return sw_job_error(job->source, "temperature", " = %g: has no effect on the hardening.law of %s",
                            job->temperature, material_name(r));
    return sw_material_set_temperature(&r->material, job->temperature) == SW_OK
               ? SW_OK
               : sw_job_blame(job->source, "temperature");
}

static sw_status read_material(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    if (job->given->material != NULL)
        r->material = *job->given->material;
    else if (job->material != NULL)
        SW_TRY(sw_material_read(job->material, &r->material));
    else
        r->material = r->database->material;
    SW_TRY(r->database != NULL ? check_material(r) : SW_OK);
    SW_TRY(set_temperature(r));
    return age_material(r);
}

/* ---- Solver and crystals ---- */

/* Of one process, to those that choose by it. Crystals of a file are not counted yet. */
static sw_certified_work work_of(const sw_taylor_job *job)
{
    const double count = (double)(job->crystals.count > 0 ? job->crystals.count : job->crystals.resample);
    sw_certified_work work = {.crystals = count / sw_parallel_size(), .steps = (double)job->total_steps};
    for (unsigned i = 0; i < job->loading_count; i++) {
        const double cycles = (double)job->cycles;
        if (sw_loading_is_mixed(&job->loading[i]))
            work.sought += cycles * sw_loading_steps(&job->loading[i], job->strain_increment);
        else
            work.rates += cycles;
    }
    return work;
}

static sw_status choose_solver(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const sw_solver_request request = {.job = job->source,
                                       .solver = job->solver,
                                       .device = job->run.device,
                                       .error = job->error,
                                       .error_of = (sw_certified_measure)job->error_of,
                                       .work = work_of(job),
                                       .terms = job->terms,
                                       .refinement = job->refinement,
                                       .nearest = job->nearest,
                                       .one_iteration = job->one_iteration,
                                       .packed = job->packed,
                                       .homogenization = &job->homogenization,
                                       .database_path = job->database,
                                       .material_path = material_name(r),
                                       .database = r->database,
                                       .material = &r->material};
    return sw_solver_choose(&request, &r->choice);
}

/* s of the history's first row, Pa. */
static double mean_resistance(const sw_taylor *r)
{
    const sw_taylor_inputs *given = r->job->given;
    double sum = 0, weights = 0;
    for (int64_t n = 0; n < given->crystals; n++) {
        const double w = given->weight != NULL ? given->weight[n] : 1;
        sum += w * given->crystal[n].slip_resistance;
        weights += w;
    }
    return sw_material_has_structure(&r->material) ? (double)(float)r->material.slip.initial_slip_resistance
                                                   : sum / weights;
}

/* Whether a crystal of the caller may have it. That of a structure is what this begins with, at the material's temperature or the
 * job's. */
static int has_resistance(const sw_taylor *r, float s)
{
    const sw_material *m = &r->material, *given = r->job->given->material;
    return !sw_material_has_structure(m)
               ? s < sw_hardening_most(&m->hardening)
               : s == (float)m->slip.initial_slip_resistance ||
                     (given != NULL && s == (float)given->slip.initial_slip_resistance);
}

/* Crystals of the caller: numbers, and of this material. */
static sw_status check_given(const sw_taylor *r)
{
    const sw_taylor_inputs *given = r->job->given;
    SW_TRY(sw_check_crystals(given->crystals, given->crystal, &r->response->doubted));
    for (int64_t n = 0; n < given->crystals; n++) {
        char what[60];
        if (has_resistance(r, given->crystal[n].slip_resistance))
            continue;
        snprintf(what, sizeof what, "crystal %lld: slip resistance", (long long)n);
        SW_TRY(sw_material_check_resistance(NULL, what, &r->material, given->crystal[n].slip_resistance));
    }
    return SW_OK;
}

static sw_status make_crystals(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const sw_device device = r->choice.options.device;
    const int is_given = job->initial_slip_resistance > 0 && job->ageing.file == NULL;
    const double s0 = is_given ? job->initial_slip_resistance : r->material.slip.initial_slip_resistance;
    const int64_t together = r->response->homogenization->pairs ? 2 : 1;
    const sw_material
        *counted = /* families' slips; a table's crystals have one resistance, and all slips in one */
        sw_state_field_find(r->response->layout, "family_slip") != NULL ? &r->material : NULL;
    if (job->given->crystal != NULL) {
        SW_TRY(check_given(r));
        SW_TRY(sw_population_take(device, job->given->crystals, job->given->crystal, job->given->weight,
                                  together, &r->population));
        if (sw_material_has_structure(&r->material)) /* at the job's temperature */
            SW_TRY(sw_crystals_set_resistance(device, r->population.count, r->population.crystal, s0));
        return sw_history_create(mean_resistance(r), counted, &r->history);
    }
    if (is_given) {
        sw_material one = r->material; /* what tables harden by */
        if (r->response->planes)
            sw_material_equal_planes(&one);
        SW_TRY(sw_material_check_resistance(job->source, "initial_slip_resistance", &one, s0));
    }
    SW_TRY(sw_job_locate(job->source,
                         sw_population_create(&job->crystals, device, sw_material_lattice(&r->material),
                                              r->material.b_over_a, r->material.c_over_a, s0, together,
                                              &r->population)));
    return sw_history_create((double)(float)s0, counted, &r->history); /* as crystals have it */
}

/* Crystals that are counted, of this rank, and rows of the history, which grow as steps come: with a goal they may be
 * fewer. */
static sw_status check_memory(const sw_taylor_job *job)
{
    const double row = 8 * 31, crystals = (double)job->crystals.count / sw_parallel_size();
    double rows = (double)job->total_steps;
    for (int i = 0; i < (int)job->loading_count; i++)
        if (sw_loading_seeks(&job->loading[i]))
            rows = 0;
    return sw_memory_check(crystals * sizeof(sw_crystal) + rows * row, "%s: %.4g crystals, %lld steps",
                           sw_job_path(job->source), crystals, (long long)job->total_steps);
}

/* Of the job; without strains, nobody has any, the first row's shares. */
static sw_status follow_reflections(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    for (int k = 0; k < job->output.lattice_strains_count; k++) {
        const sw_reflection_asked *asked = &job->output.lattice_strains[k];
        char key[SW_KEY_SIZE];
        if (sw_reflection_of(r->response, asked->plane_count, asked->plane, asked->along, asked->within,
                             &r->reflection[k]) != SW_OK)
            return sw_job_blame(job->source, sw_key_path(key, "output.lattice_strains[%d]", k));
    }
    return sw_history_follow(&r->history, job->output.lattice_strains_count);
}

/* They go into 8 bytes each, of which the population has a view. */
static sw_status pack_crystals(sw_taylor *r)
{
    if (sw_crystals_pack(r->response, r->population.first, &r->crystals) != SW_OK)
        return sw_job_blame(r->job->source, "storage");
    if (r->population.weight == NULL) { /* else they share memory */
        sw_crystals_free(r->population.device, r->population.crystal);
        r->population.crystal = NULL;
    }
    r->population.packed = r->crystals.packed;
    return SW_OK;
}

/* A run with one material. */
static sw_status read_one(sw_taylor *r)
{
    sw_status status = check_memory(r->job);
    if (status == SW_OK)
        status = read_database(r);
    if (status == SW_OK)
        status = read_material(r);
    SW_TRY(sw_parallel_agree(status));
    SW_TRY(sw_parallel_agree(choose_solver(r)));
    if (r->choice.why[0] != '\0')
        sw_note("auto: %s", r->choice.why);
    /* which finds the GPU that crystals go to */
    status = sw_response_open(&r->choice.options, &r->response);
    SW_TRY(sw_parallel_agree(sw_job_locate(r->job->source, status)));
    if (r->response->homogenization->pairs)
        SW_TRY(sw_parallel_agree(sw_twins_check_no_children("pairs of crystals have", &r->material)));
    status = make_crystals(r);
    if (status == SW_OK && sw_twin_children(&r->material) > 0)
        status = sw_population_add_children(&r->population, sw_twin_children(&r->material));
    if (status == SW_OK)
        status = sw_crystals_of(r->response, r->population.count, r->population.crystal, r->population.weight,
                                &r->crystals);
    if (status == SW_OK)
        status = follow_reflections(r);
    if (status == SW_OK && r->population.moving != NULL)
        status = sw_crystals_keep_weights(&r->crystals, r->population.moving);
    if (status == SW_OK && r->job->packed)
        status = pack_crystals(r);
    return sw_parallel_agree(status);
}

/* ---- Phases ---- */

/* What a phase's run has of a job: the job's, but for its own. Released with the phase. */
static sw_status make_job(const sw_taylor_job *job, const sw_taylor_phase_asked *asked, sw_taylor_job **made)
{
    SW_TRY(SW_ALLOCATE(*made, 1, "a phase"));
    **made = *job;
    (*made)->phases_count = 0;
    (*made)->material = asked->material;
    (*made)->crystals = asked->crystals;
    (*made)->initial_slip_resistance = asked->initial_slip_resistance;
    return SW_OK;
}

static sw_status read_phase(sw_taylor *r, int k)
{
    const sw_taylor_phase_asked *asked = &r->job->phases[k];
    sw_taylor *phase;
    SW_TRY(SW_ALLOCATE(phase, 1, "a phase"));
    r->phase[r->phases++] = phase;
    phase->name = asked->name;
    phase->fraction = asked->fraction;
    SW_TRY(make_job(r->job, asked, &phase->own_job));
    phase->job = phase->own_job;
    SW_TRY(read_one(phase));
    r->population.total += phase->population.total;
    r->population.count += phase->population.count;
    return SW_OK;
}

static sw_status read_phases(sw_taylor *r)
{
    double resistance = 0;
    int knows_temperature = 0;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    SW_TRY(SW_ALLOCATE(r->phase, r->job->phases_count, "phases"));
    for (int k = 0; k < r->job->phases_count; k++) {
        const sw_status status = read_phase(r, k);
        char key[SW_KEY_SIZE];
        if (status != SW_OK && status != SW_ERR_INTERRUPTED && status != SW_ERR_MEMORY)
            return sw_job_blame(r->job->source, sw_key_path(key, "phases[%d]", k));
        SW_TRY(status);
        resistance += r->phase[k]->fraction * r->phase[k]->history.slip_resistance[0];
        knows_temperature |= sw_material_has_structure(&r->phase[k]->material);
    }
    if (!isnan(r->job->temperature) && !knows_temperature && !sw_taylor_is_heated(r->job))
        return sw_job_error(r->job->source, "temperature",
                            " = %g: has no effect on the hardening.law of any phase", r->job->temperature);
    r->choice = r->phase[0]->choice;
    return sw_history_create(resistance, NULL, &r->history);
}

sw_status sw_taylor_read_inputs(sw_taylor *r)
{
    return r->job->phases_count > 0 ? sw_parallel_agree(read_phases(r)) : read_one(r);
}

sw_status sw_taylor_weigh(sw_taylor *r)
{
    return r->population.moving != NULL ? sw_crystals_weigh(&r->crystals, r->population.moving) : SW_OK;
}

void sw_taylor_release(sw_taylor *r)
{
    for (int k = 0; k < r->phases; k++) {
        sw_taylor_release(r->phase[k]);
        free(r->phase[k]->own_job);
        free(r->phase[k]);
    }
    free(r->phase);
    sw_crystals_release(&r->crystals);
    sw_crystals_release(&r->begun);
    sw_population_free(&r->population);
    sw_response_close(r->response);
    sw_database_free(r->own_database);
    sw_history_free(&r->history);
}
