/* Finite element meshes from files of Abaqus and Gmsh. */
#include "meshes_of_voxels.h"

/* libgmsh leaks what it had read of a file that it refuses. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) { return "leak:libgmsh\n"; }

/* ---- Files ---- */

static char folder[] = "/tmp/slipwave-mesh-XXXXXX", path[128];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void write_bytes(const char *name, const char *text, size_t n)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static sw_status read_bytes(const char *name, const char *text, size_t n, sw_fem_mesh **mesh)
{
    write_bytes(name, text, n);
    const sw_status status = sw_fem_mesh_read(path, mesh);
    if (status != SW_OK)
        assert_null(*mesh);
    remove(path);
    return status;
}

static sw_status read_text(const char *name, const char *text, sw_fem_mesh **mesh)
{
    return read_bytes(name, text, strlen(text), mesh);
}

/* A set is these members, given as text. */
static void check_set(const sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name, const char *members)
{
    const sw_fem_set *set = sw_fem_mesh_set(mesh, kind, name);
    char text[256] = "";
    if (set == NULL)
        fail_msg("no set %s", name);
    for (int64_t i = 0; i < set->n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i > 0 ? " %d" : "%d", set->member[i]);
    if (strcmp(text, members) != 0)
        fail_msg("set %s is %s: need %s", name, text, members);
}

/* Two cubes along x; labels with gaps, in no order; continuation lines; every way to write a set. */
static const char cubes[] = "** two cubes\n"
                            "*Heading\n"
                            "anything, 1, 2\n"
                            "*NODE, nset=Nodes\n"
                            "10, 0, 0, 0\n"
                            "20, 1, 0, 0\n"
                            "30, 2., 0\n"
                            "11, 0, 1, 0\n"
                            "21, 1, 1,\n"
                            "31, 2.0D0, 1, 0\n"
                            "\n"
                            "110, 0, 0, 1\n"
                            "120, 1, 0, 1\r\n"
                            "130, 2, 0, 1\n"
                            "111, 0, 1, 1\n"
                            "121, 1, 1, 1\n"
                            "131, 2, 1, 1\n"
                            "*element, type=c3d8r,\n"
                            "  elset=Left\n"
                            "7, 10, 20, 21, 11,\n"
                            "110, 120, 121, 111\n"
                            "*ELEMENT, TYPE=C3D8\n"
                            "3, 20, 30, 31, 21, 120, 130, 131, 121\n"
                            "*ELEMENT, TYPE=CPS4, ELSET=outside\n"
                            "90, 10, 11, 111, 110\n"
                            "91, 130, 30, 31, 131\n"
                            "*ELEMENT, TYPE=CPS4, ELSET=between\n"
                            "92, 20, 21, 121, 120\n"
                            "*ELEMENT, TYPE=T3D2, ELSET=edge\n"
                            "93, 10, 20\n"
                            "*ELSET, ELSET=Both\n"
                            "LEFT, 3\n"
                            "*NSET, NSET=low, GENERATE\n"
                            "10, 30, 10\n"
                            "11, 11\n"
                            "*NSET, NSET=more\n"
                            "LOW, 131,\n"
                            "*nset, nset=More\n"
                            "130\n"
                            "*NSET, NSET=of_left, ELSET=left\n"
                            "*SURFACE, NAME=ends\n"
                            "left, S6\n"
                            "3, s4\n"
                            "*SURFACE, NAME=points, TYPE=NODE\n"
                            "low, 1.0\n"
                            "*MATERIAL, NAME=steel\n"
                            "*ELASTIC\n"
                            "2e11, 0.3\n"
                            "*STEP\n"
                            "*NODE PRINT, NSET=low\n"
                            "U\n"
                            "*END STEP\n";

