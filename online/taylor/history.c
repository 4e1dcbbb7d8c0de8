#include "history.h"

#include <math.h>
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
    h->room = room;
    return SW_OK;
}

sw_status sw_history_make_room(sw_history *h) { return make_room(h, h->n + 1); }

sw_status sw_history_create(double slip_resistance, sw_history *h)
{
    SW_TRY(make_room(h, FIRST_ROOM));
    h->time[0] = h->strain[0] = h->slip_rate[0] = 0;
    h->slip_resistance[0] = slip_resistance;
    for (int k = 0; k < 9; k++) {
        h->deformation_gradient[0][k / 3][k % 3] = k % 4 == 0;
        h->velocity_gradient[0][k / 3][k % 3] = h->cauchy_stress[0][k / 3][k % 3] = 0;
    }
    h->n = 1;
    return SW_OK;
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
                    const sw_response_average *average)
{
    const int64_t n = h->n++;
    h->time[n] = h->time[n - 1] + dt;
    h->strain[n] = h->strain[n - 1] + strain;
    h->slip_resistance[n] = average->slip_resistance;
    h->slip_rate[n] = average->slip_rate;
    deform(l, dt, h->deformation_gradient[n - 1], h->deformation_gradient[n]);
    memcpy(h->velocity_gradient[n], l, sizeof h->velocity_gradient[n]);
    memcpy(h->cauchy_stress[n], average->cauchy_stress, sizeof h->cauchy_stress[n]);
}

void sw_history_settle(sw_history *h, const sw_response_average *average)
{
    h->slip_rate[h->n - 1] = average->slip_rate;
    memcpy(h->cauchy_stress[h->n - 1], average->cauchy_stress, sizeof *h->cauchy_stress);
}

/* ---- /history ---- */

typedef struct {
    const char *name, *unit;
    int rank; /* rows of 1, or of 3 x 3 */
    double *data;
} set;

enum { SETS = 7 };

static void list_sets(const sw_history *h, set sets[SETS])
{
    const set all[SETS] = {{"history/time", "s", 1, h->time},
                           {"history/deformation_gradient", "1", 3, &h->deformation_gradient[0][0][0]},
                           {"history/velocity_gradient", "1/s", 3, &h->velocity_gradient[0][0][0]},
                           {"history/strain", "1", 1, h->strain},
                           {"history/cauchy_stress", "Pa", 3, &h->cauchy_stress[0][0][0]},
                           {"history/slip_resistance", "Pa", 1, h->slip_resistance},
                           {"history/slip_rate", "1/s", 1, h->slip_rate}};
    memcpy(sets, all, sizeof all);
}

sw_status sw_history_write(hid_t file, const sw_history *h)
{
    set sets[SETS];
    list_sets(h, sets);
    for (const set *s = sets; s < sets + SETS; s++) {
        SW_TRY(sw_h5_write(file, s->name, H5T_NATIVE_DOUBLE, s->rank, (int64_t[]){h->n, 3, 3}, s->data));
        SW_TRY(sw_h5_describe(file, s->name, "unit", s->unit));
    }
    return SW_OK;
}

sw_status sw_history_read(hid_t file, int64_t rows, sw_history *h)
{
    set sets[SETS];
    SW_TRY(sw_h5_need_shape(file, "history/time", 1, &rows)); /* before there is memory for them */
    SW_TRY(make_room(h, rows));
    list_sets(h, sets);
    for (const set *s = sets; s < sets + SETS; s++) {
        SW_TRY(sw_h5_read(file, s->name, H5T_NATIVE_DOUBLE, s->rank, (int64_t[]){rows, 3, 3}, s->data));
        for (int64_t i = 0; i < rows * (s->rank == 1 ? 1 : 9); i++)
            if (!isfinite(s->data[i]))
                return sw_error(SW_ERR_FORMAT, "%s: a number is not finite", s->name);
    }
    h->n = rows;
    return SW_OK;
}
