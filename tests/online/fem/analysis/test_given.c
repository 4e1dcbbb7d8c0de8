/* Numbers that a host program gives: what a file would not get past is refused here, too. */
#include "tests/online/fem/meshes.h"

static const sw_fem_material steel = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};

static void clamp(fem_body *b)
{
    for (int j = 0; j < 3; j++)
        fem_fix_set(b, 0, "z_min", j, 0);
}

static void check_refused(fem_body *b, const char *part)
{
    sw_fem *fem;
    const sw_status status = sw_fem_open(&b->problem, &b->options, &fem);
    if (status != SW_ERR_RANGE || fem != NULL)
        fail_msg("%s: %s", part, status == SW_OK ? "was taken" : sw_error_message());
    assert_message_has(part);
}

/* *number is refused with a message that has the part, and taken again as it was. */
static void check_number(fem_body *b, double *number, double wrong, const char *part)
{
    const double kept = *number;
    *number = wrong;
    check_refused(b, part);
    *number = kept;
}

static void check_node(fem_body *b, int32_t *node, int32_t wrong, const char *part)
{
    const int32_t kept = *node;
    *node = wrong;
    check_refused(b, part);
    *node = kept;
}

static void meshes_are_refused_as_those_of_files(void **state)
{
    (void)state;
    sw_fem *fem;
    fem_body b;
    fem_make(&b, fem_grid((const int[3]){2, 2, 2}, 0, NULL, NULL), SW_FEM_SOLID, 0, steel);
    clamp(&b);
    double *x = b.mesh->position + 3 * 13; /* the middle */
    check_number(&b, x, NAN, "node 14 at (nan, 0.5, 0.5): its coordinates are not finite");
    check_number(&b, x + 1, INFINITY, "node 14 at (0.5, inf, 0.5): its coordinates are not finite");
    check_number(&b, x + 2, -1e308, "Jacobian");
    check_number(&b, x + 2, 1e308, "Jacobian");
    check_number(&b, x, 1.5, "Jacobian");
    int32_t *node = b.mesh->node + 8 * 3;
    check_node(&b, node, -1,
               "element 4 at (0.785714, 0.785714, 0.285714): its node no. 1 is not of the mesh");
    check_node(&b, node, 27, "its node no. 1 is not of the mesh");
    check_node(&b, node, INT32_MAX, "its node no. 1 is not of the mesh");
    check_node(&b, node, node[1], "names node");
    CHECK_OK(sw_fem_open(&b.problem, &b.options, &fem)); /* as it was */
    sw_fem_close(fem);
    fem_free(&b);
}

static void voxels_that_were_moved_are_refused(void **state)
{
    (void)state;
    fem_body b;
    const sw_fem_voxels box = {.body = "box", .cells = {2, 2, 2}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&box, &mesh));
    fem_make(&b, mesh, SW_FEM_SOLID, 0, steel);
    clamp(&b);
    check_number(&b, mesh->position + 3 * 13, NAN, "its coordinates are not finite");
    check_number(&b, mesh->position + 3 * 13 + 1, -1e308, "Jacobian");
    check_node(&b, mesh->node + 3, -7, "its node no. 4 is not of the mesh");
    fem_free(&b);
}

static void loads_are_finite(void **state)
{
    (void)state;
    fem_body b;
    fem_make(&b, fem_grid((const int[3]){2, 2, 2}, 0, NULL, NULL), SW_FEM_SOLID, 0, steel);
    clamp(&b);
    check_number(&b, &b.load[0].force[80], NAN, "force at unknown 80 = nan: need a finite one");
    check_number(&b, &b.load[0].force[80], -INFINITY, "force at unknown 80 = -inf: need a finite one");
    check_number(&b, &b.load[0].value[2], NAN, "prescribed value nan: need a finite one");
    b.load[0].dof[b.load[0].n_fixed - 1] = 81;
    check_refused(&b, "prescribed unknown 81: need ascending ones below 81");
    fem_free(&b);
}

static void surfaces_are_of_the_mesh(void **state)
{
    (void)state;
    fem_body b;
    fem_make(&b, fem_grid((const int[3]){2, 2, 2}, 0, NULL, NULL), SW_FEM_SOLID, 0, steel);
    clamp(&b);
    b.problem.strain = SW_FEM_FINITE;
    int32_t member[] = {8 * 8};
    const sw_fem_set beyond = {.name = "own", .kind = SW_FEM_SURFACE, .n = 1, .member = member};
    sw_fem_pressure pressure = {&beyond, 1e6};
    b.load[0].n_pressures = 1;
    b.load[0].pressure = &pressure;
    check_refused(&b, "surface own: member 64 is not of the mesh");
    member[0] = -1;
    check_refused(&b, "surface own: member -1 is not of the mesh");
    member[0] = 6; /* a hexahedron has faces 0 to 5 */
    check_refused(&b, "surface own: member 6 is not of the mesh");
    b.load[0].n_pressures = 0;
    const sw_fem_set *const surface[] = {&beyond};
    b.tool[0] = (sw_fem_tool){.name = "plate",
                              .shape = SW_FEM_PLANE,
                              .point = {0, 0, 1},
                              .direction = {0, 0, -1},
                              .n_surfaces = 1,
                              .surface = surface};
    b.problem.n_tools = 1;
    b.problem.tool = b.tool;
    check_refused(&b, "surface own: member 6 is not of the mesh");
    fem_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes_are_refused_as_those_of_files),
                                       cmocka_unit_test(voxels_that_were_moved_are_refused),
                                       cmocka_unit_test(loads_are_finite),
                                       cmocka_unit_test(surfaces_are_of_the_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
