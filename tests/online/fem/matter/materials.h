/* Materials for tests of laws, made of numbers on the stack, and paths of them. */
#ifndef SW_TESTS_ONLINE_FEM_MATTER_MATERIALS_H
#define SW_TESTS_ONLINE_FEM_MATTER_MATERIALS_H

#include "tests/test.h"

#include "online/fem/matter/matter.h"

enum { MOST_STATE = 120 };

/* A table of one row. */
#define ROW(columns, ...) ((sw_matter_table){1, columns, (double[1]){0}, (double[]){__VA_ARGS__}})

static double no_temperature[1], steel_numbers[2] = {200e3, 0.3};
#define ISOTROPIC .name = (char *)"STEEL", .elasticity = SW_MATTER_ISOTROPIC
#define STEEL ISOTROPIC, .elastic = {1, 2, no_temperature, steel_numbers}

static inline double number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* A point whose history goes on. */
typedef struct {
    const sw_matter *matter;
    sw_matter_point point;
    double gradient[3][3]; /* F */
    double old[MOST_STATE], new_state[MOST_STATE];
    sw_matter_answer answer;
} history;

static inline void begin(history *h, sw_matter *matter)
{
    *h = (history){.matter = matter};
    CHECK_OK(sw_matter_prepare(matter, "test"));
    assert_in_range(sw_matter_state_size(matter), 2, MOST_STATE);
    for (int i = 0; i < 3; i++)
        h->gradient[i][i] = 1;
}

static inline sw_status try_point(history *h)
{
    for (int k = 0; k < 9; k++)
        h->point.h[k / 3][k % 3] = h->gradient[k / 3][k % 3] - (k % 4 == 0);
    const sw_status status = sw_matter_respond(h->matter, &h->point, h->old, h->new_state, &h->answer);
    for (int k = 0; k < 3; k++)
        h->gradient[k][k] = 1 + h->point.h[k][k]; /* plane stress writes */
    return status;
}

static inline void accept(history *h)
{
    memcpy(h->old, h->new_state, sizeof h->old);
    memcpy(h->point.h_before, h->point.h, sizeof h->point.h);
    h->point.temperature_before = h->point.temperature;
}

/* Small strains, engineering shears. */
static inline void set_strain(history *h, const double strain[6])
{
    double(*f)[3] = h->gradient;
    for (int i = 0; i < 3; i++)
        f[i][i] = 1 + strain[i];
    f[1][2] = f[2][1] = strain[3] / 2;
    f[0][2] = f[2][0] = strain[4] / 2;
    f[0][1] = f[1][0] = strain[5] / 2;
}

/* Uniaxial stress along 11 at a small strain, by Newton's steps on the strain across; the point is not accepted. */
static inline double pull(history *h, double strain, double *across)
{
    double all[6] = {strain, *across, *across};
    for (int i = 0; i < 60; i++) {
        set_strain(h, all);
        CHECK_OK(try_point(h));
        const double(*d)[6] = h->answer.tangent;
        const double change = -h->answer.stress[1] / (d[1][1] + d[1][2]);
        all[1] += change;
        all[2] = all[1];
        if (fabs(change) < 1e-15)
            break;
    }
    *across = all[1];
    assert_true(fabs(h->answer.stress[1]) < 1e-6 && fabs(h->answer.stress[2]) < 1e-6);
    return h->answer.stress[0];
}

#endif
