/* Tables of chemistry of ideal dilute matrices with two solutes, for the first phase of an alloy. */
#ifndef SW_TESTS_ONLINE_KWN_MODEL_IDEAL_TABLE_H
#define SW_TESTS_ONLINE_KWN_MODEL_IDEAL_TABLE_H

#include <string.h>

#include "online/kwn/model/model.h"

enum { NODES_T = 3, NODES_C = 9 };

/* Two solutes; every number of every node 0. */
static inline void lay_out(sw_kwn_alloy *alloy, double lowest, double highest)
{
    sw_kwn_chemistry *table = &alloy->phase[0].chemistry;
    *table = (sw_kwn_chemistry){.on = 1, .count = {NODES_T, NODES_C, NODES_C}};
    table->first[0] = 1 / 400.0;
    table->per_step[0] = (NODES_T - 1) / (1 / 600.0 - 1 / 400.0);
    for (int i = 0; i < 2; i++) {
        table->first[1 + i] = log(lowest);
        table->per_step[1 + i] = (NODES_C - 1) / log(highest / lowest);
    }
    memset(alloy->table, 0, sizeof alloy->table);
}

/* The next node's temperature and composition; 0 after the last. */
static inline int node(const sw_kwn_chemistry *table, int k, double *t, double c[2])
{
    const int index[3] = {k / (NODES_C * NODES_C), k / NODES_C % NODES_C, k % NODES_C};
    *t = 1 / (table->first[0] + index[0] / table->per_step[0]);
    for (int i = 0; i < 2; i++)
        c[i] = exp(table->first[1 + i] + index[1 + i] / table->per_step[1 + i]);
    return k < NODES_T * NODES_C * NODES_C;
}

/* What a database of an ideal dilute matrix would give of the same alloy. */
static inline void make_ideal_table(sw_kwn_alloy *alloy, double lowest, double highest)
{
    sw_kwn_phase *phase = &alloy->phase[0];
    const double atoms = sw_kwn_atoms(phase), per_atom = atoms * alloy->atomic_volume / phase->atomic_volume;
    double t, c[2];
    phase->all_solutes = 1;
    phase->nucleation.attachment = SW_ATTACHMENT_BALANCE;
    lay_out(alloy, lowest, highest);
    for (int k = 0; node(&phase->chemistry, k, &t, c); k++) {
        double driving = -sw_kwn_log_product(&phase->solvus, t), whole = 0, second = 0;
        for (int i = 0; i < 2; i++) {
            const double slow =
                (phase->concentration[i] - c[i]) / (sw_kwn_diffusivity(&alloy->solute[i], t) * c[i]);
            driving += phase->solvus.exponent[i] * log(c[i]);
            whole += phase->solvus.exponent[i] * slow;
            second += phase->solvus.exponent[i] * slow * slow;
        }
        float *value = alloy->table + k * SW_CHEMISTRY_VALUES;
        value[SW_CHEMISTRY_DRIVING] = (float)(driving / atoms);
        value[SW_CHEMISTRY_RESISTANCE] = (float)log(whole / per_atom);
        value[SW_CHEMISTRY_BREADTH] = (float)(whole * whole / second / atoms);
    }
}

#endif
