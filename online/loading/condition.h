/* What a polycrystal is held to in a step: a velocity gradient of which some directions are free, and what the stress
 * does along these,
 *
 *     L = base + sum_k x_k along_k,      h along_k : sigma = value_k,      k < U,
 *
 * with h = thickness exp(L33 dt) the thickness at the step's end, or 1. A free direction and its stress are conjugate, so
 * that the x of a polycrystal make a convex potential least (but for h). The stress is the crystals' deviator and a mean
 * stress that grows with the volume, by K tr L dt. Where all parts of L are trace-free only the deviator counts, and
 * along_k : sigma is that of a plane stress where along_k takes from L33, the component `normal`, what it gives to L11, L22.
 *
 * Axes of a sheet: 1 rolling direction, 2 transverse direction, 3 normal. Dimension: U <= SW_FREE_MAX free directions. */
#ifndef SW_ONLINE_LOADING_CONDITION_H
#define SW_ONLINE_LOADING_CONDITION_H

#include "loading.h"

enum { SW_FREE_MAX = 6 };

/* Of crystals with elastic strains: p' = K tr D, which makes deviators too where these are coupled to it, and have a mean
 * stress of their own beside p. */
typedef struct {
    double bulk_modulus; /* K, Pa; 0: crystals are rigid */
    int coupled;
    double by_mean_stress; /* 1/Pa: how much larger Cauchy's deviator is under p than the response has it */
} sw_elastic_volume;

typedef struct {
    double base[3][3]; /* 1/s */
    int free;          /* U */
    double along[SW_FREE_MAX][3][3];
    double value[SW_FREE_MAX]; /* Pa; Pa m with a thickness */
    double thickness;          /* m, at the step's beginning; 0: the condition is on the stress itself */
    int normal; /* where the volume stays, of 11 22 33 the one that takes the others' trace; -1: none */
    double normal_stress; /* Pa, what the mean stress gives it */
    double bulk_modulus;  /* K, Pa; 0: the volume stays */
    double mean_stress;   /* p, Pa, at the step's beginning: a third of the trace */
} sw_condition;

/* ---- In a sheet ---- */

/* Uniaxial tension (rate > 0, 1/s) or compression along the direction at `angle` (rad) from axis 1 towards axis 2. That
 * direction stays (no material line along it turns), as does the sheet's plane; all else is free of stress. */
sw_condition sw_condition_uniaxial(double angle, double rate);

/* Plane stress with D11 = rate, D22 = ratio rate, and D12 = 0: proportional straining along the axes. */
sw_condition sw_condition_stretch(double rate, double ratio);

/* Stress deviator along `stress` [6] (11 22 33 23 13 12, any size, its pressure is left out), with D : stress / |stress|
 * = rate. No spin. */
sw_condition sw_condition_along_stress(const double stress[6], double rate);

/* ---- Any ---- */

/* Of one whose volume stays: it changes, so that the component `normal` is free, too. bulk_modulus, mean_stress: as above. */
void sw_condition_free_volume(sw_condition *condition, double bulk_modulus, double mean_stress);

/* No stress but pressure. */
sw_condition sw_condition_unloaded(void);

/* An entry of a loading: given and free components, in the order 11 22 33 23 13 12. A free pair has no spin. bulk_modulus
 * (Pa): of crystals with elastic strains, whose volume changes. 0: it stays, so that the first free normal component is
 * what the others leave, and the stress that it is given says the mean stress; -1: there is none such. */
sw_condition sw_condition_of_loading(const sw_loading *loading, double bulk_modulus, double mean_stress);
int sw_condition_dependent(const sw_loading *loading, double bulk_modulus);
/* The stress that a free component is given, Pa. */
double sw_condition_given_stress(const sw_loading *loading, int component);

/* Pa, at the end of a step of dt (s) under l (1/s). */
double sw_condition_mean_stress(const sw_condition *condition, const double l[3][3], double dt);

static inline double sw_trace(const double a[3][3]) { return a[0][0] + a[1][1] + a[2][2]; }
/* Contraction a : s of a tensor and a symmetric one, 11 22 33 23 13 12. */
double sw_contract(const double a[3][3], const double s[6]);

/* Deviator -> the stress in full whose 33 is zero. */
void sw_plane_stress_of(const double deviator[6], double stress[6]);

#endif
