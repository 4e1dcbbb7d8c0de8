/* Refreshes: crystals follow their particle's mean deformation, as far as the work at its contacts goes: loose
 * particles move past each other undeformed; what contacts dissipate beyond that is local flow to and fro, which
 * hardens and leaves no mean strain. Then each contact asks them for the flow stress along its normal.
 *
 * Elements go in groups, whose crystals and questions are one call to the response each. What is an element's own is
 * done by a thread an element. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "crystals.h"
#include "motion.h"
#include "online/response/step/solver.h"

enum { IN_GROUP = 1 << 23 }; /* crystals, of more than one element */

/* ---- Groups ---- */

/* An element of a group: its particles and questions are those of the group from these on. */
typedef struct {
    sw_dem_rve *rve;
    sw_dem_polycrystals *poly;
    double dt; /* s, of the metal's time since the last refresh */
    int64_t first, question;
    sw_status status;
} member;

/* Particles of elements one after the other: P of all, Q questions. One response, and what it is told is all's. */
typedef struct {
    int64_t n, particles, questions;
    member *of; /* [n] */
    sw_response *response;
    int64_t each;
    sw_dem_workspace *room;
    sw_crystals crystals;     /* as the response has them */
    double (*gradient)[3][3]; /* [P] 1/s */
    double (*stress)[6];      /* [P] */
    double *duration;         /* [P] s */
    double *before, *after;   /* [P] mean slip resistances, Pa */
    int32_t *contacts;        /* [P] */
    sw_dem_motion *motion;    /* [P] */
    int32_t *asked;           /* [Q] particles */
    double (*normal)[3];      /* [Q] */
    double *answer;           /* [Q] Pa/s, at the rate that is asked */
} group;

typedef sw_status own_work(group *g, member *m);

/* What each element does by itself. Nothing goes on after a failure, whose message is its thread's. */
static sw_status each_element(group *g, own_work *work)
{
    const double nanoseconds = 1000.0 * (double)g->particles / (double)g->n;
#pragma omp parallel for schedule(dynamic, 1) num_threads(sw_threads_for(g->n, nanoseconds))
    for (int64_t k = 0; k < g->n; k++)
        g->of[k].status = work(g, &g->of[k]);
    for (int64_t k = 0; k < g->n; k++)
        if (g->of[k].status != SW_OK)
            return g->n == 1 ? g->of[k].status
                             : sw_error(g->of[k].status, "no memory for particles of an element");
    return SW_OK;
}

static double time_since(const sw_dem_rve *rve)
{
    return (rve->state->time - rve->state->refresh_time) * rve->numerics.time_scale;
}

/* Whether b goes into one call with a. */
static int go_together(const member *a, const member *b)
{
    return a->poly->response == b->poly->response && a->poly->each == b->poly->each &&
           a->poly->mean_strain_only == b->poly->mean_strain_only && (a->dt > 0) == (b->dt > 0);
}

/* From member `begin` of `all` on: how many. */
static int64_t count_together(int64_t n, const member *all, int64_t begin)
{
    int64_t crystals = 0, k = begin;
    for (; k < n && go_together(&all[begin], &all[k]); k++) {
        crystals += all[k].rve->n_particles * all[k].poly->each;
        if (k > begin && crystals > IN_GROUP)
            break;
    }
    return k - begin;
}

static sw_status allocate(group *g)
{
    const int64_t p = g->particles;
    SW_TRY(SW_ALLOCATE(g->gradient, p, "particles"));
    SW_TRY(SW_ALLOCATE(g->stress, p, "particles"));
    SW_TRY(SW_ALLOCATE(g->duration, p, "particles"));
    SW_TRY(SW_ALLOCATE(g->before, p, "particles"));
    SW_TRY(SW_ALLOCATE(g->after, p, "particles"));
    SW_TRY(SW_ALLOCATE(g->contacts, p, "particles"));
    return SW_ALLOCATE(g->motion, p, "particles");
}

static void release(group *g)
{
    free(g->gradient);
    free(g->stress);
    free(g->duration);
    free(g->before);
    free(g->after);
    free(g->contacts);
    free(g->motion);
    free(g->asked);
    free(g->normal);
    free(g->answer);
}

/* ---- Where crystals are ---- */

void sw_dem_workspace_free(sw_dem_workspace *room)
{
    sw_crystals_release(&room->all);
    sw_dem_asking_free(&room->asking);
    *room = (sw_dem_workspace){0};
}

