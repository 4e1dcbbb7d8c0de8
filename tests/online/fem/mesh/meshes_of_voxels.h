/* What tests of meshes share: bodies of voxels, and refusals. */
#ifndef SW_TESTS_ONLINE_FEM_MESH_MESHES_OF_VOXELS_H
#define SW_TESTS_ONLINE_FEM_MESH_MESHES_OF_VOXELS_H

#include "tests/test.h"

#include <unistd.h>

#include "online/fem/mesh/mesh.h"

/* Whatever fails says so with this text in its message. */
#define CHECK_FAILS(expression, code, part)                                                     \
    do {                                                                                        \
        const sw_status status_ = (expression);                                                 \
        if (status_ != (code) || strstr(sw_error_message(), (part)) == NULL)                    \
            fail_msg("%s: %s (%s): need %s, '%s'", #expression, sw_status_text(status_),        \
                     status_ == SW_OK ? "" : sw_error_message(), sw_status_text(code), (part)); \
    } while (0)

static inline sw_fem_mesh *voxels(const char *body, int64_t x, int64_t y, int64_t z)
{
    const sw_fem_voxels v = {.body = body, .cells = {x, y, z}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    return mesh;
}

#endif
