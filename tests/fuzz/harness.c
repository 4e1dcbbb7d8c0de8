#include "harness.h"

#include <dirent.h>
#include <hdf5.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edits.h"

static char folder[PATH_MAX]; /* "": none */
static const sw_fuzz_harness *started;

/* ---- The table ---- */

const sw_fuzz_harness *sw_fuzz_find(const char *name)
{
    static const sw_fuzz_harness *const lists[] = {sw_fuzz_texts, sw_fuzz_jobs, sw_fuzz_files};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const sw_fuzz_harness *h = lists[i]; h->name != NULL; h++)
            if (strcmp(h->name, name) == 0)
                return h;
    return NULL;
}

/* ---- What may not be ---- */

void sw_fuzz_need(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %s; the last message: '%s'\n", started->name, what, sw_error_message());
    abort();
}

static int taken;

int sw_fuzz_taken(void) { return taken; }

int sw_fuzz_is_read(sw_status status)
{
    taken = status == SW_OK || status == SW_ERR_INTERRUPTED;
    if (getenv("SW_FUZZ_SAY") != NULL) /* for people who look into an input */
        fprintf(stderr, "%s: %s\n", started->name, status == SW_OK ? "read" : sw_error_message());
    if (status == SW_OK)
        return 1;
    const char *message = sw_error_message();
    sw_fuzz_need(*message != '\0', "a failure without a message");
    for (const char *c = message; *c != '\0'; c++)
        sw_fuzz_need((unsigned char)*c >= 0x20 && *c != 0x7f, "a message of more than one plain line");
    return 0;
}

/* ---- Files ---- */

void sw_fuzz_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

char *sw_fuzz_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    sw_fuzz_need(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    sw_fuzz_need(bytes != NULL && fread(bytes, 1, *size, file) == *size, path);
    fclose(file);
    return bytes;
}

static int copy_file(const char *from, const char *to)
{
    char piece[1 << 14];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = in == NULL ? NULL : fopen(to, "wb");
    while (out != NULL && (n = fread(piece, 1, sizeof piece, in)) > 0)
        fwrite(piece, 1, n, out);
    if (in != NULL)
        fclose(in);
    return out != NULL && fclose(out) == 0 ? 0 : -1;
}

static int copy_folder(const char *from, const char *to)
{
    struct dirent *entry;
    int failed = 0;
    DIR *all = opendir(from);
    while (all != NULL && (entry = readdir(all)) != NULL) {
        char a[2 * PATH_MAX], b[2 * PATH_MAX];
        snprintf(a, sizeof a, "%s/%s", from, entry->d_name);
        snprintf(b, sizeof b, "%s/%s", to, entry->d_name);
        if (entry->d_name[0] != '.')
            failed |= copy_file(a, b);
    }
    return all == NULL || closedir(all) != 0 || failed ? -1 : 0;
}

/* ---- Work ---- */

static void ignore(void *context, sw_notice notice, const char *text)
{
    (void)context, (void)notice, (void)text;
}

int sw_fuzz_start(const sw_fuzz_harness *harness, const char *beside)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/slipwave-fuzz-XXXXXX", base == NULL ? "/tmp" : base);
    started = harness;
    if (mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        return -1;
    }
    if (copy_folder(beside, folder) != 0 || chdir(folder) != 0)
        return -1;
    sw_listen(ignore, NULL); /* so that notices are made */
    if (harness->prepare != NULL)
        harness->prepare();
    return harness->base == NULL || harness->is_bytes || sw_edits_open(harness->base) ? 0 : -1;
}

int sw_fuzz_one_input(const sw_fuzz_harness *harness, const uint8_t *data, size_t size)
{
    if (size > (harness->most > 0 ? harness->most : 4096))
        return 0;
    if (harness->base != NULL)
        sw_edits_apply(harness->base, harness->file, data, size);
    else
        sw_fuzz_write(harness->file, data, size);
    harness->read(harness->file);
    sw_fuzz_need(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "parts of HDF5 files left open");
    return 0;
}

void sw_fuzz_end(void)
{
    char path[2 * PATH_MAX];
    struct dirent *entry;
    DIR *all = folder[0] != '\0' ? opendir(folder) : NULL;
    sw_listen(NULL, NULL);
    sw_edits_close();
    while (all != NULL && (entry = readdir(all)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        remove(path); /* fails for the folder itself and that above it */
    }
    if (all != NULL)
        closedir(all);
    if (folder[0] != '\0' && (chdir("/") != 0 || rmdir(folder) != 0))
        perror(folder);
    folder[0] = '\0';
}
