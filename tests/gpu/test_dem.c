/* Volume elements on the GPU: every team, detection and kind of images against the CPU, and against
 * themselves in other batches. Skipped, saying so, where there is no GPU.
 *
 * Over short times CPU and GPU differ by round-off (order of sums over contacts and over the element, fused
 * multiply-adds); later orbits of particles part, as chaos has them, and only means over many elements agree.
 */
#include "tests/online/dem/packs.h"

#include "online/dem/backend/names.h"
#include "online/gpu/gpu.h"

static int gpus;
static const double pressure = 200e3, least = 5e-5, largest = 1.25e-4;

#define NEED_GPU() \
    (void)state;   \
    if (gpus == 0) \
    skip()

typedef struct {
    sw_dem_team team;
    sw_dem_detection detection;
    sw_dem_images images;
} way;

static const way ways[] = {
    {SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_NEAREST},    {SW_DEM_BLOCK, SW_DEM_GRID, SW_DEM_BOUNDARY_PARTICLES},
    {SW_DEM_CLUSTER, SW_DEM_GRID, SW_DEM_NEAREST},  {SW_DEM_CLUSTER, SW_DEM_GRID, SW_DEM_BOUNDARY_PARTICLES},
    {SW_DEM_DEVICE, SW_DEM_GRID, SW_DEM_NEAREST},   {SW_DEM_DEVICE, SW_DEM_GRID, SW_DEM_BOUNDARY_PARTICLES},
#ifdef SW_HAVE_PAPERS
    {SW_DEM_LAUNCHES, SW_DEM_GRID, SW_DEM_NEAREST}, {SW_DEM_LAUNCHES, SW_DEM_GRID, SW_DEM_BOUNDARY_PARTICLES},
    {SW_DEM_LAUNCHES, SW_DEM_HASH, SW_DEM_NEAREST}, {SW_DEM_LAUNCHES, SW_DEM_HASH, SW_DEM_BOUNDARY_PARTICLES},
    {SW_DEM_LAUNCHES, SW_DEM_BVH, SW_DEM_NEAREST},  {SW_DEM_LAUNCHES, SW_DEM_BVH, SW_DEM_BOUNDARY_PARTICLES},
#endif
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static sw_dem_options options_of(const way *w, int cuda)
{
    sw_dem_options options = sw_dem_defaults();
    options.cuda = cuda;
    options.images = w->images;
    if (cuda) {
        options.team = w->team;
        options.detection = w->detection;
    }
    return options;
}

enum { MOST = 7 };
static sw_dem_packing dense[MOST]; /* pressed together on the CPU, once; moving still */

static void make_dense(void)
{
    for (int r = 0; r < MOST; r++) {
        const double small = r % 3 == 2 ? largest / 6 : least;
        const sw_dem_material material = sw_dem_quartz();
        const sw_dem_numerics numerics = sw_dem_numerics_defaults();
        sw_dem_packing loose = dem_pack_lattice(90 + 37 * r, small, largest, 1.02, 0.3, 5 + (uint64_t)r);
        sw_dem_stage stage =
            dem_isotropic(pressure, dem_rate(&material, 0.5 * (small + largest), pressure, 0.05), 0.2);
        stage.until = SW_DEM_UNTIL_PRESSURE;
        stage.goal = pressure / 2;
        sw_dem *dem = dem_open(NULL, &loose, &material, &numerics, 1, &stage);
        dem_finish(dem);
        CHECK_OK(sw_dem_get_packing(dem, 0, &dense[r]));
        sw_dem_close(dem);
        sw_dem_packing_free(&loose);
    }
}

static int set_up(void **state)
{
    char name[256];
    (void)state;
    gpus = sw_gpu_describe(name, sizeof name);
    print_message("GPU: %s\n", name);
    if (gpus > 0)
        make_dense();
    return 0;
}

/* Elements of different sizes, radii, laws and paths; [n] <= MOST. */
static void make_elements(int n, sw_dem_sample *sample, sw_dem_stage (*stage)[2], double steps)
{
    for (int r = 0; r < n; r++) {
        const double small = r % 3 == 2 ? largest / 6 : least;
        sample[r] = (sw_dem_sample){.packing = dense[r],
                                    .material = sw_dem_quartz(),
                                    .numerics = sw_dem_numerics_defaults(),
                                    .n_stages = 2,
                                    .stage = stage[r]};
        if (r % 2 == 1)
            sample[r].material.law = SW_DEM_HERTZ_MINDLIN;
        if (r % 4 == 3)
            sample[r].material.moment_radius = SW_DEM_MOMENT_PRODUCT;
        sample[r].numerics.control_interval = 10 + 3 * r;
        sample[r].numerics.record_interval = 50;
        const double rate = dem_rate(&sample[r].material, 0.5 * (small + largest), pressure, 0.05);
        stage[r][0] = dem_isotropic(pressure, rate, 0.2);
        stage[r][0].until = SW_DEM_UNTIL_STEPS;
        stage[r][0].goal = steps;
        stage[r][1] = dem_steps(steps);
        for (int i = 0; i < 9; i++) /* shear and compression: cells lean */
            stage[r][1].velocity_gradient[i / 3][i % 3] = rate * dem_random(77, r, i);
    }
}

/* Largest difference of positions, relative to the largest radius. */
static double position_difference(const sw_dem_rve *a, const sw_dem_rve *b)
{
    double most = 0;
    for (int64_t i = 0; i < a->n_particles; i++)
        for (int k = 0; k < 3; k++) {
            const double d = fabs(a->position[i][k] - b->position[i][k]) / a->largest_radius;
            most = d > most || isnan(d) ? d : most;
        }
    return most;
}

static void test_short_times(void **state)
{
    enum { ELEMENTS = 6 };
    NEED_GPU();
    for (int w = 0; w < WAYS; w++) {
        sw_dem_sample sample[ELEMENTS];
        sw_dem_stage stage[ELEMENTS][2];
        sw_dem *cpu, *gpu;
        double worst = 0;
        int contacts = 0;
        make_elements(ELEMENTS, sample, stage, 150);
        const sw_dem_options on_cpu = options_of(&ways[w], 0), on_gpu = options_of(&ways[w], 1);
        CHECK_OK(sw_dem_open(&on_cpu, ELEMENTS, sample, &cpu));
        CHECK_OK(sw_dem_open(&on_gpu, ELEMENTS, sample, &gpu));
        CHECK_OK(sw_dem_run(cpu, NULL, NULL));
        CHECK_OK(sw_dem_run(gpu, NULL, NULL));
        for (int r = 0; r < ELEMENTS; r++) {
            int64_t n_cpu, n_gpu;
            const sw_dem_rve *a = sw_dem_get(cpu, r), *b = sw_dem_get(gpu, r);
            CHECK_OK(sw_dem_failure(gpu, r));
            assert_int_equal(a->state->status, SW_DEM_DONE);
            assert_int_equal(b->state->status, SW_DEM_DONE);
            assert_int_equal(a->state->step, b->state->step);
            assert_int_equal(a->state->n_pairs, b->state->n_pairs);
            const double off = position_difference(a, b);
            worst = off > worst || isnan(off) ? off : worst;
            const sw_dem_row *rows = sw_dem_rows(cpu, r, &n_cpu), *others = sw_dem_rows(gpu, r, &n_gpu);
            assert_true(n_cpu > 5);
            assert_int_equal(n_cpu, n_gpu);
            CHECK_CLOSE(others[n_cpu - 1].pressure, rows[n_cpu - 1].pressure,
                        1e-6 * fabs(rows[n_cpu - 1].pressure) + 1);
            CHECK_CLOSE(others[n_cpu - 1].boundary_work, rows[n_cpu - 1].boundary_work,
                        1e-8 * fabs(rows[n_cpu - 1].boundary_work));
            contacts += (int)rows[n_cpu - 1].contacts;
        }
        print_message("%s %s %s: positions within %.1e of a radius, %d contacts\n",
                      sw_dem_teams[ways[w].team], sw_dem_detections[ways[w].detection],
                      sw_dem_image_names[ways[w].images], worst, contacts);
        assert_true(contacts > 50);
        /* round-off 1e-16 of cells of 10 radii, over 5e-5 of overlap, growing through 300 steps of collisions; and what a
         * particle bears in single precision, 3e-8 of overlaps of 1e-2 of a radius: 1.4e-9, likewise by the CPU */
        assert_true(worst < 1e-7);
        sw_dem_close(cpu);
        sw_dem_close(gpu);
    }
}

/* The state's bytes but what tells of lists and launches. */
static void assert_same_bits(const sw_dem_rve *a, const sw_dem_rve *b)
{
    const size_t n = (size_t)a->n_particles;
    assert_int_equal(a->state->step, b->state->step);
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->spin, b->spin, n * sizeof *a->spin);
    assert_memory_equal(&a->state->cell.h, &b->state->cell.h, sizeof a->state->cell.h);
    assert_memory_equal(a->state->work, b->state->work, sizeof a->state->work);
    assert_memory_equal(a->state->stress, b->state->stress, sizeof a->state->stress);
    assert_int_equal(a->state->n_pairs, b->state->n_pairs);
    for (int k = 0; k < 7; k++)
        assert_memory_equal(a->history + k * a->pair_capacity, b->history + k * b->pair_capacity,
                            (size_t)a->state->n_pairs * sizeof(double));
}

