/* Programs whose elements and particles are made of crystals with families of slip systems: they go on to the same bits from what is
 * kept, with their own crystals only, and as others do where families are no more than a lattice's one resistance. */
#include "programs.h"

#include "tests/hexagonal.h"

/* ---- Same numbers ---- */

typedef struct {
    hid_t other;
    const char *but; /* between blanks: what a clock says, and searches */
    int sets;
} comparison;

static herr_t compare_set(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    comparison *c = context;
    char padded[128];
    (void)info;
    snprintf(padded, sizeof padded, " %s ", name);
    if (strstr(c->but, padded) != NULL)
        return 0;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(set);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    assert_true(n > 0 && a != NULL && b != NULL);
    hid_t other = H5Dopen2(c->other, name, H5P_DEFAULT);
    assert_true(other >= 0);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, a) >= 0);
    assert_true(H5Dread(other, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, b) >= 0);
    if (memcmp(a, b, (size_t)n * sizeof *a) != 0)
        fail_msg("%s differs", name);
    c->sets++;
    free(a);
    free(b);
    H5Sclose(space);
    H5Dclose(set);
    H5Dclose(other);
    return 0;
}

static void assert_same_history(const char *path, const char *other, const char *but)
{
    hid_t a = open_results(path), b = open_results(other), group = H5Gopen2(a, "history", H5P_DEFAULT);
    comparison c = {H5Gopen2(b, "history", H5P_DEFAULT), but, 0};
    assert_true(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, compare_set, &c) >= 0);
    assert_true(c.sets > 5);
    H5Gclose(group);
    H5Gclose(c.other);
    H5Fclose(a);
    H5Fclose(b);
}

/* ---- Others ---- */

static const struct {
    const char *old, *new;
} others[] = {{"c_over_a: 1.6235", "c_over_a: 1.63"},
              {"family: prismatic", "family: pyramidal_a"},
              {"initial_slip_resistance: 55.0e6", "initial_slip_resistance: 56.0e6"},
              {"hardening_by_slip: 50.0e6", "latent: [1, 1, 1, 2], hardening_by_slip: 50.0e6"}};

static void assert_own_families(const char *command)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_edited("twinning.yaml", twinning_text, others[i].old, others[i].new);
        assert_refused(command, 1, (const char *const[]){"belongs to a run with another material"});
    }
    write_text("twinning.yaml", twinning_text);
}

/* ---- Elements ---- */

static const char fem_text[] = "mesh: {body: box, cells: [2, 1, 1], size: [1.0e-4, 1.0e-4, 1.0e-4]}\n"
                               "strain: finite\n"
                               "materials:\n"
                               "  - crystals: {material: twinning.yaml, solver: elastoplastic, count: 5}\n"
                               "periodic:\n"
                               "  mean_gradient: [[0.02, 0, 0], [0, x, 0], [0, 0, x]]\n"
                               "steps: [{factor: 1.0, increments: 6, time: 20.0}]\n"
                               "output: {file: out.h5, restart: [3]}\n";

static void bodies_go_on_from_what_is_kept(void **state)
{
    (void)state;
    static const char restart[] = "slipwave fem -q fem.yaml -j 1 --device cpu --restart saved.h5";
    result r;
    write_text("twinning.yaml", twinning_text);
    write_text("fem.yaml", fem_text);
    run_well("slipwave fem -q fem.yaml -j 1 --device cpu", &r);
    assert_int_equal(rename("out.h5", "whole.h5"), 0);
    assert_int_equal(rename("out-0003.restart.h5", "saved.h5"), 0);
    assert_own_families(restart);
    run_well(restart, &r);
    assert_same_history("whole.h5", "out.h5", " seconds ");
    unlink("out.h5");
    unlink("whole.h5");
}

/* One element whose points all have the same crystals, strained evenly: what `slipwave taylor` makes of them. Its rate ends 2 % lower,
 * which m = 0.05 makes 0.1 %, and its increments are longer. */
