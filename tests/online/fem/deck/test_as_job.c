/* Decks written as jobs, which our own reader takes. */
#include "decks.h"

#include <string.h>

#include "online/fem/deck/problem/as_job.h"
#include "online/fem/job/job.h"

#define PLASTIC "*PLASTIC\n100., 0.\n200., .1\n"

static sw_status write_job(const char *text, int dialect)
{
    sw_deck *deck;
    const sw_structure_problem *problem;
    CHECK_OK(try_deck(text, dialect, &deck, &problem));
    const sw_status status = sw_deck_write_job(deck, "written");
    sw_deck_free(deck);
    return status;
}

static void a_job_says_what_the_deck_says(void **state)
{
    (void)state;
    CHECK_OK(
        write_job(CUBE STEEL PLASTIC
                  "*DENSITY\n2.\n" SECTION HELD
                  "*STEP, NLGEOM\n*STATIC\n.25, 2.\n*BOUNDARY\n5, 3, 3, .5\n*DLOAD\nE, P3, 3.\n*END STEP\n"
                  "*STEP\n*STATIC\n*BOUNDARY\n5, 3, 3, .75\n*DLOAD\nE, GRAV, 1e12, 0, 0, -1.\n*CLOAD\n"
                  "7, 1, 4.\n*END STEP\n",
                  SW_DECK_ABAQUS));
    sw_fem_job *job;
    CHECK_OK(sw_fem_job_read(&(sw_arguments){.file = "written.yaml"}, &job));
    assert_int_equal(job->mesh->n_nodes, 8);
    assert_int_equal(job->problem.strain, SW_FEM_FINITE);
    assert_int_equal(job->problem.b_bar, 1);
    assert_int_equal(job->materials_count, 1);
    CHECK_CLOSE(job->materials[0].is.poisson, 0.3, 1e-15);
    assert_int_equal(job->steps_count, 2);
    assert_int_equal(job->steps[0].increments, 8);
    CHECK_CLOSE(job->steps[0].time, 2, 0);
    assert_int_equal(job->boundary_count, 4); /* x, y, z held, z moved */
    for (int i = 0; i < 4; i++)
        if (job->boundary[i].factors_count > 0)
            CHECK_CLOSE(job->boundary[i].value[2] * job->boundary[i].factors[1], 0.75, 1e-15);
    assert_int_equal(job->loads_count, 3);
    CHECK_CLOSE(job->loads[0].number * job->loads[0].factors[1], 3, 1e-15); /* it lives on */
    CHECK_CLOSE(job->loads[1].vector[2] * job->loads[1].factors[1], -2e12, 1e-3);
    CHECK_CLOSE(job->loads[1].factors[0], 0, 0);
    CHECK_CLOSE(job->loads[2].vector[0] * job->loads[2].factors[1], 4, 1e-15);
    sw_fem_job_free(job);
    unlink("written.yaml");
    unlink("written.mesh.inp");
}

static void hear(void *told, sw_notice notice, const char *text)
{
    (void)notice;
    snprintf(told, 400, "%s", text);
}

/* The job's mean dilatation at finite strain, and of CPE4, is another than Abaqus'; CalculiX' C3D8 and CPE4 have none. */
static void what_a_job_says_otherwise_is_told(void **state)
{
    (void)state;
    static const char finite[] = BODY "*STEP, NLGEOM\n*STATIC\n*BOUNDARY\n5, 3, 3, .5\n*END STEP\n";
    static const char plane[] =
        CUBE_NODES "*ELEMENT, TYPE=CPE4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL SECTION STATIC("");
    for (int k = 0; k < 2; k++) {
        char told[400] = "";
        sw_listen(hear, told);
        CHECK_OK(write_job(plane, k));
        sw_listen(NULL, NULL);
        assert_int_equal(strstr(told, "CPE4 over the two of the plane") != NULL, k == SW_DECK_ABAQUS);
        unlink("written.yaml");
        unlink("written.mesh.inp");
    }
    for (int k = 0; k < 3; k++) {
        char told[400] = "";
        sw_listen(hear, told);
        CHECK_OK(write_job(k == 2 ? BODY STATIC("") : finite, k == 1 ? SW_DECK_CALCULIX : SW_DECK_ABAQUS));
        sw_listen(NULL, NULL);
        assert_int_equal(strstr(told, "C3D8 with NLGEOM have differed by up to 3.5 %") != NULL, k == 0);
        assert_int_equal(strstr(told, "deck.inp:12: the job's elasticity is of logarithmic strain") != NULL,
                         k == 1);
        unlink("written.yaml");
        unlink("written.mesh.inp");
    }
}

