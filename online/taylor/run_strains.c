#include "run_strains.h"

#include <math.h>
#include <string.h>

#include "common/math/tensor.h"
#include "common/system/parallel.h"

sw_status sw_taylor_sum_strains(const sw_taylor *r, int n, const sw_reflection *reflection, double (*sum)[2])
{
    const sw_history *h = &r->history;
    const double(*const f)[3] = (const double(*)[3])h->deformation_gradient[h->n - 1],
                        (*const stress)[3] = (const double(*)[3])h->cauchy_stress[h->n - 1];
    double g[3][3];
    memcpy(g, f, sizeof g);
    const double volume =
        sw_response_takes_volume(r->response)
            ? log(sw_determinant(g))
            : (stress[0][0] + stress[1][1] + stress[2][2]) / 3 / sw_material_stiffness(&r->material).bulk;
    memset(sum, 0, (size_t)n * sizeof *sum);
    SW_TRY(sw_parallel_agree(sw_reflections_sum(r->response, &r->crystals, volume, n, reflection, sum)));
    sw_parallel_sum(sum[0], (int64_t)2 * n);
    return SW_OK;
}

sw_status sw_taylor_follow_strains(sw_taylor *r)
{
    double sum[SW_REFLECTIONS_MOST][2];
    if (r->history.reflections == 0)
        return SW_OK;
    SW_TRY(sw_taylor_sum_strains(r, r->history.reflections, r->reflection, sum));
    sw_history_set_strains(&r->history, (const double(*)[2])sum, r->population.weight_in_all);
    return SW_OK;
}
