/* Elements as a table of formulations: any shape, any rule of integration, one way to ask.
 *
 *     plane_shapes.c, solid_shapes.c   shapes: shape functions, faces, corners
 *     rules.c                          points and weights of integration
 *     formulations.c                   the list: a formulation is a line of it
 *     point.c, sums.c                  a point: its place, the matter's answer; forces and stiffness of points
 *     isoparametric.c                  what most of them do
 *     incompatible.c, dilatation.c, hourglass.c, truss.c    what some do besides
 *     loads.c                          nodal forces of pressures and body forces
 *     recover.c                        nodal values of what points have
 *     unresisted.c                     whether points feel a motion
 *
 * They stand beside the fast family of hexahedra (online/fem/element/), which has its own machinery. Total Lagrangian: S of
 * Piola and Kirchhoff, E of Green on the reference body; small strains are the same with F = I where stresses are spread.
 * On the CPU.
 *
 * Dimensions: V nodes of an element, Q its points, c unknowns of a node, which is 3 in space and 2 in the plane. */
#ifndef SW_ONLINE_FEM_FORMULATION_FORMULATION_H
#define SW_ONLINE_FEM_FORMULATION_FORMULATION_H

#include "online/fem/matter/matter.h"
#include "slipwave/fem.h"

enum {
    SW_FORMULATION_NODES = 20,    /* V at most */
    SW_FORMULATION_POINTS = 50,   /* Q at most: of a beam of rectangular section */
    SW_FORMULATION_UNKNOWNS = 60, /* V c at most */
    SW_FORMULATION_FACES = 6,
    SW_FORMULATION_FACE_NODES = 8
};

/* ---- Shapes ---- */

typedef struct sw_topology {
    const char *name; /* "hex20" */
    int n_nodes, n_corners, dimension;
    int vtk; /* VTK's number of the cell; its nodes have the same order */
    int n_faces;
    /* Faces (edges in the plane) in Abaqus' order S1, S2, ...; nodes seen from outside counter-clockwise, corners first,
     * then the middles of the edges in the same sense. */
    const struct sw_topology *face_topology[SW_FORMULATION_FACES];
    int face[SW_FORMULATION_FACES][SW_FORMULATION_FACE_NODES];
    const double (*node)[3]; /* [V] in reference coordinates */
    /* Shape functions value [V] and gradient [V][3] at `at`, in reference coordinates; either may be NULL. */
    void (*shape)(const double at[3], double *value, double (*gradient)[3]);
} sw_topology;

/* sw_line3_along has its middle second, as trusses and beams of decks. */
extern const sw_topology sw_line3_along;

/* Reference coordinates: lines, quadrilaterals and hexahedra -1..1; triangles and tetrahedra 0..1 of the second, third
 * (and fourth) corner; wedges both. Orders of nodes as Abaqus' and VTK's. */
extern const sw_topology sw_line2, sw_line3, sw_tri3, sw_tri6, sw_quad4_any, sw_quad8, sw_tet4, sw_tet10,
    sw_wedge6, sw_wedge15, sw_hex8_any, sw_hex20;

typedef struct {
    int n;
    const double (*point)[4]; /* [n] reference coordinates, weight */
} sw_rule;
/* The rule that integrates a face's loads of this topology. */
const sw_rule *sw_face_rule(const sw_topology *face);

/* ---- Formulations ---- */

/* An element asked at a trial. Borrowed. */
typedef struct {
    const struct sw_formulation *formulation;
    const sw_matter *matter;
    double x[SW_FORMULATION_NODES][3]; /* reference positions; plane: 3 is 0; axisymmetric: r, y */
    double u[SW_FORMULATION_NODES][3], u_before[SW_FORMULATION_NODES][3]; /* displacements: trial, accepted */
    double temperature[SW_FORMULATION_NODES], temperature_before[SW_FORMULATION_NODES],
        temperature_initial[SW_FORMULATION_NODES];
    double thickness; /* of plane bodies, the mean where it varies; area of trusses */
    int by_nodes;     /* of plane bodies: it varies */
    double thickness_of[SW_FORMULATION_NODES]; /* [V] then */
    const double (*axes)[3];                   /* of the material; NULL: space's */
    const double (*free_strain)[6];            /* [Q] as sw_matter_point has it; NULL */
    int finite;                                /* NLGEOM */
    double time, dt, step_time;
    int step, increment, layer; /* as sw_matter_point; 0: not known */
    int keeps_springs; /* against hourglass modes, as the increment before left them: theirs may jump with what yields */
    int64_t label;
    const double *state; /* accepted [state size] */
} sw_element;

