/* Polycrystals that another program had too: their crystals of a file, stepped, and what is compared. */
#ifndef SW_TESTS_VALIDATION_REFERENCE_CRYSTALS_H
#define SW_TESTS_VALIDATION_REFERENCE_CRYSTALS_H

#include "tests/crystals.h"

#include "common/crystal/material_file.h"
#include "common/math/rotation.h"
#include "online/texture/crystal_file.h"

typedef struct {
    sw_response *response;
    sw_material material; /* set by the test */
    sw_crystal_list list;
    sw_crystals crystals;
} polycrystal;

/* Of p->material, which stays where it is. */
static inline void open_polycrystal(const char *solver, const char *crystals, polycrystal *p)
{
    const sw_crystal_filter all = {0};
    const sw_response_options options = {.solver = solver, .material = &p->material};
    CHECK_OK(sw_crystal_file_read_with(data_path("reference/%s", crystals), &all, &p->list));
    CHECK_OK(sw_response_open(&options, &p->response));
    sw_crystal *const crystal = calloc((size_t)p->list.count, sizeof *crystal);
    for (int64_t n = 0; n < p->list.count; n++) {
        for (int i = 0; i < 3; i++)
            crystal[n].euler[i] = (float)p->list.euler[n][i];
        crystal[n].slip_resistance = (float)p->material.slip.initial_slip_resistance;
    }
    CHECK_OK(sw_crystals_of(p->response, p->list.count, crystal, p->list.weight, &p->crystals));
}

static inline void close_polycrystal(polycrystal *p)
{
    sw_crystal *const crystal = p->crystals.crystal;
    sw_crystals_release(&p->crystals);
    free(crystal);
    sw_crystal_list_free(&p->list);
    sw_response_close(p->response);
}

/* The mean deviator after one more step, MPa: 11 22 33 23 13 12. Returns von Mises' stress. */
static inline double step_polycrystal(polycrystal *p, const double gradient[3][3], double dt,
                                      double deviator[6])
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    sw_response_average mean;
    double square = 0;
    CHECK_OK(sw_response_step(p->response, gradient, dt, &p->crystals, &p->crystals, &mean));
    const double pressure =
        (mean.cauchy_stress[0][0] + mean.cauchy_stress[1][1] + mean.cauchy_stress[2][2]) / 3;
    for (int k = 0; k < 6; k++) {
        deviator[k] = 1e-6 * (mean.cauchy_stress[row[k]][column[k]] - (k < 3 ? pressure : 0));
        square += (k < 3 ? 1 : 2) * deviator[k] * deviator[k];
    }
    return sqrt(1.5 * square);
}

static inline double von_mises_between(const double a[6], const double b[6])
{
    double square = 0;
    for (int k = 0; k < 6; k++)
        square += (k < 3 ? 1 : 2) * (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(1.5 * square);
}

/* What families have slipped, means over crystals: the last numbers of a state. */
static inline void measure_slip(const polycrystal *p, double slip[SW_FAMILIES_MAX])
{
    const int families = p->material.slip.family_count, numbers = p->crystals.layout->numbers;
    double total = 0;
    memset(slip, 0, SW_FAMILIES_MAX * sizeof *slip);
    for (int64_t n = 0; n < p->crystals.n; n++) {
        const double w = p->list.weight != NULL ? p->list.weight[n] : 1;
        for (int f = 0; f < families; f++)
            slip[f] += w * p->crystals.state[n * numbers + numbers - families + f];
        total += w;
    }
    for (int f = 0; f < families; f++)
        slip[f] /= total;
}

/* Crystal -> sample, of crystal n as it is. */
static inline void rotation_of(const polycrystal *p, int64_t n, double g[3][3])
{
    const sw_crystal *one = &p->crystals.crystal[n];
    const double euler[3] = {one->euler[0], one->euler[1], one->euler[2]};
    sw_rotation_from_euler(euler, g);
}

#endif
