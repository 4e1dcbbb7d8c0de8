#include "crystal_filter.h"

#include <string.h>
#include <strings.h>

const char *const sw_crystal_filter_names[] = {"phase", "step",        "confidence",   "deviation",   "every",
                                               "axes",  "grain_angle", "grain_points", "hexagonal_x", NULL};

const char *const sw_crystal_hexagonal_x[3] = {"format", "a", "a*"};

/* From the frame of a scanner's angles to its map's. EDAX: the angles' axes are RD, down the map, and TD, along it,
 * with ND towards the viewer; Oxford's, and Bruker's in .ctf files, are turned from those by 90 degrees about ND
 * (kikuchipy's documents; MTEX 5 turns maps likewise: by half turns about x + y, and x). */
static const struct {
    const char *name, *axes;
} scanners[] = {{"edax", "y x -z"}, {"bruker", "x -y -z"}, {"oxford", "x -y -z"}};

#define BLANKS " \t,"

/* The next word of a text; 0: none is left. */
static int next_word(const char **at, char word[16])
{
    *at += strspn(*at, BLANKS);
    const size_t length = strcspn(*at, BLANKS);
    for (size_t i = 0; i < 15; i++)
        word[i] = i < length ? (*at)[i] : '\0';
    word[length < 15 ? length : 15] = '\0';
    *at += length;
    return length > 0;
}

/* "-x" -> a row; 0: it is none. */
static int parse_axis(const char *word, double row[3])
{
    const double sign = *word == '-' ? -1 : 1;
    const char letter = (char)(*word == '-' || *word == '+' ? word[1] : *word);
    const size_t length = strlen(word);
    if (letter < 'x' || letter > 'z' || length != (*word == letter ? 1U : 2U))
        return 0;
    for (int i = 0; i < 3; i++)
        row[i] = letter - 'x' == i ? sign : 0;
    return 1;
}

static double determinant(double a[3][3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3]);
    return sum;
}

/* Three axes that make a right-handed frame; what follows them is left. */
static int parse_frame(const char **at, double turn[3][3])
{
    for (int i = 0; i < 3; i++) {
        char word[16];
        if (!next_word(at, word) || !parse_axis(word, turn[i]))
            return 0;
    }
    return determinant(turn) == 1;
}

static void multiply(double a[3][3], double b[3][3], double product[3][3])
{
    for (int i = 0; i < 9; i++)
        product[i / 3][i % 3] =
            a[i / 3][0] * b[0][i % 3] + a[i / 3][1] * b[1][i % 3] + a[i / 3][2] * b[2][i % 3];
}

static int parse(const char *at, double turn[3][3])
{
    double map[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, chosen[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    char word[16];
    const char *rest = at;
    int n = 0;
    if (next_word(&rest, word))
        for (size_t i = 0; i < sizeof scanners / sizeof *scanners; i++)
            if (strcasecmp(word, scanners[i].name) == 0) {
                const char *axes = scanners[i].axes;
                n = parse_frame(&axes, map);
                at = rest;
            }
    if (at[strspn(at, BLANKS)] != '\0') {
        if (!parse_frame(&at, chosen) || at[strspn(at, BLANKS)] != '\0')
            return 0;
        n++;
    }
    multiply(chosen, map, turn);
    return n > 0;
}

sw_status sw_crystal_axes(const char *text, double turn[3][3])
{
    return parse(text, turn)
               ? SW_OK
               : sw_error(
                     SW_ERR_INPUT,
                     "axes = %.80s: need edax, bruker or oxford, or three of x y z with signs that make a "
                     "right-handed frame, or a name and then three",
                     text);
}
