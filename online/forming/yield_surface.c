#include "tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "contour.h"

/* Rounds in which the held component is brought to its level; a thousandth is what the contour's own interpolation
 * leaves. */
enum { ROUNDS = 40 };
static const double NEAR_LEVEL = 1e-3;

static const char *const plane_names[] = {"components", "pi"};
enum { COMPONENTS, PI };

const sw_key sw_section_keys[] = {
    {SW_WORD("plane", sw_section, plane, plane_names),
     .help = "components: x and y vary; pi: the deviators of stresses along the axes"},
    {SW_WORD_OF("x", sw_section, x, sw_loading_component_names, 6), .standard = 0, .otherwise = "11",
     .help = "component along the section's first axis"},
    {SW_WORD_OF("y", sw_section, y, sw_loading_component_names, 6), .standard = 1, .otherwise = "22",
     .help = "along its second one"},
    {SW_WORD_OF("z", sw_section, z, sw_loading_component_names, 6), .standard = 5, .otherwise = "12",
     .help = "the one that is held at `levels`"},
    {SW_REALS("levels", sw_section, levels, -1, 1), .open = SW_OPEN_BELOW | SW_OPEN_ABOVE, .longest = 100,
     .otherwise = "0", .help = "of z, over the yield stress of z alone; a contour each"},
    {SW_WHOLE("points", sw_section, points, 4, 100000), .standard = 72, .help = "of each contour"},
    SW_KEYS_END};

static sw_status check(const sw_forming_job *job)
{
    for (unsigned i = 0; i < job->yield_surface.sections_count; i++) {
        const sw_section *s = &job->yield_surface.sections[i];
        char key[SW_KEY_SIZE];
        sw_key_path(key, "yield_surface.sections[%u]", i);
        if (s->plane == COMPONENTS && (s->x == s->y || s->y == s->z || s->z == s->x))
            return sw_job_error(job->source, key, ": x = %s, y = %s, z = %s: need three different components",
                                sw_loading_component_names[s->x], sw_loading_component_names[s->y],
                                sw_loading_component_names[s->z]);
        if (s->plane == COMPONENTS && s->x < 3 && s->y < 3 && s->z < 3)
            return sw_job_error(
                job->source, key,
                ": x, y and z are all normal: a pressure of all three is no limit; need a shear "
                "component among them, or plane: pi");
        if (s->plane == PI && s->levels_count > 0)
            return sw_job_error(job->source, key, ".levels: has no effect on plane = pi");
        for (int k = 0; k < 3 && s->plane == PI; k++) {
            char axis[SW_KEY_SIZE];
            if (sw_job_given(job->source, sw_key_path(axis, "%s.%c", key, "xyz"[k])))
                return sw_job_error(job->source, axis, ": has no effect on plane = pi");
        }
    }
    return SW_OK;
}

/* ---- A contour ---- */

/* Of a direction, the component that is held: |z| of two on either side of what is sought, and by how much stresses along
 * them miss it, Pa. It grows with z, the surface being convex. */
typedef struct {
    double below, low, above, high; /* high 0: none is above yet */
} bracket;

/* One of a section. */
typedef struct {
    const sw_section *section;
    double alone, held;  /* Pa: yield stress of z alone; of z in this contour */
    double work, strain; /* plastic, Pa; of its order */
    int64_t n;
    double (*direction)[6]; /* [n] of stress */
    sw_contour_point *point;
    sw_condition *condition;
    bracket *held_by; /* [n] */
} contour;

static double turn_of(const contour *c, int64_t k) { return 2 * SW_PI * (double)k / (double)c->n; }

/* Stresses along the axes of the pi-plane: axis 1 as it is projected, and what is right of it. */
static void pi_direction(double turn, double direction[6])
{
    const double a = cos(turn) * sqrt(2.0 / 3), b = sin(turn) * sqrt(0.5);
    direction[0] = a;
    direction[1] = -0.5 * a + b;
    direction[2] = -0.5 * a - b;
}

static void first_directions(contour *c)
{
    for (int64_t k = 0; k < c->n; k++) {
        double *d = c->direction[k];
        memset(d, 0, 6 * sizeof *d);
        if (c->section->plane == PI)
            pi_direction(turn_of(c, k), d);
        else {
            d[c->section->x] = cos(turn_of(c, k));
            d[c->section->y] = sin(turn_of(c, k));
        }
    }
}

