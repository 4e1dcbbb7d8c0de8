/* The GPU's operators in a build without CUDA: none. */
#ifndef SW_HAVE_CUDA
#include "operators.h"

const sw_fem_operator_functions *const sw_fem_operators_gpu[SW_FEM_N_OPERATORS] = {0};
#endif
