/* The equations without a matrix: products with the tangent (online/fem/products/), of the same unknowns, tied alike. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/system/progress.h"
#include "online/gpu/gpu.h"

/* ---- Choice ---- */

static sw_status check_processes(const sw_structure_options *options)
{
    const int n = sw_parallel_size();
    if (n > 1 && options->device == SW_FEM_DEVICE_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE, "device cuda: a deck with %d processes is the CPU's", n);
    if (n > 1 && options->preconditioner == SW_STRUCTURE_BLOCK_JACOBI)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "preconditioner block_jacobi: not of a deck with %d processes: need amg", n);
    return SW_OK;
}

sw_status sw_structure_check_linear(const sw_structure_options *options)
{
    if (options->linear == SW_FEM_SOLVE_MIXED)
        return sw_error(SW_ERR_INPUT,
                        "linear mixed: not of a deck: need auto, cg, bicgstab, gmres or direct");
    SW_TRY(check_processes(options));
    if (options->linear == SW_FEM_SOLVE_DIRECT && options->device == SW_FEM_DEVICE_CUDA)
        return sw_error(SW_ERR_INPUT, "linear direct: sparse factors are the CPU's: need device auto or cpu");
    if (options->linear == SW_FEM_SOLVE_DIRECT && !sw_structure_has_factors())
        return sw_error(SW_ERR_UNAVAILABLE,
                        "linear direct: this build has no SuiteSparse (libsuitesparse-dev): need auto or cg");
    return options->device == SW_FEM_DEVICE_CUDA ? sw_gpu_use(NULL) : SW_OK;
}

/* Free unknowns up to which factors are quicker (bench/LOG.md): of solids; of shells and beams, whose edges are tied; of
 * plane bodies, where factors hardly fill; and where block-Jacobi takes many iterations, which a GPU has alone unless told. */
enum { FEW = 5000, FEW_OF_THIN = 300000, FEW_IN_PLANE = 1000000 };
enum { FEW_WITHOUT_MATRIX = 30000, FEW_WITHOUT_MATRIX_AT_FINITE_STRAINS = 300000 };
enum { FEW_IN_CONTACT = 50000 }; /* bodies that are flat, as many decks have them, and stiff pairs of faces */
enum { FEW_FOR_A_GPU = 30000 };  /* it takes longer to start than these are worth */
enum { MOST = 200000 };          /* iterations */

/* After which auto takes factors all the same. Those of n unknowns take a core some 5e-10 n^2 s, an iteration without a matrix
 * some 4e-8 n, one with multigrid some 2e-7 n. */
#define EACH_FACTORS 5e-10
#define EACH_MULTIGRID 2e-7
static int64_t enough(const sw_structure *s)
{
    const int64_t n = s->ties.n_free;
    return s->by_multigrid ? (n > 120000 ? n / 400 : 300) : n > 100000 ? n / 50 : 2000;
}

/* Made of shells or beams. */
static int is_thin(const sw_structure *s)
{
    int thin = 0;
    for (int64_t e = 0; e < s->problem->n_elements && !thin; e++)
        thin = s->problem->element[e].of != e;
    return thin;
}

static int finds_gpu(const sw_structure *s)
{
    if (sw_parallel_size() > 1)
        return 0;
    return s->options.device == SW_FEM_DEVICE_CUDA ||
           (s->options.device == SW_FEM_DEVICE_AUTO && s->ties.n_free > FEW_FOR_A_GPU &&
            sw_gpu_describe(NULL, 0) > 0);
}

/* A GPU goes without a matrix unless it is told to; surfaces that touch are in the matrix. */
static int goes_by_multigrid(const sw_structure *s)
{
    return s->options.preconditioner == SW_STRUCTURE_AMG || s->contacts != NULL ||
           (s->options.preconditioner == SW_STRUCTURE_ANY_PRECONDITIONER && !s->on_gpu);
}

