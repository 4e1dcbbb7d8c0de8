/* What holds for whole elements: conservation laws, and the same bits whatever an element runs with. */
#include <omp.h>

#include "online/dem/backend/names.h"
#include "online/dem/step/step.h"
#include "tests/online/dem/packs.h"

static const double stirred[3][3] = {{-300, 2000, 0}, {0, 200, 500}, {800, 0, 100}}; /* 1/s */

/* Friction and moments that yield, on spheres soft enough for long steps. */
static sw_dem_material soft(sw_dem_law law)
{
    sw_dem_material m = sw_dem_quartz();
    m.law = law;
    m.young = 4.3e8;
    m.poisson = 0.3;
    m.friction = 0.4;
    m.roll_strength = 0.2;
    m.twist_strength = 0.1;
    m.strength = 1e7; /* metal: flows at contacts */
    m.rate_sensitivity = 0.1;
    dem_make_sticky(&m);
    return m;
}

/* ---- Conservation ---- */

/* Sum of m v, and of |m v|. */
static double momentum(const sw_dem_rve *rve, double sum[3])
{
    double size = 0;
    sum[0] = sum[1] = sum[2] = 0;
    for (int64_t i = 0; i < rve->n_particles; i++) {
        const double mass = dem_mass(rve->material, rve->radius[i]);
        for (int k = 0; k < 3; k++)
            sum[k] += mass * rve->velocity[i][k];
        size += mass * sqrt(sw_dem_dot(rve->velocity[i], rve->velocity[i]));
    }
    return size;
}

/* Sum of x times m v and of I w about a point, and of their sizes. */
static double angular_momentum(const sw_dem_rve *rve, const double about[3], double sum[3])
{
    double size = 0;
    sum[0] = sum[1] = sum[2] = 0;
    for (int64_t i = 0; i < rve->n_particles; i++) {
        const double mass = dem_mass(rve->material, rve->radius[i]);
        const double inertia = 0.4 * mass * rve->radius[i] * rve->radius[i];
        double x[3], turn[3];
        for (int k = 0; k < 3; k++)
            x[k] = rve->position[i][k] - about[k];
        sw_dem_cross(x, rve->velocity[i], turn);
        for (int k = 0; k < 3; k++)
            sum[k] += mass * turn[k] + inertia * rve->spin[i][k];
        size += mass * sqrt(sw_dem_dot(turn, turn)) + inertia * sqrt(sw_dem_dot(rve->spin[i], rve->spin[i]));
    }
    return size;
}

/* Each contact adds to one sphere what it takes from the other: round-off of the sums alone, in a periodic
 * assembly that is stirred and collides. */
static void momentum_is_conserved(void **state)
{
    (void)state;
    for (int law = 0; law < SW_DEM_LAWS; law++)
        for (int images = 0; images < 2; images++) {
            const sw_dem_material m = soft((sw_dem_law)law);
            sw_dem_numerics numerics = sw_dem_numerics_defaults();
            sw_dem_options options = sw_dem_defaults();
            sw_dem_packing pack = dem_pack_lattice(64, 5e-5, 1.25e-4, 1.02, 3, 1);
            sw_dem_stage stage[2] = {dem_steps(1), dem_steps(2000)};
            double before[3], after[3];
            options.images = images ? SW_DEM_BOUNDARY_PARTICLES : SW_DEM_NEAREST;
            numerics.damping = 0;
            memcpy(stage[1].velocity_gradient, stirred, sizeof stirred);
            sw_dem *dem = dem_open(&options, &pack, &m, &numerics, 1, stage);
            momentum(dem_finish(dem), before);
            CHECK_OK(sw_dem_add_stage(dem, 0, &stage[1]));
            const sw_dem_rve *rve = dem_finish(dem);
            const double size = momentum(rve, after);
            assert_true(rve->state->work[1] > 0); /* they met */
            for (int k = 0; k < 3; k++)
                CHECK_CLOSE(after[k], before[k], 2000 * 1e-16 * size);
            sw_dem_close(dem);
            sw_dem_packing_free(&pack);
        }
}

