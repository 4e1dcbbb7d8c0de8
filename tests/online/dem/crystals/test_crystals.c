/* Particles made of crystals: their flow stress along contacts, what they are put through, and where work goes.
 * Against the response itself under the same loading, and Taylor factors of single crystals. */
#include <omp.h>

#include "online/dem/crystals/motion.h"
#include "tests/online/dem/packs.h"

enum { MOST = 64 * 64 };

static sw_material material;
static sw_response *response;
static sw_crystal crystals[MOST];

static int set_up(void **state)
{
    (void)state;
    material = copper();
    const sw_response_options options = {.solver = "rigid_plastic", .material = &material};
    return sw_response_open(&options, &response) != SW_OK;
}

static int tear_down(void **state)
{
    (void)state;
    sw_response_close(response);
    return 0;
}

static sw_dem_material metal(void)
{
    return (sw_dem_material){.law = SW_DEM_METAL,
                             .young = 120e9,
                             .poisson = 0.34,
                             .density = 8900,
                             .strength = 60e6,
                             .rate_sensitivity = material.slip.rate_sensitivity};
}

/* m^3 spheres on a cubic lattice that overlap by this part of their diameter, in a cell that they fill. */
static sw_dem_packing overlapping(int64_t m, double overlap)
{
    const double r = 50e-6, edge = 2 * r * (double)m;
    sw_dem_packing pack = dem_pack(m * m * m, edge, edge, edge);
    for (int64_t i = 0; i < pack.n_particles; i++) {
        const int64_t at[3] = {i % m, i / m % m, i / m / m};
        pack.radius[i] = r * (1 + overlap);
        for (int k = 0; k < 3; k++)
            pack.position[i][k] = 2 * r * ((double)at[k] + 0.5);
    }
    return pack;
}

static sw_dem_packing touching(int64_t m) { return overlapping(m, 1e-9); }

static sw_dem *open_metal(const sw_dem_packing *pack, const sw_dem_crystals *c, int affine, int n_stages,
                          const sw_dem_stage *stage)
{
    sw_dem_sample sample = {.packing = *pack,
                            .material = metal(),
                            .numerics = sw_dem_numerics_defaults(),
                            .n_stages = n_stages,
                            .stage = stage,
                            .crystals = c};
    const sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    sample.numerics.affine = affine;
    sample.numerics.time_scale = affine ? 1 : 1e6;
    sample.numerics.step_rule = affine ? SW_DEM_STEP_FIXED : SW_DEM_STEP_WAVE;
    sample.numerics.step = affine ? 0.05 : 0.5;
    sample.numerics.control_interval = 10;
    sample.numerics.record_interval = 100;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    return dem;
}

/* ---- Flow stresses ---- */

/* Work per volume under axial compression along n at an equivalent rate of 1e-3 1/s, by the response. */
static double flow_stress(const double n[3], int64_t count, const sw_crystal *crystal)
{
    sw_crystal own[MOST];
    double l[3][3], power = 0;
    sw_response_average mean;
    const sw_crystals c = sw_crystals_alone(response, count, own);
    memcpy(own, crystal, (size_t)count * sizeof *own);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            l[i][j] = -1.5e-3 * (n[i] * n[j] - (i == j ? 1.0 / 3 : 0));
    CHECK_OK(sw_response_step(response, (const double(*)[3])l, 1e-3, &c, &c, &mean));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            power += mean.cauchy_stress[i][j] * l[i][j];
    return power / 1e-3;
}

/* A contact's strength is that of both particles along its normal; a random polycrystal's is 3.06 slip resistances
 * (Taylor 1938, Bishop and Hill 1951) at the slip rate's own scale. */
