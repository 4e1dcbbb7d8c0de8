/* The library's front: checks, copies, and who does the work. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "online/dem/backend/backend.h"
#include "common/math/rotation.h"
#include "online/dem/step/control.h"

const char *const sw_dem_teams[SW_DEM_TEAMS] = {"auto", "thread", "block", "cluster", "device", "launches"};
const char *const sw_dem_detections[SW_DEM_DETECTIONS] = {"grid", "hash", "bvh"};
const char *const sw_dem_image_names[2] = {"nearest", "boundary_particles"};
const char *const sw_dem_laws[SW_DEM_LAWS] = {
#define LAW_TEXT(name, text, function) text,
    SW_DEM_LAW_LIST(LAW_TEXT)
#undef LAW_TEXT
};

sw_dem_material sw_dem_quartz(void)
{
    /* Lubbe et al. 2022, Table 2, the strengths of moments a tenth of what is printed there: docs/theory.md
     */
    return (sw_dem_material){.law = SW_DEM_LINEAR,
                             .young = 4.3e9,
                             .poisson = 0.5,
                             .friction = tan(33.4 * SW_PI / 180),
                             .roll_stiffness = 1.8,
                             .twist_stiffness = 1.7,
                             .roll_strength = 0.19,
                             .twist_strength = 0.13,
                             .density = 2600};
}

sw_dem_numerics sw_dem_numerics_defaults(void)
{
    return (sw_dem_numerics){.damping_form = SW_DEM_DAMPING_PREDICTED,
                             .damping = 0.2,
                             .step_rule = SW_DEM_STEP_WAVE,
                             .step = 0.5,
                             .skin = 0.1,
                             .control_interval = 20,
                             .record_interval = 0,
                             .servo_gain = 0.5};
}

sw_dem_options sw_dem_defaults(void)
{
    return (sw_dem_options){
        .cuda = 0, .team = SW_DEM_AUTO, .detection = SW_DEM_GRID, .images = SW_DEM_NEAREST};
}

sw_dem_stage sw_dem_stage_defaults(void)
{
    return (sw_dem_stage){.until = SW_DEM_UNTIL_STEPS,
                          .max_rate = INFINITY,
                          .stress_tolerance = 1e-2,
                          .max_steps = 100000000,
                          .friction = -1};
}

/* ---- Checks ---- */

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
    if (m->law == SW_DEM_HERTZ_MINDLIN)
        NEED(m->poisson > -1 && m->poisson <= 0.5, "poisson", m->poisson, "-1 < poisson <= 0.5");
    else
        NEED(m->poisson >= 0 && m->poisson <= 10, "poisson", m->poisson, "0 <= poisson <= 10");
    NEED(m->friction >= 0 && isfinite(m->friction), "friction", m->friction, ">= 0");
    NEED(m->roll_stiffness >= 0 && isfinite(m->roll_stiffness), "roll_stiffness", m->roll_stiffness, ">= 0");
    NEED(m->twist_stiffness >= 0 && isfinite(m->twist_stiffness), "twist_stiffness", m->twist_stiffness,
         ">= 0");
    NEED(m->roll_strength >= 0 && isfinite(m->roll_strength), "roll_strength", m->roll_strength, ">= 0");
    NEED(m->twist_strength >= 0 && isfinite(m->twist_strength), "twist_strength", m->twist_strength, ">= 0");
    NEED(m->density > 0 && isfinite(m->density), "density", m->density, "> 0");
    return SW_OK;
}

static sw_status check_numerics(int64_t r, const sw_dem_numerics *n)
{
    NEED((int)n->damping_form == SW_DEM_DAMPING_PREDICTED || (int)n->damping_form == SW_DEM_DAMPING_CUNDALL,
         "damping_form", n->damping_form, "predicted or cundall");
    NEED((int)n->step_rule >= 0 && n->step_rule <= SW_DEM_STEP_FIXED, "step_rule", n->step_rule,
         "wave, stiffness or fixed");
    NEED(n->damping >= 0 && n->damping < 1, "damping", n->damping, "0 <= damping < 1");
    NEED(n->step > 0 && isfinite(n->step), "step", n->step, "> 0");
    if (n->step_rule != SW_DEM_STEP_FIXED)
        NEED(n->step <= 1, "safety of the time step", n->step, "<= 1");
    NEED(n->skin > 0 && n->skin <= 2, "skin", n->skin, "0 < skin <= 2");
    NEED(n->control_interval >= 1 && n->control_interval <= 100000, "control_interval", n->control_interval,
         "1 to 100000");
    NEED(n->record_interval >= 0, "record_interval", n->record_interval, ">= 0");
    NEED(n->servo_gain > 0 && n->servo_gain <= 1, "servo_gain", n->servo_gain, "0 < servo_gain <= 1");
    return SW_OK;
}

