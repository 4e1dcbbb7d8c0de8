#include "crystal_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/math/rotation.h"

#define DEGREE (SW_PI / 180)
#define BLANKS " \t\r\n\v\f"

/* ---- The file being read: one line at a time, and the crystals found so far ---- */

typedef struct {
    const char *path;
    FILE *file;
    char *line; /* getline's; without trailing blanks */
    size_t line_capacity;
    int64_t line_number;
    double (*euler)[3]; /* [capacity][3], rad */
    int64_t count, capacity, skipped;
    double weight; /* that every crystal so far carries; NaN: no column of weights */
} reader;

static sw_status bad_line(const reader *r, const char *complaint)
{
    return sw_error(SW_ERR_INPUT, "%s:%lld: %s: \"%.60s\"", r->path, (long long)r->line_number, complaint,
                    r->line);
}

/* The next line into r->line; *more is 0 at the end of the file. */
static sw_status next_line(reader *r, int *more)
{
    errno = 0;
    ssize_t length = getline(&r->line, &r->line_capacity, r->file);
    *more = length >= 0;
    if (length < 0)
        return feof(r->file) ? SW_OK
                             : sw_error(SW_ERR_IO, "%s: cannot be read: %s", r->path, strerror(errno));
    r->line_number++;
    if (strlen(r->line) != (size_t)length)
        return bad_line(r, "a NUL byte: not a text file");
    while (length > 0 && strchr(BLANKS, r->line[length - 1]) != NULL)
        r->line[--length] = '\0';
    return SW_OK;
}

/* The next line that says something: not blank, nor a '#' comment. */
static sw_status next_row(reader *r, int *more)
{
    do
        SW_TRY(next_line(r, more));
    while (*more && strchr("#", r->line[strspn(r->line, BLANKS)]) != NULL);
    return SW_OK;
}

enum { WORD = 64 };

/* Copy the next word of a line and step over it; 0 when none is left before the end or a '#'. A word too
 * long for a number or a column's name comes back as "?". */
static int next_word(const char **at, char word[WORD])
{
    *at += strspn(*at, BLANKS);
    const size_t length = strcspn(*at, BLANKS "#");
    if (length < WORD)
        snprintf(word, WORD, "%.*s", (int)length, *at);
    else
        snprintf(word, WORD, "?");
    *at += length;
    return length > 0;
}

/* A finite decimal number; strtod alone would take "nan", "0x1p3" and "12abc". */
static int parse_number(const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return word[strspn(word, "+-.0123456789eE")] == '\0' && end != word && *end == '\0' && isfinite(*value);
}

/* How many numbers a row starts with, up to `most`, which are stored; -1 when a word is not a number. */
static int parse_row(const char *line, int most, double *value)
{
    char word[WORD];
    for (int count = 0; count < most; count++) {
        if (!next_word(&line, word))
            return count;
        if (!parse_number(word, &value[count]))
            return -1;
    }
    return most;
}

/* Append one crystal; `unit` is the angles' unit in rad. */
static sw_status add_crystal(reader *r, const double angle[3], double unit)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(angle[i] * unit) <= 64))
            return bad_line(r, "need angles of at most ten turns");
    if (r->count == r->capacity) {
        int64_t capacity = r->capacity < 1024 ? 1024 : r->capacity + r->capacity / 2;
        void *larger = realloc(r->euler, (size_t)capacity * sizeof *r->euler);
        if (larger == NULL)
            return sw_error(SW_ERR_MEMORY, "%s: no memory for %lld crystals", r->path, (long long)capacity);
        r->euler = larger;
        r->capacity = capacity;
    }
    for (int i = 0; i < 3; i++)
        r->euler[r->count][i] = angle[i] * unit;
    r->count++;
    return SW_OK;
}

/* A row "phi1 Phi phi2 [weight]" in degrees. */
static sw_status add_weighted(reader *r, int weight_needed)
{
    double value[5];
    const int count = parse_row(r->line, 5, value);
    if (count != 4 && (count != 3 || weight_needed))
        return bad_line(r, weight_needed ? "need four numbers, phi1 Phi phi2 weight"
                                         : "need three numbers, phi1 Phi phi2, or four with a weight");
    const double weight = count == 4 ? value[3] : NAN;
    if (weight <= 0)
        return bad_line(r, "need a weight > 0");
    if (r->count == 0)
        r->weight = weight;
    if (weight != r->weight && !(isnan(weight) && isnan(r->weight)))
        return bad_line(r, "the weight differs from the first crystal's: need equal weights");
    return add_crystal(r, value, DEGREE);
}

/* ---- The formats ---- */