/* Arms of a contact add up to the distance of the centres: torque and couple cancel. Spheres that fly at each
 * other in the middle of a cell, and do not get to its faces. */
static void angular_momentum_is_conserved(void **state)
{
    (void)state;
    for (int law = 0; law < SW_DEM_LAWS; law++) {
        const sw_dem_material m = soft((sw_dem_law)law);
        sw_dem_numerics numerics = sw_dem_numerics_defaults();
        sw_dem_packing pack = dem_pack_lattice(27, 5e-5, 1.25e-4, 1.02, 2, 2);
        const double edge = pack.cell[0][0], middle[3] = {4 * edge, 4 * edge, 4 * edge};
        double before[3], after[3];
        for (int64_t i = 0; i < pack.n_particles; i++) {
            for (int k = 0; k < 3; k++) {
                pack.position[i][k] += 3.5 * edge;
                pack.velocity[i][k] -= 1e4 * (pack.position[i][k] - middle[k]); /* towards the middle */
            }
            pack.velocity[i][0] += 5e3 * (pack.position[i][1] - middle[1]); /* and around it */
        }
        for (int k = 0; k < 3; k++)
            pack.cell[k][k] = 8 * edge;
        sw_dem_stage stage[2] = {dem_steps(1), dem_steps(3000)};
        numerics.damping = 0;
        sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 1, stage);
        angular_momentum(dem_finish(dem), middle, before);
        CHECK_OK(sw_dem_add_stage(dem, 0, &stage[1]));
        const sw_dem_rve *rve = dem_finish(dem);
        const double size = angular_momentum(rve, middle, after);
        assert_true(rve->state->work[1] > 0 && rve->state->work[2] > 0);
        assert_true(sqrt(sw_dem_dot(before, before)) > 0.05 * size);
        for (int64_t i = 0; i < rve->n_particles; i++) /* at most so fast for so long */
            for (int k = 0; k < 3; k++)
                CHECK_CLOSE(rve->position[i][k], middle[k], 3 * edge);
        /* 3,000 steps round positions to 1e-16 of 4 edges, eight times the lever arms */
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(after[k], before[k], 3000 * 8e-16 * size);
        sw_dem_close(dem);
        sw_dem_packing_free(&pack);
    }
}

/* Largest change of kinetic and elastic energy, over the first kinetic energy, of a gas without friction or
 * damping in steps of dt. Velocities are half a step before and after a record's positions. */
static double energy_drift(sw_dem_law law, double dt, double time)
{
    sw_dem_material m = soft(law);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_packing pack = dem_pack_lattice(64, 5e-5, 1.25e-4, 1.02, 3, 4);
    const sw_dem_stage stage = dem_steps(rint(time / dt));
    int64_t n;
    double first = 0, drift = 0, touched = 0;
    m.friction = 0;
    m.roll_stiffness = m.twist_stiffness = 0;
    numerics.damping = 0;
    numerics.step_rule = SW_DEM_STEP_FIXED;
    numerics.step = dt;
    numerics.control_interval = 1;
    numerics.record_interval = 1;
    sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 1, &stage);
    dem_finish(dem);
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    for (int64_t i = 0; i + 1 < n; i++) {
        const double energy =
            row[i].elastic_energy + 0.5 * (row[i].kinetic_energy + row[i + 1].kinetic_energy);
        first = i == 0 ? energy : first;
        drift = greatest(drift, fabs(energy / first - 1));
        touched = greatest(touched, row[i].elastic_energy / first);
        assert_true(row[i].friction_work == 0 && row[i].rolling_work == 0 && row[i].damping_work == 0);
    }
    assert_true(touched > 0.05);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
    return drift;
}

