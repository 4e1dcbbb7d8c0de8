/* What contacts remember, in packings: an element that begins with it goes on as the one that it was taken from. */
#include "tests/online/dem/packs.h"

#include <unistd.h>

#include "online/dem/packing/memory.h"

enum { P = 120 };
static const double pressure = 200e3;

typedef struct {
    sw_dem_law law;
    sw_dem_images images;
} way;

/* A material of each law whose contacts remember all that they can. */
static sw_dem_material material_of(sw_dem_law law)
{
    sw_dem_material m = sw_dem_quartz();
    m.law = law;
    m.poisson = 0.3;
    m.friction = 0.4;
    m.roll_stiffness = m.twist_stiffness = 0.5;
    m.roll_strength = m.twist_strength = 0.2;
    m.strength = 50e6;
    m.rate_sensitivity = 0.2;
    dem_make_sticky(&m);
    if (law == SW_DEM_LINEAR) /* as jobs have what a law does without */
        m.strength = NAN;
    return m;
}

/* A dense packing, sheared and compressed, in a batch of its own. */
static sw_dem *open_sheared(const way *w, const sw_dem_packing *dense)
{
    const sw_dem_material m = material_of(w->law);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_options options = sw_dem_defaults();
    sw_dem_stage stage = dem_steps(1500);
    const double rate = dem_rate(&m, 8.75e-5, pressure, 0.02);
    stage.velocity_gradient[0][2] = rate;
    stage.velocity_gradient[2][2] = -rate;
    numerics.record_interval = 100;
    options.images = w->images;
    sw_dem *dem = dem_open(&options, dense, &m, &numerics, 1, &stage);
    dem_finish(dem);
    return dem;
}

/* The first measurement of a new element of this packing, that does not strain. */
static sw_dem_row first_row(const way *w, const sw_dem_packing *packing)
{
    const sw_dem_material m = material_of(w->law);
    const sw_dem_numerics numerics = sw_dem_numerics_defaults();
    const sw_dem_stage stage = dem_steps(0);
    sw_dem_options options = sw_dem_defaults();
    sw_dem_row row;
    options.images = w->images;
    sw_dem *dem = dem_open(&options, packing, &m, &numerics, 1, &stage);
    assert_int_equal(dem_finish(dem)->state->step, 1);
    sw_dem_last_row(dem, 0, &row);
    sw_dem_close(dem);
    return row;
}

static double stress_difference(const sw_dem_row *a, const sw_dem_row *b)
{
    double most = 0;
    const double off[] = {a->stress_11 - b->stress_11, a->stress_22 - b->stress_22,
                          a->stress_33 - b->stress_33, a->stress_23 - b->stress_23,
                          a->stress_13 - b->stress_13, a->stress_12 - b->stress_12};
    for (int c = 0; c < 6; c++)
        most = greatest(most, fabs(off[c]));
    return most / a->pressure;
}

/* Positions differ by round-off of the cell's size, 1e-16 of some 1e-3 m, where a particle is taken into the cell:
 * 1e-11 of overlaps of 1e-8 m, of which a force has its digits; beside it sums in another order. */
static const double round_off = 1e-9;

