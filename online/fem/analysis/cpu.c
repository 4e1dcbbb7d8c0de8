/* The CPU: OpenMP over elements of a colour. Sums are in pieces of fixed size, so that nothing depends on the
 * number of threads. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "choices.h"
#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "online/fem/contact/contact.h"
#include "online/fem/crystal/crystals.h"
#include "online/fem/element/laws/matter_points.h"
#include "online/fem/element/measure.h"
#include "online/fem/mesh/mesh.h"
#include "online/fem/pressure/pressure.h"

typedef struct vector_list {
    struct vector_list *next;
    double *vector;
} vector_list;

typedef struct {
    sw_fem_view view;
    const sw_fem_measure *measure;
    sw_fem_material *elastic; /* [n_materials] that never yield: of the elastic tangent, when not steady */
    uint8_t *material_of;
    double *bulk, *shear, *tangent;
    double *at;                  /* [N][d] deformed positions, when not steady */
    int64_t *colour_first, room; /* room: elements that tangent has place for */
    int32_t *coloured, *plastic, *slot;
    sw_fem_point *points; /* [E Q] accepted state */
    uint8_t *accepted;    /* [E Q] yielded when it was accepted */
    uint8_t *yields;      /* [E] points yielding in the last `internal` */
    double *piece;        /* sums of pieces of vectors */
    vector_list *vectors;
    void *operator_work, *preconditioner_work, *contact_work; /* contact's: NULL without tools */
    void *pressure_work;                                      /* NULL without any that follow */
    double *nodal;                                            /* [N][c][c] of contact and pressures */
    int tangent_known;                                        /* 1: elastic, 2: some other */
    int is_deformed;                                          /* whether tangents are of the trial geometry */
} cpu_work;

static const sw_fem_operator_functions *operator_of(const sw_fem *fem)
{
    return sw_fem_operators[fem->options.operator_].cpu;
}

static const sw_fem_preconditioner_functions *preconditioner_of(const sw_fem *fem)
{
    return sw_fem_preconditioners[fem->options.preconditioner].cpu;
}

/* ---- Vectors ---- */

static sw_status allocate_vector(sw_fem *fem, double **vector)
{
    cpu_work *work = fem->work;
    vector_list *entry;
    SW_TRY(SW_ALLOCATE(entry, 1, "vector"));
    const sw_status status = SW_ALLOCATE(entry->vector, fem->n_unknowns, "vector");
    if (status != SW_OK) {
        free(entry);
        return status;
    }
    entry->next = work->vectors;
    work->vectors = entry;
    *vector = entry->vector;
    sw_fem_count_bytes(fem, fem->n_unknowns * (int64_t)sizeof(double));
    return SW_OK;
}

static sw_status copy_in(sw_fem *fem, const double *host, double *vector)
{
    memcpy(vector, host, (size_t)fem->n_unknowns * sizeof *vector);
    return SW_OK;
}

static sw_status copy_out(sw_fem *fem, const double *vector, double *host)
{
    return copy_in(fem, vector, host);
}

static sw_status combine(sw_fem *fem, double a, const double *x, double b, double *y)
{
    const int64_t n = fem->n_unknowns;
    if (a == 0 && b == 0) {
        memset(y, 0, (size_t)n * sizeof *y);
        return SW_OK;
    }
#pragma omp parallel for simd schedule(static) num_threads(sw_threads_for(n, SW_FEM_UNKNOWN_NS))
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i] + (b == 0 ? 0 : b * y[i]);
    return SW_OK;
}

enum { PIECE = 4096 };

/* Sum over pieces of x y. */
static double piece_dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static double sum_pieces(const double *piece, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += piece[i];
    return sum;
}

static sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    const int64_t n = fem->n_unknowns - fem->n_foreign, n_pieces = (n + PIECE - 1) / PIECE;
    double *piece = ((cpu_work *)fem->work)->piece;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, SW_FEM_UNKNOWN_NS))
    for (int64_t i = 0; i < n_pieces; i++)
        piece[i] = piece_dot(x + i * PIECE, y + i * PIECE, i + 1 < n_pieces ? PIECE : n - i * PIECE);
    *result = sum_pieces(piece, n_pieces);
    return SW_OK;
}

static sw_status free_part(sw_fem *fem, double *x)
{
#pragma omp parallel for simd schedule(static) num_threads(sw_threads_for(fem->n_unknowns, SW_FEM_UNKNOWN_NS))
    for (int64_t i = 0; i < fem->n_unknowns; i++)
        x[i] = fem->fixed[i] ? 0 : x[i];
    return SW_OK;
}

