/* What is known of constraints when the steps are there. */
#include "shared.h"

#include <stdlib.h>

static void forget_curves(sw_structure_problem *problem)
{
    for (int64_t k = 0; k < problem->n_constraints; k++) {
        problem->constraint[k].linearise = NULL;
        sw_deck_drop_nothings(&problem->constraint[k]);
    }
}

/* Of TIE a slave's unknown that is prescribed, or tied by an earlier one, is left as that has it, as CalculiX does. */
static sw_status yield(const sw_deck *deck)
{
    const sw_structure_problem *problem = &deck->problem;
    const sw_deck_tying *tying = deck->tying;
    uint8_t *taken;
    SW_TRY(SW_ALLOCATE(taken, 3 * deck->n_nodes + 1, "unknowns"));
    for (int k = 0; k < problem->n_steps; k++)
        for (int64_t i = 0; i < problem->step[k].n_fixed; i++)
            taken[problem->step[k].fixed[i].unknown] = 1;
    for (int k = 0; k < tying->n_ties; k++)
        for (int64_t c = tying->tie[k][0]; c < tying->tie[k][1]; c++) {
            sw_structure_constraint *constraint = &problem->constraint[c];
            const int64_t slave = constraint->n_terms > 0 ? constraint->unknown[0] : 3 * deck->n_nodes;
            constraint->n_terms = taken[slave] ? 0 : constraint->n_terms;
            taken[slave] = 1;
        }
    free(taken);
    return SW_OK;
}

/* Abaqus' beams that springs and constraints beside their own hold stay straight there; each node has three of its own, means. */
static sw_status hold_tied(sw_deck *deck)
{
    const sw_structure_problem *problem = &deck->problem;
    const int64_t n = deck->n_nodes;
    enum { OWN = 3 };
    int *used;
    SW_TRY(SW_ALLOCATE(used, n + 1, "nodes of constraints"));
    for (int64_t k = 0; k < problem->n_constraints; k++)
        for (int i = 0; i < problem->constraint[k].n_terms; i++)
            used[problem->constraint[k].unknown[i] / 3]++;
    for (int64_t k = 0; k < problem->n_springs; k++)
        for (int i = 0; i < 2; i++)
            if (problem->spring[k].node[i] >= 0)
                used[problem->spring[k].node[i]] = OWN + 1;
    sw_status status = SW_OK;
    for (int64_t i = 0; i < n && status == SW_OK; i++)
        if (deck->tying->expansion[i] >= 0 && (used[i] > OWN || deck->tying->rotation[i] >= 0))
            status = sw_deck_keep_straight(deck, i);
    free(used);
    return status;
}

sw_status sw_deck_finish_ties(sw_deck *deck)
{
    sw_structure_problem *problem = &deck->problem;
    sw_deck_tying *tying;
    int finite = 0;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    SW_TRY(sw_deck_end_coupling(tying));
    SW_TRY(sw_deck_need_springs(deck));
    for (int64_t i = 0; i < deck->n_nodes; i++)
        if (tying->expansion[i] >= 0 && tying->rotation[i] >= 0)
            SW_TRY(sw_deck_tie_rotations(deck, i));
    if (deck->dialect == SW_DECK_ABAQUS)
        SW_TRY(hold_tied(deck));
    SW_TRY(yield(deck));
    for (int i = 0; i < problem->n_steps; i++) {
        if (tying->finite && deck->dialect == SW_DECK_CALCULIX)
            problem->step[i].finite = 1;
        finite |= problem->step[i].finite;
    }
    if (!finite)
        forget_curves(problem);
    return SW_OK;
}