/* The stress in full, by a normal component that the section leaves zero; of the pi-plane the deviator. */
static void whole_stress(const double direction[6], const double deviator[6], double stress[6])
{
    double pressure = 0;
    for (int k = 0; k < 3; k++)
        pressure = direction[k] == 0 ? deviator[k] : pressure;
    for (int k = 0; k < 6; k++)
        stress[k] = deviator[k] - (k < 3 ? pressure : 0);
}

static double deviator_norm(const double s[6])
{
    const double mean = (s[0] + s[1] + s[2]) / 3;
    double square = 0;
    for (int k = 0; k < 6; k++)
        square += k < 3 ? (s[k] - mean) * (s[k] - mean) : 2 * s[k] * s[k];
    return sqrt(square);
}

/* Norm of D, 1/s: that of an isotropic sheet in tension at the job's rate. */
static double rate_of(const sw_forming *f) { return sqrt(1.5) * f->job->strain_rate; }

static sw_status reach(sw_forming *f, contour *c)
{
    for (int64_t k = 0; k < c->n; k++)
        c->condition[k] = sw_condition_along_stress(c->direction[k], rate_of(f));
    return sw_contour(f, c->n, c->condition, rate_of(f), c->work, c->strain, c->point, NULL);
}

/* |z| on the ellipse through the stress at hand and that of z alone, 1 / size^2 = a + (z / alone)^2: exact for Hill's
 * surface. size: of the stress over that of its direction. */
static double on_ellipse(const contour *c, double z, double size)
{
    const double a = fmax(1 / (size * size) - pow(z / c->alone, 2), 0);
    return fabs(c->held) * sqrt(a / (1 - pow(c->held / c->alone, 2)));
}

/* |z| of a direction for the next round; miss: of |z| at hand, Pa. By the Illinois rule once there is one above. */
static double next_z(const contour *c, bracket *b, double z, double size, double miss)
{
    const int first = b->below == 0 && b->high == 0;
    if (miss > 0) {
        b->low *= b->high > 0 ? 0.5 : 1;
        b->above = z;
        b->high = miss;
    } else {
        b->high *= b->below > 0 ? 0.5 : 1;
        b->below = z;
        b->low = miss;
    }
    if (b->high > 0)
        return b->below + (b->above - b->below) * b->low / (b->low - b->high);
    return first ? on_ellipse(c, z, size) : 2 * z;
}

/* All of them that are not at the level yet. Returns how many those are. */
static int64_t aim(contour *c)
{
    int64_t off = 0;
    for (int64_t k = 0; k < c->n; k++) {
        double *z = &c->direction[k][c->section->z];
        const double size = deviator_norm(c->point[k].stress) / deviator_norm(c->direction[k]);
        const double miss = size * fabs(*z) - fabs(c->held);
        if (fabs(miss) <= NEAR_LEVEL * size)
            continue;
        *z = copysign(next_z(c, &c->held_by[k], fabs(*z), size, miss), c->held);
        off++;
    }
    return off;
}

static sw_status find(sw_forming *f, contour *c)
{
    int64_t off;
    first_directions(c);
    for (int64_t k = 0; k < c->n; k++)
        c->held_by[k] = (bracket){.low = -fabs(c->held)};
    SW_TRY(reach(f, c));
    for (int round = 0; c->held != 0 && (off = aim(c)) > 0; round++) {
        if (round == ROUNDS)
            return sw_error(SW_ERR_CONVERGENCE,
                            "%lld of the %lld points of a contour do not come to %s = %.4g MPa in %d rounds",
                            (long long)off, (long long)c->n, sw_loading_component_names[c->section->z],
                            c->held / 1e6, ROUNDS);
        SW_TRY(reach(f, c));
    }
    return SW_OK;
}

/* ---- Results ---- */

