#include "memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/system/memory.h"

static const struct {
    const char *name;
    int columns;
} arrays[SW_DEM_MEMORIES] = {
#define ARRAY(id, name, columns, meaning) {name, columns},
    SW_DEM_MEMORY_LIST(ARRAY)
#undef ARRAY
};

const char *sw_dem_memory_name(int which) { return arrays[which].name; }
int sw_dem_memory_columns(int which) { return arrays[which].columns; }

sw_status sw_dem_memory_add(sw_dem_memory *memory, int which, int64_t rows, int columns)
{
    if (rows == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(memory->of[which].number, rows * columns, "what a packing remembers"));
    memory->of[which].rows = rows;
    memory->of[which].columns = columns;
    return SW_OK;
}

void sw_dem_memory_free(sw_dem_memory *memory)
{
    for (int i = 0; memory != NULL && i < SW_DEM_MEMORIES; i++)
        free(memory->of[i].number);
    free(memory);
}

enum { TOUCH_COLUMNS = 6 }; /* at least: particle, wall, lane, normal */

/* Bounds of numbers of a row of an array, from column `first` on, n of them. */
static const struct {
    int array, first, n, whole;
    double least, largest;
    const char *need;
} bounds[] = {
    {SW_DEM_MEMORY_PAIR, 0, 2, 1, 0, INT32_MAX, "a whole number from 0 to 2147483647"},
    {SW_DEM_MEMORY_TOUCH, 0, 3, 1, 0, INT32_MAX, "a whole number from 0 to 2147483647"},
    {SW_DEM_MEMORY_POSITION, 0, 3, 0, -1e9, 1e9, "-1e9 to 1e9 m"},
    {SW_DEM_MEMORY_DISPLACEMENT, 0, 3, 0, -1e9, 1e9, "-1e9 to 1e9 m"},
    {SW_DEM_MEMORY_WALL, 0, 2, 1, -1, 100, "a whole number from -1 to 100"},
    {SW_DEM_MEMORY_WALL, 3, 11, 0, -1e9, 1e9, "-1e9 to 1e9 m"},
    {SW_DEM_MEMORY_WALL, 14, 2, 0, -1e6, 1e6, "-1e6 to 1e6 m/s"},
    {SW_DEM_MEMORY_WALL, 16, 1, 0, -1e9, 1e9, "-1e9 to 1e9 m"},
    {SW_DEM_MEMORY_WALL, 17, 1, 0, -1e30, 1e30, "-1e30 to 1e30 N"},
    {SW_DEM_MEMORY_WALL, 18, 1, 0, 0, 1e30, "0 to 1e30 N/m"},
    {SW_DEM_MEMORY_MEMBRANE, 0, 1, 1, 6, 1 << 20, "a whole number, 6 to 2^20"},
    {SW_DEM_MEMORY_MEMBRANE, 1, 1, 1, 3, 1 << 20, "a whole number, 3 to 2^20"},
    {SW_DEM_MEMORY_MEMBRANE, 2, 2, 0, 1e-9, 1e3, "1e-9 to 1e3 m"},
    {SW_DEM_MEMORY_MEMBRANE, 4, 1, 0, 0, 1e15, "0 to 1e15 N/m"},
    {SW_DEM_MEMORY_MEMBRANE, 5, 1, 1, 0, 1, "0 or 1"},
};

/* Of row `row` of an array; *column: of what is not within. NULL: all are. */
static const char *row_needs(int array, const double *row, int *column)
{
    for (unsigned b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (int c = bounds[b].first; bounds[b].array == array && c < bounds[b].first + bounds[b].n; c++)
            if (!(row[c] >= bounds[b].least && row[c] <= bounds[b].largest &&
                  (!bounds[b].whole || row[c] == floor(row[c])))) {
                *column = c;
                return bounds[b].need;
            }
    return NULL;
}

sw_status sw_dem_memory_check(const char *path, const sw_dem_memory *memory, sw_status code)
{
    for (int i = 0; i < SW_DEM_MEMORIES; i++) {
        const int columns = memory->of[i].columns;
        if (memory->of[i].number == NULL)
            continue;
        if (arrays[i].columns > 0 && columns != arrays[i].columns)
            return sw_error(code, "%s: %s has %d columns: need %d", path, arrays[i].name, columns,
                            arrays[i].columns);
        if (i == SW_DEM_MEMORY_TOUCH && columns < TOUCH_COLUMNS)
            return sw_error(code, "%s: %s has %d columns: need at least %d", path, arrays[i].name, columns,
                            TOUCH_COLUMNS);
        if (i == SW_DEM_MEMORY_MEMBRANE && memory->of[i].rows != 1)
            return sw_error(code, "%s: %s has %" PRId64 " rows: need 1", path, arrays[i].name,
                            memory->of[i].rows);
        for (int64_t k = 0; k < memory->of[i].rows * columns; k++)
            if (!isfinite(memory->of[i].number[k]))
                return sw_error(code, "%s: %s: row %" PRId64 ", column %d = %g: need a finite number", path,
                                arrays[i].name, k / columns, (int)(k % columns) + 1, memory->of[i].number[k]);
        for (int64_t row = 0; row < memory->of[i].rows; row++) {
            int column;
            const double *number = memory->of[i].number + row * columns;
            const char *need = row_needs(i, number, &column);
            if (need != NULL)
                return sw_error(code, "%s: %s: row %" PRId64 ", column %d = %.10g: need %s", path,
                                arrays[i].name, row, column + 1, number[column], need);
        }
    }
    return SW_OK;
}
