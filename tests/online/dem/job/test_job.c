/* Job files of `slipwave dem`, tables of samples and stress paths: what they say, every way to say it
 * wrongly, and the elements and stages they make. */
#include "tests/job_files.h"

#include <dirent.h>

#include "common/files/text.h"
#include "common/math/rotation.h"
#include "online/dem/job/job.h"
#include "online/dem/job/quantities.h"
#include "online/dem/output/sample_files.h"

static char table_path[PATH_MAX + 32], path_path[PATH_MAX + 32], packing_path[PATH_MAX + 32];

static const char full[] =
    "material:\n"                                                                          /* 1 */
    "  law: hertz_mindlin\n"                                                               /* 2 */
    "  moment_radius: product\n"                                                           /* 3 */
    "  young: 7.0e10\n"                                                                    /* 4 */
    "  poisson: 0.2\n"                                                                     /* 5 */
    "  friction_angle: 30\n"                                                               /* 6 */
    "  roll_stiffness: 1.5\n"                                                              /* 7 */
    "  twist_stiffness: 1.25\n"                                                            /* 8 */
    "  roll_strength: 0.5\n"                                                               /* 9 */
    "  twist_strength: 0.25\n"                                                             /* 10 */
    "  density: 2500\n"                                                                    /* 11 */
    "packing:\n"                                                                           /* 12 */
    "  particles: 64\n"                                                                    /* 13 */
    "  radii: {distribution: uniform, least: 1.0e-4, largest: 2.0e-4}\n"                   /* 14 */
    "  seed: 7\n"                                                                          /* 15 */
    "  void_ratio: 0.7\n"                                                                  /* 16 */
    "  pressure: 100.0e3\n"                                                                /* 17 */
    "  friction: 0.3\n"                                                                    /* 18 */
    "  inertia_number: 5.0e-3\n"                                                           /* 19 */
    "  friction_decay: 0.1\n"                                                              /* 20 */
    "  stress_tolerance: 0.02\n"                                                           /* 21 */
    "  unbalanced_force: 0.03\n"                                                           /* 22 */
    "  most_steps: 1000000\n"                                                              /* 23 */
    "  record: yes\n"                                                                      /* 24 */
    "rves: {count: 2}\n"                                                                   /* 25 */
    "numerics:\n"                                                                          /* 26 */
    "  damping_form: cundall\n"                                                            /* 27 */
    "  damping: 0.3\n"                                                                     /* 28 */
    "  step_rule: wave\n"                                                                  /* 29 */
    "  step: 0.4\n"                                                                        /* 30 */
    "  skin: 0.2\n"                                                                        /* 31 */
    "  control_interval: 10\n"                                                             /* 32 */
    "  record_interval: 50\n"                                                              /* 33 */
    "  servo_gain: 0.1\n"                                                                  /* 34 */
    "  inertia_number: 2.0e-3\n"                                                           /* 35 */
    "loading:\n"                                                                           /* 36 */
    "  - {test: isotropic, pressure: 2.0e5, ramp: 1.0e-4, unbalanced_force: 0.05}\n"       /* 37 */
    "  - {test: drained_triaxial, axis: 1, strain: -0.1, strain_rate: 5, servo_rate: 9,\n" /* 38 */
    "     friction: 0.4, most_steps: 12345, record: no, wait_for_rest: yes}\n"             /* 39 */
    "device: cpu\n"                                                                        /* 40 */
    "execution:\n"                                                                         /* 41 */
    "  team: thread\n"                                                                     /* 42 */
    "  detection: grid\n"                                                                  /* 43 */
    "  images: boundary_particles\n"                                                       /* 44 */
    "  memory: 1.0e9\n"                                                                    /* 45 */
    "  checkpoint: 7\n"                                                                    /* 46 */
    "output:\n"                                                                            /* 47 */
    "  file: out.h5\n"                                                                     /* 48 */
    "  packings: [txt, vtkhdf]\n"                                                          /* 49 */
    "  contacts: yes\n"                                                                    /* 50 */
    "samples: {control: strain_11, values: [0, -0.01, -0.05],\n"                           /* 51 */
    "          columns: [stress_ratio, void_ratio], on_failure: zeros, folder: .}\n";      /* 52 */

static const char least[] = "material: {young: 1.0e9, poisson: 0.5, friction: 0.5, density: 2600}\n"  /* 1 */
                            "packing: {particles: 100, radii: {distribution: monodisperse,\n"         /* 2 */
                            "                                  radius: 1.0e-4}, pressure: 260.0e3}\n" /* 3 */
                            "loading:\n"                                                              /* 4 */
                            "  - {test: drained_triaxial, strain: 0.1}\n"                             /* 5 */
                            "device: cpu\n"                                                           /* 6 */
                            "output: {file: out.h5}\n";                                               /* 7 */

/* Radius 1e-4 m, density 2600 and 260 kPa: sqrt(p / rho) = 10 m/s, so that I = 1e-3 is 50 1/s. */
#define RATE 50.0

