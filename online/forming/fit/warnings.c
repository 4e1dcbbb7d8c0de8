/* What a fit says of itself: points that say nothing, parameters that the data do not tell, data that the law misses. */
#include <math.h>

#include "found.h"

/* Nearer than this to a bound, of the way between them: of bounds six decades apart some 7 %. */
static const double NEAR = 0.005;
static const double CORRELATED = 0.99;
/* Of deviations: of ten thousand points with normal errors none is off by more, but with a probability of 0.6 %. */
static const double FAR = 5;
/* Of the misfit over degrees of freedom, about which 1 is expected: deviations are thrice too small, or the law cannot. */
static const double LARGE = 10;

/* ---- Before ---- */

void sw_fit_note_left_out(const sw_fit *fit, const sw_fit_found *found)
{
    for (unsigned k = 0; k < fit->curves_count; k++)
        if (found->test[k].left_out > 0)
            sw_note(
                "fit: %s: %d of %d points are left out: before any strain the model has no stress, whatever "
                "its parameters",
                fit->curves[k].file, found->test[k].left_out,
                found->test[k].left_out + found->test[k].data.n);
}

/* ---- Parameters ---- */

static void warn_of_bound(const sw_fit_parameter *p, double value)
{
    const double q = sw_fit_place_of(p, value);
    if (!(q < NEAR || q > 1 - NEAR))
        return;
    sw_warn("fit: %s = %.6g is at its bound %g: the data ask for more than the bounds allow, or do not "
            "depend on it",
            p->key, value, q < 0.5 ? p->least : p->most);
}

/* An uncertainty beyond the value itself: the data cannot tell it from none, nor from twice as much. */
static void warn_of_uncertainty(const sw_fit_parameter *p, double value, double uncertainty)
{
    if (isfinite(uncertainty) && uncertainty > fabs(value))
        sw_warn(
            "fit: %s = %.4g +- %.2g%s%s: what was measured does not determine it: the uncertainty is %.2g "
            "times the value",
            p->key, value, uncertainty, p->unit != NULL ? " " : "", p->unit != NULL ? p->unit : "",
            uncertainty / fabs(value));
}

static void warn_of_parameter(const sw_fit_found *found, int i)
{
    const sw_fit_parameter *p = &found->parameter[i];
    warn_of_bound(p, sw_fit_value(p, &found->material));
    warn_of_uncertainty(p, sw_fit_value(p, &found->material), found->uncertainty[i]);
    if (isinf(found->uncertainty[i]))
        sw_warn("fit: nothing that was measured depends on %s, or on it apart from others", p->key);
    for (int j = 0; j < i; j++) {
        const double c = found->correlation[i * found->parameters + j];
        if (fabs(c) > CORRELATED)
            sw_warn(
                "fit: %s and %s are correlated by %.4f: what was measured tells one from the other hardly",
                found->parameter[j].key, p->key, c);
    }
}

/* ---- Data ---- */

/* A datum: over its own deviation, whatever it weighs. */
typedef struct {
    double off;
    int known;             /* its deviation */
    const sw_fit_test *of; /* NULL: an r-value */
    unsigned point;        /* or which r-value */
} datum;

static void take_worse(const datum *d, datum *worst)
{
    if (fabs(d->off) > fabs(worst->off))
        *worst = *d;
}

static datum worst_datum(const sw_fit *fit, const sw_fit_found *found)
{
    const double *residual = found->residual;
    datum worst = {.off = 0};
    for (unsigned k = 0; k < fit->curves_count; residual += found->test[k++].data.n)
        for (int i = 0; i < found->test[k].data.n; i++)
            take_worse(&(datum){.off = residual[i] / sqrt(fit->curves[k].weight),
                                .known = fit->curves[k].deviation > 0,
                                .of = &found->test[k],
                                .point = (unsigned)i},
                       &worst);
    for (unsigned k = 0; k < fit->r_values_count; k++)
        take_worse(&(datum){.off = residual[k] / sqrt(fit->r_values[k].weight),
                            .known = fit->r_values[k].deviation > 0,
                            .point = k},
                   &worst);
    return worst;
}

static void warn_of_data(const sw_fit *fit, const sw_fit_found *found)
{
    const datum d = worst_datum(fit, found);
    const char *of = d.known ? "its deviation" : "the deviation that is assumed of it";
    if (!(fabs(d.off) > FAR))
        return;
    if (d.of == NULL)
        sw_warn("fit: r at %g degrees is measured as %.4g and fitted as %.4g: off by %.3g times %s",
                fit->r_values[d.point].angle, fit->r_values[d.point].r, found->r[d.point], fabs(d.off), of);
    else
        sw_warn(
            "fit: %s: the stress at true strain %g is measured as %.4g MPa and fitted as %.4g MPa: off by "
            "%.3g times %s",
            d.of->curve->file, d.of->data.strain[d.point], d.of->data.stress[d.point] / 1e6,
            (d.of->data.stress[d.point] + d.off * d.of->deviation) / 1e6, fabs(d.off), of);
}

static void warn_of_misfit(const sw_fit_found *found)
{
    const double misfit = sw_fit_misfit(found);
    if (misfit > LARGE)
        sw_warn(
            "fit: misfit over degrees of freedom is %.3g: the law cannot have these data, or deviations are "
            "%s too small",
            misfit, found->deviations_known ? "given" : "assumed");
    if (isnan(misfit) && !found->deviations_known)
        sw_warn(
            "fit: %d numbers for %d parameters: uncertainties are not known: need the deviations of all, or "
            "more points",
            found->residuals, found->parameters);
}

/* ---- After ---- */

void sw_fit_warn(const sw_fit *fit, const sw_fit_found *found)
{
    if (!found->end.converged)
        sw_warn("fit: the best search did not end: its values may not be the least squares'");
    for (int i = 0; i < found->parameters; i++)
        warn_of_parameter(found, i);
    warn_of_data(fit, found);
    warn_of_misfit(found);
}
