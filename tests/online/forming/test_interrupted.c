/* After a SIGTERM: what may take long ends before its end, with a status of its own. A process heeds it once and for all, so
 * all these tests are of one that was asked to stop. */
#include "tests/crystals.h"

#include <signal.h>

#include "common/system/progress.h"
#include "online/forming/functions/calibration.h"
#include "online/response/step/crystals.h"
#include "online/texture/crystal_draw.h"

static int ask_to_stop(void **state)
{
    (void)state;
    sw_interrupt_install();
    return raise(SIGTERM);
}

static void fits_of_yield_functions_end(void **state)
{
    (void)state;
    sw_sheet_tension tension[] = {{0, 1e8, 1}, {0.8, 1.1e8, 2}, {1.57, 1e8, 1}};
    const sw_sheet sheet = {.n_tensions = 3, .tension = tension, .biaxial_stress = 1e8, .biaxial_r = 1};
    const sw_yield y = sw_yield_isotropic(SW_YIELD_YLD2004_18P, 8, 1);
    sw_calibration fit;
    assert_int_equal(sw_calibrate(&y, &sheet, &(sw_calibration_weights){1, 1, 1, 1}, 10000, 1, &fit),
                     SW_ERR_INTERRUPTED);
    assert_null(fit.item);
}

static void resampling_ends(void **state)
{
    (void)state;
    double euler[1][3] = {{1, 1, 1}};
    const sw_crystal_list list = {.count = 1, .euler = euler};
    sw_crystal_list drawn;
    assert_int_equal(sw_crystals_resample(&list, 100, 0.1, 1, &drawn), SW_ERR_INTERRUPTED);
    sw_crystal_list_free(&drawn);
}

/* Of trials nothing is kept; of a step that is taken all is. */
static void trials_end_and_steps_do_not(void **state)
{
    (void)state;
    enum { N = 20 };
    static const double tension[1][3][3] = {{{1e-3, 0, 0}, {0, -5e-4, 0}, {0, 0, -5e-4}}};
    const sw_material material = copper();
    double stress[1][6], by_strain_rate[1][6][6];
    sw_crystal crystal[N];
    sw_response *response;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = &material},
                              &response));
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 3, 0, 16e6F));
    sw_crystals c = crystals_of(response, N, crystal, NULL), other;
    const sw_crystals same = c;
    CHECK_OK(sw_crystals_make(response, N, &other));
    sw_points points = {.points = 1,
                        .each = N,
                        .velocity_gradient = tension,
                        .dt = 1,
                        .from = &c,
                        .stress = stress,
                        .by_strain_rate = by_strain_rate};
    const sw_crystals *const tries[] = {NULL, &other}, *const in_place[] = {&c, &same};
    for (int k = 0; k < 2; k++) {
        points.to = tries[k];
        assert_int_equal(sw_response_step_each(response, &points), SW_ERR_INTERRUPTED);
        assert_message_has("interrupted");
        points.to = in_place[k];
        CHECK_OK(sw_response_step_each(response, &points));
    }
    sw_crystals_release(&c);
    sw_crystals_release(&other);
    sw_response_close(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_of_yield_functions_end),
        cmocka_unit_test(resampling_ends),
        cmocka_unit_test(trials_end_and_steps_do_not),
    };
    return cmocka_run_group_tests(tests, ask_to_stop, NULL);
}
