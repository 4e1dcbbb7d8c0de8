#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"

/* ---- Keys ---- */

enum { MOST_TIMES = 1000000, MOST_ROWS = 10000000 };

static const sw_key output_keys[] = {
    SW_KWN_OUTPUT_KEY,
    {SW_REALS("times", sw_kwn_job, output.times, 0, INFINITY), .shortest = 1, .unit = "s",
     .help = "ascending; this, per_decade or count; about 100 in all stages together without"},
    {SW_WHOLE("per_decade", sw_kwn_job, output.per_decade, 1, 1000),
     .help = "times by the decade, from the beginning of each stage on"},
    {SW_REAL("first", sw_kwn_job, output.first, 1e-9, SW_KWN_LONGEST), .unit = "s",
     .help = "with per_decade: the first of them in a stage"},
    {SW_WHOLE("count", sw_kwn_job, output.count, 1, MOST_TIMES), .help = "equal steps"},
    {SW_REALS("distributions", sw_kwn_job, output.distributions, 0, INFINITY), .unit = "s",
     .otherwise = "the end, of a job of one point",
     .help = "ascending: times of which size distributions are kept"},
    {SW_OUTPUT("csv", sw_kwn_job, output.csv), .otherwise = "none", .option = "csv",
     .help = "a text of the same numbers, a row a time"},
    SW_KEYS_END};

const sw_key sw_kwn_keys[] = {
    SW_KWN_SETUP_KEYS,
    {SW_WHOLE("points", sw_kwn_job, setup.points, 1, 1LL << 32), .standard = 1, .option = "points",
     .help = "number of points with the same history, as a workload"},
    {SW_ENTRIES("temperature", sw_kwn_job, temperature, sw_kwn_segment_keys), .shortest = 1,
     .help = "segments from initial_temperature on; this, temperature_table or temperature_file"},
    /* longer ones are for files */
    {SW_ROWS("temperature_table", sw_kwn_job, temperature_table, 2), .shortest = 2, .longest = 1000,
     .bound = "[s, K]", .help = "from 0 s, linear between; equal times: a jump"},
    {SW_PATH("temperature_file", sw_kwn_job, temperature_file), .help = "thermal histories, one a point"},
    {SW_REAL("accuracy", sw_kwn_job, accuracy, 0, 0.5), .standard = 0.01, .option = "accuracy",
     .help = "classes are doubled and steps halved, unless they are given, until number, radius and fraction "
             "are off by no "
             "more, by runs twice and four times as coarse; 0: not looked at"},
    {SW_SECTION("output", output_keys), .needed = 1},
    SW_RESUME_KEY(sw_kwn_job, setup.run),
    SW_KEYS_END};

/* ---- The thermal history ---- */

static sw_status check_table(sw_kwn_job *job)
{
    const sw_job *source = job->setup.source;
    char key[SW_KEY_SIZE];
    for (unsigned i = 0; i < job->temperature_table_count; i++) {
        double *row = job->temperature_table[i];
        const double least = i == 0 ? 0 : row[-2];
        sw_key_path(key, "temperature_table[%u][0]", i);
        if (!(row[0] >= least && row[0] <= (i == 0 ? 0 : SW_KWN_LONGEST)))
            return sw_job_error(source, key,
                                i == 0 ? " = %.15g: need 0 s at the start"
                                       : " = %.15g: need %.15g s or later, at most 1e12",
                                row[0], least);
        SW_TRY(sw_kwn_to_kelvin(&job->setup, sw_key_path(key, "temperature_table[%u][1]", i), &row[1]));
        sw_kwn_note_cold(&job->setup, key, row[1]);
    }
    if (!(job->temperature_table[job->temperature_table_count - 1][0] > 0))
        return sw_job_error(source, "temperature_table", " ends at 0 s: need an end after it");
    return SW_OK;
}

static sw_status read_history_file(sw_kwn_job *job)
{
    sw_kwn_setup *setup = &job->setup;
    if (sw_job_given(setup->source, "points"))
        return sw_job_error(setup->source, "points", " beside temperature_file: need only one of them");
    SW_TRY(sw_kwn_history_open(job->temperature_file, &setup->model, &job->history));
    setup->points = job->history.n_points;
    return SW_OK;
}

