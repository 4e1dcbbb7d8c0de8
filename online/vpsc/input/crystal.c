/* Files of single crystals: cell, moduli, modes, systems. */
#include "crystal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/math/rotation.h"

const char *const sw_vpsc_symmetry_names[SW_VPSC_SYMMETRIES] = {
    "cubic", "hexagonal", "trigonal", "tetragonal", "orthorhombic", "monoclinic", "triclinic"};

/* ---- Vectors ---- */

/* a in the plane of x and z, c along z. */
static sw_status make_axes(const sw_vpsc_records *records, sw_vpsc_crystal *crystal)
{
    double c[3], s = sin(crystal->angle[1] * SW_PI / 180);
    for (int i = 0; i < 3; i++)
        c[i] = cos(crystal->angle[i] * SW_PI / 180);
    const double along = (c[2] - c[0] * c[1]) / s;
    const double column[3][3] = {
        {s, 0, c[1]}, {along, sqrt(1 - along * along - c[0] * c[0]), c[0]}, {0, 0, 1}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            crystal->axes[i][j] = crystal->cell[j] * column[j][i];
    int good = column[1][1] > 1e-6 && s > 1e-6;
    for (int j = 0; j < 3; j++)
        good = good && crystal->cell[j] > 0;
    if (!good)
        return sw_vpsc_bad(records, "axes %g %g %g and angles %g %g %g make no cell", crystal->cell[0],
                           crystal->cell[1], crystal->cell[2], crystal->angle[0], crystal->angle[1],
                           crystal->angle[2]);
    return SW_OK;
}

static void make_unit(double v[3])
{
    const double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] /= norm;
        if (fabs(v[i]) < 1e-3)
            v[i] = 0;
    }
}

/* n with n . a = h, n . b = k, n . c = l. */
void sw_vpsc_plane(const sw_vpsc_crystal *crystal, const int index[4], double n[3])
{
    const double(*axes)[3] = crystal->axes;
    n[2] = index[sw_vpsc_indices(crystal) - 1] / axes[2][2];
    n[0] = (index[0] - axes[2][0] * n[2]) / axes[0][0];
    n[1] = (index[1] - axes[0][1] * n[0] - axes[2][1] * n[2]) / axes[1][1];
    make_unit(n);
}

/* A direction, u v w or u v t w, as sw_vpsc_plane a plane's normal. */
static void make_direction(const sw_vpsc_crystal *crystal, const int index[4], double b[3])
{
    const int four = sw_vpsc_indices(crystal) == 4;
    const int u[3] = {index[0] - (four ? index[2] : 0), index[1] - (four ? index[2] : 0),
                      index[four ? 3 : 2]};
    for (int i = 0; i < 3; i++)
        b[i] = u[0] * crystal->axes[i][0] + u[1] * crystal->axes[i][1] + u[2] * crystal->axes[i][2];
    make_unit(b);
}

static double shear_component(const sw_vpsc_crystal *crystal, int system, int component)
{
    const double *b = crystal->direction[system], *n = crystal->normal[system];
    switch (component) {
    case 0:
        return (b[1] * n[1] - b[0] * n[0]) / sqrt(2);
    case 1:
        return (2 * b[2] * n[2] - b[0] * n[0] - b[1] * n[1]) / sqrt(6);
    default: {
        const int i = component == 2, j = component == 4 ? 1 : 2;
        return (b[i] * n[j] + b[j] * n[i]) / sqrt(2);
    }
    }
}

int sw_vpsc_is_open(const sw_vpsc_crystal *crystal, int component)
{
    int up = 0, down = 0;
    for (int a = 0; a < crystal->n_systems; a++) {
        const double s = shear_component(crystal, a, component);
        const int is_twin = a >= crystal->n_slip;
        up = up || s > 1e-3 || (!is_twin && s < -1e-3);
        down = down || s < -1e-3 || (!is_twin && s > 1e-3);
    }
    return !(up && down);
}

/* ---- What a cell and constants must be ---- */

/* Edges that are as long as a, or 0: any, and angles in degrees, 0: any, by the name of symmetry. */
static const struct {
    int like_a[3];
    double angle[3];
} cells[SW_VPSC_SYMMETRIES] = {{{1, 1, 1}, {90, 90, 90}},  {{1, 1, 0}, {90, 90, 120}},
                               {{1, 1, 0}, {90, 90, 120}}, {{1, 1, 0}, {90, 90, 90}},
                               {{1, 0, 0}, {90, 90, 90}},  {{1, 0, 0}, {0, 0, 0}},
                               {{1, 0, 0}, {0, 0, 0}}};

