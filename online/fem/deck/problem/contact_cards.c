/* Keywords of surfaces that touch: pairs, and how they act on each other. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contacts.h"
#include "online/fem/deck/model.h"
#include "online/fem/deck/tying.h"
#include "steps.h"

/* ---- What is not used ---- */

static void tell(const sw_deck_card *card, const char *what, const char *why)
{
    sw_warn("%s:%" PRId64 ": *%s: %s not used: %s", card->path, card->line, card->keyword, what, why);
}

/* Parameters that other programs act on; of pairs NULL at the end. */
static void tell_parameters(const sw_deck_card *card, const char *const (*list)[2])
{
    char what[60];
    for (; (*list)[0] != NULL; list++)
        if (sw_deck_parameter(card, (*list)[0]) != NULL) {
            snprintf(what, sizeof what, "%s is", (*list)[0]);
            tell(card, what, (*list)[1]);
        }
}

/* Numbers of a line beyond those that are read. */
static void tell_fields(const sw_deck_card *card, int read)
{
    for (int k = read; card->n_lines > 0 && k < card->data[0].n_fields; k++)
        if (*sw_deck_field(card, 0, k) != '\0') {
            tell(card, "what follows in the line is", "this program has no such number");
            return;
        }
}

/* ---- Interactions ---- */

sw_status sw_deck_read_surface_interaction(sw_deck *deck, const sw_deck_card *card)
{
    const char *name;
    char *kept;
    SW_TRY(sw_deck_need_parameters(card, " NAME USER UNSYMM "));
    if (sw_deck_parameter(card, "USER") != NULL)
        return sw_deck_complain(card, "USER: laws of users are not computed");
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    if (sw_deck_find_name(deck, SW_DECK_INTERACTION, name) >= 0)
        return sw_deck_complain(card, "interaction %.80s is there already", name);
    SW_TRY(SW_DECK_ROOM(deck->interaction, deck->n_interactions));
    SW_TRY(SW_DECK_ROOM(deck->part_name, deck->n_parts));
    SW_TRY(sw_deck_new_name(deck, SW_DECK_INTERACTION, name, deck->n_interactions, &kept));
    deck->part_name[deck->n_parts++] = kept;
    deck->has_behavior = deck->has_friction = 0;
    deck->interaction[deck->n_interactions++] = (sw_surface_law){.behavior = SW_SURFACE_LINEAR};
    if (card->n_lines > 0)
        tell(card, "the line is", "surfaces are as thick as sections are");
    return SW_OK;
}

/* Of a step: *CHANGE ... names the interaction, whose law of this step is being changed; else the last of the model. */
static sw_status law_at_hand(sw_deck *deck, const sw_deck_card *card, int *is_there, sw_surface_law **law)
{
    if (!deck->steps->open && deck->n_interactions == 0)
        return sw_deck_complain(card, "belongs to no *SURFACE INTERACTION");
    if (deck->steps->open && deck->changing_interaction < 0)
        return sw_deck_complain(card, "in a step needs *CHANGE %s, INTERACTION= before it", card->keyword);
    if ((*is_there)++)
        return sw_deck_complain(card, "the interaction has one already");
    const int place = deck->steps->open ? deck->changing_interaction : deck->n_interactions - 1;
    *law = &deck->interaction[place];
    deck->changes_interaction = NULL;
    return SW_OK;
}

static sw_status positive(const sw_deck_card *card, int64_t i, int k, const char *what, double *value)
{
    SW_TRY(sw_deck_need_number(card, i, k, what, value));
    return *value > 0 ? SW_OK : sw_deck_complain_at(card, i, "%s %g: need more than 0", what, *value);
}

static sw_status read_rows(sw_deck *deck, const sw_deck_card *card, sw_surface_law *law)
{
    SW_TRY(sw_deck_need_lines(card, 2, -1));
    SW_TRY(SW_DECK_ROOM(deck->law_rows, deck->n_law_rows));
    SW_TRY(SW_ALLOCATE(law->row, card->n_lines, "rows of pressures"));
    deck->law_rows[deck->n_law_rows++] = law->row;
    law->n_rows = (int)card->n_lines;
    for (int64_t i = 0; i < card->n_lines; i++) {
        SW_TRY(sw_deck_need_number(card, i, 0, "a pressure", &law->row[i][1]));
        SW_TRY(sw_deck_need_number(card, i, 1, "an overclosure", &law->row[i][0]));
        if (i > 0 && !(law->row[i][0] > law->row[i - 1][0] && law->row[i][1] >= law->row[i - 1][1]))
            return sw_deck_complain_line(card, i, "need pressures and overclosures that ascend");
    }
    return law->row[0][1] == 0 ? SW_OK : sw_deck_complain_line(card, 0, "need pressure 0 in the first row");
}

