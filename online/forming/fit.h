/* Task `fit`: numbers of the hardening law, and the initial slip resistance, by least squares from measured stress-strain
 * curves and r-values (fit/found.h). All polycrystals of a trial, and of the differences about it, are runs side by side. */
#ifndef SW_ONLINE_FORMING_FIT_H
#define SW_ONLINE_FORMING_FIT_H

#include "fit/found.h"
#include "task.h"

extern const sw_forming_task sw_fit_task;

#endif
