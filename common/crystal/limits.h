/* What numbers of crystals and steps have to be, wherever they come from: jobs, files, host programs, Python. */
#ifndef SW_COMMON_CRYSTAL_LIMITS_H
#define SW_COMMON_CRYSTAL_LIMITS_H

/* Pa. Jobs and material files refuse what is beyond; of crystals that a program gives, what is below is warned of: it may
 * be a model in units of its own, and is more likely MPa. */
#define SW_SLIP_RESISTANCE_LEAST 1e4
#define SW_SLIP_RESISTANCE_MOST 1e11

/* K; of crystals. */
#define SW_TEMPERATURE_LEAST 1.0
#define SW_TEMPERATURE_MOST 4000.0

/* rad; two turns, which angles from anywhere do not pass, and degrees do at 13. */
#define SW_ANGLE_LIKELY 12.566370614359172
/* Of crystals that a program gives, which may be degrees or have been added up over many turns: beyond it steps of single
 * precision, 2^-14 at 1000, come near 1e-4 rad, which the finest scans tell apart; at 1e8 they are more than a turn. */
#define SW_ANGLE_MOST 1e3

/* ||D|| dt of a step that somebody asks for. In plane strain compression to 1 `elastoplastic` then misses 0.4 % of the
 * stress tensor, and `rigid_plastic` 1.5 %; at 1 both miss 11 to 12 %. */
#define SW_STEP_STRAIN_ASKED 0.1
/* Of one that a search tries on its way, and of points, whose steps are found: 4 and 8 %. */
#define SW_STEP_STRAIN_MOST 0.5

#endif
