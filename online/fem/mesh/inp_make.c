/* The mesh of an Abaqus input file, of the lists that inp.c has filled: names and labels are looked up
 * here, when all are there. */
#include "inp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Nodes and elements ---- */

/* Labels of one of the lists, whose entries are `size` bytes apart and begin with label and line. */
static sw_status sort_list(const sw_fem_inp_file *file, const char *what, int64_t n, const void *list,
                           size_t size, sw_fem_labels *labels)
{
    int64_t *label;
    SW_TRY(SW_ALLOCATE(label, n, "labels of a mesh"));
    for (int64_t i = 0; i < n; i++)
        label[i] = *(const int64_t *)((const char *)list + (size_t)i * size);
    free(labels->sorted);
    const sw_status status = sw_fem_labels_sort(n, label, labels);
    free(label);
    SW_TRY(status);
    if (labels->repeated[0] < 0)
        return SW_OK;
    const int64_t *first = (const void *)((const char *)list + (size_t)labels->repeated[0] * size),
                  *again = (const void *)((const char *)list + (size_t)labels->repeated[1] * size);
    return sw_fem_inp_complain(file, again[1], "%s %" PRId64 " is there already, in line %" PRId64, what,
                               first[0], first[1]);
}

static sw_status sort_nodes(sw_fem_inp_file *file)
{
    return sort_list(file, "node", file->n_nodes, file->node, sizeof *file->node, &file->node_labels);
}

static sw_status sort_elements(sw_fem_inp_file *file)
{
    return sort_list(file, "element", file->n_elements, file->element, sizeof *file->element,
                     &file->element_labels);
}

/* The node of an element, by its place there; -1 and a complaint. */
static sw_status find_node(const sw_fem_inp_file *file, const sw_fem_inp_element *element, int v,
                           int32_t *node)
{
    const int64_t label = file->name[element->first + v];
    *node = sw_fem_labels_find(&file->node_labels, label);
    if (*node < 0)
        return sw_fem_inp_complain(file, element->line,
                                   "element %" PRId64 " names node %" PRId64 ", which is not there",
                                   element->label, label);
    return SW_OK;
}

/* Those of the most dimensions make the mesh, unless there are none that can. */
static void number_elements(sw_fem_inp_file *file)
{
    for (const sw_fem_inp_element *e = file->element; e != NULL && e < file->element + file->n_elements; e++)
        if (e->type->plane && e->type->dimension > file->dimension)
            file->dimension = e->type->dimension;
    file->mesh->shape = file->dimension == 3 ? SW_HEX8 : SW_QUAD4;
    for (sw_fem_inp_element *e = file->element; e != NULL && e < file->element + file->n_elements; e++)
        if (e->type->plane && e->type->dimension == file->dimension)
            e->index = (int32_t)file->mesh->n_elements++;
}

static sw_status build_elements(sw_fem_inp_file *file)
{
    sw_fem_mesh *mesh = file->mesh;
    if (file->dimension == 0)
        return sw_fem_inp_complain(
            file, file->source.number,
            "no elements that make a mesh (*ELEMENT of type C3D8, CPS4, CPE4, CAX4, ...)");
    for (const sw_fem_inp_element *e = file->element; e != NULL && e < file->element + file->n_elements; e++)
        if (e->type->dimension == file->dimension && !e->type->plane)
            return sw_fem_inp_complain(file, e->line,
                                       "element %" PRId64 " is a %s, which is no element of a plane mesh",
                                       e->label, e->type->name);
    const int n_nodes = sw_fem_shapes[mesh->shape].n_nodes;
    SW_TRY(SW_ALLOCATE(mesh->node, mesh->n_elements * n_nodes, "elements of a mesh"));
    SW_TRY(SW_ALLOCATE(mesh->element_label, mesh->n_elements, "elements of a mesh"));
    for (const sw_fem_inp_element *e = file->element; e != NULL && e < file->element + file->n_elements;
         e++) {
        if (e->index < 0)
            continue;
        mesh->element_label[e->index] = e->label;
        for (int v = 0; v < n_nodes; v++)
            SW_TRY(find_node(file, e, v, &mesh->node[(int64_t)e->index * n_nodes + v]));
    }
    return SW_OK;
}

