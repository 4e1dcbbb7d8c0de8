/* Twins that turn crystals at the points of elements: each point's own polycrystal, when its substep is accepted. */
#include "tests/online/fem/meshes.h"
#include "tests/families.h"

#include "online/fem/backend/backend.h"
#include "online/response/step/crystals.h"

enum { N = 60, STEPS = 40 };
static const double MOST = -0.12;

static sw_material metal;

static int set_up(void **state)
{
    (void)state;
    metal = material_of(hexagonal_turning);
    return 0;
}

static void make(fem_body *b, int cells, const sw_fem_polycrystal *of)
{
    const int all[3] = {cells, cells, cells};
    fem_make(b, fem_grid(all, cells > 1 ? 0.1 : 0, NULL, NULL), SW_FEM_SOLID, 1,
             sw_fem_material_of_crystals(of));
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CPU);
    b->options.linear = SW_FEM_SOLVE_AUTO;
    b->options.tolerance = 1e-6;
}

static int turned_of(const sw_crystal *now, const sw_crystal *begun, int n)
{
    int turned = 0;
    for (int i = 0; i < n; i++) {
        double c[2];
        for (int k = 0; k < 2; k++)
            c[k] = (k ? begun : now)[i].euler[1];
        turned +=
            fabs(c[0] - c[1]) > 0.3; /* the lattice's own turn is some degrees, a twin's 86 of the c axis */
    }
    return turned;
}

/* All nodes prescribed, h[2] along z: the crystals of points 0 and 5 are those that sw_response_step turns. */
static void a_point_is_a_polycrystal(void **state)
{
    (void)state;
    static sw_crystal all[8 * N], alone[2][N], begun[8 * N];
    const sw_fem_polycrystal of = {
        .response = {.solver = "elastoplastic", .material = &metal}, .each = N, .seed = 3};
    const float s0 = (float)sw_material_slip_resistance(&metal);
    fem_body b;
    fem_run r;
    make(&b, 1, &of);
    b.problem.n_cases = 2;
    for (int64_t n = 0; n < b.N; n++)
        for (int i = 0; i < 3; i++) {
            fem_fix(&b, 0, n, i, i < 2 ? b.mesh->position[n * 3 + i] : 0);
            fem_fix(&b, 1, n, i, i < 2 ? 0 : b.mesh->position[n * 3 + i]);
        }
    fem_open(&b, &r);
    CHECK_OK(sw_fem_read_crystals(r.fem, 0, begun, NULL));
    for (int i = 1; i <= STEPS; i++) {
        const double f = MOST * i / STEPS;
        CHECK_OK(sw_fem_advance(r.fem, (double[]){1 / sqrt(1 + f) - 1, f}, &r.increment, &r.report));
    }
    CHECK_OK(sw_fem_read_crystals(r.fem, 0, all, NULL));
    for (int k = 0; k < 2; k++) {
        const int64_t first = k ? 5 * N : 0;
        sw_response *response;
        sw_response_average average;
        sw_crystals c;
        int apart = 0;
        CHECK_OK(sw_response_open(&of.response, &response));
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, alone[k], 3, first, s0));
        CHECK_OK(sw_crystals_of(response, N, alone[k], NULL, &c));
        for (int i = 0; i < STEPS; i++) {
            const double rate = log((1 + MOST * (i + 1) / STEPS) / (1 + MOST * i / STEPS));
            const double l[3][3] = {{-rate / 2, 0, 0}, {0, -rate / 2, 0}, {0, 0, rate}};
            CHECK_OK(sw_response_step(response, l, 1, &c, &c, &average));
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < 3; j++)
                apart += !(fabsf(all[first + i].euler[j] - alone[k][i].euler[j]) < 1e-3F);
        print_message("point %d: %d of %d turned\n", k ? 5 : 0, turned_of(alone[k], begun + first, N), N);
        assert_in_range(turned_of(alone[k], begun + first, N), 3, N / 2);
        assert_int_equal(turned_of(all + first, begun + first, N), turned_of(alone[k], begun + first, N));
        assert_int_equal(apart, 0);
        sw_crystals_release(&c);
        sw_response_close(response);
    }
    fem_close(&r);
    fem_free(&b);
}

/* A distorted body pressed with free sides, by both solvers; increments that are cut count too. */
static void restarts_give_the_same_bits(void **state)
{
    (void)state;
    enum { LOADS = 6, EACH = 12 };
    for (int elastic = 0; elastic < 2; elastic++) {
        const sw_fem_polycrystal of = {
            .response = {.solver = elastic ? "elastoplastic" : "rigid_plastic", .material = &metal},
            .each = EACH,
            .seed = 3};
        sw_crystal begun[8 * EACH], end[2][8 * EACH];
        fem_body b;
        fem_run whole, part;
        double next = 1;
        make(&b, 2, &of);
        b.options.tolerance = elastic ? 1e-5 : 1e-3;
        fem_fix_set(&b, 0, "x_min", 0, 0);
        fem_fix_set(&b, 0, "y_min", 1, 0);
        fem_fix_set(&b, 0, "z_min", 2, 0);
        fem_fix_set(&b, 0, "z_max", 2, -0.02);
        sw_fem_state saved = fem_new_state(&b);
        fem_open(&b, &whole);
        CHECK_OK(sw_fem_read_crystals(whole.fem, 3, begun, NULL));
        CHECK_OK(sw_fem_set_duration(whole.fem, 20));
        for (int i = 1; i <= LOADS; i++) {
            fem_load(&b, &whole, i);
            if (i == LOADS / 2) {
                CHECK_OK(sw_fem_save(whole.fem, &saved));
                next = whole.increment;
            }
        }
        fem_open(&b, &part);
        CHECK_OK(sw_fem_set_duration(part.fem, 20));
        CHECK_OK(sw_fem_restore(part.fem, &saved));
        part.increment = next;
        for (int i = LOADS / 2 + 1; i <= LOADS; i++)
            fem_load(&b, &part, i);
        CHECK_OK(sw_fem_read_crystals(whole.fem, 3, end[0], NULL));
        CHECK_OK(sw_fem_read_crystals(part.fem, 3, end[1], NULL));
        print_message("%s: %d of %d turned\n", of.response.solver, turned_of(end[0], begun, 8 * EACH),
                      8 * EACH);
        assert_true(turned_of(end[0], begun, 8 * EACH) > 0);
        assert_memory_equal(end[0], end[1], sizeof end[0]);
        assert_memory_equal(part.u, whole.u, (size_t)(b.N * b.c) * sizeof *whole.u);
        assert_memory_equal(part.force, whole.force, (size_t)(b.N * b.c) * sizeof *whole.force);
        fem_close(&whole);
        fem_close(&part);
        fem_free_state(&saved);
        fem_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_a_polycrystal),
        cmocka_unit_test(restarts_give_the_same_bits),
    };
    return cmocka_run_group_tests_name("twins at points of elements", tests, set_up, NULL);
}