static void elements_go_on_from_packings(void **state)
{
    (void)state;
    static const way ways[] = {
        {SW_DEM_LINEAR, SW_DEM_NEAREST},    {SW_DEM_HERTZ_MINDLIN, SW_DEM_NEAREST},
        {SW_DEM_METAL, SW_DEM_NEAREST},     {SW_DEM_JKR, SW_DEM_NEAREST},
        {SW_DEM_CAPILLARY, SW_DEM_NEAREST}, {SW_DEM_LINEAR, SW_DEM_BOUNDARY_PARTICLES}};
    const sw_dem_material quartz = sw_dem_quartz();
    const sw_dem_stage still = dem_steps(0);
    sw_dem_packing dense = dem_pack_dense(P, &quartz, pressure, 0.1, 3);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        sw_dem *dem = open_sheared(&ways[i], &dense);
        sw_dem_row last, next;
        sw_dem_packing p;
        sw_dem_last_row(dem, 0, &last);
        CHECK_OK(sw_dem_get_packing(dem, 0, &p));
        assert_int_equal(p.contact_law, ways[i].law);
        assert_true(p.n_contacts > P && p.n_contacts == (int64_t)last.contacts);
        CHECK_OK(sw_dem_add_stage(dem, 0, &still)); /* the run goes on by itself */
        dem_finish(dem);
        sw_dem_last_row(dem, 0, &next);
        sw_dem_close(dem);
        const sw_dem_row with = first_row(&ways[i], &p);
        sw_dem_packing_forget(&p);
        const sw_dem_row without = first_row(&ways[i], &p);
        print_message(
            "law %d: off by %.1e of the pressure from the run that goes on, %.1e from its last record, %.1e "
            "without\n",
            ways[i].law, stress_difference(&next, &with), stress_difference(&last, &with),
            stress_difference(&last, &without));
        assert_true(stress_difference(&next, &with) <= round_off);
        assert_int_equal(with.contacts, next.contacts);
        assert_true(fabs(with.elastic_energy - next.elastic_energy) <= round_off * next.elastic_energy);
        /* The last record is of a step before. That strained by 2e-5 (1000 1/s, 2e-8 s), and overlaps are some
         * hundredth of a diameter after 1500 of them. */
        assert_true(stress_difference(&last, &with) <= 1e-2);
        assert_true(stress_difference(&last, &without) > 3e-2); /* or they had nothing to remember */
        sw_dem_packing_free(&p);
    }
    sw_dem_packing_free(&dense);
}

/* At rest a step changes nothing: the first record is the last one of the run that it was taken from. Held for
 * 120,000 steps, some 2000 periods of a contact, of which damping takes a part of 0.2 or so each; slow modes of
 * grains that hardly touch last longest. */
static void elements_at_rest_begin_with_the_last_record(void **state)
{
    (void)state;
    static const way ways[] = {{SW_DEM_LINEAR, SW_DEM_NEAREST}, {SW_DEM_HERTZ_MINDLIN, SW_DEM_NEAREST}};
    const sw_dem_material quartz = sw_dem_quartz();
    const sw_dem_stage hold = dem_steps(120000);
    sw_dem_packing dense = dem_pack_dense(P, &quartz, pressure, 0.1, 3);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        sw_dem *dem = open_sheared(&ways[i], &dense);
        sw_dem_row last;
        sw_dem_packing p;
        CHECK_OK(sw_dem_add_stage(dem, 0, &hold));
        dem_finish(dem);
        sw_dem_last_row(dem, 0, &last);
        CHECK_OK(sw_dem_get_packing(dem, 0, &p));
        sw_dem_close(dem);
        const sw_dem_row with = first_row(&ways[i], &p);
        sw_dem_packing_forget(&p);
        const sw_dem_row without = first_row(&ways[i], &p);
        print_message("law %d at rest: %.1e of the pressure from the last record, %.1e without\n",
                      ways[i].law, stress_difference(&last, &with), stress_difference(&last, &without));
        assert_true(stress_difference(&last, &with) <=
                    1e-6); /* 3e-12 to 7e-9: which modes are left hangs on round-off */
        assert_true(stress_difference(&last, &without) > 3e-2);
        sw_dem_packing_free(&p);
    }
    sw_dem_packing_free(&dense);
}

