/* Points on the CPU: one thread follows one point through the whole call. */
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "online/kwn/backend/strategies.h"
#include "online/kwn/model/histogram_cpu.h"

typedef struct {
    sw_kwn_point *point; /* [N] */
    double *number;      /* [N][M][P] */
} cpu_work;

static int64_t histogram_length(const sw_kwn *kwn) { return kwn->axis.n_padded; }

static double *histogram(const sw_kwn *kwn, int64_t index, int phase)
{
    const cpu_work *work = kwn->work;
    return work->number + (index * kwn->alloy.n_phases + phase) * histogram_length(kwn);
}

static sw_status cpu_open(sw_kwn *kwn, const sw_kwn_point *point)
{
    cpu_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "the CPU's work"));
    kwn->work = work;
    SW_TRY(SW_ALLOCATE(work->point, kwn->n_points, "points"));
    SW_TRY(
        SW_ALLOCATE(work->number, kwn->n_points * kwn->alloy.n_phases * histogram_length(kwn), "histograms"));
    memcpy(work->point, point, (size_t)kwn->n_points * sizeof *point);
    return SW_OK;
}

static double number_in(const void *from, int32_t i) { return ((const double *)from)[i]; }

/* Double or halve the axis of a phase, from `number` by way of `spare` [P]. */
static void rescale(const sw_kwn *kwn, int p, sw_kwn_population *phase, int direction, double *number,
                    double *spare)
{
    const double factor = direction > 0 ? 2 : 0.5;
    double lost = 0;
    sw_kwn_sums sums;
    memcpy(spare, number, (size_t)histogram_length(kwn) * sizeof *number);
    for (int32_t j = 0; j < kwn->axis.n; j++)
        number[j] = sw_kwn_rescaled(&kwn->axis, factor, j, &lost, number_in, spare);
    sw_kwn_sum(&kwn->axis, number, factor * phase->scale / kwn->alloy.phase[p].shearable_radius, &sums);
    sw_kwn_rescaled_state(phase, factor, &sums, lost);
}

/* The state after a step, or before the first one. */
static void track(const sw_kwn *kwn, int64_t index, const sw_kwn_point *point)
{
    sw_kwn_track *t = &kwn->track[index];
    const double now = point->time, stress = sw_kwn_strength_of(&kwn->alloy, point).yield_stress;
    if (!t->seen || stress > t->top.stress[1])
        t->top = (sw_kwn_top){{t->seen ? t->time : now, now, INFINITY},
                              {t->seen ? t->stress : stress, stress, stress}};
    else if (isinf(t->top.time[2])) {
        t->top.time[2] = now;
        t->top.stress[2] = stress;
    }
    t->seen = 1;
    t->time = now;
    t->stress = stress;
}

/* Everything one point does in a call. spare [M][P]. */
static sw_status follow(const sw_kwn *kwn, const sw_kwn_schedule *schedule, int64_t index, double *spare,
                        sw_kwn_workspace *workspace)
{
    const cpu_work *work = kwn->work;
    const int64_t length = histogram_length(kwn);
    sw_kwn_point *point = &work->point[index];
    sw_kwn_trial trial;
    sw_kwn_sums sums[SW_KWN_PHASES];
    point->knot = 0;
    if (kwn->track != NULL && !kwn->track[index].seen)
        track(kwn, index, point);
    while (sw_kwn_begin(&kwn->alloy, &kwn->axis, &kwn->options.control, schedule, index, point, &trial)) {
        sw_kwn_verdict verdict;
        do {
            for (int p = 0; p < kwn->alloy.n_phases; p++) {
                sw_kwn_prepare(&kwn->alloy, &kwn->axis, point, &trial, p);
                sw_kwn_histogram_step(&kwn->axis, &trial.growth[p], kwn->options.flux,
                                      histogram(kwn, index, p), spare + p * length, workspace, &sums[p]);
            }
            verdict = sw_kwn_judge(&kwn->alloy, &kwn->options.control, point, &trial, sums);
        } while (verdict == SW_KWN_AGAIN);
        for (int p = 0; p < kwn->alloy.n_phases && verdict == SW_KWN_DONE; p++) {
            double *number = histogram(kwn, index, p);
            memcpy(number, spare + p * length, (size_t)length * sizeof *number);
            const int direction = sw_kwn_rescale(&kwn->axis, &point->phase[p], &sums[p]);
            if (direction != 0)
                rescale(kwn, p, &point->phase[p], direction, number, spare + p * length);
        }
        if (kwn->track != NULL && verdict == SW_KWN_DONE)
            track(kwn, index, point);
        if (point->steps % 64 == 0)
            SW_TRY(sw_interrupt_check());
    }
    return point->failed ? sw_kwn_failure(index, point) : SW_OK;
}