static void an_even_body_is_a_taylor_polycrystal(void **state)
{
    (void)state;
    static const char even[] =
        "mesh: {body: box, cells: [1, 1, 1], size: [1.0e-4, 1.0e-4, 1.0e-4]}\n"
        "strain: finite\n"
        "materials:\n"
        "  - crystals: {material: twinning.yaml, solver: elastoplastic, file: grains.ori}\n"
        "periodic:\n"
        "  mean_gradient: [[0.02, 0, 0], [0, -0.0196078431, 0], [0, 0, 0]]\n"
        "steps: [{factor: 1.0, increments: 20, time: 20.0}]\n"
        "output: {file: out.h5}\n";
    static const char taylor[] =
        "material: twinning.yaml\nsolver: elastoplastic\ncrystals: {file: grains.ori}\n"
        "loading: [{velocity_gradient: [[9.9013e-4, 0, 0], [0, -9.9013e-4, 0], [0, 0, 0]], duration: 20, "
        "steps: 20}]\n"
        "output: {file: taylor.h5, textures: [], orientations: []}\n";
    double s[2][3][3];
    result r;
    write_text("twinning.yaml", twinning_text);
    write_text("grains.ori", "0 90 0\n30 40 10\n80 20 50\n10 70 200\n120 60 300\n90 90 0\n");
    write_text("fem.yaml", even);
    write_text("taylor.yaml", taylor);
    run_well("slipwave fem -q fem.yaml -j 1 --device cpu", &r);
    run_well("slipwave taylor -q taylor.yaml -j 1 --device cpu", &r);
    for (int k = 0; k < 2; k++) {
        static double all[32][3][3];
        int64_t shape[3];
        hid_t file = open_results(k == 0 ? "out.h5" : "taylor.h5");
        const char *const name = k == 0 ? "history/mean_cauchy_stress" : "history/cauchy_stress";
        CHECK_OK(sw_h5_shape(file, name, 3, shape));
        assert_in_range(shape[0], 20, 32);
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 3, shape, all));
        H5Fclose(file);
        memcpy(s[k], all[shape[0] - 1], sizeof s[k]);
        const double mean = (s[k][0][0] + s[k][1][1] + s[k][2][2]) / 3;
        for (int i = 0; i < 3; i++)
            s[k][i][i] -= mean;
    }
    assert_true(s[1][0][0] > 30e6);
    for (int i = 0; i < 9; i++)
        CHECK_CLOSE(s[0][i / 3][i % 3], s[1][i / 3][i % 3], 0.005 * s[1][0][0]);
    unlink("out.h5");
    unlink("taylor.h5");
}

/* ---- Particles ---- */

static const char dem_text[] =
    "material: {law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900}\n"
    "crystals: {material: twinning.yaml, solver: rigid_plastic, count: 3}\n"
    "packing: {particles: 64, radii: {distribution: monodisperse, radius: 50.0e-6}, pressure: 1.0e6,\n"
    "          friction: 0.0, inertia_number: 5.0e-2}\n"
    "numerics: {time_scale: 1.0e6, record_strain: 5.0e-3}\n"
    "loading:\n"
    "  - {test: compaction, relative_density: 0.72, lateral: 0, inertia_number: 5.0e-2}\n"
    "execution: {checkpoint: 0.1}\n"
    "output: {file: out.h5}\n";

static void packings_go_on_from_what_is_kept(void **state)
{
    (void)state;
    static const char command[] = "slipwave dem -q dem.yaml --device cpu",
                      resume[] = "slipwave dem -q dem.yaml --device cpu --resume";
    result r;
    write_text("twinning.yaml", twinning_text);
    write_text("dem.yaml", dem_text);
    run_well(command, &r);
    assert_int_equal(rename("out.h5", "whole.h5"), 0);
    assert_int_equal(stop_after_first(command, SIGTERM), 130);
    assert_own_families(resume);
    run_well(resume, &r);
    assert_same_history("whole.h5", "out.h5", "  ");
    unlink("out.h5");
    unlink("whole.h5");
    write_edited("dem.yaml", dem_text, "rigid_plastic", "elastoplastic");
    assert_refused(
        command, 1,
        (const char *const[]){"crystals.solver = elastoplastic: remembers more of crystals than these keep"});
}

