/* Files of samples, as GrainLearning reads them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sample_files.h"

/* The curve of a sample, the mean over its elements, and their standard deviations (0 of one): curve and scatter
 * [n_control][columns], the control first. work is as large. SW_ERR_CONVERGENCE or SW_ERR_RANGE says what is wrong with an element. */
static sw_status make_curve(const sw_dem_job *job, sw_dem *dem, int64_t sample, int columns,
                            const int *quantity, double *curve, double *scatter, double *work)
{
    const int64_t count = job->rves.count, size = job->n_control * columns;
    memset(curve, 0, (size_t)size * sizeof *curve);
    memset(scatter, 0, (size_t)size * sizeof *scatter);
    for (int64_t k = 0; k < count; k++) {
        int64_t n = 0;
        const int64_t r = sample * count + k;
        const sw_dem_row *row = sw_dem_rows(dem, r, &n);
        SW_TRY(sw_dem_job_failure(job, dem, r));
        SW_TRY(
            sw_dem_sample_curve(n, row, quantity[0], job->n_control, job->control, columns, quantity, work));
        for (int64_t i = 0; i < size; i++) { /* squares about the mean so far: Welford */
            const double off = work[i] - curve[i];
            curve[i] += off / (double)(k + 1);
            scatter[i] += off * (work[i] - curve[i]);
        }
    }
    for (int64_t i = 0; i < size; i++)
        scatter[i] = count > 1 ? sqrt(scatter[i] / (double)(count - 1)) : 0;
    for (int64_t i = 0; i < job->n_control; i++)
        curve[i * columns] = scatter[i * columns] = job->control[i]; /* free of round-off */
    return SW_OK;
}

/* A sample's files. When it failed, zeros or none, and the status and message say why. */
static sw_status write_sample(const sw_dem_job *job, sw_dem *dem, int64_t sample, int columns,
                              const char *const *name, const int *quantity, double *curve, int64_t *failed)
{
    const int64_t size = job->n_control * columns;
    double *scatter = curve + size;
    const sw_status made = make_curve(job, dem, sample, columns, quantity, curve, scatter, scatter + size);
    char message[768], who[320];
    if (made != SW_OK) {
        snprintf(message, sizeof message, "%.700s", sw_error_message());
        sw_dem_job_name(job, sample * job->rves.count, who, sizeof who);
        ++*failed;
        memset(curve, 0, (size_t)(2 * size) * sizeof *curve);
        for (int64_t i = 0; i < job->n_control; i++)
            curve[i * columns] = scatter[i * columns] = job->control[i];
    }
    for (int64_t i = 0; i < 2 * size; i++) /* of curve and scatter */
        curve[i] /= job->quantity_size[i % columns];
    if (made == SW_OK || job->samples.zeros_on_failure)
        SW_TRY(sw_dem_sample_write(job->table, sample, job->samples.folder, columns, name, job->n_control,
                                   curve, job->rves.count > 1 ? scatter : NULL));
    return made == SW_OK ? SW_OK : sw_error(made, "%s: %s", who, message);
}

/* The files of all samples. first [size]: what is wrong with the first of those that failed. */
static sw_status write_all(const sw_dem_job *job, sw_dem *dem, int columns, const char *const *name,
                           double *curve, int64_t *failed, char *first, size_t size)
{
    for (int64_t i = 0; i < job->n_variants; i++) {
        const int64_t before = *failed;
        const sw_status status = write_sample(job, dem, i, columns, name, job->quantity, curve, failed);
        if (*failed == before || (status != SW_ERR_CONVERGENCE && status != SW_ERR_RANGE))
            SW_TRY(status);
        else if (first[0] == '\0') /* the others go on */
            snprintf(first, size, "%s", sw_error_message());
    }
    return SW_OK;
}

sw_status sw_dem_write_samples(const sw_dem_job *job, sw_dem *dem, int64_t *failed)
{
    const int columns = 1 + (int)job->samples.columns_count;
    const char **name;
    double *curve;
    char first[1024] = "";
    *failed = 0;
    if (job->table == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(name, columns, "names of columns"));
    for (int i = 0; i < columns; i++)
        name[i] = i == 0 ? job->samples.control : job->samples.columns[i - 1];
    sw_status status = SW_ALLOCATE(curve, 3 * job->n_control * columns, "curves of samples");
    if (status == SW_OK)
        status = write_all(job, dem, columns, name, curve, failed, first, sizeof first);
    free(curve);
    free(name);
    if (status == SW_OK && *failed > 0)
        (void)sw_error(SW_ERR_CONVERGENCE, "%s", first);
    return status;
}
