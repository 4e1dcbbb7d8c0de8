/* Job files of `slipwave dem`, tables of samples and stress paths: every way to say them wrongly. */
#include "texts.h"

typedef struct {
    const char *old, *new;
    const char *place, *key, *bound; /* parts of the message: file and line, key and value, what is needed */
} refusal;

static void refuse_with(const char *text, int n_options, const char *const (*option)[2], const refusal *c)
{
    sw_dem_job *job;
    write_job(text, c->old, c->new);
    if (sw_dem_job_read(&(sw_arguments){job_path, n_options, option}, &job) != SW_ERR_INPUT)
        fail_msg("'%s' for '%s' was taken, or refused otherwise: %s", c->new != NULL ? c->new : "",
                 c->old != NULL ? c->old : "", sw_error_message());
    assert_null(job);
    assert_message_has(c->place);
    assert_message_has(c->key);
    assert_message_has(c->bound);
}

static void refuse(const char *text, int n, const refusal *cases)
{
    for (const refusal *c = cases; c < cases + n; c++)
        refuse_with(text, NO_OPTIONS, c);
}

#define REFUSE(text, cases) refuse(text, (int)(sizeof(cases) / sizeof *(cases)), cases)

static void bad_keys_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"law: hertz_mindlin", "low: hertz_mindlin", "job.yaml:2: ", "'material.low'", "did you mean"},
        {"hertz_mindlin", "hertz", "job.yaml:2: ", "material.law = hertz",
         "need one of linear, hertz_mindlin"},
        {"product", "maximum", "job.yaml:3: ", "material.moment_radius = maximum",
         "need one of minimum, product"},
        {"  young: 7.0e10\n", "", "job.yaml:1: ", "material.young is missing", "need Pa"},
        {"7.0e10", "0", "job.yaml:4: ", "material.young = 0", "from 1e-3 to 1e15"},
        {"7.0e10", "nan", "job.yaml:4: ", "material.young = nan", "need a number"},
        {"poisson: 0.2", "poisson: -0.1", "job.yaml:5: ", "material.poisson = -0.1", "0 <= poisson <= 1"},
        {"poisson: 0.2", "poisson: 0.6", "job.yaml:5: ", "material.poisson = 0.6",
         "need -1 < poisson <= 0.5 with the law hertz_mindlin"},
        {"  poisson: 0.2\n", "", "job.yaml:1: ", "material.poisson is missing", ""},
        {"friction_angle: 30", "friction_angle: 90", "job.yaml:6: ", "material.friction_angle = 90",
         "from 0 to 84"},
        {"  friction_angle: 30\n", "", "job.yaml:1: ", "material.friction is missing",
         "need friction or friction_angle"},
        {"friction_angle: 30", "friction_angle: 30\n  friction: 0.5",
         "job.yaml:6: ", "material.friction_angle beside material.friction", "only one"},
        {"roll_stiffness: 1.5", "roll_stiffness: -1", "job.yaml:7: ", "material.roll_stiffness = -1",
         "0 <= roll_stiffness <= 1e6"},
        {"roll_stiffness: 1.5", "roll_stiffness: 0",
         "job.yaml:9: ", "material.roll_strength = 0.5 without a stiffness", "need roll_stiffness above 0"},
        {"twist_stiffness: 1.25", "twist_stiffness: 1.0e7",
         "job.yaml:8: ", "material.twist_stiffness = 1.0e7", "<= 1e6"},
        {"  twist_stiffness: 1.25\n", "",
         "job.yaml:9: ", "material.twist_strength = 0.25 without a stiffness", ""},
        {"roll_strength: 0.5", "roll_strength: -0.5", "job.yaml:9: ", "material.roll_strength = -0.5", ""},
        {"twist_strength: 0.25", "twist_strength: x", "job.yaml:10: ", "material.twist_strength = x",
         "need a number"},
        {"density: 2500", "density: 0", "job.yaml:11: ", "material.density = 0", "kg/m^3"},
        {"  density: 2500\n", "", "job.yaml:1: ", "material.density is missing", ""},

        {"particles: 64", "particles: 3", "job.yaml:13: ", "packing.particles = 3",
         "4 <= particles <= 67108863"},
        {"particles: 64", "particles: 64.5", "job.yaml:13: ", "packing.particles = 64.5", "a whole number"},
        {"  particles: 64\n", "", "job.yaml:12: ", "packing.particles is missing", "packing.file"},
        {"distribution: uniform", "distribution: normal",
         "job.yaml:14: ", "packing.radii.distribution = normal", "need one of monodisperse, uniform"},
        {"distribution: uniform, ", "", "job.yaml:14: ", "packing.radii.distribution is missing", ""},
        {"least: 1.0e-4, ", "", "job.yaml:14: ", "packing.radii.least is missing",
         "distribution = uniform needs it"},
        {"least: 1.0e-4, ", "least: 1.0e-4, radius: 1.0e-4, ",
         "job.yaml:14: ", "packing.radii.radius has no place", "distribution = uniform"},
        {"least: 1.0e-4", "least: 3.0e-4", "job.yaml:14: ", "packing.radii: least radius = 0.0003", "need"},
        {"{distribution: uniform, least: 1.0e-4, largest: 2.0e-4}",
         "{distribution: grading, grading: [[1.0e-4, 0], [2.0e-4, 0.5]]}",
         "job.yaml:14: ", "last passing of a grading curve = 0.5", "need 1"},
        {"  radii: {distribution: uniform, least: 1.0e-4, largest: 2.0e-4}\n", "",
         "job.yaml:12: ", "packing.radii is missing", "packing.file"},
        {"seed: 7", "seed: -1", "job.yaml:15: ", "packing.seed = -1", "0 <= seed <= 2^53"},
        {"void_ratio: 0.7", "void_ratio: 5", "job.yaml:16: ", "packing.void_ratio = 5", "0.1 <= void_ratio"},
        {"pressure: 100.0e3", "pressure: 0", "job.yaml:17: ", "packing.pressure = 0", "Pa, from 1e-3"},
        {"  pressure: 100.0e3\n", "", "job.yaml:12: ", "packing.pressure is missing", "packing.file"},
        {"friction: 0.3", "friction: 11", "job.yaml:18: ", "packing.friction = 11", "0 <= friction <= 10"},
        {"friction: 0.3", "friction: 0", "job.yaml:12: ", "packing: packing_friction = 0", "above 0"},
        {"inertia_number: 5.0e-3", "inertia_number: 0", "job.yaml:19: ", "packing.inertia_number = 0",
         "1e-7 <= inertia_number <= 1"},
        {"friction_decay: 0.1", "friction_decay: 0.9", "job.yaml:20: ", "packing.friction_decay = 0.9", ""},
        {"stress_tolerance: 0.02", "stress_tolerance: 0", "job.yaml:21: ", "packing.stress_tolerance = 0",
         ""},
        {"unbalanced_force: 0.03", "unbalanced_force: 2", "job.yaml:22: ", "packing.unbalanced_force = 2",
         ""},
        {"most_steps: 1000000", "most_steps: 0", "job.yaml:23: ", "packing.most_steps = 0",
         "1 <= most_steps"},
        {"record: yes", "record: maybe", "job.yaml:24: ", "packing.record = maybe", "need yes or no"},
        {"record: yes", "slowness: 100", "job.yaml:24: ", "packing.slowness", "method = sequential"},
        {"record: yes", "method: force_biased\n  slowness: 5", "job.yaml:25: ", "packing.slowness = 5",
         "1e7"},
        {"record: yes", "method: jammed", "job.yaml:24: ", "packing.method = jammed", "sequential"},
        {"record: yes", "file: packing.txt", "job.yaml:14: ", "packing.radii", "no place beside a packing"},
        {"{count: 2}", "{count: 0}", "job.yaml:25: ", "rves.count = 0", "1 <= count <= 1e6"},
        {"{count: 2}", "{count: 1000000, variations: [{seed: 1}, {seed: 2}]}",
         "job.yaml:25: ", "rves.count = 1000000", "at most 1e6"},
        {"{count: 2}", "{variations: [{seed: 1.5}]}", "job.yaml:25: ", "rves.variations[0].seed = 1.5",
         "whole"},
        {"{count: 2}", "{variations: [{yung: 1.5}]}", "job.yaml:25: ", "'rves.variations[0].yung'",
         "did you mean 'rves.variations[0].young'"},
        {"{count: 2}", "{variations: [{seed: 1}, {friction: 1, friction_angle: 2}]}",
         "job.yaml:25: ", "rves.variations[1].friction_angle beside rves.variations[1].friction", "only one"},
        {"{count: 2}", "{variations: [{file: packing.txt}, {seed: 1}]}",
         "job.yaml:25: ", "rves.variations[1] has no file", "need one in each"},
        {"{count: 2}", "{variations: [{poisson: 0.55}]}", "job.yaml:", "rves.variations[0].poisson = 0.55",
         "poisson <= 0.5"},
        {"{count: 2}", "{variations: [{seed: 1}, {roll_stiffness: 0}]}",
         "job.yaml:", "rves.variations[1].roll_stiffness = 0", "above 0 beside roll_strength = 0.5"},

        {"cundall", "viscous", "job.yaml:27: ", "numerics.damping_form = viscous",
         "need one of predicted, cundall"},
        {"damping: 0.3", "damping: 1", "job.yaml:28: ", "numerics.damping = 1", "0 <= damping <= 0.99"},
        {"step_rule: wave", "step_rule: safe", "job.yaml:29: ", "numerics.step_rule = safe",
         "need one of wave, stiffness, fixed"},
        {"step: 0.4", "step: 1.5", "job.yaml:30: ", "numerics.step = 1.5", "a part of the critical step"},
        {"step_rule: wave\n  step: 0.4", "step_rule: fixed\n  step: 2", "job.yaml:30: ", "numerics.step = 2",
         "fixed: s, from 1e-15 to 1"},
        {"step_rule: wave\n  step: 0.4", "step_rule: fixed", "job.yaml:26: ", "numerics.step is missing",
         "fixed needs it"},
        {"skin: 0.2", "skin: 0", "job.yaml:31: ", "numerics.skin = 0", "a part of the least radius"},
        {"control_interval: 10", "control_interval: 0", "job.yaml:32: ", "numerics.control_interval = 0", ""},
        {"record_interval: 50", "record_interval: 55", "job.yaml:33: ", "numerics.record_interval = 55",
         "a multiple of control_interval = 10"},
        {"record_interval: 50", "record_interval: 50\n  record_strain: 0.1",
         "job.yaml:33: ", "numerics.record_interval beside numerics.record_strain", "only one"},
        {"record_interval: 50", "record_strain: 2", "job.yaml:33: ", "numerics.record_strain = 2", ""},
        {"servo_gain: 0.1", "servo_gain: 2", "job.yaml:34: ", "numerics.servo_gain = 2",
         "1e-4 <= servo_gain"},
        {"inertia_number: 2.0e-3", "inertia_number: 2", "job.yaml:35: ", "numerics.inertia_number = 2", ""},

        {"device: cpu", "device: abacus", "job.yaml:40: ", "device = abacus", "need one of auto, cpu, cuda"},
        {"execution:\n", "execution:\n  device: cpu\n", "job.yaml:42: ", "unknown key 'execution.device'",
         "need one of team"},
        {"device: cpu", "device: cuda", "job.yaml:42: ", "execution.team = thread", "but device = cuda"},
        {"team: thread", "team: cluster", "job.yaml:42: ", "execution.team = cluster",
         "runs on a GPU, but device = cpu"},
        {"team: thread", "team: gang", "job.yaml:42: ", "execution.team = gang", "need one of auto, thread"},
        {"detection: grid", "detection: bvh", "job.yaml:43: ", "execution.detection = bvh",
         OF_PAPERS("need team = launches")},
        {"team: thread", "team: launches", "job.yaml:42: ", "execution.team = launches",
         OF_PAPERS("runs on a GPU, but device = cpu")},
        {"boundary_particles", "ghosts", "job.yaml:44: ", "execution.images = ghosts", "need one of nearest"},
        {"memory: 1.0e9", "memory: 10", "job.yaml:45: ", "execution.memory = 10", "bytes"},
        {"checkpoint: 7", "checkpoint: 0", "job.yaml:46: ", "execution.checkpoint = 0", "need s, from 0.1"},
        {"  file: out.h5\n", "", "job.yaml:47: ", "output.file is missing", "need a file"},
        {"[txt, vtkhdf]", "[txt, csv]", "job.yaml:49: ", "output.packings[1] = csv",
         "need one of txt, vtkhdf"},
        {"contacts: yes", "contacts: 3", "job.yaml:50: ", "output.contacts = 3", "need yes or no"},
        {"zeros", "ones", "job.yaml:52: ", "samples.on_failure = ones", "need one of omit, zeros"},
    };
    REFUSE(full, cases);
}

