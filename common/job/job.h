/* A job: a YAML file of keys and the options of a command line, both read through one table.
 *
 * A row of the table is a key: its name, where its value goes, its unit, bounds and default, the option that
 * gives it instead, and a line of help. From it come the checks with their messages, --help, manual pages,
 * completion and the tables of docs/file-formats.md (help.h). A new key is one row:
 *
 *     {SW_REAL("strain_increment", sw_taylor_job, strain_increment, 0, 0.1), .open = SW_OPEN_BELOW,
 *      .standard = 0.02, .help = "||D|| dt of a step"},
 *
 * Every complaint names the place, the value and the bound:
 *
 *     psc.yaml:3: strain_increment = 0: need 0 < strain_increment <= 0.1
 *     --terms = 0: need terms >= 1
 *     psc.yaml:7: unknown key 'solvr': did you mean 'solver'? */
#ifndef SW_COMMON_JOB_JOB_H
#define SW_COMMON_JOB_JOB_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "common/system/status.h"

/* ---- The table ---- */

/* What a key's value is, and what the structure has for it. */
typedef enum {
    SW_KEY_END,
    SW_KEY_TEXT, /* const char *; NULL when absent */
    SW_KEY_PATH, /* const char *: a file, beside the job file or else in the working folder; as an option: there */
    SW_KEY_OUTPUT,  /* const char *: a file to write, from the working folder on; none that the job reads */
    SW_KEY_NAME,    /* char [capacity]: a text inside the structure */
    SW_KEY_WORD,    /* int or an enum: number of one of `words` or of `cases` */
    SW_KEY_YES,     /* int: yes or no, true or false; as an option alone: without argument */
    SW_KEY_WHOLE,   /* int64_t */
    SW_KEY_REAL,    /* double */
    SW_KEY_TENSOR,  /* double [3][3], a list of rows */
    SW_KEY_NOTE,    /* nothing: for people, not read */
    SW_KEY_SECTION, /* a mapping; its keys, too, count from the start of the structure */
    SW_KEY_LIST, /* of `entry`s, or of mappings with `keys`: a pointer to them, or `capacity` places; and an int */
} sw_key_type;

enum { SW_OPEN_BELOW = 1, SW_OPEN_ABOVE = 2 }; /* least, most themselves are out of bounds */

/* One of the things that a word may say, and which keys of its mapping go with it. Keys that no case names go
 * with all. A table of them ends with {0}. */
typedef struct {
    const char *name;
    const char *needs, *takes; /* keys between blanks; NULL: none */
    const char *help;
} sw_key_case;

typedef struct sw_key sw_key;
struct sw_key {
    const char *name; /* in its mapping; NULL: an option alone */
    sw_key_type type;
    int blank; /* of a TENSOR: a component may be x, none given, which reads as NaN */
    size_t to; /* offset of the value in the structure */

    double least, most;    /* of numbers, those of a list too; both included */
    double smallest;       /* size of a number that is not 0, at least: one meant in kJ or MPa is not */
    int open;              /* SW_OPEN_BELOW, SW_OPEN_ABOVE */
    int whole;             /* of a REAL: it is written as a WHOLE is */
    const char *unit;      /* "Pa"; NULL: a pure number */
    const char *bound;     /* in words, where least, most and unit do not say it */
    double standard;       /* when absent; of a word its number, -1: none */
    const char *otherwise; /* what absence means, for people: "the material's" */
    int needed;            /* in its mapping, if that is there or needed itself */

    int n_words;
    const char *const *words; /* [n_words] of a WORD */
    const sw_key_case *cases; /* of a WORD, instead */
    const char *const *
        former; /* of a WORD: what was called otherwise and is called now, in turn, NULL at the end; is read */

    /* Of a SECTION, of a LIST's mappings, or of the mapping that may stand for a REAL: the number is then
     * `standard`; or for a WORD: of the one section in it, which is called so. Comparisons and hashes look at the number
     * only. */
    const sw_key *keys;
    sw_key_type entry;           /* of a LIST: TEXT, PATH, WHOLE, REAL */
    int columns;                 /* of a REAL entry: numbers in a row; 0: no rows */
    size_t entry_size, count_to; /* bytes of an entry; offset of the count */
    int capacity;                /* of a NAME, bytes; of a LIST inside the structure, entries */
    int shortest, longest;       /* of a LIST; longest 0: any */
    int fewer;                   /* of rows: or so many numbers, the others NaN; 0: none but `columns` */
    int papers; /* of a WORD: from this number on papers' strategies, which a build may be without; 0: none */

