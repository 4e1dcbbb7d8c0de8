#include "memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static double of_machine(void)
{
    char line[128];
    double kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
            break;
    fclose(file);
    return 1024 * kilobytes;
}

static double of_group(void)
{
    double bytes = 0;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r"); /* "max" without a limit */
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lf", &bytes) != 1)
        bytes = 0;
    fclose(file);
    return bytes;
}

double sw_memory_available(void)
{
    const double machine = of_machine(), group = of_group();
    return machine > 0 && group > 0 ? fmin(machine, group) : fmax(machine, group);
}

sw_status sw_memory_check(double bytes, const char *format, ...)
{
    char what[512];
    const double available = sw_memory_available();
    if (!(available > 0) || bytes <= available)
        return SW_OK;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return sw_error(SW_ERR_MEMORY, "%s: need %.3g GB of memory; %.3g GB are free", what, 1e-9 * bytes,
                    1e-9 * available);
}
