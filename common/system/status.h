/* Making errors, and passing them on. A function that can fail returns sw_status and leaves a message behind:
 *
 *     return sw_error(SW_ERR_RANGE, "rate_sensitivity = %g: need 0 < m <= 1", m);
 *
 * Callers pass failures up with SW_TRY; only a main() prints them. */
#ifndef SW_COMMON_SYSTEM_STATUS_H
#define SW_COMMON_SYSTEM_STATUS_H

#include <stddef.h>

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SW_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SW_PRINTF(text, first)
#endif

/* Record a message (printf rules; at most 1023 bytes are kept) for the calling thread, return the code. It is one line:
 * line ends, other control characters and bytes that are not UTF-8 are escaped, as \n and \x1b. */
SW_PRINTF(2, 3) sw_status sw_error(sw_status code, const char *format, ...);

/* A text, as a file's name, as such a message shows it: for what is printed. Returns `plain`. */
enum { SW_LINE = 1024 }; /* bytes */
const char *sw_plain(const char *text, char plain[SW_LINE]);

/* Tell the calling thread's listener a line, likewise. */
SW_PRINTF(1, 2) void sw_note(const char *format, ...);
SW_PRINTF(1, 2) void sw_warn(const char *format, ...);

/* A thread's listeners, for other threads that work for it. */
typedef struct {
    sw_listener *listener;
    void *context;
    sw_watcher *watcher;
    void *watched;
} sw_ear;
sw_ear sw_present_ear(void);
SW_PRINTF(3, 4) void sw_tell(const sw_ear *ear, sw_notice notice, const char *format, ...);

#ifdef __clang_analyzer__ /* which cannot see into another file that the code comes back */
#define sw_error(code, ...) ((void)sw_error((code), __VA_ARGS__), (code))
#endif

#define SW_TRY(expression)                       \
    do {                                         \
        sw_status sw_try_status_ = (expression); \
        if (sw_try_status_ != SW_OK)             \
            return sw_try_status_;               \
    } while (0)

/* As SW_TRY, for functions that own something: jumps to `label` with `status` set. */
#define SW_TRY_GOTO(status, expression, label) \
    do {                                       \
        (status) = (expression);               \
        if ((status) != SW_OK)                 \
            goto label;                        \
    } while (0)

/* malloc(count * size), 64-byte aligned and zeroed, with the overflow checked; *pointer is NULL
 * on failure. Release with free(). SW_ERR_MEMORY says what was wanted: `what` names it. */
sw_status sw_allocate(void **pointer, size_t count, size_t size, const char *what);

#define SW_ALLOCATE(pointer, count, what) \
    sw_allocate((void **)&(pointer), (size_t)(count), sizeof *(pointer), what)

/* Room for `count` in all at *pointer, which malloc or this gave, or NULL; what is there stays, and stays valid on failure.
 * Release with free(). */
sw_status sw_grow(void **pointer, size_t count, size_t size, const char *what);

#define SW_GROW(pointer, count, what) sw_grow((void **)&(pointer), (size_t)(count), sizeof *(pointer), what)

#ifdef __cplusplus
}
#endif
#endif
