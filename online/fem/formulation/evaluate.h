/* What formulations share: places of integration, the answer of a point in terms of the displacement gradient, and the
 * sums over places.
 *
 * Everything is in terms of generalised gradients H[i][J] = sum over nodes of u[i] g[J], which are d u_i / d X_J, but with
 * axial symmetry g[2] = N / r, so that H[0][2] is the hoop stretch less 1 and stands for 33. Their work-conjugate forces
 * P[i][J], and A = d P / d H, are 3 i + J wide. */
#ifndef SW_ONLINE_FEM_FORMULATION_EVALUATE_H
#define SW_ONLINE_FEM_FORMULATION_EVALUATE_H

#include "formulation.h"

enum {
    SW_GROUP = 4,                   /* nodes that arithmetic takes at once */
    SW_MODES = 3,                   /* incompatible modes, which act as nodes */
    SW_WIDE = SW_FORMULATION_NODES, /* a multiple of the group */
    SW_CHUNK = 4                    /* places whose products are summed at once */
};

extern const sw_rule sw_rule_line1, sw_rule_line2, sw_rule_line3, sw_rule_tri1, sw_rule_tri3, sw_rule_quad1,
    sw_rule_quad4, sw_rule_quad9, sw_rule_tet1, sw_rule_tet4, sw_rule_wedge2, sw_rule_wedge9, sw_rule_hex1,
    sw_rule_hex8, sw_rule_hex27;

/* Of linear hexahedra and quadrilaterals; NULL: of others. */
const sw_rule *sw_full_rule(const sw_topology *topology);

/* How temperatures at points come of those of nodes. */
typedef enum {
    SW_TEMPERATURE_SHAPES, /* by the shape functions */
    SW_TEMPERATURE_LINEAR, /* linear through what shape functions give at the points of reduced integration */
    SW_TEMPERATURE_MEAN    /* one for the element */
} sw_temperature_way;

/* Of a formulation's points; made once. */
struct sw_formulation_tables {
    double value[SW_FORMULATION_POINTS][SW_WIDE], gradient[SW_FORMULATION_POINTS][SW_WIDE][3];
    double temperature[SW_FORMULATION_POINTS][SW_WIDE];          /* weights of nodes' */
    double recover[SW_FORMULATION_NODES][SW_FORMULATION_POINTS]; /* weights of points' */
};

void sw_make_recovery(const sw_formulation *formulation, const sw_topology *corners,
                      double recover[SW_FORMULATION_NODES][SW_FORMULATION_POINTS]); /* into zeros */

/* A place of integration of an element's reference body. */
typedef struct {
    double gradient[3][SW_WIDE]; /* g; 0 beyond the nodes */
    double weight;               /* volume */
} sw_place;

/* SW_ERR_RANGE: the Jacobian is not positive. */
sw_status sw_place_at(const sw_element *element, int q, sw_place *place);
/* As above anywhere: value [V] and gradient [V][3] of shape functions; weight times det J, without thickness: *volume;
 * inverse of the Jacobian where not NULL. */
sw_status sw_place_of(const sw_element *element, const double *value, const double (*gradient)[3],
                      double weight, sw_place *place, double inverse[3][3]);

/* With the mean of gradients over the volume, and all of it; of simplices they are constant. */
sw_status sw_mean_place(const sw_element *element, sw_place *place);

/* H of displacements [n][3]. */
void sw_gradient_of(const sw_place *place, int n, const double (*u)[3], double h[9]);

/* The matter's answer at point q, of a point whose gradients, axes and kind of stress are set; the rest is filled in. Writes
 * the state and what the answer wants of the point. */
sw_status sw_point_respond(const sw_element *element, int q, double volume, sw_matter_point *at,
                           sw_element_answer *answer, sw_matter_answer *matter);

/* What a point answers. */
typedef struct {
    double force[9], tangent[9][9]; /* P, A */
    double first;                   /* as sw_matter_answer has it */
} sw_point;
/* As above, of generalised gradients. A only where `tangent`. */
sw_status sw_point_ask(const sw_element *element, int q, double volume, const double h[9],
                       const double h_before[9], int tangent, sw_element_answer *answer, sw_point *point);

/* force [n c] += g P weight */
void sw_add_force(int n, int c, const sw_place *place, const double p[9], double *force);
/* Sum over n_places of g A g weight into sums, which begin as zeros; symmetric: only half of it is made. A at most of
 * SW_CHUNK places at a time. */
typedef struct {
    _Alignas(64) double at[3][3][SW_WIDE][SW_WIDE]; /* [i][k][a][b] */
} sw_stiffness;
void sw_add_stiffness(int n, int c, int symmetric, int n_places, const sw_place *place, const sw_point *point,
                      sw_stiffness *sums);
/* Into rows of n c, the other half too. */
void sw_write_stiffness(int n, int c, int symmetric, const sw_stiffness *sums, double *stiffness);

sw_status sw_evaluate_isoparametric(const sw_element *element, sw_element_answer *answer);
sw_status sw_evaluate_incompatible(const sw_element *element, sw_element_answer *answer);
sw_status sw_evaluate_wilson(const sw_element *element, sw_element_answer *answer); /* as CalculiX has it */
sw_status sw_evaluate_mean_dilatation(const sw_element *element, sw_element_answer *answer);
sw_status sw_evaluate_hourglass(const sw_element *element, sw_element_answer *answer);
sw_status sw_evaluate_hourglass_plain(const sw_element *element,
                                      sw_element_answer *answer); /* as CalculiX has it */
sw_status sw_evaluate_truss(const sw_element *element, sw_element_answer *answer);

#endif
