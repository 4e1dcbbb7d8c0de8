/* Self-consistent polycrystals: their limits, the order of schemes, bits however many threads and points there are, tangents, families,
 * ellipsoids, what is refused. Against a scheme written anew: tests/python/test_self_consistent.py. */
#include "tests/online/response/homogenization/polycrystals.h"

#include "online/response/homogenization/self_consistent/point.h"

#include <omp.h>

/* A polycrystal of `n` random crystals, some resisting more and some weighing more, after `steps` of `strain` along l. */
enum { MOST = 400 };
typedef struct {
    sw_crystal crystal[MOST];
    double stress[3][3];
    sw_response_average end; /* of the last step */
} polycrystal;

static void run_steps(const sw_material *m, const char *homogenization, sw_self_consistent scheme, int n,
                      const double l[3][3], int steps, double strain, polycrystal *p)
{
    sw_response *response = open_scheme(m, homogenization, scheme);
    float weight[MOST];
    sw_response_average average;
    double size = 0;
    CHECK_OK(sw_crystals_randomise(SW_CPU, n, p->crystal, 4, 0, 16e6F));
    for (int k = 0; k < n; k++) {
        p->crystal[k].slip_resistance *= 1 + 0.1F * (float)(k % 3);
        weight[k] = 1 + (float)(k % 2);
    }
    for (int k = 0; k < 9; k++)
        size += l[k / 3][k % 3] * l[k / 3][k % 3];
    sw_crystals c = crystals_of(response, n, p->crystal, weight);
    for (int k = 0; k < steps; k++)
        CHECK_OK(sw_response_advance(response, l, strain / sqrt(size), &c, &c, &p->end));
    CHECK_OK(sw_response_evaluate_mean(response, l, &c, &average));
    memcpy(p->stress, average.cauchy_stress, sizeof p->stress);
    sw_crystals_release(&c);
    sw_response_close(response);
}

static double size_of(const double a[3][3])
{
    double square = 0;
    for (int k = 0; k < 9; k++)
        square += a[k / 3][k % 3] * a[k / 3][k % 3];
    return sqrt(square);
}

static double work_of(const double stress[3][3], const double l[3][3])
{
    double work = 0;
    for (int k = 0; k < 9; k++)
        work += stress[k / 3][k % 3] * l[k / 3][k % 3];
    return work;
}

static void check_stress(const polycrystal *a, const polycrystal *b, double bound)
{
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(a->stress[k / 3][k % 3], b->stress[k / 3][k % 3], bound * size_of(b->stress));
}

/* ---- Limits ---- */

/* What crystals and medium hardly feel of each other is Sachs', and what they cannot but follow Taylor's: with neff = 1e-6 or 1e6 they are off by
 * 2.7e-5 of the stress. `sachs` divides steps where crystals slip much, so these are short for it; the softest turn most apart. */
static void check_limit(double neff, const char *other, double sensitivity, const double l[3][3],
                        double strain, double of_turn)
{
    static polycrystal a, b;
    const sw_material m = copper_of(sensitivity);
    const sw_self_consistent scheme = {
        .linearization = "neff", .neff = neff, .ellipsoids = "fixed", .tolerance = 1e-7};
    for (int steps = 0; steps < 4; steps += 3) {
        run_steps(&m, "self_consistent", scheme, 60, l, steps, strain, &a);
        run_steps(&m, other, (sw_self_consistent){0}, 60, l, steps, strain, &b);
        check_stress(&a, &b, 6e-5);
        for (int n = 0; n < 60; n++)
            CHECK_CLOSE(angle_between(&a.crystal[n], &b.crystal[n]), 0, of_turn);
    }
}

static void taylor_is_a_limit(void **state)
{
    (void)state;
    check_limit(1e-6, "taylor", 0.2, mixed, 0.02, 6e-6);
    check_limit(1e-6, "taylor", 0.05, plane_strain, 0.02, 6e-6);
    check_limit(1e-6, "taylor", 0.012, mixed, 0.02, 6e-6);
}

