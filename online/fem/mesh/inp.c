/* Abaqus' input files: nodes, elements and sets of one part, and nothing else of them. libgmsh writes .inp
 * but does not read it (4.8). Here is what the keywords mean. */
#include "inp.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Numbers of the line at hand ---- */

static sw_status to_label(const sw_fem_inp_file *file, const char *text, const char *what, int64_t *label)
{
    return sw_deck_to_whole(text, label) && *label >= 1 && *label <= INT32_MAX
               ? SW_OK
               : sw_fem_inp_complain(file, file->source.number,
                                     "%s '%.64s': need a whole number from 1 to %d", what, text, INT32_MAX);
}

/* 0 when it is empty. */
static sw_status to_number(const sw_fem_inp_file *file, const char *text, const char *what, double *number)
{
    *number = 0;
    return *text == '\0' || sw_deck_to_real(text, number) == NULL
               ? SW_OK
               : sw_fem_inp_complain(file, file->source.number, "%s '%.64s': need a number", what, text);
}

/* ---- Sets as they stand in the file ---- */

/* The set of this name, new or to be added to; its place, as sets move. */
static sw_status open_set(sw_fem_inp_file *file, sw_fem_set_kind kind, const char *name, int64_t *place)
{
    const sw_fem_inp_set *set = sw_fem_inp_find_set(file, kind, file->scope, name);
    if (set == NULL)
        return sw_fem_inp_new_set(file, kind, name, place);
    *place = set - file->set;
    return SW_OK;
}

static sw_status add_entry(sw_fem_inp_file *file, int64_t set, const sw_fem_inp_entry *entry)
{
    sw_fem_inp_set *s = &file->set[set];
    SW_TRY(SW_DECK_ROOM(s->entry, s->n_entries));
    s->entry[s->n_entries++] = *entry;
    return SW_OK;
}

/* A label that is being defined: those that follow each other share an entry. */
static sw_status add_defined(sw_fem_inp_file *file, int64_t set, sw_fem_set_kind of, int64_t label)
{
    if (set < 0)
        return SW_OK;
    const sw_fem_inp_set *s = &file->set[set];
    sw_fem_inp_entry *last = s->n_entries > 0 ? &s->entry[s->n_entries - 1] : NULL;
    if (last != NULL && last->name == NULL && last->step == 1 && last->of == of && last->last == label - 1) {
        last->last = label;
        return SW_OK;
    }
    const sw_fem_inp_entry entry = {
        .first = label, .last = label, .step = 1, .line = file->source.number, .of = of};
    return add_entry(file, set, &entry);
}

/* A label or the name of a set, which may be the instance's ("Part-1-1.7"). */
static sw_status add_member(sw_fem_inp_file *file, int64_t set, sw_fem_set_kind of, const char *text,
                            int face)
{
    sw_fem_inp_entry entry = {.step = 1, .line = file->source.number, .of = of, .face = face};
    const size_t n = file->instance != NULL ? strlen(file->instance) : 0;
    if (n > 0 && strncasecmp(text, file->instance, n) == 0 && text[n] == '.') {
        text += n + 1;
        entry.of_part = 1;
    }
    if (isdigit((unsigned char)*text) || *text == '-' || *text == '+') {
        SW_TRY(to_label(file, text, of == SW_FEM_NODES ? "node" : "element", &entry.first));
        entry.last = entry.first;
    } else if (*text == '\0') {
        return sw_fem_inp_complain(file, file->source.number,
                                   "an empty field: need a number or the name of a set");
    } else {
        entry.name = strdup(text);
        if (entry.name == NULL)
            return sw_error(SW_ERR_MEMORY, "%s: no memory for a name", file->source.path);
    }
    const sw_status status = add_entry(file, set, &entry);
    if (status != SW_OK)
        free(entry.name);
    return status;
}

