/* `points` on the CPU: eight elements at a time, one a lane; elastic boxes by their blocks.
 *
 * A pass is done by all threads together, a task by one. Elements of different tasks of a pass share no node:
 * off equal boxes a pass is a colour and a task a bundle of eight; on them a task is a slab of cells across
 * the longest side, and there are two passes, of even and odd slabs, so that a vector is read twice and not
 * eight times. */
#include "common/math/lanes_doubles.h"

#include <stdlib.h>
#include <string.h>

#include "operators.h"
#include "common/system/threads.h"
#include "online/fem/element/general.h"
#include "voxel_product.h"

typedef struct {
    sw_fem *fem;
    int32_t (*bundle)[SW_LANES]; /* elements, -1 where a bundle is not full */
    int64_t *plastic;            /* of a bundle: its place in `tangent`, -1: elastic */
    sw_real
        *tangent; /* [room][8][size] of plastic bundles: as products read them, points and lanes together */
    int64_t room;
    int size;      /* numbers of a point's tangent */
    int64_t *task; /* [n_tasks + 1] first bundle */
    int64_t *pass; /* [n_passes + 1] first task */
    int n_passes;
    /* Equal boxes in space. */
    sw_fem_walsh_blocks *blocks; /* [n_materials]; NULL: another mesh */
    int n_slabs;
    int64_t *slab_first; /* [n_slabs + 1] */
    int32_t *slab;       /* [E] elements by slab, even slabs first */
} points_work;

static const int sizes[] = {[SW_FEM_MEASURE_SMALL] = SW_FEM_TANGENT_SIZE,
                            [SW_FEM_MEASURE_FINITE] = SW_FEM_FINITE_SIZE,
                            [SW_FEM_MEASURE_CRYSTALS] = SW_FEM_GENERAL_SIZE,
                            [SW_FEM_MEASURE_MATTER] = SW_FEM_FINITE_SIZE};

static void close_points(void *opaque)
{
    points_work *work = opaque;
    if (!work)
        return;
    free(work->bundle);
    free(work->plastic);
    free(work->tangent);
    free(work->task);
    free(work->pass);
    free(work->blocks);
    free(work->slab_first);
    free(work->slab);
    free(work);
}

/* Bundles from number `at` on of those of list[n] that are plastic or not, in boxes of one material each. */
static int64_t make_bundles(points_work *work, const sw_fem_view *view, int64_t n, const int32_t *list,
                            int plastic, int64_t at)
{
    const int n_materials = work->blocks ? work->fem->problem->n_materials : 1;
    for (int material = 0; material < n_materials; material++) {
        int lane = 0;
        for (int64_t i = 0; i < n; i++) {
            const int32_t e = list[i];
            if ((view->slot[e] >= 0) != plastic || (n_materials > 1 && view->material_of[e] != material))
                continue;
            if (lane == 0) {
                work->plastic[at] = plastic ? 0 : -1;
                for (int l = 0; l < SW_LANES; l++)
                    work->bundle[at][l] = -1;
            }
            work->bundle[at][lane] = e;
            if (++lane == SW_LANES) {
                lane = 0;
                at++;
            }
        }
        at += lane > 0;
    }
    return at;
}

enum { PACK_NS = 500 }; /* ns of a core that a bundle's tangents take, about one a number */

