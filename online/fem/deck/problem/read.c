/* A deck read: cards in their order, parts when they are used, names looked up when the model is there. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"
#include "online/fem/deck/model.h"
#include "steps.h"
#include "online/fem/deck/tying.h"

/* ---- Keywords ---- */

static const sw_deck_keyword *find_keyword(const char *keyword)
{
    for (const sw_deck_keyword *k = sw_deck_keywords; k->keyword != NULL; k++)
        if (sw_deck_same_word(k->keyword, keyword))
            return k;
    return NULL;
}

static sw_status unknown(const sw_deck_card *card)
{
    int n = 0;
    while (sw_deck_keywords[n].keyword != NULL)
        n++;
    const char **names;
    SW_TRY(SW_ALLOCATE(names, n, "names of keywords"));
    for (int i = 0; i < n; i++)
        names[i] = sw_deck_keywords[i].keyword;
    const char *nearest = sw_nearest_word(card->keyword, n, names);
    for (int i = 0; i < n && nearest == NULL; i++)
        if (strncmp(names[i], card->keyword, strlen(card->keyword)) == 0)
            nearest = names[i];
    free(names);
    return nearest != NULL ? sw_deck_complain(card, "is not known: did you mean *%s?", nearest)
                           : sw_deck_complain(card, "is not known");
}

/* A card for later, with the scope in which it stands. */
typedef struct {
    const sw_deck_card *card;
    const sw_deck_keyword *keyword;
    int scope;
} waiting;

typedef struct {
    sw_deck *deck;
    int64_t n_late;
    waiting *late;
    const sw_deck_card *instance; /* that is open */
} reading;

static sw_status take(reading *r, const sw_deck_card *card)
{
    sw_deck *deck = r->deck;
    const sw_deck_keyword *keyword = find_keyword(card->keyword);
    if (keyword == NULL)
        return unknown(card);
    if (keyword->read == NULL && !keyword->is_passed)
        return sw_deck_complain(card, "%s", keyword->why);
    if (keyword->read == NULL) {
        if (keyword->why != NULL)
            sw_warn("%s:%" PRId64 ": *%s: %s", card->path, card->line, keyword->keyword, keyword->why);
        return SW_OK;
    }
    if (keyword->where == SW_DECK_IN_STEP && !deck->steps->open)
        return sw_deck_complain(card, "has to stand in a step");
    if (keyword->where == SW_DECK_IN_MODEL && deck->steps->n_steps > 0)
        return sw_deck_complain(card, "has to stand before the first step");
    if (keyword->late && !deck->finds_all) {
        SW_TRY(SW_DECK_ROOM(r->late, r->n_late));
        r->late[r->n_late++] = (waiting){card, keyword, deck->scope};
    }
    return keyword->late <= SW_DECK_TWICE || deck->finds_all ? keyword->read(deck, card) : SW_OK;
}

/* ---- Parts and instances ---- */

static int is(const sw_deck_card *card, const char *keyword)
{
    return sw_deck_same_word(card->keyword, keyword);
}

/* The card after the end of the part that begins at card i. */
static sw_status end_of_part(const sw_deck *deck, int64_t i, int64_t *after)
{
    for (int64_t j = i + 1; j < deck->cards.n_cards; j++) {
        if (is(&deck->cards.card[j], "PART") || is(&deck->cards.card[j], "ASSEMBLY"))
            break;
        *after = j + 1;
        if (is(&deck->cards.card[j], "END PART"))
            return SW_OK;
    }
    return sw_deck_complain(&deck->cards.card[i], "is not ended: need *END PART");
}

static sw_status keep_part(sw_deck *deck, int64_t i, int64_t *after)
{
    const sw_deck_card *card = &deck->cards.card[i];
    const char *name;
    char *kept;
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    if (sw_deck_find_name(deck, SW_DECK_PART, name) >= 0)
        return sw_deck_complain(card, "part %.80s is there already", name);
    SW_TRY(SW_DECK_ROOM(deck->part_name, deck->n_parts));
    SW_TRY(sw_deck_new_name(deck, SW_DECK_PART, name, i, &kept));
    deck->part_name[deck->n_parts++] = kept;
    return end_of_part(deck, i, after);
}

