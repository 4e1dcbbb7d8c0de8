/* The model as a problem of structures. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "online/fem/deck/model.h"
#include "contacts.h"
#include "steps.h"
#include "online/fem/deck/tying.h"

/* ---- Unknowns of conditions ---- */

/* Unknowns of what is prescribed and loaded, [n]; -1: there is none, and nothing of it is wanted. This may make nodes. */
static sw_status find_unknowns(sw_deck *deck, const sw_deck_step *step, sw_deck_condition_kind kind,
                               int64_t **unknowns)
{
    SW_TRY(SW_ALLOCATE(*unknowns, step->n[kind] + 1, "unknowns of a step"));
    for (int64_t i = 0; i < step->n[kind]; i++) {
        const sw_deck_condition *c = &step->condition[kind][i];
        if (kind == SW_DECK_FIXED) {
            SW_TRY(sw_deck_unknown(deck, c->of, c->part + 1, &(*unknowns)[i]));
            SW_TRY(sw_deck_prescribe(deck, c->of, c->part + 1));
        } else
            SW_TRY(sw_deck_loaded(deck, c->of, c->part + 1, &(*unknowns)[i]));
        if ((*unknowns)[i] < 0 && c->to != 0 && !isnan(c->to))
            return sw_error(SW_ERR_INPUT,
                            "%s:%" PRId64 ": %s: component %d of node %" PRId64
                            " is %g, but it has no rotations",
                            c->line->path, c->line->line, kind == SW_DECK_FIXED ? "*BOUNDARY" : "*CLOAD",
                            c->part + 1, deck->node[c->of].label, c->to);
    }
    return SW_OK;
}

static sw_status make_values(const sw_deck_step *step, sw_deck_condition_kind kind, const int64_t *unknown,
                             int64_t *n, sw_structure_value **values)
{
    for (int64_t i = 0; i < step->n[kind]; i++) {
        const sw_deck_condition *c = &step->condition[kind][i];
        if (unknown[i] < 0 || (kind != SW_DECK_FIXED && c->from == 0 && c->to == 0))
            continue;
        SW_TRY(SW_DECK_ROOM(*values, *n));
        (*values)[(*n)++] = (sw_structure_value){unknown[i], c->from, c->to, c->amplitude};
    }
    return SW_OK;
}

/* ---- Elements ---- */

/* Whether the analysis has the element, after shells and beams have become others. */
static int is_solid(const sw_deck_element *e) { return e->formulation != NULL; }

/* Axes of an orientation at an element's middle. */
static sw_status axes_of(const sw_deck *deck, const sw_deck_element *e, int orientation, double rows[3][3])
{
    double middle[3] = {0, 0, 0};
    SW_TRY(sw_deck_orientation_at(deck, e - deck->element, &orientation));
    for (int k = 0; k < e->n_nodes; k++)
        for (int i = 0; i < 3; i++)
            middle[i] += deck->node[deck->member[e->first + k]].at[i] / e->n_nodes;
    sw_deck_axes_at(&deck->axes[orientation], middle, rows);
    return SW_OK;
}

static sw_status add_section(sw_deck *deck, const sw_deck_element *e, int32_t section, int32_t *place)
{
    sw_structure_problem *p = &deck->problem;
    const sw_deck_section *of = &deck->section[section];
    SW_TRY(SW_DECK_ROOM(p->section, p->n_sections));
    sw_structure_section *made = &p->section[p->n_sections];
    *made = (sw_structure_section){.matter = of->material,
                                   .thickness = of->thickness,
                                   .by_nodes = of->by_nodes,
                                   .turned = of->orientation >= 0};
    if (made->turned)
        SW_TRY(axes_of(deck, e, of->orientation, made->axes));
    *place = p->n_sections++;
    return SW_OK;
}