static sw_status check_stage(int64_t r, const sw_dem_stage *s)
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
    NEED(s->friction_decay >= 0 && s->friction_decay < 1, "friction_decay", s->friction_decay, "0 to 1");
    return SW_OK;
}

static sw_status check_packing(int64_t r, const sw_dem_packing *packing, const sw_dem_numerics *numerics,
                               sw_dem_cell *cell)
{
    double largest = 0, least = INFINITY;
    NEED(packing->n_particles >= 1 && packing->n_particles <= SW_DEM_PAIR_MASK, "particles",
         packing->n_particles, "1 to 67108863");
    memcpy(cell->h, packing->cell, sizeof cell->h);
    if (!sw_dem_cell_update(cell) || !isfinite(cell->volume))
        return sw_error(SW_ERR_RANGE,
                        "element %lld: volume of the cell = %g m^3: need > 0 (right-handed vectors)",
                        (long long)r, cell->volume);
    for (int64_t i = 0; i < packing->n_particles; i++) {
        const double radius = packing->radius[i];
        if (!(radius > 0 && isfinite(radius)))
            return sw_error(SW_ERR_RANGE, "element %lld: radius of particle %lld = %g m: need > 0",
                            (long long)r, (long long)i, radius);
        for (int k = 0; k < 3; k++)
            if (!isfinite(packing->position[i][k]) ||
                (packing->velocity != NULL && !isfinite(packing->velocity[i][k])) ||
                (packing->spin != NULL && !isfinite(packing->spin[i][k])))
                return sw_error(
                    SW_ERR_RANGE,
                    "element %lld: position, velocity or spin of particle %lld: need finite numbers",
                    (long long)r, (long long)i);
        largest = radius > largest ? radius : largest;
        least = radius < least ? radius : least;
    }
    /* shortest vectors first, as the run will have them */
    sw_dem_cell_flip(cell);
    sw_dem_cell_update(cell);
    const double range = 2 * largest + numerics->skin * least;
    for (int k = 0; k < 3; k++)
        if (!(2 * range <= cell->height[k]))
            return sw_error(
                SW_ERR_RANGE,
                "element %lld: largest particle's diameter with the skin = %g m: need at most half "
                "of the cell's height %g m",
                (long long)r, range, cell->height[k]);
    return SW_OK;
}

/* ---- Elements ---- */

/* Classes by powers of two below the largest radius; empty ones are left out. */
static void sort_into_classes(sw_dem_rve *rve)
{
    enum { MOST = sizeof rve->class_radius / sizeof rve->class_radius[0] };
    double largest_of[MOST] = {0};
    int number[MOST];
    for (int64_t i = 0; i < rve->n_particles; i++) {
        const double octaves = floor(log2(rve->largest_radius / rve->radius[i]));
        const int from_top = octaves < MOST - 1 ? (int)octaves : MOST - 1;
        rve->class_of[i] = from_top;
        largest_of[from_top] = fmax(largest_of[from_top], rve->radius[i]);
    }
    rve->n_classes = 0;
    for (int c = MOST - 1; c >= 0; c--)
        if (largest_of[c] > 0) {
            number[c] = rve->n_classes;
            rve->class_radius[rve->n_classes++] = largest_of[c];
        }
    for (int64_t i = 0; i < rve->n_particles; i++)
        rve->class_of[i] = number[rve->class_of[i]];
}

static int count_classes(const sw_dem_packing *packing, double largest)
{
    int used[8] = {0}, n = 0;
    for (int64_t i = 0; i < packing->n_particles; i++)
        used[(int)fmin(7, floor(log2(largest / packing->radius[i])))] = 1;
    for (int c = 0; c < 8; c++)
        n += used[c];
    return n;
}

