#include "crystal_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/hash.h"
#include "common/files/output_file.h"
#include "common/files/text.h"
#include "common/math/rotation.h"
#include "formats/crystal_reader.h"
#include "formats/crystal_writers.h"

#define DEGREE (SW_PI / 180)

/* ---- The formats ---- */

/* What of a filter a format has something for. */
enum { PHASES = 1, STEPS = 2, CONFIDENCE = 4, DEVIATION = 8, PLACES = 16 };

/* Which axis of hexagonal crystals is along x. EDAX's scans have a, Oxford's a* (MTEX's loaders of .ang, and of .ctf files of
 * trigonal crystals; DREAM.3D, which adds 30 degrees to phi2 of the latter); VPSC and DAMASK have a. Tables are of MTEX,
 * where it is what its user says, and by default a*. */
enum { A = SW_HEXAGONAL_A, A_STAR = SW_HEXAGONAL_A_STAR };

static const struct format {
    const char *suffix;
    int has;
    double unit; /* of its angles, rad */
    sw_status (*read)(sw_crystal_reader *r);
    void (*write)(const sw_crystal_writing *w); /* NULL: this format is not written */
    int without_weights, with_lattice;
    int hexagonal_x; /* 0: it does not say */
} formats[] = {
    {".tex", STEPS, DEGREE, sw_crystal_read_vpsc, sw_crystal_write_tex, 0, 0,
     A}, /* which VPSC's own names are for */
    {".red", STEPS, DEGREE, sw_crystal_read_vpsc, NULL, 0, 0, A},
    {".ful", STEPS, DEGREE, sw_crystal_read_vpsc, NULL, 0, 0, A},
    {".out", STEPS, DEGREE, sw_crystal_read_vpsc, NULL, 0, 0, A},
    {".ori", 0, DEGREE, sw_crystal_read_ori, sw_crystal_write_ori, 0, 0, A},
    {".txt", 0, DEGREE, sw_crystal_read_table, sw_crystal_write_table, 0, 0, 0},
    {".ang", PHASES | PLACES | CONFIDENCE, 1, sw_crystal_read_ang, sw_crystal_write_ang, 1, 0, A},
    {".ctf", PHASES | PLACES | DEVIATION, DEGREE, sw_crystal_read_ctf, sw_crystal_write_ctf, 1, 1, A_STAR},
    {".yaml", PHASES, 1, sw_crystal_read_damask, sw_crystal_write_damask, 0, 1, A},
    {".h5", PHASES | STEPS, 1, sw_crystal_read_results, NULL, 0, 0, A},
};

/* By suffix; VPSC calls its textures TEX_PH1.OUT, and its users add what suffix they like. */
static const struct format *find_format(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path,
               *suffix = strrchr(name, '.');
    for (size_t i = 0; suffix != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(suffix, formats[i].suffix) == 0)
            return &formats[i];
    return strncasecmp(name, "TEX_PH", strlen("TEX_PH")) == 0 ? &formats[0] : NULL;
}

/* ---- Reading ---- */

/* Nobody who asks for some of a file's rows may get all of them. */
static sw_status check_filter(const char *path, const sw_crystal_filter *f, const struct format *format)
{
    const struct {
        int asked, needs;
        const char *key, *what;
    } checks[] = {{f->phase != NULL, PHASES, "phase", "phases"},
                  {f->step != NULL, STEPS, "step", "steps"},
                  {f->confidence > 0, CONFIDENCE, "confidence", "confidence index"},
                  {f->deviation > 0, DEVIATION, "deviation", "mean angular deviation"},
                  {f->every > 1, PLACES, "every", "places"},
                  {f->grain_angle > 0, PLACES, "grain_angle", "places"}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].asked && !(format->has & checks[i].needs))
            return sw_error(SW_ERR_INPUT, "%s: a file %s has no %s: need no `%s` beside it%s%.80s", path,
                            format->suffix, checks[i].what, checks[i].key, i == 0 ? ", " : "",
                            i == 0 ? f->phase : "");
    if (f->grain_points > 1 && f->grain_angle == 0)
        return sw_error(SW_ERR_INPUT, "%s: grain_points = %lld: need grain_angle beside it", path,
                        (long long)f->grain_points);
    return SW_OK;
}