static int factors_are_quicker(const sw_structure *s)
{
    const int64_t few = sw_structure_dimension(s) < 3 ? FEW_IN_PLANE
                        : is_thin(s)                  ? FEW_OF_THIN
                        : s->contacts != NULL         ? FEW_IN_CONTACT
                        : goes_by_multigrid(s)        ? FEW
                        : s->step->finite             ? FEW_WITHOUT_MATRIX_AT_FINITE_STRAINS
                                                      : FEW_WITHOUT_MATRIX;
    const int rubs = s->contacts != NULL && sw_surfaces_rub(s->contacts->surfaces); /* quick by iterations */
    const int skew = !s->symmetric || (s->skew && !rubs);
    return s->ties.n_free <= few || skew;
}

int sw_structure_may_change_to_factors(const sw_structure *s)
{
    return s->options.linear == SW_FEM_SOLVE_AUTO && s->options.device != SW_FEM_DEVICE_CUDA &&
           sw_structure_has_factors();
}

/* ---- Bodies that can hardly be compressed ---- */

/* Bulk over shear modulus when nothing has happened yet; 0: not isotropic, or not known. */
static double bulk_over_shear(const sw_matter *matter, double temperature)
{
    const sw_matter_ask ask = {.temperature = temperature};
    double stress[6], d[6][6];
    if (matter->hyper.n_rows > 0) {
        if (sw_matter_hyper.respond(matter, &ask, NULL, NULL, stress, d) != SW_OK)
            return 0;
    } else if (matter->elastic.n_rows > 0 && matter->elasticity == SW_MATTER_ISOTROPIC)
        sw_matter_stiffness(matter, temperature, d);
    else
        return 0;
    return d[0][1] / d[3][3] + 2.0 / 3;
}

static double most_bulk_over_shear(const sw_structure *s)
{
    const sw_structure_problem *p = s->problem;
    double most = 0;
    int64_t last = -1; /* section looked at */
    for (int64_t e = 0; e < p->n_elements; e++) {
        const sw_structure_element *of = &p->element[e];
        if (s->removed[e] || s->section[e] == last || of->formulation->kinematics != SW_FEM_SOLID)
            continue;
        last = s->section[e];
        most = fmax(most,
                    bulk_over_shear(&p->matter[p->section[last].matter], p->temperature[p->node[of->first]]));
    }
    return most;
}

/* Conjugate gradients with multigrid take some 6.2 times the root of that ratio for ten digits: 45, 140, 438 at Poisson's ratios
 * of 0.49, 0.499, 0.4999 (bench/LOG.md; of quadratic elements more). */
static double expected(const sw_structure *s, double ratio)
{
    return 6.2 * sqrt(ratio) * (s->linear ? 1 : 0.6);
}

/* So many take longer than factors. */
static int factors_beat_multigrid(const sw_structure *s, double ratio)
{
    return ratio > 0 && expected(s, ratio) * EACH_MULTIGRID > EACH_FACTORS * (double)s->ties.n_free;
}

/* ---- Which way ---- */

static int goes_by_factors(const sw_structure *s)
{
    if (s->options.linear != SW_FEM_SOLVE_AUTO)
        return s->options.linear == SW_FEM_SOLVE_DIRECT;
    return sw_structure_may_change_to_factors(s) &&
           (s->prefers_factors || factors_are_quicker(s) ||
            (goes_by_multigrid(s) && factors_beat_multigrid(s, s->bulk_over_shear)));
}

/* ---- Open ---- */

int sw_structure_by_points(const sw_structure *s, int64_t e)
{
    const sw_structure_problem *p = s->problem;
    return e < p->n_elements && !s->step->finite && sw_products_by_points(p->element[e].formulation) &&
           sw_matter_symmetric(&p->matter[p->section[s->section[e]].matter]);
}

static const sw_formulation *formulation_of(const void *of, int64_t e)
{
    const sw_structure *s = of;
    return sw_structure_by_points(s, e) ? s->problem->element[e].formulation : NULL;
}