static void sachs_is_a_limit(void **state)
{
    (void)state;
    check_limit(1e6, "sachs", 0.5, mixed, 1e-4, 8e-6);
    check_limit(1e6, "sachs", 0.2, mixed, 1e-4, 2.5e-5);
    check_limit(1e6, "sachs", 0.1, plane_strain, 1e-4, 1.5e-4);
}

/* m = 1: to rounding. */
static void linear_crystals_have_one_scheme(void **state)
{
    (void)state;
    static const char *const names[] = {"secant", "affine", "tangent", "neff", "second_order"};
    static polycrystal p[5];
    const sw_material m = copper_of(1);
    for (int k = 0; k < 5; k++) {
        run_steps(&m, "self_consistent", (sw_self_consistent){names[k], k == 3, NULL, 1e-9}, 60, mixed, 3,
                  0.02, &p[k]);
        check_stress(&p[k], &p[0], 1e-12);
        for (int n = 0; n < 60; n++)
            CHECK_CLOSE(angle_between(&p[k].crystal[n], &p[0].crystal[n]), 0, 1e-6); /* floats */
    }
}

/* Of one crystal alone all schemes are Taylor's, which is the crystal's own answer; that of `taylor` is in floats. */
static void a_crystal_alone_is_itself(void **state)
{
    (void)state;
    static const char *const names[] = {"secant", "affine", "tangent", "neff", "second_order"};
    static polycrystal p, taylor;
    const sw_material m = copper_of(0.05);
    run_steps(&m, "taylor", (sw_self_consistent){0}, 1, mixed, 0, 0, &taylor);
    for (int k = 0; k < 5; k++) {
        run_steps(&m, "self_consistent", (sw_self_consistent){.linearization = names[k], .tolerance = 1e-8},
                  1, mixed, 0, 0, &p);
        check_stress(&p, &taylor, 1e-6);
    }
}

/* The work of a stiffer interaction is larger: n = 20, neff 10. */
static void schemes_are_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {"tangent", "neff", "affine", "secant"};
    static polycrystal p;
    const sw_material m = copper_of(0.05);
    double before = 0;
    for (int k = 0; k < 6; k++) {
        const char *name = k == 0 ? "sachs" : k == 5 ? "taylor" : "self_consistent";
        const sw_self_consistent scheme = {k > 0 && k < 5 ? names[k - 1] : NULL, 0, NULL, 1e-6};
        run_steps(&m, name, scheme, 300, plane_strain, 0, 0, &p);
        const double work = work_of((const double(*)[3])p.stress, plane_strain);
        if (!(work > 1.0005 * before))
            fail_msg("%s %s: %g: need more than %g", name, scheme.linearization, work, before);
        before = work;
    }
}

/* ---- Bits ---- */

static const char *const shapes[] = {"phase", "grain", "fixed"};

/* Two steps of all points, by so many threads; state [ALL][K] and answers. */
static void run_points(const sw_material *m, const char *ellipsoids, int threads, int points,
                       sw_crystal *crystal, sw_crystals *c, results *r)
{
    sw_response *response = open_scheme(m, "self_consistent", (sw_self_consistent){.ellipsoids = ellipsoids});
    double l[P][3][3];
    loadings(l);
    omp_set_num_threads(threads);
    CHECK_OK(sw_crystals_randomise(SW_CPU, ALL, crystal, 6, 0, (float)m->slip.initial_slip_resistance));
    *c = crystals_of(response, ALL, crystal, NULL);
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < P; p += points) {
            sw_crystals part = sw_crystals_part(c, (int64_t)p * N, (int64_t)points * N);
            results one;
            CHECK_OK(step_points(response, points, (const double(*)[3][3])l[p], &part, &part, 0, &one));
            memcpy(r->stress[p], one.stress, (size_t)points * sizeof *one.stress);
            memcpy(r->slip_rate + p, one.slip_rate, (size_t)points * sizeof *one.slip_rate);
            memcpy(r->slip_resistance + p, one.slip_resistance, (size_t)points * sizeof *one.slip_resistance);
        }
    sw_response_close(response);
}

