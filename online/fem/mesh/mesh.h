/* What the library knows of meshes beyond slipwave/fem.h: shapes of elements, voxels, faults, faces.
 * Dimensions: N nodes, d space dimensions. */
#ifndef SW_ONLINE_FEM_MESH_MESH_H
#define SW_ONLINE_FEM_MESH_MESH_H

#include <stddef.h>

#include "common/system/status.h"
#include "slipwave/fem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Shapes ---- */

enum { SW_FEM_MOST_NODES = 8, SW_FEM_MOST_FACES = 6, SW_FEM_MOST_FACE_NODES = 4 };

/* Faces (edges of a quadrilateral) as local nodes, seen from outside counter-clockwise; Abaqus' S1 and so
 * on. */
typedef struct {
    const char *name; /* "hex8" */
    int n_nodes, dimension, n_faces, n_face_nodes;
    int face[SW_FEM_MOST_FACES][SW_FEM_MOST_FACE_NODES];
} sw_fem_shape_traits;
extern const sw_fem_shape_traits sw_fem_shapes[SW_FEM_SHAPES]; /* by sw_fem_shape */

/* "node set", "element set", "surface" */
extern const char *const sw_fem_set_kind_names[SW_FEM_SET_KINDS];

/* ---- Files ---- */

enum { SW_FEM_MOST_TYPES = 16 };

/* A type of elements as a file names it: "C3D8R". */
typedef struct {
    char name[16];
    int dimension;
    int64_t n;
} sw_fem_element_type;

/* Given: keywords of an .inp file that are skipped; found: the types of elements that may make the mesh. */
typedef struct {
    int n_ignored;
    const char *const *ignored; /* [n_ignored] "BOUNDARY", "*End Step", element sets */
    int n_types;
    sw_fem_element_type type[SW_FEM_MOST_TYPES];
} sw_fem_reading;

/* As sw_fem_mesh_read. SW_ERR_RANGE for an ignored keyword that makes the mesh. */
sw_status sw_fem_mesh_read_file(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh);

/* Whether elements of an Abaqus type are taken for something else by an analysis: text is then what of the type is
 * not so ("plane strain, reduced integration"). Not of the mean dilatation that Abaqus' fully integrated solids have:
 * where it matters, analyses have it unless told not to. */
int sw_fem_overrides_type(const char *name, sw_fem_kinematics kinematics, char *text, size_t size);

/* ---- Voxels ---- */

/* The elements of a voxel mesh are cells of a grid, which need not all be filled: equal boxes or, where the grid
 * is mapped to a round body, hexahedra joined like them. Nodes and elements ascend with x fastest, then y, then
 * z, without gaps: void cells have no element, and lattice points that no element touches have no node. */
struct sw_fem_lattice {
    int32_t n[3];     /* cells along x, y, z; 1 <= n[i]; quad4: n[2] = 0 */
    int boxes;        /* cells are equal boxes; else mapped */
    double size[3];   /* m, of a cell; mapped: of one of the bounding box's */
    double origin[3]; /* m */
    int32_t *node;    /* [n2+1][n1+1][n0+1] node at a lattice point, -1 where there is none */
    int32_t *element; /* [n2][n1][n0] (quad4: [n1][n0]) element of a cell, -1 where void */
};

/* Whether all elements are the same box, axes along x, y, z: what stored matrices of a material stand for. */
static inline int sw_fem_has_boxes(const sw_fem_mesh *mesh)
{
    return mesh->lattice != NULL && mesh->lattice->boxes;
}

/* ---- Faults ---- */

/* The first thing that is wrong with a mesh, as sw_fem_mesh_check says. */
typedef struct {
    int64_t node, element; /* which has it, from 0; the other one, or both, -1 */
    char text[256]; /* "element 12 at (0.5, 0.5, 0.5): names node 7 twice", by label; "" when all is well */
} sw_fem_fault;
sw_status sw_fem_mesh_find_fault(const sw_fem_mesh *mesh, sw_fem_fault *fault); /* SW_ERR_MEMORY */

/* Of a set that a host program may have made by hand, whatever it says it is. SW_ERR_RANGE names the first that the
 * mesh lacks. */
sw_status sw_fem_check_members(const sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name, int64_t n,
                               const int32_t *member);

/* ---- For messages ---- */

long long sw_fem_node_label(const sw_fem_mesh *mesh, int64_t node);
long long sw_fem_element_label(const sw_fem_mesh *mesh, int64_t element);

enum { SW_FEM_PLACE_TEXT = 64 };
/* "(1, 2, 3)" of at [d]; returns text. */
const char *sw_fem_place_text(int d, const double *at, char text[SW_FEM_PLACE_TEXT]);

/* ---- Faces, parts ---- */

/* Ascending, each once; the number that is left. */
int64_t sw_fem_sort_members(int64_t n, int32_t *member);

/* Faces that belong to one element only and all of whose nodes are marked [N], in the order of their
 * nodes: member [*n] 8 element + face, released with free(). SW_ERR_MEMORY. */
sw_status sw_fem_outer_faces(const sw_fem_mesh *mesh, const uint8_t *marked, int64_t *n, int32_t **member);

/* The surface of the element faces on facets [n][nodes of a face] (their nodes in any order), and the node
 * set of their nodes; one whose name is taken is not added. *stray: the first facet that is no face of an
 * element, and then neither is added; else -1. SW_ERR_MEMORY. */
sw_status sw_fem_mesh_add_facets(sw_fem_mesh *mesh, const char *name, int64_t n, const int32_t *facet,
                                 int64_t *stray);

/* Parts of the mesh that do not share a node: part [N], from 0 in the order of their first nodes; their
 * number is returned. Takes no memory of its own. */
int64_t sw_fem_mesh_parts(const sw_fem_mesh *mesh, int32_t *part);

#ifdef __cplusplus
}
#endif

#endif