static void energy_without_dissipation_is_conserved(void **state)
{
    (void)state;
    for (int law = 0; law < SW_DEM_METAL; law++) { /* which flows */
        const double dt = 2e-8, time = 4e-5;       /* 60 steps a contact of the least spheres */
        double drift[3];
        for (int i = 0; i < 3; i++)
            drift[i] = energy_drift((sw_dem_law)law, dt / (1 << i), time);
        print_message("%s drift %g %g %g\n", sw_dem_laws[law], drift[0], drift[1], drift[2]);
        /* (w dt)^2 / 8 at the beginning and end of contacts, w dt = pi / 60, and of few at once */
        CHECK_CLOSE(drift[0], 0, SW_PI / 60 * SW_PI / 60);
        CHECK_CLOSE(log2(drift[0] / drift[2]) / 2, 2, 0.4); /* extremes of many phases */
    }
}

/* What is put into a drained triaxial test is found again. */
static void work_is_found_again(void **state)
{
    (void)state;
    for (int law = 0; law < SW_DEM_LAWS; law++)
        for (int form = 0; form < (law == SW_DEM_LINEAR ? 2 : 1); form++) {
            sw_dem_material m = sw_dem_quartz();
            sw_dem_numerics numerics = sw_dem_numerics_defaults();
            m.law = (sw_dem_law)law;
            m.poisson = 0.3;
            m.roll_strength = 0.3;
            m.twist_strength = 0.1;
            m.strength = 1e7;
            m.rate_sensitivity = 0.05;
            dem_make_sticky(&m);
            const double p = 2e5, rate = dem_rate(&m, 8.75e-5, p, 0.01);
            sw_dem_packing pack = dem_pack_dense(216, &m, p, 0.1, 3);
            const sw_dem_stage stage[2] = {dem_isotropic(p, rate, -1), dem_drained(p, rate, 0.03)};
            int64_t n;
            numerics.damping_form = form ? SW_DEM_DAMPING_CUNDALL : SW_DEM_DAMPING_PREDICTED;
            numerics.record_interval = 200;
            sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 2, stage);
            dem_finish(dem);
            const sw_dem_row *row = sw_dem_rows(dem, 0, &n), *start = row;
            while (start->stage == 0)
                start++;
            double worst = 0;
            for (const sw_dem_row *r = start; r < row + n; r++) {
                worst = greatest(worst, fabs(dem_imbalance(r) - dem_imbalance(start)));
                if (r > start) {
                    assert_true(r->friction_work >= r[-1].friction_work);
                    assert_true(r->rolling_work >= r[-1].rolling_work);
                }
            }
            const sw_dem_row *end = row + n - 1;
            const double work = end->boundary_work - start->boundary_work;
            print_message("%s, damping %d: %d records, imbalance %g of the work; friction %g, rolling %g, "
                          "damping %g, elastic %g, kinetic %g\n",
                          sw_dem_laws[law], form, (int)n, worst / work,
                          (end->friction_work - start->friction_work) / work,
                          (end->rolling_work - start->rolling_work) / work,
                          (end->damping_work - start->damping_work) / work,
                          (end->elastic_energy - start->elastic_energy) / work, end->kinetic_energy / work);
            assert_true(end->friction_work > 0.2 * work && end->rolling_work > 0.01 * work);
            /* Mindlin's spring stiffens and softens with the normal force under a tangential one, which no
             * potential has: of the order of its own energy, which is part of the elastic one */
            CHECK_CLOSE(worst, 0, law == SW_DEM_LINEAR ? 1e-3 * work : 0.1 * end->elastic_energy);
            sw_dem_close(dem);
            sw_dem_packing_free(&pack);
        }
}

/* ---- The same bits ---- */

enum { ELEMENTS = 8, STAGES = 3 };

typedef struct {
    sw_dem_packing pack[ELEMENTS];
    sw_dem_stage stage[ELEMENTS][STAGES];
    sw_dem_sample sample[ELEMENTS];
} batch;

