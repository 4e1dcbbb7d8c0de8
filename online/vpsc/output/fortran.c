#include "fortran.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 400 };

static void put(FILE *file, int width, const char *text)
{
    const int length = (int)strlen(text);
    if (length <= width)
        fprintf(file, "%*s", width, text);
    else
        for (int i = 0; i < width; i++)
            fputc('*', file);
}

/* A zero before the point goes where there is no room for it. */
void sw_fortran_f(FILE *file, int width, int decimals, double value)
{
    char text[ROOM];
    snprintf(text, sizeof text, isfinite(value) ? "%#.*f" : "NaN", decimals, value);
    if ((int)strlen(text) == width + 1 && (strncmp(text, "0.", 2) == 0 || strncmp(text, "-0.", 3) == 0)) {
        const int sign = *text == '-';
        memmove(text + sign, text + sign + 1, strlen(text + sign));
    }
    put(file, width, text);
}

void sw_fortran_e(FILE *file, int width, int decimals, double value)
{
    char digits[ROOM], text[2 * ROOM];
    if (!isfinite(value)) {
        put(file, width, "NaN");
        return;
    }
    snprintf(digits, sizeof digits, "%.*e", decimals - 1, fabs(value));
    char *mark = strchr(digits, 'e');
    const int exponent = value == 0 ? 0 : atoi(mark + 1) + 1;
    *mark = 0;
    const char *form = abs(exponent) < 100 ? "%s0.%c%sE%+03d" : "%s0.%c%s%+04d";
    snprintf(text, sizeof text, form, signbit(value) ? "-" : "", digits[0], decimals > 1 ? digits + 2 : "",
             exponent);
    put(file, width, text);
}

void sw_fortran_i(FILE *file, int width, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    put(file, width, text);
}

void sw_fortran_fs(FILE *file, int n, int width, int decimals, const double *value)
{
    for (int i = 0; i < n; i++)
        sw_fortran_f(file, width, decimals, value[i]);
}

void sw_fortran_es(FILE *file, int n, int width, int decimals, const double *value)
{
    for (int i = 0; i < n; i++)
        sw_fortran_e(file, width, decimals, value[i]);
}
