#include "measured.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/files/text.h"

enum { MOST_BINS = 1 << 18 };
#define LEAST_RADIUS 1e-10 /* m: an atom's */

/* ---- A text ---- */

typedef struct {
    const char *path;
    int64_t line;
    double unit; /* m */
    int named;   /* the line of names was there */
    int64_t room;
    double *radius;
    sw_kwn_bins bins;
} table;

/* The words of a line, between commas, semicolons or blanks; returns how many there are, 3 for more than two. */
static int split(char *line, char *word[2])
{
    int n = 0;
    for (char *at = strtok(line, ",; \t\r\n"); at != NULL; at = strtok(NULL, ",; \t\r\n"))
        if (n < 2)
            word[n++] = at;
        else
            return 3;
    return n;
}

static sw_status read_names(table *t, int words, char *const word[2])
{
    const int in_nm = words == 2 && strcmp(word[0], "radius_nm") == 0;
    if (words != 2 || (!in_nm && strcmp(word[0], "radius") != 0) || strcmp(word[1], "number") != 0)
        return sw_error(SW_ERR_INPUT,
                        "%s:%" PRId64 ": need the names of two columns, radius or radius_nm, and number",
                        t->path, t->line);
    t->unit = in_nm ? 1e-9 : 1;
    t->named = 1;
    return SW_OK;
}

static sw_status read_cell(const table *t, const char *name, const char *text, double least, double most,
                           double *value)
{
    const char *wanted = sw_parse_real(text, value);
    if (wanted != NULL)
        return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": %s = %s: need %s", t->path, t->line, name, text,
                        wanted);
    return *value >= least && *value <= most
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": %s = %g: need %g to %g", t->path, t->line, name,
                          *value, least, most);
}

static sw_status make_room(table *t)
{
    if (t->bins.bins < t->room)
        return SW_OK;
    const int64_t room = t->room == 0 ? 64 : 2 * t->room;
    double *radius = realloc(t->radius, (size_t)room * sizeof *radius);
    t->radius = radius != NULL ? radius : t->radius;
    double *number = realloc(t->bins.number, (size_t)room * sizeof *number);
    t->bins.number = number != NULL ? number : t->bins.number;
    t->room = room;
    return radius != NULL && number != NULL
               ? SW_OK
               : sw_error(SW_ERR_MEMORY, "not enough memory for a size distribution");
}

static sw_status read_row(table *t, int words, char *const word[2])
{
    const int64_t n = t->bins.bins;
    double radius;
    if (words != 2)
        return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": need a radius and a number", t->path, t->line);
    if (n == MOST_BINS)
        return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": need at most %d rows", t->path, t->line, MOST_BINS);
    SW_TRY(make_room(t));
    SW_TRY(read_cell(t, "radius", word[0], (n > 0 ? t->radius[n - 1] : LEAST_RADIUS) / t->unit,
                     1e-2 / t->unit, &radius));
    if (!(radius * t->unit > (n > 0 ? t->radius[n - 1] : 0)))
        return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": radius = %g: need ascending radii", t->path, t->line,
                        radius);
    t->radius[n] = radius * t->unit;
    SW_TRY(read_cell(t, "number", word[1], 0, 1e36, &t->bins.number[n]));
    t->bins.bins++;
    return SW_OK;
}

static sw_status read_lines(table *t, FILE *file)
{
    char *line = NULL, *word[2];
    size_t room = 0;
    int more = 1;
    sw_status status = sw_next_line(t->path, file, &t->line, &line, &room, &more);
    while (status == SW_OK && more) {
        const int words = line[strspn(line, " \t")] == '#' ? 0 : split(line, word);
        if (words > 0)
            status = t->named ? read_row(t, words, word) : read_names(t, words, word);
        if (status == SW_OK)
            status = sw_next_line(t->path, file, &t->line, &line, &room, &more);
    }
    free(line);
    return status;
}

/* The sums, once edges and numbers are there. */
static sw_status add_up(sw_kwn_bins *bins)
{
    SW_TRY(SW_ALLOCATE(bins->below, bins->bins + 1, "a size distribution"));
    for (int64_t i = 0; i < bins->bins; i++)
        bins->below[i + 1] = bins->below[i] + bins->number[i];
    return SW_OK;
}

static sw_status make_edges(table *t)
{
    const int64_t n = t->bins.bins;
    const double *r = t->radius;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += t->bins.number[i];
    if (n < 2 || !(sum > 0))
        return sw_error(SW_ERR_INPUT, "%s: need at least two rows, and a number that is not 0", t->path);
    SW_TRY(SW_ALLOCATE(t->bins.edge, n + 1, "a size distribution"));
    for (int64_t i = 1; i < n; i++)
        t->bins.edge[i] = 0.5 * (r[i - 1] + r[i]);
    t->bins.edge[0] = fmax(0, r[0] - (t->bins.edge[1] - r[0]));
    t->bins.edge[n] = r[n - 1] + (r[n - 1] - t->bins.edge[n - 1]);
    return add_up(&t->bins);
}

