/* A material point: its state, and what one implicit step does to it. Scalar code for the host and for CUDA.
 *
 * A step is a search for the matrix composition at its end (Jensen et al. 2016, Eqs. 4 to 7, backward Euler):
 *
 *     begin     choose the step and a first guess of the composition
 *     prepare   what growth and nucleation follow from that guess          | repeated
 *     step      the histograms, by one of the strategies                   | until the
 *     judge     composition from the new volume fractions                  | two agree
 *     accept    or a smaller step, by the estimated error
 *
 * Dimensions: S solutes, M phases, B classes. */
#ifndef SW_ONLINE_KWN_MODEL_MODEL_H
#define SW_ONLINE_KWN_MODEL_MODEL_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "alloy.h"
#include "chemistry.h"
#include "common/math/elimination.h"
#include "common/system/device.h"
#include "growth.h"
#include "nucleation.h"
#include "size_axis.h"

/* The thermal history of a call: linear between knots, a jump where two times are equal. */
typedef struct {
    int64_t n_knots;
    const double *time;       /* [n] s, not descending; the first is not after the points' time */
    const float *temperature; /* [n][points], or [n] when points_stride is 0; K */
    int64_t time_stride, point_stride;
} sw_kwn_schedule;

/* What a step of a histogram found in the classes after it; lengths in units of scale. */
typedef struct {
    double number, radius, volume, obstacle; /* sums of N, N rho, N rho^3, N min(rho scale / r_c, 1) */
    double dissolved;                        /* left through the lowest face */
    double large, upper;                     /* N with rho > 0.9; with rho > 0.3 */
} sw_kwn_sums;

typedef struct {
    double step, time, temperature, middle; /* K: at the end, half way */
    int stopped;                            /* by a knot: the step is shorter than control allows */
    int iteration;
    double matrix[SW_KWN_SOLUTES]; /* the guess of the end */
    double lag[SW_KWN_SOLUTES];    /* by how much the middle is behind the end */
    double vacancies, excess;      /* at the end, and on average over those at rest */
    sw_kwn_growth growth[SW_KWN_PHASES];
    double rate[SW_KWN_PHASES], incubation[SW_KWN_PHASES], driving[SW_KWN_PHASES], alpha[SW_KWN_PHASES];
    double gain[SW_KWN_PHASES];  /* d f / d s, s = weight . c: by how much the phase answers */
    double guess[SW_KWN_PHASES]; /* s of the last iteration, and f after it */
    double answer[SW_KWN_PHASES];
} sw_kwn_trial;

typedef enum { SW_KWN_AGAIN, SW_KWN_SMALLER, SW_KWN_DONE } sw_kwn_verdict;

enum { SW_KWN_ITERATIONS = 12 };

/* How well the search for the composition ends, as a relative error of the driving force g. Nucleation goes
 * as exp(-dG* / kT), dG* as 1 / g^2: it multiplies that error by 2 dG* / kT, which is up to 60 where anything
 * nucleates, in the particles of one step. These are a part x of all with x^2 <= 4 tolerance (sw_kwn_error). So
 * that the number is off by no more than the tolerance: 60 x error = tolerance. 2.6e-4 at the standard 1e-3;
 * single precision moves g by 1e-6. */
SW_HD static inline double sw_kwn_closeness(const sw_kwn_control *control)
{
    return sqrt(control->tolerance) / 120;
}

/* Fewer particles than these leave no trace in anything that is measured: no step is shortened for them. A population
 * that is given may be smaller altogether: of it this part (sw_kwn_population.few), but no less than what is kept of
 * numbers. Classes end at 1e-30. In single precision a sum of N rho^3 ends at 1e-38, and of 256 classes the smallest has
 * a rho^3 of 1e-8. A volume fraction has no such bound of its own: however little of a phase there is, steps are as good
 * as for much of it. */
#define SW_KWN_FEW 1e6 /* particles, 1/m^3 */
#define SW_KWN_FEW_OF_GIVEN 1e-6
#define SW_KWN_FEWEST 1e-24
#define SW_KWN_FEWEST_IN_CLASS 1e-30 /* 1/m^3 */
#define SW_KWN_LEAST_PART 1e-20 /* of all: what is left out of 1e4 steps of 1e3 classes is 1e-13 of them */
#define SW_KWN_LEAST_SOLUTE 1e-30
#define SW_KWN_NUCLEI_ABOVE 1.25 /* widths of a class above r*, at least */

/* ---- Thermodynamics and kinetics ---- */

