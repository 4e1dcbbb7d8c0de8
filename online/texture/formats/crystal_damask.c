/* DAMASK's material.yaml: each constituent of each material is a crystal, of a quaternion O and a fraction v. O is a
 * passive rotation in DAMASK's words, sample -> crystal; its four numbers are those of ours, crystal -> sample, since
 * DAMASK's sign P = -1 turns the vector part once more (Rowenhorst et al. 2015). A stream of events, so that a file of
 * millions is read as it comes. */
#include <math.h>
#include <string.h>
#include <yaml.h>

#include "common/crystal/lattice.h"
#include "common/files/text.h"
#include "common/math/quaternion.h"
#include "crystal_reader.h"

enum { DEPTH = 64, NAME = SW_CRYSTAL_PHASE, LONGEST = 1 << 20 /* bytes of a scalar */ };

typedef struct {
    sw_crystal_reader *r;
    yaml_parser_t parser;
    yaml_event_t event;
    int depth;              /* of mappings and lists that are open */
    int is_mapping[DEPTH];  /* each of them */
    int wants_value[DEPTH]; /* of a mapping: its key has come */
    char key[DEPTH][NAME];  /* and is this */
    int in_material;        /* within the root's key `material` */
    int constituent;        /* depth of the one that is open; 0: none */
    double o[4], v;         /* of it */
    int n_o, has_v;
    double fractions; /* of the material that is open; NaN: some constituent has none */
    char phase[NAME];
    size_t read; /* bytes since the last event */
} state;

/* Bytes for the parser, which would keep a scalar without end. */
static int feed(void *data, unsigned char *buffer, size_t size, size_t *got)
{
    state *s = data;
    *got = fread(buffer, 1, size, s->r->file);
    s->read += *got;
    return s->read <= LONGEST && !ferror(s->r->file);
}

static sw_status bad(const state *s, const char *complaint)
{
    return sw_error(SW_ERR_INPUT, "%s:%zu: %s", s->r->path, s->event.start_mark.line + 1, complaint);
}

/* The list or mapping at a depth is the value of `key` of the mapping below. */
static int is_under(const state *s, int depth, const char *key)
{
    return depth > 0 && s->is_mapping[depth - 1] && strcmp(s->key[depth - 1], key) == 0;
}

/* material: [ {constituents: [ { */
static int opens_constituent(const state *s)
{
    const int list = s->depth - 1;
    return s->in_material && s->is_mapping[s->depth] == 1 && list == 4 && is_under(s, list, "constituents");
}

static sw_status open_one(state *s, int is_mapping)
{
    if (s->depth + 1 >= DEPTH)
        return bad(s, "nested too deep");
    s->depth++;
    s->is_mapping[s->depth] = is_mapping;
    s->wants_value[s->depth] = 0;
    s->key[s->depth][0] = '\0';
    s->in_material |= s->depth == 2 && is_under(s, s->depth, "material");
    if (s->depth == 3)
        s->fractions = 0;
    if (opens_constituent(s)) {
        s->constituent = s->depth;
        s->n_o = s->has_v = 0;
        s->phase[0] = '\0';
    }
    return SW_OK;
}

static sw_status add_constituent(state *s)
{
    sw_crystal_phase *phase;
    double angle[3], norm = 0;
    for (int i = 0; i < 4; i++)
        norm += s->o[i] * s->o[i];
    if (s->n_o != 4 || !(fabs(norm - 1) <= 1e-2))
        return bad(s, "need a quaternion O of four numbers and of length 1 in each constituent");
    if (s->has_v && !(s->v >= 0 && s->v <= 1))
        return bad(s, "need a fraction 0 <= v <= 1 in each constituent");
    s->fractions += s->has_v ? s->v : NAN;
    SW_TRY(sw_crystal_find_phase(s->r, -1, s->phase, &phase));
    phase->rows++;
    s->r->row_phase = (int)(phase - s->r->phase);
    sw_euler_from_quaternion(s->o, angle);
    return sw_crystal_add(s->r, angle, s->has_v ? s->v : 1);
}

#define FRACTIONS_OFF 1e-3 /* of texts of few digits */

/* All materials count alike. */
static sw_status check_fractions(const state *s)
{
    return !(s->fractions > 0) || fabs(s->fractions - 1) <= FRACTIONS_OFF
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "%s:%zu: fractions v of a material add to %g: need 1", s->r->path,
                          s->event.start_mark.line + 1, s->fractions);
}

static sw_status close_one(state *s)
{
    if (s->in_material && s->depth == 3)
        SW_TRY(check_fractions(s));
    if (s->depth == s->constituent) {
        SW_TRY(add_constituent(s));
        s->constituent = 0;
    }
    s->in_material &= s->depth != 2;
    s->depth--;
    s->wants_value[s->depth] = 0;
    return SW_OK;
}

static sw_status number_of(const state *s, const char *text, double *number)
{
    return sw_parse_real(text, number) == NULL ? SW_OK : bad(s, "need a number in O and v");
}

/* A key, or a phase's name: whole, since names that only end otherwise are two. */
static sw_status take_name(const state *s, const char *text, char name[NAME])
{
    if (strlen(text) >= NAME)
        return sw_error(SW_ERR_INPUT, "%s:%zu: a name of %zu bytes: need at most %d", s->r->path,
                        s->event.start_mark.line + 1, strlen(text), NAME - 1);
    snprintf(name, NAME, "%s", text);
    return SW_OK;
}

