/* What a card says: its parameters, fields, numbers, and what is wrong with them. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cards.h"
#include "common/files/text.h"

#undef sw_deck_complain /* they are defined here */
#undef sw_deck_complain_at
#undef sw_deck_complain_line

/* ---- Complaints ---- */

static sw_status complain(const sw_deck_card *card, const char *path, int64_t line, const char *format,
                          va_list arguments)
{
    char text[768];
    vsnprintf(text, sizeof text, format, arguments);
    return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": *%.48s: %s", path, line, card->keyword, text);
}

sw_status sw_deck_complain(const sw_deck_card *card, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const sw_status status = complain(card, card->path, card->line, format, arguments);
    va_end(arguments);
    return status;
}

sw_status sw_deck_complain_at(const sw_deck_card *card, int64_t i, const char *format, ...)
{
    const int there = i >= 0 && i < card->n_lines;
    va_list arguments;
    va_start(arguments, format);
    const sw_status status = complain(card, there ? card->data[i].path : card->path,
                                      there ? card->data[i].line : card->line, format, arguments);
    va_end(arguments);
    return status;
}

sw_status sw_deck_complain_line(const sw_deck_card *card, int64_t i, const char *says)
{
    char text[64] = "";
    for (int k = 0; k < card->data[i].n_fields; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", k > 0 ? ", " : "",
                 card->data[i].field[k]);
    return sw_deck_complain_at(card, i, "'%s': %s", text, says);
}

/* ---- Words, numbers ---- */

int sw_deck_same_word(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (toupper((unsigned char)*a) != toupper((unsigned char)*b))
            return 0;
        if (*a == '\0')
            return 1;
    }
}

int sw_deck_begins(const char *text, const char *with) { return strncasecmp(text, with, strlen(with)) == 0; }

const char *sw_deck_to_real(const char *text, double *number)
{
    char plain[64];
    if (strpbrk(text, "dD") == NULL)
        return sw_parse_real(text, number);
    snprintf(plain, sizeof plain, "%s", text);
    for (char *c = plain; *c != '\0'; c++)
        if (*c == 'd' || *c == 'D')
            *c = 'e';
    return strlen(text) < sizeof plain ? sw_parse_real(plain, number) : "a number";
}

int sw_deck_to_whole(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *number = value;
    return end != text && *end == '\0' && errno == 0;
}

/* ---- Parameters ---- */

const char *sw_deck_parameter(const sw_deck_card *card, const char *key)
{
    for (int i = 0; i < card->n_parameters; i++)
        if (strcmp(card->parameter[i].key, key) == 0)
            return card->parameter[i].value;
    return NULL;
}

sw_status sw_deck_need_parameters(const sw_deck_card *card, const char *list)
{
    for (int i = 0; i < card->n_parameters; i++) {
        char key[64];
        snprintf(key, sizeof key, " %s ", card->parameter[i].key);
        if (strstr(list, key) == NULL)
            return sw_deck_complain(card, "parameter %.64s is not supported: need %s%s",
                                    card->parameter[i].key, strlen(list) > 1 ? "one of" : "none",
                                    strlen(list) > 1 ? list : "");
    }
    return SW_OK;
}

sw_status sw_deck_need_value(const sw_deck_card *card, const char *key, const char **value)
{
    *value = sw_deck_parameter(card, key);
    return *value == NULL || **value == '\0' ? sw_deck_complain(card, "needs %s=", key) : SW_OK;
}

sw_status sw_deck_real_parameter(const sw_deck_card *card, const char *key, double missing, double *number)
{
    const char *text = sw_deck_parameter(card, key);
    *number = missing;
    const char *wanted = text != NULL ? sw_deck_to_real(text, number) : NULL;
    return wanted == NULL ? SW_OK : sw_deck_complain(card, "%s=%.40s: need %s", key, text, wanted);
}

sw_status sw_deck_whole_parameter(const sw_deck_card *card, const char *key, int64_t least, int64_t most,
                                  int64_t missing, int64_t *number)
{
    const char *text = sw_deck_parameter(card, key);
    *number = missing;
    if (text == NULL || (sw_deck_to_whole(text, number) && *number >= least && *number <= most))
        return SW_OK;
    return most == INT64_MAX
               ? sw_deck_complain(card, "%s=%.40s: need a whole number, %" PRId64 " or more", key, text,
                                  least)
               : sw_deck_complain(card, "%s=%.40s: need a whole number from %" PRId64 " to %" PRId64, key,
                                  text, least, most);
}

sw_status sw_deck_need_lines(const sw_deck_card *card, int64_t least, int64_t most)
{
    if (card->n_lines >= least && (most < 0 || card->n_lines <= most))
        return SW_OK;
    if (most == least)
        return sw_deck_complain(card, "%" PRId64 " data lines: need %" PRId64, card->n_lines, least);
    return card->n_lines < least
               ? sw_deck_complain(card, "%" PRId64 " data lines: need at least %" PRId64, card->n_lines,
                                  least)
               : sw_deck_complain(card, "%" PRId64 " data lines: need at most %" PRId64, card->n_lines, most);
}

/* ---- Fields ---- */

const char *sw_deck_field(const sw_deck_card *card, int64_t i, int k)
{
    return i < card->n_lines && k < card->data[i].n_fields ? card->data[i].field[k] : "";
}

sw_status sw_deck_number(const sw_deck_card *card, int64_t i, int k, double missing, double *number)
{
    const char *text = sw_deck_field(card, i, k);
    *number = missing;
    if (*text == '\0')
        return SW_OK;
    const char *wanted = sw_deck_to_real(text, number);
    return wanted == NULL ? SW_OK
                          : sw_deck_complain_at(card, i, "'%.40s' in field %d: need %s", text, k + 1, wanted);
}

sw_status sw_deck_need_number(const sw_deck_card *card, int64_t i, int k, const char *what, double *number)
{
    return *sw_deck_field(card, i, k) != '\0'
               ? sw_deck_number(card, i, k, 0, number)
               : sw_deck_complain_at(card, i, "needs %s in field %d", what, k + 1);
}

sw_status sw_deck_integer(const sw_deck_card *card, int64_t i, int k, int64_t missing, int64_t *number)
{
    const char *text = sw_deck_field(card, i, k);
    *number = missing;
    if (*text == '\0')
        return SW_OK;
    if (!sw_deck_to_whole(text, number) || *number > INT32_MAX || *number < -INT32_MAX)
        return sw_deck_complain_at(card, i, "'%.40s' in field %d: need a whole number of at most %d", text,
                                   k + 1, INT32_MAX);
    return SW_OK;
}

sw_status sw_deck_room(void **array, int64_t n, size_t size)
{
    if (n > 0 && (n & (n - 1)) != 0)
        return SW_OK;
    return sw_grow(array, n > 0 ? 2 * (size_t)n : 1, size, "a list of a deck");
}