static sw_status add_range(sw_fem_inp_file *file, int64_t set, sw_fem_set_kind of)
{
    sw_fem_inp_entry entry = {.step = 1, .line = file->source.number, .of = of};
    if (file->source.data.n_fields < 2 || file->source.data.n_fields > 3)
        return sw_fem_inp_complain(file, file->source.number,
                                   "GENERATE: need first, last and, if not 1, the step");
    SW_TRY(to_label(file, file->source.data.field[0], "first", &entry.first));
    SW_TRY(to_label(file, file->source.data.field[1], "last", &entry.last));
    if (file->source.data.n_fields == 3)
        SW_TRY(to_label(file, file->source.data.field[2], "step", &entry.step));
    if (entry.last < entry.first)
        return sw_fem_inp_complain(file, file->source.number,
                                   "GENERATE: last = %" PRId64 ": need at least the first, %" PRId64,
                                   entry.last, entry.first);
    return add_entry(file, set, &entry);
}

static sw_status read_set(sw_fem_inp_file *file, sw_fem_set_kind kind, const char *key)
{
    const char *name;
    int64_t set;
    SW_TRY(sw_deck_need_value(&file->source.card, key, &name));
    SW_TRY(open_set(file, kind, name, &set));
    const char *elements = kind == SW_FEM_NODES ? sw_deck_parameter(&file->source.card, "ELSET") : NULL;
    if (elements != NULL)
        SW_TRY(add_member(file, set, SW_FEM_ELEMENTS, elements, 0));
    for (;;) {
        SW_TRY(sw_deck_next_data(&file->source));
        if (file->source.data.n_fields == 0)
            return SW_OK;
        if (sw_deck_parameter(&file->source.card, "GENERATE") != NULL) {
            SW_TRY(add_range(file, set, kind));
            continue;
        }
        for (int i = 0; i < file->source.data.n_fields; i++)
            SW_TRY(add_member(file, set, kind, file->source.data.field[i], 0));
    }
}

static sw_status read_node_set(sw_fem_inp_file *file)
{
    SW_TRY(sw_deck_need_parameters(&file->source.card, " NSET ELSET GENERATE INSTANCE INTERNAL UNSORTED "));
    return read_set(file, SW_FEM_NODES, "NSET");
}

static sw_status read_element_set(sw_fem_inp_file *file)
{
    SW_TRY(sw_deck_need_parameters(&file->source.card, " ELSET GENERATE INSTANCE INTERNAL UNSORTED "));
    return read_set(file, SW_FEM_ELEMENTS, "ELSET");
}

static sw_status read_surface(sw_fem_inp_file *file)
{
    const char *name;
    int64_t set;
    SW_TRY(sw_deck_need_parameters(&file->source.card, " NAME TYPE INTERNAL "));
    SW_TRY(sw_deck_need_value(&file->source.card, "NAME", &name));
    const char *type = sw_deck_parameter(&file->source.card, "TYPE");
    const int of_nodes = type != NULL && strcasecmp(type, "NODE") == 0;
    if (type != NULL && !of_nodes && strcasecmp(type, "ELEMENT") != 0)
        return sw_fem_inp_complain(file, file->source.card.line, "*SURFACE: TYPE=%.64s: need ELEMENT or NODE",
                                   type);
    SW_TRY(open_set(file, of_nodes ? SW_FEM_NODES : SW_FEM_SURFACE, name, &set));
    for (;;) {
        SW_TRY(sw_deck_next_data(&file->source));
        if (file->source.data.n_fields == 0)
            return SW_OK;
        if (of_nodes) { /* an area may follow, which is no part of a set */
            SW_TRY(add_member(file, set, SW_FEM_NODES, file->source.data.field[0], 0));
            continue;
        }
        const char *face = file->source.data.n_fields == 2 ? file->source.data.field[1] : "";
        if (toupper((unsigned char)face[0]) != 'S' || face[1] < '1' || face[1] > '6' || face[2] != '\0')
            return sw_fem_inp_complain(file, file->source.number,
                                       "*SURFACE: face '%.64s': need an element or set and S1 to S6", face);
        SW_TRY(add_member(file, set, SW_FEM_ELEMENTS, file->source.data.field[0], face[1] - '1'));
    }
}

/* ---- Nodes and elements as they stand in the file ---- */

