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

int sw_twin_children(const sw_material *material)
{
    int children = 0;
    for (int f = 0; f < material->slip.family_count; f++)
        children += material->slip.family[f].twin_transfer;
    return children;
}

sw_status sw_twins_check_no_children(const char *what, const sw_material *material)
{
    return sw_twin_children(material) == 0
               ? SW_OK
               : sw_error(
                     SW_ERR_UNAVAILABLE,
                     "material %s: twin_transfer of slip.families moves volume between crystals of a run of "
                     "slipwave taylor: %s no room for the children",
                     material->name, what);
}

/* Of whose crystals volume goes to children. */
static sw_status set_children(const sw_response *response, const sw_slip_systems *systems, sw_twin_rule *rule)
{
    const sw_state_layout *layout = response->layout;
    const sw_state_field *resistances = sw_state_field_find(layout, "slip_resistances");
    sw_slip_law law;
    if (sw_twin_children(response->material) == 0)
        return SW_OK;
    SW_TRY(sw_slip_law_prepare(response->material, &law));
    for (int f = 0; f < rule->families; f++)
        if (response->material->slip.family[f].twin_transfer)
            rule->child_family[rule->children++] = f;
    rule->at_weight = sw_state_field_place(layout, sw_state_field_find(layout, "weight"));
    rule->at_resistance = resistances != NULL ? sw_state_field_place(layout, resistances) : -1;
    for (int v = 0; v < rule->variants; v++) {
        rule->group[v] = law.group[systems->two_way + v];
        rule->share[v] = law.share[rule->group[v]];
    }
    return SW_OK;
}

sw_status sw_twin_rule_of(const sw_response *response, sw_twin_rule *rule)
{
    const sw_material *m = response->material;
    const sw_state_layout *layout = response->layout;
    const sw_state_field *variants = sw_state_field_find(layout, "twin_variants"),
                         *slip = sw_state_field_find(layout, "family_slip"),
                         *back = sw_state_field_find(layout, "back_stresses");
    sw_slip_systems systems;
    if (variants == NULL || (variants->is_double && response->functions->turn == NULL))
        return sw_error(SW_ERR_UNAVAILABLE,
                        "solver = %s: its crystals keep no variants of twins to turn into",
                        response->solver->traits.name);
    SW_TRY(sw_material_systems(m, &systems));
    *rule = (sw_twin_rule){.families = m->slip.family_count,
                           .variants = variants->values,
                           .numbers = layout->numbers,
                           .is_double = variants->is_double,
                           .at_slip = sw_state_field_place(layout, slip),
                           .at_variant = sw_state_field_place(layout, variants),
                           .at_turned = sw_state_field_place(layout, variants + 1),
                           .at_back = back != NULL ? sw_state_field_place(layout, back) : 0,
                           .backs = back != NULL ? back->values : 0};
    for (int v = 0; v < rule->variants; v++) {
        rule->family[v] = systems.family[systems.two_way + v];
        for (int i = 0; i < 3; i++)
            rule->normal[v][i] = (float)systems.normal[systems.two_way + v][i];
    }
    for (int f = 0; f < rule->families; f++) {
        const sw_slip_family *family = &m->slip.family[f];
        const double shear = sw_material_twin_shear(m, f);
        rule->threshold[f] = family->twin_threshold;
        rule->rise[f] = isnan(family->twin_threshold_rise) ? 0 : family->twin_threshold_rise;
        rule->shear[f] = shear > 0 ? shear : 1;
        rule->secondary[f] = family->secondary_twins;
    }
    return set_children(response, &systems, rule);
}

/* By the mean accumulated slip of families, how often each has turned a crystal [F], such counts and the sum of weights: of all
 * crystals. */
