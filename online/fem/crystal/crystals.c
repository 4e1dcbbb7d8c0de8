#include "crystals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/system/threads.h"
#include "online/fem/element/element.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"
#include "online/response/step/check.h"
#include "online/response/step/twins.h"

/* ---- Memory of the host ---- */

static sw_status allocate_here(int64_t bytes, void **memory)
{
    char *room;
    SW_TRY(SW_ALLOCATE(room, bytes, "points of crystals"));
    *memory = room;
    return SW_OK;
}

static sw_status copy_here(void *to, const void *from, int64_t bytes)
{
    memcpy(to, from, (size_t)bytes);
    return SW_OK;
}

static sw_status elastic_here(sw_fem_elastic_task task, const sw_fem_elastic_group *group, int64_t n,
                              int64_t *unfinished)
{
    int64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count) num_threads(sw_threads_for(n, SW_FEM_STATE_NS))
    for (int64_t i = 0; i < n; i++)
        count += sw_fem_elastic_point(task, group, i);
    *unfinished = count;
    return SW_OK;
}

const sw_fem_crystal_memory sw_fem_crystal_memory_cpu = {SW_CPU, allocate_here, free, copy_here,
                                                         elastic_here};

/* ---- Materials ---- */

const sw_material *sw_fem_material_in(const sw_fem_polycrystal *of)
{
    return of->response.material ? of->response.material : sw_database_material(of->response.database);
}

sw_fem_material sw_fem_material_of_crystals(const sw_fem_polycrystal *crystals)
{
    const sw_solver *solver = sw_solver_named(crystals->response.solver);
    const sw_stiffness stiffness = sw_material_stiffness(sw_fem_material_in(crystals));
    const double bulk = solver != NULL ? sw_solver_bulk_modulus(solver, sw_fem_material_in(crystals))
                                       : stiffness.bulk,
                 shear = stiffness.voigt;
    return (sw_fem_material){.young = 9 * bulk * shear / (3 * bulk + shear),
                             .poisson = (3 * bulk - 2 * shear) / (6 * bulk + 2 * shear),
                             .yield_stress = INFINITY,
                             .crystals = crystals};
}

static sw_status check_crystals(const sw_fem_polycrystal *of, int64_t n_elements)
{
    char what[40];
    if (!of->response.material && !of->response.database)
        return sw_error(SW_ERR_RANGE, "crystals: need a database or a material");
    SW_TRY(sw_twins_check_no_children("points with a loading each have", sw_fem_material_in(of)));
    if (of->each < 1 || of->each > 1000000)
        return sw_error(SW_ERR_RANGE, "crystals = %lld: need 1 to 1000000 at a point", (long long)of->each);
    if (of->n_texture < 0 || (of->n_texture > 0 && !of->texture))
        return sw_error(SW_ERR_RANGE, "crystals: a texture of %lld: need 0 or more",
                        (long long)of->n_texture);
    SW_TRY(sw_check_crystals(of->n_texture, of->texture, &(int){1})); /* warned of as responses open */
    if (of->grain && of->each != 1)
        return sw_error(SW_ERR_RANGE, "crystals = %lld: with grains need 1 at a point", (long long)of->each);
    if (of->grain && of->rotated)
        return sw_error(SW_ERR_RANGE,
                        "crystals: grains, whose elements stay alike, are not rotated element by element");
    for (int64_t e = 0; of->grain && e < n_elements; e++)
        if (of->grain[e] < 0 || (of->n_texture > 0 && of->grain[e] >= of->n_texture))
            return sw_error(SW_ERR_RANGE,
                            "element %lld: grain %d: need 0 to %lld, as many as crystals of the texture",
                            (long long)e + 1, of->grain[e], (long long)of->n_texture - 1);
    for (int64_t e = 0; of->slip_resistance && e < n_elements; e++) {
        snprintf(what, sizeof what, "element %lld", (long long)e + 1);
        SW_TRY(sw_check_resistance(what, of->slip_resistance[e]));
    }
    double sum = 0;
    for (int64_t i = 0; of->weight && i < of->n_texture; i++) {
        if (!(of->weight[i] >= 0) || !isfinite(of->weight[i]))
            return sw_error(SW_ERR_RANGE, "crystal %lld of the texture: weight %g: need 0 or more",
                            (long long)i + 1, of->weight[i]);
        sum += of->weight[i];
    }
    return !of->weight || of->n_texture == 0 || sum > 0
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "crystals: all weights of the texture are 0");
}

