/* The job file of `slipwave kwn`. Keys are the structs' member names. */
#ifndef SW_ONLINE_KWN_JOB_JOB_H
#define SW_ONLINE_KWN_JOB_JOB_H

#include "setup.h"

typedef struct {
    sw_kwn_setup setup;
    /* Exactly one of three. */
    sw_kwn_segment *temperature; /* [temperature_count] */
    unsigned temperature_count;
    double (*temperature_table)[2]; /* [temperature_table_count] s, K */
    unsigned temperature_table_count;
    const char *temperature_file; /* path */
    double accuracy; /* to which classes and steps are refined; 0: as they are, and nothing is said */
    struct {
        double *times; /* s, ascending; or: */
        unsigned times_count;
        int64_t per_decade; /* logarithmic from `first` (s); or: */
        double first;
        int64_t count;         /* equal steps */
        double *distributions; /* s, ascending: at which size distributions are kept. Default: the end, of a
                                  job of one point */
        unsigned distributions_count;
        const char *csv; /* NULL, or a text of the same numbers */
    } output;

    /* Made of them. */
    sw_kwn_history history;
    int64_t n_times;
    double *time;                     /* [n_times] 0, what output asks for, the end */
    unsigned char *with_distribution; /* [n_times] */
} sw_kwn_job;

extern const sw_key sw_kwn_keys[];

/* As sw_kwn_setup_complete; SW_ERR_FORMAT for what a file of histories holds. Release with sw_kwn_job_free. */
sw_status sw_kwn_job_read(const sw_arguments *arguments, sw_kwn_job **job);
void sw_kwn_job_free(sw_kwn_job *job);

#endif
