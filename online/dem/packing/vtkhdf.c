/* Packings as VTKHDF 1.0: an unstructured grid of vertices, with the cell and contacts as field data. */
#include "formats.h"

#include <stdlib.h>
#include <string.h>

#include "common/files/vtkhdf.h"
#include "memory.h"
#include "online/dem/element/rve.h"

static const char *const laws[] = {
#define LAW(id, text, function, numbers, overlap, keys, meaning) [id] = (text),
    SW_DEM_LAW_LIST(LAW)
#undef LAW
};

enum { MOST_COLUMNS = 256 }; /* of what a packing remembers */

/* ---- Writing ---- */

/* One vertex a point: ParaView draws points of a grid, and its glyphs, through cells. */
static sw_status write_vertices(hid_t group, int64_t n)
{
    enum { VTK_VERTEX = 1 };
    const int64_t ends = n + 1;
    int64_t *number = NULL;
    unsigned char *type = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(number, ends, "vertices of a VTKHDF file"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(type, n, "vertices of a VTKHDF file"), end);
    for (int64_t i = 0; i < ends; i++)
        number[i] = i;
    memset(type, VTK_VERTEX, (size_t)n);
    SW_TRY_GOTO(status, sw_vtkhdf_write_counts(group, n, n, n), end);
    SW_TRY_GOTO(status, sw_h5_write(group, "Connectivity", H5T_NATIVE_INT64, 1, &n, number), end);
    SW_TRY_GOTO(status, sw_h5_write(group, "Offsets", H5T_NATIVE_INT64, 1, &ends, number), end);
    status = sw_h5_write(group, "Types", H5T_NATIVE_UINT8, 1, &n, type);
end:
    free(number);
    free(type);
    return status;
}

static sw_status write_cell(hid_t group, const double cell[3][3])
{
    double vector[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            vector[j][i] = cell[i][j];
    return sw_h5_write(group, "FieldData/cell", H5T_NATIVE_DOUBLE, 2, (int64_t[]){3, 3}, vector);
}

static sw_status write_field(hid_t group, int64_t n, const char *name, int components, const double *data)
{
    char path[160];
    snprintf(path, sizeof path, "PointData/%s", name);
    return sw_h5_write(group, path, H5T_NATIVE_DOUBLE, components == 1 ? 1 : 2, (int64_t[]){n, components},
                       data);
}

/* ParaView shows nothing of them; the law is an attribute, since VTK reads no texts of field data of such files. */
static sw_status write_contacts(hid_t group, const sw_dem_packing *packing)
{
    const int64_t n = packing->n_contacts;
    if (packing->contact == NULL || n == 0)
        return SW_OK;
    SW_TRY(sw_h5_write(group, "FieldData/contact_pair", H5T_NATIVE_INT32, 2, (int64_t[]){n, 2},
                       packing->contact));
    SW_TRY(sw_h5_write(group, "FieldData/contact_history", H5T_NATIVE_DOUBLE, 2,
                       (int64_t[]){n, packing->contact_numbers}, packing->contact_history));
    const int known = (int)packing->contact_law >= 0 && packing->contact_law < SW_DEM_LAWS;
    return sw_h5_describe(group, "FieldData/contact_history", "law", known ? laws[packing->contact_law] : "");
}

/* The law stands at contacts with walls, too: there may be no others. */
static sw_status write_memory(hid_t group, const sw_dem_packing *packing)
{
    char name[64];
    for (int i = 0; packing->memory != NULL && i < SW_DEM_MEMORIES; i++) {
        const int64_t shape[2] = {packing->memory->of[i].rows, packing->memory->of[i].columns};
        if (packing->memory->of[i].number == NULL)
            continue;
        snprintf(name, sizeof name, "FieldData/%s", sw_dem_memory_name(i));
        SW_TRY(sw_h5_write(group, name, H5T_NATIVE_DOUBLE, 2, shape, packing->memory->of[i].number));
        if (i == SW_DEM_MEMORY_TOUCH)
            SW_TRY(sw_h5_describe(group, name, "law", laws[packing->contact_law]));
    }
    return SW_OK;
}

/* What each particle is of, bytes or words, as numbers that ParaView colours by. */
static sw_status write_numbers(hid_t group, const char *name, int64_t n, const uint8_t *bytes,
                               const int32_t *words)
{
    double *number;
    if (bytes == NULL && words == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(number, n, "particles of a packing"));
    for (int64_t i = 0; i < n; i++)
        number[i] = bytes != NULL ? bytes[i] : words[i];
    const sw_status status = write_field(group, n, name, 1, number);
    free(number);
    return status;
}

static sw_status write_group(hid_t group, const sw_dem_packing *packing, int n_fields,
                             const sw_dem_packing_field *field)
{
    const int64_t n = packing->n_particles;
    SW_TRY(write_vertices(group, n));
    SW_TRY(sw_h5_write(group, "Points", H5T_NATIVE_DOUBLE, 2, (int64_t[]){n, 3}, packing->position));
    SW_TRY(write_cell(group, packing->cell));
    SW_TRY(write_contacts(group, packing));
    SW_TRY(write_memory(group, packing));
    SW_TRY(write_field(group, n, "radius", 1, packing->radius));
    SW_TRY(write_numbers(group, "material", n, packing->material, NULL));
    SW_TRY(write_numbers(group, "clump", n, NULL, packing->clump));
    if (packing->velocity != NULL)
        SW_TRY(write_field(group, n, "velocity", 3, packing->velocity[0]));
    if (packing->spin != NULL)
        SW_TRY(write_field(group, n, "spin", 3, packing->spin[0]));
    for (int i = 0; i < n_fields; i++)
        SW_TRY(write_field(group, n, field[i].name, field[i].components, field[i].data));
    return SW_OK;
}

sw_status sw_dem_vtkhdf_write(const char *path, const sw_dem_packing *packing, int n_fields,
                              const sw_dem_packing_field *field)
{
    sw_h5_output output;
    hid_t group;
    SW_TRY(sw_vtkhdf_begin(path, &output, &group));
    return sw_vtkhdf_end(&output, group, write_group(group, packing, n_fields, field));
}

/* ---- Reading ---- */

static sw_status read_vectors(hid_t file, const char *name, int64_t n, double (**vector)[3])
{
    SW_TRY(SW_ALLOCATE(*vector, n, "particles of a packing"));
    return sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 2, (int64_t[]){n, 3}, *vector);
}

