#include "stress_test.h"

#include <stdlib.h>
#include <string.h>

#include "common/math/strain_rate.h"

/* ---- Keys ---- */

static const char *const strain_units[] = {"1", "percent"};
static const double strain_unit[] = {1, 0.01};
static const char *const stress_units[] = {"Pa", "kPa", "MPa", "GPa", "ksi", "psi"};
static const double stress_unit[] = {
    1, 1e3, 1e6, 1e9, 6.894757293168e6, 6894.757293168}; /* psi: a pound-force per square inch */
static const char *const measures[] = {"true", "engineering"};

const char *const sw_fit_stress_names[12] = {"11",    "22",    "33",    "23",    "13",    "12",
                                             "11-22", "11-33", "22-33", "22-11", "33-11", "33-22"};
static const int first_of[12] = {0, 1, 2, 3, 4, 5, 0, 0, 1, 1, 2, 2};
static const int second_of[12] = {-1, -1, -1, -1, -1, -1, 1, 2, 2, 0, 0, 1};

const sw_key sw_fit_curve_keys[] = {
    {SW_PATH("file", sw_fit_curve, file), .needed = 1, .help = "columns of strain and stress"},
    {SW_TEXTS("columns", sw_fit_curve, columns), .shortest = 2, .longest = 2,
     .bound = "names in the file's first line, or numbers from 1 on", .otherwise = "the first two",
     .help = "of strain and of stress"},
    {SW_WORD("strain_unit", sw_fit_curve, strain_unit, strain_units), .standard = -1,
     .otherwise = "as the column's name says, else 1", .help = "of the file"},
    {SW_WORD("stress_unit", sw_fit_curve, stress_unit, stress_units), .standard = -1,
     .otherwise = "as the column's name says, which then has to", .help = "of the file"},
    {SW_WORD("measure", sw_fit_curve, engineering, measures), .standard = -1,
     .otherwise = "as the columns' names say, else true",
     .help = "of the shape at the moment, or of that at the beginning: force over first area, elongation "
             "over first "
             "length"},
    {SW_WORD("strain", sw_fit_curve, strain, sw_loading_component_names), .needed = 1, .standard = -1,
     .help = "what was measured: a component that the loading gives, of shears the engineer's strain"},
    {SW_WORD("stress", sw_fit_curve, stress, sw_fit_stress_names), .needed = 1, .standard = -1,
     .help = "what was measured; of a normal component alone the loading must leave one free, or the "
             "pressure is not "
             "known"},
    {SW_REAL("least_strain", sw_fit_curve, least_strain, 0, 100),
     .help = "size of a true strain: points of smaller ones are left out"},
    {SW_REAL("most_strain", sw_fit_curve, most_strain, 0, 100), .standard = INFINITY, .otherwise = "any",
     .help = "likewise, of larger ones"},
    {SW_REAL("deviation", sw_fit_curve, deviation, 0, 1e11), .smallest = 1, .unit = "Pa",
     .otherwise = "not known: by the misfit", .help = "standard deviation of a stress"},
    {SW_REAL("weight", sw_fit_curve, weight, 1e-6, 1e6), .standard = 1,
     .help = "of the curve's points, as if the deviation were divided by its root"},
    {SW_ENTRIES("loading", sw_fit_curve, loading, sw_loading_keys), .shortest = 1, .needed = 1,
     .help = "one after the other, from an undeformed polycrystal on"},
    SW_KEYS_END};

/* ---- What is checked before files are read ---- */

/* Of the component that is measured, 1/s; no number where it is free. */
static double rate_of(const sw_loading *g, int component)
{
    return (component < 3 ? 1 : 2) * sw_loading_component(g->velocity_gradient, component);
}

static int is_of_one_normal(const sw_fit_curve *c) { return c->strain < 3 && c->stress == c->strain; }

static sw_status check_measure(const sw_job *job, const char *at, const sw_fit_curve *c)
{
    char key[SW_KEY_SIZE];
    if (c->engineering == 1 && !is_of_one_normal(c))
        return sw_job_error(job, sw_key_path(key, "%s.measure", at),
                            " = engineering: need stress and strain of the same normal component");
    return sw_job_need(job, sw_key_path(key, "%s.most_strain", at), c->most_strain,
                       c->most_strain > c->least_strain, "more than least_strain");
}

