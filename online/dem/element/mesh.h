/* Surfaces of triangles that spheres meet: where a centre has its nearest points on one. On the CPU.
 *
 * A contact is a point of the surface that is nearer to the centre than all points around it: the foot in a triangle; a
 * point of an edge, unless a triangle through that point comes nearer elsewhere; a corner likewise. Which triangles share
 * an edge is not asked, only which pass through the point, so that meshes need not match along edges. Flat neighbours
 * agree on one point to rounding: feet within a part SW_DEM_MESH_SAME of the reach of their common edge are one.
 *
 * Triangles are found by a grid over them all. */
#ifndef SW_ONLINE_DEM_ELEMENT_MESH_H
#define SW_ONLINE_DEM_ELEMENT_MESH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

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

typedef enum { SW_DEM_ON_FACE, SW_DEM_ON_EDGE, SW_DEM_ON_CORNER, SW_DEM_ON_SEVERAL } sw_dem_mesh_kind;

typedef struct sw_dem_mesh_contact {
    double point[3], normal[3]; /* m; unit, from the centre to the point */
    double along[3];            /* unit, of an edge; else 0 */
    double distance;
    double
        stored; /* energy of its points over that of one contact as deep as it is, forces going as depth to a power */
    sw_dem_mesh_kind kind;
} sw_dem_mesh_contact;

/* Of its triangles: what a state of a run is checked against. */
uint64_t sw_dem_mesh_hash(uint64_t h, const sw_dem_mesh *mesh);

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

/* Whether a triangle through that point of another one is nearer to x elsewhere, by that part. */
static inline int sw_dem_mesh_comes_nearer(const sw_dem_mesh *m, const double x[3],
                                           const sw_dem_mesh_contact *at, double by)
{
    int32_t low[3], high[3];
    sw_dem_mesh_contact other;
    int nearer = 0;
    if (!sw_dem_mesh_cells(m, at->point, m->near, low, high))
        return 0;
    SW_DEM_EACH_TRIANGLE(m, t, low, high, {
        if (sw_dem_on_triangle(t, at->point, &other) <= m->near)
            nearer |= sw_dem_on_triangle(t, x, &other) < at->distance * (1 - by);
    })
    return nearer;
}

/* One more of n contacts; of too many the deepest. */
static inline int sw_dem_mesh_add(const sw_dem_mesh_contact *at, int n,
                                  sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS])
{
    int shallowest = 0;
    for (int i = 1; i < n; i++)
        if (contact[i].distance > contact[shallowest].distance)
            shallowest = i;
    if (n < SW_DEM_MESH_CONTACTS) {
        contact[n] = *at;
        return n + 1;
    }
    if (at->distance < contact[shallowest].distance)
        contact[shallowest] = *at;
    return n;
}

/* Whether the way from `from` to `to` goes through a triangle: an edge counts, to rounding. */
static inline int sw_dem_through_triangle(const sw_dem_triangle *t, const double from[3], const double to[3])
{
    double a = 0, b = 0, at[3], out[3];
    for (int c = 0; c < 3; c++) {
        a += (from[c] - t->corner[0][c]) * t->normal[c];
        b += (to[c] - t->corner[0][c]) * t->normal[c];
    }
    if (!((a > 0) != (b > 0)))
        return 0;
    for (int k = 0; k < 3; k++) {
        const double size = sw_dem_dot(t->edge[k], t->edge[k]);
        for (int c = 0; c < 3; c++)
            at[c] = from[c] + a / (a - b) * (to[c] - from[c]) - t->corner[k][c];
        sw_dem_cross(t->edge[k], t->normal, out);
        if (!(sw_dem_dot(at, out) <= 1e-9 * size))
            return 0;
    }
    return 1;
}

/* Whether it goes through the mesh. */
static inline int sw_dem_through_mesh(const sw_dem_mesh *m, const double from[3], const double to[3])
{
    double middle[3], reach = 0;
    int32_t low[3], high[3];
    int through = 0;
    for (int c = 0; c < 3; c++) {
        middle[c] = 0.5 * (from[c] + to[c]);
        reach = fmax(reach, 0.5 * fabs(to[c] - from[c]));
    }
    if (!sw_dem_mesh_cells(m, middle, reach, low, high))
        return 0;
    SW_DEM_EACH_TRIANGLE(m, t, low, high, { through |= sw_dem_through_triangle(t, from, to); })
    return through;
}

