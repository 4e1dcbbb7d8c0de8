/* `slipwave fem` with multigrid and of periodic bodies on several MPI ranks. */
#include "fem_ranks.h"

/* ---- Jobs ---- */

#define FIXED "device: cpu\nsolver: {tolerance: 1.0e-9, linear_tolerance: 1.0e-10, forcing: fixed}\n"
#define HELD "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}, {nodes: x_max, z: 2.0e-4}]\n"

/* Parts are even to 2 % where 8^g P <= 0.02 E: cells of 8^g elements are of one part. */
static const char box_text[] = /* g = 1 for 2 and 4 ranks, 0 for 8 */
    "mesh: {body: box, cells: [12, 12, 12], size: [0.01, 0.01, 0.01]}\n" STEEL
    "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}, {nodes: z_max, x: 1.0e-5, z: 2.0e-5}]\n" FIXED
    "output: {file: out.h5}\n";
static const char drawn_text[] = /* halved along two sides at first */
    "mesh: {body: box, cells: [16, 14, 13], size: [0.016, 0.014, 0.065]}\n" STEEL
    "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}, {nodes: z_max, x: 1.0e-5, z: 2.0e-5}]\n" FIXED
    "output: {file: out.h5}\n";
static const char deep_text[] = /* g = 2 for 2 ranks */
    "mesh: {body: box, cells: [21, 20, 17], size: [0.02, 0.02, 0.02]}\nmaterials: [{young: 2.0e11, poisson: "
    "0.3}]\n" HELD FIXED "output: {file: out.h5}\n";
/* Void cells and supports that end inside coarse cells. */
static const char bracket_text[] =
    "mesh: {body: l_bracket, cells: [22, 22, 9], size: [0.1, 0.1, 0.04]}\n" STEEL
    "boundary: [{nodes: y_max, x: 0, y: 0, z: 0}, {nodes: x_max, y: -1.0e-5}]\n" FIXED
    "output: {file: out.h5}\n";
static const char cutout_text[] =
    "mesh: {body: cantilever_with_cutout, cells: [40, 13, 7]}\n" STEEL HELD FIXED "output: {file: out.h5}\n";
/* Three parts are cut where the ledge is held: the last one has a coarse cell, half of it void, at whose corner only the part
 * below has a node. */
static const char ledge_text[] =
    "mesh: {body: l_bracket, cells: [22, 24, 8], size: [0.1, 0.1, 0.04], sets: [{name: ledge, kind: nodes, "
    "from: "
    "[0.052, 0.049, -1], to: [1, 0.051, 1]}]}\n" STEEL
    "boundary: [{nodes: ledge, x: 0, y: 0, z: 0}, {nodes: y_max, y: 1.0e-5, x: 1.0e-5}]\n" FIXED
    "output: {file: out.h5}\n";
/* Of the present tangent, mapped, between two tools. */
static const char billet_text[] =
    "mesh: {body: cylinder_quarter, cells: [8, 8, 14], size: [0.01, 0.01, 0.02]}\n"
    "strain: finite\nb_bar: yes\n" STEEL "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"
    "tools:\n"
    "  - {name: top, shape: plane, surfaces: [z_max, side], point: [0, 0, 0.02], normal: [0, 0, -1], "
    "friction: "
    "0.1, move: [0, 0, -0.0005]}\n"
    "  - {name: low, shape: plane, surfaces: [z_min, side], point: [0, 0, 0], normal: [0, 0, 1], sticks: "
    "yes, "
    "move: [0, 0, 0]}\n" FIXED "output: {file: out.h5}\n";

/* Hard cells in a soft matrix; cells halve to 3 x 3 x 3. */
static const char particles_text[] =
    "mesh: {body: box, cells: [12, 12, 12], size: [1.0e-5, 1.0e-5, 1.0e-5], sets: [\n"
    "  {name: hard, kind: elements, from: [0, 0, 0], to: [1.0e-5, 1.0e-5, 0.5e-5]},\n"
    "  {name: soft, kind: elements, from: [0, 0, 0.5e-5], to: [1.0e-5, 1.0e-5, 1.0e-5]}]}\n"
    "strain: finite\nb_bar: true\n"
    "materials: [{elements: hard, young: 400.0e9, poisson: 0.2}, {elements: soft, young: 70.0e9, poisson: "
    "0.33, "
    "yield_stress: 100.0e6, hardening: {law: linear, modulus: 1.0e9}}]\n"
    "periodic: {mean_gradient: [[0.005, 0.002, 0], [0, x, 0.001], [0, 0, x]]}\n"
    "steps: [{factor: 1, increments: 2}]\n" FIXED "output: {file: out.h5, restart: [1, 2]}\n";

static const char grains_text[] =
    "mesh: {body: box, cells: [10, 10, 10], size: [1.0e-4, 1.0e-4, 1.0e-4]}\nstrain: finite\n"
    "materials: [{crystals: {material: material.yaml, solver: elastoplastic, grains: {voronoi: 20, seed: "
    "1}}}]\n"
    "periodic: {mean_gradient: [[0.004, 0, 0], [0, x, 0], [0, 0, x]]}\n"
    "steps: [{factor: 1, increments: 2, time: 4}]\ndevice: cpu\n"
    "solver: {tolerance: 1.0e-6}\noutput: {file: out.h5, restart: [1, 2]}\n";

static const char plane_text[] =
    "mesh: {body: box, cells: [9, 7], size: [1.0e-3, 1.0e-3]}\nkinematics: plane_strain\n" STEEL
    "periodic: {mean_gradient: [[0.004, 0.001, 0], [0, x, 0], [0, 0, 0]]}\n" FIXED "output: {file: out.h5}\n";

/* ---- Tests ---- */

static const char *const iterations[] = {"newton", "cg", "substeps", NULL};

