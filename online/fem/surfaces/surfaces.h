/* Surfaces that touch: faces of elements, of two bodies or of one, that do not pass through each other.
 *
 *     law.h          pressure over the gap, friction: at a point
 *     face.h face.c  a place of a face; the place of a face that is next to a point
 *     search.c       a kept grid: the faces that are near
 *     cut.c          the slave's faces cut by the master's: points of integration
 *     points.c       where points are at a trial, and how they touch
 *     ask.c          forces and tangent of a pair of faces
 *     corners.c      pressures of hard contact
 *     find.c         pairs of faces of a trial; what points remember
 *     surfaces.c     open, increments
 *     augment.c      hard contact that is softer where increments did not end
 *     apart.c        what keeps them from touching
 *     keep.c         results, and what is kept of interrupted runs
 *
 * A contact gives whoever asks: pairs of faces (sw_surfaces_find), each with its nodes, forces on them and their derivative
 * (sw_surfaces_ask), to be gathered as those of elements; a point's history is moved on by sw_surfaces_accept. Points lie on
 * the slave's faces, fixed there from one cut to the next; at every trial each is projected onto the master anew, so that
 * pairs come and go. Faces belong to elements of whatever stiffness: a rigid mesh is one whose nodes do not move.
 *
 * At a point, x of the slave and its foot y(eta) on the master with the master's outward normal n:
 *
 *     gap g = (x - y) . n;  force on the slave p n - t, on the master at y the opposite
 *     p = p(g), or of hard contact, where as many conditions as there are points would be too many, sum of N_A p(g_A) over
 *     the face's corners, with g_A = sum of w N_A g / sum of w N_A over points about the corner
 *     t = stick (1 - n n) (x - y(anchor)), at most friction p and `limit`: the anchor is a place of the master that is
 *     dragged along while the point slides
 *
 * After Laursen, Computational Contact and Impact Mechanics (2002), chapters 2, 5 and 6; cuts as in Puso and Laursen, Comput.
 * Methods Appl. Mech. Engrg. 193 (2004) 601-629, section 4. Areas are those of the last cut; results are per
 * present area. On the CPU: the equations that they are part of are solved there or on a GPU.
 *
 * Dimensions: N nodes, U = 3 N unknowns, V nodes of a pair of faces. */
#ifndef SW_ONLINE_FEM_SURFACES_SURFACES_H
#define SW_ONLINE_FEM_SURFACES_SURFACES_H

#include "online/fem/formulation/formulation.h"

enum {
    SW_SURFACES_NODES = 3 * SW_FORMULATION_FACE_NODES, /* V at most: slave, master, and the anchor's face */
    SW_SURFACES_UNKNOWNS = 3 * SW_SURFACES_NODES,
    SW_SURFACES_ABOUT = 256 /* nodes about a corner of the slave at most */
};

typedef enum {
    SW_SURFACE_LINEAR,      /* p = -stiffness g where g < 0 */
    SW_SURFACE_EXPONENTIAL, /* p = pressure at g = 0, a hundredth of it at g = clearance */
    SW_SURFACE_TABULAR,     /* rows of -g, p; ascending */
    SW_SURFACE_TIED         /* p = -stiffness g, also where g > 0; never slides */
} sw_surface_behavior;

/* Units of the model: pressures, lengths, pressure over length. Zeros: hard, without friction. */
typedef struct {
    sw_surface_behavior behavior;
    double stiffness; /* of linear and tied ones; 0: HARD times that of what is below the faces */
    double tension;   /* of linear ones: pull far from each other, as CalculiX has it of nodes; 0: none */
    double pressure, clearance;
    int n_rows;
    double (*row)[2]; /* owned by the deck */
    double friction;  /* Coulomb's coefficient */
    double limit;     /* of the shear; 0: none */
    double stick;     /* shear over elastic slip; 0: as stiff as the pressure, of HARD a tenth of it */
} sw_surface_law;

typedef struct {
    const sw_topology *topology; /* lines, triangles, quadrilaterals; nodes counter-clockwise from outside */
    int32_t node[SW_FORMULATION_FACE_NODES];
    double stiffness; /* pressure over a displacement of the whole face; 0: it does not yield */
    double thickness; /* plane bodies */
    int flat;         /* longer than twice the depth of the element below, as in sheets */
    int off;          /* its element is not there at present */
} sw_surface_face;

typedef struct {
    int64_t n_faces[2]; /* slave, master */
    sw_surface_face *face[2];
    sw_surface_law law;
    int small;        /* feet stay where they were at the beginning */
    double clearance; /* gap at the beginning, with `small`; NAN: that of the mesh */
    int off;          /* at present they pass through each other */
} sw_surface_pair;

typedef struct sw_surfaces sw_surfaces;

/* All borrowed; pairs may change their law, they and faces `off` between increments. position [N]; dimension of space, 2 or 3; in the plane
 * axisymmetric: x is the radius, and forces are those of a full turn. SW_ERR_MEMORY. */
sw_status sw_surfaces_open(int n_pairs, const sw_surface_pair *pair, int64_t n_nodes,
                           const double (*position)[3], int dimension, int axisymmetric,
                           sw_surfaces **surfaces);
void sw_surfaces_close(sw_surfaces *surfaces); /* NULL is fine */

/* An increment begins at the accepted u [U]: surfaces that have moved along each other are cut again. finite: they may turn;
 * else all is as on the undeformed body, and pairs are small. *anew: pairs of faces are none of those before. */
