/* What a deck wants to be printed and written. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "online/fem/deck/model.h"
#include "steps.h"

sw_status sw_deck_yes_or_no(const sw_deck_card *card, const char *key, int missing, int *is)
{
    const char *text = sw_deck_parameter(card, key);
    *is = text == NULL ? missing : strcasecmp(text, "NO") != 0;
    return text == NULL || *text == '\0' || !*is || strcasecmp(text, "YES") == 0
               ? SW_OK
               : sw_deck_complain(card, "%s=%.40s: need YES or NO", key, text);
}

/* ---- Prints ---- */

static sw_status copy_name(const char *name, char **copy)
{
    SW_TRY(SW_ALLOCATE(*copy, strlen(name) + 1, "a print's set"));
    memcpy(*copy, name, strlen(name) + 1);
    return SW_OK;
}

static sw_status copy_print(const sw_structure_print *from, sw_structure_print *to)
{
    *to = *from;
    to->set = NULL;
    to->member = NULL;
    to->face = NULL;
    SW_TRY(copy_name(from->set, &to->set));
    SW_TRY(SW_ALLOCATE(to->member, from->n + 1, "a print's members"));
    memcpy(to->member, from->member, (size_t)from->n * sizeof *to->member);
    if (from->face == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(to->face, from->n + 1, "a print's faces"));
    memcpy(to->face, from->face, (size_t)from->n * sizeof *to->face);
    return SW_OK;
}

sw_status sw_deck_copy_prints(const sw_structure_step *from, sw_structure_step *to)
{
    for (int64_t i = 0; i < from->n_prints; i++) {
        SW_TRY(SW_DECK_ROOM(to->print, to->n_prints));
        SW_TRY(copy_print(&from->print[i], &to->print[to->n_prints++]));
    }
    return SW_OK;
}

/* Quantities of decks; dialect -1: of both. A word may stand for several. */
static const struct {
    const char *word, *name;
    int what, of_nodes, dialect;
} quantities[] = {{"U", "U", SW_STRUCTURE_U, 1, -1},
                  {"RF", "RF", SW_STRUCTURE_RF, 1, -1},
                  {"NT", "NT", SW_STRUCTURE_NT, 1, -1},
                  {"COORD", "COORD", SW_STRUCTURE_COORD, 1, -1},
                  {"COORD", "COORD", SW_STRUCTURE_COORD, 0, -1},
                  {"S", "S", SW_STRUCTURE_S, 0, -1},
                  {"E", "E", SW_STRUCTURE_E, 0, -1},
                  {"ME", "ME", SW_STRUCTURE_ME, 0, SW_DECK_CALCULIX},
                  {"PE", "PEEQ", SW_STRUCTURE_PEEQ, 0, SW_DECK_CALCULIX},
                  {"PE", "PE", SW_STRUCTURE_PE, 0, SW_DECK_ABAQUS},
                  {"PEEQ", "PEEQ", SW_STRUCTURE_PEEQ, 0, -1},
                  {"CEEQ", "CEEQ", SW_STRUCTURE_CEEQ, 0, -1},
                  {"ENER", "ENER", SW_STRUCTURE_ENER, 0, SW_DECK_CALCULIX},
                  {"ENER", "SENER", SW_STRUCTURE_SENER, 0, SW_DECK_ABAQUS},
                  {"ENER", "PENER", SW_STRUCTURE_PENER, 0, SW_DECK_ABAQUS},
                  {"ENER", "CENER", SW_STRUCTURE_CENER, 0, SW_DECK_ABAQUS},
                  {"SENER", "SENER", SW_STRUCTURE_SENER, 0, SW_DECK_ABAQUS},
                  {"PENER", "PENER", SW_STRUCTURE_PENER, 0, SW_DECK_ABAQUS},
                  {"CENER", "CENER", SW_STRUCTURE_CENER, 0, SW_DECK_ABAQUS},
                  {"EVOL", "EVOL", SW_STRUCTURE_EVOL, 0, -1},
                  {"ELSE", "ELSE", SW_STRUCTURE_ELIE, 0, SW_DECK_CALCULIX},
                  {"ELSE", "ELSE", SW_STRUCTURE_ELSE, 0, SW_DECK_ABAQUS},
                  {"ELPD", "ELPD", SW_STRUCTURE_ELPD, 0, SW_DECK_ABAQUS},
                  {"ELCD", "ELCD", SW_STRUCTURE_ELCD, 0, SW_DECK_ABAQUS},
                  {"ELASE", "ELASE", SW_STRUCTURE_ELASE, 0, SW_DECK_ABAQUS},
                  {"ELEN", "ELSE", SW_STRUCTURE_ELSE, 0, SW_DECK_ABAQUS},
                  {"ELEN", "ELPD", SW_STRUCTURE_ELPD, 0, SW_DECK_ABAQUS},
                  {"ELEN", "ELCD", SW_STRUCTURE_ELCD, 0, SW_DECK_ABAQUS},
                  {"ELEN", "ELASE", SW_STRUCTURE_ELASE, 0, SW_DECK_ABAQUS}};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* A print like `as` of a set's members, or of all. */
