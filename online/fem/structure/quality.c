/* What the ends of steps tell of elements that answer for themselves rather than for their material: reduced ones by springs against
 * hourglass modes, linear shells that are bent by shear across them. */
#include <math.h>

#include "common/math/vector.h"
#include "common/system/threads.h"
#include "fields.h"

#define MOST_ARTIFICIAL 0.05 /* of the work of elements */
#define MOST_SHEAR 0.1  /* of the work of linear shells: that of a cantilever is 0.03 where it is 5 thick */
#define LEAST_PART 0.05 /* of the work of elements, in shells */
#define LEAST_WORK 0.01 /* of the most that the body has had: let go, it keeps round-off */
enum { ELEMENT_NS = 10000 };

/* The part across a plane of normal n of a symmetric tensor's vector there, its size. */
static double size_across(const double s[6], const double n[3])
{
    const double t[3] = {s[0] * n[0] + s[5] * n[1] + s[4] * n[2], s[5] * n[0] + s[1] * n[1] + s[3] * n[2],
                         s[4] * n[0] + s[3] * n[1] + s[2] * n[2]};
    const double along = t[0] * n[0] + t[1] * n[1] + t[2] * n[2];
    return sqrt(fmax(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] - along * along, 0));
}

/* Of the middle of a shell's solid, whose nodes are those below, then those above; at rest, or as it is. */
static void normal_of(const sw_element *e, int moved, double n[3])
{
    const int corners = e->formulation->topology->n_nodes / 2;
    double t[2][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        double x[4] = {0};
        for (int a = 0; a < 2 * corners; a++)
            x[a % corners] += e->x[a][i] + (moved ? e->u[a][i] : 0);
        t[0][i] = corners == 3 ? x[1] - x[0] : x[1] + x[2] - x[0] - x[3];
        t[1][i] = corners == 3 ? x[2] - x[0] : x[2] + x[3] - x[0] - x[1];
    }
    sw_cross(t[0], t[1], n);
    sw_to_unit(n);
}

/* What bends thin shells of three and four nodes: energy of shear across them that is not that of the means at its nodes, which
 * the shear of thick ones is. Shear goes by its sizes, which no rotation changes. 0 where it is not known. */
static double parasitic_of(sw_structure *s, int64_t e, const sw_structure_nodal *nodal, double *whole)
{
    const sw_structure_element *of = &s->problem->element[e];
    const int n = of->formulation->topology->n_nodes;
    sw_structure_points points;
    sw_element element;
    double rest[3], now[3], mean[6] = {0}, energy = 0, square = 0, volume = 0;
    *whole = 0;
    if (sw_structure_points_of(s, e, &points) != SW_OK || points.n == 0)
        return 0;
    sw_structure_element_at(s, e, &element);
    normal_of(&element, 0, rest);
    normal_of(&element, s->step->finite, now);
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 6; i++)
            mean[i] += nodal->stress[s->problem->node[of->first + a]][i] / n;
    for (int q = 0; q < points.n; q++) {
        const double v = points.volume[q], stress = size_across(points.stress[q], now);
        energy += v * stress * size_across(points.strain[q], rest);
        square += v * stress * stress;
        volume += v;
        *whole += v * (points.work[q][SW_WORK_ALL] - points.work[q][SW_WORK_HEAT]);
    }
    const double smooth = size_across(mean, now);
    return square > 0 ? energy * (1 - volume * smooth * smooth / square) : 0;
}

static void tell_artificial(sw_structure *s, double whole)
{
    const double part = s->energy[SW_STRUCTURE_ARTIFICIAL] / whole;
    if (s->said_artificial || !(part > MOST_ARTIFICIAL))
        return;
    s->said_artificial = 1;
    sw_warn(
        "%s:%lld: step %d: %.3g %% of the work of elements is in springs against hourglass modes, at most 5 "
        "%% is sound: reduced "
        "elements (C3D8R, CPS4R, S4R, B31R) bend by them: need several across what bends, or C3D8I, S4, B31",
        s->problem->path, (long long)s->step->line, s->place.step + 1, 100 * part);
}

static void tell_shear(sw_structure *s, double body, const sw_structure_nodal *nodal)
{
    const sw_structure_problem *p = s->problem;
    double shear = 0, whole = 0;
#pragma omp parallel for schedule(static) reduction(+ : shear, whole) num_threads(sw_threads_for(p->n_elements, ELEMENT_NS))
    for (int64_t e = 0; e < p->n_elements; e++) {
        double of;
        if (!p->element[e].linear_shell || s->removed[e])
            continue;
        shear += parasitic_of(s, e, nodal, &of);
        whole += of;
    }
    if (!(whole >= LEAST_PART * body) || !(shear > MOST_SHEAR * whole))
        return;
    s->said_shear = 1;
    sw_warn("%s:%lld: step %d: %.3g %% of the strain energy of shells of three and four nodes is shear "
            "across them that goes up and "
            "down from element to element, which locks: they may be %.3g times too stiff: need smaller "
            "elements, squares, or S8R",
            p->path, (long long)s->step->line, s->place.step + 1, 100 * shear / whole,
            1 / fmax(1 - shear / whole, 1e-3));
}

static int has_linear_shells(const sw_structure_problem *p)
{
    for (int64_t e = 0; e < p->n_elements; e++)
        if (p->element[e].linear_shell)
            return 1;
    return 0;
}

sw_status sw_structure_tell_quality(sw_structure *s)
{
    sw_structure_nodal nodal;
    const double whole = s->energy[SW_STRUCTURE_ELASTIC] + s->energy[SW_STRUCTURE_PLASTIC] +
                         s->energy[SW_STRUCTURE_CREEP] + s->energy[SW_STRUCTURE_ARTIFICIAL];
    s->most_work = fmax(s->most_work, whole);
    if (s->place.time < s->step->duration || !(whole > LEAST_WORK * s->most_work))
        return SW_OK;
    tell_artificial(s, whole);
    if (s->said_shear || !has_linear_shells(s->problem))
        return SW_OK;
    SW_TRY(sw_structure_nodal_make(s, NULL, &nodal));
    tell_shear(s, whole, &nodal);
    sw_structure_nodal_free(&nodal);
    return SW_OK;
}