SW_HD static inline double sw_kwn_diffusivity(const sw_kwn_solute *solute, double temperature)
{
    return solute->prefactor * exp(-solute->activation_energy / (SW_GAS_CONSTANT * temperature));
}

/* ln K. */
SW_HD static inline double sw_kwn_log_product(const sw_kwn_solvus *solvus, double temperature)
{
    if (solvus->n_table == 0)
        return log(solvus->prefactor) - solvus->enthalpy / (SW_GAS_CONSTANT * temperature);
    const double x = 1 / temperature;
    int i = 1;
    while (i < solvus->n_table - 1 && x < solvus->inverse_temperature[i])
        i++;
    const double a = solvus->inverse_temperature[i - 1], b = solvus->inverse_temperature[i];
    const double place = x > a ? 0 : x < b ? 1 : (a - x) / (a - b);
    return solvus->log_product[i - 1] + place * (solvus->log_product[i] - solvus->log_product[i - 1]);
}

/* ln(Q / K) of a matrix of this composition, K of a phase that fits as badly as its misfit energy says. */
SW_HD static inline double sw_kwn_driving(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                          const double *matrix, double temperature)
{
    if (phase->chemistry.on)
        return sw_kwn_atoms(phase) *
               sw_kwn_chemistry_at(alloy, &phase->chemistry, matrix, temperature, SW_CHEMISTRY_DRIVING, -1);
    double sum = -sw_kwn_log_product(&phase->solvus, temperature) -
                 phase->misfit_energy * phase->molar_volume / (SW_GAS_CONSTANT * temperature);
    for (int i = 0; i < alloy->n_solutes; i++)
        if (phase->solvus.exponent[i] > 0)
            sum += phase->solvus.exponent[i] * log(fmax(matrix[i], SW_KWN_LEAST_SOLUTE));
    return sum;
}

/* alpha of r* = alpha / ln(Q / K), m. */
SW_HD static inline double sw_kwn_alpha(const sw_kwn_phase *phase, double temperature)
{
    double share = 1;
    if (phase->gibbs_thomson == SW_GIBBS_THOMSON_PEREZ) {
        const int l = phase->limiting_solute;
        const double soluble =
            exp(sw_kwn_log_product(&phase->solvus, temperature) / phase->solvus.exponent[l]);
        share = phase->atom_fraction * (1 - soluble) / fmax(phase->atom_fraction - soluble, 1e-3);
    }
    return share * 2 * phase->interfacial_energy * phase->molar_volume / (SW_GAS_CONSTANT * temperature);
}

/* r, where 1 / r (1 - A/2 a / r + B/2 a^2 / r^2) is that of a flat interface: Newton's method in 1 / r, of which that is concave. It rises up
 * to a / r = 2.8, where it is 1.16: the barrier is gone long before. */
SW_HD static inline double sw_kwn_critical_of_neighbours(double a, double flat)
{
    const double most = 1, of_flat = fmin(a / flat, most);
    double p = of_flat;
    for (int k = 0; k < 50; k++) {
        const double miss = p * (1 - 0.5 * p * (SW_KWN_SOFTER_A - SW_KWN_SOFTER_B * p)) - of_flat,
                     step = miss / (1 - p * (SW_KWN_SOFTER_A - 1.5 * SW_KWN_SOFTER_B * p));
        p -= step;
        if (fabs(step) <= 1e-14 * p)
            break;
    }
    return a / p;
}

/* r* of a driving force, m; 0 without one. Of an interface with a Tolman length alpha (r + 3 delta) / (r + 2 delta)^2 = ln(Q / K). */
SW_HD static inline double sw_kwn_critical(const sw_kwn_phase *phase, double alpha, double driving)
{
    const double flat = driving > 0 ? alpha / driving : 0, delta = phase->tolman_length;
    if (flat > 0 && phase->neighbour_distance > 0)
        return sw_kwn_critical_of_neighbours(phase->neighbour_distance, flat);
    if (!(flat > 0 && delta > 0))
        return flat;
    /* there is no barrier from flat = 4/3 delta on */
    return fmax(0.5 * (flat - 4 * delta + sqrt(flat * (flat + 4 * delta))), 1e-3 * flat);
}

/* Vacancies at rest, over exp(S / R). */
SW_HD static inline double sw_kwn_vacancies_at_rest(const sw_kwn_alloy *alloy, double temperature)
{
    return exp(-alloy->vacancies.formation_energy / (SW_GAS_CONSTANT * temperature));
}

