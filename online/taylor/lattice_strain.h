/* Lattice strains, as diffraction sees them: the mean elastic strain along a direction of the sample of those crystals one of whose
 * planes {hkl} has its normal within an angle of it. Private to this folder. */
#ifndef SW_ONLINE_TAYLOR_LATTICE_STRAIN_H
#define SW_ONLINE_TAYLOR_LATTICE_STRAIN_H

#include "common/crystal/lattice.h"
#include "common/crystal/point_group.h"
#include "common/job/job.h"
#include "slipwave/response.h"

enum { SW_REFLECTIONS_MOST = 32 };

/* One of, in a job: */
typedef struct {
    double *plane, *along; /* [3] hkl, of hexagonal crystals [4] hkil; [3] */
    int plane_count, along_count;
    double within; /* degrees */
} sw_reflection_asked;
extern const sw_key sw_reflection_keys[];

/* Ready for use: unit vectors along the crystal's axes and the sample's, the cosine of the angle. */
typedef struct {
    double normal[SW_POINT_GROUP_ORDER][3], along[3], cosine;
    int normals;
    char name[96]; /* for people: "{1 0 -1 1} along [0 0 1] within 7.5" */
} sw_reflection;

/* SW_ERR_UNAVAILABLE for a solver whose crystals have no elastic strains; SW_ERR_RANGE for another number of indices than the
 * lattice's, that make no plane, and no direction. */
sw_status sw_reflection_of(const sw_response *response, int indices, const double *plane,
                           const double along[3], double within, sw_reflection *reflection);

/* Of a run's crystals as they are, the sums of all ranks. */
struct sw_taylor;
sw_status sw_taylor_sum_strains(const struct sw_taylor *run, int n, const sw_reflection *reflection,
                                double (*sum)[2]);
/* The last row's lattice strains. */
sw_status sw_taylor_follow_strains(struct sw_taylor *run);

#endif
