/* Outputs of a deck do not go over what it was read from. */
#include "decks.h"

#include <string.h>

#include "common/job/job.h"
#include "online/fem/commands.h"

#define INCLUDED "*NODE\n1\n2, 1\n3, 1, 1\n4, , 1\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"
#define REST "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n" STEEL SECTION HELD STATIC("")

static const char *const written[] = {"kept.mesh.inp", "kept.nodes.inp", "kept.h5", "kept-0001.vtkhdf",
                                      "kept.yaml"};

static sw_status run(const char *output, int as_job)
{
    const char *const option[][2] = {{"output", output}, {"quiet", ""}, {"as-job", ""}};
    const sw_arguments arguments = {"kept.mesh.inp", 2 + as_job, option};
    return sw_fem_run_deck(&arguments);
}

static void assert_holds(const char *path, const char *text)
{
    char is[1024] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    is[fread(is, 1, sizeof is - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(is, text);
}

static void what_was_read_is_not_written_over(void **state)
{
    (void)state;
    static const char text[] = "*INCLUDE, INPUT=kept.nodes.inp\n" REST;
    static const struct {
        const char *output;
        int as_job;
        const char *says;
    } cases[] = {{"kept.mesh.inp", 0, "kept.mesh.inp: would be written over by the output"},
                 {"./kept.mesh.inp", 0, "kept.mesh.inp: would be written over by the output"},
                 {"kept.nodes.inp", 0, "kept.nodes.inp: would be written over by the output"},
                 {"kept", 1, "kept.mesh.inp: would be written over by the output"},
                 {"kept.yaml", 1, "kept.mesh.inp: would be written over by the output"}};
    write_deck("kept.mesh.inp", text);
    write_deck("kept.nodes.inp", INCLUDED);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run(cases[i].output, cases[i].as_job), SW_ERR_INPUT);
        if (strstr(sw_error_message(), cases[i].says) == NULL)
            fail_msg("case %zu: %s", i, sw_error_message());
        assert_holds("kept.mesh.inp", text);
        assert_holds("kept.nodes.inp", INCLUDED);
        assert_int_equal(access("kept.yaml", F_OK), -1);
    }
    CHECK_OK(run("kept.h5", 0));
    CHECK_OK(run("kept.h5", 0)); /* an older result is */
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        unlink(written[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_read_is_not_written_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
