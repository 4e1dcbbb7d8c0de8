/* Which reader takes a mesh file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/text.h"
#include "readers.h"

static const struct {
    const char *end;
    sw_status (*read)(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh);
} formats[] = {{".msh", sw_fem_mesh_read_gmsh}, {".inp", sw_fem_mesh_read_inp}};

/* The element set all; a file may have one that is. */
static sw_status add_all(const char *path, sw_fem_mesh *mesh)
{
    const sw_fem_set *set = sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, "all");
    if (set != NULL && set->n != mesh->n_elements)
        return sw_error(SW_ERR_INPUT,
                        "%s: element set all has %" PRId64 " of %" PRId64
                        " elements: need another name for it",
                        path, set->n, mesh->n_elements);
    if (set != NULL)
        return SW_OK;
    int32_t *member;
    SW_TRY(SW_ALLOCATE(member, mesh->n_elements, "the set of all elements"));
    for (int64_t e = 0; e < mesh->n_elements; e++)
        member[e] = (int32_t)e;
    const sw_status status = sw_fem_mesh_add_set(mesh, SW_FEM_ELEMENTS, "all", mesh->n_elements, member);
    free(member);
    return status;
}

sw_status sw_fem_mesh_read_file(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh)
{
    const size_t length = strlen(path);
    *mesh = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t end = strlen(formats[i].end);
        if (length < end || strcasecmp(path + length - end, formats[i].end) != 0)
            continue;
        FILE *file;
        SW_TRY(sw_open_text(path, &file));
        fclose(file);
        SW_TRY(formats[i].read(path, reading, mesh));
        const sw_status status = add_all(path, *mesh);
        if (status != SW_OK) {
            sw_fem_mesh_free(*mesh);
            *mesh = NULL;
        }
        return status;
    }
    return sw_error(SW_ERR_INPUT,
                    "%s: not a mesh file's name: need one that ends in .msh (Gmsh) or .inp (Abaqus)", path);
}

sw_status sw_fem_mesh_read(const char *path, sw_fem_mesh **mesh)
{
    return sw_fem_mesh_read_ignoring(path, 0, NULL, mesh);
}

sw_status sw_fem_mesh_read_ignoring(const char *path, int n_ignored, const char *const *ignored,
                                    sw_fem_mesh **mesh)
{
    sw_fem_reading reading = {.n_ignored = n_ignored, .ignored = ignored};
    return sw_fem_mesh_read_file(path, &reading, mesh);
}
