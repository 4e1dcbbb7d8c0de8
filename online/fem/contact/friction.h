/* Contact of one node with one tool: the force on the node, its derivative, what the node keeps.
 *
 *     f_n = k <-g>                              k the penalty stiffness, N/m
 *     w   = f_t(before) - k_t (step relative to the tool)
 *     f_t = P w                 sticks: |P w| <= c, P = I - n n'
 *         = c P w / |P w|       slips: c = min(mu f_n, limit x area)
 *
 * all on the trial geometry, so that Newton's method converges quadratically; but the limit's area is not differentiated
 * (docs/theory.md). A slip under Coulomb's law makes the derivative unsymmetric. The penalty is a nodal spring, not a
 * pressure: whatever its area, a node's force is what keeps it out of the tool.
 *
 * A tool that sticks bonds the nodes that touch it: c is infinite, and a node that pulls lets go when the substep is
 * over, not in it. In the substep in which it touches, a node slides freely. Else the force along the tool would jump
 * where contact opens and closes, and there need not be an equilibrium.
 *
 * On the way to the first equilibrium nodes that touch are asked to cling at first (SW_FEM_CLINGS, analysis/newton.c): they
 * may pull, and nothing limits shear.
 *
 * Laursen and Simo 1993; Wriggers 2006, chapter 6. */
#ifndef SW_ONLINE_FEM_CONTACT_FRICTION_H
#define SW_ONLINE_FEM_CONTACT_FRICTION_H

#include "tool.h"

/* The penalty factor of tools that name none. */
#define SW_FEM_PENALTY 100

/* Of a node's stiffness E A / h, whatever the penalty: what holds a body that a tool has not touched yet, against motion
 * in a substep. */
#define SW_FEM_CONTACT_HOLD 1e-6

/* Of the penalty stiffness, along the tool, before friction is overcome: as k itself sticking nodes would turn into
 * slipping ones, and back, within mu of their penetration, 1e-4 of an element, and Newton's method cycles. The shift that
 * this leaves, mu p / E of an element's depth, is below a hundredth. */
#define SW_FEM_CONTACT_SLIDE 0.01

/* What is asked of a contact beside its law: to hold a body that the tool has not touched yet; nodes that touch and have not
 * been pressed yet to cling. */
enum { SW_FEM_HOLDS = 1, SW_FEM_CLINGS = 2 };

typedef enum { SW_FEM_APART, SW_FEM_STICKS, SW_FEM_SLIPS, SW_FEM_SLIPS_BY_PRESSURE } sw_fem_contact_kind;

