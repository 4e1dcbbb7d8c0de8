#include "commands.h"

#include "online/certify/certify.h"
#include "online/dem/commands.h"
#include "online/export/export.h"
#include "online/fem/commands.h"
#include "online/forming/forming.h"
#include "online/kwn/commands.h"
#include "online/material_point/point_file.h"
#include "online/sweep/sweep.h"
#include "online/taylor/taylor.h"
#include "online/vpsc/vpsc.h"
#include "slipwave/program.h"

#define OF_JOBS                                                                                       \
    &sw_taylor_command, &sw_certify_command, &sw_sweep_command, &sw_kwn_command, &sw_kwn_map_command, \
        &sw_fem_command, &sw_dem_command, &sw_forming_command, &sw_vpsc_command, &sw_point_command,   \
        &sw_export_command

const sw_command *const sw_commands[] = {OF_JOBS, NULL};

static const sw_command *const all[] = {&sw_init_command, &sw_check_command, OF_JOBS, NULL};

static const sw_separate_command separate[] = {
    {"plot", "pictures of what these commands write"},
    {"compare", "errors and speeds of runs of taylor against a reference run"},
    {"calibrate", "contact parameters of dem from a triaxial curve, with GrainLearning"},
    {0}};

static const sw_program program = {
    "slipwave", "spectral crystal plasticity, precipitation, finite and discrete elements", all, separate};

int sw_run_slipwave(int argc, char **argv) { return sw_run_program(&program, argc, argv); }
