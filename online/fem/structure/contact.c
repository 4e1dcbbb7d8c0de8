/* Surfaces that touch, as they act on the unknowns: pairs of faces and corners are items of the equations, after elements and
 * springs. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/progress.h"
#include "common/system/threads.h"

enum { PAIR_NS = 50000, BLOCK = 64 };
enum { LOOKED_AT = 1, LACKS = 2, STRAYED = 4, UNFELT = 8, SHORT = 16 }; /* what is told of a contact */
#define TOO_MUCH 0.02                                                   /* of the work that deforms bodies */
#define MOST 0.5                                                        /* likewise */
#define NOTHING 0.01                                                    /* of what has moved */
#define ASTRAY 0.25                                                     /* of a face: of feet that stay */

typedef struct {
    int n;
    int64_t unknown[SW_STRUCTURE_UNKNOWNS];
    double force[SW_SURFACES_UNKNOWNS], stiffness[SW_SURFACES_UNKNOWNS * SW_SURFACES_UNKNOWNS];
    double left[SW_STRUCTURE_UNKNOWNS], right[SW_STRUCTURE_UNKNOWNS]; /* of a corner, which has no forces */
} answer;

/* ---- An increment ---- */

/* Faces of elements that are not there. */
static void hide_faces(sw_structure *s)
{
    for (int k = 0; s->contacts != NULL && k < s->problem->n_contacts; k++)
        for (int side = 0; side < 2; side++)
            for (int64_t f = 0; f < s->problem->contact[k].n_faces[side]; f++)
                s->contacts->pair[k].face[side][f].off = s->removed[s->problem->contact[k].element[side][f]];
}

void sw_structure_contacts_change(sw_structure *s)
{
    hide_faces(s);
    for (int64_t i = 0; i < s->step->n_contact_changes; i++) {
        const sw_structure_contact_change *change = &s->step->contact_change[i];
        sw_surface_pair *pair = &s->contacts->pair[change->contact];
        if (change->off >= 0)
            pair->off = change->off;
        if (change->has_law)
            pair->law = change->law;
    }
}

static void warn_of(const sw_structure *s, int k, const char *what)
{
    const sw_structure_contact *c = &s->problem->contact[k];
    sw_warn("%s:%lld: surfaces %.80s and %.80s %s", s->problem->path, (long long)c->line, c->name[0],
            c->name[1], what);
}

/* The pair of the same surfaces the other way round; -1: there is none. */
static int reverse_of(const sw_structure *s, int k)
{
    const sw_structure_contact *of = s->problem->contact;
    for (int j = 0; j < s->contacts->n; j++)
        if (j != k && strcmp(of[j].name[0], of[k].name[1]) == 0 && strcmp(of[j].name[1], of[k].name[0]) == 0)
            return j;
    return -1;
}

static void tell_both_ways(const sw_structure *s, int k)
{
    char text[200];
    const int back = reverse_of(s, k);
    if (back < 0 || back > k)
        return;
    snprintf(
        text, sizeof text,
        "are a pair both ways, also in line %lld: each way bears a part of the pressure, which fields and "
        "largest pressures are of; forces are of both",
        (long long)s->problem->contact[back].line);
    warn_of(s, k, text);
}

/* Where the first increment of a contact begins, feet have been found. */
static void tell_lacks(sw_structure *s)
{
    static const char *const lack[] = {
        [SW_SURFACES_AVERTED] =
            "cannot touch as they begin: their faces face the same way, or past each other: "
            "S1, S2, ... are the sides that touch",
        [SW_SURFACES_TOO_DEEP] = "do not touch as they begin: the first is inside the second by more than a "
                                 "face is long",
        [SW_SURFACES_BESIDE] = "do not touch: they begin beside or too far from each other, and are taken as "
                               "they begin without NLGEOM, with SMALL SLIDING or TIED"};
    for (int k = 0; k < s->contacts->n; k++) {
        uint8_t *told = &s->contacts->told[k];
        if (s->contacts->pair[k].off || (*told & LOOKED_AT))
            continue;
        *told |= LOOKED_AT;
        tell_both_ways(s, k);
        const sw_surface_lack is = sw_surfaces_lack(s->contacts->surfaces, k, s->u);
        if (is == SW_SURFACES_MAY_TOUCH)
            continue;
        *told |= LACKS;
        warn_of(s, k, lack[is]);
    }
}

