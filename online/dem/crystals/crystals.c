/* Crystals of particles: they follow their particle's mean deformation, as far as the work at its contacts goes:
 * loose particles move past each other undeformed; what contacts dissipate beyond that is local flow to and fro,
 * which hardens and leaves no mean strain. Then each contact asks them for the flow stress along its normal. */
#include "crystals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "motion.h"
#include "online/response/step/check.h"
#include "online/response/step/solver.h"

/* Flow stresses are asked for at this rate: a power law's answer to another rate is known from it. */
#define ASKED_RATE 1e-3   /* 1/s */
enum { CHUNK = 1 << 18 }; /* crystals that are asked at a time */

/* ---- Steps of all particles ---- */

/* What a step of the particles' crystals takes and gives: arrays [P]. */
typedef struct {
    double (*gradient)[3][3]; /* in, 1/s */
    double (*stress)[6];
    double *before, *after; /* mean slip resistances, Pa */
} particles;

static sw_status allocate(const sw_dem_rve *rve, particles *all, sw_dem_motion **motion)
{
    const int64_t p = rve->n_particles;
    SW_TRY(SW_ALLOCATE(all->gradient, p, "particles"));
    SW_TRY(SW_ALLOCATE(all->stress, p, "particles"));
    SW_TRY(SW_ALLOCATE(all->before, p, "particles"));
    SW_TRY(SW_ALLOCATE(all->after, p, "particles"));
    return SW_ALLOCATE(*motion, p, "particles");
}

static void release(particles *all, sw_dem_motion *motion)
{
    free(all->gradient);
    free(all->stress);
    free(all->before);
    free(all->after);
    free(motion);
}

static double volume_of(const sw_dem_rve *rve, int64_t i)
{
    const double r = rve->radius[i];
    return (4.0 / 3.0) * 3.14159265358979323846 * r * r * r;
}

/* sigma : D, Pa/s; the trace of D does no work on a deviator. */
static double power(const double stress[6], const double l[3][3])
{
    return stress[0] * l[0][0] + stress[1] * l[1][1] + stress[2] * l[2][2] + stress[3] * (l[1][2] + l[2][1]) +
           stress[4] * (l[0][2] + l[2][0]) + stress[5] * (l[0][1] + l[1][0]);
}

/* sqrt(2/3 D':D'), 1/s */
static double equivalent(const double l[3][3])
{
    const double third = (l[0][0] + l[1][1] + l[2][2]) / 3;
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double d = 0.5 * (l[i][j] + l[j][i]) - (i == j ? third : 0);
            sum += d * d;
        }
    return sqrt((2.0 / 3.0) * sum);
}

static double mean_resistance(const sw_dem_polycrystals *poly, int64_t i)
{
    double sum = 0;
    for (int64_t k = 0; k < poly->each; k++)
        sum += (double)poly->crystal[i * poly->each + k].slip_resistance;
    return sum / (double)poly->each;
}

static int64_t numbers_of(const sw_dem_polycrystals *poly)
{
    return sw_response_layout(poly->response)->numbers;
}

/* Of n crystals as the response takes them. */
static sw_crystals crystals_of(const sw_dem_polycrystals *poly, int64_t n, sw_crystal *crystal, float *state)
{
    sw_crystals c = sw_crystals_alone(poly->response, n, crystal);
    c.state = state;
    return c;
}

/* All crystals a step on under their particle's gradient, and what it cost: stresses are of the step's end, and
 * hardly changed but by hardening since its beginning. */
static sw_status step(const sw_dem_rve *rve, sw_dem_polycrystals *poly, double dt, particles *all)
{
    const sw_crystals crystals = crystals_of(poly, rve->n_particles * poly->each, poly->crystal, poly->state);
    const sw_points points = {.points = rve->n_particles,
                              .each = poly->each,
                              .velocity_gradient = (const double(*)[3][3])all->gradient,
                              .dt = dt,
                              .from = &crystals,
                              .to = &crystals,
                              .stress = all->stress,
                              .slip_resistance = all->after};
    for (int64_t i = 0; i < rve->n_particles; i++)
        all->before[i] = mean_resistance(poly, i);
    SW_TRY(sw_response_step_each(poly->response, &points));
    for (int64_t i = 0; i < rve->n_particles; i++) {
        const double(*l)[3] = (const double(*)[3])all->gradient[i];
        const double middle = 0.5 * (1 + all->before[i] / all->after[i]);
        const double done = middle * power(all->stress[i], l) * dt * volume_of(rve, i);
        poly->strain[i] += equivalent(l) * dt;
        poly->work[i] += done;
        poly->left[i] -= done;
    }
    return SW_OK;
}

