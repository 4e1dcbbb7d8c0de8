/* Keys of `slipwave dem` that could not act, whatever their value, are refused by name; beside what lets them act they are
 * taken. */
#include "texts.h"

#define SAND "material: {young: 1.0e9, poisson: 0.5, friction: 0.5, density: 2600}\n"
#define TEST "{test: drained_triaxial, strain: 0.1}"
static const char job[] = SAND              /* 1 */
    "others: [{part: 0.2, young: 2.0e9}]\n" /* 2 */
    "packing: {particles: 100, radii: {distribution: monodisperse, radius: 1.0e-4}, pressure: 1.0e5}\n" /* 3 */
    "rves: {variations: [{seed: 1}, {seed: 2}]}\n" /* 4 */
    "numerics: {skin: 0.1}\n"                      /* 5 */
    "loading:\n"                                   /* 6 */
    "  - " TEST "\n"                               /* 7 */
    "device: cpu\n"                                /* 8 */
    "output: {file: out.h5}\n";                    /* 9 */

static const char strewn[] = SAND                                                               /* 1 */
    "packing: {particles: 100, radii: {distribution: monodisperse, radius: 1.0e-4}, seed: 1}\n" /* 2 */
    "sides: {3: walls}\n"                                                                       /* 3 */
    "gravity: [0, 0, -9.81]\n"                                                                  /* 4 */
    "rves: {variations: [{seed: 1}, {seed: 2}]}\n"                                              /* 5 */
    "loading: [{test: rest, duration: 0.1}]\n"                                                  /* 6 */
    "device: cpu\n"                                                                             /* 7 */
    "output: {file: out.h5}\n";                                                                 /* 8 */

/* What stands in place of `old`: refused with place, key and why, or, `place` NULL, taken. */
typedef struct {
    const char *old, *new, *place, *key, *why;
} idle;

static void check_each(const char *text, int n, const idle *cases)
{
    for (const idle *c = cases; c < cases + n; c++) {
        sw_dem_job *read;
        write_job(text, c->old, c->new);
        const sw_status status = sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &read);
        if (c->place == NULL && status != SW_OK)
            fail_msg("'%s' was refused: %s", c->new, sw_error_message());
        if (c->place != NULL && status != SW_ERR_INPUT)
            fail_msg("'%s' was taken, or refused otherwise: %s", c->new, sw_error_message());
        sw_dem_job_free(read);
        if (c->place == NULL)
            continue;
        assert_message_has(c->place);
        assert_message_has(c->key);
        assert_message_has(c->why);
    }
}
#define CHECK_EACH(text, cases) check_each(text, (int)(sizeof(cases) / sizeof *(cases)), cases)

static void of_other_materials(void **state)
{
    (void)state;
    static const idle cases[] = {
        {"young: 2.0e9", "adhesion: 1", "job.yaml:2: ", "others[0].adhesion", "no place with law = linear"},
        {"young: 2.0e9", "strength: 1.0e8", "job.yaml:2: ", "others[0].strength", "law = linear"},
        {"young: 2.0e9", "friction: 0.1, friction_angle: 3",
         "job.yaml:2: ", "others[0].friction_angle beside others[0].friction", "only one"},
        {"young: 2.0e9", "roll_strength: 0.1", "job.yaml:2: ", "others[0].roll_strength",
         "need roll_stiffness above 0"},
        {"young: 2.0e9", "twist_stiffness: 0.1", "job.yaml:2: ", "others[0].twist_stiffness",
         "need twist_strength above 0"},
        {"young: 2.0e9", "roll_strength: 0.1, roll_stiffness: 1", NULL, "", ""},
        {"young: 2.0e9", "friction: 0.1", NULL, "", ""},
    };
    CHECK_EACH(job, cases);
}

static void of_variations(void **state)
{
    (void)state;
    static const idle cases[] = {
        {"{seed: 2}", "{liquid_tension: 0.07}", "job.yaml:4: ", "rves.variations[1].liquid_tension",
         "no place with law = linear"},
        {"{seed: 2}", "{twist_stiffness: 1}", "job.yaml:4: ", "rves.variations[1].twist_stiffness",
         "need twist_strength"},
        {TEST, "{test: drained_triaxial, strain: 0.1, strain_rate: 1}", NULL, "", ""},
        {"{seed: 2}]}\nnumerics: {skin: 0.1}\nloading:\n  - " TEST,
         "{inertia_number: 1.0e-2}]}\nnumerics: {skin: 0.1}\nloading:\n  - {test: drained_triaxial, strain: "
         "0.1, "
         "strain_rate: 1}",
         "job.yaml:4: ", "rves.variations[1].inertia_number", "no test of loading goes by it"},
        {"{seed: 2}", "{inertia_number: 1.0e-2}", NULL, "", ""},
    };
    CHECK_EACH(job, cases);
    static const idle fallen[] = {
        {"{seed: 2}", "{packing_friction: 0.1}", "job.yaml:5: ", "rves.variations[1].packing_friction",
         "need packing.pressure"},
        {"{seed: 1}, {seed: 2}", "{pressure: 1.0e5}, {void_ratio: 0.7}",
         "job.yaml:5: ", "rves.variations[1].void_ratio", "need packing.pressure"},
        {"{seed: 2}", "{pressure: 1.0e5, packing_friction: 0.1}", NULL, "", ""},
    };
    CHECK_EACH(strewn, fallen);
}

