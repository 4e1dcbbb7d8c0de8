/* What a step changes of elements when it begins, and the strains with which points are free of stress. */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/math/elimination.h"

static sw_status room_for_strains(sw_structure *s)
{
    return s->free_strain != NULL
               ? SW_OK
               : SW_ALLOCATE(s->free_strain, s->point_at[s->problem->n_elements] + 1, "strains of points");
}

/* ---- Elements ---- */

/* Q that takes strains along the material's axes to those along space's; its transpose takes stresses back. */
static void turning_to_space(const sw_structure_section *section, double q[6][6])
{
    double across[3][3];
    for (int i = 0; i < 9; i++)
        across[i / 3][i % 3] = section->axes[i % 3][i / 3];
    sw_matter_turning((const double(*)[3])across, q);
}

void sw_structure_to_space(const sw_structure_section *section, double strain[6])
{
    double q[6][6], own[6];
    if (!section->turned)
        return;
    turning_to_space(section, q);
    memcpy(own, strain, sizeof own);
    for (int i = 0; i < 6; i++) {
        strain[i] = 0;
        for (int j = 0; j < 6; j++)
            strain[i] += q[i][j] * own[j];
    }
}

static void forget(sw_structure *s, int64_t e)
{
    memset(s->state + s->state_at[e], 0, (size_t)(s->state_at[e + 1] - s->state_at[e]) * sizeof *s->state);
}

static sw_status refuse(const sw_structure *s, int64_t e, const char *what)
{
    return sw_error(SW_ERR_INPUT, "%s:%lld: element %lld: material %s: %s", s->problem->path,
                    (long long)s->step->line, (long long)s->problem->element[e].label,
                    s->problem->matter[s->problem->section[s->section[e]].matter].name, what);
}

/* Free of stress as it is: what would give stress does not. */
static sw_status relax(sw_structure *s, int64_t e)
{
    double seen[SW_FORMULATION_POINTS][6];
    sw_element element;
    if (s->step->finite &&
        s->problem->matter[s->problem->section[s->section[e]].matter].law == &sw_matter_deformation)
        return refuse(s, e, "it is not free of stress by a strain with NLGEOM: that is not computed");
    SW_TRY(room_for_strains(s));
    double(*to)[6] = s->free_strain + s->point_at[e];
    const int n = s->problem->element[e].formulation->rule->n;
    forget(s, e);
    memset(to, 0, (size_t)n * sizeof *to);
    sw_structure_element_at(s, e, &element);
    sw_element_answer answer = {.state = s->trial_state + s->state_at[e], .seen = seen};
    SW_TRY(element.formulation->evaluate(&element, &answer));
    for (int q = 0; q < n; q++) {
        sw_structure_to_space(&s->problem->section[s->section[e]], seen[q]);
        memcpy(to[q], seen[q], sizeof seen[q]);
    }
    return SW_OK;
}

static sw_status change(sw_structure *s, const sw_structure_change *change)
{
    const sw_structure_problem *p = s->problem;
    const int64_t e = change->element;
    const sw_matter *is, *was;
    switch (change->kind) {
    case SW_STRUCTURE_REMOVE:
        s->removed[e] = 1;
        return SW_OK;
    case SW_STRUCTURE_RETURN:
        s->removed[e] = 0;
        return SW_OK;
    case SW_STRUCTURE_RELAX:
        s->removed[e] = 0;
        return relax(s, e);
    case SW_STRUCTURE_SECTION:
        is = &p->matter[p->section[change->section].matter];
        was = &p->matter[p->section[s->section[e]].matter];
        if (is->law != was->law)
            forget(s, e);
        else if (is->law->n_state(is) != is->law->n_state(was)) /* other backstresses in the same law */
            return refuse(s, e, "it changes into one that hardens in another way, which is not computed");
        s->section[e] = change->section;
        return SW_OK;
    }
    return SW_OK;
}

/* ---- Strains ---- */

/* A stress along the material's axes. */
static void to_own_axes(const sw_structure_section *section, const sw_structure_strain *given,
                        double stress[6])
{
    double q[6][6];
    memcpy(stress, given->value, sizeof given->value);
    if (!section->turned || given->own_axes)
        return;
    turning_to_space(section, q);
    for (int i = 0; i < 6; i++) {
        stress[i] = 0;
        for (int j = 0; j < 6; j++)
            stress[i] += q[j][i] * given->value[j];
    }
}

