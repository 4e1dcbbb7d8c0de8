/* Bodies for tests of products: blocks of one formulation, some of whose elements bring their matrices, and some are not
 * there; their product from the elements' matrices. */
#ifndef SW_TESTS_ONLINE_FEM_PRODUCTS_BODIES_H
#define SW_TESTS_ONLINE_FEM_PRODUCTS_BODIES_H

#include "online/fem/products/groups.h"
#include "tests/online/fem/formulation/blocks.h"

typedef struct {
    block b;
    const sw_matter *matter;
    double u[MOST_NODES][3]; /* what the points are strained by */
} test_body;

static inline int is_removed(int64_t e) { return e % 7 == 6; }
static inline int has_matrix(int64_t e) { return e % 5 == 4; }

static inline void bend(const double at[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = at[i] + 0.04 * sin(3 * at[(i + 1) % 3] + i);
}

/* Cubic along its axes, which no isotropic law is. */
static inline sw_matter *cubic(void)
{
    static double temperature[1] = {0}, elastic[9] = {168, 121, 168, 121, 121, 168, 75, 75, 75};
    static sw_matter matter = {.name = (char *)"cubic",
                               .elasticity = SW_MATTER_ORTHOTROPIC,
                               .elastic = {1, 9, temperature, elastic}};
    CHECK_OK(sw_matter_prepare(&matter, "test"));
    return &matter;
}

/* 3 x 2 x 2 cells: lanes that are not all full. */
static inline void make_body(const known *k, sw_matter *matter, test_body *body)
{
    const int cells[3] = {3, 2, 2};
    uint64_t seed = 7;
    fill(&body->b, k, matter, cells, 0, bend);
    body->matter = matter;
    for (int64_t n = 0; n < body->b.problem.n_nodes; n++)
        for (int i = 0; i < 3; i++)
            body->u[n][i] = 0.02 * number(&seed);
}

static inline int body_unknowns(const void *of, int64_t e, int64_t unknown[SW_FORMULATION_UNKNOWNS])
{
    const block *b = &((const test_body *)of)->b;
    const int n = 3 * b->element[e].formulation->topology->n_nodes;
    for (int i = 0; i < n; i++)
        unknown[i] = 3 * (int64_t)b->node[b->element[e].first + i / 3] + i % 3;
    return n;
}

static inline const sw_formulation *body_formulation(const void *of, int64_t e)
{
    const sw_formulation *f = ((const test_body *)of)->b.element[e].formulation;
    return has_matrix(e) || !sw_products_by_points(f) ? NULL : f;
}

static inline sw_products *open_products(const test_body *body, sw_fem_device device, sw_fem_scatter scatter)
{
    sw_products *p;
    const sw_products_body of = {.of = body,
                                 .n_nodes = body->b.problem.n_nodes,
                                 .n_items = body->b.problem.n_elements,
                                 .position = body->b.position,
                                 .unknowns = body_unknowns,
                                 .formulation = body_formulation};
    CHECK_OK(sw_products_open(&of, device, scatter, &p));
    return p;
}

static inline void ask_element(const test_body *body, int64_t e, double *stiffness, double (*tangent)[6][6])
{
    const block *b = &body->b;
    double state[MOST_STATE];
    sw_element element = {
        .formulation = b->element[e].formulation, .matter = body->matter, .state = no_state};
    for (int a = 0; a < element.formulation->topology->n_nodes; a++) {
        const int32_t n = b->node[b->element[e].first + a];
        memcpy(element.x[a], b->position[n], sizeof element.x[a]);
        memcpy(element.u[a], body->u[n], sizeof element.u[a]);
    }
    sw_element_answer answer = {.state = state, .stiffness = stiffness, .tangent = tangent};
    CHECK_OK(element.formulation->evaluate(&element, &answer));
}

/* Sets all tangents of p; f = K v by the elements' matrices, block [N][9] their diagonal; both may be NULL. */
static inline void set_body(const test_body *body, sw_products *p, const double *v, double *f,
                            double *block_of)
{
    static double k[SW_FORMULATION_UNKNOWNS * SW_FORMULATION_UNKNOWNS], c[SW_FORMULATION_POINTS][6][6];
    int64_t at[SW_FORMULATION_UNKNOWNS];
    if (f != NULL)
        memset(f, 0, 3 * (size_t)body->b.problem.n_nodes * sizeof *f);
    if (block_of != NULL)
        memset(block_of, 0, 9 * (size_t)body->b.problem.n_nodes * sizeof *block_of);
    for (int64_t e = 0; e < body->b.problem.n_elements; e++) {
        const int n = body_unknowns(body, e, at);
        ask_element(body, e, k, c);
        if (is_removed(e))
            sw_products_set_nothing(p, e);
        else if (body_formulation(body, e) == NULL)
            sw_products_set_matrix(p, e, k);
        else
            CHECK_OK(sw_products_set_points(p, e, (const double(*)[6][6])c));
        for (int i = 0; i < n && !is_removed(e); i++)
            for (int j = 0; j < n; j++) {
                if (f != NULL)
                    f[at[i]] += k[i * n + j] * v[at[j]];
                if (block_of != NULL && at[i] / 3 == at[j] / 3)
                    block_of[9 * (at[i] / 3) + 3 * (at[i] % 3) + at[j] % 3] += k[i * n + j];
            }
    }
    CHECK_OK(sw_products_ready(p));
}

static inline void make_vector(int64_t n, double *v)
{
    uint64_t seed = 3;
    for (int64_t i = 0; i < n; i++)
        v[i] = number(&seed);
}

/* The largest difference over the largest number. */
static inline double off(int64_t n, const double *a, const double *b)
{
    double most = 0, difference = 0;
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(b[i]));
        difference = isfinite(a[i]) ? fmax(difference, fabs(a[i] - b[i])) : INFINITY;
    }
    return difference / most;
}

/* A number is a sum of up to 1,620 products of an element (27 points, 20 nodes, 3 components), twice rounded as many times
 * as its terms, which are some ten times itself where shapes are bent: 1620 x 2 x 10 x 1e-16, the tangents' 1e-13
 * (compact.c) and room for both. */
#define ROUND_OFF 1e-11

#endif
