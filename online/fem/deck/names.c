/* Names and labels of a deck, each in its scope: an instance of a part, or what is outside all. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model.h"

#undef sw_deck_no_name /* it is defined here */

/* ---- Labels ---- */

typedef struct sw_deck_labels {
    int64_t n, n_slots;
    struct slot {
        uint64_t key; /* 0: free */
        int64_t index;
    } * slot;
} labels;

enum { MOST_BITS = 40 }; /* of a label */

static uint64_t key_of(int scope, int64_t label) { return (uint64_t)scope << MOST_BITS | (uint64_t)label; }

static struct slot *slot_of(const labels *list, uint64_t key)
{
    const uint64_t mask = (uint64_t)list->n_slots - 1;
    uint64_t i = key * 0x9E3779B97F4A7C15u >> 20 & mask;
    while (list->slot[i].key != 0 && list->slot[i].key != key)
        i = (i + 1) & mask;
    return &list->slot[i];
}

static sw_status grow(labels *list)
{
    labels grown = {.n = list->n, .n_slots = list->n_slots > 0 ? 4 * list->n_slots : 64};
    SW_TRY(SW_ALLOCATE(grown.slot, grown.n_slots, "labels of a deck"));
    for (int64_t i = 0; i < list->n_slots; i++)
        if (list->slot[i].key != 0)
            *slot_of(&grown, list->slot[i].key) = list->slot[i];
    free(list->slot);
    *list = grown;
    return SW_OK;
}

sw_status sw_deck_add_label(struct sw_deck_labels **list, int scope, int64_t label, int64_t index)
{
    if (*list == NULL)
        SW_TRY(SW_ALLOCATE(*list, 1, "labels of a deck"));
    if (2 * ((*list)->n + 1) > (*list)->n_slots)
        SW_TRY(grow(*list));
    *slot_of(*list, key_of(scope, label)) = (struct slot){key_of(scope, label), index};
    (*list)->n++;
    return SW_OK;
}

int64_t sw_deck_find_label(const struct sw_deck_labels *list, int scope, int64_t label)
{
    if (list == NULL || label < 1 || label >> MOST_BITS != 0)
        return -1;
    const struct slot *slot = slot_of(list, key_of(scope, label));
    return slot->key != 0 ? slot->index : -1;
}

void sw_deck_free_labels(struct sw_deck_labels *list)
{
    if (list != NULL)
        free(list->slot);
    free(list);
}

/* Bare labels outside all instances mean those of the only one there is. */
static int64_t find_label(const sw_deck *deck, const struct sw_deck_labels *list, int64_t label)
{
    const int64_t index = sw_deck_find_label(list, deck->scope, label);
    return index < 0 && deck->scope == 0 && deck->n_scopes == 2 ? sw_deck_find_label(list, 1, label) : index;
}

int64_t sw_deck_find_node(const sw_deck *deck, int64_t label)
{
    return find_label(deck, deck->node_index, label);
}

int64_t sw_deck_find_element(const sw_deck *deck, int64_t label)
{
    return find_label(deck, deck->element_index, label);
}

sw_status sw_deck_shown_label(sw_deck *deck, int64_t label, int64_t *shown)
{
    sw_deck_scope *scope = &deck->instance[deck->scope];
    if (scope->offset < 0) { /* the first takes labels as they are, others begin at the next power of ten */
        scope->offset = deck->most_label > 0 ? 10 : 0;
        while (scope->offset > 0 && scope->offset <= deck->most_label)
            scope->offset *= 10;
        if (scope->offset > 0)
            sw_note("%s: labels of %s are shown with %lld added", deck->path,
                    scope->name != NULL ? scope->name : "the assembly", (long long)scope->offset);
    }
    *shown = label + scope->offset;
    deck->most_label = *shown > deck->most_label ? *shown : deck->most_label;
    return SW_OK;
}

/* ---- Names ---- */

/* A name with its scope before it, in `whole`. */
static const char *whole_name(const sw_deck *deck, const char *name, char whole[SW_DECK_NAME])
{
    const char *scope = deck->n_scopes > 0 ? deck->instance[deck->scope].name : NULL;
    if (scope == NULL)
        return name;
    snprintf(whole, SW_DECK_NAME, "%s.%s", scope, name);
    return whole;
}

static int is_of_model(int kind) /* materials and the like have no scope */
{
    return kind >= SW_DECK_MATERIAL && kind != SW_DECK_ORIENTATION;
}

