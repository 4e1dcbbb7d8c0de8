/* `slipwave fem` of a periodic polycrystal, voxel by voxel, against codes that share nothing with it: 16^3 voxels, 100
 * grains, tension to F11 = 1.01. data/reference/full-field-16-quantiles.csv says what the others are. */
#include "programs.h"

enum { VOXELS = 16 * 16 * 16, INCREMENTS = 5, NUMBERS = 7 };

/* To where the references are after ten of their fifty increments, in five. */
static const char job[] =
    "mesh: {body: box, cells: [16, 16, 16], size: [1.0, 1.0, 1.0]}\n"
    "strain: finite\n"
    "materials: [{crystals: {material: copper.yaml, file: grains.ori, grains: {file: grains.txt}}}]\n"
    "periodic: {mean_gradient: [[0.01, 0, 0], [0, x, 0], [0, 0, x]]}\n"
    "steps: [{factor: 1, increments: 5, time: 10.0}]\n"
    "device: cpu\n"
    "output: {file: out.h5, resumable: no}\n";

/* The columns of the reference: mean P11 (MPa), quantiles over voxels of stress (MPa) and strain. */
static const char *const title[NUMBERS] = {"P11",       "stress_10", "stress_50", "stress_90",
                                           "strain_10", "strain_50", "strain_90"};

static double ours[NUMBERS];
static char *reference; /* the table */

static void read_reference(const char *source, double number[NUMBERS])
{
    char start[32];
    snprintf(start, sizeof start, "\n%s,1.01,", source);
    const char *row = strstr(reference, start);
    assert_non_null(row);
    double *n = number;
    assert_int_equal(sscanf(row + strlen(start), "%lf,%lf,%lf,%lf,%lf,%lf,%lf", n, n + 1, n + 2, n + 3, n + 4,
                            n + 5, n + 6),
                     NUMBERS);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 10, 50, 90 %, linear between sorted values; sorts them. */
static void quantiles(double value[VOXELS], double scale, double quantile[3])
{
    static const double share[3] = {0.1, 0.5, 0.9};
    qsort(value, VOXELS, sizeof *value, ascending);
    for (int i = 0; i < 3; i++) {
        const double place = share[i] * (VOXELS - 1);
        const int below = (int)place;
        quantile[i] = scale * (value[below] + (place - below) * (value[below + 1] - value[below]));
    }
}

/* Of e 11 22 33 12 23 13, whichever order the shears are in. */
static double mises_strain(const double e[6])
{
    const double mean = (e[0] + e[1] + e[2]) / 3;
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (e[i] - mean) * (e[i] - mean) + 2 * e[3 + i] * e[3 + i];
    return sqrt(2.0 / 3 * sum);
}

static void read_fields(void)
{
    const int64_t scalars[1] = {VOXELS}, tensors[2] = {VOXELS, 6};
    hid_t file = open_results("out-0005.vtkhdf");
    double *stress = read_set(file, "VTKHDF/CellData/von_mises", 1, scalars);
    double *e = read_set(file, "VTKHDF/CellData/logarithmic_strain", 2, tensors);
    H5Fclose(file);
    double *strain = calloc(VOXELS, sizeof *strain);
    assert_non_null(strain);
    for (int i = 0; i < VOXELS; i++)
        strain[i] = mises_strain(e + 6 * i);
    quantiles(stress, 1e-6, ours + 1);
    quantiles(strain, 1, ours + 4);
    free(stress);
    free(strain);
    free(e);
}

static void read_mean(void)
{
    const int64_t shape[3] = {INCREMENTS, 3, 3};
    const int64_t last = 9 * (INCREMENTS - 1);
    hid_t file = open_results("out.h5");
    CHECK_CLOSE(number_at(file, "history/mean_deformation_gradient", 3, shape, last), 1.01, 1e-14);
    ours[0] = 1e-6 * number_at(file, "history/mean_first_piola_stress", 3, shape, last);
    /* the sides are free, to the tolerance of 1e-5 */
    CHECK_CLOSE(number_at(file, "history/mean_first_piola_stress", 3, shape, last + 4), 0,
                1e-4 * 1e6 * ours[0]);
    H5Fclose(file);
}

static void compare(const char *source, double stress_bound, double strain_bound)
{
    double theirs[NUMBERS];
    read_reference(source, theirs);
    for (int i = 0; i < NUMBERS; i++)
        print_message("%-9s %10.6g, %s %10.6g: %+.3f %%\n", title[i], ours[i], source, theirs[i],
                      100 * (ours[i] / theirs[i] - 1));
    for (int i = 0; i < NUMBERS; i++)
        CHECK_CLOSE(ours[i] / theirs[i], 1, i < 4 ? stress_bound : strain_bound);
}

/* The same elements and time steps; 0.12 % were seen. Left are the laws at a point (small elastic strains here, the
 * whole of F_e there: 0.12 to 0.19 % in the stress of a single voxel) and crystals in single precision. */
static void agrees_with_the_same_elements(void **state)
{
    (void)state;
    compare("hex8", 5e-3, 5e-3);
}

/* One Fourier point a voxel where we have trilinear elements, and 40 voxels a grain: elements are the stiffer, and hold
 * strains together. The independent solver, which has both, puts 4.4 % in P11 and 11 % in the outer quantiles of strain
 * down to that; it is no error of either, see docs/validation.md. */
static void is_as_far_from_damask_as_the_discretisation(void **state)
{
    (void)state;
    compare("damask", 0.06, 0.12);
    double theirs[NUMBERS];
    read_reference("damask", theirs);
    assert_true(ours[0] > theirs[0]);
    assert_true(ours[6] - ours[4] < theirs[6] - theirs[4]);
}

static int run_polycrystal(void **state)
{
    (void)state;
    char *orientations = read_data("reference/full-field-16-orientations.ori");
    char *grains = read_data("reference/full-field-16-grains.txt");
    material_text = read_data("materials/copper-ofhc.yaml");
    reference = read_data("reference/full-field-16-quantiles.csv");
    if (enter_folder() == 0) {
        write_text("copper.yaml", material_text);
        write_text("grains.ori", orientations);
        write_text("grains.txt", grains);
        write_text("job.yaml", job);
    }
    free(orientations);
    free(grains);
    if (access("job.yaml", F_OK) != 0)
        return 1;
    result r;
    run_well("slipwave fem -q job.yaml", &r);
    read_mean();
    read_fields();
    return 0;
}

static int clean_up(void **state)
{
    free(reference);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_same_elements),
        cmocka_unit_test(is_as_far_from_damask_as_the_discretisation),
    };
    return cmocka_run_group_tests(tests, run_polycrystal, clean_up);
}
