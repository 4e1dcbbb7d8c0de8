/* A polycrystal as VPSC8 follows it, in double precision, and what a step does to it, in VPSC8's order. Sample frame; tensors of
 * six 11 22 33 23 13 12; the units of stress are the crystal files'. Dimensions: N grains, S systems, M modes, V twin systems of a
 * phase. */
#ifndef SW_ONLINE_VPSC_POLYCRYSTAL_STATE_H
#define SW_ONLINE_VPSC_POLYCRYSTAL_STATE_H

#include <string.h>

#include "common/math/tensor.h"
#include "online/vpsc/input/input.h"

/* An ellipsoid, and its axes, of lengths a2 >= a1 >= a3. */
typedef struct {
    double f[3][3];     /* of a sphere; symmetric after each update */
    double axes[3];     /* lengths */
    double along[3][3]; /* columns: their directions */
} sw_vpsc_ellipsoid;

/* What twins of a phase have come to. VPSC8's names stand behind. */
typedef struct {
    double fraction[SW_VPSC_TWIN_MODES];  /* of twins, by their slip: TWFRPH */
    double effective[SW_VPSC_TWIN_MODES]; /* of grains that turned: EFTWFR */
    double primary, secondary;            /* PRITW, SECTW */
    /* How often twins with a Schmid factor of -0.25 to 0.8 turned a grain, in steps of 0.05, and the twins' ranks by their shear
     * stress: counts, and weights */
    double schmid[SW_VPSC_TWIN_MODES][21], rank[SW_VPSC_TWIN_MODES][6], rank_weight[SW_VPSC_TWIN_MODES][6];
} sw_vpsc_twins;

typedef struct sw_vpsc_reversal sw_vpsc_reversal;

typedef struct {
    const sw_vpsc_phase *input;
    int number; /* from 0 on */
    double fraction;
    int64_t first, n;                /* of all grains; N */
    int systems;                     /* S */
    double (*turn)[3][3];            /* [N] crystal -> sample */
    double *weight;                  /* [N] of the polycrystal */
    double *crss;                    /* [N][S] */
    double *slipped;                 /* [N] of all systems */
    double *threshold;               /* [N][S] of the law of threshold stress; else NULL */
    double *density, *debris;        /* [N][S], [N] of dislocation densities, 1/m^2; else NULL */
    sw_vpsc_reversal *reversal;      /* of those that reverse; else NULL */
    double (*stress)[6], (*rate)[6]; /* [N] deviators, as solved */
    double *pressure;                /* [N] mean stress, by elasticity; 0 where it is not known */
    double *slip_rate;               /* [N][S] */
    double (*l)[3][3]; /* [N] velocity gradients of ellipsoids; NULL where these are not followed */
    double mean_l[3][3];
    double (
        *spin)[3][5]; /* [N] of 12 13 23 by d - D, of grains with shapes of their own; NULL: the phase's */
    double phase_spin[3][5];
    sw_vpsc_ellipsoid ellipsoid, *of_grain; /* of_grain [N], or NULL */
    int frozen;                             /* lengths of axes stay */
    double mean_axes[3], axes_deviation[3]; /* of grains, when a step was last counted: AVAX, SDAX */
    double *work;                           /* [N] */
    double *variant; /* [N][V] fractions of twins since the grain last turned: TWFRSY */
    int *tagged;     /* [N] 0: may turn; else it has, for good: KTWSMX */
    int *turned;     /* [N] how often: NTWEVENTS */
    sw_vpsc_twins twins;
    double activity[SW_VPSC_MODES], active_systems; /* of a step: GAVMOD, AVACS */
} sw_vpsc_grains_of;

typedef struct {
    const sw_vpsc_input *input;
    int n_phases;
    sw_vpsc_grains_of phase[SW_VPSC_PHASES];
    int64_t n; /* of all grains */
    sw_vpsc_ellipsoid ellipsoid;
    int twin_law;             /* the last one that files name: it is all modes' */
    int compatible;           /* VPSC8's order of a step, and its random numbers */
    int64_t drawn;            /* of these */
    int twinned;              /* twins turned grains since the last step: stresses are not theirs */
    int64_t *neighbour;       /* [n][1 + neighbours], itself first; NULL: none */
    double *neighbour_weight; /* likewise */

    /* Of a step: conditions, and what is solved. */
    int rate_given[3][3], stress_given[6];
    double l[3][3], d[6], w[3][3], stress[6]; /* macroscopic; Cauchy where its pressure is known */
    double mean_d[6], mean_stress[6];         /* of grains */
    double mises_stress, mises_rate, time_step;
    double slip_rate; /* 1/s, of all systems, the grains' mean */
    /* So far. */
    int control; /* of a load, SW_VPSC_BY_...; else 0 */
    double time, temperature, mises_strain, size_strain, control_strain, strain[6]; /* size: of |D| */
    double taylor, work, work_rate[2]; /* TAYLAV, WORKAV, WRATE1, WRATE2 */
} sw_vpsc_polycrystal;

