/* What readers of ties, couplings and rigid bodies, shells and beams share.
 *
 *     tying.c            unknowns by node and component, linear constraints
 *     curved.c           constraints that are not linear: bodies that turn, planes, lines, distances, mean rotations
 *     projection.c nearby.c   nodes onto faces, and which are near
 *     tie_cards.c        EQUATION, MPC, TRANSFORM
 *     surface_cards.c    TIE, CYCLIC SYMMETRY MODEL
 *     coupling_cards.c   COUPLING, KINEMATIC, DISTRIBUTING, RIGID BODY
 *     spring_cards.c     SPRING, GAP, MASS
 *     tension_cards.c    PRE-TENSION SECTION
 *     nodal_cards.c      NODAL THICKNESS, NORMAL
 *     normals.c          how many directions shells and beams have in a node
 *     expansion.c        nodes of shells and beams become several; knots
 *     solids.c           elements of shells and beams become solids
 *     finish.c           constraints when the steps are known */
#ifndef SW_ONLINE_FEM_TYING_SHARED_H
#define SW_ONLINE_FEM_TYING_SHARED_H

#include "online/fem/deck/model.h"
#include "online/fem/deck/tying.h"

/* ---- What they share ---- */

/* Nodes of a surface of nodes or faces, each once, in the order met; malloc'd. */
sw_status sw_deck_surface_nodes(const sw_deck *deck, const sw_deck_set *surface, int64_t *n, int64_t **node);
/* The node that has a node's rotations about the axes of space: made when there is none. Rotations that are about the node's
 * own axes have these `axes`. */
enum { SW_DECK_ALONG_AXES = -2 };
sw_status sw_deck_rotations_of(sw_deck *deck, int64_t node, int64_t *rotations);
/* curved.c: an equation f = 0 of displacements, given to the model. */
typedef struct sw_deck_curve {
    /* f at u [unknowns], and its derivatives by the terms' unknowns. */
    double (*value)(const struct sw_deck_curve *curve, const double *u, double *coefficient);
    int n_nodes, n_terms, turns;
    int64_t *node;     /* [n_nodes] */
    double (*at)[3];   /* [n_nodes] where they are */
    int64_t *unknown;  /* [n_terms] */
    double number[16]; /* of the kind */
} sw_deck_curve;

/* A node moves with a body: component along `direction` of u = w + (R U - 1)(x - x_w), where w are displacements of `body`,
 * R the turn by the rotation vector at `rotations`, and U = 1 + sum s_k of the stretch node `stretch` (-1: none) times
 * modes: one, the identity, or three in the plane of two axes. */
typedef struct {
    int64_t node, body, rotations, stretch;
    int n_stretch;                    /* 0, 1, 3 */
    double reference[3];              /* x_w */
    double plane[2][3], direction[3]; /* unit vectors */
} sw_deck_follower;
sw_status sw_deck_follow(sw_deck *deck, int64_t line, const sw_deck_follower *follower);
/* All three components, or of plane decks two. */
sw_status sw_deck_follow_wholly(sw_deck *deck, int64_t line, sw_deck_follower *follower);

/* Mean rotation of nodes about an axis is that unknown, or the sum of it and the two after it times part (NULL). Of two nodes,
 * which cannot turn about their line, it is the axis' part of their rotation. */
sw_status sw_deck_mean_rotation(sw_deck *deck, int64_t line, int n, const int64_t *node, const double axis[3],
                                const double part[3], int64_t unknown);
/* A node stays in the plane of three, on the line of two, as far from another. */
sw_status sw_deck_stay_in_plane(sw_deck *deck, int64_t line, const int64_t of[3], int64_t node);
sw_status sw_deck_stay_on_line(sw_deck *deck, int64_t line, const int64_t of[2], int64_t node);
sw_status sw_deck_keep_distance(sw_deck *deck, int64_t line, int64_t node, int64_t other);

/* Turn by a rotation vector: of y, and its derivatives by the vector's components, as columns. */
void sw_deck_turn(const double vector[3], const double y[3], double turned[3], double derivative[3][3]);

/* projection.c: the point of a face that is next to p: reference coordinates, shape functions; distance along the normal is
 * returned, *outside how far beyond the face's edge it lies, in the face's own lengths. */
double sw_deck_project(const sw_topology *face, const double (*at)[3], const double p[3], double *value,
                       double foot[3], double *outside);

/* nearby.c: places by their coordinate along the axis of space on which they are farthest apart. */
typedef struct {
    int axis;
    int64_t n;
    struct sw_deck_post {
        double at;
        int64_t index;
    } * post; /* [n] ascending */
} sw_deck_row;
sw_status sw_deck_line_up(int64_t n, const double (*at)[3], sw_deck_row *row);
int64_t sw_deck_post_from(const sw_deck_row *row, double at); /* the first that is not before a place */

/* ---- The store: tying.c and expansion.c alone ---- */