/* Sections of the deck are those of the problem, but one an element where axes change from place to place. */
static sw_status place_section(sw_deck *deck, const sw_deck_element *e, int32_t *made, int32_t *place)
{
    const sw_deck_section *of = &deck->section[e->section];
    const sw_deck_axes *axes = of->orientation >= 0 ? &deck->axes[of->orientation] : NULL;
    const int moves = axes != NULL && (axes->system == SW_DECK_CYLINDRICAL || axes->distribution != NULL);
    if (!moves && made[e->section] > 0) {
        *place = made[e->section] - 1;
        return SW_OK;
    }
    SW_TRY(add_section(deck, e, e->section, place));
    made[e->section] = *place + 1;
    return SW_OK;
}

static sw_status check_material(const sw_deck *deck, const sw_deck_element *e)
{
    if (e->section < 0)
        return sw_deck_complain_of(e, "has no section, and so no material");
    return deck->section[e->section].material < 0 ? sw_deck_complain_of(e, "has a section without material")
                                                  : SW_OK;
}

static sw_status check_element(const sw_deck *deck, const sw_deck_element *e)
{
    switch (e->type->kind) {
    case SW_DECK_FORMULATION:
        return check_material(deck, e);
    case SW_DECK_SHELL:
    case SW_DECK_BEAM:
    case SW_DECK_TRUSS:
    case SW_DECK_MEMBRANE:
        if (e->formulation != NULL)
            return check_material(deck, e);
        return e->n_expanded != 0 ? SW_OK : sw_deck_complain_of(e, "is not computed");
    case SW_DECK_SPRING:
    case SW_DECK_COUPLING_ELEMENT:
    case SW_DECK_MASS:
    case SW_DECK_SURFACE_ELEMENT:
        return SW_OK;
    }
    return SW_OK;
}

/* Of nodes of plane bodies whose sections leave it to them. */
static sw_status make_thicknesses(sw_deck *deck)
{
    sw_structure_problem *p = &deck->problem;
    int any = 0;
    for (int k = 0; k < p->n_sections; k++)
        any |= p->section[k].by_nodes;
    if (!any)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(p->thickness, p->n_nodes + 1, "thicknesses of nodes"));
    for (int64_t e = 0; e < p->n_elements; e++) {
        const sw_structure_element *of = &p->element[e];
        for (int a = 0; a < of->formulation->topology->n_nodes; a++) {
            const int64_t node = p->node[of->first + a];
            const double given = sw_deck_thickness_of(deck, node);
            p->thickness[node] = given > 0 ? given : p->section[of->section].thickness;
        }
    }
    return SW_OK;
}

/* Whose sections Abaqus takes as those of incompressible bodies. */
static int is_thin(const sw_deck *deck, const sw_deck_element *e)
{
    const sw_deck_element_kind kind =
        e->n_expanded == SW_DECK_MADE ? deck->element[e->expanded].type->kind : e->type->kind;
    return deck->dialect == SW_DECK_ABAQUS &&
           (kind == SW_DECK_SHELL || kind == SW_DECK_MEMBRANE || kind == SW_DECK_TRUSS);
}

static int of_linear_shell(const sw_deck *deck, const sw_deck_element *made)
{
    const sw_deck_type *of = made->n_expanded == SW_DECK_MADE ? deck->element[made->expanded].type : NULL;
    return of != NULL && of->kind == SW_DECK_SHELL && of->n_nodes <= 4;
}