static void strength_is_the_flow_stress_along_the_normal(void **state)
{
    (void)state;
    enum { EACH = 500 };
    static const double cell[3][3] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}, at[3] = {3e-4, 5e-4, 4e-4},
                        radii[2] = {50e-6, 40e-6}, along[3] = {0.6, 0.64, 0.48};
    const double m = material.slip.rate_sensitivity;
    sw_dem_packing pack = dem_pack_pair(cell, at, radii, along, -1e-6);
    const sw_dem_stage stage = dem_steps(1);
    const sw_dem_crystals c = {response, EACH, crystals, 0.005, 1};
    sw_dem_history history;
    CHECK_OK(sw_crystals_randomise(SW_CPU, 2 * EACH, crystals, 5, 0, 16e6F));
    for (int i = 0; i < EACH; i++)
        crystals[i].slip_resistance = 20e6F;
    sw_dem *dem = open_metal(&pack, &c, 0, 1, &stage);
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    CHECK_OK(sw_dem_add_stage(dem, 0, &stage));
    sw_dem_rve *rve = (sw_dem_rve *)sw_dem_get(dem, 0); /* asked again, now that they touch */
    sw_dem_polycrystals *poly = &dem->crystals[0];
    CHECK_OK(sw_dem_refresh(rve, poly));
    sw_dem_load_history(1, rve, 0, &history);
    const double a = flow_stress(along, EACH, crystals) / pow(1e-3, m),
                 b = flow_stress(along, EACH, crystals + EACH) / pow(1e-3, m);
    CHECK_CLOSE(rve->strength[0], a, 1e-3 * a); /* crystals have hardened by a step */
    CHECK_CLOSE(rve->strength[1], b, 1e-3 * b);
    CHECK_CLOSE(history.law[SW_DEM_METAL_STRENGTH], sw_dem_pair_strength(a, b, m), 1e-3 * b);
    const double factor = flow_stress(along, EACH, crystals + EACH) / 16e6;
    print_message("Taylor factor %.3f\n", factor);
    CHECK_CLOSE(factor, 3.06, 0.03 * 3.06); /* (3.06 rate / 1e-3)^m = 1.3 %, and 500 crystals */
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* Bishop and Hill: 2.449 along <100> on eight slip systems, 3.674 along <111> on six: cubes react along their
 * edges and their diagonals with that ratio, times that of the slip rates, 2, to the power m. */
static void texture_makes_strengths_differ(void **state)
{
    (void)state;
    static const double edge[3] = {0, 0, 1}, diagonal[3] = {0.57735026919, 0.57735026919, 0.57735026919};
    const sw_crystal cube = {.slip_resistance = 16e6F};
    const double ratio = flow_stress(diagonal, 1, &cube) / flow_stress(edge, 1, &cube);
    CHECK_CLOSE(ratio, 1.5 * pow(2, material.slip.rate_sensitivity), 1e-3);
    static const double cell[3][3] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}, at[3] = {3e-4, 5e-4, 4e-4},
                        radii[2] = {50e-6, 50e-6};
    double force[2];
    for (int k = 0; k < 2; k++) {
        sw_dem_packing pack = dem_pack_pair(cell, at, radii, k == 0 ? edge : diagonal, -1e-9);
        sw_dem_stage stage = dem_steps(1000);
        const sw_crystal both[2] = {cube, cube};
        const sw_dem_crystals c = {response, 1, both, 1e-3,
                                   1}; /* the pair's strengths come with the first refresh */
        sw_dem_row row;
        for (int i = 0; i < 3; i++)
            stage.velocity_gradient[i][i] = -1e-3;
        sw_dem *dem = open_metal(&pack, &c, 1, 1, &stage);
        dem_finish(dem);
        sw_dem_last_row(dem, 0, &row);
        force[k] = row.pressure;
        sw_dem_close(dem);
        sw_dem_packing_free(&pack);
    }
    CHECK_CLOSE(force[1] / force[0], ratio, 0.01 * ratio);
}

/* ---- Motion ---- */

/* Particles whose fluctuations are a field of constant gradient have it as their own, but for the pull of the
 * element's:
 * 0.1 (2r)^2 beside 2 (2r)^2 of six contacts. Those at the faces see images that do not follow. */
