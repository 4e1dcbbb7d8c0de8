/* Yield points and stiffnesses of elements against copies that the test makes, loads and reads itself, recorded more
 * finely, and a lattice whose moduli are known. */
#include "tests/job_files.h"
#include "tests/online/dem/packs.h"

#include "common/math/rotation.h"
#include "online/dem/probes/probes.h"

enum { ELEMENTS = 3, DIRECTIONS = 6, AXIS = 2 };

/* Pressed from a die along an axis that is not the last: stress and strain differ along all three. The third element
 * is made to fail. */
static const char powder[] =
    "material: {law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900,\n"
    "           strength: 120.0e6, rate_sensitivity: 0.012}\n"
    "packing: {particles: 27, radii: {distribution: monodisperse, radius: 50.0e-6}, pressure: 1.0e6,\n"
    "          friction: 0.0, inertia_number: 5.0e-2}\n"
    "rves: {count: 3}\n"
    "numerics: {control_interval: 10, time_scale: 1.0e6, record_strain: 5.0e-3}\n"
    "loading:\n"
    "  - {test: compaction, relative_density: 0.77, lateral: 0, axis: 2, inertia_number: 5.0e-2}\n"
    "probes: {directions: 6, axis: 2, unload: 0.4, offset: 4.0e-3, strain: 0.02, stiffness: yes}\n"
    "device: cpu\n"
    "output: {file: out.h5}\n";

static sw_dem_job *job;
static sw_dem *dem;
static sw_dem_sample sample[ELEMENTS];
static sw_dem_probes probes;

static void read_job(const char *text)
{
    const sw_arguments arguments = {.file = job_path};
    write_job(text, NULL, NULL);
    CHECK_OK(sw_dem_job_read(&arguments, &job));
    for (int64_t r = 0; r < job->n_elements; r++)
        CHECK_OK(sw_dem_job_sample(job, r, &sample[r]));
    CHECK_OK(sw_dem_open(&job->options, job->n_elements, sample, &dem));
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    for (int64_t r = 0; r < job->n_elements; r++)
        CHECK_OK(sw_dem_failure(dem, r));
}

static void close_job(void)
{
    for (int64_t r = 0; r < job->n_elements; r++)
        sw_dem_job_sample_free(&sample[r]);
    sw_dem_close(dem);
    sw_dem_job_free(job);
}

static int run_powder(void **state)
{
    if (make_job_folder(state))
        return 1;
    read_job(powder);
    dem->rve[ELEMENTS - 1].state->status = SW_DEM_FAILED_GOAL;
    return sw_dem_run_probes(job, dem, &probes) != SW_OK;
}

static int close_powder(void **state)
{
    sw_dem_probes_free(&probes);
    close_job();
    return remove_job_folder(state);
}

/* ---- Copies of the test's own ---- */

/* Along the probes' axis and across it, the mean of both. */
static void split(const double component[3], double *along, double *across)
{
    *along = component[AXIS - 1];
    *across = (component[0] + component[1] + component[2] - *along) / 2;
}

static sw_dem_probe_point point_of(const sw_dem_row *row)
{
    double along, across, strain, other;
    split((const double[3]){row->stress_11, row->stress_22, row->stress_33}, &along, &across);
    split((const double[3]){row->strain_11, row->strain_22, row->strain_33}, &strain, &other);
    return (sw_dem_probe_point){(along + 2 * across) / 3, along - across, row->volume_strain, strain};
}

/* The rate of the loading: of uniaxial compression, sqrt(D:D / 2) of its only component. */
static double rate_of(const sw_dem_rve *rve)
{
    const double(*l)[3] = rve->stage[rve->n_stages - 1].velocity_gradient;
    assert_true(l[0][0] == 0 && l[2][2] == 0 && l[1][1] < 0);
    return -l[AXIS - 1][AXIS - 1] / sqrt(2);
}