/* block += a x y' [3][3] */
SW_HD static inline void sw_fem_add_dyad(double a, const double x[3], const double y[3], double block[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            block[i][j] += a * x[i] * y[j];
}

/* block += a (I - n n' - b b') */
SW_HD static inline void sw_fem_add_across(double a, const double n[3], const double b[3], double block[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            block[i][j] += a * ((i == j) - n[i] * n[j] - b[i] * b[j]);
}

/* What friction adds: force, and block of minus its derivative; `limit` N, of a shear limit. */
SW_HD static inline sw_fem_contact_kind sw_fem_rub(const sw_fem_tool *tool, const sw_fem_tool_place *at,
                                                   double stiffness, double tangential, double normal_force,
                                                   double limit, const double w[3], double force[3],
                                                   double block[3][3], double *slip)
{
    const double zero[3] = {0, 0, 0}, *n = at->normal;
    const double wn = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
    const double coulomb = tool->friction * normal_force,
                 most = tool->sticks ? INFINITY : fmin(coulomb, limit);
    double along[3], turned[3], inner[3][3] = {{0}}, size = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = w[i] - wn * n[i];
        size += along[i] * along[i];
    }
    size = sqrt(size);
    *slip = 0;
    if (most <= 0)
        return SW_FEM_SLIPS;
    /* minus the derivative of P w */
    sw_fem_add_across(tangential, n, zero, inner);
    if (at->curvature != 0) {
        const double wa = w[0] * at->axis[0] + w[1] * at->axis[1] + w[2] * at->axis[2];
        for (int i = 0; i < 3; i++)
            turned[i] = at->curvature * (along[i] - wa * at->axis[i]) + at->around * wa * at->axis[i];
        sw_fem_add_across(at->curvature * wn, n, at->axis, inner);
        if (at->around != 0)
            sw_fem_add_dyad(at->around * wn, at->axis, at->axis, inner);
        sw_fem_add_dyad(1, n, turned, inner);
    }
    if (size <= most) {
        for (int i = 0; i < 3; i++) {
            force[i] += along[i];
            for (int j = 0; j < 3; j++)
                block[i][j] += inner[i][j];
        }
        return SW_FEM_STICKS;
    }
    const double part = most / size;
    *slip = (size - most) / tangential;
    for (int i = 0; i < 3; i++)
        along[i] /= size;
    for (int i = 0; i < 3; i++) {
        force[i] += most * along[i];
        for (int j = 0; j < 3; j++) {
            double across = inner[i][j];
            for (int k = 0; k < 3; k++)
                across -= along[i] * along[k] * inner[k][j];
            block[i][j] += part * across;
        }
    }
    if (coulomb > limit)
        return SW_FEM_SLIPS;
    sw_fem_add_dyad(tool->friction * stiffness, along, n, block);
    return SW_FEM_SLIPS_BY_PRESSURE;
}

/* A node x [3] m from the tool's reference point that has moved [3] m relative to it since the accepted state `old`.
 * slack (m): how far from the tool contact begins, against round-off; limit (N): a shear limit's force; beside:
 * SW_FEM_HOLDS, SW_FEM_CLINGS. Force on the node (N), minus its derivative block (N/m), and the new state. */
SW_HD static inline sw_fem_contact_kind sw_fem_contact_force(const sw_fem_tool *tool, const double x[3],
                                                             const double moved[3], double stiffness,
                                                             double slack, double limit, int beside,
                                                             const sw_fem_contact_point *old, double force[3],
                                                             double block[3][3], sw_fem_contact_point *next)
{
    const double penalty = tool->penalty > 0 ? tool->penalty : SW_FEM_PENALTY;
    const double held = beside & SW_FEM_HOLDS ? SW_FEM_CONTACT_HOLD * stiffness / penalty : 0;
    sw_fem_contact_kind kind = SW_FEM_APART;
    sw_fem_tool_place at;
    *next = *old;
    for (int i = 0; i < 3; i++) {
        force[i] = -held * moved[i];
        next->friction[i] = 0;
        for (int j = 0; j < 3; j++)
            block[i][j] = i == j ? held : 0;
    }
    next->held = held * sqrt(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2]);
    next->normal = next->touches = 0;
    sw_fem_tool_find(tool, x, &at);
    const int bonded = tool->sticks && old->touches > 0 && isfinite(at.gap);
    const int clings = (beside & SW_FEM_CLINGS) && old->touches > 0 && old->normal == 0 && isfinite(at.gap);
    if (!(at.gap < slack) && !bonded && !clings)
        return kind;
    const double normal = stiffness * (slack - at.gap);
    const double tangential = tool->sticks ? stiffness : SW_FEM_CONTACT_SLIDE * stiffness;
    double w[3], rubbed[3] = {0, 0, 0}, slip;
    for (int i = 0; i < 3; i++)
        w[i] = old->friction[i] - tangential * moved[i];
    sw_fem_add_dyad(stiffness, at.normal, at.normal, block);
    sw_fem_add_across(-normal * at.curvature, at.normal, at.axis, block);
    if (at.around != 0)
        sw_fem_add_dyad(-normal * at.around, at.axis, at.axis, block);
    kind = SW_FEM_SLIPS;
    slip = 0;
    if (!tool->sticks || bonded)
        kind = sw_fem_rub(tool, &at, stiffness, tangential, normal, clings ? INFINITY : limit, w, rubbed,
                          block, &slip);
    for (int i = 0; i < 3; i++) {
        force[i] += normal * at.normal[i] + rubbed[i];
        next->friction[i] = rubbed[i];
    }
    next->normal = normal;
    next->slip += slip;
    next->touches = normal > 0;
    return kind;
}

#endif