static sw_status open_reader(const char *path, const sw_crystal_filter *filter, const struct format *format,
                             sw_crystal_reader *r)
{
    if (format == NULL)
        return sw_error(
            SW_ERR_INPUT,
            "%s: unknown suffix: need .ori, .tex (or VPSC's .red, .ful, .out), .txt, .ang, .ctf, .yaml "
            "or .h5",
            path);
    SW_TRY(check_filter(path, filter, format));
    *r = (sw_crystal_reader){.path = path,
                             .filter = filter,
                             .group = filter->group,
                             .hexagonal_x = format->hexagonal_x,
                             .unit = format->unit};
    return sw_open_text(path, &r->file);
}

/* From the file's axes, or a scanner's, to the sample's. */
static sw_status turn_axes(sw_crystal_reader *r)
{
    double turn[3][3];
    if (r->filter->axes == NULL)
        return SW_OK;
    if (sw_crystal_axes(r->filter->axes, turn) != SW_OK) {
        char message[400];
        snprintf(message, sizeof message, "%s", sw_error_message());
        return sw_error(SW_ERR_INPUT, "%s: %s", r->path, message);
    }
    for (int64_t n = 0; n < r->count; n++) {
        double g[3][3], turned[3][3];
        sw_rotation_from_euler(r->euler[n], g);
        for (int i = 0; i < 9; i++)
            turned[i / 3][i % 3] =
                turn[i / 3][0] * g[0][i % 3] + turn[i / 3][1] * g[1][i % 3] + turn[i / 3][2] * g[2][i % 3];
        sw_euler_from_rotation(turned, r->euler[n]);
    }
    return SW_OK;
}

/* A quarter turn less than the axes' 120 degrees: from a to a*. Hexagonal crystals are as well turned by it the other way. */
#define FROM_A_TO_A_STAR (30 * DEGREE)

/* Hexagonal crystals with a along x, whatever is in the file. */
static sw_status turn_crystals(sw_crystal_reader *r)
{
    const sw_crystal_filter *f = r->filter;
    const int x = f->hexagonal_x != SW_HEXAGONAL_FORMAT ? f->hexagonal_x : r->hexagonal_x;
    if (r->group != &sw_point_group_622)
        return f->hexagonal_x == SW_HEXAGONAL_FORMAT
                   ? SW_OK
                   : sw_error(SW_ERR_INPUT, "%s: hexagonal_x = %s: need none of crystals that are %s",
                              r->path, sw_crystal_hexagonal_x[f->hexagonal_x], r->group->system);
    if (x == 0)
        return sw_error(
            SW_ERR_INPUT,
            "%s: hexagonal crystals, and the file does not say which of their axes is along x: need "
            "hexagonal_x, a or a* (MTEX's X||a or X||a*, which a line of the file may say)",
            r->path);
    if (f->hexagonal_x == SW_HEXAGONAL_FORMAT && x == A_STAR && f->axes != NULL &&
        strncasecmp(f->axes, "bruker", strlen("bruker")) == 0)
        return sw_error(
            SW_ERR_INPUT,
            "%s: hexagonal crystals of Bruker's: need hexagonal_x, a or a*, since a .ctf of Oxford's has "
            "a* along x, and Bruker's may have a",
            r->path);
    for (int64_t n = 0; n < r->count && x == A_STAR; n++)
        r->euler[n][2] += FROM_A_TO_A_STAR;
    return SW_OK;
}

/* Of crystals that are not cubic there is one lattice here, whatever the file says. */
static sw_status settle_group(sw_crystal_reader *r)
{
    r->group = r->group != NULL ? r->group : &sw_point_group_432;
    for (int i = 0; i < SW_LATTICES && r->group != &sw_point_group_432 && *r->bravais == '\0'; i++)
        if (sw_lattices[i]->group == r->group)
            snprintf(r->bravais, sizeof r->bravais, "%s", sw_lattices[i]->bravais);
    return turn_crystals(r);
}

/* A turn is 6.28 rad; zeros mean the same in any unit. */
static void check_unit(const sw_crystal_reader *r)
{
    if (r->unit == DEGREE && r->largest > 0 && r->largest <= 7)
        sw_warn("%s: no angle passes 7: they are taken as degrees; are they radians?", r->path);
    if (r->unit == 1 && r->largest > 13)
        sw_warn("%s: angles reach %g: they are taken as radians; are they degrees?", r->path, r->largest);
}

static void tell_weightless(sw_crystal_reader *r)
{
    const size_t length = strlen(r->about);
    snprintf(r->about + length, sizeof r->about - length, "%s%lld crystals of weight 0 left out",
             length > 0 ? "; " : "", (long long)r->weightless);
}

