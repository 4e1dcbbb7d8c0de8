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
         "sections.inp:17: *BEAM SECTION gives elements a load to carry that are not supported; mesh.ignore "
         "lists "
         "those that are skipped, and sets of elements that are left out"},
        {BAR "*SHELL GENERAL SECTION, ELSET=SKIN\n1\n", "*SHELL GENERAL SECTION gives elements a load"},
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
        cmocka_unit_test(test_solids_stay),
        cmocka_unit_test(test_ignoring_the_body_is_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
