/* What `make fuzz` found at one time, and its seeds, again: every harness with every input of its folder in corpus/; and
 * of the readers of HDF5 files every edit of every object. A process each, so that one that fails costs itself alone. */
#include "tests/test.h"

#include <dirent.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "edits.h"
#include "harness.h"

static char beside[PATH_MAX], corpus[PATH_MAX];
static char (*at)[300]; /* what the process was at, shared with it */

/* Seconds of the processor: some hundred times what any input takes. */
enum { LONGEST = 100 };

static void replay(const sw_fuzz_harness *harness, const char *path)
{
    static uint8_t data[1 << 16];
    FILE *file = fopen(path, "rb");
    const size_t size = file == NULL ? 0 : fread(data, 1, sizeof data, file);
    if (file == NULL || fclose(file) != 0)
        _exit(2);
    sw_fuzz_one_input(harness, data, size);
}

static int replay_folder(const sw_fuzz_harness *harness)
{
    char folder[PATH_MAX + 64], path[PATH_MAX + 400];
    struct dirent **entry;
    int inputs = 0;
    snprintf(folder, sizeof folder, "%s/%s", corpus, harness->name);
    const int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (entry[i]->d_name[0] != '.') {
            snprintf(*at, sizeof *at, "%s", entry[i]->d_name);
            snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
            replay(harness, path);
            inputs++;
        }
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return inputs;
}

/* Each edit alone: of each object a few of its choices, others for the next object. */
static void replay_edits(const sw_fuzz_harness *harness, int objects)
{
    static const struct {
        int choices, taken;
    } of[SW_EDITS] = {[SW_EDIT_VALUE] = {28, 4},    [SW_EDIT_ALL] = {28, 3},   [SW_EDIT_REMOVE] = {1, 1},
                      [SW_EDIT_SHAPE] = {88, 5},    [SW_EDIT_TYPE] = {9, 2},   [SW_EDIT_LINK] = {5, 2},
                      [SW_EDIT_ATTRIBUTE] = {8, 4}, [SW_EDIT_NUMBER] = {22, 3}};
    for (int o = 0; o < objects; o++)
        for (int kind = 0; kind < SW_EDITS; kind++)
            for (int k = 0; k < of[kind].taken; k++) {
                const int c = (o + k * (of[kind].choices / of[kind].taken)) % of[kind].choices;
                const uint8_t edit[SW_EDIT_SIZE] = {(uint8_t)kind, (uint8_t)o, (uint8_t)(c % 8), 0,
                                                    (uint8_t)c,    0};
                snprintf(*at, sizeof *at, "edit %d of object %d, choice %d", kind, o, c);
                sw_fuzz_one_input(harness, edit, sizeof edit);
            }
}

static void work(const sw_fuzz_harness *harness)
{
    const struct rlimit most = {LONGEST, LONGEST};
    snprintf(*at, sizeof *at, "its preparation");
    if (sw_fuzz_start(harness, beside) != 0)
        _exit(3);
    setrlimit(RLIMIT_CPU, &most);
    const int inputs = replay_folder(harness);
    if (harness->base != NULL)
        replay_edits(harness, sw_edits_open(harness->base));
    sw_fuzz_end();
    _exit(inputs > 0 ? 0 : 4); /* a harness without a seed is none */
}

static void replay_all(const sw_fuzz_harness *harness)
{
    for (; harness->name != NULL; harness++) {
        int status = 0;
        fflush(NULL);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            work(harness);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFSIGNALED(status))
            fail_msg("%s: signal %d at %s", harness->name, WTERMSIG(status), *at);
        if (WEXITSTATUS(status) != 0)
            fail_msg("%s: exit status %d at %s", harness->name, WEXITSTATUS(status), *at);
    }
}

static void texts_are_read_or_refused(void **state)
{
    (void)state;
    replay_all(sw_fuzz_texts);
}

static void jobs_are_read_or_refused(void **state)
{
    (void)state;
    replay_all(sw_fuzz_jobs);
}

static void files_are_read_or_refused(void **state)
{
    (void)state;
    replay_all(sw_fuzz_files);
}

static int find_inputs(void **state)
{
    (void)state;
    const char *data = getenv("SW_DATA");
    if (data == NULL)
        return -1;
    snprintf(beside, sizeof beside, "%s/../tests/fuzz/beside", data);
    snprintf(corpus, sizeof corpus, "%s/../tests/fuzz/corpus", data);
    at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_or_refused),
        cmocka_unit_test(jobs_are_read_or_refused),
        cmocka_unit_test(files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, find_inputs, NULL);
}
