#include "crystal_reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

#define BLANKS " \t\r\n\v\f"

sw_status sw_crystal_bad_line(const sw_crystal_reader *r, const char *complaint)
{
    return sw_error(SW_ERR_INPUT, "%s:%lld: %s: \"%.60s\"", r->path, (long long)r->line_number, complaint,
                    r->line != NULL ? r->line : "");
}

/* ---- Lines ---- */

sw_status sw_crystal_next_line(sw_crystal_reader *r, int *more)
{
    errno = 0;
    ssize_t length = getline(&r->line, &r->line_capacity, r->file);
    *more = length >= 0;
    if (length < 0)
        return feof(r->file) ? SW_OK
                             : sw_error(SW_ERR_IO, "%s: cannot be read: %s", r->path, strerror(errno));
    r->line_number++;
    if (strlen(r->line) != (size_t)length)
        return sw_crystal_bad_line(r, "a NUL byte: not a text file");
    if (r->line_number == 1) {
        sw_drop_byte_order_mark(r->line);
        length = (ssize_t)strlen(r->line);
    }
    while (length > 0 && strchr(BLANKS, r->line[length - 1]) != NULL)
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

static sw_status no_memory(const sw_crystal_reader *r, int64_t capacity)
{
    return sw_error(SW_ERR_MEMORY, "%s: no memory for %lld crystals", r->path, (long long)capacity);
}

static sw_status grow(sw_crystal_reader *r)
{
    const int64_t capacity = r->capacity < 1024 ? 1024 : r->capacity + r->capacity / 2;
    void *larger = realloc(r->euler, (size_t)capacity * sizeof *r->euler);
    if (larger == NULL)
        return no_memory(r, capacity);
    r->euler = larger;
    larger = realloc(r->weight, (size_t)capacity * sizeof *r->weight);
    if (larger == NULL)
        return no_memory(r, capacity);
    r->weight = larger;
    larger = realloc(r->place, (size_t)capacity * sizeof *r->place);
    if (larger == NULL)
        return no_memory(r, capacity);
    r->place = larger;
    r->capacity = capacity;
    return SW_OK;
}

sw_status sw_crystal_add(sw_crystal_reader *r, const double angle[3], double weight)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(angle[i] * r->unit) <= 64))
            return sw_crystal_bad_line(r, "need angles of at most ten turns");
    if (r->count == r->capacity)
        SW_TRY(grow(r));
    for (int i = 0; i < 3; i++) {
        r->euler[r->count][i] = angle[i] * r->unit;
        r->largest = fmax(r->largest, fabs(angle[i]));
    }
    r->place[r->count][0] = r->grid.last[0];
    r->place[r->count][1] = r->grid.last[1];
    r->weight[r->count++] = weight;
    return SW_OK;
}