static void bits_do_not_hang_on_threads(void **state)
{
    (void)state;
    const int threads = omp_get_max_threads();
    const sw_material of[] = {copper(), material_of(hexagonal_18)};
    for (int i = 0; i < 6; i++) {
        static sw_crystal crystal[3][ALL];
        static results r[3];
        sw_crystals c[3];
        memset(r, 0, sizeof r);
        for (int k = 0; k < 3; k++) /* one thread, two, point by point */
            run_points(&of[i / 3], shapes[i % 3], 1 + (k == 1), k < 2 ? P : 1, crystal[k], &c[k], &r[k]);
        for (int k = 1; k < 3; k++) {
            assert_memory_equal(&r[k], &r[0], sizeof r[0]);
            assert_memory_equal(crystal[k], crystal[0], sizeof crystal[0]);
        }
        for (int k = 0; k < 3; k++)
            sw_crystals_release(&c[k]);
    }
    omp_set_num_threads(threads);
}

/* A polycrystal alone, by one thread and by two, of more crystals than a block has. */
static void large_polycrystals_have_the_same_bits(void **state)
{
    (void)state;
    enum { LARGE = 1100 };
    const int threads = omp_get_max_threads();
    const sw_material m = copper();
    for (int i = 0; i < 2; i++) {
        static sw_crystal crystal[2][LARGE];
        sw_response_average average[2];
        for (int k = 0; k < 2; k++) {
            sw_response *response = open_scheme(
                &m, "self_consistent", (sw_self_consistent){.ellipsoids = shapes[i], .tolerance = 1e-3});
            omp_set_num_threads(1 + k);
            CHECK_OK(sw_crystals_randomise(SW_CPU, LARGE, crystal[k], 6, 0, 16e6F));
            sw_crystals c = crystals_of(response, LARGE, crystal[k], NULL);
            CHECK_OK(sw_response_advance(response, mixed, 10, &c, &c, &average[k]));
            sw_crystals_release(&c);
            sw_response_close(response);
        }
        assert_memory_equal(&average[1], &average[0], sizeof average[0]);
        assert_memory_equal(crystal[1], crystal[0], sizeof crystal[0]);
    }
    omp_set_num_threads(threads);
}

/* ---- Tangents ---- */

/* Against central differences of 0.1 % of D: what interactions change by with D is left out, 7 % of the largest was seen. */
static void tangents_are_of_the_medium(void **state)
{
    (void)state;
    static const char *const names[] = {"affine", "secant", "second_order"};
    const sw_material m = copper_of(0.2);
    for (int i = 0; i < 3; i++) {
        sw_response *response = open_scheme(
            &m, "self_consistent", (sw_self_consistent){.linearization = names[i], .tolerance = 1e-9});
        static sw_crystal crystal[N];
        static results r;
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 6, 0, 16e6F));
        sw_crystals c = crystals_of(response, N, crystal, NULL);
        check_tangent(response, plane_strain, &c, 0.1, &r);
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

/* ---- Conditions of points ---- */

/* Free directions along 22 and 33, whose stress is to be none: the stress that is found then is that of the L that was found. */
static void points_meet_conditions(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const sw_material m = copper_of(i == 0 ? 0.05 : 0.012);
        sw_response *response = open_scheme(&m, "self_consistent", (sw_self_consistent){.tolerance = 1e-8});
        static sw_crystal crystal[N];
        const double l[1][3][3] = {{{1e-3, 0, 0}, {0, -0.5e-3, 0}, {0, 0, -0.5e-3}}};
        const sw_point_condition condition = {
            .free = 2,
            .along = {{{0, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}},
            .value = {0, 1e6}};
        double found[1][SW_FREE_DIRECTIONS], stress[1][6], again[1][6], of[1][3][3];
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 6, 0, 16e6F));
        sw_crystals c = crystals_of(response, N, crystal, NULL);
        sw_points points = {.points = 1,
                            .each = N,
                            .velocity_gradient = l,
                            .dt = 1e-6,
                            .from = &c,
                            .condition = &condition,
                            .found = found,
                            .stress = stress};
        CHECK_OK(sw_response_step_each(response, &points));
        CHECK_CLOSE(stress[0][1] - stress[0][2], 0, 1e-8 * 40e6); /* the scheme's tolerance */
        CHECK_CLOSE(2 * stress[0][5], 1e6, 1e-8 * 40e6);
        assert_true(stress[0][0] > 20e6 && fabs(found[0][0]) > 1e-6 && fabs(found[0][1]) > 1e-7);
        for (int k = 0; k < 9; k++)
            of[0][k / 3][k % 3] = l[0][k / 3][k % 3] + found[0][0] * condition.along[0][k / 3][k % 3] +
                                  found[0][1] * condition.along[1][k / 3][k % 3];
        points.velocity_gradient = (const double(*)[3][3])of;
        points.condition = NULL;
        points.found = NULL;
        points.stress = again;
        CHECK_OK(sw_response_step_each(response, &points));
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(again[0][k], stress[0][k], 8e-8 * 40e6); /* of two iterations that end at 1e-8 */
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

