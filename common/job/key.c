/* Rows in words. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hash.h"
#include "common/files/text.h"
#include "job.h"

const char *sw_key_path(char key[SW_KEY_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(key, SW_KEY_SIZE, format, arguments);
    va_end(arguments);
    return key;
}

int sw_key_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    return 0;
}

/* ---- Words ---- */

int sw_key_find_word(const sw_key *key, const char *word)
{
    if (key->cases == NULL)
        return sw_find_word(word, key->n_words, key->words);
    for (int i = 0; key->cases[i].name != NULL; i++)
        if (strcmp(key->cases[i].name, word) == 0)
            return i;
    return -1;
}

const char *sw_key_word(const sw_key *key, int index)
{
    for (int i = 0; key->cases != NULL && key->cases[i].name != NULL; i++)
        if (i == index)
            return key->cases[i].name;
    return key->cases == NULL && index >= 0 && index < key->n_words ? key->words[index] : NULL;
}

void sw_key_number(double number, char *text, size_t size)
{
    int exponent;
    if (frexp(number, &exponent) == 0.5 && exponent > 20) {
        snprintf(text, size, "2^%d", exponent - 1);
        return;
    }
    snprintf(text, size, "%.15g", number);
    if (number == 0 || !isfinite(number) ||
        (fabs(number) >= 1e-2 && fabs(number) < 1e15 && fmod(number, 1e4) != 0))
        return;
    char digits[40];
    for (int n = 0; n < 16; n++) {
        snprintf(digits, sizeof digits, "%.*e", n, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    char *e = strchr(digits, 'e');
    snprintf(text, size, "%.*se%ld", (int)(e - digits), digits, strtol(e + 1, NULL, 10));
}

/* "J/mol, 0 or from 1e3 to 1e6", "... in size" where either sign will do. */
static void gap_bound(const sw_key *key, char *text, size_t size)
{
    char smallest[40], most[40];
    sw_key_number(key->smallest, smallest, sizeof smallest);
    sw_key_number(key->most, most, sizeof most);
    snprintf(text, size, "%s%s0 or from %s to %s%s", key->unit != NULL ? key->unit : "",
             key->unit != NULL ? ", " : "", smallest, most, key->least < 0 ? " in size" : "");
}

static void number_bound(const sw_key *key, char *text, size_t size)
{
    char least[40], most[40];
    const int below = isfinite(key->least), above = isfinite(key->most) && key->most != (double)INT64_MAX;
    const char *left = key->open & SW_OPEN_BELOW ? "<" : "<=",
               *right = key->open & SW_OPEN_ABOVE ? "<" : "<=";
    const char *name = key->name != NULL ? key->name : key->option != NULL ? key->option : "value";
    sw_key_number(key->least, least, sizeof least);
    sw_key_number(key->most, most, sizeof most);
    if (key->smallest > 0)
        gap_bound(key, text, size);
    else if (!below && !above)
        snprintf(text, size, "%s", key->unit != NULL ? key->unit : "a number");
    else if (key->unit == NULL && below && above)
        snprintf(text, size, "%s %s %s %s %s", least, left, name, right, most);
    else if (key->unit == NULL)
        snprintf(text, size, "%s %s%s %s", name, below ? ">" : "<",
                 strcmp(below ? left : right, "<=") ? "" : "=", below ? least : most);
    else if (below && above && key->open == 0)
        snprintf(text, size, "%s, from %s to %s", key->unit, least, most);
    else
        snprintf(text, size, "%s%s%s%s%s", key->unit,
                 !below                      ? ""
                 : key->open & SW_OPEN_BELOW ? ", more than "
                                             : ", at least ",
                 below ? least : "",
                 !above                      ? ""
                 : key->open & SW_OPEN_ABOVE ? ", less than "
                                             : ", at most ",
                 above ? most : "");
}

static void word_bound(const sw_key *key, char *text, size_t size)
{
    const char *names[128];
    int count = 0;
    for (const char *word; count < 128 && (word = sw_key_word(key, count)) != NULL; count++)
        names[count] = word;
    const int length = snprintf(text, size, "one of ");
    sw_list_words(count, names, text + length, size - (size_t)length);
}

void sw_key_bound(const sw_key *key, char *text, size_t size)
{
    const sw_key_type type = key->type == SW_KEY_LIST ? key->entry : key->type;
    if (key->bound != NULL)
        snprintf(text, size, "%s", key->bound);
    else if (type == SW_KEY_WORD)
        word_bound(key, text, size);
    else if (type == SW_KEY_YES)
        snprintf(text, size, "yes or no");
    else if (type == SW_KEY_TENSOR)
        snprintf(text, size, "3 rows of 3 numbers%s%s", key->unit != NULL ? ", " : "",
                 key->unit != NULL ? key->unit : "");
    else if (type == SW_KEY_REAL || type == SW_KEY_WHOLE)
        number_bound(key, text, size);
    else
        snprintf(text, size, type == SW_KEY_PATH ? "a file" : "a text");
}

int sw_key_is_taken(const sw_key *keys, const sw_key *key, const void *structure)
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        int named = 0, chosen;
        for (const sw_key_case *c = k->cases; c != NULL && c->name != NULL; c++) {
            const int listed = sw_key_listed(c->needs, key->name) || sw_key_listed(c->takes, key->name);
            memcpy(&chosen, (const char *)structure + k->to, sizeof chosen);
            if (listed && c == k->cases + chosen)
                return 1;
            named |= listed;
        }
        if (named)
            return 0;
    }
    return 1;
}

/* ---- Comparing ---- */

