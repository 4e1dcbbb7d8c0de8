/* Rows of three Bunge angles in degrees and a weight: .ori, and VPSC's texture files. */
#include <math.h>
#include <string.h>

#include "common/files/text.h"
#include "crystal_reader.h"

/* ---- What rows may be instead ---- */

/* Seen when all of them are. */
typedef struct {
    int64_t rows;
    int64_t unit[2];  /* with four numbers of length 1: the first ones, those after the first */
    int64_t first[2]; /* number in the first row, in plain digits, and rows that it counts so from there on */
    int64_t last[2];  /* likewise of the last numbers */
    double least, most; /* of these */
} watch;

/* Numbers of a quaternion, of three decimals or more; a cube crystal of weight 1 is none. */
static int is_quaternion(const double v[4])
{
    const double norm = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
    return fabs(norm - 1) <= 2e-3 && (v[0] != 0 || v[1] != 0 || v[2] != 0);
}

static void count_on(int64_t counted[2], int64_t rows, double value)
{
    if (rows == 0)
        counted[0] = (int64_t)value;
    counted[1] += value == (double)(counted[0] + rows);
}

static int begins_whole(const char *line)
{
    char word[SW_CRYSTAL_WORD];
    int64_t whole;
    return sw_crystal_next_word(&line, word) && sw_parse_whole(word, &whole) == NULL;
}

static void see_row(watch *w, int is_whole, const double *value, int count)
{
    for (int k = 0; k < 2 && k + 4 <= count; k++)
        w->unit[k] += is_quaternion(value + k);
    if (is_whole)
        count_on(w->first, w->rows, value[0]);
    count_on(w->last, w->rows, value[count - 1]);
    w->least = w->rows == 0 ? value[count - 1] : fmin(w->least, value[count - 1]);
    w->most = w->rows == 0 ? value[count - 1] : fmax(w->most, value[count - 1]);
    w->rows++;
}

#define QUATERNIONS "four numbers of length 1, quaternions: need angles phi1 Phi phi2, in degrees"

/* At the end, of rows of so many numbers. A fibre may be written by whole degrees, too, of equal weights. */
static sw_status check_seen(const sw_crystal_reader *r, const watch *w, int count)
{
    if (count < 4 || w->rows == 0)
        return SW_OK;
    if (w->unit[0] == w->rows || w->unit[1] == w->rows)
        return sw_error(SW_ERR_INPUT, "%s: rows have " QUATERNIONS, r->path);
    const int is_fibre = count == 4 && w->least == w->most && w->most <= 1;
    if (w->first[1] == w->rows && w->rows >= (w->first[0] <= 1 ? 2 : 3) && !is_fibre)
        return sw_error(
            SW_ERR_INPUT,
            "%s: the first numbers count the rows, %lld, %lld, ...: need phi1 Phi phi2 first, or phi1 with "
            "a decimal point if it is that",
            r->path, (long long)w->first[0], (long long)w->first[0] + 1);
    if (w->last[1] == w->rows && w->rows >= 3)
        sw_warn("%s: the last numbers count the rows, %lld, %lld, ...: they are taken as weights", r->path,
                (long long)w->last[0], (long long)w->last[0] + 1);
    return SW_OK;
}

/* is_whole: the first number is in plain digits. */
static sw_status add(sw_crystal_reader *r, watch *w, int is_whole, const double *value, int count)
{
    const double weight = count > 3 ? value[count - 1] : 1;
    if (!sw_crystal_is_weight(weight) && count >= 4 && is_quaternion(value + count - 4))
        return sw_crystal_bad_line(r, QUATERNIONS);
    see_row(w, is_whole, value, count);
    return sw_crystal_add(r, value, weight);
}

/* ---- .ori ---- */

/* Three to five numbers, as many as in the first row. */
static sw_status add_ori_row(sw_crystal_reader *r, watch *w, int *numbers)
{
    double value[6];
    const int count = sw_crystal_parse_row(r->line, 6, value);
    if (count < 3 || count > 5)
        return sw_crystal_bad_line(
            r, "need three numbers, phi1 Phi phi2, or four or five, of which the last is a weight");
    if (*numbers == 0)
        *numbers = count;
    if (count != *numbers)
        return sw_crystal_bad_line(
            r, "need as many numbers as in the first row, and so a weight in all rows or in none");
    return add(r, w, begins_whole(r->line), value, count);
}

sw_status sw_crystal_read_ori(sw_crystal_reader *r)
{
    watch w = {0};
    int more, numbers = 0;
    for (;;) {
        SW_TRY(sw_crystal_next_row(r, &more));
        if (!more)
            return check_seen(r, &w, numbers);
        SW_TRY(add_ori_row(r, &w, &numbers));
    }
}

/* ---- VPSC ---- */

/* VPSC reads three lines, then a letter and N, then N times four numbers, and of each line no more than it needs: what
 * comes behind is a remark, and so are rows after the N-th, unless a line with a letter and N begins another block, as
 * in the textures that it writes after each process (VPSC8, DATA_GRAIN). */
typedef struct {
    int64_t number, announced, surplus;
    char letter;
    char title[80], next[80]; /* its first line; that of another one to come */
    watch rows;
} block;

