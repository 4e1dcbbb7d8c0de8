#include "common/system/parallel.h"
#include "gpu.h"

int sw_gpu_everywhere(int wanted, char *text, size_t size)
{
    int64_t without = !wanted || sw_gpu_describe(text, size) == 0;
    sw_parallel_sum_counts(&without, 1);
    return without == 0;
}
