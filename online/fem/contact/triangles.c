#include "triangles.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/hash.h"
#include "common/shapes/stl.h"
#include "common/math/vector.h"
#include "online/fem/mesh/mesh.h"

enum { LEAF = 4, DEPTH = 64 };
#define CREASE 0.8 /* cosine, of normals of triangles that meet in a corner: less is an edge */
#define SAME 1e-7  /* of the surface's size: corners and places nearer than that are one */

typedef struct {
    double corner[3][3], normal[3], of_corner[3][3]; /* of_corner: normals of corners */
    double curvature;
    uint8_t own_edge[3];   /* edge k from corner k to the next is no other triangle's */
    uint8_t own_corner[3]; /* corner k is on the surface's own edge: of this triangle or another */
} triangle;

/* A box of triangles first to first + n; its halves are `part` and the next. n 0: of halves. */
typedef struct {
    double low[3], high[3];
    int32_t first, n, part;
} box;

struct sw_fem_triangles {
    int64_t n;
    triangle *triangle; /* [n] by boxes */
    box *box;
    int32_t n_boxes;
    double size;
};

/* ---- Boxes ---- */

static int along;
static int by_middle(const void *a, const void *b)
{
    double sum[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        sum[0] += ((const triangle *)a)->corner[k][along];
        sum[1] += ((const triangle *)b)->corner[k][along];
    }
    return (sum[0] > sum[1]) - (sum[0] < sum[1]);
}

static void divide(sw_fem_triangles *s, int32_t b, int32_t first, int32_t n)
{
    box *of = &s->box[b];
    *of = (box){.low = {INFINITY, INFINITY, INFINITY},
                .high = {-INFINITY, -INFINITY, -INFINITY},
                .first = first,
                .n = n};
    for (int32_t i = first; i < first + n; i++)
        for (int k = 0; k < 9; k++) {
            of->low[k % 3] = fmin(of->low[k % 3], s->triangle[i].corner[k / 3][k % 3]);
            of->high[k % 3] = fmax(of->high[k % 3], s->triangle[i].corner[k / 3][k % 3]);
        }
    if (n <= LEAF)
        return;
    along = 0;
    for (int k = 1; k < 3; k++)
        if (of->high[k] - of->low[k] > of->high[along] - of->low[along])
            along = k;
    qsort(s->triangle + first, (size_t)n, sizeof *s->triangle, by_middle);
    of->n = 0;
    of->part = s->n_boxes;
    s->n_boxes += 2;
    divide(s, of->part, first, n / 2);
    divide(s, of->part + 1, first + n / 2, n - n / 2);
}

static double square_to_box(const box *b, const double x[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double apart = fmax(fmax(b->low[k] - x[k], x[k] - b->high[k]), 0);
        square += apart * apart;
    }
    return square;
}

/* ---- Normals of corners ---- */

/* Calls `with` for each triangle that comes within `near` of x. */
typedef void visit(void *to, triangle *t, int64_t index);
static void each_near(sw_fem_triangles *s, const double x[3], double near, visit *with, void *to)
{
    int32_t stack[2 * DEPTH], n = 0;
    stack[n++] = 0;
    while (n > 0) {
        const box *b = &s->box[stack[--n]];
        if (square_to_box(b, x) > near * near)
            continue;
        for (int32_t i = b->first; i < b->first + b->n; i++)
            with(to, &s->triangle[i], i);
        if (b->n == 0) {
            stack[n++] = b->part;
            stack[n++] = b->part + 1;
        }
    }
}

typedef struct {
    const triangle *of;
    int64_t index;
    const double *at, *next; /* a corner, and the one after it */
    double same, sum[3];
    int shares; /* triangles that have the edge besides */
    int rim;    /* a triangle that has the corner has an edge there that is no other's */
} meeting;

static int is_there(const double a[3], const double b[3], double same)
{
    return fabs(a[0] - b[0]) <= same && fabs(a[1] - b[1]) <= same && fabs(a[2] - b[2]) <= same;
}