static sw_status open_element(int64_t r, const sw_dem_sample *sample, sw_dem_images images, sw_dem_rve *rve)
{
    const sw_dem_packing *packing = &sample->packing;
    const int64_t n = packing->n_particles;
    sw_dem_cell cell;
    SW_TRY(check_material(r, &sample->material));
    SW_TRY(check_numerics(r, &sample->numerics));
    SW_TRY(check_packing(r, packing, &sample->numerics, &cell));
    NEED(sample->n_stages >= 0, "stages", sample->n_stages, ">= 0");
    for (int64_t s = 0; s < sample->n_stages; s++)
        SW_TRY(check_stage(r, &sample->stage[s]));
    rve->n_particles = n;
    rve->n_stages = sample->n_stages;
    rve->stage_capacity = sample->n_stages > 0 ? sample->n_stages : 1;
    rve->material = sample->material;
    rve->numerics = sample->numerics;
    rve->least_radius = INFINITY;
    for (int64_t i = 0; i < n; i++) {
        const double radius = packing->radius[i];
        rve->mean_radius += radius / (double)n;
        rve->least_radius = fmin(rve->least_radius, radius);
        rve->largest_radius = fmax(rve->largest_radius, radius);
        rve->solid_volume += 4.0 / 3.0 * SW_PI * radius * radius * radius;
    }
    rve->pair_capacity = 5 * n + 64;
    rve->image_capacity = images == SW_DEM_BOUNDARY_PARTICLES ? 2 * n + 64 : 0;
    rve->bin_capacity = count_classes(packing, rve->largest_radius) * (n < 64 ? 64 : n);
    rve->row_capacity = 256;
    char *block = aligned_alloc(64, (size_t)sw_dem_layout(rve, NULL));
    if (block == NULL)
        return sw_error(SW_ERR_MEMORY, "%.1f MB for element %lld", (double)rve->bytes * 1e-6, (long long)r);
    memset(block, 0, (size_t)rve->bytes);
    sw_dem_layout(rve, block);
    for (int64_t s = 0; s < sample->n_stages; s++)
        ((sw_dem_stage *)rve->stage)[s] = sample->stage[s];
    memcpy(rve->radius, packing->radius, (size_t)n * sizeof(double));
    memcpy(rve->position, packing->position, (size_t)n * sizeof *packing->position);
    if (packing->velocity != NULL)
        memcpy(rve->velocity, packing->velocity, (size_t)n * sizeof *packing->velocity);
    if (packing->spin != NULL)
        memcpy(rve->spin, packing->spin, (size_t)n * sizeof *packing->spin);
    sort_into_classes(rve);
    sw_dem_state *state = rve->state;
    memcpy(state->cell.h, packing->cell, sizeof state->cell.h);
    sw_dem_cell_update(&state->cell);
    state->volume0 = state->cell.volume;
    state->time_step = sw_dem_time_step(rve, 0);
    state->interval = 1; /* to see what there is */
    state->status = rve->n_stages == 0 ? SW_DEM_DONE : SW_DEM_RUNNING;
    return SW_OK;
}

/* The first stage begins before anything is measured: strain-driven components move, the servo waits. */
static void begin(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    sw_dem_begin_stage(rve);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            state->velocity_gradient[i][j] = stage->velocity_gradient[i][j];
    for (int c = 0; c < SW_DEM_SIX; c++) {
        int i, j;
        sw_dem_six(c, &i, &j);
        if (stage->stress_driven[c])
            state->velocity_gradient[i][j] = state->velocity_gradient[j][i] = 0;
    }
    state->status = SW_DEM_RUNNING;
}

/* Two spheres that overlap by more than half the smaller one are a mistake, not a contact. Uses the element's
 * own list, which the run will use too. */
