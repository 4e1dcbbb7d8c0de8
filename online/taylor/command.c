#include <math.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/math/tensor.h"
#include "common/system/parallel.h"
#include "taylor.h"

static double von_mises(const double stress[3][3])
{
    double whole[3][3], deviator[3][3];
    memcpy(whole, stress, sizeof whole);
    sw_deviator(whole, deviator);
    return sqrt(1.5) * sw_norm(deviator);
}

static void print_summary(const char *file, const sw_taylor_summary *s)
{
    char name[SW_LINE];
    fprintf(
        sw_said(),
        "%s: %lld crystal%s in %lld step%s to a strain of %.4g: von Mises stress %.4g MPa, slip resistance "
        "%.4g MPa; %.2f s to set up, %.2f s of steps (%.3g crystal-steps/s)\n",
        sw_plain(file, name), (long long)s->crystals, s->crystals == 1 ? "" : "s", (long long)s->steps,
        s->steps == 1 ? "" : "s", s->strain, von_mises((const double(*)[3])s->cauchy_stress) / 1e6,
        s->slip_resistance / 1e6, s->setup_time, s->wall_time,
        (double)s->crystals * (double)s->steps / s->wall_time);
}

static sw_status run_command(const sw_arguments *arguments)
{
    sw_taylor_job *job;
    sw_taylor_summary summary;
    sw_status status =
        sw_parallel_agree(sw_taylor_job_open(arguments->file, arguments->n_options, arguments->option, &job));
    if (status == SW_OK)
        status = sw_taylor_run(job, &summary);
    if (status == SW_OK && sw_parallel_rank() == 0)
        print_summary(job->output.file, &summary);
    sw_taylor_job_close(job);
    return status;
}

static const sw_key_table files[] = {{"material", sw_material_keys}, {0}};

const sw_command sw_taylor_command = {
    .name = "taylor",
    .summary = "deform a Taylor polycrystal",
    .about =
        "Deform a Taylor polycrystal: stress, slip resistance and texture. Options override keys of the job "
        "file.",
    .argument = "JOB.yaml",
    .kind = "job file",
    .keys = sw_taylor_keys,
    .with_file = 1,
    .files = files,
    .run = run_command};
