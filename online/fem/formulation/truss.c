/* Trusses: lines in space or a plane with one stress, along them; the section's area is the thickness. Finite strains: the stretch is
 * that of the line, its area follows the matter's lateral strains. */
#include <math.h>
#include <string.h>

#include "common/system/status.h"
#include "evaluate.h"

enum { MOST_NODES = 3 };

/* A point of the line: gradients of shape functions by arc length, direction, length that it counts for. */
typedef struct {
    double slope[MOST_NODES], direction[3], weight;
} spot;

static sw_status see(const sw_element *e, int q, spot *s)
{
    const struct sw_formulation_tables *t = e->formulation->tables;
    const int n = e->formulation->topology->n_nodes;
    double length = 0;
    for (int i = 0; i < 3; i++) {
        s->direction[i] = 0;
        for (int a = 0; a < n; a++)
            s->direction[i] += e->x[a][i] * t->gradient[q][a][0];
        length += s->direction[i] * s->direction[i];
    }
    length = sqrt(length);
    if (!(length > 0))
        return sw_error(SW_ERR_RANGE, "its length is %g at a point: need a positive one", length);
    for (int i = 0; i < 3; i++)
        s->direction[i] /= length;
    for (int a = 0; a < n; a++)
        s->slope[a] = t->gradient[q][a][0] / length;
    s->weight = e->formulation->rule->point[q][3] * length * e->thickness;
    return SW_OK;
}

/* Of displacements: d (x + u) / d s, and the stretch less 1; small strains: along the undeformed line. */
static double stretch_of(const sw_element *e, const spot *s, const double (*u)[3], double line[3])
{
    double square = 0, along = 0; /* of slopes */
    for (int i = 0; i < 3; i++) {
        double slope = 0;
        for (int a = 0; a < e->formulation->topology->n_nodes; a++)
            slope += s->slope[a] * u[a][i];
        line[i] = s->direction[i] + slope;
        square += slope * slope;
        along += s->direction[i] * slope;
        if (!e->finite)
            line[i] = s->direction[i];
    }
    const double more = 2 * along + square; /* of the stretch squared, less 1 */
    return e->finite ? more / (1 + sqrt(1 + more)) : along;
}

static void add(const sw_element *e, const spot *s, const double line[3], const sw_matter_answer *matter,
                sw_element_answer *answer)
{
    const int n = e->formulation->topology->n_nodes, c = sw_formulation_components(e->formulation);
    const double stress = s->weight * matter->stress[0], slope = s->weight * matter->tangent[0][0];
    for (int a = 0; a < n; a++)
        for (int i = 0; i < c; i++) {
            if (answer->force != NULL)
                answer->force[c * a + i] += stress * s->slope[a] * line[i];
            for (int b = 0; b < n && answer->stiffness != NULL; b++)
                for (int k = 0; k < c; k++)
                    answer->stiffness[(c * a + i) * c * n + c * b + k] +=
                        s->slope[a] * s->slope[b] *
                        (slope * line[i] * line[k] + (e->finite && i == k ? stress : 0));
        }
}

sw_status sw_evaluate_truss(const sw_element *e, sw_element_answer *answer)
{
    const int rows = e->formulation->topology->n_nodes * sw_formulation_components(e->formulation);
    if (answer->force != NULL)
        memset(answer->force, 0, (size_t)rows * sizeof(double));
    if (answer->stiffness != NULL)
        memset(answer->stiffness, 0, (size_t)(rows * rows) * sizeof(double));
    for (int q = 0; q < e->formulation->rule->n; q++) {
        spot s;
        double line[3], old_line[3];
        sw_matter_point at = {.plane_stress = 2};
        sw_matter_answer matter;
        SW_TRY(see(e, q, &s));
        at.h[0][0] = stretch_of(e, &s, e->u, line);
        at.h_before[0][0] = stretch_of(e, &s, e->u_before, old_line);
        SW_TRY(sw_point_respond(e, q, s.weight, &at, answer, &matter));
        add(e, &s, line, &matter, answer);
    }
    return SW_OK;
}