static sw_status add_scope(sw_deck *deck, const char *name)
{
    SW_TRY(SW_DECK_ROOM(deck->instance, deck->n_scopes));
    sw_deck_scope *scope = &deck->instance[deck->n_scopes];
    *scope = (sw_deck_scope){.offset = -1, .rows = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (name != NULL)
        SW_TRY(sw_deck_new_name(deck, SW_DECK_SCOPE, name, deck->n_scopes, &scope->name));
    deck->n_scopes++;
    return SW_OK;
}

/* The instance's place, then the cards of its part; its own follow until END INSTANCE. */
static sw_status begin_instance(reading *r, const sw_deck_card *card)
{
    sw_deck *deck = r->deck;
    const char *name;
    double by[3], about[7];
    int64_t end;
    int first;
    SW_TRY(sw_deck_need_parameters(card, " NAME PART "));
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    if (r->instance != NULL)
        return sw_deck_complain(card, "stands in another instance");
    if (sw_deck_find_name(deck, SW_DECK_SCOPE, name) >= 0)
        return sw_deck_complain(card, "instance %.80s is there already", name);
    SW_TRY(sw_deck_need_named(deck, card, "PART", SW_DECK_PART, &first));
    SW_TRY(sw_deck_need_lines(card, 0, 2));
    for (int k = 0; k < 3; k++)
        SW_TRY(sw_deck_number(card, 0, k, 0, &by[k]));
    for (int k = 0; k < 7; k++)
        SW_TRY(sw_deck_number(card, 1, k, 0, &about[k]));
    SW_TRY(add_scope(deck, name));
    deck->scope = deck->n_scopes - 1;
    SW_TRY(sw_deck_motion(card, by, about, &deck->instance[deck->scope]));
    r->instance = card;
    SW_TRY(end_of_part(deck, first, &end));
    deck->system = 0;
    for (int64_t i = first + 1; i < end - 1; i++)
        SW_TRY(take(r, &deck->cards.card[i]));
    deck->system = 0;
    return SW_OK;
}

/* ---- The whole ---- */

static sw_status read_model(reading *r, int64_t *i)
{
    sw_deck *deck = r->deck;
    for (*i = 0; *i < deck->cards.n_cards; (*i)++) {
        const sw_deck_card *card = &deck->cards.card[*i];
        if (is(card, "STEP"))
            break;
        if (is(card, "PART")) {
            int64_t after = *i + 1;
            SW_TRY(keep_part(deck, *i, &after));
            *i = after - 1;
        } else if (is(card, "INSTANCE"))
            SW_TRY(begin_instance(r, card));
        else if (is(card, "END INSTANCE")) {
            r->instance = NULL;
            deck->scope = 0;
        } else
            SW_TRY(take(r, card));
    }
    return r->instance != NULL ? sw_deck_complain(r->instance, "is not ended: need *END INSTANCE") : SW_OK;
}

/* Cards that waited from `when` to `until`. */
static sw_status read_waiting(reading *r, int when, int until)
{
    sw_deck *deck = r->deck;
    for (int64_t i = 0; i < r->n_late; i++) {
        deck->scope = r->late[i].scope;
        if (r->late[i].keyword->late >= when && r->late[i].keyword->late <= until)
            SW_TRY(r->late[i].keyword->read(deck, r->late[i].card));
    }
    deck->scope = 0;
    return SW_OK;
}

static sw_status read_late(reading *r)
{
    r->deck->finds_all = 1;
    SW_TRY(sw_deck_meet_awaited(r->deck));
    SW_TRY(read_waiting(r, SW_DECK_TWICE, SW_DECK_TWICE));
    SW_TRY(read_waiting(r, SW_DECK_WITH_MESH, SW_DECK_WITH_MESH));
    return read_waiting(r, SW_DECK_LATE, SW_DECK_LATE);
}

static sw_status read_cards(sw_deck *deck)
{
    reading r = {.deck = deck};
    int64_t i = 0;
    sw_status status = add_scope(deck, NULL);
    if (status == SW_OK)
        status = read_model(&r, &i);
    if (status == SW_OK)
        status = read_late(&r);
    for (; status == SW_OK && i < deck->cards.n_cards; i++)
        status = take(&r, &deck->cards.card[i]);
    free(r.late);
    sw_deck_tell_missing(deck);
    if (status == SW_OK && deck->steps->open)
        status = sw_deck_complain(deck->steps->card, "is not ended: need *END STEP");
    return status;
}

/* ---- The dialect ---- */

sw_deck_dialect sw_deck_guess_dialect(const sw_deck_cards *cards, const char **why)
{
    static const char *const calculix[] = {"NODE FILE", "NODE PRINT", "EL FILE", "EL PRINT"},
                             *const abaqus[] = {"PART", "OUTPUT", "PREPRINT"};
    *why = NULL;
    for (int64_t i = 0; i < cards->n_cards; i++) {
        *why = cards->card[i].keyword;
        for (size_t k = 0; k < sizeof abaqus / sizeof *abaqus; k++)
            if (sw_deck_same_word(cards->card[i].keyword, abaqus[k]))
                return SW_DECK_ABAQUS;
        for (size_t k = 0; k < sizeof calculix / sizeof *calculix; k++)
            if (sw_deck_same_word(cards->card[i].keyword, calculix[k]))
                return SW_DECK_CALCULIX;
    }
    *why = NULL;
    return SW_DECK_CALCULIX;
}

sw_status sw_deck_read(const char *path, int dialect, sw_deck **deck)
{
    sw_deck *made;
    *deck = NULL;
    SW_TRY(SW_ALLOCATE(made, 1, "a deck"));
    made->names.capitals_as_others = 1;
    made->changing_interaction = -1;
    sw_status status = SW_ALLOCATE(made->steps, 1, "steps of a deck");
    if (status == SW_OK)
        status = sw_deck_cards_read(path, &made->cards);
    if (status == SW_OK) {
        made->path = made->problem.path = made->cards.path;
        made->dialect =
            dialect >= 0 ? (sw_deck_dialect)dialect : sw_deck_guess_dialect(&made->cards, &made->why_dialect);
        status = read_cards(made);
    }
    if (status == SW_OK)
        *deck = made;
    else
        sw_deck_free(made);
    return status;
}

void sw_deck_free(sw_deck *deck)
{
    if (deck == NULL)
        return;
    sw_structure_problem_free(&deck->problem);
    sw_deck_steps_free(deck->steps);
    sw_deck_tying_free(deck);
    free(deck->element_place);
    for (int i = 0; i < deck->n_sets; i++) {
        free(deck->set[i].name);
        free(deck->set[i].member);
    }
    for (int i = 0; i < deck->n_axes; i++) {
        free(deck->axes[i].name);
        free(deck->axes[i].of);
    }
    for (int i = 0; i < deck->n_sections; i++)
        free(deck->section[i].layer);
    for (int i = 0; i < deck->n_parts; i++)
        free(deck->part_name[i]);
    for (int i = 0; i < deck->n_scopes; i++)
        free(deck->instance[i].name);
    sw_names_free(&deck->names);
    sw_deck_free_labels(deck->node_index);
    sw_deck_free_labels(deck->element_index);
    free(deck->node);
    free(deck->element);
    free(deck->member);
    free(deck->awaited);
    free(deck->set);
    free(deck->axes);
    free(deck->section);
    free(deck->part_name);
    free(deck->instance);
    for (int64_t i = 0; i < deck->n_law_rows; i++)
        free(deck->law_rows[i]);
    free(deck->law_rows);
    free(deck->interaction);
    free(deck->contact);
    free(deck->stamp);
    sw_deck_cards_free(&deck->cards);
    free(deck);
}
