/* Crystals about ideal orientations and fibres. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/math/quaternion.h"
#include "common/math/random.h"
#include "crystal_draw.h"
#include "crystal_scatter.h"
#include "texture.h"

#define DEGREE (SW_PI / 180)

const char *const sw_ideal_symmetries[4] = {"usual", "orthorhombic", "monoclinic", "none"};
enum { ORTHORHOMBIC = 1, MONOCLINIC, NO_SYMMETRY };

/* ---- Names ---- */

/* Of cubic crystals beside the components that textures of FCC metals are judged by: orientations, fibres as lines between Euler angles (degrees), and fibres of a
 * crystal direction along a sample direction. BCC: Raabe and Luecke, Scripta Metall. 27 (1992) 1533; Ray, Jonas and
 * Hook, Int. Mater. Rev. 39 (1994) 129. FCC: Hirsch and Luecke, Acta Metall. 36 (1988) 2863. */
static const struct named {
    const char *name;
    int nodes; /* 0: a direction along a direction */
    double node[3][3];
} named[] = {
    {"rotated_cube", 1, {{0, 0, 45}}},                           /* {001}<110> */
    {"rotated_goss", 1, {{90, 45, 0}}},                          /* {011}<011> */
    {"I", 1, {{0, 35.264389682754654, 45}}},                     /* {112}<110> */
    {"E", 1, {{0, 54.735610317245346, 45}}},                     /* {111}<110> */
    {"F", 1, {{90, 54.735610317245346, 45}}},                    /* {111}<112> */
    {"alpha", 2, {{0, 0, 45}, {0, 54.735610317245346, 45}}},     /* BCC: {001}<110> to {111}<110> */
    {"gamma", 0, {{1, 1, 1}, {0, 0, 1}}},                        /* BCC: {111} in the plane */
    {"theta", 0, {{0, 0, 1}, {0, 0, 1}}},                        /* {001} in the plane */
    {"zeta", 0, {{0, 1, 1}, {0, 0, 1}}},                         /* {011} in the plane */
    {"eta", 0, {{1, 0, 0}, {1, 0, 0}}},                          /* <100> along RD */
    {"epsilon", 0, {{0, 1, 1}, {0, 1, 0}}},                      /* <011> along TD */
    {"fcc_alpha", 2, {{0, 45, 0}, {35.264389682754654, 45, 0}}}, /* Goss to Brass */
    {"tau", 2, {{90, 35.264389682754654, 45}, {90, 90, 45}}},    /* Copper to Goss */
    {"beta", 3, {{90, 35.264389682754654, 45}, {58.97991, 36.69923, 63.43495}, {35.264389682754654, 45, 90}}},
    /* Copper, S, Brass */
};
enum { NAMED = sizeof named / sizeof *named };

/* Of a lattice, one or the other. */
typedef struct {
    const struct named *named;
    const sw_texture_component *component;
} known;

static int is_cubic(const sw_lattice *lattice) { return lattice->group == &sw_point_group_432; }

/* Number 0 ..: its name, NULL: no more. Cubic crystals have those of FCC metals and above before their own. */
static const char *ideal_of(const sw_lattice *lattice, int number, known *ideal)
{
    const int fcc = is_cubic(lattice) ? sw_lattice_fcc.n_ideals : 0,
              first = is_cubic(lattice) ? fcc + NAMED : 0;
    *ideal = (known){NULL, NULL};
    if (number < first && number >= fcc)
        return (ideal->named = &named[number - fcc])->name;
    if (number >= first && (lattice == &sw_lattice_fcc || number >= first + lattice->n_ideals))
        return NULL;
    ideal->component = number < first ? &sw_lattice_fcc.ideal[number] : &lattice->ideal[number - first];
    return ideal->component->name;
}

