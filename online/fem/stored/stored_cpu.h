/* What the CPU's operators share: stored_cpu.c has it, assembled_cpu.c uses it. */
#ifndef SW_ONLINE_FEM_STORED_STORED_CPU_H
#define SW_ONLINE_FEM_STORED_STORED_CPU_H

#include "online/fem/assembly/assembly.h"
#include "stored.h"

/* Matrix of a material's elastic element on a voxel mesh, by row: [W][W]. */
void sw_fem_elastic_matrix_cpu(sw_fem_kinematics k, const sw_fem_view *view, int material, double *matrix);

#endif