/* Over a step, at one temperature, they relax; *mean: how many there are on average over those at rest. Returns those at the end. */
SW_HD static inline double sw_kwn_relax_vacancies(const sw_kwn_alloy *alloy, double vacancies,
                                                  double temperature, double step, double *mean)
{
    const sw_kwn_vacancies *v = &alloy->vacancies;
    *mean = 1;
    if (!(v->sink_strength > 0))
        return 0;
    const double rest = sw_kwn_vacancies_at_rest(alloy, temperature);
    const double x =
        v->sink_strength * v->prefactor * exp(-v->activation_energy / (SW_GAS_CONSTANT * temperature)) * step;
    *mean = 1 + (vacancies / rest - 1) * (x > 1e-8 ? -expm1(-x) / x : 1);
    return rest + (vacancies - rest) * exp(-x);
}

/* d ln(Q / K) / d ln c of solute i. */
SW_HD static inline double sw_kwn_exponent(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                           const double *matrix, double temperature, int i)
{
    return phase->chemistry.on
               ? sw_kwn_atoms(phase) * sw_kwn_chemistry_at(alloy, &phase->chemistry, matrix, temperature,
                                                           SW_CHEMISTRY_DRIVING, i)
               : phase->solvus.exponent[i];
}

/* ---- begin ---- */

SW_HD static inline double sw_kwn_temperature(const sw_kwn_schedule *schedule, int64_t point, int64_t knot,
                                              double time)
{
    const double t0 = schedule->time[knot], t1 = schedule->time[knot + 1];
    const float *at = schedule->temperature + knot * schedule->time_stride + point * schedule->point_stride;
    const double a = at[0], b = at[schedule->time_stride];
    return time >= t1 ? b : a + (b - a) * ((time - t0) / (t1 - t0));
}

/* The step that is left to the end of the knots; 0 when the point has arrived. Picks size and end of the
 * trial. */
SW_HD static inline int sw_kwn_begin(const sw_kwn_alloy *alloy, const sw_kwn_axis *axis,
                                     const sw_kwn_control *control, const sw_kwn_schedule *schedule,
                                     int64_t index, sw_kwn_point *point, sw_kwn_trial *trial)
{
    while (point->knot + 1 < schedule->n_knots && !(schedule->time[point->knot + 1] > point->time))
        point->knot++;
    if (point->failed || point->knot + 1 >= schedule->n_knots)
        return 0;
    const int64_t knot = point->knot;
    const double left = schedule->time[knot + 1] - point->time;
    double step = point->step;
    if (control->fixed_step > 0) {
        step = control->fixed_step;
    } else {
        const double slope = (sw_kwn_temperature(schedule, index, knot, schedule->time[knot + 1]) -
                              sw_kwn_temperature(schedule, index, knot, schedule->time[knot])) /
                             (schedule->time[knot + 1] - schedule->time[knot]);
        if (fabs(slope) * step > control->largest_change)
            step = control->largest_change / fabs(slope);
        for (int p = 0; p < alloy->n_phases && control->courant > 0; p++) {
            const sw_kwn_population *phase = &point->phase[p];
            if (!(phase->number > phase->few))
                continue;
            const double mean = phase->radius_sum / (phase->number * phase->scale);
            const double width = sw_kwn_width(axis, mean);
            const double largest = control->courant * width * phase->scale;
            if (fabs(phase->growth) * step > largest)
                step = largest / fabs(phase->growth);
        }
    }
    step = fmax(step, 4 * DBL_EPSILON * point->time); /* or time would stand still */
    trial->stopped = step >= left * (1 - 1e-9);
    trial->step = trial->stopped ? left : step > 0.5 * left && control->fixed_step == 0 ? 0.5 * left : step;
    trial->time = trial->stopped ? schedule->time[knot + 1] : point->time + trial->step;
    trial->temperature = sw_kwn_temperature(schedule, index, knot, trial->time);
    trial->middle = 0.5 * (trial->temperature + sw_kwn_temperature(schedule, index, knot, point->time));
    trial->iteration = 0;
    trial->vacancies =
        sw_kwn_relax_vacancies(alloy, point->vacancies, trial->middle, trial->step, &trial->excess);
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double c = point->matrix[i];
        const double next = control->explicit_coupling ? c : c + point->matrix_slope[i] * trial->step;
        trial->matrix[i] = fmin(fmax(next, 0.5 * c), 2 * c);
        trial->lag[i] = control->explicit_coupling ? 0 : 0.5 * point->matrix_slope[i] * trial->step;
    }
    return 1;
}

/* ---- prepare ---- */

/* The middle of a step. */
typedef struct {
    double temperature; /* K */
    double matrix[SW_KWN_SOLUTES];
    double excess; /* vacancies over those at rest */
} sw_kwn_moment;

