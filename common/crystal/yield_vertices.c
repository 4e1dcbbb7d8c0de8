/* From one vertex along the edges to all others: the graph of a polyhedron is connected, so none is missed.
 * Of the vertices that the crystal's group carries to each other only the first found is left along its edges;
 * the others' neighbours are images of its neighbours. */
#include "yield_vertices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/tensor.h"

/* Numbers here are of order one and exact to some 5e-15. Two vertices are 0.03 apart at least, and a system
 * that does not yield at a vertex stays 0.0017 short of it (both bcc48). */
static const double tolerance = 1e-9;

static void tensor_of(const double v[5], double t[3][3])
{
    double six[6];
    sw_deviator_tensor(v, six);
    sw_tensor_of_six(six, t);
}

void sw_schmid_vectors(const sw_slip_systems *systems, double (*schmid)[5], double (*spin)[3])
{
    for (int a = 0; a < systems->count; a++) {
        const double *b = systems->direction[a], *n = systems->normal[a];
        double t[3][3];
        for (int k = 0; k < 9; k++)
            t[k / 3][k % 3] = b[k / 3] * n[k % 3];
        sw_deviator_vector((const double(*)[3])t, schmid[a]);
        spin[a][0] = 0.5 * (t[0][1] - t[1][0]);
        spin[a][1] = 0.5 * (t[0][2] - t[2][0]);
        spin[a][2] = 0.5 * (t[1][2] - t[2][1]);
    }
}

/* Half of how much slips by x over themselves, and its slope: 0 for a stress that nothing bounds. */
static double slip_of(const sw_slip_systems *s, const double (*schmid)[5], const double x[5], double slope[5])
{
    double sum = 0;
    memset(slope, 0, 5 * sizeof *slope);
    for (int a = 0; a < s->count; a++) {
        double tau = 0;
        for (int i = 0; i < 5; i++)
            tau += schmid[a][i] * x[i];
        tau = a < s->two_way ? tau : fmax(tau, 0);
        sum += 0.5 * tau * tau;
        for (int i = 0; i < 5; i++)
            slope[i] += tau * schmid[a][i];
    }
    return sum;
}

/* From each axis down to where least slips, among stresses of unit size. */
int sw_schmid_vectors_span(const sw_slip_systems *systems, const double (*schmid)[5])
{
    for (int start = 0; start < 10; start++) {
        double x[5] = {0}, slope[5], least = 1;
        x[start / 2] = start % 2 ? -1 : 1;
        for (int k = 0; k < 2000 && least > 1e-9; k++) {
            double size = 0;
            least = slip_of(systems, schmid, x, slope);
            for (int i = 0; i < 5; i++) {
                x[i] -= slope[i] / systems->count;
                size += x[i] * x[i];
            }
            for (int i = 0; i < 5; i++)
                x[i] /= sqrt(size);
        }
        if (least <= 1e-9)
            return 0;
    }
    return 1;
}

/* The polyhedron |P . v| <= 1, and what is found of its vertices. */
typedef struct {
    int systems;
    double schmid[SW_SLIP_SYSTEMS_MAX][5];
    double (*vertex)[5];
    int count;
    int orbit[SW_YIELD_VERTICES_MAX], orbits; /* the first vertex of each */
    int rotations;
    double rotation[SW_POINT_GROUP_ORDER][3][3];
} polyhedron;

static double dot(const double a[5], const double b[5])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4];
}

/* The faces that v lies on, as outward normals -> their number. */
static int faces_at(const polyhedron *p, const double v[5], double face[SW_SLIP_SYSTEMS_MAX][5])
{
    int n = 0;
    for (int a = 0; a < p->systems; a++) {
        const double tau = dot(p->schmid[a], v);
        if (!(fabs(tau) >= 1 - tolerance))
            continue;
        for (int i = 0; i < 5; i++)
            face[n][i] = copysign(1, tau) * p->schmid[a][i];
        n++;
    }
    return n;
}

