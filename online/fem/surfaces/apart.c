/* What keeps surfaces from touching, and how far those have gone whose feet stay; surfaces.h. */
#include <math.h>

#include "common/math/vector.h"
#include "face.h"

enum { LOOKED_AT = 64 }; /* faces of the slave, about */

static int stays(const sw_surfaces *s, const sw_surface_state *state)
{
    return !s->finite || state->of->small || state->of->law.behavior == SW_SURFACE_TIED;
}

static void middle_of(const sw_surfaces *s, const sw_surface_face *face, const double *u,
                      sw_surface_place *place)
{
    sw_surface_patch patch;
    sw_surface_patch_of(s, face, u, &patch);
    const double at = patch.topology->n_corners == 3 ? 1.0 / 3 : 0, both[2] = {at, at};
    sw_surface_see(&patch, both, place);
}

static int touches(const sw_surfaces *s, const sw_surface_state *state, const double *u)
{
    sw_surface_touch t;
    for (int64_t q = 0; q < state->n_points; q++)
        if (sw_surface_meet(s, state, &state->point[q], u, &t))
            return 1;
    return 0;
}

/* The master's face whose middle is nearest to that of a slave's. 0: there is none. */
static int nearest(const sw_surfaces *s, const sw_surface_pair *pair, const double *u, const double x[3],
                   sw_surface_place *best)
{
    double least = INFINITY;
    for (int64_t f = 0; f < pair->n_faces[1]; f++) {
        sw_surface_place place;
        if (pair->face[1][f].off)
            continue;
        middle_of(s, &pair->face[1][f], u, &place);
        if (sw_distance(place.x, x) < least) {
            least = sw_distance(place.x, x);
            *best = place;
        }
    }
    return isfinite(least);
}

sw_surface_lack sw_surfaces_lack(const sw_surfaces *s, int pair, const double *u)
{
    const sw_surface_state *state = &s->state[pair];
    const sw_surface_pair *of = state->of;
    const int64_t each = 1 + of->n_faces[0] / LOOKED_AT;
    int64_t n = 0, averted = 0, deep = 0;
    if (of->off || touches(s, state, u))
        return SW_SURFACES_MAY_TOUCH;
    for (int64_t f = 0; f < of->n_faces[0]; f += each) {
        sw_surface_place own, other = {0};
        double gap = 0;
        if (of->face[0][f].off)
            continue;
        middle_of(s, &of->face[0][f], u, &own);
        if (!nearest(s, of, u, own.x, &other))
            return SW_SURFACES_MAY_TOUCH;
        for (int i = 0; i < 3; i++)
            gap += other.n[i] * (own.x[i] - other.x[i]);
        n++;
        averted += sw_dot(own.n, other.n) >= SW_SURFACE_FACING;
        deep += sw_dot(own.n, other.n) < SW_SURFACE_FACING && gap < -state->length[0];
    }
    if (n > 0 && averted == n)
        return SW_SURFACES_AVERTED;
    if (n > 0 && averted + deep == n)
        return SW_SURFACES_TOO_DEEP;
    return n > 0 && stays(s, state) ? SW_SURFACES_BESIDE : SW_SURFACES_MAY_TOUCH;
}

double sw_surfaces_strayed(const sw_surfaces *s, int pair, const double *u)
{
    const sw_surface_state *state = &s->state[pair];
    double most = 0;
    if (!stays(s, state) || state->of->law.behavior == SW_SURFACE_TIED)
        return 0;
    for (int64_t q = 0; q < state->n_points; q++) {
        sw_surface_touch t;
        double d[3], across = 0;
        if (!sw_surface_touch_of(s, state, &state->point[q], u, &t) || !(t.pressure > 0))
            continue;
        for (int i = 0; i < 3; i++)
            across += t.n[i] * (t.x[i] - t.y[i]);
        for (int i = 0; i < 3; i++)
            d[i] = t.x[i] - t.y[i] - across * t.n[i];
        most = fmax(most, sqrt(sw_dot(d, d)));
    }
    return most / state->length[0];
}