static sw_status check_entry(const sw_job *job, const char *at, unsigned entry, const sw_fit_curve *c)
{
    char key[SW_KEY_SIZE];
    const sw_loading *g = &c->loading[entry];
    if (sw_loading_seeks(g) || sw_loading_is_hold(g))
        return sw_job_error(job, sw_key_path(key, "%s.loading[%u]", at, entry),
                            ": a hold, or a goal that is not of a given component: need a velocity gradient "
                            "and a duration");
    if (!(fabs(rate_of(g, c->strain)) > 0))
        return sw_job_error(job, sw_key_path(key, "%s.strain", at),
                            " = %s: need a component that strains at a rate that loading[%u] gives",
                            sw_loading_component_names[c->strain], entry);
    if (c->stress < 3 && sw_condition_dependent(g, 0) < 0)
        return sw_job_error(job, sw_key_path(key, "%s.stress", at),
                            " = %s: loading[%u] leaves no normal direction free, and so the pressure is not "
                            "known: need a difference, as 11-33, or x and a stress there",
                            sw_fit_stress_names[c->stress], entry);
    return SW_OK;
}

sw_status sw_fit_curve_check(const sw_job *job, const char *prefix, unsigned entry, const sw_fit_curve *curve,
                             double strain_increment)
{
    char at[SW_KEY_SIZE], list[SW_KEY_SIZE];
    sw_key_path(at, "%s[%u]", prefix, entry);
    SW_TRY(check_measure(job, at, curve));
    SW_TRY(sw_loading_check(job, sw_key_path(list, "%s.loading", at), curve->loading_count, curve->loading,
                            strain_increment));
    SW_TRY(sw_loading_check_is_cold(job, list, curve->loading_count, curve->loading));
    for (unsigned i = 0; i < curve->loading_count; i++)
        SW_TRY(check_entry(job, at, i, curve));
    return SW_OK;
}

/* ---- Units and measure: the job's and those of the file's names are the same ---- */

static sw_status two_units(const sw_fit_curve *c, const char *quantity, const char *name, const char *key)
{
    return sw_error(SW_ERR_INPUT, "%s: the column's name says %s, %s_unit = %s: need one of them", c->file,
                    name, quantity, key);
}

static sw_status settle_strain(const sw_fit_curve *c, const sw_curve_unit *name, sw_fit_units *units)
{
    units->strain = c->strain_unit >= 0 ? strain_unit[c->strain_unit] : name != NULL ? name->factor : 1;
    if (name != NULL && name->factor != units->strain)
        return two_units(c, "strain", name->text, strain_units[c->strain_unit]);
    return SW_OK;
}

static sw_status settle_stress(const sw_fit_curve *c, const sw_curve_unit *name, sw_fit_units *units)
{
    if (c->stress_unit < 0 && name == NULL)
        return sw_error(SW_ERR_INPUT,
                        "%s: the stress column's name says no unit: need one, as stress_MPa, or the key "
                        "stress_unit",
                        c->file);
    if (name != NULL && c->stress_unit >= 0 && name->factor != stress_unit[c->stress_unit])
        return two_units(c, "stress", name->text, stress_units[c->stress_unit]);
    units->stress = name != NULL ? name->factor : stress_unit[c->stress_unit];
    units->stress_text = name != NULL ? name->text : stress_units[c->stress_unit];
    return SW_OK;
}

static sw_status settle_measure(const sw_fit_curve *c, const int said[2], sw_fit_units *units)
{
    const int by_name = said[0] >= 0 ? said[0] : said[1];
    if (said[0] >= 0 && said[1] >= 0 && said[0] != said[1])
        return sw_error(SW_ERR_INPUT,
                        "%s: columns of %s strain and %s stress: need both true or both engineering", c->file,
                        measures[said[0]], measures[said[1]]);
    if (by_name >= 0 && c->engineering >= 0 && by_name != c->engineering)
        return sw_error(SW_ERR_INPUT, "%s: the columns' names say %s, measure = %s: need one of them",
                        c->file, measures[by_name], measures[c->engineering]);
    units->engineering = c->engineering >= 0 ? c->engineering : by_name == 1;
    if (units->engineering && !is_of_one_normal(c))
        return sw_error(
            SW_ERR_INPUT,
            "%s: the columns' names say engineering: need stress and strain of the same normal component",
            c->file);
    return SW_OK;
}

