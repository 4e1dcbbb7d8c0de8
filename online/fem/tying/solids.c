/* Elements of shells and beams as solids: which, of which nodes, with points of integration where their sections have
 * matter, and with their own axes where it matters. */
#include "shared.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/vector.h"

static const double gauss2 = 0.57735026918962576451;

/* ---- Which solid ---- */

/* Abaqus' S4R bends; C3D8R, CalculiX's, does so by hourglass springs alone. */
static const char *solid_of(const char *type, sw_deck_dialect dialect)
{
    if (dialect == SW_DECK_ABAQUS && strcasecmp(type, "S4R") == 0)
        return "C3D8I";
    static const char *const pairs[][2] = {
        {"S3", "C3D6"},    {"S3R", "C3D6"},    {"M3D3", "C3D6"},   {"S4", "C3D8I"},     {"M3D4", "C3D8"},
        {"S4R", "C3D8R"},  {"M3D4R", "C3D8R"}, {"S6", "C3D15"},    {"M3D6", "C3D15"},   {"S8", "C3D20"},
        {"M3D8", "C3D20"}, {"S8R", "C3D20R"},  {"S8R5", "C3D20R"}, {"M3D8R", "C3D20R"}, {"B31", "C3D8I"},
        {"B31R", "C3D8R"}, {"B32", "C3D20"},   {"B32R", "C3D20R"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcasecmp(type, pairs[i][0]) == 0)
            return pairs[i][1];
    return NULL;
}

/* Of node a of the solid: the place in the shell or beam, and which of its offspring there. */
typedef struct {
    int place, child;
} origin;

enum { BELOW, ABOVE, BETWEEN };

static int origins_of_shell(const sw_deck_type *type, origin *of)
{
    const int corners = sw_deck_flat(type)->n_corners, middles = type->n_nodes - corners;
    int k = 0;
    for (int side = BELOW; side <= ABOVE; side++)
        for (int a = 0; a < corners; a++)
            of[k++] = (origin){a, side};
    for (int side = BELOW; side <= ABOVE; side++)
        for (int a = 0; a < middles; a++)
            of[k++] = (origin){corners + a, side};
    for (int a = 0; a < corners && middles > 0; a++)
        of[k++] = (origin){a, BETWEEN};
    return k;
}

/* The beam goes along the first reference coordinate, directions 1 and 2 are the others. */
static int origins_of_beam(int n, origin *of)
{
    static const origin quadratic[20] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}, {0, 3}, {2, 3}, {2, 2},
                                         {0, 2}, {1, 0}, {2, 4}, {1, 1}, {0, 4}, {1, 3}, {2, 6},
                                         {1, 2}, {0, 6}, {0, 7}, {2, 7}, {2, 5}, {0, 5}};
    for (int a = 0; a < (n == 3 ? 20 : 8); a++) {
        of[a] = quadratic[a];
        of[a].place = n == 2 && of[a].place == 2 ? 1 : of[a].place;
    }
    return n == 3 ? 20 : 8;
}

/* ---- Points of integration ---- */

/* Of points [n]: a formulation as `base`, kept by the model; one with this key may be there already. */
static sw_status keep_formulation(sw_deck *deck, const sw_formulation *base, int section, int layer, int n,
                                  const double (*point)[4], const sw_formulation **made)
{
    sw_deck_tying *tying = deck->tying;
    struct sw_deck_made_formulation *f;
    SW_TRY(SW_DECK_ROOM(tying->formulations, /* NOLINT(bugprone-sizeof-expression): of pointers */
                        tying->n_formulations));
    SW_TRY(SW_ALLOCATE(f, 1, "a formulation"));
    tying->formulations[tying->n_formulations++] = f;
    SW_TRY(SW_ALLOCATE(f->point, n, "points of integration"));
    memcpy(f->point, point, (size_t)n * sizeof *point);
    f->base = base;
    f->section = section;
    f->layer = layer;
    f->rule = (sw_rule){n, (const double(*)[4])f->point};
    SW_TRY(sw_formulation_with_rule(base, &f->rule, &f->formulation));
    *made = f->formulation;
    return SW_OK;
}

