/* `slipwave taylor` where entries of the loading end at a stress or a strain, hold, or are gone through again. */
#include "taylor_runs.h"

#include "common/math/rotation.h"
#include "common/math/tensor.h"

#define UNLOADING                                                      \
    "  - velocity_gradient: [[-1.0e-3, 0, 0], [0, x, 0], [0, 0, x]]\n" \
    "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n"
#define GOAL(kind, component, goal) "    until: " kind "\n    component: " component "\n    goal: " goal "\n"
#define OUTPUT "output: {file: out.h5}\n"

/* The integral of D_ij dt from row `first` to row `last`. */
static double strain_between(const history *h, int64_t first, int64_t last, int i, int j)
{
    double sum = 0;
    for (int64_t n = first + 1; n <= last; n++)
        sum += (h->l[n][i][j] + h->l[n][j][i]) / 2 * (h->time[n] - h->time[n - 1]);
    return sum;
}

/* The row after which component 11 is strained the other way, from `first` on. */
static int64_t turn_after(const history *h, int64_t first)
{
    int64_t n = first + 1;
    while (n + 1 < h->rows && (h->l[n + 1][0][0] > 0) == (h->l[n][0][0] > 0))
        n++;
    return n;
}

/* ---- Unloading ---- */

/* The mean of stress ii under a unit of strain jj that all crystals [n] have: Voigt's. */
static void voigt_stiffness(int64_t n, const float (*euler)[3], double stiffness[3][3])
{
    const sw_material m = copper();
    memset(stiffness, 0, 9 * sizeof(double));
    for (int64_t k = 0; k < n; k++)
        for (int j = 0; j < 3; j++) {
            const double angles[3] = {euler[k][0], euler[k][1], euler[k][2]};
            double g[3][3], back[3][3], strain[3][3] = {{0}}, own[3][3], stress[3][3];
            strain[j][j] = 1;
            sw_rotation_from_euler(angles, g);
            for (int i = 0; i < 9; i++)
                back[i / 3][i % 3] = g[i % 3][i / 3];
            sw_rotate_tensor(back, strain, own);
            for (int i = 0; i < 9; i++)
                own[i / 3][i % 3] *= i % 4 == 0 ? m.elasticity.c11 - m.elasticity.c12 : 2 * m.elasticity.c44;
            for (int i = 0; i < 3; i++) /* the trace is 1 */
                own[i][i] += m.elasticity.c12;
            sw_rotate_tensor(g, own, stress);
            for (int i = 0; i < 3; i++)
                stiffness[i][j] += stress[i][i] / (double)n;
        }
}

/* Young's modulus along 1 with free sides and without shear. */
static double youngs_modulus(double c[3][3])
{
    double inverse[3][3];
    sw_invert(c, inverse);
    return 1 / inverse[0][0];
}

/* The job of data/jobs: three times loaded to a strain, each time unloaded to zero stress along Young's modulus. */
static void tension_is_taken_back_to_no_stress(void **state)
{
    (void)state;
    enum { N = 500, CYCLES = 3 };
    static history h;
    static float euler[N][3];
    char name[64];
    result r;
    char *text = read_data("jobs/cyclic-tension.yaml");
    write_edited("cyclic.yaml", text, "../materials/copper-ofhc.yaml", "material.yaml");
    free(text);
    run_well("slipwave taylor -q --device cpu cyclic.yaml --count 500 -o out.h5", &r);
    read_history("out.h5", &h);
    hid_t file = open_results("out.h5");
    assert_true(run_number(file, "steps") == (double)(h.rows - 1));
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)h.rows - 1);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){N, 3}, euler));
    H5Fclose(file);
    int64_t from = 0, top = 0;
    double left = 0, off = 0;
    for (int k = 0; k < CYCLES; k++) {
        top = turn_after(&h, from);
        off = greatest(off, fabs(strain_between(&h, from, top, 0, 0) / 0.02 - 1));
        from = turn_after(&h, top);
        left = greatest(left, fabs(h.stress[from][0][0] / h.stress[top][0][0]));
        assert_true(from - top < 20);
    }
    assert_int_equal(from, h.rows - 1);
    print_message("strain off its goal by %.1e; %.1e of the stress is left\n", off, left);
    CHECK_CLOSE(off, 0, 1e-9);
    CHECK_CLOSE(left, 0, 1e-4);
    /* the first step is left out, in which slip dies away; stresses are to 2e-5 of 100 MPa; of Cauchy's stress over logarithmic
     * strains elastic strains, 1e-3, leave as much of the slope at no stress */
    double c[3][3];
    voigt_stiffness(N, (const float(*)[3])euler, c);
    const double slope =
        (h.stress[from - 1][0][0] - h.stress[top + 1][0][0]) / strain_between(&h, top + 1, from - 1, 0, 0);
    print_message("unloading: %.4f of Voigt's modulus\n", slope / youngs_modulus(c));
    CHECK_CLOSE(slope / youngs_modulus(c), 1, 2e-3);
    unlink("out.h5");
    unlink("cyclic.yaml");
}