static void tell_strayed(const sw_structure *s, int k)
{
    if ((s->contacts->told[k] & STRAYED) ||
        !(sw_surfaces_strayed(s->contacts->surfaces, k, s->trial) > ASTRAY))
        return;
    s->contacts->told[k] |= STRAYED;
    warn_of(s, k,
            "have slid by more than a quarter of a face, but press where they began: need NLGEOM, without "
            "SMALL SLIDING and *CLEARANCE");
}

sw_status sw_structure_contacts_begin(sw_structure *s)
{
    int anew = 0;
    if (s->contacts == NULL)
        return SW_OK;
    SW_TRY(sw_surfaces_begin(s->contacts->surfaces, s->u, s->step->finite, &anew));
    if (!anew)
        return SW_OK;
    sw_structure_system_close(&s->system); /* which has places of pairs that are none any more */
    SW_TRY(sw_surfaces_find(s->contacts->surfaces, s->u, &anew));
    tell_lacks(s);
    return SW_OK;
}

sw_status sw_structure_contacts_settle(sw_structure *s, int *anew)
{
    *anew = 0;
    if (s->contacts == NULL)
        return SW_OK;
    SW_TRY(sw_surfaces_settle(s->contacts->surfaces, s->trial, anew));
    if (*anew)
        sw_structure_system_close(&s->system);
    return SW_OK;
}

void sw_structure_contacts_augment(sw_structure *s, int *more)
{
    *more = 0;
    if (s->contacts != NULL)
        sw_surfaces_augment(s->contacts->surfaces, s->trial, more);
}

void sw_structure_contacts_tell_short(sw_structure *s)
{
    for (int k = 0; k < s->contacts->n; k++) {
        const double ratio = sw_surfaces_too_deep(s->contacts->surfaces, k, s->trial);
        char text[200];
        if (!(ratio > 1) || (s->contacts->told[k] & SHORT))
            continue;
        s->contacts->told[k] |= SHORT;
        snprintf(
            text, sizeof text,
            "are softer for some increments, and pressures are still short: they pass into each other by "
            "%.3g times what is allowed at time %g of step %d",
            ratio, s->moment.time, s->place.step + 1);
        warn_of(s, k, text);
    }
}

int sw_structure_contacts_soften(sw_structure *s, int all)
{
    const int some = s->contacts != NULL && sw_surfaces_soften(s->contacts->surfaces, all);
    if (some && !s->options.quiet)
        sw_note("%s: hard contact of %s is softer for some increments, and pressures are added to",
                s->problem->path, all ? "all surfaces" : "flat faces");
    return some;
}

void sw_structure_contacts_harden(sw_structure *s, int soon)
{
    if (s->contacts != NULL)
        sw_surfaces_harden(s->contacts->surfaces, soon);
}

sw_status sw_structure_contacts_find(sw_structure *s)
{
    int more = 0;
    if (s->contacts == NULL)
        return SW_OK;
    SW_TRY(sw_surfaces_find(s->contacts->surfaces, s->trial, &more));
    return s->system.matrix.row == NULL ? sw_structure_open_equations(s)
           : more                       ? sw_structure_widen_equations(s)
                                        : SW_OK;
}

static void ask(const sw_structure *s, int64_t k, int assemble, answer *a)
{
    a->n = sw_structure_item_unknowns(s, s->problem->n_elements + s->problem->n_springs + k, a->unknown);
    sw_surfaces_ask(s->contacts->surfaces, k, s->trial, a->force, assemble ? a->stiffness : NULL);
    for (int i = 0; i < a->n && assemble && s->symmetric && !s->skew; i++)
        for (int j = 0; j < i; j++)
            a->stiffness[i * a->n + j] = a->stiffness[j * a->n + i] =
                0.5 * (a->stiffness[i * a->n + j] + a->stiffness[j * a->n + i]);
}

