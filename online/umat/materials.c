/* Materials that user subroutines have named, read once and kept to the program's end. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "common/system/status.h"

enum { NAME = 81 };

typedef struct material {
    struct material *next;
    char name[NAME];
    sw_point_model *model;
} material;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static material *materials; /* under the lock */

/* What follows the last @, without blanks around it, in lower case. */
static void clean(const char *given, int length, char name[NAME])
{
    int from = 0, n = 0;
    for (int i = 0; i < length; i++)
        if (given[i] == '@')
            from = i + 1;
    for (int i = from; i < length && n < NAME - 1 && given[i] != '\0'; i++)
        if (!isspace((unsigned char)given[i]))
            name[n++] = (char)tolower((unsigned char)given[i]);
    name[n] = '\0';
}

static sw_status read_model(const char *name, sw_point_model **model)
{
    const char *folder = getenv("SLIPWAVE_MATERIALS");
    char path[4096];
    const int in_folder = folder != NULL && *folder != '\0';
    const int length =
        snprintf(path, sizeof path, "%s%s%s.yaml", in_folder ? folder : "", in_folder ? "/" : "", name);
    if (length >= (int)sizeof path)
        return sw_error(SW_ERR_INPUT, "SLIPWAVE_MATERIALS: its path is too long");
    return sw_point_model_read(path, model);
}

static sw_status add_material(const char *name)
{
    material *own;
    SW_TRY(SW_ALLOCATE(own, 1, "a material"));
    snprintf(own->name, sizeof own->name, "%s", name);
    const sw_status status = read_model(name, &own->model);
    if (status != SW_OK) {
        free(own);
        return status;
    }
    own->next = materials;
    materials = own;
    return SW_OK;
}

static const material *known(const char *name)
{
    const material *m = materials;
    while (m != NULL && strcmp(m->name, name) != 0)
        m = m->next;
    return m;
}

sw_status sw_umat_find(const char *name, int length, const sw_point_model **model)
{
    char own[NAME];
    sw_status status = SW_OK;
    clean(name, length, own);
    if (own[0] == '\0')
        return sw_error(SW_ERR_INPUT, "material '%.*s': need a name", length, name);
    pthread_mutex_lock(&lock);
    if (known(own) == NULL)
        status = add_material(own);
    if (status == SW_OK)
        *model = known(own)->model;
    pthread_mutex_unlock(&lock);
    return status;
}
