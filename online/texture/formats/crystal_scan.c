/* Crystal files that are scans (electron back-scatter diffraction): .ang and .ctf, whose rows have phases. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/text.h"
#include "common/math/rotation.h"
#include "crystal_reader.h"

/* ---- Rows ---- */

/* Whether a number can be a phase's. */
static int is_phase(double number) { return number >= 0 && number <= 1e9 && number == floor(number); }

/* A number; or nan, which some programs write where they have none. */
static int parse(const char *word, double *value)
{
    if (strcasecmp(word + (*word == '-' || *word == '+'), "nan") != 0)
        return sw_parse_real(word, value) == NULL;
    *value = NAN;
    return 1;
}

/* Angles that mean none: EDAX writes 4 pi three times, with a digit behind the point or more, other programs nan. */
static int are_lost(const sw_crystal_reader *r, const double angle[3])
{
    int lost = 1;
    for (int i = 0; i < 3; i++)
        lost &= fabs(angle[i] * r->unit - 4 * SW_PI) <= 0.05;
    return lost || isnan(angle[0]) || isnan(angle[1]) || isnan(angle[2]);
}

/* One that is indexed, sure or not. */
static sw_status add_row(sw_crystal_reader *r, double phase, const double angle[3], int is_sure)
{
    if (is_sure && !are_lost(r, angle))
        return sw_crystal_add_of_phase(r, (int64_t)phase, angle);
    r->skipped++;
    return SW_OK;
}

/* ---- Symmetries ---- */

/* What files call the crystals of a group: its point groups as EDAX and others write them (43: EDAX for m-3m and 432), HKL's
 * Laue groups, space groups; and their cell: how many of its sides are alike, a first, and the angle gamma. */
static const struct symmetry {
    const sw_point_group *group;
    const char *const names[8];
    long laue[2], space[2];
    int alike;
    double gamma;
} symmetries[] = {
    {&sw_point_group_432,
     {"43", "23", "m-3m", "m3m", "432", "-43m", "m-3", "m3"},
     {10, 11},
     {195, 230},
     3,
     90},
    {&sw_point_group_422, {"42", "4", "4/mmm", "422", "4mm", "-42m", "4/m", "-4"}, {4, 5}, {75, 142}, 2, 90},
    {&sw_point_group_622,
     {"62", "6", "6/mmm", "622", "6mm", "-6m2", "6/m", "-6"},
     {8, 9},
     {168, 194},
     2,
     120},
    {&sw_point_group_222, {"22", "mmm", "222", "mm2"}, {3, 3}, {16, 74}, 1, 90}};

enum { SYMMETRIES = sizeof symmetries / sizeof *symmetries };

static int is_candidate(const sw_crystal_reader *r, const struct symmetry *s)
{
    return r->group == NULL || r->group == s->group;
}

const sw_point_group *sw_crystal_group_called(const sw_crystal_reader *r, const char *name)
{
    for (const struct symmetry *s = symmetries; s < symmetries + SYMMETRIES; s++) {
        int is = strcasecmp(name, s->group->system) == 0;
        for (int i = 0; i < 8 && s->names[i] != NULL; i++)
            is |= strcasecmp(name, s->names[i]) == 0;
        if (is && is_candidate(r, s))
            return s->group;
    }
    return NULL;
}

/* Six lattice constants a b c alpha beta gamma in a text; 0: they are not there. */
static int parse_cell(const char *text, double v[6])
{
    return sscanf(text, "%lf%*[; \t]%lf%*[; \t]%lf%*[; \t]%lf%*[; \t]%lf%*[; \t]%lf", &v[0], &v[1], &v[2],
                  &v[3], &v[4], &v[5]) == 6;
}

/* Of a phase whose crystals' axes differ. */
static void set_axes(sw_crystal_phase *phase, const double v[6])
{
    phase->c_over_a = v[0] > 0 && v[2] > 0 && v[2] / v[0] < INFINITY ? v[2] / v[0] : 0;
}

/* 0 when they are there and not those of such a crystal. */
static int may_be_cell(const struct symmetry *s, const char *text)
{
    double v[6];
    if (!parse_cell(text, v))
        return 1;
    for (int i = 1; i < s->alike; i++)
        if (!(fabs(v[i] - v[0]) <= 1e-3 * v[0]))
            return 0;
    return fabs(v[3] - 90) <= 0.1 && fabs(v[4] - 90) <= 0.1 && fabs(v[5] - s->gamma) <= 0.1;
}

/* The first one that a phase may be of by its cell alone; NULL: none. */
static const sw_point_group *group_of_cell(const sw_crystal_reader *r, const char *cell)
{
    for (const struct symmetry *s = symmetries; s < symmetries + SYMMETRIES; s++)
        if (is_candidate(r, s) && may_be_cell(s, cell))
            return s->group;
    return NULL;
}

