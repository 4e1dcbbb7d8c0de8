/* Commands in memory. */
#include "slipwave/call.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/files/memory/memory_files.h"
#include "common/job/describe.h"
#include "common/system/progress.h"

struct sw_call {
    sw_memory_files files;
    char *said;
    size_t length;
};

static const sw_command *find(const char *name)
{
    for (const sw_command *const *c = sw_commands; *c != NULL; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

/* ---- One call at a time: how to stop one, and how many threads work, is the process's ---- */

static atomic_flag busy = ATOMIC_FLAG_INIT;

/* The thread that forks alone is in the new process, and no other one's call. */
static void be_free(void) { atomic_flag_clear(&busy); }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, be_free); }

/* ---- A call ---- */

static sw_status give_files(const sw_call_inputs *inputs, sw_call *call)
{
    for (int i = 0; i < inputs->files; i++) {
        const sw_file *f = &inputs->file[i];
        SW_TRY(sw_memory_files_give(&call->files, f->name, f->bytes, f->size));
    }
    return SW_OK;
}

/* What was given is the caller's. */
static void keep_written(sw_memory_files *files)
{
    for (int i = files->count - 1; i >= 0; i--)
        if (files->file[i].is_given)
            sw_memory_file_remove(files->file[i].name);
}

/* With the thread's files, and what it says, in memory. */
static sw_status run_in_memory(const sw_command *command, const sw_call_inputs *inputs, sw_call *call)
{
    FILE *said = open_memstream(&call->said, &call->length);
    if (said == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for what it says", command->name);
    sw_memory_files_use(&call->files);
    sw_say_to(said);
    sw_status status = give_files(inputs, call);
    if (status == SW_OK)
        status = command->run(&(sw_arguments){inputs->job, inputs->n_options, inputs->option});
    keep_written(&call->files);
    sw_say_to(NULL);
    sw_memory_files_use(NULL);
    return fclose(said) == 0 || status != SW_OK ? status
                                                : sw_error(SW_ERR_MEMORY, "no memory for what is said");
}

/* The process is left as it was. */
static sw_status run_as_guest(const sw_command *command, const sw_call_inputs *inputs, sw_call *call)
{
    const int threads = omp_get_max_threads();
    if (inputs->interruptible)
        sw_interrupt_borrow();
    const sw_status status = run_in_memory(command, inputs, call);
    if (inputs->interruptible)
        sw_interrupt_return();
    sw_interrupt_forget();
    omp_set_num_threads(threads);
    return status;
}

static sw_status run_alone(const sw_command *command, const sw_call_inputs *inputs, sw_call *call)
{
    if (atomic_flag_test_and_set(&busy))
        return sw_error(SW_ERR_UNAVAILABLE, "%s: another call is under way: one at a time in a process",
                        command->name);
    const sw_status status = run_as_guest(command, inputs, call);
    atomic_flag_clear(&busy);
    return status;
}

sw_status sw_call_command(const sw_call_inputs *inputs, sw_call **call)
{
    const sw_command *command = find(inputs->command);
    *call = NULL;
    if (command == NULL)
        return sw_error(SW_ERR_RANGE, "command = %.80s: no such command", inputs->command);
    SW_TRY(SW_ALLOCATE(*call, 1, "a call"));
    const sw_status status = run_alone(command, inputs, *call);
    if (status != SW_OK) {
        sw_call_close(*call);
        *call = NULL;
    }
    return status;
}

void sw_call_close(sw_call *call)
{
    if (call == NULL)
        return;
    sw_memory_files_free(&call->files);
    free(call->said);
    free(call);
}

int sw_call_files(const sw_call *call) { return call->files.count; }

sw_file sw_call_file(const sw_call *call, int index)
{
    const sw_memory_file *f = &call->files.file[index];
    return (sw_file){f->name, f->bytes, f->size};
}

const char *sw_call_said(const sw_call *call) { return call->said; }

/* ---- What there is ---- */

const char *sw_command_name(int index)
{
    int i = 0;
    while (sw_commands[i] != NULL && i != index)
        i++;
    return sw_commands[i] != NULL ? sw_commands[i]->name : NULL;
}

size_t sw_command_keys(const char *command, size_t size, char *text)
{
    const sw_command *c = find(command);
    char *all = NULL;
    size_t length = 0;
    FILE *out = c != NULL ? open_memstream(&all, &length) : NULL;
    if (out == NULL)
        return 0;
    sw_describe_command(out, c);
    if (fclose(out) != 0)
        length = 0;
    if (size > 0 && length > 0) {
        const size_t fits = length < size ? length : size - 1;
        memcpy(text, all, fits);
        text[fits] = '\0';
    }
    free(all);
    return length > 0 ? length + 1 : 0;
}