/* A copy of element r with these stages done, every control interval recorded. */
static sw_dem *open_copy(int64_t r, int n_stages, const sw_dem_stage *stage)
{
    sw_dem_sample own = sample[r];
    int64_t bytes;
    void *saved;
    sw_dem *copy;
    own.n_stages = 0;
    own.numerics.record_interval = own.numerics.control_interval;
    CHECK_OK(sw_dem_open(&job->options, 1, &own, &copy));
    CHECK_OK(sw_dem_save(dem, r, &bytes, &saved));
    CHECK_OK(sw_dem_restore(copy, 0, bytes, saved));
    free(saved);
    for (int k = 0; k < n_stages; k++)
        CHECK_OK(sw_dem_add_stage(copy, 0, &stage[k]));
    CHECK_OK(sw_dem_run(copy, NULL, NULL));
    CHECK_OK(sw_dem_failure(copy, 0));
    return copy;
}

/* To a part of all normal stresses, at rest. */
static sw_dem_stage unloading(double part, const sw_dem_row *row, double rate)
{
    sw_dem_stage stage = sw_dem_stage_defaults();
    const double stress[3] = {row->stress_11, row->stress_22, row->stress_33};
    for (int k = 0; k < 3; k++) {
        stage.stress_driven[k] = 1;
        stage.stress[k] = part * stress[k];
    }
    stage.max_rate = rate;
    stage.until = SW_DEM_UNTIL_EQUILIBRIUM;
    stage.goal = stage.stress_tolerance = 0.02;
    stage.max_steps = 20000000;
    return stage;
}

/* Volume cos(angle), the axis less the others sin(angle), in a time that makes sqrt(D:D / 2) times it the strain. */
static sw_dem_stage straining(double angle, double rate)
{
    sw_dem_stage stage = sw_dem_stage_defaults();
    const double across = (cos(angle) - sin(angle)) / 3, along = across + sin(angle);
    const double size = sqrt((along * along + 2 * across * across) / 2);
    for (int k = 0; k < 3; k++)
        stage.velocity_gradient[k][k] = -(k == AXIS - 1 ? along : across) / size * rate;
    stage.until = SW_DEM_UNTIL_TIME;
    stage.goal = 0.02 / rate;
    stage.zero_strain = 1;
    return stage;
}

/* On the chord between two records. */
static double mix(double a, double b, double part) { return a * (1 - part) + b * part; }

/* Where the work since unloading first is so much per volume, Pa, between two records; NaN: nowhere. */
static sw_dem_probe_point find_yield(const sw_dem *copy, double wanted)
{
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(copy, 0, &n);
    const sw_dem_rve *rve = sw_dem_get(copy, 0);
    sw_dem_probe_point before = {0};
    double begin = 0, done = 0;
    for (int64_t i = 0; i < n; i++) {
        const double work = row[i].plastic_work + row[i].friction_work + row[i].rolling_work;
        const double volume = rve->solid_volume / row[i].relative_density, next = work - begin;
        sw_dem_probe_point now = point_of(&row[i]);
        if (row[i].stage < (double)rve->n_stages - 1) {
            begin = work;
            now.volume_strain = now.axial_strain = 0;
        } else if (next >= wanted * volume) {
            const double part = (wanted * volume - done) / (next - done);
            return (sw_dem_probe_point){mix(before.pressure, now.pressure, part),
                                        mix(before.deviator, now.deviator, part),
                                        mix(before.volume_strain, now.volume_strain, part),
                                        mix(before.axial_strain, now.axial_strain, part)};
        } else
            done = next;
        before = now;
    }
    return (sw_dem_probe_point){NAN, NAN, NAN, NAN};
}

static void check_point(sw_dem_probe_point found, sw_dem_probe_point expected, double pressure, double strain)
{
    assert_int_equal(isnan(found.pressure), isnan(expected.pressure));
    if (isnan(expected.pressure)) {
        assert_true(isnan(found.deviator) && isnan(found.volume_strain) && isnan(found.axial_strain));
        return;
    }
    CHECK_CLOSE(found.pressure, expected.pressure, pressure);
    CHECK_CLOSE(found.deviator, expected.deviator, pressure);
    CHECK_CLOSE(found.volume_strain, expected.volume_strain, strain);
    CHECK_CLOSE(found.axial_strain, expected.axial_strain, strain);
}

