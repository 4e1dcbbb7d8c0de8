/* The mesh over processes: parts, who has what, what lies between, and the problems of parts, all in one process. */
#include "tests/online/fem/meshes.h"

#include "online/fem/parts/parts.h"

enum { MOST_PARTS = 7 };

static sw_fem_mesh *voxel_mesh(const char *body, int64_t x, int64_t y, int64_t z)
{
    const sw_fem_voxels voxels = {.body = body, .cells = {x, y, z}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&voxels, &mesh));
    return mesh;
}

/* Bodies of cells with and without voids, in space and in the plane; meshes without a lattice. */
static sw_fem_mesh *mesh_number(int i)
{
    switch (i) {
    case 0:
        return voxel_mesh("box", 3, 4, 5);
    case 1:
        return voxel_mesh("cylinder", 8, 8, 3);
    case 2:
        return voxel_mesh("l_bracket", 6, 6, 0);
    case 3:
        return fem_grid((int[]){7, 2, 3}, 0.2, NULL, NULL);
    default:
        return fem_grid((int[]){6, 5, 0}, 0.2, NULL, NULL);
    }
}
enum { MESHES = 5 };

/* ---- Which element goes where ---- */

static void check_parts(const sw_fem_mesh *mesh, int P, const int32_t *part_of)
{
    int64_t count[MOST_PARTS] = {0};
    for (int64_t e = 0; e < mesh->n_elements; e++) {
        assert_in_range(part_of[e], 0, P - 1);
        count[part_of[e]]++;
    }
    for (int k = 0; k < P; k++) { /* METIS allows 3 %, and what a few elements cannot be parted into */
        assert_true(count[k] >= 1);
        assert_true(fabs((double)count[k] - (double)mesh->n_elements / P) <=
                    2 + 0.03 * (double)mesh->n_elements / P);
    }
}

static void parts_are_equal_and_none_is_empty(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) {
        sw_fem_mesh *mesh = mesh_number(i);
        int32_t *part_of = zeros(mesh->n_elements, sizeof *part_of);
        for (int P = 1; P <= MOST_PARTS; P++) {
            CHECK_OK(sw_fem_partition(mesh, 0, P, part_of));
            check_parts(mesh, P, part_of);
            CHECK_OK(sw_fem_bisect(mesh, P, part_of));
            check_parts(mesh, P, part_of);
        }
        const int many = (int)mesh->n_elements + 1;
        assert_int_equal(sw_fem_partition(mesh, 0, many, part_of), SW_ERR_RANGE);
        assert_non_null(strstr(sw_error_message(), "need one each"));
        free(part_of);
        sw_fem_mesh_free(mesh);
    }
}

/* A bar is cut across, four times. */
static void halves_are_cut_across_the_longest_side(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = fem_grid((int[]){2, 8, 2}, 0, NULL, NULL);
    int32_t part_of[32];
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        mesh->position[3 * n + 1] *= 8;
    CHECK_OK(sw_fem_bisect(mesh, 4, part_of));
    for (int e = 0; e < 32; e++)
        assert_int_equal(part_of[e], e / 2 % 8 / 2);
    sw_fem_mesh_free(mesh);
}

/* ---- Who has what ---- */

static void divide(const sw_fem_mesh *mesh, int P, sw_fem_division *d)
{
    for (int k = 0; k < P; k++)
        CHECK_OK(sw_fem_divide(mesh, 0, P, k, &d[k]));
}

static void free_all(int P, sw_fem_division *d)
{
    for (int k = 0; k < P; k++)
        sw_fem_division_free(&d[k]);
}

static int has_node(const sw_fem_division *d, int64_t e, int64_t node)
{
    const int V = sw_fem_shapes[d->mesh->shape].n_nodes;
    for (int a = 0; a < V; a++)
        if (d->mesh->node[e * V + a] == node)
            return 1;
    return 0;
}

/* Whether a part has a node, from its elements alone. */
static int in_part(const sw_fem_division *d, int64_t node)
{
    for (int64_t i = 0; i < d->n_elements; i++)
        if (has_node(d, d->own_element[i], node))
            return 1;
    return 0;
}

/* A part's number of a node, -1: it has none. */
static int64_t number_of(const sw_fem_division *d, int64_t node)
{
    for (int64_t i = 0; i < d->n_nodes; i++)
        if (d->node[i] == node)
            return i;
    return -1;
}

