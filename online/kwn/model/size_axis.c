#include "size_axis.h"

#include <inttypes.h>
#include <stdlib.h>

/* Width of the largest class of an adaptive axis over that of the smallest. */
#define SW_KWN_STRETCH 6.0

static sw_status check(const sw_kwn_axis_options *o)
{
    const int logarithmic = o->kind == SW_AXIS_LOGARITHMIC;
    if ((int)o->kind < 0 || o->kind >= SW_AXIS_KINDS)
        return sw_error(SW_ERR_RANGE, "kind of the size axis = %d: need 0 to %d", (int)o->kind,
                        SW_AXIS_KINDS - 1);
    if (o->classes < 8 || o->classes > 1 << 18)
        return sw_error(SW_ERR_RANGE, "classes = %" PRId64 ": need 8 <= classes <= 262144", o->classes);
    if (!(o->largest >= 1e-12 && o->largest <= 1e-2))
        return sw_error(SW_ERR_RANGE, "largest = %g: need a radius in m, from 1e-12 to 1e-2", o->largest);
    if (!(o->smallest >= 0 && o->smallest < o->largest))
        return sw_error(SW_ERR_RANGE, "smallest = %g: need 0 <= smallest < largest (%g)", o->smallest,
                        o->largest);
    if (logarithmic && !(o->smallest >= 1e-12))
        return sw_error(SW_ERR_RANGE, "smallest = %g: need at least 1e-12 m on a logarithmic axis",
                        o->smallest);
    if (o->kind == SW_AXIS_ADAPTIVE && o->smallest > 0)
        return sw_error(SW_ERR_RANGE, "smallest = %g: need 0 on an adaptive axis", o->smallest);
    return SW_OK;
}

static void fill(const sw_kwn_axis *axis, double *inverse_face, double *inverse_width, double *pivot)
{
    for (int32_t i = 0; i <= axis->n_padded; i++) {
        const double face = i < axis->n ? sw_kwn_face(axis, i) : 1;
        inverse_face[i] = 1 / (face > 0 ? face : 1e-3 * sw_kwn_width(axis, 0));
    }
    for (int32_t i = 0; i < axis->n_padded; i++) {
        const int32_t inside = i < axis->n ? i : axis->n - 1;
        inverse_width[i] = i < axis->n ? 1 / (sw_kwn_face(axis, i + 1) - sw_kwn_face(axis, i)) : 0;
        pivot[i] = sw_kwn_pivot(axis, inside);
    }
}

sw_status sw_kwn_axis_make(const sw_kwn_axis_options *options, int64_t pad, sw_kwn_axis *axis)
{
    *axis = (sw_kwn_axis){0};
    SW_TRY(check(options));
    const int32_t n = (int32_t)options->classes;
    axis->kind = options->kind;
    axis->n = n;
    axis->n_padded = (int32_t)((n + pad - 1) / pad * pad);
    axis->scale = options->largest;
    axis->first = options->smallest / options->largest;
    axis->ratio = (1 - axis->first) / n;
    axis->widening = 1;
    if (options->kind != SW_AXIS_UNIFORM) {
        const int logarithmic = options->kind == SW_AXIS_LOGARITHMIC;
        const double stretch = logarithmic ? 1 / axis->first : SW_KWN_STRETCH;
        axis->ratio = log(stretch) / n;
        axis->widening = exp(axis->ratio);
        axis->base = logarithmic ? axis->first : 1 / (stretch - 1);
        axis->offset = axis->base - axis->first;
    }
    double *table;
    SW_TRY(SW_ALLOCATE(table, 3 * ((int64_t)axis->n_padded + 1), "the size axis"));
    axis->inverse_face = table;
    axis->inverse_width = table + axis->n_padded + 1;
    axis->pivot = axis->inverse_width + axis->n_padded;
    fill(axis, table, table + axis->n_padded + 1, table + 2 * axis->n_padded + 1);
    return SW_OK;
}

void sw_kwn_axis_free(sw_kwn_axis *axis)
{
    free((void *)axis->inverse_face);
    *axis = (sw_kwn_axis){0};
}
