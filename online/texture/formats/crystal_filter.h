/* How a crystal file is read: which of its rows, in whose axes, as points or as grains. */
#ifndef SW_ONLINE_TEXTURE_FORMATS_CRYSTAL_FILTER_H
#define SW_ONLINE_TEXTURE_FORMATS_CRYSTAL_FILTER_H

#include <stdint.h>

#include "common/crystal/point_group.h"
#include "common/job/job.h"
#include "common/system/status.h"

enum { SW_CRYSTAL_PHASE = 64 }; /* bytes of a phase's name */

/* Zeroed: all rows of a file of one phase, as they are. */
typedef struct {
    const char
        *phase; /* of a scan or material.yaml, by name or number, or results, by name; NULL: it has one */
    const char *step;     /* of results, or of VPSC's blocks: a number, or "last" (NULL: this) */
    double confidence;    /* least confidence index of an .ang file's rows */
    double deviation;     /* largest mean angular deviation of a .ctf file's rows, degrees; 0: any */
    int64_t every;        /* each so many-th point of a scan's rows, and of its columns; 0: 1 */
    const char *axes;     /* sw_crystal_axes of the file's angles; NULL: the file's own */
    double grain_angle;   /* degrees between neighbours of a scan within a grain; 0: points are crystals */
    int64_t grain_points; /* of the smallest grain; smaller ones are left out; 0: 1 */
    int hexagonal_x; /* of sw_crystal_hexagonal_x: which axis of hexagonal crystals is along x in the file; 0: its format's */
    const sw_point_group *group; /* of the crystals that are wanted; NULL: what the file says, or cubic */
} sw_crystal_filter;

/* "format", "a", "a*". Crystals here have a, <2-1-10>, along x, as EDAX's, VPSC's and DAMASK's; where a* is, <10-10>, as Oxford's,
 * they are a turn of 30 degrees about c away. */
enum { SW_HEXAGONAL_FORMAT, SW_HEXAGONAL_A, SW_HEXAGONAL_A_STAR };
extern const char *const sw_crystal_hexagonal_x[3];

/* The keys, as below; ends with NULL. */
extern const char *const sw_crystal_filter_names[];

/* Rows of a job's table; m: an sw_crystal_filter of S. KEY and OPTION: SW_GIVEN, or SW_NONE for none of a kind. */
#define SW_GIVEN(name) name
#define SW_NONE(name) NULL
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_CRYSTAL_FILTER_KEYS(S, m, KEY, OPTION)                                                            \
    {SW_TEXT(KEY("phase"), S, m.phase), .option = OPTION("phase"), .bound = "the name or number of a phase", \
     .otherwise = "the file's only one",                                                                     \
     .help = "which phase of a scan, .ang or .ctf, of DAMASK's material.yaml, or of results"},               \
        {SW_TEXT(KEY("step"), S, m.step), .option = OPTION("step"), .bound = "a step >= 0, or last",         \
         .otherwise = "last",                                                                                \
         .help = "of results of slipwave taylor, one whose orientations it holds; of VPSC's files a block, " \
                 "from 1 on"},                                                                               \
        {SW_REAL(KEY("confidence"), S, m.confidence, 0, 1), .option = OPTION("confidence"),                  \
         .otherwise = "0", .help = "least confidence index (CI) of the points of an .ang scan"},             \
        {SW_REAL(KEY("deviation"), S, m.deviation, 0.01, 90), .option = OPTION("deviation"),                 \
         .unit = "degrees", .otherwise = "any",                                                              \
         .help = "largest mean angular deviation (MAD) of the points of a .ctf scan"},                       \
        {SW_WHOLE(KEY("every"), S, m.every, 1, 1000), .option = OPTION("every"), .otherwise = "1: all",      \
         .help = "each so many-th point of a scan's rows, and of its columns"},                              \
        {SW_TEXT(KEY("axes"), S, m.axes), .option = OPTION("axes"),                                          \
         .bound = "edax, bruker or oxford, or sample axes 1 2 3 as three of x y z with signs, or both",      \
         .otherwise = "as the file has them",                                                                \
         .help = "a scanner: angles are turned to the axes x and y of its map, z into the body; three "      \
                 "letters: which of these axes, or of the file's, are sample axes 1 2 3"},                   \
        {SW_WORD(KEY("hexagonal_x"), S, m.hexagonal_x, sw_crystal_hexagonal_x),                              \
         .option = OPTION("hexagonal-x"),                                                                    \
         .help = "which axis of hexagonal crystals is along x where the file's angles count from; format: "  \
                 "a* of .ctf, of .txt what its header says, a of others"},                                   \
        {SW_REAL(KEY("grain_angle"), S, m.grain_angle, 0.1, 30), .option = OPTION("grain-angle"),            \
         .unit = "degrees", .otherwise = "none: points are crystals",                                        \
         .help = "joins neighbours of a scan that differ by at most this to grains: a crystal each, of "     \
                 "their mean orientation, weighted by area"},                                                \
    {                                                                                                        \
        SW_WHOLE(KEY("grain_points"), S, m.grain_points, 1, 1e9),                                            \
            .option = OPTION("grain-points"), .otherwise = "1",                                              \
            .help = "points of the smallest grain; those of smaller ones are left out"                       \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* "oxford", "y -x -z", "oxford y -x -z" -> the rotation from the file's axes to the sample's: row i is sample axis
 * i in the file's. A scanner's name stands for the axes of its map: x and y as its columns have them, z = x x y, into
 * the body: of edax "y x -z", of oxford and bruker "x -y -z". SW_ERR_INPUT for what is none, or left-handed. */
sw_status sw_crystal_axes(const char *text, double turn[3][3]);

#endif
