/* Jobs with sides, walls, gravity and contacts that pull. */
#include "texts.h"

static const char box[] =
    "material: {law: capillary, young: 1.0e7, poisson: 0.5, friction: 0.3, density: 2500,\n"     /* 1 */
    "           liquid_volume: 1.0e-13, liquid_tension: 0.07, wetting_angle: 30}\n"              /* 2 */
    "packing: {particles: 40, radii: {distribution: uniform, least: 1.0e-4, largest: 2.0e-4}}\n" /* 3 */
    "sides: {2: open, 3: walls, friction: 0.2}\n"                                                /* 4 */
    "walls:\n"                                                                                   /* 5 */
    "  - {point: [0, 0, 1.0e-2], axis: [0, 0, -2], force: 0.5, max_speed: 0.1}\n"                /* 6 */
    "  - {point: [0, 0, -1.0e-2], axis: [0, 0, 1], velocity: [0, 0.1, 0.2], friction: 0.1}\n"    /* 7 */
    "gravity: [0, 0, -9.81]\n"                                                                   /* 8 */
    "loading:\n"                                                                                 /* 9 */
    "  - {test: rest, unbalanced_force: 0.02}\n"                                                 /* 10 */
    "  - {test: rest, duration: 0.5}\n"                                                          /* 11 */
    "output: {file: box.h5}\n";

static sw_dem_job *read_box(void)
{
    sw_dem_job *job;
    write_job(box, NULL, NULL);
    CHECK_OK(sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job));
    return job;
}

static void samples_have_what_jobs_say(void **state)
{
    (void)state;
    sw_dem_job *job = read_box();
    sw_dem_sample s;
    CHECK_OK(sw_dem_job_sample(job, 0, &s));
    assert_true(s.material.law == SW_DEM_CAPILLARY && s.material.liquid_volume == 1e-13 &&
                s.material.liquid_tension == 0.07);
    CHECK_CLOSE(s.material.wetting_angle, SW_PI / 6, 1e-15);
    assert_true(s.side[0] == SW_DEM_PERIODIC && s.side[1] == SW_DEM_OPEN && s.side[2] == SW_DEM_WALLED);
    assert_true(s.side_friction == 0.2 && s.gravity[2] == -9.81 && s.n_walls == 2);
    assert_true(s.wall[0].shape == SW_DEM_PLANE && s.wall[0].axis[2] == -2 && s.wall[0].point[2] == 1e-2 &&
                s.wall[0].force_driven && s.wall[0].force == 0.5 && s.wall[0].max_speed == 0.1 &&
                s.wall[0].friction == -1);
    assert_true(!s.wall[1].force_driven && s.wall[1].velocity[1] == 0.1 && s.wall[1].velocity[2] == 0.2 &&
                s.wall[1].friction == 0.1);
    /* strewn, not pressed: the beginning, which zeroes strains, and both tests */
    assert_int_equal(s.n_stages, 3);
    assert_true(s.stage[1].until == SW_DEM_UNTIL_EQUILIBRIUM && s.stage[1].goal == 0.02);
    assert_true(s.stage[2].until == SW_DEM_UNTIL_TIME && s.stage[2].goal == 0.5);
    for (int64_t i = 0; i < s.packing.n_particles; i++) /* between the sides */
        for (int k = 1; k < 3; k++)
            assert_true(s.packing.position[i][k] >= s.packing.radius[i] &&
                        s.packing.position[i][k] <= s.packing.cell[k][k] - s.packing.radius[i]);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

static const char hopper[] =
    "material: {young: 1.0e7, poisson: 0.5, friction: 0.3, density: 2500}\n"                       /* 1 */
    "packing: {particles: 40, radii: {distribution: uniform, least: 1.0e-4, largest: 2.0e-4}}\n"   /* 2 */
    "sides: {1: open, 2: open, 3: open}\n"                                                         /* 3 */
    "walls:\n"                                                                                     /* 4 */
    "  - {shape: mesh, file: floor.stl, scale: 1.0e-3, point: [0, 0, -1.0e-2], axis: [0, 0, 1]}\n" /* 5 */
    "gravity: [0, 0, -9.81]\n"                                                                     /* 6 */
    "loading: [{test: rest, duration: 0.5}]\n"                                                     /* 7 */
    "output: {file: box.h5}\n";

/* A mesh beside the job; it keeps elements on the CPU. */
static void meshes_are_walls(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *place, *key, *bound;
    } cases[] = {
        {"sides: {1: open", "sides: {1: periodic", "job.yaml:5: ", "walls[0].shape = mesh", "sides.1"},
        {"output:", "device: cuda\noutput:", "job.yaml:5: ", "walls[0].shape = mesh",
         "runs on the CPU, but device = cuda"},
        {"file: floor.stl, ", "", "job.yaml:5: ", "walls[0].file is missing", "shape = mesh needs it"},
        {"floor.stl", "job.yaml", "job.yaml:5: ", "walls[0].file", "job.yaml: is no STL file"},
        {"shape: mesh, file: floor.stl, scale: 1.0e-3", "scale: 1", "job.yaml:5: ", "walls[0].scale",
         "shape = plane"},
        {"scale: 1.0e-3", "scale: 0", "job.yaml:5: ", "walls[0].scale = 0", "1e-9"},
        {"scale: 1.0e-3", "radius: 1", "job.yaml:5: ", "walls[0].radius", "shape = mesh"},
        {"floor.stl", "none.stl", "job.yaml:5: ", "walls[0].file", "none.stl: cannot be read"},
        {"axis: [0, 0, 1]", "axis: [0, 0, 0]", "job.yaml:5: ", "walls[0].axis", "need a direction"},
    };
    char path[PATH_MAX + 32];
    sw_dem_job *job;
    sw_dem_sample s;
    snprintf(path, sizeof path, "%s/floor.stl", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("solid\nfacet\nouter loop\nvertex -9 -9 0\nvertex 9 -9 0\nvertex 0 9 "
          "0\nendloop\nendfacet\nendsolid\n",
          file);
    fclose(file);
    write_job(hopper, NULL, NULL);
    CHECK_OK(sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job));
    assert_true(!job->options.cuda);
    CHECK_OK(sw_dem_job_sample(job, 0, &s));
    assert_true(s.n_walls == 1 && s.wall[0].shape == SW_DEM_MESH && s.wall[0].point[2] == -1e-2);
    assert_int_equal(sw_dem_mesh_triangles(s.wall[0].mesh), 1);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_job(hopper, cases[i].old, cases[i].new);
        if (sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job) != SW_ERR_INPUT)
            fail_msg("'%s' was taken, or refused otherwise: %s", cases[i].new, sw_error_message());
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].key);
        assert_message_has(cases[i].bound);
    }
    unlink(path);
}

