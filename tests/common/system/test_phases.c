/* Where time goes. */
#include "tests/test.h"

#include <unistd.h>

#include "common/system/phases.h"

/* 20 ms asleep are 20 ms at least, whatever else the machine does; each under its name, in the order of their first. */
static void each_phase_has_its_time(void **state)
{
    (void)state;
    char text[200];
    double mesh, files, all;
    sw_phases_clear();
    assert_string_equal(sw_phases_text(text, sizeof text), "all 0.000 s");
    sw_phase("mesh");
    usleep(20000);
    sw_phase("files");
    sw_phase("mesh");
    usleep(20000);
    sw_phase(NULL);
    usleep(20000);
    assert_int_equal(
        sscanf(sw_phases_text(text, sizeof text), "mesh %lf s, files %lf s, all %lf s", &mesh, &files, &all),
        3);
    assert_true(mesh >= 0.04 && files < mesh && all >= mesh);
    char little[8];
    assert_string_equal(sw_phases_text(little, 5), "mesh");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_phase_has_its_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
