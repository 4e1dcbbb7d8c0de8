/* Four coplanar resistances from material file to results: slipwave-db generate, inspect, validate, slipwave taylor by grid and terms
 * beside elastoplastic. */
#include "taylor_runs.h"

static const char *const loading =
    "crystals: {count: 300, texture: random, seed: 2}\nstrain_increment: 0.02\n"
    "output: {file: out.h5, textures: [], orientations: []}\nloading:\n"
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], "
    "duration: 400}\n";

static void generated_from(const char *text, int status, const char *says)
{
    result r;
    write_text("latent.yaml", text);
    run("slipwave-db generate -q latent.yaml -o latent.h5 -g 24,24,24,24 -t all --device cpu", &r);
    if (r.status != status || (says != NULL && strstr(r.err, says) == NULL))
        fail_msg("status %d: %s", r.status, r.err);
}

static double end_stress(const history *h)
{
    const int64_t n = h->rows - 1;
    return h->stress[n][0][0] - h->stress[n][2][2];
}

static void run_by(const char *solver, const char *source, history *h)
{
    char job[1200];
    snprintf(job, sizeof job, "%s\nsolver: %s\n%s", source, solver, loading);
    write_text("planes.yaml", job);
    result r;
    run("slipwave taylor -q --device cpu planes.yaml", &r);
    if (r.status != 0)
        fail_msg("%s", r.err);
    read_history("out.h5", h);
    unlink("out.h5");
}

/* Stress and mean resistance at a strain of 0.57 beside elastoplastic: 1.2 % and 0.3 % are what letting the ratios go costs at 1.4 in plane
 * strain (docs/validation.md), 0.5 % what the table of 24 points does with one resistance. One resistance without latent hardening would be
 * 7 % below, so the law is followed. */
static void grid_and_terms_follow_elastoplastic(void **state)
{
    (void)state;
    static history by, exact;
    char *text = read_data("materials/copper-ofhc-latent.yaml");
    result r;
    generated_from(text, 0, NULL);
    run("slipwave-db inspect latent.h5", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "planes_13"));
    run("slipwave-db validate -q latent.h5 --points 64", &r);
    assert_int_equal(r.status, 0);
    run("slipwave-db inspect latent.h5", &r);
    assert_non_null(strstr(r.out, "planes_11\n")); /* a column of what was measured */
    run_by("elastoplastic", "material: latent.yaml", &exact);
    static const char *const solvers[] = {"grid", "terms", "tabulated"};
    for (int i = 0; i < 3; i++) {
        run_by(solvers[i], i < 2 ? "database: latent.h5" : "material: latent.yaml", &by);
        assert_int_equal(by.rows, exact.rows);
        CHECK_CLOSE(end_stress(&by) / end_stress(&exact), 1, 0.025);
        CHECK_CLOSE(by.resistance[by.rows - 1] / exact.resistance[exact.rows - 1], 1, 0.008);
    }
    free(text);
}

static void latent_hardening_beyond_is_refused(void **state)
{
    (void)state;
    char *text = read_data("materials/copper-ofhc-latent.yaml");
    unlink("latent.h5");
    generated_from(
        edited(text, "latent: [1.4]", "latent: [2.1]"), 1,
        "latent.yaml: latent hardening is 2.1 times own: a database answers as if the resistances of "
        "planes were equal, which then is more than 6 % of the stress: need 0.5 to 2");
    assert_int_not_equal(access("latent.h5", F_OK), 0);
    generated_from(edited(text, "latent: [1.4]", "latent: [1.4], collinear: 2"), 1,
                   "slip.families have resistances of their own");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grid_and_terms_follow_elastoplastic),
                                       cmocka_unit_test(latent_hardening_beyond_is_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
