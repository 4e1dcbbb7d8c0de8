/* What ties unknowns of a deck to each other: shared by the readers of ties, couplings and rigid bodies, shells and beams.
 *
 *     tying.c            unknowns by node and component, linear constraints
 *     curved.c           constraints that are not linear: bodies that turn, planes, lines, distances, mean rotations
 *     projection.c       nodes onto faces
 *     tie_cards.c        EQUATION, MPC, TRANSFORM
 *     surface_cards.c    TIE, CYCLIC SYMMETRY MODEL
 *     coupling_cards.c   COUPLING, KINEMATIC, DISTRIBUTING, RIGID BODY
 *     expansion.c        how nodes of shells and beams become several; knots
 *     shells.c, beams.c  what they become
 *     spring_cards.c     SPRING, MASS, DASHPOT
 *
 * Order: all cards of the model; sw_deck_expand; the late readers, BOUNDARY last; steps; sw_deck_finish_ties. */
#ifndef SW_ONLINE_FEM_DECK_TYING_H
#define SW_ONLINE_FEM_DECK_TYING_H

#include "deck.h"

/* ---- Unknowns ---- */

/* The unknown of a node's component as decks count them: 1..3 displacements, in the node's own axes where TRANSFORM gave it
 * some; 4..6 rotations, which nodes of shells and beams, of rigid bodies and couplings have. *unknown -1: it has no such. */
sw_status sw_deck_unknown(sw_deck *deck, int64_t node, int component, int64_t *unknown);

/* No element of the deck is in space: third displacements and rotations about others than the third axis are not there. */
int sw_deck_is_plane(const sw_deck *deck);

/* Shells and beams become solids: elements at the end of deck->element, whose section and label are those of what they were
 * made for, `expanded` its index and n_expanded SW_DECK_MADE. */
enum { SW_DECK_MADE = -2 };
sw_status sw_deck_expand(sw_deck *deck);

/* Loads of expanded elements, of the kth of element->n_expanded: "P", "P1", "P2" (beams), "EDNOR3", or a surface's "SPOS",
 * "SNEG": the face (from 0) of deck->element[element->expanded + k], and what the magnitude is multiplied by; 0: no part
 * of the load. *face -1: no such label. */
void sw_deck_expanded_face(const sw_deck *deck, const sw_deck_element *element, const char *label, int k,
                           int *face, double *factor);
/* Nodes that a node of shells and beams became, with their heights over it along the shell's normal, or along a beam's first
 * and second direction: for temperatures and their gradients. *n 0: none. */
typedef struct {
    int64_t node;
    double height[2];
} sw_deck_offspring;
void sw_deck_offspring_of(const sw_deck *deck, int64_t node, int *n, const sw_deck_offspring **offspring);

/* When steps are read: constraints are linear where no step has NLGEOM; CalculiX' steps have it where MPC are not linear. */
void sw_deck_finish_ties(sw_deck *deck);
void sw_deck_tying_free(sw_deck *deck);

/* ---- Readers ---- */

sw_deck_reader sw_deck_read_equation, sw_deck_read_mpc, sw_deck_read_transform, sw_deck_read_tie,
    sw_deck_read_cyclic; /* late, but TRANSFORM */
sw_deck_reader sw_deck_read_coupling, sw_deck_read_kinematic, sw_deck_read_distributing,
    sw_deck_read_kinematic_coupling, sw_deck_read_distributing_coupling, sw_deck_read_rigid_body; /* late */
double sw_deck_mass_of(const sw_deck *deck, int64_t element); /* of an element MASS; 0 */
sw_deck_reader sw_deck_read_spring, sw_deck_read_mass;        /* late */
sw_deck_reader
    sw_deck_read_by_expansion; /* NORMAL, NODAL THICKNESS: passed over, sw_deck_expand looks for them */

/* ---- What they share ---- */

/* A parameter's value as one node: its label, or a set of exactly one. SW_ERR_INPUT. */
sw_status sw_deck_node_named(sw_deck *deck, const sw_deck_card *card, const char *key, const char *value,
                             int64_t *node);
/* Nodes of a surface of nodes or faces, each once, in the order met; malloc'd. */
sw_status sw_deck_surface_nodes(const sw_deck *deck, const sw_deck_set *surface, int64_t *n, int64_t **node);
/* Nodes (indices) of a surface's member. */
const sw_topology *sw_deck_face(const sw_deck *deck, int64_t member, int64_t node[SW_FORMULATION_FACE_NODES]);
/* The node that has a node's rotations: made when there is none. */
sw_status sw_deck_rotations_of(sw_deck *deck, int64_t node, int64_t *rotations);
/* Rotations of a node are displacements of another from now on. */
sw_status sw_deck_set_rotations(sw_deck *deck, int64_t node, int64_t rotations);

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

/* Mean rotation of nodes about an axis is that unknown. */
sw_status sw_deck_mean_rotation(sw_deck *deck, int64_t line, int n, const int64_t *node, const double axis[3],
                                int64_t unknown);
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

/* ---- The store: tying.c and expansion.c alone ---- */

typedef struct {
    int64_t first; /* of its offspring */
    int n, means;  /* how many; of which those first that the mean displacement is made of; 0: a knot's */
    int is_beam;
    double normal[2][3]; /* shell: normal; beam: directions 1 and 2 */
    int64_t next;        /* another of the same node; -1 */
} sw_deck_expansion;

typedef struct sw_deck_tying {
    int64_t n;                                        /* nodes there is room for */
    int64_t *turned, *rotations;                      /* [n] nodes; -1 */
    int64_t *expansion;                               /* [n] of expansions, -1 */
    double *rest;                                     /* [3 n] zeros */
    int64_t n_expansions, n_offspring, n_constraints; /* constraints there is room for */
    sw_deck_expansion *expansions;
    sw_deck_offspring *offspring;
    const sw_deck_card *coupling; /* the COUPLING that waits for what it is */
    int finite;                   /* MPC that are not linear */
    int64_t n_masses, n_springs;  /* springs: room for */
    struct sw_deck_mass {
        int64_t element;
        double mass;
    } * mass;
    int n_tables;
    double (**table)[2]; /* of springs */
    int n_formulations;
    struct sw_deck_made_formulation {
        sw_formulation formulation;
        sw_rule rule;
        double (*point)[4];
    } * *formulations; /* of sections whose points lie elsewhere */
} sw_deck_tying;

/* A constraint with room for n terms, none of them there yet; rest: displacements of nothing [3 nodes]. */
sw_status sw_deck_new_constraint(sw_deck *deck, int64_t line, int n, sw_structure_constraint **constraint,
                                 const double **rest);
sw_status sw_deck_tying_of(sw_deck *deck, sw_deck_tying **tying); /* with room for all nodes that there are */

#endif