/* phase: {NAME: {lattice: hP, c/a: 1.6}}, before the materials or after them. */
static int is_of_phase(const state *s, const char *key)
{
    return s->depth == 3 && s->is_mapping[3] && is_under(s, 3, s->key[2]) && is_under(s, 2, "phase") &&
           strcmp(s->key[3], key) == 0;
}

static sw_status take_lattice(const state *s, const char *text)
{
    sw_crystal_phase *phase;
    SW_TRY(sw_crystal_find_phase(s->r, -1, s->key[2], &phase));
    if (strcmp(s->key[3], "lattice") == 0) {
        snprintf(phase->lattice, sizeof phase->lattice, "%s", text);
        return SW_OK;
    }
    return sw_parse_real(text, &phase->c_over_a) == NULL && phase->c_over_a > 0 ? SW_OK
                                                                                : bad(s, "need c/a > 0");
}

/* What lattices of the wanted group are called, "cF or cI". */
static void list_lattices(const sw_crystal_reader *r, char *list, size_t size)
{
    size_t length = 0;
    *list = '\0';
    for (int i = 0; i < SW_LATTICES && length < size; i++)
        if ((r->group == NULL || sw_lattices[i]->group == r->group) &&
            strstr(list, sw_lattices[i]->bravais) == NULL)
            length += (size_t)snprintf(list + length, size - length, "%s%s", length > 0 ? " or " : "",
                                       sw_lattices[i]->bravais);
}

/* At the end: the lattice of the phase that the crystals are of. */
static sw_status check_lattice(sw_crystal_reader *r)
{
    char known[64];
    list_lattices(r, known, sizeof known);
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++) {
        if (p->rows == 0 || !sw_crystal_is_wanted(r, p) || *p->lattice == '\0')
            continue;
        snprintf(r->bravais, sizeof r->bravais, "%.3s", p->lattice);
        if (strlen(p->lattice) != 2 || strstr(known, p->lattice) == NULL)
            return sw_error(SW_ERR_INPUT, "%s: phase %lld %s has the lattice %s: need a %s one, %s", r->path,
                            (long long)p->number, p->name, p->lattice, sw_crystal_wanted_system(r), known);
        r->group = sw_lattice_of_bravais(p->lattice)->group;
    }
    return SW_OK;
}

/* A value of the constituent that is open. */
static sw_status take_value(state *s, const char *text)
{
    if (s->depth == s->constituent + 1 && !s->is_mapping[s->depth] && is_under(s, s->depth, "O")) {
        if (s->n_o == 4)
            return bad(s, "need four numbers in O");
        return number_of(s, text, &s->o[s->n_o++]);
    }
    if (s->depth != s->constituent)
        return SW_OK;
    if (strcmp(s->key[s->depth], "v") == 0) {
        s->has_v = 1;
        return number_of(s, text, &s->v);
    }
    if (strcmp(s->key[s->depth], "phase") == 0)
        return take_name(s, text, s->phase);
    return SW_OK;
}

static sw_status take_scalar(state *s)
{
    const char *text = (const char *)s->event.data.scalar.value;
    if (s->is_mapping[s->depth] && !s->wants_value[s->depth]) {
        s->wants_value[s->depth] = 1;
        return take_name(s, text, s->key[s->depth]);
    }
    s->wants_value[s->depth] = 0;
    if (s->constituent > 0)
        return take_value(s, text);
    return is_of_phase(s, "lattice") || is_of_phase(s, "c/a") ? take_lattice(s, text) : SW_OK;
}

static sw_status take_event(state *s, int *more)
{
    switch (s->event.type) {
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return open_one(s, s->event.type == YAML_MAPPING_START_EVENT);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return close_one(s);
    case YAML_SCALAR_EVENT:
        return take_scalar(s);
    case YAML_ALIAS_EVENT:
        return bad(s, "an alias: need each material in full");
    case YAML_STREAM_END_EVENT:
        *more = 0;
        return SW_OK;
    default:
        return SW_OK;
    }
}

static sw_status read_events(state *s)
{
    int more = 1;
    while (more) {
        s->read = 0;
        if (!yaml_parser_parse(&s->parser, &s->event))
            return sw_error(SW_ERR_INPUT, "%s:%zu: %s", s->r->path, s->parser.problem_mark.line + 1,
                            s->parser.problem != NULL ? s->parser.problem : "cannot be read");
        const sw_status status = take_event(s, &more);
        yaml_event_delete(&s->event);
        SW_TRY(status);
    }
    return SW_OK;
}

sw_status sw_crystal_read_damask(sw_crystal_reader *r)
{
    state s = {.r = r};
    if (!yaml_parser_initialize(&s.parser))
        return sw_error(SW_ERR_MEMORY, "%s: no memory to read it", r->path);
    yaml_parser_set_input(&s.parser, feed, &s);
    const sw_status status = read_events(&s);
    yaml_parser_delete(&s.parser);
    SW_TRY(status);
    if (r->count + r->weightless == 0)
        return sw_error(
            SW_ERR_INPUT,
            "%s: no constituents in it: a file .yaml of crystals is DAMASK's, with a list `material`",
            r->path);
    SW_TRY(sw_crystal_take_phase(r));
    return check_lattice(r);
}
