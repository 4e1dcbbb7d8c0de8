#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/math/random.h"
#include "forming.h"

/* Of x, in the middle of its bounds of ln(value): differences for derivatives. Stresses of runs are good to some 1e-5, of
 * which a thousandth is left in a derivative. */
static const double DIFFERENCE = 0.01;
enum { MOST_TRIALS = 200 };

/* Where no deviation is given: what it is taken for until the misfit tells. */
static const double R_DEVIATION = 0.05;

typedef struct {
    sw_forming *forming;
    const sw_fit *fit;
    sw_fit_found *found;
    const char *name[SW_FIT_PARAMETERS_MAX]; /* of parameters, for messages */
} fitting;

/* ---- Checks ---- */

static sw_status check(const sw_forming_job *job)
{
    const sw_fit *fit = &job->fit;
    if (job->prestrain_count > 0)
        return sw_job_error(job->source, "prestrain",
                            ": fit begins with crystals as they are given: need a job without it");
    for (unsigned k = 0; k < fit->curves_count; k++)
        SW_TRY(sw_fit_curve_check(job->source, "fit.curves", k, &fit->curves[k], job->strain_increment));
    return SW_OK;
}

static sw_status find_parameters(fitting *f)
{
    const sw_job *job = f->forming->job->source;
    f->found->parameters = (int)f->fit->parameters_count;
    for (int j = 0; j < f->found->parameters; j++) {
        char key[SW_KEY_SIZE];
        const sw_fit_sought *sought = &f->fit->parameters[j];
        SW_TRY(sw_fit_parameter_of(job, "fit.parameters", j, sought, &f->found->material,
                                   &f->found->parameter[j]));
        for (int i = 0; i < j; i++)
            if (f->found->parameter[i].to == f->found->parameter[j].to)
                return sw_job_error(job, sw_key_path(key, "fit.parameters[%d].key", j),
                                    " = %s: is there already: need each once", sought->key);
    }
    return SW_OK;
}

static sw_status read_tests(fitting *f)
{
    sw_fit_found *found = f->found;
    const sw_forming_job *job = f->forming->job;
    found->deviations_known = 1;
    for (unsigned k = 0; k < f->fit->curves_count; k++) {
        SW_TRY(sw_fit_test_open(job->source, "fit.curves", k, &f->fit->curves[k], job->strain_increment,
                                f->forming->choice.solver->has_history, &found->test[k]));
        found->residuals += found->test[k].data.n;
        found->deviations_known &= f->fit->curves[k].deviation > 0;
    }
    found->residuals += (int)f->fit->r_values_count;
    for (unsigned k = 0; k < f->fit->r_values_count; k++)
        found->deviations_known &= f->fit->r_values[k].deviation > 0;
    sw_fit_note_left_out(f->fit, found);
    return found->residuals >= found->parameters
               ? SW_OK
               : sw_job_error(job->source, "fit.curves",
                              ": %d numbers were measured: need as many as the %d parameters, or more",
                              found->residuals, found->parameters);
}

/* ---- Models: materials side by side through all tests ---- */

/* s0 where it follows from families, whose numbers are sought. */
static void settle_resistance(const sw_fit_found *found, sw_material *material)
{
    if (sw_material_has_structure(material))
        (void)sw_material_set_temperature(material, material->temperature);
    else if (found->resists_by_families)
        (void)sw_material_mean_resistance(material, &material->slip.initial_slip_resistance);
}

/* The material of free numbers x [P]. Returns whether it is one: laws ask of one number what another is. */
static int material_at(const sw_fit_found *found, const double *x, sw_material *material)
{
    char text[SW_MATERIAL_TEXT];
    sw_material again;
    *material = found->material;
    for (int j = 0; j < found->parameters; j++)
        sw_fit_set_value(&found->parameter[j], sw_fit_value_at(&found->parameter[j], x[j]), material);
    settle_resistance(found, material);
    return sw_material_write_text(material, sizeof text, text) == SW_OK &&
           sw_material_parse(material->name, text, &again) == SW_OK;
}

static int seeks_resistance(const sw_fit_found *found)
{
    for (int j = 0; j < found->parameters; j++)
        if (found->parameter[j].to == offsetof(sw_material, slip.initial_slip_resistance))
            return 1;
    return found->resists_by_families;
}

