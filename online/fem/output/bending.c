/* Whether elements lock in bending. A bent element keeps its edges straight, so that it is sheared, too, the more the farther
 * from its middle along the part: with a its length and h the part's thickness, however many elements are through that, the
 * part is 1 + (1 - nu) / 2 (a / h)^2 times as stiff as it should be (plane stress). That shear's share of the strain
 * energy says so of any body under any load, without knowing which parts are thin. */
#include <math.h>
#include <stdio.h>

#include "common/system/threads.h"
#include "rows.h"

#define MOST_SHARE 0.1
#define LEAST_PART 0.05   /* of the body's strain energy, in an element set */
#define LEAST_ENERGY 0.01 /* of the most that the body has had: let go, it keeps round-off */
#define WORSE 1.1         /* times the body's share: a set that is worth a warning beside it */
enum { ELEMENT_NS = 200 };

/* Coefficients of the monomials of an element's reference coordinates in a nodal field [N][d], half the element's edges
 * where that is the position: linear [direction][component], bilinear [k]: of the two directions that are not k. */
typedef struct {
    double linear[3][3], bilinear[3][3];
} coefficients;

/* Corners of the unit element by local node. */
static const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/* Below, d is a number that the compiler knows. */
#define OF_ITS_OWN static inline __attribute__((always_inline))

OF_ITS_OWN void find_coefficients(int d, const int32_t *node, const double *field, coefficients *c)
{
    const int V = 1 << d;
    *c = (coefficients){0};
    for (int v = 0; v < V; v++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < d; i++) {
                const double value = field[(int64_t)node[v] * d + i] * (1.0 / V);
                c->linear[k][i] += k < d ? corner[v][k] * value : 0;
                if (d == 3 || k == 2)
                    c->bilinear[k][i] += corner[v][(k + 1) % 3] * corner[v][(k + 2) % 3] * value;
            }
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Energies of an element over its Young's modulus. */
typedef struct {
    double parasitic, whole;
} energies;

/* At its middle: strains by the edges before and after, Green's where rotations may be large. */
OF_ITS_OWN double energy_of_middle(int d, int finite, double shear, const double length[3],
                                   const coefficients *x, const coefficients *u)
{
    double sum = 0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            const double edges = length[i] * length[j];
            const double strain = (dot(x->linear[i], u->linear[j]) + dot(u->linear[i], x->linear[j]) +
                                   (finite ? dot(u->linear[i], u->linear[j]) : 0)) /
                                  (2 * edges);
            sum += (i == j ? 0.5 : shear) * strain * strain;
        }
    return sum;
}

/* Where directions i and j bend: normal strains, and shear that there should not be; and where they twist. */
OF_ITS_OWN void add_bilinear(int k, int d, double shear, const double length[3], const double axis[3][3],
                             const double bent[3], energies *sum)
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double bi = dot(bent, axis[i]) * dot(bent, axis[i]), bj = dot(bent, axis[j]) * dot(bent, axis[j]);
    const double bk = d == 3 ? dot(bent, axis[k]) * dot(bent, axis[k]) : 0;
    const double li = length[i] * length[i], lj = length[j] * length[j];
    const double parasitic = shear / 2 * (bi / lj + bj / li) / 3;
    sum->parasitic += parasitic;
    sum->whole += parasitic + 0.5 * (bi / li + bj / lj) / 3 + shear / 2 * bk * (1 / li + 1 / lj) / 3;
}

OF_ITS_OWN energies energies_in(int d, int finite, const sw_fem_problem *p, const double *displacement,
                                int64_t e)
{
    const int32_t *node = p->mesh->node + (e << d);
    const sw_fem_material *m = &p->material[p->material_of ? p->material_of[e] : 0];
    const double shear = 0.5 / (1 + m->poisson);
    double length[3] = {1, 1, 1}, axis[3][3] = {{0}}, volume = m->young, radius = 0, out = 0;
    coefficients x, u;
    energies sum = {0};
    find_coefficients(d, node, p->mesh->position, &x);
    find_coefficients(d, node, displacement, &u);
    for (int k = 0; k < d; k++) {
        double edge[3], now = 0;
        for (int i = 0; i < 3; i++)
            edge[i] = x.linear[k][i] + (finite ? u.linear[k][i] : 0);
        now = sqrt(dot(edge, edge));
        length[k] = sqrt(dot(x.linear[k], x.linear[k]));
        volume *= length[k];
        for (int i = 0; i < 3; i++)
            axis[k][i] = edge[i] / now;
    }
    sum.whole = energy_of_middle(d, finite, shear, length, &x, &u);
    for (int k = d == 3 ? 0 : 2; k < 3; k++)
        add_bilinear(k, d, shear, length, (const double(*)[3])axis, u.bilinear[k], &sum);
    if (p->kinematics == SW_FEM_AXISYMMETRIC) {
        for (int v = 0; v < 4; v++) {
            radius += p->mesh->position[2 * (int64_t)node[v]] / 4;
            out += displacement[2 * (int64_t)node[v]] / 4;
        }
        sum.whole += 0.5 * (out / radius) * (out / radius);
        volume *= radius;
    }
    return (energies){sum.parasitic * volume, sum.whole * volume};
}

