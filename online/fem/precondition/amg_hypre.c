/* Algebraic multigrid on the CPU: one V-cycle of hypre's BoomerAMG (Henson and Yang 2002, Appl. Numer. Math.
 * 41) of the assembled elastic operator, made once and kept through Newton.
 *
 * The unknowns' directions are coarsened and interpolated apart (unknown-based systems AMG), by extended+i
 * interpolation of at most 4 entries a row after HMIS coarsening; Gauss-Seidel forwards on the way down and
 * backwards on the way up, which makes the cycle symmetric as CG wants it. Everything runs on MPI_COMM_SELF
 * and, as Debian builds hypre, on one core.
 *
 * Nodal coarsening with the rotations as interpolation vectors (HYPRE_BoomerAMGSetInterpVectors, variant 2)
 * was tried: 19 iterations instead of 22 for a distorted cube of 24^3 hexahedra, but 3 times the memory and
 * time of an iteration, and 88 instead of 26 for plane strain of 128^2 at Poisson's ratio 0.45. */
#ifdef SW_HAVE_HYPRE

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>
#include <malloc.h>
#include <mpi.h>
#include <stdlib.h>

#include "online/fem/assembly/assembly.h"
#include "preconditioners.h"

/* By sw_fem_kinematics. Aggressive coarsening of the first level takes a quarter of the hierarchy's memory
 * and nine tenths of the time at 40^3 hexahedra, for 31 iterations instead of 26; in the plane it gains
 * nothing (32 instead of 19). Threshold of strong connections: 0.25 to 0.6 differ by a tenth in a cube; in
 * a beam of elements stretched tenfold 0.25 takes 131 iterations, 0.5 takes 92 (without aggressive
 * coarsening). */
static const struct {
    double strong;
    int aggressive_levels;
} settings[SW_FEM_KINEMATICS] = {{0.5, 1}, {0.5, 0}, {0.5, 0}, {0.5, 0}, {0.25, 0}};

typedef struct {
    sw_fem *fem;
    HYPRE_IJMatrix matrix;
    HYPRE_IJVector right, left;
    HYPRE_ParCSRMatrix rows; /* of matrix; the vectors' likewise */
    HYPRE_ParVector r, z;
    HYPRE_Solver solver;
    int hypre_held; /* this one counts in n_open */
    int64_t bytes;
} amg_work;

/* ---- hypre and MPI ---- */

static int n_open; /* that use hypre, which is there from the first to the last */

static sw_status check(HYPRE_Int error, const char *what)
{
    char text[512] = "";
    if (error == 0)
        return SW_OK;
    HYPRE_DescribeError(error, text);
    HYPRE_ClearAllErrors();
    return sw_error(error & HYPRE_ERROR_MEMORY ? SW_ERR_MEMORY : SW_ERR_CONVERGENCE,
                    "preconditioner amg: %s: hypre's error %d (%s)", what, (int)error, text);
}
#define TRY_HYPRE(call) SW_TRY(check(call, #call))

/* At exit, unless sw_parallel_finish was first. */
static void finish_mpi(void)
{
    int finalized;
    MPI_Finalized(&finalized);
    if (!finalized)
        MPI_Finalize();
}

/* hypre wants MPI also in a program that no launcher started, where sw_parallel_start leaves it out: then it
 * starts here, in a quarter of a second, alone. Open MPI would want a daemon beside it, and end the program
 * where there is no ssh or no openmpi-bin. */
static sw_status start_mpi(void)
{
    int initialized, finalized, provided;
    MPI_Finalized(&finalized);
    if (finalized)
        return sw_error(SW_ERR_UNAVAILABLE, "preconditioner amg: MPI has ended already");
    MPI_Initialized(&initialized);
    if (initialized)
        return SW_OK;
    if (getenv("OMPI_COMM_WORLD_SIZE") == NULL)
        setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return sw_error(SW_ERR_UNAVAILABLE, "preconditioner amg: MPI does not start");
    atexit(finish_mpi);
    return SW_OK;
}

/* ---- The matrix ---- */

