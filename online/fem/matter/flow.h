/* The return of what flows by von Mises, whatever says how much: internal to materials.
 *
 * With s the stress, a_k backstresses, x = s - sum of a_k, its deviator x', q = root(3/2) |x'| and N = d q / d s = 3/2 x' / q,
 * an increment of flow D adds D N to the strain that has flowed and makes each backstress
 * (a_k + rise_k x' / q) / fade_k. At its end q is `size`. How D, size, rise and fade hang together is a path of one number,
 * which is found so that q is size. Elasticity may be anisotropic: all of x follows from the number by linear equations. */
#ifndef SW_ONLINE_FEM_MATTER_FLOW_H
#define SW_ONLINE_FEM_MATTER_FLOW_H

#include "matter.h"

enum { SW_FLOW_BACKS = 10, SW_FLOW_BEFORE_BACKS = 8 };

/* A number and how it changes with what it depends on. */
typedef struct {
    double value, slope;
} sw_flow_number;

/* Of n curves by temperature at a plastic strain. */
sw_flow_number sw_flow_curve(int n, const sw_matter_curve *curve, double temperature, double strain);
/* rate.c: Johnson and Cook's, without rate. */
sw_flow_number sw_flow_cook(const sw_matter *matter, double temperature, double strain);

/* A place on the path, with slopes by its number. */
typedef struct {
    sw_flow_number flow, size, rise[SW_FLOW_BACKS], fade[SW_FLOW_BACKS];
    double plastic, creep; /* of flow */
} sw_flow_place;

typedef struct sw_flow {
    const sw_matter *matter;
    const sw_matter_ask *ask;
    const double *old; /* state */
    int n_backs;
    double d[6][6], shear; /* shear: of isotropic elasticity; 0: it is not */
    double trial[6];       /* stress if nothing flows */
    double first, most;    /* number to begin with; one that is thought to be beyond */
    void (*path)(const struct sw_flow *flow, double number, sw_flow_place *place);
} sw_flow;

/* Something says when it yields. */
static inline int sw_flow_has_surface(const sw_matter *matter)
{
    return matter->n_curves > 0 || matter->cook.n_rows > 0 || matter->backstress.n_rows > 0 ||
           matter->saturation.n_rows > 0;
}

/* By more than round-off: a body of points that have flowed is elastic where it stays, and is unloaded from there. */
static inline int sw_flow_yields(double q, double size) { return q > size * (1 + 1e-10); }

int sw_flow_backs(const sw_matter *matter);
int sw_flow_n_state(const sw_matter *matter);
/* Trial; stress, tangent and state as if nothing flowed. */
void sw_flow_begin(sw_flow *flow, const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                   double *new_state, double stress[6], double tangent[6][6]);
/* q of the trial. */
double sw_flow_trial(const sw_flow *flow);
/* Along flow->path. */
sw_status sw_flow_return(sw_flow *flow, double *new_state, double stress[6], double tangent[6][6],
                         sw_flow_place *place);

/* rate.c: a size by the rate of a plastic strain of the increment, too. */
void sw_flow_hurry(const sw_flow *flow, double plastic, sw_flow_number *size);

/* plastic.c: size of the surface after a plastic strain of the increment, and what moves it, by that strain. */
void sw_flow_harden(const sw_flow *flow, double plastic, sw_flow_place *place);
/* The law where no rate has a say. */
sw_status sw_flow_plastic(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                          double *new_state, double stress[6], double tangent[6][6]);

#endif
