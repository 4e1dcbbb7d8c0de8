/* A flexible membrane around a sample between two platens: nodes, spheres on rings that grains meet as they meet each other,
 * with springs between neighbours and a pressure on the triangles of nodes. On the CPU.
 *
 * Nodes are bonded particles as in de Bono et al. 2012 and Cil and Alshibli 2014; springs of stiffness sqrt(3)/2 E t on a
 * triangular net have the membrane's stretch E t (and a Poisson's ratio of 1/3). The pressure presses a node with the third
 * of the triangles around it, p dV/dx of the volume V that the surface of nodes and the platens enclose: its work is p dV.
 *
 * Nodes do not turn, meet neither walls nor each other, and are no grains in what counts those. The first and the last ring
 * go with the platens. Ring j, node i is particle G + j around + i, G grains; odd rings are turned by half a node. */
#ifndef SW_ONLINE_DEM_STEP_MEMBRANE_H
#define SW_ONLINE_DEM_STEP_MEMBRANE_H

#include "clumps.h"

/* What voids and volume strain go by, m^3: the volume that is inside, of a membrane that of its inner face. */
SW_HD static inline double sw_dem_room(const sw_dem_rve *rve)
{
#ifndef __CUDA_ARCH__
    if (rve->n_nodes > 0)
        return rve->state->room;
#endif
    return rve->state->cell.volume;
}
/* What stresses go by, m^3: of a membrane the volume that its pressure acts on. */
SW_HD static inline double sw_dem_enclosed(const sw_dem_rve *rve)
{
#ifndef __CUDA_ARCH__
    if (rve->n_nodes > 0)
        return rve->state->enclosed;
#endif
    return rve->state->cell.volume;
}

#ifndef __CUDA_ARCH__ /* refused with a GPU */

/* Particle of node i of ring j. */
static inline int64_t sw_dem_node(const sw_dem_rve *rve, int64_t j, int64_t i)
{
    const int64_t n = rve->membrane.around;
    return sw_dem_grains(rve) + j * n + (i < 0 ? i + n : i >= n ? i - n : i);
}

/* The triangle over edge i of ring j (kind 0), and the one under the edge of the ring above (kind 1); seen from outside
 * counter-clockwise. */
static inline void sw_dem_node_triangle(const sw_dem_rve *rve, int64_t j, int64_t i, int kind, int64_t at[3])
{
    const int64_t up = i + j % 2; /* of ring j + 1: above the middle of the edge */
    at[0] = sw_dem_node(rve, j, i);
    at[1] = kind == 0 ? sw_dem_node(rve, j, i + 1) : sw_dem_node(rve, j + 1, up);
    at[2] = kind == 0 ? sw_dem_node(rve, j + 1, up) : sw_dem_node(rve, j + 1, up - 1);
}

/* Twice the area of a triangle of nodes as a vector outward, m^2; and six times the volume under it from `origin`. */
static inline double sw_dem_node_area(const sw_dem_rve *rve, const int64_t at[3], const double origin[3],
                                      double area[3])
{
    const double *a = rve->position[at[0]], *b = rve->position[at[1]], *c = rve->position[at[2]];
    double ab[3], ac[3], from[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ac[k] = c[k] - a[k];
        from[k] = a[k] - origin[k];
    }
    sw_dem_cross(ab, ac, area);
    return sw_dem_dot(from, area);
}

/* How far inside the triangles grains come to lie on a net of nodes, m: those of the mean radius R, anywhere over nodes of
 * radius r and spacing s, of which the nearest is sqrt(5/36) s beside, in the mean square. */
static inline double sw_dem_node_clearance(const sw_dem_rve *rve)
{
    const double least = rve->mean_radius, reach = least + rve->radius[sw_dem_grains(rve)],
                 spacing = 2 * rve->membrane.radius * sin(3.14159265358979323846 / rve->membrane.around);
    return fmax(sqrt(fmax(reach * reach - 5.0 / 36 * spacing * spacing, 0)) - least, 0);
}

/* Volumes of the state: under all triangles, and under the upper platen; and less what nodes keep grains from, of areas as
 * seen from the axis: wrinkles do not count. */
