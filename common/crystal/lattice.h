/* Lattices: what a crystal is by its place in a list. An entry is a file in lattices/ and a line here; material files, jobs,
 * databases and results know it by its name. */
#ifndef SW_COMMON_CRYSTAL_LATTICE_H
#define SW_COMMON_CRYSTAL_LATTICE_H

#include "laws/slip_law.h"
#include "point_group.h"
#include "stiffness.h"
#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Entries that a build adds to the list: -D'SW_LATTICE_EXTRA(X)=X(name)'. */
#ifndef SW_LATTICE_EXTRA
#define SW_LATTICE_EXTRA(X)
#endif

/* X(name): sw_lattice_NAME is the entry. */
#define SW_LATTICE_LIST(X) \
    X(fcc)                 \
    X(bcc)                 \
    X(bcc24)               \
    X(bcc48)               \
    X(hexagonal)           \
    X(tetragonal)          \
    X(orthorhombic)        \
    SW_LATTICE_EXTRA(X)

/* Slip systems that the point group makes of one: its plane and a direction in it, by their indices, h k l and u v w, of
 * hexagonal lattices h k i l and u v t w. A twin shears one way only, the direction along its plane, and by this much; such
 * families come last. */
typedef struct {
    int plane[4], direction[4];
    const char *name; /* "basal"; NULL of a lattice whose families always slip together */
    double (*twin_shear)(double c_over_a); /* NULL: slip, both ways */
} sw_family;

/* An ideal component: plane normal hkl and direction uvw of the crystal along sample axes, both as vectors of any length along the
 * crystal's (of hexagonal ones x is <11-20>, y <10-10>, z c), which are the same for any c/a; a fibre where one of the two is 0,
 * and any orientation about the other will do. */
typedef struct {
    const char *name;
    /* "rolling" (uvw along 1, hkl along 3) or "shear" (uvw along 1, hkl along 2); "shear pairs": the same, with half turns of the
     * sample; "15 to RD", "30 to TD": as of rolling, hkl, a main axis, along 3 when that is turned by so many degrees to 1, or 2 */
    const char *family;
    double hkl[3], uvw[3];
} sw_texture_component;

typedef struct {
    const char *name; /* "111" */
    int hkl[4];       /* of a plane, likewise: h k l, or h k i l */
} sw_texture_pole;

typedef struct {
    const char *name;    /* "fcc" */
    const char *slip;    /* "{111}<110>" */
    const char *bravais; /* "cF", as other programs call it */
    const sw_point_group *group;
    int n_families;
    const sw_family *family; /* [n_families] */
    /* Indices, as of a family, as vectors of any length along the crystal's axes; NULL: as they are. */
    void (*vectors)(double c_over_a, const double hkl[4], const double uvw[4], double normal[3],
                    double direction[3]);
    double least_c_over_a, most_c_over_a; /* that files may give; with why, where its axes differ */
    const char *why_c_over_a;
    int three_axes;         /* b is another than a: files give b_over_a, too */
    const char *elasticity; /* constants that a material file has to give, between blanks: "C11 C12 C44" */
    void (*stiffness)(const sw_elasticity *given, sw_stiffness *stiffness);
    int yield_exponent; /* of yield functions of sheets */
    int n_ideals;
    const sw_texture_component *ideal; /* [n_ideals] that its textures are judged by ... */
    sw_texture_pole pole[3];           /* ... with these pole figures */
} sw_lattice;

#define SW_LATTICE_ENTRY(name) extern const sw_lattice sw_lattice_##name;
SW_LATTICE_LIST(SW_LATTICE_ENTRY)
#undef SW_LATTICE_ENTRY

/* Places in the list. */
#define SW_LATTICE_NUMBER(name) SW_LATTICE_##name,
enum { SW_LATTICE_LIST(SW_LATTICE_NUMBER) SW_LATTICES };
#undef SW_LATTICE_NUMBER

extern const sw_lattice *const sw_lattices[SW_LATTICES];
extern const char *const sw_lattice_names[SW_LATTICES];

/* By its name; NULL: there is none. */
const sw_lattice *sw_lattice_find(const char *name);
/* The first one that other programs call so, "hP"; NULL: none. */
const sw_lattice *sw_lattice_of_bravais(const char *bravais);

/* Whether its indices are four: h k i l, u v t w. */
static inline int sw_lattice_has_four(const sw_lattice *lattice) { return lattice->group->fold == 6; }
/* A plane's normal and a direction, by their indices, as vectors of any length along the crystal's axes. */
void sw_lattice_vectors(const sw_lattice *lattice, double c_over_a, const double hkl[4], const double uvw[4],
                        double normal[3], double direction[3]);
/* The normal of one of the planes of its pole figures; likewise. */
void sw_lattice_pole(const sw_lattice *lattice, double c_over_a, int number, double normal[3]);

/* Its slip systems, S of them. */

typedef struct {
    const sw_point_group *group;
    int count;   /* S */
    int two_way; /* systems from this number on are twins */
    /* Unit vectors in the crystal frame. Ordered by family, then by plane: the systems of one plane follow each other. */
    double direction[SW_SLIP_SYSTEMS_MAX][3], normal[SW_SLIP_SYSTEMS_MAX][3];
    int family[SW_SLIP_SYSTEMS_MAX]; /* which of the n that were asked for */
} sw_slip_systems;

/* c_over_a: of its axes, where they differ. Of its families number family[0], family[1], ..., family[n - 1], those of slip
 * first; NULL: all of them. SW_ERR_RANGE for more than SW_SLIP_SYSTEMS_MAX systems. */
sw_status sw_slip_systems_of(const sw_lattice *lattice, double c_over_a, int n, const int *family,
                             sw_slip_systems *systems);
/* With b_over_a, where that is not 1. */
sw_status sw_slip_systems_along(const sw_lattice *lattice, double b_over_a, double c_over_a, int n,
                                const int *family, sw_slip_systems *systems);

/* To what is there: a family of the lattice, by its number; or n systems of a family of its own by their indices, h k l u v w or h k i l u v
 * t w, of twins in the sense in which they shear. SW_ERR_RANGE for more than SW_SLIP_SYSTEMS_MAX systems, for indices of the other
 * kind, all 0, or with h + k + i or u + v + t not 0, for a direction that is not in its plane, a system that stands twice, and for one
 * that the point group makes of them and that is not among them. */
sw_status sw_slip_systems_add_family(const sw_lattice *lattice, double b_over_a, double c_over_a, int number,
                                     sw_slip_systems *systems);
sw_status sw_slip_systems_add_list(const sw_lattice *lattice, double b_over_a, double c_over_a, int n,
                                   const double (*index)[8], int twins, sw_slip_systems *systems);

/* Number of its family of that name, or -1. */
int sw_lattice_family(const sw_lattice *lattice, const char *name);

#ifdef __cplusplus
}
#endif
#endif