/* From v along a direction to the first face that it meets, but for those it lies on. */
static sw_status go_to_next_face(const polyhedron *p, const double direction[5], double v[5])
{
    double distance = INFINITY;
    for (int a = 0; a < p->systems; a++) {
        const double tau = dot(p->schmid[a], v), rate = dot(p->schmid[a], direction);
        if (fabs(rate) > tolerance && 1 - copysign(1, rate) * tau > tolerance)
            distance = fmin(distance, (1 - copysign(1, rate) * tau) / fabs(rate));
    }
    if (!isfinite(distance))
        return sw_error(SW_ERR_CONVERGENCE, "yield surface: %d slip systems leave a stress unbounded",
                        p->systems);
    for (int i = 0; i < 5; i++)
        v[i] += distance * direction[i];
    return SW_OK;
}

/* `direction` less its parts along n normals, which are made orthonormal; those that depend on others become
 * 0. */
static void make_orthogonal(int n, double (*normal)[5], double direction[5])
{
    for (int k = 0; k <= n; k++) {
        double *row = k < n ? normal[k] : direction;
        for (int pass = 0; pass < 2; pass++) /* once more takes away what rounding left */
            for (int j = 0; j < k; j++) {
                const double along = dot(normal[j], row);
                for (int i = 0; i < 5; i++)
                    row[i] -= along * normal[j][i];
            }
        const double size = sqrt(dot(row, row)), scale = size > 1e-6 ? 1 / size : 0;
        for (int i = 0; i < 5; i++)
            row[i] *= scale;
    }
}

/* Some vertex: from the origin to a face, along it to the next, and so on until no way is left. */
static sw_status find_first(const polyhedron *p, double v[5])
{
    memset(v, 0, 5 * sizeof *v);
    for (int k = 0; k < 5; k++) {
        double face[SW_SLIP_SYSTEMS_MAX][5], direction[5] = {0.3, -0.5, 0.7, 0.2, 0.6}; /* on no symmetry */
        make_orthogonal(faces_at(p, v, face), face, direction);
        if (dot(direction, direction) > 0)
            SW_TRY(go_to_next_face(p, direction, v));
    }
    return SW_OK;
}

/* The direction normal to four faces, up to its sign: the minors of their matrix. Zero if they depend on each
 * other. */
static void cross(const double *const row[4], double out[5])
{
    for (int i = 0; i < 5; i++) {
        double m[4][4], minor = i % 2 ? -1 : 1;
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++)
                m[r][c] = row[r][c + (c >= i)];
        for (int c = 0; c < 4; c++) {
            int pivot = c;
            for (int r = c + 1; r < 4; r++)
                if (fabs(m[r][c]) > fabs(m[pivot][c]))
                    pivot = r;
            if (pivot != c)
                minor = -minor;
            minor *= m[pivot][c];
            for (int k = 0; k < 4; k++) {
                const double swapped = m[c][k];
                m[c][k] = m[pivot][k];
                m[pivot][k] = swapped;
            }
            for (int r = c + 1; r < 4 && m[c][c] != 0; r++) {
                const double factor = m[r][c] / m[c][c];
                for (int k = c; k < 4; k++)
                    m[r][k] -= factor * m[c][k];
            }
        }
        out[i] = minor;
    }
}

/* An edge leaves the vertex along the cut of four of its faces, inside all the others. Turns `direction`
 * inwards; 0 if it is none. */
static int is_edge(int faces, double (*face)[5], double direction[5])
{
    double least = 0, most = 0;
    for (int a = 0; a < faces; a++) {
        least = fmin(least, dot(face[a], direction));
        most = fmax(most, dot(face[a], direction));
    }
    if ((least < -tolerance) == (most > tolerance))
        return 0;
    for (int i = 0; i < 5 && most > tolerance; i++)
        direction[i] = -direction[i];
    return 1;
}

