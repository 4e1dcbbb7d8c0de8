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