static void what_a_job_cannot_say_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {CUBE STEEL SECTION HELD "*NODE\n9, 2.\n*EQUATION\n2\n8, 1, 1., 7, 1, -1.\n" STATIC(""),
         "deck.inp:24: a job cannot say equations, ties and local axes"},
        {CUBE STEEL SECTION
         "*NSET, NSET=ONE\n8\n*TRANSFORM, NSET=ONE\n.8, .6, 0, -.6, .8, 0\n" STATIC("*BOUNDARY\n8, 1\n"),
         "deck.inp:18: a job cannot say equations, ties and local axes"},
        {CUBE STEEL SECTION HELD "*SURFACE, NAME=UP\n1, S2\n*SURFACE, NAME=LOW\n1, S1\n*SURFACE INTERACTION, "
                                 "NAME=I\n*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nUP, "
                                 "LOW\n" STATIC(""),
         ": a job cannot say surfaces that touch"},
        {BODY "*STEP, AMPLITUDE=STEP\n*STATIC\n*END STEP\n", "deck.inp:21: a job cannot say AMPLITUDE=STEP"},
        {CUBE_NODES
         "*ELEMENT, TYPE=CPS4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL
         "*SOLID SECTION, ELSET=E, MATERIAL=STEEL, NODAL THICKNESS\n1.\n*NODAL THICKNESS\n2, 3.\n" STATIC(""),
         "deck.inp:11: a job cannot say bodies of different thickness"},
        {CUBE STEEL "*PLASTIC, HARDENING=KINEMATIC\n100., 0.\n200., .1\n" SECTION HELD STATIC(""),
         "deck.inp:12: a job cannot say the hardening of material STEEL"},
        {CUBE STEEL "*PLASTIC\n100., 0.\n*RATE DEPENDENT\n40., 5.\n" SECTION HELD STATIC(""),
         "deck.inp:12: a job cannot say the hardening of material STEEL"},
        {CUBE STEEL "*PLASTIC\n100., 0.\n*POTENTIAL\n1., 1., .9\n" SECTION HELD STATIC(""),
         "deck.inp:12: a job cannot say material STEEL"},
        {BODY STATIC("") STATIC("*BOUNDARY\n5, 3\n"), "deck.inp:27: a job cannot say supports that begin"},
        {"*AMPLITUDE, NAME=A\n0., 0., 1., 1.\n" BODY STATIC("*CLOAD, AMPLITUDE=A\n5, 3, 1.\n"),
         "deck.inp:26: a job cannot say amplitudes"},
        {CUBE_NODES "*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 5\n" STEEL SECTION STATIC(""),
         "deck.inp:11: a job cannot say elements of type C3D4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(write_job(cases[i].text, SW_DECK_CALCULIX), SW_ERR_INPUT);
        if (strstr(sw_error_message(), cases[i].says) == NULL)
            fail_msg("case %zu: wanted '%s', got %s", i, cases[i].says, sw_error_message());
        assert_int_equal(access("written.yaml", F_OK), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_says_what_the_deck_says),
        cmocka_unit_test(what_a_job_says_otherwise_is_told),
        cmocka_unit_test(what_a_job_cannot_say_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