static sw_status read_ori(reader *r)
{
    int more;
    for (;;) {
        SW_TRY(next_row(r, &more));
        if (!more)
            return SW_OK;
        SW_TRY(add_weighted(r, 0));
    }
}

/* The fourth line of a .tex file: "B N". */
static sw_status parse_tex_count(const reader *r, int64_t *announced)
{
    char convention, rest;
    long long count;
    if (sscanf(r->line, " %c %lld %c", &convention, &count, &rest) != 2 || count < 1)
        return bad_line(r, "need \"B N\", N > 0 crystals, in the fourth line");
    if (convention != 'B' && convention != 'b')
        return bad_line(r, "need Bunge angles, \"B N\"");
    *announced = count;
    return SW_OK;
}

static sw_status read_tex(reader *r)
{
    int64_t announced = 0;
    int more = 1;
    for (int i = 0; i < 4 && more; i++)
        SW_TRY(next_line(r, &more));
    if (!more)
        return sw_error(SW_ERR_INPUT, "%s: ends before \"B N\" in its fourth line", r->path);
    SW_TRY(parse_tex_count(r, &announced));
    for (;;) {
        SW_TRY(next_row(r, &more));
        if (!more)
            break;
        if (r->count == announced)
            return bad_line(r, "more crystals than the fourth line announces");
        SW_TRY(add_weighted(r, 1));
    }
    if (r->count != announced)
        return sw_error(SW_ERR_INPUT, "%s:%lld: %lld crystals: the fourth line announces %lld", r->path,
                        (long long)r->line_number, (long long)r->count, (long long)announced);
    return SW_OK;
}

static sw_status read_ang(reader *r)
{
    enum { CONFIDENCE = 6, NEEDED };
    int more;
    for (;;) {
        SW_TRY(next_row(r, &more));
        if (!more)
            return SW_OK;
        double value[NEEDED];
        if (parse_row(r->line, NEEDED, value) != NEEDED)
            return bad_line(r, "need seven numbers or more, phi1 Phi phi2 x y IQ CI");
        if (value[CONFIDENCE] < 0)
            r->skipped++;
        else
            SW_TRY(add_crystal(r, value, 1));
    }
}

static const char *const ctf_name[] = {"Euler1", "Euler2", "Euler3", "Phase"};
enum { CTF_PHASE = 3, CTF_NAMES };

/* Find the columns in r->line, the line of their names. */
static sw_status find_ctf_columns(const reader *r, int column[CTF_NAMES])
{
    for (int i = 0; i < CTF_NAMES; i++)
        column[i] = -1;
    char word[WORD];
    const char *at = r->line;
    for (int k = 0; next_word(&at, word); k++)
        for (int i = 0; i < CTF_NAMES; i++)
            if (strcmp(word, ctf_name[i]) == 0)
                column[i] = k;
    for (int i = 0; i < CTF_NAMES; i++)
        if (column[i] < 0)
            return sw_error(SW_ERR_INPUT, "%s:%lld: the line of column names lacks %s", r->path,
                            (long long)r->line_number, ctf_name[i]);
    return SW_OK;
}

/* Pick the wanted columns from a row; 0 when one is missing or not a number. Some exports write decimal
 * commas. */
static int pick_ctf_columns(const char *line, const int column[CTF_NAMES], double value[CTF_NAMES])
{
    char word[WORD];
    int found = 0;
    for (int k = 0; next_word(&line, word); k++)
        for (int i = 0; i < CTF_NAMES; i++) {
            if (column[i] != k)
                continue;
            char *comma = strchr(word, ',');
            if (comma != NULL)
                *comma = '.';
            if (!parse_number(word, &value[i]))
                return 0;
            found++;
        }
    return found == CTF_NAMES;
}

/* Whether a line's first word is `word`: a .ctf header holds a line "Phases 1" too. */
static int starts_with_word(const char *line, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && strchr(BLANKS, line[length]) != NULL;
}

static sw_status read_ctf(reader *r)
{
    int more, column[CTF_NAMES];
    do {
        SW_TRY(next_line(r, &more));
        if (!more)
            return sw_error(SW_ERR_INPUT, "%s: no line of column names that starts with \"Phase\"", r->path);
    } while (!starts_with_word(r->line, ctf_name[CTF_PHASE]));
    SW_TRY(find_ctf_columns(r, column));
    for (;;) {
        SW_TRY(next_row(r, &more));
        if (!more)
            return SW_OK;
        double value[CTF_NAMES];
        if (!pick_ctf_columns(r->line, column, value))
            return bad_line(r, "need numbers in the columns Phase, Euler1, Euler2, Euler3");
        if (value[CTF_PHASE] < 0 || value[CTF_PHASE] != floor(value[CTF_PHASE]))
            return bad_line(r, "need a phase 0, 1, 2 ...");
        if (value[CTF_PHASE] == 0)
            r->skipped++;
        else
            SW_TRY(add_crystal(r, value, DEGREE));
    }
}