static void test_inp(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_OK(read_text("cubes.INP", cubes, &mesh));
    assert_int_equal(mesh->shape, SW_HEX8);
    assert_int_equal(mesh->n_nodes, 12);
    assert_int_equal(mesh->n_elements, 2);
    assert_int_equal(mesh->element_label[0], 7);
    assert_int_equal(mesh->element_label[1], 3);
    assert_int_equal(mesh->node_label[3], 11);
    assert_int_equal(mesh->node[0], 0);
    assert_int_equal(mesh->node[2], 4);
    assert_int_equal(mesh->node[8], 1);
    CHECK_CLOSE(mesh->position[3 * 5], 2, 0);
    CHECK_CLOSE(mesh->position[3 * 5 + 1], 1, 0);
    assert_null(mesh->lattice);
    check_set(mesh, SW_FEM_NODES, "Nodes", "0 1 2 3 4 5 6 7 8 9 10 11");
    check_set(mesh, SW_FEM_ELEMENTS, "Left", "0");
    check_set(mesh, SW_FEM_ELEMENTS, "Both", "0 1");
    check_set(mesh, SW_FEM_ELEMENTS, "all", "0 1");
    check_set(mesh, SW_FEM_NODES, "low", "0 1 2 3");
    check_set(mesh, SW_FEM_NODES, "more", "0 1 2 3 8 11");
    check_set(mesh, SW_FEM_NODES, "of_left", "0 1 3 4 6 7 9 10");
    check_set(mesh, SW_FEM_NODES, "points", "0 1 2 3");
    check_set(mesh, SW_FEM_SURFACE, "ends", "5 11");
    check_set(mesh, SW_FEM_SURFACE, "outside", "5 11");
    check_set(mesh, SW_FEM_NODES, "outside", "0 2 3 5 6 8 9 11");
    check_set(mesh, SW_FEM_SURFACE, "between", "3 13");
    check_set(mesh, SW_FEM_NODES, "edge", "0 1");
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, "outside"));
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "edge"));
    sw_fem_mesh_free(mesh);
}

static void test_inp_plane(void **state)
{
    (void)state;
    static const char *const type[] = {"CPS4", "CPE4R", "CAX4", "DC2D4", "cps4i"};
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        char text[512];
        sw_fem_mesh *mesh;
        snprintf(text, sizeof text,
                 "*NODE\n1,0,0,5\n2,1,0,5\n3,1,1,5\n4,0,1,5\n*ELEMENT,TYPE=%s\n1,1,2,3,4\n"
                 "*ELEMENT,TYPE=T2D2,ELSET=right\n2,3,2\n*SURFACE,NAME=top\n1,S3\n",
                 type[i]);
        CHECK_OK(read_text("plane.inp", text, &mesh));
        assert_int_equal(mesh->shape, SW_QUAD4);
        CHECK_CLOSE(mesh->position[5], 1, 0);
        check_set(mesh, SW_FEM_SURFACE, "right", "1");
        check_set(mesh, SW_FEM_NODES, "right", "1 2");
        check_set(mesh, SW_FEM_SURFACE, "top", "2");
        sw_fem_mesh_free(mesh);
    }
}

/* As Abaqus/CAE writes it: a part, its instance, sets of the same name in part and assembly. */
static void test_inp_instance(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_OK(
        read_text("cae.inp",
                  "*Part, name=Part-1\n*Node\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n*Element, type=CPS4R\n"
                  "1, 1, 2, 3, 4\n*Nset, nset=Set-1, generate\n1, 4, 1\n*Nset, nset=Set-2\n4\n*End Part\n"
                  "*Assembly, name=Assembly\n*Instance, name=Part-1-1, part=Part-1\n10., 0., 0.\n"
                  "*End Instance\n*Nset, nset=Set-1, instance=Part-1-1\n2\n"
                  "*Nset, nset=Set-3\nPart-1-1.Set-1\n*Nset, nset=Set-4\nPart-1-1.3, set-2, Set-1\n"
                  "*Elset, elset=_Surf-1_S2, internal, instance=\"Part-1-1\"\n1\n"
                  "*Surface, type=ELEMENT, name=Surf-1\n_Surf-1_S2, S2\n*End Assembly\n",
                  &mesh));
    CHECK_CLOSE(mesh->position[0], 10, 0);
    CHECK_CLOSE(mesh->position[2], 11, 0);
    check_set(mesh, SW_FEM_NODES, "Part-1-1.Set-1", "0 1 2 3");
    check_set(mesh, SW_FEM_NODES, "Set-1", "1");
    check_set(mesh, SW_FEM_NODES, "Set-2", "3");
    check_set(mesh, SW_FEM_NODES, "Set-3", "0 1 2 3");
    check_set(mesh, SW_FEM_NODES, "Set-4", "1 2 3");
    check_set(mesh, SW_FEM_SURFACE, "Surf-1", "1");
    sw_fem_mesh_free(mesh);
}

