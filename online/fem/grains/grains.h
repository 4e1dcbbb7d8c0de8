/* Which grain each element is of: Voronoi's cells around seeds, or numbers from a file. Grains are numbered from 0, as
 * the crystals of a texture are; elements as the mesh has them, which is along x first, then y, then z in bodies of
 * cells. Dimensions: E elements, G grains. */
#ifndef SW_ONLINE_FEM_GRAINS_GRAINS_H
#define SW_ONLINE_FEM_GRAINS_GRAINS_H

#include "common/system/status.h"
#include "slipwave/fem.h"

/* G places at random (of a seed, the same everywhere), uniform in the bounding box of a body of cells: place [G][3] m,
 * caller's, z = 0 in the plane. */
void sw_fem_grain_seeds(const sw_fem_mesh *mesh, uint64_t seed, int64_t n_grains, double (*place)[3]);

/* Three numbers a line (two in the plane, m, '#' begins a comment) -> *place [*n_grains][3], released with free().
 * SW_ERR_INPUT names file and line: other numbers, places outside the bounding box, no place at all; SW_ERR_IO,
 * SW_ERR_MEMORY. */
sw_status sw_fem_grain_seeds_read(const char *path, const sw_fem_mesh *mesh, int64_t *n_grains,
                                  double (**place)[3]);

/* The seed nearest to each element's centre, the first of several: grain [E], caller's. periodic: as if seeds were
 * repeated along the body's axes. A grain may be left without elements. Time is that of E x G distances, some 1 ns
 * each. mesh: a body of cells (lattice). */
void sw_fem_grain_voronoi(const sw_fem_mesh *mesh, int periodic, int64_t n_grains, const double (*place)[3],
                          int32_t *grain);

/* A whole number from 0 on for each element, in their order: a text of numbers between blanks or line ends ('#' begins
 * a comment), or a dataset of E numbers, of any rank, of an HDF5 file (.h5, .hdf5). grain [E], caller's;
 * *n_grains: the largest and one. SW_ERR_INPUT names the file and the first number that is none (line or place), and
 * how many there are where they are not E; SW_ERR_IO; SW_ERR_MEMORY. dataset: its path; NULL: "grain". */
sw_status sw_fem_grains_read(const char *path, const char *dataset, int64_t n_elements, int32_t *grain,
                             int64_t *n_grains);

#endif
