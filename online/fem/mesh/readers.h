/* What the readers of mesh files share, gmsh.c and inp.c, and themselves for file.c, which chooses one.
 * Dimensions: N nodes, d space dimensions. */
#ifndef SW_ONLINE_FEM_MESH_READERS_H
#define SW_ONLINE_FEM_MESH_READERS_H

#include "mesh.h"

/* Where labels are, which may have gaps and come in any order. */
typedef struct {
    int64_t n;
    struct sw_fem_label {
        int64_t label;
        int32_t index;
    } * sorted;          /* [n] */
    int64_t repeated[2]; /* indices of the first label that is there twice, else -1 */
} sw_fem_labels;
sw_status sw_fem_labels_sort(int64_t n, const int64_t *label,
                             sw_fem_labels *labels);                    /* free with free(sorted) */
int32_t sw_fem_labels_find(const sw_fem_labels *labels, int64_t label); /* -1: not there */

/* position [N][d] from at [N][3] m. A fault when quad4 does not lie in a plane of constant z. */
sw_status sw_fem_mesh_place(sw_fem_mesh *mesh, const double *at, sw_fem_fault *fault);

/* All but the set all and the choice between them. */
sw_status sw_fem_mesh_read_gmsh(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh);
sw_status sw_fem_mesh_read_inp(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh);

#endif
