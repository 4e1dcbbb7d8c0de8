#include "forming.h"

#include <math.h>
#include <stdlib.h>

/* ---- What tasks begin with ---- */

double sw_forming_step(const sw_forming *forming, double rate)
{
    return forming->job->strain_increment / rate;
}

sw_status sw_forming_begin(const sw_forming *forming, int64_t runs, const sw_material *const *material,
                           sw_runs **made)
{
    const sw_population *p = &forming->population;
    SW_TRY(sw_runs_create(forming->response, runs, p->count, p->crystal, p->weight, material, made));
    for (int64_t run = 0; run < runs && forming->start != NULL; run++)
        SW_TRY(sw_runs_copy(*made, run, forming->start, 0));
    return SW_OK;
}

static sw_status open_crystals(sw_forming *f)
{
    const sw_forming_job *job = f->job;
    const sw_polycrystal_source *from = &job->made_of;
    SW_TRY(sw_polycrystal_read(job->source, "", "crystals", from, 0, &f->made_of));
    const sw_solver_request request = {.job = job->source,
                                       .solver = from->solver,
                                       .device = job->run.device,
                                       .refinement = from->refinement,
                                       .database_path = from->database,
                                       .material_path = from->material,
                                       .database = f->made_of.database,
                                       .material = &f->made_of.material};
    SW_TRY(sw_solver_choose(&request, &f->choice));
    SW_TRY(sw_response_open(&f->choice.options, &f->response));
    return sw_population_create(&job->crystals, f->choice.options.device,
                                f->made_of.material.slip.initial_slip_resistance, &f->population);
}

/* 1 / (2 mu) of a random polycrystal whose crystals are all strained alike (Voigt). */
static double compliance_of(const sw_material *m)
{
    return 0.5 / ((m->elasticity.c11 - m->elasticity.c12 + 3 * m->elasticity.c44) / 5);
}

/* ---- Prestrain ---- */

static sw_status step_once(sw_runs *runs, double dt, const sw_condition *condition, const sw_job *source,
                           const char *key)
{
    SW_TRY(sw_runs_step(runs, dt, condition));
    return !sw_runs_state(runs, 0)->failed
               ? SW_OK
               : sw_job_error(
                     source, key,
                     ": stresses are not met (to %.2g of the largest one), or crystals have no answer",
                     sw_runs_state(runs, 0)->miss);
}

/* To no stress at all, in a step: elastic but for what crystals do to each other. */
static sw_status unload(sw_forming *f)
{
    const sw_condition condition = sw_condition_unloaded();
    return step_once(f->start, sw_forming_step(f, f->job->strain_rate), &condition, f->job->source,
                     "prestrain");
}

static sw_status prestrain(sw_forming *f)
{
    const sw_forming_job *job = f->job;
    sw_loading_walk walk = sw_loading_begin(job->prestrain_count, job->prestrain, 1, job->strain_increment);
    unsigned entry;
    double dt, strain;
    sw_runs *start;
    SW_TRY(sw_forming_begin(f, 1, NULL, &start));
    f->start = start;
    while (sw_loading_next(&walk, &entry, &dt, &strain)) {
        char key[SW_KEY_SIZE];
        const sw_condition condition = sw_condition_of_loading(&job->prestrain[entry]);
        SW_TRY(step_once(start, dt, &condition, job->source, sw_key_path(key, "prestrain[%u]", entry)));
        sw_loading_pass(&walk);
    }
    return f->choice.solver->has_history ? unload(f) : SW_OK;
}

/* ---- Results ---- */

static sw_status write_run(const sw_forming *f)
{
    const sw_forming_job *job = f->job;
    const double version = 1, numbers[2] = {(double)f->population.total, job->strain_increment};
    hid_t group;
    SW_TRY(sw_h5_write_text(f->output.file, "format", "slipwave-forming"));
    SW_TRY(sw_h5_write_numbers(f->output.file, "version", 1, &version));
    SW_TRY(sw_h5_group(f->output.file, "run", &group));
    sw_status status = sw_h5_write_text(group, "job", sw_job_text(job->source));
    if (status == SW_OK)
        status = sw_h5_write_text(group, "program", "slipwave " SW_VERSION);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "solver", f->choice.solver->name);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "device", f->choice.device);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "material", f->made_of.material.name);
    if (status == SW_OK)
        status = sw_h5_write_numbers(group, "crystals", 1, &numbers[0]);
    if (status == SW_OK)
        status = sw_h5_write_numbers(group, "strain_increment", 1, &numbers[1]);
    H5Gclose(group);
    return status;
}

/* ---- Tasks ---- */

static sw_status run_task(sw_forming *f, const sw_forming_task *task)
{
    hid_t group;
    SW_TRY(sw_h5_group(f->output.file, task->name, &group));
    f->evaluations = 0;
    sw_progress_begin(&f->progress, task->name, "crystal-steps", 0, f->job->run.quiet);
    const sw_status status = task->run(f, group);
    H5Gclose(group);
    SW_TRY(status);
    f->progress.total = f->evaluations; /* known now */
    sw_progress_end(&f->progress);
    return SW_OK;
}

static sw_status for_all(sw_forming *f, sw_status (*act)(sw_forming *f, const sw_forming_task *task))
{
    for (const sw_forming_task *const *task = sw_forming_tasks; *task != NULL; task++)
        if (sw_forming_has(f->job, *task))
            SW_TRY(act(f, *task));
    return SW_OK;
}

static sw_status export_task(sw_forming *f, const sw_forming_task *task)
{
    return task->export != NULL ? task->export(f) : SW_OK;
}

static sw_status run_all(sw_forming *f)
{
    SW_TRY(sw_h5_claim(f->job->output.file, &f->claim));
    SW_TRY(open_crystals(f));
    f->compliance = f->choice.solver->has_history ? compliance_of(&f->made_of.material) : 0;
    SW_TRY(sw_h5_begin(f->job->output.file, &f->output));
    if (f->job->prestrain_count > 0)
        SW_TRY(prestrain(f));
    SW_TRY(for_all(f, run_task));
    SW_TRY(write_run(f));
    SW_TRY(for_all(f, export_task));
    return sw_h5_commit(&f->output);
}

static void say(const sw_forming *f, FILE *out)
{
    fprintf(out, "%s: %lld crystals, %s, %s\n", f->job->output.file, (long long)f->population.total,
            f->choice.solver->name, f->choice.device);
    for (const sw_forming_task *const *task = sw_forming_tasks; *task != NULL; task++)
        if (sw_forming_has(f->job, *task) && (*task)->print != NULL)
            (*task)->print(f, out);
}

static void release(sw_forming *f)
{
    sw_h5_abandon(&f->output);
    sw_runs_free(f->start);
    sw_population_free(&f->population);
    sw_response_close(f->response);
    sw_polycrystal_free(&f->made_of);
    free(f->sheet.tension);
    free(f->sheet.point);
    sw_claim_release(&f->claim);
}

sw_status sw_forming_run(const sw_forming_job *job, FILE *out)
{
    sw_forming f = {.job = job};
    sw_use_threads(&job->run);
    const sw_status status = run_all(&f);
    if (status == SW_OK)
        say(&f, out);
    release(&f);
    return status;
}