/* ---- .ang ---- */

/* What follows "# NAME" in the header, after blanks or a colon; NULL: another line. */
static const char *after_name(const sw_crystal_reader *r, const char *name)
{
    const char *at = r->line + strspn(r->line, " \t#");
    const size_t length = strlen(name);
    if (strncmp(at, name, length) != 0 || strchr(": \t", at[length]) == NULL)
        return NULL;
    return at + length + strspn(at + length, ": \t");
}

/* A line about a phase: its name, "Symmetry 43" or "m-3m", or lattice constants, for want of a symmetry. */
static void describe_ang_phase(const sw_crystal_reader *r, sw_crystal_phase *phase)
{
    const char *name = after_name(r, "MaterialName"), *symmetry = after_name(r, "Symmetry"),
               *cell = after_name(r, "LatticeConstants");
    if (name != NULL)
        snprintf(phase->name, sizeof phase->name, "%s", name);
    if (symmetry != NULL) {
        snprintf(phase->symmetry, sizeof phase->symmetry, "%.23s", symmetry);
        phase->group = sw_crystal_group_called(r, phase->symmetry);
        phase->is_other = phase->group == NULL;
    }
    double v[6];
    if (cell != NULL && parse_cell(cell, v))
        set_axes(phase, v);
    if (cell != NULL && *phase->symmetry == '\0') {
        phase->group = group_of_cell(r, cell);
        phase->is_other = phase->group == NULL;
        if (phase->is_other)
            snprintf(phase->symmetry, sizeof phase->symmetry, "%.23s", cell);
    }
}

/* Rows of a map of squares, or of hexagons, whose rows are longer by turns. */
static void count_ang_rows(sw_crystal_reader *r, int64_t size[3])
{
    static const char *const name[3] = {"NCOLS_ODD", "NCOLS_EVEN", "NROWS"};
    for (int i = 0; i < 3; i++) {
        const char *text = after_name(r, name[i]);
        if (text != NULL && sw_parse_whole(text, &size[i]) == NULL && (size[i] < 0 || size[i] > 1000000))
            size[i] = 0;
    }
    r->scan.announced = (size[2] + 1) / 2 * size[0] + size[2] / 2 * size[1];
}

/* A line of its header: "# Phase 2", then "# MaterialName Nickel", ... *phase: which it is about. */
static sw_status read_ang_header(sw_crystal_reader *r, sw_crystal_phase **phase)
{
    const char *number = after_name(r, "Phase");
    char *end;
    if (number != NULL) {
        const long long value = strtoll(number, &end, 10);
        if (end == number)
            return SW_OK; /* a word about phases */
        if (!is_phase((double)value))
            return sw_crystal_bad_line(r, "need a phase 0, 1, 2 ...");
        return sw_crystal_describe_phase(r, value, phase);
    }
    if (*phase != NULL)
        describe_ang_phase(r, *phase);
    return SW_OK;
}

static sw_status add_ang_row(sw_crystal_reader *r)
{
    static const char need[] = "need seven numbers or more, phi1 Phi phi2 x y IQ CI [phase]";
    enum { X = 3, Y, CONFIDENCE = 6, PHASE, MOST };
    double value[MOST] = {0};
    char word[SW_CRYSTAL_WORD];
    const char *at = r->line;
    int count = 0;
    for (; count < MOST && sw_crystal_next_word(&at, word); count++)
        if (!parse(word, &value[count]))
            return sw_crystal_bad_line(r, need);
    if (count < PHASE || !isfinite(value[X]) || !isfinite(value[Y]))
        return sw_crystal_bad_line(r, need);
    if (!is_phase(value[PHASE]))
        return sw_crystal_bad_line(r, "need a phase 0, 1, 2 ... in the eighth column");
    r->row_place[0] = value[X];
    r->row_place[1] = value[Y];
    SW_TRY(sw_scan_pass(r));
    const int64_t before = r->count;
    /* phase 0, which may be the only one's number, says nothing with no angles and no confidence */
    const int is_empty =
        value[PHASE] == 0 && value[CONFIDENCE] == 0 && value[0] == 0 && value[1] == 0 && value[2] == 0;
    SW_TRY(add_row(r, value[PHASE], value, !is_empty && value[CONFIDENCE] >= r->filter->confidence));
    if (r->count > before && value[CONFIDENCE] > 0)
        r->phase[r->row_phase].sure++;
    return SW_OK;
}

sw_status sw_crystal_read_ang(sw_crystal_reader *r)
{
    sw_crystal_phase *described = NULL;
    int64_t size[3] = {0, 0, 0};
    int more;
    for (;;) {
        SW_TRY(sw_crystal_next_line(r, &more));
        if (!more)
            break;
        if (!sw_crystal_is_remark(r)) {
            SW_TRY(add_ang_row(r));
            continue;
        }
        SW_TRY(read_ang_header(r, &described));
        count_ang_rows(r, size);
    }
    sw_scan_check_rows(r);
    return sw_crystal_take_phase(r);
}

