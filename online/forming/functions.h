/* Task `functions`: yield functions fitted to what the tasks before found out about the sheet, and input of finite element
 * programs made of them. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_TASK_H
#define SW_ONLINE_FORMING_FUNCTIONS_TASK_H

#include "functions/blocks.h"
#include "functions/calibration.h"
#include "functions/earing.h"
#include "task.h"

typedef struct {
    const char **names; /* [names_count] of yield functions; NULL: all */
    int names_count;
    int hill48;      /* what its coefficients are by: an sw_identification */
    double exponent; /* a; 0: of the lattice, 8 for FCC and hexagonal crystals, 6 for others */
    sw_calibration_weights weights;
    int64_t starts, seed;
    double curve_strain; /* plastic, of the cards' hardening curve; 0: as far as tasks before have it */
    const char *block[SW_BLOCK_PROGRAMS]; /* files, in the order of sw_block_programs; NULL: none */
} sw_functions;

/* What came of it: kept in sw_forming for the tasks after. */
typedef struct {
    int n;
    sw_calibration fit[SW_YIELD_FUNCTIONS];
} sw_fitted;

/* Rows of a job's table; m: an sw_functions of S; weights_table: rows SW_CALIBRATION_WEIGHTS_KEYS(S, m.weights). */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_FUNCTIONS_KEYS(S, m, weights_table)                                                              \
    {SW_TEXTS("names", S, m.names),                                                                         \
     .shortest = 1,                                                                                         \
     .longest = SW_YIELD_FUNCTIONS,                                                                         \
     .bound = "hill48, yld2000_2d, yld2004_18p",                                                            \
     .otherwise = "all",                                                                                    \
     .help = "yield functions"},                                                                            \
        {SW_WORD("hill48", S, m.hill48, sw_identification_names),                                           \
         .otherwise = "r; without r_values at 0, 45 and 90 degrees weights",                                \
         .help = "what Hill's coefficients are by: r or yield stresses at 0, 45 and 90 degrees, or all by " \
                 "weights"},                                                                                \
        {SW_REAL("exponent", S, m.exponent, 2, 100),                                                        \
         .otherwise = "8 for FCC and hexagonal crystals, 6 for others",                                     \
         .help = "a of Yld2000-2d and Yld2004-18p"},                                                        \
        {SW_SECTION("weights", weights_table)},                                                             \
        {SW_WHOLE("starts", S, m.starts, 1, 10000), .standard = 24,                                         \
         .help = "where least squares begin: at an isotropic function, and about it"},                      \
        {SW_WHOLE("seed", S, m.seed, 0, INT64_MAX), .standard = 1, .help = "random seed of these"},         \
        {SW_REAL("curve_strain", S, m.curve_strain, 1e-4, 3),                                               \
         .otherwise = "that of r_values, or of yield_surface",                                              \
         .help = "plastic strain to which the hardening curve of cards goes"},                              \
        {SW_OUTPUT("abaqus", S, m.block[0]), .otherwise = "none", .help = "file of input for Abaqus"},      \
    {                                                                                                       \
        SW_OUTPUT("ls_dyna", S, m.block[1]), .otherwise = "none", .help = "file of input for LS-DYNA"       \
    }
#define SW_CALIBRATION_WEIGHTS_KEYS(S, m)                                                              \
    {SW_REAL("stress", S, m.stress, 0, 1e6), .standard = 1, .help = "of relative misses of stresses"}, \
        {SW_REAL("r", S, m.r, 0, 1e6), .standard = 0.1,                                                \
         .help = "of misses of r/(1+r), and of directions of flow"},                                   \
        {SW_REAL("biaxial", S, m.biaxial, 0, 1e6), .standard = 1,                                      \
         .help = "times these: of balanced biaxial tension"},                                          \
    {                                                                                                  \
        SW_REAL("points", S, m.points, 0, 1e6), .standard = 1,                                         \
                                                .help = "times these: of points of the yield surface"  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* ---- Task `earing`: the rim of a cup drawn from the sheet, by r-values, and by these functions ---- */

/* Rows of a job's table; m: an sw_cup of S. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_EARING_KEYS(S, m)                                                                     \
    {SW_REAL("blank_radius", S, m.blank_radius, 1e-6, 1e3), .unit = "m", .needed = 1,            \
     .help = "of the round blank"},                                                              \
        {SW_REAL("cup_radius", S, m.cup_radius, 1e-6, 1e3), .unit = "m", .needed = 1,            \
         .help = "of the middle of the cup's wall"},                                             \
    {                                                                                            \
        SW_REAL("corner_radius", S, m.corner_radius, 0, 1e3),                                    \
            .unit = "m", .standard = 0, .help = "between bottom and wall, of the sheet's middle" \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