/* Alone, in a batch, in a batch that waits for two slots, and cut into pieces by another stage: the same bits. */
static void test_batches(void **state)
{
    enum { ELEMENTS = 7 };
    NEED_GPU();
    for (int w = 0; w < WAYS; w++) {
        sw_dem_sample sample[ELEMENTS];
        sw_dem_stage stage[ELEMENTS][2];
        sw_dem *batch, *waiting, *alone;
        sw_dem_options options = options_of(&ways[w], 1);
        int64_t bytes = 0;
        make_elements(ELEMENTS, sample, stage, 300);
        CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &batch));
        CHECK_OK(sw_dem_run(batch, NULL, NULL));
        for (int r = 0; r < ELEMENTS; r++)
            bytes = sw_dem_get(batch, r)->bytes > bytes ? sw_dem_get(batch, r)->bytes : bytes;
        options.memory = 2 * bytes + 4096;
        CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &waiting));
        CHECK_OK(sw_dem_run(waiting, NULL, NULL));
        options.memory = 0;
        for (int r = 0; r < ELEMENTS; r++) {
            sample[r].n_stages = 1;
            CHECK_OK(sw_dem_open(&options, 1, &sample[r], &alone));
            CHECK_OK(sw_dem_run(alone, NULL, NULL));
            CHECK_OK(sw_dem_add_stage(alone, 0, &stage[r][1]));
            CHECK_OK(sw_dem_run(alone, NULL, NULL));
            assert_same_bits(sw_dem_get(batch, r), sw_dem_get(waiting, r));
            assert_same_bits(sw_dem_get(batch, r), sw_dem_get(alone, 0));
            sw_dem_close(alone);
        }
        sw_dem_close(batch);
        sw_dem_close(waiting);
    }
}

