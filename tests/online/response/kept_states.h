/* States that are kept as values, and crystals that take them. */
#ifndef SW_TESTS_ONLINE_RESPONSE_KEPT_STATES_H
#define SW_TESTS_ONLINE_RESPONSE_KEPT_STATES_H

#include "tests/crystals.h"

static inline void step_often(sw_response *r, const double l[3][3], double dt, int steps,
                              const sw_crystals *c)
{
    sw_response_average average;
    for (int k = 0; k < steps; k++)
        CHECK_OK(sw_response_step(r, l, dt, c, c, &average));
}

/* After so many steps of c others take its state, and both go on as far: to the same bits. */
static inline void check_kept_state(sw_response *r, const double l[3][3], double dt, int steps,
                                    const sw_crystals *c)
{
    const size_t values = (size_t)(c->n * sw_state_values(sw_response_layout(r)));
    double *a = calloc(values, sizeof *a), *b = calloc(values, sizeof *b);
    sw_crystals taken = make_random_crystals(r, c->n, 3, 1e6); /* others, but for what they take */
    step_often(r, l, dt, steps, c);
    CHECK_OK(sw_crystals_save(c, a));
    memcpy(taken.crystal, c->crystal, (size_t)c->n * sizeof *c->crystal);
    CHECK_OK(sw_crystals_restore(&taken, a));
    step_often(r, l, dt, steps, c);
    step_often(r, l, dt, steps, &taken);
    CHECK_OK(sw_crystals_save(c, a));
    CHECK_OK(sw_crystals_save(&taken, b));
    assert_memory_equal(c->crystal, taken.crystal, (size_t)c->n * sizeof *c->crystal);
    assert_memory_equal(a, b, values * sizeof *a);
    sw_crystals_release(&taken);
    free(a);
    free(b);
}

#endif
