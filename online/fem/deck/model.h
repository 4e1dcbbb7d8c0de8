/* What the readers of a deck's cards share among themselves. */
#ifndef SW_ONLINE_FEM_DECK_MODEL_H
#define SW_ONLINE_FEM_DECK_MODEL_H

#include "deck.h"

enum { SW_DECK_NAME = 512 }; /* bytes of a name with its instance's */

/* names.c. A label of a scope; -1: not there. */
sw_status sw_deck_add_label(struct sw_deck_labels **list, int scope, int64_t label, int64_t index);
int64_t sw_deck_find_label(const struct sw_deck_labels *list, int scope, int64_t label);
void sw_deck_free_labels(struct sw_deck_labels *list);
/* What users see for a label of the scope at hand. */
sw_status sw_deck_shown_label(sw_deck *deck, int64_t label, int64_t *shown);
/* SW_ERR_INPUT: there is nothing of this kind and name. */
sw_status sw_deck_no_name(const sw_deck *deck, const sw_deck_card *card, int64_t i, int kind,
                          const char *name);
#ifdef __clang_analyzer__ /* which cannot see into another file what comes back */
#define sw_deck_no_name(...) ((void)sw_deck_no_name(__VA_ARGS__), SW_ERR_INPUT)
#endif

/* mesh_cards.c. A node or element of a label of the scope at hand; line i of the card for messages (-1: the card's own). A
 * node that is there at the same place is left as it is. */
sw_status sw_deck_place_node(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t label,
                             const double at[3], int64_t *index);
sw_status sw_deck_new_element(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t label,
                              const sw_deck_type *type, const int64_t *node, int64_t *index);
sw_status sw_deck_meet_awaited(sw_deck *deck); /* nodes that elements named before */
int64_t sw_deck_member_label(const sw_deck *deck,
                             int64_t place);    /* of a node of deck->member, in the scope at hand */
void sw_deck_tell_missing(const sw_deck *deck); /* members of sets that are not there */
/* Elements first to end - 1. */
sw_status sw_deck_add_range(sw_deck *deck, int64_t set, int64_t first, int64_t end);

/* axes.c. A translation, then a turn by degrees about an axis through two points: about [7]; all 0: none. */
sw_status sw_deck_motion(const sw_deck_card *card, const double by[3], const double about[7],
                         sw_deck_scope *motion);
void sw_deck_move(const sw_deck_scope *motion, const double at[3], double moved[3]);
void sw_deck_turn_direction(const sw_deck *deck, double direction[3]); /* as the instance at hand is */

/* surfaces.c. A face from 0; of shells and membranes besides these: below, above, edges from 1. -1: none. */
/* `part` of a body force that is one per length of beams. */
enum { SW_DECK_BY_LENGTH = 1 };
enum { SW_DECK_SNEG = 0, SW_DECK_SPOS = 1, SW_DECK_EDGE = 2 };
int sw_deck_face_named(const sw_deck_type *type, const char *text);
int sw_deck_has_face(const sw_deck_element *element, int face);
/* Nodes (indices) of a surface's member: of a solid its face, of a shell an edge, or all of them. NULL: it has no faces. */
const sw_topology *sw_deck_face(const sw_deck *deck, int64_t member, int64_t node[SW_FORMULATION_FACE_NODES]);

/* matter_cards.c. The material that a keyword belongs to: the last one. */
sw_status sw_deck_matter_at_hand(sw_deck *deck, const sw_deck_card *card, sw_matter **matter);
/* Rows of n numbers and a temperature; lines of a value by an argument that starts from 0, and temperature, as curves of a
 * temperature each. */
sw_status sw_deck_read_table(const sw_deck_card *card, int n, sw_matter_table *table);
sw_status sw_deck_read_curves(const sw_deck_card *card, const char *what, const char *by, int *n_curves,
                              sw_matter_curve **curves);

/* Readers of keywords. */
sw_deck_reader sw_deck_read_node, sw_deck_read_element, sw_deck_read_nset, sw_deck_read_elset,
    sw_deck_read_ngen, sw_deck_read_nfill, sw_deck_read_elgen, sw_deck_read_ncopy, sw_deck_read_elcopy,
    sw_deck_read_surface, sw_deck_read_system, sw_deck_read_material, sw_deck_read_elastic,
    sw_deck_read_plastic, sw_deck_read_cyclic_hardening, sw_deck_read_creep, sw_deck_read_rate_dependent,
    sw_deck_read_potential, sw_deck_read_hyperelastic, sw_deck_read_hyperfoam,
    sw_deck_read_deformation_plasticity, sw_deck_read_expansion, sw_deck_read_density,
    sw_deck_read_user_material, sw_deck_read_depvar, sw_deck_read_orientation, sw_deck_read_distribution,
    sw_deck_read_section_controls, sw_deck_read_model_change, sw_deck_read_change_material,
    sw_deck_read_change_plastic, sw_deck_read_change_solid_section, sw_deck_read_initial_strain_increase,
    sw_deck_read_solid_section, sw_deck_read_shell_section, sw_deck_read_membrane_section,
    sw_deck_read_beam_section, sw_deck_read_amplitude, sw_deck_read_initial_conditions, sw_deck_read_boundary,
    sw_deck_read_cload, sw_deck_read_dload, sw_deck_read_dsload, sw_deck_read_temperature, sw_deck_read_field,
    sw_deck_read_step, sw_deck_read_static, sw_deck_read_visco, sw_deck_read_end_step,
    sw_deck_read_node_print, sw_deck_read_el_print, sw_deck_read_energy_print, sw_deck_read_section_print,
    sw_deck_read_node_file, sw_deck_read_output, sw_deck_read_restart, sw_deck_read_surface_interaction,
    sw_deck_read_surface_behavior, sw_deck_read_friction, sw_deck_read_contact_pair, sw_deck_read_clearance,
    sw_deck_read_change_interaction, sw_deck_read_contact_print;

#endif