static sw_status read_law(hid_t file, const char *name, sw_dem_law *law)
{
    hid_t set;
    char *text = NULL;
    SW_TRY(sw_h5_open_set(file, name, &set));
    const sw_status status = sw_h5_read_text(set, "law", &text);
    H5Dclose(set);
    for (*law = (sw_dem_law)0; status == SW_OK && *law < SW_DEM_LAWS; ++*law)
        if (strcmp(text, laws[*law]) == 0)
            break;
    free(text);
    return status;
}

static sw_status read_material(hid_t file, const char *path, sw_dem_packing *packing)
{
    static const char name[] = "VTKHDF/PointData/material";
    const int64_t n = packing->n_particles;
    double *number;
    if (!sw_h5_exists(file, name))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(packing->material, n, "particles of a packing"));
    SW_TRY(SW_ALLOCATE(number, n, "particles of a packing"));
    sw_status status = sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 1, &n, number);
    for (int64_t i = 0; status == SW_OK && i < n; i++) {
        if (!(number[i] >= 0 && number[i] < SW_DEM_MATERIALS && number[i] == (int)number[i]))
            status =
                sw_error(SW_ERR_INPUT, "%s: material of particle %lld = %g: need a whole number, 0 to %d",
                         path, (long long)i, number[i], SW_DEM_MATERIALS - 1);
        else
            packing->material[i] = (uint8_t)number[i];
    }
    free(number);
    return status;
}

static sw_status read_clump(hid_t file, const char *path, sw_dem_packing *packing)
{
    static const char name[] = "VTKHDF/PointData/clump";
    const int64_t n = packing->n_particles;
    double *number;
    if (!sw_h5_exists(file, name))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(packing->clump, n, "particles of a packing"));
    SW_TRY(SW_ALLOCATE(number, n, "particles of a packing"));
    sw_status status = sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 1, &n, number);
    for (int64_t i = 0; status == SW_OK && i < n; i++)
        if (number[i] >= -1 && number[i] < (double)n)
            packing->clump[i] = (int32_t)number[i];
        else
            status = sw_error(SW_ERR_INPUT, "%s: clump of particle %lld = %g: need -1, or 0 to %lld", path,
                              (long long)i, number[i], (long long)n - 1);
    free(number);
    return status;
}