/* Whether it is one of a lattice. */
static int find_name(const sw_lattice *lattice, const char *name, known *ideal)
{
    const char *other;
    for (int i = 0; (other = ideal_of(lattice, i, ideal)) != NULL; i++)
        if (strcasecmp(name, other) == 0)
            return 1;
    return 0;
}

/* ---- Where crystals are ---- */

typedef struct {
    int nodes;         /* of a line between Euler angles; 0: a circle */
    double node[3][3]; /* rad */
    double q[4];       /* one orientation of the circle ... */
    double axis[3];    /* ... and the sample direction that it turns about */
    int variants;      /* 1, 2, 4: the sample's equivalents */
} place;

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* The rotation that takes unit vector `from` to `to`. */
static void shortest_turn(const double from[3], const double to[3], double q[4])
{
    double w = 1;
    for (int i = 0; i < 3; i++) {
        w += from[i] * to[i];
        q[1 + i] = from[(i + 1) % 3] * to[(i + 2) % 3] - from[(i + 2) % 3] * to[(i + 1) % 3];
    }
    q[0] = w;
    if (w < 1e-8) { /* opposite: about any axis across */
        const int least = fabs(from[0]) < 0.6 ? 0 : 1;
        q[0] = 0;
        for (int i = 0; i < 3; i++)
            q[1 + i] = (i == least) - from[least] * from[i];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

static void set_circle(const double direction[3], const double along[3], place *p)
{
    double from[3];
    for (int i = 0; i < 3; i++) {
        from[i] = direction[i] / norm(direction);
        p->axis[i] = along[i] / norm(along);
    }
    p->nodes = 0;
    shortest_turn(from, p->axis, p->q);
}

static void set_plane(const double hkl[3], const double uvw[3], place *p)
{
    double g[3][3]; /* row i is sample axis i in the crystal */
    for (int i = 0; i < 3; i++) {
        g[0][i] = uvw[i] / norm(uvw);
        g[2][i] = hkl[i] / norm(hkl);
    }
    for (int i = 0; i < 3; i++)
        g[1][i] = g[2][(i + 1) % 3] * g[0][(i + 2) % 3] - g[2][(i + 2) % 3] * g[0][(i + 1) % 3];
    p->nodes = 1;
    sw_euler_from_rotation(g, p->node[0]);
}

static void set_component(const sw_point_group *group, const sw_texture_component *component, place *p)
{
    sw_texture_fibre fibre;
    sw_texture_component_fibre(group, component, &fibre);
    p->variants = strcmp(component->family, "shear") == 0 ? 1 : 4;
    if (fibre.n_along > 0) {
        set_circle(fibre.direction[0], fibre.along[0], p);
        return;
    }
    sw_texture_component_euler(component, p->node[0]);
    p->nodes = 1;
}

static void set_named(const struct named *n, place *p)
{
    p->nodes = n->nodes;
    if (n->nodes == 0)
        set_circle(n->node[0], n->node[1], p);
    for (int k = 0; k < n->nodes; k++)
        for (int i = 0; i < 3; i++)
            p->node[k][i] = n->node[k][i] * DEGREE;
}

static void copy_indices(int count, const double *given, double index[4])
{
    for (int i = 0; i < 4; i++)
        index[i] = i < count ? given[i] : 0;
}

static void find_place(const sw_lattice *lattice, double b_over_a, double c_over_a, const sw_ideal *ideal,
                       place *p)
{
    static const int variants[] = {0, 4, 2, 1};
    const int is_fibre = ideal->fibre_count > 0;
    double hkl[4], uvw[4], normal[3], direction[3];
    known found = {NULL, NULL};
    *p = (place){.variants = 4};
    copy_indices(ideal->plane_count, ideal->plane, hkl);
    copy_indices(is_fibre ? ideal->fibre_count : ideal->direction_count,
                 is_fibre ? ideal->fibre : ideal->direction, uvw);
    sw_lattice_vectors(lattice, c_over_a, hkl, uvw, normal, direction);
    if (lattice->three_axes) { /* planes are normal to reciprocal vectors */
        normal[1] /= b_over_a;
        direction[1] *= b_over_a;
    }
    if (ideal->name != NULL)
        find_name(lattice, ideal->name, &found);
    if (found.component != NULL)
        set_component(lattice->group, found.component, p);
    else if (found.named != NULL)
        set_named(found.named, p);
    else if (is_fibre)
        set_circle(direction, ideal->along, p);
    else if (ideal->plane_count > 0)
        set_plane(normal, direction, p);
    else {
        p->nodes = 1;
        for (int i = 0; i < 3; i++)
            p->node[0][i] = ideal->angles[i] * DEGREE;
    }
    if (ideal->symmetry > 0)
        p->variants = variants[ideal->symmetry];
}

/* The orientation at a part t of a place, 0 .. 1. */
static void orientation_at(const place *p, double t, double q[4])
{
    if (p->nodes == 0) {
        double turn[4];
        sw_quaternion_about(p->axis, 2 * SW_PI * t, turn);
        sw_quaternion_product(turn, p->q, q);
        return;
    }
    const double at = t * (p->nodes - 1);
    const int k = p->nodes > 1 ? (int)fmin(floor(at), p->nodes - 2) : 0;
    double euler[3];
    for (int i = 0; i < 3; i++)
        euler[i] = p->node[k][i] + (p->nodes > 1 ? (at - k) * (p->node[k + 1][i] - p->node[k][i]) : 0);
    sw_quaternion_from_euler(euler, q);
}

/* ---- Checks ---- */

static sw_status check_name(const sw_lattice *lattice, const char *name)
{
    char list[600] = "";
    size_t length = 0;
    known unused;
    const char *other;
    int is_known = 0;
    for (int i = 0; i < SW_LATTICES && lattice == NULL; i++)
        is_known |= find_name(sw_lattices[i], name, &unused);
    if (is_known || (lattice != NULL && find_name(lattice, name, &unused)))
        return SW_OK;
    const sw_lattice *of = lattice != NULL ? lattice : &sw_lattice_fcc;
    for (int i = 0; (other = ideal_of(of, i, &unused)) != NULL && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", other);
    return sw_error(SW_ERR_INPUT, "name = %.80s: need one of %s%s%s", name, list,
                    lattice != NULL ? ", of " : "; of crystals that are not cubic those of their lattice",
                    lattice != NULL ? lattice->name : "");
}

static double norm_of(int count, const double *v)
{
    double square = 0;
    for (int i = 0; i < count; i++)
        square += v[i] * v[i];
    return sqrt(square);
}

/* Three indices or, of hexagonal crystals, four; lattice: NULL, not known yet. */
static sw_status check_indices(const sw_lattice *lattice, const char *key, int count, const double *v)
{
    if (count == 0)
        return SW_OK;
    if (lattice != NULL && (count == 4) != sw_lattice_has_four(lattice))
        return sw_error(SW_ERR_INPUT, "%s: %d indices: need %s", key, count,
                        count == 3 ? "four of a hexagonal crystal, h k i l or u v t w"
                                   : "three of a crystal that is not hexagonal");
    if (count == 4 && !(fabs(v[0] + v[1] + v[2]) <= 1e-6 * norm_of(4, v)))
        return sw_error(SW_ERR_INPUT, "%s = [%g, %g, %g, %g]: the first three make %g together: need 0", key,
                        v[0], v[1], v[2], v[3], v[0] + v[1] + v[2]);
    return norm_of(count, v) > 0 ? SW_OK : sw_error(SW_ERR_INPUT, "%s = [0, 0, 0]: need a direction", key);
}

sw_status sw_ideal_check(const sw_lattice *lattice, const sw_ideal *ideal)
{
    const int ways = (ideal->name != NULL) + (ideal->plane_count > 0) + (ideal->angles_count > 0) +
                     (ideal->fibre_count > 0);
    if (ways != 1)
        return sw_error(SW_ERR_INPUT, "need one of name, plane with direction, angles, and fibre with along");
    if ((ideal->plane_count > 0) != (ideal->direction_count > 0))
        return sw_error(SW_ERR_INPUT, "need both plane and direction");
    if ((ideal->fibre_count > 0) != (ideal->along_count > 0))
        return sw_error(SW_ERR_INPUT, "need both fibre and along");
    if (ideal->name != NULL)
        SW_TRY(check_name(lattice, ideal->name));
    SW_TRY(check_indices(lattice, "plane", ideal->plane_count, ideal->plane));
    SW_TRY(check_indices(lattice, "direction", ideal->direction_count, ideal->direction));
    SW_TRY(check_indices(lattice, "fibre", ideal->fibre_count, ideal->fibre));
    if (ideal->along_count > 0 && !(norm_of(3, ideal->along) > 0))
        return sw_error(SW_ERR_INPUT, "along = [0, 0, 0]: need a direction");
    if (ideal->plane_count != ideal->direction_count)
        return sw_error(SW_ERR_INPUT, "plane has %d indices, direction %d: need as many", ideal->plane_count,
                        ideal->direction_count);
    double product = 0; /* whatever c/a and angle of the axes */
    for (int i = 0; i < ideal->plane_count; i++)
        product += ideal->plane[i] * ideal->direction[i];
    const int n = ideal->plane_count;
    return fabs(product) <= 1e-6 * norm_of(n, ideal->plane) * norm_of(n, ideal->direction)
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "direction does not lie in plane: their product is %g: need 0",
                          product);
}

/* ---- Drawing ---- */

/* n crystals at a place, that of ideal number `stream`. */
static void draw(const sw_ideal *ideal, const place *p, int64_t n, int64_t seed, int64_t stream,
                 double (*euler)[3])
{
    static const double half_turn[4][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    sw_scatter scatter;
    sw_scatter_begin(&scatter, ideal->halfwidth * DEGREE, seed, stream);
    for (int64_t k = 0; k < n; k++) {
        double u[4], q[4], turned[4], centre[3];
        sw_scatter_numbers(&scatter, k / p->variants, u);
        orientation_at(p, u[3], q);
        sw_quaternion_product(half_turn[k % p->variants], q, turned);
        sw_euler_from_quaternion(turned, centre);
        sw_scatter_about(&scatter, centre, u, euler[k]);
    }
}

static sw_status check_number(const sw_lattice *lattice, int i, const sw_ideal *ideal)
{
    char message[900];
    const sw_status status = sw_ideal_check(lattice, ideal);
    snprintf(message, sizeof message, "%s", status == SW_OK ? "" : sw_error_message());
    return status == SW_OK ? SW_OK : sw_error(status, "crystals.components[%d]: %s", i, message);
}

sw_status sw_crystals_about_ideals(const sw_lattice *lattice, double b_over_a, double c_over_a, int n_ideals,
                                   const sw_ideal *ideal, int64_t n_crystals, int64_t seed,
                                   double (*euler)[3])
{
    double fractions = 0;
    int64_t done = 0;
    for (int i = 0; i < n_ideals; i++)
        SW_TRY(check_number(lattice, i, &ideal[i]));
    for (int i = 0; i < n_ideals; i++) {
        place p;
        find_place(lattice, b_over_a, c_over_a, &ideal[i], &p);
        fractions += ideal[i].fraction;
        int64_t until = llround(fractions * (double)n_crystals);
        until = until < n_crystals ? until : n_crystals;
        draw(&ideal[i], &p, until - done, seed, i, euler + done);
        done = until;
    }
    for (int64_t k = done; k < n_crystals; k++)
        sw_random_orientation((uint64_t)seed, (uint64_t)k, euler[k]);
    return SW_OK;
}
