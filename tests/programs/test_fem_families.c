/* What finite elements tell of families of slip systems and twins: fields of elements, and means over the body by volume. */
#include "programs.h"

#include "common/math/rotation.h"

#include "tests/hexagonal.h"

enum { ROOM = 64, FAMILIES = 4, TWIN = 3, VARIANTS = 6 };

static void read_rows(const char *path, const char *name, int64_t *shape, double (*row)[ROOM])
{
    static double all[ROOM * ROOM];
    hid_t file = open_results(path);
    CHECK_OK(sw_h5_shape(file, name, 2, shape));
    assert_true(shape[0] <= ROOM && shape[1] <= ROOM);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 2, shape, all));
    for (int64_t i = 0; i < shape[0]; i++)
        memcpy(row[i], all + i * shape[1], (size_t)shape[1] * sizeof *all);
    H5Fclose(file);
}

/* One value an element. */
static void read_field(const char *path, const char *name, int64_t elements, double *value)
{
    char full[128];
    hid_t file = open_results(path);
    snprintf(full, sizeof full, "VTKHDF/CellData/%s", name);
    CHECK_OK(sw_h5_read(file, full, H5T_NATIVE_DOUBLE, 1, &elements, value));
    H5Fclose(file);
}

static void check_families(const char *path, const char *name, const char *families)
{
    char *text;
    hid_t file = open_results(path), set = H5Dopen2(file, name, H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(set, "families", &text));
    assert_string_equal(text, families);
    free(text);
    H5Dclose(set);
    H5Fclose(file);
}

static void remove_results(void)
{
    unlink("out.h5");
    unlink("out.vtkhdf.series");
    unlink("out-0020.vtkhdf");
}

/* ---- Against `slipwave taylor` ---- */

/* Orientations with c along 3, spread: compressed along 1 they twin. */
static void write_grains(int n)
{
    char text[64 * 100] = "", row[100];
    for (int i = 0; i < n; i++) {
        snprintf(row, sizeof row, "%d %d %d\n", 37 * i % 360, 3 + 29 * i % 40, 53 * i % 360);
        strcat(text, row);
    }
    write_text("grains.ori", text);
}

/* An element whose points all have the same crystals, strained evenly. Its rate ends 4 % higher than it began (m = 0.05: 0.2 % of the stress),
 * and slips of a step by elastoplastic are good to the half of 1 % in steps of 0.002: 2 % of a family's slip with those of the first steps.
 * 0.02 of turned fraction are of one crystal in 50. */
static void an_even_body_tells_what_a_taylor_polycrystal_does(void **state)
{
    (void)state;
    static const char even[] =
        "mesh: {body: box, cells: [1, 1, 1], size: [1.0e-4, 1.0e-4, 1.0e-4]}\n"
        "strain: finite\nmaterials:\n"
        "  - crystals: {material: turning.yaml, file: grains.ori}\n"
        "periodic:\n  mean_gradient: [[-0.04, 0, 0], [0, 0, 0], [0, 0, 0.0416666667]]\n"
        "steps: [{factor: 1.0, increments: 20, time: 40.0}]\noutput: {file: out.h5}\n";
    static const char taylor[] =
        "material: turning.yaml\nsolver: elastoplastic\ncrystals: {file: grains.ori}\n"
        "loading: [{velocity_gradient: [[-1.02055e-3, 0, 0], [0, 0, 0], [0, 0, 1.02055e-3]], duration: 40, "
        "steps: 20}]\noutput: {file: taylor.h5, textures: [], orientations: []}\n";
    static const struct {
        const char *name, *families;
        double relative, absolute;
    } told[] = {{"history/family_slip", "basal prismatic pyramidal2_ca tension_twin", 0.02, 5e-4},
                {"history/twin_fraction", "tension_twin", 0.02, 2e-3},
                {"history/turned_fraction", "tension_twin", 0, 0.021}};
    static double fem[ROOM][ROOM], own[ROOM][ROOM];
    int64_t shape[2], of[2];
    result r;
    write_text("turning.yaml", turning_text);
    write_grains(50);
    write_text("fem.yaml", even);
    write_text("taylor.yaml", taylor);
    run_well("slipwave fem -q fem.yaml -j 1 --device cpu", &r);
    run_well("slipwave taylor -q taylor.yaml -j 1 --device cpu", &r);
    for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
        read_rows("out.h5", told[k].name, shape, fem);
        read_rows("taylor.h5", told[k].name, of, own);
        check_families("out.h5", told[k].name, told[k].families);
        assert_int_equal(shape[0], 20);
        assert_int_equal(of[0], 21);
        assert_int_equal(shape[1], of[1]);
        for (int i = 0; i < shape[0]; i++)
            for (int j = 0; j < shape[1]; j++)
                CHECK_CLOSE(fem[i][j], own[i + 1][j], told[k].relative * own[i + 1][j] + told[k].absolute);
        assert_true(own[20][0] > 0.01);
    }
    remove_results();
    unlink("taylor.h5");
}