static void meet(void *to, triangle *t, int64_t index)
{
    meeting *m = to;
    int here = -1, there = -1;
    for (int k = 0; k < 3; k++) {
        if (is_there(t->corner[k], m->at, m->same))
            here = k;
        if (is_there(t->corner[k], m->next, m->same))
            there = k;
    }
    if (here < 0)
        return;
    m->shares += there >= 0 && index != m->index;
    if (sw_dot(t->normal, m->of->normal) < CREASE)
        return;
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = t->corner[(here + 1) % 3][i] - t->corner[here][i];
        b[i] = t->corner[(here + 2) % 3][i] - t->corner[here][i];
    }
    const double angle = acos(fmax(-1, fmin(1, sw_dot(a, b) / sqrt(sw_dot(a, a) * sw_dot(b, b)))));
    for (int i = 0; i < 3; i++)
        m->sum[i] += angle * t->normal[i];
}

static void meet_rim(void *to, triangle *t, int64_t index)
{
    meeting *m = to;
    (void)index;
    for (int k = 0; k < 3; k++)
        m->rim |= (t->own_edge[k] || t->own_edge[(k + 2) % 3]) && is_there(t->corner[k], m->at, m->same);
}

/* After find_normals. */
static void find_rim(sw_fem_triangles *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3; k++) {
            meeting m = {.at = s->triangle[i].corner[k], .same = SAME * s->size};
            each_near(s, m.at, m.same, meet_rim, &m);
            s->triangle[i].own_corner[k] = (uint8_t)m.rim;
        }
}

static void find_normals(sw_fem_triangles *s)
{
    for (int64_t i = 0; i < s->n; i++) {
        triangle *t = &s->triangle[i];
        for (int k = 0; k < 3; k++) {
            meeting m = {.of = t,
                         .index = i,
                         .at = t->corner[k],
                         .next = t->corner[(k + 1) % 3],
                         .same = SAME * s->size};
            each_near(s, m.at, m.same, meet, &m);
            sw_to_unit(m.sum);
            memcpy(t->of_corner[k], m.sum, sizeof m.sum);
            t->own_edge[k] = m.shares == 0;
        }
        for (int k = 0; k < 3; k++) {
            double turn = 0, square = 0;
            for (int j = 0; j < 3; j++) {
                const double edge = t->corner[(k + 1) % 3][j] - t->corner[k][j];
                turn += (t->of_corner[(k + 1) % 3][j] - t->of_corner[k][j]) * edge;
                square += edge * edge;
            }
            t->curvature += turn / square / 3;
        }
    }
}

/* ---- Made and gone ---- */

void sw_fem_triangles_free(sw_fem_triangles *s)
{
    if (s == NULL)
        return;
    free(s->triangle);
    free(s->box);
    free(s);
}

static sw_status take(sw_fem_triangles *s, int64_t i, const double corner[3][3])
{
    triangle *t = &s->triangle[i];
    double a[3], b[3];
    for (int k = 0; k < 9; k++)
        if (!isfinite(corner[k / 3][k % 3]))
            return sw_error(SW_ERR_RANGE, "triangle %lld: a corner that is not finite", (long long)i + 1);
    memcpy(t->corner, corner, sizeof t->corner);
    for (int k = 0; k < 3; k++) {
        a[k] = corner[1][k] - corner[0][k];
        b[k] = corner[2][k] - corner[0][k];
    }
    sw_cross(a, b, t->normal);
    return sw_to_unit(t->normal) > 0 ? SW_OK
                                     : sw_error(SW_ERR_RANGE, "triangle %lld has no area", (long long)i + 1);
}