/* An entry of `loading` in place of the one of `least`: line 5. */
static void bad_tests_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *test, *key, *bound;
    } cases[] = {
        {"{strain: 0.1}", "loading[0].test is missing", ""},
        {"{test: triaxial}", "loading[0].test = triaxial", "need one of isotropic, drained_triaxial"},
        {"{test: isotropic, presure: 1}", "'loading[0].presure'", "did you mean 'loading[0].pressure'"},
        {"{test: isotropic, strain: 0.1}", "loading[0].strain has no place", "test = isotropic"},
        {"{test: isotropic, volume_strain: 0.1, pressure: 1.0e5}", "loading[0].pressure beside volume_strain",
         ""},
        {"{test: isotropic, volume_strain: 0}", "loading[0].volume_strain = 0", "need not 0"},
        {"{test: isotropic, volume_strain: 9}", "loading[0].volume_strain = 9", "-5 to 5"},
        {"{test: isotropic, pressure: -5}", "loading[0].pressure = -5", "Pa, from 1e-3"},
        {"{test: isotropic, stress_tolerance: 0.6}", "loading[0].stress_tolerance = 0.6", "<= 0.5"},
        {"{test: isotropic, unbalanced_force: 0}", "loading[0].unbalanced_force = 0", "1e-9 <="},
        {"{test: isotropic, ramp: -1}", "loading[0].ramp = -1", "s, from 0"},
        {"{test: drained_triaxial}", "loading[0].strain is missing", "drained_triaxial needs it"},
        {"{test: drained_triaxial, strain: 0}", "loading[0].strain = 0", "need not 0"},
        {"{test: drained_triaxial, strain: 6}", "loading[0].strain = 6", "-5 to 5"},
        {"{test: drained_triaxial, strain: 0.1, axis: 4}", "loading[0].axis = 4", "1, 2 or 3"},
        {"{test: drained_triaxial, strain: 0.1, duration: 1}", "loading[0].duration has no place", ""},
        {"{test: drained_triaxial, strain: 0.1, strain_rate: 0}", "loading[0].strain_rate = 0", "1/s"},
        {"{test: drained_triaxial, strain: 0.1, inertia_number: 3}", "loading[0].inertia_number = 3", ""},
        {"{test: drained_triaxial, strain: 0.1, strain_rate: 1, inertia_number: 0.1}",
         "loading[0].inertia_number beside loading[0].strain_rate", "only one"},
        {"{test: drained_triaxial, strain: 0.1, servo_rate: 0}", "loading[0].servo_rate = 0", "1/s"},
        {"{test: drained_triaxial, strain: 0.1, friction: -1}", "loading[0].friction = -1", "a tangent"},
        {"{test: drained_triaxial, strain: 0.1, most_steps: 0}", "loading[0].most_steps = 0", ""},
        {"{test: drained_triaxial, strain: 0.1, record: some}", "loading[0].record = some", "need yes or no"},
        {"{test: drained_triaxial, strain: 0.1, zero_strain: 2}", "loading[0].zero_strain = 2", ""},
        {"{test: drained_triaxial, strain: 0.1, wait_for_rest: 2}", "loading[0].wait_for_rest = 2", ""},
        {"{test: undrained_triaxial}", "loading[0].strain is missing", ""},
        {"{test: undrained_triaxial, strain: 0.1, pressure: 1}", "loading[0].pressure has no place", ""},
        {"{test: simple_shear}", "loading[0].strain is missing", "simple_shear needs it"},
        {"{test: simple_shear, strain: 0.1, plane: [1, 1]}", "loading[0].plane = [1, 1]", "two axes"},
        {"{test: simple_shear, strain: 0.1, plane: [0, 1]}", "loading[0].plane[0] = 0", "two axes"},
        {"{test: simple_shear, strain: 0.1, plane: [1]}", "loading[0].plane has 1 entries", ""},
        {"{test: simple_shear, strain: 0.1, servo_rate: 1}", "loading[0].servo_rate", "no servo"},
        {"{test: simple_shear, strain: 0.1, normal_stress: 0}", "loading[0].normal_stress = 0", "Pa"},
        {"{test: true_triaxial}", "loading[0].b is missing", "components"},
        {"{test: true_triaxial, b: 2, strain: 0.1}", "loading[0].b = 2", "0 <= b <= 1"},
        {"{test: true_triaxial, b: 0.5}", "loading[0].strain is missing", ""},
        {"{test: true_triaxial, b: 0.5, strain: -0.1}", "loading[0].strain = -0.1", "more than 0"},
        {"{test: true_triaxial, b: 0.5, strain: 0.1, goal: 1}", "loading[0].goal", "goes with components"},
        {"{test: true_triaxial, b: 0.5, components: {11: {stress: 1}}}", "loading[0].b beside components",
         ""},
        {"{test: true_triaxial, components: {12: {stress: 1}}, duration: 1}",
         "loading[0].components.12.stress", "11, 22 and 33 only"},
        {"{test: strain, duration: 1}", "loading[0].velocity_gradient is missing", "3 rows of 3 numbers"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [-1, 0, 0], [0, 0, 0]], duration: 1}",
         "loading[0].velocity_gradient: sqrt(D:D / 2) = 0", "more than 0"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [-1, 0, 0]], duration: 1}",
         "loading[0].velocity_gradient has 2 entries", "need 3"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]]}",
         "loading[0].until is missing", "or duration"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: strain, goal: 0.1}",
         "loading[0].component is missing", ""},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: strain, goal: 0.1, "
         "component: 33}",
         "loading[0].component = 33", "does not strain"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: strain, goal: 0.1, "
         "component: 21}",
         "loading[0].component = 21", "need one of 11, 22, 33, 23, 13, 12"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: void_ratio, goal: 0.5}",
         "loading[0].until = void_ratio", "volume does not change"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: equilibrium, goal: "
         "0.5}",
         "loading[0].until = equilibrium", "driven by stress"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: time}",
         "loading[0].goal is missing", "until = time needs it"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: never, goal: 1}",
         "loading[0].until = never", "need one of strain, volume_strain"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: time, goal: 0}",
         "loading[0].goal = 0", "more than 0"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], until: time, goal: 1, "
         "duration: 1}",
         "loading[0].duration beside loading[0].until", "only one"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], goal: 1, duration: 1}",
         "loading[0].goal", "goes with until"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], component: 12, duration: 1}",
         "loading[0].component", "goes with until"},
        {"{test: strain, velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0}",
         "loading[0].duration = 0", "s, from 1e-15"},
        {"{test: general, duration: 1}", "loading[0].components is missing", ""},
        {"{test: general, components: {}, duration: 1}", "loading[0].components is missing", ""},
        {"{test: general, components: {11: {stress: 1, strain_rate: 1}}, duration: 1}",
         "loading[0].components.11.stress beside strain_rate", "only one"},
        {"{test: general, components: {11: {stress: 0}}, duration: 1}", "loading[0].components.11.stress = 0",
         "carry no tension"},
        {"{test: general, components: {14: {stress: 0}}, duration: 1}", "'loading[0].components.14'", ""},
        {"{test: general, components: {11: {stres: 0}}, duration: 1}", "'loading[0].components.11.stres'",
         "did you mean"},
        {"{test: general, components: {11: {strain_rate: 1.0e16}}, duration: 1}",
         "loading[0].components.11.strain_rate = 1", "-1e15 to 1e15"},
        {"{test: general, components: {11: {strain_rate: 1}}, duration: 1, servo_rate: 1}",
         "loading[0].servo_rate", "driven by stress"},
        {"{test: general, components: {11: {strain_rate: 1}}, duration: 1, ramp: 1}", "loading[0].ramp",
         "driven by stress"},
        {"{test: stress_path}", "loading[0].file is missing", "stress_path needs it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_with(least, NO_OPTIONS,
                    &(refusal){a_test, cases[i].test, "job.yaml:5: ", cases[i].key, cases[i].bound});
}

