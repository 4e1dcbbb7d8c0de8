/* `slipwave dem` as its users meet it. */
#include "dem_runs.h"

/* ---- Reading results ---- */

static double number_of_rve(hid_t file, const char *name, int64_t n, int64_t element)
{
    char path[96];
    snprintf(path, sizeof path, "rve/%s", name);
    return number_at(file, path, 1, (int64_t[]){n}, element);
}

/* ---- One run ---- */

static void run_writes_what_is_documented(void **state)
{
    (void)state;
    result r;
    run_well(DEM "dem.yaml", &r);
    assert_non_null(strstr(r.out, "out.h5: 2 elements, 200 particles; at the end p = "));
    assert_ptr_equal(strchr(r.out, '\n'), r.out + strlen(r.out) - 1);
    hid_t file = open_results("out.h5");
    int64_t elements, n;
    for (int q = 0; q < QUANTITIES; q++) {
        char name[96], *unit;
        double *value = read_quantity(file, quantities[q].name, &elements, &n);
        assert_int_equal(elements, 2);
        for (int64_t i = 0; i < 2 * n; i++)
            assert_true(isfinite(value[i])); /* the same rate, so as many records each */
        free(value);
        snprintf(name, sizeof name, "history/%s", quantities[q].name);
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        CHECK_OK(sw_h5_read_text(set, "unit", &unit));
        assert_string_equal(unit, quantities[q].unit);
        free(unit);
        H5Dclose(set);
    }
    for (int k = 0; k < 2; k++) {
        assert_true(number_of_rve(file, "records", 2, k) == (double)n);
        assert_true(number_of_rve(file, "status", 2, k) == 0 && number_of_rve(file, "variant", 2, k) == k);
        assert_true(number_of_rve(file, "friction", 2, k) == (k == 0 ? 0.5 : 0.2));
        assert_true(number_of_rve(file, "n_particles", 2, k) == 100);
        assert_true(isnan(number_of_rve(file, "seed", 2, k)) &&
                    isnan(number_of_rve(file, "void_ratio", 2, k)));
        assert_true(number_of_rve(file, "steps", 2, k) > 1000);
    }
    double *cell = read_set(file, "rve/cell", 3, (int64_t[]){2, 3, 3});
    assert_true(cell[0] > 5e-4 && cell[8] < cell[0]);
    assert_true(cell[1] != 0 && fabs(cell[1]) < 0.1 * cell[0]); /* it leans, for a stress without shear */
    free(cell);
    int64_t contacts[2];
    CHECK_OK(sw_h5_shape(file, "contacts/1/pair", 2, contacts));
    assert_true(contacts[0] > 50 && contacts[1] == 2);
    double *normal = read_set(file, "contacts/1/normal", 2, (int64_t[]){contacts[0], 3});
    double *force = read_set(file, "contacts/1/force", 2, (int64_t[]){contacts[0], 3});
    for (int64_t c = 0; c < contacts[0]; c++) {
        const double *u = normal + 3 * c, *f = force + 3 * c;
        CHECK_CLOSE(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 1, 1e-14);
        assert_true(f[0] * u[0] + f[1] * u[1] + f[2] * u[2] > 0);
    }
    free(normal);
    free(force);
    assert_run_text(file, "job", dem_text);
    assert_run_text(file, "device", "cpu");
    assert_run_text(file, "detection", "grid");
    assert_run_text(file, "images", "nearest");
    assert_run_text(file, "failures", "");
    assert_run_text(file, "tests", "1 drained_triaxial 3\n");
    assert_true(run_number(file, "elements") == 2 && run_number(file, "particles") == 200);
    assert_true(run_number(file, "first_loading_stage") == 1 && run_number(file, "wall_time") > 0);
    const double steps = number_of_rve(file, "steps", 2, 0) + number_of_rve(file, "steps", 2, 1);
    assert_true(run_number(file, "particle_steps") == 100 * steps);
    H5Fclose(file);
    unlink("out.h5");
}