static sw_status make_elements(sw_deck *deck, int32_t *made)
{
    sw_structure_problem *p = &deck->problem;
    SW_TRY(SW_ALLOCATE(p->element, deck->n_elements + 1, "elements of a deck"));
    SW_TRY(SW_ALLOCATE(p->node, deck->n_members + 1, "nodes of elements"));
    SW_TRY(SW_ALLOCATE(deck->element_place, deck->n_elements + 1, "places of elements"));
    if (deck->n_members > 0)
        memcpy(p->node, deck->member, (size_t)deck->n_members * sizeof *p->node);
    p->n_members = deck->n_members;
    for (int64_t i = 0; i < deck->n_elements; i++) {
        const sw_deck_element *e = &deck->element[i];
        deck->element_place[i] = -1;
        SW_TRY(check_element(deck, e));
        if (!is_solid(e))
            continue;
        int32_t section;
        SW_TRY(place_section(deck, e, made, &section));
        deck->element_place[i] = (int32_t)p->n_elements;
        p->element[p->n_elements++] =
            (sw_structure_element){.formulation = e->formulation,
                                   .first = e->first,
                                   .section = section,
                                   .label = e->label,
                                   .of = e->n_expanded == SW_DECK_MADE ? e->expanded : (int32_t)i,
                                   .thin = is_thin(deck, e),
                                   .linear_shell = of_linear_shell(deck, e)};
    }
    return p->n_elements > 0 || p->n_springs > 0
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "%s: has no elements that carry load", deck->path);
}

static sw_status make_nodes(sw_deck *deck)
{
    sw_structure_problem *p = &deck->problem;
    const sw_deck_offspring *child;
    int n;
    SW_TRY(SW_ALLOCATE(p->position, deck->n_nodes + 1, "nodes of a deck"));
    SW_TRY(SW_ALLOCATE(p->node_label, deck->n_nodes + 1, "nodes of a deck"));
    SW_TRY(SW_ALLOCATE(p->made_of, deck->n_nodes + 1, "nodes of a deck"));
    memset(p->made_of, -1, (size_t)deck->n_nodes * sizeof *p->made_of);
    p->n_nodes = deck->n_nodes;
    for (int64_t i = 0; i < deck->n_nodes; i++) {
        memcpy(p->position[i], deck->node[i].at, sizeof p->position[i]);
        p->node_label[i] = deck->node[i].label;
        sw_deck_offspring_of(deck, i, &n, &child);
        for (int k = 0; k < n; k++)
            p->made_of[child[k].node] = (int32_t)i;
    }
    return SW_OK;
}

/* Those of the deck's own nodes, of their copies in cuts, and of what nodes of shells and beams became. */
static sw_status make_temperatures(sw_deck *deck)
{
    double *all;
    SW_TRY(SW_ALLOCATE(all, deck->n_nodes + 1, "temperatures of nodes"));
    for (int64_t i = 0; deck->problem.temperature != NULL && i < deck->n_nodes; i++) {
        int n;
        const sw_deck_offspring *child;
        const int64_t origin = sw_deck_origin_of(deck, i);
        if (origin >= deck->n_deck_nodes)
            continue;
        sw_deck_offspring_of(deck, i, &n, &child);
        all[i] = deck->problem.temperature[origin];
        for (int k = 0; k < n; k++)
            all[child[k].node] = all[i];
    }
    free(deck->problem.temperature);
    deck->problem.temperature = all;
    return SW_OK;
}

/* ---- Steps ---- */

static sw_status keep_load(sw_structure_step *to, const sw_structure_load *load)
{
    SW_TRY(SW_DECK_ROOM(to->load, to->n_loads));
    to->load[to->n_loads++] = *load;
    return SW_OK;
}

static sw_status need_density(const sw_deck *deck, const sw_deck_condition *c)
{
    const sw_deck_element *e = &deck->element[c->of];
    const int section = e->type->kind == SW_DECK_MASS ? -1 : e->section;
    const int matter = section >= 0 ? deck->section[section].material : -1;
    return matter < 0 || deck->problem.matter[matter].density > 0
               ? SW_OK
               : sw_error(SW_ERR_INPUT,
                          "%s:%" PRId64 ": *DLOAD: element %" PRId64 ": its material %s has no density",
                          c->line->path, c->line->line, e->label, deck->problem.matter[matter].name);
}