static int is_known(const polyhedron *p, const double v[5])
{
    for (int k = 0; k < p->count; k++) {
        double same = 0, opposite = 0;
        for (int i = 0; i < 5; i++) {
            same += fabs(p->vertex[k][i] - v[i]);
            opposite += fabs(p->vertex[k][i] + v[i]);
        }
        if (same < 1e-6 || opposite < 1e-6)
            return 1;
    }
    return 0;
}

/* Rows of larger size first; of those with the same sizes by the signs of the last row, then of the one before, up to an
 * inversion, which tensors do not see: what is summed over vertices rounds as their order has it. */
static int by_rows(const void *one, const void *other)
{
    const double *a = one, *b = other;
    const double invert_a = a[0] + a[1] + a[2] < 0 ? -1 : 1, invert_b = b[0] + b[1] + b[2] < 0 ? -1 : 1;
    for (int i = 0; i < 9; i++)
        if (fabs(fabs(a[i]) - fabs(b[i])) > tolerance)
            return fabs(a[i]) > fabs(b[i]) ? -1 : 1;
    for (int i = 8; i >= 0; i--)
        if (fabs(invert_a * a[i] - invert_b * b[i]) > tolerance)
            return invert_a * a[i] > invert_b * b[i] ? -1 : 1;
    return 0;
}

static void set_rotations(const sw_point_group *group, polyhedron *p)
{
    p->rotations = group->order;
    for (int k = 0; k < group->order; k++)
        sw_point_group_matrix(group, k, p->rotation[k]);
    qsort(p->rotation, (size_t)p->rotations, sizeof *p->rotation, by_rows);
}

/* v in the crystal turned by g. */
static void turn(double g[3][3], const double v[5], double turned[5])
{
    double t[3][3], image[3][3];
    tensor_of(v, t);
    sw_rotate_tensor(g, t, image);
    sw_deviator_vector((const double(*)[3])image, turned);
}

/* Add a vertex and its images under the group's rotations. */
static sw_status add_orbit(polyhedron *p, const double v[5])
{
    p->orbit[p->orbits++] = p->count;
    for (int k = 0; k < p->rotations; k++) {
        double u[5];
        turn(p->rotation[k], v, u);
        if (is_known(p, u))
            continue;
        if (p->count == SW_YIELD_VERTICES_MAX)
            return sw_error(SW_ERR_CONVERGENCE, "yield surface: more than %d vertices",
                            SW_YIELD_VERTICES_MAX);
        memcpy(p->vertex[p->count++], u, sizeof u);
    }
    return SW_OK;
}

/* Add what lies at the other ends of the edges at v. */
static sw_status add_neighbours(polyhedron *p, const double v[5])
{
    double face[SW_SLIP_SYSTEMS_MAX][5];
    const int n = faces_at(p, v, face);
    for (int a = 3; a < n; a++)
        for (int b = 2; b < a; b++)
            for (int c = 1; c < b; c++)
                for (int d = 0; d < c; d++) {
                    const double *const cut[4] = {face[a], face[b], face[c], face[d]};
                    double direction[5], next[5];
                    cross(cut, direction);
                    if (!is_edge(n, face, direction))
                        continue;
                    memcpy(next, v, sizeof next);
                    SW_TRY(go_to_next_face(p, direction, next));
                    if (!is_known(p, next))
                        SW_TRY(add_orbit(p, next));
                }
    return SW_OK;
}

sw_status sw_yield_vertices(const sw_slip_systems *systems, double (*vertex)[5], int *count)
{
    polyhedron p = {.systems = systems->count, .vertex = vertex};
    double spin[SW_SLIP_SYSTEMS_MAX][3], first[5];
    sw_schmid_vectors(systems, p.schmid, spin);
    set_rotations(systems->group, &p);
    SW_TRY(find_first(&p, first));
    SW_TRY(add_orbit(&p, first));
    for (int done = 0; done < p.orbits; done++)
        SW_TRY(add_neighbours(&p, p.vertex[p.orbit[done]]));
    *count = p.count;
    return SW_OK;
}
