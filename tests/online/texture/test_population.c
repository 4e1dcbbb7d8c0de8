/* Crystals of a run: what they begin as, and how they get into a file. */
#include "tests/folder.h"

#include "common/files/hdf5_io.h"
#include "online/texture/population.h"

static sw_crystals_source random_ones(int64_t count)
{
    return (sw_crystals_source){.count = count, .seed = 5};
}

static void random_crystals_are_those_of_their_numbers(void **state)
{
    (void)state;
    const sw_crystals_source source = random_ones(100);
    sw_population p;
    CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 16e6, 1, &p));
    assert_int_equal(p.total, 100);
    assert_int_equal(p.first, 0);
    assert_int_equal(p.count, 100);
    for (int64_t n = 0; n < 100; n++) {
        const sw_crystal one = sw_random_crystal(5, n, 16e6F);
        assert_memory_equal(&p.crystal[n], &one, sizeof one);
    }
    sw_population_free(&p);
}

static void write_in_chunks(const sw_population *p, const char *path, int64_t chunk)
{
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_population_write_orientations(p, output.file, 7, chunk));
    CHECK_OK(sw_population_write_texture(p, &sw_lattice_fcc, NAN, output.file, 7));
    CHECK_OK(sw_h5_commit(&output));
}

static void read_back(const char *path, int64_t n, float (*euler)[3], float (*pole)[101])
{
    hid_t file;
    CHECK_OK(sw_h5_open(path, 0, &file));
    CHECK_OK(sw_h5_read(file, "orientations/7/euler", H5T_NATIVE_FLOAT, 2, (int64_t[]){n, 3}, euler));
    CHECK_OK(sw_h5_read(file, "texture/7/pole_figure/111", H5T_NATIVE_FLOAT, 2, (int64_t[]){101, 101}, pole));
    H5Fclose(file);
    unlink(path);
}

/* Chunks that divide the crystals, that do not, single ones, and more than there are. */
static void chunks_do_not_show(void **state)
{
    (void)state;
    enum { N = 60 };
    static const int64_t chunks[] = {1, 7, 20, 59, 60, 1 << 20};
    static float whole[101][101], pole[101][101];
    float euler[N][3];
    const sw_crystals_source source = random_ones(N);
    sw_population p;
    CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 16e6, 1, &p));
    write_in_chunks(&p, "whole.h5", N);
    read_back("whole.h5", N, euler, whole);
    for (int64_t n = 0; n < N; n++)
        assert_memory_equal(euler[n], p.crystal[n].euler, sizeof euler[n]);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        memset(euler, 0, sizeof euler);
        write_in_chunks(&p, "parts.h5", chunks[i]);
        read_back("parts.h5", N, euler, pole);
        for (int64_t n = 0; n < N; n++)
            assert_memory_equal(euler[n], p.crystal[n].euler, sizeof euler[n]);
        assert_memory_equal(pole, whole, sizeof whole);
    }
    sw_population_free(&p);
}

/* ---- States ---- */

static void write_crystals(const sw_population *p, const char *path)
{
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_population_write_crystals(p, output.file, "state/crystals"));
    CHECK_OK(sw_h5_commit(&output));
}

static sw_status read_crystals(int64_t count, const char *path, sw_population *p)
{
    const sw_crystals_source source = random_ones(count);
    hid_t file;
    CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 1e6, 1, p));
    CHECK_OK(sw_h5_open(path, 0, &file));
    const sw_status status = sw_population_read_crystals(p, file, "state/crystals");
    H5Fclose(file);
    return status;
}

static void crystals_come_back_bit_by_bit(void **state)
{
    (void)state;
    const sw_crystals_source source = random_ones(60);
    sw_population written, read;
    CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 16e6, 1, &written));
    for (int k = 0; k < 60; k++)
        written.crystal[k].slip_resistance *= 1 + 0.01F * (float)k;
    write_crystals(&written, "state.h5");
    CHECK_OK(read_crystals(60, "state.h5", &read));
    assert_memory_equal(read.crystal, written.crystal, 60 * sizeof *read.crystal);
    sw_population_free(&read);
    assert_int_equal(read_crystals(61, "state.h5", &read), SW_ERR_FORMAT);
    assert_message_has("60 crystals of 4 numbers: need 61 of 4");
    sw_population_free(&read);
    written.crystal[7].euler[1] = NAN;
    write_crystals(&written, "state.h5");
    assert_int_equal(read_crystals(60, "state.h5", &read), SW_ERR_FORMAT);
    assert_message_has("crystal 7");
    sw_population_free(&read);
    sw_population_free(&written);
    unlink("state.h5");
}

