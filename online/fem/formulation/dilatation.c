/* Mean dilatation: the change of volume at all points is that of the element, so that nearly incompressible bodies do not
 * lock. Small strains: the trace of the strain is its mean over the volume (Hughes 1980). Finite: F is scaled so that its
 * determinant is the mean J (de Souza Neto, Peric, Dutko and Owen 1996; the mean as Abaqus' C3D8 has it):
 *
 *     F' = s F,   s = (mean J / J)^(1/d),   mean J = sum w J / sum w
 *
 * with d = 3, in plane strain 2, where only what lies in the plane is scaled. With t = d (ln J) / du at a point, T its mean
 * over the deformed volume, by which mean J changes, and G = dF / du:
 *
 *     dF' / du = s (G + F (T - t) / d) */
#include <math.h>
#include <string.h>

#include "common/math/tensor.h"
#include "common/system/status.h"
#include "evaluate.h"

enum { MOST_NODES = 8, MOST_UNKNOWNS = 24, MOST_POINTS = 8 };

/* Of the element's points, at one of its displacements. */
typedef struct {
    double h[MOST_POINTS][9], f[MOST_POINTS][9]; /* generalised; F of finite strains */
    double t[MOST_POINTS][MOST_UNKNOWNS];        /* d ln J / du; small strains: the gradient of the trace */
    double spatial[MOST_POINTS][3]
                  [MOST_NODES]; /* gradients by F^-1; [2] with axial symmetry N / r over the hoop stretch */
    double growth[MOST_POINTS]; /* J less 1; small strains: the trace */
    double mean[MOST_UNKNOWNS], mean_growth;
} dilated;

typedef struct {
    const sw_element *e;
    int n, c, d, rows, finite; /* nodes, components, of the root, unknowns */
    int diagonal[3];           /* where 11, 22 and 33 are of generalised gradients; -1 */
    sw_place place[MOST_POINTS];
} body;

static void begin(const sw_element *e, body *b)
{
    const sw_fem_kinematics kinematics = e->formulation->kinematics;
    b->e = e;
    b->n = e->formulation->topology->n_nodes;
    b->c = sw_formulation_components(e->formulation);
    b->d = kinematics == SW_FEM_PLANE_STRAIN ? 2 : 3;
    b->rows = b->n * b->c;
    b->finite = e->finite;
    b->diagonal[0] = 0;
    b->diagonal[1] = 4;
    b->diagonal[2] = kinematics == SW_FEM_SOLID ? 8 : kinematics == SW_FEM_AXISYMMETRIC ? 2 : -1;
}

/* det(I + h) - 1, to the last digits of a small h. */
static double growth_of(const double h[3][3])
{
    double sum = h[0][0] + h[1][1] + h[2][2], copy[3][3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        sum += h[i][i] * h[j][j] - h[i][j] * h[j][i];
    }
    memcpy(copy, h, sizeof copy);
    return sum + sw_determinant(copy);
}

/* Gradients at x + u, change of volume. */
static void see_deformed(const body *b, int q, dilated *x)
{
    const double *h = x->h[q];
    const int hoop = b->diagonal[2] == 2;
    double full[3][3] = {{h[0], h[1], 0}, {h[3], h[4], 0}, {0, 0, hoop ? h[2] : 0}}, inverse[3][3];
    if (b->c == 3)
        memcpy(full, h, sizeof full);
    x->growth[q] = growth_of((const double(*)[3])full);
    memcpy(x->f[q], h, sizeof x->f[q]);
    for (int i = 0; i < 3; i++) {
        full[i][i] += 1;
        if (b->diagonal[i] >= 0)
            x->f[q][b->diagonal[i]] += 1;
    }
    sw_invert(full, inverse);
    memset(x->spatial[q], 0, sizeof x->spatial[q]);
    for (int a = 0; a < b->n; a++) {
        for (int i = 0; i < b->c; i++)
            for (int j = 0; j < b->c; j++)
                x->spatial[q][i][a] += inverse[j][i] * b->place[q].gradient[j][a];
        if (hoop)
            x->spatial[q][2][a] = b->place[q].gradient[2][a] * inverse[2][2];
    }
}