sw_status sw_fem_crystals_check(const sw_fem_problem *p)
{
    for (int i = 0; i < p->n_materials; i++) {
        if (!p->material[i].crystals)
            continue;
        if (p->strain != SW_FEM_FINITE)
            return sw_error(SW_ERR_RANGE, "materials of crystals are for strain finite");
        SW_TRY(check_crystals(p->material[i].crystals, p->mesh->n_elements));
    }
    return SW_OK;
}

/* ---- Open ---- */

/* Elements of crystals by material: places and groups. */
static sw_status find_places(const sw_fem *fem, sw_fem_crystals *c)
{
    const sw_fem_problem *p = fem->problem;
    int32_t n = 0;
    SW_TRY(SW_ALLOCATE(c->place, fem->n_elements, "points of crystals"));
    SW_TRY(SW_ALLOCATE(c->group_of, fem->n_elements, "points of crystals"));
    SW_TRY(SW_ALLOCATE(c->group, p->n_materials, "crystals"));
    for (int64_t e = 0; e < fem->n_elements; e++)
        c->place[e] = c->group_of[e] = -1;
    for (int i = 0; i < p->n_materials; i++) {
        if (!p->material[i].crystals)
            continue;
        sw_fem_crystal_group *group = &c->group[c->n_groups];
        const sw_fem_polycrystal *of = p->material[i].crystals;
        const float s0 = (float)sw_material_slip_resistance(sw_fem_material_in(of));
        *group = (sw_fem_crystal_group){
            .of = of, .draw = sw_fem_draw_of(of, s0), .first = (int64_t)n * c->corners};
        for (int64_t e = 0; e < fem->n_elements; e++)
            if ((p->material_of ? p->material_of[e] : 0) == i) {
                c->place[e] = n++;
                c->group_of[e] = (int16_t)c->n_groups;
            }
        group->points = (int64_t)n * c->corners - group->first;
        c->n_groups += group->points > 0;
    }
    c->n_points = (int64_t)n * c->corners;
    return SW_OK;
}

/* Whether crystals are random ones that the device can number itself: those of elements one after the other. */
static int numbered(const sw_fem_polycrystal *of, int64_t n_elements, const int32_t *list)
{
    return of->n_texture == 0 && !of->grain && !of->rotated && !of->slip_resistance &&
           list[n_elements - 1] - list[0] == n_elements - 1;
}

/* Mean slip resistances of points [n] of crystals [n each]. */
static void mean_resistances(const sw_polycrystal_draw *draw, int64_t n, const sw_crystal *crystal,
                             sw_fem_crystal_point *point)
{
    for (int64_t p = 0; p < n; p++) {
        double sum = 0, weights = 0;
        for (int64_t i = 0; i < draw->each; i++) {
            const double weight = sw_polycrystal_is_weighted(draw) ? draw->weight[i] : 1;
            sum += weight * crystal[p * draw->each + i].slip_resistance;
            weights += weight;
        }
        point[p].slip_resistance = sum / weights;
    }
}

