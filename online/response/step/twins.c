#include "twins_turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "common/system/threads.h"
#include "crystals.h"
#include "crystals_cuda.h"
#include "online/gpu/gpu.h"
#include "solver.h"

int sw_twins_turn(const sw_material *material)
{
    int turn = 0;
    for (int f = 0; f < material->slip.family_count; f++)
        turn |= !isnan(material->slip.family[f].twin_threshold);
    return turn;
}

sw_status sw_twin_rule_of(const sw_response *response, sw_twin_rule *rule)
{
    const sw_material *m = response->material;
    const sw_state_layout *layout = response->layout;
    const sw_state_field *variants = sw_state_field_find(layout, "twin_variants"),
                         *back = sw_state_field_find(layout, "back_stresses");
    sw_slip_systems systems;
    if (variants == NULL || variants->is_double)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "solver = %s: its crystals keep no variants of twins to turn into",
                        response->solver->traits.name);
    SW_TRY(sw_material_systems(m, &systems));
    *rule = (sw_twin_rule){.families = m->slip.family_count,
                           .variants = variants->values,
                           .numbers = layout->numbers,
                           .at_variant = sw_state_field_place(layout, variants),
                           .at_turned = sw_state_field_place(layout, variants + 1),
                           .at_back = back != NULL ? sw_state_field_place(layout, back) : 0,
                           .backs = back != NULL ? back->values : 0};
    for (int v = 0; v < rule->variants; v++) {
        rule->family[v] = systems.family[systems.two_way + v];
        for (int i = 0; i < 3; i++)
            rule->normal[v][i] = (float)systems.normal[systems.two_way + v][i];
    }
    for (int f = 0; f < rule->families; f++)
        rule->secondary[f] = m->slip.family[f].secondary_twins;
    return SW_OK;
}

void sw_twin_rule_set(const sw_material *m, const double *slipped, const double *turned,
                      const sw_twin_count *count, double weight, sw_twin_rule *rule)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    for (int f = 0; f < rule->families; f++) {
        const sw_slip_family *family = &m->slip.family[f];
        const sw_family *of = &lattice->family[sw_lattice_family(lattice, family->family)];
        double all = turned[f];
        for (int t = 0; t < SW_TWIN_TURNS; t++)
            rule->first[f][t] = SW_TWIN_BINS;
        if (isnan(family->twin_threshold))
            continue;
        const double twinned = slipped[f] / fabs(of->twin_shear(m->c_over_a));
        for (int t = 0; t < SW_TWIN_TURNS && all < twinned; t++) {
            const double threshold = family->twin_threshold +
                                     (isnan(family->twin_threshold_rise) ? 0 : family->twin_threshold_rise) *
                                         all / (twinned + 1e-6);
            rule->first[f][t] = (int)fmin(ceil(threshold * SW_TWIN_BINS_OF_1), SW_TWIN_BINS);
            for (int bin = rule->first[f][t]; bin < SW_TWIN_BINS; bin++)
                all += (double)count[f][t][bin] / SW_TWIN_WEIGHT / weight;
        }
    }
}

static void count_part(const sw_twin_rule *rule, int64_t first, const sw_crystals *c, sw_twin_count *count)
{
    for (int64_t i = 0; i < c->n; i++) {
        int bin;
        const int v = sw_crystal_twin(rule, c->state + i * rule->numbers, &bin);
        if (v >= 0)
            count[rule->family[v]][sw_twin_turn(first + i)][bin] += sw_twin_weight(c->weight, i);
    }
}

sw_status sw_crystals_count_twins(const sw_twin_rule *rule, int64_t first, const sw_crystals *c,
                                  sw_twin_count *count)
{
    if (c->device == SW_CUDA && sw_gpu_owns(c->state))
        return sw_crystals_count_twins_cuda(rule, first, c->n, c->state, c->weight, count);
    count_part(rule, first, c, count);
    return SW_OK;
}

sw_status sw_crystals_turn(const sw_twin_rule *rule, int64_t first, sw_crystals *c)
{
    if (c->device == SW_CUDA)
        return sw_crystals_turn_cuda(rule, first, c->n, c->crystal, c->state);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(c->n, 20.0))
    for (int64_t i = 0; i < c->n; i++)
        sw_crystal_turn(rule, first + i, &c->crystal[i], c->state + i * rule->numbers);
    return SW_OK;
}

/* ---- After a step ---- */

static sw_status alone_agree(sw_status status) { return status; }
static void alone_sum(double *value, int64_t n) { (void)value, (void)n; }
static void alone_sum_counts(int64_t *count, int64_t n) { (void)count, (void)n; }
static const sw_twin_ranks alone = {alone_agree, alone_sum, alone_sum_counts};

/* Of all crystals: the sum of weights first, then what families slipped and how often they turned, as means. */
enum { SLIPPED = 1, TURNED = SLIPPED + SW_FAMILIES_MAX, MEANS = TURNED + SW_FAMILIES_MAX };

static sw_status sum_here(const sw_crystals *c, double value[MEANS])
{
    memset(value, 0, MEANS * sizeof *value);
    if (c->n == 0)
        return SW_OK;
    SW_TRY(sw_crystals_mean(c, "family_slip", value + SLIPPED));
    SW_TRY(sw_crystals_mean(c, "twins_turned", value + TURNED));
    SW_TRY(sw_crystals_sum_weights(c, value));
    for (int k = 1; k < MEANS; k++)
        value[k] *= value[0];
    return SW_OK;
}

static sw_status turn_by(const sw_response *response, int64_t first, sw_crystals *c,
                         const sw_twin_ranks *ranks, sw_twin_count *count)
{
    double value[MEANS];
    sw_twin_rule rule;
    SW_TRY(ranks->agree(sw_twin_rule_of(response, &rule)));
    SW_TRY(ranks->agree(sum_here(c, value)));
    ranks->sum(value, MEANS);
    for (int k = 1; k < MEANS; k++)
        value[k] /= value[0];
    SW_TRY(ranks->agree(sw_crystals_count_twins(&rule, first, c, count)));
    ranks->sum_counts(count[0][0], rule.families * SW_TWIN_TURNS * SW_TWIN_BINS);
    sw_twin_rule_set(response->material, value + SLIPPED, value + TURNED, (const sw_twin_count *)count,
                     value[0], &rule);
    return ranks->agree(sw_crystals_turn(&rule, first, c));
}

sw_status sw_crystals_turn_twins(const sw_response *response, int64_t first, sw_crystals *c,
                                 const sw_twin_ranks *ranks)
{
    sw_twin_count *count;
    if (!sw_twins_turn(response->material))
        return SW_OK;
    ranks = ranks != NULL ? ranks : &alone;
    SW_TRY(ranks->agree(SW_ALLOCATE(count, response->material->slip.family_count, "counts of twins")));
    const sw_status status = turn_by(response, first, c, ranks, count);
    free(count);
    return status;
}
