/* What results files of structures hold, against closed forms. */
#include "tests/online/fem/deck/decks.h"

#include <unistd.h>

#include "common/files/hdf5_io.h"
#include "common/files/text.h"

#define BLOCK                                                                         \
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n" \
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET,NSET=X1\n2,3,6,7\n*SOLID "  \
    "SECTION,ELSET=E,MATERIAL=M\n"                                                    \
    "*BOUNDARY\n1,1,3\n2,2,3\n3,3,3\n4,1,1\n4,3,3\n5,1,2\n8,1,1\n6,2,2\n"

static const char file[] = "test-results.h5", picture[] = "test-results-0001.vtkhdf";

/* A cube of a material, as BLOCK. */
#define PLASTIC(name, hardening) \
    "*MATERIAL,NAME=" name "\n*ELASTIC\n200000.,.3\n*PLASTIC" hardening "\n250.,0.\n450.,0.1\n"
#define STRAINED "*STEP\n*STATIC\n*BOUNDARY\nX1,1,1,0.01\n*END STEP\n"

/* The last fields of the .h5 file, or PointData of the picture: `n` numbers of a node, from 0. */
static void read_of(const char *path, const char *name, int64_t nodes, int n, int64_t node, double *value)
{
    hid_t opened;
    double all[64][6];
    CHECK_OK(sw_h5_open(path, 0, &opened));
    CHECK_OK(sw_h5_read(opened, name, H5T_NATIVE_DOUBLE, 2, (int64_t[]){nodes, n}, all));
    H5Fclose(opened);
    memcpy(value, (double *)all + node * n, (size_t)n * sizeof *value);
}

/* Runs a deck into `file`. */
static void run_deck(const char *text, sw_deck **deck)
{
    const sw_structure_problem *problem;
    *deck = read_deck(text, &problem);
    const sw_structure_options options = {.output = file, .quiet = 1};
    CHECK_OK(sw_structure_run(problem, &options));
}

/* Under a constant load a bar that creeps keeps its stress: 0.5 N on each of four nodes of 1 m2. */
static void stresses_of_what_creeps_are_those_of_the_solution(void **state)
{
    sw_deck *deck;
    double stress[6];
    (void)state;
    run_deck(BLOCK "*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n*CREEP,LAW=NORTON\n1e-4,3.,0.\n"
                   "*STEP\n*STATIC\n*CLOAD\nX1,1,.5\n*END STEP\n*STEP,INC=1000\n*VISCO\n1.,10.\n*END STEP\n",
             &deck);
    read_of(file, "fields/0002/stress", 8, 6, 6, stress);
    CHECK_CLOSE(stress[0], 2, 2e-6); /* forces are balanced to 1e-6 */
    for (int i = 1; i < 6; i++)
        CHECK_CLOSE(stress[i], 0, 2e-6);
    sw_deck_free(deck);
    char *series;
    CHECK_OK(sw_read_text("test-results.vtkhdf.series", &series));
    assert_non_null(strstr(series, "{\"name\": \"test-results-0001.vtkhdf\", \"time\": 1}"));
    assert_non_null(strstr(series, "{\"name\": \"test-results-0002.vtkhdf\", \"time\": 11}"));
    free(series);
}

/* Simple shear 12: its place is the last here, and the fourth in VTK's order. */
static void pictures_have_the_order_of_vtk(void **state)
{
    sw_deck *deck;
    double stress[6];
    (void)state;
    run_deck(
        "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8,"
        "ELSET=E\n"
        "1,1,2,3,4,5,6,7,8\n*NSET,NSET=LOW\n1,2,5,6\n*NSET,NSET=TOP\n3,4,7,8\n*MATERIAL,NAME=M\n*"
        "ELASTIC\n1000.,.25\n"
        "*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*STATIC\n*BOUNDARY\nLOW,1,3\nTOP,1,1,0.01\nTOP,2,3\n*END "
        "STEP\n",
        &deck);
    const double shear = 1000 / 2.5 * 0.01;
    read_of(file, "fields/0001/stress", 8, 6, 2, stress);
    CHECK_CLOSE(stress[5], shear, 1e-12);
    CHECK_CLOSE(stress[3], 0, 1e-12);
    read_of(picture, "VTKHDF/PointData/stress", 8, 6, 2, stress);
    CHECK_CLOSE(stress[3], shear, 1e-12);
    CHECK_CLOSE(stress[5], 0, 1e-12);
    sw_deck_free(deck);
}

