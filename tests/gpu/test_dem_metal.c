/* Metal powders on the GPU: the law that flows, elements of two materials, and particles made of crystals, against
 * the CPU, and against themselves in other batches and after a way through files of states. Skipped, saying so,
 * where there is no GPU. Other laws: test_dem.c. */
#include "tests/gpu/gpu.h"
#include "tests/online/dem/packs.h"

#include "online/dem/backend/names.h"

enum { EDGE = 5, PARTICLES = EDGE * EDGE * EDGE, ELEMENTS = 4, EACH = 4 };

typedef struct {
    sw_dem_team team;
    sw_dem_images images;
} way;

static const way ways[] = {{SW_DEM_AUTO, SW_DEM_NEAREST},
                           {SW_DEM_BLOCK, SW_DEM_BOUNDARY_PARTICLES},
                           {SW_DEM_CLUSTER, SW_DEM_NEAREST},
                           {SW_DEM_DEVICE, SW_DEM_NEAREST},
                           {SW_DEM_LAUNCHES, SW_DEM_NEAREST}};
enum { TEAMS = sizeof ways / sizeof ways[0] - 1 /* that take crystals */, WAYS = TEAMS + SW_HAS_PAPERS };

static sw_dem_options options_on(int cuda, const way *w)
{
    sw_dem_options options = sw_dem_defaults();
    options.cuda = cuda;
    options.images = w->images;
    options.team = cuda ? w->team : SW_DEM_AUTO;
    return options;
}

/* ---- Elements ---- */

static sw_dem_material metal(double strength, double friction)
{
    return (sw_dem_material){.law = SW_DEM_METAL,
                             .young = 120e9,
                             .poisson = 0.34,
                             .density = 8900,
                             .friction = friction,
                             .strength = strength,
                             .rate_sensitivity = copper().slip.rate_sensitivity};
}

