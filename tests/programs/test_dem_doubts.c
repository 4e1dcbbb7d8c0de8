/* What `slipwave dem` says of results that are off by more than they look: with the size of it, and not of others. */
#include "programs.h"

#define DEM "slipwave dem -q --device cpu "

static const char powder_text[] =
    "material: {law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900}\n"
    "crystals: {material: material.yaml, count: 4, refresh: 0.005}\n"
    "packing: {particles: 60, radii: {distribution: monodisperse, radius: 50.0e-6}, pressure: 1.0e6,\n"
    "          friction: 0.0, inertia_number: 2.0e-2}\n"
    "numerics: {time_scale: 1.0e6, record_strain: 2.0e-3}\n"
    "loading:\n"
    "  - {test: compaction, relative_density: 0.75, lateral: 0, inertia_number: 3.0e-2}\n"
    "output: {file: out.h5}\n";

static const char sand_text[] =
    "material: {law: linear, young: 1.0e9, poisson: 0.3, friction: 0.5, density: 2650}\n"
    "packing: {particles: 200, radii: {distribution: uniform, least: 0.4e-3, largest: 0.6e-3},\n"
    "          pressure: 1.0e5, friction: 0.2, inertia_number: 1.0e-2}\n"
    "loading: [{test: undrained_triaxial, strain: 0.01, inertia_number: 3.0e-3}]\n"
    "output: {file: out.h5}\n";

typedef struct {
    const char *text, *old, *new, *part[3];
} doubt;

/* The job as it is warns of nothing, changed of one thing, with its number. */
static void assert_doubted(const doubt *d)
{
    result r;
    write_text("job.yaml", d->text);
    run_well(DEM "job.yaml", &r);
    assert_string_equal(r.err, "");
    write_edited("job.yaml", d->text, d->old, d->new);
    run(DEM "job.yaml", &r);
    for (int i = 0; i < 3 && d->part[i] != NULL; i++)
        if (strstr(r.err, d->part[i]) == NULL)
            fail_msg("'%s': no '%s' in '%s'", d->new, d->part[i], r.err);
    unlink("out.h5");
}

static void coarse_refreshes_are_told(void **state)
{
    (void)state;
    static const doubt coarse = {powder_text,
                                 "refresh: 0.005",
                                 "refresh: 0.02",
                                 {"warning: job.yaml: crystals.refresh = 0.02: ", "some 15 % too low"}};
    static const char *const bound[] = {"bad.yaml:2: crystals.refresh = 0.05: need 1e-4 <= refresh <= 0.02"};
    assert_doubted(&coarse);
    write_edited("bad.yaml", powder_text, "refresh: 0.005", "refresh: 0.05");
    assert_refused(DEM "bad.yaml", 1, bound);
    unlink("bad.yaml");
}