static sw_status read_all(const struct format *format, sw_crystal_reader *r)
{
    SW_TRY(format->read(r));
    if (r->count == 0)
        return sw_error(
            SW_ERR_INPUT,
            "%s: no crystal in it (%lld rows were not indexed, %lld of weight 0, %lld of other phases)",
            r->path, (long long)(r->skipped - r->weightless), (long long)r->weightless, (long long)r->others);
    check_unit(r);
    SW_TRY(settle_group(r));
    if (r->weightless > 0)
        tell_weightless(r);
    if (r->filter->every > 1 || r->filter->grain_angle > 0)
        SW_TRY(sw_scan_find_grid(r));
    if (r->filter->every > 1)
        sw_scan_thin(r, r->filter->every);
    if (r->count == 0)
        return sw_error(SW_ERR_INPUT, "%s: no crystal is left of every %lld-th point", r->path,
                        (long long)r->filter->every);
    if (r->filter->grain_angle > 0)
        SW_TRY(sw_scan_join(r, r->filter->grain_angle * DEGREE, r->filter->grain_points));
    return turn_axes(r);
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

/* Of the crystals that were read: "2 Iron bcc", of results "iron", and "Iron bcc". */
static void describe_phase(const sw_crystal_reader *r, sw_crystal_list *list)
{
    snprintf(list->material, sizeof list->material, "%s", r->material);
    if (r->filter->phase != NULL)
        snprintf(list->phase, sizeof list->phase, "%s", r->filter->phase);
    for (const sw_crystal_phase *p = r->phase; p < r->phase + r->n_phases; p++)
        if (p->rows > 0 && sw_crystal_is_wanted(r, p)) {
            snprintf(list->phase, sizeof list->phase, "%lld%s%s", (long long)p->number, *p->name ? " " : "",
                     p->name);
            snprintf(list->material, sizeof list->material, "%s", p->name);
        }
}

sw_status sw_crystal_file_read_with(const char *path, const sw_crystal_filter *filter, sw_crystal_list *list)
{
    const struct format *format = find_format(path);
    sw_crystal_reader *r;
    float *weight = NULL;
    *list = (sw_crystal_list){0};
    SW_TRY(SW_ALLOCATE(r, 1, "a crystal file"));
    sw_status status = open_reader(path, filter, format, r);
    if (status == SW_OK)
        status = read_all(format, r);
    if (status == SW_OK)
        status = take_weights(r, &weight);
    if (status == SW_OK) {
        *list = (sw_crystal_list){.count = r->count,
                                  .euler = r->euler,
                                  .weight = weight,
                                  .skipped = r->skipped,
                                  .others = r->others,
                                  .group = r->group,
                                  .c_over_a = r->c_over_a};
        memcpy(list->bravais, r->bravais, sizeof list->bravais);
        memcpy(list->cell, r->cell, sizeof list->cell);
        memcpy(list->about, r->about, sizeof list->about);
        describe_phase(r, list);
    } else
        free(r->euler);
    if (r->file != NULL)
        fclose(r->file);
    free(r->line);
    free(r->weight);
    free(r->place);
    free(r->of);
    free(r->scan.at);
    free(r);
    return status;
}

uint64_t sw_crystal_list_hash(uint64_t h, const sw_crystal_list *list)
{
    const size_t n = (size_t)list->count;
    h = sw_hash(h, &list->count, sizeof list->count);
    if (list->euler != NULL)
        h = sw_hash(h, list->euler, n * sizeof *list->euler);
    return list->weight != NULL ? sw_hash(h, list->weight, n * sizeof *list->weight) : h;
}

sw_status sw_crystals_suit(const char *path, const sw_crystal_list *list, const sw_lattice *lattice,
                           double c_over_a)
{
    if (*list->bravais == '\0' || strcmp(list->bravais, lattice->bravais) == 0) {
        if (lattice->vectors != NULL && list->c_over_a > 0 && fabs(list->c_over_a / c_over_a - 1) > 0.01)
            sw_warn("%s: c/a = %.4g of its crystals%s%s, %.4g of the material: are they the same?", path,
                    list->c_over_a, *list->material ? ", " : "", list->material, c_over_a);
        return SW_OK;
    }
    const char *crystals = strcmp(list->bravais, "cI") == 0   ? "body-centred"
                           : strcmp(list->bravais, "cF") == 0 ? "face-centred"
                                                              : list->group->system;
    return sw_error(SW_ERR_INPUT,
                    "%s: %s crystals%s%s for a material of structure %s: need those of its lattice, or their "
                    "orientations alone, which `slipwave export` writes as .ori",
                    path, crystals, *list->material ? " of " : "", list->material, lattice->name);
}

void sw_crystal_list_free(sw_crystal_list *list)
{
    free(list->euler);
    free(list->weight);
    list->euler = NULL;
    list->weight = NULL;
}

/* ---- Writing ---- */

static sw_status check_crystals(const char *path, const sw_crystal_content *c)
{
    if (c->count < 1)
        return sw_error(SW_ERR_RANGE, "%s: %lld crystals to write: need 1 or more", path,
                        (long long)c->count);
    for (int64_t n = 0; n < c->count; n++)
        for (int i = 0; i < 3; i++)
            if (!isfinite(c->euler[n][i]))
                return sw_error(SW_ERR_RANGE, "%s: angle %d of crystal %lld is %g: need a finite one", path,
                                i + 1, (long long)n, c->euler[n][i]);
    for (int64_t n = 0; n < c->count && c->weight != NULL; n++)
        if (!(c->weight[n] > 0 && sw_crystal_is_weight(c->weight[n])))
            return sw_error(SW_ERR_RANGE, "%s: weight of crystal %lld is %g: need > 0, at most %g", path,
                            (long long)n, c->weight[n], SW_WEIGHT_MOST);
    return SW_OK;
}

/* A name that all formats take: letters, digits, '-' and '_'. */
static void plain_name(const char *name, char plain[SW_CRYSTAL_PHASE])
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    snprintf(plain, SW_CRYSTAL_PHASE, "%s", name != NULL && *name != '\0' ? name : "crystal");
    for (char *c = plain; *c != '\0'; c++)
        if (strchr(good, *c) == NULL)
            *c = '_';
}

