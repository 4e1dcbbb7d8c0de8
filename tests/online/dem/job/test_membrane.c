/* A membrane around a cylinder of grains: the volume in it, the work of its pressure, an isotropic state, energy, a cut. */
#include "online/dem/packing/memory.h"
#include "online/dem/step/control.h"
#include "tests/job_files.h"
#include "tests/online/dem/packs.h"

#include "online/dem/job/job.h"

#define NO_OPTIONS 0, NULL

static const char text[] =
    "material: {law: linear, young: 1.0e8, poisson: 0.5, friction: 0.3, density: 2500}\n" /* 1 */
    "packing: {file: dense.vtkhdf, pressure: 1.0e5}\n"                                    /* 2 */
    "membrane: {height: 8.0e-4, stiffness: 50}\n"                                         /* 3 */
    "sides: {friction: 0.1}\n"                                                            /* 4 */
    "numerics: {skin: 0.4, record_interval: 200}\n"                                       /* 5 */
    "loading:\n"                                                                          /* 6 */
    "  - {test: isotropic, inertia_number: 1.0e-2}\n"                                     /* 7 */
    "  - {test: drained_triaxial, strain: 0.02, inertia_number: 1.0e-2}\n"                /* 8 */
    "output: {file: box.h5}\n";

static int set_up(void **state)
{
    (void)state;
    char path[PATH_MAX + 64];
    assert_int_equal(make_job_folder("dem-membrane"), 0);
    sw_dem_material m = sw_dem_quartz();
    m.young = 1e8;
    sw_dem_packing dense = dem_pack_dense(200, &m, 1e5, 0.1, 2);
    snprintf(path, sizeof path, "%s/dense.vtkhdf", folder);
    CHECK_OK(sw_dem_packing_write(path, &dense, 0, NULL));
    sw_dem_packing_free(&dense);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

static void read_sample(const char *old, const char *new, sw_dem_job **job, sw_dem_sample *sample)
{
    write_job(text, old, new);
    CHECK_OK(sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, job));
    CHECK_OK(sw_dem_job_sample(*job, 0, sample));
}

/* Rings of N nodes at R, turned against each other by half a node, are antiprisms: by Simpson's rule, exact for them, of
 * sections N/2 R^2 sin(2 pi / N) and, in the middle, of 2 N corners at R cos(pi / 2 N). */