/* The crystals of a group's elements, a chunk at a time through the host, and what its points begin with. */
static sw_status fill_in_chunks(const sw_fem_crystals *c, const sw_fem_crystal_group *group,
                                int64_t n_elements, const int32_t *list, sw_fem_crystal_point *point)
{
    enum { AT_A_TIME = 1 << 20 }; /* crystals */
    const int64_t each = c->corners * group->of->each;
    const int64_t chunk = each < AT_A_TIME ? AT_A_TIME / each : 1;
    sw_crystal *crystal;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(crystal, (n_elements < chunk ? n_elements : chunk) * each, "crystals"));
    for (int64_t first = 0; first < n_elements && status == SW_OK; first += chunk) {
        const int64_t n = n_elements - first < chunk ? n_elements - first : chunk;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n *each, 100))
        for (int64_t i = 0; i < n; i++)
            sw_fem_first_crystals(group->of, &group->draw, list[first + i], c->corners, crystal + i * each);
        mean_resistances(&group->draw, n * c->corners, crystal, point + first * c->corners);
        status =
            sw_crystals_copy(c->memory->device, n * each, group->crystals.crystal + first * each, crystal);
    }
    free(crystal);
    return status;
}

static sw_status fill(const sw_fem_crystals *c, const sw_fem_crystal_group *group, int64_t n_elements,
                      const int32_t *list)
{
    const sw_fem_polycrystal *of = group->of;
    const float s0 = group->draw.slip_resistance;
    sw_fem_crystal_point *point;
    sw_status status;
    SW_TRY(SW_ALLOCATE(point, group->points, "points of crystals"));
    if (numbered(of, n_elements, list)) {
        for (int64_t p = 0; p < group->points; p++)
            point[p].slip_resistance = s0;
        status = sw_crystals_randomise(c->memory->device, group->points * of->each, group->crystals.crystal,
                                       of->seed, list[0] * c->corners * of->each, s0);
    } else {
        status = fill_in_chunks(c, group, n_elements, list, point);
    }
    if (status == SW_OK)
        status =
            c->memory->copy(c->view.history + group->first, point, group->points * (int64_t)sizeof *point);
    free(point);
    return status;
}

static sw_status fill_weights(const sw_fem_crystals *c, const sw_fem_crystal_group *group)
{
    const int64_t each = c->corners * group->of->each, n = group->points / c->corners;
    float *weight;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(weight, each, "weights of crystals"));
    sw_polycrystal_draw_weights(&group->draw, c->corners, weight);
    for (int64_t i = 0; i < n && status == SW_OK; i++)
        status = c->memory->copy(group->weight + i * each, weight, each * (int64_t)sizeof *weight);
    free(weight);
    return status;
}

/* By elements' volumes [n], where they differ. */
static sw_status fill_volume_weights(sw_fem *fem, const sw_fem_crystals *c, sw_fem_crystal_group *group,
                                     int64_t n, const double *volume)
{
    const int64_t each = c->corners * group->of->each, bytes = each * (int64_t)sizeof(float);
    float *weight, *own;
    sw_status status = SW_OK;
    SW_TRY(c->memory->allocate(n * bytes, (void **)&group->volume_weight));
    sw_fem_count_bytes(fem, n * bytes);
    SW_TRY(SW_ALLOCATE(weight, 2 * each, "weights of crystals"));
    own = weight + each;
    for (int64_t i = 0; i < each; i++)
        own[i] = 1;
    if (sw_polycrystal_is_weighted(&group->draw))
        sw_polycrystal_draw_weights(&group->draw, c->corners, own);
    for (int64_t k = 0; k < n && status == SW_OK; k++) {
        for (int64_t i = 0; i < each; i++)
            weight[i] = (float)(own[i] * volume[k] * (double)n / group->volume);
        status = c->memory->copy(group->volume_weight + k * each, weight, bytes);
    }
    free(weight);
    return status;
}