static inline void sw_dem_measure_volume(sw_dem_rve *rve)
{
    const sw_dem_cell *cell = &rve->state->cell;
    const double origin[3] = {0.5 * cell->h[0][0], 0.5 * cell->h[1][1], 0};
    const int64_t n = rve->membrane.around, last = rve->membrane.rows - 1;
    double six = 0, face = 0, area = 0;
    for (int64_t j = 0; j < last; j++)
        for (int64_t i = 0; i < 2 * n; i++) {
            int64_t at[3];
            double own[3], out[2];
            sw_dem_node_triangle(rve, j, i / 2, (int)(i % 2), at);
            six += sw_dem_node_area(rve, at, origin, own);
            for (int k = 0; k < 2; k++)
                out[k] = (rve->position[at[0]][k] + rve->position[at[1]][k] + rve->position[at[2]][k]) / 3 -
                         origin[k];
            face += 0.5 * (own[0] * out[0] + own[1] * out[1]) / sqrt(out[0] * out[0] + out[1] * out[1]);
        }
    for (int64_t i = 0; i < n; i++) {
        const double *a = rve->position[sw_dem_node(rve, last, i)],
                     *b = rve->position[sw_dem_node(rve, last, i + 1)];
        area += 0.5 * ((a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0]));
    }
    rve->state->enclosed = six / 6 + area * rve->position[sw_dem_node(rve, last, 0)][2] / 3;
    rve->state->room = rve->state->enclosed - face * sw_dem_node_clearance(rve);
}

/* Force of one spring, which only pulls: thin sheets wrinkle; and its energy, J. lateral: grows by what it is pulled with,
 * N m, in axes 1 and 2. */
static inline double sw_dem_spring(const sw_dem_rve *rve, int64_t a, int64_t b, double rest, double *lateral)
{
    double way[3], *on_a = rve->node_force[a - sw_dem_grains(rve)],
                   *on_b = rve->node_force[b - sw_dem_grains(rve)];
    for (int k = 0; k < 3; k++)
        way[k] = rve->position[b][k] - rve->position[a][k];
    const double length = sqrt(sw_dem_dot(way, way)), k = 0.86602540378443864676 * rve->membrane.stiffness,
                 stretch = length - rest;
    if (!(stretch > 0))
        return 0;
    *lateral += k * stretch * (way[0] * way[0] + way[1] * way[1]) / length;
    for (int c = 0; c < 3; c++) {
        const double force = k * stretch * way[c] / length;
        on_a[c] += force;
        on_b[c] -= force;
    }
    return 0.5 * k * stretch * stretch;
}

/* Lengths of springs at rest, m: along a ring, from ring to ring. */
static inline void sw_dem_rest_lengths(const sw_dem_membrane *m, double *along, double *across)
{
    const double half = 3.14159265358979323846 / m->around, up = m->height / (m->rows - 1),
                 side = 2 * m->radius * sin(0.5 * half);
    *along = 2 * m->radius * sin(half);
    *across = sqrt(side * side + up * up);
}

/* Forces on nodes by springs [0..2] and pressure [3..5]; returns the energy of the springs, J, and how they pull. */
static inline double sw_dem_membrane_forces(const sw_dem_rve *rve, double *lateral)
{
    const int64_t n = rve->membrane.around, rows = rve->membrane.rows, grains = sw_dem_grains(rve);
    const double origin[3] = {0, 0, 0};
    double along, across, energy = 0;
    *lateral = 0;
    sw_dem_rest_lengths(&rve->membrane, &along, &across);
    memset(rve->node_force, 0, (size_t)rve->n_nodes * sizeof *rve->node_force);
    for (int64_t j = 0; j < rows; j++)
        for (int64_t i = 0; i < n; i++) {
            const int64_t own = sw_dem_node(rve, j, i), up = i + j % 2;
            energy += sw_dem_spring(rve, own, sw_dem_node(rve, j, i + 1), along, lateral);
            if (j + 1 == rows)
                continue;
            energy += sw_dem_spring(rve, own, sw_dem_node(rve, j + 1, up), across, lateral);
            energy += sw_dem_spring(rve, own, sw_dem_node(rve, j + 1, up - 1), across, lateral);
            for (int kind = 0; kind < 2; kind++) {
                int64_t at[3];
                double area[3];
                sw_dem_node_triangle(rve, j, i, kind, at);
                sw_dem_node_area(rve, at, origin, area);
                for (int e = 0; e < 9; e++)
                    rve->node_force[at[e / 3] - grains][3 + e % 3] -=
                        rve->state->membrane_pressure * area[e % 3] / 6;
            }
        }
    return energy;
}

