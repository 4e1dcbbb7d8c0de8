#include "lattice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/status.h"

#define ENTRY(name) &sw_lattice_##name,
const sw_lattice *const sw_lattices[SW_LATTICES] = {SW_LATTICE_LIST(ENTRY)};
#define NAME(name) #name,
const char *const sw_lattice_names[SW_LATTICES] = {SW_LATTICE_LIST(NAME)};

const sw_lattice *sw_lattice_find(const char *name)
{
    for (int i = 0; i < SW_LATTICES; i++)
        if (strcmp(sw_lattices[i]->name, name) == 0)
            return sw_lattices[i];
    return NULL;
}

const sw_lattice *sw_lattice_of_bravais(const char *bravais)
{
    for (int i = 0; i < SW_LATTICES; i++)
        if (strcmp(sw_lattices[i]->bravais, bravais) == 0)
            return sw_lattices[i];
    return NULL;
}

/* ---- Indices ---- */

void sw_lattice_vectors(const sw_lattice *lattice, double c_over_a, const double hkl[4], const double uvw[4],
                        double normal[3], double direction[3])
{
    memcpy(normal, hkl, 3 * sizeof *normal);
    memcpy(direction, uvw, 3 * sizeof *direction);
    if (lattice->vectors != NULL)
        lattice->vectors(c_over_a, hkl, uvw, normal, direction);
}

void sw_lattice_pole(const sw_lattice *lattice, double c_over_a, int number, double normal[3])
{
    const int *hkl = lattice->pole[number].hkl;
    double unused[3];
    sw_lattice_vectors(lattice, c_over_a, (const double[]){hkl[0], hkl[1], hkl[2], hkl[3]},
                       (const double[]){0, 0, 0, 0}, normal, unused);
}

/* ---- Slip systems ---- */

typedef struct {
    double normal[3], direction[3]; /* of any length */
} slip_system;

static const double tolerance = 1e-9;

/* Whether the last component that is not 0 is negative: of v and -v the other one is meant. */
static int lies_down(const double v[3])
{
    int last = 2;
    while (last > 0 && fabs(v[last]) < tolerance)
        last--;
    return v[last] < 0;
}

static void turn_round(double v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = -v[i];
}

/* Of a twin only with its plane. */
static void stand_up(slip_system *one, int twin)
{
    const int plane = lies_down(one->normal);
    if (plane)
        turn_round(one->normal);
    if (twin ? plane : lies_down(one->direction))
        turn_round(one->direction);
}

/* By the sizes of their components, then by signs, the last component's first. */
static int compare(const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        if (fabs(fabs(a[i]) - fabs(b[i])) > tolerance)
            return fabs(a[i]) < fabs(b[i]) ? -1 : 1;
    for (int i = 2; i >= 0; i--)
        if (fabs(a[i] - b[i]) > tolerance)
            return a[i] > b[i] ? -1 : 1;
    return 0;
}

static int by_plane(const void *one, const void *other)
{
    const slip_system *a = one, *b = other;
    const int planes = compare(a->normal, b->normal);
    return planes != 0 ? planes : compare(a->direction, b->direction);
}

/* What the group makes of one system, each once up to the signs of plane and direction -> their number. */
static int find_variants(const sw_point_group *group, const slip_system *one, int twin,
                         slip_system variant[SW_POINT_GROUP_ORDER])
{
    int count = 0;
    for (int i = 0; i < group->order; i++) {
        slip_system *made = &variant[count];
        int known = 0;
        sw_point_group_turn(group, i, one->normal, made->normal);
        sw_point_group_turn(group, i, one->direction, made->direction);
        stand_up(made, twin);
        for (int k = 0; k < count && !known; k++)
            known = by_plane(&variant[k], made) == 0;
        count += !known;
    }
    qsort(variant, (size_t)count, sizeof *variant, by_plane);
    return count;
}