/* ---- One contact of many points ----
 *
 * A ball of radius s around x cuts a mesh into a set of Euler characteristic chi(s). The energy of a contact that is
 * phi(d) deep at distance d is taken for the wall's as the sum of phi over the distances at which chi changes, times the
 * change: +1 where a new piece begins (a contact), -1 where two pieces meet (a saddle, on a concave edge), +1 where a hole
 * closes (a concave corner). chi is additive over the triangles, edges and corners, and each of these is convex: so the
 * energy has a continuous gradient. It is one contact's on coplanar triangles, however cut, and the contacts' own where
 * the ball does not reach the edges between them. */

enum { SW_DEM_MESH_MOST = 128, SW_DEM_MESH_FAN = 32 }; /* points that a ball has; triangles around one */

typedef struct {
    sw_dem_mesh_contact at;
    int change, piece;  /* of chi; contact that it belongs to */
    double sheet[2][3]; /* of a saddle: unit, from the edge down two of its triangles */
} sw_dem_mesh_point;

/* Adds a direction to n distinct ones; their number. */
static inline int sw_dem_mesh_add_sheet(const double u[3], int n, double sheet[SW_DEM_MESH_FAN][3])
{
    for (int i = 0; i < n; i++)
        if (sw_dem_dot(u, sheet[i]) > 1 - 1e-6)
            return n;
    if (n == SW_DEM_MESH_FAN)
        return n;
    for (int c = 0; c < 3; c++)
        sheet[n][c] = u[c];
    return n + 1;
}

/* Whether a point of a triangle is on none of its edges. */
static inline int sw_dem_mesh_inside(const sw_dem_triangle *t, const double x[3], double near)
{
    double point[3];
    sw_dem_mesh_kind kind;
    for (int k = 0; k < 3; k++)
        if (sw_dem_on_edge(t, k, x, point, &kind) <= near * near)
            return 0;
    return 1;
}

/* Triangles through a point of an edge along which x comes nearer by more than `same`, a direction each. */
static inline int sw_dem_mesh_sheets(const sw_dem_mesh *m, const double x[3], const sw_dem_mesh_contact *at,
                                     double same, double sheet[SW_DEM_MESH_FAN][3])
{
    int32_t low[3], high[3];
    sw_dem_mesh_contact other;
    int n = 0;
    if (!sw_dem_mesh_cells(m, at->point, m->near, low, high))
        return 0;
    SW_DEM_EACH_TRIANGLE(m, t, low, high, {
        if (sw_dem_on_triangle(t, at->point, &other) <= m->near) {
            double u[3], from[3], middle[3];
            sw_dem_cross(t->normal, at->along, u);
            for (int c = 0; c < 3; c++) {
                from[c] = x[c] - at->point[c];
                middle[c] = (t->corner[0][c] + t->corner[1][c] + t->corner[2][c]) / 3 - at->point[c];
            }
            const double length = sqrt(sw_dem_dot(u, u)),
                         side = sw_dem_dot(u, sw_dem_mesh_inside(t, at->point, m->near) ? from : middle);
            for (int c = 0; c < 3 && length > 0; c++)
                u[c] /= side < 0 ? -length : length;
            if (length > 0 && sw_dem_dot(u, from) > same)
                n = sw_dem_mesh_add_sheet(u, n, sheet);
        }
    })
    return n;
}

/* Change of chi at a corner: 1 less chi of the directions of triangles there along which x comes nearer. */
static inline int sw_dem_mesh_corner(const sw_dem_mesh *m, const double x[3], const double corner[3],
                                     double same)
{
    int32_t low[3], high[3];
    sw_dem_mesh_contact other, in;
    double ray[SW_DEM_MESH_FAN][3], from[3];
    int n = 0, sectors = 0, shared = 0;
    if (!sw_dem_mesh_cells(m, corner, m->near, low, high))
        return 0;
    for (int c = 0; c < 3; c++)
        from[c] = x[c] - corner[c];
    const double square = sw_dem_dot(from, from);
    SW_DEM_EACH_TRIANGLE(m, t, low, high, {
        if (sw_dem_on_triangle(t, corner, &other) <= m->near) {
            const double d = sw_dem_on_triangle(t, x, &in);
            const int down = square - d * d > same * same;
            sectors += down;
            for (int k = 0; k < 3 && down; k++) {
                sw_dem_mesh_kind kind;
                double point[3];
                const double length = sqrt(sw_dem_dot(t->edge[k], t->edge[k]));
                if (sqrt(sw_dem_on_edge(t, k, corner, point, &kind)) > m->near)
                    continue;
                for (int e = 0; e < 2; e++) { /* both ways, unless its end is here */
                    const double *end = t->corner[(k + e) % 3];
                    double u[3], left = 0;
                    for (int c = 0; c < 3; c++) {
                        u[c] = (e == 0 ? -1 : 1) * t->edge[k][c] / length;
                        left += (end[c] - corner[c]) * u[c];
                    }
                    if (!(left > 2 * m->near) || !(sw_dem_dot(u, from) > 0))
                        continue;
                    const int before = n;
                    n = sw_dem_mesh_add_sheet(u, n, ray);
                    shared += n == before;
                }
            }
        }
    })
    return sectors == 0 ? 0 : 1 - (sectors - shared); /* of none it is a contact */
}

