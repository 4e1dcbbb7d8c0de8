/* HDF5 files whose bytes are memory, never a disk's: HDF5's driver "core" without a store behind it. */
#ifndef SW_COMMON_FILES_HDF5_IMAGE_H
#define SW_COMMON_FILES_HDF5_IMAGE_H

#include "common/files/memory/memory_files.h"
#include "hdf5_door.h"

/* A new file. When it is closed its bytes, of malloc(), are image->bytes, those that HDF5 wrote into, and not a copy. image
 * must live as long. Negative on failure. */
hid_t sw_h5_image_create(const char *name, sw_memory_file *image);
/* Bytes of it that count, when all is flushed; 0 on failure. */
size_t sw_h5_image_size(hid_t file);

/* Open a copy of an image: what is changed in it is lost when it is closed. Negative on failure. */
hid_t sw_h5_image_open(const sw_memory_file *image, int writable);

#endif