/* Either is written without the other. */
static void orientations_and_textures_are_apart(void **state)
{
    (void)state;
    const sw_crystals_source source = random_ones(60);
    sw_population p;
    CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 16e6, 1, &p));
    for (int texture = 0; texture < 2; texture++) {
        sw_h5_output output;
        CHECK_OK(sw_h5_begin("either.h5", &output));
        CHECK_OK(texture ? sw_population_write_texture(&p, &sw_lattice_fcc, NAN, output.file, 7)
                         : sw_population_write_orientations(&p, output.file, 7, 60));
        assert_int_equal(sw_h5_exists(output.file, "orientations/7/euler"), !texture);
        assert_int_equal(sw_h5_exists(output.file, "texture/7/odf"), texture);
        sw_h5_abandon(&output);
    }
    sw_population_free(&p);
}

/* Angles of which no texture can be made: few crystals and many. */
static void texture_of_bad_angles_is_refused(void **state)
{
    (void)state;
    static const int64_t counts[] = {60, SW_TEXTURE_CRYSTALS + 1};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const sw_crystals_source source = random_ones(counts[i]);
        sw_population p;
        sw_h5_output output;
        CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 16e6, 1, &p));
        p.crystal[counts[i] / 2].euler[1] = NAN;
        CHECK_OK(sw_h5_begin("bad.h5", &output));
        assert_int_equal(sw_population_write_texture(&p, &sw_lattice_fcc, NAN, output.file, 7), SW_ERR_RANGE);
        sw_h5_abandon(&output);
        sw_population_free(&p);
    }
}

/* With the texture of so many crystals goes a histogram. */
static void many_crystals_make_a_histogram(void **state)
{
    (void)state;
    const int64_t n = SW_TEXTURE_CRYSTALS + 1;
    static float pole[101][101];
    const sw_crystals_source source = random_ones(n);
    sw_population p;
    float(*euler)[3];
    hid_t file;
    CHECK_OK(SW_ALLOCATE(euler, n, "test"));
    CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 16e6, 1, &p));
    write_in_chunks(&p, "many.h5", 1 << 15);
    CHECK_OK(sw_h5_open("many.h5", 0, &file));
    assert_true(sw_h5_exists(file, "texture/7/odf_histogram"));
    H5Fclose(file);
    read_back("many.h5", n, euler, pole);
    for (int64_t k = 0; k < n; k++)
        assert_memory_equal(euler[k], p.crystal[k].euler, sizeof euler[k]);
    CHECK_CLOSE(pole[50][50], 1, 0.1); /* random: 0.02 of scatter */
    sw_population_free(&p);
    free(euler);
}

/* ---- Weights ---- */

/* N crystals about a few places, of weights 1 .. 5 in a file, and each so often in another. */
static void write_weighted(int64_t n, const char *weighted, const char *repeated)
{
    FILE *few = fopen(weighted, "w"), *many = fopen(repeated, "w");
    assert_true(few != NULL && many != NULL);
    for (int64_t i = 0; i < n; i++) {
        const sw_crystal c = sw_random_crystal(3, i, 1);
        const double scale = 40 / SW_PI; /* not a random texture */
        const int weight = 1 + (int)(i * 7 % 5);
        char angles[64];
        snprintf(angles, sizeof angles, "%.5f %.5f %.5f", scale * c.euler[0], scale * c.euler[1],
                 scale * c.euler[2]);
        fprintf(few, "%s %d\n", angles, weight);
        for (int k = 0; k < weight; k++)
            fprintf(many, "%s\n", angles);
    }
    assert_int_equal(fclose(few) | fclose(many), 0);
}

enum { PICTURES = 7 };
static const struct {
    const char *name;
    int rank;
    int64_t shape[3], count;
} pictures[PICTURES] = {{"texture/7/pole_figure/111", 2, {101, 101}, 101 * 101},
                        {"texture/7/pole_figure/100", 2, {101, 101}, 101 * 101},
                        {"texture/7/pole_figure/110", 2, {101, 101}, 101 * 101},
                        {"texture/7/inverse_pole_figure/axis_1", 2, {101, 101}, 101 * 101},
                        {"texture/7/inverse_pole_figure/axis_3", 2, {101, 101}, 101 * 101},
                        {"texture/7/odf", 3, {19, 19, 37}, 19 * 19 * 37},
                        {"texture/7/component_fraction", 1, {13}, 13}};

