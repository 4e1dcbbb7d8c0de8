/* Seals of HDF5 files (seal.h): damage that they find, files of others, and files without one. */
#include "hdf5_files.h"

static long size_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return (long)about.st_size;
}

static void flip(const char *path, long byte, int bit)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, byte, SEEK_SET), 0);
    const int old = fgetc(file);
    assert_int_equal(fseek(file, byte, SEEK_SET), 0);
    assert_int_equal(fputc(old ^ 1 << bit, file), old ^ 1 << bit);
    assert_int_equal(fclose(file), 0);
}

static const char lost[] = "lost its seal: its end is damaged, or another program changed it";

/* Any flipped bit is found; in the mark of the seal it is the seal that is gone. */
static void damage_is_found(void **state)
{
    enum { SEAL = 24, MARK = 8 };
    (void)state;
    write_number("sealed.h5", 7);
    const long size = size_of("sealed.h5");
    for (long byte = 0; byte < size; byte++) {
        const int in_mark = byte >= size - SEAL && byte < size - SEAL + MARK;
        hid_t file;
        flip("sealed.h5", byte, (int)(byte % 8));
        assert_int_equal(sw_h5_open("sealed.h5", 0, &file), SW_ERR_FORMAT);
        assert_message_has(in_mark ? lost : "sealed.h5: damaged: its content is not what was written");
        flip("sealed.h5", byte, (int)(byte % 8));
    }
    assert_true(read_number("sealed.h5") == 7);
    unlink("sealed.h5");
}

/* As results are: a number, then more than a sector holds, and words at the end. */
static void write_results(const char *path)
{
    enum { N = 2000 };
    sw_h5_output output;
    const double number = 7, row[N] = {1};
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_write_numbers(output.file, "number", 1, &number));
    CHECK_OK(sw_h5_write(output.file, "history/time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){N}, row));
    CHECK_OK(sw_h5_describe(output.file, "history/time", "unit", "s"));
    CHECK_OK(sw_h5_commit(&output));
}

static void assert_refused(const char *path)
{
    hid_t file;
    assert_int_equal(sw_h5_open(path, 0, &file), SW_ERR_FORMAT);
    assert_int_equal(file, H5I_INVALID_HID);
    assert_int_equal(strncmp(sw_error_message(), path, strlen(path)), 0);
}

/* The end of a file of `size` bytes from byte `first` on becomes `byte`s. */
static void overwrite(const char *path, long first, long size, int byte)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, first, SEEK_SET), 0);
    for (long i = first; i < size; i++)
        assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fclose(file), 0);
}

/* Bytes, the seal alone, sectors, pages: gone, or full of something else. */
static void lost_ends_are_found(void **state)
{
    (void)state;
    static const long lengths[] = {1, 8, 16, 23, 24, 25, 48, 512, 4096};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int how = 0; how < 3; how++) {
            write_results("end.h5");
            const long size = size_of("end.h5"), first = size - lengths[i];
            if (how == 0)
                assert_int_equal(truncate("end.h5", first), 0);
            else
                overwrite("end.h5", first, size, how == 1 ? 0 : 0xff);
            assert_refused("end.h5");
            if (lengths[i] == 24)
                assert_message_has(lost);
            unlink("end.h5");
        }
    write_results("end.h5"); /* up to where sectors end */
    const long size = size_of("end.h5");
    overwrite("end.h5", (size - 1) / 4096 * 4096, size, 0);
    assert_refused("end.h5");
    unlink("end.h5");
}

static void change_as_others_do(const char *path, const char *name)
{
    const double number = 8;
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK_OK(sw_h5_write_numbers(file, name, 1, &number));
    H5Fclose(file);
}

/* As h5py would: the seal goes with the first change. Who means it, seals the file again. */
static void files_that_others_change_are_told(void **state)
{
    (void)state;
    int sealed;
    write_number("changed.h5", 7);
    change_as_others_do("changed.h5", "another");
    CHECK_OK(sw_seal_check("changed.h5", &sealed));
    assert_false(sealed);
    assert_refused("changed.h5");
    assert_message_has(lost);
    assert_message_has("`slipwave-db inspect --seal` takes it as it is");
    sw_h5_output output;
    assert_int_equal(sw_h5_begin_change("changed.h5", &output), SW_ERR_FORMAT);
    assert_message_has("changed.h5: lost its seal");
    CHECK_OK(sw_h5_seal("changed.h5"));
    CHECK_OK(sw_seal_check("changed.h5", &sealed));
    assert_true(sealed);
    assert_true(read_number("changed.h5") == 7);
    assert_int_equal(count_files(), 1);
    unlink("changed.h5");
}

/* What is damaged within is no other program's change. */
static void damage_is_not_sealed(void **state)
{
    (void)state;
    write_number("bad.h5", 7);
    flip("bad.h5", size_of("bad.h5") / 2, 3);
    assert_int_equal(sw_h5_seal("bad.h5"), SW_ERR_FORMAT);
    assert_message_has("bad.h5: damaged: its content is not what was written");
    assert_int_equal(count_files(), 1);
    unlink("bad.h5");
}

/* They say nothing of seals: taken, changed or not, and sealed on demand. */
static void files_of_others_need_no_seal(void **state)
{
    (void)state;
    const double number = 7;
    hid_t file = H5Fcreate("others.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CHECK_OK(sw_h5_write_numbers(file, "number", 1, &number));
    H5Fclose(file);
    assert_true(read_number("others.h5") == 7);
    change_as_others_do("others.h5", "another");
    assert_true(read_number("others.h5") == 7);
    CHECK_OK(sw_h5_seal("others.h5"));
    change_as_others_do("others.h5", "third");
    assert_refused("others.h5");
    unlink("others.h5");
}

/* It is changed in place, and what a kill leaves at any moment is read. */
static void files_without_a_seal_say_so(void **state)
{
    (void)state;
    int sealed;
    hid_t file;
    sw_h5_output output;
    const double number = 7;
    CHECK_OK(sw_h5_begin("state.h5", &output));
    CHECK_OK(sw_h5_write_numbers(output.file, "number", 1, &number));
    CHECK_OK(sw_h5_commit_unsealed(&output));
    CHECK_OK(sw_seal_check("state.h5", &sealed));
    assert_false(sealed);
    CHECK_OK(sw_h5_open("state.h5", 1, &file));
    CHECK_OK(sw_h5_write_numbers(file, "another", 1, &number));
    H5Fclose(file);
    assert_true(read_number("state.h5") == 7);
    unlink("state.h5");
}

/* As saved states are, in place. */
static void files_opened_for_change_lose_their_seal(void **state)
{
    (void)state;
    int sealed;
    hid_t file;
    write_number("changed.h5", 7);
    const long size = size_of("changed.h5");
    CHECK_OK(sw_h5_open("changed.h5", 1, &file));
    assert_int_equal(size_of("changed.h5"), size - 24);
    H5Fclose(file);
    CHECK_OK(sw_seal_check("changed.h5", &sealed));
    assert_false(sealed);
    assert_true(read_number("changed.h5") == 7);
    unlink("changed.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(lost_ends_are_found),
        cmocka_unit_test(files_that_others_change_are_told),
        cmocka_unit_test(damage_is_not_sealed),
        cmocka_unit_test(files_of_others_need_no_seal),
        cmocka_unit_test(files_without_a_seal_say_so),
        cmocka_unit_test(files_opened_for_change_lose_their_seal),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
