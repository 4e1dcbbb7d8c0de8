/* Whether there is a GPU, for the tests here. */
#ifndef SW_TESTS_GPU_GPU_H
#define SW_TESTS_GPU_GPU_H

#include "tests/test.h"

#include "online/gpu/gpu.h"

static int gpus;

static inline int set_up(void **state)
{
    char name[256];
    (void)state;
    gpus = sw_gpu_describe(name, sizeof name);
    print_message("GPU: %s\n", name);
    return 0;
}

/* First in a test that needs one: skipped where there is none. */
#define NEED_GPU() \
    (void)state;   \
    if (gpus == 0) \
    skip()

#endif