static int unknowns_of(const void *of, int64_t e, int64_t unknown[SW_FORMULATION_UNKNOWNS])
{
    return sw_structure_unknowns_of(((const sw_structure *)of)->problem, e, unknown);
}

static sw_status open_products(sw_structure *s)
{
    const sw_structure_problem *p = s->problem;
    const sw_products_body body = {.of = s,
                                   .n_nodes = p->n_nodes,
                                   .n_items = p->n_elements + p->n_springs,
                                   .position = (const double(*)[3])p->position,
                                   .unknowns = unknowns_of,
                                   .formulation = formulation_of};
    const sw_fem_device device = s->on_gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU;
    return sw_products_open(&body, device, SW_FEM_ATOMICS, &s->products);
}

/* Once, and where it changes. */
static void tell(sw_structure *s)
{
    char by[200] = "sparse factors";
    if (sw_structure_may_change_to_factors(s) && s->products == NULL && !s->by_multigrid &&
        !s->prefers_factors && !factors_are_quicker(s))
        snprintf(by, sizeof by,
                 "sparse factors, for the bulk modulus is %.3g times the shear modulus: some %.0f iterations "
                 "otherwise",
                 s->bulk_over_shear, expected(s, s->bulk_over_shear));
    if (s->by_multigrid)
        snprintf(by, sizeof by, "iterations with algebraic multigrid on the %s", s->on_gpu ? "GPU" : "CPU");
    else if (s->products != NULL)
        snprintf(by, sizeof by, "iterations without a matrix on %s", sw_products_device(s->products));
    const int way = s->by_multigrid ? 1 : s->products != NULL ? 2 : 3;
    if (!s->options.quiet && s->told != way)
        sw_note("%s: %lld unknowns: %s", s->problem->path, (long long)s->ties.n_free, by);
    s->told = way;
}

sw_status sw_structure_open_equations(sw_structure *s)
{
    sw_phase("equations");
    sw_structure_system_close(&s->system);
    sw_products_close(s->products);
    sw_structure_multigrid_close(s->multigrid);
    s->products = NULL;
    s->multigrid = NULL;
    s->on_gpu = finds_gpu(s);
    s->bulk_over_shear = most_bulk_over_shear(s);
    s->by_multigrid = !goes_by_factors(s) && goes_by_multigrid(s);
    SW_TRY(goes_by_factors(s) || s->by_multigrid ? sw_structure_system_open(s) : open_products(s));
    sw_phase("Newton");
    tell(s);
    return SW_OK;
}

sw_status sw_structure_widen_equations(sw_structure *s)
{
    sw_phase("equations");
    SW_TRY(sw_structure_system_open(s));
    const sw_status status = s->multigrid != NULL ? sw_structure_multigrid_widen(s) : SW_OK;
    sw_phase("contact");
    return status;
}

/* ---- Products ---- */

sw_status sw_structure_know_products(sw_structure *s)
{
    SW_TRY(sw_products_ready(s->products));
    for (int64_t i = 0; i < s->ties.n_unknowns; i++)
        if (s->ties.g[i] != 0)
            return sw_products_multiply(s->products, s->ties.g, s->known);
    return SW_OK;
}

typedef struct {
    uint8_t *held;
    int32_t *dependent, *free;
    int64_t *first;
    double *coefficient, *right, *x;
    sw_products_ties ties;
} equations;

static void forget(equations *of)
{
    free(of->held);
    free(of->dependent);
    free(of->free);
    free(of->first);
    free(of->coefficient);
    free(of->right);
    free(of->x);
}

static sw_status allocate(const sw_structure_ties *t, equations *of)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < t->n_rows; k++)
        entries += t->row[k].n;
    SW_TRY(SW_ALLOCATE(of->held, t->n_unknowns, "unknowns"));
    SW_TRY(SW_ALLOCATE(of->right, t->n_unknowns, "unknowns"));
    SW_TRY(SW_ALLOCATE(of->x, t->n_unknowns, "unknowns"));
    SW_TRY(SW_ALLOCATE(of->dependent, t->n_rows, "constraints"));
    SW_TRY(SW_ALLOCATE(of->first, t->n_rows + 1, "constraints"));
    SW_TRY(SW_ALLOCATE(of->free, entries, "constraints"));
    return SW_ALLOCATE(of->coefficient, entries, "constraints");
}

