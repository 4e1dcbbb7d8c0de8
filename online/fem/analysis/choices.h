/* Which operators (operators/operators.h) and preconditioners there are. A new preconditioner is its files, its number
 * in slipwave/fem.h and its line in choices.c. */
#ifndef SW_ONLINE_FEM_ANALYSIS_CHOICES_H
#define SW_ONLINE_FEM_ANALYSIS_CHOICES_H

#include "online/fem/operators/operators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL where this build or device has none. finite: works at finite strains, too. */
typedef struct {
    const sw_fem_operator_functions *cpu, *cuda;
    int finite;
} sw_fem_operator_choice;
extern const sw_fem_operator_choice sw_fem_operators[SW_FEM_OPERATORS];

typedef struct {
    const sw_fem_preconditioner_functions *cpu, *cuda;
} sw_fem_preconditioner_choice; /* at small and finite strains */
extern const sw_fem_preconditioner_choice sw_fem_preconditioners[SW_FEM_PRECONDITIONERS];

#ifdef __cplusplus
}
#endif

#endif
