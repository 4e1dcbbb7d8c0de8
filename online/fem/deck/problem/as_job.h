/* `slipwave fem DECK.inp --as-job`. */
#ifndef SW_ONLINE_FEM_DECK_PROBLEM_AS_JOB_H
#define SW_ONLINE_FEM_DECK_PROBLEM_AS_JOB_H

#include "online/fem/deck/deck.h"

/* STEM.yaml and STEM.mesh.inp. SW_ERR_INPUT "FILE:LINE: a job cannot say ..." for the first thing that it cannot. */
sw_status sw_deck_write_job(sw_deck *deck, const char *stem);

#endif
