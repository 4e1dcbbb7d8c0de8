/* Tables that decks ask for: energies and what passes a surface, as CalculiX 2.20 prints them; forces of nodes; when rows come. */
#include "tests/online/fem/deck/decks.h"

#include <math.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "online/fem/structure/fields.h"

static const char file[] = "prints.h5";

static void run_deck(const char *text, int dialect)
{
    const sw_structure_problem *problem;
    const sw_structure_options options = {.output = file, .quiet = 1};
    sw_deck *deck;
    CHECK_OK(try_deck(text, dialect, &deck, &problem));
    CHECK_OK(sw_structure_run(problem, &options));
    sw_deck_free(deck);
}

/* Table `number`: its shape [times][rows][columns], and all of it. */
static double *read_table(int number, const char *quantity, int64_t shape[3])
{
    char name[48];
    hid_t opened;
    CHECK_OK(sw_h5_open(file, 0, &opened));
    snprintf(name, sizeof name, "prints/%04d", number);
    hid_t group = H5Gopen2(opened, name, H5P_DEFAULT);
    assert_true(group >= 0);
    assert_true(sw_h5_has_text(group, "quantity", quantity));
    CHECK_OK(sw_h5_shape(group, "value", 3, shape));
    double *all = calloc((size_t)(shape[0] * shape[1] * shape[2]), sizeof *all);
    assert_non_null(all);
    CHECK_OK(sw_h5_read(group, "value", H5T_NATIVE_DOUBLE, 3, shape, all));
    H5Gclose(group);
    H5Fclose(opened);
    return all;
}

static int remove_results(void **state)
{
    (void)state;
    unlink(file);
    unlink("prints.vtkhdf.series");
    for (int k = 1; k <= 9; k++) {
        char name[40];
        snprintf(name, sizeof name, "prints-%04d.vtkhdf", k);
        unlink(name);
    }
    return 0;
}

/* ---- Against CalculiX ---- */

/* One element, distorted, all its displacements quadratic. */
static void write_element(const char *type, char *text, size_t size)
{
    const sw_formulation *f = sw_formulation_find(type, SW_DECK_CALCULIX);
    size_t n = 0;
    assert_non_null(f);
#define ADD(...) n += (size_t)snprintf(text + n, size - n, __VA_ARGS__)
    ADD("*NODE,NSET=ALL\n");
    for (int a = 0; a < f->topology->n_nodes; a++) {
        const double *r = f->topology->node[a];
        ADD("%d,%.6f,%.6f,%.6f\n", a + 1, r[0] + .1 * r[1] * r[2] + .05 * r[1], r[1] - .08 * r[0] * r[2],
            r[2] + .06 * r[0] * r[1] + .1 * r[0]);
    }
    ADD("*ELEMENT,TYPE=%s,ELSET=E\n1", type);
    for (int a = 0; a < f->topology->n_nodes; a++)
        ADD(a == 14 ? ",\n%d" : ",%d", a + 1);
    ADD("\n*MATERIAL,NAME=M\n*ELASTIC\n210000.,.3\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
        "*SURFACE,NAME=ONE\n1,S1\n*SURFACE,NAME=TWO\n1,S3\n*STEP\n*STATIC\n*BOUNDARY\n");
    for (int a = 0; a < f->topology->n_nodes; a++) {
        const double *r = f->topology->node[a];
        const double u[3] = {1e-3 * (r[0] + .3 * r[1] * r[1] - .2 * r[2]),
                             1e-3 * (.4 * r[1] * r[2] - .1 * r[0]),
                             1e-3 * (.5 * r[2] + .2 * r[0] * r[0] + .1 * r[1])};
        for (int i = 0; i < 3; i++)
            ADD("%d,%d,%d,%.8f\n", a + 1, i + 1, i + 1, u[i]);
    }
    ADD("*EL PRINT,ELSET=E\nELSE,EVOL\n*SECTION PRINT,SURFACE=ONE,NAME=A\nSOF,SOM,SOAREA\n"
        "*SECTION PRINT,SURFACE=TWO,NAME=B\nSOF\n*END STEP\n");
#undef ADD
}

