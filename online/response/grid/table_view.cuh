/* Looking up in a table's entries. */
#ifndef SW_ONLINE_RESPONSE_GRID_TABLE_VIEW_CUH
#define SW_ONLINE_RESPONSE_GRID_TABLE_VIEW_CUH

#include "common/math/lanes_float.h"

#include "common/database/table_turn.h"
#include "table_cuda.h"
#include "table_store.cuh"

struct sw_table_view {
    sw_table_shape shape;
    const sw_table_entry *entry; /* device; of one theta, as table_store.cuh has them */
    const sw_table_half_entry *half;
    sw_table_units unit;
    const sw_table_half_entry
        *each;          /* [layers] of tables, for each point of theta, of nine outputs; NULL: not made */
    float stress_scale; /* its stresses are over it: v0^-m */
    int layers;
};

static inline sw_table_view sw_table_view_of(sw_table_shape shape, const sw_table_store *store)
{
    const sw_table_view view = {shape, store->entry, store->half, store->unit};
    return view;
}

sw_table_view sw_table_view_cuda(const sw_table_cuda *table);

/* One of a layer of theta: stresses as they are. */
__device__ static inline void sw_load_layer(const sw_table_view &table, const sw_table_half_entry *entry,
                                            float value[SW_OUTPUTS])
{
    sw_load_halves<SW_OUTPUTS>(entry, value);
#pragma unroll
    for (int c = 0; c < 5; c++)
        value[c] *= table.stress_scale;
}

/* The mean by weight of what load(index, value) has at a place's four corners. */
template <int OUTPUTS, class Load>
__device__ static inline void sw_interpolate(sw_table_shape shape, const sw_table_place &place,
                                             const Load &load, float output[OUTPUTS])
{
    int index[4];
    float corner[4];
    sw_table_linear(shape, &place, index, corner);
    load(index[0], output);
#pragma unroll
    for (int c = 0; c < OUTPUTS; c++)
        output[c] *= corner[0];
#pragma unroll
    for (int k = 1; k < 4; k++) {
        float value[OUTPUTS];
        load(index[k], value);
#pragma unroll
        for (int c = 0; c < OUTPUTS; c++)
            output[c] += corner[k] * value[c];
    }
}

/* Outputs of a place in the zone -> of where it is from. */
template <int OUTPUTS>
__device__ static inline void sw_sign_entry(const sw_table_place *place, float output[OUTPUTS])
{
    sw_table_sign(place, output);
    if (OUTPUTS > SW_OUTPUTS)
        sw_table_sign_planes(place, output + SW_OUTPUTS);
}

/* The lookups that sw_crystals_kernel takes: in the table of the step's theta, whose unit sums take ... */
struct sw_nearest_entry {
    static constexpr int BLOCKS = 5;
    static constexpr bool SHARED_SUMS = true;
    sw_table_view table;

    __device__ float scale() const { return table.unit.stress; }
    template <int OUTPUTS>
    __device__ bool operator()(const float orientation[4], float, float (&output)[OUTPUTS]) const
    {
        const sw_table_place place = sw_table_place_of(table.shape, orientation);
        sw_load_halves<OUTPUTS>(table.half + sw_table_nearest(table.shape, &place), output);
        sw_sign_entry<OUTPUTS>(&place, output);
        return true;
    }
};

struct sw_interpolated_entry {
    static constexpr int BLOCKS = 3;
    static constexpr bool SHARED_SUMS = false;
    sw_table_view table;

    __device__ float scale() const { return table.unit.stress; }
    template <int OUTPUTS>
    __device__ bool operator()(const float orientation[4], float, float (&output)[OUTPUTS]) const
    {
        const sw_table_place place = sw_table_place_of(table.shape, orientation);
        if constexpr (OUTPUTS == SW_OUTPUTS) {
            sw_interpolate<OUTPUTS>(
                table.shape, place, [&](int i, float *value) { sw_load_entry(table.entry + i, value); },
                output);
            sw_entry_numbers(table.unit, output);
        } else {
            sw_interpolate<OUTPUTS>(
                table.shape, place,
                [&](int i, float *value) { sw_load_halves<OUTPUTS>(table.half + i, value); }, output);
        }
        sw_sign_entry<OUTPUTS>(&place, output);
        return true;
    }
};