static void check_elements(const sw_fem_mesh *mesh, int P, const sw_fem_division *d)
{
    int *times = zeros(mesh->n_elements, sizeof *times);
    for (int k = 0; k < P; k++)
        for (int64_t i = 0; i < d[k].n_elements; i++) {
            int64_t number = -1;
            times[d[k].own_element[i]]++;
            assert_true(i == 0 || d[k].own_element[i] > d[k].own_element[i - 1]);
            assert_int_equal(sw_fem_find_element(&d[0], d[k].own_element[i], &number), k);
            assert_int_equal(number, i);
        }
    for (int64_t e = 0; e < mesh->n_elements; e++)
        assert_int_equal(times[e], 1);
    free(times);
}

static void check_nodes(const sw_fem_mesh *mesh, int P, const sw_fem_division *d)
{
    for (int64_t n = 0; n < mesh->n_nodes; n++) {
        int owners = 0, last = -1;
        for (int k = 0; k < P; k++) {
            const int64_t number = number_of(&d[k], n);
            assert_int_equal(number >= 0, in_part(&d[k], n));
            owners += number >= 0 && number < d[k].n_owned;
            if (number >= 0)
                last = k;
        }
        assert_int_equal(owners, 1);
        assert_true(number_of(&d[last], n) < d[last].n_owned);
    }
    for (int k = 0; k < P; k++) {
        for (int64_t i = 1; i < d[k].n_nodes; i++)
            assert_true(i == d[k].n_owned || d[k].node[i] > d[k].node[i - 1]);
        for (int64_t i = 0; i < d[k].n_owned; i++) /* which rank 0 has from all */
            assert_int_equal(d[0].owned[d[0].first_node[k] + i], d[k].node[i]);
    }
}

/* What one part sends is what the other receives: the same nodes in the same order. */
static void check_sent(int P, const sw_fem_division *d)
{
    for (int k = 0; k < P; k++)
        for (int i = 0; i < d[k].n_neighbours; i++) {
            const sw_fem_division *other = &d[d[k].neighbour[i]];
            int j = 0;
            while (j < other->n_neighbours && other->neighbour[j] != k)
                j++;
            assert_true(j < other->n_neighbours);
            const int64_t n = d[k].first_sent[i + 1] - d[k].first_sent[i];
            assert_true(n > 0);
            assert_int_equal(n, other->first_sent[j + 1] - other->first_sent[j]);
            for (int64_t m = 0; m < n; m++)
                assert_int_equal(d[k].node[d[k].sent[d[k].first_sent[i] + m]],
                                 other->node[other->sent[other->first_sent[j] + m]]);
        }
}

/* The part that a place among what is received is from. */
static int sender_of(const sw_fem_division *d, int64_t place)
{
    int i = 0;
    while (place >= d->first_sent[i + 1])
        i++;
    return d->neighbour[i];
}

/* A node's shares: one of each part that has it, in order, and of that node. */
static void check_shares(int P, const sw_fem_division *d)
{
    for (int k = 0; k < P; k++) {
        int64_t shared = 0;
        for (int64_t i = 0; i < d[k].n_nodes; i++) {
            int parts = 0;
            for (int other = 0; other < P; other++)
                parts += in_part(&d[other], d[k].node[i]);
            shared += parts > 1;
        }
        assert_int_equal(shared, d[k].n_shared);
        for (int64_t i = 0; i < d[k].n_shared; i++) {
            int64_t at = d[k].first_share[i];
            for (int other = 0; other < P; other++) {
                if (!in_part(&d[other], d[k].node[d[k].shared[i]]))
                    continue;
                const int64_t place = d[k].share[at++];
                assert_int_equal(place < 0, other == k);
                if (place < 0)
                    continue;
                assert_int_equal(sender_of(&d[k], place), other);
                assert_int_equal(d[k].sent[place], d[k].shared[i]);
            }
            assert_int_equal(at, d[k].first_share[i + 1]);
        }
    }
}

static void parts_know_what_they_share(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) {
        sw_fem_mesh *mesh = mesh_number(i);
        for (int P = 1; P <= MOST_PARTS; P += 2) {
            sw_fem_division d[MOST_PARTS];
            divide(mesh, P, d);
            check_elements(mesh, P, d);
            check_nodes(mesh, P, d);
            check_sent(P, d);
            check_shares(P, d);
            free_all(P, d);
        }
        sw_fem_mesh_free(mesh);
    }
}

/* ---- Bodies of cells ---- */

