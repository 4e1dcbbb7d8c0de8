/* The fit of slip_start.h: least squares on answers of the slip law that are exact by construction. A stress from near the answer of
 * some strain rate is taken, and the strain rate is what the law makes of it. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/math/random.h"
#include "common/system/memory.h"
#include "slip_start.h"

enum { VERTICES = SW_SLIP_FIT_VERTICES, HINGES = SW_SLIP_FIT_HINGES, SAMPLES = 5000 };

/* Vertices, and classes of their pairs: of v1 and v, or -v. */
typedef struct {
    int systems, vertices, classes;
    double schmid[SW_SLIP_SYSTEMS_MAX][5], vertex[VERTICES][5], exponent;
    int class_of[VERTICES][VERTICES][2];
} polyhedron;

static double dot5(const double a[5], const double b[5])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4];
}

/* ---- Classes ---- */

/* Where a rotation takes a vertex; *opposite: to that one's negative. */
static int image_of(const polyhedron *p, const double g[3][3], int vertex, int *opposite)
{
    double turned[5], most = 0;
    int image = 0;
    sw_deviator_from_frame(g, p->vertex[vertex], turned);
    for (int v = 0; v < p->vertices; v++) {
        const double along = dot5(turned, p->vertex[v]) / sqrt(dot5(p->vertex[v], p->vertex[v]));
        image = fabs(along) > fabs(most) ? v : image;
        most = fabs(along) > fabs(most) ? along : most;
    }
    *opposite = most < 0;
    return image;
}

static void find_classes(const sw_point_group *group, polyhedron *p)
{
    int image[SW_POINT_GROUP_ORDER][VERTICES], turns[SW_POINT_GROUP_ORDER][VERTICES];
    for (int i = 0; i < group->order; i++) {
        double g[3][3];
        sw_point_group_matrix(group, i, g);
        for (int v = 0; v < p->vertices; v++)
            image[i][v] = image_of(p, (const double(*)[3])g, v, &turns[i][v]);
    }
    memset(p->class_of, -1, sizeof p->class_of);
    for (int k = 0; k < 2 * p->vertices * p->vertices; k++) {
        const int v1 = k / 2 / p->vertices, v = k / 2 % p->vertices, opposite = k % 2;
        if (p->class_of[v1][v][opposite] >= 0)
            continue;
        for (int i = 0; i < group->order; i++)
            p->class_of[image[i][v1]][image[i][v]][opposite ^ turns[i][v1] ^ turns[i][v]] = p->classes;
        p->classes++;
    }
}

/* ---- Samples ---- */

/* In any direction alike; every other one then towards where a second vertex ties, to a share of its distance, of down to 1e-5:
 * there the ideal orientations are. */
static void random_strain_rate(const polyhedron *p, uint64_t n, double d[5])
{
    double u[8], work[2] = {0}, apart[5];
    int best[2] = {0};
    sw_random_uniform4(1, n, 0, u);
    sw_random_uniform4(1, n, 1, u + 4);
    for (int i = 0; i < 5; i++) /* normal numbers */
        d[i] = sqrt(-2 * log(1 - u[i])) * cos(2 * SW_PI * u[i < 3 ? i + 5 : i - 3]);
    for (int v = 0; v < p->vertices; v++) {
        const double size = fabs(dot5(d, p->vertex[v]));
        const int second = size <= work[0];
        if (size > work[second]) {
            work[1] = second ? size : work[0];
            best[1] = second ? v : best[0];
            work[0] = second ? work[0] : size;
            best[0] = second ? best[0] : v;
        }
    }
    for (int i = 0; i < 5; i++)
        apart[i] = copysign(p->vertex[best[0]][i], dot5(d, p->vertex[best[0]]) * p->vertex[best[0]][i]) -
                   copysign(p->vertex[best[1]][i], dot5(d, p->vertex[best[1]]) * p->vertex[best[1]][i]);
    const double back = n % 2 == 1 ? (1 - pow(10, -5 * u[7])) * dot5(d, apart) / dot5(apart, apart) : 0;
    for (int i = 0; i < 5; i++)
        d[i] -= back * apart[i];
}

