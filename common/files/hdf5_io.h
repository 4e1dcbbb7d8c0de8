/* Thin helpers over HDF5: whole datasets and attributes in one call, and output files that appear
 * under their name only when complete.
 *
 * HDF5's own error printing is off from the first call; what fails comes back as a status whose
 * message names the file. Threads may call it at once, and wait for each other (hdf5_door.h). */
#ifndef SW_COMMON_FILES_HDF5_IO_H
#define SW_COMMON_FILES_HDF5_IO_H

#include <stdint.h>

#include "claim.h"
#include "common/system/status.h"
#include "hdf5_door.h"
#include "output_file.h"

/* A file being written: under a temporary name beside `path` until committed. */
typedef struct {
    hid_t file;
    sw_output_file name;
    sw_claim claim; /* on a file that is changed */
} sw_h5_output;

/* Starts HDF5 without what it prints when it finds no memory for that, stderr being elsewhere meanwhile: for programs, before
 * their threads. What follows starts it, too. SW_ERR_MEMORY, after which a call of HDF5 may crash. */
sw_status sw_h5_start(void);

/* Before hours of work, not after: `path` can be written, and by this run alone, until sw_claim_release (claim.h). */
sw_status sw_h5_claim(const char *path, sw_claim *claim);

/* Start a file. SW_ERR_IO when the folder cannot be written or `path` is there and not a plain file. */
sw_status sw_h5_begin(const char *path, sw_h5_output *output);
/* The same for changing a file that is there: starts as a copy of it. SW_ERR_FORMAT when it is not HDF5, or is damaged;
 * SW_ERR_INPUT while another run changes it. */
sw_status sw_h5_begin_change(const char *path, sw_h5_output *output);
/* Flush, close, seal and rename to its path. On failure nothing is left behind and an older file of that
 * name is untouched, but for a folder that the disk does not take (output_file.h). */
sw_status sw_h5_commit(sw_h5_output *output);
/* The same without a seal: of a file that will be changed in place, and at any moment be all there is after a kill. */
sw_status sw_h5_commit_unsealed(sw_h5_output *output);
/* Seal a file as it is: another program's, or one that it changed. Errors as above. */
sw_status sw_h5_seal(const char *path);
/* Close and remove the temporary file. Harmless after commit, or on a zeroed struct. */
void sw_h5_abandon(sw_h5_output *output);

/* Commit where `status` is SW_OK, else abandon; returns what came of it. */
sw_status sw_h5_end(sw_h5_output *output, sw_status status);

/* Open for reading (writable: 0) or changing in place (1), which takes its seal off. SW_ERR_IO when absent, SW_ERR_FORMAT
 * when it is not HDF5, is truncated, is not what was sealed, or lost its seal. */
sw_status sw_h5_open(const char *path, int writable, hid_t *file);

/* A new group (parents made as needed), to be closed with H5Gclose. */
sw_status sw_h5_group(hid_t where, const char *name, hid_t *group);

/* A new dataset of rank 0 .. 4 filled from data; type is the native type in memory
 * (H5T_NATIVE_FLOAT ...) and, in little-endian form, in the file. Parents are made as needed. */
sw_status sw_h5_write(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape,
                      const void *data);

/* A new dataset as above whose content comes in pieces: rows `first` .. first + count - 1 of its first
 * dimension at a time, from data of the type it was made with. Released with sw_h5_close_set, which tells
 * what failed late, and is harmless on H5I_INVALID_HID. What is not written is zero. */
sw_status sw_h5_create_set(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape,
                           hid_t *set);
sw_status sw_h5_write_rows(hid_t set, hid_t type, int64_t first, int64_t count, const void *data);
sw_status sw_h5_close_set(hid_t set);

/* One that is there, and rows of it into data, caller's, of any native type; closed as above or with
 * H5Dclose. SW_ERR_FORMAT when it is missing, SW_ERR_IO when damaged or without these rows. */
sw_status sw_h5_open_set(hid_t where, const char *name, hid_t *set);
sw_status sw_h5_read_rows(hid_t set, hid_t type, int64_t first, int64_t count, void *data);
/* A digest (seal.h) of rows, of a native type. */
sw_status sw_h5_digest_rows(hid_t set, hid_t type, int64_t first, int64_t count, uint64_t *digest);
/* Rows of one into their places in another, whose rows are as long. */
sw_status sw_h5_copy_rows(hid_t from, hid_t to, hid_t type, int64_t first, int64_t count);

/* Shape of a dataset: rank must match. SW_ERR_FORMAT when it is missing, of another rank, or declares more than its file
 * can hold: what it says may be allocated. */
sw_status sw_h5_shape(hid_t where, const char *name, int rank, int64_t *shape);
/* SW_ERR_FORMAT unless it has this one. */
sw_status sw_h5_need_shape(hid_t where, const char *name, int rank, const int64_t *shape);

/* Read a whole dataset whose shape must equal `shape` into data (caller's). SW_ERR_FORMAT when missing or of
 * another shape, SW_ERR_IO when damaged. */
sw_status sw_h5_read(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape, void *data);

/* Attributes. Reading: SW_ERR_FORMAT when missing. A string read is released with free(). */
sw_status sw_h5_write_text(hid_t where, const char *name, const char *text);
sw_status sw_h5_read_text(hid_t where, const char *name, char **text);
int sw_h5_has_text(hid_t where, const char *name, const char *text); /* whether it has this one */
sw_status sw_h5_write_numbers(hid_t where, const char *name, int count, const double *value);
sw_status sw_h5_read_numbers(hid_t where, const char *name, int count, double *value);

/* An attribute of a dataset that is there: its unit, what it holds. */
sw_status sw_h5_describe(hid_t where, const char *dataset, const char *name, const char *text);

/* SW_ERR_IO that names the file, what was to be written in it, and errno's reason. */
sw_status sw_h5_cannot_write(hid_t where, const char *name);

/* A dataset or group with all that is in it, under the same name into another file; nothing when there is
 * none. hdf5_copy.c */
sw_status sw_h5_copy(hid_t from, const char *name, hid_t to);

/* Whether `where` holds a link of this name (a path: all its parts). */
int sw_h5_exists(hid_t where, const char *name);

#endif
