#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "common/math/tensor.h"

#define OF_FILES "that of the crystal files"

/* Datasets of /history. */
static const struct {
    const char *name, *unit;
    size_t at;
    int rank; /* of a row: 0, 1 of three, 2 of 3 x 3 */
} sets[] = {
    {"process", "1", offsetof(sw_vpsc_row, process), 0},
    {"step", "1", offsetof(sw_vpsc_row, step), 0},
    {"time", "s", offsetof(sw_vpsc_row, time), 0},
    {"temperature", "K", offsetof(sw_vpsc_row, temperature), 0},
    {"strain", "1", offsetof(sw_vpsc_row, strain), 0},
    {"von_mises_strain", "1", offsetof(sw_vpsc_row, mises_strain), 0},
    {"von_mises_stress", OF_FILES, offsetof(sw_vpsc_row, mises_stress), 0},
    {"von_mises_strain_rate", "1/s", offsetof(sw_vpsc_row, mises_rate), 0},
    {"strain_tensor", "1", offsetof(sw_vpsc_row, strain_tensor), 2},
    {"velocity_gradient", "1/s", offsetof(sw_vpsc_row, velocity_gradient), 2},
    {"strain_rate", "1/s", offsetof(sw_vpsc_row, strain_rate), 2},
    {"cauchy_stress", OF_FILES, offsetof(sw_vpsc_row, cauchy_stress), 2},
    {"pressure_known", "1: yes; 0: cauchy_stress is a deviator", offsetof(sw_vpsc_row, pressure_known), 0},
    {"slip_resistance", OF_FILES, offsetof(sw_vpsc_row, slip_resistance), 0},
    {"slip_rate", "1/s", offsetof(sw_vpsc_row, slip_rate), 0},
    {"iterations", "1", offsetof(sw_vpsc_row, iterations), 0},
    {"errors", "1: of grains' stresses, stress, strain rate", offsetof(sw_vpsc_row, error), 1},
};

sw_status sw_vpsc_history_add(sw_vpsc_history *history, int process, int step, const sw_vpsc_polycrystal *p,
                              const sw_vpsc_convergence *convergence)
{
    if (history->n == history->room) {
        const int64_t room = 2 * history->room + 64;
        SW_TRY(SW_GROW(history->row, room, "a history"));
        history->room = room;
    }
    sw_vpsc_row *row = &history->row[history->n++];
    *row =
        (sw_vpsc_row){.process = process,
                      .step = step,
                      .time = p->time,
                      .temperature = p->temperature,
                      .strain = p->size_strain,
                      .mises_strain = p->mises_strain,
                      .mises_stress = p->mises_stress,
                      .mises_rate = p->mises_rate,
                      .pressure_known = !(p->rate_given[0][0] && p->rate_given[1][1] && p->rate_given[2][2]),
                      .slip_resistance = sw_vpsc_mean_resistance(p),
                      .slip_rate = p->slip_rate,
                      .iterations = convergence->iterations};
    memcpy(row->error, convergence->error, sizeof row->error);
    memcpy(row->velocity_gradient, p->l, sizeof p->l);
    sw_tensor_of_six(p->strain, row->strain_tensor);
    sw_tensor_of_six(p->d, row->strain_rate);
    sw_tensor_of_six(p->stress, row->cauchy_stress);
    return SW_OK;
}

void sw_vpsc_history_free(sw_vpsc_history *history)
{
    free(history->row);
    memset(history, 0, sizeof *history);
}

/* ---- The file ---- */

static sw_status write_history(hid_t file, const sw_vpsc_history *history)
{
    double *column;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(column, 9 * history->n + 1, "a history"));
    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == SW_OK; i++) {
        const int values = sets[i].rank == 0 ? 1 : sets[i].rank == 1 ? 3 : 9;
        const int64_t shape[3] = {history->n, 3, 3};
        char name[64];
        snprintf(name, sizeof name, "history/%s", sets[i].name);
        for (int64_t k = 0; k < history->n; k++)
            memcpy(column + k * values, (const char *)&history->row[k] + sets[i].at,
                   (size_t)values * sizeof *column);
        status = sw_h5_write(file, name, H5T_NATIVE_DOUBLE, 1 + sets[i].rank, shape, column);
        if (status == SW_OK)
            status = sw_h5_describe(file, name, "unit", sets[i].unit);
    }
    free(column);
    return status;
}

/* /orientations/<rows>/euler, and beside it weights and phases (from 1 on). */
static sw_status write_crystals(hid_t file, int64_t rows, const sw_vpsc_polycrystal *polycrystal)
{
    double(*euler)[3], *weight, *phase;
    const int64_t shape[2] = {polycrystal->n, 3};
    char name[64];
    SW_TRY(SW_ALLOCATE(euler, polycrystal->n, "orientations"));
    sw_status status = SW_ALLOCATE(weight, 2 * polycrystal->n, "weights");
    phase = weight + polycrystal->n;
    for (int i = 0; i < polycrystal->n_phases && status == SW_OK; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++) {
            sw_euler_from_rotation(p->turn[g], euler[p->first + g]);
            weight[p->first + g] = p->weight[g];
            phase[p->first + g] = i + 1;
        }
    }
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)rows);
    if (status == SW_OK)
        status = sw_h5_write(file, name, H5T_NATIVE_DOUBLE, 2, shape, euler);
    if (status == SW_OK)
        status = sw_h5_write(file, "orientations/weight", H5T_NATIVE_DOUBLE, 1, shape, weight);
    if (status == SW_OK)
        status = sw_h5_write(file, "orientations/phase", H5T_NATIVE_DOUBLE, 1, shape, phase);
    free(euler);
    free(weight);
    return status;
}

static sw_status write_all(hid_t file, const sw_vpsc_history *history, const sw_vpsc_polycrystal *polycrystal)
{
    const double version = 1;
    hid_t group;
    SW_TRY(sw_h5_write_text(file, "format", "slipwave-vpsc"));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(write_history(file, history));
    SW_TRY(write_crystals(file, history->n, polycrystal));
    SW_TRY(sw_h5_group(file, "run", &group));
    sw_status status = sw_h5_write_text(group, "program", "slipwave " SW_VERSION);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "input", polycrystal->input->path);
    H5Gclose(group);
    return status;
}

sw_status sw_vpsc_results_write(const char *path, const sw_vpsc_history *history,
                                const sw_vpsc_polycrystal *polycrystal, sw_h5_output *output)
{
    SW_TRY(sw_h5_begin(path, output));
    sw_status status = write_all(output->file, history, polycrystal);
    if (status == SW_OK && H5Fflush(output->file, H5F_SCOPE_LOCAL) < 0)
        status = sw_error(SW_ERR_IO, "%s: cannot be written", path);
    return status == SW_OK ? SW_OK : sw_h5_end(output, status);
}