/* A layer of theta in which the crystal is turned about an axis (table_turn.h) -> its answer; TURNS: and its slopes. */
template <bool TURNS>
__device__ static inline void
sw_look_up_turned(const sw_table_view &table, const sw_table_half_entry *entry, int axis,
                  const float orientation[4], float output[SW_OUTPUTS], float slope[SW_SLOPES - 1][SW_SLOPED])
{
    const float about[3] = {axis == 0 ? 1.0F : 0.0F, axis == 1 ? 1.0F : 0.0F, axis == 2 ? 1.0F : 0.0F};
    float turned[4], r[3][3], along[3][3], weight[4], by[3][4], raw[SW_SLOPES - 1][SW_SLOPED], stress[5],
        more[3];
    int index[4];
    if (axis >= 0) {
        sw_table_to_azimuth(about, orientation, turned, r, more);
    } else { /* as it is */
        for (int i = 0; i < 4; i++)
            turned[i] = orientation[i];
        for (int i = 0; i < 9; i++)
            r[i / 3][i % 3] = i % 4 == 0 ? 1.0F : 0.0F;
        more[0] = more[1] = more[2] = 0;
    }
    const sw_table_place place = sw_table_place_of(table.shape, turned);
    if (TURNS)
        sw_table_turning_back(table.shape, r, turned, along);
    sw_table_linear_slopes(table.shape, &place, TURNS ? 3 : 0, along, index, weight, by);
    for (int c = 0; c < SW_OUTPUTS; c++)
        output[c] = 0;
    for (int j = 0; j < (SW_SLOPES - 1) * SW_SLOPED; j++)
        raw[j / SW_SLOPED][j % SW_SLOPED] = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float value[SW_OUTPUTS];
        sw_load_layer(table, entry + index[k], value);
#pragma unroll
        for (int c = 0; c < SW_OUTPUTS; c++)
            output[c] += weight[k] * value[c];
#pragma unroll
        for (int j = 0; j < (TURNS ? (SW_SLOPES - 1) * SW_SLOPED : 0); j++)
            raw[j / SW_SLOPED][j % SW_SLOPED] +=
                by[j / SW_SLOPED][k] * value[j % SW_SLOPED < 5 ? j % SW_SLOPED : 8];
    }
    sw_table_sign(&place, output);
    sw_table_turn_back(r, output);
    if (TURNS) {
#pragma unroll
        for (int j = 0; j < SW_SLOPES - 1; j++) {
            raw[j][2] = sw_flip(raw[j][2], place.sign12);
            raw[j][3] = sw_flip(raw[j][3], place.sign13);
            raw[j][4] = sw_flip(raw[j][4], place.sign23);
        }
        sw_table_stress(output, stress);
        sw_table_slopes_back(about, r, more, stress, raw, slope);
    }
}

/* ... and in one of four dimensions, for crystals with a theta each. */
struct sw_entry_each {
    static constexpr int BLOCKS = 2;
    sw_table_view table;
    int linear;

    /* Interpolated, of three layers next to one of an axis; slope: of TURNS. */
    template <bool TURNS>
    __device__ void mix(const float orientation[4], float theta, float output[SW_OUTPUTS],
                        float slope[SW_SLOPES][SW_SLOPED]) const
    {
        const sw_table_layers layers = sw_table_layers_at(theta, table.layers);
        const int64_t entries = sw_table_entries(table.shape);
        float change[SW_OUTPUTS] = {0};
        for (int c = 0; c < SW_OUTPUTS; c++)
            output[c] = 0;
        for (int j = 0; j < (TURNS ? SW_SLOPES * SW_SLOPED : 0); j++)
            slope[j / SW_SLOPED][j % SW_SLOPED] = 0;
#pragma unroll
        for (int k = 0; k < 3; k++) {
            float value[SW_OUTPUTS], own[SW_SLOPES - 1][SW_SLOPED];
            const sw_table_half_entry *entry = table.each + layers.layer[k] * entries;
            if (k >= layers.count)
                break;
            if (!TURNS && layers.axis[k] < 0) {
                const sw_table_place place = sw_table_place_of(table.shape, orientation);
                sw_interpolate<SW_OUTPUTS>(
                    table.shape, place,
                    [&](int i, float *of_corner) { sw_load_layer(table, entry + i, of_corner); }, value);
                sw_table_sign(&place, value);
#pragma unroll
                for (int c = 0; c < SW_OUTPUTS; c++)
                    output[c] += layers.weight[k] * value[c];
                continue;
            }
            sw_look_up_turned<TURNS>(table, entry, layers.axis[k], orientation, value, own);
#pragma unroll
            for (int c = 0; c < SW_OUTPUTS; c++) {
                output[c] += layers.weight[k] * value[c];
                change[c] += layers.by_theta[k] * value[c];
            }
#pragma unroll
            for (int j = 0; j < (TURNS ? (SW_SLOPES - 1) * SW_SLOPED : 0); j++)
                slope[j / SW_SLOPED + 1][j % SW_SLOPED] +=
                    layers.turning[k] * own[j / SW_SLOPED][j % SW_SLOPED];
        }
        if (TURNS) {
            sw_table_stress(change, slope[0]);
            slope[0][5] = change[8];
        }
    }

    __device__ bool operator()(const float orientation[4], float theta, float output[SW_OUTPUTS]) const
    {
        if (linear) {
            mix<false>(orientation, theta, output, NULL);
            return true;
        }
        const int layer = (int)rintf(theta * (float)table.layers) % table.layers;
        const sw_table_place place = sw_table_place_of(table.shape, orientation);
        sw_load_layer(
            table, table.each + layer * sw_table_entries(table.shape) + sw_table_nearest(table.shape, &place),
            output);
        sw_table_sign(&place, output);
        return true;
    }

    /* Of linear interpolation, with slopes (response_table.h). */
    __device__ bool slopes(const float orientation[4], float theta, float output[SW_OUTPUTS],
                           float slope[SW_SLOPES][SW_SLOPED]) const
    {
        mix<true>(orientation, theta, output, slope);
        return true;
    }
};

#endif
