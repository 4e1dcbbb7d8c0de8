/* slipwave: the online programs. */
#include "common/arguments.h"
#include "sweep/sweep.h"
#include "taylor/taylor.h"

const char *argp_program_version = "slipwave " SW_VERSION;

static const sw_command commands[] = {
    {"taylor", "deform a Taylor polycrystal", sw_taylor_command},
    {"sweep", "error against terms, refinement, grid or cost", sw_sweep_command},
    {0},
};

int main(int argc, char **argv) { return sw_run_command("slipwave", commands, argc, argv); }