/* Steps of the run that a packing is of are in the element's, and no work of the run that goes on. */
static void steps_before_are_not_work(void **state)
{
    (void)state;
    static const char text[] =
        "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, roll_stiffness: 1.0, roll_strength: 0.2,\n"
        "           density: 2600}\n"
        "packing: {file: sand-0000.vtkhdf, pressure: 200.0e3, goes_on: yes}\n"
        "loading: [{test: drained_triaxial, axis: 3, strain: 0.001, inertia_number: 2.0e-3}]\n"
        "device: cpu\n"
        "output: {file: out.h5}\n";
    static const char *const differs[] = {"job.yaml: element 0: packing.goes_on = yes: ",
                                          "friction of material 0 = 0.5: here 0.4"};
    result r;
    write_text("job.yaml", text);
    run_well(DEM "job.yaml", &r);
    hid_t before = open_results("sand.h5"), file = open_results("out.h5");
    const double steps = number_of_rve(before, "steps", 1, 0);
    assert_true(steps > 1000);
    assert_true(run_number(file, "particle_steps") == 100 * (number_of_rve(file, "steps", 1, 0) - steps));
    H5Fclose(file);
    H5Fclose(before);
    unlink("out.h5");
    write_edited("job.yaml", text, "friction: 0.5", "friction: 0.4");
    assert_refused(DEM "job.yaml", 2, differs);
    unlink("job.yaml");
}

/* From the packing that it began with, at constant lateral stress, to the strain that was asked for. */
static void drained_test_is_one(void **state)
{
    (void)state;
    result r;
    int64_t elements, n;
    run_well(DEM "dem.yaml", &r);
    hid_t packed = open_results("sand.h5"), file = open_results("out.h5");
    double *before = read_quantity(packed, "void_ratio", &elements, &n);
    const double last = before[n - 1];
    free(before);
    double *voids = read_quantity(file, "void_ratio", &elements, &n),
           *strain = read_quantity(file, "strain_33", &elements, &n),
           *volume = read_quantity(file, "volume_strain", &elements, &n),
           *lateral = read_quantity(file, "stress_11", &elements, &n),
           *axial = read_quantity(file, "stress_33", &elements, &n),
           *p = read_quantity(file, "pressure", &elements, &n),
           *q = read_quantity(file, "deviator", &elements, &n);
    for (int k = 0; k < 2; k++) {
        const int64_t first = k * n, end = k * n + n - 1;
        CHECK_CLOSE(voids[first], last, 1e-7); /* the file's text has all digits; one step at rest */
        assert_true(strain[first] == 0 && volume[first] == 0);
        assert_true(strain[end] >= 0.02 && strain[end] < 0.0201);
        for (int64_t i = first + 1; i <= end; i++)
            assert_true(strain[i] > strain[i - 1]);
        /* the servo lags by the rate it is driven at, which is twice the quasi-static one */
        double mean = 0;
        for (int64_t i = end - n / 2; i <= end; i++)
            mean += lateral[i];
        const int64_t averaged = n / 2 + 1;
        CHECK_CLOSE(mean / (double)averaged, 200e3, 0.05 * 200e3);
        assert_true(axial[end] > 1.5 * lateral[end]);
        CHECK_CLOSE(1 + voids[end], (1 + voids[first]) * exp(-volume[end]), 1e-12);
    }
    /* grains that slide easier carry less */
    double strong = 0, weak = 0;
    for (int64_t i = n / 4; i < n; i++) {
        strong += q[i] / p[i];
        weak += q[n + i] / p[n + i];
    }
    assert_true(weak < 0.8 * strong);
    free(voids);
    free(strain);
    free(volume);
    free(lateral);
    free(axial);
    free(p);
    free(q);
    H5Fclose(packed);
    H5Fclose(file);
    unlink("out.h5");
}

