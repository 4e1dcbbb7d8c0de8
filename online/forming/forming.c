#include "tasks.h"

#include <math.h>
#include <stdlib.h>

/* ---- What tasks begin with ---- */

double sw_forming_step(const sw_forming *forming, double rate)
{
    return forming->job->strain_increment / rate;
}

sw_status sw_forming_begin(const sw_forming *forming, int64_t runs, sw_runs **made)
{
    const sw_population *p = &forming->population;
    SW_TRY(sw_runs_create(forming->response, runs, p->count, p->crystal, p->weight, NULL, made));
    for (int64_t run = 0; run < runs && forming->start != NULL; run++)
        SW_TRY(sw_runs_copy(*made, run, forming->start, 0));
    return SW_OK;
}

static sw_status open_crystals(sw_forming *f)
{
    const sw_forming_job *job = f->job;
    const sw_polycrystal_source *from = &job->made_of;
    SW_TRY(sw_polycrystal_read(job->source, "", "crystals", SW_SOLVER_TANGENT, from, 0, &f->made_of));
    const sw_solver_request request = {.job = job->source,
                                       .solver = from->solver,
                                       .device = job->run.device,
                                       .refinement = from->refinement,
                                       .homogenization = &from->homogenization,
                                       .database_path = from->database,
                                       .material_path = from->material,
                                       .database = f->made_of.database,
                                       .material = &f->made_of.material};
    SW_TRY(sw_solver_choose(&request, &f->choice));
    SW_TRY(sw_job_locate(job->source, sw_response_open(&f->choice.options, &f->response)));
    return sw_job_locate(
        job->source, sw_population_create(
                         &job->crystals, f->choice.options.device, sw_material_lattice(&f->made_of.material),
                         f->made_of.material.b_over_a, f->made_of.material.c_over_a,
                         f->made_of.material.slip.initial_slip_resistance, 1, &f->population));
}

/* Of random crystals q = r / (1 + r) scatters about that of very many by 0.55 / sqrt(N), and by 0.34 of a single one
 * (measured: 1 to 300 aluminium crystals, 12 to 40 seeds each, docs/validation.md). What is said of more is small. */
static void warn_of_few(const sw_forming *f)
{
    static const double OF_MANY = 0.55, OF_ONE = 0.34, SMALL = 0.05, STRESS_OF_MANY = 0.16,
                        STRESS_OF_ONE = 0.13;
    static const char *const sections[] = {"r_values", "yield_surface", "forming_limit"};
    const double crystals = f->population.effective, scatter = fmin(OF_MANY / sqrt(crystals), OF_ONE);
    int of_sheets = 0;
    for (int k = 0; k < 3; k++)
        of_sheets |= sw_job_given(f->job->source, sections[k]);
    if (of_sheets && scatter > SMALL)
        sw_warn("crystals: %.3g of them%s: of so few random ones r/(1+r) is off by some %.2g (standard "
                "deviation), and a yield stress by some %.0f %%; need %.0f for %g",
                crystals, f->population.weight != NULL ? " by their weights" : "", scatter,
                100 * fmin(STRESS_OF_MANY / sqrt(crystals), STRESS_OF_ONE), pow(OF_MANY / SMALL, 2), SMALL);
}

/* 1 / (2 mu) of a random polycrystal whose crystals are all strained alike (Voigt). */
static double compliance_of(const sw_material *m) { return 0.5 / sw_material_stiffness(m).voigt; }

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
    SW_TRY(sw_forming_begin(f, 1, &start));
    f->start = start;
    while (sw_loading_next(&walk, &entry, &dt, &strain)) {
        char key[SW_KEY_SIZE];
        const sw_condition condition = sw_condition_of_loading(&job->prestrain[entry], 0, 0);
        SW_TRY(step_once(start, dt, &condition, job->source, sw_key_path(key, "prestrain[%u]", entry)));
        sw_loading_pass(&walk);
    }
    return f->choice.solver->has_history ? unload(f) : SW_OK;
}

/* ---- All ---- */

sw_status sw_forming_open(const sw_forming_job *job, sw_forming *f)
{
    f->job = job;
    SW_TRY(sw_h5_claim(job->output.file, &f->claim));
    SW_TRY(open_crystals(f));
    warn_of_few(f);
    f->compliance = f->choice.solver->has_history ? compliance_of(&f->made_of.material) : 0;
    SW_TRY(sw_h5_begin(job->output.file, &f->output));
    return job->prestrain_count > 0 ? prestrain(f) : SW_OK;
}

void sw_forming_close(sw_forming *f)
{
    sw_h5_abandon(&f->output);
    sw_runs_free(f->start);
    sw_population_free(&f->population);
    sw_response_close(f->response);
    sw_polycrystal_free(&f->made_of);
    free(f->sheet.tension);
    free(f->sheet.point);
    free(f->sheet.curve.row);
    free(f->kept.path);
    sw_claim_release(&f->claim);
}
