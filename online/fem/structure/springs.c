/* Springs and gaps: the force between two nodes, and its derivative. */
#include <math.h>

#include "analysis.h"

/* Force of an elongation, and its slope; tables go on constant. */
static double spring_force(const sw_structure_spring *spring, double elongation, double *slope)
{
    const double(*row)[2] = (const double(*)[2])spring->row;
    int i = 1;
    if (spring->n_rows == 1) {
        *slope = row[0][0];
        return row[0][0] * elongation;
    }
    *slope = 0;
    if (elongation <= row[0][0])
        return row[0][1];
    while (i < spring->n_rows && elongation > row[i][0])
        i++;
    if (i == spring->n_rows)
        return row[i - 1][1];
    *slope = (row[i][1] - row[i - 1][1]) / (row[i][0] - row[i - 1][0]);
    return row[i - 1][1] + *slope * (elongation - row[i - 1][0]);
}

/* Along direction [6] over the six unknowns: force and stiffness; more: of what turns it. */
static void spring_along(const double direction[6], double force, double slope, double f[6], double k[36])
{
    for (int i = 0; i < 6; i++) {
        f[i] = force * direction[i];
        for (int j = 0; j < 6; j++)
            k[6 * i + j] = slope * direction[i] * direction[j];
    }
}

static void spring_between(const sw_structure *s, const sw_structure_spring *spring, double f[6],
                           double k[36])
{
    const sw_structure_problem *p = s->problem;
    const int64_t *n = spring->node;
    double line[3], direction[6], slope, length = 0, elongation = 0, stretched = 0;
    for (int i = 0; i < 3; i++) {
        const double x = p->position[n[1]][i] - p->position[n[0]][i],
                     du = s->trial[3 * n[1] + i] - s->trial[3 * n[0] + i];
        line[i] = s->step->finite ? x + du : x;
        length += x * x;
        stretched += line[i] * line[i];
        elongation += x * du;
    }
    length = sqrt(length);
    stretched = sqrt(stretched);
    elongation = s->step->finite ? stretched - length : elongation / length;
    for (int i = 0; i < 3; i++) {
        direction[i] = -line[i] / stretched;
        direction[3 + i] = line[i] / stretched;
    }
    const double force = spring_force(spring, elongation, &slope);
    spring_along(direction, force, slope, f, k);
    for (int i = 0; i < 6 && s->step->finite; i++)
        for (int j = 0; j < 6; j++) {
            const double same = (i % 3 == j % 3) * (i / 3 == j / 3 ? 1 : -1);
            k[6 * i + j] += force / stretched * (same - direction[i] * direction[j]);
        }
}

/* A gap's nodes are pushed apart. */
static void gap_between(const sw_structure *s, const sw_structure_spring *gap, double f[6], double k[36])
{
    const double *n = gap->direction, width = gap->tension * M_PI / gap->stiffness;
    double direction[6], overlap = -gap->clearance;
    for (int i = 0; i < 3; i++) {
        overlap -= n[i] * (s->trial[3 * gap->node[1] + i] - s->trial[3 * gap->node[0] + i]);
        direction[i] = n[i];
        direction[3 + i] = -n[i];
    }
    const double ratio = overlap / width, part = 0.5 + atan(ratio) / M_PI;
    spring_along(direction, gap->stiffness * overlap * part,
                 gap->stiffness * (part + ratio / (M_PI * (1 + ratio * ratio))), f, k);
}

void sw_structure_spring_at(const sw_structure *s, int64_t k, double force[6], double stiffness[36])
{
    const sw_structure_spring *spring = &s->problem->spring[k];
    double direction[6] = {0}, elongation = 0, slope;
    if (spring->row == NULL) {
        gap_between(s, spring, force, stiffness);
        return;
    }
    if (spring->component[0] < 0) {
        spring_between(s, spring, force, stiffness);
        return;
    }
    for (int side = 0; side < 2; side++)
        if (spring->node[side] >= 0) { /* pulls its second node back, and the first with it */
            direction[3 * side + spring->component[side]] = side == 0 ? 1 : -1;
            elongation += (side == 0 ? 1 : -1) * s->trial[3 * spring->node[side] + spring->component[side]];
        }
    const double pull = spring_force(spring, elongation, &slope);
    spring_along(direction, pull, slope, force, stiffness);
}