/* Labels of an assembly's own nodes, such as reference points, repeat the part's. */
static sw_status need_part(const sw_fem_inp_file *file)
{
    if (file->scope == SW_FEM_INP_ASSEMBLY)
        return sw_fem_inp_complain(
            file, file->source.card.line,
            "*%.32s outside a part: nodes and elements of the assembly, such as reference points, are "
            "not supported; mesh.ignore leaves out elements by their ELSET",
            file->source.card.keyword);
    return SW_OK;
}

static sw_status add_node(sw_fem_inp_file *file, int64_t set)
{
    sw_fem_inp_node node = {.line = file->source.number};
    SW_TRY(to_label(file, file->source.data.field[0], "node", &node.label));
    if (file->source.data.n_fields < 2)
        return sw_fem_inp_complain(file, file->source.number, "node %" PRId64 " has no coordinates",
                                   node.label);
    for (int i = 0; i < 3 && i + 1 < file->source.data.n_fields; i++)
        SW_TRY(to_number(file, file->source.data.field[i + 1], "coordinate", &node.at[i]));
    if (file->n_nodes == INT32_MAX)
        return sw_fem_inp_complain(file, file->source.number, "more than %d nodes", INT32_MAX);
    SW_TRY(SW_DECK_ROOM(file->node, file->n_nodes));
    file->node[file->n_nodes++] = node;
    return add_defined(file, set, SW_FEM_NODES, node.label);
}

static sw_status read_nodes(sw_fem_inp_file *file)
{
    int64_t set = -1;
    SW_TRY(need_part(file));
    SW_TRY(sw_deck_need_parameters(&file->source.card, " NSET SYSTEM "));
    const char *name = sw_deck_parameter(&file->source.card, "NSET"),
               *system = sw_deck_parameter(&file->source.card, "SYSTEM");
    if (system != NULL && strcasecmp(system, "R") != 0)
        return sw_fem_inp_complain(file, file->source.card.line,
                                   "*NODE: SYSTEM=%.64s: need R, Cartesian coordinates", system);
    if (name != NULL)
        SW_TRY(open_set(file, SW_FEM_NODES, name, &set));
    for (;;) {
        SW_TRY(sw_deck_next_data(&file->source));
        if (file->source.data.n_fields == 0)
            return SW_OK;
        SW_TRY(add_node(file, set));
    }
}

/* Where a type is counted, as the file spells it; -1: there are too many. */
static int32_t find_spelling(sw_fem_reading *reading, const char *name, int dimension)
{
    sw_fem_element_type *type = reading->type, *end = type + reading->n_types;
    while (type < end && strcasecmp(type->name, name) != 0)
        type++;
    if (type == end && reading->n_types < SW_FEM_MOST_TYPES) {
        *type = (sw_fem_element_type){.dimension = dimension};
        snprintf(type->name, sizeof type->name, "%s", name);
        reading->n_types++;
    }
    return type < reading->type + reading->n_types ? (int32_t)(type - reading->type) : -1;
}

/* Those of a line, from a field on. Where their meaning is not known, what is no label may be the ground. */
static sw_status add_names(sw_fem_inp_file *file, int from, sw_fem_inp_element *element)
{
    const int unread = element->type == &sw_fem_inp_unread;
    for (int i = from; i < file->source.data.n_fields; i++) {
        int64_t label = 0;
        if (unread && !isdigit((unsigned char)*file->source.data.field[i]))
            continue;
        SW_TRY(to_label(file, file->source.data.field[i], "node", &label));
        SW_TRY(SW_DECK_ROOM(file->name, file->n_names));
        file->name[file->n_names++] = (int32_t)label;
        element->nodes++;
    }
    return SW_OK;
}

