/* The crystals at points as a job names them: a database or a material, a solver, how many there are, a texture ->
 * the options of a response and what points draw from. For elements and particles alike. */
#ifndef SW_ONLINE_POLYCRYSTAL_SOURCE_H
#define SW_ONLINE_POLYCRYSTAL_SOURCE_H

#include "common/crystal/limits.h"
#include "common/crystal/material.h"
#include "common/job/job.h"
#include "draw.h"
#include "identity.h"
#include "online/kwn/output/ageing.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"
#include "online/texture/crystal_file.h"

/* As in the file. */
typedef struct {
    const char *database, *material; /* NULL: none; the database's */
    int solver;                      /* number of sw_solvers */
    int64_t terms, refinement;       /* 0: all, the solver's own */
    int nearest;                     /* in grid's table, instead of linear */
    sw_homogenization_choice homogenization;
    int64_t count; /* n of a point; 0: the file's, or the job's own affair */
    int64_t seed;
    const char *file;               /* NULL: random orientations */
    sw_crystal_filter filter;       /* of its rows */
    int rotated;                    /* body by body */
    double initial_slip_resistance; /* Pa; 0: the material's */
    sw_kwn_state ageing;            /* or from results of kwn */
} sw_polycrystal_source;

/* Rows of a job's table, without its end. m: an sw_polycrystal_source of S; standard_solver: a name of
 * SW_SOLVER_LIST; homogenization_table: SW_HOMOGENIZATION_KEYS of m.homogenization; ageing_table: rows SW_KWN_STATE_KEYS(S,
 * m.ageing). */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_POLYCRYSTAL_KEYS(S, m, standard_solver, homogenization_table, ageing_table)                       \
    {SW_PATH("database", S, m.database), .otherwise = "none: a material",                                    \
     .help = "spectral database, for terms and grid"},                                                       \
        {SW_PATH("material", S, m.material), .otherwise = "the database's", .help = "material file"},        \
        {SW_WORD_OF("solver", S, m.solver, sw_solver_names, SW_SOLVERS),                                     \
         .standard = SW_SOLVER_##standard_solver, .otherwise = #standard_solver,                             \
         .help = "how crystals respond"},                                                                    \
        {SW_WHOLE("terms", S, m.terms, 1, INT64_MAX), .otherwise = "all",                                    \
         .help = "Fourier coefficients that the solver terms uses, a conjugate pair is two"},                \
        {SW_WHOLE("refinement", S, m.refinement, 1, SW_REFINEMENT_MOST), .otherwise = "terms: 128, grid: 1", \
         .help = "multiplier of the grid's points, for the solvers terms and grid"},                         \
        {SW_WORD("interpolation", S, m.nearest, sw_polycrystal_interpolations),                              \
         .help = "how grid reads its table"},                                                                \
        SW_HOMOGENIZATION_KEY(S, m.homogenization, homogenization_table),                                    \
        {SW_WHOLE("count", S, m.count, 1, 1000000), .otherwise = "as many as the file's",                    \
         .help = "crystals at each point or particle"},                                                      \
        {SW_WHOLE("seed", S, m.seed, 0, INT64_MAX), .standard = 1,                                           \
         .help = "random seed of orientations, of what is drawn from a file, and of turns"},                 \
        {SW_PATH("file", S, m.file), .option = "crystals-file", .otherwise = "none: random orientations",    \
         .help =                                                                                             \
             "orientations, or results of slipwave taylor; each point or particle draws `count` of them by " \
             "weight, all where there are as many"},                                                         \
        SW_CRYSTAL_FILTER_KEYS(S, m.filter, SW_GIVEN, SW_NONE),                                              \
        {SW_YES("rotated", S, m.rotated), .otherwise = "no",                                                 \
         .help = "the crystals of each element or particle are turned together by a random rotation"},       \
    {                                                                                                        \
        SW_REAL("initial_slip_resistance", S, m.initial_slip_resistance, SW_SLIP_RESISTANCE_LEAST,           \
                SW_SLIP_RESISTANCE_MOST),                                                                    \
            .unit = "Pa", .otherwise = "the material's", .keys = (ageing_table),                             \
            .help =                                                                                          \
                "s of every crystal; a mapping takes it from precipitates, and shifts the hardening with it" \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
extern const char *const sw_polycrystal_interpolations[2];

/* What a job's crystals are made of; stays where it was made, since it borrows from itself. */
typedef struct {
    sw_response_options response; /* on the CPU, unless its owner says otherwise */
    sw_polycrystal_draw draw;
    sw_database *database; /* NULL: none */
    sw_material material;  /* aged, with its slip resistance as the job has it */
    sw_kwn_slip_resistance ageing;
    sw_crystal_list list; /* of the file */
    sw_crystal *texture;  /* [list.count] the same at the material's slip resistance; NULL: random ones */
} sw_polycrystal;

/* The source whose keys stand at prefix, "crystals." or "materials[2].crystals.": files opened and read, the material
 * compared with the database's and aged, which is noted unless quiet. instead: a key beside them, which may stand for
 * count and file, so that n may come out 0: the caller's affair; NULL: there is none. asked: of the solver (solvers.h).
 *
 * SW_ERR_INPUT names file, line, key, value and bound; what databases, materials, crystal files and results of kwn
 * are refused for; SW_ERR_MEMORY. Release with sw_polycrystal_free, which takes a half-made or zeroed one too. */
sw_status sw_polycrystal_read(sw_job *job, const char *prefix, const char *instead, unsigned asked,
                              const sw_polycrystal_source *source, int quiet, sw_polycrystal *made);

/* All of it comes to what a run depends on. grain: a hash of what else chooses the crystals of points; 0: nothing does. */
void sw_polycrystal_identify(const sw_polycrystal *made, uint64_t grain, sw_identity *identity);
void sw_polycrystal_free(sw_polycrystal *made);

#endif
