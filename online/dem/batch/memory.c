/* What an element remembers beside particles and pairs' contacts: into a packing, and back into an element that is made of
 * it. One of the same sides, walls, law, skin and clumps goes on to the bit. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "common/files/hash.h"
#include "online/dem/element/mesh.h"
#include "online/dem/packing/memory.h"
#include "online/dem/step/control.h"

/* Numbers of the state that the next stage begins with, and those that count on. */
#define MEMBER(m)                                                                          \
    {                                                                                      \
        offsetof(sw_dem_state, m), (int)(sizeof((sw_dem_state *)NULL)->m / sizeof(double)) \
    }
static const struct {
    size_t at;
    int n;
} run[] = {MEMBER(reference),
           MEMBER(velocity_gradient),
           MEMBER(sum),
           MEMBER(largest),
           MEMBER(wall_sum),
           MEMBER(stress),
           MEMBER(enclosed),
           MEMBER(room),
           MEMBER(membrane_pressure),
           MEMBER(membrane_stress),
           MEMBER(time),
           MEMBER(seen_time),
           MEMBER(strain),
           MEMBER(seen_strain),
           MEMBER(work),
           MEMBER(volume0)};
enum { RUN = (int)(sizeof run / sizeof *run), FIRST_CLOCK = 10 };
enum { STEP, REBUILDS, MARGIN, SOLID_VOLUME, OWN }; /* after these */
enum { WALL_COLUMNS = 19 };

static int run_columns(void)
{
    int n = OWN;
    for (int i = 0; i < RUN; i++)
        n += run[i].n;
    return n;
}

/* 52 bits of a mesh's hash, which a double holds; 0: none. */
static double mesh_number(const sw_dem_mesh *mesh)
{
    return mesh == NULL ? 0 : (double)(sw_dem_mesh_hash(SW_HASH_START, mesh) >> 12);
}

/* Members of a material, as rows of SETUP have them after the first. */
#define MATERIAL_LIST(X)                                                                             \
    X(law)                                                                                           \
    X(moment_radius)                                                                                 \
    X(young)                                                                                         \
    X(poisson)                                                                                       \
    X(friction)                                                                                      \
    X(roll_stiffness)                                                                                \
    X(twist_stiffness) X(roll_strength) X(twist_strength) X(density) X(strength) X(rate_sensitivity) \
        X(cohesion) X(adhesion) X(bond_strength) X(liquid_volume) X(liquid_tension) X(wetting_angle) \
            X(coupled)
#define NAME(m) #m,
static const char *const material_name[] = {MATERIAL_LIST(NAME)};
#undef NAME
static const char *const around_name[] = {"sides that are periodic", "gravity 1", "gravity 2", "gravity 3",
                                          "time_scale"};
enum { MATERIAL = sizeof material_name / sizeof *material_name, AROUND = 5 };

/* Row `row` of what forces depend on beside the state: of all, or of material row - 1, of whose members a law that does
 * without may have NaN. */
static void setup_row(const sw_dem_rve *rve, int row, double to[MATERIAL])
{
    memset(to, 0, MATERIAL * sizeof *to);
    if (row == 0) {
        *to++ = rve->closed;
        for (int k = 0; k < 3; k++)
            *to++ = rve->gravity[k];
        *to++ = rve->numerics.time_scale;
        for (int w = 0; w < rve->n_walls; w++)
            *to++ = rve->wall[w].of.friction;
        return;
    }
    const sw_dem_material *m = &rve->material[row - 1];
#define NUMBER(member) *to++ = isnan((double)m->member) ? 0 : (double)m->member;
    MATERIAL_LIST(NUMBER)
#undef NUMBER
}

/* ---- Remember ---- */

static void remember_run(const sw_dem_rve *rve, double *to)
{
    for (int i = 0; i < RUN; to += run[i++].n)
        memcpy(to, (const char *)rve->state + run[i].at, (size_t)run[i].n * sizeof *to);
    to[STEP] = (double)rve->state->step;
    to[REBUILDS] = (double)rve->state->rebuilds;
    to[MARGIN] = sw_dem_margin(rve);
    to[SOLID_VOLUME] = rve->solid_volume;
}

static const sw_dem_mesh *mesh_of(const sw_dem_rve *rve, int w)
{
    return w < rve->n_platens ? NULL : rve->mesh[w - rve->n_platens];
}

