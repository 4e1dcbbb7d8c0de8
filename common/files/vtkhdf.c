#include "vtkhdf.h"

#include <stdlib.h>
#include <string.h>

/* The reader wants a text of fixed length without a NUL at its end. */
static sw_status write_type(hid_t group, const char *name)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(name));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    hid_t attribute = H5Acreate2(group, "Type", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t written = attribute < 0 ? -1 : H5Awrite(attribute, type, name);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return written < 0 ? sw_error(SW_ERR_IO, "cannot write the attribute Type") : SW_OK;
}

static sw_status write_version(hid_t group)
{
    static const int64_t version[2] = {1, 0};
    const hsize_t extent = 2;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t attribute = H5Acreate2(group, "Version", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t written = attribute < 0 ? -1 : H5Awrite(attribute, H5T_NATIVE_INT64, version);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return written < 0 ? sw_error(SW_ERR_IO, "cannot write the attribute Version") : SW_OK;
}

static sw_status begin_group(hid_t file, hid_t *group)
{
    SW_TRY(sw_h5_group(file, "VTKHDF", group));
    sw_status status = write_type(*group, "UnstructuredGrid");
    if (status == SW_OK)
        status = write_version(*group);
    if (status != SW_OK)
        H5Gclose(*group);
    return status;
}

sw_status sw_vtkhdf_begin(const char *path, sw_h5_output *output, hid_t *group)
{
    SW_TRY(sw_h5_begin(path, output));
    const sw_status status = begin_group(output->file, group);
    return status == SW_OK ? SW_OK : sw_h5_end(output, status);
}

sw_status sw_vtkhdf_end(sw_h5_output *output, hid_t group, sw_status status)
{
    H5Gclose(group);
    return sw_h5_end(output, status);
}

sw_status sw_vtkhdf_write_counts(hid_t group, int64_t points, int64_t cells, int64_t connectivity)
{
    const int64_t one = 1;
    SW_TRY(sw_h5_write(group, "NumberOfPoints", H5T_NATIVE_INT64, 1, &one, &points));
    SW_TRY(sw_h5_write(group, "NumberOfCells", H5T_NATIVE_INT64, 1, &one, &cells));
    return sw_h5_write(group, "NumberOfConnectivityIds", H5T_NATIVE_INT64, 1, &one, &connectivity);
}

/* ---- Series ---- */

const char sw_vtkhdf_series_time[] = "\"time\": ";

sw_status sw_vtkhdf_series_begin(const char *path, sw_vtkhdf_series *series)
{
    series->entries = 0;
    SW_TRY(sw_text_file_begin(path, &series->file, &series->text));
    fputs("{\n  \"file-series-version\": \"1.0\",\n  \"files\": [", series->text);
    return SW_OK;
}

/* A name in JSON's quotes. */
static void print_name(FILE *file, const char *name)
{
    fputc('"', file);
    for (; *name != '\0'; name++)
        if ((unsigned char)*name < ' ')
            fprintf(file, "\\u%04x", *name);
        else
            fprintf(file, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
    fputc('"', file);
}

sw_status sw_vtkhdf_series_add(sw_vtkhdf_series *series, char *path, double time)
{
    if (path == NULL)
        return SW_ERR_MEMORY;
    const char *slash = strrchr(path, '/');
    fprintf(series->text, "%s\n    {\"name\": ", series->entries++ > 0 ? "," : "");
    print_name(series->text, slash == NULL ? path : slash + 1); /* beside the series */
    fprintf(series->text, ", %s%.17g}", sw_vtkhdf_series_time, time);
    free(path);
    return SW_OK;
}

sw_status sw_vtkhdf_series_end(sw_vtkhdf_series *series, sw_status status)
{
    fputs("\n  ]\n}\n", series->text);
    return sw_text_file_end(&series->file, series->text, status);
}