static void write_ori_header(FILE *file, int64_t n_crystals)
{
    fprintf(file, "# %lld crystals: Bunge-Euler angles phi1 Phi phi2 in degrees\n", (long long)n_crystals);
    fputs("# g = Z(phi1) X(Phi) Z(phi2) is the active rotation crystal -> sample: v_sample = g v_crystal\n",
          file);
}

static void write_tex_header(FILE *file, int64_t n_crystals)
{
    fputs("Slipwave crystal orientations\n", file);
    fputs("phi1 Phi phi2 weight: Bunge-Euler angles in degrees, equal weights\n", file);
    fprintf(file, "-\nB %lld\n", (long long)n_crystals);
}

static const struct format {
    const char *suffix;
    sw_status (*read)(reader *r);
    void (*write_header)(FILE *file, int64_t n_crystals); /* NULL: this format is not written */
    const char *row_end;
} formats[] = {
    {".ori", read_ori, write_ori_header, "\n"},
    {".tex", read_tex, write_tex_header, " 1.000000\n"},
    {".ang", read_ang, NULL, NULL},
    {".ctf", read_ctf, NULL, NULL},
};

static const struct format *find_format(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(suffix, formats[i].suffix) == 0)
            return &formats[i];
    return NULL;
}

/* ---- The interface ---- */

sw_status sw_crystal_file_read(const char *path, int64_t *n_crystals, double (**euler)[3], int64_t *skipped)
{
    *n_crystals = 0;
    *euler = NULL;
    const struct format *format = find_format(path);
    if (format == NULL)
        return sw_error(SW_ERR_INPUT, "%s: unknown suffix: need .ori, .tex, .ang or .ctf", path);
    reader r = {.path = path, .file = fopen(path, "r")};
    if (r.file == NULL)
        return sw_error(SW_ERR_IO, "%s: %s", path, strerror(errno));
    sw_status status = format->read(&r);
    if (status == SW_OK && r.count == 0)
        status = sw_error(SW_ERR_INPUT, "%s: no crystal in it (%lld rows were not indexed)", path,
                          (long long)r.skipped);
    free(r.line);
    fclose(r.file);
    if (status != SW_OK) {
        free(r.euler);
        return status;
    }
    *n_crystals = r.count;
    *euler = r.euler;
    if (skipped != NULL)
        *skipped = r.skipped;
    return SW_OK;
}

/* Write everything to an open file and close it; whether all of it arrived. */
static int write_all(FILE *file, const struct format *format, int64_t n_crystals, const double (*euler)[3])
{
    format->write_header(file, n_crystals);
    for (int64_t n = 0; n < n_crystals && !ferror(file); n++)
        fprintf(file, "%.6f %.6f %.6f%s", euler[n][0] / DEGREE, euler[n][1] / DEGREE, euler[n][2] / DEGREE,
                format->row_end);
    const int failed = ferror(file);
    return fclose(file) == 0 && !failed;
}

static sw_status check_crystals(const char *path, int64_t n_crystals, const double (*euler)[3])
{
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "%s: %lld crystals to write: need 1 or more", path,
                        (long long)n_crystals);
    for (int64_t n = 0; n < n_crystals; n++)
        for (int i = 0; i < 3; i++)
            if (!isfinite(euler[n][i]))
                return sw_error(SW_ERR_RANGE, "%s: angle %d of crystal %lld is %g: need a finite one", path,
                                i + 1, (long long)n, euler[n][i]);
    return SW_OK;
}

sw_status sw_crystal_file_write(const char *path, int64_t n_crystals, const double (*euler)[3])
{
    const struct format *format = find_format(path);
    if (format == NULL || format->write_header == NULL)
        return sw_error(SW_ERR_INPUT, "%s: need the suffix .ori or .tex to write crystals", path);
    SW_TRY(check_crystals(path, n_crystals, euler));
    char *temporary;
    if (asprintf(&temporary, "%s.tmp.%ld", path, (long)getpid()) < 0)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    sw_status status = SW_OK;
    errno = 0;
    FILE *file = fopen(temporary, "w");
    if (file == NULL)
        status = sw_error(SW_ERR_IO, "%s: cannot be created: %s", path, strerror(errno));
    else if (!write_all(file, format, n_crystals, euler) || rename(temporary, path) != 0) {
        status = sw_error(SW_ERR_IO, "%s: cannot be completed: %s", path, strerror(errno));
        remove(temporary);
    }
    free(temporary);
    return status;
}
