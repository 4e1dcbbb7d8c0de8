/* Walls that are meshes: a particle has as many contacts with one as there are lanes, each with a history. From one step to
 * the next a contact is the one whose normal is nearest to what it was, so that friction goes on across edges, corners and
 * from triangle to triangle. On the CPU; part of walls.h. */
#ifndef SW_ONLINE_DEM_STEP_MESH_WALLS_H
#define SW_ONLINE_DEM_STEP_MESH_WALLS_H

#include "online/dem/element/mesh.h"

/* Cosine of the normals of a contact in two steps, at least. */
#define SW_DEM_MESH_GOES_ON 0.8

/* Contacts of particle i, within what its law acts over. */
static inline int sw_dem_find_on_mesh(const sw_dem_rve *rve, const sw_dem_wall_now *wall, int64_t i,
                                      sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS])
{
    const int64_t number = (wall - rve->wall) - rve->n_platens;
    double x[3];
    for (int c = 0; c < 3; c++)
        x[c] = rve->position[i][c] - wall->of.point[c];
    const sw_dem_law law = sw_dem_material_at_wall(rve, i)->law;
    const double power = law == SW_DEM_HERTZ_MINDLIN || law == SW_DEM_DMT ? 1.5 : 1;
    return sw_dem_mesh_contacts(rve->mesh[number], x, rve->radius[i] + rve->gap, power, contact);
}

/* A contact that another one takes in forgets: what its springs had stored is dissipated. */
static inline void sw_dem_mesh_forget(const sw_dem_rve *rve, const sw_dem_wall_now *wall, int64_t place,
                                      int64_t i, int n, const sw_dem_mesh_contact *contact, sw_dem_work *work)
{
    double speed[3], least = rve->radius[i];
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_history history;
    for (int c = 0; c < n; c++)
        least = contact[c].distance < least ? contact[c].distance : least;
    if (rve->wall_touching[place] != 0 && least < rve->radius[i]) {
        sw_dem_wall_kinematics(rve, wall, i, rve->wall_normal[place], rve->radius[i] - least, INFINITY, &k,
                               speed);
        sw_dem_read_history(1, rve, sw_dem_wall_places(rve), rve->wall_history + place, &history);
        sw_dem_stiffnesses(1, sw_dem_material_at_wall(rve, i), &k, 0, history.law, &stiffness);
        stiffness.normal_energy = 0;
        work->friction += sw_dem_elastic_energy(&stiffness, &history);
    }
    sw_dem_wall_forget(rve, place);
}

/* place [SW_DEM_MESH_CONTACTS]: of the lanes. of_lane: the contact that each goes on with, or begins with; -1: none. */
static inline void sw_dem_match_lanes(const sw_dem_rve *rve, const sw_dem_wall_now *wall, int64_t i,
                                      const int64_t *place, int n, const sw_dem_mesh_contact *contact,
                                      int of_lane[SW_DEM_MESH_CONTACTS], sw_dem_work *work)
{
    int taken[SW_DEM_MESH_CONTACTS] = {0};
    for (int l = 0; l < SW_DEM_MESH_CONTACTS; l++)
        of_lane[l] = -1;
    for (int pass = 0; pass < n; pass++) {
        double most = SW_DEM_MESH_GOES_ON;
        int lane = -1, found = -1;
        for (int l = 0; l < SW_DEM_MESH_CONTACTS; l++)
            for (int c = 0; c < n && rve->wall_touching[place[l]] != 0 && of_lane[l] < 0; c++) {
                const double near = sw_dem_dot(rve->wall_normal[place[l]], contact[c].normal);
                if (!taken[c] && near > most) {
                    most = near;
                    lane = l;
                    found = c;
                }
            }
        if (lane < 0)
            break;
        of_lane[lane] = found;
        taken[found] = 1;
    }
    for (int l = 0; l < SW_DEM_MESH_CONTACTS; l++)
        if (of_lane[l] < 0)
            sw_dem_mesh_forget(rve, wall, place[l], i, n, contact, work);
    for (int c = 0, l = 0; c < n; c++) {
        if (taken[c] || !(contact[c].distance < rve->radius[i]))
            continue;
        while (of_lane[l] >= 0)
            l++;
        of_lane[l] = c;
    }
}

/* Takes it down if the last step brought a centre, whose contacts these are, through the mesh: what is nearer than a step is
 * looked at. */
