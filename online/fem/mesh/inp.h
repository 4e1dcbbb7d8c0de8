/* Abaqus' input files as they stand: lists of nodes, elements and sets, each entry with its line. inp.c fills
 * them with what the keywords say; inp_make.c makes the mesh of them, looking up names and labels when all
 * are there. */
#ifndef SW_ONLINE_FEM_MESH_INP_H
#define SW_ONLINE_FEM_MESH_INP_H

#include "common/files/names.h"
#include "online/fem/cards/lines.h"
#include "readers.h"

enum { SW_FEM_INP_SKIPPED = 44 }; /* keywords that may be skipped */
enum { SW_FEM_INP_MOST_READ = 16 };

/* By the beginning of an Abaqus type; what follows (R, I, H, T, ...) is no digit. */
typedef struct {
    const char *name;
    int nodes, dimension;
    int plane;        /* may be a mesh by itself; others only make sets */
    int kinematics;   /* of sw_fem_kinematics; -1: there is none like it */
    const char *says; /* "plane strain" */
} sw_fem_inp_type;

/* By the beginning of a name; NULL: none. */
const sw_fem_inp_type *sw_fem_inp_find_type(const char *name);
/* Of elements that are in the way of a mesh until the job ignores them. */
extern const sw_fem_inp_type sw_fem_inp_unread;

typedef struct {
    int64_t label, line;
    double at[3];
} sw_fem_inp_node;

typedef struct {
    int64_t label, line, first; /* first of its node labels */
    int32_t nodes;              /* their number */
    const sw_fem_inp_type *type;
    int32_t index;         /* in the mesh, -1: of lower dimension */
    int32_t spelt;         /* its type as the file has it, of reading->type; -1: there were too many */
    unsigned char ignored; /* of a set that the job's mesh.ignore names */
} sw_fem_inp_element;

/* A line that makes elements carry load: a section that the job gives to those of the mesh (keyword), or what is not read
 * (complaint), of a set or, with set NULL, of elements first to last - 1 of the list. */
typedef struct {
    const char *keyword;
    char *complaint, *set;
    int64_t line, first, last;
} sw_fem_inp_section;

typedef struct {
    char *name; /* of another set; NULL: labels first, first + step, ... last */
    int64_t first, last, step, line;
    sw_fem_set_kind of; /* whose labels these are: a surface's may be nodes or elements */
    int face;           /* from 0, of a surface */
    int of_part;        /* the name is the part's, though the assembly may have it too */
} sw_fem_inp_entry;

/* Part and assembly have names of their own. */
typedef enum { SW_FEM_INP_PART, SW_FEM_INP_ASSEMBLY } sw_fem_inp_scope;

typedef struct {
    char *name;
    sw_fem_set_kind kind;
    sw_fem_inp_scope scope;
    int64_t line, n_entries;
    sw_fem_inp_entry *entry;
    int64_t n;        /* members once looked up: indices into the lists of nodes or elements, or faces */
    int64_t left_out; /* and those that are left out */
    int32_t *member;
} sw_fem_inp_set;

/* Lists without entries are NULL, to which nothing may be added, not even 0: loops ask for their number first. */
typedef struct {
    sw_deck_source source;

    int n_parts, n_instances;
    sw_fem_inp_scope scope;
    char *instance;
    double shift[3]; /* of the instance, m */
    int64_t n_nodes, n_elements, n_names, n_sets, n_sections;
    sw_fem_inp_node *node;
    sw_fem_inp_element *element;
    int32_t *name; /* node labels of the elements */
    sw_fem_inp_set *set;
    sw_fem_inp_section *section;
    int64_t n_left_out;
    int64_t *left_out;  /* labels of nodes that only elements have that the job ignores */
    sw_names set_names; /* where the sets are; capitals as others */

    sw_fem_labels node_labels, element_labels;
    int dimension;
    sw_fem_mesh *mesh;

    sw_fem_reading *reading;         /* borrowed */
    unsigned char *ignored_is_there; /* [reading->n_ignored] */
    unsigned char skipped[SW_FEM_INP_SKIPPED];
} sw_fem_inp_file;

/* SW_ERR_INPUT with file and line, the first one for 0. */
__attribute__((format(printf, 3, 4))) sw_status sw_fem_inp_complain(const sw_fem_inp_file *file, int64_t line,
                                                                    const char *format, ...);
#ifdef __clang_analyzer__ /* which cannot see into another file what comes back */
#define sw_fem_inp_complain(...) ((void)sw_fem_inp_complain(__VA_ARGS__), SW_ERR_INPUT)
#endif

int sw_fem_inp_same_keyword(const char *a, const char *b); /* a star before it does not matter */

/* Whether the job's mesh.ignore names an element set; NULL: there is none. */
int sw_fem_inp_ignores_set(const sw_fem_inp_file *file, const char *set);
/* SW_ERR_RANGE for a word of it that is no keyword, and no element set of the file. */
sw_status sw_fem_inp_check_ignored(const sw_fem_inp_file *file);

/* What the command at hand says of an element set, or of elements of the list from `first` on that will be read; complaint
 * and set are copied. SW_ERR_MEMORY. */
sw_status sw_fem_inp_add_section(sw_fem_inp_file *file, const char *keyword, const char *complaint,
                                 const char *set);

/* A keyword that is none of read [n_read]: SW_OK where it may be skipped, or its set be ignored, and then its data lines
 * are skipped, too; else SW_ERR_INPUT. */
sw_status sw_fem_inp_skip(sw_fem_inp_file *file, int n_read, const char *const *read);
/* One warning of all that were. */
void sw_fem_inp_tell_skipped(const sw_fem_inp_file *file);

/* A set that is not there yet: *place. SW_ERR_MEMORY. */
sw_status sw_fem_inp_new_set(sw_fem_inp_file *file, sw_fem_set_kind kind, const char *name, int64_t *place);
/* The set of this name, in capitals or not; NULL when there is none. */
sw_fem_inp_set *sw_fem_inp_find_set(const sw_fem_inp_file *file, sw_fem_set_kind kind, sw_fem_inp_scope scope,
                                    const char *name);

/* Of elements, of the part or the assembly. */
const sw_fem_inp_set *sw_fem_inp_find_elements(const sw_fem_inp_file *file, const char *name);

void sw_fem_inp_free_lists(sw_fem_inp_file *file);

/* file->mesh of the lists, without the set all; the caller's also when it failed. SW_ERR_INPUT,
 * SW_ERR_MEMORY. */
sw_status sw_fem_inp_make_mesh(sw_fem_inp_file *file);

#endif
