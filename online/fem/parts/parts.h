/* A body split over processes (MPI), a part of its elements each.
 *
 * A process has all nodes of its elements, so that a node between parts is in each of them. Vectors have the same bits
 * there in all parts. What elements add up (forces, products with the tangent, diagonal blocks of it) is summed over
 * a node's parts, in the order of their numbers. One of a node's parts, the last, owns it: scalar products count it
 * there. A part numbers the nodes that it owns first, then the others, both as they ascend in the whole mesh.
 * Parts of bodies of cells have lattices of their own, which begin where coarse cells do.
 *
 * The unknowns after the nodes', of tools, are in all parts; the last part counts them. A node that a tool may touch is
 * an entry of each of its parts, which all find the same force; its owner adds it to what is summed.
 *
 *     partition.c                    which element belongs to which part
 *     division.c                     who has what, and which nodes lie between parts
 *     problem.c                      the problem of a part
 *     exchange.c, exchange_cuda.cu   sums over the parts of a node
 *     gather.c                       rows of all parts, on rank 0
 *     matrix.c                       the matrix that parts' come to, on rank 0 or on all
 *     parts.c                        the functions of an analysis in parts
 *
 * Dimensions: E elements and N nodes of the whole mesh, P parts, e elements and n nodes of this part, c unknowns of a
 * node. */
#ifndef SW_ONLINE_FEM_PARTS_PARTS_H
#define SW_ONLINE_FEM_PARTS_PARTS_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Who has what ---- */

/* Parts [E] of about equally many elements, none without: of a body of cells runs of its elements, layer by layer
 * across the longest side; of other meshes by METIS where the build has it, else halves of halves across the longest side.
 * The same on every process. SW_ERR_RANGE: more parts than elements; SW_ERR_MEMORY. */
sw_status sw_fem_partition(const sw_fem_mesh *mesh, int periodic, int n_parts, int32_t *part_of);
/* How often the cells of a body in space can be made coarser, two by two by two, so that each is of one part only: as
 * often as parts stay even to 2 %. */
int sw_fem_halvings(const sw_fem_mesh *mesh, int periodic, int n_parts);
/* Cells along each side that then are one. */
void sw_fem_together(const sw_fem_lattice *lattice, int periodic, int halvings, int32_t together[3]);
/* The same without METIS, of any mesh. */
sw_status sw_fem_bisect(const sw_fem_mesh *mesh, int n_parts, int32_t *part_of);

typedef struct {
    int n_parts, part;       /* P; this one's number */
    int halvings;            /* sw_fem_halvings */
    const sw_fem_mesh *mesh; /* the whole one, borrowed */
    int32_t *original;       /* [N] of a periodic body, the node that each is a copy of; else NULL */
    /* Elements of part 0, 1, ..., ascending in each; nodes by owner likewise (copies: the rest of `owned`). */
    int64_t *first_element, *first_node; /* [P + 1] */
    int32_t *element, *owned;            /* [E], [N] */
    int64_t n_elements, n_nodes, n_owned;
    const int32_t *own_element; /* [e] numbers in the whole mesh: within `element` */
    int32_t *node;              /* [n] numbers in the whole mesh */
    /* Nodes that this part has in common with others, as they ascend in the whole mesh. */
    int n_neighbours;
    int *neighbour;       /* [n_neighbours] their parts, ascending */
    int64_t *first_sent;  /* [n_neighbours + 1] */
    int32_t *sent;        /* [first_sent[n_neighbours]] nodes of this part */
    int64_t n_shared;     /* nodes that others have, too: */
    int32_t *shared;      /* [n_shared] */
    int64_t *first_share; /* [n_shared + 1] */
    int64_t *share; /* in the order of parts: place among what is received, as `sent`; -1: this part's */
} sw_fem_division;

/* Part number `part` of n_parts. Errors of sw_fem_partition. Released with sw_fem_division_free, made or half made. Of a
 * periodic mesh a node and its copies are one node between parts, for which the original stands; a part with a copy has the
 * original, too, and its copies are the last of its nodes. */
sw_status sw_fem_divide(const sw_fem_mesh *mesh, int periodic, int n_parts, int part,
                        sw_fem_division *division);
/* The same of given parts [E]; of the mesh nodes and elements are used alone. */
sw_status sw_fem_divide_by(const sw_fem_mesh *mesh, const int32_t *part_of, int n_parts, int part,
                           sw_fem_division *division);
void sw_fem_division_free(sw_fem_division *division);

/* An element's part; its number there goes to *number. */
int sw_fem_find_element(const sw_fem_division *division, int64_t element, int64_t *number);

/* ---- The problem of a part ---- */

typedef struct {
    sw_fem_problem problem; /* materials borrowed */
    sw_fem_mesh mesh;      /* with the whole mesh's labels; without sets; its lattice is that of its cells, */
    int32_t first_cell[3]; /* which begins here in the whole one */
    uint8_t *material_of;
    sw_fem_case *load;
    sw_fem_set *surface; /* of the cases' pressures */
} sw_fem_part_problem;

/* Prescribed values and forces of a node are in all its parts; faces where their element is. SW_ERR_MEMORY. Released
 * with sw_fem_part_problem_free, made or half made. */
sw_status sw_fem_part_problem_make(const sw_fem_problem *whole, const sw_fem_division *division,
                                   sw_fem_part_problem *part);
void sw_fem_part_problem_free(sw_fem_part_problem *part);

/* The number in the whole of unknown i of the part: those after the nodes' are the same. */
int64_t sw_fem_whole_unknown(const sw_fem_division *division, int c, int64_t i);

/* ---- Sums over the parts of a node ---- */

