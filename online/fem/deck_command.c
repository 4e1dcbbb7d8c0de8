/* `slipwave fem DECK.inp`: a deck as it is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/files/hash.h"
#include "common/files/output_file.h"
#include "common/files/text.h"
#include "common/system/last_words.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "online/fem/deck/deck.h"
#include "online/fem/deck/problem/as_job.h"

typedef struct {
    sw_run_options run;
    const char *output, *umat;
    int dialect, as_job; /* dialect: -1, by the deck */
    sw_fem_device device;
    sw_fem_linear_solver linear;
    sw_structure_preconditioner preconditioner;
    int timings; /* tell where the time went */
} options;

static sw_status take_dialect(const char *word, options *taken)
{
    taken->dialect = sw_find_word(word, SW_FEM_DIALECTS, sw_fem_dialect_names);
    return taken->dialect >= 0 ? SW_OK
                               : sw_error(SW_ERR_INPUT, "--dialect = %.40s: need abaqus or calculix", word);
}

static sw_status take_device(const char *word, options *taken)
{
    static const sw_fem_device devices[SW_DEVICES] = {[SW_DEVICE_AUTO] = SW_FEM_DEVICE_AUTO,
                                                      [SW_DEVICE_CPU] = SW_FEM_DEVICE_CPU,
                                                      [SW_DEVICE_CUDA] = SW_FEM_DEVICE_CUDA};
    const int k = sw_find_word(word, SW_DEVICES, sw_device_names);
    if (k < 0)
        return sw_error(SW_ERR_INPUT, "--device = %.40s: need auto, cpu or cuda", word);
    taken->device = devices[k];
    return SW_OK;
}

static sw_status take_preconditioner(const char *word, options *taken)
{
    if (strcmp(word, sw_fem_preconditioner_names[SW_FEM_AMG]) == 0)
        taken->preconditioner = SW_STRUCTURE_AMG;
    else if (strcmp(word, sw_fem_preconditioner_names[SW_FEM_BLOCK_JACOBI]) == 0)
        taken->preconditioner = SW_STRUCTURE_BLOCK_JACOBI;
    else
        return sw_error(SW_ERR_INPUT, "--preconditioner = %.40s: of a deck: need block_jacobi or amg", word);
    return SW_OK;
}

static sw_status take_linear(const char *word, options *taken)
{
    const int k = sw_find_word(word, SW_FEM_LINEAR_SOLVERS, sw_fem_linear_names);
    if (k < 0)
        return sw_error(SW_ERR_INPUT, "--linear = %.40s: need auto, cg, bicgstab, gmres or direct", word);
    taken->linear = (sw_fem_linear_solver)k;
    return SW_OK;
}

static sw_status take_threads(const char *word, options *taken)
{
    const char *wanted = sw_parse_whole(word, &taken->run.threads);
    if (wanted != NULL || taken->run.threads < 1 || taken->run.threads > 4096)
        return sw_error(SW_ERR_INPUT, "--threads = %.40s: need 1 <= threads <= 4096", word);
    return SW_OK;
}

static sw_status take_options(const sw_arguments *arguments, options *taken)
{
    *taken = (options){.dialect = -1};
    for (int i = 0; i < arguments->n_options; i++) {
        const char *name = arguments->option[i][0], *value = arguments->option[i][1];
        if (strcmp(name, "dialect") == 0)
            SW_TRY(take_dialect(value, taken));
        else if (strcmp(name, "device") == 0)
            SW_TRY(take_device(value, taken));
        else if (strcmp(name, "preconditioner") == 0)
            SW_TRY(take_preconditioner(value, taken));
        else if (strcmp(name, "linear") == 0)
            SW_TRY(take_linear(value, taken));
        else if (strcmp(name, "threads") == 0)
            SW_TRY(take_threads(value, taken));
        else if (strcmp(name, "output") == 0)
            taken->output = value;
        else if (strcmp(name, "umat") == 0)
            taken->umat = value;
        else if (strcmp(name, "quiet") == 0)
            taken->run.quiet = 1;
        else if (strcmp(name, "resume") == 0)
            taken->run.resume = 1;
        else if (strcmp(name, "as-job") == 0)
            taken->as_job = 1;
        else if (strcmp(name, "timings") == 0)
            taken->timings = 1;
        else
            return sw_error(
                SW_ERR_INPUT,
                "--%s is an option of jobs: decks take --dialect, --as-job, --umat, --output, "
                "--resume, --threads, --device, --linear, --preconditioner, --timings and --quiet",
                name);
    }
    return SW_OK;
}

/* beam.inp: beam.h5, in the folder of the command; release it. */
static sw_status choose_output(const char *deck, const char *ending, const char *given, char **output)
{
    const char *slash = strrchr(deck, '/'), *name = given != NULL ? given : slash != NULL ? slash + 1 : deck;
    const size_t n = strlen(name) - (given != NULL ? 0 : 4);
    SW_TRY(SW_ALLOCATE(*output, n + 8, "an output's name"));
    memcpy(*output, name, n);
    strcpy(*output + n, given != NULL ? "" : ending);
    return SW_OK;
}

/* What was read is not written over: the deck, what it includes, the library of user materials. */
static sw_status keep_read(const options *taken, const sw_deck *deck, const char *output)
{
    const char *last = NULL, *read = sw_same_file(deck->path, output) ? deck->path : NULL;
    if (taken->umat != NULL && sw_same_file(taken->umat, output))
        read = taken->umat;
    for (int64_t i = 0; i < deck->cards.n_cards && read == NULL; i++) {
        const sw_deck_card *card = &deck->cards.card[i];
        for (int64_t j = -1; j < card->n_lines && read == NULL; j++) {
            const char *path = j < 0 ? card->path : card->data[j].path;
            if (path != last && sw_same_file(path, output))
                read = path;
            last = path;
        }
    }
    return read == NULL ? SW_OK
                        : sw_error(SW_ERR_INPUT,
                                   "%s: would be written over by the output: need --output "
                                   "that names another file",
                                   read);
}

