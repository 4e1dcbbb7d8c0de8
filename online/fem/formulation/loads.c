/* Nodal forces of pressures, tractions and body forces, and what they add to the stiffness; formulation.h. */
#include <math.h>
#include <string.h>

#include "common/math/six.h"
#include "common/system/status.h"
#include "evaluate.h"

/* ---- Faces ---- */

/* A point of a face: area vector (normal times what it counts as), and what makes its derivative. */
typedef struct {
    int n;                                      /* nodes of the face */
    const int *node;                            /* of the element */
    double value[SW_FORMULATION_FACE_NODES];    /* shape functions */
    double slope[SW_FORMULATION_FACE_NODES][3]; /* theirs */
    double tangent[2][3], radius, weight;
} face_point;

/* CalculiX sees faces of elements of reduced points by fewer, too, and the sides of wedges. */
static const sw_rule *rule_of(const sw_formulation *f, const sw_topology *face)
{
    static const struct {
        const sw_topology *face;
        const sw_rule *body, *rule;
    } fewer[] = {
        {&sw_quad8, &sw_rule_hex8, &sw_rule_quad4},     {&sw_line3, &sw_rule_quad4, &sw_rule_line2},
        {&sw_quad8, &sw_rule_wedge9, &sw_rule_quad4},   {&sw_quad4_any, &sw_rule_wedge2, &sw_rule_quad1},
        {&sw_quad4_any, &sw_rule_hex1, &sw_rule_quad1}, {&sw_line2, &sw_rule_tri1, &sw_rule_line1},
        {&sw_line2, &sw_rule_quad1, &sw_rule_line1}};
    for (int k = 0; k < (int)(sizeof fewer / sizeof *fewer) && f->fewer; k++)
        if (fewer[k].face == face && fewer[k].body == f->rule)
            return fewer[k].rule;
    return sw_face_rule(face);
}

static void see(const sw_element *e, int face, const double at[4], int follows, face_point *p)
{
    const sw_topology *t = e->formulation->topology->face_topology[face];
    p->n = t->n_nodes;
    p->node = e->formulation->topology->face[face];
    t->shape(at, p->value, p->slope);
    memset(p->tangent, 0, sizeof p->tangent);
    p->radius = 0;
    for (int a = 0; a < p->n; a++)
        for (int i = 0; i < 3; i++) {
            const double x = e->x[p->node[a]][i] + (follows ? e->u[p->node[a]][i] : 0);
            p->tangent[0][i] += p->slope[a][0] * x;
            p->tangent[1][i] += p->slope[a][1] * x;
            p->radius += i == 0 ? p->value[a] * x : 0;
        }
    p->weight = at[3];
    if (e->formulation->kinematics == SW_FEM_SOLID)
        return;
    p->tangent[1][2] = 1; /* across the plane */
    double thickness = e->by_nodes ? 0 : e->thickness;
    for (int a = 0; a < p->n && e->by_nodes; a++)
        thickness += p->value[a] * e->thickness_of[p->node[a]];
    p->weight *= e->formulation->kinematics == SW_FEM_AXISYMMETRIC ? 2 * M_PI * p->radius : thickness;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Of the area vector tangent[0] x tangent[1] by u of node b in direction k: column [3]. With axial symmetry the weight, too:
 * its part is the area times N / r. */
static void turn(const sw_element *e, const face_point *p, const double area[3], int b, int k,
                 double column[3])
{
    const int plane = e->formulation->kinematics != SW_FEM_SOLID;
    double unit[3] = {0}, first[3], second[3] = {0};
    unit[k] = 1;
    cross(unit, p->tangent[1], first);
    if (!plane)
        cross(p->tangent[0], unit, second);
    for (int i = 0; i < 3; i++) {
        column[i] = p->slope[b][0] * first[i] + (plane ? 0 : p->slope[b][1]) * second[i];
        if (e->formulation->kinematics == SW_FEM_AXISYMMETRIC && k == 0)
            column[i] += area[i] * p->value[b] / p->radius;
    }
}

static void stiffen(const sw_element *e, const face_point *p, const double area[3], double pressure,
                    double *stiffness)
{
    const int c = sw_formulation_components(e->formulation), rows = c * e->formulation->topology->n_nodes;
    for (int b = 0; b < p->n; b++)
        for (int k = 0; k < c; k++) {
            double column[3];
            turn(e, p, area, b, k, column);
            for (int a = 0; a < p->n; a++)
                for (int i = 0; i < c; i++)
                    stiffness[(c * p->node[a] + i) * rows + c * p->node[b] + k] +=
                        pressure * p->weight * p->value[a] * column[i];
        }
}

void sw_element_press(const sw_element *e, int face, double pressure, int follows, double *force,
                      double *stiffness)
{
    const sw_rule *rule = rule_of(e->formulation, e->formulation->topology->face_topology[face]);
    const int c = sw_formulation_components(e->formulation);
    for (int q = 0; q < rule->n; q++) {
        face_point p;
        double area[3];
        see(e, face, rule->point[q], follows, &p);
        cross(p.tangent[0], p.tangent[1], area); /* outward */
        for (int a = 0; a < p.n; a++)
            for (int i = 0; i < c; i++)
                force[c * p.node[a] + i] -= pressure * p.weight * p.value[a] * area[i];
        if (follows && stiffness != NULL)
            stiffen(e, &p, area, pressure, stiffness);
    }
}

void sw_element_pull(const sw_element *e, int face, const double traction[3], double *force)
{
    const sw_rule *rule = rule_of(e->formulation, e->formulation->topology->face_topology[face]);
    const int c = sw_formulation_components(e->formulation);
    for (int q = 0; q < rule->n; q++) {
        face_point p;
        double area[3];
        see(e, face, rule->point[q], 0, &p);
        cross(p.tangent[0], p.tangent[1], area);
        const double size = p.weight * sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        for (int a = 0; a < p.n; a++)
            for (int i = 0; i < c; i++)
                force[c * p.node[a] + i] += size * p.value[a] * traction[i];
    }
}

void sw_element_cut(const sw_element *e, int face, const double (*stress)[6], int deformed,
                    sw_face_sums *sums)
{
    const sw_rule *rule = rule_of(e->formulation, e->formulation->topology->face_topology[face]);
    for (int q = 0; q < rule->n; q++) {
        face_point p;
        double area[3], x[3] = {0}, force[3] = {0}, moment[3];
        see(e, face, rule->point[q], deformed, &p);
        cross(p.tangent[0], p.tangent[1], area);
        const double size = p.weight * sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        for (int a = 0; a < p.n; a++)
            for (int i = 0; i < 3; i++) {
                x[i] += p.value[a] * (e->x[p.node[a]][i] + (deformed ? e->u[p.node[a]][i] : 0));
                for (int j = 0; j < 3; j++)
                    force[i] += p.weight * p.value[a] * stress[p.node[a]][sw_six_of(i, j)] * area[j];
            }
        cross(x, force, moment);
        sums->area += size;
        for (int i = 0; i < 3; i++) {
            sums->force[i] += force[i];
            sums->moment[i] += moment[i];
            sums->centre[i] += size * x[i];
            sums->normal[i] += p.weight * area[i];
        }
    }
}

/* ---- Bodies ---- */

/* Of one point its forces are those of the full rule, but as CalculiX has it. */
static const sw_rule *rule_of_body(const sw_formulation *f)
{
    const sw_rule *full = sw_full_rule(f->topology);
    return f->rule->n == 1 && !f->fewer && full != NULL ? full : f->rule;
}

/* Of a truss: length times area. */
static double volume_of_line(const sw_element *e, const double (*gradient)[3], double weight)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double slope = 0;
        for (int a = 0; a < e->formulation->topology->n_nodes; a++)
            slope += e->x[a][i] * gradient[a][0];
        square += slope * slope;
    }
    return weight * sqrt(square) * e->thickness;
}

