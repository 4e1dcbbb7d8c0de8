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
    sw_fem_grain_voronoi(job->mesh, sw_fem_is_periodic(job), *n_grains, (const double(*)[3])place, grain);
    free(place);
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
    return SW_OK;
}
