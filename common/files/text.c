#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory/memory_files.h"

enum {
    TEXT_LONGEST = 64 * (1 << 20), /* bytes; a data file given by mistake may have no end in sight */
    LINE_LONGEST = 1 << 20,        /* likewise, of what is read line by line */
    WORD_LONGEST = 48
};

/* ---- Files ---- */

int sw_text_line(const char *text, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset && text[i] != '\0'; i++)
        line += text[i] == '\n';
    return line;
}

static sw_status cannot_read(const char *path)
{
    return sw_error(SW_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
}

/* SW_ERR_IO for a pipe, a socket or a device: opening one may wait for ever, and reading it never end. A file that is
 * not there, or a folder, is its reader's to refuse. */
static sw_status check_plain(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
        return SW_OK;
    return sw_error(SW_ERR_IO, "%s: a pipe or a device, which may never end: need a plain file", path);
}

sw_status sw_open_text(const char *path, FILE **file)
{
    const sw_memory_file *memory = sw_memory_file_find(path);
    *file = NULL;
    if (memory == NULL)
        SW_TRY(check_plain(path));
    *file = memory != NULL ? fmemopen(memory->bytes, memory->size, "rb") : fopen(path, "rb");
    return *file != NULL ? SW_OK : cannot_read(path);
}

/* Some files, as those in /proc, do not say their size, so the buffer grows. */
static sw_status read_all(const char *path, FILE *file, char **text, size_t *length)
{
    size_t capacity = 1 << 14, count;
    *text = NULL;
    *length = 0;
    do {
        char *grown = realloc(*text, capacity + 1);
        if (grown == NULL)
            return sw_error(SW_ERR_MEMORY, "%s: not enough memory for %zu bytes", path, capacity);
        *text = grown;
        count = fread(*text + *length, 1, capacity - *length, file);
        *length += count;
        if (*length > TEXT_LONGEST)
            return sw_error(SW_ERR_INPUT, "%s: more than %d bytes: not a text that people write", path,
                            TEXT_LONGEST);
        if (*length == capacity)
            capacity *= 2;
    } while (count > 0);
    if (ferror(file))
        return cannot_read(path);
    (*text)[*length] = '\0';
    return SW_OK;
}

/* Some editors put one at the beginning of a text in UTF-8. */
static void drop_byte_order_mark(char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (strncmp(text, mark, strlen(mark)) == 0)
        memmove(text, text + strlen(mark), strlen(text) - strlen(mark) + 1);
}

sw_status sw_read_text(const char *path, char **text)
{
    *text = NULL;
    FILE *file;
    SW_TRY(sw_open_text(path, &file));
    char *read = NULL;
    size_t length = 0;
    sw_status status = read_all(path, file, &read, &length);
    fclose(file);
    if (status == SW_OK && strlen(read) != length)
        status = sw_error(SW_ERR_INPUT, "%s:%d: a NUL byte: need a text in UTF-8", path,
                          sw_text_line(read, length));
    if (status != SW_OK) {
        free(read);
        return status;
    }
    drop_byte_order_mark(read);
    *text = read;
    return SW_OK;
}

/* ---- Lines ---- */

static sw_status lengthen(const char *path, int64_t number, char **line, size_t *room)
{
    const size_t longer = *room < 256 ? 256 : 2 * *room;
    if (longer > LINE_LONGEST)
        return sw_error(SW_ERR_INPUT, "%s:%lld: a line of more than %d bytes: not a text that people write",
                        path, (long long)number, LINE_LONGEST);
    char *grown = realloc(*line, longer);
    if (grown == NULL)
        return sw_error(SW_ERR_MEMORY, "%s:%lld: not enough memory for a line", path, (long long)number);
    *line = grown;
    *room = longer;
    return SW_OK;
}

sw_status sw_next_line(const char *path, FILE *file, int64_t *number, char **line, size_t *room, int *more)
{
    size_t n = 0;
    int c = 0;
    while (c != '\n' && (c = getc_unlocked(file)) != EOF) {
        if (n + 2 > *room)
            SW_TRY(lengthen(path, *number + 1, line, room));
        if (c == '\0')
            return sw_error(SW_ERR_INPUT, "%s:%lld: a NUL byte: not a text file", path,
                            (long long)*number + 1);
        (*line)[n++] = (char)c;
    }
    if (ferror(file))
        return cannot_read(path);
    *more = n > 0;
    if (!*more)
        return SW_OK;
    (*line)[n] = '\0';
    if (++*number == 1)
        drop_byte_order_mark(*line);
    return SW_OK;
}

/* ---- Numbers ---- */

const char *sw_parse_real(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || strspn(text, "0123456789+-.eE") != strlen(text))
        return "a number";
    return isfinite(*number) ? NULL : "a finite number";
}

const char *sw_parse_whole(const char *text, int64_t *number)
{
    const char *digits = text + (*text == '-' || *text == '+');
    const size_t length = strspn(digits, "0123456789");
    *number = 0;
    if (length == 0 || digits[length] != '\0' || (length > 1 && *digits == '0'))
        return "a whole number in plain digits";
    errno = 0;
    *number = strtoll(text, NULL, 10);
    return errno == ERANGE ? "a whole number from -2^63 to 2^63 - 1" : NULL;
}

/* ---- Words ---- */

int sw_find_word(const char *word, int count, const char *const *names)
{
    for (int i = 0; i < count; i++)
        if (names[i] != NULL && strcmp(word, names[i]) == 0)
            return i;
    return -1;
}

void sw_list_words(int count, const char *const *names, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < count && length < size; i++)
        if (names[i] != NULL)
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s", length == 0 ? "" : ", ", names[i]);
}

/* Levenshtein's distance; more than any word is long when `a` or `b` is too long to be compared. */
static int edit_distance(const char *a, const char *b)
{
    int row[WORD_LONGEST + 1];
    const int width = (int)strnlen(b, WORD_LONGEST + 1);
    if (width > WORD_LONGEST || strnlen(a, WORD_LONGEST + 1) > WORD_LONGEST)
        return WORD_LONGEST + 1;
    for (int j = 0; j <= width; j++)
        row[j] = j;
    for (int i = 0; a[i] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < width; j++) {
            const int replaced = diagonal + (a[i] != b[j]);
            const int added = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = replaced < added ? replaced : added;
        }
    }
    return row[width];
}

const char *sw_nearest_word(const char *word, int count, const char *const *names)
{
    const char *nearest = NULL;
    int least = (int)(strnlen(word, WORD_LONGEST) + 2) / 3 + 1;
    for (int i = 0; i < count; i++) {
        const int distance = names[i] == NULL ? WORD_LONGEST : edit_distance(word, names[i]);
        if (distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