/* ---- Steps ---- */

/* n = 83: every step to a strain of 0.5 has an answer, of 200 crystals, by moduli and ellipsoids of each kind; it hardens, and is below
 * Taylor's. */
static void copper_converges_at_every_step(void **state)
{
    (void)state;
    static polycrystal p, taylor;
    const sw_material m = copper();
    run_steps(&m, "taylor", (sw_self_consistent){0}, 200, plane_strain, 36, 0.02, &taylor);
    run_steps(&m, "self_consistent", (sw_self_consistent){0}, 200, plane_strain, 36, 0.02, &p);
    assert_in_range(p.end.slip_resistance, 60e6, 148e6);
    assert_true(work_of((const double(*)[3])p.stress, plane_strain) <
                work_of((const double(*)[3])taylor.stress, plane_strain));
    run_steps(&m, "self_consistent", (sw_self_consistent){.linearization = "secant"}, 200, plane_strain, 36,
              0.02, &p);
    run_steps(&m, "self_consistent", (sw_self_consistent){.linearization = "neff"}, 200, plane_strain, 36,
              0.02, &p);
    run_steps(&m, "self_consistent", (sw_self_consistent){.linearization = "tangent"}, 200, plane_strain, 36,
              0.02, &p);
    run_steps(&m, "self_consistent", (sw_self_consistent){.ellipsoids = "grain"}, 60, plane_strain, 12, 0.06,
              &p);
}

/* What a step begins from is the stress of the one before, as much larger as the grain resists: of a step of a strain of 0.02 and of none,
 * to what floats hold. */
static void stresses_are_kept_as_grains_have_hardened(void **state)
{
    (void)state;
    enum { N = 60 };
    static sw_crystal crystal[2][N];
    static float kept[2][N][5];
    const sw_material m = copper_of(0.05);
    for (int k = 0; k < 2; k++) {
        sw_response *response = open_scheme(&m, "self_consistent", (sw_self_consistent){.tolerance = 1e-6});
        sw_response_average average;
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal[k], 4, 0, 16e6F));
        sw_crystals c = crystals_of(response, N, crystal[k], NULL);
        CHECK_OK(sw_response_advance(response, plane_strain, (k == 0 ? 1e-9 : 0.02) / size_of(plane_strain),
                                     &c, &c, &average));
        for (int n = 0; n < N; n++)
            memcpy(kept[k][n], c.state + n * c.layout->numbers, sizeof kept[k][n]);
        sw_crystals_release(&c);
        sw_response_close(response);
    }
    for (int n = 0; n < N; n++) {
        const double scale = crystal[1][n].slip_resistance / crystal[0][n].slip_resistance;
        assert_true(scale > 1.1);
        for (int i = 0; i < 5; i++)
            CHECK_CLOSE(kept[1][n][i], scale * kept[0][n][i], 3e-7 * 40e6 * scale);
    }
}