/* Elements of different sizes, laws, steps and paths. */
static batch *make_batch(void)
{
    static const int64_t n[ELEMENTS] = {64, 90, 100, 64, 70, 64, 70, 64};
    static const sw_dem_law laws[ELEMENTS] = {SW_DEM_LINEAR,   SW_DEM_HERTZ_MINDLIN, SW_DEM_LINEAR,
                                              SW_DEM_LINEAR,   SW_DEM_METAL,         SW_DEM_JKR,
                                              SW_DEM_COHESIVE, SW_DEM_CAPILLARY};
    batch *b = calloc(1, sizeof *b);
    assert_true(b != NULL);
    for (int r = 0; r < ELEMENTS; r++) {
        sw_dem_sample *sample = &b->sample[r];
        b->pack[r] = dem_pack_lattice(n[r], 5e-5, r == 2 ? 2.2e-4 : 1.25e-4, 1.02 + 0.01 * r, 1, (uint64_t)r);
        sample->packing = b->pack[r];
        sample->material = soft(laws[r]);
        sample->material.friction = 0.1 * (r + 1);
        sample->numerics = sw_dem_numerics_defaults();
        sample->numerics.record_interval = 100 + 10 * r;
        sample->numerics.step_rule = r % 2 ? SW_DEM_STEP_STIFFNESS : SW_DEM_STEP_WAVE;
        sample->numerics.step = r % 2 ? 0.3 : 0.5;
        sample->n_stages = STAGES;
        sample->stage = b->stage[r];
        const double rate = dem_rate(&sample->material, r == 2 ? 1.35e-4 : 8.75e-5, 1e5, 0.1);
        b->stage[r][0] = dem_isotropic(1e5, rate, r == 3 ? 0 : -1);
        b->stage[r][0].until = SW_DEM_UNTIL_PRESSURE;
        b->stage[r][0].goal = 0.9e5;
        b->stage[r][1] = dem_drained(1e5, rate, 0.005 + 0.002 * r);
        b->stage[r][2] = dem_steps(150 + 50 * r);
        b->stage[r][2].velocity_gradient[0][1] = rate;
    }
    return b;
}

static void free_batch(batch *b)
{
    for (int r = 0; r < ELEMENTS; r++)
        sw_dem_packing_free(&b->pack[r]);
    free(b);
}

/* State, particles, contacts and records of element r and s of two runs. */
static void check_bits(sw_dem *one, int64_t r, sw_dem *other, int64_t s)
{
    const sw_dem_rve *a = sw_dem_get(one, r), *b = sw_dem_get(other, s);
    const size_t n = (size_t)a->n_particles, pairs = (size_t)a->state->n_pairs;
    int64_t n_rows[2];
    const sw_dem_row *rows[2] = {sw_dem_rows(one, r, &n_rows[0]), sw_dem_rows(other, s, &n_rows[1])};
    assert_int_equal(a->n_particles, b->n_particles);
    assert_int_equal(a->state->step, b->state->step);
    assert_memory_equal(a->state, b->state, sizeof *a->state);
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->spin, b->spin, n * sizeof *a->spin);
    assert_memory_equal(a->pair, b->pair, pairs * sizeof *a->pair);
    assert_memory_equal(a->touching, b->touching, pairs);
    for (int k = 0; k < 7 + a->law_numbers; k++)
        assert_memory_equal(a->history + k * a->pair_capacity, b->history + k * b->pair_capacity,
                            pairs * sizeof *a->history);
    assert_int_equal(n_rows[0], n_rows[1]);
    assert_memory_equal(rows[0], rows[1], (size_t)n_rows[0] * sizeof *rows[0]);
}

static sw_dem *open_batch(int64_t n, const sw_dem_sample *sample, sw_dem_images images)
{
    sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    options.images = images;
    CHECK_OK(sw_dem_open(&options, n, sample, &dem));
    return dem;
}

static void run_all(sw_dem *dem, int64_t n)
{
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    for (int64_t r = 0; r < n; r++) {
        CHECK_OK(sw_dem_failure(dem, r));
        assert_true(sw_dem_get(dem, r)->state->status == SW_DEM_DONE);
    }
}