static sw_status keep_points(sw_forming *f, const contour *c)
{
    sw_sheet *sheet = &f->sheet;
    SW_TRY(SW_GROW(sheet->point, sheet->n_points + c->n, "points of a yield surface"));
    for (int64_t k = 0; k < c->n; k++) {
        sw_sheet_point *p = &sheet->point[sheet->n_points++];
        const double norm = deviator_norm(c->point[k].strain_rate);
        whole_stress(c->direction[k], c->point[k].stress, p->stress);
        for (int i = 0; i < 6; i++)
            p->strain_rate[i] = c->point[k].strain_rate[i] / norm;
    }
    return SW_OK;
}

/* As the last n points of the sheet are. */
static sw_status write_contour(const sw_forming *f, const contour *c, hid_t group, unsigned section,
                               unsigned level)
{
    const int64_t shape[2] = {c->n, 6};
    const sw_sheet_point *p = f->sheet.point + f->sheet.n_points - c->n;
    double(*part)[6];
    char name[64];
    hid_t own;
    snprintf(name, sizeof name, "section-%u/level-%u", section + 1, level + 1);
    SW_TRY(SW_ALLOCATE(part, c->n, "points of a yield surface"));
    sw_status status = sw_h5_group(group, name, &own);
    for (int which = 0; which < 2 && status == SW_OK; which++) {
        for (int64_t k = 0; k < c->n; k++)
            memcpy(part[k], which == 0 ? p[k].stress : p[k].strain_rate, sizeof *part);
        status = sw_h5_write(own, which == 0 ? "stress" : "strain_rate", H5T_NATIVE_DOUBLE, 2, shape, part);
        if (status == SW_OK)
            status =
                sw_h5_describe(own, which == 0 ? "stress" : "strain_rate", "unit", which == 0 ? "Pa" : "1");
    }
    if (status == SW_OK)
        status = sw_h5_write_text(own, "plane", plane_names[c->section->plane]);
    const double axes[3] = {c->section->x, c->section->y, c->section->z};
    if (status == SW_OK)
        status = sw_h5_write_numbers(own, "components", 3, axes);
    if (status == SW_OK)
        status = sw_h5_write_numbers(own, "held", 1, &c->held);
    H5Gclose(own);
    free(part);
    return status;
}

static const char *text_path(const sw_forming_job *job, int k)
{
    (void)k;
    return job->yield_surface.points;
}

static sw_status write_text(const sw_forming *f, int k, FILE *file)
{
    const sw_sheet *sheet = &f->sheet;
    (void)k;
    fprintf(file, "# points of a yield surface: stress (Pa), direction of plastic strain rate; components 11 "
                  "22 33 23 13 12\n");
    for (int p = 0; p < sheet->n_points; p++)
        for (int i = 0; i < 12; i++)
            fprintf(file, "%.9g%c", i < 6 ? sheet->point[p].stress[i] : sheet->point[p].strain_rate[i - 6],
                    i < 11 ? ' ' : '\n');
    return SW_OK;
}

/* ---- The task ---- */

static sw_status run_contour(sw_forming *f, contour *c)
{
    sw_status status = SW_ALLOCATE(c->direction, c->n, "a contour");
    if (status == SW_OK)
        status = SW_ALLOCATE(c->point, c->n, "a contour");
    if (status == SW_OK)
        status = SW_ALLOCATE(c->condition, c->n, "a contour");
    if (status == SW_OK)
        status = SW_ALLOCATE(c->held_by, c->n, "a contour");
    if (status == SW_OK)
        status = find(f, c);
    if (status == SW_OK)
        status = keep_points(f, c);
    return status;
}

static void release(contour *c)
{
    free(c->direction);
    free(c->point);
    free(c->condition);
    free(c->held_by);
}

/* Yield stress of z alone, Pa. */
static sw_status yield_of(sw_forming *f, const contour *like, double *stress)
{
    const sw_section *s = like->section;
    double direction[6] = {0};
    sw_contour_point point;
    direction[s->z] = 1;
    const sw_condition condition = sw_condition_along_stress(direction, rate_of(f));
    SW_TRY(sw_contour(f, 1, &condition, rate_of(f), like->work, like->strain, &point, NULL));
    *stress = deviator_norm(point.stress) / deviator_norm(direction);
    return SW_OK;
}