static sw_status settle(const sw_fit_curve *c, const sw_curve_names *names, sw_fit_units *units)
{
    SW_TRY(settle_strain(c, names->unit[0], units));
    SW_TRY(settle_stress(c, names->unit[1], units));
    return settle_measure(c, names->engineering, units);
}

/* ---- Points as the model has them ---- */

/* Whether a file's strains, the largest one, go the other way than the loading begins. */
static int is_turned(const sw_fit_curve *c, const sw_curve *data)
{
    double largest = 0;
    for (int i = 0; i < data->n; i++)
        largest = fabs(data->strain[i]) > fabs(largest) ? data->strain[i] : largest;
    return c->loading_count == 1 && largest * rate_of(c->loading, c->strain) < 0;
}

static void keep_point(sw_curve *data, int to, int from)
{
    data->strain[to] = data->strain[from];
    data->stress[to] = data->stress[from];
    data->line[to] = data->line[from];
}

static sw_status convert(const sw_fit_curve *c, const sw_fit_units *units, int turned, sw_curve *data)
{
    const double sign = turned ? -1 : 1;
    int kept = 0;
    for (int i = 0; i < data->n; i++) {
        double *strain = &data->strain[i], *stress = &data->stress[i];
        *strain *= sign * units->strain;
        *stress *= sign * units->stress;
        if (units->engineering && !(*strain > -1))
            return sw_error(SW_ERR_INPUT, "%s:%d: engineering strain = %g: need more than -1%s", c->file,
                            data->line[i], *strain,
                            units->strain == 1 && *strain < -1 ? "; is it in percent?" : "");
        if (units->engineering) {
            *stress *= 1 + *strain; /* the volume stays */
            *strain = log1p(*strain);
        }
        if (fabs(*strain) >= c->least_strain && fabs(*strain) <= c->most_strain)
            keep_point(data, kept++, i);
    }
    data->n = kept;
    return kept > 0 ? SW_OK
                    : sw_error(SW_ERR_INPUT, "%s: no point has a true strain from %g to %g", c->file,
                               c->least_strain, c->most_strain);
}

/* ---- Points on their way ---- */

/* Entry by entry: how far each goes, and since when. */
typedef struct {
    unsigned entry;
    double begun, from, rate, time; /* s; strain; 1/s; s that it takes */
    double reached;                 /* s into it, of the last point */
} way;

static way next_entry(const sw_fit_curve *c, const way *last)
{
    way w = {.entry = 0};
    if (last != NULL)
        w = (way){.entry = last->entry + 1,
                  .begun = last->begun + last->time,
                  .from = last->from + last->rate * last->time};
    if (w.entry < c->loading_count) {
        w.rate = rate_of(&c->loading[w.entry], c->strain);
        w.time = sw_loading_time(&c->loading[w.entry]);
    }
    return w;
}

/* The largest true strain on the loading's way, its size. */
static double reach_of(const sw_fit_curve *c)
{
    double reach = 0;
    for (way w = next_entry(c, NULL); w.entry < c->loading_count; w = next_entry(c, &w))
        reach = fmax(reach, fmax(fabs(w.from), fabs(w.from + w.rate * w.time)));
    return reach;
}

/* A strain that the loading is so many times too short, or too long, for is a percentage that is taken for a fraction, or
 * the reverse. */
static const double IN_PERCENT = 20;

static int largest_of(int n, const double *value)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        if (fabs(value[i]) > fabs(value[at]))
            at = i;
    return at;
}

