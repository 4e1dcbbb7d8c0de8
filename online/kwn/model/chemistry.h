/* Tables of chemistry, for the host and CUDA: docs/theory.md, Eqs. 29c to 29e.
 *
 * A node has, for one phase at one temperature and matrix composition, what sw_kwn_chemistry_value lists, per atom of the
 * phase. Between nodes values are linear in 1/T and each ln c: of an ideal dilute matrix exactly so. Outside driving and
 * resistance go on with the slope of the last interval, the breadth stays. */
#ifndef SW_ONLINE_KWN_MODEL_CHEMISTRY_H
#define SW_ONLINE_KWN_MODEL_CHEMISTRY_H

#include <math.h>

#include "alloy.h"
#include "common/system/device.h"

#define SW_KWN_LEAST_LOG (-69.0) /* ln c of no solute at all */

/* Atoms of a phase's formula unit. */
SW_HD static inline double sw_kwn_atoms(const sw_kwn_phase *phase)
{
    return phase->molar_volume / (phase->atomic_volume * SW_AVOGADRO_CONSTANT);
}

/* One of a node's values at T (K) and a composition [S]; by solute >= 0, its derivative by that one's ln c. */
SW_HD static inline double sw_kwn_chemistry_at(const sw_kwn_alloy *alloy, const sw_kwn_chemistry *table,
                                               const double *matrix, double temperature,
                                               sw_kwn_chemistry_value value, int solute)
{
    const int n = 1 + alloy->n_solutes;
    int32_t low[1 + SW_KWN_SOLUTES];
    double part[1 + SW_KWN_SOLUTES], sum = 0;
    for (int d = 0; d < n; d++) {
        const double x = d == 0                  ? 1 / temperature
                         : matrix[d - 1] > 1e-30 ? log(matrix[d - 1])
                                                 : SW_KWN_LEAST_LOG;
        const double place = (x - table->first[d]) * table->per_step[d];
        const double last = table->count[d] - 2;
        low[d] = (int32_t)fmin(fmax(floor(place), 0.0), last);
        part[d] = place - low[d];
        if (value == SW_CHEMISTRY_BREADTH)
            part[d] = fmin(fmax(part[d], 0.0), 1.0);
    }
    for (int corner = 0; corner < 1 << n; corner++) {
        int32_t node = 0;
        double weight = 1;
        for (int d = 0; d < n; d++) {
            const int upper = corner >> d & 1;
            node = node * table->count[d] + low[d] + upper;
            weight *= d == solute + 1 && solute >= 0 ? (upper ? table->per_step[d] : -table->per_step[d])
                                                     : (upper ? part[d] : 1 - part[d]);
        }
        if (weight != 0)
            sum += weight * (double)alloy->table[table->at + node * SW_CHEMISTRY_VALUES + value];
    }
    return sum;
}

/* The largest concentration of a solute that a phase's table has. */
SW_HD static inline double sw_kwn_table_end(const sw_kwn_phase *phase, int solute)
{
    const sw_kwn_chemistry *table = &phase->chemistry;
    return exp(table->first[1 + solute] + (table->count[1 + solute] - 1) / table->per_step[1 + solute]);
}

/* What an atom's driving force has against it: resistance of v r, per atom of the phase, in its volume, s/m^2. */
SW_HD static inline double sw_kwn_table_resistance(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                                   const double *matrix, double temperature)
{
    const double log_resistance =
        sw_kwn_chemistry_at(alloy, &phase->chemistry, matrix, temperature, SW_CHEMISTRY_RESISTANCE, -1);
    return exp(fmin(log_resistance, 500.0)) * alloy->atomic_volume / phase->atomic_volume;
}

#endif