/* Every solver that has elastic strains finds the end, `iterative` too; of a prescribed velocity gradient it is that
 * of the deviator, of shear in either order of its indices. */
static void goals_are_met_by_every_solver(void **state)
{
    (void)state;
    static const struct {
        const char *job;
        int i, j;
        double goal;
    } cases[] = {
        {"solver: iterative\ncrystals: {count: 20}\nstrain_increment: 0.005\nloading:\n" TENSION
         "    duration: 10\n" UNLOADING GOAL("stress", "11", "0") "    duration: 5\n",
         0, 0, 0},
        {"solver: rigid_plastic\ncrystals: {count: 50}\nstrain_increment: 0.02\nloading:\n"
         "  - velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]]\n" GOAL(
             "stress", "33", "-40.0e6") "    duration: 500\n",
         2, 2, -40e6},
        {"database: copper.h5\nsolver: grid\ncrystals: {count: 50}\nstrain_increment: 0.02\nloading:\n"
         "  - velocity_gradient: [[0, 0, 0], [-1.0e-3, 0, 0], [0, 0, 0]]\n" GOAL(
             "stress", "12", "-45.0e6") "    duration: 1000\n",
         0, 1, -45e6},
        {"solver: elastoplastic\ncrystals: {count: 200}\nstrain_increment: 0.02\nloading:\n"
         "  - {velocity_gradient: [[0, 1.0e-3, 0], [0, 0, 0], [0, 0, 0]], duration: 50}\n"
         "  - velocity_gradient: [[0, -1.0e-3, 0], [0, 0, 0], [0, 0, 0]]\n" GOAL(
             "stress", "12", "5.0e6") "    duration: 50\n",
         0, 1, 5e6},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static history h;
        char text[1000];
        double before = 0;
        snprintf(text, sizeof text, "%s" OUTPUT, cases[k].job);
        run_job(text, &h);
        for (int c = 0; c < 9; c++)
            before = greatest(before, fabs(h.stress[h.rows - 2][c / 3][c % 3]));
        CHECK_CLOSE(h.stress[h.rows - 1][cases[k].i][cases[k].j], cases[k].goal, 1e-4 * 1.3 * before);
    }
}

/* The strain of a free component, whose rate is found only with the step. */
static void free_components_end_at_their_strain(void **state)
{
    (void)state;
    static history h;
    run_job("solver: elastoplastic\ncrystals: {count: 300}\nstrain_increment: 0.005\nloading:\n" TENSION GOAL(
                "strain", "22", "-0.012") "    duration: 50\n" OUTPUT,
            &h);
    const double off = strain_between(&h, 0, h.rows - 1, 1, 1) / -0.012 - 1;
    print_message("free strain off its goal by %.1e\n", off);
    CHECK_CLOSE(off, 0, 5e-5);
    assert_in_range(h.rows, 5, 8);
}

/* ---- Jumps of the rate ---- */

