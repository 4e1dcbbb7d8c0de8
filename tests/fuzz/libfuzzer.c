/* libFuzzer's side: SW_FUZZ names the harness, SW_FUZZ_BESIDE the folder of files beside the one that is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const sw_fuzz_harness *harness;

/* A job's keys and words, for libFuzzer to put in. */
static void write_words(FILE *file, const sw_key *keys)
{
    for (const sw_key *k = keys; k != NULL && k->type != SW_KEY_END; k++) {
        const char *word;
        if (k->name != NULL)
            fprintf(file, "\"%s: \"\n", k->name);
        for (int i = 0; k->type == SW_KEY_WORD && (word = sw_key_word(k, i)) != NULL; i++)
            fprintf(file, "\"%s\"\n", word);
        write_words(file, k->keys);
    }
}

static void write_dictionary(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        abort();
    write_words(file, harness->keys);
    for (const char *at = harness->words; at != NULL && *at != '\0';) {
        const int n = (int)strcspn(at, " ");
        fprintf(file, "\"%.*s\"\n", n, at);
        at += n + (int)strspn(at + n, " ");
    }
    fclose(file);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char *arguments[64];
    const char *name = getenv("SW_FUZZ"), *beside = getenv("SW_FUZZ_BESIDE"),
               *words = getenv("SW_FUZZ_WORDS");
    harness = name != NULL ? sw_fuzz_find(name) : NULL;
    if (harness == NULL || beside == NULL || words == NULL) {
        fprintf(stderr, "fuzz: SW_FUZZ = %s: no such harness; or no SW_FUZZ_BESIDE, SW_FUZZ_WORDS\n",
                name != NULL ? name : "(none)");
        exit(1);
    }
    if ((harness->keys != NULL || harness->words != NULL) && *argc < 60) {
        static char option[4096];
        write_dictionary(words);
        snprintf(option, sizeof option, "-dict=%s", words);
        memcpy(arguments, *argv, (size_t)*argc * sizeof *arguments);
        arguments[(*argc)++] = option;
        *argv = arguments;
    }
    if (sw_fuzz_start(harness, beside) != 0) {
        fprintf(stderr, "fuzz: %s: cannot be prepared: %s\n", harness->name, sw_error_message());
        exit(1);
    }
    atexit(sw_fuzz_end);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return sw_fuzz_one_input(harness, data, size);
}
