#include <math.h>

#include "linear.h"
#include "online/fem/mesh/lattice.h"
#include "online/fem/mesh/mesh.h"

#ifdef SW_HAVE_UMFPACK
#define WITH_UMFPACK(functions) &(functions)
#else
#define WITH_UMFPACK(functions) NULL
#endif

const char *const sw_fem_linear_names[] = {
    [SW_FEM_SOLVE_AUTO] = "auto",   [SW_FEM_SOLVE_CG] = "cg",         [SW_FEM_SOLVE_BICGSTAB] = "bicgstab",
    [SW_FEM_SOLVE_GMRES] = "gmres", [SW_FEM_SOLVE_DIRECT] = "direct", [SW_FEM_SOLVE_MIXED] = "mixed"};

static sw_status solve_by_symmetry(sw_fem *fem, double *x, double *r, double tolerance, int *iterations)
{
    return (fem->symmetric ? sw_fem_cg : sw_fem_bicgstab).solve(fem, x, r, tolerance, iterations);
}
static const sw_fem_linear_functions by_symmetry = {.nonsymmetric = 1, .solve = solve_by_symmetry};

const sw_fem_linear_functions *const sw_fem_linear_solvers[] = {[SW_FEM_SOLVE_AUTO] = &by_symmetry,
                                                                [SW_FEM_SOLVE_CG] = &sw_fem_cg,
                                                                [SW_FEM_SOLVE_BICGSTAB] = &sw_fem_bicgstab,
                                                                [SW_FEM_SOLVE_GMRES] = &sw_fem_gmres,
                                                                [SW_FEM_SOLVE_DIRECT] =
                                                                    WITH_UMFPACK(sw_fem_direct),
                                                                [SW_FEM_SOLVE_MIXED] = &sw_fem_mixed};

static const sw_fem_linear_functions *solver_of(const sw_fem *fem)
{
    return sw_fem_linear_solvers[fem->options.linear];
}

/* ---- Choice ---- */

/* Plane bodies at finite strains: 8 times as fast as CG at 3,362 unknowns, 16 times at 13,122 (bench/LOG.md),
 * as iterations grow with the mesh and factors hardly fill. Solids are slower at every size. At small strains the
 * tangent is often elastic, and AMG is there. The limit is memory, 3 kB an unknown. */
enum { MOST_UNKNOWNS = 200000 };

static int plane_goes_by_factors(const sw_fem_problem *p)
{
    return p->strain == SW_FEM_FINITE && p->kinematics != SW_FEM_SOLID &&
           2 * p->mesh->n_nodes <= MOST_UNKNOWNS;
}

/* What a lattice of cubes takes by multigrid, to 1e-7, in iterations of two smoothings: 7 times the root of bulk over shear
 * modulus (0.26, 0.46 and 2.0 s at Poisson's ratios of 0.3, 0.49 and 0.4999; bench/LOG.md). */
static double by_bulk(const sw_fem_problem *p)
{
    double bulk = 0;
    for (int i = 0; i < p->n_materials; i++)
        bulk = fmax(bulk, 2 * (1 + p->material[i].poisson) / (3 - 6 * p->material[i].poisson));
    return 7 * sqrt(bulk);
}

/* With pressures as unknowns cubes take some 105 iterations at any ratio, and each twice as long; others the more the longer they
 * are: 160, 370 and 1,360 at edges of 1:1:2, 1:1:5 and 1:1:20, 260 at 5:5:1. */
static double by_pressures(const sw_fem_problem *p)
{
    const double *edge = p->mesh->lattice->size;
    return 200 * pow(fmax(fmax(edge[0], edge[1]), edge[2]) / cbrt(edge[0] * edge[1] * edge[2]), 1.3);
}

static int takes_pressures(const sw_fem_problem *p, const sw_fem_options *o)
{
    return o->preconditioner == SW_FEM_MULTIGRID && sw_fem_not_mixed(p) == NULL &&
           by_bulk(p) > by_pressures(p);
}

/* Levels make cubes of cells first, where a body's sides have enough of them (of 24^3 cells 12 iterations at edges of 1:1:1, 15 at
 * 1:1:5, 16 at 1:1:100). Where one is used up before, iterations go up as what is left of the longest edge over the shortest, and of
 * bodies a few cells thick, whose levels lock in bending, four times as steeply (sheets of 40 x 40 of 1 to 4 cells, sheared: 97, 196, 207, 356
 * and 758 at 2.5, 5, 5, 10 and 20). */
enum { FEW_ACROSS = 6, TIMES_THIN = 4 };
#define USED_UP 1.5