/* What comes of it; NULL: not asked for. K by rows, V c wide; symmetric where the law's tangent is. */
typedef struct {
    double *state;            /* [state size] at the trial; always asked for */
    double *force;            /* [V c] internal forces */
    double *stiffness;        /* [V c][V c] */
    double (*stress)[6];      /* [Q] Cauchy's */
    double (*strain)[6];      /* [Q] small, or Green's; engineering shears */
    double (*carried)[6];     /* [Q] of sw_matter_carried */
    double (*seen)[6];        /* [Q] `carried` of sw_matter_answer */
    double *volume;           /* [Q] of the reference body (plane and axisymmetric: as forces count it) */
    double (*work)[SW_WORKS]; /* [Q] over that volume, since the start */
    double *artificial;       /* [1] energy in springs against hourglass modes; added, where there are any */
    double (*tangent)[6][6];  /* [Q] as sw_matter_answer has it */
} sw_element_answer;

typedef struct sw_formulation {
    const char *name; /* as decks have it: "C3D20R" */
    const sw_topology *topology;
    sw_fem_kinematics kinematics;
    const sw_rule *rule;
    const struct sw_formulation_tables *tables; /* of its points: evaluate.h */
    int sectioned; /* its points are those of a section: two along a beam, any number across it or a shell */
    int fewer;     /* points of faces and bodies of its loads, as CalculiX has it */
    int n_own; /* numbers that an element keeps beside those of its points (incompatible modes, springs) */
    /* SW_ERR_CONVERGENCE: turned inside out, or the law wants a smaller increment; SW_ERR_RANGE: the reference body's
     * Jacobian is not positive at a point. */
    sw_status (*evaluate)(const sw_element *element, sw_element_answer *answer);
} sw_formulation;

/* By the name of a deck's type in any case; dialect: 0 Abaqus, 1 CalculiX (where C3D8 is integrated fully, and has mean
 * dilatation in Abaqus). NULL: none. */
const sw_formulation *sw_formulation_find(const char *type, int dialect);

/* One that sw_formulation_find gave, with other points, whose rule has to last as long; free() releases it. */
sw_status sw_formulation_with_rule(const sw_formulation *base, const sw_rule *rule, sw_formulation **other);

static inline int sw_formulation_components(const sw_formulation *f)
{
    return f->kinematics == SW_FEM_SOLID ? 3 : 2;
}
/* Numbers that an element of this matter keeps: n_own, then those of its points, one after the other. */
int sw_formulation_state_size(const sw_formulation *formulation, const sw_matter *matter);

/* ---- Loads: added to force [V c] ---- */

/* Pressure (into the body) on a face, on x + u where `follows`, else on x; stiffness [V c][V c], where not NULL, gets minus
 * the derivative of the force by u added (not symmetric), of a pressure that follows. */
void sw_element_press(const sw_element *element, int face, double pressure, int follows, double *force,
                      double *stiffness);
/* Traction vector on a face of the reference body; it may count by the face's area on x + u, turn as the face does, or both.
 * Stiffness as above. */
typedef enum { SW_PULL_DEAD, SW_PULL_SPREADS, SW_PULL_TURNS, SW_PULL_FOLLOWS } sw_pull;
void sw_element_pull(const sw_element *element, int face, const double traction[3], sw_pull pull,
                     double *force, double *stiffness);
/* Force per reference volume: density times acceleration. Both: SW_ERR_RANGE as evaluate. */
sw_status sw_element_weigh(const sw_element *element, const double acceleration[3], double *force);
/* density * square * distance from the axis through `point`, on x + u where `follows`; stiffness as above. */
sw_status sw_element_spin(const sw_element *element, double square, const double point[3],
                          const double axis[3], int follows, double *force, double *stiffness);

/* What passes a face by stresses at the element's nodes [V][6], from outside in: sums over points of the face, of the reference
 * body or of x + u. Moments are about the origin; a mean place is centre / area. */
typedef struct {
    double force[3], moment[3], area, centre[3], normal[3]; /* centre: times the area; normal: area vectors */
} sw_face_sums;
void sw_element_cut(const sw_element *element, int face, const double (*stress)[6], int deformed,
                    sw_face_sums *sums);

/* ---- Recovery ---- */

/* Nodal values [V][n] of points' values [Q][n]: by least squares with the shape functions, or where there are fewer points
 * than nodes those of the corners; of one point its value everywhere. As CalculiX has it, but for C3D6. */
void sw_element_recover(const sw_formulation *formulation, int n, const double *at_points, double *at_nodes);

/* ---- Motions ---- */

/* Of a small motion u [V][3]: the volume, and squares of its strains over it, at the points and near the corners. SW_ERR_RANGE as
 * evaluate. */
sw_status sw_element_strains(const sw_element *element, const double (*u)[3], double *volume,
                             double *at_points, double *at_corners);

#endif
