#include "status.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[1024];

#undef sw_error /* status.h wraps it for the analyser */
sw_status sw_error(sw_status code, const char *format, ...)
{
    char text[sizeof message]; /* an argument may be the previous message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(message, text, sizeof message);
    return code;
}

static _Thread_local sw_ear present;

void sw_listen(sw_listener *listener, void *context) { present = (sw_ear){listener, context}; }

sw_ear sw_present_ear(void) { return present; }

static void notify(const sw_ear *ear, sw_notice notice, const char *format, va_list arguments)
{
    char text[sizeof message];
    vsnprintf(text, sizeof text, format, arguments);
    if (ear->listener != NULL)
        ear->listener(ear->context, notice, text);
}

void sw_tell(const sw_ear *ear, sw_notice notice, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    notify(ear, notice, format, arguments);
    va_end(arguments);
}

void sw_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    notify(&present, SW_NOTE, format, arguments);
    va_end(arguments);
}

void sw_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    notify(&present, SW_WARNING, format, arguments);
    va_end(arguments);
}

const char *sw_version(void) { return SW_VERSION; }

const char *sw_error_message(void) { return message; }

const char *sw_status_text(sw_status code)
{
    switch (code) {
#define SW_STATUS_CASE(name, text) \
    case name:                     \
        return text;
        SW_STATUS_LIST(SW_STATUS_CASE)
#undef SW_STATUS_CASE
    }
    return "unknown status";
}

sw_status sw_allocate(void **pointer, size_t count, size_t size, const char *what)
{
    enum { ALIGNMENT = 64 };
    *pointer = NULL;
    if (size != 0 && count > (SIZE_MAX - ALIGNMENT) / size)
        return sw_error(SW_ERR_MEMORY, "%s: %zu x %zu bytes is more than can be addressed", what, count,
                        size);
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    *pointer = aligned_alloc(ALIGNMENT, bytes);
    if (*pointer == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: %.3g GB of memory refused", what, (double)bytes * 1e-9);
    memset(*pointer, 0, bytes);
    return SW_OK;
}