/* VPSC8 takes cells that their names contradict, and so are they taken here. */
static void warn_cell(const sw_vpsc_records *records, const sw_vpsc_crystal *crystal)
{
    const double *cell = crystal->cell, *angle = crystal->angle;
    const int k = crystal->symmetry;
    int good =
        k != SW_VPSC_MONOCLINIC ||
        (fabs(angle[0] - 90) <= 0.01) + (fabs(angle[1] - 90) <= 0.01) + (fabs(angle[2] - 90) <= 0.01) >= 2;
    for (int i = 0; i < 3; i++)
        good = good && (!cells[k].like_a[i] || fabs(cell[i] - cell[0]) <= 1e-3 * cell[0]) &&
               (cells[k].angle[i] == 0 || fabs(angle[i] - cells[k].angle[i]) <= 0.01);
    if (!good)
        sw_warn(
            "%s:%d: axes %g %g %g and angles %g %g %g are not those of a %s cell; they are taken as they are",
            records->path, records->line, cell[0], cell[1], cell[2], angle[0], angle[1], angle[2],
            sw_vpsc_symmetry_names[k]);
}

/* Cholesky's pivots: where one is not above 0, some strain stores no energy. */
static sw_status check_definite(const sw_vpsc_records *records, const double c[6][6], double most)
{
    double l[6][6];
    for (int j = 0; j < 6; j++)
        for (int i = j; i < 6; i++) {
            double rest = c[i][j];
            for (int k = 0; k < j; k++)
                rest -= l[i][k] * l[j][k];
            if (i == j && !(rest > 1e-9 * most))
                return sw_vpsc_bad(records,
                                   "elastic constants C, which end here, are not positive definite: row and "
                                   "column %d, C%d%d = %g, leave %g to it: need above 0",
                                   j + 1, j + 1, j + 1, c[j][j], rest);
            l[i][j] = i == j ? sqrt(rest) : rest / l[j][j];
        }
    return SW_OK;
}

static sw_status check_stiffness(const sw_vpsc_records *records, const double c[6][6])
{
    double most = 0;
    for (int k = 0; k < 36; k++)
        most = fmax(most, fabs(c[k / 6][k % 6]));
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            if (!(fabs(c[i][j] - c[j][i]) <= 1e-4 * most))
                return sw_vpsc_bad(records,
                                   "elastic constants C, which end here: C%d%d = %g and C%d%d = %g: need the "
                                   "same, within %g",
                                   i + 1, j + 1, c[i][j], j + 1, i + 1, c[j][i], 1e-4 * most);
    return check_definite(records, c, most);
}

/* ---- The file ---- */

static sw_status read_cell(sw_vpsc_records *records, sw_vpsc_crystal *crystal)
{
    const char *record;
    SW_TRY(sw_vpsc_skip(records, 1));
    SW_TRY(sw_vpsc_record(records, "the crystal's symmetry", &record));
    int k = 0;
    while (k < SW_VPSC_SYMMETRIES) {
        char capitals[6] = "";
        for (int i = 0; i < 5; i++)
            capitals[i] = (char)(sw_vpsc_symmetry_names[k][i] - 'a' + 'A');
        if (strncmp(record, sw_vpsc_symmetry_names[k], 5) == 0 || strncmp(record, capitals, 5) == 0)
            break;
        k++;
    }
    if (k == SW_VPSC_SYMMETRIES)
        return sw_vpsc_bad(
            records,
            "\"%.16s\": need the crystal's symmetry, CUBIC, HEXAGONAL, TRIGONAL, TETRAGONAL, "
            "ORTHORHOMBIC, MONOCLINIC or TRICLINIC, the first five letters all large or all small",
            record);
    crystal->symmetry = (sw_vpsc_symmetry)k;
    const sw_vpsc_item cell[] = {SW_VPSC_REALS("a b c of the cell", 3, crystal->cell),
                                 SW_VPSC_REALS("alpha beta gamma of the cell", 3, crystal->angle)};
    SW_TRY(sw_vpsc_read(records, 2, cell));
    SW_TRY(make_axes(records, crystal));
    warn_cell(records, crystal);
    return SW_OK;
}