/* Gravity or the spin of a mass is a force on its node, which is where it was. */
static sw_status weigh_mass(sw_deck *deck, const sw_deck_condition *c, sw_structure_step *to)
{
    const int64_t node = deck->member[deck->element[c->of].first];
    const double *at = deck->node[node].at;
    double force[3], along = 0;
    for (int i = 0; i < 3; i++)
        along += (at[i] - c->point[i]) * c->direction[i];
    for (int i = 0; i < 3; i++)
        force[i] =
            c->load == SW_STRUCTURE_GRAVITY ? c->direction[i] : at[i] - c->point[i] - along * c->direction[i];
    if (deck->node[node].axes >= 0 || (c->load == SW_STRUCTURE_SPIN && to->finite))
        return sw_deck_complain_of(
            &deck->element[c->of],
            "carries a load at a node with axes of its own, or turns with NLGEOM: not computed");
    for (int i = 0; i < 3; i++) {
        force[i] *= sw_deck_mass_of(deck, c->of);
        if (force[i] == 0)
            continue;
        SW_TRY(SW_DECK_ROOM(to->force, to->n_forces));
        to->force[to->n_forces++] =
            (sw_structure_value){3 * node + i, c->from * force[i], c->to * force[i], c->amplitude};
    }
    return SW_OK;
}

/* A load of an element, or of all those that a shell or beam became. */
static sw_status make_load(sw_deck *deck, const sw_deck_condition *c, sw_structure_step *to)
{
    const sw_deck_element *e = &deck->element[c->of];
    sw_structure_load load = {.kind = c->load,
                              .element = deck->element_place[c->of],
                              .face = c->part,
                              .from = c->from,
                              .to = c->to,
                              .amplitude = c->amplitude,
                              .pull = c->pull};
    memcpy(load.direction, c->direction, sizeof load.direction);
    memcpy(load.point, c->point, sizeof load.point);
    if (c->load == SW_STRUCTURE_GRAVITY || c->load == SW_STRUCTURE_SPIN)
        SW_TRY(need_density(deck, c));
    if (load.element >= 0 && e->formulation != NULL && e->formulation->kinematics != SW_FEM_SOLID &&
        c->load != SW_STRUCTURE_PRESSURE && c->load != SW_STRUCTURE_SPIN && fabs(c->direction[2]) > 1e-6)
        return sw_error(SW_ERR_INPUT,
                        "%s:%" PRId64 ": a load across the plane element %" PRId64 ": need one in its plane",
                        c->line->path, c->line->line, e->label);
    if (load.element >= 0)
        return keep_load(to, &load);
    if (e->type->kind == SW_DECK_MASS && (c->load == SW_STRUCTURE_GRAVITY || c->load == SW_STRUCTURE_SPIN))
        return weigh_mass(deck, c, to);
    if (e->n_expanded <= 0)
        return (c->load == SW_STRUCTURE_GRAVITY || c->load == SW_STRUCTURE_SPIN) &&
                       (e->type->kind == SW_DECK_SURFACE_ELEMENT || e->type->kind == SW_DECK_SPRING)
                   ? SW_OK
                   : sw_deck_complain_of(e, "carries a load, which is not computed");
    for (int k = 0; k < e->n_expanded; k++) {
        double factor = 1;
        load.element = deck->element_place[e->expanded + k];
        if (c->load == SW_STRUCTURE_PRESSURE || c->load == SW_STRUCTURE_TRACTION)
            sw_deck_expanded_face(deck, e, c->part, k, &load.face, &factor);
        else if (c->load == SW_STRUCTURE_BODY_FORCE && c->part == SW_DECK_BY_LENGTH)
            factor = sw_deck_by_volume(deck, e);
        load.from = c->from * factor;
        load.to = c->to * factor;
        if (factor != 0)
            SW_TRY(keep_load(to, &load));
    }
    return SW_OK;
}