#define QUAD "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPS4\n1,1,2,3,4\n" /* seven lines */

/* As scripts make them, a set a node or a grain: read in the time of their length (a minute for these, when each was
 * compared with all before it). */
static void test_many_sets(void **state)
{
    enum { SETS = 100000, LINE = 32 };
    (void)state;
    sw_fem_mesh *mesh;
    char name[LINE], *text = malloc(sizeof QUAD + SETS * LINE);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%s", QUAD);
    for (int i = 0; i < SETS; i++)
        n += (size_t)sprintf(text + n, "*NSET,NSET=Set-%d\n%d\n", i, 1 + i % 4);
    CHECK_OK(read_bytes("many.inp", text, n, &mesh));
    free(text);
    assert_int_equal(mesh->n_sets, SETS + 1); /* and all elements */
    for (int i = 0; i < SETS; i++) {
        snprintf(name, sizeof name, "Set-%d", i);
        const sw_fem_set *set = sw_fem_mesh_set(mesh, SW_FEM_NODES, name);
        assert_non_null(set);
        assert_int_equal(set->n, 1);
        assert_int_equal(set->member[0], i % 4);
    }
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_NODES, "set-1"));
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "Set-1"));
    sw_fem_mesh_free(mesh);
}

/* A host program's mesh may have sets that no function of ours has put there. */
static void test_sets_by_hand(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = voxels("box", 1, 1, 0);
    int32_t member[] = {2};
    sw_fem_set *set = realloc(mesh->set, (size_t)(mesh->n_sets + 1) * sizeof *set);
    assert_non_null(set);
    mesh->set = set;
    set[mesh->n_sets] = (sw_fem_set){strdup("own"), SW_FEM_NODES, 1, malloc(sizeof member)};
    memcpy(set[mesh->n_sets++].member, member, sizeof member);
    check_set(mesh, SW_FEM_NODES, "own", "2");
    CHECK_FAILS(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, "own", 1, member), SW_ERR_INPUT,
                "own is there twice");
    CHECK_OK(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, "another", 1, member));
    check_set(mesh, SW_FEM_NODES, "another", "2");
    check_set(mesh, SW_FEM_NODES, "own", "2");
    sw_fem_mesh_free(mesh);
}

