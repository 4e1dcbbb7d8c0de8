/* Job files of `slipwave dem`, tables of samples and stress paths: what they say, every way to say it
 * wrongly, and the elements and stages they make. */
#include "texts.h"

#include "offline/commands.h"

/* Radius 1e-4 m, density 2600 and 260 kPa: sqrt(p / rho) = 10 m/s, so that I = 1e-3 is 50 1/s. */
#define RATE 50.0

/* ---- The folder ---- */

#define OPTIONS(...)                                                                                         \
    (int)(sizeof((const char *const[][2]){__VA_ARGS__}) / sizeof(const char *[2])), (const char *const[][2]) \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

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
                  "  seed: 20, roll_stiffness: 2, roll_strength: 0.1,\n"
                  "  packing_friction: 0.125, particles: 120}]}\nloading:",
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

/* 2e9 Pa as 2 GPa, and 0.08 as 8 percent. */
static void samples_may_be_in_units_of_laboratories(void **state)
{
    (void)state;
    char table[sizeof samples + 32];
    const char *at = strstr(samples, " E ");
    snprintf(table, sizeof table, "%.*s E_GPa %s", (int)(at - samples), samples, at + 3);
    for (char *e = strstr(table, "e+09"); e != NULL; e = strstr(table, "e+09"))
        memcpy(e, "e+00", 4);
    write_text(table_path, table);
    sw_dem_job *job = read_good(sampled, "control: strain_33", "control: strain_33_percent", NO_OPTIONS);
    assert_true(sw_dem_job_element(job, 0).material.young == 2e9);
    for (int i = 0; i < 5; i++)
        CHECK_CLOSE(job->control[i], 2e-4 * i, 1e-17);
    assert_true(job->quantity_size[0] == 0.01 && job->quantity_size[1] == 1);
    sw_dem_job_free(job);
    write_text(table_path, samples);
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
    const char *const on_cpu[][2] = {{"device", "cpu"}};
    char jobs[PATH_MAX], given[PATH_MAX], here[PATH_MAX];
    int count = 0;
    assert_int_equal(find_data("jobs", jobs), 0);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    snprintf(given, sizeof given, "%.4000s/../materials/tantalum.yaml", jobs);
    const sw_generate_options options = {/* of a job that has it in the working folder */
                                         .material = given,
                                         .output = "tantalum-64.h5",
                                         .shape = {8, 8, 8, 12},
                                         .quiet = 1};
    CHECK_OK(sw_generate(&options));
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
    assert_int_equal(unlink("tantalum-64.h5") | chdir(here), 0);
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
    static const double curve[] = {0, 0.1, 0.5, -1.0 / 3}, scatter[] = {0, 0.02, 0.5, 0.03};
    sw_dem_table *table, *back;
    char path[2 * PATH_MAX];
    CHECK_OK(sw_dem_table_read(table_path, &table));
    CHECK_OK(sw_dem_sample_write(table, 1, folder, 2, names, 2, curve, NULL));
    snprintf(path, sizeof path, "%s/sand_Iter0_Sample1_scatter.txt", folder);
    assert_int_equal(access(path, F_OK), -1); /* of one element there is none */
    CHECK_OK(sw_dem_sample_write(table, 1, folder, 2, names, 2, curve, scatter));
    CHECK_OK(sw_dem_table_read(path, &back));
    for (int i = 0; i < 4; i++) {
        double value;
        CHECK_OK(sw_dem_table_number(back, i / 2, i % 2, &value));
        CHECK_CLOSE(value, scatter[i], 1e-11);
    }
    sw_dem_table_free(back);
    CHECK_OK(sw_dem_sample_write(table, 1, folder, 2, names, 2, curve, NULL));
    assert_int_equal(access(path, F_OK), -1); /* that of before is gone */
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
    assert_int_equal(sw_dem_sample_write(table, 0, "/nowhere", 2, names, 2, curve, NULL), SW_ERR_IO);
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
        cmocka_unit_test(samples_may_be_in_units_of_laboratories),
        cmocka_unit_test(options_replace_the_file),
        cmocka_unit_test(shipped_jobs_are_read),
        cmocka_unit_test(byte_order_marks_are_read_over),
        cmocka_unit_test(curves_pass_through_their_values),
        cmocka_unit_test(samples_are_written_as_they_are_read),
    };
    return cmocka_run_group_tests(tests, make_dem_folder, remove_dem_folder);
}
