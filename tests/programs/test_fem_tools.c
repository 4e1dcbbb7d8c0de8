/* `slipwave fem` with rigid tools, as its users meet it: upsetting and a bar that is pressed into a block. */
#include "programs.h"

#define PI 3.14159265358979323846
#define FEM "slipwave fem -q "

/* Half a meridian of 4 x 6 elements, upset by a fifth. */
static const char upset_text[] =
    "upsetting: {radius: 0.01, height: 0.03, reduction: 0.2, cells: [4, 6], friction: 0.1, increments: 4}\n"
    "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 700.0e6, hardening: {law: linear, modulus: "
    "300.0e6}}]\n"
    "device: cpu\n"
    "output: {file: out.h5, fields: [4], restart: [2]}\n";
/* The same, written out. */
static const char general_text[] =
    "mesh: {body: box, cells: [4, 6], size: [0.01, 0.015]}\n"
    "kinematics: axisymmetric\nstrain: finite\nb_bar: true\n"
    "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 700.0e6, hardening: {law: linear, modulus: "
    "300.0e6}}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"
    "tools: [{name: plate, shape: plane, surfaces: [y_max, x_max], point: [0, 0.015], normal: [0, -1], "
    "friction: 0.1, move: [0, -0.003]}]\n"
    "steps: [{factor: 1, increments: 4}]\n"
    "device: cpu\noutput: {file: out.h5, fields: [none]}\n";
enum { INCREMENTS = 4, NODES = 5 * 7, TOOL_NODES = 5 + 7 - 1, CONTACT_SIZE = 7, MANY = 50, ITERATIONS = 64 };

/* A bar pressed into an elastic block of 1 m thickness. */
static const char pressed_text[] = "mesh: {body: box, cells: [4, 2], size: [0.010, 0.005]}\n" /* 1 */
                                   "kinematics: plane_strain\n"                               /* 2 */
                                   "strain: finite\n"                                         /* 3 */
                                   "materials: [{young: 120.0e9, poisson: 0.34}]\n"           /* 4 */
                                   "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n" /* 5 */
                                   "tools:\n"                                                 /* 6 */
                                   "  - {name: bar, shape: cylinder, surfaces: [y_max],\n"    /* 7 */
                                   "     point: [0, 0.009], radius: 0.004,\n"                 /* 8 */
                                   "     force: [0, -1.0e5]}\n"                               /* 9 */
                                   "steps: [{factor: 1, increments: 4}]\n"                    /* 10 */
                                   "device: cpu\n"                                            /* 11 */
                                   "output: {file: out.h5, fields: [none]}\n";                /* 12 */

static void unlink_results(void)
{
    static const char *const names[] = {"out.h5", "out.h5.partial", "out-0002.restart.h5", "out-0004.vtkhdf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
}

/* ---- What is reported ---- */

static void tools_have_their_columns(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
        int rank;
        int64_t shape[3];
    } sets[] = {
        {"tool_factor", "1", 2, {INCREMENTS, 1}},
        {"tool_force", "N", 3, {INCREMENTS, 1, 2}},
        {"tool_displacement", "m", 3, {INCREMENTS, 1, 2}},
        {"tool_nodes_touching", "1", 2, {INCREMENTS, 1}},
        {"tool_contact_area", "m2", 2, {INCREMENTS, 1}},
        {"tool_largest_pressure", "Pa", 2, {INCREMENTS, 1}},
        {"tool_stabilising_force", "N", 2, {INCREMENTS, 1}},
        {"tool_gap", "m", 2, {INCREMENTS, 1}},
    };
    result r;
    run_well(FEM "upset.yaml", &r);
    hid_t file = open_results("out.h5");
    assert_run_text(file, "tools", "tool plate");
    assert_run_text(file, "strain", "finite");
    assert_run_text(file, "kinematics", "axisymmetric");
    assert_run_text(file, "b_bar", "yes");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char name[96], *unit;
        snprintf(name, sizeof name, "history/%s", sets[i].name);
        free(read_set(file, name, sets[i].rank, sets[i].shape));
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        CHECK_OK(sw_h5_read_text(set, "unit", &unit));
        assert_string_equal(unit, sets[i].unit);
        free(unit);
        H5Dclose(set);
    }
    H5Fclose(file);
    unlink_results();
}

/* Without friction the force is that of the closed solution (docs/validation.md), off by what the penalty lets in:
 * p / 100 E of an element's depth, 1e-5 of the height. With friction it is more, and the plate still balances what
 * holds the middle. */
