/* Material points made of crystals, for other codes' elements: from a deformation gradient to a Cauchy stress, its
 * derivatives, and a new state. The library holds no point's state: the caller does, in plain numbers.
 *
 *     sw_point_model *model;
 *     sw_status status = sw_point_model_read("copper.yaml", &model);
 *     const int64_t n = sw_point_model_state_numbers(model);
 *     double *state = malloc(n * sizeof *state), stress[1][6];
 *     status = sw_point_begin(model, 1, state);
 *     status = sw_point_advance(model, &(sw_point_update){.points = 1, .dt = 1.0, .old_gradient = &f0,
 *                                  .new_gradient = &f1, .old_state = state, .new_state = state, .stress = stress});
 *
 * A point is a Taylor polycrystal of n crystals (slipwave/response.h) that all follow the point's velocity gradient
 * L = log(F1 F0^-1) / dt, constant through the step, F0 and F1 the deformation gradients before and after it. The
 * stress's deviator is the mean of the crystals'; its mean is elastic and hangs on J = det F1 alone: K ln J / J, with
 * the bulk modulus K; what volume and deviators of crystals that are not cubic do to each other is left out (docs/theory.md).
 * docs/guide/other-codes.md. Dimensions: P points, n crystals of each, N numbers of a state.
 *
 * All tensors are in the sample frame that the texture is given in and that does not turn with the body. So are the
 * crystals' orientations: a state is not to be rotated by the caller.
 *
 * Any number of threads may use one model at a time, with states of their own. */
#ifndef SLIPWAVE_MATERIAL_POINT_H
#define SLIPWAVE_MATERIAL_POINT_H

#include <stdint.h>

#include "slipwave/response.h"
#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *solver;        /* elastoplastic (NULL: this), rigid_plastic or grid */
    const char *material;      /* path of a material file; NULL: the database's material */
    const char *database;      /* path; NULL: none, which grid needs */
    const char *crystals_file; /* orientations: .ori .tex .ang .ctf .h5; NULL: random ones */
    const char *phase;         /* of a scan, by name or number; NULL: it has one only */
    int64_t crystals, seed;    /* of random ones: n, from 1 to 1e5; and their seed, >= 0 */
    int own; /* each point has random crystals of its own, by its number; else all the same */
    double initial_slip_resistance;  /* Pa; 0: the material's */
    double largest_strain_increment; /* ||D|| dt, above which a step is too large; 0: 0.1 */
    const char *homogenization;      /* NULL: taylor */
    /* how it goes, of that one (slipwave/response.h); NULL: as standard */
    const sw_self_consistent *self_consistent;
} sw_point_options;

/* What all points of a material share; it does not change. */
typedef struct sw_point_model sw_point_model;

/* SW_ERR_RANGE for an option that is out of its bounds; every status of materials, databases, crystal files and
 * responses. Release with sw_point_model_close. The strings are not kept. */
SW_API sw_status sw_point_model_open(const sw_point_options *options, sw_point_model **model);
/* The same from a point file (YAML; docs/file-formats.md). SW_ERR_INPUT names file, line, key, value and bound. */
SW_API sw_status sw_point_model_read(const char *path, sw_point_model **model);
SW_API void sw_point_model_close(sw_point_model *model);

/* n; k, numbers of a crystal in a state, as its solver and its material have them (of elastoplastic 9, of the
 * others 4; of materials with slip.families more); N =
 * SW_POINT_CRYSTALS + k n; bulk modulus, Pa. */
SW_API int64_t sw_point_model_crystals(const sw_point_model *model);
SW_API int64_t sw_point_model_crystal_numbers(const sw_point_model *model);
SW_API int64_t sw_point_model_state_numbers(const sw_point_model *model);
SW_API double sw_point_model_bulk_modulus(const sw_point_model *model);

/* A state's first numbers; crystal i has those from SW_POINT_CRYSTALS + k i on: Bunge angles phi1 Phi phi2
 * (rad, crystal -> sample), slip resistance (Pa), then what its solver remembers, of elastoplastic five components of its
 * stress over it (docs/theory.md), and of materials with slip.families their resistances and slips. Crystals are held to single precision. */
enum {
    SW_POINT_BEGUN,           /* 1; 0: sw_point_begin has not been here */
    SW_POINT_SLIP_RESISTANCE, /* mean s, Pa */
    SW_POINT_SLIP_RATE,       /* mean G, 1/s, of the last step */
    SW_POINT_SLIP,            /* integral of G dt */
    SW_POINT_CRYSTALS
};

/* The state [N] of a point without stress. number: the point's, which random crystals of its own are drawn by: from 0
 * to 2^44; SW_ERR_RANGE for others. */
SW_API sw_status sw_point_begin(const sw_point_model *model, int64_t number, double *state);

/* A step of P points. */
typedef struct {
    int64_t points;                                            /* P */
    double dt;                                                 /* s */
    const double (*old_gradient)[3][3], (*new_gradient)[3][3]; /* [P] F0 and F1, det > 0 */
    const double *old_state;                                   /* [P][N] */

    /* Out; [P] each, NULL: not wanted. new_state may be old_state. */
    double *new_state;              /* [P][N] */
    double (*stress)[6];            /* Cauchy stress 11 22 33 23 13 12, Pa */
    double (*by_gradient)[6][3][3]; /* d stress / d F1, Pa */
    double (*by_strain)[6][6];      /* (1/J) d (J stress) / d eps, Pa: below */
    unsigned char *failed;          /* 1: this one needs a smaller step, 0: not */
} sw_point_update;

/* by_strain: F1 changes to (1 + deps) F1, with deps symmetric, 11 22 33 2x23 2x13 2x12, and J stress, over J, changes
 * by by_strain deps: the tangent that belongs to the Jaumann rate of Kirchhoff stress, which Abaqus' DDSDDE is. It is
 * not symmetric. Derivatives are those of the whole step, in double precision from crystals in single; elastoplastic's
 * and rigid_plastic's are their own, grid's differences.
 *
 * rigid_plastic and grid have no elastic deviator: no stress and no tangent at rest, and stresses that jump as D turns.
 *
 * SW_ERR_CONVERGENCE: a smaller step may do it. That is so for dt <= 0, for what is no number, det F <= 0, a step of
 * more than largest_strain_increment, a turn of more than some 0.7 rad, or crystals without an answer. Nothing but
 * `failed` is written then. SW_ERR_RANGE for P < 0 and for a state that has not begun; SW_ERR_MEMORY.
 *
 * One point is computed by the calling thread alone; more than one by OpenMP's, as the work is worth. A point's results
 * are the same bits in any batch and by any number of threads. */
SW_API sw_status sw_point_advance(const sw_point_model *model, const sw_point_update *update);

#ifdef __cplusplus
}
#endif

#endif