static void a_batch_is_its_elements_alone(void **state)
{
    (void)state;
    batch *b = make_batch();
    const int threads = omp_get_max_threads();
    for (int images = 0; images < 2; images++) {
        sw_dem *alone[ELEMENTS];
        omp_set_num_threads(1);
        for (int r = 0; r < ELEMENTS; r++) {
            alone[r] = open_batch(1, &b->sample[r], (sw_dem_images)images);
            run_all(alone[r], 1);
        }
        for (int n = images == 0 ? 1 : 2; n <= 2; n++) {
            omp_set_num_threads(n);
            sw_dem *all = open_batch(ELEMENTS, b->sample, (sw_dem_images)images);
            run_all(all, ELEMENTS);
            for (int r = 0; r < ELEMENTS; r++)
                check_bits(alone[r], 0, all, r);
            sw_dem_close(all);
        }
        for (int r = 0; r < ELEMENTS; r++)
            sw_dem_close(alone[r]);
    }
    omp_set_num_threads(threads);
    free_batch(b);
}

/* Stages that come when the ones before are done, or that come to an element without any. */
static void stages_may_come_later(void **state)
{
    (void)state;
    batch *b = make_batch();
    for (int given = 0; given < 2; given++) {
        sw_dem *at_once = open_batch(ELEMENTS, b->sample, SW_DEM_NEAREST);
        run_all(at_once, ELEMENTS);
        for (int r = 0; r < ELEMENTS; r++)
            b->sample[r].n_stages = given;
        sw_dem *later = open_batch(ELEMENTS, b->sample, SW_DEM_NEAREST);
        run_all(later, ELEMENTS);
        for (int s = given; s < STAGES; s++) {
            for (int r = 0; r < ELEMENTS; r++)
                CHECK_OK(sw_dem_add_stage(later, r, &b->stage[r][s]));
            if (s != 1) /* two at once, too */
                run_all(later, ELEMENTS);
        }
        for (int r = 0; r < ELEMENTS; r++) {
            check_bits(at_once, r, later, r);
            b->sample[r].n_stages = STAGES;
        }
        sw_dem_close(at_once);
        sw_dem_close(later);
    }
    free_batch(b);
}

/* ---- Stopping and going on ---- */

static sw_status stop_at_once(void *context, sw_dem *dem, double particle_steps, int64_t finished)
{
    (void)dem;
    (void)finished;
    if (!(particle_steps > 0)) /* another thread's element is on its way */
        return SW_OK;
    ++*(int *)context;
    return SW_ERR_INTERRUPTED;
}

