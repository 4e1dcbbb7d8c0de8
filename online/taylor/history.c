#include "history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/math/rotation.h"
#include "common/math/tensor.h"

enum { FIRST_ROOM = 64 };

static sw_status grow(void **column, size_t bytes)
{
    void *more = realloc(*column, bytes);
    if (more == NULL)
        return sw_error(SW_ERR_MEMORY, "history: %.3g GB of memory refused", (double)bytes * 1e-9);
    *column = more;
    return SW_OK;
}

#define GROW(column, rows) grow((void **)&(column), (size_t)(rows) * sizeof *(column))

/* Room for so many rows, or more. Goals end a run long before the most steps that it may take: memory is for those that
 * come. */
static sw_status make_room(sw_history *h, int64_t rows)
{
    const int64_t room = rows > 2 * h->room ? rows : 2 * h->room;
    if (rows <= h->room)
        return SW_OK;
    SW_TRY(GROW(h->time, room));
    SW_TRY(GROW(h->strain, room));
    SW_TRY(GROW(h->slip_resistance, room));
    SW_TRY(GROW(h->slip_rate, room));
    SW_TRY(GROW(h->deformation_gradient, room));
    SW_TRY(GROW(h->velocity_gradient, room));
    SW_TRY(GROW(h->cauchy_stress, room));
    if (h->families > 0)
        SW_TRY(GROW(h->family_slip, room * h->families));
    if (h->twins > 0)
        SW_TRY(GROW(h->twin_fraction, room * h->twins));
    if (h->twins > 0)
        SW_TRY(GROW(h->turned_fraction, room * h->twins));
    if (h->temperature != NULL)
        SW_TRY(GROW(h->temperature, room));
    if (h->reflections > 0)
        SW_TRY(GROW(h->lattice_strain, room * h->reflections));
    if (h->reflections > 0)
        SW_TRY(GROW(h->lattice_share, room * h->reflections));
    h->room = room;
    return SW_OK;
}

sw_status sw_history_make_room(sw_history *h) { return make_room(h, h->n + 1); }

static void follow_families(const sw_material *m, sw_history *h)
{
    h->families = m->slip.family_count;
    for (int k = 0; k < h->families; k++) {
        const double shear = sw_material_twin_shear(m, k);
        h->family[k] = m->slip.family[k].family;
        if (shear > 0)
            h->twin_shear[h->twins++] = shear;
    }
}

/* slip, turned [F]: NULL: none yet. */
static void set_families(sw_history *h, int64_t n, const double *slip, const double *turned)
{
    const int first = h->families - h->twins;
    for (int k = 0; k < h->families; k++)
        h->family_slip[n * h->families + k] = slip != NULL ? slip[k] : 0;
    for (int k = 0; k < h->twins; k++) {
        h->twin_fraction[n * h->twins + k] = h->family_slip[n * h->families + first + k] / h->twin_shear[k];
        h->turned_fraction[n * h->twins + k] = turned != NULL ? turned[first + k] : 0;
    }
}

sw_status sw_history_create(double slip_resistance, const sw_material *material, sw_history *h)
{
    if (material != NULL)
        follow_families(material, h);
    SW_TRY(make_room(h, FIRST_ROOM));
    h->time[0] = h->strain[0] = h->slip_rate[0] = 0;
    h->slip_resistance[0] = slip_resistance;
    for (int k = 0; k < 9; k++) {
        h->deformation_gradient[0][k / 3][k % 3] = k % 4 == 0;
        h->velocity_gradient[0][k / 3][k % 3] = h->cauchy_stress[0][k / 3][k % 3] = 0;
    }
    set_families(h, 0, NULL, NULL);
    h->n = 1;
    return SW_OK;
}

sw_status sw_history_follow(sw_history *h, int reflections)
{
    h->reflections = reflections;
    if (reflections == 0)
        return SW_OK;
    SW_TRY(GROW(h->lattice_strain, h->room * reflections));
    return GROW(h->lattice_share, h->room * reflections);
}

sw_status sw_history_follow_temperature(sw_history *h, double first)
{
    SW_TRY(GROW(h->temperature, h->room));
    h->temperature[0] = first;
    return SW_OK;
}

void sw_history_set_temperature(sw_history *h, double temperature) { h->temperature[h->n - 1] = temperature; }

void sw_history_set_strains(sw_history *h, const double (*sum)[2], double weight)
{
    for (int k = 0; k < h->reflections; k++) {
        const int64_t at = (h->n - 1) * h->reflections + k;
        h->lattice_strain[at] = sum[k][1] > 0 ? sum[k][0] / sum[k][1] : 0;
        h->lattice_share[at] = sum[k][1] / weight;
    }
}

void sw_history_free(sw_history *h)
{
    free(h->time);
    free(h->strain);
    free(h->slip_resistance);
    free(h->slip_rate);
    free(h->deformation_gradient);
    free(h->velocity_gradient);
    free(h->cauchy_stress);
    free(h->family_slip);
    free(h->twin_fraction);
    free(h->turned_fraction);
    free(h->temperature);
    free(h->lattice_strain);
    free(h->lattice_share);
}

