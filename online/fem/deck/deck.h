/* Decks of Abaqus and CalculiX as they are: `slipwave fem beam.inp`.
 *
 *     online/fem/cards/          a file and what it includes as a list of cards: a keyword with its parameters and data lines
 *     names.c                    names, labels, sets, each in its instance
 *     mesh_cards.c generate.c surfaces.c types.c axes.c distributions.c
 *     matter_cards.c section_cards.c
 *     problem/keywords.c         the list of keywords: who reads one, or why it is passed over or refused
 *     problem/read.c             the order in which cards are read, parts and instances
 *     problem/step_cards.c load_cards.c print_cards.c conditions.c   steps, and what lives from one to the next
 *     problem/contact_cards.c contacts.c                           surfaces that touch
 *     problem/problem.c          the model as a problem of structures (online/fem/structure/)
 *     online/fem/tying/          equations, ties, couplings, rigid bodies, local axes; shells and beams become solids
 *
 * A model is filled in the order of the cards; names are looked up when all are there. */
#ifndef SW_ONLINE_FEM_DECK_DECK_H
#define SW_ONLINE_FEM_DECK_DECK_H

#include "common/files/names.h"
#include "online/fem/cards/cards.h"
#include "online/fem/structure/structure.h"

typedef enum { SW_DECK_ABAQUS, SW_DECK_CALCULIX } sw_deck_dialect;

/* ---- The model ---- */

/* How elements of a deck are to be understood. */
typedef enum {
    SW_DECK_FORMULATION, /* one of the table of formulations */
    SW_DECK_SHELL,
    SW_DECK_BEAM,
    SW_DECK_TRUSS,
    SW_DECK_MEMBRANE,
    SW_DECK_SPRING,
    SW_DECK_COUPLING_ELEMENT, /* DCOUP3D */
    SW_DECK_MASS,             /* nothing in statics but under gravity */
    SW_DECK_SURFACE_ELEMENT   /* SFM3D...: makes sets alone */
} sw_deck_element_kind;

typedef struct {
    const char *name; /* "S8R" */
    sw_deck_element_kind kind;
    int n_nodes;
} sw_deck_type;
/* By name, in any case. NULL: there is none, or no such formulation in the dialect. */
const sw_deck_type *sw_deck_find_type(const char *name, sw_deck_dialect dialect);
/* What a shell, a membrane or a surface element is in its plane: its faces are its edges, in order. NULL: no such. */
const sw_topology *sw_deck_flat(const sw_deck_type *type);

typedef struct {
    int64_t label;
    double at[3];
    int32_t axes; /* of TRANSFORM: of deck->axes; -1: space's */
} sw_deck_node;

typedef struct {
    int64_t label, line;
    const char *path;
    const sw_deck_type *type;
    const sw_formulation *formulation; /* of kind formulation */
    int64_t first;                     /* of its nodes in deck->member: indices of nodes */
    int32_t n_nodes, section;          /* -1: none yet */
    int32_t expanded,
        n_expanded; /* shells and beams: the first that they become, and how many (layers); else -1 */
} sw_deck_element;

typedef struct {
    char *name; /* capitals */
    sw_fem_set_kind kind;
    int64_t n, capacity;
    int64_t *member; /* nodes or elements by index, in the order given; of a surface 8 element + face */
    int of_nodes;    /* a surface of nodes */
    int64_t missing, first_missing; /* members that are not there, the first's label */
    const sw_deck_line *missing_at;
    const sw_deck_card *first, *last; /* *NSET, *ELSET that it has members from; NULL */
    int64_t listed;                   /* how many these list, repeated ones as often */
} sw_deck_set;

/* SW_ERR_INPUT "FILE:LINE: *ELEMENT: element 7 of type S4 ..." */
sw_status sw_deck_complain_of(const sw_deck_element *element, const char *what);

typedef enum { SW_DECK_RECTANGULAR, SW_DECK_CYLINDRICAL } sw_deck_system;
/* Axes by two points: rectangular: a on x, b in the x-y plane (orientation); cylindrical: a and b on the axis. */
typedef struct {
    char *name; /* of an orientation */
    sw_deck_system system;
    double a[3], b[3];
    int64_t line; /* that has the points */
    int scope;    /* of an orientation */
    int turn_axis; /* of an orientation's second line: local axis 1..3 of the additional rotation `turn`, degrees; 0: no line */
    double turn;
    const char *distribution; /* borrowed: axes of elements are of[element], from DISTRIBUTION; NULL */
    int32_t *of;              /* [elements of the deck as it is read] others of deck->axes; -1 */
} sw_deck_axes;
/* Rows: the axes at a place. */
void sw_deck_axes_at(const sw_deck_axes *axes, const double at[3], double rows[3][3]);
typedef struct {
    const sw_deck_card *card;     /* *SOLID SECTION, *SHELL SECTION, *BEAM SECTION, ... */
    int material, orientation;    /* -1: none */
    double thickness;             /* shells, plane bodies; area of trusses */
    int by_nodes;                 /* of plane bodies: NODAL THICKNESS has it, where it says anything */
    double offset;                /* of shells, in thicknesses */
    char shape[8];                /* beams: "RECT", "CIRC", "PIPE", "BOX" */
    double size[8], direction[3]; /* beams: sizes, at 6 and 7 offsets; their first direction */
    int n_layers;                 /* composite shells: 0: none */
    struct sw_deck_layer {
        double thickness;
        int material, orientation;
    } * layer;
} sw_deck_section;

