/* Histograms and growth in single precision. */
#include "common/math/lanes_float.h"

#define SW_KWN_NUMBER float
#include "fused.cuh"

extern "C" const sw_kwn_gpu_strategy sw_kwn_gpu_single[SW_KWN_STRATEGIES] = {
    {}, /* the CPU */
    {0, fused_open, fused_close, fused_run, fused_settle},
    {1, node_first_open, rounds_close, rounds_run, rounds_settle},
    {0, class_first_open, rounds_close, rounds_run, rounds_settle},
    {0, strided_open, rounds_close, rounds_run, rounds_settle},
    {1, interleaved_open, rounds_close, rounds_run, rounds_settle},
};
