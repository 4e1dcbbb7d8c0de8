/* Records of Fortran's texts, and list-directed reads of numbers in them. */
#include "records.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

sw_status sw_vpsc_open(const char *path, sw_vpsc_records *records)
{
    memset(records, 0, sizeof *records);
    SW_TRY(sw_read_text(path, &records->text));
    records->path = strdup(path);
    if (records->path == NULL) {
        sw_vpsc_close(records);
        return sw_error(SW_ERR_MEMORY, "%s: no memory", path);
    }
    char *end = strchr(records->text, 0x1A);
    if (end != NULL)
        *end = 0;
    records->next = records->text;
    return SW_OK;
}

void sw_vpsc_close(sw_vpsc_records *records)
{
    free(records->path);
    free(records->text);
    memset(records, 0, sizeof *records);
}

sw_status sw_vpsc_bad(const sw_vpsc_records *records, const char *format, ...)
{
    char text[SW_LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sw_error(SW_ERR_INPUT, "%s:%d: %s", records->path, records->line, text);
}

/* The next record, cut off where it ends; NULL at the end. */
static char *take(sw_vpsc_records *records)
{
    char *record = records->next, *end = record + strcspn(record, "\n");
    if (*record == 0)
        return NULL;
    records->next = *end == 0 ? end : end + 1;
    *end = 0;
    records->line++;
    for (size_t n = strlen(record); n > 0 && strchr(" \t\r", record[n - 1]) != NULL; n--)
        record[n - 1] = 0;
    return record;
}

sw_status sw_vpsc_record(sw_vpsc_records *records, const char *name, const char **record)
{
    *record = take(records);
    if (*record == NULL)
        return sw_vpsc_bad(records, "need %s, and the file ends", name);
    return SW_OK;
}

sw_status sw_vpsc_skip(sw_vpsc_records *records, int n)
{
    const char *record;
    for (int i = 0; i < n; i++)
        SW_TRY(sw_vpsc_record(records, "a line", &record));
    return SW_OK;
}

/* ---- Lists ---- */

/* A list while it is read: where in its record it is, and a number to come again. */
typedef struct {
    sw_vpsc_records *records;
    const char *at;
    int first_line, done; /* where it begins; numbers read */
    int again;
    char word[64];
} list;

static const char separators[] = " \t\r,";

/* A list goes on in the next record: said where records are lists of their own. */
static sw_status leave_record(const list *l, const char *name)
{
    if (l->records->one_record)
        return sw_vpsc_bad(l->records, "need %s, the %d. number of this line, and the line ends", name,
                           l->done + 1);
    if (l->records->warns)
        sw_warn("%s:%d: the line ends before %s, its %d. number: that is taken from the next line",
                l->records->path, l->records->line, name, l->done + 1);
    return SW_OK;
}

/* The next word, from the records to come where this one has no more. */
static sw_status next_word(list *l, const char *name)
{
    while (l->at == NULL || l->at[strspn(l->at, separators)] == 0) {
        if (l->first_line > 0)
            SW_TRY(leave_record(l, name));
        l->at = take(l->records);
        if (l->at == NULL)
            return sw_vpsc_bad(l->records,
                               "need %s, number %d of the list that line %d begins, and the file ends", name,
                               l->done + 1, l->first_line > 0 ? l->first_line : l->records->line);
        if (l->first_line == 0)
            l->first_line = l->records->line;
    }
    l->at += strspn(l->at, separators);
    const size_t length = strcspn(l->at, separators);
    if (length >= sizeof l->word)
        return sw_vpsc_bad(l->records, "\"%.16s...\": need %s, a number of at most %zu letters", l->at, name,
                           sizeof l->word - 1);
    snprintf(l->word, sizeof l->word, "%.*s", (int)length, l->at);
    l->at += length;
    return SW_OK;
}

/* "3*0." -> 3, and "0." in its place. */
static void count_repeats(list *l)
{
    char *star = strchr(l->word, '*'), *end;
    const long repeats = star == NULL ? 1 : strtol(l->word, &end, 10);
    l->again = 1;
    if (star == NULL || end != star || end == l->word || repeats < 1 || repeats > 1000 || star[1] == 0)
        return;
    l->again = (int)repeats;
    memmove(l->word, star + 1, strlen(star + 1) + 1);
}

/* Squares, and products of three, are numbers yet. */
#define REAL_MOST 1e100

/* "1.5D3" as "1.5e3", and 0 unless the whole word is a number; "-0" is 0. */
static int parse(const char *word, int whole, double *value)
{
    char text[64], *end;
    snprintf(text, sizeof text, "%s", word);
    if (text[strspn(text, whole ? "+-0123456789" : "+-0123456789.eEdD")] != 0)
        return 0;
    for (char *c = text; *c != 0; c++)
        if (*c == 'd' || *c == 'D')
            *c = 'e';
    *value = strtod(text, &end) + 0.0;
    return end != text && *end == 0 && fabs(*value) <= (whole ? 1e9 : REAL_MOST);
}

static sw_status next_number(list *l, const char *name, int whole, double *value)
{
    if (l->again == 0) {
        SW_TRY(next_word(l, name));
        count_repeats(l);
    }
    if (!parse(l->word, whole, value)) {
        const char *kind = whole ? "a whole number of at most 1e9" : "a number of at most 1e100";
        if (l->records->line == l->first_line)
            return sw_vpsc_bad(l->records, "\"%s\": need %s, %s, the %d. of this line", l->word, name, kind,
                               l->done + 1);
        return sw_vpsc_bad(l->records, "\"%s\": need %s, %s, the %d. of the list that line %d begins",
                           l->word, name, kind, l->done + 1, l->first_line);
    }
    l->again--;
    l->done++;
    return SW_OK;
}

sw_status sw_vpsc_read(sw_vpsc_records *records, int n_items, const sw_vpsc_item *item)
{
    list l = {.records = records};
    double value = 0;
    for (int i = 0; i < n_items; i++)
        for (int k = 0; k < item[i].count; k++) {
            SW_TRY(next_number(&l, item[i].name, item[i].whole != NULL, &value));
            if (item[i].whole != NULL)
                item[i].whole[k] = (int)value;
            else
                item[i].real[k] = value;
        }
    return SW_OK;
}

sw_status sw_vpsc_read_here(sw_vpsc_records *records, int n_items, const sw_vpsc_item *item)
{
    records->one_record = 1;
    const sw_status status = sw_vpsc_read(records, n_items, item);
    records->one_record = 0;
    return status;
}

sw_status sw_vpsc_reals(sw_vpsc_records *records, const char *name, int n, double *to)
{
    const sw_vpsc_item item = SW_VPSC_REALS(name, n, to);
    return sw_vpsc_read(records, 1, &item);
}

sw_status sw_vpsc_wholes(sw_vpsc_records *records, const char *name, int n, int *to)
{
    const sw_vpsc_item item = SW_VPSC_WHOLES(name, n, to);
    return sw_vpsc_read(records, 1, &item);
}

sw_status sw_vpsc_check_flag(const sw_vpsc_records *records, const char *name, int value)
{
    return value == 0 || value == 1 ? SW_OK : sw_vpsc_bad(records, "%s = %d: need 0 or 1", name, value);
}

sw_status sw_vpsc_flag(sw_vpsc_records *records, const char *name, int *to)
{
    SW_TRY(sw_vpsc_wholes(records, name, 1, to));
    return sw_vpsc_check_flag(records, name, *to);
}