static void note_fractions(const sw_fit_test *test)
{
    const sw_fit_curve *c = test->curve;
    const int at = largest_of(test->data.n, test->data.strain);
    if (test->units.strain < 1 && reach_of(c) > IN_PERCENT * fabs(test->data.strain[at]))
        sw_warn("fit: %s:%d: true strain = %.3g is the largest, where the loading goes to %.3g: are strains "
                "a fraction, not "
                "percent?",
                c->file, test->data.line[at], test->data.strain[at], reach_of(c));
}

/* What to say of strains that the loading does not come to: the file's largest tells, as it is written. */
static const char *suspect_unit(const sw_fit_test *test)
{
    const double size = fabs(test->data.strain[largest_of(test->data.n, test->data.strain)]);
    const double times = (test->units.engineering ? expm1(size) : size) / reach_of(test->curve);
    const double between = 1e4; /* a hundred, and a million, in the middle */
    if (test->units.strain < 1 || !(times > IN_PERCENT))
        return "";
    return times < between ? "; is it in percent?" : "; is it in microstrain?";
}

/* Points of one entry may come in any order, of several as they were measured. */
static sw_status find_times(sw_fit_test *test)
{
    const sw_fit_curve *c = test->curve;
    const double slack = 1e-6; /* of an entry: written digits */
    way w = next_entry(c, NULL);
    for (int i = 0; i < test->data.n; i++) {
        double in = 0;
        for (; w.entry < c->loading_count; w = next_entry(c, &w)) {
            in = (test->data.strain[i] - w.from) / w.rate;
            const double least = c->loading_count > 1 ? w.reached : 0;
            if (in >= least - slack * w.time && in <= w.time * (1 + slack))
                break;
        }
        if (w.entry == c->loading_count)
            return sw_error(
                SW_ERR_INPUT,
                "%s:%d: true strain = %g: the loading does not come there (after the points before "
                "it): need a longer duration, or most_strain, least_strain%s",
                c->file, test->data.line[i], test->data.strain[i], suspect_unit(test));
        w.reached = fmin(fmax(in, 0), w.time);
        test->time[i] = w.begun + w.reached;
    }
    return SW_OK;
}

/* Of a model that starts at rest: points whose stress is 0 whatever its parameters are say nothing of these. */
static sw_status leave_out_rest(sw_fit_test *test)
{
    const double digits = 1e-6; /* of the first entry: written ones */
    const double moved = digits * sw_loading_time(test->curve->loading);
    sw_curve *data = &test->data;
    int kept = 0;
    for (int i = 0; i < data->n; i++) {
        if (test->starts_at_rest && test->time[i] <= moved)
            continue;
        test->time[kept] = test->time[i];
        keep_point(data, kept++, i);
    }
    test->left_out = data->n - kept;
    data->n = kept;
    return kept > 0 ? SW_OK : sw_error(SW_ERR_INPUT, "%s: all strains are 0", test->curve->file);
}

/* ---- Steps ---- */