/* Axial compression along n of equivalent rate `rate`. */
static void compress(const double n[3], double rate, double l[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            l[i][j] = -1.5 * rate * (n[i] * n[j] - (i == j ? 1.0 / 3 : 0));
}

/* Work of particle i, J, by an equivalent strain in dt (s): its mean strength is that of its contacts. */
static double work_of(const sw_dem_rve *rve, int64_t i, double strain, double dt)
{
    const double n = rve->material[0].rate_sensitivity;
    return strain > 0 ? volume_of(rve, i) * rve->strength[i] * pow(strain / dt, n) * strain : 0;
}

/* Local flow of one refresh, at most: with more, hardening within it would matter; what is left waits. */
#define LOCAL_STRAIN 0.03

/* Half of the work that is left over one way, half of it back, along the contact that worked hardest. */
static sw_status step_locally(const sw_dem_rve *rve, sw_dem_polycrystals *poly, const sw_dem_motion *motion,
                              double dt, particles *all)
{
    for (int64_t i = 0; i < rve->n_particles; i++) {
        /* work_of is a power of the strain */
        const double one = work_of(rve, i, dt, dt), left = fmax(poly->left[i], 0);
        const double wanted = dt * pow(left / one, 1 / (1 + rve->material[0].rate_sensitivity));
        const double strain = fmin(wanted, LOCAL_STRAIN);
        compress(motion[i].normal, 0.5 * strain / dt, all->gradient[i]);
    }
    SW_TRY(step(rve, poly, dt, all));
    for (int64_t i = 0; i < rve->n_particles; i++)
        for (int k = 0; k < 9; k++)
            all->gradient[i][k / 3][k % 3] *= -1;
    return step(rve, poly, dt, all);
}

/* The mean flow of a particle over dt, as far as the work (J) goes; its turn whole. */
static void set_mean_flow(const sw_dem_rve *rve, int64_t i, const sw_dem_motion *motion, double work,
                          double dt, double l[3][3])
{
    const double(*h)[3] = motion->increment;
    const double needed = work_of(rve, i, equivalent(h), dt);
    /* even compaction needs none, and the work of contacts that hold is a rounding of either sign */
    const double part = needed > 0 && work < needed ? fmax(work, 0) / needed : 1;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            l[a][b] = (part * 0.5 * (h[a][b] + h[b][a]) + 0.5 * (h[a][b] - h[b][a])) / dt;
}

static sw_status follow(const sw_dem_rve *rve, sw_dem_polycrystals *poly, const sw_dem_motion *motion,
                        particles *all)
{
    const double dt = (rve->state->time - rve->state->refresh_time) * rve->numerics.time_scale;
    if (!(dt > 0))
        return SW_OK;
    for (int64_t i = 0; i < rve->n_particles; i++) {
        poly->left[i] += motion[i].work;
        set_mean_flow(rve, i, &motion[i], poly->left[i], dt, all->gradient[i]);
    }
    SW_TRY(step(rve, poly, dt, all));
    if (!poly->mean_strain_only)
        return step_locally(rve, poly, motion, dt, all);
    for (int64_t i = 0; i < rve->n_particles; i++)
        poly->left[i] = fmin(poly->left[i], 0);
    return SW_OK;
}

/* ---- Flow stresses along normals ---- */

/* Questions to particles' crystals, asked in chunks: copies of them under compression along a normal. */
typedef struct {
    int64_t n, capacity, each;
    double (*gradient)[3][3], (*stress)[6], *strength; /* [capacity]; strength: [all questions], out */
    int64_t first;                                     /* of this chunk among all questions */
    sw_crystal *crystal;                               /* [capacity each] */
    float *state;                                      /* [capacity each][K]; NULL where K is 0 */
} questions;

static sw_status open_questions(const sw_dem_polycrystals *poly, int64_t all, questions *q)
{
    q->each = poly->each;
    q->capacity = CHUNK / poly->each > 1 ? CHUNK / poly->each : 1;
    if (q->capacity > all)
        q->capacity = all > 0 ? all : 1;
    SW_TRY(SW_ALLOCATE(q->gradient, q->capacity, "contacts"));
    SW_TRY(SW_ALLOCATE(q->stress, q->capacity, "contacts"));
    SW_TRY(SW_ALLOCATE(q->strength, all > 0 ? all : 1, "contacts"));
    if (poly->state != NULL)
        SW_TRY(SW_ALLOCATE(q->state, q->capacity * q->each * numbers_of(poly), "crystals of contacts"));
    return SW_ALLOCATE(q->crystal, q->capacity * q->each, "crystals of contacts");
}

static void close_questions(questions *q)
{
    free(q->gradient);
    free(q->stress);
    free(q->strength);
    free(q->crystal);
    free(q->state);
}

static sw_status answer(const sw_dem_polycrystals *poly, double rate_sensitivity, questions *q)
{
    const sw_crystals crystals = crystals_of(poly, q->n * q->each, q->crystal, q->state);
    const sw_points points = {.points = q->n,
                              .each = q->each,
                              .velocity_gradient = (const double(*)[3][3])q->gradient,
                              .dt = 1e-6 / ASKED_RATE,
                              .from = &crystals,
                              .stress = q->stress};
    SW_TRY(sw_response_step_each(poly->response, &points));
    for (int64_t i = 0; i < q->n; i++)
        q->strength[q->first + i] =
            power(q->stress[i], (const double(*)[3])q->gradient[i]) / pow(ASKED_RATE, 1 + rate_sensitivity);
    q->first += q->n;
    q->n = 0;
    return SW_OK;
}

static sw_status ask(const sw_dem_polycrystals *poly, const sw_dem_rve *rve, int64_t particle,
                     const double normal[3], questions *q)
{
    compress(normal, ASKED_RATE, q->gradient[q->n]);
    memcpy(q->crystal + q->n * q->each, poly->crystal + particle * q->each,
           (size_t)q->each * sizeof *q->crystal);
    const int64_t k = q->each * numbers_of(poly);
    if (q->state != NULL)
        memcpy(q->state + q->n * k, poly->state + particle * k, (size_t)k * sizeof *q->state);
    return ++q->n == q->capacity ? answer(poly, rve->material[0].rate_sensitivity, q) : SW_OK;
}

/* Both sides of each contact, then all axes of particles without one. */
static sw_status ask_all(const sw_dem_polycrystals *poly, const sw_dem_rve *rve, const int32_t *contacts,
                         questions *q)
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        if (rve->touching[p] != 0) {
            double branch[3];
            sw_dem_branch(rve, p, branch);
            const double inverse = 1 / sqrt(sw_dem_dot(branch, branch));
            for (int k = 0; k < 3; k++)
                branch[k] *= inverse;
            SW_TRY(ask(poly, rve, rve->pair[p][0], branch, q));
            SW_TRY(ask(poly, rve, rve->pair[p][1] & SW_DEM_PAIR_MASK, branch, q));
        }
    for (int64_t i = 0; i < rve->n_particles; i++)
        for (int k = 0; k < 3 && contacts[i] == 0; k++)
            SW_TRY(ask(poly, rve, i, axes[k], q));
    return q->n > 0 ? answer(poly, rve->material[0].rate_sensitivity, q) : SW_OK;
}

