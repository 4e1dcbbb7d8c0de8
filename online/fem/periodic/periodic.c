#include "periodic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/system/parallel.h"
#include "online/fem/element/element.h"
#include "online/fem/mesh/lattice.h"
#include "online/fem/mesh/mesh.h"
#include "online/fem/parts/parts.h"

/* ---- Checks ---- */

int sw_fem_periodic_halves(const sw_fem_mesh *mesh, int64_t most)
{
    int64_t n[3];
    for (int j = 0; j < 3; j++) {
        n[j] = mesh->lattice->n[j];
        while (n[j] % 2 == 0 && n[j] > 1)
            n[j] /= 2;
    }
    return n[0] * n[1] * n[2] <= most;
}

static int is_whole_box(const sw_fem_mesh *mesh)
{
    return sw_fem_has_boxes(mesh) && mesh->n_elements == sw_fem_lattice_cells(mesh->lattice->n);
}

sw_status sw_fem_periodic_check(const sw_fem_problem *p, const sw_fem_options *o)
{
    if (!p->periodic)
        return SW_OK;
    if (p->kinematics == SW_FEM_AXISYMMETRIC || p->kinematics == SW_FEM_HEAT)
        return sw_error(SW_ERR_RANGE, "a periodic body is solid, plane_strain or plane_stress, not %s",
                        sw_fem_kinematics_names[p->kinematics]);
    if (!is_whole_box(p->mesh))
        return sw_error(SW_ERR_RANGE, "a periodic body is a box of cells: need body box");
    if (p->n_tools > 0)
        return sw_error(SW_ERR_RANGE, "a periodic body has no surface for %d tools", p->n_tools);
    if (o->linear == SW_FEM_SOLVE_DIRECT)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "linear direct: not of a periodic body: need cg, bicgstab or gmres");
    if (o->preconditioner == SW_FEM_AMG)
        return sw_error(SW_ERR_UNAVAILABLE, "preconditioner amg: not of a periodic body: need block_jacobi");
    if (o->preconditioner == SW_FEM_MULTIGRID && !sw_fem_periodic_halves(p->mesh, SW_FEM_COARSEST_PERIODIC))
        return sw_error(
            SW_ERR_RANGE,
            "preconditioner multigrid: of a periodic body with %d x %d x %d cells, which halve to "
            "more than %d: need block_jacobi, or powers of 2",
            p->mesh->lattice->n[0], p->mesh->lattice->n[1], p->mesh->lattice->n[2], SW_FEM_COARSEST_PERIODIC);
    return SW_OK;
}

/* Cases have to do with the mean alone. */
static sw_status check_cases(const sw_fem *fem)
{
    const int64_t first = sw_fem_mean_unknown(fem->problem, 0, 0);
    for (int l = 0; l < fem->problem->n_cases; l++) {
        const sw_fem_case *load = &fem->problem->load[l];
        if (load->n_fixed > 0 && load->dof[0] < first)
            return sw_error(SW_ERR_RANGE,
                            "unknown %lld of a periodic body is prescribed: need only those of its mean",
                            (long long)load->dof[0]);
        for (int64_t i = 0; load->force && i < first; i++)
            if (load->force[i] != 0)
                return sw_error(SW_ERR_RANGE,
                                "unknown %lld of a periodic body has a force: need only those of its mean",
                                (long long)i);
        if (load->n_pressures > 0)
            return sw_error(SW_ERR_RANGE, "a periodic body has no surface for pressures");
    }
    return SW_OK;
}

static sw_status check_turning(const sw_fem *fem)
{
    for (int i = 0; i < fem->dimension; i++)
        for (int j = 0; j < i; j++)
            if (!fem->fixed[sw_fem_mean_unknown(fem->problem, i, j)] &&
                !fem->fixed[sw_fem_mean_unknown(fem->problem, j, i)])
                return sw_error(
                    SW_ERR_RANGE,
                    "the periodic body can still turn: mean_gradient[%d][%d] and [%d][%d] are both "
                    "free: need one of them",
                    j, i, i, j);
    return SW_OK;
}

/* ---- Copies ---- */