static const char fcc_text[] =
    "name: copper\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.05, %s}\n%s";

/* FCC of one family whose systems harden each other as themselves is FCC with one resistance, in which nothing is remembered. Contacts
 * of 64 particles come and go with the last digit, by which pressures part by 1 to 8 % on the way and by some 1 % at the end;
 * crystals that forgot would not harden, and be a third softer. */
static void one_family_is_the_lattices_one_resistance(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"initial_slip_resistance: 16.0e6", "hardening: {law: voce, initial_hardening_rate: 180.0e6, "
                                            "saturation_resistance: 148.0e6, exponent: 2.25}\n"},
        {"families: [{family: \"111\", initial_slip_resistance: 16.0e6, initial_hardening_rate: 180.0e6, "
         "saturation_resistance: "
         "148.0e6, exponent: 2.25}]",
         "hardening: {law: phenopowerlaw}\n"}};
    double resistance[2], pressure[2];
    result r;
    write_text("dem.yaml", dem_text);
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text, fcc_text, texts[k][0], texts[k][1]);
        write_text("twinning.yaml", text);
        run_well("slipwave dem -q dem.yaml --device cpu", &r);
        int64_t shape[2];
        hid_t file = open_results("out.h5");
        CHECK_OK(sw_h5_shape(file, "history/pressure", 2, shape));
        pressure[k] = number_at(file, "history/pressure", 2, shape, shape[1] - 1);
        resistance[k] = number_at(file, "history/slip_resistance", 2, shape, shape[1] - 1);
        H5Fclose(file);
        unlink("out.h5");
    }
    assert_true(resistance[0] > 1.3 * 16e6);
    CHECK_CLOSE(resistance[1], resistance[0], 0.03 * resistance[0]);
    CHECK_CLOSE(pressure[1], pressure[0], 0.1 * pressure[0]);
    write_text("twinning.yaml", twinning_text);
}

/* What a solver does not take of families, and temperatures at which they do not hold, are of a line of a file. */
static void refusals_name_file_line_and_key(void **state)
{
    (void)state;
    static const char material[] =
        "name: m\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
        "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
        "    - {family: \"111\", initial_slip_resistance: 16.0e6, initial_hardening_rate: 180.0e6, "
        "saturation_resistance: 148.0e6, exponent: 2.25}\nhardening: {law: phenopowerlaw}\n";
    static const char text[] =
        "material: m.yaml\nsolver: elastoplastic\ncrystals: {count: 5}\nloading:\n"
        "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, -5.0e-4, 0], [0, 0, -5.0e-4]], duration: 1}\n"
        "temperature: 2500\noutput: {file: out.h5}\n";
    static const struct {
        const char *more, *solver, *part;
    } refused[] = {
        {"exponent: 2.25, back_stress_modulus: 1.0e9, back_stress_decay: 10", "solver: iterative",
         "job.yaml:2: solver = iterative: has no back_stress_modulus: solver elastoplastic has"},
        {"exponent: 2.25, rate_sensitivity: 0.1", "solver: rigid_plastic",
         "job.yaml:2: solver = rigid_plastic: has no rate_sensitivity or reference_slip_rate of a family"},
        {"exponent: 2.25", "solver: elastoplastic\nhomogenization: self_consistent",
         "job.yaml:3: homogenization = self_consistent: solver"},
    };
    char plain[sizeof text];
    snprintf(plain, sizeof plain, "%s", edited(text, "temperature: 2500\n", ""));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        write_edited("m.yaml", material, "exponent: 2.25", refused[i].more);
        write_edited("job.yaml", plain, "solver: elastoplastic", refused[i].solver);
        assert_refused("slipwave taylor -q --device cpu job.yaml", 1, &refused[i].part);
    }
    char *aluminium = read_data("materials/aluminium-5182.yaml");
    static const char *const hot[] = {
        "job.yaml:6: temperature: aluminium 5182: family 111 resists slip with -2.9"};
    write_text("m.yaml", aluminium);
    write_text("job.yaml", text);
    assert_refused("slipwave taylor -q --device cpu job.yaml", 1, hot);
    static const char *const own[] = {
        "m.yaml:9: temperature: aluminium 5182: family 111 resists slip with -2.9"};
    write_edited("m.yaml", aluminium, "temperature: 298 ", "temperature: 2500 ");
    write_text("job.yaml", plain);
    assert_refused("slipwave taylor -q --device cpu job.yaml", 1, own);
    free(aluminium);
    unlink("m.yaml");
    unlink("job.yaml");
}

