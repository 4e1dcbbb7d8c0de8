/* `slipwave fem`: the entry points. */
#ifndef SW_ONLINE_FEM_COMMANDS_H
#define SW_ONLINE_FEM_COMMANDS_H

#include "online/fem/job/ways.h"

extern const sw_command sw_fem_command;

/* deck_command.c: arguments->file is a deck. */
sw_status sw_fem_run_deck(const sw_arguments *arguments);

#endif
