/* .txt: rows of three Bunge angles in degrees, whose columns a header names. MTEX reads orientations so, and exports an
 * ODF so: its values at a regular grid of angles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/rotation.h"
#include "crystal_reader.h"

#define DEGREE (SW_PI / 180)

/* What the fourth column is. */
typedef enum { NONE, WEIGHT, VALUE } meaning;

/* ---- The header ---- */

/* "% phi1 Phi phi2 weight", with or without a mark: 1, and what the fourth column is; 0: another line. */
static int names_columns(const char *line, meaning *fourth)
{
    static const char *const angles[] = {"phi1", "Phi", "phi2"};
    char word[SW_CRYSTAL_WORD];
    line += strspn(line, " \t%#");
    for (int i = 0; i < 3; i++)
        if (!sw_crystal_next_word(&line, word) || strcasecmp(word, angles[i]) != 0)
            return 0;
    *fourth = NONE;
    if (!sw_crystal_next_word(&line, word))
        return 1;
    *fourth = strcasecmp(word, "value") == 0                                        ? VALUE
              : strcasecmp(word, "weight") == 0 || strcasecmp(word, "weights") == 0 ? WEIGHT
                                                                                    : NONE;
    return *fourth != NONE && !sw_crystal_next_word(&line, word);
}

/* What a line says of the crystals' symmetry; NULL: nothing. */
static const char *find_symmetry(const char *line)
{
    static const char *const labels[] = {"crystal symmetry", "point group"};
    line += strspn(line, " \t%#");
    for (int i = 0; i < 2; i++)
        if (strncasecmp(line, labels[i], strlen(labels[i])) == 0)
            return line + strlen(labels[i]);
    return NULL;
}

/* "% crystal symmetry: 6/mmm, X||a*, Y||b, Z||c*", "... Titanium (6/mmm, X||a)", as MTEX and Slipwave write it. Several such
 * lines have to agree. */
static sw_status note_symmetry(sw_crystal_reader *r)
{
    static const char between[] = " \t:,;()[]\"'";
    const char *x = strstr(r->line, "X||a"), *at = find_symmetry(r->line);
    const sw_point_group *group = NULL;
    if (x != NULL)
        r->hexagonal_x = x[strlen("X||a")] == '*' ? SW_HEXAGONAL_A_STAR : SW_HEXAGONAL_A;
    if (at == NULL)
        return SW_OK;
    while (group == NULL && *(at += strspn(at, between)) != '\0') {
        char word[SW_CRYSTAL_WORD];
        const size_t length = strcspn(at, between);
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        group = sw_crystal_group_called(r, word);
        at += length;
    }
    if (group == NULL) {
        char need[100];
        snprintf(need, sizeof need, "need the symmetry of a %s crystal", sw_crystal_wanted_system(r));
        return sw_crystal_bad_line(r, need);
    }
    r->group = group;
    return SW_OK;
}

/* Which axis is along x is said of hexagonal crystals. */
static void end_header(sw_crystal_reader *r)
{
    if (r->group == NULL && r->hexagonal_x != 0)
        r->group = &sw_point_group_622;
}

/* Up to the first row, which is then in reader->line; *more as of it. */
static sw_status read_header(sw_crystal_reader *r, meaning *fourth, int *more)
{
    static const char need[] = "need a line \"phi1 Phi phi2\", then \"weight\", or \"value\" for an ODF, or "
                               "nothing, before the first row";
    int named = 0;
    for (;;) {
        double value[1];
        SW_TRY(sw_crystal_next_line(r, more));
        if (!*more)
            return named ? SW_OK : sw_error(SW_ERR_INPUT, "%s: %s", r->path, need);
        const int is_row = !sw_crystal_is_remark(r) && strchr(r->line, '%') == NULL &&
                           sw_crystal_parse_row(r->line, 1, value) == 1;
        if (is_row)
            return named ? SW_OK : sw_crystal_bad_line(r, need);
        named |= names_columns(r->line, fourth);
        SW_TRY(note_symmetry(r));
    }
}

/* ---- An ODF on a grid ---- */

