#include "leftovers.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64 };

/* `used` goes up after its path is written and down before another is: a handler sees whole paths. */
static struct {
    atomic_int used;
    char path[PATH_MAX];
} leftover[MOST];

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

void sw_leftover_add(const char *path)
{
    if (strlen(path) >= PATH_MAX)
        return;
    pthread_mutex_lock(&writing);
    int i = 0;
    while (i < MOST && leftover[i].used)
        i++;
    if (i < MOST) {
        strcpy(leftover[i].path, path);
        leftover[i].used = 1;
    }
    pthread_mutex_unlock(&writing);
}

void sw_leftover_forget(const char *path)
{
    pthread_mutex_lock(&writing);
    for (int i = 0; i < MOST; i++)
        if (leftover[i].used && strcmp(leftover[i].path, path) == 0)
            leftover[i].used = 0;
    pthread_mutex_unlock(&writing);
}

void sw_leftovers_remove(void)
{
    for (int i = 0; i < MOST; i++)
        if (leftover[i].used)
            unlink(leftover[i].path);
}