/* With the line of the node or element. */
static sw_status report(const sw_fem_inp_file *file, const sw_fem_fault *fault)
{
    int64_t line = file->source.number;
    if (*fault->text == '\0')
        return SW_OK;
    if (fault->node >= 0)
        line = file->node[fault->node].line;
    for (const sw_fem_inp_element *e = file->element; e != NULL && e < file->element + file->n_elements; e++)
        if (fault->element >= 0 && e->index == fault->element)
            line = e->line;
    return sw_fem_inp_complain(file, line, "%s", fault->text);
}

static sw_status build_nodes(sw_fem_inp_file *file)
{
    sw_fem_mesh *mesh = file->mesh;
    double *at;
    sw_fem_fault fault;
    mesh->n_nodes = file->n_nodes;
    SW_TRY(SW_ALLOCATE(mesh->node_label, file->n_nodes, "nodes of a mesh"));
    SW_TRY(SW_ALLOCATE(at, 3 * file->n_nodes, "nodes of a mesh"));
    for (int64_t n = 0; n < file->n_nodes; n++) {
        mesh->node_label[n] = file->node[n].label;
        for (int i = 0; i < 3; i++)
            at[3 * n + i] = file->node[n].at[i] + file->shift[i];
    }
    const sw_status status = sw_fem_mesh_place(mesh, at, &fault);
    free(at);
    SW_TRY(status);
    SW_TRY(report(file, &fault));
    SW_TRY(sw_fem_mesh_find_fault(mesh, &fault));
    return report(file, &fault);
}

/* ---- Sets, looked up ---- */

static sw_status add_index(sw_fem_inp_set *set, int32_t index)
{
    SW_TRY(SW_DECK_ROOM(set->member, set->n));
    set->member[set->n++] = index;
    return SW_OK;
}

/* A node, or an element as the set wants it: itself, its nodes, or its face. */
static sw_status add_found(const sw_fem_inp_file *file, sw_fem_inp_set *set, const sw_fem_inp_entry *entry,
                           int32_t index)
{
    if (set->kind == entry->of)
        return add_index(set, index);
    const sw_fem_inp_element *element = &file->element[index];
    if (set->kind == SW_FEM_NODES) {
        for (int v = 0; v < element->nodes; v++) {
            int32_t node = sw_fem_labels_find(&file->node_labels, file->name[element->first + v]);
            if (node < 0 && element->type == &sw_fem_inp_unread) {
                set->left_out++;
                continue;
            }
            SW_TRY(find_node(file, element, v, &node));
            SW_TRY(add_index(set, node));
        }
        return SW_OK;
    }
    if (element->index < 0 || entry->face >= sw_fem_shapes[file->mesh->shape].n_faces)
        return sw_fem_inp_complain(file, entry->line, "surface %.128s: element %" PRId64 " has no face S%d",
                                   set->name, element->label, entry->face + 1);
    return add_index(set, 8 * element->index + entry->face);
}