static void saved_states_go_on_to_the_same_bits(void **state)
{
    (void)state;
    const sw_dem_material m = soft(SW_DEM_LINEAR);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_packing pack = dem_pack_lattice(125, 5e-5, 1.25e-4, 1.02, 1, 8), fewer = pack;
    const double rate = dem_rate(&m, 8.75e-5, 1e5, 0.02);
    const sw_dem_stage stage[2] = {dem_isotropic(1e5, 5 * rate, -1), dem_drained(1e5, rate, 0.3)};
    numerics.record_interval = 100;
    const sw_dem_options options = sw_dem_defaults();
    int calls = 0;
    int64_t bytes;
    void *data;
    sw_dem *straight = dem_open(&options, &pack, &m, &numerics, 2, stage);
    sw_dem *stopped = dem_open(&options, &pack, &m, &numerics, 2, stage);
    sw_dem *restored = dem_open(&options, &pack, &m, &numerics, 2, stage);
    dem_finish(straight);
    const sw_status status = sw_dem_run(stopped, stop_at_once, &calls); /* after 0.2 s */
    const int64_t step = sw_dem_get(stopped, 0)->state->step;
    assert_true(status == SW_ERR_INTERRUPTED && calls == 1);
    assert_true(step > 0 && sw_dem_get(stopped, 0)->state->status != SW_DEM_DONE);
    CHECK_OK(sw_dem_save(stopped, 0, &bytes, &data));
    dem_finish(stopped);
    check_bits(straight, 0, stopped, 0);
    CHECK_OK(sw_dem_restore(restored, 0, bytes, data));
    assert_int_equal(sw_dem_get(restored, 0)->state->step, step);
    dem_finish(restored);
    check_bits(straight, 0, restored, 0);
    /* back again from its end, as often as wanted */
    CHECK_OK(sw_dem_restore(restored, 0, bytes, data));
    dem_finish(restored);
    check_bits(straight, 0, restored, 0);
    print_message("stopped at step %d of %d\n", (int)step, (int)sw_dem_get(straight, 0)->state->step);

    /* not a state of this element */
    fewer.n_particles = 120;
    sw_dem *other = dem_open(&options, &fewer, &m, &numerics, 2, stage);
    assert_true(sw_dem_restore(other, 0, bytes, data) == SW_ERR_FORMAT);
    assert_true(sw_dem_restore(restored, 0, bytes - 8, data) == SW_ERR_FORMAT);
    assert_true(sw_dem_restore(restored, 0, 10, data) == SW_ERR_FORMAT);
    ((char *)data)[0] ^= 1;
    assert_true(sw_dem_restore(restored, 0, bytes, data) == SW_ERR_FORMAT);
    check_bits(straight, 0, restored, 0); /* and nothing has changed */
    free(data);
    sw_dem_close(other);
    sw_dem_close(straight);
    sw_dem_close(stopped);
    sw_dem_close(restored);
    sw_dem_packing_free(&pack);
}

/* A state that is saved while its list is still good: who takes it has to index the pairs anew. */
static void states_between_lists_go_on(void **state)
{
    (void)state;
    const sw_dem_material m = soft(SW_DEM_LINEAR);
    const sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_packing pack = dem_pack_dense(80, &m, 1e5, 0.2, 5);
    sw_dem_stage stage[2] = {dem_steps(33), dem_steps(500)};
    for (int s = 0; s < 2; s++)
        stage[s].velocity_gradient[0][1] = 10;
    for (int images = 0; images < 2; images++) {
        int64_t bytes;
        void *data;
        sw_dem_options options = sw_dem_defaults();
        options.images = (sw_dem_images)images;
        sw_dem *straight = dem_open(&options, &pack, &m, &numerics, 1, stage);
        sw_dem *restored = dem_open(&options, &pack, &m, &numerics, 1, stage);
        const sw_dem_rve *rve = dem_finish(straight);
        assert_true(rve->state->list_valid && rve->state->sum[SW_DEM_SUM_CONTACTS] > 50);
        CHECK_OK(sw_dem_save(straight, 0, &bytes, &data));
        CHECK_OK(sw_dem_restore(restored, 0, bytes, data));
        CHECK_OK(sw_dem_add_stage(straight, 0, &stage[1]));
        CHECK_OK(sw_dem_add_stage(restored, 0, &stage[1]));
        dem_finish(straight);
        dem_finish(restored);
        check_bits(straight, 0, restored, 0);
        free(data);
        sw_dem_close(straight);
        sw_dem_close(restored);
    }
    sw_dem_packing_free(&pack);
}

/* A packing lies in its cell, and contacts at rest, as read, carry the element's stress within their
 * friction; distances are the radii less overlaps of 1e-3 of them. */
