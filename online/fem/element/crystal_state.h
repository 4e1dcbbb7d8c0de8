/* What an element's points do where materials are polycrystals: first their velocity gradients, from which all points'
 * crystals respond together (crystal/), then forces, the next state and the tangent from what they answered. Elements
 * of other materials among them respond here, and have tangents of the same form. With SW_LANES 1.
 *
 * A step's velocity gradient is that which leads from one deformation to the other when it stays the same,
 *
 *     L = log(F(1) F(0)^-1) / dt,
 *
 * so a rotation has D = 0 exactly. Its trace is the bulk law's: a polycrystal's pressure is K ln J / J, as that of
 * law/finite.h, with mean dilatation that of the element's volume ratio. Crystals that are not cubic are strained by it, too,
 * and add to the pressure what their deviators make of it. */
#ifndef SW_ONLINE_FEM_ELEMENT_CRYSTAL_STATE_H
#define SW_ONLINE_FEM_ELEMENT_CRYSTAL_STATE_H

#include "common/math/logarithm.h"
#include "common/math/strain_rate.h"
#include "finite_state.h"
#include "general.h"

/* ---- Velocity gradients ---- */

/* F - I at point q of an element whose coordinates and displacements have coefficients x and u. */
SW_FEM_INLINE void sw_fem_plain_deformation(sw_fem_kinematics k, const sw_fem_view *view, int q,
                                            const double (*x)[8], const double (*u)[8], double h[3][3])
{
    sw_fem_place place;
    sw_fem_locate(k, q, x, view->thickness, &place);
    sw_fem_space_gradient(k, q, &place, u, h);
}

SW_FEM_INLINE double sw_fem_volume_ratio(const sw_fem_deformed *at, int q, int b_bar)
{
    return b_bar ? at->whole / at->whole_first : at->volume[q] / at->first[q];
}

/* As sw_fem_gradients_function. */
SW_FEM_INLINE int sw_fem_crystal_gradients(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                           const double *from, const double *to)
{
    const int V = sw_fem_corners(k);
    const int64_t first = (int64_t)view->crystals.place[e] * V;
    double before[3][8] = {{0}};
    sw_fem_deformed at;
    if (!sw_fem_deform(k, view, e, to, &at))
        return 0;
    if (view->crystals.place[e] < 0)
        return 1;
    sw_fem_gather(sw_fem_dimension(k), view->node + e * V, from, sw_fem_dimension(k), before);
    int right = 1;
    double mean = 0; /* of tr L dt, that of the mean dilatation */
    const int is_mean = view->crystals.couples && view->b_bar;
    if (is_mean) {
        sw_fem_deformed was;
        right = sw_fem_deform(k, view, e, from, &was);
        mean = log(sw_fem_volume_ratio(&at, 0, 1) / sw_fem_volume_ratio(&was, 0, 1));
    }
    for (int q = 0; q < V; q++) {
        double h0[3][3], h1[3][3], inverse[3][3], step[3][3], log[3][3];
        sw_fem_plain_deformation(k, view, q, (const double(*)[8])at.x, (const double(*)[8])before, h0);
        sw_fem_plain_deformation(k, view, q, (const double(*)[8])at.x, (const double(*)[8])at.h, h1);
        sw_fem_invert_gradient((const double(*)[3])h0, inverse);
        for (int i = 0; i < 9; i++)
            h1[i / 3][i % 3] -= h0[i / 3][i % 3];
        sw_multiply(h1, inverse, step); /* F(1) F(0)^-1 - I */
        right &= sw_logarithm(step, log) &&
                 sqrt(sw_symmetric_square((const double(*)[3])log)) <= SW_FEM_LARGEST_STEP;
        const double more = is_mean ? (mean - log[0][0] - log[1][1] - log[2][2]) / 3 : 0;
        for (int i = 0; is_mean && i < 3; i++)
            log[i][i] += more;
        for (int i = 0; i < 9; i++)
            view->crystals.gradient[first + q][i / 3][i % 3] = log[i / 3][i % 3] / view->crystals.dt;
    }
    return right;
}

/* ---- Stress ---- */

/* K ln(volume ratio) / ratio, and its slope by the ratio's logarithm. */
SW_FEM_INLINE double sw_fem_bulk_pressure(double bulk, double ratio, double *slope)
{
    *slope = bulk * (1 - log(ratio)) / ratio;
    return bulk * log(ratio) / ratio;
}

