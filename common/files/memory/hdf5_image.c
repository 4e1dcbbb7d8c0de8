#include "hdf5_image.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory of a file, as its driver asks for it; `of` is the image ---- */

static void *take(size_t size, H5FD_file_image_op_t why, void *of)
{
    (void)why, (void)of;
    return malloc(size);
}

static void *copy(void *to, const void *from, size_t size, H5FD_file_image_op_t why, void *of)
{
    (void)why, (void)of;
    return memcpy(to, from, size);
}

/* Twice as much at a time: what is not touched takes no memory. image->size: what there is room for. */
static void *resize(void *bytes, size_t size, H5FD_file_image_op_t why, void *of)
{
    sw_memory_file *image = of;
    (void)why;
    if (bytes != NULL && size <= image->size)
        return bytes;
    const size_t room = size > 2 * image->size ? size : 2 * image->size;
    void *grown = realloc(bytes, room);
    if (grown != NULL)
        image->size = room;
    return grown;
}

/* The last that the driver has to do with the bytes: they are kept. */
static herr_t leave(void *bytes, H5FD_file_image_op_t why, void *of)
{
    if (why == H5FD_FILE_IMAGE_OP_FILE_CLOSE)
        ((sw_memory_file *)of)->bytes = bytes;
    else
        free(bytes);
    return 0;
}

static void *same(void *of) { return of; }

static herr_t nothing(void *of)
{
    (void)of;
    return 0;
}

/* ---- Files ---- */

enum { GROWTH = 1 << 18 }; /* bytes at a time */

static hid_t in_memory(void)
{
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(list, GROWTH, 0);
    return list;
}

hid_t sw_h5_image_create(const char *name, sw_memory_file *image)
{
    H5FD_file_image_callbacks_t calls = {take, copy, resize, leave, same, nothing, image};
    const hid_t list = in_memory();
    hid_t file = H5I_INVALID_HID;
    if (H5Pset_file_image_callbacks(list, &calls) >= 0)
        file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    H5Pclose(list);
    return file;
}

size_t sw_h5_image_size(hid_t file)
{
    const ssize_t size = H5Fget_file_image(file, NULL, 0);
    return size > 0 ? (size_t)size : 0;
}

hid_t sw_h5_image_open(const char *name, const sw_memory_file *image, int writable)
{
    const hid_t list = in_memory();
    hid_t file = H5I_INVALID_HID;
    if (H5Pset_file_image(list, image->bytes, image->size) >= 0)
        file = H5Fopen(name, writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, list);
    H5Pclose(list);
    return file;
}