static sw_status make_loads(sw_deck *deck, const sw_deck_step *step, sw_structure_step *to)
{
    for (int64_t i = 0; i < step->n[SW_DECK_LOAD]; i++) {
        const sw_deck_condition *c = &step->condition[SW_DECK_LOAD][i];
        if (c->from != 0 || c->to != 0)
            SW_TRY(make_load(deck, c, to));
    }
    return SW_OK;
}

/* A node and what it became get a condition's temperature. */
static sw_status warm(const sw_deck *deck, const sw_deck_condition *c, int64_t node, sw_structure_step *to)
{
    int n, beam = 0;
    const sw_deck_offspring *child;
    sw_deck_offspring_of(deck, node, &n, &child);
    for (int k = 0; k < n; k++)
        beam |= child[k].height[1] != 0;
    for (int k = -1; k < n; k++) {
        const double a = k < 0 ? 0 : child[k].height[beam], b = k < 0 ? 0 : child[k].height[!beam];
        SW_TRY(SW_DECK_ROOM(to->temperature, to->n_temperatures));
        to->temperature[to->n_temperatures++] = (sw_structure_temperature){
            k < 0 ? node : child[k].node, c->from + a * c->point[0] + b * c->point[1],
            c->to + a * c->direction[0] + b * c->direction[1], c->amplitude};
    }
    return SW_OK;
}

/* Straight shells and beams: those of eight nodes have their mean temperature, so that gradients do nothing, as in CalculiX. */
static sw_status check_gradients(const sw_deck *deck, const sw_deck_condition *const *of)
{
    for (int64_t i = 0; i < deck->n_elements; i++) {
        const sw_deck_element *e = &deck->element[i];
        const int beam = e->type->kind == SW_DECK_BEAM && e->n_nodes == 2;
        if (!beam && !(e->type->kind == SW_DECK_SHELL && e->n_nodes <= 4))
            continue;
        for (int a = 0; a < e->n_nodes; a++) {
            const sw_deck_condition *c = of[deck->member[e->first + a]];
            if (c == NULL || (c->direction[0] == 0 && c->direction[1] == 0))
                continue;
            if (deck->dialect == SW_DECK_ABAQUS)
                return sw_error(SW_ERR_INPUT,
                                "%s:%" PRId64 ": *TEMPERATURE: a gradient of %g through element %" PRId64
                                " of type %s is not computed: need S6, S8R, S8, B32 or B32R",
                                c->line->path, c->line->line, c->direction[c->direction[0] == 0], e->label,
                                e->type->name);
            if (beam || e->n_nodes == 4) {
                sw_warn(
                    "%s:%" PRId64 ": *TEMPERATURE: gradients of %g do nothing to element %" PRId64
                    " of type %s and others of its kind, which have their mean temperature, as in CalculiX",
                    c->line->path, c->line->line, c->direction[c->direction[0] == 0], e->label,
                    e->type->name);
                return SW_OK;
            }
        }
    }
    return SW_OK;
}

static sw_status make_step_temperatures(const sw_deck *deck, const sw_deck_step *step, sw_structure_step *to)
{
    const sw_deck_condition *const condition = step->condition[SW_DECK_TEMPERATURE], **of;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(of, deck->n_nodes + 1, /* NOLINT(bugprone-sizeof-expression): of pointers */
                       "temperatures of nodes"));
    for (int64_t i = 0; i < step->n[SW_DECK_TEMPERATURE]; i++)
        of[condition[i].of] = &condition[i];
    status = check_gradients(deck, of);
    for (int64_t i = 0; i < deck->n_nodes && status == SW_OK; i++) {
        const int64_t origin = sw_deck_origin_of(deck, i);
        if (of[origin] != NULL)
            status = warm(deck, of[origin], i, to);
    }
    free(of);
    return status;
}

/* Elements of a print as the problem has them: what shells and beams became, too. */
typedef struct {
    int64_t n;
    int32_t *member;
    uint8_t *face;
} placed_print;