/* Originals with copies and the copies of each, from original [N]. */
static void list_copies(const int32_t *original, int64_t n_nodes, int32_t *place, int32_t *shared,
                        int32_t *first, int32_t *copy, int64_t *n_shared)
{
    int64_t n = 0;
    for (int64_t i = 0; i < n_nodes; i++)
        place[original[i]] += original[i] != i;
    for (int64_t i = 0; i < n_nodes; i++)
        if (place[i] > 0) {
            first[n + 1] = first[n] + place[i];
            shared[n] = (int32_t)i;
            place[i] = first[n++];
        }
    for (int64_t i = 0; i < n_nodes; i++)
        if (original[i] != i)
            copy[place[original[i]]++] = (int32_t)i;
    *n_shared = n;
}

/* From original [N], which the view owns. */
static sw_status make_copies(const sw_fem *fem, int32_t *original, sw_fem_periodic_view *view)
{
    const int64_t N = view->n_nodes;
    int32_t *shared, *first, *copy, *place;
    for (int64_t i = 0; i < N; i++) {
        view->n_originals += original[i] == i;
        if (original[i] != i)
            memset(fem->fixed + i * fem->components, 1, (size_t)fem->components);
    }
    const int64_t n_copies = N - view->n_originals;
    SW_TRY(SW_ALLOCATE(shared, n_copies, "periodic nodes"));
    view->shared = shared;
    SW_TRY(SW_ALLOCATE(first, n_copies + 1, "periodic nodes"));
    view->first = first;
    SW_TRY(SW_ALLOCATE(copy, n_copies, "periodic nodes"));
    view->copy = copy;
    SW_TRY(SW_ALLOCATE(place, N, "periodic nodes"));
    list_copies(original, N, place, shared, first, copy, &view->n_shared);
    free(place);
    return SW_OK;
}

sw_status sw_fem_periodic_open(sw_fem *fem)
{
    const sw_fem_problem *p = fem->problem;
    struct sw_fem_periodic *periodic;
    if (!p->periodic)
        return SW_OK;
    SW_TRY(check_cases(fem));
    SW_TRY(check_turning(fem));
    SW_TRY(SW_ALLOCATE(periodic, 1, "periodic body"));
    fem->periodic = periodic;
    periodic->volume = sw_fem_mean_volume(p);
    periodic->view = (sw_fem_periodic_view){.d = fem->dimension,
                                            .n_nodes = fem->n_nodes,
                                            .length = sw_fem_mean_length(p),
                                            .position = p->mesh->position};
    for (int j = 0; j < 3; j++)
        periodic->view.origin[j] = p->mesh->lattice->origin[j];
    int32_t *original;
    SW_TRY(SW_ALLOCATE(original, fem->n_nodes, "periodic nodes"));
    periodic->view.original = original;
    for (int64_t i = 0; i < fem->n_nodes; i++) /* of a whole box nodes are points */
        original[i] = (int32_t)sw_fem_lattice_original(p->mesh->lattice->n, i);
    SW_TRY(make_copies(fem, original, &periodic->view));
    periodic->view.n_all = periodic->view.n_originals;
    periodic->view.n_counted = fem->n_nodes;
    return SW_OK;
}

sw_status sw_fem_periodic_take(sw_fem *fem)
{
    sw_fem_parts *parts = fem->parts;
    const sw_fem_division *d = &parts->division;
    struct sw_fem_periodic *periodic, *whole = fem->periodic;
    int32_t *original, *number;
    if (!whole)
        return SW_OK;
    parts->periodic = whole;
    fem->periodic = NULL;
    SW_TRY(SW_ALLOCATE(periodic, 1, "periodic body"));
    fem->periodic = periodic;
    periodic->volume = whole->volume;
    periodic->view = (sw_fem_periodic_view){.d = fem->dimension,
                                            .n_nodes = fem->n_nodes,
                                            .n_all = whole->view.n_all,
                                            .n_counted = d->n_owned,
                                            .length = whole->view.length,
                                            .position = fem->problem->mesh->position};
    memcpy(periodic->view.origin, whole->view.origin, sizeof whole->view.origin);
    SW_TRY(SW_ALLOCATE(original, fem->n_nodes, "periodic nodes"));
    periodic->view.original = original;
    SW_TRY(SW_ALLOCATE(number, d->mesh->n_nodes, "periodic nodes"));
    for (int64_t i = 0; i < d->n_nodes; i++)
        number[d->node[i]] = (int32_t)i;
    for (int64_t i = 0; i < d->n_nodes; i++)
        original[i] = number[whole->view.original[d->node[i]]];
    free(number);
    return make_copies(fem, original, &periodic->view);
}

