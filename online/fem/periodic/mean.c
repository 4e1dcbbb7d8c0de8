/* Unknowns of a problem, and those of the mean. */
#include <math.h>

#include "periodic.h"
#include "online/fem/element/element.h"

static int mean_nodes(const sw_fem_problem *p) { return p->periodic ? sw_fem_dimension(p->kinematics) : 0; }

int64_t sw_fem_count_unknowns(const sw_fem_problem *p)
{
    return (p->mesh->n_nodes + p->n_tools + mean_nodes(p)) * sw_fem_components(p->kinematics);
}

int64_t sw_fem_mean_unknown(const sw_fem_problem *p, int i, int j)
{
    return (p->mesh->n_nodes + p->n_tools + j) * sw_fem_components(p->kinematics) + i;
}

double sw_fem_mean_volume(const sw_fem_problem *p)
{
    const sw_fem_lattice *lattice = p->mesh->lattice;
    double volume = p->mesh->shape == SW_QUAD4 ? p->thickness : 1;
    for (int j = 0; j < sw_fem_dimension(p->kinematics); j++)
        volume *= lattice->size[j] * lattice->n[j];
    return volume;
}

/* With it the forces on the mean's unknowns are as large as those of a face's nodes together are in the norm (of n^2
 * nodes a cube with n cells a side has each P A / n^2: P A / n in all), so that Newton's tolerance means the same. */
double sw_fem_mean_length(const sw_fem_problem *p)
{
    const sw_fem_lattice *lattice = p->mesh->lattice;
    const int d = sw_fem_dimension(p->kinematics);
    double size = 1;
    for (int j = 0; j < d; j++)
        size *= lattice->size[j] * lattice->n[j];
    return pow(size, 1.0 / d) * pow((double)p->mesh->n_elements, (d - 1.0) / (2 * d));
}