static void what_is_read_hangs_together(void **state)
{
    (void)state;
    const sw_dem_material m = soft(SW_DEM_LINEAR);
    const sw_dem_numerics numerics = sw_dem_numerics_defaults();
    const double p = 1e5, rate = dem_rate(&m, 8.75e-5, p, 0.05);
    sw_dem_packing pack = dem_pack_lattice(80, 5e-5, 1.25e-4, 1.02, 0.3, 6), now;
    sw_dem_stage stage = dem_isotropic(p, rate, -1);
    int64_t n;
    double stress[3][3] = {{0}};
    sw_dem_contact_record *contact;
    stage.goal = 1e-5;
    sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 1, &stage);
    const sw_dem_rve *rve = dem_finish(dem);
    CHECK_OK(sw_dem_get_packing(dem, 0, &now));
    for (int64_t i = 0; i < now.n_particles; i++) {
        double s[3];
        sw_dem_cell_local(&rve->state->cell, now.position[i], s);
        for (int k = 0; k < 3; k++)
            assert_true(s[k] > -1e-12 && s[k] < 1 + 1e-12);
    }
    CHECK_OK(sw_dem_get_contacts(dem, 0, &n, &contact));
    assert_true((double)n == rve->state->sum[SW_DEM_SUM_CONTACTS]);
    for (int64_t c = 0; c < n; c++) {
        const double *normal = contact[c].normal, *force = contact[c].force;
        const double along = sw_dem_dot(normal, force), all = sw_dem_dot(force, force);
        const double distance = now.radius[contact[c].a] + now.radius[contact[c].b];
        CHECK_CLOSE(sw_dem_dot(normal, normal), 1, 1e-14);
        assert_true(along > 0 && sqrt(fmax(all - along * along, 0)) <= m.friction * along * 1.001);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                stress[i][j] += force[i] * normal[j] * distance / rve->state->cell.volume;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            CHECK_CLOSE(stress[i][j], rve->state->stress[i][j],
                        3 * rve->state->sum[SW_DEM_SUM_OVERLAP] / (double)n / 5e-5 * p);
    free(contact);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
    sw_dem_packing_free(&now);
}

/* Two rough spheres beside a smooth material, which is the first and none of theirs: their contact is theirs. */
static void contacts_have_their_own_friction(void **state)
{
    (void)state;
    static const double cell[3][3] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}, at[3] = {5e-4, 5e-4, 5e-4},
                        radii[2] = {1e-4, 1e-4}, along[3] = {0, 0, 1};
    sw_dem_packing pack = dem_pack_pair(cell, at, radii, along, -1e-5);
    sw_dem_material rough = soft(SW_DEM_LINEAR), smooth = rough;
    sw_dem_stage stage = dem_steps(3);
    uint8_t second[2] = {1, 1};
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_contact_record *contact;
    sw_dem *dem;
    int64_t n;
    rough.friction = 0.5;
    smooth.friction = 0;
    pack.material = second;
    stage.velocity_gradient[0][2] = 100;
    const sw_dem_sample sample = {.packing = pack,
                                  .material = smooth,
                                  .numerics = sw_dem_numerics_defaults(),
                                  .n_stages = 1,
                                  .stage = &stage,
                                  .n_others = 1,
                                  .other = &rough};
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    const sw_dem_rve *rve = dem_finish(dem);
    const double spring = hypot(rve->history[0], rve->history[rve->pair_capacity]);
    CHECK_OK(sw_dem_get_contacts(dem, 0, &n, &contact));
    assert_int_equal(n, 1);
    assert_true(spring > 0);
    CHECK_CLOSE(hypot(contact[0].force[0], contact[0].force[1]), spring,
                0.1 * spring); /* of one step before */
    free(contact);
    sw_dem_close(dem);
    pack.material = NULL;
    sw_dem_packing_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_conserved),
        cmocka_unit_test(angular_momentum_is_conserved),
        cmocka_unit_test(energy_without_dissipation_is_conserved),
        cmocka_unit_test(work_is_found_again),
        cmocka_unit_test(a_batch_is_its_elements_alone),
        cmocka_unit_test(stages_may_come_later),
        cmocka_unit_test(saved_states_go_on_to_the_same_bits),
        cmocka_unit_test(states_between_lists_go_on),
        cmocka_unit_test(what_is_read_hangs_together),
        cmocka_unit_test(contacts_have_their_own_friction),
    };
    return cmocka_run_group_tests_name("elements of the DEM", tests, NULL, NULL);
}