static void fluctuations_are_found_again(void **state)
{
    (void)state;
    enum { M = 4 };
    static const double gradient[3][3] = {{1e-3, 4e-3, 0}, {-2e-3, -3e-3, 1e-3}, {0, 5e-4, 2e-3}};
    sw_dem_packing pack = touching(M);
    const sw_dem_stage stage = dem_steps(0);
    const sw_dem_crystals c = {response, 1, crystals, 0.005, 0};
    sw_dem_motion motion[M * M * M];
    CHECK_OK(sw_crystals_randomise(SW_CPU, M * M * M, crystals, 5, 0, 16e6F));
    sw_dem *dem = open_metal(&pack, &c, 0, 1, &stage);
    sw_dem_rve *rve = (sw_dem_rve *)dem_finish(dem);
    assert_int_equal(rve->state->n_pairs, 3 * M * M * M);
    for (int64_t i = 0; i < rve->n_particles; i++)
        for (int k = 0; k < 3; k++) {
            rve->displacement[i][k] = 0.25 * sw_dem_dot(gradient[k], pack.position[i]);
            rve->drift[i][k] = 0.75 * sw_dem_dot(gradient[k], pack.position[i]);
        }
    CHECK_OK(sw_dem_find_motion(rve, motion));
    for (int64_t i = 0; i < rve->n_particles; i++) {
        const int64_t at[3] = {i % M, i / M % M, i / M / M};
        if (at[0] % 3 == 0 || at[1] % 3 == 0 || at[2] % 3 == 0)
            continue;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) /* the symmetric part: particles have not turned */
                CHECK_CLOSE(motion[i].increment[a][b], 0.5 * (gradient[a][b] + gradient[b][a]) * 2 / 2.1,
                            1e-9);
    }
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* Contacts bear at once what they flow under at a rate of some 1e-7 m/s: without a memory they would be pressed
 * all the way in the first step. */
static void press_contacts(sw_dem_rve *rve)
{
    for (int64_t p = 0; p < rve->state->n_pairs; p++) {
        const sw_dem_pair_material *m = sw_dem_material_of_pair(rve, p);
        sw_dem_history history;
        double branch[3];
        sw_dem_branch(rve, p, branch);
        sw_dem_load_history(1, rve, p, &history);
        const double a = rve->radius[rve->pair[p][0]], b = rve->radius[rve->pair[p][1] & SW_DEM_PAIR_MASK];
        const double overlap = a + b - sqrt(sw_dem_dot(branch, branch)), n = m->rate_sensitivity;
        if (overlap <= 0)
            continue;
        history.law[SW_DEM_METAL_OVERLAP] = overlap;
        history.law[SW_DEM_METAL_FORCE] =
            m->force_factor * 60e6 * pow(a * b / (a + b) * overlap, 1 - 0.5 * n) * pow(1e-7, n);
        sw_dem_store_history(1, rve, p, &history);
    }
}

/* An element that shears as it is pressed, so dense that its contacts do more than the work that it takes: its
 * particles' crystals go where the
 * response takes them under that shear, mean flow alone. */
