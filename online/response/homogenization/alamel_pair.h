/* Two crystals on either side of a boundary, of `alamel`: together they go through the strain rate of the polycrystal, each with two
 * shears more, along the boundary plane, that the other one has the other way; such that the work of both is least (Van Houtte, Li,
 * Seefeldt & Delannay, Int. J. Plast. 21 (2005) 589). Where it is, the shear stresses on that plane are the same in both: so these
 * are unknowns that both share, and the other three components of their stresses each has to itself. Normal stresses on the plane
 * agree by the pressures, which plastic flow does not feel.
 *
 * In the frame of the boundary, whose third axis is its normal. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_ALAMEL_PAIR_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_ALAMEL_PAIR_H

#include "coupled.h"

typedef struct {
    double normal[3];     /* unit, sample frame */
    double frame[3][3];   /* columns: two directions in the plane, and the normal */
    double d[5];          /* D over r there */
    double unit_stress;   /* S, Pa: y is over S unit */
    sw_coupled of[2];     /* shares add up to 1 */
    double relaxed[2][2]; /* shears 23 13 of strain rates beside d, over r, of each */
} sw_alamel_pair;

/* What it answers: of each a stress, Pa, sample frame (11 22 12 13 23), the slip rate, 1/s, and where x was when the step began. */
typedef struct {
    double stress[2][5], slip_rate[2], begun[2][5];
} sw_alamel_answer;

/* Among the unknowns: 23 and 13 of both, then the others of either. */
SW_HD static inline void sw_alamel_places(int crystal, int place[5])
{
    const int own = 2 + 3 * crystal, all[5] = {own, own + 1, 0, 1, own + 2};
    for (int i = 0; i < 5; i++)
        place[i] = all[i];
}

/* Any two directions in the plane will do, as all shears along it are free. */
SW_HD static inline void sw_alamel_frame(const double n[3], double frame[3][3])
{
    const int k =
        fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    const double size = sqrt(1 - n[k] * n[k]);
    for (int i = 0; i < 3; i++) {
        frame[i][2] = n[i];
        frame[i][0] = ((i == k) - n[k] * n[i]) / size;
    }
    for (int i = 0; i < 3; i++)
        frame[i][1] = n[(i + 1) % 3] * frame[(i + 2) % 3][0] - n[(i + 2) % 3] * frame[(i + 1) % 3][0];
}

SW_HD static inline void sw_alamel_begin_search(const sw_coupled_step *step, sw_alamel_pair *pair,
                                                int place[2][5], sw_coupled_search *search)
{
    double largest = 0, work = 0;
    sw_coupled_search_begin(search, SW_SHARED_MAX);
    for (int c = 0; c < 2; c++) {
        sw_alamel_places(c, place[c]);
        sw_coupled_start(step, &pair->of[c]);
        sw_coupled_add_start(&pair->of[c], pair->unit_stress, place[c], search->y);
        for (int i = 0; i < 5; i++)
            search->d[place[c][i]] += pair->of[c].share * pair->d[i];
    }
    for (int i = 2; i < SW_SHARED_MAX; i++) {
        search->size[i] = pair->of[(i - 2) / 3].share;
        search->y[i] /= search->size[i];
    }
    for (int again = 0; again < 2; again++) { /* what does little work is no place to begin: D is */
        largest = work = 0;
        for (int c = 0; c < 2; c++) {
            sw_coupled_see(step, place[c], search->y, &pair->of[c]);
            largest = fmax(largest, pair->of[c].largest);
        }
        for (int i = 0; i < SW_SHARED_MAX; i++)
            work += search->d[i] * search->y[i];
        if (work > 0.1 * largest && work < 1e30)
            break;
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < 5; i++)
                search->y[place[c][i]] = pair->d[i];
    }
    for (int i = 0; i < SW_SHARED_MAX; i++)
        search->y[i] /= largest;
}

/* The stresses of both as they are, seen in orientations q, and what follows of them. Whether there is an answer. */
SW_HD static inline int sw_alamel_solve(const sw_coupled_step *step, const double *q[2],
                                        const double normal[3], sw_alamel_pair *pair)
{
    sw_coupled_search search;
    int place[2][5], met = 0;
    sw_alamel_frame(normal, pair->frame);
    sw_deviator_in_frame((const double(*)[3])pair->frame, step->d, pair->d);
    for (int i = 0; i < 5; i++)
        pair->d[i] /= step->rate;
    pair->unit_stress = 0.5 * (pair->of[0].s + pair->of[1].s);
    for (int c = 0; c < 2; c++)
        sw_coupled_face(step, (const double(*)[3])pair->frame, q[c], pair->unit_stress, &pair->of[c]);
    sw_alamel_begin_search(step, pair, place, &search);
    for (int iteration = 0; iteration < SW_COUPLED_ITERATIONS && !met; iteration++) {
        sw_coupled_sums sums = {.largest = 0};
        double safe = 1;
        for (int c = 0; c < 2; c++)
            sw_coupled_add(step, pair->unit_stress, place[c], search.y, &pair->of[c], &sums);
        met = sw_coupled_search_take(&search, step->model->slip.exponent, &sums);
        for (int c = 0; c < 2 && !met; c++)
            safe = fmin(safe, sw_coupled_safe(step, place[c], &search, sums.largest, &pair->of[c]));
        if (!met)
            sw_coupled_search_move(&search, safe);
    }
    for (int c = 0; c < 2; c++) {
        sw_coupled *own = &pair->of[c];
        sw_coupled_see(step, place[c], search.y, own);
        sw_coupled_flow(step, own);
        for (int i = 0; i < 2; i++) {
            pair->relaxed[c][i] = -pair->d[i + 2];
            for (int k = 0; k < 5; k++)
                pair->relaxed[c][i] += own->s / pair->unit_stress * own->to[k][i + 2] * own->flow[k];
            pair->relaxed[c][i] *= SW_ROOT_HALF; /* from vectors of five */
        }
    }
    return met && search.error <= SW_COUPLED_TOLERANCE;
}

