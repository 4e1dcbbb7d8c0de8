/* Input files of Abaqus and CalculiX as a list of cards: a keyword with its parameters and data lines. */
#ifndef SW_ONLINE_FEM_CARDS_CARDS_H
#define SW_ONLINE_FEM_CARDS_CARDS_H

#include <stdint.h>

#include "common/system/status.h"

typedef struct {
    const char *path; /* of the file that holds it, which *INCLUDE may have brought in */
    int64_t line;
    int n_fields, continues; /* continues: it ends with a comma */
    char **field;            /* [n_fields], each trimmed */
} sw_deck_line;

typedef struct {
    const char *path;
    int64_t line;
    char *keyword; /* in capitals, single blanks: "BOUNDARY", "NODE PRINT" */
    int n_parameters;
    struct sw_deck_parameter {
        char *key, *value; /* key in capitals without blanks; value "" when there is none */
    } * parameter;
    int64_t n_lines;
    sw_deck_line *data;
} sw_deck_card;

typedef struct {
    const char *path; /* the first file's */
    int64_t n_cards;
    sw_deck_card *card;
    void *memory; /* what holds the texts */
} sw_deck_cards;

/* The whole deck; includes are looked for beside the file that names them. SW_ERR_IO, SW_ERR_INPUT by file and line. */
sw_status sw_deck_cards_read(const char *path, sw_deck_cards *cards);
void sw_deck_cards_free(sw_deck_cards *cards);

/* SW_ERR_INPUT "FILE:LINE: *KEYWORD: ..."; of a data line its own line. */
__attribute__((format(printf, 2, 3))) sw_status sw_deck_complain(const sw_deck_card *card, const char *format,
                                                                 ...);
__attribute__((format(printf, 3, 4))) sw_status sw_deck_complain_at(const sw_deck_card *card, int64_t i,
                                                                    const char *format, ...);
/* SW_ERR_INPUT "FILE:LINE: *KEYWORD: 'FIELDS OF THE LINE': ..." */
sw_status sw_deck_complain_line(const sw_deck_card *card, int64_t i, const char *says);
#ifdef __clang_analyzer__ /* which cannot see into another file what comes back */
#define sw_deck_complain(...) ((void)sw_deck_complain(__VA_ARGS__), SW_ERR_INPUT)
#define sw_deck_complain_at(...) ((void)sw_deck_complain_at(__VA_ARGS__), SW_ERR_INPUT)
#define sw_deck_complain_line(...) ((void)sw_deck_complain_line(__VA_ARGS__), SW_ERR_INPUT)
#endif
/* NULL: the parameter is not there. */
const char *sw_deck_parameter(const sw_deck_card *card, const char *key);
/* Field k (from 0) of data line i as a finite number: `missing` when it is empty or not there. 1.D0 is a number. */
sw_status sw_deck_number(const sw_deck_card *card, int64_t i, int k, double missing, double *number);
sw_status sw_deck_need_number(const sw_deck_card *card, int64_t i, int k, const char *what, double *number);
sw_status sw_deck_integer(const sw_deck_card *card, int64_t i, int k, int64_t missing, int64_t *number);
const char *sw_deck_field(const sw_deck_card *card, int64_t i, int k); /* "" when it is not there */
/* Others than those of the list (in capitals, a blank before and after each) would change what is meant: SW_ERR_INPUT. */
sw_status sw_deck_need_parameters(const sw_deck_card *card, const char *list);
/* A parameter that has to have a value. */
sw_status sw_deck_need_value(const sw_deck_card *card, const char *key, const char **value);
/* A parameter that is a number, `missing` where it is not there; a whole one is from least to most. */
sw_status sw_deck_real_parameter(const sw_deck_card *card, const char *key, double missing, double *number);
sw_status sw_deck_whole_parameter(const sw_deck_card *card, const char *key, int64_t least, int64_t most,
                                  int64_t missing, int64_t *number);
sw_status sw_deck_need_lines(const sw_deck_card *card, int64_t least, int64_t most); /* most < 0: any */
/* With Fortran's exponents of doubles; NULL, or what it should have been. */
const char *sw_deck_to_real(const char *text, double *number);
int sw_deck_to_whole(const char *text, int64_t *number); /* zeros may lead; 0: it is none */
int sw_deck_same_word(const char *a, const char *b);     /* capitals and blanks do not matter */
int sw_deck_begins(const char *text, const char *with);  /* in any case of letters */

/* Room for one more after n things: lists double. */
sw_status sw_deck_room(void **array, int64_t n, size_t size);
#define SW_DECK_ROOM(array, n) sw_deck_room((void **)&(array), n, sizeof *(array))

#endif
