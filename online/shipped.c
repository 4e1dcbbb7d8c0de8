#include "shipped.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/output_file.h"

/* The folder of the program or library that this is in; "" where nobody knows. */
static void own_folder(char folder[PATH_MAX])
{
    Dl_info about;
    folder[0] = '\0';
    const int known = dladdr((const void *)&own_folder, &about) != 0 && about.dli_fname != NULL;
    const int is_library = known && strstr(about.dli_fname, ".so") != NULL;
    if (realpath(is_library ? about.dli_fname : "/proc/self/exe", folder) == NULL)
        folder[0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
}

sw_status sw_shipped_file(const char *name, char **path)
{
    /* beside bin/, above build/, within the package */
    static const char *const places[] = {"../share/slipwave/data", "../data", "data"};
    char folder[PATH_MAX];
    const char *given = getenv("SLIPWAVE_DATA");
    own_folder(folder);
    for (int i = given != NULL ? -1 : 0; i < (given != NULL ? 0 : 3); i++) {
        *path =
            i < 0 ? sw_file_name("%s/%s", given, name) : sw_file_name("%s/%s/%s", folder, places[i], name);
        if (*path == NULL)
            return SW_ERR_MEMORY;
        if (access(*path, R_OK) == 0)
            return SW_OK;
        free(*path);
        *path = NULL;
    }
    return sw_error(SW_ERR_IO, "%s: not in %s: SLIPWAVE_DATA names the folder of what comes with the program",
                    name, given != NULL ? given : "the data folder beside this program");
}