/* The same bits through a file, and another law's are used without. */
static void files_keep_what_contacts_remember(void **state)
{
    (void)state;
    static const way linear = {SW_DEM_LINEAR, SW_DEM_NEAREST}, hertz = {SW_DEM_HERTZ_MINDLIN, SW_DEM_NEAREST};
    const sw_dem_material quartz = sw_dem_quartz();
    char path[64];
    snprintf(path, sizeof path, "/tmp/slipwave-memory-%d.vtkhdf", (int)getpid());
    sw_dem_packing dense = dem_pack_dense(P, &quartz, pressure, 0.1, 3), p, in;
    sw_dem *dem = open_sheared(&linear, &dense);
    CHECK_OK(sw_dem_get_packing(dem, 0, &p));
    sw_dem_close(dem);
    CHECK_OK(sw_dem_packing_write(path, &p, 0, NULL));
    CHECK_OK(sw_dem_packing_read(path, &in));
    assert_int_equal(unlink(path), 0);
    const sw_dem_row a = first_row(&linear, &p), b = first_row(&linear, &in), other = first_row(&hertz, &in);
    assert_memory_equal(&a, &b, sizeof a);
    sw_dem_packing_forget(&in);
    const sw_dem_row anew = first_row(&hertz, &in);
    assert_memory_equal(&other, &anew, sizeof anew);
    sw_dem_packing_free(&in);
    sw_dem_packing_free(&p);
    sw_dem_packing_free(&dense);
}

static sw_status open_with(const sw_dem_packing *p)
{
    const sw_dem_options options = sw_dem_defaults();
    const sw_dem_sample sample = {
        .packing = *p, .material = material_of(SW_DEM_LINEAR), .numerics = sw_dem_numerics_defaults()};
    sw_dem *dem;
    const sw_status status = sw_dem_open(&options, 1, &sample, &dem);
    sw_dem_close(dem);
    return status;
}

static void need_refusal(const sw_dem_packing *p, const char *part)
{
    assert_int_equal(open_with(p), SW_ERR_RANGE);
    if (strstr(sw_error_message(), part) == NULL)
        fail_msg("%s: need '%s'", sw_error_message(), part);
}

static void contacts_of_no_list_are_refused(void **state)
{
    (void)state;
    const double radius[2] = {1e-4, 1e-4}, along[3] = {1, 0, 0}, at[3] = {5e-4, 5e-4, 5e-4},
                 cell[3][3] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}};
    sw_dem_packing p = dem_pack_pair(cell, at, radius, along, -1e-6);
    int32_t pair[2][2] = {{0, 1}, {0, 1}};
    double history[2][7] = {{1e-3}, {0}};
    p.contact = pair;
    p.contact_history = history[0];
    p.contact_law = SW_DEM_LINEAR;
    p.contact_numbers = 7;
    p.n_contacts = 1;
    CHECK_OK(open_with(&p));
    p.n_contacts = 2;
    need_refusal(&p, "element 0: contact 1: particles 0 and 1: are there before");
    p.n_contacts = 1;
    pair[0][0] = 1;
    pair[0][1] = 0;
    need_refusal(&p, "element 0: contact 0: particles 1 and 0: need 0 first");
    pair[0][1] = 2;
    need_refusal(&p, "element 0: particle 2 of contact 0 = 2: need 0 to 1");
    pair[0][1] = 1;
    need_refusal(&p, "element 0: contact 0: particles 1 and 1: need two");
    pair[0][0] = 0;
    history[0][6] = NAN;
    need_refusal(&p, "element 0: number 7 of contact 0 (particles 0, 1) = nan: need a finite number");
    history[0][6] = 0;
    p.contact_numbers = 0;
    need_refusal(&p, "element 0: 0 numbers of a contact: need 1 to 64");
    p.contact_numbers = 6; /* fewer than the law's: without */
    CHECK_OK(open_with(&p));
    p.contact_numbers = 7;
    p.contact_history = NULL;
    need_refusal(&p, "element 0: contact_history is missing");
    p.contact = NULL;
    p.n_contacts = 0;
    sw_dem_packing_free(&p);
}

/* ---- What an element remembers beside contacts ---- */

/* A packing that was sheared, as in a file; tests leave it as it is. */
static sw_dem_packing sheared;

