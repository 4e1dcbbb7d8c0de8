#include "command.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/hdf5_io.h"
#include "common/files/text.h"
#include "common/system/last_words.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "common/system/threads.h"
#include "help.h"

const char *const sw_device_names[SW_DEVICES] = {
    [SW_DEVICE_AUTO] = "auto", [SW_DEVICE_CPU] = "cpu", [SW_DEVICE_CUDA] = "cuda"};

void sw_use_threads(const sw_run_options *run)
{
    if (run->threads > 0)
        sw_threads_use((int)run->threads);
}

static _Thread_local FILE *said;

FILE *sw_said(void) { return said != NULL ? said : stdout; }
void sw_say_to(FILE *file) { said = file; }

/* ---- One command line: argp parses and formats help; what is wrong is said here ---- */

enum { OPTIONS_MOST = 128, KEY_FIRST = 256, KEY_USAGE = KEY_FIRST + OPTIONS_MOST };

typedef struct {
    const char *program;
    const sw_command *command;
    int n_rows;
    const sw_key *row[OPTIONS_MOST];
    const char *(*option)[2]; /* [argc] */
    sw_arguments arguments;
    unsigned shown;        /* help instead of work: what of it */
    double progress_shown; /* when last, in a log */
    sw_status status;      /* argp knows errno values only */
} command_line;

static error_t refuse(command_line *line, sw_status status)
{
    line->status = status;
    return EINVAL;
}

static error_t take_option(command_line *line, const sw_key *row, const char *value)
{
    line->option[line->arguments.n_options][0] = row->option;
    line->option[line->arguments.n_options++][1] = value != NULL ? value : "";
    return 0;
}

static error_t take_file(command_line *line, const char *file)
{
    if (line->arguments.file != NULL)
        return refuse(line, sw_error(SW_ERR_INPUT, "one %s at a time: %s, %s", line->command->kind,
                                     line->arguments.file, file));
    line->arguments.file = file;
    return 0;
}

/* Help instead of work, whatever else there is. */
static error_t show(command_line *line, struct argp_state *state, unsigned what)
{
    line->shown = what;
    state->next = state->argc;
    return 0;
}

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    command_line *line = state->input;
    if (key == ARGP_KEY_ARG)
        return take_file(line, value);
    if (key == ARGP_KEY_END && line->arguments.file == NULL && !line->shown)
        return refuse(line,
                      sw_error(SW_ERR_INPUT, "%s needs a %s", line->command->name, line->command->kind));
    if (key == 'h')
        return show(line, state, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC);
    if (key == KEY_USAGE)
        return show(line, state, ARGP_HELP_USAGE);
    for (int i = 0; i < line->n_rows; i++)
        if (key == KEY_FIRST + i || (line->row[i]->letter != 0 && key == line->row[i]->letter))
            return take_option(line, line->row[i], value);
    return ARGP_ERR_UNKNOWN;
}

/* argp's options of a command, and their texts. */
typedef struct {
    struct argp_option option[OPTIONS_MOST + 3];
    char text[OPTIONS_MOST][640];
} option_table;

static void fill_options(const command_line *line, option_table *table)
{
    const int n = line->n_rows;
    for (int i = 0; i < n; i++) {
        const sw_key *row = line->row[i];
        sw_option_text(row, table->text[i], sizeof table->text[i]);
        table->option[i] = (struct argp_option){.name = row->option,
                                                .key = row->letter != 0 ? row->letter : KEY_FIRST + i,
                                                .arg = sw_option_argument(row),
                                                .doc = table->text[i]};
    }
    table->option[n] = (struct argp_option){.name = "help", .key = 'h', .doc = "this list", .group = -1};
    table->option[n + 1] =
        (struct argp_option){.name = "usage", .key = KEY_USAGE, .doc = "a shorter one", .group = -1};
}

/* The option that a word means, abbreviated or not; NULL: none, or more than one. */
static const struct argp_option *find_option(const option_table *table, const char *word)
{
    const struct argp_option *found = NULL;
    const size_t length = strcspn(word + 2, "=");
    for (const struct argp_option *o = table->option; o->name != NULL; o++) {
        if (word[1] != '-' && o->key == word[1])
            return o;
        if (word[1] != '-' || strncmp(o->name, word + 2, length) != 0)
            continue;
        if (strlen(o->name) == length)
            return o;
        if (found != NULL)
            return NULL;
        found = o;
    }
    return found;
}

