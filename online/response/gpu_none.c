/* gpu.h for a build without CUDA: there is no GPU. */
#include "gpu.h"

#include <stdio.h>

#include "terms_gpu.h"

#ifndef SW_HAVE_CUDA

static sw_status absent(void)
{
    return sw_error(SW_ERR_UNAVAILABLE, "this build has no GPU code: nvcc was not found when it was made");
}

sw_status sw_gpu_open(void **gpu)
{
    *gpu = NULL;
    return absent();
}

void sw_gpu_close(void *gpu) { (void)gpu; }

int sw_gpu_describe(char *text, size_t size)
{
    snprintf(text, size, "none: this build has no GPU code");
    return 0;
}

sw_gpu_size sw_gpu_measure(void) { return (sw_gpu_size){0}; }

int sw_gpu_owns(const void *memory)
{
    (void)memory;
    return 0;
}

sw_status sw_gpu_step(sw_response *response, const struct sw_step *step, int64_t n, sw_crystal *crystal,
                      double *sums)
{
    (void)response, (void)step, (void)n, (void)crystal, (void)sums;
    return absent();
}

sw_status sw_gpu_evaluate(sw_response *response, const struct sw_step *step, const float (*strain_rate)[6],
                          int64_t n, const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                          float *slip_rate, int64_t *failed)
{
    (void)response, (void)step, (void)strain_rate, (void)n, (void)crystal, (void)stress;
    (void)plastic_spin, (void)slip_rate, (void)failed;
    return absent();
}

sw_status sw_gpu_allocate(int64_t n, sw_crystal **crystal)
{
    (void)n;
    *crystal = NULL;
    return absent();
}

void sw_gpu_free(sw_crystal *crystal) { (void)crystal; }

sw_status sw_gpu_randomise(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first, float slip_resistance)
{
    (void)n, (void)crystal, (void)seed, (void)first, (void)slip_resistance;
    return absent();
}

sw_status sw_gpu_copy(int64_t n, sw_crystal *to, const sw_crystal *from)
{
    (void)n, (void)to, (void)from;
    return absent();
}

sw_status sw_terms_gpu_reform(sw_response *response, sw_terms_form form)
{
    (void)response, (void)form;
    return absent();
}

int64_t sw_terms_gpu_count(const sw_response *response)
{
    (void)response;
    return 0;
}

#endif
