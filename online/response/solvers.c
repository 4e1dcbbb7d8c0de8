#include "solvers.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const sw_solver_traits sw_solvers[SW_SOLVERS] = {
    {.name = "terms", .needs_database = 1, .has_terms = 1, .standard_refinement = 128, .on_gpu = 1},
    {.name = "grid", .needs_database = 1, .standard_refinement = 1, .has_interpolation = 1, .on_gpu = 1},
    {.name = "polish", .on_gpu = 1},
    {.name = "iterative", .has_history = 1},
};

const char *const sw_solver_names[] = {"terms", "grid", "polish", "iterative", "auto"};

const sw_solver_traits *sw_solver_find(const char *name)
{
    for (int i = 0; i < SW_SOLVERS; i++)
        if (strcmp(sw_solvers[i].name, name) == 0)
            return &sw_solvers[i];
    return NULL;
}

void sw_solver_describe(const char *solver, int64_t terms, int64_t refinement, int nearest, char *text,
                        int size)
{
    const sw_solver_traits *traits = sw_solver_find(solver);
    int length = snprintf(text, (size_t)size, "%s", solver);
    if (traits == NULL)
        return;
    if (traits->has_interpolation && length < size)
        length += snprintf(text + length, (size_t)(size - length), ", %s", nearest ? "nearest" : "linear");
    if (traits->has_terms && length < size)
        length += terms > 0 ? snprintf(text + length, (size_t)(size - length), " %lld", (long long)terms)
                            : snprintf(text + length, (size_t)(size - length), ", all");
    if (traits->standard_refinement > 0 && length < size)
        snprintf(text + length, (size_t)(size - length), ", refinement %lld",
                 (long long)(refinement > 0 ? refinement : traits->standard_refinement));
}
