/* Elements of Abaqus' input files that would carry load beside the solids: refused, unless only a mesher wrote them. */
#include "tests/test.h"

#include <unistd.h>

#include "online/fem/mesh/mesh.h"

/* A bar of two hexahedra. */
#define BAR                                                                           \
    "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n4, 0, 1, 0\n5, 1, 1, 0\n6, 2, 1, 0\n" \
    "7, 0, 0, 1\n8, 1, 0, 1\n9, 2, 0, 1\n10, 0, 1, 1\n11, 1, 1, 1\n12, 2, 1, 1\n"     \
    "*ELEMENT, TYPE=C3D8, ELSET=BULK\n1, 1, 2, 5, 4, 7, 8, 11, 10\n2, 2, 3, 6, 5, 8, 9, 12, 11\n"
#define SKIN(type) "*ELEMENT, TYPE=" type ", ELSET=Skin\n5, 7, 8, 11, 10\n6, 8, 9, 12, 11\n"
#define REBAR "*ELEMENT, TYPE=T3D2, ELSET=REBAR\n9, 1, 2\n"
#define BEAMS "*ELEMENT, TYPE=B31, ELSET=BEAMS\n12, 1,\n2\n13, 2, 3\n"
#define MATERIAL "*MATERIAL, NAME=A\n*ELASTIC\n210000, 0.3\n"
#define SECTION(kind, set) "*" kind " SECTION, ELSET=" set ", MATERIAL=A\n0.5\n"

static const char path[] = "sections.inp";

static sw_status read_ignoring(const char *text, int n, const char *const *ignored, sw_fem_mesh **mesh)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    const sw_status status = sw_fem_mesh_read_ignoring(path, n, ignored, mesh);
    unlink(path);
    return status;
}

static void test_what_carries_load_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {BAR SKIN("S4") MATERIAL SECTION("SOLID", "BULK") SECTION("SHELL", "SKIN"),
         "sections.inp:25: *SHELL SECTION: 2 elements of set Skin, the first of them 5 of type S4, would "
         "carry load "
         "beside the hex8, which is not supported; mesh.ignore: [Skin] leaves them out"},
        {BAR SKIN("S4R") SECTION("SHELL", "SKIN"), "the first of them 5 of type S4R, would"},
        {BAR SKIN("M3D4R") SECTION("MEMBRANE", "skin"),
         "*MEMBRANE SECTION: 2 elements of set Skin, the first of them 5 "
         "of type M3D4R"},
        {BAR REBAR SECTION("SOLID", "REBAR"),
         "*SOLID SECTION: 1 element of set REBAR, the first of them 9 of type T3D2"},
        /* By a set of its own, of both kinds, and within a part. */
        {BAR "*ELEMENT, TYPE=S4\n5, 7, 8, 11, 10\n*ELSET, ELSET=MIXED\n1, 5\n" SECTION("SHELL", "MIXED"),
         "1 element of set MIXED, the first of them 5 of type S4"},
        {"*PART, NAME=P\n" BAR SKIN("S4")
             SECTION("SHELL", "SKIN") "*END PART\n*ASSEMBLY, NAME=A\n"
                                      "*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n*END ASSEMBLY\n",
         "2 elements of set Skin"},
        {"*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n*ELEMENT, TYPE=CPS4, ELSET=PLATE\n1, 1, 2, 3, 4\n"
         "*ELEMENT, TYPE=T2D2, ELSET=EDGE\n2, 1, 2\n" SECTION("SOLID", "PLATE") SECTION("SOLID", "EDGE"),
         "1 element of set EDGE, the first of them 2 of type T2D2, would carry load beside the quad4"},
        /* Of whose elements nothing is said. */
        {BAR SKIN("S4") SECTION("SHELL", "NIX"),
         "sections.inp:20: *SHELL SECTION: no elements are in a set NIX"},
        {BAR SKIN("S4") "*SHELL SECTION, MATERIAL=A\n0.5\n", "sections.inp:20: *SHELL SECTION: need ELSET="},
        /* Of types and sections that are not read: what leaves them out is said. */
        {BAR BEAMS,
         "sections.inp:17: *ELEMENT: TYPE=B31, ELSET=BEAMS is not supported: need C3D8, or CPS4, CPE4, "
         "CAX4, DC2D4 in a plane; mesh.ignore: [BEAMS] leaves these out"},
        {BAR "*ELEMENT, TYPE=MASS\n12, 1\n", "*ELEMENT: TYPE=MASS is not supported: need C3D8, or CPS4, "
                                             "CPE4, CAX4, DC2D4 in a plane; with an ELSET, "
                                             "mesh.ignore can name it"},
        {BAR "*BEAM SECTION, ELSET=BEAMS, SECTION=RECT\n1, 1\n",
         "sections.inp:17: *BEAM SECTION gives elements a load to carry that are not supported; mesh.ignore: "
         "[BEAMS] leaves out elements of that set that are not the body's, [BEAM SECTION] skips the keyword"},
        {BAR "*SHELL GENERAL SECTION, ELSET=SKIN\n1\n", "*SHELL GENERAL SECTION gives elements a load"},
        {BAR "*BEAM SECTOIN, ELSET=BULK\n1\n", "unknown keyword *BEAM SECTOIN: did you mean *BEAM SECTION?; "
                                               "mesh.ignore: [BULK] leaves"},
        {BAR "*TIE\n1\n", "*TIE ties nodes to others, which is not supported; mesh.ignore: [TIE] skips it"},
        {"*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n*ELEMENT, TYPE=CPS3, ELSET=PLATE\n1, 1, 2, 3\n",
         "sections.inp:5: *ELEMENT: TYPE=CPS3, ELSET=PLATE is not supported"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_fem_mesh *mesh;
        const sw_status status = read_ignoring(cases[i].text, 0, NULL, &mesh);
        if (status != SW_ERR_INPUT || strstr(sw_error_message(), cases[i].says) == NULL || mesh != NULL)
            fail_msg("%zu: status %d, '%s': need '%s'", i, status, sw_error_message(), cases[i].says);
    }
}