/* Cells that become one on a coarser level are of one part, and parts are even to 2 % of theirs. */
static void coarse_cells_are_of_one_part(void **state)
{
    (void)state;
    static const struct {
        int64_t cells[3];
        int periodic, parts, halvings;
    } cases[] = {{{12, 12, 12}, 0, 2, 1}, /* 8 x 2 cells of 1,728: less than 2 %; 64 x 2 are more */
                 {{12, 12, 12}, 0, 8, 0},
                 {{20, 20, 20}, 0, 2, 2},
                 {{21, 5, 30}, 0, 3, 2}, /* not across the few long ones: 16 x 3 of 3,150 */
                 {{6, 6, 48}, 1, 2, 3}}; /* along the many alone */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int P = cases[i].parts;
        sw_fem_mesh *mesh = voxel_mesh("box", cases[i].cells[0], cases[i].cells[1], cases[i].cells[2]);
        int32_t together[3];
        int64_t count[8] = {0};
        int32_t *part_of = zeros(mesh->n_elements, sizeof *part_of);
        assert_int_equal(sw_fem_halvings(mesh, cases[i].periodic, P), cases[i].halvings);
        sw_fem_together(mesh->lattice, cases[i].periodic, cases[i].halvings, together);
        CHECK_OK(sw_fem_partition(mesh, cases[i].periodic, P, part_of));
        const int32_t *n = mesh->lattice->n;
        for (int32_t e = 0; e < mesh->n_elements; e++) {
            const int32_t x = e % n[0], y = e / n[0] % n[1], z = e / n[0] / n[1];
            const int32_t first =
                ((z / together[2] * together[2]) * n[1] + y / together[1] * together[1]) * n[0] +
                x / together[0] * together[0];
            assert_int_equal(part_of[e], part_of[first]);
            count[part_of[e]]++;
        }
        for (int k = 0; k < P; k++)
            assert_true(fabs((double)count[k] * P / (double)mesh->n_elements - 1) <= 0.02);
        free(part_of);
        sw_fem_mesh_free(mesh);
    }
}

/* A node and its copies are one: a part with any of them has the original, among the nodes that it owns or shares; its
 * copies come last and are sent to nobody. */
static void copies_stand_behind_their_originals(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = voxel_mesh("box", 3, 4, 5);
    for (int P = 2; P <= MOST_PARTS; P++) {
        sw_fem_division d[MOST_PARTS];
        int64_t owned = 0;
        for (int k = 0; k < P; k++) {
            CHECK_OK(sw_fem_divide(mesh, 1, P, k, &d[k]));
            owned += d[k].n_owned;
        }
        assert_int_equal(owned, 3 * 4 * 5); /* each original once */
        for (int k = 0; k < P; k++) {
            int64_t originals = d[k].n_nodes;
            while (originals > 0 && d[k].original[d[k].node[originals - 1]] != d[k].node[originals - 1])
                originals--;
            for (int64_t i = 0; i < d[k].n_nodes; i++) {
                const int64_t original = number_of(&d[k], d[k].original[d[k].node[i]]);
                assert_true(original >= 0 && original < originals);
                assert_int_equal(original == i, i < originals);
            }
            for (int64_t i = 0; i < d[k].first_sent[d[k].n_neighbours]; i++)
                assert_true(d[k].sent[i] < originals);
            for (int64_t i = 0; i < d[k].n_owned; i++)
                assert_int_equal(d[0].owned[d[0].first_node[k] + i], d[k].node[i]);
        }
        check_sent(P, d);
        free_all(P, d);
    }
    sw_fem_mesh_free(mesh);
}

/* A part's lattice is the whole one's, from where its coarse cells begin. */
static void parts_have_lattices(void **state)
{
    (void)state;
    fem_body b;
    sw_fem_mesh *mesh = voxel_mesh("l_bracket", 14, 14, 8);
    sw_fem_division d[3];
    fem_make(&b, mesh, SW_FEM_SOLID, 0,
             (sw_fem_material){.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY});
    divide(mesh, 3, d);
    for (int k = 0; k < 3; k++) {
        sw_fem_part_problem part;
        int64_t cells = 0;
        CHECK_OK(sw_fem_part_problem_make(&b.problem, &d[k], &part));
        const sw_fem_lattice *l = part.mesh.lattice;
        for (int64_t cell = 0; cell < (int64_t)l->n[0] * l->n[1] * l->n[2]; cell++) {
            const int64_t x = cell % l->n[0], y = cell / l->n[0] % l->n[1], z = cell / l->n[0] / l->n[1];
            const int32_t e = l->element[cell];
            const int64_t there = ((z + part.first_cell[2]) * mesh->lattice->n[1] + y + part.first_cell[1]) *
                                      mesh->lattice->n[0] +
                                  x + part.first_cell[0];
            if (e < 0)
                continue;
            cells++;
            assert_int_equal(mesh->lattice->element[there], d[k].own_element[e]);
            assert_int_equal(l->node[(z * (l->n[1] + 1) + y) * (l->n[0] + 1) + x], part.mesh.node[8 * e]);
        }
        assert_int_equal(cells, d[k].n_elements);
        sw_fem_part_problem_free(&part);
    }
    free_all(3, d);
    fem_free(&b);
}

