/* Point files: material, crystals and solver of material points that other codes call. */
#ifndef SW_ONLINE_MATERIAL_POINT_POINT_FILE_H
#define SW_ONLINE_MATERIAL_POINT_POINT_FILE_H

#include "online/response/homogenization/homogenization.h"
#include "common/job/command.h"
#include "model.h"

typedef struct {
    const char *database, *material; /* paths; NULL when absent */
    int solver;                      /* number of sw_solvers */
    sw_homogenization_choice homogenization;
    sw_crystals_source crystals;
    int own;                         /* random crystals of each point */
    double initial_slip_resistance;  /* Pa; 0: the material's */
    double largest_strain_increment; /* ||D|| dt */
} sw_point_file;

extern const sw_key sw_point_keys[]; /* of an sw_point_file */
extern const sw_command sw_point_command;

/* The model of a file's path with a command's options. Status of sw_point_model_read. */
sw_status sw_point_file_open(const sw_arguments *arguments, sw_point_model **model);

#endif
