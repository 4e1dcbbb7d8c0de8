/* slipwave: the online programs. */
#include "online/certify/certify.h"
#include "common/job/command_line.h"
#include "common/system/parallel.h"
#include "online/dem/commands.h"
#include "online/fem/commands.h"
#include "online/kwn/commands.h"
#include "online/sweep/sweep.h"
#include "online/taylor/taylor.h"

const char *argp_program_version = "slipwave " SW_VERSION;

/* Commands of one process: other ranks have nothing to do. */
static sw_status sweep_alone(int argc, char **argv)
{
    SW_TRY(sw_parallel_check());
    return sw_parallel_rank() == 0 ? sw_sweep_command(argc, argv) : SW_OK;
}

static sw_status certify_alone(int argc, char **argv)
{
    SW_TRY(sw_parallel_check());
    return sw_parallel_rank() == 0 ? sw_certify_command(argc, argv) : SW_OK;
}

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

static const sw_command commands[] = {
    {"taylor", "deform a Taylor polycrystal", sw_taylor_command},
    {"certify", "measure the errors of a database's solvers", certify_alone},
    {"sweep", "error against terms, refinement, grid or cost", sweep_alone},
    {"kwn", "precipitates and strength along thermal histories", sw_kwn_command},
    {"fem", "elastoplastic finite elements", fem_alone},
    {"dem", "many volume elements of spheres", dem_alone},
    {0},
};

int main(int argc, char **argv)
{
    sw_parallel_start(&argc, &argv);
    const int status = sw_run_command("slipwave", commands, argc, argv);
    sw_parallel_finish(status);
    return status;
}