static sw_status add_print(sw_deck *deck, const sw_structure_print *as, int64_t set)
{
    sw_structure_step *step = &deck->steps->step[deck->steps->n_steps - 1].is;
    const sw_deck_set *of = set >= 0 ? &deck->set[set] : NULL;
    const int64_t n = of != NULL ? of->n : as->of_nodes ? deck->n_nodes : deck->n_elements;
    SW_TRY(SW_DECK_ROOM(step->print, step->n_prints));
    sw_structure_print *print = &step->print[step->n_prints];
    *print = *as;
    print->n = n;
    step->n_prints++;
    SW_TRY(copy_name(of != NULL ? of->name : "ALL", &print->set));
    SW_TRY(SW_ALLOCATE(print->member, n + 1, "a print's members"));
    for (int64_t i = 0; i < n; i++)
        print->member[i] = (int32_t)(of != NULL ? of->member[i] : i);
    return SW_OK;
}

static void tell_no_table(const sw_deck_card *card, const char *word)
{
    sw_warn("%s:%" PRId64 ": *%s: %.40s is not printed: there is no table of it", card->path, card->line,
            card->keyword, word);
}

/* All that a word stands for. What is not among the quantities is left out, and said: results hold all fields. */
static sw_status add_named(sw_deck *deck, const sw_deck_card *card, const char *word,
                           const sw_structure_print *as, int64_t set)
{
    int found = *word == '\0';
    for (int k = 0; k < QUANTITIES; k++) {
        sw_structure_print print = *as;
        if (quantities[k].of_nodes != as->of_nodes || strcasecmp(quantities[k].word, word) != 0 ||
            (quantities[k].dialect >= 0 && quantities[k].dialect != (int)deck->dialect))
            continue;
        print.what = quantities[k].what;
        print.name = quantities[k].name;
        SW_TRY(add_print(deck, &print, set));
        found = 1;
    }
    if (!found)
        tell_no_table(card, word);
    return SW_OK;
}

static sw_status read_totals(const sw_deck_card *card, int *totals)
{
    static const char *const words[] = {"NO", "YES", "ONLY"};
    const char *text = sw_deck_parameter(card, "TOTALS");
    *totals = 0;
    for (int k = 0; k < 3 && text != NULL; k++)
        if (strcasecmp(text, words[k]) == 0) {
            *totals = k;
            return SW_OK;
        }
    return text == NULL ? SW_OK : sw_deck_complain(card, "TOTALS=%.40s: need YES, ONLY or NO", text);
}

static sw_status read_print(sw_deck *deck, const sw_deck_card *card, int of_nodes)
{
    sw_structure_print as = {.of_nodes = of_nodes};
    int global, set;
    /* SUMMARY adds lines to a text; FREQUENCYF is of fluids, and FREQ of nothing that CalculiX knows. */
    SW_TRY(sw_deck_need_parameters(
        card, of_nodes ? " NSET FREQUENCY TOTALS GLOBAL TIMEPOINTS SUMMARY FREQUENCYF FREQ "
                       : " ELSET FREQUENCY TOTALS GLOBAL TIMEPOINTS SUMMARY FREQUENCYF FREQ POSITION "));
    SW_TRY(sw_deck_yes_or_no(card, "GLOBAL", 1, &global));
    SW_TRY(read_totals(card, &as.totals));
    SW_TRY(sw_deck_whole_parameter(card, "FREQUENCY", 0, INT64_MAX, 1, &as.every));
    SW_TRY(of_nodes ? sw_deck_find_named(deck, card, "NSET", SW_FEM_NODES, &set)
                    : sw_deck_find_named(deck, card, "ELSET", SW_FEM_ELEMENTS, &set));
    if (set >= 0 && deck->set[set].n == 0)
        return sw_deck_complain(card, "%s set %.80s is empty", of_nodes ? "node" : "element",
                                deck->set[set].name);
    deck->steps->prints = 1;
    for (int64_t i = 0; as.every > 0 && i < card->n_lines; i++)
        for (int k = 0; k < card->data[i].n_fields; k++)
            SW_TRY(add_named(deck, card, sw_deck_field(card, i, k), &as, set));
    return SW_OK;
}

sw_status sw_deck_read_node_print(sw_deck *deck, const sw_deck_card *card)
{
    return read_print(deck, card, 1);
}

sw_status sw_deck_read_el_print(sw_deck *deck, const sw_deck_card *card) { return read_print(deck, card, 0); }