static const sw_formulation *find_formulation(const sw_deck *deck, const sw_formulation *base, int section,
                                              int layer)
{
    for (int i = 0; i < deck->tying->n_formulations; i++) {
        const struct sw_deck_made_formulation *f = deck->tying->formulations[i];
        if (f->base == base && f->section == section && f->layer == layer)
            return f->formulation;
    }
    return NULL;
}

/* Points over a section, two along the beam. */
static int along_beam(int n, const double (*over)[3], double (*point)[4])
{
    for (int k = 0; k < 2 * n; k++) {
        point[k][0] = k < n ? -gauss2 : gauss2;
        for (int i = 0; i < 3; i++)
            point[k][1 + i] = over[k % n][i];
    }
    return 2 * n;
}

/* Kronrod's five points that have Gauss' two among them, in both directions: a rectangle that has no hourglasses. */
static int rectangle(double (*over)[3])
{
    static const double at[5] = {-0.92582009977255146157, -0.57735026918962576451, 0, 0.57735026918962576451,
                                 0.92582009977255146157},
                        weight[5] = {98.0 / 495, 27.0 / 55, 28.0 / 45, 27.0 / 55, 98.0 / 495};
    for (int k = 0; k < 25; k++) {
        over[k][0] = at[k % 5];
        over[k][1] = at[k / 5];
        over[k][2] = weight[k % 5] * weight[k / 5];
    }
    return 25;
}

/* Eight points on the wall of a pipe, of an inner radius in outer ones: its area and second moments are exact. 0: of a disk. */
static int pipe(double inner, double (*over)[3])
{
    const double radius = sqrt((inner * inner + 1) / 2), pi = acos(-1.0);
    for (int k = 0; k < 8; k++) {
        over[k][0] = radius * cos(k * pi / 4);
        over[k][1] = radius * sin(k * pi / 4);
        over[k][2] = pi * (1 - inner * inner) / 8;
    }
    return 8;
}

/* Simpson's five points along the middle of each wall of a box, a b t1 t2 t3 t4: walls at +1 +2 -1 -2. */
static int box(const double *size, double (*over)[3])
{
    static const double simpson[5] = {1, 4, 2, 4, 1};
    const double a = size[0], b = size[1], *t = &size[2];
    const double x[2] = {1 - t[0] / a, -1 + t[2] / a}, y[2] = {1 - t[1] / b, -1 + t[3] / b};
    /* corners in the sense of the walls: each wall begins at one and ends at the next */
    const double corner[5][2] = {{x[0], y[1]}, {x[0], y[0]}, {x[1], y[0]}, {x[1], y[1]}, {x[0], y[1]}};
    memset(over, 0, 16 * sizeof *over);
    for (int w = 0; w < 4; w++) {
        const double length = w % 2 == 0 ? y[0] - y[1] : x[0] - x[1], thick = 2 * t[w] / (w % 2 == 0 ? a : b);
        for (int k = 0; k < 5; k++) {
            const int at = (4 * w + k) % 16;
            for (int i = 0; i < 2 && k < 4; i++)
                over[at][i] = corner[w][i] + (corner[w + 1][i] - corner[w][i]) * k / 4;
            over[at][2] += thick * length * simpson[k] / 12;
        }
    }
    return 16;
}

/* What yields or creeps is not linear over a section: more points than two, with Abaqus, which has five. */
static int wants_points(const sw_deck *deck, const sw_deck_section *section)
{
    const sw_matter *m = section->material >= 0 ? &deck->problem.matter[section->material] : NULL;
    return deck->dialect == SW_DECK_ABAQUS && m != NULL &&
           m->n_curves + m->n_cyclic + m->cook.n_rows + m->saturation.n_rows + m->backstress.n_rows +
                   m->creep.n_rows + m->deformation.n_rows + m->n_constants >
               0;
}