static const char sampled[] =
    "material: {young: 1.0e9, poisson: 0.5, friction: 0.5, density: 2600, roll_stiffness: 1}\n" /* 1 */
    "packing: {particles: 100, radii: {distribution: monodisperse,\n"                           /* 2 */
    "                                  radius: 1.0e-4}, pressure: 260.0e3}\n"                   /* 3 */
    "loading: [{test: drained_triaxial, strain: 0.1}]\n"                                        /* 4 */
    "device: cpu\n"                                                                             /* 5 */
    "output: {file: out.h5}\n"                                                                  /* 6 */
    "samples:\n"                                                                                /* 7 */
    "  table: samples.txt\n"                                                                    /* 8 */
    "  control: strain_33\n"                                                                    /* 9 */
    "  count: 5\n"                                                                              /* 10 */
    "  last: 0.08\n"                                                                            /* 11 */
    "  columns: [stress_ratio, volume_strain]\n"                                                /* 12 */
    "rves: {count: 2}\n";                                                                       /* 13 */

static const char samples[] = "!OMP_NUM_THREADS description key E phi alpha_roll seed \n"
                              " 8 sand_Iter0_Sample0         0     2.0000000000e+09     3.0000000000e+01     "
                              "1.5000000000e-01     3.0000000000e+00 \n"
                              " 8 sand_Iter0_Sample1         1     3.0000000000e+09     2.0000000000e+01     "
                              "0.0000000000e+00     1.1000000000e+01 \n";

static const char path_text[] = "# time stress_11, stress_22\tstrain_rate_33\n"
                                "\n"
                                "0      2.0e5      1.0e5      0\n"
                                "# a comment\n"
                                "1.0e-3 3.0e5      1.0e5      -5\n"
                                "3.0e-3 3.0e5      2.0e5      10\n";

/* ---- The folder ---- */

static int make_folder(void **state)
{
    (void)state;
    if (make_job_folder("dem-job"))
        return 1;
    snprintf(table_path, sizeof table_path, "%s/samples.txt", folder);
    snprintf(path_path, sizeof path_path, "%s/path.txt", folder);
    snprintf(packing_path, sizeof packing_path, "%s/packing.txt", folder);
    write_text(table_path, samples);
    write_text(path_path, path_text);
    double position[2][3] = {{1e-4, 1e-4, 1e-4}, {4e-4, 4e-4, 4e-4}}, radius[2] = {1e-4, 2e-4};
    const sw_dem_packing packing = {.n_particles = 2,
                                    .cell = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}},
                                    .position = position,
                                    .radius = radius};
    return sw_dem_packing_write(packing_path, &packing, 0, NULL) != SW_OK;
}

static int remove_folder(void **state)
{
    (void)state;
    return unlink(table_path) | unlink(path_path) | unlink(packing_path) | unlink(job_path) | rmdir(folder);
}

#define OPTIONS(...)                                                                                         \
    (int)(sizeof((const char *const[][2]){__VA_ARGS__}) / sizeof(const char *[2])), (const char *const[][2]) \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define NO_OPTIONS 0, NULL

/* `text` with the first `old` in it (may be NULL) replaced by `new`, as the job file. */
static sw_dem_job *read_good(const char *text, const char *old, const char *new, int n_options,
                             const char *const (*option)[2])
{
    sw_dem_job *job;
    write_job(text, old, new);
    CHECK_OK(sw_dem_job_read(&(sw_arguments){job_path, n_options, option}, &job));
    assert_non_null(job);
    return job;
}

/* ---- What is read ---- */

