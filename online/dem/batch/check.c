/* What is asked of samples, stages and options. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "common/math/six.h"
#include "online/dem/backend/names.h"
#include "online/dem/contact/contact.h"
#include "online/dem/packing/packing.h"

#define NEED(condition, name, value, bound)                                                     \
    do {                                                                                        \
        if (!(condition))                                                                       \
            return sw_error(SW_ERR_RANGE, "element %lld: %s = %g: need %s", (long long)r, name, \
                            (double)(value), bound);                                            \
    } while (0)

static sw_status check_material(int64_t r, const sw_dem_material *m)
{
    NEED((int)m->law >= 0 && m->law < SW_DEM_LAWS, "law", m->law, "a law of the table");
    NEED((int)m->moment_radius >= 0 && m->moment_radius < SW_DEM_MOMENT_RADII, "moment_radius",
         m->moment_radius, "minimum or product");
    NEED(m->young > 0 && isfinite(m->young), "young", m->young, "> 0");
    const sw_dem_need need = sw_dem_law_needs(m);
    NEED(need.name == NULL, need.name, need.value, need.bound);
    const struct {
        const char *name;
        double value;
    } others[] = {{"friction", m->friction},
                  {"roll_stiffness", m->roll_stiffness},
                  {"twist_stiffness", m->twist_stiffness},
                  {"roll_strength", m->roll_strength},
                  {"twist_strength", m->twist_strength}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        NEED(others[i].value >= 0 && isfinite(others[i].value), others[i].name, others[i].value, ">= 0");
    NEED(m->density > 0 && isfinite(m->density), "density", m->density, "> 0");
    return SW_OK;
}

/* Each of the materials, and that they can meet. */
static sw_status check_materials(int64_t r, const sw_dem_sample *sample)
{
    const sw_dem_material *first = &sample->material;
    SW_TRY(check_material(r, first));
    NEED(sample->n_others >= 0 && sample->n_others < SW_DEM_MATERIALS, "materials", sample->n_others + 1,
         "1 to 4");
    for (int i = 0; i < sample->n_others; i++) {
        const sw_dem_material *m = &sample->other[i];
        SW_TRY(check_material(r, m));
        NEED(m->law == first->law, "law of another material", m->law, "the first one's");
        NEED(m->moment_radius == first->moment_radius, "moment_radius of another material", m->moment_radius,
             "the first one's");
        NEED(m->law != SW_DEM_METAL || m->rate_sensitivity == first->rate_sensitivity,
             "rate_sensitivity of another material", m->rate_sensitivity, "the first one's");
    }
    const uint8_t *number = sample->packing.material;
    for (int64_t i = 0; number != NULL && i < sample->packing.n_particles; i++)
        if (number[i] > sample->n_others)
            return sw_error(SW_ERR_RANGE, "element %lld: material of particle %lld = %d: need 0 to %d",
                            (long long)r, (long long)i, number[i], sample->n_others);
    return SW_OK;
}

static sw_status check_numerics(int64_t r, const sw_dem_numerics *n)
{
    NEED((int)n->damping_form >= 0 && n->damping_form < SW_DEM_DAMPINGS, "damping_form", n->damping_form,
         "predicted or cundall");
    NEED((int)n->step_rule >= 0 && n->step_rule < SW_DEM_STEP_RULES, "step_rule", n->step_rule,
         "wave, stiffness or fixed");
    NEED(n->damping >= 0 && n->damping < 1, "damping", n->damping, "0 <= damping < 1");
    NEED(n->step > 0 && isfinite(n->step), "step", n->step, "> 0");
    if (n->step_rule != SW_DEM_STEP_FIXED)
        NEED(n->step <= 1, "safety of the time step", n->step, "<= 1");
    NEED(n->skin > 0 && n->skin <= 2, "skin", n->skin, "0 < skin <= 2");
    NEED(n->control_interval >= 1 && n->control_interval <= 100000, "control_interval", n->control_interval,
         "1 to 100000");
    NEED(n->record_interval >= 0 && n->record_interval <= INT64_C(1000000000000), "record_interval",
         n->record_interval, "0 to 1e12");
    NEED(n->servo_gain > 0 && n->servo_gain <= 1, "servo_gain", n->servo_gain, "0 < servo_gain <= 1");
    NEED(n->time_scale > 0 && isfinite(n->time_scale), "time_scale", n->time_scale, "> 0");
    return SW_OK;
}

