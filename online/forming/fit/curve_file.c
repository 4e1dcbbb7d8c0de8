#include "curve_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"
#include "curve_names.h"

enum { WORDS = 64 }; /* of a row, at most */
static const char *const BLANKS = " \t\r";

typedef struct {
    const char *path;
    int line;
    char separator;            /* ';', '\t', ',' or ' ': of blanks */
    char mark;                 /* '.' or ',' of the numbers so far; 0: none had one */
    const char *const *column; /* [2] */
    int at[2];                 /* which words of a row; < 0: not known yet */
    int width;                 /* words of the line of names, else of the first row */
    int named;                 /* 1: there is a line of names; 2: and one of units */
    int first;                 /* line of what gave the width */
    const char *said[2];       /* what says the units of strain and stress */
    int said_in[2];            /* lines of that */
    int room;
    sw_curve *curve;
} reader;

/* ---- Words ---- */

static char *trim(char *word)
{
    word += strspn(word, BLANKS);
    char *end = word + strlen(word);
    while (end > word && strchr(BLANKS, end[-1]) != NULL)
        *--end = '\0';
    return word;
}

/* The line without its comment and blanks around. */
static char *bare(char *line)
{
    line[strcspn(line, "#")] = '\0';
    return trim(line);
}

/* Between separators words may be empty, but at the end, and in quotes. Returns how many; WORDS + 1: too many. */
static int cut(char separator, char *line, char *word[WORDS])
{
    const char parting[] = {separator, separator == ' ' ? '\t' : '\0', '\0'};
    int n = 0;
    for (char *next; *line != '\0'; line = next + strspn(next, separator == ' ' ? BLANKS : " \r")) {
        const int quoted = *line == '"' && strchr(line + 1, '"') != NULL;
        char *end = line + strcspn(line, parting);
        if (quoted) {
            end = strchr(++line, '"');
            *end++ = '\0';
            end += strcspn(end, parting);
        }
        next = end + (*end != '\0');
        *end = '\0';
        if (n == WORDS)
            return WORDS + 1;
        word[n++] = trim(line);
    }
    return n;
}

/* A number with a decimal point or, where commas do not part words, comma. Returns what is needed; *mark: the one it
 * has, 0 without. */
static const char *parse(char separator, const char *text, double *number, char *mark)
{
    char point[64];
    const char *comma = strchr(text, ',');
    *mark = comma != NULL && separator != ',' ? ',' : strchr(text, '.') != NULL ? '.' : '\0';
    if (*mark != ',')
        return sw_parse_real(text, number);
    if (strchr(text, '.') != NULL || strchr(comma + 1, ',') != NULL || strlen(text) >= sizeof point ||
        comma == text || !isdigit((unsigned char)comma[-1]) || !isdigit((unsigned char)comma[1]))
        return "a number with one decimal mark and nothing between thousands";
    snprintf(point, sizeof point, "%s", text);
    point[comma - text] = '.';
    return sw_parse_real(point, number);
}

static int is_number(char separator, const char *text)
{
    double number;
    char mark;
    return parse(separator, text, &number, &mark) == NULL;
}

static int is_row(char separator, int n, char *const *word)
{
    for (int i = 0; i < n; i++)
        if (is_number(separator, word[i]))
            return 1;
    return 0;
}

/* ---- The separator ---- */

static const char *line_after(const char *line)
{
    const char *end = strchr(line, '\n');
    return end != NULL ? end + 1 : NULL;
}

/* Of a text with commas: whether blanks part its numbers, and commas are decimal marks in them: "0,05 81,5". All lines
 * that begin as a number are such rows, one at least, and no other has a comma. */
static int commas_are_decimal(const char *text)
{
    int rows = 0;
    for (const char *line = text; line != NULL; line = line_after(line)) {
        char copy[1024], *word[WORDS];
        const size_t length = strcspn(line, "\n");
        snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1), line);
        char *row = bare(copy);
        if (strchr("+-.0123456789", *row) == NULL || *row == '\0') {
            if (strchr(row, ',') != NULL)
                return 0;
            continue;
        }
        const int n = cut(' ', row, word);
        for (int i = 0; i < n && i < WORDS; i++)
            if (!is_number(' ', word[i]))
                return 0;
        if (n < 2 || n > WORDS)
            return 0;
        rows++;
    }
    return rows > 0;
}

