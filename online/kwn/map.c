#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/files/hdf5_io.h"
#include "common/system/progress.h"
#include "online/kwn/backend/backend.h"
#include "online/kwn/model/mobility.h"
#include "online/kwn/output/output.h"
#include "watch.h"

/* N trajectories, each looked at K times: record [N][K][C], which is the map's [n1][n2][C]. */
typedef struct {
    const sw_kwn_map_job *job;
    int64_t n_points, n_samples, record; /* N, K, C */
    double begin;                        /* s: end of the pretreatment, from which times count */
    double *records;                     /* [N][K][C] */
    sw_kwn_top *top;                     /* [N] */
    int *followed;                       /* [N] whether top is that of its steps */
    int64_t done;                        /* records there are */
    sw_kwn_watch watch;
    sw_kwn_work work;
    sw_claim claim; /* on the file */
    sw_progress progress;
} map;

static const sw_kwn_alloy *alloy_of(const map *m) { return &m->job->setup.model; }
static int64_t count_of(const map *m, sw_kwn_map_axis axis) { return m->job->axis[axis].count; }

/* ---- Trajectories ---- */

/* When a point is looked at for the k-th time, s. */
static double sample_time(const map *m, int64_t point, int64_t k)
{
    const sw_kwn_map_job *job = m->job;
    if (job->first == SW_MAP_CONCENTRATION)
        return job->duration;
    if (job->first == SW_MAP_COOLING_RATE)
        return (job->start_temperature - job->value[SW_MAP_TEMPERATURE][k]) /
               job->value[SW_MAP_COOLING_RATE][point];
    return job->value[SW_MAP_TIME][k];
}

/* K, at a time after the pretreatment. */
static double temperature_at(const map *m, int64_t point, double time)
{
    const sw_kwn_map_job *job = m->job;
    const double *temperature = job->value[SW_MAP_TEMPERATURE];
    if (job->first == SW_MAP_CONCENTRATION)
        return temperature[point % count_of(m, SW_MAP_TEMPERATURE)];
    if (job->first == SW_MAP_COOLING_RATE)
        return fmax(job->axis[SW_MAP_TEMPERATURE].to,
                    job->start_temperature - job->value[SW_MAP_COOLING_RATE][point] * time);
    return temperature[point];
}

/* composition [count][S] of points first ..., or *composition = NULL when all have the alloy's. */
static sw_status make_compositions(const map *m, int64_t first, int64_t count, double **composition)
{
    const sw_kwn_map_job *job = m->job;
    const sw_kwn_alloy *alloy = alloy_of(m);
    *composition = NULL;
    if (job->first != SW_MAP_CONCENTRATION)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(*composition, count * alloy->n_solutes, "compositions"));
    for (int64_t i = 0; i < count; i++) {
        double *c = *composition + i * alloy->n_solutes;
        for (int s = 0; s < alloy->n_solutes; s++)
            c[s] = alloy->solute[s].concentration;
        sw_kwn_from_fractions(alloy, c, c);
        c[job->solute_index] =
            job->value[SW_MAP_CONCENTRATION][(first + i) / count_of(m, SW_MAP_TEMPERATURE)];
        sw_kwn_to_fractions(alloy, c, c);
    }
    return SW_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The times at which any of the points is looked at, ascending: stop [*n], caller's. Only cooling rates
 * differ in them. */
static sw_status list_stops(const map *m, int64_t first, int64_t count, double **stop, int64_t *n)
{
    const int64_t different = m->job->first == SW_MAP_COOLING_RATE ? count : 1;
    SW_TRY(SW_ALLOCATE(*stop, different * m->n_samples, "times"));
    for (int64_t i = 0; i < different; i++)
        for (int64_t k = 0; k < m->n_samples; k++)
            (*stop)[i * m->n_samples + k] = sample_time(m, first + i, k);
    qsort(*stop, (size_t)(different * m->n_samples), sizeof **stop, ascending);
    *n = 1;
    for (int64_t i = 1; i < different * m->n_samples; i++)
        if ((*stop)[i] > (*stop)[*n - 1] * (1 + 1e-9))
            (*stop)[(*n)++] = (*stop)[i];
    return SW_OK;
}

/* ---- A block of points ---- */

