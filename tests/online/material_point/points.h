/* What tests of material points share: point files in a folder of their own, deformation gradients. */
#ifndef SW_TESTS_MATERIAL_POINT_POINTS_H
#define SW_TESTS_MATERIAL_POINT_POINTS_H

#include "tests/test.h"

#include <unistd.h>

/* Copper as its file has it but for the rate sensitivity m, which at 0.2 makes a stress smooth enough for differences.
 * */
static inline void write_copper(const char *path, double m)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "name: copper\ncrystal_structure: fcc\n"
            "elasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
            "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: %g, initial_slip_resistance: 16.0e6}\n"
            "hardening: {law: voce, initial_hardening_rate: 180.0e6, saturation_resistance: 148.0e6, "
            "exponent: 2.25}\n",
            m);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline void times(const double a[3][3], const double b[3][3], double c[3][3])
{
    double product[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 9; j++)
            product[i][j % 3] += a[i][j / 3] * b[j / 3][j % 3];
    memcpy(c, product, sizeof product);
}

/* exp(l dt) f, by its plain series, which is exact after 30 terms of steps like these. */
static inline void follow(const double l[3][3], double dt, const double f[3][3], double to[3][3])
{
    double term[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sum[3][3];
    memcpy(sum, term, sizeof sum);
    for (int n = 1; n <= 30; n++) {
        times(term, l, term);
        for (int k = 0; k < 9; k++) {
            term[k / 3][k % 3] *= dt / n;
            sum[k / 3][k % 3] += term[k / 3][k % 3];
        }
    }
    times(sum, f, to);
}

static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A path that turns and shears, without a change of volume: number `step`, 1/s. */
static inline void path(int step, double l[3][3])
{
    static const double parts[3][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}},
                                          {{0, 1.2e-3, 0}, {0, 0, 0}, {0, 4e-4, 0}},
                                          {{-5e-4, 0, 3e-4}, {2e-4, 1e-3, 0}, {0, 0, -5e-4}}};
    memcpy(l, parts[step / 3 % 3], sizeof parts[0]);
}

#endif