/* Bytes that malloc has given out: what hypre holds is not to be had from it. */
static int64_t bytes_held(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

static sw_status check_size(int64_t n_rows, int64_t n_entries)
{
    const int64_t most = sizeof(HYPRE_Int) == 4 ? INT32_MAX : INT64_MAX;
    if (n_rows > most || n_entries > most)
        return sw_error(
            SW_ERR_RANGE,
            "preconditioner amg: %lld unknowns and %lld matrix entries: this hypre takes at most %lld",
            (long long)n_rows, (long long)n_entries, (long long)most);
    return SW_OK;
}

/* Rows of free unknowns without prescribed ones; of prescribed unknowns the diagonal alone, which is as good
 * as 1 and of the others' size. */
static sw_status fill_matrix(amg_work *work, const sw_fem_csr *csr, HYPRE_Int *size, HYPRE_BigInt *column,
                             double *value)
{
    const uint8_t *fixed = work->fem->fixed;
    const HYPRE_BigInt last = (HYPRE_BigInt)csr->n_rows - 1;
    TRY_HYPRE(HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, last, 0, last, &work->matrix));
    TRY_HYPRE(HYPRE_IJMatrixSetObjectType(work->matrix, HYPRE_PARCSR));
    for (int64_t i = 0; i < csr->n_rows; i++)
        size[i] = fixed[i] ? 1 : (HYPRE_Int)(csr->row[i + 1] - csr->row[i]);
    TRY_HYPRE(HYPRE_IJMatrixSetRowSizes(work->matrix, size));
    TRY_HYPRE(HYPRE_IJMatrixInitialize(work->matrix));
    for (int64_t i = 0; i < csr->n_rows; i++) {
        const HYPRE_BigInt row = (HYPRE_BigInt)i;
        HYPRE_Int n = 0;
        for (int64_t k = csr->row[i]; k < csr->row[i + 1]; k++) {
            const int32_t j = csr->column[k];
            if (j != i && (fixed[i] || fixed[j] || csr->value[k] == 0))
                continue;
            column[n] = j;
            value[n++] = csr->value[k];
        }
        TRY_HYPRE(HYPRE_IJMatrixSetValues(work->matrix, 1, &n, &row, column, value));
    }
    TRY_HYPRE(HYPRE_IJMatrixAssemble(work->matrix));
    TRY_HYPRE(HYPRE_IJMatrixGetObject(work->matrix, (void **)&work->rows));
    return SW_OK;
}

