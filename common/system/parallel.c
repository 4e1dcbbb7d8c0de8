#include "parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

/* What launchers say of how many processes they started: Open MPI's, those that speak PMI (MPICH, Intel MPI), MVAPICH's,
 * Slurm's. */
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                    "SLURM_STEP_NUM_TASKS"};

sw_status sw_parallel_check(void)
{
#ifdef SW_HAVE_MPI
    static const char missing[] =
        "this program is built with MPI, but another's: need its mpirun, or `srun --mpi=pmix`";
#else
    static const char missing[] =
        "this program is not built with MPI: `scripts/bootstrap --mpi`, then `make`";
#endif
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sw_parallel_size() == 1; i++) {
        const char *processes = getenv(sizes[i]);
        if (processes != NULL && strtol(processes, NULL, 10) > 1)
            return sw_error(SW_ERR_UNAVAILABLE,
                            "a launcher started %s processes (%s), each of which would do the whole run: %s; "
                            "for runs that are meant to be apart: `env -u %s slipwave ...`",
                            processes, sizes[i], missing, sizes[i]);
    }
    return SW_OK;
}

int64_t sw_parallel_slice_of(int64_t n, int64_t together, int rank, int64_t *count)
{
    const int64_t size = sw_parallel_size(), groups = (n + together - 1) / together, rest = groups % size,
                  before = together * (groups / size * rank + (rank < rest ? rank : rest)),
                  first = before < n ? before : n, own = together * (groups / size + (rank < rest));
    *count = own < n - first ? own : n - first;
    return first;
}

int64_t sw_parallel_slice(int64_t n, int64_t together, int64_t *count)
{
    return sw_parallel_slice_of(n, together, sw_parallel_rank(), count);
}

sw_status sw_parallel_need_same(const void *data, int64_t bytes, const char *what)
{
    char *first;
    SW_TRY(SW_ALLOCATE(first, bytes, what));
    memcpy(first, data, (size_t)bytes);
    sw_parallel_share(first, bytes);
    const int same = memcmp(first, data, (size_t)bytes) == 0;
    free(first);
    return sw_parallel_agree(same ? SW_OK
                                  : sw_error(SW_ERR_INPUT, "%s of process %d differs from that of the first",
                                             what, sw_parallel_rank() + 1));
}

double sw_parallel_sum_in_order(double value)
{
    sw_parallel_sums_in_order(&value, 1);
    return value;
}

#ifdef SW_HAVE_MPI

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

static int started;      /* by an MPI launcher */
static int active;       /* and at work with others; else as if alone */
static int rank_on_node; /* found once, by all ranks together */
static int *failed;      /* in memory of all ranks of the node; NULL: nobody is there */
static MPI_Win failed_window;

/* Starting MPI in a program that no launcher started costs a fraction of a second for nothing. */
static int launched(void)
{
    static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (getenv(marks[i]) != NULL)
            return 1;
    return 0;
}

static void share_failure(MPI_Comm node)
{
    MPI_Aint bytes = rank_on_node == 0 ? sizeof *failed : 0;
    int unit;
    void *own;
    MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN); /* without it each tells of failures itself */
    int good = MPI_Win_allocate_shared(bytes, sizeof *failed, MPI_INFO_NULL, node, (void *)&own,
                                       &failed_window) == MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND, node);
    if (!good)
        return;
    if (rank_on_node == 0)
        *(int *)own = 0;
    MPI_Win_shared_query(failed_window, 0, &bytes, &unit, (void *)&failed);
    MPI_Barrier(node);
}

int sw_parallel_tells_failure(void)
{
    return failed == NULL || !__atomic_exchange_n(failed, 1, __ATOMIC_SEQ_CST);
}

int sw_parallel_has_failed(void) { return failed != NULL && __atomic_load_n(failed, __ATOMIC_SEQ_CST); }

void sw_parallel_start(int *argc, char ***argv)
{
    int provided;
    if (!launched())
        return;
    MPI_Comm node;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    started = active = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank_on_node);
    share_failure(node);
    MPI_Comm_free(&node);
}

void sw_parallel_finish(int status)
{
    if (!started)
        return;
    active = 1; /* also after sw_parallel_alone */
    if (status && sw_parallel_size() > 1)
        MPI_Abort(MPI_COMM_WORLD, status);
    if (failed != NULL)
        MPI_Win_free(&failed_window);
    failed = NULL;
    MPI_Finalize();
    started = active = 0;
}

void sw_parallel_alone(void) { active = 0; }