sw_status sw_deck_read_surface_behavior(sw_deck *deck, const sw_deck_card *card)
{
    const char *kind = sw_deck_parameter(card, "PRESSURE-OVERCLOSURE");
    sw_surface_law *law = NULL;
    static const char *const unused[][2] = {
        {"AUGMENTEDLAGRANGE", "pressure is a stiffness times penetration"},
        {"DIRECT", "pressure is a stiffness times penetration"},
        {NULL, NULL}};
    SW_TRY(sw_deck_need_parameters(card, " PRESSURE-OVERCLOSURE PENALTY AUGMENTEDLAGRANGE DIRECT "));
    tell_parameters(card, unused);
    SW_TRY(law_at_hand(deck, card, &deck->has_behavior, &law));
    *law = (sw_surface_law){.friction = law->friction, .limit = law->limit, .stick = law->stick};
    if (kind == NULL || strcasecmp(kind, "HARD") == 0) {
        if (card->n_lines > 0)
            sw_warn("%s:%" PRId64
                    ": *%s: hard contact has a stiffness of the program's own: that of the line is not used",
                    card->path, card->line, card->keyword);
        return SW_OK;
    }
    if (strcasecmp(kind, "LINEAR") == 0) {
        SW_TRY(sw_deck_need_lines(card, 1, 1));
        SW_TRY(sw_deck_number(card, 0, 1, 0, &law->tension));
        tell_fields(card, 2);
        return positive(card, 0, 0, "the slope of pressure over overclosure", &law->stiffness);
    }
    if (strcasecmp(kind, "TIED") == 0) {
        law->behavior = SW_SURFACE_TIED;
        SW_TRY(sw_deck_need_lines(card, 0, 1));
        return card->n_lines > 0 ? positive(card, 0, 0, "the stiffness", &law->stiffness) : SW_OK;
    }
    if (strcasecmp(kind, "EXPONENTIAL") == 0) {
        law->behavior = SW_SURFACE_EXPONENTIAL;
        SW_TRY(sw_deck_need_lines(card, 1, 1));
        SW_TRY(positive(card, 0, 0, "the clearance c0", &law->clearance));
        return positive(card, 0, 1, "the pressure p0", &law->pressure);
    }
    if (strcasecmp(kind, "TABULAR") == 0) {
        law->behavior = SW_SURFACE_TABULAR;
        return read_rows(deck, card, law);
    }
    return sw_deck_complain(
        card, "PRESSURE-OVERCLOSURE=%.40s: need HARD, LINEAR, EXPONENTIAL, TABULAR or TIED", kind);
}

/* CalculiX: coefficient, stick slope. Abaqus: coefficient, TAUMAX=. */
sw_status sw_deck_read_friction(sw_deck *deck, const sw_deck_card *card)
{
    sw_surface_law *law = NULL;
    static const char *const unused[][2] = {
        {"SLIPTOLERANCE", "the elastic slip follows from the stick slope, or from elements"},
        {"LAGRANGE", "what sticks slips elastically"},
        {NULL, NULL}};
    SW_TRY(sw_deck_need_parameters(card, " TAUMAX SLIPTOLERANCE LAGRANGE ROUGH "));
    tell_parameters(card, unused);
    SW_TRY(law_at_hand(deck, card, &deck->has_friction, &law));
    SW_TRY(sw_deck_real_parameter(card, "TAUMAX", 0, &law->limit));
    law->stick = 0;
    if (sw_deck_parameter(card, "ROUGH") != NULL) {
        law->friction = 1e30;
        return SW_OK;
    }
    SW_TRY(sw_deck_need_lines(card, 1, 1));
    SW_TRY(sw_deck_need_number(card, 0, 0, "a coefficient of friction", &law->friction));
    if (deck->dialect == SW_DECK_CALCULIX) {
        SW_TRY(sw_deck_number(card, 0, 1, 0, &law->stick));
        tell_fields(card, 2);
    } else if (card->data[0].n_fields > 1)
        return sw_deck_complain_line(card, 0,
                                     "friction by slip rate, pressure or temperature is not computed");
    if (!(law->limit >= 0))
        return sw_deck_complain(card, "TAUMAX=%g: need 0 or more", law->limit);
    return law->friction >= 0 && law->stick >= 0
               ? SW_OK
               : sw_deck_complain_line(card, 0, "need a coefficient and a slope of 0 or more");
}

/* ---- Pairs ---- */

static sw_status find_surface(sw_deck *deck, const sw_deck_card *card, const char *name, int *set)
{
    const int64_t place = sw_deck_find_set(deck, SW_FEM_SURFACE, name);
    *set = (int)place;
    return place >= 0 ? SW_OK : sw_deck_no_name(deck, card, 0, SW_FEM_SURFACE, name);
}

