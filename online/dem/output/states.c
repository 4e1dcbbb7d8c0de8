/* States of a run that has not ended, to go on from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/job/partial.h"
#include "output.h"

static sw_status write_states(const sw_dem_job *job, sw_dem *dem, hid_t file)
{
    for (int64_t r = 0; r < job->n_elements; r++) {
        char name[48];
        int64_t bytes;
        void *data;
        SW_TRY(sw_dem_save(dem, r, &bytes, &data));
        snprintf(name, sizeof name, "state/%lld", (long long)r);
        const sw_status status = sw_h5_write(file, name, H5T_NATIVE_UINT8, 1, &bytes, data);
        free(data);
        SW_TRY(status);
    }
    return SW_OK;
}

sw_status sw_dem_write_partial(const sw_dem_job *job, sw_dem *dem, const sw_dem_account *work,
                               const char *path)
{
    sw_h5_output output;
    SW_TRY(sw_h5_begin(path, &output));
    sw_status status = sw_dem_write_head(output.file, "slipwave-dem-state", job, dem, work);
    if (status == SW_OK)
        status = write_states(job, dem, output.file);
    return sw_h5_end(&output, status);
}

static sw_status check_partial(const sw_dem_job *job, sw_dem *dem, sw_dem_account *work, hid_t file,
                               const char *path)
{
    char settings[512], meshes[512] = "other triangles than are in";
    for (int i = 0; i < job->walls_count; i++)
        if (job->mesh[i] != NULL)
            snprintf(meshes + strlen(meshes), sizeof meshes - strlen(meshes), " %s", job->walls[i].file);
    const sw_partial_text texts[] = {{"meshes", work->meshes, meshes},
                                     {"problem", work->identity, "another job, packing or table"},
                                     {"settings", settings, "another device, team or version"},
                                     {0}};
    sw_dem_describe_settings(job, dem, settings, sizeof settings);
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    if (group < 0 || !sw_h5_has_text(file, "format", "slipwave-dem-state")) {
        if (group >= 0)
            H5Gclose(group);
        return sw_error(SW_ERR_FORMAT, "%s: is no state of an interrupted run", path);
    }
    sw_status status = sw_identity_check(group, path, &work->crystals);
    if (status == SW_OK)
        status = sw_partial_check_texts(group, path, texts);
    if (status == SW_OK)
        status = sw_h5_read_numbers(group, "particle_steps", 1, &work->particle_steps);
    if (status == SW_OK)
        status = sw_h5_read_numbers(group, "wall_time", 1, &work->seconds);
    H5Gclose(group);
    return status;
}

static sw_status read_states(const sw_dem_job *job, sw_dem *dem, hid_t file)
{
    for (int64_t r = 0; r < job->n_elements; r++) {
        char name[48];
        int64_t bytes;
        uint8_t *data;
        snprintf(name, sizeof name, "state/%lld", (long long)r);
        SW_TRY(sw_h5_shape(file, name, 1, &bytes));
        SW_TRY(SW_ALLOCATE(data, bytes, "a state"));
        sw_status status = sw_h5_read(file, name, H5T_NATIVE_UINT8, 1, &bytes, data);
        if (status == SW_OK)
            status = sw_dem_restore(dem, r, bytes, data);
        free(data);
        SW_TRY(status);
    }
    return SW_OK;
}

sw_status sw_dem_read_partial(const sw_dem_job *job, sw_dem *dem, sw_dem_account *work, const char *path)
{
    hid_t file;
    SW_TRY(sw_h5_open(path, 0, &file));
    sw_status status = check_partial(job, dem, work, file, path);
    if (status == SW_OK)
        status = read_states(job, dem, file);
    H5Fclose(file);
    return status;
}
