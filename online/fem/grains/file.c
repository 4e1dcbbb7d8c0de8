/* Grains and seeds from files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/files/text.h"
#include "grains.h"
#include "online/fem/mesh/mesh.h"

/* ---- Words of a text ---- */

typedef struct {
    char *text, *at;
    int line;
} words;

static const char blanks[] = " \t\r,";

/* The next word, its end overwritten; comments are read over. NULL: no more, in this line when `here`. */
static char *next_word(words *w, int here)
{
    for (;;) {
        w->at += strspn(w->at, blanks);
        if (*w->at == '#')
            w->at += strcspn(w->at, "\n");
        if (*w->at == '\0' || (*w->at == '\n' && here))
            return NULL;
        if (*w->at != '\n')
            break;
        w->at++;
        w->line++;
    }
    char *word = w->at;
    w->at += strcspn(w->at, " \t\r,#\n");
    return word;
}

/* A word is ended only while it is looked at. */
static const char *parse_here(words *w, char *word, double *number)
{
    const char after = *w->at;
    *w->at = '\0';
    const char *wrong = sw_parse_real(word, number);
    if (wrong == NULL)
        *w->at = after;
    return wrong;
}

/* ---- Seeds ---- */

static int is_inside(const sw_fem_mesh *mesh, const double at[3])
{
    const sw_fem_lattice *l = mesh->lattice;
    int inside = 1;
    for (int j = 0; j < sw_fem_shapes[mesh->shape].dimension; j++)
        inside &= at[j] >= l->origin[j] && at[j] <= l->origin[j] + l->size[j] * l->n[j] * (1 + 1e-12);
    return inside;
}

static sw_status read_place(const char *path, const sw_fem_mesh *mesh, words *w, char *word, double at[3])
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    char text[SW_FEM_PLACE_TEXT];
    at[2] = 0;
    for (int j = 0; j < d; j++) {
        if (j > 0)
            word = next_word(w, 1);
        if (word == NULL)
            return sw_error(SW_ERR_INPUT, "%s:%d: has %d numbers: need %d, m", path, w->line, j, d);
        const char *wrong = parse_here(w, word, &at[j]);
        if (wrong != NULL)
            return sw_error(SW_ERR_INPUT, "%s:%d: '%.40s': need %s", path, w->line, word, wrong);
    }
    if (next_word(w, 1) != NULL)
        return sw_error(SW_ERR_INPUT, "%s:%d: has more than %d numbers: need %d, m", path, w->line, d, d);
    if (!is_inside(mesh, at))
        return sw_error(SW_ERR_INPUT, "%s:%d: the seed at %s is outside the body", path, w->line,
                        sw_fem_place_text(d, at, text));
    return SW_OK;
}

static sw_status read_places(const char *path, const sw_fem_mesh *mesh, words *w, int64_t *n,
                             double (*place)[3])
{
    for (char *word = next_word(w, 0); word != NULL; word = next_word(w, 0))
        SW_TRY(read_place(path, mesh, w, word, place[(*n)++]));
    return *n > 0 ? SW_OK : sw_error(SW_ERR_INPUT, "%s: has no seed", path);
}

sw_status sw_fem_grain_seeds_read(const char *path, const sw_fem_mesh *mesh, int64_t *n_grains,
                                  double (**place)[3])
{
    words w = {.line = 1};
    int64_t lines = 1;
    *n_grains = 0;
    *place = NULL;
    SW_TRY(sw_read_text(path, &w.text));
    w.at = w.text;
    for (const char *at = w.text; *at != '\0'; at++)
        lines += *at == '\n';
    sw_status status = SW_ALLOCATE(*place, lines, "seeds of grains");
    if (status == SW_OK)
        status = read_places(path, mesh, &w, n_grains, *place);
    if (status != SW_OK) {
        free(*place);
        *place = NULL;
        *n_grains = 0;
    }
    free(w.text);
    return status;
}

/* ---- Grains of elements ---- */

enum { MOST_GRAINS = 1 << 28 };

