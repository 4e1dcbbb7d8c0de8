/* The state of crystals, to go back to: for steps that are tried before they are taken. */
#ifndef SW_ONLINE_RESPONSE_MARK_H
#define SW_ONLINE_RESPONSE_MARK_H

#include "slipwave/response.h"

typedef struct {
    sw_response *response; /* borrowed */
    int64_t n;
    sw_crystal *crystal; /* [n] where those are that it remembers */
    float *kept;         /* what the solver keeps: on its device, or as histories on the host */
    double *history;
} sw_mark;

/* Room to remember the n crystals that `response` steps. SW_ERR_MEMORY. Release with sw_mark_free, which takes a
 * zeroed one too. */
sw_status sw_mark_create(sw_response *response, int64_t n, sw_mark *mark);
void sw_mark_free(sw_mark *mark);

/* Remember these crystals [n] and what the response keeps of them; and back. */
sw_status sw_mark_set(sw_mark *mark, const sw_crystal *crystal);
sw_status sw_mark_return(const sw_mark *mark, sw_crystal *crystal);

#endif