/* The sum is over the first n_counted. */
static double advance_piece(int64_t n, int64_t n_counted, double alpha, const uint8_t *fixed, const double *p,
                            const double *g, double *x, double *r)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] = fixed[i] ? 0 : r[i] - alpha * g[i];
        sum += i < n_counted ? r[i] * r[i] : 0;
    }
    return sum;
}

static sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                         double *square)
{
    const int64_t n = fem->n_unknowns, n_pieces = (n + PIECE - 1) / PIECE;
    double *piece = ((cpu_work *)fem->work)->piece;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, SW_FEM_UNKNOWN_NS))
    for (int64_t i = 0; i < n_pieces; i++) {
        const int64_t at = i * PIECE;
        piece[i] = advance_piece(i + 1 < n_pieces ? PIECE : n - at, n - fem->n_foreign - at, alpha,
                                 fem->fixed + at, p + at, g + at, x + at, r + at);
    }
    *square = sum_pieces(piece, n_pieces);
    return SW_OK;
}

/* ---- Points ---- */

static sw_fem_states states_of(const cpu_work *work)
{
    const int Q = sw_fem_corners(work->view.kinematics);
    return (sw_fem_states){(double *)work->points, work->accepted, 1, SW_FEM_POINT_SIZE,
                           SW_FEM_POINT_SIZE * Q};
}

/* The crystals try the step to displacement u; at the accepted one they rest. */
static sw_status respond(sw_fem *fem, const double *u)
{
    cpu_work *work = fem->work;
    sw_fem_view *view = &work->view;
    sw_fem_gradients_function *const gradients = work->measure->gradients[view->kinematics];
    int64_t wrong = fem->n_elements;
    if (!fem->crystals)
        return SW_OK;
    view->crystals.rests = u == fem->rest;
    view->crystals.dt = fem->crystals->view.dt = fem->dt;
    if (view->crystals.rests)
        return SW_OK;
#pragma omp parallel for schedule(static) reduction(min      \
                                                    : wrong) \
    num_threads(sw_threads_for(fem->n_elements, SW_FEM_STATE_NS))
    for (int64_t e = 0; e < fem->n_elements; e++)
        if (!gradients(view, e, fem->rest, u))
            wrong = e < wrong ? e : wrong;
    if (wrong < fem->n_elements)
        return sw_fem_refuse_element(fem, wrong);
    return sw_fem_crystals_try(fem->crystals);
}

/* What laws of decks are asked by. */
static void ask_matter(const sw_fem *fem, const double *u)
{
    struct sw_fem_matter_points *points = ((cpu_work *)fem->work)->view.matter;
    if (points == NULL)
        return;
    points->before = fem->rest;
    points->dt = fem->dt;
    points->rests = u == fem->rest;
}

static sw_status internal_forces(sw_fem *fem, const double *u, double *force, int64_t *points,
                                 int64_t *elements)
{
    cpu_work *work = fem->work;
    const sw_fem_view *view = &work->view;
    sw_fem_points_function *const function = work->measure->points[work->view.kinematics];
    const sw_fem_material *material = fem->problem->material;
    const sw_fem_states states = states_of(work);
    int64_t n_points = 0, n_elements = 0, wrong = fem->n_elements;
    SW_TRY(respond(fem, u));
    ask_matter(fem, u);
#pragma omp parallel reduction(+ : n_points, n_elements) reduction(min : wrong) \
    num_threads(sw_threads_for(fem->n_elements / view->n_colours, SW_FEM_STATE_NS))
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < fem->n_unknowns; i++)
            force[i] = 0;
        for (int colour = 0; colour < view->n_colours; colour++)
#pragma omp for schedule(static)
            for (int64_t i = view->colour_first[colour]; i < view->colour_first[colour + 1]; i++) {
                const int32_t e = view->coloured[i];
                const int count = function(view, material, &states, e, u, force, 0, -1, NULL);
                wrong = count < 0 && e < wrong ? e : wrong;
                work->yields[e] = (uint8_t)count;
                n_points += count;
                n_elements += count > 0;
            }
    }
    *points = n_points;
    *elements = n_elements;
    return wrong < fem->n_elements ? sw_fem_refuse_element(fem, wrong) : SW_OK;
}

