/* Formulations and their elements for tests. */
#ifndef SW_TESTS_ONLINE_FEM_FORMULATION_PATCHES_H
#define SW_TESTS_ONLINE_FEM_FORMULATION_PATCHES_H

#include "tests/test.h"

#include "online/fem/formulation/formulation.h"

enum { MOST_STATE = 1000 };

/* What decks may ask for, and what is known of it. */
typedef struct {
    const char *name;
    int dialect;
    int zeros; /* eigenvalues of a free element that vanish */
    int order; /* of its shape functions */
    int off;   /* constant strains are not met where it is distorted: CalculiX' own */
} known;
static const known all_known[] = {
    {"C3D4", 0, 6, 1, 0},  {"C3D10", 0, 6, 2, 0},   {"C3D6", 0, 7, 1, 0},  {"C3D15", 0, 6, 2, 0},
    {"C3D15", 1, 6, 2, 0}, {"C3D20R", 1, 12, 2, 0}, {"C3D6", 1, 7, 1, 0},  {"C3D8", 1, 6, 1, 0},
    {"C3D8I", 0, 6, 1, 0}, {"C3D8I", 1, 6, 1, 1},   {"C3D8", 0, 6, 1, 0},  {"CPS4", 0, 3, 1, 0},
    {"CPE4", 0, 3, 1, 0},  {"CAX4", 0, 1, 1, 0},    {"C3D8R", 0, 6, 1, 0}, {"C3D8R", 1, 6, 1, 1},
    {"CPS4R", 0, 3, 1, 0}, {"CPE4R", 1, 3, 1, 1},   {"CAX4R", 0, 2, 1, 0}, {"CAX4R", 1, 2, 1, 1},
    {"CPS4I", 0, 3, 1, 0}, {"CPE4I", 0, 3, 1, 0},   {"C3D20", 0, 6, 2, 0}, {"C3D20R", 0, 12, 2, 0},
    {"CPS3", 0, 3, 1, 0},  {"CPS6", 0, 3, 2, 0},    {"CPS4", 1, 3, 1, 0},  {"CPS8", 0, 3, 2, 0},
    {"CPS8R", 0, 4, 2, 0}, {"CPE3", 0, 3, 1, 0},    {"CPE6", 0, 3, 2, 0},  {"CPE4", 1, 3, 1, 0},
    {"CPE8", 0, 3, 2, 0},  {"CPE8R", 0, 4, 2, 0},   {"CAX3", 0, 2, 1, 0},  {"CAX6", 0, 1, 2, 0},
    {"CAX4", 1, 1, 1, 0},  {"CAX8", 0, 1, 2, 0},    {"CAX8R", 0, 2, 2, 0},
};
enum { N_KNOWN = sizeof all_known / sizeof *all_known };

static inline double number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static inline sw_matter *steel(void)
{
    static double temperature[1] = {0}, elastic[2] = {200, 0.3};
    static sw_matter matter = {
        .name = (char *)"steel", .elastic = {1, 2, temperature, elastic}, .density = 2};
    CHECK_OK(sw_matter_prepare(&matter, "test"));
    return &matter;
}

/* Flows at once in tests, whose strains are some percent. */
static inline sw_matter *soft(void)
{
    static double temperature[1] = {0}, elastic[2] = {200, 0.3}, rows[2][2] = {{0, 1}, {1, 30}};
    static sw_matter_curve curve = {.n_rows = 2, .row = rows};
    static sw_matter matter = {
        .name = (char *)"soft", .elastic = {1, 2, temperature, elastic}, .n_curves = 1, .curve = &curve};
    CHECK_OK(sw_matter_prepare(&matter, "test"));
    return &matter;
}

static const double no_state[MOST_STATE];

/* An element whose corners are off by up to `distortion` of its size, straight-edged, turned in space; r > 0. */
static inline sw_element distorted(const known *k, const sw_matter *matter, double distortion, uint64_t *seed)
{
    sw_element e = {.formulation = sw_formulation_find(k->name, k->dialect),
                    .matter = matter,
                    .thickness = 0.7,
                    .state = no_state,
                    .label = 1};
    if (e.formulation == NULL)
        fail_msg("no formulation %s", k->name);
    const sw_topology *t = e.formulation->topology;
    const double r[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}, half[3] = {1, 0.8, 1.3};
    const sw_topology *corners[] = {&sw_line2, &sw_tri3, &sw_quad4_any, &sw_tet4, &sw_wedge6, &sw_hex8_any};
    double corner[8][3];
    assert_in_range(sw_formulation_state_size(e.formulation, matter), 1, MOST_STATE);
    for (int a = 0; a < t->n_corners; a++)
        for (int i = 0; i < 3; i++)
            corner[a][i] = i < t->dimension ? half[i] * (t->node[a][i] + distortion * number(seed)) : 0;
    for (int c = 0; c < 6; c++)
        for (int a = 0;
             a < t->n_nodes && corners[c]->n_corners == t->n_corners && corners[c]->dimension == t->dimension;
             a++) {
            double value[8], x[3] = {0};
            corners[c]->shape(t->node[a], value, NULL);
            for (int b = 0; b < t->n_corners; b++)
                for (int i = 0; i < 3; i++)
                    x[i] += value[b] * corner[b][i];
            for (int i = 0; i < 3; i++)
                e.x[a][i] = t->dimension == 3 ? r[i][0] * x[0] + r[i][1] * x[1] + r[i][2] * x[2]
                                              : x[i] + (i == 0) * 3;
        }
    return e;
}

/* u = G x */
static inline void displace(const double g[3][3], sw_element *e)
{
    for (int a = 0; a < e->formulation->topology->n_nodes; a++)
        for (int i = 0; i < 3; i++)
            e->u[a][i] = g[i][0] * e->x[a][0] + g[i][1] * e->x[a][1] + g[i][2] * e->x[a][2];
}

#endif