static void of_jobs(void **state)
{
    (void)state;
    static const idle cases[] = {
        {"skin: 0.1}", "skin: 0.1}\nsides: {3: open, friction: 0.3}", "job.yaml:6: ", "sides.friction",
         "a side that is walls"},
        {"skin: 0.1}", "skin: 0.1}\nsides: {3: walls, friction: 0.3}", NULL, "", ""},
        {"skin: 0.1}", "skin: 0.1}\ngravity: [0, 0, -9.81]", "job.yaml:6: ", "gravity", "nothing bears"},
        {"skin: 0.1", "time_scale: 10", "job.yaml:5: ", "numerics.time_scale", "law = linear"},
        {"friction: 0.5", "friction: 0.5, coupled: yes", "job.yaml:1: ", "material.coupled", "law = linear"},
        {"density: 2600", "density: 2600, moment_radius: product", "job.yaml:1: ", "material.moment_radius",
         "roll_stiffness"},
        {"density: 2600", "density: 2600, roll_stiffness: 1", "job.yaml:1: ", "material.roll_stiffness",
         "need roll_strength above 0"},
        {"pressure: 1.0e5", "pressure: 1.0e5, friction_decay: 0.1", "job.yaml:3: ", "packing.friction_decay",
         "void_ratio"},
        {"skin: 0.1}\nloading:\n  - " TEST,
         "inertia_number: 0.01}\nloading:\n  - {test: drained_triaxial, strain: 0.1, strain_rate: 1}",
         "job.yaml:5: ", "numerics.inertia_number", "no test of loading"},
        {"skin: 0.1", "inertia_number: 0.01", NULL, "", ""},
    };
    CHECK_EACH(job, cases);
    static const idle fallen[] = {
        {"seed: 1}", "seed: 1, friction: 0.1}", "job.yaml:2: ", "packing.friction", "need packing.pressure"},
        {"seed: 1}", "seed: 1, most_steps: 10}", "job.yaml:2: ", "packing.most_steps",
         "need packing.pressure"},
    };
    CHECK_EACH(strewn, fallen);
}

static void of_tests(void **state)
{
    (void)state;
    static const idle cases[] = {
        {TEST, "{test: rest, strain_rate: 1}", "job.yaml:7: ", "loading[0].strain_rate", "nothing is driven"},
        {TEST, "{test: rest, duration: 1, unbalanced_force: 0.1}",
         "job.yaml:7: ", "loading[0].unbalanced_force beside duration", "only one"},
        {TEST, "{test: isotropic, servo_rate: 1, inertia_number: 0.1}",
         "job.yaml:7: ", "loading[0].inertia_number beside servo_rate", "only one"},
        {TEST, "{test: isotropic, wait_for_rest: yes}", "job.yaml:7: ", "loading[0].wait_for_rest",
         "could pause"},
        {TEST, "{test: isotropic, most_servo_error: 1}", "job.yaml:7: ", "loading[0].most_servo_error",
         "no stress is held"},
        {TEST, "{test: undrained_triaxial, strain: 0.1, most_servo_error: 1}",
         "job.yaml:7: ", "loading[0].most_servo_error", "no stress is held"},
        {TEST, "{test: general, components: {33: {strain_rate: 1}}, duration: 1, strain_rate: 1}",
         "job.yaml:7: ", "loading[0].strain_rate", "driven by stress"},
        {TEST, "{test: general, components: {33: {stress: 1}}, duration: 1, servo_rate: 1, strain_rate: 1}",
         "job.yaml:7: ", "loading[0].strain_rate beside servo_rate", "only one"},
        {TEST, "{test: general, components: {33: {stress: 1}}, duration: 1, stress_tolerance: 0.1}",
         "job.yaml:7: ", "loading[0].stress_tolerance", "until = equilibrium"},
        {TEST, "{test: drained_triaxial, strain: 0.1, most_servo_error: 1, wait_for_rest: yes}", NULL, "",
         ""},
    };
    CHECK_EACH(job, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_other_materials),
        cmocka_unit_test(of_variations),
        cmocka_unit_test(of_jobs),
        cmocka_unit_test(of_tests),
    };
    return cmocka_run_group_tests_name("keys of the DEM that cannot act", tests, make_dem_folder,
                                       remove_dem_folder);
}