/* A packing from a file may have no pressure to follow. */
static void tests_need_a_pressure_or_a_rate(void **state)
{
    (void)state;
    static const char text[] = "material: {young: 1.0e9, poisson: 0.5, friction: 0.5, density: 2600}\n"
                               "packing: {file: packing.txt}\n"
                               "loading:\n"
                               "  - {test: undrained_triaxial, strain: 0.1}\n"
                               "device: cpu\noutput: {file: out.h5}\n";
    static const refusal cases[] = {
        {"undrained", "undrained", "job.yaml:4: ", "loading[0].strain_rate is missing",
         "or packing.pressure"},
        {"undrained", "drained", "job.yaml:4: ", "loading[0].pressure is missing", "or packing.pressure"},
        {"{test: undrained_triaxial, strain: 0.1}", "{test: isotropic}",
         "job.yaml:4: ", "loading[0].pressure is missing", ""},
        {"loading:\n  - {test: undrained_triaxial, strain: 0.1}\n", "", "job.yaml: ", "loading is missing",
         "nothing to do"},
        {"loading:", "rves: {count: 2}\nloading:", "job.yaml:3: ", "rves.count = 2", "would be the same"},
        {"loading:", "rves: {variations: [{particles: 10}]}\nloading:", "job.yaml:3: ",
         "rves.variations[0].particles", "no place beside a packing from a file"},
        {"{file: packing.txt", "{method: force_biased, file: packing.txt", "job.yaml:2: ", "packing.method",
         "no place beside a packing from a file"},
    };
    REFUSE(text, cases);
}

