#include "lattice.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Slip systems ---- */

typedef struct {
    double normal[3], direction[3]; /* of any length */
} slip_system;

static const double tolerance = 1e-9;

/* Of v and -v the one whose last component is positive, or the last that is none. */
static void stand_up(double v[3])
{
    int last = 2;
    while (last > 0 && fabs(v[last]) < tolerance)
        last--;
    const double sign = v[last] < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        v[i] *= sign;
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
static int find_variants(const sw_point_group *group, const slip_system *one,
                         slip_system variant[SW_POINT_GROUP_ORDER])
{
    int count = 0;
    for (int i = 0; i < group->order; i++) {
        slip_system *made = &variant[count];
        int known = 0;
        sw_point_group_turn(group, i, one->normal, made->normal);
        sw_point_group_turn(group, i, one->direction, made->direction);
        stand_up(made->normal);
        stand_up(made->direction);
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

void sw_slip_systems_of(const sw_lattice *lattice, double c_over_a, sw_slip_systems *systems)
{
    memset(systems, 0, sizeof *systems);
    systems->group = lattice->group;
    for (const sw_family *f = lattice->family; f < lattice->family + lattice->n_families; f++) {
        slip_system one, variant[SW_POINT_GROUP_ORDER];
        for (int i = 0; i < 3; i++) {
            one.normal[i] = f->plane[i];
            one.direction[i] = f->direction[i];
        }
        if (lattice->vectors != NULL)
            lattice->vectors(c_over_a, f, one.normal, one.direction);
        const int variants = find_variants(lattice->group, &one, variant);
        assert(systems->count + variants <= SW_SLIP_SYSTEMS_MAX);
        for (int k = 0; k < variants; k++) {
            set_unit(variant[k].normal, systems->normal[systems->count]);
            set_unit(variant[k].direction, systems->direction[systems->count++]);
        }
    }
}
