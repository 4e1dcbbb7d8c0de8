/* Material points of other codes against the response they are made of, their tangents against differences, and what a
 * failed step leaves alone. */
#include "points.h"
#include "tests/crystals.h"

#include <pthread.h>

#include "online/response/step/crystals.h"
#include "slipwave/material_point.h"

enum { N = 60, NUMBERS = SW_POINT_CRYSTALS + 9 * N, STEPS = 9, P = 5 };

static char folder[64], material[96], soft[96], softer[96];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/slipwave-points-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(material, sizeof material, "%s/copper.yaml", folder);
    snprintf(soft, sizeof soft, "%s/soft.yaml", folder);
    snprintf(softer, sizeof softer, "%s/softer.yaml", folder);
    write_copper(material, 0.012);
    write_copper(soft, 0.2);
    write_copper(softer, 0.5);
    return 0;
}

static int tear_down(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static sw_point_model *open_point(const char *solver, const char *of)
{
    const sw_point_options options = {
        .solver = solver, .material = of, .crystals = N, .seed = 4, .largest_strain_increment = 0.1};
    sw_point_model *model;
    CHECK_OK(sw_point_model_open(&options, &model));
    return model;
}

/* One point. */
typedef struct {
    double f[1][3][3], state[NUMBERS], stress[1][6], by_gradient[1][6][3][3], by_strain[1][6][6];
} point;

static void begin(const sw_point_model *model, point *p)
{
    memset(p, 0, sizeof *p);
    memcpy(p->f[0], unit, sizeof unit);
    CHECK_OK(sw_point_begin(model, 0, p->state));
}

/* To f1; with: tangents. */
static sw_status advance(const sw_point_model *model, point *p, const double f1[3][3], double dt, int with)
{
    const sw_point_update update = {.points = 1,
                                    .dt = dt,
                                    .old_gradient = (const double(*)[3][3])p->f,
                                    .new_gradient = (const double(*)[3][3])f1,
                                    .old_state = p->state,
                                    .new_state = p->state,
                                    .stress = p->stress,
                                    .by_gradient = with ? p->by_gradient : NULL,
                                    .by_strain = with ? p->by_strain : NULL};
    const sw_status status = sw_point_advance(model, &update);
    if (status == SW_OK)
        memcpy(p->f[0], f1, 9 * sizeof(double));
    return status;
}

/* The same crystals through sw_response_step, as `slipwave taylor` takes them. The steps' gradients agree to a double's
 * digits, so stresses differ by round-off of single precision: some 1e-6 of a stress, times the 1e1 by which a
 * crystal's own solution scatters; times 5e2 of rigid_plastic, which all but leaves the stress of some crystals free. */
static void a_point_is_a_taylor_polycrystal(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic"};
    const double tolerance[] = {50e6 * 1e-5, 50e6 * 5e-4};
    for (int s = 0; s < 2; s++) {
        sw_point_model *model = open_point(names[s], material);
        sw_material *copper_of;
        sw_response *response;
        sw_crystal crystal[N];
        point p;
        CHECK_OK(sw_material_open(material, &copper_of));
        CHECK_OK(
            sw_response_open(&(sw_response_options){.solver = names[s], .material = copper_of}, &response));
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 4, 0, 16e6F));
        sw_crystals c = crystals_of(response, N, crystal, NULL);
        begin(model, &p);
        double slip = 0;
        for (int k = 0; k < STEPS; k++) {
            double l[3][3], f1[3][3];
            sw_response_average average;
            sw_crystal before[N];
            path(k, l);
            memcpy(before, crystal, sizeof before);
            follow((const double(*)[3])l, 10, (const double(*)[3])p.f[0], f1);
            CHECK_OK(advance(model, &p, (const double(*)[3])f1, 10, 0));
            CHECK_OK(sw_response_step(response, (const double(*)[3])l, 10, &c, &c, &average));
            if (!sw_solver_find(names[s])
                     ->has_history) { /* a point's orientations are those at the beginning */
                const sw_crystals turned_back = sw_crystals_alone(response, N, before);
                for (int n = 0; n < N; n++)
                    before[n].slip_resistance = crystal[n].slip_resistance;
                CHECK_OK(sw_response_evaluate_mean(response, (const double(*)[3])l, &turned_back, &average));
            }
            const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(p.stress[0][i], average.cauchy_stress[row[i]][column[i]], tolerance[s]);
            CHECK_CLOSE(p.state[SW_POINT_SLIP_RESISTANCE], average.slip_resistance, 16e6 * 1e-5);
            CHECK_CLOSE(p.state[SW_POINT_SLIP_RATE], average.slip_rate, 3e-3 * 1e-5);
            slip += 10 * average.slip_rate;
        }
        CHECK_CLOSE(p.state[SW_POINT_SLIP], slip, 1e-5);
        const int64_t stride = (sw_point_model_state_numbers(model) - SW_POINT_CRYSTALS) / N;
        assert_int_equal(stride, s == 0 ? 9 : 4);
        for (int k = 0; k < N; k++) {
            const double *own = p.state + SW_POINT_CRYSTALS + k * stride;
            for (int i = 0; i < 3; i++)
                CHECK_CLOSE(own[i], crystal[k].euler[i], 1e-3); /* but where phi1 and phi2 all but coincide */
            CHECK_CLOSE(own[3], crystal[k].slip_resistance, 16e6 * 1e-4);
        }
        sw_crystals_release(&c);
        sw_response_close(response);
        sw_material_close(copper_of);
        sw_point_model_close(model);
    }
}