static sw_status unknown_option(const command_line *line, const char *word)
{
    const char *names[OPTIONS_MOST];
    char plain[64];
    for (int i = 0; i < line->n_rows; i++)
        names[i] = line->row[i]->option;
    snprintf(plain, sizeof plain, "%.60s", word + strspn(word, "-"));
    plain[strcspn(plain, "=")] = '\0';
    const char *nearest = word[1] == '-' ? sw_nearest_word(plain, line->n_rows, names) : NULL;
    return nearest != NULL
               ? sw_error(SW_ERR_INPUT, "unknown option '%.60s': did you mean '--%s'?", word, nearest)
               : sw_error(SW_ERR_INPUT, "unknown option '%.60s': %s --help lists them", word,
                          line->command->name);
}

/* What getopt stumbled over: it says only that it did. */
static sw_status bad_option(const command_line *line, const option_table *table, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            continue;
        const struct argp_option *option = find_option(table, argv[i]);
        if (option == NULL)
            return unknown_option(line, argv[i]);
        const int has_value = argv[i][1] == '-' ? strchr(argv[i], '=') != NULL : argv[i][2] != '\0';
        if (option->arg == NULL && has_value && argv[i][1] == '-')
            return sw_error(SW_ERR_INPUT, "option '%.60s' takes no value", argv[i]);
        if (option->arg != NULL && !has_value && ++i >= argc)
            return sw_error(SW_ERR_INPUT, "option '%.60s' needs a value", argv[i - 1]);
    }
    return sw_error(SW_ERR_INPUT, "the command line cannot be read: %s --help shows how",
                    line->command->name);
}

static sw_status parse_line(command_line *line, option_table *table, int argc, char **argv)
{
    fill_options(line, table);
    const struct argp argp = {.options = table->option,
                              .parser = parse_key,
                              .args_doc = line->command->argument,
                              .doc = line->command->about};
    const error_t error =
        argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP | ARGP_NO_ERRS, NULL, line);
    if (error != 0 && line->status == SW_OK)
        line->status = bad_option(line, table, argc, argv);
    if (line->status == SW_OK && line->shown != 0 && sw_parallel_rank() == 0)
        argp_help(&argp, stdout, line->shown, argv[0]);
    line->arguments.option = (const char *const(*)[2])line->option;
    return line->status;
}

static int is_quiet(const command_line *line)
{
    for (int i = 0; i < line->arguments.n_options; i++)
        if (strcmp(line->option[i][0], "quiet") == 0)
            return 1;
    return 0;
}

