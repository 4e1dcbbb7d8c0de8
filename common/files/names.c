#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "seal.h"

typedef struct sw_name {
    const char *name; /* NULL: a free slot */
    int kind;
    int64_t place;
    uint64_t hash;
} sw_name;

/* Of pieces, folded where capitals do not matter. */
static uint64_t hash_of(const sw_names *names, int kind, const char *name)
{
    enum { PIECE = 64 };
    uint64_t own[2] = {(uint64_t)kind, 0};
    char piece[PIECE];
    for (size_t n = 0; *name != '\0'; name += n) {
        for (n = 0; n < PIECE && name[n] != '\0'; n++)
            piece[n] = names->capitals_as_others ? (char)tolower((unsigned char)name[n]) : name[n];
        own[1] = sw_digest(piece, (int64_t)n);
        own[0] = sw_digest(own, sizeof own);
    }
    return own[0];
}

/* The slot of a name, or the free one where it would be; there is one. */
static sw_name *slot_of(const sw_names *names, uint64_t hash, int kind, const char *name)
{
    const uint64_t mask = (uint64_t)names->n_slots - 1;
    for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
        sw_name *slot = &names->slot[i];
        if (slot->name == NULL || (slot->hash == hash && slot->kind == kind &&
                                   (names->capitals_as_others ? strcasecmp : strcmp)(slot->name, name) == 0))
            return slot;
    }
}

/* Twice the slots, a power of two. */
static sw_status grow(sw_names *names)
{
    const sw_names old = *names;
    names->n_slots = old.n_slots > 0 ? 2 * old.n_slots : 16;
    const sw_status status = SW_ALLOCATE(names->slot, names->n_slots, "names of a list");
    if (status != SW_OK) {
        *names = old;
        return status;
    }
    for (int64_t i = 0; i < old.n_slots; i++)
        if (old.slot[i].name != NULL)
            *slot_of(names, old.slot[i].hash, old.slot[i].kind, old.slot[i].name) = old.slot[i];
    free(old.slot);
    return SW_OK;
}

sw_status sw_names_add(sw_names *names, int kind, const char *name, int64_t place)
{
    if (2 * (names->n + 1) > names->n_slots)
        SW_TRY(grow(names));
    const uint64_t hash = hash_of(names, kind, name);
    *slot_of(names, hash, kind, name) = (sw_name){name, kind, place, hash};
    names->n++;
    return SW_OK;
}

int64_t sw_names_find(const sw_names *names, int kind, const char *name)
{
    if (names->n == 0)
        return -1;
    const sw_name *slot = slot_of(names, hash_of(names, kind, name), kind, name);
    return slot->name != NULL ? slot->place : -1;
}

void sw_names_free(sw_names *names)
{
    free(names->slot);
    names->slot = NULL;
    names->n = names->n_slots = 0;
}