/* The strain of a stress, along space's axes. */
static sw_status strain_of(const sw_structure *s, const sw_structure_strain *given, double strain[6])
{
    const int64_t e = given->element, node = s->problem->node[s->problem->element[e].first];
    const sw_structure_section *section = &s->problem->section[s->section[e]];
    const sw_matter *matter = &s->problem->matter[section->matter];
    double d[6][6], right[6];
    if (matter->law->measure == SW_MATTER_SPATIAL || matter->elastic.n_rows == 0)
        return refuse(s, e, "first stresses of it are not computed");
    sw_matter_stiffness(matter, s->temperature[node], d);
    to_own_axes(section, given, right);
    sw_solve_by_elimination(6, 6, d[0], right, strain);
    sw_structure_to_space(section, strain);
    return SW_OK;
}

/* The state of a point. */
static double *state_of(sw_structure *s, int64_t e, int q)
{
    const sw_matter *matter = &s->problem->matter[s->problem->section[s->section[e]].matter];
    return s->state + s->state_at[e] + s->problem->element[e].formulation->n_own +
           (int64_t)q * sw_matter_state_size(matter);
}

/* A user material's, which has its stress and state variables by itself. */
static sw_status begin_user(sw_structure *s, const sw_structure_strain *given)
{
    const sw_structure_section *section = &s->problem->section[s->section[given->element]];
    const sw_matter *matter = &s->problem->matter[section->matter];
    double stress[6];
    if (matter->umat == NULL)
        return refuse(s, given->element, "it has no state variables: need a user material");
    if (given->first_state == 0) {
        to_own_axes(section, given, stress);
        sw_matter_begin_user(matter, stress, state_of(s, given->element, given->point));
        return SW_OK;
    }
    for (int q = 0; q < s->problem->element[given->element].formulation->rule->n; q++)
        for (int k = 0; k < 6 && given->first_state + k <= matter->n_states; k++)
            state_of(s, given->element, q)[given->first_state - 1 + k] = given->value[k];
    return SW_OK;
}

/* Its points have flowed so much. */
static sw_status harden(sw_structure *s, int64_t e, double plastic)
{
    const sw_matter *matter = &s->problem->matter[s->problem->section[s->section[e]].matter];
    const sw_formulation *formulation = s->problem->element[e].formulation;
    if (!matter->law->flows || (matter->n_curves == 0 && matter->cook.n_rows == 0 && matter->n_cyclic == 0 &&
                                matter->saturation.n_rows == 0))
        return refuse(s, e, "it does not harden: a first plastic strain of it is not computed");
    if (matter->hardening == SW_MATTER_HARDENS_KINEMATIC || matter->backstress.n_rows > 0)
        return refuse(s, e,
                      "its first backstresses are not known: a first plastic strain of it is not computed");
    for (int q = 0; q < formulation->rule->n; q++)
        state_of(s, e, q)[0] = plastic;
    return SW_OK;
}

static sw_status add_strain(sw_structure *s, const sw_structure_strain *given)
{
    double strain[6];
    const sw_matter *matter = &s->problem->matter[s->problem->section[s->section[given->element]].matter];
    if (given->is_hardening)
        return harden(s, given->element, given->value[0]);
    if (given->first_state > 0 || (given->is_stress && matter->umat != NULL))
        return begin_user(s, given);
    SW_TRY(room_for_strains(s));
    double *to = s->free_strain[s->point_at[given->element] + given->point];
    memcpy(strain, given->value, sizeof strain);
    if (given->is_stress)
        SW_TRY(strain_of(s, given, strain));
    for (int i = 0; i < 6; i++)
        to[i] += given->is_stress ? -strain[i] : strain[i];
    return SW_OK;
}

sw_status sw_structure_change_elements(sw_structure *s)
{
    const sw_structure_step *step = s->step;
    memcpy(s->trial, s->u, (size_t)s->ties.n_unknowns * sizeof(double));
    memcpy(s->moment.temperature, s->temperature, (size_t)s->problem->n_nodes * sizeof(double));
    for (int64_t i = 0; i < step->n_changes; i++)
        SW_TRY(change(s, &step->change[i]));
    for (int64_t i = 0; i < step->n_strains; i++)
        SW_TRY(add_strain(s, &step->strain[i]));
    memcpy(s->trial_state, s->state, (size_t)s->state_at[s->problem->n_elements] * sizeof(double));
    return SW_OK;
}