/* One step of a node; its pressure's work, and that of what holds its ring. */
static inline void sw_dem_move_node(const sw_dem_rve *rve, int64_t i, double dt, sw_dem_work *work)
{
    const int64_t number = i - sw_dem_grains(rve), row = number / rve->membrane.around;
    const int end = row == 0 || row == rve->membrane.rows - 1;
    const double mass = sw_dem_mass(rve, i), *own = rve->node_force[number];
    const sw_dem_state *state = rve->state;
    double *x = rve->position[i], *v = rve->velocity[i], *u = rve->displacement[i], force[3], moment[3],
           taken = 0;
    sw_dem_gather(1, rve, i, force, moment);
    for (int k = 0; k < 3; k++) {
        const double all = force[k] + own[k] + own[3 + k], before = v[k];
        if (end && (k == 2 || rve->membrane.fixed)) { /* held */
            v[k] = k == 2 && row > 0 ? state->velocity_gradient[2][2] * state->cell.h[2][2] : 0;
            work->boundary += 0.5 * mass * (v[k] * v[k] - before * before) - (all - own[3 + k]) * v[k] * dt;
        } else {
            v[k] = sw_dem_accelerate(&rve->numerics, dt, before, all / mass, &taken);
            work->boundary += own[3 + k] * v[k] * dt;
        }
        u[k] += dt * v[k];
        x[k] += dt * v[k];
    }
    work->damping += mass * taken;
}

/* What nodes add to the sums: springs, motion, contacts that are no grains', and what bounds the step. */
static inline void sw_dem_measure_membrane(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const int64_t grains = sw_dem_grains(rve);
    double *sum = state->sum, *contacts = &state->wall_sum[rve->n_walls * SW_DEM_WALL_SUMS];
    double lateral;
    sum[SW_DEM_SUM_ELASTIC] += sw_dem_membrane_forces(rve, &lateral);
    sw_dem_measure_volume(rve);
    state->membrane_stress = 0.5 * lateral / state->enclosed;
    for (int64_t p = 0; p < state->n_pairs; p++)
        *contacts += rve->touching[p] != 0 &&
                     (rve->pair[p][0] >= grains || (rve->pair[p][1] & SW_DEM_PAIR_MASK) >= grains);
    for (int64_t i = grains; i < rve->n_particles; i++) {
        const double mass = sw_dem_mass(rve, i), *own = rve->node_force[i - grains], *v = rve->velocity[i],
                     *u = rve->displacement[i], speed = sqrt(sw_dem_dot(v, v));
        double force[3], moment[3];
        sw_dem_gather(1, rve, i, force, moment);
        for (int k = 0; k < 3; k++)
            force[k] += own[k] + own[3 + k];
        sum[SW_DEM_SUM_KINETIC] += 0.5 * mass * speed * speed;
        state->largest[SW_DEM_LARGEST_TRAVEL] =
            fmax(state->largest[SW_DEM_LARGEST_TRAVEL], sqrt(sw_dem_dot(u, u)));
        state->largest[SW_DEM_LARGEST_SPEED] = fmax(state->largest[SW_DEM_LARGEST_SPEED], speed);
        state->largest[SW_DEM_LARGEST_ACCELERATION] =
            fmax(state->largest[SW_DEM_LARGEST_ACCELERATION], sqrt(sw_dem_dot(force, force)) / mass);
    }
}

/* The pressure outside beside which grains have the stress: the membrane's own part is taken off, as in laboratories, but
 * for the last fifth, which keeps the membrane on its grains: the stress is then more than asked for. */
static inline double sw_dem_pressure_outside(const sw_dem_state *state, double stress)
{
    return fmax(stress - state->membrane_stress, 0.2 * stress);
}
/* Whether that fifth is all that is left, as far as the last pressure and the last tension tell. */
static inline int sw_dem_membrane_bears(const sw_dem_state *state)
{
    return state->membrane_pressure < 0.25 * state->membrane_stress; /* of (0.2 and 0.8) */
}

/* Lateral strains: what is left of the volume's. 0, and the element fails, if there is no room for its grains. */
static inline int sw_dem_strain_membrane(const sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const double volume = -log(state->room / state->volume0);
    if (!(state->room > rve->solid_volume)) {
        state->status = SW_DEM_FAILED_CELL;
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        state->strain[k] = 0.5 * (volume - state->strain[2]);
        state->seen_strain[k] = 0.5 * (volume - state->seen_strain[2]);
    }
    return 1;
}

#endif

#endif
