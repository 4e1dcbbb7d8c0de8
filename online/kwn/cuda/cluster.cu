/* Points whose histograms need a cluster of blocks, which chips have from compute capability 9.0 on. */
#include "resident.cuh"

namespace kwn
{

template <> resident_function<in_double> resident_cluster<in_double>()
{
    return resident_kernel<in_double, most_classes<in_double>, 1024, true>;
}

template <> resident_function<in_several> resident_cluster<in_several>()
{
    return resident_kernel<in_several, most_classes<in_several>, 1024, true>;
}

template <> resident_function<in_mixed> resident_cluster<in_mixed>()
{
    return resident_kernel<in_mixed, most_classes<in_mixed>, 1024, true>;
}

template <> resident_function<in_single> resident_cluster<in_single>()
{
    return resident_kernel<in_single, most_classes<in_single>, 1024, true>;
}

} // namespace kwn
