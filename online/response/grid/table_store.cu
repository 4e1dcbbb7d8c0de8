#include "table_store.cuh"

#include <cmath>
#include <cstring>

#include "online/gpu/launch.cuh"

sw_status sw_table_store_open(int64_t entries, int outputs, int linear, sw_table_store *store)
{
    *store = (sw_table_store){entries, outputs};
    SW_TRY(SW_CUDA_ALLOCATE(store->answer, outputs * entries, "responses of a table"));
    SW_TRY(SW_CUDA_ALLOCATE(store->most, 3, "responses of a table"));
    if (linear)
        SW_TRY(SW_CUDA_ALLOCATE(store->entry, entries, "response table"));
    if (!linear || outputs > SW_OUTPUTS)
        SW_TRY(SW_CUDA_ALLOCATE(store->half, entries, "response table"));
    return SW_OK;
}

void sw_table_store_close(sw_table_store *store)
{
    cudaFree(store->answer);
    cudaFree(store->most);
    cudaFree(store->entry);
    cudaFree(store->half);
    *store = (sw_table_store){0};
}

/* A whole number of `unit` nearest to x, 0 to `end`. */
__device__ static inline unsigned whole(float x, float unit, float middle, float end)
{
    return (unsigned)fminf(fmaxf(rintf(x / unit + middle), 0.0F), end);
}

/* -> the units of what is in `answer`. */
static sw_status find_units(const sw_table_store *store, sw_table_units *unit)
{
    const int64_t entries = store->entries;
    const float *answer = store->answer;
    int32_t *most = store->most, bits[3];
    float largest[3];
    SW_CUDA_TRY(cudaMemset(most, 0, 3 * sizeof *most));
    SW_TRY(sw_each(SW_OUTPUTS * entries, [=] __device__(int64_t i) {
        const int64_t c = i / entries;
        int32_t *of = most + (c < 5 ? 0 : c < 8 ? 1 : 2);
        const int32_t size = __float_as_int(c < 8 ? fabsf(answer[i]) : fmaxf(answer[i], 0.0F));
        if (size > *(volatile int32_t *)of) /* few are */
            atomicMax(of, size);
    }));
    SW_CUDA_TRY(cudaMemcpy(bits, most, sizeof bits, cudaMemcpyDeviceToHost));
    memcpy(largest, bits, sizeof largest);
    for (int k = 0; k < 3; k++)
        if (!isfinite(largest[k]))
            return sw_error(SW_ERR_RANGE, "response table: %g is among its answers: need finite numbers",
                            largest[k]);
    unit->stress = largest[0] > 0 ? largest[0] / 32767 : 1;
    unit->spin = largest[1] > 0 ? largest[1] / 32767 : 1;
    unit->slip_rate = largest[2] > 0 ? largest[2] / 4095 : 1;
    return SW_OK;
}

static sw_status pack_entries(const sw_table_store *store)
{
    const int64_t entries = store->entries;
    const float *answer = store->answer;
    const sw_table_units unit = store->unit;
    sw_table_entry *entry = store->entry;
    return sw_each(entries, [=] __device__(int64_t i) {
        const unsigned last = whole(answer[8 * entries + i], unit.slip_rate, 0.0F, 4095.0F);
        for (int k = 0; k < 4; k++) { /* 3.5: what the last three bits are on average */
            const unsigned high =
                               whole(answer[k * entries + i], 8 * unit.stress, 4096.0F - 3.5F / 8, 8191.0F),
                           low = whole(answer[(4 + k) * entries + i], k == 0 ? unit.stress : unit.spin,
                                       32768.0F, 65535.0F);
            entry[i].word[k] = high << 19 | (last >> 3 * (3 - k) & 7U) << 16 | low;
        }
    });
}

sw_status sw_table_store_halves(const sw_table_store *store, int outputs, float scale,
                                sw_table_half_entry *half)
{
    const int64_t entries = store->entries;
    const float *answer = store->answer;
    return sw_each(entries, [=] __device__(int64_t i) {
        for (int c = 0; c < outputs; c++)
            half[i].value[c] = __float2half_rn(answer[c * entries + i] / (c < 5 ? scale : 1.0F));
    });
}

sw_status sw_table_store_pack(sw_table_store *store)
{
    SW_TRY(find_units(store, &store->unit));
    if (store->entry != NULL)
        SW_TRY(pack_entries(store));
    if (store->half != NULL)
        SW_TRY(sw_table_store_halves(store, store->outputs, store->unit.stress, store->half));
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}