static void add_forces(sw_structure *s, const answer *a, int assemble, double *square)
{
    for (int i = 0; i < a->n; i++) {
        if (a->unknown[i] < 0)
            continue;
        s->internal[a->unknown[i]] += a->force[i];
        s->contacts->force[a->unknown[i]] += a->force[i];
        *square += a->force[i] * a->force[i];
        for (int j = 0; j < a->n && assemble; j++)
            if (a->unknown[j] >= 0)
                s->known[a->unknown[i]] += a->stiffness[i * a->n + j] * s->ties.g[a->unknown[j]];
    }
}

/* Of corners there are no forces but those of the matrix. */
static void ask_corner(const sw_structure *s, int64_t k, int64_t item, answer *a)
{
    a->n = sw_structure_item_unknowns(s, item, a->unknown);
    sw_surfaces_ask_corner(s->contacts->surfaces, k, s->trial, a->left, a->right);
}

static void add_known(sw_structure *s, const answer *a)
{
    double sum = 0;
    for (int i = 0; i < a->n; i++)
        sum += a->unknown[i] >= 0 ? a->right[i] * s->ties.g[a->unknown[i]] : 0;
    for (int i = 0; i < a->n && sum != 0; i++)
        if (a->unknown[i] >= 0)
            s->known[a->unknown[i]] += a->left[i] * sum;
}

/* Items from `first` on, in blocks: pairs of faces, or corners. */
static void add_items(sw_structure *s, int64_t first, int64_t n_items, int corners, int assemble,
                      double *square)
{
    answer *const all = s->contacts->answers;
    for (int64_t from = 0; from < n_items; from += BLOCK) {
        const int n = (int)(n_items - from < BLOCK ? n_items - from : BLOCK);
#pragma omp parallel num_threads(sw_threads_for(n, PAIR_NS))
        {
            const sw_structure_team team = {omp_get_thread_num(), omp_get_num_threads()};
#pragma omp for schedule(dynamic, 2)
            for (int i = 0; i < n; i++)
                if (corners)
                    ask_corner(s, from + i, first + from + i, &all[i]);
                else
                    ask(s, from + i, assemble, &all[i]);
            for (int i = 0; i < n && assemble; i++)
                if (corners)
                    sw_structure_system_add_dyad(&s->ties, &s->system, first + from + i, all[i].n,
                                                 all[i].unknown, all[i].left, all[i].right, team);
                else
                    sw_structure_system_add(&s->ties, &s->system, first + from + i, all[i].n, all[i].unknown,
                                            all[i].stiffness, team);
        }
        for (int i = 0; i < n; i++)
            if (corners)
                add_known(s, &all[i]);
            else
                add_forces(s, &all[i], assemble, square);
    }
}

static sw_status room_for_answers(struct sw_structure_contacts *c)
{
    answer *all = c->answers;
    if (all == NULL)
        SW_TRY(SW_ALLOCATE(all, BLOCK, "pairs of faces"));
    c->answers = all;
    return SW_OK;
}

sw_status sw_structure_contacts_add(sw_structure *s, int assemble, double *square)
{
    struct sw_structure_contacts *c = s->contacts;
    if (c == NULL)
        return SW_OK;
    const int64_t before = s->problem->n_elements + s->problem->n_springs,
                  pairs = sw_surfaces_count(c->surfaces);
    SW_TRY(room_for_answers(c));
    memset(c->force, 0, (size_t)s->ties.n_unknowns * sizeof(double));
    add_items(s, before, pairs, 0, assemble, square);
    if (assemble)
        add_items(s, before + pairs, sw_surfaces_corners(c->surfaces), 1, assemble, square);
    return SW_OK;
}

/* Of moments at which nothing prescribed moves and loads have done most of the work: their forces are what they are. */
static int is_loaded_alone(const sw_structure *s, double work)
{
    for (int64_t i = 0; i < s->step->n_fixed; i++) {
        const int64_t u = s->step->fixed[i].unknown;
        if (s->moment.goal[u] != s->begin[u])
            return 0;
    }
    return s->energy[SW_STRUCTURE_EXTERNAL] > MOST * work;
}

/* Springs in a row share work as they share displacement: of prescribed displacements forces are too small by what the layers
 * between take of all work. A stiffness that the deck gives is its own. */
