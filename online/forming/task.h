/* What a task of `slipwave forming` is: a section of the job file, what checks it, and what it does with the sheet. To
 * add one: its files, its settings in job.h, its section of keys in job.c and its line of the table in
 * tasks.c. */
#ifndef SW_ONLINE_FORMING_TASK_H
#define SW_ONLINE_FORMING_TASK_H

#include <hdf5.h>
#include <stdio.h>

#include "common/job/command.h"

typedef struct sw_forming_job sw_forming_job;
typedef struct sw_forming sw_forming;

typedef struct {
    const char *name;                                   /* of its section, and of its group in the results */
    sw_status (*check)(const sw_forming_job *job);      /* what rows of keys cannot; NULL: nothing */
    sw_status (*run)(sw_forming *forming, hid_t group); /* computes, and writes into /name of the results */
    sw_status (*export)(
        const sw_forming *forming); /* files of its own, when all tasks ended well; NULL: none */
    void (*print)(const sw_forming *forming, FILE *out); /* for people, likewise */
} sw_forming_task;

#endif
