/* The commands of slipwave-db. */
#ifndef SW_OFFLINE_COMMANDS_H
#define SW_OFFLINE_COMMANDS_H

#include <stdint.h>
#include <stdio.h>

#include "common/job/command.h"
#include "common/system/status.h"

/* Points of phi2 in a sector, after which crystals repeat themselves: 128 a turn of cubic ones, 192 of hexagonal ones. */
enum { SW_GRID_SECTOR = 32 };

typedef struct {
    const char *material; /* path of the material file */
    const char *output;   /* path of the database */
    int64_t shape[4];     /* of phi2 0: SW_GRID_SECTOR for each turn that its crystals repeat themselves in */
    double strain_increment; /* ||D|| t of every point; 0: the standard one */
    double strain_rate;      /* ||D||, 1/s; 0: the standard one */
    int64_t terms;           /* Fourier coefficients to keep, fewer when there are fewer; 0: all */
    double
        memory; /* bytes for transforming and ranking, of the GPU where one does; 0: most of what is free */
    sw_device_choice device;
    int resume; /* go on from OUTPUT.checkpoint, which an earlier run left */
    int quiet;
} sw_generate_options;

/* Integrate the grid, transform, rank, write. While it runs, finished points are kept in OUTPUT.checkpoint, and
 * what two sweeps found (spectrum.h) in OUTPUT.sweeps, which go when the database is written. Every rank of an MPI run
 * calls it; rank 0 writes. Every status the stages have. */
sw_status sw_generate(const sw_generate_options *options);

/* Print what a database holds. */
sw_status sw_inspect(const char *path, FILE *out);

/* Print that a file is as it was written. SW_ERR_FORMAT when it is not, or has no seal (seal.h) to tell. */
sw_status sw_verify(const char *path, FILE *out);

/* Seal a file that another program changed, as it is, and print that. SW_ERR_FORMAT when it is not HDF5, or has a seal and
 * is not what was sealed; SW_ERR_IO. */
sw_status sw_reseal(const char *path, FILE *out);

typedef struct {
    const char *database;
    int64_t points; /* random (orientation, theta) pairs, off the grid */
    int64_t seed;
    int64_t terms[16]; /* counts to measure, ascending; n_terms of them. None: 512, 2048 ... all */
    int n_terms;
    int quiet;
} sw_validate_options;

/* Measure a database against the integrator: RMS, 95th percentile and maximum error of each output over its
 * RMS value, for every number of terms at the exact point, and for the grid solver (all terms, trilinear);
 * print the table and store it under /accuracy. */
sw_status sw_validate(const sw_validate_options *options, FILE *out);

#endif
