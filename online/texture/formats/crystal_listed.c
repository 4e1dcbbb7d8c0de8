/* Numbers as Fortran's list-directed READ takes them, for files that programs in Fortran read. */
#include <ctype.h>
#include <string.h>

#include "common/files/text.h"
#include "crystal_reader.h"

/* 1.0D+01 and 1.0+01 are 1.0e+01. NULL, or what it should have been. */
static const char *parse_number(const char *word, double *number)
{
    char plain[2 * SW_CRYSTAL_WORD];
    size_t n = 0;
    for (const char *c = word; *c != '\0'; c++) {
        if ((*c == '+' || *c == '-') && c > word && (isdigit((unsigned char)c[-1]) || c[-1] == '.'))
            plain[n++] = 'e';
        plain[n++] = *c == 'D' || *c == 'd' ? 'e' : *c;
    }
    plain[n] = '\0';
    return sw_parse_real(plain, number);
}

/* c, or r*c, which stands for r of them: *times r. Returns whether it is one. */
static int parse_repeated(char *word, double *number, int64_t *times)
{
    char *star = strchr(word, '*');
    *times = 1;
    if (star == NULL)
        return parse_number(word, number) == NULL;
    *star = '\0';
    return sw_parse_whole(word, times) == NULL && *times > 0 && parse_number(star + 1, number) == NULL;
}

/* Whether a comma ends a number there. One between digits may be a decimal one, which Fortran would make two numbers of. */
static int is_separator(const char *comma) { return *comma == ',' && strchr(" \t", comma[1]) != NULL; }

/* The next word, without a comma that ends it, which is passed over. */
static int next_word(const char **at, char word[SW_CRYSTAL_WORD])
{
    const int is_word = sw_crystal_next_word(at, word);
    const size_t length = strlen(word);
    if (length > 1 && word[length - 1] == ',') {
        word[length - 1] = '\0';
        --*at;
    }
    const char *behind = *at + strspn(*at, " \t");
    if (is_separator(behind))
        *at = behind + 1;
    return is_word;
}

/* Add to the *count numbers of value [n] those of the reader's line. *at: behind the last one. */
static sw_status take_line(const sw_crystal_reader *r, int n, double *value, int *count, const char **at)
{
    char word[SW_CRYSTAL_WORD];
    double number;
    int64_t times;
    while (*count < n && next_word(at, word)) {
        if (*word != ',' && strchr(word, ',') != NULL)
            return sw_crystal_bad_line(
                r, "a comma between digits may be a decimal one: need a blank behind commas");
        if (!parse_repeated(word, &number, &times))
            return sw_crystal_bad_line(r, "need four numbers, phi1 Phi phi2 weight");
        for (; times > 0 && *count < n; times--)
            value[(*count)++] = number;
    }
    return SW_OK;
}

sw_status sw_crystal_read_listed(sw_crystal_reader *r, int n, double *value)
{
    const int64_t first = r->line_number;
    int count = 0, more;
    for (;;) {
        const char *at = r->line;
        char word[SW_CRYSTAL_WORD];
        double number;
        int64_t times;
        SW_TRY(take_line(r, n, value, &count, &at));
        if (count == n && r->line_number > first && next_word(&at, word) &&
            parse_repeated(word, &number, &times))
            return sw_crystal_bad_line(r, "need four numbers, phi1 Phi phi2 weight: with those of the lines "
                                          "before there are more");
        if (count == n)
            return SW_OK;
        SW_TRY(sw_crystal_next_row(r, &more));
        if (!more)
            return sw_error(SW_ERR_INPUT,
                            "%s:%lld: ends within a row: need four numbers, phi1 Phi phi2 weight", r->path,
                            (long long)r->line_number);
    }
}
