#include "hdf5_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/system/progress.h"
#include "memory/hdf5_image.h"
#include "seal.h"

/* ---- The door ---- */

static pthread_mutex_t door = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void sw_h5_enter(void) { pthread_mutex_lock(&door); }
void sw_h5_leave(void) { pthread_mutex_unlock(&door); }

/* The thread that forks is the only one of the new process, under another number. */
static void open_door(void) { door = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; }

/* HDF5 is forked when nobody is half way through it. */
__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(sw_h5_enter, sw_h5_leave, open_door);
}

/* Before anything else of HDF5. */
static int silence(void) { return H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0; }

sw_status sw_h5_start(void)
{
    fflush(stderr);
    const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3),
              nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    /* its clean-up at exit crashes after a file that could not be closed (a full disk), and has nothing to do after those
     * that were; a host program's own files may need it */
    const int started = H5dont_atexit() >= 0 && silence();
    if (kept >= 0)
        dup2(kept, STDERR_FILENO);
    close(kept);
    close(nowhere);
    return started ? SW_OK : sw_error(SW_ERR_MEMORY, "HDF5 cannot start: no memory for it");
}

/* The name a user gave the file of a file, group or dataset. */
static const char *file_name(hid_t where)
{
    static _Thread_local char name[512];
    if (H5Fget_name(where, name, sizeof name) < 0)
        snprintf(name, sizeof name, "HDF5 file");
    const char *suffix = sw_temporary_suffix();
    const size_t length = strlen(name), end = strlen(suffix);
    if (length > end && strcmp(name + length - end, suffix) == 0)
        name[length - end] = '\0';
    return name;
}

/* ---- What says that a file has a seal ---- */

/* An attribute of the root, the first thing in a file and far from its end. */
static const char announcement[] = "slipwave_seal";

/* Also a file of which that cannot be told: other programs' can. */
static int announces_seal(hid_t file) { return H5Aexists(file, announcement) != 0; }

static sw_status announce_seal(hid_t file)
{
    return announces_seal(file) ? SW_OK : sw_h5_write_text(file, announcement, SW_SEAL_MARK);
}

/* Before a file is changed in place. */
static sw_status renounce_seal(hid_t file)
{
    return !announces_seal(file) || H5Adelete(file, announcement) >= 0
               ? SW_OK
               : sw_h5_cannot_write(file, announcement);
}

/* ---- Files ---- */

static hid_t create(const sw_output_file *name)
{
    return name->memory != NULL ? SW_H5(sw_h5_image_create(name->path, name->memory))
                                : H5Fcreate(name->temporary, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
}

sw_status sw_h5_begin(const char *path, sw_h5_output *output)
{
    silence();
    *output = (sw_h5_output){.file = H5I_INVALID_HID};
    SW_TRY(sw_output_file_begin(path, &output->name));
    errno = 0;
    output->file = create(&output->name);
    if (output->file >= 0 && announce_seal(output->file) == SW_OK)
        return SW_OK;
    const int reason = errno;
    sw_h5_abandon(output);
    return sw_error(SW_ERR_IO, "%s: cannot be created: %s", path, reason ? strerror(reason) : "HDF5 refused");
}

sw_status sw_h5_claim(const char *path, sw_claim *claim)
{
    sw_h5_output probe;
    SW_TRY(sw_claim_take(path, claim));
    const sw_status status = sw_h5_begin(path, &probe);
    if (status != SW_OK)
        sw_claim_release(claim);
    else
        sw_h5_abandon(&probe);
    return status;
}

/* Whether it is what a run goes on from, which nobody changes. */
static int is_partial(const char *path)
{
    static const char end[] = ".partial";
    const size_t length = strlen(path), size = sizeof end - 1;
    return length > size && strcmp(path + length - size, end) == 0;
}

static sw_status open_in_memory(const sw_memory_file *image, int writable, hid_t *file)
{
    char *name = sw_file_name("%s%s", image->name, sw_temporary_suffix()); /* that no file of the disk has */
    if (name == NULL)
        return SW_ERR_MEMORY;
    silence();
    *file = SW_H5(sw_h5_image_open(name, image, writable));
    free(name);
    return *file >= 0
               ? SW_OK
               : sw_error(SW_ERR_FORMAT, "%s: not an HDF5 file, or a truncated or damaged one", image->name);
}

/* as_it_is: also one that lost its seal. */
static sw_status open_file(const char *path, int writable, int as_it_is, hid_t *file)
{
    silence();
    *file = H5I_INVALID_HID;
    if (access(path, writable ? R_OK | W_OK : R_OK) != 0)
        return sw_error(SW_ERR_IO, "%s: %s", path, strerror(errno));
    struct stat information;
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode))
        return sw_error(SW_ERR_IO, "%s: is a %s", path,
                        S_ISDIR(information.st_mode) ? "folder" : "special file");
    int sealed;
    SW_TRY(sw_seal_check(path, &sealed));
    if (writable)
        SW_TRY(sw_seal_break(path));
    *file = H5Fopen(path, writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);
    if (*file < 0)
        return sw_error(SW_ERR_FORMAT, "%s: not an HDF5 file, or a truncated or damaged one", path);
    if (sealed || as_it_is || !announces_seal(*file))
        return SW_OK;
    H5Fclose(*file);
    *file = H5I_INVALID_HID;
    return sw_error(SW_ERR_FORMAT, "%s: lost its seal: its end is damaged, or another program changed it%s",
                    path,
                    is_partial(path) ? ": remove it to start anew"
                                     : ", after which `slipwave-db inspect --seal` takes it as it is");
}