/* On a terminal a line that is drawn again, in a log one every ten seconds. */
static void print_progress(command_line *line, const char *text)
{
    const double now = sw_seconds();
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%s\033[K", text);
    else if (now - line->progress_shown >= 10) {
        line->progress_shown = now;
        fprintf(stderr, "%s\n", text);
    }
}

/* Warnings always, notes as progress; all ranks say the same. */
static void print_notice(void *context, sw_notice notice, const char *text)
{
    command_line *line = context;
    if (sw_parallel_rank() != 0 || (notice != SW_WARNING && is_quiet(line)))
        return;
    if (notice == SW_PROGRESS) {
        print_progress(line, text);
        return;
    }
    if (isatty(STDERR_FILENO)) /* where a line of progress may stand */
        fputs("\r\033[K", stderr);
    if (notice == SW_WARNING)
        fprintf(stderr, "%s: warning: %s\n", line->program, text);
    else
        fprintf(stderr, "%s\n", text);
}

static int has_resume(const command_line *line)
{
    for (int i = 0; i < line->n_rows; i++)
        if (strcmp(line->row[i]->option, "resume") == 0)
            return 1;
    return 0;
}

static sw_status work(command_line *line)
{
    SW_TRY(sw_parallel_check());
    if (line->command->alone && sw_parallel_rank() != 0)
        return SW_OK;
    if (line->command->alone)
        sw_parallel_alone();
    line->progress_shown = sw_seconds();
    sw_listen(print_notice, line);
    sw_last_words_begin(line->program);
    sw_last_words_unless(sw_parallel_has_failed);
    sw_last_words_resume(has_resume(line));
    sw_status status = sw_h5_start();
    if (status == SW_OK)
        status = line->command->run(&line->arguments);
    sw_last_words_end();
    sw_listen(NULL, NULL);
    return status;
}

/* Parse, and run it: on all ranks, or on the first alone. */
static sw_status run_command(const char *program, const sw_command *command, int argc, char **argv)
{
    command_line line = {.program = program, .command = command};
    line.n_rows = sw_option_rows(command->keys, OPTIONS_MOST, line.row);
    option_table *table = calloc(1, sizeof *table);
    line.option = calloc((size_t)argc, sizeof *line.option);
    sw_status status = sw_error(SW_ERR_MEMORY, "no memory for the command line");
    if (table != NULL && line.option != NULL)
        status = parse_line(&line, table, argc, argv);
    if (status == SW_OK && !line.shown)
        status = work(&line);
    free(line.option);
    free(table);
    return status;
}

/* ---- The program ---- */

/* The command that argv names from its second word on; *words: how many it has. */
static const sw_command *find_command(const sw_program *program, int argc, char **argv, int *words)
{
    const sw_command *found = NULL;
    for (const sw_command *const *c = program->commands; *c != NULL; c++) {
        char name[64];
        const int two = strchr((*c)->name, ' ') != NULL;
        if (argc < 2 + two)
            continue;
        snprintf(name, sizeof name, "%.30s%s%.30s", argv[1], two ? " " : "", two ? argv[2] : "");
        if (strcmp(name, (*c)->name) == 0 && (found == NULL || two)) {
            found = *c;
            *words = 1 + two;
        }
    }
    return found;
}

static sw_status unknown_command(const sw_program *program, const char *name)
{
    const char *names[64], *nearest;
    char list[512];
    int count = 0;
    for (const sw_command *const *c = program->commands; *c != NULL && count < 64; c++)
        names[count++] = (*c)->name;
    for (const sw_separate_command *s = program->separate; s != NULL && s->name != NULL && count < 64; s++)
        names[count++] = s->name;
    nearest = sw_nearest_word(name, count, names);
    if (nearest != NULL)
        return sw_error(SW_ERR_INPUT, "unknown command '%s': did you mean '%s'?", name, nearest);
    sw_list_words(count, names, list, sizeof list);
    return sw_error(SW_ERR_INPUT, "unknown command '%s': need one of %s", name, list);
}

/* Their names, a line each. */
static void list_commands(const sw_program *program)
{
    for (const sw_command *const *c = program->commands; *c != NULL; c++)
        puts((*c)->name);
}

/* A command that is a program of its own, argv from its name on; one process does it. Returns, with an error, when it is
 * none or not there. */
static sw_status run_separate(const sw_program *program, char **argv)
{
    char own[4096], path[4352];
    const sw_separate_command *s = program->separate;
    while (s != NULL && s->name != NULL && strcmp(s->name, argv[0]) != 0)
        s++;
    if (s == NULL || s->name == NULL)
        return unknown_command(program, argv[0]);
    SW_TRY(sw_parallel_check());
    sw_parallel_finish(0); /* which it does not know of */
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(own, '/');
    if (slash != NULL) {
        snprintf(path, sizeof path, "%.*s/%s-%s", (int)(slash - own), own, program->name, s->name);
        execv(path, argv);
    }
    snprintf(path, sizeof path, "%s-%s", program->name, s->name);
    execvp(path, argv);
    return sw_error(SW_ERR_IO, "%s: no %s beside this program or on the PATH: %s", s->name, path,
                    strerror(errno));
}

/* What --help prints. */
static sw_status show_command(const sw_program *program, const sw_command *command)
{
    char name[128];
    snprintf(name, sizeof name, "%s %s", program->name, command->name);
    char *argv[] = {name, "--help", NULL};
    return run_command(program->name, command, 2, argv);
}

/* One of the further files that a command reads; NULL: no such. */
static const sw_key_table *find_file(const sw_command *command, const char *name)
{
    const sw_key_table *f = command->files;
    while (f != NULL && f->name != NULL && strcmp(f->name, name) != 0)
        f++;
    return f != NULL && f->name != NULL ? f : NULL;
}

static sw_status help_form(const sw_program *program, const sw_command *command, const char *form)
{
    enum { FORMS = 3, MOST = 16 };
    const char *forms[MOST] = {"text", "keys", "man"};
    const sw_key_table *file = find_file(command, form);
    char list[256];
    int count = FORMS;
    if (file != NULL)
        return sw_print_keys(stdout, file->keys), SW_OK;
    switch (sw_find_word(form, FORMS, forms)) {
    case 0:
        return show_command(program, command);
    case 1:
        return sw_print_keys(stdout, command->keys), SW_OK;
    case 2:
        return sw_print_manual(stdout, program, command), SW_OK;
    default:
        for (const sw_key_table *f = command->files; f != NULL && f->name != NULL && count < MOST; f++)
            forms[count++] = f->name;
        sw_list_words(count, forms, list, sizeof list);
        return sw_error(SW_ERR_INPUT, "help %s %s: need one of %s", command->name, form, list);
    }
}

/* Of a command that is a program of its own: what its --help prints. */
static sw_status help_separate(const sw_program *program, char *name)
{
    return run_separate(program, (char *[]){name, "--help", NULL});
}

/* help [COMMAND [text | keys | man | FILE]], help man, completion, commands: argv from the word `help` on. Of a
 * FILE there are but keys, which may be said. */
static sw_status help(const sw_program *program, int argc, char **argv)
{
    int words = 0;
    if (argc < 2)
        return sw_print_commands(stdout, program), SW_OK;
    if (strcmp(argv[1], "man") == 0)
        return sw_print_manual(stdout, program, NULL), SW_OK;
    if (strcmp(argv[1], "completion") == 0)
        return sw_print_completion(stdout, program), SW_OK;
    if (strcmp(argv[1], "commands") == 0)
        return list_commands(program), SW_OK;
    const sw_command *command = find_command(program, argc, argv, &words);
    if (command == NULL)
        return help_separate(program, argv[1]);
    return help_form(program, command, argc > 1 + words ? argv[1 + words] : "text");
}

static int finish(const char *program, sw_status status)
{
    if (status == SW_OK)
        return 0;
    if (sw_parallel_tells_failure())
        fprintf(stderr, "%s: %s\n", program,
                sw_error_message()[0] ? sw_error_message() : sw_status_text(status));
    return status == SW_ERR_INTERRUPTED ? 130 : 1;
}

static int run_program(const sw_program *program, int argc, char **argv)
{
    int words = 0;
    const sw_command *command = find_command(program, argc, argv, &words);
    if (command == NULL && sw_parallel_rank() != 0) /* help: one process gives it */
        return 0;
    if (argc < 2) {
        sw_print_commands(stderr, program);
        return 1;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s %s\n", program->name, sw_version());
        return 0;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        sw_print_commands(stdout, program);
        return 0;
    }
    if (strcmp(argv[1], "help") == 0)
        return finish(program->name, help(program, argc - 1, argv + 1));
    if (command == NULL)
        return finish(program->name, run_separate(program, argv + 1));
    char name[128];
    snprintf(name, sizeof name, "%s %s", program->name, command->name);
    argv[words] = name;
    sw_interrupt_patience(sw_parallel_rank() == 0 ? 0.6 : 0.8);
    sw_interrupt_install();
    return finish(program->name, run_command(program->name, command, argc - words, argv + words));
}

static int run_and_flush(const sw_program *program, int argc, char **argv)
{
    const int status = run_program(program, argc, argv);
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "%s: standard output: %s\n", program->name,
            errno ? strerror(errno) : "cannot be written");
    return status != 0 ? status : 1;
}

int sw_run_program(const sw_program *program, int argc, char **argv)
{
    sw_parallel_start(&argc, &argv);
    const int status = run_and_flush(program, argc, argv);
    sw_parallel_finish(status);
    return status;
}
