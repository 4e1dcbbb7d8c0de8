#include <stdlib.h>

#include "backend.h"
#include "common/system/threads.h"
#include "online/fem/mesh/lattice.h"

enum { COLOUR_NS = 2, PIECES = 64, MOST_COLOURS = 64 };

/* Piece by piece of the elements: how many of each colour, where they begin, and then each to its place. */
static void sort_pieces(int64_t n, const uint8_t *colour, int n_colours, int64_t *first, int32_t *coloured)
{
    int64_t place[PIECES][MOST_COLOURS] = {{0}}, next = 0;
    const int64_t size = n / PIECES + 1;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, COLOUR_NS))
    for (int64_t piece = 0; piece < PIECES; piece++)
        for (int64_t e = piece * size; e < (piece + 1) * size && e < n; e++)
            place[piece][colour[e]]++;
    for (int i = 0; i < n_colours; i++) {
        for (int piece = 0; piece < PIECES; piece++) {
            const int64_t many = place[piece][i];
            place[piece][i] = next;
            next += many;
        }
        first[i + 1] = next;
    }
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, COLOUR_NS))
    for (int64_t piece = 0; piece < PIECES; piece++)
        for (int64_t e = piece * size; e < (piece + 1) * size && e < n; e++)
            coloured[place[piece][colour[e]]++] = (int32_t)e;
}

/* Elements by colour, ascending within each: a stable counting sort of colour [E]. */
static sw_status sort_by_colour(int64_t n, const uint8_t *colour, int n_colours, int64_t **first,
                                int32_t **coloured)
{
    *first = NULL;
    *coloured = NULL;
    SW_TRY(SW_ALLOCATE(*first, n_colours + 1, "colours"));
    const sw_status status = SW_ALLOCATE(*coloured, n, "elements by colour");
    if (status != SW_OK) {
        free(*first);
        *first = NULL;
        return status;
    }
    sort_pieces(n, colour, n_colours, *first, *coloured);
    return SW_OK;
}

/* Greedy: the lowest colour that no element sharing a node has; a word of taken colours a node. */
static sw_status colour_greedily(const sw_fem_mesh *mesh, uint8_t *colour, int *n_colours)
{
    const int V = sw_fem_shapes[mesh->shape].n_nodes;
    uint64_t *taken;
    *n_colours = 0;
    SW_TRY(SW_ALLOCATE(taken, mesh->n_nodes, "colours of nodes"));
    for (int64_t e = 0; e < mesh->n_elements; e++) {
        uint64_t near = 0;
        for (int a = 0; a < V; a++)
            near |= taken[mesh->node[e * V + a]];
        if (near == UINT64_MAX) {
            free(taken);
            return sw_error(SW_ERR_RANGE, "element %lld: its nodes' other elements need all of 64 colours",
                            sw_fem_element_label(mesh, e));
        }
        const int own = __builtin_ctzll(~near);
        for (int a = 0; a < V; a++)
            taken[mesh->node[e * V + a]] |= (uint64_t)1 << own;
        colour[e] = (uint8_t)own;
        if (own + 1 > *n_colours)
            *n_colours = own + 1;
    }
    free(taken);
    return SW_OK;
}

static void colour_lattice(const sw_fem_lattice *lattice, uint8_t *colour)
{
    const int32_t *n = lattice->n;
    const int64_t rows = sw_fem_lattice_cells(n) / n[0];
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(rows *n[0], COLOUR_NS))
    for (int64_t row = 0; row < rows; row++)
        for (int64_t x = 0; x < n[0]; x++) {
            const int64_t y = row % n[1], z = row / n[1];
            const int32_t element = lattice->element[row * n[0] + x];
            if (element >= 0)
                colour[element] = (uint8_t)((x & 1) | (y & 1) << 1 | (z & 1) << 2);
        }
}

sw_status sw_fem_colour(const sw_fem_mesh *mesh, int *n_colours, int64_t **first, int32_t **coloured)
{
    uint8_t *colour;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(colour, mesh->n_elements, "colours of elements"));
    if (mesh->lattice) {
        *n_colours = mesh->shape == SW_HEX8 ? 8 : 4;
        colour_lattice(mesh->lattice, colour);
    } else {
        status = colour_greedily(mesh, colour, n_colours);
    }
    if (status == SW_OK)
        status = sort_by_colour(mesh->n_elements, colour, *n_colours, first, coloured);
    free(colour);
    return status;
}