/* An element goes on over lines until it has its nodes; the current line has its beginning. */
static sw_status add_element(sw_fem_inp_file *file, const sw_fem_inp_type *type, int32_t spelt, int64_t set)
{
    const int unread = type == &sw_fem_inp_unread;
    sw_fem_inp_element element = {
        .line = file->source.number, .first = file->n_names, .type = type, .index = -1, .spelt = spelt};
    SW_TRY(to_label(file, file->source.data.field[0], "element", &element.label));
    SW_TRY(add_names(file, 1, &element));
    while ((unread || element.nodes < type->nodes) && file->source.data.continues) {
        SW_TRY(sw_deck_next_data(&file->source));
        if (file->source.data.n_fields == 0)
            break;
        SW_TRY(add_names(file, 0, &element));
    }
    if (element.nodes != type->nodes && !unread)
        return sw_fem_inp_complain(file, element.line,
                                   "element %" PRId64 " has %d nodes: need the %d of a %s", element.label,
                                   element.nodes, type->nodes, type->name);
    SW_TRY(SW_DECK_ROOM(file->element, file->n_elements));
    if (file->n_elements == SW_FEM_MOST_ELEMENTS)
        return sw_fem_inp_complain(file, file->source.number, "more than %d elements", SW_FEM_MOST_ELEMENTS);
    file->element[file->n_elements++] = element;
    if (spelt >= 0)
        file->reading->type[spelt].n++;
    return add_defined(file, set, SW_FEM_ELEMENTS, element.label);
}

/* Elements of a type that is not read are in the way unless the job ignores them, by whatever set they are in. */
static sw_status add_type_complaint(sw_fem_inp_file *file, const char *type, const char *elset)
{
    char complaint[400];
    snprintf(
        complaint, sizeof complaint,
        "*ELEMENT: TYPE=%.64s%s%.64s is not supported: need C3D8, or CPS4, CPE4, CAX4, DC2D4 in a plane; "
        "%s%.64s%s",
        type, elset != NULL ? ", ELSET=" : "", elset != NULL ? elset : "",
        elset != NULL ? "mesh.ignore: [" : "with an ELSET, mesh.ignore can name it and leave them out",
        elset != NULL ? elset : "", elset != NULL ? "] leaves these out" : "");
    return sw_fem_inp_add_section(file, NULL, complaint, NULL);
}

static sw_status read_elements(sw_fem_inp_file *file)
{
    const char *name;
    int64_t set = -1;
    int32_t spelt = -1;
    const char *elset = sw_deck_parameter(&file->source.card, "ELSET");
    if (file->scope == SW_FEM_INP_ASSEMBLY && sw_fem_inp_ignores_set(file, elset))
        return SW_OK;
    SW_TRY(need_part(file));
    SW_TRY(sw_deck_need_parameters(&file->source.card, " TYPE ELSET "));
    SW_TRY(sw_deck_need_value(&file->source.card, "TYPE", &name));
    const sw_fem_inp_type *type = sw_fem_inp_find_type(name);
    if (type == NULL) {
        type = &sw_fem_inp_unread;
        SW_TRY(add_type_complaint(file, name, elset));
    } else {
        spelt = find_spelling(file->reading, name, type->dimension);
    }
    if (elset != NULL)
        SW_TRY(open_set(file, SW_FEM_ELEMENTS, elset, &set));
    for (;;) {
        SW_TRY(sw_deck_next_data(&file->source));
        if (file->source.data.n_fields == 0)
            return SW_OK;
        SW_TRY(add_element(file, type, spelt, set));
        if (type == &sw_fem_inp_unread)
            file->section[file->n_sections - 1].last = file->n_elements;
    }
}

/* ---- Part, instance, assembly ---- */

static sw_status begin_part(sw_fem_inp_file *file)
{
    if (++file->n_parts > 1)
        return sw_fem_inp_complain(file, file->source.card.line, "a second *PART: need a single one");
    return SW_OK;
}

static sw_status begin_assembly(sw_fem_inp_file *file)
{
    file->scope = SW_FEM_INP_ASSEMBLY;
    return SW_OK;
}

