/* The table of commands: of the program, and of calls in memory. */
#ifndef SW_ONLINE_COMMANDS_H
#define SW_ONLINE_COMMANDS_H

#include "common/job/command.h"

extern const sw_command *const sw_commands[]; /* ends with NULL */

#endif