static void crystals_follow_the_mean_flow(void **state)
{
    (void)state;
    enum { M = 4, EACH = 20, P = M * M * M };
    static sw_crystal alone[P * EACH];
    sw_dem_packing pack = overlapping(M, 0.2);
    sw_response_average mean;
    const double l[3][3] = {{1e-3, 1e-3, 0}, {0, -2e-3, 0}, {0, 0, 1e-3}}, time = 1000 * 0.05;
    sw_dem_stage stage = dem_steps(1000);
    memcpy(stage.velocity_gradient, l, sizeof l);
    for (int k = 0; k < 3; k++)
        stage.velocity_gradient[k][k] -= 1e-3; /* whose trace crystals do not see */
    const sw_dem_crystals c = {response, EACH, alone, 0.005, 1};
    CHECK_OK(sw_crystals_randomise(SW_CPU, EACH, alone, 7, 0, 16e6F));
    for (int i = EACH; i < P * EACH;
         i++) /* particles alike, or the softer ones would take more of the work */
        alone[i] = alone[i % EACH];
    sw_dem *dem = open_metal(&pack, &c, 1, 1, &stage);
    press_contacts(&dem->rve[0]);
    sw_dem_rve *rve = (sw_dem_rve *)dem_finish(dem);
    CHECK_OK(sw_dem_refresh(rve, &dem->crystals[0])); /* the rest since the last */
    const sw_crystals all = sw_crystals_alone(response, P * EACH, alone);
    for (int s = 0; s < 40; s++)
        CHECK_OK(sw_response_step(response, l, time / 40, &all, &all, &mean));
    double resistance = 0, most = 0;
    for (int i = 0; i < P * EACH; i++) {
        resistance += (double)dem->crystals[0].crystal[i].slip_resistance / (P * EACH);
        for (int k = 0; k < 3; k++)
            most = greatest(most,
                            fabs(remainder((double)(dem->crystals[0].crystal[i].euler[k] - alone[i].euler[k]),
                                           2 * SW_PI)));
    }
    print_message("slip resistance %g of %g, largest angle %g\n", resistance, mean.slip_resistance, most);
    /* 25 steps of H = F - 1 here, 40 of L there */
    CHECK_CLOSE(resistance, mean.slip_resistance, 2e-3 * mean.slip_resistance);
    assert_true(most < 2e-3);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* ---- Work ---- */

/* Even compaction has no mean flow of particles: what contacts dissipate goes to and fro in the crystals, which
 * harden by it; all of it arrives there. Without it they stay as they are. */
static void work_at_contacts_is_work_in_crystals(void **state)
{
    (void)state;
    enum { M = 3, EACH = 8 };
    double strength[2];
    for (int mean_only = 0; mean_only < 2; mean_only++) {
        sw_dem_packing pack = touching(M);
        sw_dem_stage stage = dem_steps(2000);
        const sw_dem_crystals c = {response, EACH, crystals, 0.002, mean_only};
        sw_dem_row row;
        CHECK_OK(sw_crystals_randomise(SW_CPU, M * M * M * EACH, crystals, 7, 0, 16e6F));
        for (int i = 0; i < 3; i++)
            stage.velocity_gradient[i][i] = -5e-4;
        sw_dem *dem = open_metal(&pack, &c, 1, 1, &stage);
        sw_dem_rve *rve = (sw_dem_rve *)dem_finish(dem);
        CHECK_OK(sw_dem_refresh(rve, &dem->crystals[0]));
        sw_dem_last_row(dem, 0, &row);
        print_message("%s: work %g of %g, strain %g, slip resistance %g\n", mean_only ? "mean" : "all",
                      row.crystal_work, row.plastic_work, row.particle_strain, row.slip_resistance);
        strength[mean_only] = row.slip_resistance;
        if (mean_only)
            assert_true(row.crystal_work < 1e-3 * row.plastic_work);
        else /* strains to and fro are found from the strength before them */
            CHECK_CLOSE(row.crystal_work, row.plastic_work, 0.02 * row.plastic_work);
        sw_dem_close(dem);
        sw_dem_packing_free(&pack);
    }
    CHECK_CLOSE(strength[1], 16e6, 1e3);
    assert_true(strength[0] > 1.2 * 16e6);
}

/* Contacts that hold do no work but roundings, of either sign: even compaction then asks nothing of the crystals. */
static void work_of_roundings_moves_no_crystals(void **state)
{
    (void)state;
    enum { M = 3 };
    sw_dem_packing pack = overlapping(M, 1e-3);
    sw_dem_stage stage = dem_steps(1);
    const sw_dem_crystals c = {response, 1, crystals, 0.005, 0};
    sw_dem_history history;
    CHECK_OK(sw_crystals_randomise(SW_CPU, M * M * M, crystals, 7, 0, 16e6F));
    for (int i = 0; i < 3; i++)
        stage.velocity_gradient[i][i] = -1e-3;
    sw_dem *dem = open_metal(&pack, &c, 1, 1, &stage);
    sw_dem_rve *rve = (sw_dem_rve *)dem_finish(dem);
    for (int64_t p = 0; p < rve->state->n_pairs; p++) {
        sw_dem_load_history(1, rve, p, &history);
        history.law[SW_DEM_METAL_WORK] = -1e-20;
        sw_dem_store_history(1, rve, p, &history);
    }
    CHECK_OK(sw_dem_refresh(rve, &dem->crystals[0]));
    for (int i = 0; i < M * M * M; i++)
        CHECK_CLOSE(dem->crystals[0].crystal[i].slip_resistance, 16e6, 1);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* ---- Bits ---- */

enum { ELEMENTS = 3 };

static void run_batch(int threads, int64_t *bytes, void **data)
{
    const int before = omp_get_max_threads();
    sw_dem_packing pack = touching(3);
    sw_dem_stage stage = dem_steps(400);
    sw_dem_sample sample[ELEMENTS];
    const sw_dem_options options = sw_dem_defaults();
    const sw_dem_crystals c = {response, 4, crystals, 0.002, 0};
    sw_dem *dem;
    CHECK_OK(sw_crystals_randomise(SW_CPU, 27 * 4, crystals, 7, 0, 16e6F));
    for (int i = 0; i < 3; i++)
        stage.velocity_gradient[i][i] = i == 2 ? -1000 : -300;
    for (int r = 0; r < ELEMENTS; r++) {
        sample[r] = (sw_dem_sample){.packing = pack,
                                    .material = metal(),
                                    .numerics = sw_dem_numerics_defaults(),
                                    .n_stages = 1,
                                    .stage = &stage,
                                    .crystals = &c};
        sample[r].material.friction = 0.1 * r;
        sample[r].numerics.time_scale = 1e6;
    }
    omp_set_num_threads(threads);
    CHECK_OK(sw_dem_open(&options, threads == 1 ? 1 : ELEMENTS, threads == 1 ? &sample[1] : sample, &dem));
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    CHECK_OK(sw_dem_failure(dem, 0));
    CHECK_OK(sw_dem_save(dem, threads == 1 ? 0 : 1, bytes, data));
    sw_dem_close(dem);
    omp_set_num_threads(before);
    sw_dem_packing_free(&pack);
}

/* Bytes of a state: crystals too. */
static void a_batch_is_its_elements_alone(void **state)
{
    (void)state;
    int64_t bytes[2];
    void *data[2];
    run_batch(1, &bytes[0], &data[0]);
    run_batch(2, &bytes[1], &data[1]);
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(data[0], data[1], (size_t)bytes[0]);
    free(data[0]);
    free(data[1]);
}

/* Elements that have run for different times, the last without local flow: asked together, in whatever order, they get what
 * each gets alone. */
static void elements_asked_together_are_those_asked_alone(void **state)
{
    static const int64_t order[ELEMENTS] = {1, 0, 2};
    (void)state;
    sw_dem_packing pack = touching(3);
    sw_dem_stage stage[ELEMENTS];
    sw_dem_sample sample[ELEMENTS];
    const sw_dem_options options = sw_dem_defaults();
    const sw_dem_crystals c[2] = {{response, 5, crystals, 0.002, 0}, {response, 5, crystals, 0.002, 1}};
    sw_dem *together, *apart;
    CHECK_OK(sw_crystals_randomise(SW_CPU, 27 * 5, crystals, 7, 0, 16e6F));
    for (int r = 0; r < ELEMENTS; r++) {
        stage[r] = dem_steps(300 + 50 * r);
        for (int i = 0; i < 3; i++)
            stage[r].velocity_gradient[i][i] = i == 2 ? -1000 : -300;
        sample[r] = (sw_dem_sample){.packing = pack,
                                    .material = metal(),
                                    .numerics = sw_dem_numerics_defaults(),
                                    .n_stages = 1,
                                    .stage = &stage[r],
                                    .crystals = &c[r == ELEMENTS - 1]};
        sample[r].numerics.time_scale = 1e6;
    }
    CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &together));
    CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &apart));
    dem_finish(together);
    dem_finish(apart);
    CHECK_OK(sw_dem_refresh_all(ELEMENTS, order, together->rve, together->crystals, &together->room));
    for (int r = 0; r < ELEMENTS; r++) {
        void *one, *other;
        int64_t bytes[2];
        CHECK_OK(sw_dem_refresh(&apart->rve[r], &apart->crystals[r]));
        CHECK_OK(sw_dem_save(together, r, &bytes[0], &one));
        CHECK_OK(sw_dem_save(apart, r, &bytes[1], &other));
        assert_int_equal(bytes[0], bytes[1]);
        assert_memory_equal(one, other, (size_t)bytes[0]);
        free(one);
        free(other);
    }
    sw_dem_close(together);
    sw_dem_close(apart);
    sw_dem_packing_free(&pack);
}

