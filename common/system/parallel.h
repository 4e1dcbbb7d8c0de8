/* Many processes: MPI where the build found it and mpirun (or srun) started the program, else one process.
 *
 * Work is handed out block by block from a shared counter; finished blocks travel to rank 0. Ranks may differ
 * in speed and number; what a block holds does not depend on who computed it. */
#ifndef SW_COMMON_SYSTEM_PARALLEL_H
#define SW_COMMON_SYSTEM_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Call first and last in main. finish(status), of 1, say, ends all ranks when there are several: one that failed
 * would leave the others waiting. */
void sw_parallel_start(int *argc, char ***argv);
void sw_parallel_finish(int status);
/* Whether this process, which has failed, is the first one on its node to do so, and tells why; and whether any has. */
int sw_parallel_tells_failure(void);
int sw_parallel_has_failed(void);

/* SW_ERR_UNAVAILABLE when a launcher started several processes that do not know of each other: each would do
 * all. */
sw_status sw_parallel_check(void);

/* From now until the end this process works without the others: it is rank 0 of one, and nothing below waits for anybody.
 * For work that one process does, in which what all ranks call together is called, too. */
void sw_parallel_alone(void);

int sw_parallel_rank(void);
int sw_parallel_size(void);
int sw_parallel_rank_on_node(void); /* among the processes that share this node's memory */

/* Sums over the ranks, on every rank, in place. */
void sw_parallel_sum(double *value, int64_t n);
void sw_parallel_sum_counts(int64_t *count, int64_t n);
/* The same with the same bits everywhere, of any number; rank 0's bytes on every rank. */
void sw_parallel_sum_alike(double *value, int64_t n);
void sw_parallel_share(void *data, int64_t bytes);
/* The same in the order of the ranks: the same bits everywhere, for all to decide alike. */
void sw_parallel_sums_in_order(double *value, int64_t n);
double sw_parallel_sum_in_order(double value);
/* The largest of any rank. */
double sw_parallel_most(double value);
/* The sum of the ranks before this one. */
int64_t sw_parallel_before(int64_t count);

/* SW_ERR_INPUT on all where a process has other bytes than rank 0: "WHAT of process 2 differs from that of the first". */
sw_status sw_parallel_need_same(const void *data, int64_t bytes, const char *what);

/* The largest status on any rank (so SW_OK only if all are well), on every rank; that rank's message becomes
 * this one's when its own status was another. A rank that has no memory may have left what the others wait in: it meets nobody any
 * more, and ends them when it ends. */
sw_status sw_parallel_agree(sw_status status);

/* This rank's share of n things, of which so many that follow each other stay together: first .. first + *count - 1; shares differ
 * by one such group at most, and what is left of n goes to the last that has any. */
int64_t sw_parallel_slice(int64_t n, int64_t together, int64_t *count);
/* The same of any rank. */
int64_t sw_parallel_slice_of(int64_t n, int64_t together, int rank, int64_t *count);

/* Rank 0's array of n flags, on every rank. */
void sw_parallel_share_flags(unsigned char *flag, int64_t n);

/* At most 2^30 bytes from rank `from` to rank `to`, which both call it and wait; nothing on others, and
 * nothing when they are the same. */
void sw_parallel_move(void *data, int64_t bytes, int from, int to);

/* Blocks of numbers between neighbours, all at once: block i, numbers first[i] .. first[i + 1] - 1 of `send`, goes to
 * rank[i], and as many come from there to the same places of `receive`. Called by all ranks of the pairs; a block has
 * less than 2^31 numbers, double or, of 4 bytes each, float. Pointers are the host's or, where
 * sw_parallel_takes_gpu_memory, a GPU's. */
void sw_parallel_exchange(int n, const int *rank, const int64_t *first, size_t bytes, const void *send,
                          void *receive);
/* Rows of so many bytes of all ranks, one rank's after the other, on every rank: rows first[k] .. first[k + 1] - 1 of
 * `all` are rank k's `part`, which may be there already. Less than 2^31 of them. */
void sw_parallel_collect(const int64_t *first, int64_t bytes, const void *part, void *all);
/* Whether MPI takes pointers to the memory of CUDA's GPUs. */
int sw_parallel_takes_gpu_memory(void);

/* A counter that all ranks draw from. start and stop on every rank. */
typedef struct sw_parallel_counter sw_parallel_counter;
sw_status sw_parallel_counter_start(sw_parallel_counter **counter);
int64_t sw_parallel_counter_next(sw_parallel_counter *counter); /* 0, 1, 2, ... over all ranks */
void sw_parallel_counter_stop(sw_parallel_counter *counter);

/* Blocks of doubles on their way to rank 0. send: other ranks, blocking. receive: rank 0; returns 0 when none
 * is waiting and `wait` is 0, else 1 with its number in *block and its n doubles in data. */
void sw_parallel_send(int64_t block, const double *data, int64_t n);
int sw_parallel_receive(int wait, int64_t *block, double *data, int64_t n_max);

#ifdef __cplusplus
}
#endif

#endif
