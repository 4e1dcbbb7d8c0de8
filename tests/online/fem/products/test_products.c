/* Products without a matrix against elements' matrices; how tangents are kept. */
#include "bodies.h"

static test_body body;
static double v[3 * MOST_NODES], f[3 * MOST_NODES], by_matrices[3 * MOST_NODES], blocks[9 * MOST_NODES];

typedef sw_matter *matter_of(void);
static matter_of *const matters[SW_PRODUCT_KINDS] = {steel, soft, cubic};

static int goes(const known *k) { return sw_products_by_points(sw_formulation_find(k->name, k->dialect)); }

static void products_are_those_of_matrices(void **state)
{
    int n_by_points = 0;
    (void)state;
    for (int i = 0; i < N_KNOWN; i++)
        for (int m = 0; m < SW_PRODUCT_KINDS; m++) {
            if (sw_formulation_find(all_known[i].name, all_known[i].dialect)->kinematics != SW_FEM_SOLID)
                continue;
            n_by_points += goes(&all_known[i]);
            make_body(&all_known[i], matters[m](), &body);
            const int64_t n = 3 * body.b.problem.n_nodes;
            sw_products *p = open_products(&body, SW_FEM_DEVICE_CPU, SW_FEM_COLOURS);
            make_vector(n, v);
            set_body(&body, p, v, by_matrices, blocks);
            CHECK_OK(sw_products_multiply(p, v, f));
            if (!(off(n, f, by_matrices) <= ROUND_OFF) || !(off(3 * n, p->block, blocks) <= ROUND_OFF))
                fail_msg("%s (%d), matter %d: %g off, its diagonal %g", all_known[i].name,
                         all_known[i].dialect, m, off(n, f, by_matrices), off(3 * n, p->block, blocks));
            sw_products_close(p);
        }
    assert_true(n_by_points >=
                3 * 8); /* tet4, tet10, wedge6, wedge15 and hex20R of either dialect, hex8, hex20 */
}

/* New tangents take the place of the old ones, of another kind, too, and of none. */
static void tangents_may_change(void **state)
{
    (void)state;
    make_body(&(known){"C3D10", 0, 6, 2, 0}, steel(), &body);
    const int64_t n = 3 * body.b.problem.n_nodes;
    sw_products *p = open_products(&body, SW_FEM_DEVICE_CPU, SW_FEM_COLOURS);
    make_vector(n, v);
    for (int turn = 0; turn < 6; turn++) {
        body.matter = matters[(turn * 2) % SW_PRODUCT_KINDS]();
        set_body(&body, p, v, by_matrices, NULL);
        CHECK_OK(sw_products_multiply(p, v, f));
        assert_true(off(n, f, by_matrices) <= ROUND_OFF);
        for (int64_t e = 0; e < body.b.problem.n_elements && turn == 2; e++)
            sw_products_set_nothing(p, e);
        CHECK_OK(sw_products_ready(p));
    }
    sw_products_close(p);
}

/* The fewest numbers that have all of it, which products show besides. */
static void tangents_are_kept_in_few_numbers(void **state)
{
    double c[SW_FORMULATION_POINTS][6][6], values[SW_FORMULATION_POINTS * SW_PRODUCT_GENERAL_SIZE];
    int64_t seen[SW_PRODUCT_KINDS] = {0};
    (void)state;
    for (int m = 0; m < SW_PRODUCT_KINDS; m++) {
        make_body(&(known){"C3D20R", 0, 12, 2, 0}, matters[m](), &body);
        for (int64_t e = 0; e < body.b.problem.n_elements; e++) {
            ask_element(&body, e, NULL, c);
            const int kind = sw_product_compact(8, (const double(*)[6][6])c, values);
            assert_int_equal(kind, m);
            seen[kind]++;
        }
    }
    for (int m = 0; m < SW_PRODUCT_KINDS; m++)
        assert_true(seen[m] > 0);
    /* E = 200, nu = 0.3: K = E / 3 (1 - 2 nu), 2 G = E / (1 + nu) */
    make_body(&(known){"C3D4", 0, 6, 1, 0}, steel(), &body);
    ask_element(&body, 0, NULL, c);
    assert_int_equal(sw_product_compact(1, (const double(*)[6][6])c, values), SW_PRODUCT_UNIFORM);
    CHECK_CLOSE(values[0], 200 / 1.2, 1e-12 * 200);
    CHECK_CLOSE(values[1], 200 / 1.3, 1e-12 * 200);
}