/* One of its angles: n values, from `first` on by `step`, degrees. */
typedef struct {
    double first, step, range;
    int64_t n;
    int whole; /* cells at the ends are: the grid is periodic, or begins half a step from 0 */
} axis;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Values of angle number i. */
static sw_status find_axis(const sw_crystal_reader *r, int i, double *sorted, axis *a)
{
    /* phi2 of hexagonal crystals last: whole turns over their sixfold axis */
    static const struct {
        double range[4];
        const char *text;
    } all[4] = {{{90, 180, 360}, "90, 180 or 360"},
                {{90, 180}, "90 or 180"},
                {{90, 180, 360}, "90, 180 or 360"},
                {{60, 120, 180, 360}, "60, 120, 180 or 360"}};
    const int kind = i == 2 && r->group == &sw_point_group_622 ? 3 : i;
    const double *ranges = all[kind].range;
    static const char *const name[] = {"phi1", "Phi", "phi2"};
    int64_t n = 0;
    for (int64_t k = 0; k < r->count; k++)
        sorted[k] = r->euler[k][i] / DEGREE;
    qsort(sorted, (size_t)r->count, sizeof *sorted, by_value);
    for (int64_t k = 0; k < r->count; k++)
        if (n == 0 || sorted[k] - sorted[n - 1] > 1e-3)
            sorted[n++] = sorted[k];
    *a =
        (axis){.first = sorted[0], .n = n, .step = n > 1 ? (sorted[n - 1] - sorted[0]) / (double)(n - 1) : 0};
    int regular = a->step >= 0.05; /* far above what digits leave uneven */
    for (int64_t k = 0; k < n && regular; k++)
        regular = fabs(sorted[k] - a->first - (double)k * a->step) <= 2e-3;
    const double last = sorted[n - 1], slack = 1e-2;
    for (int k = 0; k < 4 && ranges[k] > 0 && a->range == 0 && regular; k++) {
        const double range = ranges[k];
        const int nodes = fabs(a->first) < slack && fabs(last - range) < slack;
        const int middles =
            fabs(a->first - 0.5 * a->step) < slack && fabs(last + 0.5 * a->step - range) < slack;
        /* a range of 90 degrees of phi1 goes on with its mirror image, not with itself */
        const int repeats = i == 2 || (i == 0 && range > 90);
        const int periodic = repeats && fabs(a->first) < slack && fabs(last + a->step - range) < slack;
        a->whole = !nodes;
        a->range = nodes || middles || periodic ? range : 0;
    }
    return a->range > 0
               ? SW_OK
               : sw_error(
                     SW_ERR_INPUT,
                     "%s: %lld values of %s, from %g to %g: an ODF needs even steps from 0 to %s degrees",
                     r->path, (long long)n, name[i], a->first, last, all[kind].text);
}

/* The part of a cell about an angle that is within its axis, as low and high. */
static void cell_at(const axis *a, double angle, double *low, double *high)
{
    *low = angle - 0.5 * a->step;
    *high = angle + 0.5 * a->step;
    if (!a->whole) {
        *low = fmax(*low, 0);
        *high = fmin(*high, a->range);
    }
}

/* A crystal at number k of `value`: over the volume of its cell, dphi1 d(cos Phi) dphi2. */
static double weight_of(const sw_crystal_reader *r, const axis a[3], int64_t k)
{
    double low[3], high[3];
    for (int i = 0; i < 3; i++)
        cell_at(&a[i], r->euler[k][i] / DEGREE, &low[i], &high[i]);
    return r->weight[k] * (high[0] - low[0]) * (high[2] - low[2]) *
           (cos(fmax(low[1], 0) * DEGREE) - cos(fmin(high[1], 180) * DEGREE));
}

/* Those of a sample symmetry that a range of phi1 of 180 or 90 degrees stands for: a half turn about axis 3, and one
 * about axis 1. */
static sw_status add_images(sw_crystal_reader *r, double range)
{
    const int64_t n = r->count;
    const int images = range == 90 ? 4 : range == 180 ? 2 : 1;
    for (int64_t k = 0; k < n; k++)
        for (int image = 1; image < images; image++) {
            const double *e = r->euler[k];
            const int about_1 = image & 2, about_3 = image & 1;
            const double first = (about_1 ? -e[0] : e[0]) + (about_3 ? SW_PI : 0);
            const double angle[3] = {sw_wrap_angle(first) / r->unit,
                                     (about_1 ? SW_PI - e[1] : e[1]) / r->unit,
                                     sw_wrap_angle(about_1 ? e[2] + SW_PI : e[2]) / r->unit};
            SW_TRY(sw_crystal_put(r, angle, r->weight[k]));
        }
    return SW_OK;
}

/* One value a point: where angles were wrapped, those of 360 degrees stand beside those of 0. Other values there are of
 * another ODF. */
static sw_status drop_repeats(sw_crystal_reader *r, const axis a[3])
{
    const int64_t points = a[0].n * a[1].n * a[2].n;
    int64_t kept = 0, *seen; /* [points] number of the one there, and 1 */
    if (points > r->count)   /* too few */
        return SW_OK;
    SW_TRY(SW_ALLOCATE(seen, points, "points of an ODF"));
    sw_status status = SW_OK;
    for (int64_t k = 0; k < r->count && status == SW_OK; k++) {
        const double *e = r->euler[k];
        int64_t at = 0;
        for (int i = 0; i < 3; i++)
            at = at * a[i].n + llround((e[i] / DEGREE - a[i].first) / a[i].step);
        const double value = seen[at] > 0 ? r->weight[seen[at] - 1] : r->weight[k];
        if (fabs(r->weight[k] - value) > 1e-3 * fmax(value, 1))
            status = sw_error(SW_ERR_INPUT, "%s: values %g and %g of angles %g %g %g: need one ODF in a file",
                              r->path, value, r->weight[k], e[0] / DEGREE, e[1] / DEGREE, e[2] / DEGREE);
        if (seen[at] > 0)
            continue;
        seen[at] = kept + 1;
        sw_crystal_keep(r, kept++, k);
    }
    r->count = kept;
    free(seen);
    return status;
}

