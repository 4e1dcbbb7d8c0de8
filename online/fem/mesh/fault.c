/* Whether a mesh can be computed on. N nodes, E elements, V nodes of an element, d dimensions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "mesh.h"

/* ---- Messages ---- */

static void node_fault(const sw_fem_mesh *mesh, int64_t node, const char *what, sw_fem_fault *fault)
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    char at[SW_FEM_PLACE_TEXT];
    *fault = (sw_fem_fault){.node = node, .element = -1};
    snprintf(fault->text, sizeof fault->text, "node %lld at %s: %s", sw_fem_node_label(mesh, node),
             sw_fem_place_text(d, mesh->position + node * d, at), what);
}

/* At its middle, where its nodes are there. */
static void element_fault(const sw_fem_mesh *mesh, int64_t element, const char *what, sw_fem_fault *fault)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    const int32_t *node = mesh->node + element * shape->n_nodes;
    double middle[3] = {0};
    int n = 0;
    for (int v = 0; v < shape->n_nodes; v++) {
        if (node[v] < 0 || node[v] >= mesh->n_nodes)
            continue;
        n++;
        for (int i = 0; i < shape->dimension; i++)
            middle[i] += mesh->position[(int64_t)node[v] * shape->dimension + i];
    }
    for (int i = 0; i < 3; i++)
        middle[i] /= n > 0 ? n : 1;
    char at[SW_FEM_PLACE_TEXT];
    *fault = (sw_fem_fault){.node = -1, .element = element};
    snprintf(fault->text, sizeof fault->text, "element %lld at %s: %s", sw_fem_element_label(mesh, element),
             sw_fem_place_text(shape->dimension, middle, at), what);
}

/* What one thing takes, ns: a number that is looked at; names of an element, and to sort
 * them; its Jacobians. */
enum { LOOK_NS = 1, NAMES_NS = 20, SORT_NS = 100, JACOBIANS_NS = 200 };

static void find_node_fault(const sw_fem_mesh *mesh, sw_fem_fault *fault)
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    const int64_t n = mesh->n_nodes * d;
    int64_t first = n;
#pragma omp parallel for schedule(static) reduction(min : first) num_threads(sw_threads_for(n, LOOK_NS))
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(mesh->position[i]) && i < first)
            first = i;
    if (first < n)
        node_fault(mesh, first / d, "its coordinates are not finite", fault);
}

/* Nodes of an element that are not there, or there twice: the place of the first; -1: all is well. Marks those that are in
 * `used` [N]. */
static int wrong_name(const sw_fem_mesh *mesh, int64_t element, uint8_t *used)
{
    const int n_nodes = sw_fem_shapes[mesh->shape].n_nodes;
    const int32_t *node = mesh->node + element * n_nodes;
    for (int v = 0; v < n_nodes; v++) {
        if (node[v] < 0 || node[v] >= mesh->n_nodes)
            return v;
        for (int w = 0; w < v; w++)
            if (node[w] == node[v])
                return v;
#pragma omp atomic write
        used[node[v]] = 1;
    }
    return -1;
}

static int find_name_fault(const sw_fem_mesh *mesh, uint8_t *used, sw_fem_fault *fault)
{
    int64_t element = mesh->n_elements; /* the first one */
    char what[64];
#pragma omp parallel for schedule(static) reduction(min        \
                                                    : element) \
    num_threads(sw_threads_for(mesh->n_elements, NAMES_NS))
    for (int64_t e = 0; e < mesh->n_elements; e++)
        if (wrong_name(mesh, e, used) >= 0 && e < element)
            element = e;
    if (element == mesh->n_elements)
        return 0;
    const int v = wrong_name(mesh, element, used);
    const int32_t node = mesh->node[element * sw_fem_shapes[mesh->shape].n_nodes + v];
    if (node < 0 || node >= mesh->n_nodes)
        snprintf(what, sizeof what, "its node no. %d is not of the mesh", v + 1);
    else
        snprintf(what, sizeof what, "names node %lld twice", sw_fem_node_label(mesh, node));
    element_fault(mesh, element, what, fault);
    return 1;
}

static void find_idle_node(const sw_fem_mesh *mesh, const uint8_t *used, sw_fem_fault *fault)
{
    int64_t first = mesh->n_nodes;
#pragma omp parallel for schedule(static) reduction(min      \
                                                    : first) \
    num_threads(sw_threads_for(mesh->n_nodes, LOOK_NS))
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        if (!used[n] && n < first)
            first = n;
    if (first < mesh->n_nodes)
        node_fault(mesh, first, "belongs to no element", fault);
}

