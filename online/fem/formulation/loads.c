/* Nodal forces of pressures, tractions and body forces, and what they add to the stiffness; formulation.h. */
#include <math.h>
#include <string.h>

#include "common/math/six.h"
#include "common/math/vector.h"
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

/* ---- Tractions ---- */

/* Of a face: orthonormal axes of its tangents, the last its normal, and their area; tangents in the first two, [axis][tangent]. */
typedef struct {
    double axis[3][3], in[2][2], area;
} face_frame;

static void frame_of(const double tangent[2][3], face_frame *f)
{
    const double *a = tangent[0], *b = tangent[1];
    double n[3];
    cross(a, b, n);
    f->area = sqrt(sw_dot(n, n));
    const double length = sqrt(sw_dot(a, a));
    for (int i = 0; i < 3; i++) {
        f->axis[0][i] = a[i] / length;
        f->axis[2][i] = n[i] / f->area;
    }
    cross(f->axis[2], f->axis[0], f->axis[1]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++)
            f->in[i][k] = sw_dot(f->axis[i], tangent[k]);
}

/* The vector as the face turns it, its normal to the normal and in its plane by the rotation of its deformation [2][2], which
 * is a + cofactor(a) over their size. */
static void turn_vector(const face_frame *rest, const face_frame *now, const double vector[3], double out[3])
{
    const double det = rest->in[0][0] * rest->in[1][1] - rest->in[0][1] * rest->in[1][0];
    const double inverse[2][2] = {{rest->in[1][1] / det, -rest->in[0][1] / det},
                                  {-rest->in[1][0] / det, rest->in[0][0] / det}};
    double f[2][2], own[3];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            f[i][k] = now->in[i][0] * inverse[0][k] + now->in[i][1] * inverse[1][k];
    const double c = f[0][0] + f[1][1], s = f[1][0] - f[0][1], size = sqrt(c * c + s * s);
    for (int i = 0; i < 3; i++)
        own[i] = sw_dot(rest->axis[i], vector);
    const double first = (c * own[0] - s * own[1]) / size, second = (s * own[0] + c * own[1]) / size;
    for (int i = 0; i < 3; i++)
        out[i] = first * now->axis[0][i] + second * now->axis[1][i] + own[2] * now->axis[2][i];
}

/* Traction times area of a point of present tangents, without its weight. */
static void pull_of(const face_frame *rest, const double tangent[2][3], const double traction[3],
                    sw_pull pull, double out[3])
{
    face_frame now;
    frame_of(tangent, &now);
    memcpy(out, traction, 3 * sizeof *out);
    if (pull & SW_PULL_TURNS)
        turn_vector(rest, &now, traction, out);
    for (int i = 0; i < 3; i++)
        out[i] *= pull & SW_PULL_SPREADS ? now.area : rest->area;
}

/* By tangents, by central differences: slope [2][3] of components [3]. Their error is some 1e-10 of it. */
static void slopes_of(const face_frame *rest, const face_point *now, const double traction[3], sw_pull pull,
                      double slope[2][3][3])
{
    for (int m = 0; m < 6; m++) {
        const double step = 1e-5 * sqrt(sw_dot(now->tangent[m / 3], now->tangent[m / 3]));
        double moved[2][3], more[3], less[3];
        memcpy(moved, now->tangent, sizeof moved);
        moved[m / 3][m % 3] += step;
        pull_of(rest, (const double(*)[3])moved, traction, pull, more);
        moved[m / 3][m % 3] -= 2 * step;
        pull_of(rest, (const double(*)[3])moved, traction, pull, less);
        for (int i = 0; i < 3; i++)
            slope[m / 3][m % 3][i] = (more[i] - less[i]) / (2 * step);
    }
}

static void stiffen_pull(const sw_element *e, const face_frame *rest, const face_point *now, double weight,
                         const double traction[3], sw_pull pull, double *stiffness)
{
    const int c = sw_formulation_components(e->formulation), rows = c * e->formulation->topology->n_nodes;
    const int ring = e->formulation->kinematics == SW_FEM_AXISYMMETRIC && (pull & SW_PULL_SPREADS);
    double slope[2][3][3], whole[3];
    slopes_of(rest, now, traction, pull, slope);
    pull_of(rest, (const double(*)[3])now->tangent, traction, pull, whole);
    for (int b = 0; b < now->n; b++)
        for (int k = 0; k < c; k++)
            for (int a = 0; a < now->n; a++)
                for (int i = 0; i < c; i++) {
                    double by = now->slope[b][0] * slope[0][k][i];
                    by += c == 3 ? now->slope[b][1] * slope[1][k][i] : 0;
                    by += ring && k == 0 ? whole[i] * now->value[b] / now->radius : 0;
                    stiffness[(c * now->node[a] + i) * rows + c * now->node[b] + k] -=
                        weight * now->value[a] * by;
                }
}

void sw_element_pull(const sw_element *e, int face, const double traction[3], sw_pull pull, double *force,
                     double *stiffness)
{
    const sw_rule *rule = rule_of(e->formulation, e->formulation->topology->face_topology[face]);
    const int c = sw_formulation_components(e->formulation);
    for (int q = 0; q < rule->n; q++) {
        face_point p, now;
        face_frame rest;
        double vector[3];
        see(e, face, rule->point[q], 0, &p);
        see(e, face, rule->point[q], pull != SW_PULL_DEAD, &now);
        frame_of((const double(*)[3])p.tangent, &rest);
        pull_of(&rest, (const double(*)[3])now.tangent, traction, pull, vector);
        const double weight = pull & SW_PULL_SPREADS ? now.weight : p.weight; /* of a ring: its radius */
        for (int a = 0; a < p.n; a++)
            for (int i = 0; i < c; i++)
                force[c * p.node[a] + i] += weight * p.value[a] * vector[i];
        if (pull != SW_PULL_DEAD && stiffness != NULL)
            stiffen_pull(e, &rest, &now, weight, traction, pull, stiffness);
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
