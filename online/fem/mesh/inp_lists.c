/* The lists of an Abaqus input file. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inp.h"

#undef sw_fem_inp_complain /* it is defined here */

sw_status sw_fem_inp_complain(const sw_fem_inp_file *file, int64_t line, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": %s", file->source.path, line > 0 ? line : 1, text);
}

/* A name is once among sets of a kind and scope. */
static int name_kind(sw_fem_set_kind kind, sw_fem_inp_scope scope)
{
    return (int)kind + SW_FEM_SET_KINDS * (int)scope;
}

sw_status sw_fem_inp_new_set(sw_fem_inp_file *file, sw_fem_set_kind kind, const char *name, int64_t *place)
{
    SW_TRY(SW_DECK_ROOM(file->set, file->n_sets));
    sw_fem_inp_set *set = &file->set[file->n_sets];
    *set = (sw_fem_inp_set){
        .name = strdup(name), .kind = kind, .scope = file->scope, .line = file->source.card.line};
    if (set->name == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for a name", file->source.path);
    *place = file->n_sets++;
    return sw_names_add(&file->set_names, name_kind(kind, file->scope), set->name, *place);
}

sw_fem_inp_set *sw_fem_inp_find_set(const sw_fem_inp_file *file, sw_fem_set_kind kind, sw_fem_inp_scope scope,
                                    const char *name)
{
    const int64_t place = sw_names_find(&file->set_names, name_kind(kind, scope), name);
    return place >= 0 ? &file->set[place] : NULL;
}

const sw_fem_inp_set *sw_fem_inp_find_elements(const sw_fem_inp_file *file, const char *name)
{
    const sw_fem_inp_set *set = sw_fem_inp_find_set(file, SW_FEM_ELEMENTS, SW_FEM_INP_PART, name);
    return set != NULL ? set : sw_fem_inp_find_set(file, SW_FEM_ELEMENTS, SW_FEM_INP_ASSEMBLY, name);
}

sw_status sw_fem_inp_add_section(sw_fem_inp_file *file, const char *keyword, const char *complaint,
                                 const char *set)
{
    SW_TRY(SW_DECK_ROOM(file->section, file->n_sections));
    sw_fem_inp_section *section = &file->section[file->n_sections++];
    *section = (sw_fem_inp_section){.keyword = keyword,
                                    .complaint = complaint != NULL ? strdup(complaint) : NULL,
                                    .set = set != NULL ? strdup(set) : NULL,
                                    .line = file->source.card.line,
                                    .first = file->n_elements,
                                    .last = file->n_elements};
    if ((complaint != NULL && section->complaint == NULL) || (set != NULL && section->set == NULL))
        return sw_error(SW_ERR_MEMORY, "%s: no memory for a name", file->source.path);
    return SW_OK;
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
    for (int64_t i = 0; i < file->n_sections; i++) {
        free(file->section[i].complaint);
        free(file->section[i].set);
    }
    free(file->section);
    free(file->left_out);
    free(file->ignored_is_there);
    free(file->set);
    sw_names_free(&file->set_names);
    free(file->instance);
    free(file->node);
    free(file->element);
    free(file->name);
    free(file->node_labels.sorted);
    free(file->element_labels.sorted);
}