static void test_refused_inp(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"", "bad.inp:1: no nodes"},
        {"1, 2, 3\n", "bad.inp:1: data before the first keyword"},
        {"*NODE\n1,0,0\n", "no elements"},
        {"*NODE\n1,0,zero\n", "bad.inp:2: coordinate 'zero': need a number"},
        {"*NODE\n1,0,0x10\n", "bad.inp:2: coordinate '0x10': need a number"},
        {"*NODE\n1,0,nan\n", "bad.inp:2: coordinate 'nan'"},
        {"*NODE\n1.5,0,0\n", "bad.inp:2: node '1.5': need a whole number"},
        {"*NODE\n99999999999999999999,0,0\n", "bad.inp:2: node '9"},
        {"*NODE\n0,0,0\n", "bad.inp:2: node '0'"},
        {"*NODE\n1\n", "bad.inp:2: node 1 has no coordinates"},
        {"*NODE, SYSTEM=C\n1,0,0\n", "bad.inp:1: *NODE: SYSTEM=C"},
        {"*NODE, INPUT=nodes.txt\n", "bad.inp:1: *NODE: parameter INPUT is not supported"},
        {"*ELEMENT\n", "bad.inp:1: *ELEMENT: needs TYPE="},
        {"*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n", "bad.inp:1: *ELEMENT: TYPE=C3D4 is not supported"},
        {"*ELEMENT, TYPE=C3D81\n1, 1\n", "TYPE=C3D81"},
        {"*INCLUDE, INPUT=x.inp\n", "bad.inp:1: *INCLUDE is not supported"},
        {QUAD "*EQUATION\n2\n1,1,1.,2,1,-1.\n", "bad.inp:8: *EQUATION ties nodes to others"},
        {QUAD "*Tie, name=a\nb, c\n", "bad.inp:8: *TIE ties nodes to others"},
        {QUAD "*Contact  Pair, interaction=a\nb, c\n", "bad.inp:8: *CONTACT PAIR lets bodies touch"},
        {QUAD "*TRANSFORM, NSET=a\n0,1,0,-1,0,0\n", "bad.inp:8: *TRANSFORM turns the axes of nodes"},
        {QUAD "*STEP\n*BOUNDARY\n1,1\n", "bad.inp:9: *BOUNDARY holds or moves nodes"},
        {QUAD "*STEP\n*DLOAD\n1,P3,5.\n", "bad.inp:9: *DLOAD loads the body"},
        {"*ELEMNT, TYPE=CPS4\n", "bad.inp:1: unknown keyword *ELEMNT: did you mean *ELEMENT?"},
        {"*FLUX CAPACITOR\n", "bad.inp:1: unknown keyword *FLUX CAPACITOR: it may change"},
        {"*NO*DE\n", "bad.inp:1: unknown keyword *NO*DE: did you mean *NODE?"},
        {"*PART, NAME=A\n*PART, NAME=B\n", "bad.inp:2: a second *PART"},
        {"*INSTANCE, NAME=A\n*INSTANCE, NAME=B\n", "bad.inp:2: a second *INSTANCE"},
        {"*INSTANCE, NAME=A\n1,2,3\n0,0,0,0,0,1,30\n", "bad.inp:3: *INSTANCE: a rotation of 30"},
        {"*ASSEMBLY\n*NODE\n1,0,0\n", "bad.inp:2: *NODE outside a part"},
        {QUAD "*NODE\n1,5,5\n", "bad.inp:9: node 1 is there already, in line 2"},
        {QUAD "*ELEMENT,TYPE=CPS4\n1,1,2,3,4\n", "bad.inp:9: element 1 is there already, in line 7"},
        {QUAD "2,1,2,3\n", "bad.inp:8: element 2 has 3 nodes: need the 4 of a CPS4"},
        {QUAD "2,1,2,3,\n", "bad.inp:8: element 2 has 3 nodes"},
        {QUAD "2,1,2,3,4,5\n", "bad.inp:8: element 2 has 5 nodes"},
        {QUAD "2,1,2,3,5\n", "bad.inp:8: element 2 names node 5, which is not there"},
        {QUAD "2,1,2,3,3\n", "bad.inp:8: element 2 at (0.75, 0.5): names node 3 twice"},
        {QUAD "2,1,4,3,2\n", "bad.inp:8: element 2 at (0.5, 0.5): Jacobian -0.25 m^2"},
        {QUAD "*NODE\n9,4,4\n", "bad.inp:9: node 9 at (4, 4): belongs to no element"},
        {QUAD "*NODE\n9,4,4,1\n", "bad.inp:9: node 9 at z = 1"},
        {QUAD "*NSET\n1\n", "bad.inp:8: *NSET: needs NSET="},
        {QUAD "*NSET, NSET=a\n8\n", "bad.inp:9: a: node 8 is not there"},
        {QUAD "*NSET, NSET=a\nb\n", "bad.inp:9: a: there is no node set b"},
        {QUAD "*NSET, NSET=a\n1,,2\n", "bad.inp:9: an empty field"},
        {QUAD "*NSET, NSET=a\nb\n*NSET, NSET=b\na\n", "bad.inp:9: a: set b comes after it (line 10)"},
        {QUAD "*NSET, NSET=a, GENERATE\n1,2147483647,2\n", "bad.inp:9: a: node 5 is not there"},
        {QUAD "*NSET, NSET=a, GENERATE\n3,1\n", "bad.inp:9: GENERATE: last = 1"},
        {QUAD "*NSET, NSET=a, GENERATE\n1,3,0\n", "bad.inp:9: step '0'"},
        {QUAD "*NSET, NSET=a, GENERATE\n1\n", "bad.inp:9: GENERATE: need first"},
        {QUAD "*NSET, NSET=a, COMBINE=b\n1\n", "bad.inp:8: *NSET: parameter COMBINE"},
        {QUAD "*ELSET, ELSET=a\n2\n", "bad.inp:9: a: element 2 is not there"},
        {QUAD "*SURFACE, NAME=a\n1,S5\n", "bad.inp:9: surface a: element 1 has no face S5"},
        {QUAD "*SURFACE, NAME=a\n1,SPOS\n", "bad.inp:9: *SURFACE: face 'SPOS'"},
        {QUAD "*SURFACE, NAME=a\n1\n", "bad.inp:9: *SURFACE: face ''"},
        {QUAD "*SURFACE, NAME=a, TYPE=USER\n", "bad.inp:8: *SURFACE: TYPE=USER"},
        {QUAD "*ELEMENT,TYPE=T2D2,ELSET=a\n2,1,3\n", "bad.inp:9: element 2 of set a is no face of a quad4"},
        {QUAD "*ELEMENT,TYPE=S4\n2,1,2,3,4\n", "bad.inp:9: element 2 is a S4"},
        {QUAD "7,2,3,4,1\n", "bad.inp:8: element 7 at (0.5, 0.5): has the nodes of element 1"},
        {QUAD "*NODE\n5,2,0\n6,2,1\n*ELEMENT,TYPE=CPS4\n2,2,5,6,3\n*ELSET,ELSET=all\n1\n",
         "bad.inp:13: element set all has 1 of 2 elements"},
        {QUAD "*NSET,NSET=a\n1\n*ASSEMBLY\n*NSET,NSET=a\n2\n", "bad.inp:11: node set a is there twice"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sw_fem_mesh *mesh;
        CHECK_FAILS(read_text("bad.inp", refused[i][0], &mesh), SW_ERR_INPUT, refused[i][1]);
        assert_non_null(strstr(sw_error_message(), folder));
    }
}