static void saved_states_go_on_to_the_same_bits(void **state)
{
    (void)state;
    sw_dem_packing pack = touching(3);
    sw_dem_stage stage[2] = {dem_steps(300), dem_steps(300)};
    const sw_dem_crystals c = {response, 4, crystals, 0.002, 0};
    void *half, *end[2];
    int64_t bytes, length[2];
    CHECK_OK(sw_crystals_randomise(SW_CPU, 27 * 4, crystals, 7, 0, 16e6F));
    for (int k = 0; k < 6; k++)
        stage[k / 3].velocity_gradient[k % 3][k % 3] = -1000;
    sw_dem *dem = open_metal(&pack, &c, 0, 1, stage);
    dem_finish(dem);
    CHECK_OK(sw_dem_save(dem, 0, &bytes, &half));
    for (int k = 0; k < 2; k++) {
        CHECK_OK(sw_dem_add_stage(dem, 0, &stage[1]));
        dem_finish(dem);
        CHECK_OK(sw_dem_save(dem, 0, &length[k], &end[k]));
        CHECK_OK(sw_dem_restore(dem, 0, bytes, half));
    }
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(end[0], end[1], (size_t)length[0]);
    free(half);
    free(end[0]);
    free(end[1]);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* A stage that is added when the one before is done asks crystals first, where they are due, as one that was there
 * does:
 * here after every interval. */
static void stages_may_come_later(void **state)
{
    (void)state;
    enum { EACH = 4, P = 27 };
    sw_dem_packing pack = touching(3);
    sw_dem_stage stage[2] = {dem_steps(60), dem_steps(60)};
    const sw_dem_crystals c = {response, EACH, crystals, 1e-5, 0};
    CHECK_OK(sw_crystals_randomise(SW_CPU, P * EACH, crystals, 7, 0, 16e6F));
    for (int k = 0; k < 6; k++)
        stage[k / 3].velocity_gradient[k % 3][k % 3] = -1000;
    sw_dem *at_once = open_metal(&pack, &c, 0, 2, stage), *later = open_metal(&pack, &c, 0, 1, stage);
    dem_finish(at_once);
    dem_finish(later);
    CHECK_OK(sw_dem_add_stage(later, 0, &stage[1]));
    assert_int_equal(sw_dem_get(later, 0)->state->status, SW_DEM_NEEDS_CRYSTALS);
    dem_finish(later);
    assert_memory_equal(sw_dem_get(at_once, 0)->position, sw_dem_get(later, 0)->position,
                        P * 3 * sizeof(double));
    assert_memory_equal(at_once->crystals[0].crystal, later->crystals[0].crystal,
                        P * EACH * sizeof(sw_crystal));
    sw_dem_close(at_once);
    sw_dem_close(later);
    sw_dem_packing_free(&pack);
}

/* ---- What is refused ---- */

/* Room for questions to crystals of one element is not enough for those of a next one that has more. */
static void elements_have_crystals_of_their_own_number(void **state)
{
    (void)state;
    enum { MORE = 64, ELEMENTS = 3 };
    sw_dem_packing pack = touching(3);
    const sw_dem_options options = sw_dem_defaults();
    const int64_t each[ELEMENTS] = {1, MORE, 1};
    sw_dem_crystals c[ELEMENTS];
    sw_dem_sample sample[ELEMENTS];
    sw_dem *dem;
    sw_crystals_randomise(SW_CPU, MORE * pack.n_particles, crystals, 7, 0, 16e6F);
    for (int e = 0; e < ELEMENTS; e++) {
        c[e] = (sw_dem_crystals){response, each[e], crystals, 0.002, 0};
        sample[e] = (sw_dem_sample){.packing = pack,
                                    .material = metal(),
                                    .numerics = sw_dem_numerics_defaults(),
                                    .n_stages = 1,
                                    .crystals = &c[e]};
        sample[e].numerics.time_scale = 1e6;
    }
    const sw_dem_stage stage = dem_steps(1);
    for (int e = 0; e < ELEMENTS; e++)
        sample[e].stage = &stage;
    CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &dem)); /* its heap is checked where it is freed */
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