/* Rounded once: symmetric vectors of a cube have the same bits. */
static void set_unit(const double v[3], double unit[3])
{
    const long double length = sqrtl((long double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    for (int i = 0; i < 3; i++)
        unit[i] = (double)(v[i] / length);
}

/* A system by its indices. */
static slip_system system_of(const sw_lattice *lattice, double b_over_a, double c_over_a, const double hkl[4],
                             const double uvw[4])
{
    slip_system one;
    sw_lattice_vectors(lattice, c_over_a, hkl, uvw, one.normal, one.direction);
    one.normal[1] /= b_over_a; /* planes are normal to reciprocal vectors */
    one.direction[1] *= b_over_a;
    return one;
}

/* A family's first system. */
static slip_system first_of(const sw_lattice *lattice, double b_over_a, double c_over_a, const sw_family *f)
{
    double hkl[4], uvw[4];
    for (int i = 0; i < 4; i++) {
        hkl[i] = f->plane[i];
        uvw[i] = f->direction[i];
    }
    slip_system one = system_of(lattice, b_over_a, c_over_a, hkl, uvw);
    if (f->twin_shear != NULL && f->twin_shear(c_over_a) < 0)
        turn_round(one.direction);
    return one;
}

/* As one family more. */
static sw_status add_systems(const sw_lattice *lattice, int n, const slip_system *one, int twins,
                             sw_slip_systems *systems)
{
    const int family = systems->count > 0 ? systems->family[systems->count - 1] + 1 : 0;
    if (systems->count + n > SW_SLIP_SYSTEMS_MAX)
        return sw_error(SW_ERR_RANGE, "crystal_structure = %s: families of more than %d slip systems",
                        lattice->name, SW_SLIP_SYSTEMS_MAX);
    for (int i = 0; i < n; i++) {
        systems->family[systems->count] = family;
        set_unit(one[i].normal, systems->normal[systems->count]);
        set_unit(one[i].direction, systems->direction[systems->count++]);
    }
    systems->two_way += twins ? 0 : n;
    return SW_OK;
}

sw_status sw_slip_systems_add_family(const sw_lattice *lattice, double b_over_a, double c_over_a, int number,
                                     sw_slip_systems *systems)
{
    const sw_family *f = &lattice->family[number];
    const int twin = f->twin_shear != NULL;
    const slip_system one = first_of(lattice, b_over_a, c_over_a, f);
    slip_system variant[SW_POINT_GROUP_ORDER];
    systems->group = lattice->group;
    const int variants = find_variants(lattice->group, &one, twin, variant);
    return add_systems(lattice, variants, variant, twin, systems);
}

/* ---- Systems that a file lists ---- */

/* The indices of a row: h k i l, u v t w, of lattices that have three h k l, u v w. */
static sw_status split(const sw_lattice *lattice, const double row[8], double hkl[4], double uvw[4])
{
    const int n = sw_lattice_has_four(lattice) ? 4 : 3;
    if (isnan(row[6]) != (n == 3))
        return sw_error(SW_ERR_RANGE, "crystal_structure = %s: need %s", lattice->name,
                        n == 4 ? "h k i l and u v t w, 8 numbers" : "h k l and u v w, 6 numbers");
    for (int i = 0; i < 4; i++) {
        hkl[i] = i < n ? row[i] : 0;
        uvw[i] = i < n ? row[n + i] : 0;
    }
    if (n == 4 && (hkl[0] + hkl[1] + hkl[2] != 0 || uvw[0] + uvw[1] + uvw[2] != 0))
        return sw_error(SW_ERR_RANGE, "need h + k + i = 0 and u + v + t = 0");
    return SW_OK;
}

/* Its vectors have unit length. */
static sw_status read_system(const sw_lattice *lattice, double b_over_a, double c_over_a, const double row[8],
                             int twin, slip_system *one)
{
    double hkl[4], uvw[4], product = 0;
    SW_TRY(split(lattice, row, hkl, uvw));
    *one = system_of(lattice, b_over_a, c_over_a, hkl, uvw);
    set_unit(one->normal, one->normal);
    set_unit(one->direction, one->direction);
    for (int i = 0; i < 3; i++)
        product += one->normal[i] * one->direction[i];
    if (isnan(product))
        return sw_error(SW_ERR_RANGE, "need a plane and a direction, not all of whose indices are 0");
    if (!(fabs(product) < 1e-4))
        return sw_error(SW_ERR_RANGE, "the direction is not in the plane: their unit vectors' product is %g",
                        product);
    stand_up(one, twin);
    return SW_OK;
}

static int find_system(int n, const slip_system *among, const slip_system *one)
{
    int k = 0;
    while (k < n && by_plane(&among[k], one) != 0)
        k++;
    return k;
}

/* What the group makes of each is there. */
static sw_status check_closed(const sw_lattice *lattice, int n, const slip_system *listed, int twins)
{
    for (int k = 0; k < n; k++) {
        slip_system variant[SW_POINT_GROUP_ORDER];
        const int variants = find_variants(lattice->group, &listed[k], twins, variant);
        for (int i = 0; i < variants; i++)
            if (find_system(n, listed, &variant[i]) == n)
                return sw_error(SW_ERR_RANGE,
                                "crystal_structure = %s: its symmetry makes %d systems of number %d, and of "
                                "these not all are in the list%s",
                                lattice->name, variants, k + 1, twins ? ", or not in the same sense" : "");
    }
    return SW_OK;
}

sw_status sw_slip_systems_add_list(const sw_lattice *lattice, double b_over_a, double c_over_a, int n,
                                   const double (*index)[8], int twins, sw_slip_systems *systems)
{
    slip_system listed[SW_SLIP_SYSTEMS_MAX];
    systems->group = lattice->group;
    if (n > SW_SLIP_SYSTEMS_MAX)
        return sw_error(SW_ERR_RANGE, "%d systems: need at most %d", n, SW_SLIP_SYSTEMS_MAX);
    for (int k = 0; k < n; k++) {
        if (read_system(lattice, b_over_a, c_over_a, index[k], twins, &listed[k]) != SW_OK) {
            char why[256];
            snprintf(why, sizeof why, "%s", sw_error_message());
            return sw_error(SW_ERR_RANGE, "system %d: %s", k + 1, why);
        }
        const int same = find_system(k, listed, &listed[k]);
        if (same < k)
            return sw_error(SW_ERR_RANGE, "system %d: is the same as number %d", k + 1, same + 1);
    }
    SW_TRY(check_closed(lattice, n, listed, twins));
    qsort(listed, (size_t)n, sizeof *listed, by_plane);
    return add_systems(lattice, n, listed, twins, systems);
}

/* ---- All that are asked for ---- */

sw_status sw_slip_systems_of(const sw_lattice *lattice, double c_over_a, int n, const int *family,
                             sw_slip_systems *systems)
{
    return sw_slip_systems_along(lattice, 1, c_over_a, n, family, systems);
}

sw_status sw_slip_systems_along(const sw_lattice *lattice, double b_over_a, double c_over_a, int n,
                                const int *family, sw_slip_systems *systems)
{
    memset(systems, 0, sizeof *systems);
    for (int k = 0; k < (family != NULL ? n : lattice->n_families); k++)
        SW_TRY(
            sw_slip_systems_add_family(lattice, b_over_a, c_over_a, family != NULL ? family[k] : k, systems));
    return SW_OK;
}

int sw_lattice_family(const sw_lattice *lattice, const char *name)
{
    for (int k = 0; k < lattice->n_families; k++)
        if (lattice->family[k].name != NULL && strcmp(lattice->family[k].name, name) == 0)
            return k;
    return -1;
}
