/* What went wrong, as a code and a sentence. A function that can fail returns sw_status; the sentence is
 * sw_error_message's. */
#ifndef SLIPWAVE_STATUS_H
#define SLIPWAVE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* What libslipwave.so shows of itself. */
#if defined(__GNUC__)
#define SW_API __attribute__((visibility("default")))
#else
#define SW_API
#endif

#define SW_STATUS_LIST(X)                                      \
    X(SW_OK, "success")                                        \
    X(SW_ERR_INPUT, "an input file says something it may not") \
    X(SW_ERR_RANGE, "a value is out of its range")             \
    X(SW_ERR_FORMAT, "a data file is not what it should be")   \
    X(SW_ERR_IO, "a file cannot be read or written")           \
    X(SW_ERR_MEMORY, "not enough memory")                      \
    X(SW_ERR_CONVERGENCE, "an iteration did not converge")     \
    X(SW_ERR_INTERRUPTED, "interrupted")                       \
    X(SW_ERR_UNAVAILABLE, "this build or machine lacks what was asked for")

typedef enum {
#define SW_STATUS_ENUM(code, text) code,
    SW_STATUS_LIST(SW_STATUS_ENUM)
#undef SW_STATUS_ENUM
} sw_status;

/* The calling thread's last message, with the value and the bound it missed; "" before the first. Valid until
 * the thread's next error. */
SW_API const char *sw_error_message(void);

/* What a code means, without context. Never NULL. */
SW_API const char *sw_status_text(sw_status code);

/* What there is to say beside errors: notes (which solver was chosen, what a run goes on with), warnings (an
 * input that may not mean what it says), and progress of long work (a few times a second, each in place of
 * the one before). The library prints none of them: they go to the calling thread's listener, and to nobody
 * while it is NULL, as at first. Progress may be told from another thread, one at a time. */
typedef enum { SW_NOTE, SW_WARNING, SW_PROGRESS } sw_notice;
typedef void sw_listener(void *context, sw_notice notice, const char *text);
SW_API void sw_listen(sw_listener *listener, void *context);

/* How far work of the calling thread is, in numbers, whenever it is looked at: `done` of `total` units ("steps") of a task
 * ("deform"); total 0: not known. What is not 0 asks for a stop: SW_ERR_INTERRUPTED. */
typedef int sw_watcher(void *context, const char *task, const char *unit, long long done, long long total);
SW_API void sw_watch(sw_watcher *watcher, void *context);

/* "0.1.0": of the library that is linked. */
SW_API const char *sw_version(void);

#ifdef __cplusplus
}
#endif

#endif
