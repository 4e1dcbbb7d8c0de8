/* How few numbers a tangent is kept in. A product reads them once, so that they are most of its bytes: of hex20 with 27 points
 * 7.8 kB an element as 36 numbers a point, 4.5 as 21, 1.5 as 7, and 16 B as 2 an element; its nodes' numbers are 0.5 kB.
 *
 * K from the hydrostatic part; of the deviatoric part D, in a basis in which the scalar product is the tensors', what is left
 * without its trace is S = -(m (x) m - |m|^2 I / 5), so that |m|^2 is the root of 5/4 times its norm, and m (x) m follows to
 * the round-off of D. */
#include <math.h>
#include <string.h>

#include "groups.h"

#define SAME 1e-13 /* of the largest entry: some hundred round-offs */

static double largest_of(const double c[6][6])
{
    double most = 0;
    for (int i = 0; i < 36; i++)
        most = fmax(most, fabs(c[i / 6][i % 6]));
    return most;
}

/* The stiffness of seven numbers. */
static void expand(const double t[7], double c[6][6])
{
    const double m[6] = {t[2], t[3], -t[2] - t[3], t[4], t[5], t[6]};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            c[i][j] = (i == j ? (i < 3 ? t[1] : 0.5 * t[1]) : 0) + (i < 3 && j < 3 ? t[0] - t[1] / 3 : 0) -
                      m[i] * m[j];
}

static int is_it(const double t[7], const double c[6][6], double most)
{
    double of[6][6];
    int same = 1;
    expand(t, of);
    for (int i = 0; i < 36 && same; i++)
        same = fabs(of[i / 6][i % 6] - c[i / 6][i % 6]) <= SAME * most;
    return same;
}

/* The deviatoric part in the basis of tensors, rows and columns scaled: shears by root 2. Returns the trace. */
static double deviate(const double c[6][6], double bulk, double d[6][6])
{
    double trace = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            d[i][j] = (c[i][j] - (i < 3 && j < 3 ? bulk : 0)) * (i < 3 ? 1 : M_SQRT2) * (j < 3 ? 1 : M_SQRT2);
        trace += d[i][i];
    }
    return trace;
}

/* Seven numbers; 0: it is another tangent. */
static int find_flowing(const double c[6][6], double t[7])
{
    const double most = largest_of(c);
    double d[6][6], square = 0;
    memset(t, 0, 7 * sizeof *t);
    for (int i = 0; i < 9; i++)
        t[0] += c[i / 3][i % 3] / 9;
    const double trace = deviate(c, t[0], d);
    t[1] = trace / 5; /* if there is no m */
    if (is_it(t, c, most))
        return 1;
    int at = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            /* minus S; the identity of deviators is I - 1 (x) 1 / 3 */
            d[i][j] = trace / 5 * ((i == j) - (i < 3 && j < 3 ? 1.0 / 3 : 0)) - d[i][j];
            square += d[i][j] * d[i][j];
        }
    const double size = sqrt(1.25 * square);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            d[i][j] += size / 5 * ((i == j) - (i < 3 && j < 3 ? 1.0 / 3 : 0));
        at = d[i][i] > d[at][at] ? i : at;
    }
    if (!(d[at][at] > 0))
        return 0;
    const double over = 1 / sqrt(d[at][at]);
    t[1] = (trace + size) / 5;
    for (int k = 0; k < 5; k++) {
        const int i = k < 2 ? k : k + 1;
        t[2 + k] = d[i][at] * over / (i < 3 ? 1 : M_SQRT2);
    }
    return is_it(t, c, most);
}

static int has_flow(const double t[7])
{
    int has = 0;
    for (int i = 2; i < 7; i++)
        has |= t[i] != 0;
    return has;
}

sw_product_kind sw_product_compact(int Q, const double (*tangent)[6][6], double *values)
{
    int uniform = 1, flowing = 1;
    for (int q = 0; q < Q && flowing; q++) {
        double *t = values + q * SW_PRODUCT_FLOWING_SIZE;
        flowing = find_flowing(tangent[q], t);
        uniform = uniform && flowing && !has_flow(t) && fabs(t[0] - values[0]) <= SAME * fabs(values[0]) &&
                  fabs(t[1] - values[1]) <= SAME * fabs(values[1]);
    }
    if (flowing)
        return uniform ? SW_PRODUCT_UNIFORM : SW_PRODUCT_FLOWING;
    for (int q = 0; q < Q; q++)
        for (int i = 0; i < 6; i++)
            for (int j = i; j < 6; j++)
                values[q * SW_PRODUCT_GENERAL_SIZE + sw_product_upper(i, j)] = tangent[q][i][j];
    return SW_PRODUCT_GENERAL;
}