SW_HD static inline double sw_kwn_mobility(const sw_kwn_solute *solute, const sw_kwn_moment *at)
{
    return at->excess * sw_kwn_diffusivity(solute, at->temperature);
}

/* The balance of all solutes that a phase's product counts. */
SW_HD static inline void sw_kwn_fill_several(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                             const sw_kwn_moment *at, double step, double scale, double alpha,
                                             double driving, sw_kwn_several *s)
{
    double highest = -HUGE_VAL, slope = 0,
           limit = 0; /* of w, where a first surface is as rich as it may be */
    s->n = s->first = 0;
    s->reach = 0;
    for (int i = 0; i < alloy->n_solutes; i++) {
        if (!(phase->solvus.exponent[i] > 0) || !(phase->all_solutes || i == phase->limiting_solute))
            continue;
        const double c = fmax(at->matrix[i], SW_KWN_LEAST_SOLUTE), ratio = phase->concentration[i] / c;
        const double fast =
            scale * scale / ((1 + phase->flux_excess) * sw_kwn_mobility(&alloy->solute[i], at) * step);
        const double part = SW_KWN_LARGEST_INTERFACE;
        s->exponent[s->n] = phase->solvus.exponent[i];
        s->per_slow[s->n] = fast * ratio;
        s->per_fast[s->n] = fast;
        s->first = s->per_slow[s->n] > s->per_slow[s->first] ? s->n : s->first;
        highest = fmax(highest, -(part * ratio - 1) / ((1 - part) * ratio * fast));
        slope -= s->exponent[s->n] * fast * (ratio - 1);
        s->n++;
    }
    for (int i = 0; i < s->n; i++)
        limit += s->exponent[i] * log((1 - highest * s->per_slow[i]) / (1 - highest * s->per_fast[i]));
    s->curvature = alpha / scale;
    s->driving = driving;
    s->limit = limit;
    s->slope = s->per_slow[s->first] / slope;
    s->beyond = -log1p(-s->per_fast[s->first] / s->per_slow[s->first]);
    s->lowest = -log1p(-highest * s->per_slow[s->first]);
    s->tolman = phase->tolman_length / scale;
    s->neighbour = phase->neighbour_distance / scale;
}

/* The same by a table of chemistry; x is at most 5 of its breadth, where a particle is gone at once. */
SW_HD static inline void sw_kwn_fill_from_table(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                                const sw_kwn_moment *at, double step, double scale,
                                                double alpha, double driving, sw_kwn_several *s)
{
    const double largest = 5;
    const double atoms = sw_kwn_atoms(phase), speed = (1 + phase->flux_excess) * step / (scale * scale);
    const double resistance =
        atoms * sw_kwn_table_resistance(alloy, phase, at->matrix, at->temperature) / at->excess;
    const double breadth = atoms * sw_kwn_chemistry_at(alloy, &phase->chemistry, at->matrix, at->temperature,
                                                       SW_CHEMISTRY_BREADTH, -1);
    s->n = 1;
    s->first = 0;
    s->curvature = alpha / scale;
    s->driving = driving;
    s->limit = largest * breadth;
    s->slope = -1;
    s->per_slow[0] = s->per_fast[0] = resistance / speed;
    s->exponent[0] = 1;
    s->beyond = s->lowest = 0;
    s->reach = breadth * speed / resistance;
    s->per_breadth = 1 / breadth;
    s->tolman = phase->tolman_length / scale;
    s->neighbour = phase->neighbour_distance / scale;
}

/* By how much the phase's fraction answers a change of the matrix, at a first guess. */
SW_HD static inline double sw_kwn_first_gain(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                             const sw_kwn_moment *at, const sw_kwn_population *now,
                                             const sw_kwn_growth *growth, double diffusivity, double step)
{
    const int limiting = phase->limiting_solute;
    const double c = fmax(at->matrix[limiting], SW_KWN_LEAST_SOLUTE);
    const double of_one =
        growth->several.n > 0
            ? -growth->several.slope * sw_kwn_exponent(alloy, phase, at->matrix, at->temperature, limiting) /
                  (c * growth->several.per_slow[growth->several.first]) * now->scale * now->scale / step
            : (1 + phase->flux_excess) * diffusivity /
                  fmax(phase->concentration[limiting] - c, 0.1 * phase->concentration[limiting]);
    return 4 * 3.14159265358979323846 * step * now->radius_sum * of_one;
}

