/* What VPSC8 counts of a step: activities, work, deviations. */
#include <math.h>
#include <string.h>

#include "state.h"

double sw_vpsc_mises_rate_of(const sw_vpsc_polycrystal *p)
{
    return sqrt(2.0 / 3) * sw_vpsc_deviator_size(p->d);
}

void sw_vpsc_find_mises(sw_vpsc_polycrystal *p)
{
    const double mean = (p->stress[0] + p->stress[1] + p->stress[2]) / 3;
    double deviator[6];
    for (int k = 0; k < 6; k++)
        deviator[k] = p->stress[k] - (k < 3 ? mean : 0);
    p->mises_stress = sqrt(1.5 * sw_vpsc_contract(deviator, deviator));
    p->mises_rate = p->mises_stress > 0 ? fabs(sw_vpsc_contract(deviator, p->d)) / p->mises_stress
                                        : sw_vpsc_mises_rate_of(p);
}

double sw_vpsc_mean_resistance(const sw_vpsc_polycrystal *polycrystal)
{
    double mean = 0;
    for (int i = 0; i < polycrystal->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t k = 0; k < p->n * p->systems && p->crss != NULL; k++)
            mean += p->crss[k] * p->weight[k / p->systems] / p->systems;
    }
    return mean;
}

/* Slip of a grain by modes [M], and how many of its systems slip at more than a twentieth of the fastest one's rate. */
static int count_grain(const sw_vpsc_grains_of *p, int64_t g, double *of_mode)
{
    const double *rate = p->slip_rate + g * p->systems;
    double most = 0;
    int active = 0;
    memset(of_mode, 0, SW_VPSC_MODES * sizeof *of_mode);
    for (int a = 0; a < p->systems; a++) {
        of_mode[p->input->crystal.mode_of[a]] += fabs(rate[a]);
        most = fmax(most, fabs(rate[a]));
    }
    for (int a = 0; a < p->systems; a++)
        active += fabs(rate[a]) >= 0.05 * most;
    return active;
}

void sw_vpsc_count_activity(sw_vpsc_polycrystal *polycrystal)
{
    double all = 0;
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        double of_phase = 0, active = 0;
        memset(p->activity, 0, sizeof p->activity);
        for (int64_t g = 0; g < p->n && p->fraction != 0; g++) {
            double of_mode[SW_VPSC_MODES], of_grain = 0;
            const int systems = count_grain(p, g, of_mode);
            for (int m = 0; m < p->input->crystal.n_modes; m++) {
                p->activity[m] += of_mode[m] * p->weight[g];
                of_grain += of_mode[m];
            }
            of_phase += of_grain * p->weight[g];
            active += systems * p->weight[g] * of_grain;
        }
        p->active_systems = of_phase > 0 ? active / of_phase : 0;
        all += of_phase;
    }
    for (int i = 0; i < polycrystal->n_phases; i++)
        for (int m = 0; m < SW_VPSC_MODES && all > 0; m++)
            polycrystal->phase[i].activity[m] /= all;
    polycrystal->slip_rate = all;
}

/* With the time of the step before, as VPSC8 has it. */
void sw_vpsc_count_work(sw_vpsc_polycrystal *polycrystal)
{
    const double size = sw_vpsc_deviator_size(polycrystal->d);
    double taylor = 0, work = 0, rate = 0, mean_stress[6];
    memcpy(mean_stress, polycrystal->mean_stress, sizeof mean_stress);
    const double pressure = (mean_stress[0] + mean_stress[1] + mean_stress[2]) / 3;
    for (int k = 0; k < 3; k++)
        mean_stress[k] -= pressure;
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++) {
            const double power = sw_vpsc_contract(p->stress[g], p->rate[g]);
            p->work[g] += power * polycrystal->time_step;
            taylor += sw_vpsc_contract(p->stress[g], polycrystal->d) / p->crss[g * p->systems] / size *
                      p->weight[g];
            work += p->work[g] * p->weight[g];
            rate += power * p->weight[g];
        }
    }
    polycrystal->taylor = taylor;
    polycrystal->work = work;
    polycrystal->work_rate[0] = sw_vpsc_contract(mean_stress, polycrystal->mean_d);
    polycrystal->work_rate[1] = rate;
}

/* Components of a grain's stress (with its pressure) and rate. */
static void components(const sw_vpsc_grains_of *p, int64_t g, double stress[6], double rate[6])
{
    sw_vpsc_to_basis(p->stress[g], stress);
    stress[5] = sqrt(3) * p->pressure[g];
    sw_vpsc_to_basis(p->rate[g], rate);
}

static double size_of(const double v[6])
{
    double square = 0;
    for (int k = 0; k < 6; k++)
        square += v[k] * v[k];
    return sqrt(square) <= 1e-10 ? 1 : sqrt(square);
}

typedef struct {
    double stress[6], rate[6];
} pair;

/* Means over all grains, and, about those, squares. about: NULL, means. */
static pair gather(const sw_vpsc_polycrystal *polycrystal, const pair *about)
{
    pair sum = {{0}, {0}}, of;
    for (int i = 0; i < polycrystal->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++) {
            components(p, g, of.stress, of.rate);
            for (int k = 0; k < 6; k++) {
                const double s = of.stress[k] - (about != NULL ? about->stress[k] : 0),
                             d = of.rate[k] - (about != NULL ? about->rate[k] : 0);
                sum.stress[k] += p->weight[g] * (about != NULL ? s * s : s);
                sum.rate[k] += p->weight[g] * (about != NULL ? d * d : d);
            }
        }
    }
    return sum;
}

void sw_vpsc_deviations(const sw_vpsc_polycrystal *polycrystal, double stress[6], double rate[6])
{
    const pair mean = gather(polycrystal, NULL), square = gather(polycrystal, &mean);
    for (int k = 0; k < 6; k++) {
        stress[k] = sqrt(square.stress[k]) / size_of(mean.stress);
        rate[k] = sqrt(square.rate[k]) / size_of(mean.rate);
    }
}
