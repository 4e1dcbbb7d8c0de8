/* Files that a thread writes beside what comes next, one at a time. */
#ifndef SW_ONLINE_FEM_OUTPUT_WRITER_H
#define SW_ONLINE_FEM_OUTPUT_WRITER_H

#include <pthread.h>
#include <stdatomic.h>

#include "common/system/status.h"

/* All zero: idle. */
typedef struct {
    int runs;            /* a thread was started, and nobody has waited for it */
    atomic_int finished; /* it has come to its end */
    pthread_t thread;
    sw_status (*work)(void *what);
    void *what;
    int one_thread; /* it may use one core: the others are busy */
    sw_status status;
    char message[1024];
} sw_fem_writer;

/* Begins work(what), which tells nobody anything but by its status; idle before. Where the system gives no thread it is done when
 * this returns. What it reads stays as it is until sw_fem_writer_wait. */
void sw_fem_writer_start(sw_fem_writer *writer, int one_thread, sw_status (*work)(void *what), void *what);

/* Whether waiting would take no time. */
int sw_fem_writer_is_idle(const sw_fem_writer *writer);

/* Until all is written; what came of it. SW_OK when idle. */
sw_status sw_fem_writer_wait(sw_fem_writer *writer);

#endif
