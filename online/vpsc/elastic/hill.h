/* Hill's tensor of an ellipsoid in an elastic medium, by VPSC8's directions. */
#ifndef SW_ONLINE_VPSC_ELASTIC_HILL_H
#define SW_ONLINE_VPSC_ELASTIC_HILL_H

/* stiffness, p: in VPSC8's basis of six (polycrystal/state.h), symmetric. axes: a2 >= a1 >= a3; along: columns, their directions. */
void sw_vpsc_hill(const double stiffness[6][6], const double axes[3], const double along[3][3],
                  double p[6][6]);

#endif