/* Contact of all parts of a body comes when all are well. */
static sw_status all_forces(sw_fem *fem, const double *u, double *force, int64_t *points, int64_t *elements)
{
    void *contact = ((cpu_work *)fem->work)->contact_work;
    const sw_status status = internal_forces(fem, u, force, points, elements);
    if (!contact)
        return status;
    SW_TRY(sw_parallel_agree(status));
    return sw_fem_contact_cpu.forces(contact, u, force);
}

static sw_status press(sw_fem *fem, const double *factor, const double *u, double *external)
{
    return sw_fem_pressure_cpu.forces(((cpu_work *)fem->work)->pressure_work, factor, u, external);
}

/* Which elements have tangents of their own: those that yield, or all. */
static void segregate(const sw_fem *fem, cpu_work *work, int elastic)
{
    sw_fem_view *view = &work->view;
    view->n_plastic = 0;
    for (int64_t e = 0; e < fem->n_elements; e++) {
        const int own = !work->measure->steady || (!elastic && work->yields[e] > 0);
        work->slot[e] = own ? (int32_t)view->n_plastic : -1;
        if (own)
            work->plastic[view->n_plastic++] = (int32_t)e;
    }
}

static sw_status make_room(sw_fem *fem, cpu_work *work, int64_t n)
{
    const int64_t room = n + n / 4 < fem->n_elements ? n + n / 4 : fem->n_elements;
    const int64_t each = (int64_t)fem->corners * work->measure->tangent_size;
    double *more;
    if (n <= work->room)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(more, room * each, "tangents of plastic points"));
    free(work->tangent);
    work->tangent = more;
    sw_fem_count_bytes(fem, (room - work->room) * each * (int64_t)sizeof(double));
    work->room = room;
    return SW_OK;
}

static void deform(const sw_fem *fem, cpu_work *work, const double *u)
{
    for (int64_t i = 0; work->at && i < fem->n_nodes * fem->components; i++)
        work->at[i] = fem->problem->mesh->position[i] + (work->is_deformed ? u[i] : 0);
}

static sw_status elements_tangent(sw_fem *fem, const double *u, int elastic)
{
    cpu_work *work = fem->work;
    sw_fem_view *view = &work->view;
    const sw_fem_states states = states_of(work);
    view->crystals.rests |= elastic;
    if (fem->crystals && !view->crystals.rests)
        SW_TRY(sw_fem_crystals_need_slopes(fem->crystals));
    ask_matter(fem, u);
    fem->tangents++;
    segregate(fem, work, elastic);
    deform(fem, work, u);
    SW_TRY(make_room(fem, work, view->n_plastic));
    view->tangent = work->tangent;
    const sw_fem_material *material = elastic && work->elastic ? work->elastic : fem->problem->material;
    sw_fem_points_function *const function = work->measure->points[work->view.kinematics];
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(view->n_plastic, SW_FEM_STATE_NS))
    for (int64_t i = 0; i < view->n_plastic; i++)
        function(view, material, &states, work->plastic[i], u, NULL, 0, i, work->tangent);
    return operator_of(fem)->prepare(work->operator_work, view);
}

static sw_status make_tangent(sw_fem *fem, const double *u, int elastic)
{
    cpu_work *work = fem->work;
    if (elastic && work->tangent_known == 1) /* never of contact: finite strains */
        return SW_OK;
    work->tangent_known = 0;
    const sw_status status = elements_tangent(fem, u, elastic);
    SW_TRY(work->contact_work ? sw_parallel_agree(status) : status);
    fem->symmetric = !fem->crystals;
    if (work->nodal)
        memset(work->nodal, 0, (size_t)(fem->n_nodes * fem->components * fem->components) * sizeof(double));
    if (work->contact_work)
        SW_TRY(sw_fem_contact_cpu.tangent(work->contact_work, u, work->nodal));
    if (work->pressure_work)
        SW_TRY(sw_fem_pressure_cpu.tangent(work->pressure_work, u, work->nodal));
    work->tangent_known = work->view.n_plastic > 0 ? 2 : 1;
    return SW_OK;
}

static sw_status accept_elements(sw_fem *fem, const double *u)
{
    cpu_work *work = fem->work;
    sw_fem_points_function *const function = work->measure->points[work->view.kinematics];
    const sw_fem_states states = states_of(work);
    if (fem->crystals && (!fem->crystals->tried || fem->crystals->looked)) /* work was asked for on the way */
        SW_TRY(respond(fem, u));
    ask_matter(fem, u);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(fem->n_elements, SW_FEM_STATE_NS))
    for (int64_t e = 0; e < fem->n_elements; e++)
        function(&work->view, fem->problem->material, &states, e, u, NULL, 1, -1, NULL);
    return fem->crystals ? sw_fem_crystals_accept(fem->crystals) : SW_OK;
}

