/* Biconjugate gradients, stabilised (van der Vorst 1992), preconditioned from the right, so that its residuals are
 * those of the equations: any tangent, two products an iteration, two vectors beside those of CG. Residuals come
 * by recurrence and drift from the true one by the largest seen times round-off: at the end the true one is
 * computed, and what is left is solved for anew. */
#include <float.h>
#include <math.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "linear.h"

typedef struct {
    sw_fem *fem;
    double *shadow, *given, *t;   /* the constant r~; r_0 */
    double square, first, enough; /* r . r now, at first, and where it ends */
    int products;
} bicgstab;

/* A scalar product that is round-off of its vectors' says nothing: sum of n terms, eps each. */
static int is_nothing(double product, double square, double other)
{
    return !(fabs(product) > DBL_EPSILON * sqrt(square * other));
}

/* So large a residual leaves no digit of what was given. */
static int is_spent(const bicgstab *s)
{
    return s->products >= s->fem->options.most_cg || !(s->square <= s->first / DBL_EPSILON);
}

/* From r on, which is r~ too, until it converges, breaks down or is spent. */
static sw_status cycle(bicgstab *s, double *x, double *r)
{
    sw_fem *fem = s->fem;
    const sw_fem_backend *on = fem->backend;
    const double shadow_square = s->square;
    double rho = 1, alpha = 1, omega = 1, *v = fem->g, *z = fem->z, *p = fem->p;
    SW_TRY(on->combine(fem, 1, r, 0, s->shadow));
    for (int i = 0;; i++) {
        double next, slope, v_square, along, t_square;
        SW_TRY(on->dot(fem, s->shadow, r, &next));
        if (is_nothing(next, shadow_square, s->square))
            return SW_OK;
        if (i > 0)
            SW_TRY(on->combine(fem, -omega, v, 1, p));
        SW_TRY(on->combine(fem, 1, r, i > 0 ? next / rho * (alpha / omega) : 0, p));
        rho = next;
        SW_TRY(sw_fem_timed_precondition(fem, p, z));
        SW_TRY(sw_fem_free_product(fem, z, v));
        s->products++;
        SW_TRY(on->dot(fem, s->shadow, v, &slope));
        SW_TRY(on->dot(fem, v, v, &v_square));
        if (is_nothing(slope, shadow_square, v_square))
            return SW_OK;
        alpha = rho / slope;
        SW_TRY(on->advance(fem, alpha, z, v, x, r, &s->square));
        if (s->square <= s->enough)
            return SW_OK;
        SW_TRY(sw_fem_timed_precondition(fem, r, z));
        SW_TRY(sw_fem_free_product(fem, z, s->t));
        s->products++;
        SW_TRY(on->dot(fem, s->t, r, &along));
        SW_TRY(on->dot(fem, s->t, s->t, &t_square));
        if (is_nothing(along, t_square, s->square))
            return SW_OK;
        omega = along / t_square;
        SW_TRY(on->advance(fem, omega, z, s->t, x, r, &s->square));
        if (s->square <= s->enough || is_spent(s))
            return SW_OK;
        if ((i & 15) == 15)
            SW_TRY(sw_parallel_agree(sw_interrupt_check()));
    }
}

/* r = what was given - K x. */
static sw_status true_residual(bicgstab *s, const double *x, double *r)
{
    sw_fem *fem = s->fem;
    SW_TRY(sw_fem_free_product(fem, x, fem->g));
    s->products++;
    SW_TRY(fem->backend->combine(fem, 1, s->given, 0, r));
    SW_TRY(fem->backend->combine(fem, -1, fem->g, 1, r));
    return fem->backend->dot(fem, r, r, &s->square);
}

/* Cycles; one that does not halve what is left when it breaks down or drifts is the last. */
static sw_status run(bicgstab *s, double *x, double *r, double tolerance)
{
    sw_fem *fem = s->fem;
    for (;;) {
        const double before = s->square;
        SW_TRY(cycle(s, x, r));
        SW_TRY(true_residual(s, x, r));
        if (s->square <= s->enough)
            return SW_OK;
        if (s->products >= fem->options.most_cg)
            return sw_fem_out_of_iterations(fem, "BiCGSTAB", s->square, s->first, tolerance);
        if (!(s->square <= 0.25 * before))
            return sw_error(SW_ERR_CONVERGENCE,
                            "BiCGSTAB breaks down: |r| / |r_0| = %.3g after %d products: need %.3g",
                            sqrt(s->square / s->first), s->products, tolerance);
    }
}

static sw_status solve_bicgstab(sw_fem *fem, double *x, double *r, double tolerance, int *iterations)
{
    const sw_fem_backend *on = fem->backend;
    bicgstab s = {.fem = fem};
    SW_TRY(sw_fem_need_vectors(fem, 3));
    s.shadow = fem->krylov[0];
    s.given = fem->krylov[1];
    s.t = fem->krylov[2];
    SW_TRY(on->combine(fem, 0, r, 0, x));
    SW_TRY(on->dot(fem, r, r, &s.first));
    if (!(s.first > 0) || !isfinite(s.first))
        return s.first == 0 ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "the residual is not finite");
    SW_TRY(on->combine(fem, 1, r, 0, s.given));
    s.square = s.first;
    s.enough = tolerance * tolerance * s.first;
    const sw_status status = run(&s, x, r, tolerance);
    *iterations = s.products;
    return status;
}

const sw_fem_linear_functions sw_fem_bicgstab = {.nonsymmetric = 1, .solve = solve_bicgstab};
