/* Finite element meshes: nodes, elements of one shape, and named sets.
 *
 * Dimensions: N nodes, E elements, V nodes of an element (8 or 4), d space dimensions (3 or 2).
 *
 * Order of an element's nodes, in reference coordinates (-1 .. 1):
 *     quad4  (-,-) (+,-) (+,+) (-,+)                  counter-clockwise in the x-y plane (r-z when
 * axisymmetric) hex8   the same at z = -1, then at z = +1        as in Abaqus, Gmsh and VTK
 *
 * A voxel mesh also has a lattice: its elements are equal boxes on a grid of cells, which need not all be
 * filled. Nodes and elements of a voxel mesh ascend with x fastest, then y, then z, without gaps: void cells
 * have no element, and lattice points that no element touches have no node. */
#ifndef SW_ONLINE_FEM_MESH_MESH_H
#define SW_ONLINE_FEM_MESH_MESH_H

#include <stdint.h>

#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { SW_HEX8, SW_QUAD4 } sw_fem_shape;
enum {
    SW_FEM_MOST_NODES = 8,
    SW_FEM_MOST_FACES = 6,
    SW_FEM_MOST_FACE_NODES = 4,
    SW_FEM_MOST_ELEMENTS = 1 << 28, /* so that 8 element + face fits in 32 bits */
};

/* Faces (edges of a quadrilateral) as local nodes, seen from outside counter-clockwise; Abaqus' S1, S2, ...
 */
typedef struct {
    const char *name; /* "hex8" */
    int n_nodes, dimension, n_faces, n_face_nodes;
    int face[SW_FEM_MOST_FACES][SW_FEM_MOST_FACE_NODES];
} sw_fem_shape_traits;
extern const sw_fem_shape_traits sw_fem_shapes[2]; /* by sw_fem_shape */

/* A named set. Names are unique among sets of the same kind. */
typedef enum { SW_FEM_NODES, SW_FEM_ELEMENTS, SW_FEM_SURFACE } sw_fem_set_kind;
typedef struct {
    char *name;
    sw_fem_set_kind kind;
    int64_t n;
    int32_t
        *member; /* [n] nodes or elements, ascending, each once; of a surface: 8 element + face, ascending */
} sw_fem_set;

typedef struct {
    int32_t n[3];     /* cells along x, y, z; 1 <= n[i]; quad4: n[2] = 0 */
    double size[3];   /* m, of a cell */
    double origin[3]; /* m */
    int32_t *node;    /* [n2+1][n1+1][n0+1] node at a lattice point, -1 where there is none */
    int32_t *element; /* [n2][n1][n0] (quad4: [n1][n0]) element of a cell, -1 where void */
} sw_fem_lattice;

typedef struct {
    sw_fem_shape shape;
    int64_t n_nodes, n_elements;
    double *position; /* [N][d] m */
    int32_t *node;    /* [E][V] */
    int n_sets;
    sw_fem_set *set;         /* [n_sets] */
    sw_fem_lattice *lattice; /* of a voxel mesh, else NULL */
    int64_t *node_label;     /* [N] numbers in the mesh file, for messages; NULL: index + 1 */
    int64_t *element_label;  /* [E] the same */
} sw_fem_mesh;

void sw_fem_mesh_free(sw_fem_mesh *mesh); /* NULL is fine */

/* The set of this name and kind; NULL when there is none. */
const sw_fem_set *sw_fem_mesh_set(const sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name);

/* Append a set; takes over nothing: name and members are copied, sorted, repetitions dropped. SW_ERR_INPUT
 * for a name that is taken, SW_ERR_RANGE for a member that the mesh lacks, SW_ERR_MEMORY. */
sw_status sw_fem_mesh_add_set(sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name, int64_t n,
                              const int32_t *member);

/* The first thing that is wrong with a mesh, in this order: a coordinate that is not finite, an element that
 * names a node which is not there or one twice, a Jacobian that is not positive at a quadrature point (2 in
 * each direction), an element with the nodes of another (voxel meshes are not searched), a node of no
 * element. */
