/* What most formulations do: displacements and places by the same shape functions, all points alike; formulation.h. */
#include <string.h>

#include "common/system/status.h"
#include "evaluate.h"

sw_status sw_evaluate_isoparametric(const sw_element *e, sw_element_answer *answer)
{
    const int n = e->formulation->topology->n_nodes, c = sw_formulation_components(e->formulation);
    const int symmetric = sw_matter_symmetric(e->matter), n_points = e->formulation->rule->n;
    sw_place place[SW_CHUNK];
    sw_point point[SW_CHUNK];
    sw_stiffness sums;
    if (answer->force != NULL)
        memset(answer->force, 0, (size_t)(n * c) * sizeof(double));
    if (answer->stiffness != NULL)
        memset(&sums, 0, sizeof sums);
    for (int first = 0; first < n_points; first += SW_CHUNK) {
        const int count = n_points - first < SW_CHUNK ? n_points - first : SW_CHUNK;
        for (int q = 0; q < count; q++) {
            double h[9], before[9];
            SW_TRY(sw_place_at(e, first + q, &place[q]));
            sw_gradient_of(&place[q], n, e->u, h);
            sw_gradient_of(&place[q], n, e->u_before, before);
            SW_TRY(sw_point_ask(e, first + q, place[q].weight, h, before, answer->stiffness != NULL, answer,
                                &point[q]));
            if (answer->force != NULL)
                sw_add_force(n, c, &place[q], point[q].force, answer->force);
        }
        if (answer->stiffness != NULL)
            sw_add_stiffness(n, c, symmetric, count, place, point, &sums);
    }
    if (answer->stiffness != NULL)
        sw_write_stiffness(n, c, symmetric, &sums, answer->stiffness);
    return SW_OK;
}