/* Shapes are looked at before there is memory for them. */
static sw_status read_contacts(hid_t file, const char *path, sw_dem_packing *packing)
{
    static const char pairs[] = "VTKHDF/FieldData/contact_pair",
                      numbers[] = "VTKHDF/FieldData/contact_history";
    int64_t shape[2];
    if (!sw_h5_exists(file, pairs) && !sw_h5_exists(file, numbers))
        return SW_OK;
    SW_TRY(sw_h5_shape(file, numbers, 2, shape));
    const int64_t n = shape[0], m = shape[1];
    SW_TRY(sw_h5_need_shape(file, pairs, 2, (int64_t[]){n, 2}));
    if (n > SW_DEM_MOST_PAIRS || m < 1 || m > SW_DEM_MOST_NUMBERS)
        return sw_error(SW_ERR_FORMAT, "%s: %s is [%lld][%lld]: need at most %d contacts, of 1 to %d numbers",
                        path, numbers, (long long)n, (long long)m, SW_DEM_MOST_PAIRS, SW_DEM_MOST_NUMBERS);
    if (n == 0)
        return SW_OK;
    SW_TRY(read_law(file, numbers, &packing->contact_law));
    SW_TRY(SW_ALLOCATE(packing->contact, n, "contacts of a packing"));
    SW_TRY(SW_ALLOCATE(packing->contact_history, n * m, "contacts of a packing"));
    packing->n_contacts = n;
    packing->contact_numbers = (int)m;
    SW_TRY(sw_h5_read(file, pairs, H5T_NATIVE_INT32, 2, (int64_t[]){n, 2}, packing->contact));
    return sw_h5_read(file, numbers, H5T_NATIVE_DOUBLE, 2, shape, packing->contact_history);
}

/* Arrays that another version would have otherwise are not read. */
static sw_status read_memory(hid_t file, sw_dem_packing *packing)
{
    sw_dem_memory *memory;
    char name[64];
    if (!sw_h5_exists(file, "VTKHDF/FieldData/run_state"))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(packing->memory, 1, "what a packing remembers"));
    memory = packing->memory;
    for (int i = 0; i < SW_DEM_MEMORIES; i++) {
        const int columns = sw_dem_memory_columns(i);
        int64_t shape[2];
        snprintf(name, sizeof name, "VTKHDF/FieldData/%s", sw_dem_memory_name(i));
        if (!sw_h5_exists(file, name))
            continue;
        SW_TRY(sw_h5_shape(file, name, 2, shape));
        if (shape[0] < 1 || shape[0] > SW_DEM_MOST_PAIRS || shape[1] < 1 || shape[1] > MOST_COLUMNS ||
            (columns > 0 && shape[1] != columns))
            continue;
        SW_TRY(sw_dem_memory_add(memory, i, shape[0], (int)shape[1]));
        SW_TRY(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 2, shape, memory->of[i].number));
        if (i == SW_DEM_MEMORY_TOUCH && packing->contact == NULL)
            SW_TRY(read_law(file, name, &packing->contact_law));
    }
    return SW_OK;
}

static sw_status read_file(hid_t file, const char *path, sw_dem_packing *packing)
{
    double vector[3][3];
    int64_t shape[2];
    SW_TRY(sw_h5_read(file, "VTKHDF/FieldData/cell", H5T_NATIVE_DOUBLE, 2, (int64_t[]){3, 3}, vector));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            packing->cell[i][j] = vector[j][i];
    SW_TRY(sw_h5_shape(file, "VTKHDF/Points", 2, shape));
    const int64_t n = packing->n_particles = shape[0];
    if (n < 1)
        return SW_OK; /* the check of the whole tells */
    SW_TRY(read_vectors(file, "VTKHDF/Points", n, &packing->position));
    SW_TRY(SW_ALLOCATE(packing->radius, n, "particles of a packing"));
    SW_TRY(sw_h5_read(file, "VTKHDF/PointData/radius", H5T_NATIVE_DOUBLE, 1, &n, packing->radius));
    if (sw_h5_exists(file, "VTKHDF/PointData/velocity"))
        SW_TRY(read_vectors(file, "VTKHDF/PointData/velocity", n, &packing->velocity));
    if (sw_h5_exists(file, "VTKHDF/PointData/spin"))
        SW_TRY(read_vectors(file, "VTKHDF/PointData/spin", n, &packing->spin));
    SW_TRY(read_material(file, path, packing));
    SW_TRY(read_clump(file, path, packing));
    SW_TRY(read_contacts(file, path, packing));
    return read_memory(file, packing);
}

sw_status sw_dem_vtkhdf_read(const char *path, sw_dem_packing *packing)
{
    hid_t file;
    SW_TRY(sw_h5_open(path, 0, &file));
    sw_status status = read_file(file, path, packing);
    H5Fclose(file);
    if (status == SW_OK)
        status = sw_dem_packing_check(path, packing, SW_ERR_INPUT);
    return status;
}
