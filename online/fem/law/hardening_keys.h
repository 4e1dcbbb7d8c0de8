/* Hardening laws in job files: their names and keys, and what may be wrong with a material's. */
#ifndef SW_ONLINE_FEM_LAW_HARDENING_KEYS_H
#define SW_ONLINE_FEM_LAW_HARDENING_KEYS_H

#include "common/job/job.h"
#include "slipwave/fem.h"

/* Keys of a mapping `hardening`, counted from an sw_fem_material; the first names the laws. */
extern const sw_key sw_fem_hardening_keys[];

/* The first thing that is wrong with a material's hardening. */
typedef struct {
    char key[32]; /* "saturation", "table[2][0]", as in job files; "" when all is well */
    double value;
    const char *need; /* "at least yield_stress" */
} sw_fem_hardening_fault;
void sw_fem_find_hardening_fault(const sw_fem_material *m, sw_fem_hardening_fault *fault);

#endif
