/* Yield functions as input of other programs: what their manuals have a card for, and else the numbers as comments. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_BLOCKS_H
#define SW_ONLINE_FORMING_FUNCTIONS_BLOCKS_H

#include <stdio.h>

#include "calibration.h"

/* What a card is made of: a fitted function, and beside it what else is known of the material. */
typedef struct {
    const sw_calibration *fit;
    const sw_sheet *sheet; /* that it was fitted to, with its curve */
    double young, poisson; /* Pa, 1 */
    int number;            /* of the material and its curve */
} sw_block;

typedef struct {
    const char *name, *title; /* "abaqus", "Abaqus" */
    const char *ending;       /* of files: ".inp" */
    const char *comment;      /* what a line of it begins with */
    sw_status (*card[SW_YIELD_FUNCTIONS])(FILE *out, const sw_block *block); /* NULL: it has none */
} sw_block_program;

enum { SW_BLOCK_PROGRAMS = 2 };
extern const sw_block_program sw_block_programs[SW_BLOCK_PROGRAMS];

/* A card says so where its function misses a stress by more than the first, relatively, or r / (1 + r) by the second. */
#define SW_BLOCK_STRESS_MISS 0.03
#define SW_BLOCK_R_MISS 0.05

/* What a function misses by more than that, in words, worst first of stresses and of r; "" where it does not. */
enum { SW_BLOCK_MISSES = 2, SW_BLOCK_MISS_TEXT = 160 };
void sw_block_misses(const sw_calibration *fit, const sw_sheet *sheet,
                     char text[SW_BLOCK_MISSES][SW_BLOCK_MISS_TEXT]);

/* Whether there is a card for a function as it was fitted; else its numbers are comments. */
int sw_block_has_card(const sw_block_program *program, const sw_calibration *fit);

/* The function for a program. SW_ERR_MEMORY; what cannot be written is told by the file's end (sw_text_file_end). */
sw_status sw_block_write(FILE *out, const sw_block_program *program, const sw_block *block);

/* The curve as programs take it [at most sheet->curve.n + 1 rows], stresses times scale: from plastic strain 0 on, where it
 * is extended to straight, with strains that grow. row: caller's. Returns how many rows; 0: there is no curve. */
int64_t sw_block_curve(const sw_sheet_curve *curve, double scale, double (*row)[2]);

#endif
