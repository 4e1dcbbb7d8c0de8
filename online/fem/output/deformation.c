/* How far elements are deformed, for jobs of small strains, which are meant for little of it. */
#include <math.h>

#include "common/system/threads.h"
#include "output.h"

#define MOST_STRAIN 0.10
#define MOST_TURN 0.05 /* rad: a turn by an angle a is computed as a strain of a^2 / 2, too */

/* Of an element at its centre: the displacement's gradient split in strain and rotation, their norms. */
typedef struct {
    double strain, turn;
} deformation;

/* Below, d is a number that the compiler knows. */
#define OF_ITS_OWN static inline __attribute__((always_inline))

/* The inverse of a [d][d], its determinant. */
OF_ITS_OWN double invert(int d, const double a[3][3], double inverse[3][3])
{
    double determinant = 0;
    if (d == 2) {
        determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        inverse[0][0] = a[1][1] / determinant;
        inverse[1][1] = a[0][0] / determinant;
        inverse[0][1] = -a[0][1] / determinant;
        inverse[1][0] = -a[1][0] / determinant;
        return determinant;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int r = (j + 1) % 3, s = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
            inverse[i][j] = a[r][p] * a[s][q] - a[r][q] * a[s][p];
        }
    for (int i = 0; i < 3; i++)
        determinant += a[0][i] * inverse[i][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[i][j] /= determinant;
    return determinant;
}

/* The greatest |eigenvalue| of a symmetric 3 x 3 (Smith 1961, Comm. ACM 4, 168). */
static double greatest(const double a[3][3])
{
    const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3;
    const double b[3] = {a[0][0] - mean, a[1][1] - mean, a[2][2] - mean};
    const double xy = a[0][1], yz = a[1][2], zx = a[2][0];
    const double square = (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + 2 * (xy * xy + yz * yz + zx * zx)) / 6;
    const double p = sqrt(square);
    if (!(p > 0))
        return fabs(mean);
    const double det =
        b[0] * (b[1] * b[2] - yz * yz) - xy * (xy * b[2] - yz * zx) + zx * (xy * yz - b[1] * zx);
    const double angle = acos(fmax(-1, fmin(1, det / (2 * p * square)))) / 3;
    const double third = 2.0943951023931954923; /* 2 pi / 3 */
    return fmax(fabs(mean + 2 * p * cos(angle)), fabs(mean + 2 * p * cos(angle + third)));
}

/* No less than that, and sooner had. */
static double norm_of(const double a[3][3])
{
    return sqrt(a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2] +
                2 * (a[0][1] * a[0][1] + a[1][2] * a[1][2] + a[2][0] * a[2][0]));
}

/* Corners of the unit element by local node. */
static const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/* in_doubt: the strain that is found may be any that is allowed, where that is so. */
OF_ITS_OWN deformation deformation_in(int d, const sw_fem_mesh *mesh, int around_axis, const double *u,
                                      int64_t e, int in_doubt)
{
    const int V = 1 << d;
    const int32_t *node = mesh->node + e * V;
    double jacobian[3][3] = {{0}}, moved[3][3] = {{0}}, inverse[3][3], strain[3][3] = {{0}}, turn = 0;
    double radius = 0, out = 0;
    for (int v = 0; v < V; v++) {
        const double *x = mesh->position + (int64_t)node[v] * d, *w = u + (int64_t)node[v] * d;
        radius += x[0];
        out += w[0];
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                jacobian[i][j] += x[i] * corner[v][j];
                moved[i][j] += w[i] * corner[v][j];
            }
    }
    (void)invert(d, (const double(*)[3])jacobian, inverse);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double ij = 0, ji = 0;
            for (int k = 0; k < d; k++) {
                ij += moved[i][k] * inverse[k][j];
                ji += moved[j][k] * inverse[k][i];
            }
            strain[i][j] = 0.5 * (ij + ji);
            turn += 0.125 * (ij - ji) * (ij - ji);
        }
    if (around_axis && radius > 0)
        strain[2][2] = out / radius;
    const double norm = norm_of((const double(*)[3])strain);
    return (deformation){in_doubt && norm <= MOST_STRAIN ? norm : greatest((const double(*)[3])strain),
                         sqrt(turn)};
}