sw_status sw_h5_open(const char *path, int writable, hid_t *file)
{
    const sw_memory_file *image = sw_memory_file_find(path);
    if (image != NULL)
        return open_in_memory(image, writable, file);
    SW_TRY(open_file(path, writable, 0, file));
    const sw_status status = writable ? renounce_seal(*file) : SW_OK;
    if (status != SW_OK) {
        H5Fclose(*file);
        *file = H5I_INVALID_HID;
    }
    return status;
}

static sw_status copy_file(const char *from, const char *to)
{
    enum { SIZE = 1 << 20 };
    char *buffer;
    SW_TRY(SW_ALLOCATE(buffer, SIZE, "copy of a file"));
    errno = 0;
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wbx") : NULL;
    size_t n = 0;
    int good = in != NULL && out != NULL;
    while (good && (n = fread(buffer, 1, SIZE, in)) > 0)
        good = fwrite(buffer, 1, n, out) == n;
    good = good && !ferror(in);
    if (in != NULL)
        fclose(in);
    if (out != NULL && fclose(out) != 0)
        good = 0;
    free(buffer);
    return good ? SW_OK
                : sw_error(SW_ERR_IO, "%s: cannot be copied beside itself: %s", from, strerror(errno));
}

static sw_status begin_change(const char *path, int as_it_is, sw_h5_output *output)
{
    char real[PATH_MAX]; /* where a symbolic link leads */
    struct stat about;
    *output = (sw_h5_output){.file = H5I_INVALID_HID};
    if (realpath(path, real) == NULL || stat(real, &about) != 0)
        return sw_error(SW_ERR_IO, "%s: %s", path, strerror(errno));
    if ((about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(real, W_OK) != 0)
        return sw_error(SW_ERR_IO, "%s: cannot be changed: it is write-protected", path);
    sw_claim claim;
    SW_TRY(sw_claim_take_on_disk(real, &claim));
    hid_t old;
    *output = (sw_h5_output){.file = H5I_INVALID_HID};
    sw_status status = sw_output_file_begin_on_disk(real, &output->name);
    output->claim = claim;
    if (status == SW_OK)
        status = open_file(path, 0, as_it_is, &old);
    if (status == SW_OK)
        H5Fclose(old);
    if (status == SW_OK)
        status = copy_file(path, output->name.temporary);
    if (status == SW_OK && chmod(output->name.temporary, about.st_mode & 07777) != 0)
        status = sw_error(SW_ERR_IO, "%s: %s", output->name.temporary, strerror(errno));
    if (status == SW_OK)
        status = open_file(output->name.temporary, 1, as_it_is, &output->file);
    if (status != SW_OK)
        sw_h5_abandon(output);
    return status;
}

sw_status sw_h5_begin_change(const char *path, sw_h5_output *output) { return begin_change(path, 0, output); }

sw_status sw_h5_seal(const char *path)
{
    sw_h5_output output;
    SW_TRY(begin_change(path, 1, &output));
    return sw_h5_commit(&output);
}

/* Flush and close; 0 where that failed, errno says why. */
static int close_output(sw_h5_output *output)
{
    errno = 0;
    const herr_t flushed = H5Fflush(output->file, H5F_SCOPE_GLOBAL), closed = H5Fclose(output->file);
    output->file = H5I_INVALID_HID;
    return flushed >= 0 && closed >= 0;
}

/* Close it, and put the seal behind its bytes. */
static sw_status complete_in_memory(sw_h5_output *output, int sealed)
{
    sw_memory_file *image = output->name.memory;
    H5Fflush(output->file, H5F_SCOPE_GLOBAL);
    image->size = SW_H5(sw_h5_image_size(output->file));
    if (!close_output(output) || image->bytes == NULL || image->size == 0)
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory for it", output->name.path);
    char *bytes = realloc(image->bytes, image->size + SW_SEAL_SIZE);
    if (bytes == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory for its seal", output->name.path);
    image->bytes = bytes;
    if (sealed) {
        sw_seal_of(bytes, (int64_t)image->size, bytes + image->size);
        image->size += SW_SEAL_SIZE;
    }
    return SW_OK;
}

static sw_status complete_on_disk(sw_h5_output *output, int sealed)
{
    if (!close_output(output))
        return sw_error(SW_ERR_IO, "%s: cannot be completed: %s", output->name.path,
                        errno ? strerror(errno) : "HDF5 write failed");
    return sealed ? sw_seal(output->name.temporary) : SW_OK;
}

static sw_status commit(sw_h5_output *output, int sealed)
{
    sw_interrupt_hold();
    sw_status status = (sealed ? announce_seal : renounce_seal)(output->file);
    if (status == SW_OK)
        status = (output->name.memory != NULL ? complete_in_memory : complete_on_disk)(output, sealed);
    if (output->file >= 0)
        close_output(output);
    if (status == SW_OK)
        status = sw_output_file_commit(&output->name);
    sw_output_file_abandon(&output->name);
    sw_claim_release(&output->claim);
    sw_interrupt_release();
    return status;
}

sw_status sw_h5_commit(sw_h5_output *output) { return commit(output, 1); }
sw_status sw_h5_commit_unsealed(sw_h5_output *output) { return commit(output, 0); }

void sw_h5_abandon(sw_h5_output *output)
{
    if (output->name.temporary != NULL && output->file >= 0)
        H5Fclose(output->file);
    sw_output_file_abandon(&output->name);
    sw_claim_release(&output->claim);
    output->file = H5I_INVALID_HID;
}

sw_status sw_h5_end(sw_h5_output *output, sw_status status)
{
    if (status == SW_OK)
        status = sw_h5_commit(output);
    sw_h5_abandon(output);
    return status;
}

/* Property list that makes intermediate groups. */
static hid_t with_parents(void)
{
    hid_t list = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(list, 1);
    return list;
}

sw_status sw_h5_group(hid_t where, const char *name, hid_t *group)
{
    hid_t parents = with_parents();
    *group = H5Gcreate2(where, name, parents, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(parents);
    if (*group < 0)
        return sw_error(SW_ERR_IO, "%s: cannot make the group %s", file_name(where), name);
    return SW_OK;
}

static sw_status cannot_read(hid_t where, const char *name)
{
    return sw_error(SW_ERR_IO, "%s: %s cannot be read: damaged, or of another type", file_name(where), name);
}

sw_status sw_h5_cannot_write(hid_t where, const char *name)
{
    const int reason = errno;
    return sw_error(SW_ERR_IO, "%s: cannot write %s%s%s", file_name(where), name, reason ? ": " : "",
                    reason ? strerror(reason) : "");
}

sw_status sw_h5_create_set(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape,
                           hid_t *set)
{
    hsize_t extent[4];
    for (int i = 0; i < rank; i++)
        extent[i] = (hsize_t)shape[i];
    hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, NULL);
    hid_t parents = with_parents(), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    errno = 0;
    *set = H5Dcreate2(where, name, type, space, parents, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Pclose(parents);
    H5Sclose(space);
    return *set < 0 ? sw_h5_cannot_write(where, name) : SW_OK;
}

/* A dataset's own name in the file, for messages. */
static const char *set_name(hid_t set)
{
    static _Thread_local char name[256];
    if (H5Iget_name(set, name, sizeof name) <= 0)
        snprintf(name, sizeof name, "/dataset");
    return name + 1;
}

/* Spaces of rows `first` .. first + count - 1 of a dataset: those of it, and of data of their shape in
 * memory. Returns 0, and nothing to close, when it has not these rows. */
static int select_rows(hid_t set, int64_t first, int64_t count, hid_t *in_file, hid_t *in_memory)
{
    hsize_t extent[H5S_MAX_RANK], start[H5S_MAX_RANK] = {(hsize_t)first};
    hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    if (rank >= 1 && first >= 0) {
        extent[0] = (hsize_t)count;
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
            H5Sselect_valid(space) > 0) {
            *in_file = space;
            *in_memory = H5Screate_simple(rank, extent, NULL);
            return 1;
        }
    }
    H5Sclose(space);
    return 0;
}

sw_status sw_h5_write_rows(hid_t set, hid_t type, int64_t first, int64_t count, const void *data)
{
    hid_t from, to;
    herr_t written = -1;
    errno = 0;
    if (count == 0)
        return SW_OK;
    if (select_rows(set, first, count, &to, &from)) {
        written = H5Dwrite(set, type, from, to, H5P_DEFAULT, data);
        H5Sclose(from);
        H5Sclose(to);
    }
    return written < 0 ? sw_h5_cannot_write(set, set_name(set)) : SW_OK;
}

sw_status sw_h5_close_set(hid_t set)
{
    char name[256], file[512];
    if (set < 0)
        return SW_OK;
    snprintf(name, sizeof name, "%s", set_name(set));
    snprintf(file, sizeof file, "%s", file_name(set));
    errno = 0;
    if (H5Dclose(set) >= 0)
        return SW_OK;
    return sw_error(SW_ERR_IO, "%s: cannot write %s%s%s", file, name, errno ? ": " : "",
                    errno ? strerror(errno) : "");
}

sw_status sw_h5_write(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape,
                      const void *data)
{
    hid_t set;
    SW_TRY(sw_h5_create_set(where, name, type, rank, shape, &set));
    const herr_t written = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    const sw_status status = written < 0 ? sw_h5_cannot_write(where, name) : SW_OK;
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

sw_status sw_h5_open_set(hid_t where, const char *name, hid_t *set)
{
    *set = H5I_INVALID_HID;
    if (!sw_h5_exists(where, name))
        return sw_error(SW_ERR_FORMAT, "%s: %s is missing", file_name(where), name);
    *set = H5Dopen2(where, name, H5P_DEFAULT);
    return *set >= 0 ? SW_OK : sw_error(SW_ERR_FORMAT, "%s: %s is not a dataset", file_name(where), name);
}

sw_status sw_h5_read_rows(hid_t set, hid_t type, int64_t first, int64_t count, void *data)
{
    hid_t from, to;
    herr_t got = -1;
    if (count == 0)
        return SW_OK;
    if (select_rows(set, first, count, &from, &to)) {
        got = H5Dread(set, type, to, from, H5P_DEFAULT, data);
        H5Sclose(from);
        H5Sclose(to);
    }
    return got < 0 ? cannot_read(set, set_name(set)) : SW_OK;
}

/* Whether a file can hold so many bytes of a dataset: packed at most to a thousandth, which is deflate's bound. */
static int is_plausible(hid_t set, double bytes)
{
    hsize_t in_file = 0;
    hid_t how = H5Dget_create_plist(set), file = H5Iget_file_id(set);
    const double most = H5Pget_layout(how) == H5D_CHUNKED ? 1100 : 1;
    H5Fget_filesize(file, &in_file);
    H5Fclose(file);
    H5Pclose(how);
    return bytes <= most * (double)in_file;
}

/* Of all that it declares. */
static double bytes_declared(hid_t set, hid_t space)
{
    hid_t type = H5Dget_type(set);
    hsize_t extent[H5S_MAX_RANK] = {0};
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    double bytes = (double)H5Tget_size(type);
    for (int i = 0; i < rank; i++) /* whose product may be more than a whole number holds */
        bytes *= (double)extent[i];
    H5Tclose(type);
    return bytes;
}

/* Bytes of `count` rows in a type; 0: more than the file can hold. The file of a killed run may be shorter than all rows. */
static int64_t bytes_of_rows(hid_t set, hid_t type, int64_t count)
{
    hid_t space = H5Dget_space(set);
    hsize_t extent[H5S_MAX_RANK] = {0};
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    double bytes = (double)count * (double)H5Tget_size(type);
    for (int i = 1; i < rank; i++)
        bytes *= (double)extent[i];
    H5Sclose(space);
    return is_plausible(set, bytes) ? (int64_t)bytes : 0;
}

/* Rows into memory of their own, released with free(). */
static sw_status take_rows(hid_t set, hid_t type, int64_t first, int64_t count, char **row, int64_t *bytes)
{
    *row = NULL;
    *bytes = bytes_of_rows(set, type, count);
    if (*bytes == 0)
        return cannot_read(set, set_name(set));
    SW_TRY(SW_ALLOCATE(*row, *bytes, "rows of a dataset"));
    return sw_h5_read_rows(set, type, first, count, *row);
}

sw_status sw_h5_digest_rows(hid_t set, hid_t type, int64_t first, int64_t count, uint64_t *digest)
{
    char *row;
    int64_t bytes;
    const sw_status status = take_rows(set, type, first, count, &row, &bytes);
    if (status == SW_OK)
        *digest = sw_digest(row, bytes);
    free(row);
    return status;
}

sw_status sw_h5_copy_rows(hid_t from, hid_t to, hid_t type, int64_t first, int64_t count)
{
    char *row;
    int64_t bytes;
    if (bytes_of_rows(from, type, 1) != bytes_of_rows(to, type, 1))
        return cannot_read(from, set_name(from));
    sw_status status = take_rows(from, type, first, count, &row, &bytes);
    if (status == SW_OK)
        status = sw_h5_write_rows(to, type, first, count, row);
    free(row);
    return status;
}

sw_status sw_h5_shape(hid_t where, const char *name, int rank, int64_t *shape)
{
    hid_t set;
    SW_TRY(sw_h5_open_set(where, name, &set));
    hid_t space = H5Dget_space(set);
    int found = H5Sget_simple_extent_ndims(space);
    hsize_t extent[H5S_MAX_RANK] = {0};
    if (found == rank && rank > 0)
        H5Sget_simple_extent_dims(space, extent, NULL);
    const int plausible = is_plausible(set, bytes_declared(set, space));
    H5Sclose(space);
    H5Dclose(set);
    if (found != rank)
        return sw_error(SW_ERR_FORMAT, "%s: %s has %d dimensions: need %d", file_name(where), name, found,
                        rank);
    if (!plausible)
        return sw_error(SW_ERR_FORMAT, "%s: %s declares more than the file can hold", file_name(where), name);
    for (int i = 0; i < rank; i++)
        shape[i] = (int64_t)extent[i];
    return SW_OK;
}

sw_status sw_h5_need_shape(hid_t where, const char *name, int rank, const int64_t *shape)
{
    int64_t found[H5S_MAX_RANK];
    SW_TRY(sw_h5_shape(where, name, rank, found));
    for (int i = 0; i < rank; i++)
        if (found[i] != shape[i])
            return sw_error(SW_ERR_FORMAT, "%s: %s has length %lld in dimension %d: need %lld",
                            file_name(where), name, (long long)found[i], i, (long long)shape[i]);
    return SW_OK;
}

sw_status sw_h5_read(hid_t where, const char *name, hid_t type, int rank, const int64_t *shape, void *data)
{
    SW_TRY(sw_h5_need_shape(where, name, rank, shape));
    hid_t set = H5Dopen2(where, name, H5P_DEFAULT);
    herr_t got = set < 0 ? -1 : H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    if (set >= 0)
        H5Dclose(set);
    return got < 0 ? cannot_read(where, name) : SW_OK;
}

/* An attribute holds 64 KB with its name; a longer text lies elsewhere in the file. */
enum { TEXT_WITHIN = 60000 };

sw_status sw_h5_write_text(hid_t where, const char *name, const char *text)
{
    const size_t size = strlen(text) + 1;
    const int within = size <= TEXT_WITHIN;
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, within ? size : H5T_VARIABLE);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t written =
        attribute < 0 ? -1 : H5Awrite(attribute, type, within ? (const void *)text : (const void *)&text);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    if (written < 0)
        return sw_error(SW_ERR_IO, "%s: cannot write the attribute %s", file_name(where), name);
    return SW_OK;
}

/* NULL when it cannot be had. */
static char *read_text_within(hid_t attribute, hid_t type)
{
    char *text = calloc(H5Tget_size(type) + 1, 1);
    if (text != NULL && H5Aread(attribute, type, text) >= 0)
        return text;
    free(text);
    return NULL;
}

static char *read_long_text(hid_t attribute, hid_t type)
{
    char *found = NULL;
    if (H5Aread(attribute, type, &found) < 0 || found == NULL)
        return NULL;
    char *text = strdup(found);
    H5free_memory(found);
    return text;
}

sw_status sw_h5_read_text(hid_t where, const char *name, char **text)
{
    *text = NULL;
    if (H5Aexists(where, name) <= 0)
        return sw_error(SW_ERR_FORMAT, "%s: the attribute %s is missing", file_name(where), name);
    hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    if (H5Tget_class(type) == H5T_STRING)
        *text = (H5Tis_variable_str(type) > 0 ? read_long_text : read_text_within)(attribute, type);
    H5Tclose(type);
    H5Aclose(attribute);
    return *text != NULL
               ? SW_OK
               : sw_error(SW_ERR_FORMAT, "%s: the attribute %s is not a text", file_name(where), name);
}

int sw_h5_has_text(hid_t where, const char *name, const char *expected)
{
    char *text = NULL;
    const int same = sw_h5_read_text(where, name, &text) == SW_OK && strcmp(text, expected) == 0;
    free(text);
    return same;
}

sw_status sw_h5_write_numbers(hid_t where, const char *name, int count, const double *value)
{
    hsize_t extent = (hsize_t)count;
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, NULL);
    hid_t attribute = H5Acreate2(where, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t written = attribute < 0 ? -1 : H5Awrite(attribute, H5T_NATIVE_DOUBLE, value);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    if (written < 0)
        return sw_error(SW_ERR_IO, "%s: cannot write the attribute %s", file_name(where), name);
    return SW_OK;
}

sw_status sw_h5_read_numbers(hid_t where, const char *name, int count, double *value)
{
    if (H5Aexists(where, name) <= 0)
        return sw_error(SW_ERR_FORMAT, "%s: the attribute %s is missing", file_name(where), name);
    hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute);
    herr_t got = -1;
    if (H5Sget_simple_extent_npoints(space) == count)
        got = H5Aread(attribute, H5T_NATIVE_DOUBLE, value);
    H5Sclose(space);
    H5Aclose(attribute);
    if (got < 0)
        return sw_error(SW_ERR_FORMAT, "%s: the attribute %s does not hold %d numbers", file_name(where),
                        name, count);
    return SW_OK;
}

sw_status sw_h5_describe(hid_t where, const char *dataset, const char *name, const char *text)
{
    hid_t set;
    SW_TRY(sw_h5_open_set(where, dataset, &set));
    const sw_status status = sw_h5_write_text(set, name, text);
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

int sw_h5_exists(hid_t where, const char *name)
{
    char part[256];
    if (strlen(name) >= sizeof part)
        return 0;
    for (const char *end = name; *end != '\0';) {
        end += strcspn(end + 1, "/") + 1;
        snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
        if (H5Lexists(where, part, H5P_DEFAULT) <= 0)
            return 0;
    }
    return 1;
}