static void remember_wall(const sw_dem_rve *rve, int w, const double start[4], double *to)
{
    const sw_dem_wall_now *wall = &rve->wall[w];
    *to++ = wall->face;
    *to++ = wall->of.shape;
    *to++ = mesh_number(mesh_of(rve, w));
    for (int k = 0; k < 4; k++)
        *to++ = wall->face < 0 ? start[k] : 0;
    for (int k = 0; k < 3; k++)
        *to++ = wall->of.axis[k];
    for (int k = 0; k < 3; k++)
        *to++ = wall->of.point[k];
    const double left[] = {wall->of.radius, wall->rate,  wall->learnt,
                           wall->travel,    wall->force, wall->stiffness};
    memcpy(to, left, sizeof left);
}

/* Rows of contacts with walls into `to`, if there is room; their number. */
static int64_t remember_touching(const sw_dem_rve *rve, double *to)
{
    const int m = SW_DEM_SPRINGS + rve->law_numbers;
    const int64_t apart = sw_dem_wall_places(rve);
    int64_t n = 0;
    for (int lane = 0; lane < SW_DEM_LANES(rve); lane++)
        for (int64_t i = 0; i < rve->n_particles; i++) {
            const int64_t place = sw_dem_wall_place(rve, lane, i);
            if (rve->wall_touching[place] == 0)
                continue;
            n++;
            if (to == NULL)
                continue;
            *to++ = (double)i;
            *to++ = lane % rve->n_walls;
            *to++ = lane / rve->n_walls; /* of which only meshes have more than one */
            for (int k = 0; k < 3; k++)
                *to++ = rve->lanes > 1 ? rve->wall_normal[place][k] : 0;
            for (int k = 0; k < m; k++)
                *to++ = rve->wall_history[k * apart + place];
        }
    return n;
}

static void remember_clumps(const sw_dem_rve *rve, double *clump, double *arm)
{
    static_assert(sizeof(sw_dem_clump) == 20 * sizeof(double), "as many numbers as a row has");
    memcpy(clump, rve->clump, (size_t)rve->n_clumps * sizeof *rve->clump);
    for (int64_t i = 0; i < rve->n_particles; i++, arm += 6) {
        memcpy(arm, rve->body_arm[i], sizeof rve->body_arm[i]);
        memcpy(arm + 3, rve->arm[i], sizeof rve->arm[i]);
    }
}

/* Where particles are, unless that is where the packing has them. */
static sw_status remember_positions(const sw_dem_rve *rve, const sw_dem_packing *packing, sw_dem_memory *m)
{
    const size_t bytes = (size_t)rve->n_particles * sizeof *rve->position;
    if (memcmp(packing->position, rve->position, bytes) == 0)
        return SW_OK;
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_POSITION, rve->n_particles, 3));
    memcpy(m->of[SW_DEM_MEMORY_POSITION].number, rve->position, bytes);
    return SW_OK;
}

static sw_status remember_pairs(const sw_dem_rve *rve, sw_dem_memory *m)
{
    const int64_t n = rve->state->list_valid ? rve->state->n_pairs : 0;
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_DISPLACEMENT, rve->n_particles, 3));
    memcpy(m->of[SW_DEM_MEMORY_DISPLACEMENT].number, rve->displacement,
           (size_t)rve->n_particles * sizeof *rve->displacement);
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_PAIR, n, 2));
    for (int64_t k = 0; k < 2 * n; k++)
        m->of[SW_DEM_MEMORY_PAIR].number[k] = rve->pair[k / 2][k % 2];
    return SW_OK;
}