/* Room for the group's crystals; what was there is of no use. */
static sw_status reserve(group *g)
{
    sw_crystals *all = &g->room->all;
    const int64_t n = g->particles * g->each;
    if (all->n < n) {
        sw_crystals_release(all);
        *all = (sw_crystals){0};
        /* as what grows waits for all that a GPU does */
        const int64_t more = n / 2 < IN_GROUP / 2 ? n / 2 : IN_GROUP / 2;
        SW_TRY(sw_crystals_make(g->response, n + more, all));
    }
    g->crystals = sw_crystals_part(all, 0, n);
    return SW_OK;
}

/* One element on the CPU has them in place. */
static int in_place(const group *g) { return g->n == 1 && g->response->device == SW_CPU; }

static sw_status put_crystals(group *g)
{
    if (in_place(g)) {
        g->crystals = sw_dem_crystals_of(g->of[0].poly, g->particles);
        return SW_OK;
    }
    SW_TRY(reserve(g));
    for (const member *m = g->of; m < g->of + g->n; m++) {
        const sw_crystals own = sw_dem_crystals_of(m->poly, m->rve->n_particles);
        sw_crystals there = sw_crystals_part(&g->crystals, m->first * g->each, own.n);
        SW_TRY(sw_crystals_assign(&there, &own));
    }
    return SW_OK;
}

static sw_status get_crystals(const group *g)
{
    for (const member *m = g->of; m < g->of + g->n && !in_place(g); m++) {
        sw_crystals own = sw_dem_crystals_of(m->poly, m->rve->n_particles);
        const sw_crystals there = sw_crystals_part(&g->crystals, m->first * g->each, own.n);
        SW_TRY(sw_crystals_assign(&own, &there));
    }
    return SW_OK;
}

/* ---- Steps of all particles ---- */