/* As many as there may be, by factors of M~ to where rates are a millionth of what grains solve. States are floats. */
static void as_many_digits_come_as_are_asked_for(void **state)
{
    (void)state;
    static polycrystal p, q;
    static const struct {
        const char *linearization;
        double neff, sensitivity;
    } cases[] = {{"secant", 0, 0.012}, {"affine", 0, 0.05},      {"tangent", 0, 0.012},
                 {"tangent", 0, 0.05}, {"neff", 10, 0.05},       {"neff", 1e-6, 0.05},
                 {"neff", 1e6, 0.05},  {"second_order", 0, 0.05}};
    sw_material m = copper();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_self_consistent scheme = {cases[i].linearization, cases[i].neff, "phase", 1e-11};
        m.slip.rate_sensitivity = cases[i].sensitivity;
        run_steps(&m, "self_consistent", scheme, 100, plane_strain, 4, 0.02, &p);
        scheme.tolerance = 1e-8;
        run_steps(&m, "self_consistent", scheme, 100, plane_strain, 4, 0.02, &q);
        check_stress(&p, &q, 1e-7);
    }
}

/* The twelve systems of copper in one family, with the one hardening law: the same as without families. */
static void one_family_is_none(void **state)
{
    (void)state;
    static polycrystal a, b;
    const sw_material alone = material_of(copper_alone), family = material_of(copper_scaled);
    run_steps(&alone, "self_consistent", (sw_self_consistent){.tolerance = 1e-7}, 60, mixed, 5, 0.02, &a);
    run_steps(&family, "self_consistent", (sw_self_consistent){.tolerance = 1e-7}, 60, mixed, 5, 0.02, &b);
    check_stress(&a, &b, 1e-6); /* floats times n = 50 */
    for (int n = 0; n < 60; n++)
        CHECK_CLOSE(angle_between(&a.crystal[n], &b.crystal[n]), 0, 1e-6);
}

/* ---- Refusals ---- */

static void refuse(const sw_response_options *options, sw_status status, const char *message)
{
    sw_response *response;
    assert_int_equal(sw_response_open(options, &response), status);
    assert_message_has(message);
}

static void what_there_is_not_is_named(void **state)
{
    (void)state;
    const sw_material m = copper();
    sw_response_options o = {.solver = "rigid_plastic", .material = &m, .homogenization = "self_consistent"};
    o.self_consistent.linearization = "third_order";
    refuse(&o, SW_ERR_RANGE, "self_consistent.linearization = third_order: there is none such");
    o.self_consistent = (sw_self_consistent){.linearization = "second_order", .ellipsoids = "grain"};
    refuse(&o, SW_ERR_RANGE,
           "self_consistent.ellipsoids = grain has no place beside linearization = second_order");
    o.self_consistent = (sw_self_consistent){.linearization = "second_order", .neff = 3};
    refuse(&o, SW_ERR_RANGE, "self_consistent.neff = 3 has no place beside linearization = second_order");
    o.self_consistent = (sw_self_consistent){.ellipsoids = "all"};
    refuse(&o, SW_ERR_RANGE, "self_consistent.ellipsoids = all: there is none such");
    o.self_consistent = (sw_self_consistent){.neff = 1e7};
    refuse(&o, SW_ERR_RANGE, "self_consistent.neff = 1e+07: need 1e-06 to 1e+06");
    o.self_consistent = (sw_self_consistent){.neff = 10};
    refuse(&o, SW_ERR_RANGE, "self_consistent.neff = 10 has no place beside linearization = affine");
    o.self_consistent = (sw_self_consistent){.neff = NAN};
    refuse(&o, SW_ERR_RANGE, "self_consistent.neff = nan");
    o.self_consistent = (sw_self_consistent){.tolerance = 0.02};
    refuse(&o, SW_ERR_RANGE, "self_consistent.tolerance = 0.02: need 1e-11 to 0.01");
    o.self_consistent = (sw_self_consistent){.tolerance = -1};
    refuse(&o, SW_ERR_RANGE, "self_consistent.tolerance = -1: need");
    o.self_consistent = (sw_self_consistent){0};
    o.solver = "elastoplastic";
    refuse(&o, SW_ERR_UNAVAILABLE,
           "homogenization = self_consistent: solver = elastoplastic: need rigid_plastic");
    o.homogenization = "consistent";
    refuse(&o, SW_ERR_RANGE, "homogenization = consistent: need one of taylor sachs alamel self_consistent");
}