int sw_key_has_value(const sw_key *key, const void *structure)
{
    double real = 0;
    int yes;
    if (key->type == SW_KEY_LIST)
        return sw_key_count(key, structure) > 0;
    if (key->type == SW_KEY_YES) { /* no is what absence means */
        memcpy(&yes, (const char *)structure + key->to, sizeof yes);
        return yes;
    }
    if (key->type == SW_KEY_REAL)
        memcpy(&real, (const char *)structure + key->to, sizeof real);
    return !isnan(real);
}

static void print_value(const sw_key *key, const char *structure, char *text, size_t size)
{
    int64_t whole;
    double real;
    int number;
    if (key->type == SW_KEY_NAME)
        snprintf(text, size, "%s", structure + key->to);
    else if (key->type == SW_KEY_REAL) {
        memcpy(&real, structure + key->to, sizeof real);
        snprintf(text, size, "%g", real);
    } else if (key->type == SW_KEY_WHOLE) {
        memcpy(&whole, structure + key->to, sizeof whole);
        snprintf(text, size, "%lld", (long long)whole);
    } else {
        memcpy(&number, structure + key->to, sizeof number);
        const char *word = key->type == SW_KEY_WORD ? sw_key_word(key, number) : number ? "yes" : "no";
        snprintf(text, size, "%s", word != NULL ? word : "none");
    }
}

static size_t size_of(sw_key_type type)
{
    return type == SW_KEY_REAL                         ? sizeof(double)
           : type == SW_KEY_WHOLE                      ? sizeof(int64_t)
           : type == SW_KEY_WORD || type == SW_KEY_YES ? sizeof(int)
                                                       : 0;
}

static int differ_within(const sw_key *keys, const char *prefix, const char *which, const char *a,
                         const char *b, sw_key_difference *difference);

/* Of numbers, or of mappings, whose names count, too. */
static int lists_differ(const sw_key *list, const char *path, const char *a, const char *b,
                        sw_key_difference *difference)
{
    const int n = sw_key_count(list, a), count = sw_key_count(list, b);
    const char *x = sw_key_entries(list, a), *y = sw_key_entries(list, b);
    char inner[SW_KEY_SIZE];
    for (int i = 0; i < n && i < count; i++, x += list->entry_size, y += list->entry_size) {
        if (list->keys != NULL ? differ_within(list->keys, sw_key_path(inner, "%.100s[%d].", path, i), NULL,
                                               x, y, difference)
                               : memcmp(x, y, list->entry_size) != 0)
            break;
        if (i + 1 == n && n == count)
            return 0;
    }
    if (n == 0 && count == 0)
        return 0;
    sw_key_path(difference->key, "%s", path);
    snprintf(difference->a, sizeof difference->a, "%d entries", n);
    snprintf(difference->b, sizeof difference->b, "%s", n == count ? "others" : "another number");
    return 1;
}

static int differ_within(const sw_key *keys, const char *prefix, const char *which, const char *a,
                         const char *b, sw_key_difference *difference)
{
    char path[SW_KEY_SIZE], inner[SW_KEY_SIZE];
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        sw_key_path(path, "%s%s", prefix, k->name != NULL ? k->name : "");
        const char *below = which == NULL || sw_key_listed(which, path) ? NULL : which;
        if (k->type == SW_KEY_SECTION &&
            differ_within(k->keys, sw_key_path(inner, "%.100s.", path), below, a, b, difference))
            return 1;
        if (below == NULL && k->type == SW_KEY_LIST && lists_differ(k, path, a, b, difference))
            return 1;
        if (below != NULL || memcmp(a + k->to, b + k->to, size_of(k->type)) == 0)
            continue;
        sw_key_path(difference->key, "%s", path);
        print_value(k, a, difference->a, sizeof difference->a);
        print_value(k, b, difference->b, sizeof difference->b);
        return 1;
    }
    return 0;
}

int sw_keys_differ(const sw_key *keys, const char *which, const void *a, const void *b,
                   sw_key_difference *difference)
{
    return differ_within(keys, "", which, a, b, difference);
}

static uint64_t hash_within(const sw_key *keys, int named, const char *structure, uint64_t h);

static uint64_t hash_list(const sw_key *list, const char *structure, uint64_t h)
{
    const char *entry = sw_key_entries(list, structure);
    for (int i = 0; i < sw_key_count(list, structure); i++, entry += list->entry_size) {
        if (list->keys == NULL) {
            h = sw_hash(h, entry, list->entry_size);
            continue;
        }
        for (const sw_key *k = list->keys; k->type != SW_KEY_END; k++)
            if (k->type == SW_KEY_NAME)
                h = sw_hash(h, entry + k->to, strlen(entry + k->to));
        h = hash_within(list->keys, 1, entry, h);
    }
    return h;
}

/* named: where keys may be absent, the same number of another key is another one. */
static uint64_t hash_within(const sw_key *keys, int named, const char *structure, uint64_t h)
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        if (named && k->type != SW_KEY_NAME && sw_key_has_value(k, structure))
            h = sw_hash(h, k->name, strlen(k->name));
        if (k->type == SW_KEY_SECTION)
            h = hash_within(k->keys, named, structure, h);
        else if (k->type == SW_KEY_LIST)
            h = hash_list(k, structure, h);
        else if (sw_key_has_value(k, structure))
            h = sw_hash(h, structure + k->to, size_of(k->type));
    }
    return h;
}

uint64_t sw_keys_hash(uint64_t h, const sw_key *keys, const void *structure)
{
    return hash_within(keys, 0, structure, h);
}