/* Whether points are where they were accepted, or of the elastic tangent: the stress is then the accepted one. */
SW_FEM_INLINE void sw_fem_crystal_stress(const sw_fem_view *view, int64_t point, const sw_fem_point *old,
                                         double stress[6])
{
    for (int i = 0; i < 6; i++)
        stress[i] = view->crystals.rests ? old->stress[i] : view->crystals.stress[point][i];
}

/* ---- Tangents ---- */

/* Rows of C, each the gradient of a stress by l: of the deviator, then, where that is not the bulk law's alone, of the mean stress. */
typedef struct {
    double row[6][3][3];
} sw_fem_general_rows;

SW_FEM_INLINE SW_CONSTEXPR int sw_fem_general_row(int i) { return i < 2 ? i : i + 1; }

/* Row i where stresses are not deviators. */
SW_FEM_INLINE void sw_fem_coupled_row(const sw_fem_crystal_view *c, int64_t point, int i, double by[6],
                                      double spin[3])
{
    const int n = i < 5 ? sw_fem_general_row(i) : -1;
    for (int j = 0; j < 9; j++) {
        double mean = 0;
        for (int k = 0; k < 3; k++)
            mean += (j < 6 ? c->by_strain_rate[point][k][j] : c->by_spin[point][k][j - 6]) / 3;
        const double whole = n < 0 ? 0 : j < 6 ? c->by_strain_rate[point][n][j] : c->by_spin[point][n][j - 6];
        *(j < 6 ? by + j : spin + j - 6) = n < 0 ? mean : n < 2 ? whole - mean : whole;
    }
}

/* From the slopes by D and W of a step, which the crystals have. */
SW_FEM_INLINE void sw_fem_crystal_rows(const sw_fem_crystal_view *c, int64_t point, sw_fem_general_rows *to)
{
    const double over = 1 / c->dt;
    double log[3][3];
    for (int j = 0; j < 9; j++)
        log[j / 3][j % 3] = c->gradient[point][j / 3][j % 3] * c->dt;
    for (int i = 0; i < (c->couples ? 6 : 5); i++) {
        double own[6], turned[3]; /* by D, shears doubled; by W 12 13 23 */
        const double *by = own, *spin = turned;
        double(*row)[3] = to->row[i];
        if (c->couples) {
            sw_fem_coupled_row(c, point, i, own, turned);
        } else {
            by = c->by_strain_rate[point][sw_fem_general_row(i)];
            spin = c->by_spin[point][sw_fem_general_row(i)];
        }
        for (int j = 0; j < 3; j++) {
            row[j][j] = by[j] * over;
            for (int l = j + 1; l < 3; l++) {
                const double both = by[sw_six_of(j, l)] * over, turn = 0.5 * spin[j + l - 1] * over;
                row[j][l] = both + turn;
                row[l][j] = both - turn;
            }
        }
        sw_logarithm_gradient(log, row);
    }
}

/* Of dt = c d + w t - t w with c as law/finite.h has it, over J, bulk left out: the deviator's rows, stress its own
 * Cauchy deviator. */
SW_FEM_INLINE void sw_fem_objective_rows(const double moduli[SW_FEM_MODULI], double bulk, double over_J,
                                         const double stress[6], sw_fem_general_rows *to)
{
    double c[6][6], s[3][3];
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 6; j++, at++)
            c[i][j] = c[j][i] = (moduli[at] - (j < 3 ? bulk : 0)) * over_J;
    sw_fem_symmetric(stress, s);
    for (int i = 0; i < 9; i++)
        to->row[5][i / 3][i % 3] = 0;
    for (int n = 0; n < 5; n++) {
        const int a = sw_fem_general_row(n), i = a < 3 ? a : (a + 1) % 3, j = a < 3 ? a : (a + 2) % 3;
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                /* w s - s w at ij, of l: w_ij = (l_ij - l_ji) / 2; and - s tr l */
                const double spin = (i == k ? s[l][j] : 0) - (i == l ? s[k][j] : 0) - (l == j ? s[i][k] : 0) +
                                    (k == j ? s[i][l] : 0);
                to->row[n][k][l] = c[a][sw_six_of(k, l)] + 0.5 * spin - (k == l ? stress[a] : 0);
            }
    }
}