/* At the same strain, hardness and texture the flow stress is 10^m times as high. The elastic strain is, too, which
 * leaves the slip behind by 3 % of 7e-4, and the resistance by as much of its rate. */
static void a_faster_rate_raises_the_stress(void **state)
{
    (void)state;
    static history slow, jump;
    static const char begin[] =
        "solver: elastoplastic\ncrystals: {count: 300}\nstrain_increment: 0.0025\nloading:\n" TENSION;
    char text[1000];
    snprintf(text, sizeof text, "%s    duration: 60\n" OUTPUT, begin);
    run_job(text, &slow);
    snprintf(text, sizeof text,
             "%s    duration: 50\n"
             "  - velocity_gradient: [[1.0e-2, 0, 0], [0, x, 0], [0, 0, x]]\n"
             "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n    duration: 1\n" OUTPUT,
             begin);
    run_job(text, &jump);
    const double ratio = jump.stress[jump.rows - 1][0][0] / slow.stress[slow.rows - 1][0][0];
    print_message("ten times the rate: %.5f of 10^m\n", ratio / pow(10, 0.012));
    CHECK_CLOSE(ratio / pow(10, 0.012), 1, 3e-4);
}

/* ---- Relaxation ---- */

/* A crystal along its cube axes, stretched along one, slips on eight systems alike, tau = sigma/sqrt 6: at rest
 *
 *     d sigma/dt = -E (8/sqrt 6) g,  g = g0 (sigma / (sqrt 6 s))^(1/m),  ds/dt = h0 (1 - s/s_s)^a 8 g,
 *
 * with E = (C11 - C12)(C11 + 2 C12)/(C11 + C12) where the sides are free, and 3/2 (C11 - C12) for the sigma = s11 -
 * s22 of a prescribed velocity gradient. By the fourth-order rule of Runge and Kutta; steps of a fiftieth of the time
 * that has passed since the hold began, and of the 7 ms that the stress needs at first. */
static void relax(double modulus, double time, double *sigma, double *s)
{
    double t = 0;
    while (t < time) {
        static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
        const double dt = fmin(time - t, 0.02 * (t + 5e-3));
        double rate[2] = {0}, sum[2] = {0};
        for (int k = 0; k < 4; k++) {
            const double x = *sigma + part[k] * dt * rate[0], y = *s + part[k] * dt * rate[1],
                         slip = 8e-3 * pow(x / (sqrt(6) * y), 1 / 0.012);
            rate[0] = -modulus * slip / sqrt(6);
            rate[1] = 180e6 * pow(1 - y / 148e6, 2.25) * slip;
            for (int i = 0; i < 2; i++)
                sum[i] += weight[k] * rate[i] / 6;
        }
        *sigma += dt * sum[0];
        *s += dt * sum[1];
        t += dt;
    }
}

/* The stress of a held crystal against that. Steps that grow by a factor q leave m ln(q ln q / (q - 1)) of it, as
 * d sigma = -m sigma ln q a step while the slip rate is 1/t; rows of the last decade, which have forgotten the first
 * steps, are within that, and a fifth of it for what hardens meanwhile; and the fall of what Cauchy's stress has beyond the one that
 * resists, some e in it and in its slope, 8e-3. The whole fall is 13 %. */
