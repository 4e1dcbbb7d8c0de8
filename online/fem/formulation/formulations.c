/* The list of formulations, and what is made once of each: values of shape functions at its points, weights of temperatures
 * and of recovery; formulation.h. A formulation is a line of the list. */
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

#include "evaluate.h"

/* Dialects that have it. */
enum { ABAQUS = 1, CALCULIX = 2, BOTH = 3 };

/* What is the same but for the points of loads. */
#define EACH(X, type, ...) X(type, ABAQUS, __VA_ARGS__) X(type, CALCULIX, __VA_ARGS__)

/*    type       dialects  topology    kinematics  rule   own  evaluated as  temperatures */
#define SPACE(X)                                                          \
    X("C3D4", BOTH, tet4, SOLID, tet1, 0, isoparametric, SHAPES)          \
    X("C3D10", BOTH, tet10, SOLID, tet4, 0, isoparametric, SHAPES)        \
    EACH(X, "C3D6", wedge6, SOLID, wedge2, 0, isoparametric, SHAPES)      \
    EACH(X, "C3D15", wedge15, SOLID, wedge9, 0, isoparametric, SHAPES)    \
    X("C3D8", ABAQUS, hex8_any, SOLID, hex8, 0, mean_dilatation, MEAN)    \
    X("C3D8", CALCULIX, hex8_any, SOLID, hex8, 0, isoparametric, MEAN)    \
    X("C3D8R", ABAQUS, hex8_any, SOLID, hex1, 2, hourglass, MEAN)         \
    X("C3D8R", CALCULIX, hex8_any, SOLID, hex1, 2, hourglass_plain, MEAN) \
    X("C3D8I", ABAQUS, hex8_any, SOLID, hex8, 9, incompatible, MEAN)      \
    X("C3D8I", CALCULIX, hex8_any, SOLID, hex8, 9, wilson, MEAN)          \
    X("C3D20", BOTH, hex20, SOLID, hex27, 0, isoparametric, LINEAR)       \
    EACH(X, "C3D20R", hex20, SOLID, hex8, 0, isoparametric, SHAPES)       \
    X("T3D2", BOTH, line2, SOLID, line1, 0, truss, SHAPES)                \
    X("T3D3", BOTH, line3_along, SOLID, line2, 0, truss, SHAPES)          \
    X("T2D2", BOTH, line2, PLANE_STRESS, line1, 0, truss, SHAPES)         \
    X("T2D3", BOTH, line3_along, PLANE_STRESS, line2, 0, truss, SHAPES)

/* Plane stress has no dilatation to be the mean of: `four` is how Abaqus' four nodes are evaluated. */
#define PLANE(X, prefix, kinematics, four)                                           \
    EACH(X, prefix "3", tri3, kinematics, tri1, 0, isoparametric, SHAPES)            \
    X(prefix "6", BOTH, tri6, kinematics, tri3, 0, isoparametric, SHAPES)            \
    X(prefix "4", ABAQUS, quad4_any, kinematics, quad4, 0, four, MEAN)               \
    X(prefix "4", CALCULIX, quad4_any, kinematics, quad4, 0, isoparametric, MEAN)    \
    X(prefix "4R", ABAQUS, quad4_any, kinematics, quad1, 2, hourglass, MEAN)         \
    X(prefix "4R", CALCULIX, quad4_any, kinematics, quad1, 2, hourglass_plain, MEAN) \
    X(prefix "8", BOTH, quad8, kinematics, quad9, 0, isoparametric, LINEAR)          \
    EACH(X, prefix "8R", quad8, kinematics, quad4, 0, isoparametric, SHAPES)

#define ALL(X)                                                              \
    SPACE(X)                                                                \
    PLANE(X, "CPS", PLANE_STRESS, isoparametric)                            \
    PLANE(X, "CPE", PLANE_STRAIN, mean_dilatation)                          \
    PLANE(X, "CAX", AXISYMMETRIC, mean_dilatation)                          \
    X("CPS4I", BOTH, quad4_any, PLANE_STRESS, quad4, 4, incompatible, MEAN) \
    X("CPE4I", BOTH, quad4_any, PLANE_STRAIN, quad4, 4, incompatible, MEAN)

typedef struct {
    sw_formulation formulation;
    int dialects;
    sw_temperature_way temperatures;
} entry;