/* What elements count in means over the body. */
static sw_status weigh_elements(sw_fem *fem, const sw_fem_crystals *c, sw_fem_crystal_group *group,
                                int number)
{
    const double alike = 1e-6; /* as far as single precision tells */
    double *volume, least = INFINITY, most = 0;
    int64_t n = 0;
    SW_TRY(SW_ALLOCATE(volume, group->points / c->corners, "volumes of elements"));
    for (int64_t e = 0; e < fem->n_elements; e++)
        if (c->group_of[e] == number) {
            volume[n] = sw_fem_element_volume(fem->problem, e);
            group->volume += volume[n];
            least = fmin(least, volume[n]);
            most = fmax(most, volume[n++]);
        }
    const int remembers = sw_state_field_find(sw_response_layout(group->response), "family_slip") != NULL;
    const sw_status status =
        remembers && most - least > alike * most ? fill_volume_weights(fem, c, group, n, volume) : SW_OK;
    free(volume);
    return status;
}

static sw_status open_elastic(sw_fem *fem, const sw_fem_crystals *c, sw_fem_crystal_group *group)
{
    sw_fem_elastic_points *e = &group->elastic;
    const int64_t n = group->points;
    SW_TRY(c->memory->allocate(n * (int64_t)sizeof *e->accepted, (void **)&e->accepted));
    SW_TRY(c->memory->allocate(n * (int64_t)sizeof *e->plastic, (void **)&e->plastic));
    SW_TRY(c->memory->allocate(n * (int64_t)sizeof *e->search, (void **)&e->search));
    SW_TRY(c->memory->allocate(n * (int64_t)sizeof *e->given, (void **)&e->given));
    SW_TRY(c->memory->allocate((int64_t)sizeof *e->unfinished, (void **)&e->unfinished));
    if (group->response->homogenization->meet != NULL) {
        SW_TRY(c->memory->allocate(n * (int64_t)sizeof *e->condition, (void **)&e->condition));
        SW_TRY(c->memory->allocate(n * (int64_t)sizeof *e->found, (void **)&e->found));
        sw_fem_count_bytes(fem, n * (int64_t)(sizeof *e->condition + sizeof *e->found));
    }
    sw_fem_count_bytes(
        fem, n * (int64_t)(sizeof *e->accepted + sizeof *e->plastic + sizeof *e->search + sizeof *e->given) +
                 (int64_t)sizeof *e->unfinished);
    return SW_OK;
}

static sw_status open_group(sw_fem *fem, sw_fem_crystals *c, sw_fem_crystal_group *group, int number)
{
    sw_response_options options = group->of->response;
    const int64_t n = group->points * group->of->each;
    int32_t *list;
    int64_t n_elements = 0;
    options.device = c->memory->device;
    SW_TRY(sw_response_open(&options, &group->response));
    SW_TRY(sw_check_crystals(group->of->n_texture, group->of->texture, &group->response->doubted));
    const sw_solver_functions *functions = group->response->functions;
    if (functions->step != NULL)
        return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: has no points with a loading each: need another",
                        options.solver);
    c->view.couples |= sw_response_takes_volume(group->response);
    group->has_tangent = functions->tangent == SW_TANGENT_OWN ||
                         (functions->tangent == SW_TANGENT_OF_TABLE && !options.nearest);
    if (!group->response->solver->traits.has_history) /* and so no elastic strains */
        SW_TRY(open_elastic(fem, c, group));
    SW_TRY(sw_crystals_make(group->response, n, &group->crystals));
    SW_TRY(sw_crystals_make(group->response, n, &group->tried));
    sw_fem_count_bytes(
        fem,
        2 * n * ((int64_t)sizeof(sw_crystal) + 4 * (int64_t)sw_response_layout(group->response)->numbers));
    if (sw_polycrystal_is_weighted(&group->draw)) {
        SW_TRY(c->memory->allocate(n * (int64_t)sizeof(float), (void **)&group->weight));
        SW_TRY(fill_weights(c, group));
        sw_fem_count_bytes(fem, n * (int64_t)sizeof(float));
    }
    group->crystals.weight = group->tried.weight = group->weight;
    SW_TRY(weigh_elements(fem, c, group, number));
    SW_TRY(SW_ALLOCATE(list, group->points / c->corners, "elements of crystals"));
    for (int64_t e = 0; e < fem->n_elements; e++)
        if (c->group_of[e] == number)
            list[n_elements++] = fem->whole_element ? fem->whole_element[e] : (int32_t)e;
    sw_status status = fill(c, group, n_elements, list);
    free(list);
    return status == SW_OK ? sw_crystals_begin(group->response, &group->crystals) : status;
}

