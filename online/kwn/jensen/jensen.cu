/* The backend of the strategies of Jensen et al. 2016. */
#include "jensen.h"

static sw_status jensen_open(sw_kwn *kwn, const sw_kwn_point *point)
{
    static const sw_kwn_cuda_strategy *const in[SW_KWN_PRECISIONS] = {
        sw_kwn_jensen_double, sw_kwn_jensen_mixed, sw_kwn_jensen_single}; /* as sw_kwn_precision */
    return sw_kwn_cuda_open(kwn, point,
                            in[kwn->options.precision] + (kwn->options.strategy - SW_KWN_NODE_FIRST));
}

const sw_kwn_backend sw_kwn_jensen = {jensen_open,
                                      sw_kwn_cuda_close,
                                      sw_kwn_cuda_run,
                                      sw_kwn_cuda_read_points,
                                      sw_kwn_cuda_write_point,
                                      sw_kwn_cuda_read_classes,
                                      sw_kwn_cuda_read_areas,
                                      sw_kwn_cuda_write_classes};

void sw_kwn_jensen_clock(sw_kwn *kwn, double *seconds)
{
    ((sw_kwn_cuda_work *)kwn->work)->kernel_seconds = seconds;
}
