/* Small packings and load stages for tests of the DEM, whoever advances them. */
#ifndef SW_TESTS_ONLINE_DEM_PACKS_H
#define SW_TESTS_ONLINE_DEM_PACKS_H

#include "common/math/random.h"
#include "online/dem/backend/backend.h"
#include "online/dem/step/step.h"
#include "tests/test.h"

/* n spheres without radii, all at the origin of an upright cell; released with sw_dem_packing_free. */
static inline sw_dem_packing dem_pack(int64_t n, double length, double width, double height)
{
    sw_dem_packing pack = {.n_particles = n,
                           .cell = {{length, 0, 0}, {0, width, 0}, {0, 0, height}},
                           .position = calloc((size_t)n, sizeof *pack.position),
                           .radius = calloc((size_t)n, sizeof *pack.radius),
                           .velocity = calloc((size_t)n, sizeof *pack.velocity),
                           .spin = calloc((size_t)n, sizeof *pack.spin)};
    assert_true(pack.position != NULL && pack.radius != NULL && pack.velocity != NULL && pack.spin != NULL);
    return pack;
}

/* A number of (-1, 1], the place-th of particle i. */
static inline double dem_random(uint64_t seed, int64_t i, int place)
{
    double u[4];
    sw_random_uniform4(seed, (uint64_t)i, (uint64_t)place / 4, u);
    return 2 * u[place % 4] - 1;
}

/* n spheres of radii from least to largest near the sites of a simple cubic lattice, in a cube. Sites are
 * `spacing` largest diameters apart (> 1); each sphere is off its site by as much as still keeps it from
 * touching. Velocities up to `speed` in each component, spins up to speed / largest. */
static inline sw_dem_packing dem_pack_lattice(int64_t n, double least, double largest, double spacing,
                                              double speed, uint64_t seed)
{
    int64_t m = 1;
    while (m * m * m < n)
        m++;
    const double site = 2 * largest * spacing;
    sw_dem_packing pack = dem_pack(n, site * (double)m, site * (double)m, site * (double)m);
    for (int64_t i = 0; i < n; i++) {
        const int64_t place[3] = {i % m, i / m % m, i / m / m};
        const double radius = least + (largest - least) * 0.5 * (1 + dem_random(seed, i, 0));
        pack.radius[i] = radius;
        for (int k = 0; k < 3; k++) {
            pack.position[i][k] =
                site * ((double)place[k] + 0.5) + (0.49 * site - radius) * dem_random(seed, i, 1 + k);
            pack.velocity[i][k] = speed * dem_random(seed, i, 4 + k);
            pack.spin[i][k] = speed / largest * dem_random(seed, i, 7 + k);
        }
    }
    return pack;
}

/* n spheres at rest anywhere in the cell, at random; overlaps are less than a part of the smaller radius.
 * Equal parts of the number have each of the radii, placed in their order: the largest first. */
static inline sw_dem_packing dem_pack_random(const double cell[3][3], int n_radii, const double *radius,
                                             int64_t n, double overlap, uint64_t seed)
{
    sw_dem_packing pack = dem_pack(n, 1, 1, 1);
    memcpy(pack.cell, cell, sizeof pack.cell);
    int64_t placed = 0;
    for (int64_t attempt = 0; placed < n; attempt++) {
        assert_true(attempt < 1000 * n);
        const double r = radius[placed * n_radii / n];
        double x[3] = {0, 0, 0};
        int free = 1;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++)
                x[j] += cell[j][k] * 0.5 * (1 + dem_random(seed, attempt, k));
        for (int64_t i = 0; free && i < placed; i++)
            for (int code = 0; free && code < 125; code++) {
                const int shift[3] = {code % 5 - 2, code / 5 % 5 - 2, code / 25 - 2};
                double square = 0;
                for (int j = 0; j < 3; j++) {
                    double d = x[j] - pack.position[i][j];
                    for (int k = 0; k < 3; k++)
                        d += cell[j][k] * shift[k];
                    square += d * d;
                }
                const double closest = r + pack.radius[i] - overlap * fmin(r, pack.radius[i]);
                free = square > closest * closest;
            }
        if (!free)
            continue;
        memcpy(pack.position[placed], x, sizeof x);
        pack.radius[placed++] = r;
    }
    return pack;
}

/* n clumps of three spheres each, of one shape and sizes down to half of `largest`, turned at random, on a cubic lattice
 * where none touches another; in the cell, as if it had no periodic sides. */
static inline sw_dem_packing dem_pack_clumps(int64_t n, double largest, uint64_t seed)
{
    static const double shape[3][4] = {{-0.4, 0, 0, 0.6}, {0.45, 0.1, 0, 0.5}, {0, 0.4, 0.2, 0.45}};
    int64_t m = 1;
    while (m * m * m < n)
        m++;
    const double site = 2.02 * largest;
    sw_dem_packing pack = dem_pack(3 * n, site * (double)m, site * (double)m, site * (double)m);
    pack.clump = calloc((size_t)(3 * n), sizeof *pack.clump);
    assert_true(pack.clump != NULL);
    for (int64_t c = 0; c < n; c++) {
        const int64_t place[3] = {c % m, c / m % m, c / m / m};
        const double size = largest * (0.75 + 0.25 * dem_random(seed, c, 0));
        double q[4], square = 0, r[3][3];
        for (int k = 0; k < 4; k++) {
            q[k] = dem_random(seed, c, 1 + k);
            square += q[k] * q[k];
        }
        for (int k = 0; k < 4; k++)
            q[k] /= sqrt(square);
        sw_dem_rotation(q, r);
        for (int e = 0; e < 3; e++) {
            const int64_t i = 3 * c + e;
            double turned[3];
            sw_dem_turn((const double(*)[3])r, shape[e], turned);
            for (int k = 0; k < 3; k++)
                pack.position[i][k] = site * ((double)place[k] + 0.5) + size * turned[k];
            pack.radius[i] = size * shape[e][3];
            pack.clump[i] = (int32_t)c;
        }
    }
    return pack;
}