static sw_status accept_state(sw_fem *fem, const double *u)
{
    void *contact = ((cpu_work *)fem->work)->contact_work;
    const sw_status status = accept_elements(fem, u);
    if (!contact)
        return status;
    SW_TRY(sw_parallel_agree(status));
    return sw_fem_contact_cpu.accept(contact, u);
}

static sw_status save_state(sw_fem *fem, sw_fem_point *points, uint8_t *yielded,
                            sw_fem_contact_point *contact)
{
    const cpu_work *work = fem->work;
    const size_t n = (size_t)(fem->n_elements * fem->corners);
    if (points)
        memcpy(points, work->points, n * sizeof *points);
    if (yielded)
        memcpy(yielded, work->accepted, n);
    return contact && work->contact_work ? sw_fem_contact_cpu.save(work->contact_work, contact) : SW_OK;
}

static sw_status restore_state(sw_fem *fem, const sw_fem_point *points, const uint8_t *yielded,
                               const sw_fem_contact_point *contact)
{
    cpu_work *work = fem->work;
    const size_t n = (size_t)(fem->n_elements * fem->corners);
    memcpy(work->points, points, n * sizeof *points);
    memcpy(work->accepted, yielded, n);
    return work->contact_work ? sw_fem_contact_cpu.restore(work->contact_work, contact) : SW_OK;
}

/* ---- Products and preconditioners ---- */

static sw_status product(sw_fem *fem, const double *p, double *g)
{
    cpu_work *work = fem->work;
    SW_TRY(operator_of(fem)->product(work->operator_work, &work->view, p, g));
    if (work->pressure_work)
        SW_TRY(sw_fem_pressure_cpu.product(work->pressure_work, p, g));
    return work->contact_work ? sw_fem_contact_cpu.product(work->contact_work, p, g) : SW_OK;
}

static sw_status prepare(sw_fem *fem)
{
    cpu_work *work = fem->work;
    const sw_fem_preconditioner_functions *with = preconditioner_of(fem);
    return with->prepare ? with->prepare(work->preconditioner_work, &work->view) : SW_OK;
}

static sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    cpu_work *work = fem->work;
    const double *leaned = r;
    if (work->contact_work)
        SW_TRY(sw_fem_contact_cpu.lean(work->contact_work, r, &leaned));
    SW_TRY(preconditioner_of(fem)->apply(work->preconditioner_work, &work->view, leaned, z));
    return work->contact_work ? sw_fem_contact_cpu.precondition(work->contact_work, r, z) : SW_OK;
}

/* ---- Open and close ---- */

/* What a tangent that changes with the displacement needs. */
static sw_status open_unsteady(sw_fem *fem, cpu_work *work)
{
    const sw_fem_problem *p = fem->problem;
    SW_TRY(SW_ALLOCATE(work->at, fem->n_unknowns, "deformed positions"));
    SW_TRY(SW_ALLOCATE(work->elastic, p->n_materials, "materials"));
    for (int i = 0; i < p->n_materials; i++)
        work->elastic[i] = (sw_fem_material){
            .young = p->material[i].young, .poisson = p->material[i].poisson, .yield_stress = INFINITY};
    sw_fem_count_bytes(fem, fem->n_unknowns * (int64_t)sizeof(double));
    return SW_OK;
}

