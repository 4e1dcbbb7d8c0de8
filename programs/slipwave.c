/* slipwave: the online programs. */
#include "slipwave/program.h"

int main(int argc, char **argv) { return sw_run_slipwave(argc, argv); }