/* ---- Yield ---- */

static void beginnings_are_the_last_records(void **state)
{
    (void)state;
    assert_int_equal(probes.elements, ELEMENTS);
    assert_int_equal(probes.directions, DIRECTIONS);
    for (int d = 0; d < DIRECTIONS; d++)
        CHECK_CLOSE(probes.angle[d], d * SW_PI / 3, 1e-15 * 6);
    for (int r = 0; r < ELEMENTS - 1; r++) {
        sw_dem_row row;
        sw_dem_last_row(dem, r, &row);
        const sw_dem_probe_point expected = point_of(&row);
        check_point(probes.start[r], expected, 1e-12 * expected.pressure, 1e-15);
        assert_true(expected.deviator > 0.1 * expected.pressure); /* which axis it is matters */
    }
}

/* The same but for chords of 1/200 of the strain in place of those of a control interval, which bend by some 1e-4. Some
 * directions lead away from yield. */
static void points_are_those_of_copies(void **state)
{
    (void)state;
    int yielded = 0;
    for (int r = 0; r < ELEMENTS - 1; r++)
        for (int d = 0; d < DIRECTIONS; d++) {
            sw_dem_row row;
            sw_dem_last_row(dem, r, &row);
            const double rate = rate_of(sw_dem_get(dem, r));
            const sw_dem_stage stage[2] = {unloading(0.4, &row, rate), straining(d * SW_PI / 3, rate)};
            sw_dem *copy = open_copy(r, 2, stage);
            const sw_dem_probe_point expected = find_yield(copy, 4e-3 * row.pressure),
                                     found = probes.point[r * DIRECTIONS + d];
            check_point(found, expected, 1e-3 * row.pressure, 1e-5);
            yielded += !isnan(expected.pressure);
            sw_dem_close(copy);
        }
    assert_true(yielded >= 6 && yielded < 2 * DIRECTIONS);
}

/* So little work that it is done between the last record of unloading and the next: strains count from there. */
static void what_yields_at_once_counts_from_unloading(void **state)
{
    (void)state;
    sw_dem_probes early;
    sw_dem_row row;
    job->probes.offset = 1e-5;
    job->probes.stiffness = 0;
    CHECK_OK(sw_dem_run_probes(job, dem, &early));
    job->probes.offset = 4e-3;
    job->probes.stiffness = 1;
    assert_null(early.stiffness);
    sw_dem_last_row(dem, 0, &row);
    const double rate = rate_of(sw_dem_get(dem, 0));
    const sw_dem_stage stage[2] = {unloading(0.4, &row, rate), straining(SW_PI / 3, rate)};
    sw_dem *copy = open_copy(0, 2, stage);
    const sw_dem_probe_point expected = find_yield(copy, 1e-5 * row.pressure);
    check_point(early.point[1], expected, 1e-2 * row.pressure, 1e-4);
    sw_dem_close(copy);
    sw_dem_probes_free(&early);
}

static void failed_elements_have_no_points(void **state)
{
    (void)state;
    for (int d = 0; d < DIRECTIONS; d++)
        assert_true(isnan(probes.point[(ELEMENTS - 1) * DIRECTIONS + d].pressure));
    for (int i = 0; i < 36; i++)
        assert_true(isnan(probes.stiffness[ELEMENTS - 1][i / 6][i % 6]));
}

/* ---- Stiffness ---- */

/* Stresses 11 22 33 23 13 12 of a copy that is nudged by +-1e-6 in 4,000 steps, and rests for as many. */
static void nudge(int64_t r, int i, int j, double strain, double stress[6])
{
    sw_dem_row row;
    sw_dem_last_row(dem, r, &row);
    const double rate = rate_of(sw_dem_get(dem, r)), step = sw_dem_get(dem, r)->state->time_step;
    sw_dem_stage stage[3] = {unloading(1, &row, rate), dem_steps(4000), dem_steps(4000)};
    stage[1].velocity_gradient[i][j] = stage[1].velocity_gradient[j][i] = -strain / (4000 * step);
    sw_dem *copy = open_copy(r, 3, stage);
    const double(*of)[3] = (const double(*)[3])sw_dem_get(copy, 0)->state->stress;
    for (int k = 0; k < 6; k++) {
        const int a = k < 3 ? k : k == 3, b = k < 3 ? k : k == 5 ? 1 : 2;
        stress[k] = 0.5 * (of[a][b] + of[b][a]);
    }
    sw_dem_close(copy);
}