/* The first failure stays, with its message, for the thread that waits. */
static void keep_failure(sw_kwn *kwn, sw_status status)
{
    if (status == SW_OK)
        return;
#pragma omp critical(sw_kwn_failure)
    if (kwn->status == SW_OK) {
        kwn->status = status;
        strncpy(kwn->message, sw_error_message(), sizeof kwn->message - 1);
    }
}

static sw_status cpu_run(sw_kwn *kwn)
{
#pragma omp parallel num_threads(kwn->n_points < kwn->n_threads ? (int)kwn->n_points : kwn->n_threads)
    {
        sw_kwn_workspace *workspace = NULL;
        double *spare = NULL;
        sw_status status = sw_kwn_workspace_make(histogram_length(kwn), &workspace);
        if (status == SW_OK)
            status = SW_ALLOCATE(spare, kwn->alloy.n_phases * histogram_length(kwn), "a spare histogram");
        keep_failure(kwn, status);
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < kwn->n_points; i++)
            if (status == SW_OK) {
                status = follow(kwn, &kwn->schedule, i, spare, workspace);
                keep_failure(kwn, status);
            }
        free(spare);
        sw_kwn_workspace_free(workspace);
    }
    return kwn->status == SW_OK ? SW_OK : sw_error(kwn->status, "%s", kwn->message);
}

static void cpu_close(sw_kwn *kwn)
{
    cpu_work *work = kwn->work;
    if (work == NULL)
        return;
    free(work->point);
    free(work->number);
    free(work);
}

static sw_status cpu_read_points(sw_kwn *kwn, int64_t first, int64_t count, sw_kwn_point *point)
{
    const cpu_work *work = kwn->work;
    memcpy(point, work->point + first, (size_t)count * sizeof *point);
    return SW_OK;
}

static sw_status cpu_write_point(sw_kwn *kwn, int64_t index, const sw_kwn_point *point)
{
    const cpu_work *work = kwn->work;
    work->point[index] = *point;
    return SW_OK;
}

static sw_status cpu_read_classes(sw_kwn *kwn, int64_t first, int64_t count, int phase, double *number)
{
    const int64_t n = kwn->axis.n;
    for (int64_t i = 0; i < count; i++)
        memcpy(number + i * n, histogram(kwn, first + i, phase), (size_t)n * sizeof *number);
    return SW_OK;
}

static sw_status cpu_read_areas(sw_kwn *kwn, int64_t first, int64_t count, double *area)
{
    const cpu_work *work = kwn->work;
    const int phases = kwn->alloy.n_phases;
    for (int64_t k = 0; k < count * phases; k++) {
        const int64_t index = first + k / phases;
        const int p = (int)(k % phases);
        const double *number = histogram(kwn, index, p);
        double squares = 0;
        for (int32_t i = 0; i < kwn->axis.n; i++)
            squares += number[i] * kwn->axis.pivot[i] * kwn->axis.pivot[i];
        area[k] = sw_kwn_area_of(&work->point[index].phase[p], squares);
    }
    return SW_OK;
}

static sw_status cpu_write_classes(sw_kwn *kwn, int64_t index, int phase, const double *number)
{
    memcpy(histogram(kwn, index, phase), number, (size_t)kwn->axis.n * sizeof *number);
    return SW_OK;
}

const sw_kwn_backend sw_kwn_cpu = {cpu_open,        cpu_close,        cpu_run,        cpu_read_points,
                                   cpu_write_point, cpu_read_classes, cpu_read_areas, cpu_write_classes};
