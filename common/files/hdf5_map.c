#include "hdf5_map.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* HDF5's own descriptor of an open file: its name may be another file's by now. -1: it has none. */
static int descriptor_of(hid_t where)
{
    int *descriptor = NULL;
    hid_t file = H5Iget_file_id(where);
    hid_t access = H5Fget_access_plist(file);
    if (H5Pget_driver(access) != H5FD_SEC2 || H5Fget_vfd_handle(file, access, (void **)&descriptor) < 0)
        descriptor = NULL;
    H5Pclose(access);
    H5Fclose(file);
    return descriptor != NULL ? *descriptor : -1;
}

/* Where a dataset's content begins in its file; -1 where it is not there in one piece as it is in memory. */
static int64_t place_of(hid_t set, hid_t type, size_t bytes, int descriptor)
{
    struct stat about;
    hid_t stored = H5Dget_type(set);
    const haddr_t offset = H5Dget_offset(set); /* HADDR_UNDEF: in pieces, packed, or not there */
    const int same = H5Tequal(stored, type) > 0 && H5Dget_storage_size(set) == bytes;
    H5Tclose(stored);
    if (!same || offset == HADDR_UNDEF || offset % H5Tget_size(type) != 0)
        return -1;
    return fstat(descriptor, &about) == 0 && offset + bytes <= (haddr_t)about.st_size ? (int64_t)offset : -1;
}

/* Whether it could be mapped. */
static int map_set(hid_t set, hid_t type, size_t bytes, sw_h5_content *content)
{
    const int64_t page = sysconf(_SC_PAGESIZE);
    const int descriptor = descriptor_of(set);
    const int64_t offset = descriptor >= 0 ? place_of(set, type, bytes, descriptor) : -1;
    if (bytes == 0 || offset < 0)
        return 0;
    const int64_t before = offset % page;
    const size_t map_bytes = bytes + (size_t)before;
    void *mapping = mmap(NULL, map_bytes, PROT_READ, MAP_PRIVATE, descriptor, (off_t)(offset - before));
    if (mapping == MAP_FAILED)
        return 0;
    madvise(mapping, map_bytes, MADV_WILLNEED);
    *content = (sw_h5_content){(char *)mapping + before, mapping, map_bytes};
    return 1;
}

sw_status sw_h5_content_open(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape,
                             sw_h5_content *content)
{
    hid_t set;
    size_t bytes = H5Tget_size(type);
    *content = (sw_h5_content){0};
    SW_TRY(sw_h5_need_shape(where, name, rank, shape));
    for (int i = 0; i < rank; i++)
        bytes *= (size_t)shape[i];
    SW_TRY(sw_h5_open_set(where, name, &set));
    const int mapped = map_set(set, type, bytes, content);
    H5Dclose(set);
    if (mapped)
        return SW_OK;
    char *data;
    SW_TRY(SW_ALLOCATE(data, bytes, name));
    const sw_status status = sw_h5_read(where, name, type, rank, shape, data);
    if (status != SW_OK)
        free(data);
    else
        content->data = data;
    return status;
}

void sw_h5_content_close(sw_h5_content *content)
{
    if (content->mapping != NULL)
        munmap(content->mapping, content->map_bytes);
    else
        free(content->data);
    *content = (sw_h5_content){0};
}