static int is_hdf5(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

static sw_status read_numbers(const char *path, words *w, int64_t n_elements, int32_t *grain)
{
    int64_t count = 0;
    for (char *word = next_word(w, 0); word != NULL; word = next_word(w, 0), count++) {
        int64_t number = -1;
        const char after = *w->at;
        *w->at = '\0';
        if (sw_parse_whole(word, &number) != NULL || number < 0 || number >= MOST_GRAINS)
            return sw_error(SW_ERR_INPUT, "%s:%d: '%.40s': need a whole number from 0 to %d", path, w->line,
                            word, MOST_GRAINS - 1);
        *w->at = after;
        if (count < n_elements)
            grain[count] = (int32_t)number;
    }
    if (count != n_elements)
        return sw_error(SW_ERR_INPUT, "%s: has %lld numbers: need %lld, one an element", path,
                        (long long)count, (long long)n_elements);
    return SW_OK;
}

static sw_status read_text(const char *path, int64_t n_elements, int32_t *grain)
{
    words w = {.line = 1};
    SW_TRY(sw_read_text(path, &w.text));
    w.at = w.text;
    const sw_status status = read_numbers(path, &w, n_elements, grain);
    free(w.text);
    return status;
}

/* Rank and size are whatever they are, as long as there are E numbers. */
static sw_status read_values(const char *path, const char *name, hid_t set, int64_t n_elements,
                             int64_t *number)
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const int whole = H5Tget_class(type) == H5T_INTEGER;
    H5Sclose(space);
    H5Tclose(type);
    if (!whole)
        return sw_error(SW_ERR_INPUT, "%s: %.80s: need whole numbers", path, name);
    if (count != n_elements)
        return sw_error(SW_ERR_INPUT, "%s: %.80s: has %lld numbers: need %lld, one an element", path, name,
                        (long long)count, (long long)n_elements);
    if (H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, number) < 0)
        return sw_error(SW_ERR_IO, "%s: %.80s: cannot be read", path, name);
    return SW_OK;
}

static sw_status take_values(const char *path, const char *name, int64_t n_elements, const int64_t *number,
                             int32_t *grain)
{
    for (int64_t e = 0; e < n_elements; e++) {
        if (number[e] < 0 || number[e] >= MOST_GRAINS)
            return sw_error(SW_ERR_INPUT, "%s: %.80s: number %lld is %lld: need 0 to %d", path, name,
                            (long long)e + 1, (long long)number[e], MOST_GRAINS - 1);
        grain[e] = (int32_t)number[e];
    }
    return SW_OK;
}

static sw_status read_set(const char *path, const char *name, hid_t file, int64_t n_elements, int32_t *grain)
{
    int64_t *number;
    hid_t set;
    if (!sw_h5_exists(file, name))
        return sw_error(SW_ERR_INPUT, "%s: has no dataset %.80s", path, name);
    SW_TRY(sw_h5_open_set(file, name, &set));
    sw_status status = SW_ALLOCATE(number, n_elements, "grains");
    if (status == SW_OK) {
        status = read_values(path, name, set, n_elements, number);
        if (status == SW_OK)
            status = take_values(path, name, n_elements, number, grain);
        free(number);
    }
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

static sw_status read_hdf5(const char *path, const char *name, int64_t n_elements, int32_t *grain)
{
    hid_t file;
    SW_TRY(sw_h5_open(path, 0, &file));
    const sw_status status = read_set(path, name, file, n_elements, grain);
    H5Fclose(file);
    return status;
}

sw_status sw_fem_grains_read(const char *path, const char *dataset, int64_t n_elements, int32_t *grain,
                             int64_t *n_grains)
{
    *n_grains = 0;
    SW_TRY(is_hdf5(path) ? read_hdf5(path, dataset != NULL ? dataset : "grain", n_elements, grain)
                         : read_text(path, n_elements, grain));
    for (int64_t e = 0; e < n_elements; e++)
        *n_grains = grain[e] >= *n_grains ? grain[e] + 1 : *n_grains;
    return SW_OK;
}
