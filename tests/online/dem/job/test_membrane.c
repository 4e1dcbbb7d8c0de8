/* A membrane around a cylinder of grains: the volume in it, the work of its pressure, an isotropic state, energy, a cut. */
#include "online/dem/packing/formats.h"
#include "online/dem/packing/memory.h"
#include "online/dem/step/control.h"
#include "tests/job_files.h"
#include "tests/online/dem/packs.h"

#include "online/dem/job/job.h"
#include "online/dem/output/output.h"

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
    char path[PATH_MAX + 64];
    assert_int_equal(make_job_folder(state), 0);
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
    for (int64_t i = 0; i < first; i++) /* far away, out of the nodes' way */
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
    /* Areas as seen from the axis: chords by height. Nodes of a spacing s keep grains of radius R away by as much as in the
     * mean square of where they touch, sqrt(5/36) s beside a node. */
    const double spacing = 2 * m->radius * sin(SW_PI / n), mean = rve->mean_radius,
                 reach = mean + s.packing.radius[first],
                 away = sqrt(reach * reach - 5.0 / 36 * spacing * spacing) - mean,
                 face = 2 * n * r * sin(SW_PI / n) * s.packing.cell[2][2];
    CHECK_CLOSE(rve->state->enclosed - rve->state->room, face * away, 1e-9 * rve->state->enclosed);
    assert_int_equal(sw_dem_escaped(rve), first);
    sw_dem_close(dem);
    /* a tenth as wide, it has no room for its grains */
    for (int64_t i = first; i < s.packing.n_particles; i++)
        for (int k = 0; k < 2; k++)
            s.packing.position[i][k] = wide + 0.1 * (s.packing.position[i][k] - wide);
    CHECK_OK(sw_dem_open(&options, 1, &bare, &dem));
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    assert_int_equal(sw_dem_failure(dem, 0), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "the membrane has collapsed"));
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
    assert_int_equal(sw_dem_escaped(rve), 0);
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

