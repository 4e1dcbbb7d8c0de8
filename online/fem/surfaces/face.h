/* Private to this folder: faces, points, and who is near. */
#ifndef SW_ONLINE_FEM_SURFACES_FACE_H
#define SW_ONLINE_FEM_SURFACES_FACE_H

#include <math.h>

#include "common/math/vector.h"
#include "surfaces.h"

/* ---- A place of a face ---- */

/* Nodes [V] where they are. */
typedef struct {
    const sw_topology *topology;
    double x[SW_FORMULATION_FACE_NODES][3];
} sw_surface_patch;

typedef struct {
    double value[SW_FORMULATION_FACE_NODES], gradient[SW_FORMULATION_FACE_NODES][3];
    double x[3], a[2][3], n[3]; /* place, tangents (in the plane one, and across), unit normal outwards */
    double area;                /* of a unit of the reference face */
} sw_surface_place;

void sw_surface_patch_of(const sw_surfaces *s, const sw_surface_face *face, const double *u,
                         sw_surface_patch *patch);
void sw_surface_see(const sw_surface_patch *patch, const double at[2], sw_surface_place *place);
/* Second derivatives of x by reference coordinates: [0] 11, [1] 22, [2] 12. */
void sw_surface_bend(const sw_surface_patch *patch, const double at[2], double second[3][3]);
double sw_surface_length(const sw_surface_patch *patch); /* mean of its edges */

/* The place next to a point. free: directions of the reference face in which it is a minimum, [n_free]; the others end at an
 * edge or a corner. outside: how far beyond the face the foot on its extension is. */
typedef struct {
    int32_t face; /* of the master; -1: none */
    double at[2], free[2][2];
    int n_free, at_edge; /* at_edge: which another face shares */
    double apart, outside;
} sw_surface_foot;
void sw_surface_project(const sw_surface_patch *patch, const double p[3], const double start[2],
                        sw_surface_foot *foot, double beyond[2]);

/* Parts of a face that are nearly flat: corners in reference coordinates; 2 in the plane, 3 or 4. */
typedef struct {
    int n;
    double corner[4][2];
} sw_surface_part;
int sw_surface_parts(const sw_topology *topology, const sw_surface_part **part);

#define SW_SURFACE_FACING -0.05 /* cosine of normals: faces with less face each other */

/* ---- Points ---- */

typedef struct {
    int32_t face; /* of the slave */
    double at[2], weight;
    double near, stiffness, stick; /* of the law */
    double offset;                 /* added to the gap */
    sw_surface_foot foot;          /* at the trial; face -1: it touches nothing */
    int32_t anchor;                /* of the master; -1: none */
    double anchor_at[2];
    double cut[2]; /* where its foot was when it was made */
    int32_t cut_face;
    double pressure, shear[3];  /* accepted */
    double slid;                /* path that it has slid, accepted */
    double base, accepted_base; /* of its pressure, where it goes by points: at the trial, accepted */
    double run;                 /* more of it: in this increment, before surfaces were cut again */
    double first;               /* its gap where sw_surfaces_cling was asked */
} sw_surface_point;

/* Faces of a master that are near a box: cells of a grid. */
typedef struct {
    double low[3], size;
    int64_t n[3], *first; /* [cells + 1] */
    int32_t *face;
    int32_t *stamp, stamped; /* [faces] */
} sw_surface_grid;

/* About a corner of the slave's faces. */
typedef struct {
    double area, gap, stiffness, pressure, slope; /* at the trial: sums, then means; gap: as gaps count */
    double apart;                                 /* mean of gaps */
    double base, accepted_base, held;             /* of its pressure; the pressure that was accepted */
    int32_t n, room, *node;                       /* of its dyad; n 0: it has none */
} sw_surface_corner;

typedef struct {
    const sw_surface_pair *of;
    sw_surface_law law; /* that points have their numbers from */
    int by_corners;     /* pressures are those of corners */
    int32_t *corner_of; /* [4 slave faces] */
    int64_t n_corners;
    sw_surface_corner *corner;
    int64_t *corner_first; /* [corners + 1] its faces in: */
    int32_t *corner_face;
    int64_t n_points, room;
    sw_surface_point *point; /* by slave faces, ascending */
    int64_t *first;          /* [slave faces + 1] */
    int64_t *next_first;     /* [master faces + 1] faces that have a node in common: */
    int32_t *next;
    double hard;  /* HARD, or less of it */
    int is_other; /* than when it was cut */
    int calm,
        wait; /* increments since it changed that ended soon (-1: it has just become harder); of how many it becomes harder */
    double length[2]; /* mean of faces */
    double soft[2];   /* mean of 1 / stiffness of faces */
    double *u;        /* [3 nodes of both] displacements when it was cut; NULL: it has not been */
    int64_t n_nodes;  /* of both */
    int32_t *node;    /* [n_nodes] */
    sw_surface_grid grid;
} sw_surface_state;

