/* A pair of particles that touch: what a contact law sees of it, and what it says. The contact frame's normal n
 * points from particle a to particle b; forces and moments are those on b, a gets the opposite. */
#ifndef SW_ONLINE_DEM_CONTACT_PAIR_H
#define SW_ONLINE_DEM_CONTACT_PAIR_H

#include <math.h>
#include <stddef.h>

#include "common/system/device.h"
#include "coupled_law.h"
#include "pair_material.h"

/* What a contact remembers: force (N) and moments (N m) on b, and the law's own numbers, as many as it declares. Zero
 * when the particles part. */
enum { SW_DEM_SPRINGS = 7, SW_DEM_LAW_NUMBERS = 6 };
typedef struct {
    double tangential[3], roll[3], twist;
    double law[SW_DEM_LAW_NUMBERS];
} sw_dem_history;

/* A pair at one time: geometry and relative motion, as sw_dem_pair_kinematics finds them. */
typedef struct {
    double normal[3];
    double distance, overlap;  /* m */
    double radius_a, radius_b; /* m */
    double closing;            /* growth of the overlap, m/s */
    double slip_velocity[3];   /* of b against a at the contact point, tangential, m/s */
    double relative_spin[3];   /* omega_b - omega_a, rad/s */
    double turning[3]; /* of the contact frame: of the line of centres, and mean spin about it, rad/s */
    double strength_a, strength_b; /* the particles' own, Pa s^N; of laws that have numbers, else 0 */
    sw_dem_crowd crowd_a, crowd_b; /* of coupled contacts; b of a wall has none */
} sw_dem_kinematics;

typedef struct {
    double normal_force;  /* N; < 0: tension */
    double pressed;       /* that friction and moments go by, N, >= 0 */
    double normal_energy; /* that it stores, J; of bonds from touch on, and less than 0 where they pull */
    double kn, kt, k_roll, k_twist; /* N/m, N/m, N m, N m */
    double plastic_work;            /* dissipated by the law in the step, J */
    double area, strength;          /* of contact, m^2; its sigma1, Pa s^N; 0: the law has none */
    int apart;                      /* nothing holds them: they touch no more, and forget */
} sw_dem_stiffness;

/* What a contact did in a step. */
typedef struct {
    double force[3];  /* on b, N */
    double moment[3]; /* rolling and twisting, on b, N m */
    int sliding, rolling;
    double friction_work, rolling_work; /* dissipated in the step, J */
} sw_dem_contact;

/* A number of a material that is not as its law needs it; name NULL: all are. */
typedef struct {
    const char *name; /* member of sw_dem_material */
    double value;
    const char *bound;
} sw_dem_need;

static inline sw_dem_need sw_dem_no_need(void)
{
    const sw_dem_need none = {NULL, 0, NULL};
    return none;
}

/* The first of those before and this one, unless it is fine. */
static inline sw_dem_need sw_dem_need_of(sw_dem_need before, const char *name, double value, int fine,
                                         const char *bound)
{
    const sw_dem_need own = {name, value, bound};
    return before.name != NULL || fine ? before : own;
}

/* 1 / sqrt(x) */
SW_HD static inline double sw_dem_inverse_root(double x)
{
#ifdef __CUDA_ARCH__
    return rsqrt(x);
#else
    return 1 / sqrt(x);
#endif
}

SW_HD static inline double sw_dem_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SW_HD static inline void sw_dem_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
