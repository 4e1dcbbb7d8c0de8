/* Loaded before the C library (LD_PRELOAD), lets one allocation of a program fail, from main() on, and says whose it was.
 *
 * SW_FAULT_AT      which, counted from 1; 0 or absent: none
 * SW_FAULT_REPORT  a file: at the failure the library or program that asked, at exit the number of allocations */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own, under the names it has for this purpose. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static atomic_long count, fail_at;
static atomic_int counting; /* from main() on: before it are others, of which CUDA's start crashes */
static char report[4096];

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("SW_FAULT_AT"), *path = getenv("SW_FAULT_REPORT");
    if (path != NULL)
        snprintf(report, sizeof report, "%s", path);
    void *frame[2];
    backtrace(frame, 2); /* the first one allocates */
    atomic_store(&fail_at, at != NULL ? atol(at) : 0);
}

static void say(const char *text)
{
    const int file = report[0] ? open(report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file >= 0 && write(file, text, strlen(text)) >= 0)
        close(file);
}

__attribute__((destructor)) static void end(void)
{
    char text[64];
    snprintf(text, sizeof text, "count %ld\n", atomic_load(&count));
    say(text);
}

/* The program or library whose call it is: the first that is neither this one nor the C library, which allocates for
 * others (strdup, fopen). */
static void say_whose(void)
{
    void *frame[32];
    Dl_info own = {0}, about = {0};
    char text[4096 + 16];
    const int n = backtrace(frame, 32);
    dladdr((void *)say_whose, &own);
    for (int i = 0; i < n; i++)
        if (dladdr(frame[i], &about) != 0 && about.dli_fbase != own.dli_fbase &&
            strstr(about.dli_fname, "/libc.so") == NULL)
            break;
    snprintf(text, sizeof text, "failed %s\n", about.dli_fname != NULL ? about.dli_fname : "?");
    say(text);
}

static int (*real_main)(int, char **, char **);

static int counted_main(int n, char **arguments, char **environment)
{
    atomic_store(&counting, 1);
    return real_main(n, arguments, environment);
}

/* In place of the C library's, which calls main(). */
int __libc_start_main(int (*start)(int, char **, char **), int n, char **arguments, void (*init)(void),
                      void (*end)(void), void (*end_of_loader)(void), void *stack)
{
    __typeof__(&__libc_start_main) next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = start;
    return next(counted_main, n, arguments, init, end, end_of_loader, stack);
}

static int fails(void)
{
    if (!atomic_load(&counting) || atomic_fetch_add(&count, 1) + 1 != atomic_load(&fail_at))
        return 0;
    say_whose();
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (fails())
        return ENOMEM;
    *result = __libc_memalign(alignment, size);
    return *result != NULL ? 0 : ENOMEM;
}