/* ---- Sets of numbers through a test ----
 *
 * Side by side as runs of one response, but where families have their resistances: their law is the response's own. */
static int sets_together(const fitting *f, int sets)
{
    return sw_material_has_families(&f->found->material) ? 1 : sets;
}

typedef struct {
    sw_response *own; /* NULL: forming's */
    sw_runs *runs;
} some_sets;

static sw_status begin_sets(const fitting *f, int sets, const sw_material *const *material, some_sets *s)
{
    const sw_population *p = &f->forming->population;
    sw_response_options options = f->forming->choice.options;
    options.material = material[0];
    *s = (some_sets){NULL, NULL};
    if (sw_material_has_families(material[0]))
        SW_TRY(sw_response_open(&options, &s->own));
    SW_TRY(sw_runs_create(s->own != NULL ? s->own : f->forming->response, sets, p->count, p->crystal,
                          p->weight, s->own != NULL ? NULL : material, &s->runs));
    for (int k = 0; k < sets && seeks_resistance(f->found); k++)
        SW_TRY(sw_runs_set_resistance(s->runs, k, material[k]->slip.initial_slip_resistance));
    return SW_OK;
}

static void end_sets(const fitting *f, some_sets *s)
{
    f->forming->evaluations += s->runs != NULL ? sw_runs_evaluations(s->runs) : 0;
    sw_progress_show(&f->forming->progress, f->forming->evaluations);
    sw_runs_free(s->runs);
    sw_response_close(s->own);
}

/* stress [sets][T] of a curve. */
static sw_status run_curve(const fitting *f, unsigned curve, int sets, const sw_material *const *material,
                           double *stress)
{
    const sw_fit_test *test = &f->found->test[curve];
    const int some = sets_together(f, sets);
    sw_status status = SW_OK;
    for (int k = 0; k < sets && status == SW_OK; k += some) {
        some_sets s;
        status = begin_sets(f, some, material + k, &s);
        if (status == SW_OK)
            status = sw_runs_take_volume(s.runs);
        if (status == SW_OK)
            status = sw_fit_test_run(test, s.runs, some, stress + k * test->steps);
        end_sets(f, &s);
    }
    return status;
}

/* r [sets] */
static sw_status run_r(const fitting *f, unsigned number, int sets, const sw_material *const *material,
                       double *r)
{
    const sw_forming_job *job = f->forming->job;
    const int some = sets_together(f, sets);
    sw_status status = SW_OK;
    for (int k = 0; k < sets && status == SW_OK; k += some) {
        some_sets s;
        status = begin_sets(f, some, material + k, &s);
        if (status == SW_OK)
            status = sw_fit_r_run(&f->fit->r_values[number], job->strain_rate, job->strain_increment, s.runs,
                                  some, r + k);
        end_sets(f, &s);
    }
    return status;
}

/* ---- Residuals ---- */

/* Of a curve: [n] from where they go on. */
static void curve_residuals(const fitting *f, unsigned curve, const double *stress, double *residual)
{
    const sw_fit_test *test = &f->found->test[curve];
    const double scale = sqrt(test->curve->weight) / test->deviation;
    sw_fit_test_at_points(test, stress, residual);
    for (int i = 0; i < test->data.n; i++)
        residual[i] = scale * (residual[i] - test->data.stress[i]);
}

static double r_residual(const sw_fit_r *test, double r)
{
    return sqrt(test->weight) * (r - test->r) / (test->deviation > 0 ? test->deviation : R_DEVIATION);
}