/* Of faces 1 and 3: SOF and SOM. */
static const struct {
    const char *type;
    double energy, area, one[6], two[6];
} given[] = {
    LINE("C3D4", 0.04107482, 0.5025, {19.46559, -3.597764, -132.985, -44.20842, 47.19361, -7.747746},
         {161.0153, 97.75954, 134.5146, 8.993031, 11.95883, -19.45592}),
    LINE("C3D6", 0.2559962, 0.5044901, {19.99326, -8.253919, -126.7334, -53.60282, 20.80542, -9.811317},
         {-20.22169, -371.9955, -58.25397, 18.59977, 28.1159, -185.9977}),
    LINE("C3D8", 2.079593, 4.040673, {204.8003, -32.36752, -878.4666, -42.12251, -203.6036, -24.26758},
         {29.36072, -728.2145, 98.49231, 53.72787, 3.838945, 72.95991}),
    LINE("C3D8R", 1.995017, 4.035921, {220.6019, -34.18225, -1074.344, -34.18225, -220.6019, 0},
         {48.05774, -745.43, -33.10793, 33.10793, -1.655396, 85.32924}),
    LINE("C3D8I", 2.049398, 4.040673, {222.4706, -38.51631, -1079.606, -47.61238, -221.9842, -26.48058},
         {44.74793, -736.3077, -34.0297, 157.5201, -2.752182, 82.7075}),
    LINE("C3D10", 0.04546731, 0.503737, {27.58084, -7.513913, -134.2566, -44.80048, 47.69538, -12.4212},
         {160.9235, 110.4083, 143.3045, 3.313748, 9.161421, -14.50165}),
    LINE("C3D15", 0.259709, 0.5057459, {24.31126, -7.226256, -108.6471, -46.13883, 10.77361, -11.55456},
         {20.85665, -369.1356, -33.56215, 94.41243, 7.758091, -184.9167}),
    LINE("C3D20", 2.129315, 4.040672, {202.7618, -27.66288, -876.3841, -28.97978, -210.157, -21.78438},
         {227.0359, -731.8663, 97.08152, 42.48476, 1.385497, 262.6311}),
    LINE("C3D20R", 2.129386, 4.040673, {203.4187, -28.52703, -879.0254, -29.90225, -210.9004, -21.78837},
         {221.6373, -727.8427, 97.70031, 41.59027, 1.402697, 256.6182}),
};

/* CalculiX takes stresses to nodes by constants of four digits. Of C3D6 it has other ones (formulation.h): its face 1, a
 * triangle, is left out. */
#define FOUR_DIGITS 1.5e-4

static void compare_cut(int number, const double want[6], double area)
{
    int64_t shape[3];
    double *row = read_table(number, "SECTION", shape), size[2] = {0};
    assert_int_equal(shape[2], SW_STRUCTURE_SECTION_COLUMNS);
    for (int i = 0; i < 6; i++)
        size[i / 3] = fmax(size[i / 3], fabs(want[i]));
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE((row[i] - want[i]) / size[i / 3], 0, FOUR_DIGITS);
    if (area > 0)
        CHECK_CLOSE(row[15], area, 1e-6 * area);
    free(row);
}

static void elements_and_surfaces_are_as_calculix_prints_them(void **state)
{
    char text[20000];
    (void)state;
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        int64_t shape[3];
        write_element(given[k].type, text, sizeof text);
        run_deck(text, SW_DECK_CALCULIX);
        double *energy = read_table(1, "ELSE", shape);
        CHECK_CLOSE(energy[2], given[k].energy, 1e-6 * given[k].energy);
        free(energy);
        if (strcmp(given[k].type, "C3D6") != 0)
            compare_cut(3, given[k].one, given[k].area);
        compare_cut(4, given[k].two, 0);
    }
}

/* ---- A bar of eight elements along x under forces and a torque at its end ---- */