/* Small: as if not deformed. */
static void see_point(const body *b, int q, const double (*u)[3], dilated *x)
{
    double *h = x->h[q];
    sw_gradient_of(&b->place[q], b->n, u, h);
    x->growth[q] = 0;
    for (int k = 0; k < 3; k++)
        x->growth[q] += b->diagonal[k] >= 0 ? h[b->diagonal[k]] : 0;
    if (b->finite)
        see_deformed(b, q, x);
    else
        for (int i = 0; i < 3; i++)
            memcpy(x->spatial[q][i], b->place[q].gradient[i], sizeof x->spatial[q][i]);
    for (int a = 0; a < b->n; a++)
        for (int i = 0; i < b->c; i++)
            x->t[q][b->c * a + i] =
                x->spatial[q][i][a] + (i == 0 && b->diagonal[2] == 2 ? x->spatial[q][2][a] : 0);
}

static sw_status see(const body *b, const double (*u)[3], dilated *x)
{
    double weight = 0, deformed = 0;
    memset(x->mean, 0, sizeof x->mean);
    x->mean_growth = 0;
    for (int q = 0; q < b->e->formulation->rule->n; q++) {
        see_point(b, q, u, x);
        if (b->finite && !(1 + x->growth[q] > 0))
            return sw_error(SW_ERR_CONVERGENCE, "it is turned inside out at a point");
        const double w = b->place[q].weight, part = w * (b->finite ? 1 + x->growth[q] : 1);
        weight += w;
        deformed += part;
        x->mean_growth += w * x->growth[q];
        for (int i = 0; i < b->rows; i++)
            x->mean[i] += part * x->t[q][i];
    }
    x->mean_growth /= weight;
    for (int i = 0; i < b->rows; i++)
        x->mean[i] /= deformed;
    return SW_OK;
}

/* s less 1 */
static double more_of(const body *b, int q, const dilated *x)
{
    return b->finite ? expm1((log1p(x->mean_growth) - log1p(x->growth[q])) / b->d) : 0;
}

/* H of F' */
static void gradient_of(const body *b, int q, const dilated *x, double h[9])
{
    const double more = more_of(b, q, x);
    for (int m = 0; m < 9; m++)
        h[m] = (1 + more) * x->h[q][m];
    for (int k = 0; k < 3; k++)
        if (b->diagonal[k] >= 0)
            h[b->diagonal[k]] += b->finite ? more : (x->mean_growth - x->growth[q]) / b->d;
}

/* dF' / du: [9][unknowns] */
static void operator_of(const body *b, int q, const dilated *x, double g[9][MOST_UNKNOWNS])
{
    const double s = 1 + more_of(b, q, x);
    for (int m = 0; m < 9; m++) {
        const int diagonal = m == b->diagonal[0] || m == b->diagonal[1] || m == b->diagonal[2];
        const double part = (b->finite ? x->f[q][m] : diagonal) / b->d;
        for (int k = 0; k < b->rows; k++)
            g[m][k] = s * (part * (x->mean[k] - x->t[q][k]) +
                           (k % b->c == m / 3 ? b->place[q].gradient[m % 3][k / b->c] : 0));
    }
}

static void add_force(const body *b, int q, const double p[9], double g[9][MOST_UNKNOWNS], double *force)
{
    for (int m = 0; m < 9; m++)
        for (int k = 0; k < b->rows; k++)
            force[k] += b->place[q].weight * p[m] * g[m][k];
}

/* g^T A g */
static void add_material(const body *b, int q, const double a[9][9], double g[9][MOST_UNKNOWNS],
                         double *stiffness)
{
    double product[9][MOST_UNKNOWNS] = {{0}};
    for (int m = 0; m < 9; m++)
        for (int l = 0; l < 9; l++) {
            const double factor = b->place[q].weight * a[m][l];
            for (int k = 0; k < MOST_UNKNOWNS; k++)
                product[m][k] += factor * g[l][k];
        }
    for (int i = 0; i < b->rows; i++)
        for (int m = 0; m < 9; m++) {
            const double factor = g[m][i];
            for (int k = 0; k < b->rows; k++)
                stiffness[i * b->rows + k] += factor * product[m][k];
        }
}