/* A crystal that is none leaves its point without an answer, others as they are; a polycrystal of it fails. */
static void crystals_without_an_answer_say_so(void **state)
{
    (void)state;
    const sw_material m = copper();
    const float bad[] = {-1, NAN, 0};
    for (int i = 0; i < 3; i++) {
        sw_response *response = open_under(&m, "self_consistent");
        static sw_crystal crystal[ALL];
        static results r;
        double l[P][3][3];
        sw_response_average average;
        loadings(l);
        CHECK_OK(sw_crystals_randomise(SW_CPU, ALL, crystal, 6, 0, 16e6F));
        sw_crystals c = crystals_of(response, ALL, crystal, NULL);
        crystal[N + 7].slip_resistance = bad[i];
        assert_int_equal(step_points(response, P, (const double(*)[3][3])l, &c, NULL, 0, &r),
                         SW_ERR_CONVERGENCE);
        for (int p = 0; p < P; p++)
            assert_true(isnan(r.stress[p][0]) == (p == 1));
        assert_int_not_equal(sw_response_evaluate_mean(response, mixed, &c, &average), SW_OK);
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

/* Grains that stay with the engine and all resist twice as much: twice the stress, from which the next step begins. So it is there after an
 * iteration or two; from the stress as it was after 17. */
static void stresses_that_stay_grow_with_what_resists(void **state)
{
    (void)state;
    enum { N = 60 };
    static sw_crystal crystal[N];
    const sw_material m = copper_of(0.05);
    sw_response *response = open_scheme(&m, "self_consistent", (sw_self_consistent){.tolerance = 1e-6});
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 4, 0, 16e6F));
    sw_crystals c = crystals_of(response, N, crystal, NULL);
    sw_sc_slip *slip;
    sw_sc_work *work;
    sw_sc_rules rules = sw_sc_standard_rules(SW_SC_AFFINE, 1, 20);
    sw_sc_medium medium = {.phases = 1};
    double stress[2];
    const double map[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    CHECK_OK(sw_sc_slip_of(&m, &slip));
    const sw_sc_phase phase = {.slip = slip, .grains = c};
    const sw_sc_directions directions =
        sw_sc_directions_for(sw_sc_shape_of(map, &medium.of[0].shape), rules.stress_tolerance);
    CHECK_OK(sw_sc_work_make(1, &phase, &rules, &work));
    for (int k = 0; k < 2; k++) {
        sw_sc_begin_point(plane_strain, NULL, &medium);
        medium.warm = k;
        sw_sc_solve(work, &phase, &rules, &directions, &medium, 1);
        assert_true(medium.converged);
        stress[k] = sw_sc_size(medium.s);
        for (int i = 0; i < N; i++)
            crystal[i].slip_resistance *= 2;
    }
    print_message("%d iterations\n", medium.outer);
    CHECK_CLOSE(stress[1], 2 * stress[0], 1e-4 * stress[1]);
    assert_in_range(medium.outer, 1, 2);
    sw_sc_work_free(work);
    free(slip);
    sw_crystals_release(&c);
    sw_response_close(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(taylor_is_a_limit),
                                       cmocka_unit_test(sachs_is_a_limit),
                                       cmocka_unit_test(linear_crystals_have_one_scheme),
                                       cmocka_unit_test(a_crystal_alone_is_itself),
                                       cmocka_unit_test(schemes_are_in_order),
                                       cmocka_unit_test(bits_do_not_hang_on_threads),
                                       cmocka_unit_test(large_polycrystals_have_the_same_bits),
                                       cmocka_unit_test(tangents_are_of_the_medium),
                                       cmocka_unit_test(points_meet_conditions),
                                       cmocka_unit_test(copper_converges_at_every_step),
                                       cmocka_unit_test(stresses_are_kept_as_grains_have_hardened),
                                       cmocka_unit_test(stresses_that_stay_grow_with_what_resists),
                                       cmocka_unit_test(as_many_digits_come_as_are_asked_for),
                                       cmocka_unit_test(one_family_is_none),
                                       cmocka_unit_test(what_there_is_not_is_named),
                                       cmocka_unit_test(crystals_without_an_answer_say_so)};
    return cmocka_run_group_tests_name("self-consistent polycrystals", tests, NULL, NULL);
}