void sw_fem_periodic_free(struct sw_fem_periodic *periodic)
{
    if (!periodic)
        return;
    free((void *)periodic->view.original);
    free((void *)periodic->view.shared);
    free((void *)periodic->view.first);
    free((void *)periodic->view.copy);
    free(periodic);
}

/* ---- The mean's block of the tangent ---- */

/* The inverse, where free, of a block [n][n] made symmetric; of its diagonal where it is not positive. */
static void invert_mean(int n, const uint8_t *fixed, const double block[SW_FEM_MEAN][SW_FEM_MEAN],
                        double inverse[SW_FEM_MEAN][SW_FEM_MEAN])
{
    double least[SW_FEM_MEAN], pivot[SW_FEM_MEAN];
    int positive = 1;
    for (int i = 0; i < SW_FEM_MEAN; i++) {
        least[i] = 1e-12 * fabs(block[i][i]);
        for (int j = 0; j < SW_FEM_MEAN; j++)
            inverse[i][j] = i < n && j < n && !fixed[i] && !fixed[j] ? 0.5 * (block[i][j] + block[j][i]) : 0;
    }
    sw_invert_symmetric(SW_FEM_MEAN, least, inverse[0], pivot);
    for (int i = 0; i < n; i++)
        positive &= fixed[i] || pivot[i] > least[i];
    if (positive)
        return;
    memset(inverse, 0, sizeof(double[SW_FEM_MEAN][SW_FEM_MEAN]));
    for (int i = 0; i < n; i++)
        inverse[i][i] = fixed[i] || block[i][i] == 0 ? 0 : 1 / fabs(block[i][i]);
}

/* A product for each free unknown; z and g are linear solvers', which are yet to begin. */
static sw_status prepare_mean(sw_fem *fem)
{
    struct sw_fem_periodic *periodic = fem->periodic;
    const int n = fem->dimension * fem->dimension;
    const uint8_t *fixed = fem->fixed + sw_fem_mean_unknown(fem->problem, 0, 0);
    double block[SW_FEM_MEAN][SW_FEM_MEAN] = {{0}}, inverse[SW_FEM_MEAN][SW_FEM_MEAN] = {{0}};
    if (periodic->tangents == fem->tangents)
        return SW_OK;
    for (int k = 0; k < n; k++) {
        double one[SW_FEM_MEAN] = {0};
        if (fixed[k])
            continue;
        one[k] = 1;
        SW_TRY(periodic->on->combine(fem, 0, fem->z, 0, fem->z));
        SW_TRY(periodic->device->set(periodic->work, fem->z, one));
        SW_TRY(periodic->wrapped.product(fem, fem->z, fem->g));
        SW_TRY(periodic->device->get(periodic->work, fem->g, block[k]));
    }
    invert_mean(n, fixed, (const double(*)[SW_FEM_MEAN])block, inverse);
    periodic->tangents = fem->tangents;
    return periodic->device->keep(periodic->work, (const double(*)[SW_FEM_MEAN])inverse);
}

/* ---- The backend ---- */

static sw_status open_wrapped(sw_fem *fem)
{
    struct sw_fem_periodic *periodic = fem->periodic;
    SW_TRY(periodic->on->open(fem));
    SW_TRY(periodic->on->allocate(fem, &periodic->displacement));
    SW_TRY(periodic->on->allocate(fem, &periodic->rest));
    return periodic->device->open(fem, &periodic->work);
}

static void close_wrapped(sw_fem *fem)
{
    fem->periodic->device->close(fem->periodic->work);
    fem->periodic->work = NULL;
    fem->periodic->on->close(fem);
}

/* The accepted state has a place of its own, which says that it is. */
static sw_status expand(sw_fem *fem, const double *x, const double **displacement)
{
    struct sw_fem_periodic *periodic = fem->periodic;
    double *u = x == fem->u ? periodic->rest : periodic->displacement;
    *displacement = u;
    return periodic->device->expand(periodic->work, x, u);
}

static sw_status reduce(sw_fem *fem, double *force)
{
    return fem->periodic->device->reduce(fem->periodic->work, force);
}