/* Number the plastic bundles and gather their tangents; lanes without an element repeat the first. */
static sw_status pack_tangents(points_work *work, const sw_fem_view *view, int64_t n_bundles)
{
    const int Q = work->fem->corners;
    int64_t n = 0;
    for (int64_t b = 0; b < n_bundles; b++)
        if (work->plastic[b] >= 0)
            work->plastic[b] = n++;
    if (n > work->room) {
        const int64_t room = n + n / 4, each = 8 * (int64_t)work->size;
        free(work->tangent);
        work->tangent = NULL;
        sw_fem_count_bytes(work->fem, -work->room * each * (int64_t)sizeof *work->tangent);
        work->room = 0;
        SW_TRY(SW_ALLOCATE(work->tangent, room * each, "tangents of plastic points"));
        work->room = room;
        sw_fem_count_bytes(work->fem, room * each * (int64_t)sizeof *work->tangent);
    }
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, PACK_NS))
    for (int64_t b = 0; b < n_bundles; b++)
        for (int lane = 0; lane < SW_LANES && work->plastic[b] >= 0; lane++) {
            const int32_t e = work->bundle[b][lane] < 0 ? work->bundle[b][0] : work->bundle[b][lane];
            for (int q = 0; q < Q; q++)
                for (int i = 0; i < work->size; i++)
                    work->tangent[(work->plastic[b] * 8 + q) * work->size + i][lane] =
                        view->tangent[((int64_t)i * Q + q) * view->n_plastic + view->slot[e]];
        }
    return SW_OK;
}

static sw_status prepare_points(void *opaque, const sw_fem_view *view)
{
    points_work *work = opaque;
    int64_t at = 0, n_tasks = 0;
    if (work->blocks) {
        for (int i = 0; i < work->n_slabs; i++) {
            const int64_t first = work->slab_first[i], n = work->slab_first[i + 1] - first;
            for (int plastic = 0; plastic < 2; plastic++)
                at = make_bundles(work, view, n, work->slab + first, plastic, at);
            work->task[++n_tasks] = at;
        }
        return pack_tangents(work, view, at);
    }
    for (int colour = 0; colour < view->n_colours; colour++) {
        const int64_t first = view->colour_first[colour], n = view->colour_first[colour + 1] - first;
        for (int plastic = 0; plastic < 2; plastic++)
            at = make_bundles(work, view, n, view->coloured + first, plastic, at);
        while (n_tasks < at) {
            n_tasks++;
            work->task[n_tasks] = n_tasks;
        }
        work->pass[colour + 1] = n_tasks;
    }
    return pack_tangents(work, view, at);
}

/* Elements by slab across the longest side, even slabs first; in a slab by colour, so that the lanes of a
 * bundle do not wait for each other's sums. */
static sw_status make_slabs(points_work *work, const sw_fem_view *view, const sw_fem_lattice *l)
{
    const int axis = l->n[0] >= l->n[1] && l->n[0] >= l->n[2] ? 0 : l->n[1] >= l->n[2] ? 1 : 2;
    const int n = l->n[axis], n_even = (n + 1) / 2;
    int32_t *slab_of;
    int64_t *place;
    work->n_slabs = n;
    work->n_passes = 2;
    SW_TRY(SW_ALLOCATE(work->slab_first, n + 1, "slabs"));
    SW_TRY(SW_ALLOCATE(work->slab, work->fem->n_elements, "slabs"));
    SW_TRY(SW_ALLOCATE(work->pass, 3, "slabs"));
    SW_TRY(SW_ALLOCATE(work->task, n + 1, "slabs"));
    SW_TRY(SW_ALLOCATE(slab_of, work->fem->n_elements, "slabs"));
    if (SW_ALLOCATE(place, n, "slabs") != SW_OK) {
        free(slab_of);
        return SW_ERR_MEMORY;
    }
    work->pass[1] = n_even;
    work->pass[2] = n;
    for (int64_t z = 0, cell = 0; z < l->n[2]; z++)
        for (int64_t y = 0; y < l->n[1]; y++)
            for (int64_t x = 0; x < l->n[0]; x++, cell++) {
                const int64_t at = axis == 0 ? x : axis == 1 ? y : z, slab = at / 2 + at % 2 * n_even;
                if (l->element[cell] >= 0) {
                    slab_of[l->element[cell]] = (int32_t)slab;
                    work->slab_first[slab + 1]++;
                }
            }
    for (int i = 0; i < n; i++) {
        work->slab_first[i + 1] += work->slab_first[i];
        place[i] = work->slab_first[i];
    }
    for (int64_t i = 0; i < work->fem->n_elements; i++)
        work->slab[place[slab_of[view->coloured[i]]]++] = view->coloured[i];
    free(slab_of);
    free(place);
    return SW_OK;
}

