/* Local axes: *ORIENTATION, and what *TRANSFORM and it are at a place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/vector.h"
#include "model.h"

/* Turned about its own axis `turn_axis`: each of the other two goes towards the next. */
static void turn_about_own(const sw_deck_axes *axes, double rows[3][3])
{
    const double angle = axes->turn * acos(-1.0) / 180, c = cos(angle), s = sin(angle);
    const int p = axes->turn_axis % 3, q = (axes->turn_axis + 1) % 3;
    for (int i = 0; i < 3; i++) {
        const double a = rows[p][i], b = rows[q][i];
        rows[p][i] = c * a + s * b;
        rows[q][i] = c * b - s * a;
    }
}

/* On a cylinder's axis: the direction that CalculiX takes. */
static void any_radius(const double axis[3], double radius[3])
{
    const int k = fabs(axis[0]) > 1e-10 ? 0 : 1;
    memset(radius, 0, 3 * sizeof *radius);
    radius[k] = -axis[k + 1];
    radius[k + 1] = axis[k];
    if (fabs(axis[k]) <= 1e-10) {
        radius[0] = 1;
        radius[1] = radius[2] = 0;
    }
}

void sw_deck_axes_at(const sw_deck_axes *axes, const double at[3], double rows[3][3])
{
    if (axes->system == SW_DECK_RECTANGULAR) {
        memcpy(rows[0], axes->a, sizeof rows[0]);
        sw_to_unit(rows[0]);
        sw_cross(rows[0], axes->b, rows[2]);
        sw_to_unit(rows[2]);
        sw_cross(rows[2], rows[0], rows[1]);
    } else { /* radial, around, along */
        for (int i = 0; i < 3; i++) {
            rows[2][i] = axes->b[i] - axes->a[i];
            rows[0][i] = at[i] - axes->a[i];
        }
        sw_to_unit(rows[2]);
        const double along = sw_dot(rows[0], rows[2]), far = sw_dot(rows[0], rows[0]);
        for (int i = 0; i < 3; i++)
            rows[0][i] -= along * rows[2][i];
        if (!(sw_dot(rows[0], rows[0]) > 1e-20 * far))
            any_radius(rows[2], rows[0]);
        sw_to_unit(rows[0]);
        sw_cross(rows[2], rows[0], rows[1]);
    }
    if (axes->turn != 0)
        turn_about_own(axes, rows);
}

/* ---- Motions of instances ---- */

sw_status sw_deck_motion(const sw_deck_card *card, const double by[3], const double about[7],
                         sw_deck_scope *motion)
{
    const double angle = about[6] * acos(-1.0) / 180;
    double axis[3];
    for (int i = 0; i < 3; i++) {
        motion->shift[i] = by[i];
        motion->origin[i] = about[i];
        axis[i] = about[3 + i] - about[i];
    }
    if (!(sw_to_unit(axis) > 0) && angle != 0)
        return sw_deck_complain(card, "turns by %g degrees about an axis whose two points are one", about[6]);
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double n = axis[i] * axis[j];
            const double other = (j - i + 3) % 3 == 1 ? -axis[(i + 2) % 3] : axis[(i + 1) % 3];
            motion->rows[i][j] = i == j ? c + (1 - c) * n : (1 - c) * n + s * other;
        }
    return SW_OK;
}

void sw_deck_move(const sw_deck_scope *motion, const double at[3], double moved[3])
{
    double local[3];
    for (int i = 0; i < 3; i++)
        local[i] = at[i] + motion->shift[i] - motion->origin[i];
    for (int i = 0; i < 3; i++)
        moved[i] = motion->origin[i] + motion->rows[i][0] * local[0] + motion->rows[i][1] * local[1] +
                   motion->rows[i][2] * local[2];
}

void sw_deck_turn_direction(const sw_deck *deck, double direction[3])
{
    const double of[3] = {direction[0], direction[1], direction[2]};
    for (int i = 0; i < 3; i++)
        direction[i] = sw_dot(deck->instance[deck->scope].rows[i], of);
}

sw_status sw_deck_direction(const sw_deck *deck, const sw_deck_card *card, int64_t i, int k,
                            double direction[3])
{
    for (int j = 0; j < 3; j++)
        SW_TRY(sw_deck_number(card, i, k + j, 0, &direction[j]));
    sw_deck_turn_direction(deck, direction);
    return sw_to_unit(direction) > 0
               ? SW_OK
               : sw_deck_complain_at(card, i, "needs a direction in fields %d to %d", k + 1, k + 3);
}