static sw_status check_overlaps(int64_t r, sw_dem_rve *rve)
{
    const sw_team team = {.kind = SW_TEAM_THREAD, .rank = 0, .size = 1};
    const int32_t status = rve->state->status; /* done, where there are no stages yet */
    rve->state->status = SW_DEM_RUNNING;
    while (!sw_dem_make_list(&team, rve)) {
        const int32_t need = rve->state->status;
        if (need == SW_DEM_FAILED_CELL)
            return sw_error(SW_ERR_RANGE, "element %lld: a particle is larger than half the cell",
                            (long long)r);
        SW_TRY(sw_dem_grow(rve, need));
        rve->state->status = SW_DEM_RUNNING;
    }
    rve->state->status = status;
    for (int64_t p = 0; p < rve->state->n_pairs; p++) {
        double branch[3];
        const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
        sw_dem_branch(rve, p, branch);
        const double distance = sqrt(sw_dem_dot(branch, branch));
        const double overlap = rve->radius[a] + rve->radius[b] - distance;
        const double bound = 0.5 * fmin(rve->radius[a], rve->radius[b]);
        if (!(overlap <= bound))
            return sw_error(
                SW_ERR_RANGE,
                "element %lld: overlap of particles %d and %d = %g m: need at most half the smaller "
                "radius, %g m",
                (long long)r, a, b, overlap, bound);
    }
    return SW_OK;
}

int sw_dem_unfinished(const sw_dem_rve *rve)
{
    const int32_t status = rve->state->status;
    return status == SW_DEM_RUNNING || status == SW_DEM_NEEDS_PAIRS || status == SW_DEM_NEEDS_IMAGES;
}

