#include "choices.h"

#include "online/fem/operators/points.h"
#include "online/fem/precondition/preconditioners.h"
#include "online/fem/stored/strategies.h"

#ifdef SW_HAVE_CUDA
#define ON_CUDA(functions) &(functions)
#else
#define ON_CUDA(functions) NULL
#endif
#ifdef SW_HAVE_HYPRE
#define WITH_HYPRE(functions) &(functions)
#else
#define WITH_HYPRE(functions) NULL
#endif

#define STORED(number)                                                               \
    {                                                                                \
        &sw_fem_stored_cpu[number], ON_CUDA(sw_fem_stored_cuda[number]), .finite = 0 \
    }

const sw_fem_operator_choice sw_fem_operators[] = {
    [SW_FEM_POINTS] = {&sw_fem_points_cpu, ON_CUDA(sw_fem_points_cuda), .finite = 1},
    [SW_FEM_ASSEMBLED] = {&sw_fem_assembled_cpu, ON_CUDA(sw_fem_assembled_cuda), .finite = 0},
    [SW_FEM_NBN] = STORED(SW_FEM_NBN),
    [SW_FEM_DBD] = STORED(SW_FEM_DBD),
    [SW_FEM_EBE] = STORED(SW_FEM_EBE),
    [SW_FEM_EBE_NODE] = STORED(SW_FEM_EBE_NODE),
    [SW_FEM_EBE_DOF] = STORED(SW_FEM_EBE_DOF),
    [SW_FEM_EBE_SYM] = STORED(SW_FEM_EBE_SYM),
};

const sw_fem_preconditioner_choice sw_fem_preconditioners[] = {
    [SW_FEM_JACOBI] = {&sw_fem_jacobi_cpu, ON_CUDA(sw_fem_jacobi_cuda), .finite = 1},
    [SW_FEM_BLOCK_JACOBI] = {&sw_fem_jacobi_cpu, ON_CUDA(sw_fem_jacobi_cuda), .finite = 1},
    [SW_FEM_MULTIGRID] = {&sw_fem_multigrid_cpu, ON_CUDA(sw_fem_multigrid_cuda), .finite = 1},
    [SW_FEM_AMG] = {WITH_HYPRE(sw_fem_amg_cpu), NULL, .finite = 0},
    [SW_FEM_UNPRECONDITIONED] = {&sw_fem_unpreconditioned, ON_CUDA(sw_fem_unpreconditioned), .finite = 1},
};

const char *const sw_fem_operator_names[] = {[SW_FEM_POINTS] = "points",   [SW_FEM_ASSEMBLED] = "assembled",
                                             [SW_FEM_NBN] = "nbn",         [SW_FEM_DBD] = "dbd",
                                             [SW_FEM_EBE] = "ebe",         [SW_FEM_EBE_NODE] = "ebe_node",
                                             [SW_FEM_EBE_DOF] = "ebe_dof", [SW_FEM_EBE_SYM] = "ebe_sym"};
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
