/* An alloy file as it is spelt: its keys, and the bounds of every number in it. alloy_input.c makes an
 * sw_kwn_alloy of it. */
#ifndef SW_ONLINE_KWN_JOB_ALLOY_FILE_H
#define SW_ONLINE_KWN_JOB_ALLOY_FILE_H

#include "online/kwn/model/alloy.h"
#include "common/job/old_yaml.h"

enum { SW_KWN_KEY_SIZE = 128 }; /* longest key: "phases[5].nucleation.dislocation_density" */

/* An element and a number that goes with it, in a list of them. */
typedef struct {
    char element[8];
    double value;
} sw_kwn_amount;

typedef struct {
    sw_kwn_amount entry[SW_KWN_SOLUTES + 1]; /* with the matrix element */
    int entry_count;
} sw_kwn_amounts;

typedef struct {
    sw_kwn_solute solute; /* concentration: in the file's unit */
    double molar_mass;
} sw_kwn_solute_entry;

typedef struct {
    double temperature, product;
} sw_kwn_solvus_entry;

/* `phase` takes what needs no translation. */
typedef struct {
    sw_kwn_phase phase;
    char limiting_solute[8];
    sw_kwn_amounts stoichiometry, product;
    double constant;
    sw_kwn_solvus_entry table[SW_KWN_TABLE]; /* phase.solvus.n_table of them */
    char *law, *sites, *incubation;
    double dislocation_density, grain_size;
} sw_kwn_phase_entry;

typedef struct {
    sw_kwn_alloy alloy;
    char matrix[8];
    double matrix_volume, matrix_mass; /* per mol */
    char *concentration_unit;
    sw_kwn_solute_entry solute[SW_KWN_SOLUTES]; /* alloy.n_solutes of them */
    sw_kwn_phase_entry phase[SW_KWN_PHASES];    /* alloy.n_phases of them */
    sw_kwn_amounts solid_solution;
} sw_kwn_alloy_file;

extern const cyaml_schema_value_t sw_kwn_alloy_schema; /* of an sw_kwn_alloy_file */

/* Every number against its own bound; those of absent keys get their standard values, and stay 0 in a section
 * of strength that is absent. SW_ERR_INPUT. */
sw_status sw_kwn_alloy_check_numbers(const sw_oldyaml *yaml, sw_kwn_alloy_file *file);

#endif
