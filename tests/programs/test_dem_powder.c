/* `slipwave dem` for metal powders as their users meet them. */
#include "programs.h"

#define DEM "slipwave dem -q --device cpu "

static const char powder_text[] =
    "material: {law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900}\n"
    "crystals: {material: copper.yaml, count: 4}\n"
    "packing: {particles: 64, radii: {distribution: monodisperse, radius: 50.0e-6}, pressure: 1.0e6,\n"
    "          friction: 0.0, inertia_number: 5.0e-2}\n"
    "numerics: {time_scale: 1.0e6, record_strain: 5.0e-3}\n"
    "loading:\n"
    "  - {test: compaction, relative_density: 0.75, lateral: 0, inertia_number: 5.0e-2}\n"
    "execution: {checkpoint: 0.1}\n"
    "output: {file: out.h5, packings: [vtkhdf]}\n";

#define CRYSTALS "crystals: {material: copper.yaml, count: 4}\n"
#define MATERIAL_KEYS "density: 8900}"
#define STRENGTH "density: 8900, strength: 120.0e6, rate_sensitivity: 0.012}"

/* powder.yaml with a constant strength in place of crystals, and `more` after the material. */
static void write_plain(const char *path, const char *more, const char *old, const char *new)
{
    write_edited("plain-1.yaml", powder_text, CRYSTALS, more);
    char *text = read_bytes("plain-1.yaml", &(size_t){0});
    write_edited("plain-2.yaml", text, MATERIAL_KEYS, STRENGTH);
    free(text);
    text = read_bytes("plain-2.yaml", &(size_t){0});
    write_edited(path, text, old, new);
    free(text);
    unlink("plain-1.yaml");
    unlink("plain-2.yaml");
}

/* A quantity of the last record of the first element. */
static double last(const char *path, const char *name)
{
    char set[64];
    int64_t shape[2];
    hid_t file = open_results(path);
    snprintf(set, sizeof set, "history/%s", name);
    CHECK_OK(sw_h5_shape(file, set, 2, shape));
    const double value = number_at(file, set, 2, shape, shape[1] - 1);
    H5Fclose(file);
    return value;
}

/* ---- Crystals ---- */

static void crystals_harden_and_are_shown(void **state)
{
    (void)state;
    static const char *const fields[] = {"contacts", "normal_force", "material",        "strength",
                                         "strain",   "crystal_work", "slip_resistance", "fraction_Cube"};
    const int64_t particles = 64;
    double mean = 0;
    result r;
    run_well(DEM "powder.yaml", &r);
    assert_non_null(strstr(r.out, " MPa, q = "));
    CHECK_CLOSE(last("out.h5", "relative_density"), 0.75, 0.002);
    assert_true(last("out.h5", "slip_resistance") > 1.5 * 16e6);
    CHECK_CLOSE(last("out.h5", "crystal_work"), last("out.h5", "plastic_work"),
                0.1 * last("out.h5", "plastic_work"));
    hid_t file = open_results("out-0000.vtkhdf");
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        char name[64];
        snprintf(name, sizeof name, "VTKHDF/PointData/%s", fields[k]);
        double *value = read_set(file, name, 1, &particles);
        for (int i = 0; i < 64 && k == 6; i++)
            mean += value[i] / 64;
        free(value);
    }
    H5Fclose(file);
    CHECK_CLOSE(mean, last("out.h5", "slip_resistance"), 1e-6 * mean);
    unlink("out.h5");
    unlink("out-0000.vtkhdf");
}

static void stopped_run_resumes_to_the_same(void **state)
{
    (void)state;
    int64_t shape[2], again[2];
    result r;
    run_well(DEM "powder.yaml -o whole.h5", &r);
    unlink("whole-0000.vtkhdf");
    assert_int_equal(stop_after_first(DEM "powder.yaml", SIGTERM), 130);
    run_well(DEM "powder.yaml --resume", &r);
    hid_t one = open_results("whole.h5"), other = open_results("out.h5");
    CHECK_OK(sw_h5_shape(one, "history/pressure", 2, shape));
    CHECK_OK(sw_h5_shape(other, "history/pressure", 2, again));
    assert_int_equal(shape[1], again[1]);
    double *a = read_set(one, "history/pressure", 2, shape),
           *b = read_set(other, "history/pressure", 2, shape);
    assert_memory_equal(a, b, (size_t)shape[1] * sizeof *a);
    free(a);
    free(b);
    H5Fclose(one);
    H5Fclose(other);
    unlink("whole.h5");
    unlink("out.h5");
    unlink("out-0000.vtkhdf");
}