sw_status sw_deck_read_points(const sw_deck *deck, const sw_deck_card *card, int64_t i, int k,
                              sw_deck_axes *axes)
{
    const int rectangular = axes->system == SW_DECK_RECTANGULAR;
    double a[3], b[3], origin[3] = {0, 0, 0}, c[3];
    axes->line = card->line;
    for (int j = 0; j < 3; j++) {
        SW_TRY(sw_deck_number(card, i, k + j, 0, &a[j]));
        SW_TRY(sw_deck_number(card, i, k + 3 + j, 0, &b[j]));
        if (rectangular)
            SW_TRY(sw_deck_number(card, i, k + 6 + j, 0, &origin[j]));
        a[j] -= origin[j];
        b[j] -= origin[j];
        c[j] = b[j] - a[j];
    }
    memcpy(axes->a, a, sizeof a);
    memcpy(axes->b, b, sizeof b);
    if (rectangular) {
        sw_cross(a, b, c);
        sw_deck_turn_direction(deck, axes->a);
        sw_deck_turn_direction(deck, axes->b);
    } else { /* points of the axis */
        sw_deck_move(&deck->instance[deck->scope], a, axes->a);
        sw_deck_move(&deck->instance[deck->scope], b, axes->b);
    }
    return sw_dot(c, c) > 0 ? SW_OK
                            : sw_deck_complain_at(card, i,
                                                  rectangular ? "its two points and the origin lie on a line"
                                                              : "its two points are one");
}

/* From points on z and in the x-z plane to points on x and y. */
static void from_z(sw_deck_axes *axes)
{
    const double z[3] = {axes->a[0], axes->a[1], axes->a[2]}, along = sw_dot(z, axes->b) / sw_dot(z, z);
    for (int i = 0; i < 3; i++)
        axes->a[i] = axes->b[i] - along * z[i];
    sw_cross(z, axes->a, axes->b);
}

sw_status sw_deck_read_orientation(sw_deck *deck, const sw_deck_card *card)
{
    const char *name, *system = sw_deck_parameter(card, "SYSTEM"),
                      *by = sw_deck_parameter(card, "DEFINITION");
    SW_TRY(sw_deck_need_parameters(card, " NAME SYSTEM DEFINITION "));
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    sw_deck_axes axes = {.system = SW_DECK_RECTANGULAR, .scope = deck->scope};
    const int by_z = system != NULL && sw_deck_same_word(system, "Z RECTANGULAR");
    if (by != NULL && strcasecmp(by, "COORDINATES") != 0)
        return sw_deck_complain(card, "DEFINITION=%.40s is not computed: need COORDINATES", by);
    if (system != NULL && (*system == 'C' || *system == 'c'))
        axes.system = SW_DECK_CYLINDRICAL;
    else if (system != NULL && *system != 'R' && *system != 'r' && !by_z)
        return sw_deck_complain(
            card, "SYSTEM=%.40s is not computed: need RECTANGULAR, Z RECTANGULAR or CYLINDRICAL", system);
    SW_TRY(sw_deck_need_lines(card, 1, 2));
    const char *first = sw_deck_field(card, 0, 0);
    if (card->data[0].n_fields == 1 && strspn(first, "0123456789+-.") == 0)
        axes.distribution = first;
    else
        SW_TRY(sw_deck_read_points(deck, card, 0, 0, &axes));
    if (by_z && axes.distribution != NULL)
        return sw_deck_complain(card, "SYSTEM=Z RECTANGULAR with a distribution is not computed");
    if (by_z)
        from_z(&axes);
    if (card->n_lines == 2) {
        int64_t axis;
        SW_TRY(sw_deck_integer(card, 1, 0, 1, &axis));
        SW_TRY(sw_deck_number(card, 1, 1, 0, &axes.turn));
        if (axis < 1 || axis > 3)
            return sw_deck_complain_at(card, 1, "axis %lld: need 1, 2 or 3", (long long)axis);
        axes.turn_axis = (int)axis;
    }
    if (sw_deck_find_name(deck, SW_DECK_ORIENTATION, name) >= 0)
        return sw_deck_complain(card, "orientation %.80s is there already", name);
    SW_TRY(SW_DECK_ROOM(deck->axes, deck->n_axes));
    SW_TRY(sw_deck_new_name(deck, SW_DECK_ORIENTATION, name, deck->n_axes, &axes.name));
    deck->axes[deck->n_axes++] = axes;
    return SW_OK;
}
