/* Forces of pairs in one step of an element, by its team. Dimensions: P particles, C pairs. */
#ifndef SW_ONLINE_DEM_STEP_PAIRS_H
#define SW_ONLINE_DEM_STEP_PAIRS_H

#include <assert.h>
#include <string.h>

#include "common/math/six.h"
#include "online/dem/element/rve.h"
#include "online/dem/element/team.h"

static_assert((int)SW_DEM_SUMS <= (int)SW_TEAM_VALUES, "all sums of a measurement at a time");

/* Energies of a team's thread since the last measurement, J. */
typedef struct {
    double boundary, friction, rolling, damping, plastic;
} sw_dem_work;

/* What a pair does to its particle at a place of the list. A particle's lie together: it reads them one after another. On a
 * GPU that of sand is in single precision, half of the bytes: the force on one particle stays the other's reversed, to
 * the bit, and each is off by 6e-8 of itself at most, as nothing that adds up from step to step. */
SW_HD_INLINE static inline void sw_dem_bear(int flows, const sw_dem_rve *rve, int32_t place,
                                            const double force[3], const double moment[3])
{
#ifdef __CUDA_ARCH__ /* a vector at a time */
    if (!flows) {
        float2 *to = (float2 *)rve->borne + 3 * (int64_t)place;
        to[0] = make_float2((float)force[0], (float)force[1]);
        to[1] = make_float2((float)force[2], (float)moment[0]);
        to[2] = make_float2((float)moment[1], (float)moment[2]);
        return;
    }
    double2 *to = (double2 *)rve->borne[place];
    to[0] = make_double2(force[0], force[1]);
    to[1] = make_double2(force[2], moment[0]);
    to[2] = make_double2(moment[1], moment[2]);
#else
    (void)flows;
    for (int k = 0; k < 3; k++) {
        rve->borne[place][k] = force[k];
        rve->borne[place][3 + k] = moment[k];
    }
#endif
}

/* Number k of it. */
SW_HD_INLINE static inline double sw_dem_borne(int flows, const sw_dem_rve *rve, int32_t place, int k)
{
#ifdef __CUDA_ARCH__
    if (!flows)
        return (double)((const float *)rve->borne)[6 * (int64_t)place + k];
#else
    (void)flows;
#endif
    return rve->borne[place][k];
}

/* Histories lie member by member, n apart. flows: 0 where no law is one that remembers numbers. */
SW_HD_INLINE static inline void sw_dem_read_history(int flows, const sw_dem_rve *rve, int64_t c,
                                                    const double *from, sw_dem_history *h)
{
    double number[SW_DEM_SPRINGS];
    for (int k = 0; k < SW_DEM_SPRINGS; k++)
        number[k] = from[k * c];
    memcpy(h, number, sizeof number);
    for (int k = 0; k < SW_DEM_LAW_NUMBERS; k++) /* of known length, so that they stay in registers */
        h->law[k] = flows && k < rve->law_numbers ? from[(SW_DEM_SPRINGS + k) * c] : 0;
}

SW_HD_INLINE static inline void sw_dem_write_history(int flows, const sw_dem_rve *rve, int64_t c,
                                                     const sw_dem_history *h, double *to)
{
    double number[SW_DEM_SPRINGS];
    memcpy(number, h, sizeof number);
    for (int k = 0; k < SW_DEM_SPRINGS; k++)
        to[k * c] = number[k];
    for (int k = 0; k < SW_DEM_LAW_NUMBERS; k++)
        if (flows && k < rve->law_numbers)
            to[(SW_DEM_SPRINGS + k) * c] = h->law[k];
}

/* kg */
SW_HD static inline double sw_dem_mass(const sw_dem_rve *rve, int64_t i)
{
    const double r = rve->radius[i];
    return rve->material[rve->n_materials == 1 ? 0 : rve->material_of[i]].density * (4.0 / 3.0) *
           3.14159265358979323846 * r * r * r;
}

