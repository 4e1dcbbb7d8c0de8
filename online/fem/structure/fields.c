#include "fields.h"

#include <stdlib.h>
#include <string.h>

sw_status sw_structure_points_of(sw_structure *s, int64_t e, sw_structure_points *points)
{
    const sw_structure_element *of = &s->problem->element[e];
    const sw_matter *matter = &s->problem->matter[s->problem->section[s->section[e]].matter];
    const int own = of->formulation->n_own, size = sw_matter_state_size(matter);
    sw_element element;
    if (s->removed[e]) {
        *points = (sw_structure_points){.n = of->formulation->rule->n};
        return SW_OK;
    }
    sw_structure_element_at(s, e, &element);
    sw_element_answer answer = {.state = s->trial_state + s->state_at[e],
                                .stress = points->stress,
                                .strain = points->strain,
                                .volume = points->volume};
    SW_TRY(of->formulation->evaluate(&element, &answer));
    points->n = of->formulation->rule->n;
    for (int q = 0; q < points->n; q++) {
        double shape[SW_FORMULATION_NODES];
        of->formulation->topology->shape(of->formulation->rule->point[q], shape, NULL);
        for (int i = 0; i < 3; i++) {
            points->strain[q][3 + i] *= 0.5;
            points->at[q][i] = 0;
            for (int a = 0; a < of->formulation->topology->n_nodes; a++)
                points->at[q][i] += shape[a] * (element.x[a][i] + element.u[a][i]);
        }
        points->plastic[q] = matter->law->flows ? s->trial_state[s->state_at[e] + own + q * size] : 0;
    }
    return SW_OK;
}

enum { RECOVERED = 13 };

/* Adds what an element's points give its nodes. */
static void add_recovered(const sw_structure *s, int64_t e, const sw_structure_points *points,
                          sw_structure_nodal *nodal, int32_t *count)
{
    const sw_structure_element *of = &s->problem->element[e];
    double at_points[SW_FORMULATION_POINTS * RECOVERED], at_nodes[SW_FORMULATION_NODES * RECOVERED];
    for (int q = 0; q < points->n; q++) {
        memcpy(at_points + RECOVERED * q, points->stress[q], sizeof points->stress[q]);
        memcpy(at_points + RECOVERED * q + 6, points->strain[q], sizeof points->strain[q]);
        at_points[RECOVERED * q + 12] = points->plastic[q];
    }
    sw_element_recover(of->formulation, RECOVERED, at_points, at_nodes);
    for (int a = 0; a < of->formulation->topology->n_nodes; a++) {
        const int64_t n = s->problem->node[of->first + a];
        for (int i = 0; i < 6; i++) {
            nodal->stress[n][i] += at_nodes[RECOVERED * a + i];
            nodal->strain[n][i] += at_nodes[RECOVERED * a + 6 + i];
        }
        nodal->plastic[n] += at_nodes[RECOVERED * a + 12];
        count[n]++;
    }
}

sw_status sw_structure_nodal_make(sw_structure *s, sw_structure_nodal *nodal)
{
    const int64_t N = s->problem->n_nodes;
    int32_t *count = NULL;
    sw_structure_points points;
    sw_status status;
    *nodal = (sw_structure_nodal){0};
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->stress, N, "nodal stresses"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->strain, N, "nodal strains"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(nodal->plastic, N, "nodal plastic strains"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(count, N, "elements of nodes"), end);
    for (int64_t e = 0; e < s->problem->n_elements; e++) {
        if (s->removed[e])
            continue;
        SW_TRY_GOTO(status, sw_structure_points_of(s, e, &points), end);
        add_recovered(s, e, &points, nodal, count);
    }
    for (int64_t n = 0; n < N; n++) {
        const double over = count[n] > 0 ? 1.0 / count[n] : 0;
        for (int i = 0; i < 6; i++) {
            nodal->stress[n][i] *= over;
            nodal->strain[n][i] *= over;
        }
        nodal->plastic[n] *= over;
    }
end:
    free(count);
    if (status != SW_OK)
        sw_structure_nodal_free(nodal);
    return status;
}

void sw_structure_nodal_free(sw_structure_nodal *nodal)
{
    free(nodal->stress);
    free(nodal->strain);
    free(nodal->plastic);
    *nodal = (sw_structure_nodal){0};
}

void sw_structure_reactions(const sw_structure *s, double *reaction)
{
    const sw_structure_ties *ties = &s->ties;
    for (int64_t i = 0; i < ties->n_unknowns; i++)
        reaction[i] = s->problem->reactions_hold_loads ? s->internal[i]
                      : ties->prescribed[i]            ? s->internal[i] - s->external[i]
                                                       : 0;
    for (int64_t k = 0; k < ties->n_rows; k++) /* what is prescribed holds what follows from it, too */
        for (int i = 0; i < ties->row[k].n && ties->pivot[k] >= 0; i++) {
            const int64_t j = ties->row[k].unknown[i], d = ties->pivot[k];
            if (j < ties->n_unknowns && ties->prescribed[j] &&
                !(s->problem->reactions_hold_loads && s->of_elements[j / 3]))
                reaction[j] += ties->row[k].coefficient[i] * (s->internal[d] - s->external[d]);
        }
}