sw_status sw_dem_check_stage(int64_t r, const sw_dem_stage *s)
{
    int driven = 0;
    for (int i = 0; i < 9; i++)
        NEED(isfinite(s->velocity_gradient[i / 3][i % 3]), "velocity_gradient",
             s->velocity_gradient[i / 3][i % 3], "a finite number");
    for (int c = 0; c < SW_DEM_SIX; c++)
        if (s->stress_driven[c]) {
            driven = 1;
            NEED(isfinite(s->stress[c]), "stress", s->stress[c], "a finite number");
            NEED(isfinite(s->follow[c]), "follow", s->follow[c], "a finite number");
        }
    if (driven)
        NEED(s->max_rate > 0 && isfinite(s->max_rate), "max_rate", s->max_rate, "> 0");
    NEED(s->ramp >= 0 && isfinite(s->ramp), "ramp", s->ramp, ">= 0");
    NEED((int)s->until >= 0 && s->until < SW_DEM_UNTILS, "until", s->until, "a goal of the table");
    NEED(s->component >= 0 && s->component < SW_DEM_SIX, "component", s->component, "0 to 5");
    NEED(isfinite(s->goal) && s->goal >= 0, "goal", s->goal, ">= 0");
    NEED(s->stress_tolerance > 0, "stress_tolerance", s->stress_tolerance, "> 0");
    NEED(s->max_steps > 0, "max_steps", s->max_steps, "> 0");
    NEED(s->friction < INFINITY, "friction", s->friction, "a finite number");
    NEED(s->most_servo_error >= 0, "most_servo_error", s->most_servo_error, ">= 0");
    NEED(s->friction_decay >= 0 && s->friction_decay < 1, "friction_decay", s->friction_decay, "0 to 1");
    return SW_OK;
}

/* Whether the largest particle fits the cell as the run will have it, between periodic sides: by its shortest vectors. */
static sw_status check_width(int64_t r, const sw_dem_packing *packing, const sw_dem_side side[3], double skin)
{
    double largest = 0, least = INFINITY;
    sw_dem_cell cell = {0};
    for (int64_t i = 0; i < packing->n_particles; i++) {
        largest = fmax(largest, packing->radius[i]);
        least = fmin(least, packing->radius[i]);
    }
    memcpy(cell.h, packing->cell, sizeof cell.h);
    sw_dem_cell_flip(&cell);
    const int has_volume = sw_dem_cell_update(&cell);
    const double range = 2 * largest + skin * least;
    for (int k = 0; k < 3; k++)
        if (!(has_volume && (side[k] != SW_DEM_PERIODIC || 2 * range <= cell.height[k])))
            return sw_error(
                SW_ERR_RANGE,
                "element %lld: largest particle's diameter with the skin = %g m: need at most half "
                "of the cell's height %g m",
                (long long)r, range, cell.height[k]);
    return SW_OK;
}

static sw_status check_packing(int64_t r, const sw_dem_sample *sample)
{
    const sw_dem_packing *packing = &sample->packing;
    char who[48];
    NEED(packing->n_particles >= 1 && packing->n_particles <= SW_DEM_PAIR_MASK, "particles",
         packing->n_particles, "1 to 67108863");
    snprintf(who, sizeof who, "element %lld", (long long)r);
    SW_TRY(sw_dem_packing_check(who, packing, SW_ERR_RANGE));
    return check_width(r, packing, sample->side, sample->numerics.skin);
}

static int closed_of(const sw_dem_sample *sample)
{
    int closed = 0;
    for (int k = 0; k < 3; k++)
        closed |= (sample->side[k] != SW_DEM_PERIODIC) << k;
    return closed;
}

sw_status sw_dem_check_shear(int64_t r, int closed, const sw_dem_stage *s)
{
    for (int c = 3; c < SW_DEM_SIX; c++) {
        const int i = sw_six_row(c), j = sw_six_column(c);
        if (closed >> i & 1 || closed >> j & 1)
            NEED(!s->stress_driven[c] && s->velocity_gradient[i][j] == 0 && s->velocity_gradient[j][i] == 0,
                 "shear component", c,
                 "to be neither strained nor driven by stress beside sides that are not periodic");
    }
    return SW_OK;
}

