#include "last_words.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *volatile speaker; /* NULL: nothing to say */
static const char *volatile resumes; /* what there is to go on from */
static int (*volatile told)(void);   /* whether another process has told why all end */
static int to = STDERR_FILENO;       /* what it was at the beginning */

/* In a signal handler: write() and nothing else. */
static void put(const char *text)
{
    const ssize_t written = write(to, text, strlen(text));
    (void)written; /* there is nobody else to tell */
}

static void say(const char *what, int number, const char *why)
{
    char digits[4] = {(char)('0' + number / 100 % 10), (char)('0' + number / 10 % 10),
                      (char)('0' + number % 10)};
    const char *first = digits;
    while (first < digits + 2 && *first == '0')
        first++;
    put(speaker);
    put(what);
    put(first);
    put(why);
    put(" as may happen when memory runs out; results are whole or as they were");
    put(resumes);
    speaker = NULL;
}

void sw_last_words_interrupted(void)
{
    if (speaker == NULL || (told != NULL && told()))
        return;
    put(speaker);
    put(": interrupted in the midst of a step; results are as they were");
    put(resumes);
    speaker = NULL;
}

static void on_exit_of_a_library(int status, void *context)
{
    (void)context;
    if (speaker != NULL && status != 0)
        say(": ended by a library (status ", status & 0xff, "), for what it may have said above, or");
}

#ifndef __SANITIZE_ADDRESS__ /* which tells more */
static void on_crash(int number)
{
    if (speaker != NULL)
        say(": ended by a fault in it or in a library (signal ", number, "),");
    raise(number); /* once more, as if there were no handler: SA_RESETHAND */
}

/* On a stack of their own: one that overflowed is a reason to come here. */
static void catch_crashes(void)
{
    static char stack[1 << 16];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaltstack(&own, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}
#else
static void catch_crashes(void) {}
#endif

void sw_last_words_resume(int can)
{
    resumes = can ? ", and --resume goes on from what was kept, if anything was\n" : "\n";
}

void sw_last_words_unless(int (*by_another)(void)) { told = by_another; }

void sw_last_words_begin(const char *program)
{
    sw_last_words_resume(0);
    speaker = program;
    to = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    catch_crashes();
    on_exit(on_exit_of_a_library, NULL);
}

void sw_last_words_end(void)
{
    speaker = NULL;
    close(to);
}