SW_HD static inline double sw_kwn_attachment_resistance(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                                        const sw_kwn_moment *at)
{
    double sum = 0;
    if (phase->chemistry.on)
        return sw_kwn_table_resistance(alloy, phase, at->matrix, at->temperature) * alloy->atomic_volume /
               (phase->atomic_volume * at->excess);
    for (int i = 0; i < alloy->n_solutes && phase->nucleation.attachment == SW_ATTACHMENT_BALANCE; i++) {
        const double c = fmax(at->matrix[i], SW_KWN_LEAST_SOLUTE), lack = phase->concentration[i] - c;
        if (phase->solvus.exponent[i] > 0)
            sum += lack * lack / (sw_kwn_mobility(&alloy->solute[i], at) * c);
    }
    return sum;
}

/* Of several solutes the one that arrives slowest, D c the least. */
SW_HD static inline int sw_kwn_slowest(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                       const sw_kwn_moment *at)
{
    int slowest = phase->limiting_solute;
    double least = HUGE_VAL;
    for (int i = 0; i < alloy->n_solutes && phase->all_solutes; i++) {
        const double arrives = sw_kwn_diffusivity(&alloy->solute[i], at->temperature) * at->matrix[i];
        if (phase->solvus.exponent[i] > 0 && arrives < least) {
            least = arrives;
            slowest = i;
        }
    }
    return slowest;
}

/* J, theta after the step, and where nuclei come: by r*, but 1.25 widths above it at least: between two pivots above it, or the lower
 * one in the lower quarter of the class of r*, with a quarter of them at most. Continuous in r*: nuclei that jump from class to class
 * as it moves make saw teeth, and where in time they jump hangs on where steps fall. */
SW_HD static inline void sw_kwn_prepare_nuclei(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                               const sw_kwn_axis *axis, const sw_kwn_moment *at,
                                               const sw_kwn_population *now, sw_kwn_trial *trial, int p)
{
    const int slowest = sw_kwn_slowest(alloy, phase, at);
    const double critical = sw_kwn_critical(phase, trial->alpha[p], trial->driving[p]), scale = now->scale;
    const sw_kwn_conditions here = {.concentration = fmax(at->matrix[slowest], SW_KWN_LEAST_SOLUTE),
                                    .diffusivity = sw_kwn_mobility(&alloy->solute[slowest], at),
                                    .temperature = at->temperature,
                                    .driving = trial->driving[p],
                                    .critical = critical,
                                    .resistance = sw_kwn_attachment_resistance(alloy, phase, at),
                                    .number = now->number,
                                    .incubation = now->incubation,
                                    .step = trial->step};
    sw_kwn_growth *growth = &trial->growth[p];
    trial->rate[p] = sw_kwn_nucleation_rate(alloy, phase, &here, &trial->incubation[p]);
    growth->source = trial->rate[p] * trial->step;
    if (!(growth->source > 0))
        return;
    const double least = critical / scale + SW_KWN_NUCLEI_ABOVE * sw_kwn_width(axis, critical / scale);
    growth->source_part =
        sw_kwn_split(axis, fmax(sw_kwn_nucleus_radius(phase, critical, at->temperature) / scale, least),
                     &growth->source_class);
}

/* Growth and nucleation of the middle of the step. The matrix is there that at its end less half of what the last step's
 * slope foresees: second order, and damped where the matrix follows the particles at once (a miss e of it goes as
 * e_n+1 = (e_n - e_n-1) / 2 at equal steps). */
