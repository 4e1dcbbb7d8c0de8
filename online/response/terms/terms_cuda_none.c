/* terms_cuda.h for a build without CUDA. */
#include "terms_cuda.h"

#include "online/gpu/gpu.h"

#ifndef SW_HAVE_CUDA

sw_status sw_terms_reform_cuda(sw_response *response, sw_terms_form form)
{
    (void)response, (void)form;
    return sw_gpu_use(NULL);
}

int64_t sw_terms_count_cuda(const sw_response *response)
{
    (void)response;
    return 0;
}

#endif