/* ---- .ctf ---- */

/* Those from CTF_NEEDED on may be absent: their column is -1 then, and their value 0. */
static const char *const ctf_name[] = {"Euler1", "Euler2", "Euler3", "Phase", "X", "Y", "Z", "MAD"};
enum { CTF_PHASE = 3, CTF_NEEDED, CTF_X = CTF_NEEDED, CTF_DEVIATION = CTF_X + 3, CTF_NAMES };

/* Find the columns in r->line, the line of their names. */
static sw_status find_ctf_columns(const sw_crystal_reader *r, int column[CTF_NAMES])
{
    for (int i = 0; i < CTF_NAMES; i++)
        column[i] = -1;
    char word[SW_CRYSTAL_WORD];
    const char *at = r->line;
    for (int k = 0; sw_crystal_next_word(&at, word); k++)
        for (int i = 0; i < CTF_NAMES; i++)
            if (strcmp(word, ctf_name[i]) == 0)
                column[i] = k;
    for (int i = 0; i < CTF_NAMES; i++)
        if ((i < CTF_NEEDED || (i == CTF_DEVIATION && r->filter->deviation > 0)) && column[i] < 0)
            return sw_error(SW_ERR_INPUT, "%s:%lld: the line of column names lacks %s", r->path,
                            (long long)r->line_number, ctf_name[i]);
    return SW_OK;
}

/* Pick the wanted columns from a row; 0 when one is missing or not a number. Some exports write decimal
 * commas. */
static int pick_ctf_columns(const char *line, const int column[CTF_NAMES], double value[CTF_NAMES])
{
    char word[SW_CRYSTAL_WORD];
    int found = 0, there = 0;
    for (int i = 0; i < CTF_NAMES; i++) {
        value[i] = 0;
        there += column[i] >= 0;
    }
    for (int k = 0; sw_crystal_next_word(&line, word); k++)
        for (int i = 0; i < CTF_NAMES; i++) {
            if (column[i] != k)
                continue;
            char *comma = strchr(word, ',');
            if (comma != NULL)
                *comma = '.';
            if (!parse(word, &value[i]))
                return 0;
            found++;
        }
    return found == there;
}

/* What follows a line's first word, if that is `word`; NULL: another. */
static const char *after_word(const char *line, const char *word)
{
    const size_t length = strlen(word);
    const int is = strncmp(line, word, length) == 0 && strchr(" \t", line[length]) != NULL;
    return is ? line + length : NULL;
}

/* Whether r->line names columns, in any order, or begins so. A header has a line "Phases 1", and one that begins "Euler angles". */
static int names_ctf_columns(const sw_crystal_reader *r)
{
    char word[SW_CRYSTAL_WORD];
    const char *at = r->line;
    int angles = 0, phases = after_word(at, ctf_name[CTF_PHASE]) != NULL ? 2 : 0;
    while (sw_crystal_next_word(&at, word)) {
        angles |= strcmp(word, ctf_name[0]) == 0;
        phases |= strcmp(word, ctf_name[CTF_PHASE]) == 0;
    }
    return phases + angles >= 2;
}

/* "3.6;3.6;3.6 TAB 90;90;90 TAB Iron fcc TAB 11 TAB 225 ...": name, Laue group (10: m-3, 11: m-3m), space group; either
 * may be 0 or missing. */
static sw_status describe_ctf_phase(sw_crystal_reader *r, int64_t number)
{
    enum { LENGTHS, ANGLES, NAME, LAUE, SPACE, FIELDS };
    char line[256], *rest = line, *field[FIELDS];
    sw_crystal_phase *phase;
    snprintf(line, sizeof line, "%.*s", (int)sizeof line - 1, r->line);
    SW_TRY(sw_crystal_describe_phase(r, number, &phase));
    for (int i = 0; i < FIELDS; i++)
        if ((field[i] = strsep(&rest, "\t")) == NULL)
            field[i] = "";
    snprintf(phase->name, sizeof phase->name, "%s", field[NAME]);
    const long laue = strtol(field[LAUE], NULL, 10), space = strtol(field[SPACE], NULL, 10);
    const int is_laue = laue >= 1 && laue <= 11, is_space = space >= 1 && space <= 230;
    char cell[128];
    snprintf(cell, sizeof cell, "%.60s;%.60s", field[LENGTHS], field[ANGLES]);
    for (char *comma = cell; (comma = strchr(comma, ',')) != NULL;)
        *comma = '.';
    for (const struct symmetry *s = symmetries; s < symmetries + SYMMETRIES; s++)
        if (is_candidate(r, s) && !(is_laue && (laue < s->laue[0] || laue > s->laue[1])) &&
            !(is_space && (space < s->space[0] || space > s->space[1])))
            phase->group = phase->group == NULL ? s->group : phase->group;
    if (!is_laue && !is_space)
        phase->group = group_of_cell(r, cell);
    phase->is_other = phase->group == NULL;
    double v[6];
    if (parse_cell(cell, v))
        set_axes(phase, v);
    if (is_laue)
        snprintf(phase->symmetry, sizeof phase->symmetry, "%ld", laue);
    else if (is_space)
        snprintf(phase->symmetry, sizeof phase->symmetry, "space group %ld", space);
    else
        snprintf(phase->symmetry, sizeof phase->symmetry, "%.23s", cell);
    snprintf(phase->bravais, sizeof phase->bravais, "%s", space == 225 ? "cF" : space == 229 ? "cI" : "");
    return SW_OK;
}

