/* What job files (job.h) and map files (map_job.h) of `slipwave kwn` share: alloy, strategy, size axis,
 * numerics, initial size distributions. Keys are the structs' member names but where said otherwise. */
#ifndef SW_ONLINE_KWN_JOB_SETUP_H
#define SW_ONLINE_KWN_JOB_SETUP_H

#include <stddef.h>
#include <stdint.h>

#include "common/system/status.h"
#include "common/job/old_yaml.h"
#include "online/kwn/backend/kwn.h"
#include "thermal_history.h"

typedef struct {
    const char *element;  /* key: solute */
    double concentration; /* in the unit of the alloy file */
} sw_kwn_solute_amount;

typedef struct {
    const char *phase;
    const char *shape;  /* "lognormal" | "normal" | "lsw": Lifshitz, Slyozov and Wagner's of coarsening */
    double mean_radius; /* m */
    double standard_deviation; /* m; not with lsw */
    double volume_fraction;    /* either this, */
    double number_density;     /* or this, 1/m^3; the other is 0 */
} sw_kwn_initial;

/* The first member of both. Keys that are absent have their defaults after reading. */
typedef struct {
    const char *alloy;                 /* path, relative to the file's folder */
    sw_kwn_solute_amount *composition; /* [composition_count] replaces the alloy's */
    unsigned composition_count;
    const char *device;    /* "auto" | "cpu" | "cuda"; default auto */
    const char *strategy;  /* a name of sw_kwn_strategies; default fused where there is a GPU, else cpu */
    const char *precision; /* "double" | "mixed" | "single"; default double on the CPU, single on a GPU */
    struct {
        const char *kind;         /* "uniform" | "logarithmic" | "adaptive" */
        int64_t classes;          /* 8 .. 262144 */
        double smallest, largest; /* m; largest is needed but on an adaptive axis */
    } size_axis;
    const char *flux;                     /* "first_order" | "second_order" */
    const char *coupling;                 /* "implicit" | "explicit" */
    double tolerance;                     /* 1e-6 .. 0.1 */
    double courant;                       /* 0 .. 1e6 */
    double largest_temperature_change;    /* K, 1e-3 .. 1000 */
    double fixed_step;                    /* s; 0: chosen by error */
    double initial_temperature;           /* K; 0: not given */
    sw_kwn_initial *initial_distribution; /* [initial_distribution_count] */
    unsigned initial_distribution_count;
    const char *output_file; /* output.file, relative to the working folder */
    int64_t points;          /* key of jobs alone; maps know theirs */

    /* Made of them. */
    sw_kwn_alloy model; /* the alloy with the composition */
    sw_kwn_options options;
    char gpu[100];                /* its name, or ""; of a strategy that uses it */
    char *text, *alloy_text;      /* the files as read */
    struct sw_kwn_source *source; /* where each value stands */
} sw_kwn_setup;

/* Options of the command line that replace keys, all borrowed; NULL leaves the file's value, so {0} replaces
 * nothing. */
typedef struct {
    const char *output, *strategy, *device, *precision;
    const int64_t *classes, *points;
    const double *tolerance;
} sw_kwn_overrides;

/* Schema fields, in a structure whose first member is a sw_kwn_setup. */
#define SW_KWN_TEXT(key, structure, member)                                                     \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, 1, \
                           CYAML_UNLIMITED)
#define SW_KWN_REAL(key, structure, member) CYAML_FIELD_FLOAT(key, CYAML_FLAG_OPTIONAL, structure, member)
#define SW_KWN_WHOLE(key, structure, member) CYAML_FIELD_INT(key, CYAML_FLAG_OPTIONAL, structure, member)
#define SW_KWN_LIST(key, structure, member, entry, least)                                                \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, entry, least, \
                         CYAML_UNLIMITED)
#define SW_KWN_SETUP_FIELDS                                                                               \
    CYAML_FIELD_STRING_PTR("alloy", CYAML_FLAG_POINTER, sw_kwn_setup, alloy, 1, CYAML_UNLIMITED),         \
        SW_KWN_LIST("composition", sw_kwn_setup, composition, &sw_kwn_solute_amount_schema, 1),           \
        SW_KWN_TEXT("device", sw_kwn_setup, device), SW_KWN_TEXT("strategy", sw_kwn_setup, strategy),     \
        SW_KWN_TEXT("precision", sw_kwn_setup, precision),                                                \
        SW_YAML_SECTION("size_axis", CYAML_FLAG_OPTIONAL, sw_kwn_setup, sw_kwn_axis_fields),              \
        SW_KWN_TEXT("flux", sw_kwn_setup, flux), SW_KWN_TEXT("coupling", sw_kwn_setup, coupling),         \
        SW_KWN_REAL("tolerance", sw_kwn_setup, tolerance), SW_KWN_REAL("courant", sw_kwn_setup, courant), \
        SW_KWN_REAL("largest_temperature_change", sw_kwn_setup, largest_temperature_change),              \
        SW_KWN_REAL("fixed_step", sw_kwn_setup, fixed_step),                                              \
        SW_KWN_REAL("initial_temperature", sw_kwn_setup, initial_temperature),                            \
        SW_KWN_LIST("initial_distribution", sw_kwn_setup, initial_distribution, &sw_kwn_initial_schema, 0)
extern const cyaml_schema_value_t sw_kwn_solute_amount_schema, sw_kwn_initial_schema, sw_kwn_segment_schema;
extern const cyaml_schema_field_t sw_kwn_axis_fields[];

/* Read a file against its schema (a pointer to a structure as above), replace what options replace, and check
 * and complete the setup; the rest is left to the caller. overrides may be NULL. SW_ERR_INPUT names file,
 * line, key, value and bound ("--classes = 4: need ..." for an option). Release with sw_kwn_setup_free. */
sw_status sw_kwn_setup_read(const char *path, const cyaml_schema_value_t *schema,
                            const sw_kwn_overrides *overrides, void **structure);
void sw_kwn_setup_free(const cyaml_schema_value_t *schema, void *structure);

/* A path relative to the file's folder -> one from the working folder, in place. */
sw_status sw_kwn_resolve_path(const sw_kwn_setup *setup, const char **path);

/* Whether the file or an option gives a key. */
int sw_kwn_given(const sw_kwn_setup *setup, const char *key);

/* An SW_ERR_INPUT "FILE:LINE: KEY" or "--option", then the formatted rest. */
__attribute__((format(printf, 3, 4))) sw_status sw_kwn_job_error(const sw_kwn_setup *setup, const char *key,
                                                                 const char *format, ...);

/* Numbers of a structure: least <= value <= most for those that are given, `standard` for the others. prefix:
 * what stands before their keys in the file, "output." */
typedef struct {
    const char *key;
    size_t member;
    int whole; /* int64_t, else double */
    double least, most, standard;
    const char *bound;
} sw_kwn_number;
sw_status sw_kwn_check_numbers(const sw_kwn_setup *setup, const char *prefix, void *structure, int count,
                               const sw_kwn_number *number);

/* Index of a word in names [count]; `standard` for NULL. */
sw_status sw_kwn_choose(const sw_kwn_setup *setup, const char *key, const char *word, int count,
                        const char *const *names, int standard, int *index);

/* Index of a solute of the setup's alloy. */
sw_status sw_kwn_choose_solute(const sw_kwn_setup *setup, const char *key, const char *element, int *index);

/* Segments under `key`, from setup->initial_temperature, which they need. */
sw_status sw_kwn_check_segments(const sw_kwn_setup *setup, const char *key, unsigned count,
                                const sw_kwn_segment *segment);

#endif