/* Values [n][width] of nodes, on the device; width <= most_width. Numbers are double, but of the last one. */
typedef struct {
    sw_status (*open)(const sw_fem_division *division, int most_width, void **work);
    void (*close)(void *work);                            /* NULL is fine */
    sw_status (*sum)(void *work, int width, void *value); /* of all parts; called by all together */
    /* n numbers that each part has, as unknowns of tools: their sums over all; few. Likewise. */
    sw_status (*sum_all)(void *work, int64_t n, double *value);
    sw_status (*clear)(void *work, int64_t first, int64_t n, void *value); /* zero from number `first` */
    /* sum and clear go to this stream of the device from now on. 0: they do not, since they take part of the host. NULL: likewise. */
    int (*queue)(void *work, void *stream);
    /* The end of a scalar product: the sum over all parts of n numbers of the device, to memory of the host that it can write. Waits.
     * NULL: the host adds up what the device's products are. */
    sw_status (*sum_partial)(void *work, int n, const double *partial, double *sum);
} sw_fem_exchange;
extern const sw_fem_exchange sw_fem_exchange_cpu, sw_fem_exchange_cuda, sw_fem_exchange_cuda_single;

/* ---- To rank 0 ---- */

/* Rows of so many bytes, of this part's elements or of its nodes, to rank 0's `whole`, which other ranks do not use.
 * place [E]: where an element's row goes, -1: it has none, in `part` neither; NULL: to its number.
 * Called by all together; a failure of one is that of all. SW_ERR_MEMORY. */
sw_status sw_fem_gather_elements(const sw_fem_division *division, const int64_t *place, int64_t bytes,
                                 const void *part, void *whole);
/* The same of n rows of other things: those of part k, in its order, go to of[first[k]] ... of[first[k + 1] - 1]. */
sw_status sw_fem_gather_rows(const sw_fem_division *division, int64_t n, const int64_t *first,
                             const int32_t *of, int64_t bytes, const void *part, void *whole);
sw_status sw_fem_gather_nodes(const sw_fem_division *division, int64_t bytes, const void *part, void *whole);
/* To all: rows of nodes, and of elements, to their numbers in the whole; copies have none. Few. */
sw_status sw_fem_collect_nodes(const sw_fem_division *division, int64_t bytes, const void *part, void *whole);
sw_status sw_fem_collect_elements(const sw_fem_division *division, int64_t bytes, const void *part,
                                  void *whole);

/* ---- A matrix ---- */

/* Entries of `size` numbers each that a part has, at row and column of the whole, each once. */
typedef struct {
    int to_all;         /* all processes get the whole; else rank 0 alone */
    int diagonal_first; /* of a row of the whole, whose columns ascend else */
    int size;
    int64_t n_rows, n;
    const int64_t (*at)[2]; /* [n] */
} sw_fem_matrix_entries;

/* What they come to: sums in the order of parts. row, column, value and place where the whole is had, else NULL. */
typedef struct {
    int to_all, size, n_parts;
    int64_t n;             /* rows */
    int64_t *first;        /* [P + 1] entries of parts */
    int64_t *row, *column; /* [n + 1], [row[n]] */
    double *value;         /* [row[n]][size] */
    int64_t *place;        /* [first[P]] where a part's entry goes */
} sw_fem_whole_matrix;

/* The pattern, then values [n][size] of this part's entries; called by all together. SW_ERR_MEMORY, of one alone. Released with
 * sw_fem_whole_matrix_free, made or half made. */
sw_status sw_fem_whole_matrix_open(const sw_fem_division *division, const sw_fem_matrix_entries *entries,
                                   sw_fem_whole_matrix *matrix);
sw_status sw_fem_whole_matrix_fill(const double *part, sw_fem_whole_matrix *matrix);
void sw_fem_whole_matrix_free(sw_fem_whole_matrix *matrix);
int64_t sw_fem_whole_matrix_bytes(const sw_fem_whole_matrix *matrix);

/* ---- An analysis in parts ---- */

typedef struct sw_fem_parts {
    const sw_fem_problem *whole;
    sw_fem_division division;
    sw_fem_part_problem part;
    const sw_fem_backend *device; /* whose functions `backend` calls for this part */
    sw_fem_backend backend;
    const sw_fem_exchange *exchange;
    void *exchange_work;
    int64_t
        whole_nodes; /* a level of multigrid after the first that has at most so many is whole in each process */
    /* Of the whole body, the opener's; NULL: no tools, not periodic. */
    struct sw_fem_contact *contact;
    struct sw_fem_periodic *periodic;
    /* Its entries by the part that owns them, which has theirs in this order. */
    int64_t *first_entry; /* [P + 1] */
    int32_t *entry;       /* [entries of the whole] */
} sw_fem_parts;

/* fem->parts and fem->problem become those of this process when there are several; else nothing. fem->contact, which is
 * open, goes to the parts, and one of this process takes its place. Other operators than `points` are not for parts. Errors of sw_fem_divide. fem->parts goes with
 * sw_fem_parts_close. */
sw_status sw_fem_parts_open(sw_fem *fem);
void sw_fem_parts_close(sw_fem *fem);

/* Between parts: fem->backend, which is open, does all that follows for the parts together. */
sw_status sw_fem_parts_join(sw_fem *fem, const sw_fem_exchange *exchange);

/* What elements have added up at nodes [n][width]: of all parts. Nothing without parts. */
sw_status sw_fem_parts_sum(const sw_fem *fem, int width, double *value);
/* Host arrays of n numbers: their sums over the parts, the same bits on all. Nothing without parts. */
void sw_fem_parts_sum_numbers(const sw_fem *fem, int64_t n, double *value);

#ifdef __cplusplus
}
#endif

#endif