sw_status sw_fem_triangles_make(int64_t n, const double (*corner)[3][3], sw_fem_triangles **triangles)
{
    sw_fem_triangles *s;
    sw_status status;
    *triangles = NULL;
    if (n < 1 || n > INT32_MAX / 4)
        return sw_error(SW_ERR_RANGE, "%lld triangles: need 1 to 5e8", (long long)n);
    SW_TRY(SW_ALLOCATE(s, 1, "triangles"));
    s->n = n;
    SW_TRY_GOTO(status, SW_ALLOCATE(s->triangle, n, "triangles"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(s->box, 2 * n + 2, "triangles"), end);
    for (int64_t i = 0; i < n; i++)
        SW_TRY_GOTO(status, take(s, i, corner[i]), end);
    s->n_boxes = 1;
    divide(s, 0, 0, (int32_t)n);
    for (int k = 0; k < 3; k++)
        s->size = fmax(s->size, s->box[0].high[k] - s->box[0].low[k]);
    find_normals(s);
    find_rim(s);
    *triangles = s;
    return SW_OK;
end:
    sw_fem_triangles_free(s);
    return status;
}

uint64_t sw_fem_triangles_hash(uint64_t h, const sw_fem_triangles *s)
{
    for (int64_t i = 0; i < s->n; i++)
        h = sw_hash(h, s->triangle[i].corner, sizeof s->triangle[i].corner);
    return h;
}

/* ---- The nearest place ---- */

/* Its weights of the corners, and the square of its distance. Ericson, Real-Time Collision Detection (2005), 5.1.5. */
static double nearest(const triangle *t, const double x[3], double weight[3])
{
    double a[3], b[3], p[3], square = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = t->corner[1][k] - t->corner[0][k];
        b[k] = t->corner[2][k] - t->corner[0][k];
        p[k] = x[k] - t->corner[0][k];
    }
    const double aa = sw_dot(a, a), ab = sw_dot(a, b), bb = sw_dot(b, b), ap = sw_dot(a, p),
                 bp = sw_dot(b, p);
    const double det = aa * bb - ab * ab;
    weight[1] = (bb * ap - ab * bp) / det;
    weight[2] = (aa * bp - ab * ap) / det;
    weight[0] = 1 - weight[1] - weight[2];
    if (weight[0] < 0 || weight[1] < 0 || weight[2] < 0) {
        double least = INFINITY;
        for (int k = 0; k < 3; k++) { /* along edge k; the weight of the corner opposite is 0 to the digit */
            const double length = k == 0 ? aa : k == 1 ? aa - 2 * ab + bb : bb;
            const double way = k == 0 ? ap : k == 1 ? bp - ap - ab + aa : bb - bp;
            double on[3] = {0, 0, 0};
            on[(k + 1) % 3] = fmin(fmax(way / length, 0), 1);
            on[k] = 1 - on[(k + 1) % 3];
            const double here = on[1] * on[1] * aa + 2 * on[1] * on[2] * ab + on[2] * on[2] * bb -
                                2 * (on[1] * ap + on[2] * bp);
            if (here < least) {
                least = here;
                memcpy(weight, on, sizeof on);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        const double apart = p[k] - weight[1] * a[k] - weight[2] * b[k];
        square += apart * apart;
    }
    return square;
}

static double from_plane(const triangle *t, const double x[3])
{
    const double from[3] = {x[0] - t->corner[0][0], x[1] - t->corner[0][1], x[2] - t->corner[0][2]};
    return fabs(sw_dot(from, t->normal));
}

/* Squares of distances, of `least` and of one that is the same but for rounding. */
static double tie_of(const sw_fem_triangles *s, double least)
{
    return SAME * SAME * s->size * s->size + 1e-13 * least;
}

/* Where several are as near, at an edge or a corner, the one whose plane is farthest: it has x on its right side, others may see
 * their backs beyond a sharp edge. */
static const triangle *search(const sw_fem_triangles *s, const double x[3], double weight[3])
{
    const triangle *best = NULL;
    int32_t stack[2 * DEPTH], n = 0;
    double least = INFINITY, tie = 0;
    stack[n++] = 0;
    while (n > 0) {
        const box *b = &s->box[stack[--n]];
        if (square_to_box(b, x) > least + tie)
            continue;
        for (int32_t i = b->first; i < b->first + b->n; i++) {
            double w[3];
            const triangle *t = &s->triangle[i];
            const double square = nearest(t, x, w);
            if (best == NULL || square < least - tie ||
                (square <= least + tie && from_plane(t, x) > from_plane(best, x))) {
                least = fmin(least, square);
                tie = tie_of(s, least);
                best = t;
                memcpy(weight, w, sizeof w);
            }
        }
        if (b->n == 0) {
            const int near = square_to_box(&s->box[b->part], x) < square_to_box(&s->box[b->part + 1], x);
            stack[n++] = b->part + near;
            stack[n++] = b->part + !near;
        }
    }
    return best;
}

void sw_fem_triangles_find(const sw_fem_triangles *s, const double x[3], sw_fem_tool_place *at)
{
    double weight[3], from[3], across[3], beyond;
    const triangle *t = search(s, x, weight);
    at->gap = INFINITY;
    if (t == NULL) /* x is not finite */
        return;
    for (int i = 0; i < 3; i++) {
        from[i] = x[i];
        at->normal[i] = 0;
        for (int k = 0; k < 3; k++) {
            from[i] -= weight[k] * t->corner[k][i];
            at->normal[i] += weight[k] * t->of_corner[k][i];
        }
    }
    sw_to_unit(at->normal);
    for (int i = 0; i < 3; i++)
        across[i] = from[i] - sw_dot(from, t->normal) * t->normal[i];
    beyond = sqrt(sw_dot(across, across));
    for (int k = 0; k < 3; k++)
        if (beyond > SAME * s->size &&
            ((t->own_edge[k] && weight[(k + 2) % 3] == 0) || (t->own_corner[k] && weight[k] > 1 - SAME)))
            return;
    at->gap = sw_dot(from, at->normal);
    at->curvature = t->curvature;
}

/* ---- Files ---- */

static sw_status of_mesh(const sw_fem_mesh *mesh, double scale, int64_t *n, double (**corner)[3][3])
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    int64_t faces = 0;
    int32_t *member = NULL;
    uint8_t *all;
    if (shape->dimension != 3)
        return sw_error(SW_ERR_INPUT, "a plane mesh: need hexahedra, whose outer faces are the tool");
    SW_TRY(SW_ALLOCATE(all, mesh->n_nodes, "nodes"));
    memset(all, 1, (size_t)mesh->n_nodes);
    sw_status status = sw_fem_outer_faces(mesh, all, &faces, &member);
    free(all);
    if (status == SW_OK)
        status = SW_ALLOCATE(*corner, 2 * faces, "triangles");
    for (int64_t f = 0; f < faces && status == SW_OK; f++)
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 3; k++) {
                const int a = k == 0 ? 0 : half + k;
                const int32_t node =
                    mesh->node[(int64_t)(member[f] / 8) * shape->n_nodes + shape->face[member[f] % 8][a]];
                for (int i = 0; i < 3; i++)
                    (*corner)[2 * f + half][k][i] = scale * mesh->position[3 * (int64_t)node + i];
            }
    *n = 2 * faces;
    free(member);
    return status;
}

sw_status sw_fem_triangles_read(const char *path, double scale, sw_fem_triangles **triangles)
{
    const char *dot = strrchr(path, '.');
    double(*corner)[3][3] = NULL;
    int64_t n = 0;
    sw_status status;
    *triangles = NULL;
    if (dot != NULL && strcasecmp(dot, ".stl") == 0) {
        status = sw_stl_read(path, scale, &n, &corner);
    } else if (dot == NULL || (strcmp(dot, ".msh") != 0 && strcmp(dot, ".inp") != 0)) {
        return sw_error(SW_ERR_INPUT, "%s: not a mesh file's name: need one that ends in .stl, .msh or .inp",
                        path);
    } else {
        sw_fem_mesh *mesh;
        SW_TRY(sw_fem_mesh_read(path, &mesh));
        status = of_mesh(mesh, scale, &n, &corner);
        sw_fem_mesh_free(mesh);
    }
    if (status == SW_OK)
        status = sw_fem_triangles_make(n, (const double(*)[3][3])corner, triangles);
    free(corner);
    return status == SW_ERR_RANGE ? sw_error(SW_ERR_INPUT, "%s: %.600s", path, sw_error_message()) : status;
}