static void every_key_is_read(void **state)
{
    (void)state;
    static const double control[] = {0, -0.01, -0.05};
    sw_dem_job *job = read_good(full, NULL, NULL, NO_OPTIONS);
    sw_dem_sample sample;
    CHECK_OK(sw_dem_job_sample(job, 1, &sample));
    const sw_dem_material *m = &sample.material;
    assert_int_equal(m->law, SW_DEM_HERTZ_MINDLIN);
    assert_int_equal(m->moment_radius, SW_DEM_MOMENT_PRODUCT);
    assert_true(m->young == 7e10 && m->poisson == 0.2 && m->density == 2500);
    CHECK_CLOSE(m->friction, 1 / sqrt(3), 1e-15);
    assert_true(m->roll_stiffness == 1.5 && m->twist_stiffness == 1.25);
    assert_true(m->roll_strength == 0.5 && m->twist_strength == 0.25);
    const sw_dem_numerics *n = &sample.numerics;
    assert_true(n->damping_form == SW_DEM_DAMPING_CUNDALL && n->damping == 0.3);
    assert_true(n->step_rule == SW_DEM_STEP_WAVE && n->step == 0.4 && n->skin == 0.2);
    assert_true(n->control_interval == 10 && n->record_interval == 50 && n->servo_gain == 0.1);
    assert_int_equal(sample.packing.n_particles, 64);
    for (int i = 0; i < 64; i++)
        assert_true(sample.packing.radius[i] >= 1e-4 && sample.packing.radius[i] <= 2e-4);
    sw_dem_packing same; /* the second of two seeds from 7 on */
    CHECK_OK(sw_dem_pack_loose(64, &job->sizes, 8, 0.25, &same));
    assert_memory_equal(same.position, sample.packing.position, 64 * sizeof *same.position);
    sw_dem_packing_free(&same);

    /* three of packing, the beginning, two of loading */
    const sw_dem_stage *s = sample.stage;
    assert_int_equal(sample.n_stages, 6);
    assert_true(s[1].until == SW_DEM_UNTIL_VOID_RATIO && s[1].goal == 0.7 && s[1].friction_decay == 0.1);
    assert_true(s[0].friction == 0.3 && s[0].stress_tolerance == 0.02 && s[2].goal == 0.03);
    assert_true(s[0].max_steps == 1000000 && s[0].goal == 100e3 && !s[0].unrecorded);
    assert_true(s[3].until == SW_DEM_UNTIL_STEPS && s[3].goal == 0 && s[3].zero_strain);
    assert_true(s[4].until == SW_DEM_UNTIL_EQUILIBRIUM && s[4].goal == 0.05 && s[4].ramp == 1e-4);
    for (int i = 0; i < 3; i++)
        assert_true(s[4].stress_driven[i] && s[4].stress[i] == 2e5 && !s[4].stress_driven[3 + i]);
    assert_true(s[5].friction == 0.4 && s[5].max_steps == 12345 && s[5].unrecorded && s[5].wait_for_rest);
    assert_true(s[5].velocity_gradient[0][0] == 5 && s[5].max_rate == 9 && s[5].goal == 0.1);
    assert_true(s[5].component == 0 && !s[5].stress_driven[0] && s[5].stress_driven[1]);
    assert_true(s[5].stress[2] == 100e3); /* the packing's */

    assert_true(!job->options.cuda && job->options.team == SW_DEM_THREAD);
    assert_true(job->options.images == SW_DEM_BOUNDARY_PARTICLES && job->options.memory == 1000000000);
    assert_true(job->checkpoint == 7);
    assert_string_equal(job->device, "cpu");
    assert_string_equal(job->output.file, "out.h5");
    assert_true(job->write_txt && job->write_vtkhdf && job->output.contacts && job->samples.zeros_on_failure);
    assert_true(job->n_elements == 2 && job->n_variants == 1 && job->table == NULL);
    assert_string_equal(sw_job_text(job->source), full);
    sw_dem_job_sample_free(&sample);
    sw_dem_job_free(job);
    /* values wait for a table of samples, which options may bring */
    job = read_good(full, NULL, NULL, OPTIONS({"samples", table_path}));
    assert_int_equal(job->n_control, 3);
    assert_memory_equal(job->control, control, sizeof control);
    sw_dem_job_free(job);
}

static void absent_keys_have_their_defaults(void **state)
{
    (void)state;
    const sw_dem_numerics d = sw_dem_numerics_defaults();
    const sw_dem_packing_target t = sw_dem_packing_target_defaults();
    sw_dem_job *job = read_good(least, NULL, NULL, NO_OPTIONS);
    sw_dem_sample sample;
    CHECK_OK(sw_dem_job_sample(job, 0, &sample));
    assert_true(sample.material.law == SW_DEM_LINEAR && sample.material.roll_stiffness == 0);
    assert_true(sample.material.moment_radius == SW_DEM_MOMENT_MINIMUM && sample.material.friction == 0.5);
    assert_true(sample.numerics.damping == d.damping && sample.numerics.skin == d.skin);
    assert_true(sample.numerics.step_rule == d.step_rule && sample.numerics.step == d.step);
    assert_true(sample.numerics.servo_gain == d.servo_gain);
    assert_true(sample.numerics.damping_form == d.damping_form);
    assert_true(sample.numerics.control_interval == d.control_interval);
    const sw_dem_packing_target *own = &job->packing.target;
    assert_true(own->friction_decay == t.friction_decay && own->stress_tolerance == t.stress_tolerance);
    assert_true(own->unbalanced_force == t.unbalanced_force && own->max_steps == t.max_steps);
    assert_true(job->parameter[SW_DEM_PACKING_INERTIA] == t.inertia_number);
    assert_int_equal(sample.n_stages, 3 + 1 + 1);
    const sw_dem_stage *s = sample.stage;
    assert_true(s[0].unrecorded && s[2].unrecorded && !s[3].unrecorded && !s[4].unrecorded);
    assert_true(s[0].friction == t.packing_friction && s[1].until == SW_DEM_UNTIL_EQUILIBRIUM);
    CHECK_CLOSE(s[0].velocity_gradient[0][0], -10 * RATE * sqrt(2.0 / 3), 1e-12);
    assert_true(s[4].friction < 0 && !s[4].wait_for_rest && s[4].component == 2);
    CHECK_CLOSE(s[4].velocity_gradient[2][2], -RATE, 1e-12);
    CHECK_CLOSE(s[4].max_rate, 5 * RATE, 1e-12);
    /* four times the steps of 1e-4 sqrt(2600 / 1e9) / 2 s, and some */
    const double step = 0.5e-4 * sqrt(2600 / 1e9);
    CHECK_CLOSE((double)s[4].max_steps, 4 * 0.1 / (RATE * step) + 1e4, 1);
    /* a record every 5e-4 of strain, at ends of control intervals */
    const double steps = 5e-4 / (RATE * step);
    assert_int_equal(sample.numerics.record_interval, 20 * (int64_t)(steps / 20));
    sw_dem_packing first;
    CHECK_OK(sw_dem_pack_loose(100, &job->sizes, 1, 0.25, &first));
    assert_memory_equal(first.position, sample.packing.position, 100 * sizeof *first.position);
    sw_dem_packing_free(&first);
    assert_true(job->n_elements == 1 && job->checkpoint == 300 && !job->write_txt);
    sw_dem_job_sample_free(&sample);
    sw_dem_job_free(job);
}

