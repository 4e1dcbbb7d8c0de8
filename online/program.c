/* The program slipwave: commands that jobs are for, and what helps to write these. */
#include "slipwave/program.h"

#include "commands.h"

enum { COMMANDS_MOST = 31 };

int sw_run_slipwave(int argc, char **argv)
{
    static const sw_separate_command separate[] = {
        {"plot", "pictures of what these commands write"},
        {"report", "a page about results: pictures, numbers, how good they are"},
        {"compare", "errors and speeds of runs of taylor against a reference run"},
        {"chemistry", "an alloy's phases by tables of a thermodynamic database, with pycalphad"},
        {"remesh", "a new mesh for a body of a deck that has deformed, and the deck that goes on"},
        {"calibrate", "contact parameters of dem from a triaxial curve, with GrainLearning"},
        {0}};
    const sw_command *all[COMMANDS_MOST + 1] = {&sw_init_command, &sw_check_command};
    for (int i = 0; sw_commands[i] != NULL && i + 2 < COMMANDS_MOST; i++)
        all[i + 2] = sw_commands[i];
    const sw_program program = {"slipwave",
                                "spectral crystal plasticity, precipitation, finite and discrete elements",
                                all, separate};
    return sw_run_program(&program, argc, argv);
}