/* ---- Problems ---- */

static void load_body(fem_body *b, sw_fem_pressure *pressure)
{
    fem_fix_set(b, 0, "x_min", 0, 0);
    fem_fix_set(b, 0, "y_min", 1, 0);
    fem_fix_set(b, 0, "z_min", 2, 0);
    fem_fix_set(b, 0, "x_max", 0, 0.01);
    for (int64_t i = 0; i < b->N * b->c; i++)
        b->load[0].force[i] = (double)i;
    *pressure = (sw_fem_pressure){fem_surface(b, "y_max"), 5e6};
    b->load[0].n_pressures = 1;
    b->load[0].pressure = pressure;
}

static void check_part_problem(const fem_body *b, const sw_fem_division *d, const uint8_t *material_of,
                               int64_t *faces, int64_t *fixed)
{
    sw_fem_part_problem part;
    CHECK_OK(sw_fem_part_problem_make(&b->problem, d, &part));
    const sw_fem_case *load = &part.problem.load[0], *whole = &b->load[0];
    assert_int_equal(part.mesh.n_nodes, d->n_nodes);
    assert_int_equal(part.mesh.n_elements, d->n_elements);
    for (int64_t e = 0; e < d->n_elements; e++) {
        assert_int_equal(part.material_of[e], material_of[d->own_element[e]]);
        assert_int_equal(sw_fem_element_label(&part.mesh, e), d->own_element[e] + 1);
        for (int a = 0; a < b->V; a++)
            assert_int_equal(d->node[part.mesh.node[e * b->V + a]],
                             b->mesh->node[(int64_t)d->own_element[e] * b->V + a]);
    }
    for (int64_t i = 0; i < d->n_nodes * b->c; i++) {
        const int64_t there = (int64_t)d->node[i / b->c] * b->c + i % b->c;
        assert_true(load->force[i] == whole->force[there]);
        assert_true(part.mesh.position[i] == b->mesh->position[there]);
    }
    for (int64_t i = 0; i < load->n_fixed; i++) {
        const int64_t dof = load->dof[i], there = (int64_t)d->node[dof / b->c] * b->c + dof % b->c;
        int64_t k = 0;
        while (k < whole->n_fixed && whole->dof[k] != there)
            k++;
        assert_true(k < whole->n_fixed && whole->value[k] == load->value[i]);
        assert_true(i == 0 || dof > load->dof[i - 1]);
        *fixed += dof / b->c < d->n_owned;
    }
    const sw_fem_set *surface = load->pressure[0].surface;
    for (int64_t i = 0; i < surface->n; i++) {
        const int64_t face = 8 * (int64_t)d->own_element[surface->member[i] / 8] + surface->member[i] % 8;
        int64_t k = 0;
        while (k < whole->pressure[0].surface->n && whole->pressure[0].surface->member[k] != face)
            k++;
        assert_true(k < whole->pressure[0].surface->n);
    }
    *faces += surface->n;
    sw_fem_part_problem_free(&part);
}

static void parts_have_what_holds_and_loads_them(void **state)
{
    (void)state;
    fem_body b;
    sw_fem_pressure pressure;
    sw_fem_division d[MOST_PARTS];
    fem_make(&b, fem_grid((int[]){4, 3, 5}, 0.2, NULL, NULL), SW_FEM_SOLID, 0,
             (sw_fem_material){.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY});
    uint8_t material_of[60];
    for (int e = 0; e < 60; e++)
        material_of[e] = (uint8_t)(e % 3 == 0);
    b.problem.material_of = material_of;
    load_body(&b, &pressure);
    divide(b.mesh, 3, d);
    int64_t faces = 0, fixed = 0;
    for (int k = 0; k < 3; k++)
        check_part_problem(&b, &d[k], material_of, &faces, &fixed);
    assert_int_equal(faces, pressure.surface->n); /* each once */
    assert_int_equal(fixed, b.load[0].n_fixed);   /* each once at its owner */
    free_all(3, d);
    fem_free(&b);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_equal_and_none_is_empty),
        cmocka_unit_test(halves_are_cut_across_the_longest_side),
        cmocka_unit_test(parts_know_what_they_share),
        cmocka_unit_test(coarse_cells_are_of_one_part),
        cmocka_unit_test(copies_stand_behind_their_originals),
        cmocka_unit_test(parts_have_lattices),
        cmocka_unit_test(parts_have_what_holds_and_loads_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
