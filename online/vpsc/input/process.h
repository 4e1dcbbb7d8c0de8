/* What is done to a polycrystal, as VPSC8's inputs say it, one process after the other. Components of six: 11 22 33 23 13 12. */
#ifndef SW_ONLINE_VPSC_INPUT_PROCESS_H
#define SW_ONLINE_VPSC_INPUT_PROCESS_H

#include "records.h"

/* By the numbers that files have. */
typedef enum {
    SW_VPSC_LOAD = 0,
    SW_VPSC_HISTORY = 1,
    SW_VPSC_SURFACE = 2, /* a section of the yield surface */
    SW_VPSC_SURFACE_5D = -2,
    SW_VPSC_LANKFORD = 3,
    SW_VPSC_ROTATION = 4
} sw_vpsc_process_kind;

/* "11", ... "12": of six */
extern const char *const sw_vpsc_component[6];

enum { SW_VPSC_BY_MISES = 0, SW_VPSC_BY_TEMPERATURE = 8 /* else component 1 to 6 */ };

/* A load, all the same through its steps. */
typedef struct {
    int steps, control;    /* SW_VPSC_BY_... */
    double increment;      /* of strain, or s where a stress controls, or K */
    double temperature[2]; /* K, at the start and the end */
    int rate_given[3][3];  /* of L */
    double rate[3][3];     /* L, 1/s; where it is not given, a first guess */
    int stress_given[6];
    double stress[3][3]; /* Cauchy; likewise */
} sw_vpsc_load;

/* A step of a history. */
typedef struct {
    double rate[3][3], time; /* L, 1/s; s */
} sw_vpsc_step;

typedef struct {
    sw_vpsc_process_kind kind;
    char *path; /* owned; NULL: none */
    int line;   /* of the input file */
    sw_vpsc_load load;
    int n_steps;           /* of a history */
    sw_vpsc_step *step;    /* [n_steps], owned */
    int section[2];        /* components 1 to 5 of the yield surface */
    double angle;          /* between Lankford's directions, degrees */
    double rotation[3][3]; /* sample's axes before in those after, columns */
} sw_vpsc_process;

/* What is known of the run when its processes are read. */
typedef struct {
    int elastic, full_constraints;
} sw_vpsc_regime;

/* Read the next process of an input file, with its file. SW_ERR_INPUT, SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_vpsc_read_process(sw_vpsc_records *records, const sw_vpsc_regime *regime,
                               sw_vpsc_process *process);
void sw_vpsc_process_free(sw_vpsc_process *process);

/* Whether a component of six of D is given, as VPSC8 takes it: of a shear, both of L. */
static inline int sw_vpsc_d_given(const int given[3][3], int k)
{
    return k < 3    ? given[k][k]
           : k == 3 ? given[1][2] && given[2][1]
           : k == 4 ? given[0][2] && given[2][0]
                    : given[0][1] && given[1][0];
}

#endif
