/* One elastic system as a file for other solvers (Table 3.6), with our own solution; for bench_fem.c. */
#ifndef SW_BENCH_FEM_MATRIX_H
#define SW_BENCH_FEM_MATRIX_H

#include "common/files/hdf5_io.h"
#include "fem_products.h"
#include "online/fem/assembly/assembly.h"

/* What is written:
 *
 *     row [n + 1], column, value   K in compressed rows, without supports
 *     force [n]                    N, loads at the factor
 *     fixed [f]                    unknowns that are held at 0
 *     displacement [n]             m, our solution */
static inline void write_system(const char *path, const bench_problem *p, double factor,
                                const double *displacement)
{
    sw_h5_output output;
    sw_fem_csr csr;
    bench_view made;
    double *force;
    make_view(p, 0, &made);
    stop_on(sw_fem_assemble(&made.view, &csr));
    free_view(&made);
    const int64_t n = csr.n_rows, rows = n + 1, entries = csr.row[n];
    stop_on(SW_ALLOCATE(force, n, "forces"));
    for (int64_t i = 0; i < n; i++)
        force[i] = factor * p->load.force[i];
    stop_on(sw_h5_begin(path, &output));
    stop_on(sw_h5_write(output.file, "row", H5T_NATIVE_INT64, 1, &rows, csr.row));
    stop_on(sw_h5_write(output.file, "column", H5T_NATIVE_INT32, 1, &entries, csr.column));
    stop_on(sw_h5_write(output.file, "value", H5T_NATIVE_DOUBLE, 1, &entries, csr.value));
    stop_on(sw_h5_write(output.file, "force", H5T_NATIVE_DOUBLE, 1, &n, force));
    stop_on(sw_h5_write(output.file, "fixed", H5T_NATIVE_INT64, 1, &p->load.n_fixed, p->load.dof));
    stop_on(sw_h5_write(output.file, "displacement", H5T_NATIVE_DOUBLE, 1, &n, displacement));
    stop_on(sw_h5_commit(&output));
    sw_fem_csr_free(&csr);
    free(force);
}

/* Solve at a factor so low that nothing yields, by the assembled matrix and CG with Jacobi to 1e-7, and
 * print. */
static inline void solve_and_write(const bench_problem *p, const char *body, int gpu, double factor,
                                   const char *path)
{
    sw_fem_options o = sw_fem_default_options(&p->problem, gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU);
    o.operator_ = SW_FEM_ASSEMBLED;
    o.storage = SW_FEM_OWN;
    o.preconditioner = SW_FEM_JACOBI;
    o.forcing = SW_FEM_FIXED_FORCING;
    sw_fem *fem;
    sw_fem_report report;
    double increment = 1, *u;
    stop_on(SW_ALLOCATE(u, 3 * p->mesh->n_nodes, "displacement"));
    stop_on(sw_fem_open(&p->problem, &o, &fem));
    stop_on(sw_fem_advance(fem, &factor, &increment, &report));
    stop_on(sw_fem_read(fem, &(sw_fem_fields){.displacement = u}));
    if (report.newton != 1 || report.plastic_points > 0)
        stop_on(sw_error(SW_ERR_RANGE, "factor %g: %d Newton iterations, %lld plastic points: need 1 and 0",
                         factor, report.newton, (long long)report.plastic_points));
    printf("%s,%lld,%lld,%s,%g,%d,%.4f\n", body, (long long)p->mesh->n_elements,
           (long long)3 * p->mesh->n_nodes, sw_fem_device_name(fem), factor, report.cg,
           sw_fem_timings(fem).linear);
    sw_fem_close(fem);
    write_system(path, p, factor, u);
    free(u);
}

#endif