typedef struct {
    int count, contacts;
} looks;

/* What is there is the element as it is: its contacts carry the stress of the last measurement, a step before. */
static sw_status look(void *context, sw_dem *dem, int64_t r)
{
    looks *own = (looks *)context + r;
    sw_dem_contact_record *contact;
    int64_t n;
    assert_int_equal(sw_dem_get(dem, r)->state->n_snapshots, own->count++);
    CHECK_OK(sw_dem_get_contacts(dem, r, &n, &contact));
    own->contacts += (int)n;
    free(contact);
    return SW_OK;
}

/* Snapshots come as often as on the CPU, and change no bit. */
static void test_snapshots(void **state)
{
    enum { ELEMENTS = 4 };
    NEED_GPU();
    for (int w = 0; w < WAYS; w++) {
        sw_dem_sample sample[ELEMENTS];
        sw_dem_stage stage[ELEMENTS][2];
        sw_dem *cpu, *without, *with;
        looks of_cpu[ELEMENTS] = {{0, 0}}, of_gpu[ELEMENTS] = {{0, 0}};
        make_elements(ELEMENTS, sample, stage, 150);
        const sw_dem_options on_cpu = options_of(&ways[w], 0), on_gpu = options_of(&ways[w], 1);
        CHECK_OK(sw_dem_open(&on_cpu, ELEMENTS, sample, &cpu));
        CHECK_OK(sw_dem_open(&on_gpu, ELEMENTS, sample, &without));
        CHECK_OK(sw_dem_open(&on_gpu, ELEMENTS, sample, &with));
        sw_dem_on_snapshot(cpu, 2e-4, look, of_cpu);
        sw_dem_on_snapshot(with, 2e-4, look, of_gpu);
        CHECK_OK(sw_dem_run(cpu, NULL, NULL));
        CHECK_OK(sw_dem_run(without, NULL, NULL));
        CHECK_OK(sw_dem_run(with, NULL, NULL));
        for (int r = 0; r < ELEMENTS; r++) {
            assert_true(of_gpu[r].count > 2 && of_gpu[r].contacts > 0); /* more than the ends of its stages */
            assert_int_equal(of_gpu[r].count, of_cpu[r].count);
            assert_int_equal(of_gpu[r].contacts, of_cpu[r].contacts);
            assert_same_bits(sw_dem_get(with, r), sw_dem_get(without, r));
        }
        sw_dem_close(cpu);
        sw_dem_close(without);
        sw_dem_close(with);
    }
}