/* Node 9 pulls the face x = 1 by equations, and holds what it takes: stretch 0.01 of E = 1000. */
static void what_is_prescribed_holds_what_follows(void **state)
{
    sw_deck *deck;
    double force[3];
    (void)state;
    run_deck(BLOCK "*NODE\n9,2,0,0\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n*EQUATION\n2\nX1,1,1.,9,1,-1.\n"
                   "*STEP\n*STATIC\n*BOUNDARY\n9,1,1,0.01\n*END STEP\n",
             &deck);
    read_of(file, "fields/0001/reaction", 9, 3, 8, force);
    CHECK_CLOSE(force[0], 10, 1e-11);
    sw_deck_free(deck);
}

/* A hexahedron that is a wedge carries what pulls its edge. */
static void collapsed_elements_count_a_node_as_often_as_they_have_it(void **state)
{
    sw_deck *deck;
    double force[3], sum = 0;
    (void)state;
    run_deck("*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,"
             "3,4,5,5,8,8\n"
             "*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n*DENSITY\n4.\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
             "*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n4,1,3\n*STEP\n*STATIC\n*CLOAD\n5,3,1.\n8,3,2.\n*END STEP\n",
             &deck);
    for (int n = 0; n < 4; n++) {
        read_of(file, "fields/0001/reaction", 6, 3, n, force);
        sum += force[2];
    }
    CHECK_CLOSE(sum, -3, 1e-12);
    sw_deck_free(deck);
}

/* A run that ends with a message. */
static void fail_deck(const char *text, const char *says)
{
    const sw_structure_problem *problem;
    const sw_structure_options options = {.quiet = 1};
    sw_deck *deck = read_deck(text, &problem);
    assert_int_equal(sw_structure_run(problem, &options), SW_ERR_INPUT);
    assert_message_has(says);
    sw_deck_free(deck);
}

static void what_a_state_cannot_follow_is_refused(void **state)
{
    (void)state;
    fail_deck(BLOCK PLASTIC("M", "") PLASTIC("B", ",HARDENING=KINEMATIC") STRAINED
              "*STEP\n*STATIC\n*CHANGE SOLID SECTION,ELSET=E,MATERIAL=B\n*END STEP\n",
              "element 1: material M: it changes into one that hardens in another way");
    fail_deck(BLOCK "*MATERIAL,NAME=M\n*DEFORMATION PLASTICITY\n200000.,.3,250.,5.,.4\n"
                    "*STEP,NLGEOM\n*STATIC\n*BOUNDARY\nX1,1,1,0.01\n*END STEP\n"
                    "*STEP,NLGEOM\n*STATIC\n*MODEL CHANGE,TYPE=ELEMENT,MECHSTRAINTORESIDUAL\nE\n*END STEP\n",
              "not free of stress by a strain with NLGEOM");
    fail_deck("*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPS4,ELSET=E\n1,1,2,3,4\n"
              "*ORIENTATION,NAME=O\n1.,0.,0.,0.,0.8,0.6\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n"
              "*SOLID SECTION,ELSET=E,MATERIAL=M,ORIENTATION=O\n1.\n*BOUNDARY\n1,1,2\n2,2,2\n"
              "*STEP\n*STATIC\n*CLOAD\n3,2,5.\n*END STEP\n",
              "element 1 (CPS4) has a material whose axes leave the plane");
}

/* A bar under 100 of force on 1 of area, its points those of a rectangular section: two stations along, five by five across. Points
 * spread by the clamped end's contraction. */
