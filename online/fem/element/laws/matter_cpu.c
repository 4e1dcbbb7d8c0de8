/* Points with laws of decks; matter_points.h. */
#include "matter_points.h"

#include <stdlib.h>
#include <string.h>

#include "online/fem/element/finite_matrix.h"
#include "online/fem/element/finite_state.h"
#include "online/fem/element/measure_cpu.h"

/* ---- Points of a body ---- */

static int size_of(const sw_fem_material *material)
{
    return material->matter != NULL ? sw_matter_state_size(&material->matter->law) + 6 : 0;
}

void sw_fem_matter_close(struct sw_fem_matter_points *points)
{
    if (points == NULL)
        return;
    free(points->first);
    free(points->state);
    free(points);
}

static sw_status fill(const sw_fem_problem *p, struct sw_fem_matter_points *points)
{
    const int64_t E = p->mesh->n_elements, Q = sw_fem_corners(p->kinematics);
    SW_TRY(SW_ALLOCATE(points->first, E + 1, "states of laws"));
    for (int i = 0; i < p->n_materials; i++)
        if (size_of(&p->material[i]) > SW_FEM_MATTER_MOST)
            return sw_error(SW_ERR_RANGE, "material %d: its points keep %d numbers: need at most %d", i + 1,
                            size_of(&p->material[i]), SW_FEM_MATTER_MOST);
    for (int64_t e = 0; e < E; e++)
        points->first[e + 1] =
            points->first[e] + Q * size_of(&p->material[p->material_of ? p->material_of[e] : 0]);
    return SW_ALLOCATE(points->state, points->first[E] + 1, "states of laws");
}

sw_status sw_fem_matter_open(const sw_fem_problem *problem, struct sw_fem_matter_points **result)
{
    struct sw_fem_matter_points *points;
    *result = NULL;
    SW_TRY(SW_ALLOCATE(points, 1, "states of laws"));
    points->finite = problem->strain == SW_FEM_FINITE;
    const sw_status status = fill(problem, points);
    if (status == SW_OK)
        *result = points;
    else
        sw_fem_matter_close(points);
    return status;
}

/* ---- An element ---- */

typedef struct {
    const sw_fem_view *view;
    const sw_fem_material *material;
    const sw_fem_states *states;
    int64_t e;
    int accept;
} task;

/* Undeformed where strains are small. */
SW_FEM_INLINE int deform(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, const double *u,
                         sw_fem_deformed *at)
{
    const int right = sw_fem_deform(k, view, e, u, at);
    if (view->matter->finite)
        return right;
    memcpy(at->now, at->x, sizeof at->now);
    memcpy(at->volume, at->first, sizeof at->volume);
    at->whole = at->whole_first;
    return 1;
}

/* Displacement gradient of point q, with the mean dilatation. */
SW_FEM_INLINE void gradient(sw_fem_kinematics k, const sw_fem_view *view, const sw_fem_deformed *at, int q,
                            double h[3][3])
{
    double dilatation, total;
    sw_fem_deformation(k, view, at, q, view->b_bar && view->matter->finite, h);
    if (!view->b_bar || view->matter->finite)
        return;
    sw_fem_dilatation(k, (const double(*)[8])at->x, (const double(*)[8])at->h, view->thickness, &dilatation,
                      &total);
    const double more = (dilatation / total - h[0][0] - h[1][1] - h[2][2]) / 3;
    for (int i = 0; i < 3; i++)
        h[i][i] += more;
}

/* ---- A point of a law ---- */

/* Kirchhoff stress and the moduli c of law/finite.h from the answer's; symmetric. */
static void to_space(const double h[3][3], const sw_matter_answer *answer, double stress[6], double *moduli)
{
    double f[3][3], across[3][3], q[6][6], c[6][6] = {{0}}, tau[3][3];
    sw_matter_gradient_of(h, f);
    for (int i = 0; i < 9; i++)
        across[i / 3][i % 3] = f[i % 3][i / 3];
    sw_matter_turning((const double(*)[3])across, q);
    for (int i = 0; i < 6; i++) {
        stress[i] = 0;
        for (int j = 0; j < 6; j++)
            stress[i] += q[j][i] * answer->stress[j];
    }
    sw_matter_add_congruent((const double(*)[6])q, answer->tangent, c);
    sw_fem_symmetric(stress, tau);
    for (int m = 0, at = 0; m < 6; m++)
        for (int n = m; n < 6; n++, at++) {
            const int i = sw_six_row(m), j = sw_six_column(m), k = sw_six_row(n), l = sw_six_column(n);
            moduli[at] = 0.5 * (c[m][n] + c[n][m] + (i == k) * tau[j][l] + (i == l) * tau[j][k] +
                                (j == k) * tau[i][l] + (j == l) * tau[i][k]);
        }
}

