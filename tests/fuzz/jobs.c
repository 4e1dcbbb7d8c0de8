/* Jobs: YAML files and what they name, read as the commands do, up to where work would begin. */
#include <stdlib.h>

#include "harness.h"
#include "online/dem/job/job.h"
#include "online/fem/job/job.h"
#include "online/forming/job.h"
#include "online/kwn/job/job.h"
#include "online/kwn/job/map_job.h"
#include "online/material_point/point_file.h"
#include "online/sweep/sweep_job.h"
#include "online/taylor/job.h"

static void read_taylor(const char *path)
{
    sw_taylor_job *job = NULL;
    if (sw_fuzz_is_read(sw_taylor_job_open(path, 0, NULL, &job)))
        sw_taylor_job_close(job);
}

static void read_sweep(const char *path)
{
    sw_sweep_job *job = NULL;
    if (sw_fuzz_is_read(sw_sweep_job_read(&(sw_arguments){.file = path}, &job)))
        sw_sweep_job_free(job);
}

static void read_kwn(const char *path)
{
    sw_kwn_job *job = NULL;
    if (sw_fuzz_is_read(sw_kwn_job_read(&(sw_arguments){.file = path}, &job)))
        sw_kwn_job_free(job);
}

static void read_map(const char *path)
{
    sw_kwn_map_job *job = NULL;
    if (sw_fuzz_is_read(sw_kwn_map_job_read(&(sw_arguments){.file = path}, &job)))
        sw_kwn_map_job_free(job);
}

static void read_forming(const char *path)
{
    sw_forming_job *job = NULL;
    if (sw_fuzz_is_read(sw_forming_job_open(&(sw_arguments){.file = path}, &job)))
        sw_forming_job_close(job);
}

/* Numbers of a list of a job, multiplied. */
static double product(const int64_t *number, int count)
{
    double all = 1;
    for (int i = 0; number != NULL && i < count; i++)
        all *= (double)number[i];
    return all;
}

/* Bodies of a few cells: any more are legal, and only take their time. */
static void read_fem(const char *path)
{
    const sw_arguments arguments = {.file = path};
    sw_fem_job *job = NULL;
    sw_job *source;
    void *values;
    if (!sw_fuzz_is_read(sw_job_read(sw_fem_keys, sizeof *job, &arguments, 1, &source, &values)))
        return;
    const sw_fem_job *keys = values;
    double most = product(keys->geometry.cells, keys->geometry.cells_count);
    most += product(keys->upsetting.cells, keys->upsetting.cells_count);
    for (int i = 0; i < keys->steps_count; i++)
        most += (double)keys->steps[i].increments;
    sw_job_close(source);
    if (most <= 20000 && sw_fuzz_is_read(sw_fem_job_read(&arguments, &job)))
        sw_fem_job_free(job);
}

/* Elements and particles likewise. */
static void read_dem(const char *path)
{
    const sw_arguments arguments = {.file = path};
    sw_dem_job *job = NULL;
    sw_job *source;
    void *values;
    if (!sw_fuzz_is_read(sw_job_read(sw_dem_keys, sizeof *job, &arguments, 1, &source, &values)))
        return;
    const sw_dem_job *keys = values;
    const double most = (double)keys->rves.count * (keys->rves.variations_count + 1.0);
    sw_job_close(source);
    if (most <= 1000 && sw_fuzz_is_read(sw_dem_job_read(&arguments, &job)))
        sw_dem_job_free(job);
}

static void read_point(const char *path)
{
    const sw_arguments arguments = {.file = path};
    sw_point_model *model = NULL;
    sw_job *source;
    void *values;
    if (!sw_fuzz_is_read(sw_job_read(sw_point_keys, sizeof(sw_point_file), &arguments, 1, &source, &values)))
        return;
    const sw_point_file *keys = values;
    const int64_t count = keys->crystals.count;
    sw_job_close(source);
    if (count <= 1000 && sw_fuzz_is_read(sw_point_file_open(&arguments, &model)))
        sw_point_model_close(model);
}

const sw_fuzz_harness sw_fuzz_jobs[] = {
    {.name = "taylor", .file = "input.yaml", .read = read_taylor, .keys = sw_taylor_keys},
    {.name = "sweep", .file = "input.yaml", .read = read_sweep, .keys = sw_sweep_keys},
    {.name = "kwn", .file = "input.yaml", .read = read_kwn, .keys = sw_kwn_keys},
    {.name = "kwn_map", .file = "input.yaml", .read = read_map, .keys = sw_kwn_map_keys},
    {.name = "fem", .file = "input.yaml", .read = read_fem, .keys = sw_fem_keys},
    {.name = "dem", .file = "input.yaml", .read = read_dem, .keys = sw_dem_keys},
    {.name = "forming", .file = "input.yaml", .read = read_forming, .keys = sw_forming_keys},
    {.name = "point", .file = "input.yaml", .read = read_point, .keys = sw_point_keys},
    {0}};