static void bad_crystals_are_refused(void **state)
{
    (void)state;
    sw_dem_packing pack = touching(3);
    sw_dem_sample sample = {.packing = pack, .material = metal(), .numerics = sw_dem_numerics_defaults()};
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_crystals c = {response, 0, crystals, 0.005, 0};
    sw_dem *dem;
    sample.crystals = &c;
    assert_int_equal(sw_dem_open(&options, 1, &sample, &dem), SW_ERR_RANGE);
    assert_message_has("element 0: crystals of a particle = 0: need 1 to");
    c.each = 1;
    c.refresh = 0.2;
    assert_int_equal(sw_dem_open(&options, 1, &sample, &dem), SW_ERR_RANGE);
    assert_message_has("refresh = 0.2: need more than 0, at most 0.02");
    c.refresh = 0.01;
    sample.material.law = SW_DEM_LINEAR;
    assert_int_equal(sw_dem_open(&options, 1, &sample, &dem), SW_ERR_RANGE);
    assert_message_has("crystals: need the law metal");
    sample.material.law = SW_DEM_METAL;
    sw_dem_options launches = options;
    launches.cuda = 1;
    launches.team = SW_DEM_LAUNCHES;
    assert_int_equal(sw_dem_open(&launches, 1, &sample, &dem),
                     SW_HAS_PAPERS ? SW_ERR_RANGE : SW_ERR_UNAVAILABLE);
    assert_message_has(
        OF_PAPERS("element 0: crystals: team = launches: need auto, thread, block, cluster or device"));
    sw_dem_packing_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strength_is_the_flow_stress_along_the_normal),
        cmocka_unit_test(texture_makes_strengths_differ),
        cmocka_unit_test(fluctuations_are_found_again),
        cmocka_unit_test(crystals_follow_the_mean_flow),
        cmocka_unit_test(work_at_contacts_is_work_in_crystals),
        cmocka_unit_test(work_of_roundings_moves_no_crystals),
        cmocka_unit_test(a_batch_is_its_elements_alone),
        cmocka_unit_test(elements_asked_together_are_those_asked_alone),
        cmocka_unit_test(saved_states_go_on_to_the_same_bits),
        cmocka_unit_test(stages_may_come_later),
        cmocka_unit_test(elements_have_crystals_of_their_own_number),
        cmocka_unit_test(bad_crystals_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
