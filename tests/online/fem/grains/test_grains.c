/* Grains of elements: Voronoi's cells against all images of all seeds, files and what is wrong with them. */
#include "tests/test.h"

#include <unistd.h>

#include "common/files/hdf5_io.h"
#include "online/fem/grains/grains.h"
#include "online/fem/mesh/mesh.h"

static char path[64], h5_path[64];

static sw_fem_mesh *box(int64_t x, int64_t y, int64_t z)
{
    sw_fem_mesh *mesh;
    const sw_fem_voxels voxels = {.body = "box", .cells = {x, y, z}, .size = {2, 1, z > 0 ? 1.5 : 0}};
    CHECK_OK(sw_fem_voxel_mesh(&voxels, &mesh));
    return mesh;
}

/* ---- Voronoi ---- */

enum { GRAINS = 20, CELLS = 8 * 6 * 5 };

/* Nearest of the seeds and their 26 images, which are written out. */
static void cells_are_nearest_to_their_seeds(void **state)
{
    (void)state;
    const int64_t n[3] = {8, 6, 5};
    const double size[3] = {2, 1, 1.5};
    sw_fem_mesh *mesh = box(n[0], n[1], n[2]);
    double place[GRAINS][3];
    int32_t grain[CELLS];
    int differ = 0, around = 0;
    sw_fem_grain_seeds(mesh, 5, GRAINS, place);
    for (int periodic = 0; periodic < 2; periodic++) {
        sw_fem_grain_voronoi(mesh, periodic, GRAINS, (const double(*)[3])place, grain);
        for (int64_t e = 0; e < CELLS; e++) {
            const int64_t cell[3] = {e % n[0], e / n[0] % n[1], e / n[0] / n[1]};
            double least = INFINITY;
            int best = -1, image_of_best = 0;
            for (int g = 0; g < GRAINS; g++)
                for (int image = 0; image < 27; image++) {
                    const int shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
                    double square = 0;
                    if (!periodic && image != 13)
                        continue;
                    for (int j = 0; j < 3; j++)
                        square += pow(((double)cell[j] + 0.5) * size[j] / (double)n[j] - place[g][j] -
                                          shift[j] * size[j],
                                      2);
                    if (square < least) {
                        least = square;
                        best = g;
                        image_of_best = image;
                    }
                }
            differ += grain[e] != best;
            around += image_of_best != 13;
        }
    }
    assert_int_equal(differ, 0);
    assert_true(around > CELLS / 10);
    sw_fem_mesh_free(mesh);
}

/* In the body, all different, those of the same number the same however many there are; of another not. */
static void seeds_are_those_of_their_number(void **state)
{
    (void)state;
    double a[GRAINS][3], b[2 * GRAINS][3], sum[3] = {0};
    sw_fem_mesh *mesh = box(4, 4, 4);
    sw_fem_grain_seeds(mesh, 1, GRAINS, a);
    sw_fem_grain_seeds(mesh, 1, 2 * GRAINS, b);
    assert_memory_equal(a, b, sizeof a);
    sw_fem_grain_seeds(mesh, 2, 2 * GRAINS, b);
    assert_memory_not_equal(a, b, sizeof a);
    for (int g = 0; g < 2 * GRAINS; g++)
        for (int j = 0; j < 3; j++) {
            assert_true(b[g][j] > 0 && b[g][j] <= (j == 0 ? 2 : j == 1 ? 1 : 1.5));
            sum[j] += b[g][j] / (2 * GRAINS);
        }
    CHECK_CLOSE(sum[0], 1, 4 * 2 / sqrt(12 * 2 * GRAINS)); /* four standard deviations of the mean */
    sw_fem_mesh_free(mesh);
    mesh = box(5, 5, 0);
    int32_t grain[25];
    sw_fem_grain_seeds(mesh, 3, GRAINS, a);
    assert_true(a[7][2] == 0);
    sw_fem_grain_voronoi(mesh, 1, 1, (const double(*)[3])a, grain);
    for (int e = 0; e < 25; e++)
        assert_int_equal(grain[e], 0);
    sw_fem_mesh_free(mesh);
}