static void packings_may_be_force_biased(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        double slowness;
    } methods[] = {{"{method: force_biased, slowness: 50, ", 50}, {"{method: force_biased, ", 1e4}};
    for (int i = 0; i < 2; i++) {
        char packing[160];
        sw_dem_sample sample;
        sw_dem_packing same;
        snprintf(packing, sizeof packing, "packing: %s", methods[i].keys);
        sw_dem_job *job = read_good(least, "packing: {", packing, NO_OPTIONS);
        CHECK_OK(sw_dem_job_sample(job, 0, &sample));
        CHECK_OK(sw_dem_pack_force_biased(100, &job->sizes, 1, methods[i].slowness, &same));
        assert_memory_equal(same.position, sample.packing.position, 100 * sizeof *same.position);
        assert_int_equal(sample.n_stages, 3 + 1 + 1); /* compressed as the others */
        sw_dem_packing_free(&same);
        sw_dem_job_sample_free(&sample);
        sw_dem_job_free(job);
    }
}

/* ---- Tests by name ---- */

static const char *const a_test = "{test: drained_triaxial, strain: 0.1}";

/* The loading's stages of a job with one test: *stage, borrowed from *sample. */
static int64_t stages_of(const char *test, sw_dem_job **job, sw_dem_sample *sample,
                         const sw_dem_stage **stage)
{
    *job = read_good(least, a_test, test, NO_OPTIONS);
    CHECK_OK(sw_dem_job_sample(*job, 0, sample));
    *stage = sample->stage + 4;
    return sample->n_stages - 4;
}