    char letter;           /* 'o': -o */
    const char *option;    /* "terms": --terms; of a key of list entries: for the last one */
    const char *argument;  /* in --help; NULL: from the type */
    const char *displaces; /* keys of the file, between blanks, that give way to this option */
    const char *help;      /* a line */
};

/* First members of a row; those that follow are named: {SW_REAL(...), .unit = "Pa"}. S: the structure, m: its
 * member. A member of another type does not compile. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_AT(S, m, type) _Generic(((S *)0)->m, type : offsetof(S, m))
#define SW_AT_INT(S, m) (offsetof(S, m) + 0 * sizeof(char[sizeof(((S *)0)->m) == sizeof(int) ? 1 : -1]))
#define SW_TEXT(key, S, m) .name = (key), .type = SW_KEY_TEXT, .to = SW_AT(S, m, const char *)
#define SW_PATH(key, S, m) .name = (key), .type = SW_KEY_PATH, .to = SW_AT(S, m, const char *)
#define SW_OUTPUT(key, S, m) .name = (key), .type = SW_KEY_OUTPUT, .to = SW_AT(S, m, const char *)
#define SW_NAME(key, S, m) \
    .name = (key), .type = SW_KEY_NAME, .to = offsetof(S, m), .capacity = (int)sizeof(((S *)0)->m)
#define SW_WORD(key, S, m, list)                                                \
    .name = (key), .type = SW_KEY_WORD, .to = SW_AT_INT(S, m), .words = (list), \
    .n_words = (int)(sizeof(list) / sizeof *(list))
/* Of the first n of a list. */
#define SW_WORD_OF(key, S, m, list, n) \
    .name = (key), .type = SW_KEY_WORD, .to = SW_AT_INT(S, m), .words = (list), .n_words = (n)
#define SW_CASES(key, S, m, table) .name = (key), .type = SW_KEY_WORD, .to = SW_AT_INT(S, m), .cases = (table)
#define SW_YES(key, S, m) .name = (key), .type = SW_KEY_YES, .to = SW_AT_INT(S, m)
#define SW_WHOLE(key, S, m, low, high)                                                       \
    .name = (key), .type = SW_KEY_WHOLE, .to = SW_AT(S, m, int64_t), .least = (double)(low), \
    .most = (double)(high) /* of INT64_MAX 2^63, which stands for no bound */
#define SW_REAL(key, S, m, low, high) \
    .name = (key), .type = SW_KEY_REAL, .to = SW_AT(S, m, double), .least = (low), .most = (high)
#define SW_TENSOR(key, S, m)                                                                   \
    .name = (key), .type = SW_KEY_TENSOR, .to = SW_AT(S, m[0][0], double), .least = -INFINITY, \
    .most = INFINITY
