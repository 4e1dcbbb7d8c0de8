/* Private to this folder: a job while it is read. job.c has where values come from, reader.c takes them. */
#ifndef SW_COMMON_JOB_READER_H
#define SW_COMMON_JOB_READER_H

#include "job.h"
#include "yaml.h"

typedef struct {
    const sw_key *row;
    const char *value;
    char key[SW_KEY_SIZE]; /* that it gives; "" for an option that is no key */
} sw_job_option;

struct sw_job {
    char *path, *text;
    sw_yaml *yaml; /* NULL without a file */
    sw_job_option *option;
    int n_options;
    struct sw_job_block *blocks;
    const sw_key *keys; /* of `values` */
    void *values;
    void (*release)(void *values); /* of what they own beside blocks; NULL: nothing */
};

/* The first option that gives a key; NULL. */
const sw_job_option *sw_job_find_option(const sw_job *job, const char *key);
/* Whether an option of this row is given. */
int sw_job_has_option(const sw_job *job, const sw_key *row);
/* Whether a key of the file gives way to an option of another key. */
int sw_job_displaced(const sw_job *job, const char *key);

/* Defaults, the file's values, those of options into job->values; each is checked by its own row. */
sw_status sw_job_load(sw_job *job);
/* Then: what must be there, and what may not. */
sw_status sw_job_check(const sw_job *job);

#endif
