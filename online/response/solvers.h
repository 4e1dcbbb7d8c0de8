/* The list of solvers, and how they are named to people. */
#ifndef SW_ONLINE_RESPONSE_SOLVERS_H
#define SW_ONLINE_RESPONSE_SOLVERS_H

#include "online/response/step/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order in which people see them; each is an sw_solver_NAME in its own folder. */
#define SW_SOLVER_LIST(X) \
    X(terms)              \
    X(grid)               \
    X(tabulated)          \
    X(rigid_plastic)      \
    X(elastoplastic)      \
    X(iterative)

#define SW_SOLVER_DECLARED(name) extern const sw_solver sw_solver_##name;
SW_SOLVER_LIST(SW_SOLVER_DECLARED)
#undef SW_SOLVER_DECLARED

#define SW_SOLVER_COUNTED(name) SW_SOLVER_##name,
enum { SW_SOLVER_LIST(SW_SOLVER_COUNTED) SW_SOLVERS };
#undef SW_SOLVER_COUNTED

extern const sw_solver *const sw_solvers[SW_SOLVERS];
/* Their names, and at the end "auto": a choice among them. */
extern const char *const sw_solver_names[SW_SOLVERS + 1];
/* Former names and today's, in turn, NULL at the end: read where names are. */
extern const char *const sw_solver_former_names[];

/* NULL for an unknown name. */
const sw_solver *sw_solver_named(const char *name);

/* What is asked of a solver, by what it does, not by its name. */
enum {
    SW_SOLVER_POINTS = 1,  /* points with a loading each */
    SW_SOLVER_TANGENT = 2, /* and their tangent */
    SW_SOLVER_FORGETS = 4  /* nothing remembered of crystals but orientation and slip resistance */
};
/* "has no tangent": the first of it that a solver has not; NULL: it has all. */
const char *sw_solver_lacks(const sw_solver *solver, unsigned asked);
/* Those that have it, for people [size]. */
void sw_solvers_that_have(unsigned asked, char *list, size_t size);

/* "grid, nearest, refinement 2" [size]: a solver and its settings, for people. Settings that it does not take
 * are left out; terms 0: all that are stored, refinement 0: the solver's own. */
void sw_solver_describe(const char *solver, int64_t terms, int64_t refinement, int nearest, char *text,
                        int size);

#ifdef __cplusplus
}
#endif

#endif