static sw_status open_boxes(points_work *work, const sw_fem_view *view)
{
    const sw_fem_lattice *lattice = work->fem->problem->mesh->lattice;
    const int n_materials = work->fem->problem->n_materials;
    SW_TRY(SW_ALLOCATE(work->blocks, n_materials, "blocks of materials"));
    for (int i = 0; i < n_materials; i++) {
        double matrix[24 * 24];
        sw_fem_box_matrix(lattice->size, view->bulk[i], view->shear[i], view->b_bar, matrix);
        sw_fem_blocks_of(matrix, &work->blocks[i]);
    }
    return make_slabs(work, view, lattice);
}

static sw_status open_points(sw_fem *fem, const sw_fem_view *view, void **result)
{
    points_work *work;
    const int boxes = sw_fem_has_boxes(fem->problem->mesh) && view->kinematics == SW_FEM_SOLID &&
                      view->measure == SW_FEM_MEASURE_SMALL;
    SW_TRY(SW_ALLOCATE(work, 1, "operator"));
    *result = work;
    work->fem = fem;
    work->size = sizes[view->measure];
    if (boxes)
        SW_TRY(open_boxes(work, view));
    const int64_t groups = boxes ? (int64_t)work->n_slabs * fem->problem->n_materials : view->n_colours;
    const int64_t most = fem->n_elements / SW_LANES + 2 * groups + 1;
    SW_TRY(SW_ALLOCATE(work->bundle, most, "bundles of elements"));
    SW_TRY(SW_ALLOCATE(work->plastic, most, "bundles of elements"));
    if (!boxes) {
        work->n_passes = view->n_colours;
        SW_TRY(SW_ALLOCATE(work->task, most + 1, "bundles of elements"));
        SW_TRY(SW_ALLOCATE(work->pass, view->n_colours + 1, "bundles of elements"));
    }
    return SW_OK;
}

/* Gather field [.][width] at the nodes of a bundle: out [width][V]; lanes without an element repeat the
 * first. */
SW_FEM_INLINE void gather(const sw_fem_view *view, int V, int width, const double *field,
                          const int32_t *bundle, sw_real (*out)[8])
{
    for (int lane = 0; lane < SW_LANES; lane++) {
        const int32_t e = bundle[lane] < 0 ? bundle[0] : bundle[lane];
        for (int a = 0; a < V; a++) {
            const double *at = field + (int64_t)view->node[(int64_t)e * V + a] * width;
            for (int i = 0; i < width; i++)
                out[i][a][lane] = at[i];
        }
    }
}

SW_FEM_INLINE void scatter(const sw_fem_view *view, int V, int width, const int32_t *bundle,
                           const sw_real (*f)[8], double *g)
{
    for (int lane = 0; lane < SW_LANES && bundle[lane] >= 0; lane++)
        for (int a = 0; a < V; a++) {
            double *at = g + (int64_t)view->node[(int64_t)bundle[lane] * V + a] * width;
            for (int i = 0; i < width; i++)
                at[i] += f[i][a][lane];
        }
}

/* Bundle number b's. */
SW_FEM_INLINE void load_lanes(const points_work *work, const sw_fem_view *view, int64_t b,
                              sw_fem_lane_tangents *lanes)
{
    const int32_t *bundle = work->bundle[b];
    lanes->tangent = work->plastic[b] < 0 ? NULL : work->tangent + work->plastic[b] * 8 * work->size;
    for (int lane = 0; lane < SW_LANES; lane++) {
        const int material = view->material_of[bundle[lane] < 0 ? bundle[0] : bundle[lane]];
        lanes->bulk[lane] = view->bulk[material];
        lanes->shear[lane] = view->shear[material];
    }
}

