#include "progress.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "last_words.h"
#include "leftovers.h"

double sw_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sw_progress_begin(sw_progress *progress, const char *task, const char *unit, int64_t total, int quiet)
{
    const double now = sw_seconds();
    *progress = (sw_progress){task, unit, total, quiet, now, now, sw_present_ear()};
}

void sw_progress_show(sw_progress *progress, int64_t done)
{
    const sw_ear *ear = &progress->ear;
    const double now = sw_seconds(), rate = (double)done / (now - progress->started);
    if (ear->watcher != NULL &&
        ear->watcher(ear->watched, progress->task, progress->unit, done, progress->total) != 0)
        sw_interrupt_ask();
    if (progress->quiet || done <= 0 || now - progress->shown < 0.2)
        return;
    progress->shown = now;
    if (progress->total <= 0) {
        sw_tell(&progress->ear, SW_PROGRESS, "%s: %.4g %s  %.4g %s/s", progress->task, (double)done,
                progress->unit, rate, progress->unit);
        return;
    }
    sw_tell(&progress->ear, SW_PROGRESS, "%s: %3.0f %%  %.4g %s/s  %.0f s left", progress->task,
            100.0 * (double)done / (double)progress->total, rate, progress->unit,
            (double)(progress->total - done) / rate);
}

void sw_progress_end(sw_progress *progress)
{
    const double elapsed = sw_seconds() - progress->started;
    if (!progress->quiet)
        sw_tell(&progress->ear, SW_NOTE, "%s: %lld %s in %.2f s (%.4g %s/s)", progress->task,
                (long long)progress->total, progress->unit, elapsed, (double)progress->total / elapsed,
                progress->unit);
}

/* ---- Asked to stop ---- */

static volatile sig_atomic_t stop_asked, stop_heeded;
static atomic_int held;

static struct itimerval patience = {.it_value = {.tv_usec = 600000}};

static void be_patient(void)
{
    setitimer(ITIMER_REAL, &patience, NULL); /* a call of the system, as safe in a handler as alarm() */
}

/* Nobody has looked: a library is at work, a long step, a file that does not come. As a kill, but tidier. */
static void on_patience_lost(int number)
{
    (void)number;
    if (stop_heeded)
        return;
    if (held > 0) {
        be_patient();
        return;
    }
    sw_leftovers_remove();
    sw_last_words_interrupted();
    _exit(130);
}

static void on_signal(int number)
{
    stop_asked = 1;
    signal(number, SIG_DFL);
    be_patient();
}

void sw_interrupt_patience(double seconds) { patience.it_value.tv_usec = (suseconds_t)(1e6 * seconds); }

void sw_interrupt_install(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGALRM, on_patience_lost);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond a limit of file sizes then fails, and is told as any other */
}

void sw_interrupt_ask(void) { stop_asked = 1; }

/* ---- Asked to stop, within a host program ---- */

static struct sigaction host; /* what the program does at SIGINT */

/* The host's as well: it has to know. */
static void on_host_signal(int number, siginfo_t *about, void *context)
{
    stop_asked = 1;
    if (host.sa_flags & SA_SIGINFO)
        host.sa_sigaction(number, about, context);
    else if (host.sa_handler != SIG_DFL && host.sa_handler != SIG_IGN)
        host.sa_handler(number);
}

void sw_interrupt_borrow(void)
{
    struct sigaction ours = {.sa_sigaction = on_host_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&ours.sa_mask);
    sigaction(SIGINT, &ours, &host);
}

void sw_interrupt_return(void) { sigaction(SIGINT, &host, NULL); }

void sw_interrupt_forget(void) { stop_asked = stop_heeded = 0; }

sw_status sw_interrupt_check(void)
{
    if (!stop_asked)
        return SW_OK;
    stop_heeded = 1;
    return sw_error(SW_ERR_INTERRUPTED, "interrupted");
}

void sw_interrupt_heed(void) { stop_heeded = 1; }

void sw_interrupt_hold(void) { held++; }
void sw_interrupt_release(void) { held--; }
