/* Where the time of a run goes. */
#ifndef SW_COMMON_SYSTEM_PHASES_H
#define SW_COMMON_SYSTEM_PHASES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on the calling thread's time is that of `name`, a literal, beside what it had before; NULL: of none. A library
 * may call it at any time: it costs a look at the clock. */
void sw_phase(const char *name);
/* Forgets all. */
void sw_phases_clear(void);
/* "mesh 0.12 s, loads 0.03 s, all 0.15 s" in the order in which they were first, of what the calling thread has done; returns
 * text [size]. */
const char *sw_phases_text(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
