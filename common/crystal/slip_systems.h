/* Slip systems of a lattice. Dimension: S slip systems. */
#ifndef SW_COMMON_CRYSTAL_SLIP_SYSTEMS_H
#define SW_COMMON_CRYSTAL_SLIP_SYSTEMS_H

#include "lattice.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_SLIP_SYSTEMS_MAX = 48 };

typedef struct {
    const sw_point_group *group;
    int count; /* S */
    /* Unit vectors in the crystal frame. Ordered by family, then by plane: the systems of one plane follow each other. */
    double direction[SW_SLIP_SYSTEMS_MAX][3], normal[SW_SLIP_SYSTEMS_MAX][3];
} sw_slip_systems;

/* c_over_a: of its axes, where they differ. The lattice's families have no more than SW_SLIP_SYSTEMS_MAX. */
void sw_slip_systems_of(const sw_lattice *lattice, double c_over_a, sw_slip_systems *systems);

#ifdef __cplusplus
}
#endif

#endif
