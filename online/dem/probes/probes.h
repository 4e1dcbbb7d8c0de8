/* What elements are like at a run's end, found with copies of them, all in one batch: yield surfaces in the plane
 * of pressure and deviator about an axis, by copies that are unloaded, then strained along directions of that
 * plane until they have yielded; and stiffnesses, by copies that are strained a little there and back in each of
 * six components. Dimensions: R elements, D directions. */
#ifndef SW_ONLINE_DEM_PROBES_PROBES_H
#define SW_ONLINE_DEM_PROBES_PROBES_H

#include "online/dem/job/job.h"

/* Where a copy yielded. */
typedef struct {
    double pressure, deviator; /* Pa: mean stress, stress along the axis less the mean of the others */
    double volume_strain, axial_strain; /* since it was unloaded; compression positive */
} sw_dem_probe_point;

typedef struct {
    int64_t elements, directions;
    double *angle;             /* [D] rad: of (volume strain, axial less lateral) */
    sw_dem_probe_point *start; /* [R] before unloading */
    sw_dem_probe_point *point; /* [R][D] NaN where it did not yield within the strain, or failed */
    double (*stiffness)[SW_DEM_SIX]
                       [SW_DEM_SIX]; /* [R] Pa: stress i by tensor strain j; NULL: not asked; NaN: failed */
} sw_dem_probes;

/* Of the elements of a job that ended well; the others' points are NaN. SW_ERR_INTERRUPTED, SW_ERR_MEMORY, what a
 * run may fail with. Release with sw_dem_probes_free, which takes a zeroed one too. */
sw_status sw_dem_run_probes(const sw_dem_job *job, sw_dem *dem, sw_dem_probes *probes);
void sw_dem_probes_free(sw_dem_probes *probes);

#endif
