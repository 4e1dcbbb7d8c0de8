/* Alloy files: their keys, and the alloys they make (alloy_input.c). */
#ifndef SW_ONLINE_KWN_JOB_ALLOY_FILE_H
#define SW_ONLINE_KWN_JOB_ALLOY_FILE_H

#include "common/job/job.h"
#include "online/kwn/model/alloy.h"

/* An element and a number that goes with it, in a list of them. */
typedef struct {
    char element[8];
    double value;
} sw_kwn_amount;

typedef struct {
    sw_kwn_amount entry[SW_KWN_SOLUTES + 1]; /* with the matrix element */
    int count;
} sw_kwn_amounts;

typedef struct {
    sw_kwn_solute solute; /* concentration: in the file's unit */
    double molar_mass;
} sw_kwn_solute_entry;

typedef struct {
    double temperature, product;
} sw_kwn_solvus_entry;

/* A range of a table of chemistry, nodes at even steps of 1/T or ln c. */
typedef struct {
    char solute[8];
    double lowest, highest;
    int64_t count;
} sw_kwn_range;
typedef struct {
    sw_kwn_range temperature, concentration[SW_KWN_SOLUTES];
    int n_concentrations;
    double *driving, *resistance, *breadth; /* [nodes] */
    unsigned driving_count, resistance_count, breadth_count;
} sw_kwn_chemistry_entry;

/* `phase` takes what needs no translation. */
typedef struct {
    sw_kwn_phase phase;
    sw_kwn_chemistry_entry chemistry;
    char limiting_solute[8];
    sw_kwn_amounts stoichiometry, product;
    double constant;
    sw_kwn_solvus_entry table[SW_KWN_TABLE]; /* phase.solvus.n_table of them */
    double dislocation_density, grain_size, site_density, contact_angle, aspect_ratio;
    char site_solute[8];
} sw_kwn_phase_entry;

typedef enum { SW_WEIGHT_PERCENT, SW_MOLE_FRACTION, SW_CONCENTRATION_UNITS } sw_kwn_concentration_unit;

typedef struct {
    sw_kwn_alloy alloy;
    char matrix[8];
    double matrix_volume, matrix_mass; /* per mol */
    int n_table;                       /* numbers of tables of chemistry so far */
    sw_kwn_concentration_unit concentration_unit;
    sw_kwn_solute_entry solute[SW_KWN_SOLUTES]; /* alloy.n_solutes of them */
    sw_kwn_phase_entry phase[SW_KWN_PHASES];    /* alloy.n_phases of them */
    sw_kwn_amounts solid_solution;
} sw_kwn_alloy_file;

extern const sw_key sw_kwn_alloy_keys[]; /* of an sw_kwn_alloy_file */

/* An alloy, from a file or from a text that came from `path`. SW_ERR_INPUT names file, line, key, value and
 * bound, and the alloy is left as it was; SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_kwn_alloy_read(const char *path, sw_kwn_alloy *alloy);
sw_status sw_kwn_alloy_parse(const char *path, const char *text, sw_kwn_alloy *alloy);

/* Of an alloy in weight percent whose products or hardening are a dilute matrix's, at mole fractions [S]: ": ...", what is said of
 * them after their name, where they are off by more than 1 %; else NULL. Reading says it of the file's own, parsing does not. */
enum { SW_KWN_WEIGHTS_TEXT = 320 };
const char *sw_kwn_weights_text(const sw_kwn_alloy *alloy, const double *fraction,
                                char text[SW_KWN_WEIGHTS_TEXT]);

#endif
