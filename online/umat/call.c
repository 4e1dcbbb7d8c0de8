#include "call.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/status.h"

enum { POINTS_OF_AN_ELEMENT = 1000 }; /* at most, so that each has a number of its own */

static sw_status check_numbers(const sw_umat_call *call, const sw_point_model *model)
{
    const int64_t need = sw_point_model_state_numbers(model);
    return call->numbers >= need ? SW_OK
                                 : sw_error(SW_ERR_RANGE, "material %.*s: *DEPVAR = %d: need at least %lld",
                                            call->length, call->name, call->numbers, (long long)need);
}

/* The state to start from: what is there, or a beginning in *own, which is to be freed. */
static sw_status find_state(const sw_umat_call *call, const sw_point_model *model, double **own,
                            const double **state)
{
    *own = NULL;
    *state = call->old_state;
    if (call->old_state[SW_POINT_BEGUN] != 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(*own, sw_point_model_state_numbers(model), "state of a point"));
    *state = *own;
    return sw_point_begin(model, (int64_t)call->element * POINTS_OF_AN_ELEMENT + call->point, *own);
}

static void from_columns(const double *columns, double tensor[3][3])
{
    for (int k = 0; k < 9; k++)
        tensor[k % 3][k / 3] = columns[k];
}

sw_status sw_umat_advance(const sw_umat_call *call, sw_umat_answer *answer)
{
    const sw_point_model *model;
    const double *state;
    double *own, before[3][3];
    SW_TRY(sw_umat_find(call->name, call->length, &model));
    SW_TRY(check_numbers(call, model));
    from_columns(call->old_gradient, before);
    from_columns(call->new_gradient, answer->gradient);
    sw_status status = find_state(call, model, &own, &state);
    const sw_point_update update = {.points = 1,
                                    .dt = call->dt,
                                    .old_gradient = (const double(*)[3][3]) & before,
                                    .new_gradient = (const double(*)[3][3]) & answer->gradient,
                                    .old_state = state,
                                    .new_state = call->new_state,
                                    .stress = &answer->stress,
                                    .by_gradient = &answer->by_gradient,
                                    .by_strain = &answer->by_strain};
    if (status == SW_OK)
        status = sw_point_advance(model, &update);
    free(own);
    return status;
}