typedef struct {
    int64_t first, count;
    double *composition; /* [count][S] or NULL */
    double *stop;        /* [n_stops] s */
    int64_t n_stops;
    int64_t *next;       /* [count] sample that comes next */
    float *temperature;  /* [2][count] at the stop before and at this one */
    sw_kwn_point *point; /* [count] */
    double *area;        /* [count][M] of interfaces, m^2/m^3 */
    sw_kwn *kwn;
} block;

static sw_status open_block(const map *m, block *b)
{
    const sw_kwn_map_job *job = m->job;
    SW_TRY(make_compositions(m, b->first, b->count, &b->composition));
    SW_TRY(list_stops(m, b->first, b->count, &b->stop, &b->n_stops));
    SW_TRY(SW_ALLOCATE(b->next, b->count, "points"));
    SW_TRY(SW_ALLOCATE(b->temperature, 2 * b->count, "temperatures"));
    SW_TRY(SW_ALLOCATE(b->point, b->count, "points"));
    SW_TRY(SW_ALLOCATE(b->area, b->count * alloy_of(m)->n_phases, "points"));
    SW_TRY(sw_kwn_start(&job->setup, b->count, b->composition, job->setup.initial_temperature, &b->kwn));
    if (job->history.n_knots > 0)
        SW_TRY(sw_kwn_follow(b->kwn, job->history.n_knots, job->history.time, job->history.temperature, 0));
    return job->kind == SW_MAP_AGEING ? sw_kwn_follow_peaks(b->kwn) : SW_OK;
}

static void close_block(block *b)
{
    sw_kwn_close(b->kwn);
    free(b->composition);
    free(b->stop);
    free(b->next);
    free(b->temperature);
    free(b->point);
    free(b->area);
}

static sw_status advance(const map *m, block *b, double from, double to)
{
    const double time[2] = {m->begin + from, m->begin + to};
    for (int64_t i = 0; i < b->count; i++) {
        b->temperature[i] = (float)temperature_at(m, b->first + i, from);
        b->temperature[b->count + i] = (float)temperature_at(m, b->first + i, to);
    }
    return sw_kwn_follow(b->kwn, 2, time, b->temperature, 1);
}

/* The points whose next sample is due. */
static void record_samples(map *m, block *b, double time)
{
    for (int64_t i = 0; i < b->count; i++)
        for (; b->next[i] < m->n_samples && sample_time(m, b->first + i, b->next[i]) <= time * (1 + 1e-9);
             m->done++)
            sw_kwn_record_fill(alloy_of(m), &b->point[i], b->area + i * alloy_of(m)->n_phases,
                               temperature_at(m, b->first + i, time),
                               m->records + ((b->first + i) * m->n_samples + b->next[i]++) * m->record);
}

static sw_status follow(map *m, block *b)
{
    double now = 0;
    for (int64_t s = 0; s < b->n_stops; s++) {
        SW_TRY(sw_interrupt_check());
        if (b->stop[s] > now)
            SW_TRY(advance(m, b, now, b->stop[s]));
        now = b->stop[s];
        SW_TRY(sw_kwn_read(b->kwn, 0, b->count, b->point));
        SW_TRY(sw_kwn_read_interface_area(b->kwn, 0, b->count, b->area));
        sw_kwn_watch_points(alloy_of(m), sw_kwn_axis_of(b->kwn), b->count, b->point, &m->watch);
        record_samples(m, b, now);
        sw_progress_show(&m->progress, m->done);
    }
    for (int64_t i = 0; i < b->count; i++) {
        m->followed[b->first + i] = sw_kwn_read_top(b->kwn, i, &m->top[b->first + i]);
        m->work.steps += (double)b->point[i].steps;
        m->work.iterations += (double)b->point[i].iterations;
    }
    return SW_OK;
}

static sw_status compute(map *m)
{
    const int on_gpu = sw_kwn_on_gpu(m->job->setup.options.strategy);
    const int64_t most = on_gpu ? 1 << 17 : 4096; /* 4096 points of 256 classes: 8 MB a phase */
    const double started = sw_seconds();
    sw_status status = SW_OK;
    sw_progress_begin(&m->progress, "kwn map", "records", m->n_points * m->n_samples,
                      m->job->setup.run.quiet);
    for (int64_t first = 0; first < m->n_points && status == SW_OK; first += most) {
        block b = {.first = first, .count = m->n_points - first < most ? m->n_points - first : most};
        status = open_block(m, &b);
        if (status == SW_OK)
            status = follow(m, &b);
        close_block(&b);
    }
    m->work.seconds = sw_seconds() - started;
    SW_TRY(status);
    sw_progress_end(&m->progress);
    return SW_OK;
}

