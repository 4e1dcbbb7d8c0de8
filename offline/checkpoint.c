#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/hash.h"
#include "common/job/partial.h"

struct sw_checkpoint {
    char *path;
    int file;
    int64_t block_bytes; /* a checksum and the numbers */
};

typedef struct {
    char magic[16];
    uint64_t key;
    int64_t n_blocks, block_numbers;
} header;

static const char magic[16] = "slipwave-check2";

static int read_all(int file, void *data, size_t bytes, off_t offset)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = pread(file, (char *)data + done, bytes - done, offset + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        done += (size_t)n;
    }
    return 1;
}

static int write_all(int file, const void *data, size_t bytes, off_t offset)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = pwrite(file, (const char *)data + done, bytes - done, offset + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        done += (size_t)n;
    }
    return 1;
}

/* One run at a time; the lock goes with the process. */
static sw_status lock(const sw_checkpoint *c)
{
    return flock(c->file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "%s: is in use by another run", c->path);
}

static sw_status begin(const sw_checkpoint *c, const header *wanted)
{
    SW_TRY(lock(c));
    if (!write_all(c->file, wanted, sizeof *wanted, 0))
        return sw_error(SW_ERR_IO, "%s: %s", c->path, strerror(errno));
    return SW_OK;
}

static sw_status create(sw_checkpoint *c, const header *wanted)
{
    c->file = open(c->path, O_RDWR | O_CREAT | O_EXCL, 0666);
    if (c->file < 0 && errno == EEXIST)
        return sw_partial_refuse(c->path);
    if (c->file < 0)
        return sw_error(SW_ERR_IO, "%s: %s", c->path, strerror(errno));
    const sw_status status = begin(c, wanted);
    if (status != SW_OK)
        unlink(c->path);
    return status;
}

static sw_status reopen(sw_checkpoint *c, const header *wanted)
{
    header found;
    struct stat information;
    c->file = open(c->path, O_RDWR);
    if (c->file < 0 && errno == ENOENT)
        return create(c, wanted);
    if (c->file < 0)
        return sw_error(SW_ERR_IO, "%s: %s", c->path, strerror(errno));
    SW_TRY(lock(c));
    /* killed while the header was written: nothing is in it yet */
    if (fstat(c->file, &information) == 0 && information.st_size < (off_t)sizeof found)
        return begin(c, wanted);
    if (!read_all(c->file, &found, sizeof found, 0) || memcmp(found.magic, magic, sizeof magic) != 0)
        return sw_error(SW_ERR_FORMAT, "%s: is not a checkpoint of this version of slipwave-db", c->path);
    if (found.key != wanted->key || found.n_blocks != wanted->n_blocks ||
        found.block_numbers != wanted->block_numbers)
        return sw_error(SW_ERR_FORMAT, "%s: belongs to another material, grid or version", c->path);
    return SW_OK;
}

sw_status sw_checkpoint_open(const char *path, uint64_t key, int64_t n_blocks, int64_t block_numbers,
                             int resume, sw_checkpoint **checkpoint)
{
    header wanted = {.key = key, .n_blocks = n_blocks, .block_numbers = block_numbers};
    sw_checkpoint *c;
    *checkpoint = NULL;
    memcpy(wanted.magic, magic, sizeof magic);
    SW_TRY(SW_ALLOCATE(c, 1, "checkpoint"));
    c->file = -1;
    c->path = strdup(path);
    c->block_bytes = (block_numbers + 1) * 8;
    sw_status status = c->path ? SW_OK : sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    if (status == SW_OK)
        status = resume ? reopen(c, &wanted) : create(c, &wanted);
    if (status != SW_OK)
        sw_checkpoint_close(c);
    else
        *checkpoint = c;
    return status;
}

static off_t place_of(const sw_checkpoint *c, int64_t block)
{
    return (off_t)sizeof(header) + (off_t)(block * c->block_bytes);
}

/* Of a block's number and content: a block in another's place is damaged too. Never 0, which an unwritten
 * place holds. */
static uint64_t block_checksum(int64_t block, const double *data, int64_t n)
{
    const uint64_t sum =
        sw_hash(sw_hash(SW_HASH_START, &block, sizeof block), data, (size_t)n * sizeof *data);
    return sum != 0 ? sum : 1;
}

int sw_checkpoint_read(const sw_checkpoint *checkpoint, int64_t block, double *data, int64_t n)
{
    uint64_t sum;
    const off_t place = place_of(checkpoint, block);
    if (!read_all(checkpoint->file, &sum, sizeof sum, place) || sum == 0)
        return 0;
    if (!read_all(checkpoint->file, data, (size_t)n * sizeof *data, place + 8))
        return -1;
    return sum == block_checksum(block, data, n) ? 1 : -1;
}

sw_status sw_checkpoint_write(const sw_checkpoint *checkpoint, int64_t block, const double *data, int64_t n)
{
    const uint64_t sum = block_checksum(block, data, n);
    const off_t place = place_of(checkpoint, block);
    if (!write_all(checkpoint->file, data, (size_t)n * sizeof *data, place + 8) ||
        !write_all(checkpoint->file, &sum, sizeof sum, place))
        return sw_error(SW_ERR_IO, "%s: %s", checkpoint->path, strerror(errno));
    return SW_OK;
}

void sw_checkpoint_close(sw_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    if (checkpoint->file >= 0)
        close(checkpoint->file);
    free(checkpoint->path);
    free(checkpoint);
}
