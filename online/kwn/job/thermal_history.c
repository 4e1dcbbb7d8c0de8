#include "thermal_history.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloy_file.h"
#include "common/files/hdf5_io.h"
#include "online/kwn/model/mobility.h"

/* ---- One for all points ---- */

static sw_status allocate(int64_t n, sw_kwn_history *h)
{
    *h = (sw_kwn_history){0};
    SW_TRY(SW_ALLOCATE(h->time, n, "a thermal history"));
    const sw_status status = SW_ALLOCATE(h->temperature, n, "a thermal history");
    if (status != SW_OK)
        sw_kwn_history_free(h);
    return status;
}

static void add_knot(sw_kwn_history *h, double time, double temperature)
{
    h->time[h->n_knots] = time;
    h->temperature[h->n_knots++] = (float)temperature;
}

sw_status sw_kwn_history_of_segments(double temperature, unsigned n, const sw_kwn_segment *segment,
                                     sw_kwn_history *h)
{
    double time = 0;
    SW_TRY(allocate((int64_t)n + 1, h));
    add_knot(h, time, temperature);
    for (const sw_kwn_segment *s = segment; s != NULL && s < segment + n; s++) {
        const double to = s->hold > 0 ? temperature : s->ramp_to > 0 ? s->ramp_to : s->quench_to;
        time += s->rate > 0 ? fabs(to - temperature) / s->rate : s->hold + s->duration;
        temperature = to;
        add_knot(h, time, temperature);
    }
    return SW_OK;
}

sw_status sw_kwn_history_of_table(unsigned n, const double (*row)[2], sw_kwn_history *h)
{
    SW_TRY(allocate(n, h));
    for (unsigned i = 0; i < n; i++)
        add_knot(h, row[i][0], row[i][1]);
    return SW_OK;
}

void sw_kwn_history_free(sw_kwn_history *h)
{
    free(h->time);
    free(h->temperature);
    free(h->path);
    *h = (sw_kwn_history){0};
}

double sw_kwn_history_end(const sw_kwn_history *h) { return h->time[h->n_knots - 1]; }

/* ---- One a point, from a file ---- */

enum { ROWS = 1024 }; /* points of a file that are checked at a time */

static sw_status check_times(const sw_kwn_history *h)
{
    for (int64_t k = 0; k < h->n_knots; k++) {
        const double t = h->time[k], least = k == 0 ? 0 : h->time[k - 1];
        if (k == 0 && t != 0)
            return sw_error(SW_ERR_FORMAT, "%s: time, index 0 = %.10g s: need 0 at the start", h->path, t);
        if (!(t >= least && t <= SW_KWN_LONGEST))
            return sw_error(SW_ERR_FORMAT, "%s: time, index %" PRId64 " = %.10g s: need %.10g to %.10g",
                            h->path, k, t, least, SW_KWN_LONGEST);
    }
    if (!(sw_kwn_history_end(h) > 0))
        return sw_error(SW_ERR_FORMAT, "%s: time ends at 0 s: need an end after it", h->path);
    return SW_OK;
}

/* The first cold one of a file. */
static void note_cold(sw_kwn_history *h, int64_t point, int64_t index, double temperature)
{
    char text[SW_KWN_COLD_TEXT];
    sw_kwn_span_add(&h->span, temperature);
    if (h->noted_cold || !sw_kwn_is_cold(temperature))
        return;
    h->noted_cold = 1;
    sw_warn("%s: temperature, point %" PRId64 ", index %" PRId64 "%s", h->path, point, index,
            sw_kwn_cold_text(temperature, text));
}

/* The first such composition of a file. */
static void note_weights(sw_kwn_history *h, const sw_kwn_alloy *alloy, int64_t first, int64_t count,
                         const double *composition)
{
    char text[SW_KWN_WEIGHTS_TEXT];
    for (int64_t i = 0; i < count && !h->noted_weights; i++) {
        h->noted_weights = sw_kwn_weights_text(alloy, composition + i * h->n_solutes, text) != NULL;
        if (h->noted_weights)
            sw_warn("%s: composition, point %" PRId64 "%s", h->path, first + i, text);
    }
}