/* d N_v / d xi_i at the quadrature points, 2 in each direction; their signs are those of the shape's
 * nodes. */
static void shape_gradients(int dimension, double gradient[8][SW_FEM_MOST_NODES][3])
{
    static const int sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    const int n = 1 << dimension;
    const double at = 1 / sqrt(3.0);
    for (int q = 0; q < n; q++)
        for (int v = 0; v < n; v++)
            for (int i = 0; i < dimension; i++) {
                double product = 0.5 * sign[v][i];
                for (int j = 0; j < dimension; j++)
                    product *= j == i ? 1 : 0.5 * (1 + sign[v][j] * sign[q][j] * at);
                gradient[q][v][i] = product;
            }
}

/* Determinant of dx/dxi, m^d. */
static double jacobian(const sw_fem_mesh *mesh, const int32_t *node, double gradient[SW_FEM_MOST_NODES][3])
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    double j[3][3] = {{0}};
    j[2][2] = shape->dimension == 2;
    for (int v = 0; v < shape->n_nodes; v++) {
        const double *at = mesh->position + (int64_t)node[v] * shape->dimension;
        for (int a = 0; a < shape->dimension; a++)
            for (int b = 0; b < shape->dimension; b++)
                j[a][b] += at[a] * gradient[v][b];
    }
    return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
           j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
           j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
}

/* The least and largest Jacobian of an element's quadrature points; NaN counts as either. Whether they will do. */
static int has_volume(const sw_fem_mesh *mesh, int64_t element, double gradient[8][SW_FEM_MOST_NODES][3],
                      double *least, double *most)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    const int32_t *node = mesh->node + element * shape->n_nodes;
    *least = INFINITY;
    *most = -INFINITY;
    for (int q = 0; q < 1 << shape->dimension; q++) {
        const double value = jacobian(mesh, node, gradient[q]);
        if (!(value >= *least))
            *least = value;
        if (!(value <= *most))
            *most = value;
    }
    return *least > 0 && *most < INFINITY;
}

/* Whether an element of a lattice of boxes is one, of a volume that is no trouble: then its Jacobian is. */
static int is_box(const sw_fem_mesh *mesh, int64_t element)
{
    const int32_t *node = mesh->node + 8 * element;
    const double *from = mesh->position + 3 * (int64_t)node[0], *to = mesh->position + 3 * (int64_t)node[6];
    const double volume = (to[0] - from[0]) * (to[1] - from[1]) * (to[2] - from[2]);
    int fits = to[0] > from[0] && to[1] > from[1] && to[2] > from[2] && volume > 1e-200 && volume < 1e200;
    for (int v = 0; v < 8; v++) {
        const double *at = mesh->position + 3 * (int64_t)node[v];
        fits &= at[0] == ((v ^ v >> 1) & 1 ? to : from)[0];
        fits &= at[1] == (v >> 1 & 1 ? to : from)[1];
        fits &= at[2] == (v >> 2 ? to : from)[2];
    }
    return fits;
}

static int find_jacobian_fault(const sw_fem_mesh *mesh, double gradient[8][SW_FEM_MOST_NODES][3],
                               sw_fem_fault *fault)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    const int boxes = sw_fem_has_boxes(mesh) && mesh->shape == SW_HEX8;
    int64_t element = mesh->n_elements; /* the first without */
    double least, most;
#pragma omp parallel for private(least, most) reduction(min                         \
                                                        : element) schedule(static) \
    num_threads(sw_threads_for(mesh->n_elements, JACOBIANS_NS))
    for (int64_t e = 0; e < mesh->n_elements; e++)
        if (!(boxes && is_box(mesh, e)) && !has_volume(mesh, e, gradient, &least, &most) && e < element)
            element = e;
    if (element == mesh->n_elements)
        return 0;
    char what[160];
    (void)has_volume(mesh, element, gradient, &least, &most);
    snprintf(what, sizeof what, "Jacobian %.3g m^%d at a quadrature point: need more than 0%s", least,
             shape->dimension,
             most < 0 ? " (its nodes come in the wrong order, or mirrored)"
                      : " (its shape is too distorted)");
    element_fault(mesh, element, what, fault);
    return 1;
}

/* ---- Elements that are there twice ---- */

