/* Names of the files that a run writes beside its results file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"
#include "output.h"
#include "sample_files.h"

char *sw_dem_packing_name(const sw_dem_job *job, int64_t r, const char *suffix)
{
    const char *file = job->output.file;
    return sw_file_name("%.*s-%04lld.%s", sw_stem_length(file), file, (long long)r, suffix);
}

char *sw_dem_snapshot_name(const sw_dem_job *job, int64_t r, int64_t number)
{
    const char *file = job->output.file;
    return sw_file_name("%.*s-%04lld-%04lld.vtkhdf", sw_stem_length(file), file, (long long)r,
                        (long long)number);
}

/* Takes the name over. */
static sw_status visit_name(const sw_dem_job *job, const char *key, char *name, sw_dem_visit_place *visit,
                            const void *context)
{
    if (name == NULL)
        return SW_ERR_MEMORY;
    const sw_status status = visit(job, key, name, context);
    free(name);
    return status;
}

/* Element and number of a snapshot of this name: it ends in -0000-0003.vtkhdf. */
static int is_snapshot(const char *file, long long *r, long long *number)
{
    const char *at = file == NULL ? NULL : strrchr(file, '-');
    int length = 0;
    while (at != NULL && at > file && at[-1] != '-' && at[-1] != '/')
        at--;
    return at != NULL && at > file && sscanf(at, "%lld-%lld.vtkhdf%n", r, number, &length) == 2 &&
           length > 0 && at[length] == '\0' && *r >= 0 && *number >= 0;
}

static sw_status visit_snapshots(const sw_dem_job *job, int64_t element, sw_dem_visit_place *visit,
                                 const void *context)
{
    static const char key[] = "output.snapshots.strain";
    long long r, number;
    SW_TRY(visit_name(job, key, sw_dem_packing_name(job, element, "vtkhdf.series"), visit, context));
    SW_TRY(visit_name(job, key, sw_dem_snapshot_name(job, element, 0), visit, context));
    if (is_snapshot(sw_dem_job_element(job, element).file, &r, &number) && r < job->n_elements)
        SW_TRY(visit_name(job, key, sw_dem_snapshot_name(job, r, number), visit, context));
    return SW_OK;
}

sw_status sw_dem_visit_places(const sw_dem_job *job, sw_dem_visit_place *visit, const void *context)
{
    for (int64_t r = 0; r < job->n_elements; r++) {
        if (job->write_txt)
            SW_TRY(visit_name(job, "output.packings", sw_dem_packing_name(job, r, "txt"), visit, context));
        if (job->write_vtkhdf)
            SW_TRY(visit_name(job, "output.packings", sw_dem_packing_name(job, r, "vtkhdf"), visit, context));
        if (job->output.snapshot_strain > 0)
            SW_TRY(visit_snapshots(job, r, visit, context));
    }
    for (int64_t i = 0; job->table != NULL && i < job->n_variants; i++)
        for (int kind = 0; kind < SW_DEM_SAMPLE_FILES; kind++)
            if (kind != SW_DEM_SAMPLE_SCATTER || job->rves.count > 1)
                SW_TRY(visit_name(job, "samples.table",
                                  sw_dem_sample_name(job->table, i, job->samples.folder, kind), visit,
                                  context));
    return SW_OK;
}