typedef struct {
    int count;
    char last[1024];
} warnings;

static void hear(void *context, sw_notice notice, const char *text)
{
    warnings *w = context;
    if (notice != SW_WARNING)
        return;
    w->count++;
    snprintf(w->last, sizeof w->last, "%s", text);
}

/* One warning lists what is skipped, each once; what the caller lists is not in it. */
static void test_skipped_keywords(void **state)
{
    (void)state;
    static const char *const ignored[] = {"*Boundary", "flux capacitor", "ENDSTEP"};
    static const char *const makes[] = {"*Node"};
    static const char text[] =
        QUAD "*Material, name=a\n*Elastic\n2e11, 0.3\n*MATERIAL, NAME=b\n*Flux\tCapacitor\n1\n"
             "*Step\n*BOUN DARY\n1, 1, 2\n*End step\n";
    warnings w = {0};
    sw_fem_mesh *mesh;
    sw_listen(hear, &w);
    CHECK_FAILS(read_text("skip.inp", text, &mesh), SW_ERR_INPUT, "skip.inp:12: unknown keyword *FLUX");
    assert_int_equal(w.count, 0);
    write_bytes("skip.inp", text, strlen(text));
    CHECK_FAILS(sw_fem_mesh_read_ignoring(path, 1, makes, &mesh), SW_ERR_RANGE, "*NODE makes the mesh");
    const sw_status status = sw_fem_mesh_read_ignoring(path, 3, ignored, &mesh);
    sw_listen(NULL, NULL);
    remove(path);
    CHECK_OK(status);
    assert_int_equal(w.count, 1);
    assert_non_null(strstr(w.last, "skipped, as the job says these things: MATERIAL, ELASTIC, STEP"));
    assert_null(strstr(w.last, "BOUNDARY"));
    sw_fem_mesh_free(mesh);
}

