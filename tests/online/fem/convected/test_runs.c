/* Whole runs by the rate law against closed forms, what friction does, and what is refused. */
#include "billets.h"

enum { MOST_STEPS = 400 };
typedef struct {
    const sw_fem_convected *billet;
    int n;
    double force[MOST_STEPS + 1], height[MOST_STEPS + 1];
    double spread; /* of stress over the points, over the yield stress */
    double iterations;
} recorded;

static sw_status record(void *context, const sw_fem_convected_row *row, const sw_fem_convected_state *body)
{
    recorded *r = context;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < 4 * body->n_elements; i++) {
        low = fmin(low, body->point[i].stress[SW_FEM_ZZ]);
        high = greatest(high, body->point[i].stress[SW_FEM_ZZ]);
    }
    r->spread = greatest(r->spread, (high - low) / steel.yield_stress);
    r->iterations += (double)row->iterations;
    r->n = (int)row->step;
    r->force[r->n] = row->force;
    r->height[r->n] = 1 - row->stroke / r->billet->height;
    return SW_OK;
}

/* 10 x 10, to 60 %. Gradients are those of a step's start: with steps of 0.6 / n of the height a step's axial strain is
 * off by (0.6 / n)^2 / 2 h^2, so that p is off by 0.45 / n at the end, ln r by -0.34 / n, and the force by -0.81 / n.
 * Two runs, of n and n / 2, leave terms of 1 / n^2, some 2 of them. */
static void test_frictionless_is_closed_form(void **state)
{
    (void)state;
    const sw_fem_convected billet = billet_of(10, 10, 0, 0.6);
    recorded *r[2];
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        const sw_fem_convected_options options = fast_options(MOST_STEPS >> (1 - i));
        r[i] = zeros(1, sizeof **r);
        r[i]->billet = &billet;
        CHECK_OK(sw_fem_convected_run(&billet, &options, record, r[i]));
        assert_int_equal(r[i]->n, options.steps);
        CHECK_CLOSE(r[i]->spread, 0, 1e-6);
    }
    const double exact = force_at(&billet, 0.4, paper_at), fine = r[1]->force[MOST_STEPS],
                 coarse = r[0]->force[MOST_STEPS / 2];
    CHECK_CLOSE((fine / exact - 1) * MOST_STEPS, -0.81, 0.1);
    CHECK_CLOSE((2 * fine - coarse) / exact, 1, 4.0 / (MOST_STEPS / 2) / (MOST_STEPS / 2));
    for (int i = MOST_STEPS / 12; i <= MOST_STEPS; i++) {
        const double logarithmic = force_at(&billet, r[1]->height[i], logarithmic_at);
        CHECK_CLOSE(r[1]->force[i], force_at(&billet, r[1]->height[i], paper_at), 0.9 / MOST_STEPS * exact);
        worst = greatest(worst, fabs(r[1]->force[i] / logarithmic - 1));
    }
    print_message(
        "10 x 10, %d steps, 5 to 60 %%: off the law's own curve by %.1e, the logarithmic one by %.1e; %.1f "
        "iterations a step\n",
        MOST_STEPS, fabs(fine / exact - 1), worst, r[1]->iterations / MOST_STEPS);
    /* Flow by this law swells by 2 (1 + nu) kappa / E of dp: at p = 0.92 and kappa / E from 0.0035 to 0.0049 by 1.0 %.
     * The rest is less: J, (1 - 2 nu) kappa / E = 0.2 %, and what a little more p adds to kappa, 0.2 %. */
    CHECK_CLOSE(worst, 0, 1.4e-2);
    free(r[0]);
    free(r[1]);
}

/* A slender billet: with as-printed power what a section has grown in one step is felt in the next, by kappa / H > 1
 * times as much; homogeneous flow is lost. The nominal power keeps it. */
static void test_printed_power_loses_slender_billet(void **state)
{
    (void)state;
    sw_fem_convected billet = billet_of(2, 20, 0, 0.2);
    billet.radius = 0.0003;
    for (sw_fem_power power = SW_FEM_PRINTED; power < SW_FEM_POWERS; power++) {
        recorded *r = zeros(1, sizeof *r);
        sw_fem_convected_options options = fast_options(200);
        options.power = power;
        r->billet = &billet;
        CHECK_OK(sw_fem_convected_run(&billet, &options, record, r));
        print_message("slender, %s: stress is spread by %.1e\n",
                      power == SW_FEM_NOMINAL ? "nominal" : "as printed", r->spread);
        assert_true(power == SW_FEM_NOMINAL ? r->spread < 1e-6 : r->spread > 1e-2);
        free(r);
    }
}

