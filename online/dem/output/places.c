/* Names of the files that a run writes beside its results file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sample_files.h"

char *sw_dem_packing_name(const sw_dem_job *job, int64_t r, const char *suffix)
{
    const char *file = job->output.file;
    size_t length = strlen(file);
    char *name;
    if (length > 3 && strcmp(file + length - 3, ".h5") == 0)
        length -= 3;
    return asprintf(&name, "%.*s-%04lld.%s", (int)length, file, (long long)r, suffix) < 0 ? NULL : name;
}

/* Takes the name over. */
static sw_status visit_name(const sw_dem_job *job, const char *key, char *name, sw_dem_visit_place *visit,
                            const void *context)
{
    if (name == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for names", job->output.file);
    const sw_status status = visit(job, key, name, context);
    free(name);
    return status;
}

sw_status sw_dem_visit_places(const sw_dem_job *job, sw_dem_visit_place *visit, const void *context)
{
    for (int64_t r = 0; r < job->n_elements; r++) {
        if (job->write_txt)
            SW_TRY(visit_name(job, "output.packings", sw_dem_packing_name(job, r, "txt"), visit, context));
        if (job->write_vtkhdf)
            SW_TRY(visit_name(job, "output.packings", sw_dem_packing_name(job, r, "vtkhdf"), visit, context));
    }
    for (int64_t i = 0; job->table != NULL && i < job->n_variants; i++)
        for (int kind = 0; kind < SW_DEM_SAMPLE_FILES; kind++)
            SW_TRY(visit_name(job, "samples.table",
                              sw_dem_sample_name(job->table, i, job->samples.folder, kind), visit, context));
    return SW_OK;
}
