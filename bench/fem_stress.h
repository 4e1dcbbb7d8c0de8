/* Stress and internal forces of every Newton iteration of an analysis: the thesis's three kernels and its fourth beside
 * ours, which is one; for bench_fem.c. */
#ifndef SW_BENCH_FEM_STRESS_H
#define SW_BENCH_FEM_STRESS_H

#include "fem_products.h"
#include "online/fem/stored/stress.h"

/* What is timed, with the displacement of an iteration. */
typedef struct {
    const bench_setting *setting;
    const sw_fem_stress_functions *split;
    const sw_fem_backend *whole;
    void *work;
    sw_fem *fem;
    const double *u;
    double *force, *other; /* by ours, by the parts; of the device */
    int part;              /* of sw_fem_stress_part; SW_FEM_STRESS_PARTS: ours */
    int newton;
    int64_t yielding; /* elements */
    double factor;
} bench_stress;

static bench_stress stresses; /* of the analysis that is running */

static inline sw_status call_stress(const sw_fem_operator_functions *on, void *work, const sw_fem_view *view,
                                    const bench_setting *s)
{
    bench_stress *b = (bench_stress *)work;
    int64_t points;
    (void)on, (void)view, (void)s;
    return b->part == SW_FEM_STRESS_PARTS
               ? b->whole->internal(b->fem, b->u, b->force, &points, &b->yielding)
               : b->split->run(b->work, (sw_fem_stress_part)b->part, b->u, b->other);
}

/* Largest difference of the forces over the largest force. Both add up the same products in other orders, which
 * is worth a few thousand roundings: more than 1e-11 is another stress. */
static inline double compare_forces(const bench_stress *b)
{
    const int64_t n = b->fem->n_unknowns;
    double *force, *other, most = 0, worst = 0;
    stop_on(SW_ALLOCATE(force, n, "forces"));
    stop_on(SW_ALLOCATE(other, n, "forces"));
    stop_on(b->whole->download(b->fem, b->force, force));
    stop_on(b->whole->download(b->fem, b->other, other));
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(force[i]));
        worst = fabs(other[i] - force[i]) <= worst ? worst : fabs(other[i] - force[i]);
    }
    free(force);
    free(other);
    if (!(worst <= 1e-11 * most))
        stop_on(sw_error(SW_ERR_RANGE, "stress: forces differ by %g of %g N: need 1e-11", worst, most));
    return most > 0 ? worst / most : 0;
}

static inline void stress_names(void)
{
    puts("newton,body,elements,device,factor,plastic_percent,predictor_ms,deviator_ms,corrector_ms,forces_ms,"
         "whole_"
         "ms,difference");
}

static inline void stress_line(bench_stress *b)
{
    const bench_setting *s = b->setting;
    double ms[SW_FEM_STRESS_PARTS + 1];
    for (b->part = 0; b->part <= SW_FEM_STRESS_PARTS; b->part++)
        ms[b->part] = 1e3 * time_call(call_stress, NULL, b, NULL, s);
    printf("%d,%s,%lld,%s,%g,%.2f", b->newton++, s->body, (long long)b->fem->n_elements,
           sw_fem_device_name(b->fem), b->factor, 100.0 * (double)b->yielding / (double)b->fem->n_elements);
    for (int part = 0; part <= SW_FEM_STRESS_PARTS; part++)
        printf(",%.5f", ms[part]);
    printf(",%.2g\n", compare_forces(b));
    fflush(stdout);
}

static inline sw_status internal_and_time(sw_fem *fem, const double *u, double *force, int64_t *points,
                                          int64_t *elements)
{
    stresses.u = u;
    stresses.force = force;
    if (u != fem->u) /* not the accepted state, which comes once more */
        stress_line(&stresses);
    return stresses.whole->internal(fem, u, force, points, elements);
}

/* From rest to the load in one increment, as the thesis's cube. */
static inline void time_stress(const bench_setting *s, double factor)
{
    const bench_problem *p = s->problem;
    const sw_fem_options options =
        sw_fem_default_options(&p->problem, s->gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU);
    sw_fem_report report;
    double increment = 1;
    bench_view made;
    sw_fem_view device;
    bench_stress *b = &stresses;
#ifdef SW_HAVE_CUDA
    *b = (bench_stress){.setting = s, .split = s->gpu ? &sw_fem_stress_cuda : &sw_fem_stress_cpu};
#else
    *b = (bench_stress){.setting = s, .split = &sw_fem_stress_cpu};
#endif
    b->factor = factor;
    make_view(p, 0, &made);
    if (s->gpu)
        stop_on(view_upload(&made.view, 1, &device));
    stop_on(b->split->open(s->gpu ? &device : &made.view, 1, p->problem.material, NULL, &b->work));
    stop_on(sw_fem_open(&p->problem, &options, &b->fem));
    b->whole = b->fem->backend;
    b->other = s->g;
    sw_fem_backend with = *b->whole;
    with.internal = internal_and_time;
    b->fem->backend = &with;
    stop_on(sw_fem_advance(b->fem, &factor, &increment, &report));
    b->fem->backend = b->whole;
    sw_fem_close(b->fem);
    b->split->close(b->work);
    if (s->gpu)
        view_release(&device);
    free_view(&made);
}

#endif
