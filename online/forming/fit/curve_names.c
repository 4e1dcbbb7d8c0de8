#include "curve_names.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static const double PSI = 6894.757293168; /* Pa: one pound-force per square inch */

/* ---- Units ---- */

/* Forces, lengths and the like are known so that they are not taken for strains and stresses. */
static const sw_curve_unit units[] = {{"%", 0.01, SW_CURVE_STRAIN, 0},
                                      {"percent", 0.01, SW_CURVE_STRAIN, 0},
                                      {"pct", 0.01, SW_CURVE_STRAIN, 0},
                                      {"mm/mm", 1, SW_CURVE_STRAIN, 0},
                                      {"m/m", 1, SW_CURVE_STRAIN, 0},
                                      {"in/in", 1, SW_CURVE_STRAIN, 0},
                                      {"microstrain", 1e-6, SW_CURVE_STRAIN, 0},
                                      {"1", 1, SW_CURVE_STRAIN, 1},
                                      {"-", 1, SW_CURVE_STRAIN, 1},
                                      {"Pa", 1, SW_CURVE_STRESS, 0},
                                      {"kPa", 1e3, SW_CURVE_STRESS, 0},
                                      {"MPa", 1e6, SW_CURVE_STRESS, 0},
                                      {"GPa", 1e9, SW_CURVE_STRESS, 0},
                                      {"N/mm2", 1e6, SW_CURVE_STRESS, 0},
                                      {"N/mm^2", 1e6, SW_CURVE_STRESS, 0},
                                      {"N/mm\xc2\xb2", 1e6, SW_CURVE_STRESS, 0},
                                      {"psi", PSI, SW_CURVE_STRESS, 0},
                                      {"ksi", 1e3 * PSI, SW_CURVE_STRESS, 0},
                                      {"N", 1, SW_CURVE_OTHER, 0},
                                      {"kN", 1e3, SW_CURVE_OTHER, 0},
                                      {"lbf", 4.4482216152605, SW_CURVE_OTHER, 0},
                                      {"mm", 1e-3, SW_CURVE_OTHER, 0},
                                      {"m", 1, SW_CURVE_OTHER, 1},
                                      {"in", 0.0254, SW_CURVE_OTHER, 1},
                                      {"s", 1, SW_CURVE_OTHER, 0},
                                      {"min", 60, SW_CURVE_OTHER, 0},
                                      {"h", 3600, SW_CURVE_OTHER, 0}};
enum { UNITS = sizeof units / sizeof *units };

static const sw_curve_unit *find(const char *text, size_t length, int bracketed)
{
    for (int i = 0; i < UNITS; i++)
        if (strlen(units[i].text) == length && strncasecmp(units[i].text, text, length) == 0 &&
            (bracketed || !units[i].bracketed))
            return &units[i];
    return NULL;
}

/* Of "... (MPa)" what stands in the last brackets; NULL: it does not end in any. */
static const char *brackets(const char *name, size_t *length)
{
    const size_t n = strlen(name);
    const char closing = n > 0 ? name[n - 1] : 0, *open = NULL;
    if (closing == ')' || closing == ']')
        open = strrchr(name, closing == ')' ? '(' : '[');
    *length = open != NULL ? (size_t)(name + n - 1 - open) - 1 : 0;
    return open != NULL ? open + 1 : NULL;
}

const sw_curve_unit *sw_curve_find_unit(const char *text)
{
    size_t length;
    const char *inside = brackets(text, &length);
    return inside == text + 1 ? find(inside, length, 1) : find(text, strlen(text), 1);
}

const sw_curve_unit *sw_curve_unit_of_name(const char *name)
{
    size_t length;
    const char *inside = brackets(name, &length);
    if (inside != NULL)
        return find(inside, length, 1);
    const sw_curve_unit *unit = find(name, strlen(name), 0);
    for (const char *at = name; unit == NULL && (at = strpbrk(at, " _/")) != NULL;)
        at++, unit = find(at, strlen(at), 0);
    return unit;
}

const sw_curve_unit *sw_curve_likely_unit(double number, double expected)
{
    const sw_curve_unit *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < UNITS; i++) {
        const double off = fabs(log(fabs(number) * units[i].factor / expected));
        if (units[i].kind == SW_CURVE_STRESS && off < least) {
            least = off;
            best = &units[i];
        }
    }
    return best;
}

/* ---- True or engineering ---- */

static int has_word(const char *name, const char *const *words)
{
    for (const char *at = name; *at != '\0';) {
        size_t length = 0;
        while (isalpha((unsigned char)at[length]))
            length++;
        for (const char *const *word = words; *word != NULL && length > 0; word++)
            if (strlen(*word) == length && strncasecmp(*word, at, length) == 0)
                return 1;
        at += length > 0 ? length : 1;
    }
    return 0;
}

int sw_curve_measure_of_name(const char *name)
{
    static const char *const true_words[] = {"true", "logarithmic", "log", "cauchy", NULL};
    static const char *const engineering_words[] = {"engineering", "eng", "nominal", "technical", NULL};
    return has_word(name, engineering_words) ? 1 : has_word(name, true_words) ? 0 : -1;
}