static void look_at_depth(sw_structure *s, const sw_surface_sums *sums)
{
    struct sw_structure_contacts *c = s->contacts;
    struct sw_structure_pressed *is = &c->pressed;
    double work = 0, taken = 0, force = 0;
    int most = -1;
    for (int k = 0; k < c->n; k++) {
        const sw_surface_law *law = &c->pair[k].law;
        if (law->behavior != SW_SURFACE_LINEAR || law->stiffness > 0)
            continue;
        taken += sums[k].energy;
        force += sqrt(sums[k].force[0] * sums[k].force[0] + sums[k].force[1] * sums[k].force[1] +
                      sums[k].force[2] * sums[k].force[2]);
        most = most < 0 || sums[k].energy > sums[most].energy ? k : most;
    }
    for (int i = 0; i < SW_STRUCTURE_CONTACT; i++)
        work += fabs(s->energy[i]);
    work += taken;
    if (!(taken > 0) || is_loaded_alone(s, work))
        return;
    if (force > is->force) {
        is->force = force;
        is->share = taken / work;
    }
    if (!(taken / work > is->worst))
        return;
    is->worst = taken / work;
    is->time = s->moment.time;
    is->pair = most;
    is->penetration = sums[most].penetration;
}

/* Where a corner's mean gap is open, as about a node of a coarse curved slave, points are closed and nothing presses. */
static void tell_unfelt(const sw_structure *s, int k)
{
    char text[200];
    sw_surface_sums sums;
    double moved = 0;
    if (s->contacts->pair[k].off || (s->contacts->told[k] & (UNFELT | LACKS)))
        return;
    sw_surfaces_sum(s->contacts->surfaces, k, s->u, &sums);
    for (int64_t i = 0; i < s->ties.n_unknowns; i++)
        moved = fmax(moved, fabs(s->u[i]));
    if (sums.area > 0 || !(sums.gap < -NOTHING * moved))
        return;
    s->contacts->told[k] |= UNFELT;
    snprintf(
        text, sizeof text,
        "pass into each other by %.3g and press nothing: what touches is too small for the slave's faces: "
        "need smaller ones",
        -sums.gap);
    warn_of(s, k, text);
}

void sw_structure_contacts_end_step(sw_structure *s)
{
    char text[400];
    if (s->contacts == NULL)
        return;
    for (int k = 0; k < s->contacts->n && s->resumed == NULL; k++) /* else feet have not been found */
        tell_unfelt(s, k);
    const struct sw_structure_pressed is = s->contacts->pressed;
    s->contacts->pressed = (struct sw_structure_pressed){0};
    if (!(is.worst > fmax(TOO_MUCH, s->contacts->told_share)))
        return;
    s->contacts->told_share = is.worst;
    snprintf(text, sizeof text,
             "pass into each other by up to %.3g, which takes %.3g %% of all work at time %g of step %d and "
             "%.3g %% where they press most: forces that prescribed displacements bring about may be too "
             "small by as much: need smaller faces, or *SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR with a "
             "larger stiffness",
             is.penetration, 100 * is.worst, is.time, s->place.step + 1, 100 * is.share);
    warn_of(s, (int)is.pair, text);
}

void sw_structure_contacts_accept(sw_structure *s)
{
    struct sw_structure_contacts *c = s->contacts;
    if (c == NULL)
        return;
    memcpy(c->before, c->force, (size_t)s->ties.n_unknowns * sizeof(double));
    sw_surfaces_accept(c->surfaces, s->trial);
    sw_surface_sums sums[c->n];
    for (int k = 0; k < c->n; k++) {
        tell_strayed(s, k);
        sw_surfaces_sum(c->surfaces, k, s->trial, &sums[k]);
        c->touched[k] |= sums[k].area > 0;
    }
    look_at_depth(s, sums);
}

int sw_structure_contacts_rub(const sw_structure *s)
{
    return s->contacts != NULL && sw_surfaces_rub(s->contacts->surfaces);
}

double sw_structure_contacts_work(const sw_structure *s)
{
    const struct sw_structure_contacts *c = s->contacts;
    double sum = 0;
    for (int64_t i = 0; c != NULL && i < s->ties.n_unknowns; i++)
        sum += 0.5 * (c->force[i] + c->before[i]) * (s->trial[i] - s->u[i]);
    return sum;
}

