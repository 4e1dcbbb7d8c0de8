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


static const sw_old_command old_commands[] = {
    {"kwn", "precipitates and strength along thermal histories", sw_kwn_command},
    {0},
};

static const sw_command *const commands[] = {&sw_taylor_command, &sw_certify_command, &sw_sweep_command,
                                             &sw_fem_command, &sw_dem_command, NULL};

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
