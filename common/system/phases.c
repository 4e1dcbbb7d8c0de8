#include "phases.h"

#include <stdio.h>
#include <string.h>

#include "progress.h"

enum { MOST = 32 };

static _Thread_local struct {
    const char *name[MOST];
    double seconds[MOST]; /* s */
    int n, now;           /* now: counted from 1; 0: none */
    double since;         /* s, of the wall clock */
} phases;

static void end_phase(double at)
{
    if (phases.now > 0)
        phases.seconds[phases.now - 1] += at - phases.since;
    phases.now = 0;
}

void sw_phase(const char *name)
{
    const double at = sw_seconds();
    end_phase(at);
    if (name == NULL)
        return;
    int i = 0;
    while (i < phases.n && strcmp(phases.name[i], name) != 0)
        i++;
    if (i == MOST)
        return;
    if (i == phases.n) {
        phases.name[i] = name;
        phases.seconds[i] = 0;
        phases.n++;
    }
    phases.now = i + 1;
    phases.since = at;
}

void sw_phases_clear(void) { phases.n = phases.now = 0; }

const char *sw_phases_text(char *text, size_t size)
{
    size_t length = 0;
    double all = 0;
    text[0] = '\0';
    for (int i = 0; i < phases.n && length < size; i++) {
        length +=
            (size_t)snprintf(text + length, size - length, "%s %.3f s, ", phases.name[i], phases.seconds[i]);
        all += phases.seconds[i];
    }
    if (length < size)
        snprintf(text + length, size - length, "all %.3f s", all);
    return text;
}
