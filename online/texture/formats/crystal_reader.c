#include "crystal_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

#define BLANKS " \t\r\n\v\f"
#define DOS_END "\x1a" /* Ctrl-Z, which some programs still put last */

sw_status sw_crystal_bad_line(const sw_crystal_reader *r, const char *complaint)
{
    return sw_error(SW_ERR_INPUT, "%s:%lld: %s: \"%.60s\"", r->path, (long long)r->line_number, complaint,
                    r->line != NULL ? r->line : "");
}

/* ---- Lines ---- */

sw_status sw_crystal_next_line(sw_crystal_reader *r, int *more)
{
    SW_TRY(sw_next_line(r->path, r->file, &r->line_number, &r->line, &r->line_capacity, more));
    size_t length = *more ? strlen(r->line) : 0;
    while (length > 0 && strchr(BLANKS DOS_END, r->line[length - 1]) != NULL)
        r->line[--length] = '\0';
    return SW_OK;
}

int sw_crystal_is_remark(const sw_crystal_reader *r)
{
    const char first = r->line[strspn(r->line, BLANKS)];
    return first == '\0' || first == '#';
}

sw_status sw_crystal_next_row(sw_crystal_reader *r, int *more)
{
    do
        SW_TRY(sw_crystal_next_line(r, more));
    while (*more && sw_crystal_is_remark(r));
    return SW_OK;
}

int sw_crystal_next_word(const char **at, char word[SW_CRYSTAL_WORD])
{
    *at += strspn(*at, BLANKS);
    const size_t length = strcspn(*at, BLANKS "#");
    if (length < SW_CRYSTAL_WORD)
        snprintf(word, SW_CRYSTAL_WORD, "%.*s", (int)length, *at);
    else
        snprintf(word, SW_CRYSTAL_WORD, "?");
    *at += length;
    return length > 0;
}

int sw_crystal_parse_row(const char *line, int most, double *value)
{
    char word[SW_CRYSTAL_WORD];
    for (int count = 0; count < most; count++) {
        if (!sw_crystal_next_word(&line, word))
            return count;
        if (sw_parse_real(word, &value[count]) != NULL)
            return -1;
    }
    return most;
}

/* ---- Crystals ---- */

/* Whether a list of the reader could be made longer. */
#define GROW(list) \
    ((larger = realloc((list), (size_t)capacity * sizeof *(list))) != NULL && ((list) = larger, 1))

static sw_status grow(sw_crystal_reader *r)
{
    const int64_t capacity = r->capacity < 1024 ? 1024 : r->capacity + r->capacity / 2;
    void *larger;
    if (!GROW(r->euler) || !GROW(r->weight) || !GROW(r->place) || !GROW(r->of))
        return sw_error(SW_ERR_MEMORY, "%s: no memory for %lld crystals", r->path, (long long)capacity);
    r->capacity = capacity;
    return SW_OK;
}

sw_status sw_crystal_put(sw_crystal_reader *r, const double angle[3], double value)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(angle[i] * r->unit) <= 64))
            return sw_crystal_bad_line(
                r, r->unit == 1 ? "need angles of at most ten turns, in radians; are they degrees?"
                                : "need angles of at most ten turns");
    if (r->count == r->capacity)
        SW_TRY(grow(r));
    for (int i = 0; i < 3; i++) {
        r->euler[r->count][i] = angle[i] * r->unit;
        r->largest = fmax(r->largest, fabs(angle[i]));
    }
    memcpy(r->place[r->count], r->row_place, sizeof r->row_place);
    r->of[r->count] = (signed char)r->row_phase;
    r->weight[r->count++] = value;
    return SW_OK;
}

int sw_crystal_is_weight(double weight) { return weight >= 0 && weight <= SW_WEIGHT_MOST; }

sw_status sw_crystal_add(sw_crystal_reader *r, const double angle[3], double weight)
{
    if (!sw_crystal_is_weight(weight))
        return sw_crystal_bad_line(r, "need a weight >= 0, and at most 1e30");
    if (weight > 0)
        return sw_crystal_put(r, angle, weight);
    r->weightless++;
    r->skipped++;
    return SW_OK;
}

void sw_crystal_keep(sw_crystal_reader *r, int64_t kept, int64_t n)
{
    memmove(r->euler[kept], r->euler[n], sizeof r->euler[n]);
    memmove(r->place[kept], r->place[n], sizeof r->place[n]);
    r->weight[kept] = r->weight[n];
    r->of[kept] = r->of[n];
}