/* What parts sum in another order is 1e-16 of it; Newton ends at 1e-9, from the same iterates. */
static void levels_over_ranks_are_those_of_one(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int ranks[3];
    } cases[] = {{"box", box_text, {2, 4, 8}},      {"drawn", drawn_text, {2, 3, 0}},
                 {"deep", deep_text, {2, 3, 0}},    {"bracket", bracket_text, {3, 4, 0}},
                 {"ledge", ledge_text, {3, 0, 0}},  {"cutout", cutout_text, {2, 4, 0}},
                 {"billet", billet_text, {2, 4, 8}}};
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("job.yaml", cases[i].text);
        run_fem(1, "fem -q -j 1 job.yaml --preconditioner multigrid -o one.h5");
        for (int k = 0; k < 3 && cases[i].ranks[k] > 0; k++) {
            run_fem(cases[i].ranks[k], "fem -q -j 1 job.yaml -o many.h5"); /* multigrid is what they take */
            compare_histories("one.h5", "many.h5", iterations, 0);
            compare_histories("one.h5", "many.h5", solid_history, 1e-10);
            if (cases[i].text == billet_text)
                compare("one.h5", "many.h5", "history/tool_force", 1e-9);
            compare("one-0001.vtkhdf", "many-0001.vtkhdf", "VTKHDF/PointData/displacement", 1e-10);
            compare("one-0001.vtkhdf", "many-0001.vtkhdf", "VTKHDF/CellData/stress", 1e-8);
            unlink("many.h5");
        }
        clear();
    }
    unlink("job.yaml");
}

static const char *const mean_history[] = {"mean_deformation_gradient",
                                           "mean_first_piola_stress",
                                           "mean_cauchy_stress",
                                           "displacement_least",
                                           "displacement_most",
                                           "external_work",
                                           NULL};

/* By levels and by blocks of nodes; of a plane cell by these alone. */
static void ranks_do_not_change_periodic_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *text, *preconditioner;
    } cases[] = {{particles_text, "multigrid"}, {particles_text, "block_jacobi"}, {plane_text, "jacobi"}};
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[128];
        write_text("job.yaml", cases[i].text);
        snprintf(command, sizeof command, "fem -q -j 1 job.yaml --preconditioner %s -o one.h5",
                 cases[i].preconditioner);
        run_fem(1, command);
        snprintf(command, sizeof command, "fem -q -j 1 job.yaml --preconditioner %s -o many.h5",
                 cases[i].preconditioner);
        for (int ranks = 2; ranks <= 8; ranks *= 2) {
            run_fem(ranks, command);
            compare_histories("one.h5", "many.h5", mean_history, 1e-9);
            /* a hundred and more iterations of CG lose their directions to round-off, levels' forty do not */
            compare("one.h5", "many.h5", "history/cg",
                    strcmp(cases[i].preconditioner, "multigrid") == 0 ? 0 : 0.1);
            const char *last = cases[i].text == plane_text ? "0001" : "0002";
            static const char *const fields[] = {"PointData/displacement", "CellData/stress",
                                                 "CellData/plastic_strain"};
            for (int k = 0; k < 3; k++) {
                char one[64], many[64], name[64];
                snprintf(one, sizeof one, "one-%s.vtkhdf", last);
                snprintf(many, sizeof many, "many-%s.vtkhdf", last);
                snprintf(name, sizeof name, "VTKHDF/%s", fields[k]);
                compare(one, many, name, 1e-7);
            }
            unlink("many.h5");
        }
        clear();
    }
    unlink("job.yaml");
}

/* Crystals are single precision: 1e-7 of their stress is round-off of each, and Newton's last iterations go by it. */
static void ranks_do_not_change_periodic_grains(void **state)
{
    (void)state;
    if (without_mpi())
        skip();
    write_text("job.yaml", grains_text);
    run_fem(1, "fem -q -j 1 job.yaml -o one.h5");
    for (int ranks = 2; ranks <= 8; ranks *= 2) {
        run_fem(ranks, "fem -q -j 1 job.yaml -o many.h5");
        compare("one.h5", "many.h5", "history/newton", 0.3);
        compare("one.h5", "many.h5", "history/cg", 0.3);
        compare("one.h5", "many.h5", "history/mean_cauchy_stress", 1e-6);
        compare("one.h5", "many.h5", "history/mean_deformation_gradient", 1e-7);
        compare("one-0002.restart.h5", "many-0002.restart.h5", "restart/crystals", 1e-4);
        unlink("many.h5");
    }
    clear();
    unlink("job.yaml");
}

/* What one process has kept goes on with any number, and the other way round; with as many, to the same bits. */
static void other_ranks_go_on_with_periodic_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double part;
    } cases[] = {{particles_text, 1e-9}, {grains_text, 1e-6}};
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("job.yaml", cases[i].text);
        for (int from = 1; from <= 3; from += 2) {
            run_fem(from, "fem -q -j 1 job.yaml -o one.h5");
            for (int ranks = 1; ranks <= 3; ranks++) {
                run_fem(ranks, "fem -q -j 1 job.yaml --restart one-0001.restart.h5 -o many.h5");
                const double part = ranks == from ? 0 : cases[i].part;
                compare("one.h5", "many.h5", "history/mean_cauchy_stress", part);
                compare("one-0002.restart.h5", "many-0002.restart.h5", "restart/displacement", 10 * part);
                unlink("many.h5");
            }
            clear();
        }
    }
    unlink("job.yaml");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_over_ranks_are_those_of_one),
        cmocka_unit_test(ranks_do_not_change_periodic_bodies),
        cmocka_unit_test(ranks_do_not_change_periodic_grains),
        cmocka_unit_test(other_ranks_go_on_with_periodic_bodies),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
