/* Polycrystals whose crystals are coupled by their stresses: steps of points with a loading each, or of all crystals as one, on the
 * CPU; for solver `rigid_plastic`. Results of a point are the same bits with any number of threads. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_COUPLED_POINTS_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_COUPLED_POINTS_H

#include "coupled.h"
#include "homogenization.h"
#include "online/response/points/points.h"

/* What is done for points. */
typedef struct {
    const sw_response *response;
    const sw_points *points;
    int tangent;    /* wanted */
    int of_begin;   /* answers are of what the step begins with */
    int of_all;     /* the point is that of all processes, which have crystals of it each */
    int64_t before; /* crystals that others have before these */
} sw_coupled_work;

/* Crystals first .. first + n - 1 of a point, counted in it: their sums are added to (points.h). Returns how many have no answer, or
 * -1: there is no memory. */
typedef int64_t sw_coupled_stepper(const sw_coupled_work *work, int64_t point, const sw_coupled_step *step,
                                   int64_t first, int64_t n, double sum[SW_POINT_SUMS]);

/* Of a step without strain, crystals first .. first + n - 1 of all: they turn with W, and there is no stress. Returns 0. */
int64_t sw_coupled_rest(const sw_coupled_work *work, const sw_coupled_step *step, int64_t first, int64_t n,
                        double sum[SW_POINT_SUMS]);

/* stepper: in `together` crystals of a point; 0: all of it. */
sw_status sw_coupled_points(sw_response *response, const sw_points *points, sw_coupled_stepper *stepper,
                            int64_t together, int64_t *failed);
/* All processes' polycrystal. */
sw_status sw_coupled_advance(sw_response *response, const double velocity_gradient[3][3], double dt,
                             const sw_crystals *from, const sw_crystals *to, sw_coupled_stepper *stepper,
                             int64_t together, sw_response_average *average);
/* SW_ERR_UNAVAILABLE for another solver, and on a GPU. */
sw_status sw_coupled_check(const char *name, const sw_solver *solver, sw_device device);

/* A crystal, out of the numbers of crystals and back. systems: room, or NULL where all have s. */
void sw_coupled_load(const sw_response *response, const sw_crystals *from, int64_t i,
                     sw_coupled_systems *systems, sw_coupled *c);
void sw_coupled_store(const sw_response *response, const sw_coupled *c, const sw_crystals *to, int64_t i);
static inline int sw_coupled_has_systems(const sw_response *response)
{
    return sw_material_has_families(response->material);
}

/* The step with D aside along vector of five `column`, for tangents: by this much of its size. */
#define SW_COUPLED_ASIDE 1e-5
sw_coupled_step sw_coupled_step_aside(const sw_coupled_step *step, int column);
/* A stress 11 22 12 13 23 as a vector of five. */
void sw_coupled_stress_vector(const double stress[5], double vector[5]);

#endif
