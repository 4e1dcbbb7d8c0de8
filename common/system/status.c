#include "status.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "threads.h"

/* ---- One line, and nothing that a terminal would obey ---- */

/* Whether a second byte goes with the first: a character has one spelling, the shortest, and is no half of a surrogate
 * pair, nor beyond U+10FFFF. Unicode 15.0, table 3-7. */
static int is_second(unsigned char first, unsigned char second)
{
    const int least = first == 0xe0   ? 0xa0
                      : first == 0xf0 ? 0x90
                                      : 0x80,
              most = first == 0xed   ? 0x9f
                     : first == 0xf4 ? 0x8f
                                     : 0xbf;
    return second >= least && second <= most;
}

/* Bytes of the character in UTF-8 at `text`; 0: it is none. */
static int character_length(const unsigned char *text)
{
    const unsigned char c = *text;
    const int length = c < 0x80                ? 1
                       : c >= 0xc2 && c < 0xe0 ? 2
                       : (c & 0xf0) == 0xe0    ? 3
                       : c >= 0xf0 && c < 0xf5 ? 4
                                               : 0;
    if (length > 1 && !is_second(c, text[1]))
        return 0;
    for (int i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Whether one stands for itself: no control character of either set (C0, C1), no other end of a line. */
static int is_plain(const unsigned char *text, int length)
{
    if (length == 1)
        return *text >= 0x20 && *text != 0x7f;
    if (length == 2)
        return !(text[0] == 0xc2 && text[1] < 0xa0);
    return length > 0 && !(text[0] == 0xe2 && text[1] == 0x80 && (text[2] == 0xa8 || text[2] == 0xa9));
}

enum { PIECE = 8 }; /* bytes: "\\x1b", or a character in UTF-8 */

static int escape_byte(unsigned char byte, char to[PIECE])
{
    static const char named[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr";
    const char *at = byte == 0 ? NULL : strchr(named, byte);
    return at != NULL ? snprintf(to, PIECE, "\\%c", letters[at - named])
                      : snprintf(to, PIECE, "\\x%02x", byte);
}

/* text -> to [SW_LINE], cut at a whole character; what is not plain as \n, \x1b. An escaped text stays as it is. */
static void escape(const char *text, char *to)
{
    const unsigned char *from = (const unsigned char *)text;
    size_t n = 0;
    while (*from != '\0') {
        char piece[PIECE];
        const int length = character_length(from), plain = is_plain(from, length);
        const int size = plain ? length : escape_byte(*from, piece);
        if (n + (size_t)size >= SW_LINE)
            break;
        memcpy(to + n, plain ? (const char *)from : piece, (size_t)size);
        n += (size_t)size;
        from += plain ? length : 1;
    }
    to[n] = '\0';
}

const char *sw_plain(const char *text, char plain[SW_LINE])
{
    escape(text, plain);
    return plain;
}

static void format_line(char line[SW_LINE], const char *format, va_list arguments)
{
    char text[SW_LINE];
    vsnprintf(text, sizeof text, format, arguments);
    escape(text, line);
}

/* ---- Errors ---- */

static _Thread_local char message[SW_LINE];

#undef sw_error /* status.h wraps it for the analyser */
sw_status sw_error(sw_status code, const char *format, ...)
{
    char line[SW_LINE]; /* an argument may be the previous message */
    va_list arguments;
    va_start(arguments, format);
    format_line(line, format, arguments);
    va_end(arguments);
    memcpy(message, line, sizeof message);
    return code;
}

/* ---- Notices ---- */

static _Thread_local sw_ear present;

void sw_listen(sw_listener *listener, void *context)
{
    present.listener = listener;
    present.context = context;
}

void sw_watch(sw_watcher *watcher, void *context)
{
    present.watcher = watcher;
    present.watched = context;
}

sw_ear sw_present_ear(void) { return present; }

static void notify(const sw_ear *ear, sw_notice notice, const char *format, va_list arguments)
{
    char line[SW_LINE];
    if (ear->listener == NULL)
        return;
    format_line(line, format, arguments);
    ear->listener(ear->context, notice, line);
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

/* glibc before 2.38 asks for more than the block itself where it is to be aligned, so that no gap that one left is large enough
 * for the next of its size, and a run that takes and returns megabytes at every step grows by them. malloc() takes the gap. */
static void *aligned(size_t alignment, size_t bytes)
{
    void *block = malloc(bytes);
    if (block == NULL || (uintptr_t)block % alignment == 0)
        return block;
    free(block);
    return aligned_alloc(alignment, bytes);
}

/* Blocks that come fresh from the system, whose pages it makes and clears where they are first touched: large pages, by all
 * threads. Below, malloc() may give what it has, and larger alignment would leave gaps in it. */
enum { ALIGNMENT = 64, LARGE_PAGE = 1 << 21, LARGE = 32 << 20 };

static void *large(size_t bytes)
{
    char *block = aligned_alloc(LARGE_PAGE, (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
    if (block == NULL)
        return NULL;
    madvise(block, bytes, MADV_HUGEPAGE); /* a wish */
    const int64_t pages = (int64_t)((bytes + LARGE_PAGE - 1) / LARGE_PAGE);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(pages, 0.05 * LARGE_PAGE))
    for (int64_t i = 0; i < pages; i++) {
        const size_t at = (size_t)i * LARGE_PAGE;
        memset(block + at, 0, bytes - at < LARGE_PAGE ? bytes - at : LARGE_PAGE);
    }
    return block;
}

sw_status sw_allocate(void **pointer, size_t count, size_t size, const char *what)
{
    *pointer = NULL;
    if (size != 0 && count > (SIZE_MAX - LARGE_PAGE) / size)
        return sw_error(SW_ERR_MEMORY, "%s: %zu x %zu bytes is more than can be addressed", what, count,
                        size);
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    *pointer = bytes >= LARGE ? large(bytes) : aligned(ALIGNMENT, bytes);
    if (*pointer == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: %.3g GB of memory refused", what, (double)bytes * 1e-9);
    if (bytes < LARGE)
        memset(*pointer, 0, bytes);
    return SW_OK;
}

sw_status sw_grow(void **pointer, size_t count, size_t size, const char *what)
{
    if (size != 0 && count > SIZE_MAX / 2 / size)
        return sw_error(SW_ERR_MEMORY, "%s: %zu x %zu bytes is more than can be addressed", what, count,
                        size);
    void *grown = realloc(*pointer, count * size > 0 ? count * size : 1);
    if (grown == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: %.3g GB of memory refused", what,
                        (double)count * (double)size * 1e-9);
    *pointer = grown;
    return SW_OK;
}
