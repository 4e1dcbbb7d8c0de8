/* The commands of `slipwave`: those that jobs and files are for, also as calls in memory. */
#ifndef SW_ONLINE_COMMANDS_H
#define SW_ONLINE_COMMANDS_H

#include "common/job/command.h"

extern const sw_command *const sw_commands[]; /* ends with NULL */
extern const sw_command sw_init_command, sw_check_command;

#endif