static void plates_press_as_hard_as_they_must(void **state)
{
    (void)state;
    const int64_t of_tool[3] = {INCREMENTS, 1, 2}, of_boundary[3] = {INCREMENTS, 2, 2},
                  one[2] = {INCREMENTS, 1};
    double smooth[INCREMENTS];
    result r;
    write_edited("other.yaml", upset_text, "friction: 0.1, ", "");
    for (int with = 0; with < 2; with++) {
        run_well(with ? FEM "upset.yaml" : FEM "other.yaml", &r);
        hid_t file = open_results("out.h5");
        for (int i = 0; i < INCREMENTS; i++) {
            const double h = 0.03 * (1 - 0.05 * (i + 1)), e = log(0.03 / h), V = PI * 0.01 * 0.01 * 0.03;
            const double closed = (700e6 + 300e6 * e) / (1 + 300e6 / 200e9) * V / h;
            const double force = number_at(file, "history/tool_force", 3, of_tool, 2 * i + 1);
            CHECK_CLOSE(number_at(file, "history/tool_displacement", 3, of_tool, 2 * i + 1),
                        -0.5 * 0.03 * 0.05 * (i + 1), 1e-15);
            /* Newton's tolerance, 1e-6 of all forces */
            CHECK_CLOSE(number_at(file, "history/reaction", 3, of_boundary, 4 * i + 3), -force,
                        1e-5 * fabs(force));
            if (with)
                assert_true(-force > 1.001 * smooth[i] && -force < 1.1 * smooth[i]);
            else
                CHECK_CLOSE(-force, closed, 1e-4 * closed);
            assert_true(number_at(file, "history/tool_nodes_touching", 2, one, i) >= 5);
            assert_true(number_at(file, "history/tool_contact_area", 2, one, i) > PI * 0.01 * 0.01);
            assert_true(number_at(file, "history/tool_largest_pressure", 2, one, i) > 700e6);
            assert_true(number_at(file, "history/tool_stabilising_force", 2, one, i) == 0);
            smooth[i] = -force;
        }
        H5Fclose(file);
    }
    unlink_results();
    unlink("other.yaml");
}

/* Nodes of y_max are the last ones. Slip grows outwards from the axis, which stays. */
static void fields_of_contact_are_written(void **state)
{
    (void)state;
    const int64_t scalar = NODES, vector[2] = {NODES, 3};
    result r;
    run_well(FEM "upset.yaml", &r);
    hid_t file = open_results("out-0004.vtkhdf");
    double *pressure = read_set(file, "VTKHDF/PointData/contact_pressure", 1, &scalar);
    double *slip = read_set(file, "VTKHDF/PointData/slip", 1, &scalar);
    double *friction = read_set(file, "VTKHDF/PointData/contact_friction", 2, vector);
    for (int n = 0; n < 5; n++)
        assert_true(pressure[n] == 0 && slip[n] == 0 && friction[3 * n] == 0);
    for (int n = NODES - 5; n < NODES; n++) {
        assert_true(pressure[n] > 500e6 && friction[3 * n] <= 0);
        /* Coulomb's bound, from nodal forces on the same areas */
        assert_true(fabs(friction[3 * n]) <= 0.1 * pressure[n] * (1 + 1e-9));
        assert_true(n == NODES - 5 ? slip[n] < 1e-9 : slip[n] > slip[n - 1]);
    }
    free(pressure);
    free(slip);
    free(friction);
    H5Fclose(file);
    unlink_results();
}

/* A tool that a force moves goes as far as the body lets it, and takes just that force. */
static void pressed_tool_takes_its_force(void **state)
{
    (void)state;
    const int64_t shape[3] = {INCREMENTS, 1, 2};
    result r;
    write_text("pressed.yaml", pressed_text);
    run_well(FEM "pressed.yaml", &r);
    hid_t file = open_results("out.h5");
    for (int i = 0; i < INCREMENTS; i++) {
        const double y = number_at(file, "history/tool_displacement", 3, shape, 2 * i + 1);
        CHECK_CLOSE(number_at(file, "history/tool_force", 3, shape, 2 * i + 1), -1e5 * (i + 1) / 4, 1);
        assert_true(number_at(file, "history/tool_displacement", 3, shape, 2 * i) == 0);
        assert_true(y < (i == 0 ? 0 : number_at(file, "history/tool_displacement", 3, shape, 2 * i - 1)));
    }
    H5Fclose(file);
    unlink_results();
    unlink("pressed.yaml");
}