int64_t sw_deck_find_name(const sw_deck *deck, int kind, const char *name)
{
    char whole[SW_DECK_NAME];
    int64_t place = is_of_model(kind) ? -1 : sw_names_find(&deck->names, kind, whole_name(deck, name, whole));
    return place >= 0 ? place : sw_names_find(&deck->names, kind, name);
}

sw_status sw_deck_new_name(sw_deck *deck, int kind, const char *name, int64_t place, char **kept)
{
    char whole[SW_DECK_NAME];
    const char *text = is_of_model(kind) ? name : whole_name(deck, name, whole);
    const size_t n = strlen(text);
    *kept = NULL;
    SW_TRY(SW_ALLOCATE(*kept, n + 1, "a name"));
    for (size_t i = 0; i < n; i++)
        (*kept)[i] = (char)toupper((unsigned char)text[i]);
    const sw_status status = sw_names_add(&deck->names, kind, *kept, place);
    if (status != SW_OK)
        free(*kept);
    return status;
}

int64_t sw_deck_find_set(const sw_deck *deck, sw_fem_set_kind kind, const char *name)
{
    return sw_deck_find_name(deck, (int)kind, name);
}

sw_status sw_deck_no_name(const sw_deck *deck, const sw_deck_card *card, int64_t i, int kind,
                          const char *name)
{
    static const char *const kinds[] = {"node set",  "element set", "surface",     "material", "orientation",
                                        "amplitude", "part",        "interaction", "instance"};
    if ((sw_fem_set_kind)kind <= SW_FEM_SURFACE)
        for (int k = 0; k <= SW_FEM_SURFACE; k++)
            if (k != kind && sw_deck_find_name(deck, k, name) >= 0)
                return sw_deck_complain_at(card, i, "there is no %s '%.80s', but a%s %s of this name",
                                           kinds[kind], name, k == SW_FEM_ELEMENTS ? "n" : "", kinds[k]);
    return sw_deck_complain_at(card, i, "there is no %s '%.80s'", kinds[kind], name);
}

sw_status sw_deck_find_named(const sw_deck *deck, const sw_deck_card *card, const char *key, int kind,
                             int *place)
{
    const char *name = sw_deck_parameter(card, key);
    *place = name != NULL ? (int)sw_deck_find_name(deck, kind, name) : -1;
    return name == NULL || *place >= 0 ? SW_OK : sw_deck_no_name(deck, card, -1, kind, name);
}

sw_status sw_deck_need_named(const sw_deck *deck, const sw_deck_card *card, const char *key, int kind,
                             int *place)
{
    const char *name;
    SW_TRY(sw_deck_need_value(card, key, &name));
    return sw_deck_find_named(deck, card, key, kind, place);
}

/* ---- Sets ---- */

sw_status sw_deck_open_set(sw_deck *deck, sw_fem_set_kind kind, const char *name, int64_t *place)
{
    char whole[SW_DECK_NAME];
    *place = sw_names_find(&deck->names, (int)kind, whole_name(deck, name, whole));
    if (*place >= 0)
        return SW_OK;
    char *kept;
    SW_TRY(SW_DECK_ROOM(deck->set, deck->n_sets));
    SW_TRY(sw_deck_new_name(deck, (int)kind, name, deck->n_sets, &kept));
    *place = deck->n_sets++;
    deck->set[*place] = (sw_deck_set){.name = kept, .kind = kind};
    return SW_OK;
}

/* Room for marks of members from 0 to `most`. */
static sw_status room_for_stamps(sw_deck *deck, int64_t most)
{
    if (most < deck->n_stamps)
        return SW_OK;
    const int64_t n = 2 * (most + 1);
    SW_TRY(SW_GROW(deck->stamp, n, "marks of a set's members"));
    memset(deck->stamp + deck->n_stamps, 0, (size_t)(n - deck->n_stamps) * sizeof *deck->stamp);
    deck->n_stamps = n;
    return SW_OK;
}

/* Marks those that are in, unless they are marked as of the last time. */
static sw_status stamp_set(sw_deck *deck, int64_t place)
{
    const sw_deck_set *set = &deck->set[place];
    if (deck->stamped > 0 && deck->stamped_set == place)
        return SW_OK;
    deck->stamped_set = place;
    deck->stamped++;
    for (int64_t i = 0; i < set->n; i++) {
        SW_TRY(room_for_stamps(deck, set->member[i]));
        deck->stamp[set->member[i]] = deck->stamped;
    }
    return SW_OK;
}