SW_HD static inline void sw_kwn_prepare(const sw_kwn_alloy *alloy, const sw_kwn_axis *axis,
                                        const sw_kwn_point *point, sw_kwn_trial *trial, int p)
{
    const sw_kwn_phase *phase = &alloy->phase[p];
    const sw_kwn_population *now = &point->phase[p];
    const int limiting = phase->limiting_solute;
    sw_kwn_moment at = {.temperature = trial->middle, .excess = trial->excess};
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double c = trial->matrix[i];
        at.matrix[i] = fmin(fmax(c - trial->lag[i], 0.5 * c), 2 * c);
    }
    const double c = fmax(at.matrix[limiting], SW_KWN_LEAST_SOLUTE), scale = now->scale;
    const double diffusivity = sw_kwn_mobility(&alloy->solute[limiting], &at);
    const double exponent = phase->solvus.exponent[limiting], ratio = phase->concentration[limiting] / c;
    const double alpha = sw_kwn_alpha(phase, at.temperature);
    const double driving = sw_kwn_driving(alloy, phase, at.matrix, at.temperature);
    sw_kwn_growth *growth = &trial->growth[p];
    trial->alpha[p] = alpha;
    trial->driving[p] = driving;
    growth->speed = (1 + phase->flux_excess) * diffusivity * trial->step / (scale * scale);
    growth->curvature = alpha / (exponent * scale) * SW_KWN_LOG2_E;
    growth->driving = driving / exponent * SW_KWN_LOG2_E;
    growth->ratio = ratio;
    growth->limit = log(SW_KWN_LARGEST_INTERFACE * ratio) * SW_KWN_LOG2_E;
    growth->obstacle = scale / phase->shearable_radius;
    growth->few = fmax(SW_KWN_FEWEST_IN_CLASS, SW_KWN_LEAST_PART * now->number);
    growth->several.n = 0;
    if (phase->chemistry.on)
        sw_kwn_fill_from_table(alloy, phase, &at, trial->step, scale, alpha, driving, &growth->several);
    else if (phase->all_solutes || phase->tolman_length > 0 || phase->neighbour_distance > 0)
        sw_kwn_fill_several(alloy, phase, &at, trial->step, scale, alpha, driving, &growth->several);
    if (trial->iteration == 0)
        trial->gain[p] = sw_kwn_first_gain(alloy, phase, &at, now, growth, diffusivity, trial->step);
    trial->rate[p] = trial->incubation[p] = 0;
    growth->source = 0;
    growth->source_class = 0;
    growth->source_part = 1;
    if (driving > 0)
        sw_kwn_prepare_nuclei(alloy, phase, axis, &at, now, trial, p);
}

/* ---- judge ---- */

/* Weight of solute i in s, along which phase p answers: d s = sum_i weight_i d c_i, with 1 for the limiting
 * one. */
SW_HD static inline void sw_kwn_weights(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                        const double *matrix, double temperature,
                                        double weight[SW_KWN_SOLUTES])
{
    const int l = phase->limiting_solute;
    const double own = sw_kwn_exponent(alloy, phase, matrix, temperature, l);
    for (int i = 0; i < alloy->n_solutes; i++)
        weight[i] = i == l ? 1
                           : sw_kwn_exponent(alloy, phase, matrix, temperature, i) / own * matrix[l] /
                                 fmax(matrix[i], SW_KWN_LEAST_SOLUTE);
}

SW_HD static inline double sw_kwn_fraction_of(const sw_kwn_population *phase, const sw_kwn_sums *sums)
{
    return SW_KWN_SPHERE * phase->scale * phase->scale * phase->scale * sums->volume;
}

/* Eq. 4 for all phases: c = (c0 - sum f c_p) / (1 - sum f); 0 when more went into the phases than there was.
 */
SW_HD static inline int sw_kwn_balance(const sw_kwn_alloy *alloy, const double *total, const double *fraction,
                                       double *matrix)
{
    double left = 1;
    for (int p = 0; p < alloy->n_phases; p++)
        left -= fraction[p];
    int possible = left > 0;
    for (int i = 0; i < alloy->n_solutes; i++) {
        double c = total[i];
        for (int p = 0; p < alloy->n_phases; p++)
            c -= fraction[p] * alloy->phase[p].concentration[i];
        possible = possible && c >= 0;
        matrix[i] = c / left;
    }
    return possible;
}

/* Error of a step: the truncation of backward Euler, y'' h^2 / 2, relative to y, the largest of all.
 *
 * Of concentrations and volume fractions it is half of what the last slopes did not foresee. Numbers rise by
 * nucleation, whose rate is smooth, and fall by dissolution, which is not: one class after the other empties,
 * and by how much in a step depends on the step. A second difference of that is no error; steps chosen by it
 * follow each other without rule, and round-off decides what they are. So a fall counts by its first
 * difference: a decay by the part x of all in a step has an error of x^2 / 2. A volume fraction that falls is
 * missed by no more than that, either: what is left of little falls as unevenly.
 *
 * Each is relative to the population, however little it is; of too few particles, to as many of their size. */
SW_HD static inline double sw_kwn_error(const sw_kwn_alloy *alloy, const sw_kwn_point *point,
                                        const sw_kwn_trial *trial, const sw_kwn_sums *sums,
                                        const double *fraction, const double *matrix)
{
    double error = 0;
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double miss = matrix[i] - point->matrix[i] - point->matrix_slope[i] * trial->step;
        if (point->total[i] > 0)
            error = fmax(error, fabs(miss) / point->total[i]);
    }
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_population *old = &point->phase[p];
        const double most = fmax(old->number, sums[p].number), largest = fmax(old->fraction, fraction[p]);
        if (!(most > 0 && largest > 0)) /* single precision makes a volume nothing before the number */
            continue;
        const double rare = fmax(old->few / most, 1.0), number = most * rare, volume = largest * rare;
        const double miss = fabs(fraction[p] - old->fraction - old->fraction_slope * trial->step) / volume;
        const double loss = fmax(old->fraction - fraction[p], 0.0) / volume;
        const double rise = fabs(trial->rate[p] - old->rate) * trial->step / number;
        const double fall = fmax(old->number - sums[p].number, 0.0) / number;
        error = fmax(error, loss > 0 ? fmin(miss, loss * loss) : miss);
        error = fmax(error, rise + fall * fall);
    }
    return 0.5 * error;
}

