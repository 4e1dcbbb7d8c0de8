/* Linear solvers of `slipwave fem`, one tangent.
 *
 *     bench_linear plane|solid N [FRICTION [block_jacobi|multigrid [MOST]]]
 *
 * A sticking block at finite strains (Demeshko et al. 2011: half a billet of N x N quads, plane strain with mean
 * dilatation; or an eighth of N^3 hexahedra), upset by 5 % into yielding; then a next step is solved for to 1e-7 by
 * each solver. FRICTION (a coefficient; 0: none): the nodes of one side also lean on a tool of the elements'
 * stiffness with that much Coulomb friction, which makes the tangent nonsymmetric. The preconditioner does not know
 * the tool. MOST: iterations at most. Comma-separated values after a line of names; seconds of one core's
 * processor time, the median of three or, beyond a second, the first. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "online/fem/analysis/analysis.h"

static void stop_on(sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "bench_linear: %s\n", sw_error_message());
    exit(1);
}

/* ---- The block ---- */

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = 1, .parameter = {300e6}};

typedef struct {
    sw_fem_mesh *mesh;
    sw_fem_problem problem;
    sw_fem_case load;
    int c;
} block;

static void fix(block *b, const char *name, int component, double value, double *at, uint8_t *fixed)
{
    const sw_fem_set *set = sw_fem_mesh_set(b->mesh, SW_FEM_NODES, name);
    for (int64_t i = 0; i < set->n; i++) {
        fixed[(int64_t)set->member[i] * b->c + component] = 1;
        at[(int64_t)set->member[i] * b->c + component] = value;
    }
}

static void make_block(int solid, int64_t n, block *b)
{
    const sw_fem_voxels v = {.body = "box",
                             .size = {0.01, solid ? 0.01 : 0.015, solid ? 0.015 : 0},
                             .cells = {n, n, solid ? n : 0}};
    const int c = solid ? 3 : 2;
    uint8_t *fixed;
    double *at;
    *b = (block){.c = c};
    stop_on(sw_fem_voxel_mesh(&v, &b->mesh));
    const int64_t unknowns = b->mesh->n_nodes * c;
    stop_on(SW_ALLOCATE(fixed, unknowns, "unknowns"));
    stop_on(SW_ALLOCATE(at, unknowns, "unknowns"));
    stop_on(SW_ALLOCATE(b->load.dof, unknowns, "unknowns"));
    stop_on(SW_ALLOCATE(b->load.value, unknowns, "unknowns"));
    static const char *const lowest[] = {"x_min", "y_min", "z_min"};
    for (int j = 0; j < c; j++)
        fix(b, lowest[j], j, 0, at, fixed);
    for (int j = 0; j < c; j++)
        fix(b, solid ? "z_max" : "y_max", j, j == c - 1 ? -0.015 : 0, at, fixed);
    for (int64_t i = 0; i < unknowns; i++)
        if (fixed[i]) {
            b->load.value[b->load.n_fixed] = at[i];
            b->load.dof[b->load.n_fixed++] = i;
        }
    free(fixed);
    free(at);
    b->problem = (sw_fem_problem){.mesh = b->mesh,
                                  .kinematics = solid ? SW_FEM_SOLID : SW_FEM_PLANE_STRAIN,
                                  .strain = SW_FEM_FINITE,
                                  .b_bar = SW_FEM_B_BAR_YES,
                                  .thickness = 0.01,
                                  .n_materials = 1,
                                  .material = &steel,
                                  .n_cases = 1,
                                  .load = &b->load};
}

static void free_block(block *b)
{
    free(b->load.dof);
    free(b->load.value);
    sw_fem_mesh_free(b->mesh);
}

/* ---- The tool: e (n + mu t) n' at the nodes of x_max, n = x, t = y ---- */

static void add_tool(const block *b, int64_t cells, double friction, sw_fem_node_blocks *blocks)
{
    const int c = b->c;
    const sw_fem_set *set = sw_fem_mesh_set(b->mesh, SW_FEM_NODES, "x_max");
    const double stiffness = steel.young * (c == 3 ? 0.01 / (double)cells : 0.01);
    int32_t(*pair)[2];
    double *block_of;
    stop_on(SW_ALLOCATE(pair, set->n, "tool"));
    stop_on(SW_ALLOCATE(block_of, set->n * c * c, "tool"));
    for (int64_t i = 0; i < set->n; i++) {
        pair[i][0] = pair[i][1] = set->member[i];
        block_of[i * c * c] = stiffness;
        block_of[i * c * c + c] = friction * stiffness;
    }
    *blocks = (sw_fem_node_blocks){set->n, (const int32_t(*)[2])pair, block_of};
}

static sw_status product_with_blocks(sw_fem *fem, const double *p, double *g)
{
    const int c = fem->components;
    SW_TRY(sw_fem_cpu.product(fem, p, g));
    for (int64_t b = 0; b < fem->blocks.n; b++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++)
                g[fem->blocks.pair[b][0] * c + i] +=
                    fem->blocks.block[(b * c + i) * c + j] * p[fem->blocks.pair[b][1] * c + j];
    return SW_OK;
}