/* Whichever number of a flow's direction is the largest. */
static void any_direction_of_flow_is_found(void **state)
{
    (void)state;
    for (int at = 0; at < 6; at++) {
        double m[6] = {0.1, 0.2, 0, 0.3, -0.2, 0.15}, c[1][6][6], values[SW_PRODUCT_GENERAL_SIZE];
        m[at] += 4;
        const double mean = (m[0] + m[1] + m[2]) / 3;
        for (int i = 0; i < 3; i++)
            m[i] -= mean;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                c[0][i][j] = (i == j ? (i < 3 ? 150 : 75) : 0) + (i < 3 && j < 3 ? 90 : 0) - m[i] * m[j];
        assert_int_equal(sw_product_compact(1, (const double(*)[6][6])c, values), SW_PRODUCT_FLOWING);
        c[0][1][2] += 1e-9;
        c[0][2][1] += 1e-9;
        assert_int_equal(sw_product_compact(1, (const double(*)[6][6])c, values), SW_PRODUCT_GENERAL);
    }
}

/* Each element once; none of a pass has a node of another bundle's. */
static void check_list(const sw_product_group *g, const sw_product_list *list, int width, int *seen)
{
    static int64_t of[MOST_NODES];
    for (int pass = 0; pass < list->n_passes; pass++) {
        memset(of, 0, sizeof of);
        for (int64_t i = list->pass[pass]; i < list->pass[pass + 1]; i++)
            for (int l = 0; l < width && list->element[i * width + l] >= 0; l++) {
                const int32_t e = list->element[i * width + l];
                seen[e]++;
                for (int a = 0; a < g->V; a++) {
                    int64_t *first = &of[g->node[e * g->V + a]];
                    assert_true(*first == 0 || *first == i + 1);
                    *first = i + 1;
                }
            }
    }
}

static void bundles_of_a_pass_share_no_node(void **state)
{
    static int seen[MOST_ELEMENTS];
    (void)state;
    make_body(&(known){"C3D10", 0, 6, 2, 0}, steel(), &body);
    sw_products *p = open_products(&body, SW_FEM_DEVICE_CPU, SW_FEM_COLOURS);
    set_body(&body, p, v, by_matrices, NULL);
    for (int width = 1; width <= 8; width *= 2) {
        const sw_product_group *g = &p->group[0];
        memset(seen, 0, sizeof seen);
        CHECK_OK(sw_products_list(p, width, 1));
        for (int kind = 0; kind < SW_PRODUCT_KINDS; kind++)
            check_list(g, &g->list[kind], width, seen);
        for (int64_t i = 0; i < g->n; i++)
            assert_int_equal(seen[i], g->kind[i] != SW_PRODUCT_KINDS);
    }
    sw_products_close(p);
}

/* Of what a mesh may have there are more at a node than colours: the rest come one by one. */
static void many_elements_may_meet_at_a_node(void **state)
{
    enum { MANY = 700 }; /* tets from node 0 to three of its own each */
    static double x[3 * MANY + 1][3];
    (void)state;
    memset(&body.b, 0, sizeof body.b);
    const sw_formulation *tet = sw_formulation_find("C3D4", 0);
    for (int e = 0; e < MANY; e++) {
        body.b.element[e] = (sw_structure_element){.formulation = tet, .first = 4 * e};
        for (int a = 1; a < 4; a++) {
            const int n = 3 * e + a;
            body.b.node[4 * e + a] = n;
            x[n][a - 1] = 1 + 0.001 * e;
        }
    }
    memcpy(body.b.position, x, sizeof x);
    body.matter = steel();
    memset(body.u, 0, sizeof body.u);
    body.b.problem.n_nodes = 3 * MANY + 1;
    body.b.problem.n_elements = MANY;
    sw_products *p = open_products(&body, SW_FEM_DEVICE_CPU, SW_FEM_COLOURS);
    make_vector(3 * body.b.problem.n_nodes, v);
    set_body(&body, p, v, by_matrices, NULL);
    CHECK_OK(sw_products_multiply(p, v, f));
    assert_true(off(3 * body.b.problem.n_nodes, f, by_matrices) <= ROUND_OFF);
    sw_products_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_matrices),
        cmocka_unit_test(tangents_may_change),
        cmocka_unit_test(tangents_are_kept_in_few_numbers),
        cmocka_unit_test(any_direction_of_flow_is_found),
        cmocka_unit_test(bundles_of_a_pass_share_no_node),
        cmocka_unit_test(many_elements_may_meet_at_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
