#include "partial.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/files/hdf5_io.h"
#include "common/files/memory/memory_files.h"

int sw_partial_is_kept(void) { return !sw_memory_files_used(); }

sw_status sw_partial_refuse(const char *path)
{
    return sw_error(SW_ERR_INPUT,
                    "%s: is left from an earlier run: --resume goes on with it, removing it starts anew",
                    path);
}

sw_status sw_partial_meet(const char *path, int is_there, int resume)
{
    if (is_there && !resume)
        return sw_partial_refuse(path);
    if (!is_there && resume)
        sw_note("resume: nothing is kept%s%s: begins anew", path != NULL ? ", there is no " : "",
                path != NULL ? path : "");
    return SW_OK;
}

sw_status sw_partial_tell(sw_status status, const char *path, const char *kept, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, kept);
    vsnprintf(text, sizeof text, kept, arguments);
    va_end(arguments);
    return sw_error(status, "%.600s; %s kept in %s: --resume goes on", sw_error_message(), text, path);
}

sw_status sw_partial_write_texts(hid_t group, const sw_partial_text *text)
{
    for (; text->name != NULL; text++)
        SW_TRY(sw_h5_write_text(group, text->name, text->text));
    return SW_OK;
}

sw_status sw_partial_check_texts(hid_t group, const char *path, const sw_partial_text *text)
{
    for (; text->name != NULL; text++)
        if (!sw_h5_has_text(group, text->name, text->text))
            return sw_error(SW_ERR_FORMAT, "%s: belongs to a run with %s", path, text->what);
    return SW_OK;
}