/* Of pair p. */
SW_HD_INLINE static inline void sw_dem_load_history(int flows, const sw_dem_rve *rve, int64_t p,
                                                    sw_dem_history *h)
{
    sw_dem_read_history(flows, rve, rve->pair_capacity, rve->history + p, h);
}
SW_HD_INLINE static inline void sw_dem_store_history(int flows, const sw_dem_rve *rve, int64_t p,
                                                     const sw_dem_history *h)
{
    sw_dem_write_history(flows, rve, rve->pair_capacity, h, rve->history + p);
}

/* The number of i's clump; -1: it has none. */
SW_HD static inline int32_t sw_dem_clump_of(const sw_dem_rve *rve, int64_t i)
{
    return rve->n_clumps > 0 ? rve->clump_of[i] : -1;
}

/* ---- Pairs ---- */

/* Vector from a's centre to b's image, of pair p, which is of these. */
SW_HD_ALWAYS static inline void sw_dem_branch_of(const sw_dem_rve *rve, int64_t p, const int32_t pair[2],
                                                 double branch[3])
{
    const int32_t a = pair[0], b = pair[1] & SW_DEM_PAIR_MASK;
    const int code = pair[1] >> SW_DEM_PAIR_BITS;
    if (rve->image_capacity > 0) {
        const int32_t image = rve->pair_image[p];
        for (int k = 0; k < 3; k++)
            branch[k] = rve->position[image][k] - rve->position[a][k];
        return;
    }
    for (int k = 0; k < 3; k++)
        branch[k] = rve->position[b][k] - rve->position[a][k];
    if (code != SW_DEM_NO_SHIFT) {
        double shift[3];
        sw_dem_cell_shift(&rve->state->cell, code, shift);
        for (int k = 0; k < 3; k++)
            branch[k] += shift[k];
    }
}
SW_HD static inline void sw_dem_branch(const sw_dem_rve *rve, int64_t p, double branch[3])
{
    sw_dem_branch_of(rve, p, rve->pair[p], branch);
}

/* Of the bodies that they belong to: from centre to centre, where stress and the field's work come by. */
SW_HD_INLINE static inline void sw_dem_body_branch(int flows, const sw_dem_rve *rve, int64_t p,
                                                   const double branch[3], double between[3])
{
    const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
    const int clumps = flows && rve->n_clumps > 0;
    for (int k = 0; k < 3; k++)
        between[k] = clumps ? branch[k] + rve->arm[a][k] - rve->arm[b][k] : branch[k];
}

/* Kinematics of a pair that touches, branch known. The point of contact lies in the middle of the overlap, so
 * that both arms add up to the distance and angular momentum is kept. */
SW_HD_ALWAYS static inline void sw_dem_pair_kinematics(const sw_dem_rve *rve, int64_t p,
                                                       const double branch[3], sw_dem_kinematics *k)
{
    const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
    const double(*l)[3] = (const double(*)[3])rve->state->affine;
    const double *va = rve->velocity[a], *vb = rve->velocity[b], *wa = rve->spin[a], *wb = rve->spin[b];
    const double square = sw_dem_dot(branch, branch), inverse = sw_dem_inverse_root(square);
    double relative[3], arm_spin[3], rolling[3], orbit[3];
    k->radius_a = rve->radius[a];
    k->radius_b = rve->radius[b];
    k->distance = square * inverse;
    k->overlap = k->radius_a + k->radius_b - k->distance;
    for (int i = 0; i < 3; i++)
        k->normal[i] = branch[i] * inverse;
    const double arm_a = k->radius_a - 0.5 * k->overlap, arm_b = k->radius_b - 0.5 * k->overlap;
    for (int i = 0; i < 3; i++) {
        relative[i] = vb[i] - va[i] + l[i][0] * branch[0] + l[i][1] * branch[1] + l[i][2] * branch[2];
        arm_spin[i] = arm_a * wa[i] + arm_b * wb[i];
        k->relative_spin[i] = wb[i] - wa[i];
    }
    sw_dem_cross(arm_spin, k->normal, rolling);
    sw_dem_cross(k->normal, relative, orbit);
    const double along = sw_dem_dot(relative, k->normal); /* rolling has no normal part */
    k->closing = -along;
    k->strength_a = rve->law_numbers > 0 ? rve->strength[a] : 0;
    k->strength_b = rve->law_numbers > 0 ? rve->strength[b] : 0;
#ifndef __CUDA_ARCH__
    const sw_dem_crowd alone = {0, 0};
    k->crowd_a = rve->coupled ? rve->crowd[a] : alone;
    k->crowd_b = rve->coupled ? rve->crowd[b] : alone;
#endif
    const double spin = 0.5 * (sw_dem_dot(wa, k->normal) + sw_dem_dot(wb, k->normal));
    for (int i = 0; i < 3; i++) {
        k->slip_velocity[i] = relative[i] - along * k->normal[i] - rolling[i];
        k->turning[i] = orbit[i] * inverse + spin * k->normal[i];
    }
}

