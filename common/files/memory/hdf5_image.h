/* HDF5 files whose bytes are memory, never a disk's: HDF5's driver "core" without a store behind it. To be called within
 * SW_H5 (hdf5_door.h), as functions of HDF5 are. */
#ifndef SW_COMMON_FILES_MEMORY_HDF5_IMAGE_H
#define SW_COMMON_FILES_MEMORY_HDF5_IMAGE_H

#include <hdf5.h>

#include "memory_files.h"

/* A new file. When it is closed its bytes, of malloc(), are image->bytes, those that HDF5 wrote into, and not a copy. image
 * must live as long. Negative on failure. */
hid_t sw_h5_image_create(const char *name, sw_memory_file *image);
/* Bytes of it that count, when all is flushed; 0 on failure. */
size_t sw_h5_image_size(hid_t file);

/* Open a copy of an image: what is changed in it is lost when it is closed. Negative on failure, also where the disk has
 * a file of this name. */
hid_t sw_h5_image_open(const char *name, const sw_memory_file *image, int writable);

#endif