static sw_status remember_all(const sw_dem_rve *rve, const double (*start)[4], const sw_dem_packing *packing,
                              sw_dem_memory *m)
{
    const int64_t touching = remember_touching(rve, NULL);
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_RUN, 1, run_columns()));
    remember_run(rve, m->of[SW_DEM_MEMORY_RUN].number);
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_SETUP, 1 + rve->n_materials, MATERIAL));
    for (int i = 0; i <= rve->n_materials; i++)
        setup_row(rve, i, m->of[SW_DEM_MEMORY_SETUP].number + i * MATERIAL);
    SW_TRY(remember_positions(rve, packing, m));
    SW_TRY(remember_pairs(rve, m));
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_CROWD, rve->coupled ? rve->n_particles : 0, 2));
    for (int64_t i = 0; rve->coupled && i < rve->n_particles; i++) {
        m->of[SW_DEM_MEMORY_CROWD].number[2 * i] = rve->crowd[i].radius;
        m->of[SW_DEM_MEMORY_CROWD].number[2 * i + 1] = rve->crowd[i].covered;
    }
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_WALL, rve->n_walls, sw_dem_memory_columns(SW_DEM_MEMORY_WALL)));
    for (int w = 0; w < rve->n_walls; w++)
        remember_wall(rve, w, w < rve->n_platens ? NULL : start[w - rve->n_platens],
                      m->of[SW_DEM_MEMORY_WALL].number + w * sw_dem_memory_columns(SW_DEM_MEMORY_WALL));
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_TOUCH, touching, 6 + SW_DEM_SPRINGS + rve->law_numbers));
    if (touching > 0)
        remember_touching(rve, m->of[SW_DEM_MEMORY_TOUCH].number);
    if (rve->n_nodes > 0) {
        const sw_dem_membrane *of = &rve->membrane;
        const double number[] = {of->around, of->rows, of->radius, of->height, of->stiffness, of->fixed};
        SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_MEMBRANE, 1, 6));
        memcpy(m->of[SW_DEM_MEMORY_MEMBRANE].number, number, sizeof number);
    }
    if (rve->n_clumps == 0)
        return SW_OK;
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_CLUMP, rve->n_clumps, 20));
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_ARM, rve->n_particles, 6));
    remember_clumps(rve, m->of[SW_DEM_MEMORY_CLUMP].number, m->of[SW_DEM_MEMORY_ARM].number);
    return SW_OK;
}

static int are_finite(const double *number, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (!isfinite(number[k]))
            return 0;
    return 1;
}

int sw_dem_is_finite(const sw_dem_rve *rve)
{
    const double start[4] = {0};
    for (int i = 0; i < RUN; i++)
        if (!are_finite((const double *)((const char *)rve->state + run[i].at), run[i].n))
            return 0;
    for (int w = 0; w < rve->n_walls; w++) {
        double row[WALL_COLUMNS];
        remember_wall(rve, w, start, row);
        if (!are_finite(row, WALL_COLUMNS))
            return 0;
    }
    return are_finite(rve->position[0], 3 * rve->n_particles) &&
           are_finite(rve->velocity[0], 3 * rve->n_particles) &&
           are_finite(rve->spin[0], 3 * rve->n_particles);
}

sw_status sw_dem_remember(const sw_dem_rve *rve, const double (*start)[4], sw_dem_packing *packing)
{
    SW_TRY(SW_ALLOCATE(packing->memory, 1, "what a packing remembers"));
    return remember_all(rve, start, packing, packing->memory);
}

/* ---- Recall ---- */

static const double *array(const sw_dem_memory *m, int which, int64_t rows)
{
    return m->of[which].rows == rows ? m->of[which].number : NULL;
}

static int same(const double *a, const double *b, int n)
{
    double size = 0, off = 0;
    for (int k = 0; k < n; k++) {
        size = fmax(size, fmax(fabs(a[k]), fabs(b[k])));
        off = fmax(off, fabs(a[k] - b[k]));
    }
    return off <= 1e-12 * size;
}

/* Whether a free wall is the one of a row: the same body, that begins where that began, or where it is now. */
static int is_wall(const sw_dem_rve *rve, int w, const double *row)
{
    const sw_dem_wall_now *wall = &rve->wall[w];
    if (row[0] != wall->face || row[1] != (double)wall->of.shape || row[2] != mesh_number(mesh_of(rve, w)))
        return 0;
    const int round = wall->of.shape == SW_DEM_CYLINDER;
    const double at[4] = {wall->of.point[0], wall->of.point[1], wall->of.point[2],
                          round ? wall->of.radius : 0};
    const double begun[4] = {row[3], row[4], row[5], round ? row[6] : 0},
                 now[4] = {row[10], row[11], row[12], round ? row[13] : 0};
    if (round && !(row[13] * wall->of.radius > 0)) /* inside is inside */
        return 0;
    return wall->face >= 0 || (same(row + 7, wall->of.axis, 3) && (same(begun, at, 4) || same(now, at, 4)));
}

