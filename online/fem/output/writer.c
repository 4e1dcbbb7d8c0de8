#include "writer.h"

#include <stdio.h>

#include "common/system/threads.h"

static void *write_it(void *opaque)
{
    sw_fem_writer *w = opaque;
    if (w->one_thread)
        sw_threads_use(1);
    w->status = w->work(w->what);
    if (w->status != SW_OK)
        snprintf(w->message, sizeof w->message, "%s", sw_error_message());
    w->finished = 1;
    return NULL;
}

void sw_fem_writer_start(sw_fem_writer *w, int one_thread, sw_status (*work)(void *what), void *what)
{
    w->one_thread = one_thread;
    w->work = work;
    w->what = what;
    w->finished = 0;
    w->status = SW_OK;
    w->runs = pthread_create(&w->thread, NULL, write_it, w) == 0;
    if (w->runs)
        return;
    w->one_thread = 0;
    write_it(w);
}

int sw_fem_writer_is_idle(const sw_fem_writer *w) { return !w->runs || w->finished; }

sw_status sw_fem_writer_wait(sw_fem_writer *w)
{
    if (w->runs)
        pthread_join(w->thread, NULL);
    const sw_status status = w->status;
    w->runs = 0;
    w->status = SW_OK;
    return status == SW_OK ? SW_OK : sw_error(status, "%s", w->message);
}
