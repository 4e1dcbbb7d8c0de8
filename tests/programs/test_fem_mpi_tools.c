/* `slipwave fem` with rigid tools on several MPI ranks. */
#include "fem_ranks.h"

/* ---- Jobs ---- */

/* Between two tools, each of which touches the side, too, where it folds over: parts cut both surfaces. */
static const char billet_text[] =
    "mesh: {body: cylinder_quarter, cells: [4, 4, 6], size: [0.01, 0.01, 0.03]}\n"
    "strain: finite\nb_bar: yes\n" STEEL "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"
    "tools:\n"
    "  - {name: top, shape: plane, surfaces: [z_max, side], point: [0, 0, 0.03], normal: [0, 0, -1], "
    "friction: "
    "0.1, move: [0, 0, -0.003]}\n"
    "  - {name: low, shape: plane, surfaces: [z_min, side], point: [0, 0, 0], normal: [0, 0, 1], friction: "
    "0.1, "
    "move: [0, 0, 0]}\n"
    "steps: [{factor: 1, increments: 3}]\n" SHARP "output: {file: out.h5, restart: [1, 3]}\n";

/* Of a bar that a force moves no part but the last adds up the unknowns. */
static const char pressed_text[] =
    "mesh: {body: box, cells: [8, 4], size: [0.010, 0.005]}\nkinematics: plane_strain\nstrain: finite\n"
    "materials: [{young: 120.0e9, poisson: 0.34}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"
    "tools: [{name: bar, shape: cylinder, surfaces: [y_max], point: [0, 0.009], radius: 0.004, force: [0, "
    "-1.0e5]}]\n"
    "steps: [{factor: 1, increments: 2}]\ndevice: cpu\n"
    "solver: {tolerance: 1.0e-9, linear_tolerance: 1.0e-12}\noutput: {file: out.h5}\n";

static const char upset_text[] =
    "upsetting: {radius: 0.01, height: 0.03, reduction: 0.2, cells: [4, 6], friction: 0.1, increments: "
    "3}\n" STEEL SHARP "output: {file: out.h5, restart: [1, 3]}\n";

/* ---- Tests ---- */

static const char *const tool_history[] = {"reaction",
                                           "displacement_least",
                                           "displacement_most",
                                           "external_work",
                                           "plastic_points",
                                           "tool_force",
                                           "tool_displacement",
                                           "tool_nodes_touching",
                                           "tool_gap",
                                           "tool_contact_area",
                                           "tool_largest_pressure",
                                           "tool_stabilising_force",
                                           NULL};

/* Newton ends at 1e-11 of all forces; forces of contact are those of springs a hundred times as stiff as elements, which
 * leaves 1e-9 of them. */
static void ranks_do_not_change_what_tools_do(void **state)
{
    (void)state;
    static const struct {
        const char *new, *by;
    } kinds[] = {
        {"friction: 0.1", "--preconditioner block_jacobi"},
        {"friction: 0.3, shear_limit: 60.0e6", "--preconditioner amg"}, /* areas of all parts' faces */
        {"sticks: yes", "--preconditioner amg"}};
    static const char *const fields[] = {"displacement", "reaction", "contact_pressure", "contact_friction",
                                         "slip"};
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char command[128];
        snprintf(command, sizeof command, "fem -q -j 1 edited.yaml %s -o many.h5", kinds[i].by);
        write_edited("edited.yaml", billet_text, "friction: 0.1", kinds[i].new);
        run_fem(1, "fem -q -j 1 edited.yaml --preconditioner block_jacobi -o one.h5");
        for (int ranks = 2; ranks <= 8; ranks *= 2) {
            run_fem(ranks, command);
            compare_histories("one.h5", "many.h5", tool_history, 1e-8);
            compare("one-0003.restart.h5", "many-0003.restart.h5", "restart/contact", 1e-8);
            for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
                char name[64];
                snprintf(name, sizeof name, "VTKHDF/PointData/%s", fields[k]);
                compare("one-0003.vtkhdf", "many-0003.vtkhdf", name, 1e-7);
            }
            unlink("many.h5");
        }
        clear();
    }
    unlink("edited.yaml");
}

/* A force of 1e-9 of it moves the bar by 1e-9 of its way and, once the block has few springs, ten times that. */
static void ranks_do_not_change_a_tool_that_a_force_moves(void **state)
{
    (void)state;
    if (without_mpi())
        skip();
    write_text("pressed.yaml", pressed_text);
    write_text("upset.yaml", upset_text);
    run_fem(1, "fem -q -j 1 pressed.yaml --preconditioner block_jacobi -o one.h5");
    for (int ranks = 2; ranks <= 4; ranks++) {
        run_fem(ranks, "fem -q -j 1 pressed.yaml -o many.h5");
        compare("one.h5", "many.h5", "history/tool_displacement", 1e-7);
        compare("one.h5", "many.h5", "history/tool_force", 1e-7);
        unlink("many.h5");
    }
    clear();
    run_fem(1, "fem -q -j 1 upset.yaml --preconditioner block_jacobi -o one.h5");
    run_fem(3, "fem -q -j 1 upset.yaml -o many.h5");
    compare_histories("one.h5", "many.h5", tool_history, 1e-8);
    clear();
}

/* States of contact are those of the whole body: other ranks go on from them, as many to the same bits. */
static void other_ranks_go_on_with_tools(void **state)
{
    (void)state;
    if (without_mpi())
        skip();
    write_text("billet.yaml", billet_text);
    run_fem(3, "fem -q -j 1 billet.yaml --preconditioner block_jacobi -o one.h5");
    for (int ranks = 3; ranks >= 1; ranks--) {
        run_fem(ranks, "fem -q -j 1 billet.yaml --preconditioner block_jacobi --restart one-0001.restart.h5 "
                       "-o many.h5");
        compare_histories("one.h5", "many.h5", tool_history, ranks == 3 ? 0 : 1e-8);
        unlink("many.h5");
    }
    clear();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_do_not_change_what_tools_do),
        cmocka_unit_test(ranks_do_not_change_a_tool_that_a_force_moves),
        cmocka_unit_test(other_ranks_go_on_with_tools),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