/* As the files say. SW_ERR_MEMORY; released by sw_vpsc_polycrystal_free, also on failure. */
sw_status sw_vpsc_polycrystal_make(const sw_vpsc_input *input, int compatible,
                                   sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_polycrystal_free(sw_vpsc_polycrystal *polycrystal);

/* ---- A step's updates ---- */

/* Orientations, and velocity gradients of ellipsoids. SW_ERR_MEMORY. */
sw_status sw_vpsc_turn_grains(sw_vpsc_polycrystal *polycrystal);
/* All crystals and ellipsoids by a rotation, as TEXTURE_ROTATION does. */
void sw_vpsc_rotate(sw_vpsc_polycrystal *polycrystal, double rotation[3][3]);
/* Deformations of the whole, of phases and of grains, and, if they follow, their axes. */
void sw_vpsc_reshape(sw_vpsc_polycrystal *polycrystal);
/* Slip resistances. */
void sw_vpsc_harden(sw_vpsc_polycrystal *polycrystal);
/* Those that depend on temperature and strain rate, before a step is solved; first: the first one of a run. */
void sw_vpsc_resist(sw_vpsc_polycrystal *polycrystal, int first);
/* Fractions of twins, and grains that they turn, by the predominant twin. SW_ERR_MEMORY. */
sw_status sw_vpsc_twin(sw_vpsc_polycrystal *polycrystal);

/* ---- Parts ---- */

/* a <- q a */
static inline void sw_vpsc_turn(double q[3][3], double a[3][3])
{
    double old[3][3];
    memcpy(old, a, sizeof old);
    sw_multiply(q, old, a);
}
/* Axes of f's ellipsoid, and f as its stretch. frozen: lengths stay. Returns the longest axis over the shortest that f has. */
double sw_vpsc_ellipsoid_of(sw_vpsc_ellipsoid *ellipsoid, int frozen);
/* r (crystal -> sample) -> Bunge's angles in degrees, as VPSC8 prints them: -180 to 180. */
void sw_vpsc_angles(const double r[3][3], double degrees[3]);
/* The laws that hardening.c calls: of threshold stress (threshold.c), of dislocation densities (densities.c),
 * both in the units of VPSC8. */
void sw_vpsc_threshold_resist(sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_threshold_harden(sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_densities_begin(sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_densities_harden(sw_vpsc_polycrystal *polycrystal);
/* And of those that reverse (reversal.c): SW_ERR_MEMORY. Means of densities, and of each mode's [M]. */
sw_status sw_vpsc_reversal_make(sw_vpsc_grains_of *phase);
void sw_vpsc_reversal_free(sw_vpsc_reversal *reversal);
void sw_vpsc_reversal_harden(sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_reversal_means(const sw_vpsc_grains_of *phase, double *forest, double *back, double *of_mode);

/* Symmetric tensors a : b of six. */
static inline double sw_vpsc_contract(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}
/* Of a symmetric tensor, with its mean part left out: sqrt(a' : a'). */
double sw_vpsc_deviator_size(const double a[6]);

/* Von Mises' strain rate by D alone, and VPSC8's: |S:D| over von Mises' stress. */
double sw_vpsc_mises_rate_of(const sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_find_mises(sw_vpsc_polycrystal *polycrystal);
/* Of all systems alike, by grains' weights; 0: there are none, of elastic runs. */
double sw_vpsc_mean_resistance(const sw_vpsc_polycrystal *polycrystal);

/* Of a mode's slip, by the elastic constants, in their unit. */
double sw_vpsc_shear_modulus(const sw_vpsc_crystal *crystal, int mode);

/* A system's symmetric Schmid tensor in the sample's frame. */
void sw_vpsc_schmid(const sw_vpsc_grains_of *phase, int64_t grain, int system, double m[6]);

/* What a step's slip comes to: activities of modes, and statistics of stress and work (statistics.c). */
void sw_vpsc_count_activity(sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_count_work(sw_vpsc_polycrystal *polycrystal);
/* Standard deviations of stress and rate over their means' sizes, components of VPSC8's basis. */
void sw_vpsc_deviations(const sw_vpsc_polycrystal *polycrystal, double stress[6], double rate[6]);
/* Of six, in VPSC8's basis: (22 - 11)/sqrt 2, (2 33 - 11 - 22)/sqrt 6, sqrt 2 23, sqrt 2 13, sqrt 2 12, trace/sqrt 3; and back. */
void sw_vpsc_to_basis(const double t[6], double b[6]);
void sw_vpsc_from_basis(const double b[6], double t[6]);

#endif
