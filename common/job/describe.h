/* A command and its keys for other programs, as JSON: what help.h says for people. */
#ifndef SW_COMMON_JOB_DESCRIBE_H
#define SW_COMMON_JOB_DESCRIBE_H

#include "command.h"

void sw_describe_command(FILE *out, const sw_command *command);

#endif
