/* crystals_cuda.h for a build without CUDA: there is no GPU. */
#include "crystals_cuda.h"

#include "online/gpu/gpu.h"

#ifndef SW_HAVE_CUDA

static sw_status absent(void) { return sw_gpu_use(NULL); }

sw_status sw_crystals_open_cuda(void **gpu)
{
    *gpu = NULL;
    return absent();
}

void sw_crystals_close_cuda(void *gpu) { (void)gpu; }

sw_status sw_crystals_step_cuda(sw_response *response, const struct sw_step *step, const sw_crystals *from,
                                const sw_crystals *to, double *sums)
{
    (void)response, (void)step, (void)from, (void)to, (void)sums;
    return absent();
}

sw_status sw_crystals_evaluate_cuda(sw_response *response, const struct sw_step *step,
                                    const float (*strain_rate)[6], int64_t n, const sw_crystal *crystal,
                                    float (*stress)[6], float (*plastic_spin)[3], float *slip_rate,
                                    int64_t *failed)
{
    (void)response, (void)step, (void)strain_rate, (void)n, (void)crystal, (void)stress;
    (void)plastic_spin, (void)slip_rate, (void)failed;
    return absent();
}

sw_status sw_crystals_allocate_cuda(int64_t n, sw_crystal **crystal)
{
    (void)n;
    *crystal = NULL;
    return absent();
}

void sw_crystals_free_cuda(sw_crystal *crystal) { (void)crystal; }

sw_status sw_crystals_pack_cuda(const sw_packed *to, float margin, int64_t n, const sw_crystal *crystal,
                                int64_t *outside)
{
    (void)to, (void)margin, (void)n, (void)crystal, (void)outside;
    return absent();
}

sw_status sw_crystals_unpack_cuda(const sw_packed *from, int64_t n, sw_crystal *crystal)
{
    (void)from, (void)n, (void)crystal;
    return absent();
}

sw_status sw_crystals_randomise_cuda(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                     float slip_resistance)
{
    (void)n, (void)crystal, (void)seed, (void)first, (void)slip_resistance;
    return absent();
}

sw_status sw_crystals_copy_cuda(int64_t n, sw_crystal *to, const sw_crystal *from)
{
    (void)n, (void)to, (void)from;
    return absent();
}

sw_status sw_numbers_allocate_cuda(int64_t n, float **number)
{
    (void)n;
    *number = NULL;
    return absent();
}

void sw_numbers_free_cuda(float *number) { (void)number; }

sw_status sw_numbers_clear_cuda(int64_t n, float *number)
{
    (void)n, (void)number;
    return absent();
}

sw_status sw_states_begin_cuda(const struct sw_slip_law_start *start, int64_t n, const sw_crystal *crystal,
                               int numbers, int own, float *number)
{
    (void)start, (void)n, (void)crystal, (void)numbers, (void)own, (void)number;
    return absent();
}

sw_status sw_states_heat_cuda(const float stress[5], int64_t n, const sw_crystal *crystal, int numbers,
                              float *number)
{
    (void)stress, (void)n, (void)crystal, (void)numbers, (void)number;
    return absent();
}

sw_status sw_crystals_count_twins_cuda(const struct sw_twin_rule *rule, int64_t first, int64_t n,
                                       const float *state, const float *weight, void *count)
{
    (void)rule, (void)first, (void)n, (void)state, (void)weight, (void)count;
    return absent();
}

sw_status sw_crystals_turn_cuda(const struct sw_twin_rule *rule, int64_t first, int64_t n,
                                sw_crystal *crystal, float *state)
{
    (void)rule, (void)first, (void)n, (void)crystal, (void)state;
    return absent();
}

sw_status sw_points_turn_cuda(const struct sw_twin_rule *rule, int64_t points, int64_t n, sw_crystal *crystal,
                              float *state, const float *weight)
{
    (void)rule, (void)points, (void)n, (void)crystal, (void)state, (void)weight;
    return absent();
}

sw_status sw_twins_transfer_cuda(const struct sw_twin_rule *rule, int64_t groups, sw_crystal *crystal,
                                 float *state)
{
    (void)rule, (void)groups, (void)crystal, (void)state;
    return absent();
}

sw_status sw_states_column_cuda(int64_t n, int to_row, float *to, int from_row, const float *from)
{
    (void)n, (void)to_row, (void)to, (void)from_row, (void)from;
    return absent();
}

sw_status sw_states_sum_cuda(int64_t n, int numbers, int place, int values, const float *state,
                             const float *weight, double *sum)
{
    (void)n, (void)numbers, (void)place, (void)values, (void)state, (void)weight, (void)sum;
    return absent();
}

sw_status sw_numbers_copy_cuda(int64_t n, float *to, const float *from)
{
    (void)n, (void)to, (void)from;
    return absent();
}

#endif