static void as_it_is(const sw_matter_answer *answer, double stress[6], double *moduli)
{
    memcpy(stress, answer->stress, 6 * sizeof *stress);
    for (int m = 0, at = 0; m < 6; m++)
        for (int n = m; n < 6; n++, at++)
            moduli[at] = 0.5 * (answer->tangent[m][n] + answer->tangent[n][m]);
}

/* Of point q of Q; its last six are the stress. */
static double *state_of(const task *t, int Q, int q)
{
    const int64_t *first = t->view->matter->first + t->e;
    return t->view->matter->state + first[0] + (first[1] - first[0]) / Q * q;
}

static double *stress_of(const task *t, int Q, int q) { return state_of(t, Q, q + 1) - 6; }

static int has_law(const sw_fem_view *view, int64_t e)
{
    return view->matter->first[e + 1] > view->matter->first[e];
}

/* Returns whether it yields; -1: the law has no answer. */
static int matter_point(const task *t, int Q, int q, const double h[3][3], const double before[3][3],
                        double stress[6], double *moduli)
{
    const struct sw_fem_matter_points *points = t->view->matter;
    const struct sw_fem_matter *matter = t->material->matter;
    double *const old = state_of(t, Q, q), next[SW_FEM_MATTER_MOST] = {0};
    sw_matter_point point = {.finite = points->finite,
                             .dt = points->dt,
                             .axes = matter->turned ? matter->axes : NULL,
                             .element = t->e + 1,
                             .point = q};
    sw_matter_answer answer;
    memcpy(point.h, h, sizeof point.h);
    memcpy(point.h_before, before, sizeof point.h_before);
    if (sw_matter_respond(&matter->law, &point, old, next, &answer) != SW_OK)
        return -1;
    if (points->finite)
        to_space(h, &answer, stress, moduli);
    else
        as_it_is(&answer, stress, moduli);
    const int yields = matter->law.law->flows && next[0] > old[0];
    if (t->accept) {
        const sw_fem_point kept = {.equivalent = matter->law.law->flows ? next[0] : 0};
        memcpy(old, next, (size_t)sw_matter_state_size(&matter->law) * sizeof *old);
        sw_fem_keep_point(t->states, t->e, q, &kept);
    }
    return yields;
}

/* ---- A point of another material ---- */

/* D of the tangent at a point. */
static void moduli_of(const sw_fem_material *material, const sw_fem_tangent *tangent, double *moduli)
{
    const sw_fem_stiffness s = {
        .bulk = sw_fem_bulk(material),
        .shear = sw_fem_shear(material),
        .ratio = tangent->ratio,
        .flow = {tangent->flow[0], tangent->flow[1], tangent->flow[2], tangent->flow[3], tangent->flow[4]}};
    for (int m = 0, at = 0; m < 6; m++) {
        const double unit[6] = {m == 0, m == 1, m == 2, m == 3, m == 4, m == 5};
        double row[6];
        sw_fem_stiffness_apply(&s, unit, row);
        for (int n = m; n < 6; n++, at++)
            moduli[at] = row[n];
    }
}

SW_FEM_INLINE int other_point(sw_fem_kinematics k, const task *t, int q, const double h[3][3],
                              double stress[6], double *moduli)
{
    const sw_fem_point old = sw_fem_load_point(t->states, t->e, q);
    sw_fem_point next;
    int yields;
    if (t->view->matter->finite)
        yields = sw_fem_finite_return(t->material, h, &old, stress, &next, moduli);
    else {
        double strain[6];
        sw_fem_tangent tangent;
        sw_fem_strain_of(h, strain);
        yields = sw_fem_stress_at(k, t->material, strain, &old, stress, &next, &tangent);
        moduli_of(t->material, &tangent, moduli);
    }
    if (t->accept)
        sw_fem_keep_point(t->states, t->e, q, &next);
    return yields;
}

/* ---- All points ---- */

/* Cauchy stresses as equilibrium has them, and moduli over J; counts points that yield. -1: some has no answer. */
SW_FEM_INLINE int all_points(sw_fem_kinematics k, const task *t, const sw_fem_deformed *at,
                             double (*stress)[6], double (*moduli)[SW_FEM_MODULI])
{
    const int Q = sw_fem_corners(k), law = t->material->matter != NULL;
    const struct sw_fem_matter_points *points = t->view->matter;
    sw_fem_deformed was = {.whole = 0};
    int count = 0;
    if (law && points->before != NULL)
        (void)deform(k, t->view, t->e, points->before, &was); /* it was accepted */
    for (int q = 0; q < Q; q++) {
        double h[3][3], before[3][3] = {{0}};
        gradient(k, t->view, at, q, h);
        if (law && points->before != NULL)
            gradient(k, t->view, &was, q, before);
        const int yields = law ? matter_point(t, Q, q, (const double(*)[3])h, (const double(*)[3])before,
                                              stress[q], moduli[q])
                               : other_point(k, t, q, (const double(*)[3])h, stress[q], moduli[q]);
        if (yields < 0)
            return -1;
        count += yields;
        if (t->accept)
            t->states->yielded[t->e * Q + q] = (uint8_t)yields;
        for (int i = 0; i < SW_FEM_MODULI; i++)
            moduli[q][i] *= at->first[q] / at->volume[q];
    }
    sw_fem_make_cauchy(Q, t->view->b_bar, at, stress);
    return count;
}