/* Walls that a file knows are where they were; of_wall [rows]: which one each row's is, -1: none. Returns how many. */
static int recall_walls(const sw_dem_memory *m, sw_dem_rve *rve, int of_wall[6 + SW_DEM_WALLS])
{
    const int columns = sw_dem_memory_columns(SW_DEM_MEMORY_WALL);
    int found = 0;
    for (int k = 0; k < 6 + SW_DEM_WALLS; k++)
        of_wall[k] = -1;
    for (int k = 0; k < m->of[SW_DEM_MEMORY_WALL].rows && k < 6 + SW_DEM_WALLS; k++) {
        const double *row = m->of[SW_DEM_MEMORY_WALL].number + k * columns;
        for (int w = 0, taken = 0; w < rve->n_walls && of_wall[k] < 0; w++, taken = 0) {
            for (int j = 0; j < k; j++)
                taken |= of_wall[j] == w;
            of_wall[k] = !taken && is_wall(rve, w, row) ? w : -1;
        }
        if (of_wall[k] < 0)
            continue;
        sw_dem_wall_now *wall = &rve->wall[of_wall[k]];
        found++;
        for (int c = 0; c < 3 && wall->face < 0; c++)
            wall->of.point[c] = row[10 + c];
        if (wall->face < 0 && wall->of.shape == SW_DEM_CYLINDER)
            wall->of.radius = row[13];
        wall->rate = row[14];
        wall->learnt = row[15];
        wall->travel = row[16];
        wall->force = row[17];
        wall->stiffness = row[18];
    }
    return found;
}

static sw_status recall_touching(int64_t r, const sw_dem_packing *packing,
                                 const int of_wall[6 + SW_DEM_WALLS], sw_dem_rve *rve)
{
    const sw_dem_memory *mem = packing->memory;
    const int m = SW_DEM_SPRINGS + rve->law_numbers, columns = mem->of[SW_DEM_MEMORY_TOUCH].columns;
    if (rve->n_walls == 0 || columns != 6 + m || packing->contact_law != rve->material[0].law)
        return SW_OK;
    for (int64_t c = 0; c < mem->of[SW_DEM_MEMORY_TOUCH].rows; c++) {
        const double *row = mem->of[SW_DEM_MEMORY_TOUCH].number + c * columns;
        if (!(row[0] >= 0 && row[0] < (double)rve->n_particles && row[1] >= 0 && row[1] < 6 + SW_DEM_WALLS &&
              row[2] >= 0 && row[2] < SW_DEM_MESH_CONTACTS))
            return sw_error(
                SW_ERR_RANGE,
                "element %lld: contact %lld with a wall: particle %g, wall %g, lane %g: need those of "
                "the packing",
                (long long)r, (long long)c, row[0], row[1], row[2]);
        const int64_t i = (int64_t)row[0];
        const int wall = of_wall[(int)row[1]], lane = (int)row[2];
        const char *need =
            sw_dem_law_remembers(rve->material[0].law, row + 6 + SW_DEM_SPRINGS, 2 * rve->radius[i]);
        if (need != NULL)
            return sw_error(SW_ERR_RANGE,
                            "element %lld: what contact %lld of particle %lld with a wall remembers: need %s",
                            (long long)r, (long long)c, (long long)i, need);
        if (wall < 0 || lane >= rve->lanes)
            continue;
        const int64_t place = sw_dem_wall_place(rve, lane * rve->n_walls + wall, i);
        rve->wall_touching[place] = SW_DEM_TOUCHES;
        for (int k = 0; k < 3 && rve->lanes > 1; k++)
            rve->wall_normal[place][k] = row[3 + k];
        for (int k = 0; k < m; k++)
            rve->wall_history[k * sw_dem_wall_places(rve) + place] = row[6 + k];
    }
    return SW_OK;
}

static sw_status recall_crowd(int64_t r, const sw_dem_memory *m, sw_dem_rve *rve)
{
    const double *number = array(m, SW_DEM_MEMORY_CROWD, rve->n_particles);
    for (int64_t i = 0; rve->coupled && number != NULL && i < rve->n_particles; i++) {
        const double radius = number[2 * i], covered = number[2 * i + 1], least = rve->radius[i];
        if (!(radius >= least && radius <= (1 + SW_DEM_MOST_GROWTH) * least * (1 + 1e-12) && covered >= 0 &&
              covered <= SW_DEM_MOST_COVERED))
            return sw_error(SW_ERR_RANGE,
                            "element %lld: R' of particle %lld = %g m, covered %g: need %g to %g m, 0 to %g",
                            (long long)r, (long long)i, radius, covered, least,
                            (1 + SW_DEM_MOST_GROWTH) * least, SW_DEM_MOST_COVERED);
        rve->crowd[i].radius = radius;
        rve->crowd[i].covered = covered;
    }
    return SW_OK;
}

