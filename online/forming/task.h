/* What a task of `slipwave forming` is: a section of the job file, what checks it, and what it does with the sheet. To
 * add one: its file; its settings in job.h, with a section of keys in job.c; its line in tasks.h and in the table of tasks.c. */
#ifndef SW_ONLINE_FORMING_TASK_H
#define SW_ONLINE_FORMING_TASK_H

#include <stdio.h>

#include "common/files/hdf5_door.h"
#include "common/job/command.h"

typedef struct sw_forming_job sw_forming_job;
typedef struct sw_forming sw_forming;

/* Functions that are NULL have nothing to do. */
typedef struct {
    const char *name;                                   /* of its section, and of its group in the results */
    sw_status (*check)(const sw_forming_job *job);      /* what rows of keys cannot */
    sw_status (*run)(sw_forming *forming, hid_t group); /* computes, and writes into /name of the results */
    /* Brings back what run left to others, from the group that it wrote in an interrupted run; NULL: it runs again. */
    sw_status (*restore)(sw_forming *forming, hid_t group);
    void (*print)(const sw_forming *forming, FILE *out); /* for people, when all tasks ended well */
    void (*release)(sw_forming *forming); /* what it left to later tasks; after a failure, too */
    /* Text files that it writes beside the results, likewise: path number k, NULL where it is not asked for; its content. */
    int texts;
    const char *const *text_key; /* [texts] that names it in the job file */
    const char *(*text_path)(const sw_forming_job *job, int k);
    sw_status (*write_text)(const sw_forming *forming, int k, FILE *file);
} sw_forming_task;

#endif
