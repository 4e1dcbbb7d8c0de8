/* The parts of stored/stress.h against the element's own way, on either device. */
#ifndef SW_TESTS_ONLINE_FEM_STORED_TEST_STRESS_H
#define SW_TESTS_ONLINE_FEM_STORED_TEST_STRESS_H

#include "tests/online/fem/operators/test_operators.h"

#include "online/fem/element/measure.h"
#include "online/fem/stored/stress.h"

static const sw_fem_material stress_materials[2] = {
    {.young = 2, .poisson = 0.3, .yield_stress = 0.5, .hardening = SW_FEM_LINEAR, .parameter = {0.4}},
    {.young = 3,
     .poisson = 0.25,
     .yield_stress = 0.7,
     .hardening = SW_FEM_VOCE,
     .parameter = {0.1, 0.9, 20}}};

/* Some plastic strain in every point, without volume: [E][8]. */
static inline sw_fem_point *random_points(int64_t n, uint64_t seed)
{
    sw_fem_point *point = zeros(n, sizeof *point);
    for (int64_t i = 0; i < n; i++) {
        for (int j = 0; j < 6; j++)
            point[i].strain[j] = 0.05 * number(&seed);
        point[i].strain[2] = -point[i].strain[0] - point[i].strain[1];
        point[i].equivalent = 0.1 * (number(&seed) + 1);
    }
    return point;
}

/* Forces by one pass an element, and how many points yield. */
static inline int64_t forces_in_one(const body *b, sw_fem_point *point, const double *u, double *force)
{
    const sw_fem_states states = {(double *)point, NULL, 1, SW_FEM_POINT_SIZE, 8 * SW_FEM_POINT_SIZE};
    int64_t yielding = 0;
    for (int64_t e = 0; e < b->mesh.n_elements; e++)
        yielding += sw_fem_small_strain.points[SW_FEM_SOLID](&b->view, stress_materials, &states, e, u, force,
                                                             0, -1, NULL);
    return yielding;
}

/* Forces [3 N] of the parts, whose device's view and displacement these are; force is the device's. */
static inline void run_parts(const sw_fem_stress_functions *parts, const sw_fem_view *view,
                             const sw_fem_point *point, const double *u, double *force)
{
    void *work = NULL;
    CHECK_OK(parts->open(view, 2, stress_materials, point, &work));
    for (int part = 0; part < SW_FEM_STRESS_PARTS; part++)
        CHECK_OK(parts->run(work, (sw_fem_stress_part)part, u, force));
    parts->close(work);
}

/* A distorted body of two materials, two fifths of whose points yield. Forces are sums of eight elements' and eight
 * points' terms, none much larger than the largest force, in any order; a stress is some fifty roundings of 1e-16:
 * below the 1e-12 of check_product. */
static inline void make_stressed(body *b, double **u, sw_fem_point **point, double **expected)
{
    make_body(b, SW_FEM_SOLID, 0, 2, 0, (const int[3]){7, 6, 5});
    *u = random_vector(b, 21);
    for (int64_t i = 0; i < b->fem.n_unknowns; i++)
        (*u)[i] *= 0.2;
    *point = random_points(8 * b->mesh.n_elements, 5);
    *expected = zeros(b->fem.n_unknowns, sizeof **expected);
    const double part = (double)forces_in_one(b, *point, *u, *expected) / (8.0 * (double)b->mesh.n_elements);
    assert_true(part > 0.2 && part < 0.8);
}

#endif