static sw_status place(const sw_deck *deck, int64_t element, int face, placed_print *to)
{
    int64_t n = to->n;
    if (deck->element_place[element] < 0)
        return SW_OK;
    SW_TRY(SW_DECK_ROOM(to->member, to->n));
    SW_TRY(SW_DECK_ROOM(to->face, n));
    to->face[to->n] = (uint8_t)face;
    to->member[to->n++] = deck->element_place[element];
    return SW_OK;
}

/* A face, or all of an element; of layered shells their edges are those of all layers. */
static sw_status place_member(const sw_deck *deck, int64_t element, int face, placed_print *to)
{
    const sw_deck_element *e = &deck->element[element];
    if (e->n_expanded <= 0)
        return place(deck, element, face, to);
    for (int k = 0; k < e->n_expanded; k++) {
        int of = face;
        double factor = 1;
        if (face >= 0 && (face < SW_DECK_EDGE || e->type->kind == SW_DECK_BEAM))
            sw_deck_expanded_face(deck, e, face, k, &of, &factor);
        if (factor != 0)
            SW_TRY(place(deck, e->expanded + k, of, to));
    }
    return SW_OK;
}

static sw_status place_print(const sw_deck *deck, sw_structure_print *print)
{
    const int faces = print->what == SW_STRUCTURE_CUT;
    placed_print to = {.n = 0};
    sw_status status = SW_OK;
    if (print->of_nodes || print->what == SW_STRUCTURE_CF)
        return SW_OK;
    for (int64_t i = 0; i < print->n && status == SW_OK; i++)
        status = faces ? place_member(deck, print->member[i] / 8, print->member[i] % 8, &to)
                       : place_member(deck, print->member[i], -1, &to);
    free(print->member);
    print->member = to.member;
    print->face = to.face;
    print->n = to.n;
    return status;
}

/* Changes of the deck's elements as changes of the problem's. */
static sw_status place_change(sw_deck *deck, const sw_structure_change *of, sw_structure_step *to)
{
    const sw_deck_element *e = &deck->element[of->element];
    const int64_t first = e->n_expanded > 0 ? e->expanded : of->element;
    sw_structure_change made = *of;
    if (of->kind == SW_STRUCTURE_SECTION)
        SW_TRY(add_section(deck, e, of->section, &made.section));
    for (int64_t k = 0; k < (e->n_expanded > 0 ? e->n_expanded : 1); k++) {
        made.element = deck->element_place[first + k];
        if (made.element < 0)
            return sw_deck_complain_of(e, "goes or comes, which is not computed");
        SW_TRY(SW_DECK_ROOM(to->change, to->n_changes));
        to->change[to->n_changes++] = made;
    }
    return SW_OK;
}

static sw_status place_changes(sw_deck *deck, const sw_deck_step *step, sw_structure_step *to)
{
    const int first = step == deck->steps->step;
    for (int64_t i = 0; i < step->is.n_changes; i++)
        SW_TRY(place_change(deck, &step->is.change[i], to));
    for (int64_t i = 0; first && i < deck->steps->n_strains; i++) {
        SW_TRY(SW_DECK_ROOM(to->strain, to->n_strains));
        to->strain[to->n_strains++] = deck->steps->strain[i];
    }
    for (int64_t i = 0; i < step->is.n_strains; i++) {
        SW_TRY(SW_DECK_ROOM(to->strain, to->n_strains));
        to->strain[to->n_strains++] = step->is.strain[i];
    }
    for (int64_t i = 0; i < to->n_strains; i++)
        to->strain[i].element = deck->element_place[to->strain[i].element];
    return SW_OK;
}