/* One bundle of boxes. In functions of their own: the compiler has crashed on such loops inside OpenMP's. */
static __attribute__((noinline)) void elastic_boxes(const points_work *work, const sw_fem_view *view,
                                                    int64_t b, const double *p, double *g)
{
    const int32_t *bundle = work->bundle[b];
    sw_real u[3][8], v[3][8];
    gather(view, 8, 3, p, bundle, u);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 8; a++)
            v[i][sw_fem_corner(a)] = u[i][a];
    sw_fem_walsh_product(work->blocks[view->material_of[bundle[0]]].block, v);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 8; a++)
            u[i][a] = v[i][sw_fem_corner(a)];
    scatter(view, 8, 3, bundle, (const sw_real(*)[8])u, g);
}

static __attribute__((noinline)) void plastic_boxes(const points_work *work, const sw_fem_view *view,
                                                    int64_t b, const double *p, double *g)
{
    const int32_t *bundle = work->bundle[b];
    sw_real u[3][8], h[3][8], f[3][8];
    sw_fem_lane_tangents lanes;
    gather(view, 8, 3, p, bundle, u);
    for (int i = 0; i < 3; i++)
        sw_fem_coefficients(3, u[i], h[i]);
    load_lanes(work, view, b, &lanes);
    sw_fem_box_product(view->b_bar, work->fem->problem->mesh->lattice->size, &lanes, (const sw_real(*)[8])h,
                       f);
    for (int i = 0; i < 3; i++)
        sw_fem_coefficients_back(3, f[i], u[i]);
    scatter(view, 8, 3, bundle, (const sw_real(*)[8])u, g);
}

SW_FEM_INLINE void any_elements(sw_fem_kinematics k, const points_work *work, const sw_fem_view *view,
                                int64_t b, const double *p, double *g)
{
    const int d = sw_fem_dimension(k), c = sw_fem_components(k), V = sw_fem_corners(k);
    const int32_t *bundle = work->bundle[b];
    const int plastic = work->plastic[b] >= 0;
    sw_real at[3][8], x[3][8], u[3][8], f[3][8];
    sw_fem_lane_tangents lanes;
    sw_fem_stiffness stiffness[8];
    gather(view, V, d, view->position, bundle, at);
    for (int i = 0; i < d; i++)
        sw_fem_coefficients(d, at[i], x[i]);
    gather(view, V, c, p, bundle, at);
    for (int i = 0; i < c; i++)
        sw_fem_coefficients(d, at[i], u[i]);
    load_lanes(work, view, b, &lanes);
    for (int q = 0; q < (plastic ? V : 1); q++)
        sw_fem_load_stiffness(&lanes, q, &stiffness[q]);
    sw_fem_element_product(k, view->b_bar, view->thickness, (const sw_real(*)[8])x, (const sw_real(*)[8])u,
                           stiffness, !plastic, f);
    for (int i = 0; i < c; i++)
        sw_fem_coefficients_back(d, f[i], at[i]);
    scatter(view, V, c, bundle, (const sw_real(*)[8])at, g);
}

SW_FEM_INLINE void deformed_elements(sw_fem_kinematics k, int size, const points_work *work,
                                     const sw_fem_view *view, int64_t b, const double *p, double *g)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    const int32_t *bundle = work->bundle[b];
    sw_real at[3][8], x[3][8], u[3][8], f[3][8];
    gather(view, V, d, view->at, bundle, at);
    for (int i = 0; i < d; i++)
        sw_fem_coefficients(d, at[i], x[i]);
    gather(view, V, d, p, bundle, at);
    for (int i = 0; i < d; i++)
        sw_fem_coefficients(d, at[i], u[i]);
    const sw_fem_finite_tangents tangents = {work->tangent + work->plastic[b] * 8 * size, size, 1,
                                             view->crystals.couples};
    (size == SW_FEM_FINITE_SIZE ? sw_fem_finite_product : sw_fem_general_product)(
        k, view->b_bar, view->thickness, (const sw_real(*)[8])x, (const sw_real(*)[8])u, &tangents, f);
    for (int i = 0; i < d; i++)
        sw_fem_coefficients_back(d, f[i], at[i]);
    scatter(view, V, d, bundle, (const sw_real(*)[8])at, g);
}