static void a_hold_relaxes_as_the_slip_law_says(void **state)
{
    (void)state;
    static const int steps[] = {40, 400};
    const double c11 = 168.7e9, c12 = 121.7e9, m = 0.012, time = 1000;
    const double modulus[] = {1.5 * (c11 - c12), (c11 - c12) * (c11 + 2 * c12) / (c11 + c12)};
    static const char *const loading[] = {
        "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, -5.0e-4, 0], [0, 0, -5.0e-4]], duration: 10}\n"
        "  - velocity_gradient: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\n",
        TENSION "    duration: 10\n"
                "  - velocity_gradient: [[0, 0, 0], [0, x, 0], [0, 0, x]]\n"
                "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n"};
    write_text("cube.ori", "0 0 0\n");
    for (int k = 0; k < 4; k++) {
        static history h;
        const int n = steps[k / 2];
        const double q = pow(1e4, 1.0 / (n - 1)), bound = 1.2 * m * log(q * log(q) / (q - 1)) + 0.13 * 8e-3;
        char text[1000];
        double worst = 0;
        snprintf(text, sizeof text,
                 "solver: elastoplastic\ncrystals: {file: cube.ori}\nstrain_increment: 1.0e-3\nloading:\n%s"
                 "    duration: 1000\n%s%.0d\n" OUTPUT,
                 loading[k % 2], n == 40 ? "" : "    steps: ", n == 40 ? 0 : n);
        run_job(text, &h);
        const int64_t begin = h.rows - 1 - n;
        CHECK_CLOSE(h.time[h.rows - 1] - h.time[begin], time, 1e-9);
        for (int64_t row = begin + 1; row < h.rows; row++) {
            double sigma = h.stress[begin][0][0] - h.stress[begin][1][1], s = h.resistance[begin];
            const double passed = h.time[row] - h.time[begin];
            relax(modulus[k % 2], passed, &sigma, &s);
            if (passed > time / 10)
                worst = greatest(worst, fabs((h.stress[row][0][0] - h.stress[row][1][1]) / sigma - 1));
        }
        const double left = h.stress[h.rows - 1][0][0] / h.stress[begin][0][0];
        print_message("a hold in %d steps: %.2e off, bound %.2e; %.4f of the stress is left\n", n, worst,
                      bound, left);
        CHECK_CLOSE(worst, 0, bound);
        CHECK_CLOSE(left, 0.86, 0.02);
    }
    unlink("cube.ori");
}

/* It also ends where its stress has fallen to a goal. */
static void a_hold_ends_at_a_stress(void **state)
{
    (void)state;
    static history h;
    run_job("solver: elastoplastic\ncrystals: {count: 100}\nstrain_increment: 0.005\nloading:\n" TENSION
            "    duration: 30\n"
            "  - velocity_gradient: [[0, 0, 0], [0, x, 0], [0, 0, x]]\n"
            "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n" GOAL("stress", "11",
                                                                   "78.0e6") "    duration: 1.0e5\n" OUTPUT,
            &h);
    CHECK_CLOSE(h.stress[h.rows - 1][0][0], 78e6, 1e-4 * 78e6);
    assert_true(h.l[h.rows - 1][0][0] == 0 && h.time[h.rows - 1] > 31 && h.time[h.rows - 1] < 1000);
}

/* ---- What early ends leave ---- */

/* `last` is the step that came last; one that did not come is warned of; an entry that begins at its goal takes no
 * step, and is warned of, too. */
