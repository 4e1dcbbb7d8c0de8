/* Levels of multigrid over processes (online/fem/parts).
 *
 * A body's parts are made of whole cells of its first levels (division.halvings of them), so that a coarse cell and its
 * parts are one process', and a level is divided as the finest is. Each process has a lattice of its own cells, and
 * shares nodes with others as it does on the finest level. From the last of these levels on, which has few cells, each
 * process has all of it, a hierarchy of its own (the rest), and does the same as the others.
 *
 * Vectors of levels have the same numbers in all parts of a node but for what is added up; then
 *
 *     K d       of each part's cells, summed over the parts of a node
 *     P' r      each node of the finer level counts where it is owned, or r is not summed yet; then sums likewise
 *     P x       where the node is
 *
 * so that a cycle is one process' but for the order of sums.
 *
 *     divided.c                 levels, the rest, and a cycle's functions over processes
 *     multigrid.c, present.c    call it where hierarchy->divided */
#ifndef SW_ONLINE_FEM_PRECONDITION_DIVIDED_H
#define SW_ONLINE_FEM_PRECONDITION_DIVIDED_H

#include "multigrid.h"
#include "online/fem/parts/parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A level of the whole body. */
typedef struct {
    int32_t n[3];
    sw_fem_mesh mesh;                /* of a coarser one: numbers of nodes and cells */
    sw_fem_division made;            /* of it */
    const sw_fem_division *division; /* that, or the analysis' */
    void *exchange;                  /* sums of double numbers on the host, 9 a node at most */
} sw_fem_divided_part;

struct sw_fem_divided {
    const sw_fem_parts *parts;
    int n_levels;
    sw_fem_divided_part level[SW_FEM_MOST_LEVELS];
    int32_t low[3];   /* where this part's lattice begins in the last level's */
    int32_t *part_of; /* [cells of the last level] -1: void */
    sw_fem_level
        whole; /* of the last level n, size, node, point, n_nodes, room for fixed; of the finest nothing */
};

/* ---- For multigrid.c ---- */

/* hierarchy->divided with the finest level, NULL of one process. SW_ERR_MEMORY, as all below. */
sw_status sw_fem_divided_open(const sw_fem *fem, sw_fem_hierarchy *hierarchy);
void sw_fem_divided_close(struct sw_fem_divided *divided); /* NULL is fine */
/* Cells and nodes of the last level, of all processes; whether parts are of whole cells of the next one, and are to have parts of it. */
const int32_t *sw_fem_divided_cells(const sw_fem_hierarchy *hierarchy);
int64_t sw_fem_divided_nodes(const sw_fem_hierarchy *hierarchy);
int sw_fem_divided_goes_on(const sw_fem_hierarchy *hierarchy);
/* What the finest level counts, its numbers, which of its ends are one; and then nodes. */
sw_status sw_fem_divided_finest(const sw_fem_hierarchy *hierarchy, sw_fem_level *level);
/* The nodes of the next level; level->n and factor are there. */
sw_status sw_fem_divided_coarser(sw_fem_hierarchy *hierarchy, sw_fem_level *level);
/* Bits of fixed unknowns that any part of a node has. */
sw_status sw_fem_divided_fixed(const sw_fem_hierarchy *hierarchy, int level);
/* Host numbers of nodes: sums over their parts. */
sw_status sw_fem_divided_sum(const sw_fem_hierarchy *hierarchy, int level, int width, double *value);
/* The last level whole, as level 0 of a hierarchy, without diagonals. */
sw_status sw_fem_divided_whole(const sw_fem_hierarchy *hierarchy, sw_fem_level *whole);

/* ---- For devices ---- */

/* A cycle over processes in terms of a process' functions. */
typedef struct {
    const sw_fem_hierarchy *hierarchy;
    sw_fem_cycle_functions on; /* coarsest: what it calls has r of its nodes and wants x, of all together */
    /* What the device's functions can: r is summed no sooner than smooth wants it, so once for what is restricted and what comes
     * back; and reduce takes r as 0, but where it is shares, of nodes that do not count in sums, which else are cleared before. */
    int defers, counts;
    int shares[SW_FEM_MOST_LEVELS]; /* r is each part's share, yet to be summed */
    const sw_fem_exchange *exchange;
    void *exchange_work[SW_FEM_MOST_LEVELS];
    sw_status status; /* of what went wrong on the way */
} sw_fem_divided_cycle;

/* Opens exchanges of three numbers a node, more where `width` says so. Closed made or half made. */
sw_status sw_fem_divided_cycle_open(const sw_fem_hierarchy *hierarchy, const sw_fem_exchange *exchange,
                                    int width, sw_fem_divided_cycle *cycle);
void sw_fem_divided_cycle_close(sw_fem_divided_cycle *cycle);
sw_fem_cycle_functions sw_fem_divided_functions(sw_fem_divided_cycle *cycle);

/* Rows of the last level's nodes, or of its cells as the level numbers them, to all. */
sw_status sw_fem_divided_collect(const sw_fem_hierarchy *hierarchy, int64_t bytes, const void *part,
                                 void *whole);
sw_status sw_fem_divided_collect_cells(const sw_fem_hierarchy *hierarchy, int64_t bytes, const void *part,
                                       void *whole);
/* Where these cells' rows go. */
const int32_t *sw_fem_divided_own_cells(const sw_fem_hierarchy *hierarchy);

#ifdef __cplusplus
}
#endif

#endif
