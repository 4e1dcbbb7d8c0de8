/* Decks solved for a test. */
#ifndef SW_TESTS_ONLINE_FEM_TYING_SOLVED_H
#define SW_TESTS_ONLINE_FEM_TYING_SOLVED_H

#include "tests/online/fem/deck/decks.h"

#include <math.h>
#include <stdlib.h>

/* A deck's displacements at the end. */
typedef struct {
    sw_deck *deck;
    const sw_structure_problem *problem;
    double (*u)[3];
} solved;

static inline solved solve_deck_as(const char *text, int dialect)
{
    solved s = {0};
    const sw_structure_options options = {.quiet = 1};
    sw_structure *structure;
    if (try_deck(text, dialect, &s.deck, &s.problem) != SW_OK)
        fail_msg("%s", sw_error_message());
    CHECK_OK(sw_structure_open(s.problem, &options, &structure));
    for (int k = 0; k < s.problem->n_steps; k++)
        CHECK_OK(sw_structure_advance(structure, k));
    s.u = calloc((size_t)s.problem->n_nodes, sizeof *s.u);
    assert_non_null(s.u);
    sw_structure_read(structure, s.u, NULL);
    sw_structure_close(structure);
    return s;
}

static inline solved solve_deck(const char *text) { return solve_deck_as(text, SW_DECK_CALCULIX); }

static inline void release(solved *s)
{
    free(s->u);
    sw_deck_free(s->deck);
}

static inline const double *displacement(const solved *s, int64_t label)
{
    for (int64_t i = 0; i < s->problem->n_nodes; i++)
        if (s->problem->node_label[i] == label)
            return s->u[i];
    fail_msg("node %lld is not there", (long long)label);
    return NULL;
}

#endif
