/* The table of tasks, and a run of those that a job names. */
#ifndef SW_ONLINE_FORMING_TASKS_H
#define SW_ONLINE_FORMING_TASKS_H

#include "forming.h"

/* Those that there are; in the order in which they are run: tasks.c. */
extern const sw_forming_task sw_r_values_task, sw_yield_surface_task, sw_functions_task, sw_earing_task,
    sw_forming_limit_task, sw_fit_task;

/* SW_ERR_INPUT where a job has no task, and what the checks of those that it has say. */
sw_status sw_forming_check_tasks(const sw_forming_job *job);

/* ---- What an interrupted run leaves: kept.c ---- */

/* Is there something? SW_ERR_INPUT if so, unless the job resumes. */
sw_status sw_forming_kept_find(sw_forming *forming);
/* Groups of finished tasks (names, ends with NULL) into the results. SW_ERR_FORMAT when they are of another run. */
sw_status sw_forming_kept_read(sw_forming *forming, const char *const *tasks);
/* Those that the results have. */
sw_status sw_forming_kept_write(sw_forming *forming, const char *const *tasks);
/* If it is of this run. */
void sw_forming_kept_remove(sw_forming *forming);
/* The same failure, with what is kept. */
sw_status sw_forming_kept_tell(const sw_forming *forming, sw_status status);

/* Read what the job names, run its tasks in the order of the table, write its results, and say on `out` what people want
 * to know. Every status of what is read; SW_ERR_CONVERGENCE where conditions are not met; SW_ERR_INTERRUPTED. */
sw_status sw_forming_run(const sw_forming_job *job, FILE *out);

#endif