static void bad_samples_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"  control: strain_33\n", "", "job.yaml:7: ", "samples.control is missing", "as strain_33"},
        {"control: strain_33", "control: strain_34", "job.yaml:9: ", "samples.control = strain_34",
         "did you mean 'strain_"},
        {"control: strain_33", "control: x", "job.yaml:9: ", "samples.control = x",
         "need one of time, stage"},
        {"  count: 5\n  last: 0.08\n", "", "job.yaml:7: ", "samples.count is missing",
         "need count or values"},
        {"  count: 5\n", "", "job.yaml:7: ", "samples.count is missing", ""},
        {"  last: 0.08\n", "", "job.yaml:7: ", "samples.last is missing", "with count"},
        {"count: 5", "count: 1", "job.yaml:10: ", "samples.count = 1", "2 <= count"},
        {"last: 0.08", "last: 0", "job.yaml:11: ", "samples.last = 0", "another value than first"},
        {"last: 0.08", "last: 0.08\n  values: [0]", "job.yaml:12: ", "samples.values beside samples.count",
         "only one"},
        {"  count: 5\n  last: 0.08\n", "  values: [0, 1]\n  first: 1\n", "job.yaml:11: ", "samples.first",
         "goes with count"},
        {"  count: 5\n  last: 0.08\n", "  values: [0, 1, 1]\n", "job.yaml:10: ", "samples.values[2] = 1",
         "only rise, or only fall"},
        {"  columns: [stress_ratio, volume_strain]\n", "", "job.yaml:7: ", "samples.columns is missing", ""},
        {"volume_strain]", "volume_strains]", "job.yaml:12: ", "samples.columns[1] = volume_strains",
         "did you mean 'volume_strain'?"},
        {"volume_strain]", "stress_ratio]", "job.yaml:12: ", "samples.columns[1] = stress_ratio",
         "given twice"},
        {"volume_strain]", "strain_33]", "job.yaml:12: ", "samples.columns[1] = strain_33", "given twice"},
        {"loading: [{test: drained_triaxial, strain: 0.1}]\n", "", "job.yaml: ", "loading is missing",
         "samples need a test"},
        {"{count: 2}", "{variations: [{seed: 1}]}", "job.yaml:8: ", "samples.table beside rves.variations",
         "only one"},
    };
    REFUSE(sampled, cases);
}