static inline void sw_dem_watch_mesh(const sw_dem_rve *rve, const sw_dem_wall_now *wall, int64_t i, double dt,
                                     int n, const sw_dem_mesh_contact *contact)
{
    const sw_dem_mesh *mesh = rve->mesh[(wall - rve->wall) - rve->n_platens];
    const double servo = wall->of.force_driven ? wall->rate : 0;
    double to[3], from[3], way[3], near = rve->radius[i];
    for (int c = 0; c < n; c++)
        near = contact[c].distance < near ? contact[c].distance : near;
    for (int c = 0; c < 3; c++)
        way[c] = dt * (rve->velocity[i][c] - wall->of.velocity[c] + servo * wall->of.axis[c]);
    const double length = sqrt(sw_dem_dot(way, way));
    if (length < near)
        return;
    for (int c = 0; c < 3; c++) {
        to[c] = rve->position[i][c] - wall->of.point[c];
        from[c] = to[c] - way[c];
    }
    if (!sw_dem_through_mesh(mesh, from, to) || rve->state->step == 0)
        return;
    if (rve->state->through++ == 0) {
        rve->state->through_particle = (int32_t)i;
        rve->state->through_wall = (int32_t)((wall - rve->wall) - rve->n_platens);
        rve->state->through_way = length;
    }
}

/* Forces of one particle and one mesh, into results and histories of its lanes. */
static inline void sw_dem_mesh_step(const sw_dem_rve *rve, int w, int64_t i, double dt, sw_dem_work *work)
{
    const sw_dem_wall_now *wall = &rve->wall[w];
    sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS];
    int64_t place[SW_DEM_MESH_CONTACTS];
    int of_lane[SW_DEM_MESH_CONTACTS], touched = 0;
    for (int l = 0; l < SW_DEM_MESH_CONTACTS; l++) {
        place[l] = sw_dem_wall_place(rve, l * rve->n_walls + w, i);
        touched |= rve->wall_touching[place[l]];
    }
    const int n = sw_dem_find_on_mesh(rve, wall, i, contact);
    sw_dem_watch_mesh(rve, wall, i, dt, n, contact);
    if (n == 0 && !touched)
        return;
    sw_dem_match_lanes(rve, wall, i, place, n, contact, of_lane, work);
    for (int l = 0; l < SW_DEM_MESH_CONTACTS; l++) {
        if (of_lane[l] < 0)
            continue;
        sw_dem_mesh_contact *at = &contact[of_lane[l]];
        if (at->kind == SW_DEM_ON_SEVERAL && rve->wall_touching[place[l]] != 0 && dt > 0)
            for (int c = 0; c < 3; c++) /* how fast the normal goes */
                at->along[c] = (at->normal[c] - rve->wall_normal[place[l]][c]) / dt;
        for (int c = 0; c < 3; c++)
            rve->wall_normal[place[l]][c] = at->normal[c];
        sw_dem_wall_contact(rve, wall, place[l], i, at->normal, rve->radius[i] - at->distance, INFINITY, at,
                            dt, work);
    }
}

/* Where the contact of a place is now, that was there in the last step; stored: as of sw_dem_mesh_contact, of laws whose
 * energy is a power of the depth. */
static inline void sw_dem_mesh_measure(const sw_dem_rve *rve, const sw_dem_wall_now *wall, int64_t place,
                                       int64_t i, double normal[3], double *overlap, double *stored)
{
    const sw_dem_law law = sw_dem_material_at_wall(rve, i)->law;
    const int by_depth = law == SW_DEM_LINEAR || law == SW_DEM_HERTZ_MINDLIN;
    sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS];
    const int n = sw_dem_find_on_mesh(rve, wall, i, contact);
    double most = SW_DEM_MESH_GOES_ON;
    *overlap = 0;
    *stored = 1;
    for (int c = 0; c < 3; c++)
        normal[c] = rve->wall_normal[place][c];
    const double was[3] = {normal[0], normal[1], normal[2]};
    for (int k = 0; k < n; k++) {
        const double near = sw_dem_dot(was, contact[k].normal);
        if (!(near > most))
            continue;
        most = near;
        *overlap = rve->radius[i] - contact[k].distance;
        *stored = by_depth ? contact[k].stored : 1;
        for (int c = 0; c < 3; c++)
            normal[c] = contact[k].normal[c];
    }
}

#endif