/* An element knows nothing of its neighbours, nor of how many threads there are. */
static void batch_is_its_elements(void **state)
{
    (void)state;
    result r;
    int64_t elements, n, alone_n;
    run_well(DEM "long.yaml -j 2", &r);
    write_edited("alone.yaml", long_text, "count: 2", "count: 1");
    run_well(DEM "alone.yaml --seed 5 -o alone.h5", &r);
    hid_t both = open_results("out.h5"), one = open_results("alone.h5");
    assert_true(number_of_rve(both, "seed", 2, 0) == 4 && number_of_rve(both, "seed", 2, 1) == 5);
    assert_true(number_of_rve(one, "seed", 1, 0) == 5);
    for (int q = 0; q < QUANTITIES; q++) {
        double *a = read_quantity(both, quantities[q].name, &elements, &n),
               *b = read_quantity(one, quantities[q].name, &elements, &alone_n);
        const int64_t records = (int64_t)number_of_rve(both, "records", 2, 1);
        assert_int_equal(records, alone_n);
        assert_memory_equal(a + n, b, (size_t)records * sizeof *a);
        for (int64_t i = records; i < n; i++)
            assert_true(isnan(a[n + i])); /* after its last record */
        free(a);
        free(b);
    }
    H5Fclose(both);
    H5Fclose(one);
    unlink("out.h5");
    unlink("alone.h5");
    unlink("alone.yaml");
}

static void packings_are_written_and_read(void **state)
{
    (void)state;
    sw_dem_packing text, grid;
    CHECK_OK(sw_dem_packing_read("sand-0000.txt", &text));
    CHECK_OK(sw_dem_packing_read("sand-0000.vtkhdf", &grid));
    assert_true(text.n_particles == 100 && grid.n_particles == 100);
    assert_memory_equal(text.position, grid.position, 100 * sizeof *text.position);
    assert_memory_equal(text.radius, grid.radius, 100 * sizeof *text.radius);
    sw_dem_packing_free(&text);
    sw_dem_packing_free(&grid);
    hid_t file = open_results("sand-0000.vtkhdf");
    double *contacts = read_set(file, "VTKHDF/PointData/contacts", 1, (int64_t[]){100}), sum = 0;
    for (int i = 0; i < 100; i++)
        sum += contacts[i];
    free(contacts);
    H5Fclose(file);
    file = open_results("sand.h5");
    int64_t elements, n;
    double *coordination = read_quantity(file, "coordination", &elements, &n);
    /* counted after the last step, which may open or close a contact */
    CHECK_CLOSE(sum / 100, coordination[n - 1], 0.1);
    free(coordination);
    H5Fclose(file);
}

/* Of the first element, in the first record or the last. */
static void read_normal_stresses(const char *path, const char *const names[3], int at_the_end, double to[3])
{
    hid_t file = open_results(path);
    for (int i = 0; i < 3; i++) {
        int64_t elements, n;
        double *stress = read_quantity(file, names[i], &elements, &n);
        to[i] = stress[at_the_end ? n - 1 : 0];
        free(stress);
    }
    H5Fclose(file);
}

/* Contacts go on with what they remember, or begin anew, which is said, where it is of another law. */
static void contacts_of_packings_go_on(void **state)
{
    (void)state;
    result r;
    static const char *const names[] = {"stress_11", "stress_22", "stress_33"};
    double last[3], first[3], off[2] = {0};
    read_normal_stresses("sand.h5", names, 1, last);
    for (int k = 0; k < 2; k++) {
        write_edited("go.yaml", dem_text, "sand-0000.txt", k == 0 ? "sand-0000.vtkhdf" : "sand-0000.txt");
        run_well(DEM "go.yaml", &r);
        assert_null(strstr(r.err, "note"));
        read_normal_stresses("out.h5", names, 0, first);
        for (int i = 0; i < 3; i++)
            off[k] = fmax(off[k], fabs(first[i] / last[i] - 1));
    }
    print_message("stresses off by %.1e with what contacts remember, %.1e without\n", off[0], off[1]);
    /* the step after the last record: an unbalanced force of 1e-2, an inertia number of 1e-2 */
    assert_true(off[0] < 1e-3 && off[1] > 3 * off[0]);
    write_edited("go.yaml", dem_text, "sand-0000.txt", "sand-0000.vtkhdf");
    char *text = read_bytes("go.yaml", &(size_t){0});
    write_edited("go.yaml", text, "{young", "{law: hertz_mindlin, young");
    free(text);
    run("slipwave dem -q go.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err,
                           "slipwave: warning: go.yaml: 2 of 2 packings are used without what their contacts "
                           "remember; element 0 (sand-0000.vtkhdf): 7 numbers of linear: need 7 of "
                           "hertz_mindlin\n"));
    unlink("go.yaml");
    unlink("out.h5");
}