static sw_status open_view(sw_fem *fem, sw_fem_crystals *c)
{
    sw_fem_crystal_view *v = &c->view;
    const struct {
        const void **array;
        int64_t bytes; /* of a point */
    } arrays[] = {{(const void **)&v->gradient, sizeof *v->gradient},
                  {(const void **)&v->stress, sizeof *v->stress},
                  {(const void **)&c->ends, sizeof *c->ends},
                  {(const void **)&v->by_strain_rate, sizeof *v->by_strain_rate},
                  {(const void **)&v->by_spin, sizeof *v->by_spin},
                  {(const void **)&v->slip_resistance, sizeof *v->slip_resistance},
                  {(const void **)&v->slip_rate, sizeof *v->slip_rate},
                  {(const void **)&v->history, sizeof *v->history}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        SW_TRY(c->memory->allocate(arrays[i].bytes * c->n_points, (void **)arrays[i].array));
    SW_TRY(c->memory->allocate(fem->n_elements * (int64_t)sizeof *c->place, (void **)&v->place));
    sw_fem_count_bytes(fem, c->n_points * SW_FEM_CRYSTAL_BYTES + fem->n_elements * (int64_t)sizeof *c->place);
    v->rests = 1;
    return c->memory->copy((void *)v->place, c->place, fem->n_elements * (int64_t)sizeof *c->place);
}

sw_status sw_fem_crystals_open(sw_fem *fem, const sw_fem_crystal_memory *memory)
{
    sw_fem_crystals *c;
    int any = 0;
    for (int i = 0; i < fem->problem->n_materials; i++)
        any |= fem->problem->material[i].crystals != NULL;
    if (!any)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(c, 1, "crystals"));
    fem->crystals = c;
    c->memory = memory;
    c->corners = sw_fem_corners(fem->problem->kinematics);
    SW_TRY(find_places(fem, c));
    SW_TRY(open_view(fem, c));
    for (int i = 0; i < c->n_groups; i++)
        SW_TRY(open_group(fem, c, &c->group[i], i));
    return SW_OK;
}

void sw_fem_crystals_close(sw_fem *fem)
{
    sw_fem_crystals *c = fem->crystals;
    if (!c)
        return;
    for (int i = 0; i < c->n_groups; i++) {
        sw_crystals_release(&c->group[i].crystals);
        sw_crystals_release(&c->group[i].tried);
        c->memory->release(c->group[i].weight);
        c->memory->release(c->group[i].volume_weight);
        c->memory->release(c->group[i].elastic.accepted);
        c->memory->release(c->group[i].elastic.plastic);
        c->memory->release(c->group[i].elastic.search);
        c->memory->release(c->group[i].elastic.given);
        c->memory->release(c->group[i].elastic.condition);
        c->memory->release(c->group[i].elastic.found);
        c->memory->release(c->group[i].elastic.unfinished);
        sw_response_close(c->group[i].response);
    }
    const void *const arrays[] = {c->view.place,          c->view.gradient, c->view.stress,
                                  c->view.by_strain_rate, c->view.by_spin,  c->view.slip_resistance,
                                  c->view.slip_rate,      c->view.history,  c->ends};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        c->memory->release((void *)arrays[i]);
    free(c->group);
    free(c->place);
    free(c->group_of);
    free(c);
    fem->crystals = NULL;
}

/* ---- Steps ---- */