static energies energies_of(const sw_fem_problem *p, const double *displacement, int64_t e)
{
    if (p->strain == SW_FEM_FINITE)
        return p->mesh->shape == SW_HEX8 ? energies_in(3, 1, p, displacement, e)
                                         : energies_in(2, 1, p, displacement, e);
    return p->mesh->shape == SW_HEX8 ? energies_in(3, 0, p, displacement, e)
                                     : energies_in(2, 0, p, displacement, e);
}

/* The same of equal boxes at small strains; by: over halves of their edges. */
static energies energies_of_box(const sw_fem_problem *p, const double by[3], const double *displacement,
                                int64_t e)
{
    const sw_fem_material *m = &p->material[p->material_of ? p->material_of[e] : 0];
    const double shear = 0.5 / (1 + m->poisson), volume = m->young / (by[0] * by[1] * by[2]);
    coefficients u;
    energies sum = {0};
    find_coefficients(3, p->mesh->node + 8 * e, displacement, &u);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double strain = u.linear[k][k] * by[k], twice = u.linear[i][j] * by[i] + u.linear[j][i] * by[j];
        const double ii = by[i] * by[i], jj = by[j] * by[j], *bent = u.bilinear[k];
        const double bi = bent[i] * bent[i], bj = bent[j] * bent[j], bk = bent[k] * bent[k];
        const double parasitic = shear / 6 * (bi * jj + bj * ii);
        sum.parasitic += parasitic;
        sum.whole += 0.5 * strain * strain + 0.5 * shear * twice * twice + parasitic +
                     (bi * ii + bj * jj) / 6 + shear / 6 * bk * (ii + jj);
    }
    return (energies){sum.parasitic * volume, sum.whole * volume};
}

/* Of an element set; NULL: of the body. */
static energies sum_energies(const sw_fem_problem *p, const double *displacement, const sw_fem_set *set)
{
    const int64_t E = set != NULL ? set->n : p->mesh->n_elements;
    const int boxes = sw_fem_has_boxes(p->mesh) && p->mesh->shape == SW_HEX8 && p->strain == SW_FEM_SMALL;
    double parasitic = 0, whole = 0, by[3] = {0};
    for (int i = 0; i < 3 && boxes; i++)
        by[i] = 2 / p->mesh->lattice->size[i];
#pragma omp parallel for schedule(static) reduction(+ : parasitic, whole) num_threads(sw_threads_for(E, ELEMENT_NS))
    for (int64_t i = 0; i < E; i++) {
        const int64_t e = set != NULL ? set->member[i] : i;
        const energies of = boxes ? energies_of_box(p, by, displacement, e) : energies_of(p, displacement, e);
        parasitic += of.parasitic;
        whole += of.whole;
    }
    return (energies){parasitic, whole};
}

static double share_of(energies of) { return of.parasitic / of.whole; }

/* The element set with the largest share, of those that have a part of the body's energy worth a word; NULL: none. */
static const sw_fem_set *worst_set(const sw_fem_problem *p, const double *displacement, energies body,
                                   energies *of)
{
    const sw_fem_set *worst = NULL;
    *of = (energies){0, 1};
    for (const sw_fem_set *set = p->mesh->set; set < p->mesh->set + p->mesh->n_sets; set++) {
        if (set->kind != SW_FEM_ELEMENTS || set->n == p->mesh->n_elements)
            continue;
        const energies sum = sum_energies(p, displacement, set);
        if (sum.whole >= LEAST_PART * body.whole && share_of(sum) > share_of(*of)) {
            worst = set;
            *of = sum;
        }
    }
    return worst;
}

static void say(int64_t increment, const char *where, const char *what, energies of)
{
    sw_warn("increment %lld: %.3g %% of the strain energy%s is shear of elements that are bent, which locks: "
            "%s may be %.3g times too stiff: need elements that are short beside the thickness of what bends",
            (long long)increment, 100 * share_of(of), where, what, 1 / (1 - share_of(of)));
}

void sw_fem_warn_of_bending(sw_fem_results *r)
{
    const sw_fem_problem *p = &r->job->problem;
    const double *displacement = r->field.displacement;
    char where[200];
    energies of;
    if (r->warned_of_bending || p->kinematics == SW_FEM_HEAT)
        return;
    const energies body = sum_energies(p, displacement, NULL);
    r->most_energy = fmax(r->most_energy, body.whole);
    if (!(body.parasitic > MOST_SHARE * LEAST_PART * body.whole) || /* nor is any set's */
        body.whole < LEAST_ENERGY * r->most_energy)
        return;
    const sw_fem_set *worst = worst_set(p, displacement, body, &of);
    if (share_of(body) > MOST_SHARE)
        say(r->done + 1, "", "the body", body);
    if (worst != NULL && share_of(of) > fmax(MOST_SHARE, WORSE * share_of(body))) {
        snprintf(where, sizeof where, " of element set %.64s (%.3g %% of the body's)", worst->name,
                 100 * of.whole / body.whole);
        say(r->done + 1, where, "that part", of);
    }
    r->warned_of_bending = fmax(share_of(body), share_of(of)) > MOST_SHARE;
}