static void bad_tables_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *place, *key, *bound;
    } cases[] = {
        {"!OMP_NUM_THREADS", "OMP_NUM_THREADS", "samples.txt:1: ", "column 1 is 'OMP_NUM_THREADS'",
         "need '!OMP_NUM_THREADS'"},
        {"description", "title", "samples.txt:1: ", "column 2 is 'title'", "need 'description'"},
        {"phi", "ph", "samples.txt:1: ", "unknown parameter 'ph'", "did you mean 'phi'?"},
        {"phi", "angularity", "samples.txt:1: ", "unknown parameter 'angularity'", "need one of young, E"},
        {"phi", "young", "samples.txt:1: ", "'young' is 'E' again", "only one"},
        {"phi", "young_GPa", "samples.txt:1: ", "'young_GPa' is 'E' again", "only one"},
        {"phi", "density_MPa", "samples.txt:1: ", "'density_MPa'", "need a unit of kg/m^3"},
        {"phi", "V_liquid_mm", "samples.txt:1: ", "'V_liquid_mm'", "need a unit of m^3"},
        {"alpha_roll", "mu", "samples.txt:1: ", "'mu' is 'phi' again", "only one"},
        {"alpha_roll", "E", "samples.txt:1: ", "column 'E' is given twice", ""},
        {"alpha_roll", "w", "samples.txt:1: ", "column 'w'", "no place with law = linear"},
        {"2.0000000000e+01", "9.0000000000e+01", "samples.txt:3: ", "phi = 90", "from 0 to 84"},
        {"2.0000000000e+01", "twenty", "samples.txt:3: ", "phi = twenty", "need a number"},
        {"2.0000000000e+01", "nan", "samples.txt:3: ", "phi = nan", "need a number"},
        {"2.0000000000e+01", "", "samples.txt:3: ", "6 words", "need 7, one a column"},
        {"1.1000000000e+01", "1.1500000000e+01", "samples.txt:3: ", "seed = 11.5", "whole"},
        {"sand_Iter0_Sample1", "sand_Iter0_Sample0", "samples.txt:1: ", "'sand_Iter0_Sample0' is given twice",
         ""},
        {"sand_Iter0_Sample1", "../sand", "samples.txt:3: ", "description = ../sand", "no '/'"},
    };
    sw_dem_job *job;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        const char *at = strstr(samples, cases[i].old);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - samples), samples, cases[i].new,
                 at + strlen(cases[i].old));
        write_text(table_path, text);
        refuse_with(sampled, NO_OPTIONS,
                    &(refusal){NULL, NULL, cases[i].place, cases[i].key, cases[i].bound});
    }
    write_text(table_path, "!OMP_NUM_THREADS description key\n 1 a 0\n");
    refuse_with(sampled, NO_OPTIONS,
                &(refusal){NULL, NULL, "samples.txt:1: ", "no parameters", "after 'key'"});
    write_text(table_path, "!OMP_NUM_THREADS description key E\n");
    refuse_with(sampled, NO_OPTIONS, &(refusal){NULL, NULL, "samples.txt:1: ", "no rows", ""});
    write_text(table_path, samples);
    refuse_with(sampled, NO_OPTIONS,
                &(refusal){", roll_stiffness: 1", "", "samples.txt:2: ",
                           "alpha_roll = 0.15 without a stiffness", "need roll_stiffness above 0"});
    write_text(table_path, "!OMP_NUM_THREADS description key nu\n 1 a 0 0.5\n 1 b 1 0.6\n");
    refuse_with(
        sampled, NO_OPTIONS,
        &(refusal){"{young", "{law: hertz_mindlin, young", "samples.txt:3: ", "nu = 0.6", "poisson <= 0.5"});
    unlink(table_path);
    write_job(sampled, NULL, NULL);
    assert_int_equal(sw_dem_job_read(&(sw_arguments){.file = job_path}, &job), SW_ERR_IO);
    assert_message_has("samples.txt");
    write_text(table_path, samples);
}

