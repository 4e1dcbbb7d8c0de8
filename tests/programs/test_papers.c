/* Values that papers' strategies serve: taken from a job and an option in a build that has them, else refused by both,
 * with what the build lacks. */
#include "programs.h"

static const char fem_text[] =
    "mesh: {body: box, cells: [2, 2, 1]}\n"
    "materials: [{young: 200.0e9, poisson: 0.3}]\n"
    "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}, {nodes: x_max, x: 0.001}]\n"
    "device: cpu\n"
    "solver: {operator: points, storage: own, staging: all, preconditioner: block_jacobi}\n"
    "output: {file: out.h5}\n";

static const char upset_text[] = "upsetting: {radius: 0.01, height: 0.03, reduction: 0.01, cells: [2, 3], "
                                 "increments: 20, rate_law: none}\n"
                                 "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 700.0e6}]\n"
                                 "device: cpu\n"
                                 "output: {file: out.h5}\n";

static const char kwn_text[] = "alloy: alloy.yaml\n"
                               "strategy: cpu\n"
                               "initial_temperature: 803.0\n"
                               "temperature: [{quench_to: 458.0}, {hold: 20000.0}]\n"
                               "output: {file: out.h5}\n";

static const char dem_text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, density: 2600}\n"
    "packing: {particles: 60, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},\n"
    "          pressure: 200.0e3, friction: 0.1, inertia_number: 3.0e-2}\n"
    "execution: {team: auto, detection: grid}\n"
    "output: {file: out.h5}\n";

/* In words of the job: what it says, what it is to say, as an option; whether the CPU can. */
static const struct {
    const char *command, *text, *key, *value, *option, *is;
    int on_cpu;
} values[] = {
    {"fem", fem_text, "operator: points", "operator: nbn", "operator nbn", "solver.operator = nbn", 1},
    {"fem", fem_text, "operator: points", "operator: assembled", "operator assembled",
     "solver.operator = assembled", 1},
    {"fem", fem_text, "storage: own", "storage: split", "storage split", "solver.storage = split", 1},
    {"fem", fem_text, "staging: all", "staging: nothing", "staging nothing", "solver.staging = nothing", 1},
    {"fem", upset_text, "rate_law: none", "rate_law: biconjugate", "rate-law biconjugate",
     "upsetting.rate_law = biconjugate", 1},
    {"kwn", kwn_text, "strategy: cpu", "strategy: class_first", "strategy class_first",
     "strategy = class_first", 0},
    {"dem", dem_text, "team: auto", "team: launches", "team launches", "execution.team = launches", 0},
    {"dem", dem_text, "team: auto, detection: grid", "team: auto, detection: bvh", "detection bvh",
     "execution.detection = bvh", 0},
};

static void check(const char *command, const char *is, int runs)
{
    result r;
    if (!SW_HAS_PAPERS) {
        const char *const part[] = {is, SW_NO_PAPERS};
        assert_refused_twice(command, 2, part);
        return;
    }
    run(command, &r);
    assert_null(strstr(r.err, SW_NO_PAPERS));
    assert_true(!runs || r.status == 0); /* the others want a GPU, or another key beside it */
    unlink("out.h5");
    unlink("out-0001.vtkhdf");
}

static void test_values_of_papers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char command[200], option[80], place[120];
        int line = 1;
        for (const char *at = values[i].text; at < strstr(values[i].text, values[i].key); at++)
            line += *at == '\n';
        snprintf(command, sizeof command, "slipwave %s -q job.yaml", values[i].command);
        snprintf(place, sizeof place, "job.yaml:%d: %s", line, values[i].is);
        write_edited("job.yaml", values[i].text, values[i].key, values[i].value);
        check(command, place, values[i].on_cpu);
        write_text("job.yaml", values[i].text);
        const char *value = strchr(values[i].option, ' ');
        snprintf(command, sizeof command, "slipwave %s -q job.yaml --%s", values[i].command,
                 values[i].option);
        snprintf(option, sizeof option, "--%.*s = %s", (int)(value - values[i].option), values[i].option,
                 value + 1);
        check(command, option, values[i].on_cpu);
    }
    unlink("job.yaml");
}

static int set_up(void **state)
{
    (void)state;
    if (enter_folder() != 0)
        return 1;
    char *alloy = read_data("alloys/al-mg-si-6082.yaml");
    write_text("alloy.yaml", alloy);
    free(alloy);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_of_papers)};
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