/* Of nodes: the faces of solids whose nodes are all among them. */
static sw_status faces_of_nodes(sw_deck *deck, const sw_deck_card *card, int *set)
{
    const sw_deck_set *of = &deck->set[*set];
    char name[SW_DECK_NAME];
    int64_t made, *list = NULL, n = 0;
    uint8_t *in;
    sw_status status = SW_OK;
    snprintf(name, sizeof name, "%.400s faces of nodes", of->name);
    SW_TRY(SW_ALLOCATE(in, deck->n_nodes, "nodes of a surface"));
    for (int64_t i = 0; i < of->n; i++)
        in[of->member[i]] = 1;
    for (int64_t e = 0; e < deck->n_elements; e++) {
        const sw_formulation *formulation = deck->element[e].formulation;
        for (int f = 0; formulation != NULL && f < formulation->topology->n_faces && status == SW_OK; f++) {
            int64_t node[SW_FORMULATION_FACE_NODES];
            const sw_topology *face = sw_deck_face(deck, 8 * e + f, node);
            int all = face != NULL;
            for (int a = 0; all && a < face->n_nodes; a++)
                all = in[node[a]];
            if (!all)
                continue;
            status = SW_DECK_ROOM(list, n);
            if (status == SW_OK)
                list[n++] = 8 * e + f;
        }
    }
    free(in);
    if (status == SW_OK && n == 0)
        status = sw_deck_complain(card, "surface %.80s is of nodes that are no whole face of a solid element",
                                  deck->set[*set].name);
    if (status == SW_OK)
        status = sw_deck_open_set(deck, SW_FEM_SURFACE, name, &made);
    if (status == SW_OK && deck->set[made].n == 0)
        status = sw_deck_add_members(deck, made, n, list);
    *set = (int)made;
    free(list);
    return status;
}

/* ADJUST: a distance, or a set of nodes, which are put on the master. */
static sw_status adjust(sw_deck *deck, const sw_deck_card *card, const int set[2])
{
    const char *text = sw_deck_parameter(card, "ADJUST");
    double far;
    if (text == NULL)
        return SW_OK;
    if (sw_deck_to_real(text, &far) == NULL)
        return far >= 0 ? sw_deck_adjust(deck, card, &deck->set[set[0]], &deck->set[set[1]], far, NULL)
                        : sw_deck_complain(card, "ADJUST=%g: need 0 or more", far);
    const int64_t nodes = sw_deck_find_set(deck, SW_FEM_NODES, text);
    return nodes >= 0 ? sw_deck_adjust(deck, card, &deck->set[set[0]], &deck->set[set[1]], INFINITY,
                                       &deck->set[nodes])
                      : sw_deck_no_name(deck, card, -1, SW_FEM_NODES, text);
}

/* The pair of two surfaces; -1: there is none. */
static int find_pair(const sw_deck *deck, const int set[2])
{
    for (int k = 0; k < deck->n_contacts; k++)
        if (deck->contact[k].named[0] == set[0] && deck->contact[k].named[1] == set[1])
            return k;
    return -1;
}

static int is_of_faces(const char *type)
{
    static const char *const types[] = {"SURFACE TO SURFACE", "MORTAR", "LINMORTAR", "PGLINMORTAR"};
    int is = 0;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        is |= sw_deck_same_word(type, types[k]);
    return is;
}

sw_status sw_deck_read_contact_pair(sw_deck *deck, const sw_deck_card *card)
{
    const char *type = sw_deck_parameter(card, "TYPE");
    static const char *const unused[][2] = {
        {"HCRIT", "slaves deeper than a face is long touch nothing"},
        {"TRACKING", "feet go from face to face"},
        {"EXTENSIONZONE", "surfaces go on beyond their edges by 0.02 of a face"},
        {NULL, NULL}};
    sw_deck_contact made = {.card = card, .clearance = NAN};
    SW_TRY(
        sw_deck_need_parameters(card, " INTERACTION TYPE SMALLSLIDING ADJUST TRACKING EXTENSIONZONE HCRIT "));
    SW_TRY(sw_deck_need_named(deck, card, "INTERACTION", SW_DECK_INTERACTION, &made.interaction));
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    made.by_nodes = type != NULL && sw_deck_same_word(type, "NODE TO SURFACE");
    if (type != NULL && !made.by_nodes && !is_of_faces(type))
        return sw_deck_complain(
            card, "TYPE=%.40s is not computed: need SURFACE TO SURFACE, NODE TO SURFACE or MORTAR", type);
    tell_parameters(card, unused);
    made.small = sw_deck_parameter(card, "SMALLSLIDING") != NULL;
    made.law = deck->interaction[made.interaction];
    for (int64_t i = 0; i < card->n_lines; i++) {
        made.line = i;
        for (int side = 0; side < 2; side++) {
            const char *name = sw_deck_field(card, i, side);
            if (*name == '\0' || *sw_deck_field(card, i, 2) != '\0')
                return sw_deck_complain_at(card, i, "needs a slave and a master surface, alone");
            SW_TRY(find_surface(deck, card, name, &made.named[side]));
            made.set[side] = made.named[side];
            if (deck->set[made.set[side]].of_nodes)
                SW_TRY(faces_of_nodes(deck, card, &made.set[side]));
        }
        if (find_pair(deck, made.named) >= 0)
            return sw_deck_complain_at(card, i, "is a pair already");
        if (made.set[0] == made.set[1])
            return sw_deck_complain_at(card, i, "surface %.80s is slave and master: need two surfaces",
                                       deck->set[made.named[0]].name);
        SW_TRY(adjust(deck, card, made.set));
        SW_TRY(SW_DECK_ROOM(deck->contact, deck->n_contacts));
        deck->contact[deck->n_contacts++] = made;
    }
    return SW_OK;
}