static int compare_labels(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int is_left_out(const sw_fem_inp_file *file, int64_t label)
{
    return file->n_left_out > 0 && bsearch(&label, file->left_out, (size_t)file->n_left_out,
                                           sizeof *file->left_out, compare_labels) != NULL;
}

static sw_status look_up_labels(const sw_fem_inp_file *file, sw_fem_inp_set *set,
                                const sw_fem_inp_entry *entry)
{
    const int of_nodes = entry->of == SW_FEM_NODES;
    for (int64_t label = entry->first; label <= entry->last; label += entry->step) {
        const int32_t index =
            sw_fem_labels_find(of_nodes ? &file->node_labels : &file->element_labels, label);
        if (index < 0 && of_nodes && is_left_out(file, label)) {
            set->left_out++;
            continue;
        }
        if (index < 0)
            return sw_fem_inp_complain(file, entry->line, "%.128s: %s %" PRId64 " is not there", set->name,
                                       of_nodes ? "node" : "element", label);
        SW_TRY(add_found(file, set, entry, index));
    }
    return SW_OK;
}

/* The assembly sees its own sets first, then the part's. A set has to come after those that it names, so that
 * they are looked up by now. */
static sw_status look_up_name(const sw_fem_inp_file *file, sw_fem_inp_set *set, const sw_fem_inp_entry *entry)
{
    const sw_fem_inp_set *other = set->scope == SW_FEM_INP_ASSEMBLY && !entry->of_part
                                      ? sw_fem_inp_find_set(file, entry->of, SW_FEM_INP_ASSEMBLY, entry->name)
                                      : NULL;
    if (other == NULL)
        other = sw_fem_inp_find_set(file, entry->of, SW_FEM_INP_PART, entry->name);
    if (other == NULL)
        return sw_fem_inp_complain(file, entry->line, "%.128s: there is no %s set %.128s", set->name,
                                   entry->of == SW_FEM_NODES ? "node" : "element", entry->name);
    if (other == set) /* a surface of nodes may have the name of its node set */
        return SW_OK;
    if (other->kind == set->kind && other > set)
        return sw_fem_inp_complain(file, entry->line,
                                   "%.128s: set %.128s comes after it (line %" PRId64 "): need it before",
                                   set->name, other->name, other->line);
    for (int64_t i = 0; i < other->n; i++)
        SW_TRY(add_found(file, set, entry, other->member[i]));
    return SW_OK;
}

/* Each member once: sets of sets of sets would grow without bounds. */
static sw_status look_up(const sw_fem_inp_file *file, sw_fem_inp_set *set)
{
    for (const sw_fem_inp_entry *entry = set->entry; entry != NULL && entry < set->entry + set->n_entries;
         entry++)
        SW_TRY(entry->name != NULL ? look_up_name(file, set, entry) : look_up_labels(file, set, entry));
    set->n = sw_fem_sort_members(set->n, set->member);
    return SW_OK;
}

/* "name", or "instance.name" of a part's set when the assembly has one of that name. */
static sw_status set_name(const sw_fem_inp_file *file, const sw_fem_inp_set *set, char **name)
{
    *name = NULL;
    if (set->scope == SW_FEM_INP_PART && file->instance != NULL &&
        sw_fem_inp_find_set(file, set->kind, SW_FEM_INP_ASSEMBLY, set->name) != NULL) {
        if (asprintf(name, "%s.%s", file->instance, set->name) < 0)
            *name = NULL;
    } else {
        *name = strdup(set->name);
    }
    return *name != NULL ? SW_OK : sw_error(SW_ERR_MEMORY, "%s: no memory for a name", file->source.path);
}

/* Under the name that it has in the mesh; with its line where that cannot be. */
static sw_status add_named(const sw_fem_inp_file *file, const sw_fem_inp_set *set, const char *name,
                           int64_t n, const int32_t *member)
{
    if (set->kind == SW_FEM_ELEMENTS && strcmp(name, "all") == 0 && n < file->mesh->n_elements)
        return sw_fem_inp_complain(file, set->line,
                                   "element set all has %" PRId64 " of %" PRId64
                                   " elements: need another name for it",
                                   n, file->mesh->n_elements);
    const sw_status status = sw_fem_mesh_add_set(file->mesh, set->kind, name, n, member);
    return status == SW_ERR_INPUT ? sw_fem_inp_complain(file, set->line, "%s", sw_error_message()) : status;
}

/* Sets of an element set's members that have one dimension less than the mesh (n of them), or two. */
static sw_status add_lower(sw_fem_inp_file *file, const sw_fem_inp_set *set, const char *name, int dimension,
                           int64_t n)
{
    const int nodes = dimension == 2 ? 4 : 2;
    int32_t *node;
    int64_t count = 0, stray = -1;
    SW_TRY(SW_ALLOCATE(node, n * nodes, "a set of a mesh"));
    sw_status status = SW_OK;
    for (int64_t i = 0; i < set->n && status == SW_OK; i++) {
        const sw_fem_inp_element *element = &file->element[set->member[i]];
        for (int v = 0; element->type->dimension == dimension && v < nodes && status == SW_OK; v++)
            status = find_node(file, element, v, &node[count++]);
    }
    if (status == SW_OK && dimension == file->dimension - 1)
        status = sw_fem_mesh_add_facets(file->mesh, name, n, node, &stray);
    else if (status == SW_OK && sw_fem_mesh_set(file->mesh, SW_FEM_NODES, name) == NULL)
        status = sw_fem_mesh_add_set(file->mesh, SW_FEM_NODES, name, count, node);
    free(node);
    SW_TRY(status);
    for (int64_t i = 0; i < set->n && stray >= 0; i++) {
        const sw_fem_inp_element *element = &file->element[set->member[i]];
        if (element->type->dimension == dimension && stray-- == 0)
            return sw_fem_inp_complain(file, element->line,
                                       "element %" PRId64 " of set %.128s is no face of a %s", element->label,
                                       set->name, sw_fem_shapes[file->mesh->shape].name);
    }
    return SW_OK;
}

static sw_status add_element_set(sw_fem_inp_file *file, const sw_fem_inp_set *set, const char *name)
{
    int64_t n[4] = {0}; /* members by dimension */
    int32_t *member;
    SW_TRY(SW_ALLOCATE(member, set->n, "a set of a mesh"));
    for (int64_t i = 0; i < set->n; i++) {
        const sw_fem_inp_element *element = &file->element[set->member[i]];
        if (element->index >= 0)
            member[n[file->dimension]] = element->index;
        n[element->type->dimension]++;
    }
    sw_status status = SW_OK;
    if (n[file->dimension] > 0 || set->n == 0)
        status = add_named(file, set, name, n[file->dimension], member);
    free(member);
    for (int d = file->dimension - 1; d > 0 && status == SW_OK; d--)
        if (n[d] > 0)
            status = add_lower(file, set, name, d, n[d]);
    return status;
}

static sw_status add_set(sw_fem_inp_file *file, const sw_fem_inp_set *set)
{
    char *name;
    if (set->n == 0 && set->left_out > 0)
        return SW_OK;
    SW_TRY(set_name(file, set, &name));
    const sw_status status = set->kind == SW_FEM_ELEMENTS ? add_element_set(file, set, name)
                                                          : add_named(file, set, name, set->n, set->member);
    free(name);
    return status;
}

static sw_status look_up_sets(sw_fem_inp_file *file, sw_fem_set_kind kind)
{
    for (sw_fem_inp_set *set = file->set; set != NULL && set < file->set + file->n_sets; set++)
        if (set->kind == kind)
            SW_TRY(look_up(file, set));
    return SW_OK;
}

/* Element sets are looked up by now, as others name them, and added last, so that the sets of their facets do
 * not take a name that the file gives to another. */
static sw_status build_sets(sw_fem_inp_file *file)
{
    static const sw_fem_set_kind added[] = {SW_FEM_NODES, SW_FEM_SURFACE, SW_FEM_ELEMENTS};
    SW_TRY(look_up_sets(file, SW_FEM_NODES));
    SW_TRY(look_up_sets(file, SW_FEM_SURFACE));
    for (int k = 0; k < 3; k++)
        for (const sw_fem_inp_set *set = file->set; set != NULL && set < file->set + file->n_sets; set++)
            if (set->kind == added[k])
                SW_TRY(add_set(file, set));
    return SW_OK;
}

/* ---- Elements that would carry load ---- */

/* Its elements are left out, by whatever name; of the body's own, which stay, that is doubted. */
static void ignore_set(sw_fem_inp_file *file, const sw_fem_inp_set *set)
{
    int64_t solids = 0;
    for (int64_t i = 0; i < set->n; i++) {
        sw_fem_inp_element *element = &file->element[set->member[i]];
        solids += element->index >= 0;
        element->ignored = 1;
        if (element->index < 0 && element->type->dimension == file->dimension) /* shells in a plane */
            element->type = &sw_fem_inp_unread;
    }
    if (solids == set->n)
        sw_warn("%s: mesh.ignore: all elements of set %.64s make the body, which they still do: shells, "
                "membranes and "
                "bars are left out",
                file->source.path, set->name);
}

/* Whether a line that makes an element carry load may be passed over. What an element of the mesh has is no matter where the
 * job says it; what is not read of it may change what is computed. */
static int may_pass(const sw_fem_inp_element *element, const sw_fem_inp_section *section)
{
    const int in_mesh = element->index >= 0;
    return section->complaint != NULL ? element->ignored && !in_mesh : element->ignored || in_mesh;
}

static sw_status complain_of(const sw_fem_inp_file *file, const sw_fem_inp_section *section,
                             const sw_fem_inp_set *set, int64_t n, const sw_fem_inp_element *first)
{
    if (section->complaint != NULL)
        return sw_fem_inp_complain(file, section->line, "%s", section->complaint);
    return sw_fem_inp_complain(file, section->line,
                               "*%s: %" PRId64 " element%s of set %.64s, the first of them %" PRId64
                               " of type %s, would carry load beside the %s, which is not supported; "
                               "mesh.ignore: [%.64s] leaves them out",
                               section->keyword, n, n == 1 ? "" : "s", set->name, first->label,
                               first->spelt >= 0 ? file->reading->type[first->spelt].name : first->type->name,
                               sw_fem_shapes[file->mesh->shape].name, set->name);
}

/* Elements of lower dimension make sets, as meshers write them; with a section of their own they are meant to carry load,
 * and leaving them out changes the answer. */
static sw_status check_section(const sw_fem_inp_file *file, const sw_fem_inp_section *section)
{
    const sw_fem_inp_set *set = section->set != NULL ? sw_fem_inp_find_elements(file, section->set) : NULL;
    const sw_fem_inp_element *first = NULL;
    const int64_t most = set != NULL ? set->n : section->last - section->first;
    int64_t n = 0;
    if (section->set != NULL && set == NULL) {
        if (sw_fem_inp_ignores_set(file, section->set))
            return SW_OK;
        return section->complaint != NULL
                   ? complain_of(file, section, NULL, 0, NULL)
                   : sw_fem_inp_complain(
                         file, section->line,
                         "*%s: no elements are in a set %.64s: which have this section is not known; "
                         "mesh.ignore: [%.64s] leaves it out",
                         section->keyword, section->set, section->set);
    }
    for (int64_t i = 0; i < most; i++) {
        const sw_fem_inp_element *element = &file->element[set != NULL ? set->member[i] : section->first + i];
        if (!may_pass(element, section) && n++ == 0)
            first = element;
    }
    return n > 0 ? complain_of(file, section, set, n, first) : SW_OK;
}

/* Elements that are not read come first, as there may be no mesh without them. */
static sw_status check_sections(const sw_fem_inp_file *file)
{
    for (int by_set = 0; by_set < 2; by_set++)
        for (int64_t i = 0; i < file->n_sections; i++)
            if ((file->section[i].set != NULL) == by_set && (!by_set || file->dimension > 0))
                SW_TRY(check_section(file, &file->section[i]));
    return SW_OK;
}

/* ---- Nodes that go with elements ---- */

/* has [n_nodes] is 1 for nodes of elements that are left out, or of the others. */
static void mark_nodes(const sw_fem_inp_file *file, int out, unsigned char *has)
{
    for (const sw_fem_inp_element *e = file->element; e != NULL && e < file->element + file->n_elements; e++)
        for (int v = 0; (e->ignored && e->index < 0) == out && v < e->nodes; v++) {
            const int32_t node = sw_fem_labels_find(&file->node_labels, file->name[e->first + v]);
            if (node >= 0)
                has[node] = 1;
        }
}

/* Nodes of elements that are left out, and of no others, go with them; such an element makes no set then. */
static sw_status leave_nodes_out(sw_fem_inp_file *file)
{
    unsigned char *out, *stays;
    int64_t n = 0;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(out, 2 * file->n_nodes, "nodes of a mesh"));
    stays = out + file->n_nodes;
    mark_nodes(file, 1, out);
    mark_nodes(file, 0, stays);
    for (int64_t i = 0; i < file->n_nodes && status == SW_OK; i++)
        if (!out[i] || stays[i]) {
            file->node[n++] = file->node[i];
        } else {
            status = SW_DECK_ROOM(file->left_out, file->n_left_out);
            if (status == SW_OK)
                file->left_out[file->n_left_out++] = file->node[i].label;
        }
    free(out);
    if (status != SW_OK || file->n_left_out == 0)
        return status;
    file->n_nodes = n;
    qsort(file->left_out, (size_t)file->n_left_out, sizeof *file->left_out, compare_labels);
    SW_TRY(sort_nodes(file));
    for (sw_fem_inp_element *e = file->element; e < file->element + file->n_elements; e++)
        for (int v = 0; e->ignored && e->index < 0 && v < e->nodes; v++)
            if (is_left_out(file, file->name[e->first + v]))
                e->type = &sw_fem_inp_unread;
    return SW_OK;
}

/* ---- The whole ---- */

sw_status sw_fem_inp_make_mesh(sw_fem_inp_file *file)
{
    SW_TRY(SW_ALLOCATE(file->mesh, 1, "a mesh"));
    SW_TRY(sort_nodes(file));
    SW_TRY(sort_elements(file));
    number_elements(file);
    SW_TRY(look_up_sets(file, SW_FEM_ELEMENTS));
    for (const sw_fem_inp_set *set = file->set; set != NULL && set < file->set + file->n_sets; set++)
        if (set->kind == SW_FEM_ELEMENTS && sw_fem_inp_ignores_set(file, set->name))
            ignore_set(file, set);
    SW_TRY(check_sections(file));
    if (file->n_nodes == 0)
        return sw_fem_inp_complain(file, file->source.number, "no nodes (*NODE)");
    SW_TRY(leave_nodes_out(file));
    SW_TRY(build_elements(file));
    SW_TRY(build_nodes(file));
    SW_TRY(build_sets(file));
    return SW_OK;
}
