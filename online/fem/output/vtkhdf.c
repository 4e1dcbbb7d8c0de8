/* VTKHDF 1.0, an unstructured grid of one part, as in VTK's file format reference. */
#include <stdlib.h>
#include <string.h>

#include "common/files/vtkhdf.h"
#include "common/system/threads.h"
#include "output.h"

enum { NUMBER_NS = 1 };

static sw_status write_points(hid_t group, const sw_fem_mesh *mesh)
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    double(*point)[3];
    SW_TRY(SW_ALLOCATE(point, mesh->n_nodes, "points of a VTKHDF file"));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(mesh->n_nodes, NUMBER_NS))
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        memcpy(point[n], mesh->position + n * d, (size_t)d * sizeof(double));
    const sw_status status =
        sw_h5_write(group, "Points", H5T_NATIVE_DOUBLE, 2, (int64_t[]){mesh->n_nodes, 3}, point);
    free(point);
    return status;
}

static sw_status write_cells(hid_t group, const sw_fem_mesh *mesh)
{
    enum { VTK_QUAD = 9, VTK_HEXAHEDRON = 12 };
    const int64_t v = sw_fem_shapes[mesh->shape].n_nodes, n = mesh->n_elements, corners = n * v, ends = n + 1;
    int64_t *number = NULL;
    unsigned char *type = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(number, corners + 1, "cells of a VTKHDF file"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(type, n, "cells of a VTKHDF file"), end);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(corners, NUMBER_NS))
    for (int64_t i = 0; i < corners; i++)
        number[i] = mesh->node[i];
    SW_TRY_GOTO(status, sw_h5_write(group, "Connectivity", H5T_NATIVE_INT64, 1, &corners, number), end);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, NUMBER_NS))
    for (int64_t e = 0; e <= n; e++)
        number[e] = e * v;
    SW_TRY_GOTO(status, sw_h5_write(group, "Offsets", H5T_NATIVE_INT64, 1, &ends, number), end);
    memset(type, mesh->shape == SW_HEX8 ? VTK_HEXAHEDRON : VTK_QUAD, (size_t)n);
    status = sw_h5_write(group, "Types", H5T_NATIVE_UINT8, 1, &n, type);
end:
    free(number);
    free(type);
    return status;
}

static sw_status write_field(hid_t group, const sw_fem_mesh *mesh, const sw_fem_vtk_field *field)
{
    char name[96];
    const int64_t shape[2] = {field->of_cells ? mesh->n_elements : mesh->n_nodes, field->components};
    snprintf(name, sizeof name, "%s/%s", field->of_cells ? "CellData" : "PointData", field->name);
    return sw_h5_write(group, name, field->bytes ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE,
                       field->components == 1 ? 1 : 2, shape, field->data);
}

static sw_status write_grid(hid_t group, const sw_fem_mesh *mesh, int n_fields, const sw_fem_vtk_field *field)
{
    const int64_t corners = mesh->n_elements * sw_fem_shapes[mesh->shape].n_nodes;
    SW_TRY(sw_vtkhdf_write_counts(group, mesh->n_nodes, mesh->n_elements, corners));
    SW_TRY(write_points(group, mesh));
    SW_TRY(write_cells(group, mesh));
    for (int i = 0; i < n_fields; i++)
        SW_TRY(write_field(group, mesh, &field[i]));
    return SW_OK;
}

sw_status sw_fem_vtkhdf_write(const char *path, const sw_fem_mesh *mesh, int n_fields,
                              const sw_fem_vtk_field *field)
{
    sw_h5_output output;
    hid_t group;
    SW_TRY(sw_vtkhdf_begin(path, &output, &group));
    return sw_vtkhdf_end(&output, group, write_grid(group, mesh, n_fields, field));
}