/* Whether a character stands anywhere but in comments. */
static int has(const char *text, char c)
{
    for (const char *line = text; line != NULL; line = line_after(line)) {
        const size_t length = strcspn(line, "#\n"), blank = strspn(line, BLANKS);
        const char *end = line + length;
        while (end > line && strchr(BLANKS, end[-1]) != NULL)
            end--;
        if (line + blank < end && memchr(line + blank, c, (size_t)(end - line) - blank) != NULL)
            return 1;
    }
    return 0;
}

static char separator_of(const char *text)
{
    if (has(text, ';'))
        return ';';
    if (has(text, '\t'))
        return '\t';
    return has(text, ',') && !commas_are_decimal(text) ? ',' : ' ';
}

/* ---- Columns ---- */

static const char *const QUANTITIES[] = {"strain", "stress"};

static sw_status find_column(reader *r, int k, int n, char *const *word)
{
    int64_t number = k + 1;
    const char *wanted = r->column[k];
    const int by_number = wanted == NULL || sw_parse_whole(wanted, &number) == NULL;
    r->at[k] = by_number  ? (int)number - 1
               : r->named ? sw_find_word(wanted, n, (const char *const *)word)
                          : -1;
    if (by_number && (number < 1 || number > n))
        return sw_error(SW_ERR_INPUT, "%s:%d: %d columns: need a column %lld, of %s", r->path, r->line, n,
                        (long long)number, QUANTITIES[k]);
    if (r->at[k] >= 0)
        return SW_OK;
    return sw_error(SW_ERR_INPUT,
                    "%s:%d: no column '%.80s': need it in the first line, or a number from 1 on", r->path,
                    r->line, wanted);
}

static void set_unit(reader *r, int k, const char *said, const sw_curve_unit *unit)
{
    r->said[k] = said;
    r->said_in[k] = r->line;
    r->curve->names.unit[k] = unit;
}

/* A force is no stress, and a stress no strain. */
static sw_status check_units(const reader *r)
{
    for (int k = 0; k < 2; k++) {
        const sw_curve_unit *unit = r->curve->names.unit[k];
        if (unit != NULL && unit->kind != (k == 0 ? SW_CURVE_STRAIN : SW_CURVE_STRESS))
            return sw_error(SW_ERR_INPUT, "%s:%d: column %d, '%.80s', is in %s: need a %s", r->path,
                            r->said_in[k], r->at[k] + 1, r->said[k], unit->text, QUANTITIES[k]);
    }
    return SW_OK;
}

static void take_names(reader *r, char *const *word)
{
    for (int k = 0; k < 2; k++) {
        set_unit(r, k, word[r->at[k]], sw_curve_unit_of_name(word[r->at[k]]));
        r->curve->names.engineering[k] = sw_curve_measure_of_name(word[r->at[k]]);
    }
}

/* A second line without a number has units, and nothing else. */
static sw_status take_units(reader *r, int n, char *const *word)
{
    for (int i = 0; i < n; i++)
        if (*word[i] != '\0' && sw_curve_find_unit(word[i]) == NULL)
            return sw_error(SW_ERR_INPUT,
                            "%s:%d: '%.40s': need a row of numbers, or of units, after the names", r->path,
                            r->line, word[i]);
    r->named = 2;
    for (int k = 0; k < 2; k++)
        if (r->at[k] < n && *word[r->at[k]] != '\0')
            set_unit(r, k, word[r->at[k]], sw_curve_find_unit(word[r->at[k]]));
    return SW_OK;
}

/* ---- Rows ---- */

static sw_status add_point(reader *r, double strain, double stress)
{
    sw_curve *c = r->curve;
    if (c->n == r->room) {
        r->room = 2 * r->room + 64;
        SW_TRY(SW_GROW(c->strain, r->room, r->path));
        SW_TRY(SW_GROW(c->stress, r->room, r->path));
        SW_TRY(SW_GROW(c->line, r->room, r->path));
    }
    c->strain[c->n] = strain;
    c->stress[c->n] = stress;
    c->line[c->n++] = r->line;
    return SW_OK;
}

