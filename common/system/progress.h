/* Progress of long work, and a polite way to stop it. The listener of whoever begins the work is told how much
 * is done, the rate, and the time left, a few times a second. */
#ifndef SW_COMMON_SYSTEM_PROGRESS_H
#define SW_COMMON_SYSTEM_PROGRESS_H

#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *task; /* "integrate" */
    const char *unit; /* "points" */
    int64_t total;    /* 0: not known, and no percentage is shown */
    int quiet;
    double started, shown; /* s */
    sw_ear ear;
} sw_progress;

/* Wall clock, s. */
double sw_seconds(void);

void sw_progress_begin(sw_progress *progress, const char *task, const char *unit, int64_t total, int quiet);
/* One thread at a time. */
void sw_progress_show(sw_progress *progress, int64_t done);
/* A closing note with total time and rate. */
void sw_progress_end(sw_progress *progress);

/* From now on SIGINT and SIGTERM ask for a stop, a second one ends the program at once; files that grow beyond a limit of
 * their size fail as on a full disk. Where nobody looks within 0.6 s, or ends first, the program is ended in the midst of
 * what it does, with status 130: temporary files go, and what was kept stays. */
void sw_interrupt_install(void);
/* Another time than 0.6 s, less than one: of several processes the one that writes ends first, and takes its files with it. */
void sw_interrupt_patience(double seconds);
/* SW_OK, or SW_ERR_INTERRUPTED once asked to stop: who has looked takes the time it needs to keep its state. Any thread. */
sw_status sw_interrupt_check(void);
/* As if a signal had asked. */
void sw_interrupt_ask(void);
/* Within a host program: between these two SIGINT asks for a stop, beside what the program does at it; nothing is ended. */
void sw_interrupt_borrow(void);
void sw_interrupt_return(void);
/* What was asked for is over: another run may begin. */
void sw_interrupt_forget(void);
/* The same for one that was told by others. */
void sw_interrupt_heed(void);
/* Between these two a stop waits: for the last of a file that has cost hours. They may be nested. */
void sw_interrupt_hold(void);
void sw_interrupt_release(void);

#ifdef __cplusplus
}
#endif

#endif