/* Whether there are bodies as the job has them: of other densities a quadrature's error apart they are others. */
static int knows_clumps(const sw_dem_memory *m, const sw_dem_rve *rve)
{
    const double *clump = array(m, SW_DEM_MEMORY_CLUMP, rve->n_clumps);
    if (rve->n_clumps == 0)
        return 1;
    for (int64_t c = 0; clump != NULL && c < rve->n_clumps; c++) {
        const double mass = clump[20 * c + 16], *turn = clump + 20 * c + 6, *inertia = clump + 20 * c + 17;
        const double square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3];
        if (!(fabs(mass / rve->clump[c].mass - 1) <= 1e-3 && fabs(square - 1) < 1e-6 && inertia[0] > 0 &&
              inertia[1] > 0 && inertia[2] > 0))
            return 0;
    }
    return clump != NULL && array(m, SW_DEM_MEMORY_ARM, rve->n_particles) != NULL;
}

static void recall_clumps(const sw_dem_memory *m, sw_dem_rve *rve)
{
    const double *arm = m->of[SW_DEM_MEMORY_ARM].number;
    if (rve->n_clumps == 0)
        return;
    memcpy(rve->clump, m->of[SW_DEM_MEMORY_CLUMP].number, (size_t)rve->n_clumps * sizeof *rve->clump);
    for (int64_t i = 0; i < rve->n_particles; i++, arm += 6) {
        memcpy(rve->body_arm[i], arm, sizeof rve->body_arm[i]);
        memcpy(rve->arm[i], arm + 3, sizeof rve->arm[i]);
    }
}

/* Where particles were: the file's, unless the packing has them there. */
static const double *positions(const sw_dem_packing *packing, int64_t particles)
{
    const double *position = array(packing->memory, SW_DEM_MEMORY_POSITION, particles);
    return position != NULL ? position : packing->position[0];
}

/* Whether two particles of the present list, which is new, have to be in any list. */
static int meet(const sw_dem_rve *rve, int64_t p)
{
    double branch[3];
    sw_dem_branch(rve, p, branch);
    return rve->touching[p] != 0 ||
           sw_dem_dot(branch, branch) <
               pow(rve->radius[rve->pair[p][0]] + rve->radius[rve->pair[p][1] & SW_DEM_PAIR_MASK], 2);
}

/* Whether centres are as far apart as a list's can be: of one that was made a while ago, twice the margin. */
static int is_near(const sw_dem_rve *rve, const double *position, const int32_t pair[2])
{
    const int32_t a = pair[0], b = pair[1] & SW_DEM_PAIR_MASK;
    const double most = rve->radius[a] + rve->radius[b] + 2 * sw_dem_margin(rve);
    double shift[3], square = 0;
    sw_dem_cell_shift(&rve->state->cell, pair[1] >> SW_DEM_PAIR_BITS, shift);
    for (int k = 0; k < 3; k++)
        square += pow(position[3 * b + k] - position[3 * a + k] + shift[k], 2);
    return square <= most * most * (1 + 1e-9);
}

/* Whether the list that is read, up to pair k, has the pair before: [first[a], k) and b's row. */
static int is_there(const sw_dem_rve *rve, const int64_t *row, int64_t k)
{
    const int32_t a = rve->other_pair[k][0], b = rve->other_pair[k][1] & SW_DEM_PAIR_MASK;
    for (int64_t p = row[a]; p < k; p++)
        if ((rve->other_pair[p][1] & SW_DEM_PAIR_MASK) == b)
            return 1;
    for (int64_t p = row[b]; b < a && p < k && rve->other_pair[p][0] == b; p++)
        if ((rve->other_pair[p][1] & SW_DEM_PAIR_MASK) == a)
            return 1;
    return 0;
}

/* Pair k of the file, as numbers are, into the list; row [P]: where those of a particle begin, *last: the latest. */
static sw_status recall_pair(int64_t r, const double *position, int64_t k, const double number[2],
                             int64_t *row, int64_t *last, sw_dem_rve *rve)
{
    const double mask = SW_DEM_PAIR_MASK + 1, b = fmod(number[1], mask), n = (double)rve->n_particles;
    const char *need = NULL;
    if (!(number[0] >= (double)*last && number[0] < n && number[0] == floor(number[0]) && number[1] >= 0 &&
          number[1] < SW_DEM_IMAGES * mask && number[1] == floor(number[1]) && b < n && b != number[0]))
        need = "two particles, ascending";
    else {
        while (*last < (int64_t)number[0])
            row[++*last] = k;
        rve->other_pair[k][0] = (int32_t)*last;
        rve->other_pair[k][1] = (int32_t)number[1];
        need = is_there(rve, row, k)                         ? "each pair once"
               : !is_near(rve, position, rve->other_pair[k]) ? "particles and an image that are neighbours"
                                                             : NULL;
    }
    if (need != NULL)
        return sw_error(SW_ERR_RANGE, "element %lld: run_pair: row %lld = %.10g, %.10g: need %s",
                        (long long)r, (long long)k, number[0], number[1], need);
    return SW_OK;
}

