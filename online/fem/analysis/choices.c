#include "choices.h"

#include "online/fem/precondition/preconditioners.h"

const sw_fem_operator_choice sw_fem_operators[] = {
#define OPERATOR(name, finite) {&sw_fem_##name##_cpu, SW_WITH_CUDA(&sw_fem_##name##_cuda), finite},
#define PAPER(name, finite) \
    {SW_WITH_PAPERS(&sw_fem_##name##_cpu), SW_WITH_PAPERS(SW_WITH_CUDA(&sw_fem_##name##_cuda)), finite},
    SW_FEM_OPERATOR_LIST(OPERATOR, PAPER)
#undef OPERATOR
#undef PAPER
};

const sw_fem_preconditioner_choice sw_fem_preconditioners[] = {
    [SW_FEM_JACOBI] = {&sw_fem_jacobi_cpu, SW_WITH_CUDA(&sw_fem_jacobi_cuda)},
    [SW_FEM_BLOCK_JACOBI] = {&sw_fem_jacobi_cpu, SW_WITH_CUDA(&sw_fem_jacobi_cuda)},
    [SW_FEM_MULTIGRID] = {&sw_fem_multigrid_cpu, SW_WITH_CUDA(&sw_fem_multigrid_cuda)},
    [SW_FEM_AMG] = {&sw_fem_amg_cpu, NULL},
    [SW_FEM_UNPRECONDITIONED] = {&sw_fem_unpreconditioned, SW_WITH_CUDA(&sw_fem_unpreconditioned)},
};

const char *const sw_fem_operator_names[] = {
#define OPERATOR(name, finite) #name,
    SW_FEM_OPERATOR_LIST(OPERATOR, OPERATOR)
#undef OPERATOR
};
const char *const sw_fem_storage_names[] = {[SW_FEM_OWN] = "own",
                                            [SW_FEM_SINGLE] = "single",
                                            [SW_FEM_SPLIT] = "split",
                                            [SW_FEM_IMPROVED] = "improved"};
const char *const sw_fem_staging_names[] = {[SW_FEM_STAGE_ALL] = "all",
                                            [SW_FEM_STAGE_MATRIX] = "matrix",
                                            [SW_FEM_STAGE_NOTHING] = "nothing",
                                            [SW_FEM_STAGE_ELASTIC] = "elastic"};
const char *const sw_fem_scatter_names[] = {[SW_FEM_COLOURS] = "colours", [SW_FEM_ATOMICS] = "atomics"};
const char *const sw_fem_preconditioner_names[] = {[SW_FEM_JACOBI] = "jacobi",
                                                   [SW_FEM_BLOCK_JACOBI] = "block_jacobi",
                                                   [SW_FEM_MULTIGRID] = "multigrid",
                                                   [SW_FEM_AMG] = "amg",
                                                   [SW_FEM_UNPRECONDITIONED] = "none"};
const char *const sw_fem_forcing_names[] = {
    [SW_FEM_RESIDUAL_FORCING] = "residual", [SW_FEM_FIXED_FORCING] = "fixed"};
