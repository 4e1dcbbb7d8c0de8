/* Datasets as memory, without reading them where that can be. */
#ifndef SW_COMMON_FILES_HDF5_MAP_H
#define SW_COMMON_FILES_HDF5_MAP_H

#include "hdf5_io.h"

typedef struct {
    void *data;       /* the dataset's content; not to be written to */
    void *mapping;    /* NULL: it has been read into memory */
    size_t map_bytes; /* of the mapping */
} sw_h5_content;

/* The content of a dataset of that shape as `type`. Mapped from its file where it lies there as it is in
 * memory, in one piece, of that type, aligned for it; else read. A mapping takes no memory of its own, all
 * processes of a node share it, and it stays when the file is closed or removed, or another takes its name;
 * but a file that is cut short while it is mapped ends the program. SW_ERR_FORMAT when missing or of another
 * shape, SW_ERR_IO when damaged, SW_ERR_MEMORY. Released with sw_h5_content_close. */
sw_status sw_h5_content_open(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape,
                             sw_h5_content *content);
/* Harmless on a zeroed struct. */
void sw_h5_content_close(sw_h5_content *content);

#endif