/* rows [count][n_knots] of points first ... */
static sw_status check_temperatures(sw_kwn_history *h, int64_t first, int64_t count, const float *row)
{
    for (int64_t i = 0; i < count * h->n_knots; i++) {
        if (!(row[i] >= SW_KWN_COLDEST && row[i] <= SW_KWN_HOTTEST))
            return sw_error(SW_ERR_FORMAT,
                            "%s: temperature, point %" PRId64 ", index %" PRId64 " = %g K: need %g to %g",
                            h->path, first + i / h->n_knots, i % h->n_knots, (double)row[i], SW_KWN_COLDEST,
                            SW_KWN_HOTTEST);
        note_cold(h, first + i / h->n_knots, i % h->n_knots, (double)row[i]);
    }
    return SW_OK;
}

static sw_status read_rows(hid_t file, const char *name, hid_t type, int64_t first, int64_t count, void *data)
{
    hid_t set;
    SW_TRY(sw_h5_open_set(file, name, &set));
    const sw_status status = sw_h5_read_rows(set, type, first, count, data);
    H5Dclose(set);
    return status;
}

#define COMPOSITION "%s: composition, point %" PRId64 ", index %d (%s) = %g: need "

/* Of a point in the file's unit: the bound of one depends on the others, which are to be numbers first. */
static sw_status check_composition(const sw_kwn_history *h, const sw_kwn_alloy *alloy, int64_t point,
                                   const double *given)
{
    for (int i = 0; i < h->n_solutes; i++)
        if (!(given[i] >= 0 && isfinite(given[i])))
            return sw_error(SW_ERR_FORMAT, COMPOSITION "a finite number, 0 or more", h->path, point, i,
                            alloy->solute[i].element, given[i]);
    for (int i = 0; i < h->n_solutes; i++) {
        const double most = sw_kwn_most_of(alloy, given, i, 0.5);
        if (!(given[i] <= most))
            return sw_error(SW_ERR_FORMAT, COMPOSITION "0 to %g", h->path, point, i, alloy->solute[i].element,
                            given[i], most);
    }
    return SW_OK;
}

static sw_status read_compositions(const sw_kwn_history *h, hid_t file, const sw_kwn_alloy *alloy,
                                   int64_t first, int64_t count, double *composition)
{
    SW_TRY(read_rows(file, "composition", H5T_NATIVE_DOUBLE, first, count, composition));
    for (int64_t point = 0; point < count; point++) {
        double *given = composition + point * h->n_solutes;
        SW_TRY(check_composition(h, alloy, first + point, given));
        sw_kwn_to_fractions(alloy, given, given);
    }
    return SW_OK;
}

static sw_status check_rows(sw_kwn_history *h, hid_t file, const sw_kwn_alloy *alloy)
{
    float *row = NULL;
    double composition[ROWS * SW_KWN_SOLUTES];
    char text[SW_KWN_CELSIUS_TEXT];
    sw_status status = SW_ALLOCATE(row, ROWS * h->n_knots, "thermal histories");
    for (int64_t first = 0; first < h->n_points && status == SW_OK; first += ROWS) {
        const int64_t count = h->n_points - first < ROWS ? h->n_points - first : ROWS;
        status = read_rows(file, "temperature", H5T_NATIVE_FLOAT, first, count, row);
        if (status == SW_OK)
            status = check_temperatures(h, first, count, row);
        if (status == SW_OK && h->n_solutes > 0)
            status = read_compositions(h, file, alloy, first, count, composition);
        if (status == SW_OK && h->n_solutes > 0)
            note_weights(h, alloy, first, count, composition);
    }
    free(row);
    if (status == SW_OK && !h->noted_cold && sw_kwn_is_celsius(alloy, &h->span))
        sw_warn("%s: temperature%s", h->path, sw_kwn_celsius_text(&h->span, text));
    return status;
}