static int shear(void **state)
{
    (void)state;
    static const way linear = {SW_DEM_LINEAR, SW_DEM_NEAREST};
    const sw_dem_material quartz = sw_dem_quartz();
    sw_dem_packing dense = dem_pack_dense(P, &quartz, pressure, 0.1, 3);
    sw_dem *dem = open_sheared(&linear, &dense);
    CHECK_OK(sw_dem_get_packing(dem, 0, &sheared));
    sw_dem_close(dem);
    sw_dem_packing_free(&dense);
    return 0;
}

static int free_sheared(void **state)
{
    (void)state;
    sw_dem_packing_free(&sheared);
    return 0;
}

/* Pressure that an element of this packing and material begins with. */
static sw_status begin(const sw_dem_packing *p, const sw_dem_material *m, const sw_dem_numerics *n,
                       double *pressure_there)
{
    const sw_dem_options options = sw_dem_defaults();
    const sw_dem_stage still = dem_steps(0);
    const sw_dem_sample sample = {
        .packing = *p, .material = *m, .numerics = *n, .n_stages = 1, .stage = &still};
    sw_dem *dem;
    const sw_status status = sw_dem_open(&options, 1, &sample, &dem);
    if (status == SW_OK) {
        const sw_dem_state *state = sw_dem_get(dem, 0)->state;
        *pressure_there = (state->stress[0][0] + state->stress[1][1] + state->stress[2][2]) / 3;
        sw_dem_close(dem);
    }
    return status;
}

/* Forces of another material are others: what was measured last is not of it. */
static void another_material_is_measured_anew(void **state)
{
    (void)state;
    sw_dem_packing p = sheared;
    const sw_dem_material m = material_of(SW_DEM_LINEAR);
    const sw_dem_numerics n = sw_dem_numerics_defaults();
    double last, now;
    CHECK_OK(begin(&p, &m, &n, &last));
    assert_true(last > 0.1 * pressure);
    p.goes_on = 1;
    CHECK_OK(begin(&p, &m, &n, &now));
    assert_memory_equal(&now, &last, sizeof now);
    const struct {
        sw_dem_material m;
        const char *need;
    } others[] = {{{0}, "young of material 0 = "},
                  {{0}, "poisson of material 0 = "},
                  {{0}, "friction of material 0 = "},
                  {{0}, "density of material 0 = "}};
    for (int i = 0; i < 4; i++) {
        sw_dem_material other = m;
        *(i == 0 ? &other.young : i == 1 ? &other.poisson : i == 2 ? &other.friction : &other.density) *= 0.9;
        p.goes_on = 0;
        CHECK_OK(begin(&p, &other, &n, &now));
        if (fabs(now) >= 0.1 * last) /* none so far */
            fail_msg("%s begins with %g Pa of another material", others[i].need, now);
        p.goes_on = 1;
        assert_int_equal(begin(&p, &other, &n, &now), SW_ERR_RANGE);
        if (strstr(sw_error_message(), others[i].need) == NULL)
            fail_msg("%s: need '%s'", sw_error_message(), others[i].need);
    }
}

static void what_cannot_go_on_is_refused(void **state)
{
    (void)state;
    sw_dem_packing p = sheared;
    const sw_dem_material m = material_of(SW_DEM_LINEAR), hertz = material_of(SW_DEM_HERTZ_MINDLIN);
    sw_dem_numerics n = sw_dem_numerics_defaults();
    double now;
    p.goes_on = 1;
    assert_int_equal(begin(&p, &hertz, &n, &now), SW_ERR_RANGE);
    assert_non_null(
        strstr(sw_error_message(), "packing.goes_on = yes: the packing is of contacts of another law"));
    n.skin *= 1.5;
    assert_int_equal(begin(&p, &m, &n, &now), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "packing.goes_on = yes: the packing is of numerics.skin: "));
    n.skin /= 1.5;
    p.memory = NULL;
    assert_int_equal(begin(&p, &m, &n, &now), SW_ERR_RANGE);
    assert_non_null(
        strstr(sw_error_message(), "packing.goes_on = yes: the packing is of a file without run_state"));
}

