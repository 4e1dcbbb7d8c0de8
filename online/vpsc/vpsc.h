/* `slipwave vpsc`: runs of VPSC8's own input files. */
#ifndef SW_ONLINE_VPSC_VPSC_H
#define SW_ONLINE_VPSC_VPSC_H

#include "common/job/command.h"

extern const sw_command sw_vpsc_command;

#endif