static void test_what_a_mesher_wrote_makes_sets(void **state)
{
    (void)state;
    static const char *const ignored[] = {"boundary", "SKIN", "rebar", "beams"};
    static const struct {
        const char *text;
        int n_ignored;
    } cases[] = {
        {BAR SKIN("S4") REBAR SECTION("SOLID", "BULK"), 0},
        {BAR SKIN("SFM3D4") REBAR SECTION("SURFACE", "SKIN"), 0}, /* which has no stiffness */
        {BAR SKIN("S4") REBAR SECTION("SHELL", "SKIN") SECTION("SOLID", "REBAR"), 3},
        {BAR SKIN("S4") REBAR BEAMS, 4}, /* a type that is not read */
        /* and what is said of its elements, by whatever name */
        {BAR SKIN("S4") REBAR BEAMS "*BEAM SECTION, ELSET=BEAMS, SECTION=RECT\n1, 1\n0, 0, 1\n"
                                    "*MASS, ELSET=beams\n1\n*NEW KEYWORD, ELSET=BEAMS\n1\n",
         4},
        {BAR SKIN("S4") REBAR BEAMS "*ELSET, ELSET=ALSO\n12, 13\n" SECTION("SOLID", "ALSO"), 4},
        {BAR SKIN("S4") REBAR "*ELSET, ELSET=OTHER\n5, 6, 9\n" SECTION("SHELL", "OTHER"), 3},
        {BAR SKIN("S4") REBAR BEAMS
         "*ELSET, ELSET=ALSO\nBEAMS\n*ELSET, ELSET=SOME\n12\n"
         "*BEAM SECTION, ELSET=ALSO, SECTION=RECT\n1, 1\n*SPRING, ELSET=SOME\n1\n1\n"
         "*NEW KEYWORD, ELSET=ALSO\n",
         4},
        {BAR SKIN("S4") REBAR "*ELEMENT, TYPE=CONN3D2\n12, , 3\n*ELSET, ELSET=BEAMS\n12\n"
                              "*CONNECTOR SECTION, ELSET=BEAMS\nBEAM\n",
         4},
        /* whose own nodes go with them, out of sets, too */
        {BAR SKIN("S4") REBAR "*NODE, NSET=OWN\n20, 5, 5, 5\n21, 6, 5, 5\n*ELEMENT, TYPE=B31, ELSET=BEAMS\n"
                              "12, 1, 20\n13, 20, 21\n*ELEMENT, TYPE=T3D2, ELSET=BEAMS\n14, 2, 21\n"
                              "*NSET, NSET=MIXED\n1, 20\n*NSET, NSET=ENDS, ELSET=BEAMS\n",
         4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_fem_mesh *mesh;
        CHECK_OK(read_ignoring(cases[i].text, cases[i].n_ignored, ignored, &mesh));
        assert_int_equal(mesh->n_elements, 2);
        assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "Skin")->n, 2);
        assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "REBAR")->n, 2);
        sw_fem_mesh_free(mesh);
    }
}