static double expected_iterations(const sw_fem_problem *p, const sw_fem_options *o, int *thin)
{
    const sw_fem_lattice *of = p->mesh->lattice;
    const double cubes = takes_pressures(p, o) ? by_pressures(p) : by_bulk(p);
    int32_t n[3] = {of->n[0], of->n[1], of->n[2]};
    double size[3] = {of->size[0], of->size[1], of->size[2]}, left = INFINITY;
    int factor[3], short_side = size[1] < size[0];
    short_side = size[2] < size[short_side] ? 2 : short_side;
    do
        left = fmin(left, fmax(fmax(size[0], size[1]), size[2]) / fmin(fmin(size[0], size[1]), size[2]));
    while (sw_fem_lattice_halve(p->periodic, n, size, factor));
    *thin = left >= USED_UP && of->n[short_side] <= FEW_ACROSS;
    return (*thin ? TIMES_THIN : 1) * cubes * left;
}

/* Bodies that do not yield, whose factors serve throughout. An iteration takes 6e-8 s an unknown, factors of n unknowns of a
 * cube 5e-10 s n^2 (bench/LOG.md) and some 250 n^(4/3) bytes: 1.2 GB of the most. Of thin bodies an iteration takes 1.5e-7 s an unknown,
 * factors 9e-8 s n^(3/2). */
enum { FEW_ITERATIONS = 100, MOST_OF_A_SOLID = 100000 };

static int solid_goes_by_factors(const sw_fem_problem *p, const sw_fem_options *o)
{
    const double n = 3 * (double)p->mesh->n_nodes;
    int steady = p->strain == SW_FEM_SMALL && p->kinematics == SW_FEM_SOLID;
    for (int i = 0; i < p->n_materials; i++)
        steady &= p->material[i].crystals == NULL && p->material[i].matter == NULL &&
                  isinf(p->material[i].yield_stress);
    if (!steady || o->preconditioner != SW_FEM_MULTIGRID || !sw_fem_has_boxes(p->mesh) || n > MOST_OF_A_SOLID)
        return 0;
    int thin;
    const double expected = expected_iterations(p, o, &thin);
    return expected > FEW_ITERATIONS && (thin ? 2.8 * expected * expected : 120 * expected) > n;
}

static int may_be_factorised(const sw_fem_problem *p)
{
    return sw_fem_linear_solvers[SW_FEM_SOLVE_DIRECT] && !p->periodic;
}

/* Between 352 unknowns (10 x 15 quads, friction 0.3, 50 steps: 3.1 s on an H200, 0.6 s on its host) and 13,122 (80
 * x 80, sticking, 25 steps: 14 s there, 113 s by factors on two busy cores). */
enum { FEW_FOR_A_GPU = 5000 };

int sw_fem_direct_beats_gpu(const sw_fem_problem *p)
{
    return may_be_factorised(p) && plane_goes_by_factors(p) && 2 * p->mesh->n_nodes <= FEW_FOR_A_GPU;
}

void sw_fem_linear_choose(const sw_fem_problem *p, sw_fem_options *o)
{
    if (o->linear == SW_FEM_SOLVE_AUTO && !o->iterative && may_be_factorised(p) &&
        (plane_goes_by_factors(p) || solid_goes_by_factors(p, o)))
        o->linear = SW_FEM_SOLVE_DIRECT;
    else if (o->linear == SW_FEM_SOLVE_AUTO && takes_pressures(p, o))
        o->linear = SW_FEM_SOLVE_MIXED;
    if (o->linear == SW_FEM_SOLVE_DIRECT)
        o->preconditioner = SW_FEM_JACOBI; /* which is not used, and costs least */
}

sw_status sw_fem_linear_open(sw_fem *fem)
{
    const sw_fem_linear_functions *solver = solver_of(fem);
    return solver->open ? solver->open(fem, &fem->linear_work) : SW_OK;
}

void sw_fem_linear_close(sw_fem *fem)
{
    if (fem->linear_work)
        solver_of(fem)->close(fem->linear_work);
    fem->linear_work = NULL;
}

/* ---- Solving ---- */

sw_status sw_fem_prepare(sw_fem *fem)
{
    return solver_of(fem)->unpreconditioned ? SW_OK : fem->backend->prepare(fem);
}

sw_status sw_fem_solve(sw_fem *fem, double *x, double *r, double tolerance, int *iterations)
{
    *iterations = 0;
    if (!fem->symmetric && !solver_of(fem)->nonsymmetric)
        return sw_error(SW_ERR_RANGE,
                        "linear %s: the tangent is not symmetric: need bicgstab, gmres or direct",
                        sw_fem_linear_names[fem->options.linear]);
    return solver_of(fem)->solve(fem, x, r, tolerance, iterations);
}
