/* Conditions of a deck's steps: what is prescribed and loaded lives from step to step. */
#ifndef SW_ONLINE_FEM_DECK_STEPS_H
#define SW_ONLINE_FEM_DECK_STEPS_H

#include "online/fem/deck/deck.h"

typedef enum {
    SW_DECK_FIXED,       /* of a node and component */
    SW_DECK_FORCE,       /* likewise */
    SW_DECK_LOAD,        /* of an element and a face or a kind */
    SW_DECK_TEMPERATURE, /* of a node */
    SW_DECK_CONDITIONS
} sw_deck_condition_kind;

/* from: the value at the end of the step before, NaN of what was not prescribed and then begins where it is; to: that of
 * its magnitude, NaN: it stays. */
typedef struct {
    int64_t of; /* node or element */
    int part;   /* component from 0, or face as sw_deck_face_named has it */
    sw_structure_load_kind load;
    double from, to, direction[3], point[3]; /* of a temperature: gradients at the end, and before */
    int amplitude;                           /* -1: none */
    sw_pull pull;                            /* of a traction */
    const sw_deck_line *line;                /* that gave it last */
    int step;                                /* in which it was given last, from 1 */
    int64_t next;                            /* another of the same place; -1 */
} sw_deck_condition;

typedef struct {
    int64_t n;
    sw_deck_condition *condition;
    struct sw_deck_labels *index; /* of places, to their first condition */
} sw_deck_conditions;

/* A step as the deck has it; made into problem.step when the unknowns are known. */
typedef struct {
    sw_structure_step is; /* without conditions; prints are its own */
    int64_t n[SW_DECK_CONDITIONS];
    sw_deck_condition *condition[SW_DECK_CONDITIONS]; /* as it has them */
} sw_deck_step;

struct sw_deck_steps {
    const sw_deck_card *card;         /* *STEP of the one at hand */
    const sw_deck_card *perturbation; /* *STEP that has it; NULL */
    int n_steps, open, procedure, prints, finite;
    double time; /* at the beginning of the one at hand */
    sw_deck_step *step;
    sw_deck_conditions present[SW_DECK_CONDITIONS];
    int changing;      /* *CHANGE MATERIAL: of its *CHANGE PLASTIC to come; -1 */
    int64_t n_strains; /* of *INITIAL CONDITIONS: the first step begins with them */
    sw_structure_strain *strain;
    unsigned cleared; /* kinds that OP=NEW has emptied in this step */
};

void sw_deck_steps_free(sw_deck_steps *steps);

/* conditions.c. Adds to what this step has of the place, or replaces what earlier ones had. SW_ERR_MEMORY. */
sw_status sw_deck_add_condition(sw_deck *deck, sw_deck_condition_kind kind,
                                const sw_deck_condition *condition);
/* OP=NEW, AMPLITUDE=: of a card that gives conditions of a kind. */
sw_status sw_deck_begin_conditions(sw_deck *deck, const sw_deck_card *card, sw_deck_condition_kind kind,
                                   int *amplitude);
/* print_cards.c. A parameter that is YES, or has no value, or NO; `missing` when it is not there. */
sw_status sw_deck_yes_or_no(const sw_deck_card *card, const char *key, int missing, int *is);
/* What a step prints goes on in the next. */
sw_status sw_deck_copy_prints(const sw_structure_step *from, sw_structure_step *to);
/* change_cards.c. Lines of *INITIAL CONDITIONS: stresses, or strains that are free of stress. */
sw_status sw_deck_read_initial_strains(sw_deck *deck, const sw_deck_card *card, int is_stress);
sw_status sw_deck_read_initial_solution(sw_deck *deck, const sw_deck_card *card); /* state variables */
sw_status sw_deck_read_initial_hardening(sw_deck *deck, const sw_deck_card *card);
/* At a step's end: what it has is kept, and becomes what the next begins with. */
sw_status sw_deck_keep_conditions(sw_deck *deck);

#endif
