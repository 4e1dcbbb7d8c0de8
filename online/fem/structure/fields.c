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

int sw_structure_places_move(const sw_structure *s) { return s->step->finite && !s->problem->places_at_rest; }

static void place_point(const sw_element *element, int q, int moves, double at[3])
{
    const sw_topology *topology = element->formulation->topology;
    double shape[SW_FORMULATION_NODES];
    topology->shape(element->formulation->rule->point[q], shape, NULL);
    for (int i = 0; i < 3; i++) {
        at[i] = 0;
        for (int a = 0; a < topology->n_nodes; a++)
            at[i] += shape[a] * (element->x[a][i] + (moves ? element->u[a][i] : 0));
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
        place_point(&element, q, sw_structure_places_move(s), points->at[q]);
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

static int has_any(const sw_structure *s, int64_t e, const uint8_t *of)
{
    const sw_structure_element *element = &s->problem->element[e];
    int has = of == NULL;
    for (int a = 0; a < element->formulation->topology->n_nodes && !has; a++)
        has = of[s->problem->node[element->first + a]];
    return has && !s->removed[e];
}

/* Of elements that are there, in blocks: asked in parallel, added in their order. */
static sw_status add_recovered(sw_structure *s, const uint8_t *of_nodes, recovered *all,
                               sw_structure_nodal *nodal, int32_t *count)
{
    const sw_structure_problem *p = s->problem;
    for (int64_t first = 0; first < p->n_elements; first += SW_STRUCTURE_BLOCK) {
        const int64_t left = p->n_elements - first;
        const int n = (int)(left < SW_STRUCTURE_BLOCK ? left : SW_STRUCTURE_BLOCK);
#pragma omp parallel for schedule(dynamic, 4) num_threads(sw_threads_for(n, ELEMENT_NS))
        for (int i = 0; i < n; i++)
            if (has_any(s, first + i, of_nodes))
                recover(s, first + i, &all[i]);
        for (int i = 0; i < n; i++) {
            const sw_structure_element *of = &p->element[first + i];
            if (!has_any(s, first + i, of_nodes))
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

static void add_nodes(int64_t from, int64_t to, sw_structure_nodal *nodal)
{
    double value[RECOVERED];
    memcpy(value, nodal->stress[from], sizeof nodal->stress[from]);
    memcpy(value + 6, nodal->strain[from], sizeof nodal->strain[from]);
    memcpy(value + 12, nodal->flowed[from], sizeof nodal->flowed[from]);
    value[18] = nodal->plastic[from];
    value[19] = nodal->energy[from];
    add_to_node(value, to, nodal);
}

/* Nodes that no element has, of shells and beams: means of those that they became, as CalculiX has it with OUTPUT=2D. */
static void add_origins(const sw_structure_problem *p, sw_structure_nodal *nodal, int32_t *count)
{
    for (int64_t n = 0; n < p->n_nodes && p->made_of != NULL; n++) {
        const int32_t of = p->made_of[n];
        if (of < 0 || count[n] <= 0 || count[of] > 0)
            continue;
        add_nodes(n, of, nodal);
        count[of]--; /* less than 0: so many of these */
    }
    for (int64_t n = 0; n < p->n_nodes; n++)
        if (count[n] < 0)
            scale_node(-1.0 / count[n], n, nodal);
}

sw_status sw_structure_nodal_make(sw_structure *s, const uint8_t *of_nodes, sw_structure_nodal *nodal)
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
    SW_TRY_GOTO(status, add_recovered(s, of_nodes, all, nodal, count), end);
    for (int64_t n = 0; n < N; n++)
        scale_node(count[n] > 0 ? 1.0 / count[n] : 0, n, nodal);
    add_origins(s->problem, nodal, count);
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

/* ---- State variables of user materials ---- */

int sw_structure_state_variables(const sw_structure_problem *p)
{
    int most = 0;
    for (int i = 0; i < p->n_matters; i++)
        if (p->matter[i].umat != NULL && p->matter[i].n_states > most)
            most = p->matter[i].n_states;
    return most;
}

/* Adds an element's to its nodes'; at_points [Q][n], at_nodes [V][n]. */
static void add_states(const sw_structure *s, int64_t e, int n, double *at_points, double *at_nodes,
                       double *value, int32_t *count)
{
    const sw_structure_element *of = &s->problem->element[e];
    const sw_matter *matter = &s->problem->matter[s->problem->section[s->section[e]].matter];
    const double *state = s->trial_state + s->state_at[e] + of->formulation->n_own;
    const int size = sw_matter_state_size(matter);
    if (s->removed[e] || matter->umat == NULL)
        return;
    for (int q = 0; q < of->formulation->rule->n; q++)
        for (int k = 0; k < n; k++)
            at_points[q * n + k] = k < matter->n_states ? state[(int64_t)q * size + k] : 0;
    sw_element_recover(of->formulation, n, at_points, at_nodes);
    for (int a = 0; a < of->formulation->topology->n_nodes; a++) {
        const int64_t node = s->problem->node[of->first + a];
        count[node]++;
        for (int k = 0; k < n; k++)
            value[node * n + k] += at_nodes[a * n + k];
    }
}

/* From sums to means; those of nodes that others were made of are means of theirs. */
static void average_states(const sw_structure_problem *p, int n, double *value, int32_t *count)
{
    for (int64_t node = 0; node < p->n_nodes; node++)
        for (int k = 0; k < n && count[node] > 0; k++)
            value[node * n + k] /= count[node];
    for (int64_t node = 0; node < p->n_nodes && p->made_of != NULL; node++) {
        const int32_t of = p->made_of[node];
        if (of < 0 || count[node] <= 0 || count[of] > 0)
            continue;
        count[of]--;
        for (int k = 0; k < n; k++)
            value[(int64_t)of * n + k] += value[node * n + k];
    }
    for (int64_t node = 0; node < p->n_nodes; node++)
        for (int k = 0; k < n && count[node] < 0; k++)
            value[node * n + k] /= -count[node];
}

sw_status sw_structure_recover_states(const sw_structure *s, int n, double *value)
{
    double *at_points = NULL, *at_nodes = NULL;
    int32_t *count = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(at_points, (int64_t)n * SW_FORMULATION_POINTS, "state variables"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(at_nodes, (int64_t)n * SW_FORMULATION_NODES, "state variables"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(count, s->problem->n_nodes, "elements of nodes"), end);
    for (int64_t e = 0; e < s->problem->n_elements; e++)
        add_states(s, e, n, at_points, at_nodes, value, count);
    average_states(s->problem, n, value, count);
end:
    free(at_points);
    free(at_nodes);
    free(count);
    return status;
}

/* ---- Reactions ---- */

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
 * From stresses at its nodes, means over all their elements, as CalculiX has it; or from the forces on its nodes of all elements on its
 * side, which are in balance with all else. */

const char sw_structure_section_columns[] =
    "SOF1 SOF2 SOF3 SOM1 SOM2 SOM3 centre1 centre2 centre3 normal1 normal2 normal3 centre_moment1 "
    "centre_moment2 centre_moment3 SOAREA normal_force shear_force";

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static int32_t node_of(const sw_structure *s, int64_t e, int a)
{
    return s->problem->node[s->problem->element[e].first + a];
}

/* Of a face: its corners' nodes, ascending; -1: there are fewer. */
enum { FACE_CORNERS = 4 };
typedef struct {
    int32_t node[FACE_CORNERS];
} face_key;

static face_key key_of(const sw_structure *s, int64_t e, int face)
{
    const sw_topology *t = s->problem->element[e].formulation->topology;
    face_key key = {{-1, -1, -1, -1}};
    for (int k = 0; k < t->face_topology[face]->n_corners; k++) {
        const int32_t n = node_of(s, e, t->face[face][k]);
        int at = 0;
        while (at + 1 < FACE_CORNERS && key.node[at + 1] < n) {
            key.node[at] = key.node[at + 1];
            at++;
        }
        key.node[at] = n;
    }
    return key;
}

/* Around a surface: its faces by bits of elements, and of each element the nodes, by bits, whose forces count. */
typedef struct {
    uint8_t *cut;      /* [E] */
    uint32_t *counts;  /* [E] */
    uint8_t *of_nodes; /* [N] the surface's */
    int64_t *first;    /* [N + 2] */
    int32_t *elements; /* of each of these nodes */
} around;

static void around_free(around *at)
{
    free(at->cut);
    free(at->counts);
    free(at->of_nodes);
    free(at->first);
    free(at->elements);
}

static sw_status list_elements(const sw_structure *s, around *at)
{
    const sw_structure_problem *p = s->problem;
    const int64_t N = p->n_nodes;
    SW_TRY(SW_ALLOCATE(at->first, N + 2, "elements of a surface"));
    for (int fills = 0; fills < 2; fills++) {
        for (int64_t e = 0; e < p->n_elements; e++)
            for (int a = 0; a < p->element[e].formulation->topology->n_nodes && !s->removed[e]; a++) {
                const int32_t n = node_of(s, e, a);
                if (at->of_nodes[n] && fills)
                    at->elements[at->first[n + 1]++] = (int32_t)e;
                else if (at->of_nodes[n])
                    at->first[n + 2]++;
            }
        for (int64_t n = 0; n < N && !fills; n++)
            at->first[n + 2] += at->first[n + 1];
        if (!fills)
            SW_TRY(SW_ALLOCATE(at->elements, at->first[N + 1], "elements of a surface"));
    }
    return SW_OK;
}

static sw_status look_around(const sw_structure *s, const sw_structure_print *print, around *at)
{
    const sw_structure_problem *p = s->problem;
    SW_TRY(SW_ALLOCATE(at->cut, p->n_elements, "elements of a surface"));
    SW_TRY(SW_ALLOCATE(at->of_nodes, p->n_nodes, "nodes of a surface"));
    for (int64_t i = 0; i < print->n; i++) {
        const int64_t e = print->member[i];
        const sw_topology *t = p->element[e].formulation->topology;
        at->cut[e] |= s->removed[e] ? 0 : (uint8_t)(1 << print->face[i]);
        for (int k = 0; k < t->face_topology[print->face[i]]->n_nodes && !s->removed[e]; k++)
            at->of_nodes[node_of(s, e, t->face[print->face[i]][k])] = 1;
    }
    return SW_OK;
}

/* Whether two elements share a face, and whether that is in the surface. */
static int share(const sw_structure *s, const around *at, int64_t e, int64_t o, int *is_cut)
{
    for (int i = 0; i < s->problem->element[e].formulation->topology->n_faces; i++) {
        const face_key key = key_of(s, e, i);
        for (int j = 0; j < s->problem->element[o].formulation->topology->n_faces; j++) {
            const face_key other = key_of(s, o, j);
            if (memcmp(&key, &other, sizeof key) == 0) {
                *is_cut = (at->cut[e] >> i & 1) || (at->cut[o] >> j & 1);
                return 1;
            }
        }
    }
    return 0;
}

static int has_cut_at(const sw_structure *s, const around *at, int64_t e, int64_t n)
{
    const sw_topology *t = s->problem->element[e].formulation->topology;
    for (int f = 0; f < t->n_faces; f++)
        for (int k = 0; k < t->face_topology[f]->n_nodes && (at->cut[e] >> f & 1); k++)
            if (node_of(s, e, t->face[f][k]) == n)
                return 1;
    return 0;
}

static void count_node(const sw_structure *s, const around *at, int64_t e, int64_t n)
{
    for (int a = 0; a < s->problem->element[e].formulation->topology->n_nodes; a++)
        at->counts[e] |= node_of(s, e, a) == n ? 1u << a : 0;
}

/* Of a node's elements those that are reached from the surface's through faces that are not in it. Where that leads round the surface's
 * rim to the other side the surface's alone. */
enum { MOST_AROUND = 512 };
static void take_side(const sw_structure *s, const around *at, int64_t n)
{
    const int32_t *element = at->elements + at->first[n];
    const int all = (int)(at->first[n + 1] - at->first[n]), m = all < MOST_AROUND ? all : MOST_AROUND;
    uint8_t reached[MOST_AROUND] = {0}, own[MOST_AROUND];
    int list[MOST_AROUND], ends = 0, leaks = all > m;
    for (int i = 0; i < m; i++)
        if ((own[i] = reached[i] = (uint8_t)has_cut_at(s, at, element[i], n)))
            list[ends++] = i;
    for (int k = 0; k < ends; k++)
        for (int j = 0; j < m; j++) {
            int is_cut = 0;
            if (reached[j] || !share(s, at, element[list[k]], element[j], &is_cut) || is_cut)
                continue;
            reached[j] = 1;
            list[ends++] = j;
        }
    for (int i = 0; i < m && !leaks; i++)
        for (int j = 0; j < m && reached[i] && !leaks; j++) {
            int is_cut = 0;
            leaks =
                own[i] && !own[j] && reached[j] && share(s, at, element[i], element[j], &is_cut) && is_cut;
        }
    for (int i = 0; i < m; i++)
        if (leaks ? own[i] : reached[i])
            count_node(s, at, element[i], n);
}

/* Force and moment of an element on its nodes that count: they are what is outside on the element. */
static sw_status add_nodal_forces(const sw_structure *s, int64_t e, uint32_t counts, sw_face_sums *sums)
{
    double all[SW_FORMULATION_UNKNOWNS];
    sw_element element;
    sw_element_answer answer = {.state = s->trial_state + s->state_at[e], .force = all};
    sw_structure_element_at(s, e, &element);
    const int c = sw_formulation_components(element.formulation);
    SW_TRY(element.formulation->evaluate(&element, &answer));
    for (int n = 0; n < element.formulation->topology->n_nodes; n++) {
        double x[3], force[3] = {0}, moment[3];
        if (!(counts >> n & 1))
            continue;
        for (int i = 0; i < 3; i++)
            x[i] = element.x[n][i] + (element.finite ? element.u[n][i] : 0);
        memcpy(force, all + c * n, (size_t)c * sizeof *force);
        cross(x, force, moment);
        for (int i = 0; i < 3; i++) {
            sums->force[i] += force[i];
            sums->moment[i] += moment[i];
        }
    }
    return SW_OK;
}

static sw_status sum_nodal_forces(const sw_structure *s, around *at, sw_face_sums *sums)
{
    const sw_structure_problem *p = s->problem;
    SW_TRY(list_elements(s, at));
    SW_TRY(SW_ALLOCATE(at->counts, p->n_elements, "elements of a surface"));
    for (int64_t n = 0; n < p->n_nodes; n++)
        if (at->of_nodes[n])
            take_side(s, at, n);
    for (int64_t e = 0; e < p->n_elements; e++)
        if (at->counts[e])
            SW_TRY(add_nodal_forces(s, e, at->counts[e], sums));
    return SW_OK;
}

/* With stresses at nodes. */
static void add_face(const sw_structure *s, const double (*stress)[6], int64_t e, int face,
                     sw_face_sums *sums)
{
    double at_nodes[SW_FORMULATION_NODES][6] = {{0}};
    sw_element element;
    if (s->removed[e])
        return;
    sw_structure_element_at(s, e, &element);
    for (int a = 0; a < element.formulation->topology->n_nodes && stress != NULL; a++)
        memcpy(at_nodes[a], stress[node_of(s, e, a)], sizeof at_nodes[a]);
    sw_element_cut(&element, face, (const double(*)[6])at_nodes, element.finite, sums);
}

static sw_status sum_surface(sw_structure *s, const sw_structure_print *print, sw_face_sums *sums)
{
    around at = {0};
    sw_structure_nodal nodal = {0};
    sw_status status = look_around(s, print, &at);
    if (status == SW_OK && !print->by_nodal_forces)
        status = sw_structure_nodal_make(s, at.of_nodes, &nodal);
    for (int64_t i = 0; i < print->n && status == SW_OK; i++)
        add_face(s, (const double(*)[6])nodal.stress, print->member[i], print->face[i], sums);
    if (status == SW_OK && print->by_nodal_forces)
        status = sum_nodal_forces(s, &at, sums);
    sw_structure_nodal_free(&nodal);
    around_free(&at);
    return status;
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

sw_status sw_structure_section_row(sw_structure *s, const sw_structure_print *print,
                                   double row[SW_STRUCTURE_SECTION_COLUMNS])
{
    sw_face_sums sums = {.area = 0};
    double arm[3], shear[3], normal_force = 0;
    SW_TRY(sum_surface(s, print, &sums));
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
