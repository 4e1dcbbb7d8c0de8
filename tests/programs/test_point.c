/* `slipwave point`: what it says of a point file, and what it refuses. */
#include "programs.h"

static void states_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *options, *part;
    } cases[] = {
        {"material: material.yaml\ncrystals: {count: 100}\n", "", "*DEPVAR\n904\n"}, /* 4 + 9 n */
        {"material: material.yaml\ncrystals: {count: 100}\n", " --count 7", "*DEPVAR\n67\n"},
        {"material: material.yaml\nsolver: rigid_plastic\ncrystals: {file: good.ori}\n", "", "*DEPVAR\n12\n"},
        {"database: copper.h5\nsolver: grid\ncrystals: {count: 3}\n", "", ": 3 crystals a point"},
        {"database: copper.h5\nsolver: grid\ncrystals: {count: 3}\n", "", "*DEPVAR\n16\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[128];
        result r;
        write_text("point.yaml", cases[i].text);
        snprintf(command, sizeof command, "slipwave point point.yaml%s", cases[i].options);
        run_well(command, &r);
        if (strstr(r.out, cases[i].part) == NULL)
            fail_msg("no '%s' in '%s'", cases[i].part, r.out);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *part;
    } cases[] = {
        {"material: material.yaml\ncrystals: {count: 0}\n", "point.yaml:2: crystals.count = 0", "need 1 <="},
        {"material: material.yaml\ncrystals: {count: 3}\nsolver: terms\n", "point.yaml:3: solver = terms",
         "need one of grid, rigid_plastic, elastoplastic"},
        {"material: material.yaml\ncrystals: {file: good.ori}\npoints: own\n", "point.yaml:3: points = own",
         "need random crystals"},
        {"material: material.yaml\ncrystals: {file: bad.ori}\n", "bad.ori:3", "x"},
        {"material: material.yaml\ncrystal: {count: 3}\n", "point.yaml:2: unknown key 'crystal'", "crystals"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        result r;
        write_text("point.yaml", cases[i].text);
        run("slipwave point point.yaml", &r);
        assert_int_equal(r.status, 1);
        if (strstr(r.err, cases[i].place) == NULL || strstr(r.err, cases[i].part) == NULL)
            fail_msg("no '%s' or '%s' in '%s'", cases[i].place, cases[i].part, r.err);
        assert_string_equal(r.out, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_counted),
                                       cmocka_unit_test(bad_files_are_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