/* ---- Refusals ---- */

static void bad_tools_leave_no_file(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        const char *part[3];
    } cases[] = {
        {"[0, 0.009]",
         "[0, 0.0085]",
         {": bad.yaml:8: tools[0].point = (0, 0.0085): tool bar: node ",
          " of the body at (0, 0.005) is 0.0005 m ", "need tools outside"}},
        {"[0, 0.009]",
         "[0, 0.0095]",
         {": bad.yaml:8: tools[0].point = (0, 0.0095): tool bar: is 0.0005 m from the body",
          "free to move along y", "need one that touches it"}},
        {"boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]",
         "boundary: [{nodes: y_min, y: 0}]",
         {"bad.yaml: the body can still move along x"}},
        {"device: cpu",
         "device: cpu\nsolver: {operator: nbn}",
         {"bad.yaml:12: solver.operator = nbn: " OF_PAPERS("with strain finite"), OF_PAPERS("need points")}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_edited("bad.yaml", pressed_text, cases[i].old, cases[i].new);
        assert_refused_twice(FEM "bad.yaml", 3, cases[i].part);
    }
    unlink("bad.yaml");
}

/* ---- Going on ---- */

enum { COLUMNS = 11 };

/* Numbers of /history that do not depend on the clock: [*size], released with free(). */
static double *read_results(int64_t increments, int64_t *size)
{
    static const struct {
        const char *name;
        int rank;
        int64_t shape[2];
    } sets[COLUMNS] = {{"tool_force", 3, {1, 2}},
                       {"tool_displacement", 3, {1, 2}},
                       {"tool_nodes_touching", 2, {1}},
                       {"tool_contact_area", 2, {1}},
                       {"tool_largest_pressure", 2, {1}},
                       {"tool_stabilising_force", 2, {1}},
                       {"tool_gap", 2, {1}},
                       {"reaction", 3, {2, 2}},
                       {"external_work", 1, {0}},
                       {"newton", 1, {0}},
                       {"residual", 2, {ITERATIONS}}};
    double *all = calloc((size_t)increments * (ITERATIONS + 16), sizeof *all);
    hid_t file = open_results("out.h5");
    assert_non_null(all);
    *size = 0;
    for (int i = 0; i < COLUMNS; i++) {
        const int64_t shape[3] = {increments, sets[i].shape[0], sets[i].shape[1]};
        int64_t n = 1;
        char name[64];
        snprintf(name, sizeof name, "history/%s", sets[i].name);
        for (int k = 0; k < sets[i].rank; k++)
            n *= shape[k];
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, sets[i].rank, shape, all + *size));
        *size += n;
    }
    H5Fclose(file);
    return all;
}

static void assert_same_results(const double *whole, int64_t size, int64_t increments)
{
    int64_t size_again;
    double *again = read_results(increments, &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(whole, again, (size_t)size * sizeof *whole);
    free(again);
}

/* On one thread: the order of sums may depend on their number. */
static void killed_run_resumes_to_the_same(void **state)
{
    (void)state;
    int64_t size;
    result r;
    write_edited("many.yaml", upset_text, "increments: 4}", "increments: 50}");
    run_well(FEM "many.yaml -j 1", &r);
    double *whole = read_results(MANY, &size);
    unlink_results();
    assert_int_equal(stop_after_first(FEM "many.yaml -j 1", SIGKILL), -1);
    assert_int_equal(access("out.h5", F_OK), -1);
    run_well(FEM "many.yaml --resume -j 1", &r);
    assert_int_equal(access("out.h5.partial", F_OK), -1);
    assert_same_results(whole, size, MANY);
    free(whole);
    unlink_results();
    unlink("many.yaml");
}

static void saved_increment_restarts(void **state)
{
    (void)state;
    static const char *const other[] = {
        "saved.h5: belongs to another mesh, materials, boundary, loads or tools"};
    static const char *const edits[][2] = {{"friction: 0.1", "friction: 0.2"},
                                           {"friction: 0.1", "sticks: true"},
                                           {"friction: 0.1", "friction: 0.1, shear_limit: 4.0e8"},
                                           {"reduction: 0.2", "reduction: 0.3"}};
    int64_t size;
    result r;
    run_well(FEM "upset.yaml -j 1", &r);
    double *whole = read_results(INCREMENTS, &size);
    assert_int_equal(rename("out-0002.restart.h5", "saved.h5"), 0);
    unlink_results();
    run_well(FEM "upset.yaml --restart saved.h5 -j 1", &r);
    assert_same_results(whole, size, INCREMENTS);
    unlink_results();
    write_text("other.yaml", general_text);
    run_well(FEM "other.yaml --restart saved.h5 -j 1", &r);
    assert_same_results(whole, size, INCREMENTS);
    unlink_results();
    free(whole);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        write_edited("other.yaml", upset_text, edits[i][0], edits[i][1]);
        assert_refused_twice(FEM "other.yaml --restart saved.h5", 1, other);
    }
    unlink("saved.h5");
    unlink("other.yaml");
}

