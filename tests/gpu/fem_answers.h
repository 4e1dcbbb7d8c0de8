/* What a device makes of displacements, for tests of the finite elements on the GPU against the CPU. */
#ifndef SW_TESTS_GPU_FEM_ANSWERS_H
#define SW_TESTS_GPU_FEM_ANSWERS_H

#include "tests/online/fem/meshes.h"

#include "online/fem/backend/backend.h"

/* Of b - a, by the largest of a. */
static inline double farthest(int64_t n, const double *a, const double *b)
{
    double far = 0, large = 0;
    for (int64_t i = 0; i < n; i++) {
        far = greatest(far, fabs(a[i] - b[i]));
        large = greatest(large, fabs(a[i]));
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return INFINITY;
    }
    return far / large;
}

/* ---- Forces, products, blocks ---- */

/* What a device makes of displacements u and vectors p: forces, K p, M^-1 p; counts. */
typedef struct {
    double *force, *product, *preconditioned;
    int64_t points, elements;
} answer;

static inline answer ask(const fem_body *b, sw_fem_device device, const double *u, const double *p)
{
    const int64_t n = sw_fem_count_unknowns(&b->problem);
    answer a = {.force = zeros(n, sizeof(double)),
                .product = zeros(n, sizeof(double)),
                .preconditioned = zeros(n, sizeof(double))};
    sw_fem_options options = b->options;
    sw_fem *fem;
    options.device = device;
    options.iterative = 1; /* the preconditioner is looked at, also where factors would be quicker */
    CHECK_OK(sw_fem_open(&b->problem, &options, &fem));
    const sw_fem_backend *on = fem->backend;
    CHECK_OK(on->upload(fem, u, fem->trial));
    CHECK_OK(on->upload(fem, p, fem->p));
    CHECK_OK(on->internal(fem, fem->trial, fem->internal, &a.points, &a.elements));
    CHECK_OK(on->download(fem, fem->internal, a.force));
    CHECK_OK(on->tangent(fem, fem->trial, 0));
    CHECK_OK(on->product(fem, fem->p, fem->g));
    CHECK_OK(on->download(fem, fem->g, a.product));
    CHECK_OK(on->free_part(fem, fem->p));
    CHECK_OK(on->prepare(fem));
    CHECK_OK(on->precondition(fem, fem->p, fem->z));
    CHECK_OK(on->download(fem, fem->z, a.preconditioned));
    sw_fem_close(fem);
    return a;
}

static inline void free_answer(answer *a)
{
    free(a->force);
    free(a->product);
    free(a->preconditioned);
}

#endif
