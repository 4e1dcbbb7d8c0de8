/* HDF5 files (hdf5_io.h): they appear only when complete, and hold what was written, of the shape that is asked for. */
#include "hdf5_files.h"

static void file_appears_on_commit(void **state)
{
    (void)state;
    sw_h5_output output;
    const double number = 2;
    CHECK_OK(sw_h5_begin("new.h5", &output));
    CHECK_OK(sw_h5_write_numbers(output.file, "number", 1, &number));
    assert_int_equal(access("new.h5", F_OK), -1);
    CHECK_OK(sw_h5_commit(&output));
    assert_int_equal(count_files(), 1);
    assert_true(read_number("new.h5") == 2);
    sw_h5_abandon(&output); /* harmless */
    assert_true(read_number("new.h5") == 2);
    unlink("new.h5");
}

/* 2^40 numbers in a file of some kB: refused before anybody allocates them. */
static void declared_and_not_there_is_refused(void **state)
{
    (void)state;
    const int64_t many = INT64_C(1) << 40;
    int64_t shape;
    sw_h5_output output;
    hid_t set, file;
    double number;
    CHECK_OK(sw_h5_begin("hollow.h5", &output));
    hid_t space = H5Screate_simple(1, (hsize_t[]){(hsize_t)many}, NULL); /* without a place for them */
    set = H5Dcreate2(output.file, "hollow", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Sclose(space);
    CHECK_OK(sw_h5_close_set(set));
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(sw_h5_open("hollow.h5", 0, &file));
    assert_int_equal(sw_h5_shape(file, "hollow", 1, &shape), SW_ERR_FORMAT);
    assert_message_has("hollow.h5: hollow declares more than the file can hold");
    assert_int_equal(sw_h5_read(file, "hollow", H5T_NATIVE_DOUBLE, 1, &many, &number), SW_ERR_FORMAT);
    uint64_t digest;
    CHECK_OK(sw_h5_open_set(file, "hollow", &set));
    assert_int_not_equal(sw_h5_digest_rows(set, H5T_NATIVE_DOUBLE, 0, many, &digest), SW_OK);
    H5Dclose(set);
    H5Fclose(file);
    unlink("hollow.h5");
}

static void older_file_stays_until_commit(void **state)
{
    (void)state;
    sw_h5_output output;
    const double number = 2;
    write_number("old.h5", 1);
    CHECK_OK(sw_h5_begin("old.h5", &output));
    CHECK_OK(sw_h5_write_numbers(output.file, "number", 1, &number));
    assert_int_equal(H5Fflush(output.file, H5F_SCOPE_GLOBAL), 0);
    assert_true(read_number("old.h5") == 1);
    assert_int_equal(count_files(), 2);
    CHECK_OK(sw_h5_commit(&output));
    assert_int_equal(count_files(), 1);
    assert_true(read_number("old.h5") == 2);
    unlink("old.h5");
}

static void abandoned_file_leaves_nothing(void **state)
{
    (void)state;
    sw_h5_output output;
    write_number("old.h5", 1);
    CHECK_OK(sw_h5_begin("old.h5", &output));
    sw_h5_abandon(&output);
    assert_int_equal(count_files(), 1);
    assert_true(read_number("old.h5") == 1);
    sw_h5_abandon(&output); /* twice is harmless */
    sw_h5_abandon(&(sw_h5_output){0});
    unlink("old.h5");
    CHECK_OK(sw_h5_begin("new.h5", &output));
    sw_h5_abandon(&output);
    assert_int_equal(count_files(), 0);
}

static void failed_commit_leaves_nothing(void **state)
{
    (void)state;
    sw_h5_output output;
    CHECK_OK(sw_h5_begin("new.h5", &output));
    assert_int_equal(mkdir("new.h5", 0777), 0); /* in the way of the renaming */
    assert_int_equal(sw_h5_commit(&output), SW_ERR_IO);
    assert_message_has("new.h5: cannot be completed: ");
    assert_int_equal(count_files(), 1);
    rmdir("new.h5");
}

static void places_that_cannot_be_written_are_named(void **state)
{
    (void)state;
    sw_h5_output output;
    assert_int_equal(sw_h5_begin("absent/new.h5", &output), SW_ERR_IO);
    assert_message_has("absent/new.h5: cannot be created: No such file or directory");
    assert_int_equal(mkdir("results", 0777), 0);
    assert_int_equal(sw_h5_begin("results", &output), SW_ERR_IO);
    assert_message_has("results: is a folder");
    rmdir("results");
    assert_int_equal(sw_h5_begin("", &output), SW_ERR_IO);
    assert_message_has("need a name");
    sw_h5_abandon(&output); /* harmless after a failure */
    assert_int_equal(count_files(), 0);
}

/* A write-protected file is not replaced, also by who may; a link is, and what it leads to stays. */
static void protected_files_stay(void **state)
{
    (void)state;
    sw_h5_output output;
    struct stat link;
    FILE *file = fopen("kept.h5", "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod("kept.h5", 0444), 0);
    assert_int_equal(sw_h5_begin("kept.h5", &output), SW_ERR_IO);
    assert_message_has("kept.h5: cannot be replaced: it is write-protected");
    assert_int_equal(symlink("kept.h5", "link.h5"), 0);
    CHECK_OK(sw_h5_begin("link.h5", &output));
    CHECK_OK(sw_h5_commit(&output));
    assert_true(lstat("link.h5", &link) == 0 && S_ISREG(link.st_mode));
    assert_true(stat("kept.h5", &link) == 0 && link.st_size == 0);
    unlink("link.h5");
    unlink("kept.h5");
    assert_int_equal(count_files(), 0);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    hid_t file;
    assert_int_equal(sw_h5_open("absent.h5", 0, &file), SW_ERR_IO);
    assert_message_has("absent.h5: No such file or directory");
    assert_int_equal(sw_h5_open(".", 0, &file), SW_ERR_IO);
    assert_message_has(".: is a folder");
    FILE *text = fopen("text.h5", "w");
    assert_non_null(text);
    fputs("not HDF5\n", text);
    fclose(text);
    assert_int_equal(sw_h5_open("text.h5", 0, &file), SW_ERR_FORMAT);
    assert_message_has("text.h5: not an HDF5 file");
    assert_true(file < 0);
    unlink("text.h5");
}

/* What is in the file that the next tests read. */
static const double numbers[2][3] = {{1, 2, 3}, {4, 5, 1e-300}};
static const int16_t wholes[3] = {-32768, 0, 32767};
static const int64_t shape[2] = {2, 3};

static hid_t make_and_open(void)
{
    sw_h5_output output;
    hid_t file;
    const double pair[2] = {0.1, -0.2};
    CHECK_OK(sw_h5_begin("data.h5", &output));
    CHECK_OK(sw_h5_write(output.file, "a/b/numbers", H5T_NATIVE_DOUBLE, 2, shape, numbers));
    CHECK_OK(sw_h5_write(output.file, "a/wholes", H5T_NATIVE_INT16, 1, shape + 1, wholes));
    CHECK_OK(sw_h5_write(output.file, "scalar", H5T_NATIVE_DOUBLE, 0, NULL, &numbers[1][2]));
    CHECK_OK(sw_h5_write_text(output.file, "text", "two\nlines"));
    CHECK_OK(sw_h5_write_text(output.file, "empty", ""));
    CHECK_OK(sw_h5_write_numbers(output.file, "pair", 2, pair));
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(sw_h5_open("data.h5", 0, &file));
    return file;
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    hid_t file = make_and_open();
    double back[2][3], scalar, pair[2];
    int16_t whole[3];
    int64_t found[2];
    char *text;
    CHECK_OK(sw_h5_shape(file, "a/b/numbers", 2, found));
    assert_memory_equal(found, shape, sizeof shape);
    CHECK_OK(sw_h5_read(file, "a/b/numbers", H5T_NATIVE_DOUBLE, 2, shape, back));
    assert_memory_equal(back, numbers, sizeof numbers);
    CHECK_OK(sw_h5_read(file, "a/wholes", H5T_NATIVE_INT16, 1, shape + 1, whole));
    assert_memory_equal(whole, wholes, sizeof wholes);
    CHECK_OK(sw_h5_read(file, "scalar", H5T_NATIVE_DOUBLE, 0, NULL, &scalar));
    assert_true(scalar == 1e-300);
    CHECK_OK(sw_h5_read_text(file, "text", &text));
    assert_string_equal(text, "two\nlines");
    free(text);
    CHECK_OK(sw_h5_read_text(file, "empty", &text));
    assert_string_equal(text, "");
    free(text);
    CHECK_OK(sw_h5_read_numbers(file, "pair", 2, pair));
    assert_true(pair[0] == 0.1 && pair[1] == -0.2);
    H5Fclose(file);
    unlink("data.h5");
}

/* Around what an attribute holds itself. */
static void texts_of_any_length_are_kept(void **state)
{
    (void)state;
    static const size_t lengths[] = {1, 59998, 59999, 60000, 65536, 1 << 20};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    char *written[LENGTHS], *read, name[8];
    sw_h5_output output;
    hid_t file;
    CHECK_OK(sw_h5_begin("texts.h5", &output));
    for (int i = 0; i < LENGTHS; i++) {
        written[i] = calloc(lengths[i] + 1, 1);
        assert_non_null(written[i]);
        for (size_t k = 0; k < lengths[i]; k++)
            written[i][k] = (char)('a' + (k * 7 + k / 100) % 26);
        snprintf(name, sizeof name, "t%d", i);
        CHECK_OK(sw_h5_write_text(output.file, name, written[i]));
    }
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(sw_h5_open("texts.h5", 0, &file));
    for (int i = 0; i < LENGTHS; i++) {
        snprintf(name, sizeof name, "t%d", i);
        CHECK_OK(sw_h5_read_text(file, name, &read));
        assert_string_equal(read, written[i]);
        free(read);
        free(written[i]);
    }
    H5Fclose(file);
    unlink("texts.h5");
}

static void datasets_are_described_and_copied(void **state)
{
    (void)state;
    hid_t file = make_and_open();
    sw_h5_output copy;
    double back[2][3];
    char *text;
    CHECK_OK(sw_h5_begin("copy.h5", &copy));
    CHECK_OK(sw_h5_copy(file, "a/b", copy.file));
    CHECK_OK(sw_h5_copy(file, "absent", copy.file));
    H5Fclose(file);
    CHECK_OK(sw_h5_describe(copy.file, "a/b/numbers", "unit", "Pa"));
    assert_int_equal(sw_h5_describe(copy.file, "a/b/letters", "unit", "Pa"), SW_ERR_FORMAT);
    CHECK_OK(sw_h5_commit(&copy));
    CHECK_OK(sw_h5_open("copy.h5", 0, &file));
    CHECK_OK(sw_h5_read(file, "a/b/numbers", H5T_NATIVE_DOUBLE, 2, shape, back));
    assert_memory_equal(back, numbers, sizeof numbers);
    assert_false(sw_h5_exists(file, "absent"));
    hid_t set = H5Dopen2(file, "a/b/numbers", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(set, "unit", &text));
    assert_string_equal(text, "Pa");
    free(text);
    H5Dclose(set);
    H5Fclose(file);
    unlink("copy.h5");
    unlink("data.h5");
}

static void other_shapes_are_refused(void **state)
{
    (void)state;
    hid_t file = make_and_open();
    double back[6];
    int64_t found[4];
    assert_int_equal(sw_h5_shape(file, "a/b/letters", 2, found), SW_ERR_FORMAT);
    assert_message_has("data.h5: a/b/letters is missing");
    assert_int_equal(sw_h5_shape(file, "x/numbers", 2, found), SW_ERR_FORMAT);
    assert_message_has("data.h5: x/numbers is missing");
    assert_int_equal(sw_h5_shape(file, "a/b", 2, found), SW_ERR_FORMAT);
    assert_message_has("data.h5: a/b is not a dataset");
    assert_int_equal(sw_h5_shape(file, "a/b/numbers", 1, found), SW_ERR_FORMAT);
    assert_message_has("data.h5: a/b/numbers has 2 dimensions: need 1");
    assert_int_equal(sw_h5_shape(file, "scalar", 1, found), SW_ERR_FORMAT);
    assert_int_equal(sw_h5_read(file, "a/b/numbers", H5T_NATIVE_DOUBLE, 2, (int64_t[]){2, 4}, back),
                     SW_ERR_FORMAT);
    assert_message_has("data.h5: a/b/numbers has length 3 in dimension 1: need 4");
    assert_int_equal(sw_h5_read(file, "a/b/numbers", H5T_NATIVE_DOUBLE, 2, (int64_t[]){1, 3}, back),
                     SW_ERR_FORMAT);
    assert_message_has("has length 2 in dimension 0: need 1");
    assert_int_equal(sw_h5_read(file, "absent", H5T_NATIVE_DOUBLE, 2, shape, back), SW_ERR_FORMAT);
    H5Fclose(file);
    unlink("data.h5");
}

static void other_attributes_are_refused(void **state)
{
    (void)state;
    hid_t file = make_and_open();
    double number[3];
    char *text;
    assert_int_equal(sw_h5_read_numbers(file, "absent", 1, number), SW_ERR_FORMAT);
    assert_message_has("data.h5: the attribute absent is missing");
    assert_int_equal(sw_h5_read_numbers(file, "pair", 3, number), SW_ERR_FORMAT);
    assert_message_has("data.h5: the attribute pair does not hold 3 numbers");
    assert_int_equal(sw_h5_read_numbers(file, "text", 1, number), SW_ERR_FORMAT);
    assert_int_equal(sw_h5_read_text(file, "absent", &text), SW_ERR_FORMAT);
    assert_null(text);
    assert_int_equal(sw_h5_read_text(file, "pair", &text), SW_ERR_FORMAT);
    assert_message_has("data.h5: the attribute pair is not a text");
    assert_null(text);
    H5Fclose(file);
    unlink("data.h5");
}

static void existence_follows_the_whole_path(void **state)
{
    (void)state;
    hid_t file = make_and_open();
    assert_true(sw_h5_exists(file, "a"));
    assert_true(sw_h5_exists(file, "a/b"));
    assert_true(sw_h5_exists(file, "a/b/numbers"));
    assert_false(sw_h5_exists(file, "a/c"));
    assert_false(sw_h5_exists(file, "c/b"));
    assert_false(sw_h5_exists(file, "a/b/numbers/deeper"));
    H5Fclose(file);
    unlink("data.h5");
}

static void what_is_there_is_not_written_again(void **state)
{
    (void)state;
    sw_h5_output output;
    hid_t group;
    CHECK_OK(sw_h5_begin("data.h5", &output));
    CHECK_OK(sw_h5_write(output.file, "a/numbers", H5T_NATIVE_DOUBLE, 2, shape, numbers));
    assert_int_equal(sw_h5_write(output.file, "a/numbers", H5T_NATIVE_DOUBLE, 2, shape, numbers), SW_ERR_IO);
    assert_message_has("cannot write a/numbers");
    assert_int_equal(sw_h5_group(output.file, "a", &group), SW_ERR_IO);
    assert_message_has("cannot make the group a");
    CHECK_OK(sw_h5_group(output.file, "b/c", &group));
    CHECK_OK(sw_h5_write_text(group, "text", "first"));
    assert_int_equal(sw_h5_write_text(group, "text", "second"), SW_ERR_IO);
    H5Gclose(group);
    sw_h5_abandon(&output);
    assert_int_equal(count_files(), 0);
}

static void pieces_make_a_whole(void **state)
{
    (void)state;
    enum { ROWS = 7 };
    float written[ROWS][3], read[ROWS][3];
    sw_h5_output output;
    hid_t set, file;
    for (int i = 0; i < ROWS * 3; i++)
        written[i / 3][i % 3] = (float)i;
    CHECK_OK(sw_h5_begin("pieces.h5", &output));
    CHECK_OK(sw_h5_create_set(output.file, "a/b", H5T_NATIVE_FLOAT, 2, (int64_t[]){ROWS, 3}, &set));
    CHECK_OK(sw_h5_write_rows(set, H5T_NATIVE_FLOAT, 5, 2, written[5])); /* in any order */
    CHECK_OK(sw_h5_write_rows(set, H5T_NATIVE_FLOAT, 0, 4, written[0]));
    CHECK_OK(sw_h5_write_rows(set, H5T_NATIVE_FLOAT, 4, 0, NULL));
    CHECK_OK(sw_h5_write_rows(set, H5T_NATIVE_FLOAT, 4, 1, written[4]));
    assert_int_equal(sw_h5_write_rows(set, H5T_NATIVE_FLOAT, 6, 2, written[5]), SW_ERR_IO); /* past its end */
    assert_message_has("pieces.h5: cannot write a/b");
    CHECK_OK(sw_h5_close_set(set));
    CHECK_OK(sw_h5_close_set(H5I_INVALID_HID));
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(sw_h5_open("pieces.h5", 0, &file));
    CHECK_OK(sw_h5_read(file, "a/b", H5T_NATIVE_FLOAT, 2, (int64_t[]){ROWS, 3}, read));
    H5Fclose(file);
    assert_memory_equal(read, written, sizeof written);
    unlink("pieces.h5");
}

static void rows_are_read(void **state)
{
    (void)state;
    static const float row[4][2][2] = {{{0, 1}, {2, 3}}, {{4, 5}, {6, 7}}, {{8, 9}, {10, 11}}, {{12}}};
    double read[2][2][2];
    sw_h5_output output;
    hid_t set, group;
    CHECK_OK(sw_h5_begin("rows.h5", &output));
    CHECK_OK(sw_h5_write(output.file, "a/b", H5T_NATIVE_FLOAT, 3, (int64_t[]){4, 2, 2}, row));
    CHECK_OK(sw_h5_open_set(output.file, "a/b", &set));
    CHECK_OK(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, 1, 2, read));
    for (int i = 0; i < 8; i++)
        assert_true((&read[0][0][0])[i] == 4 + i);
    CHECK_OK(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, 4, 0, NULL));
    assert_int_equal(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, 3, 2, read), SW_ERR_IO); /* past its end */
    assert_message_has("rows.h5: a/b cannot be read");
    assert_int_equal(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, -1, 1, read), SW_ERR_IO);
    assert_int_equal(sw_h5_read_rows(set, H5T_C_S1, 0, 1, read), SW_ERR_IO); /* not text */
    CHECK_OK(sw_h5_close_set(set));
    assert_int_equal(sw_h5_open_set(output.file, "a/c", &set), SW_ERR_FORMAT);
    assert_message_has("rows.h5: a/c is missing");
    CHECK_OK(sw_h5_close_set(set));
    assert_int_equal(sw_h5_open_set(output.file, "a", &set), SW_ERR_FORMAT);
    assert_message_has("rows.h5: a is not a dataset");
    CHECK_OK(sw_h5_group(output.file, "group", &group));
    CHECK_OK(sw_h5_write(group, "number", H5T_NATIVE_FLOAT, 0, NULL, row));
    CHECK_OK(sw_h5_open_set(group, "number", &set));
    assert_int_equal(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, 0, 1, read), SW_ERR_IO); /* it has no rows */
    CHECK_OK(sw_h5_close_set(set));
    H5Gclose(group);
    sw_h5_abandon(&output);
    assert_int_equal(count_files(), 0);
}

