#include "threads.h"

#include <omp.h>
#include <pthread.h>

/* In a process that was forked off, OpenMP's threads stay with its parent: what waits for them would wait for ever. A
 * region of one thread needs none. */
static int alone;

static void be_alone(void)
{
    alone = 1;
    omp_set_num_threads(1); /* where a region does not ask below */
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, be_alone); }

int sw_threads_for(int64_t n, double nanoseconds)
{
    return !alone && n > 1 && (double)n * nanoseconds >= SW_THREADS_WORTH ? omp_get_max_threads() : 1;
}

void sw_threads_use(int threads)
{
    if (!alone)
        omp_set_num_threads(threads);
}
