#include "input.h"

#include <string.h>

sw_status sw_dem_keep(sw_job *job, void **pointer, size_t bytes)
{
    *pointer = sw_job_allocate(job, bytes);
    return *pointer != NULL ? SW_OK : sw_error(SW_ERR_MEMORY, "%s: %zu bytes", sw_job_path(job), bytes);
}

sw_status sw_dem_refuse_keys(const sw_job *job, const char *prefix, const char *keys, const char *why)
{
    for (const char *at = keys; *at != '\0';) {
        const int length = (int)strcspn(at, " ");
        char key[SW_KEY_SIZE];
        if (sw_job_given(job, sw_key_path(key, "%s%.*s", prefix, length, at)))
            return sw_job_error(job, key, "%s", why);
        at += length;
        at += strspn(at, " ");
    }
    return SW_OK;
}
