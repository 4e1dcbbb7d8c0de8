/* Contacts of a deck, from cards to the problem. */
#ifndef SW_ONLINE_FEM_DECK_PROBLEM_CONTACTS_H
#define SW_ONLINE_FEM_DECK_PROBLEM_CONTACTS_H

#include "online/fem/deck/deck.h"

/* The law of a pair: CalculiX pulls on nodes that are apart, and on no faces. */
sw_surface_law sw_deck_law_of(const sw_deck_contact *contact, const sw_surface_law *law);

/* contacts.c: problem.contact, when elements have their places; what is printed of them. SW_ERR_INPUT by line. */
sw_status sw_deck_make_contacts(sw_deck *deck);
/* Nodes of prints of slaves; and a print of all contacts, where there are any. */
sw_status sw_deck_print_contacts(sw_deck *deck, sw_structure_step *step);
sw_status sw_deck_end_changing(sw_deck *deck);
/* *MODEL CHANGE, TYPE=CONTACT PAIR. */
sw_status sw_deck_change_pairs(sw_deck *deck, const sw_deck_card *card);

#endif
