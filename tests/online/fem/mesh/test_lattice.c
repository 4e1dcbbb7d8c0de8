/* Numbers of lattices by all threads, against what a loop over cells gives. */
#include "tests/test.h"

#include <omp.h>
#include <stdlib.h>

#include "meshes_of_voxels.h"
#include "online/fem/mesh/lattice.h"

/* A third of the cells is there, in no order. */
static void fill(int64_t n, int32_t *cell)
{
    uint32_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' */
        cell[i] = (state >> 16) % 3 == 0 ? 0 : -1;
    }
}

/* Sizes with pieces and rows that threads share unevenly; in the plane, too. */
static void points_and_cells_are_numbered_as_by_one_loop(void **state)
{
    (void)state;
    static const int32_t sizes[][3] = {{1, 1, 1}, {5, 4, 3}, {7, 9, 0}, {61, 53, 47}, {401, 307, 0}};
    omp_set_num_threads(3);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int32_t *n = sizes[s];
        const int64_t cells = sw_fem_lattice_cells(n), points = sw_fem_lattice_points(n);
        int32_t *cell, *node, *expected, count = 0, number = 0;
        CHECK_OK(SW_ALLOCATE(cell, cells, "test"));
        CHECK_OK(SW_ALLOCATE(node, points, "test"));
        CHECK_OK(SW_ALLOCATE(expected, points, "test"));
        fill(cells, cell);
        for (int64_t c = 0; c < cells; c++) {
            int64_t corner[8];
            sw_fem_lattice_corners(n, c, corner);
            for (int v = 0; v < (n[2] > 0 ? 8 : 4) && cell[c] >= 0; v++)
                expected[corner[v]] = 1;
        }
        sw_fem_lattice_touch(n, cell, node);
        const int64_t n_nodes = sw_fem_lattice_number(points, node);
        for (int64_t p = 0; p < points; p++)
            assert_int_equal(node[p], expected[p] ? count++ : -1);
        assert_int_equal(n_nodes, count);
        for (int64_t c = 0; c < cells; c++)
            number += cell[c] >= 0;
        assert_int_equal(sw_fem_lattice_number(cells, cell), number);
        free(cell);
        free(node);
        free(expected);
    }
}

/* The same mesh from one thread and from three, with voids and without: nodes, elements, positions, sets. */
static void threads_make_the_same_mesh(void **state)
{
    (void)state;
    static const char *const bodies[] = {"box", "l_bracket"};
    for (int b = 0; b < 2; b++) {
        omp_set_num_threads(1);
        sw_fem_mesh *one = voxels(bodies[b], 41, 39, 23);
        omp_set_num_threads(3);
        sw_fem_mesh *three = voxels(bodies[b], 41, 39, 23);
        assert_int_equal(one->n_nodes, three->n_nodes);
        assert_int_equal(one->n_elements, three->n_elements);
        assert_memory_equal(one->position, three->position, (size_t)one->n_nodes * 3 * sizeof(double));
        assert_memory_equal(one->node, three->node, (size_t)one->n_elements * 8 * sizeof(int32_t));
        assert_int_equal(one->n_sets, three->n_sets);
        sw_fem_mesh_free(one);
        sw_fem_mesh_free(three);
    }
}

/* Of a mesh that many threads look through the first fault is told, whichever of them finds another. */
static void first_fault_is_told(void **state)
{
    (void)state;
    sw_fem_fault fault;
    omp_set_num_threads(3);
    sw_fem_mesh *mesh = voxels("box", 40, 40, 40);
    double *x = mesh->position;
    const double kept[2] = {x[3 * 70], x[3 * 60000]};
    x[3 * 70] = x[3 * 60000] = NAN;
    CHECK_OK(sw_fem_mesh_find_fault(mesh, &fault));
    assert_int_equal(fault.node, 70);
    x[3 * 70] = kept[0];
    x[3 * 60000] = kept[1];
    const int32_t node[3] = {mesh->node[8 * 90], mesh->node[8 * 50000], mesh->node[8 * 95]};
    mesh->node[8 * 90] = mesh->node[8 * 90 + 6];
    mesh->node[8 * 50000] = mesh->node[8 * 95] = -1;
    CHECK_OK(sw_fem_mesh_find_fault(mesh, &fault));
    assert_int_equal(fault.element, 90);
    assert_non_null(strstr(fault.text, "twice"));
    mesh->node[8 * 90] = node[0];
    mesh->node[8 * 50000] = node[1];
    mesh->node[8 * 95] = node[2];
    x[3 * 30000] += 0.1; /* four cells of 1/40: some are no boxes, and inside out */
    CHECK_OK(sw_fem_mesh_find_fault(mesh, &fault));
    assert_non_null(strstr(fault.text, "Jacobian"));
    const int64_t first = fault.element;
    mesh->lattice->boxes = 0; /* each by its Jacobians */
    CHECK_OK(sw_fem_mesh_find_fault(mesh, &fault));
    assert_int_equal(fault.element, first);
    sw_fem_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_cells_are_numbered_as_by_one_loop),
        cmocka_unit_test(threads_make_the_same_mesh),
        cmocka_unit_test(first_fault_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