/* Parts and instances: labels and names of their own. */
typedef struct {
    char *name;                   /* "PART-1-1"; of what is outside all: NULL */
    int64_t offset;               /* labels that users see are its own and this; -1: not known yet */
    double rows[3][3], origin[3]; /* x of space = rows (x + shift - origin) + origin */
    double shift[3];
} sw_deck_scope;

/* A node that an element named before it was there. */
typedef struct {
    const sw_deck_card *card;
    int64_t i, member, label; /* line of the card, place in deck->member */
    int scope;
} sw_deck_awaited;

/* Kinds of names, after those of sets. */
enum {
    SW_DECK_MATERIAL = SW_FEM_SET_KINDS,
    SW_DECK_ORIENTATION,
    SW_DECK_AMPLITUDE,
    SW_DECK_PART,
    SW_DECK_INTERACTION,
    SW_DECK_SCOPE
};

/* A pair of surfaces that touch. */
typedef struct {
    const sw_deck_card *card;
    int64_t line;         /* of its data */
    int named[2], set[2]; /* surfaces as they are named, and of faces: slave, master */
    int interaction, by_nodes, small;
    double clearance;   /* NAN: that of the mesh */
    sw_surface_law law; /* of the interaction before the first step */
} sw_deck_contact;

typedef struct sw_deck_steps sw_deck_steps; /* problem/steps.h */

typedef struct {
    const char *path;
    sw_deck_dialect dialect;
    const char
        *umat; /* a shared library of user materials; NULL. Borrowed, given before the problem is made */
    sw_deck_cards cards;

    int64_t n_nodes, n_elements, n_members;
    sw_deck_node *node;
    sw_deck_element *element;
    int32_t *member; /* nodes of elements; below -1: deck->awaited */
    int64_t n_awaited;
    sw_deck_awaited *awaited;
    int n_sets, n_axes, n_sections;
    sw_deck_set *set;
    sw_names names;     /* of sets by kind, materials, orientations, amplitudes, surfaces */
    sw_deck_axes *axes; /* transforms and orientations */
    sw_deck_section *section;
    struct sw_deck_labels *node_index, *element_index; /* label of a scope -> index */
    int n_scopes, scope;                               /* scope: at hand; 0: outside all */
    sw_deck_scope *instance;                           /* [n_scopes] */
    int n_parts;
    char **part_name;
    const char *why_dialect; /* the keyword that told it; NULL: none did, or it was given */
    int finds_all;           /* the model's nodes and elements are all there: what is not found is an error */
    int system;              /* of *SYSTEM: 0 none; else axes are turned */
    double system_rows[3][3], system_origin[3];
    int32_t *stamp; /* of sets that are being made: who is in already */
    int64_t n_stamps;
    int32_t stamped;
    int64_t stamped_set;
    int64_t one;                                          /* of sw_deck_nodes_of */
    int64_t most_label;                                   /* that users see */
    int n_interactions, n_contacts, changing_interaction; /* changing: by *CHANGE FRICTION of a step; -1 */
    int has_behavior, has_friction;          /* the interaction at hand, of its own or since *CHANGE */
    const sw_deck_card *changes_interaction; /* that card, until what it announces is there; NULL */
    sw_surface_law *interaction;
    sw_deck_contact *contact;
    int64_t n_law_rows;
    double (**law_rows)[2]; /* of laws */
    int64_t n_deck_nodes;   /* when steps begin: others are made for unknowns */

    /* What is filled on the way: matters, amplitudes, springs, constraints, steps; nodes and elements at the end. */
    sw_structure_problem problem;
    sw_deck_steps *steps;
    int32_t *element_place;      /* [n_elements] of the problem; -1 */
    struct sw_deck_tying *tying; /* tying.c's own; NULL: nothing yet */
} sw_deck;

/* A name as the scope at hand has it, "PART-1-1.TOP", else as it is: its place, -1. */
int64_t sw_deck_find_name(const sw_deck *deck, int kind, const char *name);
/* The place of what a parameter names, -1 where there is no such parameter; need_: there has to be one. SW_ERR_INPUT: there is
 * nothing of this kind and name. */
sw_status sw_deck_find_named(const sw_deck *deck, const sw_deck_card *card, const char *key, int kind,
                             int *place);
