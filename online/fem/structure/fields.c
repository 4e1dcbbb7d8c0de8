#include "fields.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"

enum { ELEMENT_NS = 10000 };

/* What the law keeps of a point. */
static void read_state(const sw_matter *matter, const double *state, const sw_structure_section *section,
                       sw_structure_points *points, int q)
{
    memset(points->flowed[q], 0, sizeof points->flowed[q]);
    points->plastic[q] = points->creep[q] = 0;
    if (!matter->law->flows)
        return;
    points->plastic[q] = state[0];
    points->creep[q] = matter->overstress && matter->law == &sw_matter_creep ? state[0] : state[7];
    memcpy(points->flowed[q], state + 1, sizeof points->flowed[q]);
    sw_structure_to_space(section, points->flowed[q]);
}

static void halve_shears(double strain[6])
{
    for (int i = 3; i < 6; i++)
        strain[i] *= 0.5;
}

static void place_point(const sw_element *element, int q, double at[3])
{
    const sw_topology *topology = element->formulation->topology;
    double shape[SW_FORMULATION_NODES];
    topology->shape(element->formulation->rule->point[q], shape, NULL);
    for (int i = 0; i < 3; i++) {
        at[i] = 0;
        for (int a = 0; a < topology->n_nodes; a++)
            at[i] += shape[a] * (element->x[a][i] + element->u[a][i]);
    }
}

sw_status sw_structure_points_of(sw_structure *s, int64_t e, sw_structure_points *points)
{
    const sw_structure_element *of = &s->problem->element[e];
    const sw_structure_section *section = &s->problem->section[s->section[e]];
    const sw_matter *matter = &s->problem->matter[section->matter];
    const int own = of->formulation->n_own, size = sw_matter_state_size(matter);
    sw_element element;
    *points = (sw_structure_points){.n = of->formulation->rule->n};
    if (s->removed[e])
        return SW_OK;
    sw_structure_element_at(s, e, &element);
    sw_element_answer answer = {.state = s->trial_state + s->state_at[e],
                                .stress = points->stress,
                                .strain = points->strain,
                                .carried = points->mechanical,
                                .volume = points->volume,
                                .work = points->work,
                                .artificial = &points->artificial};
    SW_TRY(of->formulation->evaluate(&element, &answer));
    for (int q = 0; q < points->n; q++) {
        place_point(&element, q, points->at[q]);
        sw_structure_to_space(section, points->mechanical[q]);
        read_state(matter, s->trial_state + s->state_at[e] + own + q * size, section, points, q);
        halve_shears(points->strain[q]);
        halve_shears(points->mechanical[q]);
        halve_shears(points->flowed[q]);
    }
    return SW_OK;
}

enum { RECOVERED = 20 };

/* What a point gives its nodes. */
static void gather(const sw_structure_points *points, int q, double value[RECOVERED])
{
    memcpy(value, points->stress[q], sizeof points->stress[q]);
    memcpy(value + 6, points->strain[q], sizeof points->strain[q]);
    memcpy(value + 12, points->flowed[q], sizeof points->flowed[q]);
    value[18] = points->plastic[q];
    value[19] = points->work[q][SW_WORK_ALL] - points->work[q][SW_WORK_HEAT];
}

static void add_to_node(const double value[RECOVERED], int64_t n, sw_structure_nodal *nodal)
{
    for (int i = 0; i < 6; i++) {
        nodal->stress[n][i] += value[i];
        nodal->strain[n][i] += value[6 + i];
        nodal->flowed[n][i] += value[12 + i];
    }
    nodal->plastic[n] += value[18];
    nodal->energy[n] += value[19];
}

static void scale_node(double over, int64_t n, sw_structure_nodal *nodal)
{
    for (int i = 0; i < 6; i++) {
        nodal->stress[n][i] *= over;
        nodal->strain[n][i] *= over;
        nodal->flowed[n][i] *= over;
    }
    nodal->plastic[n] *= over;
    nodal->energy[n] *= over;
}

/* What an element's points give its nodes. */
typedef struct {
    sw_status status;
    double value[SW_FORMULATION_NODES * RECOVERED];
} recovered;

static void recover(sw_structure *s, int64_t e, recovered *to)
{
    double at_points[SW_FORMULATION_POINTS * RECOVERED];
    sw_structure_points points;
    to->status = sw_structure_points_of(s, e, &points);
    for (int q = 0; q < points.n && to->status == SW_OK; q++)
        gather(&points, q, at_points + RECOVERED * q);
    if (to->status == SW_OK)
        sw_element_recover(s->problem->element[e].formulation, RECOVERED, at_points, to->value);
}

/* Of elements that are there, in blocks: asked in parallel, added in their order. */
static sw_status add_recovered(sw_structure *s, recovered *all, sw_structure_nodal *nodal, int32_t *count)
{
    const sw_structure_problem *p = s->problem;
    for (int64_t first = 0; first < p->n_elements; first += SW_STRUCTURE_BLOCK) {
        const int64_t left = p->n_elements - first;
        const int n = (int)(left < SW_STRUCTURE_BLOCK ? left : SW_STRUCTURE_BLOCK);
#pragma omp parallel for schedule(dynamic, 4) num_threads(sw_threads_for(n, ELEMENT_NS))
        for (int i = 0; i < n; i++)
            if (!s->removed[first + i])
                recover(s, first + i, &all[i]);
        for (int i = 0; i < n; i++) {
            const sw_structure_element *of = &p->element[first + i];
            if (s->removed[first + i])
                continue;
            if (all[i].status != SW_OK) {
                const sw_status status = all[i].status;
                recover(s, first + i, &all[i]); /* once more, for what it says */
                return status;
            }
            for (int a = 0; a < of->formulation->topology->n_nodes; a++) {
                add_to_node(all[i].value + RECOVERED * a, p->node[of->first + a], nodal);
                count[p->node[of->first + a]]++;
            }
        }
    }
    return SW_OK;
}

