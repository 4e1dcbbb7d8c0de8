/* `slipwave taylor`: the command over slipwave/taylor.h. */
#ifndef SW_ONLINE_TAYLOR_TAYLOR_H
#define SW_ONLINE_TAYLOR_TAYLOR_H

#include "job.h"

extern const sw_command sw_taylor_command;

#endif