sw_status sw_crystal_file_write_content(const char *path, const sw_crystal_content *c)
{
    const struct format *format = find_format(path);
    const char *bravais = c->bravais != NULL ? c->bravais : "";
    const sw_lattice *lattice = sw_lattice_of_bravais(*bravais != '\0' ? bravais : "cF");
    char name[SW_CRYSTAL_PHASE];
    if (format == NULL || format->write == NULL)
        return sw_error(SW_ERR_INPUT,
                        "%s: need the suffix .ori, .tex, .txt, .ang, .ctf or .yaml to write crystals", path);
    SW_TRY(check_crystals(path, c));
    if (format->without_weights && c->weight != NULL)
        return sw_error(
            SW_ERR_INPUT,
            "%s: a file %s has no weights: need crystals that count alike, as resampling makes them, or "
            "one of .ori, .tex, .txt, .yaml",
            path, format->suffix);
    if (lattice == NULL)
        return sw_error(SW_ERR_INPUT, "%s: crystals of the lattice %s, which is not known", path, bravais);
    if (lattice->three_axes && format->has & PHASES)
        return sw_error(SW_ERR_INPUT,
                        "%s: %s crystals: a file %s would need b/a of their axes, which is not known here: "
                        "need .ori, .tex or .txt",
                        path, lattice->group->system, format->suffix);
    if (lattice->vectors != NULL && format->has & PHASES && !(c->c_over_a > 0 && c->c_over_a < INFINITY))
        return sw_error(SW_ERR_INPUT, "%s: %s crystals: need c/a of their axes to write a file %s", path,
                        lattice->group->system, format->suffix);
    if (format->with_lattice && *bravais == '\0')
        sw_warn("%s: face-centred (%s) is written of crystals whose lattice is not said: change it where it "
                "is another",
                path, strcasecmp(format->suffix, ".ctf") == 0 ? "space group 225" : "cF");
    sw_output_file output;
    FILE *file;
    SW_TRY(sw_text_file_begin(path, &output, &file));
    plain_name(c->material, name);
    format->write(&(sw_crystal_writing){
        .file = file,
        .count = c->count,
        .euler = c->euler,
        .phi2 =
            lattice->group == &sw_point_group_622 && format->hexagonal_x == A_STAR ? -FROM_A_TO_A_STAR : 0,
        .weight = c->weight,
        .material = name,
        .lattice = lattice,
        .is_said = *bravais != '\0',
        .c_over_a = lattice->vectors != NULL ? c->c_over_a : 1});
    return sw_text_file_end(&output, file, SW_OK);
}