static void set_rule(const double *slipped, const double *turned, const sw_twin_count *count, double weight,
                     sw_twin_rule *rule)
{
    for (int f = 0; f < rule->families; f++) {
        const double twinned = slipped[f] / rule->shear[f];
        double all = turned[f];
        for (int t = 0; t < SW_TWIN_TURNS; t++) {
            int64_t turns = 0;
            rule->first[f][t] = sw_twin_first_bin(rule, f, all, twinned);
            for (int bin = rule->first[f][t]; bin < SW_TWIN_BINS; bin++)
                turns += count[f][t][bin];
            all += (double)turns / SW_TWIN_WEIGHT / weight;
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

static sw_status count_twins(const sw_twin_rule *rule, int64_t first, const sw_crystals *c,
                             sw_twin_count *count)
{
    if (c->device == SW_CUDA && sw_gpu_owns(c->state))
        return sw_crystals_count_twins_cuda(rule, first, c->n, c->state, c->weight, count);
    count_part(rule, first, c, count);
    return SW_OK;
}

static void turn_one(const sw_response *response, const sw_twin_rule *rule, int v, sw_crystals *c, int64_t i)
{
    if (rule->is_double)
        response->functions->turn(response, c, i, rule->normal[v]);
    sw_crystal_turn(rule, v, &c->crystal[i], c->state + i * rule->numbers);
}

static sw_status turn_crystals(const sw_response *response, const sw_twin_rule *rule, int64_t first,
                               sw_crystals *c)
{
    if (c->device == SW_CUDA)
        return sw_crystals_turn_cuda(rule, first, c->n, c->crystal, c->state);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(c->n, 20.0))
    for (int64_t i = 0; i < c->n; i++) {
        const int v = sw_crystal_turns(rule, first + i, c->state + i * rule->numbers);
        if (v >= 0)
            turn_one(response, rule, v, c, i);
    }
    return SW_OK;
}

/* ---- Volume ---- */

static void transfer_here(const sw_response *response, const sw_twin_rule *rule, sw_crystals *c)
{
    const int64_t each = 1 + rule->children;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(c->n, 20.0))
    for (int64_t i = 0; i < c->n; i += each) {
        int born[SW_FAMILIES_MAX];
        sw_twin_transfer(rule, c->crystal + i, c->state + i * rule->numbers, born);
        for (int k = 0; k < rule->children && rule->is_double; k++)
            if (born[k] >= 0)
                response->functions->turn(response, c, i + k + 1, rule->normal[born[k]]);
    }
}

static sw_status transfer(const sw_response *response, sw_crystals *c)
{
    sw_twin_rule rule;
    SW_TRY(sw_twin_rule_of(response, &rule));
    if (c->device == SW_CUDA)
        return sw_twins_transfer_cuda(&rule, c->n / (1 + rule.children), c->crystal, c->state);
    transfer_here(response, &rule, c);
    return SW_OK;
}

/* Of crystals that have it, where a state has its weight. */
static sw_status weight_of(const sw_crystals *c, int *place, int *is_double)
{
    const sw_state_field *field = sw_state_field_find(c->layout, "weight");
    if (field == NULL)
        return sw_error(SW_ERR_RANGE, "states of these crystals have no weight");
    *place = sw_state_field_place(c->layout, field);
    *is_double = field->is_double;
    return SW_OK;
}

sw_status sw_crystals_weigh(const sw_crystals *c, float *weight)
{
    sw_twin_rule rule = {.numbers = c->layout->numbers};
    SW_TRY(weight_of(c, &rule.at_weight, &rule.is_double));
    if (c->device == SW_CUDA)
        return sw_states_column_cuda(c->n, 1, weight, c->layout->numbers, c->state + rule.at_weight);
    for (int64_t i = 0; i < c->n; i++)
        weight[i] = sw_twin_number(&rule, c->state + i * rule.numbers, rule.at_weight, 0);
    return SW_OK;
}

sw_status sw_crystals_keep_weights(sw_crystals *c, const float *weight)
{
    sw_twin_rule rule = {.numbers = c->layout->numbers};
    SW_TRY(weight_of(c, &rule.at_weight, &rule.is_double));
    if (c->device == SW_CUDA)
        return sw_states_column_cuda(c->n, c->layout->numbers, c->state + rule.at_weight, 1, weight);
    for (int64_t i = 0; i < c->n; i++)
        sw_twin_set_number(&rule, c->state + i * rule.numbers, rule.at_weight, 0, weight[i]);
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
    SW_TRY(ranks->agree(count_twins(&rule, first, c, count)));
    ranks->sum_counts(count[0][0], rule.families * SW_TWIN_TURNS * SW_TWIN_BINS);
    set_rule(value + SLIPPED, value + TURNED, (const sw_twin_count *)count, value[0], &rule);
    return ranks->agree(turn_crystals(response, &rule, first, c));
}

sw_status sw_crystals_turn_twins(const sw_response *response, int64_t first, sw_crystals *c,
                                 const sw_twin_ranks *ranks)
{
    sw_twin_count *count;
    if (!sw_twins_turn(response->material))
        return SW_OK;
    ranks = ranks != NULL ? ranks : &alone;
    if (sw_twin_children(response->material) > 0)
        return ranks->agree(transfer(response, c));
    SW_TRY(ranks->agree(SW_ALLOCATE(count, response->material->slip.family_count, "counts of twins")));
    const sw_status status = turn_by(response, first, c, ranks, count);
    free(count);
    return status;
}

/* ---- Of points ---- */

static sw_status turn_here(const sw_twin_rule *rule, int64_t points, int64_t n, sw_crystals *c)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(points, 20.0 * (double)n))
    for (int64_t p = 0; p < points; p++)
        sw_point_turn(rule, n, c->crystal + p * n, c->state + p * n * rule->numbers,
                      c->weight != NULL ? c->weight + p * n : NULL, 0, 1);
    return SW_OK;
}

sw_status sw_points_turn_twins(const sw_response *response, int64_t points, int64_t n, sw_crystals *c)
{
    sw_twin_rule rule;
    if (!sw_twins_turn(response->material))
        return SW_OK;
    SW_TRY(sw_twin_rule_of(response, &rule));
    return c->device == SW_CUDA ? sw_points_turn_cuda(&rule, points, n, c->crystal, c->state, c->weight)
                                : turn_here(&rule, points, n, c);
}
