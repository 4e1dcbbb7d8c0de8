/* What users may choose of the solvers: their names, and what each needs and takes. The functions behind a
 * name are response.c's. */
#ifndef SW_ONLINE_RESPONSE_SOLVERS_H
#define SW_ONLINE_RESPONSE_SOLVERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    int needs_database;          /* else a material will do */
    int has_terms;               /* takes a number of terms */
    int64_t standard_refinement; /* 0: takes none */
    int has_interpolation;       /* of a table: linear or nearest */
    int has_history;             /* integrates each crystal in double, in steps of its own */
    int on_gpu;                  /* has a version for it, in a build with CUDA */
} sw_solver_traits;

/* [SW_SOLVERS], in the order in which they are listed to people. */
enum { SW_SOLVERS = 4 };
extern const sw_solver_traits sw_solvers[SW_SOLVERS];
/* Their names, and at the end "auto": a choice among them. */
extern const char *const sw_solver_names[SW_SOLVERS + 1];

/* NULL for an unknown name. */
const sw_solver_traits *sw_solver_find(const char *name);

/* "grid, nearest, refinement 2" [size]: a solver and its settings, for people. Settings that it does not take
 * are left out; terms 0: all that are stored, refinement 0: the solver's own. */
void sw_solver_describe(const char *solver, int64_t terms, int64_t refinement, int nearest, char *text,
                        int size);

#ifdef __cplusplus
}
#endif

#endif
