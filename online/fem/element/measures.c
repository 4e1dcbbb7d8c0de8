#include "measure.h"

const char *const sw_fem_strain_names[] = {[SW_FEM_SMALL] = "small", [SW_FEM_FINITE] = "finite"};

const sw_fem_measure *const sw_fem_measures[] = {
    [SW_FEM_SMALL] = &sw_fem_small_strain, [SW_FEM_FINITE] = &sw_fem_finite_strain};
