#include "symmetry.h"

#include <string.h>

const char *const sw_output_names[SW_OUTPUTS_MOST] = {
    "stress_11", "stress_22", "stress_12", "stress_13", "stress_23", "spin_12",  "spin_13",
    "spin_23",   "slip_rate", "planes_13", "planes_23", "planes_12", "planes_11"};

/* What generates them: what it does to the angles, and the rotation Q of the sample (one that permutes its axes up to
 * sign) that goes with it. With g = Z(phi1) X(Phi) Z(phi2), beside a turn about the crystal's axis 3. How planes share slip, seen
 * after the turn phi2, changes as that turn does: planes [4]. */
typedef struct {
    int sign[4], twelfth[4];
    int q[3][3], planes[4];
} generator;
static const generator generators[] = {
    /* Euler double cover: Z(pi) X(-Phi) Z(pi) = X(Phi) */
    {{1, -1, 1, 1}, {6, 0, 6, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, -1, 1, 1}},
    /* crystal, half turn about its axis 1: g X(pi) */
    {{1, 1, -1, 1}, {0, 6, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, 1, -1, 1}},
    /* sample, half turn about axis 3: Z(pi) g */
    {{1, 1, 1, 1}, {6, 0, 0, 0}, {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}, {1, 1, 1, 1}},
    /* sample, half turn about axis 1: X(pi) g */
    {{-1, 1, 1, 1}, {0, 6, 0, 0}, {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {1, 1, 1, 1}},
    /* exchange of lambda1 and lambda2: Z(pi/2) g, theta -> -theta */
    {{1, 1, 1, -1}, {3, 0, 0, 0}, {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {1, 1, 1, 1}},
};

/* The outputs' action of T -> Q T Q^T on the symmetric (parity 1) or skew (-1) tensor they belong to. */
static void act_on_outputs(const int q[3][3], const int planes[4], sw_symmetry *symmetry)
{
    static const struct {
        int i, j, parity;
    } component[SW_OUTPUTS] = {{0, 0, 1}, {1, 1, 1},  {0, 1, 1},  {0, 2, 1},
                               {1, 2, 1}, {0, 1, -1}, {0, 2, -1}, {1, 2, -1}};
    for (int c = 0; c < SW_OUTPUTS; c++) {
        symmetry->source[c] = c;
        symmetry->output_sign[c] = 1;
        if (component[c].parity == 0) /* G, a scalar */
            continue;
        int k = 0, l = 0;
        while (q[component[c].i][k] == 0)
            k++;
        while (q[component[c].j][l] == 0)
            l++;
        symmetry->output_sign[c] = q[component[c].i][k] * q[component[c].j][l];
        if (k > l) {
            int swap = k;
            k = l;
            l = swap;
            symmetry->output_sign[c] *= component[c].parity;
        }
        for (int b = 0; b < SW_OUTPUTS; b++)
            if (component[b].parity == component[c].parity && component[b].i == k && component[b].j == l)
                symmetry->source[c] = b;
    }
    for (int c = SW_OUTPUTS; c < SW_OUTPUTS_MOST; c++) {
        symmetry->source[c] = c;
        symmetry->output_sign[c] = planes[c - SW_OUTPUTS];
    }
}

/* a after b */
static sw_symmetry compose(const sw_symmetry *a, const sw_symmetry *b)
{
    sw_symmetry ab;
    for (int d = 0; d < 4; d++) {
        ab.sign[d] = a->sign[d] * b->sign[d];
        ab.twelfth[d] = (a->sign[d] * b->twelfth[d] + a->twelfth[d] + 12) % 12;
    }
    for (int c = 0; c < SW_OUTPUTS_MOST; c++) {
        ab.source[c] = b->source[a->source[c]];
        ab.output_sign[c] = a->output_sign[c] * b->output_sign[a->source[c]];
    }
    return ab;
}

/* What a generator makes of those that are known, as far as they are new. */
static void add_products(const generator *g, int known, sw_symmetries *all)
{
    sw_symmetry made, product;
    memcpy(made.sign, g->sign, sizeof made.sign);
    memcpy(made.twelfth, g->twelfth, sizeof made.twelfth);
    act_on_outputs(g->q, g->planes, &made);
    product = compose(&made, &all->operation[known]);
    for (int i = 0; i < all->count; i++)
        if (memcmp(&all->operation[i], &product, sizeof product) == 0)
            return;
    all->operation[all->count++] = product;
}

void sw_symmetries_of(const sw_point_group *group, sw_symmetries *all)
{
    const generator identity = {{1, 1, 1, 1}, {0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 1, 1, 1}};
    generator turn = identity; /* of the crystal about its axis 3: g Z(2 pi / fold) */
    turn.twelfth[2] = 12 / group->fold;
    *all = (sw_symmetries){.count = 1, .fold = group->fold};
    memcpy(all->operation[0].sign, identity.sign, sizeof identity.sign);
    act_on_outputs(identity.q, identity.planes, &all->operation[0]);
    for (int known = 0; known < all->count; known++) {
        add_products(&generators[0], known, all);
        add_products(&turn, known, all);
        for (size_t k = 1; k < sizeof generators / sizeof *generators; k++)
            add_products(&generators[k], known, all);
    }
}

sw_status sw_grid_check(const sw_point_group *group, const int64_t shape[4])
{
    const int multiple[4] = {4, 2, group->fold, 1};
    static const char *const name[4] = {"phi1", "Phi", "phi2", "theta"};
    for (int d = 0; d < 4; d++)
        if (shape[d] < 4 || shape[d] > SW_GRID_LENGTH_MAX || shape[d] % multiple[d] != 0)
            return sw_error(SW_ERR_RANGE,
                            "grid: %lld points for %s: need 4 to %d and a multiple of %d, by %s symmetry",
                            (long long)shape[d], name[d], SW_GRID_LENGTH_MAX, multiple[d], group->system);
    return SW_OK;
}