sw_status sw_deck_read_clearance(sw_deck *deck, const sw_deck_card *card)
{
    static const char *const keys[2] = {"SLAVE", "MASTER"};
    const char *name;
    int set[2];
    double value;
    SW_TRY(sw_deck_need_parameters(card, " SLAVE MASTER VALUE "));
    for (int side = 0; side < 2; side++) {
        SW_TRY(sw_deck_need_value(card, keys[side], &name));
        const int64_t place = sw_deck_find_set(deck, SW_FEM_SURFACE, name);
        if (place < 0)
            return sw_deck_no_name(deck, card, -1, SW_FEM_SURFACE, name);
        set[side] = (int)place;
    }
    SW_TRY(sw_deck_real_parameter(card, "VALUE", NAN, &value));
    if (!isfinite(value))
        return sw_deck_complain(card, "needs VALUE=");
    const int pair = find_pair(deck, set);
    if (pair < 0)
        return sw_deck_complain(card, "there is no *CONTACT PAIR of the two surfaces");
    deck->contact[pair].clearance = value;
    deck->contact[pair].small = 1;
    return SW_OK;
}

/* ---- Changes ---- */

static sw_status add_change(sw_deck *deck, const sw_structure_contact_change *change)
{
    sw_structure_step *step = &deck->steps->step[deck->steps->n_steps - 1].is;
    SW_TRY(SW_DECK_ROOM(step->contact_change, step->n_contact_changes));
    step->contact_change[step->n_contact_changes++] = *change;
    return SW_OK;
}

sw_status sw_deck_change_pairs(sw_deck *deck, const sw_deck_card *card)
{
    const int removed = sw_deck_parameter(card, "REMOVE") != NULL;
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    if (removed == (sw_deck_parameter(card, "ADD") != NULL))
        return sw_deck_complain(card, "needs ADD or REMOVE");
    for (int64_t i = 0; i < card->n_lines; i++) {
        int set[2];
        for (int side = 0; side < 2; side++)
            SW_TRY(find_surface(deck, card, sw_deck_field(card, i, side), &set[side]));
        const int pair = find_pair(deck, set);
        if (pair < 0)
            return sw_deck_complain_at(card, i, "there is no *CONTACT PAIR of the two surfaces");
        SW_TRY(add_change(deck, &(sw_structure_contact_change){.contact = pair, .off = removed}));
    }
    return SW_OK;
}

sw_status sw_deck_read_change_interaction(sw_deck *deck, const sw_deck_card *card)
{
    SW_TRY(sw_deck_end_changing(deck)); /* of another one before */
    SW_TRY(sw_deck_need_parameters(card, " INTERACTION "));
    deck->changes_interaction = card;
    deck->has_behavior = deck->has_friction = 0;
    return sw_deck_need_named(deck, card, "INTERACTION", SW_DECK_INTERACTION, &deck->changing_interaction);
}

/* The law of an interaction as it is becomes that of its pairs in this step. */
sw_status sw_deck_end_changing(sw_deck *deck)
{
    const int place = deck->changing_interaction;
    deck->changing_interaction = -1;
    if (place >= 0 && deck->changes_interaction != NULL) {
        const int rubs = sw_deck_same_word(deck->changes_interaction->keyword, "CHANGE FRICTION");
        sw_warn("%s:%" PRId64 ": *%s: changes nothing: no *%s follows", deck->changes_interaction->path,
                deck->changes_interaction->line, deck->changes_interaction->keyword,
                rubs ? "FRICTION" : "SURFACE BEHAVIOR");
        return SW_OK;
    }
    for (int k = 0; place >= 0 && k < deck->n_contacts; k++)
        if (deck->contact[k].interaction == place)
            SW_TRY(
                add_change(deck, &(sw_structure_contact_change){
                                     .contact = k,
                                     .off = -1,
                                     .has_law = 1,
                                     .law = sw_deck_law_of(&deck->contact[k], &deck->interaction[place])}));
    return SW_OK;
}
