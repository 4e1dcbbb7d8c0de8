#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash.h"

/* As it lies in a file, little-endian. */
typedef struct {
    char mark[8];
    int64_t bytes; /* of content before it */
    uint64_t digest;
} seal;

static const char mark[8] = "SWSEAL01";

/* ---- Digest ---- */

/* Four chains of words side by side, each as sw_hash: one waits for its product while the others go on. */
enum { CHAINS = 4, STRIDE = 8 * CHAINS };

typedef struct {
    uint64_t chain[CHAINS];
} digest;

static digest begin_digest(void)
{
    digest d;
    for (int k = 0; k < CHAINS; k++)
        d.chain[k] = SW_HASH_START + (uint64_t)k;
    return d;
}

/* size: a multiple of STRIDE but for the last piece, which is filled up with zeros. */
static void go_on(digest *d, const char *data, size_t size)
{
    uint64_t chain[CHAINS], word[CHAINS];
    memcpy(chain, d->chain, sizeof chain);
    for (size_t i = 0; i < size; i += STRIDE) {
        memset(word, 0, sizeof word);
        memcpy(word, data + i, size - i < STRIDE ? size - i : STRIDE);
        for (int k = 0; k < CHAINS; k++) {
            chain[k] = (chain[k] ^ word[k]) * UINT64_C(1099511628211);
            chain[k] ^= chain[k] >> 29;
        }
    }
    memcpy(d->chain, chain, sizeof chain);
}

static uint64_t end_digest(const digest *d) { return sw_hash(SW_HASH_START, d->chain, sizeof d->chain); }

uint64_t sw_digest(const void *data, int64_t size)
{
    digest d = begin_digest();
    go_on(&d, data, (size_t)size);
    return end_digest(&d);
}

/* ---- Files ---- */

static sw_status cannot(const char *path, const char *what)
{
    return sw_error(SW_ERR_IO, "%s: cannot be %s: %s", path, what, errno ? strerror(errno) : "it ends early");
}

/* Of the first `bytes` of an open file. */
static sw_status digest_file(int file, const char *path, int64_t bytes, uint64_t *result)
{
    enum { PIECE = 1 << 18 };
    digest d = begin_digest();
    char *piece;
    SW_TRY(SW_ALLOCATE(piece, PIECE, "a piece of a file"));
    int64_t done = 0;
    while (done < bytes) {
        size_t have = 0;
        const size_t want = bytes - done < PIECE ? (size_t)(bytes - done) : PIECE;
        while (have < want) {
            errno = 0;
            const ssize_t got = pread(file, piece + have, want - have, (off_t)done + (off_t)have);
            if (got <= 0 && errno != EINTR) {
                free(piece);
                return cannot(path, "read");
            }
            have += got > 0 ? (size_t)got : 0;
        }
        go_on(&d, piece, want);
        done += (int64_t)want;
    }
    free(piece);
    *result = end_digest(&d);
    return SW_OK;
}

static sw_status open_at(const char *path, int flags, int *file, int64_t *bytes)
{
    struct stat about;
    *bytes = 0;
    errno = 0;
    *file = open(path, flags | O_CLOEXEC | O_NONBLOCK); /* a pipe would keep it waiting */
    if (*file < 0)
        return cannot(path, "opened");
    if (fstat(*file, &about) != 0) {
        close(*file);
        return cannot(path, "opened");
    }
    if (S_ISREG(about.st_mode))
        *bytes = (int64_t)about.st_size;
    return SW_OK;
}

/* The seal at the end of a file of so many bytes; 0: it has none. */
static int read_seal(int file, int64_t bytes, seal *s)
{
    return bytes >= (int64_t)sizeof *s &&
           pread(file, s, sizeof *s, (off_t)(bytes - (int64_t)sizeof *s)) == (ssize_t)sizeof *s &&
           memcmp(s->mark, mark, sizeof mark) == 0;
}

sw_status sw_seal(const char *path)
{
    int file;
    seal s = {.digest = 0};
    SW_TRY(open_at(path, O_RDWR, &file, &s.bytes));
    memcpy(s.mark, mark, sizeof mark);
    sw_status status = digest_file(file, path, s.bytes, &s.digest);
    errno = 0;
    if (status == SW_OK && pwrite(file, &s, sizeof s, (off_t)s.bytes) != (ssize_t)sizeof s)
        status = cannot(path, "written");
    errno = 0;
    if (close(file) != 0 && status == SW_OK)
        status = cannot(path, "written");
    return status;
}

sw_status sw_seal_check(const char *path, int *sealed)
{
    int file;
    int64_t bytes = 0;
    uint64_t now = 0;
    seal s;
    *sealed = 0;
    SW_TRY(open_at(path, O_RDONLY, &file, &bytes));
    sw_status status = SW_OK;
    const int64_t content = bytes - (int64_t)sizeof s;
    if (read_seal(file, bytes, &s)) {
        status = digest_file(file, path, content, &now);
        *sealed = 1;
        if (status == SW_OK && (s.bytes != content || s.digest != now))
            status = sw_error(SW_ERR_FORMAT, "%s: damaged: its content is not what was written", path);
    }
    close(file);
    return status;
}

sw_status sw_seal_break(const char *path)
{
    int file;
    int64_t bytes = 0;
    seal s;
    SW_TRY(open_at(path, O_RDWR, &file, &bytes));
    errno = 0;
    const int failed = read_seal(file, bytes, &s) && ftruncate(file, (off_t)(bytes - (int64_t)sizeof s)) != 0;
    const int reason = errno;
    close(file);
    errno = reason;
    return failed ? cannot(path, "changed") : SW_OK;
}
