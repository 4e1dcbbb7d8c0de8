/* `slipwave export`: crystals of results, or of any crystal file, into a file of another program. */
#ifndef SW_ONLINE_EXPORT_EXPORT_H
#define SW_ONLINE_EXPORT_EXPORT_H

#include "common/job/command.h"

extern const sw_command sw_export_command;

#endif
