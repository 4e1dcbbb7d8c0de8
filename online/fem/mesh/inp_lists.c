/* The lists of an Abaqus input file. */
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "inp.h"

sw_status sw_fem_inp_grow(void **array, int64_t n, int64_t *capacity, size_t size)
{
    if (n < *capacity)
        return SW_OK;
    const int64_t more = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(*array, (size_t)more * size);
    if (grown == NULL)
        return sw_error(SW_ERR_MEMORY, "no memory for a mesh of %" PRId64 " entries", more);
    *array = grown;
    *capacity = more;
    return SW_OK;
}

sw_fem_inp_set *sw_fem_inp_find_set(const sw_fem_inp_file *file, sw_fem_set_kind kind, sw_fem_inp_scope scope,
                                    const char *name)
{
    for (sw_fem_inp_set *set = file->set; set != NULL && set < file->set + file->n_sets; set++)
        if (set->kind == kind && set->scope == scope && strcasecmp(set->name, name) == 0)
            return set;
    return NULL;
}

void sw_fem_inp_free_lists(sw_fem_inp_file *file)
{
    for (sw_fem_inp_set *set = file->set; set != NULL && set < file->set + file->n_sets; set++) {
        for (int64_t i = 0; i < set->n_entries; i++)
            free(set->entry[i].name);
        free(set->name);
        free(set->entry);
        free(set->member);
    }
    free(file->set);
    free(file->instance);
    free(file->node);
    free(file->element);
    free(file->name);
    free(file->node_labels.sorted);
    free(file->element_labels.sorted);
}