static void stiffnesses_are_those_of_copies(void **state)
{
    (void)state;
    static const int component[2][3] = {{2, 2, 2}, {3, 1, 2}}; /* and its places */
    for (int c = 0; c < 2; c++) {
        double stress[2][6];
        for (int way = 0; way < 2; way++)
            nudge(1, component[c][1], component[c][2], way ? -1e-6 : 1e-6, stress[way]);
        for (int i = 0; i < 6; i++) { /* the same numbers, but for round-off in rates */
            const double expected = (stress[0][i] - stress[1][i]) / 2e-6;
            CHECK_CLOSE(probes.stiffness[1][i][component[c][0]], expected, 1e-6 * stress[0][0] / 2e-6);
        }
    }
}

/* 32 spheres of a face-centred cubic lattice that overlap by 1e-5 of their diameter: moduli in closed form, as
 * tests/validation/test_dem.c derives them, by tensor strain. No contact slides. */
static void stiffness_of_a_lattice_is_known(void **state)
{
    (void)state;
    static const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    const double r = 1e-4, d = 2 * r * (1 - 1e-5), edge = d * sqrt(2.0), kn = 1e9 * r, kt = 0.3 * kn;
    const double c11 = sqrt(2.0) * (kn + kt) / d, c12 = (kn - kt) / (sqrt(2.0) * d);
    char path[PATH_MAX + 32];
    sw_dem_probes found;
    snprintf(path, sizeof path, "%s/fcc.txt", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "cell %.17g 0 0 0 %.17g 0 0 0 %.17g\n", 2 * edge, 2 * edge, 2 * edge);
    for (int i = 0; i < 32; i++)
        fprintf(file, "%.17g %.17g %.17g %.17g\n", (i % 2 + basis[i / 8][0] + 0.1) * edge,
                (i / 2 % 2 + basis[i / 8][1] + 0.1) * edge, (i / 4 % 2 + basis[i / 8][2] + 0.1) * edge, r);
    assert_int_equal(fclose(file), 0);
    read_job("material: {law: linear, young: 1.0e9, poisson: 0.3, friction: 10, density: 2600}\n"
             "packing: {file: fcc.txt, pressure: 1.0e4}\n"
             "loading: [{test: isotropic, volume_strain: 1.0e-6, strain_rate: 1.0}]\n"
             "probes: {directions: 4, strain: 1.0e-4, stiffness: yes}\n"
             "device: cpu\n"
             "output: {file: out.h5}\n");
    CHECK_OK(sw_dem_run_probes(job, dem, &found));
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) /* overlaps of the order of 1e-5 change the lattice by as much */
            CHECK_CLOSE(found.stiffness[0][i][j], i == j ? c11 : i < 3 && j < 3 ? c12 : 0, 1e-3 * c11);
    for (int k = 0; k < 4; k++)
        assert_true(isnan(found.point[k].pressure));
    sw_dem_probes_free(&found);
    close_job();
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest powders[] = {
        cmocka_unit_test(beginnings_are_the_last_records),
        cmocka_unit_test(points_are_those_of_copies),
        cmocka_unit_test(what_yields_at_once_counts_from_unloading),
        cmocka_unit_test(stiffnesses_are_those_of_copies),
        cmocka_unit_test(failed_elements_have_no_points),
    };
    const struct CMUnitTest lattices[] = {
        cmocka_unit_test_setup_teardown(stiffness_of_a_lattice_is_known, make_job_folder, remove_job_folder),
    };
    return cmocka_run_group_tests(powders, run_powder, close_powder) +
           cmocka_run_group_tests(lattices, NULL, NULL);
}
