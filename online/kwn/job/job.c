#include "job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a job file may hold ---- */

/* Longer tables are for files: results files have room for 64 KB of a job's text. */
enum { MOST_ROWS = 1000 };

static const cyaml_schema_value_t number_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t row_schema = {
    CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &number_schema, 2),
};
static const cyaml_schema_field_t output_fields[] = {
    SW_KWN_TEXT("file", sw_kwn_job, setup.output_file),
    SW_KWN_LIST("times", sw_kwn_job, output.times, &number_schema, 1),
    SW_KWN_WHOLE("per_decade", sw_kwn_job, output.per_decade),
    SW_KWN_REAL("first", sw_kwn_job, output.first),
    SW_KWN_WHOLE("count", sw_kwn_job, output.count),
    SW_KWN_LIST("distributions", sw_kwn_job, output.distributions, &number_schema, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t job_fields[] = {
    SW_KWN_SETUP_FIELDS,
    SW_KWN_WHOLE("points", sw_kwn_job, setup.points),
    SW_KWN_LIST("temperature", sw_kwn_job, temperature, &sw_kwn_segment_schema, 1),
    CYAML_FIELD_SEQUENCE("temperature_table", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, sw_kwn_job,
                         temperature_table, &row_schema, 2, MOST_ROWS),
    SW_KWN_TEXT("temperature_file", sw_kwn_job, temperature_file),
    SW_YAML_SECTION("output", CYAML_FLAG_OPTIONAL, sw_kwn_job, output_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t job_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sw_kwn_job, job_fields),
};

/* ---- The thermal history ---- */

static sw_status check_table(const sw_kwn_job *job)
{
    char key[64];
    for (unsigned i = 0; i < job->temperature_table_count; i++) {
        const double *row = job->temperature_table[i], least = i == 0 ? 0 : row[-2];
        snprintf(key, sizeof key, "temperature_table[%u][0]", i);
        if (!(row[0] >= least && row[0] <= (i == 0 ? 0 : SW_KWN_LONGEST)))
            return sw_kwn_job_error(&job->setup, key,
                                    i == 0 ? " = %.15g: need 0 s at the start"
                                           : " = %.15g: need %.15g s or later, at most 1e12",
                                    row[0], least);
        snprintf(key, sizeof key, "temperature_table[%u][1]", i);
        if (!(row[1] >= SW_KWN_COLDEST && row[1] <= SW_KWN_HOTTEST))
            return sw_kwn_job_error(&job->setup, key, " = %.15g: need K, from 1 to 5000", row[1]);
    }
    if (!(job->temperature_table[job->temperature_table_count - 1][0] > 0))
        return sw_kwn_job_error(&job->setup, "temperature_table", " ends at 0 s: need an end after it");
    return SW_OK;
}

static sw_status read_history_file(sw_kwn_job *job)
{
    sw_kwn_setup *setup = &job->setup;
    if (sw_kwn_given(setup, "points"))
        return sw_kwn_job_error(setup, "points", " beside temperature_file: need only one of them");
    SW_TRY(sw_kwn_resolve_path(setup, &job->temperature_file));
    SW_TRY(sw_kwn_history_open(job->temperature_file, &setup->model, &job->history));
    setup->points = job->history.n_points;
    return SW_OK;
}

static sw_status make_history(sw_kwn_job *job)
{
    static const char *const keys[] = {"temperature", "temperature_table", "temperature_file"};
    sw_kwn_setup *setup = &job->setup;
    int chosen = -1;
    for (int i = 0; i < 3; i++) {
        if (!sw_kwn_given(setup, keys[i]))
            continue;
        if (chosen >= 0)
            return sw_kwn_job_error(setup, keys[i], " beside %s: need only one of them", keys[chosen]);
        chosen = i;
    }
    if (chosen < 0)
        return sw_kwn_job_error(setup, "temperature",
                                " is missing: need it, temperature_table or temperature_file");
    if (chosen > 0 && sw_kwn_given(setup, "initial_temperature"))
        return sw_kwn_job_error(setup, "initial_temperature", " beside %s: need only that, which has it",
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

/* ---- Times of the output ---- */

enum { MOST_TIMES = 1000000 };

/* Equal but for round-off: of k t / n, and of the powers of ten between decimals. */
static int same_time(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(a, b); }

static sw_status check_list(const sw_kwn_job *job, const char *list, unsigned count, const double *time)
{
    const double end = sw_kwn_history_end(&job->history);
    for (unsigned i = 0; i < count; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s[%u]", list, i);
        const double least = i == 0 ? 0 : time[i - 1];
        if (!(time[i] <= end * (1 + 1e-9) && (i == 0 ? time[i] >= 0 : time[i] > least)))
            return sw_kwn_job_error(&job->setup, key, " = %.15g: need %s%.15g s, at most %.15g", time[i],
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

/* Time number i of those asked for. */
static double time_asked(const sw_kwn_job *job, int64_t i)
{
    const double end = sw_kwn_history_end(&job->history);
    if (job->output.times_count > 0)
        return job->output.times[i];
    if (job->output.count > 0)
        return end * (double)(i + 1) / (double)job->output.count;
    return job->output.first * pow(10, (double)i / (double)job->output.per_decade);
}

static sw_status check_spacing(sw_kwn_job *job)
{
    static const sw_kwn_number rules[] = {
        {"per_decade", offsetof(sw_kwn_job, output.per_decade), 1, 1, 1000, 0, "1 <= per_decade <= 1000"},
        {"first", offsetof(sw_kwn_job, output.first), 0, 1e-9, SW_KWN_LONGEST, 0, "s, from 1e-9 to 1e12"},
        {"count", offsetof(sw_kwn_job, output.count), 1, 1, MOST_TIMES, 0, "1 <= count <= 1e6"},
    };
    static const char *const ways[] = {"output.times", "output.per_decade", "output.count"};
    const sw_kwn_setup *setup = &job->setup;
    int chosen = -1;
    SW_TRY(sw_kwn_check_numbers(setup, "output.", job, (int)CYAML_ARRAY_LEN(rules), rules));
    for (int i = 0; i < 3; i++)
        if (sw_kwn_given(setup, ways[i])) {
            if (chosen >= 0)
                return sw_kwn_job_error(setup, ways[i], " beside %s: need only one of them", ways[chosen]);
            chosen = i;
        }
    if ((chosen == 1) != sw_kwn_given(setup, "output.first"))
        return sw_kwn_job_error(setup, "output.first", "%s",
                                chosen == 1 ? " is missing: need it with per_decade"
                                            : ": goes with per_decade");
    const double end = sw_kwn_history_end(&job->history);
    if (chosen < 0) { /* about 100 */
        job->output.per_decade = 17;
        job->output.first = 1e-6 * end;
    }
    if (!(job->output.first <= end))
        return sw_kwn_job_error(setup, "output.first", " = %.15g: need at most the end, %.15g s",
                                job->output.first, end);
    return SW_OK;
}

static sw_status make_times(sw_kwn_job *job)
{
    SW_TRY(check_spacing(job));
    SW_TRY(check_list(job, "output.times", job->output.times_count, job->output.times));
    SW_TRY(
        check_list(job, "output.distributions", job->output.distributions_count, job->output.distributions));
    const double end = sw_kwn_history_end(&job->history);
    const int64_t asked =
        job->output.times_count > 0 ? (int64_t)job->output.times_count
        : job->output.count > 0
            ? job->output.count
            : (int64_t)fmax(0, ceil((double)job->output.per_decade * log10(end / job->output.first)));
    const int64_t most = asked + job->output.distributions_count + 3;
    SW_TRY(SW_ALLOCATE(job->time, most, "output times"));
    SW_TRY(SW_ALLOCATE(job->with_distribution, most, "output times"));
    insert_time(job, 0);
    for (int64_t i = 0; i < asked && time_asked(job, i) < end; i++)
        insert_time(job, time_asked(job, i));
    for (unsigned i = 0; i < job->output.distributions_count; i++)
        job->with_distribution[insert_time(job, fmin(job->output.distributions[i], end))] = 1;
    const int64_t last = insert_time(job, end);
    job->time[last] = end;
    if (!sw_kwn_given(&job->setup, "output.distributions"))
        job->with_distribution[last] = job->setup.points == 1;
    return SW_OK;
}

/* ---- Reading ---- */

sw_status sw_kwn_job_read(const char *path, const sw_kwn_overrides *overrides, sw_kwn_job **job)
{
    void *data;
    *job = NULL;
    SW_TRY(sw_kwn_setup_read(path, &job_schema, overrides, &data));
    sw_status status = make_history(data);
    if (status == SW_OK)
        status = make_times(data);
    if (status == SW_OK)
        *job = data;
    else
        sw_kwn_job_free(data);
    return status;
}

void sw_kwn_job_free(sw_kwn_job *job)
{
    if (job == NULL)
        return;
    sw_kwn_history_free(&job->history);
    free(job->time);
    free(job->with_distribution);
    sw_kwn_setup_free(&job_schema, job);
}