typedef struct {
    int64_t node, element; /* which has it, from 0; the other one, or both, -1 */
    char text[256]; /* "element 12 at (0.5, 0.5, 0.5): names node 7 twice", by label; "" when all is well */
} sw_fem_fault;
sw_status sw_fem_mesh_find_fault(const sw_fem_mesh *mesh, sw_fem_fault *fault); /* SW_ERR_MEMORY */

/* SW_ERR_INPUT with `path` and the fault's text when there is a fault; SW_ERR_MEMORY. */
sw_status sw_fem_mesh_check(const sw_fem_mesh *mesh, const char *path);

/* Parts of the mesh that do not share a node: part [N], from 0 in the order of their first nodes; their
 * number is returned. Takes no memory of its own. */
int64_t sw_fem_mesh_parts(const sw_fem_mesh *mesh, int32_t *part);

/* ---- Voxel meshes: a table of bodies, each a function of a cell ---- */

/* Size in the body's own terms; unused ones are 0. See sw_fem_bodies. */
typedef struct {
    const char *body;   /* "box", "l_bracket", "plate_with_holes", "cantilever", "cantilever_with_cutout" */
    double size[3];     /* m, bounding box; all 0: the body's default, the thesis's dimensions */
    int64_t cells[3];   /* along x, y, z, of the bounding box; cells[2] = 0: a plane mesh of quad4 */
    double fraction[4]; /* body's parameters, in its table's order, as fractions of the bounding box;
                         * 0: the body's default */
} sw_fem_voxels;

typedef struct {
    const char *name, *description;
    double size[3]; /* m, default */
    int n_parameters;
    struct {
        const char *name;          /* "arm" */
        double value, least, most; /* default and bounds (exclusive) */
    } parameter[4];
    /* Whether the point (fractions of the bounding box, at a cell's centre) is inside. */
    int (*inside)(const double *parameter, const double *at);
} sw_fem_body;
extern const sw_fem_body sw_fem_bodies[]; /* ends with a name of NULL */

/* A voxel mesh with node sets and surfaces x_min, x_max, y_min, y_max, z_min, z_max (of the bounding box),
 * (z_min and z_max not of a plane mesh), and the element set all. SW_ERR_RANGE for an unknown body, a size or
 * number out of range (at most SW_FEM_MOST_ELEMENTS cells in the bounding box), cells so coarse that a body
 * keeps none of its cut-outs, and a body without cells or of several parts; SW_ERR_MEMORY. */
sw_status sw_fem_voxel_mesh(const sw_fem_voxels *voxels, sw_fem_mesh **mesh);

/* ---- Mesh files ---- */

/* Read a mesh, by the file name's end: Gmsh's .msh (through libgmsh; SW_ERR_UNAVAILABLE in a build without)
 * or Abaqus' .inp. Coordinates are taken as metres. Elements of other shapes than hex8, or quad4 (in a plane
 * of constant z) when there are no three-dimensional ones, are refused; those of lower dimension only make
 * sets: a surface (the element faces on them; both faces where they lie between two elements) and the node
 * set of the same name when they have one dimension less than the mesh, else a node set. The element set all
 * is added.
 *
 * .msh: physical groups are sets by dimension; one without a name is called point_7, curve_7, surface_7 or
 * volume_7 by its number. Nodes that no element has and no group names are left out.
 * .inp: element sets of lower-dimensional elements count as above, unless a set of that name is there. Names
 * keep the spelling of their first use. A set of a part whose name the assembly uses too becomes
 * "instance.name".
 *
 * SW_ERR_IO; SW_ERR_INPUT naming file, line (.inp) and what is wrong; SW_ERR_MEMORY. The mesh has passed
 * sw_fem_mesh_check. Not thread-safe: libgmsh is not. */
sw_status sw_fem_mesh_read(const char *path, sw_fem_mesh **mesh);

#ifdef __cplusplus
}
#endif

#endif
