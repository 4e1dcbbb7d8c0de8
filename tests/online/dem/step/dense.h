/* What tests of load paths share: a dense packing of soft particles, and elements of it. */
#ifndef SW_TESTS_ONLINE_DEM_STEP_DENSE_H
#define SW_TESTS_ONLINE_DEM_STEP_DENSE_H

#include "tests/online/dem/packs.h"

#include "online/dem/step/control.h"

static const double mean_radius = 8.75e-5, pressure = 1e5;

static inline sw_dem_material soft(void)
{
    sw_dem_material m = sw_dem_quartz();
    m.young = 4.3e8;
    m.friction = 0.5;
    m.roll_strength = 0.05;
    m.twist_strength = 0.03;
    return m;
}

/* A dense packing at the pressure, made once. */
static sw_dem_packing dense;

static inline int make_dense(void **state)
{
    (void)state;
    const sw_dem_material m = soft();
    dense = dem_pack_dense(200, &m, pressure, 0.05, 11);
    return 0;
}

static inline int free_dense(void **state)
{
    (void)state;
    sw_dem_packing_free(&dense);
    return 0;
}

#endif
