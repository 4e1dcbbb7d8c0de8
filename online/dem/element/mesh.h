/* Surfaces of triangles that spheres meet: where a centre has its nearest points on one. On the CPU.
 *
 * A contact is a point of the surface that is nearer to the centre than all points around it: the foot in a triangle; a
 * point of an edge, unless a triangle through that point comes nearer elsewhere; a corner likewise. Which triangles share
 * an edge is not asked, only which pass through the point, so that meshes need not match along edges. Flat neighbours
 * agree on one point to rounding: points closer to each other than a part SW_DEM_MESH_SAME of the reach are one.
 *
 * Triangles are found by a grid over them all. */
#ifndef SW_ONLINE_DEM_ELEMENT_MESH_H
#define SW_ONLINE_DEM_ELEMENT_MESH_H

#include <math.h>
#include <stdint.h>

#include "online/dem/contact/pair.h"
#include "slipwave/dem.h"

#define SW_DEM_MESH_SAME 1e-4
#define SW_DEM_MESH_NEARER 1e-9 /* relative: of points that are not the same, SAME^2 / 2 at least */

typedef struct {
    double corner[3][3], edge[3][3]; /* m; edge k from corner k to the next */
    double normal[3];
    int32_t low[3], high[3]; /* cells of the grid that it may be in */
} sw_dem_triangle;

struct sw_dem_mesh {
    int64_t n;
    sw_dem_triangle *triangle; /* [n] */
    double low[3], width;      /* of the grid, of its cells, m */
    double near;               /* distance at which a triangle passes through a point, m */
    int32_t cells[3];
    int32_t *first, *member; /* [cells + 1] triangles of a cell */
};

typedef enum { SW_DEM_ON_FACE, SW_DEM_ON_EDGE, SW_DEM_ON_CORNER } sw_dem_mesh_kind;

typedef struct sw_dem_mesh_contact {
    double point[3], normal[3]; /* m; unit, from the centre to the point */
    double along[3];            /* unit, of an edge; else 0 */
    double distance;
    sw_dem_mesh_kind kind;
} sw_dem_mesh_contact;

/* The point of edge k that is nearest to x; the square of its distance. */
static inline double sw_dem_on_edge(const sw_dem_triangle *t, int k, const double x[3], double point[3],
                                    sw_dem_mesh_kind *kind)
{
    const double *e = t->edge[k], square = sw_dem_dot(e, e);
    double from[3], part, distance = 0;
    for (int c = 0; c < 3; c++)
        from[c] = x[c] - t->corner[k][c];
    part = sw_dem_dot(from, e) / square;
    *kind = part > 0 && part < 1 ? SW_DEM_ON_EDGE : SW_DEM_ON_CORNER;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int c = 0; c < 3; c++) {
        point[c] = t->corner[k][c] + part * e[c];
        distance += (x[c] - point[c]) * (x[c] - point[c]);
    }
    return distance;
}

/* The point of a triangle that is nearest to x, and its distance, m. */
static inline double sw_dem_on_triangle(const sw_dem_triangle *t, const double x[3], sw_dem_mesh_contact *at)
{
    double from[3], outward[3], point[3], least = INFINITY;
    int outside = 0;
    sw_dem_mesh_kind kind;
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++)
            from[c] = x[c] - t->corner[k][c];
        sw_dem_cross(t->edge[k], t->normal, outward);
        outside |= sw_dem_dot(from, outward) > 0;
    }
    for (int c = 0; c < 3; c++) {
        from[c] = x[c] - t->corner[0][c];
        at->along[c] = 0;
    }
    at->distance = INFINITY; /* stays so where x is not finite */
    if (!outside) {
        const double height = sw_dem_dot(from, t->normal), side = height >= 0 ? -1 : 1;
        at->kind = SW_DEM_ON_FACE;
        at->distance = fabs(height);
        for (int c = 0; c < 3; c++) {
            at->point[c] = x[c] - height * t->normal[c];
            at->normal[c] = side * t->normal[c];
        }
        return at->distance;
    }
    for (int k = 0; k < 3; k++) {
        const double square = sw_dem_on_edge(t, k, x, point, &kind);
        if (!(square < least))
            continue;
        const double length = sqrt(sw_dem_dot(t->edge[k], t->edge[k]));
        least = square;
        at->kind = kind;
        at->distance = sqrt(square);
        for (int c = 0; c < 3; c++) {
            at->point[c] = point[c];
            at->along[c] = kind == SW_DEM_ON_EDGE ? t->edge[k][c] / length : 0;
            at->normal[c] = square > 0 ? (point[c] - x[c]) / at->distance : 0;
        }
    }
    return at->distance;
}

