/* Files of diffraction (.dif), and the planes that a symmetry makes of one. */
#include "diffraction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/math/rotation.h"

/* ---- Equivalent planes ---- */

/* Turns that make a symmetry's proper rotations: about z by 360 degrees over the first, about x by 180 where the second is 1, about
 * <111> by 120 where the third is. */
static const int turns[SW_VPSC_SYMMETRIES][3] = {
    [SW_VPSC_CUBIC] = {4, 1, 1},      [SW_VPSC_HEXAGONAL] = {6, 1, 0},    [SW_VPSC_TRIGONAL] = {3, 1, 0},
    [SW_VPSC_TETRAGONAL] = {4, 1, 0}, [SW_VPSC_ORTHORHOMBIC] = {2, 1, 0}, [SW_VPSC_MONOCLINIC] = {2, 0, 0},
    [SW_VPSC_TRICLINIC] = {1, 0, 0}};

static void turn(const int of[3], int which, const double v[3], double out[3])
{
    const double angle = 2 * SW_PI / of[0], c = cos(angle), s = sin(angle);
    const double turned[3][3] = {
        {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]}, {v[0], -v[1], -v[2]}, {v[2], v[0], v[1]}};
    memcpy(out, turned[which], sizeof turned[which]);
}

static int is_among(const sw_vpsc_reflection *r, const double v[3])
{
    for (int k = 0; k < r->n; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double *n = r->normal[k];
            if (fabs(v[0] - sign * n[0]) + fabs(v[1] - sign * n[1]) + fabs(v[2] - sign * n[2]) <= 1e-4)
                return 1;
        }
    return 0;
}

/* The first normal's, each or its opposite once. */
static void add_equivalents(sw_vpsc_symmetry symmetry, sw_vpsc_reflection *r)
{
    r->n = 1;
    for (int k = 0; k < r->n; k++)
        for (int which = 0; which < 3; which++) {
            double v[3];
            turn(turns[symmetry], which, r->normal[k], v);
            if ((which == 0 || turns[symmetry][which]) && !is_among(r, v) && r->n < SW_VPSC_EQUIVALENTS)
                memcpy(r->normal[r->n++], v, sizeof v);
        }
}

/* ---- The file ---- */

/* The labels are what VPSC8 prints above its columns. */
static sw_status read_reflection(sw_vpsc_records *records, const sw_vpsc_crystal *crystal,
                                 sw_vpsc_reflection *r)
{
    const int n = sw_vpsc_indices(crystal);
    int plane[4] = {0};
    double angle[2];
    snprintf(r->label, sizeof r->label, "%-12.*s", (int)fmin(12, (double)strcspn(records->next, "\r\n")),
             records->next);
    const sw_vpsc_item item[] = {SW_VPSC_WHOLES("a plane", n, plane),
                                 SW_VPSC_REALS("chi and eta of a direction, degrees", 2, angle)};
    SW_TRY(sw_vpsc_read(records, 2, item));
    if (plane[0] == 0 && plane[1] == 0 && plane[n - 1] == 0)
        return sw_vpsc_bad(records, "all indices of a plane are 0");
    const double chi = angle[0] * SW_PI / 180, eta = angle[1] * SW_PI / 180;
    r->along[0] = cos(eta) * sin(chi);
    r->along[1] = sin(eta) * sin(chi);
    r->along[2] = cos(chi);
    sw_vpsc_plane(crystal, plane, r->normal[0]);
    add_equivalents(crystal->symmetry, r);
    return SW_OK;
}

static sw_status read_all(sw_vpsc_records *records, const sw_vpsc_crystal *crystal, sw_vpsc_diffraction *d)
{
    const sw_vpsc_item head[] = {SW_VPSC_WHOLES("ndif, the number of planes", 1, &d->n),
                                 SW_VPSC_REALS("the angle that normals may be off", 1, &d->spread)};
    SW_TRY(sw_vpsc_skip(records, 2));
    SW_TRY(sw_vpsc_read(records, 2, head));
    if (d->n < 1 || d->n > SW_VPSC_REFLECTIONS)
        return sw_vpsc_bad(records, "ndif = %d: need 1 to %d planes", d->n, SW_VPSC_REFLECTIONS);
    SW_TRY(sw_vpsc_skip(records, 2));
    for (int k = 0; k < d->n; k++)
        SW_TRY(read_reflection(records, crystal, &d->reflection[k]));
    return SW_OK;
}

sw_status sw_vpsc_read_diffraction(const char *path, const sw_vpsc_crystal *crystal,
                                   sw_vpsc_diffraction *diffraction)
{
    sw_vpsc_records records;
    memset(diffraction, 0, sizeof *diffraction);
    SW_TRY(sw_vpsc_open(path, &records));
    const sw_status status = read_all(&records, crystal, diffraction);
    sw_vpsc_close(&records);
    return status;
}