/* The file's pairs into other_pair and other_first; *kept: contacts of the new list among them. */
static sw_status read_pairs(int64_t r, const sw_dem_packing *packing, int64_t *row, sw_dem_rve *rve,
                            int64_t *kept)
{
    const sw_dem_memory *m = packing->memory;
    const double *number = m->of[SW_DEM_MEMORY_PAIR].number, *position = positions(packing, rve->n_particles);
    int64_t last = 0;
    memset(rve->other_first, 0, (size_t)(rve->n_particles + 1) * sizeof *rve->other_first);
    for (int64_t k = 0; k < m->of[SW_DEM_MEMORY_PAIR].rows; k++) {
        SW_TRY(recall_pair(r, position, k, number + 2 * k, row, &last, rve));
        const int32_t b = rve->other_pair[k][1] & SW_DEM_PAIR_MASK;
        rve->other_first[last + 1]++;
        for (int32_t p = rve->first[last]; p < rve->first[last + 1]; p++)
            *kept += (rve->pair[p][1] & SW_DEM_PAIR_MASK) == b && meet(rve, p);
    }
    return SW_OK;
}

/* The list that the file has, in place of the new one. SW_ERR_RANGE where it is none, or lacks a contact. */
static sw_status recall_pairs(int64_t r, const sw_dem_packing *packing, sw_dem_rve *rve)
{
    const sw_team team = {.kind = SW_TEAM_THREAD, .rank = 0, .size = 1, .flows = 1};
    const int64_t n = packing->memory->of[SW_DEM_MEMORY_PAIR].rows, particles = rve->n_particles;
    int64_t meeting = 0, kept = 0, *row;
    rve->state->list_valid = n > 0; /* else one was due */
    if (n == 0)
        return SW_OK;
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        meeting += meet(rve, p);
    while (rve->pair_capacity < n)
        SW_TRY(sw_dem_grow(rve, SW_DEM_NEEDS_PAIRS));
    SW_TRY(SW_ALLOCATE(row, particles, "pairs of a packing"));
    const sw_status status = read_pairs(r, packing, row, rve, &kept);
    free(row);
    SW_TRY(status);
    if (kept != meeting)
        return sw_error(SW_ERR_RANGE, "element %lld: run_pair has %lld of %lld contacts: need each once",
                        (long long)r, (long long)kept, (long long)meeting);
    for (int64_t a = 0; a < particles; a++)
        rve->other_first[a + 1] += rve->other_first[a];
    sw_dem_adopt_rows(&team, rve);
    return SW_OK;
}

/* Numbers of the state, of which those of clocks only if they go on. */
static void recall_run(const sw_dem_packing *packing, sw_dem_rve *rve)
{
    const double *from = packing->memory->of[SW_DEM_MEMORY_RUN].number;
    sw_dem_state *state = rve->state;
    for (int i = 0; i < RUN; from += run[i++].n)
        if (i < FIRST_CLOCK || packing->goes_on)
            memcpy((char *)state + run[i].at, from, (size_t)run[i].n * sizeof *from);
    rve->solid_volume = from[SOLID_VOLUME];
    state->step = packing->goes_on ? (int64_t)from[STEP] : 0;
    state->rebuilds = packing->goes_on ? (int64_t)from[REBUILDS] : 0;
    if (!packing->goes_on)
        state->volume0 = sw_dem_room(rve);
}

/* Particles and cell as they were, without a periodic side's rounding. */
static void recall_particles(const sw_dem_packing *packing, sw_dem_rve *rve)
{
    const sw_dem_memory *m = packing->memory;
    const size_t bytes = (size_t)rve->n_particles * sizeof *rve->position;
    memcpy(rve->position, positions(packing, rve->n_particles), bytes);
    memcpy(rve->displacement, m->of[SW_DEM_MEMORY_DISPLACEMENT].number, bytes);
    if (packing->velocity != NULL)
        memcpy(rve->velocity, packing->velocity, bytes);
    if (packing->spin != NULL)
        memcpy(rve->spin, packing->spin, bytes);
    memcpy(rve->state->cell.h, packing->cell, sizeof packing->cell);
    sw_dem_cell_update(&rve->state->cell);
}