/* Cells of the grid that the cube of this half width around x meets; 0: none. */
static inline int sw_dem_mesh_cells(const sw_dem_mesh *m, const double x[3], double reach, int32_t low[3],
                                    int32_t high[3])
{
    for (int c = 0; c < 3; c++) {
        const double from = floor((x[c] - reach - m->low[c]) / m->width),
                     to = floor((x[c] + reach - m->low[c]) / m->width);
        if (!(to >= 0 && from < m->cells[c]))
            return 0;
        low[c] = from > 0 ? (int32_t)from : 0;
        high[c] = to < m->cells[c] - 1 ? (int32_t)to : m->cells[c] - 1;
    }
    return 1;
}

/* Each triangle t of those cells, once: where it and they begin to meet. */
#define SW_DEM_EACH_TRIANGLE(m, t, low, high, ...)                                             \
    for (int32_t a_ = (low)[0]; a_ <= (high)[0]; a_++)                                         \
        for (int32_t b_ = (low)[1]; b_ <= (high)[1]; b_++)                                     \
            for (int32_t c_ = (low)[2]; c_ <= (high)[2]; c_++) {                               \
                const int64_t cell_ = ((int64_t)a_ * (m)->cells[1] + b_) * (m)->cells[2] + c_; \
                for (int32_t e_ = (m)->first[cell_]; e_ < (m)->first[cell_ + 1]; e_++) {       \
                    const sw_dem_triangle *t = &(m)->triangle[(m)->member[e_]];                \
                    if (a_ == ((low)[0] > t->low[0] ? (low)[0] : t->low[0]) &&                 \
                        b_ == ((low)[1] > t->low[1] ? (low)[1] : t->low[1]) &&                 \
                        c_ == ((low)[2] > t->low[2] ? (low)[2] : t->low[2])) {                 \
                        __VA_ARGS__                                                            \
                    }                                                                          \
                }                                                                              \
            }

/* Whether a triangle through that point of another one is nearer to x elsewhere. */
static inline int sw_dem_mesh_comes_nearer(const sw_dem_mesh *m, const double x[3],
                                           const sw_dem_mesh_contact *at)
{
    int32_t low[3], high[3];
    sw_dem_mesh_contact other;
    int nearer = 0;
    if (!sw_dem_mesh_cells(m, at->point, m->near, low, high))
        return 0;
    SW_DEM_EACH_TRIANGLE(m, t, low, high, {
        if (sw_dem_on_triangle(t, at->point, &other) <= m->near)
            nearer |= sw_dem_on_triangle(t, x, &other) < at->distance * (1 - SW_DEM_MESH_NEARER);
    })
    return nearer;
}

/* One more of n contacts, unless it is there; of too many the deepest. */
static inline int sw_dem_mesh_add(const sw_dem_mesh_contact *at, double same, int n,
                                  sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS])
{
    int shallowest = 0;
    for (int i = 0; i < n; i++) {
        double square = 0;
        for (int c = 0; c < 3; c++)
            square += (at->point[c] - contact[i].point[c]) * (at->point[c] - contact[i].point[c]);
        if (square <= same * same) {
            if (at->kind < contact[i].kind)
                contact[i] = *at;
            return n;
        }
        if (contact[i].distance > contact[shallowest].distance)
            shallowest = i;
    }
    if (n < SW_DEM_MESH_CONTACTS) {
        contact[n] = *at;
        return n + 1;
    }
    if (at->distance < contact[shallowest].distance)
        contact[shallowest] = *at;
    return n;
}

/* Contacts of a centre x with points within reach, m; their number. */
static inline int sw_dem_mesh_contacts(const sw_dem_mesh *m, const double x[3], double reach,
                                       sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS])
{
    int32_t low[3], high[3];
    sw_dem_mesh_contact at;
    int n = 0;
    if (!sw_dem_mesh_cells(m, x, reach, low, high))
        return 0;
    SW_DEM_EACH_TRIANGLE(m, t, low, high, {
        if (sw_dem_on_triangle(t, x, &at) < reach &&
            (at.kind == SW_DEM_ON_FACE || (at.distance > 0 && !sw_dem_mesh_comes_nearer(m, x, &at))))
            n = sw_dem_mesh_add(&at, SW_DEM_MESH_SAME * reach, n, contact);
    })
    return n;
}

#endif