/* What a test makes: the velocity gradient over RATE, driven components and their stress over 1 kPa. */
static void tests_make_their_stages(void **state)
{
    (void)state;
    static const struct {
        const char *test;
        double gradient[3][3];
        int driven[6];
        double stress[6];
        sw_dem_until until;
        int component;
        double goal, most_rate;
    } cases[] = {
        {"{test: isotropic, volume_strain: 0.3, strain_rate: 61.237243569579452455}",
         {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
         {0},
         {0},
         SW_DEM_UNTIL_VOLUME_STRAIN,
         -1,
         0.3,
         INFINITY},
        {"{test: isotropic, pressure: 1040.0e3}", /* 4 p: twice the rate */
         {{0}},
         {1, 1, 1},
         {1040, 1040, 1040},
         SW_DEM_UNTIL_EQUILIBRIUM,
         -1,
         0.01,
         2},
        {"{test: drained_triaxial, axis: 2, strain: -0.2, inertia_number: 2.0e-3, pressure: 1040.0e3}",
         {{0, 0, 0}, {0, 4, 0}, {0, 0, 0}},
         {1, 0, 1},
         {1040, 0, 1040},
         SW_DEM_UNTIL_STRAIN,
         1,
         0.2,
         20},
        {"{test: undrained_triaxial, axis: 1, strain: 0.05}",
         {{-1, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}},
         {0},
         {0},
         SW_DEM_UNTIL_STRAIN,
         0,
         0.05,
         INFINITY},
        {"{test: simple_shear, strain: 0.4}",
         {{0, 0, -1}, {0, 0, 0}, {0, 0, 0}},
         {0},
         {0},
         SW_DEM_UNTIL_STRAIN,
         4,
         0.2,
         INFINITY},
        {"{test: simple_shear, plane: [3, 2], strain: -0.4, normal_stress: 65.0e3}", /* half the rate */
         {{0, 0, 0}, {0, 0, 0}, {0, 0.5, 0}},
         {0, 1},
         {0, 65},
         SW_DEM_UNTIL_STRAIN,
         3,
         0.2,
         2.5},
        {"{test: true_triaxial, components: {11: {stress: 1.0e5}, 22: {strain_rate: 50}, 33: {stress: "
         "2.0e5}}, "
         "until: strain, component: 22, goal: 0.1}",
         {{0, 0, 0}, {0, -1, 0}, {0, 0, 0}},
         {1, 0, 1},
         {100, 0, 200},
         SW_DEM_UNTIL_STRAIN,
         1,
         0.1,
         5},
        {"{test: strain, velocity_gradient: [[0, 0, 0], [0, -1, 0], [0, 0, 0]], strain_rate: "
         "70.710678118654752440, duration: "
         "0.25}",
         {{0, 0, 0}, {0, -2, 0}, {0, 0, 0}},
         {0},
         {0},
         SW_DEM_UNTIL_TIME,
         -1,
         0.25,
         INFINITY},
        {"{test: strain, velocity_gradient: [[0, 0, 0], [0, 25, 50], [0, 0, 0]], until: void_ratio, goal: "
         "0.9}",
         {{0, 0, 0}, {0, 0.5, 1}, {0, 0, 0}},
         {0},
         {0},
         SW_DEM_UNTIL_VOID_RATIO,
         -1,
         0.9,
         INFINITY},
        {"{test: general, components: {33: {strain_rate: -25}, 12: {strain_rate: 50}, 13: {stress: -1.0e3}, "
         "11: {stress: 3.0e5}}, servo_rate: 75, until: steps, goal: 500}",
         {{0, -1, 0}, {-1, 0, 0}, {0, 0, 0.5}},
         {1, 0, 0, 0, 1, 0},
         {300, 0, 0, 0, -1, 0},
         SW_DEM_UNTIL_STEPS,
         -1,
         500,
         1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_dem_job *job;
        sw_dem_sample sample;
        const sw_dem_stage *s;
        if (stages_of(cases[i].test, &job, &sample, &s) != 1)
            fail_msg("%s: need one stage", cases[i].test);
        int good =
            s->until == cases[i].until && (cases[i].component < 0 || s->component == cases[i].component);
        /* round-off of a few products and a root */
        good &= fabs(s->goal - cases[i].goal) <= 1e-13;
        good &= isinf(cases[i].most_rate) ? isinf(s->max_rate)
                                          : fabs(s->max_rate - cases[i].most_rate * RATE) <= 1e-11;
        for (int k = 0; k < 9; k++)
            good &=
                fabs(s->velocity_gradient[k / 3][k % 3] - RATE * cases[i].gradient[k / 3][k % 3]) <= 1e-11;
        for (int c = 0; c < 6; c++)
            good &= s->stress_driven[c] == cases[i].driven[c] && s->stress[c] == 1e3 * cases[i].stress[c] &&
                    s->follow[c] == 0;
        if (!good)
            fail_msg("%s: makes another stage", cases[i].test);
        assert_true(s->max_steps > 1000 && s->max_steps < 100000000);
        sw_dem_job_sample_free(&sample);
        sw_dem_job_free(job);
    }
}

/* Targets that follow the major stress keep p and b, whatever it is. */
static void true_triaxial_keeps_p_and_b(void **state)
{
    (void)state;
    sw_dem_job *job;
    sw_dem_sample sample;
    const sw_dem_stage *s;
    assert_int_equal(stages_of("{test: true_triaxial, axis: 2, strain: 0.1, b: 0.25}", &job, &sample, &s), 1);
    assert_true(!s->stress_driven[1] && s->stress_driven[0] && s->stress_driven[2]);
    assert_true(s->component == 1 && s->velocity_gradient[1][1] < 0);
    for (int i = 0; i < 7; i++) {
        const double major = 260e3 + 50e3 * i;
        const double minor = s->stress[2] + s->follow[2] * major,
                     middle = s->stress[0] + s->follow[0] * major;
        CHECK_CLOSE(major + minor + middle, 3 * 260e3, 1e-9);
        CHECK_CLOSE(middle - minor, 0.25 * (major - minor), 1e-9);
    }
    sw_dem_job_sample_free(&sample);
    sw_dem_job_free(job);
}

static void stress_paths_become_ramps(void **state)
{
    (void)state;
    sw_dem_job *job;
    sw_dem_sample sample;
    const sw_dem_stage *s;
    assert_int_equal(stages_of("{test: stress_path, file: path.txt, zero_strain: yes}", &job, &sample, &s),
                     2);
    for (int k = 0; k < 2; k++) {
        CHECK_CLOSE(s[k].goal, k == 0 ? 1e-3 : 2e-3, 1e-15);
        assert_true(s[k].until == SW_DEM_UNTIL_TIME && s[k].ramp == s[k].goal &&
                    s[k].zero_strain == (k == 0));
        assert_true(s[k].stress_driven[0] && s[k].stress_driven[1] && !s[k].stress_driven[2]);
        assert_true(s[k].stress[0] == 3e5 && s[k].stress[1] == (k == 0 ? 1e5 : 2e5));
        assert_true(s[k].velocity_gradient[2][2] == (k == 0 ? 5 : -10));
        CHECK_CLOSE(s[k].max_rate, 5 * RATE, 1e-12);
    }
    sw_dem_job_sample_free(&sample);
    sw_dem_job_free(job);
}

/* Rates of elements differ where what they follow from does. */
static void rates_follow_from_each_element(void **state)
{
    (void)state;
    sw_dem_job *job = read_good(least, "loading:",
                                "rves: {count: 2, variations: [{pressure: 260.0e3}, {pressure: 1040.0e3},\n"
                                "  {density: 650}, {inertia_number: 1.0e-2}, {young: 4.0e9}]}\nloading:",
                                NO_OPTIONS);
    static const double rate[] = {1, 2, 2, 10, 1};
    assert_int_equal(job->n_elements, 10);
    int64_t interval = 0;
    for (int k = 0; k < 10; k++) {
        sw_dem_sample sample;
        CHECK_OK(sw_dem_job_sample(job, k, &sample));
        CHECK_CLOSE(sample.stage[4].velocity_gradient[2][2], -RATE * rate[k / 2], 1e-11);
        CHECK_CLOSE(sample.stage[4].stress[0], k / 2 == 1 ? 1040e3 : 260e3, 1e-9);
        if (k == 0)
            interval = sample.numerics.record_interval;
        /* a stiffer material has shorter steps: about twice as many between records */
        const double ratio = (double)sample.numerics.record_interval / (double)interval;
        CHECK_CLOSE(ratio, k / 2 == 4 ? 2 : k / 2 == 2 ? 1 : 1 / rate[k / 2], 25.0 / (double)interval);
        sw_dem_job_sample_free(&sample);
    }
    sw_dem_job_free(job);
}

/* ---- Elements ---- */

static void variations_replace_parameters(void **state)
{
    (void)state;
    sw_dem_job *job =
        read_good(least, "loading:",
                  "rves: {count: 3, variations: [{friction_angle: 45, void_ratio: 0.6}, {friction: 0.25,\n"
                  "  seed: 20, roll_stiffness: 2, packing_friction: 0.125, particles: 120}]}\nloading:",
                  NO_OPTIONS);
    assert_true(job->n_elements == 6 && job->n_variants == 2);
    for (int64_t k = 0; k < 6; k++) {
        const sw_dem_element e = sw_dem_job_element(job, k);
        assert_int_equal(e.variant, k / 3);
        CHECK_CLOSE(e.material.friction, k < 3 ? 1 : 0.25, 1e-15);
        CHECK_CLOSE(e.value[SW_DEM_FRICTION_ANGLE], k < 3 ? 45 : atan(0.25) * 180 / SW_PI, 1e-13);
        assert_true(e.value[SW_DEM_SEED] == (k < 3 ? 1 + (double)k : 20 + (double)(k - 3)));
        assert_true(!isnan(e.value[SW_DEM_VOID_RATIO]) == (k < 3));
        assert_true(e.value[SW_DEM_PARTICLES] == (k < 3 ? 100 : 120));
        assert_true(e.material.roll_stiffness == (k < 3 ? 0 : 2));
        assert_true(e.value[SW_DEM_PACKING_FRICTION] == (k < 3 ? 0.5 : 0.125));
        assert_true(e.value[SW_DEM_PRESSURE] == 260e3 && e.material.young == 1e9);
    }
    char name[128];
    sw_dem_job_name(job, 4, name, sizeof name);
    assert_string_equal(name, "element 4 (seed 21)");
    sw_dem_job_free(job);
}

static void packings_come_from_files(void **state)
{
    (void)state;
    static const char text[] = "material: {young: 1.0e9, poisson: 0.5, friction: 0.5, density: 2600}\n"
                               "packing: {file: packing.txt}\n"
                               "loading: [{test: undrained_triaxial, strain: 0.1, strain_rate: 1}]\n"
                               "device: cpu\noutput: {file: out.h5}\n";
    sw_dem_job *job = read_good(text, NULL, NULL, NO_OPTIONS);
    sw_dem_sample sample;
    CHECK_OK(sw_dem_job_sample(job, 0, &sample));
    assert_int_equal(sample.packing.n_particles, 2);
    assert_true(sample.packing.radius[1] == 2e-4);
    assert_int_equal(sample.n_stages, 2); /* no packing: the beginning and the test */
    sw_dem_job_sample_free(&sample);
    sw_dem_job_free(job);
    job = read_good(text, "{file: packing.txt}",
                    "{pressure: 1.0e5}\nrves: {variations: [{file: packing.txt}, {file: absent.txt}]}",
                    NO_OPTIONS);
    assert_int_equal(job->n_elements, 2);
    CHECK_OK(sw_dem_job_sample(job, 0, &sample));
    sw_dem_job_sample_free(&sample);
    assert_true(sw_dem_job_sample(job, 1, &sample) != SW_OK);
    assert_message_has("element 1 (");
    assert_message_has("absent.txt");
    sw_dem_job_free(job);
}

static void tables_of_samples_make_elements(void **state)
{
    (void)state;
    sw_dem_job *job = read_good(sampled, NULL, NULL, NO_OPTIONS);
    assert_true(job->n_variants == 2 && job->n_elements == 4 && job->n_control == 5);
    for (int i = 0; i < 5; i++)
        CHECK_CLOSE(job->control[i], 0.02 * i, 1e-17);
    for (int64_t k = 0; k < 4; k++) {
        const sw_dem_element e = sw_dem_job_element(job, k);
        char name[128];
        assert_true(e.material.young == (k < 2 ? 2e9 : 3e9));
        CHECK_CLOSE(e.material.friction, tan((k < 2 ? 30 : 20) * SW_PI / 180), 1e-15);
        assert_true(e.material.roll_strength == (k < 2 ? 0.15 : 0));
        assert_true(e.value[SW_DEM_SEED] == (k < 2 ? 3 : 11) + (double)(k % 2));
        sw_dem_job_name(job, k, name, sizeof name);
        assert_non_null(
            strstr(name, k < 2 ? "sample sand_Iter0_Sample0 (seed " : "sample sand_Iter0_Sample1 ("));
    }
    sw_dem_job_free(job);
}

static void options_replace_the_file(void **state)
{
    (void)state;
    sw_dem_job *job =
        read_good(full, NULL, NULL,
                  OPTIONS({"output", "other.h5"}, {"team", "auto"}, {"images", "nearest"}, {"seed", "99"},
                          {"inertia-number", "4.0e-3"}, {"device", "cpu"}, {"detection", "grid"},
                          {"threads", "3"}, {"resume", ""}, {"quiet", ""}));
    assert_string_equal(job->output.file, "other.h5");
    assert_true(job->options.team == SW_DEM_AUTO && job->options.images == SW_DEM_NEAREST);
    assert_true(sw_dem_job_element(job, 1).value[SW_DEM_SEED] == 100);
    assert_true(job->parameter[SW_DEM_INERTIA] == 4e-3);
    assert_true(job->run.threads == 3 && job->run.resume && job->run.quiet);
    sw_dem_job_free(job);
}

static void shipped_jobs_are_read(void **state)
{
    (void)state;
    const char *data = getenv("SW_DATA");
    const char *const on_cpu[][2] = {{"device", "cpu"}};
    char jobs[PATH_MAX];
    int count = 0;
    snprintf(jobs, sizeof jobs, "%s/jobs", data != NULL ? data : "data");
    DIR *directory = opendir(jobs);
    assert_non_null(directory);
    for (const struct dirent *file; (file = readdir(directory)) != NULL;) {
        const size_t length = strlen(file->d_name);
        char path[2 * PATH_MAX];
        sw_dem_job *job;
        sw_dem_sample sample;
        if (strncmp(file->d_name, "dem-", 4) != 0 || strcmp(file->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", jobs, file->d_name);
        CHECK_OK(sw_dem_job_read(&(sw_arguments){path, 1, on_cpu}, &job));
        if (job->packing.file == NULL) {
            CHECK_OK(sw_dem_job_sample(job, job->n_elements - 1, &sample));
            assert_true(sample.packing.n_particles > 0 && sample.n_stages > 0);
            sw_dem_job_sample_free(&sample);
        }
        sw_dem_job_free(job);
        count++;
    }
    closedir(directory);
    assert_true(count > 0);
}

/* ---- What is refused ---- */

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
        {"alpha_roll", "mu", "samples.txt:1: ", "'mu' is 'phi' again", "only one"},
        {"alpha_roll", "E", "samples.txt:1: ", "column 'E' is given twice", ""},
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

/* Editors put a byte order mark at the beginning of any of these. */
static void byte_order_marks_are_read_over(void **state)
{
    (void)state;
    static const char mark[] = "\xef\xbb\xbf";
    char text[4096];
    snprintf(text, sizeof text, "%s%s", mark, samples);
    write_text(table_path, text);
    sw_dem_job_free(read_good(sampled, NULL, NULL, NO_OPTIONS));
    write_text(table_path, samples);
    snprintf(text, sizeof text, "%s%s", mark, path_text);
    write_text(path_path, text);
    sw_dem_job_free(read_good(least, a_test, "{test: stress_path, file: path.txt}", NO_OPTIONS));
    write_text(path_path, path_text);
    snprintf(text, sizeof text, "%s%s", mark, least);
    sw_dem_job_free(read_good(text, NULL, NULL, NO_OPTIONS));
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

/* ---- Curves of samples ---- */

static int quantity_of(const char *name) { return sw_find_word(name, SW_DEM_QUANTITIES, sw_dem_quantities); }

static void curves_pass_through_their_values(void **state)
{
    (void)state;
    sw_dem_row row[5] = {{0}};
    const int quantity[] = {quantity_of("strain_33"), quantity_of("stress_ratio"),
                            quantity_of("specific_volume"), quantity_of("normal_stress_ratio"),
                            quantity_of("deviator_ratio")};
    const double value[] = {0, 0.015, 0.03, 0.04};
    double curve[4][5];
    for (int i = 0; i < 5; i++) {
        row[i].strain_33 = 0.01 * i;
        row[i].pressure = 100;
        row[i].deviator = 50.0 * i;
        row[i].void_ratio = 0.5 + 0.1 * i;
        row[i].stress_11 = row[i].stress_22 = 50;
        row[i].stress_33 = 50 + 50.0 * i;
    }
    for (int q = 0; q < 5; q++)
        assert_true(quantity[q] >= 0);
    CHECK_OK(sw_dem_sample_curve(5, row, quantity[0], 4, value, 5, quantity, curve[0]));
    for (int i = 0; i < 4; i++) {
        CHECK_CLOSE(curve[i][0], value[i], 1e-17);
        CHECK_CLOSE(curve[i][1], 50 * value[i], 1e-14);
        CHECK_CLOSE(curve[i][2], 1.5 + 10 * value[i], 1e-14);
        CHECK_CLOSE(curve[i][3], 1 + 100 * value[i], 1e-13);
        CHECK_CLOSE(curve[i][4], 100 * value[i], 1e-13);
    }
    const double beyond[] = {0.02, 0.041};
    assert_int_equal(sw_dem_sample_curve(5, row, quantity[0], 2, beyond, 5, quantity, curve[0]),
                     SW_ERR_RANGE);
    assert_message_has("strain_33 = 0.041 is not reached");
    assert_message_has("to 0.04");
    /* a control that turns is followed in the order of the values */
    row[3].strain_33 = 0.01;
    row[4].strain_33 = 0;
    const double back[] = {0.015, 0.005};
    CHECK_OK(sw_dem_sample_curve(5, row, quantity[0], 2, back, 5, quantity, curve[0]));
    CHECK_CLOSE(curve[0][1], 0.75, 1e-14);
    CHECK_CLOSE(curve[1][1], 1.75, 1e-14);
    assert_int_equal(sw_dem_sample_curve(1, row, quantity[0], 1, value, 5, quantity, curve[0]), SW_ERR_RANGE);
}

static void samples_are_written_as_they_are_read(void **state)
{
    (void)state;
    static const char *const names[] = {"strain_33", "stress_ratio"};
    static const double curve[] = {0, 0.1, 0.5, -1.0 / 3};
    sw_dem_table *table, *back;
    char path[2 * PATH_MAX];
    CHECK_OK(sw_dem_table_read(table_path, &table));
    CHECK_OK(sw_dem_sample_write(table, 1, folder, 2, names, 2, curve));
    snprintf(path, sizeof path, "%s/sand_Iter0_Sample1_sim.txt", folder);
    CHECK_OK(sw_dem_table_read(path, &back));
    assert_true(back->n_rows == 2 && back->n_columns == 2);
    for (int i = 0; i < 4; i++) {
        double value;
        assert_string_equal(back->name[i % 2], names[i % 2]);
        CHECK_OK(sw_dem_table_number(back, i / 2, i % 2, &value));
        CHECK_CLOSE(value, curve[i], 1e-11); /* ten decimals */
    }
    sw_dem_table_free(back);
    unlink(path);
    snprintf(path, sizeof path, "%s/sand_Iter0_Sample1_param.txt", folder);
    CHECK_OK(sw_dem_table_read(path, &back));
    assert_true(back->n_rows == 1 && back->n_columns == 4);
    for (int j = 0; j < 4; j++) {
        assert_string_equal(back->name[j], table->name[3 + j]);
        assert_string_equal(back->word[j], table->word[7 + 3 + j]);
    }
    sw_dem_table_free(back);
    unlink(path);
    assert_int_equal(sw_dem_sample_write(table, 0, "/nowhere", 2, names, 2, curve), SW_ERR_IO);
    assert_message_has("/nowhere/sand_Iter0_Sample0_param.txt");
    sw_dem_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(absent_keys_have_their_defaults),
        cmocka_unit_test(packings_may_be_force_biased),
        cmocka_unit_test(tests_make_their_stages),
        cmocka_unit_test(true_triaxial_keeps_p_and_b),
        cmocka_unit_test(stress_paths_become_ramps),
        cmocka_unit_test(rates_follow_from_each_element),
        cmocka_unit_test(variations_replace_parameters),
        cmocka_unit_test(packings_come_from_files),
        cmocka_unit_test(tables_of_samples_make_elements),
        cmocka_unit_test(options_replace_the_file),
        cmocka_unit_test(shipped_jobs_are_read),
        cmocka_unit_test(bad_keys_are_refused_with_their_place),
        cmocka_unit_test(bad_tests_are_refused_with_their_place),
        cmocka_unit_test(tests_need_a_pressure_or_a_rate),
        cmocka_unit_test(bad_samples_are_refused_with_their_place),
        cmocka_unit_test(bad_tables_are_refused_with_their_place),
        cmocka_unit_test(bad_paths_are_refused_with_their_place),
        cmocka_unit_test(byte_order_marks_are_read_over),
        cmocka_unit_test(bad_options_are_named),
        cmocka_unit_test(curves_pass_through_their_values),
        cmocka_unit_test(samples_are_written_as_they_are_read),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