/* ---- Textures of bodies of two metals ---- */

static const char two_metals[] =
    "mesh:\n  body: box\n  cells: [3, 1, 1]\n  size: [3.0e-3, 1.0e-3, 1.0e-3]\n  sets:\n"
    "    - {name: left, kind: elements, from: [0, 0, 0], to: [2.0e-3, 1.0e-3, 1.0e-3]}\n"
    "    - {name: right, kind: elements, from: [2.0e-3, 0, 0], to: [3.0e-3, 1.0e-3, 1.0e-3]}\n"
    "strain: finite\nmaterials:\n  - {elements: left, crystals: {material: copper.yaml, file: cube.ori}}\n"
    "  - {elements: right, crystals: {material: copper.yaml, count: 20}}\n"
    "periodic: {mean_gradient: [[x, 0, 0], [0, 1.0e-4, 0], [0, 0, x]]}\n"
    "steps: [{factor: 1.0, increments: 1, time: 0.1}]\n"
    "output: {file: out.h5, fields: [last], textures: [all, left, right]}\n";

static double cube_fraction(hid_t file, int set)
{
    double fraction[32];
    int64_t n;
    char name[64];
    snprintf(name, sizeof name, "texture/%d/component_fraction", set);
    CHECK_OK(sw_h5_shape(file, name, 1, &n));
    assert_in_range(n, 1, 32);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 1, &n, fraction));
    return fraction[0];
}

/* Two elements of one crystal a point, along the cube, and one of 20 a point: of the whole two thirds are the former. Crystals of two
 * lattices have no texture. */
static void textures_weigh_volumes_of_one_lattice(void **state)
{
    (void)state;
    static const char *const refusal[] = {
        "body.yaml:14: output.textures[0] = all: its elements have crystals of OFHC copper (fcc) and of "
        "magnesium (hexagonal): need a set of one lattice"};
    result r;
    write_text("copper.yaml", material_text);
    write_text("magnesium.yaml", hexagonal_text);
    write_text("cube.ori", "0 0 0\n");
    write_text("body.yaml", two_metals);
    run_well("slipwave fem -q --device cpu body.yaml", &r);
    hid_t file = open_results("out-0001.textures.h5");
    const double all = cube_fraction(file, 0), left = cube_fraction(file, 1), right = cube_fraction(file, 2);
    double index;
    CHECK_OK(sw_h5_read(file, "texture/2/texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &index));
    assert_true(index > 0.5 && index < 2); /* of 160 random crystals: 1 by 0.5, and no NaN */
    H5Fclose(file);
    CHECK_CLOSE(left, 1, 1e-9);
    assert_true(right < 0.2);
    CHECK_CLOSE(all, (2 * left + right) / 3, 1e-6);
    unlink("out.h5");
    unlink("out-0001.vtkhdf");
    unlink("out.vtkhdf.series");
    unlink("out-0001.textures.h5");
    write_edited("body.yaml", two_metals, "{material: copper.yaml, count",
                 "{material: magnesium.yaml, count");
    assert_refused("slipwave fem -q --device cpu body.yaml", 1, refusal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_go_on_from_what_is_kept),
        cmocka_unit_test(an_even_body_is_a_taylor_polycrystal),
        cmocka_unit_test(packings_go_on_from_what_is_kept),
        cmocka_unit_test(one_family_is_the_lattices_one_resistance),
        cmocka_unit_test(refusals_name_file_line_and_key),
        cmocka_unit_test(textures_weigh_volumes_of_one_lattice),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
