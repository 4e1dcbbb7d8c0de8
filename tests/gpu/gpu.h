/* Whether there is a GPU, for the tests here, and responses on either side. */
#ifndef SW_TESTS_GPU_GPU_H
#define SW_TESTS_GPU_GPU_H

#include "tests/crystals.h"

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

static inline sw_response *open_on(sw_device device, sw_response_options options)
{
    options.device = device;
    return opened(&options);
}

#endif
