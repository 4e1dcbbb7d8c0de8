/* What ties unknowns of a deck to each other, as the rest of a deck sees it: online/fem/tying/.
 *
 * Order: all cards, whose readers may ask for unknowns; then sw_deck_expand, what became of shells and beams, and
 * sw_deck_finish_ties. */
#ifndef SW_ONLINE_FEM_DECK_TYING_H
#define SW_ONLINE_FEM_DECK_TYING_H

#include "deck.h"

/* ---- Unknowns ---- */

/* The unknown of a node's component as decks count them: 1..3 displacements, in the node's own axes where TRANSFORM gave it
 * some; 4..6 rotations, which nodes of shells and beams, of rigid bodies and couplings have. *unknown -1: it has no such. */
sw_status sw_deck_unknown(sw_deck *deck, int64_t node, int component, int64_t *unknown);

/* A component (from 1) of the node is prescribed: what a shell's or a beam's node became stays straight, as CalculiX has it.
 * After sw_deck_expand. */
sw_status sw_deck_prescribe(sw_deck *deck, int64_t node, int component);
/* The unknown that a load on a component acts on: not always the node's, since loads on shells are spread as a constant
 * traction's are. After sw_deck_expand. */
sw_status sw_deck_loaded(sw_deck *deck, int64_t node, int component, int64_t *unknown);

/* No element of the deck is in space: third displacements and rotations about others than the third axis are not there. */
int sw_deck_is_plane(const sw_deck *deck);

/* Shells and beams become solids: elements at the end of deck->element, whose section and label are those of what they were
 * made for, `expanded` its index and n_expanded SW_DECK_MADE. Those of element e follow each other from e's `expanded` on,
 * n_expanded of them (layers). Nothing is done a second time. */
enum { SW_DECK_MADE = -2 };
sw_status sw_deck_expand(sw_deck *deck);

/* Where a pressure acts on the kth of an expanded element's: `part` is of shells what sw_deck_face_named gives, of beams as
 * CalculiX has S1 to S6: against and along direction 1, along direction 2, the end, against direction 2, the start. The face (from 0), and what the
 * magnitude is multiplied by: forces per length are those of shells' edges and of Abaqus' beams; 0: the kth has no part of it. */
void sw_deck_expanded_face(const sw_deck *deck, const sw_deck_element *element, int part, int k, int *face,
                           double *factor);
/* By what a force per length of a beam is its force per volume: length over volume. */
double sw_deck_by_volume(const sw_deck *deck, const sw_deck_element *beam);
/* Nodes that a node of shells and beams became, with their heights over it along the shell's normal, or along a beam's first
 * and second direction: for temperatures and their gradients. *n 0: none. */
typedef struct {
    int64_t node;
    double height[2];
} sw_deck_offspring;
void sw_deck_offspring_of(const sw_deck *deck, int64_t node, int *n, const sw_deck_offspring **offspring);

/* The node that one of a cut (PRE-TENSION SECTION) is a copy of, or itself: temperatures of one are those of the other. */
int64_t sw_deck_origin_of(const sw_deck *deck, int64_t node);

/* What NODAL THICKNESS says of a node; 0: nothing. */
double sw_deck_thickness_of(const sw_deck *deck, int64_t node);

/* When steps are read: constraints are linear where no step has NLGEOM; CalculiX' steps have it where MPC are not linear. */
sw_status sw_deck_finish_ties(sw_deck *deck);
void sw_deck_tying_free(sw_deck *deck);

/* ---- Readers ---- */

sw_deck_reader sw_deck_read_equation, sw_deck_read_mpc, sw_deck_read_transform, sw_deck_read_tie,
    sw_deck_read_cyclic; /* late, but TRANSFORM */
sw_deck_reader sw_deck_read_coupling, sw_deck_read_kinematic, sw_deck_read_distributing,
    sw_deck_read_kinematic_coupling, sw_deck_read_distributing_coupling, sw_deck_read_rigid_body; /* late */
/* A node of the slave's, or of `nodes` (not NULL), that is at most `far` from the master's faces, or beneath them, is put on them. */
sw_status sw_deck_adjust(sw_deck *deck, const sw_deck_card *card, const sw_deck_set *slave,
                         const sw_deck_set *master, double far, const sw_deck_set *nodes);
double sw_deck_mass_of(const sw_deck *deck, int64_t element);            /* of an element MASS; 0 */
sw_deck_reader sw_deck_read_spring, sw_deck_read_gap, sw_deck_read_mass; /* late */
sw_deck_reader sw_deck_read_pre_tension_section;                         /* with the mesh */
sw_deck_reader sw_deck_read_nodal_thickness, sw_deck_read_normal;        /* late */

#endif