typedef struct {
    uint64_t key; /* of its nodes, in any order */
    int32_t element;
} node_key;

static int compare_node_keys(const void *a, const void *b)
{
    const node_key *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->element > y->element) - (x->element < y->element);
}

static uint64_t key_of(const int32_t *node, int n_nodes)
{
    uint64_t key = 0;
    for (int v = 0; v < n_nodes; v++) { /* splitmix64 of each, summed: their order does not matter */
        uint64_t z = ((uint64_t)node[v] + 1) * 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        key += z ^ (z >> 31);
    }
    return key;
}

/* Nodes of an element are all different by then. */
static int same_nodes(const int32_t *a, const int32_t *b, int n_nodes)
{
    for (int v = 0; v < n_nodes; v++) {
        int w = 0;
        while (w < n_nodes && b[w] != a[v])
            w++;
        if (w == n_nodes)
            return 0;
    }
    return 1;
}

/* By key: first into 256 parts, by bits that are as good as random, then each of them. scratch: as many. */
static void sort_keys(int64_t n, node_key *keys, node_key *scratch)
{
    int64_t first[257] = {0}, place[256];
    for (int64_t i = 0; i < n; i++)
        first[(keys[i].key >> 56) + 1]++;
    for (int p = 0; p < 256; p++) {
        first[p + 1] += first[p];
        place[p] = first[p];
    }
    for (int64_t i = 0; i < n; i++)
        scratch[place[keys[i].key >> 56]++] = keys[i];
#pragma omp parallel for schedule(dynamic) num_threads(sw_threads_for(n, SORT_NS))
    for (int p = 0; p < 256; p++) {
        const size_t many = (size_t)(first[p + 1] - first[p]);
        qsort(scratch + first[p], many, sizeof *scratch, compare_node_keys);
        memcpy(keys + first[p], scratch + first[p], many * sizeof *scratch);
    }
}

/* The first element with the nodes of an earlier one. A voxel mesh has one element a cell. */
static sw_status find_double(const sw_fem_mesh *mesh, sw_fem_fault *fault)
{
    const int n_nodes = sw_fem_shapes[mesh->shape].n_nodes;
    const int64_t n = mesh->n_elements;
    int64_t second = n, first = -1;
    node_key *sorted;
    if (mesh->lattice != NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(sorted, 2 * n, "the check of a mesh"));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, NAMES_NS))
    for (int64_t e = 0; e < n; e++)
        sorted[e] = (node_key){key_of(mesh->node + e * n_nodes, n_nodes), (int32_t)e};
    sort_keys(n, sorted, sorted + n);
    for (int64_t i = 1; i < n; i++) {
        const int64_t a = sorted[i - 1].element, b = sorted[i].element;
        if (sorted[i].key == sorted[i - 1].key && b < second &&
            same_nodes(mesh->node + a * n_nodes, mesh->node + b * n_nodes, n_nodes)) {
            first = a;
            second = b;
        }
    }
    free(sorted);
    if (first < 0)
        return SW_OK;
    char what[64];
    snprintf(what, sizeof what, "has the nodes of element %lld", sw_fem_element_label(mesh, first));
    element_fault(mesh, second, what, fault);
    return SW_OK;
}

sw_status sw_fem_mesh_find_fault(const sw_fem_mesh *mesh, sw_fem_fault *fault)
{
    double gradient[8][SW_FEM_MOST_NODES][3] = {{{0}}};
    uint8_t *used;
    *fault = (sw_fem_fault){.node = -1, .element = -1};
    find_node_fault(mesh, fault);
    if (*fault->text != '\0')
        return SW_OK;
    SW_TRY(SW_ALLOCATE(used, mesh->n_nodes, "the check of a mesh"));
    shape_gradients(sw_fem_shapes[mesh->shape].dimension, gradient);
    const int found = find_name_fault(mesh, used, fault) || find_jacobian_fault(mesh, gradient, fault);
    const sw_status status = found ? SW_OK : find_double(mesh, fault);
    if (*fault->text == '\0')
        find_idle_node(mesh, used, fault);
    free(used);
    return status;
}

sw_status sw_fem_mesh_check(const sw_fem_mesh *mesh, const char *path)
{
    sw_fem_fault fault;
    SW_TRY(sw_fem_mesh_find_fault(mesh, &fault));
    return *fault.text == '\0' ? SW_OK : sw_error(SW_ERR_INPUT, "%s: %s", path, fault.text);
}
