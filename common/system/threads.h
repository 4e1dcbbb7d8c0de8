/* How many threads some work is worth. */
#ifndef SW_COMMON_SYSTEM_THREADS_H
#define SW_COMMON_SYSTEM_THREADS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Work of less than this, ns of one core, is one thread's. To wake a thread that went to sleep takes 50 to 70
 * us on an idle machine (bench/LOG.md): of 100 us two threads save half, and lose no more than that.
 * Where other programs keep the cores busy, a thread may be milliseconds late. */
#define SW_THREADS_WORTH 1e5

/* For num_threads(...) of a parallel region over n things that each take so many nanoseconds of a core: all
 * threads that the run may use, or one. Nothing in between: OpenMP's library ends the threads that a smaller
 * region leaves out, and the next larger one has to start them again. One in a process that was forked off (Python's
 * multiprocessing does): regions of all kinds have one thread there. */
int sw_threads_for(int64_t n, double nanoseconds);

/* The most that the calling thread may use from now on, but in such a process. */
void sw_threads_use(int threads);

#ifdef __cplusplus
}
#endif

#endif
