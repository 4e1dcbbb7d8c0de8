/* Settings of `forming_limit`, and the keys of a job that they come from. */
#ifndef SW_ONLINE_FORMING_LIMIT_SETTINGS_H
#define SW_ONLINE_FORMING_LIMIT_SETTINGS_H

#include "band.h"
#include "common/job/job.h"

typedef struct {
    double imperfection; /* h_band / h_sheet at the beginning */
    int band;            /* SW_BAND_... */
    double necking;      /* ||D_band|| / ||D_sheet|| that is one */
    double *ratios;      /* [ratios_count] D22 / D11 of the sheet; none: sw_limit_ratios */
    unsigned ratios_count;
    double major_axis; /* degrees, of D11 from the rolling direction */
    struct {
        double first, last; /* degrees, of the normal from the major axis, at the beginning */
        int64_t count;
    } angles;
    int64_t refinement;      /* angles more around the best of each path */
    double strain_increment; /* D11 dt of the sheet */
    double strain_rate;      /* D11 of the sheet, 1/s: the job's */
    double strain_limit;     /* D11 t at which a path ends without a neck */
} sw_limit_settings;

/* The ratios of a job that gives none. */
enum { SW_LIMIT_RATIOS = 15 };
extern const double sw_limit_ratios[SW_LIMIT_RATIOS];

/* Rows of a job's section; m: an sw_limit_settings of S; angles: rows SW_LIMIT_ANGLE_KEYS(S, m). */
extern const char *const sw_band_names[2];
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_LIMIT_KEYS(S, m, angles_table)                                                           \
    {SW_REAL("imperfection", S, m.imperfection, 0.5, 1), .open = SW_OPEN_ABOVE, .standard = 0.99,   \
     .help = "thickness of the band over the sheet's, at the beginning"},                           \
        {SW_WORD("band", S, m.band, sw_band_names),                                                 \
         .help = "what its normal does as the sheet is stretched"},                                 \
        {SW_REAL("necking", S, m.necking, 1, 1e6), .open = SW_OPEN_BELOW, .standard = 10,           \
         .help = "||D|| of the band over the sheet's that is a neck"},                              \
        {SW_REALS("ratios", S, m.ratios, -0.9, 1), .otherwise = "15 from -0.5 to 1", .shortest = 1, \
         .longest = 100, .help = "paths: D22 / D11 of the sheet"},                                  \
        {SW_REAL("major_axis", S, m.major_axis, -180, 180), .unit = "degrees", .otherwise = "0",    \
         .help = "direction of D11, from axis 1 (rolling) towards axis 2"},                         \
        {SW_SECTION("angles", angles_table)},                                                       \
        {SW_WHOLE("refinement", S, m.refinement, 0, 100), .standard = 4,                            \
         .help = "angles more around the best one of each path, within its neighbours"},            \
        {SW_REAL("strain_increment", S, m.strain_increment, 1e-4, 0.05), .standard = 0.005,         \
         .help = "D11 dt of the sheet in a step"},                                                  \
    {                                                                                               \
        SW_REAL("strain_limit", S, m.strain_limit, 0.01, 3),                                        \
            .standard = 1, .help = "major strain of the sheet at which a path ends without a neck"  \
    }
#define SW_LIMIT_ANGLE_KEYS(S, m)                                                                            \
    {SW_REAL("first", S, m.angles.first, -90, 90), .unit = "degrees", .otherwise = "0",                      \
     .help = "angle of the band's normal to the direction of D11, at the beginning"},                        \
        {SW_REAL("last", S, m.angles.last, -90, 90), .unit = "degrees", .standard = 45, .help = "likewise"}, \
    {                                                                                                        \
        SW_WHOLE("count", S, m.angles.count, 1, 181), .standard = 10, .help = "evenly from first to last"    \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* What the rows cannot say. prefix: of the section, "forming_limit.". SW_ERR_INPUT. */
sw_status sw_limit_settings_check(const sw_job *job, const char *prefix, const sw_limit_settings *settings);

#endif