/* Contact's numbers of a restart file that no run would have written, and without them. */
static void damaged_contact_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t place;
        double value;
        const char *part;
    } cases[] = {
        {"restart/contact", 3, NAN, "saved.h5: restart/contact: number 4 is nan: need a finite one"},
        {"restart/contact", CONTACT_SIZE + 4, -1,
         "saved.h5: restart/contact: number 12 is -1: need a finite one from 0"},
        {"restart/last_displacement", 7, INFINITY, "saved.h5: restart/last_displacement: number 8 is inf"},
        {"restart/last_factors", 0, NAN, "saved.h5: restart/last_factors: number 1 is nan"},
    };
    result r;
    hid_t file;
    run_well(FEM "upset.yaml", &r);
    assert_int_equal(rename("out-0002.restart.h5", "saved.h5"), 0);
    unlink_results();
    CHECK_OK(sw_h5_open("saved.h5", 0, &file));
    hid_t set = H5Dopen2(file, "restart/contact", H5P_DEFAULT);
    assert_int_equal(H5Dget_storage_size(set), TOOL_NODES * CONTACT_SIZE * sizeof(double));
    H5Dclose(set);
    H5Fclose(file);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_number(FEM "upset.yaml --restart saved.h5", cases[i].name, cases[i].place, cases[i].value,
                      cases[i].part);
    run_well(FEM "upset.yaml --restart saved.h5", &r);
    unlink_results();
    static const char *const absent[] = {"contact"};
    CHECK_OK(sw_h5_open("saved.h5", 1, &file));
    assert_true(H5Ldelete(file, "restart/contact", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_refused_twice(FEM "upset.yaml --restart saved.h5", 1, absent);
    unlink("saved.h5");
}

/* ---- What tools do not do as they are meant to ---- */

/* An elastic cube of 2 x 2 x 2 that a plate presses by 1 %: with a penalty of 1 springs as soft as one of the two layers take a
 * third of that, and forces are as much too small; with the standard one 1 / 200 of it. */
static const char cube_text[] =
    "mesh: {body: box, cells: [2, 2, 2], size: [0.01, 0.01, 0.01]}\n"
    "strain: finite\n"
    "materials: [{young: 70.0e9, poisson: 0}]\n"
    "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}]\n"
    "tools: [{name: plate, shape: plane, surfaces: [z_max], point: [0, 0, 0.01],\n"
    "         normal: [0, 0, -1], move: [0, 0, -0.0001]}]\n"
    "steps: [{factor: 1, increments: 2}]\ndevice: cpu\n"
    "output: {file: out.h5, fields: [none]}\n";

static void assert_warned_once(const char *command, const char *what)
{
    result r;
    run(command, &r);
    if (r.status != 0 || strstr(r.err, what) == NULL || strchr(r.err, '\n') != r.err + strlen(r.err) - 1)
        fail_msg("need one warning '%s' and success, not '%s', exit status %d", what, r.err, r.status);
}

static void tools_that_sink_in_or_never_arrive_are_said(void **state)
{
    (void)state;
    const int64_t shape[2] = {2, 1};
    static const char *const soft[] = {"tools[0].penalty = 1.0e-3: need 1 <= penalty <= 1e5"},
                             *const hard[] = {"tools[0].penalty = 1.0e9: need 1 <= penalty <= 1e5"};
    result r;
    write_text("cube.yaml", cube_text);
    run_well(FEM "cube.yaml", &r);
    hid_t file = open_results("out.h5");
    CHECK_CLOSE(number_at(file, "history/tool_gap", 2, shape, 1), -1e-4 / 200, 1e-4 / 200 * 0.03);
    H5Fclose(file);
    write_edited("cube.yaml", cube_text, "normal:", "penalty: 1, normal:");
    assert_warned_once(FEM "cube.yaml",
                       "increment 1: the body is 1.67e-05 m deep in tool plate, 50.3 % of its largest "
                       "displacement and 0.334 % of an element's depth: forces may be 33.4 % too small");
    write_edited("cube.yaml", cube_text, "normal:", "penalty: 1.0e-3, normal:");
    assert_refused_twice(FEM "cube.yaml", 1, soft);
    write_edited("cube.yaml", cube_text, "normal:", "penalty: 1.0e9, normal:");
    assert_refused_twice(FEM "cube.yaml", 1, hard);
    write_edited("cube.yaml", cube_text, "point: [0, 0, 0.01]", "point: [0, 0, 0.02]");
    assert_warned_once(FEM "cube.yaml",
                       "tool plate touches nothing at the end of any increment; after the last it is "
                       "0.0099 m from the body");
    unlink_results();
    unlink("cube.yaml");
}

/* A plate with an edge on two layers of 1 mm: 6 mm into 2 mm it would go through. Told at 2 % of the layer's depth, and by
 * the end of increment 20, at half of it and beyond, again. */
static const char punch_text[] =
    "mesh: {body: box, cells: [10, 2], size: [0.010, 0.002]}\n"
    "kinematics: axisymmetric\nstrain: finite\n"
    "materials: [{young: 70.0e9, poisson: 0.33, yield_stress: 100.0e6, hardening: {law: linear, modulus: "
    "1.0e9}}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"
    "tools: [{name: punch, shape: plane, normal: [0, -1], point: [0, 0.002], move: [0, -0.006], radius: "
    "0.005,\n"
    "         edge: 0.001, penalty: 1, surfaces: [y_max]}]\n"
    "steps: [{factor: 1, increments: 20}]\noutput: {file: out.h5, fields: [none]}\n";

static void tools_end_before_they_go_through(void **state)
{
    (void)state;
    result r;
    write_text("punch.yaml", punch_text);
    run(FEM "punch.yaml", &r);
    if (r.status == 0 || strstr(r.err, " of 20 (step 1): tool punch goes through the body: it is ") == NULL ||
        strstr(r.err, "times the depth of the element behind: see tools[0].move") == NULL)
        fail_msg("need an error, not '%s', exit status %d", r.err, r.status);
    const char *told = strstr(r.err, "m deep in tool punch");
    if (told == NULL || strstr(told + 1, "m deep in tool punch") == NULL)
        fail_msg("need two warnings and more, not '%s'", r.err);
    assert_int_not_equal(access("out.h5", F_OK), 0);
    unlink("out.h5.partial");
    /* and one that a force presses has that: F / 2 on E A / h = 70e9 Pa 1e-4 m2 / 5 mm */
    write_edited("cube.yaml", cube_text, "move: [0, 0, -0.0001]", "penalty: 1, force: [0, 0, -1.4e4]");
    assert_warned_once(FEM "cube.yaml", "% of an element's depth: displacements may be 5e-06 m too large");
    unlink_results();
    unlink("cube.yaml");
    unlink("punch.yaml");
}

/* A body that is moved along before a stiff tool arrives: what holds it meanwhile is 1e-6 of its nodes' E A / h, whatever
 * the penalty. E A / h: 120e9 Pa of 0.01 m2 over 0.0025 m. */
static const char moved_text[] =
    "mesh: {body: box, cells: [4, 2], size: [0.010, 0.005]}\n"
    "kinematics: plane_strain\nstrain: finite\nmaterials: [{young: 120.0e9, poisson: 0.34}]\n"
    "boundary: [{nodes: x_min, x: 0.001}, {nodes: x_max, x: 0.001}]\n"
    "tools: [{name: plate, shape: plane, surfaces: [y_max], point: [0, 0.0095], normal: [0, -1], "
    "penalty: 1.0e5, move: [0, -0.001]}]\n"
    "steps: [{factor: 1, increments: 4}]\noutput: {file: out.h5, fields: [none]}\n";

static void what_holds_is_no_matter_of_penalty(void **state)
{
    (void)state;
    static const int64_t shape[2] = {4, 1};
    result r;
    write_text("moved.yaml", moved_text);
    run(FEM "moved.yaml", &r); /* which says that the tool never arrives */
    assert_int_equal(r.status, 0);
    hid_t file = open_results("out.h5");
    /* all nodes of the surface by a quarter of a millimetre a substep */
    CHECK_CLOSE(number_at(file, "history/tool_stabilising_force", 2, shape, 3),
                1e-6 * 120e9 * 0.01 / 0.0025 * 0.00025, 0.01 * 120);
    assert_true(number_at(file, "history/external_work", 1, shape, 3) < 120 * 0.001);
    H5Fclose(file);
    unlink_results();
    unlink("moved.yaml");
}

/* A plate that touches and moves along presses by no more than the slack of 1e-12 of an element's depth, k 1e-12 h: with the
 * standard k = 100 E A / h that is 1e-10 E A, and friction less. */
static void plates_that_only_slide_press_nothing(void **state)
{
    (void)state;
    static const char *const moves[] = {"friction: 0.1, move: [0.001, 0, 0]",
                                        "friction: 1, shear_limit: 1.0e7, move: [0.0001, 0.0001, 0]",
                                        "move: [0.001, 0, 0]"};
    static const int64_t shape[3] = {2, 1, 3};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        result r;
        write_edited("cube.yaml", cube_text, "move: [0, 0, -0.0001]", moves[i]);
        run_well(FEM "cube.yaml", &r);
        hid_t file = open_results("out.h5");
        for (int j = 0; j < 6; j++)
            assert_true(fabs(number_at(file, "history/tool_force", 3, shape, j)) < 2e-10 * 70e9 * 1e-4);
        H5Fclose(file);
        unlink_results();
    }
    unlink("cube.yaml");
}

