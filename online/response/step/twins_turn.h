/* How a crystal turns into its twin (twins.h): on floats, on CPU and GPU. */
#ifndef SW_ONLINE_RESPONSE_STEP_TWINS_TURN_H
#define SW_ONLINE_RESPONSE_STEP_TWINS_TURN_H

#include "common/math/lanes_float.h"

#include "common/math/deviator.h"
#include "common/math/quaternion.h"
#include "twins.h"

/* v after the half turn about n, a unit vector, as of tensors. */
SW_HD static inline void sw_half_turn_deviator(const float n[3], float v[5])
{
    float r[3][3], t[6], turned[5];
    for (int i = 0; i < 9; i++)
        r[i / 3][i % 3] = 2 * n[i / 3] * n[i % 3] - (i % 4 == 0 ? 1.0F : 0.0F);
    sw_deviator_tensor(v, t);
    sw_deviator_in_frame((const float(*)[3])r, t, turned); /* r^T t r, and r is its own inverse */
    for (int i = 0; i < 5; i++)
        v[i] = turned[i];
}

/* The largest variant of a crystal that may turn, *bin: of its fraction; -1: it may not. */
SW_HD static inline int sw_crystal_twin(const sw_twin_rule *rule, const float *state, int *bin)
{
    const float *const variant = state + rule->at_variant, *const turned = state + rule->at_turned;
    float fraction = 0, times = 0;
    int largest = 0;
    for (int f = 0; f < rule->families; f++)
        times += turned[f];
    for (int v = 1; v < rule->variants; v++)
        largest = variant[v] > variant[largest] ? v : largest;
    for (int v = 0; v < rule->variants; v++)
        fraction += rule->family[v] == rule->family[largest] ? variant[v] : 0;
    if (!(variant[largest] > 0) || times > (rule->secondary[rule->family[largest]] ? 1.5F : 0.5F))
        return -1;
    *bin = fraction * (float)SW_TWIN_BINS_OF_1 < (float)(SW_TWIN_BINS - 1)
               ? (int)(fraction * (float)SW_TWIN_BINS_OF_1)
               : SW_TWIN_BINS - 1;
    return largest;
}

/* Of crystal i, in 1/65536. */
SW_HD static inline int64_t sw_twin_weight(const float *weight, int64_t i)
{
    return weight != NULL ? (int64_t)(weight[i] * (double)SW_TWIN_WEIGHT + 0.5) : (int64_t)SW_TWIN_WEIGHT;
}

/* Whose turn crystal number i is: its bits mixed (the finaliser of SplitMix64). */
SW_HD static inline int sw_twin_turn(int64_t i)
{
    uint64_t h = (uint64_t)i + 0x9e3779b97f4a7c15U;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    return (int)((h ^ (h >> 31)) % SW_TWIN_TURNS);
}

/* Crystal number i, if it is its turn: its stress stays what it is, along the new crystal; fractions of variants and back-stresses begin
 * anew. */
SW_HD static inline void sw_crystal_turn(const sw_twin_rule *rule, int64_t i, sw_crystal *crystal,
                                         float *state)
{
    float *const variant = state + rule->at_variant;
    float q[4], end[4];
    int bin;
    const int v = sw_crystal_twin(rule, state, &bin);
    if (v < 0 || bin < rule->first[rule->family[v]][sw_twin_turn(i)])
        return;
    const float half[4] = {0, rule->normal[v][0], rule->normal[v][1], rule->normal[v][2]};
    sw_quaternion_from_euler(crystal->euler, q);
    sw_quaternion_product(q, half, end);
    sw_quaternion_to_euler(end, crystal->euler);
    sw_half_turn_deviator(rule->normal[v], state + rule->at_stress);
    for (int k = 0; k < rule->variants; k++)
        variant[k] = 0;
    for (int k = 0; k < rule->backs; k++)
        state[rule->at_back + k] = 0;
    state[rule->at_turned + rule->family[v]] += 1;
}

#endif