/* Pipes, boxes, round sections of B31 have points of their own in the rectangle around them; of B31R, with one point and
 * springs, there are none. */
static sw_status beam_formulation(sw_deck *deck, const sw_deck_element *element, const sw_formulation *base,
                                  const sw_formulation **made)
{
    const sw_deck_section *s = &deck->section[element->section];
    const int is_box = strcmp(s->shape, "BOX") == 0, is_pipe = strcmp(s->shape, "PIPE") == 0,
              is_round = strcmp(s->shape, "CIRC") == 0, straight = element->n_nodes == 2,
              reduced = strcasecmp(element->type->name, "B32R") == 0;
    const int own = is_box || is_pipe || (is_round && straight),
              springs = strcasecmp(element->type->name, "B31R") == 0;
    double over[25][3], point[SW_FORMULATION_POINTS][4];
    *made = base;
    if (springs && !deck->tying->is_soft++)
        sw_warn("%s:%" PRId64 ": *ELEMENT: element %" PRId64
                " of type B31R bends by hourglass springs alone, many times too "
                "far: take B31",
                element->path, element->line, element->label);
    if (own && springs)
        return sw_deck_complain(
            s->card, "SECTION=%s: elements of type B31, B32R or B32 are needed, element %lld is %s", s->shape,
            (long long)element->label, element->type->name);
    if (!own && !reduced && !wants_points(deck, s))
        return SW_OK;
    const int key = own ? element->section : -1;
    *made = find_formulation(deck, base, key, -1);
    if (*made != NULL)
        return SW_OK;
    const int n = !own     ? rectangle(over)
                  : is_box ? box(s->size, over)
                           : pipe(is_round ? 0 : 1 - s->size[1] / s->size[0], over);
    const int points = along_beam(n, (const double(*)[3])over, point);
    return keep_formulation(deck, base, key, -1, points, (const double(*)[4])point, made);
}

/* Points across, of place and weight, times those in the plane of a shell, `in_plane` of them: 4; of triangles 3 or 1. */
static int across(int in_plane, int n, const double (*place)[2], double (*point)[4])
{
    static const double quad[4][3] = {{-0.57735026918962576451, -0.57735026918962576451, 1},
                                      {0.57735026918962576451, -0.57735026918962576451, 1},
                                      {-0.57735026918962576451, 0.57735026918962576451, 1},
                                      {0.57735026918962576451, 0.57735026918962576451, 1}},
                        tri[3][3] = {{1.0 / 6, 1.0 / 6, 1.0 / 6},
                                     {2.0 / 3, 1.0 / 6, 1.0 / 6},
                                     {1.0 / 6, 2.0 / 3, 1.0 / 6}},
                        one[3] = {1.0 / 3, 1.0 / 3, 0.5};
    for (int k = 0; k < n * in_plane; k++) {
        const double *in = in_plane == 4 ? quad[k % 4] : in_plane == 3 ? tri[k % 3] : one;
        point[k][0] = in[0];
        point[k][1] = in[1];
        point[k][2] = place[k / in_plane][0];
        point[k][3] = in[2] * place[k / in_plane][1];
    }
    return n * in_plane;
}

/* Simpson's five, of which a wholly plastic section has its moment exactly. */
static int through_thickness(int in_plane, double (*point)[4])
{
    static const double simpson[5][2] = {
        {-1, 1.0 / 6}, {-0.5, 2.0 / 3}, {0, 1.0 / 3}, {0.5, 2.0 / 3}, {1, 1.0 / 6}};
    return across(in_plane, 5, simpson, point);
}

/* Two points across a layer, from low to high in the solid's third coordinate. */
static int across_layer(int corners, double low, double high, double (*point)[4])
{
    const double middle = (low + high) / 2, half = (high - low) / 2,
                 gauss[2][2] = {{middle - gauss2 * half, half}, {middle + gauss2 * half, half}};
    return across(corners, 2, gauss, point);
}