static void write_bar(const char *material, const char *step, char *text, size_t size)
{
    size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, size - n, __VA_ARGS__)
    ADD("*NODE,NSET=ALL\n");
    for (int i = 0; i <= 8; i++)
        for (int a = 0; a < 4; a++)
            ADD("%d,%d,%d,%d\n", 4 * i + a + 1, i, a == 1 || a == 2, a / 2);
    ADD("*ELEMENT,TYPE=C3D8,ELSET=E\n");
    for (int i = 0; i < 8; i++)
        ADD("%d,%d,%d,%d,%d,%d,%d,%d,%d\n", i + 1, 4 * i + 1, 4 * i + 5, 4 * i + 6, 4 * i + 2, 4 * i + 4,
            4 * i + 8, 4 * i + 7, 4 * i + 3);
    ADD("*NSET,NSET=LOW\n1,2,3,4\n*NSET,NSET=TOP\n33,34,35,36\n*ELSET,ELSET=FIRST\n1,2\n"
        "*SURFACE,NAME=CUT\n5,S6\n*MATERIAL,NAME=M\n%s*SOLID SECTION,ELSET=E,MATERIAL=M\n"
        "*BOUNDARY\nLOW,1,3\n%s",
        material, step);
#undef ADD
}

/* Abaqus' section forces are in balance with the load, not to the stresses' error but to that of the equations: x = 4 is cut,
 * and the elements beyond it are held there by minus the load. */
static void forces_of_nodes_balance_the_load(void **state)
{
    char text[8000];
    int64_t shape[3];
    (void)state;
    write_bar("*ELASTIC\n200000.,.3\n",
              "*STEP\n*STATIC\n*CLOAD\nTOP,1,3.\nTOP,2,5.\n34,3,7.\n"
              "*SECTION PRINT,SURFACE=CUT,NAME=A,AXES=GLOBAL\nSOF,SOM\n*END STEP\n",
              text, sizeof text);
    run_deck(text, SW_DECK_ABAQUS);
    double *row = read_table(1, "SECTION", shape);
    /* 12, 20, 7 at nodes x = 8; 33..36 at (0 0) (1 0) (1 1) (0 1): moments y Fz - z Fy, z Fx - x Fz, x Fy - y Fx */
    const double want[6] = {-12, -20, -7, -(7 - 10), -(6 - 56), -(160 - 6)};
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(row[i], want[i], 1e-8 * 160); /* round-off of a system whose condition is some 1e6 */
    CHECK_CLOSE(row[6], 4, 1e-12);
    CHECK_CLOSE(row[9], -1, 1e-12);
    CHECK_CLOSE(row[15], 1, 1e-12);
    CHECK_CLOSE(row[16], 12, 1e-6);
    free(row);
}

