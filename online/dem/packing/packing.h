/* How a volume element begins: radii of a wanted distribution, spheres strewn at random without overlap, and
 * the stages that make a dense packing of them. The same seed gives the same packing, for any number of
 * threads. Dimensions: P particles, K points of a grading curve. */
#ifndef SW_ONLINE_DEM_PACKING_PACKING_H
#define SW_ONLINE_DEM_PACKING_PACKING_H

#include "online/dem/backend/dem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sizes ---- */

/* name, text of job files, what it is: all are distributions of numbers of particles once drawn */
#define SW_DEM_SIZES_LIST(X)                                                                            \
    X(SW_DEM_MONODISPERSE, "monodisperse") /* `radius` */                                               \
    X(SW_DEM_UNIFORM, "uniform") /* from least to largest, as many particles in equal steps of r */     \
    X(SW_DEM_UNIFORM_MASS, "uniform_mass") /* the same, as much mass */                                 \
    X(SW_DEM_LOGNORMAL, "lognormal")       /* ln r is normal by number; cut off at least and largest */ \
    X(SW_DEM_GRADING, "grading")           /* sieve curve, straight between its points over ln diameter */

typedef enum {
#define SW_DEM_SIZES_ENUM(name, text) name,
    SW_DEM_SIZES_LIST(SW_DEM_SIZES_ENUM)
#undef SW_DEM_SIZES_ENUM
        SW_DEM_SIZES_KINDS
} sw_dem_sizes_kind;

extern const char *const sw_dem_sizes_names[SW_DEM_SIZES_KINDS]; /* "monodisperse", "uniform", ... */

typedef struct {
    sw_dem_sizes_kind kind;
    double radius;          /* m; monodisperse: of all; lognormal: the median, before the cut */
    double deviation;       /* lognormal: standard deviation of ln r, before the cut */
    double least, largest;  /* m, radii; uniform, uniform_mass, lognormal */
    int64_t n_points;       /* grading */
    const double *diameter; /* [K] m, ascending; borrowed */
    const double *passing;  /* [K] part of the mass that is finer: from 0 to 1; borrowed */
} sw_dem_sizes;

/* SW_ERR_RANGE names the member, value and bound. */
sw_status sw_dem_sizes_check(const sw_dem_sizes *sizes);

/* Radius (m) that a part u (0 .. 1) of the particles is smaller than. sizes: as checked. */
double sw_dem_sizes_quantile(const sw_dem_sizes *sizes, double u);

/* radius [P], out: one radius from each P-th part of the particles, in random order, so that a small sample
 * has the distribution too. SW_ERR_RANGE as above, or for n_particles < 1; SW_ERR_MEMORY. */
sw_status sw_dem_sizes_draw(const sw_dem_sizes *sizes, int64_t n_particles, uint64_t seed, double *radius);

/* ---- Loose packing ---- */

/* Random sequential addition saturates at 0.38 for equal spheres; up to this it needs few tries. */
#define SW_DEM_MOST_LOOSE 0.30

/* Spheres at rest that do not touch, in a cube of the given solid fraction: random sequential addition, the
 * largest first. packing: released with sw_dem_packing_free. SW_ERR_RANGE: sizes, solid_fraction not in
 * (0, 0.30], or so few particles that the cube is narrower than two diameters of the largest one;
 * SW_ERR_CONVERGENCE when a particle finds no place; SW_ERR_MEMORY. */
sw_status sw_dem_pack_loose(int64_t n_particles, const sw_dem_sizes *sizes, uint64_t seed,
                            double solid_fraction, sw_dem_packing *packing);

double sw_dem_packing_mean_radius(const sw_dem_packing *packing); /* m */
double sw_dem_packing_void_ratio(const sw_dem_packing *packing);  /* of spheres that do not overlap */

/* ---- Compression without gravity ---- */

/* Strain rate sqrt(D:D / 2) (1/s) of an inertia number: I sqrt(p / rho) / (2 r_mean). Lubbe et al. 2022, Eq.
 * 20, with the root in the numerator: as printed it is no rate. */
double sw_dem_rate(double inertia_number, double pressure, double density, double mean_radius);

typedef struct {
    double pressure;         /* Pa */
    double void_ratio;       /* 0: what the packing friction gives */
    double packing_friction; /* tan(phi) while it is compressed; where a void ratio is asked, what its
                              * lowering starts from */
    double friction_decay;   /* part that it is lowered by at each control interval, for a void ratio */
    double inertia_number;   /* of the compression, and bound of the servo's rates */
    double stress_tolerance; /* relative, of the stresses at the end */
    double unbalanced_force; /* at the end, over the mean contact force */
    int64_t max_steps;       /* of each stage */
} sw_dem_packing_target;

/* 200 kPa, no void ratio, friction 0.5, decay 0.005, inertia number 1e-2, tolerances 1e-2, 10^7 steps. */
sw_dem_packing_target sw_dem_packing_target_defaults(void);

enum { SW_DEM_PACKING_STAGES = 3 };

/* The stages that compress a loose packing: isotropic strain at constant rate until the pressure is met, at
 * the packing friction; then isotropic stress, either with falling friction, as long as stresses are within
 * five times the tolerance, until the void ratio is met, or until equilibrium; then equilibrium with the
 * material's own friction. density (kg/m^3) and mean_radius (m) are the particles'. SW_ERR_RANGE names
 * member, value and bound. A void ratio that the packing friction's own packing is already below, or that is
 * too low for these spheres, is not met: the second stage then fails by max_steps. */
sw_status sw_dem_packing_stages(const sw_dem_packing_target *target, double density, double mean_radius,
                                sw_dem_stage stage[SW_DEM_PACKING_STAGES], int *n_stages);

#ifdef __cplusplus
}
#endif

#endif