static void ends_that_come_early_are_told(void **state)
{
    (void)state;
    result r;
    write_text(
        "early.yaml",
        "material: material.yaml\nsolver: elastoplastic\ncrystals: {count: 50}\n"
        "strain_increment: 0.005\nloading:\n" TENSION
        "    duration: 20\n" UNLOADING GOAL("stress", "11", "0") "    duration: 20\n" UNLOADING GOAL(
            "stress", "11", "0.0") "    duration: 20\n"
                                   "output: {file: out.h5, orientations: [0, 7, last], textures: [8]}\n");
    run("slipwave taylor -q --device cpu early.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "loading[2], after step 6: component 11 is at its goal = 0 already"));
    assert_non_null(strstr(r.err, "output.orientations: step 7 did not come: the last one is 6"));
    assert_non_null(strstr(r.err, "output.textures: step 8 did not come: the last one is 6"));
    hid_t file = open_results("out.h5");
    assert_true(run_number(file, "steps") == 6);
    assert_true(sw_h5_exists(file, "orientations/6/euler"));
    assert_false(sw_h5_exists(file, "texture"));
    H5Fclose(file);
    unlink("out.h5");
    unlink("early.yaml");
}

/* ---- Refusals ---- */

#define COMPRESSION "velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]]"
#define FREE_SIDES "velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], " SIDES
#define SIDES "stress: [[x, x, x], [x, 0, x], [x, x, 0]]"

static void bad_goals_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *entry, *solver, *part[2];
    } cases[] = {
        {COMPRESSION ", duration: 9, until: stress, goal: 1.0e6",
         "elastoplastic",
         {"loading[0].component is missing", "until = stress needs it, one of 11, 22, 33, 23, 13, 12"}},
        {COMPRESSION ", duration: 9, until: strain, component: 11",
         "elastoplastic",
         {"loading[0].goal is missing", "until = strain needs it"}},
        {COMPRESSION ", duration: 9, component: 11",
         "elastoplastic",
         {"loading[0].component has no place beside until = duration"}},
        {COMPRESSION ", until: strain, component: 11, goal: 0.1",
         "elastoplastic",
         {"loading[0].duration is missing"}},
        {COMPRESSION ", duration: 9, until: load, component: 11, goal: 0.1",
         "elastoplastic",
         {"loading[0].until = load", "need one of duration, stress, strain"}},
        {COMPRESSION ", duration: 9, until: strain, component: 21, goal: 0.1",
         "elastoplastic",
         {"loading[0].component = 21", "need one of 11"}},
        {COMPRESSION ", duration: 9, until: strain, component: 11, goal: 0",
         "elastoplastic",
         {"loading[0].goal = 0", "need a strain other than 0"}},
        {COMPRESSION ", duration: 9, until: strain, component: 11, goal: -0.1",
         "elastoplastic",
         {"loading[0].goal = -0.1", "strain 11 goes the other way"}},
        {COMPRESSION ", duration: 9, until: strain, component: 22, goal: -0.1",
         "elastoplastic",
         {"loading[0].component = 22", "does not strain in this entry"}},
        {COMPRESSION ", duration: 9, until: strain, component: 11, goal: 0.1",
         "elastoplastic",
         {"loading[0].duration = 9", "need at least 100 s, what the strain takes to its goal"}},
        {COMPRESSION ", duration: 9, until: stress, component: 11, goal: 0",
         "elastoplastic",
         {"loading[0].goal = 0", "there is no stress at the beginning"}},
        {COMPRESSION ", duration: 9, until: stress, component: 11, goal: 2.0e11",
         "elastoplastic",
         {"loading[0].goal = 2.0e11", "need Pa or a strain"}},
        {FREE_SIDES ", duration: 9, until: stress, component: 33, goal: 1.0e6",
         "elastoplastic",
         {"loading[0].component = 33", "its stress is given in this entry: need one whose is not"}},
        {COMPRESSION ", duration: 9, until: stress, component: 11, goal: 45",
         "elastoplastic",
         {"loading[0].goal = 45", "need 0, or 1e4 to 1e11 Pa in size"}},
        {COMPRESSION ", duration: 1.0e12, until: strain, component: 11, goal: 99, steps: 1",
         "elastoplastic",
         {"loading[0].steps = 1: a step is a strain of 140", "need at most 0.1"}},
        {COMPRESSION ", duration: 1000, steps: 14",
         "rigid_plastic",
         {"loading[0].steps = 14: a step is a strain of 0.101", "need at most 0.1"}},
        {COMPRESSION ", duration: 1.0e12, until: strain, component: 11, goal: 99",
         "iterative\nstrain_increment: 1.0e-9",
         {"loading[0].goal = 99", "need at most 1e9 steps in a job"}},
        {COMPRESSION ", duration: 1.0e12",
         "iterative\nstrain_increment: 1.0e-9",
         {"loading[0].duration = 1e+12", "need at most 1e9 steps in a job"}},
        {COMPRESSION ", duration: 9, steps: 0", "elastoplastic", {"loading[0].steps = 0", "need 1 <= steps"}},
        {COMPRESSION ", duration: 9, steps: 2000",
         "elastoplastic",
         {"loading[0].steps = 2000: a step is a strain of 6.36e-06", "need at least 1e-5"}},
        {"velocity_gradient: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], duration: 9",
         "iterative",
         {"loading[0].velocity_gradient: is given no rate", "which the solver 'iterative' does not have"}},
        {"velocity_gradient: [[0, 0, 0], [0, x, 0], [0, 0, x]], " SIDES ", duration: 9",
         "grid",
         {"loading[0].velocity_gradient: is given no rate", "which the solver 'grid' does not have"}},
        {"velocity_gradient: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], duration: 9, until: strain, component: 11, "
         "goal: 0.1",
         "elastoplastic",
         {"loading[0].component = 11", "does not strain"}},
        {COMPRESSION ", duration: 9, until: stress, component: 11, goal: 90.0e6",
         "elastoplastic",
         {"bad.yaml:6: loading[0], step 1: goal = 9e+07 Pa: stress 11 is ",
          "Pa after the entry's duration of 9 s"}},
        {COMPRESSION ", duration: 9, until: stress, component: 11, goal: -1.0e6",
         "elastoplastic",
         {"loading[0], step 1: goal = -1e+06 Pa", "after the entry's duration"}},
        {COMPRESSION ", duration: 9, until: stress, component: 11, goal: 5.0e6",
         "rigid_plastic",
         {"loading[0], step 1: goal = 5e+06 Pa: stress 11 jumps over it, from 0 to ", "however short"}},
        {"velocity_gradient: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], duration: 1.0e300",
         "elastoplastic",
         {"bad.yaml:6: loading[0], step 1: 5 crystals have no answer", ""}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "database: copper.h5\nmaterial: material.yaml\nsolver: %s\ncrystals: {count: 5}\nloading:\n"
                 "  - {%s}\n" OUTPUT,
                 cases[i].solver, cases[i].entry);
        write_text("bad.yaml", text);
        assert_refused_twice("slipwave taylor bad.yaml", 2, cases[i].part);
    }
    unlink("bad.yaml");
}

