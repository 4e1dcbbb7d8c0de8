/* Grains of a job: Voronoi cells around random or given seeds, or a file. */
#include "online/fem/grains/grains.h"

#include <stdlib.h>
#include <string.h>

#include "online/fem/mesh/mesh.h"
#include "parts.h"

static sw_status make_voronoi(const sw_fem_job *job, const char *prefix, const sw_fem_job_grains *from,
                              int32_t *grain, int64_t *n_grains)
{
    char key[SW_KEY_SIZE];
    double(*place)[3];
    sw_key_path(key, "%s%s", prefix, from->seeds != NULL ? "seeds" : "voronoi");
    if (!sw_fem_has_boxes(job->mesh))
        return sw_job_error(job->source, key, ": need a body of equal cells: or a file");
    if (from->seeds != NULL) {
        SW_TRY(sw_fem_grain_seeds_read(from->seeds, job->mesh, n_grains, &place));
    } else {
        *n_grains = from->voronoi;
        SW_TRY(SW_ALLOCATE(place, *n_grains, "seeds of grains"));
        sw_fem_grain_seeds(job->mesh, (uint64_t)from->seed, *n_grains, place);
    }
    if (*n_grains > job->mesh->n_elements) {
        free(place);
        return sw_job_error(job->source, key, ": %lld grains: need at most one an element, %lld",
                            (long long)*n_grains, (long long)job->mesh->n_elements);
    }
    sw_fem_grain_voronoi(job->mesh, sw_fem_is_periodic(job), *n_grains, (const double(*)[3])place, grain);
    free(place);
    return SW_OK;
}

/* Below so many elements a grain its crystals can hardly deform otherwise than their neighbours. */
enum { FEW_ELEMENTS = 8 };

/* Grains that elements have. */
static sw_status count_grains(const sw_fem_job *job, const int32_t *grain, int64_t *count)
{
    const int64_t E = job->mesh->n_elements;
    int32_t *sorted;
    SW_TRY(SW_ALLOCATE(sorted, E, "grains"));
    memcpy(sorted, grain, (size_t)E * sizeof *grain);
    *count = sw_fem_sort_members(E, sorted);
    free(sorted);
    return SW_OK;
}

static sw_status warn_of_few_elements(const sw_fem_job *job, const char *prefix, const int32_t *grain,
                                      int64_t n, int cells)
{
    const int64_t E = job->mesh->n_elements;
    const int length = (int)strlen(prefix) - 1; /* without the dot */
    int64_t count;
    SW_TRY(count_grains(job, grain, &count));
    if (cells && count < n)
        sw_warn("%s: %.*s: %lld of %lld grains have no element", sw_job_path(job->source), length, prefix,
                (long long)(n - count), (long long)n);
    if (count > 1 && E < FEW_ELEMENTS * count)
        sw_warn("%s: %.*s: %lld elements for %lld grains: stresses are too high, by 3 to 6 %% with 8 "
                "elements a grain and by 7 "
                "to 15 %% with one",
                sw_job_path(job->source), length, prefix, (long long)E, (long long)count);
    return SW_OK;
}

sw_status sw_fem_make_grains(sw_fem_job *job, const char *prefix, const sw_fem_job_grains *from,
                             const int32_t **grain, int64_t *n_grains)
{
    char key[SW_KEY_SIZE];
    int32_t *made;
    int chosen;
    SW_TRY(sw_job_one_of(job->source, prefix, "voronoi seeds file", 1, &chosen));
    if (from->dataset != NULL && from->file == NULL)
        return sw_job_error(job->source, sw_key_path(key, "%sdataset", prefix), ": goes with file");
    SW_TRY(SW_FEM_TAKE(job, made, job->mesh->n_elements, "grains"));
    SW_TRY(from->file != NULL
               ? sw_fem_grains_read(from->file, from->dataset, job->mesh->n_elements, made, n_grains)
               : make_voronoi(job, prefix, from, made, n_grains));
    *grain = made;
    return warn_of_few_elements(job, prefix, made, *n_grains, from->file == NULL);
}