/* Nothing to lose, nothing to say. */
static void test_silent_keywords(void **state)
{
    (void)state;
    warnings w = {0};
    sw_fem_mesh *mesh;
    sw_listen(hear, &w);
    const sw_status status = read_text("quiet.inp", "*HEADING\na plate\n" QUAD "*EndPart\n", &mesh);
    sw_listen(NULL, NULL);
    CHECK_OK(status);
    assert_int_equal(w.count, 0);
    sw_fem_mesh_free(mesh);
}

static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        sw_fem_kinematics taken;
        const char *otherwise;
    } cases[] = {
        {"C3D8", SW_FEM_SOLID, ""},
        {"C3D8R", SW_FEM_SOLID, "reduced integration"},
        {"c3d8i", SW_FEM_SOLID, "incompatible modes"},
        {"C3D8RH", SW_FEM_SOLID, "reduced integration, hybrid"},
        {"CPS4", SW_FEM_PLANE_STRESS, ""},
        {"CPE4R", SW_FEM_PLANE_STRESS, "plane strain, reduced integration"},
        {"CPE4", SW_FEM_AXISYMMETRIC, "plane strain"},
        {"CPEG4", SW_FEM_PLANE_STRAIN, "generalised plane strain"},
        {"DC2D4", SW_FEM_HEAT, ""},
        {"DCAX4", SW_FEM_HEAT, "axisymmetric heat"},
        {"B31", SW_FEM_SOLID, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        const int differs = sw_fem_overrides_type(cases[i].type, cases[i].taken, text, sizeof text);
        assert_string_equal(text, cases[i].otherwise);
        assert_int_equal(differs, *cases[i].otherwise != '\0');
    }
}

static void test_nul_in_inp(void **state)
{
    (void)state;
    char text[] = QUAD "*NSET, NSET=a\n1, 2, 3\n";
    sw_fem_mesh *mesh;
    text[sizeof text - 5] = '\0';
    CHECK_FAILS(read_bytes("bad.inp", text, sizeof text - 1, &mesh), SW_ERR_INPUT, "bad.inp:9: a NUL byte");
}

/* Whatever is cut off or replaced in a file, the answer is a mesh that passes its check, or an error. */
static void test_damaged_inp(void **state)
{
    (void)state;
    static const char put[] = ",*\n-9aS\"=. ";
    const size_t n = sizeof cubes - 1;
    char text[sizeof cubes];
    sw_fem_mesh *mesh;
    for (size_t k = 0; k < n; k++) {
        if (read_bytes("cut.inp", cubes, k, &mesh) == SW_OK)
            CHECK_OK(sw_fem_mesh_check(mesh, "cut"));
        sw_fem_mesh_free(mesh);
    }
    srand48(1);
    for (int k = 0; k < 3000; k++) {
        memcpy(text, cubes, n);
        for (int i = 0; i <= k % 3; i++)
            text[lrand48() % (long)n] = put[lrand48() % (long)sizeof put];
        if (read_bytes("damaged.inp", text, n, &mesh) == SW_OK)
            CHECK_OK(sw_fem_mesh_check(mesh, "damaged"));
        sw_fem_mesh_free(mesh);
    }
}