/* The constraints' rows of free unknowns, and the right side at those. */
static void fill(const sw_structure_ties *t, const sw_structure_pins *held, const double *right,
                 equations *of)
{
    int64_t n = 0, at = 0;
    for (int64_t i = 0; i < t->n_unknowns; i++) {
        of->held[i] = t->number[i] < 0;
        for (int k = 0; k < held->n && t->number[i] >= 0; k++)
            of->held[i] |= held->pin[k] == t->number[i];
        of->right[i] = of->held[i] ? 0 : right[t->number[i]];
    }
    for (int64_t k = 0; k < t->n_rows; k++) {
        const sw_structure_row *row = &t->row[k];
        if (t->pivot[k] < 0)
            continue;
        for (int i = 0; i < row->n; i++)
            if (row->unknown[i] < t->n_unknowns && !of->held[row->unknown[i]]) {
                of->free[at] = (int32_t)row->unknown[i];
                of->coefficient[at++] = row->coefficient[i];
            }
        of->dependent[n] = (int32_t)t->pivot[k];
        of->first[++n] = at;
    }
    of->ties = (sw_products_ties){.held = of->held,
                                  .n_rows = n,
                                  .dependent = of->dependent,
                                  .free = of->free,
                                  .first = of->first,
                                  .coefficient = of->coefficient};
}

/* What is linear is done with one solution. Block-Jacobi leaves what is soft of a residual that is small: Newton's steps need
 * digits that they do not by multigrid. */
#define LINEAR 1e-10
#define NEWTON 1e-6

static sw_status iterate(sw_structure *s, const sw_structure_pins *held, const double *right, double *dq)
{
    const sw_structure_ties *t = &s->ties;
    equations of = {0};
    int taken = 0;
    sw_status status = allocate(t, &of);
    if (status == SW_OK) {
        fill(t, held, right, &of);
        sw_products_limit(s->products, sw_structure_may_change_to_factors(s) ? enough(s) : MOST);
        sw_phase("iterations");
        status = sw_products_solve(s->products, &of.ties, s->options.linear, s->symmetric && !s->skew,
                                   s->linear ? LINEAR : NEWTON, of.right, of.x, &taken);
        sw_phase("Newton");
    }
    s->products_taken += taken;
    for (int64_t i = 0; i < t->n_unknowns && status == SW_OK; i++)
        if (t->number[i] >= 0)
            dq[t->number[i]] = of.x[i];
    forget(&of);
    return status;
}

static sw_status solve_matrix(sw_structure *s, double tolerance, const double *right, double *dq)
{
    if (!s->by_multigrid) {
        sw_phase("factors");
        const sw_status status = sw_structure_system_solve(s, right, dq);
        sw_phase("Newton");
        return status;
    }
    SW_TRY(sw_structure_hold_idle(&s->system.matrix, right));
    return sw_structure_multigrid_solve(s, sw_structure_may_change_to_factors(s) ? enough(s) : MOST,
                                        tolerance, right, dq);
}

/* What is free is held at as many unknowns, which nothing pulls then: their stiffness changes no more than where the body is. */
static sw_status solve_held(sw_structure *s, const sw_structure_pins *held, double tolerance,
                            const double *right, double *dq)
{
    double own[SW_STRUCTURE_LOOSE];
    if (s->products != NULL)
        return iterate(s, held, right, dq);
    for (int k = 0; k < held->n; k++) {
        double *diagonal = sw_structure_diagonal(&s->system.matrix, held->pin[k]);
        own[k] = *diagonal;
        *diagonal *= 2;
    }
    const sw_status status = solve_matrix(s, tolerance, right, dq);
    for (int k = 0; k < held->n; k++)
        *sw_structure_diagonal(&s->system.matrix, held->pin[k]) = own[k];
    return status;
}