SW_FEM_INLINE void sw_fem_elastic_moduli(double bulk, double shear, double moduli[SW_FEM_MODULI])
{
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 6; j++, at++)
            moduli[at] = i == j ? (i < 3 ? bulk + 4 * shear / 3 : shear) : j < 3 ? bulk - 2 * shear / 3 : 0;
}

/* In the order of the view's tangents; to: number 0 of the point's. */
SW_FEM_INLINE void sw_fem_keep_general(const sw_fem_general_rows *rows, const double stress[6], double slope,
                                       int couples, int64_t step, double *to)
{
    for (int i = 0; i < 45; i++)
        to[i * step] = rows->row[i / 9][i % 9 / 3][i % 3];
    for (int i = 0; i < 6; i++)
        to[(SW_FEM_GENERAL_STRESS + i) * step] = stress[i];
    to[SW_FEM_GENERAL_PRESSURE * step] = slope;
    for (int i = 0; couples && i < 9; i++)
        to[(SW_FEM_GENERAL_MEAN + i) * step] = rows->row[5][i / 3][i % 3];
}

/* ---- A point ---- */

SW_FEM_INLINE void sw_fem_deviator_of(const sw_fem_crystal_view *c, const double stress[6], double s[3][3])
{
    double own[6];
    for (int i = 0; i < 6; i++)
        own[i] = stress[i];
    if (c->couples)
        (void)sw_fem_take_pressure(own);
    sw_fem_symmetric(own, s);
}

/* What a crystal point has come to at the end of an accepted substep; next: its stress and plastic strain. The
 * elastic strain is the deviator over 2 G. Plastic strain comes while the point flows, also where it begins to on the way: at
 * the stress of the end, on the average as much less as slip resistance has grown by half. Returns whether it flows. */
SW_FEM_INLINE int sw_fem_crystal_accept(const sw_fem_crystal_view *c, const sw_fem_material *material,
                                        int64_t point, const sw_fem_point *old, sw_fem_point *next)
{
    const double(*l)[3] = (const double(*)[3])c->gradient[point];
    const double mean = (l[0][0] + l[1][1] + l[2][2]) / 3, twice = 2 * sw_fem_shear(material);
    double s0[3][3], s1[3][3], rate = 0, flow = 0, work = 0;
    sw_fem_deviator_of(c, old->stress, s0);
    sw_fem_deviator_of(c, c->stress[point], s1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double d = 0.5 * (l[i][j] + l[j][i]) - (i == j ? mean : 0);
            double turned = s0[i][j];
            for (int k = 0; k < 3; k++)
                turned += c->dt * 0.5 * ((l[i][k] - l[k][i]) * s0[k][j] - s0[i][k] * (l[k][j] - l[j][k]));
            const double plastic = d - (s1[i][j] - turned) / (twice * c->dt);
            rate += d * d;
            flow += plastic * plastic;
            work += s1[i][j] * plastic * c->dt;
        }
    sw_fem_crystal_point *history = &c->history[point];
    work *= 0.5 * (1 + history->slip_resistance / c->slip_resistance[point]);
    history->slip += c->slip_rate[point] * c->dt;
    history->work += work;
    history->slip_resistance = c->slip_resistance[point];
    history->taylor_factor = rate > 0 ? c->slip_rate[point] / sqrt(2 * rate / 3) : 0;
    for (int i = 0; i < 6; i++)
        next->stress[i] = c->stress[point][i];
    next->equivalent = old->equivalent + sqrt(2 * flow / 3) * c->dt;
    return flow > 0.25 * rate;
}

/* ---- An element ---- */

/* One point's Cauchy stress without the mean dilatation's pressure; its tangent where slot >= 0; accept. */
typedef struct {
    const sw_fem_view *view;
    const sw_fem_material *material;
    const sw_fem_states *states;
    const sw_fem_deformed *at;
    int64_t e, slot;
    double *tangents;
    int accept;
} sw_fem_crystal_task;

SW_FEM_INLINE void sw_fem_keep_state(const sw_fem_crystal_task *t, int Q, int q, const sw_fem_point *next,
                                     int yields)
{
    if (!t->accept)
        return;
    sw_fem_keep_point(t->states, t->e, q, next);
    t->states->yielded[t->e * Q + q] = (uint8_t)yields;
}

