/* STL files: of bytes, 80 of a header, a count, and 50 a triangle (normal and corners as floats, two bytes); of letters,
 * words whose numbers after `vertex` are corners. Normals are not looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "stl.h"
#include "common/files/text.h"

enum { HEADER = 84, RECORD = 50 };

typedef struct {
    const char *path;
    double scale;
    double (*corner)[3][3]; /* [n] */
    int64_t n;
    int in_facet, in_solid; /* of letters */
} stl;

static uint32_t whole(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float real(const unsigned char *at)
{
    const uint32_t bits = whole(at);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* ---- Bytes ---- */

/* Whether a file is as long as its count says; one that is not, and has a zero in its first bytes, is cut off. */
static sw_status look(FILE *file, int64_t size, stl *s, int *of_bytes)
{
    unsigned char header[HEADER];
    const size_t read = fread(header, 1, sizeof header, file);
    s->n = read == HEADER ? whole(header + 80) : 0;
    *of_bytes = read == HEADER && size == HEADER + s->n * RECORD;
    rewind(file);
    if (!*of_bytes && memchr(header, 0, read) != NULL)
        return sw_error(SW_ERR_INPUT, "%s: %lld bytes, of %lld triangles: need %d + %d a triangle, %lld",
                        s->path, (long long)size, (long long)s->n, HEADER, RECORD,
                        (long long)(HEADER + s->n * RECORD));
    return SW_OK;
}

static sw_status read_bytes(FILE *file, stl *s)
{
    unsigned char record[RECORD];
    SW_TRY(SW_ALLOCATE(s->corner, s->n > 0 ? s->n : 1, "triangles"));
    if (fseek(file, HEADER, SEEK_SET) != 0)
        return sw_error(SW_ERR_IO, "%s: cannot be read", s->path);
    for (int64_t i = 0; i < s->n; i++) {
        if (fread(record, 1, RECORD, file) != RECORD)
            return sw_error(SW_ERR_IO, "%s: cannot be read", s->path);
        for (int k = 0; k < 9; k++)
            s->corner[i][k / 3][k % 3] = s->scale * real(record + 12 + 4 * k);
    }
    return SW_OK;
}

/* ---- Letters ---- */

/* Words of a line, by which it is known; corners so far are those of s->n triangles and `at` more. */
static sw_status take_line(const char *line, int64_t number, stl *s, int64_t *capacity, int *at)
{
    static const char *const others[] = {"solid", "facet", "outer", "endloop", "endfacet", "endsolid"};
    char word[16] = "", text[3][48];
    const int words = sscanf(line, " %15s %47s %47s %47s", word, text[0], text[1], text[2]);
    for (char *c = word; *c != '\0'; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    if (words < 1 || sw_find_word(word, 6, others) >= 0) {
        if (strcmp(word, "endfacet") == 0 && *at != 0)
            return sw_error(SW_ERR_INPUT, "%s:%lld: a facet of %d corners: need 3", s->path,
                            (long long)number, *at);
        s->in_facet = strcmp(word, "facet") == 0 || (s->in_facet && strcmp(word, "endfacet") != 0);
        s->in_solid = strcmp(word, "solid") == 0 || (s->in_solid && strcmp(word, "endsolid") != 0);
        return SW_OK;
    }
    if (strcmp(word, "vertex") != 0 || words != 4)
        return sw_error(SW_ERR_INPUT,
                        "%s:%lld: '%.40s': need facet, outer loop, vertex X Y Z, endloop or endfacet",
                        s->path, (long long)number, word);
    if (s->n == *capacity) {
        *capacity = 2 * *capacity + 64;
        SW_TRY(sw_grow((void **)&s->corner, (size_t)*capacity, sizeof *s->corner, "triangles"));
    }
    for (int c = 0; c < 3; c++) {
        const char *need = sw_parse_real(text[c], &s->corner[s->n][*at][c]);
        if (need != NULL)
            return sw_error(SW_ERR_INPUT, "%s:%lld: vertex %.40s: need %s", s->path, (long long)number,
                            text[c], need);
        s->corner[s->n][*at][c] *= s->scale;
    }
    *at = (*at + 1) % 3;
    s->n += *at == 0;
    return SW_OK;
}

static sw_status read_letters(FILE *file, stl *s)
{
    char *line = NULL;
    size_t room = 0;
    int64_t number = 0, capacity = 0;
    int more = 1, at = 0;
    sw_status status = SW_OK;
    s->n = 0;
    while (status == SW_OK) {
        status = sw_next_line(s->path, file, &number, &line, &room, &more);
        if (status != SW_OK || !more)
            break;
        if (number == 1 && strncasecmp(line, "solid", 5) != 0)
            status = sw_error(SW_ERR_INPUT,
                              "%s: is no STL file: need one that begins with 'solid', or of %d bytes and "
                              "%d a triangle",
                              s->path, HEADER, RECORD);
        if (status == SW_OK)
            status = take_line(line, number, s, &capacity, &at);
    }
    free(line);
    if (status == SW_OK && (at != 0 || s->in_facet))
        status = sw_error(SW_ERR_INPUT, "%s:%lld: ends in a facet", s->path, (long long)number);
    if (status == SW_OK && s->in_solid)
        status =
            sw_error(SW_ERR_INPUT, "%s:%lld: ends in a solid: need endsolid", s->path, (long long)number);
    return status;
}

/* ---- Both ---- */

sw_status sw_stl_read(const char *path, double scale, int64_t *n, double (**corner)[3][3])
{
    stl s = {.path = path, .scale = scale};
    struct stat of;
    FILE *file;
    *n = 0;
    *corner = NULL;
    SW_TRY(sw_open_text(path, &file));
    const int64_t size = fstat(fileno(file), &of) == 0 ? (int64_t)of.st_size : 0;
    int of_bytes;
    sw_status status = look(file, size, &s, &of_bytes);
    if (status == SW_OK)
        status = of_bytes ? read_bytes(file, &s) : read_letters(file, &s);
    fclose(file);
    if (status != SW_OK) {
        free(s.corner);
        return status;
    }
    *n = s.n;
    *corner = s.corner;
    return SW_OK;
}