sw_status sw_surfaces_begin(sw_surfaces *surfaces, const double *u, int finite, int *anew);
/* A trial u [U] is in balance: pairs without friction, which have no history, whose feet have gone far are cut again there, so
 * that increments do not matter. *anew: as above. */
sw_status sw_surfaces_settle(sw_surfaces *surfaces, const double *u, int *anew);
/* Feet at a trial u [U]. *more: there are pairs of faces more than before; those that there were keep their numbers. */
sw_status sw_surfaces_find(sw_surfaces *surfaces, const double *u, int *more);
int64_t sw_surfaces_count(const sw_surfaces *surfaces); /* pairs of faces */
/* Nodes of pair k: their number V. A node may be there twice. */
int sw_surfaces_nodes(const sw_surfaces *surfaces, int64_t k, int32_t node[SW_SURFACES_NODES]);
/* Internal forces [3 V] of pair k at the trial that was found, and, where not NULL, their derivative [3 V][3 V], symmetric
 * without friction. Thread-safe. */
void sw_surfaces_ask(const sw_surfaces *surfaces, int64_t k, const double *u, double *force,
                     double *stiffness);
/* Of hard contact besides: corners of slaves, each with a dyad left right' [3 V] in the derivative. Their number; nodes of
 * corner k, each once: V; the dyad at the trial that was found. */
int64_t sw_surfaces_corners(const sw_surfaces *surfaces);
int sw_surfaces_corner_nodes(const sw_surfaces *surfaces, int64_t k, int32_t node[SW_SURFACES_ABOUT]);
void sw_surfaces_ask_corner(const sw_surfaces *surfaces, int64_t k, const double *u, double *left,
                            double *right);
/* From here on derivatives have feet and normals stay where they are: what a pressure far from balance adds by turning them leads
 * nowhere. 0: all of it. */
void sw_surfaces_straighten(sw_surfaces *surfaces, int straight);
/* Feet have been found at u [U], in balance. From here on linear and hard contact that presses there goes on to do so, or pulls, as
 * its tangent there has it: at a guess of what comes next, whose gaps are off by far more than what surfaces pass into each other
 * by, who touches is better known from before. u NULL: no more. */
void sw_surfaces_cling(sw_surfaces *surfaces, const double *u);
/* Pressures of hard contact are p = base - K g, bases being 0 where K is HARD. Where it is less, and u [U] in balance: pressures become bases
 * where surfaces have passed into each other by more than ENOUGH (Uzawa's iteration). *more: some have, u is in balance no more. */
void sw_surfaces_augment(sw_surfaces *surfaces, const double *u, int *more);
/* How far a pair has passed into each other, over what is enough: more than 1: pressures are to be added to. */
double sw_surfaces_too_deep(const sw_surfaces *surfaces, int pair, const double *u);
/* After an increment that did not end: hard contact of flat faces, or of `all`, is softer from the next sw_surfaces_begin on, with bases
 * for which what was accepted is in balance. 0: there is none that could be. */
int sw_surfaces_soften(sw_surfaces *surfaces, int all);
/* An increment has been accepted, `soon`, after few iterations: what is softer becomes harder again after one of these, or after twice as
 * many as the last time where that has been in vain. */
void sw_surfaces_harden(sw_surfaces *surfaces, int soon);
int sw_surfaces_rub(
    const sw_surfaces *surfaces); /* some pair has friction: the derivative is not symmetric */
/* The trial u [U] becomes the accepted state. */
void sw_surfaces_accept(sw_surfaces *surfaces, const double *u);

/* What surfaces remember, as numbers, and back: how many there are; to [that many]. SW_ERR_FORMAT: they are none of these
 * surfaces'; SW_ERR_MEMORY. */
int64_t sw_surfaces_kept(const sw_surfaces *surfaces);
void sw_surfaces_keep(const sw_surfaces *surfaces, double *to);
sw_status sw_surfaces_restore(sw_surfaces *surfaces, int64_t n, const double *from);

/* ---- Results, at the trial that was found ---- */

/* Of a pair: what is on the slave; moment about the origin; most: of points that press. */
typedef struct {
    double force[3], moment[3], area, pressure, penetration,
        slip;      /* area that presses; the last three are the most */
    double energy; /* what it took to pass into each other: half of pressure times penetration */
    double gap;    /* the least; INFINITY: nowhere do they face each other */
} sw_surface_sums;
void sw_surfaces_sum(const sw_surfaces *surfaces, int pair, const double *u, sw_surface_sums *sums);
/* Why a pair touches nowhere, at an u [U] for which feet have been found: faces that are near each other face the same way, or
 * past each other; all slaves are deeper than a face is long; where feet stay, none is over the master. */
typedef enum {
    SW_SURFACES_MAY_TOUCH,
    SW_SURFACES_AVERTED,
    SW_SURFACES_TOO_DEEP,
    SW_SURFACES_BESIDE
} sw_surface_lack;
sw_surface_lack sw_surfaces_lack(const sw_surfaces *surfaces, int pair, const double *u);
/* How far points that press are beside their feet, where those stay; over the length of a slave's face. */
double sw_surfaces_strayed(const sw_surfaces *surfaces, int pair, const double *u);
/* Of nodes [N][SW_SURFACE_FIELDS]: means of the points about a slave node; 0 of others. set [N]: it is a slave's. */
enum { SW_SURFACE_PRESSURE, SW_SURFACE_SHEAR, SW_SURFACE_GAP, SW_SURFACE_SLIP, SW_SURFACE_FIELDS };
sw_status sw_surfaces_fields(const sw_surfaces *surfaces, const double *u, double (*field)[SW_SURFACE_FIELDS],
                             uint8_t *set);

#endif