static sw_status layer_formulation(sw_deck *deck, const sw_deck_element *element, const sw_formulation *base,
                                   int layer, const sw_formulation **made)
{
    const sw_deck_section *s = &deck->section[element->section];
    const int corners = sw_deck_flat(element->type)->n_corners;
    double whole = 0, below = 0, point[20][4];
    *made = base;
    if (s->n_layers == 0) {
        if (element->type->kind != SW_DECK_SHELL || strcasecmp(element->type->name, "S8") == 0 ||
            !wants_points(deck, s))
            return SW_OK;
        *made = find_formulation(deck, base, -2, -1);
        const int n = through_thickness(element->n_nodes == 3 ? 1 : corners, point);
        return *made != NULL ? SW_OK
                             : keep_formulation(deck, base, -2, -1, n, (const double(*)[4])point, made);
    }
    if (element->n_nodes != 6 && strcasecmp(element->type->name, "S8R") != 0)
        return sw_deck_complain(s->card,
                                "COMPOSITE: elements of type S8R or S6 are needed, element %lld is %s",
                                (long long)element->label, element->type->name);
    *made = find_formulation(deck, base, element->section, layer);
    if (*made != NULL)
        return SW_OK;
    for (int k = 0; k < s->n_layers; k++) {
        whole += s->layer[k].thickness;
        below += k < layer ? s->layer[k].thickness : 0;
    }
    const double low = 2 * below / whole - 1, high = low + 2 * s->layer[layer].thickness / whole;
    const int n = across_layer(corners, low, high, point);
    return keep_formulation(deck, base, element->section, layer, n, (const double(*)[4])point, made);
}

/* ---- Sections with axes ---- */

static int has_directions(const sw_matter *matter)
{
    return matter->elasticity != SW_MATTER_ISOTROPIC || matter->expansion_columns > 1 ||
           matter->n_constants > 0;
}

/* Which of an orientation's axes is projected onto shells: CalculiX takes the first, Abaqus the one after that of the second
 * line (default 1), which has to have a part along the normal. Without an orientation the first of space. */
static sw_status projected_axis(const sw_deck *deck, const sw_deck_element *element, int orientation,
                                const double normal[3], double rows[3][3], int *first)
{
    const double near = 0.1 * acos(-1.0) / 180;
    const int abaqus = deck->dialect == SW_DECK_ABAQUS && orientation >= 0;
    const int axis = abaqus && deck->axes[orientation].turn_axis > 0 ? deck->axes[orientation].turn_axis : 1;
    *first = fabs(sw_dot(rows[0], normal)) > cos(near) ? 2 : 0;
    if (!abaqus)
        return SW_OK;
    *first = axis % 3;
    return fabs(sw_dot(rows[axis - 1], normal)) > sin(near)
               ? SW_OK
               : sw_error(SW_ERR_INPUT,
                          "%s:%" PRId64 ": *ORIENTATION: its axis %d lies in the plane of element %" PRId64
                          " of type %s: name that next to the normal on a line \"axis, angle\"",
                          deck->path, deck->axes[orientation].line, axis, element->label,
                          element->type->name);
}

/* Axes of a shell in its middle: 1 is one of the orientation, or of space, along the shell; 3 its normal. */
static sw_status shell_axes(const sw_deck *deck, const sw_deck_element *element, int orientation,
                            double axes[2][3])
{
    double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, middle[3] = {0}, t[2][3] = {{0}}, normal[3];
    const int corners = sw_deck_flat(element->type)->n_corners, triangle = corners == 3;
    int k;
    for (int i = 0; i < 3; i++) {
        double x[4] = {0};
        for (int a = 0; a < corners; a++) {
            x[a] = deck->node[deck->member[element->first + a]].at[i];
            middle[i] += x[a] / corners;
        }
        t[0][i] = triangle ? x[1] - x[0] : x[1] + x[2] - x[0] - x[3];
        t[1][i] = triangle ? x[2] - x[0] : x[2] + x[3] - x[0] - x[1];
    }
    sw_cross(t[0], t[1], normal);
    sw_to_unit(normal);
    if (orientation >= 0)
        sw_deck_axes_at(&deck->axes[orientation], middle, rows);
    SW_TRY(projected_axis(deck, element, orientation, normal, rows, &k));
    const double *first = rows[k];
    for (int i = 0; i < 3; i++)
        axes[0][i] = first[i] - sw_dot(first, normal) * normal[i];
    sw_cross(normal, axes[0], axes[1]);
    return SW_OK;
}