/* ---- Mixtures ---- */

/* Half of 64 particles are a hundred times as strong: where two of them touch, contacts hardly yield, and the
 * compact is stronger. Contacts with soft ones are as before: they yield on the soft side. */
static void hard_particles_strengthen(void **state)
{
    (void)state;
    const int64_t particles = 64;
    int hard = 0;
    result r;
    write_plain("plain.yaml", "", "", "");
    run_well(DEM "plain.yaml", &r);
    const double pressure = last("out.h5", "stress_33");
    write_plain("mixed.yaml", "others: [{part: 0.5, strength: 120.0e8}]\n", "", "");
    run_well(DEM "mixed.yaml", &r);
    hid_t file = open_results("out-0000.vtkhdf");
    double *material = read_set(file, "VTKHDF/PointData/material", 1, &particles);
    for (int i = 0; i < 64; i++)
        hard += material[i] == 1;
    free(material);
    H5Fclose(file);
    assert_true(hard == 32);
    print_message("with hard particles %.3f times the axial stress\n",
                  last("out.h5", "stress_33") / pressure);
    assert_true(last("out.h5", "stress_33") > 1.1 * pressure && last("out.h5", "stress_33") < 3 * pressure);
    unlink("plain.yaml");
    unlink("mixed.yaml");
    unlink("out.h5");
    unlink("out-0000.vtkhdf");
}

/* ---- Yield surfaces ---- */

/* Points of yield in the order of their angles: 0, 90, 270, 180 degrees, and where the deviator is largest. */
static void find_surface(const char *path, double pressure[5], double deviator[5], double start[2])
{
    enum { D = 16 };
    const int64_t one = 1, shape[2] = {1, D};
    hid_t file = open_results(path);
    double *p = read_set(file, "probes/pressure", 2, shape), *q = read_set(file, "probes/deviator", 2, shape);
    start[0] = number_at(file, "probes/start_pressure", 1, &one, 0);
    start[1] = number_at(file, "probes/start_deviator", 1, &one, 0);
    int most = 0;
    for (int d = 0; d < D; d++)
        most = q[d] > q[most] ? d : most;
    const int of[5] = {0, D / 4, 3 * D / 4, D / 2, most};
    for (int k = 0; k < 5; k++) {
        pressure[k] = p[of[k]];
        deviator[k] = q[of[k]];
    }
    free(p);
    free(q);
    H5Fclose(file);
}

/* After isostatic compaction the surface lies evenly about the axis of pressure and yields there where it was
 * left; after die compaction it reaches out to the side that it was loaded on (Fleck 1995; Sridhar and Fleck
 * 2000). Denser ones contain looser ones. Where contacts are welded it closes in tension; where they are not,
 * nothing is dissipated there. */
