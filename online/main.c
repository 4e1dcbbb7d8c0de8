/* slipwave: the online programs. */
#include "commands.h"
#include "common/system/parallel.h"

static const sw_separate_command separate[] = {
    {"plot", "pictures of what these commands write"},
    {"compare", "errors and speeds of runs of taylor against a reference run"},
    {"calibrate", "contact parameters of dem from a triaxial curve, with GrainLearning"},
    {0}};

int main(int argc, char **argv)
{
    static const sw_program program = {
        "slipwave", "spectral crystal plasticity, precipitation, finite and discrete elements", sw_commands,
        separate};
    sw_parallel_start(&argc, &argv);
    const int status = sw_run_program(&program, argc, argv);
    sw_parallel_finish(status);
    return status;
}
