/* Files in memory: found before the disk's, written instead of them, the same bytes. */
#include "tests/common/files/hdf5_files.h"

#include "common/files/claim.h"
#include "common/files/memory/memory_files.h"
#include "common/files/text.h"

static void texts_are_written_and_read_in_memory(void **state)
{
    (void)state;
    sw_memory_files files = {0};
    sw_output_file output;
    FILE *file;
    char *text;
    sw_memory_files_use(&files);
    CHECK_OK(sw_text_file_probe("no/such/folder/a.txt"));
    assert_int_equal(files.count, 0);
    CHECK_OK(sw_text_file_begin("no/such/folder/a.txt", &output, &file));
    assert_true(fputs("one\ntwo\n", file) > 0);
    assert_false(sw_file_is_there("no/such/folder/a.txt")); /* until it is complete */
    CHECK_OK(sw_text_file_end(&output, file, SW_OK));
    assert_true(sw_file_is_there("no/such/folder/a.txt"));
    CHECK_OK(sw_read_text("no/such/folder/a.txt", &text));
    assert_string_equal(text, "one\ntwo\n");
    free(text);
    CHECK_OK(sw_text_file_begin("no/such/folder/a.txt", &output, &file));
    assert_int_equal(sw_text_file_end(&output, file, SW_ERR_RANGE), SW_ERR_RANGE); /* the older one stays */
    assert_int_equal(sw_memory_file_find("no/such/folder/a.txt")->size, 8);
    sw_file_remove("no/such/folder/a.txt");
    assert_int_equal(sw_read_text("no/such/folder/a.txt", &text), SW_ERR_IO);
    sw_memory_files_use(NULL);
    assert_int_equal(count_files(), 0);
    sw_memory_files_free(&files);
}

static void what_is_given_is_read_before_the_disks(void **state)
{
    (void)state;
    sw_memory_files files = {0};
    char *text;
    FILE *file = fopen("both.txt", "w");
    assert_true(file != NULL && fputs("disk", file) > 0 && fclose(file) == 0);
    CHECK_OK(sw_memory_files_give(&files, "both.txt", "memory", 6));
    CHECK_OK(sw_memory_files_give(&files, "nul.txt", "a\0b", 3));
    CHECK_OK(sw_memory_files_give(&files, "empty.txt", "", 0));
    CHECK_OK(sw_read_text("both.txt", &text));
    assert_string_equal(text, "disk"); /* nobody uses them yet */
    free(text);
    sw_memory_files_use(&files);
    CHECK_OK(sw_read_text("both.txt", &text));
    assert_string_equal(text, "memory");
    free(text);
    CHECK_OK(sw_read_text("empty.txt", &text));
    assert_string_equal(text, "");
    free(text);
    assert_int_equal(sw_read_text("nul.txt", &text), SW_ERR_INPUT);
    assert_message_has("nul.txt:1: a NUL byte");
    sw_memory_files_use(NULL);
    sw_memory_files_free(&files);
    unlink("both.txt");
}

/* The image on a disk is a file as any other, seal and all. */
static void hdf5_files_in_memory_are_those_of_the_disk(void **state)
{
    (void)state;
    sw_memory_files files = {0};
    sw_h5_output output;
    sw_claim claim;
    const int64_t n = 1 << 18; /* 2 MiB: the memory grows some times */
    double *many, *back;
    CHECK_OK(SW_ALLOCATE(many, n, "numbers"));
    CHECK_OK(SW_ALLOCATE(back, n, "numbers"));
    for (int64_t i = 0; i < n; i++)
        many[i] = (double)i;
    sw_memory_files_use(&files);
    CHECK_OK(sw_h5_claim("x.h5", &claim));
    CHECK_OK(sw_h5_begin("x.h5", &output));
    CHECK_OK(sw_h5_write(output.file, "group/many", H5T_NATIVE_DOUBLE, 1, &n, many));
    CHECK_OK(sw_h5_commit(&output));
    sw_claim_release(&claim);
    CHECK_OK(sw_h5_begin("y.h5", &output)); /* that is given up leaves nothing */
    sw_h5_abandon(&output);
    assert_int_equal(files.count, 1);
    hid_t file;
    CHECK_OK(sw_h5_open("x.h5", 0, &file));
    CHECK_OK(sw_h5_read(file, "group/many", H5T_NATIVE_DOUBLE, 1, &n, back));
    H5Fclose(file);
    assert_memory_equal(back, many, (size_t)n * sizeof *many);
    sw_memory_files_use(NULL);
    assert_int_equal(count_files(), 0);

    int sealed;
    FILE *disk = fopen("x.h5", "w");
    assert_true(disk != NULL &&
                fwrite(files.file[0].bytes, 1, files.file[0].size, disk) == files.file[0].size &&
                fclose(disk) == 0);
    CHECK_OK(sw_seal_check("x.h5", &sealed));
    assert_true(sealed);
    memset(back, 0, (size_t)n * sizeof *back);
    CHECK_OK(sw_h5_open("x.h5", 0, &file));
    CHECK_OK(sw_h5_read(file, "group/many", H5T_NATIVE_DOUBLE, 1, &n, back));
    H5Fclose(file);
    assert_memory_equal(back, many, (size_t)n * sizeof *many);
    sw_memory_files_use(&files); /* also where the disk has one of that name */
    CHECK_OK(sw_h5_open("x.h5", 0, &file));
    assert_int_not_equal(sw_h5_read(file, "few", H5T_NATIVE_DOUBLE, 1, &n, back), SW_OK);
    assert_message_has("x.h5: few");
    H5Fclose(file);
    sw_memory_files_use(NULL);
    unlink("x.h5");
    sw_memory_files_free(&files);
    free(many);
    free(back);
}

static void a_text_is_no_hdf5_file(void **state)
{
    (void)state;
    sw_memory_files files = {0};
    hid_t file;
    CHECK_OK(sw_memory_files_give(&files, "x.h5", "text", 4));
    sw_memory_files_use(&files);
    assert_int_equal(sw_h5_open("x.h5", 0, &file), SW_ERR_FORMAT);
    assert_message_has("x.h5: not an HDF5 file");
    sw_memory_files_use(NULL);
    sw_memory_files_free(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_written_and_read_in_memory),
        cmocka_unit_test(what_is_given_is_read_before_the_disks),
        cmocka_unit_test(hdf5_files_in_memory_are_those_of_the_disk),
        cmocka_unit_test(a_text_is_no_hdf5_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
