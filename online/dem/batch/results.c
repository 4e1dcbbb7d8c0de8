/* What an element is at the end: its packing and its contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "online/dem/step/step.h"

/* What contacts remember that touched in the last step, into a packing without. */
static sw_status get_memory(const sw_dem_rve *rve, sw_dem_packing *packing)
{
    const int m = SW_DEM_SPRINGS + rve->law_numbers;
    int64_t n = 0;
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        n += rve->touching[p] != 0;
    packing->contact_law = rve->material[0].law;
    packing->contact_numbers = m;
    if (n == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(packing->contact, n, "contacts of a packing"));
    SW_TRY(SW_ALLOCATE(packing->contact_history, n * m, "contacts of a packing"));
    packing->n_contacts = n;
    n = 0;
    for (int64_t p = 0; p < rve->state->n_pairs; p++) {
        if (rve->touching[p] == 0)
            continue;
        packing->contact[n][0] = rve->pair[p][0];
        packing->contact[n][1] = rve->pair[p][1] & SW_DEM_PAIR_MASK;
        for (int k = 0; k < m; k++)
            packing->contact_history[n * m + k] = rve->history[k * rve->pair_capacity + p];
        n++;
    }
    return SW_OK;
}

sw_status sw_dem_get_packing(sw_dem *dem, int64_t r, sw_dem_packing *packing)
{
    const sw_dem_rve *rve = &dem->rve[r];
    const sw_dem_cell *cell = &rve->state->cell;
    const size_t n = (size_t)rve->n_particles;
    *packing = (sw_dem_packing){.n_particles = rve->n_particles,
                                .position = malloc(n * sizeof *packing->position),
                                .radius = malloc(n * sizeof *packing->radius),
                                .velocity = malloc(n * sizeof *packing->velocity),
                                .spin = malloc(n * sizeof *packing->spin),
                                .material = malloc(n)};
    if (packing->position == NULL || packing->radius == NULL || packing->velocity == NULL ||
        packing->spin == NULL || packing->material == NULL) {
        sw_dem_packing_free(packing);
        return sw_error(SW_ERR_MEMORY, "a packing of %zu particles", n);
    }
    memcpy(packing->cell, cell->h, sizeof packing->cell);
    memcpy(packing->radius, rve->radius, n * sizeof *rve->radius);
    memcpy(packing->velocity, rve->velocity, n * sizeof *rve->velocity);
    memcpy(packing->spin, rve->spin, n * sizeof *rve->spin);
    memcpy(packing->material, rve->material_of, n);
    if (rve->n_clumps > 0) {
        if ((packing->clump = malloc(n * sizeof *packing->clump)) == NULL) {
            sw_dem_packing_free(packing);
            return sw_error(SW_ERR_MEMORY, "a packing of %zu particles", n);
        }
        memcpy(packing->clump, rve->clump_of, n * sizeof *packing->clump);
    }
    for (size_t i = 0; i < n; i++) {
        double s[3];
        sw_dem_cell_local(cell, rve->position[i], s);
        for (int k = 0; k < 3; k++) {
            packing->position[i][k] = rve->position[i][k];
            for (int j = 0; j < 3; j++)
                packing->position[i][k] -= rve->closed >> j & 1 ? 0 : floor(s[j]) * cell->h[k][j];
        }
    }
    sw_status status = get_memory(rve, packing);
    if (status == SW_OK)
        status = sw_dem_remember(rve, (const double(*)[4])dem->wall_start[r], packing);
    if (status != SW_OK)
        sw_dem_packing_free(packing);
    return status;
}

sw_status sw_dem_get_contacts(sw_dem *dem, int64_t r, int64_t *n, sw_dem_contact_record **contact)
{
    const sw_dem_rve *rve = &dem->rve[r];
    const int64_t n_pairs = rve->state->n_pairs;
    *n = 0;
    *contact = malloc((size_t)(n_pairs > 0 ? n_pairs : 1) * sizeof **contact);
    if (*contact == NULL)
        return sw_error(SW_ERR_MEMORY, "%lld contacts", (long long)n_pairs);
    for (int64_t p = 0; p < n_pairs; p++) {
        sw_dem_contact_record *c = &(*contact)[*n];
        sw_dem_kinematics k;
        sw_dem_stiffness stiffness;
        sw_dem_history history;
        double branch[3];
        sw_dem_branch(rve, p, branch);
        const double distance = sqrt(sw_dem_dot(branch, branch));
        const double gap = rve->touching[p] != 0 ? rve->gap : 0; /* what bonds hold */
        c->a = rve->pair[p][0];
        c->b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
        if (!(distance < sw_dem_reach(rve, c->a, c->b) + gap))
            continue;
        sw_dem_pair_kinematics(rve, p, branch, &k);
        sw_dem_load_history(1, rve, p, &history);
        const sw_dem_pair_material *material = sw_dem_material_of_pair(rve, p);
        const double friction = rve->state->own_friction ? material->friction : rve->state->friction;
        sw_dem_stiffnesses(1, material, &k, 0, history.law, &stiffness);
        if (stiffness.apart)
            continue;
        /* the normal force is of now, the tangential one of the last step: no more than friction allows */
        const double size = sqrt(sw_dem_dot(history.tangential, history.tangential));
        const double limit = friction * stiffness.pressed;
        for (int i = 0; i < 3; i++) {
            if (size > limit)
                history.tangential[i] *= limit / size;
            c->normal[i] = k.normal[i];
            c->force[i] = stiffness.normal_force * k.normal[i] + history.tangential[i];
        }
        ++*n;
    }
    return SW_OK;
}