/* The crystals of a group answer to velocity gradients, with derivatives if their solver has any. */
static sw_status answer(const sw_fem_crystals *c, const sw_fem_crystal_group *group, double (*given)[3][3],
                        const sw_point_condition *condition)
{
    const sw_fem_crystal_view *v = &c->view;
    const int64_t at = group->first;
    const int wants = group->has_tangent && (c->wants_slopes || group->elastic.plastic);
    const sw_points points = {.points = group->points,
                              .each = group->of->each,
                              .velocity_gradient = (const double(*)[3][3])given,
                              .dt = v->dt,
                              .condition = condition,
                              .found = condition != NULL ? group->elastic.found : NULL,
                              .from = &group->crystals,
                              .to = c->looks && !group->elastic.plastic ? NULL : &group->tried,
                              .stress = (double(*)[6])(v->stress + at),
                              .slip_resistance = c->looks ? NULL : (double *)v->slip_resistance + at,
                              .slip_rate = c->looks ? NULL : (double *)v->slip_rate + at,
                              .by_strain_rate = wants ? (double(*)[6][6])(v->by_strain_rate + at) : NULL,
                              .by_spin = wants ? (double(*)[6][3])(v->by_spin + at) : NULL};
    return sw_response_step_each(group->response, &points);
}

static sw_fem_elastic_group elastic_group(const sw_fem_crystals *c, const sw_fem_crystal_group *group)
{
    const sw_fem_crystal_view *v = &c->view;
    const int64_t at = group->first;
    const sw_material *material = sw_fem_material_in(group->of);
    return (sw_fem_elastic_group){.step = {sw_material_stiffness(material).voigt, v->dt,
                                           material->slip.rate_sensitivity, group->has_tangent, 0},
                                  .of = group->elastic,
                                  .gradient = (const double(*)[3][3])(v->gradient + at),
                                  .stress = (double(*)[6])(v->stress + at),
                                  .by_strain_rate = (double(*)[6][6])(v->by_strain_rate + at),
                                  .by_spin = (double(*)[6][3])(v->by_spin + at)};
}

/* A polycrystal that is held finds its plastic rate itself. SW_ERR_CONVERGENCE where some do not. */
static sw_status find_plastic(const sw_fem_crystals *c, const sw_fem_crystal_group *group)
{
    const sw_fem_elastic_group g = elastic_group(c, group);
    int64_t none;
    SW_TRY(c->memory->elastic(SW_FEM_ELASTIC_BEGIN, &g, group->points, &none));
    SW_TRY(answer(c, group, group->elastic.given, group->elastic.condition));
    return c->memory->elastic(SW_FEM_ELASTIC_FIND, &g, group->points, &none);
}

/* By answers to plastic rates that are tried. */
static sw_status seek_plastic(const sw_fem_crystals *c, const sw_fem_crystal_group *group)
{
    const int64_t n = group->points;
    sw_fem_elastic_group g = elastic_group(c, group);
    int64_t unfinished = 0;
    SW_TRY(c->memory->elastic(SW_FEM_ELASTIC_BEGIN, &g, n, &unfinished));
    for (int i = 0; i < SW_FEM_ELASTIC_MOST && unfinished > 0; i++) {
        g.step.tolerance = fmin(SW_FEM_ELASTIC_TOLERATED, SW_FEM_ELASTIC_TOLERANCE * pow(2, fmax(0, i - 3)));
        SW_TRY(answer(c, group, group->elastic.given, NULL));
        SW_TRY(c->memory->elastic(SW_FEM_ELASTIC_ITERATE, &g, n, &unfinished));
    }
    if (unfinished > 0)
        return sw_error(SW_ERR_CONVERGENCE,
                        "%lld points of crystals: solver %s finds no division into elastic and plastic "
                        "strain: elastoplastic needs none",
                        (long long)unfinished, group->of->response.solver);
    return SW_OK;
}

