/* One step of a run: what advances its crystals. Under the velocity gradient of the loading's present entry, or under
 * the one that given stresses ask for (online/loading/mixed.h); for its time, or until a goal (goal.h there). */
#ifndef SW_ONLINE_TAYLOR_STEP_H
#define SW_ONLINE_TAYLOR_STEP_H

#include "run.h"

/* At the beginning of the loading, of a run whose solver and crystals are there. SW_ERR_INPUT for a loading that the
 * solver does not take; SW_ERR_MEMORY. */
sw_status sw_taylor_steps_open(sw_taylor *run);

/* The next step, of which there is one (sw_loading_at): crystals, history, and the place in the loading after it. Called
 * by all ranks together, with the same status on each. One that fails or is interrupted leaves all as at its beginning
 * or, where it is not tried first, after the parts of it that place.part counts. SW_ERR_CONVERGENCE where stresses or a
 * goal are not met. */
sw_status sw_taylor_step(sw_taylor *run);

/* The stress of the last row, which the next step of its entry would find, for who reads it now; the next step finds
 * its own. Else as sw_taylor_step. */
sw_status sw_taylor_settle(sw_taylor *run);

#endif
