/* Crystal files that are scans (electron back-scatter diffraction): .ang and .ctf, whose rows have phases. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/text.h"
#include "crystal_reader.h"

/* ---- Phases ---- */

sw_status sw_crystal_find_phase(sw_crystal_reader *r, int64_t number, const char *name,
                                sw_crystal_phase **phase)
{
    for (*phase = r->phase; *phase < r->phase + r->n_phases; ++*phase)
        if (number < 0 ? strcmp((*phase)->name, name) == 0 : (*phase)->number == number)
            return SW_OK;
    if (r->n_phases == SW_CRYSTAL_PHASES)
        return sw_crystal_bad_line(r, "more than 64 phases");
    r->n_phases++;
    snprintf((*phase)->name, sizeof(*phase)->name, "%s", name);
    (*phase)->number = number < 0 ? r->n_phases : number;
    (*phase)->rows = 0;
    (*phase)->symmetry = (*phase)->is_bcc = (*phase)->is_known = 0;
    (*phase)->lattice[0] = '\0';
    return SW_OK;
}

/* As the header describes it. */
static sw_status name_phase(sw_crystal_reader *r, int64_t number, const char *name)
{
    sw_crystal_phase *phase;
    SW_TRY(sw_crystal_find_phase(r, number, "", &phase));
    snprintf(phase->name, sizeof phase->name, "%s", name);
    r->n_described = r->n_phases;
    return SW_OK;
}

int sw_crystal_is_wanted(const sw_crystal_reader *r, const sw_crystal_phase *phase)
{
    const char *wanted = r->filter->phase;
    int64_t number;
    if (wanted == NULL)
        return 1;
    if (sw_parse_whole(wanted, &number) == NULL)
        return number == phase->number;
    return strcasecmp(wanted, phase->name) == 0;
}

/* A row of the number of a phase. */
static sw_status add_of_phase(sw_crystal_reader *r, double number, const double angle[3])
{
    sw_crystal_phase *phase;
    SW_TRY(sw_crystal_find_phase(r, (int64_t)number, "", &phase));
    phase->rows++;
    if (!sw_crystal_is_wanted(r, phase)) {
        r->others++;
        return SW_OK;
    }
    if (phase->symmetry != 0)
        return sw_error(SW_ERR_INPUT, "%s: phase %lld %s has the symmetry %d: need a cubic one", r->path,
                        (long long)phase->number, phase->name, phase->symmetry);
    r->is_bcc = phase->is_bcc;
    r->is_known = phase->is_known;
    return sw_crystal_add(r, angle, 1);
}

/* "1 Nickel (350 rows), 2 (12 rows)" */
static void list_phases(const sw_crystal_reader *r, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases && length < size; p++)
        length += (size_t)snprintf(text + length, size - length, "%s%lld%s%s (%lld rows)", length ? ", " : "",
                                   (long long)p->number, *p->name ? " " : "", p->name, (long long)p->rows);
}

sw_status sw_crystal_check_phases(const sw_crystal_reader *r)
{
    char list[600];
    int present = 0, known = 0;
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++) {
        present += p->rows > 0;
        known |= sw_crystal_is_wanted(r, p);
    }
    list_phases(r, list, sizeof list);
    if (r->filter->phase != NULL && !known && r->n_phases > 0)
        return sw_error(SW_ERR_INPUT, "%s: no phase '%.80s' in it: need the name or number of one of %s",
                        r->path, r->filter->phase, list);
    if (r->filter->phase == NULL && present > 1)
        return sw_error(SW_ERR_INPUT,
                        "%s: several phases: need crystals.phase, the name or number of one of %s", r->path,
                        list);
    return SW_OK;
}

/* Whether a number can be a phase's. */
static int is_phase(double number) { return number >= 0 && number <= 1e9 && number == floor(number); }

/* ---- .ang ---- */

/* Of the phase of this number in the header: what a scanner calls its symmetry, and whether that is cubic. */
static sw_status set_symmetry(sw_crystal_reader *r, int64_t number, int symmetry, int is_cubic,
                              int space_group)
{
    sw_crystal_phase *phase;
    SW_TRY(sw_crystal_find_phase(r, number, "", &phase));
    phase->symmetry = is_cubic ? 0 : symmetry;
    phase->is_bcc = space_group == 229;
    phase->is_known = space_group == 225 || space_group == 229;
    return SW_OK;
}

/* A line of its header: "# Phase 2", then "# MaterialName Nickel", "# Symmetry 43" (TSL's: m-3m; 23: m-3). *number: of
 * the phase it is about. */
static sw_status read_ang_header(sw_crystal_reader *r, int64_t *number)
{
    int symmetry;
    long long phase;
    char name[SW_CRYSTAL_PHASE];
    if (sscanf(r->line, " # Phase%*[: \t]%lld", &phase) == 1) {
        if (!is_phase((double)phase))
            return sw_crystal_bad_line(r, "need a phase 0, 1, 2 ...");
        *number = phase;
        return name_phase(r, phase, "");
    }
    if (*number >= 0 && sscanf(r->line, " # MaterialName%*[: \t]%63[^\n]", name) == 1)
        return name_phase(r, *number, name);
    if (*number >= 0 && sscanf(r->line, " # Symmetry%*[: \t]%d", &symmetry) == 1)
        return set_symmetry(r, *number, symmetry, symmetry == 43 || symmetry == 23, 0);
    return SW_OK;
}

