#include "population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crystal_file.h"
#include "common/system/parallel.h"
#include "common/math/rotation.h"

const char *const sw_texture_names[] = {"random"};

sw_status sw_crystals_check(const sw_job *job, const char *prefix, const sw_crystals_source *source)
{
    static const char *const with_count[] = {"count", "texture", "seed"};
    char key[SW_KEY_SIZE];
    const int has_file = sw_job_given(job, sw_key_path(key, "%sfile", prefix));
    for (size_t i = 0; i < sizeof with_count / sizeof *with_count && has_file; i++)
        if (sw_job_given(job, sw_key_path(key, "%s%s", prefix, with_count[i])))
            return sw_job_error(job, key, " beside %sfile: need only one of them", prefix);
    if (has_file)
        return SW_OK;
    if (!sw_job_given(job, sw_key_path(key, "%scount", prefix)))
        return sw_job_error(job, key, " is missing: need %scount or %sfile", prefix, prefix);
    if (source->phase != NULL)
        return sw_job_error(job, sw_key_path(key, "%sphase", prefix), " = %.80s: random crystals have none",
                            source->phase);
    return SW_OK;
}

/* Angles in the ranges of rotation.h, in single precision too. */
static void set_euler(const double given[3], float euler[3])
{
    double angle[3];
    for (int i = 0; i < 3; i++)
        angle[i] = sw_wrap_angle(given[i]);
    if (angle[1] > SW_PI) { /* the same rotation */
        angle[0] = sw_wrap_angle(angle[0] + SW_PI);
        angle[1] = 2 * SW_PI - angle[1];
        angle[2] = sw_wrap_angle(angle[2] + SW_PI);
    }
    for (int i = 0; i < 3; i++)
        euler[i] = (float)angle[i] < (float)(2 * SW_PI) ? (float)angle[i] : 0;
}

/* n >= 1 crystals whose angles are given. */
static sw_status set_angles(const sw_population *p, const double (*euler)[3], double slip_resistance)
{
    const int64_t chunk = p->count < SW_POPULATION_CHUNK ? p->count : SW_POPULATION_CHUNK;
    sw_crystal *part;
    SW_TRY(SW_ALLOCATE(part, chunk, "crystals"));
    sw_status status = SW_OK;
    for (int64_t done = 0; done < p->count && status == SW_OK; done += chunk) {
        const int64_t n = p->count - done < chunk ? p->count - done : chunk;
        for (int64_t k = 0; k < n; k++) {
            set_euler(euler[done + k], part[k].euler);
            part[k].slip_resistance = (float)slip_resistance;
        }
        status = sw_crystals_copy(p->device, n, p->crystal + done, part);
    }
    free(part);
    return status;
}

/* This rank's part of the weights [N], and what is to be known of all. */
static sw_status set_weights(sw_population *p, const float *weight, float *own)
{
    double squares = 0;
    p->weight_here = p->weight_in_all = p->heaviest = 0;
    for (int64_t n = 0; n < p->total; n++) {
        const double w = weight[n];
        p->weight_here += n >= p->first && n < p->first + p->count ? w : 0;
        p->weight_in_all += w;
        squares += w * w;
        p->heaviest = fmaxf(p->heaviest, weight[n]);
    }
    p->effective = p->weight_in_all * p->weight_in_all / squares;
    p->weight = own;
    return sw_numbers_copy(p->device, p->count, own, weight + p->first);
}

/* Room for this rank's crystals, and their weights when the list has any. */
static sw_status allocate(sw_population *p, const sw_crystal_list *list)
{
    const int64_t room = p->count > 0 ? p->count : 1;
    float *own;
    p->weight_here = (double)p->count;
    p->weight_in_all = p->effective = (double)p->total;
    p->heaviest = 1;
    if (list->weight == NULL)
        return sw_crystals_allocate(p->device, room, &p->crystal);
    SW_TRY(sw_crystals_allocate_weighted(p->device, room, &p->crystal, &own));
    return set_weights(p, list->weight, own);
}

sw_status sw_population_create(const sw_crystals_source *source, sw_device device, double slip_resistance,
                               sw_population *population)
{
    sw_population *p = population;
    sw_crystal_list list = {.count = source->count};
    if (source->file != NULL)
        SW_TRY(sw_crystal_file_read(source->file, source->phase, &list));
    *p = (sw_population){
        .device = device, .total = list.count, .skipped = list.skipped, .others = list.others};
    memcpy(p->phase, list.phase, sizeof p->phase);
    p->first = sw_parallel_slice(p->total, &p->count);
    sw_status status = allocate(p, &list);
    if (status == SW_OK && p->count > 0)
        status = list.euler != NULL
                     ? set_angles(p, (const double(*)[3])list.euler + p->first, slip_resistance)
                     : sw_crystals_randomise(device, p->count, p->crystal, source->seed, p->first,
                                             (float)slip_resistance);
    free(list.euler);
    free(list.weight);
    return status;
}

/* ---- A caller's ---- */

static sw_status check_crystal(int64_t n, const sw_crystal *crystal)
{
    const float sum = crystal->euler[0] + crystal->euler[1] + crystal->euler[2], s = crystal->slip_resistance;
    if (!isfinite(sum))
        return sw_error(SW_ERR_RANGE, "crystal %lld: need finite angles", (long long)n);
    return s > 0 && isfinite(s) ? SW_OK
                                : sw_error(SW_ERR_RANGE, "crystal %lld: slip resistance = %g Pa: need > 0",
                                           (long long)n, (double)s);
}

/* 1 on average -> own [N]. */
static sw_status scale_weights(int64_t n_crystals, const float *weight, float *own)
{
    double sum = 0;
    for (int64_t n = 0; n < n_crystals; n++) {
        if (!(weight[n] >= 0) || !isfinite(weight[n]))
            return sw_error(SW_ERR_RANGE, "weight %lld = %g: need >= 0", (long long)n, (double)weight[n]);
        sum += weight[n];
    }
    if (!(sum > 0))
        return sw_error(SW_ERR_RANGE, "weights: all are 0: need one that is not");
    for (int64_t n = 0; n < n_crystals; n++)
        own[n] = (float)(weight[n] * ((double)n_crystals / sum));
    return SW_OK;
}

sw_status sw_population_take(sw_device device, int64_t n_crystals, const sw_crystal *crystal,
                             const float *weight, sw_population *population)
{
    sw_population *p = population;
    sw_crystal_list list = {.count = n_crystals};
    *p = (sw_population){.device = device, .total = n_crystals};
    p->first = sw_parallel_slice(p->total, &p->count);
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "%lld crystals: need at least 1", (long long)n_crystals);
    for (int64_t n = 0; n < n_crystals; n++)
        SW_TRY(check_crystal(n, crystal + n));
    if (weight != NULL)
        SW_TRY(SW_ALLOCATE(list.weight, n_crystals, "weights"));
    sw_status status = weight != NULL ? scale_weights(n_crystals, weight, list.weight) : SW_OK;
    if (status == SW_OK)
        status = allocate(p, &list);
    if (status == SW_OK)
        status = sw_crystals_copy(device, p->count, p->crystal, crystal + p->first);
    free(list.weight);
    return status;
}

void sw_population_free(sw_population *population)
{
    if (population->crystal != NULL)
        sw_crystals_free(population->device, population->crystal);
    population->crystal = NULL;
    population->weight = NULL; /* which was there, too */
}
