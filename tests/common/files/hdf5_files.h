/* What tests of HDF5 files share: a folder that they work in, and files of one number. */
#ifndef SW_TESTS_COMMON_FILES_HDF5_FILES_H
#define SW_TESTS_COMMON_FILES_HDF5_FILES_H

#include "tests/folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include "common/files/hdf5_io.h"
#include "common/files/seal.h"

/* Files in the folder. */
static inline int count_files(void)
{
    int count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(here);
    return count;
}

/* A file that holds one number. */
static inline void write_number(const char *path, double number)
{
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_write_numbers(output.file, "number", 1, &number));
    CHECK_OK(sw_h5_commit(&output));
}

static inline double read_number(const char *path)
{
    hid_t file;
    double number;
    CHECK_OK(sw_h5_open(path, 0, &file));
    CHECK_OK(sw_h5_read_numbers(file, "number", 1, &number));
    H5Fclose(file);
    return number;
}

#endif