/* Sides that are not periodic are upright. */
static sw_status check_sides(int64_t r, const sw_dem_sample *sample)
{
    NEED(sample->crystals == NULL ||
             (closed_of(sample) == 0 && sample->n_walls == 0 && sample->packing.clump == NULL),
         "crystals", 1, "periodic sides, and neither walls nor clumps");
    for (int k = 0; k < 3; k++) {
        NEED((int)sample->side[k] >= 0 && sample->side[k] < SW_DEM_SIDES, "side", sample->side[k],
             "periodic, walls or open");
        NEED(isfinite(sample->gravity[k]), "gravity", sample->gravity[k], "a finite number");
        NEED(sample->side[k] == SW_DEM_PERIODIC || sample->packing.cell[k][k] > 0, "length of a vector",
             sample->packing.cell[k][k], "> 0 along its axis");
        for (int j = 0; j < 3 && sample->side[k] != SW_DEM_PERIODIC; j++)
            if (j != k && (sample->packing.cell[j][k] != 0 || sample->packing.cell[k][j] != 0))
                return sw_error(
                    SW_ERR_RANGE,
                    "element %lld: sides of vector %d are not periodic: need it along its axis, and the "
                    "others across",
                    (long long)r, k + 1);
    }
    NEED(!(sample->numerics.affine && (closed_of(sample) != 0 || sample->n_walls > 0)), "affine",
         sample->numerics.affine, "periodic sides");
    NEED(sample->side_friction < INFINITY, "side_friction", sample->side_friction, "a finite number");
    NEED(sample->n_walls >= 0 && sample->n_walls <= SW_DEM_WALLS, "walls", sample->n_walls, "0 to 4");
    return SW_OK;
}

/* A wall is as it is in every periodic image. */
static sw_status check_wall(int64_t r, const sw_dem_sample *sample, int number)
{
    const sw_dem_wall *w = &sample->wall[number];
    const double length = sqrt(sw_dem_dot(w->axis, w->axis));
    const int round = w->shape == SW_DEM_CYLINDER, mesh = w->shape == SW_DEM_MESH;
    NEED((int)w->shape >= 0 && w->shape < SW_DEM_WALL_SHAPES, "shape of a wall", w->shape,
         "plane, cylinder or mesh");
    NEED(!mesh || w->mesh != NULL, "mesh of a wall", 0, "one");
    NEED(length > 0 && isfinite(length), "length of a wall's axis", length, "> 0");
    for (int k = 0; k < 3; k++) {
        NEED(isfinite(w->point[k]), "point of a wall", w->point[k], "a finite number");
        NEED(isfinite(w->velocity[k]), "velocity of a wall", w->velocity[k], "a finite number");
        NEED(!mesh || sample->side[k] != SW_DEM_PERIODIC, "side beside a mesh", k + 1, "no periodic sides");
        if (sample->side[k] == SW_DEM_PERIODIC)
            NEED(round ? fabs(fabs(w->axis[k]) - length) <= 1e-12 * length : w->axis[k] == 0,
                 "axis of a wall", w->axis[k],
                 "a plane's normal across periodic vectors, a cylinder's axis along the only one");
    }
    NEED(!round || (w->radius != 0 && isfinite(w->radius)), "radius of a wall", w->radius, "other than 0");
    NEED(isfinite(w->growth), "growth of a wall", w->growth, "a finite number");
    NEED(w->friction < INFINITY, "friction of a wall", w->friction, "a finite number");
    if (w->force_driven) {
        NEED(w->force >= 0 && isfinite(w->force), "force of a wall", w->force, ">= 0");
        NEED(w->max_speed > 0 && isfinite(w->max_speed), "max_speed of a wall", w->max_speed, "> 0");
    }
    return SW_OK;
}

/* Between two platens, with nothing else beside it, its ends at the platens. */
static sw_status check_membrane(int64_t r, const sw_dem_sample *sample)
{
    const sw_dem_membrane *m = sample->membrane;
    const sw_dem_packing *p = &sample->packing;
    if (m == NULL)
        return SW_OK;
    NEED(m->around >= 6 && m->around <= 1 << 20, "around of a membrane", m->around, "6 to 2^20");
    NEED(m->rows >= 3 && m->rows <= 1 << 20, "rows of a membrane", m->rows, "3 to 2^20");
    NEED((int64_t)m->around * m->rows < p->n_particles, "nodes of a membrane", (double)m->around * m->rows,
         "fewer than particles");
    NEED(m->radius > 0 && isfinite(m->radius), "radius of a membrane", m->radius, "> 0");
    NEED(m->height > 0 && isfinite(m->height), "height of a membrane", m->height, "> 0");
    NEED(m->stiffness >= 0 && isfinite(m->stiffness), "stiffness of a membrane", m->stiffness, ">= 0");
    NEED(sample->side[0] == SW_DEM_OPEN && sample->side[1] == SW_DEM_OPEN && sample->side[2] == SW_DEM_WALLED,
         "sides beside a membrane", sample->side[2], "1 and 2 open, 3 walls");
    NEED(sample->n_walls == 0 && sample->crystals == NULL && !sample->material.coupled,
         "walls, crystals or coupled", sample->n_walls, "none beside a membrane");
    const double top = p->cell[2][2];
    for (int64_t i = 0; i < m->around; i++) {
        const int64_t last = p->n_particles - 1 - i,
                      first = p->n_particles - (int64_t)m->around * m->rows + i;
        NEED(fabs(p->position[first][2]) <= 1e-6 * top, "height of a membrane's first ring",
             p->position[first][2], "0");
        NEED(fabs(p->position[last][2] - top) <= 1e-6 * top, "height of a membrane's last ring",
             p->position[last][2], "the cell's");
    }
    for (int64_t i = p->n_particles - (int64_t)m->around * m->rows; i < p->n_particles && p->clump != NULL;
         i++)
        NEED(p->clump[i] < 0, "clump of a node", p->clump[i], "none");
    return SW_OK;
}