/* Cycles are bounded with their steps; sweeps take neither goals of stress nor holds. */
static void other_bounds_hold(void **state)
{
    (void)state;
    static const char *const steps[] = {"cycles = 1e+06", "need at most 1e9 steps in a job"};
    static const struct {
        const char *entry, *part;
    } sweeps[] = {{COMPRESSION ", duration: 9, until: stress, component: 11, goal: 1.0e7",
                   "loading[0].until = stress: `slipwave taylor` takes it"},
                  {"velocity_gradient: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], duration: 9",
                   "loading[0].velocity_gradient = 0: `slipwave taylor` takes holds"},
                  {FREE_SIDES ", duration: 9", "loading[0].velocity_gradient has free components"}};
    write_text("bad.yaml",
               "material: material.yaml\nsolver: elastoplastic\ncrystals: {count: 5}\n"
               "cycles: 1000000\nloading: [{" COMPRESSION ", duration: 9, steps: 1001}]\n" OUTPUT);
    assert_refused_twice("slipwave taylor bad.yaml", 2, steps);
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "databases: [copper.h5]\nvary: {terms: [16]}\nreference: {solver: elastoplastic}\n"
                 "crystals: {count: 5}\nloading: [{%s}]\n" OUTPUT,
                 sweeps[i].entry);
        write_text("bad.yaml", text);
        assert_refused_twice("slipwave sweep bad.yaml", 1, &sweeps[i].part);
    }
    unlink("bad.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tension_is_taken_back_to_no_stress),
        cmocka_unit_test(goals_are_met_by_every_solver),
        cmocka_unit_test(free_components_end_at_their_strain),
        cmocka_unit_test(a_faster_rate_raises_the_stress),
        cmocka_unit_test(a_hold_relaxes_as_the_slip_law_says),
        cmocka_unit_test(a_hold_ends_at_a_stress),
        cmocka_unit_test(ends_that_come_early_are_told),
        cmocka_unit_test(bad_goals_are_refused),
        cmocka_unit_test(other_bounds_hold),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
