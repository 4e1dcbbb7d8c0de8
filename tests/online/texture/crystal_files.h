/* Crystal files of one kind of crystals, read and written as most tests do. */
#ifndef SW_TESTS_ONLINE_TEXTURE_CRYSTAL_FILES_H
#define SW_TESTS_ONLINE_TEXTURE_CRYSTAL_FILES_H

#include "online/texture/crystal_file.h"

/* All rows of a phase, NULL: of the only one. */
static inline sw_status read_crystal_file(const char *path, const char *phase, sw_crystal_list *list)
{
    return sw_crystal_file_read_with(path, &(sw_crystal_filter){.phase = phase, .group = &sw_point_group_432},
                                     list);
}

/* Crystals without a name. */
static inline sw_status write_crystal_file(const char *path, int64_t n_crystals, const double (*euler)[3],
                                           const float *weight)
{
    return sw_crystal_file_write_content(
        path, &(sw_crystal_content){.count = n_crystals, .euler = euler, .weight = weight});
}

#endif