/* The first stage begins with what was measured, as after a stage before it; those that only look are over. */
static void go_on(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    state->stage = 0;
    state->n_rows = 0;
    state->status = SW_DEM_DONE;
    for (; state->stage < rve->n_stages; state->stage++) {
        const sw_dem_stage *stage = sw_dem_present_stage(rve);
        sw_dem_begin_stage(rve);
        if (!stage->look) {
            state->status = SW_DEM_RUNNING;
            sw_dem_go_on(rve);
            return;
        }
        if (rve->numerics.record_interval > 0 && !stage->unrecorded && state->n_rows < rve->row_capacity)
            sw_dem_fill_row(rve, &rve->row[state->n_rows++]);
    }
}

/* Numbers of the run that no run leaves: SW_ERR_RANGE. */
static sw_status check_run(int64_t r, const double *run_state, const sw_dem_rve *rve)
{
    const int own = run_columns() - OWN;
    const double *from = run_state + own, most = 9007199254740992.0; /* 2^53 */
    for (int k = STEP; k <= REBUILDS; k++)
        if (!(from[k] >= 0 && from[k] <= most && from[k] == floor(from[k])))
            return sw_error(
                SW_ERR_RANGE,
                "element %lld: run_state: row 0, column %d = %g %s: need a whole number from 0 to 2^53",
                (long long)r, own + k + 1, from[k], k == STEP ? "steps" : "lists");
    if (!(fabs(from[SOLID_VOLUME] - rve->solid_volume) <= 1e-3 * rve->solid_volume))
        return sw_error(
            SW_ERR_RANGE,
            "element %lld: run_state: row 0, column %d = %g m^3: need that of the particles, %g m^3",
            (long long)r, own + SOLID_VOLUME + 1, from[SOLID_VOLUME], rve->solid_volume);
    for (int i = 0, at = 0; i < RUN; at += run[i++].n)
        if ((run[i].at == offsetof(sw_dem_state, time) || run[i].at == offsetof(sw_dem_state, seen_time) ||
             run[i].at == offsetof(sw_dem_state, volume0)) &&
            !(run_state[at] >= 0 && run_state[at] <= 1e30))
            return sw_error(SW_ERR_RANGE, "element %lld: run_state: row 0, column %d = %g: need 0 to 1e30",
                            (long long)r, at + 1, run_state[at]);
    return SW_OK;
}

/* Positions of the file are those of the packing, or their images; displacements no larger than a list allows. */
static sw_status check_particles(int64_t r, const sw_dem_packing *packing, const sw_dem_rve *rve)
{
    const double *position = positions(packing, rve->n_particles),
                 *displacement = packing->memory->of[SW_DEM_MEMORY_DISPLACEMENT].number;
    const int listed = packing->memory->of[SW_DEM_MEMORY_PAIR].rows > 0;
    for (int64_t i = 0; i < rve->n_particles; i++, position += 3, displacement += 3) {
        double off[3], s[3];
        for (int k = 0; k < 3; k++)
            off[k] = position[k] - packing->position[i][k];
        sw_dem_cell_local(&rve->state->cell, off, s);
        for (int k = 0; k < 3; k++)
            if (!(fabs(s[k] - (rve->closed >> k & 1 ? 0 : round(s[k]))) <= 1e-6))
                return sw_error(SW_ERR_RANGE,
                                "element %lld: run_position: row %lld = %g, %g, %g m: need the packing's or "
                                "an image of it, %g, %g, %g m",
                                (long long)r, (long long)i, position[0], position[1], position[2],
                                packing->position[i][0], packing->position[i][1], packing->position[i][2]);
        if (listed &&
            !(sqrt(sw_dem_dot(displacement, displacement)) <= sw_dem_margin(rve) + rve->largest_radius))
            return sw_error(SW_ERR_RANGE,
                            "element %lld: run_displacement: row %lld = %g, %g, %g m: need less than %g m",
                            (long long)r, (long long)i, displacement[0], displacement[1], displacement[2],
                            sw_dem_margin(rve) + rve->largest_radius);
    }
    return SW_OK;
}

enum { WORDS = 160 };