/* How much stronger particle i will be halfway to the next refresh, when it goes on to harden as it has since the
 * last one: without that contacts are as far behind on average, and pressures some per cent too low. */
static double halfway(const sw_dem_polycrystals *poly, int64_t i)
{
    return 1.5 - 0.5 * poly->resistance[i] / mean_resistance(poly, i);
}

/* Contacts' strengths into their histories, their means into particles', for contacts to come. strength: answers
 * in the order of questions; changed. */
static void take_answers(const sw_dem_polycrystals *poly, sw_dem_rve *rve, const int32_t *contacts,
                         double *strength)
{
    const double n = rve->material[0].rate_sensitivity;
    sw_dem_history h;
    for (int64_t i = 0; i < rve->n_particles; i++)
        rve->strength[i] = 0;
    for (int64_t p = 0; p < rve->state->n_pairs; p++) {
        sw_dem_load_history(1, rve, p, &h);
        h.law[SW_DEM_METAL_STRENGTH] = h.law[SW_DEM_METAL_WORK] = 0;
        if (rve->touching[p] != 0) {
            const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
            strength[0] *= halfway(poly, a);
            strength[1] *= halfway(poly, b);
            sw_dem_metal_strengthen(strength[0], strength[1], n, h.law);
            rve->strength[a] += strength[0] / contacts[a];
            rve->strength[b] += strength[1] / contacts[b];
            strength += 2;
        }
        sw_dem_store_history(1, rve, p, &h);
    }
    for (int64_t i = 0; i < rve->n_particles; i++)
        if (contacts[i] == 0) {
            rve->strength[i] = halfway(poly, i) * (strength[0] + strength[1] + strength[2]) / 3;
            strength += 3;
        }
}