/* What the particles' materials make of the pair. */
SW_HD static inline const sw_dem_pair_material *sw_dem_material_of_pair(const sw_dem_rve *rve, int64_t p)
{
    if (rve->n_materials == 1)
        return &rve->pair_material[0][0];
    return &rve->pair_material[rve->material_of[rve->pair[p][0]]]
                              [rve->material_of[rve->pair[p][1] & SW_DEM_PAIR_MASK]];
}

/* A pair touches no more, and forgets. */
SW_HD_INLINE static inline void sw_dem_part(int flows, const sw_dem_rve *rve, int64_t p)
{
    const sw_dem_history none = {{0, 0, 0}, {0, 0, 0}, 0, {0}};
    if (rve->touching[p] == 0)
        return;
    rve->touching[p] = 0;
    for (int side = 0; side < 2; side++)
        sw_dem_bear(flows, rve, rve->place[p][side], none.tangential, none.tangential);
    sw_dem_store_history(flows, rve, p, &none);
}

/* Forces of one pair, into its result and history. */
SW_HD_ALWAYS static inline void sw_dem_pair_step(int flows, const sw_dem_rve *rve, int64_t p, double friction,
                                                 double dt, sw_dem_work *work)
{
    const double reach = sw_dem_reach(rve, rve->pair[p][0], rve->pair[p][1] & SW_DEM_PAIR_MASK);
    sw_dem_history history;
    double branch[3], between[3], twist[3], against[3], on_a[3], on_b[3], power = 0;
    sw_dem_branch(rve, p, branch);
    const double square = sw_dem_dot(branch, branch);
    const int bound = flows && rve->gap > 0 && rve->touching[p] != 0; /* beyond touch: the law knows */
    if (!(square < reach * reach) && !bound) { /* too far, or not a number: then the motion finds out */
        sw_dem_part(flows, rve, p);
        return;
    }
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_contact contact;
    const sw_dem_pair_material *material = sw_dem_material_of_pair(rve, p);
    const int32_t place_a = rve->place[p][0],
                  place_b = rve->place[p][1]; /* early: far away on a GPU, as the history is */
    sw_dem_load_history(flows, rve, p, &history);
    sw_dem_pair_kinematics(rve, p, branch, &k);
    sw_dem_stiffnesses(flows, material, &k, dt, history.law, &stiffness);
    if (flows && stiffness.apart) {
        work->plastic += stiffness.plastic_work;
        sw_dem_part(flows, rve, p);
        return;
    }
    sw_dem_touch(material, rve->state->own_friction ? material->friction : friction, dt, &k, &stiffness,
                 &history, &contact);
    const double(*l)[3] = (const double(*)[3])rve->state->affine;
    sw_dem_body_branch(flows, rve, p, branch, between);
    for (int i = 0; i < 3; i++)
        power -= contact.force[i] * (l[i][0] * between[0] + l[i][1] * between[1] + l[i][2] * between[2]);
    work->boundary += power * dt;
    sw_dem_store_history(flows, rve, p, &history);
    rve->touching[p] = (uint8_t)(SW_DEM_TOUCHES | (contact.sliding ? SW_DEM_SLIDES : 0) |
                                 (contact.rolling ? SW_DEM_ROLLS : 0));
    sw_dem_cross(k.normal, contact.force, twist); /* both particles are turned the same way */
    for (int i = 0; i < 3; i++) {
        against[i] = -contact.force[i];
        on_a[i] = -(k.radius_a - 0.5 * k.overlap) * twist[i] - contact.moment[i];
        on_b[i] = -(k.radius_b - 0.5 * k.overlap) * twist[i] + contact.moment[i];
    }
    sw_dem_bear(flows, rve, place_a, against, on_a);
    sw_dem_bear(flows, rve, place_b, contact.force, on_b);
    work->friction += contact.friction_work;
    work->rolling += contact.rolling_work;
    work->plastic += stiffness.plastic_work;
}