static sw_status run_level(sw_forming *f, hid_t group, unsigned section, unsigned level, contour *c)
{
    const sw_section *s = c->section;
    if (s->levels_count > 0 && s->levels[level] != 0)
        SW_TRY(yield_of(f, c, &c->alone));
    c->held = s->levels_count > 0 ? s->levels[level] * c->alone : 0;
    sw_status status = run_contour(f, c);
    if (status == SW_OK)
        status = write_contour(f, c, group, section, level);
    release(c);
    return status;
}

/* Points of a section's level, as write_contour has them. */
static sw_status restore_contour(sw_forming *f, hid_t group, unsigned section, unsigned level)
{
    sw_sheet *sheet = &f->sheet;
    char name[64];
    double(*part)[6];
    int64_t shape[2];
    snprintf(name, sizeof name, "section-%u/level-%u/stress", section + 1, level + 1);
    SW_TRY(sw_h5_shape(group, name, 2, shape));
    shape[1] = 6;
    SW_TRY(SW_GROW(sheet->point, sheet->n_points + shape[0], "points of a yield surface"));
    SW_TRY(SW_ALLOCATE(part, 2 * shape[0], "points of a yield surface"));
    sw_status status = sw_h5_read(group, name, H5T_NATIVE_DOUBLE, 2, shape, part);
    snprintf(name, sizeof name, "section-%u/level-%u/strain_rate", section + 1, level + 1);
    if (status == SW_OK)
        status = sw_h5_read(group, name, H5T_NATIVE_DOUBLE, 2, shape, part + shape[0]);
    for (int64_t k = 0; k < shape[0] && status == SW_OK; k++) {
        sw_sheet_point *p = &sheet->point[sheet->n_points++];
        memcpy(p->stress, part[k], sizeof *part);
        memcpy(p->strain_rate, part[shape[0] + k], sizeof *part);
    }
    free(part);
    return status;
}

static sw_status restore(sw_forming *f, hid_t group)
{
    const sw_yield_surface *t = &f->job->yield_surface;
    const unsigned n = t->sections_count > 0 ? t->sections_count : 1;
    for (unsigned i = 0; i < n; i++) {
        const unsigned levels = t->sections_count > 0 ? t->sections[i].levels_count : 0;
        for (unsigned level = 0; level == 0 || level < levels; level++)
            SW_TRY(restore_contour(f, group, i, level));
    }
    return f->sheet.curve.n > 0 ? SW_OK : sw_sheet_curve_read(group, &f->sheet.curve);
}

static sw_status run(sw_forming *f, hid_t group)
{
    static const sw_section standard = {.plane = COMPONENTS, .x = 0, .y = 1, .z = 5, .points = 72};
    const sw_yield_surface *t = &f->job->yield_surface;
    const unsigned n = t->sections_count > 0 ? t->sections_count : 1;
    sw_contour_point tension;
    SW_TRY(sw_contour_tension(f, t->strain, &tension));
    const double yield_stress = tension.stress[0] - tension.stress[2];
    SW_TRY(sw_h5_write_numbers(group, "work", 1, &tension.work));
    SW_TRY(sw_h5_write_numbers(group, "yield_stress", 1, &yield_stress));
    SW_TRY(sw_sheet_curve_write(&f->sheet.curve, group));
    for (unsigned i = 0; i < n; i++) {
        const sw_section *s = t->sections_count > 0 ? &t->sections[i] : &standard;
        for (unsigned level = 0; level == 0 || level < s->levels_count; level++) {
            contour c = {.section = s, .work = tension.work, .strain = t->strain * sqrt(1.5), .n = s->points};
            SW_TRY(run_level(f, group, i, level, &c));
        }
    }
    return SW_OK;
}

static void print(const sw_forming *f, FILE *out)
{
    fprintf(out, "  %d points of the contour of a plastic strain of %g\n", f->sheet.n_points,
            f->job->yield_surface.strain);
}

static const char *const text_keys[] = {"yield_surface.points"};

const sw_forming_task sw_yield_surface_task = {.name = "yield_surface",
                                               .check = check,
                                               .run = run,
                                               .restore = restore,
                                               .print = print,
                                               .texts = 1,
                                               .text_key = text_keys,
                                               .text_path = text_path,
                                               .write_text = write_text};
