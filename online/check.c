/* `slipwave check`: what a job would do, by its first seconds, of which nothing is kept. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "common/files/output_file.h"
#include "common/files/text.h"
#include "common/job/help.h"
#include "common/system/progress.h"
#include "slipwave/call.h"

typedef struct {
    double seconds;
    const char *command;
    sw_run_options run;
} options;

static const sw_key keys[] = {{SW_REAL(NULL, options, seconds, 0, 3600), .open = SW_OPEN_BELOW, .unit = "s",
                               .standard = 2, .option = "seconds", .help = "that its work is watched for"},
                              {SW_TEXT(NULL, options, command), .option = "as", .argument = "COMMAND",
                               .otherwise = "the one whose keys it has",
                               .help = "command that the job is for"},
                              SW_DEVICE_KEY(options, run),
                              SW_THREADS_KEY(options, run),
                              SW_KEYS_END};

/* ---- Which command ---- */

static const sw_key *find_key(const sw_key *keys_, const char *name)
{
    for (const sw_key *k = keys_; name != NULL && k != NULL && k->type != SW_KEY_END; k++)
        if (k->name != NULL && strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

/* How many keys of a mapping, and of those within it, a table has not. */
static int count_unknown(const sw_yaml *yaml, const yaml_node_t *node, const sw_key *table)
{
    int unknown = 0;
    for (int i = 0; node != NULL && node->type == YAML_SEQUENCE_NODE && i < sw_yaml_count(node); i++)
        unknown += count_unknown(yaml, sw_yaml_entry(yaml, node, i), table);
    for (int i = 0; node != NULL && node->type == YAML_MAPPING_NODE && i < sw_yaml_count(node); i++) {
        const yaml_node_t *key, *value;
        sw_yaml_pair(yaml, node, i, &key, &value);
        const sw_key *row = find_key(table, sw_yaml_text(key));
        unknown += row == NULL ? 1 : row->keys != NULL ? count_unknown(yaml, value, row->keys) : 0;
    }
    return unknown;
}

static int count_needed(const sw_yaml *yaml, const sw_key *table)
{
    int missing = 0;
    for (const sw_key *k = table; k->type != SW_KEY_END; k++)
        missing += k->name != NULL && k->needed && !sw_yaml_has(yaml, k->name);
    return missing;
}

/* "kwn map", "kwn-map" and "kwn_map" alike. */
static const sw_command *by_name(const char *name)
{
    char plain[64];
    snprintf(plain, sizeof plain, "%.60s", name);
    for (char *c = plain; *c != '\0'; c++)
        *c = *c == '-' || *c == '_' ? ' ' : *c;
    for (const sw_command *const *c = sw_commands; *c != NULL; c++)
        if (strcmp((*c)->name, plain) == 0)
            return *c;
    return NULL;
}

/* The command whose table a job fits best. */
static sw_status by_keys(const char *path, const sw_command **command)
{
    char *text = NULL;
    sw_yaml *yaml = NULL;
    int least = 0;
    SW_TRY(sw_read_text(path, &text));
    sw_status status = sw_yaml_open(path, text, &yaml);
    *command = NULL;
    for (const sw_command *const *c = sw_commands; status == SW_OK && *c != NULL; c++) {
        const yaml_node_t *root = sw_yaml_root(yaml);
        const int misses =
            (*c)->with_file ? count_unknown(yaml, root, (*c)->keys) + count_needed(yaml, (*c)->keys) : 0;
        if (!(*c)->with_file || count_unknown(yaml, root, (*c)->keys) >= sw_yaml_count(root) ||
            (*command != NULL && misses >= least))
            continue;
        *command = *c;
        least = misses;
    }
    if (status == SW_OK && *command == NULL)
        status =
            sw_error(SW_ERR_INPUT, "%s: no command has these keys: need a job; --as names its command", path);
    sw_yaml_close(yaml);
    free(text);
    return status;
}

static int ends_in(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n > m && strcasecmp(path + n - m, end) == 0;
}

static sw_status find_command(const char *path, const char *name, const sw_command **command)
{
    *command = by_name(name != NULL            ? name
                       : ends_in(path, ".inp") ? "fem"
                       : ends_in(path, ".in")  ? "vpsc"
                                               : "");
    if (*command != NULL && ((*command)->with_file || strcmp((*command)->name, "vpsc") == 0))
        return SW_OK;
    return name != NULL
               ? sw_error(
                     SW_ERR_INPUT,
                     "--as = %.80s: need one of taylor, sweep, kwn, kwn-map, fem, dem, forming, vpsc, point",
                     name)
               : by_keys(path, command);
}

/* ---- Its first seconds ---- */

enum { STRETCHES = 32 };

/* A task while it is watched. */
typedef struct {
    char task[64], unit[32];
    long long done, total, first;   /* first: when it was first more than none */
    double began, first_seen, seen; /* s */
} stretch;

typedef struct {
    double seconds, started, began; /* s; began: the first task */
    int count, stopped;
    stretch stretch[STRETCHES];
    sw_ear ear;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int is_over;
} look;

static stretch *stretch_of(look *l, const char *task, const char *unit, long long done, long long total,
                           double now)
{
    stretch *last = l->count > 0 ? &l->stretch[l->count - 1] : NULL;
    if (last != NULL && strcmp(last->task, task) == 0 && last->total == total && done >= last->done)
        return last;
    if (l->count == STRETCHES) /* of many alike the last ones */
        memmove(l->stretch, l->stretch + 1, (STRETCHES - 1) * sizeof *l->stretch);
    else
        l->count++;
    last = &l->stretch[l->count - 1];
    *last = (stretch){.total = total, .began = l->count == 1 ? l->began : now};
    snprintf(last->task, sizeof last->task, "%s", task);
    snprintf(last->unit, sizeof last->unit, "%s", unit);
    return last;
}

static int watch(void *context, const char *task, const char *unit, long long done, long long total)
{
    look *l = context;
    const double now = sw_seconds();
    if (l->count == 0)
        l->began = done > 0 ? l->began : now;
    stretch *s = stretch_of(l, task, unit, done, total, now);
    if (done > 0 && s->first == 0) {
        s->first = done;
        s->first_seen = now;
    }
    s->done = done;
    s->seen = now;
    l->stopped |= done > 0 && now - l->began >= l->seconds && (total == 0 || done < total);
    return l->stopped;
}

/* Notes and warnings as ever. */
static void listen(void *context, sw_notice notice, const char *text)
{
    const look *l = context;
    if (notice != SW_PROGRESS)
        sw_tell(&l->ear, notice, "%s", text);
}

/* Ends what does not come to its first look within ten times the time. */
static void *lose_patience(void *context)
{
    look *l = context;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(10 * l->seconds) + 1;
    pthread_mutex_lock(&l->lock);
    int late = 0;
    while (!l->is_over && !late)
        late = pthread_cond_timedwait(&l->ended, &l->lock, &until) != 0;
    if (!l->is_over) {
        l->stopped = 1;
        sw_interrupt_ask();
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* ---- What came of it ---- */

/* Of all of a task, by its rate since it was first heard of: what came before is no part of it. */
static double whole_time(const stretch *s)
{
    const double took = s->seen - s->began, since = s->seen - s->first_seen;
    return s->done > s->first ? took + since * (double)(s->total - s->done) / (double)(s->done - s->first)
                              : took * (double)s->total / (double)s->done;
}

static void print_stretch(FILE *out, const stretch *s, int is_whole, int is_last)
{
    const double took = s->seen - s->began;
    if (s->done == 0)
        fprintf(out, "  %s: %lld %s, the first not done in %.2f s\n", s->task, s->total, s->unit, took);
    else if (!is_whole && s->done < s->total)
        fprintf(out, "  %s: %lld of %lld %s in %.2f s: about %.3g s for all\n", s->task, s->done, s->total,
                s->unit, took, whole_time(s));
    else if (!is_whole && is_last && s->total == 0)
        fprintf(out,
                "  %s: %lld %s in %.2f s, and more: how many, and what comes after, nobody knows before\n",
                s->task, s->done, s->unit, took);
    else
        fprintf(out, "  %s: %lld %s in %.2f s\n", s->task, s->done, s->unit, took);
}

static void print_memory(FILE *out)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0)
        fprintf(out, "  memory: %.3g GB so far, of %.3g GB in this machine\n",
                (double)used.ru_maxrss * 1024e-9,
                (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * 1e-9);
}

/* Each file that the job says it writes. */
static sw_status visit_outputs(const sw_yaml *yaml, const yaml_node_t *node, const sw_key *table, FILE *out)
{
    for (int i = 0; node->type == YAML_MAPPING_NODE && i < sw_yaml_count(node); i++) {
        const yaml_node_t *key, *value;
        sw_yaml_pair(yaml, node, i, &key, &value);
        const sw_key *row = find_key(table, sw_yaml_text(key));
        const char *path = sw_yaml_text(value);
        if (row != NULL && row->type == SW_KEY_SECTION)
            SW_TRY(visit_outputs(yaml, value, row->keys, out));
        if (row == NULL || row->type != SW_KEY_OUTPUT || path == NULL)
            continue;
        if (out == NULL)
            SW_TRY(sw_text_file_probe(path));
        else
            fprintf(out, "  writes %s%s\n", path,
                    access(path, F_OK) == 0 ? ", which is there and would be replaced" : "");
    }
    return SW_OK;
}

/* out NULL: whether they can be written; else told there. */
static sw_status look_at_outputs(const char *path, const sw_command *command, FILE *out)
{
    char *text = NULL;
    sw_yaml *yaml = NULL;
    sw_status status = SW_OK;
    if (command->with_file && !ends_in(path, ".inp") && sw_read_text(path, &text) == SW_OK &&
        sw_yaml_open(path, text, &yaml) == SW_OK)
        status = visit_outputs(yaml, sw_yaml_root(yaml), command->keys, out);
    sw_yaml_close(yaml);
    free(text);
    return status;
}

static void report(const char *path, const sw_command *command, const look *l, sw_call *call, double took)
{
    FILE *out = sw_said();
    fprintf(out, "%s: a job of `slipwave %s`: %s\n", path, command->name,
            call != NULL ? "it ran to its end" : "its beginning ran without an error");
    if (l->count == 0)
        fprintf(out, "  %s in %.2f s\n", call != NULL ? "done" : "set-up: not done", took);
    else if (l->stretch[0].began > l->started) /* else its first part was done when it was first heard of */
        fprintf(out, "  set-up: %.2f s\n", l->stretch[0].began - l->started);
    for (int i = 0; i < l->count; i++)
        print_stretch(out, &l->stretch[i], call != NULL, i == l->count - 1);
    print_memory(out);
    (void)look_at_outputs(path, command, out);
    if (call != NULL && sw_call_said(call)[0])
        fprintf(out, "  it would say: %s", sw_call_said(call));
}

/* ---- The command ---- */

/* Options that both have. */
static int pass_on(const sw_arguments *arguments, const sw_command *command, const char *(*option)[2])
{
    const sw_key *row[256];
    const int rows = sw_option_rows(command->keys, 256, row);
    int count = 0;
    for (int i = 0; i < arguments->n_options; i++)
        for (int k = 0; k < rows && strcmp(arguments->option[i][0], "as") != 0; k++)
            if (strcmp(row[k]->option, arguments->option[i][0]) == 0)
                memcpy(option[count++], arguments->option[i], sizeof *option);
    return count;
}

static sw_status run_for_a_while(const sw_arguments *arguments, const sw_command *command, look *l,
                                 sw_call **call)
{
    const char *option[64][2];
    pthread_t timer;
    const sw_call_inputs inputs = {.command = command->name,
                                   .job = arguments->file,
                                   .n_options = pass_on(arguments, command, option),
                                   .option = (const char *const(*)[2])option};
    if (pthread_create(&timer, NULL, lose_patience, l) != 0)
        return sw_error(SW_ERR_MEMORY, "no thread for the time");
    sw_listen(listen, l);
    sw_watch(watch, l);
    const sw_status status = sw_call_command(&inputs, call);
    sw_watch(l->ear.watcher, l->ear.watched);
    sw_listen(l->ear.listener, l->ear.context);
    pthread_mutex_lock(&l->lock);
    l->is_over = 1;
    pthread_cond_signal(&l->ended);
    pthread_mutex_unlock(&l->lock);
    pthread_join(timer, NULL);
    sw_interrupt_forget();
    return status;
}

static sw_status check(const sw_arguments *arguments, const options *o)
{
    const sw_command *command;
    sw_call *call = NULL;
    SW_TRY(find_command(arguments->file, o->command, &command));
    sw_note("%s: taken for a job of `slipwave %s`", arguments->file, command->name);
    SW_TRY(look_at_outputs(arguments->file, command, NULL));
    const double began = sw_seconds();
    look l = {.seconds = o->seconds,
              .started = began,
              .began = began,
              .ear = sw_present_ear(),
              .lock = PTHREAD_MUTEX_INITIALIZER,
              .ended = PTHREAD_COND_INITIALIZER};
    const sw_status status = run_for_a_while(arguments, command, &l, &call);
    if (status == SW_OK || (status == SW_ERR_INTERRUPTED && l.stopped)) {
        report(arguments->file, command, &l, call, sw_seconds() - began);
        sw_call_close(call);
        return SW_OK;
    }
    return status;
}

static sw_status run_command(const sw_arguments *arguments)
{
    sw_job *source;
    void *values;
    SW_TRY(sw_job_read(keys, sizeof(options), arguments, 0, &source, &values));
    const sw_status status = check(arguments, values);
    sw_job_close(source);
    return status;
}

const sw_command sw_check_command = {.name = "check",
                                     .summary = "say what a job would do, and how long it takes",
                                     .about = "Read a job of any command and run it for its first seconds, "
                                              "of which nothing is written: errors and warnings as the run "
                                              "would have them, how long it would take at the rate of its "
                                              "first steps, memory, what it would write.",
                                     .argument = "JOB",
                                     .kind = "job file",
                                     .keys = keys,
                                     .alone = 1,
                                     .run = run_command};