static void drop_zeros(sw_crystal_reader *r)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < r->count; k++)
        if (r->weight[k] > 0)
            sw_crystal_keep(r, kept++, k);
    r->count = kept;
}

/* Phi and phi2 have to hold an equivalent of every orientation: 180 x 360 degrees over the group's rotations. Of orthorhombic
 * crystals 90 x 90 are half of that. */
static sw_status check_space(const sw_crystal_reader *r, const axis a[3])
{
    const sw_point_group *group = r->group;
    return group == NULL || a[1].range * a[2].range * group->order >= 180 * 360
               ? SW_OK
               : sw_error(
                     SW_ERR_INPUT,
                     "%s: Phi to %g and phi2 to %g degrees: an ODF of %s crystals needs one of them to 180",
                     r->path, a[1].range, a[2].range, group->system);
}

/* Values -> crystals of weights, one a cell. */
static sw_status finish_odf(sw_crystal_reader *r)
{
    axis a[3];
    double *sorted;
    SW_TRY(SW_ALLOCATE(sorted, r->count, "angles of an ODF"));
    sw_status status = SW_OK;
    for (int i = 0; i < 3 && status == SW_OK; i++)
        status = find_axis(r, i, sorted, &a[i]);
    free(sorted);
    SW_TRY(status);
    SW_TRY(check_space(r, a));
    SW_TRY(drop_repeats(r, a));
    if (a[0].n * a[1].n * a[2].n != r->count)
        return sw_error(SW_ERR_INPUT, "%s: %lld values: need one for each of %lld x %lld x %lld angles",
                        r->path, (long long)r->count, (long long)a[0].n, (long long)a[1].n,
                        (long long)a[2].n);
    for (int64_t k = 0; k < r->count; k++)
        r->weight[k] = weight_of(r, a, k);
    for (int i = 0; i < 3; i++)
        r->cell[i] = a[i].step * DEGREE;
    drop_zeros(r);
    snprintf(r->about, sizeof r->about,
             "an ODF of %lld x %lld x %lld values, to phi1 = %g: %s sample symmetry", (long long)a[0].n,
             (long long)a[1].n, (long long)a[2].n, a[0].range,
             a[0].range == 90    ? "orthorhombic"
             : a[0].range == 180 ? "monoclinic"
                                 : "no");
    return add_images(r, a[0].range);
}

/* ---- Rows ---- */

static sw_status add_row(sw_crystal_reader *r, meaning fourth)
{
    double value[5];
    const int count = sw_crystal_parse_row(r->line, 5, value);
    if (count != (fourth == NONE ? 3 : 4))
        return sw_crystal_bad_line(r, "need as many numbers as the header names columns");
    if (fourth == VALUE && !(value[3] <= 1e30))
        return sw_crystal_bad_line(r, "need a density of at most 1e30");
    if (fourth == VALUE) /* series that are cut off pass below 0 */
        return sw_crystal_put(r, value, fmax(value[3], 0));
    return sw_crystal_add(r, value, fourth == NONE ? 1 : value[3]);
}

/* The next row; SW_ERR_INPUT for a line that names columns anew. */
static sw_status next_row(sw_crystal_reader *r, int *more)
{
    meaning fourth;
    do {
        SW_TRY(sw_crystal_next_line(r, more));
        if (*more && names_columns(r->line, &fourth))
            return sw_crystal_bad_line(r, "a second table: need one in a file");
    } while (*more && sw_crystal_is_remark(r));
    return SW_OK;
}

/* MTEX writes textures for VPSC under this suffix, too: whether the fourth line says so. Goes back to the first. */
static sw_status is_vpsc(sw_crystal_reader *r, int *is)
{
    int more = 1;
    for (int i = 0; i < 4 && more; i++)
        SW_TRY(sw_crystal_next_line(r, &more));
    *is = more && sw_crystal_begins_vpsc(r->line);
    rewind(r->file);
    r->line_number = 0;
    return SW_OK;
}

sw_status sw_crystal_read_table(sw_crystal_reader *r)
{
    meaning fourth = NONE;
    int more, is;
    SW_TRY(is_vpsc(r, &is));
    if (is)
        return sw_crystal_read_vpsc(r);
    SW_TRY(read_header(r, &fourth, &more));
    end_header(r);
    while (more) {
        SW_TRY(add_row(r, fourth));
        SW_TRY(next_row(r, &more));
    }
    return fourth == VALUE && r->count > 0 ? finish_odf(r) : SW_OK;
}