#define UNFELT 0.01 /* squares of strains at points over those near corners, of what loads do */

/* Of what is not resisted iterations find what the loads drive: by the step's first solution. */
static void look(sw_structure *s, const double *dq)
{
    const int step = (int)(s->step - s->problem->step) + 1;
    if (s->felt == step)
        return;
    s->felt = step;
    sw_structure_ties_spread(&s->ties, dq, 0, s->du);
    if (sw_structure_feel(s, s->du, UNFELT) == SW_STRUCTURE_UNFELT)
        sw_structure_tell_unresisted(s, SW_STRUCTURE_UNFELT);
}

sw_status sw_structure_solve(sw_structure *s, double tolerance, const double *right, double *dq)
{
    const double to = s->linear ? LINEAR : tolerance; /* of multigrid */
    sw_structure_pins held;
    if (s->ties.n_free == 0)
        return SW_OK;
    sw_status status = sw_structure_hold(s, right, &held);
    if (status == SW_OK)
        status = solve_held(s, &held, to, held.n > 0 ? held.right : right, dq);
    if (status == SW_OK)
        sw_structure_centre(s, &held, s->du, dq);
    if (status == SW_OK && (s->products != NULL || s->by_multigrid))
        look(s, dq);
    sw_structure_pins_free(&held);
    return status;
}

/* ---- Without the motions that nothing holds: of loose.c, those that the tangent at hand does not resist ---- */

#define RESISTED 1e-8 /* force of the tangent along a motion, over that of each unknown's own stiffness */

