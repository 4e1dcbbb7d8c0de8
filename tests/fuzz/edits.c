#include "edits.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/hash.h"
#include "common/files/hdf5_io.h"
#include "harness.h"

/* ---- The file that is edited ---- */

enum { OBJECTS = 512, NAME = 200 };
static const char unsealed[] = "unsealed.h5";
static char *content; /* without the seal that it may have */
static size_t content_size;
static char (*object)[NAME]; /* all but the root, in the order of their names; then the root, "." */
static int n_objects;

static herr_t note_object(hid_t file, const char *name, const H5O_info_t *about, void *context)
{
    (void)file, (void)about, (void)context;
    if (strcmp(name, ".") != 0 && n_objects < OBJECTS - 1)
        snprintf(object[n_objects++], NAME, "%s", name);
    return 0;
}

/* As after a change by another program. */
static int read_unsealed(const char *base)
{
    hid_t file;
    size_t size;
    char *sealed = sw_fuzz_bytes(base, &size);
    sw_fuzz_write(unsealed, sealed, size);
    free(sealed);
    if (sw_h5_open(unsealed, 1, &file) != SW_OK || H5Fclose(file) < 0)
        return 0;
    content = sw_fuzz_bytes(unsealed, &content_size);
    return 1;
}

int sw_edits_open(const char *base)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    object = calloc(OBJECTS, NAME);
    n_objects = 0;
    if (object == NULL || !read_unsealed(base))
        return 0;
    const hid_t file = H5Fopen(unsealed, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 || H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_object, NULL, H5O_INFO_BASIC) < 0)
        return 0;
    H5Fclose(file);
    unlink(unsealed);
    strcpy(object[n_objects++], ".");
    return n_objects;
}

void sw_edits_close(void)
{
    free(content);
    free(object);
    content = NULL;
    object = NULL;
}

/* ---- What a file says ---- */