/* The section of a layer: the element's own where nothing has a direction. */
static sw_status layer_section(sw_deck *deck, int64_t e, int layer, int32_t *section)
{
    const sw_deck_element *element = &deck->element[e];
    const sw_deck_section whole = deck->section[element->section];
    const int layered = whole.n_layers > 0;
    const int material = layered ? whole.layer[layer].material : whole.material;
    int orientation =
        layered && whole.layer[layer].orientation >= 0 ? whole.layer[layer].orientation : whole.orientation;
    *section = element->section;
    if (material < 0)
        return sw_deck_complain(whole.card, "it has no material");
    const int turned = element->type->kind != SW_DECK_BEAM && has_directions(&deck->problem.matter[material]);
    if (!turned && !layered)
        return SW_OK;
    if (turned) {
        sw_deck_axes axes = {.system = SW_DECK_RECTANGULAR};
        double rows[2][3];
        SW_TRY(sw_deck_orientation_at(deck, e, &orientation));
        SW_TRY(shell_axes(deck, element, orientation, rows));
        memcpy(axes.a, rows[0], sizeof axes.a);
        memcpy(axes.b, rows[1], sizeof axes.b);
        SW_TRY(SW_DECK_ROOM(deck->axes, deck->n_axes));
        deck->axes[deck->n_axes] = axes;
        orientation = deck->n_axes++;
    }
    SW_TRY(SW_DECK_ROOM(deck->section, deck->n_sections));
    sw_deck_section *made = &deck->section[deck->n_sections];
    *made = whole;
    made->layer = NULL;
    made->n_layers = 0;
    made->material = material;
    made->orientation = orientation;
    *section = deck->n_sections++;
    return SW_OK;
}

/* ---- Elements ---- */

static sw_status add_element(sw_deck *deck, int64_t e, const sw_deck_type *type,
                             const sw_formulation *formulation, int32_t section, int n, const int64_t *node)
{
    sw_deck_element made = deck->element[e];
    made.type = type;
    made.formulation = formulation;
    made.section = section;
    made.first = deck->n_members;
    made.n_nodes = n;
    made.expanded = (int32_t)e;
    made.n_expanded = SW_DECK_MADE;
    SW_TRY(SW_DECK_ROOM(deck->element, deck->n_elements));
    deck->element[deck->n_elements++] = made;
    for (int a = 0; a < n; a++) {
        SW_TRY(SW_DECK_ROOM(deck->member, deck->n_members));
        deck->member[deck->n_members++] = (int32_t)node[a];
    }
    return SW_OK;
}

static sw_status make_solid(sw_deck *deck, int64_t e, const sw_deck_corner *corner)
{
    const sw_deck_element element = deck->element[e];
    const char *name = solid_of(element.type->name, deck->dialect);
    const sw_deck_type *type = name != NULL ? sw_deck_find_type(name, deck->dialect) : NULL;
    const sw_formulation *base = name != NULL ? sw_formulation_find(name, (int)deck->dialect) : NULL;
    const int is_beam = element.type->kind == SW_DECK_BEAM;
    origin of[20];
    int64_t node[20];
    if (type == NULL || base == NULL)
        return sw_deck_complain_of(&element, "is not computed");
    const int n = is_beam ? origins_of_beam(element.n_nodes, of) : origins_of_shell(element.type, of);
    for (int a = 0; a < n; a++) {
        const sw_deck_expansion *x = &deck->tying->expansions[corner[of[a].place].expansion];
        node[a] = deck->tying->offspring[x->first + of[a].child].node;
    }
    const int layers =
        !is_beam && deck->section[element.section].n_layers > 0 ? deck->section[element.section].n_layers : 1;
    deck->element[e].expanded = (int32_t)deck->n_elements;
    deck->element[e].n_expanded = layers;
    for (int k = 0; k < layers; k++) {
        const sw_formulation *formulation;
        int32_t section;
        SW_TRY(is_beam ? beam_formulation(deck, &element, base, &formulation)
                       : layer_formulation(deck, &element, base, k, &formulation));
        SW_TRY(layer_section(deck, e, k, &section));
        SW_TRY(add_element(deck, e, type, formulation, section, n, node));
    }
    return SW_OK;
}

