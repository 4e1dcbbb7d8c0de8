/* One flipped bit in a file that the programs wrote is found. A few of each file's bits, spread over it; SW_FLIPS=10000 in
 * the environment: so many. Of texts, which people edit, none is. */
#include "tests/test.h"

#include <hdf5.h>
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

/* A harness at work: the file as it was written, seal and all, and the results of reading it. */
typedef struct {
    const sw_fuzz_harness *harness;
    char *content;
    size_t size;
    uint64_t good;
    int accepted; /* flips with other results */
} trials;

static void begin(const sw_fuzz_harness *harness, trials *t)
{
    if (sw_fuzz_start(harness, beside) != 0)
        _exit(3);
    *t = (trials){.harness = harness};
    t->content = sw_fuzz_bytes(harness->base, &t->size);
    sw_fuzz_write(harness->file, t->content, t->size);
    harness->read(harness->file);
    if (!sw_fuzz_taken()) /* as it is it is good */
        _exit(5);
    t->good = harness->results != NULL ? sw_edits_digest(harness->results) : 0;
}

static void flip(trials *t, size_t bit)
{
    const sw_fuzz_harness *harness = t->harness;
    if (harness->results != NULL)
        unlink(harness->results);
    t->content[bit / 8] ^= (char)(1 << bit % 8);
    sw_fuzz_write(harness->file, t->content, t->size);
    t->content[bit / 8] ^= (char)(1 << bit % 8);
    harness->read(harness->file);
    if (is_accepted(harness, t->good)) {
        t->accepted++;
        fprintf(stderr, "%s: bit %zu of %zu\n", harness->name, bit, 8 * t->size);
    }
}

static void end(trials *t)
{
    free(t->content);
    sw_fuzz_end();
    _exit(t->accepted > 0 ? 4 : 0);
}

static void flip_some(const sw_fuzz_harness *harness)
{
    trials t;
    begin(harness, &t);
    for (long k = 0; k < flips(); k++)
        flip(&t, place(k, 8 * t.size));
    end(&t);
}

/* In a process of its own: HDF5's, and what a run leaves in it, is then new. */
static void run(const sw_fuzz_harness *harness, void (*work)(const sw_fuzz_harness *))
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        work(harness);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: wait status 0x%x", harness->name, (unsigned)status);
}

static void a_flipped_bit_is_found(void **state)
{
    (void)state;
    for (const sw_fuzz_harness *harness = sw_fuzz_files; harness->name != NULL; harness++)
        run(harness, flip_some);
}

static void a_flipped_bit_costs_a_block(void **state)
{
    (void)state;
    for (const sw_fuzz_harness *harness = sw_fuzz_kept; harness->name != NULL; harness++)
        run(harness, flip_some);
}

/* Where a dataset lies and how long that is, as they stand in its description: each bit of the lengths. */
static herr_t flip_length(hid_t file, const char *name, const H5O_info_t *about, void *context)
{
    trials *t = context;
    if (about->type != H5O_TYPE_DATASET)
        return 0;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const uint64_t layout[2] = {H5Dget_offset(set), H5Dget_storage_size(set)};
    H5Dclose(set);
    const char *at = memmem(t->content, t->size, layout, sizeof layout);
    for (int bit = 0; at != NULL && bit < 64; bit++)
        if (layout[1] >> bit & 1)
            flip(t, 8 * (size_t)(at - t->content + 8) + (size_t)bit);
    return at == NULL;
}

static void flip_lengths(const sw_fuzz_harness *harness)
{
    trials t;
    begin(harness, &t);
    const hid_t file = H5Fopen(harness->base, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 || H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, flip_length, &t, H5O_INFO_BASIC) != 0)
        _exit(6);
    H5Fclose(file);
    end(&t);
}

/* HDF5 then reads some of a dataset's rows as zeros, and without an error. */
static void lengths_that_lie_cost_blocks(void **state)
{
    (void)state;
    run(sw_fuzz_find("kwn_partial"), flip_lengths);
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
                                       cmocka_unit_test(a_flipped_bit_costs_a_block),
                                       cmocka_unit_test(lengths_that_lie_cost_blocks)};
    return cmocka_run_group_tests(tests, find_files, NULL);
}