static void change_appears_on_commit(void **state)
{
    (void)state;
    sw_h5_output output;
    const double number = 3;
    write_number("changed.h5", 2);
    for (int commit = 0; commit < 2; commit++) {
        hid_t file;
        CHECK_OK(sw_h5_begin_change("changed.h5", &output));
        CHECK_OK(sw_h5_write_numbers(output.file, "other", 1, &number));
        CHECK_OK(sw_h5_open("changed.h5", 0, &file)); /* meanwhile as it was */
        assert_int_equal(H5Aexists(file, "other"), 0);
        H5Fclose(file);
        if (commit)
            CHECK_OK(sw_h5_commit(&output));
        sw_h5_abandon(&output);
        assert_int_equal(count_files(), 1);
        CHECK_OK(sw_h5_open("changed.h5", 0, &file));
        assert_int_equal(H5Aexists(file, "other") > 0, commit);
        H5Fclose(file);
        assert_true(read_number("changed.h5") == 2);
    }
    unlink("changed.h5");
    assert_int_equal(sw_h5_begin_change("absent.h5", &output), SW_ERR_IO);
    assert_message_has("absent.h5: No such file or directory");
    FILE *text = fopen("text.h5", "wb");
    assert_true(text != NULL && fputs("no HDF5", text) >= 0 && fclose(text) == 0);
    assert_int_equal(sw_h5_begin_change("text.h5", &output), SW_ERR_FORMAT);
    assert_message_has("text.h5: not an HDF5 file");
    unlink("text.h5");
    assert_int_equal(count_files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_appears_on_commit),
        cmocka_unit_test(declared_and_not_there_is_refused),
        cmocka_unit_test(older_file_stays_until_commit),
        cmocka_unit_test(abandoned_file_leaves_nothing),
        cmocka_unit_test(failed_commit_leaves_nothing),
        cmocka_unit_test(places_that_cannot_be_written_are_named),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(protected_files_stay),
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(texts_of_any_length_are_kept),
        cmocka_unit_test(datasets_are_described_and_copied),
        cmocka_unit_test(other_shapes_are_refused),
        cmocka_unit_test(other_attributes_are_refused),
        cmocka_unit_test(existence_follows_the_whole_path),
        cmocka_unit_test(what_is_there_is_not_written_again),
        cmocka_unit_test(pieces_make_a_whole),
        cmocka_unit_test(rows_are_read),
        cmocka_unit_test(change_appears_on_commit),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