#ifdef __CUDA_ARCH__
/* Whether a pair of a law that remembers nothing touches; else it parts. sw_dem_pair_step asks again. */
__device__ __attribute__((always_inline)) static inline int
sw_dem_pair_touches(const sw_dem_rve *rve, int64_t p, const int32_t pair[2])
{
    const double reach = rve->radius[pair[0]] + rve->radius[pair[1] & SW_DEM_PAIR_MASK];
    double branch[3];
    sw_dem_branch_of(rve, p, pair, branch);
    if (sw_dem_dot(branch, branch) < reach * reach)
        return 1;
    sw_dem_part(0, rve, p);
    return 0;
}

/* Pairs by warps: a quarter to a half of a list's do not touch, and a warp takes as long for one contact as for 32. Each
 * lane looks at a pair; those that touch wait in the warp's part of block_counts until there are 32, one a lane. Contacts
 * are as by sw_dem_pair_step one after another, to the bit; sums of work over them in another order. */
__device__ __attribute__((always_inline)) static inline void sw_dem_pairs_by_warps(const sw_team *team,
                                                                                   const sw_dem_rve *rve,
                                                                                   double friction, double dt,
                                                                                   sw_dem_work *work)
{
    const int lane = team->thread & 31;
    const int64_t n = rve->state->n_pairs;
    int32_t *queue = team->block_counts + (team->thread - lane);
    int waiting = 0, more = 1;
    int2 next = team->rank < n ? *(const int2 *)rve->pair[team->rank] : make_int2(0, 0);
    for (int64_t p = team->rank; more; p += team->size) {
        const int32_t pair[2] = {next.x, next.y};
        more = p - lane < n; /* the same for the warp */
        if (p + team->size < n)
            next = *(const int2 *)rve->pair[p + team->size];
        const int touches = p < n && sw_dem_pair_touches(rve, p, pair);
        const unsigned all = __ballot_sync(0xffffffffU, touches);
        const int rank = waiting + __popc(all & ((1U << lane) - 1)), total = waiting + __popc(all);
        if (touches && rank < 32)
            queue[rank] = (int32_t)p;
        __syncwarp();
        if (total >= 32 || !more) {
            if (lane < total)
                sw_dem_pair_step(0, rve, queue[lane], friction, dt, work);
            __syncwarp();
            if (touches && rank >= 32)
                queue[rank - 32] = (int32_t)p;
            __syncwarp();
        }
        waiting = total >= 32 ? total - 32 : total;
    }
}
#endif

/* Not synced. */
SW_HD_INLINE static inline void sw_dem_pairs_step(const sw_team *team, const sw_dem_rve *rve,
                                                  sw_dem_work *work)
{
    const double friction = rve->state->friction, dt = rve->state->time_step;
#ifdef __CUDA_ARCH__
    if (!team->flows) {
        sw_dem_pairs_by_warps(team, rve, friction, dt, work);
        return;
    }
#endif
    SW_TEAM_EACH (team, p, rve->state->n_pairs)
        sw_dem_pair_step(team->flows, rve, p, friction, dt, work);
}

#endif
