#include "probes_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "set.h"

static sw_status write_points(hid_t file, const char *prefix, int rank, const int64_t *shape,
                              const sw_dem_probe_point *point)
{
    static const struct {
        const char *name, *unit;
        size_t member;
    } sets[] = {{"pressure", "Pa", offsetof(sw_dem_probe_point, pressure)},
                {"deviator", "Pa", offsetof(sw_dem_probe_point, deviator)},
                {"volume_strain", "1", offsetof(sw_dem_probe_point, volume_strain)},
                {"axial_strain", "1", offsetof(sw_dem_probe_point, axial_strain)}};
    const int64_t n = rank == 2 ? shape[0] * shape[1] : shape[0];
    double *value;
    SW_TRY(SW_ALLOCATE(value, n, "probes"));
    sw_status status = SW_OK;
    for (size_t k = 0; k < sizeof sets / sizeof *sets && status == SW_OK; k++) {
        char name[64];
        for (int64_t i = 0; i < n; i++)
            value[i] = *(const double *)(const void *)((const char *)&point[i] + sets[k].member);
        snprintf(name, sizeof name, "probes/%s%s", prefix, sets[k].name);
        status = sw_dem_write_set(file, name, sets[k].unit, rank, shape, value);
    }
    free(value);
    return status;
}

sw_status sw_dem_write_probes(const sw_dem_probes *probes, hid_t file)
{
    const int64_t shape[2] = {probes->elements, probes->directions};
    hid_t group;
    SW_TRY(sw_h5_group(file, "probes", &group));
    H5Gclose(group);
    SW_TRY(sw_dem_write_set(file, "probes/angle", "rad", 1, &shape[1], probes->angle));
    SW_TRY(write_points(file, "start_", 1, shape, probes->start));
    if (probes->stiffness != NULL)
        SW_TRY(sw_dem_write_set(file, "probes/stiffness", "Pa", 3,
                                (const int64_t[]){shape[0], SW_DEM_SIX, SW_DEM_SIX},
                                probes->stiffness[0][0]));
    return write_points(file, "", 2, shape, probes->point);
}
