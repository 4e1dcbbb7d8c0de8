/* Copying from file to file by reading and writing: H5Ocopy crashes when a write of it fails (HDF5 1.10.8). */
#include <stdlib.h>

#include "hdf5_io.h"

enum {
    MOST_AT_ONCE = 1 << 26, /* bytes of a dataset */
    DEEPEST = 8             /* groups in groups: a damaged file may have one that is in itself */
};

typedef struct {
    hid_t to; /* file or group */
    int depth;
    sw_status status;
} target;

/* ---- Attributes ---- */

static int copy_values(hid_t from, hid_t to, hid_t type, hid_t space)
{
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const size_t size = H5Tget_size(type);
    void *value = n >= 0 && size > 0 ? calloc((size_t)n + 1, size) : NULL;
    const int copied = value != NULL && H5Aread(from, type, value) >= 0 && H5Awrite(to, type, value) >= 0;
    if (value != NULL && (H5Tis_variable_str(type) > 0))
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
    free(value);
    return copied;
}

static herr_t copy_attribute(hid_t object, const char *name, const H5A_info_t *about, void *context)
{
    const target *t = context;
    (void)about;
    hid_t from = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(from), space = H5Aget_space(from);
    hid_t to = H5Acreate2(t->to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int copied = to >= 0 && copy_values(from, to, type, space);
    if (to >= 0)
        H5Aclose(to);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(from);
    return copied ? 0 : -1;
}

static sw_status copy_attributes(hid_t from, hid_t to, const char *name)
{
    target t = {.to = to};
    return H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_attribute, &t) >= 0
               ? SW_OK
               : sw_h5_cannot_write(to, name);
}

/* ---- Datasets ---- */

static sw_status copy_rows(hid_t from, hid_t to, hid_t type, hid_t space)
{
    hsize_t extent[H5S_MAX_RANK] = {0};
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    int64_t row = (int64_t)H5Tget_size(type);
    for (int i = 1; i < rank; i++)
        row *= (int64_t)extent[i];
    const int64_t n = rank > 0 ? (int64_t)extent[0] : 0,
                  most = row > 0 && row < MOST_AT_ONCE ? MOST_AT_ONCE / row : 1;
    const int64_t fit = n < most ? n : most;
    char *data;
    if (n == 0)
        return SW_OK;
    SW_TRY(sw_allocate((void **)&data, (size_t)fit, (size_t)row, "rows of a dataset"));
    sw_status status = SW_OK;
    for (int64_t first = 0; first < n && status == SW_OK; first += fit) {
        const int64_t count = n - first < fit ? n - first : fit;
        status = sw_h5_read_rows(from, type, first, count, data);
        if (status == SW_OK)
            status = sw_h5_write_rows(to, type, first, count, data);
    }
    free(data);
    return status;
}

static sw_status copy_number(hid_t from, hid_t to, hid_t type, const char *name)
{
    char *data;
    SW_TRY(sw_allocate((void **)&data, 1, H5Tget_size(type), "a number"));
    const int copied = H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0 &&
                       H5Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    free(data);
    return copied ? SW_OK : sw_h5_cannot_write(to, name);
}

static sw_status copy_set(hid_t from, hid_t where, const char *name, hid_t parents)
{
    hid_t type = H5Dget_type(from), space = H5Dget_space(from), how = H5Dget_create_plist(from);
    hid_t to = H5Dcreate2(where, name, type, space, parents, how, H5P_DEFAULT);
    sw_status status = to >= 0 ? copy_attributes(from, to, name) : sw_h5_cannot_write(where, name);
    if (status == SW_OK)
        status = H5Sget_simple_extent_ndims(space) == 0 ? copy_number(from, to, type, name)
                                                        : copy_rows(from, to, type, space);
    const sw_status closed = sw_h5_close_set(to);
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
    return status != SW_OK ? status : closed;
}

/* ---- Groups ---- */

static sw_status copy_object(hid_t from, hid_t where, const char *name, hid_t parents, int depth);

/* A member of a group; a damaged dataset may declare more than its file can hold. */
static sw_status copy_plausible(hid_t group, const char *name, hid_t object, hid_t to, hid_t parents,
                                int depth)
{
    int64_t shape[H5S_MAX_RANK];
    if (H5Iget_type(object) == H5I_DATASET) {
        const hid_t space = H5Dget_space(object);
        const int rank = H5Sget_simple_extent_ndims(space);
        H5Sclose(space);
        if (rank > 0)
            SW_TRY(sw_h5_shape(group, name, rank, shape));
    }
    return copy_object(object, to, name, parents, depth);
}

static herr_t copy_member(hid_t group, const char *name, const H5L_info_t *about, void *context)
{
    target *t = context;
    (void)about;
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    t->status = object >= 0 ? copy_plausible(group, name, object, t->to, H5P_DEFAULT, t->depth + 1)
                            : sw_h5_cannot_write(t->to, name);
    if (object >= 0)
        H5Oclose(object);
    return t->status == SW_OK ? 0 : -1;
}

static sw_status copy_group(hid_t from, hid_t where, const char *name, hid_t parents, int depth)
{
    if (depth > DEEPEST)
        return sw_error(SW_ERR_FORMAT, "group %s is in more than %d others", name, DEEPEST);
    target t = {.to = H5Gcreate2(where, name, parents, H5P_DEFAULT, H5P_DEFAULT), .depth = depth};
    if (t.to < 0)
        return sw_h5_cannot_write(where, name);
    sw_status status = copy_attributes(from, t.to, name);
    if (status == SW_OK && SW_H5(H5Literate(from, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_member, &t)) < 0)
        status = t.status != SW_OK ? t.status : sw_h5_cannot_write(where, name);
    H5Gclose(t.to);
    return status;
}

static sw_status copy_object(hid_t from, hid_t where, const char *name, hid_t parents, int depth)
{
    return H5Iget_type(from) == H5I_GROUP ? copy_group(from, where, name, parents, depth)
                                          : copy_set(from, where, name, parents);
}

sw_status sw_h5_copy(hid_t from, const char *name, hid_t to)
{
    if (!sw_h5_exists(from, name))
        return SW_OK;
    hid_t object = H5Oopen(from, name, H5P_DEFAULT), parents = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(parents, 1);
    const sw_status status =
        object >= 0 ? copy_plausible(from, name, object, to, parents, 0) : sw_h5_cannot_write(to, name);
    H5Pclose(parents);
    if (object >= 0)
        H5Oclose(object);
    return status;
}