/* `auto` takes the team by each element's own size: small and large together give the bits of each alone. */
static void test_sizes_together(void **state)
{
    enum { ELEMENTS = 4 };
    NEED_GPU();
    static const int64_t sizes[ELEMENTS] = {200, 3000, 7000, 41000}; /* shared, not shared, cluster, device */
    sw_dem_sample sample[ELEMENTS];
    const sw_dem_stage stage = dem_steps(60);
    sw_dem_options options = sw_dem_defaults();
    sw_dem *batch, *alone;
    options.cuda = 1;
    for (int r = 0; r < ELEMENTS; r++)
        sample[r] =
            (sw_dem_sample){.packing = dem_pack_lattice(sizes[r], least, largest, 1.01, 3, 40 + (uint64_t)r),
                            .material = sw_dem_quartz(),
                            .numerics = sw_dem_numerics_defaults(),
                            .n_stages = 1,
                            .stage = &stage};
    CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &batch));
    CHECK_OK(sw_dem_run(batch, NULL, NULL));
    for (int r = 0; r < ELEMENTS; r++) {
        CHECK_OK(sw_dem_open(&options, 1, &sample[r], &alone));
        CHECK_OK(sw_dem_run(alone, NULL, NULL));
        CHECK_OK(sw_dem_failure(alone, 0));
        assert_same_bits(sw_dem_get(batch, r), sw_dem_get(alone, 0));
        sw_dem_close(alone);
        sw_dem_packing_free(&sample[r].packing);
    }
    sw_dem_close(batch);
}

/* Detections find the same pairs, so launches move alike with all of them, bit for bit. */
static void test_detections(void **state)
{
    enum { ELEMENTS = 5 };
    NEED_GPU();
    if (!SW_HAS_PAPERS)
        skip();
    for (int images = 0; images < 2; images++) {
        sw_dem_sample sample[ELEMENTS];
        sw_dem_stage stage[ELEMENTS][2];
        sw_dem *by[SW_DEM_DETECTIONS];
        make_elements(ELEMENTS, sample, stage, 400);
        for (int d = 0; d < SW_DEM_DETECTIONS; d++) {
            const way w = {SW_DEM_LAUNCHES, (sw_dem_detection)d, (sw_dem_images)images};
            const sw_dem_options options = options_of(&w, 1);
            CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &by[d]));
            CHECK_OK(sw_dem_run(by[d], NULL, NULL));
            for (int r = 0; r < ELEMENTS; r++)
                assert_same_bits(sw_dem_get(by[0], r), sw_dem_get(by[d], r));
        }
        for (int d = 0; d < SW_DEM_DETECTIONS; d++)
            sw_dem_close(by[d]);
    }
}

