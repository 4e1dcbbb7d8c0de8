/* How much memory of this machine is free. */
#ifndef SW_COMMON_SYSTEM_MEMORY_H
#define SW_COMMON_SYSTEM_MEMORY_H

#include "status.h"

/* Bytes that programs can have without others being pushed out (Linux: MemAvailable of /proc/meminfo), and at most what
 * this process's control group may have; 0 where neither is to be found. */
double sw_memory_available(void);

/* Before work that takes `bytes` at least: SW_ERR_MEMORY "WHAT: need 12.3 GB of memory; 8 GB are free" where that is more
 * than there is, which the system would end the program for, in the middle. SW_OK where neither is known. */
SW_PRINTF(2, 3) sw_status sw_memory_check(double bytes, const char *format, ...);

#endif