static void nodes_of_beams_have_the_stress_of_their_points(void **state)
{
    sw_deck *deck;
    hid_t opened;
    int64_t shape[2];
    double stress[64][6], most = 0;
    (void)state;
    run_deck(
        "*NODE\n1,0,0,0\n2,5,0,0\n3,10,0,0\n*ELEMENT,TYPE=B32R,ELSET=E\n1,1,2,3\n*MATERIAL,NAME=A\n*ELASTIC\n"
        "200000.,.3\n*BEAM SECTION,ELSET=E,MATERIAL=A,SECTION=RECT\n1.,1.\n0,1,0\n*BOUNDARY\n1,1,6\n"
        "*STEP\n*STATIC\n*CLOAD\n3,1,100.\n*END STEP\n",
        &deck);
    CHECK_OK(sw_h5_open(file, 0, &opened));
    CHECK_OK(sw_h5_shape(opened, "fields/0001/stress", 2, shape));
    assert_true(shape[0] <= 64);
    CHECK_OK(sw_h5_read(opened, "fields/0001/stress", H5T_NATIVE_DOUBLE, 2, shape, stress));
    H5Fclose(opened);
    for (int64_t n = 0; n < shape[0]; n++)
        if (stress[n][0] != 0) {
            most = greatest(most, fabs(stress[n][0]));
            CHECK_CLOSE(stress[n][0], 100, 5);
        }
    assert_true(most > 0);
    sw_deck_free(deck);
}

/* A strip of a shell, pulled by 0.001 and bent by 0.2 about y: a node has the mean of the two that it became, E e = 200 each more or
 * less E z k = 2000, and is the one that they are said to be made of. */
static void nodes_of_shells_are_means_of_what_they_became(void **state)
{
    sw_deck *deck;
    hid_t opened;
    int64_t shape[2], label[64], of[64];
    double stress[64][6];
    (void)state;
    run_deck("*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n*ELEMENT,TYPE=S4,ELSET=E\n1,1,2,3,4\n*MATERIAL,NAME="
             "M\n*ELASTIC\n"
             "200000.,0.\n*SHELL "
             "SECTION,ELSET=E,MATERIAL=M\n.1\n*NSET,NSET=HI\n2,3\n*BOUNDARY\n1,1,6\n4,1,6\n*STEP\n*STATIC\n"
             "*BOUNDARY\nHI,1,1,0.001\nHI,2,3\nHI,5,5,0.2\n*END STEP\n",
             &deck);
    CHECK_OK(sw_h5_open(file, 0, &opened));
    CHECK_OK(sw_h5_shape(opened, "fields/0001/stress", 2, shape));
    assert_true(shape[0] <= 64);
    CHECK_OK(sw_h5_read(opened, "fields/0001/stress", H5T_NATIVE_DOUBLE, 2, shape, stress));
    CHECK_OK(sw_h5_read(opened, "nodes/label", H5T_NATIVE_INT64, 1, shape, label));
    CHECK_OK(sw_h5_read(opened, "nodes/made_of", H5T_NATIVE_INT64, 1, shape, of));
    H5Fclose(opened);
    for (int n = 0; n < 4; n++) {
        int sides = 0;
        CHECK_CLOSE(stress[n][0], 200, 1e-6 * 2000);
        assert_int_equal(label[n], n + 1);
        assert_int_equal(of[n], 0);
        for (int64_t k = 0; k < shape[0]; k++)
            if (of[k] == label[n]) {
                CHECK_CLOSE(fabs(stress[k][0] - 200), 2000, 1e-6 * 2000);
                sides++;
            }
        assert_int_equal(sides, 2);
    }
    sw_deck_free(deck);
}