/* A solver without elastic strains: elastic.h. */
static sw_status try_elastic(const sw_fem_crystals *c, const sw_fem_crystal_group *group)
{
    const sw_fem_elastic_group g = elastic_group(c, group);
    int64_t none;
    sw_status status = group->elastic.condition != NULL ? find_plastic(c, group) : SW_ERR_CONVERGENCE;
    if (status == SW_ERR_CONVERGENCE)
        status = seek_plastic(c, group);
    return status != SW_OK ? status : c->memory->elastic(SW_FEM_ELASTIC_FINISH, &g, group->points, &none);
}

sw_status sw_fem_crystals_look(sw_fem_crystals *c, int looks)
{
    const int64_t bytes = c->n_points * (int64_t)sizeof *c->ends;
    double(*const stress)[6] = (double(*)[6])c->view.stress;
    c->looks = looks;
    c->looked = 1;
    for (int i = 0; i < c->n_groups; i++)
        c->tried &= c->group[i].elastic.plastic == NULL;
    return looks ? c->memory->copy(c->ends, stress, bytes) : c->memory->copy(stress, c->ends, bytes);
}

sw_status sw_fem_crystals_try(sw_fem_crystals *c)
{
    int always = 1;                           /* where elasticity is the point's, its division needs them */
    if (c->looked && c->tried && !c->looks) { /* that last try again: its gradients were all that was lost */
        c->looked = 0;
        return SW_OK;
    }
    if (!c->looks)
        c->tried = c->looked = 0;
    for (int i = 0; i < c->n_groups; i++) {
        const sw_fem_crystal_group *group = &c->group[i];
        always &= group->elastic.plastic != NULL;
        SW_TRY(group->elastic.plastic ? try_elastic(c, group)
                                      : answer(c, group, c->view.gradient + group->first, NULL));
    }
    if (c->looks)
        return SW_OK;
    c->tried = 1;
    c->has_slopes = c->wants_slopes || always;
    return SW_OK;
}

void sw_fem_want_slopes(sw_fem *fem, int wanted)
{
    if (fem->crystals)
        fem->crystals->wants_slopes = wanted;
}

sw_status sw_fem_crystals_need_slopes(sw_fem_crystals *c)
{
    const int wanted = c->wants_slopes, tried = c->tried;
    if (c->has_slopes)
        return SW_OK;
    c->wants_slopes = 1;
    const sw_status status = sw_fem_crystals_try(c);
    c->wants_slopes = wanted;
    c->tried = tried && c->tried;
    return status;
}

sw_status sw_fem_crystals_accept(sw_fem_crystals *c)
{
    for (int i = 0; i < c->n_groups; i++) {
        sw_fem_crystal_group *group = &c->group[i];
        const sw_fem_elastic_group g = elastic_group(c, group);
        int64_t none;
        sw_crystals_swap(&group->crystals, &group->tried);
        if (group->elastic.plastic)
            SW_TRY(c->memory->elastic(SW_FEM_ELASTIC_TAKE, &g, group->points, &none));
    }
    c->tried = 0;
    return SW_OK;
}

/* ---- Numbers of them, in and out ---- */

const sw_state_layout *sw_fem_layout_of(const sw_fem_polycrystal *of)
{
    const sw_solver *solver = sw_solver_named(of->response.solver);
    const sw_homogenization *homogenization;
    if (solver == NULL || sw_homogenization_find(of->response.homogenization, &homogenization) != SW_OK)
        return NULL;
    return sw_homogenization_layout(homogenization, solver, sw_fem_material_in(of));
}

int64_t sw_fem_state_values(const sw_fem_polycrystal *of)
{
    const sw_state_layout *layout = sw_fem_layout_of(of);
    return layout != NULL ? sw_state_values(layout) : 0;
}