static sw_status read_shapes(sw_kwn_history *h, hid_t file, const sw_kwn_alloy *alloy)
{
    int64_t times, shape[2];
    SW_TRY(sw_h5_shape(file, "time", 1, &times));
    SW_TRY(sw_h5_shape(file, "temperature", 2, shape));
    h->n_points = shape[0];
    h->n_knots = shape[1];
    if (times < 2 || h->n_points < 1)
        return sw_error(SW_ERR_FORMAT, "%s: %" PRId64 " times of %" PRId64 " points: need at least 2 of 1",
                        h->path, times, h->n_points);
    if (times != h->n_knots)
        return sw_error(SW_ERR_FORMAT,
                        "%s: temperature has %" PRId64 " columns: need the %" PRId64 " of time", h->path,
                        h->n_knots, times);
    if (!sw_h5_exists(file, "composition"))
        return SW_OK;
    SW_TRY(sw_h5_shape(file, "composition", 2, shape));
    h->n_solutes = alloy->n_solutes;
    if (shape[0] != h->n_points || shape[1] != h->n_solutes)
        return sw_error(SW_ERR_FORMAT,
                        "%s: composition is %" PRId64 " x %" PRId64 ": need %" PRId64 " points x %" PRId64
                        " solutes",
                        h->path, shape[0], shape[1], h->n_points, h->n_solutes);
    return SW_OK;
}

static sw_status read_file(sw_kwn_history *h, hid_t file, const sw_kwn_alloy *alloy)
{
    SW_TRY(read_shapes(h, file, alloy));
    SW_TRY(SW_ALLOCATE(h->time, h->n_knots, "thermal histories"));
    SW_TRY(sw_h5_read(file, "time", H5T_NATIVE_DOUBLE, 1, &h->n_knots, h->time));
    SW_TRY(check_times(h));
    return check_rows(h, file, alloy);
}

sw_status sw_kwn_history_open(const char *path, const sw_kwn_alloy *alloy, sw_kwn_history *h)
{
    hid_t file;
    *h = (sw_kwn_history){.path = strdup(path)};
    if (h->path == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    sw_status status = sw_h5_open(path, 0, &file);
    if (status == SW_OK) {
        status = read_file(h, file, alloy);
        H5Fclose(file);
    }
    if (status != SW_OK)
        sw_kwn_history_free(h);
    return status;
}

/* row [count][n] -> column [n][count] */
static void transpose(int64_t count, int64_t n, const float *row, float *column)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < n; k++)
            column[k * count + i] = row[i * n + k];
}

sw_status sw_kwn_history_read(const sw_kwn_history *h, const sw_kwn_alloy *alloy, int64_t first,
                              int64_t count, float *temperature, double *composition)
{
    hid_t file;
    float *row;
    SW_TRY(SW_ALLOCATE(row, count * h->n_knots, "thermal histories"));
    sw_status status = sw_h5_open(h->path, 0, &file);
    if (status == SW_OK) {
        status = read_rows(file, "temperature", H5T_NATIVE_FLOAT, first, count, row);
        if (status == SW_OK && h->n_solutes > 0)
            status = read_compositions(h, file, alloy, first, count, composition);
        H5Fclose(file);
    }
    if (status == SW_OK)
        transpose(count, h->n_knots, row, temperature);
    free(row);
    return status;
}

/* ---- Parts ---- */

/* The last knot that is not after a time. */
static int64_t knot_before(const sw_kwn_history *h, double time)
{
    int64_t low = 0, high = h->n_knots;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (h->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t sw_kwn_history_part(const sw_kwn_history *h, int64_t width, const float *temperature, double from,
                            double to, double *time, float *part)
{
    int64_t k = knot_before(h, from), n = 0;
    for (; k < h->n_knots - 1 && (n == 0 || h->time[k] < to); k++, n++) {
        time[n] = h->time[k];
        memcpy(part + n * width, temperature + k * width, (size_t)width * sizeof *part);
    }
    const double before = h->time[k - 1], place = (to - before) / (h->time[k] - before);
    const float *a = temperature + (k - 1) * width, *b = a + width;
    time[n] = to;
    for (int64_t i = 0; i < width; i++)
        part[n * width + i] = (float)(a[i] + (b[i] - (double)a[i]) * place);
    return n + 1;
}
