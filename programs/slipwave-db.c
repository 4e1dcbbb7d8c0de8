/* slipwave-db: make, inspect and validate spectral databases. */
#include "slipwave/program.h"

int main(int argc, char **argv) { return sw_run_slipwave_db(argc, argv); }