/* Two spheres, b along the unit vector n from a, gap apart. */
static inline sw_dem_packing dem_pack_pair(const double cell[3][3], const double a[3], const double radius[2],
                                           const double n[3], double gap)
{
    sw_dem_packing pack = dem_pack(2, 1, 1, 1);
    memcpy(pack.cell, cell, sizeof pack.cell);
    for (int k = 0; k < 3; k++) {
        pack.position[0][k] = a[k];
        pack.position[1][k] = a[k] + (radius[0] + radius[1] + gap) * n[k];
    }
    memcpy(pack.radius, radius, 2 * sizeof *radius);
    return pack;
}

/* ---- Stages ---- */

/* Until so many steps, no more driven than by the velocity gradient, which the caller sets. */
static inline sw_dem_stage dem_steps(double steps)
{
    sw_dem_stage stage = sw_dem_stage_defaults();
    stage.goal = steps;
    return stage;
}

/* Strain rate at which a packing at pressure p has this inertia number. */
static inline double dem_rate(const sw_dem_material *m, double mean_radius, double pressure, double inertia)
{
    return inertia * sqrt(pressure / m->density) / (2 * mean_radius);
}

/* To an isotropic stress, at rest; friction as given (negative: the material's). */
static inline sw_dem_stage dem_isotropic(double pressure, double max_rate, double friction)
{
    sw_dem_stage stage = sw_dem_stage_defaults();
    for (int c = 0; c < 3; c++) {
        stage.stress_driven[c] = 1;
        stage.stress[c] = pressure;
    }
    stage.max_rate = max_rate;
    stage.until = SW_DEM_UNTIL_EQUILIBRIUM;
    stage.goal = 0.01;
    stage.friction = friction;
    stage.max_steps = 1000000;
    return stage;
}

/* Axis 3 shortened at this rate to this strain, the others held at the pressure. */
static inline sw_dem_stage dem_drained(double pressure, double rate, double strain)
{
    sw_dem_stage stage = dem_isotropic(pressure, 10 * rate, -1);
    stage.stress_driven[2] = 0;
    stage.velocity_gradient[2][2] = -rate;
    stage.until = SW_DEM_UNTIL_STRAIN;
    stage.component = 2;
    stage.goal = strain;
    stage.zero_strain = 1;
    return stage;
}

/* ---- Runs ---- */

/* A batch of one, as opened. */
static inline sw_dem *dem_open(const sw_dem_options *options, const sw_dem_packing *pack,
                               const sw_dem_material *material, const sw_dem_numerics *numerics,
                               int64_t n_stages, const sw_dem_stage *stage)
{
    const sw_dem_sample sample = {
        .packing = *pack, .material = *material, .numerics = *numerics, .n_stages = n_stages, .stage = stage};
    const sw_dem_options defaults = sw_dem_defaults();
    sw_dem *dem;
    CHECK_OK(sw_dem_open(options == NULL ? &defaults : options, 1, &sample, &dem));
    return dem;
}

/* All stages, to their ends; returns the element. */
static inline const sw_dem_rve *dem_finish(sw_dem *dem)
{
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    CHECK_OK(sw_dem_failure(dem, 0));
    const sw_dem_rve *rve = sw_dem_get(dem, 0);
    assert_int_equal(rve->state->status, SW_DEM_DONE);
    return rve;
}

/* n spheres of quartz's sizes (Lubbe et al. 2022, Table 2) that carry an isotropic pressure at rest: pressed
 * together from a lattice, on the CPU, whoever takes it then. The less friction, the denser. Its springs of
 * friction and moments begin anew. */
static inline sw_dem_packing dem_pack_dense(int64_t n, const sw_dem_material *material, double pressure,
                                            double friction, uint64_t seed)
{
    const double least = 5e-5, largest = 1.25e-4;
    const sw_dem_numerics numerics = sw_dem_numerics_defaults();
    const double rate = dem_rate(material, 0.5 * (least + largest), pressure, 0.1);
    const sw_dem_stage stage = dem_isotropic(pressure, rate, friction);
    sw_dem_packing loose = dem_pack_lattice(n, least, largest, 1.02, 0.1, seed), dense;
    sw_dem *dem = dem_open(NULL, &loose, material, &numerics, 1, &stage);
    dem_finish(dem);
    CHECK_OK(sw_dem_get_packing(dem, 0, &dense));
    sw_dem_packing_forget(&dense);
    memset(dense.velocity, 0, (size_t)n * sizeof *dense.velocity);
    memset(dense.spin, 0, (size_t)n * sizeof *dense.spin);
    sw_dem_close(dem);
    sw_dem_packing_free(&loose);
    return dense;
}

/* What the balance of energy lacks, J. */
static inline double dem_imbalance(const sw_dem_row *row)
{
    return row->boundary_work - row->kinetic_energy - row->elastic_energy - row->friction_work -
           row->rolling_work - row->damping_work - row->plastic_work;
}

/* What laws that pull ask for: on quartz's grains as strongly as 1e5 Pa presses. */
static inline void dem_make_sticky(sw_dem_material *m)
{
    m->adhesion = 5;
    m->bond_strength = 2e5;
    m->liquid_volume = 1e-15;
    m->liquid_tension = 5;
}

static inline double dem_mass(const sw_dem_material *m, double radius)
{
    return m->density * (4.0 / 3.0) * SW_PI * radius * radius * radius;
}

#endif
