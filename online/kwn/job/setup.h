/* What job files (job.h) and map files (map_job.h) of `slipwave kwn` share: alloy, strategy, size axis,
 * numerics, initial size distributions. Keys are the structs' member names but where said otherwise. */
#ifndef SW_ONLINE_KWN_JOB_SETUP_H
#define SW_ONLINE_KWN_JOB_SETUP_H

#include "common/job/command.h"
#include "online/kwn/backend/strategies.h"
#include "online/kwn/model/alloy.h"
#include "measured.h"
#include "thermal_history.h"

typedef struct {
    const char *element;  /* key: solute */
    double concentration; /* in the unit of the alloy file */
} sw_kwn_solute_amount;

/* Of the numbers over radius. */
typedef enum {
    SW_SHAPE_LOGNORMAL,
    SW_SHAPE_NORMAL,
    SW_SHAPE_LSW,   /* Lifshitz, Slyozov and Wagner's of coarsening */
    SW_SHAPE_TABLE, /* of a text: measured.h */
    SW_SHAPE_RUN,   /* of a phase of the same name in results */
    SW_SHAPES
} sw_kwn_shape;

typedef struct {
    const char *phase;
    sw_kwn_shape shape;
    double mean_radius;        /* m */
    double standard_deviation; /* m; not with lsw */
    double volume_fraction;    /* either this, */
    double number_density; /* or this, 1/m^3; the other is 0; of table and run both may be: its own numbers */
    const char *file;      /* of table and run */
    double time;           /* of the run, s */
    int64_t point;
    sw_kwn_bins bins; /* made of them */
} sw_kwn_initial;

/* How far classes and steps are off at most, of so many points: relative errors, resolution.h. All doubles: ranks send them. */
typedef struct {
    double points; /* 0: not looked at */
    double number, radius, fraction;
    double worst; /* the point of the largest */
} sw_kwn_resolution;

/* The first member of both. */
typedef struct {
    sw_run_options run;
    const char *alloy;                 /* path */
    sw_kwn_solute_amount *composition; /* [composition_count] replaces the alloy's */
    unsigned composition_count;
    sw_kwn_options
        options; /* keys: strategy, precision, size_axis, flux, coupling, tolerance, ...; those that
                               are used, once the setup is complete */
    int celsius; /* key: temperature_unit; temperatures of keys are in K once checked */
    double initial_temperature;           /* K; 0: not given */
    sw_kwn_initial *initial_distribution; /* [initial_distribution_count] */
    unsigned initial_distribution_count;
    const char *output_file; /* output.file */
    int64_t points;          /* key of jobs alone; maps know theirs */

    /* Made of them. */
    sw_kwn_alloy model; /* the alloy with the composition */
    char gpu[100];      /* its name, or ""; of a strategy that uses it */
    int by_cost;        /* neither strategy nor device nor a precision of GPUs is named, and there is one */
    sw_kwn_resolution resolution;
    int noted_cold;   /* a temperature was warned of */
    sw_kwn_span span; /* of the temperatures of keys, */
    char coldest_key[SW_KEY_SIZE];
    char choice[200]; /* what was chosen by cost and why, or "" */
    char *alloy_text; /* the file as read */
    sw_job *source;   /* where each value stands; owns all but alloy_text */
} sw_kwn_setup;

/* A key's temperature, in the file's unit until sw_kwn_to_kelvin. */
#define SW_KWN_TEMPERATURE(key, S, m) SW_REAL(key, S, m, -300, SW_KWN_HOTTEST), .bound = "K, from 1 to 5000"
#define SW_KWN_CELSIUS 273.15 /* K */