sw_status sw_deck_add_members(sw_deck *deck, int64_t place, int64_t n, const int64_t *member)
{
    sw_deck_set *set = &deck->set[place];
    SW_TRY(stamp_set(deck, place));
    for (int64_t i = 0; i < n; i++)
        SW_TRY(room_for_stamps(deck, member[i]));
    if (set->n + n > set->capacity) {
        SW_TRY(SW_GROW(set->member, 2 * (set->n + n), "members of a set"));
        set->capacity = 2 * (set->n + n);
    }
    for (int64_t i = 0; i < n; i++)
        if (deck->stamp[member[i]] != deck->stamped) {
            deck->stamp[member[i]] = deck->stamped;
            set->member[set->n++] = member[i];
        }
    return SW_OK;
}

/* ---- Fields that are a label or a name ---- */

/* A label where a field is all digits. */
static int is_label(const char *text) { return *text != '\0' && text[strspn(text, "0123456789")] == '\0'; }

/* "INSTANCE.REST": the instance, and *rest; -1 where there is none before a point. */
static int scope_before(const sw_deck *deck, const char *text, const char **rest)
{
    for (int i = 1; i < deck->n_scopes; i++) {
        const size_t n = strlen(deck->instance[i].name);
        if (strncasecmp(text, deck->instance[i].name, n) == 0 && text[n] == '.') {
            *rest = text + n + 1;
            return i;
        }
    }
    return -1;
}

static const char *one_of(sw_fem_set_kind kind) { return kind == SW_FEM_NODES ? "node" : "element"; }

/* Members by a text of line i, or of the card itself (-1). */
static sw_status members_by(sw_deck *deck, const sw_deck_card *card, int64_t i, const char *text,
                            sw_fem_set_kind kind, int64_t *n, const int64_t **member)
{
    const char *rest = text;
    const int inside = scope_before(deck, text, &rest), before = deck->scope;
    const char *name = inside >= 0 && is_label(rest) ? rest : text;
    if (is_label(name)) {
        if (inside >= 0)
            deck->scope = inside;
        const int64_t label = strtoll(name, NULL, 10);
        deck->one = kind == SW_FEM_NODES ? sw_deck_find_node(deck, label) : sw_deck_find_element(deck, label);
        deck->scope = before;
        *n = 1;
        *member = &deck->one;
        return deck->one >= 0 ? SW_OK
                              : sw_deck_complain_at(card, i, "there is no %s %.40s", one_of(kind), text);
    }
    const int64_t set = sw_deck_find_set(deck, kind, name);
    if (set < 0)
        return sw_deck_no_name(deck, card, i, (int)kind, name);
    *n = deck->set[set].n;
    *member = deck->set[set].member;
    return *n > 0 ? SW_OK : sw_deck_complain_at(card, i, "%s set %.80s is empty", one_of(kind), name);
}

static sw_status members_of(sw_deck *deck, const sw_deck_card *card, int64_t i, int k, sw_fem_set_kind kind,
                            int64_t *n, const int64_t **member)
{
    const char *text = sw_deck_field(card, i, k);
    return *text != '\0'
               ? members_by(deck, card, i, text, kind, n, member)
               : sw_deck_complain_at(card, i, "field %d is empty: need a %s or a set", k + 1, one_of(kind));
}

sw_status sw_deck_one_named(sw_deck *deck, const sw_deck_card *card, const char *key, sw_fem_set_kind kind,
                            int64_t *member)
{
    const char *text = NULL;
    const int64_t *all = NULL;
    int64_t n = 0;
    SW_TRY(sw_deck_need_value(card, key, &text));
    SW_TRY(members_by(deck, card, -1, text, kind, &n, &all));
    *member = n > 0 ? all[0] : -1;
    return n == 1 ? SW_OK
                  : sw_deck_complain(card, "%s=%.80s: a set of %lld %ss: need one", key, text, (long long)n,
                                     one_of(kind));
}

sw_status sw_deck_nodes_of(sw_deck *deck, const sw_deck_card *card, int64_t i, int k, int64_t *n,
                           const int64_t **member)
{
    return members_of(deck, card, i, k, SW_FEM_NODES, n, member);
}

sw_status sw_deck_elements_of(sw_deck *deck, const sw_deck_card *card, int64_t i, int k, int64_t *n,
                              const int64_t **member)
{
    return members_of(deck, card, i, k, SW_FEM_ELEMENTS, n, member);
}