/* Drained triaxial tests of many small elements: the means of CPU and GPU within their standard errors. */
static void test_ensemble(void **state)
{
    enum { ELEMENTS = 24, PARTICLES = 150 };
    NEED_GPU();
    sw_dem_sample sample[ELEMENTS];
    sw_dem_stage stage[3];
    const double rate = dem_rate(&(sw_dem_material){.density = 2600}, 8.75e-5, pressure, 1e-2);
    stage[0] = dem_isotropic(pressure, 5 * rate, 0.1);
    stage[1] = dem_isotropic(pressure, 5 * rate, -1);
    stage[2] = dem_drained(pressure, rate, 0.03);
    for (int r = 0; r < ELEMENTS; r++) {
        sample[r] = (sw_dem_sample){
            .packing = dem_pack_lattice(PARTICLES, least, largest, 1.02, 0.3, 100 + (uint64_t)r),
            .material = sw_dem_quartz(),
            .numerics = sw_dem_numerics_defaults(),
            .n_stages = 3,
            .stage = stage};
        sample[r].material.roll_strength = sample[r].material.twist_strength = 0.1;
        sample[r].numerics.record_interval = 1000;
    }
    double mean[2][2] = {{0}}, square[2][2] = {{0}};
    for (int cuda = 0; cuda < 2; cuda++) {
        const way w = {cuda ? SW_DEM_BLOCK : SW_DEM_THREAD, SW_DEM_GRID, SW_DEM_NEAREST};
        const sw_dem_options options = options_of(&w, cuda);
        sw_dem *dem;
        CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &dem));
        CHECK_OK(sw_dem_run(dem, NULL, NULL));
        for (int r = 0; r < ELEMENTS; r++) {
            int64_t n;
            CHECK_OK(sw_dem_failure(dem, r));
            const sw_dem_row *last = sw_dem_rows(dem, r, &n) + n - 1;
            const double value[2] = {last->deviator / last->pressure, last->volume_strain};
            for (int k = 0; k < 2; k++) {
                mean[cuda][k] += value[k] / ELEMENTS;
                square[cuda][k] += value[k] * value[k] / ELEMENTS;
            }
        }
        sw_dem_close(dem);
    }
    for (int k = 0; k < 2; k++) {
        double variance = 0; /* of the difference of both means */
        for (int cuda = 0; cuda < 2; cuda++)
            variance += (square[cuda][k] - mean[cuda][k] * mean[cuda][k]) / (ELEMENTS - 1);
        print_message("%s: CPU %.4f, GPU %.4f, standard error of the difference %.4f\n",
                      k == 0 ? "q/p" : "volume strain", mean[0][k], mean[1][k], sqrt(variance));
        CHECK_CLOSE(mean[1][k], mean[0][k], 3.5 * sqrt(variance));
        assert_true(sqrt(variance) < (k == 0 ? 0.1 : 0.005)); /* or the check says nothing */
    }
    for (int r = 0; r < ELEMENTS; r++)
        sw_dem_packing_free(&sample[r].packing);
}

/* What a GPU run says when it fails, and that the next one works. */
static void test_failures(void **state)
{
    NEED_GPU();
    sw_dem_sample sample[2];
    sw_dem_stage stage[2][2];
    sw_dem *dem;
    make_elements(2, sample, stage, 200);
    stage[1][0].until = SW_DEM_UNTIL_EQUILIBRIUM;
    stage[1][0].goal = 1e-9;
    stage[1][0].max_steps = 100;
    sw_dem_options options = sw_dem_defaults();
    options.cuda = 1;
    CHECK_OK(sw_dem_open(&options, 2, sample, &dem));
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    CHECK_OK(sw_dem_failure(dem, 0));
    assert_int_equal(sw_dem_failure(dem, 1), SW_ERR_CONVERGENCE);
    assert_message_has("most_steps = 100");
    sw_dem_close(dem);
    options.memory = 1000;
    CHECK_OK(sw_dem_open(&options, 2, sample, &dem));
    assert_int_equal(sw_dem_run(dem, NULL, NULL), SW_ERR_MEMORY);
    sw_dem_close(dem);
}

/* argv[1]: names of tests to run alone, as compute-sanitizer wants them short. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_times),    cmocka_unit_test(test_batches),
        cmocka_unit_test(test_sizes_together), cmocka_unit_test(test_detections),
        cmocka_unit_test(test_ensemble),       cmocka_unit_test(test_failures),
        cmocka_unit_test(test_snapshots),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