/* K ln J / J alone, from det F, and its derivative. */
static void pressure_is_of_the_volume(void **state)
{
    (void)state;
    sw_point_model *model = open_point("elastoplastic", material);
    const double k = (168.7e9 + 2 * 121.7e9) / 3, f1[3][3] = {{1.01, 0, 0}, {0, 1.01, 0}, {0, 0, 1.01}},
                 volume = pow(1.01, 3);
    point p;
    begin(model, &p);
    CHECK_CLOSE(sw_point_model_bulk_modulus(model), k, 1);
    CHECK_OK(advance(model, &p, f1, 1, 1));
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(p.stress[0][i], i < 3 ? k * log(volume) / volume : 0, 1e-6 * 1e9);
    for (int j = 0; j < 6; j++) { /* d(J sigma) of the mean over d eps: K */
        const double mean = (p.by_strain[0][0][j] + p.by_strain[0][1][j] + p.by_strain[0][2][j]) / 3;
        CHECK_CLOSE(mean, j < 3 ? k / volume : 0, 1e-6 * k);
    }
    sw_point_model_close(model);
}

/* A turn of the whole body turns its stress: in a time in which nothing flows, and a step of half a radian. */
static void stress_turns_with_the_body(void **state)
{
    (void)state;
    sw_point_model *model = open_point("elastoplastic", material);
    const double c = cos(0.5), s = sin(0.5), r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    double l[3][3], f1[3][3], turned[3][3];
    point p, at_rest;
    begin(model, &at_rest);
    CHECK_OK(advance(model, &at_rest, r, 1, 0));
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(at_rest.stress[0][i], 0, 0.1); /* K times the last digits of det F */
    begin(model, &p);
    path(0, l);
    follow((const double(*)[3])l, 10, unit, f1);
    CHECK_OK(advance(model, &p, (const double(*)[3])f1, 10, 0));
    const double *t = p.stress[0],
                 before[3][3] = {{t[0], t[5], t[4]}, {t[5], t[1], t[3]}, {t[4], t[3], t[2]}};
    times(r, (const double(*)[3])f1, f1);
    CHECK_OK(advance(model, &p, (const double(*)[3])f1, 1e-9, 0));
    const double back[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    times(r, before, turned);
    times((const double(*)[3])turned, back, turned);
    const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    for (int i = 0; i < 6; i++) /* angles in single precision */
        CHECK_CLOSE(p.stress[0][i], turned[row[i]][column[i]], 50e6 * 1e-5);
    assert_true(fabs(turned[0][1] - before[0][1]) > 10e6);
    sw_point_model_close(model);
}

/* ---- Tangents ---- */

/* The stress (times J) of the step to f1 + h df. */
static void beside(const sw_point_model *model, const point *start, const double f1[3][3],
                   const double df[3][3], double h, int times_volume, double stress[6])
{
    point p = *start;
    double f[3][3];
    for (int k = 0; k < 9; k++)
        f[k / 3][k % 3] = f1[k / 3][k % 3] + h * df[k / 3][k % 3];
    CHECK_OK(advance(model, &p, (const double(*)[3])f, 10, 0));
    const double volume = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
                          f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
                          f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
    for (int i = 0; i < 6; i++)
        stress[i] = p.stress[0][i] * (times_volume ? volume : 1);
}

/* Central differences by h of steps of 1 %: stresses of some 50 MPa carry 1e-6 of themselves, over 2 h some 8e5 Pa; the
 * differences' own error is h^2 over the square of the step's 1 %, 1e-5, of slopes of up to 1e11 Pa across flow: 1e6
 * Pa. The limit is twice their sum: 3e-5 of K, 1e-3 of the slopes along flow. */
static const double h = 3e-5, slope_error = 4e6;

static void start_of(const sw_point_model *model, point *p, double f1[3][3])
{
    double l[3][3];
    begin(model, p);
    for (int k = 0; k < 4; k++) {
        path(k, l);
        l[0][0] += 1e-6; /* and some volume */
        follow((const double(*)[3])l, 10, (const double(*)[3])p->f[0], f1);
        CHECK_OK(advance(model, p, (const double(*)[3])f1, 10, 0));
    }
    path(3, l);
    l[1][2] += 3e-4;
    follow((const double(*)[3])l, 10, (const double(*)[3])p->f[0], f1);
}

static void tangents_are_differences(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic"};
    for (int s = 0; s < 2; s++) {
        sw_point_model *model = open_point(names[s], s == 0 ? soft : softer);
        point start, p;
        double f1[3][3], most = 0;
        start_of(model, &start, f1);
        p = start;
        CHECK_OK(advance(model, &p, (const double(*)[3])f1, 10, 1));
        for (int k = 0; k < 9; k++) {
            double df[3][3] = {{0}}, side[2][6];
            df[k / 3][k % 3] = 1;
            for (int e = 0; e < 2; e++)
                beside(model, &start, (const double(*)[3])f1, (const double(*)[3])df, e ? h : -h, 0, side[e]);
            for (int i = 0; i < 6; i++) {
                most = greatest(
                    most, fabs((side[1][i] - side[0][i]) / (2 * h) - p.by_gradient[0][i][k / 3][k % 3]));
                CHECK_CLOSE((side[1][i] - side[0][i]) / (2 * h), p.by_gradient[0][i][k / 3][k % 3],
                            slope_error);
            }
        }
        print_message("%s: d stress / d F within %.2g Pa of differences\n", names[s], most);
        sw_point_model_close(model);
    }
}

/* Of J sigma, by eps as the header has it: shears of one component alone, an engineer's. */
static void strain_tangents_are_differences(void **state)
{
    (void)state;
    const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    sw_point_model *model = open_point("elastoplastic", soft);
    point start, p;
    double f1[3][3];
    const double volume = exp(4 * 10 * 1e-6); /* of four steps that have a trace */
    start_of(model, &start, f1);
    p = start;
    CHECK_OK(advance(model, &p, (const double(*)[3])f1, 10, 1));
    for (int k = 0; k < 6; k++) {
        double strain[3][3] = {{0}}, df[3][3], side[2][6];
        strain[row[k]][column[k]] = strain[column[k]][row[k]] = k < 3 ? 1 : 0.5;
        times((const double(*)[3])strain, (const double(*)[3])f1, df);
        for (int e = 0; e < 2; e++)
            beside(model, &start, (const double(*)[3])f1, (const double(*)[3])df, e ? h : -h, 1, side[e]);
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE((side[1][i] - side[0][i]) / (2 * h) / volume, p.by_strain[0][i][k], slope_error);
    }
    sw_point_model_close(model);
}

/* ---- What is left alone ---- */

static void failed_steps_change_nothing(void **state)
{
    (void)state;
    sw_point_model *model = open_point("elastoplastic", material);
    double good[3][3], l[3][3], f1[P][3][3], f0[P][3][3];
    static double states[P][NUMBERS], news[P][NUMBERS], before[P][NUMBERS], stress[P][6], stress_before[P][6];
    unsigned char failed[P];
    path(1, l);
    follow((const double(*)[3])l, 10, unit, good);
    for (int p = 0; p < P; p++) {
        CHECK_OK(sw_point_begin(model, p, states[p]));
        memcpy(f0[p], unit, sizeof unit);
        memset(news[p], 7, sizeof news[p]);
        memset(stress[p], 7, sizeof stress[p]);
    }
    memcpy(before, news, sizeof news);
    memcpy(stress_before, stress, sizeof stress);
    for (int c = 0; c < 7; c++) {
        for (int p = 0; p < P; p++)
            memcpy(f1[p], good, sizeof good);
        sw_point_update update = {.points = P,
                                  .dt = c == 0   ? 0
                                        : c == 1 ? -1
                                                 : 10,
                                  .old_gradient = (const double(*)[3][3])f0,
                                  .new_gradient = (const double(*)[3][3])f1,
                                  .old_state = states[0],
                                  .new_state = news[0],
                                  .stress = stress,
                                  .failed = failed};
        if (c == 2)
            f1[3][1][1] = NAN;
        if (c == 3)
            f1[3][0][0] += 0.2; /* too large */
        if (c == 4)
            f1[3][0][0] = -1;
        const double kept = states[3][SW_POINT_CRYSTALS + 9 * 8 + 3];
        if (c == 5)
            states[3][SW_POINT_CRYSTALS + 9 * 8 + 3] = NAN; /* a slip resistance */
        if (c == 6)
            f1[3][0][1] += 50;
        assert_int_equal(sw_point_advance(model, &update), SW_ERR_CONVERGENCE);
        assert_message_has("need a smaller step");
        for (int p = 0; p < P; p++)
            assert_int_equal(failed[p], c < 2 || p == 3);
        states[3][SW_POINT_CRYSTALS + 9 * 8 + 3] = kept;
        assert_memory_equal(news, before, sizeof news);
        assert_memory_equal(stress, stress_before, sizeof stress);
    }
    sw_point_model_close(model);
}

static void states_that_have_not_begun(void **state)
{
    (void)state;
    sw_point_model *model = open_point("elastoplastic", material);
    point p;
    begin(model, &p);
    p.state[SW_POINT_BEGUN] = 0;
    assert_int_equal(advance(model, &p, unit, 1, 0), SW_ERR_RANGE);
    assert_message_has("sw_point_begin");
    assert_int_equal(sw_point_begin(model, -1, p.state), SW_ERR_RANGE);
    sw_point_model_close(model);
}

/* ---- Many points ---- */

typedef struct {
    const sw_point_model *model;
    int number;
    point point;
    sw_status status;
} worker;

/* A point's way, each another. */
static sw_status walk(const sw_point_model *model, int number, point *p)
{
    sw_status status = sw_point_begin(model, number, p->state);
    memcpy(p->f[0], unit, sizeof unit);
    for (int k = 0; k < STEPS && status == SW_OK; k++) {
        double l[3][3], f1[3][3];
        path(k + number, l);
        follow((const double(*)[3])l, 10, (const double(*)[3])p->f[0], f1);
        status = advance(model, p, (const double(*)[3])f1, 10, 1);
    }
    return status;
}

static void *work(void *its)
{
    worker *w = its;
    w->status = walk(w->model, w->number, &w->point);
    return NULL;
}

/* In threads, one after the other, and all in a batch: the same bits. With crystals of their own. */
static void points_are_alone(void **state)
{
    (void)state;
    const sw_point_options options = {.material = material, .crystals = N, .seed = 4, .own = 1};
    sw_point_model *model;
    CHECK_OK(sw_point_model_open(&options, &model));
    static worker w[P];
    static point alone[P];
    static double f0[P][3][3], f1[P][3][3], states[P][NUMBERS], stress[P][6], by_gradient[P][6][3][3];
    pthread_t thread[P];
    for (int p = 0; p < P; p++) {
        w[p] = (worker){.model = model, .number = p};
        assert_int_equal(pthread_create(&thread[p], NULL, work, &w[p]), 0);
    }
    for (int p = 0; p < P; p++) {
        assert_int_equal(pthread_join(thread[p], NULL), 0);
        assert_int_equal(w[p].status, SW_OK);
        memset(&alone[p], 0, sizeof alone[p]);
        CHECK_OK(walk(model, p, &alone[p]));
        assert_memory_equal(&w[p].point, &alone[p], sizeof alone[p]);
        CHECK_OK(sw_point_begin(model, p, states[p]));
        memcpy(f0[p], unit, sizeof unit);
        assert_true(p == 0 || memcmp(states[p], states[0], sizeof states[0]) != 0);
    }
    for (int k = 0; k < STEPS; k++) {
        for (int p = 0; p < P; p++) {
            double l[3][3];
            path(k + p, l);
            follow((const double(*)[3])l, 10, (const double(*)[3])f0[p], f1[p]);
        }
        const sw_point_update update = {.points = P,
                                        .dt = 10,
                                        .old_gradient = (const double(*)[3][3])f0,
                                        .new_gradient = (const double(*)[3][3])f1,
                                        .old_state = states[0],
                                        .new_state = states[0],
                                        .stress = stress,
                                        .by_gradient = by_gradient};
        CHECK_OK(sw_point_advance(model, &update));
        memcpy(f0, f1, sizeof f0);
    }
    for (int p = 0; p < P; p++) {
        assert_memory_equal(states[p], alone[p].state, sizeof states[p]);
        assert_memory_equal(stress[p], alone[p].stress, sizeof stress[p]);
        assert_memory_equal(by_gradient[p], alone[p].by_gradient, sizeof by_gradient[p]);
    }
    sw_point_model_close(model);
}

/* A crystal of twice the weight is two. */
static void files_have_crystals_and_weights(void **state)
{
    (void)state;
    char weighted[96], repeated[96];
    snprintf(weighted, sizeof weighted, "%s/weighted.ori", folder);
    snprintf(repeated, sizeof repeated, "%s/repeated.ori", folder);
    write_text(weighted, "10 20 30 1\n40 50 60 2\n70 80 15 1\n");
    write_text(repeated, "10 20 30\n40 50 60\n40 50 60\n70 80 15\n");
    double stress[2][1][6];
    for (int s = 0; s < 2; s++) {
        const sw_point_options options = {.material = material, .crystals_file = s ? repeated : weighted};
        sw_point_model *model;
        CHECK_OK(sw_point_model_open(&options, &model));
        assert_int_equal(sw_point_model_crystals(model), 3 + s);
        point p;
        double l[3][3], f1[3][3];
        begin(model, &p);
        CHECK_CLOSE(p.state[SW_POINT_CRYSTALS], 10 * M_PI / 180, 1e-6);
        path(0, l);
        follow((const double(*)[3])l, 10, unit, f1);
        CHECK_OK(advance(model, &p, (const double(*)[3])f1, 10, 0));
        memcpy(stress[s], p.stress, sizeof p.stress);
        sw_point_model_close(model);
    }
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(stress[0][0][i], stress[1][0][i], 50e6 * 1e-6);
}

/* ---- Bad input ---- */

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const struct {
        sw_point_options options;
        const char *message;
    } cases[] = {
        {{.material = material, .crystals = 0}, "crystals = 0: need 1 to 100000"},
        {{.material = material, .crystals = 100001}, "crystals = 100001"},
        {{.material = material, .crystals = 1, .solver = "terms"}, "solver = terms: need one of"},
        {{.material = material, .crystals = 1, .solver = "grid"}, "need a database"},
        {{.crystals = 1}, "need a database or a material"},
        {{.material = material, .crystals = 1, .seed = -1}, "seed = -1"},
        {{.material = material, .crystals_file = "a.ori", .own = 1}, "need random ones"},
        {{.material = material, .crystals = 1, .initial_slip_resistance = 16}, "= 16 Pa: need 1e4 to"},
        {{.material = material, .crystals = 1, .largest_strain_increment = 0.6}, "= 0.6: need 0 <"},
        {{.material = material, .crystals = 1, .largest_strain_increment = NAN}, "= nan: need 0 <"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_point_model *model;
        assert_int_equal(sw_point_model_open(&cases[i].options, &model), SW_ERR_RANGE);
        assert_message_has(cases[i].message);
        assert_null(model);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"material: copper.yaml\n", "crystals"},
        {"material: copper.yaml\ncrystals: {count: 0}\n", "point.yaml:2: crystals.count = 0: need"},
        {"material: copper.yaml\ncrystals: {count: 200000}\n",
         "point.yaml:2: crystals.count = 200000: need at most 1e5"},
        {"crystals: {count: 2}\n", "database"},
        {"material: copper.yaml\nsolver: grid\ncrystals: {count: 2}\n", "the solver 'grid' needs a database"},
        {"material: copper.yaml\nsolver: terms\ncrystals: {count: 2}\n",
         "point.yaml:2: solver = terms: has no tangent: need"},
        {"material: copper.yaml\npoints: own\ncrystals: {file: copper.yaml}\n",
         "point.yaml:2: points = own: need random"},
        {"material: copper.yaml\ncrystals: {file: absent.ori}\n", "absent.ori"},
        {"material: copper.yaml\ncrystal: {count: 2}\n", "point.yaml:2: unknown key 'crystal'"},
        {"material: copper.yaml\ncrystals: {count: 2}\nlargest_strain_increment: 0\n",
         "point.yaml:3: largest"},
        {"material: absent.yaml\ncrystals: {count: 2}\n", "absent.yaml"},
    };
    char path_of[96];
    snprintf(path_of, sizeof path_of, "%s/point.yaml", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_point_model *model;
        write_text(path_of, cases[i].text);
        assert_true(sw_point_model_read(path_of, &model) != SW_OK);
        assert_message_has(cases[i].message);
        assert_null(model);
    }
}

static void files_are_options(void **state)
{
    (void)state;
    char path_of[96];
    sw_point_model *read, *opened = open_point("elastoplastic", material);
    snprintf(path_of, sizeof path_of, "%s/point.yaml", folder);
    write_text(path_of, "material: copper.yaml\ncrystals: {count: 60, seed: 4}\n");
    CHECK_OK(sw_point_model_read(path_of, &read));
    point a, b;
    begin(read, &a);
    begin(opened, &b);
    assert_memory_equal(&a, &b, sizeof a);
    sw_point_model_close(read);
    sw_point_model_close(opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_a_taylor_polycrystal), cmocka_unit_test(pressure_is_of_the_volume),
        cmocka_unit_test(stress_turns_with_the_body),      cmocka_unit_test(tangents_are_differences),
        cmocka_unit_test(strain_tangents_are_differences), cmocka_unit_test(failed_steps_change_nothing),
        cmocka_unit_test(states_that_have_not_begun),      cmocka_unit_test(points_are_alone),
        cmocka_unit_test(files_have_crystals_and_weights), cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(bad_files_are_refused),           cmocka_unit_test(files_are_options),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
