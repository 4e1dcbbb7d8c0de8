/* Bodies made of voxels, after Kiran 2023, whose text gives numbers of elements and nodes but few dimensions:
 * the cut-outs here reproduce all those numbers (tests/online/fem/mesh/test_mesh.c); sizes that it does not give
 * are round ones.
 *
 *     BODY(name, description, default size along x, y, z in m, its parameters)
 *     PARAMETER(place, name, default, least, most, description), bounds exclusive
 *
 * Parameters are fractions of the bounding box. A new body is an entry here and a function in voxel.c that
 * tells which cells it fills. */
#ifndef SW_ONLINE_FEM_MESH_BODIES_H
#define SW_ONLINE_FEM_MESH_BODIES_H

/* clang-format off */
#define SW_FEM_BODIES(BODY, PARAMETER)                                                                       \
    BODY(box, "a rectangular box", 1, 1, 1, )                                                                \
    BODY(l_bracket, "a square plate less its corner of largest x and y", 10, 10, 1,                          \
         PARAMETER(0, arm, 0.5, 0, 1, "what stays of each side"))                                            \
    BODY(plate_with_holes, "a square plate with four square holes, at 1/4 and 3/4 of each side",             \
         0.08, 0.08, 0.001,                                                                                  \
         PARAMETER(0, hole, 0.0625, 0, 0.5, "side of the holes"))                                            \
    BODY(cantilever, "a bar along x, 7.5 times as long as thick", 0.3, 0.04, 0.04, )                         \
    BODY(cantilever_with_cutout,                                                                             \
         "a bar along x, lower from some x on, with a rectangular cut-out through it in z, in the middle "   \
         "of its height", 0.160, 0.064, 0.032,                                                               \
         PARAMETER(0, step, 0.725, 0, 1, "x from which the bar is lower")                                    \
         PARAMETER(1, tip, 0.75, 0, 1, "height that the bar then has")                                       \
         PARAMETER(2, cutout_length, 0.15, 0, 0.7, "of the cut-out, along x")                                \
         PARAMETER(3, cutout_height, 0.125, 0, 1, "of the cut-out, along y"))
/* clang-format on */

enum { SW_FEM_BODY_PARAMETERS = 4 }; /* at most */

typedef struct {
    const char *name;
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
