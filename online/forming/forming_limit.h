/* Task `forming_limit`: the forming limit diagram by Marciniak and Kuczynski (limit/limits.h). */
#ifndef SW_ONLINE_FORMING_FORMING_LIMIT_H
#define SW_ONLINE_FORMING_FORMING_LIMIT_H

#include "limit/settings.h"
#include "task.h"

extern const sw_forming_task sw_forming_limit_task;

#endif