static void test_paths(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_FAILS(sw_fem_mesh_read("mesh.vtk", &mesh), SW_ERR_INPUT, "need one that ends in .msh");
    CHECK_FAILS(sw_fem_mesh_read("", &mesh), SW_ERR_INPUT, "need one that ends in .msh");
    CHECK_FAILS(sw_fem_mesh_read("/nowhere/mesh.inp", &mesh), SW_ERR_IO, "/nowhere/mesh.inp");
    CHECK_FAILS(sw_fem_mesh_read("/nowhere/mesh.msh", &mesh), SW_ERR_IO, "/nowhere/mesh.msh");
    snprintf(path, sizeof path, "%s.inp", folder);
    assert_int_equal(rename(folder, path), 0);
    const sw_status status = sw_fem_mesh_read(path, &mesh);
    assert_int_equal(rename(path, folder), 0);
    assert_int_equal(status, SW_ERR_IO);
}

/* ---- Gmsh ---- */

/* Two cubes along x in format 2.2, labels with gaps; a point of no element. */
static const char msh_2[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                            "$PhysicalNames\n4\n0 5 \"corner\"\n1 6 \"edge\"\n2 1 \"left\"\n3 2 \"body\"\n"
                            "$EndPhysicalNames\n"
                            "$Nodes\n13\n10 0 0 0\n20 1 0 0\n30 2 0 0\n11 0 1 0\n21 1 1 0\n31 2 1 0\n"
                            "110 0 0 1\n120 1 0 1\n130 2 0 1\n111 0 1 1\n121 1 1 1\n131 2 1 1\n"
                            "500 9 9 9\n$EndNodes\n"
                            "$Elements\n7\n"
                            "1 15 2 5 1 10\n"
                            "2 1 2 6 1 10 20\n"
                            "3 3 2 1 1 10 11 111 110\n"
                            "4 3 2 9 2 30 31 131 130\n"
                            "5 5 2 2 1 10 20 21 11 110 120 121 111\n"
                            "8 5 2 4 2 20 30 31 21 120 130 131 121\n"
                            "9 15 2 0 3 500\n"
                            "$EndElements\n";

/* Two squares in format 2.2, the second in two groups: it is there once for each. */
static const char msh_2_twice[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 1 \"plate\"\n2 2 \"half\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n"
    "$Elements\n3\n1 3 2 1 1 1 2 5 4\n2 3 2 1 2 2 3 6 5\n3 3 2 2 2 2 3 6 5\n"
    "$EndElements\n";

/* A square of two quadrilaterals in format 4.1. */
static const char msh_4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n1 1 \"bottom\"\n2 2 \"plate\"\n$EndPhysicalNames\n"
    "$Entities\n0 1 1 0\n1 0 0 0 2 0 0 1 1 0\n1 0 0 0 2 1 0 1 2 1 1\n$EndEntities\n"
    "$Nodes\n2 6 1 6\n1 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n2 0 0\n"
    "2 1 0 3\n4\n5\n6\n0 1 0\n1 1 0\n2 1 0\n$EndNodes\n"
    "$Elements\n2 4 1 4\n1 1 1 2\n1 1 2\n2 2 3\n2 1 3 2\n3 1 2 5 4\n4 2 3 6 5\n$EndElements\n";

#ifdef SW_HAVE_GMSH

static void test_msh(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_OK(read_text("cubes.msh", msh_2, &mesh));
    assert_int_equal(mesh->shape, SW_HEX8);
    assert_int_equal(mesh->n_nodes, 12);
    assert_int_equal(mesh->n_elements, 2);
    assert_int_equal(mesh->element_label[0], 5);
    assert_int_equal(mesh->element_label[1], 8);
    CHECK_OK(sw_fem_mesh_check(mesh, "cubes"));
    check_set(mesh, SW_FEM_ELEMENTS, "body", "0");
    check_set(mesh, SW_FEM_ELEMENTS, "volume_4", "1");
    check_set(mesh, SW_FEM_ELEMENTS, "all", "0 1");
    check_set(mesh, SW_FEM_SURFACE, "left", "5");
    check_set(mesh, SW_FEM_SURFACE, "surface_9", "11");
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "left")->n, 4);
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "edge")->n, 2);
    const sw_fem_set *corner = sw_fem_mesh_set(mesh, SW_FEM_NODES, "corner");
    assert_int_equal(corner->n, 1);
    assert_int_equal(mesh->node_label[corner->member[0]], 10);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(mesh->position[3 * corner->member[0] + i], 0, 0);
    sw_fem_mesh_free(mesh);

    CHECK_OK(read_text("twice.msh", msh_2_twice, &mesh));
    assert_int_equal(mesh->n_elements, 2);
    assert_int_equal(mesh->element_label[1], 2);
    check_set(mesh, SW_FEM_ELEMENTS, "plate", "0 1");
    check_set(mesh, SW_FEM_ELEMENTS, "half", "1");
    sw_fem_mesh_free(mesh);

    CHECK_OK(read_text("plate.msh", msh_4, &mesh));
    assert_int_equal(mesh->shape, SW_QUAD4);
    assert_int_equal(mesh->n_nodes, 6);
    check_set(mesh, SW_FEM_ELEMENTS, "plate", "0 1");
    check_set(mesh, SW_FEM_SURFACE, "bottom", "0 8");
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "bottom")->n, 3);
    sw_fem_mesh_free(mesh);
}

