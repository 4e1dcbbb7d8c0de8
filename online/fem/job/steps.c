/* Steps of a job: how many increments, and what factors have at their ends. */
#include "parts.h"

/* ---- Keys ---- */

enum { MOST_INCREMENTS = 1000000 };

const sw_key sw_fem_step_keys[] = {
    {SW_REAL("factor", sw_fem_job_step, factor, -1e9, 1e9), .needed = 1, .option = "factor",
     .help = "multiplier of loads and prescribed values at the step's end, from 0 before the first; the "
             "option sets "
             "the last step's"},
    {SW_WHOLE("increments", sw_fem_job_step, increments, 1, MOST_INCREMENTS), .standard = 1,
     .help = "parts of equal size, after each of which results are kept; at most 1e6 in all"},
    {SW_REAL("time", sw_fem_job_step, time, 1e-12, 1e15), .unit = "s", .standard = 1,
     .help = "that the step takes; only crystals and materials with `rate` feel it"},
    SW_KEYS_END};

/* ---- Reading ---- */

sw_status sw_fem_make_steps(sw_fem_job *job)
{
    if (job->steps_count == 0) {
        SW_TRY(SW_FEM_TAKE(job, job->steps, 1, "steps"));
        job->steps[0] = (sw_fem_job_step){.factor = 1, .time = 1, .increments = 1};
        job->steps_count = 1;
    }
    for (int s = 0; s < job->steps_count; s++)
        job->n_increments += job->steps[s].increments;
    if (job->n_increments > MOST_INCREMENTS)
        return sw_job_error(job->source, "steps", ": %lld increments in all: need at most 1e6",
                            (long long)job->n_increments);
    SW_TRY(SW_FEM_TAKE(job, job->step_of, job->n_increments, "increments"));
    SW_TRY(SW_FEM_TAKE(job, job->duration, job->n_increments, "increments"));
    SW_TRY(SW_FEM_TAKE(job, job->end, job->n_increments, "increments"));
    for (int64_t s = 0, i = 0; s < job->steps_count; s++)
        for (int64_t k = 0; k < job->steps[s].increments; k++, i++) {
            job->step_of[i] = (int32_t)(s + 1);
            job->duration[i] = job->steps[s].time / (double)job->steps[s].increments;
            job->end[i] = job->duration[i] + (i > 0 ? job->end[i - 1] : 0);
        }
    return SW_OK;
}

sw_status sw_fem_follow_steps(const sw_fem_job *job, const char *prefix, const double *factors, int count,
                              sw_fem_entry *entry)
{
    char key[SW_KEY_SIZE];
    if (count > 0 && count != job->steps_count)
        return sw_job_error(job->source, sw_key_path(key, "%sfactors", prefix),
                            " has %d numbers: need %d, one a step", count, job->steps_count);
    SW_TRY(SW_FEM_TAKE(job, entry->of_step, job->steps_count, "factors"));
    SW_TRY(SW_FEM_TAKE(job, entry->factor, job->n_increments, "factors"));
    double from = 0;
    for (int64_t s = 0, i = 0; s < job->steps_count; s++) {
        const double to = count > 0 ? factors[s] : job->steps[s].factor;
        const int64_t parts = job->steps[s].increments;
        for (int64_t k = 1; k <= parts; k++)
            entry->factor[i++] = k == parts ? to : from + (to - from) * (double)k / (double)parts;
        entry->of_step[s] = from = to;
    }
    return SW_OK;
}
