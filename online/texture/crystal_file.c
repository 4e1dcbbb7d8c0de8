#include "crystal_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/output_file.h"
#include "common/math/rotation.h"
#include "crystal_reader.h"

#define DEGREE (SW_PI / 180)

/* ---- .ori and .tex: rows with weights ---- */

#define WEIGHT_MOST 1e30

static int is_weight(double weight) { return weight > 0 && weight <= WEIGHT_MOST; }

/* A row of `least` to `most` numbers, three angles and, last of any others, the weight. */
static sw_status add_weighted(sw_crystal_reader *r, int least, int most, const char *need)
{
    double value[6];
    const int count = sw_crystal_parse_row(r->line, most + 1, value);
    if (count < least || count > most)
        return sw_crystal_bad_line(r, need);
    if (r->numbers == 0)
        r->numbers = count;
    if (count != r->numbers)
        return sw_crystal_bad_line(
            r, "need as many numbers as in the first row, and so a weight in all rows or in none");
    const double weight = count > 3 ? value[count - 1] : 1;
    if (!is_weight(weight))
        return sw_crystal_bad_line(r, "need a weight > 0, and at most 1e30");
    return sw_crystal_add(r, value, weight);
}

static sw_status read_ori(sw_crystal_reader *r)
{
    int more;
    for (;;) {
        SW_TRY(sw_crystal_next_row(r, &more));
        if (!more)
            return SW_OK;
        SW_TRY(add_weighted(
            r, 3, 5, "need three numbers, phi1 Phi phi2, or four or five, of which the last is a weight"));
    }
}

/* The fourth line of a .tex file: "B N". */
static sw_status parse_tex_count(const sw_crystal_reader *r, int64_t *announced)
{
    char convention, rest;
    long long count;
    if (sscanf(r->line, " %c %lld %c", &convention, &count, &rest) != 2 || count < 1)
        return sw_crystal_bad_line(r, "need \"B N\", N > 0 crystals, in the fourth line");
    if (convention != 'B' && convention != 'b')
        return sw_crystal_bad_line(r, "need Bunge angles, \"B N\"");
    *announced = count;
    return SW_OK;
}

static sw_status read_tex(sw_crystal_reader *r)
{
    int64_t announced = 0;
    int more = 1;
    for (int i = 0; i < 4 && more; i++)
        SW_TRY(sw_crystal_next_line(r, &more));
    if (!more)
        return sw_error(SW_ERR_INPUT, "%s: ends before \"B N\" in its fourth line", r->path);
    SW_TRY(parse_tex_count(r, &announced));
    for (;;) {
        SW_TRY(sw_crystal_next_row(r, &more));
        if (!more)
            break;
        if (r->count == announced)
            return sw_crystal_bad_line(r, "more crystals than the fourth line announces");
        SW_TRY(add_weighted(r, 4, 4, "need four numbers, phi1 Phi phi2 weight"));
    }
    if (r->count != announced)
        return sw_error(SW_ERR_INPUT, "%s:%lld: %lld crystals: the fourth line announces %lld", r->path,
                        (long long)r->line_number, (long long)r->count, (long long)announced);
    return SW_OK;
}

/* ---- The formats ---- */

static void write_ori_header(FILE *file, int64_t n_crystals, int weighted)
{
    fprintf(file, "# %lld crystals: Bunge-Euler angles phi1 Phi phi2 in degrees%s\n", (long long)n_crystals,
            weighted ? ", relative weight" : "");
    fputs("# g = Z(phi1) X(Phi) Z(phi2) is the active rotation crystal -> sample: v_sample = g v_crystal\n",
          file);
}

static void write_tex_header(FILE *file, int64_t n_crystals, int weighted)
{
    fputs("Slipwave crystal orientations\n", file);
    fprintf(file, "phi1 Phi phi2 weight: Bunge-Euler angles in degrees, %s weights\n",
            weighted ? "relative" : "equal");
    fprintf(file, "-\nB %lld\n", (long long)n_crystals);
}

static const struct format {
    const char *suffix;
    int has_phases;
    double unit; /* of its angles, rad */
    sw_status (*read)(sw_crystal_reader *r);
    /* NULL: this format is not written */
    void (*write_header)(FILE *file, int64_t n_crystals, int weighted);
    const char *row_end; /* without weights */
} formats[] = {
    {".ori", 0, DEGREE, read_ori, write_ori_header, "\n"},
    {".tex", 0, DEGREE, read_tex, write_tex_header, " 1.000000\n"},
    {".ang", 1, 1, sw_crystal_read_ang, NULL, NULL},
    {".ctf", 1, DEGREE, sw_crystal_read_ctf, NULL, NULL},
    {".h5", 0, 1, sw_crystal_read_results, NULL, NULL},
};

static const struct format *find_format(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(suffix, formats[i].suffix) == 0)
            return &formats[i];
    return NULL;
}

/* ---- Reading ---- */

