/* Transfer of volume fractions (VFT): a grain's first twin, by its predominant system, is a grain of phase 2, born when that has a
 * fraction above a threshold; from then on what all twins of the mode grow by goes to it, and what they grow by in it comes back. */
#include <math.h>
#include <string.h>

#include "twins.h"

/* Of a grain, beside its twins' fractions: of the whole, all that there was. */
static double *variants_of(const sw_vpsc_grains_of *p, int64_t g)
{
    return p->variant + g * (p->systems - p->input->crystal.n_slip + 1);
}

static double *sum_of(const sw_vpsc_grains_of *p, int64_t g)
{
    return variants_of(p, g) + p->systems - p->input->crystal.n_slip;
}

/* What a step adds to each twin, as volume of the whole, by modes; and the system that a grain without a twin gets one of. */
static void grow(sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p, int64_t g,
                 double grown[SW_VPSC_TWIN_MODES])
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    double *variant = variants_of(p, g), most = 0;
    for (int t = 0; t < crystal->n_twin_modes; t++) {
        const sw_vpsc_mode *mode = &crystal->mode[crystal->n_modes - crystal->n_twin_modes + t];
        const double least = mode->threshold / (double)polycrystal->phase[0].n;
        int chosen = 0;
        grown[t] = 0;
        for (int a = mode->first; a < mode->first + mode->count; a++) {
            const double slip = p->slip_rate[g * p->systems + a] * polycrystal->time_step / mode->twin_shear;
            double *fraction = &variant[a - crystal->n_slip];
            if (slip > 0) {
                *fraction += slip * p->weight[g];
                grown[t] += slip * p->weight[g];
            }
            if (p->tagged[g] == 0 && *fraction > least && *fraction > most) {
                most = *fraction;
                chosen = a + 1;
            }
        }
        if (p->tagged[g] == 0)
            p->tagged[g] = chosen;
        *sum_of(p, g) += grown[t];
        p->twins.fraction[t] += grown[t];
    }
}

static int twin_mode_of(const sw_vpsc_crystal *crystal, int tag)
{
    const int a = (tag < 0 ? -tag : tag) - 1;
    return crystal->mode_of[a] - (crystal->n_modes - crystal->n_twin_modes);
}

/* Volume that goes between a grain and its twin, from phase `from`. */
static void move(sw_vpsc_polycrystal *polycrystal, int from, int64_t g, double volume)
{
    sw_vpsc_grains_of *p = &polycrystal->phase[from], *other = &polycrystal->phase[!from];
    volume = fmin(volume, p->weight[g]);
    p->weight[g] -= volume;
    other->weight[g] += volume;
    p->fraction -= volume;
    other->fraction += volume;
}

/* The twin of a grain: its system has half the resistance, so that it may untwin. */
static void bear(sw_vpsc_polycrystal *polycrystal, int64_t g)
{
    sw_vpsc_grains_of *parent = &polycrystal->phase[0], *child = &polycrystal->phase[1];
    const sw_vpsc_crystal *crystal = &parent->input->crystal;
    const int a = parent->tagged[g] - 1, t = twin_mode_of(crystal, parent->tagged[g]);
    const double volume = fmin(*sum_of(parent, g), parent->weight[g]);
    parent->turned[g] = sw_vpsc_count_twin(polycrystal, parent, g, t, a);
    parent->twins.rank_weight[t][parent->turned[g]] += volume;
    sw_vpsc_twinned(crystal, a, (const double(*)[3])parent->turn[g], child->turn[g]);
    parent->weight[g] -= volume;
    child->weight[g] = volume;
    parent->fraction -= volume;
    child->fraction += volume;
    child->slipped[g] = parent->slipped[g];
    memcpy(child->crss + g * child->systems, parent->crss + g * parent->systems,
           (size_t)parent->systems * sizeof *parent->crss);
    child->crss[g * child->systems + a] *= 0.5;
    *sum_of(child, g) = 0;
    parent->tagged[g] = child->tagged[g] = -parent->tagged[g];
    polycrystal->twinned = 1;
}

void sw_vpsc_transfer(sw_vpsc_polycrystal *polycrystal)
{
    for (int i = 0; i < 2; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++) {
            double grown[SW_VPSC_TWIN_MODES];
            grow(polycrystal, p, g, grown);
            if (p->tagged[g] > 0 && i == 0)
                bear(polycrystal, g);
            else if (p->tagged[g] < 0) {
                const int t = twin_mode_of(&p->input->crystal, p->tagged[g]);
                const double volume = fmin(grown[t], p->weight[g]);
                move(polycrystal, i, g, volume);
                if (i == 0)
                    p->twins.rank_weight[t][p->turned[g]] += volume;
                polycrystal->phase[0].twins.primary = polycrystal->phase[1].fraction;
            }
        }
    }
}