sw_fem_crystal_count sw_fem_crystal_counts(const sw_fem_problem *p)
{
    const int64_t Q = sw_fem_corners(p->kinematics);
    sw_fem_crystal_count count = {0};
    for (int64_t e = 0; e < p->mesh->n_elements; e++) {
        const sw_fem_polycrystal *of = p->material[p->material_of ? p->material_of[e] : 0].crystals;
        if (!of)
            continue;
        count.points += Q;
        count.crystals += Q * of->each;
        count.kept += Q * of->each * sw_fem_state_values(of);
    }
    return count;
}

sw_status sw_fem_crystals_save(const sw_fem_crystals *c, sw_fem_crystal_point *points, sw_crystal *crystal,
                               double *kept)
{
    if (points)
        SW_TRY(c->memory->copy(points, c->view.history, c->n_points * (int64_t)sizeof *points));
    for (int i = 0; i < c->n_groups; i++) {
        const sw_fem_crystal_group *group = &c->group[i];
        const int64_t n = group->points * group->of->each;
        if (crystal) {
            SW_TRY(sw_crystals_copy(c->memory->device, n, crystal, group->crystals.crystal));
            crystal += n;
        }
        if (kept) {
            SW_TRY(sw_crystals_save(&group->crystals, kept));
            kept += n * sw_state_values(group->crystals.layout);
        }
    }
    return SW_OK;
}

/* What a group without elastic strains of its own keeps of its points' stresses. */
static sw_status restore_stress(const sw_fem_crystals *c, const sw_fem_crystal_group *group,
                                int64_t n_elements, const sw_fem_point *state)
{
    const int Q = c->corners;
    double(*stress)[6];
    SW_TRY(SW_ALLOCATE(stress, group->points, "points of crystals"));
    for (int64_t e = 0; e < n_elements; e++) {
        const int64_t at = (int64_t)c->place[e] * Q - group->first;
        if (c->place[e] < 0 || at < 0 || at >= group->points)
            continue;
        for (int q = 0; q < Q; q++)
            memcpy(stress[at + q], state[e * Q + q].stress, sizeof stress[0]);
    }
    const sw_status status =
        c->memory->copy(group->elastic.accepted, stress, group->points * (int64_t)sizeof *stress);
    free(stress);
    return status;
}

sw_status sw_fem_crystals_restore(sw_fem_crystals *c, const sw_fem_state *state, int64_t n_elements)
{
    const sw_crystal *crystal = state->crystal;
    const double *kept = state->kept;
    SW_TRY(c->memory->copy(c->view.history, state->crystal_points,
                           c->n_points * (int64_t)sizeof *state->crystal_points));
    for (int i = 0; i < c->n_groups; i++) {
        sw_fem_crystal_group *group = &c->group[i];
        const int64_t n = group->points * group->of->each;
        SW_TRY(sw_crystals_copy(c->memory->device, n, group->crystals.crystal, crystal));
        SW_TRY(sw_crystals_restore(&group->crystals, kept));
        crystal += n;
        kept += n * sw_state_values(group->crystals.layout);
        if (group->elastic.accepted)
            SW_TRY(restore_stress(c, group, n_elements, state->points));
    }
    return SW_OK;
}

sw_status sw_fem_read_part_crystals(sw_fem *fem, int64_t e, sw_crystal *crystal, float *weight)
{
    const sw_fem_crystals *c = fem->crystals;
    if (!c || e < 0 || e >= fem->n_elements || c->place[e] < 0)
        return sw_error(SW_ERR_RANGE, "element %lld: has no crystals", (long long)e + 1);
    const sw_fem_crystal_group *group = &c->group[c->group_of[e]];
    const int64_t each = c->corners * group->of->each;
    const int64_t at = ((int64_t)c->place[e] * c->corners - group->first) * group->of->each;
    for (int64_t i = 0; weight && i < each; i++)
        weight[i] = 1;
    if (weight && sw_polycrystal_is_weighted(&group->draw))
        sw_polycrystal_draw_weights(&group->draw, c->corners, weight);
    return sw_crystals_copy(c->memory->device, each, crystal, group->crystals.crystal + at);
}