#define MSH "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define SQUARE "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"

static void test_refused_msh(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"", "need $MeshFormat"},
        {"SystemCall \"touch script-was-run\";\n", "need $MeshFormat"},
        {MSH, "0 nodes"},
        {MSH SQUARE, "0 nodes"},
        {MSH "$Nodes\n4\n1 0 0 0\n2 1", "libgmsh: "},
        {MSH SQUARE "$Elements\n1\n1 3 2 0 1 1 2 3 7\n$EndElements\n", "libgmsh: "},
        {MSH SQUARE "$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n",
         "element 1 is a Triangle 3: need quadrilaterals"},
        {MSH SQUARE "$Elements\n1\n1 3 2 0 1 1 4 3 2\n$EndElements\n",
         "element 1 at (0.5, 0.5): Jacobian -0.25"},
        {MSH SQUARE "$Elements\n2\n1 3 2 0 1 1 2 3 4\n2 1 2 8 1 1 3\n$EndElements\n",
         "physical group curve_8: its line with node 1 and node 3 is no face"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sw_fem_mesh *mesh;
        CHECK_FAILS(read_text("bad.msh", refused[i][0], &mesh), SW_ERR_INPUT, refused[i][1]);
        assert_non_null(strstr(sw_error_message(), "bad.msh: "));
    }
    assert_int_not_equal(access("script-was-run", F_OK), 0);
    char options[sizeof path];
    sw_fem_mesh *mesh;
    snprintf(options, sizeof options, "%s/o.msh.opt", folder);
    FILE *file = fopen(options, "w");
    assert_non_null(file);
    fclose(file);
    CHECK_FAILS(read_text("o.msh", msh_2, &mesh), SW_ERR_INPUT, "libgmsh would run");
    assert_int_equal(remove(options), 0);
}

#else

static void test_msh(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_FAILS(read_text("cubes.msh", msh_2, &mesh), SW_ERR_UNAVAILABLE, "libgmsh-dev");
    CHECK_FAILS(read_text("cubes.msh", msh_4, &mesh), SW_ERR_UNAVAILABLE, ".inp files work");
    CHECK_FAILS(read_text("twice.msh", msh_2_twice, &mesh), SW_ERR_UNAVAILABLE, "libgmsh-dev");
}

static void test_refused_msh(void **state)
{
    (void)state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inp),
        cmocka_unit_test(test_inp_plane),
        cmocka_unit_test(test_inp_instance),
        cmocka_unit_test(test_many_sets),
        cmocka_unit_test(test_sets_by_hand),
        cmocka_unit_test(test_refused_inp),
        cmocka_unit_test(test_damaged_inp),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_msh),
        cmocka_unit_test(test_refused_msh),
        cmocka_unit_test(test_skipped_keywords),
        cmocka_unit_test(test_silent_keywords),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_nul_in_inp),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