/* residual [sets][M] */
static sw_status all_residuals(const fitting *f, int sets, const sw_material *const *material,
                               double *residual)
{
    const sw_fit_found *found = f->found;
    int at = 0;
    for (unsigned k = 0; k < f->fit->curves_count; k++) {
        const sw_fit_test *test = &found->test[k];
        double *stress;
        SW_TRY(SW_ALLOCATE(stress, sets * test->steps, "curves"));
        const sw_status status = run_curve(f, k, sets, material, stress);
        for (int set = 0; set < sets && status == SW_OK; set++)
            curve_residuals(f, k, stress + set * test->steps, residual + set * found->residuals + at);
        free(stress);
        SW_TRY(status);
        at += test->data.n;
    }
    for (unsigned k = 0; k < f->fit->r_values_count; k++, at++) {
        double *r;
        SW_TRY(SW_ALLOCATE(r, sets, "r-values"));
        const sw_status status = run_r(f, k, sets, material, r);
        for (int set = 0; set < sets && status == SW_OK; set++)
            residual[set * found->residuals + at] = r_residual(&f->fit->r_values[k], r[set]);
        free(r);
        SW_TRY(status);
    }
    return SW_OK;
}

/* An sw_residuals_of. Sets that are no material run as the first one, and have no answer. */
static sw_status residuals_of(void *context, int sets, const double *x, double *residual)
{
    const fitting *f = context;
    const int n = f->found->parameters, m = f->found->residuals;
    sw_material *material;
    const sw_material **of = NULL;
    int *sound = NULL;
    sw_status status = SW_ALLOCATE(material, sets, "materials");
    if (status == SW_OK)
        status = SW_ALLOCATE(of, sets, "materials"); /* NOLINT(bugprone-sizeof-expression): pointers */
    if (status == SW_OK)
        status = SW_ALLOCATE(sound, sets, "materials");
    for (int k = 0; k < sets && status == SW_OK; k++) {
        sound[k] = material_at(f->found, x + k * n, &material[k]);
        of[k] = sound[k] ? &material[k] : &f->found->material;
    }
    if (status == SW_OK)
        status = all_residuals(f, sets, of, residual);
    for (int k = 0; k < sets && status == SW_OK; k++)
        for (int i = 0; i < m && !sound[k]; i++)
            residual[k * m + i] = NAN;
    free(material);
    free(of);
    free(sound);
    return status;
}

/* Signs of a curve of the material that the search begins with: the job's. */
static sw_status check_signs(const fitting *f, unsigned curve)
{
    const sw_fit_test *test = &f->found->test[curve];
    const sw_material *const material[] = {&f->found->material};
    char key[SW_KEY_SIZE];
    double *stress, *model = NULL;
    SW_TRY(SW_ALLOCATE(stress, test->steps, "a curve"));
    sw_status status = SW_ALLOCATE(model, test->data.n, "a curve");
    if (status == SW_OK)
        status = run_curve(f, curve, 1, material, stress);
    if (status == SW_OK) {
        sw_fit_test_at_points(test, stress, model);
        status = sw_fit_test_signs(test, model);
        if (status == SW_ERR_INPUT)
            sw_job_blame(f->forming->job->source, sw_key_path(key, "fit.curves[%u].stress", curve));
    }
    free(stress);
    free(model);
    return status;
}

static sw_status check_all_signs(const fitting *f)
{
    for (unsigned k = 0; k < f->fit->curves_count; k++)
        SW_TRY(check_signs(f, k));
    return SW_OK;
}

/* ---- Searches ---- */

/* Half as wide as bounds that both are given, else by a factor of four up and down. u: in (0, 1]. */
static double drawn(const sw_fit_sought *sought, const sw_fit_parameter *p, double x, double u)
{
    const double inside = 0.02;
    if (!isnan(sought->least) && !isnan(sought->most)) {
        const double q = inside + (1 - 2 * inside) * u;
        return sw_fit_x_of(p, p->logarithmic ? p->least * pow(p->most / p->least, q)
                                             : p->least + q * (p->most - p->least));
    }
    return x + (2 * u - 1) * log(4);
}

/* x [P] of a search's beginning: the first has the material's values. */
static sw_status draw_start(const fitting *f, int64_t start, double *x)
{
    const sw_fit_found *found = f->found;
    sw_material material;
    for (int attempt = 0; attempt < 100; attempt++) {
        for (int j = 0; j < found->parameters; j++) {
            double u[4];
            sw_random_uniform4((uint64_t)f->fit->seed, (uint64_t)start,
                               (uint64_t)attempt * SW_FIT_PARAMETERS_MAX + (uint64_t)j, u);
            x[j] = sw_fit_x_of(&found->parameter[j], sw_fit_value(&found->parameter[j], &found->material));
            if (start > 0)
                x[j] = drawn(&f->fit->parameters[j], &found->parameter[j], x[j], u[0]);
        }
        if (start == 0 || material_at(found, x, &material))
            return SW_OK;
    }
    return sw_job_error(f->forming->job->source, "fit.starts",
                        " = %lld: 100 random beginnings were no materials: need other bounds",
                        (long long)f->fit->starts);
}