/* A die: what it presses its sides with is too much; evenly nothing is said. */
static void uneven_coupled_contacts_are_told(void **state)
{
    (void)state;
    static const char text[] =
        "material: {law: metal, coupled: yes, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900,\n"
        "           strength: 3.0e8, rate_sensitivity: 0.02}\n"
        "packing: {particles: 40, radii: {distribution: monodisperse, radius: 5.0e-5}, pressure: 1.0e6,\n"
        "          friction: 0, inertia_number: 3.0e-2}\n"
        "numerics: {time_scale: 1.0e6}\n"
        "loading: [{test: compaction, relative_density: 0.76, lateral: 1, inertia_number: 3.0e-2}]\n"
        "device: cpu\n"
        "output: {file: out.h5}\n";
    static const doubt die = {text,
                              "lateral: 1",
                              "lateral: 0",
                              {"warning: out.h5: coupled contacts are pressed unevenly in 1 of 1 elements",
                               "only even compaction (lateral: 1) is known to 5 %"}};
    assert_doubted(&die);
    result r; /* nor are records needed for it */
    write_edited("job.yaml", text, "lateral: 1, inertia_number: 3.0e-2",
                 "lateral: 0, inertia_number: 3.0e-2, record: no");
    run(DEM "job.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, die.part[0]));
    unlink("out.h5");
}

/* With the error that was measured: 0.6 of the inertia number in powders, 5 times in sand. */
static void inertia_is_told(void **state)
{
    (void)state;
    static const doubt fast[] = {{powder_text,
                                  "lateral: 0, inertia_number: 3.0e-2",
                                  "lateral: 0, inertia_number: 1",
                                  {"warning: out.h5: inertia carries part of the stress in 1 of 1 elements",
                                   "loading[0] (compaction): an inertia number of 0.", "% too high: slower"}},
                                 {sand_text,
                                  "inertia_number: 3.0e-3",
                                  "inertia_number: 3.0e-2",
                                  {"warning: out.h5: inertia carries part of the stress in 1 of 1 elements",
                                   "loading[0] (undrained_triaxial): an inertia number of 0.0"}}};
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        assert_doubted(&fast[i]);
}

/* That of the first record, from what was asked for. */
static void void_ratios_that_are_missed_are_told(void **state)
{
    (void)state;
    static const doubt missed = {
        sand_text,
        "friction: 0.2, inertia_number: 1.0e-2",
        "friction: 0.5, inertia_number: 1.0e-2, void_ratio: 0.82",
        {"warning: out.h5: 1 of 1 packings have another void ratio than packing.void_ratio", "off 0.82"}};
    result r;
    double is = 0, off = 0;
    assert_doubted(&missed);
    write_edited("job.yaml", sand_text, missed.old, missed.new);
    run(DEM "job.yaml", &r);
    hid_t file = open_results("out.h5");
    int64_t shape[2];
    CHECK_OK(sw_h5_shape(file, "history/void_ratio", 2, shape));
    double *e = read_set(file, "history/void_ratio", 2, shape);
    const char *at = strstr(r.err, "element 0 (seed 1): ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "element 0 (seed 1): %lf, %lf off 0.82", &is, &off), 2);
    CHECK_CLOSE(is, e[0], 1e-4);
    CHECK_CLOSE(off, fabs(e[0] - 0.82), 1e-4);
    H5Fclose(file);
    free(e);
    unlink("out.h5");
}

/* Five hundred times softer grains share caps of their volume that make more than 0.005 of the void ratio. */
static void soft_grains_are_told(void **state)
{
    (void)state;
    static const doubt soft = {
        sand_text,
        "young: 1.0e9",
        "young: 2.0e6",
        {"warning: out.h5: grains of 1 of 1 elements are soft; element 0 (seed 1): they "
         "overlap by 0.",
         "too low by 0.0"}};
    result r;
    double overlap = 0, off = 0, worst = 0;
    assert_doubted(&soft);
    write_edited("job.yaml", sand_text, soft.old, soft.new);
    run(DEM "job.yaml", &r);
    const char *at = strstr(r.err, "they overlap by ");
    assert_non_null(at);
    assert_int_equal(
        sscanf(at,
               "they overlap by %lf of their radius on average at p = %*f Pa, and void ratios, of whole "
               "spheres, are too low by %lf",
               &overlap, &off),
        2);
    hid_t file = open_results("out.h5");
    int64_t shape[2];
    CHECK_OK(sw_h5_shape(file, "history/void_ratio", 2, shape));
    double *e = read_set(file, "history/void_ratio", 2, shape),
           *z = read_set(file, "history/coordination", 2, shape),
           *d = read_set(file, "history/mean_overlap", 2, shape);
    for (int64_t i = 0; i < shape[0] * shape[1]; i++)
        worst = greatest(worst, (1 + e[i]) * 3 / 16 * z[i] * d[i] * d[i]);
    CHECK_CLOSE(off, worst, 0.05 * worst); /* two digits */
    assert_true(overlap > 0.04 && worst > 0.005);
    H5Fclose(file);
    free(e);
    free(z);
    free(d);
    unlink("out.h5");
}

/* Before the work: by what density, and how many particles there had better be; with so many no word. */
static void dies_that_are_too_small_are_told(void **state)
{
    (void)state;
    static const doubt few = {powder_text,
                              "particles: 60",
                              "particles: 12",
                              {"warning: job.yaml: cells of 1 of 1 elements may come to be too small",
                               "loading[0] (compaction): at a relative density of some 0.",
                               "particles are enough"}};
    char enough[64];
    double particles = 0;
    result r;
    assert_doubted(&few);
    write_edited("job.yaml", powder_text, few.old, few.new);
    run(DEM "job.yaml", &r);
    const char *at = strstr(r.err, "before 0.75: some ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "before 0.75: some %lf particles", &particles), 1);
    snprintf(enough, sizeof enough, "particles: %.0f", particles);
    write_edited("job.yaml", powder_text, few.old, enough);
    run(DEM "job.yaml", &r);
    assert_null(strstr(r.err, "too small"));
    unlink("out.h5");
}

static const char pair_text[] =
    "material: {law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900, strength: 100.0e6,\n"
    "           rate_sensitivity: 0.05, coupled: yes}\n"
    "packing: {file: pairs.txt, pressure: 1.0e6}\n"
    "numerics: {time_scale: 1.0e6, record_strain: 1.0e-3}\n"
    "loading: [{test: simple_shear, plane: [1, 3], strain: 1.0e-4, inertia_number: 1.0e-3}]\n"
    "output: {file: out.h5}\n";

/* Two pairs of balls, of overlaps of so much and of 0.4 of the radius, far apart. */
static void run_pairs(double overlap, result *r)
{
    char balls[512];
    snprintf(balls, sizeof balls,
             "cell 3.5e-4 0 0 0 3.5e-4 0 0 0 3.5e-4\n"
             "0 0 0 5e-5\n%.6e 0 0 5e-5\n0 1.7e-4 1.7e-4 5e-5\n8e-5 1.7e-4 1.7e-4 5e-5\n",
             (2 - overlap) * 5e-5);
    write_text("pairs.txt", balls);
    write_text("job.yaml", pair_text);
    run(DEM "job.yaml", r);
    unlink("out.h5");
    unlink("pairs.txt");
}

static void pairs_that_are_too_close_are_told(void **state)
{
    (void)state;
    result r;
    run_pairs(0.6, &r);
    if (strstr(r.err,
               "at the end 1 of 2 pairs overlap by more than half the smaller radius, by 0.60 at most") ==
        NULL)
        fail_msg("%s", r.err);
    run_pairs(0.45, &r);
    assert_int_equal(r.status, 0);
    assert_null(strstr(r.err, "pairs overlap"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_are_too_close_are_told),    cmocka_unit_test(coarse_refreshes_are_told),
        cmocka_unit_test(uneven_coupled_contacts_are_told),     cmocka_unit_test(inertia_is_told),
        cmocka_unit_test(void_ratios_that_are_missed_are_told), cmocka_unit_test(soft_grains_are_told),
        cmocka_unit_test(dies_that_are_too_small_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