#define SW_SECTION(key, table) .name = (key), .type = SW_KEY_SECTION, .keys = (table)
/* Lists: m is a pointer, m_count its int or unsigned. */
#define SW_LIST(key, S, m)                                                                        \
    .name = (key), .type = SW_KEY_LIST, .to = offsetof(S, m), .entry_size = sizeof(*((S *)0)->m), \
    .count_to = SW_AT_INT(S, m##_count)
#define SW_TEXTS(key, S, m) SW_LIST(key, S, m), .entry = SW_KEY_TEXT
#define SW_PATHS(key, S, m) SW_LIST(key, S, m), .entry = SW_KEY_PATH
#define SW_WHOLES(key, S, m, low, high) \
    SW_LIST(key, S, m), .entry = SW_KEY_WHOLE, .least = (double)(low), .most = (double)(high)
#define SW_REALS(key, S, m, low, high) \
    SW_LIST(key, S, m), .entry = SW_KEY_REAL, .least = (low), .most = (high)
#define SW_ROWS(key, S, m, n) \
    SW_LIST(key, S, m), .entry = SW_KEY_REAL, .columns = (n), .least = -INFINITY, .most = INFINITY
/* Rows in places inside the structure, m [places][n]. */
#define SW_ROW_PLACES(key, S, m, count, n)                                                                   \
    .name = (key), .type = SW_KEY_LIST, .to = SW_AT(S, m[0][0], double), .entry_size = (n) * sizeof(double), \
    .capacity = (int)(sizeof(((S *)0)->m) / sizeof(*((S *)0)->m)), .count_to = SW_AT_INT(S, count),          \
    .entry = SW_KEY_REAL, .columns = (n)
/* Places for entries inside the structure; count: an int member. */
#define SW_PLACES(key, S, m, count, table)                                                          \
    .name = (key), .type = SW_KEY_LIST, .to = offsetof(S, m), .entry_size = sizeof(*((S *)0)->m),   \
    .capacity = (int)(sizeof(((S *)0)->m) / sizeof(*((S *)0)->m)), .count_to = SW_AT_INT(S, count), \
    .entry = SW_KEY_SECTION, .keys = (table)
#define SW_NUMBERS(key, S, m, count, low, high)                                                       \
    .name = (key), .type = SW_KEY_LIST, .to = SW_AT(S, m[0], int64_t), .entry_size = sizeof(int64_t), \
    .capacity = (int)(sizeof(((S *)0)->m) / sizeof(int64_t)), .count_to = SW_AT_INT(S, count),        \
    .entry = SW_KEY_WHOLE, .least = (double)(low), .most = (double)(high)
#define SW_REAL_PLACES(key, S, m, count, low, high)                                                 \
    .name = (key), .type = SW_KEY_LIST, .to = SW_AT(S, m[0], double), .entry_size = sizeof(double), \
    .capacity = (int)(sizeof(((S *)0)->m) / sizeof(double)), .count_to = SW_AT_INT(S, count),       \
    .entry = SW_KEY_REAL, .least = (low), .most = (high)
#define SW_ENTRIES(key, S, m, table) SW_LIST(key, S, m), .entry = SW_KEY_SECTION, .keys = (table)
/* NOLINTEND(bugprone-macro-parentheses) */
#define SW_KEYS_END        \
    {                      \
        .type = SW_KEY_END \
    }

/* Of a list, how many entries there are, and the first of them. */
static inline int sw_key_count(const sw_key *list, const void *structure)
{
    return *(const int *)((const char *)structure + list->count_to);
}

static inline const char *sw_key_entries(const sw_key *list, const void *structure)
{
    const char *first = (const char *)structure + list->to;
    return list->capacity > 0 ? first : *(const char *const *)(const void *)first;
}

/* ---- Reading ---- */

typedef struct {
    const char *file; /* NULL: none */
    int n_options;
    const char *const (*option)[2]; /* [n_options] name without dashes, value; "" for one without argument */
} sw_arguments;

/* Where the values of a structure come from. */
typedef struct sw_job sw_job;

/* Read arguments->file, if `keys` are those of a file (with_file), let the options replace what they give, and check
 * all of it -> a new structure of `size` bytes in *values (a pointer to it). Texts in it are borrowed from
 * the job and the arguments; all goes with sw_job_close. SW_ERR_INPUT names file, line, key, value and bound;
 * SW_ERR_IO; SW_ERR_MEMORY; nothing is left to release on failure. */
sw_status sw_job_read(const sw_key *keys, size_t size, const sw_arguments *arguments, int with_file,
                      sw_job **job, void **values);
/* The same of a text that was read before; path is for messages, and for the folder of paths. */
sw_status sw_job_parse(const sw_key *keys, size_t size, const char *path, const char *text, sw_job **job,
                       void **values);
/* The same with options; arguments->file is that path. */
sw_status sw_job_parse_with(const sw_key *keys, size_t size, const sw_arguments *arguments, const char *text,
                            sw_job **job, void **values);
void sw_job_close(sw_job *job); /* NULL is fine */

/* A kind of job: its table, its structure with an `sw_job *` in it, at `source`, what rows cannot say, and what the
 * structure owns beside that (NULL: nothing), which is released with the source. */
typedef struct {
    const sw_key *keys;
    size_t size, source;
    sw_status (*check)(void *values);
    void (*release)(void *values);
} sw_job_kind;

/* Read a file's job and check it: a structure that goes with its source; NULL where *status, as of sw_job_read, is none of
 * success. */
void *sw_job_open(const sw_job_kind *kind, const sw_arguments *arguments, sw_status *status);

const char *sw_job_path(const sw_job *job); /* of the file as it was named; NULL without */
const char *sw_job_text(const sw_job *job); /* the file as read; likewise */

/* Memory that goes with the job: zeroed; NULL when there is none. */
void *sw_job_allocate(sw_job *job, size_t bytes);

/* ---- What the rows cannot say ---- */

enum { SW_KEY_SIZE = 128 }; /* bytes of the longest "phases[5].nucleation.dislocation_density" */

/* "loading[3].duration" into key; returns it. */
__attribute__((format(printf, 2, 3))) const char *sw_key_path(char key[SW_KEY_SIZE], const char *format, ...);

/* Whether the file or an option gives a key, by its path from the root; of a section or an entry: any of its
 * keys. */
int sw_job_given(const sw_job *job, const char *key);
/* The name of the option that gives it; NULL: none does. */
const char *sw_job_option_of(const sw_job *job, const char *key);

/* An SW_ERR_INPUT "FILE:LINE: KEY" or "--option", then the formatted rest: " = 3: need ...". */
__attribute__((format(printf, 3, 4))) sw_status sw_job_error(const sw_job *job, const char *key,
                                                             const char *format, ...);

/* SW_ERR_INPUT "... = VALUE: need BOUND" unless `holds`; NaN-safe when that is a comparison which is true for
 * good values. */
sw_status sw_job_need(const sw_job *job, const char *key, double value, int holds, const char *bound);

/* The last message as an SW_ERR_INPUT of a key: "KEY: message". */
sw_status sw_job_blame(const sw_job *job, const char *key);
/* What failed elsewhere, which does not know the job: where its message begins with a key that the job gives, "solver = grid: ...",
 * an SW_ERR_INPUT with file and line; else as it was. */
sw_status sw_job_locate(const sw_job *job, sw_status status);

/* Which of some keys (between blanks) of the mapping at prefix ("", "output.") is given: its number, or -1.
 * SW_ERR_INPUT for two of them, and, if one is needed, for none. */
sw_status sw_job_one_of(const sw_job *job, const char *prefix, const char *keys, int needed, int *chosen);

/* Number of a word in names [count]; SW_ERR_INPUT names them. */
sw_status sw_job_choose(const sw_job *job, const char *key, const char *word, int count,
                        const char *const *names, int *index);

#ifdef __clang_analyzer__ /* which cannot see into another file that it is an error */
#define sw_job_error(...) ((void)sw_job_error(__VA_ARGS__), SW_ERR_INPUT)
#endif

/* ---- Rows in words ---- */

/* What a value must be: "Pa, from 1e4 to 1e11", "0 < strain_increment <= 0.1", "one of auto, cpu, cuda". */
void sw_key_bound(const sw_key *key, char *text, size_t size);

/* A number as tables of keys show it, the shortest of 1000, 1e4, 2^40, 0.02, 2.5e-4. */
void sw_key_number(double number, char *text, size_t size);

/* Whether a key goes with what the words of its mapping, `keys`, say in the structure: named by their cases, or by none. */
int sw_key_is_taken(const sw_key *keys, const sw_key *key, const void *structure);

/* Whether the structure has one for a row: a number that is none was not given. */
int sw_key_has_value(const sw_key *key, const void *structure);

/* Number of one of a row's words; -1: none of them. And a word by its number; NULL: no such. */
int sw_key_find_word(const sw_key *key, const char *word);
const char *sw_key_word(const sw_key *key, int index);

/* Where two structures of a table first differ, and what they have there. which: keys and sections between
 * blanks, by their paths; texts and lists are not looked at. Returns whether they do. */
typedef struct {
    char key[SW_KEY_SIZE], a[48], b[48];
} sw_key_difference;
int sw_keys_differ(const sw_key *keys, const char *which, const void *a, const void *b,
                   sw_key_difference *difference);

/* Go on from h (common/files/hash.h) with the numbers and words of a structure of a table that it has; names, texts and lists
 * are not looked at. */
uint64_t sw_keys_hash(uint64_t h, const sw_key *keys, const void *structure);

/* A structure of a table whose keys are names, words, real numbers and sections of them, as JSON, which is read again
 * to the same numbers. text [size]: caller's. SW_ERR_RANGE where size is too small, with what it needs. */
sw_status sw_keys_write(const sw_key *keys, const void *structure, size_t size, char *text);
/* The same as lines, with what they are as comments. */
sw_status sw_keys_write_lines(const sw_key *keys, const void *structure, size_t size, char *text);

/* Whether `name` stands in a list of keys between blanks; the list may be NULL. */
int sw_key_listed(const char *list, const char *name);

#endif
