/* Results of points at times, in HDF5: a record for each, a table for each quantity, and what they come from.
 *
 * A record is a row of C numbers: the quantities one after the other, those of a solute S, those of a phase M
 * numbers wide. Dimensions: N points, n times, S solutes, M phases, B classes. */
#ifndef SW_ONLINE_KWN_OUTPUT_OUTPUT_H
#define SW_ONLINE_KWN_OUTPUT_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include "common/files/hdf5_io.h"
#include "online/kwn/backend/backend.h"
#include "online/kwn/job/setup.h"

/* ---- Records ---- */

int64_t sw_kwn_record_size(const sw_kwn_alloy *alloy); /* C */

/* The state of a point and the area [M] of its interfaces (m^2/m^3) at a temperature (K) -> record [C]. */
void sw_kwn_record_fill(const sw_kwn_alloy *alloy, const sw_kwn_point *point, const double *area,
                        double temperature, double *record);

/* Where a quantity starts in a record, by the name of its table; it must be one. */
int64_t sw_kwn_record_place(const sw_kwn_alloy *alloy, const char *name);

/* "beta-prime: N = ... 1/m^3, r = ... nm, f = ...; yield stress ... MPa, ..." [size], of a record [C]. */
void sw_kwn_record_describe(const sw_kwn_alloy *alloy, const double *record, char *text, size_t size);

/* The largest of strengths at times (s, ascending), and when strength is largest: between its records where these are dense, neighbours
 * within a factor of 1.5 of its time and 1 % of its value, by the parabola over ln time through the three; else at the record. */
typedef struct {
    int64_t record;  /* the largest */
    int fitted;      /* between records */
    double time;     /* s, of the peak or of the record */
    double from, to; /* s, of the neighbours: the peak is between them; 0 and infinite where there is none */
    double part[3];  /* of the records around, that make up the value there; 0, 1, 0 where it is not fitted */
} sw_kwn_peak;
/* strength [n], each `stride` further. */
sw_kwn_peak sw_kwn_find_peak(int64_t n, const double *time, const double *strength, int64_t stride);
/* A quantity there, likewise [n]. */
double sw_kwn_at_peak(const sw_kwn_peak *peak, const double *quantity, int64_t stride);

/* Of the steps that a point took, `from` 0 where the first is the largest; parts are of the three. */
sw_kwn_peak sw_kwn_peak_of_steps(const sw_kwn_top *top);

/* "; peak 301.2 MPa, 115 HV after 4.91 h" or "; largest of the records 298 MPa, 114 HV at 2 h: the peak is between 1 h and 9 h" [size], of
 * steps, or where top is NULL of records [n][C] at times [n] (s), of which the strongest is neither the first nor the last; else "". */
void sw_kwn_peak_describe(const sw_kwn_alloy *alloy, const sw_kwn_top *top, int64_t n, const double *time,
                          const double *record, char *text, size_t size);

/* ---- Tables ---- */

enum { SW_KWN_QUANTITIES = 18 };

/* One dataset a quantity, [N][n] or [N][n][S or M], each with an attribute `unit`. */
typedef struct {
    int64_t n_times;
    hid_t set[SW_KWN_QUANTITIES];
} sw_kwn_tables;

/* Before there are any: may be closed. */
sw_kwn_tables sw_kwn_no_tables(void);

/* New ones in a group of a file, or those that are there; closed with sw_kwn_tables_close, in any case. */
sw_status sw_kwn_tables_create(hid_t file, const char *group, const sw_kwn_alloy *alloy, int64_t n_points,
                               int64_t n_times, sw_kwn_tables *tables);
sw_status sw_kwn_tables_open(hid_t file, const char *group, int64_t n_times, sw_kwn_tables *tables);
sw_status sw_kwn_tables_close(sw_kwn_tables *tables);

/* Rows first .. first + count - 1 from record [count][n][C]. */
sw_status sw_kwn_tables_write(const sw_kwn_tables *tables, const sw_kwn_alloy *alloy, int64_t first,
                              int64_t count, const double *record);

/* A digest of rows first .. first + count - 1 of all tables. */
sw_status sw_kwn_tables_digest(const sw_kwn_tables *tables, int64_t first, int64_t count, uint64_t *digest);

/* These rows of other tables of the same run into their places in these. */
sw_status sw_kwn_tables_copy(const sw_kwn_tables *from, const sw_kwn_tables *to, int64_t first,
                             int64_t count);

/* A point's records: record [n][C], caller's. */
sw_status sw_kwn_tables_read_point(const sw_kwn_tables *tables, const sw_kwn_alloy *alloy, int64_t point,
                                   double *record);

/* As text: the names of columns, "point,time_s,temperature_K,matrix_composition_Mg,number_density_beta_per_m3,...", and a row
 * for each time [n] (s) of a point with its records [n][C]. */
void sw_kwn_csv_names(FILE *file, const sw_kwn_alloy *alloy);
void sw_kwn_csv_rows(FILE *file, const sw_kwn_alloy *alloy, int64_t point, int64_t n, const double *time,
                     const double *record);

/* The group /alloy: its file's text, names of solutes and phases, separated by commas. */
sw_status sw_kwn_write_alloy(hid_t file, const sw_kwn_setup *setup);

/* What the numbers depend on beside the texts of job and alloy: text [size]. */
void sw_kwn_describe_settings(const sw_kwn_setup *setup, char *text, size_t size);

/* In a new group /run: job text, program, strategy, precision, device, settings. */
sw_status sw_kwn_write_setup(hid_t file, const sw_kwn_setup *setup);

/* Numbers of the work, into /run, in place of those that are there. */
typedef struct {
    double steps, iterations; /* summed over points */
    double seconds;           /* wall time */
    sw_kwn_resolution resolution;
} sw_kwn_work;
sw_status sw_kwn_write_work(hid_t file, const sw_kwn_setup *setup, const sw_kwn_work *work);

#endif