static sw_status make_matrix(amg_work *work, const sw_fem_view *view)
{
    sw_fem_csr csr;
    HYPRE_Int *size = NULL;
    HYPRE_BigInt *column = NULL;
    double *value = NULL;
    int64_t longest = 0;
    sw_status status;
    SW_TRY(check_size(work->fem->n_unknowns, 0));
    SW_TRY(sw_fem_assemble(view, &csr));
    for (int64_t i = 0; i < csr.n_rows; i++)
        longest = csr.row[i + 1] - csr.row[i] > longest ? csr.row[i + 1] - csr.row[i] : longest;
    SW_TRY_GOTO(status, check_size(csr.n_rows, csr.row[csr.n_rows]), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(size, csr.n_rows, "matrix of the preconditioner"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(column, longest, "matrix of the preconditioner"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(value, longest, "matrix of the preconditioner"), done);
    status = fill_matrix(work, &csr, size, column, value);
done:
    free(size);
    free(column);
    free(value);
    sw_fem_csr_free(&csr);
    return status;
}

static sw_status make_vector(int64_t n, HYPRE_IJVector *vector, HYPRE_ParVector *inside)
{
    TRY_HYPRE(HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, (HYPRE_BigInt)n - 1, vector));
    TRY_HYPRE(HYPRE_IJVectorSetObjectType(*vector, HYPRE_PARCSR));
    TRY_HYPRE(HYPRE_IJVectorInitialize(*vector));
    TRY_HYPRE(HYPRE_IJVectorAssemble(*vector));
    TRY_HYPRE(HYPRE_IJVectorGetObject(*vector, (void **)inside));
    return SW_OK;
}

/* ---- The preconditioner ---- */

static sw_status make_hierarchy(amg_work *work)
{
    enum {
        EXTENDED_I = 6,
        HMIS = 10,
        FORWARDS = 13,
        BACKWARDS = 14,
        DIRECT = 9,
        DOWN = 1,
        UP = 2,
        COARSEST = 3
    };
    const sw_fem_kinematics k = work->fem->problem->kinematics;
    TRY_HYPRE(HYPRE_BoomerAMGCreate(&work->solver));
    HYPRE_Solver s = work->solver;
    TRY_HYPRE(HYPRE_BoomerAMGSetPrintLevel(s, 0));
    TRY_HYPRE(HYPRE_BoomerAMGSetMaxIter(s, 1));
    TRY_HYPRE(HYPRE_BoomerAMGSetTol(s, 0));
    TRY_HYPRE(HYPRE_BoomerAMGSetNumFunctions(s, work->fem->components));
    TRY_HYPRE(HYPRE_BoomerAMGSetCoarsenType(s, HMIS));
    TRY_HYPRE(HYPRE_BoomerAMGSetInterpType(s, EXTENDED_I));
    TRY_HYPRE(HYPRE_BoomerAMGSetPMaxElmts(s, 4));
    TRY_HYPRE(HYPRE_BoomerAMGSetStrongThreshold(s, settings[k].strong));
    TRY_HYPRE(HYPRE_BoomerAMGSetAggNumLevels(s, settings[k].aggressive_levels));
    TRY_HYPRE(HYPRE_BoomerAMGSetRelaxOrder(s, 0)); /* by rows, so that up is the reverse of down */
    TRY_HYPRE(HYPRE_BoomerAMGSetCycleRelaxType(s, FORWARDS, DOWN));
    TRY_HYPRE(HYPRE_BoomerAMGSetCycleRelaxType(s, BACKWARDS, UP));
    TRY_HYPRE(HYPRE_BoomerAMGSetCycleRelaxType(s, DIRECT, COARSEST));
    TRY_HYPRE(HYPRE_BoomerAMGSetup(s, work->rows, work->r, work->z));
    return SW_OK;
}

static sw_status open_parts(amg_work *work, const sw_fem_view *view)
{
    SW_TRY(start_mpi());
    const int64_t before = bytes_held();
    if (n_open == 0)
        TRY_HYPRE(HYPRE_Init());
    work->hypre_held = 1;
    n_open++;
    SW_TRY(make_matrix(work, view));
    SW_TRY(make_vector(work->fem->n_unknowns, &work->right, &work->r));
    SW_TRY(make_vector(work->fem->n_unknowns, &work->left, &work->z));
    SW_TRY(make_hierarchy(work));
    work->bytes = bytes_held() - before;
    sw_fem_count_bytes(work->fem, work->bytes);
    return SW_OK;
}

static void close_amg(void *opaque)
{
    amg_work *work = opaque;
    if (!work)
        return;
    if (work->solver)
        HYPRE_BoomerAMGDestroy(work->solver);
    if (work->matrix)
        HYPRE_IJMatrixDestroy(work->matrix);
    if (work->right)
        HYPRE_IJVectorDestroy(work->right);
    if (work->left)
        HYPRE_IJVectorDestroy(work->left);
    if (work->hypre_held && --n_open == 0)
        HYPRE_Finalize();
    sw_fem_count_bytes(work->fem, -work->bytes);
    free(work);
}

static sw_status open_amg(sw_fem *fem, const sw_fem_view *view, void **result)
{
    amg_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "preconditioner"));
    *result = work;
    work->fem = fem;
    return open_parts(work, view);
}

static sw_status apply_amg(void *opaque, const sw_fem_view *view, const double *r, double *z)
{
    amg_work *work = opaque;
    const HYPRE_Int n = (HYPRE_Int)work->fem->n_unknowns;
    (void)view;
    TRY_HYPRE(HYPRE_IJVectorSetValues(work->right, n, NULL, r));
    TRY_HYPRE(HYPRE_ParVectorSetConstantValues(work->z, 0));
    TRY_HYPRE(HYPRE_BoomerAMGSolve(work->solver, work->rows, work->r, work->z));
    TRY_HYPRE(HYPRE_IJVectorGetValues(work->left, n, NULL, z));
    for (HYPRE_Int i = 0; i < n; i++)
        if (work->fem->fixed[i])
            z[i] = 0;
    return SW_OK;
}

const sw_fem_preconditioner_functions sw_fem_amg_cpu = {open_amg, close_amg, NULL, apply_amg};

#else

typedef int sw_fem_amg_is_not_built; /* ISO C wants a declaration */

#endif
