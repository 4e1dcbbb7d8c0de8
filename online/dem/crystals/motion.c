#include "motion.h"

#include <stdlib.h>
#include <string.h>

#include "online/dem/neighbours/neighbours.h"

/* Least squares over a particle's contacts: |du - G b|^2 over branch vectors b and the fluctuations du between
 * their ends, and PULL (2 r)^2 |G|^2, which holds particles of few contacts at the element's own deformation; six
 * contacts outweigh it 20 times. */
#define PULL 0.1

typedef struct {
    double branches[3][3], moves[3][3]; /* sums of b b and du b */
    double hardest;                     /* J */
} sums;

static void add_contact(const double branch[3], const double move[3], double work, const double normal[3],
                        sums *s, sw_dem_motion *m)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s->branches[i][j] += branch[i] * branch[j];
            s->moves[i][j] += move[i] * branch[j];
        }
    m->work += work;
    if (work > s->hardest) {
        s->hardest = work;
        for (int k = 0; k < 3; k++)
            m->normal[k] = normal[k];
    }
}

static void add_pair(const sw_dem_rve *rve, int64_t p, sums *sum, sw_dem_motion *motion)
{
    const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
    sw_dem_history history;
    double branch[3], move[3], normal[3];
    sw_dem_branch(rve, p, branch);
    sw_dem_load_history(1, rve, p, &history);
    const double inverse = 1 / sqrt(sw_dem_dot(branch, branch));
    for (int k = 0; k < 3; k++) {
        normal[k] = branch[k] * inverse;
        move[k] = rve->drift[b][k] + rve->displacement[b][k] - rve->drift[a][k] - rve->displacement[a][k];
    }
    const double work = history.law[SW_DEM_METAL_WORK], part = history.law[SW_DEM_METAL_PART_A];
    add_contact(branch, move, part * work, normal, &sum[a], &motion[a]);
    add_contact(branch, move, (1 - part) * work, normal, &sum[b], &motion[b]); /* both change sign */
}

/* G of the sums of a particle of radius r. */
static void solve(const sums *s, double radius, double g[3][3])
{
    sw_dem_cell of = {.volume = 0}; /* whose matrices are inverted */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            of.h[i][j] = s->branches[i][j] + (i == j ? PULL * 4 * radius * radius : 0);
    sw_dem_cell_update(&of);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            g[i][j] = s->moves[i][0] * of.inverse[0][j] + s->moves[i][1] * of.inverse[1][j] +
                      s->moves[i][2] * of.inverse[2][j];
}

/* The symmetric part of H and a turn as its skew part. */
static void set_turn(const double turn[3], double h[3][3])
{
    const double skew[3][3] = {{0, -turn[2], turn[1]}, {turn[2], 0, -turn[0]}, {-turn[1], turn[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            const double mean = 0.5 * (h[i][j] + h[j][i]);
            h[i][j] = mean + skew[i][j];
            h[j][i] = mean + skew[j][i];
        }
}

sw_status sw_dem_find_motion(const sw_dem_rve *rve, sw_dem_motion *motion)
{
    const sw_dem_state *state = rve->state;
    double whole[3][3], g[3][3];
    sums *sum;
    SW_TRY(SW_ALLOCATE(sum, rve->n_particles, "particles"));
    memcpy(whole, state->refreshed, sizeof whole);
    sw_dem_multiply((const double(*)[3])state->reference, whole);
    memset(motion, 0, (size_t)rve->n_particles * sizeof *motion);
    for (int64_t p = 0; p < state->n_pairs; p++)
        if (rve->touching[p] != 0)
            add_pair(rve, p, sum, motion);
    for (int64_t i = 0; i < rve->n_particles; i++) {
        solve(&sum[i], rve->radius[i], g);
        for (int k = 0; k < 9; k++)
            motion[i].increment[k / 3][k % 3] = whole[k / 3][k % 3] - (k % 4 == 0) + g[k / 3][k % 3];
        if (!rve->numerics.affine) /* without forces particles turn with the cell */
            set_turn(rve->turned[i], motion[i].increment);
    }
    free(sum);
    return SW_OK;
}