/* *ENERGY PRINT, FILE or OUTPUT of a set of elements; of the whole the history has them. */
sw_status sw_deck_read_energy_print(sw_deck *deck, const sw_deck_card *card)
{
    sw_structure_print as = {.what = SW_STRUCTURE_ENERGY, .name = "ENERGY"};
    int set;
    SW_TRY(sw_deck_find_named(deck, card, "ELSET", SW_FEM_ELEMENTS, &set));
    SW_TRY(sw_deck_whole_parameter(card, "FREQUENCY", 0, INT64_MAX, 1, &as.every));
    deck->steps->prints = 1;
    return set >= 0 && as.every > 0 ? add_print(deck, &as, set) : SW_OK;
}

/* *SECTION PRINT, FILE, *INTEGRATED OUTPUT: of a surface all there is, whatever the lines ask for. Where it has no faces there
 * is none. */
sw_status sw_deck_read_section_print(sw_deck *deck, const sw_deck_card *card)
{
    sw_structure_print as = {
        .what = SW_STRUCTURE_CUT, .name = "SECTION", .by_nodal_forces = deck->dialect == SW_DECK_ABAQUS};
    const char *axes = sw_deck_parameter(card, "AXES");
    int set;
    if (sw_deck_parameter(card, "SURFACE") == NULL) {
        sw_warn("%s:%" PRId64 ": *%s: without SURFACE nothing is written", card->path, card->line,
                card->keyword);
        return SW_OK;
    }
    SW_TRY(sw_deck_need_named(deck, card, "SURFACE", SW_FEM_SURFACE, &set));
    SW_TRY(sw_deck_whole_parameter(card, "FREQUENCY", 0, INT64_MAX, 1, &as.every));
    if (deck->set[set].of_nodes) {
        sw_warn("%s:%" PRId64 ": *%s: surface %s is of nodes: nothing is written", card->path, card->line,
                card->keyword, deck->set[set].name);
        return SW_OK;
    }
    if (axes != NULL && strcasecmp(axes, "LOCAL") == 0)
        sw_warn("%s:%" PRId64 ": *%s: forces and moments are along the axes of space", card->path, card->line,
                card->keyword);
    deck->steps->prints = 1;
    return as.every > 0 ? add_print(deck, &as, set) : SW_OK;
}

/* *CONTACT PRINT: what there is of slaves' nodes; of pairs as a whole it is always there. */
sw_status sw_deck_read_contact_print(sw_deck *deck, const sw_deck_card *card)
{
    static const struct {
        const char *begins, *name;
        int what;
    } words[] = {{"CDIS", "CDIS", SW_STRUCTURE_CDIS}, {"CSTR", "CSTR", SW_STRUCTURE_CSTR}};
    sw_structure_print as = {.of_nodes = 1};
    SW_TRY(sw_deck_whole_parameter(card, "FREQUENCY", 0, INT64_MAX, 1, &as.every));
    deck->steps->prints = 1;
    for (int64_t i = 0; as.every > 0 && i < card->n_lines; i++)
        for (int f = 0; f < card->data[i].n_fields; f++) {
            const char *word = sw_deck_field(card, i, f);
            int found = *word == '\0' || strcasecmp(word, "CF") == 0; /* that is always there */
            for (size_t k = 0; k < sizeof words / sizeof *words; k++)
                if (sw_deck_begins(word, words[k].begins)) {
                    as.what = words[k].what;
                    as.name = words[k].name;
                    SW_TRY(add_print(deck, &as, -1));
                    found = 1;
                }
            if (!found)
                tell_no_table(card, word);
        }
    return SW_OK;
}

/* ---- Files ---- */

/* Fields: all are written, this says how often. */
sw_status sw_deck_read_node_file(sw_deck *deck, const sw_deck_card *card)
{
    int64_t every;
    SW_TRY(sw_deck_whole_parameter(card, "FREQUENCY", 0, INT64_MAX, 1, &every));
    deck->steps->step[deck->steps->n_steps - 1].is.every = (int)(every < INT32_MAX ? every : 0);
    return SW_OK;
}

sw_status sw_deck_read_output(sw_deck *deck, const sw_deck_card *card)
{
    if (sw_deck_parameter(card, "FIELD") == NULL)
        return SW_OK;
    return sw_deck_read_node_file(deck, card);
}

/* What is written for another run is not wanted: ours go on by --resume; what another run has written is. */
sw_status sw_deck_read_restart(sw_deck *deck, const sw_deck_card *card)
{
    (void)deck;
    return sw_deck_parameter(card, "READ") != NULL
               ? sw_deck_complain(card,
                                  "READ: other runs' results are not read: *INCLUDE, INPUT=THEIR DECK in "
                                  "its place has their model and steps, which are computed again")
               : SW_OK;
}