sw_status sw_deck_make_solids(sw_deck *deck, const sw_deck_corner *corner, const int64_t *first)
{
    const int64_t n = deck->n_elements;
    for (int64_t e = 0; e < n; e++)
        if (first[e] >= 0)
            SW_TRY(make_solid(deck, e, corner + first[e]));
    return SW_OK;
}

/* ---- Loads ---- */

/* A shell's thickness in its middle, as its solids have it. */
static double thickness_of(const sw_deck *deck, const sw_deck_element *element)
{
    const sw_deck_element *solid = &deck->element[element->expanded];
    const int corners = sw_deck_flat(element->type)->n_corners;
    double sum = 0;
    for (int a = 0; a < corners; a++) {
        const double *low = deck->node[deck->member[solid->first + a]].at,
                     *high = deck->node[deck->member[solid->first + corners + a]].at;
        sum += sw_distance(low, high) / corners;
    }
    return sum;
}

/* How wide a side of a beam is across it, of the solid's face: eta or zeta at an end. */
static double width_of(const sw_deck *deck, const sw_deck_element *beam, int face)
{
    static const int eta[2][2] = {{0, 4}, {1, 5}}, zeta[2][2] = {{0, 3}, {1, 2}};
    const sw_deck_element *solid = &deck->element[beam->expanded];
    const int64_t first = solid->first;
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const int *side = face == 2 || face == 4 ? eta[k] : zeta[k];
        sum += sw_distance(deck->node[deck->member[first + side[0]]].at,
                           deck->node[deck->member[first + side[1]]].at) /
               2;
    }
    return sum;
}

double sw_deck_by_volume(const sw_deck *deck, const sw_deck_element *beam)
{
    const sw_deck_element *solid = &deck->element[beam->expanded];
    const sw_rule *rule = solid->formulation->rule;
    double volume = 0, length = 0, weight = 0;
    for (int q = 0; q < rule->n; q++) {
        double value[20], gradient[20][3], t[3][3] = {{0}}, normal[3];
        solid->formulation->topology->shape(rule->point[q], value, gradient);
        for (int a = 0; a < solid->n_nodes; a++)
            for (int i = 0; i < 9; i++)
                t[i / 3][i % 3] += gradient[a][i / 3] * deck->node[deck->member[solid->first + a]].at[i % 3];
        sw_cross(t[1], t[2], normal);
        volume += rule->point[q][3] * sw_dot(t[0], normal);
        length += 2 * rule->point[q][3] * sqrt(sw_dot(t[0], t[0]));
        weight += rule->point[q][3];
    }
    return length / weight / volume; /* the mean over the section of lengths along it */
}

/* Edges of shells and sides of Abaqus' beams carry forces by length, the former over all layers; faces above and below are those of the last and first layer. */
void sw_deck_expanded_face(const sw_deck *deck, const sw_deck_element *element, int part, int k, int *face,
                           double *factor)
{
    static const int of_beam[6] = {2, 4, 1, 3, 0, 5};
    const int is_beam = element->type->kind == SW_DECK_BEAM;
    *face = is_beam ? of_beam[part] : part;
    *factor = k == 0;
    if (!is_beam && part >= 2)
        *factor = (k == 0) / thickness_of(deck, element);
    if (is_beam && deck->dialect == SW_DECK_ABAQUS && part != 3 && part != 5)
        *factor = 1 / width_of(deck, element, *face);
}
