#include "threads.h"

#include <omp.h>

int sw_threads_for(int64_t n, double nanoseconds)
{
    return n > 1 && (double)n * nanoseconds >= SW_THREADS_WORTH ? omp_get_max_threads() : 1;
}
