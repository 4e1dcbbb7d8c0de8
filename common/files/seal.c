#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/system/threads.h"

/* As it lies in a file, little-endian. */
typedef struct {
    char mark[8];
    int64_t bytes; /* of content before it */
    uint64_t digest;
} seal;

static const char mark[8] = SW_SEAL_MARK;

/* ---- Digest ---- */

/* x -> y, one to one, each bit of y of all of x. */
static inline uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* Words `first` .. first + n - 1, by their places: side by side, in any number at a time. */
static uint64_t digest_words(const char *data, int64_t n, int64_t first)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t word;
        memcpy(&word, data + 8 * i, 8);
        sum += mixed(word + (uint64_t)(first + i + 1) * UINT64_C(0x9E3779B97F4A7C15));
    }
    return sum;
}

/* size: a multiple of 8 but for the last piece, whose last word is filled up with zeros; at: bytes before it. */
static uint64_t digest_piece(const char *data, int64_t size, int64_t at)
{
    char last[8] = {0};
    const int64_t words = size / 8;
    memcpy(last, data + 8 * words, (size_t)(size % 8));
    return digest_words(data, words, at / 8) + (size % 8 > 0 ? digest_words(last, 1, at / 8 + words) : 0);
}

uint64_t sw_digest(const void *data, int64_t size) { return digest_piece(data, size, 0); }

_Static_assert(sizeof(seal) == SW_SEAL_SIZE, "as it lies in a file");

void sw_seal_of(const void *data, int64_t size, char made[SW_SEAL_SIZE])
{
    seal s = {.bytes = size, .digest = sw_digest(data, size)};
    memcpy(s.mark, mark, sizeof mark);
    memcpy(made, &s, sizeof s);
}

/* ---- Files ---- */

static sw_status cannot(const char *path, const char *what)
{
    return sw_error(SW_ERR_IO, "%s: cannot be %s: %s", path, what, errno ? strerror(errno) : "it ends early");
}

/* Bytes `at` on of an open file into piece [want]; 0 where they cannot be read, errno says why (0: it ends early). */
static int read_piece(int file, int64_t at, size_t want, char *piece)
{
    size_t have = 0;
    while (have < want) {
        errno = 0;
        const ssize_t got = pread(file, piece + have, want - have, (off_t)at + (off_t)have);
        if (got <= 0 && errno != EINTR)
            return 0;
        have += got > 0 ? (size_t)got : 0;
    }
    return 1;
}

/* Of the first `bytes` of an open file, whose pieces are as good in any order. */
static sw_status digest_file(int file, const char *path, int64_t bytes, uint64_t *result)
{
    enum { PIECE = 1 << 18, PIECE_NS = 100000 };
    const int64_t pieces = (bytes + PIECE - 1) / PIECE;
    const int threads = sw_threads_for(pieces, PIECE_NS);
    uint64_t sum = 0;
    int reason = -1; /* errno of a piece that cannot be read */
    char *room;
    SW_TRY(SW_ALLOCATE(room, (int64_t)threads * PIECE, "a piece of a file"));
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) reduction(max : reason) num_threads(threads)
    for (int64_t p = 0; p < pieces; p++) {
        char *piece = room + (int64_t)omp_get_thread_num() * PIECE;
        const int64_t at = p * PIECE, want = bytes - at < PIECE ? bytes - at : PIECE;
        if (reason >= 0)
            continue;
        if (read_piece(file, at, (size_t)want, piece))
            sum += digest_piece(piece, want, at);
        else
            reason = errno;
    }
    free(room);
    errno = reason;
    if (reason >= 0)
        return cannot(path, "read");
    *result = sum;
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
    sync_file_range(file, 0, 0,
                    SYNC_FILE_RANGE_WRITE); /* on its way to the disk meanwhile, where that can be */
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
