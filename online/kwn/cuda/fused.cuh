/* The strategy `fused`: resident.cuh for few points, whose steps follow each other without a launch between,
 * and for histograms that need several blocks; rounds.cuh for many, whose scalar work then runs side by side.
 */
#include "resident.cuh"
#include "rounds.cuh"

namespace
{

/* Rounds are faster from so many classes in all on (docs/benchmarks.md), but not for few points. */
const int64_t MANY_CLASSES = INT64_C(1) << 21, FEW_POINTS = 2048;

sw_status fused_open(sw_kwn *kwn)
{
    sw_kwn_gpu_work *gpu = (sw_kwn_gpu_work *)kwn->work;
    int multiprocessors = 0;
    SW_CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, gpu->device));
    gpu->resident = kwn->n_points < FEW_POINTS || kwn->n_points * kwn->axis.n_padded < MANY_CLASSES ||
                    choose_form(kwn->axis.n_padded, 0).blocks > 1;
    return gpu->resident ? resident_open(kwn, kwn->n_points < 2 * multiprocessors)
                         : rounds_open(kwn, FUSED, 0);
}

void fused_close(sw_kwn *kwn)
{
    if (((const sw_kwn_gpu_work *)kwn->work)->resident)
        resident_close(kwn);
    else
        rounds_close(kwn);
}

sw_status fused_run(sw_kwn *kwn, const sw_kwn_schedule *schedule)
{
    return ((const sw_kwn_gpu_work *)kwn->work)->resident ? resident_run(kwn, schedule)
                                                          : rounds_run(kwn, schedule);
}

sw_status fused_settle(sw_kwn *kwn)
{
    return ((const sw_kwn_gpu_work *)kwn->work)->resident ? SW_OK : rounds_settle(kwn);
}

} // namespace