/* What P does with the change of dF' / du: from s, from F, from t; that of T is left to the end. Returns its share. */
static double add_geometry(const body *b, int q, const dilated *x, const double p[9], double *stiffness)
{
    const double s = 1 + more_of(b, q, x), w = b->place[q].weight;
    double work = 0, r[MOST_UNKNOWNS] = {0}, off[MOST_UNKNOWNS];
    for (int m = 0; m < 9; m++) {
        work += p[m] * x->f[q][m];
        for (int a = 0; a < b->n && m / 3 < b->c; a++)
            r[b->c * a + m / 3] += p[m] * b->place[q].gradient[m % 3][a];
    }
    for (int k = 0; k < b->rows; k++)
        off[k] = (x->mean[k] - x->t[q][k]) / b->d;
    for (int i = 0; i < b->rows; i++)
        for (int k = 0; k < b->rows; k++) {
            const double *ga = &x->spatial[q][0][i / b->c], *gb = &x->spatial[q][0][k / b->c];
            double turn = ga[(k % b->c) * MOST_NODES] * gb[(i % b->c) * MOST_NODES];
            if (b->diagonal[2] == 2 && i % b->c == 0 && k % b->c == 0)
                turn += ga[2 * MOST_NODES] * gb[2 * MOST_NODES];
            stiffness[i * b->rows + k] +=
                w * s * (off[k] * (r[i] + work * off[i]) + off[i] * r[k] + work / b->d * turn);
        }
    return w * s * work / b->d;
}

/* dT / du, times the shares of all points. */
static void add_mean_geometry(const body *b, const dilated *x, double share, double *stiffness)
{
    double deformed = 0;
    for (int q = 0; q < b->e->formulation->rule->n; q++)
        deformed += b->place[q].weight * (1 + x->growth[q]);
    for (int i = 0; i < b->rows; i++)
        for (int k = 0; k < b->rows; k++) {
            double sum = 0;
            for (int q = 0; q < b->e->formulation->rule->n; q++) {
                const double *ga = &x->spatial[q][0][i / b->c], *gb = &x->spatial[q][0][k / b->c];
                double turn = ga[(k % b->c) * MOST_NODES] * gb[(i % b->c) * MOST_NODES];
                if (b->diagonal[2] == 2 && i % b->c == 0 && k % b->c == 0)
                    turn += ga[2 * MOST_NODES] * gb[2 * MOST_NODES];
                sum += b->place[q].weight * (1 + x->growth[q]) * (x->t[q][i] * x->t[q][k] - turn);
            }
            stiffness[i * b->rows + k] += share * (sum / deformed - x->mean[i] * x->mean[k]);
        }
}

sw_status sw_evaluate_mean_dilatation(const sw_element *e, sw_element_answer *answer)
{
    body b;
    dilated now = {0}, before = {0};
    double share = 0;
    begin(e, &b);
    for (int q = 0; q < e->formulation->rule->n; q++)
        SW_TRY(sw_place_at(e, q, &b.place[q]));
    SW_TRY(see(&b, e->u, &now));
    SW_TRY(see(&b, e->u_before, &before));
    if (answer->force != NULL)
        memset(answer->force, 0, (size_t)b.rows * sizeof(double));
    if (answer->stiffness != NULL)
        memset(answer->stiffness, 0, (size_t)(b.rows * b.rows) * sizeof(double));
    for (int q = 0; q < e->formulation->rule->n; q++) {
        double h[9], h_before[9], g[9][MOST_UNKNOWNS] = {{0}};
        sw_point point;
        gradient_of(&b, q, &now, h);
        gradient_of(&b, q, &before, h_before);
        SW_TRY(sw_point_ask(e, q, b.place[q].weight, h, h_before, answer->stiffness != NULL, answer, &point));
        operator_of(&b, q, &now, g);
        if (answer->force != NULL)
            add_force(&b, q, point.force, g, answer->force);
        if (answer->stiffness == NULL)
            continue;
        add_material(&b, q, (const double(*)[9])point.tangent, g, answer->stiffness);
        if (b.finite)
            share += add_geometry(&b, q, &now, point.force, answer->stiffness);
    }
    if (answer->stiffness != NULL && b.finite)
        add_mean_geometry(&b, &now, share, answer->stiffness);
    return SW_OK;
}
