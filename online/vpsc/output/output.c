/* Files of a run, begun as they are asked for. */
#include "output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/files/output_file.h"

enum { FILES = 64, NAME = 64 };

struct sw_vpsc_output {
    char *folder; /* with a / at its end, or "" */
    int n;
    struct {
        char name[NAME];
        sw_output_file output;
        FILE *file;
    } of[FILES];
    sw_status status;
    FILE *nowhere;
};

sw_status sw_vpsc_output_open(const char *folder, sw_vpsc_output **output)
{
    struct stat about;
    if (*folder != 0 && !(stat(folder, &about) == 0 && S_ISDIR(about.st_mode)))
        return sw_error(SW_ERR_IO, "%s: need a folder that is there, for the output files", folder);
    SW_TRY(SW_ALLOCATE(*output, 1, "output files"));
    const size_t length = strlen(folder);
    (*output)->folder = sw_file_name("%s%s", folder, length == 0 || folder[length - 1] == '/' ? "" : "/");
    (*output)->nowhere = fopen("/dev/null", "w");
    if ((*output)->folder == NULL || (*output)->nowhere == NULL)
        return sw_vpsc_output_close(*output, sw_error(SW_ERR_MEMORY, "no memory for output files"));
    return SW_OK;
}

static void begin(sw_vpsc_output *output, const char *name)
{
    const int i = output->n;
    char *path = sw_file_name("%s%s", output->folder, name);
    if (path == NULL || i == FILES)
        output->status = sw_error(SW_ERR_MEMORY, "%s: no memory", name);
    else
        output->status = sw_text_file_begin(path, &output->of[i].output, &output->of[i].file);
    free(path);
    if (output->status != SW_OK)
        return;
    snprintf(output->of[i].name, NAME, "%s", name);
    output->n++;
}

FILE *sw_vpsc_output_file(sw_vpsc_output *output, const char *format, ...)
{
    char name[NAME];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (int i = 0; i < output->n; i++)
        if (strcmp(output->of[i].name, name) == 0)
            return output->of[i].file;
    if (output->status == SW_OK)
        begin(output, name);
    return output->status == SW_OK ? output->of[output->n - 1].file : output->nowhere;
}

sw_status sw_vpsc_output_close(sw_vpsc_output *output, sw_status status)
{
    if (output == NULL)
        return status;
    if (status == SW_OK)
        status = output->status;
    for (int i = 0; i < output->n; i++)
        status = sw_text_file_end(&output->of[i].output, output->of[i].file, status);
    if (output->nowhere != NULL)
        fclose(output->nowhere);
    free(output->folder);
    free(output);
    return status;
}
