#include "tests/test.h"

#include <pthread.h>

#include "common/system/progress.h"

static void message_holds_what_was_said(void **state)
{
    (void)state;
    assert_int_equal(sw_error(SW_ERR_RANGE, "m = %g: need %s", 1.5, "0 < m <= 1"), SW_ERR_RANGE);
    assert_string_equal(sw_error_message(), "m = 1.5: need 0 < m <= 1");
    assert_int_equal(sw_error(SW_ERR_IO, "second"), SW_ERR_IO);
    assert_string_equal(sw_error_message(), "second");
}

static void message_may_quote_the_last_one(void **state)
{
    (void)state;
    sw_error(SW_ERR_RANGE, "grid: 7 points");
    sw_error(SW_ERR_FORMAT, "%s: %s", "copper.h5", sw_error_message());
    assert_string_equal(sw_error_message(), "copper.h5: grid: 7 points");
}

static void long_message_is_cut(void **state)
{
    (void)state;
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    sw_error(SW_ERR_INPUT, "%s", text);
    assert_int_equal(strlen(sw_error_message()), 1023);
    assert_int_equal(strspn(sw_error_message(), "x"), 1023);
}

/* Names of files, values and texts hold what they like; a message is one line that no terminal obeys. */
static void messages_are_one_plain_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } rows[] = {
        {"two\nlines", "two\\nlines"},
        {"\ttab\r", "\\ttab\\r"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"del \x7f", "del \\x7f"},
        {"\xc2\x9b C1", "\\xc2\\x9b C1"},                          /* CSI of eight bits */
        {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},                       /* line separator */
        {"latin \xe4", "latin \\xe4"},                             /* a byte that is no UTF-8 */
        {"\xc0\xaf \xf8 \xe2\x82", "\\xc0\\xaf \\xf8 \\xe2\\x82"}, /* nor are these */
        {"\xe0\x80\x9b \xf0\x80\x82\x9b",
         "\\xe0\\x80\\x9b \\xf0\\x80\\x82\\x9b"},                 /* escape and CSI, overlong */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},                      /* half a surrogate pair */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},             /* beyond U+10FFFF */
        {"\ue000 \U0010fffd \ud7ff", "\ue000 \U0010fffd \ud7ff"}, /* just within */
        {"\u03c6\u2081 \u20ac \U0001F600", "\u03c6\u2081 \u20ac \U0001F600"},
        {"C:\\new \\x1b", "C:\\new \\x1b"}, /* once: what is escaped stays as it is */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sw_error(SW_ERR_INPUT, "%s: no", rows[i].text);
        sw_error(SW_ERR_INPUT, "%s", sw_error_message());
        assert_int_equal(strlen(sw_error_message()), strlen(rows[i].line) + 4);
        assert_memory_equal(sw_error_message(), rows[i].line, strlen(rows[i].line));
    }
}