static sw_status make_step(sw_deck *deck, sw_deck_step *step, int64_t *const unknown[2],
                           sw_structure_step *to)
{
    *to = step->is; /* prints go with it */
    step->is.print = NULL;
    step->is.n_prints = 0;
    to->change = NULL;
    to->strain = NULL;
    to->n_changes = to->n_strains = 0;
    step->is.contact_change = NULL; /* they go with it, too */
    step->is.n_contact_changes = 0;
    SW_TRY(place_changes(deck, step, to));
    SW_TRY(sw_deck_print_contacts(deck, to));
    for (int64_t i = 0; i < to->n_prints; i++)
        SW_TRY(place_print(deck, &to->print[i]));
    SW_TRY(make_values(step, SW_DECK_FIXED, unknown[0], &to->n_fixed, &to->fixed));
    SW_TRY(make_values(step, SW_DECK_FORCE, unknown[1], &to->n_forces, &to->force));
    SW_TRY(make_loads(deck, step, to));
    return make_step_temperatures(deck, step, to);
}

/* ---- The whole ---- */

/* What flows is elastic in a step with PERTURBATION. */
static void stop_flow(sw_matter *matter)
{
    sw_matter_free_hardening(matter);
    matter->creep.n_rows = 0;
    matter->rate_law = SW_MATTER_NO_RATE;
    matter->yield.function = NULL;
}

/* PERTURBATION: what else does not go by numbers times displacements would need its tangent at rest. */
static sw_status need_linear(const sw_deck *deck)
{
    const sw_structure_problem *p = &deck->problem;
    const sw_deck_card *card = deck->steps->perturbation;
    for (int i = 0; card != NULL && i < p->n_matters; i++)
        if (p->matter[i].law != NULL && !p->matter[i].law->linear)
            return sw_deck_complain(card, "PERTURBATION is linear: material %s with it is not computed",
                                    p->matter[i].name);
    for (int64_t k = 0; card != NULL && k < p->n_springs; k++)
        if (p->spring[k].row == NULL || p->spring[k].n_rows != 1)
            return sw_deck_complain(card, "PERTURBATION is linear: a spring by a table, or a gap, with it is "
                                          "not computed");
    for (int64_t k = 0; card != NULL && k < p->n_constraints; k++)
        if (p->constraint[k].linearise != NULL)
            return sw_deck_complain(card,
                                    "PERTURBATION is linear: the tie of line %" PRId64
                                    " is not, and is not computed with it",
                                    p->constraint[k].line);
    return card != NULL && deck->steps->n_strains > 0
               ? sw_deck_complain(
                     card, "PERTURBATION with stresses or strains of *INITIAL CONDITIONS is not computed")
               : SW_OK;
}

/* Abaqus calls a user's material with fewer components where an element has fewer. */
static void tell_six(const sw_deck *deck)
{
    for (int64_t i = 0; i < deck->n_elements; i++) {
        const sw_deck_element *e = &deck->element[i];
        const int material = e->section >= 0 ? deck->section[e->section].material : -1;
        const int solid = e->type->kind == SW_DECK_FORMULATION && e->formulation != NULL &&
                          e->formulation->kinematics == SW_FEM_SOLID;
        if (material < 0 || deck->problem.matter[material].umat == NULL || solid)
            continue;
        sw_warn(
            "%s: user material %s: of %s, too, it is called with NDI = 3, NSHR = 3, NTENS = 6 (11, 22, 33, "
            "12, 13, 23), where Abaqus has fewer: it has to be a law of six; of shells and beams CELENT is "
            "that of the solids that they become",
            deck->path, deck->problem.matter[material].name, e->type->name);
        return;
    }
}

