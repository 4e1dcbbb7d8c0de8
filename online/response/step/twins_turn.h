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

/* A crystal's number k of those from `place` on, and back. */
SW_HD static inline float sw_twin_number(const sw_twin_rule *rule, const float *state, int place, int k)
{
    double value;
    if (!rule->is_double)
        return state[place + k];
    memcpy(&value, state + place + 2 * k, sizeof value);
    return (float)value;
}

SW_HD static inline void sw_twin_set_number(const sw_twin_rule *rule, float *state, int place, int k,
                                            float number)
{
    const double value = number;
    if (rule->is_double)
        memcpy(state + place + 2 * k, &value, sizeof value);
    else
        state[place + k] = number;
}

/* The largest variant of a crystal that may turn, *bin: of its fraction; -1: it may not. */
SW_HD static inline int sw_crystal_twin(const sw_twin_rule *rule, const float *state, int *bin)
{
    float fraction = 0, times = 0, most = 0;
    int largest = -1;
    for (int f = 0; f < rule->families; f++)
        times += sw_twin_number(rule, state, rule->at_turned, f);
    for (int v = 0; v < rule->variants; v++) {
        const float its = sw_twin_number(rule, state, rule->at_variant, v);
        largest = its > most ? v : largest;
        most = its > most ? its : most;
    }
    if (largest < 0 || times > (rule->secondary[rule->family[largest]] ? 1.5F : 0.5F))
        return -1;
    for (int v = 0; v < rule->variants; v++)
        if (rule->family[v] == rule->family[largest])
            fraction += sw_twin_number(rule, state, rule->at_variant, v);
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

/* Of SW_TWIN_TURNS crystals in a row each has a turn of its own: place p of row k has (a p + b) mod 128, with an odd a. From k's
 * bits, mixed (the finaliser of SplitMix64). */
SW_HD static inline void sw_twin_row(int64_t k, unsigned *a, unsigned *b)
{
    uint64_t h = (uint64_t)k + 0x9e3779b97f4a7c15U;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    h ^= h >> 31;
    *a = (unsigned)(h >> 8) | 1U;
    *b = (unsigned)h;
}

/* Whose turn crystal number i is. */
SW_HD static inline int sw_twin_turn(int64_t i)
{
    unsigned a, b;
    sw_twin_row(i / SW_TWIN_TURNS, &a, &b);
    return (int)((a * (unsigned)(i % SW_TWIN_TURNS) + b) % SW_TWIN_TURNS);
}

/* And the crystal of row k whose turn it is: 1/a of an odd a has three bits right by a itself, and twice as many by each of
 * Newton's steps. */
SW_HD static inline int64_t sw_twin_of_turn(int64_t k, int turn)
{
    unsigned a, b;
    sw_twin_row(k, &a, &b);
    unsigned inverse = a * (2 - a * a);
    inverse *= 2 - a * inverse;
    return k * SW_TWIN_TURNS + (int64_t)(inverse * ((unsigned)turn - b) % SW_TWIN_TURNS);
}

/* The bin from which on crystals turn by a family that has turned and twinned so much; SW_TWIN_BINS: none. */
SW_HD static inline int sw_twin_first_bin(const sw_twin_rule *rule, int f, double turned, double twinned)
{
    if (!(rule->threshold[f] >= 0) || !(turned < twinned))
        return SW_TWIN_BINS;
    const double bin =
        ceil((rule->threshold[f] + rule->rise[f] * turned / (twinned + 1e-6)) * (double)SW_TWIN_BINS_OF_1);
    return bin < (double)SW_TWIN_BINS ? (int)bin : SW_TWIN_BINS;
}

/* A crystal by variant v: its stress, the first five of its floats, stays what it is, along the new crystal (of doubles the solver
 * sees to it); fractions of variants and back-stresses begin anew. */
SW_HD static inline void sw_crystal_turn(const sw_twin_rule *rule, int v, sw_crystal *crystal, float *state)
{
    const float half[4] = {0, rule->normal[v][0], rule->normal[v][1], rule->normal[v][2]};
    float q[4], end[4];
    const int f = rule->family[v];
    sw_quaternion_from_euler(crystal->euler, q);
    sw_quaternion_product(q, half, end);
    sw_quaternion_to_euler(end, crystal->euler);
    if (!rule->is_double)
        sw_half_turn_deviator(rule->normal[v], state);
    for (int k = 0; k < rule->variants; k++)
        sw_twin_set_number(rule, state, rule->at_variant, k, 0);
    for (int k = 0; k < rule->backs; k++)
        sw_twin_set_number(rule, state, rule->at_back, k, 0);
    sw_twin_set_number(rule, state, rule->at_turned, f, sw_twin_number(rule, state, rule->at_turned, f) + 1);
}

/* The variant that crystal number i turns by, if it is its turn; else -1. */
SW_HD static inline int sw_crystal_turns(const sw_twin_rule *rule, int64_t i, const float *state)
{
    int bin;
    const int v = sw_crystal_twin(rule, state, &bin);
    return v >= 0 && bin >= rule->first[rule->family[v]][sw_twin_turn(i)] ? v : -1;
}

/* ---- Volume ---- */

/* What a family's twins have made of a crystal since it was last asked, at most all of it. */
SW_HD static inline float sw_twin_made(const sw_twin_rule *rule, int f, float *state)
{
    float sum = 0;
    for (int v = 0; v < rule->variants; v++)
        if (rule->family[v] == f) {
            sum += sw_twin_number(rule, state, rule->at_variant, v);
            sw_twin_set_number(rule, state, rule->at_variant, v, 0);
        }
    return !(sum > 0) ? 0 : sum < 1 ? sum : 1;
}

/* That much of a crystal's weight goes to another's. */
SW_HD static inline void sw_twin_move(const sw_twin_rule *rule, int f, float *from, float *to)
{
    const float has = sw_twin_number(rule, from, rule->at_weight, 0),
                goes = has * sw_twin_made(rule, f, from);
    sw_twin_set_number(rule, from, rule->at_weight, 0, has - goes);
    sw_twin_set_number(rule, to, rule->at_weight, 0, sw_twin_number(rule, to, rule->at_weight, 0) + goes);
}

/* The largest variant of a family, if it is above the threshold; -1. */
SW_HD static inline int sw_twin_of_family(const sw_twin_rule *rule, int f, const float *state)
{
    float most = (float)rule->threshold[f];
    int largest = -1;
    for (int v = 0; v < rule->variants; v++) {
        const float its = rule->family[v] == f ? sw_twin_number(rule, state, rule->at_variant, v) : 0;
        largest = its > most ? v : largest;
        most = its > most ? its : most;
    }
    return largest;
}

/* A crystal's resistance to a variant is halved. */
SW_HD static inline void sw_twin_soften(const sw_twin_rule *rule, int v, sw_crystal *crystal, float *state)
{
    if (rule->at_resistance < 0)
        return;
    const float half = sw_twin_number(rule, state, rule->at_resistance, rule->group[v]) / 2;
    sw_twin_set_number(rule, state, rule->at_resistance, rule->group[v], half);
    crystal->slip_resistance -= rule->share[v] * half;
}

/* A group's crystals, from the parent on: *crystal, state [K]. born [children]: variants by which some are born now; -1. */
SW_HD static inline void sw_twin_transfer(const sw_twin_rule *rule, sw_crystal *crystal, float *state,
                                          int *born)
{
    for (int k = 0; k < rule->children; k++) {
        const int f = rule->child_family[k];
        float *const child = state + (k + 1) * rule->numbers;
        const int is_born = sw_twin_number(rule, child, rule->at_turned, f) > 0.5F;
        born[k] = is_born ? -1 : sw_twin_of_family(rule, f, state);
        if (born[k] >= 0) {
            crystal[k + 1] = crystal[0];
            memcpy(child, state, (size_t)rule->numbers * sizeof *state);
            sw_twin_set_number(rule, child, rule->at_weight, 0, 0);
            sw_crystal_turn(rule, born[k], &crystal[k + 1], child);
            sw_twin_soften(rule, born[k], &crystal[k + 1], child);
            sw_twin_move(rule, f, state, child);
        } else if (is_born) {
            sw_twin_move(rule, f, state, child);
            sw_twin_move(rule, f, child, state);
        }
    }
}

/* ---- A point's crystals, which one thread counts or, on a GPU, a warp ---- */

/* Sum and largest of what all lanes have, in each of them. */
SW_HD static inline double sw_twin_lanes_sum(double x)
{
#ifdef __CUDA_ARCH__
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_xor_sync(0xffffffffU, x, offset);
#endif
    return x;
}

SW_HD static inline int sw_twin_lanes_largest(int x)
{
#ifdef __CUDA_ARCH__
    for (int offset = 16; offset > 0; offset /= 2) {
        const int other = __shfl_xor_sync(0xffffffffU, x, offset);
        x = other > x ? other : x;
    }
#endif
    return x;
}

/* Of a point: the sum of weights; means by weight of what families slipped and how often they turned; the largest bin of each. */
typedef struct {
    double weight, slipped[SW_FAMILIES_MAX], turned[SW_FAMILIES_MAX];
    int most[SW_FAMILIES_MAX];
} sw_twin_point;

SW_HD static inline void sw_twin_point_count(const sw_twin_rule *rule, int64_t n, const float *state,
                                             const float *weight, int lane, int lanes, sw_twin_point *p)
{
    p->weight = 0;
    for (int f = 0; f < rule->families; f++) {
        p->slipped[f] = p->turned[f] = 0;
        p->most[f] = -1;
    }
    for (int64_t i = lane; i < n; i += lanes) {
        const float *const own = state + i * rule->numbers;
        const double w = weight != NULL ? weight[i] : 1;
        int bin;
        const int v = sw_crystal_twin(rule, own, &bin);
        p->weight += w;
        for (int f = 0; f < rule->families; f++) {
            p->slipped[f] += w * sw_twin_number(rule, own, rule->at_slip, f);
            p->turned[f] += w * sw_twin_number(rule, own, rule->at_turned, f);
        }
        if (v >= 0 && bin > p->most[rule->family[v]])
            p->most[rule->family[v]] = bin;
    }
    p->weight = sw_twin_lanes_sum(p->weight);
    for (int f = 0; f < rule->families; f++) {
        p->slipped[f] = sw_twin_lanes_sum(p->slipped[f]) / p->weight;
        p->turned[f] = sw_twin_lanes_sum(p->turned[f]) / p->weight;
        p->most[f] = sw_twin_lanes_largest(p->most[f]);
    }
}

/* The n crystals of a point, as sw_crystals_turn_twins would alone. */
SW_HD static inline void sw_point_turn(const sw_twin_rule *rule, int64_t n, sw_crystal *crystal, float *state,
                                       const float *weight, int lane, int lanes)
{
    const int64_t rows = (n + SW_TWIN_TURNS - 1) / SW_TWIN_TURNS;
    sw_twin_point p;
    sw_twin_point_count(rule, n, state, weight, lane, lanes, &p);
    for (int f = 0; f < rule->families; f++) {
        double all = p.turned[f];
        const double twinned = p.slipped[f] / rule->shear[f];
        for (int turn = 0; turn < SW_TWIN_TURNS; turn++) {
            const int first = sw_twin_first_bin(rule, f, all, twinned);
            double sum = 0;
            if (first > p.most[f])
                break;
            for (int64_t k = lane; k < rows; k += lanes) {
                const int64_t i = sw_twin_of_turn(k, turn);
                int bin;
                const int v = i < n ? sw_crystal_twin(rule, state + i * rule->numbers, &bin) : -1;
                if (v < 0 || rule->family[v] != f || bin < first)
                    continue;
                sw_crystal_turn(rule, v, &crystal[i], state + i * rule->numbers);
                sum += (double)sw_twin_weight(weight, i);
            }
            all += sw_twin_lanes_sum(sum) / (double)SW_TWIN_WEIGHT / p.weight;
        }
    }
}

#endif