/* Shorter steps than this are taken as they are. */
SW_HD static inline double sw_kwn_shortest_step(const sw_kwn_point *point)
{
    return 1e-12 * (1 + point->time);
}

/* The next step after an error relative to the tolerance: its square root, as backward Euler's error goes. */
SW_HD static inline double sw_kwn_step_factor(double error)
{
    const double factor = 0.9 / sqrt(fmax(error, 0.2));
    return factor < 0.25 ? 0.25 : factor;
}

/* A step without a solution: a shorter one, unless there is none. */
SW_HD static inline sw_kwn_verdict sw_kwn_retry(const sw_kwn_control *control, sw_kwn_point *point,
                                                const sw_kwn_trial *trial)
{
    point->step = 0.25 * trial->step;
    point->failed = control->fixed_step > 0 || trial->step < sw_kwn_shortest_step(point);
    return SW_KWN_SMALLER;
}

/* A step that is good: the state at its end. */
SW_HD static inline void sw_kwn_accept(const sw_kwn_alloy *alloy, const sw_kwn_control *control,
                                       sw_kwn_point *point, const sw_kwn_trial *trial,
                                       const sw_kwn_sums *sums, const double *fraction, const double *matrix)
{
    const double per_second = 1 / trial->step;
    point->time = trial->time;
    point->temperature = trial->temperature;
    point->vacancies = trial->vacancies;
    point->steps++;
    for (int i = 0; i < alloy->n_solutes; i++) {
        point->matrix_slope[i] = (matrix[i] - point->matrix[i]) * per_second;
        point->matrix[i] = matrix[i];
    }
    for (int p = 0; p < alloy->n_phases; p++) {
        sw_kwn_population *phase = &point->phase[p];
        const sw_kwn_growth *growth = &trial->growth[p];
        phase->fraction_slope = (fraction[p] - phase->fraction) * per_second;
        phase->number = sums[p].number;
        phase->radius_sum = sums[p].radius * phase->scale;
        phase->fraction = fraction[p];
        phase->obstacle_sum = sums[p].obstacle;
        phase->nucleated += growth->source;
        phase->dissolved += sums[p].dissolved;
        phase->incubation = trial->incubation[p];
        phase->rate = trial->rate[p];
        phase->critical = sw_kwn_critical(&alloy->phase[p], trial->alpha[p], trial->driving[p]);
        phase->growth = 0;
        if (sums[p].radius > 0 && control->courant > 0 && control->fixed_step == 0) {
            const double inverse = sums[p].number / (1.25 * sums[p].radius);
            const double interface = exp2(fmin(growth->curvature * inverse - growth->driving, growth->limit));
            const double rate = growth->several.n > 0
                                    ? SW_KWN_ONE(sw_kwn_rate_of_several, &growth->several, inverse)
                                    : growth->speed * inverse * (1 - interface) / (growth->ratio - interface);
            phase->growth = rate * phase->scale * per_second;
        }
    }
}

/* After a step of the histograms. AGAIN: trial->matrix holds the next guess. SMALLER: point->step was
 * reduced, begin anew. DONE: accept the histograms; the point is that at the end of the step. */
