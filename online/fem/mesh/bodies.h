/* Bodies made of voxels, after Kiran 2023, whose text gives numbers of elements and nodes but few dimensions:
 * the cut-outs here reproduce all those numbers (tests/online/fem/mesh/test_mesh.c); sizes that it does not give
 * are round ones. And mapped lattices: cylinders, all cells of a box, and a plate with round holes.
 *
 *     BODY(name, description, form, default size along x, y, z in m, its parameters)
 *     PARAMETER(place, name, default, least, most, description), bounds exclusive
 *
 * Parameters are fractions of the bounding box. A new body is an entry here and a function in bodies.c that
 * tells which cells it fills; a form there says where lattice points lie. */
#ifndef SW_ONLINE_FEM_MESH_BODIES_H
#define SW_ONLINE_FEM_MESH_BODIES_H

#include <stdint.h>

/* clang-format off */
#define SW_FEM_BODIES(BODY, PARAMETER)                                                                       \
    BODY(box, "a rectangular box", boxes, 1, 1, 1, )                                                         \
    BODY(l_bracket, "a square plate less its corner of largest x and y", boxes, 10, 10, 1,                   \
         PARAMETER(0, arm, 0.5, 0, 1, "what stays of each side"))                                            \
    BODY(plate_with_holes, "a square plate with four square holes, at 1/4 and 3/4 of each side",             \
         boxes, 0.08, 0.08, 0.001,                                                                           \
         PARAMETER(0, hole, 0.0625, 0, 0.5, "side of the holes"))                                            \
    BODY(perforated_plate, "a square plate with 4 x 4 round holes, half as wide as they are apart",          \
         perforated, 0.08, 0.08, 0.001, )                                                                    \
    BODY(cantilever, "a bar along x, 7.5 times as long as thick", boxes, 0.3, 0.04, 0.04, )                  \
    BODY(cantilever_with_cutout,                                                                             \
         "a bar along x, lower from some x on, with a rectangular cut-out through it in z, in the middle "   \
         "of its height", boxes, 0.160, 0.064, 0.032,                                                        \
         PARAMETER(0, step, 0.725, 0, 1, "x from which the bar is lower")                                    \
         PARAMETER(1, tip, 0.75, 0, 1, "height that the bar then has")                                       \
         PARAMETER(2, cutout_length, 0.15, 0, 0.7, "of the cut-out, along x")                                \
         PARAMETER(3, cutout_height, 0.125, 0, 1, "of the cut-out, along y"))                                \
    BODY(cylinder, "a cylinder about x = y = 0; size[0] = size[1] is its diameter", disc,                    \
         0.02, 0.02, 0.03, )                                                                                 \
    BODY(cylinder_quarter, "its quarter x, y >= 0; size[0] = size[1] is the radius", quarter_disc,           \
         0.01, 0.01, 0.03, )
/* clang-format on */

enum { SW_FEM_BODY_PARAMETERS = 4 }; /* at most */

/* Sides of the box of cells, which add up. */
enum {
    SW_FEM_X_MIN = 1,
    SW_FEM_X_MAX = 2,
    SW_FEM_Y_MIN = 4,
    SW_FEM_Y_MAX = 8,
    SW_FEM_Z_MIN = 16,
    SW_FEM_Z_MAX = 32
};

/* Where cells lie, and what their sides are called. */
typedef struct {
    /* Lattice point x, y of n cells, as multiples of the size along x and y; as many cells along both, and
     * the same size. NULL: equal boxes. */
    void (*place)(const int32_t n[3], int32_t x, int32_t y, double at[2]);
    int multiple; /* cells along x and y are one of it; 0: any number */
    struct {
        const char *name; /* NULL ends the list */
        int of;
    } side[7];
} sw_fem_form;

typedef struct {
    const char *name;
    const sw_fem_form *form;
    double size[3]; /* m */
    struct {
        const char *name; /* NULL ends the list */
        double value, least, most;
    } parameter[SW_FEM_BODY_PARAMETERS + 1];
    /* Whether the point (fractions of the bounding box, at a cell's centre) is inside. */
    int (*inside)(const double *parameter, const double *at);
} sw_fem_body;
extern const sw_fem_body sw_fem_bodies[]; /* ends with a name of NULL */

#endif
