#include "mark.h"

#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "online/response/step/kept.h"
#include "online/response/step/solver.h"

sw_status sw_mark_create(sw_response *response, int64_t n, sw_mark *mark)
{
    *mark = (sw_mark){.response = response, .n = n};
    SW_TRY(sw_crystals_allocate(response->device, n, &mark->crystal));
    if (response->functions->kept > 0)
        return sw_kept_make(response, n, &mark->kept);
    const int64_t numbers = n * sw_response_history_numbers(response);
    return numbers > 0 ? SW_ALLOCATE(mark->history, numbers, "histories of crystals") : SW_OK;
}

void sw_mark_free(sw_mark *mark)
{
    if (mark->response == NULL)
        return;
    sw_crystals_free(mark->response->device, mark->crystal);
    sw_kept_release(mark->response, mark->kept);
    free(mark->history);
    *mark = (sw_mark){.response = NULL};
}

sw_status sw_mark_set(sw_mark *mark, const sw_crystal *crystal)
{
    sw_response *r = mark->response;
    SW_TRY(sw_crystals_copy(r->device, mark->n, mark->crystal, crystal));
    SW_TRY(sw_response_history_begin(r, mark->n, crystal));
    if (mark->kept != NULL)
        return sw_kept_copy(r, mark->n, mark->kept, r->kept);
    return mark->history != NULL ? sw_response_history_save(r, 0, mark->n, mark->history) : SW_OK;
}

sw_status sw_mark_return(const sw_mark *mark, sw_crystal *crystal)
{
    sw_response *r = mark->response;
    SW_TRY(sw_crystals_copy(r->device, mark->n, crystal, mark->crystal));
    if (mark->kept != NULL)
        return sw_kept_copy(r, mark->n, r->kept, mark->kept);
    return mark->history != NULL ? sw_response_history_restore(r, mark->n, 0, mark->n, mark->history) : SW_OK;
}