typedef void bundle_product(const points_work *, const sw_fem_view *, int64_t, const double *, double *);

#define ANY_ELEMENTS(name, k)                                                                               \
    static __attribute__((noinline)) void name(const points_work *work, const sw_fem_view *view, int64_t b, \
                                               const double *p, double *g)                                  \
    {                                                                                                       \
        any_elements(k, work, view, b, p, g);                                                               \
    }
SW_FEM_EACH_KINEMATICS(ANY_ELEMENTS)
#define DEFORMED_ELEMENTS(name, k)                                                                          \
    static __attribute__((noinline)) void deformed_##name(const points_work *work, const sw_fem_view *view, \
                                                          int64_t b, const double *p, double *g)            \
    {                                                                                                       \
        deformed_elements(k, SW_FEM_FINITE_SIZE, work, view, b, p, g);                                      \
    }                                                                                                       \
    static __attribute__((noinline)) void general_##name(const points_work *work, const sw_fem_view *view,  \
                                                         int64_t b, const double *p, double *g)             \
    {                                                                                                       \
        deformed_elements(k, SW_FEM_GENERAL_SIZE, work, view, b, p, g);                                     \
    }
SW_FEM_EACH_FINITE(DEFORMED_ELEMENTS)
#define PRODUCT(name, k) [k] = (name),
#define DEFORMED_PRODUCT(name, k) [k] = deformed_##name,
#define GENERAL_PRODUCT(name, k) [k] = general_##name,
static bundle_product *const products[SW_FEM_MEASURES][SW_FEM_KINEMATICS] = {
    [SW_FEM_MEASURE_SMALL] = {SW_FEM_EACH_KINEMATICS(PRODUCT)},
    [SW_FEM_MEASURE_FINITE] = {SW_FEM_EACH_FINITE(DEFORMED_PRODUCT)},
    [SW_FEM_MEASURE_CRYSTALS] = {SW_FEM_EACH_FINITE(GENERAL_PRODUCT)},
    [SW_FEM_MEASURE_MATTER] = {SW_FEM_EACH_FINITE(DEFORMED_PRODUCT)},
};

static void boxes(const points_work *work, const sw_fem_view *view, int64_t b, const double *p, double *g)
{
    (work->plastic[b] >= 0 ? plastic_boxes : elastic_boxes)(work, view, b, p, g);
}

/* Slabs have two passes only: by both, which takes a tenth off a run of 4,000 elements on an idle machine. */
static int threads_for_product(const points_work *work)
{
    return sw_threads_for(work->fem->n_elements / (work->blocks ? 1 : work->n_passes), SW_FEM_PRODUCT_NS);
}

static sw_status product_points(void *opaque, const sw_fem_view *view, const double *p, double *g)
{
    const points_work *work = opaque;
    bundle_product *const product = work->blocks ? boxes : products[view->measure][view->kinematics];
    const int64_t n = work->fem->n_unknowns;
    /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the pragma reads it */
    const int chunk = work->blocks ? 1 : 64; /* slabs of a body differ in size; bundles do not */
#pragma omp parallel num_threads(threads_for_product(work))
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < n; i++)
            g[i] = 0;
        for (int pass = 0; pass < work->n_passes; pass++)
#pragma omp for schedule(dynamic, chunk)
            for (int64_t task = work->pass[pass]; task < work->pass[pass + 1]; task++)
                for (int64_t i = work->task[task]; i < work->task[task + 1]; i++)
                    product(work, view, i, p, g);
    }
    return SW_OK;
}

const sw_fem_operator_functions sw_fem_points_cpu = {open_points, close_points, prepare_points,
                                                     product_points, NULL};
