/* The crystals of an analysis: of each material of crystals those at all its points, and the response that steps them.
 * On the analysis's device; what differs there is memory.
 *
 * Tries leave what crystals come to beside what they are, and a substep that is accepted changes the two.
 *
 * Bytes: of a crystal twice its state (16, and of `elastoplastic` 20 more); of a point SW_FEM_CRYSTAL_BYTES, whatever
 * its crystals. Dimensions: E elements, Q points of an element, n crystals of a point. */
#ifndef SW_ONLINE_FEM_CRYSTAL_CRYSTALS_H
#define SW_ONLINE_FEM_CRYSTAL_CRYSTALS_H

#include "elastic.h"
#include "online/fem/backend/backend.h"
#include "online/polycrystal/draw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a device does. */
typedef struct {
    sw_device device;
    sw_status (*allocate)(int64_t bytes, void **memory); /* zeroed */
    void (*release)(void *memory);
    sw_status (*copy)(void *to, const void *from, int64_t bytes); /* either may be the host's */
    /* Of n points; *unfinished: how many need another answer. */
    sw_status (*elastic)(sw_fem_elastic_task task, const sw_fem_elastic_group *group, int64_t n,
                         int64_t *unfinished);
} sw_fem_crystal_memory;
extern const sw_fem_crystal_memory sw_fem_crystal_memory_cpu, sw_fem_crystal_memory_cuda;

/* Those of one material; points: those of its elements. */
typedef struct {
    const sw_fem_polycrystal *of;
    sw_polycrystal_draw draw;
    sw_response *response;
    int64_t first, points;       /* of all points of crystals */
    sw_crystals crystals, tried; /* device: [points n] as accepted; as the last try leaves them */
    float *weight;               /* device: [points n] or NULL */
    double volume;               /* m3, undeformed, of its elements */
    float *
        volume_weight; /* device: [points n] weights times elements' volumes over their mean, for means of what
                             families remember; NULL: as `weight` */
    /* Device: of a solver without elastic strains; else NULL. */
    sw_fem_elastic_points elastic;
    int has_tangent; /* the solver has a derivative at points */
} sw_fem_crystal_group;

typedef struct sw_fem_crystals {
    const sw_fem_crystal_memory *memory;
    int n_groups, corners;
    sw_fem_crystal_group *group; /* [n_groups] */
    int32_t *place;              /* host: [E] as of sw_fem_crystal_view */
    int16_t *group_of;           /* host: [E] -1: none */
    int64_t n_points;
    int tried;                /* the last try is of the step at hand, to its end */
    int looks;                /* what is tried is looked at alone */
    int looked;               /* the view's gradients are of what was looked at */
    double (*ends)[6];        /* device: [points] meanwhile the last try's stresses */
    int wants_slopes;         /* tries have derivatives at once: they cost as much again */
    int has_slopes;           /* the last try has */
    sw_fem_crystal_view view; /* device */
} sw_fem_crystals;

enum { SW_FEM_CRYSTAL_BYTES = (9 + 6 + 6 + 36 + 18 + 2) * 8 + (int)sizeof(sw_fem_crystal_point) };

/* fem->crystals, or NULL when the problem has no crystals: without stress. SW_ERR_RANGE for what a polycrystal cannot
 * be; errors of sw_response_open; SW_ERR_MEMORY. fem->crystals goes with sw_fem_crystals_close, half made or not. */
sw_status sw_fem_crystals_open(sw_fem *fem, const sw_fem_crystal_memory *memory);
void sw_fem_crystals_close(sw_fem *fem);

/* Whether a material of crystals is one: SW_ERR_RANGE. */
sw_status sw_fem_crystals_check(const sw_fem_problem *problem);

/* All points try the step that view.gradient and view.dt say, and answer in the view. SW_ERR_CONVERGENCE when crystals
 * have no answer. */
sw_status sw_fem_crystals_try(sw_fem_crystals *crystals);
/* Whether what is tried from now on is looked at alone, on the way to the last try: it leaves its stresses in the view, and, where
 * that can be, goes without a trace when one looks no more; else the last try is to be made again. */
sw_status sw_fem_crystals_look(sw_fem_crystals *crystals, int looks);
/* Whether tries from now on have derivatives at once. */
void sw_fem_want_slopes(sw_fem *fem, int wanted);
/* That try's derivatives, if it was made without. */
sw_status sw_fem_crystals_need_slopes(sw_fem_crystals *crystals);
/* The last try becomes the state. */
sw_status sw_fem_crystals_accept(sw_fem_crystals *crystals);

/* As of sw_fem_state. */
sw_status sw_fem_crystals_save(const sw_fem_crystals *crystals, sw_fem_crystal_point *points,
                               sw_crystal *crystal, double *kept);
sw_status sw_fem_crystals_restore(sw_fem_crystals *crystals, const sw_fem_state *state, int64_t n_elements);

/* sw_fem_read_crystals of an element of this process' part. */
sw_status sw_fem_read_part_crystals(sw_fem *fem, int64_t e, sw_crystal *crystal, float *weight);

/* texture.c: what elements draw their crystals from; s0: the material's slip resistance, Pa. */
sw_polycrystal_draw sw_fem_draw_of(const sw_fem_polycrystal *of, float s0);
/* The crystals [Q n] that element e of the whole mesh begins with. */
void sw_fem_first_crystals(const sw_fem_polycrystal *of, const sw_polycrystal_draw *draw, int64_t e,
                           int corners, sw_crystal *crystal);

/* Its material, and what is remembered of its crystals; NULL: nothing. */
const sw_material *sw_fem_material_in(const sw_fem_polycrystal *of);
const sw_state_layout *sw_fem_layout_of(const sw_fem_polycrystal *of);
/* Values of the state that a crystal keeps (sw_crystals_save). */
int64_t sw_fem_state_values(const sw_fem_polycrystal *of);

#ifdef __cplusplus
}
#endif

#endif