static void escapes_are_cut_whole(void **state)
{
    (void)state;
    char text[1100];
    memset(text, '\x1b', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    sw_error(SW_ERR_INPUT, "%s", text);
    assert_int_equal(strlen(sw_error_message()), 1020); /* 255 of 4 bytes; one more would end at 1024 */
    assert_string_equal(sw_error_message() + 1016, "\\x1b");
}

static void *complain_elsewhere(void *seen)
{
    snprintf(seen, 64, "%s", sw_error_message());
    sw_error(SW_ERR_IO, "of another thread");
    return NULL;
}

static void messages_belong_to_their_thread(void **state)
{
    (void)state;
    pthread_t thread;
    char seen[64] = "nothing yet";
    sw_error(SW_ERR_RANGE, "of this thread");
    assert_int_equal(pthread_create(&thread, NULL, complain_elsewhere, seen), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(seen, "");
    assert_string_equal(sw_error_message(), "of this thread");
}

static void every_status_has_its_text(void **state)
{
    (void)state;
    static const sw_status statuses[] = {
#define STATUS(code, text) code,
        SW_STATUS_LIST(STATUS)
#undef STATUS
    };
    enum { COUNT = sizeof statuses / sizeof *statuses };
    assert_int_equal(SW_OK, 0); /* functions chain with status ? status : ... */
    for (int i = 0; i < COUNT; i++) {
        assert_true(strlen(sw_status_text(statuses[i])) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(sw_status_text(statuses[i]), sw_status_text(statuses[j]));
    }
    assert_string_equal(sw_status_text((sw_status)1000), "unknown status");
}

static sw_status try_both(sw_status first, sw_status second, int *calls)
{
    ++*calls;
    SW_TRY(first);
    ++*calls;
    SW_TRY(second);
    ++*calls;
    return SW_OK;
}

static sw_status try_and_release(sw_status first, int *released)
{
    sw_status status;
    SW_TRY_GOTO(status, first, done);
    status = SW_ERR_MEMORY;
done:
    *released = 1;
    return status;
}

static void try_passes_failures_up(void **state)
{
    (void)state;
    int calls = 0, released = 0;
    assert_int_equal(try_both(SW_OK, SW_OK, &calls), SW_OK);
    assert_int_equal(calls, 3);
    assert_int_equal(try_both(SW_OK, SW_ERR_IO, &calls), SW_ERR_IO);
    assert_int_equal(calls, 5);
    assert_int_equal(try_both(SW_ERR_FORMAT, SW_ERR_IO, &calls), SW_ERR_FORMAT);
    assert_int_equal(calls, 6);
    assert_int_equal(try_and_release(SW_ERR_RANGE, &released), SW_ERR_RANGE);
    assert_int_equal(released, 1);
    assert_int_equal(try_and_release(SW_OK, &released), SW_ERR_MEMORY);
}

static void memory_comes_aligned_and_zeroed(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 7, 8, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double *number;
        CHECK_OK(SW_ALLOCATE(number, counts[i], "numbers"));
        assert_non_null(number);
        assert_int_equal((uintptr_t)number % 64, 0);
        for (size_t n = 0; n < counts[i]; n++) {
            assert_true(number[n] == 0);
            number[n] = 1; /* the next allocation may get this memory */
        }
        free(number);
    }
}

static void room_grows(void **state)
{
    (void)state;
    int *number = NULL;
    for (int n = 1; n <= 1000; n += 37) {
        assert_int_equal(SW_GROW(number, n, "numbers"), SW_OK);
        number[n - 1] = n;
        assert_int_equal(number[0], 1);
    }
    assert_int_equal(SW_GROW(number, SIZE_MAX / 2, "numbers"), SW_ERR_MEMORY);
    assert_string_equal(strrchr(sw_error_message(), ':'),
                        ": 9223372036854775807 x 4 bytes is more than can be addressed");
    assert_int_equal(number[0], 1); /* still there */
    free(number);
}

static void overflow_is_refused(void **state)
{
    (void)state;
    /* the product, and the product rounded up to a whole 64 bytes */
    static const size_t sizes[][2] = {{SIZE_MAX / 8 + 1, 8}, {SIZE_MAX, SIZE_MAX}, {SIZE_MAX - 1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *memory = &memory;
        assert_int_equal(sw_allocate(&memory, sizes[i][0], sizes[i][1], "crystals"), SW_ERR_MEMORY);
        assert_null(memory);
        assert_non_null(strstr(sw_error_message(), "crystals: "));
        assert_non_null(strstr(sw_error_message(), "more than can be addressed"));
    }
}

/* ---- Notices ---- */

typedef struct {
    int notes, warnings, progress;
    char last[1200];
} heard;

static void hear(void *context, sw_notice notice, const char *text)
{
    heard *h = context;
    h->notes += notice == SW_NOTE;
    h->warnings += notice == SW_WARNING;
    h->progress += notice == SW_PROGRESS;
    snprintf(h->last, sizeof h->last, "%s", text);
}

static void notices_go_to_the_listener(void **state)
{
    (void)state;
    heard h = {0};
    char longest[2000];
    sw_note("nobody hears %d", 1);
    sw_listen(hear, &h);
    sw_note("%s: %d blocks", "resume", 7);
    assert_string_equal(h.last, "resume: 7 blocks");
    sw_warn("%g degrees", 6.5);
    assert_string_equal(h.last, "6.5 degrees");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    sw_warn("%s", longest);
    assert_int_equal(strlen(h.last), 1023);
    sw_listen(NULL, NULL);
    sw_warn("nobody hears this either");
    assert_int_equal(h.notes, 1);
    assert_int_equal(h.warnings, 2);
}

static void *work_for_another(void *progress)
{
    ((sw_progress *)progress)->started -= 2; /* s: not as short as to stay unsaid */
    ((sw_progress *)progress)->shown -= 2;
    sw_progress_show(progress, 30);
    return progress;
}

static void progress_goes_to_who_began(void **state)
{
    (void)state;
    heard h = {0};
    sw_progress progress, quiet;
    pthread_t thread;
    sw_listen(hear, &h);
    sw_progress_begin(&progress, "grid", "steps", 40, 0);
    sw_progress_begin(&quiet, "grid", "steps", 40, 1);
    sw_listen(NULL, NULL);
    assert_int_equal(pthread_create(&thread, NULL, work_for_another, &progress), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(h.progress, 1);
    assert_non_null(strstr(h.last, "grid:  75 %  "));
    progress.total = 0; /* nobody knows any more */
    work_for_another(&progress);
    assert_int_equal(h.progress, 2);
    assert_non_null(strstr(h.last, "grid: 30 steps  "));
    assert_true(strchr(h.last, '%') == NULL && strstr(h.last, "left") == NULL);
    progress.total = 40;
    progress.started += 2;
    h.progress = 1;
    work_for_another(&quiet);
    sw_progress_end(&quiet);
    assert_int_equal(h.progress + h.notes, 1);
    sw_progress_end(&progress);
    assert_int_equal(h.notes, 1);
    assert_non_null(strstr(h.last, "grid: 40 steps in 2.0"));
}

static void *note_from_a_thread(void *unused)
{
    sw_note("from another thread");
    return unused;
}

static void listeners_belong_to_their_thread(void **state)
{
    (void)state;
    heard h = {0};
    pthread_t thread;
    sw_listen(hear, &h);
    assert_int_equal(pthread_create(&thread, NULL, note_from_a_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(h.notes, 0);
    sw_listen(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_grows),
        cmocka_unit_test(message_holds_what_was_said),
        cmocka_unit_test(message_may_quote_the_last_one),
        cmocka_unit_test(long_message_is_cut),
        cmocka_unit_test(messages_are_one_plain_line),
        cmocka_unit_test(escapes_are_cut_whole),
        cmocka_unit_test(messages_belong_to_their_thread),
        cmocka_unit_test(every_status_has_its_text),
        cmocka_unit_test(try_passes_failures_up),
        cmocka_unit_test(memory_comes_aligned_and_zeroed),
        cmocka_unit_test(overflow_is_refused),
        cmocka_unit_test(notices_go_to_the_listener),
        cmocka_unit_test(progress_goes_to_who_began),
        cmocka_unit_test(listeners_belong_to_their_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