/* Where no solute moves at any point, after the pretreatment: maps have cold corners, but more than these. */
static void watch_movement(map *m)
{
    double longest = 0, moved = 0;
    for (int64_t i = 0; i < m->n_points; i++) {
        const double time[2] = {0, sample_time(m, i, m->n_samples - 1)};
        const float temperature[2] = {(float)temperature_at(m, i, 0), (float)temperature_at(m, i, time[1])};
        longest = fmax(longest, time[1]);
        moved = fmax(moved, sw_kwn_most_moved(alloy_of(m), 2, time, temperature, 1));
    }
    if (!sw_kwn_is_frozen(alloy_of(m), longest, moved))
        return;
    m->watch.points = m->watch.frozen = (double)m->n_points;
    m->watch.most_moved = moved;
}

/* ---- What follows from the records ---- */

static double value_of(const map *m, int64_t point, int64_t k, const char *name, int index)
{
    return m
        ->records[(point * m->n_samples + k) * m->record + sw_kwn_record_place(alloy_of(m), name) + index];
}

static double largest_fraction(const map *m, int64_t first, int64_t count, int phase)
{
    double largest = 0;
    for (int64_t n = first; n < first + count; n++)
        for (int64_t k = 0; k < m->n_samples; k++)
            largest = fmax(largest, value_of(m, n, k, "volume_fraction", phase));
    return largest;
}

