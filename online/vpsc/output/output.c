/* Files of a run, begun as they are asked for. */
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/files/output_file.h"

enum { FILES = 64, NAME = 64 };

struct sw_vpsc_output {
    const sw_vpsc_input *input; /* borrowed */
    char *folder;               /* with a / at its end, or "" */
    int n;
    struct {
        char name[NAME];
        sw_output_file output;
        FILE *file;
    } of[FILES];
    sw_status status;
    FILE *nowhere;
};

sw_status sw_vpsc_output_open(const sw_vpsc_input *input, const char *folder, sw_vpsc_output **output)
{
    struct stat about;
    if (*folder != 0 && !sw_memory_files_used() && !(stat(folder, &about) == 0 && S_ISDIR(about.st_mode)))
        return sw_error(SW_ERR_IO, "%s: need a folder that is there, for the output files", folder);
    SW_TRY(SW_ALLOCATE(*output, 1, "output files"));
    (*output)->input = input;
    const size_t length = strlen(folder);
    (*output)->folder = sw_file_name("%s%s", folder, length == 0 || folder[length - 1] == '/' ? "" : "/");
    (*output)->nowhere = fopen("/dev/null", "w");
    if ((*output)->folder == NULL || (*output)->nowhere == NULL)
        return sw_vpsc_output_close(*output, sw_error(SW_ERR_MEMORY, "no memory for output files"));
    return SW_OK;
}

static int is_input(const sw_vpsc_input *input, const char *path)
{
    int is = sw_same_file(path, input->path);
    for (int p = 0; p < input->n_phases; p++) {
        const sw_vpsc_phase *phase = &input->phase[p];
        is |= sw_same_file(path, phase->texture) || sw_same_file(path, phase->crystal_file) ||
              sw_same_file(path, phase->shapes) || sw_same_file(path, phase->diffraction_file);
    }
    for (int i = 0; i < input->n_processes; i++)
        is |= sw_same_file(path, input->process[i].path);
    return is;
}

sw_status sw_vpsc_output_check(const sw_vpsc_output *output, const char *name)
{
    char *path = sw_file_name("%s%s", output->folder, name);
    const sw_status status =
        path == NULL ? SW_ERR_MEMORY
        : is_input(output->input, path)
            ? sw_error(SW_ERR_INPUT, "%s: is an input of %s and an output: need another folder for outputs",
                       path, output->input->path)
            : sw_text_file_probe(path);
    free(path);
    return status;
}

sw_status sw_vpsc_output_status(const sw_vpsc_output *output) { return output->status; }

static void begin(sw_vpsc_output *output, const char *name)
{
    const int i = output->n;
    char *path = NULL;
    output->status = sw_vpsc_output_check(output, name);
    if (output->status == SW_OK && i == FILES)
        output->status = sw_error(SW_ERR_RANGE, "%s: %d output files: need at most %d", name, i + 1, FILES);
    if (output->status == SW_OK && (path = sw_file_name("%s%s", output->folder, name)) == NULL)
        output->status = SW_ERR_MEMORY;
    if (output->status == SW_OK)
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
    for (int i = 0; i < output->n && status == SW_OK; i++) /* none has its name before all are whole */
        if (fflush(output->of[i].file) != 0 || ferror(output->of[i].file))
            status = sw_error(SW_ERR_IO, "%s%s: cannot be written: %s", output->folder, output->of[i].name,
                              strerror(errno));
    for (int i = 0; i < output->n; i++)
        status = sw_text_file_end(&output->of[i].output, output->of[i].file, status);
    if (output->nowhere != NULL)
        fclose(output->nowhere);
    free(output->folder);
    free(output);
    return status;
}