sw_status sw_kwn_bins_of_text(const char *path, sw_kwn_bins *bins)
{
    table t = {.path = path};
    FILE *file;
    *bins = (sw_kwn_bins){0};
    SW_TRY(sw_open_text(path, &file));
    sw_status status = read_lines(&t, file);
    fclose(file);
    if (status == SW_OK)
        status = make_edges(&t);
    free(t.radius);
    if (status != SW_OK)
        sw_kwn_bins_free(&t.bins);
    *bins = t.bins;
    return status;
}

/* ---- An earlier run ---- */

/* The last of its times, or the one asked for, with size distributions. */
static sw_status find_time(hid_t file, const char *path, double time, int64_t *index)
{
    int64_t n;
    double *at;
    char name[64];
    SW_TRY(sw_h5_shape(file, "history/time", 1, &n));
    SW_TRY(SW_ALLOCATE(at, n, "times"));
    sw_status status = sw_h5_read(file, "history/time", H5T_NATIVE_DOUBLE, 1, &n, at);
    *index = -1;
    for (int64_t k = 0; k < n && status == SW_OK; k++) {
        snprintf(name, sizeof name, "distribution/%" PRId64, k);
        if (sw_h5_exists(file, name) && (time < 0 || fabs(at[k] - time) <= 1e-9 * fmax(at[k], time)))
            *index = k;
    }
    free(at);
    SW_TRY(status);
    if (*index >= 0)
        return SW_OK;
    return time < 0 ? sw_error(SW_ERR_FORMAT, "%s: has no size distributions", path)
                    : sw_error(SW_ERR_FORMAT, "%s: has no size distributions at %.15g s", path, time);
}

static sw_status read_classes(hid_t file, const char *path, const char *phase, int64_t index, int64_t point,
                              const char *what, int64_t *n, double **value)
{
    char name[160];
    int64_t shape[2];
    hid_t set;
    snprintf(name, sizeof name, "distribution/%" PRId64 "/%s/%s", index, phase, what);
    if (!sw_h5_exists(file, name))
        return sw_error(SW_ERR_FORMAT, "%s: has no size distributions of %s", path, phase);
    SW_TRY(sw_h5_shape(file, name, 2, shape));
    if (point >= shape[0])
        return sw_error(SW_ERR_FORMAT, "%s: point %" PRId64 ": need 0 to %" PRId64, path, point,
                        shape[0] - 1);
    *n = shape[1];
    SW_TRY(SW_ALLOCATE(*value, *n, "a size distribution"));
    SW_TRY(sw_h5_open_set(file, name, &set));
    const sw_status status = sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, point, 1, *value);
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

int sw_kwn_place_in(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (int place = 0;; place++) {
        const size_t n = strcspn(names, ",");
        if (n == length && strncmp(names, name, n) == 0)
            return place;
        if (names[n] == '\0')
            return -1;
        names += n + 1;
    }
}

/* Of /points a row at a point and a time, of at most `most` numbers -> value; none of files that do not have it. */
static sw_status read_row_at(hid_t file, const char *quantity, int rank, int64_t point, int64_t index,
                             int most, double *value)
{
    char name[64];
    int64_t shape[3] = {0, 0, 1};
    double *rows;
    hid_t set;
    snprintf(name, sizeof name, "points/%s", quantity);
    if (!sw_h5_exists(file, name))
        return SW_OK;
    SW_TRY(sw_h5_shape(file, name, rank, shape));
    if (index >= shape[1] || shape[2] > most)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(rows, shape[1] * shape[2], "an earlier run"));
    sw_status status = sw_h5_open_set(file, name, &set);
    if (status == SW_OK) {
        status = sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, point, 1, rows);
        (void)sw_h5_close_set(set);
    }
    if (status == SW_OK)
        memcpy(value, rows + index * shape[2], (size_t)shape[2] * sizeof *value);
    free(rows);
    return status;
}

/* Texts of /alloy, where the file has them. */
static sw_status read_alloy(hid_t file, sw_kwn_bins *bins)
{
    const struct {
        const char *name;
        char **text;
    } texts[] = {{"name", &bins->alloy_name},
                 {"file", &bins->alloy_text},
                 {"solutes", &bins->end.solutes},
                 {"phases", &bins->end.phases}};
    const hid_t alloy = H5Gopen2(file, "alloy", H5P_DEFAULT);
    sw_status status = SW_OK;
    for (int i = 0; i < 4 && alloy >= 0 && status == SW_OK; i++)
        if (H5Aexists(alloy, texts[i].name) > 0)
            status = sw_h5_read_text(alloy, texts[i].name, texts[i].text);
    if (alloy >= 0)
        H5Gclose(alloy);
    return status;
}

