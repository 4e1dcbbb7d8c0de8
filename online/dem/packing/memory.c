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

sw_status sw_dem_memory_check(const char *path, const sw_dem_memory *memory, sw_status code)
{
    for (int i = 0; i < SW_DEM_MEMORIES; i++) {
        const int columns = memory->of[i].columns;
        if (memory->of[i].number == NULL)
            continue;
        if (arrays[i].columns > 0 && columns != arrays[i].columns)
            return sw_error(code, "%s: %s has %d columns: need %d", path, arrays[i].name, columns,
                            arrays[i].columns);
        for (int64_t k = 0; k < memory->of[i].rows * columns; k++)
            if (!isfinite(memory->of[i].number[k]))
                return sw_error(code, "%s: %s: row %" PRId64 ", column %d = %g: need a finite number", path,
                                arrays[i].name, k / columns, (int)(k % columns) + 1, memory->of[i].number[k]);
    }
    return SW_OK;
}
