/* Flow stresses that particles' crystals have along normals. Dimensions: Q questions, n crystals of each particle. */
#ifndef SW_ONLINE_DEM_CRYSTALS_ASK_H
#define SW_ONLINE_DEM_CRYSTALS_ASK_H

#include "common/system/device.h"
#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* They are asked for at this rate: a power law's answer to another rate is known from it. */
#define SW_DEM_ASKED_RATE 1e-3 /* 1/s */

/* sigma : D, Pa/s; the trace of D does no work on a deviator. */
SW_HD static inline double sw_dem_power(const double stress[6], const double l[3][3])
{
    return stress[0] * l[0][0] + stress[1] * l[1][1] + stress[2] * l[2][2] + stress[3] * (l[1][2] + l[2][1]) +
           stress[4] * (l[0][2] + l[2][0]) + stress[5] * (l[0][1] + l[1][0]);
}

/* Axial compression along n of equivalent rate `rate`. */
SW_HD static inline void sw_dem_compress(const double n[3], double rate, double l[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            l[i][j] = -1.5 * rate * (n[i] * n[j] - (i == j ? 1.0 / 3 : 0));
}

/* Memory for questions at a time, where the response computes: kept from one call to the next. Zeroed at first. */
typedef struct {
    int64_t questions;          /* that there is room for, and copies for copies.n crystals */
    sw_crystals copies;         /* [Q n] of those asked */
    double (*gradient)[3][3];   /* [Q] 1/s */
    double (*stress)[6];        /* [Q] Pa */
    int32_t *particle;          /* [Q] a GPU's, as what follows */
    double (*normal)[3], *work; /* [Q] */
} sw_dem_asking;

/* work [Q] out: power of the stress, Pa/s, of the crystals of particle [Q] under compression along normal [Q] at the rate
 * above. crystals: of particles, where the response has them; the other arrays are on the host. A question's answer
 * depends on no other question. SW_ERR_CONVERGENCE, SW_ERR_MEMORY. */
sw_status sw_dem_ask(sw_dem_asking *a, sw_response *response, int64_t each, const sw_crystals *crystals,
                     int64_t questions, const int32_t *particle, const double (*normal)[3], double *work);
void sw_dem_asking_free(sw_dem_asking *a);

/* Of a response on a GPU, whose crystals have no states; ask.cu. */
sw_status sw_dem_ask_cuda(sw_dem_asking *a, sw_response *response, int64_t each, const sw_crystals *crystals,
                          int64_t questions, const int32_t *particle, const double (*normal)[3],
                          double *work);
void sw_dem_asking_free_cuda(sw_dem_asking *a);

/* All at once, of crystals, gradients and stresses where the response takes them. */
static inline sw_status sw_dem_ask_copies(sw_response *response, int64_t questions, int64_t each,
                                          const sw_crystals *copies, const double (*gradient)[3][3],
                                          double (*stress)[6])
{
    sw_points points = {0};
    points.points = questions;
    points.each = each;
    points.velocity_gradient = gradient;
    points.dt = 1e-6 / SW_DEM_ASKED_RATE;
    points.from = copies;
    points.stress = stress;
    return sw_response_step_each(response, &points);
}

#ifdef __cplusplus
}
#endif

#endif