static void yield_surfaces_remember_their_loading(void **state)
{
    (void)state;
    double p[5], q[5], start[2], loose[5], unused[5];
    result r;
    write_plain("iso.yaml", "probes: {directions: 16}\n", "lateral: 0", "lateral: 1");
    run_well(DEM "iso.yaml", &r);
    find_surface("out.h5", p, q, start);
    CHECK_CLOSE(p[0], start[0], 0.1 * start[0]);
    CHECK_CLOSE(q[0], 0, 0.1 * start[0]);
    CHECK_CLOSE(q[1], -q[2], 0.3 * q[1]);
    assert_true(isnan(p[3]));
    write_plain("weld.yaml", "probes: {directions: 16}\n", "rate_sensitivity: 0.012",
                "rate_sensitivity: 0.012, cohesion: 0.5");
    run_well(DEM "weld.yaml", &r);
    find_surface("out.h5", loose, unused, start);
    assert_true(loose[3] < -0.01 * start[0] && loose[3] > -0.5 * start[0]);
    write_plain("loose.yaml", "probes: {directions: 16}\n", "relative_density: 0.75, lateral: 0",
                "relative_density: 0.70, lateral: 1");
    run_well(DEM "loose.yaml", &r);
    find_surface("out.h5", loose, unused, start);
    assert_true(loose[0] < p[0] && unused[1] < q[1] && unused[2] > q[2]);
    write_plain("die.yaml", "probes: {directions: 16}\n", "", "");
    run_well(DEM "die.yaml", &r);
    find_surface("out.h5", p, q, start);
    print_message("die: from p %.3g, q %.3g; q at 90 degrees %.3g, at 270 %.3g, most %.3g\n", start[0],
                  start[1], q[1], q[2], q[4]);
    assert_true(start[1] > 0.2 * start[0]);
    assert_true(q[1] > 1.5 * fabs(q[2]) && q[4] > start[1]);
    unlink("iso.yaml");
    unlink("weld.yaml");
    unlink("loose.yaml");
    unlink("die.yaml");
    unlink("out.h5");
    unlink("out-0000.vtkhdf");
}

/* 32 spheres of a face-centred cubic lattice that overlap by 1e-5 of their diameter: moduli in closed form, as
 * tests/validation/test_dem.c derives them, by tensor strain. */
static void stiffness_of_a_lattice_is_known(void **state)
{
    (void)state;
    static const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    const int64_t shape[3] = {1, 6, 6};
    const double r = 1e-4, d = 2 * r * (1 - 1e-5), edge = d * sqrt(2.0), kn = 1e9 * r, kt = 0.3 * kn;
    const double c11 = sqrt(2.0) * (kn + kt) / d, c12 = (kn - kt) / (sqrt(2.0) * d);
    result run_result;
    FILE *file = fopen("fcc.txt", "w");
    assert_non_null(file);
    fprintf(file, "cell %.17g 0 0 0 %.17g 0 0 0 %.17g\n", 2 * edge, 2 * edge, 2 * edge);
    for (int i = 0; i < 32; i++)
        fprintf(file, "%.17g %.17g %.17g %.17g\n", (i % 2 + basis[i / 8][0] + 0.1) * edge,
                (i / 2 % 2 + basis[i / 8][1] + 0.1) * edge, (i / 4 % 2 + basis[i / 8][2] + 0.1) * edge, r);
    assert_int_equal(fclose(file), 0);
    write_text("fcc.yaml",
               "material: {law: linear, young: 1.0e9, poisson: 0.3, friction: 10, density: 2600}\n"
               "packing: {file: fcc.txt, pressure: 1.0e4}\n"
               "loading: [{test: isotropic, volume_strain: 1.0e-6, strain_rate: 1.0}]\n"
               "probes: {directions: 4, strain: 1.0e-4, stiffness: yes}\n"
               "output: {file: out.h5}\n");
    run_well(DEM "fcc.yaml", &run_result);
    hid_t results = open_results("out.h5");
    double *c = read_set(results, "probes/stiffness", 3, shape);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) /* overlaps of the order of 1e-5 change the lattice by as much */
            CHECK_CLOSE(c[6 * i + j], i == j ? c11 : i < 3 && j < 3 ? c12 : 0, 1e-3 * c11);
    free(c);
    H5Fclose(results);
    unlink("fcc.txt");
    unlink("fcc.yaml");
    unlink("out.h5");
}

/* ---- What is refused ---- */