static sw_status write_set(hid_t file, const char *name, const char *unit, int rank, const int64_t *shape,
                           const double *data)
{
    hid_t set;
    SW_TRY(sw_h5_create_set(file, name, H5T_NATIVE_DOUBLE, rank, shape, &set));
    sw_status status = sw_h5_write_text(set, "unit", unit);
    if (status == SW_OK)
        status = sw_h5_write_rows(set, H5T_NATIVE_DOUBLE, 0, shape[0], data);
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

/* Volume fraction of a phase alone in equilibrium without curvature, at a temperature: where Q = K, by
 * bisection. */
static double equilibrium_fraction(const sw_kwn_alloy *alloy, const double *total, int p, double temperature)
{
    const sw_kwn_phase *phase = &alloy->phase[p];
    double low = 0, high = 1, matrix[SW_KWN_SOLUTES];
    for (int i = 0; i < alloy->n_solutes; i++)
        if (phase->concentration[i] > 0)
            high = fmin(high, total[i] / phase->concentration[i]);
    for (int k = 0; k < 60; k++) {
        const double f = 0.5 * (low + high);
        for (int i = 0; i < alloy->n_solutes; i++)
            matrix[i] = (total[i] - f * phase->concentration[i]) / (1 - f);
        if (sw_kwn_driving(alloy, phase, matrix, temperature) > 0)
            low = f;
        else
            high = f;
    }
    return low;
}

/* f over that of equilibrium at the temperature: fraction_transformed [n1][n2][M]. */
static sw_status write_transformed(const map *m, hid_t file)
{
    const int64_t shape[3] = {m->n_points, m->n_samples, alloy_of(m)->n_phases};
    const sw_kwn_alloy *alloy = alloy_of(m);
    double *transformed, total[SW_KWN_SOLUTES];
    SW_TRY(SW_ALLOCATE(transformed, shape[0] * shape[1] * shape[2], "results"));
    for (int i = 0; i < alloy->n_solutes; i++)
        total[i] = alloy->solute[i].concentration;
    for (int64_t n = 0; n < shape[0]; n++)
        for (int p = 0; p < shape[2]; p++) {
            const double whole =
                equilibrium_fraction(alloy, total, p, temperature_at(m, n, sample_time(m, n, 0)));
            for (int64_t k = 0; k < shape[1] && whole > 0; k++)
                transformed[(n * shape[1] + k) * shape[2] + p] =
                    value_of(m, n, k, "volume_fraction", p) / whole;
        }
    const sw_status status = write_set(file, "map/fraction_transformed", "1", 3, shape, transformed);
    free(transformed);
    return status;
}

/* When the yield stress is largest at each temperature, with the stress and the hardness there, and what is known of the time: [n1]. */
static sw_status write_peaks(const map *m, hid_t file)
{
    enum { SETS = 6 };
    static const char *const names[SETS][2] = {{"peak/time", "s"},      {"peak/yield_stress", "Pa"},
                                               {"peak/hardness", "HV"}, {"peak/fitted", "1"},
                                               {"peak/from", "s"},      {"peak/to", "s"}};
    const int64_t yield = sw_kwn_record_place(alloy_of(m), "yield_stress");
    const sw_kwn_strength *s = &alloy_of(m)->strength;
    double *peak;
    sw_status status = SW_ALLOCATE(peak, SETS * m->n_points, "results");
    for (int64_t n = 0; n < m->n_points && status == SW_OK; n++) {
        const double *record = m->records + n * m->n_samples * m->record;
        sw_kwn_top steps = m->top[n];
        const int of_steps = m->followed[n];
        for (int k = 0; k < 3; k++)
            steps.time[k] -= m->begin;
        const sw_kwn_peak top =
            of_steps ? sw_kwn_peak_of_steps(&steps)
                     : sw_kwn_find_peak(m->n_samples, m->job->value[SW_MAP_TIME], record + yield, m->record);
        const double stress = of_steps ? sw_kwn_at_peak(&top, steps.stress, 1)
                                       : sw_kwn_at_peak(&top, record + yield, m->record);
        const double found[SETS] = {top.time,   stress,   s->hardness_slope * stress + s->hardness_intercept,
                                    top.fitted, top.from, top.to};
        for (int i = 0; i < SETS; i++)
            peak[i * m->n_points + n] = found[i];
    }
    for (int i = 0; i < SETS && status == SW_OK; i++)
        status = write_set(file, names[i][0], names[i][1], 1, &m->n_points, peak + i * m->n_points);
    free(peak);
    return status;
}

/* Where f of a phase first reaches a value on cooling; NaN when it does not. Between samples ln f is linear:
 * where particles start to form f is tenfold every few kelvins. */
static double temperature_of_fraction(const map *m, int64_t point, int phase, double fraction)
{
    const double *temperature = m->job->value[SW_MAP_TEMPERATURE];
    for (int64_t k = 0; k < m->n_samples && fraction > 0; k++) {
        const double f = value_of(m, point, k, "volume_fraction", phase);
        if (!(f >= fraction))
            continue;
        const double before = k > 0 ? value_of(m, point, k - 1, "volume_fraction", phase) : f;
        const double place = f > before && before > 0 ? log(f / fraction) / log(f / before) : 0;
        return temperature[k] + place * (temperature[k > 0 ? k - 1 : 0] - temperature[k]);
    }
    return NAN;
}

/* Start: 1 % of the largest f of any rate. Finish: 99 % of the rate's own largest, once started. [n1][M] */
static sw_status write_start_and_finish(const map *m, hid_t file)
{
    const int64_t shape[2] = {m->n_points, alloy_of(m)->n_phases}, size = shape[0] * shape[1];
    double *start;
    SW_TRY(SW_ALLOCATE(start, 2 * size, "results"));
    for (int p = 0; p < shape[1]; p++) {
        const double largest = largest_fraction(m, 0, m->n_points, p);
        for (int64_t n = 0; n < shape[0]; n++) {
            const int64_t i = n * shape[1] + p;
            start[i] = temperature_of_fraction(m, n, p, 0.01 * largest);
            start[size + i] =
                isnan(start[i]) ? NAN : temperature_of_fraction(m, n, p, 0.99 * largest_fraction(m, n, 1, p));
        }
    }
    sw_status status = write_set(file, "map/start_temperature", "K", 2, shape, start);
    if (status == SW_OK)
        status = write_set(file, "map/finish_temperature", "K", 2, shape, start + size);
    free(start);
    return status;
}

/* ---- The results file ---- */

static sw_status write_axes(const map *m, hid_t file)
{
    const sw_kwn_map_axis axes[2] = {m->job->first, m->job->second};
    const double version = 1;
    char names[64];
    snprintf(names, sizeof names, "%s,%s", sw_kwn_map_axes[axes[0]].name, sw_kwn_map_axes[axes[1]].name);
    SW_TRY(sw_h5_write_text(file, "format", "slipwave-kwn-map"));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_h5_write_text(file, "kind", sw_kwn_map_kind_name(m->job->kind)));
    SW_TRY(sw_h5_write_text(file, "axes", names));
    for (int i = 0; i < 2; i++) {
        const sw_kwn_axis_traits *traits = &sw_kwn_map_axes[axes[i]];
        char name[64];
        snprintf(name, sizeof name, "axes/%s", traits->name);
        SW_TRY(write_set(file, name, *traits->unit ? traits->unit : "as in the alloy file", 1,
                         &m->job->axis[axes[i]].count, m->job->value[axes[i]]));
    }
    if (m->job->first != SW_MAP_CONCENTRATION)
        return SW_OK;
    SW_TRY(sw_h5_write_text(file, "solute", m->job->solute));
    return sw_h5_write_numbers(file, "duration", 1, &m->job->duration);
}

