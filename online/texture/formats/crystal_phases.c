/* Phases of a crystal file: as its header describes them and as its rows name them, and those crystals that are of the
 * one that is wanted. */
#include <string.h>
#include <strings.h>

#include "common/files/text.h"
#include "crystal_reader.h"

/* ---- While reading ---- */

sw_status sw_crystal_find_phase(sw_crystal_reader *r, int64_t number, const char *name,
                                sw_crystal_phase **phase)
{
    for (*phase = r->phase; *phase < r->phase + r->n_phases; ++*phase)
        if (number < 0 ? strcmp((*phase)->name, name) == 0 : (*phase)->number == number)
            return SW_OK;
    if (r->n_phases == SW_CRYSTAL_PHASES)
        return sw_crystal_bad_line(r, "more than 64 phases");
    r->n_phases++;
    **phase = (sw_crystal_phase){.number = number < 0 ? r->n_phases : number};
    snprintf((*phase)->name, sizeof(*phase)->name, "%s", name);
    return SW_OK;
}

sw_status sw_crystal_describe_phase(sw_crystal_reader *r, int64_t number, sw_crystal_phase **phase)
{
    SW_TRY(sw_crystal_find_phase(r, number, "", phase));
    if ((*phase)->is_described)
        return sw_crystal_bad_line(r, "the number of a phase that the header has described");
    (*phase)->is_described = 1;
    return SW_OK;
}

sw_status sw_crystal_add_of_phase(sw_crystal_reader *r, int64_t number, const double angle[3])
{
    sw_crystal_phase *phase;
    SW_TRY(sw_crystal_find_phase(r, number, "", &phase));
    phase->rows++;
    r->row_phase = (int)(phase - r->phase);
    return sw_crystal_add(r, angle, 1);
}

const char *sw_crystal_wanted_system(const sw_crystal_reader *r)
{
    return r->group != NULL ? r->group->system : "cubic, tetragonal, hexagonal or orthorhombic";
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

/* ---- Phase 0 ---- */

/* What the header does not describe, beside what it does: NULL when there is none. */
static sw_crystal_phase *find_nameless(sw_crystal_reader *r, int64_t *described, int64_t *largest)
{
    sw_crystal_phase *zero = NULL;
    *described = *largest = 0;
    for (sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++) {
        if (p->number == 0 && !p->is_described && p->rows > 0)
            zero = p;
        *described += p->is_described;
        *largest += p->is_described && p->number > *largest ? p->number - *largest : 0;
    }
    return *described > 0 ? zero : NULL;
}

/* Crystals of one become those of another; NULL: they are left out, as not indexed. */
static void give_rows(sw_crystal_reader *r, sw_crystal_phase *from, sw_crystal_phase *to)
{
    const int old = (int)(from - r->phase);
    int64_t kept = 0;
    for (int64_t n = 0; n < r->count; n++) {
        if (r->of[n] == old && to == NULL)
            continue;
        if (r->of[n] == old)
            r->of[n] = (signed char)(to - r->phase);
        sw_crystal_keep(r, kept++, n);
    }
    r->skipped += r->count - kept;
    r->count = kept;
    if (to != NULL)
        to->rows += from->rows;
    from->rows = 0;
}

/* In a file of one phase 0 may stand for it. Else it is for rows that were not indexed, unless rows may count from 0 what
 * the header counts from 1: then the last number never comes. */
static sw_status settle_zero(sw_crystal_reader *r)
{
    int64_t described, largest;
    sw_crystal_phase *zero = find_nameless(r, &described, &largest), *only = zero, *last = zero;
    if (zero == NULL)
        return SW_OK;
    for (sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++) {
        only = p->is_described ? p : only;
        last = p->number == largest ? p : last;
    }
    if (described == 1 && only->rows == 0)
        give_rows(r, zero, only);
    else if (zero->sure > 0 && last->rows == 0)
        return sw_error(
            SW_ERR_INPUT,
            "%s: %lld rows of phase 0, of which the header says nothing, and none of phase %lld: rows "
            "may count phases from 0: need them as the header numbers them",
            r->path, (long long)zero->rows, (long long)largest);
    else
        give_rows(r, zero, NULL);
    return SW_OK;
}

/* ---- At the end ---- */

/* "1 Nickel (350 rows), 2 (12 rows)" */
static void list_phases(const sw_crystal_reader *r, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases && length < size; p++)
        if (p->rows > 0 || p->is_described || p->number > 0)
            length +=
                (size_t)snprintf(text + length, size - length, "%s%lld%s%s (%lld rows)", length ? ", " : "",
                                 (long long)p->number, *p->name ? " " : "", p->name, (long long)p->rows);
}

static sw_status check_choice(const sw_crystal_reader *r)
{
    char list[600];
    int present = 0, known = 0, taken = 0;
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++) {
        const int is_wanted = sw_crystal_is_wanted(r, p);
        present += p->rows > 0;
        known |= is_wanted;
        taken += p->rows > 0 && is_wanted;
    }
    list_phases(r, list, sizeof list);
    if (r->filter->phase != NULL && !known && r->n_phases > 0)
        return sw_error(SW_ERR_INPUT, "%s: no phase '%.80s' in it: need the name or number of one of %s",
                        r->path, r->filter->phase, list);
    if (r->filter->phase == NULL && present > 1)
        return sw_error(SW_ERR_INPUT,
                        "%s: several phases: need crystals.phase, the name or number of one of %s", r->path,
                        list);
    return taken <= 1 ? SW_OK
                      : sw_error(SW_ERR_INPUT, "%s: several phases '%.80s': need the number of one of %s",
                                 r->path, r->filter->phase, list);
}

/* The one that crystals are of has to be of the wanted group. */
static sw_status check_taken(sw_crystal_reader *r, const sw_crystal_phase *p, int64_t described)
{
    if (p->is_other)
        return sw_error(SW_ERR_INPUT, "%s: phase %lld %s has the symmetry %s: need a %s one", r->path,
                        (long long)p->number, p->name, p->symmetry, sw_crystal_wanted_system(r));
    if (described > 0 && !p->is_described)
        return sw_error(
            SW_ERR_INPUT,
            "%s: %lld rows of phase %lld: need a phase that the header describes, to know that it is %s",
            r->path, (long long)p->rows, (long long)p->number, sw_crystal_wanted_system(r));
    memcpy(r->bravais, p->bravais, sizeof r->bravais);
    r->group = p->group != NULL ? p->group : r->group;
    r->c_over_a = p->c_over_a;
    return SW_OK;
}

sw_status sw_crystal_take_phase(sw_crystal_reader *r)
{
    int64_t kept = 0, described, largest;
    SW_TRY(settle_zero(r));
    SW_TRY(check_choice(r));
    find_nameless(r, &described, &largest);
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++)
        if (p->rows > 0 && sw_crystal_is_wanted(r, p))
            SW_TRY(check_taken(r, p, described));
    for (int64_t n = 0; n < r->count; n++)
        if (sw_crystal_is_wanted(r, &r->phase[r->of[n]]))
            sw_crystal_keep(r, kept++, n);
    r->others += r->count - kept;
    r->count = kept;
    return SW_OK;
}