/* Adds a contact, unless it is there: two whose rims are `same` away are that far from each other twice. */
static inline int sw_dem_mesh_add_least(const sw_dem_mesh_contact *at, double same, int n,
                                        sw_dem_mesh_point point[SW_DEM_MESH_MOST])
{
    for (int i = 0; i < n; i++) {
        double square = 0;
        for (int c = 0; c < 3; c++)
            square += (at->point[c] - point[i].at.point[c]) * (at->point[c] - point[i].at.point[c]);
        if (square <= 4.00001 * same * same) {
            if (at->kind < point[i].at.kind)
                point[i].at = *at;
            return n;
        }
    }
    if (n == SW_DEM_MESH_MOST)
        return n;
    memset(&point[n], 0, sizeof point[n]);
    point[n].at = *at;
    point[n].change = 1;
    return n + 1;
}

/* Adds a saddle or a hole's end, unless it is there. */
static inline int sw_dem_mesh_add_point(const sw_dem_mesh_point *p, double same, int n,
                                        sw_dem_mesh_point point[SW_DEM_MESH_MOST])
{
    for (int i = 0; i < n; i++) {
        double square = 0, turned[3];
        for (int c = 0; c < 3; c++)
            square += (p->at.point[c] - point[i].at.point[c]) * (p->at.point[c] - point[i].at.point[c]);
        sw_dem_cross(p->at.along, point[i].at.along, turned);
        if (square <= same * same && p->at.kind == point[i].at.kind && sw_dem_dot(turned, turned) < 1e-6)
            return n;
    }
    if (n == SW_DEM_MESH_MOST)
        return n;
    point[n] = *p;
    return n + 1;
}

/* Edges and corners of a triangle that are saddles and ends of holes, within reach. */
static inline int sw_dem_mesh_joints(const sw_dem_mesh *m, const sw_dem_triangle *t, const double x[3],
                                     double reach, double same, int n,
                                     sw_dem_mesh_point point[SW_DEM_MESH_MOST])
{
    double sheet[SW_DEM_MESH_FAN][3];
    for (int k = 0; k < 3; k++)
        for (int corner = 0; corner < 2; corner++) {
            sw_dem_mesh_point p;
            memset(&p, 0, sizeof p);
            double square = sw_dem_on_edge(t, k, x, p.at.point, &p.at.kind);
            if (!corner && p.at.kind != SW_DEM_ON_EDGE)
                continue;
            if (corner) {
                p.at.kind = SW_DEM_ON_CORNER;
                square = 0;
                for (int c = 0; c < 3; c++) {
                    p.at.point[c] = t->corner[k][c];
                    square += (x[c] - t->corner[k][c]) * (x[c] - t->corner[k][c]);
                }
            }
            if (!(square < reach * reach) || !(square > 0))
                continue;
            p.at.distance = sqrt(square);
            const double length = sqrt(sw_dem_dot(t->edge[k], t->edge[k]));
            for (int c = 0; c < 3; c++) {
                p.at.normal[c] = (p.at.point[c] - x[c]) / p.at.distance;
                p.at.along[c] = corner ? 0 : t->edge[k][c] / length;
            }
            if (corner)
                p.change = sw_dem_mesh_corner(m, x, p.at.point, same);
            else {
                const int sheets = sw_dem_mesh_sheets(m, x, &p.at, same, sheet);
                p.change = sheets > 1 ? 1 - sheets : 0;
                memcpy(p.sheet, sheet, sheets > 1 ? sizeof p.sheet : 0);
            }
            if (p.change != 0)
                n = sw_dem_mesh_add_point(&p, same, n, point);
        }
    return n;
}

/* The contact nearest in direction to n. */
static inline int sw_dem_mesh_toward(const double n[3], int contacts, const sw_dem_mesh_point *point)
{
    int best = 0;
    for (int i = 1; i < contacts; i++)
        if (sw_dem_dot(n, point[i].at.normal) > sw_dem_dot(n, point[best].at.normal))
            best = i;
    return point[best].piece;
}