/* Points of a law as they were accepted: stresses, and elastic moduli. Counts points that yielded. */
static int resting_points(const task *t, int Q, double (*stress)[6], double (*moduli)[SW_FEM_MODULI])
{
    const sw_fem_tangent elastic = {.ratio = 1};
    int count = 0;
    for (int q = 0; q < Q; q++) {
        memcpy(stress[q], stress_of(t, Q, q), sizeof stress[q]);
        moduli_of(t->material, &elastic, moduli[q]);
        count += t->states->yielded[t->e * Q + q];
    }
    return count;
}

/* As sw_fem_finite_state. */
SW_FEM_INLINE int matter_state(sw_fem_kinematics k, const sw_fem_view *view, const sw_fem_material *materials,
                               const sw_fem_states *states, int64_t e, const double *u, double (*forces)[8],
                               int accept, int64_t slot, double *tangents)
{
    const int d = sw_fem_dimension(k), Q = sw_fem_corners(k);
    const task t = {view, &materials[view->material_of[e]], states, e, accept};
    const int law = has_law(view, e); /* without one now: the elastic tangent is wanted */
    double stress[8][6], moduli[8][SW_FEM_MODULI], f[3][8] = {{0}};
    sw_fem_deformed at;
    int count;
    if (!deform(k, view, e, u, &at))
        return -1;
    count = law && (t.material->matter == NULL || (view->matter->rests && slot < 0))
                ? resting_points(&t, Q, stress, moduli)
                : all_points(k, &t, &at, stress, moduli);
    if (count < 0)
        return -1;
    for (int q = 0; q < Q && law && accept; q++)
        memcpy(stress_of(&t, Q, q), stress[q], sizeof stress[q]);
    for (int q = 0; q < Q && slot >= 0; q++) {
        double *to = tangents + q * view->n_plastic + slot;
        for (int i = 0; i < SW_FEM_MODULI; i++)
            to[i * Q * view->n_plastic] = moduli[q][i];
        for (int i = 0; i < 6; i++)
            to[(SW_FEM_FINITE_MODULI + i) * Q * view->n_plastic] = view->matter->finite ? stress[q][i] : 0;
    }
    for (int q = 0; q < Q && forces; q++) {
        sw_fem_place place;
        sw_fem_locate(k, q, (const double(*)[8])at.now, view->thickness, &place);
        sw_fem_spread(k, q, &place, stress[q], f);
    }
    for (int i = 0; i < d && forces; i++)
        sw_fem_coefficients_back(d, f[i], forces[i]);
    return count;
}

/* ---- Diagonal blocks, results ---- */

SW_FEM_INLINE void add_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    sw_fem_finite_strain.blocks[k](view, e, block);
}

/* Stresses are those that were kept. */
SW_FEM_INLINE void results(sw_fem_kinematics k, const sw_fem_view *view, const sw_fem_material *material,
                           const sw_fem_point *point, int64_t e, const double *u, double (*stress)[6],
                           double (*strain)[6], double *volume)
{
    const int Q = sw_fem_corners(k);
    const task t = {.view = view, .material = material, .e = e};
    sw_fem_deformed at;
    if (material->matter == NULL) {
        (view->matter->finite ? &sw_fem_finite_strain : &sw_fem_small_strain)
            ->results[k](view, material, point, e, u, stress, strain, volume);
        return;
    }
    (void)deform(k, view, e, u, &at); /* it was accepted */
    for (int q = 0; q < Q; q++) {
        double h[3][3];
        memcpy(stress[q], stress_of(&t, Q, q), sizeof stress[q]);
        sw_fem_deformation(k, view, &at, q, 0, h);
        if (view->matter->finite)
            sw_fem_logarithmic_strain((const double(*)[3])h, strain[q]);
        else {
            gradient(k, view, &at, q, h);
            sw_fem_strain_of((const double(*)[3])h, strain[q]);
            for (int i = 3; i < 6; i++)
                strain[q][i] *= 0.5;
        }
        volume[q] = at.volume[q];
    }
}

#define FUNCTIONS(name, k) \
    SW_FEM_MEASURE_FUNCTIONS(name, k, matter_state, add_blocks, sw_fem_finite_matrix, results)
SW_FEM_EACH_FINITE(FUNCTIONS)

const sw_fem_measure sw_fem_matter_strain = {
    .tangent_size = SW_FEM_FINITE_SIZE, .steady = 0, SW_FEM_MEASURE_TABLE(SW_FEM_EACH_FINITE)};
