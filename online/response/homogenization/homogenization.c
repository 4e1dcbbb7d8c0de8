#include "homogenization.h"

#include <string.h>

#define ADDRESS(name) &sw_homogenization_##name,
static const sw_homogenization *const all[] = {SW_HOMOGENIZATION_LIST(ADDRESS)};

#define NAME(name) #name,
const char *const sw_homogenization_names[SW_HOMOGENIZATIONS] = {SW_HOMOGENIZATION_LIST(NAME)};

#define LISTED(name) " " #name

sw_status sw_homogenization_find(const char *name, const sw_homogenization **found)
{
    for (int i = 0; i < SW_HOMOGENIZATIONS; i++)
        if (name == NULL || strcmp(sw_homogenization_names[i], name) == 0) {
            *found = all[i];
            return SW_OK;
        }
    return sw_error(SW_ERR_RANGE, "homogenization = %s: need one of" SW_HOMOGENIZATION_LIST(LISTED), name);
}

const sw_key_case sw_linearization_cases[] = {{.name = "secant"},       {.name = "affine"},
                                              {.name = "tangent"},      {.name = "neff", .takes = "neff"},
                                              {.name = "second_order"}, {0}};

void sw_homogenization_set(const sw_homogenization_choice *choice, sw_response_options *options)
{
    options->homogenization = sw_homogenization_names[choice->number];
    const char *linearization = sw_linearization_names[choice->linearization];
    const int takes_neff = sw_linearization_cases[choice->linearization].takes != NULL;
    options->self_consistent =
        (sw_self_consistent){linearization, takes_neff ? choice->neff : 0,
                             sw_ellipsoid_names[choice->ellipsoids], choice->tolerance};
}