static sw_status make_history(sw_kwn_job *job)
{
    static const char *const keys[] = {"temperature", "temperature_table", "temperature_file"};
    sw_kwn_setup *setup = &job->setup;
    int chosen;
    SW_TRY(sw_job_one_of(setup->source, "", "temperature temperature_table temperature_file", 1, &chosen));
    if (chosen > 0 && sw_job_given(setup->source, "initial_temperature"))
        return sw_job_error(setup->source, "initial_temperature", " beside %s: need only that, which has it",
                            keys[chosen]);
    if (chosen == 2)
        return read_history_file(job);
    if (chosen == 1) {
        SW_TRY(check_table(job));
        return sw_kwn_history_of_table(job->temperature_table_count,
                                       (const double(*)[2])job->temperature_table, &job->history);
    }
    SW_TRY(sw_kwn_check_segments(setup, "temperature", job->temperature_count, job->temperature));
    return sw_kwn_history_of_segments(setup->initial_temperature, job->temperature_count, job->temperature,
                                      &job->history);
}

/* ---- Steps ---- */

#define MOST_STEPS 1e9 /* of a point: days */

/* Only those that are given are known before. */
static sw_status check_steps(const sw_kwn_job *job)
{
    static const char *const idle[] = {"courant", "largest_temperature_change"};
    const double step = job->setup.options.control.fixed_step, end = sw_kwn_history_end(&job->history);
    for (int k = 0; k < 2 && step > 0; k++)
        if (sw_job_given(job->setup.source, idle[k]))
            return sw_job_error(job->setup.source, idle[k], " beside fixed_step: chooses no step then");
    if (step == 0 || end / step <= MOST_STEPS)
        return SW_OK;
    return sw_job_error(job->setup.source, "fixed_step", " = %g: makes %.3g steps of %.4g s: need at most %g",
                        step, end / step, end, MOST_STEPS);
}

/* ---- Times of the output ---- */

/* Equal but for round-off: of k t / n, and of the powers of ten between decimals. */
static int same_time(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(a, b); }

static sw_status check_list(const sw_kwn_job *job, const char *list, unsigned count, const double *time)
{
    const double end = sw_kwn_history_end(&job->history);
    for (unsigned i = 0; i < count; i++) {
        char key[SW_KEY_SIZE];
        const double least = i == 0 ? 0 : time[i - 1];
        if (!(time[i] <= end * (1 + 1e-9) && (i == 0 ? time[i] >= 0 : time[i] > least)))
            return sw_job_error(job->setup.source, sw_key_path(key, "%s[%u]", list, i),
                                " = %.15g: need %s%.15g s, at most %.15g", time[i],
                                i == 0 ? "at least " : "more than ", least, end);
    }
    return SW_OK;
}

/* A time into the ascending list unless it is there; where it is. */
static int64_t insert_time(sw_kwn_job *job, double time)
{
    int64_t i = job->n_times;
    while (i > 0 && job->time[i - 1] > time && !same_time(job->time[i - 1], time))
        i--;
    if (i > 0 && same_time(job->time[i - 1], time))
        return i - 1;
    memmove(job->time + i + 1, job->time + i, (size_t)(job->n_times - i) * sizeof *job->time);
    memmove(job->with_distribution + i + 1, job->with_distribution + i, (size_t)(job->n_times - i));
    job->time[i] = time;
    job->with_distribution[i] = 0;
    job->n_times++;
    return i;
}

/* ---- Stages ---- */

enum { MOST_STAGES = 16 };    /* more knots are samples of a curve, which is one stage */
#define DECADES 6             /* of a stage that are resolved without a word of the job */
#define DEFAULT_PER_DECADE 17 /* in all stages together: about 100 times */

/* Where the history's stages, the times between two knots, begin and, after the last, where it ends. Returns how many
 * there are. */
static int find_stages(const sw_kwn_history *history, double begin[MOST_STAGES + 1])
{
    int n = 0;
    begin[0] = 0;
    for (int64_t k = 1; k < history->n_knots && n <= MOST_STAGES; k++)
        if (history->time[k] > begin[n] && ++n <= MOST_STAGES)
            begin[n] = history->time[k];
    if (n <= MOST_STAGES)
        return n;
    begin[1] = sw_kwn_history_end(history);
    return 1;
}

/* Logarithmic times of a stage, and its end; without `add` they are only counted. */
static int64_t add_stage(sw_kwn_job *job, double begin, double end, double first, double per_decade, int add)
{
    int64_t n = 0;
    double time;
    for (; (time = begin + first * pow(10, (double)n / per_decade)) < end && n < MOST_TIMES; n++)
        if (add)
            insert_time(job, time);
    if (add)
        insert_time(job, end);
    return n + 1;
}

static int64_t add_stages(sw_kwn_job *job, int add)
{
    double begin[MOST_STAGES + 1];
    const int stages = find_stages(&job->history, begin);
    int64_t n = 0;
    for (int k = 0; k < stages; k++) {
        const double length = begin[k + 1] - begin[k];
        const int given = job->output.per_decade > 0;
        n += add_stage(job, begin[k], begin[k + 1], given ? job->output.first : pow(10, -DECADES) * length,
                       given ? (double)job->output.per_decade : (double)DEFAULT_PER_DECADE / stages, add);
    }
    return n;
}