static sw_status add_steps(sw_fit_test *test, const way *w, double from, double to, double longest, int *room)
{
    const double digits = 1e-6; /* that points may be written with: no second step for the last one */
    const int n = (int)ceil((to - from) / longest - digits);
    if (test->steps + n > *room) {
        *room = 2 * (test->steps + n);
        SW_TRY(SW_GROW(test->entry, *room, "steps of a curve"));
        SW_TRY(SW_GROW(test->end, *room, "steps of a curve"));
        SW_TRY(SW_GROW(test->strain, *room, "steps of a curve"));
    }
    for (int k = 1; k <= n; k++) {
        test->entry[test->steps] = (int)w->entry;
        test->end[test->steps++] = k < n ? from + (to - from) * k / n : to;
    }
    return SW_OK;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* s, of an entry; as free components are estimated. */
static double longest_step(const sw_loading *g, double strain_increment)
{
    double l[3][3];
    sw_loading_estimate(g, l);
    return g->steps > 0 ? sw_loading_time(g) / (double)g->steps
                        : strain_increment / sw_strain_rate_of((const double(*)[3])l).rate;
}

/* Steps of an entry, up to its points, and to its end where points of others follow. time [n], in order. */
static sw_status step_entry(sw_fit_test *test, const way *w, double strain_increment, const double *time,
                            int *room)
{
    const sw_loading *g = &test->curve->loading[w->entry];
    const double longest = longest_step(g, strain_increment), end = w->begun + w->time;
    const double last = time[test->data.n - 1] > end ? end : time[test->data.n - 1];
    double now = w->begun;
    for (int i = 0; i <= test->data.n && now < last; i++) {
        const double to = i < test->data.n ? fmin(time[i], last) : last;
        if (to - now < 0.1 * longest && !(to == last && now == w->begun)) {
            if (to == last && to > now) /* too near for a step of its own */
                test->end[test->steps - 1] = now = last;
            continue;
        }
        SW_TRY(add_steps(test, w, now, to, longest, room));
        now = to;
    }
    return SW_OK;
}

static sw_status make_steps(sw_fit_test *test, double strain_increment)
{
    const sw_fit_curve *c = test->curve;
    double *time;
    int room = 0;
    SW_TRY(SW_ALLOCATE(time, test->data.n, "points of a curve"));
    memcpy(time, test->time, (size_t)test->data.n * sizeof *time);
    qsort(time, (size_t)test->data.n, sizeof *time, compare);
    sw_status status = SW_OK;
    for (way w = next_entry(c, NULL); w.entry < c->loading_count && status == SW_OK; w = next_entry(c, &w)) {
        const int first = test->steps;
        status = step_entry(test, &w, strain_increment, time, &room);
        for (int k = first; k < test->steps; k++)
            test->strain[k] = w.from + w.rate * (test->end[k] - w.begun);
    }
    free(time);
    if (status == SW_OK && test->steps == 0)
        status = sw_error(SW_ERR_INPUT, "%s: all strains are 0", c->file);
    return status;
}

/* ---- Opened and closed ---- */

/* Where it is not known: of the right size. */
static double deviation_of(const sw_fit_curve *c, const sw_curve *data)
{
    double largest = 0;
    for (int i = 0; i < data->n; i++)
        largest = fmax(largest, fabs(data->stress[i]));
    return c->deviation > 0 ? c->deviation : 0.01 * fmax(largest, 1);
}

static sw_status open_test(const sw_fit_curve *c, double strain_increment, sw_fit_test *test)
{
    SW_TRY(sw_curve_read(c->file,
                         (const char *const[2]){c->columns != NULL ? c->columns[0] : NULL,
                                                c->columns != NULL ? c->columns[1] : NULL},
                         &test->data));
    SW_TRY(settle(c, &test->data.names, &test->units));
    test->turned = is_turned(c, &test->data);
    SW_TRY(convert(c, &test->units, test->turned, &test->data));
    SW_TRY(SW_ALLOCATE(test->time, test->data.n, "points of a curve"));
    SW_TRY(find_times(test));
    note_fractions(test);
    SW_TRY(leave_out_rest(test));
    test->deviation = deviation_of(c, &test->data);
    return make_steps(test, strain_increment);
}

sw_status sw_fit_test_open(const sw_job *job, const char *prefix, unsigned entry, const sw_fit_curve *curve,
                           double strain_increment, int starts_at_rest, sw_fit_test *test)
{
    char key[SW_KEY_SIZE];
    *test = (sw_fit_test){.curve = curve, .starts_at_rest = starts_at_rest};
    const sw_status status = open_test(curve, strain_increment, test);
    if (status == SW_OK)
        return SW_OK;
    sw_fit_test_close(test);
    return status == SW_ERR_INPUT ? sw_job_blame(job, sw_key_path(key, "%s[%u].file", prefix, entry))
                                  : status;
}

void sw_fit_test_close(sw_fit_test *test)
{
    sw_curve_free(&test->data);
    free(test->time);
    free(test->entry);
    free(test->end);
    free(test->strain);
    *test = (sw_fit_test){.curve = NULL};
}

/* ---- Runs ---- */

/* What was measured, of a run's deviator. */
static double stress_of(const sw_fit_curve *c, const sw_loading *g, const double deviator[6])
{
    const int a = first_of[c->stress], b = second_of[c->stress],
              d = a < 3 ? sw_condition_dependent(g, 0) : -1;
    if (b >= 0)
        return deviator[a] - deviator[b];
    return d < 0 ? deviator[a] : deviator[a] - deviator[d] + g->stress[d][d];
}

static sw_status run_with(const sw_fit_test *test, sw_runs *runs, int64_t n_runs, sw_condition *condition,
                          double *stress)
{
    for (int k = 0; k < test->steps; k++) {
        const sw_loading *g = &test->curve->loading[test->entry[k]];
        const double dt = test->end[k] - (k > 0 ? test->end[k - 1] : 0);
        for (int64_t r = 0; r < n_runs; r++)
            condition[r] = sw_condition_of_loading(g, 0, 0);
        SW_TRY(sw_runs_step(runs, dt, condition));
        for (int64_t r = 0; r < n_runs; r++) {
            const sw_run_state *state = sw_runs_state(runs, r);
            stress[r * test->steps + k] = state->failed ? NAN : stress_of(test->curve, g, state->stress);
            if (state->failed)
                SW_TRY(sw_runs_end(runs, r));
        }
    }
    return SW_OK;
}

sw_status sw_fit_test_run(const sw_fit_test *test, sw_runs *runs, int64_t n_runs, double *stress)
{
    sw_condition *condition;
    SW_TRY(SW_ALLOCATE(condition, n_runs, "conditions"));
    const sw_status status = run_with(test, runs, n_runs, condition, stress);
    free(condition);
    return status;
}

double sw_fit_test_first(const sw_fit_test *test, const double *stress)
{
    return test->starts_at_rest ? 0 : stress[0];
}

void sw_fit_test_at_points(const sw_fit_test *test, const double *stress, double *model)
{
    for (int i = 0; i < test->data.n; i++) {
        int k = 0;
        while (k + 1 < test->steps && test->end[k] < test->time[i])
            k++;
        const double before = k > 0 ? stress[k - 1] : sw_fit_test_first(test, stress),
                     begun = k > 0 ? test->end[k - 1] : 0;
        const double part = (test->time[i] - begun) / (test->end[k] - begun);
        model[i] = before + part * (stress[k] - before);
    }
}

/* ---- Units ---- */

/* A curve that is so many times the model's, or the model's it, is in another unit: metals differ by less. */
static const double FAR = 100;

static sw_status check_sizes(const sw_fit_test *test, const double *model)
{
    const sw_curve *data = &test->data;
    const int at = largest_of(data->n, data->stress);
    const double stress = fabs(data->stress[at]), expected = fabs(model[largest_of(data->n, model)]),
                 number = stress / test->units.stress;
    if (!(stress > FAR * expected || (stress > 0 && expected > FAR * stress)))
        return SW_OK;
    return sw_error(SW_ERR_INPUT,
                    "%s:%d: stress = %.6g %s%s is the largest, the model's is %.4g %s: is it in %s?",
                    test->curve->file, data->line[at], number, test->units.stress_text,
                    test->units.engineering ? ", true," : "", expected / test->units.stress,
                    test->units.stress_text, sw_curve_likely_unit(number, expected)->text);
}

/* ---- Signs ---- */

/* Of two vectors [n]: the cosine between them. */
static double cosine(int n, const double *a, const double *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < n; i++) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return ab / sqrt(aa * bb);
}

sw_status sw_fit_test_signs(const sw_fit_test *test, const double *model)
{
    const double opposed = -0.5; /* stresses about 0, as of noise, have some of either sign */
    const sw_curve *data = &test->data;
    int at = 0;
    SW_TRY(check_sizes(test, model));
    if (!(cosine(data->n, model, data->stress) < opposed))
        return SW_OK;
    for (int i = 0; i < data->n; i++)
        if (model[i] * data->stress[i] < model[at] * data->stress[at])
            at = i;
    return sw_error(SW_ERR_INPUT,
                    "%s: stress %s at true strain %g is %.4g MPa in the file%s, %.4g MPa in the model: need "
                    "the model's sign, or the difference the other way round",
                    test->curve->file, sw_fit_stress_names[test->curve->stress], data->strain[at],
                    data->stress[at] / 1e6, test->turned ? ", turned with its strains" : "", model[at] / 1e6);
}