SW_FEM_INLINE int sw_fem_polycrystal_point(const sw_fem_crystal_task *t, int Q, int q, double stress[6],
                                           sw_fem_general_rows *rows)
{
    const sw_fem_crystal_view *c = &t->view->crystals;
    const sw_fem_point old = sw_fem_load_point(t->states, t->e, q);
    const int64_t point = (int64_t)c->place[t->e] * Q + q;
    sw_fem_point next = old;
    int yields = 0;
    sw_fem_crystal_stress(t->view, point, &old, stress);
    if (t->slot >= 0 && c->rests) {
        double moduli[SW_FEM_MODULI];
        sw_fem_elastic_moduli(sw_fem_bulk(t->material), sw_fem_shear(t->material), moduli);
        sw_fem_objective_rows(moduli, sw_fem_bulk(t->material), 1, stress, rows);
    } else if (t->slot >= 0) {
        sw_fem_crystal_rows(c, point, rows);
    }
    if (c->rests)
        return t->states->yielded[t->e * Q + q];
    if (t->accept)
        yields = sw_fem_crystal_accept(c, t->material, point, &old, &next);
    else
        yields = c->slip_rate[point] * c->dt > 1e-5; /* some hundredth of what yields */
    sw_fem_keep_state(t, Q, q, &next, yields);
    return yields;
}

SW_FEM_INLINE int sw_fem_other_point(sw_fem_kinematics k, const sw_fem_crystal_task *t, int q,
                                     double stress[6], sw_fem_general_rows *rows)
{
    const double over_J = t->at->first[q] / t->at->volume[q];
    const sw_fem_point old = sw_fem_load_point(t->states, t->e, q);
    double h[3][3], moduli[SW_FEM_MODULI];
    sw_fem_point next;
    sw_fem_deformation(k, t->view, t->at, q, t->view->b_bar, h);
    const int yields = sw_fem_finite_return(t->material, (const double(*)[3])h, &old, stress, &next,
                                            t->slot >= 0 ? moduli : NULL);
    sw_fem_take_pressure(stress);
    for (int i = 0; i < 6; i++)
        stress[i] *= over_J;
    if (t->slot >= 0)
        sw_fem_objective_rows(moduli, sw_fem_bulk(t->material), over_J, stress, rows);
    sw_fem_keep_state(t, sw_fem_corners(k), q, &next, yields);
    return yields;
}

/* As sw_fem_finite_state. */
SW_FEM_INLINE int sw_fem_crystal_state(sw_fem_kinematics k, const sw_fem_view *view,
                                       const sw_fem_material *materials, const sw_fem_states *states,
                                       int64_t e, const double *u, double (*forces)[8], int accept,
                                       int64_t slot, double *tangents)
{
    const int d = sw_fem_dimension(k), Q = sw_fem_corners(k);
    sw_fem_deformed at;
    const sw_fem_crystal_task task = {.view = view,
                                      .material = &materials[view->material_of[e]],
                                      .states = states,
                                      .at = &at,
                                      .e = e,
                                      .slot = slot,
                                      .tangents = tangents,
                                      .accept = accept};
    double f[3][8] = {{0}};
    int count = 0;
    if (!sw_fem_deform(k, view, e, u, &at))
        return -1;
    for (int q = 0; q < Q; q++) {
        double stress[6], slope;
        sw_fem_general_rows rows;
        count += view->crystals.place[e] >= 0 ? sw_fem_polycrystal_point(&task, Q, q, stress, &rows)
                                              : sw_fem_other_point(k, &task, q, stress, &rows);
        const double pressure = sw_fem_bulk_pressure(sw_fem_bulk(task.material),
                                                     sw_fem_volume_ratio(&at, q, view->b_bar), &slope);
        for (int i = 0; i < 3; i++)
            stress[i] += pressure;
        if (slot >= 0)
            sw_fem_keep_general(&rows, stress, slope, view->crystals.couples, Q * view->n_plastic,
                                tangents + q * view->n_plastic + slot);
        if (forces) {
            sw_fem_place place;
            sw_fem_locate(k, q, (const double(*)[8])at.now, view->thickness, &place);
            sw_fem_spread(k, q, &place, stress, f);
        }
    }
    SW_UNROLL
    for (int i = 0; forces && i < d; i++)
        sw_fem_coefficients_back(d, f[i], forces[i]);
    return count;
}

#endif