static void volumes_are_those_of_antiprisms(void **state)
{
    (void)state;
    sw_dem_job *job;
    sw_dem_sample s;
    read_sample(NULL, NULL, &job, &s);
    const sw_dem_membrane *m = s.membrane;
    const int64_t first = s.packing.n_particles - (int64_t)m->around * m->rows;
    const double n = m->around, wide = 0.5 * s.packing.cell[0][0], r = 0.35 * wide;
    for (int64_t i = first; i < s.packing.n_particles; i++) {
        const double angle =
            2 * SW_PI * ((double)((i - first) % m->around) + 0.5 * (double)((i - first) / m->around % 2)) / n;
        s.packing.position[i][0] = wide + r * cos(angle);
        s.packing.position[i][1] = wide + r * sin(angle);
    }
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_stage none = dem_steps(1);
    sw_dem *dem;
    s.packing.radius[0] = s.packing.radius[1]; /* any grains: far away, out of the nodes' way */
    for (int64_t i = 0; i < first; i++)
        for (int k = 0; k < 2; k++)
            s.packing.position[i][k] = 1e-3 * (double)(1 + i) + 3 * wide;
    sw_dem_sample bare = s;
    bare.stage = &none;
    bare.n_stages = 1;
    CHECK_OK(sw_dem_open(&options, 1, &bare, &dem));
    const double ends = n / 2 * r * r * sin(2 * SW_PI / n),
                 middle = n * r * r * pow(cos(SW_PI / (2 * n)), 2) * sin(SW_PI / n);
    const sw_dem_rve *rve = sw_dem_get(dem, 0);
    CHECK_CLOSE(rve->state->enclosed, (2 * ends + 4 * middle) / 6 * s.packing.cell[2][2],
                1e-12 * rve->state->enclosed);
    sw_dem_close(dem);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

/* The pressure's forces on nodes that move a little do the work p dV; the rest of a volume is of second order, (1e-6)^2 of
 * it. Ends move in their planes. */
static void the_pressure_does_its_work(void **state)
{
    (void)state;
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_job *job;
    sw_dem_sample s;
    sw_dem *dem;
    double pull, work = 0;
    read_sample(NULL, NULL, &job, &s);
    CHECK_OK(sw_dem_open(&options, 1, &s, &dem));
    sw_dem_rve *rve = (sw_dem_rve *)sw_dem_get(dem, 0);
    rve->state->membrane_pressure = 1e5;
    sw_dem_membrane_forces(rve, &pull);
    const double before = rve->state->enclosed;
    for (int64_t i = 0; i < rve->n_nodes; i++)
        for (int k = 0; k < 3; k++) {
            const int64_t row = i / rve->membrane.around;
            const double way =
                k == 2 && (row == 0 || row == rve->membrane.rows - 1) ? 0 : 1e-9 * dem_random(5, i, k);
            work += rve->node_force[i][3 + k] * way;
            rve->position[sw_dem_grains(rve) + i][k] += way;
        }
    sw_dem_measure_volume(rve);
    const double change = -1e5 * (rve->state->enclosed - before);
    assert_true(fabs(change) > 1e-9 * 1e5 * before);
    CHECK_CLOSE(work, change, 1e-4 * fabs(change));
    sw_dem_close(dem);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

/* An isotropic state holds its pressure to the 1 % that its stage ends by; sheared, the lateral stresses stay there, to 2 %
 * on average. Work at the boundary goes into what is there to take it: a part of 2e-3 of it is left by steps of
 * finite length. A run cut in two by a file is the same in bits. */
static void it_holds_its_pressure(void **state)
{
    (void)state;
    const sw_dem_options options = sw_dem_defaults();
    char path[PATH_MAX + 64];
    sw_dem_job *job;
    sw_dem_sample s;
    sw_dem *dem;
    sw_dem_packing kept;
    int64_t n, cut = 0;
    read_sample(NULL, NULL, &job, &s);
    CHECK_OK(sw_dem_open(&options, 1, &s, &dem));
    dem_finish(dem);
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    while (cut + 1 < n && row[cut + 1].stage < 2)
        cut++;
    CHECK_CLOSE(row[cut].stress_11, 1e5, 1e3);
    CHECK_CLOSE(row[cut].stress_22, 1e5, 1e3);
    CHECK_CLOSE(row[cut].stress_33, 1e5, 1e3);
    CHECK_CLOSE(0.5 * (row[n - 1].stress_11 + row[n - 1].stress_22), 1e5, 3e3);
    CHECK_CLOSE(dem_imbalance(&row[n - 1]), dem_imbalance(&row[1]), 2e-3 * row[n - 1].boundary_work);
    /* again, in two */
    sw_dem_sample part = s;
    sw_dem *first, *second;
    part.n_stages = 2;
    CHECK_OK(sw_dem_open(&options, 1, &part, &first));
    dem_finish(first);
    CHECK_OK(sw_dem_get_packing(first, 0, &kept));
    snprintf(path, sizeof path, "%s/cut.vtkhdf", folder);
    CHECK_OK(sw_dem_packing_write(path, &kept, 0, NULL));
    sw_dem_packing_free(&kept);
    sw_dem_close(first);
    CHECK_OK(sw_dem_packing_read(path, &kept));
    kept.goes_on = 1;
    part.packing = kept;
    part.stage = s.stage + 2;
    part.n_stages = s.n_stages - 2;
    CHECK_OK(sw_dem_open(&options, 1, &part, &second));
    dem_finish(second);
    int64_t more;
    const sw_dem_row *later = sw_dem_rows(second, 0, &more);
    assert_int_equal(more, n - cut - 1);
    for (int64_t i = 0; i < more; i++) {
        sw_dem_row same = later[i];
        same.stage = row[cut + 1 + i].stage;
        assert_memory_equal(&same, &row[cut + 1 + i], sizeof same);
    }
    sw_dem_close(second);
    sw_dem_packing_free(&kept);
    sw_dem_close(dem);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *place, *key, *bound;
    } cases[] = {
        {"sides: {friction", "sides: {1: walls, friction", "job.yaml:4: ", "sides.1",
         "need open beside a membrane"},
        {"output:", "device: cuda\noutput:", "job.yaml:3: ", "membrane",
         "runs on the CPU, but device = cuda"},
        {"height: 8.0e-4", "height: -1", "job.yaml:3: ", "membrane.height", "1e-9 to 1000"},
        {"test: drained_triaxial, strain: 0.02", "test: undrained_triaxial, strain: 0.02", "",
         "velocity_gradient", "a membrane's pressure moves them"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sw_dem_options options = sw_dem_defaults();
        sw_dem_job *job = NULL;
        sw_dem_sample s;
        sw_dem *dem = NULL;
        write_job(text, cases[i].old, cases[i].new);
        sw_status status = sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job);
        if (status == SW_OK) {
            CHECK_OK(sw_dem_job_sample(job, 0, &s));
            status = sw_dem_open(&options, 1, &s, &dem);
            sw_dem_job_sample_free(&s);
        }
        if (status == SW_OK || strstr(sw_error_message(), cases[i].place) == NULL ||
            strstr(sw_error_message(), cases[i].key) == NULL ||
            strstr(sw_error_message(), cases[i].bound) == NULL)
            fail_msg("%zu: %s: %s", i, sw_status_text(status), sw_error_message());
        sw_dem_close(dem);
        sw_dem_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_those_of_antiprisms),
        cmocka_unit_test(the_pressure_does_its_work),
        cmocka_unit_test(it_holds_its_pressure),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