static double volume_of(const sw_dem_rve *rve, int64_t i)
{
    const double r = rve->radius[i];
    return (4.0 / 3.0) * 3.14159265358979323846 * r * r * r;
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

/* What a step cost: stresses are of its end, and hardly changed but by hardening since its beginning. */
static sw_status take_step(group *g, member *m)
{
    sw_dem_polycrystals *poly = m->poly;
    for (int64_t i = 0; i < m->rve->n_particles; i++) {
        const int64_t k = m->first + i;
        const double(*l)[3] = (const double(*)[3])g->gradient[k];
        const double middle = 0.5 * (1 + g->before[k] / g->after[k]);
        const double done = middle * sw_dem_power(g->stress[k], l) * m->dt * volume_of(m->rve, i);
        poly->strain[i] += equivalent(l) * m->dt;
        poly->work[i] += done;
        poly->left[i] -= done;
        g->before[k] = g->after[k];
    }
    return SW_OK;
}

/* All crystals a step on under their particle's gradient. */
static sw_status step(group *g)
{
    const sw_points points = {.points = g->particles,
                              .each = g->each,
                              .velocity_gradient = (const double(*)[3][3])g->gradient,
                              .dt = g->of[0].dt,
                              .dt_each = g->n > 1 ? g->duration : NULL,
                              .from = &g->crystals,
                              .to = &g->crystals,
                              .stress = g->stress,
                              .slip_resistance = g->after};
    SW_TRY(sw_response_step_each(g->response, &points));
    return each_element(g, take_step);
}

/* Work of particle i, J, by an equivalent strain in dt (s): its mean strength is that of its contacts. */
static double work_of(const sw_dem_rve *rve, int64_t i, double strain, double dt)
{
    const double n = rve->material[0].rate_sensitivity;
    return strain > 0 ? volume_of(rve, i) * rve->strength[i] * pow(strain / dt, n) * strain : 0;
}

/* Local flow of one refresh, at most: with more, hardening within it would matter; what is left waits. */
#define LOCAL_STRAIN 0.03

/* Half of the work that is left over, one way along the contact that worked hardest. */
static sw_status set_local_flow(group *g, member *m)
{
    const sw_dem_rve *rve = m->rve;
    for (int64_t i = 0; i < rve->n_particles; i++) {
        /* work_of is a power of the strain */
        const double one = work_of(rve, i, m->dt, m->dt), left = fmax(m->poly->left[i], 0);
        const double wanted = m->dt * pow(left / one, 1 / (1 + rve->material[0].rate_sensitivity));
        const double strain = fmin(wanted, LOCAL_STRAIN);
        sw_dem_compress(g->motion[m->first + i].normal, 0.5 * strain / m->dt, g->gradient[m->first + i]);
    }
    return SW_OK;
}

/* The other half: back. */
static sw_status turn_back(group *g, member *m)
{
    for (int64_t i = m->first; i < m->first + m->rve->n_particles; i++)
        for (int k = 0; k < 9; k++)
            g->gradient[i][k / 3][k % 3] *= -1;
    return SW_OK;
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

static sw_status find_motion(group *g, member *m)
{
    sw_dem_motion *motion = g->motion + m->first;
    SW_TRY(sw_dem_find_motion(m->rve, motion));
    for (int64_t i = 0; i < m->rve->n_particles && m->dt > 0; i++) {
        m->poly->left[i] += motion[i].work;
        g->duration[m->first + i] = m->dt;
        g->before[m->first + i] = m->poly->resistance[i];
        set_mean_flow(m->rve, i, &motion[i], m->poly->left[i], m->dt, g->gradient[m->first + i]);
    }
    return SW_OK;
}

static sw_status forget_the_rest(group *g, member *m)
{
    (void)g;
    for (int64_t i = 0; i < m->rve->n_particles; i++)
        m->poly->left[i] = fmin(m->poly->left[i], 0);
    return SW_OK;
}

static sw_status follow(group *g)
{
    if (!(g->of[0].dt > 0))
        return SW_OK;
    SW_TRY(step(g));
    if (g->of[0].poly->mean_strain_only)
        return each_element(g, forget_the_rest);
    SW_TRY(each_element(g, set_local_flow));
    SW_TRY(step(g));
    SW_TRY(each_element(g, turn_back));
    return step(g);
}

/* ---- Flow stresses along normals ---- */

static sw_status count_contacts(group *g, member *m)
{
    const sw_dem_rve *rve = m->rve;
    int32_t *contacts = g->contacts + m->first;
    m->question = 0;
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        if (rve->touching[p] != 0) {
            contacts[rve->pair[p][0]]++;
            contacts[rve->pair[p][1] & SW_DEM_PAIR_MASK]++;
            m->question += 2;
        }
    for (int64_t i = 0; i < rve->n_particles; i++)
        m->question += contacts[i] == 0 ? 3 : 0;
    return SW_OK;
}

static void ask(group *g, const member *m, int64_t particle, const double normal[3], int64_t *question)
{
    g->asked[*question] = (int32_t)(m->first + particle);
    memcpy(g->normal[(*question)++], normal, sizeof *g->normal);
}

/* Both sides of each contact, then all axes of particles without one. */
static sw_status list_questions(group *g, member *m)
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const sw_dem_rve *rve = m->rve;
    int64_t q = m->question;
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        if (rve->touching[p] != 0) {
            double branch[3];
            sw_dem_branch(rve, p, branch);
            const double inverse = 1 / sqrt(sw_dem_dot(branch, branch));
            for (int k = 0; k < 3; k++)
                branch[k] *= inverse;
            ask(g, m, rve->pair[p][0], branch, &q);
            ask(g, m, rve->pair[p][1] & SW_DEM_PAIR_MASK, branch, &q);
        }
    for (int64_t i = 0; i < rve->n_particles; i++)
        for (int k = 0; k < 3 && g->contacts[m->first + i] == 0; k++)
            ask(g, m, i, axes[k], &q);
    return SW_OK;
}

/* Numbers of an element's questions become the place of its first one. */
static sw_status place_questions(group *g)
{
    for (member *m = g->of; m < g->of + g->n; m++) {
        const int64_t own = m->question;
        m->question = g->questions;
        g->questions += own;
    }
    const int64_t q = g->questions > 0 ? g->questions : 1;
    SW_TRY(SW_ALLOCATE(g->asked, q, "contacts"));
    SW_TRY(SW_ALLOCATE(g->normal, q, "contacts"));
    return SW_ALLOCATE(g->answer, q, "contacts");
}

/* Contacts' strengths into their histories, their means into particles', for contacts to come. How much stronger a
 * particle will be halfway to the next refresh, when it goes on to harden as it has since the last one: without that
 * contacts are as far behind on average, and pressures some per cent too low. */
static sw_status take_answers(group *g, member *m)
{
    sw_dem_rve *rve = m->rve;
    const double n = rve->material[0].rate_sensitivity, rate = pow(SW_DEM_ASKED_RATE, 1 + n);
    const double *answer = g->answer + m->question;
    const int32_t *contacts = g->contacts + m->first;
    double *halfway = g->before + m->first;
    sw_dem_history h;
    for (int64_t i = 0; i < rve->n_particles; i++) {
        const double now = sw_dem_mean_resistance(m->poly, i);
        halfway[i] = 1.5 - 0.5 * m->poly->resistance[i] / now;
        m->poly->resistance[i] = now;
        rve->strength[i] = 0;
    }
    for (int64_t p = 0; p < rve->state->n_pairs; p++) {
        sw_dem_load_history(1, rve, p, &h);
        h.law[SW_DEM_METAL_STRENGTH] = h.law[SW_DEM_METAL_WORK] = 0;
        if (rve->touching[p] != 0) {
            const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
            const double of_a = answer[0] / rate * halfway[a], of_b = answer[1] / rate * halfway[b];
            sw_dem_metal_strengthen(of_a, of_b, n, h.law);
            rve->strength[a] += of_a / contacts[a];
            rve->strength[b] += of_b / contacts[b];
            answer += 2;
        }
        sw_dem_store_history(1, rve, p, &h);
    }
    for (int64_t i = 0; i < rve->n_particles; i++)
        if (contacts[i] == 0) {
            rve->strength[i] = halfway[i] * (answer[0] / rate + answer[1] / rate + answer[2] / rate) / 3;
            answer += 3;
        }
    return SW_OK;
}

static sw_status strengthen(group *g)
{
    SW_TRY(each_element(g, count_contacts));
    SW_TRY(place_questions(g));
    SW_TRY(each_element(g, list_questions));
    SW_TRY(sw_dem_ask(&g->room->asking, g->response, g->each, &g->crystals, g->questions, g->asked,
                      (const double(*)[3])g->normal, g->answer));
    return each_element(g, take_answers);
}

/* ---- Refresh ---- */

/* From here on motion counts anew; the list is made again, since its own account ends here, too. */
static sw_status count_anew(group *g, member *m)
{
    sw_dem_rve *rve = m->rve;
    const sw_dem_polycrystals *poly = m->poly;
    sw_dem_state *state = rve->state;
    const size_t n = (size_t)rve->n_particles;
    (void)g;
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
        state->crystal_resistance += poly->resistance[i] / (double)n;
    }
    if (state->status == SW_DEM_NEEDS_CRYSTALS)
        state->status = SW_DEM_RUNNING;
    return SW_OK;
}

