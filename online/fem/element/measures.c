#include <math.h>

#include "measure.h"

const char *const sw_fem_strain_names[] = {[SW_FEM_SMALL] = "small", [SW_FEM_FINITE] = "finite"};

const sw_fem_measure *const sw_fem_measures[] = {[SW_FEM_MEASURE_SMALL] = &sw_fem_small_strain,
                                                 [SW_FEM_MEASURE_FINITE] = &sw_fem_finite_strain,
                                                 [SW_FEM_MEASURE_CRYSTALS] = &sw_fem_crystal_strain,
                                                 [SW_FEM_MEASURE_MATTER] = &sw_fem_matter_strain};

sw_fem_measure_kind sw_fem_measure_of(const sw_fem_problem *problem)
{
    for (int i = 0; i < problem->n_materials; i++)
        if (problem->material[i].crystals)
            return SW_FEM_MEASURE_CRYSTALS;
    for (int i = 0; i < problem->n_materials; i++)
        if (problem->material[i].matter)
            return SW_FEM_MEASURE_MATTER;
    return (sw_fem_measure_kind)problem->strain;
}

/* Elements of elastic material without their mean dilatation are too stiff by 6 % at a Poisson's ratio of 0.4, 12 % at
 * 0.45, 150 % at 0.499: a beam of 12 x 4 x 4 in bending. */
static const double nearly_incompressible = 0.4;

static int keeps_volume(const sw_fem_material *material)
{
    return isfinite(material->yield_stress) || material->crystals || material->matter ||
           material->poisson >= nearly_incompressible;
}

int sw_fem_has_b_bar(const sw_fem_problem *problem)
{
    int has = problem->b_bar == SW_FEM_B_BAR_YES;
    if (problem->kinematics == SW_FEM_PLANE_STRESS || problem->kinematics == SW_FEM_HEAT ||
        problem->b_bar == SW_FEM_B_BAR_NO)
        return 0;
    for (int i = 0; i < problem->n_materials && !has; i++)
        has = keeps_volume(&problem->material[i]);
    return has;
}