static void options_replace_keys(void **state)
{
    (void)state;
    result r;
    run_well(DEM
             "dem.yaml --images boundary_particles --team thread -o other.h5 --device cpu --detection grid",
             &r);
    assert_int_equal(access("out.h5", F_OK), -1);
    hid_t file = open_results("other.h5");
    assert_run_text(file, "images", "boundary_particles");
    H5Fclose(file);
    unlink("other.h5");
    write_edited("plain.yaml", dem_text, ", inertia_number: 2.0e-3", "");
    run_well(DEM "plain.yaml --inertia-number 4.0e-3", &r);
    file = open_results("out.h5");
    assert_true(number_of_rve(file, "inertia_number", 2, 0) == 4e-3);
    const double fast = number_of_rve(file, "steps", 2, 0);
    H5Fclose(file);
    run_well(DEM "plain.yaml --inertia-number 1.6e-3", &r);
    file = open_results("out.h5");
    /* as many steps more as the rate is lower, within a control interval of 20 of each */
    CHECK_CLOSE(number_of_rve(file, "steps", 2, 0), 2.5 * fast, 70);
    H5Fclose(file);
    unlink("out.h5");
    unlink("plain.yaml");
}

/* At five times the quasi-static rate stresses are held badly, which is told; at a hundred times, not at all. */
static void rates_beyond_the_servo_are_told(void **state)
{
    (void)state;
    result r;
    write_edited("fast.yaml", dem_text, "inertia_number: 2.0e-3", "inertia_number: 1.0e-2");
    run(DEM "fast.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.err, "slipwave: warning: out.h5: stresses of 2 of 2 elements were held to more than 2 % "));
    assert_non_null(strstr(r.err, "loading[0] (drained_triaxial): "));
    hid_t file = open_results("out.h5");
    int64_t elements, n;
    double *error = read_quantity(file, "servo_error", &elements, &n), mean = 0;
    for (int64_t i = 1; i < n; i++)
        mean += error[i] / (double)(n - 1);
    assert_true(mean > 0.02 && mean < 0.2);
    free(error);
    H5Fclose(file);
    unlink("out.h5");
    write_edited("fast.yaml", dem_text, "inertia_number: 2.0e-3", "inertia_number: 0.2");
    run(DEM "fast.yaml", &r);
    assert_int_equal(r.status, 1);
    assert_one_line(DEM, &r);
    assert_non_null(strstr(r.err, "out.h5: 2 of 2 elements failed; element 0, stage 1: stress "));
    assert_non_null(strstr(r.err, " Pa of 2e+05 Pa, which had been held: off by 2"));
    assert_non_null(strstr(r.err, "need at most 20 %; inertia number "));
    unlink("out.h5");
    unlink("fast.yaml");
}

/* From 200 kPa a servo that hardly moves never comes to 150 kPa, to which lateral stresses, which rise as 33 is
 * compressed, are a third off or more: what fails in the stage itself is half of the larger one of target and pressure. */
static void stresses_that_never_come_near_are_told(void **state)
{
    (void)state;
    result r;
    write_edited("fast.yaml", dem_text, "strain: 0.02, inertia_number: 2.0e-3}",
                 "strain: 2.0e-4, inertia_number: 2.0e-3, pressure: 150.0e3, "
                 "servo_rate: 1.0e-9}");
    run(DEM "fast.yaml", &r);
    assert_int_equal(r.status, 1);
    assert_one_line(DEM, &r);
    assert_non_null(
        strstr(r.err, "out.h5: stresses of 2 of 2 elements never came within 5 % of where they were to be"));
    assert_non_null(strstr(r.err, "loading[0] (drained_triaxial): "));
    assert_non_null(strstr(r.err, "loading[0].most_servo_error = 0.2"));
    assert_int_equal(access("out.h5", F_OK), 0); /* what it gave can be looked at, as of elements that fail */
    write_edited("fast.yaml", dem_text, "strain: 0.02, inertia_number: 2.0e-3}",
                 "strain: 2.0e-4, inertia_number: 2.0e-3, pressure: 150.0e3, "
                 "servo_rate: 1.0e-9, most_servo_error: 10}");
    run(DEM "fast.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.err, "slipwave: warning: out.h5: stresses of 2 of 2 elements never came within 5 %"));
    unlink("out.h5");
    unlink("fast.yaml");
}

/* Radii in micrometres and a density in g/cm^3: the packing is the same but for its size, and that is told. */
static void other_units_are_warned_of(void **state)
{
    (void)state;
    result r;
    write_edited("units.yaml", packing_text,
                 "density: 2600}\npacking: {particles: 100, radii: {distribution: uniform, least: 5.0e-5, "
                 "largest: 1.25e-4}",
                 "density: 2.6}\npacking: {particles: 100, radii: {distribution: uniform, least: 50, "
                 "largest: 125}");
    run(DEM "units.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "m: radii are in m\n"));
    assert_non_null(strstr(r.err, "has a density of 2.6 kg/m^3: densities are in kg/m^3\n"));
    write_text("units.yaml", packing_text);
    run_well(DEM "units.yaml", &r);
    assert_null(strstr(r.err, " are in "));
    unlink("units.yaml");
}

static void shipped_job_runs(void **state)
{
    (void)state;
    result r;
    char *text = read_data("jobs/dem-small.yaml");
    write_text("small.yaml", text);
    free(text);
    run_well(DEM "small.yaml --device cpu", &r);
    assert_non_null(strstr(r.out, "dem-small.h5: 1 element, 200 particles; at the end p = "));
    hid_t file = open_results("dem-small.h5");
    int64_t elements, n;
    double *strain = read_quantity(file, "strain_33", &elements, &n),
           *volume = read_quantity(file, "volume_strain", &elements, &n);
    assert_true(elements == 1 && strain[n - 1] >= 0.1);
    assert_true(volume[n - 1] < 0); /* dense: it dilates */
    free(strain);
    free(volume);
    H5Fclose(file);
    unlink("dem-small.h5");
    unlink("small.yaml");
}

/* ---- Samples ---- */

/* Numbers of a file of a sample, below one line of names: [n_rows][n_columns]; they must be as many. */
static void read_sample(const char *path, const char *names, int n_rows, int n_columns, double *value)
{
    size_t size;
    char *text = read_bytes(path, &size), *at = text + strlen(names);
    assert_memory_equal(text, names, strlen(names));
    for (int i = 0; i < n_rows * n_columns; i++) {
        char *end;
        value[i] = strtod(at, &end);
        assert_true(end > at);
        at = end;
    }
    assert_string_equal(at, "\n");
    free(text);
}

/* No packing of equal spheres has a void ratio of 0.2: its steps end first, or its friction; which hangs on round-off. */
static void assert_no_way(const char *text)
{
    if (!strstr(text, "its goal was not reached in packing.most_steps = 60000 steps") &&
        !strstr(text, ": need 0.2, which falling friction (now "))
        fail_msg("%s", text);
}

static void samples_come_back_as_files(void **state)
{
    (void)state;
    static const char names[] = "# strain_33 stress_ratio volume_strain\n";
    double curve[2][6][3], parameter[2];
    result r;
    run(DEM "samples.yaml --samples table.txt", &r);
    assert_int_equal(r.status, 1);
    assert_one_line(DEM "samples.yaml", &r);
    assert_non_null(strstr(r.err, "out.h5: 1 of 3 samples failed; sample sand_Iter0_Sample2: "));
    assert_no_way(r.err);
    for (int k = 0; k < 2; k++) {
        char path[64];
        snprintf(path, sizeof path, "results/sand_Iter0_Sample%d_sim.txt", k);
        read_sample(path, names, 6, 3, curve[k][0]);
        unlink(path);
        snprintf(path, sizeof path, "results/sand_Iter0_Sample%d_param.txt", k);
        read_sample(path, "# mu e\n", 1, 2, parameter);
        assert_true(parameter[0] == (k == 0 ? 0.5 : 0.1) && parameter[1] == 0.68);
        unlink(path);
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(curve[k][i][0], 0.002 * i, 1e-12);
    }
    assert_true(curve[0][5][1] > 1.2 * curve[1][5][1]);
    assert_int_equal(access("results/sand_Iter0_Sample2_sim.txt", F_OK), -1);
    assert_int_equal(access("results/sand_Iter0_Sample2_param.txt", F_OK), -1);
    /* the results file has all three, and the curve is that of its records */
    hid_t file = open_results("out.h5");
    int64_t elements, n;
    double *strain = read_quantity(file, "strain_33", &elements, &n),
           *volume = read_quantity(file, "volume_strain", &elements, &n);
    assert_int_equal(elements, 3);
    assert_true(number_of_rve(file, "status", 3, 1) == 0 && number_of_rve(file, "status", 3, 2) == 1);
    assert_true(number_of_rve(file, "records", 3, 2) == 0 && isnan(strain[2 * n]));
    CHECK_CLOSE(number_of_rve(file, "friction_angle", 3, 1), atan(0.1) * 180 / 3.14159265358979, 1e-10);
    int64_t i = n;
    while (strain[i + 1] < 0.004)
        i++;
    const double part = (0.004 - strain[i]) / (strain[i + 1] - strain[i]);
    CHECK_CLOSE(curve[1][2][2], volume[i] + part * (volume[i + 1] - volume[i]), 1e-12);
    free(strain);
    free(volume);
    char *failures;
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(group, "failures", &failures));
    assert_non_null(strstr(failures, "element 2, stage 1: "));
    assert_true(strstr(failures, "its goal was not reached") ||
                strstr(failures, ": need 0.2, which falling friction"));
    free(failures);
    H5Gclose(group);
    H5Fclose(file);
    unlink("out.h5");
    /* or zeros in place of what failed, for a filter that needs all files */
    const char *last = strstr(table_text, " 8 sand_Iter0_Sample2");
    char one[256];
    snprintf(one, sizeof one, "!OMP_NUM_THREADS description key mu e\n%s", last);
    write_text("one.txt", one);
    write_edited("zeros.yaml", samples_text, "on_failure: omit", "on_failure: zeros");
    run(DEM "zeros.yaml --samples one.txt", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.err, "warning: out.h5: 1 of 1 samples failed and are zeros; sample sand_Iter0_"));
    assert_no_way(r.err);
    assert_ptr_equal(strchr(r.err, '\n'), r.err + strlen(r.err) - 1);
    read_sample("results/sand_Iter0_Sample2_sim.txt", names, 6, 3, curve[0][0]);
    read_sample("results/sand_Iter0_Sample2_param.txt", "# mu e\n", 1, 2, parameter);
    for (int k = 0; k < 6; k++)
        assert_true(curve[0][k][1] == 0 && curve[0][k][2] == 0);
    unlink("results/sand_Iter0_Sample2_sim.txt");
    unlink("results/sand_Iter0_Sample2_param.txt");
    unlink("one.txt");
    unlink("out.h5");
    unlink("zeros.yaml");
}

/* ---- What fails ---- */

/* The others' results are there. */
static void element_that_fails_leaves_the_others(void **state)
{
    (void)state;
    result r;
    write_edited("stuck.yaml", dem_text, "{friction: 0.2}]}", "{friction: 0.2}, {inertia_number: 1.0e-2}]}");
    char text[4096];
    size_t size;
    char *stuck = read_bytes("stuck.yaml", &size);
    /* enough steps for the third, which goes ten times as fast, only */
    snprintf(text, sizeof text, "%s", stuck);
    free(stuck);
    write_edited("stuck.yaml", text, "inertia_number: 2.0e-3}", "most_steps: 6000}");
    run(DEM "stuck.yaml --inertia-number 1.0e-3", &r);
    assert_int_equal(r.status, 1);
    assert_one_line(DEM "stuck.yaml", &r);
    assert_non_null(
        strstr(r.err, "out.h5: 2 of 3 elements failed; element 0, stage 1: its goal was not reached"));
    assert_non_null(strstr(r.err, "not reached in loading[0].most_steps = 6000 steps"));
    hid_t file = open_results("out.h5");
    assert_true(number_of_rve(file, "status", 3, 0) == 1 && number_of_rve(file, "status", 3, 2) == 0);
    assert_true(number_of_rve(file, "records", 3, 2) > 10);
    H5Fclose(file);
    unlink("out.h5");
    unlink("stuck.yaml");
}

static void bad_input_leaves_nothing_behind(void **state)
{
    (void)state;
    static const struct {
        const char *command, *part[3];
    } cases[] = {
        {"slipwave dem -q", {"dem needs a job file"}},
        {DEM "absent.yaml", {"absent.yaml: cannot be read"}},
        {DEM "dem.yaml long.yaml", {"one job file at a time"}},
        {DEM "bad.yaml", {"bad.yaml:4: rves.variations[1].friction = -0.2", "0 <= friction <= 10"}},
        {DEM "dem.yaml --seed x", {"--seed = x: need a whole number in plain digits"}},
        {DEM "dem.yaml --seed 3", {"--seed", "no place beside a packing from a file"}},
        {DEM "dem.yaml --inertia-number 0", {"--inertia-number = 0", "1e-7 <= inertia_number <= 1"}},
        {DEM "dem.yaml --team device", {"--team = device", "device = cpu"}},
        {DEM "dem.yaml --samples table.txt", {"--samples beside rves.variations"}},
        {DEM "samples.yaml --samples absent.txt", {"absent.txt: cannot be read"}},
        {DEM "samples.yaml --samples dem.yaml", {"dem.yaml:"}},
        {DEM "samples.yaml --samples bad.txt", {"bad.txt:1: unknown parameter 'muu'", "did you mean 'mu'?"}},
        {DEM "nowhere.yaml --samples table.txt",
         {"samples.folder = nowhere", "a folder that can be written"}},
        {DEM "dem.yaml -o dem.yaml", {"--output = dem.yaml", "is the file that is read"}},
        {DEM "dem.yaml -o sand-0000.txt", {"--output = sand-0000.txt", "is the input packing.file"}},
        {DEM "samples.yaml --samples table.txt -o table.txt",
         {"--output = table.txt", "is the input samples.table"}},
        {DEM "dem.yaml -o results", {"results", "is a folder"}},
        {DEM "dem.yaml -o absent/out.h5", {"absent/out.h5", "cannot be created"}},
        {DEM "few.yaml", {"few.yaml: element 0 (seed 4): 8 particles make a cell", "more particles"}},
        {DEM "overlap.yaml",
         {"overlap.yaml: element 0: overlap of particles 0 and 1", "half the smaller radius"}},
        {DEM "flat.yaml", {"flat.txt", "volume"}},
        {DEM "dem.yaml --threads 0", {"--threads = 0"}},
        {DEM "huge.yaml",
         {": huge.yaml: 1000000 elements, 6.7e+13 particles: need ", " GB of memory; ", " GB are free"}},
        {DEM "slow.yaml",
         {"element 0, stage 1: takes some 1.0", "steps of", "need at most 1e+12: a higher rate"}},
    };
    write_edited("bad.yaml", dem_text, "friction: 0.2}]", "friction: -0.2}]");
    write_edited("bad.txt", table_text, "mu", "muu");
    write_edited("nowhere.yaml", samples_text, "folder: results", "folder: nowhere");
    write_edited("few.yaml", long_text, "particles: 100", "particles: 8");
    write_edited("overlap.yaml", dem_text, "sand-0000.txt", "overlap.txt");
    write_edited("huge.yaml", long_text, "particles: 100, radii", "particles: 67000000, radii");
    size_t size;
    char *huge = read_bytes("huge.yaml", &size);
    write_edited("huge.yaml", huge, "rves: {count: 2}", "rves: {count: 1000000}");
    free(huge);
    write_edited("slow.yaml", dem_text, "inertia_number: 2.0e-3", "strain_rate: 1.0e-15");
    write_text("overlap.txt", "cell 1 0 0 0 1 0 0 0 1\n0.5 0.5 0.5 0.1\n0.5 0.5 0.62 0.1\n");
    write_edited("flat.yaml", dem_text, "sand-0000.txt", "flat.txt");
    write_text("flat.txt", "cell 1 0 0 0 1 0 1 1 0\n0.5 0.5 0.5 0.1\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused_twice(cases[i].command, 3, cases[i].part);
    static const char *const made[] = {"bad.yaml",     "bad.txt",     "nowhere.yaml", "few.yaml",
                                       "overlap.yaml", "overlap.txt", "flat.yaml",    "flat.txt",
                                       "huge.yaml",    "slow.yaml"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(unlink(made[i]), 0);
}

/* All files that a run writes, not the results alone. */
static void places_are_checked_before_the_work(void **state)
{
    (void)state;
    static const struct {
        const char *command, *part[2];
    } cases[] = {
        {DEM "packings.yaml -o sand.h5",
         {"packings.yaml:9: output.packings", "would write sand-0000.txt, which is an input of this job"}},
        {DEM "own-0000.txt -o own.h5", {"would write own-0000.txt, which is the job file itself"}},
        {DEM "samples.yaml --samples results/sand_Iter0_Sample1_sim.txt",
         {"--samples: would write results/sand_Iter0_Sample1_sim.txt", "an input of this job"}},
        {DEM "packings.yaml -o folder.h5",
         {"packings.yaml:9: output.packings", "folder-0001.txt cannot be written: is a folder"}},
        {DEM "samples.yaml --samples table.txt",
         {"--samples: results/sand_Iter0_Sample2_param.txt cannot be written: is a folder"}},
    };
    write_edited("packings.yaml", dem_text, "contacts: yes", "packings: [txt]");
    write_edited("own-0000.txt", dem_text, "contacts: yes", "packings: [txt]");
    write_text("results/sand_Iter0_Sample1_sim.txt", table_text);
    assert_int_equal(mkdir("folder-0001.txt", 0777), 0);
    assert_int_equal(mkdir("results/sand_Iter0_Sample2_param.txt", 0777), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused_twice(cases[i].command, 2, cases[i].part);
    static const char *const made[] = {"packings.yaml", "own-0000.txt", "results/sand_Iter0_Sample1_sim.txt",
                                       "folder-0001.txt", "results/sand_Iter0_Sample2_param.txt"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(remove(made[i]), 0);
}

static void device_that_is_not_there_is_refused(void **state)
{
    (void)state;
    char gpu[128];
    if (sw_gpu_describe(gpu, sizeof gpu) > 0)
        skip();
    assert_refused_twice(DEM "dem.yaml --device cuda", 2,
                         (const char *const[]){"--device = cuda: no GPU", NULL});
    write_edited("auto.yaml", dem_text, "device: cpu", "device: auto");
    assert_refused_twice(DEM "auto.yaml --team block", 2,
                         (const char *const[]){"--team = block: no GPU", NULL});
    unlink("auto.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_writes_what_is_documented),
        cmocka_unit_test(drained_test_is_one),
        cmocka_unit_test(batch_is_its_elements),
        cmocka_unit_test(packings_are_written_and_read),
        cmocka_unit_test(contacts_of_packings_go_on),
        cmocka_unit_test(options_replace_keys),
        cmocka_unit_test(rates_beyond_the_servo_are_told),
        cmocka_unit_test(stresses_that_never_come_near_are_told),
        cmocka_unit_test(other_units_are_warned_of),
        cmocka_unit_test(shipped_job_runs),
        cmocka_unit_test(samples_come_back_as_files),
        cmocka_unit_test(steps_before_are_not_work),
        cmocka_unit_test(element_that_fails_leaves_the_others),
        cmocka_unit_test(bad_input_leaves_nothing_behind),
        cmocka_unit_test(places_are_checked_before_the_work),
        cmocka_unit_test(device_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, make_dem_folder, remove_folder);
}