int sw_parallel_rank(void)
{
    int rank = 0;
    if (active)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int sw_parallel_size(void)
{
    int size = 1;
    if (active)
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

int sw_parallel_rank_on_node(void) { return rank_on_node; }

void sw_parallel_sum(double *value, int64_t n)
{
    if (active)
        MPI_Allreduce(MPI_IN_PLACE, value, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void sw_parallel_share(void *data, int64_t bytes)
{
    enum { PIECE = 1 << 23 };
    for (int64_t at = 0; active && at < bytes; at += PIECE)
        MPI_Bcast((char *)data + at, (int)(bytes - at < PIECE ? bytes - at : PIECE), MPI_BYTE, 0,
                  MPI_COMM_WORLD);
}

/* MPI leaves open whether MPI_Allreduce gives all ranks the same bits: each adds a part for all. */
void sw_parallel_sum_alike(double *value, int64_t n)
{
    enum { PIECE = 1 << 22 };
    const int size = sw_parallel_size(), rank = sw_parallel_rank();
    int count[size], before[size];
    for (int64_t at = 0; size > 1 && at < n; at += PIECE) {
        const int64_t all = n - at < PIECE ? n - at : PIECE;
        double *piece = value + at;
        for (int k = 0; k < size; k++) {
            before[k] = (int)(all * k / size);
            count[k] = (int)(all * (k + 1) / size) - before[k];
        }
        MPI_Reduce_scatter(MPI_IN_PLACE, piece, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        memmove(piece + before[rank], piece, (size_t)count[rank] * sizeof *piece);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, piece, count, before, MPI_DOUBLE, MPI_COMM_WORLD);
    }
}

void sw_parallel_sum_counts(int64_t *count, int64_t n)
{
    if (active)
        MPI_Allreduce(MPI_IN_PLACE, count, (int)n, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void sw_parallel_sums_in_order(double *value, int64_t n)
{
    const int size = sw_parallel_size();
    double all[size * n];
    if (size == 1)
        return;
    MPI_Allgather(value, (int)n, MPI_DOUBLE, all, (int)n, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int64_t k = 0; k < n; k++) {
        value[k] = 0;
        for (int i = 0; i < size; i++)
            value[k] += all[i * n + k];
    }
}

double sw_parallel_most(double value)
{
    const int size = sw_parallel_size();
    double all[size];
    if (size == 1)
        return value;
    MPI_Allgather(&value, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) /* which passes over NaN, whose order MPI leaves open */
        value = fmax(value, all[i]);
    return value;
}

int64_t sw_parallel_before(int64_t count)
{
    int64_t before = 0;
    if (active)
        MPI_Exscan(&count, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sw_parallel_rank() > 0 ? before : 0;
}

sw_status sw_parallel_agree(sw_status status)
{
    struct {
        int status, rank;
    } worst = {(int)status, sw_parallel_rank()};
    char message[1024] = "";
    if (!active || (status == SW_ERR_MEMORY && sw_parallel_size() > 1))
        return status;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.status == SW_OK)
        return SW_OK;
    if (worst.status == SW_ERR_INTERRUPTED) /* all ranks end together */
        sw_interrupt_heed();
    if (worst.rank == sw_parallel_rank())
        snprintf(message, sizeof message, "%s", sw_error_message());
    MPI_Bcast(message, sizeof message, MPI_CHAR, worst.rank, MPI_COMM_WORLD);
    return (int)status == worst.status ? status : sw_error((sw_status)worst.status, "%s", message);
}

void sw_parallel_share_flags(unsigned char *flag, int64_t n)
{
    if (active)
        MPI_Bcast(flag, (int)n, MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);
}

void sw_parallel_move(void *data, int64_t bytes, int from, int to)
{
    enum { TAG_MOVE = 3 };
    const int rank = sw_parallel_rank();
    if (!active || from == to)
        return;
    if (rank == from)
        MPI_Send(data, (int)bytes, MPI_BYTE, to, TAG_MOVE, MPI_COMM_WORLD);
    if (rank == to)
        MPI_Recv(data, (int)bytes, MPI_BYTE, from, TAG_MOVE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void sw_parallel_exchange(int n, const int *rank, const int64_t *first, size_t bytes, const void *send,
                          void *receive)
{
    enum { TAG_EXCHANGE = 4 };
    const MPI_Datatype type = bytes == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    MPI_Request request[2 * n + 1];
    if (!active)
        return;
    for (int i = 0; i < n; i++)
        MPI_Irecv((char *)receive + (size_t)first[i] * bytes, (int)(first[i + 1] - first[i]), type, rank[i],
                  TAG_EXCHANGE, MPI_COMM_WORLD, &request[i]);
    for (int i = 0; i < n; i++)
        MPI_Isend((const char *)send + (size_t)first[i] * bytes, (int)(first[i + 1] - first[i]), type,
                  rank[i], TAG_EXCHANGE, MPI_COMM_WORLD, &request[n + i]);
    MPI_Waitall(2 * n, request, MPI_STATUSES_IGNORE);
}

void sw_parallel_collect(const int64_t *first, int64_t bytes, const void *part, void *all)
{
    const int size = sw_parallel_size();
    int count[size], before[size];
    MPI_Datatype row;
    const char *own = (const char *)all + (size_t)(first[sw_parallel_rank()] * bytes);
    if (!active) {
        if (part != own)
            memcpy(all, part, (size_t)(first[1] * bytes));
        return;
    }
    for (int k = 0; k < size; k++) {
        count[k] = (int)(first[k + 1] - first[k]);
        before[k] = (int)first[k];
    }
    MPI_Type_contiguous((int)bytes, MPI_BYTE, &row);
    MPI_Type_commit(&row);
    MPI_Allgatherv(part == own ? MPI_IN_PLACE : part, count[sw_parallel_rank()], row, all, count, before, row,
                   MPI_COMM_WORLD);
    MPI_Type_free(&row);
}

int sw_parallel_takes_gpu_memory(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    return active && MPIX_Query_cuda_support() == 1;
#else
    return 0;
#endif
}

struct sw_parallel_counter {
    int64_t next;  /* of one process */
    int64_t *base; /* rank 0's memory that the window shows */
    MPI_Win window;
};

sw_status sw_parallel_counter_start(sw_parallel_counter **counter)
{
    SW_TRY(SW_ALLOCATE(*counter, 1, "work counter"));
    if (!active)
        return SW_OK;
    const MPI_Aint bytes = sw_parallel_rank() == 0 ? sizeof(int64_t) : 0;
    MPI_Win_allocate(bytes, sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&(*counter)->base,
                     &(*counter)->window);
    if (sw_parallel_rank() == 0)
        *(*counter)->base = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, (*counter)->window);
    return SW_OK;
}

int64_t sw_parallel_counter_next(sw_parallel_counter *counter)
{
    const int64_t one = 1;
    int64_t drawn;
    if (!active)
        return counter->next++;
    MPI_Fetch_and_op(&one, &drawn, MPI_INT64_T, 0, 0, MPI_SUM, counter->window);
    MPI_Win_flush(0, counter->window);
    return drawn;
}

void sw_parallel_counter_stop(sw_parallel_counter *counter)
{
    if (active) {
        MPI_Win_unlock_all(counter->window);
        MPI_Win_free(&counter->window);
    }
    free(counter);
}

/* A block's number is its tag: at most 32767 by the standard's guarantee, so it goes as the first of two
 * messages. */
enum { TAG_NUMBER = 1, TAG_DATA = 2 };

void sw_parallel_send(int64_t block, const double *data, int64_t n)
{
    MPI_Send(&block, 1, MPI_INT64_T, 0, TAG_NUMBER, MPI_COMM_WORLD);
    MPI_Send(data, (int)n, MPI_DOUBLE, 0, TAG_DATA, MPI_COMM_WORLD);
}

int sw_parallel_receive(int wait, int64_t *block, double *data, int64_t n_max)
{
    MPI_Status status;
    int waiting = 1;
    if (!active)
        return 0;
    if (!wait)
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_NUMBER, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
    if (!waiting)
        return 0;
    MPI_Recv(block, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG_NUMBER, MPI_COMM_WORLD, &status);
    MPI_Recv(data, (int)n_max, MPI_DOUBLE, status.MPI_SOURCE, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 1;
}

#else

struct sw_parallel_counter {
    int64_t next;
};

void sw_parallel_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}
void sw_parallel_finish(int status) { (void)status; }
int sw_parallel_tells_failure(void) { return 1; }
int sw_parallel_has_failed(void) { return 0; }
void sw_parallel_alone(void) {}
int sw_parallel_rank(void) { return 0; }
int sw_parallel_size(void) { return 1; }
int sw_parallel_rank_on_node(void) { return 0; }

void sw_parallel_sum(double *value, int64_t n) { (void)value, (void)n; }

void sw_parallel_sum_alike(double *value, int64_t n) { (void)value, (void)n; }

void sw_parallel_share(void *data, int64_t bytes) { (void)data, (void)bytes; }

void sw_parallel_sum_counts(int64_t *count, int64_t n) { (void)count, (void)n; }

void sw_parallel_sums_in_order(double *value, int64_t n) { (void)value, (void)n; }

double sw_parallel_most(double value) { return value; }

int64_t sw_parallel_before(int64_t count)
{
    (void)count;
    return 0;
}

void sw_parallel_exchange(int n, const int *rank, const int64_t *first, size_t bytes, const void *send,
                          void *receive)
{
    (void)n, (void)rank, (void)first, (void)bytes, (void)send, (void)receive;
}

void sw_parallel_collect(const int64_t *first, int64_t bytes, const void *part, void *all)
{
    if (part != all)
        memcpy(all, part, (size_t)(first[1] * bytes));
}

int sw_parallel_takes_gpu_memory(void) { return 0; }

sw_status sw_parallel_agree(sw_status status) { return status; }

void sw_parallel_share_flags(unsigned char *flag, int64_t n)
{
    (void)flag;
    (void)n;
}
void sw_parallel_move(void *data, int64_t bytes, int from, int to)
{
    (void)data, (void)bytes, (void)from, (void)to;
}
sw_status sw_parallel_counter_start(sw_parallel_counter **counter)
{
    return SW_ALLOCATE(*counter, 1, "work counter");
}
int64_t sw_parallel_counter_next(sw_parallel_counter *counter) { return counter->next++; }
void sw_parallel_counter_stop(sw_parallel_counter *counter) { free(counter); }
void sw_parallel_send(int64_t block, const double *data, int64_t n)
{
    (void)block;
    (void)data;
    (void)n;
}
int sw_parallel_receive(int wait, int64_t *block, double *data, int64_t n_max)
{
    (void)wait;
    (void)block;
    (void)data;
    (void)n_max;
    return 0;
}

#endif