/* Rows have the columns of the names, or fewer; without names as many as the first one. Commas that are both separators
 * and decimal marks show in their number. */
static sw_status check_width(const reader *r, int n)
{
    const char *hint =
        r->separator == ',' ? ": decimal commas? need points, or semicolons between columns" : "";
    if (n <= r->width && (r->named || n == r->width))
        return SW_OK;
    return sw_error(SW_ERR_INPUT, "%s:%d: %d columns, %s has %d%s", r->path, r->line, n,
                    r->named ? "the line of names" : "the first row", r->width, hint);
}

static sw_status take_number(reader *r, int k, const char *text, double *number)
{
    char mark;
    const char *need = parse(r->separator, text, number, &mark);
    if (need != NULL)
        return sw_error(SW_ERR_INPUT, "%s:%d: column %d = '%.40s': need %s, of %s", r->path, r->line,
                        r->at[k] + 1, text, need, QUANTITIES[k]);
    if (mark != 0 && r->mark != 0 && mark != r->mark)
        return sw_error(SW_ERR_INPUT,
                        "%s:%d: column %d = '%.40s': decimal points and commas: need one of them", r->path,
                        r->line, r->at[k] + 1, text);
    r->mark = mark != 0 ? mark : r->mark;
    return SW_OK;
}

static sw_status take_row(reader *r, int n, char *const *word)
{
    double number[2];
    if (r->curve->n == 0)
        SW_TRY(check_units(r));
    SW_TRY(check_width(r, n));
    for (int k = 0; k < 2; k++)
        SW_TRY(take_number(r, k, r->at[k] < n ? word[r->at[k]] : "", &number[k]));
    return add_point(r, number[0], number[1]);
}

static sw_status take_line(reader *r, char *line)
{
    char *word[WORDS];
    const int n = cut(r->separator, bare(line), word);
    if (n == 0)
        return SW_OK;
    if (n > WORDS)
        return sw_error(SW_ERR_INPUT, "%s:%d: more than %d columns", r->path, r->line, WORDS);
    const int row = is_row(r->separator, n, word);
    if (r->at[0] >= 0)
        return r->named == 1 && r->curve->n == 0 && !row ? take_units(r, n, word) : take_row(r, n, word);
    r->named = !row;
    for (int k = 0; k < 2; k++)
        SW_TRY(find_column(r, k, n, word));
    r->width = n;
    r->first = r->line;
    if (row)
        return take_row(r, n, word);
    take_names(r, word);
    return SW_OK;
}

static sw_status take_all(reader *r, char *text)
{
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        r->line++;
        SW_TRY(take_line(r, line));
    }
    if (r->curve->n == 0)
        return sw_error(SW_ERR_INPUT, "%s: no rows: need strains and stresses", r->path);
    return SW_OK;
}

/* Without names "0,05,81,5" has as many columns in every row as four whole numbers: nothing tells which it is. */
static sw_status check_pairs(const reader *r, int points)
{
    if (r->separator != ',' || r->named || points || r->width < 4 || r->width % 2 != 0 ||
        r->column[0] != NULL)
        return SW_OK;
    return sw_error(
        SW_ERR_INPUT,
        "%s:%d: %d columns of whole numbers: decimal commas? need points, or semicolons between columns",
        r->path, r->first, r->width);
}

static sw_status read_into(reader *r, char *text)
{
    const int points = has(text, '.');
    r->separator = separator_of(text);
    SW_TRY(take_all(r, text));
    return check_pairs(r, points);
}

sw_status sw_curve_read(const char *path, const char *const column[2], sw_curve *curve)
{
    reader r = {.path = path, .column = column, .at = {-1, -1}, .curve = curve};
    char *text;
    *curve = (sw_curve){.names.engineering = {-1, -1}};
    SW_TRY(sw_read_text(path, &text));
    const sw_status status = read_into(&r, text);
    free(text);
    if (status != SW_OK)
        sw_curve_free(curve);
    return status;
}

void sw_curve_free(sw_curve *curve)
{
    free(curve->strain);
    free(curve->stress);
    free(curve->line);
    *curve = (sw_curve){.n = 0};
}