/* Rows of tables whose structure begins with an sw_kwn_setup. */
#define SW_KWN_SETUP_KEYS                                                                                    \
    {SW_PATH("alloy", sw_kwn_setup, alloy), .needed = 1, .help = "alloy file"},                              \
        {SW_ENTRIES("composition", sw_kwn_setup, composition, sw_kwn_composition_keys), .shortest = 1,       \
         .otherwise = "the alloy's"},                                                                        \
        SW_DEVICE_KEY(sw_kwn_setup, run), SW_THREADS_KEY(sw_kwn_setup, run),                                 \
        {SW_WORD("strategy", sw_kwn_setup, options.strategy, sw_kwn_strategy_names),                         \
         .standard = SW_KWN_STRATEGIES,                                                                      \
         .otherwise = "cpu, or fused where there is a GPU and it is faster",                                 \
         .option = "strategy",                                                                               \
         .letter = 's',                                                                                      \
         .papers = SW_KWN_OF_PAPERS,                                                                         \
         .help = "from node_first on of a paper, for comparison"},                                           \
        {SW_WORD("precision", sw_kwn_setup, options.precision, sw_kwn_precision_names),                      \
         .standard = SW_KWN_PRECISIONS,                                                                      \
         .otherwise = "double on the CPU, which has no other; single on a GPU", .option = "precision",       \
         .help = "phases that grow by several solutes, or by tables: cpu or fused, and double"},             \
        {SW_SECTION("size_axis", sw_kwn_axis_keys)},                                                         \
        {SW_WORD("flux", sw_kwn_setup, options.flux, sw_kwn_flux_names), .standard = SW_KWN_FLUXES,          \
         .otherwise = "third_order, or second_order with a strategy of a paper", .help = "between classes"}, \
        {SW_WORD("coupling", sw_kwn_setup, options.control.explicit_coupling, sw_kwn_coupling_names)},       \
        {SW_REAL("tolerance", sw_kwn_setup, options.control.tolerance, 1e-6, 0.1), .standard = 1e-3,         \
         .option = "tolerance", .help = "relative error of a step"},                                         \
        {SW_REAL("courant", sw_kwn_setup, options.control.courant, 0, 1e6), .standard = 0.9,                 \
         .unit = "widths a step", .help = "that particles may move; 0: any"},                                \
        {SW_REAL("largest_temperature_change", sw_kwn_setup, options.control.largest_change, 1e-3, 1e3),     \
         .standard = 3, .unit = "K", .help = "in a step"},                                                   \
        {SW_REAL("fixed_step", sw_kwn_setup, options.control.fixed_step, 1e-9, 1e9), .unit = "s",            \
         .help = "in place of control by error"},                                                            \
        {SW_WORD("temperature_unit", sw_kwn_setup, celsius, sw_kwn_unit_names),                              \
         .help = "of this file's temperatures; results, and files of histories, are in K"},                  \
        {SW_KWN_TEMPERATURE("initial_temperature", sw_kwn_setup, initial_temperature),                       \
         .help = "before the first segment"},                                                                \
        {SW_ENTRIES("initial_distribution", sw_kwn_setup, initial_distribution, sw_kwn_initial_keys),        \
         .otherwise = "none", .help = "particles there are at the start"},                                   \
        SW_QUIET_KEY(sw_kwn_setup, run)
#define SW_KWN_OUTPUT_KEY                                                                             \
    {                                                                                                 \
        SW_OUTPUT("file", sw_kwn_setup, output_file), .needed = 1, .bound = "a file for the results", \
                                                      .option = "output", .letter = 'o',              \
                                                      .help = "results file"                          \
    }
extern const sw_key sw_kwn_composition_keys[], sw_kwn_axis_keys[], sw_kwn_initial_keys[],
    sw_kwn_segment_keys[];
extern const char *const sw_kwn_flux_names[SW_KWN_FLUXES], *const sw_kwn_coupling_names[2],
                                                               *const sw_kwn_unit_names[2];

/* A temperature (K) in the unit of the file: "458.2 K" or "185 degrees Celsius". */
const char *sw_kwn_temperature_text(const sw_kwn_setup *setup, double kelvin, char text[40]);

/* Check what was read, and complete it. SW_ERR_INPUT names file, line, key, value and bound ("--classes = 4: need ..." for
 * an option); SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_kwn_setup_complete(sw_kwn_setup *setup);

/* Once setup->points is known: what `auto` means, where it is left to what a step costs (choice.h). */
void sw_kwn_setup_choose(sw_kwn_setup *setup);

/* Warn where particles are those of an earlier run, and other phases of it, its composition, or its vacancies are not; of the
 * second only if all points have the setup's. */
void sw_kwn_compare_with_runs(const sw_kwn_setup *setup, int composition);

/* Index of a solute of the setup's alloy. */
sw_status sw_kwn_choose_solute(const sw_kwn_setup *setup, const char *key, const char *element, int *index);

/* Warn of a key's temperature (K) where it may be in degrees Celsius: the first one of a job. And once all have been
 * noted: where they may be all together. */
void sw_kwn_note_cold(sw_kwn_setup *setup, const char *key, double temperature);
void sw_kwn_note_celsius(sw_kwn_setup *setup);

/* Warn of weight percent that are a dilute matrix's (alloy_file.h), at mole fractions [S] under `key`; NULL, NULL: at the setup's.
 * Returns whether it did. */
int sw_kwn_note_weights(const sw_kwn_setup *setup, const char *key, const double *fraction);

/* A key's temperature in K, where it is given. SW_ERR_INPUT. */
sw_status sw_kwn_to_kelvin(const sw_kwn_setup *setup, const char *key, double *temperature);

/* Segments under `key`, from setup->initial_temperature, which they need; their temperatures in K afterwards. */
sw_status sw_kwn_check_segments(sw_kwn_setup *setup, const char *key, unsigned count,
                                sw_kwn_segment *segment);

/* What sw_kwn_setup_complete and others have allocated. */
void sw_kwn_setup_free(sw_kwn_setup *setup);

#endif