static void bad_paths_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *place, *key, *bound;
    } cases[] = {
        {"# time", "# t", "path.txt:1: ", "column 1 is 't'", "need 'time'"},
        {"stress_22", "stres_22", "path.txt:1: ", "unknown column 'stres_22'", "did you mean 'stress_22'?"},
        {"strain_rate_33", "strain_rate_11", "path.txt:1: ", "stress_11 and strain_rate_11", "only one"},
        {"0      2.0e5", "1      2.0e5", "path.txt:3: ", "time = 1", "need 0 s"},
        {"3.0e-3", "1.0e-3", "path.txt:6: ", "time = 0.001", "more than 0.001 s"},
        {"3.0e5      2.0e5", "3.0e5      -2.0e5", "path.txt:6: ", "stress_22 = -200000", "more than 0"},
        {"-5", "five", "path.txt:5: ", "strain_rate_33 = five", "need a number"},
    };
    static const refusal good = {a_test, "{test: stress_path, file: path.txt}", "", "", ""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        const char *at = strstr(path_text, cases[i].old);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - path_text), path_text, cases[i].new,
                 at + strlen(cases[i].old));
        write_text(path_path, text);
        refuse_with(least, NO_OPTIONS,
                    &(refusal){good.old, good.new, cases[i].place, cases[i].key, cases[i].bound});
    }
    write_text(path_path, "time stress_11\n0 1\n");
    refuse_with(least, NO_OPTIONS,
                &(refusal){good.old, good.new, "path.txt:2: ", "one row", "need the beginning"});
    write_text(path_path, "time\n0\n1\n");
    refuse_with(least, NO_OPTIONS, &(refusal){good.old, good.new, "path.txt:1: ", "only times", ""});
    write_text(path_path, path_text);
}

