/* Generalised minimal residuals, restarted (Saad and Schultz 1986), preconditioned from the right, so that what it
 * makes small is the residual of the equations: any tangent, one product an iteration and one a cycle. Bases by
 * modified Gram-Schmidt: they lose orthogonality as the residual falls (Greenbaum, Rozloznik and Strakos 1997),
 * and each cycle begins from the true one. A preconditioner in single precision makes of a sum not quite the sum of what it
 * makes: there all that it made is kept (Saad 1993, SIAM J. Sci. Comput. 14), or bodies that are hardly compressible stand
 * still where its rounding is the residual. */
#include <float.h>
#include <math.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "linear.h"

/* Vectors of a cycle: the more, the fewer products, and the more memory and scalar products each
 * (bench/LOG.md). */
enum { CYCLE = 30 };

typedef struct {
    sw_fem *fem;
    double **basis;             /* [CYCLE + 1] */
    double **made;              /* [CYCLE] M^-1 of these; NULL: not kept */
    double h[CYCLE + 1][CYCLE]; /* Hessenberg's matrix, made triangular by rotations: */
    double cosine[CYCLE], sine[CYCLE];
    double rest[CYCLE + 1];       /* the first residual in the basis, rotated: its last entry is left */
    double square, first, enough; /* r . r now, at first, and where it ends */
    int products;
} gmres;

/* Column j: K M^-1 of basis vector j, made orthogonal to those before; *lost: nothing is left of it. */
static sw_status extend(gmres *s, int j, int *lost)
{
    sw_fem *fem = s->fem;
    const sw_fem_backend *on = fem->backend;
    double *next = s->basis[j + 1], *made = s->made ? s->made[j] : fem->z, whole, left;
    SW_TRY(sw_fem_timed_precondition(fem, s->basis[j], made));
    SW_TRY(sw_fem_free_product(fem, made, next));
    s->products++;
    SW_TRY(on->dot(fem, next, next, &whole));
    for (int i = 0; i <= j; i++) {
        SW_TRY(on->dot(fem, s->basis[i], next, &s->h[i][j]));
        SW_TRY(on->combine(fem, -s->h[i][j], s->basis[i], 1, next));
    }
    SW_TRY(on->dot(fem, next, next, &left));
    if (!isfinite(left))
        return sw_error(SW_ERR_CONVERGENCE, "GMRES: the product with the tangent is not finite");
    *lost = !(left > DBL_EPSILON * DBL_EPSILON * whole);
    s->h[j + 1][j] = *lost ? 0 : sqrt(left);
    return *lost ? SW_OK : on->combine(fem, 0, fem->z, 1 / sqrt(left), next);
}

/* Givens' rotations so far, and the one that clears the entry below the diagonal. */
static void rotate(gmres *s, int j)
{
    for (int i = 0; i < j; i++) {
        const double a = s->h[i][j], b = s->h[i + 1][j];
        s->h[i][j] = s->cosine[i] * a + s->sine[i] * b;
        s->h[i + 1][j] = s->cosine[i] * b - s->sine[i] * a;
    }
    const double length = hypot(s->h[j][j], s->h[j + 1][j]);
    s->cosine[j] = length > 0 ? s->h[j][j] / length : 1;
    s->sine[j] = length > 0 ? s->h[j + 1][j] / length : 0;
    s->h[j][j] = length;
    s->rest[j + 1] = -s->sine[j] * s->rest[j];
    s->rest[j] *= s->cosine[j];
}

/* x += M^-1 (basis y), y of the n columns; r and its square are the true ones. */
static sw_status take(gmres *s, int n, double *x, double *r)
{
    sw_fem *fem = s->fem;
    const sw_fem_backend *on = fem->backend;
    double y[CYCLE];
    for (int i = n - 1; i >= 0; i--) {
        y[i] = s->rest[i];
        for (int j = i + 1; j < n; j++)
            y[i] -= s->h[i][j] * y[j];
        y[i] /= s->h[i][i];
    }
    double *const sum = s->made ? fem->z : fem->p, *const *of = s->made ? s->made : s->basis;
    for (int i = 0; i < n; i++)
        SW_TRY(on->combine(fem, y[i], of[i], i > 0, sum));
    if (!s->made)
        SW_TRY(sw_fem_timed_precondition(fem, fem->p, fem->z));
    SW_TRY(sw_fem_free_product(fem, fem->z, fem->g));
    s->products++;
    return on->advance(fem, 1, fem->z, fem->g, x, r, &s->square);
}

static sw_status cycle(gmres *s, double *x, double *r)
{
    sw_fem *fem = s->fem;
    const double length = sqrt(s->square);
    int n = 0, lost = 0;
    SW_TRY(fem->backend->combine(fem, 1 / length, r, 0, s->basis[0]));
    s->rest[0] = length;
    while (n < CYCLE && !lost && s->products < fem->options.most_cg && s->rest[n] * s->rest[n] > s->enough) {
        SW_TRY(extend(s, n, &lost));
        rotate(s, n);
        if (s->h[n][n] == 0)
            break; /* the column is nothing: K M^-1 is singular */
        n++;
    }
    return n > 0 ? take(s, n, x, r) : SW_OK;
}

static sw_status solve_gmres(sw_fem *fem, double *x, double *r, double tolerance, int *iterations)
{
    const sw_fem_backend *on = fem->backend;
    gmres s = {.fem = fem, .basis = fem->krylov, .made = fem->rounds ? fem->krylov + CYCLE + 1 : NULL};
    SW_TRY(sw_fem_need_vectors(fem, CYCLE + 1 + (fem->rounds ? CYCLE : 0)));
    SW_TRY(on->combine(fem, 0, r, 0, x));
    SW_TRY(on->dot(fem, r, r, &s.first));
    if (!(s.first > 0) || !isfinite(s.first))
        return s.first == 0 ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "the residual is not finite");
    s.square = s.first;
    s.enough = tolerance * tolerance * s.first;
    while (!(s.square <= s.enough)) {
        const double before = s.square;
        SW_TRY(cycle(&s, x, r));
        *iterations = s.products;
        if (s.square <= s.enough)
            return SW_OK;
        if (s.products >= fem->options.most_cg)
            return sw_fem_out_of_iterations(fem, "GMRES", s.square, s.first, tolerance);
        if (!(s.square < (1 - 1e-6) * before)) /* the next cycle would be the same */
            return sw_error(SW_ERR_CONVERGENCE,
                            "GMRES stands still: |r| / |r_0| = %.3g after %d products: need %.3g",
                            sqrt(s.square / s.first), s.products, tolerance);
        SW_TRY(sw_parallel_agree(sw_interrupt_check()));
    }
    return SW_OK;
}

const sw_fem_linear_functions sw_fem_gmres = {.nonsymmetric = 1, .solve = solve_gmres};
