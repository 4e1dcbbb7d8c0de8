/* Commands of slipwave-db: generate, inspect and validate spectral databases. */
#include <string.h>

#include "commands.h"
#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/files/text.h"
#include "common/job/command.h"
#include "response_grid.h"
#include "slipwave/program.h"

/* Read the options of a command whose file is not of keys; *run is done by it. */
static sw_status read_options(const sw_key *keys, size_t size, const sw_arguments *arguments, void *options)
{
    sw_job *source;
    void *values;
    SW_TRY(sw_job_read(keys, size, arguments, 0, &source, &values));
    memcpy(options, values, size);
    sw_job_close(source);
    return SW_OK;
}

/* ---- generate ---- */

typedef struct {
    sw_run_options run;
    const char *output, *terms;
    double strain_increment, strain_rate, memory;
    int64_t shape[4];
    int shape_count;
} generate;

static const sw_key generate_keys[] = {
    {SW_OUTPUT(NULL, generate, output), .needed = 1, .option = "output", .letter = 'o',
     .help = "the database to write"},
    {SW_NUMBERS(NULL, generate, shape, shape_count, 4, 8192), .shortest = 4, .option = "grid", .letter = 'g',
     .argument = "N1,N2,N3,N4", .otherwise = "128,128,128,96; of hexagonal crystals 128,128,192,96",
     .help = "numbers of points for phi1, Phi, phi2, theta, each of a full turn"},
    {SW_TEXT(NULL, generate, terms), .option = "terms", .letter = 't', .argument = "T|all",
     .otherwise = "131072",
     .help = "largest Fourier coefficients to keep, a conjugate pair is two; where there are fewer, all"},
    {SW_REAL(NULL, generate, strain_increment, SW_INCREMENT_LEAST, SW_INCREMENT_MOST),
     .standard = SW_STRAIN_INCREMENT, .option = "strain-increment",
     .help = "||D|| t that every crystal is taken through from rest; well past yielding, and that of the "
             "steps to be taken with the database or near it"},
    {SW_REAL(NULL, generate, strain_rate, SW_INCREMENT_RATE_LEAST, SW_INCREMENT_RATE_MOST), .unit = "1/s",
     .standard = SW_STRAIN_RATE, .option = "strain-rate",
     .help = "||D|| meanwhile; answers at other rates are scaled by the slip law"},
    {SW_REAL(NULL, generate, memory, 1e6, 1e15), .unit = "B", .option = "memory",
     .otherwise = "most of what is free",
     .help = "for transforming and ranking, of the GPU where one does; where the grid needs more, some of "
             "the outputs at a time, in two "
             "sweeps: the same database"},
    SW_DEVICE_KEY(generate, run),
    SW_THREADS_KEY(generate, run),
    {SW_YES(NULL, generate, run.resume), .option = "resume", .letter = 'r',
     .help = "go on from the checkpoint that an earlier run left beside the database"},
    SW_QUIET_KEY(generate, run),
    SW_KEYS_END};

static sw_status parse_terms(const char *text, int64_t *terms)
{
    *terms = 0;
    if (strcmp(text, "all") == 0)
        return SW_OK;
    return sw_parse_whole(text, terms) == NULL && *terms >= 1 && *terms <= INT64_C(1) << 32
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "--terms = %.80s: need all, or a whole number from 1 to 2^32", text);
}

static sw_status run_generate(const sw_arguments *arguments)
{
    generate g;
    sw_generate_options options = {.material = arguments->file, .shape = {128, 128, 0, 96}, .terms = 131072};
    SW_TRY(read_options(generate_keys, sizeof g, arguments, &g));
    if (g.terms != NULL)
        SW_TRY(parse_terms(g.terms, &options.terms));
    if (g.shape_count > 0)
        memcpy(options.shape, g.shape, sizeof options.shape);
    options.output = g.output;
    options.strain_increment = g.strain_increment;
    options.strain_rate = g.strain_rate;
    options.memory = g.memory;
    options.device = g.run.device;
    options.resume = g.run.resume;
    options.quiet = g.run.quiet;
    sw_use_threads(&g.run);
    return sw_generate(&options);
}

static const sw_key_table generate_files[] = {{"material", sw_material_keys}, {0}};

static const sw_command generate_command = {.name = "generate",
                                            .summary = "make the spectral database of a material",
                                            .about = "Make the spectral database of a material.",
                                            .argument = "MATERIAL.yaml",
                                            .kind = "material file",
                                            .keys = generate_keys,
                                            .files = generate_files,
                                            .run = run_generate};

/* ---- inspect ---- */

typedef struct {
    int verify, seal;
} inspect;

static const sw_key inspect_keys[] = {
    {SW_YES(NULL, inspect, verify), .option = "verify",
     .help = "only whether the file, a database or results of any command, is as it was written"},
    {SW_YES(NULL, inspect, seal), .option = "seal",
     .help = "take a file that another program changed as it is from now on: seal it"},
    SW_KEYS_END};

static sw_status run_inspect(const sw_arguments *arguments)
{
    inspect i;
    SW_TRY(read_options(inspect_keys, sizeof i, arguments, &i));
    if (i.verify && i.seal)
        return sw_error(SW_ERR_INPUT, "--verify and --seal: need one of them");
    return (i.verify ? sw_verify : i.seal ? sw_reseal : sw_inspect)(arguments->file, stdout);
}

static const sw_command inspect_command = {.name = "inspect",
                                           .summary = "print what a database holds",
                                           .about = "Print what a database holds.",
                                           .argument = "DB.h5",
                                           .kind = "database",
                                           .keys = inspect_keys,
                                           .alone = 1,
                                           .run = run_inspect};

/* ---- validate ---- */

typedef struct {
    sw_run_options run;
    sw_validate_options validate;
} validate;

static const sw_key validate_keys[] = {
    {SW_NUMBERS(NULL, validate, validate.terms, validate.n_terms, 1, 4294967296.), .option = "terms",
     .letter = 't', .argument = "T", .otherwise = "512, 2048, ... all",
     .help =
         "a number of terms to measure, a conjugate pair is two; may be repeated; the grid solver always is"},
    {SW_WHOLE(NULL, validate, validate.points, 1, 1e8), .standard = 1024, .option = "points",
     .help = "number of random points"},
    {SW_WHOLE(NULL, validate, validate.seed, 0, INT64_MAX), .standard = 1, .option = "seed",
     .help = "random seed of the points"},
    SW_THREADS_KEY(validate, run),
    SW_QUIET_KEY(validate, run),
    SW_KEYS_END};

static sw_status run_validate(const sw_arguments *arguments)
{
    validate v;
    SW_TRY(read_options(validate_keys, sizeof v, arguments, &v));
    v.validate.database = arguments->file;
    v.validate.quiet = v.run.quiet;
    sw_use_threads(&v.run);
    return sw_validate(&v.validate, stdout);
}

static const sw_command validate_command = {.name = "validate",
                                            .summary = "measure a database against the integrator",
                                            .about = "Measure a database against the integrator at random "
                                                     "points off its grid, and store the result in it.",
                                            .argument = "DB.h5",
                                            .kind = "database",
                                            .keys = validate_keys,
                                            .alone = 1,
                                            .run = run_validate};

/* ---- The program ---- */

static const sw_command *const commands[] = {&generate_command, &inspect_command, &validate_command, NULL};

int sw_run_slipwave_db(int argc, char **argv)
{
    static const sw_program program = {
        .name = "slipwave-db", .about = "make, inspect and measure spectral databases", .commands = commands};
    return sw_run_program(&program, argc, argv);
}