/* Its pressure is the stress of both lateral axes, which nothing else strains. */
sw_status sw_dem_check_jacket(int64_t r, int has_membrane, const sw_dem_stage *s)
{
    if (!has_membrane)
        return SW_OK;
    NEED(s->stress_driven[0] == s->stress_driven[1], "stress 11 or 22 alone", 1,
         "both or neither beside a membrane");
    NEED(!s->stress_driven[0] || (s->stress[0] == s->stress[1] && s->follow[0] == s->follow[1]), "stress 22",
         s->stress[1], "stress 11, beside a membrane");
    for (int k = 0; k < 2; k++)
        NEED(s->stress_driven[k] || s->velocity_gradient[k][k] == 0, "velocity_gradient",
             s->velocity_gradient[k][k], "0 of the lateral axes: a membrane's pressure moves them");
    return SW_OK;
}

sw_status sw_dem_check_sample(int64_t r, const sw_dem_sample *sample)
{
    SW_TRY(check_materials(r, sample));
    SW_TRY(check_numerics(r, &sample->numerics));
    SW_TRY(check_packing(r, sample));
    SW_TRY(check_sides(r, sample));
    for (int w = 0; w < sample->n_walls; w++)
        SW_TRY(check_wall(r, sample, w));
    NEED(sample->n_stages >= 0 && sample->n_stages <= 1 << 30, "stages", sample->n_stages, "0 to 2^30");
    SW_TRY(check_membrane(r, sample));
    const int closed = closed_of(sample);
    for (int64_t s = 0; s < sample->n_stages; s++) {
        SW_TRY(sw_dem_check_stage(r, &sample->stage[s]));
        SW_TRY(sw_dem_check_shear(r, closed, &sample->stage[s]));
        SW_TRY(sw_dem_check_jacket(r, sample->membrane != NULL, &sample->stage[s]));
    }
    return SW_OK;
}

sw_status sw_dem_check_options(const sw_dem_options *options)
{
    if ((int)options->team < 0 || options->team >= SW_DEM_TEAMS || (int)options->detection < 0 ||
        options->detection >= SW_DEM_DETECTIONS || (int)options->images < 0 ||
        options->images >= SW_DEM_IMAGE_KINDS)
        return sw_error(SW_ERR_RANGE, "team, detection or images: need one of their tables");
    if (!SW_HAS_PAPERS && (int)options->team >= SW_DEM_TEAMS_OF_PAPERS)
        return sw_error(SW_ERR_UNAVAILABLE, "team = %s: " SW_NO_PAPERS, sw_dem_teams[options->team]);
    if (!SW_HAS_PAPERS && (int)options->detection >= SW_DEM_DETECTIONS_OF_PAPERS)
        return sw_error(SW_ERR_UNAVAILABLE, "detection = %s: " SW_NO_PAPERS,
                        sw_dem_detections[options->detection]);
    if (!options->cuda && options->team != SW_DEM_AUTO && options->team != SW_DEM_THREAD)
        return sw_error(SW_ERR_RANGE, "team = %s: need a GPU (device: cuda); the CPU has auto and thread",
                        sw_dem_teams[options->team]);
    if (options->cuda && options->team == SW_DEM_THREAD)
        return sw_error(SW_ERR_RANGE, "team = thread: need the CPU (device: cpu)");
    if (options->team != SW_DEM_LAUNCHES && options->detection != SW_DEM_GRID)
        return sw_error(SW_ERR_RANGE, "detection = %s: need team = launches; others have grid",
                        sw_dem_detections[options->detection]);
    if (options->memory < 0)
        return sw_error(SW_ERR_RANGE, "memory = %lld: need bytes >= 0", (long long)options->memory);
    return SW_OK;
}