/* The letters, and what they make of angles [3], in Bunge's: a sign and a turn each, degrees. */
static const struct {
    char letter;
    double sign[3], turn[3];
} conventions[] = {{'B', {1, 1, 1}, {0, 0, 0}},
                   {'K', {1, -1, -1}, {-90, 0, -90}}, /* Kocks */
                   {'R', {1, 1, 1}, {90, 0, -90}}};   /* Roe */
enum { CONVENTIONS = sizeof conventions / sizeof *conventions };

static int find_convention(char letter)
{
    for (int i = 0; i < CONVENTIONS; i++)
        if (letter == conventions[i].letter || letter == conventions[i].letter + 'a' - 'A')
            return i;
    return -1;
}

int sw_crystal_begins_vpsc(const char *line)
{
    char letter;
    long long count;
    return sscanf(line, " %c%*[ \t,]%lld", &letter, &count) == 2 && find_convention(letter) >= 0;
}

/* At a line "B N": whatever came before is another block's. */
static sw_status begin_block(sw_crystal_reader *r, block *b)
{
    char letter;
    long long count;
    if (sscanf(r->line, " %c%*[ \t,]%lld", &letter, &count) != 2 || count < 1)
        return sw_crystal_bad_line(r, "need \"B N\", N > 0 crystals, in the fourth line");
    if (find_convention(letter) < 0)
        return sw_crystal_bad_line(r, "need angles by Bunge, Kocks or Roe, \"B N\", \"K N\" or \"R N\"");
    b->number++;
    b->announced = count;
    b->letter = letter;
    b->surplus = 0;
    b->rows = (watch){0};
    memcpy(b->title, b->next, sizeof b->title);
    b->next[0] = '\0';
    r->count = r->skipped = r->weightless = 0;
    r->largest = 0;
    return SW_OK;
}

static sw_status add_vpsc_row(sw_crystal_reader *r, block *b)
{
    const int k = find_convention(b->letter);
    const int is_whole = begins_whole(r->line);
    double value[4];
    SW_TRY(sw_crystal_read_listed(r, 4, value));
    for (int i = 0; i < 3; i++)
        value[i] = conventions[k].sign[i] * value[i] + conventions[k].turn[i];
    return add(r, &b->rows, is_whole, value, 4);
}

static void keep_title(const sw_crystal_reader *r, block *b)
{
    if (b->next[0] == '\0')
        snprintf(b->next, sizeof b->next, "%.*s", (int)sizeof b->next - 1, r->line);
}

/* Its N rows, and what comes behind up to the next line "B N"; *more: whether there is one. */
static sw_status read_block(sw_crystal_reader *r, block *b, int *more)
{
    double value[4];
    SW_TRY(begin_block(r, b));
    for (;;) {
        SW_TRY(sw_crystal_next_row(r, more));
        const int is_full = b->rows.rows == b->announced;
        if (!*more && !is_full)
            return sw_error(SW_ERR_INPUT, "%s:%lld: %lld crystals: the line \"%c N\" announces %lld", r->path,
                            (long long)r->line_number, (long long)b->rows.rows, b->letter,
                            (long long)b->announced);
        if (!*more || (is_full && sw_crystal_begins_vpsc(r->line)))
            return SW_OK;
        if (!is_full)
            SW_TRY(add_vpsc_row(r, b));
        else if (sw_crystal_parse_row(r->line, 4, value) == 4)
            b->surplus++;
        else
            keep_title(r, b);
    }
}

/* What was made of the block that is taken, of the last one or of that which is asked for. */
static sw_status finish(sw_crystal_reader *r, const block *b, int64_t wanted)
{
    SW_TRY(check_seen(r, &b->rows, 4));
    if (wanted > b->number)
        return sw_error(SW_ERR_INPUT, "%s: step = %lld: need one of its %lld blocks, from 1 on, or last",
                        r->path, (long long)wanted, (long long)b->number);
    if (b->surplus > 0)
        sw_warn("%s: %lld rows behind the %lld that \"%c %lld\" announces are left out, as by VPSC", r->path,
                (long long)b->surplus, (long long)b->announced, b->letter, (long long)b->announced);
    if (b->number > 1 || wanted > 0)
        snprintf(r->about, sizeof r->about, "block %lld, %s: %s", (long long)b->number,
                 wanted > 0 ? "as asked for" : "the last", b->title);
    return SW_OK;
}

/* Number of the block that is asked for, from 1 on; 0: the last. */
static sw_status find_wanted(const sw_crystal_reader *r, int64_t *wanted)
{
    const char *step = r->filter->step;
    *wanted = 0;
    if (step == NULL || strcmp(step, "last") == 0)
        return SW_OK;
    return sw_parse_whole(step, wanted) == NULL && *wanted > 0
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "%s: step = %.80s: need the number of a block, from 1 on, or last",
                          r->path, step);
}

sw_status sw_crystal_read_vpsc(sw_crystal_reader *r)
{
    block b = {0};
    int64_t wanted;
    int more = 1;
    SW_TRY(find_wanted(r, &wanted));
    for (int i = 0; i < 4 && more; i++) {
        SW_TRY(sw_crystal_next_line(r, &more));
        if (i == 0 && more)
            keep_title(r, &b);
    }
    if (!more)
        return sw_error(SW_ERR_INPUT, "%s: ends before \"B N\" in its fourth line", r->path);
    while (more && (wanted == 0 || b.number < wanted))
        SW_TRY(read_block(r, &b, &more));
    return finish(r, &b, wanted);
}
