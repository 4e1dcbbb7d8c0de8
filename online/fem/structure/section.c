/* What passes a surface: from stresses recovered at its nodes, as CalculiX has it, or from its elements' forces on its nodes,
 * which are in balance with all else, as Abaqus has it. */
#include <math.h>
#include <string.h>

#include "fields.h"

const char sw_structure_section_columns[] =
    "SOF1 SOF2 SOF3 SOM1 SOM2 SOM3 centre1 centre2 centre3 normal1 normal2 normal3 centre_moment1 "
    "centre_moment2 centre_moment3 SOAREA normal_force shear_force";

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Force and moment of an element on the nodes of a face: they are what is outside on the element. */
static sw_status add_nodal_forces(const sw_structure *s, int64_t e, const sw_element *element, int face,
                                  sw_face_sums *sums)
{
    const sw_topology *topology = element->formulation->topology;
    const int c = sw_formulation_components(element->formulation);
    double all[SW_FORMULATION_UNKNOWNS];
    sw_element_answer answer = {.state = s->trial_state + s->state_at[e], .force = all};
    SW_TRY(element->formulation->evaluate(element, &answer));
    for (int a = 0; a < topology->face_topology[face]->n_nodes; a++) {
        const int n = topology->face[face][a];
        double x[3], force[3] = {0}, moment[3];
        for (int i = 0; i < 3; i++)
            x[i] = element->x[n][i] + (element->finite ? element->u[n][i] : 0);
        memcpy(force, all + c * n, (size_t)c * sizeof *force);
        cross(x, force, moment);
        for (int i = 0; i < 3; i++) {
            sums->force[i] += force[i];
            sums->moment[i] += moment[i];
        }
    }
    return SW_OK;
}

static sw_status add_face(sw_structure *s, int64_t e, int face, int by_nodal_forces, sw_face_sums *sums)
{
    double at_nodes[SW_FORMULATION_NODES][6];
    sw_structure_points points;
    sw_element element;
    if (s->removed[e])
        return SW_OK;
    SW_TRY(sw_structure_points_of(s, e, &points));
    sw_element_recover(s->problem->element[e].formulation, 6, points.stress[0], at_nodes[0]);
    sw_structure_element_at(s, e, &element);
    const sw_face_sums before = *sums;
    sw_element_cut(&element, face, (const double(*)[6])at_nodes, element.finite, sums);
    if (!by_nodal_forces)
        return SW_OK;
    memcpy(sums->force, before.force, sizeof before.force);
    memcpy(sums->moment, before.moment, sizeof before.moment);
    return add_nodal_forces(s, e, &element, face, sums);
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

sw_status sw_structure_section_row(sw_structure *s, const sw_structure_print *print,
                                   double row[SW_STRUCTURE_SECTION_COLUMNS])
{
    sw_face_sums sums = {.area = 0};
    double arm[3], shear[3], normal_force = 0;
    for (int64_t i = 0; i < print->n; i++)
        SW_TRY(add_face(s, print->member[i], print->face[i], print->by_nodal_forces, &sums));
    const double over = sums.area > 0 ? 1 / sums.area : 0, size = length_of(sums.normal);
    memcpy(row, sums.force, sizeof sums.force);
    memcpy(row + 3, sums.moment, sizeof sums.moment);
    for (int i = 0; i < 3; i++) {
        row[6 + i] = over * sums.centre[i];
        row[9 + i] = size > 0 ? sums.normal[i] / size : 0;
        normal_force += sums.force[i] * row[9 + i];
    }
    cross(row + 6, sums.force, arm);
    for (int i = 0; i < 3; i++) {
        row[12 + i] = sums.moment[i] - arm[i];
        shear[i] = sums.force[i] - normal_force * row[9 + i];
    }
    row[15] = sums.area;
    row[16] = normal_force;
    row[17] = length_of(shear);
    return SW_OK;
}
