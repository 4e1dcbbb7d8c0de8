/* Files that come with the program: materials, alloys, jobs. */
#ifndef SW_ONLINE_SHIPPED_H
#define SW_ONLINE_SHIPPED_H

#include "common/system/status.h"

/* The path of a file of `data/`, as "jobs/fem-cube.yaml": in the folder that SLIPWAVE_DATA names, else that of the installation, the source
 * tree or the Python package that this code is in. Released with free(). SW_ERR_IO when there is none; SW_ERR_MEMORY. */
sw_status sw_shipped_file(const char *name, char **path);

#endif
