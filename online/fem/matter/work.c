/* What stresses do at a point; matter.h. A point keeps of it, after 22 and 33 of h: the second Piola-Kirchhoff stress in space's
 * axes [6], works [SW_WORKS], of laws that flow the stress of their own measure [6], of creep its change. */
#include <string.h>

#include "flow.h"

enum { OF_H = 2, STRESS = 6 };

int sw_matter_state_size(const sw_matter *matter)
{
    return matter->law->n_state(matter) + OF_H + STRESS + SW_WORKS + (matter->law->flows ? STRESS : 0) +
           (matter->law->creep_change != NULL);
}

double sw_matter_creep_change(const sw_matter *matter, const double *state)
{
    return matter->law->creep_change != NULL ? state[sw_matter_state_size(matter) - 1] : 0;
}

const double *sw_matter_works(const sw_matter *matter, const double *state)
{
    return state + matter->law->n_state(matter) + OF_H + STRESS;
}

/* Of two stresses' mean. */
static double work_of(const double before[6], const double after[6], const double strain[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += 0.5 * (before[i] + after[i]) * strain[i];
    return sum;
}

static void less(const double a[6], const double b[6], double difference[6])
{
    for (int i = 0; i < 6; i++)
        difference[i] = a[i] - b[i];
}

/* Of what flowed: creep has its part of the equivalent strains, as both go the same way; without a surface all is creep, though
 * it counts as plastic strain. */
static void add_flow(const sw_matter *matter, const double own_before[6], const double own[6],
                     const double *old, const double *new_state, double *work)
{
    double strain[6];
    const double plastic = new_state[0] - old[0], creep = new_state[7] - old[7];
    less(new_state + 1, old + 1, strain);
    const double all = work_of(own_before, own, strain);
    const double part = !sw_flow_has_surface(matter) ? 1 : creep > 0 ? creep / (plastic + creep) : 0;
    work[SW_WORK_CREEP] += part * all;
    work[SW_WORK_PLASTIC] += (1 - part) * all;
}

void sw_matter_add_work(const sw_matter *matter, const sw_matter_done *done, const sw_matter_answer *answer,
                        const double *old, double *new_state)
{
    const int at = matter->law->n_state(matter) + OF_H, n = matter->law->n_state(matter);
    const double *before = old + at, *own_before = before + STRESS + SW_WORKS;
    double *stress = new_state + at, *work = stress + STRESS, strain[6];
    memcpy(stress, answer->stress, sizeof answer->stress);
    memcpy(work, before + STRESS, SW_WORKS * sizeof *work);
    less(answer->strain, done->strain_before, strain);
    work[SW_WORK_ALL] += work_of(before, answer->stress, strain);
    if (matter->law->flows) {
        memcpy(work + SW_WORKS, done->own, sizeof done->own);
        work[SW_WORK_HEAT] += work_of(own_before, done->own, done->heat);
        add_flow(matter, own_before, done->own, old, new_state, work);
        if (matter->law->creep_change != NULL)
            work[SW_WORKS + STRESS] =
                matter->law->creep_change(matter, done->ask, old, own_before, new_state, done->own);
        return;
    }
    work[SW_WORK_HEAT] += work_of(before, answer->stress, done->heat);
    if (matter->umat != NULL)
        for (int k = 0; k < 2; k++)
            work[SW_WORK_PLASTIC + k] = new_state[n - 2 + k];
}