/* Three cubes of six tetrahedra each along x, cut at x = 1, where most of them have an edge or a corner alone; the loads of above. */
static void write_tetrahedra(char *text, size_t size)
{
    static const int cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
                     corner[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                     {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
    size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, size - n, __VA_ARGS__)
    ADD("*NODE,NSET=ALL\n");
    for (int k = 0; k < 16; k++)
        ADD("%d,%d,%d,%d\n", k + 1, k / 4, k / 2 % 2, k % 2);
    ADD("*ELEMENT,TYPE=C3D4,ELSET=E\n");
    for (int e = 0; e < 18; e++) {
        ADD("%d", e + 1);
        for (int a = 0; a < 4; a++) {
            const int *c = cube[corner[e % 6][a]];
            ADD(",%d", 4 * (e / 6 + c[0]) + 2 * c[1] + c[2] + 1);
        }
        ADD("\n");
    }
    ADD("*NSET,NSET=LOW\n1,2,3,4\n*NSET,NSET=TOP\n13,14,15,16\n*SURFACE,NAME=CUT\n9,S1\n10,S1\n"
        "*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nLOW,1,3\n"
        "*STEP\n*STATIC\n*CLOAD\nTOP,1,3.\nTOP,2,5.\n14,3,7.\n"
        "*SECTION PRINT,SURFACE=CUT,NAME=A\nSOF,SOM\n*END STEP\n");
#undef ADD
}

/* Of Abaqus in balance with the loads 12, 20, 7 at x = 3; of CalculiX 2.20 by stresses that are means over all elements of a node. */
static void a_cut_has_all_elements_of_its_nodes(void **state)
{
    static const double balance[6] = {-12, -20, -7, 10, -(6 - 21), -(60 - 6)},
                        calculix[6] = {-17.73590, -18.90958, -6.812591, 5.665992, -3.448624, -11.43490};
    char text[8000];
    (void)state;
    write_tetrahedra(text, sizeof text);
    for (int dialect = 0; dialect < 2; dialect++) {
        int64_t shape[3];
        run_deck(text, dialect == 0 ? SW_DECK_ABAQUS : SW_DECK_CALCULIX);
        double *row = read_table(1, "SECTION", shape);
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(row[i], dialect == 0 ? balance[i] : calculix[i],
                        dialect == 0 ? 1e-10 * 60 : 2e-6 * 19);
        CHECK_CLOSE(row[15], 1, 1e-12);
        free(row);
    }
}

/* ---- When, and of which set ---- */

/* Increments of 1/10: every third, and the last; energies of two elements and of all of them. */
static void rows_come_when_they_are_asked_for(void **state)
{
    char text[8000];
    int64_t shape[3];
    (void)state;
    write_bar(
        "*ELASTIC\n200000.,.3\n*PLASTIC\n250.,0.\n450.,.1\n",
        "*STEP\n*STATIC,DIRECT\n.1,1.\n*BOUNDARY\nTOP,1,1,.1\n"
        "*NODE PRINT,NSET=TOP,FREQUENCY=3\nU\n*EL PRINT,ELSET=FIRST,FREQUENCY=5,TOTALS=ONLY\nELSE,ELPD\n"
        "*EL PRINT,ELSET=FIRST,FREQUENCY=0\nS\n*ENERGY PRINT,ELSET=FIRST,FREQUENCY=20\n"
        "*EL PRINT,ELSET=FIRST,FREQUENCY=5\nPE,PEEQ\n*END STEP\n"
        "*STEP\n*STATIC,DIRECT\n.5,1.\n*END STEP\n",
        text, sizeof text);
    run_deck(text, SW_DECK_ABAQUS);
    double *u = read_table(1, "U", shape);
    assert_int_equal(shape[0], 4); /* 3, 6, 9, 10 */
    assert_int_equal(shape[1], 4);
    assert_int_equal(shape[2], 4);
    CHECK_CLOSE(u[1 * 16 + 1], .06, 1e-12);
    free(u);
    double *elastic = read_table(2, "ELSE", shape), *plastic, *set;
    assert_int_equal(shape[0], 2);
    assert_int_equal(shape[1], 1);
    plastic = read_table(3, "ELPD", shape);
    set = read_table(4, "ENERGY", shape);
    assert_int_equal(shape[0], 1);
    assert_int_equal(shape[2], 4);
    assert_true(set[0] > 0 && set[1] > set[0]);
    CHECK_CLOSE(elastic[3 + 2], set[0], 1e-12 * set[0]); /* sums in another order */
    CHECK_CLOSE(plastic[3 + 2], set[1], 1e-12 * set[1]);
    free(elastic);
    free(plastic);
    free(set);
    double *strain = read_table(5, "PE", shape), *equivalent;
    assert_int_equal(shape[1], 16);
    assert_int_equal(shape[2], 8);
    equivalent = read_table(6, "PEEQ", shape);
    for (int q = 0; q < 16; q++) { /* all flow the same way all the time: |PE| is PEEQ; no volume */
        const double *e = strain + 128 + 8 * q + 2;
        double square = 0;
        for (int i = 0; i < 6; i++)
            square += (i < 3 ? 1 : 2) * e[i] * e[i];
        CHECK_CLOSE(e[0] + e[1] + e[2], 0, 1e-15);
        CHECK_CLOSE(sqrt(2 * square / 3), equivalent[48 + 3 * q + 2], 1e-3 * equivalent[48 + 3 * q + 2]);
    }
    free(strain);
    free(equivalent);
    u = read_table(7, "U", shape); /* the next step goes on with them */
    assert_int_equal(shape[0], 1);
    free(u);
}

/* COORD at rest, as CalculiX 2.20 prints it with NLGEOM and without; of Abaqus with NLGEOM where the body is. */
static void places_are_at_rest_but_abaqus_with_nlgeom(void **state)
{
    static const char *const steps[2] = {"*STEP", "*STEP,NLGEOM"};
    const double point = 7.5 + 0.5 / sqrt(3); /* the last one of the last element */
    (void)state;
    for (int k = 0; k < 4; k++) {
        char text[8000], step[400];
        int64_t shape[3];
        snprintf(step, sizeof step,
                 "%s\n*STATIC\n*BOUNDARY\nTOP,1,1,.5\n*NODE PRINT,NSET=TOP\nCOORD\n*EL "
                 "PRINT,ELSET=E\nCOORD\n*END STEP\n",
                 steps[k / 2]);
        write_bar("*ELASTIC\n200000.,0.\n", step, text, sizeof text);
        run_deck(text, k % 2 ? SW_DECK_ABAQUS : SW_DECK_CALCULIX);
        const double stretch = k == 3 ? 8.5 / 8 : 1;
        double *node = read_table(1, "COORD", shape), *points = read_table(2, "COORD", shape);
        CHECK_CLOSE(node[1], 8 * stretch, 1e-6);
        assert_int_equal(shape[1], 64);
        CHECK_CLOSE(points[5 * 63 + 2], point * stretch, 1e-6);
        free(node);
        free(points);
    }
}

/* As CalculiX 2.20: 8 of the first layer, 8 of the second. */
static void points_are_numbered_through_the_layers(void **state)
{
    int64_t shape[3];
    (void)state;
    run_deck(
        "*NODE,NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,.5,0,0\n6,1,.5,0\n7,.5,1,0\n8,0,.5,0\n"
        "*ELEMENT,TYPE=S8R,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n"
        "*SHELL "
        "SECTION,ELSET=E,COMPOSITE\n.04,,M\n.06,,M\n*BOUNDARY\n1,1,6\n4,1,6\n8,1,6\n2,1,1,1e-3\n3,1,1,1e-3\n"
        "2,3,3\n3,3,3\n*STEP\n*STATIC\n*EL PRINT,ELSET=E\nS\n*END STEP\n",
        SW_DECK_CALCULIX);
    double *row = read_table(1, "S", shape);
    assert_int_equal(shape[1], 16);
    for (int q = 0; q < 16; q++)
        CHECK_CLOSE(row[8 * q + 1], q + 1, 0);
    free(row);
}

/* What has no faces writes nothing, and ends nothing. */
static void surfaces_without_faces_are_passed_over(void **state)
{
    char text[8000];
    hid_t opened;
    (void)state;
    write_bar("*ELASTIC\n200000.,.3\n*SURFACE,NAME=DOTS,TYPE=NODE\nTOP\n",
              "*STEP\n*STATIC\n*CLOAD\nTOP,1,3.\n*SECTION PRINT,SURFACE=DOTS,NAME=A\nSOF\n"
              "*SECTION PRINT,NAME=A\nSOF\n*END STEP\n",
              text, sizeof text);
    run_deck(text, SW_DECK_CALCULIX);
    CHECK_OK(sw_h5_open(file, 0, &opened));
    assert_false(sw_h5_exists(opened, "prints"));
    H5Fclose(opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(elements_and_surfaces_are_as_calculix_prints_them, remove_results),
        cmocka_unit_test_teardown(forces_of_nodes_balance_the_load, remove_results),
        cmocka_unit_test_teardown(a_cut_has_all_elements_of_its_nodes, remove_results),
        cmocka_unit_test_teardown(rows_come_when_they_are_asked_for, remove_results),
        cmocka_unit_test_teardown(places_are_at_rest_but_abaqus_with_nlgeom, remove_results),
        cmocka_unit_test_teardown(points_are_numbered_through_the_layers, remove_results),
        cmocka_unit_test_teardown(surfaces_without_faces_are_passed_over, remove_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