/* A direction that a shell or a beam has in a node, and the nodes that are made for it. */
typedef struct {
    int64_t node, first;       /* first of its offspring */
    int n, means;              /* how many; of which those first have turns: a line or corners */
    int is_beam, hinged;       /* hinged: of membranes, no knot */
    double normal[2][3];       /* shell: normal; beam: directions 1 and 2 */
    double tangent[3];         /* of a beam */
    double size[2], offset[2]; /* thicknesses; offsets in them */
    int straight,
        held; /* components of displacement between that are held so, rotations that are prescribed, as bits */
    int64_t loaded;           /* the node that loads of this one act on; 0: none yet */
    int round, quadratic_end; /* elliptic; nodes half way are wanted */
} sw_deck_expansion;

/* What has a node besides shells and beams. */
enum { SW_DECK_NO_SOLID, SW_DECK_IN_SOLIDS, SW_DECK_IN_EQUATIONS };

typedef struct sw_deck_tying {
    int64_t n; /* nodes there is room for */
    int64_t *
        expansion; /* [n] the first of a node; -1. Those of a node stand one after the other, as their offspring do */
    int64_t *local;              /* [n] the node whose displacements are a node's along its own axes; -1 */
    int64_t *origin;             /* [n] the node that a node of a cut is a copy of; -1 */
    int64_t *rotation;           /* [n] the node whose displacements are a node's rotations; -1 */
    uint8_t *solid;              /* [n] what has the node besides shells and beams */
    uint8_t *bends;              /* [n] shells or beams have the node: then it has rotations */
    double (*thickness)[2];      /* [n] of NODAL THICKNESS; 0: none */
    int marked, expanded, plane; /* bends is filled in; sw_deck_expand was called; 1 + sw_deck_is_plane */
    double *rest;                /* [3 n] zeros */
    int64_t n_expansions, n_offspring;
    int64_t n_normals;
    struct sw_deck_normal {
        int64_t element, node;
        double along[3];
    } * normals; /* of NORMAL */
    sw_deck_expansion *expansions;
    sw_deck_offspring *offspring;
    int n_ties;
    int64_t (*tie)[2];            /* [n_ties] constraints of a TIE: the first, the one after the last */
    const sw_deck_card *coupling; /* the COUPLING that waits for what it is */
    uint8_t *given;               /* [elements] of SPRING, GAP and MASS; NULL: none */
    double *mass;                 /* [elements]; NULL: none */
    int finite;                   /* MPC that are not linear */
    int is_soft, is_skew;         /* a B31R, a section held across its axes was warned of */
    int n_tables;
    double (**table)[2]; /* of springs */
    int n_formulations;
    struct sw_deck_made_formulation {
        sw_formulation *formulation;
        const sw_formulation *base;
        int section, layer; /* what it was made for; section -1: of any rectangle, -2: of any shell */
        sw_rule rule;
        double (*point)[4];
    } * *formulations; /* of sections whose points lie elsewhere */
} sw_deck_tying;

/* A constraint with room for n terms, none of them there yet; rest: displacements of nothing [3 nodes]. */
sw_status sw_deck_new_constraint(sw_deck *deck, int64_t line, int n, sw_structure_constraint **constraint,
                                 const double **rest);
/* coupling_cards.c, spring_cards.c: a COUPLING that is none, elements of springs and masses of which no card
 * says anything. SW_ERR_INPUT. */
sw_status sw_deck_end_coupling(const sw_deck_tying *tying);
sw_status sw_deck_need_springs(const sw_deck *deck);
void sw_deck_drop_nothings(sw_structure_constraint *constraint);  /* terms of coefficient 0 */
sw_status sw_deck_tying_of(sw_deck *deck, sw_deck_tying **tying); /* with room for all nodes that there are */

sw_status sw_deck_new_node(sw_deck *deck, const double at[3],
                           int64_t *node); /* of the program's own, with its room */

/* A place of an element of a shell or a beam: which direction its node has there. */
typedef struct {
    int64_t element, expansion; /* -1: not yet */
    int place, is_beam, hinged, quadratic_end, round, given;
    double normal[2][3], tangent[3], size[2], offset[2];
    const sw_deck_section *section;
} sw_deck_corner;

/* normals.c: the corners of all shells and beams, element by element, first[e] of element e (-1: none); expansions of nodes,
 * without offspring. */
sw_status sw_deck_find_directions(sw_deck *deck, int64_t *n, sw_deck_corner **corner, int64_t *first);
/* solids.c: the elements. */
sw_status sw_deck_make_solids(sw_deck *deck, const sw_deck_corner *corner, const int64_t *first);
/* expansion.c: equations have the node: of a shell it is the mean of its two sides, as CalculiX has it. */
sw_status sw_deck_take_sides(sw_deck *deck, int64_t node);
/* The sides of a beam's section stay straight there. */
sw_status sw_deck_keep_straight(sw_deck *deck, int64_t node);
/* What the rotations of a node that has expansions are. */
sw_status sw_deck_tie_rotations(sw_deck *deck, int64_t node);

#endif