static sw_status refresh(group *g)
{
    SW_TRY(allocate(g));
    SW_TRY(each_element(g, find_motion));
    SW_TRY(put_crystals(g));
    SW_TRY(follow(g));
    SW_TRY(get_crystals(g));
    SW_TRY(strengthen(g));
    return each_element(g, count_anew);
}

static sw_status refresh_group(int64_t n, member *of, sw_dem_workspace *room)
{
    if (room->response != of->poly->response) /* another's memory may be elsewhere */
        sw_dem_workspace_free(room);
    room->response = of->poly->response;
    group g = {.n = n, .of = of, .response = of->poly->response, .each = of->poly->each, .room = room};
    for (member *m = of; m < of + n; m++) {
        m->first = g.particles;
        g.particles += m->rve->n_particles;
    }
    const sw_status status = refresh(&g);
    release(&g);
    return status;
}

sw_status sw_dem_refresh_all(int64_t n, const int64_t *element, sw_dem_rve *rve, sw_dem_polycrystals *poly,
                             sw_dem_workspace *room)
{
    member *all;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(all, n, "elements"));
    for (int64_t k = 0; k < n; k++)
        all[k] =
            (member){.rve = &rve[element[k]], .poly = &poly[element[k]], .dt = time_since(&rve[element[k]])};
    for (int64_t k = 0, some; k < n && status == SW_OK; k += some) {
        some = count_together(n, all, k);
        status = refresh_group(some, all + k, room);
    }
    free(all);
    return status;
}

sw_status sw_dem_refresh(sw_dem_rve *rve, sw_dem_polycrystals *poly)
{
    sw_dem_workspace room = {0};
    const int64_t only = 0;
    const sw_status status = sw_dem_refresh_all(1, &only, rve, poly, &room);
    sw_dem_workspace_free(&room);
    return status;
}