/* What differs in a setup that forces depend on, in words; 0: nothing. */
static int setup_differs(const sw_dem_memory *m, const sw_dem_rve *rve, char what[WORDS])
{
    const double *known = m->of[SW_DEM_MEMORY_SETUP].number;
    if (known == NULL)
        return snprintf(what, WORDS, "a file without run_setup, of another version");
    if (m->of[SW_DEM_MEMORY_SETUP].rows != 1 + rve->n_materials)
        return snprintf(what, WORDS, "materials of which there are %lld: here %d",
                        (long long)m->of[SW_DEM_MEMORY_SETUP].rows - 1, rve->n_materials);
    for (int i = 0; i <= rve->n_materials; i++, known += MATERIAL) {
        double here[MATERIAL];
        setup_row(rve, i, here);
        for (int k = 0; k < MATERIAL; k++)
            if (known[k] != here[k]) {
                const char *name = i > 0        ? material_name[k]
                                   : k < AROUND ? around_name[k]
                                                : "friction of a wall";
                return i > 0 ? snprintf(what, WORDS, "%s of material %d = %g: here %g", name, i - 1, known[k],
                                        here[k])
                             : snprintf(what, WORDS, "%s = %g: here %g", name, known[k], here[k]);
            }
    }
    return 0;
}

/* What keeps an element from going on as the one that the packing is of, in words: what was there, and what is here. walls:
 * how many it knows. 0: nothing. */
static int differs(const sw_dem_sample *sample, const sw_dem_rve *rve, int walls, char what[WORDS])
{
    const sw_dem_memory *m = sample->packing.memory;
    if (m == NULL || m->of[SW_DEM_MEMORY_RUN].columns != run_columns() ||
        array(m, SW_DEM_MEMORY_RUN, 1) == NULL ||
        array(m, SW_DEM_MEMORY_DISPLACEMENT, rve->n_particles) == NULL)
        return snprintf(what, WORDS, "a file without run_state, of text or of another version");
    if (sample->crystals != NULL)
        return snprintf(what, WORDS, "particles have crystals");
    if (rve->image_capacity > 0)
        return snprintf(what, WORDS, "boundary particles");
    if (sample->packing.contact_law != rve->material[0].law &&
        (sample->packing.n_contacts > 0 || m->of[SW_DEM_MEMORY_TOUCH].rows > 0))
        return snprintf(what, WORDS, "contacts of another law");
    if (setup_differs(m, rve, what))
        return 1;
    const double margin = m->of[SW_DEM_MEMORY_RUN].number[run_columns() - OWN + MARGIN];
    if (margin != sw_dem_margin(rve))
        return snprintf(what, WORDS, "numerics.skin: pairs listed from %g m on: here %g m", margin,
                        sw_dem_margin(rve));
    if (walls != rve->n_walls || m->of[SW_DEM_MEMORY_WALL].rows != walls)
        return snprintf(what, WORDS, "%lld walls: here %d, of which %d are among them",
                        (long long)m->of[SW_DEM_MEMORY_WALL].rows, rve->n_walls, walls);
    if (!knows_clumps(m, rve))
        return snprintf(what, WORDS, "other clumps");
    if (rve->coupled && array(m, SW_DEM_MEMORY_CROWD, rve->n_particles) == NULL)
        return snprintf(what, WORDS, "contacts that are not coupled");
    return 0;
}

sw_status sw_dem_recall(int64_t r, const sw_dem_sample *sample, sw_dem_rve *rve)
{
    const sw_dem_packing *packing = &sample->packing;
    const sw_dem_memory *m = packing->memory;
    int of_wall[6 + SW_DEM_WALLS], walls = 0;
    char what[WORDS];
    if (m != NULL) {
        walls = recall_walls(m, rve, of_wall);
        SW_TRY(recall_touching(r, packing, of_wall, rve));
        SW_TRY(recall_crowd(r, m, rve));
    }
    if (differs(sample, rve, walls, what) > 0)
        return packing->goes_on ? sw_error(SW_ERR_RANGE,
                                           "element %lld: packing.goes_on = yes: the packing is of %s: need "
                                           "the same",
                                           (long long)r, what)
                                : SW_OK;
    SW_TRY(check_run(r, m->of[SW_DEM_MEMORY_RUN].number, rve));
    SW_TRY(check_particles(r, packing, rve));
    SW_TRY(recall_pairs(r, packing, rve));
    recall_particles(packing, rve);
    recall_clumps(m, rve);
    recall_run(packing, rve);
    go_on(rve);
    return SW_OK;
}
