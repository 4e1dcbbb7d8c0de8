#include "tests/folder.h"

#include <sys/stat.h>

#include "common/files/output_file.h"
#include "common/files/text.h"

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(sw_read_text(folder, &text), SW_ERR_IO);
    assert_null(text);
    assert_message_has(folder);
    assert_message_has("directory");
    assert_int_equal(sw_read_text("no/such/file.yaml", &text), SW_ERR_IO);
    assert_null(text);
    assert_message_has("no/such/file.yaml");
    assert_message_has("No such file");
}

static void long_text_is_read_whole(void **state)
{
    (void)state;
    enum { LENGTH = 100003 }; /* several growths of the buffer, and no multiple of any */
    char *bytes = malloc(LENGTH + 1), *text;
    assert_non_null(bytes);
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (char)('a' + i % 26);
    bytes[LENGTH] = '\0';
    const char *path = write_file("long.txt", bytes, LENGTH);
    assert_int_equal(sw_read_text(path, &text), SW_OK);
    unlink(path);
    assert_string_equal(text, bytes);
    free(text);
    free(bytes);
}

/* As some editors on Windows begin a file. */
static void byte_order_mark_is_dropped(void **state)
{
    (void)state;
    char *text;
    const char *path = write_file("mark.txt",
                                  "\xef\xbb\xbf"
                                  "1 2 3\n",
                                  9);
    CHECK_OK(sw_read_text(path, &text));
    unlink(path);
    assert_string_equal(text, "1 2 3\n");
    free(text);
}

static void numbers_are_plain_decimals(void **state)
{
    (void)state;
    static const char *const good[] = {"1", "-1.5", "+1e3", "1E-300", ".5", "007"};
    static const char *const bad[] = {"",    "x",     "1 ",  " 1", "0x10",  "nan",
                                      "inf", "1_000", "1,5", "1e", "1e999", "--1"};
    static const char *const not_whole[] = {"", "1.0", "1e3", "010", "0x1", "+", "9223372036854775808", "1 "};
    double number;
    int64_t whole;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_null(sw_parse_real(good[i], &number));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (sw_parse_real(bad[i], &number) == NULL)
            fail_msg("'%s' is no number", bad[i]);
    for (size_t i = 0; i < sizeof not_whole / sizeof *not_whole; i++)
        if (sw_parse_whole(not_whole[i], &whole) == NULL)
            fail_msg("'%s' is no whole number", not_whole[i]);
    assert_null(sw_parse_whole("-9223372036854775808", &whole));
    assert_true(whole == INT64_MIN);
}

static void words_are_found(void **state)
{
    (void)state;
    static const char *const names[] = {"terms", NULL, "grid", "iterative"};
    char list[32];
    assert_int_equal(sw_find_word("grid", 4, names), 2);
    assert_int_equal(sw_find_word("gri", 4, names), -1);
    assert_string_equal(sw_nearest_word("itrative", 4, names), "iterative");
    assert_null(sw_nearest_word("colour", 4, names));
    sw_list_words(4, names, list, sizeof list);
    assert_string_equal(list, "terms, grid, iterative");
    sw_list_words(4, names, list, 8); /* cut, not overrun */
    assert_string_equal(list, "terms, ");
}

/* A file has its name when it is complete, and not before. */
static void files_appear_when_complete(void **state)
{
    (void)state;
    char path[512], *text;
    sw_output_file output;
    FILE *file;
    snprintf(path, sizeof path, "%s/out.txt", folder);
    CHECK_OK(sw_text_file_begin(path, &output, &file));
    fputs("half", file);
    assert_int_equal(access(path, F_OK), -1);
    fclose(file);
    sw_output_file_abandon(&output);
    assert_int_equal(access(path, F_OK), -1);
    CHECK_OK(sw_text_file_begin(path, &output, &file));
    fputs("whole", file);
    CHECK_OK(sw_text_file_end(&output, file, SW_OK));
    CHECK_OK(sw_read_text(path, &text));
    assert_string_equal(text, "whole");
    assert_true(sw_same_file(path, path) && !sw_same_file(path, folder) && !sw_same_file(NULL, path));
    free(text);
    unlink(path);
    assert_int_equal(sw_text_file_begin(folder, &output, &file), SW_ERR_IO);
    assert_message_has("is a folder");
}

/* Opening a pipe waits for its other end: SIGALRM ends the test where that is not refused. */
static void pipes_and_devices_are_refused_at_once(void **state)
{
    (void)state;
    char path[512], *text;
    FILE *file;
    snprintf(path, sizeof path, "%s/pipe.yaml", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(10);
    assert_int_equal(sw_read_text(path, &text), SW_ERR_IO);
    assert_message_has("pipe.yaml: a pipe or a device");
    assert_null(text);
    assert_int_equal(sw_open_text(path, &file), SW_ERR_IO);
    assert_null(file);
    assert_int_equal(sw_read_text("/dev/zero", &text), SW_ERR_IO);
    alarm(0);
    assert_int_equal(unlink(path), 0);
}

/* Of so many letters, with a last line after it or none; how much room it took. */
static sw_status read_long_line(size_t letters, size_t *room, int *lines)
{
    char *bytes = malloc(letters + 3), *line = NULL;
    FILE *file;
    int64_t number = 0;
    int more = 1;
    assert_non_null(bytes);
    memset(bytes, 'a', letters);
    memcpy(bytes + letters, "\nb", 3);
    const char *path = write_file("long.txt", bytes, letters + 2);
    CHECK_OK(sw_open_text(path, &file));
    sw_status status = SW_OK;
    *room = 0;
    while (status == SW_OK && more)
        status = sw_next_line(path, file, &number, &line, room, &more);
    *lines = (int)number;
    fclose(file);
    unlink(path);
    free(line);
    free(bytes);
    return status;
}

static void lines_have_a_bound(void **state)
{
    (void)state;
    size_t room;
    int lines;
    assert_int_equal(read_long_line(1000000, &room, &lines), SW_OK);
    assert_int_equal(lines, 2);
    assert_int_equal(read_long_line(5000000, &room, &lines), SW_ERR_INPUT);
    assert_message_has("long.txt:1: a line of more than 1048576 bytes");
    assert_true(room <= 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(long_text_is_read_whole),
        cmocka_unit_test(byte_order_mark_is_dropped),
        cmocka_unit_test(numbers_are_plain_decimals),
        cmocka_unit_test(words_are_found),
        cmocka_unit_test(files_appear_when_complete),
        cmocka_unit_test(pipes_and_devices_are_refused_at_once),
        cmocka_unit_test(lines_have_a_bound),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