static sw_status search(const fitting *f, const sw_least_squares *problem, int64_t start, double *x)
{
    sw_fit_search *s = &f->found->search[start];
    sw_least_squares_end end;
    SW_TRY(draw_start(f, start, x));
    for (int j = 0; j < f->found->parameters; j++)
        s->value[0][j] = sw_fit_value_at(&f->found->parameter[j], x[j]);
    const sw_status status = sw_least_squares_solve(problem, x, &end);
    s->square_sum = status == SW_OK ? end.square_sum : INFINITY;
    for (int j = 0; j < f->found->parameters; j++)
        s->value[1][j] = status == SW_OK ? sw_fit_value_at(&f->found->parameter[j], x[j]) : NAN;
    f->found->end.sets += end.sets;
    f->found->end.iterations += end.iterations;
    if (status == SW_OK)
        f->found->end.converged = end.converged;
    return status == SW_ERR_CONVERGENCE && f->fit->starts > 1 ? SW_OK : status;
}

/* best [P]: x of the best end. */
static sw_status search_all(const fitting *f, const sw_least_squares *problem, double *best)
{
    double least = INFINITY, x[SW_FIT_PARAMETERS_MAX];
    for (int64_t k = 0; k < f->fit->starts; k++) {
        const int converged = f->found->end.converged;
        SW_TRY(search(f, problem, k, x));
        if (f->found->search[k].square_sum < least) {
            least = f->found->search[k].square_sum;
            memcpy(best, x, (size_t)f->found->parameters * sizeof *x);
        } else
            f->found->end.converged = converged;
    }
    return least < INFINITY
               ? SW_OK
               : sw_error(SW_ERR_CONVERGENCE, "fit: no beginning has an answer: need other values "
                                              "in the material, or bounds");
}

/* ---- What is found ---- */

/* Six digits, of which uncertainties leave two or three: the material file holds what is said here. */
static void round_values(sw_fit_found *found, double *x)
{
    for (int j = 0; j < found->parameters; j++) {
        const sw_fit_parameter *p = &found->parameter[j];
        char text[32];
        snprintf(text, sizeof text, "%.6g", sw_fit_value_at(p, x[j]));
        const double rounded = strtod(text, NULL);
        if (rounded > p->least && rounded < p->most)
            x[j] = sw_fit_x_of(p, rounded);
        sw_fit_set_value(p, rounded > p->least && rounded < p->most ? rounded : sw_fit_value_at(p, x[j]),
                         &found->material);
    }
    settle_resistance(found, &found->material);
}

static sw_status find_uncertainties(const fitting *f, const sw_least_squares *problem, const double *x)
{
    sw_fit_found *found = f->found;
    const int n = found->parameters;
    double covariance[SW_FIT_PARAMETERS_MAX * SW_FIT_PARAMETERS_MAX];
    SW_TRY(sw_least_squares_covariance(problem, x, found->residual, covariance));
    const double variance = found->deviations_known ? 1 : sw_fit_misfit(found);
    for (int i = 0; i < n; i++) {
        const double own = covariance[i * n + i];
        found->uncertainty[i] =
            own < INFINITY ? sw_fit_slope_at(&found->parameter[i], x[i]) * sqrt(own * variance) : INFINITY;
        for (int j = 0; j < n; j++)
            found->correlation[i * n + j] =
                i == j ? 1 : covariance[i * n + j] / sqrt(own * covariance[j * n + j]);
    }
    return SW_OK;
}

/* Curves and r-values of the best material. */
static sw_status find_curves(const fitting *f)
{
    sw_fit_found *found = f->found;
    const sw_material *const material[] = {&found->material};
    for (unsigned k = 0; k < f->fit->curves_count; k++) {
        SW_TRY(SW_ALLOCATE(found->stress[k], found->test[k].steps, "a curve"));
        SW_TRY(run_curve(f, k, 1, material, found->stress[k]));
    }
    for (unsigned k = 0; k < f->fit->r_values_count; k++)
        SW_TRY(run_r(f, k, 1, material, &found->r[k]));
    return SW_OK;
}

