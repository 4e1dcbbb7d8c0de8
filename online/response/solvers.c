#include "solvers.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/files/text.h"

#define SW_SOLVER_ADDRESS(name) &sw_solver_##name,
const sw_solver *const sw_solvers[SW_SOLVERS] = {SW_SOLVER_LIST(SW_SOLVER_ADDRESS)};

#define SW_SOLVER_NAME(name) #name,
const char *const sw_solver_names[SW_SOLVERS + 1] = {SW_SOLVER_LIST(SW_SOLVER_NAME) "auto"};

const char *const sw_solver_former_names[] = {"polish", "rigid_plastic", NULL};

const sw_solver *sw_solver_named(const char *name)
{
    for (const char *const *pair = sw_solver_former_names; *pair != NULL; pair += 2)
        if (strcmp(pair[0], name) == 0)
            name = pair[1];
    for (int i = 0; i < SW_SOLVERS; i++)
        if (strcmp(sw_solver_names[i], name) == 0)
            return sw_solvers[i];
    return NULL;
}

const sw_solver_traits *sw_solver_at(int number)
{
    return number >= 0 && number < SW_SOLVERS ? &sw_solvers[number]->traits : NULL;
}

const sw_solver_traits *sw_solver_find(const char *name)
{
    const sw_solver *solver = sw_solver_named(name);
    return solver != NULL ? &solver->traits : NULL;
}

const char *sw_solver_lacks(const sw_solver *solver, unsigned asked)
{
    const sw_solver_functions *f = &solver->cpu;
    if ((asked & SW_SOLVER_POINTS) && f->advance == NULL && f->evaluate_each == NULL)
        return "has no points with a loading each";
    if ((asked & SW_SOLVER_TANGENT) && f->tangent == SW_TANGENT_NONE)
        return "has no tangent";
    if ((asked & SW_SOLVER_FORGETS) && solver->state.numbers > 0)
        return "remembers more of crystals than these keep";
    return NULL;
}

void sw_solvers_that_have(unsigned asked, char *list, size_t size)
{
    const char *names[SW_SOLVERS];
    int n = 0;
    for (int i = 0; i < SW_SOLVERS; i++)
        if (sw_solver_lacks(sw_solvers[i], asked) == NULL)
            names[n++] = sw_solver_names[i];
    sw_list_words(n, names, list, size);
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