static void bad_input_leaves_nothing_behind(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *part;
    } cases[] = {
        {"law: metal", "law: linear", "bad.yaml:2: crystals: need the law metal"},
        {CRYSTALS, "", "material.strength is missing: the law metal needs it, or crystals"},
        {"density: 8900}", "density: 8900, strength: 1.0e8}",
         "bad.yaml:1: material.strength: has no place beside crystals"},
        {"copper.yaml", "absent.yaml", "absent.yaml: cannot be read"},
        {"count: 4", "count: 4, solver: elastoplastic", "bad.yaml:2: crystals.solver = elastoplastic"},
        {"copper.yaml", "structured.yaml",
         "bad.yaml:2: crystals.material: material aluminium 5182: of stresses at"},
        {"count: 4", "count: 4, refresh: 0.2", "bad.yaml:2: crystals.refresh = 0.2"},
        {"0.75", "1.2",
         "bad.yaml:7: loading[0].relative_density = 1.2: need 0.3 <= relative_density <= 0.98"},
        {"lateral: 0", "lateral: 2", "bad.yaml:7: loading[0].lateral = 2: need 0 <= lateral <= 1"},
        {"lateral: 0", "lateral: 0, stress_ratio: 0.5", "bad.yaml:7: loading[0].lateral beside stress_ratio"},
        {"inertia_number: 5.0e-2}\nexec", "strain_rate: -1.0}\nexec",
         "bad.yaml:7: loading[0].strain_rate = -1"},
        {"time_scale: 1.0e6", "time_scale: 0", "bad.yaml:5: numerics.time_scale = 0"},
        {"packing:", "others: [{part: 1.0}]\npacking:", "bad.yaml:3: others[0].part = 1"},
        {"packing:", "others: [{part: 0.5}, {part: 0.6}]\npacking:",
         "others[1].part = 0.6: need parts that add up to less"},
        {"packing:", "others: [{part: 0.5, rate_sensitivity: 0.1}]\npacking:",
         "bad.yaml:3: others[0].rate_sensitivity: has no place beside crystals"},
        {"packing:", "others: [{part: 0.5, strength: 1.0e9}]\npacking:",
         "bad.yaml:3: others[0].strength: has no place beside crystals"},
        {"packing:", "rves: {variations: [{strength: 1.0e9}]}\npacking:",
         "bad.yaml:3: rves.variations[0].strength: has no place beside crystals"},
        {"packing:", "others: [{part: 0.5, poisson: 0.7}]\npacking:",
         "bad.yaml:3: others[0].poisson = 0.7: need -1 < poisson <= 0.5 with the law metal"},
        {"time_scale: 1.0e6", "affine: yes", "bad.yaml:5: numerics.affine = yes: need packing.file"},
        {"output:", "probes: {axis: 4}\noutput:", "bad.yaml:9: probes.axis = 4: need 1, 2 or 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_edited("bad.yaml", powder_text, cases[i].old, cases[i].new);
        assert_refused(DEM "bad.yaml", 1, &cases[i].part);
        unlink("bad.yaml");
        unlink("out.h5");
    }
}

/* A compact that is denser than asked for is told at once; its results say so, too. */
static void densities_behind_are_told(void **state)
{
    (void)state;
    result r;
    write_edited("dense.yaml", powder_text, "0.75", "0.5");
    run(DEM "dense.yaml", &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "relative density 0.6"));
    assert_non_null(strstr(r.err, ": need to begin below 0.5 (void ratio 1) to shrink there"));
    unlink("dense.yaml");
    unlink("out.h5");
}

/* ---- The folder ---- */

static int make_powder_folder(void **state)
{
    (void)state;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    if (enter_folder() != 0)
        return 1;
    write_text("powder.yaml", powder_text);
    char *copper = read_data("materials/copper-ofhc.yaml");
    write_text("copper.yaml", copper);
    char *structured = read_data("materials/aluminium-5182.yaml");
    write_text("structured.yaml", structured);
    free(structured);
    free(copper);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crystals_harden_and_are_shown),
        cmocka_unit_test(stopped_run_resumes_to_the_same),
        cmocka_unit_test(hard_particles_strengthen),
        cmocka_unit_test(yield_surfaces_remember_their_loading),
        cmocka_unit_test(stiffness_of_a_lattice_is_known),
        cmocka_unit_test(bad_input_leaves_nothing_behind),
        cmocka_unit_test(densities_behind_are_told),
    };
    return cmocka_run_group_tests(tests, make_powder_folder, remove_folder);
}
