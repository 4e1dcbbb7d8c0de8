/* Surfaces of triangles from STL files, of letters or bytes. */
#ifndef SW_COMMON_SHAPES_STL_H
#define SW_COMMON_SHAPES_STL_H

#include <stdint.h>

#include "common/system/status.h"

/* corner [n][3][3] of triangles, times the scale; release it with free(). SW_ERR_IO; SW_ERR_INPUT with the line of letters;
 * SW_ERR_MEMORY: *corner is NULL then. */
sw_status sw_stl_read(const char *path, double scale, int64_t *n, double (**corner)[3][3]);

#endif