/* ---- Variants ---- */

/* A field's vector v [3] of the sample in a crystal of these angles, degrees. */
static void into_crystal(const double degrees[3], const double v[3], double in[3])
{
    const double a = degrees[0] * SW_PI / 180, b = degrees[1] * SW_PI / 180, c = degrees[2] * SW_PI / 180;
    const double g[3][3] = {{cos(a) * cos(c) - sin(a) * cos(b) * sin(c),
                             sin(a) * cos(c) + cos(a) * cos(b) * sin(c), sin(b) * sin(c)},
                            {-cos(a) * sin(c) - sin(a) * cos(b) * cos(c),
                             -sin(a) * sin(c) + cos(a) * cos(b) * cos(c), sin(b) * cos(c)},
                            {sin(a) * sin(b), -cos(a) * sin(b), cos(b)}};
    for (int i = 0; i < 3; i++)
        in[i] = g[i][0] * v[0] + g[i][1] * v[1] + g[i][2] * v[2];
}

/* The shear that a pull along 3 resolves on a tension twin of this plane: its direction is c less what of it is normal to the
 * plane, towards which the twin lengthens c. */
static double resolved(const double normal[3], const double pull[3])
{
    double direction[3] = {-normal[2] * normal[0], -normal[2] * normal[1], 1 - normal[2] * normal[2]};
    const double length = sqrt(direction[2]), sense = normal[2] > 0 ? 1 : -1;
    double along = 0, across = 0;
    for (int i = 0; i < 3; i++) {
        along += sense * direction[i] / length * pull[i];
        across += normal[i] * pull[i];
    }
    return along * across;
}

/* A crystal pulled along 3 by 0.004 with free sides, where no other stress is: by m = 0.05 variants are as the twentieth powers of the
 * shears that it resolves. The lattice turns meanwhile, by up to half the plastic strain of 0.002, which changes a shear by 6e-5 of the 0.5 that
 * it is (2 cos 86 degrees times half of the turn), its power by 2e-3 and that of all by some 3e-4; three times that. Together they are the
 * family's fraction, for no twin turns. Turned by 60 degrees about c the crystal has its variants in other places. */
static void variants_are_those_of_resolved_shear(void **state)
{
    (void)state;
    static const char body[] =
        "mesh: {body: box, cells: [1, 1, 1], size: [1.0e-4, 1.0e-4, 1.0e-4]}\nstrain: finite\nmaterials:\n"
        "  - crystals: {material: turning.yaml, file: one.ori}\n"
        "periodic:\n  mean_gradient: [[x, x, x], [0, x, x], [0, 0, 0.004]]\n"
        "steps: [{factor: 1.0, increments: 20, time: 4.0}]\noutput: {file: out.h5}\n";
    static const double angles[2][3] = {{20, 8, 10}, {20, 8, 70}}, three[3] = {0, 0, 1};
    static double row[2][ROOM][ROOM], normal[VARIANTS][3];
    write_edited("turning.yaml", turning_text, "twin_threshold: 0.05", "twin_threshold: 1.0");
    write_text("fem.yaml", body);
    for (int k = 0; k < 2; k++) {
        double fraction, pull[3], sum = 0, most = 0, shear[VARIANTS], least = 1;
        int64_t shape[2];
        result r;
        write_text("one.ori", k == 0 ? "20 8 10\n" : "20 8 70\n");
        run_well("slipwave fem -q fem.yaml -j 1 --device cpu", &r);
        hid_t file = open_results("out.h5"), set = H5Dopen2(file, "history/twin_variants", H5P_DEFAULT);
        CHECK_OK(sw_h5_read_numbers(set, "normals", 3 * VARIANTS, normal[0]));
        H5Dclose(set);
        H5Fclose(file);
        read_field("out-0020.vtkhdf", "twin_fraction_tension_twin", 1, &fraction);
        read_rows("out-0020.vtkhdf", "VTKHDF/CellData/twin_variants_tension_twin", shape, row[k]);
        assert_true(shape[0] == 1 && shape[1] == VARIANTS);
        into_crystal(angles[k], three, pull);
        for (int v = 0; v < VARIANTS; v++) {
            shear[v] = pow(resolved(normal[v], pull), 20);
            sum += row[k][0][v];
            most = greatest(most, shear[v]);
        }
        for (int v = 0; v < VARIANTS; v++) {
            least = shear[v] < least * most ? shear[v] / most : least;
            for (int w = 0; w < VARIANTS; w++)
                CHECK_CLOSE(row[k][0][v] * shear[w], row[k][0][w] * shear[v], 1e-3 * most * sum);
        }
        assert_true(least < 0.5 && sum > 1e-3);
        CHECK_CLOSE(sum, fraction, 1e-6 * sum); /* single precision */
        remove_results();
    }
    assert_true(fabs(row[0][0][0] - row[1][0][0]) > 0.1 * row[0][0][0]);
}

