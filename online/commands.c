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

const sw_command *const sw_commands[] = {&sw_taylor_command, &sw_certify_command, &sw_sweep_command,
                                         &sw_kwn_command,    &sw_kwn_map_command, &sw_fem_command,
                                         &sw_dem_command,    &sw_forming_command, &sw_vpsc_command,
                                         &sw_point_command,  &sw_export_command,  NULL};