/* Abaqus' yield goes by its rate in *STATIC, CalculiX' dialect has no time there. */
static sw_status check_rates(const sw_deck *deck)
{
    const sw_structure_problem *p = &deck->problem;
    const sw_structure_step *still = NULL;
    for (int k = 0; k < p->n_steps && still == NULL; k++)
        if (!p->step[k].visco)
            still = &p->step[k];
    for (int i = 0; i < p->n_matters && still != NULL; i++) {
        const sw_matter *m = &p->matter[i];
        if (m->law == NULL || m->rate_law == SW_MATTER_NO_RATE)
            continue;
        if (p->rates_in_static && m->creep.n_rows > 0)
            return sw_error(SW_ERR_INPUT,
                            "%s:%" PRId64 ": material %s: *CREEP and *RATE DEPENDENT in the *STATIC step of "
                            "line %" PRId64 " are not computed: need one of them, or *VISCO",
                            deck->path, m->line, m->name, still->line);
        if (!p->rates_in_static)
            sw_warn("%s:%" PRId64
                    ": material %s: *RATE DEPENDENT does nothing in *STATIC (the step of line %" PRId64
                    "): need *VISCO, or --dialect abaqus",
                    deck->path, m->line, m->name, still->line);
    }
    return SW_OK;
}

static sw_status prepare_matters(sw_deck *deck)
{
    for (int i = 0; i < deck->problem.n_sections; i++) {
        sw_matter *matter = &deck->problem.matter[deck->problem.section[i].matter];
        if (matter->law == NULL && matter->n_constants > 0 && deck->umat != NULL)
            SW_TRY(sw_matter_load(matter, deck->umat));
        if (matter->law == NULL && deck->steps->perturbation != NULL)
            stop_flow(matter);
        if (matter->law == NULL)
            SW_TRY(sw_matter_prepare(matter, deck->path));
    }
    tell_six(deck);
    return check_rates(deck);
}

/* Nodes first, which unknowns may add to. */
static sw_status make(sw_deck *deck, int64_t *(*unknown)[2])
{
    int32_t *made;
    sw_structure_problem *p = &deck->problem;
    const sw_deck_steps *steps = deck->steps;
    SW_TRY(sw_deck_expand(deck));
    for (int k = 0; k < steps->n_steps; k++)
        for (int kind = 0; kind < 2; kind++)
            SW_TRY(find_unknowns(deck, &steps->step[k], (sw_deck_condition_kind)kind, &unknown[k][kind]));
    SW_TRY(make_nodes(deck));
    SW_TRY(make_temperatures(deck));
    SW_TRY(SW_ALLOCATE(made, deck->n_sections + 1, "sections of a deck"));
    const sw_status status = make_elements(deck, made);
    free(made);
    SW_TRY(status);
    SW_TRY(make_thicknesses(deck));
    SW_TRY(sw_deck_make_contacts(deck));
    SW_TRY(SW_ALLOCATE(p->step, steps->n_steps, "steps of a deck"));
    while (p->n_steps < steps->n_steps) {
        const int k = p->n_steps++; /* which frees what it has when it fails */
        SW_TRY(make_step(deck, &steps->step[k], unknown[k], &p->step[k]));
    }
    SW_TRY(prepare_matters(deck));
    SW_TRY(sw_deck_finish_ties(deck));
    return need_linear(deck);
}

sw_status sw_deck_make_problem(sw_deck *deck, const sw_structure_problem **problem)
{
    int64_t *(*unknown)[2] = NULL;
    const int n = deck->steps->n_steps;
    *problem = &deck->problem;
    if (deck->problem.step != NULL)
        return SW_OK;
    if (n == 0)
        return sw_error(SW_ERR_INPUT, "%s: has no *STEP", deck->path);
    deck->problem.reactions_hold_loads = deck->problem.linear_at_once = deck->problem.places_at_rest =
        deck->dialect == SW_DECK_CALCULIX;
    deck->problem.rates_in_static = deck->dialect == SW_DECK_ABAQUS;
    sw_status status = SW_ALLOCATE(unknown, n, "unknowns of steps");
    if (status == SW_OK)
        status = make(deck, unknown);
    for (int k = 0; unknown != NULL && k < n; k++) {
        free(unknown[k][0]);
        free(unknown[k][1]);
    }
    free(unknown);
    return status;
}