/* ---- Means ---- */

/* Rings of volumes 1 and 3 of one material, of which the outer one is another crystal, and of two: means are by volume, over the
 * elements whose crystals have the family. Weights are in single precision. */
static void bodies_tell_means_by_volume(void **state)
{
    (void)state;
    static const char *const body =
        "mesh: {body: box, cells: [2, 1], size: [2.0e-3, 1.0e-3], sets: [{name: in, kind: elements, from: "
        "[0, 0], "
        "to: [1.0e-3, 1.0e-3]}, {name: out, kind: elements, from: [1.0e-3, 0], to: [2.0e-3, 1.0e-3]}]}\n"
        "kinematics: axisymmetric\nstrain: finite\nmaterials:\n%s"
        "boundary: [{nodes: y_min, y: 0}, {nodes: x_min, x: 0}, {nodes: y_max, y: -2.0e-5}]\n"
        "steps: [{factor: 1.0, increments: 20, time: 20.0}]\noutput: {file: out.h5}\n";
    static const char *const materials[] = {
        "  - {elements: all, crystals: {material: twinning.yaml, count: 1, seed: 3}}\n",
        "  - {elements: in, crystals: {material: twinning.yaml, count: 2}}\n"
        "  - {elements: out, crystals: {material: twinning.yaml, count: 3, seed: 5}}\n",
        "  - {elements: in, crystals: {material: copper.yaml, count: 2}}\n"
        "  - {elements: out, crystals: {material: twinning.yaml, count: 3}}\n"};
    static const char *const names[FAMILIES] = {"basal", "prismatic", "pyramidal2_ca", "tension_twin"};
    static double row[ROOM][ROOM];
    result r;
    char *copper = read_data("materials/copper-ofhc.yaml");
    write_text("copper.yaml", copper);
    free(copper);
    write_text("twinning.yaml", twinning_text);
    for (int m = 0; m < 3; m++) {
        char text[2000];
        int64_t shape[2];
        snprintf(text, sizeof text, body, materials[m]);
        write_text("fem.yaml", text);
        run_well("slipwave fem -q fem.yaml -j 1 --device cpu", &r);
        read_rows("out.h5", "history/family_slip", shape, row);
        assert_true(shape[0] == 20 && shape[1] == FAMILIES);
        for (int f = 0; f < FAMILIES; f++) {
            double field[2];
            char name[80];
            snprintf(name, sizeof name, "family_slip_%s", names[f]);
            read_field("out-0020.vtkhdf", name, 2, field);
            const double mean = m < 2 ? 0.25 * field[0] + 0.75 * field[1] : field[1];
            assert_true(field[1] > 0 && (m == 2 ? field[0] == 0 : fabs(field[0] - field[1]) > 1e-3 * mean));
            CHECK_CLOSE(row[19][f], mean, 1e-6 * mean);
        }
        remove_results();
    }
}

/* Crystals of one resistance have no families to tell of. */
static void others_are_silent(void **state)
{
    (void)state;
    result r;
    char *copper = read_data("materials/copper-ofhc.yaml");
    write_text("copper.yaml", copper);
    free(copper);
    write_text("fem.yaml",
               "mesh: {body: box, cells: [1, 1, 1], size: [1.0e-4, 1.0e-4, 1.0e-4]}\nstrain: finite\n"
               "materials: [{crystals: {material: copper.yaml, count: 3}}]\n"
               "periodic: {mean_gradient: [[0.01, 0, 0], [0, x, 0], [0, 0, x]]}\n"
               "steps: [{factor: 1.0, increments: 20, time: 10.0}]\noutput: {file: out.h5}\n");
    run_well("slipwave fem -q fem.yaml -j 1 --device cpu", &r);
    hid_t file = open_results("out.h5");
    assert_false(sw_h5_exists(file, "history/family_slip") || sw_h5_exists(file, "history/twin_fraction"));
    H5Fclose(file);
    remove_results();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_even_body_tells_what_a_taylor_polycrystal_does),
                                       cmocka_unit_test(variants_are_those_of_resolved_shear),
                                       cmocka_unit_test(bodies_tell_means_by_volume),
                                       cmocka_unit_test(others_are_silent)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