static void tools_that_nothing_holds_are_named(void **state)
{
    (void)state;
    static const char *const said[] = {"pulled.yaml: increment 1 of 4", "only the body holds tool bar: see "
                                                                        "tools[0].force"};
    write_edited("pulled.yaml", pressed_text, "force: [0, -1.0e5]", "force: [0, 1.0e5]");
    assert_refused(FEM "pulled.yaml", 2, said);
    unlink("pulled.yaml");
}

/* All nodes of the plate come off on the way: one solution of that tangent took 9,000 iterations, and failed. */
static void a_tangent_without_stiffness_is_given_up(void **state)
{
    (void)state;
    static const char text[] =
        "mesh: {body: cylinder_quarter, cells: [8, 8, 18], size: [0.010, 0.010, 0.045]}\nstrain: finite\n"
        "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 700.0e6, hardening: {law: linear, modulus: "
        "300.0e6}}]\n"
        "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"
        "tools:\n"
        "  - {name: below, shape: plane, surfaces: [z_min], point: [0, 0, 0], normal: [0, 0, 1], sticks: "
        "yes}\n"
        "  - {name: above, shape: plane, surfaces: [z_max], point: [0, 0, 0.045], normal: [0, 0, -1], "
        "move: [0, 0, -0.0045], friction: 0.1}\n"
        "steps: [{factor: 1.0, increments: 1}]\ndevice: cpu\noutput: {file: out.h5, fields: [none]}\n";
    result r;
    write_text("pressed.yaml", text);
    run_well(FEM "pressed.yaml", &r);
    hid_t file = open_results("out.h5");
    double *products = read_set(file, "history/cg", 1, (int64_t[]){1});
    assert_true(products[0] > 0 && products[0] < 1000);
    free(products);
    H5Fclose(file);
}

/* ---- The folder ---- */

static int make_fem_folder(void **state)
{
    (void)state;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* files are looked at while they are replaced */
    if (enter_folder() != 0)
        return 1;
    write_text("upset.yaml", upset_text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_have_their_columns),
        cmocka_unit_test(plates_press_as_hard_as_they_must),
        cmocka_unit_test(fields_of_contact_are_written),
        cmocka_unit_test(pressed_tool_takes_its_force),
        cmocka_unit_test(bad_tools_leave_no_file),
        cmocka_unit_test(killed_run_resumes_to_the_same),
        cmocka_unit_test(saved_increment_restarts),
        cmocka_unit_test(damaged_contact_is_refused),
        cmocka_unit_test(tools_that_sink_in_or_never_arrive_are_said),
        cmocka_unit_test(tools_end_before_they_go_through),
        cmocka_unit_test(what_holds_is_no_matter_of_penalty),
        cmocka_unit_test(plates_that_only_slide_press_nothing),
        cmocka_unit_test(tools_that_nothing_holds_are_named),
        cmocka_unit_test(a_tangent_without_stiffness_is_given_up),
    };
    return cmocka_run_group_tests(tests, make_fem_folder, remove_folder);
}
