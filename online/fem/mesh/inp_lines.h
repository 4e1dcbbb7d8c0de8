/* Lines of Abaqus' input files: data lines cut into fields, keyword lines into their parameters, numbers. */
#ifndef SW_ONLINE_FEM_MESH_INP_LINES_H
#define SW_ONLINE_FEM_MESH_INP_LINES_H

#include <stdint.h>
#include <stdio.h>

#include "common/system/status.h"

enum { SW_FEM_INP_MOST_FIELDS = 256, SW_FEM_INP_MOST_PARAMETERS = 16 };

/* What is read stays until the next line (fields) or keyword line (parameters) is. */
typedef struct {
    const char *path; /* borrowed */
    FILE *file;
    char *line; /* the current one */
    size_t line_size;
    int64_t number; /* of the current line */
    int held;       /* the current line is yet to be read again */
    char *command;  /* the keyword line with its continuations, cut at commas: begins with the keyword, in
                     * capitals; NULL before the first */
    size_t command_size;
    int64_t command_line;
    struct {
        char *key, *value; /* the key in capitals */
    } parameter[SW_FEM_INP_MOST_PARAMETERS];
    int n_parameters;
    char *field[SW_FEM_INP_MOST_FIELDS]; /* of a data line */
    int n_fields, continues;             /* continues: it ends with a comma */
} sw_fem_inp_lines;

sw_status sw_fem_inp_open(const char *path,
                          sw_fem_inp_lines *lines); /* SW_ERR_IO, and then nothing to close */
void sw_fem_inp_close(sw_fem_inp_lines *lines);

/* SW_ERR_INPUT with file and line, the first one for 0. */
__attribute__((format(printf, 3, 4))) sw_status sw_fem_inp_complain(const sw_fem_inp_lines *lines,
                                                                    int64_t line, const char *format, ...);
#ifdef __clang_analyzer__ /* which cannot see into another file what comes back */
#define sw_fem_inp_complain(...) ((void)sw_fem_inp_complain(__VA_ARGS__), SW_ERR_INPUT)
#endif

/* The next line that is not blank or a comment, without blanks around it; NULL at the end. */
sw_status sw_fem_inp_next_line(sw_fem_inp_lines *lines, char **line);

/* The fields of the next data line; n_fields is 0 at a keyword, which is yet to be read, or the end. */
sw_status sw_fem_inp_next_fields(sw_fem_inp_lines *lines);

/* Gathers a keyword line, which goes on while it ends with a comma, from its beginning, `line`. */
sw_status sw_fem_inp_read_command(sw_fem_inp_lines *lines, const char *line);

/* A parameter of the keyword line: NULL when it is not there, "" when it has no value. */
char *sw_fem_inp_parameter(const sw_fem_inp_lines *lines, const char *key);

/* Others than those of the list (with blanks around each) would change what is meant. */
sw_status sw_fem_inp_need_parameters(const sw_fem_inp_lines *lines, const char *list);
sw_status sw_fem_inp_need_value(const sw_fem_inp_lines *lines, const char *key, char **value);

/* Texts of the current line as a number of a node or element, or a finite number, 0 when empty; `what` is for
 * the complaint. */
sw_status sw_fem_inp_to_label(const sw_fem_inp_lines *lines, const char *text, const char *what,
                              int64_t *label);
sw_status sw_fem_inp_to_number(const sw_fem_inp_lines *lines, const char *text, const char *what,
                               double *number);

/* What is between quotes, or all; cuts the text. */
char *sw_fem_inp_unquote(char *text);

#endif