SW_HD static inline sw_kwn_verdict sw_kwn_judge(const sw_kwn_alloy *alloy, const sw_kwn_control *control,
                                                sw_kwn_point *point, sw_kwn_trial *trial,
                                                const sw_kwn_sums *sums)
{
    const int free_step = control->fixed_step == 0 && trial->step > sw_kwn_shortest_step(point);
    double fraction[SW_KWN_PHASES], matrix[SW_KWN_SOLUTES], change[SW_KWN_SOLUTES];
    point->iterations++;
    for (int p = 0; p < alloy->n_phases; p++)
        fraction[p] = sw_kwn_fraction_of(&point->phase[p], &sums[p]);
    const int possible = sw_kwn_balance(alloy, point->total, fraction, matrix);

    if (!control->explicit_coupling) {
        /* Newton on c(f(guess)) = guess, each phase's f by its slope along s. */
        double a[SW_KWN_SOLUTES][SW_KWN_SOLUTES], left = 1, near = 1;
        for (int p = 0; p < alloy->n_phases; p++)
            left -= fraction[p];
        for (int i = 0; i < alloy->n_solutes; i++) {
            change[i] = matrix[i] - trial->matrix[i];
            for (int j = 0; j < alloy->n_solutes; j++)
                a[i][j] = i == j;
        }
        for (int p = 0; p < alloy->n_phases; p++) {
            const sw_kwn_phase *phase = &alloy->phase[p];
            double s = 0, weight[SW_KWN_SOLUTES];
            sw_kwn_weights(alloy, phase, point->matrix, trial->temperature, weight);
            for (int i = 0; i < alloy->n_solutes; i++)
                s += weight[i] * trial->matrix[i];
            if (trial->iteration > 0 && s != trial->guess[p]) {
                const double secant = (fraction[p] - trial->answer[p]) / (s - trial->guess[p]);
                trial->gain[p] = fmin(fmax(secant, 0.1 * trial->gain[p]), 10 * trial->gain[p]);
            }
            trial->guess[p] = s;
            trial->answer[p] = fraction[p];
            for (int i = 0; i < alloy->n_solutes; i++)
                for (int j = 0; j < alloy->n_solutes; j++)
                    a[i][j] += (phase->concentration[i] - matrix[i]) / left * trial->gain[p] * weight[j];
            const double curvature =
                point->phase[p].radius_sum > 0
                    ? trial->alpha[p] * point->phase[p].number / point->phase[p].radius_sum
                    : 1;
            if (point->phase[p].number > point->phase[p].few)
                near = fmin(near, fmax(fabs(trial->driving[p]), curvature));
        }
        if (!sw_solve_by_elimination(alloy->n_solutes, SW_KWN_SOLUTES, a[0], change, change))
            change[0] = NAN; /* nothing agrees */
        const double close = sw_kwn_closeness(control);
        int agree = possible;
        for (int i = 0; i < alloy->n_solutes; i++) {
            const double c = fmax(trial->matrix[i], SW_KWN_LEAST_SOLUTE);
            agree = agree && fabs(change[i]) <= close * near * c + 1e-14 * point->total[i] &&
                    fabs(matrix[i] - trial->matrix[i]) <= control->tolerance * c + 1e-14 * point->total[i];
        }
        if (!agree && ++trial->iteration < SW_KWN_ITERATIONS) {
            for (int i = 0; i < alloy->n_solutes; i++) {
                const double c = trial->matrix[i], next = c + change[i];
                trial->matrix[i] = fmin(fmax(next, 0.2 * c), 5 * c + 1e-9 * point->total[i]);
            }
            return SW_KWN_AGAIN;
        }
        if (!agree && (free_step || control->fixed_step > 0 || !possible))
            return sw_kwn_retry(control, point, trial);
    } else if (!possible) {
        return sw_kwn_retry(control, point, trial);
    }

    if (control->fixed_step == 0) {
        const double error = sw_kwn_error(alloy, point, trial, sums, fraction, matrix) / control->tolerance;
        const double next = trial->step * sw_kwn_step_factor(error);
        if (free_step && error > 2) {
            point->step = next;
            return SW_KWN_SMALLER;
        }
        /* A step that a knot cut short says nothing against the longer one that was planned. */
        point->step = trial->step < point->step && next > trial->step ? fmax(point->step, next) : next;
    }
    sw_kwn_accept(alloy, control, point, trial, sums, fraction, matrix);
    return SW_KWN_DONE;
}

/* The state after its axis was doubled or halved; sums of the new histogram in units of the new scale, and
 * the number lost to it. */
SW_HD static inline void sw_kwn_rescaled_state(sw_kwn_population *phase, double factor,
                                               const sw_kwn_sums *sums, double lost)
{
    phase->scale *= factor;
    phase->number = sums->number;
    phase->radius_sum = sums->radius * phase->scale;
    phase->obstacle_sum = sums->obstacle;
    phase->dissolved += lost;
}

/* Whether an adaptive axis should be doubled (1) or halved (-1) after an accepted step. */
SW_HD static inline int sw_kwn_rescale(const sw_kwn_axis *axis, const sw_kwn_population *phase,
                                       const sw_kwn_sums *sums)
{
    if (axis->kind != SW_AXIS_ADAPTIVE)
        return 0;
    if (sums->large > 1e-6 * sums->number)
        return 1;
    return phase->scale > 1.5 * axis->scale && !(sums->upper > 1e-14 * sums->number) ? -1 : 0;
}

#endif