/* Those asked for but the distributions': they are counted, and added once there is room. */
static int64_t add_times(sw_kwn_job *job, int add)
{
    const double end = sw_kwn_history_end(&job->history);
    const int listed = job->output.times_count > 0;
    if (!listed && job->output.count == 0)
        return add_stages(job, add);
    const int64_t n = listed ? (int64_t)job->output.times_count : job->output.count;
    for (int64_t i = 0; i < n && add; i++) {
        const double time = listed ? job->output.times[i] : end * (double)(i + 1) / (double)n;
        if (time < end)
            insert_time(job, time);
    }
    return n;
}

static sw_status check_spacing(sw_kwn_job *job)
{
    const sw_job *source = job->setup.source;
    const double end = sw_kwn_history_end(&job->history);
    int chosen;
    SW_TRY(sw_job_one_of(source, "output.", "times per_decade count", 0, &chosen));
    if ((chosen == 1) != sw_job_given(source, "output.first"))
        return sw_job_error(source, "output.first", "%s",
                            chosen == 1 ? " is missing: need it with per_decade" : ": goes with per_decade");
    if (!(job->output.first <= end))
        return sw_job_error(source, "output.first", " = %.15g: need at most the end, %.15g s",
                            job->output.first, end);
    return SW_OK;
}

static sw_status make_times(sw_kwn_job *job)
{
    SW_TRY(check_steps(job));
    SW_TRY(check_spacing(job));
    SW_TRY(check_list(job, "output.times", job->output.times_count, job->output.times));
    SW_TRY(
        check_list(job, "output.distributions", job->output.distributions_count, job->output.distributions));
    const double end = sw_kwn_history_end(&job->history);
    const int64_t most = add_times(job, 0) + job->output.distributions_count + 3;
    job->time = sw_job_allocate(job->setup.source, (size_t)most * sizeof *job->time);
    job->with_distribution = sw_job_allocate(job->setup.source, (size_t)most);
    if (job->time == NULL || job->with_distribution == NULL)
        return sw_error(SW_ERR_MEMORY, "not enough memory for %lld output times", (long long)most);
    insert_time(job, 0);
    add_times(job, 1);
    for (unsigned i = 0; i < job->output.distributions_count; i++)
        job->with_distribution[insert_time(job, fmin(job->output.distributions[i], end))] = 1;
    const int64_t last = insert_time(job, end);
    job->time[last] = end;
    if (!sw_job_given(job->setup.source, "output.distributions"))
        job->with_distribution[last] = job->setup.points == 1;
    return SW_OK;
}

/* ---- Reading ---- */

static sw_status complete(void *values)
{
    sw_kwn_job *job = values;
    SW_TRY(sw_kwn_setup_complete(&job->setup));
    SW_TRY(make_history(job));
    sw_kwn_compare_with_runs(&job->setup, job->history.n_solutes == 0);
    sw_kwn_note_celsius(&job->setup);
    if (job->history.n_solutes == 0)
        sw_kwn_note_weights(&job->setup, NULL, NULL);
    SW_TRY(make_times(job));
    sw_kwn_setup_choose(&job->setup);
    if (job->output.csv != NULL && (strcmp(job->output.csv, job->setup.output_file) == 0 ||
                                    sw_same_file(job->output.csv, job->setup.output_file)))
        return sw_job_error(job->setup.source, "output.csv", ": is output.file, too: need another name");
    if (job->output.csv != NULL && job->setup.points > MOST_ROWS / job->n_times)
        return sw_job_error(job->setup.source, "output.csv",
                            " of %lld times of %lld points: need at most %g rows", (long long)job->n_times,
                            (long long)job->setup.points, (double)MOST_ROWS);
    return SW_OK;
}

static void release(void *values)
{
    sw_kwn_job *job = values;
    sw_kwn_history_free(&job->history);
    sw_kwn_setup_free(&job->setup);
}

sw_status sw_kwn_job_read(const sw_arguments *arguments, sw_kwn_job **job)
{
    static const sw_job_kind kind = {sw_kwn_keys, sizeof **job, offsetof(sw_kwn_job, setup.source), complete,
                                     release};
    sw_status status;
    *job = sw_job_open(&kind, arguments, &status);
    return status;
}

void sw_kwn_job_free(sw_kwn_job *job)
{
    if (job != NULL)
        sw_job_close(job->setup.source);
}