#define LINE(type, spoken, shape, way, points, own, how, warm) \
    {.formulation = {.name = (type),                           \
                     .topology = &sw_##shape,                  \
                     .kinematics = SW_FEM_##way,               \
                     .rule = &sw_rule_##points,                \
                     .n_own = (own),                           \
                     .fewer = (spoken) == CALCULIX,            \
                     .evaluate = sw_evaluate_##how},           \
     .dialects = (spoken),                                     \
     .temperatures = SW_TEMPERATURE_##warm},
static entry list[] = {ALL(LINE)};
enum { N_FORMULATIONS = sizeof list / sizeof list[0] };
static struct sw_formulation_tables made[N_FORMULATIONS];

/* ---- Tables ---- */

static const sw_topology *of_corners(const sw_topology *topology)
{
    enum { N_SIMPLE = 6 };
    const sw_topology *all[N_SIMPLE] = {&sw_line2, &sw_tri3,   &sw_quad4_any,
                                        &sw_tet4,  &sw_wedge6, &sw_hex8_any};
    for (int k = 0; k < N_SIMPLE; k++)
        if (all[k]->dimension == topology->dimension && all[k]->n_corners == topology->n_corners)
            return all[k];
    return topology;
}

/* Of hexahedra and quadrilaterals. */
static void weigh_through(const sw_topology *t, const double at[3], double weight[SW_WIDE])
{
    const sw_topology *corners = of_corners(t);
    const double reduced = sqrt(3), scaled[3] = {reduced * at[0], reduced * at[1], reduced * at[2]};
    double part[8], value[SW_WIDE];
    corners->shape(scaled, part, NULL);
    memset(weight, 0, SW_WIDE * sizeof(double));
    for (int k = 0; k < corners->n_nodes; k++) {
        const double *node = corners->node[k],
                     point[3] = {node[0] / reduced, node[1] / reduced, node[2] / reduced};
        t->shape(point, value, NULL);
        for (int a = 0; a < t->n_nodes; a++)
            weight[a] += part[k] * value[a];
    }
}

static void weigh_temperatures(const entry *line, int q, double weight[SW_WIDE])
{
    const sw_topology *t = line->formulation.topology;
    const double *at = line->formulation.rule->point[q];
    for (int a = 0; a < t->n_nodes; a++)
        weight[a] = 1.0 / t->n_nodes;
    if (line->temperatures == SW_TEMPERATURE_SHAPES)
        t->shape(at, weight, NULL);
    if (line->temperatures == SW_TEMPERATURE_LINEAR)
        weigh_through(t, at, weight);
}

static void fill_tables(const entry *line, struct sw_formulation_tables *tables)
{
    const sw_formulation *f = &line->formulation;
    for (int q = 0; q < f->rule->n; q++) {
        f->topology->shape(f->rule->point[q], tables->value[q], tables->gradient[q]);
        weigh_temperatures(line, q, tables->temperature[q]);
    }
    sw_make_recovery(f, of_corners(f->topology), tables->recover);
}

static void make_tables(void)
{
    for (int k = 0; k < N_FORMULATIONS; k++) {
        list[k].formulation.tables = &made[k];
        fill_tables(&list[k], &made[k]);
    }
}

typedef struct {
    entry line;
    struct sw_formulation_tables tables;
} entry_alone;

sw_status sw_formulation_with_rule(const sw_formulation *base, const sw_rule *rule, sw_formulation **other)
{
    entry_alone *alone;
    SW_TRY(SW_ALLOCATE(alone, 1, "a formulation"));
    for (int k = 0; k < N_FORMULATIONS; k++)
        if (base == &list[k].formulation)
            alone->line = list[k];
    alone->line.formulation.rule = rule;
    alone->line.formulation.sectioned = 1;
    alone->line.formulation.tables = &alone->tables;
    fill_tables(&alone->line, &alone->tables);
    *other = &alone->line.formulation;
    return SW_OK;
}

/* ---- Asking ---- */

const sw_formulation *sw_formulation_find(const char *type, int dialect)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_tables);
    for (int k = 0; k < N_FORMULATIONS; k++)
        if (strcasecmp(list[k].formulation.name, type) == 0 &&
            (list[k].dialects & (dialect ? CALCULIX : ABAQUS)))
            return &list[k].formulation;
    return NULL;
}

int sw_formulation_state_size(const sw_formulation *formulation, const sw_matter *matter)
{
    return formulation->n_own + formulation->rule->n * sw_matter_state_size(matter);
}