static sw_status write_fields(const map *m, hid_t file)
{
    const int64_t n1 = count_of(m, m->job->first), n2 = count_of(m, m->job->second);
    sw_kwn_tables tables;
    sw_status status = sw_kwn_tables_create(file, "map", alloy_of(m), n1, n2, &tables);
    if (status == SW_OK)
        status = sw_kwn_tables_write(&tables, alloy_of(m), 0, n1, m->records);
    const sw_status closed = sw_kwn_tables_close(&tables);
    return status != SW_OK ? status : closed;
}

static sw_status write_results(const map *m, hid_t file)
{
    static sw_status (*const derived[])(const map *m, hid_t file) = {[SW_MAP_TTP] = write_transformed,
                                                                     [SW_MAP_AGEING] = write_peaks,
                                                                     [SW_MAP_CCT] = write_start_and_finish,
                                                                     [SW_MAP_WINDOW] = NULL};
    SW_TRY(write_axes(m, file));
    SW_TRY(sw_kwn_write_alloy(file, &m->job->setup));
    SW_TRY(sw_kwn_write_setup(file, &m->job->setup));
    SW_TRY(sw_kwn_write_work(file, &m->job->setup, &m->work));
    SW_TRY(write_fields(m, file));
    return derived[m->job->kind] == NULL ? SW_OK : derived[m->job->kind](m, file);
}

static sw_status run_map(map *m, sw_h5_output *output)
{
    SW_TRY(sw_h5_claim(m->job->setup.output_file, &m->claim));
    SW_TRY(sw_h5_begin(m->job->setup.output_file, output));
    SW_TRY(SW_ALLOCATE(m->records, m->n_points * m->n_samples * m->record, "results"));
    SW_TRY(SW_ALLOCATE(m->top, m->n_points, "results"));
    SW_TRY(SW_ALLOCATE(m->followed, m->n_points, "results"));
    SW_TRY(compute(m));
    watch_movement(m);
    SW_TRY(write_results(m, output->file));
    return sw_h5_commit(output);
}

sw_status sw_kwn_map_run(const sw_kwn_map_job *job)
{
    map m = {.job = job, .n_points = job->setup.points, .record = sw_kwn_record_size(&job->setup.model)};
    sw_h5_output output = {.file = H5I_INVALID_HID};
    char name[SW_LINE];
    m.n_samples = job->first == SW_MAP_CONCENTRATION ? 1 : job->axis[job->second].count;
    m.begin = job->history.n_knots > 0 ? sw_kwn_history_end(&job->history) : 0;
    const sw_status status = run_map(&m, &output);
    sw_h5_abandon(&output);
    sw_claim_release(&m.claim);
    free(m.records);
    free(m.top);
    free(m.followed);
    if (status == SW_OK)
        sw_kwn_watch_tell(&job->setup, &m.watch);
    if (status == SW_OK)
        fprintf(sw_said(), "%s: %s, %" PRId64 " %s x %" PRId64 " %s\n",
                sw_plain(job->setup.output_file, name), sw_kwn_map_kind_name(job->kind),
                job->axis[job->first].count, sw_kwn_map_axes[job->first].name, job->axis[job->second].count,
                sw_kwn_map_axes[job->second].name);
    return status;
}
