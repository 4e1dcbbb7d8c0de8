/* slipwave: the online programs. */
#include <string.h>

#include "common/job/command.h"
#include "common/job/command_line.h"
#include "common/system/parallel.h"
#include "online/certify/certify.h"
#include "online/dem/commands.h"
#include "online/fem/commands.h"
#include "online/kwn/commands.h"
#include "online/sweep/sweep.h"
#include "online/taylor/taylor.h"

const char *argp_program_version = "slipwave " SW_VERSION;

static sw_status fem_alone(int argc, char **argv)
{
    SW_TRY(sw_parallel_check());
    return sw_parallel_rank() == 0 ? sw_fem_command(argc, argv) : SW_OK;
}

static sw_status dem_alone(int argc, char **argv)
{
    SW_TRY(sw_parallel_check());
    return sw_parallel_rank() == 0 ? sw_dem_command(argc, argv) : SW_OK;
}

static const sw_old_command old_commands[] = {
    {"fem", "elastoplastic finite elements", fem_alone},
    {"dem", "many volume elements of spheres", dem_alone},
    {0},
};

static const sw_command *const commands[] = {&sw_taylor_command, &sw_certify_command, &sw_sweep_command,
                                             &sw_kwn_command,    &sw_kwn_map_command, NULL};

int main(int argc, char **argv)
{
    static const sw_program program = {
        "slipwave", "spectral crystal plasticity, precipitation, finite and discrete elements", commands};
    sw_parallel_start(&argc, &argv);
    int old = 0;
    for (const sw_old_command *c = old_commands; argc > 1 && c->name != NULL; c++)
        old |= strcmp(argv[1], c->name) == 0;
    const int status =
        old ? sw_run_command("slipwave", old_commands, argc, argv) : sw_run_program(&program, argc, argv);
    sw_parallel_finish(status);
    return status;
}
