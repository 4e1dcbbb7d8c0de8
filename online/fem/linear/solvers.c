#include "common/system/parallel.h"
#include "linear.h"

#ifdef SW_HAVE_UMFPACK
#define WITH_UMFPACK(functions) &(functions)
#else
#define WITH_UMFPACK(functions) NULL
#endif

const char *const sw_fem_linear_names[] = {[SW_FEM_SOLVE_AUTO] = "auto",
                                           [SW_FEM_SOLVE_CG] = "cg",
                                           [SW_FEM_SOLVE_BICGSTAB] = "bicgstab",
                                           [SW_FEM_SOLVE_GMRES] = "gmres",
                                           [SW_FEM_SOLVE_DIRECT] = "direct"};

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
                                                                    WITH_UMFPACK(sw_fem_direct)};

static const sw_fem_linear_functions *solver_of(const sw_fem *fem)
{
    return sw_fem_linear_solvers[fem->options.linear];
}

/* ---- Choice ---- */

/* Plane bodies at finite strains: 8 times as fast as CG at 3,362 unknowns, 16 times at 13,122 (bench/LOG.md),
 * as iterations grow with the mesh and factors hardly fill. Solids are slower at every size. At small strains the
 * tangent is often elastic, and AMG is there. The limit is memory, 3 kB an unknown. */
enum { MOST_UNKNOWNS = 200000 };

static int direct_is_faster(const sw_fem_problem *p)
{
    return sw_parallel_size() == 1 && sw_fem_linear_solvers[SW_FEM_SOLVE_DIRECT] && !p->periodic &&
           p->strain == SW_FEM_FINITE && p->kinematics != SW_FEM_SOLID &&
           2 * p->mesh->n_nodes <= MOST_UNKNOWNS;
}

/* Between 352 unknowns (10 x 15 quads, friction 0.3, 50 steps: 3.1 s on an H200, 0.6 s on its host) and 13,122 (80
 * x 80, sticking, 25 steps: 14 s there, 113 s by factors on two busy cores). */
enum { FEW_FOR_A_GPU = 5000 };

int sw_fem_direct_beats_gpu(const sw_fem_problem *p)
{
    return direct_is_faster(p) && 2 * p->mesh->n_nodes <= FEW_FOR_A_GPU;
}

sw_status sw_fem_linear_open(sw_fem *fem)
{
    if (fem->options.linear == SW_FEM_SOLVE_AUTO && fem->backend->view && direct_is_faster(fem->problem))
        fem->options.linear = SW_FEM_SOLVE_DIRECT;
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