/* Spheres of radii within 0.1 % on a cubic lattice: half of the neighbours touch, and soon all. */
static sw_dem_packing pack_of(uint64_t seed)
{
    const double r = 50e-6, edge = 2 * r * EDGE;
    sw_dem_packing pack = dem_pack(PARTICLES, edge, edge, edge);
    pack.material = calloc(PARTICLES, 1);
    assert_non_null(pack.material);
    for (int64_t i = 0; i < PARTICLES; i++) {
        const int64_t at[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
        pack.radius[i] = r * (1 + 1e-3 * dem_random(seed, i, 0));
        for (int k = 0; k < 3; k++)
            pack.position[i][k] = 2 * r * ((double)at[k] + 0.5);
    }
    return pack;
}

typedef struct {
    sw_dem_sample sample[ELEMENTS];
    sw_dem_stage stage[ELEMENTS][2];
    sw_dem_material soft;
    sw_crystal crystal[PARTICLES * EACH];
    sw_dem_crystals crystals;
} batch;

/* Pressed from all sides and in a die, of one material and of a hard and a soft one with friction. The die narrows
 * a little: a contact that is held flows as one that is pressed or as one that parts, by the roundings of its
 * overlap. Affine: slowly, in steps of 5e-5 of strain; free: in the powder's own steps, some 6e-6 of strain each,
 * while slip's time runs 10^6 times as fast. */
static void make_batch(int affine, double steps, int n_stages, batch *b)
{
    b->soft = metal(60e6, 0.1);
    for (int r = 0; r < ELEMENTS; r++) {
        sw_dem_sample *s = &b->sample[r];
        *s = (sw_dem_sample){.packing = pack_of(3 + (uint64_t)r),
                             .material = metal(180e6, r < 2 ? 0 : 0.3),
                             .numerics = sw_dem_numerics_defaults(),
                             .n_stages = n_stages,
                             .stage = b->stage[r],
                             .n_others = r < 2 ? 0 : 1,
                             .other = &b->soft};
        for (int64_t i = 0; r >= 2 && i < PARTICLES; i++)
            s->packing.material[i] = i % 3 == 0;
        s->numerics.affine = affine;
        s->numerics.time_scale = affine ? 1 : 1e6;
        s->numerics.step_rule = affine ? SW_DEM_STEP_FIXED : SW_DEM_STEP_WAVE;
        s->numerics.step = affine ? 0.05 : 0.5;
        s->numerics.record_interval = 50;
        s->numerics.control_interval = 10 + 3 * r;
        for (int k = 0; k < 2; k++) {
            b->stage[r][k] = dem_steps(steps);
            for (int i = 0; i < 3; i++)
                b->stage[r][k].velocity_gradient[i][i] =
                    (r % 2 == 0 || i == 2 ? 1 : 0.1) * (affine ? -1e-3 : -1000);
        }
    }
}

static void free_batch(batch *b)
{
    for (int r = 0; r < ELEMENTS; r++)
        sw_dem_packing_free(&b->sample[r].packing);
}

static sw_dem *open_batch(const sw_dem_options *options, int64_t n, const sw_dem_sample *sample)
{
    sw_dem *dem;
    CHECK_OK(sw_dem_open(options, n, sample, &dem));
    return dem;
}

static void run_all(sw_dem *dem)
{
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    for (int64_t r = 0; r < dem->n; r++) {
        CHECK_OK(sw_dem_failure(dem, r));
        assert_int_equal(sw_dem_get(dem, r)->state->status, SW_DEM_DONE);
    }
}

static sw_dem *run_on(int cuda, const way *w, const batch *b)
{
    const sw_dem_options options = options_on(cuda, w);
    sw_dem *dem = open_batch(&options, ELEMENTS, b->sample);
    run_all(dem);
    return dem;
}

static const sw_dem_row *last_row(const sw_dem *dem, int64_t r)
{
    int64_t n;
    const sw_dem_row *rows = sw_dem_rows(dem, r, &n);
    assert_true(n > 2);
    return rows + n - 1;
}

/* Relative difference of what matters of two elements' last records: the largest. NaN stays. */
static double difference(const sw_dem *a, const sw_dem *b, int64_t r)
{
    const sw_dem_row *x = last_row(a, r), *y = last_row(b, r);
    const double off[] = {y->pressure / x->pressure - 1,         y->stress_33 / x->stress_33 - 1,
                          y->plastic_work / x->plastic_work - 1, y->boundary_work / x->boundary_work - 1,
                          y->contact_area / x->contact_area - 1, y->strength / x->strength - 1};
    double most = 0;
    assert_int_equal(x->step, y->step);
    for (size_t k = 0; k < sizeof off / sizeof *off; k++)
        most = fabs(off[k]) > most || isnan(off[k]) ? fabs(off[k]) : most;
    return most;
}

/* Both devices run all elements by all ways: within a tolerance, and with the same pairs in touch. */
static void compare_ways(int affine, double steps, double tolerance)
{
    static batch b;
    make_batch(affine, steps, 1, &b);
    for (int w = 0; w < WAYS; w++) {
        sw_dem *cpu = run_on(0, &ways[w], &b), *gpu = run_on(1, &ways[w], &b);
        double worst = 0;
        for (int r = 0; r < ELEMENTS; r++) {
            const double off = difference(cpu, gpu, r);
            assert_true(last_row(cpu, r)->plastic_work > 0);
            assert_int_equal(last_row(cpu, r)->contacts, last_row(gpu, r)->contacts);
            worst = off > worst || isnan(off) ? off : worst;
        }
        print_message("%s %s, %s: within %.1e\n", affine ? "affine" : "free", sw_dem_teams[ways[w].team],
                      sw_dem_image_names[ways[w].images], worst);
        assert_true(worst <= tolerance);
        sw_dem_close(cpu);
        sw_dem_close(gpu);
    }
    free_batch(&b);
}

/* ---- Against the CPU ---- */

/* Positions follow the cell: off by 2000 roundings of 1e-16 of ten radii, 1e-12 of a radius at most, over overlaps
 * of some 1e-2 of it: 1e-10. Flow is found to 1e-13 of the force over N = 0.0125. Where a step's flow begins to
 * count, at 1e-8 of the elastic overlap, it may do so a step apart: 1e-8 of a contact's force. */
static void affine_compaction_is_the_cpus(void **state)
{
    NEED_GPU();
    compare_ways(1, 2000, 1e-8);
}

/* A shift of all positions by one rounding makes 1e-13 of these answers on the CPU: flow takes the energy that
 * would let it grow. 300 steps with a rounding each: 3e-11; and where flow begins a step apart, 1e-8 of a
 * contact's force, as above. */
static void free_compaction_is_the_cpus_for_a_while(void **state)
{
    NEED_GPU();
    compare_ways(0, 300, 1e-7);
}

/* Thousands of steps: should orbits part, means do not. On the CPU one rounding is 1e-7 of an element's pressure
 * here; one a step may be a hundred times that, and need not have a mean of zero. */
static void compaction_agrees_in_the_mean(void **state)
{
    enum { SEEDS = 6, N = SEEDS * ELEMENTS };
    static batch b[SEEDS];
    double sum = 0, square = 0;
    NEED_GPU();
    for (int k = 0; k < SEEDS; k++) {
        make_batch(0, 3000, 1, &b[k]);
        for (int r = 0; r < ELEMENTS; r++) {
            sw_dem_packing *pack = &b[k].sample[r].packing;
            for (int64_t i = 0; i < PARTICLES; i++)
                pack->radius[i] *= 1 + 0.005 * dem_random(100 + (uint64_t)k, i, r);
        }
        sw_dem *cpu = run_on(0, &ways[0], &b[k]), *gpu = run_on(1, &ways[0], &b[k]);
        for (int r = 0; r < ELEMENTS; r++) {
            const double off = log(last_row(gpu, r)->pressure / last_row(cpu, r)->pressure);
            sum += off / N;
            square += off * off / N;
        }
        sw_dem_close(cpu);
        sw_dem_close(gpu);
        free_batch(&b[k]);
    }
    const double deviation = sqrt(square / (N - 1));
    print_message("ln of pressures' ratio: mean %.1e, standard error %.1e\n", sum, deviation);
    assert_true(fabs(sum) <= 3.5 * deviation + 1e-5);
    assert_true(deviation < 0.01); /* or the check says nothing */
}

/* ---- Crystals ---- */

static sw_response *open_response(sw_device device)
{
    static sw_material material;
    sw_response *response;
    material = copper();
    const sw_response_options options = {.solver = "rigid_plastic", .material = &material, .device = device};
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

static void give_crystals(sw_response *response, double refresh, batch *b)
{
    CHECK_OK(sw_crystals_randomise(SW_CPU, PARTICLES * EACH, b->crystal, 7, 0, 16e6F));
    b->crystals = (sw_dem_crystals){response, EACH, b->crystal, refresh, 0};
    for (int r = 0; r < ELEMENTS; r++)
        b->sample[r].crystals = &b->crystals;
}

/* Elements on the GPU ask crystals on either device. With those on the CPU, crystals see loadings that differ by
 * roundings of theirs, 6e-8, which answers near a corner of the yield surface enlarge a thousandfold; stresses of
 * the GPU's own solver are within 1e-3 of the CPU's on average over points (test_points.c), and of them the sums
 * here are means. */
static void crystals_answer_elements_on_the_gpu(void **state)
{
    static batch b;
    NEED_GPU();
    make_batch(1, 400, 1, &b);
    sw_response *on_cpu = open_response(SW_CPU), *on_gpu = open_response(SW_CUDA);
    for (int w = 0; w < TEAMS; w++) {
        give_crystals(on_cpu, 0.002, &b);
        sw_dem *cpu = run_on(0, &ways[w], &b), *with_cpu = run_on(1, &ways[w], &b);
        give_crystals(on_gpu, 0.002, &b);
        sw_dem *with_gpu = run_on(1, &ways[w], &b);
        for (int r = 0; r < ELEMENTS; r++) {
            const sw_dem_row *row = last_row(cpu, r), *one = last_row(with_cpu, r),
                             *other = last_row(with_gpu, r);
            print_message("%s: off by %.1e with crystals on the CPU, %.1e with those on the GPU\n",
                          sw_dem_teams[ways[w].team], difference(cpu, with_cpu, r),
                          difference(cpu, with_gpu, r));
            assert_true(difference(cpu, with_cpu, r) <= 1e-4);
            assert_true(difference(cpu, with_gpu, r) <= 5e-3);
            assert_true(row->slip_resistance > 1.001 * 16e6); /* asked more than once */
            CHECK_CLOSE(one->slip_resistance, row->slip_resistance, 1e-4 * row->slip_resistance);
            CHECK_CLOSE(other->slip_resistance, row->slip_resistance, 5e-3 * row->slip_resistance);
            CHECK_CLOSE(other->crystal_work, row->crystal_work, 5e-3 * row->crystal_work);
        }
        sw_dem_close(cpu);
        sw_dem_close(with_cpu);
        sw_dem_close(with_gpu);
    }
    sw_response_close(on_gpu);
    sw_response_close(on_cpu);
    free_batch(&b);
}

/* ---- Bits ---- */

/* What moves, what contacts remember, what crystals are: but not lists and launches. */
static void assert_same_bits(const sw_dem *one, int64_t r, const sw_dem *other, int64_t s)
{
    const sw_dem_rve *a = sw_dem_get(one, r), *b = sw_dem_get(other, s);
    const sw_dem_polycrystals *x = &one->crystals[r], *y = &other->crystals[s];
    const size_t n = (size_t)a->n_particles;
    assert_int_equal(a->state->step, b->state->step);
    assert_int_equal(one->rows[r].n, other->rows[s].n);
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->spin, b->spin, n * sizeof *a->spin);
    assert_memory_equal(a->strength, b->strength, n * sizeof *a->strength);
    assert_memory_equal(a->state->work, b->state->work, sizeof a->state->work);
    assert_memory_equal(a->state->stress, b->state->stress, sizeof a->state->stress);
    assert_int_equal(a->state->n_pairs, b->state->n_pairs);
    for (int k = 0; k < SW_DEM_SPRINGS + a->law_numbers; k++)
        assert_memory_equal(a->history + k * a->pair_capacity, b->history + k * b->pair_capacity,
                            (size_t)a->state->n_pairs * sizeof(double));
    assert_memory_equal(x->crystal, y->crystal, n * EACH * sizeof *x->crystal);
    assert_memory_equal(x->work, y->work, n * sizeof *x->work);
}

/* An element alone, its second stage added when the first is done. */
static sw_dem *run_alone(const sw_dem_options *options, const batch *b, int r)
{
    sw_dem_sample sample = b->sample[r];
    sample.n_stages = 1;
    sw_dem *dem = open_batch(options, 1, &sample);
    run_all(dem);
    CHECK_OK(sw_dem_add_stage(dem, 0, &b->stage[r][1]));
    run_all(dem);
    return dem;
}

/* In a batch, in one that waits for two slots, and alone, with the stages apart: the same bits. Crystals are asked
 * after every interval, also between the stages. */
static void a_batch_is_its_elements_alone(void **state)
{
    static batch b;
    NEED_GPU();
    make_batch(0, 200, 2, &b);
    for (int device = 0; device < 2; device++) {
        sw_response *response = open_response(device == 0 ? SW_CPU : SW_CUDA);
        give_crystals(response, 1e-5, &b);
        for (int w = 0; w < TEAMS; w++) {
            sw_dem_options options = options_on(1, &ways[w]);
            sw_dem *together = run_on(1, &ways[w], &b);
            options.memory = 2 * sw_dem_get(together, 0)->bytes + 4096;
            sw_dem *waiting = open_batch(&options, ELEMENTS, b.sample);
            run_all(waiting);
            options.memory = 0;
            for (int r = 0; r < ELEMENTS; r++) {
                sw_dem *alone = run_alone(&options, &b, r);
                assert_same_bits(together, r, waiting, r);
                assert_same_bits(together, r, alone, 0);
                sw_dem_close(alone);
            }
            sw_dem_close(together);
            sw_dem_close(waiting);
        }
        sw_response_close(response);
    }
    free_batch(&b);
}

/* All states of one batch to another, and on to the end of the second stage. */
static void carry_on(sw_dem *from, sw_dem *to, const batch *b)
{
    for (int r = 0; r < ELEMENTS; r++) {
        void *data;
        int64_t bytes;
        CHECK_OK(sw_dem_add_stage(from, r, &b->stage[r][1]));
        assert_int_equal(sw_dem_get(from, r)->state->status, SW_DEM_NEEDS_CRYSTALS);
        CHECK_OK(sw_dem_save(from, r, &bytes, &data));
        CHECK_OK(sw_dem_restore(to, r, bytes, data));
        free(data);
    }
    run_all(to);
}

/* States saved on one device, while they wait for their crystals, go on on either: on the GPU to the bits of a run
 * without a stop, and from the CPU to what it comes to itself, within the tolerance of crystals above. */
static void states_go_from_device_to_device(void **state)
{
    static batch whole, half;
    NEED_GPU();
    sw_response *response = open_response(SW_CPU);
    make_batch(1, 200, 2, &whole);
    make_batch(1, 200, 1, &half);
    give_crystals(response, 1e-5, &whole);
    give_crystals(response, 1e-5, &half);
    sw_dem *straight[2], *begun[2];
    for (int cuda = 0; cuda < 2; cuda++)
        straight[cuda] = run_on(cuda, &ways[0], &whole);
    for (int from = 0; from < 2; from++)
        for (int to = 0; to < 2; to++) {
            const sw_dem_options options = options_on(to, &ways[0]);
            begun[0] = run_on(from, &ways[0], &half);
            begun[1] = open_batch(&options, ELEMENTS, half.sample);
            carry_on(begun[0], begun[1], &whole);
            for (int r = 0; r < ELEMENTS; r++) {
                if (from == to)
                    assert_same_bits(straight[to], r, begun[1], r);
                assert_true(difference(straight[to], begun[1], r) <= 1e-4);
            }
            sw_dem_close(begun[0]);
            sw_dem_close(begun[1]);
        }
    sw_dem_close(straight[0]);
    sw_dem_close(straight[1]);
    sw_response_close(response);
    free_batch(&whole);
    free_batch(&half);
}

/* argv[1]: names of tests to run alone, as compute-sanitizer wants them short. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_compaction_is_the_cpus),
        cmocka_unit_test(free_compaction_is_the_cpus_for_a_while),
        cmocka_unit_test(compaction_agrees_in_the_mean),
        cmocka_unit_test(crystals_answer_elements_on_the_gpu),
        cmocka_unit_test(a_batch_is_its_elements_alone),
        cmocka_unit_test(states_go_from_device_to_device),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
