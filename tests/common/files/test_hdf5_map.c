/* Datasets as memory: mapped where they lie as they are, else read; the same numbers. */
#include "tests/test.h"

#include <unistd.h>

#include "common/files/hdf5_map.h"

enum { N = 5000 };

static float number[N][2];
static const int64_t shape[2] = {N, 2};
static char folder[] = "/tmp/slipwave-test-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++)
            number[i][k] = (float)(i + 0.25 * k);
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    return chdir("/") != 0 || rmdir(folder) != 0;
}

/* A dataset as HDF5 would: properties of its making, type in the file. */
static void write_set(const char *path, hid_t properties, hid_t stored)
{
    const hsize_t extent[2] = {N, 2};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, extent, NULL);
    hid_t set = H5Dcreate2(file, "numbers", stored, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, number) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
}

static void check_numbers(const char *path, int mapped)
{
    hid_t file;
    sw_h5_content content;
    CHECK_OK(sw_h5_open(path, 0, &file));
    CHECK_OK(sw_h5_content_open(file, "numbers", H5T_NATIVE_FLOAT, 2, shape, &content));
    H5Fclose(file);
    assert_int_equal(content.mapping != NULL, mapped);
    assert_memory_equal(content.data, number, sizeof number);
    sw_h5_content_close(&content);
    assert_null(content.data);
    sw_h5_content_close(&content);
}

static void plain_sets_are_mapped(void **state)
{
    (void)state;
    write_set("plain.h5", H5P_DEFAULT, H5T_IEEE_F32LE);
    check_numbers("plain.h5", 1);
    unlink("plain.h5");
}

static void all_others_are_read(void **state)
{
    (void)state;
    const hsize_t chunk[2] = {100, 2};
    hid_t pieces = H5Pcreate(H5P_DATASET_CREATE), compact = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(pieces, 2, chunk);
    H5Pset_layout(compact, H5D_COMPACT);
    write_set("other.h5", pieces, H5T_IEEE_F32LE);
    check_numbers("other.h5", 0);
    write_set("other.h5", compact, H5T_IEEE_F32LE);
    check_numbers("other.h5", 0);
    write_set("other.h5", H5P_DEFAULT, H5T_IEEE_F32BE);
    check_numbers("other.h5", 0);
    write_set("other.h5", H5P_DEFAULT, H5T_IEEE_F64LE);
    check_numbers("other.h5", 0);
    H5Pclose(pieces);
    H5Pclose(compact);
    unlink("other.h5");
}

/* What goes before it in the file shifts a set by any number of bytes: all are the same numbers. */
static void any_place_will_do(void **state)
{
    (void)state;
    for (int64_t bytes = 1; bytes <= 4; bytes++) {
        hid_t file;
        sw_h5_output output;
        sw_h5_content content;
        CHECK_OK(sw_h5_begin("shifted.h5", &output));
        CHECK_OK(sw_h5_write(output.file, "before", H5T_NATIVE_SCHAR, 1, &bytes, "abcd"));
        CHECK_OK(sw_h5_write(output.file, "numbers", H5T_NATIVE_FLOAT, 2, shape, number));
        CHECK_OK(sw_h5_commit(&output));
        CHECK_OK(sw_h5_open("shifted.h5", 0, &file));
        CHECK_OK(sw_h5_content_open(file, "numbers", H5T_NATIVE_FLOAT, 2, shape, &content));
        H5Fclose(file);
        assert_int_equal((uintptr_t)content.data % sizeof(float), 0);
        assert_memory_equal(content.data, number, sizeof number);
        sw_h5_content_close(&content);
    }
    unlink("shifted.h5");
}

/* The file that was opened, whatever has its name afterwards. */
static void another_file_of_that_name_does_no_harm(void **state)
{
    (void)state;
    hid_t file;
    sw_h5_content content;
    const double other = 2;
    sw_h5_output output;
    write_set("a.h5", H5P_DEFAULT, H5T_IEEE_F32LE);
    CHECK_OK(sw_h5_open("a.h5", 0, &file));
    CHECK_OK(sw_h5_begin("a.h5", &output));
    CHECK_OK(sw_h5_write_numbers(output.file, "number", 1, &other));
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(sw_h5_content_open(file, "numbers", H5T_NATIVE_FLOAT, 2, shape, &content));
    H5Fclose(file);
    unlink("a.h5");
    assert_memory_equal(content.data, number, sizeof number);
    sw_h5_content_close(&content);
}

static void bad_sets_are_refused(void **state)
{
    (void)state;
    hid_t file;
    sw_h5_content content;
    const int64_t longer[2] = {N + 1, 2};
    write_set("bad.h5", H5P_DEFAULT, H5T_IEEE_F32LE);
    CHECK_OK(sw_h5_open("bad.h5", 0, &file));
    assert_int_equal(sw_h5_content_open(file, "none", H5T_NATIVE_FLOAT, 2, shape, &content), SW_ERR_FORMAT);
    assert_message_has("none is missing");
    assert_int_equal(sw_h5_content_open(file, "numbers", H5T_NATIVE_FLOAT, 1, shape, &content),
                     SW_ERR_FORMAT);
    assert_message_has("has 2 dimensions: need 1");
    assert_int_equal(sw_h5_content_open(file, "numbers", H5T_NATIVE_FLOAT, 2, longer, &content),
                     SW_ERR_FORMAT);
    assert_message_has("has length 5000 in dimension 0: need 5001");
    assert_null(content.data);
    sw_h5_content_close(&content);
    H5Fclose(file);
    unlink("bad.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sets_are_mapped), cmocka_unit_test(all_others_are_read),
        cmocka_unit_test(any_place_will_do),     cmocka_unit_test(another_file_of_that_name_does_no_harm),
        cmocka_unit_test(bad_sets_are_refused),
    };
    return cmocka_run_group_tests_name("hdf5_map", tests, set_up, tear_down);
}