static double last_force(double friction, sw_fem_kinematics kinematics, sw_fem_convected_row *row)
{
    sw_fem_convected billet = billet_of(8, 8, friction, 0.2);
    const sw_fem_convected_options options = fast_options(100);
    sw_fem_billet b;
    billet.kinematics = kinematics;
    CHECK_OK(sw_fem_billet_open(&billet, &options, &b));
    for (int i = 0; i < options.steps; i++)
        CHECK_OK(sw_fem_billet_step(&b, row));
    sw_fem_billet_close(&b);
    return row->force;
}

/* More friction, more force; a small one slips everywhere but on the axis. */
static void test_friction(void **state)
{
    (void)state;
    for (sw_fem_kinematics k = SW_FEM_PLANE_STRAIN; k <= SW_FEM_AXISYMMETRIC; k++) {
        sw_fem_convected_row row;
        const double none = last_force(0, k, &row), little = last_force(0.05, k, &row);
        assert_int_equal(row.slipping, 8);
        const double more = last_force(0.2, k, &row), most = last_force(INFINITY, k, &row);
        assert_int_equal(row.slipping, 0);
        assert_true(none < little && little < more && more < most);
        /* Less than Siebel's mean pressure, kappa (1 + 2 f r / 3 h), by far: 5 % of it is more than enough. */
        if (k == SW_FEM_AXISYMMETRIC)
            CHECK_CLOSE(little / none, 1 + 2 * 0.05 * 11.2 / (3 * 24), 0.05 * 0.016);
    }
}

/* A node of the side that was put beside the plate's edge, just below it, comes to the plate and stays. */
static void test_side_folds_over(void **state)
{
    (void)state;
    const sw_fem_convected billet = billet_of(6, 6, INFINITY, 0.02);
    const sw_fem_convected_options options = fast_options(20);
    sw_fem_convected_row row;
    sw_fem_billet b;
    CHECK_OK(sw_fem_billet_open(&billet, &options, &b));
    double *side = b.position + 2 * b.node[4 * (b.n_elements - 1) + 1];
    assert_true(side[0] == billet.radius && side[1] < b.plate);
    side[0] *= 1.1;
    side[1] = b.plate * (1 - 2e-4);
    for (int i = 0; i < options.steps; i++) {
        CHECK_OK(sw_fem_billet_step(&b, &row));
        CHECK_CLOSE(side[1], fmin(side[1], b.plate), 1e-12 * billet.height);
    }
    assert_int_equal(row.touching, 8);
    assert_true(side[1] == b.plate);
    sw_fem_billet_close(&b);
}

static sw_status stop_at_third(void *context, const sw_fem_convected_row *row,
                               const sw_fem_convected_state *body)
{
    (void)body;
    *(int64_t *)context = row->step;
    return row->step == 3 ? sw_error(SW_ERR_INTERRUPTED, "enough") : SW_OK;
}

static void test_hook_ends_run(void **state)
{
    (void)state;
    const sw_fem_convected billet = billet_of(2, 2, 0, 0.1);
    const sw_fem_convected_options options = fast_options(50);
    int64_t step = 0;
    assert_int_equal(sw_fem_convected_run(&billet, &options, stop_at_third, &step), SW_ERR_INTERRUPTED);
    assert_int_equal(step, 3);
}

static void test_bad_input_is_named(void **state)
{
    (void)state;
    const sw_fem_convected good = billet_of(2, 2, 0, 0.1);
    const sw_fem_convected_options usual = fast_options(10);
    sw_fem_convected p[6] = {good, good, good, good, good, good};
    sw_fem_convected_options o[4] = {usual, usual, usual, usual};
    const char *const of_problem[] = {"kinematics", "radius", "cells", "friction", "reduction", "young"};
    const char *const of_options[] = {"steps", "tolerance", "bytes", "direct"};
    p[0].kinematics = SW_FEM_SOLID;
    p[1].radius = -1;
    p[2].cells[1] = 0;
    p[3].friction = NAN;
    p[4].reduction = 1;
    p[5].material.young = 0;
    o[0].steps = 0;
    o[1].linear_tolerance = 0;
    o[2].bytes = -1;
    o[3].device = SW_FEM_DEVICE_CUDA;
    o[3].method = SW_FEM_DIRECT;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sw_fem_convected_run(&p[i], &usual, NULL, NULL), SW_ERR_RANGE);
        assert_message_has(of_problem[i]);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sw_fem_convected_run(&good, &o[i], NULL, NULL), SW_ERR_RANGE);
        assert_message_has(of_options[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frictionless_is_closed_form),
        cmocka_unit_test(test_printed_power_loses_slender_billet),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_side_folds_over),
        cmocka_unit_test(test_hook_ends_run),
        cmocka_unit_test(test_bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