static sw_status read_end(hid_t file, const char *phase, int64_t index, int64_t point, sw_kwn_bins *bins)
{
    double theta[SW_KWN_PHASES] = {0};
    sw_kwn_end *end = &bins->end;
    SW_TRY(read_alloy(file, bins));
    SW_TRY(read_row_at(file, "incubation", 3, point, index, SW_KWN_PHASES, theta));
    SW_TRY(read_row_at(file, "matrix_composition", 3, point, index, SW_KWN_SOLUTES, end->matrix));
    SW_TRY(read_row_at(file, "volume_fraction", 3, point, index, SW_KWN_PHASES, end->fraction));
    SW_TRY(read_row_at(file, "vacancies", 2, point, index, 1, &end->vacancies));
    const int place = end->phases == NULL ? -1 : sw_kwn_place_in(end->phases, phase);
    bins->incubation = place >= 0 && place < SW_KWN_PHASES ? theta[place] : 0;
    return SW_OK;
}

static int is_sane(const sw_kwn_bins *bins)
{
    for (int64_t i = 0; i < bins->bins; i++)
        if (!(bins->edge[i] >= 0 && bins->edge[i + 1] > bins->edge[i] && bins->number[i] >= 0 &&
              bins->number[i] <= 1e36))
            return 0;
    return bins->incubation >= 0 && bins->end.vacancies >= 0;
}

static sw_status read_run(hid_t file, const char *path, const char *phase, int64_t point, double time,
                          sw_kwn_bins *bins)
{
    int64_t index;
    double *radius = NULL, *width = NULL;
    SW_TRY(find_time(file, path, time, &index));
    sw_status status = read_classes(file, path, phase, index, point, "number", &bins->bins, &bins->number);
    const int64_t n = bins->bins;
    if (status == SW_OK)
        status = read_classes(file, path, phase, index, point, "radius", &bins->bins, &radius);
    if (status == SW_OK)
        status = read_classes(file, path, phase, index, point, "width", &bins->bins, &width);
    if (status == SW_OK)
        status = SW_ALLOCATE(bins->edge, n + 1, "a size distribution");
    if (status == SW_OK) {
        /* widths go up by a ratio q, of which the pivot is (q^(1/2) - 1) / (q - 1) of the way through its class */
        const double q = n > 1 ? width[1] / width[0] : 1;
        bins->edge[0] = fmax(0, radius[0] - width[0] / (1 + sqrt(q)));
        if (bins->edge[0] < 1e-6 * width[0])
            bins->edge[0] = 0;
        for (int64_t i = 0; i < n; i++)
            bins->edge[i + 1] = bins->edge[i] + width[i];
        status = read_end(file, phase, index, point, bins);
    }
    free(radius);
    free(width);
    SW_TRY(status);
    return is_sane(bins) ? add_up(bins)
                         : sw_error(SW_ERR_FORMAT, "%s: size distributions of %s are damaged", path, phase);
}

sw_status sw_kwn_bins_of_run(const char *path, const char *phase, int64_t point, double time,
                             sw_kwn_bins *bins)
{
    hid_t file;
    *bins = (sw_kwn_bins){0};
    SW_TRY(sw_h5_open(path, 0, &file));
    const sw_status status = read_run(file, path, phase, point, time, bins);
    H5Fclose(file);
    if (status != SW_OK)
        sw_kwn_bins_free(bins);
    return status;
}

/* ---- Either ---- */

void sw_kwn_bins_free(sw_kwn_bins *bins)
{
    free(bins->edge);
    free(bins->number);
    free(bins->below);
    free(bins->alloy_name);
    free(bins->alloy_text);
    free(bins->end.solutes);
    free(bins->end.phases);
    *bins = (sw_kwn_bins){0};
}

double sw_kwn_bins_number(const sw_kwn_bins *bins) { return bins->below[bins->bins]; }

double sw_kwn_bins_below(const sw_kwn_bins *bins, double radius)
{
    int64_t low = 0, high = bins->bins; /* edge[low] <= radius < edge[high] */
    if (!(radius > bins->edge[0]))
        return 0;
    if (radius >= bins->edge[high])
        return 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (bins->edge[middle] <= radius)
            low = middle;
        else
            high = middle;
    }
    const double part = (radius - bins->edge[low]) / (bins->edge[high] - bins->edge[low]);
    return (bins->below[low] + part * bins->number[low]) / sw_kwn_bins_number(bins);
}