static sw_status check_options(const sw_dem_options *options)
{
    if ((int)options->team < 0 || options->team >= SW_DEM_TEAMS || (int)options->detection < 0 ||
        options->detection >= SW_DEM_DETECTIONS ||
        (options->images != SW_DEM_NEAREST && options->images != SW_DEM_BOUNDARY_PARTICLES))
        return sw_error(SW_ERR_RANGE, "team, detection or images: need one of their tables");
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

sw_status sw_dem_open(const sw_dem_options *options, int64_t n_rves, const sw_dem_sample *sample,
                      sw_dem **result)
{
    sw_status status;
    sw_dem *dem = NULL;
    *result = NULL;
    SW_TRY(check_options(options));
    if (n_rves < 1)
        return sw_error(SW_ERR_RANGE, "elements = %lld: need 1 or more", (long long)n_rves);
    dem = calloc(1, sizeof *dem);
    if (dem == NULL)
        return sw_error(SW_ERR_MEMORY, "a batch of elements");
    dem->options = *options;
    dem->rve = calloc((size_t)n_rves, sizeof *dem->rve);
    dem->rows = calloc((size_t)n_rves, sizeof *dem->rows);
    if (dem->rve == NULL || dem->rows == NULL) {
        status = sw_error(SW_ERR_MEMORY, "%lld elements", (long long)n_rves);
        goto failed;
    }
    for (dem->n = 0; dem->n < n_rves; dem->n++) {
        const int64_t r = dem->n;
        if ((status = open_element(r, &sample[r], options->images, &dem->rve[r])) != SW_OK)
            goto failed;
        if (dem->rve[r].n_stages > 0)
            begin(&dem->rve[r]);
        if ((status = check_overlaps(r, &dem->rve[r])) != SW_OK) {
            dem->n++;
            goto failed;
        }
        dem->finished += !sw_dem_unfinished(&dem->rve[r]);
    }
    if (!options->cuda)
        snprintf(dem->description, sizeof dem->description, "CPU, a thread an element");
    else if ((status = sw_dem_check_gpu(dem)) != SW_OK)
        goto failed;
    *result = dem;
    return SW_OK;
failed:
    sw_dem_close(dem);
    return status;
}

void sw_dem_close(sw_dem *dem)
{
    if (dem == NULL)
        return;
    for (int64_t r = 0; dem->rve != NULL && dem->rows != NULL && r < dem->n; r++) {
        free(dem->rve[r].block);
        free(dem->rows[r].row);
    }
    free(dem->rve);
    free(dem->rows);
    free(dem);
}

sw_status sw_dem_run(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    if (!dem->options.cuda)
        return sw_dem_run_cpu(dem, watch, context);
    return dem->options.team == SW_DEM_LAUNCHES ? sw_dem_run_launches(dem, watch, context)
                                                : sw_dem_run_gpu(dem, watch, context);
}

sw_status sw_dem_add_stage(sw_dem *dem, int64_t r, const sw_dem_stage *stage)
{
    sw_dem_rve *rve = &dem->rve[r];
    SW_TRY(sw_dem_failure(dem, r));
    SW_TRY(check_stage(r, stage));
    if (rve->n_stages == rve->stage_capacity)
        SW_TRY(sw_dem_grow(rve, SW_DEM_DONE));
    ((sw_dem_stage *)rve->stage)[rve->n_stages++] = *stage;
    if (rve->state->status == SW_DEM_DONE) {
        dem->finished--;
        if (rve->state->step == 0) {
            begin(rve);
            return SW_OK;
        }
        /* as sw_dem_control goes on */
        rve->state->status = SW_DEM_RUNNING;
        sw_dem_begin_stage(rve);
        rve->state->time_step = sw_dem_time_step(rve, rve->state->largest[2]);
        sw_dem_set_velocity_gradient(rve);
        sw_dem_check_list(rve);
        dem->finished += !sw_dem_unfinished(rve);
    }
    return SW_OK;
}

/* ---- What came out ---- */

const sw_dem_rve *sw_dem_get(sw_dem *dem, int64_t r) { return &dem->rve[r]; }

void sw_dem_last_row(const sw_dem *dem, int64_t r, sw_dem_row *row) { sw_dem_fill_row(&dem->rve[r], row); }

const sw_dem_row *sw_dem_rows(const sw_dem *dem, int64_t r, int64_t *n)
{
    *n = dem->rows[r].n;
    return dem->rows[r].row;
}

sw_status sw_dem_drain_rows(sw_dem *dem, int64_t r, int64_t n, const sw_dem_row *row)
{
    sw_dem_row_list *list = &dem->rows[r];
    if (list->n + n > list->capacity) {
        const int64_t capacity = 2 * (list->n + n);
        sw_dem_row *more = realloc(list->row, (size_t)capacity * sizeof *more);
        if (more == NULL)
            return sw_error(SW_ERR_MEMORY, "%lld records of element %lld", (long long)capacity, (long long)r);
        list->row = more;
        list->capacity = capacity;
    }
    if (n > 0)
        memcpy(list->row + list->n, row, (size_t)n * sizeof *row);
    list->n += n;
    return SW_OK;
}

void sw_dem_packing_free(sw_dem_packing *packing)
{
    free(packing->position);
    free(packing->radius);
    free(packing->velocity);
    free(packing->spin);
    *packing = (sw_dem_packing){0};
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
                                .spin = malloc(n * sizeof *packing->spin)};
    if (packing->position == NULL || packing->radius == NULL || packing->velocity == NULL ||
        packing->spin == NULL) {
        sw_dem_packing_free(packing);
        return sw_error(SW_ERR_MEMORY, "a packing of %zu particles", n);
    }
    memcpy(packing->cell, cell->h, sizeof packing->cell);
    memcpy(packing->radius, rve->radius, n * sizeof *rve->radius);
    memcpy(packing->velocity, rve->velocity, n * sizeof *rve->velocity);
    memcpy(packing->spin, rve->spin, n * sizeof *rve->spin);
    for (size_t i = 0; i < n; i++) {
        double s[3];
        sw_dem_cell_local(cell, rve->position[i], s);
        for (int k = 0; k < 3; k++) {
            packing->position[i][k] = rve->position[i][k];
            for (int j = 0; j < 3; j++)
                packing->position[i][k] -= floor(s[j]) * cell->h[k][j];
        }
    }
    return SW_OK;
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
        c->a = rve->pair[p][0];
        c->b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
        if (!(distance < rve->radius[c->a] + rve->radius[c->b]))
            continue;
        sw_dem_pair_kinematics(rve, p, branch, &k);
        sw_dem_stiffnesses(&rve->material, &k, &stiffness);
        sw_dem_load_history(rve, p, &history);
        /* the normal force is of now, the tangential one of the last step: no more than friction allows */
        const double size = sqrt(sw_dem_dot(history.tangential, history.tangential));
        const double limit = rve->state->friction * stiffness.normal_force;
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

const char *sw_dem_describe(const sw_dem *dem) { return dem->description; }
