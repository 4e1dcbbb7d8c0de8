/* What the CPU's operators share: stored_cpu.c has it, assembled_cpu.c uses it. */
#ifndef SW_ONLINE_FEM_STORED_STORED_CPU_H
#define SW_ONLINE_FEM_STORED_STORED_CPU_H

#include "stored.h"

enum { SW_FEM_MOST_ENTRIES = SW_FEM_MOST_WIDTH * SW_FEM_MOST_WIDTH };

/* Elements around nodes, into first [N + 1] and at [E V]; SW_ERR_RANGE when there are more than fit. */
sw_status sw_fem_check_around(int64_t n_elements, int V);
void sw_fem_list_around(int64_t n_nodes, int64_t n_elements, int V, const int32_t *node, uint32_t *first,
                        uint32_t *at);

/* Matrix of a material's elastic element on a voxel mesh, and of element e under the view's tangent: by row,
 * [W][W]. */
void sw_fem_elastic_matrix_cpu(sw_fem_kinematics k, const sw_fem_view *view, int material, double *matrix);
void sw_fem_element_matrix_cpu(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *matrix);

#endif