typedef struct {
    int32_t pair, slave, master, anchor; /* faces; anchor -1: none, or the master */
    int64_t later;                       /* another of the slave's face; -1 */
    int64_t n, first;                    /* of its points in the list */
} sw_surface_item;

struct sw_surfaces {
    int n_pairs, dimension, axisymmetric, finite;
    int straight; /* sw_surfaces_straighten */
    int clings;   /* since sw_surfaces_cling */
    int64_t n_nodes;
    const double (*position)[3];
    sw_surface_state *state; /* [n_pairs] */
    int64_t *item_of;        /* [all slave faces] its first item; -1 */
    int64_t *face_first;     /* [n_pairs] of a pair's slave faces in it */
    int64_t n_items, n_listed, n_faces;
    sw_surface_item *item;
    int64_t n_dyads, dyad_room;
    struct sw_surface_dyad {
        int32_t pair, corner;
    } * dyad;      /* corners that have one */
    int64_t *list; /* [n_listed] points by items */
    int64_t list_room;
};

/* search.c */
sw_status sw_surface_grid_make(const sw_surfaces *s, const sw_surface_state *state, const double *u,
                               sw_surface_grid *grid);
void sw_surface_grid_drop(sw_surface_grid *grid);
/* Faces whose cells meet a box, each once: their number; list [faces]. */
int64_t sw_surface_grid_ask(sw_surface_grid *grid, const double low[3], const double high[3], int32_t *list);

/* cut.c: points of a pair at u; histories of those before. */
sw_status sw_surface_cut(sw_surfaces *s, sw_surface_state *state, const double *u);
/* Of a pair whose law is another one: points take its numbers where they are, with their shear and path, and what softer contact
 * came to is forgotten; cut again where surfaces are tied from now on, or no more. */
sw_status sw_surface_take_law(sw_surfaces *s, sw_surface_state *state, const double *u);

/* points.c */
/* From a face that is near: the foot of p on the master. Extended over its edges by a little, or with `always` without end. */
void sw_surface_land(const sw_surfaces *s, const sw_surface_state *state, const double *u, const double p[3],
                     int always, sw_surface_foot *foot);
/* x of a point of the slave, and its normal. */
void sw_surface_slave_at(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                         const double *u, double x[3], double n[3]);
/* Of a point at the trial: gap, pressure, shear, elastic slip; 0: it touches nothing. */
typedef struct sw_surface_touch {
    double gap, pressure, slope, shear[3], slip[3], x[3], y[3], n[3];
    double bound, by_pressure; /* of the shear where it slides, and its derivative by the pressure */
    double
        bears; /* the pressure that bounds are of and that turns with normals: of a guess that pulls hardly any */
    int slides, turned; /* turned: the normal is the line to an edge */
} sw_surface_touch;

/* It pressed when the increment began, and goes on to do so at a guess. */
int sw_surface_clings(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point);
/* How its gap counts in the mean about a corner: law.h. */
double sw_surface_counted(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                          double gap, double *part, double *bend);
void sw_surface_corner_values(const sw_surface_state *state, const sw_surface_point *point, double value[4]);
/* The foot at a trial, from the one before. */
void sw_surface_find_point(const sw_surfaces *s, const sw_surface_state *state, const double *u,
                           sw_surface_point *point);
int sw_surface_touch_of(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                        const double *u, sw_surface_touch *touch);

/* The path that a point has slid, to the trial. */
double sw_surface_path(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                       const sw_surface_touch *touch, const double *u);
int sw_surface_rubs(const sw_surface_state *state); /* its points have anchors that hold */

/* Geometry of a point alone: place, foot, normal, gap; 0: it has no foot. */
int sw_surface_meet(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                    const double *u, sw_surface_touch *touch);

/* corners.c */
sw_status sw_surface_corners_open(const sw_surfaces *s, sw_surface_state *state);
void sw_surface_corners_close(sw_surface_state *state);
/* Whether a pair's pressures are those of its corners: after a cut. */
sw_status sw_surface_choose_corners(const sw_surfaces *s, sw_surface_state *state);
/* Pressures of corners at the trial, and their nodes. */
sw_status sw_surface_find_corners(sw_surfaces *s, const double *u, int *more);
void sw_surface_forget_dyads(sw_surfaces *s);
/* ask.c: dg of a point by its pair's nodes, slave then master [3 V], and D [V]. */
void sw_surface_gap_slope(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                          const sw_surface_touch *touch, const double *u, double *slope, double *weight);

#endif