/* What is not read of the body's own elements, or of nodes, is refused though the set is ignored. */
static void test_what_stays_is_not_passed_over(void **state)
{
    (void)state;
    static const char *const ignored[] = {"BULK", "Skin"};
    static const char *const texts[] = {
        BAR "*ELSET, ELSET=Skin\n1\n*NONSTRUCTURAL MASS, ELSET=BULK\n1\n",
        BAR SKIN("S4") "*ELSET, ELSET=WIDE\n2, 5\n*SHELL GENERAL SECTION, ELSET=WIDE\n1\n",
        BAR SKIN("S4") "*RIGID BODY, ELSET=Skin, REF NODE=7, TIE NSET=Skin\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sw_fem_mesh *mesh;
        assert_int_equal(read_ignoring(texts[i], 2, ignored, &mesh), SW_ERR_INPUT);
        assert_non_null(strstr(sw_error_message(), "mesh.ignore: ["));
    }
}

/* Nodes of elements that are left out. */
static void test_own_nodes_are_left_out(void **state)
{
    (void)state;
    static const char *const ignored[] = {"BEAMS"};
    sw_fem_mesh *mesh;
    CHECK_OK(read_ignoring(BAR "*NODE, NSET=OWN\n20, 5, 5, 5\n*ELEMENT, TYPE=B31, ELSET=BEAMS\n12, 3, 20\n"
                               "*NSET, NSET=MIXED\n1, 20\n*NSET, NSET=ENDS, ELSET=BEAMS\n",
                           1, ignored, &mesh));
    assert_int_equal(mesh->n_nodes, 12);
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_NODES, "OWN"));
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "MIXED")->n, 1);
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "ENDS")->member[0], 2);
    sw_fem_mesh_free(mesh);
}

/* Shells have as many dimensions as a plane mesh. */
static void test_shells_of_a_plane(void **state)
{
    (void)state;
    static const char *const ignored[] = {"Skin"};
    static const char text[] = "*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n5, 2, 0\n6, 2, 1\n"
                               "*ELEMENT, TYPE=CPE4\n1, 1, 2, 3, 4\n"
                               "*ELEMENT, TYPE=S4, ELSET=Skin\n2, 2, 5, 6, 3\n" SECTION("SHELL", "Skin");
    sw_fem_mesh *mesh;
    assert_int_equal(read_ignoring(text, 0, NULL, &mesh), SW_ERR_INPUT);
    CHECK_OK(read_ignoring(text, 1, ignored, &mesh));
    assert_int_equal(mesh->n_elements, 1);
    assert_int_equal(mesh->n_nodes, 4);
    sw_fem_mesh_free(mesh);
}

/* A slip of the pen leaves nothing out; keywords may be those of other files. */
static void test_ignored_words_are_there(void **state)
{
    (void)state;
    static const char *const ignored[] = {"*Boundary", "Bulk", "SKINS"};
    sw_fem_mesh *mesh;
    CHECK_OK(read_ignoring(BAR SKIN("S4"), 2, ignored, &mesh));
    sw_fem_mesh_free(mesh);
    assert_int_equal(read_ignoring(BAR SKIN("S4"), 3, ignored, &mesh), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(),
                           "'SKINS' is no keyword, and no set of elements of sections.inp, "
                           "which has BULK, Skin"));
    assert_int_not_equal(sw_fem_mesh_read_ignoring("absent.inp", 3, ignored, &mesh), SW_OK);
}

/* Ignoring a set keeps its solids. */
static void test_solids_stay(void **state)
{
    (void)state;
    static const char *const ignored[] = {"MIXED"};
    sw_fem_mesh *mesh;
    CHECK_OK(read_ignoring(BAR SKIN("S4") "*ELSET, ELSET=MIXED\n1, 2, 5, 6\n" SECTION("SOLID", "MIXED"), 1,
                           ignored, &mesh));
    assert_int_equal(mesh->n_elements, 2);
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, "MIXED")->n, 2);
    sw_fem_mesh_free(mesh);
}

static void hear(void *told, sw_notice notice, const char *text)
{
    (void)notice;
    snprintf(told, 400, "%s", text);
}

/* A set of solids alone is no use to ignore. */
static void test_ignoring_the_body_is_doubted(void **state)
{
    (void)state;
    static const char *const ignored[] = {"Bulk"};
    char told[400] = "";
    sw_fem_mesh *mesh;
    sw_listen(hear, told);
    CHECK_OK(read_ignoring(BAR, 1, ignored, &mesh));
    sw_listen(NULL, NULL);
    assert_non_null(strstr(told, "sections.inp: mesh.ignore: all elements of set BULK make the body"));
    sw_fem_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_carries_load_is_refused),
        cmocka_unit_test(test_what_a_mesher_wrote_makes_sets),
        cmocka_unit_test(test_ignored_words_are_there),
        cmocka_unit_test(test_what_stays_is_not_passed_over),
        cmocka_unit_test(test_own_nodes_are_left_out),
        cmocka_unit_test(test_shells_of_a_plane),
        cmocka_unit_test(test_solids_stay),
        cmocka_unit_test(test_ignoring_the_body_is_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