/* Scans whose header describes one phase have 0 in its column. */
static double ang_phase(const sw_crystal_reader *r, double given)
{
    return given == 0 && r->n_described == 1 ? (double)r->phase[0].number : given;
}

static sw_status add_ang_row(sw_crystal_reader *r)
{
    enum { X = 3, Y, CONFIDENCE = 6, PHASE, MOST };
    double value[MOST];
    const int count = sw_crystal_parse_row(r->line, MOST, value);
    if (count < PHASE)
        return sw_crystal_bad_line(r, "need seven numbers or more, phi1 Phi phi2 x y IQ CI [phase]");
    sw_scan_pass(r, value[X], value[Y]);
    if (value[CONFIDENCE] < r->filter->confidence) {
        r->skipped++;
        return SW_OK;
    }
    const double phase = count > PHASE ? value[PHASE] : 0;
    if (!is_phase(phase))
        return sw_crystal_bad_line(r, "need a phase 0, 1, 2 ... in the eighth column");
    return add_of_phase(r, ang_phase(r, phase), value);
}

sw_status sw_crystal_read_ang(sw_crystal_reader *r)
{
    int64_t described = -1;
    int more;
    for (;;) {
        SW_TRY(sw_crystal_next_line(r, &more));
        if (!more)
            return sw_crystal_check_phases(r);
        if (sw_crystal_is_remark(r))
            SW_TRY(read_ang_header(r, &described));
        else
            SW_TRY(add_ang_row(r));
    }
}

/* ---- .ctf ---- */

/* Those from CTF_NEEDED on may be absent: their column is -1 then, and their value 0. */
static const char *const ctf_name[] = {"Euler1", "Euler2", "Euler3", "Phase", "X", "Y", "MAD"};
enum { CTF_PHASE = 3, CTF_NEEDED, CTF_X = CTF_NEEDED, CTF_Y, CTF_DEVIATION, CTF_NAMES };

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
            if (sw_parse_real(word, &value[i]) != NULL)
                return 0;
            found++;
        }
    return found == there;
}

/* What follows a line's first word, if that is `word`; NULL: another. A header holds a line "Phases 1" beside
 * the column names "Phase X Y ...". */
static const char *after_word(const char *line, const char *word)
{
    const size_t length = strlen(word);
    const int is = strncmp(line, word, length) == 0 && strchr(" \t", line[length]) != NULL;
    return is ? line + length : NULL;
}

/* "3.6;3.6;3.6 TAB 90;90;90 TAB Iron fcc TAB 11 TAB 225 ...": name, Laue group (10: m-3, 11: m-3m), space group. */
static sw_status name_ctf_phase(sw_crystal_reader *r, int64_t number)
{
    enum { NAME = 2, LAUE, SPACE, FIELDS };
    char line[256], *rest = line, *field[FIELDS];
    snprintf(line, sizeof line, "%.*s", (int)sizeof line - 1, r->line);
    for (int i = 0; i < FIELDS; i++)
        field[i] = strsep(&rest, "\t");
    SW_TRY(name_phase(r, number, field[NAME] != NULL ? field[NAME] : ""));
    const long laue = field[LAUE] != NULL ? strtol(field[LAUE], NULL, 10) : 0;
    const long space = field[SPACE] != NULL ? strtol(field[SPACE], NULL, 10) : 0;
    return laue >= 1 && laue <= 11 ? set_symmetry(r, number, (int)laue, laue >= 10, (int)space) : SW_OK;
}

/* Up to the line of column names. */
static sw_status read_ctf_header(sw_crystal_reader *r)
{
    int64_t phases = 0, named = 0;
    for (;;) {
        int more;
        SW_TRY(sw_crystal_next_line(r, &more));
        if (!more)
            return sw_error(SW_ERR_INPUT, "%s: no line of column names that starts with \"Phase\"", r->path);
        if (after_word(r->line, ctf_name[CTF_PHASE]) != NULL)
            return SW_OK;
        const char *count = after_word(r->line, "Phases");
        if (count != NULL)
            phases = strtoll(count, NULL, 10);
        else if (named < phases)
            SW_TRY(name_ctf_phase(r, ++named));
    }
}

static sw_status add_ctf_row(sw_crystal_reader *r, const int column[CTF_NAMES])
{
    double value[CTF_NAMES];
    if (!pick_ctf_columns(r->line, column, value))
        return sw_crystal_bad_line(
            r, "need numbers in the columns Phase, Euler1, Euler2, Euler3, and in X, Y, MAD where they are");
    sw_scan_pass(r, value[CTF_X], value[CTF_Y]);
    const double phase = value[CTF_PHASE];
    if (!is_phase(phase))
        return sw_crystal_bad_line(r, "need a phase 0, 1, 2 ...");
    const double most = r->filter->deviation;
    if (phase > 0 && (most == 0 || value[CTF_DEVIATION] <= most))
        return add_of_phase(r, phase, value);
    r->skipped++;
    return SW_OK;
}

sw_status sw_crystal_read_ctf(sw_crystal_reader *r)
{
    int more, column[CTF_NAMES];
    SW_TRY(read_ctf_header(r));
    SW_TRY(find_ctf_columns(r, column));
    for (;;) {
        SW_TRY(sw_crystal_next_row(r, &more));
        if (!more)
            return sw_crystal_check_phases(r);
        SW_TRY(add_ctf_row(r, column));
    }
}