/* Contacts that saddles join are one piece. */
static inline void sw_dem_mesh_join(const double x[3], int contacts, int n, sw_dem_mesh_point *point)
{
    for (int i = 0; i < contacts; i++)
        point[i].piece = i;
    for (int i = contacts; i < n; i++) {
        int piece[2];
        for (int e = 0; e < 2 && point[i].at.kind == SW_DEM_ON_EDGE; e++) {
            double from[3], foot[3], along = 0, length;
            for (int c = 0; c < 3; c++) {
                from[c] = x[c] - point[i].at.point[c];
                along += from[c] * point[i].sheet[e][c];
            }
            for (int c = 0; c < 3; c++)
                foot[c] = along * point[i].sheet[e][c] - from[c];
            length = sqrt(sw_dem_dot(foot, foot));
            for (int c = 0; c < 3; c++)
                foot[c] /= length > 0 ? length : 1;
            piece[e] = sw_dem_mesh_toward(foot, contacts, point);
        }
        for (int j = 0; j < i && point[i].at.kind == SW_DEM_ON_EDGE; j++)
            if (point[j].piece == piece[1])
                point[j].piece = piece[0];
        point[i].piece = point[i].at.kind == SW_DEM_ON_EDGE
                             ? piece[0]
                             : sw_dem_mesh_toward(point[i].at.normal, contacts, point);
    }
}

/* Pieces as contacts of the force that their points have, each as its depth to a power. */
static inline int sw_dem_mesh_merge(const double x[3], double reach, double power, int contacts, int n,
                                    const sw_dem_mesh_point *point,
                                    sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS])
{
    int found = 0;
    for (int i = 0; i < contacts; i++) {
        sw_dem_mesh_contact all = point[i].at;
        double force[3] = {0, 0, 0}, size, energy = 0;
        int points = 0;
        all.stored = 1;
        for (int j = 0; j < n && point[i].piece == i; j++) {
            if (point[j].piece != i)
                continue;
            points++;
            const double depth = reach - point[j].at.distance, part = point[j].change * pow(depth, power);
            energy += part * depth;
            for (int c = 0; c < 3; c++)
                force[c] += part * point[j].at.normal[c];
        }
        size = sqrt(sw_dem_dot(force, force));
        if (points == 0 || !(size > 0))
            continue;
        if (points > 1) {
            all.kind = SW_DEM_ON_SEVERAL;
            all.distance = reach - pow(size, 1 / power);
            all.stored = energy / (size * (reach - all.distance));
            for (int c = 0; c < 3; c++) {
                all.along[c] = 0;
                all.normal[c] = force[c] / size;
                all.point[c] = x[c] + all.distance * all.normal[c];
            }
        }
        found = sw_dem_mesh_add(&all, found, contact);
    }
    return found;
}

/* Whether a foot in a triangle is on its rim, to `same`, and what is beyond comes nearer. */
static inline int sw_dem_mesh_on_rim(const sw_dem_mesh *m, const sw_dem_triangle *t, const double x[3],
                                     const sw_dem_mesh_contact *at, double same)
{
    for (int k = 0; k < 3; k++) {
        sw_dem_mesh_contact rim = *at;
        if (sw_dem_on_edge(t, k, at->point, rim.point, &rim.kind) > same * same)
            continue;
        rim.distance = at->distance; /* of the triangle itself not nearer */
        if (sw_dem_mesh_comes_nearer(m, x, &rim, 1e-12))
            return 1;
    }
    return 0;
}

/* Contacts of a centre x with points within reach, m, whose forces go as depth to a power; their number. */
static inline int sw_dem_mesh_contacts(const sw_dem_mesh *m, const double x[3], double reach, double power,
                                       sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS])
{
    const double same = SW_DEM_MESH_SAME * reach;
    int32_t low[3], high[3];
    sw_dem_mesh_contact at;
    sw_dem_mesh_point point[SW_DEM_MESH_MOST];
    int n = 0;
    if (!sw_dem_mesh_cells(m, x, reach, low, high))
        return 0;
    SW_DEM_EACH_TRIANGLE(m, t, low, high, {
        if (sw_dem_on_triangle(t, x, &at) < reach &&
            (at.kind == SW_DEM_ON_FACE
                 ? !sw_dem_mesh_on_rim(m, t, x, &at, same)
                 : at.distance > 0 && !sw_dem_mesh_comes_nearer(m, x, &at, SW_DEM_MESH_NEARER)))
            n = sw_dem_mesh_add_least(&at, same, n, point);
    })
    const int contacts = n;
    SW_DEM_EACH_TRIANGLE(m, t, low, high, {
        if (contacts > 0 && sw_dem_on_triangle(t, x, &at) < reach)
            n = sw_dem_mesh_joints(m, t, x, reach, same, n, point);
    })
    sw_dem_mesh_join(x, contacts, n, point);
    return sw_dem_mesh_merge(x, reach, power, contacts, n, point, contact);
}

#endif
