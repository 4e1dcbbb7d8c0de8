/* How much memory of this machine is free. */
#ifndef SW_COMMON_SYSTEM_MEMORY_H
#define SW_COMMON_SYSTEM_MEMORY_H

/* Bytes that programs can have without others being pushed out (Linux: MemAvailable of /proc/meminfo), and at most what
 * this process's control group may have; 0 where neither is to be found. */
double sw_memory_available(void);

#endif