static sw_status internal(sw_fem *fem, const double *x, double *force, int64_t *points, int64_t *elements)
{
    const double *u;
    SW_TRY(expand(fem, x, &u));
    SW_TRY(sw_parallel_agree(fem->periodic->on->internal(fem, u, force, points, elements)));
    return reduce(fem, force);
}

static sw_status tangent(sw_fem *fem, const double *x, int elastic)
{
    const double *u;
    SW_TRY(expand(fem, x, &u));
    return fem->periodic->on->tangent(fem, u, elastic);
}

static sw_status product(sw_fem *fem, const double *p, double *g)
{
    const double *u;
    SW_TRY(expand(fem, p, &u));
    SW_TRY(fem->periodic->on->product(fem, u, g));
    return reduce(fem, g);
}

static sw_status prepare(sw_fem *fem)
{
    SW_TRY(fem->periodic->on->prepare(fem));
    return prepare_mean(fem);
}

static sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    SW_TRY(fem->periodic->on->precondition(fem, r, z));
    return fem->periodic->device->precondition(fem->periodic->work, r, z);
}

static sw_status accept(sw_fem *fem, const double *x)
{
    const double *u;
    SW_TRY(expand(fem, x, &u));
    return fem->periodic->on->accept(fem, u);
}

#ifdef SW_HAVE_CUDA
static const sw_fem_periodic_functions *const on_cuda = &sw_fem_periodic_cuda;
#else
static const sw_fem_periodic_functions *const on_cuda = NULL;
#endif

const sw_fem_backend *sw_fem_periodic_wrap(sw_fem *fem, const sw_fem_backend *on)
{
    struct sw_fem_periodic *periodic = fem->periodic;
    if (!periodic)
        return on;
    periodic->on = on;
    periodic->device = on->queues ? on_cuda : &sw_fem_periodic_cpu;
    periodic->wrapped = *on;
    periodic->wrapped.open = open_wrapped;
    periodic->wrapped.close = close_wrapped;
    periodic->wrapped.internal = internal;
    periodic->wrapped.tangent = tangent;
    periodic->wrapped.product = product;
    periodic->wrapped.prepare = prepare;
    periodic->wrapped.precondition = precondition;
    periodic->wrapped.accept = accept;
    periodic->wrapped.view = NULL; /* its elements know nothing of copies */
    return &periodic->wrapped;
}

/* ---- Results ---- */

void sw_fem_periodic_displace(const struct sw_fem_periodic *periodic, double *u)
{
    const sw_fem_periodic_view *view = &periodic->view;
    const int d = view->d;
    const int64_t n = view->n_nodes * d;
    double held[3] = {0};
    for (int i = 0; i < d; i++)
        held[i] = u[i];
    for (int64_t i = n - 1; i >= 0; i--) /* an original comes before its copies, which read it */
        u[i] = sw_fem_periodic_displacement(view, i, u, u + n) - held[i % d];
}

sw_status sw_fem_periodic_mean(sw_fem *fem, sw_fem_mean *mean)
{
    struct sw_fem_periodic *periodic = fem->periodic;
    const int d = fem->dimension;
    double h[SW_FEM_MEAN], force[SW_FEM_MEAN], det = 1;
    *mean = (sw_fem_mean){{{0}}, {{0}}, {{0}}};
    SW_TRY(periodic->device->get(periodic->work, fem->u, h));
    SW_TRY(periodic->device->get(periodic->work, fem->internal, force));
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            mean->gradient[i][j] = (i == j) + h[j * d + i] / periodic->view.length;
            mean->nominal[i][j] = force[j * d + i] * periodic->view.length / periodic->volume;
        }
    if (fem->problem->strain == SW_FEM_SMALL) {
        memcpy(mean->cauchy, mean->nominal, sizeof mean->cauchy);
        return SW_OK;
    }
    const double(*F)[3] = (const double(*)[3])mean->gradient;
    det = F[0][0] * F[1][1] - F[0][1] * F[1][0];
    if (d == 3)
        det = F[2][2] * det + F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]) -
              F[1][2] * (F[0][0] * F[2][1] - F[0][1] * F[2][0]);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            for (int k = 0; k < d; k++)
                mean->cauchy[i][j] += mean->nominal[i][k] * F[j][k] / det;
    return SW_OK;
}