/* A line that shifts the part may follow, and one that turns it. */
static sw_status begin_instance(sw_fem_inp_file *file)
{
    const char *name;
    double turn[7] = {0};
    if (++file->n_instances > 1)
        return sw_fem_inp_complain(file, file->source.card.line, "a second *INSTANCE: need a single one");
    SW_TRY(sw_deck_need_parameters(&file->source.card, " NAME PART "));
    SW_TRY(sw_deck_need_value(&file->source.card, "NAME", &name));
    file->instance = strdup(name);
    if (file->instance == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for a name", file->source.path);
    file->scope = SW_FEM_INP_PART;
    SW_TRY(sw_deck_next_data(&file->source));
    if (file->source.data.n_fields > 3)
        return sw_fem_inp_complain(file, file->source.number, "*INSTANCE: a shift of %d numbers: need 3",
                                   file->source.data.n_fields);
    for (int i = 0; i < file->source.data.n_fields; i++)
        SW_TRY(to_number(file, file->source.data.field[i], "shift", &file->shift[i]));
    if (file->source.data.n_fields == 0)
        return SW_OK;
    SW_TRY(sw_deck_next_data(&file->source));
    for (int i = 0; i < file->source.data.n_fields && i < 7; i++)
        SW_TRY(to_number(file, file->source.data.field[i], "rotation", &turn[i]));
    if (turn[6] != 0)
        return sw_fem_inp_complain(file, file->source.number,
                                   "*INSTANCE: a rotation of %g degrees is not supported: need 0", turn[6]);
    return SW_OK;
}

static sw_status end_instance(sw_fem_inp_file *file)
{
    file->scope = SW_FEM_INP_ASSEMBLY;
    return SW_OK;
}

/* ---- Keywords ---- */

/* Their names, and what reads each of them. */
static const char *const keywords[] = {"NODE", "ELEMENT",  "NSET",     "ELSET",       "SURFACE",
                                       "PART", "ASSEMBLY", "INSTANCE", "END INSTANCE"};
static sw_status (*const readers[])(sw_fem_inp_file *file) = {read_nodes,       read_elements,  read_node_set,
                                                              read_element_set, read_surface,   begin_part,
                                                              begin_assembly,   begin_instance, end_instance};
enum { READ = sizeof keywords / sizeof *keywords };
_Static_assert(sizeof readers / sizeof *readers == READ && (int)READ <= (int)SW_FEM_INP_MOST_READ,
               "one each");

static sw_status read_keyword(sw_fem_inp_file *file)
{
    for (int k = 0; k < READ; k++)
        if (sw_fem_inp_same_keyword(file->source.card.keyword, keywords[k]))
            return readers[k](file);
    return sw_fem_inp_skip(file, READ, keywords);
}

static sw_status read_lines(sw_fem_inp_file *file)
{
    int more;
    SW_TRY(sw_deck_next_data(&file->source));
    if (file->source.data.n_fields > 0)
        return sw_fem_inp_complain(file, file->source.number,
                                   "data before the first keyword: need a line that begins with *");
    for (;;) { /* over the data of keywords that are skipped */
        SW_TRY(sw_deck_next_card(&file->source, &more));
        if (!more)
            return SW_OK;
        SW_TRY(read_keyword(file));
    }
}

/* ---- The whole ---- */

static sw_status read_mesh(sw_fem_inp_file *file)
{
    SW_TRY(read_lines(file));
    SW_TRY(sw_fem_inp_check_ignored(file));
    SW_TRY(sw_fem_inp_make_mesh(file));
    sw_fem_inp_tell_skipped(file);
    return SW_OK;
}

/* Words of the job, which must be no keywords that make the mesh. */
static sw_status check_ignored(const sw_fem_reading *reading)
{
    for (int i = 0; i < reading->n_ignored; i++)
        for (int k = 0; k < READ; k++)
            if (sw_fem_inp_same_keyword(reading->ignored[i], keywords[k]))
                return sw_error(SW_ERR_RANGE, "*%s makes the mesh: it cannot be ignored", keywords[k]);
    return SW_OK;
}

sw_status sw_fem_mesh_read_inp(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh)
{
    sw_fem_inp_file file = {
        .scope = SW_FEM_INP_PART, .reading = reading, .set_names = {.capitals_as_others = 1}};
    *mesh = NULL;
    SW_TRY(check_ignored(reading));
    SW_TRY(SW_ALLOCATE(file.ignored_is_there, reading->n_ignored, "words of mesh.ignore"));
    sw_status status = sw_deck_open(path, &file.source);
    if (status == SW_OK)
        status = read_mesh(&file);
    sw_deck_close(&file.source);
    sw_fem_inp_free_lists(&file);
    if (status != SW_OK)
        sw_fem_mesh_free(file.mesh);
    else
        *mesh = file.mesh;
    return status;
}