sw_status sw_structure_nodal_make(sw_structure *s, sw_structure_nodal *nodal)
{
    const int64_t N = s->problem->n_nodes;
    int32_t *count = NULL;
    recovered *all = NULL;
    sw_status status;
    *nodal = (sw_structure_nodal){0};
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->stress, N, "nodal stresses"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->strain, N, "nodal strains"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->flowed, N, "nodal plastic strains"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->plastic, N, "nodal plastic strains"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->energy, N, "nodal energies"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(count, N, "elements of nodes"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(all, SW_STRUCTURE_BLOCK, "nodal stresses"), end);
    SW_TRY_GOTO(status, add_recovered(s, all, nodal, count), end);
    for (int64_t n = 0; n < N; n++)
        scale_node(count[n] > 0 ? 1.0 / count[n] : 0, n, nodal);
end:
    free(count);
    free(all);
    if (status != SW_OK)
        sw_structure_nodal_free(nodal);
    return status;
}

void sw_structure_nodal_free(sw_structure_nodal *nodal)
{
    free(nodal->stress);
    free(nodal->strain);
    free(nodal->flowed);
    free(nodal->plastic);
    free(nodal->energy);
    *nodal = (sw_structure_nodal){0};
}

/* A prescribed unknown holds what follows from it, too, but, where it spares, nodes of elements. */
static void add_followers(const sw_structure *s, int spares, double *force)
{
    const sw_structure_ties *ties = &s->ties;
    for (int64_t k = 0; k < ties->n_rows; k++)
        for (int i = 0; i < ties->row[k].n && ties->pivot[k] >= 0; i++) {
            const int64_t j = ties->row[k].unknown[i], d = ties->pivot[k];
            if (j < ties->n_unknowns && ties->prescribed[j] && !(spares && s->of_elements[j / 3]))
                force[j] += ties->row[k].coefficient[i] * (s->internal[d] - s->external[d]);
        }
}

void sw_structure_held(const sw_structure *s, double *force)
{
    for (int64_t i = 0; i < s->ties.n_unknowns; i++)
        force[i] = s->ties.prescribed[i] ? s->internal[i] - s->external[i] : 0;
    add_followers(s, 0, force);
}

void sw_structure_reactions(const sw_structure *s, double *reaction)
{
    if (!s->problem->reactions_hold_loads) {
        sw_structure_held(s, reaction);
        return;
    }
    memcpy(reaction, s->internal, (size_t)s->ties.n_unknowns * sizeof *reaction);
    add_followers(s, 1, reaction);
}

/* ---- What stresses, springs and loads have done ---- */

const char *const sw_structure_energy_names[SW_STRUCTURE_ENERGIES] = {
    [SW_STRUCTURE_ELASTIC] = "elastic_energy",       [SW_STRUCTURE_PLASTIC] = "plastic_dissipation",
    [SW_STRUCTURE_CREEP] = "creep_dissipation",      [SW_STRUCTURE_HEAT] = "thermal_work",
    [SW_STRUCTURE_ARTIFICIAL] = "artificial_energy", [SW_STRUCTURE_SPRINGS] = "spring_energy",
    [SW_STRUCTURE_CONTACT] = "contact_work",         [SW_STRUCTURE_EXTERNAL] = "external_work"};

/* Of a spring's forces at u and at the trial. */
static double spring_work(sw_structure *s, int64_t k)
{
    double force[2][6], stiffness[36], sum = 0, *const trial = s->trial;
    int64_t unknown[SW_FORMULATION_UNKNOWNS];
    const int n = sw_structure_unknowns_of(s->problem, s->problem->n_elements + k, unknown);
    sw_structure_spring_at(s, k, force[1], stiffness);
    s->trial = s->u;
    sw_structure_spring_at(s, k, force[0], stiffness);
    s->trial = trial;
    for (int i = 0; i < n; i++)
        if (unknown[i] >= 0)
            sum += 0.5 * (force[0][i] + force[1][i]) * (s->trial[unknown[i]] - s->u[unknown[i]]);
    return sum;
}

void sw_structure_add_energies(sw_structure *s)
{
    const int64_t n = s->ties.n_unknowns;
    double *const force = s->du, sum = 0;
    sw_structure_held(s, force);
    for (int64_t i = 0; i < n; i++) {
        force[i] += s->external[i];
        sum += 0.5 * (s->outside[i] + force[i]) * (s->trial[i] - s->u[i]);
    }
    memcpy(s->outside, force, (size_t)n * sizeof *force);
    memcpy(s->energy, s->trial_energy, sizeof s->trial_energy);
    s->energy[SW_STRUCTURE_EXTERNAL] += sum;
    for (int64_t k = 0; k < s->problem->n_springs; k++)
        s->energy[SW_STRUCTURE_SPRINGS] += spring_work(s, k);
    s->energy[SW_STRUCTURE_CONTACT] += sw_structure_contacts_work(s);
}

void sw_structure_read_energies(const sw_structure *s, double energy[SW_STRUCTURE_ENERGIES])
{
    memcpy(energy, s->energy, sizeof s->energy);
}

/* ---- What passes a surface ----
 *
 * From stresses recovered at its nodes, as CalculiX has it, or from its elements' forces on its nodes, which are in balance with all
 * else, as Abaqus has it. */

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