/* Points of the map, of one slice or several. */
static void count_ctf_rows(sw_crystal_reader *r, int64_t size[3])
{
    static const char *const name[3] = {"XCells", "YCells", "ZCells"};
    for (int i = 0; i < 3; i++) {
        const char *text = after_word(r->line, name[i]);
        const long value = text != NULL ? strtol(text, NULL, 10) : -1;
        if (value >= 0 && value <= 1000000)
            size[i] = value;
    }
    r->scan.announced = size[0] * size[1] * (size[2] > 1 ? size[2] : 1);
}

/* Euler angles from the map to the surface it is on, degrees: "AcqE1 TAB 90", or 90,0. */
static void note_surface(sw_crystal_reader *r, double turn[3])
{
    static const char *const name[3] = {"AcqE1", "AcqE2", "AcqE3"};
    for (int i = 0; i < 3; i++) {
        char word[SW_CRYSTAL_WORD], *comma;
        const char *text = after_word(r->line, name[i]);
        if (text == NULL || !sw_crystal_next_word(&text, word))
            continue;
        if ((comma = strchr(word, ',')) != NULL)
            *comma = '.';
        turn[i] = strtod(word, NULL);
    }
}

/* Nothing here knows the specimen: who gives axes has said what they are. */
static void tell_surface(const sw_crystal_reader *r, const double turn[3])
{
    if (r->filter->axes == NULL && !(turn[0] == 0 && turn[1] == 0 && turn[2] == 0))
        sw_warn("%s: acquisition surface AcqE1 to 3 = %g %g %g degrees: orientations are taken in the map's "
                "axes, not turned by it: need `axes` where these are not the sample's",
                r->path, turn[0], turn[1], turn[2]);
}

/* Up to the line of column names. */
static sw_status read_ctf_header(sw_crystal_reader *r)
{
    int64_t phases = 0, named = 0, size[3] = {0, 0, 0};
    double surface[3] = {0, 0, 0};
    for (;;) {
        int more;
        SW_TRY(sw_crystal_next_line(r, &more));
        if (!more)
            return sw_error(SW_ERR_INPUT, "%s: no line of column names, with Phase and Euler1", r->path);
        count_ctf_rows(r, size);
        note_surface(r, surface);
        if (names_ctf_columns(r)) {
            tell_surface(r, surface);
            return SW_OK;
        }
        const char *count = after_word(r->line, "Phases");
        if (count != NULL)
            phases = strtoll(count, NULL, 10);
        else if (named < phases)
            SW_TRY(describe_ctf_phase(r, ++named));
    }
}

static sw_status add_ctf_row(sw_crystal_reader *r, const int column[CTF_NAMES])
{
    double value[CTF_NAMES];
    if (!pick_ctf_columns(r->line, column, value) ||
        !isfinite(value[CTF_X] + value[CTF_X + 1] + value[CTF_X + 2]))
        return sw_crystal_bad_line(
            r,
            "need numbers in the columns Phase, Euler1, Euler2, Euler3, and in X, Y, Z, MAD where they are");
    memcpy(r->row_place, &value[CTF_X], sizeof r->row_place);
    SW_TRY(sw_scan_pass(r));
    const double phase = value[CTF_PHASE], most = r->filter->deviation;
    if (!is_phase(phase))
        return sw_crystal_bad_line(r, "need a phase 0, 1, 2 ...");
    return add_row(r, phase, value, phase > 0 && (most == 0 || value[CTF_DEVIATION] <= most));
}

sw_status sw_crystal_read_ctf(sw_crystal_reader *r)
{
    int more, column[CTF_NAMES];
    SW_TRY(read_ctf_header(r));
    SW_TRY(find_ctf_columns(r, column));
    for (;;) {
        SW_TRY(sw_crystal_next_row(r, &more));
        if (!more)
            break;
        SW_TRY(add_ctf_row(r, column));
    }
    sw_scan_check_rows(r);
    return sw_crystal_take_phase(r);
}
