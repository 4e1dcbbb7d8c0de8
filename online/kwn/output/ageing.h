/* Results of `slipwave kwn` and `slipwave kwn map`, read as the slip resistance of crystals: for any job that has
 * some. */
#ifndef SW_ONLINE_KWN_OUTPUT_AGEING_H
#define SW_ONLINE_KWN_OUTPUT_AGEING_H

#include <stdint.h>

#include "common/crystal/material.h"
#include "common/files/hdf5_door.h"
#include "common/job/job.h"

/* Which state. */
typedef struct {
    const char *file; /* results of points, or a map over time; NULL: none */
    double time;      /* s, of these results: of a map since its pretreatment */
    int64_t point;    /* from 0 on; of a map along its first axis */
} sw_kwn_state;

/* Rows of the mapping that may stand for a job's slip resistance; m: an sw_kwn_state. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_KWN_STATE_KEYS(S, m)                                                                             \
    {SW_PATH("kwn", S, m.file), .needed = 1, .option = "kwn",                                               \
     .help = "results of slipwave kwn or kwn map: s0 is theirs, and the hardening curve is shifted to it"}, \
        {SW_REAL("time", S, m.time, 0, INFINITY), .unit = "s", .needed = 1, .option = "kwn-time",           \
         .help =                                                                                            \
             "of these results, between whose rows it is interpolated; of a map since its pretreatment"},   \
    {                                                                                                       \
        SW_WHOLE("point", S, m.point, 0, INT64_MAX),                                                        \
            .option = "kwn-point", .help = "of these results; of a map along its first axis"                \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Critical resolved shear stresses, Pa: the file's stresses over the Taylor factor that it made them with. */
typedef struct {
    double lattice, solid_solution, particles;
    double slip_resistance; /* their sum: s of the crystal model */
    double taylor_factor;   /* the file's */
} sw_kwn_slip_resistance;

/* Linear in time between two rows. SW_ERR_FORMAT for a file of another kind, a map without an axis of time, or
 * numbers that no aged alloy has (as those without strength data); SW_ERR_RANGE for a point or a time that the file
 * does not have: names file, value and range; SW_ERR_IO; SW_ERR_MEMORY. fault: the key that is wrong then: kwn, point or time. */
sw_status sw_kwn_read_slip_resistance(const sw_kwn_state *state, const char **fault,
                                      sw_kwn_slip_resistance *s);

/* A job's material as the state has aged it (sw_material_age). key: of the mapping, as "initial_slip_resistance"; what
 * is wrong with the file is said of its keys. SW_ERR_INPUT, SW_ERR_MEMORY. */
sw_status sw_kwn_age_material(const sw_job *job, const char *key, const sw_kwn_state *state,
                              sw_material *material, sw_kwn_slip_resistance *s);

/* A group `ageing` among a run's results, with attributes: kwn_file, kwn_time, kwn_point; the resistances and their
 * taylor_factor; what the material has become: initial_slip_resistance and the constants of its hardening law by their keys. */
sw_status sw_kwn_write_ageing(hid_t where, const sw_kwn_state *state, const sw_kwn_slip_resistance *s,
                              const sw_material *material);

/* "aged.h5, point 0 at 3600 s: s0 = 83.4 MPa (...), saturation at 148 MPa" [size] */
void sw_kwn_describe_ageing(const sw_kwn_state *state, const sw_kwn_slip_resistance *s,
                            const sw_material *material, char *text, size_t size);

#endif