/* Without a stiffness that of 10 p R, R of the packing's grains. */
static void its_stiffness_is_of_grains(void **state)
{
    (void)state;
    sw_dem_job *job;
    sw_dem_sample s;
    sw_dem_packing dense;
    char path[PATH_MAX + 64];
    read_sample(", stiffness: 50", "", &job, &s);
    snprintf(path, sizeof path, "%s/dense.vtkhdf", folder);
    CHECK_OK(sw_dem_packing_read(path, &dense));
    const double stiffness = 10 * 1e5 * sw_dem_packing_mean_radius(&dense);
    CHECK_CLOSE(s.membrane->stiffness, stiffness, 1e-12 * stiffness);
    sw_dem_packing_free(&dense);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

/* An isotropic state holds its pressure to the 1 % that its stage ends by; sheared, the lateral stresses stay there, to 3 %. Work at the boundary goes into what is there to take it: a part of 2e-3 of it is left by steps of
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
    CHECK_CLOSE(row[n - 1].servo_error,
                fmax(fabs(row[n - 1].stress_11 - 1e5), fabs(row[n - 1].stress_22 - 1e5)) / 1e5, 1e-12);
    assert_true(row[n - 1].servo_error > 0);
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

/* ---- Packings that have a membrane ---- */

static void keep_packing(sw_dem_packing *kept)
{
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_job *job;
    sw_dem_sample s;
    sw_dem *dem;
    read_sample(NULL, NULL, &job, &s);
    CHECK_OK(sw_dem_open(&options, 1, &s, &dem));
    CHECK_OK(sw_dem_get_packing(dem, 0, kept));
    sw_dem_close(dem);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

typedef struct {
    const char *file, *packing, *membrane, *numerics; /* what the job has in each */
    int array, at;                                    /* a number of the file: less than 0: from the end */
    double number;
    const char *need[2];
} file_case;

/* kept.vtkhdf with the case's number, and its job. */
static void write_case(const file_case *c, sw_dem_packing *kept)
{
    double none = 0, *number = &none;
    char path[PATH_MAX + 64], job[1024];
    snprintf(path, sizeof path, "%s/kept.vtkhdf", folder);
    if (c->array < SW_DEM_MEMORIES) {
        const int columns = kept->memory->of[c->array].columns;
        number = kept->memory->of[c->array].number + (c->at + columns) % columns;
    }
    const double was = *number;
    *number = c->number;
    CHECK_OK(sw_dem_vtkhdf_write(path, kept, 0, NULL)); /* unlooked at */
    *number = was;
    snprintf(job, sizeof job,
             "material: {law: linear, young: 1.0e8, poisson: 0.5, friction: 0.3, density: 2500}\n"
             "packing: {file: %s.vtkhdf%s}\n"
             "membrane: {ends: sliding%s}\n"
             "numerics: {skin: %s}\n"
             "sides: {friction: 0.1}\n"
             "loading: [{test: isotropic, pressure: 1.0e5, inertia_number: 1.0e-2}]\n"
             "output: {file: box.h5}\n",
             c->file, c->packing, c->membrane, c->numerics);
    write_text(job_path, job);
}

static sw_status open_job(void)
{
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_job *job = NULL;
    sw_dem *dem = NULL;
    sw_dem_sample s;
    sw_status status = sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job);
    if (status == SW_OK)
        status = sw_dem_job_sample(job, 0, &s);
    if (status == SW_OK) {
        status = sw_dem_open(&options, 1, &s, &dem);
        sw_dem_job_sample_free(&s);
    }
    sw_dem_close(dem);
    sw_dem_job_free(job);
    return status;
}

#define MEMBRANE SW_DEM_MEMORY_MEMBRANE
#define NONE SW_DEM_MEMORIES, 0, 0
static void what_a_file_says_is_looked_at(void **state)
{
    (void)state;
    static const char on[] = ", goes_on: yes", from[] = "kept", same[] = "0.4";
    static const file_case cases[] = {
        LINE(from, on, "", same, NONE, {NULL}),
        LINE(from, "", "", "0.3", NONE, {NULL}),
        LINE(from, on, "", "0.3", NONE, {"goes_on", "numerics.skin"}),
        LINE(from, on, "", same, MEMBRANE, 0, 1e300, {"kept.vtkhdf: run_membrane: row 0, column 1 = 1e+300"}),
        LINE(from, on, "", same, MEMBRANE, 0, -6, {"column 1 = -6: need a whole number, 6 to"}),
        LINE(from, on, "", same, MEMBRANE, 1, 7.5, {"column 2 = 7.5: need a whole number, 3 to"}),
        LINE(from, on, "", same, MEMBRANE, 1, 1e5, {"kept.vtkhdf: a membrane of ", "need grains"}),
        LINE(from, on, "", same, MEMBRANE, 2, -1, {"run_membrane: row 0, column 3 = -1"}),
        LINE(from, on, "", same, SW_DEM_MEMORY_WALL, 14, 1e300,
             {"kept.vtkhdf: run_wall: row 0, column 15 = 1e+300"}),
        LINE(from, on, "", same, SW_DEM_MEMORY_DISPLACEMENT, 2, -1e300,
             {"kept.vtkhdf: run_displacement: row 0, column 3"}),
        LINE(from, on, "", same, SW_DEM_MEMORY_RUN, -4, -1, {"run_state: row 0, column", "-1 steps"}),
        LINE(from, on, "", same, SW_DEM_MEMORY_RUN, -5, -1,
             {"run_state: row 0, column", " = -1: need 0 to 1e30"}),
        LINE(from, "", ", height: 8.0e-4", same, NONE,
             {"job.yaml:3: membrane.height", "a packing with a membrane"}),
        LINE(from, "}\nothers:\n  - {part: 0.3", "", same, NONE,
             {"kept.vtkhdf: material of particle", "a node = 1: need 2 beside 1 others"}),
        LINE("dense", ", goes_on: yes", ", stiffness: 50", same, NONE,
             {"job.yaml:2: packing.goes_on", "need a packing with a membrane"}),
        LINE("dense", "", ", stiffness: 50, radius: 1.0e-4", same, NONE,
             {"job.yaml:3: membrane: radius", "3 of the largest"}),
        LINE("dense", "", ", stiffness: 50, radius: 1.0e-2", same, NONE,
             {"job.yaml:3: membrane: a cylinder", "two and a half cells"}),
        LINE("dense", "", ", stiffness: 50, spacing: 2.0e-3", same, NONE,
             {"job.yaml:3: membrane: spacing", "3 of the least"}),
        LINE("dense", "", "", same, NONE, {"job.yaml:3: membrane.stiffness", "packing.pressure"}),
    };
    sw_dem_packing kept;
    keep_packing(&kept);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_case(&cases[i], &kept);
        const sw_status status = open_job();
        if ((status == SW_OK) != (cases[i].need[0] == NULL))
            fail_msg("%zu: %s: %s", i, sw_status_text(status), status == SW_OK ? "" : sw_error_message());
        for (int k = 0; k < 2 && cases[i].need[k] != NULL; k++)
            if (strstr(sw_error_message(), cases[i].need[k]) == NULL)
                fail_msg("%zu: %s: need '%s'", i, sw_error_message(), cases[i].need[k]);
    }
    sw_dem_packing_free(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_those_of_antiprisms), cmocka_unit_test(the_pressure_does_its_work),
        cmocka_unit_test(its_stiffness_is_of_grains),      cmocka_unit_test(it_holds_its_pressure),
        cmocka_unit_test(what_a_file_says_is_looked_at),   cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