/* F <- exp(L dt) F; the increment halved until the series for the exponential holds. */
static void deform(const double l[3][3], double dt, double from[3][3], double to[3][3])
{
    double increment[3][3], stretch[3][3], squared[3][3];
    int halvings = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            increment[i][j] = l[i][j] * dt;
    while (ldexp(sw_norm(increment), -halvings) > 0.01)
        halvings++;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            increment[i][j] = ldexp(increment[i][j], -halvings);
    sw_exponential_small(increment, stretch);
    for (; halvings > 0; halvings--) {
        sw_multiply(stretch, stretch, squared);
        memcpy(stretch, squared, sizeof stretch);
    }
    sw_multiply(stretch, from, to);
}

void sw_history_add(sw_history *h, const double l[3][3], double dt, double strain,
                    const sw_response_average *average, const double *family_slip, const double *turned)
{
    const int64_t n = h->n++;
    h->time[n] = h->time[n - 1] + dt;
    h->strain[n] = h->strain[n - 1] + strain;
    h->slip_resistance[n] = average->slip_resistance;
    h->slip_rate[n] = average->slip_rate;
    deform(l, dt, h->deformation_gradient[n - 1], h->deformation_gradient[n]);
    memcpy(h->velocity_gradient[n], l, sizeof h->velocity_gradient[n]);
    memcpy(h->cauchy_stress[n], average->cauchy_stress, sizeof h->cauchy_stress[n]);
    set_families(h, n, family_slip, turned);
}

void sw_history_settle(sw_history *h, const sw_response_average *average)
{
    h->slip_rate[h->n - 1] = average->slip_rate;
    memcpy(h->cauchy_stress[h->n - 1], average->cauchy_stress, sizeof *h->cauchy_stress);
}

/* ---- /history ---- */

typedef struct {
    const char *name, *unit;
    int rank;         /* rows of 1, of `shape` */
    int64_t shape[2]; /* 3 x 3, or a family each */
    double *data;
    const char *const *family; /* [shape[0]] theirs, attribute `families`; NULL: none */
} set;

enum { SETS = 13, OF_TWINS = 2 };

/* Returns how many. */
static int list_sets(const sw_history *h, set sets[SETS])
{
    const set all[] = {
        {"history/time", "s", 1, {0}, h->time, NULL},
        {"history/deformation_gradient", "1", 3, {3, 3}, &h->deformation_gradient[0][0][0], NULL},
        {"history/velocity_gradient", "1/s", 3, {3, 3}, &h->velocity_gradient[0][0][0], NULL},
        {"history/strain", "1", 1, {0}, h->strain, NULL},
        {"history/cauchy_stress", "Pa", 3, {3, 3}, &h->cauchy_stress[0][0][0], NULL},
        {"history/slip_resistance", "Pa", 1, {0}, h->slip_resistance, NULL},
        {"history/slip_rate", "1/s", 1, {0}, h->slip_rate, NULL},
        {"history/family_slip", "1", 2, {h->families}, h->family_slip, h->family},
        {"history/twin_fraction", "1", 2, {h->twins}, h->twin_fraction, h->family + h->families - h->twins},
        {"history/turned_fraction",
         "1",
         2,
         {h->twins},
         h->turned_fraction,
         h->family + h->families - h->twins}};
    const set strains[] = {{"history/lattice_strain", "1", 2, {h->reflections}, h->lattice_strain, NULL},
                           {"history/lattice_share", "1", 2, {h->reflections}, h->lattice_share, NULL}};
    const set temperature = {"history/temperature", "K", 1, {0}, h->temperature, NULL};
    const int own = (int)(sizeof all / sizeof *all);
    int count = h->twins > 0 ? own : h->families > 0 ? own - OF_TWINS : own - OF_TWINS - 1;
    memcpy(sets, all, (size_t)count * sizeof *all);
    if (h->temperature != NULL)
        sets[count++] = temperature;
    memcpy(sets + count, strains, sizeof strains);
    return h->reflections > 0 ? count + 2 : count;
}

static sw_status write_families(hid_t file, const set *s)
{
    char names[32 * SW_FAMILIES_MAX] = "";
    for (int64_t k = 0; k < s->shape[0]; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k > 0 ? " " : "", s->family[k]);
    return sw_h5_describe(file, s->name, "families", names);
}

sw_status sw_history_write(hid_t file, const sw_history *h)
{
    set sets[SETS];
    const int count = list_sets(h, sets);
    for (const set *s = sets; s < sets + count; s++) {
        SW_TRY(sw_h5_write(file, s->name, H5T_NATIVE_DOUBLE, s->rank,
                           (int64_t[]){h->n, s->shape[0], s->shape[1]}, s->data));
        SW_TRY(sw_h5_describe(file, s->name, "unit", s->unit));
        if (s->family != NULL)
            SW_TRY(write_families(file, s));
    }
    return SW_OK;
}

sw_status sw_history_read(hid_t file, int64_t rows, sw_history *h)
{
    set sets[SETS];
    SW_TRY(sw_h5_need_shape(file, "history/time", 1, &rows)); /* before there is memory for them */
    SW_TRY(make_room(h, rows));
    const int count = list_sets(h, sets);
    for (const set *s = sets; s < sets + count; s++) {
        int64_t shape[3] = {rows, s->shape[0], s->shape[1]}, numbers = 1;
        for (int i = 0; i < s->rank; i++)
            numbers *= shape[i];
        SW_TRY(sw_h5_read(file, s->name, H5T_NATIVE_DOUBLE, s->rank, shape, s->data));
        for (int64_t i = 0; i < numbers; i++)
            if (!isfinite(s->data[i]))
                return sw_error(SW_ERR_FORMAT, "%s: a number is not finite", s->name);
    }
    h->n = rows;
    return SW_OK;
}