static deformation deformation_of(const sw_fem_mesh *mesh, int around_axis, const double *u, int64_t e,
                                  int in_doubt)
{
    return mesh->shape == SW_HEX8 ? deformation_in(3, mesh, 0, u, e, in_doubt)
                                  : deformation_in(2, mesh, around_axis, u, e, in_doubt);
}

/* A prescribed 10 % is no more, and what is more shows in the five digits that are printed. */
#define ROUND_OFF 1e-4

/* To three places: round-off is 0. */
static double rounded(double value) { return round(1e3 * value) / 1e3; }

static double times_allowed(deformation of) { return fmax(of.strain / MOST_STRAIN, of.turn / MOST_TURN); }

enum { ELEMENT_NS = 50 };

/* Of equal boxes, whether an element is well within what is allowed: which most are, and soon known to be. */
static int is_well_within(const sw_fem_mesh *mesh, const double by[3], const double *u, int64_t e)
{
    const int32_t *node = mesh->node + 8 * e;
    double gradient[3][3] = {{0}}, square = 0, turn = 0;
    for (int v = 0; v < 8; v++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                gradient[i][j] += corner[v][j] * u[3 * (int64_t)node[v] + i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double ij = by[j] * gradient[i][j], ji = by[i] * gradient[j][i];
            square += 0.25 * (ij + ji) * (ij + ji);
            turn += 0.125 * (ij - ji) * (ij - ji);
        }
    return square < 0.9 * MOST_STRAIN * MOST_STRAIN && turn < 0.9 * MOST_TURN * MOST_TURN;
}

/* The element that is deformed most, and how many times what is allowed; of those that are not, any. */
static int64_t find_worst(const sw_fem_results *r, double *most)
{
    const sw_fem_mesh *mesh = r->job->problem.mesh;
    const int around_axis = r->job->problem.kinematics == SW_FEM_AXISYMMETRIC;
    const int boxes = sw_fem_has_boxes(mesh) && mesh->shape == SW_HEX8;
    double by[3] = {0}; /* of a sum over corners a quarter over the edge */
    int64_t worst = 0;
    *most = 0;
    for (int i = 0; i < 3 && boxes; i++)
        by[i] = 0.25 / mesh->lattice->size[i];
#pragma omp parallel num_threads(sw_threads_for(mesh->n_elements, ELEMENT_NS))
    {
        int64_t own_worst = 0;
        double own_most = 0;
#pragma omp for schedule(static) nowait
        for (int64_t e = 0; e < mesh->n_elements; e++) {
            if (boxes && is_well_within(mesh, by, r->field.displacement, e))
                continue;
            const double times =
                times_allowed(deformation_of(mesh, around_axis, r->field.displacement, e, 1));
            if (times > own_most) {
                own_most = times;
                own_worst = e;
            }
        }
#pragma omp critical(sw_fem_worst)
        if (own_most > *most || (own_most == *most && own_worst < worst)) {
            *most = own_most;
            worst = own_worst;
        }
    }
    return worst;
}

void sw_fem_warn_of_deformation(sw_fem_results *r)
{
    const sw_fem_problem *p = &r->job->problem;
    const sw_fem_mesh *mesh = p->mesh;
    double most;
    if (r->warned || p->strain != SW_FEM_SMALL || p->kinematics == SW_FEM_HEAT)
        return;
    const int64_t worst = find_worst(r, &most);
    if (most <= 1 + ROUND_OFF)
        return;
    const deformation of =
        deformation_of(mesh, p->kinematics == SW_FEM_AXISYMMETRIC, r->field.displacement, worst, 0);
    r->warned = 1;
    sw_warn("increment %lld: element %lld is strained by %.7g %% and turned by %.7g %% (%.5g degrees): "
            "strain: small is "
            "meant for at most %g %% and %g %%; %s",
            (long long)r->done + 1, sw_fem_element_label(mesh, worst), rounded(100 * of.strain),
            rounded(100 * of.turn), rounded(of.turn * 57.29577951308232), 100 * MOST_STRAIN, 100 * MOST_TURN,
            p->kinematics == SW_FEM_PLANE_STRESS
                ? "strain: finite, which computes more, needs plane_strain or a mesh in space"
                : "strain: finite computes more");
}