/* ---- Results ---- */

/* What is between the surfaces of a contact that touch nowhere. */
static void describe_apart(const sw_structure_contact *c, double gap, char *text, size_t room)
{
    const int n = snprintf(text, room, "surfaces %.80s and %.80s ", c->name[0], c->name[1]);
    if (isinf(gap))
        snprintf(text + n, room - (size_t)n, "do not face each other");
    else
        snprintf(text + n, room - (size_t)n, "are %.3g apart", gap);
}

void sw_structure_contacts_end(const sw_structure *s)
{
    char text[300];
    for (int k = 0; s->contacts != NULL && k < s->contacts->n; k++) {
        sw_surface_sums sums;
        if (s->contacts->touched[k] || (s->contacts->told[k] & LACKS) || s->contacts->pair[k].off)
            continue;
        sw_surfaces_sum(s->contacts->surfaces, k, s->u, &sums);
        if (s->contacts->pair[k].law.behavior == SW_SURFACE_TIED || !(sums.gap > 0))
            continue;
        describe_apart(&s->problem->contact[k], sums.gap, text, sizeof text);
        sw_warn("%s: a contact that never touched: %s at the end", s->problem->path, text);
    }
}

void sw_structure_tell_apart(sw_structure *s, char *text, size_t room)
{
    int more;
    text[0] = '\0';
    if (s->contacts == NULL || sw_surfaces_find(s->contacts->surfaces, s->u, &more) != SW_OK)
        return;
    for (int k = 0; k < s->contacts->n; k++) {
        const sw_structure_contact *c = &s->problem->contact[k];
        sw_surface_sums sums;
        sw_surfaces_sum(s->contacts->surfaces, k, s->u, &sums);
        if (s->contacts->pair[k].off || s->contacts->pair[k].law.behavior == SW_SURFACE_TIED ||
            sums.area > 0 || !(sums.gap > 0))
            continue;
        snprintf(text, room, "; ");
        describe_apart(c, sums.gap, text + 2, room - 2);
        return;
    }
}

/* What is on a surface by another, where they are a pair the other way round, too, is of both. */
void sw_structure_read_contact(const sw_structure *s, int contact, sw_surface_sums *sums)
{
    const int back = reverse_of(s, contact);
    sw_surface_sums other;
    sw_surfaces_sum(s->contacts->surfaces, contact, s->trial, sums);
    if (back < 0)
        return;
    sw_surfaces_sum(s->contacts->surfaces, back, s->trial, &other);
    for (int i = 0; i < 3; i++) {
        sums->force[i] -= other.force[i];
        sums->moment[i] -= other.moment[i];
    }
}

sw_status sw_structure_read_contact_fields(const sw_structure *s, double (*field)[SW_SURFACE_FIELDS])
{
    uint8_t *set;
    SW_TRY(SW_ALLOCATE(set, s->problem->n_nodes, "nodes of surfaces"));
    const sw_status status = sw_surfaces_fields(s->contacts->surfaces, s->trial, field, set);
    free(set);
    return status;
}

int sw_structure_read_residuals(const sw_structure *s, int most, double *list)
{
    const int n = s->n_residuals < most ? s->n_residuals : most;
    memcpy(list, s->residual_trail, (size_t)n * sizeof *list);
    return n;
}

const char sw_structure_contact_columns[] = "FX FY FZ MX MY MZ AREA PRESSURE PENETRATION SLIP";

void sw_structure_contact_row(const sw_structure *s, int k, double row[SW_STRUCTURE_CONTACT_COLUMNS])
{
    sw_surface_sums sums;
    sw_structure_read_contact(s, k, &sums);
    memcpy(row, sums.force, sizeof sums.force);
    memcpy(row + 3, sums.moment, sizeof sums.moment);
    row[6] = sums.area;
    row[7] = sums.pressure;
    row[8] = sums.penetration;
    row[9] = sums.slip;
}

sw_status sw_structure_contact_fields(const sw_structure *s, double (*field)[SW_SURFACE_FIELDS], uint8_t *set)
{
    return sw_surfaces_fields(s->contacts->surfaces, s->trial, field, set);
}