sw_status sw_deck_need_named(const sw_deck *deck, const sw_deck_card *card, const char *key, int kind,
                             int *place);
/* A name that is not there yet, of the scope at hand: *kept is a copy in capitals, the deck's own. */
sw_status sw_deck_new_name(sw_deck *deck, int kind, const char *name, int64_t place, char **kept);

/* distributions.c. An orientation as an element has it: another, where it goes from element to element. */
sw_status sw_deck_orientation_at(const sw_deck *deck, int64_t element, int *orientation);

/* axes.c. Points of line i from field k on as axes->system has them, of a rectangular one from an origin after them; where the
 * instance at hand puts them. SW_ERR_INPUT: they are no axes. */
sw_status sw_deck_read_points(const sw_deck *deck, const sw_deck_card *card, int64_t i, int k,
                              sw_deck_axes *axes);
/* Three numbers as a unit vector, turned as the instance at hand is. SW_ERR_INPUT: they are 0. */
sw_status sw_deck_direction(const sw_deck *deck, const sw_deck_card *card, int64_t i, int k,
                            double direction[3]);

/* mesh_cards.c. Indices of labels and names: -1 none. */
int64_t sw_deck_find_node(const sw_deck *deck, int64_t label);
int64_t sw_deck_find_element(const sw_deck *deck, int64_t label);
int64_t sw_deck_find_set(const sw_deck *deck, sw_fem_set_kind kind, const char *name);
/* A field that is a label or a set's name, as nodes: *member borrowed until the next call. SW_ERR_INPUT by line. */
sw_status sw_deck_nodes_of(sw_deck *deck, const sw_deck_card *card, int64_t i, int k, int64_t *n,
                           const int64_t **member);
sw_status sw_deck_elements_of(sw_deck *deck, const sw_deck_card *card, int64_t i, int k, int64_t *n,
                              const int64_t **member);
/* A parameter that is one: its label, or a set that has no other. */
sw_status sw_deck_one_named(sw_deck *deck, const sw_deck_card *card, const char *key, sw_fem_set_kind kind,
                            int64_t *member);
/* A set of the scope at hand, made where it is not there; members are added once. SW_ERR_MEMORY. */
sw_status sw_deck_open_set(sw_deck *deck, sw_fem_set_kind kind, const char *name, int64_t *place);
sw_status sw_deck_add_members(sw_deck *deck, int64_t set, int64_t n, const int64_t *member);
/* A section of a card's ELSET=, MATERIAL= and ORIENTATION=, which its elements get: thickness 1, the rest 0. It moves when
 * the next is made. */
sw_status sw_deck_new_section(sw_deck *deck, const sw_deck_card *card, sw_deck_section **section);
/* A node of the program's own (label 0) at a place: *node is its index. */
sw_status sw_deck_add_node(sw_deck *deck, const double at[3], int64_t *node);

/* tie_cards.c and others: a constraint of n terms, the first of which is dependent; copied. SW_ERR_MEMORY. */
sw_status sw_deck_add_constraint(sw_deck *deck, int64_t line, int n, const int64_t *unknown,
                                 const double *coefficient, double right);

/* Where a keyword may stand: before the first step, in steps, or both. */
typedef enum { SW_DECK_ANYWHERE, SW_DECK_IN_MODEL, SW_DECK_IN_STEP } sw_deck_where;
/* When a keyword before the first step is read. TWICE: at once, as others need it, and again when the mesh is whole; then
 * sections are, then shells and beams become solids, and last what ties, holds and loads them is LATE. */
enum { SW_DECK_AT_ONCE, SW_DECK_TWICE, SW_DECK_WITH_MESH, SW_DECK_LATE };

/* A keyword's reader; what it makes goes into the model. */
typedef sw_status sw_deck_reader(sw_deck *deck, const sw_deck_card *card);
/* keywords.c: a keyword with a reader; passed over, in silence or with a warning; or refused for a reason. */
typedef struct {
    const char *keyword;
    sw_deck_reader *read;
    int late;
    sw_deck_where where;
    const char *why; /* of what is not read; NULL: passed over in silence */
    int is_passed;   /* with why as a warning, else refused */
} sw_deck_keyword;

extern const sw_deck_keyword sw_deck_keywords[]; /* ends with {0} */

/* What a deck says of itself, by keywords that only one of the programs has; *why (borrowed) names the first. */
sw_deck_dialect sw_deck_guess_dialect(const sw_deck_cards *cards, const char **why);

/* dialect -1: by the deck itself. SW_ERR_INPUT "FILE:LINE: *KEYWORD: ..." */
sw_status sw_deck_read(const char *path, int dialect, sw_deck **deck);
void sw_deck_free(sw_deck *deck);
/* The problem, whole; lives as long as the deck. */
sw_status sw_deck_make_problem(sw_deck *deck, const sw_structure_problem **problem);

#endif