/* ---- Files ---- */

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void grains_are_read(void **state)
{
    (void)state;
    static const int32_t expected[6] = {0, 3, 3, 1, 0, 7};
    const int64_t shape[3] = {1, 2, 3};
    int32_t grain[6] = {0};
    int64_t n;
    sw_h5_output output;
    write_file("# a comment\n0 3 3\n1 0 # another\n\n7");
    CHECK_OK(sw_fem_grains_read(path, NULL, 6, grain, &n));
    assert_memory_equal(grain, expected, sizeof grain);
    assert_int_equal(n, 8);
    CHECK_OK(sw_h5_begin(h5_path, &output));
    CHECK_OK(sw_h5_write(output.file, "phase", H5T_NATIVE_INT32, 3, shape, expected));
    CHECK_OK(sw_h5_commit(&output));
    memset(grain, 0, sizeof grain);
    CHECK_OK(sw_fem_grains_read(h5_path, "phase", 6, grain, &n));
    assert_memory_equal(grain, expected, sizeof grain);
    assert_int_equal(sw_fem_grains_read(h5_path, NULL, 6, grain, &n), SW_ERR_INPUT);
    assert_message_has("has no dataset grain");
    assert_int_equal(sw_fem_grains_read(h5_path, "phase", 5, grain, &n), SW_ERR_INPUT);
    assert_message_has("phase: has 6 numbers: need 5, one an element");
}

static void bad_grains_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"0 1\n2 x\n3 4\n", ":2: 'x': need a whole number from 0"},
                 {"0 1\n2 -3\n4 5\n", ":2: '-3': need a whole number from 0"},
                 {"0 1 2\n3.5 1 1\n", ":2: '3.5': need a whole number from 0"},
                 {"0 1 2\n", ": has 3 numbers: need 6, one an element"},
                 {"0 1 2 3 4 5 6\n", ": has 7 numbers: need 6"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t grain[6];
        int64_t n;
        write_file(cases[i].text);
        assert_int_equal(sw_fem_grains_read(path, NULL, 6, grain, &n), SW_ERR_INPUT);
        assert_message_has(cases[i].message);
        assert_message_has(path);
    }
    int32_t none[1];
    int64_t n;
    assert_int_equal(sw_fem_grains_read("not-there.txt", NULL, 1, none, &n), SW_ERR_IO);
}

static void seeds_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"0.5 0.5\n", ":1: has 2 numbers: need 3"},
                 {"0.5 0.5 0.5\n0.5 0.5 y\n", ":2: 'y': need a number"},
                 {"0.5 0.5 0.5 0.5\n", ":1: has more than 3 numbers"},
                 {"0.5 1.5 0.5\n", ":1: the seed at (0.5, 1.5, 0.5) is outside"},
                 {"# none\n", ": has no seed"}};
    sw_fem_mesh *mesh = box(2, 2, 2);
    double(*place)[3];
    int64_t n;
    write_file("0.5 0.25 1 # first\n\n2.0, 1.0, 1.5\n");
    CHECK_OK(sw_fem_grain_seeds_read(path, mesh, &n, &place));
    assert_int_equal(n, 2);
    assert_true(place[0][1] == 0.25 && place[1][0] == 2 && place[1][2] == 1.5);
    free(place);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(cases[i].text);
        assert_int_equal(sw_fem_grain_seeds_read(path, mesh, &n, &place), SW_ERR_INPUT);
        assert_message_has(cases[i].message);
        assert_null(place);
    }
    sw_fem_mesh_free(mesh);
}

static int name_files(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/slipwave-grains-%d.txt", (int)getpid());
    snprintf(h5_path, sizeof h5_path, "/tmp/slipwave-grains-%d.h5", (int)getpid());
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(path) | unlink(h5_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_nearest_to_their_seeds),
        cmocka_unit_test(seeds_are_those_of_their_number),
        cmocka_unit_test(grains_are_read),
        cmocka_unit_test(bad_grains_are_refused_with_their_line),
        cmocka_unit_test(seeds_are_read),
    };
    return cmocka_run_group_tests(tests, name_files, remove_files);
}