static sw_status read_moduli(sw_vpsc_records *records, sw_vpsc_crystal *crystal)
{
    SW_TRY(sw_vpsc_skip(records, 1));
    SW_TRY(sw_vpsc_reals(records, "elastic constants C, 6 x 6", 36, &crystal->stiffness[0][0]));
    SW_TRY(check_stiffness(records, (const double(*)[6])crystal->stiffness));
    SW_TRY(sw_vpsc_skip(records, 1));
    return sw_vpsc_reals(records, "thermal expansion, 6", 6, crystal->expansion);
}

/* Indices that are some plane's, or direction's: not all 0, the third of four the others' sum with its sign turned, which VPSC8
 * does not look at. */
static sw_status check_indices(const sw_vpsc_records *records, const char *what, int n, const int index[4])
{
    if (index[0] == 0 && index[1] == 0 && index[n - 1] == 0 && (n == 3 || index[2] == 0))
        return sw_vpsc_bad(records, "%s is 0 in all indices: need one that is not", what);
    if (n == 4 && index[0] + index[1] + index[2] != 0)
        sw_warn("%s:%d: %s %d %d %d %d: the first three do not add to 0", records->path, records->line, what,
                index[0], index[1], index[2], index[3]);
    return SW_OK;
}

static double product(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Two systems that are one slip twice as fast as others of their mode: VPSC8 takes them. One way: with the same sense. */
static void warn_repeated(const sw_vpsc_records *records, const sw_vpsc_crystal *crystal, int a)
{
    const sw_vpsc_mode *mode = &crystal->mode[crystal->mode_of[a]];
    for (int b = mode->first; b < a; b++) {
        const double normals = product(crystal->normal[a], crystal->normal[b]);
        const double directions = product(crystal->direction[a], crystal->direction[b]);
        const double both = mode->one_way ? normals * directions : fabs(normals * directions);
        if (both > 1 - 1e-6)
            sw_warn("%s:%d: mode %s: system %d is system %d again; both are taken, as in VPSC8",
                    records->path, records->line, mode->name, a - mode->first + 1, b - mode->first + 1);
    }
}

static sw_status read_system(sw_vpsc_records *records, sw_vpsc_crystal *crystal, int a)
{
    const int n = sw_vpsc_indices(crystal);
    int *plane = crystal->plane[a], *direction = crystal->along[a];
    const sw_vpsc_item item[] = {
        SW_VPSC_WHOLES(n == 4 ? "a plane, h k i l" : "a plane, h k l", n, plane),
        SW_VPSC_WHOLES(n == 4 ? "a direction, u v t w" : "a direction, u v w", n, direction)};
    SW_TRY(sw_vpsc_read(records, 2, item));
    SW_TRY(check_indices(records, "the plane", n, plane));
    SW_TRY(check_indices(records, "the direction", n, direction));
    double *normal = crystal->normal[a], *along = crystal->direction[a];
    sw_vpsc_plane(crystal, plane, normal);
    make_direction(crystal, direction, along);
    const double off = product(normal, along);
    if (!(fabs(off) < 1e-4))
        return sw_vpsc_bad(records, "the direction is not in the plane: their unit vectors' product is %g",
                           off);
    warn_repeated(records, crystal, a);
    return SW_OK;
}

static sw_status check_mode(const sw_vpsc_records *records, const sw_vpsc_crystal *crystal,
                            const sw_vpsc_mode *mode)
{
    if (mode->twin_type < 0 || mode->twin_type > 3)
        return sw_vpsc_bad(records, "itwtypex = %d: need 0 (slip), 1, 2 or 3", mode->twin_type);
    if (mode->twin_type > 0 && !mode->one_way)
        return sw_vpsc_bad(records, "isensex = 1: need 0 of twins, which shear one way");
    if (mode->twin_type == 0 && crystal->n_twin_modes > 0)
        return sw_vpsc_bad(records, "mode %d is of slip: need modes of slip before those of twins",
                           mode->number);
    const int n_twins = crystal->n_systems - crystal->n_slip + mode->count;
    if (crystal->n_systems + mode->count > SW_VPSC_SYSTEMS ||
        (mode->twin_type > 0 && n_twins > SW_VPSC_TWINS))
        return sw_vpsc_bad(records, "mode %d: need at most %d systems in use, and %d of twins", mode->number,
                           SW_VPSC_SYSTEMS, SW_VPSC_TWINS);
    if (mode->twin_type > 0 && crystal->n_twin_modes == SW_VPSC_TWIN_MODES)
        return sw_vpsc_bad(records, "mode %d: need at most %d modes of twins in use", mode->number,
                           SW_VPSC_TWIN_MODES);
    return SW_OK;
}

static sw_status add_mode(sw_vpsc_records *records, sw_vpsc_crystal *crystal, sw_vpsc_mode *mode)
{
    SW_TRY(check_mode(records, crystal, mode));
    const int m = crystal->n_modes++;
    mode->first = crystal->n_systems;
    crystal->mode[m] = *mode;
    crystal->n_twin_modes += mode->twin_type > 0;
    crystal->one_way = crystal->one_way || mode->one_way;
    for (int k = 0; k < mode->count; k++) {
        crystal->mode_of[crystal->n_systems] = m;
        SW_TRY(read_system(records, crystal, crystal->n_systems++));
    }
    crystal->n_slip += mode->twin_type > 0 ? 0 : mode->count;
    return SW_OK;
}

/* Mode `number` of the file, in use or not. */
static sw_status read_mode(sw_vpsc_records *records, int number, int in_use, sw_vpsc_crystal *crystal)
{
    sw_vpsc_mode mode = {0};
    const char *name;
    int both_ways;
    SW_TRY(sw_vpsc_record(records, "a mode's name", &name));
    snprintf(mode.name, sizeof mode.name, "%s", name + strspn(name, " \t"));
    const sw_vpsc_item item[] = {SW_VPSC_WHOLES("modex, the mode's number", 1, &mode.number),
                                 SW_VPSC_WHOLES("nsmx, its systems", 1, &mode.count),
                                 SW_VPSC_WHOLES("isensex, 0 or 1", 1, &both_ways),
                                 SW_VPSC_WHOLES("itwtypex, 0 of slip, 1 to 3 of twins", 1, &mode.twin_type)};
    SW_TRY(sw_vpsc_read(records, 4, item));
    SW_TRY(sw_vpsc_check_flag(records, "isensex", both_ways));
    mode.one_way = both_ways == 0;
    if (mode.number != number)
        return sw_vpsc_bad(records, "modex = %d: need %d, modes are numbered in their order", mode.number,
                           number);
    if (mode.count < 1)
        return sw_vpsc_bad(records, "nsmx = %d: need 1 system or more", mode.count);
    if (mode.twin_type != 0)
        SW_TRY(sw_vpsc_reals(records, "twshx, the twins' shear", 1, &mode.twin_shear));
    if (!in_use)
        return sw_vpsc_skip(records, mode.count);
    if (mode.twin_type != 0 && !(mode.twin_shear > 0))
        return sw_vpsc_bad(records, "twshx = %g: need a twins' shear above 0", mode.twin_shear);
    return add_mode(records, crystal, &mode);
}

static sw_status read_modes(sw_vpsc_records *records, sw_vpsc_crystal *crystal)
{
    int total, n, list[SW_VPSC_MODES];
    SW_TRY(sw_vpsc_skip(records, 1));
    SW_TRY(sw_vpsc_wholes(records, "nmodesx, the file's modes", 1, &total));
    SW_TRY(sw_vpsc_wholes(records, "nmodes, the modes in use", 1, &n));
    if (n < 1 || n > SW_VPSC_MODES)
        return sw_vpsc_bad(records, "nmodes = %d: need 1 to %d", n, SW_VPSC_MODES);
    SW_TRY(sw_vpsc_wholes(records, "mode(i), the numbers of the modes in use", n, list));
    for (int i = 0; i < n; i++)
        if (list[i] < 1 || list[i] > total || (i > 0 && list[i] <= list[i - 1]))
            return sw_vpsc_bad(records, "mode(%d) = %d: need numbers of modes that rise, 1 to %d", i + 1,
                               list[i], total);
    for (int number = 1; number <= total; number++)
        SW_TRY(read_mode(records, number, crystal->n_modes < n && list[crystal->n_modes] == number, crystal));
    return SW_OK;
}

static sw_status read_all(sw_vpsc_records *records, int elastic_only, sw_vpsc_crystal *crystal)
{
    SW_TRY(read_cell(records, crystal));
    SW_TRY(read_moduli(records, crystal));
    if (elastic_only)
        return SW_OK;
    SW_TRY(read_modes(records, crystal));
    return sw_vpsc_read_hardening(records, crystal);
}

sw_status sw_vpsc_read_crystal(const char *path, int elastic_only, sw_vpsc_crystal *crystal)
{
    sw_vpsc_records records;
    memset(crystal, 0, sizeof *crystal);
    snprintf(crystal->path, sizeof crystal->path, "%s", path);
    SW_TRY(sw_vpsc_open(path, &records));
    const sw_status status = read_all(&records, elastic_only, crystal);
    sw_vpsc_close(&records);
    return status;
}
