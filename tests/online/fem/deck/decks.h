/* Decks written for a test, and the problem that they become. */
#ifndef SW_TESTS_ONLINE_FEM_DECK_DECKS_H
#define SW_TESTS_ONLINE_FEM_DECK_DECKS_H

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "online/fem/deck/deck.h"

/* A unit cube of one element, its material and its supports. */
#define CUBE_NODES \
    "*NODE, NSET=ALL\n1\n2, 1\n3, 1, 1\n4, , 1\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"
#define CUBE CUBE_NODES "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
#define STEEL "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000., .3\n"
#define SECTION "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n"
#define HELD "*BOUNDARY\n1, 1, 3\n2, 2, 3\n3, 3\n4, 3\n"
#define STATIC(more) "*STEP\n*STATIC\n" more "*END STEP\n"
#define BODY CUBE STEEL SECTION HELD

static const char deck_path[] = "deck.inp";

/* A program of tests works in a folder of its own: others run beside it, and write files of the same names. */
static char deck_folder[4096];

static __attribute__((constructor)) void enter_deck_folder(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(deck_folder, sizeof deck_folder, "%s/slipwave-decks-XXXXXX", base == NULL ? "/tmp" : base);
    if (mkdtemp(deck_folder) == NULL || chdir(deck_folder) != 0)
        abort();
}

static __attribute__((destructor)) void leave_deck_folder(void)
{
    if (chdir("/") != 0 || rmdir(deck_folder) != 0)
        fprintf(stderr, "%s: files are left in it\n", deck_folder);
}

static inline void write_deck(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline sw_status try_deck(const char *text, int dialect, sw_deck **deck,
                                 const sw_structure_problem **problem)
{
    write_deck(deck_path, text);
    sw_status status = sw_deck_read(deck_path, dialect, deck);
    if (status == SW_OK && (status = sw_deck_make_problem(*deck, problem)) != SW_OK) {
        sw_deck_free(*deck);
        *deck = NULL;
    }
    unlink(deck_path);
    return status;
}

/* Decks that CalculiX's dialect refuses, each with a part of the message. */
typedef struct {
    const char *text, *says;
} refusal;

static inline void refuse_decks(size_t n, const refusal *refused)
{
    int failed = 0;
    for (size_t i = 0; i < n; i++) {
        sw_deck *deck = NULL;
        const sw_structure_problem *problem;
        const sw_status status = try_deck(refused[i].text, SW_DECK_CALCULIX, &deck, &problem);
        if (status != SW_ERR_INPUT || strstr(sw_error_message(), refused[i].says) == NULL)
            failed += fprintf(stderr, "case %zu: wanted '%s', got %s\n", i, refused[i].says,
                              status == SW_OK ? "nothing" : sw_error_message()) > 0;
        if (status == SW_OK)
            sw_deck_free(deck);
    }
    assert_int_equal(failed, 0);
}
#define REFUSE_DECKS(refused) refuse_decks(sizeof(refused) / sizeof *(refused), refused)

static inline sw_deck *read_deck(const char *text, const sw_structure_problem **problem)
{
    sw_deck *deck;
    const sw_status status = try_deck(text, SW_DECK_CALCULIX, &deck, problem);
    if (status != SW_OK)
        fail_msg("%s", sw_error_message());
    return deck;
}

#endif