/* Shape functions at a point of the body, and the volume it counts as: all of the element's where it is the only one. */
static sw_status body_point(const sw_element *e, const sw_rule *rule, int q, double value[SW_WIDE],
                            double *volume)
{
    double gradient[SW_WIDE][3];
    sw_place place;
    e->formulation->topology->shape(rule->point[q], value, gradient);
    if (e->formulation->topology->dimension == 1) {
        *volume = volume_of_line(e, (const double(*)[3])gradient, rule->point[q][3]);
        return SW_OK;
    }
    if (rule->n == 1)
        SW_TRY(sw_mean_place(e, &place));
    else
        SW_TRY(sw_place_of(e, value, (const double(*)[3])gradient, rule->point[q][3], &place, NULL));
    *volume = place.weight;
    return SW_OK;
}

sw_status sw_element_weigh(const sw_element *e, const double acceleration[3], double *force)
{
    const sw_rule *rule = rule_of_body(e->formulation);
    const int n = e->formulation->topology->n_nodes, c = sw_formulation_components(e->formulation);
    for (int q = 0; q < rule->n; q++) {
        double value[SW_WIDE], volume;
        SW_TRY(body_point(e, rule, q, value, &volume));
        for (int a = 0; a < n; a++)
            for (int i = 0; i < c; i++)
                force[c * a + i] += volume * value[a] * acceleration[i];
    }
    return SW_OK;
}

/* From the axis to x. */
static void arm(const double axis[3], const double point[3], const double x[3], double r[3])
{
    double along = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        along += axis[i] * (x[i] - point[i]);
        square += axis[i] * axis[i];
    }
    for (int i = 0; i < 3; i++)
        r[i] = x[i] - point[i] - along / square * axis[i];
}

static void add_spin(const sw_element *e, double size, const double axis[3], const double *value,
                     double *stiffness)
{
    const int n = e->formulation->topology->n_nodes, c = sw_formulation_components(e->formulation);
    const double square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int i = 0; i < c; i++)
                for (int k = 0; k < c; k++)
                    stiffness[(c * a + i) * c * n + c * b + k] -=
                        size * value[a] * value[b] * ((i == k) - axis[i] * axis[k] / square);
}

sw_status sw_element_spin(const sw_element *e, double square, const double point[3], const double axis[3],
                          int follows, double *force, double *stiffness)
{
    const sw_rule *rule = rule_of_body(e->formulation);
    const int n = e->formulation->topology->n_nodes, c = sw_formulation_components(e->formulation);
    for (int q = 0; q < rule->n; q++) {
        double value[SW_WIDE], x[3] = {0}, r[3], volume;
        SW_TRY(body_point(e, rule, q, value, &volume));
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++)
                x[i] += value[a] * (e->x[a][i] + (follows ? e->u[a][i] : 0));
        arm(axis, point, x, r);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < c; i++)
                force[c * a + i] += square * volume * value[a] * r[i];
        if (follows && stiffness != NULL)
            add_spin(e, square * volume, axis, value, stiffness);
    }
    return SW_OK;
}
