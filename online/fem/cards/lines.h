/* Input files of Abaqus and CalculiX line by line: keyword lines with their continuations, data lines cut into fields. */
#ifndef SW_ONLINE_FEM_CARDS_LINES_H
#define SW_ONLINE_FEM_CARDS_LINES_H

#include <stdio.h>

#include "cards.h"

/* What is read is there until the next card (card) or line (data) is. */
typedef struct {
    const char *path; /* borrowed */
    FILE *file;
    int64_t number;    /* of the line at hand */
    sw_deck_card card; /* its keyword and parameters; keyword NULL before the first */
    sw_deck_line data; /* n_fields 0: none */
    char *line, *held, *command, **field;
    size_t room;
    int n_room; /* of field */
} sw_deck_source;

sw_status sw_deck_open(const char *path, sw_deck_source *source); /* SW_ERR_IO, and then nothing to close */
void sw_deck_close(sw_deck_source *source);
/* The next keyword; data lines before it are passed over. *more 0: the end. */
sw_status sw_deck_next_card(sw_deck_source *source, int *more);
/* The next data line; none at a keyword, or the end. */
sw_status sw_deck_next_data(sw_deck_source *source);

/* ---- Of texts, for those who keep them ---- */

/* The next line that is not blank or a comment, trimmed; NULL at the end. */
sw_status sw_deck_next_text(sw_deck_source *source, char **text);
/* A keyword line whole: it goes on while it ends with a comma. *whole: free() it. */
sw_status sw_deck_gather(sw_deck_source *source, const char *first, char **whole);
/* At commas outside quotes into source->field [n], which the next text takes; a last empty one does not count. */
sw_status sw_deck_cut(sw_deck_source *source, char *text, int *n);
/* Keyword and parameters of fields. SW_ERR_INPUT: it has no keyword. */
sw_status sw_deck_make_card(int n, char **field, sw_deck_card *card);

#endif