/* ---- The task ---- */

static sw_status open_fit(fitting *f)
{
    sw_fit_found *found;
    const sw_fit *fit = f->fit;
    SW_TRY(SW_ALLOCATE(found, 1, "a fit"));
    f->found = f->forming->fit = found;
    found->material = f->forming->made_of.material;
    found->resists_by_families = sw_material_resists_by_families(&found->material);
    SW_TRY(find_parameters(f));
    SW_TRY(SW_ALLOCATE(found->test, fit->curves_count, "a fit"));
    SW_TRY(SW_ALLOCATE(found->stress, fit->curves_count, "a fit"));
    SW_TRY(SW_ALLOCATE(found->r, fit->r_values_count + 1, "a fit"));
    SW_TRY(SW_ALLOCATE(found->search, fit->starts, "a fit"));
    SW_TRY(read_tests(f));
    SW_TRY(SW_ALLOCATE(found->uncertainty, found->parameters, "a fit"));
    SW_TRY(SW_ALLOCATE(found->correlation, found->parameters * found->parameters, "a fit"));
    return SW_ALLOCATE(found->residual, found->residuals, "a fit");
}

static sw_least_squares problem_of(fitting *f)
{
    for (int j = 0; j < f->found->parameters; j++)
        f->name[j] = f->found->parameter[j].key;
    return (sw_least_squares){.parameters = f->found->parameters,
                              .residuals = f->found->residuals,
                              .residuals_of = residuals_of,
                              .context = f,
                              .difference = DIFFERENCE,
                              .most = MOST_TRIALS,
                              .name = f->name};
}

/* From the best x [P] on. */
static sw_status finish(const fitting *f, const sw_least_squares *problem, double *x)
{
    round_values(f->found, x);
    SW_TRY(find_uncertainties(f, problem, x));
    SW_TRY(find_curves(f));
    sw_fit_warn(f->fit, f->found);
    return SW_OK;
}

static sw_status run(sw_forming *forming, hid_t group)
{
    fitting f = {.forming = forming, .fit = &forming->job->fit};
    double x[SW_FIT_PARAMETERS_MAX] = {0};
    SW_TRY(open_fit(&f));
    const sw_least_squares problem = problem_of(&f);
    SW_TRY(check_all_signs(&f));
    SW_TRY(search_all(&f, &problem, x));
    SW_TRY(finish(&f, &problem, x));
    return sw_fit_write(f.fit, f.found, group);
}

/* Without the searches: their ends are read. */
static sw_status restore(sw_forming *forming, hid_t group)
{
    fitting f = {.forming = forming, .fit = &forming->job->fit};
    double value[SW_FIT_PARAMETERS_MAX], x[SW_FIT_PARAMETERS_MAX];
    SW_TRY(open_fit(&f));
    const sw_least_squares problem = problem_of(&f);
    SW_TRY(sw_fit_read(f.found, group, value));
    for (int j = 0; j < f.found->parameters; j++)
        x[j] = sw_fit_x_of(&f.found->parameter[j], value[j]);
    return finish(&f, &problem, x);
}

static const char *text_path(const sw_forming_job *job, int k)
{
    (void)k;
    return job->fit.material;
}

static sw_status write_text(const sw_forming *f, int k, FILE *file)
{
    (void)k;
    return sw_fit_write_material(&f->job->fit, f->fit, file);
}

static void release(sw_forming *f) { sw_fit_found_free(f->fit, &f->job->fit); }

static void print(const sw_forming *f, FILE *out) { sw_fit_print(&f->job->fit, f->fit, out); }

static const char *const text_keys[] = {"fit.material"};

const sw_forming_task sw_fit_task = {.name = "fit",
                                     .check = check,
                                     .run = run,
                                     .restore = restore,
                                     .print = print,
                                     .release = release,
                                     .texts = 1,
                                     .text_key = text_keys,
                                     .text_path = text_path,
                                     .write_text = write_text};