static sw_status open_reader(const char *path, const char *phase, const struct format *format,
                             sw_crystal_reader *r)
{
    if (format == NULL)
        return sw_error(SW_ERR_INPUT, "%s: unknown suffix: need .ori, .tex, .ang, .ctf or .h5", path);
    if (phase != NULL && !format->has_phases)
        return sw_error(SW_ERR_INPUT, "%s: a file %s has no phases: need none beside it, '%.80s'", path,
                        format->suffix, phase);
    *r = (sw_crystal_reader){.path = path, .wanted = phase, .unit = format->unit, .file = fopen(path, "r")};
    return r->file != NULL ? SW_OK : sw_error(SW_ERR_IO, "%s: %s", path, strerror(errno));
}

static sw_status read_all(const struct format *format, sw_crystal_reader *r)
{
    SW_TRY(format->read(r));
    if (r->count == 0)
        return sw_error(SW_ERR_INPUT,
                        "%s: no crystal in it (%lld rows were not indexed, %lld of other phases)", r->path,
                        (long long)r->skipped, (long long)r->others);
    /* a turn is 6.28 rad; zeros mean the same in any unit */
    if (format->unit == DEGREE && r->largest > 0 && r->largest <= 7)
        sw_warn("%s: no angle passes 7: they are taken as degrees; are they radians?", r->path);
    return SW_OK;
}

/* Over their mean, in single precision; none so small that a process which has only such ones has no sum to divide
 * by. *weight: NULL when all are alike. */
static sw_status take_weights(const sw_crystal_reader *r, float **weight)
{
    const double least = 1e-30;
    double sum = 0;
    int alike = 1;
    *weight = NULL;
    for (int64_t n = 0; n < r->count; n++) {
        sum += r->weight[n];
        alike &= r->weight[n] == r->weight[0];
    }
    if (alike)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(*weight, r->count, "weights of crystals"));
    for (int64_t n = 0; n < r->count; n++)
        (*weight)[n] = (float)fmax(r->weight[n] * ((double)r->count / sum), least);
    return SW_OK;
}

/* Of the crystals that were read: "2 Iron bcc". */
static void describe_phase(const sw_crystal_reader *r, char *text, size_t size)
{
    text[0] = '\0';
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++)
        if (p->rows > 0 && sw_crystal_is_wanted(r, p))
            snprintf(text, size, "%lld%s%s", (long long)p->number, *p->name ? " " : "", p->name);
}

sw_status sw_crystal_file_read(const char *path, const char *phase, sw_crystal_list *list)
{
    const struct format *format = find_format(path);
    sw_crystal_reader *r;
    float *weight = NULL;
    *list = (sw_crystal_list){0};
    SW_TRY(SW_ALLOCATE(r, 1, "a crystal file"));
    sw_status status = open_reader(path, phase, format, r);
    if (status == SW_OK)
        status = read_all(format, r);
    if (status == SW_OK)
        status = take_weights(r, &weight);
    if (status == SW_OK) {
        *list = (sw_crystal_list){.count = r->count,
                                  .euler = r->euler,
                                  .weight = weight,
                                  .skipped = r->skipped,
                                  .others = r->others};
        describe_phase(r, list->phase, sizeof list->phase);
    } else
        free(r->euler);
    if (r->file != NULL)
        fclose(r->file);
    free(r->line);
    free(r->weight);
    free(r);
    return status;
}

/* ---- Writing ---- */

static sw_status check_crystals(const char *path, int64_t n_crystals, const double (*euler)[3],
                                const float *weight)
{
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "%s: %lld crystals to write: need 1 or more", path,
                        (long long)n_crystals);
    for (int64_t n = 0; n < n_crystals; n++)
        for (int i = 0; i < 3; i++)
            if (!isfinite(euler[n][i]))
                return sw_error(SW_ERR_RANGE, "%s: angle %d of crystal %lld is %g: need a finite one", path,
                                i + 1, (long long)n, euler[n][i]);
    for (int64_t n = 0; n < n_crystals && weight != NULL; n++)
        if (!is_weight(weight[n]))
            return sw_error(SW_ERR_RANGE, "%s: weight of crystal %lld is %g: need > 0, at most %g", path,
                            (long long)n, weight[n], WEIGHT_MOST);
    return SW_OK;
}

/* Angles of six decimals; nine digits tell one weight in single precision from another. */
static void write_row(FILE *file, const struct format *format, const double euler[3], const float *weight)
{
    fprintf(file, "%.6f %.6f %.6f", euler[0] / DEGREE, euler[1] / DEGREE, euler[2] / DEGREE);
    if (weight != NULL)
        fprintf(file, " %.9g\n", *weight);
    else
        fputs(format->row_end, file);
}

sw_status sw_crystal_file_write(const char *path, int64_t n_crystals, const double (*euler)[3],
                                const float *weight)
{
    const struct format *format = find_format(path);
    if (format == NULL || format->write_header == NULL)
        return sw_error(SW_ERR_INPUT, "%s: need the suffix .ori or .tex to write crystals", path);
    SW_TRY(check_crystals(path, n_crystals, euler, weight));
    sw_output_file output;
    FILE *file;
    SW_TRY(sw_text_file_begin(path, &output, &file));
    format->write_header(file, n_crystals, weight != NULL);
    for (int64_t n = 0; n < n_crystals && !ferror(file); n++)
        write_row(file, format, euler[n], weight != NULL ? &weight[n] : NULL);
    return sw_text_file_end(&output, file);
}
