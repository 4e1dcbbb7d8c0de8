/* This process's GPU, for C and CUDA alike, in builds with CUDA and without. */
#ifndef SW_ONLINE_GPU_GPU_H
#define SW_ONLINE_GPU_GPU_H

#include <stddef.h>

#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    char name[128];   /* "NVIDIA H200" */
    int device;       /* CUDA's number of it */
    int major, minor; /* compute capability */
    int multiprocessors;
    int threads;          /* that a multiprocessor holds at most */
    size_t shared_memory; /* bytes, of one block at most */
    double clock;         /* highest, Hz */
} sw_gpu;

/* Use the GPU of this process's number among those of its node, so that each MPI rank has its own, from this
 * thread on. gpu: what it is; may be NULL. SW_ERR_UNAVAILABLE says why there is none. */
sw_status sw_gpu_use(sw_gpu *gpu);
/* The one that this thread uses already. */
sw_status sw_gpu_current(sw_gpu *gpu);

/* From now on a thread of its own gets the GPU ready that sw_gpu_use will be asked for, which takes a fifth of a second and
 * more: beside work on the host that comes before. What of this header follows waits for it; nothing happens in a build
 * without CUDA, or where the system gives no thread. */
void sw_gpu_wake(void);
/* Waits for that thread, if there is one: before a program ends that used no GPU after all. */
void sw_gpu_awake(void);

/* "NVIDIA H200", or "none: " and why, for people: text [size], nothing for (NULL, 0). Returns how many there
 * are. */
int sw_gpu_describe(char *text, size_t size);

/* Whether every process has one, if it is wanted: one answer of all, which all ask. text: this one's, as above. */
int sw_gpu_everywhere(int wanted, char *text, size_t size);

/* Whether memory is a GPU's. */
int sw_gpu_owns(const void *memory);

/* Memory of the host that copies to and from a GPU are fast from: page-locked. SW_ERR_MEMORY. Release with
 * sw_gpu_free_host. */
sw_status sw_gpu_allocate_host(size_t bytes, void **memory);
void sw_gpu_free_host(void *memory);

#ifdef __cplusplus
}
#endif

#endif
