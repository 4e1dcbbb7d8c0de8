/* Yield functions as input of other programs: what their manuals have a card for, and else the numbers as comments. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_BLOCKS_H
#define SW_ONLINE_FORMING_FUNCTIONS_BLOCKS_H

#include <stdio.h>

#include "yield_function.h"

typedef struct {
    const char *name, *title;                                             /* "abaqus", "Abaqus" */
    const char *ending;                                                   /* of files: ".inp" */
    const char *comment;                                                  /* what a line of it begins with */
    void (*card[SW_YIELD_FUNCTIONS])(FILE *out, const sw_yield *surface); /* NULL: it has none */
} sw_block_program;

enum { SW_BLOCK_PROGRAMS = 2 };
extern const sw_block_program sw_block_programs[SW_BLOCK_PROGRAMS];

/* A surface for a program; what cannot be written is told by the file's end (sw_text_file_end). */
void sw_block_write(FILE *out, const sw_block_program *program, const sw_yield *surface);

#endif