/* A bar keeps its strains across beside what its law keeps. */
static void only_what_flows_has_plastic_strain(void **state)
{
    sw_deck *deck;
    hid_t opened;
    double plastic[2];
    (void)state;
    run_deck("*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=T3D2,ELSET=E\n1,1,2\n*MATERIAL,NAME=M\n"
             "*DEFORMATION PLASTICITY\n200000.,.3,250.,5.,.4\n*SOLID SECTION,ELSET=E,MATERIAL=M\n1.\n"
             "*BOUNDARY\n1,1,3\n2,2,3\n*STEP\n*STATIC\n*BOUNDARY\n2,1,1,0.01\n*END STEP\n",
             &deck);
    CHECK_OK(sw_h5_open(file, 0, &opened));
    CHECK_OK(sw_h5_read(opened, "fields/0001/plastic_strain", H5T_NATIVE_DOUBLE, 1, (int64_t[]){2}, plastic));
    H5Fclose(opened);
    assert_true(plastic[0] == 0 && plastic[1] == 0);
    sw_deck_free(deck);
}

/* Increments of 1/4: the second and last of three, the second and fourth of four. */
static void fields_are_counted_in_their_step(void **state)
{
    sw_deck *deck;
    hid_t opened;
    double time;
    const double want[4] = {0.5, 0.75, 1.25, 1.75};
    (void)state;
    run_deck(
        BLOCK PLASTIC(
            "M", "") "*STEP\n*STATIC,DIRECT\n.25,.75\n*BOUNDARY\nX1,1,1,0.01\n*NODE FILE,FREQUENCY=2\nU\n"
                     "*END STEP\n*STEP\n*STATIC,DIRECT\n.25,1.\n*BOUNDARY\nX1,1,1,0.02\n*END STEP\n",
        &deck);
    CHECK_OK(sw_h5_open(file, 0, &opened));
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "fields/%04d", k + 1);
        hid_t group = H5Gopen2(opened, name, H5P_DEFAULT);
        assert_true(group >= 0);
        CHECK_OK(sw_h5_read_numbers(group, "time", 1, &time));
        H5Gclose(group);
        CHECK_CLOSE(time, want[k], 1e-12);
    }
    assert_false(sw_h5_exists(opened, "fields/0005"));
    H5Fclose(opened);
    sw_deck_free(deck);
}

/* Where nothing moves any more there is nothing but round-off to measure constraints by. */
static void a_rigid_body_rests(void **state)
{
    sw_deck *deck;
    (void)state;
    run_deck(BLOCK
             "*NODE\n9,1.3,.7,.4\n10,1.3,.7,.4\n*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n"
             "*RIGID BODY,NSET=X1,REF NODE=9,ROT NODE=10\n*STEP,NLGEOM\n*STATIC\n*BOUNDARY\n5,1,3\n8,1,3\n"
             "*CLOAD\n9,2,1000.\n10,1,200.\n*END STEP\n*STEP\n*STATIC\n*END STEP\n*STEP\n*STATIC\n*END STEP\n"
             "*STEP\n*STATIC\n*END STEP\n*STEP\n*STATIC\n*END STEP\n",
             &deck);
    sw_deck_free(deck);
}

static int remove_results(void **state)
{
    (void)state;
    unlink(file);
    unlink("test-results.vtkhdf.series");
    for (int k = 1; k <= 5; k++) {
        char name[40];
        snprintf(name, sizeof name, "test-results-%04d.vtkhdf", k);
        unlink(name);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nodes_of_shells_are_means_of_what_they_became, remove_results),
        cmocka_unit_test_teardown(stresses_of_what_creeps_are_those_of_the_solution, remove_results),
        cmocka_unit_test_teardown(pictures_have_the_order_of_vtk, remove_results),
        cmocka_unit_test_teardown(what_is_prescribed_holds_what_follows, remove_results),
        cmocka_unit_test(what_a_state_cannot_follow_is_refused),
        cmocka_unit_test_teardown(nodes_of_beams_have_the_stress_of_their_points, remove_results),
        cmocka_unit_test_teardown(only_what_flows_has_plastic_strain, remove_results),
        cmocka_unit_test_teardown(fields_are_counted_in_their_step, remove_results),
        cmocka_unit_test_teardown(a_rigid_body_rests, remove_results),
        cmocka_unit_test_teardown(collapsed_elements_count_a_node_as_often_as_they_have_it, remove_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
