/* One flipped bit in a file that the programs wrote is found. A few of each file's bits, spread over it; SW_FLIPS=10000 in
 * the environment: so many. Of texts, which people edit, none is. */
#include "tests/test.h"

#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "edits.h"
#include "harness.h"

static char beside[PATH_MAX];

static long flips(void)
{
    const char *text = getenv("SW_FLIPS");
    return text != NULL ? strtol(text, NULL, 10) : 50;
}

/* The k-th of places spread over a file: multiples of the golden section, which leave no large gap. */
static size_t place(long k, size_t bits)
{
    const double x = 0.6180339887498949 * (double)(k + 1);
    return (size_t)((x - floor(x)) * (double)bits);
}

/* Whether a damaged file was taken for a good one: with results, whether these are there and others. */
static int is_accepted(const sw_fuzz_harness *harness, uint64_t good)
{
    if (harness->results == NULL)
        return sw_fuzz_taken();
    return access(harness->results, F_OK) == 0 && sw_edits_digest(harness->results) != good;
}

static void flip_some(const sw_fuzz_harness *harness)
{
    if (sw_fuzz_start(harness, beside) != 0)
        _exit(3);
    int accepted = 0;
    size_t size;
    char *content = sw_fuzz_bytes(harness->base, &size); /* seal and all */
    sw_fuzz_write(harness->file, content, size);
    harness->read(harness->file);
    if (!sw_fuzz_taken()) /* as it is it is good */
        _exit(5);
    const uint64_t good = harness->results != NULL ? sw_edits_digest(harness->results) : 0;
    for (long k = 0; k < flips(); k++) {
        if (harness->results != NULL)
            unlink(harness->results);
        const size_t bit = place(k, 8 * size);
        content[bit / 8] ^= (char)(1 << bit % 8);
        sw_fuzz_write(harness->file, content, size);
        content[bit / 8] ^= (char)(1 << bit % 8);
        harness->read(harness->file);
        if (is_accepted(harness, good)) {
            accepted++;
            fprintf(stderr, "%s: bit %zu of %zu\n", harness->name, bit, 8 * size);
        }
    }
    free(content);
    sw_fuzz_end();
    _exit(accepted > 0 ? 4 : 0);
}

static void flip_all(const sw_fuzz_harness *harness)
{
    for (; harness->name != NULL; harness++) {
        int status = 0;
        fflush(NULL);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            flip_some(harness);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("%s: wait status 0x%x", harness->name, (unsigned)status);
    }
}

static void a_flipped_bit_is_found(void **state)
{
    (void)state;
    flip_all(sw_fuzz_files);
}

static void a_flipped_bit_costs_a_block(void **state)
{
    (void)state;
    flip_all(sw_fuzz_kept);
}

static int find_files(void **state)
{
    (void)state;
    const char *data = getenv("SW_DATA");
    if (data == NULL)
        return -1;
    snprintf(beside, sizeof beside, "%s/../tests/fuzz/beside", data);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_flipped_bit_is_found),
                                       cmocka_unit_test(a_flipped_bit_costs_a_block)};
    return cmocka_run_group_tests(tests, find_files, NULL);
}