/* How many contacts each particle has; all questions. */
static int64_t count_questions(const sw_dem_rve *rve, int32_t *contacts)
{
    int64_t n = 0;
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        if (rve->touching[p] != 0) {
            contacts[rve->pair[p][0]]++;
            contacts[rve->pair[p][1] & SW_DEM_PAIR_MASK]++;
            n += 2;
        }
    for (int64_t i = 0; i < rve->n_particles; i++)
        n += contacts[i] == 0 ? 3 : 0;
    return n;
}

static sw_status strengthen(const sw_dem_polycrystals *poly, sw_dem_rve *rve)
{
    questions q = {0};
    int32_t *contacts;
    SW_TRY(SW_ALLOCATE(contacts, rve->n_particles, "particles"));
    sw_status status = open_questions(poly, count_questions(rve, contacts), &q);
    if (status == SW_OK)
        status = ask_all(poly, rve, contacts, &q);
    if (status == SW_OK)
        take_answers(poly, rve, contacts, q.strength);
    close_questions(&q);
    free(contacts);
    return status;
}

/* ---- Refresh ---- */

/* From here on motion counts anew; the list is made again, since its own account ends here, too. */
static void count_anew(sw_dem_rve *rve, sw_dem_polycrystals *poly)
{
    sw_dem_state *state = rve->state;
    const size_t n = (size_t)rve->n_particles;
    memset(rve->drift, 0, n * sizeof *rve->drift);
    memset(rve->turned, 0, n * sizeof *rve->turned);
    memset(rve->displacement, 0, n * sizeof *rve->displacement);
    for (int k = 0; k < 9; k++)
        state->refreshed[k / 3][k % 3] = state->reference[k / 3][k % 3] = k % 4 == 0;
    state->strain_since = 0;
    state->refresh_time = state->time;
    state->list_valid = 0;
    state->crystal_work = state->crystal_strain = state->crystal_resistance = 0;
    for (int64_t i = 0; i < rve->n_particles; i++) {
        state->crystal_work += poly->work[i];
        state->crystal_strain += poly->strain[i] / (double)n;
        poly->resistance[i] = mean_resistance(poly, i);
        state->crystal_resistance += poly->resistance[i] / (double)n;
    }
}

sw_status sw_dem_refresh(sw_dem_rve *rve, sw_dem_polycrystals *poly)
{
    particles all = {0};
    sw_dem_motion *motion = NULL;
    sw_status status = allocate(rve, &all, &motion);
    if (status == SW_OK)
        status = sw_dem_find_motion(rve, motion);
    if (status == SW_OK)
        status = follow(rve, poly, motion, &all);
    release(&all, motion);
    SW_TRY(status);
    SW_TRY(strengthen(poly, rve));
    count_anew(rve, poly);
    if (rve->state->status == SW_DEM_NEEDS_CRYSTALS)
        rve->state->status = SW_DEM_RUNNING;
    return SW_OK;
}