/* One number of what is remembered, another: refused by array and row. */
static void damaged_numbers_are_refused(void **state)
{
    (void)state;
    sw_dem_packing p = sheared;
    const sw_dem_material m = material_of(SW_DEM_LINEAR);
    const sw_dem_numerics n = sw_dem_numerics_defaults();
    const int last = p.memory->of[SW_DEM_MEMORY_RUN].columns;
    double now;
    CHECK_OK(begin(&p, &m, &n, &now));
    double *pair = p.memory->of[SW_DEM_MEMORY_PAIR].number;
    int64_t twice = 0; /* a row with the particle of the row before */
    while (pair[2 * twice] != pair[2 * twice + 2])
        twice++;
    const struct {
        int array;
        int64_t at;
        double value;
        const char *need;
    } damage[] = {
        {SW_DEM_MEMORY_RUN, last - 4, 1e300, "run_state: row 0, column "},
        {SW_DEM_MEMORY_RUN, last - 4, -1, "need a whole number from 0 to 2^53"},
        {SW_DEM_MEMORY_RUN, last - 3, 1e300, "run_state: row 0, column "},
        {SW_DEM_MEMORY_RUN, last - 1, 2 * p.memory->of[SW_DEM_MEMORY_RUN].number[last - 1],
         "need that of the particles"},
        {SW_DEM_MEMORY_PAIR, 2 * twice + 3, pair[2 * twice + 1], "need each pair once"},
        {SW_DEM_MEMORY_PAIR, 1, pair[1] + 0.5, "run_pair: row 0"},
        {SW_DEM_MEMORY_PAIR, 1, pair[1] > 13.0 * (1 << 26) ? pair[1] - 13.0 * (1 << 26) : pair[1] + (1 << 26),
         "need particles and an image that are neighbours"},
        {SW_DEM_MEMORY_DISPLACEMENT, 4, 1e3, "run_displacement: row 1"},
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        double *number = &p.memory->of[damage[i].array].number[damage[i].at];
        const double right = *number;
        *number = damage[i].value;
        if (begin(&p, &m, &n, &now) != SW_ERR_RANGE || strstr(sw_error_message(), damage[i].need) == NULL)
            fail_msg("damage %zu: '%s': need '%s'", i, sw_error_message(), damage[i].need);
        *number = right;
    }
    CHECK_OK(begin(&p, &m, &n, &now));
}

/* What no force hangs on is in no measurement: yet nothing of it gets into a file. */
static void what_is_not_finite_ends_an_element(void **state)
{
    (void)state;
    const sw_dem_options options = sw_dem_defaults();
    const sw_dem_stage still = dem_steps(10);
    sw_dem_packing p = sheared;
    const sw_dem_sample sample = {.packing = p,
                                  .material = material_of(SW_DEM_LINEAR),
                                  .numerics = sw_dem_numerics_defaults(),
                                  .n_stages = 1,
                                  .stage = &still};
    for (int i = 0; i < 2; i++) {
        sw_dem *dem;
        CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
        if (i > 0)
            sw_dem_get(dem, 0)->state->volume0 = NAN;
        CHECK_OK(sw_dem_run(dem, NULL, NULL));
        assert_int_equal(sw_dem_failure(dem, 0), i > 0 ? SW_ERR_CONVERGENCE : SW_OK);
        sw_dem_close(dem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_go_on_from_packings),
        cmocka_unit_test(elements_at_rest_begin_with_the_last_record),
        cmocka_unit_test(files_keep_what_contacts_remember),
        cmocka_unit_test(contacts_of_no_list_are_refused),
        cmocka_unit_test(another_material_is_measured_anew),
        cmocka_unit_test(what_cannot_go_on_is_refused),
        cmocka_unit_test(damaged_numbers_are_refused),
        cmocka_unit_test(what_is_not_finite_ends_an_element),
    };
    return cmocka_run_group_tests(tests, shear, free_sheared);
}