/* Densities are sums in double, stored in single precision; weights are good to 6e-8. */
static void check_same_pictures(hid_t a, hid_t b)
{
    static float left[19 * 19 * 37], right[19 * 19 * 37]; /* the largest */
    for (int k = 0; k < PICTURES; k++) {
        double largest = 0;
        CHECK_OK(
            sw_h5_read(a, pictures[k].name, H5T_NATIVE_FLOAT, pictures[k].rank, pictures[k].shape, left));
        CHECK_OK(
            sw_h5_read(b, pictures[k].name, H5T_NATIVE_FLOAT, pictures[k].rank, pictures[k].shape, right));
        for (int64_t i = 0; i < pictures[k].count; i++)
            largest = greatest(largest, isnan(right[i]) ? 0 : right[i]);
        assert_true(largest > 0.05);
        for (int64_t i = 0; i < pictures[k].count; i++) {
            assert_int_equal(isnan(left[i]), isnan(right[i]));
            if (!isnan(left[i]))
                CHECK_CLOSE(left[i], right[i], 5e-7 * largest);
        }
    }
}

static void write_texture_of(const char *crystals, const char *path, sw_population *p)
{
    const sw_crystals_source source = {.file = crystals};
    CHECK_OK(sw_population_create(&source, SW_CPU, &sw_lattice_fcc, NAN, NAN, 16e6, 1, p));
    write_in_chunks(p, path, 1 << 15);
}

static void check_stored_weights(hid_t file, const sw_population *p)
{
    float *weight;
    CHECK_OK(SW_ALLOCATE(weight, p->total, "test"));
    CHECK_OK(sw_h5_read(file, "orientations/weight", H5T_NATIVE_FLOAT, 1, &p->total, weight));
    assert_memory_equal(weight, p->weight, (size_t)p->total * sizeof *weight);
    free(weight);
}

/* Without a histogram, and with one for both lists. */
static void a_weight_is_a_number_of_crystals(void **state)
{
    (void)state;
    static const int64_t counts[] = {1000, SW_TEXTURE_CRYSTALS + 232};
    for (int k = 0; k < 2; k++) {
        const int64_t n = counts[k];
        sw_population few, many;
        hid_t a, b;
        write_weighted(n, "few.ori", "many.ori");
        write_texture_of("few.ori", "few.h5", &few);
        write_texture_of("many.ori", "many.h5", &many);
        assert_int_equal(few.total, n);
        assert_int_equal(many.total, 3 * n);
        CHECK_CLOSE(few.weight_in_all, (double)n, 1e-7 * (double)n);
        CHECK_CLOSE(few.heaviest, 5.0 / 3, 1e-6);
        CHECK_CLOSE(few.effective, 9.0 / 11 * (double)n, 1e-6 * (double)n); /* 3^2 over the mean square */
        assert_null(many.weight);
        assert_true(many.weight_in_all == (double)many.total && many.effective == (double)many.total);
        CHECK_OK(sw_h5_open("few.h5", 0, &a));
        CHECK_OK(sw_h5_open("many.h5", 0, &b));
        check_same_pictures(a, b);
        check_stored_weights(a, &few);
        assert_int_equal(sw_h5_exists(b, "orientations/weight"), 0);
        assert_int_equal(sw_h5_exists(a, "texture/7/odf_histogram"), k);
        H5Fclose(a);
        H5Fclose(b);
        sw_population_free(&few);
        sw_population_free(&many);
        unlink("few.ori");
        unlink("many.ori");
        unlink("few.h5");
        unlink("many.h5");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_crystals_are_those_of_their_numbers),
        cmocka_unit_test(chunks_do_not_show),
        cmocka_unit_test(crystals_come_back_bit_by_bit),
        cmocka_unit_test(orientations_and_textures_are_apart),
        cmocka_unit_test(texture_of_bad_angles_is_refused),
        cmocka_unit_test(many_crystals_make_a_histogram),
        cmocka_unit_test(a_weight_is_a_number_of_crystals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
