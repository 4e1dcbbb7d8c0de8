#include "curve_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

enum { WORDS = 64 }; /* of a row, at most */

typedef struct {
    const char *path;
    int line;
    const char *const *column; /* [2] */
    int at[2];                 /* which words of a row; < 0: not known yet */
    int room;
    sw_curve *curve;
} reader;

/* ---- Words ---- */

/* Commas and semicolons stand between words that may be empty; where a line has none, blanks do. Words lose the blanks
 * about them. Returns how many there are; WORDS + 1: too many. */
static int cut(char *line, char *word[WORDS])
{
    const char *const blanks = " \t\r";
    const char *const parting = strpbrk(line, ",;") != NULL ? ",;" : blanks;
    int n = 0;
    line += strspn(line, blanks);
    while (*line != '\0' && n < WORDS) {
        const size_t length = strcspn(line, parting);
        char *next = line + length + (line[length] != '\0'), *end = line + length;
        while (end > line && strchr(blanks, end[-1]) != NULL)
            end--;
        *end = '\0';
        word[n++] = line;
        line = next + strspn(next, blanks);
    }
    return *line == '\0' ? n : WORDS + 1;
}

static int is_row(int n, char *const *word)
{
    double number;
    for (int i = 0; i < n; i++)
        if (sw_parse_real(word[i], &number) == NULL)
            return 1;
    return 0;
}

/* ---- Columns ---- */

static sw_status find_column(reader *r, int k, int n, char *const *word, int named)
{
    int64_t number = k + 1;
    const char *wanted = r->column[k];
    const int by_number = wanted == NULL || sw_parse_whole(wanted, &number) == NULL;
    r->at[k] = by_number ? (int)number - 1 : named ? sw_find_word(wanted, n, (const char *const *)word) : -1;
    if (by_number && (number < 1 || number > n))
        return sw_error(SW_ERR_INPUT, "%s:%d: %d columns: need a column %lld, of %s", r->path, r->line, n,
                        (long long)number, k == 0 ? "strain" : "stress");
    if (r->at[k] >= 0)
        return SW_OK;
    return sw_error(SW_ERR_INPUT,
                    "%s:%d: no column '%.80s': need it in the first line, or a number from 1 on", r->path,
                    r->line, wanted);
}

static sw_status find_columns(reader *r, int n, char *const *word, int named)
{
    SW_TRY(find_column(r, 0, n, word, named));
    return find_column(r, 1, n, word, named);
}

/* ---- Rows ---- */

static sw_status add_point(reader *r, double strain, double stress)
{
    sw_curve *c = r->curve;
    if (c->n == r->room) {
        r->room = 2 * r->room + 64;
        SW_TRY(SW_GROW(c->strain, r->room, r->path));
        SW_TRY(SW_GROW(c->stress, r->room, r->path));
    }
    c->strain[c->n] = strain;
    c->stress[c->n++] = stress;
    return SW_OK;
}

static sw_status take_row(reader *r, int n, char *const *word)
{
    double number[2];
    for (int k = 0; k < 2; k++) {
        const char *text = r->at[k] < n ? word[r->at[k]] : "";
        const char *need = sw_parse_real(text, &number[k]);
        if (need != NULL)
            return sw_error(SW_ERR_INPUT, "%s:%d: column %d = '%.40s': need %s, of %s", r->path, r->line,
                            r->at[k] + 1, text, need, k == 0 ? "strain" : "stress");
    }
    return add_point(r, number[0], number[1]);
}

static sw_status take_line(reader *r, char *line)
{
    char *word[WORDS];
    line[strcspn(line, "#")] = '\0';
    if (strchr(line, ',') != NULL && strchr(line, ';') != NULL)
        return sw_error(SW_ERR_INPUT,
                        "%s:%d: both ',' and ';': decimal commas?: need points, and one separator", r->path,
                        r->line);
    const int n = cut(line, word);
    if (n == 0)
        return SW_OK;
    if (n > WORDS)
        return sw_error(SW_ERR_INPUT, "%s:%d: more than %d columns", r->path, r->line, WORDS);
    if (r->at[0] >= 0)
        return take_row(r, n, word);
    const int row = is_row(n, word);
    SW_TRY(find_columns(r, n, word, !row));
    return row ? take_row(r, n, word) : SW_OK;
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
    return r->curve->n > 0 ? SW_OK
                           : sw_error(SW_ERR_INPUT, "%s: no rows: need strains and stresses", r->path);
}

sw_status sw_curve_read(const char *path, const char *const column[2], sw_curve *curve)
{
    reader r = {.path = path, .column = column, .at = {-1, -1}, .curve = curve};
    char *text;
    *curve = (sw_curve){.n = 0};
    SW_TRY(sw_read_text(path, &text));
    const sw_status status = take_all(&r, text);
    free(text);
    if (status != SW_OK)
        sw_curve_free(curve);
    return status;
}

void sw_curve_free(sw_curve *curve)
{
    free(curve->strain);
    free(curve->stress);
    *curve = (sw_curve){.n = 0};
}