static int is_duration(const char *name)
{
    static const char *const names[] = {"wall_time", "class_updates_per_second", "blocks", "digests",
                                        "created"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

static herr_t digest_attribute(hid_t at, const char *name, const H5A_info_t *about, void *sum)
{
    (void)about;
    char bytes[1 << 16];
    const hid_t attribute = H5Aopen(at, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    const size_t size = (size_t)H5Aget_storage_size(attribute);
    if (!is_duration(name) && size <= sizeof bytes && H5Aread(attribute, type, bytes) >= 0)
        *(uint64_t *)sum = sw_hash(sw_hash(*(uint64_t *)sum, name, strlen(name)), bytes, size);
    H5Tclose(type);
    H5Aclose(attribute);
    return 0;
}

static herr_t digest_object(hid_t file, const char *name, const H5O_info_t *about, void *sum)
{
    const char *slash = strrchr(name, '/');
    const hid_t one = H5Oopen(file, name, H5P_DEFAULT);
    H5Aiterate2(one, H5_INDEX_NAME, H5_ITER_INC, NULL, digest_attribute, sum);
    if (about->type == H5O_TYPE_DATASET && !is_duration(slash != NULL ? slash + 1 : name)) {
        const hid_t type = H5Dget_type(one), space = H5Dget_space(one);
        const size_t size = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
        char *bytes = malloc(size + 1);
        if (bytes != NULL && H5Dread(one, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0)
            *(uint64_t *)sum = sw_hash(sw_hash(*(uint64_t *)sum, name, strlen(name)), bytes, size);
        free(bytes);
        H5Sclose(space);
        H5Tclose(type);
    }
    H5Oclose(one);
    return 0;
}

uint64_t sw_edits_digest(const char *path)
{
    uint64_t sum = SW_HASH_START;
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 || H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, digest_object, &sum, H5O_INFO_BASIC) < 0)
        return 0;
    H5Fclose(file);
    return sum;
}

/* ---- One edit ---- */

typedef struct {
    const char *name;
    unsigned where, what;
} edit;

static double value_of(unsigned what)
{
    static const double values[] = {0,
                                    -1,
                                    1,
                                    2,
                                    -0.5,
                                    NAN,
                                    INFINITY,
                                    -INFINITY,
                                    1e308,
                                    -1e308,
                                    1e-308,
                                    1e-30,
                                    1e30,
                                    127,
                                    32768,
                                    65536,
                                    2147483648.0,
                                    -2147483649.0,
                                    4294967296.0,
                                    9007199254740993.0,
                                    4611686018427387904.0,
                                    9223372036854775807.0,
                                    1e19,
                                    -9223372036854775808.0,
                                    3.5,
                                    1e5,
                                    1e-3,
                                    1e9};
    enum { N = sizeof values / sizeof *values };
    return what % 64 < N ? values[what % 64] : (double)what;
}

/* The dataset's numbers as doubles, edited and written back. */
static void edit_values(hid_t file, const edit *e, int all)
{
    const hid_t set = H5Dopen2(file, e->name, H5P_DEFAULT);
    if (set < 0)
        return;
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const H5T_class_t class = H5Tget_class(type);
    double *value = n > 0 && n < 1 << 22 ? malloc((size_t)n * sizeof *value) : NULL;
    if (value != NULL && (class == H5T_FLOAT || class == H5T_INTEGER) &&
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0) {
        const hssize_t first = all ? 0 : (hssize_t)(e->where % (uint64_t)n), last = all ? n - 1 : first;
        for (hssize_t i = first; i <= last; i++)
            value[i] = value_of(e->what);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    }
    free(value);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

/* Lengths as the edit says: some as they were, some odd, some enormous (of which nothing is stored). */
static hid_t make_space(hid_t old, const edit *e)
{
    static const hsize_t lengths[] = {
        0, 1, 2, 3, 5, 9, 1000, 70000, (hsize_t)1 << 28, (hsize_t)1 << 40, (hsize_t)1 << 61};
    enum { N = sizeof lengths / sizeof *lengths };
    hsize_t extent[H5S_MAX_RANK] = {1, 1, 1, 1, 1};
    int rank = H5Sget_simple_extent_ndims(old);
    if (rank > 0)
        H5Sget_simple_extent_dims(old, extent, NULL);
    const unsigned which = e->where % 8;
    if (which < 5) { /* another length */
        const unsigned k = (unsigned)(rank > 0 ? which % (unsigned)rank : 0);
        extent[k] = e->what % 16 == 15   ? extent[k] + 1
                    : e->what % 16 == 14 ? extent[k] - 1
                                         : lengths[e->what % N];
        rank = rank > 0 ? rank : 1;
    } else {
        rank = (int)(e->what % 5);
    }
    return H5Screate_simple(rank, extent, NULL);
}

static hid_t make_type(hid_t old, unsigned what)
{
    hid_t type;
    switch (what % 10) {
    case 0:
        return H5Tcopy(H5T_NATIVE_INT8);
    case 1:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case 2:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case 3:
        return H5Tcopy(H5T_IEEE_F64BE);
    case 4:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 1 + what / 10);
        return type;
    case 5:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 6:
        return H5Tcreate(H5T_OPAQUE, 4);
    case 7:
        type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(type, "b", 8, H5T_NATIVE_INT64);
        return type;
    case 8:
        return H5Tvlen_create(H5T_NATIVE_DOUBLE);
    default:
        return H5Tcopy(old);
    }
}

/* Another dataset in its place, of zeros that are not stored; attributes are kept. */
static void replace_set(hid_t file, const edit *e, int by_type)
{
    const hid_t set = H5Dopen2(file, e->name, H5P_DEFAULT);
    if (set < 0)
        return;
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const hid_t new_space = by_type ? H5Scopy(space) : make_space(space, e);
    const hid_t new_type = by_type ? make_type(type, e->what) : H5Tcopy(type);
    H5Dclose(set);
    if (new_space >= 0 && new_type >= 0 && H5Ldelete(file, e->name, H5P_DEFAULT) >= 0) {
        const hid_t made =
            H5Dcreate2(file, e->name, new_type, new_space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (made >= 0)
            H5Dclose(made);
    }
    H5Tclose(new_type);
    H5Sclose(new_space);
    H5Tclose(type);
    H5Sclose(space);
}

static void replace_link(hid_t file, const edit *e)
{
    hid_t made = H5I_INVALID_HID, space;
    char self[NAME + 2];
    if (strcmp(e->name, ".") == 0 || H5Ldelete(file, e->name, H5P_DEFAULT) < 0)
        return;
    snprintf(self, sizeof self, "/%s", e->name);
    switch (e->what % 5) {
    case 0:
        made = H5Gcreate2(file, e->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 1:
        H5Lcreate_soft("/nowhere", file, e->name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2:
        H5Lcreate_soft(self, file, e->name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 3:
        H5Lcreate_hard(file, "/", file, e->name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    default:
        space = H5Screate(H5S_NULL);
        made = H5Dcreate2(file, e->name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Sclose(space);
    }
    if (made >= 0)
        H5Oclose(made);
}

/* ---- Attributes ---- */

static void write_attribute(hid_t at, const char *name, hid_t type, hid_t space, const void *data)
{
    const hid_t made = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made >= 0 && data != NULL)
        H5Awrite(made, type, data);
    if (made >= 0)
        H5Aclose(made);
}

static void replace_attribute(hid_t at, const char *name, unsigned what)
{
    static const char *const texts[] = {"", "x", "\x1b[31m\n", "slipwave", "a: [[[[", "1e308", "-1", "%s%n"};
    const double number = value_of(what / 8), many[5] = {number, number, number, number, number};
    const char *text = texts[what / 8 % 8];
    const hsize_t five = 5;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Adelete(at, name);
    switch (what % 8) {
    case 0:
        break; /* gone */
    case 1:
        H5Tset_size(type, strlen(text) + 1);
        write_attribute(at, name, type, space, text);
        break;
    case 2:
        H5Tset_size(type, H5T_VARIABLE);
        write_attribute(at, name, type, space, &text);
        break;
    case 3:
        write_attribute(at, name, H5T_NATIVE_DOUBLE, space, &number);
        break;
    case 4:
    case 5:
    case 6:
        H5Sclose(space);
        space = what % 8 == 4 ? H5Screate_simple(1, &five, NULL)
                              : H5Screate(what % 8 == 5 ? H5S_NULL : H5S_SCALAR);
        write_attribute(at, name, what % 8 == 6 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, space,
                        what % 8 == 4 ? many : NULL);
        break;
    default: /* a text without an end */
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        H5Tset_size(type, 3);
        write_attribute(at, name, type, space, "abc");
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void edit_numbers(hid_t attribute, hssize_t n, const edit *e)
{
    double *value = n > 0 && n < 4096 ? malloc((size_t)n * sizeof *value) : NULL;
    if (value != NULL && H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0) {
        value[e->where / 64 % (unsigned)n] = value_of(e->what);
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, value);
    }
    free(value);
}

static void edit_letter(hid_t attribute, hid_t type, const edit *e)
{
    const size_t size = H5Tget_size(type);
    char *text = H5Tis_variable_str(type) > 0 || size > 1 << 16 ? NULL : calloc(size + 1, 1);
    if (text != NULL && H5Aread(attribute, type, text) >= 0) {
        text[e->where / 64 % (size > 1 ? size - 1 : 1)] = (char)e->what;
        H5Awrite(attribute, type, text);
    }
    free(text);
}

static void edit_attribute(hid_t file, const edit *e, int kind)
{
    const hid_t at = H5Oopen(file, e->name, H5P_DEFAULT);
    H5O_info_t about;
    if (at < 0)
        return;
    char name[NAME] = "";
    if (H5Oget_info2(at, &about, H5O_INFO_NUM_ATTRS) >= 0 && about.num_attrs > 0)
        H5Aget_name_by_idx(at, ".", H5_INDEX_NAME, H5_ITER_INC, e->where % 64 % about.num_attrs, name,
                           sizeof name, H5P_DEFAULT);
    if (name[0] != '\0' && kind == SW_EDIT_ATTRIBUTE)
        replace_attribute(at, name, e->what);
    else if (name[0] != '\0') {
        const hid_t attribute = H5Aopen(at, name, H5P_DEFAULT), type = H5Aget_type(attribute),
                    space = H5Aget_space(attribute);
        const H5T_class_t class = H5Tget_class(type);
        if (kind == SW_EDIT_LETTER && class == H5T_STRING)
            edit_letter(attribute, type, e);
        else if (kind == SW_EDIT_NUMBER && (class == H5T_FLOAT || class == H5T_INTEGER))
            edit_numbers(attribute, H5Sget_simple_extent_npoints(space), e);
        H5Sclose(space);
        H5Tclose(type);
        H5Aclose(attribute);
    }
    H5Oclose(at);
}

static void edit_one(hid_t file, const uint8_t byte[SW_EDIT_SIZE])
{
    const edit e = {object[byte[1] % n_objects], (unsigned)byte[2] + 256U * byte[3],
                    (unsigned)byte[4] + 256U * byte[5]};
    switch (byte[0] % SW_EDITS) {
    case SW_EDIT_VALUE:
    case SW_EDIT_ALL:
        edit_values(file, &e, byte[0] % SW_EDITS == SW_EDIT_ALL);
        break;
    case SW_EDIT_REMOVE:
        H5Ldelete(file, e.name, H5P_DEFAULT);
        break;
    case SW_EDIT_SHAPE:
    case SW_EDIT_TYPE:
        replace_set(file, &e, byte[0] % SW_EDITS == SW_EDIT_TYPE);
        break;
    case SW_EDIT_LINK:
        replace_link(file, &e);
        break;
    default:
        edit_attribute(file, &e, byte[0] % SW_EDITS);
    }
}

void sw_edits_apply(const char *base, const char *path, const uint8_t *edits, size_t size)
{
    (void)base;
    sw_fuzz_write(path, content, content_size);
    const hid_t file = size >= SW_EDIT_SIZE ? H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT) : H5I_INVALID_HID;
    for (size_t i = 0; file >= 0 && i + SW_EDIT_SIZE <= size && i < 8 * SW_EDIT_SIZE; i += SW_EDIT_SIZE)
        edit_one(file, edits + i);
    if (file >= 0)
        H5Fclose(file);
}