static int best_vertex(const polyhedron *p, const double d[5])
{
    int best = 0;
    for (int v = 1; v < p->vertices; v++)
        best = fabs(dot5(d, p->vertex[v])) > fabs(dot5(d, p->vertex[best])) ? v : best;
    return best;
}

/* Near the answer to d: as in slip_start.h, with the same pull of all that come within 0.15. */
static void guess(const polyhedron *p, const double d[5], double x[5])
{
    const int best = best_vertex(p, d);
    double weight[VERTICES], total = 0;
    for (int v = 0; v < p->vertices; v++) {
        const double gap = 1 - fabs(dot5(d, p->vertex[v]) / dot5(d, p->vertex[best]));
        weight[v] = v != best ? fmax(log(0.15 / fmax(gap, 1e-8)), 0) : 0;
        total += weight[v];
    }
    const double scale = fmin(1 / p->exponent, 0.5 / fmax(total, 1e-9));
    memset(x, 0, 5 * sizeof *x);
    for (int v = 0; v < p->vertices; v++)
        for (int i = 0; i < 5; i++)
            x[i] += copysign(v == best ? 1 - total * scale : weight[v] * scale, dot5(d, p->vertex[v])) *
                    p->vertex[v][i];
}

/* The strain rate of size 1 that the law makes of a stress, which is taken along its ray to there. */
static void answer_exactly(const polyhedron *p, double d[5], double x[5])
{
    double largest = 0, rate[5] = {0};
    for (int a = 0; a < p->systems; a++)
        largest = fmax(largest, fabs(dot5(p->schmid[a], x)));
    for (int a = 0; a < p->systems; a++) {
        const double tau = dot5(p->schmid[a], x) / largest, slip = copysign(pow(fabs(tau), p->exponent), tau);
        for (int i = 0; i < 5; i++)
            rate[i] += slip * p->schmid[a][i];
    }
    const double size = sqrt(dot5(rate, rate)), stretch = pow(size, -1 / p->exponent) / largest;
    for (int i = 0; i < 5; i++) {
        d[i] = rate[i] / size;
        x[i] *= stretch;
    }
}

/* ---- Least squares ---- */

/* What an unknown, the coefficient of a hinge of a class, does to x. */
typedef struct {
    int unknown;
    double by[5];
} effect;

/* Of all of them -> their number, and what is left of x, from v1 on; -1: a vertex ties. */
static int effects_of(const polyhedron *p, const double d[5], double x[5], effect *found)
{
    const int best = best_vertex(p, d);
    int count = 0;
    const double work = dot5(d, p->vertex[best]), own = copysign(1, work);
    for (int v = 0; v < p->vertices; v++) {
        const double share = dot5(d, p->vertex[v]) / work, sign = copysign(own, own * share);
        if (v != best && 1 - fabs(share) < 2 * SW_SLIP_FIT_LEAST)
            return -1;
        for (int j = 0; j < HINGES && v != best; j++) {
            const double past = -log2(1 - fabs(share)) - sw_slip_fit_hinge(j);
            if (!(past > 0))
                break;
            found[count].unknown = p->class_of[best][v][share < 0] * HINGES + j;
            for (int i = 0; i < 5; i++)
                found[count].by[i] = past / p->exponent * (sign * p->vertex[v][i] - own * p->vertex[best][i]);
            count++;
        }
    }
    for (int i = 0; i < 5; i++)
        x[i] -= own * p->vertex[best][i];
    return count;
}

/* matrix [unknowns][unknowns], right [unknowns]: zero. */
static void add_samples(const polyhedron *p, int unknowns, double *matrix, double *right)
{
    effect found[VERTICES * HINGES];
    for (int n = 0; n < SAMPLES; n++) {
        double d[5], x[5];
        random_strain_rate(p, (uint64_t)n, d);
        guess(p, d, x);
        answer_exactly(p, d, x);
        const int count = effects_of(p, d, x, found);
        for (int k = 0; k < count; k++) {
            double *row = matrix + (size_t)found[k].unknown * (size_t)unknowns;
            for (int l = 0; l < count; l++)
                row[found[l].unknown] += dot5(found[k].by, found[l].by);
            right[found[k].unknown] += dot5(found[k].by, x);
        }
    }
}

