/* What a run of `slipwave taylor` went through: a row a step, the first before any deformation. */
#ifndef SW_ONLINE_TAYLOR_HISTORY_H
#define SW_ONLINE_TAYLOR_HISTORY_H

#include <stdint.h>

#include "common/crystal/material.h"
#include "common/files/hdf5_door.h"
#include "common/system/status.h"
#include "slipwave/response.h"

typedef struct {
    int64_t n, room; /* rows so far, and those that there is memory for */
    double *time, *strain, *slip_resistance, *slip_rate;
    double (*deformation_gradient)[3][3], (*velocity_gradient)[3][3], (*cauchy_stress)[3][3];
    int families,
        twins; /* F, and how many of them, the last ones, are twins; 0: of no resistances of their own */
    double twin_shear[SW_FAMILIES_MAX];  /* of these */
    const char *family[SW_FAMILIES_MAX]; /* names, borrowed from the material */
    double *family_slip;                 /* [rows][F] the sizes of slips, summed */
    double *twin_fraction;               /* [rows][twins] such a slip over the twin's shear */
    double *turned_fraction;             /* [rows][twins] of the crystals that such twins have turned */
    int reflections;                     /* D that are followed */
    double *temperature;                 /* K; NULL: it stays */
    double *lattice_strain,
        *lattice_share; /* [rows][D] mean elastic strain of their crystals, and how much of all these are */
} sw_history;

/* The first row: no deformation, slip resistance in Pa. material: whose families are followed. SW_ERR_MEMORY. Release with sw_history_free, which takes a
 * half-made or zeroed one too. */
sw_status sw_history_create(double slip_resistance, const sw_material *material, sw_history *history);
void sw_history_free(sw_history *history);

/* Room for one more row, before the step that it is of. SW_ERR_MEMORY; the rows are then as before. */
sw_status sw_history_make_room(sw_history *history);
/* A step of dt (s) under a velocity gradient (1/s), strain = ||D|| dt, and what it ended with; family_slip, turned [F]. There is room. */
void sw_history_add(sw_history *history, const double velocity_gradient[3][3], double dt, double strain,
                    const sw_response_average *average, const double *family_slip, const double *turned);
/* Reflections are followed from now on, before the second row. SW_ERR_MEMORY. */
sw_status sw_history_follow(sw_history *history, int reflections);
/* Likewise temperatures; the last row's. */
sw_status sw_history_follow_temperature(sw_history *history, double first);
void sw_history_set_temperature(sw_history *history, double temperature);
/* The last row's, of what their crystals weigh, strain times weight and weight [D][2], and all do. Without any the strain is 0. */
void sw_history_set_strains(sw_history *history, const double (*sum)[2], double weight);
/* The last row's stress and slip rate: they are found where the next step begins, of solvers without a history. */
void sw_history_settle(sw_history *history, const sw_response_average *average);

/* /history of a results file. */
sw_status sw_history_write(hid_t file, const sw_history *history);
/* Its `rows` rows instead of those of a history that was made. SW_ERR_FORMAT for another number, or what is none;
 * SW_ERR_MEMORY. */
sw_status sw_history_read(hid_t file, int64_t rows, sw_history *history);

#endif