static double dot(int64_t n, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void take_out(int64_t n, const double *unit, double *x)
{
    const double part = dot(n, unit, x);
    for (int64_t i = 0; i < n; i++)
        x[i] -= part * unit[i];
}

/* x [n] of length 1, at right angles to those in all [k][n]. */
static void straighten(int64_t n, int k, const double *all, double *x)
{
    for (int twice = 0; twice < 2; twice++)
        for (int j = 0; j < k; j++)
            take_out(n, all + j * n, x);
    const double length = sqrt(dot(n, x, x));
    for (int64_t i = 0; i < n; i++)
        x[i] /= length > 0 ? length : 1;
}

static void at_free(const sw_structure_ties *t, const double *u, double *q)
{
    for (int64_t i = 0; i < t->n_unknowns; i++)
        if (t->number[i] >= 0)
            q[t->number[i]] = u[i];
}

/* Whether the tangent at hand resists along [U], a [q] of free unknowns. */
static int matrix_resists(const sw_fem_sparse *m, const double *a)
{
    double far = 0;
    int resists = 0;
    for (int64_t q = 0; q < m->n; q++)
        far = fmax(far, fabs(a[q]));
    for (int64_t q = 0; q < m->n; q++) {
        double force = 0, own = 0;
        for (int64_t i = m->row[q]; i < m->row[q + 1]; i++) {
            force += m->value[i] * a[m->column[i]];
            own = fmax(own, fabs(m->value[i]));
        }
        resists |= fabs(force) > RESISTED * own * far;
    }
    return resists;
}

/* Without a matrix: beside what it does to the same motion with the signs of every other unknown turned. */
static sw_status resists(sw_structure *s, const double *along, const double *a, double *scratch, int *does)
{
    const int64_t U = s->ties.n_unknowns;
    double most[2] = {0, 0}, *turned = scratch, *force = scratch + U, *at = force + U;
    if (s->products == NULL) {
        *does = matrix_resists(&s->system.matrix, a);
        return SW_OK;
    }
    for (int side = 0; side < 2; side++) {
        for (int64_t u = 0; u < U; u++)
            turned[u] = side && u % 2 ? -along[u] : along[u];
        SW_TRY(sw_products_multiply(s->products, turned, force));
        sw_structure_ties_gather(&s->ties, force, at);
        for (int64_t q = 0; q < s->ties.n_free; q++)
            most[side] = fmax(most[side], fabs(at[q]));
    }
    *does = most[0] > RESISTED * most[1];
    return SW_OK;
}

/* Of motions unit [n][q] as many unknowns that, held, leave none of them; work [n][q]. */
static void choose_pins(sw_structure_pins *held, int64_t q, double *work)
{
    memcpy(work, held->unit, (size_t)(held->n * q) * sizeof *work);
    for (int k = 0; k < held->n; k++) {
        const double *of = work + k * q;
        int64_t best = 0;
        for (int64_t i = 0; i < q; i++)
            best = fabs(of[i]) > fabs(of[best]) ? i : best;
        held->pin[k] = best;
        for (int j = k + 1; j < held->n; j++) {
            const double part = work[j * q + best] / of[best];
            for (int64_t i = 0; i < q; i++)
                work[j * q + i] -= part * of[i];
        }
    }
}

static sw_status find_held(sw_structure *s, const struct sw_structure_loose *of, double *scratch,
                           sw_structure_pins *held)
{
    const int64_t U = s->ties.n_unknowns, q = s->ties.n_free;
    for (int k = 0; k < of->n; k++) {
        double *along = held->along + held->n * U, *unit = held->unit + held->n * q;
        int does;
        memcpy(along, of->motion[k].along, (size_t)U * sizeof *along);
        at_free(&s->ties, along, unit);
        SW_TRY(resists(s, along, unit, scratch, &does));
        /* the symmetric part of following pressures' tangent resists, they do not */
        const int turns = sw_structure_may_end(s, of->motion[k].turns),
                  driven = turns && sw_structure_is_driven(s, along, 1),
                  resisted = does && !(sw_structure_has_following(s) && s->problem->n_springs == 0);
        if (resisted || driven || dot(q, unit, unit) <= 0)
            continue;
        straighten(U, held->n, held->along, along);
        straighten(q, held->n, held->unit, unit);
        held->n++;
    }
    return SW_OK;
}

/* Turns at finite strains are about where the body is by now. */
static sw_status hold(sw_structure *s, const struct sw_structure_loose *of, const double *right,
                      sw_structure_pins *held)
{
    const int64_t U = s->ties.n_unknowns, q = s->ties.n_free, n = of->n;
    double *scratch = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(held->along, n * U, "rigid motions"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(held->unit, n * q, "rigid motions"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(held->right, q, "rigid motions"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(scratch, 3 * U + n * q, "rigid motions"), end);
    SW_TRY_GOTO(status, find_held(s, of, scratch, held), end);
    choose_pins(held, q, scratch);
    memcpy(held->right, right, (size_t)q * sizeof *right);
    for (int k = 0; k < held->n; k++)
        take_out(q, held->unit + k * q, held->right);
end:
    free(scratch);
    return status;
}

sw_status sw_structure_hold(sw_structure *s, const double *right, sw_structure_pins *held)
{
    struct sw_structure_loose *now;
    *held = (sw_structure_pins){0};
    if (s->loose.n == 0 || s->contacts != NULL)
        return SW_OK;
    if (!s->step->finite)
        return hold(s, &s->loose, right, held);
    SW_TRY(SW_ALLOCATE(now, 1, "rigid motions"));
    sw_status status = sw_structure_look_loose(s, now);
    if (status == SW_OK && now->n > 0)
        status = hold(s, now, right, held);
    sw_structure_loose_free(now);
    free(now);
    return status;
}

void sw_structure_centre(const sw_structure *s, const sw_structure_pins *held, double *du, double *dq)
{
    const int64_t U = s->ties.n_unknowns;
    if (held->n == 0)
        return;
    sw_structure_ties_spread(&s->ties, dq, 0, du);
    for (int k = 0; k < held->n; k++)
        take_out(U, held->along + k * U, du);
    at_free(&s->ties, du, dq);
}

void sw_structure_pins_free(sw_structure_pins *held)
{
    free(held->along);
    free(held->unit);
    free(held->right);
}