static void bad_options_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *option[1][2], *part;
    } cases[] = {
        {{{"device", "gpu"}}, "--device = gpu: need one of auto, cpu, cuda"},
        {{{"team", "block"}}, "--team = block: runs on a GPU, but device = cpu"},
        {{{"team", "blocks"}}, "--team = blocks: need one of auto"},
        {{{"detection", "hash"}}, "--detection = hash: " OF_PAPERS("need team = launches")},
        {{{"team", "launches"}}, "--team = launches: " OF_PAPERS("runs on a GPU, but device = cpu")},
        {{{"images", "mirror"}}, "--images = mirror: need one of nearest"},
        {{{"seed", "-1"}}, "--seed = -1: need 0 <= seed <= 2^53"},
        {{{"seed", "1.5"}}, "--seed = 1.5: need a whole number"},
        {{{"inertia-number", "2"}}, "--inertia-number = 2: need 1e-7 <= inertia_number <= 1"},
        {{{"output", ""}}, "--output = '': need a text"},
        {{{"threads", "0"}}, "--threads = 0: need 1 <= threads"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_with(full, 1, cases[i].option, &(refusal){NULL, NULL, NULL, cases[i].part, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_keys_are_refused_with_their_place),
        cmocka_unit_test(bad_tests_are_refused_with_their_place),
        cmocka_unit_test(tests_need_a_pressure_or_a_rate),
        cmocka_unit_test(bad_samples_are_refused_with_their_place),
        cmocka_unit_test(bad_tables_are_refused_with_their_place),
        cmocka_unit_test(bad_paths_are_refused_with_their_place),
        cmocka_unit_test(bad_options_are_named),
    };
    return cmocka_run_group_tests(tests, make_dem_folder, remove_dem_folder);
}
