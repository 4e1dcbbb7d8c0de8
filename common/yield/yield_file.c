#include "yield_file.h"

#include <stdio.h>
#include <strings.h>

#include "common/files/hdf5_io.h"

int sw_yield_function_of(const char *name)
{
    for (int i = 0; i < SW_YIELD_FUNCTIONS; i++)
        if (strcasecmp(name, sw_yield_function_names[i]) == 0)
            return i;
    return -1;
}

static sw_status read_fit(hid_t group, sw_yield *y)
{
    const int64_t n = y->function->coefficients;
    SW_TRY(sw_h5_read(group, "coefficient", H5T_NATIVE_DOUBLE, 1, &n, y->coefficient));
    if (y->function->has_exponent)
        SW_TRY(sw_h5_read_numbers(group, "exponent", 1, &y->exponent));
    return sw_h5_read_numbers(group, "reference_stress", 1, &y->reference);
}

static sw_status read_of(hid_t file, const char *path, sw_yield *y)
{
    char name[64];
    snprintf(name, sizeof name, "functions/%s", y->function->name);
    if (!sw_h5_exists(file, name))
        return sw_error(SW_ERR_FORMAT,
                        "%s: there is no fit of %s: need results of slipwave forming with it "
                        "among functions.names",
                        path, y->function->name);
    hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
    if (group < 0)
        return sw_error(SW_ERR_FORMAT, "%s: %s is no group", path, name);
    const sw_status status = read_fit(group, y);
    H5Gclose(group);
    return status;
}

sw_status sw_yield_read(const char *path, int function, sw_yield *surface)
{
    hid_t file;
    *surface = sw_yield_isotropic(function, 2, 1);
    SW_TRY(sw_h5_open(path, 0, &file));
    const sw_status status = read_of(file, path, surface);
    H5Fclose(file);
    return status;
}