static sw_status open_cpu(sw_fem *fem)
{
    const sw_fem_problem *p = fem->problem;
    cpu_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "analysis"));
    fem->work = work;
    work->measure = sw_fem_measures[sw_fem_measure_of(p)];
    if (!work->measure->steady)
        SW_TRY(open_unsteady(fem, work));
    snprintf(fem->device_name, sizeof fem->device_name, "%d CPU threads", omp_get_max_threads());
    sw_fem_view *view = &work->view;
    const int64_t E = fem->n_elements, Q = fem->corners;
    SW_TRY(SW_ALLOCATE(work->material_of, E, "materials of elements"));
    if (p->material_of)
        memcpy(work->material_of, p->material_of, (size_t)E);
    SW_TRY(SW_ALLOCATE(work->bulk, p->n_materials, "materials"));
    SW_TRY(SW_ALLOCATE(work->shear, p->n_materials, "materials"));
    for (int i = 0; i < p->n_materials; i++)
        sw_fem_moduli(p->kinematics, &p->material[i], &work->bulk[i], &work->shear[i]);
    SW_TRY(SW_ALLOCATE(work->plastic, E, "lists of elements"));
    SW_TRY(SW_ALLOCATE(work->slot, E, "lists of elements"));
    SW_TRY(SW_ALLOCATE(work->yields, E, "states of elements"));
    SW_TRY(SW_ALLOCATE(work->piece, fem->n_unknowns / PIECE + 1, "sums"));
    SW_TRY(SW_ALLOCATE(work->accepted, E * Q, "states of points"));
    SW_TRY(SW_ALLOCATE(work->points, E * Q, "states of points"));
    sw_fem_count_bytes(fem, E * (9 + (int64_t)sizeof(int32_t) * 3 + Q * (1 + (int64_t)sizeof(sw_fem_point))));
    SW_TRY(sw_fem_colour(p->mesh, &view->n_colours, &work->colour_first, &work->coloured));
    for (int64_t e = 0; e < E; e++)
        work->slot[e] = -1;
    view->kinematics = p->kinematics;
    view->measure = sw_fem_measure_of(p);
    if (view->measure == SW_FEM_MEASURE_MATTER)
        SW_TRY(sw_fem_matter_open(p, &view->matter));
    work->is_deformed = view->matter == NULL || view->matter->finite;
    view->at = work->at;
    view->b_bar = sw_fem_has_b_bar(p);
    view->thickness = p->thickness;
    view->n_nodes = fem->n_nodes;
    view->n_elements = E;
    view->position = p->mesh->position;
    view->node = p->mesh->node;
    view->material_of = work->material_of;
    view->bulk = work->bulk;
    view->shear = work->shear;
    view->colour_first = work->colour_first;
    view->coloured = work->coloured;
    view->plastic = work->plastic;
    view->slot = work->slot;
    if (fem->contact || fem->pressures)
        SW_TRY(SW_ALLOCATE(work->nodal, fem->n_nodes * fem->components * fem->components, "contact"));
    view->nodal = work->nodal;
    SW_TRY(sw_fem_crystals_open(fem, &sw_fem_crystal_memory_cpu));
    if (fem->crystals)
        view->crystals = fem->crystals->view;
    if (fem->contact)
        SW_TRY(sw_fem_contact_cpu.open(fem, &work->contact_work));
    if (fem->pressures)
        SW_TRY(sw_fem_pressure_cpu.open(fem, &work->pressure_work));
    SW_TRY(operator_of(fem)->open(fem, view, &work->operator_work));
    return preconditioner_of(fem)->open(fem, view, &work->preconditioner_work);
}

static void close_cpu(sw_fem *fem)
{
    cpu_work *work = fem->work;
    if (!work)
        return;
    if (work->operator_work)
        operator_of(fem)->close(work->operator_work);
    if (work->preconditioner_work)
        preconditioner_of(fem)->close(work->preconditioner_work);
    sw_fem_crystals_close(fem);
    sw_fem_matter_close(work->view.matter);
    sw_fem_contact_cpu.close(work->contact_work);
    sw_fem_pressure_cpu.close(work->pressure_work);
    free(work->nodal);
    while (work->vectors) {
        vector_list *next = work->vectors->next;
        free(work->vectors->vector);
        free(work->vectors);
        work->vectors = next;
    }
    free(work->elastic);
    free(work->at);
    free(work->material_of);
    free(work->bulk);
    free(work->shear);
    free(work->tangent);
    free(work->colour_first);
    free(work->coloured);
    free(work->plastic);
    free(work->slot);
    free(work->points);
    free(work->accepted);
    free(work->yields);
    free(work->piece);
    free(work);
    fem->work = NULL;
}

static sw_status wait_for(sw_fem *fem)
{
    (void)fem;
    return SW_OK;
}

static const sw_fem_view *present_view(const sw_fem *fem) { return &((const cpu_work *)fem->work)->view; }

const sw_fem_backend sw_fem_cpu = {
    0,       open_cpu,     close_cpu,    allocate_vector, copy_in,       copy_out,     combine,
    dot,     free_part,    advance,      all_forces,      press,         make_tangent, product,
    prepare, precondition, accept_state, save_state,      restore_state, wait_for,     present_view};