/* A little is added to the diagonal: what hardly a sample asks for stays small. */
static sw_status solve(int unknowns, double *matrix, double *right)
{
    const double little = 1e-4;
    double trace = 0;
    for (int i = 0; i < unknowns; i++)
        trace += matrix[(size_t)i * (size_t)unknowns + (size_t)i];
    for (int i = 0; i < unknowns; i++)
        matrix[(size_t)i * (size_t)unknowns + (size_t)i] += little * trace / unknowns;
    return sw_solve_by_elimination(unknowns, unknowns, matrix, right, right)
               ? SW_OK
               : sw_error(SW_ERR_CONVERGENCE, "the fit of a start for the slip law is singular");
}

static sw_status fit_polyhedron(const polyhedron *p, struct sw_slip_fit *fit)
{
    const int unknowns = p->classes * HINGES;
    double *matrix, *coefficient = NULL;
    sw_status status = SW_ALLOCATE(matrix, (size_t)unknowns * (size_t)unknowns, "a fit's equations");
    if (status == SW_OK)
        status = SW_ALLOCATE(coefficient, (size_t)unknowns, "a fit's equations");
    if (status == SW_OK) {
        add_samples(p, unknowns, matrix, coefficient);
        status = solve(unknowns, matrix, coefficient);
    }
    if (status == SW_OK) {
        for (int k = 0; k < 2 * p->vertices * p->vertices; k++) {
            const int v1 = k / 2 / p->vertices, v = k / 2 % p->vertices, opposite = k % 2;
            for (int j = 0; j < HINGES; j++)
                fit->pull[v][j][opposite * VERTICES + v1] =
                    (float)coefficient[p->class_of[v1][v][opposite] * HINGES + j];
        }
        for (int k = 0; k < 5 * p->vertices; k++)
            fit->vertex[k % 5][k / 5] = (float)p->vertex[k / 5][k % 5];
    }
    free(matrix);
    free(coefficient);
    return status;
}

/* ---- Fits that there are ---- */

typedef struct kept {
    struct kept *next;
    const sw_point_group *group;
    int systems;
    float schmid[SW_SLIP_SYSTEMS_MAX][5];
    double exponent;
    struct sw_slip_fit fit;
} kept;

static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static kept *fits;

static sw_status make(const sw_point_group *group, const sw_slip_model *model, double exponent, kept **made)
{
    polyhedron *p;
    SW_TRY(SW_ALLOCATE(p, 1, "a polyhedron"));
    p->systems = model->systems;
    p->vertices = model->vertices;
    p->exponent = exponent;
    for (int k = 0; k < 5 * model->systems; k++)
        p->schmid[k / 5][k % 5] = model->schmid[k / 5][k % 5];
    for (int k = 0; k < 5 * model->vertices; k++)
        p->vertex[k / 5][k % 5] = model->vertex[k / 5][k % 5];
    find_classes(group, p);
    sw_status status = SW_ALLOCATE(*made, 1, "a fit");
    if (status == SW_OK)
        status = fit_polyhedron(p, &(*made)->fit);
    if (status != SW_OK) {
        free(*made);
        *made = NULL;
    }
    free(p);
    return status;
}

sw_status sw_slip_fit_make(const sw_point_group *group, sw_slip_model *model)
{
    const double exponent = pow(1.25, round(log(model->exponent) / log(1.25)));
    sw_status status = SW_OK;
    model->fit = NULL;
    if (model->vertices > SW_SLIP_FIT_MOST || model->vertices == 0)
        return SW_OK;
    pthread_mutex_lock(&keeping);
    kept *one = fits;
    while (one != NULL &&
           !(one->group == group && one->exponent == exponent && one->systems == model->systems &&
             memcmp(one->schmid, model->schmid, sizeof one->schmid) == 0))
        one = one->next;
    if (one == NULL && (status = make(group, model, exponent, &one)) == SW_OK) {
        one->group = group;
        one->exponent = exponent;
        one->systems = model->systems;
        memcpy(one->schmid, model->schmid, sizeof one->schmid);
        one->next = fits;
        fits = one;
    }
    pthread_mutex_unlock(&keeping);
    model->fit = status == SW_OK ? &one->fit : NULL;
    return status;
}