/* Beside sides that are not periodic a packing keeps the shear stresses of its compression. */
static void platens_press_without_shear(void **state)
{
    (void)state;
    sw_dem_job *job;
    sw_dem_sample s;
    write_job(box, "packing: {particles", "packing: {pressure: 1.0e5, particles");
    CHECK_OK(sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job));
    CHECK_OK(sw_dem_job_sample(job, 0, &s));
    assert_int_equal(s.n_stages, 6);
    for (int64_t i = 0; i < s.n_stages; i++)
        for (int c = 3; c < SW_DEM_SIX; c++)
            assert_false(s.stage[i].stress_driven[c]);
    assert_true(s.stage[1].stress_driven[2]);
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

/* Three spheres a clump, in the places that the shape has, all turned and scaled alike. */
static void clumps_have_the_shape_of_the_job(void **state)
{
    (void)state;
    sw_dem_job *job;
    sw_dem_sample s;
    write_job(box, "largest: 2.0e-4}}",
              "largest: 2.0e-4}, clump: [[-0.5, 0, 0, 1], [0.7, 0.2, 0, 0.8], [0, 0, 0.5, 0.5]]}");
    CHECK_OK(sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job));
    CHECK_OK(sw_dem_job_sample(job, 0, &s));
    assert_int_equal(s.packing.n_particles, 120);
    for (int64_t c = 0; c < 40; c++) {
        const double size = s.packing.radius[3 * c],
                     apart[3] = {sqrt(1.2 * 1.2 + 0.04), sqrt(0.5), sqrt(0.49 + 0.04 + 0.25)};
        assert_true(size >= 1e-4 && size <= 2e-4);
        CHECK_CLOSE(s.packing.radius[3 * c + 1], 0.8 * size, 1e-15 * size);
        for (int e = 0; e < 3; e++) {
            const int64_t i = 3 * c + (e == 2), j = 3 * c + 1 + (e > 0);
            double square = 0;
            assert_int_equal(s.packing.clump[3 * c + e], c);
            for (int k = 0; k < 3; k++)
                square += pow(s.packing.position[i][k] - s.packing.position[j][k], 2);
            CHECK_CLOSE(sqrt(square), apart[e == 2 ? 2 : e] * size, 1e-11 * size);
        }
    }
    for (int64_t i = 0; i < 120; i++) /* clumps do not touch, nor the sides */
        for (int64_t j = 0; j < i; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                double d = s.packing.position[i][k] - s.packing.position[j][k];
                if (k == 0)
                    d -= s.packing.cell[0][0] * rint(d / s.packing.cell[0][0]);
                square += d * d;
            }
            assert_true(i / 3 == j / 3 || sqrt(square) > s.packing.radius[i] + s.packing.radius[j]);
        }
    sw_dem_job_sample_free(&s);
    sw_dem_job_free(job);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *place, *key, *bound;
    } cases[] = {
        {"3: walls", "3: wall", "job.yaml:4: ", "sides.3 = wall", "need one of periodic, walls, open"},
        {"friction: 0.2}", "friction: -0.2}", "job.yaml:4: ", "sides.friction = -0.2", "a tangent"},
        {"point: [0, 0, 1.0e-2]", "point: [0, 0]", "job.yaml:6: ", "walls[0].point", "need 3"},
        {"{point: [0, 0, 1.0e-2],", "{", "job.yaml:6: ", "walls[0].point is missing", ""},
        {", max_speed: 0.1", "", "job.yaml:6: ", "walls[0].force", "max_speed"},
        {", max_speed: 0.1", ", max_speed: 0.1, velocity: [0, 0.2, -0.1]", "job.yaml:6: ", "walls[0].force",
         "velocity goes the servo's way"},
        {"axis: [0, 0, 1],", "axis: [0, 0, 1], radius: 1.0e-3,", "job.yaml:7: ", "walls[1].radius",
         "shape = plane"},
        {"axis: [0, 0, 1],", "axis: [0, 0, 1], shape: cylinder,",
         "job.yaml:7: ", "walls[1].radius is missing", ""},
        {"gravity: [0, 0, -9.81]", "gravity: [0, -9.81]", "job.yaml:8: ", "gravity", "need 3"},
        {"gravity: [0, 0, -9.81]\n", "", "job.yaml:3: ", "packing.pressure is missing", ""},
        {"liquid_volume: 1.0e-13, ", "", "job.yaml:1: ", "material.liquid_volume is missing",
         "capillary needs it"},
        {"liquid_tension: 0.07", "liquid_tension: 0.07, adhesion: 1",
         "job.yaml:2: ", "material.adhesion has no place", "law = capillary"},
        {"largest: 2.0e-4}}", "largest: 2.0e-4}, clump: [[0, 0, 0, 1], [0, 0, 0, 0]]}",
         "job.yaml:3: ", "packing.clump[1]", "a radius above 0"},
        {"wetting_angle: 30", "wetting_angle: 100", "job.yaml:2: ", "material.wetting_angle = 100",
         "from 0 to 90"},
        {"packing: {particles", "packing: {pressure: 1.0e5, shear_stress: zero, particles",
         "job.yaml:3: ", "packing.shear_stress = zero", "need free"},
        {"{test: rest, duration: 0.5}", "{test: rest, duration: 0.5, strain: 0.1}", "job.yaml:11: ", "strain",
         "test = rest"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_dem_job *job;
        write_job(box, cases[i].old, cases[i].new);
        if (sw_dem_job_read(&(sw_arguments){job_path, NO_OPTIONS}, &job) != SW_ERR_INPUT)
            fail_msg("'%s' was taken, or refused otherwise: %s", cases[i].new, sw_error_message());
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].key);
        assert_message_has(cases[i].bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_what_jobs_say),  cmocka_unit_test(meshes_are_walls),
        cmocka_unit_test(platens_press_without_shear), cmocka_unit_test(clumps_have_the_shape_of_the_job),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("walls in jobs of the DEM", tests, make_dem_folder, remove_dem_folder);
}