/* hardened: by which stresses have grown. */
SW_HD static inline void sw_alamel_answer_of(const sw_coupled_step *step, const sw_alamel_pair *pair,
                                             double hardened, sw_alamel_answer *answer)
{
    for (int c = 0; c < 2; c++) {
        const sw_coupled *own = &pair->of[c];
        sw_rigid_plastic_stress((const double(*)[3])own->r, own->x, answer->stress[c]);
        for (int i = 0; i < 5; i++) {
            answer->stress[c][i] *= own->s * step->unit * hardened;
            answer->begun[c][i] = own->x[i];
        }
        answer->slip_rate[c] = own->slip_rate * step->rate;
    }
}

/* How the work of the pair's slips grows with what they make of resistances in all of the step. Of stresses that do what is given of
 * strain it is how these grow, to first order: that slips then change makes no difference where their work is least. */
SW_HD static inline double sw_alamel_hardened(const sw_coupled_step *step, sw_alamel_pair *pair)
{
    sw_coupled_growth growth = {1e30, -1e30};
    double before = 0, after = 0;
    for (int c = 0; c < 2; c++) {
        sw_coupled_harden(step, step->duration, &pair->of[c], &growth);
        sw_coupled_count_work(step, &pair->of[c], &before, &after);
    }
    return after / before;
}

/* The boundary goes with the polycrystal: n -> n F^-1, by the exponential's series to 4th order, in parts of at most a quarter. */
SW_HD static inline void sw_alamel_carry(const double l[3][3], double dt, double n[3])
{
    double square = 0;
    for (int k = 0; k < 9; k++)
        square += l[k / 3][k % 3] * l[k / 3][k % 3];
    const int parts = 1 + (int)(4 * sqrt(square) * dt);
    for (int part = 0; part < parts; part++) {
        double term[3] = {n[0], n[1], n[2]}, size = 0;
        for (int order = 1; order <= 4; order++) {
            const double last[3] = {term[0], term[1], term[2]};
            for (int j = 0; j < 3; j++) {
                term[j] = -dt / (parts * order) * (last[0] * l[0][j] + last[1] * l[1][j] + last[2] * l[2][j]);
                n[j] += term[j];
            }
        }
        for (int j = 0; j < 3; j++)
            size += n[j] * n[j];
        for (int j = 0; j < 3; j++)
            n[j] /= sqrt(size);
    }
}

/* The part of the step that comes next, of what is left of it; resistances are those that it leaves. */
SW_HD static inline double sw_alamel_part(const sw_coupled_step *step, double left, sw_alamel_pair *pair)
{
    const double least = 1.0 / SW_COUPLED_PARTS;
    double part = left;
    for (int again = 0; again < 30; again++) {
        sw_coupled_growth growth = {1e30, -1e30};
        double slip = 0;
        for (int c = 0; c < 2; c++) {
            sw_coupled_harden(step, part * step->duration, &pair->of[c], &growth);
            slip = fmax(slip, pair->of[c].slip_rate);
        }
        const double shorter = sw_coupled_shorten(step, part * step->duration, slip, &growth);
        if (shorter >= 1 || part <= least)
            break;
        part = fmax(part * shorter, least);
    }
    return part;
}

/* What it answers: as it is or, unless of_begin, with the resistances that the step leaves. Whether it does. */
SW_HD static inline int sw_alamel_try(const sw_coupled_step *step, int of_begin, sw_alamel_pair *pair,
                                      sw_alamel_answer *answer)
{
    const double *q[2] = {pair->of[0].q, pair->of[1].q};
    const int good = sw_alamel_solve(step, q, pair->normal, pair);
    const int hardens = !of_begin && step->duration > 0;
    sw_alamel_answer_of(step, pair, hardens ? sw_alamel_hardened(step, pair) : 1, answer);
    return good;
}

/* The step, which sw_alamel_try has begun. Whether there is an answer. */
SW_HD static inline int sw_alamel_step(const sw_coupled_step *step, sw_alamel_pair *pair)
{
    const double *q[2] = {pair->of[0].q, pair->of[1].q};
    double left = 1;
    for (int part = 0; left > 1e-9 && part < SW_COUPLED_PARTS; part++) {
        if (part > 0 && !sw_alamel_solve(step, q, pair->normal, pair))
            return 0;
        const double share = sw_alamel_part(step, left, pair), dt = share * step->duration;
        for (int c = 0; c < 2; c++) {
            double relaxed[3];
            for (int i = 0; i < 3; i++)
                relaxed[i] =
                    pair->frame[i][1] * pair->relaxed[c][1] - pair->frame[i][0] * pair->relaxed[c][0];
            sw_coupled_go_on(step, dt, relaxed, &pair->of[c]);
        }
        sw_alamel_carry(step->l, dt, pair->normal);
        left -= share;
    }
    return 1;
}

#endif