static void say(const sw_deck *deck, char *title, size_t size)
{
    snprintf(title, size, "%s", sw_fem_dialect_names[deck->dialect]);
    if (deck->why_dialect != NULL)
        sw_note("%s: read as a deck of %s, for its *%s; --dialect says otherwise", deck->path,
                deck->dialect == SW_DECK_ABAQUS ? "Abaqus" : "CalculiX", deck->why_dialect);
}

static sw_status keep_read_of_job(const options *taken, const sw_deck *deck, const char *stem)
{
    static const char *const endings[] = {".yaml", ".mesh.inp"};
    sw_status status = SW_OK;
    for (int k = 0; k < 2 && status == SW_OK; k++) {
        char *name = sw_file_name("%s%s", stem, endings[k]);
        status = name != NULL ? keep_read(taken, deck, name) : SW_ERR_MEMORY;
        free(name);
    }
    return status;
}

/* -o OUT.yaml, or DECK.yaml in the folder of the command. */
static sw_status write_job(const options *taken, sw_deck *deck)
{
    char *stem, title[32];
    SW_TRY(choose_output(deck->path, "", taken->output, &stem));
    const size_t n = strlen(stem);
    if (n > 5 && strcmp(stem + n - 5, ".yaml") == 0)
        stem[n - 5] = '\0';
    say(deck, title, sizeof title);
    sw_status status = keep_read_of_job(taken, deck, stem);
    if (status == SW_OK)
        status = sw_deck_write_job(deck, stem);
    if (status == SW_OK && !taken->run.quiet)
        fprintf(sw_said(), "%s.yaml, %s.mesh.inp\n", stem, stem);
    free(stem);
    return status;
}

static uint64_t hash_text(uint64_t h, const char *text) { return sw_hash(h, text, strlen(text) + 1); }

/* h and a file, which has been read before. */
static sw_status hash_file(const char *path, uint64_t h, char text[SW_HASH_TEXT])
{
    char part[4096];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return sw_error(SW_ERR_IO, "%s: cannot be read", path);
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        h = sw_hash(h, part, n);
    fclose(file);
    sw_hash_text(h, text);
    return SW_OK;
}

/* All cards, wherever they come from; the dialect, how equations are solved; the user's material. */
static sw_status identify(const options *taken, const sw_deck *deck, char text[SW_HASH_TEXT])
{
    const int how[] = {(int)deck->dialect, (int)taken->linear, (int)taken->device,
                       (int)taken->preconditioner};
    uint64_t h = sw_hash(SW_HASH_START, how, sizeof how);
    for (int64_t i = 0; i < deck->cards.n_cards; i++) {
        const sw_deck_card *card = &deck->cards.card[i];
        h = hash_text(h, card->keyword);
        for (int k = 0; k < card->n_parameters; k++)
            h = hash_text(hash_text(h, card->parameter[k].key), card->parameter[k].value);
        for (int64_t j = 0; j < card->n_lines; j++)
            for (int k = 0; k < card->data[j].n_fields; k++)
                h = hash_text(h, card->data[j].field[k]);
    }
    sw_hash_text(h, text);
    return taken->umat != NULL ? hash_file(taken->umat, h, text) : SW_OK;
}

static sw_status run(const options *taken, sw_deck *deck)
{
    const sw_structure_problem *problem;
    char title[32], identity[SW_HASH_TEXT], *output = NULL;
    deck->umat = taken->umat;
    SW_TRY(sw_parallel_agree(sw_deck_make_problem(deck, &problem)));
    say(deck, title, sizeof title);
    SW_TRY(choose_output(deck->path, ".h5", taken->output, &output));
    const sw_structure_options chosen = {.output = output,
                                         .title = title,
                                         .identity = identity,
                                         .resume = taken->run.resume,
                                         .quiet = taken->run.quiet,
                                         .linear = taken->linear,
                                         .device = taken->device,
                                         .preconditioner = taken->preconditioner};
    sw_status status = keep_read(taken, deck, output);
    status = sw_parallel_agree(status == SW_OK ? identify(taken, deck, identity) : status);
    if (status == SW_OK)
        status = sw_parallel_need_same(identity, sizeof identity, deck->path);
    if (status == SW_OK)
        status = sw_structure_run(problem, &chosen);
    free(output);
    return status;
}

sw_status sw_fem_run_deck(const sw_arguments *arguments)
{
    options taken;
    sw_deck *deck;
    char text[1024];
    const int is_first = sw_parallel_rank() == 0;
    SW_TRY(take_options(arguments, &taken));
    sw_use_threads(&taken.run);
    if (taken.as_job)
        sw_last_words_resume(0);
    sw_phases_clear();
    sw_phase("deck");
    SW_TRY(sw_parallel_agree(sw_deck_read(arguments->file, taken.dialect, &deck)));
    const sw_status status = !taken.as_job ? run(&taken, deck) : is_first ? write_job(&taken, deck) : SW_OK;
    sw_deck_free(deck);
    sw_phase(NULL);
    if (taken.timings && is_first)
        fprintf(sw_said(), "timings: %s\n", sw_phases_text(text, sizeof text));
    return status;
}