/* ---- Begin and end ---- */

sw_status sw_dem_check_crystals_material(const sw_material *material)
{
    return !sw_material_has_structure(material) && !material->slip.rate_of_step
               ? SW_OK
               : sw_error(SW_ERR_UNAVAILABLE,
                          "material %s: of stresses at other rates contacts know the power law of slip "
                          "alone: need no "
                          "slip.rate_of_step, and no hardening.law that depends on the rate",
                          material->name);
}

static sw_status check(int64_t r, const sw_dem_crystals *c, const sw_dem_rve *rve)
{
    if (rve->material[0].law != SW_DEM_METAL)
        return sw_error(SW_ERR_RANGE, "element %lld: crystals: need the law metal", (long long)r);
    if (c->each < 1 || c->each > CHUNK)
        return sw_error(SW_ERR_RANGE, "element %lld: crystals of a particle = %lld: need 1 to %d",
                        (long long)r, (long long)c->each, CHUNK);
    const int64_t numbers = sw_response_layout(c->response)->numbers;
    if (c->response->solver->traits.has_history || (numbers > 0 && c->response->device == SW_CUDA))
        return sw_error(SW_ERR_UNAVAILABLE,
                        "element %lld: crystals: solver = %s%s remembers %lld numbers of each, which "
                        "particles do not keep",
                        (long long)r, c->response->solver->traits.name, numbers > 0 ? " on a GPU" : "",
                        (long long)numbers);
    SW_TRY(sw_dem_check_crystals_material(c->response->material));
    if (!(c->refresh > 0 && c->refresh <= SW_DEM_MOST_REFRESH))
        return sw_error(SW_ERR_RANGE, "element %lld: refresh = %g: need more than 0, at most %g",
                        (long long)r, c->refresh, SW_DEM_MOST_REFRESH);
    return SW_OK;
}

static sw_status begin_states(sw_dem_polycrystals *poly, int64_t n)
{
    if (numbers_of(poly) == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(poly->state, n * numbers_of(poly), "states of crystals"));
    sw_crystals all = crystals_of(poly, n, poly->crystal, poly->state);
    return sw_crystals_begin(poly->response, &all);
}

sw_status sw_dem_polycrystals_begin(int64_t r, const sw_dem_crystals *c, sw_dem_rve *rve,
                                    sw_dem_polycrystals *poly)
{
    const int64_t n = rve->n_particles * c->each;
    SW_TRY(check(r, c, rve));
    SW_TRY(sw_check_crystals(n, c->crystal, &c->response->doubted));
    *poly = (sw_dem_polycrystals){
        .response = c->response, .each = c->each, .mean_strain_only = c->mean_strain_only};
    SW_TRY(SW_ALLOCATE(poly->crystal, n, "crystals of particles"));
    SW_TRY(SW_ALLOCATE(poly->strain, rve->n_particles, "particles"));
    SW_TRY(SW_ALLOCATE(poly->work, rve->n_particles, "particles"));
    SW_TRY(SW_ALLOCATE(poly->left, rve->n_particles, "particles"));
    SW_TRY(SW_ALLOCATE(poly->resistance, rve->n_particles, "particles"));
    memcpy(poly->crystal, c->crystal, (size_t)n * sizeof *c->crystal);
    for (int64_t i = 0; i < rve->n_particles; i++)
        poly->resistance[i] = mean_resistance(poly, i);
    SW_TRY(begin_states(poly, n));
    SW_TRY(sw_response_prepare_each(c->response));
    return sw_dem_refresh(rve, poly);
}

void sw_dem_polycrystals_free(sw_dem_polycrystals *poly)
{
    free(poly->crystal);
    free(poly->state);
    free(poly->strain);
    free(poly->work);
    free(poly->left);
    free(poly->resistance);
    *poly = (sw_dem_polycrystals){0};
}