/* ---- Times ---- */

static int by_size(const void *a, const void *b)
{
    const double l = *(const double *)a, r = *(const double *)b;
    return l < r ? -1 : l > r;
}

/* fresh: the factors are made anew each time. */
static void time_solver(sw_fem *fem, const char *name, sw_fem_linear_solver solver, int fresh,
                        const double *right, int64_t yielding)
{
    double seconds[3];
    int iterations = 0;
    sw_status status = SW_OK;
    int runs = 0;
    while (runs < 3 && (runs == 0 || seconds[0] < 1)) {
        stop_on(fem->backend->combine(fem, 1, right, 0, fem->residual));
        fem->tangents += fresh;
        iterations = 0;
        const clock_t since = clock();
        status = sw_fem_linear_solvers[solver]->solve(fem, fem->increment, fem->residual, 1e-7, &iterations);
        seconds[runs++] = (double)(clock() - since) / CLOCKS_PER_SEC;
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, by_size);
    printf("%s,%lld,%lld,%s,%.4f,%d,%.1f,%s\n", sw_fem_kinematics_names[fem->problem->kinematics],
           (long long)fem->n_unknowns, (long long)yielding, name, seconds[runs / 2], iterations,
           1e-6 * (double)fem->timing.bytes, status == SW_OK ? "" : sw_error_message());
    fflush(stdout);
}

static void run(int solid, int64_t n, double friction, sw_fem_preconditioner preconditioner, int64_t most)
{
    block b;
    sw_fem *fem;
    sw_fem_report report;
    double increment = 0.5, at = 0.04, *right;
    int64_t points, elements;
    sw_fem_backend with_blocks = sw_fem_cpu;
    make_block(solid, n, &b);
    sw_fem_options o = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
    o.preconditioner = preconditioner;
    o.linear = SW_FEM_SOLVE_CG; /* for its preconditioner */
    o.most_cg = most;
    stop_on(sw_fem_open(&b.problem, &o, &fem));
    fem->options.linear = SW_FEM_SOLVE_DIRECT;
    stop_on(sw_fem_linear_open(fem));
    fem->options.linear = solid ? SW_FEM_SOLVE_CG : SW_FEM_SOLVE_DIRECT; /* what is faster, until then */
    stop_on(fem->backend->allocate(fem, &right));
    stop_on(sw_fem_advance(fem, &at, &increment, &report));
    stop_on(fem->backend->combine(fem, 1, fem->u, 0, right));
    at = 0.05;
    stop_on(sw_fem_advance(fem, &at, &increment, &report));
    /* A little further the same way: points go on yielding. */
    stop_on(fem->backend->combine(fem, 1.1, fem->u, 0, fem->trial));
    stop_on(fem->backend->combine(fem, -0.1, right, 1, fem->trial));
    stop_on(fem->backend->internal(fem, fem->trial, fem->z, &points, &elements));
    stop_on(fem->backend->tangent(fem, fem->trial, 0));
    stop_on(fem->backend->prepare(fem));
    fem->options.linear = SW_FEM_SOLVE_DIRECT; /* as close expects it */
    stop_on(fem->backend->product(fem, fem->prescribed[0], right));
    stop_on(fem->backend->free_part(fem, right));
    if (friction > 0) {
        add_tool(&b, n, friction, &fem->blocks);
        with_blocks.product = product_with_blocks;
        fem->backend = &with_blocks;
    }
    printf("kinematics,unknowns,yielding_points,solver,seconds,iterations,MB,failure\n");
    if (friction == 0) {
        time_solver(fem, "cg", SW_FEM_SOLVE_CG, 0, right, points);
        time_solver(fem, "direct (CHOLMOD), all", SW_FEM_SOLVE_DIRECT, 1, right, points);
        time_solver(fem, "direct (CHOLMOD), solution", SW_FEM_SOLVE_DIRECT, 0, right, points);
    }
    fem->symmetric = 0;
    time_solver(fem, "direct (UMFPACK), all", SW_FEM_SOLVE_DIRECT, 1, right, points);
    time_solver(fem, "direct (UMFPACK), solution", SW_FEM_SOLVE_DIRECT, 0, right, points);
    time_solver(fem, "bicgstab", SW_FEM_SOLVE_BICGSTAB, 0, right, points);
    time_solver(fem, "gmres", SW_FEM_SOLVE_GMRES, 0, right, points);
    free((void *)fem->blocks.pair);
    free((void *)fem->blocks.block);
    sw_fem_close(fem);
    free_block(&b);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_linear plane|solid N [FRICTION [block_jacobi|multigrid [MOST]]]\n");
        return 1;
    }
    omp_set_num_threads(1);
    run(strcmp(argv[1], "solid") == 0, atoll(argv[2]), argc > 3 ? atof(argv[3]) : 0,
        argc > 4 && strcmp(argv[4], "multigrid") == 0 ? SW_FEM_MULTIGRID : SW_FEM_BLOCK_JACOBI,
        argc > 5 ? atoll(argv[5]) : 20000);
    return 0;
}
