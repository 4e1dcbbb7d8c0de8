#include "measure.h"

const char *const sw_fem_strain_names[] = {[SW_FEM_SMALL] = "small", [SW_FEM_FINITE] = "finite"};

const sw_fem_measure *const sw_fem_measures[] = {[SW_FEM_MEASURE_SMALL] = &sw_fem_small_strain,
                                                 [SW_FEM_MEASURE_FINITE] = &sw_fem_finite_strain,
                                                 [SW_FEM_MEASURE_CRYSTALS] = &sw_fem_crystal_strain};

sw_fem_measure_kind sw_fem_measure_of(const sw_fem_problem *problem)
{
    for (int i = 0; i < problem->n_materials; i++)
        if (problem->material[i].crystals)
            return SW_FEM_MEASURE_CRYSTALS;
    return (sw_fem_measure_kind)problem->strain;
}
