#include "fabric_output.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "online/dem/backend/backend.h"
#include "set.h"

/* ---- Datasets ---- */

sw_status sw_dem_write_set(hid_t file, const char *name, const char *unit, int rank, const int64_t *shape,
                           const double *data)
{
    hid_t set;
    SW_TRY(sw_h5_write(file, name, H5T_NATIVE_DOUBLE, rank, shape, data));
    SW_TRY(sw_h5_open_set(file, name, &set));
    const sw_status status = sw_h5_write_text(set, "unit", unit);
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

/* ---- Fabric ---- */

enum { TESTS = SW_DEM_PLANES + 1 };

/* A set of numbers of each element: where they are in its fabric. */
typedef struct {
    const char *name, *unit;
    size_t at, stride;        /* of the first, and from one row to the next; bytes */
    int rows, columns, whole; /* whole: int64_t, else double */
} set;

#define FABRIC(member) offsetof(sw_dem_fabric, member)
#define TEST(member) \
    FABRIC(plane[0].test.member), sizeof(sw_dem_rose), TESTS, 1 /* the sphere's rose follows the planes' */

static const set sets[] = {
    {"tensor", "1", FABRIC(fabric), 0, 1, SW_DEM_SIX, 0},
    {"force_tensor", "1", FABRIC(force_fabric), 0, 1, SW_DEM_SIX, 0},
    {"anisotropy", "1", FABRIC(anisotropy), 0, 1, 1, 0},
    {"force_anisotropy", "1", FABRIC(force_anisotropy), 0, 1, 1, 0},
    {"plane_count", "1", FABRIC(plane[0].count), sizeof(sw_dem_rose), SW_DEM_PLANES, SW_DEM_BINS, 1},
    {"plane_force", "N", FABRIC(plane[0].force), sizeof(sw_dem_rose), SW_DEM_PLANES, SW_DEM_BINS, 0},
    {"sphere_count", "1", FABRIC(sphere.count), 0, 1, SW_DEM_BINS, 1},
    {"sphere_force", "N", FABRIC(sphere.force), 0, 1, SW_DEM_BINS, 0},
    {"counts", "1", TEST(counts), 1},
    {"chi_squared", "1", TEST(chi_squared), 0},
    {"p_value", "1", TEST(p_value), 0},
    {"reduced", "1", TEST(reduced), 0},
    {"cramer", "1", TEST(cramer), 0},
    {"excess", "1", TEST(excess), 0},
    {"particles", "1", FABRIC(particles), 0, 1, SW_DEM_MOST_CONTACTS + 1, 1},
};
_Static_assert(offsetof(sw_dem_fabric, sphere) ==
                   offsetof(sw_dem_fabric, plane) + SW_DEM_PLANES * sizeof(sw_dem_rose),
               "TEST counts on it");

/* The numbers of one element; NaN for one that failed. */
static void take(const set *s, const sw_dem_fabric *fabric, int failed, double *to)
{
    for (int i = 0; i < s->rows; i++)
        for (int k = 0; k < s->columns; k++, to++) {
            const char *from = (const char *)fabric + s->at + (size_t)i * s->stride;
            *to = failed     ? NAN
                  : s->whole ? (double)((const int64_t *)(const void *)from)[k]
                             : ((const double *)(const void *)from)[k];
        }
}

static sw_status write_set(const set *s, int64_t n, const sw_dem_fabric *fabric, const int *failed,
                           hid_t file)
{
    const int size = s->rows * s->columns;
    int64_t shape[3] = {n};
    double *number;
    char name[64];
    int rank = 1;
    if (s->rows > 1)
        shape[rank++] = s->rows;
    if (s->columns > 1)
        shape[rank++] = s->columns;
    SW_TRY(SW_ALLOCATE(number, n * size, "fabric"));
    for (int64_t r = 0; r < n; r++)
        take(s, &fabric[r], failed[r], number + r * size);
    snprintf(name, sizeof name, "fabric/%s", s->name);
    const sw_status status = sw_dem_write_set(file, name, s->unit, rank, shape, number);
    free(number);
    return status;
}

static sw_status fabric_of(sw_dem *dem, int64_t r, sw_dem_fabric *fabric)
{
    sw_dem_contact_record *contact;
    int64_t n;
    SW_TRY(sw_dem_get_contacts(dem, r, &n, &contact));
    const sw_status status = sw_dem_fabric_make(sw_dem_get(dem, r)->n_particles, n, contact, fabric);
    free(contact);
    return status;
}

sw_status sw_dem_write_fabric(sw_dem *dem, int64_t n_elements, hid_t file)
{
    sw_dem_fabric *fabric = NULL;
    int *failed = NULL;
    sw_status status = SW_ALLOCATE(fabric, n_elements, "fabric");
    if (status == SW_OK)
        status = SW_ALLOCATE(failed, n_elements, "fabric");
    for (int64_t r = 0; r < n_elements && status == SW_OK; r++) {
        failed[r] = sw_dem_failure(dem, r) != SW_OK;
        if (!failed[r])
            status = fabric_of(dem, r, &fabric[r]);
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == SW_OK; i++)
        status = write_set(&sets[i], n_elements, fabric, failed, file);
    free(fabric);
    free(failed);
    return status;
}
